//! `p-positions`: which positions of a game on heaps are lost for the mover, for all heap sizes.
//!
//! **Theorem.** Let M be the set of positions, each a tuple of natural numbers, the last of which
//! may be remembered, while the others are heaps; let p -> q mean that there is a move from p to q,
//! and S be a set of positions, the claimed ones. If every move lowers the sum of the heaps, and
//!
//! - (I) for no p, q in S is p -> q,
//! - (II) for every p in M outside S, but the ends in misere play, there is q in S with p -> q,
//! - (III) in misere play: no end (a position without a move) is in S,
//!
//! then S is the set of P-positions. *Proof*, by induction on the sum of the heaps of p: of all
//! options of p it is smaller. If p is in S, all its options are outside S by (I), so they are N,
//! or p is an end, which by (III) happens in normal play alone; so p is P. If p is not in S and has
//! an option in S, that is P, so p is N. Else p is, by (II), an end in misere play, and N. ∎
//!
//! *Hypotheses*, tested by [`rules::hypotheses`]: a move lowers the sum of the heaps (of a rule
//! file's moves those are taken that do, and what is remembered is no heap); in misere play, by
//! [`misere::hypotheses`], the ends are known: any number of tokens may be taken from a window,
//! every heap is in one, and heaps belong to both players, so that an end is a position without
//! tokens. Whatever symmetry
//! the claim is closed under, (I) is shown of all its images, unless the rules are known to have
//! that symmetry.
//!
//! *What stands for what.* Rules: [`rules`], written down anew; [`names`] and [`words`] are no part
//! of the kernel. S: x is in S iff for a symmetry σ of the board F(x_σ(0), x_σ(1), …) holds, F
//! being the claim. Nothing is searched here: every step stands in the file.
//!
//! *Images.* S_σ are the x with F(x_σ(0), …). The file lists some σ, the identity first, and for
//! each σ of the list and each generator g another one τ of it, such that S_gσ is in S_τ (F in the
//! one image and not in the other is refuted). Then S is the union of the listed images: if S_σ is
//! in their union, so is S_gσ, which is what goes to S_σ by g.
//!
//! *(I)* For each kind of move and all listed σ and τ, the rules with F_σ of the position and F_τ
//! of the option are refuted ([`cases`], [`refute`]). The position may be taken with σ = 1, as
//! symmetries keep the rules (of a rule file that is not known, and all are taken). *(III)* as (I),
//! with all heaps 0.
//!
//! *(II)* The file has parts. ([`part`]) Wherever a part's conditions hold, for some guesses, there
//! is q in S with p -> q, or p is in S, or p is no position, or an end in misere play.
//! ([`cover::Automaton::implies`]) Every word (digits of p) accepted from the part's first state
//! satisfies the part's conditions, for some guesses. ([`cover::Automaton::covers`]) Every word is
//! accepted from the first state of some part.
//!
//! Where a condition is on the moves, misère play is normal play of another game ([`misere`]).
//!
//! Format: docs/certificates.md.

pub(crate) mod cases;
#[cfg(test)]
mod components;
mod cover;
pub(crate) mod digits;
pub(crate) mod form;
pub(crate) mod formula;
pub(crate) mod misere;
pub(crate) mod names;
mod part;
mod refute;
pub(crate) mod rules;
mod walk;
mod words;

use crate::lines::Lines;
use crate::work::{Reason, Work, many, number};
use crate::{CheckReport, Envelope, Rejected};
use cases::{Cases, Signed};
use cover::Automaton;
use form::{Form, Variable};
use formula::{Formula, formula};
use refute::Refutation;
use rules::{Game, MoveKind};
use std::collections::HashSet;

/// Most lines that make states, sets or refutations; most images.
const LINES: usize = 1 << 23;
const IMAGES: usize = 5040;

/// Checks a certificate of this kind.
pub fn check(envelope: &Envelope<'_>, work: &Work<'_>) -> Result<CheckReport, Rejected> {
    let (misere, claim) = match envelope.claim.strip_prefix("in misere play ") {
        Some(claim) => (true, claim),
        None => (false, &*envelope.claim),
    };
    let game = names::game(envelope.game)?;
    if misere && game.condition().is_some() && envelope.body.starts_with("stuck ") {
        return misere::check(envelope, game, claim, work);
    }
    let game = game.played(misere)?;
    let claims = claims(&game, claim, work).map_err(|why| Rejected::new(4, why))?;
    let mut lines = Lines::new(envelope.body, envelope.body_line, LINES, work);
    let work = proof(&game, &claims, &mut lines).map_err(|why| lines.rejected(why))?;
    Ok(CheckReport { work, theorem: game.theorem(envelope.game, claim) })
}

/// Checks the body, board by board. Returns in words how much that was.
fn proof(game: &Game, claims: &[Option<Formula>], lines: &mut Lines<'_>) -> Result<String, Reason> {
    let work = lines.work;
    let mut refutations = Vec::new();
    for _ in 0..lines.count("refutations ")? {
        let line = lines.kept(16)?;
        refutations.push(Refutation::read(line).ok_or("this is no refutation")?);
    }
    let mut images = vec![Vec::new(); game.heaps + 1];
    let (mut cases, mut parts, mut sets) = (0, 0, 0);
    for heaps in game.boards() {
        if lines.after("heaps ") != Some(&heaps.to_string()) {
            return Err(format!("`heaps {heaps}` should stand here").into());
        }
        let board =
            Board { game, claims, refutations: &refutations, heaps, ways: game.ways(heaps)?, work };
        images[heaps] = board.read_images(lines)?;
        cases += board.no_move_inside(&images, lines)?;
        let before = work.bytes();
        let (more_parts, more_sets) = board.check_leads_inside(lines)?;
        work.release(before);
        parts += more_parts;
        sets += more_sets;
    }
    lines.end()?;
    Ok(format!(
        "{} impossible, {}, {}",
        many(cases, "case"),
        many(parts, "part"),
        many(sets, "set")
    ))
}

/// Reads the claims by number of heaps: `P iff FORMULA, up to symmetry`, with `N heaps: FORMULA; …`
/// where circles close up.
fn claims(game: &Game, text: &str, work: &Work<'_>) -> Result<Vec<Option<Formula>>, Reason> {
    let text = text.strip_prefix("P iff ").and_then(|text| text.strip_suffix(", up to symmetry"));
    let text = text.ok_or("the claim should be `P iff FORMULA, up to symmetry`")?;
    work.spend(64 * text.len())?;
    work.hold(64 * text.len())?;
    let letters = |m| ('a'..='z').take(m).map(String::from).collect::<Vec<_>>();
    let mut claims: Vec<Option<Formula>> = (0..=game.heaps).map(|_| None).collect();
    if !game.shrinks {
        claims[game.heaps] = Some(formula(text, &letters(game.heaps))?);
        return Ok(claims);
    }
    for one in text.split("; ") {
        let (m, text) = one.split_once(" heaps: ").ok_or("a claim should be `N heaps: FORMULA`")?;
        let m: usize = number(m).filter(|m| *m <= game.heaps).ok_or("no such number of heaps")?;
        if claims[m].replace(formula(text, &letters(m))?).is_some() {
            return Err("two claims for one number of heaps".into());
        }
    }
    Ok(claims)
}

/// Reads numbers with commas between; `-` for none.
fn list<T: std::str::FromStr>(text: &str) -> Option<Vec<T>> {
    if text == "-" { Some(Vec::new()) } else { text.split(',').map(number).collect() }
}

/// Positions of so many heaps.
struct Board<'c> {
    game: &'c Game,
    claims: &'c [Option<Formula>],
    refutations: &'c [Refutation],
    heaps: usize,
    ways: Vec<MoveKind>,
    work: &'c Work<'c>,
}

impl Board<'_> {
    /// Checks a tree: that these formulas and forms, and of each disjunction some form, cannot all
    /// hold, variables from `next` on being new.
    fn refuted(
        &self,
        tree: &str,
        said: Vec<Signed<'_>>,
        known: &[Form],
        disjunctions: &[Vec<Form>],
        next: usize,
    ) -> Result<(), Reason> {
        let Board { game, refutations, work, .. } = self;
        Cases { said, next, disjunctions, refutations, digits: &game.digits, work }
            .refuted(known, tree)
    }

    /// Reads images of which the claimed positions are the union: `image HEAPS` lines, then
    /// `within IMAGE K TREE` lines, which say that an image is within the K-th of them, until that
    /// is known of the images of the listed ones by all generators.
    fn read_images(&self, lines: &mut Lines<'_>) -> Result<Vec<Vec<usize>>, Reason> {
        let Some(claim) = &self.claims[self.heaps] else { return Ok(Vec::new()) };
        let mut listed: Vec<Vec<usize>> = Vec::new();
        while let Some(text) = lines.after("image ") {
            let fits = |image: &Vec<usize>| self.game.is_symmetry(image, self.heaps);
            let image = list(text).filter(|image| fits(image) && listed.len() < IMAGES);
            listed.push(image.ok_or("an image is a symmetry of the board")?);
        }
        if !listed.first().is_some_and(|first| first.is_sorted()) {
            return Err("the first image should be the identity".into());
        }
        let held = self.game.not_empty(0..self.heaps);
        let mut within: HashSet<Vec<usize>> = listed.iter().cloned().collect();
        while let Some(text) = lines.after("within ") {
            let mut words = text.splitn(3, ' ');
            let is_order = |image: &Vec<usize>| {
                image.len() == self.heaps && (0..self.heaps).all(|h| image.contains(&h))
            };
            let image = words.next().and_then(list).filter(is_order);
            let other = words.next().and_then(number::<usize>).and_then(|own| listed.get(own));
            let (image, other) = image.zip(other).ok_or("this should be `within IMAGE K TREE`")?;
            let both = vec![claim.signed(image.clone(), true), claim.signed(other.clone(), false)];
            self.refuted(words.next().unwrap_or(""), both, &held, &[], self.heaps)?;
            within.insert(image);
        }
        for image in &listed {
            for generator in self.game.generators(self.heaps) {
                self.work.spend(64 + 8 * self.heaps)?;
                if !within.contains(&image.iter().map(|h| generator[*h]).collect::<Vec<_>>()) {
                    return Err(format!("nothing is known of the images of {image:?}").into());
                }
            }
        }
        Ok(listed)
    }

    /// Checks conditions (I) and (III): a `move TREE` line for each kind of move, image of the
    /// position and image of the option, in misère play then `end TREE`. Returns how many there
    /// are.
    fn no_move_inside(
        &self,
        images: &[Vec<Vec<usize>>],
        lines: &mut Lines<'_>,
    ) -> Result<usize, Reason> {
        let (game, m) = (self.game, self.heaps);
        let Some(claim) = &self.claims[m] else { return Ok(0) };
        let mut cases = 0;
        let positions = if game.symmetric { &images[m][..1] } else { &images[m][..] };
        for way in &self.ways {
            let Some(target) = &self.claims[way.heaps.len()] else { continue };
            let next = m + way.lowered();
            let lower: Vec<Variable> = (m..next).collect();
            let option = game.option(way, &lower);
            let bounds = game.bounds(way, &option, m)?;
            for position in positions {
                for image in &images[way.heaps.len()] {
                    cases += 1;
                    let mut said = Vec::from_iter(game.signed(way, &option, true));
                    said.push(claim.signed(position.clone(), true));
                    said.push(target.signed(image.iter().map(|i| option[*i]).collect(), true));
                    let tree = lines.after("move").ok_or("`move` should stand here")?;
                    self.refuted(tree, said, &bounds, &[], next)?;
                }
            }
        }
        if game.misere && (m == 0 || !game.shrinks) {
            // The end is its own image under all symmetries.
            let said = vec![claim.signed((0..m).collect(), true)];
            let empty: Vec<Form> = (0..m).map(Form::variable).collect();
            let tree = lines.after("end").ok_or("`end` should stand here")?;
            self.refuted(tree, said, &empty, &[], m)?;
            cases += 1;
        }
        Ok(cases)
    }

    /// Checks condition (II). Returns how many parts and sets there are.
    fn check_leads_inside(&self, lines: &mut Lines<'_>) -> Result<(usize, usize), Reason> {
        let mut parts = Vec::new();
        while lines.rest.starts_with("part ") {
            self.work.spend(10_000)?;
            parts.push(self.read_part(lines)?);
        }
        if self.heaps == 0 {
            // One position: some part must hold of it without conditions.
            let holds = parts.iter().any(|part| part.free);
            return if holds {
                Ok((parts.len(), 0))
            } else {
                Err("the empty position has no part".into())
            };
        }
        let automaton = self.read_automaton(lines)?;
        for part in &parts {
            lines.at = part.line;
            let known = |state: &u32| (*state as usize) < automaton.next.len();
            if !known(&part.start)
                || !part.labels.iter().all(|group| group.clauses.keys().all(known))
            {
                return Err("there is no such state".into());
            }
            let before = self.work.bytes();
            part.labels.iter().try_for_each(|group| automaton.implies(part.start, group))?;
            self.work.release(before);
        }
        // Labels are the most of it, and done with.
        let starts: Vec<u32> = parts.into_iter().map(|part| part.start).collect();
        let sets = automaton.read_sets(lines)?;
        automaton.covers(&starts, &sets)?;
        Ok((starts.len(), sets.len()))
    }

    /// Reads `states N`, then a line for each state from 2 on: the states after digit 0 and digit
    /// 1, and `!` if it accepts.
    fn read_automaton(&self, lines: &mut Lines<'_>) -> Result<Automaton<'_>, Reason> {
        let count = lines.count("states ")?;
        let (heaps, digits) = (self.heaps, &self.game.digits);
        let mut automaton = Automaton {
            next: vec![[0; 2], [1; 2]],
            accepting: vec![false, true],
            heaps,
            digits,
            work: self.work,
        };
        for _ in 0..count {
            let line = lines.kept(4)?;
            let (rest, accepting) =
                line.strip_suffix(" !").map_or((line, false), |rest| (rest, true));
            let state = |text: &str| number::<u32>(text).filter(|s| (*s as usize) < count + 2);
            let states =
                rest.split_once(' ').and_then(|(zero, one)| Some([state(zero)?, state(one)?]));
            automaton.next.push(states.ok_or("two states should stand here")?);
            automaton.accepting.push(accepting);
        }
        Ok(automaton)
    }
}

impl Automaton<'_> {
    /// Reads `sets N`, then a line for each: states in ascending order.
    fn read_sets(&self, lines: &mut Lines<'_>) -> Result<Vec<Vec<u32>>, Reason> {
        let mut sets = Vec::new();
        for _ in 0..lines.count("sets ")? {
            // A number of one digit, with the space before it, becomes one of four bytes.
            let set: Option<Vec<u32>> = lines.kept(4)?.split(' ').map(number).collect();
            let known = |s: &u32| *s > 1 && (*s as usize) < self.next.len();
            let set = set.filter(|set| set.is_sorted_by(|a, b| a < b) && set.iter().all(known));
            sets.push(set.ok_or("states in ascending order should stand here")?);
        }
        Ok(sets)
    }
}
