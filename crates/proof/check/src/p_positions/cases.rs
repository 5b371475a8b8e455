//! Case distinctions: why formulas and forms cannot all hold.
//!
//! [`Reading::on`] reads formulas, one after another, and writes down forms that are at most 0
//! where they hold: `x ≤ y` as x − y, `x = y` as two. Where one of several things holds (an "or";
//! which argument is the least; what a small remainder is) it asks which; a tree in the file has a
//! branch for each answer. Where all of several hold (the contrary of an "or") it asks which are
//! needed, and the file says.
//!
//! **Theorem.** If a tree is accepted for formulas Φ, forms f and disjunctions D, then for no
//! natural numbers all of Φ hold, all f ≤ 0, and of each disjunction some form is ≤ 0. *Proof* by
//! induction on the tree: let there be such numbers. New variables (bound ones, quotients, names of
//! terms within digit sums) stand for numbers that there are; with these all forms written down are
//! ≤ 0, in the branch of what is the case. So no form is positive, a branch `/` has a subtree to
//! which this applies, so has a branch `?i` for the i-th disjunction, and leaves are refuted
//! ([`super::refute`]). What the file leaves out (`.`) makes less hold. Of what holds of all numbers
//! ("for all", or the contrary of "there is") one case is used: that of numbers that equations name
//! ([`super::formula::Named`]; a question asks which of them there is not, or whether there are
//! all), or else that which the file names, or none. ∎
//!
//! Terms within digit sums, quotients and remainders have no minus, so that they are natural.

mod shifts;

use super::digits::Digits;
use super::form::{Base, Form, Variable};
use super::formula::{Node, Relation, Term};
use super::refute::Refutation;
use crate::work::{Reason, Work, number};

/// A formula that holds, or (`truth` false) does not; which variable stands for each of its own.
/// Where it binds one, "there is" means a new one; of the contrary the case that is needed is that
/// of the variable that stands here ([`NONE`]: none is; [`FIXED`]: that of the numbers that
/// equations name, if they do).
#[derive(Debug, Clone)]
pub struct Signed<'f> {
    pub node: &'f Node,
    pub truth: bool,
    pub names: Vec<Variable>,
}

/// No variable.
pub const NONE: Variable = Variable::MAX;
/// A variable yet to come.
pub const FIXED: Variable = Variable::MAX - 1;

/// What cannot be.
pub struct Cases<'c> {
    /// Formulas.
    pub said: Vec<Signed<'c>>,
    /// Variables from here on are new.
    pub next: Variable,
    /// Of each, some form is at most 0.
    pub disjunctions: &'c [Vec<Form>],
    pub refutations: &'c [Refutation],
    pub digits: &'c Digits,
    pub work: &'c Work<'c>,
}

/// The answer to a question: this one of several, or all.
#[derive(Debug, Clone, Copy)]
enum Answer {
    One(usize),
    All,
}

/// Where an evaluation ends before all is read.
enum Stop {
    /// Several branches.
    Branch(usize),
    /// All of these hold; which are needed?
    Needed(usize),
    /// What was written down is impossible.
    Absurd,
    Wrong(Reason),
}

impl From<Reason> for Stop {
    fn from(reason: Reason) -> Stop {
        Stop::Wrong(reason)
    }
}

/// Most questions on the way to a leaf.
const DEPTH: usize = 300;
/// Most forms of a leaf.
const FORMS: usize = 4000;
/// Remainders of one term that are tried each in turn.
const SMALL: i64 = 8;

impl<'c> Cases<'c> {
    /// Checks a tree, written in the order of its branches, for these formulas and forms known to
    /// be at most 0.
    pub fn refuted(&self, known: &[Form], tree: &str) -> Result<(), Reason> {
        self.work.spend(16 + known.iter().map(Form::size).sum::<usize>())?;
        let mut tokens = tree.split(' ').filter(|token| !token.is_empty());
        if !known.iter().any(Form::is_positive) {
            self.node(&mut tokens, self.unread(), &mut known.to_vec())?;
        }
        if tokens.next().is_none() { Ok(()) } else { Err("more branches than cases".into()) }
    }

    /// Returns a reading of which nothing is read yet.
    fn unread(&self) -> Reading<'c> {
        let mut reading = Reading { next: self.next, ..Reading::default() };
        for said in &self.said {
            reading.open.push((said.node, said.truth, reading.names.len()));
            reading.names.extend(&said.names);
        }
        reading.open.reverse();
        reading
    }

    /// Checks the subtree of a reading: reads on to the next question, and then its branches.
    fn node<'t>(
        &self,
        tokens: &mut impl Iterator<Item = &'t str>,
        mut reading: Reading<'c>,
        forms: &mut Vec<Form>,
    ) -> Result<(), Reason> {
        let (before, bytes) = (forms.len(), self.work.bytes());
        self.work.hold(256 + 4 * reading.names.len() + 24 * reading.open.len())?;
        match reading.on(forms, self.digits, self.work) {
            Err(Stop::Absurd) => {}
            Err(Stop::Wrong(reason)) => return Err(reason),
            question => self.branches(tokens, &reading, question.err(), forms)?,
        }
        forms.truncate(before);
        self.work.release(bytes);
        Ok(())
    }

    /// Reads what the tree has where a question is asked, or where all is read.
    fn branches<'t>(
        &self,
        tokens: &mut impl Iterator<Item = &'t str>,
        reading: &Reading<'c>,
        question: Option<Stop>,
        forms: &mut Vec<Form>,
    ) -> Result<(), Reason> {
        let token = tokens.next().ok_or("a case is missing")?;
        if let Some(i) = token.strip_prefix('?') {
            let disjunction = number::<usize>(i).and_then(|i| self.disjunctions.get(i));
            let disjunction = disjunction.ok_or("there is no such disjunction")?;
            for form in disjunction.iter().filter(|form| !form.is_positive()) {
                // The same questions, one form more.
                forms.push(form.clone());
                self.node(tokens, reading.answered(None)?, forms)?;
                forms.pop();
            }
            return Ok(());
        }
        let answers = match (token, token.strip_prefix('.'), question) {
            ("/", _, Some(Stop::Branch(count))) => (0..count).map(Answer::One).collect(),
            ("/", ..) => return Err("nothing is to be distinguished here".into()),
            (_, Some(""), Some(Stop::Needed(_))) => vec![Answer::All],
            (_, Some(i), Some(Stop::Needed(count))) => {
                vec![Answer::One(number(i).filter(|i| *i < count).ok_or("there are not so many")?)]
            }
            (_, Some(_), _) => return Err("nothing is to be left out here".into()),
            (_, None, _) => {
                let one = number::<usize>(token).and_then(|i| self.refutations.get(i));
                let refuted = one.ok_or("there is no such refutation")?.refutes(
                    forms,
                    self.digits,
                    self.work,
                )?;
                return if refuted { Ok(()) } else { Err("a case is not refuted".into()) };
            }
        };
        answers
            .into_iter()
            .try_for_each(|answer| self.node(tokens, reading.answered(Some(answer))?, forms))
    }
}

/// Returns a term as a form. Fails if it needs a case distinction or a new variable.
pub fn plain(
    term: &Term,
    names: &[Variable],
    digits: &Digits,
    work: &Work<'_>,
) -> Result<Form, Reason> {
    let (mut forms, mut next) = (Vec::new(), Variable::MAX);
    let mut one = Comparison {
        names,
        digits,
        answers: &[],
        written: 0,
        next: &mut next,
        forms: &mut forms,
        work,
    };
    match one.term(term) {
        Ok(form) if forms.is_empty() => Ok(form),
        Err(Stop::Wrong(reason)) => Err(reason),
        _ => Err("a sum of variables and digit sums should stand here".into()),
    }
}

/// How far formulas are read on the way to a branch.
#[derive(Debug, Clone, Default)]
struct Reading<'f> {
    /// What still holds, or (`false`) does not, and where the names of its variables begin; the
    /// next one last.
    open: Vec<(&'f Node, bool, usize)>,
    names: Vec<Variable>,
    /// The next new variable.
    next: Variable,
    /// Answers to the questions of the formula that is next, and how many of its forms are written
    /// down.
    answers: Vec<Answer>,
    written: usize,
    /// Equations that hold already, and where the names of their variables begin.
    equal: Vec<(&'f Node, usize)>,
    /// How many branches were taken.
    depth: usize,
}

impl<'f> Reading<'f> {
    /// Returns the reading in a branch below.
    fn answered(&self, answer: Option<Answer>) -> Result<Reading<'f>, Reason> {
        if self.depth >= DEPTH {
            return Err("cases are nested too deeply".into());
        }
        let mut own = self.clone();
        own.answers.extend(answer);
        own.depth += 1;
        Ok(own)
    }

    /// Reads to the next question that has no answer, or to the end.
    fn on(&mut self, forms: &mut Vec<Form>, digits: &Digits, work: &Work<'_>) -> Result<(), Stop> {
        while let Some((node, truth, from)) = self.open.last().copied() {
            work.spend(8)?;
            if self.is_known(node, from, work)? {
                if !truth {
                    return Err(Stop::Absurd);
                }
                self.open.pop();
            } else if let Node::Compare(left, relation, right) = node {
                let (mut next, before) = (self.next, forms.len());
                let (names, answers, written) =
                    (&self.names[from..], &self.answers[..], self.written);
                let mut one =
                    Comparison { names, digits, answers, written, next: &mut next, forms, work };
                let done = one.compare(left, *relation, right, truth);
                self.written += forms.len() - before;
                done?;
                (self.next, self.written) = (next, 0);
                self.open.pop();
            } else {
                self.open_up(node, truth, from)?;
            }
            self.answers.clear();
        }
        Ok(())
    }

    /// Returns whether it is an equation that holds already. (The one that says so is read itself.)
    fn is_known(&self, node: &Node, from: usize, work: &Work<'_>) -> Result<bool, Reason> {
        for (known, own) in &self.equal {
            work.spend(8)?;
            if *own == from && *known == node && !std::ptr::eq(*known, node) {
                if let Node::Compare(left, _, right) = node {
                    work.spend(8 * (left.count(&|_| true) + right.count(&|_| true)))?;
                }
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Replaces the formula that comes next by those of its parts that answers choose; leaves a
    /// comparison in its place.
    fn open_up(&mut self, node: &'f Node, truth: bool, from: usize) -> Result<(), Stop> {
        let one = |node: &'f Node, truth| (node, truth, from);
        let answer = self.answers.first().copied();
        let which = |count| match (count, answer) {
            (0, _) => Err(Stop::Absurd),
            (1, _) => Ok(0),
            (_, Some(Answer::One(i))) => Ok(i),
            _ => Err(Stop::Branch(count)),
        };
        let place = self.open.len() - 1;
        let instead = match (node, truth) {
            (Node::Known(value), _) if *value == truth => vec![],
            (Node::Known(_), _) => return Err(Stop::Absurd),
            (Node::Compare(..), _) => return Ok(()),
            (Node::Not(inner), _) => vec![one(inner, !truth)],
            (Node::Or(parts), true) | (Node::And(parts), false) => {
                vec![one(&parts[which(parts.len())?], truth)]
            }
            (Node::And(parts), true) | (Node::Or(parts), false) => match answer {
                None if !truth => return Err(Stop::Needed(parts.len())),
                Some(Answer::One(i)) => vec![one(&parts[i], truth)],
                _ => parts.iter().rev().map(|part| one(part, truth)).collect(),
            },
            (Node::Iff(left, right), _) => {
                let both = which(2)? == 0;
                vec![one(right, both == truth), one(left, both)]
            }
            (Node::Exists(variables, body, _), true)
            | (Node::Forall(variables, body, _), false) => {
                for v in variables {
                    self.names[from + v] = fresh(&mut self.next)?;
                }
                vec![one(body, truth)]
            }
            (Node::Exists(variables, body, named), false)
            | (Node::Forall(variables, body, named), true) => {
                let is = |name| variables.iter().any(|v| self.names[from + v] == name);
                if is(FIXED) && !named.is_empty() {
                    let may_miss = named.iter().enumerate().filter(|(_, one)| one.none.is_some());
                    let (mut missing, count) = (may_miss.clone(), may_miss.count());
                    let (all, last) = match missing.nth(which(count + 1)?) {
                        Some((i, own)) => {
                            (&named[..i], own.none.iter().map(|no| one(no, true)).collect())
                        }
                        None => (&named[..], vec![one(body, truth)]),
                    };
                    for v in variables {
                        self.names[from + v] = fresh(&mut self.next)?;
                    }
                    self.equal.extend(all.iter().map(|one| (&one.equation, from)));
                    let equations = all.iter().rev().map(|own| one(&own.equation, true));
                    last.into_iter().chain(equations).collect()
                } else if is(FIXED) || is(NONE) {
                    vec![]
                } else {
                    vec![one(body, truth)]
                }
            }
        };
        self.open.splice(place.., instead);
        Ok(())
    }
}

fn fresh(next: &mut Variable) -> Result<Variable, Stop> {
    let own = *next;
    *next =
        own.checked_add(1).ok_or_else(|| Reason::from("a new variable is not expected here"))?;
    Ok(own)
}

/// The evaluation of a comparison, from its beginning with the answers so far.
struct Comparison<'e> {
    names: &'e [Variable],
    digits: &'e Digits,
    /// Answers that are not taken yet.
    answers: &'e [Answer],
    /// Forms that are written down already.
    written: usize,
    next: &'e mut Variable,
    forms: &'e mut Vec<Form>,
    work: &'e Work<'e>,
}

impl Comparison<'_> {
    /// Returns which of several cases it is.
    fn branch(&mut self, count: usize) -> Result<usize, Stop> {
        match self.answers.split_first() {
            _ if count == 1 => Ok(0),
            Some((Answer::One(i), rest)) => {
                self.answers = rest;
                Ok(*i)
            }
            _ => Err(Stop::Branch(count)),
        }
    }

    /// Writes down what is at most 0.
    fn write(&mut self, form: Form) -> Result<(), Stop> {
        self.work.spend(8 + form.size())?;
        if self.written > 0 {
            self.written -= 1;
            return Ok(());
        }
        if form.is_positive() {
            return Err(Stop::Absurd);
        }
        if self.forms.len() >= FORMS {
            return Err(Reason::from("a case has too many conditions").into());
        }
        self.forms.push(form);
        Ok(())
    }

    /// Writes down that two forms are equal.
    fn equal(&mut self, left: &Form, right: &Form) -> Result<(), Stop> {
        self.write(left.minus(right)?)?;
        self.write(right.minus(left)?)
    }

    /// Says that terms are so related, or are not.
    fn compare(
        &mut self,
        left: &Term,
        relation: Relation,
        right: &Term,
        truth: bool,
    ) -> Result<(), Stop> {
        let (f, g) = (self.term(left)?, self.term(right)?);
        let (f, g) = (f.minus(&g)?, g.minus(&f)?);
        match (relation, truth) {
            (Relation::Equal, true) => {
                self.write(f)?;
                self.write(g)
            }
            (Relation::Equal, false) => {
                let less = if self.branch(2)? == 0 { f } else { g };
                self.write(less.one_more()?)
            }
            (Relation::AtMost, true) => self.write(f),
            (Relation::AtMost, false) => self.write(g.one_more()?),
            (Relation::Less, true) => self.write(f.one_more()?),
            (Relation::Less, false) => self.write(g),
        }
    }

    fn term(&mut self, term: &Term) -> Result<Form, Stop> {
        self.work.spend(8)?;
        match term {
            Term::Number(k) => Ok(Form::constant(*k)),
            Term::Variable(v) => Ok(Form::variable(self.names[*v])),
            Term::Sum(parts) => parts.iter().try_fold(Form::default(), |sum, part| {
                let part = self.term(part)?;
                self.work.spend(sum.size())?;
                Ok(sum.plus(1, &part)?)
            }),
            Term::Times(k, inner) => Ok(Form::default().plus(*k, &self.term(inner)?)?),
            Term::Min(parts) | Term::Max(parts) => {
                let mut best = self.term(&parts[0])?;
                for part in &parts[1..] {
                    let part = self.term(part)?;
                    let (stays, goes) = (best.minus(&part)?, part.minus(&best)?);
                    let (stays, goes) =
                        if let Term::Min(_) = term { (stays, goes) } else { (goes, stays) };
                    if self.branch(2)? == 0 {
                        self.write(stays)?;
                    } else {
                        self.write(goes)?;
                        best = part;
                    }
                }
                Ok(best)
            }
            Term::Xor(modulus, parts) => self.digit_sum(*modulus, parts),
            Term::Floor(whole, period, inner) => {
                let form = self.term(inner)?;
                self.floor(*whole, period, &form)
            }
            Term::Shift(inner) => {
                let form = self.term(inner)?;
                self.shift(&[1], &form)
            }
            Term::Div(inner, by) | Term::Mod(inner, by) => {
                let form = self.term(inner)?;
                let quotient = Form::variable(fresh(self.next)?);
                let rest = form.plus(-by, &quotient)?;
                let remainder = matches!(term, Term::Mod(..));
                if remainder && *by <= SMALL {
                    let left = Form::constant(self.branch(*by as usize)? as i64);
                    self.equal(&rest, &left)?;
                    return Ok(left);
                }
                self.write(Form::default().minus(&rest)?)?;
                self.write(rest.minus(&Form::constant(by - 1))?)?;
                Ok(if remainder { rest } else { quotient })
            }
        }
    }

    fn digit_sum(&mut self, modulus: u8, parts: &[Term]) -> Result<Form, Stop> {
        let (mut variables, mut constants) = (Vec::new(), Vec::new());
        for part in parts {
            let form = self.term(part)?;
            match (&form.terms[..], form.constant) {
                ([], k @ 0..) => constants.push(k),
                ([(Base::Sum(2, all), 1)], 0) if modulus == 2 => variables.extend(all),
                _ => variables.push(self.named(&form)?),
            }
        }
        self.work.spend(64 + parts.len() * 41 + 8 * variables.len())?;
        let digit =
            |place: u32| constants.iter().map(|k| k >> place & 1).sum::<i64>() % i64::from(modulus);
        let sum = (0..41).map(|place| digit(place) << place).sum();
        if variables.is_empty() {
            return Ok(Form::constant(sum));
        }
        // A sum of constants has digits above 1 where the modulus is, and the number that these
        // make has others: each by itself.
        let apart = if modulus == 2 { vec![sum] } else { constants };
        for k in apart.into_iter().filter(|k| *k > 0) {
            variables.push(self.named(&Form::constant(k))?);
        }
        Ok(Form::sum(modulus, variables))
    }

    /// Returns a variable that equals a form, a new one unless the form is one.
    fn named(&mut self, form: &Form) -> Result<Variable, Stop> {
        if let ([(Base::Sum(_, one), 1)], 0) = (&form.terms[..], form.constant)
            && one.len() == 1
        {
            return Ok(one[0]);
        }
        let name = fresh(self.next)?;
        self.equal(form, &Form::variable(name))?;
        Ok(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Cases<'_> {
        /// Returns the forms of each branch, with everything read that may be skipped, and a tree
        /// of all branches whose leaves name the refutation of the number of their forms.
        pub fn all_branches(&self, known: &[Form]) -> Result<(Vec<Vec<Form>>, String), Reason> {
            let (mut all, mut tree) = (Vec::new(), String::new());
            let mut open = vec![(self.unread(), known.to_vec())];
            while let Some((mut reading, mut forms)) = open.pop() {
                match reading.on(&mut forms, self.digits, self.work) {
                    Ok(()) => {
                        tree += &format!(" {}", forms.len());
                        all.push(forms);
                    }
                    Err(Stop::Branch(count)) => {
                        tree += " /";
                        for i in (0..count).rev() {
                            open.push((reading.answered(Some(Answer::One(i)))?, forms.clone()));
                        }
                    }
                    Err(Stop::Needed(_)) => {
                        tree += " .";
                        open.push((reading.answered(Some(Answer::All))?, forms));
                    }
                    Err(Stop::Absurd) => {}
                    Err(Stop::Wrong(reason)) => return Err(reason),
                }
            }
            Ok((all, tree))
        }
    }
}
