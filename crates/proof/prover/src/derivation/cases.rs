//! Case distinctions as the checker makes them (crates/proof/check, p_positions/cases.rs), and the
//! search for their trees.
//!
//! [`Evaluation`] asks the checker's questions in the checker's order. The search tries multipliers
//! first at every node, then branches; where that fails it is begun anew with eliminations and
//! walks at the leaves, then with cases of disjunctions as well.

use super::form::{Digits, is_positive};
use super::refute::Refutation;
use bouton_automata::linear_form::{Base, LinearForm, Variable};
use bouton_automata::slices::Slices;
use bouton_core::{
    FixedValue, Formula as Source, Node as SourceNode, Period, Relation, Slope, Term,
};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A formula as the checker reads its text: rows that begin with a row are joined with it.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    Known(bool),
    Compare(Term, Relation, Term),
    Not(Box<Node>),
    And(Vec<Node>),
    Or(Vec<Node>),
    Iff(Box<Node>, Box<Node>),
    Exists(Vec<usize>, Box<Node>, Vec<Fixed>),
    Forall(Vec<usize>, Box<Node>, Vec<Fixed>),
}

/// What fixes a variable of a quantifier ([`SourceNode::fixed_variables`]): an equation, and where
/// it has no solution.
#[derive(Debug, Clone, PartialEq)]
pub struct Fixed {
    equation: Node,
    missing: Option<Node>,
}

/// A formula, and how many variables it has.
#[derive(Debug, Clone)]
pub struct Formula {
    root: Node,
    free: usize,
    variables: usize,
}

impl Formula {
    /// Reads the text as the checker does. None if it cannot be read.
    pub fn read(text: &str, names: &[String]) -> Option<Formula> {
        let source = Source::parse_over(text, names).ok()?;
        Some(Formula { root: node(&source.root), free: names.len(), variables: source.names.len() })
    }

    /// Returns the statement that the formula holds, or does not, of these variables.
    pub fn signed(&self, mut names: Vec<Variable>, truth: bool) -> Signed<'_> {
        debug_assert_eq!(names.len(), self.free);
        names.resize(self.variables, if truth { FIXED } else { NONE });
        Signed { node: &self.root, truth, names }
    }

    /// Returns the statement that the formula does not hold of these variables, nor with these
    /// values of what it binds.
    pub fn negation(&self, names: Vec<Variable>, values: &[Option<Variable>]) -> Signed<'_> {
        let mut said = self.signed(names, false);
        said.names[self.free..]
            .iter_mut()
            .zip(values)
            .for_each(|(name, value)| *name = value.unwrap_or(NONE));
        said
    }

    /// Returns how many variables it binds.
    pub fn bound(&self) -> usize {
        self.variables - self.free
    }
}

fn row(parts: &[SourceNode], all: bool) -> Node {
    let make = |parts| if all { Node::And(parts) } else { Node::Or(parts) };
    let mut parts = parts.iter().map(node);
    let Some(first) = parts.next() else { return Node::Known(all) };
    parts.fold(first, |row, next| match row {
        Node::And(mut own) if all => {
            own.push(next);
            Node::And(own)
        }
        Node::Or(mut own) if !all => {
            own.push(next);
            Node::Or(own)
        }
        row => make(vec![row, next]),
    })
}

fn node(source: &SourceNode) -> Node {
    match source {
        SourceNode::Constant(value) => Node::Known(*value),
        SourceNode::Compare(left, Relation::Equal, right) => equal(left, right),
        SourceNode::Compare(left, relation, right) => {
            Node::Compare(left.clone(), *relation, right.clone())
        }
        SourceNode::Not(inner) => Node::Not(node(inner).into()),
        SourceNode::And(parts) => row(parts, true),
        SourceNode::Or(parts) => row(parts, false),
        SourceNode::Implies(left, right) => {
            Node::Or(vec![Node::Not(node(left).into()), node(right)])
        }
        SourceNode::Iff(left, right) => Node::Iff(node(left).into(), node(right).into()),
        SourceNode::Exists(variables, body) => {
            Node::Exists(variables.clone(), node(body).into(), fixed(source))
        }
        SourceNode::Forall(variables, body) => {
            Node::Forall(variables.clone(), node(body).into(), fixed(source))
        }
    }
}

fn fixed(source: &SourceNode) -> Vec<Fixed> {
    let values = source.fixed_variables().map_or_else(Vec::new, |fixed| fixed.values);
    let value = |one: &FixedValue| Fixed {
        equation: node(&one.equation),
        missing: one.missing.as_ref().map(node),
    };
    values.iter().map(value).collect()
}

fn equal(left: &Term, right: &Term) -> Node {
    let compared = |a: &Term, relation, b: &Term| Node::Compare(a.clone(), relation, b.clone());
    for (one, other) in [(left, right), (right, left)] {
        match (one, other) {
            (Term::Min(parts), Term::Max(same)) if parts == same => {
                return Node::And(
                    parts
                        .windows(2)
                        .map(|two| compared(&two[0], Relation::Equal, &two[1]))
                        .collect(),
                );
            }
            (Term::Min(parts), Term::Variable(_)) if parts.contains(other) => {
                let rest = parts.iter().filter(|part| *part != other);
                return Node::And(
                    rest.map(|part| compared(other, Relation::AtMost, part)).collect(),
                );
            }
            (Term::Max(parts), Term::Variable(_)) if parts.contains(other) => {
                let rest = parts.iter().filter(|part| *part != other);
                return Node::And(
                    rest.map(|part| compared(part, Relation::AtMost, other)).collect(),
                );
            }
            _ => {}
        }
    }
    Node::Compare(left.clone(), Relation::Equal, right.clone())
}

/// A formula that holds, or does not; which variable stands for each of its own.
#[derive(Debug, Clone)]
pub struct Signed<'f> {
    node: &'f Node,
    truth: bool,
    names: Vec<Variable>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Answer {
    One(usize),
    All,
}

enum Stop {
    Branch(usize),
    Needed(usize),
    Absurd,
    /// Beyond what is read or written down.
    Beyond,
}

const SMALL: u64 = 8;

struct Evaluation<'e> {
    path: &'e [Answer],
    at: usize,
    next: Variable,
    forms: Vec<LinearForm>,
    /// Equations of the formula that is read that hold.
    known: Vec<&'e Node>,
}

fn fine<T>(option: Option<T>) -> Result<T, Stop> {
    option.ok_or(Stop::Beyond)
}

impl<'e> Evaluation<'e> {
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

    fn fresh(&mut self) -> Variable {
        self.next += 1;
        self.next - 1
    }

    fn write(&mut self, form: Option<LinearForm>) -> Result<(), Stop> {
        let form = fine(form)?;
        if is_positive(&form) {
            return Err(Stop::Absurd);
        }
        self.forms.push(form);
        Ok(())
    }

    fn equal(&mut self, left: &LinearForm, right: &LinearForm) -> Result<(), Stop> {
        self.write(left.plus(right, -1))?;
        self.write(right.plus(left, -1))
    }

    fn say(&mut self, node: &'e Node, truth: bool, names: &mut Vec<Variable>) -> Result<(), Stop> {
        match (node, truth) {
            (Node::Compare(..), _) if self.known.contains(&node) => {
                if truth {
                    Ok(())
                } else {
                    Err(Stop::Absurd)
                }
            }
            (Node::Known(value), _) if *value == truth => Ok(()),
            (Node::Known(_), _) => Err(Stop::Absurd),
            (Node::Not(inner), _) => self.say(inner, !truth, names),
            (Node::And(parts), true) => {
                parts.iter().try_for_each(|part| self.say(part, true, names))
            }
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
            (Node::Exists(variables, body, _), true)
            | (Node::Forall(variables, body, _), false) => {
                for v in variables {
                    names[*v] = self.fresh();
                }
                self.say(body, truth, names)
            }
            (Node::Exists(variables, body, fixed), false)
            | (Node::Forall(variables, body, fixed), true) => {
                let is_fixed = variables.iter().all(|v| names[*v] == FIXED);
                if is_fixed && !fixed.is_empty() {
                    for v in variables {
                        names[*v] = self.fresh();
                    }
                    return self.say_fixed(fixed, body, truth, names);
                }
                if variables.iter().any(|v| [NONE, FIXED].contains(&names[*v])) {
                    Ok(())
                } else {
                    self.say(body, truth, names)
                }
            }
            (Node::Compare(left, relation, right), _) => {
                let (f, g) = (self.term(left, names)?, self.term(right, names)?);
                let one = LinearForm::constant(1);
                let more = |form: Option<LinearForm>| form.and_then(|form| form.plus(&one, 1));
                match if truth { *relation } else { relation.negated() } {
                    Relation::Equal => self.equal(&f, &g),
                    Relation::Unequal => {
                        let less = self.branch(2)? == 0;
                        self.write(more(if less { f.plus(&g, -1) } else { g.plus(&f, -1) }))
                    }
                    Relation::AtMost => self.write(f.plus(&g, -1)),
                    Relation::AtLeast => self.write(g.plus(&f, -1)),
                    Relation::Less => self.write(more(f.plus(&g, -1))),
                    Relation::Greater => self.write(more(g.plus(&f, -1))),
                }
            }
        }
    }

    /// Asks which value is missing, or whether none is, and says what then holds.
    fn say_fixed(
        &mut self,
        fixed: &'e [Fixed],
        body: &'e Node,
        truth: bool,
        names: &mut Vec<Variable>,
    ) -> Result<(), Stop> {
        let missing: Vec<usize> =
            (0..fixed.len()).filter(|i| fixed[*i].missing.is_some()).collect();
        let which = missing.get(self.branch(missing.len() + 1)?);
        for (i, one) in fixed.iter().enumerate() {
            if let (Some(missing), true) = (&one.missing, which == Some(&i)) {
                return self.say(missing, true, names);
            }
            self.say(&one.equation, true, names)?;
            self.known.push(&one.equation);
        }
        self.say(body, truth, names)
    }

    fn term(&mut self, term: &Term, names: &[Variable]) -> Result<LinearForm, Stop> {
        match term {
            Term::Number(k) => fine(i64::try_from(*k).ok()).map(LinearForm::constant),
            Term::Variable(v) => Ok(LinearForm::variable(names[*v])),
            Term::Sum(parts) => parts.iter().try_fold(LinearForm::default(), |sum, part| {
                let part = self.term(part, names)?;
                fine(sum.plus(&part, 1))
            }),
            Term::Multiple(k, inner) => {
                let form = self.term(inner, names)?;
                fine(form.times(*k))
            }
            Term::Min(parts) => self.extreme(parts, false, names),
            Term::Max(parts) => self.extreme(parts, true, names),
            Term::DigitSum(modulus, parts) => self.digit_sum(*modulus, parts, names),
            Term::Shift(inner) => {
                let form = self.term(inner, names)?;
                let v = self.variable_of(&form)?;
                Ok(LinearForm::term(Some(Base::Shift(Period::GOLDEN, v))))
            }
            Term::Floor(slope, inner) => self.floor(*slope, inner, names),
            Term::Arithmetic(..) => Err(Stop::Beyond),
            Term::Quotient(inner, by) => self.division(inner, *by, false, names),
            Term::Remainder(inner, by) => self.division(inner, *by, true, names),
        }
    }

    /// Returns the greatest or the least of some terms: a case for each comparison.
    fn extreme(
        &mut self,
        parts: &[Term],
        greatest: bool,
        names: &[Variable],
    ) -> Result<LinearForm, Stop> {
        let mut best = self.term(&parts[0], names)?;
        for part in &parts[1..] {
            let part = self.term(part, names)?;
            let difference = if greatest { part.plus(&best, -1) } else { best.plus(&part, -1) };
            if self.branch(2)? == 0 {
                self.write(difference)?;
            } else {
                self.write(difference.and_then(|form| form.times(-1)))?;
                best = part;
            }
        }
        Ok(best)
    }

    /// Returns a digit sum, of variables that are defined to be the parts.
    fn digit_sum(
        &mut self,
        modulus: u8,
        parts: &[Term],
        names: &[Variable],
    ) -> Result<LinearForm, Stop> {
        let (mut variables, mut constants) = (Vec::new(), Vec::new());
        for part in parts {
            let form = self.term(part, names)?;
            match (&form.terms[..], form.constant) {
                ([], k @ 0..) => constants.push(k),
                ([(Base::Plain(v), 1)], 0) => variables.push(*v),
                ([(Base::Sum(own, all), 1)], 0) if modulus == 2 && *own == 2 => {
                    variables.extend(all)
                }
                _ => variables.push(self.named(&form)?),
            }
        }
        let digit =
            |place: u32| constants.iter().map(|k| k >> place & 1).sum::<i64>() % i64::from(modulus);
        let constant = LinearForm::constant((0..41).map(|place| digit(place) << place).sum());
        // A sum of constants has digits above 1 where the modulus is, and the number that these
        // make has others: each by itself.
        let apart = if modulus == 2 { vec![constant.constant] } else { constants };
        if !variables.is_empty() {
            for k in apart.into_iter().filter(|k| *k > 0) {
                variables.push(self.named(&LinearForm::constant(k))?);
            }
        }
        Ok(match variables.is_empty() {
            true => constant,
            false => LinearForm::term(Base::sum(modulus, variables)),
        })
    }

    /// Returns a multiple of an irrational number, rounded down: 0 of nothing is a case of its own.
    fn floor(
        &mut self,
        slope: Slope,
        inner: &Term,
        names: &[Variable],
    ) -> Result<LinearForm, Stop> {
        let form = self.term(inner, names)?;
        let less = fine(form.plus(&LinearForm::constant(1), -1))?;
        let is_positive = less.constant >= 0 && less.terms.iter().all(|(_, c)| *c > 0);
        if !is_positive && self.branch(2)? == 0 {
            self.equal(&form, &LinearForm::default())?;
            return Ok(LinearForm::default());
        }
        let v = self.variable_of(&less)?;
        let shift = LinearForm::term(Some(Base::Shift(slope.period, v)));
        let whole = i64::from(slope.whole);
        let more = fine(less.times(whole - 1).and_then(|form| form.plus(&shift, 1)))?;
        fine(more.plus(&LinearForm::constant(whole), 1))
    }

    /// Returns a remainder or a quotient; a case for each remainder, where these are few and the
    /// quotient is not asked for.
    fn division(
        &mut self,
        inner: &Term,
        by: u64,
        remainder: bool,
        names: &[Variable],
    ) -> Result<LinearForm, Stop> {
        let form = self.term(inner, names)?;
        let quotient = LinearForm::variable(self.fresh());
        let by = fine(i64::try_from(by).ok())?;
        let rest = fine(form.plus(&quotient, -by))?;
        if remainder && by <= SMALL as i64 {
            let left = LinearForm::constant(self.branch(by as usize)? as i64);
            self.equal(&rest, &left)?;
            return Ok(left);
        }
        self.write(rest.times(-1))?;
        self.write(rest.plus(&LinearForm::constant(by - 1), -1))?;
        Ok(if remainder { rest } else { quotient })
    }

    /// Returns the variable that a form is, or one that is defined to be the form.
    fn variable_of(&mut self, form: &LinearForm) -> Result<Variable, Stop> {
        match (&form.terms[..], form.constant) {
            ([(Base::Plain(v), 1)], 0) => Ok(*v),
            _ => self.named(form),
        }
    }

    fn named(&mut self, form: &LinearForm) -> Result<Variable, Stop> {
        let name = self.fresh();
        self.equal(form, &LinearForm::variable(name))?;
        Ok(name)
    }
}

/// Refutations found, each once, with their numbers; and what was asked before.
#[derive(Debug, Default)]
pub struct RefutationTable {
    pub lines: Vec<Rc<str>>,
    numbers: FxHashMap<Rc<str>, u32>,
    /// Forms known by number: most stand in very many lists.
    forms: FxHashMap<LinearForm, u32>,
    /// Lists of forms for which a refutation was looked for, with a last number for the way, quick
    /// or thorough.
    asked: Slices,
    /// The number of the refutation of each, if one was found.
    found: Vec<Option<u32>>,
}

/// Most lists that are kept.
const KEPT: usize = 100_000;

impl RefutationTable {
    /// Returns the number of a refutation, looked for once.
    fn refutation(&mut self, forms: &[LinearForm], thorough: bool, digits: &Digits) -> Option<u32> {
        if self.asked.len() >= KEPT {
            self.forms.clear();
            self.asked = Slices::default();
            self.found.clear();
        }
        let mut list = Vec::with_capacity(forms.len() + 1);
        for form in forms {
            let new = self.forms.len() as u32;
            list.push(match self.forms.get(form) {
                Some(number) => *number,
                None => *self.forms.entry(form.clone()).or_insert(new),
            });
        }
        list.push(thorough.into());
        if let (place, false) = self.asked.insert(&list) {
            return self.found[place as usize];
        }
        let found =
            if thorough { Refutation::thorough(forms, digits) } else { Refutation::quick(forms) };
        let number = found.map(|one| self.number(&one));
        self.found.push(number);
        number
    }

    fn number(&mut self, one: &Refutation) -> u32 {
        let line: Rc<str> = one.to_string().into();
        let new = self.lines.len() as u32;
        *self.numbers.entry(line).or_insert_with_key(|line| {
            self.lines.push(Rc::clone(line));
            new
        })
    }
}

/// No variable: no case of a contrary.
const NONE: Variable = Variable::MAX;
/// That which equations fix, if they do.
const FIXED: Variable = Variable::MAX - 1;

/// What cannot be.
#[derive(Debug)]
pub struct Cases<'c> {
    /// Formulas.
    pub said: Vec<Signed<'c>>,
    /// Variables from here on are new.
    pub next: Variable,
    /// Of each, some form is at most 0.
    pub disjunctions: &'c [Vec<LinearForm>],
    pub digits: &'c Digits,
}

/// How much is tried at a leaf.
#[derive(Debug, Clone, Copy)]
struct Effort {
    walks: bool,
    /// Disjunctions on the way to it.
    disjunctions: usize,
}

/// Most branches of one way of a disjunction, most nodes of a search.
const BRANCHES: usize = 64;
const NODES: usize = 200_000;
/// Most nodes where several things that all hold are taken together.
const TOGETHER: usize = 2_000;

impl Cases<'_> {
    /// Returns a tree that the checker accepts, as it is in the file: empty, or with a space
    /// before it. None if none is found.
    pub fn tree(&self, known: &[LinearForm], table: &mut RefutationTable) -> Option<String> {
        if known.iter().any(is_positive) {
            return Some(String::new());
        }
        let all = self.disjunctions.len();
        let efforts =
            [(false, 0), (false, 1), (true, 0), (true, 1), (true, 2), (true, all.clamp(3, 4))];
        for (walks, disjunctions) in efforts {
            // Without disjunctions everything is tried at once: what is quick comes first at every
            // leaf.
            if disjunctions > all || all == 0 && !walks {
                continue;
            }
            let mut search = CaseSearch {
                cases: self,
                table,
                tokens: String::new(),
                nodes: 0,
                most: NODES,
                walks,
            };
            if search.node(
                &mut Vec::new(),
                &mut known.to_vec(),
                0,
                Effort { walks, disjunctions },
                BRANCHES,
            ) {
                return Some(search.tokens);
            }
        }
        None
    }
}

struct CaseSearch<'s, 'c> {
    cases: &'s Cases<'c>,
    table: &'s mut RefutationTable,
    tokens: String,
    nodes: usize,
    most: usize,
    walks: bool,
}

impl CaseSearch<'_, '_> {
    fn leaf(&mut self, forms: &[LinearForm], thorough: bool) -> bool {
        if !forms.iter().any(|form| form.constant > 0) {
            return false;
        }
        let Some(number) = self.table.refutation(forms, thorough, self.cases.digits) else {
            return false;
        };
        self.tokens.push_str(&format!(" {number}"));
        true
    }

    fn node(
        &mut self,
        path: &mut Vec<Answer>,
        forms: &mut Vec<LinearForm>,
        written: usize,
        effort: Effort,
        branches: usize,
    ) -> bool {
        self.nodes += 1;
        if self.nodes > self.most {
            return false;
        }
        let (next, cases) = (self.cases.next, self.cases);
        let mut evaluation = Evaluation { path, at: 0, next, forms: Vec::new(), known: Vec::new() };
        let all = cases.said.iter().try_for_each(|said| {
            evaluation.known.clear();
            evaluation.say(said.node, said.truth, &mut said.names.clone())
        });
        let now = evaluation.forms.len();
        let before = forms.len();
        forms.extend(evaluation.forms.drain(written..));
        let done = match all {
            Err(Stop::Absurd) => true,
            Err(Stop::Beyond) => false,
            _ if (now > written || path.is_empty() || all.is_ok()) && self.leaf(forms, false) => {
                true
            }
            Err(stop) => self.answered(stop, path, forms, now, effort, branches),
            Ok(()) => effort.walks && self.leaf(forms, true) || self.split(forms, effort, branches),
        };
        forms.truncate(before);
        done
    }

    fn answered(
        &mut self,
        stop: Stop,
        path: &mut Vec<Answer>,
        forms: &mut Vec<LinearForm>,
        now: usize,
        effort: Effort,
        branches: usize,
    ) -> bool {
        let length = self.tokens.len();
        let mut one = |search: &mut Self, answer: Answer, token: &str| {
            search.tokens.push_str(token);
            path.push(answer);
            let done = search.node(path, forms, now, effort, branches);
            path.pop();
            done
        };
        match stop {
            Stop::Branch(count) => {
                self.tokens.push_str(" /");
                if (0..count).all(|i| one(self, Answer::One(i), "")) {
                    return true;
                }
            }
            Stop::Needed(count) => {
                for i in 0..count {
                    if one(self, Answer::One(i), &format!(" .{i}")) {
                        return true;
                    }
                    self.tokens.truncate(length);
                }
                // All together may be very many cases.
                let most = self.most;
                self.most = most.min(self.nodes + TOGETHER);
                let done = one(self, Answer::All, " .");
                self.most = most;
                if done {
                    return true;
                }
            }
            Stop::Absurd | Stop::Beyond => {}
        }
        self.tokens.truncate(length);
        false
    }

    /// Splits into the cases of one disjunction, and then perhaps of another.
    fn split(&mut self, forms: &mut Vec<LinearForm>, effort: Effort, branches: usize) -> bool {
        let Some(fewer) = effort.disjunctions.checked_sub(1) else { return false };
        let length = self.tokens.len();
        for (i, disjunction) in self.cases.disjunctions.iter().enumerate() {
            let left = branches / disjunction.len().max(1);
            if left == 0 || disjunction.iter().any(|form| forms.contains(form)) {
                continue;
            }
            self.tokens.push_str(&format!(" ?{i}"));
            let fine = disjunction.iter().all(|form| {
                forms.push(form.clone());
                let effort = Effort { disjunctions: fewer, ..effort };
                let done = is_positive(form)
                    || self.leaf(forms, false)
                    || self.walks && self.leaf(forms, true)
                    || self.split(forms, effort, left);
                forms.pop();
                done
            });
            if fine {
                return true;
            }
            self.tokens.truncate(length);
        }
        false
    }
}
