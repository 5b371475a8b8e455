//! A form that has too little evidence is no conjecture; proved it is a theorem all the same.
#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_conjecture::Fit;
use bouton_core::{Budget, Claim, Play};
use bouton_games::RuleFile;
use bouton_study::{Ending, Line, Tables, follow};

fn line(text: &str) -> Line {
    let game = RuleFile::parse(text).unwrap().game();
    let stated = game.heap_game().unwrap();
    follow(&Tables::new(&*game, &stated, Play::Normal, &Budget::default(), &|_| {}))
}

/// Leave a quarter, or a number that is 3 modulo 5: six P-positions, and a second heap that nobody
/// may touch. The small table's form says more than the table, whose second heap is no evidence;
/// larger ones find longer forms or none.
#[test]
fn a_weak_form_is_proved_or_not_told() {
    let found = line(
        "name = \"x\"\nheaps = 2\nmove = \"q0 = p0 div 4 & q1 = p1 | q0+1 <= p0 & q0 mod 5 = 3 & \
         q1 = p1\"\n",
    );
    let board = &found.boards[0];
    assert!(matches!(found.ending, Ending::Proved(_)), "{:?}", found.ending);
    assert_eq!(board.rounds.last().unwrap().fit, Fit::TooLittle);
    let claim = Claim::parse(board.claim.as_ref().unwrap(), 2).unwrap();
    let mut lost: Vec<bool> = Vec::new();
    for a in 0..300u64 {
        let options = (0..a).filter(|q| *q == a / 4 || q % 5 == 3);
        let is_lost = options.into_iter().all(|q| !lost[q as usize]);
        lost.push(is_lost);
        for b in [0, 7] {
            assert_eq!(claim.holds(&[a, b]).unwrap(), is_lost, "{a},{b}");
        }
    }
}

/// Take one, or leave a fifth: between powers of five the tables look regular. Whatever is printed
/// must hold six times as far, or nothing is.
#[test]
fn what_changes_at_powers_of_five_is_not_told() {
    let found = line("name = \"x\"\nheaps = 1\nmove = \"q0+1 = p0 | q0 = p0 div 5\"\n");
    let board = &found.boards[0];
    assert!(
        board.rounds.iter().all(|round| round.fit != Fit::Whole || round.automaton.is_some()),
        "{found:?}"
    );
}
