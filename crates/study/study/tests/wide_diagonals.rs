//! Wythoff's game with wide diagonals (Fraenkel, How to beat your Wythoff games' opponent on three
//! fronts, Amer. Math. Monthly 89, 1982; Heap games, numeration systems and sequences, Ann. Comb.
//! 2, 1998), with other ends, other moves or fewer: automata in digits by the recurrence s + t − 1,
//! s, against brute force from the rules, which are written down here once more.
#![allow(clippy::unwrap_used, reason = "a test")]

mod sealed;

use bouton_check::check;
use bouton_core::{Budget, Play};
use bouton_engine::Game;
use bouton_games::RuleFile;
use bouton_prover::Acceptor;
use bouton_study::{Failure, PipelineOutcome, Tables, Verdict, follow, settle_automaton};
use sealed::again;

/// A game of the family.
struct Diagonals {
    /// How wide: from a, b to a − k, b − l or a − l, b − k with k ≤ l < s·k + t.
    width: [u64; 2],
    /// It ends as soon as so few tokens are left.
    end: u64,
    /// Further steps, in either direction.
    added: &'static [[u64; 2]],
    /// Steps that are no moves, in either direction.
    removed: &'static [[u64; 2]],
    /// The recurrence of the digits.
    digits: [u64; 2],
}

const fn diagonals(width: [u64; 2], end: u64) -> Diagonals {
    let [s, t] = width;
    Diagonals { width, end, added: &[], removed: &[], digits: [s + t - 1, s] }
}

const GAMES: [Diagonals; 13] = [
    diagonals([1, 2], 1),
    diagonals([1, 2], 2),
    diagonals([1, 2], 3),
    diagonals([1, 3], 1),
    Diagonals { added: &[[2, 5]], ..diagonals([1, 2], 0) },
    Diagonals { added: &[[3, 5]], ..diagonals([1, 2], 2) },
    // No pairs of this ratio.
    Diagonals { removed: &[[1, 2]], ..diagonals([1, 2], 1) },
    // Two pairs for each lesser number.
    Diagonals { removed: &[[0, 1]], digits: [2, 2], ..diagonals([1, 2], 0) },
    // Differences 0, 0, 2, 2, 4, 4, …
    Diagonals { removed: &[[1, 1], [1, 2]], digits: [1, 1], ..diagonals([1, 2], 0) },
    // Those that end at 0 are proved as pairs by mex (mex_pairs.rs).
    diagonals([2, 1], 1),
    diagonals([2, 2], 1),
    diagonals([2, 3], 1),
    diagonals([2, 3], 2),
];

impl Diagonals {
    /// Whether this many tokens may be taken.
    fn is_step(&self, k: u64, l: u64) -> bool {
        let [s, t] = self.width;
        let listed = |steps: &[[u64; 2]]| steps.contains(&[k, l]) || steps.contains(&[l, k]);
        let is_plain = (k > 0 || l > 0) && (k.min(l) == 0 || k.max(l) < s * k.min(l) + t);
        listed(self.added) || is_plain && !listed(self.removed)
    }

    fn rules(&self) -> Box<dyn Game> {
        let ([s, t], end) = (self.width, self.end);
        let step =
            |[s, t]: &[u64; 2]| format!("p0 = q0+{s} & p1 = q1+{t} | p0 = q0+{t} & p1 = q1+{s}");
        let any = |steps: &[[u64; 2]]| steps.iter().map(step).collect::<Vec<_>>().join(" | ");
        let mut moves =
            format!("q0 = p0 | q1 = p1 | p0+{s}*q1 < {s}*p1+q0+{t} & p1+{s}*q0 < {s}*p0+q1+{t}");
        if !self.removed.is_empty() {
            moves = format!("({moves}) & ~({})", any(self.removed));
        }
        if !self.added.is_empty() {
            moves = format!("{moves} | {}", any(self.added));
        }
        if s > 1 {
            // Otherwise no heap is higher as it is.
            moves = format!("({moves}) & q0 <= p0 & q1 <= p1");
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
                let mut options = (0..=a).flat_map(|k| (0..=b).map(move |l| (k, l)));
                let won = a + b > self.end
                    && options.any(|(k, l)| {
                        self.is_step(k, l) && lost[(a - k) as usize][(b - l) as usize]
                    });
                lost[a as usize].push(!won);
            }
        }
        lost
    }
}

/// Heaps of the box that is compared with the rules.
const MAX_HEAP: u64 = 60;

/// States at most of an automaton that is changed.
const MOST_CHANGED: usize = 32;

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
fn automata_in_digits_by_recurrences() {
    let (mut proved, mut refuted) = ([0; 2], [0; 2]);
    let budget = Budget::default();
    for own in &GAMES {
        let game = own.rules();
        let stated = game.heap_game().unwrap();
        let line = follow(&Tables::new(&*game, &stated, Play::Normal, &budget, &|_| {}));
        let PipelineOutcome::Proved(proof) = &line.ending else { continue };
        let Some(right) = line.automaton() else { continue };
        let lost = own.lost(MAX_HEAP);
        let cells = || (0..=MAX_HEAP).flat_map(|a| (0..=MAX_HEAP).map(move |b| [a, b]));
        for [a, b] in cells() {
            assert_eq!(right.holds(&[a, b]), lost[a as usize][b as usize], "{a}, {b}");
        }
        if right.digits.is_to_base() {
            continue;
        }
        let [_, last] = own.digits;
        let is_other = usize::from(last > 1);
        proved[is_other] += 1;
        let coefficients = own.digits.map(|coefficient| coefficient as u8);
        assert_eq!(right.digits.coefficients(), (&coefficients[..], &[][..]));
        let text = right.walnut();
        let name = match own.digits {
            [1, 1] => "msd_fib".into(),
            [first, 1] => format!("msd_fib{}", first + 1),
            [first, last] => format!("msd_by_{first}_{last}"),
        };
        assert!(text.starts_with(&format!("{name} {name}\n")), "{text}");
        let read = Acceptor::parse(&text, 2).unwrap();
        assert!(cells().all(|p| read.holds(&p) == right.holds(&p)));
        let certificate = &proof.certificate;
        check(certificate).unwrap();
        if right.next.len() > MOST_CHANGED {
            continue;
        }
        let lines: Vec<&str> = certificate.lines().collect();
        let named = if last == 1 { "zeckendorf" } else { "digits by " };
        let digits = lines.iter().position(|line| line.starts_with(named)).unwrap();
        let bases = (2..=11).flat_map(|b| [format!("base {b}"), format!("zeckendorf {b}")]);
        let several = (0..=10).flat_map(|a| (0..=10).map(move |b| format!("digits by {a},{b}")));
        let others = [
            "zeckendorf",
            "zeckendorf 3 4",
            "digits by 2",
            "digits by 2,2,0",
            "digits by 2,2,2,2,2",
        ];
        for other in others.into_iter().map(str::to_owned).chain(bases).chain(several) {
            if other != lines[digits] {
                assert!(check(&with_line(certificate, digits, &other)).is_err(), "{other}");
            }
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
                match settle_automaton(&*game, Play::Normal, &wrong, &budget).unwrap() {
                    Verdict::Refuted(found) => {
                        let Failure::Position(found) = &found.counterexample else {
                            panic!("a position")
                        };
                        let [a, b] = found.position[..] else { panic!("two heaps") };
                        let mut options = (0..=a).flat_map(|k| (0..=b).map(move |l| [k, l]));
                        let claimed = wrong.holds(&[a, b]);
                        let leads = a + b > own.end
                            && options
                                .any(|[k, l]| own.is_step(k, l) && wrong.holds(&[a - k, b - l]));
                        assert_eq!(claimed, leads, "{found}");
                        refuted[is_other] += 1;
                    }
                    // A state that no numeral leads to, or from.
                    other => assert!(!is_wrong, "{other:?}"),
                }
            }
        }
    }
    assert!(proved[0] >= 6 && proved[1] >= 4, "{proved:?}");
    assert!(refuted[0] > 100 && refuted[1] > 40, "{refuted:?}");
}
