//! MONA's WS1S (Klarlund & Møller, *MONA version 1.4 user manual*, 2001): a number is the set of
//! the places of its binary ones.
//!
//! Sums are built from a predicate with carries, multiples by doubling, digit sums place by place.

use super::{Language, Unwritable, name, reduced};
use crate::game::MoveSystem;
use crate::prove::conditions as conditions_on;
use bouton_automata::effort::default_budget;
use bouton_automata::linear_form::{Base, LinearForm, Test, Variable};
use bouton_core::{Claim, Formula, Meter};
use std::cell::Cell;

/// Returns the two conditions for "the P-positions of the game are those claimed", in the shape in
/// which the prover's automata get them: options and parameters eliminated. Shorter for MONA by far
/// than the [theorem](crate::theorem()) as it is stated.
///
/// # Panics
/// Unless the game has one board, with as many heaps as the claim.
pub fn conditions(game: &MoveSystem, claim: &Claim) -> Result<String, Unwritable> {
    assert!(
        game.boards.len() == 1 && game.boards[0].heaps == claim.heaps(),
        "one board, one claim"
    );
    let language = Mona { names: &[], fresh: Cell::new(0) };
    let body =
        language.formula(&conditions_on(game, claim, &mut Meter::new(&default_budget()))?)?;
    Ok(format!("{}{PRELUDE}{body};\n", comment(&format!("P iff {claim}"))))
}

/// Returns a program for MONA, which finds the closed formula valid or unsatisfiable. Free
/// variables are bound by `A`.
pub fn program(formula: &Formula) -> Result<String, Unwritable> {
    let language = Mona { names: &formula.names, fresh: Cell::new(0) };
    let body = language.formula(&reduced(formula)?)?;
    let free: Vec<Variable> = (0..formula.free as Variable).collect();
    let closed = if free.is_empty() { body } else { language.quantify(true, &free, body) };
    Ok(format!("{}{PRELUDE}{closed};\n", comment(&formula.to_string())))
}

/// Writes a comment in lines of moderate length: MONA reads no line of 8 kB as one.
fn comment(text: &str) -> String {
    let (mut lines, mut length) = (String::from("#"), 0);
    for word in text.split(' ') {
        if length > 90 {
            lines.push_str("\n#");
            length = 0;
        }
        lines.push(' ');
        lines.push_str(word);
        length += word.len() + 1;
    }
    lines + "\n"
}

const PRELUDE: &str = "ws1s;
pred add(var2 X, var2 Y, var2 Z) =
  ex2 C: 0 notin C & (all1 t: (t+1 in C <=> ((t in X & t in Y) | (t in X & t in C) | (t in Y & t \
  in C)))
    & (t in Z <=> (t in X <=> (t in Y <=> t in C))));
pred atmost(var2 X, var2 Y) =
  X = Y | (ex1 t: t in Y & t notin X & (all1 s: s > t => (s in X <=> s in Y)));
pred double(var2 X, var2 Y) = 0 notin Y & (all1 t: t+1 in Y <=> t in X);
";

struct Mona<'n> {
    names: &'n [String],
    fresh: Cell<u32>,
}

/// Definitions that come before what they are needed for: new sets, and what is said of them.
#[derive(Default)]
struct Needs {
    sets: Vec<String>,
    said: Vec<String>,
}

impl Needs {
    fn around(self, body: String) -> String {
        if self.sets.is_empty() {
            return body;
        }
        let mut said = self.said;
        said.push(body);
        format!("(ex2 {}: {})", self.sets.join(", "), said.join(" & "))
    }
}

impl Mona<'_> {
    fn new_set(&self, needs: &mut Needs) -> String {
        self.fresh.set(self.fresh.get() + 1);
        let set = format!("T{}", self.fresh.get());
        needs.sets.push(set.clone());
        set
    }

    fn number(&self, n: u64) -> String {
        let places: Vec<String> =
            (0..64).filter(|p| n >> p & 1 == 1).map(|p| p.to_string()).collect();
        if places.is_empty() { "empty".into() } else { format!("{{{}}}", places.join(", ")) }
    }

    fn add(&self, needs: &mut Needs, a: String, b: String) -> String {
        let sum = self.new_set(needs);
        needs.said.push(format!("add({a}, {b}, {sum})"));
        sum
    }

    fn times(&self, needs: &mut Needs, k: u64, set: String) -> String {
        let mut sum: Option<String> = None;
        let mut power = set;
        for place in 0..64 - k.leading_zeros() {
            if place > 0 {
                let doubled = self.new_set(needs);
                needs.said.push(format!("double({power}, {doubled})"));
                power = doubled;
            }
            if k >> place & 1 == 1 {
                sum = Some(match sum {
                    None => power.clone(),
                    Some(sum) => self.add(needs, sum, power.clone()),
                });
            }
        }
        sum.unwrap_or_else(|| self.number(0))
    }

    fn base(&self, needs: &mut Needs, base: &Base) -> Result<String, Unwritable> {
        let (modulus, variables) = match base {
            Base::Plain(v) => return Ok(self.variable(*v)),
            Base::Shift(..) => {
                return Err(Unwritable::NoWords("MONA", "multiples of irrational numbers"));
            }
            Base::Sum(modulus, variables) => (usize::from(*modulus), variables),
        };
        if variables.len() > 10 && modulus > 2 {
            return Err(Unwritable::NoWords("MONA", "digit sum of more than ten terms"));
        }
        // A digit of the sum may be 2 or more: one set for each of its own binary places, and their
        // weighted sum.
        let mut whole: Option<String> = None;
        for place in 0..usize::BITS - (modulus - 1).leading_zeros() {
            let mut bits = self.new_set(needs);
            let member = |v: &Variable| format!("t in {}", self.variable(*v));
            let odd = if modulus == 2 {
                variables.iter().map(member).reduce(|all, one| format!("~({all} <=> {one})"))
            } else {
                let rows = (0..1usize << variables.len())
                    .filter(|row| (row.count_ones() as usize % modulus) >> place & 1 == 1);
                rows.map(|row| {
                    let one = |(i, v): (usize, &Variable)| {
                        let has = row >> i & 1 == 1;
                        format!("t {} {}", if has { "in" } else { "notin" }, self.variable(*v))
                    };
                    format!(
                        "({})",
                        variables.iter().enumerate().map(one).collect::<Vec<_>>().join(" & ")
                    )
                })
                .reduce(|all, one| format!("{all} | {one}"))
            };
            needs.said.push(format!(
                "(all1 t: t in {bits} <=> ({}))",
                odd.unwrap_or_else(|| "false".into())
            ));
            bits = self.times(needs, 1 << place, bits);
            whole = Some(match whole {
                None => bits,
                Some(sum) => self.add(needs, sum, bits),
            });
        }
        Ok(whole.unwrap_or_else(|| self.number(0)))
    }

    /// Returns the terms of one sign, added up.
    fn side(&self, needs: &mut Needs, form: &LinearForm, sign: i64) -> Result<String, Unwritable> {
        let mut sum = None;
        let mut plus = |needs: &mut Needs, term: String| {
            sum = Some(match sum.take() {
                None => term,
                Some(sum) => self.add(needs, sum, term),
            });
        };
        for (base, c) in form.terms.iter().filter(|(_, c)| c * sign > 0) {
            let set = self.base(needs, base)?;
            let multiple = self.times(needs, c.unsigned_abs(), set);
            plus(needs, multiple);
        }
        if form.constant * sign > 0 {
            let constant = self.number(form.constant.unsigned_abs());
            plus(needs, constant);
        }
        Ok(sum.unwrap_or_else(|| self.number(0)))
    }
}

impl Language for Mona<'_> {
    fn variable(&self, v: Variable) -> String {
        name(self.names, v, "V")
    }

    fn atom(&self, form: &LinearForm, test: Test) -> Result<String, Unwritable> {
        let mut needs = Needs::default();
        let (left, right) = (self.side(&mut needs, form, 1)?, self.side(&mut needs, form, -1)?);
        let said = match test {
            Test::Zero => format!("{left} = {right}"),
            Test::NonZero => format!("{left} ~= {right}"),
            Test::AtMostZero => format!("atmost({left}, {right})"),
            Test::Divisible(m) | Test::Indivisible(m) => {
                let mut own = Needs::default();
                let quotient = self.new_set(&mut own);
                let multiple = self.times(&mut own, u64::from(m), quotient);
                let (up, down) = (
                    self.add(&mut own, left.clone(), multiple.clone()),
                    self.add(&mut own, right.clone(), multiple),
                );
                let divides = own.around(format!("({up} = {right} | {down} = {left})"));
                if matches!(test, Test::Divisible(_)) { divides } else { format!("~{divides}") }
            }
        };
        Ok(needs.around(format!("({said})")))
    }

    fn constant(&self, truth: bool) -> String {
        truth.to_string()
    }

    fn not(&self, inner: String) -> String {
        format!("~({inner})")
    }

    fn quantify(&self, universal: bool, variables: &[Variable], body: String) -> String {
        let names: Vec<String> = variables.iter().map(|&v| self.variable(v)).collect();
        format!("({} {}: {body})", if universal { "all2" } else { "ex2" }, names.join(", "))
    }
}
