"""The examples of docs/reference/python.md, run."""

import doctest
import re
from pathlib import Path

PAGE = next(
    page
    for folder in Path(__file__).resolve().parents
    if (page := folder / "docs" / "reference" / "python.md").exists()
)


def test_the_examples_of_the_reference_run():
    text = PAGE.read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 5
    # One namespace: a block may use the names of those before it.
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, PAGE.name, str(PAGE), 0)
    failures: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(test, out=failures.append)
    assert result.attempted > 10
    assert result.failed == 0, "".join(failures)
