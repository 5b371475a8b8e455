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
