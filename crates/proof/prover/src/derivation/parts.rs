//! A part as the certificate has it: conditions, further variables, and why what it stands for
//! follows (crates/proof/check, p_positions/part.rs).

use super::cases::{Cases, Formula, Signed};
use super::labels::{Condition, Labels, ReachableStates};
use super::{Board, Deriver, joined, line};
use crate::cover::Cover;
use crate::prove::{CaseConclusion, OPTION, ProofCase};
use bouton_automata::eliminate::{Definition, Extreme};
use bouton_automata::linear_form::{Base, LinearForm, Test, Variable};
use bouton_core::{Period, Slope};
use rustc_hash::FxHashMap;
use std::fmt::Write;
use std::rc::Rc;

/// What is known, so far, of position and guesses.
struct Knowledge {
    forms: Vec<LinearForm>,
    disjunctions: Vec<Vec<LinearForm>>,
    next: Variable,
    /// The numbers here of the prover's variables.
    numbers: FxHashMap<Variable, Variable>,
}

impl Knowledge {
    /// Returns a form in the numbers here; None if a variable has none.
    fn form(&self, form: &LinearForm) -> Option<LinearForm> {
        let number = |v: &Variable| self.numbers.get(v).copied();
        form.terms.iter().try_fold(LinearForm::constant(form.constant), |sum, (base, c)| {
            let base = match base {
                Base::Plain(v) => Base::Plain(number(v)?),
                Base::Shift(period, v) => Base::Shift(*period, number(v)?),
                Base::Sum(modulus, all) => {
                    Base::sum(*modulus, all.iter().map(number).collect::<Option<_>>()?)?
                }
            };
            sum.plus(&LinearForm::term(Some(base)), *c)
        })
    }

    /// Writes and returns a part's conditions. `None` if a variable of them has no number here.
    fn conditions(&self, body: &mut String, part: &ProofCase, m: usize) -> Option<Vec<Condition>> {
        let mut conditions = Vec::new();
        for atom in &part.condition.atoms {
            let form = self.form(&atom.form)?;
            line(body, format_args!("if {}", Letters(m).atom(&form, atom.test)));
            match atom.test {
                Test::Zero => {
                    conditions.extend([Condition::Bound(form.times(-1)?), Condition::Bound(form)])
                }
                Test::NonZero => conditions.push(Condition::Differs(form)),
                Test::AtMostZero => conditions.push(Condition::Bound(form)),
                Test::Divisible(k) => conditions.push(Condition::Divisible(k.into(), form, true)),
                Test::Indivisible(k) => {
                    conditions.push(Condition::Divisible(k.into(), form, false))
                }
            }
        }
        Some(conditions)
    }

    /// Adds a condition to what is known. `None` if a number is too large.
    fn assume(&mut self, condition: &Condition) -> Option<()> {
        match condition {
            Condition::Bound(form) => self.forms.push(form.clone()),
            Condition::Differs(form) => {
                self.disjunctions.push(vec![form.plus(&one(), 1)?, one().plus(form, -1)?]);
            }
            Condition::Divisible(k, form, divisible) => {
                let rest = form.plus(&LinearForm::variable(self.next), -k)?;
                self.next += 1;
                let (least, greatest) = if *divisible { (0, 0) } else { (1, k - 1) };
                self.forms.push(LinearForm::constant(least).plus(&rest, -1)?);
                self.forms.push(rest.plus(&LinearForm::constant(greatest), -1)?);
            }
            Condition::Neighbours(..) => {}
        }
        Some(())
    }

    /// Returns the statement that the formula does not hold, with the values of variables that it
    /// binds, in the order of their quantifiers; and the line that says them.
    fn contrary<'f>(
        &self,
        formula: &'f Formula,
        names: Vec<Variable>,
        of: &[(Variable, Option<usize>)],
    ) -> (Signed<'f>, String) {
        let mut values = vec![None; formula.bound()];
        for (v, place) in of {
            if let Some(value) = place.and_then(|place| values.get_mut(place)) {
                *value = self.numbers.get(v).copied();
            }
        }
        let text = |value: &Option<Variable>| value.map_or("-".to_owned(), |v| v.to_string());
        let texts: Vec<String> = values.iter().map(text).collect();
        let any = values.iter().any(Option::is_some);
        (
            formula.negation(names, &values),
            if any { format!("with {}\n", texts.join(",")) } else { String::new() },
        )
    }
}

fn one() -> LinearForm {
    LinearForm::constant(1)
}

impl Deriver<'_> {
    /// Writes a part and its labels. `None` if something is not found.
    pub(super) fn part(
        &mut self,
        body: &mut String,
        board: &Board<'_>,
        part: &ProofCase,
        cover: &Cover,
        start: u32,
    ) -> Option<()> {
        let m = board.heaps;
        let mut known = Knowledge {
            forms: board.held(0..m as Variable)?,
            disjunctions: Vec::new(),
            next: m as Variable,
            numbers: (0..m as Variable).map(|h| (h, h)).collect(),
        };
        self.head(body, part);
        let guesses = part.condition.chosen.len();
        if guesses > 0 {
            line(body, format_args!("guess {guesses}"));
        }
        for v in &part.condition.chosen {
            known.numbers.insert(*v, known.next);
            known.next += 1;
        }
        let mut conditions = known.conditions(body, part, m)?;
        for condition in &conditions {
            known.assume(condition)?;
        }
        for definition in part.definitions.iter().rev() {
            self.define(body, definition, m, &mut known)?;
        }
        self.goals(body, board, part, &known)?;
        line(body, format_args!("start {start}"));
        if let CaseConclusion::NoNumeral(h) = part.shows {
            conditions.push(Condition::Neighbours(h as Variable, true));
        }
        if !self.digits.round.is_binary() {
            conditions
                .extend((m..m + guesses).map(|v| Condition::Neighbours(v as Variable, false)));
        }
        if start != 0 {
            self.labels(body, &conditions, (m, guesses), cover, start)?;
        }
        Some(())
    }

    /// Writes what a part shows.
    fn head(&self, body: &mut String, part: &ProofCase) {
        let image = joined(&part.symmetry, ",");
        let image = if image.is_empty() { "-" } else { &image };
        match part.shows {
            CaseConclusion::NoNumeral(heap) => line(body, format_args!("part neighbours {heap}")),
            CaseConclusion::Empty(_) => line(body, format_args!("part empty")),
            CaseConclusion::Over => line(body, format_args!("part over")),
            CaseConclusion::Claimed => line(body, format_args!("part stay image {image}")),
            CaseConclusion::Way(number) => {
                let way = &self.game.ways[number];
                let stays = |h: &usize| way.heaps.iter().any(|heap| heap.0 == *h);
                let gone: Vec<usize> = way.window.iter().copied().filter(|h| !stays(h)).collect();
                let gone = if gone.is_empty() {
                    String::new()
                } else {
                    format!(" gone {}", joined(&gone, ","))
                };
                line(
                    body,
                    format_args!("part take {}{gone} image {image}", joined(&way.window, ",")),
                );
            }
        }
    }

    /// Writes a further variable's value, and why there is one. `None` if that is not found.
    fn define(
        &mut self,
        body: &mut String,
        definition: &Definition,
        m: usize,
        known: &mut Knowledge,
    ) -> Option<()> {
        let forms =
            definition.forms.iter().map(|form| known.form(form)).collect::<Option<Vec<_>>>();
        // What nothing depends on may stay without a value; what does is missed later.
        let Some(forms) = forms else { return Some(()) };
        let greatest = definition.extreme == Extreme::Greatest || forms.len() == 1;
        let negative = forms.iter().map(|form| form.plus(&one(), 1)).collect::<Option<Vec<_>>>()?;
        let trees = if greatest {
            self.absurd(known, &negative, None)?
        } else {
            let mut trees = Vec::new();
            for one in negative.chunks(1) {
                trees.push(self.absurd(known, one, None)?);
            }
            trees.join(";")
        };
        let texts: Vec<String> = forms.iter().map(|form| Letters(m).form(form)).collect();
        let text = match &texts[..] {
            [one] => one.clone(),
            all => format!("{}({})", if greatest { "max" } else { "min" }, joined(all, ", ")),
        };
        line(body, format_args!("let v{} = {text} by{trees}", known.next));
        let v = LinearForm::variable(known.next);
        known.numbers.insert(definition.variable, known.next);
        known.next += 1;
        let sides = |at_least: bool| {
            let side =
                |form: &LinearForm| if at_least { form.plus(&v, -1) } else { v.plus(form, -1) };
            forms.iter().map(side).collect::<Option<Vec<_>>>()
        };
        known.forms.extend(sides(greatest)?);
        if forms.len() == 1 {
            known.forms.extend(sides(!greatest)?);
        } else {
            known.disjunctions.push(sides(!greatest)?);
        }
        Some(())
    }

    /// Writes the labels of a part's conditions along the cover from a state on: inequalities on
    /// heaps alone together, what is on guesses together, the others each by itself; in Ostrowski
    /// digits each inequality, too. `counts`: of heaps and of guesses. `None` if one is not found.
    fn labels(
        &self,
        body: &mut String,
        conditions: &[Condition],
        counts: (usize, usize),
        cover: &Cover,
        start: u32,
    ) -> Option<()> {
        let (m, guesses) = counts;
        let on_guesses = |condition: &Condition| condition.is_on(m as Variable);
        let (guessed, alone): (Vec<usize>, Vec<usize>) =
            (0..conditions.len()).partition(|i| on_guesses(&conditions[*i]));
        let bound = |i: &usize| {
            matches!(conditions[*i], Condition::Bound(_)) && self.digits.round.is_binary()
        };
        let (bounds, others): (Vec<usize>, Vec<usize>) = alone.into_iter().partition(bound);
        let groups = [bounds, guessed].into_iter().chain(others.into_iter().map(|i| vec![i]));
        let mut reach = None;
        for group in groups.filter(|group| !group.is_empty()) {
            let own: Vec<Condition> = group.iter().map(|i| conditions[*i].clone()).collect();
            let guesses = if own.iter().any(on_guesses) { guesses } else { 0 };
            if reach.is_none() {
                reach = Some(ReachableStates::new(cover, m * self.digits.round.bits, start)?);
            }
            let labels = Labels::along(reach.as_ref()?, (m, guesses), &own, &self.digits)?;
            line(body, format_args!("labels {}", joined(&group, ",")));
            if !labels.first.is_empty() {
                let words: Vec<String> =
                    labels.first.iter().map(|word| joined(word, ",")).collect();
                line(body, format_args!("first {}", words.join(" ")));
            }
            for (state, clauses) in &labels.clauses {
                for clause in clauses {
                    let mut text = format!("@{state}");
                    for (a, b) in clause.iter().flatten() {
                        // Writing into a string does not fail.
                        let _ = if self.digits.round.is_binary() {
                            write!(text, " {a}")
                        } else {
                            write!(text, " {a} {b}")
                        };
                    }
                    text.push('\n');
                    body.push_str(&text);
                }
            }
        }
        Some(())
    }

    fn absurd(
        &mut self,
        known: &Knowledge,
        contrary: &[LinearForm],
        said: Option<Signed<'_>>,
    ) -> Option<String> {
        let forms = [&known.forms[..], contrary].concat();
        let cases = Cases {
            said: said.into_iter().collect(),
            next: known.next,
            disjunctions: &known.disjunctions,
            digits: &self.digits,
        };
        cases.tree(&forms, &mut self.table)
    }

    /// Derives what the part stands for.
    fn goals(
        &mut self,
        body: &mut String,
        board: &Board<'_>,
        part: &ProofCase,
        known: &Knowledge,
    ) -> Option<()> {
        let heaps = || 0..board.heaps as Variable;
        let (claims, rules) = (Rc::clone(&self.claims), Rc::clone(&self.rules));
        let mut contraries: Vec<Vec<LinearForm>> = Vec::new();
        let mut said: Vec<(Signed<'_>, String)> = Vec::new();
        let place =
            |option: &[Variable]| part.symmetry.iter().map(|i| option[*i]).collect::<Vec<_>>();
        match part.shows {
            CaseConclusion::NoNumeral(_) => {}
            CaseConclusion::Empty(_) => contraries.push(Vec::new()),
            CaseConclusion::Over => {
                for h in heaps() {
                    contraries.push(vec![one().plus(&LinearForm::variable(h), -1)?]);
                }
            }
            CaseConclusion::Claimed => {
                let claim = claims[board.number].as_ref()?;
                said.push(known.contrary(
                    claim,
                    place(&heaps().collect::<Vec<_>>()),
                    &part.parameters,
                ));
            }
            CaseConclusion::Way(number) => {
                let way = &self.game.ways[number];
                let mut lower = Vec::new();
                for (i, _) in way.heaps.iter().enumerate().filter(|(_, heap)| heap.1) {
                    lower.push(*known.numbers.get(&(OPTION + i as Variable))?);
                }
                line(
                    body,
                    format_args!(
                        "to {}",
                        if lower.is_empty() { "-".into() } else { joined(&lower, ",") }
                    ),
                );
                let option = super::option(way, &lower);
                for ((h, _), q) in way.heaps.iter().zip(&option).filter(|(heap, _)| heap.1) {
                    let q = LinearForm::variable(*q);
                    if board.is_heap(*h) {
                        let lower = LinearForm::variable(*h as Variable).plus(&q, -1)?;
                        contraries.push(vec![lower.plus(&one(), 1)?]);
                    }
                    if board.positive {
                        contraries.push(vec![q]);
                    }
                }
                let turned =
                    way.heaps.iter().enumerate().any(|(i, heap)| way.from == way.to && heap.0 != i);
                if turned || board.memory > 0 {
                    contraries.push(vec![board.rest(&option)?.times(-1)?]);
                }
                if let Some(rule) = &rules[number] {
                    let names =
                        way.window.iter().flat_map(|h| [*h as Variable, option[*h]]).collect();
                    said.push(known.contrary(rule, names, &part.of_move));
                }
                let claim = claims[way.to].as_ref()?;
                said.push(known.contrary(claim, place(&option), &part.parameters));
            }
        }
        for contrary in contraries {
            let tree = self.absurd(known, &contrary, None)?;
            line(body, format_args!("by{tree}"));
        }
        for (said, with) in said {
            let tree = self.absurd(known, &[], Some(said))?;
            line(body, format_args!("{with}by{tree}"));
        }
        Some(())
    }
}

/// Returns the number whose multiple of v + 1 is one more than the shift of v.
fn slope(period: Period) -> Slope {
    Slope { whole: 1, period }
}

/// Returns the form with the constant that is to be written where its shifts are written as
/// multiples of v + 1.
fn unshifted(form: &LinearForm) -> LinearForm {
    let written = |base: &Base| matches!(base, Base::Shift(period, _) if *period != Period::GOLDEN);
    let more: i64 = form.terms.iter().filter(|(base, _)| written(base)).map(|(_, c)| c).sum();
    LinearForm { constant: form.constant - more, ..form.clone() }
}

/// Writes forms over p0, p1, … and, from this many on, v3, v4, …
struct Letters(usize);

impl Letters {
    fn variable(&self, v: Variable) -> String {
        format!("{}{v}", if (v as usize) < self.0 { 'p' } else { 'v' })
    }

    fn base(&self, base: &Base) -> String {
        match base {
            Base::Plain(v) => self.variable(*v),
            Base::Shift(Period::GOLDEN, v) => format!("shift({})", self.variable(*v)),
            Base::Shift(period, v) => format!("floor{}({}+1)", slope(*period), self.variable(*v)),
            Base::Sum(modulus, variables) => {
                let names: Vec<String> = variables.iter().map(|&v| self.variable(v)).collect();
                let modulus = if *modulus == 2 { String::new() } else { modulus.to_string() };
                format!("xor{modulus}({})", joined(&names, ", "))
            }
        }
    }

    /// Returns only what is added, in a form or in its negative.
    fn positive(&self, form: &LinearForm, sign: i64) -> Vec<String> {
        let mut all = Vec::new();
        for (base, c) in form.terms.iter().filter(|(_, c)| c.signum() == sign) {
            let base = self.base(base);
            all.push(if c.abs() == 1 { base } else { format!("{}*{base}", c.abs()) });
        }
        if form.constant.signum() == sign {
            all.push(form.constant.abs().to_string());
        }
        all
    }

    fn form(&self, form: &LinearForm) -> String {
        let form = &unshifted(form);
        let (mut plus, minus) = (self.positive(form, 1), self.positive(form, -1));
        if plus.is_empty() {
            plus.push("0".into());
        }
        let minus: String = minus.iter().map(|term| format!(" - {term}")).collect();
        joined(&plus, " + ") + &minus
    }

    fn atom(&self, form: &LinearForm, test: Test) -> String {
        let mut form = unshifted(form);
        if let Test::Divisible(m) | Test::Indivisible(m) = test {
            form.constant = form.constant.rem_euclid(m.into());
        }
        let form = &form;
        let side = |sign: i64| {
            let terms = self.positive(form, sign);
            if terms.is_empty() { "0".to_owned() } else { joined(&terms, " + ") }
        };
        let (left, right) = (side(1), side(-1));
        match test {
            Test::Zero => format!("{left} = {right}"),
            Test::NonZero => format!("{left} != {right}"),
            Test::AtMostZero => format!("{left} <= {right}"),
            // In normal form nothing is negative here.
            Test::Divisible(m) => format!("({left}) mod {m} = 0"),
            Test::Indivisible(m) => format!("({left}) mod {m} != 0"),
        }
    }
}
