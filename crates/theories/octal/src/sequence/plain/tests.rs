use super::*;
use bouton_core::{Budget, mex};
use std::ops::ControlFlow::Continue;

/// Returns the values from the options of the code alone.
fn brute(code: &TakeAndBreakCode, len: usize) -> Vec<u32> {
    let mut values: Vec<u32> = Vec::new();
    for n in 0..len {
        let mut sums = Vec::new();
        let _ = code.options(n as u32, |heaps| {
            sums.push(Nimber(heaps.iter().fold(0, |sum, heap| sum ^ values[*heap as usize])));
            Continue::<()>(())
        });
        values.push(mex(sums).0);
    }
    values
}

/// A wish to stop is heard among many pairs of few heaps, and what is known stays.
#[test]
fn pairs_are_stopped() {
    let code = TakeAndBreakCode::parse("0.[7]").unwrap();
    let watch = std::sync::Arc::new(bouton_core::Watch::default());
    watch.stop.store(true, std::sync::atomic::Ordering::Relaxed);
    let mut meter = Meter::new(&Budget { watch: Some(watch), ..Budget::default() });
    let mut values = Vec::new();
    let stopped = extend_by_splits(&code, &mut values, 400, &mut meter);
    assert_eq!(stopped, Err(LimitReached::Cancelled));
    assert!(!values.is_empty() && values.len() < 400);
    assert_eq!(values, brute(&code, values.len())[..]);
}

#[test]
fn plain_values_are_those_of_the_options() {
    for (text, len) in [
        ("0.77", 300),
        ("4!.0", 300),
        ("0.[3]", 200),
        ("0.137", 300),
        ("4.12", 200),
        ("0.4!3", 200),
        ("0.F", 100),
        ("0.3F", 100),
        ("8.7", 100),
        ("8!.[5]", 90),
        ("0.0{1,4}7", 50),
        ("{2+}.3", 34),
        ("{2+}!.3", 60),
        ("0.[{0,3+}]", 32),
        ("{2,3+}!.0D!", 40),
        ("0.0", 10),
    ] {
        let code = TakeAndBreakCode::parse(text).unwrap();
        let mut meter = Meter::new(&Budget::default());
        assert_eq!(nim_values(&code, len, &mut meter).unwrap(), brute(&code, len), "{text}");
        // The knapsack can do what pairs can.
        let packed =
            (0..).find_map(|w| with_knapsack(&code, len, 1 << w, &mut meter).unwrap()).unwrap();
        assert_eq!(packed, brute(&code, len), "{text} packed");
    }
}

/// Nim-values of 300 heaps of Nim pass 255; lengths 0 and 1 exist.
#[test]
fn large_values_and_short_tables() {
    let mut meter = Meter::new(&Budget::default());
    for text in ["0.[3]", "0.[{0,1,9}]"] {
        let nim = nim_values(&TakeAndBreakCode::parse(text).unwrap(), 300, &mut meter).unwrap();
        assert!(nim.iter().take(9).copied().eq(0..9), "{text}");
        assert!(nim.iter().max() > Some(&255), "{text}");
    }
    for len in [0, 1] {
        let code = TakeAndBreakCode::parse("0.F").unwrap();
        assert_eq!(nim_values(&code, len, &mut meter).unwrap(), vec![0; len]);
    }
}

#[test]
fn a_spent_budget_is_told() {
    let mut meter = Meter::new(&Budget { nodes: Some(10), ..Budget::default() });
    let code = TakeAndBreakCode::parse("0.77").unwrap();
    assert_eq!(nim_values(&code, 11, &mut meter), Err(LimitReached::Nodes(10)));
}
