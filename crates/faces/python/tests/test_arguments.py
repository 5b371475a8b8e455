"""Every argument of every call, with values that it does not take: an error of the package that
says what it takes, or an answer."""

import inspect

import numpy as np
import pandas
import polars
import pytest
import reference

import bouton

BAD = [
    None,
    True,
    np.True_,
    1.5,
    float("nan"),
    float("inf"),
    -1,
    2**70,
    "x",
    "",
    "é\n",
    b"x",
    [],
    [1.5],
    [True],
    {},
    {"a": [1]},
    object(),
    np.float64(1.0),
    np.int8(-3),
    np.ma.array([1, 2], mask=[False, True]),
    iter([1]),
    len,
    bouton,
]


class Equal:
    heaps = 2

    def options(self, position):
        a, b = position
        return [(k, b) for k in range(a)] + [(a, k) for k in range(b)]


BUDGET = {"seconds": 1, "nodes": 100, "memory": 16}
GAME = bouton.game("nim(2)")
OWN = bouton.game(Equal())
VERDICT = bouton.prove("nim(2)", "a = b")
CALLS = {
    "Game.board": (GAME.board, {"position": [1, 2]}),
    "Game.genus": (GAME.genus, {"position": [1, 2], **BUDGET}),
    "Game.nim_values": (GAME.nim_values, {"max": 3, **BUDGET}),
    "Game.p_positions": (GAME.p_positions, {"max": 3, "every": True, "heaps": None, **BUDGET}),
    "Game.published": (GAME.published, {}),
    "Game.quotient": (bouton.game("0.75").quotient, {"to": 5, **BUDGET}),
    "Game.remoteness": (GAME.remoteness, {"position": [1, 2], **BUDGET}),
    "Game.solve": (GAME.solve, {"position": [1, 2], **BUDGET}),
    "Game.solve_all": (GAME.solve_all, {"positions": [[1, 2]], "nim_values": True, **BUDGET}),
    "Game.strategy": (GAME.strategy, {"position": [1, 2], "depth": 4, "size": 9, **BUDGET}),
    "Game.study": (GAME.study, {"values": False, "max": 8, **BUDGET}),
    "Ledger.about": (bouton.ledger().about, {"game": "nim"}),
    "OwnGame.compare": (OWN.compare, {"game": GAME, "max": 3}),
    "OwnGame.conjecture": (OWN.conjecture, {"max": 5, "symmetry": None, **BUDGET}),
    "OwnGame.nim_values": (OWN.nim_values, {"max": 3, **BUDGET}),
    "OwnGame.p_positions": (OWN.p_positions, {"max": 3, **BUDGET}),
    "OwnGame.solve": (OWN.solve, {"position": (1, 2), **BUDGET}),
    "OwnGame.solve_all": (OWN.solve_all, {"positions": [(1, 2)], "nim_values": True, **BUDGET}),
    "Picture.png": (GAME.board([1, 2]).png, {"scale": 1.0}),
    "Study.report": (bouton.study("nim(2)").report, {"format": "latex"}),
    "Verdict.save": (VERDICT.save, {"path": "x.cert"}),
    "WinCondition.heatmap": (bouton.cash([1, 2]).heatmap, {"to": 3}),
    "WinCondition.mover_wins": (bouton.cash([1, 2]).mover_wins, {"n": 1, "d": 1, "e": 1}),
    "OwnGame": (bouton.OwnGame, {"rules": Equal(), "misere": False}),
    "cash": (bouton.cash, {"takings": [1, 2], **BUDGET}),
    "check": (
        bouton.check,
        {"certificate": VERDICT.certificate, "depth": 10, "seconds": 1, "memory": 16},
    ),
    "conjecture": (
        bouton.conjecture,
        {"data": [0, 1] * 20, "box": False, "symmetry": "none", **BUDGET},
    ),
    "game": (bouton.game, {"name": "nim(2)", "misere": False, "rules": (), "theorems": None}),
    "heatmap": (
        bouton.heatmap,
        {
            "game": "nim(2)",
            "position": "x,y",
            "x": range(2),
            "y": range(2),
            "of": "outcome",
            "misere": False,
            "rules": (),
            **BUDGET,
        },
    ),
    "logic": (bouton.logic, {"formula": "A x: x = 1", "zeckendorf": False, **BUDGET}),
    "outcomes": (
        bouton.outcomes,
        {"family": "Gamma(1,4;n)", "misere": False, "n": range(1, 4), **BUDGET},
    ),
    "period": (bouton.period, {"game": "kayles", "to": 100, **BUDGET}),
    "prove": (
        bouton.prove,
        {
            "game": "nim(2)",
            "claim": "a = b",
            "smaller": (),
            "exactly": False,
            "misere": False,
            **BUDGET,
        },
    ),
    "rules": (
        bouton.rules,
        {
            "file": 'name = "halves"\nheaps = 1\nmove = "p0 <= 2*q0"',
            "misere": False,
            "theorems": None,
        },
    ),
    "study": (
        bouton.study,
        {"game": "nim(2)", "misere": False, "values": False, "max": 8, "rules": (), **BUDGET},
    ),
    "study_range": (
        bouton.study_range,
        {
            "game": "S(1,h;1)",
            "parameter": "h",
            "values": range(2, 3),
            "misere": False,
            "max": 8,
            "rules": (),
            **BUDGET,
        },
    ),
    "values": (bouton.values, {"game": "kayles", "to": 5, **BUDGET}),
}


@pytest.mark.parametrize("name", CALLS)
def test_bad_values(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    call, arguments = CALLS[name]
    call(**arguments)
    for argument in arguments:
        for bad in BAD:
            try:
                call(**(arguments | {argument: bad}))
            except (bouton.Error, FileNotFoundError) as error:
                assert len(str(error)) < 900
            except Exception as error:
                raise AssertionError(f"{name}({argument}={bad!r:.60}): {error!r}") from error


def test_truth_values_are_no_numbers():
    for bad in (True, np.True_):
        for call in (
            lambda: GAME.solve([bad, 2]),
            lambda: GAME.solve_all([[bad, 2]]),
            lambda: GAME.solve_all([(1, 2), (bad, 2)]),
            lambda: OWN.solve([bad, 2]),
            lambda: GAME.p_positions(bad),
            lambda: bouton.conjecture([bad, 2, 3] * 9),
            lambda: bouton.heatmap("wythoff", "x,y", x=bad),
        ):
            with pytest.raises(bouton.WrongType):
                call()


def test_masked_values_are_missing():
    masked = np.ma.array([[1, 2], [3, 4]], mask=[[False, False], [True, False]])
    for call in (
        lambda: GAME.solve_all(masked),
        lambda: bouton.conjecture(masked),
        lambda: GAME.solve(masked[1]),
    ):
        with pytest.raises(bouton.Error, match="missing"):
            call()


def test_large_numbers_beside_small_ones():
    found = GAME.solve_all([[1, 2**63], [2**63, 2**63], [2**200, 2**200]])
    assert found.outcome.tolist() == ["N", "P", "P"]


def test_positions_of_frames_go_by_names():
    # Heap b is the greater: not symmetric.
    game = bouton.rules('name = "left"\nheaps = 2\nmove = "q1 = p1"')
    expected = game.solve_all([[1, 0], [0, 1]]).outcome.tolist()
    assert expected == ["N", "P"]
    columns = {"b": [0, 1], "a": [1, 0]}
    for frame in (
        pandas.DataFrame(columns),
        polars.DataFrame(columns),
        polars.DataFrame(columns).to_arrow(),
    ):
        assert game.solve_all(frame).outcome.tolist() == expected
    named = pandas.DataFrame(columns).set_index("a")
    assert game.solve_all(named).outcome.tolist() == expected
    with pytest.raises(bouton.WrongType, match="named index"):
        game.solve_all(named["b"])
    rows = pandas.DataFrame(columns)
    assert [game.solve(rows.iloc[n]).outcome for n in range(2)] == expected
    with pytest.raises(bouton.WrongType, match="index"):
        game.solve(pandas.Series([1, 0], index=[3, 4]))
    with pytest.raises(bouton.Error):
        game.solve_all(pandas.DataFrame({"a": [1, 0], "b": [0, 1], "outcome": ["N", "P"]}))


def test_one_name_for_one_thing():
    """What bounds a call has the same name, kind and default everywhere."""
    defaults = {
        "seconds": {None, 15},
        "memory": {4096},
        # Nothing where the name of the game may say it.
        "misere": {None, False},
        "rules": {()},
        "theorems": {None},
    }
    for name, value in reference.public():
        for call in [value] if inspect.isfunction(value) else reference.methods(value).values():
            for one in inspect.signature(call).parameters.values():
                if one.name in defaults:
                    assert one.default in defaults[one.name], f"{name}: {one}"
                    assert one.kind is one.KEYWORD_ONLY, f"{name}: {one}"
