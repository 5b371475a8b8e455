//! P-positions for all heap sizes, read by automata.

use crate::formula::{Formula, Machine, formula};
use crate::games::{Game, game};
use crate::{Certificate, Checked, Lines, Work, ascending, need, number, numbers, reject, unknown};
use std::collections::{BTreeSet, HashMap, HashSet};

/// An automaton that reads columns of digits.
struct Automaton {
    next: Vec<Vec<u32>>,
    ends: Vec<bool>,
}

fn automaton(
    lines: &mut Lines,
    states: usize,
    letters: usize,
    work: &mut Work,
) -> Checked<Automaton> {
    need(states >= 1 && states <= lines.lines.len(), "too few states")?;
    work.spend((states * letters) as u64)?;
    let mut automaton = Automaton { next: Vec::new(), ends: Vec::new() };
    for _ in 0..states {
        let line = lines.next()?;
        let Some((mark, next)) = line.split_once(' ') else { return reject("no state") };
        need(mark == "!" || mark == "-", "no state")?;
        let next = numbers(next, ' ')?;
        need(next.len() == letters, "a state has a next one for each column")?;
        need(next.iter().all(|state| *state < states as u64), "a state that is none")?;
        automaton.next.push(next.iter().map(|state| *state as u32).collect());
        automaton.ends.push(mark == "!");
    }
    need(automaton.next[0][0] == 0, "digits 0 lead away from state 0")?;
    Ok(automaton)
}

/// Returns the digits of a column.
fn digits(column: usize, base: usize, count: usize) -> Vec<i64> {
    let mut rest = column;
    (0..count)
        .map(|_| {
            let digit = rest % base;
            rest /= base;
            digit as i64
        })
        .collect()
}

/// Returns the column of these digits.
fn column(digits: impl DoubleEndedIterator<Item = i64>, base: usize) -> usize {
    digits.rev().fold(0, |column, digit| column * base + digit as usize)
}

/// Checks that an automaton accepts what a formula says.
fn says(
    automaton: &Automaton,
    formula: &Formula,
    base: usize,
    count: usize,
    work: &mut Work,
) -> Checked<()> {
    let machine = Machine::new(formula, base as i64)?;
    let letters: Vec<Vec<i64>> =
        (0..automaton.next[0].len()).map(|column| digits(column, base, count)).collect();
    let start = (0u32, machine.start());
    let mut seen = HashSet::from([start.clone()]);
    let mut stack = vec![start];
    while let Some((state, read)) = stack.pop() {
        work.spend(machine.size())?;
        need(
            automaton.ends[state as usize] == machine.holds(&read),
            "an automaton and a formula differ",
        )?;
        for (column, letter) in letters.iter().enumerate() {
            work.spend(machine.size() + 10)?;
            let next = (automaton.next[state as usize][column], machine.step(&read, letter));
            if seen.insert(next.clone()) {
                stack.push(next);
            }
        }
    }
    Ok(())
}

pub fn check(certificate: &Certificate, work: &mut Work) -> Checked<()> {
    let game = game(certificate.game)?;
    need(game.closing.is_none() && !game.purses, "heaps do not stay in their places")?;
    need(
        game.heaps <= 8 && !game.irrational,
        "more than 8 heaps, or digits of a continued fraction",
    )?;
    let text = certificate.claim.strip_prefix("P iff ");
    let Some(text) = text else { return reject("no claim in normal play") };
    let claim = if text == "the automaton accepts" { None } else { Some(text) };
    let mut lines = Lines { lines: &certificate.body };
    if lines.peek().is_some_and(|line| line.starts_with("zeckendorf")) {
        return unknown("digits of Zeckendorf");
    }
    let mut base = 2;
    if lines.peek().is_some_and(|line| line.starts_with("base ")) {
        base = number(lines.field("base")?)? as usize;
        need((3..=10).contains(&base), "a base is 3 to 10")?;
        need(claim.is_none(), "a formula to a base that is not 2")?;
    }
    let letters = |count: usize| -> Checked<usize> {
        let all = base.checked_pow(count as u32).filter(|all| *all <= 1 << 14);
        all.map_or_else(|| reject("too many columns"), Ok)
    };
    let heaps = game.heaps;
    let positions = number(lines.field("positions")?)? as usize;
    let a = automaton(&mut lines, positions, letters(heaps)?, work)?;
    let symmetric = game.images.len() > 1;
    if let Some(text) = claim {
        let Some(text) = text.strip_suffix(", up to symmetry") else {
            return reject("no claim up to symmetry");
        };
        let names: Vec<String> =
            (0..heaps).map(|i| char::from(b'a' + i as u8).to_string()).collect();
        let claim = formula(text, &names)?;
        if symmetric {
            let states = number(lines.field("formula")?)? as usize;
            let b = automaton(&mut lines, states, letters(heaps)?, work)?;
            says(&b, &claim, base, heaps, work)?;
            union(&a, &b, &game, base, work)?;
        } else {
            says(&a, &claim, base, heaps, work)?;
        }
    }
    if lines.peek().is_some_and(|line| line.starts_with("left ")) {
        return unknown("moves in two steps");
    }
    let windows: Vec<Vec<usize>> = lines
        .field("windows")?
        .split(' ')
        .map(|window| Ok(numbers(window, ',')?.iter().map(|heap| *heap as usize).collect()))
        .collect::<Checked<_>>()?;
    let sorted = |windows: &[Vec<usize>]| -> BTreeSet<Vec<usize>> {
        let one = |window: &Vec<usize>| {
            let mut window = window.clone();
            window.sort_unstable();
            window
        };
        windows.iter().map(one).collect()
    };
    need(
        windows == game.windows || sorted(&windows) == sorted(&game.windows),
        "not the windows of the game",
    )?;
    if windows != game.windows {
        return unknown("the windows are not listed as expected");
    }
    let mut moves: HashMap<usize, Automaton> = HashMap::new();
    let mut lengths: Vec<usize> = Vec::new();
    for window in &windows {
        if !lengths.contains(&window.len()) {
            lengths.push(window.len());
            letters(heaps + window.len())?;
        }
    }
    for length in &lengths {
        let head = lines.field("move")?;
        let Some((given, states)) = head.split_once(' ') else {
            return reject("no automaton of moves");
        };
        need(number(given)? as usize == *length, "another automaton of moves is expected")?;
        let m = automaton(&mut lines, number(states)? as usize, letters(2 * length)?, work)?;
        let rules = game.move_in(*length);
        need(base == 2 || !rules.has_digit_sums(), "a digit sum to a base that is not 2")?;
        says(&m, &rules, base, 2 * length, work)?;
        moves.insert(*length, m);
    }
    let proof = Proof { a: &a, moves: &moves, windows: &windows, base, heaps };
    for window in &windows {
        proof.no_move_stays(window, work)?;
    }
    proof.every_other_has_a_move(&mut lines, work)?;
    lines.end()
}

/// Checks that A accepts the union of the images of what B accepts.
fn union(a: &Automaton, b: &Automaton, game: &Game, base: usize, work: &mut Work) -> Checked<()> {
    if game.images.is_empty() {
        return unknown("too many images");
    }
    let count = a.next[0].len();
    let columns: Vec<Vec<usize>> = (0..count)
        .map(|letter| {
            let digits = digits(letter, base, game.heaps);
            game.images
                .iter()
                .map(|image| column(image.iter().map(|heap| digits[*heap]), base))
                .collect()
        })
        .collect();
    let start = (0u32, vec![0u32; game.images.len()]);
    let mut seen = HashSet::from([start.clone()]);
    let mut stack = vec![start];
    while let Some((state, images)) = stack.pop() {
        let any = images.iter().any(|state| b.ends[*state as usize]);
        need(a.ends[state as usize] == any, "the claim is not the union of the formula's images")?;
        for (letter, columns) in columns.iter().enumerate().take(count) {
            work.spend(2 * images.len() as u64 + 10)?;
            let next: Vec<u32> = images
                .iter()
                .zip(columns)
                .map(|(state, column)| b.next[*state as usize][*column])
                .collect();
            let next = (a.next[state as usize][letter], next);
            if seen.insert(next.clone()) {
                stack.push(next);
            }
        }
    }
    Ok(())
}

struct Proof<'a> {
    a: &'a Automaton,
    moves: &'a HashMap<usize, Automaton>,
    windows: &'a [Vec<usize>],
    base: usize,
    heaps: usize,
}

impl Proof<'_> {
    /// Returns, for a column of the position and each column of digits of the window's heaps after
    /// the move, the column of the move and that of the option.
    fn joined(&self, window: &[usize], letter: usize) -> Vec<(usize, usize)> {
        let position = digits(letter, self.base, self.heaps);
        (0..self.base.pow(window.len() as u32))
            .map(|after| {
                let after = digits(after, self.base, window.len());
                let mut option = position.clone();
                let mut pairs = Vec::new();
                for (heap, digit) in window.iter().zip(&after) {
                    pairs.extend([position[*heap], *digit]);
                    option[*heap] = *digit;
                }
                (column(pairs.into_iter(), self.base), column(option.into_iter(), self.base))
            })
            .collect()
    }

    /// Checks that no move in this window leads from a claimed position to one.
    fn no_move_stays(&self, window: &[usize], work: &mut Work) -> Checked<()> {
        let m = &self.moves[&window.len()];
        let letters = self.a.next[0].len();
        let joined: Vec<_> = (0..letters).map(|letter| self.joined(window, letter)).collect();
        let mut seen = HashSet::from([(0u32, 0u32, 0u32)]);
        let mut stack = vec![(0u32, 0u32, 0u32)];
        while let Some((p, by, q)) = stack.pop() {
            let all = self.a.ends[p as usize] && m.ends[by as usize] && self.a.ends[q as usize];
            need(!all, "a move leads from a claimed position to one")?;
            for (letter, joined) in joined.iter().enumerate() {
                work.spend(5 * joined.len() as u64)?;
                let p = self.a.next[p as usize][letter];
                for (column, option) in joined {
                    let next = (p, m.next[by as usize][*column], self.a.next[q as usize][*option]);
                    if seen.insert(next) {
                        stack.push(next);
                    }
                }
            }
        }
        Ok(())
    }

    fn every_other_has_a_move(&self, lines: &mut Lines, work: &mut Work) -> Checked<()> {
        let states = self.a.next.len() as u64;
        let count = number(lines.field("sets")?)? as usize;
        need(count <= lines.lines.len(), "too few sets")?;
        // A way: a window, a state of M and a state of A.
        type Way = (usize, u32, u32);
        let mut offsets = Vec::new();
        let mut total = 0;
        for window in self.windows {
            offsets.push(total);
            total += self.moves[&window.len()].next.len() as u64 * states;
        }
        let mut sets: Vec<(u32, HashSet<Way>)> = Vec::new();
        for _ in 0..count {
            let listed = numbers(lines.next()?, ' ')?;
            need(listed[0] < states, "a state that is none")?;
            need(listed[1..].iter().all(|way| *way < total), "a way that is none")?;
            need(ascending(&listed[1..]), "ways ascend")?;
            let ways = listed[1..].iter().map(|way| {
                let window = offsets.partition_point(|offset| offset <= way) - 1;
                let rest = way - offsets[window];
                (window, (rest / states) as u32, (rest % states) as u32)
            });
            sets.push((listed[0] as u32, ways.collect()));
        }
        let letters = self.a.next[0].len();
        let joined: Vec<Vec<Vec<(usize, usize)>>> = self
            .windows
            .iter()
            .map(|window| (0..letters).map(|letter| self.joined(window, letter)).collect())
            .collect();
        let after =
            |ways: &HashSet<Way>, letter: usize, work: &mut Work| -> Checked<HashSet<Way>> {
                let mut all = HashSet::new();
                for (window, by, q) in ways {
                    let m = &self.moves[&self.windows[*window].len()];
                    work.spend(10 * joined[*window][letter].len() as u64)?;
                    all.extend(joined[*window][letter].iter().map(|(column, option)| {
                        (*window, m.next[*by as usize][*column], self.a.next[*q as usize][*option])
                    }));
                }
                Ok(all)
            };
        let listed = |state: u32, ways: &HashSet<Way>, work: &mut Work| -> Checked<()> {
            for (s, set) in &sets {
                work.spend(2)?;
                if *s == state && set.len() <= ways.len() {
                    work.spend(set.len() as u64)?;
                    if set.is_subset(ways) {
                        return Ok(());
                    }
                }
            }
            reject("what a column leads to contains no listed set")
        };
        // Leading zeros of the position.
        let mut begun: HashSet<Way> =
            (0..self.windows.len()).map(|window| (window, 0, 0)).collect();
        loop {
            let before = begun.len();
            let more = after(&begun, 0, work)?;
            begun.extend(more);
            if begun.len() == before {
                break;
            }
        }
        listed(0, &begun, work)?;
        for (state, ways) in &sets {
            let ends = ways.iter().any(|(window, by, q)| {
                let m = &self.moves[&self.windows[*window].len()];
                m.ends[*by as usize] && self.a.ends[*q as usize]
            });
            need(
                self.a.ends[*state as usize] || ends,
                "a position that is not claimed has no move",
            )?;
            for letter in 0..letters {
                let ways = after(ways, letter, work)?;
                listed(self.a.next[*state as usize][letter], &ways, work)?;
            }
        }
        Ok(())
    }
}
