//! The data for Coq about one number of heaps (coq/Games.v): no move leads from a claimed position
//! to a claimed one (condition I), and from every other position a move leads to a claimed one
//! (condition II).

use crate::ExportError;
use crate::body::{CaseConclusion, CertificateBody, Condition};
use crate::case::{ProvedCase, in_order, in_window, prove_case};
use crate::cover::{CaseAutomaton, Labels};
use crate::data::DataText;
use crate::export::Mutation;
use crate::form::{Form, Variable};
use crate::formula::{Formula, SignedFormula, all_alternatives};
use crate::refute::{Refutation, RefutationCache};
use rustc_hash::FxHashMap;

/// A claimed position that a move can leave: the heaps of the option in the order of the claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimedOption {
    /// All heaps: first those that remain, then those that are removed.
    pub order: Vec<usize>,
    /// The number of heaps that remain.
    pub remaining: usize,
}

impl ClaimedOption {
    /// Returns the heaps that remain, in order.
    pub fn kept(&self) -> &[usize] {
        &self.order[..self.remaining]
    }

    /// Returns the heaps that are removed.
    pub fn gone(&self) -> &[usize] {
        &self.order[self.remaining..]
    }
}

/// A game with a fixed number of heaps, and the claims about it.
#[derive(Debug)]
pub struct Board {
    /// The number of heaps, the numbers remembered included.
    pub heaps: usize,
    /// The numbers behind the heaps that a move sets: they hold no tokens and may grow.
    pub memory: usize,
    /// The windows: sets of heaps that one move may lower.
    pub windows: Vec<Vec<usize>>,
    /// A further condition on moves.
    pub rule: Formula,
    /// Whether emptied heaps are removed, so that no heap of a position is empty.
    pub is_shrinking: bool,
    /// The claims by number of heaps, as far as options have so many, and up to `heaps`.
    pub claims: Vec<Formula>,
    /// The orders in which a position may be claimed.
    pub images: Vec<Vec<usize>>,
    /// The claimed options.
    pub options: Vec<ClaimedOption>,
    /// Whether it has to be shown that options have fewer tokens: one with the same heaps may be
    /// another position, or none.
    pub must_take: bool,
    /// Whether play is misère.
    pub is_misere: bool,
    /// Whether the data are written even if proofs are missing (for tests).
    pub is_forced: bool,
    /// The refutations found so far.
    pub refutations: RefutationCache,
}

fn identity(i: Variable) -> Variable {
    i
}

impl Board {
    /// Returns the heaps that hold tokens.
    pub fn holding(&self) -> Variable {
        (self.heaps - self.memory) as Variable
    }

    /// Returns the claim on all heaps.
    pub fn claim(&self) -> &Formula {
        &self.claims[self.heaps]
    }

    /// Returns forms that are at most 0 if the heaps are not empty (only where emptied heaps are
    /// removed).
    pub fn nonempty(&self, option: &dyn Fn(Variable) -> Variable, heaps: &[usize]) -> Vec<Form> {
        let form = |h: &usize| Form::constant(1).minus(&Form::variable(option(*h as Variable)));
        if self.is_shrinking { heaps.iter().map(form).collect() } else { Vec::new() }
    }

    fn empty(&self, option: &dyn Fn(Variable) -> Variable, heaps: &[usize]) -> Vec<Form> {
        let form = |h: &usize| Form::variable(option(*h as Variable));
        if self.is_shrinking { heaps.iter().map(form).collect() } else { Vec::new() }
    }

    /// Returns refutations of: the claim holds in the order `from` and not in the order `to`.
    /// Returns `None` if the orders are not comparable or a refutation is missing.
    pub fn refute_order_change(
        &mut self,
        from: &ClaimedOption,
        to: &ClaimedOption,
    ) -> Result<Option<Vec<Refutation>>, ExportError> {
        if from == to {
            return Ok(Some(Vec::new()));
        }
        let is_subset = |a: &[usize], b: &[usize]| a.iter().all(|h| b.contains(h));
        let claim = &self.claims[from.remaining];
        if from.remaining != to.remaining
            || !is_subset(to.kept(), from.kept())
            || !is_subset(to.gone(), from.gone())
            || !claim.quantifier_free()
        {
            return Ok(None);
        }
        let n = self.heaps as Variable;
        let formulas = [
            SignedFormula {
                naming: in_order(n, n, &identity, from.kept()),
                truth: true,
                formula: claim,
            },
            SignedFormula {
                naming: in_order(n, n, &identity, to.kept()),
                truth: false,
                formula: claim,
            },
        ];
        let Ok(all) = all_alternatives(&formulas, &mut (n + 1)) else { return Ok(None) };
        if all.len() > 5000 {
            return Ok(None);
        }
        let nonempty = self.nonempty(&identity, from.kept());
        Ok(all
            .iter()
            .map(|forms| self.refutations.find(&[&nonempty[..], forms].concat()))
            .collect())
    }

    fn refutation(&mut self, forms: &[Form], goal: &str) -> Result<Refutation, ExportError> {
        match self.refutations.find(forms) {
            Some(position) => Ok(position),
            None if self.is_forced => Ok(Refutation::default()),
            None => Err(ExportError::new(goal)),
        }
    }

    /// Returns the data in the order in which coq/Data.v reads them.
    pub fn data(
        &mut self,
        body: &CertificateBody,
        mutation: Mutation,
    ) -> Result<DataText, ExportError> {
        let mut data = DataText::default();
        self.write_condition_one(&mut data)?;
        self.write_condition_two(&mut data, body, mutation)?;
        self.write_terminal(&mut data)?;
        Ok(data)
    }

    /// Writes condition I.
    fn write_condition_one(&mut self, data: &mut DataText) -> Result<(), ExportError> {
        let n = self.heaps as Variable;
        let options = self.options.clone();
        let mut reduced: Vec<ClaimedOption> = Vec::new();
        let mut reduction: Vec<(ClaimedOption, Vec<Refutation>)> = Vec::new();
        'targets: for option in &options {
            for known in &reduced {
                if let Some(proof) = self.refute_order_change(option, known)? {
                    reduction.push((known.clone(), proof));
                    continue 'targets;
                }
            }
            reduced.push(option.clone());
            reduction.push((option.clone(), Vec::new()));
        }
        let all_heaps: Vec<usize> = (0..self.heaps).collect();
        let firsts = if self.symmetric() { vec![all_heaps.clone()] } else { self.images.clone() };
        let mut cases: Vec<Vec<Refutation>> = Vec::new();
        for window in self.windows.clone() {
            let zero = n + window.len() as Variable;
            let moved = |i: Variable| {
                let at = window.iter().position(|h| *h as Variable == i);
                at.map_or(i, |at| n + at as Variable)
            };
            let difference = |i: Variable| Form::variable(moved(i)).minus(&Form::variable(i));
            let total =
                (0..self.holding()).rev().fold(Form::default(), |sum, i| difference(i).plus(&sum));
            let mut lowered = vec![Form::constant(1).plus(&total)];
            let holding = window.iter().map(|h| *h as Variable).filter(|h| *h < self.holding());
            lowered.extend(holding.map(difference));
            lowered.extend(self.nonempty(&identity, &all_heaps));
            for first in &firsts {
                for option in &reduced {
                    // A heap outside the window is not removed.
                    if self.is_shrinking && option.gone().iter().any(|h| !window.contains(h)) {
                        cases.push(Vec::new());
                        continue;
                    }
                    let known = [
                        &lowered[..],
                        &self.nonempty(&moved, option.kept())[..],
                        &self.empty(&moved, option.gone())[..],
                    ]
                    .concat();
                    let all = {
                        let formulas = [
                            SignedFormula {
                                naming: in_window(n, zero, &moved, &window),
                                truth: true,
                                formula: &self.rule,
                            },
                            SignedFormula {
                                naming: in_order(n, zero, &identity, first),
                                truth: true,
                                formula: &self.claims[self.heaps],
                            },
                            SignedFormula {
                                naming: in_order(n, zero, &moved, option.kept()),
                                truth: true,
                                formula: &self.claims[option.remaining],
                            },
                        ];
                        all_alternatives(&formulas, &mut (zero + 1))?
                    };
                    let mut proofs = Vec::new();
                    for alternative in all {
                        let forms = [&known[..], &alternative[..]].concat();
                        proofs.push(self.refutation(
                            &forms,
                            "that no move leads from a claimed position to one was not shown by \
                             sums and walks",
                        )?);
                    }
                    cases.push(proofs);
                }
            }
        }
        data.list_of(&reduced, |text, option| text.option(option));
        data.list_of(&reduction, |text, (option, proofs)| {
            text.option(option);
            text.refutations(proofs);
        });
        data.list_of(&cases, |text, proofs| text.refutations(proofs));
        Ok(())
    }

    /// Returns whether a position may be taken in its first image: `symmetric` of coq/Games.v.
    fn symmetric(&self) -> bool {
        let n = self.heaps;
        let windows = &self.windows;
        let to_windows = |s: &Vec<usize>| {
            windows.iter().all(|w| {
                windows.iter().any(|v| (0..n).all(|i| !w.contains(&s[i]) || v.contains(&i)))
            })
        };
        let closed = |s: &Vec<usize>, t: &ClaimedOption| {
            let image =
                |u: &ClaimedOption| u.order.iter().map(|i| s[*i]).eq(t.order.iter().copied());
            self.options.iter().any(|u| u.remaining == t.remaining && image(u))
        };
        self.rule == Formula::Known(true)
            && self.images.iter().all(to_windows)
            && self.images.iter().all(|s| self.options.iter().all(|t| closed(s, t)))
    }

    /// Writes condition II.
    fn write_condition_two(
        &mut self,
        data: &mut DataText,
        body: &CertificateBody,
        mutation: Mutation,
    ) -> Result<(), ExportError> {
        let mut next = vec![[0; 2], [1; 2]];
        let mut ends = vec![false, true];
        for (to, accepts) in &body.states {
            next.push(*to);
            ends.push(*accepts);
        }
        let machine = CaseAutomaton { next, ends, heaps: self.heaps };
        let mut cases: Vec<(ProvedCase, u32, Labels)> = Vec::new();
        for case in &body.cases {
            if case.conclusion == CaseConclusion::Over && !self.is_misere {
                return Err(ExportError::unreadable());
            }
            let proved = match prove_case(self, case) {
                Ok(proved) => proved,
                Err(_) if self.is_forced => continue,
                Err(why) => return Err(why),
            };
            let labels = machine.labels(case.start, &proved.conditions, proved.guesses)?;
            cases.push((proved, case.start, labels));
        }
        let mut sets = body.sets.clone();
        sets.push(vec![1]);
        // Each set begins with its rarest member.
        let mut occurrences: FxHashMap<u32, usize> = FxHashMap::default();
        sets.iter().flatten().for_each(|s| *occurrences.entry(*s).or_default() += 1);
        for set in &mut sets {
            let rarest = (0..set.len()).min_by_key(|i| occurrences[&set[*i]]).unwrap_or(0);
            set.swap(0, rarest);
        }
        let starts: Vec<u32> = cases.iter().map(|(_, start, _)| *start).collect();
        if !machine.covers(&starts, &sets) && !self.is_forced {
            return Err(ExportError::new(
                "the automata of the certificate do not cover all positions",
            ));
        }
        let CaseAutomaton { mut next, mut ends, .. } = machine;
        match mutation {
            Mutation::None => {}
            Mutation::Case => drop(cases.pop()),
            Mutation::Transition => {
                // The first state with two successors, of which the first is not 0.
                let position =
                    next.iter().skip(2).position(|to| to[0] > 1 && to[0] != to[1]).map(|at| at + 2);
                if let Some(at) = position {
                    next[at][0] = next[at][1];
                }
            }
            Mutation::Coefficient => {
                let form = cases.first_mut().and_then(|(proved, ..)| proved.conditions.first_mut());
                if let Some(Condition::Bound(form)) = form {
                    form.terms[0].0 += 1;
                }
            }
            Mutation::Ends => {
                // A state in which the bounds of a case are known to fail.
                let fails = |proved: &ProvedCase, clause: &Vec<Vec<i64>>| {
                    let beyond = |(x, c): (&i64, &Condition)| {
                        matches!(c, Condition::Bound(form) if
                        x + form.constant > 0)
                    };
                    clause.iter().all(|v| v.iter().zip(&proved.conditions).any(beyond))
                };
                let position = cases.iter().find_map(|(proved, _, labels)| {
                    let (state, _) = labels.clauses.iter().find(|(state, list)| {
                        !ends[**state as usize] && list.iter().any(|clause| fails(proved, clause))
                    })?;
                    Some(*state)
                });
                if let Some(at) = position {
                    ends[at as usize] = true;
                }
            }
        }
        data.list_of(&cases, |text, (proved, start, labels)| text.case(proved, *start, labels));
        data.automaton(&next, &ends);
        data.sets(&sets);
        Ok(())
    }

    /// Writes the proof that the terminal position is not claimed, in misère play.
    fn write_terminal(&mut self, data: &mut DataText) -> Result<(), ExportError> {
        let mut proofs = Vec::new();
        if self.is_misere {
            if self.rule != Formula::Known(true) {
                return Err(ExportError::new(
                    "misere play is exported where any number may be taken",
                ));
            }
            let all = {
                let formulas =
                    [SignedFormula { naming: Box::new(|_| 0), truth: true, formula: self.claim() }];
                all_alternatives(&formulas, &mut 1)?
            };
            for alternative in all {
                let forms = [&[Form::variable(0)], &alternative[..]].concat();
                proofs.push(self.refutation(&forms, "that the end is not claimed was not shown")?);
            }
        }
        data.refutations(&proofs);
        Ok(())
    }
}
