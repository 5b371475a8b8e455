//! Claims on games with parameters, for all their values: take 1 or h from a heap, or from stones
//! that are paid for.
//!
//! A claim is read with products of unknowns as unknowns of their own ([`sum`]); both halves of
//! the criterion for P-positions, no move from P to P, and one from N to P, are then systems of
//! linear inequalities between integers that have no solution (`refute`). What is shown, and why
//! it suffices, is in docs/certificates.md, kind `parameters`.

mod expression;
mod refute;
mod simplex;
mod sum;

pub use expression::{Expression, Integer, Operation};
pub use refute::NotRefuted;

use bouton_certificate::{Certificate, CertificateKind, PPositionsClaim};
use bouton_core::{Arrange, LimitReached, Meter, NotationError, Relation};
use refute::refute;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use sum::{Assertion, Sum, Unknowns};

/// A game whose amounts are expressions in parameters.
#[derive(Debug, Clone)]
pub struct ParametricGame {
    name: String,
    parameters: Vec<String>,
    amounts: Vec<Amount>,
    positions: ParametricPositions,
}

/// What the positions of a game with parameters are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParametricPositions {
    /// A heap `a`, from which an amount is taken.
    Heap,
    /// `n` stones, of which each that is taken costs a dollar, the purse `d` of the player to move,
    /// and that of the other player, `e`.
    StonesAndPurses,
}

impl ParametricPositions {
    /// Returns what is before the amounts where certificates write the game, and behind them.
    fn notation(self) -> (&'static str, &'static str) {
        match self {
            ParametricPositions::Heap => ("S(", ")"),
            ParametricPositions::StonesAndPurses => ("NIM(", ";n;d,e)"),
        }
    }

    /// Returns the names of the numbers of a position.
    fn coordinates(self) -> &'static [&'static str] {
        match self {
            ParametricPositions::Heap => &["a"],
            ParametricPositions::StonesAndPurses => &["n", "d", "e"],
        }
    }
}

/// What a move may take: from the first number to the second one.
#[derive(Debug, Clone)]
struct Amount {
    least: Expression,
    most: Expression,
    /// Whether it is one number.
    single: bool,
}

/// Names that no parameter has: heaps, purses, the number taken, quotients.
const RESERVED: [&str; 6] = ["a", "n", "d", "e", "t", "q"];

impl ParametricGame {
    /// Reads a game as certificates write it: `S(1,h)`, or `NIM(1,L;n;d,e)` with stones and purses.
    /// Errors say that `accepted` is accepted.
    ///
    /// # Errors
    ///
    /// At the place of the first fault in the text; if no parameter occurs in it.
    pub fn parse(text: &str, accepted: &str) -> Result<ParametricGame, NotationError> {
        let read = |positions: ParametricPositions| {
            let (head, tail) = positions.notation();
            let amounts = text.strip_prefix(head)?.strip_suffix(tail)?;
            let game = ParametricGame::new(positions, amounts, accepted);
            Some(game.map_err(|error| error.in_longer_text(text, head.len())))
        };
        let is_none =
            || Err(NotationError::new(text, 0..text.len(), "this is no such game", accepted));
        read(ParametricPositions::Heap)
            .or_else(|| read(ParametricPositions::StonesAndPurses))
            .unwrap_or_else(is_none)
    }

    /// Returns the game with these amounts: numbers, and expressions in parameters, as `1,h,h+1` or
    /// `L..M`. Errors say that `accepted` is accepted.
    ///
    /// # Errors
    ///
    /// At the place of the first fault in the list; if no parameter occurs in it.
    pub fn new(
        positions: ParametricPositions,
        amounts: &str,
        accepted: &str,
    ) -> Result<ParametricGame, NotationError> {
        let fault = |at: usize, len: usize, what: &str| {
            NotationError::new(amounts, at..at + len, what, accepted)
        };
        let (head, tail) = positions.notation();
        let name = format!("{head}{}{tail}", amounts.replace(' ', ""));
        let mut game =
            ParametricGame { name, parameters: Vec::new(), amounts: Vec::new(), positions };
        let mut at = 0;
        for item in amounts.split(',') {
            let ends: Vec<&str> = item.split("..").collect();
            if ends.len() > 2 {
                return Err(fault(at, item.len(), "a range has two ends"));
            }
            let mut read = Vec::new();
            let mut place = at;
            for end in &ends {
                let parsed =
                    Expression::parse(end).map_err(|error| error.in_longer_text(amounts, place))?;
                if parsed.is_sentence() {
                    return Err(fault(place, end.len(), "here a number should stand"));
                }
                let mut wrong = None;
                parsed.operations(&mut |operation, _, at| {
                    if matches!(operation, Operation::Div | Operation::Mod) {
                        wrong = Some((at, 3, "an amount is a sum of products"));
                    }
                });
                parsed.names(&mut |name, at| {
                    if name.len() > 1 || RESERVED.contains(&name) {
                        let what = "a parameter is one letter, none of a, n, d, e, t, q";
                        wrong = Some((at, name.len(), what));
                    } else if !game.parameters.iter().any(|own| own == name) {
                        game.parameters.push(name.to_owned());
                    }
                });
                if let Some((at, len, what)) = wrong {
                    return Err(fault(place + at, len, what));
                }
                read.push(parsed);
                place += end.len() + 2;
            }
            let single = ends.len() == 1;
            let most =
                read.pop().ok_or_else(|| fault(at, item.len(), "here a number should stand"))?;
            let least = read.pop().unwrap_or_else(|| most.clone());
            game.amounts.push(Amount { least, most, single });
            at += item.len() + 1;
        }
        if game.parameters.is_empty() {
            return Err(fault(0, amounts.len(), "no letter stands for a number"));
        }
        Ok(game)
    }

    /// Returns the game as certificates name it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the names of the parameters.
    pub fn parameters(&self) -> &[String] {
        &self.parameters
    }

    fn coordinates(&self) -> &'static [&'static str] {
        self.positions.coordinates()
    }

    /// Returns whether positions have purses.
    pub fn has_purses(&self) -> bool {
        self.positions == ParametricPositions::StonesAndPurses
    }

    /// Returns the amounts for these values, ascending; `None` if one is below 1, or they are too
    /// many.
    pub fn amounts(&self, values: &[i64]) -> Option<Vec<i64>> {
        let values = self.values(values);
        let mut all = Vec::new();
        for amount in &self.amounts {
            let (least, most) = (amount.least.value(&values)?, amount.most.value(&values)?);
            if least < 1 || most.checked_sub(least)? > 1 << 20 {
                return None;
            }
            all.extend(least..=most);
        }
        all.arrange();
        all.dedup();
        Some(all)
    }

    fn values<'n, N: Integer>(&'n self, values: &[N]) -> Vec<(&'n str, N)> {
        self.parameters.iter().map(String::as_str).zip(values.iter().cloned()).collect()
    }
}

/// Reads a sentence in these names, some of which are coordinates of the position.
fn read(text: &str, names: &[&str], coordinates: &[&str]) -> Result<Expression, NotationError> {
    let whole = Expression::parse(text)?;
    let accepted = format!("an expression in {}", names.join(", "));
    let fault = |at: usize, len: usize, what: String| {
        NotationError::new(text, at..at + len, what, accepted.clone())
    };
    if !whole.is_sentence() {
        return Err(fault(0, text.len(), "this is a number, and no condition".into()));
    }
    let mut wrong = None;
    whole.names(&mut |name, at| {
        if !names.contains(&name) && wrong.is_none() {
            wrong = Some(fault(at, name.len(), format!("nothing is called `{name}`")));
        }
    });
    whole.operations(&mut |operation, both, at| {
        let depends = |one: &Expression| {
            let mut depends = false;
            one.names(&mut |name, _| depends |= coordinates.contains(&name));
            depends
        };
        let what = match operation {
            Operation::Times if depends(&both[0]) && depends(&both[1]) => {
                "a product of two unknowns remains: both factors depend on the position"
            }
            Operation::Div | Operation::Mod if depends(&both[1]) => {
                "the divisor depends on the position"
            }
            _ => return,
        };
        wrong.get_or_insert_with(|| fault(at, 1, what.to_owned()));
    });
    wrong.map_or(Ok(whole), Err)
}

/// A condition on the parameters of a game: `h mod 5 = 0`, `L even`.
#[derive(Debug, Clone)]
pub struct ParametricCondition {
    game: ParametricGame,
    expression: Expression,
    text: String,
}

impl ParametricCondition {
    /// Parses a sentence about the parameters of a game; `L even`, `every-odd-L` stand for `L mod 2
    /// = 0`, `L mod 2 = 1`, alone or joined by `&` with other conditions.
    ///
    /// # Errors
    ///
    /// At the place of the first fault; if no small values satisfy the condition.
    pub fn parse(game: &ParametricGame, text: &str) -> Result<ParametricCondition, NotationError> {
        let parity = |part: &str| -> Option<String> {
            let words: Vec<&str> = part.split([' ', '-']).filter(|word| !word.is_empty()).collect();
            let (name, word) = match words[..] {
                ["every" | "all", word, name] | [word @ ("even" | "odd"), name] | [name, word] => {
                    (name, word)
                }
                _ => return None,
            };
            let remainder = match word {
                "even" => 0,
                "odd" => 1,
                _ => return None,
            };
            Some(format!("{name} mod 2 = {remainder}"))
        };
        let parts = text.split('&').map(|part| parity(part).ok_or(part));
        let text = if parts.clone().any(|part| part.is_ok()) {
            parts
                .map(|part| part.unwrap_or_else(|part| part.trim().to_owned()))
                .collect::<Vec<_>>()
                .join(" & ")
        } else {
            text.trim().to_owned()
        };
        let names: Vec<&str> = game.parameters.iter().map(String::as_str).collect();
        let expression = read(&text, &names, game.coordinates())?;
        let condition = ParametricCondition { game: game.clone(), expression, text };
        let is_of = |values: &[i64]| condition.is_of(values) && game.amounts(values).is_some();
        let satisfied = match names.len() {
            1 => (0..=2000).any(|value| is_of(&[value])),
            2 => (0..=60).any(|first| (0..=60).any(|second| is_of(&[first, second]))),
            _ => true,
        };
        if !satisfied {
            let text = &condition.text;
            let what = "no small values of the parameters satisfy this, of which there is a game";
            return Err(NotationError::new(
                text,
                0..text.len(),
                what,
                "h >= 3, h mod 5 = 0, L even",
            ));
        }
        Ok(condition)
    }

    /// Returns whether values of the parameters satisfy the condition.
    pub fn is_of(&self, values: &[i64]) -> bool {
        self.expression.holds(&self.game.values(values)) == Some(true)
    }

    /// Returns the condition as a sentence.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// A claim: for all values of the parameters that satisfy the condition, a position is P iff the
/// form holds.
#[derive(Debug, Clone)]
pub struct ParametricClaim {
    game: ParametricGame,
    condition: Expression,
    condition_text: String,
    form: Expression,
    form_text: String,
}

/// Parameters and position of which a claim is wrong, and whether the position is P.
pub type ParametricCounterexample = (Vec<i64>, Vec<i64>, bool);

/// An amount that is tried from N: its place among those of the game, and which number of a range.
type Witness = (usize, Option<Expression>);

/// The greatest number of amounts of which the fewest are sought.
const MAX_WITNESSES: usize = 12;

/// A system to be refuted: the word for it in a certificate, its unknowns, what is said of them.
type System = (&'static str, Unknowns, Vec<Assertion>);

/// The result of a claim.
#[derive(Debug)]
pub enum ParametricVerdict {
    /// A certificate for all values.
    Proved(Certificate),
    /// The least values and position, in this order, of which the claim is wrong.
    Refuted {
        /// The parameters, as the game names them.
        parameters: Vec<i64>,
        /// Heap, or stones and purses.
        position: Vec<i64>,
        /// Whether the position is P.
        is_p: bool,
    },
    /// Neither.
    Unknown(NotRefuted),
}

impl ParametricClaim {
    /// Parses a condition on parameters, as `h >= 2 & h mod 2 = 0`, and a form, as `a mod (h+1) =
    /// 0`.
    ///
    /// # Errors
    ///
    /// At the place of the first fault: a name that is not of the game, a parameter without a bound
    /// below, a product of two unknowns, a divisor that depends on the position, a condition that
    /// no small values satisfy.
    pub fn parse(
        game: &ParametricGame,
        condition: &str,
        form: &str,
    ) -> Result<ParametricClaim, NotationError> {
        let (condition_text, form_text) = (condition.trim().to_owned(), form.trim().to_owned());
        let parameters: Vec<&str> = game.parameters.iter().map(String::as_str).collect();
        let names = [&parameters[..], game.coordinates()].concat();
        let condition = read(&condition_text, &parameters, game.coordinates())?;
        let form = read(&form_text, &names, game.coordinates())?;
        let claim =
            ParametricClaim { game: game.clone(), condition, condition_text, form, form_text };
        let whole = |what: String| {
            let text = &claim.condition_text;
            let accepted =
                "a bound for each parameter, e.g. h >= 2, and conditions such as h mod 2 = 0";
            NotationError::new(text, 0..text.len(), what, accepted)
        };
        for name in &game.parameters {
            if !claim.bounds_below(name) {
                return Err(whole(format!("the parameter {name} has no bound below")));
            }
        }
        if claim.example().is_none() {
            return Err(whole("no small values of the parameters satisfy this".into()));
        }
        let mut unknowns = Unknowns::new(&game.parameters, &[]);
        let own: Vec<(&str, Sum)> = claim.own_values(&[]);
        let condition = unknowns.assertion(&claim.condition, &own);
        if condition.is_none() || unknowns.quotients.iter().any(|q| !q.divisor.terms.is_empty()) {
            return Err(whole("a divisor of the condition is no positive number".into()));
        }
        Ok(claim)
    }

    /// Returns the statement as certificates have it.
    pub fn statement(&self) -> String {
        let condition = Some(&*self.condition_text);
        PPositionsClaim { condition, ..PPositionsClaim::new(&self.form_text) }.to_string()
    }

    /// Returns the condition on the parameters.
    pub fn condition(&self) -> &str {
        &self.condition_text
    }

    /// Returns the form of the P-positions.
    pub fn form(&self) -> &str {
        &self.form_text
    }

    /// Returns whether one part of the condition says that a parameter is at least, or is,
    /// something.
    fn bounds_below(&self, name: &str) -> bool {
        let parts = match &self.condition {
            Expression::And(parts) => parts.as_slice(),
            one => std::slice::from_ref(one),
        };
        let is_name = |one: &Expression| matches!(one, Expression::Name(own, _) if own == name);
        parts.iter().any(|part| match part {
            Expression::Compare(Relation::AtLeast | Relation::Greater, both) => is_name(&both[0]),
            Expression::Compare(Relation::AtMost | Relation::Less, both) => is_name(&both[1]),
            Expression::Compare(Relation::Equal, both) => both.iter().any(is_name),
            _ => false,
        })
    }

    /// Returns whether values of the parameters satisfy the condition.
    pub fn is_of(&self, values: &[i64]) -> bool {
        self.condition.holds(&self.game.values(values)) == Some(true)
    }

    /// Returns whether the form holds; `None` if a number is too great.
    pub fn holds<N: Integer>(&self, parameters: &[N], position: &[N]) -> Option<bool> {
        let mut values = self.game.values(parameters);
        values.extend(self.game.coordinates().iter().copied().zip(position.iter().cloned()));
        self.form.holds(&values)
    }

    /// Returns values that satisfy the condition, the greatest of them up to `most`, the least
    /// first.
    fn instances(&self, most: i64) -> Vec<Vec<i64>> {
        let count = self.game.parameters.len();
        let mut all = Vec::new();
        let mut values = vec![0; count];
        loop {
            if self.is_of(&values) {
                all.push(values.clone());
            }
            let Some(at) = values.iter().rposition(|value| *value < most) else { break };
            values[at] += 1;
            values[at + 1..].fill(0);
        }
        all.arrange_by_key(|values| (values.iter().max().copied(), values.clone()));
        all
    }

    /// Returns the least values that satisfy the condition and of which there is a game, if there
    /// are small ones.
    pub fn least_values(&self) -> Option<Vec<i64>> {
        let most = if self.game.parameters.len() == 1 { 2000 } else { 60 };
        self.instances(most).into_iter().find(|values| self.game.amounts(values).is_some())
    }

    /// Returns the least values that satisfy the condition.
    fn example(&self) -> Option<Vec<i64>> {
        let most = match self.game.parameters.len() {
            1 => 2000,
            2 => 60,
            _ => 12,
        };
        self.instances(most).into_iter().next()
    }

    /// Returns the least counterexample with parameters up to `most` and positions up to `heap`
    /// (purses as well), by computing all of these positions from the rules.
    ///
    /// # Errors
    ///
    /// If the budget ends.
    pub fn counterexample(
        &self,
        most: i64,
        heap: i64,
        meter: &mut Meter,
    ) -> Result<Option<ParametricCounterexample>, LimitReached> {
        for parameters in self.instances(most) {
            let Some(amounts) = self.game.amounts(&parameters) else { continue };
            let purse = if self.game.has_purses() { heap } else { 0 };
            let width = (purse + 1) as usize;
            let mut is_p: Vec<bool> = Vec::new();
            let at =
                |n: i64, d: i64, e: i64| (n as usize * width + d as usize) * width + e as usize;
            for n in 0..=heap {
                for d in 0..=purse {
                    meter.spend_and_poll(1 + purse as u64)?;
                    for e in 0..=purse {
                        let reach = if self.game.has_purses() { n.min(d) } else { n };
                        let mut taken = amounts.iter().take_while(|t| **t <= reach);
                        let wins = taken.any(|t| {
                            if self.game.has_purses() {
                                is_p[at(n - t, e, d - t)]
                            } else {
                                is_p[at(n - t, 0, 0)]
                            }
                        });
                        is_p.push(!wins);
                        let position = if self.game.has_purses() { vec![n, d, e] } else { vec![n] };
                        if self.holds(&parameters, &position) != Some(!wins) {
                            return Ok(Some((parameters, position, !wins)));
                        }
                    }
                }
            }
        }
        Ok(None)
    }

    /// Proves the claim, or finds the least counterexample among small values and positions.
    pub fn prove(&self, meter: &mut Meter) -> ParametricVerdict {
        let (most, heap) = match (self.game.parameters.len(), self.game.has_purses()) {
            (_, true) => (8, 30),
            (1, _) => (20, 150),
            (2, _) => (9, 100),
            _ => (6, 60),
        };
        match self.counterexample(most, heap, meter) {
            Err(limit) => return ParametricVerdict::Unknown(limit.into()),
            Ok(Some((parameters, position, is_p))) => {
                return ParametricVerdict::Refuted { parameters, position, is_p };
            }
            Ok(None) => {}
        }
        match self.certificate(meter) {
            Ok(certificate) => ParametricVerdict::Proved(certificate),
            Err(open) => ParametricVerdict::Unknown(open),
        }
    }

    /// Returns what is tried from N: each single amount; of a range some of its ends, of the
    /// remainders in the form, and of the amounts that leave the greatest remainder below the least
    /// amount. The fewest are taken with which all small positions are won.
    fn witnesses(&self, meter: &mut Meter) -> Result<Vec<Witness>, LimitReached> {
        let mut all: Vec<Witness> = Vec::new();
        let mut remainders = Vec::new();
        self.form.operations(&mut |operation, both, at| {
            let remainder = Expression::Operation(operation, Box::new(both.clone()), at);
            if operation == Operation::Mod && !remainders.contains(&remainder) {
                remainders.push(remainder);
            }
        });
        let mut fixed = 0;
        for (number, amount) in self.game.amounts.iter().enumerate() {
            if amount.single {
                fixed |= 1u32 << all.len();
                all.push((number, None));
                continue;
            }
            let mut own = vec![amount.least.clone(), amount.most.clone()];
            own.extend(remainders.iter().cloned());
            own.extend(remainders.iter().map(|remainder| {
                let join = |operation, one: Expression, other: Expression| {
                    Expression::Operation(operation, Box::new([one, other]), 0)
                };
                let below = join(Operation::Minus, remainder.clone(), amount.least.clone());
                join(Operation::Plus, below, Expression::Number(1))
            }));
            all.extend(own.into_iter().map(|one| (number, Some(one))));
        }
        if all.iter().all(|(_, witness)| witness.is_none()) || all.len() > MAX_WITNESSES {
            return Ok(all);
        }
        let found = self.winning(&all, meter)?;
        let mut sets: Vec<u32> = (0..1 << all.len()).filter(|set| set & fixed == fixed).collect();
        sets.arrange_by_key(|set| set.count_ones());
        let least = sets.into_iter().find(|set| found.iter().all(|winning| winning & set != 0));
        // If some position is won by none of them, all are tried.
        let taken = least.unwrap_or(u32::MAX);
        let of = |(place, one): (usize, Witness)| (taken >> place & 1 == 1).then_some(one);
        Ok(all.into_iter().enumerate().filter_map(of).collect())
    }

    /// Returns which of the amounts win, for each small position that is N by the form: a bit for
    /// each amount.
    fn winning(&self, tried: &[Witness], meter: &mut Meter) -> Result<HashSet<u32>, LimitReached> {
        let (most, heap) = match (self.game.parameters.len(), self.game.has_purses()) {
            (1, true) => (6, 20),
            (_, true) => (5, 16),
            _ => (6, 60),
        };
        let purse = if self.game.has_purses() { heap } else { 0 };
        let mut all = HashSet::new();
        for parameters in self.instances(most) {
            if self.game.amounts(&parameters).is_none() {
                continue;
            }
            for n in 0..=heap {
                for d in 0..=purse {
                    meter.spend_and_poll(1 + purse as u64)?;
                    for e in 0..=purse {
                        let position = if purse > 0 { vec![n, d, e] } else { vec![n] };
                        if self.holds(&parameters, &position) != Some(false) {
                            continue;
                        }
                        let wins = |witness: &Witness| {
                            self.wins(witness, &parameters, &position) == Some(true)
                        };
                        let bits = tried.iter().enumerate().filter(|(_, one)| wins(one));
                        all.insert(bits.fold(0, |bits, (place, _)| bits | 1 << place));
                    }
                }
            }
        }
        Ok(all)
    }

    /// Returns whether an amount may be taken and leads to P by the form; `None` if a number is too
    /// great.
    fn wins(
        &self,
        (number, witness): &Witness,
        parameters: &[i64],
        position: &[i64],
    ) -> Option<bool> {
        let mut values = self.game.values(parameters);
        values.extend(self.game.coordinates().iter().copied().zip(position.iter().copied()));
        let amount = &self.game.amounts[*number];
        let taken = witness.as_ref().unwrap_or(&amount.least).value(&values)?;
        let can = amount.least.value(&values)? <= taken && taken <= amount.most.value(&values)?;
        let option = match *position {
            [heap] => vec![heap - taken],
            [stones, own, other] => vec![stones - taken, other, own - taken],
            _ => return None,
        };
        Some(can && option.iter().all(|number| *number >= 0) && self.holds(parameters, &option)?)
    }

    /// Returns the proof as a certificate.
    fn certificate(&self, meter: &mut Meter) -> Result<Certificate, NotRefuted> {
        let mut body = String::from("example");
        let example = self.example().ok_or(NotRefuted::Great)?;
        // Writing into a string does not fail.
        for (name, value) in self.game.values(&example) {
            let _ = write!(body, " {name}={value}");
        }
        body.push('\n');
        let tried = self.witnesses(meter).map_err(NotRefuted::from)?;
        for (number, witness) in &tried {
            let _ = match witness {
                None => writeln!(body, "witness {}", number + 1),
                Some(witness) => writeln!(body, "witness {} {witness}", number + 1),
            };
        }
        for (word, unknowns, system) in self.systems(&tried).ok_or(NotRefuted::Great)? {
            let _ = writeln!(body, "{word}");
            body += &refute(&unknowns, &system, meter)?;
        }
        let (game, claim) = (self.game.name.clone(), self.statement());
        Ok(Certificate { kind: CertificateKind::Parameters, game, claim, body })
    }

    fn own_values(&self, position: &[Sum]) -> Vec<(&str, Sum)> {
        let mut values: Vec<(&str, Sum)> = Vec::new();
        for (index, name) in (0..).zip(&self.game.parameters) {
            values.push((name, Sum::unknown(index)));
        }
        values.extend(self.game.coordinates().iter().copied().zip(position.iter().cloned()));
        values
    }

    /// Returns what has to be refuted, in the order of a certificate.
    fn systems(&self, tried: &[Witness]) -> Option<Vec<System>> {
        let below_1 = |sum: &Sum| Sum::number(0).plus(-1, sum).map(Assertion::Holds);
        let bare = || {
            let mut unknowns = Unknowns::new(&self.game.parameters, &[]);
            let condition = unknowns.assertion(&self.condition, &self.own_values(&[]))?;
            Some((unknowns, vec![condition]))
        };
        let mut later = Vec::new();
        for amount in &self.game.amounts {
            let (mut unknowns, mut system) = bare()?;
            system.push(below_1(&unknowns.sum(&amount.least, &self.own_values(&[]))?)?);
            later.push(("amount", unknowns, system));
        }
        for amount in &self.game.amounts {
            let (mut unknowns, mut system, position) = self.position(!amount.single)?;
            system.push(unknowns.assertion(&self.form, &self.own_values(&position))?);
            let outside = self.own_values(&[]);
            let least = unknowns.sum(&amount.least, &outside)?;
            let mut taken = least.clone();
            if !amount.single {
                taken = Sum::unknown((self.game.parameters.len() + position.len()) as u16);
                let most = unknowns.sum(&amount.most, &outside)?;
                system.push(Assertion::Holds(taken.plus(-1, &least)?));
                system.push(Assertion::Holds(most.plus(-1, &taken)?));
            }
            system.extend(self.option(&mut unknowns, &position, &taken)?);
            later.push(("to-p", unknowns, system));
        }
        let (mut unknowns, mut system, position) = self.position(false)?;
        system.push(unknowns.assertion(&self.form, &self.own_values(&position))?.not()?);
        for (number, witness) in tried {
            let amount = &self.game.amounts[*number];
            let outside = self.own_values(&[]);
            let mut good = Vec::new();
            let taken = match witness {
                None => unknowns.sum(&amount.least, &outside)?,
                Some(witness) => {
                    let taken = unknowns.sum(witness, &self.own_values(&position))?;
                    let least = unknowns.sum(&amount.least, &outside)?;
                    let most = unknowns.sum(&amount.most, &outside)?;
                    good.push(Assertion::Holds(taken.plus(-1, &least)?));
                    good.push(Assertion::Holds(most.plus(-1, &taken)?));
                    taken
                }
            };
            good.extend(self.option(&mut unknowns, &position, &taken)?);
            system.push(Assertion::all(good).not()?);
        }
        later.push(("to-n", unknowns, system));
        // Divisors are positive: each that is no number once, as they come.
        let mut all = Vec::new();
        let mut known: HashMap<Sum, ()> = HashMap::new();
        for (_, unknowns, _) in &later {
            for quotient in &unknowns.quotients {
                let divisor = &quotient.divisor;
                if !divisor.terms.is_empty() && known.insert(divisor.clone(), ()).is_none() {
                    let (unknowns, mut system) = bare()?;
                    system.push(below_1(divisor)?);
                    all.push(("divisor", unknowns, system));
                }
            }
        }
        all.extend(later);
        Some(all)
    }

    /// Returns a position that is any: its unknowns, what is known of it, its coordinates.
    fn position(&self, taking: bool) -> Option<(Unknowns, Vec<Assertion>, Vec<Sum>)> {
        let mut names = self.game.coordinates().to_vec();
        if taking {
            names.push("t");
        }
        let mut unknowns = Unknowns::new(&self.game.parameters, &names);
        let first = self.game.parameters.len() as u16;
        let position: Vec<Sum> =
            (0..self.game.coordinates().len() as u16).map(|i| Sum::unknown(first + i)).collect();
        let mut system = vec![unknowns.assertion(&self.condition, &self.own_values(&[]))?];
        system.extend(position.iter().cloned().map(Assertion::Holds));
        Some((unknowns, system, position))
    }

    /// Returns that a number can be taken, and that it leads to a claimed position.
    fn option(
        &self,
        unknowns: &mut Unknowns,
        position: &[Sum],
        taken: &Sum,
    ) -> Option<Vec<Assertion>> {
        let mut after = vec![position[0].plus(-1, taken)?];
        let mut can = after.clone();
        if let [_, own, other] = position {
            let left = own.plus(-1, taken)?;
            can.push(left.clone());
            after.extend([other.clone(), left]);
        }
        let mut all: Vec<Assertion> = can.into_iter().map(Assertion::Holds).collect();
        all.push(unknowns.assertion(&self.form, &self.own_values(&after))?);
        Some(all)
    }
}
