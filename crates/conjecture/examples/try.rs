#![allow(missing_docs, clippy::all, clippy::unwrap_used)]
use bouton_conjecture::*;
use bouton_rules::{Play, Symmetry};
use bouton_solve::boxes::{Windows, shrinking, sweep};
use std::ops::ControlFlow::Continue;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let (n, k, m): (usize, usize, u32) =
        (a[2].parse().unwrap(), a[3].parse().unwrap(), a[4].parse().unwrap());
    let sym = if a[1] == "moore" { Symmetry::Full } else { Symmetry::Ring };
    let least = if a[1] == "scn" { 1 } else { 0 };
    let t0 = std::time::Instant::now();
    let mut maker = Maker::new(n, least, m as u64, Images::of(sym, n)).unwrap();
    let mut add = |p: &[u32]| {
        maker.insert(&p.iter().map(|x| *x as u64).collect::<Vec<_>>());
        Continue::<(), ()>(())
    };
    match a[1].as_str() {
        "cn" => {
            let _ = sweep(&Windows::circular(n, k).unwrap(), m, Play::Normal, 1 << 31, &mut add).unwrap();
        }
        "moore" => {
            let _ = sweep(&Windows::moore(n, k).unwrap(), m, Play::Normal, 1 << 31, &mut add).unwrap();
        }
        "scn" => {
            let _ = shrinking::sweep(n, k, m, 1 << 31, &mut add).unwrap();
        }
        _ => panic!(),
    }
    let t = maker.finish();
    println!("{} P, {} classes, {:?}", t.count(), t.class_count(), t0.elapsed());
    let t0 = std::time::Instant::now();
    let f = shape(&t);
    println!(
        "missed {}/{} evidence {:.0} {:?} {:?}",
        f.missed_count,
        f.classes,
        f.evidence,
        f.missed.iter().take(6).collect::<Vec<_>>(),
        t0.elapsed()
    );
    for c in &f.form.cells {
        println!("  {}", c.text());
    }
    println!("  exc {:?}", f.form.exceptions);
}
