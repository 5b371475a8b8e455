//! Condition I: no move leads from one claimed position to another. Nothing is taken from the certificate here.
//!
//! For every kind of move, every alternative of the claim on the position and every image of the claim on the option,
//! the conjunction is weakened to what follows from it with fewer variables (equations solved, lower and upper bounds
//! of a variable added up), until the automaton that reads all digits of what is left can be walked through: it
//! accepts nothing. Where the symmetries keep the rules, the position may be taken in its first image; in a rule file's game,
//! where that is not known, it is taken in all of them.

use super::digits::{FAILS, HOLDS, Reader};
use super::formula::Formula;
use super::linear::{Atom, Base, Linear, OTHER, Test, Variable, add, gcd, sizes, thin, xor};
use super::normal::{Alternative, alternatives, renamed};
use super::rules::Game;
use crate::work::{Reason, Work};
use rustc_hash::FxHashSet;

/// Most atoms, and most states of one case.
const ATOMS: usize = 400;
const STATES: usize = 1 << 20;

/// Shows condition I for positions of `m` heaps; the number of cases.
pub fn no_move_inside(
    game: &Game,
    claims: &[Option<Formula>],
    m: usize,
    work: &mut Work<'_>,
) -> Result<usize, Reason> {
    let Some(own) = &claims[m] else { return Ok(0) };
    let identity: Vec<Variable> = (0..m as Variable).collect();
    let mut positions =
        if game.symmetric { alternatives(own, &identity, work)? } else { game.images(own, m, work)? };
    for one in &mut positions {
        for v in one.chosen.clone() {
            work.spend(one.size() + one.atoms.len() * one.atoms.len())?;
            *one = renamed(one, v, v + OTHER).ok_or("numbers grow too big")?;
        }
    }
    let mut images: Vec<Option<Vec<Alternative>>> = vec![None; claims.len()];
    let mut cases = 0;
    for way in game.ways(m).map_err(|rejected| rejected.reason)? {
        let to = way.heaps.len();
        let Some(claim) = &claims[to] else { continue };
        if images[to].is_none() {
            images[to] = Some(game.images(claim, to, work)?);
        }
        let conditions = game.condition(&way, work)?;
        let mut rules = game.bounds(&way)?;
        if !add(&mut rules, game.takes(&way, m)?) {
            continue;
        }
        for h in identity.iter().filter(|_| game.shrinks) {
            let below = Linear::constant(1).plus(-1, &Linear::variable(*h)).ok_or("numbers grow too big")?;
            add(&mut rules, Atom::new(below, Test::AtMostZero));
        }
        for target in images[to].iter().flatten() {
            work.spend(2 * to * (target.size() + target.atoms.len() * target.atoms.len()))?;
            let target = game.on_option(target, &way).ok_or("numbers grow too big")?;
            for position in &positions {
                for condition in &conditions {
                    cases += 1;
                    let all = [&rules, &target.atoms, &position.atoms, &condition.atoms];
                    let count: usize = all.iter().map(|atoms| atoms.len()).sum();
                    work.spend(200 + count * count + all.iter().map(|atoms| sizes(atoms)).sum::<usize>())?;
                    let mut atoms = rules.clone();
                    let more = target.atoms.iter().chain(&position.atoms).chain(&condition.atoms);
                    if more.cloned().all(|atom| add(&mut atoms, atom)) && satisfiable(atoms, game, work)? {
                        let heaps = way.window.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
                        return Err(format!(
                            "a move in heaps {heaps} may lead from a claimed position to one"
                        )
                        .into());
                    }
                }
            }
        }
    }
    Ok(cases)
}

/// In misère play: that no position without tokens is claimed; the number of cases.
pub fn no_end_inside(
    game: &Game,
    claims: &[Option<Formula>],
    m: usize,
    work: &mut Work<'_>,
) -> Result<usize, Reason> {
    let Some(claim) = claims[m].as_ref().filter(|_| game.misere && (m == 0 || !game.shrinks)) else {
        return Ok(0);
    };
    // The end is its own image under all symmetries.
    let place: Vec<Variable> = (0..m as Variable).collect();
    let all = alternatives(claim, &place, work)?;
    for one in &all {
        work.spend(one.size() + m * one.atoms.len())?;
        let mut atoms = one.atoms.clone();
        let ends = place.iter().all(|h| add(&mut atoms, Atom::new(Linear::variable(*h), Test::Zero)));
        if ends && satisfiable(atoms, game, work)? {
            return Err("the end is claimed, where who is to move wins".into());
        }
    }
    Ok(all.len())
}

/// Whether what follows from the atoms has a solution.
pub fn satisfiable(mut atoms: Vec<Atom>, game: &Game, work: &mut Work<'_>) -> Result<bool, Reason> {
    loop {
        if atoms.len() > ATOMS {
            return Err("a case has too many conditions".into());
        }
        // Each variable of each equation is tried in all atoms; each pair of bounds makes an atom that is looked up.
        let size = sizes(&atoms);
        let equations = atoms.iter().filter(|atom| atom.test == Test::Zero);
        let tried: usize = equations.map(|atom| 1 + sizes(std::slice::from_ref(atom))).sum();
        work.spend(size * (2 * tried + 64) + atoms.len() * size)?;
        match solved(&atoms).or_else(|| projected(&atoms)) {
            None => break,
            Some(None) => return Ok(false),
            Some(Some(next)) => atoms = next,
        }
        if congruences_clash(&atoms) {
            return Ok(false);
        }
    }
    thin(&mut atoms, work)?;
    let before = work.bytes();
    let found = explored(&atoms, game, work)?;
    work.release(before);
    Ok(found)
}

/// Whether two forms are divisible by a number each, and their difference is known not to be by what divides both.
fn congruences_clash(atoms: &[Atom]) -> bool {
    let divisible = |atom: &Atom| match atom.test {
        Test::Divisible(m) => Some(m),
        _ => None,
    };
    atoms.iter().enumerate().any(|(i, one)| {
        let Some(m) = divisible(one) else { return false };
        atoms[..i].iter().any(|other| {
            let Some(common) = divisible(other).map(|n| gcd(m, n)) else { return false };
            let Some(rest) = one.form.plus(-1, &other.form) else { return false };
            rest.terms.iter().all(|(_, c)| c % common == 0) && rest.constant % common != 0
        })
    })
}

/// An equation solved for a variable, which is then gone; `Some(None)` if nothing is left that can hold.
fn solved(atoms: &[Atom]) -> Option<Option<Vec<Atom>>> {
    let mut best: Option<(usize, Variable, Linear, usize)> = None;
    for (i, atom) in atoms.iter().enumerate().filter(|(_, atom)| atom.test == Test::Zero) {
        for v in atom.form.variables() {
            let Some(value) = value_of(&atom.form, v) else { continue };
            let fits =
                atoms.iter().enumerate().all(|(j, other)| j == i || other.form.replace(v, &value).is_some());
            let size = value.terms.len();
            if fits && best.as_ref().is_none_or(|(least, ..)| size < *least) {
                best = Some((size, v, value, i));
            }
        }
    }
    let (_, v, value, i) = best?;
    let mut next = Vec::new();
    for (_, other) in atoms.iter().enumerate().filter(|(j, _)| *j != i) {
        // What could not be written down is left out: the rest still follows.
        let Some(form) = other.form.replace(v, &value) else { continue };
        if !add(&mut next, Atom::new(form, other.test)) {
            return Some(None);
        }
    }
    let natural = value.times(-1).map(|form| add(&mut next, Atom::new(form, Test::AtMostZero)));
    Some((natural != Some(false)).then_some(next))
}

/// What the variable is if the form is 0.
fn value_of(form: &Linear, v: Variable) -> Option<Linear> {
    match form.coefficient(v) {
        Some(c @ (1 | -1)) => form.plus(-c, &Linear::variable(v))?.times(-c),
        Some(_) => None,
        None => match &form.terms[..] {
            [(Base::Xor(2, all), _)] if form.constant == 0 => {
                Some(xor(2, all.iter().copied().filter(|w| *w != v).collect()))
            }
            _ => None,
        },
    }
}

/// A variable that has bounds only, gone: every lower bound is at most every upper one. That loses nothing if all lower
/// or all upper bounds are on the variable itself, not on a multiple.
fn projected(atoms: &[Atom]) -> Option<Option<Vec<Atom>>> {
    let mut variables: Vec<Variable> = atoms.iter().flat_map(|atom| atom.form.variables()).collect();
    variables.sort_unstable();
    variables.dedup();
    let mut best: Option<(usize, Variable)> = None;
    'next: for v in variables {
        let (mut low, mut high, mut units) = (1, 0, (true, true));
        for atom in atoms.iter().filter(|atom| atom.form.mentions(v)) {
            match (atom.form.coefficient(v), atom.test) {
                (Some(c), Test::AtMostZero) if c < 0 => {
                    low += 1;
                    units.0 &= c == -1;
                }
                (Some(c), Test::AtMostZero) => {
                    high += 1;
                    units.1 &= c == 1;
                }
                _ => continue 'next,
            }
        }
        if (units.0 || units.1) && low * high <= 64 && best.is_none_or(|(least, _)| low * high < least) {
            best = Some((low * high, v));
        }
    }
    let (_, v) = best?;
    let (mut lows, mut highs, mut next) = (vec![Linear::variable(v).times(-1)?], Vec::new(), Vec::new());
    for atom in atoms {
        match atom.form.coefficient(v) {
            Some(c) if c < 0 => lows.push(atom.form.clone()),
            Some(c) if c > 0 => highs.push(atom.form.clone()),
            _ => next.push(atom.clone()),
        }
    }
    for low in &lows {
        for high in &highs {
            let (down, up) = (-low.coefficient(v)?, high.coefficient(v)?);
            if !add(&mut next, Atom::new(low.times(up)?.plus(down, high)?, Test::AtMostZero)) {
                return Some(None);
            }
        }
    }
    Some(Some(next))
}

/// Whether some digits satisfy all atoms: walks through all states.
fn explored(atoms: &[Atom], game: &Game, work: &mut Work<'_>) -> Result<bool, Reason> {
    let mut variables: Vec<Variable> = atoms.iter().flat_map(|atom| atom.form.variables()).collect();
    variables.sort_unstable();
    variables.dedup();
    if variables.is_empty() {
        // Plainly false atoms never come here, and plainly true ones are not kept.
        return Ok(true);
    }
    let mut reader = Reader::new(game.zeckendorf, variables.clone());
    let mut start = Vec::new();
    for atom in atoms {
        start.push(reader.start(atom, work)?);
    }
    if game.zeckendorf {
        for v in &variables {
            start.push(reader.neighbours(*v, false, work)?);
        }
    }
    start.sort_unstable();
    if start.contains(&FAILS) {
        return Ok(false);
    }
    let mut seen: Vec<FxHashSet<Vec<u32>>> = vec![FxHashSet::default(); variables.len()];
    let (mut open, mut count) = (vec![(0, start)], 0);
    while let Some((level, state)) = open.pop() {
        if level == 0 && state.iter().all(|s| reader.accepts(*s)) {
            return Ok(true);
        }
        let matters = state.iter().any(|s| reader.matters(*s, level));
        for digit in 0..if matters { 2 } else { 1 } {
            work.spend(16 + 8 * state.len())?;
            let mut next = Vec::with_capacity(state.len());
            for s in &state {
                match reader.step(*s, digit, work)? {
                    HOLDS => {}
                    other => next.push(other),
                }
            }
            if next.contains(&FAILS) {
                continue;
            }
            next.sort_unstable();
            let to = (level + 1) % variables.len();
            if seen[to].insert(next.clone()) {
                work.hold(96 + 8 * next.len())?;
                count += 1;
                if count > STATES {
                    return Err("a case has too many states".into());
                }
                open.push((to, next));
            }
        }
    }
    Ok(false)
}
