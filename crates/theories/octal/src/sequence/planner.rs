//! Choice of the engine of a nim-sequence, by density of rare heaps, size of values and memory.
//!
//! ```text
//! engine        stops because              next engine
//! Plain         PLAIN_PREFIX heaps known   Splits, or Plain for good if a value exceeds two bytes
//! Splits        length doubled             Sparse or PagedSparse if it is faster, else Splits
//! Splits        a value is too large       Plain for good
//! Splits        memory is full             Sparse or PagedSparse, pinned
//! Sparse        many rare or large values  PagedSparse if it is faster, else Splits
//! PagedSparse   many rare heaps            Splits
//! PagedSparse   a value is too large       Splits
//! either sparse many rare, memory is full  itself, pinned
//! ```
//!
//! Games without two-heap moves, and codes that repeat or leave more than two heaps, stay with the
//! plain engine. A pinned engine continues even if another one would be faster.

use super::byte_values::ByteValues;
use super::code::TakeAndBreakCode;
use super::engine::Engine;
use super::moves::CodeMoves;
use super::paged_sparse::PagedSparseEngine;
use super::plain;
use super::sparse::{SparseEngine, SparseStop};
use super::split_engine::{SplitEngine, SplitStop};
use super::storage::StorageBudget;
use bouton_core::{LimitReached, Meter};
use bouton_simd::Simd;

/// Number of heaps computed by the plain engine before another one takes over.
pub const PLAIN_PREFIX: usize = 256;

/// Maximum number of heaps of a sparse space, where only the sizes of rare heaps must be 32-bit
/// numbers.
pub const MAX_HEAPS: usize =
    if usize::BITS > 32 { (1u64 << 40) as usize } else { MAX_NARROW_HEAPS };

/// Maximum number of heaps of other engines: sizes, plus the tokens taken, are 32-bit numbers.
pub const MAX_NARROW_HEAPS: usize = u32::MAX as usize - (1 << 16);

/// Bytes of memory for each value in the split engine.
const SPLIT_ENGINE_BYTES: u64 = 8;

/// The conditions under which an engine is chosen.
#[derive(Debug, Clone, Copy)]
pub struct Planner<'s> {
    /// Limits of the memory.
    pub storage: &'s StorageBudget,
    /// Instructions to use.
    pub simd: Simd,
}

/// Returns the values of a split engine as 32-bit numbers.
fn known(splits: &SplitEngine) -> impl ExactSizeIterator<Item = u32> + Clone {
    splits.values().iter().map(|value| u32::from(*value))
}

impl Planner<'_> {
    /// Returns the engine that continues from known values.
    ///
    /// # Errors
    ///
    /// If the values exceed the memory.
    pub fn resume(self, engine: Engine, values: ByteValues) -> Result<Engine, LimitReached> {
        Ok(match engine {
            Engine::Plain(_, Some(moves)) if values.len() >= PLAIN_PREFIX => {
                match SparseEngine::new(&moves, values, self.simd) {
                    Ok(mut sparse)
                        if sparse.is_profitable() || !self.has_room_for_splits(sparse.len()) =>
                    {
                        if !sparse.is_profitable() {
                            sparse.pin();
                        }
                        Engine::Sparse(Box::new(sparse), moves)
                    }
                    Ok(sparse) => {
                        let known = (0..sparse.len()).map(|n| sparse.value(n));
                        self.without_sparse(moves, known)?
                    }
                    Err((_, values)) => self.without_sparse(moves, values.iter())?,
                }
            }
            Engine::Plain(_, moves) => Engine::Plain(self.collected(&values)?, moves),
            Engine::Subtraction(game) => Engine::Subtraction(game.resume(self.collected(&values)?)),
            engine => engine,
        })
    }

    /// Returns all values as 32-bit numbers.
    fn collected(self, values: &ByteValues) -> Result<Vec<u32>, LimitReached> {
        self.storage.check(size_of::<u32>() as u64 * values.len() as u64)?;
        Ok(values.iter().collect())
    }

    /// Reserves memory for `len` values; returns the engine that needs less of it if that fails.
    ///
    /// # Errors
    ///
    /// If no engine has enough memory.
    pub fn reserve(self, engine: &Engine, len: usize) -> Result<Option<Engine>, LimitReached> {
        match engine {
            Engine::Sparse(..) | Engine::PagedSparse(..) | Engine::Plain(_, Some(_)) => Ok(None),
            Engine::Splits(splits, moves) => {
                let Err(full) = self.storage.check(SPLIT_ENGINE_BYTES * len as u64) else {
                    return Ok(None);
                };
                match self.sparse(moves, splits.values(), len)? {
                    Some(mut sparse) => {
                        sparse.pin();
                        Ok(Some(Engine::Sparse(Box::new(sparse), moves.clone())))
                    }
                    None => self.pinned_paged(moves.clone(), known(splits))?.ok_or(full).map(Some),
                }
            }
            Engine::Plain(_, None) | Engine::Subtraction(_) => {
                self.storage.check(size_of::<u32>() as u64 * len as u64)?;
                Ok(None)
            }
        }
    }

    /// Extends the values of an engine to heaps 0..`len`, or until another engine should take over,
    /// which is returned.
    ///
    /// `threads` returns the number of threads; it is called only if that matters.
    ///
    /// # Errors
    ///
    /// If the budget ends.
    pub fn advance(
        self,
        engine: &mut Engine,
        code: Option<&TakeAndBreakCode>,
        len: usize,
        threads: impl Fn() -> usize,
        meter: &mut Meter,
    ) -> Result<Option<Engine>, LimitReached> {
        match engine {
            Engine::Subtraction(game) => game.extend(len, meter).map(|()| None),
            Engine::Plain(values, moves) => {
                let code = code.expect("this engine belongs to a code");
                if moves.is_some() {
                    plain::extend_by_splits(code, values, len.min(PLAIN_PREFIX), meter)?;
                } else {
                    plain::extend(code, values, len, meter)?;
                }
                match moves.take_if(|_| values.len() >= PLAIN_PREFIX) {
                    Some(moves) => self.splits_or_plain(moves, std::mem::take(values)).map(Some),
                    None => Ok(None),
                }
            }
            Engine::Splits(splits, moves) => match splits.extend(moves, len, meter) {
                Ok(()) => Ok(None),
                Err(SplitStop::LimitReached(spent)) => Err(spent),
                Err(SplitStop::Doubled) => self.after_doubling(splits, moves, len),
                Err(SplitStop::ValueTooLarge) => {
                    Ok(Some(Engine::Plain(known(splits).collect(), None)))
                }
            },
            Engine::Sparse(sparse, moves) => match sparse.extend(moves, len, threads, meter) {
                Ok(()) => Ok(None),
                Err(SparseStop::LimitReached(spent)) => Err(spent),
                Err(SparseStop::TooDense) if !self.has_room_for_splits(len) => {
                    sparse.pin();
                    Ok(None)
                }
                Err(SparseStop::ValueTooLarge | SparseStop::TooDense) => {
                    let known = (0..sparse.len()).map(|n| sparse.value(n));
                    self.without_sparse(moves.clone(), known).map(Some)
                }
            },
            Engine::PagedSparse(paged, moves) => match paged.extend(moves, len, meter) {
                Ok(()) => Ok(None),
                Err(SparseStop::LimitReached(spent)) => Err(spent),
                Err(SparseStop::TooDense) if !self.has_room_for_splits(len) => {
                    paged.pin();
                    Ok(None)
                }
                Err(SparseStop::ValueTooLarge | SparseStop::TooDense) => {
                    self.storage.check(SPLIT_ENGINE_BYTES * paged.len() as u64)?;
                    let known = (0..paged.len()).map(|n| paged.value(n)).collect();
                    self.splits_or_plain(moves.clone(), known).map(Some)
                }
            },
        }
    }

    /// Returns the engine that is faster than the split engine from these values on, if there is
    /// one.
    fn after_doubling(
        self,
        splits: &SplitEngine,
        moves: &CodeMoves,
        len: usize,
    ) -> Result<Option<Engine>, LimitReached> {
        if SparseEngine::is_suitable(moves, splits.values()) {
            let sparse = self.sparse(moves, splits.values(), len)?;
            Ok(sparse.map(|sparse| Engine::Sparse(Box::new(sparse), moves.clone())))
        } else {
            let paged = self.suitable_paged(moves, known(splits))?;
            Ok(paged.map(|paged| Engine::PagedSparse(Box::new(paged), moves.clone())))
        }
    }

    /// Returns whether memory holds `len` values of the split engine.
    fn has_room_for_splits(self, len: usize) -> bool {
        self.storage.check(SPLIT_ENGINE_BYTES * len as u64).is_ok()
    }

    /// Returns the split engine for known values, or the plain one if a value exceeds two bytes.
    fn splits_or_plain(self, moves: CodeMoves, values: Vec<u32>) -> Result<Engine, LimitReached> {
        check_narrow(values.len())?;
        self.storage.check(SPLIT_ENGINE_BYTES * values.len() as u64)?;
        Ok(match SplitEngine::new(&moves, values.iter().copied(), self.simd) {
            Some(splits) => Engine::Splits(Box::new(splits), moves),
            None => Engine::Plain(values, None),
        })
    }

    /// Returns a sparse engine for known values; `None` if too many of them are above 255.
    fn sparse(
        self,
        moves: &CodeMoves,
        values: &[u16],
        len: usize,
    ) -> Result<Option<SparseEngine>, LimitReached> {
        let mut known = ByteValues::new(self.storage.clone());
        known.reserve(len.max(values.len()))?;
        values.iter().for_each(|value| known.push(u32::from(*value)));
        Ok(SparseEngine::new(moves, known, self.simd).ok())
    }

    /// Returns the fastest engine for values for which the sparse engine is unsuitable.
    fn without_sparse(
        self,
        moves: CodeMoves,
        values: impl ExactSizeIterator<Item = u32> + Clone,
    ) -> Result<Engine, LimitReached> {
        match self.suitable_paged(&moves, values.clone())? {
            Some(paged) => Ok(Engine::PagedSparse(Box::new(paged), moves)),
            None => match self.storage.check(SPLIT_ENGINE_BYTES * values.len() as u64) {
                Ok(()) => self.splits_or_plain(moves, values.collect()),
                Err(full) => self.pinned_paged(moves, values)?.ok_or(full),
            },
        }
    }

    /// Returns a pinned paged engine, which needs the least memory; `None` if a value is too large.
    fn pinned_paged(
        self,
        moves: CodeMoves,
        values: impl ExactSizeIterator<Item = u32> + Clone,
    ) -> Result<Option<Engine>, LimitReached> {
        let paged = PagedSparseEngine::new(&moves, values, self.storage, self.simd)?;
        Ok(paged.map(|mut paged| {
            paged.pin();
            Engine::PagedSparse(Box::new(paged), moves)
        }))
    }

    /// Returns a paged engine; `None` if another engine is faster or a value is too large.
    fn suitable_paged(
        self,
        moves: &CodeMoves,
        values: impl ExactSizeIterator<Item = u32> + Clone,
    ) -> Result<Option<PagedSparseEngine>, LimitReached> {
        if PagedSparseEngine::is_suitable(moves, values.clone(), self.simd) {
            PagedSparseEngine::new(moves, values, self.storage, self.simd)
        } else {
            Ok(None)
        }
    }
}

/// Returns an error unless engines without a sparse space take one more heap after `len`.
pub fn check_narrow(len: usize) -> Result<(), LimitReached> {
    if len < MAX_NARROW_HEAPS {
        Ok(())
    } else {
        Err(LimitReached::TooManyHeaps(MAX_NARROW_HEAPS as u64))
    }
}
