//! From a rule file to a theorem.

use bouton::games::{Catalogue, RuleFile};
use bouton::rules::Play;
use bouton::study::{Ending, Tables, follow};
use std::error::Error;

const RULES: &str = r#"
name = "thirds"
heaps = 1
rules = "Take one token or two."
move = "q0+1 = p0 | q0+2 = p0"
"#;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let catalogue = Catalogue::standard().with(RuleFile::parse(RULES)?)?;
    let game = catalogue.parse("thirds")?.game;
    let moves = game.heap_game().ok_or("a rule file has heaps")?;
    let line = follow(&Tables::new(&*game, &moves, Play::Normal, &|_| ()));
    let Ending::Proved(theorem) = &line.ending else { return Err("no theorem".into()) };
    println!("{}", theorem.certificate);
    bouton::check::check(&theorem.certificate)?;
    Ok(())
}
