//! Case distinctions: why formulas and forms cannot all hold.
//!
//! [`Cases::evaluate`] reads formulas, one after another, and writes down forms that are at most 0 where they hold: `x ≤ y` as x − y, `x = y` as two. Where
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
    pub zeckendorf: bool,
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

impl Cases<'_> {
    /// Checks a tree, written in the order of its branches, for these formulas and forms known to be at most 0.
    pub fn refuted(&self, known: &[Form], tree: &str, work: &mut Work<'_>) -> Result<(), Reason> {
        work.spend(16 + known.iter().map(Form::size).sum::<usize>())?;
        let mut tokens = tree.split(' ').filter(|token| !token.is_empty());
        if !known.iter().any(Form::is_positive) {
            self.node(&mut tokens, &mut Vec::new(), &mut known.to_vec(), (0, 0), work)?;
        }
        match tokens.next() {
            None => Ok(()),
            Some(_) => Err("more branches than cases".into()),
        }
    }

    fn node<'t>(
        &self,
        tokens: &mut impl Iterator<Item = &'t str>,
        path: &mut Vec<Answer>,
        forms: &mut Vec<Form>,
        (depth, written): (usize, usize),
        work: &mut Work<'_>,
    ) -> Result<(), Reason> {
        if depth > DEPTH {
            return Err("cases are nested too deeply".into());
        }
        work.spend(16 + self.said.iter().map(|said| said.names.len() / 4).sum::<usize>())?;
        let before = forms.len();
        let mut evaluation = Evaluation { path, at: 0, next: self.next, forms: Vec::new(), work };
        let all = self
            .said
            .iter()
            .try_for_each(|said| evaluation.say(said.node, said.truth, &mut said.names.clone()));
        let now = evaluation.forms.len();
        forms.extend(evaluation.forms.drain(written..));
        let stop = match all {
            Err(Stop::Absurd) => {
                forms.truncate(before);
                return Ok(());
            }
            Err(Stop::Wrong(reason)) => return Err(reason),
            Err(stop) => Some(stop),
            Ok(()) => None,
        };
        let token = tokens.next().ok_or("a case is missing")?;
        let mut branch =
            |answer: Answer, path: &mut Vec<Answer>, forms: &mut Vec<Form>, work: &mut Work<'_>| {
                path.push(answer);
                let done = self.node(tokens, path, forms, (depth + 1, now), work);
                path.pop();
                done
            };
        if let Some(i) = token.strip_prefix('?') {
            let disjunction = number::<usize>(i)
                .and_then(|i| self.disjunctions.get(i))
                .ok_or("there is no such disjunction")?;
            for form in disjunction {
                forms.push(form.clone());
                if !form.is_positive() {
                    // The same questions, one form more.
                    self.node(tokens, path, forms, (depth + 1, now), work)?;
                }
                forms.pop();
            }
        } else if token == "/" {
            let Some(Stop::Branch(count)) = stop else {
                return Err("nothing is to be distinguished here".into());
            };
            for i in 0..count {
                branch(Answer::One(i), path, forms, work)?;
            }
        } else if let Some(needed) = token.strip_prefix('.') {
            let answer = match (stop, needed) {
                (Some(Stop::Needed(_)), "") => Answer::All,
                (Some(Stop::Needed(count)), i) => {
                    Answer::One(number(i).filter(|i| *i < count).ok_or("there are not so many")?)
                }
                _ => return Err("nothing is to be left out here".into()),
            };
            branch(answer, path, forms, work)?;
        } else {
            let one = number::<usize>(token)
                .and_then(|i| self.refutations.get(i))
                .ok_or("there is no such refutation")?;
            if !one.refutes(forms, self.zeckendorf, work)? {
                return Err("a case is not refuted".into());
            }
        }
        forms.truncate(before);
        Ok(())
    }
}

/// A term that needs no distinction and no new variable, as a form.
pub fn plain(term: &Term, names: &[Variable], work: &mut Work<'_>) -> Result<Form, Reason> {
    let mut evaluation = Evaluation { path: &[], at: 0, next: Variable::MAX, forms: Vec::new(), work };
    match evaluation.term(term, names) {
        Ok(form) if evaluation.forms.is_empty() => Ok(form),
        Err(Stop::Wrong(reason)) => Err(reason),
        _ => Err("a sum of variables and digit sums should stand here".into()),
    }
}

struct Evaluation<'e, 'w> {
    path: &'e [Answer],
    at: usize,
    next: Variable,
    forms: Vec<Form>,
    work: &'e mut Work<'w>,
}

impl Evaluation<'_, '_> {
    fn answer(&mut self, stop: Stop) -> Result<Answer, Stop> {
        self.at += 1;
        self.path.get(self.at - 1).copied().ok_or(stop)
    }

    fn branch(&mut self, count: usize) -> Result<usize, Stop> {
        match count {
            0 => Err(Stop::Absurd),
            1 => Ok(0),
            _ => match self.answer(Stop::Branch(count))? {
                Answer::One(i) => Ok(i),
                Answer::All => Err(Stop::Absurd),
            },
        }
    }

    fn fresh(&mut self) -> Result<Variable, Stop> {
        let own = self.next;
        self.next = own.checked_add(1).ok_or_else(|| Reason::from("a new variable is not expected here"))?;
        Ok(own)
    }

    /// Writes down what is at most 0.
    fn write(&mut self, form: Form) -> Result<(), Stop> {
        self.work.spend(8 + form.size())?;
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

    fn say(&mut self, node: &Node, truth: bool, names: &mut Vec<Variable>) -> Result<(), Stop> {
        self.work.spend(8)?;
        match (node, truth) {
            (Node::Known(value), _) => {
                if *value == truth {
                    Ok(())
                } else {
                    Err(Stop::Absurd)
                }
            }
            (Node::Not(inner), _) => self.say(inner, !truth, names),
            (Node::And(parts), true) => parts.iter().try_for_each(|part| self.say(part, true, names)),
            (Node::Or(parts), true) | (Node::And(parts), false) => {
                let i = self.branch(parts.len())?;
                self.say(&parts[i], truth, names)
            }
            (Node::Or(parts), false) => match self.answer(Stop::Needed(parts.len()))? {
                Answer::One(i) => self.say(&parts[i], false, names),
                Answer::All => parts.iter().try_for_each(|part| self.say(part, false, names)),
            },
            (Node::Iff(left, right), _) => {
                let both = self.branch(2)? == 0;
                self.say(left, both, names)?;
                self.say(right, both == truth, names)
            }
            (Node::Exists(variables, body), true) | (Node::Forall(variables, body), false) => {
                for v in variables {
                    names[*v] = self.fresh()?;
                }
                self.say(body, truth, names)
            }
            (Node::Exists(variables, body), false) | (Node::Forall(variables, body), true) => {
                if variables.iter().any(|v| names[*v] == NONE) {
                    Ok(())
                } else {
                    self.say(body, truth, names)
                }
            }
            (Node::Compare(left, relation, right), _) => {
                let (f, g) = (self.term(left, names)?, self.term(right, names)?);
                match (relation, truth) {
                    (Relation::Equal, true) | (Relation::Unequal, false) => self.equal(&f, &g),
                    (Relation::Equal, false) | (Relation::Unequal, true) => {
                        let less = self.branch(2)? == 0;
                        let difference = if less { f.minus(&g)? } else { g.minus(&f)? };
                        self.write(difference.one_more()?)
                    }
                    (Relation::AtMost, true) | (Relation::Greater, false) => self.write(f.minus(&g)?),
                    (Relation::AtLeast, true) | (Relation::Less, false) => self.write(g.minus(&f)?),
                    (Relation::Less, true) | (Relation::AtLeast, false) => {
                        self.write(f.minus(&g)?.one_more()?)
                    }
                    (Relation::Greater, true) | (Relation::AtMost, false) => {
                        self.write(g.minus(&f)?.one_more()?)
                    }
                }
            }
        }
    }

    fn term(&mut self, term: &Term, names: &[Variable]) -> Result<Form, Stop> {
        self.work.spend(8)?;
        match term {
            Term::Number(k) => Ok(Form::constant(*k)),
            Term::Variable(v) => Ok(Form::variable(names[*v])),
            Term::Sum(parts) => parts.iter().try_fold(Form::default(), |sum, part| {
                let part = self.term(part, names)?;
                self.work.spend(sum.size())?;
                Ok(sum.plus(1, &part)?)
            }),
            Term::Times(k, inner) => Ok(Form::default().plus(*k, &self.term(inner, names)?)?),
            Term::Min(parts) | Term::Max(parts) => {
                let mut best = self.term(&parts[0], names)?;
                for part in &parts[1..] {
                    let part = self.term(part, names)?;
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
                    let form = self.term(part, names)?;
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
            Term::Shift(inner) => {
                let form = self.term(inner, names)?;
                let v = match (&form.terms[..], form.constant) {
                    ([(Base::Sum(_, one), 1)], 0) if one.len() == 1 => one[0],
                    _ => self.named(&form)?,
                };
                Ok(Form { terms: vec![(Base::Shift(v), 1)], constant: 0 })
            }
            Term::Div(inner, by) | Term::Mod(inner, by) => {
                let form = self.term(inner, names)?;
                let quotient = Form::variable(self.fresh()?);
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

    /// A new variable that equals a form.
    fn named(&mut self, form: &Form) -> Result<Variable, Stop> {
        let name = self.fresh()?;
        self.equal(form, &Form::variable(name))?;
        Ok(name)
    }
}

#[cfg(test)]
impl Cases<'_> {
    fn path(&self, path: &[Answer], work: &mut Work<'_>) -> Result<(Vec<Form>, Option<Stop>), Reason> {
        let mut evaluation = Evaluation { path, at: 0, next: self.next, forms: Vec::new(), work };
        let done = self
            .said
            .iter()
            .try_for_each(|said| evaluation.say(said.node, said.truth, &mut said.names.clone()));
        match done {
            Err(Stop::Wrong(reason)) => Err(reason),
            done => Ok((evaluation.forms, done.err())),
        }
    }

    /// What is written down in each branch, where all that can be left out is not.
    pub fn branches(&self, work: &mut Work<'_>) -> Result<Vec<Vec<Form>>, Reason> {
        let (mut all, mut open) = (Vec::new(), vec![Vec::new()]);
        while let Some(path) = open.pop() {
            let (forms, stop) = self.path(&path, work)?;
            match stop {
                None => all.push(forms),
                Some(Stop::Branch(count)) => {
                    open.extend((0..count).map(|i| [&path[..], &[Answer::One(i)]].concat()))
                }
                Some(Stop::Needed(_)) => open.push([&path[..], &[Answer::All]].concat()),
                Some(_) => {}
            }
        }
        Ok(all)
    }

    /// A tree with all branches, in its leaves the refutations whose number is that of the forms.
    pub fn whole_tree(&self, known: &[Form], work: &mut Work<'_>) -> Result<String, Reason> {
        let (mut tree, mut open) = (String::new(), vec![Vec::new()]);
        while let Some(path) = open.pop() {
            let (forms, stop) = self.path(&path, work)?;
            match stop {
                None => tree += &format!(" {}", known.len() + forms.len()),
                Some(Stop::Branch(count)) => {
                    tree += " /";
                    open.extend((0..count).rev().map(|i| [&path[..], &[Answer::One(i)]].concat()));
                }
                Some(Stop::Needed(_)) => {
                    tree += " .";
                    open.push([&path[..], &[Answer::All]].concat());
                }
                Some(_) => {}
            }
        }
        Ok(tree)
    }
}
