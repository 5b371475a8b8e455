"""Rules as a program: the text that `--rules game.rhai` takes is a game here, too."""

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


def test_programs_of_the_shelf_have_names():
    # M. Gardner (1974): Cram on 3×3, 3×4 and 4×4.
    cram = bouton.game("Cram")
    assert [cram.solve(board).nim_value for board in ("3x3", "3x4", "4x4")] == [0, 1, 0]
    # The square bar of Chomp is won by the diagonal neighbour of the poisoned square alone.
    assert [move.to for move in bouton.game("chomp").solve("4x4").winning] == [(4, 1, 1, 1)]
    assert bouton.game("node kayles 3x4").solve().nim_value == 0
    assert any(game.get("name") == "chomp" and game["program"] for game in bouton.games())
