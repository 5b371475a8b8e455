//! The nim-sequence of Kayles, its period, and the proof of it.

use bouton::games::Catalogue;
use bouton::rules::{Budget, Meter};
use bouton::solve::find_period;
use bouton::study::sequence_of;
use std::error::Error;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mut kayles = sequence_of(&*Catalogue::standard().parse("kayles")?.game)?;
    let found = find_period(&mut kayles, 10_000, &mut Meter::new(&Budget::default()))?
        .ok_or("no period")?;
    println!("period {} from {} on", found.period, found.preperiod);
    println!("{:?}", kayles.values().take(20).collect::<Vec<_>>());
    // R. K. Guy, C. A. B. Smith, The G-values of various games, 1956.
    assert_eq!((found.period, found.preperiod), (12, 71));
    let certificate = found.certificate(&kayles).ok_or("not proved")?.to_text();
    println!("{}", bouton::check::check(&certificate)?.work);
    Ok(())
}
