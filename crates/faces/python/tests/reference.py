"""Prints the reference of the package, from its docstrings: docs/reference/python-api.md.

python crates/faces/python/tests/reference.py > docs/reference/python-api.md
"""

import ast
import inspect
import re
import textwrap
from dataclasses import is_dataclass

import bouton

HEAD = """# The Python package, name by name

All of this is printed from the docstrings by `python crates/faces/python/tests/reference.py`, and
every example is run as a test. [Python](python.md) is the introduction.
"""
SECTIONS = ("Parameters", "Returns", "Raises", "Examples")
WIDTH = 100


def public():
    """The public names and what they stand for, but the version."""
    return [(name, getattr(bouton, name)) for name in bouton.__all__ if not name.startswith("_")]


def methods(kind):
    """The public methods of a class, those of its own bases included."""
    found = {}
    for base in reversed(kind.__mro__):
        if base.__module__.split(".")[0] == "bouton":
            found |= {
                name: value for name, value in vars(base).items() if inspect.isfunction(value)
            }
    return {name: value for name, value in found.items() if not name.startswith("_")}


def properties(kind):
    """The public properties of a class, with what they are."""
    found = {}
    for base in reversed(kind.__mro__):
        if base.__module__.split(".")[0] == "bouton":
            found |= {
                name: value for name, value in vars(base).items() if isinstance(value, property)
            }
    return {
        name: inspect.getdoc(value).strip()
        for name, value in found.items()
        if not name.startswith("_")
    }


def fields(kind):
    """The attributes of a dataclass, with the texts below them."""
    if not is_dataclass(kind):
        return {}
    body = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0].body
    found = {}
    for line, below in zip(body, [*body[1:], None], strict=True):
        if isinstance(line, ast.AnnAssign) and not line.target.id.startswith("_"):
            is_text = isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
            found[line.target.id] = below.value.value if is_text else ""
    return found


def sections(doc):
    """A docstring's text, and its sections by name."""
    parts = re.split(rf"^({'|'.join(SECTIONS)})\n-+\n", doc, flags=re.MULTILINE)
    return parts[0].strip(), dict(
        zip(parts[1::2], (part.strip("\n") for part in parts[2::2]), strict=True)
    )


def entries(section):
    """The entries of a section: what stands in the first column, and the text below it."""
    found = []
    for line in section.splitlines():
        if line and not line.startswith(" "):
            found.append((line, []))
        elif line.strip():
            found[-1][1].append(line.strip())
    return [(head, " ".join(text)) for head, text in found]


def wrapped(text, first="", others=""):
    return textwrap.fill(
        " ".join(text.split()),
        WIDTH,
        initial_indent=first,
        subsequent_indent=others,
        break_long_words=False,
        break_on_hyphens=False,
    )


def described(doc):
    """A docstring as Markdown."""
    text, named = sections(doc)
    lines = [wrapped(paragraph) for paragraph in text.split("\n\n")]
    for name in SECTIONS:
        if name not in named:
            continue
        if name == "Examples":
            lines.append(f"```python\n{named[name]}\n```")
            continue
        told = []
        for head, below in entries(named[name]):
            what, _, kind = head.partition(" : ")
            start = f"`{what}`" + (f" ({kind})" if kind else "")
            told.append(wrapped(f"- {start}: {below}" if below else f"- {start}", "", "  "))
        lines.append(f"{name}:\n\n" + "\n".join(told))
    return "\n\n".join(lines)


def signature(value):
    """The parameters, without their types and without self."""
    shown = []
    for one in inspect.signature(value).parameters.values():
        if one.name != "self":
            shown.append(one.replace(annotation=inspect.Parameter.empty))
    return str(inspect.Signature(shown))


def page():
    """The whole page."""
    functions = [one for one in public() if inspect.isfunction(one[1])]
    classes = [one for one in public() if inspect.isclass(one[1])]
    parts = [HEAD, "## Functions"]
    for name, value in sorted(functions):
        parts += [
            f"### {name}",
            f"```text\nbouton.{name}{signature(value)}\n```",
            described(inspect.getdoc(value)),
        ]
    parts.append("## Classes")
    for name, kind in sorted(classes):
        parts += [f"### {name}", described(inspect.getdoc(kind))]
        told = {**fields(kind), **properties(kind)}
        if told:
            parts.append(
                "\n".join(
                    wrapped(f"- `{one}`: {text}" if text else f"- `{one}`", "", "  ")
                    for one, text in told.items()
                )
            )
        for one, value in methods(kind).items():
            parts += [
                f"#### {name}.{one}",
                f"```text\n{one}{signature(value)}\n```",
                described(inspect.getdoc(value)),
            ]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


if __name__ == "__main__":
    print(page(), end="")
