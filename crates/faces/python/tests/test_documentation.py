"""Every public object has a docstring with its parameters and an example, every example runs, and
the manual has them."""

import doctest
import inspect
from pathlib import Path

import pytest
import reference

import bouton

PAGE = Path(__file__).parents[4] / "docs/reference/python-api.md"


def objects():
    """Functions, classes and methods, by name."""
    for name, value in reference.public():
        yield name, value
        if inspect.isclass(value):
            for method, function in reference.methods(value).items():
                yield f"{name}.{method}", function


OBJECTS = dict(objects())


@pytest.mark.parametrize("name", OBJECTS)
def test_parameters_returns_and_an_example_are_there(name):
    value = OBJECTS[name]
    text, sections = reference.sections(inspect.getdoc(value) or "")
    assert text.split("\n")[0].endswith((".", ":")), "a first line"
    assert ">>> " in sections.get("Examples", ""), "an example"
    if inspect.isclass(value):
        # Results are made by functions alone; of others the constructor is public.
        if value not in (
            bouton.Game,
            bouton.OwnGame,
            bouton.Error,
            bouton.WrongType,
            bouton.LimitReached,
        ):
            return
    signature = inspect.signature(value)
    given = [
        ("**" if one.kind is one.VAR_KEYWORD else "") + one.name
        for one in signature.parameters.values()
    ]
    given = [one for one in given if one != "self"]
    told = reference.entries(sections.get("Parameters", ""))
    assert [head.split(" : ")[0] for head, _ in told] == given
    assert all(below for head, below in told if "client" not in head), "what each is"
    if inspect.isfunction(value):
        assert ("Returns" in sections) == (signature.return_annotation != "None")


@pytest.mark.parametrize("name", OBJECTS)
def test_the_examples_run(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    value = OBJECTS[name]
    test = doctest.DocTestParser().get_doctest(
        inspect.getdoc(value), {"bouton": bouton}, name, name, 0
    )
    told = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=told.append)
    assert test.examples
    assert not told, "".join(told)


def test_properties_and_fields_are_told():
    for name, kind in reference.public():
        if inspect.isclass(kind):
            for attribute, text in {**reference.properties(kind), **reference.fields(kind)}.items():
                assert text, f"{name}.{attribute}"


def test_the_manual_has_the_reference():
    assert PAGE.read_text(encoding="utf-8") == reference.page(), (
        "python crates/faces/python/tests/reference.py > docs/reference/python-api.md"
    )
