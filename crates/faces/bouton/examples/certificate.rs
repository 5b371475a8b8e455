//! A claim proved, its certificate checked; a wrong claim refuted, a forged certificate rejected.

use bouton::games::Catalogue;
use bouton::rules::Budget;
use bouton::study::{Form, Proved, Verdict, settle_form};
use std::error::Error;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let game = Catalogue::standard().parse("CN(4,2)")?.game;
    let form = Form { whole: "a = c & b = d".into(), ..Form::default() };
    let Verdict::Proved(Proved::Theorem(theorem)) = settle_form(&*game, &form, &Budget::default())?
    else {
        return Err("opposite heaps are equal: that is a theorem".into());
    };
    let accepted = bouton::check::check(&theorem.certificate)?;
    println!("{}: {}; {}", accepted.game, accepted.claim, accepted.work);
    assert!(bouton::check::check(&theorem.certificate.replace("CN(4,2)", "CN(4,3)")).is_err());

    let wrong = Form { whole: "a = c".into(), ..Form::default() };
    let Verdict::Refuted(found) = settle_form(&*game, &wrong, &Budget::default())? else {
        return Err("one pair is not enough".into());
    };
    println!("{:?}", found.counterexample);
    Ok(())
}
