//! `bouton prove`: P-positions for all heap sizes, or the least counterexample.

use super::logic::{Program, exported};
use crate::Ending;
use crate::fault::Fault;
use bouton_logic::{
    Claim, Counterexample, HeapGame, Limits, Numeration, Verdict, prove, theorem, written_name,
};
use bouton_solve::atlas::Atlas;
use bouton_solve::game::Game;
use clap::Args;
use serde_json::json;
use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

/// Prove which positions are P, for all heap sizes
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  bouton prove 'CN(6,3)' --claim 'a+b=d+e & b+c=e+f'\n  bouton prove 'nim(5)' --claim 'xor = 0' --certificate nim.cert\n  bouton prove 'SCN(4,2)' --claim 'a=c & b=d & a!=b' --smaller '3: a=b=c'\n  bouton prove 'CN(6,4)'\n  bouton prove 'CN(6,3)' --export mona\n\nThe claim is meant up to the game's symmetry. Without --claim, every published form is tried."
)]
pub struct Prove {
    /// A game on a fixed number of heaps: nim(n), moore(b;n), S(…;n), wythoff, CN(n,k…), SCN(n,k), NIM(…;n;d,e)
    game: String,
    /// The P-positions: a formula over the heaps a, b, c, …
    #[arg(long, value_name = "FORMULA")]
    claim: Option<String>,
    /// A file with the formula; in it, lines like `3: a=b=c` are as --smaller, and # begins a comment
    #[arg(long, value_name = "FILE", conflicts_with = "claim")]
    claim_file: Option<PathBuf>,
    /// What holds of positions with fewer heaps, as `3: a=b=c`; without one, none of them is P (the empty one always is)
    #[arg(long, value_name = "N: FORMULA")]
    smaller: Vec<String>,
    /// Take the claim as it stands, not up to the game's symmetry
    #[arg(long, conflicts_with = "certificate")]
    exactly: bool,
    /// Print the statement, as one sentence, for another program instead of proving it
    #[arg(long, value_enum, value_name = "PROGRAM", conflicts_with = "certificate")]
    export: Option<Program>,
    /// Write the proof to a file that `bouton check` verifies
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Steps of the automata at most; ends in the verdict "unknown"
    #[arg(long, value_name = "N")]
    steps: Option<u64>,
    /// Megabytes of automata to hold at most
    #[arg(long, value_name = "MB", default_value_t = 2048)]
    memory: usize,
}

/// A form of the P-positions: the whole board's, and those of boards with fewer heaps.
pub(super) struct Form {
    pub whole: String,
    pub smaller: Vec<String>,
}

impl Prove {
    pub fn run(self, json: bool) -> Result<Ending, Fault> {
        let named = bouton_games::parse(&self.game)?;
        let name = named.game.name();
        let (mut game, numeration) = stated(&*named.game)?;
        if self.exactly {
            as_it_stands(&mut game);
        }
        let forms = self.forms(&name)?;
        if forms.is_empty() {
            return Err(Fault::Usage(format!(
                "no form of the P-positions of {name} is published; give one: --claim"
            )));
        }
        if self.certificate.is_some() && forms.len() > 1 {
            return Err(Fault::Usage(format!(
                "{} forms are published, a certificate holds one; give it: --claim",
                forms.len()
            )));
        }
        if let Some(program) = self.export {
            return export(&game, &forms, numeration, program);
        }
        let default = Limits::default();
        let bytes = self.memory.saturating_mul(1 << 20);
        let limits = Limits { steps: self.steps.unwrap_or(default.steps), bytes };
        let mut ending = Ending::Done;
        for form in forms {
            let claims = form.claims(&game)?;
            let started = Instant::now();
            let verdict = prove(&game, &claims, numeration, limits);
            let seconds = started.elapsed().as_secs_f64();
            let mut rechecked = None;
            match &verdict {
                Verdict::Proved(proof) => {
                    if let Some(file) = &self.certificate {
                        let text = proof.certificate(&certified_name(&*named.game), &game, &claims).to_text();
                        std::fs::write(file, text)
                            .map_err(|error| Fault::File(file.display().to_string(), error))?;
                    }
                }
                Verdict::Refuted(found) => {
                    ending = Ending::Negative;
                    rechecked = recheck(&*named.game, found);
                }
                Verdict::Unknown(_) => ending = Ending::Negative,
            }
            tell(&name, &form.whole, &verdict, seconds, self.certificate.as_ref(), rechecked, json)?;
        }
        Ok(ending)
    }

    fn forms(&self, name: &str) -> Result<Vec<Form>, Fault> {
        let mut forms = match (&self.claim, &self.claim_file) {
            (Some(claim), _) => vec![Form { whole: claim.clone(), smaller: Vec::new() }],
            (_, Some(file)) => {
                let text = std::fs::read_to_string(file)
                    .map_err(|error| Fault::File(file.display().to_string(), error))?;
                vec![Form::read(&text)]
            }
            _ => published(name)?,
        };
        for form in &mut forms {
            form.smaller.extend(self.smaller.iter().cloned());
        }
        Ok(forms)
    }
}

/// The moves of a game as formulas.
pub(super) fn stated(game: &dyn Game) -> Result<(HeapGame, Numeration), Fault> {
    let name = game.name();
    let stated = game.heap_game().ok_or_else(|| {
        Fault::Usage(format!(
            "{name} is no game on a fixed number of heaps whose moves are stated as a formula"
        ))
    })?;
    HeapGame::of(&stated).map_err(|error| Fault::Usage(format!("{name}: {error}")))
}

/// What certificates call the game: rule files are written out.
fn certified_name(game: &dyn Game) -> String {
    let name = game.name();
    let own = bouton_games::is_registered(&name).then(|| written_name(&game.heap_game()?)).flatten();
    own.unwrap_or(name)
}

/// The game with claims about it taken as they stand.
pub(super) fn as_it_stands(game: &mut HeapGame) {
    // The first symmetry is the identity.
    game.boards.iter_mut().for_each(|board| board.symmetries.truncate(1));
}

/// Prints what is to be proved for another program.
fn export(
    game: &HeapGame,
    forms: &[Form],
    numeration: Numeration,
    program: Program,
) -> Result<Ending, Fault> {
    let mut out = std::io::stdout().lock();
    for form in forms {
        let claims = form.claims(game)?;
        let sentence =
            theorem(game, &claims[claims.len() - 1]).map_err(|error| Fault::Usage(error.to_string()))?;
        write!(out, "{}", exported(&sentence, numeration, program)?)?;
    }
    Ok(Ending::Done)
}

/// The published forms of the P-positions in normal play.
fn published(name: &str) -> Result<Vec<Form>, Fault> {
    let claims = bouton_ledger::claims_about(name)?.into_iter();
    let normal = claims.filter(|claim| claim.more.get("play").and_then(|p| p.as_str()) != Some("misere"));
    Ok(normal.filter_map(|claim| Form::of(&claim)).collect())
}

impl Form {
    /// The form that a claim of the ledger prints.
    pub fn of(claim: &bouton_ledger::Claim) -> Option<Form> {
        let list = claim.more.get("smaller").and_then(|list| list.as_array());
        let smaller =
            list.into_iter().flatten().filter_map(|text| text.as_str().map(str::to_owned)).collect();
        Some(Form { whole: claim.form.clone()?, smaller })
    }

    /// Reads a claim file.
    fn read(text: &str) -> Form {
        let mut form = Form { whole: String::new(), smaller: Vec::new() };
        for line in text.lines() {
            let line = line.split('#').next().unwrap_or("").trim();
            let begins = line.split_once(':').is_some_and(|(n, _)| n.trim().parse::<usize>().is_ok());
            match form.smaller.last_mut() {
                _ if begins => form.smaller.push(line.to_owned()),
                Some(last) => *last = format!("{last} {line}"),
                None => form.whole = format!("{} {line}", form.whole).trim().to_owned(),
            }
        }
        form
    }

    /// One claim for each board.
    pub fn claims(&self, game: &HeapGame) -> Result<Vec<Claim>, Fault> {
        let read = |text: &str, heaps: usize| {
            Claim::parse(text, heaps).map_err(|error| Fault::Formula(text.to_owned(), error))
        };
        let last = game.boards.len() - 1;
        let mut claims = Vec::new();
        for (board, rules) in game.boards.iter().enumerate() {
            let text = if board == last {
                &self.whole
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

/// Positions that a search by the rules alone looks at, at most.
const FEW: usize = 200_000;

/// What a search that knows the family's options and nothing else finds of a counterexample, if that is within reach.
pub(super) fn recheck(game: &dyn Game, found: &Counterexample) -> Option<String> {
    let text = |p: &[u64]| {
        if p.is_empty() { "0".into() } else { p.iter().map(u64::to_string).collect::<Vec<_>>().join(",") }
    };
    let mut atlas = game.atlas();
    let mut known = HashMap::new();
    let mut lost = |p: &[u64]| {
        let node = atlas.read(&text(p)).ok()?;
        search(&mut *atlas, node, &mut known)
    };
    let position = lost(&found.position)?;
    Some(match &found.option {
        Some((_, option)) => match (position, lost(option)?) {
            (false, _) => format!("({}) is N by the rules alone", text(&found.position)),
            (true, false) => format!("({}) is N by the rules alone", text(option)),
            (true, true) => return None,
        },
        None if position => format!("({}) is P by the rules alone", text(&found.position)),
        None => {
            format!("({}) is N by the rules alone: an option that is P is left out", text(&found.position))
        }
    })
}

/// Whether the player to move loses; none if that takes too many positions.
fn search(atlas: &mut dyn Atlas, node: u32, known: &mut HashMap<u32, bool>) -> Option<bool> {
    // Each position with the number of its options looked at.
    let mut open = vec![(node, 0)];
    while let Some((node, at)) = open.pop() {
        if known.contains_key(&node) {
            continue;
        }
        let options = atlas.options(node).to_vec();
        let next = options[at..].iter().position(|option| known.get(option) != Some(&false));
        match next.map(|more| (at + more, options[at + more])) {
            None => drop(known.insert(node, true)),
            Some((_, option)) if known.contains_key(&option) => drop(known.insert(node, false)),
            Some((at, option)) => open.extend([(node, at), (option, 0)]),
        }
        if known.len() > FEW {
            return None;
        }
    }
    known.get(&node).copied()
}

fn tell(
    name: &str,
    form: &str,
    verdict: &Verdict,
    seconds: f64,
    certificate: Option<&PathBuf>,
    rechecked: Option<String>,
    json: bool,
) -> Result<(), Fault> {
    let mut out = std::io::stdout().lock();
    let file = certificate.map(|file| file.display().to_string());
    if json {
        let mut value = json!({"game": name, "claim": form, "seconds": seconds});
        match verdict {
            Verdict::Proved(proof) => {
                value["verdict"] = "proved".into();
                value["cases"] = proof.cases.into();
                value["parts"] = proof.parts.iter().map(Vec::len).sum::<usize>().into();
                value["sets"] = proof.sets().into();
                value["certificate"] = file.into();
            }
            Verdict::Refuted(found) => {
                value["verdict"] = "refuted".into();
                value["position"] = json!(found.position);
                value["option"] = json!(found.option.as_ref().map(|(_, option)| option));
                value["least"] = found.least.into();
                value["recheck"] = rechecked.into();
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
            match file {
                Some(file) => writeln!(out, "  certificate: {file} (bouton check {file})")?,
                None => writeln!(out, "  --certificate FILE writes the proof down for bouton check")?,
            }
        }
        Verdict::Refuted(found) => {
            let least = if found.least { "least counterexample" } else { "counterexample" };
            writeln!(out, "refuted: {name}: P iff {form}, up to symmetry\n  {least}: {found}")?;
            let rechecked = rechecked.unwrap_or_else(|| "not re-checked: too many positions below it".into());
            writeln!(out, "  {rechecked}")?;
        }
        Verdict::Unknown(reason) => {
            writeln!(out, "unknown: {name}: P iff {form}, up to symmetry\n  {reason}")?
        }
    }
    Ok(())
}
