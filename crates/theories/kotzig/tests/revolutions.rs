//! Circles of every size, revolution by revolution, compared with searches and against the
//! independent checker.
#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_certificate::Certificate;
use bouton_core::{Budget, LimitReached, Meter, Play};
use bouton_kotzig::invariant;
use bouton_kotzig::revolutions::{RevolutionTheorem, decide, fits};
use bouton_kotzig::shard::{Shard, solve};
use bouton_kotzig::{Circulant, Position, Techniques, plain};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, OnceLock};

/// Returns the theorem on these steps; it is found once, whichever test asks first.
fn theorem(steps: &[i64], play: Play) -> &'static RevolutionTheorem {
    type Found = BTreeMap<(Vec<i64>, Play), &'static OnceLock<RevolutionTheorem>>;
    static FOUND: Mutex<Found> = Mutex::new(BTreeMap::new());
    let place: &'static OnceLock<RevolutionTheorem> = FOUND
        .lock()
        .unwrap()
        .entry((steps.to_vec(), play))
        .or_insert_with(|| Box::leak(Box::default()));
    place.get_or_init(|| {
        decide(steps, play, &Budget::default(), &|_| ())
            .unwrap_or_else(|why| panic!("{steps:?}, {play}: {why}"))
    })
}

/// Returns all sets of at most two steps to 4, and 1, 2, 3; other triples take a minute, or are too
/// many.
fn sets() -> impl Iterator<Item = Vec<i64>> {
    let all = (1u32..16)
        .map(|set| (1..=4).filter(|step| set >> (step - 1) & 1 == 1).collect::<Vec<i64>>());
    all.filter(|steps| steps.len() < 3 || *steps == [1, 2, 3])
}

/// By nothing but the rules.
#[test]
fn small_circles_are_as_the_rules_say() {
    for play in [Play::Normal, Play::Misere] {
        for steps in sets() {
            assert!(fits(&steps));
            let found = theorem(&steps, play);
            for n in 1..=24 {
                let game = Circulant::from_signed(&steps, n).unwrap();
                let mut meter = Meter::new(&Budget::default());
                let outcome = plain::outcome(&game, &Position::start(), play, &mut meter).unwrap();
                assert_eq!(
                    outcome.is_p(),
                    found.p_positions.contains(n as usize),
                    "{game}, {play}"
                );
            }
        }
    }
}

/// By the search, on circles far larger than those that are left to search.
#[test]
fn large_circles_are_as_the_search_finds() {
    let wide: [&[i64]; 5] = [&[1, 2], &[2, 3], &[1, 4], &[3, 4], &[1, 2, 3]];
    for play in [Play::Normal, Play::Misere] {
        for steps in wide {
            let found = theorem(steps, play);
            assert!(found.from <= 30, "{}", found.from);
            let games: Vec<Circulant> =
                (1..=80).map(|n| Circulant::from_signed(steps, n).unwrap()).collect();
            let shard = Shard { play, techniques: Techniques::default(), nodes: 1_000_000, games };
            let mut compared = 0;
            for (n, solved) in (1..).zip(solve(&shard, &Budget::default())) {
                if let Ok(outcome) = solved.outcome {
                    assert_eq!(
                        outcome.is_p(),
                        found.p_positions.contains(n),
                        "{steps:?}, {n}, {play}"
                    );
                    compared += 1;
                }
            }
            assert!(compared >= 40, "{steps:?}, {play}: {compared}");
        }
    }
}

/// Returns whether the circles in P are those that the search finds, of this many cells at most.
fn is_as_searched(found: &RevolutionTheorem, steps: &[i64], most: u64) {
    let games: Vec<Circulant> =
        (1..=most).map(|n| Circulant::from_signed(steps, n).unwrap()).collect();
    let shard =
        Shard { play: Play::Normal, techniques: Techniques::default(), nodes: 20_000_000, games };
    for (n, solved) in (1..).zip(solve(&shard, &Budget::default())) {
        assert_eq!(solved.outcome.unwrap().is_p(), found.p_positions.contains(n), "{steps:?}, {n}");
    }
    assert!(bouton_check::check(&found.certificate().to_text()).is_ok());
}

/// Conjecture 4.1 of Tan & Ward, On Kotzig's Nim, holds of the circles below 173 and fails there,
/// where the search of the circle's moves agrees (290,288,648 positions, docs/kotzig.md).
#[test]
fn steps_1_and_5() {
    let found = theorem(&[1, 5], Play::Normal);
    let conjectured =
        |n| matches!(n, 1 | 3 | 5 | 7 | 13 | 15 | 21 | 23 | 25 | 33 | 43) || n % 10 == 3 && n >= 83;
    let fails = (1..).find(|n| found.p_positions.contains(*n) != conjectured(*n));
    assert_eq!(fails, Some(173));
    is_as_searched(found, &[1, 5], 112);
}

/// Conjecture 4.2 of the same paper.
#[test]
fn steps_2_and_5() {
    let found = theorem(&[2, 5], Play::Normal);
    let small =
        [1, 3, 5, 7, 11, 13, 19, 20, 21, 23, 25, 28, 30, 31, 33, 35, 38, 40, 41, 45, 48, 51, 52];
    for n in 1..10_000 {
        let conjectured = small.contains(&n) || n >= 55 && matches!(n % 7, 2 | 3 | 5 | 6);
        assert_eq!(found.p_positions.contains(n), conjectured, "{n}");
    }
    is_as_searched(found, &[2, 5], 80);
}

/// Any courses leave too many tapes; those in which a player makes 6 but for two times are enough.
#[test]
fn steps_1_2_and_4() {
    let found = theorem(&[1, 2, 4], Play::Normal);
    is_as_searched(found, &[1, 2, 4], 60);
}

/// Invariants of a whole circle, found and proved in another way, say the same.
#[test]
fn invariants_say_the_same() {
    for play in [Play::Normal, Play::Misere] {
        for steps in [[1, 2], [1, 3], [2, 3]] {
            let other = invariant::prove(&steps, play, &Budget::default(), &|_| ()).unwrap();
            assert_eq!(theorem(&steps, play).p_positions, other.p_positions, "{steps:?}, {play}");
        }
    }
}

#[test]
fn a_budget_is_kept_to() {
    let budget = Budget { nodes: Some(10_000), ..Budget::default() };
    assert_eq!(
        decide(&[2, 5], Play::Normal, &budget, &|_| ()).unwrap_err(),
        LimitReached::Nodes(10_000)
    );
    let budget = Budget { bytes: Some(1 << 20), ..Budget::default() };
    assert_eq!(
        decide(&[2, 5], Play::Normal, &budget, &|_| ()).unwrap_err(),
        LimitReached::Bytes(1 << 20)
    );
    for steps in [vec![], vec![-1, 2], vec![0], vec![13], vec![2, 1], vec![1, 2, 3, 4, 5]] {
        assert!(!fits(&steps));
        let found = decide(&steps, Play::Normal, &Budget::default(), &|_| ());
        assert_eq!(found.unwrap_err(), LimitReached::NumbersTooLarge, "{steps:?}");
    }
}

/// The checker accepts what is found, and the claim is what was found.
#[test]
fn theorems_are_accepted() {
    for play in [Play::Normal, Play::Misere] {
        for steps in sets() {
            let found = theorem(&steps, play);
            let accepted = bouton_check::check(&found.certificate().to_text());
            let accepted = accepted.unwrap_or_else(|why| panic!("{steps:?}, {play}: {why}"));
            assert_eq!(accepted.claim, found.statement(), "{steps:?}, {play}");
        }
    }
}

/// States from 1 on; 0 is none.
type States<T> = Vec<([usize; 2], T)>;

/// What a certificate says of a revolution: whether a tape may end; the state for the cells ahead
/// and the label; who wins.
type Lap = (States<bool>, States<(usize, String)>, States<String>);

/// What a certificate says of each revolution.
struct Said {
    laps: Vec<Lap>,
}

/// Runs an automaton.
fn run<T>(states: &States<T>, from: usize, cells: &[bool]) -> usize {
    cells.iter().fold(from, |state, marked| match state {
        0 => 0,
        state => states[state - 1].0[usize::from(*marked)],
    })
}

impl Said {
    fn read(body: &str) -> Said {
        let mut lines = body.lines().map(|line| line.split(' ').collect::<Vec<_>>());
        let count: usize = lines.next().unwrap()[1].parse().unwrap();
        let number = |word: &str| word.parse::<usize>().unwrap();
        let mut laps = Vec::new();
        for _ in 0..count {
            let head = lines.next().unwrap();
            let mut states = |count: usize| {
                let state =
                    |words: Vec<&str>| ([number(words[0]), number(words[1])], words[2..].join(" "));
                lines.by_ref().take(count).map(state).collect::<States<String>>()
            };
            let tapes = states(number(head[3]));
            let classes = states(number(head[5]));
            let words = states(number(head[7]));
            let word = |text: String| {
                let (word, label) = text.split_once(' ').unwrap();
                (number(word), label.to_owned())
            };
            laps.push((
                tapes.into_iter().map(|(next, end)| (next, end == ".")).collect(),
                classes.into_iter().map(|(next, text)| (next, word(text))).collect(),
                words,
            ));
        }
        Said { laps }
    }

    /// Returns what is said of a position in a revolution, W, L or nothing: the cells, and the
    /// token's.
    fn value(&self, lap: usize, cells: &[bool], token: usize) -> Option<bool> {
        let (_, classes, words) = &self.laps[lap];
        let class = run(classes, 1, &cells[..=token]);
        let word = classes.get(class.checked_sub(1)?)?.1.0;
        let word = run(words, word, &cells[token + 1..]);
        match words.get(word.checked_sub(1)?)?.1.as_str() {
            "W" => Some(true),
            "L" => Some(false),
            _ => None,
        }
    }

    /// Returns whether everything that is said of the circle of n cells is the truth: of every
    /// tape, and all moves of each revolution.
    fn is_true_of(&self, n: usize, rules: &mut ByRules) -> bool {
        let furthest = *rules.steps.last().unwrap();
        (0..self.laps.len()).all(|lap| {
            let tapes = &self.laps[lap].0;
            (0..1u32 << n).all(|bits| {
                let tape: Vec<bool> = (0..n).map(|cell| bits >> cell & 1 == 1).collect();
                let end = run(tapes, 1, &tape);
                if end == 0 || !tapes[end - 1].1 {
                    return true;
                }
                let entries = if lap == 0 { 1 } else { furthest };
                (0..entries).all(|cell| tape[cell] || self.is_true_from(lap, &tape, cell, rules))
            })
        })
    }

    /// Returns whether everything is the truth that is said once the token has come to the cell, in
    /// the same revolution.
    fn is_true_from(&self, lap: usize, cells: &[bool], token: usize, rules: &mut ByRules) -> bool {
        let mut cells = cells.to_vec();
        cells[token] = true;
        if self.value(lap, &cells, token).is_some_and(|wins| wins != rules.wins(&cells, token)) {
            return false;
        }
        let steps = rules.steps.clone();
        steps
            .iter()
            .map(|step| token + step)
            .all(|to| to >= cells.len() || cells[to] || self.is_true_from(lap, &cells, to, rules))
    }
}

/// Who wins, by nothing but the rules.
struct ByRules {
    steps: Vec<usize>,
    play: Play,
    known: HashMap<(Vec<bool>, usize), bool>,
}

impl ByRules {
    fn wins(&mut self, cells: &[bool], token: usize) -> bool {
        if let Some(wins) = self.known.get(&(cells.to_vec(), token)) {
            return *wins;
        }
        let to: Vec<usize> = self.steps.iter().map(|step| (token + step) % cells.len()).collect();
        let options: Vec<usize> = to.into_iter().filter(|cell| !cells[*cell]).collect();
        let wins = match options.is_empty() {
            true => self.play == Play::Misere,
            false => options.iter().any(|cell| {
                let mut after = cells.to_vec();
                after[*cell] = true;
                !self.wins(&after, *cell)
            }),
        };
        self.known.insert((cells.to_vec(), token), wins);
        wins
    }
}

/// Returns the certificate, with another body.
fn sealed(found: &RevolutionTheorem, body: &str) -> String {
    Certificate { body: body.into(), ..found.certificate() }.to_text()
}

/// Returns all that could be in a line of states instead, given how many there are of this
/// automaton and of words.
fn others(line: &str, states: usize, words: usize) -> Vec<String> {
    let parts: Vec<&str> = line.split(' ').collect();
    let mut others = Vec::new();
    let mut with = |i: usize, part: String| {
        let mut parts: Vec<String> = parts.iter().map(|part| (*part).to_owned()).collect();
        if i == parts.len() {
            parts.push(part);
        } else {
            parts[i] = part;
        }
        others.push(parts.join(" ").trim_end().to_owned());
    };
    for to in 0..=states {
        with(0, to.to_string());
        with(1, to.to_string());
    }
    match parts[2..] {
        [] => with(2, ".".into()),
        ["."] => with(2, String::new()),
        [_] => ["W", "L", "?"].into_iter().for_each(|value| with(2, value.into())),
        [_, label] => {
            (0..=words).for_each(|word| with(2, word.to_string()));
            with(3, "-".into());
            let length = if label == "-" { 0 } else { label.len() };
            for i in 0..length {
                for letter in [".", "W", "L", "?"] {
                    let mut other = label.to_owned();
                    other.replace_range(i..=i, letter);
                    with(3, other);
                }
            }
        }
        _ => panic!("{line}"),
    }
    others.retain(|other| other != line);
    others
}

/// Every transition turned to every other state, and every letter changed: the checker rejects, or
/// no circle shows that it should. For what is accepted all that is said of small circles is held
/// against the rules.
#[test]
fn changed_certificates_are_rejected_or_still_true() {
    for (steps, play) in [
        ([1, 2], Play::Normal),
        ([1, 2], Play::Misere),
        ([1, 3], Play::Normal),
        ([2, 3], Play::Misere),
    ] {
        let found = theorem(&steps, play);
        let body = found.certificate().body;
        let lines: Vec<&str> = body.lines().collect();
        let steps: Vec<usize> = steps.iter().map(|step| *step as usize).collect();
        let furthest = *steps.last().unwrap();
        let mut rules = ByRules { steps: steps.clone(), play, known: HashMap::new() };
        assert!((furthest + 1..=11).all(|n| Said::read(&body).is_true_of(n, &mut rules)));
        let (mut rejected, mut accepted, mut change) = (0, 0, 0);
        let mut sizes: Vec<(usize, usize)> = Vec::new();
        // Of large certificates one change in this many.
        let few = 1 + found.states() * found.states() / 4_000;
        for (i, line) in lines.iter().enumerate().skip(1) {
            if let Some(lap) = line.strip_prefix("lap ") {
                let parts: Vec<&str> = lap.split(' ').collect();
                let [tapes, classes, words] =
                    [2, 4, 6].map(|i: usize| parts[i].parse::<usize>().unwrap());
                sizes =
                    [tapes, classes, words].map(|states| vec![(states, words); states]).concat();
                sizes.reverse();
                continue;
            }
            let (states, words) = sizes.pop().unwrap();
            for other in others(line, states, words) {
                change += 1;
                if change % few != 0 {
                    continue;
                }
                let mut all: Vec<&str> = lines.clone();
                all[i] = &other;
                let body = all.join("\n") + "\n";
                match bouton_check::check(&sealed(found, &body)) {
                    Err(why) => {
                        assert!(why.reason.is_verdict(), "{why}");
                        rejected += 1;
                    }
                    Ok(_) => {
                        accepted += 1;
                        let said = Said::read(&body);
                        for n in furthest + 1..=11 {
                            assert!(said.is_true_of(n, &mut rules), "{other} for {line}, n = {n}");
                        }
                    }
                }
            }
        }
        // Ahead of the token on a blank tape nothing is marked, this many a transition is never
        // taken.
        assert!(4 * rejected > accepted, "{rejected} rejected, {accepted} accepted");
    }
}

/// A certificate says what it says of every n, and of these rules alone.
#[test]
fn other_claims_are_rejected() {
    let found = theorem(&[1, 2], Play::Normal);
    let certificate = found.certificate();
    let rejected = |certificate: &Certificate| {
        let why = bouton_check::check(&certificate.to_text()).unwrap_err();
        assert!(why.reason.is_verdict(), "{why}");
        why.to_string()
    };
    for claim in [
        "P iff n = 1 | n = 3",
        "P iff false",
        "in misere play P iff n = 1 | n = 3 | n = 7",
        "P iff n = 3 | n = 1 | n = 7",
    ] {
        let other = rejected(&Certificate { claim: claim.into(), ..certificate.clone() });
        let of_rules = claim.starts_with("in misere");
        assert_eq!(other.contains("what is shown is another claim"), !of_rules, "{other}");
    }
    for game in [
        "Gamma(1,3;n)",
        "Gamma(2,3;n)",
        "Gamma(1;n)",
        "Gamma(-1,2;n)",
        "Gamma(1,2;12)",
        "Gamma(1,2,3;n)",
    ] {
        rejected(&Certificate { game: game.into(), ..certificate.clone() });
    }
    // The first revolution says nothing of the circles below.
    for (was, is) in [
        ("laps 2 from 8", "laps 2 from 7"),
        ("laps 2 from 8", "laps 1 from 8"),
        ("laps 2 from 8", "laps 2 from 2"),
    ] {
        rejected(&Certificate {
            body: certificate.body.replacen(was, is, 1),
            ..certificate.clone()
        });
    }
    // More circles by search are no harm.
    let more = certificate.body.replacen("laps 2 from 8", "laps 2 from 20", 1);
    assert!(bouton_check::check(&sealed(found, &more)).is_ok());
}
