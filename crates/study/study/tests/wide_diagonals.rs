//! Wythoff's game with diagonals of width k, with other ends, other moves or fewer: automata in the
//! digits of Zeckendorf to base k + 1 (Fraenkel 1982), against brute force from the rules, which
//! are written down here once more.
#![allow(clippy::unwrap_used, reason = "a test")]

mod sealed;

use bouton_check::check;
use bouton_core::{Budget, Deadline, Play};
use bouton_engine::Game;
use bouton_games::RuleFile;
use bouton_prover::Acceptor;
use bouton_study::{Ending, Failure, Tables, Verdict, follow, settle_automaton};
use sealed::again;
use std::time::Duration;

/// A game of the family.
struct Diagonals {
    /// The width: from a, b to a − s, b − t with |s − t| < k.
    k: u64,
    /// It ends as soon as so few tokens are left.
    end: u64,
    /// Further steps, in either direction.
    added: &'static [[u64; 2]],
    /// Steps that are no moves, in either direction.
    removed: &'static [[u64; 2]],
}

const GAMES: [Diagonals; 7] = [
    Diagonals { k: 2, end: 1, added: &[], removed: &[] },
    Diagonals { k: 2, end: 2, added: &[], removed: &[] },
    Diagonals { k: 2, end: 3, added: &[], removed: &[] },
    Diagonals { k: 3, end: 1, added: &[], removed: &[] },
    Diagonals { k: 2, end: 0, added: &[[2, 5]], removed: &[] },
    Diagonals { k: 2, end: 2, added: &[[3, 5]], removed: &[] },
    // No pairs of this ratio.
    Diagonals { k: 2, end: 1, added: &[], removed: &[[1, 2]] },
];

impl Diagonals {
    /// Whether so many tokens may be taken.
    fn is_step(&self, s: u64, t: u64) -> bool {
        let listed = |steps: &[[u64; 2]]| steps.contains(&[s, t]) || steps.contains(&[t, s]);
        let is_plain = (s > 0 || t > 0) && (s == 0 || t == 0 || s.abs_diff(t) < self.k);
        listed(self.added) || is_plain && !listed(self.removed)
    }

    fn rules(&self) -> Box<dyn Game> {
        let (k, end) = (self.k, self.end);
        let step =
            |[s, t]: &[u64; 2]| format!("p0 = q0+{s} & p1 = q1+{t} | p0 = q0+{t} & p1 = q1+{s}");
        let any = |steps: &[[u64; 2]]| steps.iter().map(step).collect::<Vec<_>>().join(" | ");
        let mut moves = format!("q0 = p0 | q1 = p1 | p0+q1 < p1+q0+{k} & p1+q0 < p0+q1+{k}");
        if !self.removed.is_empty() {
            moves = format!("({moves}) & ~({})", any(self.removed));
        }
        if !self.added.is_empty() {
            moves = format!("{moves} | {}", any(self.added));
        }
        let text = format!(
            "name = \"diagonals\"\nheaps = 2\nsymmetry = \"full\"\nmove = \"p0+p1 > {end} & \
             ({moves})\"\n"
        );
        RuleFile::parse(&text).unwrap().game()
    }

    /// Whether a position is P, of all with heaps up to a bound.
    fn lost(&self, most: u64) -> Vec<Vec<bool>> {
        let mut lost: Vec<Vec<bool>> = vec![Vec::new(); most as usize + 1];
        for a in 0..=most {
            for b in 0..=most {
                let mut options = (0..=a).flat_map(|s| (0..=b).map(move |t| (s, t)));
                let won = a + b > self.end
                    && options.any(|(s, t)| {
                        self.is_step(s, t) && lost[(a - s) as usize][(b - t) as usize]
                    });
                lost[a as usize].push(!won);
            }
        }
        lost
    }
}

/// Heaps of the box that is held against the rules.
const MOST: u64 = 60;

/// Returns the certificate with a line in another's place, and a seal that fits.
fn with_line(certificate: &str, number: usize, line: &str) -> String {
    let mut lines: Vec<&str> = certificate.lines().collect();
    lines[number] = line;
    again(&format!("{}\n", lines[..lines.len() - 1].join("\n")))
}

/// What is proved is what the rules say, the automaton's text is read back, and nothing else is
/// taken: an automaton with another output or follower is refuted by a position of which the rules
/// say so, and no certificate is accepted for it, nor in digits to another base.
#[test]
fn automata_in_digits_of_zeckendorf_to_other_bases() {
    let (mut proved, mut refuted) = (0, 0);
    for own in &GAMES {
        let game = own.rules();
        let stated = game.heap_game().unwrap();
        let budget = Budget {
            deadline: Some(Deadline::after(Duration::from_secs(30))),
            ..Budget::default()
        };
        let line = follow(&Tables::new(&*game, &stated, Play::Normal, &budget, &|_| {}));
        let Ending::Proved(proof) = &line.ending else { continue };
        let Some(right) = line.automaton() else { continue };
        let lost = own.lost(MOST);
        let cells = || (0..=MOST).flat_map(|a| (0..=MOST).map(move |b| [a, b]));
        for [a, b] in cells() {
            assert_eq!(right.holds(&[a, b]), lost[a as usize][b as usize], "{a}, {b}");
        }
        if !right.zeckendorf {
            continue;
        }
        proved += 1;
        assert_eq!(right.base as u64, own.k + 1);
        let text = right.walnut();
        assert!(
            text.starts_with(&format!("msd_fib{} msd_fib{}\n", right.base, right.base)),
            "{text}"
        );
        let read = Acceptor::parse(&text, 2).unwrap();
        assert!(cells().all(|p| read.holds(&p) == right.holds(&p)));
        let certificate = &proof.certificate;
        check(certificate).unwrap();
        let lines: Vec<&str> = certificate.lines().collect();
        let digits = lines.iter().position(|line| line.starts_with("zeckendorf ")).unwrap();
        for other in
            ["zeckendorf", "zeckendorf 2", "zeckendorf 11", "base 3", "base 4", "zeckendorf 3 4"]
        {
            assert!(check(&with_line(certificate, digits, other)).is_err(), "{other}");
        }
        let states = right.next.len();
        for state in 0..states {
            let mut output = right.clone();
            output.accepts[state] = !output.accepts[state];
            let mut follower = right.clone();
            let to = &mut follower.next[state][1 + state % (right.columns() - 1)];
            *to = (*to + 1) % states as u32;
            for wrong in [output, follower] {
                let is_wrong =
                    cells().any(|[a, b]| wrong.holds(&[a, b]) != lost[a as usize][b as usize]);
                let at = digits + 2 + state;
                let mark = if wrong.accepts[state] { "!" } else { "-" };
                let row: Vec<String> = wrong.next[state].iter().map(u32::to_string).collect();
                let changed = with_line(certificate, at, &format!("{mark} {}", row.join(" ")));
                assert!(!is_wrong || check(&changed).is_err(), "{changed}");
                match settle_automaton(&*game, Play::Normal, &wrong, &Budget::default()).unwrap() {
                    Verdict::Refuted(found) => {
                        let Failure::Position(found) = &found.counterexample else {
                            panic!("a position")
                        };
                        let [a, b] = found.position[..] else { panic!("two heaps") };
                        let mut options = (0..=a).flat_map(|s| (0..=b).map(move |t| [s, t]));
                        let claimed = wrong.holds(&[a, b]);
                        let leads = a + b > own.end
                            && options
                                .any(|[s, t]| own.is_step(s, t) && wrong.holds(&[a - s, b - t]));
                        assert_eq!(claimed, leads, "{found}");
                        refuted += 1;
                    }
                    // A state that no numeral leads to, or from.
                    other => assert!(!is_wrong, "{other:?}"),
                }
            }
        }
    }
    assert!(proved >= 5 && refuted > 100, "{proved} {refuted}");
}
