//! How cost grows with size: a row of a table for each engine.
//!
//! Where cost is a power of the size, ln(seconds) against ln(size) is a line; where it is
//! exponential, ln(seconds) against the size. Lines are fitted by least squares. The limit is what
//! takes a day of one core, or 16 GB, whichever comes first; far past the last size it is what the
//! line says, not what was seen.

#[path = "../../../../foundation/engine/benches/measures/clock.rs"]
mod clock;

use clock::ran;
use std::time::Instant;

/// A day, in seconds.
const DAY: f64 = 86_400.0;

/// Prints the heads of the columns.
pub fn head() {
    println!("| engine | size | seconds | cost | in a day of one core | in 16 GB |");
    println!("|---|---|---|---|---|---|");
}

/// How cost grows.
#[derive(Clone, Copy)]
pub enum Growth {
    Power,
    Exponential,
}

/// Does the work for each size, the least time of three, and prints a row; `room` is the greatest
/// size that fits.
pub fn row(engine: &str, growth: Growth, sizes: &[u32], room: &str, mut work: impl FnMut(u32)) {
    let mut points = Vec::new();
    for size in sizes {
        let seconds = (0..3).map(|_| {
            let started = Instant::now();
            let before = ran(started);
            work(*size);
            ran(started) - before
        });
        points.push((f64::from(*size), seconds.fold(f64::INFINITY, f64::min)));
    }
    let x = |size: f64| if let Growth::Power = growth { size.ln() } else { size };
    let count = points.len() as f64;
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (middle, level) = (mean(&|p| x(p.0)), mean(&|p| p.1.ln()));
    let slope = mean(&|p| (x(p.0) - middle) * (p.1.ln() - level))
        / mean(&|p| (x(p.0) - middle) * (x(p.0) - middle));
    let at = middle + (DAY.ln() - level) / slope;
    let (cost, day) = match growth {
        Growth::Power => (format!("size^{slope:.2}"), at.exp()),
        Growth::Exponential => (format!("{:.3}^size", slope.exp()), at),
    };
    let list =
        |of: &dyn Fn(&(f64, f64)) -> String| points.iter().map(of).collect::<Vec<_>>().join(", ");
    let told = |seconds: f64| {
        if seconds < 1e-3 { format!("{seconds:.1e}") } else { format!("{seconds:.4}") }
    };
    let (sizes, seconds) = (list(&|p| p.0.to_string()), list(&|p| told(p.1)));
    let day = if day < 1e5 { format!("{day:.0}") } else { format!("{day:.1e}") };
    println!("| {engine} | {sizes} | {seconds} | {cost} | {day} | {room} |");
}
