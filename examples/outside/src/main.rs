//! A crate of its own that depends on Bouton: which player wins, and the theorem behind it.

use bouton::games::Catalogue;
use bouton::rules::{Budget, Outcome};
use bouton::solve::{Settings, heaps};
use bouton::study::{Form, Proved, Verdict, settle_form};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let game = Catalogue::standard().parse("CN(4,2)")?.game;
    let found = game.session(Settings::default()).analyse(&heaps(&[3, 1, 3, 2]))?;
    println!("{} from {}: {:?}", game.name(), found.position, found.evaluation.outcome);
    for m in found.moves.iter().filter(|m| m.evaluation.outcome == Some(Outcome::P)) {
        println!("  to win: {}", m.text);
    }

    let form = Form { whole: "a = c & b = d".into(), ..Form::default() };
    match settle_form(&*game, &form, &Budget::default())? {
        Verdict::Proved(Proved::Theorem(theorem)) => {
            println!("P iff {}: proved", form.whole);
            println!("{}", bouton::check::check(&theorem.certificate)?.work);
            Ok(())
        }
        other => Err(format!("{}: {}", other.kind().as_str(), other.found()).into()),
    }
}
