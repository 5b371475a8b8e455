//! The nim-values of heaps from 0 on, and the values of the options of the next heap.

/// The values of heaps from 0 on, and where each value occurs.
#[derive(Debug)]
pub struct ValueTable {
    values: Vec<u32>,
    /// For each value the first and the last heap that has it.
    ends: Vec<[u32; 2]>,
    /// The least value that no heap has.
    least_unused: usize,
    /// The heap among whose options a value was seen last; a power of two of them.
    seen: Vec<u32>,
    /// Options that were visited one by one.
    visited: u64,
}

/// No heap.
const NEVER: [u32; 2] = [u32::MAX, 0];

impl Default for ValueTable {
    fn default() -> Self {
        ValueTable::with_empty_heap(0)
    }
}

impl ValueTable {
    /// Returns the table of heap 0 alone, with this value.
    pub fn with_empty_heap(value: u32) -> ValueTable {
        let mut table = ValueTable {
            values: Vec::new(),
            ends: Vec::new(),
            least_unused: 0,
            seen: vec![0; 64],
            visited: 0,
        };
        table.push(value);
        table
    }

    /// Returns the values.
    pub fn values(&self) -> &[u32] {
        &self.values
    }

    /// Adds the value of the next heap.
    pub fn push(&mut self, value: u32) {
        let (heap, value) = (self.values.len() as u32, value as usize);
        self.values.push(value as u32);
        if self.ends.len() <= value {
            self.ends.resize(value + 1, NEVER);
        }
        let [first, last] = &mut self.ends[value];
        (*first, *last) = ((*first).min(heap), heap);
        while self.ends.get(self.least_unused).is_some_and(|ends| *ends != NEVER) {
            self.least_unused += 1;
        }
        // All nim-sums of values have a place.
        while self.seen.len() <= value {
            self.seen.resize(2 * self.seen.len(), 0);
        }
    }

    /// Returns how many options were visited since [`ValueTable::forget_visited`].
    pub fn visited(&self) -> u64 {
        self.visited
    }

    /// Starts to count anew.
    pub fn forget_visited(&mut self) {
        self.visited = 0;
    }

    /// Starts to collect the values of the options of the next heap.
    pub fn marks(&mut self) -> Marks<'_> {
        Marks { table: self, up_to: None, from: u32::MAX }
    }
}

/// The values of the options of the next heap.
#[derive(Debug)]
pub struct Marks<'t> {
    table: &'t mut ValueTable,
    /// All heaps up to this one are options, and all from that one on.
    up_to: Option<u32>,
    from: u32,
}

impl Marks<'_> {
    /// Returns the next heap.
    pub fn heap(&self) -> u32 {
        self.table.values.len() as u32
    }

    /// Returns the value of a smaller heap.
    pub fn value(&self, size: u32) -> u32 {
        self.table.values[size as usize]
    }

    /// Counts options that were looked at without being marked.
    #[cfg(not(target_family = "wasm"))]
    pub fn visit(&mut self, options: u64) {
        self.table.visited += options;
    }

    /// Marks the value of an option.
    pub fn mark_value(&mut self, value: u32) {
        let (heap, value) = (self.heap(), value as usize);
        self.table.visited += 1;
        if value >= self.table.seen.len() {
            self.table.seen.resize((value + 1).next_power_of_two(), 0);
        }
        self.table.seen[value] = heap;
    }

    /// Marks the options with the numbers from one to another: their moving heaps are step · number
    /// plus rest, their other heaps have this value.
    #[cfg(not(target_family = "wasm"))]
    pub fn mark_options(&mut self, moving: &[(i64, i64)], [low, high]: [i64; 2], fixed: u32) {
        let heap = self.heap();
        let ValueTable { values, seen, visited, .. } = &mut *self.table;
        *visited += (high - low) as u64 + 1;
        let mask = seen.len() - 1;
        let mut set = |value: u32| seen[value as usize & mask] = heap;
        // The sizes of a heap whose step is 1 or −1, ascending.
        let run = |step: i64, rest: i64| match step {
            1 => &values[(low + rest) as usize..=(high + rest) as usize],
            _ => &values[(rest - high) as usize..=(rest - low) as usize],
        };
        match *moving {
            [(step @ (1 | -1), rest)] => {
                let (least, most) = match step {
                    1 => (low + rest, high + rest),
                    _ => (rest - high, rest - low),
                };
                if fixed == 0 && least == 0 {
                    self.up_to = self.up_to.max(Some(most as u32));
                } else if fixed == 0 && most + 1 == i64::from(heap) {
                    self.from = self.from.min(least as u32);
                } else {
                    run(step, rest).iter().for_each(|value| set(value ^ fixed));
                }
            }
            [(1, first), (-1, second)] => {
                let pairs = run(1, first).iter().zip(run(-1, second).iter().rev());
                pairs.for_each(|(one, other)| set(one ^ other ^ fixed));
            }
            [(one, first), (other, second)] => {
                let size = |step: i64, rest: i64, number: i64| (step * number + rest) as usize;
                let pairs = (low..=high).map(|at| [size(one, first, at), size(other, second, at)]);
                pairs.for_each(|[one, other]| set(values[one] ^ values[other] ^ fixed));
            }
            _ => {
                for number in low..=high {
                    let heaps = moving.iter();
                    set(heaps.fold(fixed, |value, (step, rest)| {
                        value ^ values[(step * number + rest) as usize]
                    }));
                }
            }
        }
    }

    /// Returns whether no option is marked, where 0 and 1 are all values.
    pub fn is_empty(&self) -> bool {
        let heap = self.heap();
        self.up_to.is_none() && self.from == u32::MAX && !self.table.seen[..2].contains(&heap)
    }

    /// Returns the least value that no option has.
    pub fn least_unmarked(&self) -> u32 {
        let ValueTable { values, ends, least_unused, seen, .. } = &*self.table;
        let heap = values.len() as u32;
        let is_whole = self.up_to.is_some_and(|up_to| up_to + 1 == heap);
        let is_reached = |value: usize| {
            let by_range = ends.get(value).is_some_and(|[first, last]| {
                *first != u32::MAX
                    && (self.up_to.is_some_and(|up_to| *first <= up_to) || *last >= self.from)
            });
            by_range || seen.get(value) == Some(&heap)
        };
        let mut value = if is_whole { *least_unused } else { 0 };
        while is_reached(value) {
            value += 1;
        }
        value as u32
    }
}
