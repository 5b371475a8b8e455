//! How many random simplicial complexes have a theorem: complexes on three to five vertices, drawn
//! by a seed, each studied for this many seconds.
//!
//! `cargo run --release -p bouton-study --example complexes -- --games 100 --seed 1 --seconds 10
//! [--only N]`. A complex has two to seven faces drawn at random, each of a size drawn first; faces
//! within others go, and a draw with one face left or a vertex in none is drawn again. One line for
//! each: its number, the game, how the line ended, seconds, the form. The last line
//! counts; *proved* has a certificate that the independent checker accepts.
#![allow(clippy::unwrap_used, reason = "a measurement")]

mod drawn;

use bouton_core::{Budget, Deadline, Play};
use bouton_study::{PipelineOutcome, Tables, follow};
use drawn::{Random, number};
use std::time::{Duration, Instant};

/// Returns a complex by its facets, in the notation of games.
fn complex(lot: &mut Random) -> (u64, String) {
    loop {
        let vertices = 3 + lot.below(3);
        let mut faces: Vec<u64> = Vec::new();
        for _ in 0..2 + lot.below(6) {
            let (size, mut face) = (1 + lot.below(vertices - 1) as u32, 0u64);
            while face.count_ones() < size {
                face |= 1 << lot.below(vertices);
            }
            faces.push(face);
        }
        faces.sort_unstable();
        faces.dedup();
        let all = faces.clone();
        faces.retain(|face| !all.iter().any(|other| other != face && other & face == *face));
        if faces.len() < 2 || faces.iter().fold(0, |union, face| union | face) + 1 != 1 << vertices
        {
            continue;
        }
        let list = |face: &u64| {
            let heaps = (0..vertices).filter(|heap| face >> heap & 1 == 1);
            heaps.map(|heap| (heap + 1).to_string()).collect::<Vec<_>>().join(",")
        };
        let lists: Vec<String> = faces.iter().map(list).collect();
        return (vertices, format!("simplicial({})", lists.join(";")));
    }
}

fn main() {
    let (games, seconds) = (number("--games", 100), number("--seconds", 10));
    let only = number("--only", games) as usize;
    let mut lot = Random(number("--seed", 1));
    let drawn: Vec<(u64, String)> = (0..games).map(|_| complex(&mut lot)).collect();
    // By vertices: drawn, proved.
    let mut counts = [[0; 2]; 6];
    for (number, (vertices, name)) in
        drawn.iter().enumerate().filter(|(i, _)| only == games as usize || *i == only)
    {
        let started = Instant::now();
        let game = bouton_games::parse(name).unwrap().game;
        let stated = game.heap_game().unwrap();
        let budget = Budget {
            deadline: Some(Deadline::after(Duration::from_secs(seconds))),
            ..Budget::default()
        };
        let line = follow(&Tables::new(&*game, &stated, Play::Normal, &budget, &|_| {}));
        let form = line.boards.last().and_then(|board| board.form.clone()).unwrap_or_default();
        let ending = match &line.ending {
            PipelineOutcome::Proved(_) | PipelineOutcome::ProvedBySummands { .. } => {
                "proved".to_owned()
            }
            PipelineOutcome::Holds { reason } => format!("holds ({reason})"),
            PipelineOutcome::Refuted { .. } => "refuted".into(),
            PipelineOutcome::NoForm => "no form".into(),
        };
        println!("{number} {name}: {ending}; {:.1} s; {form}", started.elapsed().as_secs_f64());
        counts[*vertices as usize][0] += 1;
        counts[*vertices as usize][1] +=
            i32::from(matches!(line.ending, PipelineOutcome::Proved(_)));
    }
    let total: i32 = counts.iter().map(|count| count[1]).sum();
    let by: Vec<String> =
        (3..6).map(|n| format!("{} of {} on {n}", counts[n][1], counts[n][0])).collect();
    println!("proved: {total} of {} ({})", drawn.len(), by.join(", "));
}
