//! "Take from a window" games as plain data: a move lowers at least one heap, all of them inside
//! one face.
//!
//! Source: R. Ehrenborg, E. Steingrímsson, *Playing Nim on a simplicial complex*, Electron. J.
//! Combin. 3(1) (1996) R9. Nim has the single heaps as faces, Moore's game all sets of a given
//! size, circular Nim the k consecutive heaps.

use super::HeapTableError;
use bouton_core::MAX_HEAPS;

/// A game of heaps 0..n whose moves lower any heaps of one face, at least one token in all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Windows {
    heaps: usize,
    faces: Vec<u32>,
}

impl Windows {
    /// Returns the game on a list of faces, each a bit mask of heaps. Fails unless there are 2 to
    /// 15 heaps, each of them in some face.
    pub fn simplicial(heaps: usize, faces: &[u32]) -> Result<Windows, HeapTableError> {
        if !(2..=MAX_HEAPS).contains(&heaps) {
            return Err(HeapTableError::WrongHeapCount(heaps));
        }
        let all = (1 << heaps) - 1;
        if faces.iter().any(|f| f & !all != 0) || faces.iter().fold(0, |union, f| union | f) != all
        {
            return Err(HeapTableError::Faces);
        }
        let mut maximal: Vec<u32> = Vec::new();
        for face in faces {
            if !maximal.iter().any(|m| m & face == *face) {
                maximal.retain(|m| m & face != *m);
                maximal.push(*face);
            }
        }
        Ok(Windows { heaps, faces: maximal })
    }

    /// Returns CN(n,k): windows of k consecutive heaps on a circle of n. A window of n or more is
    /// all heaps.
    pub fn circular(n: usize, k: usize) -> Result<Windows, HeapTableError> {
        if !(2..=MAX_HEAPS).contains(&n) {
            return Err(HeapTableError::WrongHeapCount(n));
        }
        let window = |start: usize| (0..k.min(n)).fold(0, |face, i| face | 1 << ((start + i) % n));
        Windows::simplicial(n, &(0..n).map(window).collect::<Vec<u32>>())
    }

    /// Returns Moore's game: any `most` heaps; 1 is Nim.
    pub fn moore(n: usize, most: usize) -> Result<Windows, HeapTableError> {
        if !(2..=MAX_HEAPS).contains(&n) {
            return Err(HeapTableError::WrongHeapCount(n));
        }
        let size = most.min(n) as u32;
        let faces: Vec<u32> = (1..1 << n).filter(|face: &u32| face.count_ones() == size).collect();
        Windows::simplicial(n, &faces)
    }

    /// Returns the number of heaps.
    pub fn heaps(&self) -> usize {
        self.heaps
    }

    /// Returns the maximal faces, as bit masks.
    pub fn faces(&self) -> &[u32] {
        &self.faces
    }
}
