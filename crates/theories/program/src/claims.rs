//! What a program claims of its own rules, compared with the rules: `summands` and `canonical` must
//! keep nim-values, and `canonical` values in the sense of Conway where the players differ.
//!
//! Positions with few positions below them are solved by the moves alone, and compared. So a wrong
//! claim is refused where it can be seen, and costs little where it is right.

use crate::script::{Failure, Script};
use crate::value::Value;
use bouton_core::{Mex, Nimber};
use rustc_hash::FxHashMap;

/// Positions below one position that are solved, at most.
const BELOW: usize = 128;
/// Options of them that are listed, at most: lists of many are what a check costs.
const LISTED: usize = 16 * BELOW;
/// Positions that are solved in all.
const ALL: usize = 1 << 11;
/// Options that are listed below positions that are not solved then, in all. Below a further
/// position no more than [`LISTED_LATER`] are listed, so that small ones are still compared.
const LISTED_IN_VAIN: usize = 2 * LISTED;
const LISTED_LATER: usize = LISTED / 32;

/// The nim-value in normal play, and whether the player to move wins in misère play.
type Plain = (Nimber, bool);

/// Pairs of positions that are compared, at most.
const PAIRS: usize = 1 << 18;

/// What is known of positions, and how many options were listed below those that were not solved.
#[derive(Debug)]
struct Settled<T> {
    known: FxHashMap<Value, T>,
    in_vain: usize,
}

impl<T> Default for Settled<T> {
    fn default() -> Settled<T> {
        Settled { known: FxHashMap::default(), in_vain: 0 }
    }
}

/// Positions solved by the moves alone.
#[derive(Debug, Default)]
pub(crate) struct Claims {
    known: Settled<Plain>,
    mex: Mex,
    partisan: Partisan,
}

/// Positions of a game in which the players differ. Options are listed before the positions from
/// which they are reached.
#[derive(Debug, Default)]
struct Partisan {
    numbers: Settled<usize>,
    listed: Vec<Sides>,
    /// Whether the first position of a pair is at most the second.
    at_most: FxHashMap<(usize, usize), bool>,
}

/// The options of Left and of Right, and whether each wins in misère play when to move.
#[derive(Debug)]
struct Sides {
    options: [Vec<usize>; 2],
    wins_misere: [bool; 2],
}

impl Partisan {
    /// Returns the number of a position; `None` if too many positions lie below it, or too many are
    /// listed.
    fn number(&mut self, script: &Script, p: &Value) -> Result<Option<usize>, Failure> {
        let listed = &mut self.listed;
        settle(&mut self.numbers, script, &["left", "right"], p, |options| {
            // Whoever has no move wins in misère play.
            let wins = |side: usize| {
                let own = &options[side];
                own.is_empty() || own.iter().any(|q| !listed[*q].wins_misere[1 - side])
            };
            let wins_misere = [wins(0), wins(1)];
            listed.push(Sides { options: [options[0].clone(), options[1].clone()], wins_misere });
            listed.len() - 1
        })
    }

    /// Returns whether G ≤ H: no left option of G is at least H, and no right option of H at most G
    /// (Conway, *On Numbers and Games*, chapter 7). `None` if too many pairs are compared.
    fn at_most(&mut self, g: usize, h: usize) -> Option<bool> {
        if let Some(known) = self.at_most.get(&(g, h)) {
            return Some(*known);
        }
        let left_of_g = self.listed[g].options[0].iter().map(|left| (h, *left));
        let right_of_h = self.listed[h].options[1].iter().map(|right| (*right, g));
        let mut holds = true;
        for (below, above) in Vec::from_iter(left_of_g.chain(right_of_h)) {
            if self.at_most(below, above)? {
                holds = false;
                break;
            }
        }
        if self.at_most.len() >= PAIRS {
            return None;
        }
        self.at_most.insert((g, h), holds);
        Some(holds)
    }
}

/// Settles a position after all positions below it, each by what is known of its options in the
/// lists that `functions` give; `None` if too many positions lie below it, or too many are settled.
/// So no position that is settled lies below itself.
fn settle<T: Copy>(
    settled: &mut Settled<T>,
    script: &Script,
    functions: &[&'static str],
    p: &Value,
    mut by_options: impl FnMut(&[Vec<T>]) -> T,
) -> Result<Option<T>, Failure> {
    let most = if settled.in_vain < LISTED_IN_VAIN { LISTED } else { LISTED_LATER };
    let known = &mut settled.known;
    let mut open = vec![p.clone()];
    let (mut visited, mut listed) = (0, 0);
    while let Some(top) = open.last().cloned() {
        if known.contains_key(&top) {
            open.pop();
            continue;
        }
        visited += 1;
        if visited > 2 * BELOW || known.len() >= ALL {
            settled.in_vain += listed;
            return Ok(None);
        }
        let lists = functions.iter().map(|function| script.list(function, &top));
        let lists = lists.collect::<Result<Vec<_>, _>>()?;
        listed += lists.iter().map(|list| list.len()).sum::<usize>();
        if listed > most {
            settled.in_vain += listed;
            return Ok(None);
        }
        let before = open.len();
        let options = lists.iter().flat_map(|list| list.iter());
        open.extend(options.filter(|option| !known.contains_key(option)).cloned());
        if open.len() > before {
            if open.len() > 64 * BELOW {
                settled.in_vain += listed;
                return Ok(None);
            }
            continue;
        }
        let options: Vec<Vec<T>> =
            lists.iter().map(|list| list.iter().map(|option| known[option]).collect()).collect();
        open.pop();
        known.insert(top, by_options(&options));
    }
    Ok(known.get(p).copied())
}

impl Claims {
    /// Solves a position by `options` alone; `None` if too many positions lie below it, or too many
    /// are solved.
    fn plain(&mut self, script: &Script, p: &Value) -> Result<Option<Plain>, Failure> {
        let mex = &mut self.mex;
        settle(&mut self.known, script, &["options"], p, |options| {
            mex.clear();
            options[0].iter().for_each(|(value, _)| mex.insert(*value));
            let wins_misere = options[0].is_empty() || options[0].iter().any(|(_, wins)| !wins);
            (mex.value(), wins_misere)
        })
    }

    /// Compares a position with the parts that `summands` gave.
    pub(crate) fn summands(
        &mut self,
        script: &Script,
        p: &Value,
        parts: &[Value],
    ) -> Result<(), Failure> {
        let Some((value, _)) = self.plain(script, p)? else { return Ok(()) };
        let mut sum = Nimber(0);
        for part in parts {
            match self.plain(script, part)? {
                Some((value, _)) => sum ^= value,
                None => return Ok(()),
            }
        }
        if sum == value {
            return Ok(());
        }
        Err(Failure::Fault(
            format!(
                "summands gave parts with nim-value {sum} in all, but the options give {value}",
                sum = sum.0,
                value = value.0
            ),
            None,
        ))
    }

    /// Compares a position with its canonical form where the players differ: in normal play the
    /// two must be equal in every sum, in misère play have the same outcome for either to move.
    pub(crate) fn partisan_canonical(
        &mut self,
        script: &Script,
        p: &Value,
        form: &Value,
    ) -> Result<(), Failure> {
        let all = &mut self.partisan;
        let (Some(one), Some(other)) = (all.number(script, p)?, all.number(script, form)?) else {
            return Ok(());
        };
        let (Some(below), Some(above)) = (all.at_most(one, other), all.at_most(other, one)) else {
            return Ok(());
        };
        let misere = all.listed[one].wins_misere == all.listed[other].wins_misere;
        let form = form.print(script.texts);
        let message = match (below, above, misere) {
            (true, true, true) => return Ok(()),
            (true, true, false) => {
                format!("canonical gave {form}, which has the other outcome in misère play")
            }
            _ => format!("canonical gave {form}, which has not the same value by left and right"),
        };
        Err(Failure::Fault(message, None))
    }

    /// Compares a position with its canonical form.
    pub(crate) fn canonical(
        &mut self,
        script: &Script,
        p: &Value,
        form: &Value,
    ) -> Result<(), Failure> {
        let (Some(one), Some(other)) = (self.plain(script, p)?, self.plain(script, form)?) else {
            return Ok(());
        };
        if one == other {
            return Ok(());
        }
        let form = form.print(script.texts);
        let message = if one.0 == other.0 {
            format!("canonical gave {form}, which has the other outcome in misère play")
        } else {
            format!(
                "canonical gave {form} of nim-value {}, but the options give {}",
                other.0.0, one.0.0
            )
        };
        Err(Failure::Fault(message, None))
    }
}
