"""Wrong types, wrong lengths, NaN, negative, huge: a clear error each, with place and accepted form
where there is one."""

import copy
import math
import pickle

import numpy as np
import pytest

import bouton

GAME = bouton.game("CN(6,3)")


def test_the_place_is_told():
    with pytest.raises(bouton.Error) as error:
        bouton.game("CN(3,5)")
    slip = error.value
    assert (slip.text, slip.at) == ("CN(3,5)", (5, 6))
    assert "k" in slip.accepted
    assert str(slip).splitlines()[1:3] == ["  CN(3,5)", "       ^"]
    again = pickle.loads(pickle.dumps(slip))
    assert (again.message, again.text, again.at, again.accepted) == (
        slip.message,
        slip.text,
        slip.at,
        slip.accepted,
    )
    # Places count characters, not bytes.
    with pytest.raises(bouton.Error) as error:
        bouton.game("Γ(1,x;9)")
    assert error.value.text[error.value.at[0]] == "x"


@pytest.mark.parametrize(
    "name",
    [
        "",
        "bridge",
        "CN(6,3",
        "nim(0)",
        "nim\0",
        "kayles:",
        "dots(99x99)",
        "x" * 10**5,
        "nim:1 + dots(2x2)",
    ],
)
def test_names(name):
    with pytest.raises(bouton.Error) as error:
        bouton.game(name)
    assert error.value.message
    assert error.value.accepted


@pytest.mark.parametrize("name", [None, 3, b"nim", ["nim"], math.nan])
def test_names_of_wrong_types(name):
    with pytest.raises(bouton.WrongType):
        bouton.game(name)
    with pytest.raises(TypeError):
        bouton.period(name)


@pytest.mark.parametrize(
    ("position", "raised"),
    [
        ([1, 2, 3], bouton.Error),
        ([1] * 7, bouton.Error),
        ([], bouton.Error),
        ("1,2,x,4,5,6", bouton.Error),
        ([1, 2, 3, 4, 5, -6], bouton.Error),
        ([1, 2, 3, 4, 5, 6.0], bouton.WrongType),
        ([1, 2, 3, 4, 5, math.nan], bouton.WrongType),
        ([1, 2, 3, 4, 5, None], bouton.WrongType),
        ([1, 2, 3, 4, 5, True], bouton.WrongType),
        ([1, 2, 3, 4, 5, "6"], bouton.WrongType),
        ({1, 2, 3, 4, 5, 6}, bouton.WrongType),
        (b"1,2,3,4,5,6", bouton.WrongType),
        (object(), bouton.WrongType),
        (7, bouton.Error),
        (None, bouton.Error),
    ],
)
def test_positions(position, raised):
    with pytest.raises(raised) as error:
        GAME.solve(position)
    assert "6 heaps" in error.value.accepted


@pytest.mark.parametrize(
    ("rows", "raised"),
    [
        (np.zeros((3, 5), dtype=int), bouton.Error),
        (np.zeros((3, 6)), bouton.WrongType),
        (np.full((3, 6), np.nan), bouton.WrongType),
        (np.array([[1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, -6]]), bouton.Error),
        ([[1, 2, 3, 4, 5, 6], [1, 2, 3]], bouton.Error),
        ([[1, 2, 3, 4, 5, 2**70], [1, 2, 3, 4, 5, -1]], bouton.Error),
        ([[1, 2, 3, 4, 5, 2**70], [1, 2, 3, 4, 5, 0.5]], bouton.WrongType),
        (np.zeros((2, 2, 6), dtype=int), bouton.Error),
        (np.zeros((2, 6), dtype=bool), bouton.WrongType),
        (np.zeros((2, 6), dtype="M8[s]"), bouton.WrongType),
        ("1,2,3,4,5,6", bouton.WrongType),
        (["1,2,3,4,5,6", "1,2"], bouton.Error),
    ],
)
def test_rows(rows, raised):
    with pytest.raises(raised):
        GAME.solve_all(rows)


def test_rows_that_are_none():
    assert len(GAME.solve_all(np.zeros((0, 6), dtype=int))) == 0
    assert len(GAME.solve_all([])) == 0


def test_the_row_is_told():
    with pytest.raises(bouton.Error, match="row 1"):
        GAME.solve_all([[1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, -6]])


@pytest.mark.parametrize("bound", [-1, 1.5, math.nan, "7", None, True, 2**32, 10**30])
def test_bounds(bound):
    for call in (GAME.p_positions, GAME.nim_values, lambda to: bouton.values("kayles", to)):
        with pytest.raises(bouton.Error):
            call(bound)


@pytest.mark.parametrize("seconds", [-1, math.nan, math.inf, "1", True, 10**10])
def test_seconds(seconds):
    with pytest.raises(bouton.Error):
        GAME.solve([1] * 6, seconds=seconds)


@pytest.mark.parametrize(
    "budget", [{"nodes": -1}, {"nodes": 1.5}, {"memory": -1}, {"nodes": 10**30}, {"memory": "1"}]
)
def test_budgets(budget):
    with pytest.raises(bouton.Error):
        GAME.solve([1] * 6, **budget)


def test_a_table_that_is_too_large():
    for call in (
        lambda: GAME.p_positions(100_000),
        lambda: GAME.nim_values(100_000),
        lambda: GAME.nim_values(2**32 - 1),
        lambda: bouton.heatmap("wythoff", "x,y", x=range(10**6), y=range(10**6)),
        lambda: bouton.outcomes("Gamma(1,m;n)", m=range(1, 10**5), n=range(1, 10**5)),
    ):
        with pytest.raises(bouton.Error):
            call()


def test_what_a_game_has_not():
    for call in (
        lambda: bouton.game("nim(3)").p_positions(5, heaps=2),
        lambda: bouton.game("dots(1x1)").p_positions(5, heaps=2),
        lambda: bouton.game("NIM(1,3;n;d,e)").nim_values(5),
        lambda: bouton.game("nim(3)", misere=True).nim_values(5),
        lambda: bouton.values("wythoff", 5),
        lambda: bouton.period("wythoff"),
        lambda: bouton.prove("kayles", "a = 0"),
        lambda: bouton.prove("nim(2)", "a ="),
        lambda: bouton.prove("nim(2)", "a = c"),
        lambda: bouton.prove("nim(2)", "a = b", smaller=["5: a=b"]),
        lambda: bouton.study("moore(99;40)"),
        lambda: bouton.study("dots(2x2)", max=3),
        lambda: bouton.logic("A x: x ="),
        lambda: bouton.cash([]),
        lambda: bouton.cash([0, 1]),
        lambda: bouton.cash([1, 1]),
        lambda: bouton.cash("14"),
        lambda: bouton.heatmap("wythoff", "3,4"),
        lambda: bouton.heatmap("wythoff", "x,y", of="colour"),
        lambda: bouton.heatmap("wythoff", "x,y", x=range(5, 5)),
        lambda: bouton.outcomes("Gamma(1,4;n)", m=range(3)),
        lambda: bouton.outcomes("Gamma(1,4;n)"),
        lambda: bouton.ledger()["colour"],
    ):
        with pytest.raises(bouton.Error) as error:
            call()
        assert error.value.message


@pytest.mark.parametrize(
    "data",
    [
        [],
        [[]],
        5,
        "0,0,P",
        None,
        [[0, 0, math.nan], [0, 1, 1]],
        [[0, 0, 0.5], [0, 1, 1]],
        [[0, 0, "Q"], [0, 1, "N"]],
        [[0, 0, "P"], [0, -1, "N"]],
        [[0, 0, "P"], [0, 0, "N"]],
        [[0, 0, "P"], [1, 1, "P"]],
        [[0, 0, None]],
        [[0, 0, "P"], [0, 1]],
        np.zeros((2, 2, 2)),
        np.zeros(3, dtype=complex),
    ],
)
def test_tables(data):
    with pytest.raises(bouton.Error):
        bouton.conjecture(data)


def test_no_certificates(tmp_path):
    assert bouton.check("bouton certificate 1\nnonsense").verdict == "rejected"
    with pytest.raises(FileNotFoundError):
        bouton.check(tmp_path / "missing.cert")
    (tmp_path / "bytes.cert").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(bouton.Error):
        bouton.check(tmp_path / "bytes.cert")
    for wrong in (None, 5, b"bouton certificate 1"):
        with pytest.raises(bouton.WrongType):
            bouton.check(wrong)


def test_steps_that_raise_a_heap_are_told():
    rules = 'name = "boxes"\nheaps = 2\nmove = "q0 >= 1 & q1 >= 1 & (q0+q1 = p0 | q0+q1 = p1)"'
    with pytest.raises(bouton.Error, match="0,2 → 1,1, which raises a heap"):
        bouton.rules(rules)


def test_games_travel():
    for game in (
        bouton.game("CN(4,2)", misere=True),
        bouton.rules('name = "m"\nheaps = 1\nmove = "p0 <= 2*q0"'),
    ):
        for again in (pickle.loads(pickle.dumps(game)), copy.copy(game)):
            assert (again.name, again.play) == (game.name, game.play)
