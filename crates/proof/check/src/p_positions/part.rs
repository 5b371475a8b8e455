//! Parts of condition II: from every position of which a part's conditions hold, for some guesses,
//! there is a move of its kind to a position claimed; or the position is claimed itself, or is
//! none.
//!
//! What is *known* of position and guesses are the conditions. Further variables are defined: the
//! quotient of a form that is said to be divisible or not, the greatest or least of forms, shown to
//! be natural. So is what the option's lower heaps are. Then the contrary of each thing to be shown
//! is refuted ([`super::cases`]): that a heap of the option is at most the position's, that the
//! option is one of the board, that the condition on moves holds, that the option is claimed in
//! this image. If the option then has as many tokens as the position it is the position, which is
//! claimed itself; if heaps change places or numbers are remembered (`may_keep_tokens`) it is shown
//! to have fewer.

use super::cases::{NONE, Signed, plain};
use super::cover::{Condition, Kind, Labels, MAX_VALUE, NOTHING};
use super::form::{Form, Variable};
use super::formula::{Formula, Node, Relation, Term, formula};
use super::rules::MoveKind;
use super::{Board, list};
use crate::lines::Lines;
use crate::work::{Reason, number};

/// A part shown: where its automaton starts, and the labels that its conditions need.
#[derive(Debug)]
pub struct CheckedCase {
    pub line: usize,
    pub start: u32,
    /// Of groups of conditions.
    pub labels: Vec<Labels>,
    /// Whether there are neither conditions nor guesses.
    pub free: bool,
}

/// What a part's conditions are to imply.
enum Conclusion<'b> {
    /// A move of this kind leads to a claimed position, in this image.
    Take(&'b MoveKind, Vec<usize>),
    /// The position is claimed, in this image.
    Stay(Vec<usize>),
    /// No position of a circle that closes up: a heap is empty.
    Empty,
    /// No token is left, in misere play: whoever is to move wins.
    Over,
    /// The digits of this heap are no numeral.
    Neighbours(Variable),
}

/// What is known of positions of a board, so far.
struct Knowledge<'b> {
    board: &'b Board<'b>,
    /// At most 0.
    forms: Vec<Form>,
    /// Of each some form is at most 0.
    disjunctions: Vec<Vec<Form>>,
    /// The variables' names.
    names: Vec<String>,
}

/// Most guesses.
const GUESSES: usize = 16;
/// Most variables of a part.
const VARIABLES: usize = 1000;

impl Knowledge<'_> {
    /// Returns the form of a new variable.
    fn new_variable(&mut self) -> Result<Form, Reason> {
        if self.names.len() >= VARIABLES {
            return Err("too many variables".into());
        }
        self.names.push(format!("v{}", self.names.len()));
        Ok(Form::variable(self.names.len() - 1))
    }

    /// Reads a formula over the variables that are known.
    fn read_formula(&self, text: &str) -> Result<Formula, Reason> {
        let work = self.board.work;
        work.spend(64 + (text.len() / 4 + 16) * (self.names.len() + 16))?;
        work.hold(128 * text.len())?;
        formula(text, &self.names)
    }

    /// Reads a sum of variables that are known.
    fn read_sum(&self, term: &Term) -> Result<Form, Reason> {
        let all: Vec<Variable> = (0..self.names.len()).collect();
        plain(term, &all, &self.board.game.digits, self.board.work)
    }

    /// Reads the conditions that a line states.
    fn read_conditions(&self, text: &str) -> Result<Vec<Condition>, Reason> {
        let read = self.read_formula(text)?;
        let (compared, truth) = match &read.root {
            Node::Not(inner) => (&**inner, false),
            node => (node, true),
        };
        let Node::Compare(left, relation, right) = compared else {
            return Err("a condition is one comparison of sums".into());
        };
        let difference = || self.read_sum(left)?.minus(&self.read_sum(right)?);
        let (kind, form) = match (left, relation, right) {
            (Term::Mod(inner, m), Relation::Equal, Term::Number(0)) => {
                (Kind::Divisible(*m, truth), self.read_sum(inner)?)
            }
            (_, Relation::AtMost | Relation::Equal, _) if truth => (Kind::Bound, difference()?),
            (_, Relation::Equal, _) => (Kind::Differs, difference()?),
            _ => {
                return Err(
                    "conditions are written with <=, = and !=, of remainders = 0 and != 0".into()
                );
            }
        };
        let contrary = Condition { kind, form: Form::default().minus(&form)? };
        let both = kind == Kind::Bound && *relation == Relation::Equal;
        Ok(both.then_some(contrary).into_iter().chain([Condition { kind, form }]).collect())
    }

    /// Adds a condition to what is known. Quotients are natural, as there is no minus within
    /// remainders.
    fn add_condition(&mut self, Condition { kind, form }: &Condition) -> Result<(), Reason> {
        match kind {
            Kind::Bound => self.forms.push(form.clone()),
            Kind::Differs => self.disjunctions.push(vec![form.one_more()?, form.contrary()?]),
            Kind::Divisible(m, divisible) => {
                let rest = form.plus(-m, &self.new_variable()?)?;
                let (least, greatest) = if *divisible { (0, 0) } else { (1, m - 1) };
                self.forms.push(Form::constant(least).minus(&rest)?);
                self.forms.push(rest.minus(&Form::constant(greatest))?);
            }
            Kind::Neighbours(_) => {}
        }
        Ok(())
    }

    /// Reads `v7 = max(SUM, …) by TREE`: the next variable.
    fn read_definition(&mut self, text: &str) -> Result<(), Reason> {
        let (text, trees) =
            text.split_once(" by").ok_or("a value is followed by `by` and why it is natural")?;
        let own = self.names.len();
        let v = self.new_variable()?;
        let read = self.read_formula(text)?;
        let Node::Compare(Term::Variable(variable), Relation::Equal, term) = &read.root else {
            return Err(
                "a value is written `v7 = SUM`, `v7 = max(SUM, ...)` or `v7 = min(SUM, ...)`"
                    .into(),
            );
        };
        if *variable != own {
            return Err(format!("the next variable is v{own}").into());
        }
        let (parts, greatest) = match term {
            Term::Max(parts) => (&parts[..], true),
            Term::Min(parts) => (&parts[..], false),
            one => (std::slice::from_ref(one), true),
        };
        let forms = parts.iter().map(|part| self.read_sum(part)).collect::<Result<Vec<_>, _>>()?;
        if forms.iter().flat_map(Form::variables).any(|variable| variable >= own) {
            return Err("a value is over variables before it".into());
        }
        // That the greatest, or one that may be the least, is below 0.
        let negative = forms.iter().map(Form::one_more).collect::<Result<Vec<_>, _>>()?;
        if greatest {
            self.refute(&negative, None, trees)?;
        } else {
            let mut trees = trees.split(';');
            for one in negative.chunks(1) {
                self.refute(one, None, trees.next().ok_or("a case is missing")?)?;
            }
        }
        let at_least = forms.iter().map(|form| form.minus(&v)).collect::<Result<_, _>>()?;
        let at_most = forms.iter().map(|form| v.minus(form)).collect::<Result<_, _>>()?;
        let (all, some): (Vec<Form>, _) =
            if greatest { (at_least, at_most) } else { (at_most, at_least) };
        self.forms.extend(all);
        match forms.len() {
            1 => self.forms.extend(some),
            _ => self.disjunctions.push(some),
        }
        Ok(())
    }

    /// Checks that this contrary of what is to be shown cannot be.
    fn refute(
        &self,
        contrary: &[Form],
        said: Option<Signed<'_>>,
        tree: &str,
    ) -> Result<(), Reason> {
        let known = [&self.forms[..], contrary].concat();
        self.board.refuted(tree, Vec::from_iter(said), &known, &self.disjunctions, self.names.len())
    }

    /// Checks that the conditions imply what a part stands for.
    fn check_conclusion(
        &self,
        conclusion: &Conclusion<'_>,
        lines: &mut Lines<'_>,
    ) -> Result<(), Reason> {
        let Board { game, claims, heaps, .. } = self.board;
        let claim = |m: usize| claims[m].as_ref().ok_or("nothing is claimed of these positions");
        let (way, image) = match conclusion {
            Conclusion::Neighbours(_) => return Ok(()),
            Conclusion::Empty => return self.check_shown(&[], None, lines),
            Conclusion::Over => {
                return (0..*heaps)
                    .try_for_each(|h| self.check_shown(&[Form::not_empty(h)], None, lines));
            }
            Conclusion::Stay(image) => {
                return self.check_shown(
                    &[],
                    Some(claim(*heaps)?.signed(image.clone(), false)),
                    lines,
                );
            }
            Conclusion::Take(way, image) => (way, image),
        };
        let fits = |all: &Vec<Variable>| {
            all.len() == way.lowered() && all.iter().all(|v| *v < self.names.len())
        };
        let lower = lines.after("to ").and_then(list).filter(fits);
        let lower =
            lower.ok_or("`to` and the variables of the option's lower heaps should stand here")?;
        let option = game.option(way, &lower);
        for ((h, _), q) in way.heaps.iter().zip(&option).filter(|((_, low), _)| *low) {
            let (p, q) = (Form::variable(*h), Form::variable(*q));
            if game.is_heap(*h) {
                self.check_shown(&[p.minus(&q)?.one_more()?], None, lines)?;
            }
            if game.shrinks {
                self.check_shown(&[q], None, lines)?;
            }
        }
        if game.may_keep_tokens() {
            self.check_shown(
                &[Form::default().minus(&game.token_change(&option, *heaps)?)?],
                None,
                lines,
            )?;
        }
        if let Some(condition) = game.signed(way, &option, false) {
            self.check_shown(&[], Some(condition), lines)?;
        }
        let claimed =
            claim(way.heaps.len())?.signed(image.iter().map(|i| option[*i]).collect(), false);
        self.check_shown(&[], Some(claimed), lines)
    }

    /// Checks that this contrary of what is to be shown cannot be: `with VARIABLES`, the values of
    /// the variables that the formula binds, in the order of their quantifiers, if there are any;
    /// and `by TREE`.
    fn check_shown(
        &self,
        contrary: &[Form],
        mut said: Option<Signed<'_>>,
        lines: &mut Lines<'_>,
    ) -> Result<(), Reason> {
        if let Some(said) = &mut said
            && let Some(text) = lines.after("with ")
        {
            let value = |text: &str| match text {
                "-" => Some(NONE),
                text => number(text).filter(|v| *v < self.names.len()),
            };
            let values: Option<Vec<Variable>> = text.split(',').map(value).collect();
            let values = values.filter(|values| values.len() <= said.names.len());
            let values = values.ok_or("there are no such variables")?;
            let bound = said.names.iter_mut().skip_while(|v| **v != NONE);
            bound.zip(values).for_each(|(name, value)| *name = value);
        }
        let tree = lines.after("by").ok_or("`by` should stand here")?;
        self.refute(contrary, said, tree)
    }
}

impl Board<'_> {
    /// Reads a part and checks that its conditions imply what it stands for.
    pub fn read_part(&self, lines: &mut Lines<'_>) -> Result<CheckedCase, Reason> {
        let conclusion = self.read_conclusion(lines.take()).ok_or(
            "a part is `take WINDOW [gone HEAPS] image HEAPS`, `stay image HEAPS`, `empty`, \
             `neighbours H` or `over`",
        )?;
        let line = lines.at;
        let mut known = Knowledge {
            board: self,
            forms: self.game.not_empty(0..self.heaps),
            disjunctions: Vec::new(),
            names: (0..self.heaps).map(|h| format!("p{h}")).collect(),
        };
        let guesses = match lines.after("guess ") {
            Some(text) => number(text).filter(|n| *n <= GUESSES).ok_or("too many guesses")?,
            None => 0,
        };
        for _ in 0..guesses {
            known.new_variable()?;
        }
        let mut conditions = Vec::new();
        while let Some(text) = lines.after("if ") {
            conditions.extend(known.read_conditions(text)?);
        }
        conditions.iter().try_for_each(|condition| known.add_condition(condition))?;
        while let Some(text) = lines.after("let ") {
            known.read_definition(text)?;
        }
        known.check_conclusion(&conclusion, lines)?;
        let start = lines.after("start ").and_then(number);
        let start = start.ok_or("`if`, `let`, `by` or `start` should stand here")?;
        if let Conclusion::Neighbours(h) = conclusion {
            conditions.push(Condition::neighbours(h, true));
        }
        if !self.game.digits.binary {
            let guesses = self.heaps..(self.heaps + guesses);
            conditions.extend(guesses.map(|v| Condition::neighbours(v, false)));
        }
        let free = conditions.is_empty() && guesses == 0;
        let labels = if start == NOTHING {
            Vec::new()
        } else {
            self.read_labels(&conditions, guesses, lines)?
        };
        Ok(CheckedCase { line, start, labels, free })
    }

    /// Reads the first line of a part; `None` if it is none.
    fn read_conclusion(&self, line: &str) -> Option<Conclusion<'_>> {
        let (game, m) = (self.game, self.heaps);
        let image = |text: &str, m: usize| {
            list(text).filter(|image: &Vec<usize>| game.is_symmetry(image, m))
        };
        let take = |window: &str, gone: &str, own: &str| {
            let (window, gone): (Vec<usize>, Vec<usize>) = (list(window)?, list(gone)?);
            let way = self.ways.iter().find(|way| way.window == window && way.gone == gone)?;
            Some(Conclusion::Take(way, image(own, way.heaps.len())?))
        };
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["part", "take", window, "image", own] => take(window, "-", own),
            ["part", "take", window, "gone", gone, "image", own] => take(window, gone, own),
            ["part", "stay", "image", own] => Some(Conclusion::Stay(image(own, m)?)),
            ["part", "empty"] if game.shrinks => Some(Conclusion::Empty),
            ["part", "over"] if game.misere && (m == 0 || !game.shrinks) => Some(Conclusion::Over),
            ["part", "neighbours", h] if !game.digits.binary => {
                number(h).filter(|h| *h < m).map(Conclusion::Neighbours)
            }
            _ => None,
        }
    }

    /// Reads groups of conditions, each `labels CONDITIONS`, then perhaps `first WORDS`, and
    /// `@STATE VECTORS` lines. Every condition is in a group, those on guesses in one.
    fn read_labels(
        &self,
        conditions: &[Condition],
        guesses: usize,
        lines: &mut Lines<'_>,
    ) -> Result<Vec<Labels>, Reason> {
        let mut groups = Vec::new();
        let mut labelled = vec![false; conditions.len()];
        let on_guess = |one: &Condition| one.form.variables().any(|v| v >= self.heaps);
        let guessed: Vec<bool> = conditions.iter().map(on_guess).collect();
        while let Some(text) = lines.after("labels ") {
            self.work.hold(64 * text.len())?;
            let group =
                list::<usize>(text).filter(|group| group.iter().all(|i| *i < conditions.len()));
            let group = group.ok_or("conditions are numbered from 0 on")?;
            group.iter().for_each(|i| labelled[*i] = true);
            let all = (0..conditions.len()).all(|i| !guessed[i] || group.contains(&i));
            if !all && group.iter().any(|i| guessed[*i]) {
                return Err("all conditions on guesses belong together".into());
            }
            self.work.spend(conditions.len() * group.len())?;
            let conditions = group.iter().map(|i| conditions[*i].clone()).collect();
            let guesses = if all { guesses } else { 0 };
            groups
                .push(self.read_group(Labels { conditions, guesses, ..Labels::default() }, lines)?);
        }
        if labelled.contains(&false) {
            return Err("a condition has no labels".into());
        }
        Ok(groups)
    }

    /// Reads the lines of a group.
    fn read_group(&self, mut labels: Labels, lines: &mut Lines<'_>) -> Result<Labels, Reason> {
        let digits = &self.game.digits;
        if let Some(text) = lines.after("first ") {
            let letters = 1u64 << (labels.guesses * digits.bits).min(32);
            let letter =
                |text: &str| number::<u32>(text).filter(|letter| u64::from(*letter) < letters);
            let word = |text: &str| text.split(',').map(letter).collect::<Option<Vec<_>>>();
            self.work.hold(32 * text.len())?;
            labels.first =
                text.split(' ').map(word).collect::<Option<_>>().ok_or("words of letters")?;
        }
        // A value has two numbers, unless digits are binary.
        let size = if digits.binary { 1 } else { 2 };
        while lines.rest.starts_with('@') {
            let line = lines.kept(16)?;
            let mut words = line[1..].split(' ');
            let state = words.next().and_then(number::<u32>).ok_or("a state is a number")?;
            let numbers: Option<Vec<i64>> = words.map(signed).collect();
            let numbers = numbers
                .filter(|all| all.len() % size == 0)
                .ok_or("a label is a list of numbers")?;
            let value = |pair: &[i64]| (pair[0], pair.get(1).copied().unwrap_or(0));
            let clause: Vec<_> = numbers.chunks(size).map(value).collect();
            if clause.len().checked_rem(labels.conditions.len()) != Some(0) {
                return Err("a label has a value for each condition".into());
            }
            labels.clauses.entry(state).or_default().push(clause);
        }
        Ok(labels)
    }
}

/// Reads a number of a label, perhaps negative.
fn signed(text: &str) -> Option<i64> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    number::<i64>(digits).filter(|x| *x <= MAX_VALUE).map(|x| sign * x)
}
