//! The whole: from a certificate to a file for Coq.

use crate::NotCovered;
use crate::certificate::{Body, Condition, Stands};
use crate::cover::{Labels, Machine};
use crate::form::{Form, Variable};
use crate::formula::{Formula, Said, all_alternatives};
use crate::game::Game;
use crate::part::{Proved, in_order, in_window, show};
use crate::refute::{Known, Refutation};
use crate::write::Text;
use bouton_check::Envelope;
use bouton_rules::Formula as Source;
use rustc_hash::FxHashMap;

/// What is left out of an export for a test to see that Coq rejects it.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spoiled {
    /// Nothing.
    Nothing,
    /// The last part is dropped.
    Part,
    /// One transition of the automaton leads to another state.
    Transition,
    /// One coefficient of a condition is one more.
    Coefficient,
    /// Numbers may end in a state where a part's conditions do not hold.
    Ends,
}

/// A Coq file for an accepted certificate of kind `p-positions`. It is accepted by `coqc` with the library of the folder `coq`.
pub fn export(certificate: &str) -> Result<String, NotCovered> {
    if let Err(rejected) = bouton_check::check(certificate) {
        return Err(NotCovered::new(format!("the certificate is not accepted: {rejected}")));
    }
    spoiled(certificate, None, Spoiled::Nothing)
}

struct Export {
    game: Game,
    claim: Formula,
    images: Vec<Vec<usize>>,
    images_text: Option<String>,
    misere: bool,
    refutations: Known,
    /// Whether what is not shown is written nevertheless.
    forced: bool,
}

/// As [`export`], for a certificate that nobody has accepted, with another claim in its place, or something changed: for controls.
#[doc(hidden)]
pub fn spoiled(certificate: &str, claim: Option<&str>, how: Spoiled) -> Result<String, NotCovered> {
    let envelope = Envelope::open(certificate).map_err(|rejected| NotCovered::new(rejected.to_string()))?;
    if envelope.kind != "p-positions" {
        return Err(NotCovered::new(format!("proofs of kind {} are not exported", envelope.kind)));
    }
    let broken = || NotCovered::new("the certificate cannot be read");
    let (misere, statement) = match envelope.claim.strip_prefix("in misere play ") {
        Some(rest) => (true, rest),
        None => (false, &*envelope.claim),
    };
    let text = statement
        .strip_prefix("P iff ")
        .and_then(|rest| rest.strip_suffix(", up to symmetry"))
        .ok_or_else(broken)?;
    let game = Game::read(envelope.game)?;
    let n = game.heaps;
    let letters: Vec<String> = ('a'..='z').take(n).map(String::from).collect();
    let source = Source::parse_over(claim.unwrap_or(text), &letters).map_err(|_| broken())?;
    let formula = Formula::read(&source)?;
    let body = Body::read(envelope.body, n)?;
    let identity: Vec<usize> = (0..n).collect();
    let mut export = Export {
        game,
        claim: formula,
        images: vec![identity.clone()],
        images_text: None,
        misere,
        refutations: Known::default(),
        forced: claim.is_some() || how != Spoiled::Nothing,
    };
    let generators = export.game.generators();
    let mut invariant = true;
    for image in &generators {
        invariant = invariant && export.implied(&identity, image)?.is_some();
    }
    if !invariant {
        let (images, text) = export.game.images();
        if images.is_empty() {
            return Err(NotCovered::new("so many images of a claim are not exported"));
        }
        (export.images, export.images_text) = (images, Some(text));
    }
    let mut data = Text::default();
    export.inside(&mut data)?;
    export.lead(&mut data, &body, how)?;
    export.end(&mut data)?;
    Ok(export.file(envelope.game, &envelope.claim, &data))
}

impl Export {
    /// The claim in one image and not in another: refuted, if so.
    fn implied(&mut self, from: &[usize], to: &[usize]) -> Result<Option<Vec<Refutation>>, NotCovered> {
        if from == to {
            return Ok(Some(Vec::new()));
        }
        if !self.claim.quantifier_free() {
            return Ok(None);
        }
        let n = self.game.heaps as Variable;
        let own = |i: Variable| i;
        let said = [
            Said { naming: in_order(n, n, &own, from), truth: true, formula: &self.claim },
            Said { naming: in_order(n, n, &own, to), truth: false, formula: &self.claim },
        ];
        let Ok(all) = all_alternatives(&said, &mut (n + 1)) else { return Ok(None) };
        if all.len() > 5000 {
            return Ok(None);
        }
        Ok(all.iter().map(|forms| self.refutations.find(forms)).collect())
    }

    fn refuted(&mut self, forms: &[Form], what: &str) -> Result<Refutation, NotCovered> {
        match self.refutations.find(forms) {
            Some(found) => Ok(found),
            None if self.forced => Ok(Refutation::default()),
            None => Err(NotCovered::new(what)),
        }
    }

    /// Condition I.
    fn inside(&mut self, data: &mut Text) -> Result<(), NotCovered> {
        let n = self.game.heaps as Variable;
        let images = self.images.clone();
        let mut reduced: Vec<Vec<usize>> = Vec::new();
        let mut reduction: Vec<(Vec<usize>, Vec<Refutation>)> = Vec::new();
        'images: for image in &images {
            for known in &reduced {
                if let Some(proof) = self.implied(image, known)? {
                    reduction.push((known.clone(), proof));
                    continue 'images;
                }
            }
            reduced.push(image.clone());
            reduction.push((image.clone(), Vec::new()));
        }
        let firsts = if self.symmetric() { vec![(0..self.game.heaps).collect()] } else { images };
        let mut cases: Vec<Vec<Refutation>> = Vec::new();
        for window in self.game.windows.clone() {
            let zero = n + window.len() as Variable;
            let option = |i: Variable| {
                let at = window.iter().position(|h| *h as Variable == i);
                at.map_or(i, |at| n + at as Variable)
            };
            let difference = |i: Variable| Form::variable(option(i)).minus(&Form::variable(i));
            let total = (0..n).rev().fold(Form::default(), |sum, i| difference(i).plus(&sum));
            let mut lowered = vec![Form::constant(1).plus(&total)];
            lowered.extend(window.iter().map(|h| difference(*h as Variable)));
            for first in &firsts {
                for image in &reduced {
                    let own = |i: Variable| i;
                    let all = {
                        let said = [
                            Said {
                                naming: in_window(n, zero, &option, &window),
                                truth: true,
                                formula: &self.game.rule,
                            },
                            Said {
                                naming: in_order(n, zero, &own, first),
                                truth: true,
                                formula: &self.claim,
                            },
                            Said {
                                naming: in_order(n, zero, &option, image),
                                truth: true,
                                formula: &self.claim,
                            },
                        ];
                        all_alternatives(&said, &mut (zero + 1))?
                    };
                    let mut proofs = Vec::new();
                    for alternative in all {
                        let forms = [&lowered[..], &alternative[..]].concat();
                        proofs.push(self.refuted(&forms, "that no move leads from a claimed position to one was not shown by sums and walks")?);
                    }
                    cases.push(proofs);
                }
            }
        }
        data.all(&reduced, |text, image| text.places(image));
        data.all(&reduction, |text, (image, proofs)| {
            text.places(image);
            text.refutations(proofs);
        });
        data.all(&cases, |text, proofs| text.refutations(proofs));
        Ok(())
    }

    /// Whether the position may be taken in its first image: what coq/Games.v calls symmetric.
    fn symmetric(&self) -> bool {
        let n = self.game.heaps;
        let windows = &self.game.windows;
        let to_windows = |s: &Vec<usize>| {
            windows
                .iter()
                .all(|w| windows.iter().any(|v| (0..n).all(|i| !w.contains(&s[i]) || v.contains(&i))))
        };
        let closed = |s: &Vec<usize>, t: &Vec<usize>| {
            self.images.iter().any(|u| u.iter().map(|i| s[*i]).eq(t.iter().copied()))
        };
        self.game.rule == Formula::Known(true)
            && self.images.iter().all(to_windows)
            && self.images.iter().all(|s| self.images.iter().all(|t| closed(s, t)))
    }

    /// Condition II.
    fn lead(&mut self, data: &mut Text, body: &Body, how: Spoiled) -> Result<(), NotCovered> {
        let mut next = vec![[0; 2], [1; 2]];
        let mut ends = vec![false, true];
        for (to, accepts) in &body.states {
            next.push(*to);
            ends.push(*accepts);
        }
        let machine = Machine { next, ends, heaps: self.game.heaps };
        let mut parts: Vec<(Proved, u32, Labels)> = Vec::new();
        for part in &body.parts {
            if part.stands == Stands::Over && !self.misere {
                return Err(NotCovered::new("the certificate cannot be read"));
            }
            let proved = match show(&self.game, &self.claim, &self.images, part, &mut self.refutations) {
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
            if self.game.rule != Formula::Known(true) {
                return Err(NotCovered::new("misere play is exported where any number may be taken"));
            }
            let all = {
                let said = [Said { naming: Box::new(|_| 0), truth: true, formula: &self.claim }];
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

    fn file(&self, game: &str, statement: &str, data: &Text) -> String {
        let n = self.game.heaps;
        let letters: Vec<String> = ('a'..='z').take(n).map(String::from).collect();
        let claim_names = |i: usize| letters.get(i).cloned().unwrap_or_else(|| format!("x{}", i - n));
        let k = self.game.windows.first().map_or(0, Vec::len);
        let rule_names = |i: usize| match i {
            i if i < k => format!("p{i}"),
            i if i < 2 * k => format!("q{}", i - k),
            i => format!("x{}", i - 2 * k),
        };
        let any = self.game.rule == Formula::Known(true);
        let list = |letter: char| (0..k).map(|i| format!("{letter}{i}")).collect::<Vec<_>>().join("; ");
        let windows = &self.game.windows_text;
        let rule = if any { "any_number".to_owned() } else { "rule".to_owned() };
        let moves = match &self.game.move_text {
            Some(text) => format!("({text})"),
            None => format!("(moves {windows} {rule})"),
        };
        let kind = if self.misere { "misere_P" } else { "P_position" };
        let right = match &self.images_text {
            Some(images) => format!("up_to {images} claim p"),
            None => "claim p".to_owned(),
        };
        let images = self.images_text.clone().unwrap_or_else(|| format!("[seq 0 {n}]"));
        let rule_definition = if any {
            String::new()
        } else {
            format!(
                "\n(** What else holds of the heaps of a window before and after a move. *)\nDefinition rule (p q : position) : Prop :=\n  match p, q with [{}], [{}] => {} | _, _ => False end.\n",
                list('p'),
                list('q'),
                self.game.rule.readable(&rule_names)
            )
        };
        let proved = if self.misere { "proved_misere" } else { "proved" };
        let said = if any { "any_number_said _" } else { "rule_said" };
        let rule_lemma = if any {
            String::new()
        } else {
            format!(
                "Lemma rule_said w p q : In w {windows} ->\n  (rule (heaps w p) (heaps w q) <-> fden {} (at_ (heaps w p ++ heaps w q))).\nProof. revert w p q. rule_reads. Qed.\n\n",
                self.game.rule.data()
            )
        };
        let finish = match &self.images_text {
            Some(_) => "exact (H p L).".to_owned(),
            None => format!("rewrite <- (up_to_one {n} claim p L). exact (H p L)."),
        };
        format!(
            "(** {game}: {statement}.\n    What the words mean stands in Positions.v, of the same folder as the rest of the library. *)\n\n\
             From Bouton Require Import Positions Formulas Games Data Theorems.\n\
             From Coq Require Import List NArith.\nImport ListNotations.\nOpen Scope N_scope.\n{rule_definition}\n\
             Definition claim (p : position) : Prop :=\n  match p with [{}] => {} | _ => False end.\n\n\
             Definition data : list digits := {}%digits.\n\n{rule_lemma}\
             Theorem theorem : forall p, length p = {n}%nat ->\n  ({kind} {moves} p <-> {right}).\n\
             Proof.\n  assert (H : forall p, length p = {n}%nat -> ({kind} {moves} p <-> up_to {images} claim p)).\n  \
             {{ apply ({proved} {n} {windows} {rule} {} claim {} {images} data);\n      \
             [vm_cast_no_check (eq_refl true)|exact ({said})|claim_reads]. }}\n  \
             intros p L. {finish}\nQed.\n\nPrint Assumptions theorem.\n",
            letters.join("; "),
            self.claim.readable(&claim_names),
            data.list(),
            self.game.rule.data(),
            self.claim.data(),
        )
    }
}
