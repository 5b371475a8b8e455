//! A table: the outcome of every position of a box.

use crate::effort::SearchBudget;
use bouton_core::{Arrange, Claim, LimitReached, Outcome};
use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::Arc;

/// The greatest number of positions of a box.
pub const MAX_POSITIONS: u64 = 1 << 31;
/// The greatest number of members of a group that is listed. Larger groups are those of all
/// permutations, for which positions are sorted instead.
const MAX_IMAGES: usize = 24;

/// The permutations of the heaps that preserve outcomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Images {
    /// A list of permutations, the identity first: image σ of a position has its heap σ(i) in place
    /// i.
    Listed(Vec<Vec<usize>>),
    /// All permutations, too many to list: positions are taken in ascending order.
    Ascending,
}

impl Images {
    /// Returns the permutations of a symmetry on `heaps` heaps.
    pub fn from_symmetry(symmetry: bouton_core::Symmetry, heaps: usize) -> Images {
        symmetry.permutations(heaps, MAX_IMAGES).map_or(Images::Ascending, Images::Listed)
    }

    /// Returns these permutations with the identity before them.
    pub fn listed(heaps: usize, symmetries: &[Vec<usize>]) -> Images {
        let identity: Vec<usize> = (0..heaps).collect();
        let others = symmetries.iter().filter(|s| **s != identity).cloned().collect::<Vec<_>>();
        Images::Listed([vec![identity], others].concat())
    }

    /// Returns the permutations to apply; the identity alone if positions are taken in ascending
    /// order.
    pub fn list(&self, heaps: usize) -> Vec<Vec<usize>> {
        match self {
            Images::Listed(all) => all.clone(),
            Images::Ascending => vec![(0..heaps).collect()],
        }
    }
}

/// The reason why there is no table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// The box has too many positions.
    #[error("{heaps} heaps up to {most} make more than {MAX_POSITIONS} positions")]
    TooLarge {
        /// The number of heaps.
        heaps: usize,
        /// The greatest heap.
        most: u64,
    },
}

/// The P-positions among all positions with heaps in `least..=most`.
#[derive(Debug, Clone)]
pub struct OutcomeTable {
    heaps: usize,
    least: u64,
    most: u64,
    images: Images,
    permutations: Vec<Vec<usize>>,
    bits: Vec<u64>,
    /// The P-positions in lexicographic order, one after the other; the ascending ones only if
    /// positions are taken so.
    points: Vec<u16>,
    /// One P-position of each class, by number.
    classes: Vec<u32>,
    /// How many positions of the box occur, and what holds of them, if not all do.
    occurring: Option<(u64, Arc<Claim>)>,
}

impl OutcomeTable {
    /// Returns the table with these P-positions, at least one of each class.
    ///
    /// # Errors
    /// Fails if the box has too many positions.
    pub fn new<'p>(
        heaps: usize,
        least: u64,
        most: u64,
        images: Images,
        p_positions: impl IntoIterator<Item = &'p [u64]>,
    ) -> Result<OutcomeTable, TableError> {
        let mut builder = TableBuilder::new(heaps, least, most, images)?;
        p_positions.into_iter().for_each(|p| builder.insert(p));
        Ok(builder.finish())
    }

    /// Returns the table of one heap, given of each size from 0 on whether it is a P-position;
    /// `None` of too many sizes.
    pub fn of_one_heap(is_p: &[bool]) -> Option<OutcomeTable> {
        let most = (is_p.len() as u64).checked_sub(1)?;
        let mut table = TableBuilder::new(1, 0, most, Images::Listed(vec![vec![0]])).ok()?;
        (0..).zip(is_p).filter(|(_, is_p)| **is_p).for_each(|(n, _)| table.insert(&[n]));
        Some(table.finish())
    }

    /// Returns the number of heaps.
    pub fn heaps(&self) -> usize {
        self.heaps
    }

    /// Returns the least size of a heap.
    pub fn least(&self) -> u64 {
        self.least
    }

    /// Returns the greatest size of a heap.
    pub fn most(&self) -> u64 {
        self.most
    }

    /// Returns the permutations of the heaps that preserve outcomes.
    pub fn images(&self) -> &Images {
        &self.images
    }

    /// Returns the permutations to apply.
    pub(crate) fn permutations(&self) -> &[Vec<usize>] {
        &self.permutations
    }

    /// Returns whether all permutations preserve outcomes.
    pub(crate) fn is_symmetric(&self) -> bool {
        let orders = (1..=self.heaps).try_fold(1usize, |all, i| all.checked_mul(i));
        match &self.images {
            Images::Ascending => true,
            Images::Listed(all) => {
                let mut distinct: Vec<&Vec<usize>> = all.iter().collect();
                distinct.arrange();
                distinct.dedup();
                orders == Some(distinct.len())
            }
        }
    }

    /// Returns the number of positions of the box, all or the ascending ones; of those that occur,
    /// if not all do.
    pub fn positions(&self) -> u64 {
        if let Some((occurring, _)) = &self.occurring {
            return *occurring;
        }
        let (side, n) = (self.most - self.least + 1, self.heaps as u64);
        match self.images {
            Images::Listed(_) => side.saturating_pow(n as u32),
            // Multisets: C(side + n - 1, n).
            Images::Ascending => {
                let all =
                    (1..=n).fold(1u128, |all, i| all * u128::from(side + i - 1) / u128::from(i));
                all as u64
            }
        }
    }

    /// Returns the number of P-positions.
    pub fn count(&self) -> usize {
        self.points.len() / self.heaps
    }

    /// Returns the number of classes of P-positions.
    pub fn class_count(&self) -> usize {
        self.classes.len()
    }

    /// Returns all P-positions in lexicographic order; the ascending ones if positions are taken
    /// so.
    pub fn p_positions(&self) -> impl Iterator<Item = &[u16]> {
        self.points.chunks(self.heaps)
    }

    /// Returns the P-position of this number, in lexicographic order.
    pub(crate) fn point(&self, number: usize) -> &[u16] {
        &self.points[number * self.heaps..][..self.heaps]
    }

    /// Returns the least P-position of each class.
    pub fn classes(&self) -> impl ExactSizeIterator<Item = Vec<i64>> + '_ {
        self.classes.iter().map(|c| self.point(*c as usize).iter().map(|x| i64::from(*x)).collect())
    }

    /// Returns whether the heaps are within the box, and ascending if positions are taken so.
    pub(crate) fn is_domain(&self, p: &[i64]) -> bool {
        self.images != Images::Ascending || p.is_sorted()
    }

    /// Returns what holds of the positions that occur, if not all do.
    pub(crate) fn occurring(&self) -> Option<&Arc<Claim>> {
        self.occurring.as_ref().map(|(_, claim)| claim)
    }

    fn rank(&self, p: &[i64]) -> Option<usize> {
        let side = self.most - self.least + 1;
        let mut rank = 0u64;
        for x in p {
            let x = u64::try_from(*x).ok()?.checked_sub(self.least).filter(|x| *x < side)?;
            rank = rank * side + x;
        }
        Some(rank as usize)
    }

    /// Returns whether a position is P; false outside the box.
    pub fn is_p(&self, p: &[i64]) -> bool {
        let ranked = if self.images == Images::Ascending {
            let mut sorted = p.to_vec();
            sorted.arrange();
            self.rank(&sorted)
        } else {
            self.rank(p)
        };
        ranked.is_some_and(|r| self.bits[r / 64] >> (r % 64) & 1 == 1)
    }

    /// Visits the least position of each class with heaps up to `most`, in lexicographic order,
    /// until `visit` breaks. O(side^heaps · images), less if images leave few positions.
    pub fn each_class(&self, most: u64, visit: &mut dyn FnMut(&[u64], Outcome) -> ControlFlow<()>) {
        let most = most.min(self.most);
        let mut p = vec![self.least; self.heaps];
        let mut signed: Vec<i64> = p.iter().map(|x| *x as i64).collect();
        // Heaps that some image puts first are at least the first heap in the least position of a
        // class.
        let leads = |heap: usize| self.permutations.iter().any(|s| s[0] == heap);
        let leads: Vec<bool> = (0..self.heaps).map(leads).collect();
        loop {
            let before = |s: &Vec<usize>| s.iter().map(|from| p[*from]).lt(p.iter().copied());
            if self.is_domain(&signed) && !self.permutations.iter().any(before) {
                let outcome = if self.is_p(&signed) { Outcome::P } else { Outcome::N };
                if visit(&p, outcome).is_break() {
                    return;
                }
            }
            let Some(place) = p.iter().rposition(|x| *x < most) else { return };
            p[place] += 1;
            for i in place + 1..p.len() {
                p[i] = match self.images {
                    Images::Ascending => p[place],
                    Images::Listed(_) if leads[i] => p[0],
                    Images::Listed(_) => self.least,
                };
            }
            (place..p.len()).for_each(|i| signed[i] = p[i] as i64);
        }
    }

    /// Returns the first position of [`each_class`](Self::each_class) that is wrong. Charges a node
    /// for each position.
    pub(crate) fn first_wrong(
        &self,
        most: u64,
        effort: &SearchBudget<'_>,
        is_wrong: &mut dyn FnMut(&[i64], Outcome) -> bool,
    ) -> Result<Option<Vec<i64>>, LimitReached> {
        let (mut wrong, mut looked) = (Ok(None), 0);
        let mut signed = vec![0; self.heaps];
        self.each_class(most, &mut |p, outcome| {
            looked += 1;
            if let Err(limit) = effort.position(looked) {
                wrong = Err(limit);
                return Break(());
            }
            signed.iter_mut().zip(p).for_each(|(signed, heap)| *signed = *heap as i64);
            if is_wrong(&signed, outcome) {
                wrong = Ok(Some(signed.clone()));
                return Break(());
            }
            Continue(())
        });
        wrong
    }

    /// Returns the greatest d, a proper part of the box, such that outcomes depend on the ⌊x/d⌋ of
    /// the heaps only. O(side · classes · side).
    pub fn grain(&self) -> u64 {
        let side = self.most as i64 + 1;
        let in_blocks = |d: &i64| {
            let end = side / d * d;
            self.classes().filter(|p| p.iter().all(|x| *x < end)).all(|mut p| {
                (0..p.len()).all(|i| {
                    let heap = p[i];
                    let block = heap / d * d;
                    let whole = (block..block + d).all(|x| {
                        p[i] = x;
                        self.is_p(&p)
                    });
                    p[i] = heap;
                    whole
                })
            })
        };
        if self.least > 0 || self.class_count() == 0 {
            return 1;
        }
        (2..=side / 3).rev().find(in_blocks).unwrap_or(1) as u64
    }

    /// Returns how often the table repeats itself: the product of the sides of heaps that no
    /// outcome depends on. O(P-positions · heaps); 1 if heaps may be permuted.
    pub(crate) fn repeats(&self) -> u64 {
        let side = self.most - self.least + 1;
        if self.permutations.len() > 1 || self.images == Images::Ascending {
            return 1;
        }
        let is_idle = |heap: &usize| {
            let lowest =
                self.p_positions().filter(|p| u64::from(p[*heap]) == self.least).count() as u64;
            let mut p = vec![0i64; self.heaps];
            // If each layer has as many P-positions as the lowest, and each of them lies over one
            // of the lowest, the layers are equal.
            lowest * side == self.count() as u64
                && self.p_positions().all(|q| {
                    p.iter_mut().zip(q).for_each(|(place, x)| *place = i64::from(*x));
                    p[*heap] = self.least as i64;
                    self.is_p(&p)
                })
        };
        let idle = (0..self.heaps).filter(is_idle).count() as u32;
        side.saturating_pow(idle.min(self.heaps as u32 - 1))
    }

    /// Returns the share of P-positions in the box.
    pub fn density(&self) -> f64 {
        (self.count() as f64 / self.positions() as f64).max(1e-18)
    }
}

/// A builder of a table.
#[derive(Debug)]
pub struct TableBuilder(OutcomeTable);

impl TableBuilder {
    /// Returns an empty table.
    ///
    /// # Errors
    /// Fails if the box has too many positions.
    ///
    /// # Panics
    /// Panics if a permutation is not one of the heaps.
    pub fn new(
        heaps: usize,
        least: u64,
        most: u64,
        images: Images,
    ) -> Result<TableBuilder, TableError> {
        let side = most.saturating_sub(least) + 1;
        let positions = side.saturating_pow(heaps as u32);
        if heaps == 0 || most > u64::from(u16::MAX) || positions > MAX_POSITIONS {
            return Err(TableError::TooLarge { heaps, most });
        }
        let permutations = images.list(heaps);
        assert!(
            permutations.iter().all(|s| s.len() == heaps && (0..heaps).all(|h| s.contains(&h)))
        );
        let bits = vec![0; positions as usize / 64 + 1];
        Ok(TableBuilder(OutcomeTable {
            heaps,
            least,
            most,
            images,
            permutations,
            bits,
            points: Vec::new(),
            classes: Vec::new(),
            occurring: None,
        }))
    }

    /// Returns the same where only this many positions of the box occur, those of which the claim
    /// holds: others are no evidence.
    ///
    /// # Panics
    /// Panics if the claim is about another number of heaps.
    #[must_use]
    pub fn occurring(mut self, positions: u64, claim: Claim) -> TableBuilder {
        assert_eq!(claim.heaps(), self.0.heaps, "a claim about other positions");
        self.0.occurring = Some((positions, Arc::new(claim)));
        self
    }

    /// Adds a P-position and its images; positions outside the box are ignored.
    pub fn insert(&mut self, p: &[u64]) {
        let table = &mut self.0;
        let mut image = vec![0i64; table.heaps];
        for s in &table.permutations {
            image.iter_mut().zip(s).for_each(|(place, from)| *place = p[*from] as i64);
            if table.images == Images::Ascending {
                image.arrange();
            }
            if let Some(r) = table.rank(&image) {
                table.bits[r / 64] |= 1 << (r % 64);
            }
        }
    }

    /// Adds a P-position without its images, for callers that add all of them.
    pub fn insert_alone(&mut self, p: &[u32]) {
        let table = &mut self.0;
        let image: Vec<i64> = p.iter().map(|x| i64::from(*x)).collect();
        if table.is_domain(&image)
            && let Some(r) = table.rank(&image)
        {
            table.bits[r / 64] |= 1 << (r % 64);
        }
    }

    /// Returns the table.
    pub fn finish(self) -> OutcomeTable {
        let mut table = self.0;
        let side = (table.most - table.least + 1) as usize;
        let mut p = vec![0u16; table.heaps];
        for (i, word) in table.bits.iter().enumerate() {
            let mut word = *word;
            while word != 0 {
                let mut rank = i * 64 + word.trailing_zeros() as usize;
                word &= word - 1;
                for place in p.iter_mut().rev() {
                    *place = (rank % side) as u16 + table.least as u16;
                    rank /= side;
                }
                table.points.extend_from_slice(&p);
            }
        }
        let least_image = |p: &[u16]| {
            let before = |s: &Vec<usize>| s.iter().map(|from| p[*from]).lt(p.iter().copied());
            !table.permutations.iter().any(before)
        };
        table.classes =
            (0..table.count()).filter(|i| least_image(table.point(*i))).map(|i| i as u32).collect();
        table
    }
}
