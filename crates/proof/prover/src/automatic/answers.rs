//! What a proved automaton says of single positions: it is read from its certificate, and options
//! that it accepts are found digit by digit.

use super::move_acceptor;
use crate::game::MoveSystem;
use bouton_automata::acceptor::Acceptor;
use bouton_automata::effort::Undecided;
use bouton_core::{DigitSystem, Meter};
use std::collections::BTreeMap;

/// Leading zeros before the digits of the heaps: what is remembered may grow by a move.
const LEADING: usize = 8;

/// Returns the automaton of the P-positions on so many heaps in the body of a certificate of kind
/// `automatic`; `None` if there is none. Whether it is proved is the checker's to say.
pub fn certified_acceptor(certificate: &str, tracks: usize) -> Option<Acceptor> {
    let (_, body) = certificate.split_once("\n\n")?;
    let mut lines = body.lines();
    let mut line = lines.next()?;
    let list = |text: &str| -> Option<Vec<usize>> {
        text.split(',').map(|own| own.parse().ok()).collect()
    };
    let base = |text: &str| text.parse().ok().filter(|base| (2..=10).contains(base));
    let digits = match line.split_once(' ') {
        Some(("base", to)) => Some(DigitSystem::to_base(base(to)?)),
        Some(("zeckendorf", to)) => Some(DigitSystem::zeckendorf(base(to)?)),
        None if line == "zeckendorf" => Some(DigitSystem::zeckendorf(2)),
        Some(("digits", by)) => {
            let by = by.strip_prefix("by ")?;
            let (once, for_ever) = by.split_once(" then ").unwrap_or((by, ""));
            let for_ever = if for_ever.is_empty() { Vec::new() } else { list(for_ever)? };
            Some(DigitSystem::from_coefficients(&list(once)?, &for_ever)?)
        }
        _ => None,
    };
    if digits.is_some() {
        line = lines.next()?;
    }
    let digits = digits.unwrap_or(DigitSystem::to_base(2));
    // In misère play the first table is that of the game's own positions.
    let states = line.strip_prefix("misere ").or_else(|| line.strip_prefix("positions "))?;
    let (mut next, mut accepts) = (Vec::new(), Vec::new());
    for line in lines.take(states.parse().ok()?) {
        let (mark, row) = line.split_once(' ')?;
        accepts.push(mark == "!");
        next.push(row.split(' ').map(|to| to.parse().ok()).collect::<Option<Vec<u32>>>()?);
    }
    let found = Acceptor { digits, tracks, next, accepts };
    let columns = bouton_automata::acceptor::columns(digits.base(), tracks)?;
    let fits = !found.next.is_empty()
        && found.next.iter().all(|row| {
            row.len() == columns && row.iter().all(|to| (*to as usize) < found.next.len())
        });
    fits.then_some(found)
}

/// A state of the moves, and one of the option.
type States = (u32, u32);

/// Returns an option of a position that the automaton accepts, if there is one.
///
/// # Errors
/// If the moves are not read in these digits, or the budget ends.
pub fn accepted_option(
    game: &MoveSystem,
    accepted: &Acceptor,
    heaps: &[u64],
    meter: &mut Meter,
) -> Result<Option<Vec<u64>>, Undecided> {
    let digits = accepted.digits;
    let columns: Vec<usize> =
        std::iter::repeat_n(0, LEADING).chain(digits.columns(heaps)).collect();
    for way in &game.ways {
        let moves = move_acceptor(game, way, digits, meter)?;
        let alive = [moves.coaccessible_states(), accepted.coaccessible_states()];
        // For each column, the states of moves and option behind it: from which, by which option.
        let mut behind: Vec<BTreeMap<States, (States, usize)>> = Vec::new();
        let mut reached = vec![(0, 0)];
        let pairs = super::pairs(accepted, &way.window);
        let options = pairs.len() / accepted.columns();
        for &position in &columns {
            let mut found = BTreeMap::new();
            for &(m, t) in &reached {
                meter.spend_and_poll(1)?;
                for (both, option) in &pairs[position * options..(position + 1) * options] {
                    let m_next = moves.next[m as usize][*both as usize];
                    let t_next = accepted.next[t as usize][*option as usize];
                    if alive[0][m_next as usize] && alive[1][t_next as usize] {
                        found.entry((m_next, t_next)).or_insert(((m, t), *option as usize));
                    }
                }
            }
            reached = found.keys().copied().collect();
            behind.push(found);
        }
        let ends = |(m, t): &States| moves.accepts[*m as usize] && accepted.accepts[*t as usize];
        let Some(mut at) = reached.into_iter().find(ends) else { continue };
        let mut word = Vec::new();
        for found in behind.iter().rev() {
            let Some((from, option)) = found.get(&at) else { break };
            word.push(*option);
            at = *from;
        }
        word.reverse();
        return accepted.numbers(word.into_iter()).map(Some).ok_or(Undecided::Wide);
    }
    Ok(None)
}
