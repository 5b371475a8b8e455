//! `bouton prove`: P-positions for all heap sizes, or the least counterexample.

use crate::Ending;
use crate::fault::Fault;
use bouton_logic::{Claim, HeapGame, Limits, Verdict, prove};
use clap::Args;
use serde_json::json;
use std::io::Write;
use std::time::Instant;

/// Prove which positions are P, for all heap sizes
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  bouton prove 'CN(6,3)' --claim 'a+b=d+e & b+c=e+f'\n  bouton prove 'nim(5)' --claim 'xor = 0'\n  bouton prove 'SCN(4,2)' --claim 'a=c & b=d & a!=b' --smaller '3: a=b=c'\n\nThe claim is meant up to the game's symmetry. Without --claim, every published form is tried."
)]
pub struct Prove {
    /// A game on a fixed number of heaps: nim(n), moore(b;n), S(…;n), wythoff, CN(n,k…), SCN(n,k), NIM(…;n;d,e)
    game: String,
    /// The P-positions: a formula over the heaps a, b, c, …
    #[arg(long, value_name = "FORMULA")]
    claim: Option<String>,
    /// What holds of positions with fewer heaps, as `3: a=b=c`; without one, none of them is P (the empty one always is)
    #[arg(long, value_name = "N: FORMULA")]
    smaller: Vec<String>,
    /// Steps of the automata at most; ends in the verdict "unknown"
    #[arg(long, value_name = "N")]
    steps: Option<u64>,
    /// Megabytes of automata to hold at most
    #[arg(long, value_name = "MB", default_value_t = 2048)]
    memory: usize,
}

impl Prove {
    pub fn run(self, json: bool) -> Result<Ending, Fault> {
        let named = bouton_games::parse(&self.game)?;
        let name = named.game.name();
        let stated = named.game.heap_game().ok_or_else(|| {
            Fault::Usage(format!(
                "{name} is no game on a fixed number of heaps whose moves are stated as a formula"
            ))
        })?;
        let (game, numeration) =
            HeapGame::of(&stated).map_err(|error| Fault::Usage(format!("{name}: {error}")))?;
        let forms = match &self.claim {
            Some(claim) => vec![claim.clone()],
            // The ledger writes shrinking circles with empty heaps; here every board has its own claim.
            None if game.boards.len() > 1 => Vec::new(),
            None => bouton_ledger::claims_about(&name)?
                .into_iter()
                .filter(|claim| claim.more.get("play").and_then(|p| p.as_str()) != Some("misere"))
                .filter_map(|claim| claim.form)
                .collect(),
        };
        if forms.is_empty() {
            return Err(Fault::Usage(format!(
                "no form of the P-positions of {name} is published; give one: --claim"
            )));
        }
        let default = Limits::default();
        let bytes = self.memory.saturating_mul(1 << 20);
        let limits = Limits { steps: self.steps.unwrap_or(default.steps), bytes };
        let mut ending = Ending::Done;
        for form in forms {
            let claims = self.claims(&game, &form)?;
            let started = Instant::now();
            let verdict = prove(&game, &claims, numeration, limits);
            let seconds = started.elapsed().as_secs_f64();
            if !matches!(verdict, Verdict::Proved(_)) {
                ending = Ending::Negative;
            }
            tell(&name, &form, &verdict, seconds, json)?;
        }
        Ok(ending)
    }

    /// One claim for each board.
    fn claims(&self, game: &HeapGame, form: &str) -> Result<Vec<Claim>, Fault> {
        let read = |text: &str, heaps: usize| {
            Claim::parse(text, heaps).map_err(|error| Fault::Formula(text.to_owned(), error))
        };
        let last = game.boards.len() - 1;
        let mut claims = Vec::new();
        for (board, rules) in game.boards.iter().enumerate() {
            let text = if board == last {
                form
            } else if rules.heaps == 0 {
                "true"
            } else {
                "false"
            };
            claims.push(read(text, rules.heaps)?);
        }
        for smaller in &self.smaller {
            let place = smaller
                .split_once(':')
                .and_then(|(n, text)| Some((n.trim().parse::<usize>().ok()?, text.trim())));
            let found = place.and_then(|(n, text)| {
                Some((game.boards[..last].iter().position(|b| b.heaps == n)?, n, text))
            });
            let Some((board, heaps, text)) = found else {
                return Err(Fault::Usage(format!(
                    "--smaller {smaller}: write a smaller number of heaps of this game, a colon, a formula"
                )));
            };
            claims[board] = read(text, heaps)?;
        }
        Ok(claims)
    }
}

fn tell(name: &str, form: &str, verdict: &Verdict, seconds: f64, json: bool) -> Result<(), Fault> {
    let mut out = std::io::stdout().lock();
    if json {
        let mut value = json!({"game": name, "claim": form, "seconds": seconds});
        match verdict {
            Verdict::Proved(proof) => {
                value["verdict"] = "proved".into();
                value["cases"] = proof.cases.into();
                value["parts"] = proof.parts.iter().map(Vec::len).sum::<usize>().into();
                value["sets"] = proof.sets().into();
                value["certificate"] = serde_json::Value::Null;
            }
            Verdict::Refuted(found) => {
                value["verdict"] = "refuted".into();
                value["position"] = json!(found.position);
                value["option"] = json!(found.option.as_ref().map(|(_, option)| option));
                value["least"] = found.least.into();
            }
            Verdict::Unknown(reason) => {
                value["verdict"] = "unknown".into();
                value["reason"] = reason.to_string().into();
            }
        }
        writeln!(out, "{value}")?;
        return Ok(());
    }
    match verdict {
        Verdict::Proved(proof) => {
            let parts: usize = proof.parts.iter().map(Vec::len).sum();
            writeln!(out, "proved for all heap sizes: {name}: P iff {form}, up to symmetry")?;
            writeln!(out, "  {} cases, {parts} parts, {} sets, {seconds:.2} s", proof.cases, proof.sets())?;
            writeln!(out, "  no certificate is written yet: this rests on the prover alone")?;
        }
        Verdict::Refuted(found) => {
            let least = if found.least { "least counterexample" } else { "counterexample" };
            writeln!(out, "refuted: {name}: P iff {form}, up to symmetry\n  {least}: {found}")?;
        }
        Verdict::Unknown(reason) => {
            writeln!(out, "unknown: {name}: P iff {form}, up to symmetry\n  {reason}")?
        }
    }
    Ok(())
}
