"""Positions: outcomes, nim-values, moves, tables, against plain recursion."""

import itertools
import math

import numpy as np
import pytest
from brute import circular, kayles, misere, nim, octal, single_values, solver, wythoff

import bouton


@pytest.mark.parametrize(
    ("name", "options", "heaps", "most"),
    [
        ("nim(3)", nim, 3, 4),
        ("wythoff", wythoff, 2, 9),
        ("CN(4,2)", circular(2), 4, 3),
        ("CN(5,3)", circular(3), 5, 2),
    ],
)
def test_boxes(name, options, heaps, most):
    value, lost = solver(options), misere(options)
    game, under_misere = bouton.game(name), bouton.game(name, misere=True)
    box = list(itertools.product(range(most + 1), repeat=heaps))
    values = [value(position) for position in box]

    assert game.nim_values(most).ravel().tolist() == values
    p_positions = [
        position for position, nim_value in zip(box, values, strict=True) if nim_value == 0
    ]
    assert [tuple(row) for row in game.p_positions(most, every=True).tolist()] == p_positions
    assert [tuple(row) for row in under_misere.p_positions(most, every=True).tolist()] == [
        position for position in box if lost(position) == "P"
    ]

    solved = game.solve_all(box)
    assert solved.nim_value.tolist() == values
    assert solved.outcome.tolist() == ["P" if nim_value == 0 else "N" for nim_value in values]
    assert solved.reason is None
    only = game.solve_all(np.array(box), nim_values=False)
    assert only.outcome.tolist() == solved.outcome.tolist()
    assert set(only.nim_value.tolist()) == {-1} or only.nim_value.tolist() == values
    assert under_misere.solve_all(box).outcome.tolist() == [lost(position) for position in box]

    # One by one, with their moves; few rows, so that no box is swept.
    for position in box[:: max(len(box) // 40, 1)]:
        answer = game.solve(position)
        assert (answer.nim_value, answer.position, answer.by) == (
            value(position),
            position,
            "search",
        )
        reached = {move.to: (move.outcome, move.nim_value) for move in answer.moves}
        assert reached == {to: ("N" if value(to) else "P", value(to)) for to in options(position)}
        assert {move.to for move in answer.winning} == {
            to for to in options(position) if value(to) == 0
        }
        assert under_misere.solve(position).outcome == lost(position)
        assert game.solve_all([position]).nim_value.tolist() == [value(position)]


def test_classes_are_the_least_images():
    for name, images in [
        ("nim(3)", lambda p: itertools.permutations(p)),
        ("CN(4,2)", lambda p: ((p + p)[i : i + 4][::d] for i in range(4) for d in (1, -1))),
    ]:
        game = bouton.game(name)
        every = {tuple(row) for row in game.p_positions(5, every=True).tolist()}
        least = sorted(p for p in every if p == min(map(tuple, images(p))))
        assert [tuple(row) for row in game.p_positions(5).tolist()] == least


@pytest.mark.parametrize("code", ["0.77", "0.07", "0.137", "0.4", "0.6", "0.156"])
def test_nim_sequences(code):
    to = 120
    assert bouton.values(code, to).tolist() == single_values(octal(code), to)
    assert bouton.game(code).nim_values(to).tolist() == single_values(octal(code), to)


def test_sums_of_rows():
    value = solver(kayles)
    game = bouton.game("kayles")
    rows = [(a, b, c) for a in range(1, 6) for b in range(a, 6) for c in range(b, 6)]
    assert game.solve_all(rows).nim_value.tolist() == [value(row) for row in rows]
    assert game.solve((3, 4)).nim_value == value((3, 4))
    # A list of texts, and single heaps.
    assert game.solve_all(["3,4", "5"]).nim_value.tolist() == [value((3, 4)), value((5,))]
    assert game.solve_all(range(6)).nim_value.tolist() == [
        value((n,) if n else ()) for n in range(6)
    ]


def test_sums_of_games():
    game = bouton.game("kayles:4 + nim:3 + wythoff:1,2")
    assert game.start == "4 + 3 + 1,2"
    value = solver(kayles)((4,)) ^ 3 ^ solver(wythoff)((1, 2))
    assert game.solve().nim_value == value


def test_heaps_of_a_game_on_one_heap():
    """Mark (Fraenkel 2011): take one, or go to half; two heaps are a sum, by recursion over
    both."""

    def mark(position):
        for i, heap in enumerate(position):
            for left in {heap - 1, heap // 2} if heap else ():
                yield (*position[:i], left, *position[i + 1 :])

    value = solver(mark)
    game = bouton.game("mark")
    for heaps in itertools.product(range(1, 8), repeat=2):
        answer = game.solve(list(heaps))
        assert (answer.game, answer.nim_value) == ("mark + mark", value(heaps))
        assert answer.position == f"{heaps[0]} + {heaps[1]}"
    assert game.solve(5).game == "mark"
    assert game.remoteness([1, 1]) == 2
    with pytest.raises(bouton.Error):
        game.solve("5,x")


def test_heaps_of_any_size():
    a, b = 3**200, 7**150
    nim3 = bouton.game("nim(3)")
    answer = nim3.solve([a, b, a ^ b])
    assert (answer.outcome, answer.position) == ("P", (a, b, a ^ b))
    winning = nim3.solve([a, b, (a ^ b) + 1]).winning
    assert len(winning) == 1
    heaps = winning[0].to
    assert heaps[0] ^ heaps[1] ^ heaps[2] == 0
    assert nim3.solve_all([[a, b, a ^ b], [a, b, a], [1, 2, 3]]).outcome.tolist() == ["P", "N", "P"]

    # Circular Nim CN(6,3), Dufour and Heubach: a + b = d + e and b + c = e + f, for some turn or
    # reflection.
    game = bouton.game("CN(6,3)")
    n = 10**30
    lost = [n, 5, 7, n - 3, 8, 4]
    assert lost[0] + lost[1] == lost[3] + lost[4]
    assert lost[1] + lost[2] == lost[4] + lost[5]
    answer = game.solve(lost)
    assert (answer.outcome, answer.by) == ("P", "theorem")
    assert answer.certificate is not None
    assert answer.moves_in_all is not None
    assert answer.moves_in_all > n
    lost[0] += 1
    won = game.solve(lost)
    assert won.outcome == "N"
    to = won.winning[0].to
    assert all(0 <= left <= was for left, was in zip(to, lost, strict=True))
    assert game.solve(to).outcome == "P"


def test_large_rows_by_theorem():
    game = bouton.game("CN(6,3)")
    rng = np.random.default_rng(5)
    a, b, c, d = (rng.integers(10**6, 10**9, 50) for _ in range(4))
    # d + e = a + b and e + f = b + c.
    e, keep = a + b - d, (a + b - d) >= 0
    f = b + c - e
    keep &= f >= 0
    rows = np.stack([a, b, c, d, e, f], axis=1)[keep]
    assert len(rows) > 3
    assert set(game.solve_all(rows, nim_values=False).outcome) == {"P"}


def test_wythoff_by_theorem():
    # (⌊kφ⌋, ⌊kφ⌋ + k), for k too large for any table.
    ks = [10**6 + 7 * i for i in range(20)]
    lower = [(k + math.isqrt(5 * k * k)) // 2 for k in ks]
    lost = [(a, a + k) for a, k in zip(lower, ks, strict=True)]
    game = bouton.game("wythoff")
    assert set(game.solve_all(lost, nim_values=False).outcome) == {"P"}
    assert set(game.solve_all([(a, b + 1) for a, b in lost], nim_values=False).outcome) == {"N"}
    k = 10**40
    a = (k + math.isqrt(5 * k * k)) // 2
    assert game.solve([a + k, a]).outcome == "P"


class Index:
    """A whole number of another library's, as Sage's are."""

    def __init__(self, n):
        self.n = n

    def __index__(self):
        return self.n


def test_numbers_of_other_libraries():
    game = bouton.game("nim(3)")
    assert game.solve([Index(1), Index(2), Index(3)]).outcome == "P"
    assert game.solve_all([[Index(1), Index(2), Index(3)]]).outcome.tolist() == ["P"]
    assert len(game.p_positions(Index(3))) == len(game.p_positions(3))
    assert game.solve([1, 2, 3], seconds=np.float64(5)).outcome == "P"


def test_arrays_are_not_copied():
    game = bouton.game("nim(3)")
    for array in (
        game.p_positions(7),
        game.nim_values(7),
        bouton.values("kayles", 100),
        game.solve_all([[1, 2, 3]]).outcome,
    ):
        assert array.flags.owndata is False
        assert array.flags.writeable
        # The memory is the engines' own block, which lives as long as the array.
        base = array
        while isinstance(base, np.ndarray):
            base = base.base
        base = base.obj if isinstance(base, memoryview) else base
        assert type(base).__name__ == "Numbers"
    values = bouton.values("kayles", 1000)
    kept = values[500:]
    expected = kept.tolist()
    del values
    assert kept.tolist() == expected


def test_points():
    game = bouton.game("dots(1x1)")
    # The last line of a single box wins it; with three lines drawn the mover takes it.
    answer = game.solve()
    assert answer.outcome is None
    assert answer.margin == -1  # Four lines: the second player draws the last one.
    assert all(move.margin == -1 for move in answer.moves)
    assert len(answer.best_play) == 4


def test_a_budget_ends_in_unknown():
    answer = bouton.game("Gamma(4,9;60)").solve(nodes=10)
    assert (answer.outcome, answer.nim_value) == (None, None)
    assert "10 nodes" in answer.reason
    many = bouton.game("dawson-kayles").solve_all([[5], [6]], nodes=0)
    assert many.outcome.tolist() == ["?", "?"]
    assert many.nim_value.tolist() == [-1, -1]
    assert many.reason is not None
    with pytest.raises(bouton.LimitReached):
        bouton.game("nim(4)").nim_values(1000, memory=1)


def test_large_heaps_by_period():
    # Kayles has period 12 from 71 on (Guy and Smith, 1956).
    values = bouton.values("kayles", 200)
    n = 10**18 + 7
    answer = bouton.game("kayles").solve([n])
    assert answer.nim_value == values[72 + (n - 72) % 12]
    assert answer.by == "period"


def test_number_of_a_name():
    """A number that is no position belongs to the name of the shelf that ends in it."""
    assert bouton.game("end nim 3").name == "end-nim-3"


def test_remoteness():
    """Whoever takes 1 or 2 of 10 wins in 7 moves (GamesmanPy, ten-to-zero); points have no
    remoteness."""
    assert bouton.game("S(1,2)").remoteness(10) == 7
    assert bouton.game("S(1,2)").remoteness(0) == 0
    with pytest.raises(bouton.Error):
        bouton.game("dots(1x1)").remoteness()


@pytest.mark.parametrize(
    ("name", "position"),
    [("treblecross", "7"), ("treblecross + nim", "7 + 3"), ("nim + northcott", "3 + 1,3")],
)
def test_misere_play_of_another_game_is_refused(name, position):
    game = bouton.game(name, misere=True)
    with pytest.raises(bouton.Error, match="misère play of (treblecross|northcott)"):
        game.solve(position)


def test_p_positions_on_as_many_heaps_as_the_game_begins_with():
    # As `bouton positions` lists them: Nim begins with three heaps.
    lost = [
        [a, b, c]
        for a, b, c in itertools.combinations_with_replacement(range(4), 3)
        if a ^ b ^ c == 0
    ]
    assert bouton.game("nim").p_positions(3).tolist() == lost
    # The places of heads are different.
    assert bouton.game("turning-turtles").p_positions(3, heaps=3).tolist() == [[1, 2, 3]]
