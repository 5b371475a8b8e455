"""Rules as a program: the text that `--rules game.rhai` takes is a game here, too."""

import json
import random

import pytest

import bouton

PROGRAM = """
const NAME = "divide";
fn start() { 12 }
fn start(n) { n }
fn options(n) {
    let all = [];
    for d in 1..n / 2 + 1 { if n % d == 0 { all.push(n - d); } }
    all
}
"""


def test_a_program_is_a_game():
    game = bouton.rules(PROGRAM)
    assert (game.name, game.kind) == ("divide", "impartial")
    # Project Euler 509: the exponent of 2.
    for n in range(1, 40):
        value = (n & -n).bit_length() - 1
        found = game.solve(n)
        assert (found.nim_value, found.outcome) == (value, "N" if value else "P")
    assert bouton.game("divide:12 + nim:2", rules=(PROGRAM,)).solve().nim_value == 0


def test_positions_of_programs_are_lists():
    # Stalks of one and of two edges; a path of three nodes from its end; one empty board.
    green = bouton.game("green-hackenbush")
    assert green.solve([[0, 1], [0, 2], [2, 3]]).nim_value == 1 ^ 2
    assert bouton.game("geography").solve((1, [(1, 2), [2, 3]])).outcome == "P"
    assert bouton.game("notakto").solve(["........."]).outcome == "N"
    # A graph without nodes or edges has no move; nor have no heaps.
    for name in ("node-kayles", "green-hackenbush", "arc-kayles", "nim"):
        assert bouton.game(name).solve([]).outcome == "P"
    for position in ([[1, 2], [3, 4]], ["3", "4"]):
        with pytest.raises(bouton.WrongType, match="no whole number of tokens in nim"):
            bouton.game("nim").solve(position)
    with pytest.raises(bouton.Error):
        green.solve([[0, -1]])


def test_a_row_of_digits_stays_as_it_is():
    # From 10 a digit is made smaller, which leaves 00, or 0 and what is to its right is struck out.
    game = bouton.game("digital-deletions")
    found = game.solve("10")
    assert {move.to for move in found.moves} == {"00", (1,)}
    for move in found.moves:
        assert game.solve(move.to).outcome == move.outcome


def test_rows_of_numbers_are_positions_of_programs():
    # Project Euler 509; Euclid's game is lost exactly if the ratio is below that of the golden mean.
    found = bouton.rules(PROGRAM).solve_all(range(1, 17))
    assert found.nim_value.tolist() == [(n & -n).bit_length() - 1 for n in range(1, 17)]
    euclid = bouton.game("euclid").solve_all([[8, 13], [8, 5], [2, 1]])
    assert euclid.outcome.tolist() == ["N", "P", "N"]
    with pytest.raises(bouton.Error, match="row 1"):
        bouton.game("silver-dollar").solve_all([[1, 2], [2, 2]])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('const NAME = "x";\nfn options(n) { [1 - n] }', "cycle of moves"),
        ('const NAME = "x";\nfn options(n) { loop { } }', "does not end"),
        ('const NAME = "x";\nfn options(n) { 5 }', "not a list of positions"),
    ],
)
def test_a_program_that_fails_is_told(text, said):
    with pytest.raises(bouton.Error, match=said):
        bouton.rules(text).solve(1)


def test_a_text_that_is_no_program_is_told():
    with pytest.raises(bouton.Error, match="cannot be read"):
        bouton.rules('const NAME = "x";\nfn options(n) { let = 5; }')
    with pytest.raises(bouton.Error, match="no name"):
        bouton.rules("fn options(n) { [] }")


def known(options, misere):
    """Returns the outcome of each node that is won or lost, found backwards."""
    found: dict[str, str] = {}
    while True:
        new = {
            node: "N" if any(found.get(to) == "P" for to in to_all) or not to_all and misere else "P"
            for node, to_all in options.items()
            if node not in found
            and (
                any(found.get(to) == "P" for to in to_all)
                or all(found.get(to) == "N" for to in to_all)
            )
        }
        if not new:
            return found
        found |= new


@pytest.mark.parametrize("seed", range(8))
def test_finite_graphs_are_games(seed):
    chance = random.Random(seed)
    nodes = "abcdef"
    options = {
        node: [to for to in nodes if to != node and chance.random() < 0.3] for node in nodes
    }
    arcs = [[node, to] for node, to_all in options.items() for to in to_all]
    lines = [" ".join(arc) for arc in arcs] + [node for node in nodes if not options[node]]
    for text in ("\n".join(lines), json.dumps(options)):
        for misere in (False, True):
            game = bouton.rules(text, misere=misere)
            right = known(options, misere)
            for node in nodes:
                assert game.solve(node).outcome == right.get(node, "D"), (text, misere, node)


def test_a_name_says_misere_play():
    for name in ("nim-3-misere", "Misère Nim"):
        game = bouton.game(name)
        assert (game.play, game.solve([1, 1, 1]).outcome) == ("misere", "P")
    assert bouton.game("nim").play == "normal"


def test_words_say_misere_play():
    # C. L. Bouton (1902): 1,1,1 is lost in misère play, and 1,1 is won.
    for name in ("misere nim", "nim, last loses", "nim in misère play"):
        game = bouton.game(name)
        assert (game.play, game.name) == ("misere", "nim")
        assert [game.solve(heaps).outcome for heaps in ([1, 1, 1], [1, 1])] == ["P", "N"]
    assert bouton.study("misere nim(2)", seconds=10).data["play"] == "misere"
    for name, misere in (
        ("nim, last wins", True),
        ("wythoff-misere, last wins", False),
        ("nim, last loses", False),
        ("nim-3-misere", False),
    ):
        with pytest.raises(bouton.Error, match="normal"):
            bouton.game(name, misere=misere)
    with pytest.raises(bouton.Error, match="normal"):
        bouton.study("misere nim(2)", misere=False)


def test_misere_play_of_another_game_is_refused():
    # Who makes three in a row loses then, which no code says.
    game = bouton.game("treblecross", misere=True)
    for ask in (
        lambda: game.solve(5),
        lambda: game.remoteness(5),
        lambda: game.strategy(5),
        lambda: bouton.game("treblecross").genus(5),
        lambda: bouton.game("treblecross").quotient(9),
    ):
        with pytest.raises(bouton.Error, match="misère play of treblecross"):
            ask()
    assert bouton.game("wythoff-misere[2,2]").solve().outcome == "P"


def test_a_position_in_a_name_is_not_dropped():
    for ask in (
        lambda: bouton.values("mark 3", 6),
        lambda: bouton.period("kayles 5"),
        lambda: bouton.game("kayles 5").quotient(12),
        lambda: bouton.game("kayles 5").nim_values(6),
        lambda: bouton.game("wythoff 3,4").p_positions(3),
        lambda: bouton.prove("wythoff 3,4", "a = b"),
        lambda: bouton.heatmap("wythoff 3,4", "x,y", x=range(3), y=range(3)),
    ):
        with pytest.raises(bouton.Error, match="names the position"):
            ask()
    with pytest.raises(bouton.Error, match="kayles"):
        bouton.game("kayles 3").solve([5])
    assert bouton.game("kayles 3").solve().nim_value == 3
    # A number before a list may be a heap, or say which game it is.
    for name, position in [("nim", "2 5,6"), ("moore", "2 1,2,3"), ("welter", "3 1,4,8")]:
        with pytest.raises(bouton.Error, match="may be"):
            bouton.game(name).solve(position)
        with pytest.raises(bouton.Error, match="row 1: .*may be"):
            bouton.game(name).solve_all(["1,2,3", position])


def test_squares_from_one_are_read_everywhere():
    # Georgia and Bob, POJ 1704: three chessmen on squares 2, 4 and 7 are those on 1, 3 and 6 that
    # have a free square more before them; by the rules, play lasts 7 moves.
    game = bouton.game("georgia and bob")

    def options(squares):
        for i, square in enumerate(squares):
            for to in range(squares[i - 1] + 1 if i else 1, square):
                yield (*squares[:i], to, *squares[i + 1 :])

    def lasting(squares):
        below = [lasting(option) for option in options(squares)]
        lost = [moves for moves in below if moves % 2 == 0]
        return 1 + min(lost) if lost else 1 + max(below, default=-1)

    for squares in ((2, 4, 7), (1, 3), (3,), (2, 5, 6)):
        moves = lasting(squares)
        assert game.remoteness(list(squares)) == moves
        assert game.solve(list(squares)).outcome == ("P" if moves % 2 == 0 else "N")
        assert game.genus(list(squares))["nim_value"] == game.solve(list(squares)).nim_value
    assert bouton.game("kayles").remoteness("|||.||") == bouton.game("kayles").remoteness([3, 2])


def test_programs_of_the_shelf_have_names():
    # M. Gardner (1974): Cram on 3×3, 3×4 and 4×4.
    cram = bouton.game("Cram")
    assert [cram.solve(board).nim_value for board in ("3x3", "3x4", "4x4")] == [0, 1, 0]
    # The square bar of Chomp is won by the diagonal neighbour of the poisoned square alone.
    assert [move.to for move in bouton.game("chomp").solve("4x4").winning] == [(4, 1, 1, 1)]
    assert bouton.game("node kayles 3x4").solve().nim_value == 0
    assert any(game.get("name") == "chomp" and game["program"] for game in bouton.games())
