//! From a rule file to a theorem.

use bouton::games::{Catalogue, RuleFile};
use bouton::rules::{Budget, Play};
use bouton::study::{Settings, StudyTarget, study};
use std::error::Error;

const RULES: &str = r#"
name = "thirds"
heaps = 1
rules = "Take one token or two."
move = "q0+1 = p0 | q0+2 = p0"
"#;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let catalogue = Catalogue::standard().with_rule_file(RuleFile::parse(RULES)?)?;
    let subject = StudyTarget::parse("thirds", Play::Normal, |text| catalogue.parse(text))?;
    let found =
        study(&subject, Settings::default(), &Budget::default(), &|step| println!("{step}"))?;
    let certificate = found.certificate().ok_or("no theorem")?;
    println!("{certificate}");
    bouton::check::check(certificate)?;
    Ok(())
}
