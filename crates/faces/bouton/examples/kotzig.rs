//! Kotzig's Nim Γ(1,4;n) and NIM with Cash, circle by circle and purse by purse.

use bouton::games::Catalogue;
use bouton::rules::{NotationError, Outcome};
use bouton::solve::Settings;

fn outcome(game: &str) -> Result<Option<Outcome>, NotationError> {
    let game = Catalogue::standard().parse(game)?.game;
    let start = game.start().expect("the name gives the start");
    Ok(game.session(Settings::default()).evaluate(&start)?.ok().and_then(|known| known.outcome))
}

pub(crate) fn main() -> Result<(), NotationError> {
    let letter =
        |outcome: Option<Outcome>| outcome.map_or("?".into(), |outcome| outcome.to_string());
    let row: Result<String, _> =
        (1..=24).map(|n| outcome(&format!("Gamma(1,4;{n})")).map(letter)).collect();
    println!("Gamma(1,4;n), n = 1 to 24: {}", row?);
    // X. L. Tan, M. Ward, On Kotzig's Nim, Integers 2014, Figure 1: Γ(1,2;7) is won by the second
    // player.
    assert_eq!(outcome("Gamma(1,2;7)")?, Some(Outcome::P));
    // No dollar for a move: whoever is to play has lost.
    assert_eq!(outcome("NIM(1,4;9;0,9)")?, Some(Outcome::P));
    Ok(())
}
