//! What a program claims of its own rules, held against the rules: `summands` and `canonical` must
//! keep nim-values.
//!
//! Positions with few positions below them are solved by `options` alone, and compared. So a wrong
//! claim is refused where it can be seen, and costs little where it is right.

use crate::script::{Failure, Script};
use crate::value::Value;
use bouton_core::{Mex, Nimber};
use rustc_hash::FxHashMap;

/// Positions below one position that are solved, at most.
const BELOW: usize = 128;
/// Positions that are solved in all.
const ALL: usize = 1 << 11;

/// The nim-value in normal play, and whether the player to move wins in misère play.
type Plain = (Nimber, bool);

/// Positions solved by `options` alone.
#[derive(Debug, Default)]
pub(crate) struct Claims {
    known: FxHashMap<Value, Plain>,
    mex: Mex,
}

impl Claims {
    /// Solves a position by `options` alone; `None` if too many positions lie below it, or too many
    /// are solved.
    fn plain(&mut self, script: &Script, p: &Value) -> Result<Option<Plain>, Failure> {
        let mut open = vec![p.clone()];
        let mut visited = 0;
        while let Some(top) = open.last().cloned() {
            if self.known.contains_key(&top) {
                open.pop();
                continue;
            }
            visited += 1;
            if visited > 2 * BELOW || self.known.len() >= ALL {
                return Ok(None);
            }
            let options = script.list("options", &top)?;
            let before = open.len();
            open.extend(options.iter().filter(|option| !self.known.contains_key(option)).cloned());
            if open.len() > before {
                if open.len() > 64 * BELOW {
                    return Ok(None);
                }
                continue;
            }
            self.mex.clear();
            let mut wins = options.is_empty();
            for option in options.iter() {
                let (value, option_wins) = self.known[option];
                self.mex.insert(value);
                wins |= !option_wins;
            }
            open.pop();
            self.known.insert(top, (self.mex.value(), wins));
        }
        Ok(self.known.get(p).copied())
    }

    /// Compares a position with the parts that `summands` gave.
    pub(crate) fn summands(&mut self, script: &Script, p: &Value, parts: &[Value]) -> Result<(), Failure> {
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

    /// Compares a position with its canonical form.
    pub(crate) fn canonical(&mut self, script: &Script, p: &Value, form: &Value) -> Result<(), Failure> {
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
            format!("canonical gave {form} of nim-value {}, but the options give {}", other.0.0, one.0.0)
        };
        Err(Failure::Fault(message, None))
    }
}
