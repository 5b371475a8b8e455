//! A game of one's own in Rust, solved by type, and a form of its P-positions conjectured.
//!
//! One token is taken from one of two heaps, or one from each.

use bouton::conjecture::{Data, conjecture, read};
use bouton::rules::{Budget, LimitReached, Meter, Outcome, Play, Ruleset};
use bouton::solve::Outcomes;
use std::ops::ControlFlow;

struct OneOrOneEach;

impl Ruleset for OneOrOneEach {
    type Position = [u32; 2];

    fn options<B>(
        &self,
        p: &[u32; 2],
        mut visit: impl FnMut([u32; 2]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let moves =
            [[1, 0], [0, 1], [1, 1]].into_iter().filter(|take| take[0] <= p[0] && take[1] <= p[1]);
        moves.map(|take| [p[0] - take[0], p[1] - take[1]]).try_for_each(&mut visit)
    }

    fn rank(&self, p: &[u32; 2]) -> Option<u64> {
        Some(u64::from(p[0]) + u64::from(p[1]))
    }
}

pub(crate) fn main() -> Result<(), LimitReached> {
    let mut meter = Meter::new(&Budget::default());
    let mut outcomes = Outcomes::new(Play::Normal);
    let mut table = String::from("a,b,outcome\n");
    for p in (0..16).flat_map(|a| (0..16).map(move |b| [a, b])) {
        let outcome = outcomes.outcome(&OneOrOneEach, &p, &mut meter)?;
        table += &format!("{},{},{outcome}\n", p[0], p[1]);
        // The player to move loses where both heaps are even: whatever is taken, the other evens it
        // out.
        assert_eq!(outcome == Outcome::P, p[0] % 2 == 0 && p[1] % 2 == 0);
    }
    let Ok(Data::Outcomes(table)) = read(&table, None) else { panic!("two heaps and an outcome") };
    let found = conjecture(&table, &mut meter);
    println!("P iff {}", found.form);
    assert_eq!(found.form.mismatch(&table, &mut meter), Ok(None));
    Ok(())
}
