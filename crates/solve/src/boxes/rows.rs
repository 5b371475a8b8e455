//! The row recurrence: P-positions of a box, 64 positions an operation.
//!
//! Let D_w(p) say that p, or something reached from p by lowering heaps of the face w only, is a P-position. Then
//! D_w(p) = P(p) ∨ ⋁_{i∈w} D_w(p − e_i), and p is P iff no D_w(p − e_i) with i ∈ w holds. Along the last axis stands
//! one row. Faces without the last heap keep a row of bits; faces with it keep the least last heap from which D_w
//! holds, since D_w then grows along the row. A row has at most one P-position: the last heap alone may be lowered.
//! One slab along axis 0 is kept, and overwritten in place.

use super::Windows;
use bouton_rules::{MAX_HEAPS, Play};
use std::ops::ControlFlow;

/// The most positions along one axis: heaps are at most `MAX_SIDE - 1`.
pub const MAX_SIDE: usize = 1024;

/// A face that contains the last heap holds nowhere in its row.
const NEVER: u16 = u16::MAX;

/// Why a box isn't swept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BoxError {
    /// Too few or too many heaps.
    #[error("boxes take 2 to {MAX_HEAPS} heaps, not {0}")]
    Heaps(usize),
    /// A face names a heap that isn't there, or a heap is in no face.
    #[error("every heap must be in some face, and faces hold only heaps of the game")]
    Faces,
    /// The windows or the heaps don't fit together.
    #[error("a window takes at least one heap")]
    EmptyWindow,
    /// The tables would not fit.
    #[error("heaps up to {max} need {bytes} bytes, more than {limit}; {}", fits.map_or("no box fits".to_owned(), |m| format!("heaps up to {m} fit")))]
    TooLarge {
        /// The greatest heap asked for.
        max: u32,
        /// Bytes this box needs, saturating.
        bytes: u64,
        /// Bytes allowed.
        limit: u64,
        /// The greatest heap of a box that fits.
        fits: Option<u32>,
    },
}

/// What a sweep will take, known before it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// Bytes of the slab.
    pub bytes: u64,
    /// Positions of the box, saturating.
    pub positions: u128,
    /// Words of 64 positions in a row.
    pub words: usize,
}

fn estimate(game: &Windows, max: u32) -> Plan {
    let last = 1 << (game.heaps() - 1);
    let with_last = game.faces().iter().filter(|face| *face & last != 0).count() as u64;
    let bits = game.faces().len() as u64 - with_last;
    let words = (max as usize / 64 + 1).next_power_of_two();
    let rows = (u64::from(max) + 2).saturating_pow(game.heaps() as u32 - 2);
    let positions = (u128::from(max) + 1).saturating_pow(game.heaps() as u32);
    Plan { bytes: rows.saturating_mul(bits * 8 * words as u64 + with_last * 2), positions, words }
}

/// Plans the sweep of heaps ≤ `max` in at most `limit` bytes, or tells the largest box that fits.
pub fn plan(game: &Windows, max: u32, limit: u64) -> Result<Plan, BoxError> {
    let plan = estimate(game, max);
    if plan.bytes <= limit && (max as usize) < MAX_SIDE {
        return Ok(plan);
    }
    let fits = (0..MAX_SIDE as u32).rev().find(|m| estimate(game, *m).bytes <= limit);
    Err(BoxError::TooLarge { max, bytes: plan.bytes, limit, fits })
}

/// Visits all P-positions with heaps ≤ `max` in lexicographic order until `visit` breaks, in at most `limit` bytes.
///
/// O(faces · heaps · ⌈(max+1)/64⌉) a row of max+1 positions.
pub fn sweep<B>(
    game: &Windows,
    max: u32,
    play: Play,
    limit: u64,
    visit: impl FnMut(&[u32]) -> ControlFlow<B>,
) -> Result<ControlFlow<B>, BoxError> {
    let first = u32::from(play == Play::Misere);
    // In misère play the empty position is N: the search of its row starts at 1.
    run(game, max, limit, |heaps| Row::Search(if heaps.iter().all(|h| *h == 0) { first } else { 0 }), visit)
}

/// How a row finds its P-position.
pub(super) enum Row {
    /// The least last heap, from this one on, from which no P-position is reached.
    Search(u32),
    /// It is known.
    Forced(Option<u32>),
}

/// Sweeps with rows that `rule` may force; it is asked once a row, with all heaps but the last.
pub(super) fn run<B>(
    game: &Windows,
    max: u32,
    limit: u64,
    rule: impl FnMut(&[u32]) -> Row,
    visit: impl FnMut(&[u32]) -> ControlFlow<B>,
) -> Result<ControlFlow<B>, BoxError> {
    Ok(match plan(game, max, limit)?.words {
        1 => Slab::<1>::new(game, max).run(rule, visit),
        2 => Slab::<2>::new(game, max).run(rule, visit),
        4 => Slab::<4>::new(game, max).run(rule, visit),
        8 => Slab::<8>::new(game, max).run(rule, visit),
        _ => Slab::<16>::new(game, max).run(rule, visit),
    })
}

/// One slab along axis 0. A margin of rows at −1 along every other axis stays empty.
struct Slab<const W: usize> {
    heaps: usize,
    max: u32,
    /// Per face without the last heap: how far back its predecessors stand (0 is the slab before), and its rows.
    bits: Vec<(Vec<usize>, Vec<[u64; W]>)>,
    /// Per face with the last heap: the same, and its thresholds.
    thresholds: Vec<(Vec<usize>, Vec<u16>)>,
}

impl<const W: usize> Slab<W> {
    fn new(game: &Windows, max: u32) -> Slab<W> {
        let (heaps, side) = (game.heaps(), max as usize + 2);
        let rows = side.pow(heaps as u32 - 2);
        let mut slab = Slab { heaps, max, bits: Vec::new(), thresholds: Vec::new() };
        for face in game.faces() {
            let back = (0..heaps - 1).filter(|i| face >> i & 1 == 1);
            let back = back.map(|i| if i == 0 { 0 } else { side.pow((heaps - 2 - i) as u32) }).collect();
            if face >> (heaps - 1) & 1 == 1 {
                slab.thresholds.push((back, vec![NEVER; rows]));
            } else {
                slab.bits.push((back, vec![[0; W]; rows]));
            }
        }
        slab
    }

    fn run<B>(
        mut self,
        mut rule: impl FnMut(&[u32]) -> Row,
        mut visit: impl FnMut(&[u32]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (last, side) = (self.heaps - 1, self.max as usize + 2);
        let mut p = [0u32; MAX_HEAPS];
        loop {
            let at = p[1..last.max(1)].iter().fold(0, |at, h| at * side + *h as usize + 1);
            if let Some(x) = self.row(at, rule(&p[..last])) {
                p[last] = x;
                visit(&p[..=last])?;
            }
            let Some(axis) = (0..last).rev().find(|i| p[*i] < self.max) else {
                return ControlFlow::Continue(());
            };
            p[axis] += 1;
            p[axis + 1..].fill(0);
        }
    }

    /// Settles the row at `at` and returns its P-position.
    #[inline]
    fn row(&mut self, at: usize, rule: Row) -> Option<u32> {
        let mut reached = [0u64; W];
        for (back, rows) in &mut self.bits {
            let mut sum = [0u64; W];
            for b in back.iter() {
                let before = &rows[at - b];
                (0..W).for_each(|i| sum[i] |= before[i]);
            }
            (0..W).for_each(|i| reached[i] |= sum[i]);
            rows[at] = sum;
        }
        let mut bound = NEVER;
        for (back, least) in &mut self.thresholds {
            let sum = back.iter().map(|b| least[at - b]).min().unwrap_or(NEVER);
            bound = bound.min(sum);
            least[at] = sum;
        }
        let found = match rule {
            Row::Forced(x) => x,
            Row::Search(from) => {
                let below = |i: usize| match (from as usize).saturating_sub(64 * i) {
                    0 => 0,
                    n if n >= 64 => u64::MAX,
                    n => (1 << n) - 1,
                };
                let free = (0..W).find_map(|i| {
                    let ones = (reached[i] | below(i)).trailing_ones();
                    (ones < 64).then_some(64 * i as u32 + ones)
                });
                free.filter(|x| *x <= self.max && *x < u32::from(bound))
            }
        };
        if let Some(x) = found {
            let (word, bit) = (x as usize / 64, 1 << (x % 64));
            self.bits.iter_mut().for_each(|(_, rows)| rows[at][word] |= bit);
            self.thresholds.iter_mut().for_each(|(_, least)| least[at] = least[at].min(x as u16));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustc_hash::FxHashSet;

    const LIMIT: u64 = 1 << 28;

    fn swept(game: &Windows, max: u32, play: Play) -> Vec<Vec<u32>> {
        let mut all = Vec::new();
        let done = sweep::<()>(game, max, play, LIMIT, |p| {
            all.push(p.to_vec());
            ControlFlow::Continue(())
        });
        assert_eq!(done, Ok(ControlFlow::Continue(())));
        all
    }

    /// Positions in lexicographic order; P iff no P-position found so far is an option, by the rules alone.
    fn brute(game: &Windows, max: u32, play: Play) -> Vec<Vec<u32>> {
        let n = game.heaps();
        let mut found: Vec<Vec<u32>> = Vec::new();
        for code in 0..(u64::from(max) + 1).pow(n as u32) {
            let heap = |i: usize| {
                (code / (u64::from(max) + 1).pow((n - 1 - i) as u32) % (u64::from(max) + 1)) as u32
            };
            let p: Vec<u32> = (0..n).map(heap).collect();
            let is_option = |q: &Vec<u32>| {
                let changed = (0..n).filter(|i| q[*i] != p[*i]).fold(0u32, |set, i| set | 1 << i);
                (0..n).all(|i| q[i] <= p[i]) && changed != 0 && game.faces().iter().any(|f| changed & !f == 0)
            };
            let terminal_wins = play == Play::Misere && p.iter().all(|h| *h == 0);
            if !terminal_wins && !found.iter().any(is_option) {
                found.push(p);
            }
        }
        found
    }

    #[test]
    fn like_brute_force() {
        for play in [Play::Normal, Play::Misere] {
            for (n, max) in [(2, 70), (3, 17), (4, 9), (5, 5), (6, 3)] {
                for k in 1..=n {
                    for game in [Windows::circular(n, k), Windows::moore(n, k)] {
                        let game = game.expect("a game");
                        assert_eq!(swept(&game, max, play), brute(&game, max, play), "{game:?} {play}");
                    }
                }
            }
            for faces in
                [&[0b0011, 0b0110, 0b1000][..], &[0b0111, 0b1001], &[0b1010, 0b0101, 0b1100], &[0b1111]]
            {
                let game = Windows::simplicial(4, faces).expect("a game");
                assert_eq!(swept(&game, 9, play), brute(&game, 9, play), "{game:?} {play}");
            }
        }
    }

    /// Bouton's theorem across several words a row: P iff the nim-sum is 0.
    #[test]
    fn nim_in_long_rows() {
        let game = Windows::circular(3, 1).expect("a game");
        let all: FxHashSet<Vec<u32>> = swept(&game, 300, Play::Normal).into_iter().collect();
        let nim = (0..=300).flat_map(|a| (0..=300).map(move |b| vec![a, b, a ^ b])).filter(|p| p[2] <= 300);
        assert_eq!(all, nim.collect());
    }

    /// CN(5,2) by the theorem of Dufour and of Ehrenborg & Steingrímsson: (a,b,c,d,b), a+b = c+d, a the greatest.
    #[test]
    fn circular_five_two() {
        let game = Windows::circular(5, 2).expect("a game");
        let mut theorem = FxHashSet::default();
        for (b, c, d) in (0..=20).flat_map(|b| (b..=20).flat_map(move |c| (b..=20).map(move |d| (b, c, d)))) {
            let a = c + d - b;
            if a <= 20 {
                let mut p = vec![a, b, c, d, b];
                for _ in 0..5 {
                    p.rotate_left(1);
                    theorem.insert(p.clone());
                }
            }
        }
        assert_eq!(swept(&game, 20, Play::Normal).into_iter().collect::<FxHashSet<_>>(), theorem);
    }

    #[test]
    fn too_large_tells_what_fits() {
        let game = Windows::circular(6, 4).expect("a game");
        let Err(BoxError::TooLarge { fits: Some(fits), .. }) = plan(&game, 1000, 1 << 20) else {
            panic!("refused with a box that fits");
        };
        assert!(plan(&game, fits, 1 << 20).is_ok() && plan(&game, fits + 1, 1 << 20).is_err());
        assert_eq!(Windows::circular(1, 1), Err(BoxError::Heaps(1)));
        assert_eq!(Windows::circular(4, 0), Err(BoxError::Faces));
        assert_eq!(Windows::simplicial(3, &[0b1011]), Err(BoxError::Faces));
    }
}
