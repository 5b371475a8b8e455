//! Sorting that is compiled once, for slices that are sorted rarely.
//!
//! Each type and order for which `sort` of the standard library is called is a sorting algorithm of
//! its own to the compiler, of ten to forty kilobytes. Here each of them adds a comparison and a
//! swap. What is sorted in an inner loop is sorted by the standard library.

use std::cmp::Ordering;

/// Sorts a slice, stably.
pub trait Arrange {
    /// What is sorted.
    type Item;

    /// Sorts by an order.
    fn arrange_by(&mut self, compare: impl FnMut(&Self::Item, &Self::Item) -> Ordering);

    /// Sorts by a key, which is computed for each comparison.
    fn arrange_by_key<K: Ord>(&mut self, mut key: impl FnMut(&Self::Item) -> K) {
        self.arrange_by(|a, b| key(a).cmp(&key(b)));
    }

    /// Sorts in ascending order.
    fn arrange(&mut self)
    where
        Self::Item: Ord,
    {
        self.arrange_by(Ord::cmp);
    }
}

impl<T> Arrange for [T] {
    type Item = T;

    fn arrange_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering) {
        if self.len() > 1 {
            arrange(self.len(), &mut Slice { items: self, compare });
        }
    }
}

/// Numbered items, whatever their type.
trait Items {
    fn compare(&mut self, i: usize, j: usize) -> Ordering;
    fn swap(&mut self, i: usize, j: usize);
}

struct Slice<'s, T, F> {
    items: &'s mut [T],
    compare: F,
}

impl<T, F: FnMut(&T, &T) -> Ordering> Items for Slice<'_, T, F> {
    fn compare(&mut self, i: usize, j: usize) -> Ordering {
        (self.compare)(&self.items[i], &self.items[j])
    }

    fn swap(&mut self, i: usize, j: usize) {
        self.items.swap(i, j);
    }
}

/// The most items that are sorted by insertion.
const MAX_INSERTION_SORT: usize = 12;

fn arrange(len: usize, items: &mut dyn Items) {
    if len <= MAX_INSERTION_SORT {
        for end in 1..len {
            let mut i = end;
            while i > 0 && items.compare(i, i - 1) == Ordering::Less {
                items.swap(i, i - 1);
                i -= 1;
            }
        }
        return;
    }
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_by(|i, j| items.compare(*i, *j));
    // Place `i` gets what is at `order[i]`, cycle by cycle.
    for start in 0..len {
        let mut i = start;
        loop {
            let next = std::mem::replace(&mut order[i], i);
            if next == start {
                break;
            }
            items.swap(i, next);
            i = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Slices of all small lengths and some greater ones, with few and with many equal keys.
    #[test]
    fn like_the_standard_library() {
        let mut state = 1u64;
        let mut random = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            state >> 33
        };
        for len in (0..=40).chain([100, 1000]) {
            for keys in [1, 2, 5, 1 << 20] {
                for _ in 0..10 {
                    let drawn: Vec<(u64, String)> =
                        (0..len).map(|i| (random() % keys, format!("item {i}"))).collect();
                    let (mut expected, mut found) = (drawn.clone(), drawn);
                    expected.sort_by_key(|(key, _)| *key);
                    found.arrange_by_key(|(key, _)| *key);
                    assert_eq!(found, expected);
                    expected.sort_by(|a, b| b.cmp(a));
                    found.arrange_by(|a, b| b.cmp(a));
                    assert_eq!(found, expected);
                    expected.sort();
                    found.arrange();
                    assert_eq!(found, expected);
                }
            }
        }
    }
}
