//! What is fuzzed: a parser each, and what must hold of whatever it reads.

use crate::lot::hash;
use crate::model;
use bouton_check::{Accepted, Limits, check_limited};
use bouton_games::{Catalogue, KotzigFamily, RuleFile, Template};
use bouton_rules::{Budget, Claim, Formula, NotationError, Play, Symmetry};
use bouton_solve::game::Game;
use bouton_solve::sequence::{Checkpoint, Room};
use bouton_store::export::{Format, export};
use bouton_store::sweep::{Settings, sweep};
use bouton_store::{Database, StoreError};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// A target: a panic fails, and so does an error, which says what is wrong.
pub struct Target {
    pub name: &'static str,
    pub run: fn(&[u8]) -> Result<(), String>,
}

pub const TARGETS: &[Target] = &[
    Target { name: "formula", run: formula },
    Target { name: "certificate", run: certificate },
    Target { name: "rule-file", run: rule_file },
    Target { name: "game", run: game },
    Target { name: "position", run: position },
    Target { name: "family", run: family },
    Target { name: "checkpoint", run: checkpoint },
    Target { name: "database", run: database },
    Target { name: "model", run: model::line },
];

/// Any text is a formula that reads back as it is printed, or an error that points into the text.
fn formula(input: &[u8]) -> Result<(), String> {
    let Ok(text) = std::str::from_utf8(input) else { return Ok(()) };
    match Formula::parse(text) {
        Ok(formula) => {
            let printed = formula.to_string();
            match Formula::parse(&printed) {
                Ok(again) if again.to_string() == printed => Ok(()),
                Ok(again) => Err(format!("printed as {printed}, then as {again}")),
                // Parentheses that are printed count as levels, too.
                Err(error) if error.message == "nested too deeply" => Ok(()),
                Err(error) => Err(format!("what is printed is not read: {}", error.message)),
            }
        }
        Err(error) if text.get(error.range.clone()).is_none() => Err("an error beside the text".into()),
        Err(_) => Ok(()),
    }
}

/// Whatever stands under a seal that fits: an answer within the limits, in ASCII; and what is accepted of P-positions is so for
/// small heaps, by the rules alone.
fn certificate(input: &[u8]) -> Result<(), String> {
    let Ok(text) = std::str::from_utf8(input) else { return Ok(()) };
    let body = text.rsplit_once("sha256: ").map_or(text, |(body, _)| body);
    let seal: String = Sha256::digest(body.as_bytes()).iter().map(|b| format!("{b:02x}")).collect();
    let limits = Limits { depth: 200, steps: 1 << 23, bytes: 50_000_000 };
    let printable = |text: &str| text.bytes().all(|b| (b' '..=b'~').contains(&b));
    match check_limited(&format!("{body}sha256: {seal}\n"), &limits, &mut || true) {
        Ok(accepted) => {
            for told in [&accepted.game, &accepted.claim, &accepted.work, &accepted.theorem] {
                if !printable(told) {
                    return Err(format!("accepted, and cannot be printed: {told:?}"));
                }
            }
            held_against_the_rules(&accepted)
        }
        Err(rejected) if printable(&rejected.to_string()) => Ok(()),
        Err(rejected) => Err(format!("cannot be printed: {rejected:?}")),
    }
}

/// The options of a position of a game that is known here; None for others.
fn options(game: &str, p: &[u64]) -> Option<Vec<Vec<u64>>> {
    let (family, rest) = game.strip_suffix(')')?.split_once('(')?;
    let fields: Vec<&str> = rest.split(';').collect();
    let number = |text: &str| text.parse::<usize>().ok();
    let all = model::below(p);
    let lowered = |q: &[u64]| (0..p.len()).filter(|i| q[*i] < p[*i]).collect::<Vec<_>>();
    let kept: Vec<Vec<u64>> = match (family, &fields[..]) {
        ("nim", [_]) => all.into_iter().filter(|q| lowered(q).len() == 1).collect(),
        ("CN", [nk]) => {
            let (n, k) = nk.split_once(',')?;
            let (n, k) = (number(n)?, number(k)?);
            let arc = |q: &Vec<u64>| (0..n).any(|i| lowered(q).iter().all(|h| (h + n - i) % n < k));
            all.into_iter().filter(|q| !lowered(q).is_empty() && arc(q)).collect()
        }
        ("S", [set, _]) => {
            let set: Vec<u64> = set.split(',').map(|s| s.parse().ok()).collect::<Option<_>>()?;
            let taken = |q: &Vec<u64>| p.iter().sum::<u64>() - q.iter().sum::<u64>();
            all.into_iter().filter(|q| lowered(q).len() == 1 && set.contains(&taken(q))).collect()
        }
        _ => return None,
    };
    Some(kept)
}

fn held_against_the_rules(accepted: &Accepted) -> Result<(), String> {
    let (misere, claim) = match accepted.claim.strip_prefix("in misere play ") {
        Some(claim) => (true, claim),
        None => (false, accepted.claim.as_str()),
    };
    let formula = claim.strip_prefix("P iff ").and_then(|claim| claim.strip_suffix(", up to symmetry"));
    let Some(formula) = formula else { return Ok(()) };
    let heaps = match accepted.game.split_once('(') {
        Some(("CN", rest)) => rest.split_once(',').and_then(|(n, _)| n.parse::<usize>().ok()),
        Some(("nim" | "S", rest)) => {
            rest.trim_end_matches(')').rsplit(';').next().and_then(|n| n.parse::<usize>().ok())
        }
        _ => None,
    };
    let Some(heaps) = heaps.filter(|heaps| *heaps <= 5) else { return Ok(()) };
    let symmetry = if accepted.game.starts_with("CN") { Symmetry::Ring } else { Symmetry::Full };
    let (Ok(claim), Some(images)) = (Claim::parse(formula, heaps), symmetry.permutations(heaps, 200)) else {
        return Err(format!("the checker reads what the library does not: {formula}"));
    };
    let most = [12, 12, 6, 4, 2, 2][heaps];
    let lost = model::solved(heaps, most, misere, |p| options(&accepted.game, p));
    for (p, lost) in lost.into_iter().flatten() {
        // What the search cannot settle is left to the proof.
        if claim.holds_up_to(&p, &images).is_ok_and(|claimed| claimed != lost) {
            return Err(format!("accepted, but wrong at {p:?}: {} {}", accepted.game, accepted.claim));
        }
    }
    Ok(())
}

fn rule_file(input: &[u8]) -> Result<(), String> {
    let Ok(text) = std::str::from_utf8(input) else { return Ok(()) };
    // Automata of many heaps take long; that is not what is looked for.
    let budget = Budget { nodes: Some(2000), ..Budget::default() };
    match RuleFile::parse_within(text, &budget) {
        Ok(_) => Ok(()),
        Err(error) if error.to_string().is_empty() => Err("an error without a word".into()),
        Err(_) => Ok(()),
    }
}

/// Whether an error points into its text.
fn points_into(error: &NotationError, text: &str) -> Result<(), String> {
    match error.text.get(error.at.clone()) {
        Some(_) if error.text == text => Ok(()),
        _ => Err(format!("an error beside the text: {error:?}")),
    }
}

/// A game, or a game and a position: names and positions read back as they are printed.
fn game(input: &[u8]) -> Result<(), String> {
    let Ok(text) = std::str::from_utf8(input) else { return Ok(()) };
    let named = match Catalogue::standard().parse(text) {
        Ok(named) => named,
        Err(error) => return points_into(&error, text),
    };
    let name = named.game.name();
    let again = Catalogue::standard().parse(&name).map_err(|error| format!("{name} is not read: {error}"))?;
    if again.game.name() != name {
        return Err(format!("printed as {name}, then as {}", again.game.name()));
    }
    match named.position {
        Some(position) if again.game.normal_form(&position).as_ref() != Ok(&position) => {
            Err(format!("{position} is no position of {name}"))
        }
        _ => Ok(()),
    }
}

/// The games whose positions are read; the first byte of an input is the letter of one.
const GAMES: [&str; 19] = [
    "nim",
    "nim(3)",
    "moore(3;4)",
    "S(1,4,7)",
    "kayles",
    "4!.0",
    "0.[3]",
    "wythoff",
    "CN(5,2)",
    "CN(5,2;any=2)",
    "SCN(5,3)",
    "simplicial(1,2;2,3;3,4)",
    "Gamma(1,4;13)",
    "Gamma(1,4;300)",
    "Gamma(1,-2;9)",
    "NIM(1,3,4;14;9,9)",
    "dots(2x2)",
    "coins(1-2,1-3,1-4,2-3,2-4,3-4)",
    "kayles + nim",
];

/// A position of one of these games: it reads back as it is printed, has a board, and numbers that make it.
fn position(input: &[u8]) -> Result<(), String> {
    static READ: OnceLock<Vec<Box<dyn Game>>> = OnceLock::new();
    let games = READ.get_or_init(|| {
        let read = |name: &&str| Catalogue::standard().parse(name).expect("a game").game;
        GAMES.iter().map(read).collect()
    });
    let Some((letter, text)) = input.split_first() else { return Ok(()) };
    let game = &games[usize::from(letter.wrapping_sub(b'a')) % games.len()];
    let Ok(text) = std::str::from_utf8(text) else { return Ok(()) };
    let printed = match game.normal_form(text) {
        Ok(printed) => printed,
        Err(error) => return points_into(&error, text),
    };
    let told = |what: &str| Err(format!("{}: {printed} {what}", game.name()));
    if game.normal_form(&printed).as_ref() != Ok(&printed) {
        return told("is not read as it is printed");
    }
    if game.board(&printed).is_err() {
        return told("has no board");
    }
    match game.sizes(&printed) {
        Err(_) => told("has no numbers"),
        Ok(Some(sizes)) => match game.position(&sizes) {
            Some(back) if game.sizes(&back) != Ok(Some(sizes)) => told("has the numbers of another position"),
            _ => Ok(()),
        },
        Ok(None) => Ok(()),
    }
}

/// A family of circles, and a text in which n is a parameter.
fn family(input: &[u8]) -> Result<(), String> {
    let Ok(text) = std::str::from_utf8(input) else { return Ok(()) };
    if let Err(error) = KotzigFamily::parse(text) {
        points_into(&error, text)?;
    }
    match Template::parse(text, "n") {
        Ok(template) => {
            for n in [0, 1, 7, i64::MAX] {
                let _ = template.at(n);
            }
            Ok(())
        }
        Err(error) => points_into(&error, text),
    }
}

/// Where files are written: in memory where there is such a place.
fn place(ending: &str) -> PathBuf {
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
    folder.join(format!("bouton-fuzz-{}.{ending}", std::process::id()))
}

const TITLE: &[u8] = b"bouton nim-values 1\ngame: 0.77\n\n";

/// The file with seals that fit, as far as its blocks say how long they are.
fn sealed(input: &[u8]) -> Vec<u8> {
    let mut file = input.to_vec();
    let hash = |parts: [&[u8]; 2]| <[u8; 32]>::from(Sha256::digest(parts.concat()));
    let (mut seal, mut at) = (hash([&[0; 32], TITLE]), TITLE.len());
    while let Some(head) = file.get_mut(at..at + 24) {
        let fits = hash([&seal, &head[..16]]);
        head[16..].copy_from_slice(&fits[..8]);
        let bytes = head[8..16].iter().rev().fold(0u64, |number, byte| number << 8 | u64::from(*byte));
        let end = usize::try_from(bytes).ok().and_then(|bytes| bytes.checked_add(at + 24));
        let Some(end) = end.filter(|end| end.checked_add(32).is_some_and(|end| end <= file.len())) else {
            break;
        };
        seal = hash([&seal, &file[at..end]]);
        file[end..end + 32].copy_from_slice(&seal);
        at = end + 32;
    }
    file
}

/// A file is a checkpoint, or is left as it is; every other one has seals that fit.
fn checkpoint(input: &[u8]) -> Result<(), String> {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    let path = PATH.get_or_init(|| place("values"));
    let input =
        &if hash(input) % 2 == 0 && input.starts_with(TITLE) { sealed(input) } else { input.to_vec() };
    std::fs::write(path, input).map_err(|error| error.to_string())?;
    let room = Room { memory: 1 << 20, folder: None };
    let opened = Checkpoint::open(path, "0.77", room);
    let after = std::fs::read(path).map_err(|error| error.to_string())?;
    match opened {
        Err(_) if &after != input => Err("what is no checkpoint was changed".into()),
        Ok(_) if !input.is_empty() && !input.starts_with(TITLE) => {
            Err("a file of another kind is taken".into())
        }
        _ => Ok(()),
    }
}

/// A small database in which bytes are changed, three of the input a change (place, place, what is flipped): the same rows, or
/// refused.
fn database(input: &[u8]) -> Result<(), String> {
    static WHOLE: OnceLock<(Vec<u8>, String)> = OnceLock::new();
    let path = place("db");
    let (whole, good) = WHOLE.get_or_init(|| {
        let family = KotzigFamily::parse("Gamma(m1,m2;n)").expect("a family");
        let how = Settings { play: Play::Normal, nodes: 1 << 30, threads: 1 };
        let ranges = [1..=4, 1..=4, 3..=9];
        let mut database = Database::create(&path).expect("a new database");
        sweep(&mut database, &family, &ranges, &how, &Arc::default(), |_| {}).expect("swept");
        drop(database);
        (std::fs::read(&path).expect("written"), rows(&path).expect("its rows"))
    });
    let mut bytes = whole.clone();
    for change in input.chunks_exact(3) {
        let place = usize::from(u16::from_le_bytes([change[0], change[1]])) % bytes.len();
        bytes[place] ^= change[2];
    }
    std::fs::write(&path, &bytes).map_err(|error| error.to_string())?;
    let read = rows(&path);
    let _ = std::fs::remove_file(&path);
    match read {
        Ok(rows) if rows != *good => Err(format!("other rows and no word:\n{rows}")),
        _ => Ok(()),
    }
}

fn rows(path: &Path) -> Result<String, StoreError> {
    let mut lines = Vec::new();
    let written = export(&Database::open(path)?, None, None, Format::Lines, &mut lines)?;
    Ok(written.map_or_else(|error| error.to_string(), |_| String::from_utf8_lossy(&lines).into_owned()))
}
