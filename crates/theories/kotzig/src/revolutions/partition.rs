//! States of an automaton that nothing tells apart: E. F. Moore, *Gedanken-experiments on
//! sequential machines*, 1956.

use super::circle_words::NONE;
use rustc_hash::FxHashMap;

/// Returns the coarsest classes of states that have one kind and lead to the same classes: the
/// class of each state, numbered as they come, and the automaton of the classes. O(rounds ·
/// states), as many rounds as the shortest word that distinguishes two states is long.
pub(super) fn coarsest(next: &[[u32; 2]], kinds: &[u32]) -> (Vec<u32>, Vec<[u32; 2]>) {
    let mut classes = kinds.to_vec();
    let mut count = 0;
    loop {
        let to = |to: u32| if to == NONE { NONE } else { classes[to as usize] };
        let mut ids: FxHashMap<(u32, [u32; 2]), u32> = FxHashMap::default();
        let mut finer = Vec::with_capacity(classes.len());
        for (state, next) in next.iter().enumerate() {
            let fresh = ids.len() as u32;
            finer.push(*ids.entry((classes[state], next.map(to))).or_insert(fresh));
        }
        classes = finer;
        if ids.len() == count {
            break;
        }
        count = ids.len();
    }
    let mut reduced = vec![[NONE; 2]; count];
    for (state, class) in classes.iter().enumerate() {
        reduced[*class as usize] =
            next[state].map(|to| if to == NONE { NONE } else { classes[to as usize] });
    }
    (classes, reduced)
}
