//! How far a form from a table is to be trusted: random rule files, the form that a table to T
//! gives, and what the table to 2T says of it.
//!
//! `cargo run --release -p bouton-study --example evidence -- --games 500 --seed 1 [--list]`. The
//! games are drawn by the seed: one to three heaps, one to four alternatives of kinds that rule
//! files have. A form counts as proved where the independent checker accepts a proof of it; of
//! those that are not, as many as told are broken by the next table. The same forms with the bits
//! that speak for them come one a line with `--list`. Theorems are what the whole line of
//! `bouton study` proves, and of the forms that it prints without a proof as many as told are
//! broken by a table of heaps twice as large.
#![allow(clippy::unwrap_used, reason = "a measurement")]

mod drawn;

use bouton_conjecture::conjecture;
use bouton_core::{Budget, Claim, Deadline, Meter, Play};
use bouton_games::RuleFile;
use bouton_study::{Form, PipelineOutcome, Tables, Verdict, follow, settle_form};
use drawn::{Random, number};
use std::ops::ControlFlow::{Break, Continue};
use std::time::Duration;

/// Steps of a proof, at most.
const STEPS: u64 = 1 << 24;
/// Seconds for the line of one game.
const SECONDS: u64 = 12;

/// Returns one of some texts.
fn one<'a>(lot: &mut Random, of: &[&'a str]) -> &'a str {
    of[lot.below(of.len() as u64) as usize]
}

/// Returns one alternative of a move on this many heaps.
fn alternative(heaps: usize, lot: &mut Random) -> String {
    let heap = lot.below(heaps as u64) as usize;
    let k = 1 + lot.below(if heaps == 1 { 9 } else { 4 });
    let m = 2 + lot.below(4);
    let own = match lot.below(9) {
        0..=3 => format!("q{heap}+{k} = p{heap}"),
        4 => format!("q{heap} = p{heap} div {m}"),
        5 => format!("q{heap} < p{heap} & {m}*q{heap} >= p{heap}"),
        6 => format!("q{heap}+{k} <= p{heap} & q{heap} mod {m} = {}", lot.below(m)),
        7 => format!(
            "q{heap}+{k} = p{heap} & p{heap} mod {m} {} {}",
            one(lot, &["=", "!="]),
            lot.below(m)
        ),
        _ if heaps == 1 => format!("q0+{k} = p0 | q0 = p0 div {m}"),
        _ => format!("q{heap} < p{heap}"),
    };
    if heaps == 1 {
        return own;
    }
    let other = (heap + 1 + lot.below(heaps as u64 - 1) as usize) % heaps;
    let rest = |but: &[usize]| -> String {
        (0..heaps).filter(|h| !but.contains(h)).map(|h| format!(" & q{h} = p{h}")).collect()
    };
    match lot.below(7) {
        0..=2 => own + &rest(&[heap]),
        3 => format!(
            "p{heap}+q{other} = p{other}+q{heap} & q{heap} < p{heap}{}",
            rest(&[heap, other])
        ),
        4 => format!("q{heap}+{k} = p{heap} & q{other}+1 = p{other}{}", rest(&[heap, other])),
        5 => format!("{own} & q{heap} >= p{other}{}", rest(&[heap])),
        _ => format!("{own} & p{heap} <= q{heap}+p{other}{}", rest(&[heap])),
    }
}

/// Returns a game that rule files can have.
fn game(number: usize, lot: &mut Random) -> RuleFile {
    loop {
        let heaps = [1, 1, 1, 2, 2, 2, 3][lot.below(7) as usize];
        let alternatives: Vec<String> = (0..1 + lot.below(4))
            .map(|_| alternative(heaps, lot))
            .map(|one| format!("({one})"))
            .collect();
        let moves = alternatives.join(" | ");
        let text = format!("name = \"random-{number}\"\nheaps = {heaps}\nmove = \"{moves}\"\n");
        if let Ok(file) = RuleFile::parse(&text) {
            return file;
        }
    }
}

fn main() {
    let (games, list) = (number("--games", 500), std::env::args().any(|word| word == "--list"));
    let mut lot = Random(number("--seed", 1));
    let files: Vec<RuleFile> = (0..games as usize).map(|i| game(i, &mut lot)).collect();
    // By the table's place in the ladder: forms, proved, broken.
    let mut counts = [[0; 3]; 2];
    let mut theorems = 0;
    // Of the line's forms without a proof: all, those that a larger table could be made for, those
    // that it breaks.
    let mut printed = [0; 3];
    for file in &files {
        let game = file.game();
        let stated = game.heap_game().unwrap();
        let rules = stated.moves.condition.as_ref().unwrap().to_string();
        let budget = Budget {
            deadline: Some(Deadline::after(Duration::from_secs(SECONDS))),
            ..Budget::default()
        };
        let mut tables = Tables::new(&*game, &stated, Play::Normal, &budget, &|_| {});
        tables.proof = Budget { nodes: Some(STEPS), ..tables.proof };
        for (step, to) in tables.bounds(stated.heaps).into_iter().take(2).enumerate() {
            let Ok(made) = tables.make(stated.heaps, to) else { continue };
            let found = conjecture(&made.table, &mut Meter::new(&Budget::default()));
            if !found.is_whole() {
                continue;
            }
            let Ok(larger) = tables.make(stated.heaps, 2 * to) else { continue };
            let wrong =
                found.form.mismatch(&larger.table, &mut Meter::new(&Budget::default())).unwrap();
            let proved = wrong.is_none()
                && found.form.text().is_ok_and(|text| {
                    let form = Form {
                        whole: text,
                        smaller: Vec::new(),
                        exactly: false,
                        play: Play::Normal,
                    };
                    matches!(settle_form(&*game, &form, &tables.proof), Ok(Verdict::Proved(_)))
                });
            let count = &mut counts[step];
            count[0] += 1;
            count[1] += i32::from(proved);
            count[2] += i32::from(wrong.is_some());
            if list {
                let what = match (&wrong, proved) {
                    (Some(p), _) => format!("broken at {p:?}"),
                    (_, true) => "proved".into(),
                    _ => "holds".into(),
                };
                println!(
                    "{} to {to}: {what}; {:.0} bits of form, {:.0} beyond; {}: {}",
                    file.name(),
                    found.said,
                    found.evidence,
                    rules,
                    found.form
                );
            }
        }
        let line = follow(&tables);
        let proved = matches!(line.ending, PipelineOutcome::Proved(_));
        theorems += i32::from(proved);
        if let (PipelineOutcome::Holds { .. }, Some(claim)) =
            (&line.ending, line.boards[0].claim.as_deref())
        {
            printed[0] += 1;
            match breaks(&tables, claim, 2 * line.holds_to()) {
                Some(broken) => {
                    printed[1] += 1;
                    printed[2] += i32::from(broken.is_some());
                    if let Some(p) = broken.filter(|_| list) {
                        println!("{} line: broken at {p:?}: {claim}", file.name());
                    }
                }
                None if list => {
                    println!(
                        "{} line: no larger table, or no formula to evaluate: {claim}",
                        file.name()
                    )
                }
                None => {}
            }
        }
        if list {
            let what = match &line.ending {
                PipelineOutcome::Proved(_) | PipelineOutcome::ProvedBySummands { .. } => "theorem",
                PipelineOutcome::Holds { .. } => "holds",
                PipelineOutcome::Refuted { .. } => "refuted",
                PipelineOutcome::NoForm => "no form",
            };
            println!("{} line: {what}; {rules}", file.name());
        }
    }
    for (step, [forms, proved, broken]) in counts.into_iter().enumerate() {
        println!(
            "table {}: {forms} forms, {proved} proved; of {} others the table to 2T breaks \
             {broken}",
            step + 1,
            forms - proved
        );
    }
    println!("theorems: {theorems} of {games}");
    let [all, compared, broken] = printed;
    println!(
        "printed without a proof: {all}; of {compared} held against heaps twice as large {broken} \
         are broken"
    );
}

/// Returns the first position with heaps up to `to` of which a claim is wrong; `None` where no
/// table is made, or the claim has to be decided.
fn breaks(tables: &Tables<'_>, claim: &str, to: u64) -> Option<Option<Vec<u64>>> {
    let heaps = tables.stated.heaps;
    let claim = Claim::parse(claim, heaps).ok()?;
    if (to as f64 + 1.0).log2() * heaps as f64 > 19.0 {
        return None;
    }
    let table = tables.make(heaps, to).ok()?.table;
    let (mut wrong, mut evaluated) = (None, true);
    table.each_class(to, &mut |p, outcome| match claim.holds(p) {
        Ok(said) if said == outcome.is_p() => Continue(()),
        Ok(_) => {
            wrong = Some(p.to_vec());
            Break(())
        }
        Err(_) => {
            evaluated = false;
            Break(())
        }
    });
    evaluated.then_some(wrong)
}
