//! All that Coq is told of one number of heaps (coq/Games.v): that no move leads from a claimed position to one, and that from every
//! other position a move leads to one.

use crate::NotCovered;
use crate::certificate::{Body, Condition, Stands};
use crate::cover::{Labels, Machine};
use crate::form::{Form, Variable};
use crate::formula::{Formula, Said, all_alternatives};
use crate::part::{Proved, in_order, in_window, show};
use crate::refute::{Known, Refutation};
use crate::theorem::Spoiled;
use crate::write::Text;
use rustc_hash::FxHashMap;

/// What a move can leave that is claimed: the option's heaps in order, those first that are left, and how many these are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// All heaps.
    pub order: Vec<usize>,
    /// How many are left.
    pub left: usize,
}

impl Target {
    /// The heaps that are left, in order.
    pub fn kept(&self) -> &[usize] {
        &self.order[..self.left]
    }

    /// The heaps that are gone.
    pub fn gone(&self) -> &[usize] {
        &self.order[self.left..]
    }
}

/// A game with so many heaps, and what is claimed of it.
#[derive(Debug)]
pub struct Board {
    /// How many heaps there are.
    pub heaps: usize,
    /// The heaps that a move may lower.
    pub windows: Vec<Vec<usize>>,
    /// What else holds of a move.
    pub rule: Formula,
    /// Whether every heap of a position holds something.
    pub alive: bool,
    /// What is claimed of so many heaps; as far as targets leave as many, and of all.
    pub claims: Vec<Formula>,
    /// The orders in which a position may be claimed.
    pub images: Vec<Vec<usize>>,
    /// What options may be.
    pub targets: Vec<Target>,
    /// Who cannot move wins.
    pub misere: bool,
    /// Whether what is not shown is written nevertheless.
    pub forced: bool,
    /// What was refuted before.
    pub refutations: Known,
}

fn own(i: Variable) -> Variable {
    i
}

impl Board {
    /// The claim on all heaps.
    pub fn claim(&self) -> &Formula {
        &self.claims[self.heaps]
    }

    /// Forms that say that heaps hold something.
    pub fn held(&self, option: &dyn Fn(Variable) -> Variable, heaps: &[usize]) -> Vec<Form> {
        let form = |h: &usize| Form::constant(1).minus(&Form::variable(option(*h as Variable)));
        if self.alive { heaps.iter().map(form).collect() } else { Vec::new() }
    }

    fn empty(&self, option: &dyn Fn(Variable) -> Variable, heaps: &[usize]) -> Vec<Form> {
        let form = |h: &usize| Form::variable(option(*h as Variable));
        if self.alive { heaps.iter().map(form).collect() } else { Vec::new() }
    }

    /// The claim in one order and not in another: refuted, if so.
    pub fn implied(&mut self, from: &Target, to: &Target) -> Result<Option<Vec<Refutation>>, NotCovered> {
        if from == to {
            return Ok(Some(Vec::new()));
        }
        let same = |a: &[usize], b: &[usize]| a.iter().all(|h| b.contains(h));
        let claim = &self.claims[from.left];
        if from.left != to.left
            || !same(to.kept(), from.kept())
            || !same(to.gone(), from.gone())
            || !claim.quantifier_free()
        {
            return Ok(None);
        }
        let n = self.heaps as Variable;
        let said = [
            Said { naming: in_order(n, n, &own, from.kept()), truth: true, formula: claim },
            Said { naming: in_order(n, n, &own, to.kept()), truth: false, formula: claim },
        ];
        let Ok(all) = all_alternatives(&said, &mut (n + 1)) else { return Ok(None) };
        if all.len() > 5000 {
            return Ok(None);
        }
        let held = self.held(&own, from.kept());
        Ok(all.iter().map(|forms| self.refutations.find(&[&held[..], forms].concat())).collect())
    }

    fn refuted(&mut self, forms: &[Form], what: &str) -> Result<Refutation, NotCovered> {
        match self.refutations.find(forms) {
            Some(found) => Ok(found),
            None if self.forced => Ok(Refutation::default()),
            None => Err(NotCovered::new(what)),
        }
    }

    /// Everything, in the order in which coq/Data.v reads it.
    pub fn data(&mut self, body: &Body, how: Spoiled) -> Result<Text, NotCovered> {
        let mut data = Text::default();
        self.inside(&mut data)?;
        self.lead(&mut data, body, how)?;
        self.end(&mut data)?;
        Ok(data)
    }

    /// Condition I.
    fn inside(&mut self, data: &mut Text) -> Result<(), NotCovered> {
        let n = self.heaps as Variable;
        let targets = self.targets.clone();
        let mut reduced: Vec<Target> = Vec::new();
        let mut reduction: Vec<(Target, Vec<Refutation>)> = Vec::new();
        'targets: for target in &targets {
            for known in &reduced {
                if let Some(proof) = self.implied(target, known)? {
                    reduction.push((known.clone(), proof));
                    continue 'targets;
                }
            }
            reduced.push(target.clone());
            reduction.push((target.clone(), Vec::new()));
        }
        let all_heaps: Vec<usize> = (0..self.heaps).collect();
        let firsts = if self.symmetric() { vec![all_heaps.clone()] } else { self.images.clone() };
        let mut cases: Vec<Vec<Refutation>> = Vec::new();
        for window in self.windows.clone() {
            let zero = n + window.len() as Variable;
            let option = |i: Variable| {
                let at = window.iter().position(|h| *h as Variable == i);
                at.map_or(i, |at| n + at as Variable)
            };
            let difference = |i: Variable| Form::variable(option(i)).minus(&Form::variable(i));
            let total = (0..n).rev().fold(Form::default(), |sum, i| difference(i).plus(&sum));
            let mut lowered = vec![Form::constant(1).plus(&total)];
            lowered.extend(window.iter().map(|h| difference(*h as Variable)));
            lowered.extend(self.held(&own, &all_heaps));
            for first in &firsts {
                for target in &reduced {
                    // A heap outside the window is not emptied.
                    if self.alive && target.gone().iter().any(|h| !window.contains(h)) {
                        cases.push(Vec::new());
                        continue;
                    }
                    let known = [
                        &lowered[..],
                        &self.held(&option, target.kept())[..],
                        &self.empty(&option, target.gone())[..],
                    ]
                    .concat();
                    let all = {
                        let said = [
                            Said {
                                naming: in_window(n, zero, &option, &window),
                                truth: true,
                                formula: &self.rule,
                            },
                            Said {
                                naming: in_order(n, zero, &own, first),
                                truth: true,
                                formula: &self.claims[self.heaps],
                            },
                            Said {
                                naming: in_order(n, zero, &option, target.kept()),
                                truth: true,
                                formula: &self.claims[target.left],
                            },
                        ];
                        all_alternatives(&said, &mut (zero + 1))?
                    };
                    let mut proofs = Vec::new();
                    for alternative in all {
                        let forms = [&known[..], &alternative[..]].concat();
                        proofs.push(self.refuted(
                            &forms,
                            "that no move leads from a claimed position to one was not shown by sums and walks",
                        )?);
                    }
                    cases.push(proofs);
                }
            }
        }
        data.all(&reduced, |text, target| text.target(target));
        data.all(&reduction, |text, (target, proofs)| {
            text.target(target);
            text.refutations(proofs);
        });
        data.all(&cases, |text, proofs| text.refutations(proofs));
        Ok(())
    }

    /// Whether the position may be taken in its first image: what coq/Games.v calls symmetric.
    fn symmetric(&self) -> bool {
        let n = self.heaps;
        let windows = &self.windows;
        let to_windows = |s: &Vec<usize>| {
            windows
                .iter()
                .all(|w| windows.iter().any(|v| (0..n).all(|i| !w.contains(&s[i]) || v.contains(&i))))
        };
        let closed = |s: &Vec<usize>, t: &Target| {
            let turned = |u: &Target| u.order.iter().map(|i| s[*i]).eq(t.order.iter().copied());
            self.targets.iter().any(|u| u.left == t.left && turned(u))
        };
        self.rule == Formula::Known(true)
            && self.images.iter().all(to_windows)
            && self.images.iter().all(|s| self.targets.iter().all(|t| closed(s, t)))
    }

    /// Condition II.
    fn lead(&mut self, data: &mut Text, body: &Body, how: Spoiled) -> Result<(), NotCovered> {
        let mut next = vec![[0; 2], [1; 2]];
        let mut ends = vec![false, true];
        for (to, accepts) in &body.states {
            next.push(*to);
            ends.push(*accepts);
        }
        let machine = Machine { next, ends, heaps: self.heaps };
        let mut parts: Vec<(Proved, u32, Labels)> = Vec::new();
        for part in &body.parts {
            if part.stands == Stands::Over && !self.misere {
                return Err(NotCovered::new("the certificate cannot be read"));
            }
            let proved = match show(self, part) {
                Ok(proved) => proved,
                Err(_) if self.forced => continue,
                Err(why) => return Err(why),
            };
            let labels = machine.labels(part.start, &proved.conditions, proved.guesses)?;
            parts.push((proved, part.start, labels));
        }
        let mut sets = body.sets.clone();
        sets.push(vec![1]);
        // Each under its rarest member.
        let mut times: FxHashMap<u32, usize> = FxHashMap::default();
        sets.iter().flatten().for_each(|s| *times.entry(*s).or_default() += 1);
        for set in &mut sets {
            let rarest = (0..set.len()).min_by_key(|i| times[&set[*i]]).unwrap_or(0);
            set.swap(0, rarest);
        }
        let starts: Vec<u32> = parts.iter().map(|(_, start, _)| *start).collect();
        if !machine.covers(&starts, &sets) && !self.forced {
            return Err(NotCovered::new("the automata of the certificate do not cover all positions"));
        }
        let Machine { mut next, mut ends, .. } = machine;
        match how {
            Spoiled::Nothing => {}
            Spoiled::Part => drop(parts.pop()),
            Spoiled::Transition => {
                // The first from a state to another that is not 0.
                let found = next.iter().skip(2).position(|to| to[0] > 1 && to[0] != to[1]).map(|at| at + 2);
                if let Some(at) = found {
                    next[at][0] = next[at][1];
                }
            }
            Spoiled::Coefficient => {
                let form = parts.first_mut().and_then(|(proved, ..)| proved.conditions.first_mut());
                if let Some(Condition::Bound(form)) = form {
                    form.terms[0].0 += 1;
                }
            }
            Spoiled::Ends => {
                // Where a part's bounds are known not to hold.
                let fails = |proved: &Proved, clause: &Vec<Vec<i64>>| {
                    let beyond = |(x, c): (&i64, &Condition)| matches!(c, Condition::Bound(form) if x + form.constant > 0);
                    clause.iter().all(|v| v.iter().zip(&proved.conditions).any(beyond))
                };
                let found = parts.iter().find_map(|(proved, _, labels)| {
                    let (state, _) = labels.clauses.iter().find(|(state, list)| {
                        !ends[**state as usize] && list.iter().any(|clause| fails(proved, clause))
                    })?;
                    Some(*state)
                });
                if let Some(at) = found {
                    ends[at as usize] = true;
                }
            }
        }
        data.all(&parts, |text, (proved, start, labels)| text.part(proved, *start, labels));
        data.machine(&next, &ends);
        data.sets(&sets);
        Ok(())
    }

    /// In misère play: that the end is not claimed.
    fn end(&mut self, data: &mut Text) -> Result<(), NotCovered> {
        let mut proofs = Vec::new();
        if self.misere {
            if self.rule != Formula::Known(true) {
                return Err(NotCovered::new("misere play is exported where any number may be taken"));
            }
            let all = {
                let said = [Said { naming: Box::new(|_| 0), truth: true, formula: self.claim() }];
                all_alternatives(&said, &mut 1)?
            };
            for alternative in all {
                let forms = [&[Form::variable(0)], &alternative[..]].concat();
                proofs.push(self.refuted(&forms, "that the end is not claimed was not shown")?);
            }
        }
        data.refutations(&proofs);
        Ok(())
    }
}
