//! That a part's conditions imply what it stands for: definitions, witnesses and refutations of the contrary, in the order of
//! coq/Games.v.

use crate::NotCovered;
use crate::board::{Board, Target};
use crate::certificate::{Condition, Part, Stands};
use crate::form::{Form, Variable};
use crate::formula::{Formula, Naming, alternatives};
use crate::refute::{Known, Refutation};

/// What a further variable is.
#[derive(Debug, Clone)]
pub enum Definition {
    /// The greatest or least of forms, and why it is a natural number.
    Extreme(bool, Vec<Form>, Vec<Shown>),
    /// The quotient that a condition says is whole.
    Whole(usize, Shown),
}

/// What of a formula is shown.
#[derive(Debug, Clone)]
pub enum Witness {
    /// All of it.
    Here,
    /// The left side of an "or".
    Left(Box<Witness>),
    /// The right side.
    Right(Box<Witness>),
    /// Both sides of an "and".
    Pair(Box<Witness>, Box<Witness>),
    /// A value of a bound variable.
    Value(Variable, Box<Witness>),
}

/// How one contrary is refuted.
#[derive(Debug, Clone)]
pub struct Shown {
    /// The definitions that are looked at case by case.
    pub splits: Vec<usize>,
    /// A refutation a case.
    pub leaves: Vec<Refutation>,
}

/// A part with its proof.
#[derive(Debug, Clone)]
pub struct Proved {
    /// What it stands for.
    pub stands: Stands,
    /// In a move, where its option is claimed.
    pub target: Target,
    /// The variables of the window's heaps in the option.
    pub moved: Vec<Variable>,
    /// Of the rule.
    pub of_rule: Witness,
    /// Of the claim.
    pub of_claim: Witness,
    /// Further variables.
    pub definitions: Vec<Definition>,
    /// The goals.
    pub goals: Vec<Shown>,
    /// The conditions, in the numbers of Coq.
    pub conditions: Vec<Condition>,
    /// How many variables are guessed.
    pub guesses: usize,
}

struct Knowledge {
    known: Vec<Form>,
    splits: Vec<Vec<Form>>,
    next: Variable,
}

/// Shows a part.
pub fn show(board: &mut Board, part: &Part) -> Result<Proved, NotCovered> {
    let mut refutations = std::mem::take(&mut board.refutations);
    let shown = show_with(board, part, &mut refutations);
    board.refutations = refutations;
    shown
}

fn show_with(board: &Board, part: &Part, refutations: &mut Known) -> Result<Proved, NotCovered> {
    let n = board.heaps as Variable;
    let all_heaps: Vec<usize> = (0..board.heaps).collect();
    let broken = || NotCovered::new("a part of the certificate names a variable without a value");
    let conditions = part.conditions.clone();
    let guesses = part.guesses;
    let held = board.held(&|i| i, &all_heaps);
    let mut knowledge = Knowledge { known: held, splits: Vec::new(), next: n + guesses as Variable };
    let one = Form::constant(1);
    for condition in &conditions {
        match condition {
            Condition::Bound(form) => knowledge.known.push(form.clone()),
            Condition::Differs(form) => {
                knowledge.splits.push(vec![one.plus(form), one.minus(form)]);
            }
            Condition::Divisible(..) => {}
        }
    }
    let mut definitions = Vec::new();
    for (i, condition) in conditions.iter().enumerate() {
        if let Condition::Divisible(m, form) = condition {
            let natural = refuted(&knowledge, &[one.plus(form)], refutations);
            let natural = natural
                .ok_or_else(|| NotCovered::new("a remainder of what may be negative is not exported"))?;
            let whole = Form::variable(knowledge.next).times(*m as i64);
            knowledge.known.extend([form.minus(&whole), whole.minus(form)]);
            knowledge.splits.push(vec![Form::default()]);
            knowledge.next += 1;
            definitions.push(Definition::Whole(i, natural));
        }
    }
    for value in &part.values {
        let forms = value.forms.clone();
        let natural = || NotCovered::new("that a value is a natural number was not shown");
        let negative: Vec<Form> = forms.iter().map(|form| one.plus(form)).collect();
        let proofs = if value.greatest {
            vec![refuted(&knowledge, &negative, refutations).ok_or_else(natural)?]
        } else {
            let each = |form: Form| refuted(&knowledge, &[form], refutations).ok_or_else(natural);
            negative.into_iter().map(each).collect::<Result<Vec<_>, _>>()?
        };
        let v = Form::variable(knowledge.next);
        let at_most = |form: &Form| form.minus(&v);
        let at_least = |form: &Form| v.minus(form);
        let exactly: Vec<Form> = if value.greatest {
            forms.iter().map(at_least).collect()
        } else {
            forms.iter().map(at_most).collect()
        };
        if value.greatest {
            knowledge.known.extend(forms.iter().map(at_most));
        } else {
            knowledge.known.extend(forms.iter().map(at_least));
        }
        if forms.len() == 1 {
            knowledge.known.extend(exactly.iter().cloned());
        }
        knowledge.splits.push(exactly);
        knowledge.next += 1;
        definitions.push(Definition::Extreme(value.greatest, forms, proofs));
    }
    // What is gone has a variable, too: 0.
    let mut nothing = None;
    if matches!(&part.stands, Stands::Take(_, gone, _) if !gone.is_empty()) {
        let v = Form::variable(knowledge.next);
        let form = Form::constant(0);
        let natural = || NotCovered::new("that a value is a natural number was not shown");
        let proof = refuted(&knowledge, &[one.plus(&form)], refutations).ok_or_else(natural)?;
        knowledge.known.extend([form.minus(&v), v.minus(&form)]);
        knowledge.splits.push(vec![v.minus(&form)]);
        definitions.push(Definition::Extreme(true, vec![form], vec![proof]));
        nothing = Some(knowledge.next);
        knowledge.next += 1;
    }
    let zero = knowledge.next;
    let mut proved = Proved {
        stands: part.stands.clone(),
        target: Target { order: Vec::new(), left: 0 },
        moved: Vec::new(),
        of_rule: Witness::Here,
        of_claim: Witness::Here,
        definitions,
        goals: Vec::new(),
        conditions,
        guesses,
    };
    let bound = |which: usize, free: usize| {
        move |i: usize| part.bound[which].get(i.checked_sub(free)?).copied().flatten()
    };
    match &part.stands {
        Stands::Over => {
            for i in 0..n {
                let contrary = one.plus(&Form::variable(i).times(-1));
                proved.goals.push(refuted(&knowledge, &[contrary], refutations).ok_or_else(not_shown)?);
            }
        }
        Stands::Empty => {
            proved.goals.push(refuted(&knowledge, &[], refutations).ok_or_else(not_shown)?);
        }
        Stands::Stay(image) => {
            let image = board.images.iter().find(|own| *own == image).cloned();
            let candidates = image.map_or_else(|| board.images.clone(), |image| vec![image]);
            for image in candidates {
                let naming = in_order(n, zero, &|i| i, &image);
                if let Some((witness, goals)) =
                    shown(&knowledge, board.claim(), &naming, &bound(1, board.heaps), refutations)?
                {
                    proved.stands = Stands::Stay(image.clone());
                    proved.of_claim = witness;
                    proved.goals = goals;
                    return Ok(proved);
                }
            }
            return Err(not_shown());
        }
        Stands::Take(window, gone, image) => {
            // The certificate counts the option's heaps by what is left.
            let kept: Vec<usize> = all_heaps.iter().copied().filter(|h| !gone.contains(h)).collect();
            // The variables of lower heaps are listed in the order of the circle.
            let lower: Vec<usize> = kept.iter().copied().filter(|h| window.contains(h)).collect();
            let of = |h: &usize| match lower.iter().position(|own| own == h) {
                Some(at) => part.lower.get(at).copied(),
                None => nothing,
            };
            proved.moved = window.iter().map(|h| of(h).ok_or_else(broken)).collect::<Result<_, _>>()?;
            let moved = proved.moved.clone();
            let option = |i: Variable| {
                let at = window.iter().position(|h| *h as Variable == i);
                at.map_or(i, |at| moved[at])
            };
            for h in window {
                let h = *h as Variable;
                let contrary = one.plus(&Form::variable(h).minus(&Form::variable(option(h))));
                proved.goals.push(refuted(&knowledge, &[contrary], refutations).ok_or_else(not_shown)?);
            }
            let order =
                image.iter().map(|i| kept.get(*i).copied()).collect::<Option<Vec<_>>>().ok_or_else(broken)?;
            let of_these = |target: &&Target| {
                target.left == kept.len() && target.gone().iter().all(|h| gone.contains(h))
            };
            let exactly: Vec<&Target> =
                board.targets.iter().filter(of_these).filter(|target| target.kept() == order).collect();
            let candidates =
                if exactly.is_empty() { board.targets.iter().filter(of_these).collect() } else { exactly };
            let naming = in_window(n, zero, &option, window);
            let (witness, of_rule) =
                shown(&knowledge, &board.rule, &naming, &bound(0, 2 * window.len()), refutations)?
                    .ok_or_else(not_shown)?;
            proved.of_rule = witness;
            for target in candidates {
                let naming = in_order(n, zero, &option, target.kept());
                let claim = &board.claims[target.left];
                let Some((witness, of_claim)) =
                    shown(&knowledge, claim, &naming, &bound(1, target.left), refutations)?
                else {
                    continue;
                };
                if board.alive {
                    let heap = |h: &usize| Form::variable(option(*h as Variable));
                    let contraries = target
                        .kept()
                        .iter()
                        .map(heap)
                        .chain(target.gone().iter().map(|h| one.minus(&heap(h))));
                    for contrary in contraries {
                        proved
                            .goals
                            .push(refuted(&knowledge, &[contrary], refutations).ok_or_else(not_shown)?);
                    }
                }
                proved.target = target.clone();
                proved.of_claim = witness;
                proved.goals.extend(of_rule);
                proved.goals.extend(of_claim);
                return Ok(proved);
            }
            return Err(not_shown());
        }
    }
    Ok(proved)
}

fn not_shown() -> NotCovered {
    NotCovered::new("that a part's conditions imply its move was not shown by sums and walks")
}

/// The variables of a position's heaps in the order of a list.
pub fn in_order<'n>(
    n: Variable,
    zero: Variable,
    option: &'n dyn Fn(Variable) -> Variable,
    order: &'n [usize],
) -> Box<Naming<'n>> {
    Box::new(move |i| match order.get(i) {
        Some(j) if (*j as Variable) < n => option(*j as Variable),
        _ => zero,
    })
}

/// The variables of a window's heaps before and after a move.
pub fn in_window<'n>(
    n: Variable,
    zero: Variable,
    option: &'n dyn Fn(Variable) -> Variable,
    window: &'n [usize],
) -> Box<Naming<'n>> {
    Box::new(move |i| {
        let after = i >= window.len();
        match window.get(if after { i - window.len() } else { i }) {
            Some(j) if (*j as Variable) < n => {
                if after {
                    option(*j as Variable)
                } else {
                    *j as Variable
                }
            }
            _ => zero,
        }
    })
}

/// Refutes one contrary, if need be with cases of definitions.
fn refuted(knowledge: &Knowledge, contrary: &[Form], refutations: &mut Known) -> Option<Shown> {
    let wide: Vec<usize> = (0..knowledge.splits.len()).filter(|i| knowledge.splits[*i].len() > 1).collect();
    let mut tried: Vec<Vec<usize>> = vec![vec![]];
    tried.extend(wide.iter().map(|i| vec![*i]));
    for (at, i) in wide.iter().enumerate() {
        tried.extend(wide[at + 1..].iter().map(|j| vec![*i, *j]));
    }
    if wide.len() > 2 {
        tried.push(wide.clone());
    }
    'tried: for splits in tried {
        let mut combinations: Vec<Vec<Form>> = vec![vec![]];
        for i in splits.iter().rev() {
            let with = |form: &Form| {
                let form = form.clone();
                combinations
                    .iter()
                    .map(move |rest| [std::slice::from_ref(&form), &rest[..]].concat())
                    .collect::<Vec<_>>()
            };
            combinations = knowledge.splits[*i].iter().flat_map(with).collect();
        }
        if combinations.len() > 64 {
            continue;
        }
        let mut leaves = Vec::new();
        for combination in &combinations {
            let forms = [&knowledge.known[..], contrary, combination].concat();
            match refutations.find(&forms) {
                Some(leaf) => leaves.push(leaf),
                None => continue 'tried,
            }
        }
        return Some(Shown { splits, leaves });
    }
    None
}

/// Shows a formula: the first way in which all contraries are refuted.
fn shown(
    knowledge: &Knowledge,
    formula: &Formula,
    naming: &Naming<'_>,
    value: &dyn Fn(usize) -> Option<Variable>,
    refutations: &mut Known,
) -> Result<Option<(Witness, Vec<Shown>)>, NotCovered> {
    'candidates: for candidate in candidates(formula, value) {
        let mut chosen = Vec::new();
        choose(formula, &candidate, Vec::new(), &mut chosen);
        let mut goals = Vec::new();
        for (bound, goal) in chosen {
            let naming =
                |i: usize| bound.iter().rev().find(|(j, _)| *j == i).map_or_else(|| naming(i), |(_, v)| *v);
            let mut next = knowledge.next + 1;
            for contrary in alternatives(&naming, false, goal, &mut next)? {
                match refuted(knowledge, &contrary, refutations) {
                    Some(one) => goals.push(one),
                    None => continue 'candidates,
                }
            }
        }
        return Ok(Some((candidate, goals)));
    }
    Ok(None)
}

/// Most ways that are tried.
const WAYS: usize = 200;

fn candidates(formula: &Formula, value: &dyn Fn(usize) -> Option<Variable>) -> Vec<Witness> {
    let mut all = match formula {
        Formula::Or(f, g) => {
            let left = candidates(f, value).into_iter().map(|w| Witness::Left(w.into()));
            let right = candidates(g, value).into_iter().map(|w| Witness::Right(w.into()));
            let mut all: Vec<Witness> = left.chain(right).collect();
            if formula.quantifier_free() {
                all.push(Witness::Here);
            }
            all
        }
        Formula::Exists(i, f) => match value(*i) {
            Some(v) => candidates(f, value).into_iter().map(|w| Witness::Value(v, w.into())).collect(),
            None => vec![],
        },
        Formula::And(f, g) => {
            let (left, right) = (candidates(f, value), candidates(g, value));
            if let ([Witness::Here], [Witness::Here]) = (&left[..], &right[..]) {
                return vec![Witness::Here];
            }
            let pair = |v: &Witness, w: &Witness| Witness::Pair(v.clone().into(), w.clone().into());
            left.iter().flat_map(|v| right.iter().map(move |w| pair(v, w))).take(WAYS).collect()
        }
        _ => vec![Witness::Here],
    };
    all.truncate(WAYS);
    all
}

/// Bound variables with their values, and what is shown of them.
type Chosen<'f> = Vec<(Vec<(usize, Variable)>, &'f Formula)>;

fn choose<'f>(formula: &'f Formula, witness: &Witness, bound: Vec<(usize, Variable)>, into: &mut Chosen<'f>) {
    match (witness, formula) {
        (Witness::Left(w), Formula::Or(f, _)) | (Witness::Right(w), Formula::Or(_, f)) => {
            choose(f, w, bound, into)
        }
        (Witness::Pair(v, w), Formula::And(f, g)) => {
            choose(f, v, bound.clone(), into);
            choose(g, w, bound, into);
        }
        (Witness::Value(x, w), Formula::Exists(i, f)) => {
            choose(f, w, [bound, vec![(*i, *x)]].concat(), into);
        }
        _ => into.push((bound, formula)),
    }
}
