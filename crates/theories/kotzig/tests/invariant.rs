//! Theorems on circles of every size, compared with the rules and against the independent checker.
#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_core::{Budget, Formula, Meter, Play};
use bouton_kotzig::invariant::{Automaton, ClassTheorem, Label, prove};
use bouton_kotzig::shard::{Shard, solve};
use bouton_kotzig::{Circulant, Position, Techniques, plain};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, OnceLock};

/// Returns the theorem on these steps; it is found once, whichever test asks first.
fn theorem(steps: &[i64], play: Play) -> &'static ClassTheorem {
    type Found = BTreeMap<(Vec<i64>, Play), &'static OnceLock<ClassTheorem>>;
    static FOUND: Mutex<Found> = Mutex::new(BTreeMap::new());
    let place: &'static OnceLock<ClassTheorem> = FOUND
        .lock()
        .unwrap()
        .entry((steps.to_vec(), play))
        .or_insert_with(|| Box::leak(Box::default()));
    place.get_or_init(|| {
        let budget = Budget { nodes: Some(60_000_000), ..Budget::default() };
        prove(steps, play, &budget, &|_| ())
            .unwrap_or_else(|partial| panic!("{steps:?}: {partial}"))
    })
}

/// Returns whether the mover wins, by nothing but the rules: the letters from the cell after the
/// token on, true for marked.
fn wins(word: &[bool], steps: &[i64], play: Play, known: &mut HashMap<Vec<bool>, bool>) -> bool {
    if let Some(wins) = known.get(word) {
        return *wins;
    }
    let options = options(word, steps);
    let wins = match options.is_empty() {
        true => play == Play::Misere,
        false => options.iter().any(|option| !wins(option, steps, play, known)),
    };
    known.insert(word.to_vec(), wins);
    wins
}

/// Returns all options, by turning the circle cell by cell.
fn options(word: &[bool], steps: &[i64]) -> Vec<Vec<bool>> {
    options_with(word, steps, false)
}

/// Returns all options, with the cells to the greatest step marked, if so wished, to which no cell
/// leads any more.
fn options_with(word: &[bool], steps: &[i64], lost: bool) -> Vec<Vec<bool>> {
    let mut circle = vec![true];
    circle.extend_from_slice(word);
    let n = circle.len() as i64;
    let at = |cell: i64| cell.rem_euclid(n) as usize;
    let legal =
        steps.iter().filter(|step| step.abs() < n && !circle[at(**step)]).map(|step| at(*step));
    let after = |step: usize| {
        let mut turned = circle.clone();
        turned[step] = true;
        let (least, greatest) = (steps.iter().min().unwrap().min(&0), steps.iter().max().unwrap());
        for cell in *least..=*greatest {
            let mut before = steps.iter().map(|step| at(cell - step));
            turned[at(cell)] |= lost && before.all(|from| from != step && turned[from]);
        }
        turned.rotate_left(step);
        turned[1..].to_vec()
    };
    legal.map(after).collect()
}

fn words(letters: usize) -> impl Iterator<Item = Vec<bool>> {
    (0..1u32 << letters).map(move |bits| (0..letters).map(|i| bits >> i & 1 == 1).collect())
}

fn label(automaton: &Automaton, word: &[bool]) -> Label {
    automaton
        .label(word.iter().fold(1, |state, marked| automaton.next(state, usize::from(*marked))))
}

const GAMES: [&[i64]; 6] = [&[1, 2], &[1, 3], &[2, 3], &[2], &[-1, 2], &[-1, 3]];

/// The checker accepts; the statement is what the search by the rules finds; and every label on
/// every word of small circles is the truth.
#[test]
fn theorems_are_accepted_and_true() {
    for play in [Play::Normal, Play::Misere] {
        for steps in GAMES {
            let found = theorem(steps, play);
            let accepted = bouton_check::check(&found.certificate().to_text()).unwrap();
            assert_eq!(accepted.claim, found.statement());
            for n in 1..=24 {
                let game = Circulant::from_signed(steps, n).unwrap();
                let mut meter = Meter::new(&Budget::default());
                let outcome = plain::outcome(&game, &Position::start(), play, &mut meter).unwrap();
                assert_eq!(
                    outcome.is_p(),
                    found.p_positions.contains(n as usize),
                    "{game}, {play}"
                );
            }
            let mut labelled = 0;
            for n in 2..=15 {
                let class = &found.classes[n % found.classes.len()];
                if n < class.from {
                    continue;
                }
                let mut known = HashMap::new();
                for word in words(n - 1) {
                    let truth = match label(&class.automaton, &word) {
                        Label::None => continue,
                        Label::A => false,
                        Label::B => true,
                    };
                    assert_eq!(
                        wins(&word, steps, play, &mut known),
                        truth,
                        "{steps:?}, {play}: {word:?}"
                    );
                    labelled += 1;
                }
            }
            assert!(labelled > 0 || found.classes.iter().all(|class| class.from > 15), "{steps:?}");
        }
    }
}

/// The certificates of docs/kotzig.md: accepted, and what they say of circles to 60 is what the
/// search finds.
#[test]
fn kept_certificates_are_accepted_and_true() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../study/literature/data/circles");
    let mut kept = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let accepted = bouton_check::check(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let (play, claim) = match accepted.claim.strip_prefix("in misere play ") {
            Some(claim) => (Play::Misere, claim),
            None => (Play::Normal, &*accepted.claim),
        };
        let claim =
            Formula::parse_over(claim.strip_prefix("P iff ").unwrap(), &["n".into()]).unwrap();
        let steps = accepted.game.strip_prefix("Gamma(").unwrap().strip_suffix(";n)").unwrap();
        let steps: Vec<i64> = steps.split(',').map(|step| step.parse().unwrap()).collect();
        let games: Vec<Circulant> =
            (1..=60).map(|n| Circulant::from_signed(&steps, n).unwrap()).collect();
        let shard = Shard { play, techniques: Techniques::default(), nodes: u64::MAX, games };
        for (n, solved) in (1..).zip(solve(&shard, &Budget::default())) {
            assert_eq!(
                solved.outcome.unwrap().is_p(),
                claim.holds(&[n]).unwrap(),
                "{} {n}",
                accepted.game
            );
        }
        kept += 1;
    }
    assert!(kept >= 23, "{kept}");
}

/// Returns whether labels prove themselves on all words of this many letters, word by word.
fn proves_itself(automaton: &Automaton, letters: usize, steps: &[i64], play: Play) -> bool {
    words(letters).all(|word| {
        let options = options_with(&word, steps, true);
        let labels = |wanted: Label| {
            options.iter().filter(|option| label(automaton, option) == wanted).count()
        };
        match label(automaton, &word) {
            Label::None => true,
            _ if options.is_empty() => {
                (label(automaton, &word) == Label::B) == (play == Play::Misere)
            }
            Label::A => labels(Label::B) == options.len(),
            Label::B => labels(Label::A) > 0,
        }
    })
}

/// Every transition turned to every other state, and every label changed (of large certificates,
/// one change in this many): the checker rejects, or no word shows that it should.
#[test]
fn changed_certificates_are_rejected_or_still_proofs() {
    for (steps, play) in [
        ([1, 2], Play::Normal),
        ([1, 2], Play::Misere),
        ([-1, 1], Play::Normal),
        ([-1, 3], Play::Normal),
        ([-1, 2], Play::Misere),
    ] {
        let found = theorem(&steps, play);
        let text = found.certificate().to_text();
        let (head, body) = text.split_once("\n\n").unwrap();
        let body = body.rsplit_once("sha256").unwrap().0;
        let lines: Vec<&str> = body.lines().collect();
        let (mut rejected, mut accepted, mut change) = (0, 0, 0usize);
        let (mut residue, mut states) = (0, 0);
        for (i, line) in lines.iter().enumerate() {
            if let Some(class) = line.strip_prefix("class ") {
                let words: Vec<&str> = class.split(' ').collect();
                (residue, states) =
                    (words[0].parse::<usize>().unwrap(), words[5].parse::<usize>().unwrap());
                continue;
            }
            let words: Vec<&str> = line.split(' ').collect();
            let [zero, one, ..] = words[..] else { continue };
            if i == 0 {
                continue;
            }
            let was = words.get(2).map_or(String::new(), |label| format!(" {label}"));
            let mut changed: Vec<String> =
                ["", " A", " B"].map(|label| format!("{zero} {one}{label}")).into();
            for to in 0..=states {
                changed.push(format!("{to} {one}{was}"));
                changed.push(format!("{zero} {to}{was}"));
            }
            // Of large certificates one change in this many.
            let few = 1 + found.states() * states / 5_000;
            for other in changed.into_iter().filter(|other| other != line) {
                change += 1;
                if change % few != 0 {
                    continue;
                }
                let mut all: Vec<&str> = lines.clone();
                all[i] = &other;
                let body = all.join("\n") + "\n";
                let certificate = sealed(&format!("{head}\n\n{body}"));
                match bouton_check::check(&certificate) {
                    Err(why) => {
                        assert!(why.reason.is_verdict(), "{why}");
                        rejected += 1;
                    }
                    Ok(_) => {
                        accepted += 1;
                        let automaton = read(&body, residue);
                        let from = found.classes[residue].from;
                        let sizes = (from..=12).filter(|n| n % found.classes.len() == residue);
                        for n in sizes {
                            assert!(
                                proves_itself(&automaton, n - 1, &steps, play),
                                "{other} for {line}, n = {n}"
                            );
                        }
                    }
                }
            }
        }
        assert!(rejected > 2 * accepted, "{rejected} rejected, {accepted} accepted");
    }
}

fn sealed(text: &str) -> String {
    let (head, body) = text.split_once("\n\n").unwrap();
    let field = |i: usize| head.lines().nth(i).unwrap().split_once(": ").unwrap().1.to_owned();
    let kind = bouton_certificate::CertificateKind::parse(&field(1)).unwrap();
    bouton_certificate::Certificate { kind, game: field(2), claim: field(3), body: body.into() }
        .to_text()
}

/// Returns the automaton of a class, read from the body.
fn read(body: &str, residue: usize) -> Automaton {
    let mut lines = body.lines().skip_while(|line| !line.starts_with(&format!("class {residue} ")));
    lines.next();
    let state = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let label = match words.get(2) {
            Some(&"A") => Label::A,
            Some(&"B") => Label::B,
            _ => Label::None,
        };
        ([words[0].parse().unwrap(), words[1].parse().unwrap()], label)
    };
    Automaton::from_states(
        lines.take_while(|line| !line.starts_with("class ")).map(state).collect(),
    )
}

/// A certificate says what it says of every n, and of these rules alone.
#[test]
fn other_claims_are_rejected() {
    let text = theorem(&[1, 3], Play::Normal).certificate().to_text();
    assert!(bouton_check::check(&text).is_ok());
    for (was, is) in [
        ("P iff n mod 6 = 1 | n mod 6 = 3", "P iff n mod 6 = 1"),
        ("P iff n mod 6 = 1 | n mod 6 = 3", "in misere play P iff n mod 6 = 1 | n mod 6 = 3"),
        ("Gamma(1,3;n)", "Gamma(1,5;n)"),
        ("Gamma(1,3;n)", "Gamma(1;n)"),
        ("Gamma(1,3;n)", "Gamma(1,3;12)"),
        ("Gamma(1,3;n)", "Gamma(-1,3;n)"),
        ("Gamma(1,3;n)", "Gamma(-3,1;n)"),
        ("class 1 P", "class 1 N"),
        ("period 12", "period 6"),
    ] {
        let (head, _) = text.rsplit_once("sha256").unwrap();
        let changed = sealed(&head.replacen(was, is, 1));
        assert!(bouton_check::check(&changed).unwrap_err().reason.is_verdict(), "{is}");
    }
}

/// The budget's end is no theorem.
#[test]
fn a_spent_budget_proves_nothing() {
    for nodes in [0, 10, 1_000, 20_000] {
        let budget = Budget { nodes: Some(nodes), ..Budget::default() };
        assert!(prove(&[3, 7], Play::Normal, &budget, &|_| ()).is_err());
    }
    let none: [&[i64]; 6] = [&[], &[0], &[1, 13], &[1, 2, 3, 4, 5], &[-6, 7], &[i64::MIN, 1]];
    for steps in none {
        assert!(prove(steps, Play::Normal, &Budget::default(), &|_| ()).is_err());
    }
}
