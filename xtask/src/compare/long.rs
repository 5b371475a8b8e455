//! The random codes with a sparse space, up to 10⁶ heaps.
//!
//! These are the codes for which one of the two programs finds fewer than one heap in 64 rare at
//! 60,000 heaps. A run of ogsolve is cut after a number of seconds, and its fastest method counts.
//! Trying all pairs takes 2.5·10¹¹ steps for each move that splits, so the naive method is left
//! out.

use super::process::{Cost, Run, median, run, run_within};
use super::{
    CostPair, HEAPS, METHODS, Peer, ROUNDS, ask_often, bouton_on, lists, ogsolve_on, printed, short,
};
use std::path::Path;
use std::process::Command;

/// The greatest heap.
pub const FAR: usize = 1_000_000;

/// The inverse of the greatest share of rare heaps.
const SHARE: usize = 64;

/// The processor seconds after which a run is cut.
const MAX_SECONDS: u64 = 30;

/// Runs of fewer seconds are repeated three times.
const MIN_SECONDS: f64 = 10.0;

/// Returns the number of rare heaps in the statistics of ogsolve.
pub fn rare(text: &str) -> Option<usize> {
    let (before, _) = text.rsplit_once(" pos:")?;
    before.rsplit_once(" at ")?.1.parse().ok()
}

/// Returns the number of rare heaps that Bouton reports, if it keeps values.
fn our_rare(text: &str) -> Option<usize> {
    let answer: serde_json::Value = serde_json::from_str(text).ok()?;
    usize::try_from(answer["rare"].as_u64()?).ok()
}

/// Returns the codes for which one of the programs finds few rare heaps.
pub fn sparse(
    bouton: &Path,
    folder: &Path,
    asked: &[(CostPair, Option<usize>)],
) -> Result<Vec<String>, String> {
    let (file, last) = (folder.join("values"), (HEAPS - 1).to_string());
    let is_few = |rare: Option<usize>| rare.is_some_and(|rare| rare * SHARE < HEAPS);
    let mut found = Vec::new();
    for (pair, theirs) in asked {
        // The file of an earlier run.
        let _ = std::fs::remove_file(&file);
        let mut ours = Command::new(bouton);
        ours.args(["values", &pair.question, "--to", &last, "--json", "--checkpoint"]).arg(&file);
        if is_few(our_rare(&run(&ours)?.1)) || is_few(*theirs) {
            found.push(pair.question.clone());
        }
    }
    let _ = std::fs::remove_file(&file);
    Ok(found)
}

/// Returns the costs for each code.
pub fn nim_sequences(
    bouton: &Path,
    ogsolve: &Peer,
    codes: &[String],
) -> Result<Vec<CostPair>, String> {
    codes.iter().map(|code| ask(bouton, ogsolve, code)).collect()
}

fn ask(bouton: &Path, ogsolve: &Peer, code: &str) -> Result<CostPair, String> {
    let question = format!("{code} to 10⁶");
    let (mut best, mut cut) = (None, Cost { seconds: 0.0, kibibytes: 0.0 });
    for method in METHODS.into_iter().filter(|method| *method != "naive") {
        // What takes longer than another one need not end.
        let patience = best.map_or(MAX_SECONDS, |(_, least)| least as u64 + 1);
        let Run { cost, is_cut, .. } =
            run_within(&ogsolve_on(ogsolve, method, FAR, code), patience)?;
        if is_cut {
            cut = cost;
        } else if best.is_none_or(|(_, least)| cost.seconds < least) {
            best = Some((method, cost.seconds));
        }
    }
    let ours = bouton_on(bouton, FAR, code);
    let Some((method, seconds)) = best else {
        let peer = format!("{}, all four methods", ogsolve.name);
        return Ok(printed(CostPair {
            question,
            peer,
            ours: run(&ours)?.0,
            theirs: cut,
            is_cut: true,
        }));
    };
    let rounds = if seconds < MIN_SECONDS { ROUNDS } else { 1 };
    let theirs = ogsolve_on(ogsolve, method, FAR, code);
    let peer = format!("{} -m {method}", ogsolve.name);
    ask_often(rounds, &question, &peer, &ours, &theirs, lists(FAR))
}

/// Summarises the runs on these codes, out of `drawn`.
pub fn summary(pairs: &[CostPair], drawn: usize) -> String {
    let ended: Vec<f64> = pairs.iter().filter(|pair| !pair.is_cut).map(CostPair::ratio).collect();
    format!(
        "Of the {drawn} codes {} have a sparse space: one of both programs finds fewer than one \
         heap in {SHARE} rare at {HEAPS}. These to {FAR} heaps, beside the fastest of ogsolve's \
         four methods that look for such a space, each cut after {MAX_SECONDS} s of processor \
         time; what takes {MIN_SECONDS} s and more runs once. Cut in all four: {}, whose ratios \
         count as if they had ended then, and whose values are compared to {HEAPS} only; the \
         others print equal values, with ratios of {} at the median. All together: {}",
        pairs.len(),
        pairs.len() - ended.len(),
        short(median(ended.clone())),
        super::summary(pairs)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_heaps_are_read() {
        let text =
            "C: 1 3 at 4\nR: 0 2 at 29904 pos: 2 3 ...\nC1: 1\nR1: 0 2 at 15 pos: 3 7 10...\n";
        assert_eq!(rare(text), Some(15));
        assert_eq!(rare(" nimbers: 0 1 0 1\n"), None);
        assert_eq!(our_rare("{\"game\":\"0.106\",\"rare\":15,\"last_rare\":1103}"), Some(15));
        assert_eq!(our_rare("{\"game\":\"0.33\",\"rare\":null}"), None);
    }

    /// A run that is cut counts with the seconds it had.
    #[test]
    fn what_is_cut_is_told_apart() {
        let cost = |seconds: f64| Cost { seconds, kibibytes: 1024.0 };
        let pair = |theirs, is_cut| CostPair {
            question: "0.1 to 10⁶".into(),
            peer: "ogsolve".into(),
            ours: cost(0.5),
            theirs: cost(theirs),
            is_cut,
        };
        let text = summary(&[pair(2.0, false), pair(60.0, true)], 9);
        assert!(text.starts_with("Of the 9 codes 2 have a sparse space"), "{text}");
        assert!(
            text.contains("Cut in all four: 1,") && text.contains("ratios of 4.0 at the median."),
            "{text}"
        );
        let table = super::super::table(&[&pair(60.0, true)]);
        assert!(table.contains("| 0.500 s | > 60.000 s | > 120 |"), "{table}");
    }
}
