"""The notebooks run from the first cell to the last, and are kept without outputs; the gallery
shows each."""

import re

import nbformat
import pytest
from gallery import FOLDER, ORDER, run, section


@pytest.mark.parametrize("name", ORDER)
def test_a_notebook_runs(name):
    for package in ("networkx", "polars"):
        if f"import {package}" in (FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"):
            pytest.importorskip(package)
    text, _ = section(name, run(FOLDER / f"{name}.ipynb"))
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    for line in re.findall(r"certificate [0-9a-f]{64}", text):
        assert line in page, "python crates/faces/python/tests/gallery.py"


def test_all_are_there_and_stripped():
    assert sorted(path.stem for path in FOLDER.glob("*.ipynb")) == sorted(ORDER)
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    for name in ORDER:
        assert f'<a id="{name}"></a>' in page
        notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
        nbformat.validate(notebook)
        for cell in notebook.cells:
            if cell.cell_type == "code":
                assert (cell.outputs, cell.execution_count) == ([], None)
                # What the page shows is what the notebook says.
                assert cell.source in page
