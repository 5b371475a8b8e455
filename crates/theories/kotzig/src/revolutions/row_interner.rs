//! Rows of values, each kept once, and in pieces that are kept once: rows of neighbouring
//! positions differ little.

use rustc_hash::FxHashMap;

const PIECE: usize = 64;

#[derive(Debug, Default)]
pub(super) struct RowInterner {
    pieces: Vec<[u8; PIECE]>,
    piece_ids: FxHashMap<[u8; PIECE], u32>,
    rows: Vec<Box<[u32]>>,
    row_ids: FxHashMap<Box<[u32]>, u32>,
}

impl RowInterner {
    /// Returns the number of a row; equal rows have one.
    pub(super) fn id(&mut self, row: &[u8]) -> u32 {
        let pieces: Box<[u32]> = row
            .chunks(PIECE)
            .map(|values| {
                let mut piece = [0; PIECE];
                piece[..values.len()].copy_from_slice(values);
                let fresh = self.pieces.len() as u32;
                let id = *self.piece_ids.entry(piece).or_insert(fresh);
                if id == fresh {
                    self.pieces.push(piece);
                }
                id
            })
            .collect();
        let fresh = self.rows.len() as u32;
        let id = *self.row_ids.entry(pieces.clone()).or_insert(fresh);
        if id == fresh {
            self.rows.push(pieces);
        }
        id
    }

    pub(super) fn get(&self, row: u32, at: usize) -> u8 {
        self.pieces[self.rows[row as usize][at / PIECE] as usize][at % PIECE]
    }

    /// Writes a row of this length.
    pub(super) fn write(&self, row: u32, to: &mut [u8]) {
        for (piece, to) in self.rows[row as usize].iter().zip(to.chunks_mut(PIECE)) {
            to.copy_from_slice(&self.pieces[*piece as usize][..to.len()]);
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        let pieces = self.rows.first().map_or(0, |row| row.len());
        (self.pieces.len() * (2 * PIECE + 8) + self.rows.len() * (8 * pieces + 48)) as u64
    }
}
