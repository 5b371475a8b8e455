"""Runs the notebooks, and makes the gallery of their outputs: `python
crates/faces/python/tests/gallery.py` writes docs/notebooks/README.md and the pictures beside it."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parents[4] / "docs" / "notebooks"
ORDER = [
    "circular-nim",
    "kotzig",
    "nim-with-cash",
    "own-game",
    "student",
    "contestant",
    "researcher",
    "teacher",
]

HEAD = """# Notebooks
These are the notebooks of this folder with their outputs. `cargo xtask python` runs them as tests. Each begins with
`import bouton`; `pip install .` in the checkout installs the package, and needs Rust. The folder `binder` of the
repository lets Binder run them. This page is written by `python crates/faces/python/tests/gallery.py`.
"""


def run(path: Path) -> Any:
    """The notebook with its outputs; a cell that fails raises."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook, timeout=3600, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}}
    ).execute()
    return notebook


def section(name: str, notebook: Any) -> tuple[str, dict[str, str]]:
    """The notebook as Markdown, and its pictures by file name."""
    parts: list[str] = [f'<a id="{name}"></a>']
    pictures: dict[str, str] = {}
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            # One level down: the page has a title of its own.
            parts.append(re.sub(r"^#", "##", cell.source, flags=re.MULTILINE))
            continue
        parts.append(f"```python\n{cell.source}\n```")
        for output in cell.outputs:
            if output.output_type == "stream":
                parts.append(f"```text\n{output.text.rstrip()}\n```")
                continue
            data = output.data
            if "image/svg+xml" in data:
                file = f"{name}-{len(pictures) + 1}.svg"
                pictures[file] = (
                    re.sub(r"[ \t]+$", "", data["image/svg+xml"], flags=re.MULTILINE).rstrip()
                    + "\n"
                )
                parts.append(f"![{name}]({file})")
            if "text/latex" in data:
                formula = data["text/latex"].strip("$").removeprefix("\\displaystyle").strip()
                parts.append(f"$$ {formula} $$")
            if "text/html" in data:
                told = words(data["text/html"])
                if told:
                    parts.append(f"```text\n{told}\n```")
            elif "image/svg+xml" not in data:
                parts.append(f"```text\n{data['text/plain']}\n```")
    return "\n\n".join(parts), pictures


def words(page: str) -> str:
    """The text of a piece of HTML; pictures, formulas and styles left out."""
    page = re.sub(r"<p class=.case.>.*?</p>", "", page, flags=re.DOTALL)
    page = re.sub(r"<(svg|style|math)\b.*?</\1>", "", page, flags=re.DOTALL)
    page = re.sub(r"<(br|li|p|tr|div)\b[^>]*>", "\n", page)
    lines = (html.unescape(re.sub(r"<[^>]+>", "", line)).strip() for line in page.splitlines())
    return "\n".join(line for line in lines if line)


def main() -> None:
    """Writes the page."""
    parts = [HEAD]
    for old in FOLDER.glob("*.svg"):
        old.unlink()
    for name in ORDER:
        text, pictures = section(name, run(FOLDER / f"{name}.ipynb"))
        parts.append(text)
        for file, picture in pictures.items():
            (FOLDER / file).write_text(picture, encoding="utf-8")
    (FOLDER / "README.md").write_text("\n".join(parts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
