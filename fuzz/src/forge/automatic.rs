//! False claims read by automata.
//!
//! Automata of positions and of moves are learned from a table of the game by its rules, whatever
//! the base; ways and sets of ways are followed from there. Then the automaton of the positions is
//! changed for one position, or one state, or learned from too few digits, and the sets are those
//! of the automaton as it then is: a proof in which nothing is wrong but what cannot be right.

use super::learned::Learned;
use super::{Forger, Forgery, Table, Truth};
use crate::lot::Lot;
use std::collections::{BTreeSet, HashMap, HashSet};

/// The forger.
#[derive(Default)]
pub struct Automatic {
    solved: HashMap<(String, u64), HashMap<Vec<u64>, bool>>,
}

const FEATURES: &[&str] = &[
    "one heap",
    "nim",
    "S(set;2)",
    "moore(b;2)",
    "circle of heaps",
    "simplicial",
    "rules, none",
    "rules, full",
    "rules with memory",
    "digits of its own",
    "misere claim",
];

const LINES: &[&str] = &[
    "one position",
    "one state",
    "true to some digits",
    "base, one position",
    "base, one state",
    "formula",
    "formula and images",
    "sets left out",
    "moves of another game",
    "windows",
    "zeckendorf, one position",
    "zeckendorf, one state",
];

/// Whether heaps of a window may become those after a move.
type Fits = Box<dyn Fn(&[u64], &[u64]) -> bool>;

/// A game: its name, heaps, windows, and whether a move leads from the one to the other.
struct Rules {
    name: String,
    heaps: usize,
    windows: Vec<Vec<usize>>,
    /// Of the heaps in a window, before and after.
    fits: Fits,
    /// The last number may rise.
    memory: bool,
    /// How claims are closed: all permutations.
    full: bool,
    /// True claims as formulas, if one is known.
    formula: Option<String>,
}

fn rules(feature: usize, lot: &mut Lot) -> Rules {
    let k = 1 + lot.below(4) as u64;
    let mut set: Vec<u64> = (0..1 + lot.below(3)).map(|_| 1 + lot.below(5) as u64).collect();
    if feature == 2 {
        // So that both heaps are read by few states.
        set.iter_mut().for_each(|a| *a = 1 + (*a - 1) % 3);
    }
    set.sort_unstable();
    set.dedup();
    let listed = set.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    let taken = |p: &[u64], q: &[u64]| p.iter().sum::<u64>() as i64 - q.iter().sum::<u64>() as i64;
    let every = |_: &[u64], _: &[u64]| true;
    let of = |name: String, heaps: usize, windows: Vec<Vec<usize>>, fits: Fits| Rules {
        name,
        heaps,
        windows,
        fits,
        memory: false,
        full: heaps > 1,
        formula: None,
    };
    let by_set = move |set: Vec<u64>| -> Fits {
        Box::new(move |p, q| set.iter().any(|a| taken(p, q) == *a as i64))
    };
    let singles = |n: usize| (0..n).map(|h| vec![h]).collect::<Vec<_>>();
    match feature {
        0 => {
            let up_to: Vec<u64> = (1..=k).collect();
            let all = up_to.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
            match lot.below(3) {
                0 => of(format!("S({listed};1)"), 1, singles(1), by_set(set)),
                1 => of(format!("NIM({listed};n)"), 1, singles(1), by_set(set)),
                _ => Rules {
                    formula: Some(format!("a mod {} = 0", k + 1)),
                    ..of(format!("S({all};1)"), 1, singles(1), by_set(up_to))
                },
            }
        }
        1 | 10 => Rules {
            formula: Some("a = b".into()),
            ..of("nim(2)".into(), 2, singles(2), Box::new(every))
        },
        2 => of(format!("S({listed};2)"), 2, singles(2), by_set(set)),
        3 => match lot.below(2) {
            0 => Rules {
                formula: Some("a = 0 & b = 0".into()),
                ..of("moore(3;2)".into(), 2, vec![vec![0, 1]], Box::new(every))
            },
            _ => Rules {
                formula: Some("a = b".into()),
                ..of("moore(2;2)".into(), 2, singles(2), Box::new(every))
            },
        },
        4 => match lot.below(2) {
            0 => Rules {
                formula: Some("a = b".into()),
                ..of("CN(2,1)".into(), 2, singles(2), Box::new(every))
            },
            _ => Rules {
                formula: Some("a = 0 & b = 0".into()),
                ..of("CN(2,2)".into(), 2, vec![vec![0, 1]], Box::new(every))
            },
        },
        5 => Rules {
            formula: Some("a = b".into()),
            ..of("simplicial(1;2)".into(), 2, singles(2), Box::new(every))
        },
        6 => match lot.below(3) {
            0 => Rules {
                full: false,
                ..of(
                    format!("rules(1;none;binary;q0+{k} <= p0 & p0 <= q0+{})", k + 2),
                    1,
                    singles(1),
                    Box::new(move |p, q| q[0] + k <= p[0] && p[0] <= q[0] + k + 2),
                )
            },
            1 => Rules {
                full: false,
                ..of(
                    format!("rules(1;none;binary;q0 mod {} = p0 mod {0})", k + 1),
                    1,
                    singles(1),
                    Box::new(move |p, q| q[0] % (k + 1) == p[0] % (k + 1)),
                )
            },
            _ => Rules {
                full: false,
                ..of(
                    "rules(2;none;binary;q0 = p0 | q1 = p1)".into(),
                    2,
                    vec![vec![0, 1]],
                    Box::new(|p, q| q[0] == p[0] || q[1] == p[1]),
                )
            },
        },
        7 => Rules {
            formula: Some("a = b".into()),
            ..of(
                "rules(2;full;binary;q0 = p0 | q1 = p1)".into(),
                2,
                vec![vec![0, 1]],
                Box::new(|p, q| q[0] == p[0] || q[1] == p[1]),
            )
        },
        8 => Rules {
            memory: true,
            full: false,
            ..of(
                format!("rules(1+1;none;binary;q0 + q1 = p0 & q1 <= {k} & q1 != p1)"),
                2,
                vec![vec![0, 1]],
                Box::new(move |p, q| q[0] + q[1] == p[0] && q[1] <= k && q[1] != p[1]),
            )
        },
        _ => match lot.below(2) {
            0 => of(
                "wythoff".into(),
                2,
                vec![vec![0, 1]],
                Box::new(|p, q| q[0] == p[0] || q[1] == p[1] || p[0] + q[1] == p[1] + q[0]),
            ),
            _ => Rules {
                full: false,
                ..of(
                    format!("rules(1;none;zeckendorf;q0+{k} <= p0 & p0 <= q0+{})", k + 2),
                    1,
                    singles(1),
                    Box::new(move |p, q| q[0] + k <= p[0] && p[0] <= q[0] + k + 2),
                )
            },
        },
    }
}

impl Rules {
    /// Returns whether a move leads from a window's heaps to these.
    fn moves(&self, p: &[u64], q: &[u64]) -> bool {
        let heaps = if self.memory { p.len() - 1 } else { p.len() };
        let lower = p[..heaps].iter().zip(&q[..heaps]).all(|(p, q)| q <= p);
        lower && p[..heaps] != q[..heaps] && (self.fits)(p, q)
    }

    /// Returns the P-positions with numbers below the bound.
    fn solve(&self, most: u64) -> HashMap<Vec<u64>, bool> {
        let mut all: Vec<Vec<u64>> = vec![vec![]];
        for _ in 0..self.heaps {
            all =
                all.iter().flat_map(|p| (0..most).map(move |x| [&p[..], &[x]].concat())).collect();
        }
        let heaps = if self.memory { self.heaps - 1 } else { self.heaps };
        all.sort_by_key(|p| p[..heaps].iter().sum::<u64>());
        let mut lost: HashMap<Vec<u64>, bool> = HashMap::new();
        let mut claimed: Vec<Vec<u64>> = Vec::new();
        for p in all {
            let option = |q: &Vec<u64>| {
                self.windows.iter().any(|window| {
                    let outside = (0..self.heaps).all(|h| window.contains(&h) || p[h] == q[h]);
                    let part = |x: &[u64]| window.iter().map(|h| x[*h]).collect::<Vec<u64>>();
                    outside && self.moves(&part(&p), &part(q))
                })
            };
            let is_lost = !claimed.iter().any(option);
            if is_lost {
                claimed.push(p.clone());
            }
            lost.insert(p, is_lost);
        }
        lost
    }
}

/// How numbers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Digits {
    Base(u64),
    /// Digits 0 and 1 of weights 1, 2, 3, 5, ..., no two neighbours 1.
    Zeckendorf,
}

impl Digits {
    /// Returns the number that digits are below.
    fn base(self) -> u64 {
        match self {
            Digits::Base(base) => base,
            Digits::Zeckendorf => 2,
        }
    }

    /// Returns how many columns of so many digits there are.
    fn columns(self, tracks: usize) -> usize {
        self.base().pow(tracks as u32) as usize
    }

    /// Returns whether a column may stand behind another one.
    fn follows(self, last: usize, column: usize) -> bool {
        self != Digits::Zeckendorf || last & column == 0
    }

    /// Returns the numbers that a word of columns is, if it is one of numbers.
    fn read(self, word: &[usize], tracks: usize) -> Option<Vec<u64>> {
        if word.windows(2).any(|pair| !self.follows(pair[0], pair[1])) {
            return None;
        }
        // With the number that would be read if the last column were not there.
        let mut numbers = vec![(0, 0); tracks];
        for column in word {
            let mut rest = *column as u64;
            for (number, before) in &mut numbers {
                let digit = rest % self.base();
                rest /= self.base();
                let next = match self {
                    Digits::Base(base) => *number * base + digit,
                    // Without digits to come a 1 weighs 1, and before one digit 2.
                    Digits::Zeckendorf => *number + *before + digit,
                };
                *before = match self {
                    Digits::Base(_) => 0,
                    Digits::Zeckendorf => *number + digit,
                };
                *number = next;
            }
        }
        Some(numbers.into_iter().map(|(number, _)| number).collect())
    }

    /// Returns the digits of these numbers as columns, without zeros before them.
    fn word(self, numbers: &[u64]) -> Vec<usize> {
        let mut rest = numbers.to_vec();
        let mut word = Vec::new();
        match self {
            Digits::Base(base) => {
                while rest.iter().any(|number| *number > 0) {
                    let column =
                        rest.iter().rev().fold(0, |column, number| column * base + number % base);
                    word.push(column as usize);
                    rest.iter_mut().for_each(|number| *number /= base);
                }
                word.reverse();
            }
            Digits::Zeckendorf => {
                let most = rest.iter().copied().max().unwrap_or(0);
                let mut weights = vec![1, 2];
                while weights[weights.len() - 1] <= most {
                    weights.push(weights[weights.len() - 1] + weights[weights.len() - 2]);
                }
                for weight in weights.iter().rev() {
                    let mut column = 0;
                    for (track, number) in rest.iter_mut().enumerate() {
                        if *number >= *weight {
                            *number -= weight;
                            column |= 1 << track;
                        }
                    }
                    if column > 0 || !word.is_empty() {
                        word.push(column);
                    }
                }
            }
        }
        word
    }
}

fn alive(machine: &Learned) -> Vec<bool> {
    let mut alive: Vec<bool> = machine.out.iter().map(|out| *out == 1).collect();
    loop {
        let before = alive.clone();
        for (alive, next) in alive.iter_mut().zip(&machine.next) {
            *alive |= next.iter().any(|to| before[*to]);
        }
        if alive == before {
            return alive;
        }
    }
}

fn table(body: &mut String, head: &str, machine: &Learned) {
    *body += &format!("{head}{}\n", machine.next.len());
    for (row, out) in machine.next.iter().zip(&machine.out) {
        let row: Vec<String> = row.iter().map(usize::to_string).collect();
        *body += &format!("{} {}\n", if *out == 1 { "!" } else { "-" }, row.join(" "));
    }
}

/// Returns the automaton as it is for numbers of so many digits; of larger ones it accepts none.
fn first_digits(machine: &Learned, digits: usize) -> Learned {
    let count = machine.next.len();
    let dead = (digits + 1) * count;
    let mut short = Learned { next: Vec::new(), out: Vec::new() };
    for read in 0..=digits {
        for state in 0..count {
            let row = machine.next[state].iter().enumerate().map(|(letter, to)| {
                match (read, letter, state) {
                    // Zeros before all digits are none.
                    (0, 0, 0) => 0,
                    _ if read == digits => dead,
                    _ => (read + 1) * count + to,
                }
            });
            short.next.push(row.collect());
            short.out.push(machine.out[state]);
        }
    }
    short.next.push(vec![dead; machine.next[0].len()]);
    short.out.push(0);
    short
}

/// Returns the sets of ways that come up, each with a state of the positions and, of Zeckendorf's
/// digits, the column read last.
fn sets(
    rules: &Rules,
    digits: Digits,
    positions: &Learned,
    moves: &[&Learned],
) -> Option<Vec<(usize, Vec<usize>)>> {
    let live = alive(positions);
    let (heaps, count, base) = (rules.heaps, positions.next.len(), digits.base());
    let mut first = vec![0];
    for machine in moves {
        first.push(first[first.len() - 1] + machine.next.len() * count);
    }
    let moving: Vec<Vec<bool>> = moves.iter().map(|machine| alive(machine)).collect();
    let after = |ways: &BTreeSet<usize>, column: usize| {
        let mut next = BTreeSet::new();
        let digit = |heap: usize| column as u64 / base.pow(heap as u32) % base;
        for way in ways {
            let w = first.iter().rposition(|from| from <= way).unwrap_or(0);
            let window = &rules.windows[w];
            let (m, t) = ((way - first[w]) / count, (way - first[w]) % count);
            for option in 0..digits.columns(window.len()) as u64 {
                let (mut both, mut own) = (0, column as u64);
                for (place, heap) in window.iter().enumerate() {
                    let to = option / base.pow(place as u32) % base;
                    both += digit(*heap) * base.pow(2 * place as u32)
                        + to * base.pow(2 * place as u32 + 1);
                    own = own + to * base.pow(*heap as u32) - digit(*heap) * base.pow(*heap as u32);
                }
                let (m, t) = (moves[w].next[m][both as usize], positions.next[t][own as usize]);
                if moving[w][m] && live[t] {
                    next.insert(first[w] + m * count + t);
                }
            }
        }
        next
    };
    let mut start: BTreeSet<usize> = first[..moves.len()].iter().copied().collect();
    loop {
        let more: BTreeSet<usize> = start.union(&after(&start, 0)).copied().collect();
        if more == start {
            break;
        }
        start = more;
    }
    let mut seen = HashSet::new();
    // Zeckendorf's digits: state plus count times the column read last.
    let mut all = vec![(0, start)];
    let mut at = 0;
    seen.insert(all[0].clone());
    while at < all.len() {
        let (known, ways) = all[at].clone();
        let (state, last) = (known % count, known / count);
        for column in (0..digits.columns(heaps)).filter(|column| digits.follows(last, *column)) {
            let last = if digits == Digits::Zeckendorf { column } else { 0 };
            let next = (positions.next[state][column] + count * last, after(&ways, column));
            if seen.insert(next.clone()) {
                all.push(next);
            }
        }
        if all.len() > 250 {
            return None;
        }
        at += 1;
    }
    Some(all.into_iter().map(|(state, ways)| (state, ways.into_iter().collect())).collect())
}

impl Forger for Automatic {
    fn table(&self) -> Table {
        Table { kind: "automatic", features: FEATURES, lines: LINES }
    }

    fn draw(&mut self, feature: usize, line: usize, lot: &mut Lot) -> Option<Forgery> {
        let mut rules = rules(feature, lot);
        let name = rules.name.clone();
        let digits = match line {
            3 | 4 if rules.heaps == 1 => Digits::Base(3 + lot.below(3) as u64),
            3 | 4 => Digits::Base(3),
            10 | 11 => Digits::Zeckendorf,
            _ => Digits::Base(2),
        };
        let most = match (rules.heaps, digits) {
            (1, _) => 260,
            (_, Digits::Base(3)) => 27,
            _ => 32,
        };
        let key = (rules.name.clone(), most);
        let truly = self.solved.entry(key).or_insert_with(|| rules.solve(most)).clone();
        let mut lost = truly.clone();
        if line == 8 {
            // All that follows is right of the game in which so many tokens may not be taken.
            let (but, fits) = (1 + lot.below(3) as u64, rules.fits);
            let memory = usize::from(rules.memory);
            rules.fits = Box::new(move |p, q| {
                let tokens = |p: &[u64]| p[..p.len() - memory].iter().sum::<u64>();
                tokens(p) != tokens(q) + but && fits(p, q)
            });
            rules.name = format!("{} but {but}", rules.name);
            let key = (rules.name.clone(), most);
            lost = self.solved.entry(key).or_insert_with(|| rules.solve(most)).clone();
        }
        let tails = match (rules.heaps, digits) {
            (1, Digits::Base(2) | Digits::Zeckendorf) => 4,
            (1, _) | (_, Digits::Base(2) | Digits::Zeckendorf) => 2,
            _ => 1,
        };
        let tails = if feature == 9 { 0 } else { tails };
        let all = digits.columns(rules.heaps);
        let mut says = |word: &[usize]| match digits.read(word, rules.heaps) {
            Some(numbers) => lost.get(&numbers).map(|lost| u8::from(*lost)),
            None => Some(0),
        };
        let mut positions = Learned::new(all, tails, 40, &mut says)?;
        let exact = positions.clone();
        let mut learned: HashMap<usize, Learned> = HashMap::new();
        for window in &rules.windows {
            let k = window.len();
            if learned.contains_key(&k) {
                continue;
            }
            let tails = match (k, digits) {
                (1, Digits::Base(2) | Digits::Zeckendorf) => 4,
                (1, _) | (_, Digits::Zeckendorf) => 2,
                _ => 1,
            };
            let tails = if feature == 9 { 0 } else { tails };
            let mut moving = |word: &[usize]| {
                let Some(both) = digits.read(word, 2 * k) else { return Some(0) };
                let p: Vec<u64> = both.iter().step_by(2).copied().collect();
                let q: Vec<u64> = both.iter().skip(1).step_by(2).copied().collect();
                Some(u8::from(rules.moves(&p, &q)))
            };
            learned.insert(k, Learned::new(digits.columns(2 * k), tails, 60, &mut moving)?);
        }
        let right = line != 8 && lot.below(6) == 0;
        let box_of = if rules.heaps == 1 { 40 } else { 7 };
        if !right {
            match line {
                1 | 4 | 11 => {
                    let state = lot.below(positions.out.len());
                    positions.out[state] ^= 1;
                }
                8 => {}
                2 => {
                    positions = first_digits(
                        &positions,
                        2 + lot.below(if rules.heaps == 1 { 4 } else { 2 }),
                    )
                }
                _ => {
                    let place: Vec<u64> =
                        (0..rules.heaps).map(|_| lot.below(box_of) as u64).collect();
                    let word = digits.word(&place);
                    if word.is_empty() {
                        return None;
                    }
                    let out = positions.out[positions.state(&word)] ^ 1;
                    positions = positions.but(&word, out);
                }
            }
        }
        let moves: Vec<&Learned> =
            rules.windows.iter().filter_map(|window| learned.get(&window.len())).collect();
        let mut sets = sets(&rules, digits, &positions, &moves)?;
        if line == 7 && lot.below(3) > 0 {
            let drop = lot.below(sets.len());
            sets.remove(drop);
        }
        let mut claim = "P iff the automaton accepts".to_owned();
        let mut body = match digits {
            Digits::Base(2) => String::new(),
            Digits::Base(base) => format!("base {base}\n"),
            Digits::Zeckendorf => "zeckendorf\n".into(),
        };
        table(&mut body, "positions ", &positions);
        // The P-positions that the claim tells.
        let accepts = |p: &Vec<u64>| positions.out[positions.state(&digits.word(p))] == 1;
        let mut said: HashMap<Vec<u64>, bool> =
            lost.keys().map(|p| (p.clone(), accepts(p))).collect();
        if matches!(line, 5 | 6) {
            // The formula is that of the game, and the automaton another one, or of this automaton:
            // both are said.
            match &rules.formula {
                Some(formula) if lot.below(2) == 0 => {
                    claim = format!("P iff {formula}, up to symmetry");
                    if rules.full {
                        table(
                            &mut body,
                            "formula ",
                            if lot.below(2) == 0 { &exact } else { &positions },
                        );
                    }
                    said = lost.clone();
                    if lot.below(2) == 0 {
                        let names = &["a", "b"][..rules.heaps];
                        let place: Vec<u64> =
                            (0..rules.heaps).map(|_| lot.below(box_of) as u64).collect();
                        let all: Vec<String> = names
                            .iter()
                            .zip(&place)
                            .map(|(name, x)| format!("{name} = {x}"))
                            .collect();
                        claim = format!("P iff {formula} | {}, up to symmetry", all.join(" & "));
                        let mut turned = place.clone();
                        turned.reverse();
                        for image in [place, turned] {
                            if let Some(said) =
                                said.get_mut(&image).filter(|_| rules.full || rules.heaps == 1)
                            {
                                *said = true;
                            }
                        }
                    }
                }
                _ => {
                    let place: Vec<u64> =
                        (0..rules.heaps).map(|_| lot.below(box_of) as u64).collect();
                    let names = ["a", "b"];
                    let all: Vec<String> =
                        names.iter().zip(&place).map(|(name, x)| format!("{name} = {x}")).collect();
                    claim = format!("P iff {}, up to symmetry", all.join(" & "));
                    let one = |p: &Vec<u64>| {
                        let turned: Vec<u64> = p.iter().rev().copied().collect();
                        *p == place || rules.full && turned == place
                    };
                    said = lost.keys().map(|p| (p.clone(), one(p))).collect();
                    if rules.full {
                        table(&mut body, "formula ", &positions);
                    }
                }
            }
        }
        if feature == 10 {
            claim = claim.replace("P iff", "in misere play P iff");
        }
        let mut windows: Vec<String> = rules
            .windows
            .iter()
            .map(|window| window.iter().map(usize::to_string).collect::<Vec<_>>().join(","))
            .collect();
        if line == 9 && lot.below(2) == 0 {
            match lot.below(3) {
                0 if windows.len() > 1 => drop(windows.pop()),
                1 => windows.push("0".into()),
                _ => windows[0] = "0,0".into(),
            }
        }
        body += &format!("windows {}\n", windows.join(" "));
        let mut written = HashSet::new();
        for window in &rules.windows {
            if written.insert(window.len()) {
                table(&mut body, &format!("move {} ", window.len()), &learned[&window.len()]);
            }
        }
        body += &format!("sets {}\n", sets.len());
        for (state, ways) in &sets {
            let ways: Vec<String> = ways.iter().map(usize::to_string).collect();
            body += &format!("{state} {}\n", ways.join(" ")).replace(" \n", "\n");
        }
        let misere = |p: &Vec<u64>| if feature == 10 { false } else { truly[p] };
        let wrong = said.iter().filter(|(p, said)| match feature {
            // In misere play no heap at all is a win.
            10 => p.iter().all(|x| *x == 0) && **said,
            _ => **said != misere(p),
        });
        let truth = match wrong.map(|(p, _)| p).min() {
            Some(p) => Truth::False(format!("at {p:?} it is otherwise")),
            None if feature == 10 => Truth::Unknown,
            None => Truth::True,
        };
        Some(Forgery::new("automatic", &name, &claim, &body, truth))
    }
}
