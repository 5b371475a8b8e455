//! The automaton of a formula without quantifiers, digits to any base, with nothing guessed.
//!
//! Digits come most significant first. If x is b·v + w after the next digits, then x div d is b·(v
//! div d) + (b·(v mod d) + w) div d: a quotient runs along with what is divided, its next "digit"
//! known by the remainder. So of a sum of variables and quotients its value without constants is
//! known after each column, and the state is these values of all sums compared, cut off where no
//! digits bring them back, and the remainders. Constants are added when the numbers end: they
//! change a quotient by what the remainder says.
//!
//! In digits by a recurrence of order d with coefficients a₁, a₂, … ([`DigitSystem`]) a value v₀ is
//! known with those behind it, v₁, …, v_{d−1}: after the next digits, which weigh w, v_j is
//! a_{j+1}·v₀ + v_{j′} + w, where a_{j+1} leads from mark j to mark j′. Quotients have no digits
//! there if d > 1.

use bouton_automata::acceptor::{Acceptor, columns, explore};
use bouton_automata::effort::{Undecided, check_memory};
use bouton_core::{DigitSystem, Formula, Meter, Node, Relation, Term};
use std::collections::BTreeMap;

/// Greatest coefficients, constants and divisors, and most cases of a term or comparison.
const MAX_NUMBER: i64 = 1 << 40;
const CASES: usize = 1024;

const LARGE: Undecided = Undecided::Automatic("numbers so large");

/// What sums add up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Summand {
    Variable(usize),
    /// A quotient, and its remainder, by the number of the division.
    Quotient(usize),
    Remainder(usize),
}

/// Coefficients, none 0, and a constant.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
struct Sum {
    parts: BTreeMap<Summand, i64>,
    constant: i64,
}

impl Sum {
    fn single(part: Summand) -> Sum {
        let mut sum = Sum::default();
        sum.parts.insert(part, 1);
        sum
    }

    fn number(constant: i64) -> Sum {
        Sum { constant, ..Sum::default() }
    }

    /// Returns self + k·other.
    fn plus(mut self, k: i64, other: &Sum) -> Result<Sum, Undecided> {
        let added = |x: i64, c: i64| {
            c.checked_mul(k)
                .and_then(|c| c.checked_add(x))
                .filter(|c| c.abs() <= MAX_NUMBER)
                .ok_or(LARGE)
        };
        self.constant = added(self.constant, other.constant)?;
        for (part, c) in &other.parts {
            let own = self.parts.entry(*part).or_insert(0);
            *own = added(*own, *c)?;
        }
        self.parts.retain(|_, c| *c != 0);
        Ok(self)
    }
}

/// A range of values.
type Range = (i64, i64);

/// What a comparison or its conditions come to; a number names a sum that is compared.
#[derive(Debug, Clone)]
enum Logic {
    Known(bool),
    /// The sum is at most 0.
    AtMost(usize),
    Not(Box<Logic>),
    And(Vec<Logic>),
    Or(Vec<Logic>),
    Iff(Box<Logic>, Box<Logic>),
}

impl Logic {
    /// Returns whether it is so, by what is known of each sum; none if that does not tell.
    fn decided(&self, at_most: &dyn Fn(usize) -> Option<bool>) -> Option<bool> {
        let first = |parts: &[Logic], end: bool| {
            let mut decided = Some(!end);
            for part in parts {
                match part.decided(at_most) {
                    Some(truth) if truth == end => return Some(end),
                    Some(_) => {}
                    None => decided = None,
                }
            }
            decided
        };
        match self {
            Logic::Known(truth) => Some(*truth),
            Logic::AtMost(sum) => at_most(*sum),
            Logic::Not(inner) => Some(!inner.decided(at_most)?),
            Logic::And(parts) => first(parts, false),
            Logic::Or(parts) => first(parts, true),
            Logic::Iff(one, other) => Some(one.decided(at_most)? == other.decided(at_most)?),
        }
    }
}

/// A value in one case: what has to hold for it, and the value.
type Case = (Vec<Logic>, Sum);

/// Divisions and comparisons, each once.
struct Running {
    digits: DigitSystem,
    /// How many digits there are.
    base: i64,
    /// By mark the coefficient, and the mark to which it leads.
    coefficients: Vec<(i64, Option<usize>)>,
    divisions: Vec<(Sum, i64)>,
    compared: Vec<Sum>,
}

/// Returns the automaton of a formula's free variables in these digits, which are not binary. By a
/// recurrence of several terms it may accept some rows of digits that stand for no numbers.
pub(super) fn acceptor(
    formula: &Formula,
    digits: DigitSystem,
    meter: &mut Meter,
) -> Result<Acceptor, Undecided> {
    let (once, for_ever) = digits.coefficients();
    let marked = once.iter().chain(for_ever).enumerate();
    let coefficients =
        marked.map(|(mark, own)| (i64::from(*own), digits.next_mark(mark))).collect();
    let mut running = Running {
        digits,
        base: digits.base() as i64,
        coefficients,
        divisions: Vec::new(),
        compared: Vec::new(),
    };
    let logic = running.node(&formula.root)?;
    let letters = columns(digits.base(), formula.free);
    let letters = letters.ok_or(Undecided::Automatic("so many heaps to this base"))?;
    running.explored(&logic, formula.free, letters, meter)
}

impl Running {
    fn node(&mut self, node: &Node) -> Result<Logic, Undecided> {
        Ok(match node {
            Node::Constant(truth) => Logic::Known(*truth),
            Node::Compare(left, relation, right) => {
                let (left, right) = (self.term(left)?, self.term(right)?);
                let mut cases = Vec::new();
                for (conditions, one) in &left {
                    for (others, other) in &right {
                        let compared = self.compare(one.clone().plus(-1, other)?, *relation)?;
                        cases.push(Logic::And([&conditions[..], others, &[compared]].concat()));
                        few(cases.len())?;
                    }
                }
                Logic::Or(cases)
            }
            Node::Not(inner) => Logic::Not(self.node(inner)?.into()),
            Node::And(parts) => Logic::And(self.nodes(parts)?),
            Node::Or(parts) => Logic::Or(self.nodes(parts)?),
            Node::Implies(one, other) => {
                Logic::Or(vec![Logic::Not(self.node(one)?.into()), self.node(other)?])
            }
            Node::Iff(one, other) => Logic::Iff(self.node(one)?.into(), self.node(other)?.into()),
            Node::Exists(..) | Node::Forall(..) => {
                return Err(Undecided::Automatic("quantifiers in digits to a base other than 2"));
            }
        })
    }

    fn nodes(&mut self, parts: &[Node]) -> Result<Vec<Logic>, Undecided> {
        parts.iter().map(|part| self.node(part)).collect()
    }

    /// Returns how a difference is to 0.
    fn compare(&mut self, sum: Sum, relation: Relation) -> Result<Logic, Undecided> {
        let contrary = Sum::default().plus(-1, &sum)?;
        let one = Sum::number(1);
        Ok(match relation {
            Relation::AtMost => self.at_most(sum),
            Relation::AtLeast => self.at_most(contrary),
            Relation::Less => self.at_most(sum.plus(1, &one)?),
            Relation::Greater => self.at_most(contrary.plus(1, &one)?),
            Relation::Equal => Logic::And(vec![self.at_most(sum), self.at_most(contrary)]),
            Relation::Unequal => {
                Logic::Not(Logic::And(vec![self.at_most(sum), self.at_most(contrary)]).into())
            }
        })
    }

    fn at_most(&mut self, sum: Sum) -> Logic {
        if sum.parts.is_empty() {
            return Logic::Known(sum.constant <= 0);
        }
        let at = self.compared.iter().position(|own| *own == sum).unwrap_or_else(|| {
            self.compared.push(sum);
            self.compared.len() - 1
        });
        Logic::AtMost(at)
    }

    /// Returns the number of a division of a sum, each made once.
    fn division(&mut self, sum: &Sum, by: u64) -> Result<usize, Undecided> {
        let by = i64::try_from(by).ok().filter(|by| (1..=MAX_NUMBER).contains(by)).ok_or(LARGE)?;
        let own = (sum.clone(), by);
        Ok(self.divisions.iter().position(|one| *one == own).unwrap_or_else(|| {
            self.divisions.push(own);
            self.divisions.len() - 1
        }))
    }

    /// Returns the value in each case. Some case holds, and where several do their values are the
    /// same.
    fn term(&mut self, term: &Term) -> Result<Vec<Case>, Undecided> {
        let alone = |sum: Sum| vec![(Vec::new(), sum)];
        Ok(match term {
            Term::Number(k) => {
                let k = i64::try_from(*k).ok().filter(|k| *k <= MAX_NUMBER).ok_or(LARGE)?;
                alone(Sum::number(k))
            }
            Term::Variable(v) => alone(Sum::single(Summand::Variable(*v))),
            Term::Multiple(k, inner) => {
                let each =
                    |(conditions, sum): Case| Ok((conditions, Sum::default().plus(*k, &sum)?));
                self.term(inner)?.into_iter().map(each).collect::<Result<_, Undecided>>()?
            }
            Term::Sum(parts) => {
                let mut all = alone(Sum::default());
                for part in parts {
                    let mut next = Vec::new();
                    for (others, more) in self.term(part)? {
                        for (conditions, sum) in &all {
                            next.push((
                                [&conditions[..], &others].concat(),
                                sum.clone().plus(1, &more)?,
                            ));
                            few(next.len())?;
                        }
                    }
                    all = next;
                }
                all
            }
            Term::Min(parts) => self.extreme(parts, Relation::AtMost)?,
            Term::Max(parts) => self.extreme(parts, Relation::AtLeast)?,
            Term::Quotient(..) if !self.digits.is_to_base() => {
                return Err(Undecided::Automatic("quotients in digits by a recurrence"));
            }
            Term::Quotient(inner, by) => self.divided(inner, *by, Summand::Quotient)?,
            Term::Remainder(inner, by) => self.divided(inner, *by, Summand::Remainder)?,
            Term::DigitSum(..) => {
                return Err(Undecided::Automatic("nim-sums in digits to a base other than 2"));
            }
            Term::Arithmetic(word, _) => return Err(Undecided::Word(word.described())),
            Term::Shift(_) | Term::Floor(..) => {
                return Err(Undecided::Automatic("multiples of irrational numbers"));
            }
        })
    }

    fn divided(
        &mut self,
        inner: &Term,
        by: u64,
        part: fn(usize) -> Summand,
    ) -> Result<Vec<Case>, Undecided> {
        let mut all = Vec::new();
        for (conditions, sum) in self.term(inner)? {
            all.push((conditions, Sum::single(part(self.division(&sum, by)?))));
        }
        Ok(all)
    }

    /// Returns the one of these terms that is so to all others.
    fn extreme(&mut self, parts: &[Term], relation: Relation) -> Result<Vec<Case>, Undecided> {
        let mut all: Option<Vec<Case>> = None;
        for part in parts {
            let own = self.term(part)?;
            let Some(before) = all.take() else {
                all = Some(own);
                continue;
            };
            let mut next = Vec::new();
            for (conditions, one) in &before {
                for (others, other) in &own {
                    for (best, rest) in [(one, other), (other, one)] {
                        let better = self.compare(best.clone().plus(-1, rest)?, relation)?;
                        next.push(([&conditions[..], others, &[better]].concat(), best.clone()));
                        few(next.len())?;
                    }
                }
            }
            all = Some(next);
        }
        all.ok_or(Undecided::Automatic("the least of nothing"))
    }

    /// Returns what one column adds to parts, at least and at most, and what the end does.
    #[allow(clippy::type_complexity)]
    fn ranges(&self) -> Result<(Vec<Range>, Vec<Range>), Undecided> {
        // Of quotients: their next digit, and what constants change at the end.
        let (mut digits, mut ends): (Vec<Range>, Vec<Range>) = (Vec::new(), Vec::new());
        for (sum, by) in &self.divisions {
            let (low, high) = self.range(sum, &digits)?;
            let grown = (self.base * (by - 1)).checked_add(high).ok_or(LARGE)?;
            digits.push((low.div_euclid(*by), grown.div_euclid(*by)));
            let (least, most) = self.end(sum, &ends)?;
            ends.push((least.div_euclid(*by), (by - 1 + most).div_euclid(*by)));
        }
        Ok((digits, ends))
    }

    /// Returns what a column adds to a sum without its constant, whatever b times what was read
    /// comes to.
    fn range(&self, sum: &Sum, digits: &[Range]) -> Result<Range, Undecided> {
        spread(&sum.parts, &|part| match part {
            Summand::Variable(_) => (0, self.base - 1),
            Summand::Quotient(own) => digits[own],
            Summand::Remainder(_) => (0, 0),
        })
    }

    /// Returns what the end adds to a sum: its constant, and what becomes of its parts.
    fn end(&self, sum: &Sum, ends: &[Range]) -> Result<Range, Undecided> {
        let (least, most) = spread(&sum.parts, &|part| match part {
            Summand::Variable(_) => (0, 0),
            Summand::Quotient(own) => ends[own],
            Summand::Remainder(own) => (0, self.divisions[own].1 - 1),
        })?;
        Ok((least + sum.constant, most + sum.constant))
    }

    fn explored(
        &self,
        logic: &Logic,
        tracks: usize,
        letters: usize,
        meter: &mut Meter,
    ) -> Result<Acceptor, Undecided> {
        let (digits, ends) = self.ranges()?;
        let mut limits = Vec::new();
        for sum in &self.compared {
            let ((low, high), (least, most)) = (self.range(sum, &digits)?, self.end(sum, &ends)?);
            // What is that small only falls, and what is that great only rises.
            let down = self.rising(-high, most).into_iter().map(|value| -value).collect();
            limits.push([down, self.rising(low, 1 - least)]);
        }
        let base = self.base as usize;
        let read: Vec<Vec<i64>> = (0..letters)
            .map(|letter| {
                (0..tracks).map(|track| (letter / base.pow(track as u32) % base) as i64).collect()
            })
            .collect();
        let width = self.order() * (self.divisions.len() + self.compared.len());
        let enter = |state: &RunState, known: usize| {
            meter.spend_and_poll((letters * (1 + width)) as u64)?;
            check_memory(meter, known * (4 * letters + 64 + 16 * width))?;
            Ok(match state {
                RunState::On(values) => self.accepts(values, logic),
                RunState::Decided(truth) => *truth,
            })
        };
        let step = |state: &RunState, letter: usize| {
            Some(match state {
                RunState::On(values) => self.after(values, &read[letter], &limits, logic),
                decided => decided.clone(),
            })
        };
        let (next, accepts) = explore(RunState::On(vec![0; width]), letters, enter, step)?;
        Ok(Acceptor { digits: self.digits, tracks, next, accepts })
    }

    fn order(&self) -> usize {
        self.coefficients.len()
    }

    /// Returns the least value, at least so great, that no columns lessen which add at least `low`,
    /// with those behind it.
    fn rising(&self, low: i64, least: i64) -> Vec<i64> {
        // Each but the last is the same after the column that adds so little.
        let values = |first: i64| {
            let mut values = vec![first];
            for (own, _) in &self.coefficients[..self.order() - 1] {
                values.push(values[values.len() - 1] - own * first - low);
            }
            values
        };
        // How much more the last one is after it.
        let more = |first: i64| {
            let values = values(first);
            self.grown(&values, low)[values.len() - 1] - values[values.len() - 1]
        };
        let (none, each) = (more(0), more(1) - more(0));
        values(least.max(-none.div_euclid(each)))
    }

    /// Returns a value, and those behind it, after one more column, which weighs so much.
    fn grown(&self, value: &[i64], weighs: i64) -> Vec<i64> {
        let after = |(own, next): &(i64, Option<usize>)| {
            own * value[0] + next.map_or(0, |mark| value[mark]) + weighs
        };
        self.coefficients.iter().map(after).collect()
    }

    /// Returns the state after a column.
    fn after(
        &self,
        values: &[i64],
        column: &[i64],
        limits: &[[Vec<i64>; 2]],
        logic: &Logic,
    ) -> RunState {
        let mut digits: Vec<i64> = Vec::with_capacity(self.divisions.len());
        let mut next = Vec::with_capacity(values.len());
        let weight = |sum: &Sum, digits: &[i64]| -> i64 {
            let of = |part: &Summand| match part {
                Summand::Variable(v) => column[*v],
                Summand::Quotient(own) => digits[*own],
                Summand::Remainder(_) => 0,
            };
            sum.parts.iter().map(|(part, c)| c * of(part)).sum()
        };
        let (divided, compared) = values.split_at(self.order() * self.divisions.len());
        for ((sum, by), left) in self.divisions.iter().zip(divided.chunks(self.order())) {
            let begun = next.len();
            next.extend(self.grown(left, weight(sum, &digits)));
            digits.push(next[begun].div_euclid(*by));
            next[begun..].iter_mut().for_each(|value| *value = value.rem_euclid(*by));
        }
        let mut settled = Vec::with_capacity(limits.len());
        for ((sum, value), [down, up]) in
            self.compared.iter().zip(compared.chunks(self.order())).zip(limits)
        {
            let begun = next.len();
            next.extend(self.grown(value, weight(sum, &digits)));
            let grown = &mut next[begun..];
            let is_at_most =
                |one: &[i64], other: &[i64]| one.iter().zip(other).all(|(one, other)| one <= other);
            if is_at_most(grown, down) {
                grown.copy_from_slice(down);
                settled.push(Some(true));
            } else if is_at_most(up, grown) {
                grown.copy_from_slice(up);
                settled.push(Some(false));
            } else {
                settled.push(None);
            }
        }
        match logic.decided(&|sum| settled[sum]) {
            Some(truth) => RunState::Decided(truth),
            None => RunState::On(next),
        }
    }

    /// Returns whether the formula holds if the numbers end here.
    fn accepts(&self, values: &[i64], logic: &Logic) -> bool {
        let own: Vec<i64> = values.iter().copied().step_by(self.order()).collect();
        let (divided, compared) = own.split_at(self.divisions.len());
        // What the end makes of quotients and remainders.
        let mut ends: Vec<(i64, i64)> = Vec::new();
        let end = |sum: &Sum, ends: &[(i64, i64)]| -> i64 {
            let of = |part: &Summand| match part {
                Summand::Variable(_) => 0,
                Summand::Quotient(own) => ends[*own].0,
                Summand::Remainder(own) => ends[*own].1,
            };
            sum.constant + sum.parts.iter().map(|(part, c)| c * of(part)).sum::<i64>()
        };
        for ((sum, by), left) in self.divisions.iter().zip(divided) {
            let whole = left + end(sum, &ends);
            ends.push((whole.div_euclid(*by), whole.rem_euclid(*by)));
        }
        let at_most = |sum: usize| Some(compared[sum] + end(&self.compared[sum], &ends) <= 0);
        logic.decided(&at_most) == Some(true)
    }
}

/// A state: values and remainders, or what is certain whatever follows.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum RunState {
    On(Vec<i64>),
    Decided(bool),
}

fn few(cases: usize) -> Result<(), Undecided> {
    if cases > CASES { Err(Undecided::Automatic("a comparison of so many cases")) } else { Ok(()) }
}

/// Returns least and greatest value of a sum whose parts are in these ranges.
fn spread(
    parts: &BTreeMap<Summand, i64>,
    range: &dyn Fn(Summand) -> Range,
) -> Result<Range, Undecided> {
    let mut all = (0i64, 0i64);
    for (part, c) in parts {
        let (low, high) = range(*part);
        let times = |x: i64| c.checked_mul(x).filter(|x| x.abs() <= MAX_NUMBER).ok_or(LARGE);
        let (one, other) = (times(low)?, times(high)?);
        all = (all.0 + one.min(other), all.1 + one.max(other));
    }
    if all.0 < -MAX_NUMBER || all.1 > MAX_NUMBER { Err(LARGE) } else { Ok(all) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use bouton_core::Budget;

    /// Random numbers, the same in every run.
    struct Random(fastrand::Rng);

    impl Random {
        /// Asserts that an automaton accepts what a formula of two numbers says, and counts both.
        fn held(&mut self, own: &Acceptor, formula: &Formula, both: &mut [usize; 2]) {
            for x in 0..400 {
                let (a, b) =
                    if x < 144 { (x / 12, x % 12) } else { (self.below(3000), self.below(3000)) };
                let holds = formula.holds(&[a, b]).unwrap();
                assert_eq!(own.holds(&[a, b]), holds, "{formula}, {}: {a}, {b}", own.digits);
                both[usize::from(holds)] += 1;
            }
        }

        fn below(&mut self, n: u64) -> u64 {
            self.0.u64(..n)
        }

        /// Returns a term without minus.
        fn term(&mut self, depth: u64) -> String {
            if depth == 0 {
                return match self.below(5) {
                    0 => self.below(20).to_string(),
                    1 | 2 => "a".into(),
                    _ => "b".into(),
                };
            }
            let (one, k) = (self.term(depth - 1), 2 + self.below(6));
            match self.below(7) {
                0 => format!("({one} div {k})"),
                1 => format!("({one} mod {k})"),
                2 => format!("{k}*({one})"),
                3 => format!("min({one}, {})", self.term(depth - 1)),
                4 => format!("max({one}, {})", self.term(depth - 1)),
                _ => format!("({one} + {})", self.term(depth - 1)),
            }
        }

        fn formula(&mut self, depth: u64) -> String {
            if depth == 0 {
                let relation = ["=", "!=", "<", "<=", ">", ">="][self.below(6) as usize];
                let (depth, other) = (self.below(4), self.below(3));
                let minus = if self.below(3) == 0 {
                    format!(" - {}", self.term(other))
                } else {
                    String::new()
                };
                return format!("{}{minus} {relation} {}", self.term(depth), self.term(other));
            }
            let one = self.formula(depth - 1);
            match self.below(5) {
                0 => format!("~({one})"),
                1 => format!("(({one}) => ({}))", self.formula(depth - 1)),
                2 => format!("(({one}) <=> ({}))", self.formula(depth - 1)),
                3 => format!("(({one}) | ({}))", self.formula(depth - 1)),
                _ => format!("(({one}) & ({}))", self.formula(depth - 1)),
            }
        }
    }

    /// Random formulas: what the automaton accepts is what the formula says of numbers, and in
    /// binary digits it is the automaton that is made by guessing quotients.
    #[test]
    fn automata_accept_what_formulas_say() {
        let mut lot = Random(fastrand::Rng::with_seed(0x1d2b_77f3_0c4e_9a61));
        let names = ["a".to_owned(), "b".to_owned()];
        let (mut read, mut both) = (0, [0; 2]);
        for number in 0..250 {
            let text = match number {
                0 => "b = a div 3".to_owned(),
                1 => "(a + 7) div 5 mod 3 - 2*b div 6 + 1 <= (b mod 7 + 4) div 3".to_owned(),
                _ => lot.formula(number % 3),
            };
            let formula =
                Formula::parse_over(&text, &names).unwrap_or_else(|why| panic!("{text}: {why:?}"));
            let base = 3 + lot.below(8) as usize;
            let meter = &mut Meter::new(&Budget { nodes: Some(1 << 23), ..Budget::default() });
            let made = match acceptor(&formula, DigitSystem::to_base(base), meter) {
                Ok(made) => made.minimal(meter).unwrap_or(made),
                Err(Undecided::Limit(_)) => continue,
                Err(why) => panic!("{text}: {why}"),
            };
            assert_eq!(made.next[0][0], 0, "{text}");
            read += 1;
            lot.held(&made, &formula, &mut both);
            let binary = acceptor(&formula, DigitSystem::to_base(2), meter)
                .and_then(|own| Ok(own.minimal(meter)?));
            let guessed = Acceptor::binary(&formula, meter).and_then(|own| Ok(own.minimal(meter)?));
            if let (Ok(binary), Ok(guessed)) = (binary, guessed) {
                assert_eq!(binary, guessed, "{text}");
            }
        }
        assert!(read > 180 && both.iter().all(|count| *count > 10_000), "{read} {both:?}");
    }

    /// The same in digits by recurrences, of formulas without quotients; in those of Zeckendorf the
    /// automaton is the one that is made by guessing.
    #[test]
    fn automata_in_digits_by_recurrences_accept_what_formulas_say() {
        let mut lot = Random(fastrand::Rng::with_seed(0x6f0a_91c3_55d8_2be7));
        let names = ["a".to_owned(), "b".to_owned()];
        let (mut read, mut both) = ([0; 4], [0; 2]);
        for number in 0..1200 {
            let text = match number {
                0 => "a <= b + 2 & b <= a + 2".to_owned(),
                _ => lot.formula(number % 3),
            };
            let formula =
                Formula::parse_over(&text, &names).unwrap_or_else(|why| panic!("{text}: {why:?}"));
            // Two to four coefficients that fall.
            let mut coefficients = vec![1 + lot.below(9) as usize];
            for _ in 0..1 + number % 3 {
                coefficients
                    .push(1 + lot.below(coefficients[coefficients.len() - 1] as u64) as usize);
            }
            let meter = &mut Meter::new(&Budget { nodes: Some(1 << 22), ..Budget::default() });
            // Or two of which the latter is less and repeats.
            let repeated = usize::from(number % 6 == 0 && coefficients[1] < coefficients[0]);
            coefficients.truncate(if repeated > 0 { 2 } else { coefficients.len() });
            let mut made = |once: &[usize], for_ever: &[usize]| -> Result<Acceptor, Undecided> {
                let digits = DigitSystem::from_coefficients(once, for_ever).unwrap();
                Ok(acceptor(&formula, digits, meter)?.restricted_to_numerals(meter)?)
            };
            let (once, for_ever) = coefficients.split_at(coefficients.len() - repeated);
            let own = match made(once, for_ever) {
                Ok(own) => own,
                Err(Undecided::Limit(_)) => continue,
                Err(why) => {
                    assert!(why.to_string().contains("quotients"), "{text}: {why}");
                    continue;
                }
            };
            read[if repeated > 0 { 3 } else { coefficients.len() - 2 }] += 1;
            lot.held(&own, &formula, &mut both);
            if let Ok(two) = made(&[1, 1], &[]) {
                assert_eq!(
                    two,
                    Acceptor::zeckendorf(&formula, meter).unwrap().with_tracks(2),
                    "{text}"
                );
            }
        }
        let is_enough =
            read.iter().all(|read| *read > 50) && both.iter().all(|count| *count > 5000);
        assert!(is_enough, "{read:?} {both:?}");
    }

    /// The same where a coefficient is 0: digits of which numbers are sums of the last one and one
    /// some places before.
    #[test]
    fn automata_in_digits_whose_recurrences_have_zeros() {
        let mut lot = Random(fastrand::Rng::with_seed(0x31c7));
        let names = ["a".to_owned(), "b".to_owned()];
        let (mut read, mut both) = (0, [0; 2]);
        for number in 0..60 {
            let text = lot.formula(0);
            let formula = Formula::parse_over(&text, &names).unwrap();
            let digits = DigitSystem::from_coefficients(
                [&[1, 0, 1][..], &[2, 0, 1], &[2, 1, 2]][number % 3],
                &[],
            );
            let meter = &mut Meter::new(&Budget { nodes: Some(1 << 20), ..Budget::default() });
            let made = acceptor(&formula, digits.unwrap(), meter);
            let Ok(own) = made else { continue };
            let Ok(own) = own.restricted_to_numerals(meter) else { continue };
            read += 1;
            lot.held(&own, &formula, &mut both);
        }
        assert!(read > 5 && both.iter().all(|count| *count > 200), "{read} {both:?}");
    }

    #[test]
    fn what_has_no_words_in_a_base_is_refused() {
        let names = ["a".to_owned(), "b".to_owned()];
        let meter = &mut Meter::new(&Budget::default());
        for (text, what) in [
            ("a xor b = 0", "nim-sums"),
            ("E x: a = 2*x", "quantifiers"),
            ("shift(a) = b", "irrational"),
            ("4294967295*(4294967295*a) = b", "large"),
        ] {
            let formula = Formula::parse_over(text, &names).unwrap();
            let why = acceptor(&formula, DigitSystem::to_base(3), meter).unwrap_err().to_string();
            assert!(why.contains(what), "{text}: {why}");
        }
    }
}
