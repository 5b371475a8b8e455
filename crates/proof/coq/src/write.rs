//! Data as text: numbers in base 32, the least digit first, a character each (coq/Data.v).

use crate::board::Target;
use crate::certificate::{Condition, Stands};
use crate::cover::Labels;
use crate::form::Form;
use crate::part::{Definition, Proved, Shown, Witness};
use crate::refute::{Refutation, Step};

const DIGITS: &[u8; 64] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+-";
/// Characters of one string.
const LENGTH: usize = 1000;

/// Strings being written.
#[derive(Debug, Default)]
pub struct Text(Vec<String>);

impl Text {
    /// The strings as a list.
    pub fn list(&self) -> String {
        let quoted: Vec<String> = self.0.iter().map(|one| format!("\"{one}\"")).collect();
        format!("[{}]", quoted.join(";\n"))
    }

    /// A natural number.
    pub fn number(&mut self, mut x: u64) {
        if self.0.last().is_none_or(|last| last.len() > LENGTH) {
            self.0.push(String::new());
        }
        let Some(last) = self.0.last_mut() else { return };
        while x >= 32 {
            last.push(DIGITS[(x % 32 + 32) as usize].into());
            x /= 32;
        }
        last.push(DIGITS[x as usize].into());
    }

    fn place(&mut self, x: usize) {
        self.number(x as u64);
    }

    /// An integer.
    fn integer(&mut self, x: i64) {
        self.number(2 * x.unsigned_abs() + u64::from(x < 0));
    }

    /// A list.
    pub fn all<T>(&mut self, list: &[T], mut one: impl FnMut(&mut Text, &T)) {
        self.place(list.len());
        list.iter().for_each(|item| one(self, item));
    }

    /// A list of places.
    pub fn places(&mut self, list: &[usize]) {
        self.all(list, |text, x| text.place(*x));
    }

    /// Where an option is claimed.
    pub fn target(&mut self, target: &Target) {
        self.places(&target.order);
        self.place(target.left);
    }

    fn variables(&mut self, list: &[u32]) {
        self.all(list, |text, x| text.number((*x).into()));
    }

    fn form(&mut self, form: &Form) {
        self.all(&form.terms, |text, (c, variables)| {
            text.integer(*c);
            text.variables(variables);
        });
        self.integer(form.constant);
    }

    /// A refutation.
    pub fn refutation(&mut self, one: &Refutation) {
        self.all(&one.steps, |text, step| match step {
            Step::Sum(parts, by) => {
                text.number(0);
                text.all(parts, |text, (k, at)| {
                    text.number(k.unsigned_abs());
                    text.place(*at);
                });
                text.integer(*by);
            }
            Step::Natural(variables) => {
                text.number(1);
                text.variables(variables);
            }
        });
        self.place(one.fuel);
        if one.fuel > 0 {
            self.places(&one.walked);
            self.places(&one.zeros);
        }
    }

    /// Refutations.
    pub fn refutations(&mut self, list: &[Refutation]) {
        self.all(list, Text::refutation);
    }

    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::Bound(_) => self.number(0),
            Condition::Differs(_) => self.number(1),
            Condition::Divisible(m, _) => self.number(*m),
        }
        self.form(condition.form());
    }

    fn witness(&mut self, witness: &Witness) {
        match witness {
            Witness::Here => self.number(0),
            Witness::Left(w) => {
                self.number(1);
                self.witness(w);
            }
            Witness::Right(w) => {
                self.number(2);
                self.witness(w);
            }
            Witness::Pair(v, w) => {
                self.number(3);
                self.witness(v);
                self.witness(w);
            }
            Witness::Value(x, w) => {
                self.number(4);
                self.number((*x).into());
                self.witness(w);
            }
        }
    }

    fn definition(&mut self, definition: &Definition) {
        match definition {
            Definition::Extreme(greatest, forms, proofs) => {
                self.number((*greatest).into());
                self.all(forms, Text::form);
                self.all(proofs, Text::shown);
            }
            Definition::Whole(i, proof) => {
                self.number(2);
                self.place(*i);
                self.shown(proof);
            }
        }
    }

    fn shown(&mut self, shown: &Shown) {
        self.places(&shown.splits);
        self.refutations(&shown.leaves);
    }

    /// A part with its labels.
    pub fn part(&mut self, part: &Proved, start: u32, labels: &Labels) {
        match &part.stands {
            Stands::Take(window, ..) => {
                self.number(0);
                self.places(window);
                self.variables(&part.moved);
                self.target(&part.target);
            }
            Stands::Stay(image) => {
                self.number(1);
                self.places(image);
            }
            Stands::Over => self.number(2),
            Stands::Empty => self.number(3),
        }
        self.witness(&part.of_rule);
        self.witness(&part.of_claim);
        self.all(&part.definitions, Text::definition);
        self.all(&part.goals, Text::shown);
        self.all(&part.conditions, Text::condition);
        self.place(part.guesses);
        self.number(start.into());
        self.all(&labels.first, |text, numbers| text.all(numbers, |text, x| text.number(*x)));
        let clauses: Vec<_> = labels.clauses.iter().collect();
        self.all(&clauses, |text, (state, list)| {
            text.number((**state).into());
            text.all(list, |text, clause| {
                text.all(clause, |text, vector| vector.iter().for_each(|x| text.integer(*x)));
            });
        });
    }

    /// The automaton: states from 1 on.
    pub fn machine(&mut self, next: &[[u32; 2]], ends: &[bool]) {
        self.place(next.len().saturating_sub(1));
        for ([zero, one], ends) in next.iter().zip(ends).skip(1) {
            self.number(2 * u64::from(*zero) + u64::from(*ends));
            self.number((*one).into());
        }
    }

    /// The sets.
    pub fn sets(&mut self, sets: &[Vec<u32>]) {
        self.all(sets, |text, set| text.all(set, |text, s| text.number((*s).into())));
    }
}
