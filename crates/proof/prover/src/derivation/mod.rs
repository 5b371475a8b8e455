//! Derivations: every step of a proof on P-positions, as the checker verifies them
//! (crates/proof/check, p_positions), found here and written down.
//!
//! The prover knows the conditions of a part and how its option follows. This module finds the data
//! that spares the checker a search: why the conditions imply that the option exists and is
//! claimed, why no move leads from a claimed position to a claimed one, and what holds in each
//! state of an automaton. These data are sums of forms with multipliers, short walks, and labels.

mod cases;
mod farkas;
mod form;
mod labels;
mod parts;
mod refute;

use crate::certificate::is_written;
use crate::cover::Cover;
use crate::game::{MoveKind, MoveSystem};
use crate::prove::ProofCase;
use bouton_automata::effort::Undecided;
use bouton_automata::linear_form::Variable;
pub use bouton_automata::linear_form::{Base, LinearForm};
use bouton_automata::numeration::Numeration;
use bouton_core::{Claim, Meter};
use cases::{Cases, Formula, RefutationTable, Signed};
use form::Digits;
pub use labels::{Condition, Labels, Vector};
pub use refute::{Refutation, Step};
use std::fmt::Write;
use std::rc::Rc;

/// Writes derivations down.
pub(crate) struct Deriver<'g> {
    game: &'g MoveSystem,
    /// The claims, one a board, as the checker reads them; none where nothing is claimed.
    claims: Rc<[Option<Formula>]>,
    /// The conditions on moves, one a kind.
    rules: Rc<[Option<Formula>]>,
    /// Whether symmetries are known to keep the moves: not of a rule file.
    symmetric: bool,
    digits: Rc<Digits>,
    images: Vec<Vec<Vec<usize>>>,
    table: RefutationTable,
}

/// Positions of this many heaps.
struct Board<'g> {
    number: usize,
    /// How many numbers a position has, and how many of them, the last, are no heaps but
    /// remembered.
    heaps: usize,
    memory: usize,
    positive: bool,
    claim: &'g Claim,
    symmetries: &'g [Vec<usize>],
}

/// Most images of one claim, most that are looked at to see what an image says.
const IMAGES: usize = 5040;
const SAMPLES: usize = 60;
const LOOKED: usize = 20_000;
const SMALL_SAMPLE: u64 = 6;

/// Returns why forms cannot all be at most 0, if that is found: by multipliers, or else by
/// eliminations and a walk.
pub fn refutation(forms: &[LinearForm], numeration: Numeration) -> Option<Refutation> {
    Refutation::quick(forms).or_else(|| Refutation::thorough(forms, &Digits::new(numeration)))
}

/// Adds a line.
pub(crate) fn line(body: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing into a string does not fail.
    let _ = writeln!(body, "{text}");
}

/// Returns a list with something between.
pub(crate) fn joined<T: std::fmt::Display>(list: &[T], between: &str) -> String {
    list.iter().map(T::to_string).collect::<Vec<_>>().join(between)
}

fn not_found(what: &str) -> Undecided {
    Undecided::Derivation(what.to_owned())
}

/// Returns the option's heaps as variables, these being the lower ones.
fn option(way: &MoveKind, lower: &[Variable]) -> Vec<Variable> {
    let mut lower = lower.iter().copied();
    way.heaps
        .iter()
        .map(|(h, low)| if *low { lower.next() } else { None }.unwrap_or(*h as Variable))
        .collect()
}

impl Board<'_> {
    fn held(&self, heaps: impl Iterator<Item = Variable>) -> Option<Vec<LinearForm>> {
        let one = LinearForm::constant(1);
        heaps.filter(|_| self.positive).map(|v| one.plus(&LinearForm::variable(v), -1)).collect()
    }

    /// Returns whether this number is a heap: what is remembered may grow, and is no token.
    fn is_heap(&self, h: usize) -> bool {
        h + self.memory < self.heaps
    }

    /// Returns the option's tokens without the position's.
    fn rest(&self, option: &[Variable]) -> Option<LinearForm> {
        let mut tokens = option.iter().take(option.len() - self.memory);
        let sum = tokens
            .try_fold(LinearForm::default(), |sum, q| sum.plus(&LinearForm::variable(*q), 1))?;
        (0..(self.heaps - self.memory) as Variable)
            .try_fold(sum, |sum, p| sum.plus(&LinearForm::variable(p), -1))
    }

    fn bounds(&self, way: &MoveKind, option: &[Variable]) -> Option<Vec<LinearForm>> {
        let mut forms = self.held((0..self.heaps as Variable).chain(option.iter().copied()))?;
        let is_lower = |(h, low): &(usize, bool)| *low && self.is_heap(*h);
        for ((h, _), q) in way.heaps.iter().zip(option).filter(|(heap, _)| is_lower(heap)) {
            forms.push(LinearForm::variable(*q).plus(&LinearForm::variable(*h as Variable), -1)?);
        }
        forms.push(self.rest(option)?.plus(&LinearForm::constant(1), 1)?);
        Some(forms)
    }

    /// Returns some claimed positions, small ones.
    fn samples(&self, binds: usize) -> Vec<Vec<u64>> {
        let least = u64::from(self.positive);
        let mut found = Vec::new();
        let mut p = vec![least; self.heaps];
        for _ in 0..LOOKED {
            // What binds many variables is tried value by value, which large heaps make long.
            if binds > 2 && p.iter().any(|x| *x > SMALL_SAMPLE) {
                break;
            }
            if self.claim.holds(&p) == Ok(true) {
                found.push(p.clone());
            }
            // The next one, by the greatest heap.
            let most = p.iter().copied().max().unwrap_or(least);
            match (0..p.len()).find(|i| p[*i] < most) {
                Some(i) => {
                    p[i] += 1;
                    p[..i].fill(least);
                }
                None if p.is_empty() => break,
                None => {
                    p.fill(least);
                    p[self.heaps - 1] = most + 1;
                }
            }
            if found.len() >= SAMPLES {
                break;
            }
        }
        found
    }
}

impl<'g> Deriver<'g> {
    /// Returns a writer for a game that the certificate calls by this name.
    pub fn new(
        name: &str,
        game: &'g MoveSystem,
        claims: &[Claim],
        numeration: Numeration,
    ) -> Result<Deriver<'g>, Undecided> {
        let names = |n: usize| ('a'..='z').take(n).map(String::from).collect::<Vec<_>>();
        let mut formulas = Vec::new();
        for (board, claim) in game.boards.iter().zip(claims) {
            let nothing =
                game.boards.len() > 1 && claim.formula().root == bouton_core::Node::Constant(false);
            let read = || {
                Formula::read(&claim.to_string(), &names(board.heaps))
                    .ok_or_else(|| not_found("a formula"))
            };
            formulas.push(if nothing { None } else { Some(read()?) });
        }
        let mut rules = Vec::new();
        for way in &game.ways {
            let names: Vec<String> =
                (0..way.window.len()).flat_map(|i| [format!("p{i}"), format!("q{i}")]).collect();
            let read =
                |text: String| Formula::read(&text, &names).ok_or_else(|| not_found("a formula"));
            rules.push(
                way.condition.as_ref().map(|condition| read(condition.to_string())).transpose()?,
            );
        }
        Ok(Deriver {
            game,
            claims: formulas.into(),
            rules: rules.into(),
            symmetric: !is_written(name),
            digits: Rc::new(Digits::new(numeration)),
            images: vec![Vec::new(); game.boards.len()],
            table: RefutationTable::default(),
        })
    }

    /// Writes all that a certificate says of one board but for the cover.
    pub fn board(
        &mut self,
        body: &mut String,
        number: usize,
        claim: &Claim,
        parts: &[(&ProofCase, u32)],
        cover: &Cover,
        meter: &mut Meter,
    ) -> Result<(), Undecided> {
        let rules = &self.game.boards[number];
        let (heaps, positive) = (rules.heaps, rules.positive);
        let memory = self.game.memory;
        let board = Board { number, heaps, memory, positive, claim, symmetries: &rules.symmetries };
        if self.claims[number].is_some() {
            self.images(body, &board, meter)?;
            self.no_move_inside(body, &board, meter)?;
        }
        for (part, start) in parts {
            meter.poll(0)?;
            let mut text = String::new();
            self.part(&mut text, &board, part, cover, *start)
                .ok_or_else(|| not_found("that a part's conditions imply its move"))?;
            body.push_str(&text);
        }
        Ok(())
    }

    /// Returns the refutations that the trees name.
    pub fn refutations(self) -> String {
        let mut text = format!("refutations {}\n", self.table.lines.len());
        self.table.lines.iter().for_each(|one| line(&mut text, format_args!("{one}")));
        text
    }

    fn tree(&mut self, said: Vec<Signed<'_>>, known: &[LinearForm], next: usize) -> Option<String> {
        let (next, digits) = (next as Variable, &self.digits);
        let cases = Cases { said, next, disjunctions: &[], digits };
        cases.tree(known, &mut self.table)
    }

    /// Images that say something of their own, and that others do not.
    fn images(
        &mut self,
        body: &mut String,
        board: &Board<'_>,
        meter: &mut Meter,
    ) -> Result<(), Undecided> {
        let n = board.heaps;
        let place = |image: &[usize]| image.iter().map(|h| *h as Variable).collect::<Vec<_>>();
        let held = board.held(0..n as Variable).ok_or_else(|| not_found("an image"))?;
        let claims = Rc::clone(&self.claims);
        let claim = claims[board.number].as_ref().ok_or_else(|| not_found("a claim"))?;
        let samples = if n > 1 { board.samples(claim.bound()) } else { Vec::new() };
        let mut generators: Vec<Vec<usize>> = vec![
            (0..n).map(|i| (i + 1) % n).collect(),
            (0..n).rev().collect(),
            (0..n).map(|i| if i < 2 && n > 1 { 1 - i } else { i }).collect(),
        ];
        // Where the claim is taken as it stands, others are tried, too.
        generators.retain(|one| board.symmetries.len() < 2 || board.symmetries.contains(one));
        generators.dedup();
        let mut listed: Vec<Vec<usize>> = vec![(0..n).collect()];
        let mut within: Vec<(Vec<usize>, usize, String)> = Vec::new();
        let mut at = 0;
        while at < listed.len() {
            'generators: for generator in &generators {
                meter.poll(0)?;
                let turned: Vec<usize> = listed[at].iter().map(|h| generator[*h]).collect();
                if listed.contains(&turned) || within.iter().any(|one| one.0 == turned) {
                    continue;
                }
                for (number, other) in listed.iter().enumerate() {
                    // A sample in the one image and not in the other settles it.
                    let differs = |sample: &Vec<u64>| {
                        let mut p = vec![0; n];
                        turned.iter().zip(sample).for_each(|(h, x)| p[*h] = *x);
                        let seen: Vec<u64> = other.iter().map(|h| p[*h]).collect();
                        board.claim.holds(&seen) == Ok(false)
                    };
                    if samples.iter().any(differs) {
                        continue;
                    }
                    let both =
                        vec![claim.signed(place(&turned), true), claim.signed(place(other), false)];
                    if let Some(tree) = self.tree(both, &held, n) {
                        within.push((turned, number, tree));
                        continue 'generators;
                    }
                }
                if board.symmetries.len() > 1 {
                    listed.push(turned);
                    if listed.len() > IMAGES {
                        return Err(not_found("so many images of a claim"));
                    }
                }
            }
            at += 1;
        }
        let list =
            |image: &[usize]| if image.is_empty() { "-".to_owned() } else { joined(image, ",") };
        listed.iter().for_each(|image| line(body, format_args!("image {}", list(image))));
        within.iter().for_each(|(image, number, tree)| {
            line(body, format_args!("within {} {number}{tree}", list(image)));
        });
        self.images[board.number] = listed;
        Ok(())
    }

    /// Conditions I and III.
    fn no_move_inside(
        &mut self,
        body: &mut String,
        board: &Board<'_>,
        meter: &mut Meter,
    ) -> Result<(), Undecided> {
        let missing = || not_found("that no move leads from a claimed position to one");
        let (game, n) = (self.game, board.heaps);
        let (claims, rules) = (Rc::clone(&self.claims), Rc::clone(&self.rules));
        let claim = claims[board.number].as_ref().ok_or_else(missing)?;
        let images = self.images.clone();
        let positions =
            if self.symmetric { &images[board.number][..1] } else { &images[board.number][..] };
        for (number, way) in
            game.ways.iter().enumerate().filter(|(_, way)| way.from == board.number)
        {
            let Some(target) = &claims[way.to] else { continue };
            let count = way.heaps.iter().filter(|heap| heap.1).count();
            let lower: Vec<Variable> = (n as Variable..).take(count).collect();
            let option = option(way, &lower);
            let bounds = board.bounds(way, &option).ok_or_else(missing)?;
            for position in positions {
                for image in &images[way.to] {
                    meter.poll(0)?;
                    let mut said = Vec::new();
                    if let Some(rule) = &rules[number] {
                        let names =
                            way.window.iter().flat_map(|h| [*h as Variable, option[*h]]).collect();
                        said.push(rule.signed(names, true));
                    }
                    said.push(
                        claim.signed(position.iter().map(|h| *h as Variable).collect(), true),
                    );
                    said.push(target.signed(image.iter().map(|i| option[*i]).collect(), true));
                    let tree = self.tree(said, &bounds, n + count).ok_or_else(missing)?;
                    line(body, format_args!("move{tree}"));
                }
            }
        }
        if game.misere && (n == 0 || !board.positive) {
            let heaps = || 0..n as Variable;
            let empty: Vec<LinearForm> = heaps().map(LinearForm::variable).collect();
            let tree = self.tree(vec![claim.signed(heaps().collect(), true)], &empty, n);
            line(
                body,
                format_args!(
                    "end{}",
                    tree.ok_or_else(|| not_found("that the end is not claimed"))?
                ),
            );
        }
        Ok(())
    }
}
