//! A position of a game by name: who wins, and how.

use bouton::games::Catalogue;
use bouton::rules::{NotationError, Outcome};
use bouton::solve::Settings;

pub(crate) fn main() -> Result<(), NotationError> {
    let named = Catalogue::standard().parse("kayles:7 + nim:4 + wythoff:3,5")?;
    let position = named.position.expect("the text names one");
    let found = named.game.session(Settings::default()).analyse(&position)?;
    println!("{position}: {:?}", found.evaluation.outcome);
    for m in found.moves.iter().filter(|m| m.evaluation.outcome == Some(Outcome::P)) {
        println!("  {} wins, to {}", m.text, m.to);
    }
    // A pile of 7 is *2, and *2 + *4 + *0 is won by making the heap of 4 one of 2.
    assert_eq!(found.evaluation.outcome, Some(Outcome::N));
    Ok(())
}
