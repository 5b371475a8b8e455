//! Lists of numbers, each kept once and known by number.

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// An arena of lists; equal lists have equal numbers, counted from 0 in the order met.
#[derive(Debug, Default)]
pub struct Slices {
    data: Vec<u32>,
    ends: Vec<u32>,
    /// Hash codes, so that a table that grows need not read the lists again.
    codes: Vec<u64>,
    table: HashTable<u32>,
}

/// Hashes long lists four numbers at a time, so that no product waits for the one before.
fn hash(list: &[u32]) -> u64 {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let fours = list.chunks_exact(4);
    let mut hasher = FxHasher::default();
    fours.remainder().iter().for_each(|&x| hasher.write_u32(x));
    let mut sums = [0u64; 4];
    for four in fours {
        for (sum, x) in sums.iter_mut().zip(four) {
            *sum = (*sum ^ u64::from(*x)).wrapping_mul(ODD).rotate_left(23);
        }
    }
    sums.into_iter().filter(|sum| *sum != 0).for_each(|sum| hasher.write_u64(sum));
    hasher.finish()
}

fn get<'d>(data: &'d [u32], ends: &[u32], id: u32) -> &'d [u32] {
    let start = if id == 0 { 0 } else { ends[id as usize - 1] as usize };
    &data[start..ends[id as usize] as usize]
}

impl Slices {
    /// Returns the number of a list, and whether it is new. At most 2^32 numbers in all.
    #[inline]
    pub fn insert(&mut self, list: &[u32]) -> (u32, bool) {
        let Slices { data, ends, codes, table } = self;
        let code = hash(list);
        let same = |&id: &u32| codes[id as usize] == code && get(data, ends, id) == list;
        if let Some(&id) = table.find(code, same) {
            return (id, false);
        }
        let id = ends.len() as u32;
        data.extend_from_slice(list);
        ends.push(u32::try_from(data.len()).expect("budgets keep arenas below 16 GiB"));
        codes.push(code);
        table.insert_unique(code, id, |&id| codes[id as usize]);
        (id, true)
    }

    /// Returns the list with this number.
    #[inline]
    pub fn get(&self, id: u32) -> &[u32] {
        get(&self.data, &self.ends, id)
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns how many lists there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the bytes kept, roughly.
    pub fn bytes(&self) -> usize {
        4 * self.data.capacity()
            + 4 * self.ends.capacity()
            + 8 * self.codes.capacity()
            + 5 * self.table.capacity()
    }
}
