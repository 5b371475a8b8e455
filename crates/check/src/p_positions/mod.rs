//! `p-positions`: which positions of a game on heaps are lost for the mover, for all heap sizes.
//!
//! **Theorem.** Let M be the set of positions, each a tuple of natural numbers; p → q the moves; S ⊆ M the claimed positions. If
//! every move lowers the sum of the tuple, and
//!
//! - (I) for no p, q ∈ S is p → q,
//! - (II) for every p ∈ M ∖ S, but the ends in misere play, there is q ∈ S with p → q,
//! - (III) in misere play: no end (a position without a move) is in S,
//!
//! then S is the set of P-positions. *Proof*, by induction on the sum of p: all options of p have smaller sums. If p ∈ S, all
//! its options are outside S by (I), so they are N, or p is an end, which by (III) happens in normal play alone; so p is P. If p ∉ S and p
//! has an option in S, that is P, so p is N. Else p is an end in misere play, and N. ∎
//!
//! *What stands for what.* Rules: [`rules`], written down anew; q ≤ p in the heaps of a window, fewer tokens in all, and a formula over both. S:
//! x ∈ S iff for a symmetry σ of the board F(x_σ(0), x_σ(1), …), F = A₁ ∨ … ∨ A_r the claim as alternatives ([`normal`]): conjunctions of forms
//! = 0, ≤ 0, or divisible by m, closed under ∃ over ℕ. Forms are sums of c·x, c·(x ⊕ y ⊕ …) and c·shift(x).
//!
//! *(I)* ([`impossible`]), with nothing from the file. Let T be the conjunction of the rules of one window, A_i(p) and A_j(q_σ). If p → q in S, some T
//! holds; p may be taken with σ = 1, as symmetries keep the rules (of a rule file that is not known, and all σ are taken for p). From T
//! follow T₁, T₂, …, by equations put in and lower bounds added to upper ones; the last is read digit by digit, and no word satisfies it.
//!
//! *(II)*. Part i of the file has a set U_i of words (digits of p) that its automaton accepts from a state s_i, conditions C_i, and stands for a kind
//! of move and a σ, or for p ∈ S, or for what is no position. ([`witness`]) C_i(p, g) for some g ∈ ℕ^k implies: there is a q with p → q, q_σ ∈ S.
//! ([`cover::Automaton::implies`]) for w ∈ U_i there is g with C_i(w, g). ([`cover::Automaton::covers`]) every word is in ∪ U_i: a
//! family 𝓕 of sets of states is given such that every X ∈ 𝓕 has an accepting member, and for X ∈ 𝓕 and each round of digits d the
//! set X·d contains a member of 𝓕; so does {s_i}. By induction on its rounds each word leads {s_i} into a superset of some X ∈ 𝓕.
//! *(III)* as (I).
//!
//! Format: docs/certificates.md.

#[cfg(test)]
mod components;
mod cover;
mod digits;
mod formula;
mod impossible;
mod linear;
mod normal;
mod rules;
mod witness;

use crate::work::{Reason, Work, number};
use crate::{Envelope, Rejected, Shown};
use cover::Automaton;
use formula::{Formula, formula};
use rules::{Game, HEAPS};
use witness::{Names, Part, Stands};

/// Most lines that make states or sets.
const LINES: usize = 1 << 23;

/// Checks a certificate of this kind.
pub fn check(envelope: &Envelope<'_>, work: &mut Work<'_>) -> Result<Shown, Rejected> {
    let mut game = Game::read(envelope.game)?;
    let claim = match envelope.claim.strip_prefix("in misere play ") {
        Some(claim) => {
            game.play_misere().map_err(|why| Rejected::new(4, why))?;
            claim
        }
        None => &envelope.claim,
    };
    let claims = claims(&game, claim).map_err(|why| Rejected::new(4, why))?;
    let mut cases = 0;
    let before = work.bytes();
    for m in game.boards() {
        cases += impossible::no_move_inside(&game, &claims, m, work)
            .and_then(|cases| Ok(cases + impossible::no_end_inside(&game, &claims, m, work)?))
            .map_err(|why| Rejected::new(4, why.about(format_args!("{m} heaps"))))?;
    }
    work.release(before);
    let mut lines = Lines { rest: envelope.body, number: envelope.body_line };
    let (mut parts, mut sets) = (0, 0);
    for m in game.boards() {
        let before = work.bytes();
        let (more_parts, more_sets) = board(&game, &claims, m, &mut lines, work)?;
        work.release(before);
        parts += more_parts;
        sets += more_sets;
    }
    if !lines.rest.is_empty() {
        return Err(lines.wrong("nothing more was expected"));
    }
    Ok(Shown {
        work: format!("{cases} cases impossible, {parts} parts, {sets} sets"),
        theorem: format!(
            "{} For all heap sizes, the P-positions are exactly the positions for which {} holds, {}.",
            game.told(),
            if game.shrinks {
                "the formula for their number of heaps (none if none stands)"
            } else {
                "the formula"
            },
            game.closed()
        ),
    })
}

/// The claims by number of heaps: `P iff FORMULA, up to symmetry`, with `N heaps: FORMULA; …` where circles close up.
fn claims(game: &Game, text: &str) -> Result<Vec<Option<Formula>>, Reason> {
    let text = text.strip_prefix("P iff ").and_then(|text| text.strip_suffix(", up to symmetry"));
    let text = text.ok_or("the claim should be `P iff FORMULA, up to symmetry`")?;
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

fn letters(m: usize) -> Vec<String> {
    ('a'..='z').take(m).map(String::from).collect()
}

/// The lines of the body.
struct Lines<'t> {
    rest: &'t str,
    number: usize,
}

impl<'t> Lines<'t> {
    fn peek(&self) -> &'t str {
        self.rest.split_once('\n').map_or(self.rest, |(line, _)| line)
    }

    fn take(&mut self) -> &'t str {
        let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        self.rest = rest;
        self.number += 1;
        line
    }

    /// The rest of the next line, if it starts so.
    fn after(&mut self, start: &str) -> Option<&'t str> {
        let rest = self.peek().strip_prefix(start)?;
        self.take();
        Some(rest)
    }

    /// A rejection at the line that comes next.
    fn wrong(&self, reason: impl Into<Reason>) -> Rejected {
        Rejected::new(self.number, reason)
    }
}

fn list<T: std::str::FromStr>(text: &str, between: char) -> Option<Vec<T>> {
    if text == "-" { Some(Vec::new()) } else { text.split(between).map(number).collect() }
}

/// Condition II for positions of `m` heaps; how many parts and sets.
fn board(
    game: &Game,
    claims: &[Option<Formula>],
    m: usize,
    lines: &mut Lines<'_>,
    work: &mut Work<'_>,
) -> Result<(usize, usize), Rejected> {
    if lines.after("heaps ") != Some(&m.to_string()) {
        return Err(lines.wrong(format!("`heaps {m}` should stand here")));
    }
    let mut parts = Vec::new();
    while lines.peek().starts_with("part ") {
        let line = lines.number;
        work.spend(10_000).map_err(|why| Rejected::new(line, why))?;
        let (part, start) = part(game, claims, m, lines, work)?;
        let before = work.bytes();
        part.check(game, claims, m, work).map_err(|why| Rejected::new(line, why))?;
        work.release(before);
        parts.push((line, part, start));
    }
    if m == 0 {
        // One position: some part must hold of it without conditions.
        let plain = |part: &Part| part.conditions.is_empty() && part.guesses.is_empty();
        let covered = parts.iter().any(|(_, part, _)| plain(part));
        return covered
            .then_some((parts.len(), 0))
            .ok_or_else(|| lines.wrong("the empty position has no part"));
    }
    let automaton = automaton(game, m, lines, work)?;
    for (line, part, start) in &parts {
        if *start as usize >= automaton.next.len() {
            return Err(Rejected::new(*line, "there is no such state"));
        }
        let before = work.bytes();
        automaton.implies(*start, part, work).map_err(|why| Rejected::new(*line, why))?;
        work.release(before);
    }
    let sets = sets(&automaton, lines, work)?;
    let starts: Vec<u32> = parts.iter().map(|part| part.2).collect();
    automaton.covers(&starts, &sets, work).map_err(|why| lines.wrong(why))?;
    Ok((parts.len(), sets.len()))
}

/// A part and its automaton's first state.
fn part(
    game: &Game,
    claims: &[Option<Formula>],
    m: usize,
    lines: &mut Lines<'_>,
    work: &mut Work<'_>,
) -> Result<(Part, u32), Rejected> {
    let wrong = lines.wrong(
        "a part is `take WINDOW [gone HEAPS] image HEAPS`, `stay image HEAPS`, `empty H`, `neighbours H` or `over`",
    );
    let stands = stands(game, m, lines.take()).ok_or(wrong)?;
    let bound = match &stands {
        Stands::Take(way, _) => claims[way.heaps.len()].as_ref(),
        _ => claims[m].as_ref(),
    }
    .map_or(0, |claim| claim.bound);
    let names = Names::new(m, bound, game.bound());
    let mut part = Part { stands, values: Vec::new(), guesses: Vec::new(), conditions: Vec::new() };
    loop {
        let line = lines.number;
        let slip = |why: Reason| Rejected::new(line, why);
        if let Some(text) = lines.after("let ") {
            let value = names.value(text, work).map_err(slip)?;
            if usize::from(value.variable) < m {
                return Err(slip("the position's heaps have no value".into()));
            }
            part.values.push(value);
        } else if let Some(text) = lines.after("guess ") {
            let v = names.variable(text).map_err(slip)?;
            if usize::from(v) < m || part.guesses.contains(&v) || part.guesses.len() == HEAPS {
                return Err(slip("this cannot be guessed".into()));
            }
            part.guesses.push(v);
        } else if let Some(text) = lines.after("if ") {
            for atom in names.atom(text, work).map_err(slip)? {
                let known = |v: &u16| usize::from(*v) < m || part.guesses.contains(v);
                if !atom.form.variables().iter().all(known) {
                    return Err(slip(
                        "a condition is on the position's heaps and on guesses named before".into(),
                    ));
                }
                part.conditions.push(atom);
            }
        } else if let Some(text) = lines.after("start ") {
            let start = number(text).ok_or_else(|| slip("a state is a number".into()))?;
            return Ok((part, start));
        } else {
            return Err(lines.wrong("`let`, `guess`, `if` or `start` should stand here"));
        }
    }
}

fn stands(game: &Game, m: usize, line: &str) -> Option<Stands> {
    let words: Vec<&str> = line.split(' ').collect();
    let heaps = |text: &str| list::<usize>(text, ',');
    match words[..] {
        ["part", "take", window, ref rest @ ..] => {
            let (gone, image) = match rest {
                ["image", image] => (Vec::new(), heaps(image)?),
                ["gone", gone, "image", image] => (heaps(gone)?, heaps(image)?),
                _ => return None,
            };
            let window = heaps(window)?;
            if !game.is_way(m, &window, &gone) {
                return None;
            }
            let way = game.way(m, &window, &gone);
            game.is_symmetry(&image, way.heaps.len()).then_some(Stands::Take(way, image))
        }
        ["part", "stay", "image", image] => {
            let image = heaps(image)?;
            game.is_symmetry(&image, m).then_some(Stands::Stay(image))
        }
        ["part", "empty", h] => Some(Stands::Empty(number(h)?)),
        ["part", "neighbours", h] => Some(Stands::Neighbours(number(h)?)),
        ["part", "over"] => Some(Stands::Over),
        _ => None,
    }
}

/// `states N`, then a line for each state from 2 on: the states after digit 0 and digit 1, and `!` if it accepts.
fn automaton(
    game: &Game,
    m: usize,
    lines: &mut Lines<'_>,
    work: &mut Work<'_>,
) -> Result<Automaton, Rejected> {
    let count = lines.after("states ").and_then(number).filter(|n| *n <= LINES);
    let count: usize = count.ok_or_else(|| lines.wrong("`states N` should stand here"))?;
    let mut automaton = Automaton {
        next: vec![[0; 2], [1; 2]],
        accepting: vec![false, true],
        heaps: m,
        zeckendorf: game.zeckendorf,
    };
    for _ in 0..count {
        let line = lines.take();
        work.hold(32 + 4 * line.len()).map_err(|why| lines.wrong(why))?;
        let (rest, accepting) = line.strip_suffix(" !").map_or((line, false), |rest| (rest, true));
        let states = list::<u32>(rest, ' ').filter(|s| s.iter().all(|s| (*s as usize) < count + 2));
        let states = states.and_then(|s| <[u32; 2]>::try_from(s).ok());
        automaton.next.push(states.ok_or_else(|| lines.wrong("the line before should be two states"))?);
        automaton.accepting.push(accepting);
    }
    Ok(automaton)
}

/// `sets N`, then a line for each: states in ascending order.
fn sets(
    automaton: &Automaton,
    lines: &mut Lines<'_>,
    work: &mut Work<'_>,
) -> Result<Vec<Vec<u32>>, Rejected> {
    let count = lines.after("sets ").and_then(number).filter(|n| *n <= LINES);
    let count: usize = count.ok_or_else(|| lines.wrong("`sets N` should stand here"))?;
    let mut sets = Vec::new();
    for _ in 0..count {
        let known = |s: &[u32]| {
            s.windows(2).all(|w| w[0] < w[1])
                && s.first().is_some_and(|s| *s > 1)
                && s.last().is_some_and(|s| (*s as usize) < automaton.next.len())
        };
        let line = lines.take();
        // A number of one digit, with the space before it, becomes one of four bytes.
        work.hold(64 + 4 * line.len()).map_err(|why| lines.wrong(why))?;
        let set = list::<u32>(line, ' ').filter(|s| known(s));
        sets.push(set.ok_or_else(|| lines.wrong("the line before should be states in ascending order"))?);
    }
    Ok(sets)
}
