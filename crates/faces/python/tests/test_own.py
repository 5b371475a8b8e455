"""Games of one's own, as classes and as rule files."""

import itertools

import numpy as np
import pytest
from brute import misere, nim, solver

import bouton


class Halves:
    """Take at most half of the heap."""

    heaps = 1

    def options(self, position):
        (n,) = position
        return [(left,) for left in range((n + 1) // 2, n)]


class Graph:
    """Moves on a graph that is given."""

    def __init__(self, edges):
        self.edges = edges

    def options(self, position):
        return self.edges[position]


class Nim:
    heaps = 3

    def options(self, position):
        return nim(position)

    def canonical(self, position):
        return tuple(sorted(position))


RULES = (
    'name = "halves"\nheaps = 1\nrules = "Take at most half of the heap."\nmove = "p0 <= 2*q0"\n'
)


def test_a_class_is_a_game():
    game = bouton.game(Halves())
    value = solver(lambda p: iter(Halves().options(p)))
    assert game.nim_values(40).tolist() == [value((n,)) for n in range(41)]
    # Schuh: P are the numbers 2^k − 1.
    assert game.p_positions(130).ravel().tolist() == [2**k - 1 for k in range(8)]
    answer = game.solve([6])
    assert (answer.outcome, answer.nim_value) == ("N", value((6,)))
    assert [move.to for move in answer.winning] == [(3,)]
    lost = misere(lambda p: iter(Halves().options(p)))
    under_misere = bouton.game(Halves(), misere=True)
    assert under_misere.solve_all([(n,) for n in range(40)]).outcome.tolist() == [
        lost((n,)) for n in range(40)
    ]


def test_positions_may_be_anything():
    game = bouton.game(Graph({"a": ["b", "c"], "b": ["c"], "c": [], frozenset(): ["a"]}))
    found = game.solve_all(["a", "b", "c", frozenset()])
    assert found.nim_value.tolist() == [2, 1, 0, 0]
    assert found.outcome.tolist() == ["N", "N", "P", "P"]


def test_symmetry():
    game = bouton.game(Nim())
    values = game.nim_values(5)
    for a, b, c in itertools.product(range(6), repeat=3):
        assert values[a, b, c] == a ^ b ^ c
    assert len(game._graph) == 56  # Multisets of three heaps of at most five.
    found = game.conjecture(7)
    assert found.stands
    assert bouton.prove("nim(3)", found.claim).proved


def test_what_canonical_makes_is_a_position():
    class Longer:
        heaps = 1

        def options(self, position):
            return [(size,) for size in range(position[0])]

        def canonical(self, position):
            return position if position[0] != 1 else (1, 0)

    game = bouton.game(Longer())
    for start in (1, 3):
        with pytest.raises(bouton.WrongType, match="canonical"):
            game.solve(start)


def test_a_wrong_canonical_is_refused():
    class RowEnds:
        """Nim on a row of heaps of which only the ends are played: their order counts."""

        def options(self, position):
            for end in {0, len(position) - 1} if position else ():
                for size in range(position[end]):
                    left = [*position[:end], size, *position[end + 1 :]]
                    yield tuple(heap for heap in left if heap)

    class Sorted(RowEnds):
        def canonical(self, position):
            return tuple(sorted(position))

    class OneWay(RowEnds):
        def canonical(self, position):
            return min(position, position[::-1])

    value = solver(lambda p: iter(RowEnds().options(p)))
    assert value((1, 2, 1)) != value((1, 1, 2))
    with pytest.raises(bouton.Error, match=r"canonical\(.*but the options give"):
        bouton.game(Sorted()).solve([1, 2, 3])
    assert bouton.game(OneWay()).solve([1, 2, 3]).nim_value == value((1, 2, 3))


def test_what_an_object_says_is_not_passed_over():
    class Misere(Halves):
        misere = True

    class Partizan(Halves):
        def left(self, position):
            return []

    for game, name in [(Misere(), "misere"), (Partizan(), "left")]:
        with pytest.raises(bouton.WrongType, match=name):
            bouton.game(game)


def test_positions_that_are_shown_are_numbers_of_python():
    class Halves:
        heaps = 1

        def options(self, position):
            return [tuple(np.array(position) // 2)] if position[0] else []

    found = bouton.game(Halves()).solve(np.int64(4))
    assert [type(size) for size in (*found.position, *found.moves[0].to)] == [int, int]


def test_play_that_need_not_end_is_refused():
    game = bouton.game(Graph({1: [2, 3], 2: [], 3: [4], 4: [1]}))
    with pytest.raises(bouton.Error, match="play need not end: 1"):
        game.solve(1)
    # What was looked at stays right.
    assert game.solve(2).outcome == "P"
    with pytest.raises(bouton.Error, match="play need not end"):
        game.solve(3)
    with pytest.raises(bouton.Error, match="need not end"):
        bouton.game(Graph({1: [1]})).solve(1)


def test_errors_of_the_class_come_through():
    class Broken:
        def options(self, position):
            if position == 0:
                raise ZeroDivisionError("no floor")
            return [position - 1]

    game = bouton.game(Broken())
    with pytest.raises(ZeroDivisionError, match="no floor"):
        game.solve(3)
    with pytest.raises(ZeroDivisionError, match="no floor"):
        game.solve(3)

    for bad, raised in [
        ({0: 5}, bouton.WrongType),
        ({0: None}, bouton.WrongType),
        ({0: "12"}, bouton.WrongType),
        ({0: [[1]]}, TypeError),
        ({}, KeyError),
    ]:
        with pytest.raises(raised):
            bouton.game(Graph(bad)).solve(0)

    class Negative:
        heaps = 1

        def options(self, position):
            return [(position[0] - 1,)]

    with pytest.raises(bouton.WrongType, match="whole numbers from 0"):
        bouton.game(Negative()).solve([2])


def test_budgets():
    class Line:
        def options(self, position):
            return [position + 1] if position < 10**9 else []

    with pytest.raises(bouton.LimitReached, match="nodes|s"):
        bouton.game(Line()).solve(0, seconds=0.2)


def test_depth_costs_no_stack():
    class Line:
        def options(self, position):
            return [position - 1] if position else []

    assert bouton.game(Line()).solve(200_001).outcome == "N"


def test_rule_files():
    stated = bouton.rules(RULES)
    own = bouton.game(Halves())
    assert own.compare(stated, 40) is None
    assert stated.nim_values(40).tolist() == own.nim_values(40).tolist()
    other = bouton.rules(RULES.replace("2*q0", "2*q0 + 1").replace("halves", "more"))
    first = next(n for n in range(40) if 2 * 0 + 1 >= n > 0)
    assert own.compare(other, 40) == (first,)
    both = bouton.game("halves:6 + nim:3", rules=(RULES,))
    assert both.solve().nim_value == int(own.nim_values(6)[6]) ^ 3


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("no toml at all [", None),
        ("heaps = 1\n", None),
        (RULES.replace("p0 <= 2*q0", "p0 <= 2*"), (8, 8)),
        (RULES.replace("heaps = 1", "heaps = 99"), None),
        (RULES.replace("halves", "nim"), None),
    ],
)
def test_slips_in_rule_files(text, at):
    with pytest.raises(bouton.Error) as error:
        bouton.rules(text)
    assert error.value.message
    if at is not None:
        assert error.value.at == at
        assert error.value.text == "p0 <= 2*"


def test_what_is_no_game():
    with pytest.raises(bouton.WrongType, match="is a class"):
        bouton.game(Halves)
    with pytest.raises(bouton.WrongType):
        bouton.game(7)
    with pytest.raises(bouton.Error, match="no number of heaps"):
        bouton.game(Graph({})).p_positions(3)
    with pytest.raises(bouton.Error, match="a position of 2 numbers"):
        bouton.game(Halves()).solve([1, 2])
