//! Case distinctions: why formulas and forms cannot all hold.
//!
//! [`Reading::on`] reads formulas, one after another, and writes down forms that are at most 0 where they hold: `x ≤ y` as x − y, `x = y` as two. Where
//! one of several things holds (an "or"; which argument is the least; what a small remainder is) it asks which; a tree in the file has a branch
//! for each answer. Where all of several hold (the contrary of an "or") it asks which are needed, and the file says.
//!
//! **Theorem.** If a tree is accepted for formulas Φ, forms f and disjunctions D, then for no natural numbers all of Φ hold, all f ≤ 0, and of each
//! disjunction some form is ≤ 0. *Proof* by induction on the tree: let there be such numbers. New variables (bound ones, quotients, names of
//! terms within digit sums) stand for numbers that there are; with these all forms written down are ≤ 0, in the branch of what is the case. So no
//! form is positive, a branch `/` has a subtree to which this applies, so has a branch `?i` for the i-th disjunction, and leaves are
//! refuted ([`super::refute`]). What the file leaves out (`.`) makes less hold. ∎
//!
//! Terms within digit sums, quotients and remainders have no minus, so that they are natural.

use super::digits::Digits;
use super::form::{Base, Form, Variable};
use super::formula::{Node, Relation, Term};
use super::refute::Refutation;
use crate::work::{Reason, Work, number};

/// A formula that holds, or (`truth` false) does not; which variable stands for each of its own. Where it binds one, "there is" means a new one; of the contrary
/// the case that is needed is that of the variable that stands here ([`NONE`]: none is).
#[derive(Debug, Clone)]
pub struct Said<'f> {
    pub node: &'f Node,
    pub truth: bool,
    pub names: Vec<Variable>,
}

/// No variable.
pub const NONE: Variable = Variable::MAX;

/// What cannot be.
#[derive(Debug)]
pub struct Cases<'c> {
    /// Formulas.
    pub said: Vec<Said<'c>>,
    /// Variables from here on are new.
    pub next: Variable,
    /// Of each, some form is at most 0.
    pub disjunctions: &'c [Vec<Form>],
    pub refutations: &'c [Refutation],
    pub digits: &'c Digits,
}

/// The answer to a question.
#[derive(Debug, Clone, Copy)]
enum Answer {
    /// This one of several.
    One(usize),
    /// All.
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
    /// Checks a tree, written in the order of its branches, for these formulas and forms known to be at most 0.
    pub fn refuted(&self, known: &[Form], tree: &str, work: &mut Work<'_>) -> Result<(), Reason> {
        work.spend(16 + known.iter().map(Form::size).sum::<usize>())?;
        let mut tokens = tree.split(' ').filter(|token| !token.is_empty());
        if !known.iter().any(Form::is_positive) {
            self.node(&mut tokens, self.unread(), &mut known.to_vec(), 0, work)?;
        }
        match tokens.next() {
            None => Ok(()),
            Some(_) => Err("more branches than cases".into()),
        }
    }

    /// Nothing is read yet.
    fn unread(&self) -> Reading<'c> {
        let mut reading = Reading { next: self.next, ..Reading::default() };
        for said in &self.said {
            reading.open.push((said.node, said.truth, reading.names.len()));
            reading.names.extend(&said.names);
        }
        reading.open.reverse();
        reading
    }

    fn node<'t>(
        &self,
        tokens: &mut impl Iterator<Item = &'t str>,
        mut reading: Reading<'c>,
        forms: &mut Vec<Form>,
        depth: usize,
        work: &mut Work<'_>,
    ) -> Result<(), Reason> {
        if depth > DEPTH {
            return Err("cases are nested too deeply".into());
        }
        let (before, bytes) = (forms.len(), work.bytes());
        work.hold(256 + 4 * reading.names.len() + 24 * reading.open.len())?;
        let question = match reading.on(forms, self.digits, work) {
            Err(Stop::Absurd) => {
                forms.truncate(before);
                work.release(bytes);
                return Ok(());
            }
            Err(Stop::Wrong(reason)) => return Err(reason),
            Err(question) => Some(question),
            Ok(()) => None,
        };
        let token = tokens.next().ok_or("a case is missing")?;
        if let Some(i) = token.strip_prefix('?') {
            let disjunction = number::<usize>(i)
                .and_then(|i| self.disjunctions.get(i))
                .ok_or("there is no such disjunction")?;
            for form in disjunction.iter().filter(|form| !form.is_positive()) {
                // The same questions, one form more.
                forms.push(form.clone());
                self.node(tokens, reading.clone(), forms, depth + 1, work)?;
                forms.pop();
            }
        } else if token == "/" {
            let Some(Stop::Branch(count)) = question else {
                return Err("nothing is to be distinguished here".into());
            };
            for i in 0..count {
                self.node(tokens, reading.answered(Answer::One(i)), forms, depth + 1, work)?;
            }
        } else if let Some(needed) = token.strip_prefix('.') {
            let answer = match (question, needed) {
                (Some(Stop::Needed(_)), "") => Answer::All,
                (Some(Stop::Needed(count)), i) => {
                    Answer::One(number(i).filter(|i| *i < count).ok_or("there are not so many")?)
                }
                _ => return Err("nothing is to be left out here".into()),
            };
            self.node(tokens, reading.answered(answer), forms, depth + 1, work)?;
        } else {
            let one = number::<usize>(token)
                .and_then(|i| self.refutations.get(i))
                .ok_or("there is no such refutation")?;
            if !one.refutes(forms, self.digits, work)? {
                return Err("a case is not refuted".into());
            }
        }
        forms.truncate(before);
        work.release(bytes);
        Ok(())
    }
}

/// A term that needs no distinction and no new variable, as a form.
pub fn plain(term: &Term, names: &[Variable], digits: &Digits, work: &mut Work<'_>) -> Result<Form, Reason> {
    let mut forms = Vec::new();
    let mut next = Variable::MAX;
    let mut one =
        Comparison { names, digits, answers: &[], written: 0, next: &mut next, forms: &mut forms, work };
    match one.term(term) {
        Ok(form) if forms.is_empty() => Ok(form),
        Err(Stop::Wrong(reason)) => Err(reason),
        _ => Err("a sum of variables and digit sums should stand here".into()),
    }
}

/// How far formulas are read on the way to a branch.
#[derive(Debug, Clone, Default)]
struct Reading<'f> {
    /// What still holds, or (`false`) does not, and where the names of its variables begin; the next one last.
    open: Vec<(&'f Node, bool, usize)>,
    names: Vec<Variable>,
    /// The next new variable.
    next: Variable,
    /// Answers to the questions of the formula that is next, and how many of its forms are written down.
    answers: Vec<Answer>,
    written: usize,
}

impl<'f> Reading<'f> {
    fn answered(&self, answer: Answer) -> Reading<'f> {
        let mut own = self.clone();
        own.answers.push(answer);
        own
    }

    /// Reads to the next question that has no answer, or to the end.
    fn on(&mut self, forms: &mut Vec<Form>, digits: &Digits, work: &mut Work<'_>) -> Result<(), Stop> {
        while let Some((node, truth, from)) = self.open.last().copied() {
            work.spend(8)?;
            if let Node::Compare(left, relation, right) = node {
                let (mut next, before) = (self.next, forms.len());
                let names = &self.names[from..];
                let (answers, written) = (&self.answers[..], self.written);
                let mut one = Comparison { names, digits, answers, written, next: &mut next, forms, work };
                let done = one.say(left, *relation, right, truth);
                self.written += forms.len() - before;
                done?;
                self.next = next;
                self.open.pop();
                self.written = 0;
            } else {
                self.open_up(node, truth, from)?;
            }
            self.answers.clear();
        }
        Ok(())
    }

    /// Puts what it says in a formula's place.
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
        match (node, truth) {
            (Node::Known(value), _) if *value == truth => self.open.truncate(place),
            (Node::Known(_), _) => return Err(Stop::Absurd),
            (Node::Compare(..), _) => {}
            (Node::Not(inner), _) => self.open[place] = one(inner, !truth),
            (Node::Or(parts), true) | (Node::And(parts), false) => {
                self.open[place] = one(&parts[which(parts.len())?], truth);
            }
            (Node::And(parts), true) | (Node::Or(parts), false) => match answer {
                None if !truth => return Err(Stop::Needed(parts.len())),
                Some(Answer::One(i)) => self.open[place] = one(&parts[i], truth),
                _ => drop(self.open.splice(place.., parts.iter().rev().map(|part| one(part, truth)))),
            },
            (Node::Iff(left, right), _) => {
                let both = which(2)? == 0;
                self.open.splice(place.., [one(right, both == truth), one(left, both)]);
            }
            (Node::Exists(variables, body), true) | (Node::Forall(variables, body), false) => {
                for v in variables {
                    self.names[from + v] = fresh(&mut self.next)?;
                }
                self.open[place] = one(body, truth);
            }
            (Node::Exists(variables, body), false) | (Node::Forall(variables, body), true) => {
                if variables.iter().any(|v| self.names[from + v] == NONE) {
                    self.open.truncate(place);
                } else {
                    self.open[place] = one(body, truth);
                }
            }
        }
        Ok(())
    }
}

fn fresh(next: &mut Variable) -> Result<Variable, Stop> {
    let own = *next;
    *next = own.checked_add(1).ok_or_else(|| Reason::from("a new variable is not expected here"))?;
    Ok(own)
}

/// The evaluation of a comparison, from its beginning with the answers so far.
struct Comparison<'e, 'w> {
    names: &'e [Variable],
    digits: &'e Digits,
    /// Answers that are not taken yet.
    answers: &'e [Answer],
    /// Forms that are written down already.
    written: usize,
    next: &'e mut Variable,
    forms: &'e mut Vec<Form>,
    work: &'e mut Work<'w>,
}

impl Comparison<'_, '_> {
    /// Which of several cases it is.
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

    fn equal(&mut self, left: &Form, right: &Form) -> Result<(), Stop> {
        self.write(left.minus(right)?)?;
        self.write(right.minus(left)?)
    }

    /// That terms are so related, or are not.
    fn say(&mut self, left: &Term, relation: Relation, right: &Term, truth: bool) -> Result<(), Stop> {
        let (f, g) = (self.term(left)?, self.term(right)?);
        match (relation, truth) {
            (Relation::Equal, true) | (Relation::Unequal, false) => self.equal(&f, &g),
            (Relation::Equal, false) | (Relation::Unequal, true) => {
                let less = self.branch(2)? == 0;
                let difference = if less { f.minus(&g)? } else { g.minus(&f)? };
                self.write(difference.one_more()?)
            }
            (Relation::AtMost, true) | (Relation::Greater, false) => self.write(f.minus(&g)?),
            (Relation::AtLeast, true) | (Relation::Less, false) => self.write(g.minus(&f)?),
            (Relation::Less, true) | (Relation::AtLeast, false) => self.write(f.minus(&g)?.one_more()?),
            (Relation::Greater, true) | (Relation::AtMost, false) => self.write(g.minus(&f)?.one_more()?),
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
                    let difference =
                        if matches!(term, Term::Min(_)) { best.minus(&part)? } else { part.minus(&best)? };
                    if self.branch(2)? == 0 {
                        self.write(difference)?;
                    } else {
                        self.write(Form::default().minus(&difference)?)?;
                        best = part;
                    }
                }
                Ok(best)
            }
            Term::Xor(modulus, parts) => {
                let (mut variables, mut constants) = (Vec::new(), Vec::new());
                for part in parts {
                    let form = self.term(part)?;
                    match (&form.terms[..], form.constant) {
                        ([], k @ 0..) => constants.push(k),
                        ([(Base::Sum(own, all), 1)], 0) if *modulus == 2 && *own == 2 || all.len() == 1 => {
                            variables.extend(all)
                        }
                        _ => variables.push(self.named(&form)?),
                    }
                }
                let digit =
                    |place: u32| constants.iter().map(|k| k >> place & 1).sum::<i64>() % i64::from(*modulus);
                let constant = Form::constant((0..41).map(|place| digit(place) << place).sum());
                // A sum of constants has digits above 1 where the modulus is, and the number that these make has others: each by itself.
                let apart = if *modulus == 2 { vec![constant.constant] } else { constants };
                if !variables.is_empty() {
                    for k in apart.into_iter().filter(|k| *k > 0) {
                        variables.push(self.named(&Form::constant(k))?);
                    }
                }
                self.work.spend(64 + parts.len() * 41 + 8 * variables.len())?;
                Ok(if variables.is_empty() { constant } else { Form::sum(*modulus, variables) })
            }
            Term::Floor(whole, period, inner) => {
                // ⌊0·α⌋ = 0, and ⌊(m + 1)·α⌋ = whole·(m + 1) + shift(m) − m.
                let form = self.term(inner)?;
                self.read_in(period)?;
                let less = form.minus(&Form::constant(1))?;
                let positive = less.constant >= 0 && less.terms.iter().all(|(_, c)| *c > 0);
                if !positive && self.branch(2)? == 0 {
                    self.equal(&form, &Form::default())?;
                    return Ok(Form::default());
                }
                let m = match (&less.terms[..], less.constant) {
                    ([(Base::Sum(_, one), 1)], 0) if one.len() == 1 => one[0],
                    _ => self.named(&less)?,
                };
                let shift = Form { terms: vec![(Base::Shift(m), 1)], constant: 0 };
                Ok(shift.plus(whole - 1, &less)?.plus(*whole, &Form::constant(1))?)
            }
            Term::Shift(inner) => {
                self.read_in(&[1])?;
                let form = self.term(inner)?;
                let v = match (&form.terms[..], form.constant) {
                    ([(Base::Sum(_, one), 1)], 0) if one.len() == 1 => one[0],
                    _ => self.named(&form)?,
                };
                Ok(Form { terms: vec![(Base::Shift(v), 1)], constant: 0 })
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

    /// That shifts are those of this continued fraction.
    fn read_in(&self, period: &[i64]) -> Result<(), Stop> {
        if self.digits.period == period {
            return Ok(());
        }
        Err(Reason::from("a multiple of an irrational number in the digits of another one").into())
    }

    /// A new variable that equals a form.
    fn named(&mut self, form: &Form) -> Result<Variable, Stop> {
        let name = fresh(self.next)?;
        self.equal(form, &Form::variable(name))?;
        Ok(name)
    }
}

#[cfg(test)]
impl Cases<'_> {
    /// What is written down in each branch, where all that can be left out is not, and a tree with all branches, in its leaves the refutations whose
    /// number is that of the forms.
    pub fn branches(&self, known: &[Form], work: &mut Work<'_>) -> Result<(Vec<Vec<Form>>, String), Reason> {
        let (mut all, mut tree, mut open) =
            (Vec::new(), String::new(), vec![(self.unread(), known.to_vec())]);
        while let Some((mut reading, mut forms)) = open.pop() {
            match reading.on(&mut forms, self.digits, work) {
                Ok(()) => {
                    tree += &format!(" {}", forms.len());
                    all.push(forms);
                }
                Err(Stop::Branch(count)) => {
                    tree += " /";
                    open.extend((0..count).rev().map(|i| (reading.answered(Answer::One(i)), forms.clone())));
                }
                Err(Stop::Needed(_)) => {
                    tree += " .";
                    open.push((reading.answered(Answer::All), forms));
                }
                Err(Stop::Absurd) => {}
                Err(Stop::Wrong(reason)) => return Err(reason),
            }
        }
        Ok((all, tree))
    }
}
