//! The bench of forged certificates, a thousand of each kind, half as many of pairs: no false claim
//! is accepted, no cell of a table is empty, and the second checker agrees.

use bouton_fuzz::forge::{self, Forgery, Tally, Truth};

/// Has so many certificates of a kind drawn and checked.
fn bench(kind: &str, count: usize) {
    let mut forgers = forge::forgers(&forge::kept());
    let forger = forgers.iter_mut().find(|forger| forger.table().kind == kind).expect("a kind");
    let tally = forge::run(forger.as_mut(), 1, count);
    println!("{tally}");
    if let Some(fault) = tally.faults.first() {
        panic!("{} faults of the checker, the first: {fault}", tally.faults.len());
    }
    assert_eq!(tally.empty(), [], "{kind}: cells without a false claim");
    assert_eq!(tally.drawn, count, "{kind}");
    assert!(2 * tally.forged > count, "{kind}: few claims are false");
    assert!(tally.accepted > 0, "{kind}: nothing is accepted, be it true");
    // Statements on many numbers at once take long, above all where terms have quotients.
    let most = if kind == "pairs" { 3 } else { 10 };
    assert!(most * tally.undecided < count, "{kind}: {} are undecided", tally.undecided);
    // Of p-positions the second checker compares claims with play on small heaps, and accepts none.
    assert_eq!(tally.seconded > 0, kind != "p-positions", "{kind}: the second checker");
}

#[test]
fn automatic() {
    bench("automatic", 1000);
}

#[test]
fn circles() {
    bench("circle", 1000);
}

#[test]
fn laps() {
    bench("laps", 1000);
}

#[test]
fn orbits() {
    bench("orbit", 1000);
}

#[test]
fn pairs() {
    bench("pairs", 528);
}

#[test]
fn p_positions() {
    bench("p-positions", 1000);
}

#[test]
fn parameters() {
    bench("parameters", 1000);
}

#[test]
fn periods() {
    bench("period", 1000);
}

#[test]
fn strategies() {
    bench("strategy", 1000);
}

#[test]
fn win_conditions() {
    bench("win-condition", 1000);
}

/// A checker that accepts a false claim is seen to.
#[test]
fn what_is_accepted_and_false_is_a_fault() {
    let kept = forge::kept();
    let text = kept.iter().find(|text| text.contains("game: S(2,5)\n")).expect("a period").clone();
    let mut forgers = forge::forgers(&kept);
    let forger = forgers.iter_mut().find(|forger| forger.table().kind == "period").expect("a kind");
    let mut tally: Tally = forge::run(forger.as_mut(), 1, 0);
    for truth in [Truth::True, Truth::False("so it is said here".into())] {
        tally.add(&Forgery { text: text.clone(), truth }, 0, 0);
    }
    assert_eq!((tally.accepted, tally.faults.len()), (1, 1), "{tally}");
}

/// What the bench writes in Zeckendorf's digits is what the checker reads: true claims pass, so
/// false ones fail for what they say.
#[test]
fn true_claims_in_zeckendorf_digits_are_accepted() {
    let mut forger = forge::automatic::Automatic::default();
    let lines = forge::Forger::table(&forger).lines;
    let line = lines.iter().position(|line| *line == "zeckendorf, one position").expect("a column");
    let mut lot = bouton_fuzz::lot::Random::new(7);
    let (mut accepted, mut drawn) = (0, 0);
    for feature in [0, 1, 2, 6, 7] {
        for _ in 0..40 {
            let forgery = forge::Forger::draw(&mut forger, feature, line, &mut lot);
            if let Some(Forgery { text, truth: Truth::True }) = forgery {
                drawn += 1;
                accepted += usize::from(bouton_check::check(&text).is_ok());
            }
        }
    }
    assert!(drawn >= 15 && accepted == drawn, "{accepted} of {drawn}");
}
