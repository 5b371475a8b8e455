//! One game on heaps from its name to a theorem: `line GAME POSITION` solves the position, plays it
//! to the end, studies the game, and has the certificate checked. `cargo xtask recipe` runs it on a
//! game that CONTRIBUTING.md adds.

use bouton::games::Catalogue;
use bouton::rules::{Budget, Outcome, Play};
use bouton::solve::Settings;
use bouton::study::{Settings as StudySettings, StudyTarget, study};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, position] = &arguments[..] else { return Err("usage: line GAME POSITION".into()) };
    let catalogue = Catalogue::standard();
    let game = catalogue.parse(name)?.game;
    println!("{}: {}", game.name(), game.describe());

    // Both players move as well as they can, until nobody can move.
    let mut session = game.session(Settings::default());
    let mut found = session.analyse(position)?;
    let first = found.evaluation.outcome;
    let mut moves = 0;
    println!("{} is {}", found.position, first.map_or("unknown".into(), |outcome|
        outcome.to_string()));
    while let Some(best) =
        found.moves.iter().find(|m| m.evaluation.outcome ==
            Some(Outcome::P)).or(found.moves.first())
    {
        println!("  {}: {}", best.to, best.text);
        moves += 1;
        let next = best.to.clone();
        found = session.analyse(&next)?;
    }
    if (moves % 2 == 1) != (first == Some(Outcome::N)) {
        return Err("the player who should win did not".into());
    }

    let subject = StudyTarget::parse(name, Play::Normal, |text| catalogue.parse(text))?;
    let found = study(&subject, StudySettings::default(), &Budget::default(), &|_| ())?;
    let certificate = found.certificate().ok_or("no form of the P-positions was proved")?;
    let accepted = bouton::check::check(certificate)?;
    println!("{}: {}\n{}", accepted.game, accepted.claim, accepted.theorem);
    Ok(())
}
