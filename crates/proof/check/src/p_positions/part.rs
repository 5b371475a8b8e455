//! Parts of condition II: from every position of which a part's conditions hold, for some guesses, there is a move of its kind to a position claimed; or the
//! position is claimed itself, or is none.
//!
//! What is *known* of position and guesses are the conditions. Further variables are defined: the quotient of a form that is said to be divisible or not, the
//! greatest or least of forms, shown to be natural. So is what the option's lower heaps are. Then the contrary of each thing to be shown is refuted
//! ([`super::cases`]): that a heap of the option is at most the position's, that the option is one of the board, that the condition on moves
//! holds, that the option is claimed in this image. If the option then has as many tokens as the position it is the position, which is claimed
//! itself; where heaps change places or numbers are remembered (`may_rest`) it is shown to have fewer.

use super::cases::{NONE, Said, plain};
use super::cover::{Condition, Kind, LARGEST, Labels, NOTHING};
use super::digits::Digits;
use super::form::{Form, Variable};
use super::formula::{Formula, Node, Relation, Term, formula};
use super::rules::Way;
use super::{Board, list};
use crate::Rejected;
use crate::lines::Lines;
use crate::work::{Reason, Work, number};

/// A part shown: where its automaton starts, and the labels that its conditions need.
#[derive(Debug)]
pub struct Part {
    pub line: usize,
    pub start: u32,
    /// Of groups of conditions.
    pub labels: Vec<Labels>,
    /// Whether there are neither conditions nor guesses.
    pub free: bool,
}

enum Stands {
    /// A move of this kind leads to a claimed position, in this image.
    Take(Way, Vec<usize>),
    /// The position is claimed, in this image.
    Stay(Vec<usize>),
    /// No position of a circle that closes up: a heap is empty.
    Empty,
    /// No token is left, in misere play: who is to move wins.
    Over,
    /// The digits of this heap are no numeral.
    Neighbours(Variable),
}

/// What is known, so far.
struct Knowledge<'d> {
    digits: &'d Digits,
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
    fn next(&self) -> Variable {
        self.names.len() as Variable
    }

    fn define(&mut self) -> Result<Form, Reason> {
        if self.names.len() >= VARIABLES {
            return Err("too many variables".into());
        }
        self.names.push(format!("v{}", self.names.len()));
        Ok(Form::variable(self.next() - 1))
    }

    fn read(&self, text: &str, work: &mut Work<'_>) -> Result<Formula, Reason> {
        work.spend(64 + (text.len() / 4 + 16) * (self.names.len() + 16))?;
        work.hold(128 * text.len())?;
        formula(text, &self.names)
    }

    /// A sum of variables that are known.
    fn sum(&self, term: &Term, work: &mut Work<'_>) -> Result<Form, Reason> {
        let all: Vec<Variable> = (0..self.next()).collect();
        plain(term, &all, self.digits, work)
    }

    /// Adds a condition, and the variables that it needs.
    fn condition(
        &mut self,
        text: &str,
        conditions: &mut Vec<Condition>,
        work: &mut Work<'_>,
    ) -> Result<(), Reason> {
        let read = self.read(text, work)?;
        let Node::Compare(left, relation, right) = &read.root else {
            return Err("a condition is one comparison of sums".into());
        };
        if let (Term::Mod(inner, m), Term::Number(0)) = (left, right) {
            let form = self.sum(inner, work)?;
            let divisible = match relation {
                Relation::Equal => true,
                Relation::Unequal => false,
                _ => return Err("a remainder is said to be 0, or not to be".into()),
            };
            conditions.push(Condition { kind: Kind::Divisible(*m, divisible), form });
            return Ok(());
        }
        let form = self.sum(left, work)?.minus(&self.sum(right, work)?)?;
        match relation {
            Relation::AtMost => conditions.push(Condition { kind: Kind::Bound, form }),
            Relation::Equal => {
                conditions.push(Condition { kind: Kind::Bound, form: Form::default().minus(&form)? });
                conditions.push(Condition { kind: Kind::Bound, form });
            }
            Relation::Unequal => conditions.push(Condition { kind: Kind::Differs, form }),
            _ => return Err("conditions are written with <=, = and !=".into()),
        }
        Ok(())
    }

    /// Knows a condition. Quotients are natural, as there is no minus within remainders.
    fn know(&mut self, Condition { kind, form }: &Condition) -> Result<(), Reason> {
        match kind {
            Kind::Bound => self.forms.push(form.clone()),
            Kind::Differs => self.disjunctions.push(vec![form.one_more()?, form.contrary()?]),
            Kind::Divisible(m, divisible) => {
                let rest = form.plus(-m, &self.define()?)?;
                let (least, greatest) = if *divisible { (0, 0) } else { (1, m - 1) };
                self.forms.push(Form::constant(least).minus(&rest)?);
                self.forms.push(rest.minus(&Form::constant(greatest))?);
            }
            Kind::Neighbours(_) => {}
        }
        Ok(())
    }
}

impl Board<'_> {
    /// Reads a part and checks that its conditions imply what it stands for.
    pub fn part(&self, lines: &mut Lines<'_>, work: &mut Work<'_>) -> Result<Part, Rejected> {
        let line = lines.number;
        let stands = self.stands(lines.take()).ok_or_else(|| {
            Rejected::new(line, "a part is `take WINDOW [gone HEAPS] image HEAPS`, `stay image HEAPS`, `empty`, `neighbours H` or `over`")
        })?;
        let m = self.heaps;
        let heaps = 0..m as Variable;
        let mut known = Knowledge {
            digits: &self.game.digits,
            forms: self.game.held(heaps.clone()).map_err(|why| lines.wrong(why))?,
            disjunctions: Vec::new(),
            names: heaps.map(|h| format!("p{h}")).collect(),
        };
        let guesses = match lines.after("guess ") {
            Some(text) => number(text)
                .filter(|count| *count <= GUESSES)
                .ok_or_else(|| lines.wrong("too many guesses"))?,
            None => 0,
        };
        let conditions = (0..guesses).try_for_each(|_| known.define().map(|_| ())).and_then(|()| {
            let mut conditions = Vec::new();
            while let Some(text) = lines.after("if ") {
                known.condition(text, &mut conditions, work)?;
            }
            conditions.iter().try_for_each(|condition| known.know(condition))?;
            Ok(conditions)
        });
        let mut conditions = conditions.map_err(|why| lines.before(why))?;
        while let Some(text) = lines.after("let ") {
            self.definition(&mut known, text, work).map_err(|why| lines.before(why))?;
        }
        self.shown(&stands, &known, lines, work)?;
        let start = lines
            .after("start ")
            .and_then(number)
            .ok_or_else(|| lines.wrong("`if`, `let`, `by` or `start` should stand here"))?;
        if let Stands::Neighbours(h) = stands {
            conditions.push(Condition::neighbours(h, true));
        }
        if !self.game.digits.binary {
            conditions.extend((0..guesses).map(|i| Condition::neighbours((m + i) as Variable, false)));
        }
        let labels =
            if start == NOTHING { Vec::new() } else { self.labels(&conditions, guesses, lines, work)? };
        Ok(Part { line, start, labels, free: conditions.is_empty() && guesses == 0 })
    }

    fn stands(&self, line: &str) -> Option<Stands> {
        let (game, m) = (self.game, self.heaps);
        let words: Vec<&str> = line.split(' ').collect();
        let image = |text: &str, m: usize| list::<usize>(text).filter(|image| game.is_symmetry(image, m));
        match words[..] {
            ["part", "take", window, ref rest @ ..] => {
                let (gone, own) = match rest {
                    ["image", own] => (Vec::new(), own),
                    ["gone", gone, "image", own] => (list(gone)?, own),
                    _ => return None,
                };
                let window = list::<usize>(window)?;
                if !game.is_way(m, &window, &gone) {
                    return None;
                }
                let way = game.way(m, &window, &gone);
                let own = image(own, way.heaps.len())?;
                Some(Stands::Take(way, own))
            }
            ["part", "stay", "image", own] => Some(Stands::Stay(image(own, m)?)),
            ["part", "empty"] if game.shrinks => Some(Stands::Empty),
            ["part", "over"] if game.misere && (m == 0 || !game.shrinks) => Some(Stands::Over),
            ["part", "neighbours", h] => {
                number(h).filter(|h| !game.digits.binary && (*h as usize) < m).map(Stands::Neighbours)
            }
            _ => None,
        }
    }

    /// `v7 = max(SUM, …) by TREE`: the next variable.
    fn definition(&self, known: &mut Knowledge<'_>, text: &str, work: &mut Work<'_>) -> Result<(), Reason> {
        let (text, trees) =
            text.split_once(" by").ok_or("a value is followed by `by` and why it is natural")?;
        let own = known.next();
        let v = known.define()?;
        let read = known.read(text, work)?;
        let Node::Compare(Term::Variable(variable), Relation::Equal, term) = &read.root else {
            return Err("a value is written `v7 = SUM`, `v7 = max(SUM, ...)` or `v7 = min(SUM, ...)`".into());
        };
        if *variable != own as usize {
            return Err(format!("the next variable is v{own}").into());
        }
        let (parts, greatest) = match term {
            Term::Max(parts) => (&parts[..], true),
            Term::Min(parts) => (&parts[..], false),
            one => (std::slice::from_ref(one), true),
        };
        let forms = parts.iter().map(|part| known.sum(part, work)).collect::<Result<Vec<_>, _>>()?;
        if forms.iter().flat_map(Form::variables).any(|variable| variable >= own) {
            return Err("a value is over variables before it".into());
        }
        // That the greatest, or one that may be the least, is below 0.
        let negative = forms.iter().map(Form::one_more).collect::<Result<Vec<_>, _>>()?;
        if greatest {
            self.absurd(known, &negative, None, trees, work)?;
        } else {
            let mut trees = trees.split(';');
            for one in negative.chunks(1) {
                self.absurd(known, one, None, trees.next().ok_or("a case is missing")?, work)?;
            }
        }
        let sides = |at_least: bool| -> Result<Vec<Form>, Reason> {
            forms.iter().map(|form| if at_least { form.minus(&v) } else { v.minus(form) }).collect()
        };
        known.forms.extend(sides(greatest)?);
        if forms.len() == 1 {
            known.forms.extend(sides(!greatest)?);
        } else {
            known.disjunctions.push(sides(!greatest)?);
        }
        Ok(())
    }

    /// Checks that this contrary of what is to be shown cannot be.
    fn absurd(
        &self,
        known: &Knowledge<'_>,
        contrary: &[Form],
        said: Option<Said<'_>>,
        tree: &str,
        work: &mut Work<'_>,
    ) -> Result<(), Reason> {
        let forms = [&known.forms[..], contrary].concat();
        let (said, next) = (said.into_iter().collect(), known.names.len());
        self.refuted(tree, said, &forms, &known.disjunctions, next, work)
    }

    /// Checks what the part stands for.
    fn shown(
        &self,
        stands: &Stands,
        known: &Knowledge<'_>,
        lines: &mut Lines<'_>,
        work: &mut Work<'_>,
    ) -> Result<(), Rejected> {
        let m = self.heaps;
        let nothing = Rejected::new(lines.number, "nothing is claimed of these positions");
        let (mut contraries, mut said) = (Vec::new(), Vec::new());
        let to_show: Option<(&Option<Formula>, Vec<Variable>)> = match stands {
            Stands::Neighbours(_) => None,
            Stands::Empty => {
                contraries.push(None);
                None
            }
            Stands::Over => {
                contraries.extend((0..m as Variable).map(|h| Some(Form::variable(h).contrary())));
                None
            }
            Stands::Stay(image) => {
                let place = image.iter().map(|h| *h as Variable).collect();
                Some((&self.claims[m], place))
            }
            Stands::Take(way, image) => {
                let lower = lines.after("to ").and_then(list::<Variable>).filter(|lower| {
                    lower.len() == way.heaps.iter().filter(|heap| heap.1).count()
                        && lower.iter().all(|v| *v < known.next())
                });
                let lower = lower.ok_or_else(|| {
                    lines.wrong("`to` and the variables of the option's lower heaps should stand here")
                })?;
                let option = self.game.option(way, &lower);
                for ((h, _), q) in way.heaps.iter().zip(&option).filter(|((_, low), _)| *low) {
                    let (p, q) = (Form::variable(*h as Variable), Form::variable(*q));
                    if self.game.is_heap(*h) {
                        contraries.push(Some(p.minus(&q).and_then(|form| form.one_more())));
                    }
                    contraries.extend(self.game.shrinks.then_some(Some(Ok(q))));
                }
                if self.game.may_rest() {
                    contraries
                        .push(Some(self.game.rest(&option, m).and_then(|rest| Form::default().minus(&rest))));
                }
                said.extend(self.game.said(way, &option, false));
                let place = image.iter().map(|i| option[*i]).collect();
                Some((&self.claims[way.heaps.len()], place))
            }
        };
        if let Some((claim, names)) = to_show {
            said.push(claim.as_ref().ok_or(nothing)?.said(names, false));
        }
        let single = contraries.into_iter().map(|form| (form.transpose(), None));
        for (form, mut said) in single.chain(said.into_iter().map(|said| (Ok(None), Some(said)))) {
            if let Some(said) = &mut said
                && let Some(text) = lines.after("with ")
            {
                // The values of the variables that the formula binds, in the order of their quantifiers.
                let value = |text: &str| {
                    if text == "-" { Some(NONE) } else { number(text).filter(|v| *v < known.next()) }
                };
                let values = text
                    .split(',')
                    .map(value)
                    .collect::<Option<Vec<_>>>()
                    .filter(|values| values.len() <= said.names.len());
                let values = values.ok_or_else(|| lines.before("there are no such variables"))?;
                let free = said.names.iter().filter(|v| **v != NONE).count();
                said.names[free..].iter_mut().zip(values).for_each(|(name, value)| *name = value);
            }
            let tree = lines.after("by").ok_or_else(|| lines.wrong("`by` should stand here"))?;
            let done = form.and_then(|form| self.absurd(known, form.as_slice(), said, tree, work));
            done.map_err(|why| lines.before(why))?;
        }
        Ok(())
    }

    /// Groups of conditions, each `labels CONDITIONS`, then perhaps `first WORDS`, and `@STATE VECTORS` lines. Every condition is in a group, those on
    /// guesses in one.
    fn labels(
        &self,
        conditions: &[Condition],
        guesses: usize,
        lines: &mut Lines<'_>,
        work: &mut Work<'_>,
    ) -> Result<Vec<Labels>, Rejected> {
        let mut groups = Vec::new();
        let mut labelled = vec![false; conditions.len()];
        let guessed: Vec<bool> =
            conditions.iter().map(|one| one.form.variables().any(|v| v >= self.heaps as Variable)).collect();
        while let Some(text) = lines.after("labels ") {
            work.hold(64 * text.len()).map_err(|why| lines.before(why))?;
            let group = list::<usize>(text).filter(|group| group.iter().all(|i| *i < conditions.len()));
            let group = group.ok_or_else(|| lines.before("conditions are numbered from 0 on"))?;
            group.iter().for_each(|i| labelled[*i] = true);
            let all = (0..conditions.len()).all(|i| !guessed[i] || group.contains(&i));
            if !all && group.iter().any(|i| guessed[*i]) {
                return Err(lines.before("all conditions on guesses belong together"));
            }
            work.spend(conditions.len() * group.len()).map_err(|why| lines.before(why))?;
            let conditions = group.iter().map(|i| conditions[*i].clone()).collect();
            groups.push(self.group(conditions, if all { guesses } else { 0 }, lines, work)?);
        }
        if labelled.contains(&false) {
            return Err(lines.wrong("a condition has no labels"));
        }
        Ok(groups)
    }

    fn group(
        &self,
        conditions: Vec<Condition>,
        guesses: usize,
        lines: &mut Lines<'_>,
        work: &mut Work<'_>,
    ) -> Result<Labels, Rejected> {
        let mut labels = Labels { conditions, guesses, ..Labels::default() };
        let width = labels.conditions.len();
        if let Some(text) = lines.after("first ") {
            let bits = guesses * self.game.digits.bits;
            let letter =
                |text: &str| number::<u32>(text).filter(|letter| u64::from(*letter) < 1 << bits.min(32));
            let word = |text: &str| text.split(',').map(letter).collect::<Option<Vec<_>>>();
            work.hold(32 * text.len()).map_err(|why| lines.before(why))?;
            labels.first = text
                .split(' ')
                .map(word)
                .collect::<Option<_>>()
                .ok_or_else(|| lines.before("words of letters"))?;
        }
        while let Some(text) = lines.after("@") {
            work.hold(64 + 16 * text.len()).map_err(|why| lines.before(why))?;
            let mut numbers = text.split(' ');
            let state =
                numbers.next().and_then(number::<u32>).ok_or_else(|| lines.before("a state is a number"))?;
            let one = |text: &str| {
                let digits = text.strip_prefix('-').unwrap_or(text);
                number::<i64>(digits)
                    .filter(|x| *x <= LARGEST)
                    .map(|x| if digits.len() < text.len() { -x } else { x })
            };
            let mut clause = Vec::new();
            while let Some(text) = numbers.next() {
                let value = if self.game.digits.binary {
                    one(text).map(|x| (x, 0))
                } else {
                    one(text).zip(numbers.next().and_then(one))
                };
                clause.push(value.ok_or_else(|| lines.before("a label is a list of numbers"))?);
            }
            if width == 0 || clause.len() % width != 0 {
                return Err(lines.before("a label has a value for each condition"));
            }
            labels.clauses.entry(state).or_default().push(clause);
        }
        Ok(labels)
    }
}
