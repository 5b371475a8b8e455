//! A system of sentences about integers, and the steps by which it has no solution.
//!
//! On the way down the tree there are *facts*, polynomials that are 0 or more, and *choices*, lists
//! of sentences of which one holds. Both are numbered from 1 as they come. A line of the file is
//! one of four steps, each of them true of all integers:
//!
//! - `split E`: E is an integer, so E ≥ 0 or −E − 1 ≥ 0. Two branches, in this order.
//! - `or J`: one of the sentences of choice J holds. A branch for each, in their order.
//! - `times I J`: the product of two facts is a fact.
//! - `end I*M J*N …`: the sum of facts, times numbers M, N, … ≥ 0, is a negative number. But it is
//!   0 or more: the branch is closed.
//!
//! A fact is tightened as it comes ([`Polynomial::tightened`]).

use super::polynomial::Polynomial;
use super::sentence::{Integers, Sentence};
use crate::Rejected;
use crate::lines::Lines;
use crate::work::{Reason, Work, number, shown};
use std::rc::Rc;

/// What a branch begins with.
enum Start {
    Fact(Polynomial),
    Choice(Rc<Vec<Sentence>>, usize),
}

/// A branch that is still open: what holds on the way to it, and what it begins with.
struct Branch {
    facts: usize,
    choices: usize,
    bytes: usize,
    start: Start,
}

/// What holds in a branch.
#[derive(Default)]
struct Known {
    facts: Vec<Polynomial>,
    choices: Vec<Rc<Vec<Sentence>>>,
}

impl Known {
    fn assume(&mut self, sentence: &Sentence, work: &Work<'_>) -> Result<(), Reason> {
        match sentence {
            Sentence::AtLeast0(value) => self.fact(value, work),
            Sentence::All(parts) => parts.iter().try_for_each(|part| self.assume(part, work)),
            Sentence::Any(parts) => {
                work.hold(16)?;
                self.choices.push(Rc::clone(parts));
                Ok(())
            }
        }
    }

    fn fact(&mut self, value: &Polynomial, work: &Work<'_>) -> Result<(), Reason> {
        work.hold(value.bytes())?;
        self.facts.push(value.tightened());
        Ok(())
    }

    /// Returns the fact of this number.
    fn numbered(&self, text: &str) -> Result<&Polynomial, Reason> {
        let index = number::<usize>(text).and_then(|index| index.checked_sub(1));
        let fact = index.and_then(|index| self.facts.get(index));
        fact.ok_or_else(|| format!("there is no fact `{}`", shown(text)).into())
    }

    /// Checks that facts, times numbers, add up to a negative number.
    fn contradict(&self, sum: &str, work: &Work<'_>) -> Result<(), Reason> {
        let mut total = Polynomial::default();
        for part in sum.split(' ') {
            let (fact, times) = part.split_once('*').ok_or("here `FACT*NUMBER` should stand")?;
            let times: i128 = number(times)
                .filter(|times| *times >= 0)
                .ok_or_else(|| format!("`{}` is no number", shown(times)))?;
            total.add(times, self.numbered(fact)?, work)?;
        }
        match total.as_constant() {
            Some(value) if value < 0 => Ok(()),
            Some(value) => {
                Err(format!("these facts add up to {value}, which is no contradiction").into())
            }
            None => Err("these facts do not add up to a number".into()),
        }
    }
}

/// Checks that no integers satisfy all sentences and definitions. Returns the number of steps.
pub fn refuted(
    integers: &Integers,
    sentences: Vec<Sentence>,
    lines: &mut Lines<'_>,
    work: &Work<'_>,
) -> Result<usize, Rejected> {
    let mut known = Known::default();
    let mut steps = 0;
    let begin = integers.defined.iter().try_for_each(|value| known.fact(value, work));
    begin
        .and_then(|()| known.assume(&Sentence::all(sentences), work))
        .map_err(|why| lines.rejected(why))?;
    let mut open: Vec<Branch> = Vec::new();
    loop {
        // A branch goes on to its end, or to where it forks.
        let closed = step(integers, &mut known, &mut open, lines, work)
            .map_err(|why| lines.rejected(why))?;
        steps += 1;
        if closed {
            let Some(branch) = open.pop() else { return Ok(steps) };
            known.facts.truncate(branch.facts);
            known.choices.truncate(branch.choices);
            work.release(branch.bytes);
            match branch.start {
                Start::Fact(value) => known.fact(&value, work),
                Start::Choice(choice, index) => known.assume(&choice[index], work),
            }
            .map_err(|why| lines.rejected(why))?;
        }
    }
}

/// Takes the step of the next line; returns whether it leaves the branch for the next open one.
fn step(
    integers: &Integers,
    known: &mut Known,
    open: &mut Vec<Branch>,
    lines: &mut Lines<'_>,
    work: &Work<'_>,
) -> Result<bool, Reason> {
    let line = lines.take();
    work.spend(64 + 4 * line.len())?;
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let starts: Vec<Start> = match word {
        "end" => {
            known.contradict(rest, work)?;
            return Ok(true);
        }
        "times" => {
            let (one, other) = rest.split_once(' ').ok_or("here `times FACT FACT` should stand")?;
            let product = known.numbered(one)?.times(known.numbered(other)?, work)?;
            known.fact(&product, work)?;
            return Ok(false);
        }
        "split" => {
            let value = Polynomial::read(rest, &integers.names, work)?;
            let other = value.negated(work)?;
            work.hold(value.bytes() + other.bytes())?;
            vec![Start::Fact(value), Start::Fact(other)]
        }
        "or" => {
            let index = number::<usize>(rest).and_then(|index| index.checked_sub(1));
            let choice = index.and_then(|index| known.choices.get(index));
            let choice = choice.ok_or_else(|| format!("there is no choice `{}`", shown(rest)))?;
            work.spend(16 * choice.len())?;
            (0..choice.len()).map(|index| Start::Choice(Rc::clone(choice), index)).collect()
        }
        other => return Err(format!("`{}` is no step", shown(other)).into()),
    };
    // The list grows by doubling.
    work.hold(3 * starts.len() * size_of::<Branch>())?;
    let (facts, choices, bytes) = (known.facts.len(), known.choices.len(), work.bytes());
    open.extend(starts.into_iter().rev().map(|start| Branch { facts, choices, bytes, start }));
    Ok(true)
}
