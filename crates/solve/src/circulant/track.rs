//! A position in play: the marked cells and the token.

use super::{Circulant, MAX_CELLS};

/// The marked cells of a circle, the token's among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Track {
    marked: [u64; MAX_CELLS / 64],
    token: u8,
}

impl Track {
    /// The start of every game: the token on cell 0, which is marked.
    pub fn start() -> Track {
        Track { marked: [1, 0, 0, 0], token: 0 }
    }

    /// The token on `token`, and `cells` marked; `None` unless the token's cell is marked and all lie on the circle
    /// of `game`.
    pub fn new(game: &Circulant, cells: impl IntoIterator<Item = usize>, token: usize) -> Option<Track> {
        let mut track = Track { marked: [0; 4], token: u8::try_from(token).ok()? };
        for cell in cells {
            (cell < game.n()).then(|| track.mark(cell))?;
        }
        track.has(token).then_some(track)
    }

    /// The token's cell.
    pub fn token(&self) -> usize {
        usize::from(self.token)
    }

    /// Whether a cell is marked. Cells from 256 on never are.
    pub fn has(&self, cell: usize) -> bool {
        self.marked.get(cell / 64).is_some_and(|word| word >> (cell % 64) & 1 == 1)
    }

    fn mark(&mut self, cell: usize) {
        self.marked[cell / 64] |= 1 << (cell % 64);
    }

    /// The position after a step of `game`, if its cell is free.
    pub fn after(&self, game: &Circulant, step: u64) -> Option<Track> {
        let cell = (self.token() + (step % game.n() as u64) as usize) % game.n();
        if self.has(cell) {
            return None;
        }
        let mut next = Track { token: cell as u8, ..*self };
        next.mark(cell);
        Some(next)
    }

    /// The marked cells, ascending.
    pub fn cells(&self) -> impl Iterator<Item = usize> + use<> {
        let track = *self;
        (0..MAX_CELLS).filter(move |cell| track.has(*cell))
    }

    /// The position on the circle that division by `g` and then multiplication by `unit` give; cells that `g` does
    /// not divide are out of reach and fall away. The token has to stand on a multiple of `g`.
    pub(super) fn image(&self, g: usize, unit: usize, n: usize) -> Track {
        let mut image = Track { marked: [0; 4], token: (self.token() / g * unit % n) as u8 };
        self.cells().filter(|cell| cell % g == 0).for_each(|cell| image.mark(cell / g * unit % n));
        image
    }

    /// The same position with the token's cell called 0.
    pub(super) fn turned(&self, n: usize) -> Track {
        let mut turned = Track { marked: [0; 4], token: 0 };
        self.cells().for_each(|cell| turned.mark((cell + n - self.token()) % n));
        turned
    }
}
