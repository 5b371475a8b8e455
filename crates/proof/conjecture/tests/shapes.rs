//! Forms found again: those of games, checked on larger boxes and by the rules; those of random
//! tables; and noise.
#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_conjecture::{
    Cases, Cell, ClosedForm, Condition, FittedForm, Images, OutcomeTable, Space, TableBuilder,
};
use bouton_core::{Budget, LimitReached, Meter, Play, Symmetry, Watch};
use bouton_heaps::heap_tables::{Windows, shrinking, sweep};
use std::ops::ControlFlow::Continue;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Returns the form of a table without a limit.
fn conjecture(table: &OutcomeTable) -> FittedForm {
    bouton_conjecture::conjecture(table, &mut Meter::new(&Budget::default()))
}

fn mismatch(form: &ClosedForm, table: &OutcomeTable) -> Option<Vec<i64>> {
    form.mismatch(table, &mut Meter::new(&Budget::default())).unwrap()
}

fn table_of(game: &Windows, symmetry: Symmetry, max: u32) -> OutcomeTable {
    let mut builder = TableBuilder::new(
        game.heaps(),
        0,
        max.into(),
        Images::from_symmetry(symmetry, game.heaps()),
    )
    .unwrap();
    let _ = sweep::<()>(game, max, Play::Normal, 1 << 30, |p| {
        builder.insert(&p.iter().map(|x| u64::from(*x)).collect::<Vec<_>>());
        Continue(())
    })
    .unwrap();
    builder.finish()
}

/// Checks that the form of the smaller box is that of the larger one.
fn holds_further(game: &Windows, symmetry: Symmetry, max: u32, further: u32) -> ClosedForm {
    let found = conjecture(&table_of(game, symmetry, max));
    assert_eq!(found.missed_count, 0, "{game:?} {}", found.form);
    assert!(found.evidence > 0.0, "{game:?}");
    assert_eq!(
        mismatch(&found.form, &table_of(game, symmetry, further)),
        None,
        "{game:?}: {}",
        found.form
    );
    found.form
}

#[test]
fn circles() {
    for (n, k, max, further) in [
        (3, 1, 15, 40),
        (3, 2, 15, 40),
        (4, 1, 15, 33),
        (4, 2, 15, 40),
        (4, 3, 15, 40),
        (5, 2, 14, 24),
        (5, 3, 14, 24),
        (5, 4, 10, 20),
        (6, 3, 9, 13),
        (6, 4, 13, 18),
    ] {
        holds_further(&Windows::circular(n, k).unwrap(), Symmetry::Ring, max, further);
    }
}

#[test]
fn any_heaps() {
    for (n, most, max, further) in [(3, 1, 15, 63), (5, 1, 7, 15), (4, 2, 15, 31), (6, 2, 7, 9)] {
        holds_further(&Windows::moore(n, most).unwrap(), Symmetry::Full, max, further);
    }
}

/// Moore's game, b = 4, five heaps: below 30 one of the heaps has every digit that any heap has, so
/// the others together are three times that heap. The first position without such a heap is
/// 15,23,27,29,30 (Moore's theorem). The form must not contain this accident.
#[test]
fn accidents_of_small_tables_are_not_said() {
    let form = holds_further(&Windows::moore(5, 3).unwrap(), Symmetry::Full, 15, 31);
    assert_eq!(form.text().unwrap(), "xor4 = 0");
}

#[test]
fn shrinking_circles() {
    for (n, k, max, further) in [(3, 1, 15, 30), (4, 2, 15, 40), (5, 3, 24, 32), (5, 4, 12, 16)] {
        let table = |max: u32| {
            let mut builder =
                TableBuilder::new(n, 1, max.into(), Images::from_symmetry(Symmetry::Ring, n))
                    .unwrap();
            let _ = shrinking::sweep::<()>(n, k, max, 1 << 30, |p| {
                builder.insert(&p.iter().map(|x| u64::from(*x)).collect::<Vec<_>>());
                Continue(())
            })
            .unwrap();
            builder.finish()
        };
        let found = conjecture(&table(max));
        assert_eq!(found.missed_count, 0, "SCN({n},{k}) {}", found.form);
        assert_eq!(mismatch(&found.form, &table(further)), None, "SCN({n},{k}) {}", found.form);
    }
}

/// Returns the positions of a box that a form contains.
fn table_with(form: &Cases, symmetry: Symmetry, most: u64) -> OutcomeTable {
    let images = Images::from_symmetry(symmetry, form.heaps);
    let mut builder = TableBuilder::new(form.heaps, 0, most, images.clone()).unwrap();
    let side = most + 1;
    for code in 0..side.pow(form.heaps as u32) {
        let p: Vec<i64> =
            (0..form.heaps as u32).map(|i| (code / side.pow(i) % side) as i64).collect();
        if form.cells.iter().any(|cell| cell.holds(&p)) {
            builder.insert(&p.iter().map(|x| *x as u64).collect::<Vec<_>>());
        }
    }
    builder.finish()
}

/// Returns a random form: one or two equations with small coefficients, an inequality, a remainder.
fn made_up(seed: u64, heaps: usize) -> Cases {
    let mut drawn = fastrand::Rng::with_seed(seed);
    let mut below = |bound: u64| drawn.u64(..bound);
    loop {
        let mut row = |constants: u64| -> Vec<i64> {
            let mut row: Vec<i64> = (0..heaps).map(|_| below(3) as i64 - 1).collect();
            row.push(below(constants) as i64);
            row
        };
        let equations: Vec<Vec<i64>> = (0..1 + seed as usize % 2).map(|_| row(3)).collect();
        let Some(space) = Space::new(heaps, &equations) else { continue };
        let both_signs = |row: &Vec<i64>| row[..heaps].contains(&1) && row[..heaps].contains(&-1);
        if space.dimension() < 2 || !equations.iter().all(both_signs) {
            continue;
        }
        let (i, j) = (below(heaps as u64) as usize, below(heaps as u64) as usize);
        let mut order = vec![0; heaps + 1];
        order[i] += 1;
        order[j] -= 1;
        let mut heap = vec![0; heaps + 1];
        heap[j] = 1;
        let more = match seed % 3 {
            0 => vec![],
            1 if i != j => vec![Condition::AtLeast(order)],
            _ => vec![Condition::Remainder(heap, 2, 1)],
        };
        return Cases { heaps, cells: vec![Cell { space, conditions: more }], exceptions: vec![] };
    }
}

#[test]
fn made_up_forms_are_found_again() {
    for seed in 0..24 {
        let heaps = 3 + seed as usize % 2;
        let form = made_up(seed, heaps);
        let symmetry = if seed % 4 < 2 { Symmetry::Ring } else { Symmetry::None };
        let (table, larger) = (table_with(&form, symmetry, 13), table_with(&form, symmetry, 20));
        if table.class_count() < 20 {
            continue;
        }
        let found = conjecture(&table);
        assert_eq!(found.missed_count, 0, "{} became {}", form.text(), found.form);
        assert_eq!(mismatch(&found.form, &larger), None, "{} became {}", form.text(), found.form);
    }
}

#[test]
fn noise_has_no_form() {
    for seed in 1..6u64 {
        for (heaps, most, one_in) in [(3usize, 14u64, 15u64), (4, 7, 8), (2, 60, 40)] {
            let mut drawn = fastrand::Rng::with_seed(seed);
            let mut positions: Vec<Vec<u64>> = Vec::new();
            for code in 0..(most + 1).pow(heaps as u32) {
                if drawn.u64(..one_in) == 0 {
                    positions.push(
                        (0..heaps as u32).map(|i| code / (most + 1).pow(i) % (most + 1)).collect(),
                    );
                }
            }
            let images = Images::from_symmetry(Symmetry::None, heaps);
            let table = OutcomeTable::new(heaps, 0, most, images, positions.iter().map(|p| &p[..]))
                .unwrap();
            let found = conjecture(&table);
            assert!(
                found.missed_count > found.classes / 2,
                "{heaps} heaps, seed {seed}: {}",
                found.form
            );
        }
    }
}

/// An interrupted search says so, and its form contains no N-position; the same nodes give the same
/// form.
#[test]
fn a_search_ends_with_its_budget() {
    let table = table_of(&Windows::circular(6, 3).unwrap(), Symmetry::Ring, 9);
    let with = |budget: &Budget| {
        let mut meter = Meter::new(budget);
        let found = bouton_conjecture::conjecture(&table, &mut meter);
        (found, meter.nodes())
    };
    let (whole, spent) = with(&Budget::default());
    assert!(whole.is_whole() && whole.cut.is_none());
    let late = Budget::default().within(Duration::ZERO);
    let watch = Watch::default();
    watch.stop.store(true, Ordering::Relaxed);
    let stopped = Budget { watch: Some(watch.into()), ..Budget::default() };
    for (budget, limit) in
        [(late, LimitReached::Time(Duration::ZERO)), (stopped, LimitReached::Cancelled)]
    {
        let (found, nodes) = with(&budget);
        assert_eq!((found.cut, found.missed_count, nodes), (Some(limit), table.class_count(), 0));
        assert_eq!(whole.form.mismatch(&table, &mut Meter::new(&budget)), Err(limit));
    }
    for share in [2, 3, 10, 100] {
        let few = Budget { nodes: Some(spent / share), ..Budget::default() };
        let (found, nodes) = with(&few);
        assert_eq!(with(&few), (found.clone(), nodes));
        let ClosedForm::Cases(cases) = &found.form else { panic!("{}", found.form) };
        let said = table_with(cases, Symmetry::Ring, 9);
        assert!(said.classes().all(|p| table.is_p(&p)), "{}", found.form);
        assert!(
            found.missed_count > 0 && found.cut.is_some() || found.is_whole(),
            "{}",
            found.form
        );
    }
}

/// Returns the outcomes of one heap, from 0 on.
fn one_heap(most: u64, options: impl Fn(u64) -> Vec<u64>) -> OutcomeTable {
    let mut lost: Vec<bool> = Vec::new();
    for n in 0..=most {
        let is_lost = options(n).iter().all(|q| !lost[*q as usize]);
        lost.push(is_lost);
    }
    let p: Vec<[u64; 1]> = (0..=most).filter(|n| lost[*n as usize]).map(|n| [n]).collect();
    OutcomeTable::new(1, 0, most, Images::Listed(vec![vec![0]]), p.iter().map(|p| &p[..])).unwrap()
}

/// Take one, or leave a fifth: between powers of five every second heap is P, and the parity
/// changes at each power. A list of exceptions before the last change is no conjecture, whatever
/// the end of the table.
#[test]
fn lists_of_exceptions_are_no_conjecture() {
    let fifth =
        |n: u64| [n.checked_sub(1), Some(n / 5).filter(|q| *q < n)].into_iter().flatten().collect();
    for most in (20..=620).step_by(20) {
        let table = one_heap(most, fifth);
        let found = conjecture(&table);
        assert!(!found.is_whole(), "to {most}: {}", found.form);
        // The next octave contradicts the apparent form.
        if found.missed_count == 0 {
            assert!(
                mismatch(&found.form, &one_heap(6 * most, fifth)).is_some(),
                "to {most}: {}",
                found.form
            );
        }
    }
    // Bounded takings have periods: 1, 3 or 4 tokens.
    let taken = |n: u64| [1, 3, 4].iter().filter_map(|k| n.checked_sub(*k)).collect();
    let found = conjecture(&one_heap(60, taken));
    assert!(found.is_whole(), "{found:?}");
    assert_eq!(found.form.to_string(), "a mod 7 = 0 | a mod 7 = 2");
    assert!(found.said < found.data() && found.data() <= 61.0, "{found:?}");
}

/// A set that one heap determines is observed in that heap alone: 13 sizes of it are 13 bits, not
/// 13³.
#[test]
fn heaps_without_a_say_add_no_evidence() {
    let three = |holds: &dyn Fn(u64) -> bool| {
        let images = Images::Listed(vec![vec![0, 1, 2]]);
        let all = (0..13u64.pow(3)).map(|i| [i / 169, i / 13 % 13, i % 13]);
        let p: Vec<[u64; 3]> = all.filter(|p| holds(p[1])).collect();
        conjecture(&OutcomeTable::new(3, 0, 12, images, p.iter().map(|p| &p[..])).unwrap())
    };
    let few = three(&|b| [0, 1, 4].contains(&b));
    assert!(!few.is_whole(), "{few:?}");
    assert!(few.data() <= 3.0 * 13f64.log2(), "{few:?}");
}
