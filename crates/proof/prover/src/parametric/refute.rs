//! Systems of sentences about integers, shown to have no solution.
//!
//! A point that satisfies all facts as fractions, products being unknowns, is cut off: by a choice
//! of which it satisfies no sentence, by an integer sum that is a fraction there, or by a
//! difference of quotients, integer there, whose product with a parameter is not the product. For
//! each of these the search forks. Where no point is left, multipliers of Farkas say so.

use super::simplex::{Checked, Conflict, Ratio, Simplex};
use super::sum::{Assertion, Product, Sum, Unknowns};
use bouton_core::{LimitReached, Meter};
use std::collections::BTreeSet;
use std::fmt::{self, Write};

/// Why a system is not shown to have no solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Open {
    /// The budget ended.
    Limit(LimitReached),
    /// A number grew too great, or the search too deep.
    Great,
    /// A point satisfies all that the search knows of.
    Satisfied,
}

impl fmt::Display for Open {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Open::Limit(limit) => limit.fmt(f),
            Open::Great => f.write_str("numbers grow too great, or a proof too deep"),
            Open::Satisfied => f.write_str("no contradiction follows from what is known of products"),
        }
    }
}

impl From<LimitReached> for Open {
    fn from(limit: LimitReached) -> Open {
        Open::Limit(limit)
    }
}

/// A refutation; what holds on the way is named by numbers of its own.
#[derive(Debug)]
struct Refutation {
    step: Step,
    /// What it uses of what holds above it.
    used: BTreeSet<usize>,
}

#[derive(Debug)]
enum Step {
    /// Facts, times numbers.
    End(Conflict),
    /// Two facts, their product, what follows.
    Times([usize; 3], Box<Refutation>),
    /// A sum that is 0 or more, or its opposite.
    Split(Sum, Vec<(Vec<usize>, Refutation)>),
    /// A choice.
    Or(usize, Vec<(Vec<usize>, Refutation)>),
}

/// What holds.
enum Entry {
    Fact(Sum),
    Choice(Vec<Assertion>),
}

/// A sum at whose value the search forks.
struct Fork {
    sum: Sum,
    /// Whether its products with parameters are compared, and multiplied with their bounds.
    multiply: bool,
    /// Whether this comes before choices.
    first: bool,
}

/// A sum at which to fork, and whether it is multiplied with bounds.
type Cut = (Sum, bool);

/// Most forks one below the other.
const DEEPEST: usize = 300;

struct Search<'s, 'm> {
    simplex: Simplex<Product>,
    entries: Vec<Entry>,
    /// Choices that hold here.
    choices: Vec<usize>,
    /// Facts on parameters alone.
    bounds: Vec<usize>,
    /// Sums at whose values the search forks, best first.
    forks: Vec<Fork>,
    parameters: u16,
    depth: usize,
    meter: &'m mut Meter,
    names: &'s [String],
}

/// Returns lines of a certificate that refute a system.
///
/// # Errors
///
/// If no refutation is found.
pub fn refute(unknowns: &Unknowns, system: &[Assertion], meter: &mut Meter) -> Result<String, Open> {
    let mut search = Search {
        simplex: Simplex::new(),
        entries: Vec::new(),
        choices: Vec::new(),
        bounds: Vec::new(),
        forks: forks(unknowns).ok_or(Open::Great)?,
        parameters: unknowns.parameters as u16,
        depth: 0,
        meter,
        names: &unknowns.names,
    };
    let definitions = unknowns.definitions.iter().cloned().map(Assertion::Holds);
    let whole = Assertion::all(definitions.chain([Assertion::all(system.iter().cloned())]));
    let (entries, conflict) = search.assume(&whole)?;
    for entry in &entries {
        if let Entry::Fact(sum) = &search.entries[*entry]
            && !sum.terms.is_empty()
            && unknowns.is_of_parameters(sum)
        {
            search.bounds.push(*entry);
        }
    }
    let refutation = match conflict {
        Some(conflict) => ended(conflict),
        None => search.search()?,
    };
    let mut lines = String::new();
    search.write(&refutation, &mut entries.clone(), &mut lines);
    Ok(lines)
}

/// Names of heaps and purses.
const COORDINATES: [&str; 4] = ["a", "n", "d", "e"];

/// Returns the sums at which a search forks.
fn forks(unknowns: &Unknowns) -> Option<Vec<Fork>> {
    let mut all = Vec::new();
    let quotients = &unknowns.quotients;
    let alike = |i: usize, j: usize| quotients[i].divisor == quotients[j].divisor;
    let opaque = |i: usize| !quotients[i].divisor.terms.is_empty();
    let sum = |i: usize| Sum::unknown(quotients[i].unknown);
    let count = quotients.len();
    let pairs = (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j)));
    let pairs: Vec<(usize, usize)> = pairs.filter(|(i, j)| alike(*i, *j)).collect();
    let later = |sum: Sum| Fork { sum, multiply: false, first: false };
    // Of a number and one that a move has made of it; a difference of stones and dollars is anything.
    let coordinates = |i: usize| {
        let unknowns_in = quotients[i].dividend.terms.keys().flatten();
        let names = unknowns_in.map(|unknown| unknowns.names[usize::from(*unknown)].as_str());
        names.filter(|name| COORDINATES.contains(name)).collect::<BTreeSet<&str>>()
    };
    for (i, j) in pairs.iter().filter(|(i, _)| opaque(*i)) {
        if coordinates(*i).union(&coordinates(*j)).count() > 1 {
            continue;
        }
        all.push(Fork { sum: sum(*i).plus(-1, &sum(*j))?, multiply: true, first: true });
    }
    for (i, j) in pairs.iter().filter(|(i, _)| !opaque(*i)) {
        all.push(later(sum(*i).plus(-1, &sum(*j))?));
    }
    let others = (0..unknowns.names.len() as u16).filter(|u| quotients.iter().all(|q| q.unknown != *u));
    all.extend(others.map(|unknown| later(Sum::unknown(unknown))));
    all.extend((0..count).map(|i| Fork { sum: sum(i), multiply: opaque(i), first: false }));
    // Parities of sums.
    for (i, j) in pairs.iter().filter(|(i, _)| !opaque(*i)) {
        let (both, difference) = (sum(*i).plus(1, &sum(*j))?, sum(*i).plus(-1, &sum(*j))?);
        for l in (j + 1..count).filter(|l| alike(*i, *l)) {
            for sign in [1, -1] {
                all.push(later(both.plus(sign, &sum(l))?));
                all.push(later(difference.plus(sign, &sum(l))?));
            }
        }
        all.push(later(both));
    }
    Some(all)
}

fn ended(conflict: Conflict) -> Refutation {
    Refutation { used: conflict.iter().map(|(fact, _)| *fact).collect(), step: Step::End(conflict) }
}

/// What a branch begins with.
enum Start<'a> {
    Sum(Sum, bool),
    Assertion(&'a Assertion),
}

impl Search<'_, '_> {
    /// Adds what a sentence says; returns the entries, and why that is impossible, if it is seen.
    fn assume(&mut self, assertion: &Assertion) -> Result<(Vec<usize>, Option<Conflict>), Open> {
        let mut entries = Vec::new();
        let mut conflict = None;
        let mut left = vec![assertion];
        while let Some(next) = left.pop() {
            let entry = self.entries.len();
            match next {
                Assertion::All(parts) => {
                    left.extend(parts.iter().rev());
                    continue;
                }
                Assertion::Any(parts) => {
                    self.entries.push(Entry::Choice(parts.clone()));
                    self.choices.push(entry);
                }
                Assertion::Holds(sum) => {
                    let found = self.fact(sum.clone())?;
                    conflict = conflict.or(found);
                }
            }
            entries.push(entry);
        }
        Ok((entries, conflict))
    }

    /// Adds a fact as the next entry.
    fn fact(&mut self, sum: Sum) -> Result<Option<Conflict>, Open> {
        let sum = sum.tight();
        let entry = self.entries.len();
        let checked = match sum.terms.is_empty() {
            true if sum.constant < 0 => Checked::Conflict(vec![(entry, 1)]),
            true => Checked::Satisfied,
            false => self.simplex.add(&sum.terms, sum.constant, entry).ok_or(Open::Great)?,
        };
        self.entries.push(Entry::Fact(sum));
        Ok(match checked {
            Checked::Conflict(conflict) => Some(conflict),
            Checked::Satisfied => None,
        })
    }

    /// Returns the entries of a branch and its refutation; `None` if `probe` only looks for one
    /// without a fork and there is none.
    fn branch(&mut self, start: &Start<'_>, probe: bool) -> Result<Option<(Vec<usize>, Refutation)>, Open> {
        let (mark, choices) = (self.simplex.mark(), self.choices.len());
        let mut products = Vec::new();
        let (entries, mut conflict) = match start {
            Start::Assertion(assertion) => self.assume(assertion)?,
            Start::Sum(sum, multiply) => {
                let own = self.entries.len();
                let mut conflict = self.fact(sum.clone())?;
                for bound in self.bounds.clone().into_iter().filter(|_| *multiply) {
                    let (Entry::Fact(one), Entry::Fact(other)) = (&self.entries[bound], &self.entries[own])
                    else {
                        continue;
                    };
                    let product = one.times(other).ok_or(Open::Great)?;
                    products.push([bound, own, self.entries.len()]);
                    let found = self.fact(product)?;
                    conflict = conflict.or(found);
                }
                (vec![own], conflict)
            }
        };
        if conflict.is_none()
            && probe
            && let Checked::Conflict(found) = self.simplex.check().ok_or(Open::Great)?
        {
            conflict = Some(found);
        }
        let mut refutation = match conflict {
            Some(conflict) => Some(ended(conflict)),
            None if probe => None,
            None => {
                self.depth += 1;
                if self.depth > DEEPEST {
                    return Err(Open::Great);
                }
                let found = self.search()?;
                self.depth -= 1;
                Some(found)
            }
        };
        self.simplex.back(mark);
        self.choices.truncate(choices);
        for numbers in products.into_iter().rev() {
            let [one, other, product] = numbers;
            refutation = refutation.map(|rest| {
                if !rest.used.contains(&product) {
                    return rest;
                }
                let mut used = rest.used.clone();
                used.remove(&product);
                used.extend([one, other]);
                Refutation { step: Step::Times(numbers, rest.into()), used }
            });
        }
        Ok(refutation.map(|refutation| (entries, refutation)))
    }

    /// Refutes what holds.
    fn search(&mut self) -> Result<Refutation, Open> {
        self.meter.node()?;
        if let Checked::Conflict(conflict) = self.simplex.check().ok_or(Open::Great)? {
            return Ok(ended(conflict));
        }
        let mut fewest: Option<(usize, usize)> = None;
        for choice in self.choices.clone() {
            let Entry::Choice(parts) = &self.entries[choice] else { continue };
            let parts = parts.clone();
            let satisfied = parts.iter().map(|part| self.holds(part)).collect::<Option<Vec<bool>>>();
            if satisfied.ok_or(Open::Great)?.contains(&true) {
                continue;
            }
            let mut found = Vec::new();
            for part in &parts {
                self.meter.node()?;
                found.push(self.branch(&Start::Assertion(part), true)?);
            }
            let open = found.iter().filter(|one| one.is_none()).count();
            if open <= 1 {
                return self.fork(Some(choice), None, found);
            }
            // A probe moves the point; what comes next is asked of it as it is.
            if fewest.is_none_or(|(least, _)| open < least) {
                fewest = Some((open, choice));
            }
        }
        if let Checked::Conflict(conflict) = self.simplex.check().ok_or(Open::Great)? {
            return Ok(ended(conflict));
        }
        let (first, later) = self.cuts().ok_or(Open::Great)?;
        if let Some(fork) = first {
            return self.fork(None, Some(fork), vec![None, None]);
        }
        if let Some((_, choice)) = fewest {
            let Entry::Choice(parts) = &self.entries[choice] else { return Err(Open::Great) };
            let open = parts.iter().map(|_| None).collect();
            return self.fork(Some(choice), None, open);
        }
        // Of these forks one that ends at once is best, then one that leaves a single branch.
        let mut best: Option<(usize, (Sum, bool), Vec<_>)> = None;
        for (sum, multiply) in later {
            let opposite = sum.opposite().ok_or(Open::Great)?;
            let mut found = Vec::new();
            for side in [sum.clone(), opposite] {
                self.meter.node()?;
                found.push(self.branch(&Start::Sum(side, multiply), true)?);
            }
            let open = found.iter().filter(|one| one.is_none()).count();
            if best.as_ref().is_none_or(|(least, ..)| open < *least) {
                best = Some((open, (sum, multiply), found));
            }
            if open == 0 {
                break;
            }
        }
        match best {
            Some((_, fork, found)) => self.fork(None, Some(fork), found),
            None => Err(Open::Satisfied),
        }
    }

    /// Refutes each branch of a choice or of a sum and its opposite, as far as that is still to be
    /// done.
    fn fork(
        &mut self,
        choice: Option<usize>,
        sum: Option<(Sum, bool)>,
        found: Vec<Option<(Vec<usize>, Refutation)>>,
    ) -> Result<Refutation, Open> {
        let mut branches = Vec::new();
        for (number, done) in found.into_iter().enumerate() {
            let branch = match (done, &sum, choice) {
                (Some(done), ..) => Some(done),
                (None, Some((sum, multiply)), _) => {
                    let own = if number == 0 { Some(sum.clone()) } else { sum.opposite() };
                    self.branch(&Start::Sum(own.ok_or(Open::Great)?, *multiply), false)?
                }
                (None, None, Some(choice)) => {
                    let Entry::Choice(parts) = &self.entries[choice] else { return Err(Open::Great) };
                    let part = parts[number].clone();
                    self.branch(&Start::Assertion(&part), false)?
                }
                (None, None, None) => None,
            };
            let (entries, refutation) = branch.ok_or(Open::Great)?;
            // What does not use the branch is a refutation without the fork.
            if entries.iter().all(|entry| !refutation.used.contains(entry)) {
                return Ok(refutation);
            }
            branches.push((entries, refutation));
        }
        let mut used: BTreeSet<usize> = choice.into_iter().collect();
        for (entries, refutation) in &branches {
            used.extend(refutation.used.iter().filter(|one| !entries.contains(one)));
        }
        let step = match (sum, choice) {
            (Some((sum, _)), _) => Step::Split(sum, branches),
            (None, Some(choice)) => Step::Or(choice, branches),
            (None, None) => return Err(Open::Great),
        };
        Ok(Refutation { step, used })
    }

    /// Returns the value of a sum at the point.
    fn value(&self, sum: &Sum) -> Option<Ratio> {
        let mut value = Ratio::whole(sum.constant);
        for (product, c) in &sum.terms {
            value = value.plus(Ratio::whole(*c).times(self.simplex.value(product))?)?;
        }
        Some(value)
    }

    fn holds(&self, assertion: &Assertion) -> Option<bool> {
        match assertion {
            Assertion::Holds(sum) => Some(self.value(sum)?.top >= 0),
            Assertion::All(parts) => parts.iter().try_fold(true, |all, part| Some(all && self.holds(part)?)),
            Assertion::Any(parts) => parts.iter().try_fold(false, |any, part| Some(any || self.holds(part)?)),
        }
    }

    /// Returns sums such that neither a sum nor its opposite, with their products, is 0 or more at
    /// the point: the first among those that come before choices, or else all others.
    fn cuts(&self) -> Option<(Option<Cut>, Vec<Cut>)> {
        let mut later = Vec::new();
        for Fork { sum, multiply, first } in &self.forks {
            let value = self.value(sum)?;
            let floor = value.top.div_euclid(value.bottom);
            let mut least = (value.bottom != 1).then_some(floor + 1);
            for parameter in (0..self.parameters).filter(|_| *multiply) {
                let product = sum.times(&Sum::unknown(parameter))?;
                if least.is_some() || !product.terms.keys().all(|key| self.simplex.knows(key)) {
                    continue;
                }
                let right = self.simplex.value(&vec![parameter]).times(value)?;
                let over = self.value(&product)?.minus(right)?.top;
                if over != 0 {
                    least = Some(if over > 0 { floor + 1 } else { floor });
                }
            }
            if let Some(least) = least {
                let fork = (sum.plus(-1, &Sum::number(least))?, *multiply);
                if *first {
                    return Some((Some(fork), later));
                }
                later.push(fork);
            }
        }
        Some((None, later))
    }

    /// Writes the lines of a refutation below these entries.
    fn write(&self, refutation: &Refutation, path: &mut Vec<usize>, lines: &mut String) {
        let length = path.len();
        let number = |path: &[usize], wanted: usize| {
            let is_fact = |entry: &usize| matches!(self.entries[*entry], Entry::Fact(_));
            let kind = is_fact(&wanted);
            1 + path
                .iter()
                .take_while(|entry| **entry != wanted)
                .filter(|entry| is_fact(entry) == kind)
                .count()
        };
        // Writing into a string does not fail.
        let _ = match &refutation.step {
            Step::End(conflict) => {
                let parts: Vec<String> =
                    conflict.iter().map(|(fact, times)| format!("{}*{times}", number(path, *fact))).collect();
                writeln!(lines, "end {}", parts.join(" "))
            }
            Step::Times([one, other, product], rest) => {
                let written = writeln!(lines, "times {} {}", number(path, *one), number(path, *other));
                path.push(*product);
                self.write(rest, path, lines);
                path.truncate(length);
                written
            }
            Step::Split(_, branches) | Step::Or(_, branches) => {
                let written = match &refutation.step {
                    Step::Split(sum, _) => writeln!(lines, "split {}", sum.text(self.names)),
                    Step::Or(choice, _) => writeln!(lines, "or {}", number(path, *choice)),
                    _ => Ok(()),
                };
                for (entries, rest) in branches {
                    path.extend(entries);
                    self.write(rest, path, lines);
                    path.truncate(length);
                }
                written
            }
        };
    }
}
