//! Tables for conjectures: by the row sweep where the moves are windows and nothing more, else from the options alone.

use crate::progress;
use bouton_conjecture::{Images, Maker, Table};
use bouton_rules::{HeapGame, Play};
use bouton_solve::boxes::{self, Windows, shrinking};
use bouton_solve::{Budget, Game, How};
use std::ops::ControlFlow::Continue;
use std::time::Instant;

/// Positions of the boxes to try, as powers of two: swept, and made from options.
const SWEPT: [f64; 4] = [20.0, 24.0, 26.0, 28.0];
const PLAIN: [f64; 4] = [11.0, 13.0, 15.0, 18.0];
/// Greatest heaps, however few heaps there are.
const MOST: [u64; 4] = [60, 120, 250, 400];
/// Windows at most.
const WINDOWS: usize = 4096;

/// What makes tables of one game.
pub struct Tables<'g> {
    pub game: &'g dyn Game,
    pub stated: &'g HeapGame,
    pub play: Play,
    pub budget: Budget,
    /// No heap above this one, if given.
    pub max: Option<u32>,
}

/// One table and what it took.
pub struct Made {
    pub table: Table,
    pub seconds: f64,
}

impl Tables<'_> {
    fn faces(&self, heaps: usize) -> Option<Windows> {
        let moves = &self.stated.moves;
        if moves.condition.is_some() || moves.turned.is_some() || heaps < 2 {
            return None;
        }
        let windows = moves.windows.on(heaps, WINDOWS)?;
        let faces: Vec<u32> = windows.iter().map(|w| w.iter().fold(0, |face, h| face | 1 << h)).collect();
        Windows::simplicial(heaps, &faces).ok()
    }

    /// Whether boxes are swept.
    fn swept(&self, heaps: usize) -> bool {
        self.faces(heaps).is_some() && (!self.stated.shrinks || self.play == Play::Normal)
    }

    /// The greatest heaps of the boxes to try with so many heaps, in ascending order.
    pub fn bounds(&self, heaps: usize) -> Vec<u64> {
        let sizes = if self.swept(heaps) { SWEPT } else { PLAIN };
        let side = |size: f64| (size / heaps as f64).exp2().round() as u64;
        let mut all: Vec<u64> =
            sizes.iter().zip(MOST).map(|(size, most)| (side(*size).max(3) - 1).min(most)).collect();
        if let Some(max) = self.max {
            all.retain(|bound| *bound < max.into());
            all.push(max.into());
        }
        all.dedup();
        all
    }

    /// The table of the positions with so many heaps, none above `max`; or why there is none.
    pub fn make(&self, heaps: usize, max: u64) -> Result<Made, String> {
        let started = Instant::now();
        let images = Images::of(self.stated.symmetry, heaps);
        let least = u64::from(self.stated.shrinks);
        let mut maker =
            Maker::new(heaps, least, max.max(least), images).map_err(|error| error.to_string())?;
        let limit = self.budget.bytes.unwrap_or(1 << 31);
        let free = self.stated.moves.condition.is_none() && self.stated.moves.turned.is_none();
        if heaps == 1 && free {
            // One heap is taken whole: only what the play convention makes of the end is P.
            maker.insert_alone(&[u32::from(self.play == Play::Misere)]);
        } else if let Some(windows) = self.faces(heaps).filter(|_| self.swept(heaps)) {
            let add = |p: &[u32]| {
                maker.insert_alone(p);
                Continue::<()>(())
            };
            let swept = match self.stated.moves.windows {
                bouton_rules::Windows::Arc(k) if self.stated.shrinks => {
                    shrinking::sweep(heaps, k, max as u32, limit, add)
                }
                _ => boxes::sweep(&windows, max as u32, self.play, limit, add),
            };
            let _ = swept.map_err(|error| error.to_string())?;
        } else {
            let what = format!("{}, heaps up to {max}", self.game.name());
            let visited = progress::watched(&what, &self.budget, |budget| {
                let how = How { play: self.play, budget, ..How::default() };
                self.game.session(how).table(max as u32, &mut |heaps_of, outcome| {
                    if outcome.is_p() && heaps_of.len() == heaps {
                        maker.insert(heaps_of);
                    }
                    Continue(())
                })
            });
            visited.ok_or("no table")?.map_err(|spent| spent.to_string())?;
        }
        Ok(Made { table: maker.finish(), seconds: started.elapsed().as_secs_f64() })
    }
}
