use super::*;
use crate::sequence::TakeAndBreakCode;
use crate::sequence::random;
use std::collections::BTreeSet;

/// Compares what is marked at the heaps of a block with all splits: nothing that is no sum, all
/// sums of rare heaps, and all of the small heaps that need no second look.
#[track_caller]
fn marks_sums<S: ValueSets>(
    marks: &mut ExclusionSets<S>,
    moves: &CodeMoves,
    values: &[usize],
    rares: &[u32],
    what: &str,
) {
    let rare: BTreeSet<usize> = rares.iter().map(|rare| *rare as usize).collect();
    let start = marks.small.start;
    for n in start..start + S::HEAPS {
        let before = &rares[..rares.partition_point(|rare| (*rare as usize) < n)];
        marks.mark_short_shifts(moves, before, n, |a, b| values[a] ^ values[b]);
        marks.unmark_zero(n);
        let limit = marks.small.below;
        let marked: BTreeSet<usize> =
            (1..limit).filter(|value| marks.next_unmarked(n, *value) != *value).collect();
        let (mut sums, mut due) = (BTreeSet::new(), BTreeSet::new());
        for (taken, unequal) in &moves.pairs {
            let from = S::HEAPS.saturating_sub(*taken).max(1) + marks.small.skipped;
            let to = (start / 2).min(from + marks.small.count);
            for a in (1..n - taken).filter(|a| !unequal || n - taken != 2 * a) {
                let (b, sum) = (n - taken - a, values[a] ^ values[n - taken - a]);
                sums.insert(sum);
                let small = (from..to).contains(&a) && a <= b;
                if sum > 0 && sum < limit && (small || rare.contains(&a)) {
                    due.insert(sum);
                }
            }
        }
        assert!(due.is_subset(&marked), "{what} {n}: {:?}", due.difference(&marked));
        assert!(marked.is_subset(&sums), "{what} {n}: {:?}", marked.difference(&sums));
    }
}

#[test]
fn what_is_marked_is_what_splits_reach() {
    let mut any = random(1);
    let mut random = |below: usize| any(below as u64) as usize;
    let codes = [
        "0.6",
        "0.07",
        "4!.0",
        "0.4064",
        "0.000000000000000000000000000000000000000000000000000000000000000000004",
    ];
    for round in 0..60 {
        let code = codes[round % codes.len()];
        let moves = CodeMoves::new(&TakeAndBreakCode::parse(code).unwrap()).unwrap();
        let (start, small, most) = (256 + random(300), random(200), [40, 255, 700][round % 3]);
        let values: Vec<usize> = (0..start + LANES).map(|_| random(most + 1)).collect();
        let rares: Vec<u32> = (1..values.len() as u32).filter(|_| random(9) == 0).collect();
        let before = rares.partition_point(|rare| (*rare as usize) < start);
        if most < 256 {
            let bytes: Vec<u8> = values[..start].iter().map(|value| *value as u8).collect();
            for simd in Simd::all() {
                let mut marks = ExclusionSets::from_bytes(
                    simd,
                    &moves,
                    &bytes,
                    &rares[..before],
                    true,
                    small,
                    most,
                );
                marks_sums(&mut marks, &moves, &values, &rares, code);
            }
        }
        let mut words = ValueRuns {
            values: values[..start].iter().map(|value| *value as u16).collect(),
            reversed: Vec::new(),
        };
        words.grow();
        let heaps: Vec<u16> =
            rares[..before].iter().map(|rare| values[*rare as usize] as u16).collect();
        let mut marks = None;
        // The second time in the room of the first.
        for _ in 0..2 {
            let bound = (most + 1).next_power_of_two();
            let mut these = ExclusionSets::from_words(
                marks.take(),
                &moves,
                &words,
                (&rares[..before], &heaps),
                true,
                small,
                bound,
                round % 2 == 0,
            );
            these.mark(start, 2 * bound);
            assert_eq!(these.next_unmarked(start, 2 * bound), 2 * bound + 1);
            assert_eq!(these.next_unmarked(start + 1, 2 * bound), 2 * bound);
            marks_sums(&mut these, &moves, &values, &rares, code);
            marks = Some(these);
        }
    }
}
