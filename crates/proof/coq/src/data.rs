//! Data as numbers. In a file for Coq they are text: in base 32, least digit first, one character
//! per digit (coq/Data.v).

use crate::board::ClaimedOption;
use crate::body::{CaseConclusion, Condition};
use crate::case::{CaseRefutation, Definition, ProvedCase, Witness};
use crate::cover::Labels;
use crate::form::{Form, Summand};
use crate::refute::{DerivationStep, Refutation};

const DIGITS: &[u8; 64] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+-";
/// The number of characters of one string.
const LENGTH: usize = 1000;

/// The numbers written so far.
#[derive(Debug, Default)]
pub struct DataText(Vec<u64>);

impl DataText {
    /// Returns the numbers as a list of strings.
    pub fn list(&self) -> String {
        let mut strings: Vec<String> = Vec::new();
        for x in &self.0 {
            if strings.last().is_none_or(|last| last.len() > LENGTH) {
                strings.push(String::new());
            }
            let Some(last) = strings.last_mut() else { continue };
            let mut x = *x;
            while x >= 32 {
                last.push(DIGITS[(x % 32 + 32) as usize].into());
                x /= 32;
            }
            last.push(DIGITS[x as usize].into());
        }
        let quoted: Vec<String> = strings.iter().map(|one| format!("\"{one}\"")).collect();
        format!("[{}]", quoted.join(";\n"))
    }

    /// Returns the numbers.
    pub fn numbers(&self) -> &[u64] {
        &self.0
    }

    /// Writes a natural number.
    pub fn number(&mut self, x: u64) {
        self.0.push(x);
    }

    /// Writes a place, or the length of a list.
    pub fn place(&mut self, x: usize) {
        self.number(x as u64);
    }

    /// Writes an integer.
    pub fn integer(&mut self, x: i64) {
        self.number(2 * x.unsigned_abs() + u64::from(x < 0));
    }

    /// Writes a list.
    pub fn list_of<T>(&mut self, list: &[T], mut one: impl FnMut(&mut DataText, &T)) {
        self.place(list.len());
        list.iter().for_each(|item| one(self, item));
    }

    /// Writes a list of places.
    pub fn places(&mut self, list: &[usize]) {
        self.list_of(list, |text, x| text.place(*x));
    }

    /// Writes a claimed option.
    pub fn option(&mut self, option: &ClaimedOption) {
        self.places(&option.order);
        self.place(option.remaining);
    }

    fn variables(&mut self, list: &[u32]) {
        self.list_of(list, |text, x| text.number((*x).into()));
    }

    /// Writes a sum of digits; one that is no nim-sum follows an empty list.
    fn summand(&mut self, summand: &Summand) {
        if let Summand::SumModulo(modulus, _) = summand {
            self.variables(&[]);
            self.number((*modulus).into());
        }
        self.variables(summand.variables());
    }

    fn form(&mut self, form: &Form) {
        self.list_of(&form.terms, |text, (c, summand)| {
            text.integer(*c);
            text.summand(summand);
        });
        self.integer(form.constant);
    }

    /// Writes a refutation.
    pub fn refutation(&mut self, one: &Refutation) {
        self.list_of(&one.steps, |text, step| match step {
            DerivationStep::Sum(parts, by) => {
                text.number(0);
                text.list_of(parts, |text, (k, at)| {
                    text.number(k.unsigned_abs());
                    text.place(*at);
                });
                text.integer(*by);
            }
            DerivationStep::Natural(v) => {
                text.number(1);
                text.variables(&[*v]);
            }
        });
        self.place(one.fuel);
        if one.fuel > 0 {
            self.places(&one.walked);
            self.places(&one.zeros);
        }
    }

    /// Writes a list of refutations.
    pub fn refutations(&mut self, list: &[Refutation]) {
        self.list_of(list, DataText::refutation);
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
            Witness::Whole => self.number(0),
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
                self.list_of(forms, DataText::form);
                self.list_of(proofs, DataText::case_refutation);
            }
            Definition::Quotient(i, proof) => {
                self.number(2);
                self.place(*i);
                self.case_refutation(proof);
            }
        }
    }

    fn case_refutation(&mut self, case_refutation: &CaseRefutation) {
        self.places(&case_refutation.splits);
        self.refutations(&case_refutation.leaves);
    }

    /// Writes a case with its labels.
    pub fn case(&mut self, case: &ProvedCase, start: u32, labels: &Labels) {
        match &case.conclusion {
            CaseConclusion::Move(window, ..) => {
                self.number(0);
                self.places(window);
                self.variables(&case.moved);
                self.option(&case.option);
            }
            CaseConclusion::Claimed(image) => {
                self.number(1);
                self.places(image);
            }
            CaseConclusion::Over => self.number(2),
            CaseConclusion::Impossible => self.number(3),
        }
        self.witness(&case.rule_witness);
        self.witness(&case.claim_witness);
        self.list_of(&case.definitions, DataText::definition);
        self.list_of(&case.goals, DataText::case_refutation);
        self.list_of(&case.conditions, DataText::condition);
        self.place(case.guesses);
        self.number(start.into());
        self.list_of(&labels.first, |text, numbers| {
            text.list_of(numbers, |text, x| text.number(*x))
        });
        let clauses: Vec<_> = labels.clauses.iter().collect();
        self.list_of(&clauses, |text, (state, list)| {
            text.number((**state).into());
            text.list_of(list, |text, clause| {
                text.list_of(clause, |text, vector| vector.iter().for_each(|x| text.integer(*x)));
            });
        });
    }

    /// Writes the automaton: the states from 1 on.
    pub fn automaton(&mut self, next: &[[u32; 2]], ends: &[bool]) {
        self.place(next.len().saturating_sub(1));
        for ([zero, one], ends) in next.iter().zip(ends).skip(1) {
            self.number(2 * u64::from(*zero) + u64::from(*ends));
            self.number((*one).into());
        }
    }

    /// Writes the sets.
    pub fn sets(&mut self, sets: &[Vec<u32>]) {
        self.list_of(sets, |text, set| text.list_of(set, |text, s| text.number((*s).into())));
    }
}
