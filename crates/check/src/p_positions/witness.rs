//! One part of condition II: from every position of which its conditions hold there is a move of its kind to a
//! position claimed, or the position is claimed itself. Seen by putting in what the part says the option is.

use super::formula::{Formula, Node, Relation, Term, formula};
use super::impossible::satisfiable;
use super::linear::{
    Atom, Base, FRESH, Linear, MOVE_FRESH, MOVE_PARAMETER, OPTION, PARAMETER, Test, Variable, add, follows,
    sizes, thin,
};
use super::normal::{Alternative, alternatives};
use super::rules::{Game, Way};
use crate::work::{Reason, Work, shown};

/// What a part stands for.
#[derive(Debug)]
pub enum Stands {
    /// A move of this kind leads to a claimed position, in this image.
    Take(Way, Vec<usize>),
    /// The position is claimed, in this image.
    Stay(Vec<usize>),
    /// Heap h is empty: no position of a circle that closes up.
    Empty(usize),
    /// The digits of heap h have two 1s side by side: no numeral.
    Neighbours(usize),
    /// No token is left, in misère play: who is to move wins.
    Over,
}

/// A part as read from the certificate.
#[derive(Debug)]
pub struct Part {
    pub stands: Stands,
    /// Variables with what they are. In an order in which each mentions later ones only.
    pub values: Vec<Value>,
    /// Variables whose digits are guessed.
    pub guesses: Vec<Variable>,
    /// Conditions on the position's heaps and the guesses.
    pub conditions: Vec<Atom>,
}

/// What a variable is.
#[derive(Debug)]
pub struct Value {
    pub variable: Variable,
    /// The greatest (1) or the least (−1) of the forms.
    pub sign: i64,
    pub forms: Vec<Linear>,
}

/// The names that lines of a part use: p0, p1, … the position, q0, q1, … the option, x0, x1, … the claim's own
/// variables in the order of their quantifiers, y0, y1, … others that its alternatives need, u0, … and v0, … the same of
/// the move's condition.
pub struct Names {
    names: Vec<String>,
    place: Vec<Variable>,
}

impl Names {
    pub fn new(m: usize, bound: usize, of_move: usize) -> Names {
        let lists = [
            ('p', 0, m),
            ('q', OPTION, m),
            ('x', PARAMETER, bound),
            ('y', FRESH, 64),
            ('u', MOVE_PARAMETER, of_move),
            ('v', MOVE_FRESH, 64),
        ];
        let all =
            || lists.iter().flat_map(|(letter, from, count)| (0..*count).map(move |i| (letter, from, i)));
        Names {
            names: all().map(|(letter, _, i)| format!("{letter}{i}")).collect(),
            place: all().map(|(_, from, i)| from + i as Variable).collect(),
        }
    }

    pub fn variable(&self, name: &str) -> Result<Variable, Reason> {
        let found = self.names.iter().position(|n| n == name);
        found.map(|i| self.place[i]).ok_or_else(|| format!("`{}` is no variable here", shown(name)).into())
    }

    /// What reading a text takes: each name may be held against all.
    fn charge(&self, text: &str, work: &mut Work<'_>) -> Result<(), Reason> {
        work.spend(64 + (text.len() / 4 + 16) * (self.names.len() + 16))?;
        work.hold(64 * text.len())
    }

    /// Reads a condition that is one atom.
    pub fn atom(&self, text: &str, work: &mut Work<'_>) -> Result<Vec<Atom>, Reason> {
        self.charge(text, work)?;
        let read = formula(text, &self.names)?;
        let mut all = alternatives(&read, &self.place, work)?;
        let one = all.pop().filter(|one| all.is_empty() && one.chosen.is_empty());
        one.map(|one| one.atoms).ok_or_else(|| "a condition is one comparison of sums".into())
    }

    /// Reads `q0 = SUM`, `q0 = max(SUM, …)` or `q0 = min(SUM, …)`.
    pub fn value(&self, text: &str, work: &mut Work<'_>) -> Result<Value, Reason> {
        self.charge(text, work)?;
        let read = formula(text, &self.names)?;
        let Node::Compare(Term::Variable(v), Relation::Equal, term) = &read.root else {
            return Err("a value is written `q0 = SUM`, `q0 = max(SUM, ...)` or `q0 = min(SUM, ...)`".into());
        };
        let (parts, sign) = match term {
            Term::Max(parts) => (&parts[..], 1),
            Term::Min(parts) => (&parts[..], -1),
            one => (std::slice::from_ref(one), 1),
        };
        let forms = parts.iter().map(|part| self.sum(part)).collect::<Result<_, _>>()?;
        Ok(Value { variable: self.place[*v], sign, forms })
    }

    /// A term without cases, as a form: what is 0 in "0 = term", with its sign put right.
    fn sum(&self, term: &Term) -> Result<Linear, Reason> {
        let wrong = || Reason::from("a value is a sum of variables and digit sums");
        match term {
            Term::Number(k) => Ok(Linear::constant(*k)),
            Term::Variable(v) => Ok(Linear::variable(self.place[*v])),
            Term::Sum(parts) => parts
                .iter()
                .try_fold(Linear::default(), |sum, part| sum.plus(1, &self.sum(part)?).ok_or_else(wrong)),
            Term::Times(k, inner) => self.sum(inner)?.times(*k).ok_or_else(wrong),
            Term::Xor(modulus, parts) => {
                let variable = |part: &Term| match part {
                    Term::Variable(v) => Ok(self.place[*v]),
                    _ => Err(wrong()),
                };
                Ok(super::linear::xor(*modulus, parts.iter().map(variable).collect::<Result<_, _>>()?))
            }
            Term::Shift(inner) => match **inner {
                Term::Variable(v) => Ok(Linear { terms: vec![(Base::Shift(self.place[v]), 1)], constant: 0 }),
                _ => Err(wrong()),
            },
            _ => Err(wrong()),
        }
    }
}

impl Value {
    /// The goals with the value in the variable's place: together they imply the goals as they were, where the given forms
    /// are at most 0.
    fn put_in(&self, goals: &[Atom], given: &[&Linear], work: &mut Work<'_>) -> Result<Vec<Atom>, Reason> {
        let forms: usize = self.forms.iter().map(|form| 4 + form.terms.len()).sum();
        // Each goal of each form is looked up among the others, or held against two of what is given.
        let each = goals.len() + self.forms.len() + given.len() * given.len();
        work.spend((sizes(goals) + forms * (1 + goals.len())) * (4 + each))?;
        work.hold(48 * forms * (1 + goals.len()))?;
        let failed = || Reason::from("a value cannot be put in");
        // The value is a natural number.
        let natural = Linear::variable(self.variable).times(-1).ok_or_else(failed)?;
        let mut next = Vec::new();
        for goal in goals.iter().chain([&Atom::new(natural, Test::AtMostZero)]) {
            if !goal.form.mentions(self.variable) {
                next.push(goal.clone());
                continue;
            }
            let put = |form: &Linear| Some(Atom::new(goal.form.replace(self.variable, form)?, goal.test));
            let all: Vec<Atom> = self.forms.iter().map(put).collect::<Option<_>>().ok_or_else(failed)?;
            let of_each = match (self.forms.len(), goal.form.coefficient(self.variable), goal.test) {
                (1, ..) => true,
                (_, Some(c), Test::AtMostZero) => c.signum() == self.sign,
                _ => return Err(failed()),
            };
            if of_each {
                // c times the greatest is the greatest of c times each, for positive c; so for the least and −c.
                if !all.into_iter().all(|atom| add(&mut next, atom)) {
                    return Err("a value breaks the rules".into());
                }
            } else if !all.into_iter().any(|atom| follows(&atom.form, given) || atom.normal() == Err(true)) {
                // No form is known to be within the bound, so nor is the greatest or least of them.
                return Err("a value is beyond its bounds".into());
            }
        }
        Ok(next)
    }
}

impl Part {
    /// Checks that the part's conditions imply what it stands for.
    pub fn check(
        &self,
        game: &Game,
        claims: &[Option<Formula>],
        m: usize,
        work: &mut Work<'_>,
    ) -> Result<(), Reason> {
        let (claim, place, rules, ways) = match &self.stands {
            Stands::Empty(h) => {
                let empty = Atom::new(Linear::variable(*h as Variable), Test::Zero).normal();
                let said = game.shrinks && *h < m && empty.is_ok_and(|atom| self.conditions == [atom]);
                return said
                    .then_some(())
                    .ok_or_else(|| "only circles that close up have no empty heaps".into());
            }
            Stands::Neighbours(h) => {
                let fits = game.zeckendorf && *h < m && self.conditions.is_empty();
                return fits.then_some(()).ok_or_else(|| "only Zeckendorf digits have no neighbours".into());
            }
            Stands::Over => {
                let fits = game.misere && (m == 0 || !game.shrinks) && self.guesses.is_empty();
                let all = (0..m).all(|h| {
                    let empty = Atom::new(Linear::variable(h as Variable), Test::Zero).normal();
                    empty.is_ok_and(|atom| self.conditions.contains(&atom))
                });
                return (fits && all).then_some(()).ok_or_else(|| "play is not over here".into());
            }
            Stands::Stay(image) => {
                let place = image.iter().map(|h| *h as Variable).collect::<Vec<_>>();
                (&claims[m], place, Vec::new(), vec![Alternative::default()])
            }
            Stands::Take(way, image) => {
                let option = game.option(way);
                let mut rules = game.bounds(way)?;
                if !game.may_rest(way) && !add(&mut rules, game.takes(way, m)?) {
                    return Err("no such move".into());
                }
                let place = image.iter().map(|h| option[*h]).collect();
                (&claims[way.heaps.len()], place, rules, game.condition(way, work)?)
            }
        };
        let Some(claim) = claim else { return Err("nothing is claimed of these positions".into()) };
        let mut reason = Reason::from("the claim is false of such positions");
        for target in alternatives(claim, &place, work)? {
            for way in &ways {
                let atoms = rules.len() + target.atoms.len() + way.atoms.len();
                work.spend(atoms * atoms + sizes(&rules) + target.size() + way.size())?;
                let mut goals = rules.clone();
                if !target.atoms.iter().chain(&way.atoms).cloned().all(|atom| add(&mut goals, atom)) {
                    continue;
                }
                match self.reaches(goals, m, game, work) {
                    Ok(()) => return Ok(()),
                    Err(why @ Reason::Wrong(_)) => reason = why,
                    Err(why) => return Err(why),
                }
            }
        }
        Err(reason)
    }

    /// Whether the conditions imply these goals, once the values are put in.
    fn reaches(
        &self,
        mut goals: Vec<Atom>,
        m: usize,
        game: &Game,
        work: &mut Work<'_>,
    ) -> Result<(), Reason> {
        // What the conditions say, and what has been shown to follow from them.
        let mut shown: Vec<Linear> = Vec::new();
        for condition in &self.conditions {
            match condition.test {
                Test::AtMostZero => shown.push(condition.form.clone()),
                Test::Zero => {
                    shown.push(condition.form.clone());
                    shown.extend(condition.form.times(-1));
                }
                _ => {}
            }
        }
        let given: Vec<&Linear> = shown.iter().collect();
        for value in &self.values {
            goals = match value.put_in(&goals, &given, work) {
                // A bound that follows from others may be what stands in the way.
                Err(Reason::Wrong(_)) => {
                    let mut fewer = goals;
                    thin(&mut fewer, work)?;
                    value.put_in(&fewer, &given, work)?
                }
                next => next?,
            };
        }
        let known = |v: &Variable| usize::from(*v) < m || self.guesses.contains(v);
        if !goals.iter().all(|goal| goal.form.variables().iter().all(known)) {
            return Err("a variable has no value".into());
        }
        work.spend(sizes(&goals) * self.conditions.len())?;
        goals.retain(|goal| !self.conditions.contains(goal));
        loop {
            let before = goals.len();
            work.spend(sizes(&goals) * (shown.len() + before) * (shown.len() + before))?;
            goals.retain(|goal| {
                let others: Vec<&Linear> = shown.iter().collect();
                let follows = goal.test == Test::AtMostZero && follows(&goal.form, &others);
                if follows {
                    shown.push(goal.form.clone());
                }
                !follows
            });
            if goals.is_empty() {
                return Ok(());
            }
            if goals.len() == before {
                // No sum of two conditions says it; then whether they leave room for the contrary.
                for goal in goals {
                    let mut atoms = self.conditions.clone();
                    let contrary = goal.contrary().ok_or("numbers grow too big")?;
                    if !add(&mut atoms, contrary) || !satisfiable(atoms, game, work)? {
                        continue;
                    }
                    return Err(
                        "the conditions do not imply that the move is legal and leads to a claimed position"
                            .into(),
                    );
                }
                return Ok(());
            }
        }
    }
}
