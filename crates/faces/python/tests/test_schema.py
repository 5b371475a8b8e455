"""Plain data are as docs/reference/schema.json says."""

import json
from pathlib import Path

import pytest

import bouton

jsonschema = pytest.importorskip("jsonschema")
SCHEMA = json.loads(
    (Path(__file__).parents[4] / "docs/reference/schema.json").read_text(encoding="utf-8")
)


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


DATA = {
    "a game on heaps": ("study", lambda: bouton.study("CN(4,2)").data),
    "a sequence": ("study", lambda: bouton.study("kayles").data),
    "any number of heaps": ("study", lambda: bouton.study("nim", seconds=20).data),
    "cash": ("study", lambda: bouton.study("NIM(1,4;n;d,e)").data),
    "a family": ("study", lambda: bouton.study("Gamma(1,2;n)", to=12).data),
    "nim-values": ("study", lambda: bouton.study("nim(2)", values=True).data),
    "nothing found": ("study", lambda: bouton.study("wythoff", max=6, nodes=1).data),
    "a range": ("study", lambda: bouton.study_range("S(1,h;1)", "h", range(2, 5)).data),
    "a condition": ("cash", lambda: bouton.cash([1, 2]).data),
    "a table": ("heatmap", lambda: bouton.heatmap("wythoff", "x,y", x=range(4), y=range(4)).data),
    "a strategy": ("strategy", lambda: bouton.game("nim").strategy([1, 2]).data),
    "a genus": ("genus", lambda: bouton.game("kayles").genus([5])),
    "a quotient": ("quotient", lambda: bouton.game("0.75").quotient(10)),
    "games": ("games", bouton.games),
}


@pytest.mark.parametrize("name", DATA)
def test_data(name):
    kind, make = DATA[name]
    validator = jsonschema.Draft202012Validator({**SCHEMA, "$ref": f"#/$defs/{kind}"})
    validator.validate(make())


def test_what_is_not_said_is_found():
    data = bouton.game("0.75").quotient(10) | {"sorcery": 1}
    validator = jsonschema.Draft202012Validator({**SCHEMA, "$ref": "#/$defs/quotient"})
    assert [error.validator for error in validator.iter_errors(data)] == ["additionalProperties"]
