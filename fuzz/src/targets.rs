//! What is fuzzed: a parser each, and what must hold of whatever it reads.

use crate::{coq, model};
use bouton_check::{Accepted, Limits, check_limited};
use bouton_core::{Budget, Claim, Formula, Moves, NotationError, Play, Symmetry};
use bouton_engine::game::Game;
use bouton_fuzz::forge::{self, Forger};
use bouton_fuzz::lot::hash;
use bouton_games::{Catalogue, RuleFile, Template};
use bouton_kotzig::KotzigFamily;
use bouton_octal::sequence::{Checkpoint, StorageBudget};
use bouton_store::export::{Format, export};
use bouton_store::sweep::{Settings, sweep};
use bouton_store::{Database, StoreError};
use sha2::{Digest, Sha256};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

/// A target: a panic fails, and so does an error, which says what is wrong. Told is whether the
/// input was read as what it should be.
pub struct Target {
    pub name: &'static str,
    pub run: fn(&[u8]) -> Result<bool, String>,
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
    Target { name: "coq", run: coq::theorem },
    Target { name: "forged-automatic", run: |input| forged("automatic", input) },
    Target { name: "forged-circle", run: |input| forged("circle", input) },
    Target { name: "forged-laps", run: |input| forged("laps", input) },
    Target { name: "forged-orbit", run: |input| forged("orbit", input) },
    Target { name: "forged-pairs", run: |input| forged("pairs", input) },
    Target { name: "forged-p-positions", run: |input| forged("p-positions", input) },
    Target { name: "forged-parameters", run: |input| forged("parameters", input) },
    Target { name: "forged-period", run: |input| forged("period", input) },
    Target { name: "forged-strategy", run: |input| forged("strategy", input) },
    Target { name: "forged-win-condition", run: |input| forged("win-condition", input) },
];

/// Certificates of one input: so 10^5 are 6,250 inputs of a kind.
const FORGED: usize = 16;

/// Forgeries whose seed is the input: none is accepted, and what is accepted is true. Told is
/// whether something was.
fn forged(kind: &str, input: &[u8]) -> Result<bool, String> {
    thread_local! {
        static FORGERS: RefCell<Vec<Box<dyn Forger>>> =
            RefCell::new(forge::forgers(&forge::kept()));
    }
    FORGERS.with_borrow_mut(|forgers| {
        let own = forgers.iter_mut().find(|forger| forger.table().kind == kind);
        let tally = forge::some(own.ok_or("no such kind")?.as_mut(), hash(input), FORGED);
        match tally.faults.first() {
            Some(fault) => Err(fault.to_string()),
            None => Ok(tally.accepted > 0),
        }
    })
}

/// Checks that any text is a formula that reads back as it is printed, or an error that points into
/// the text.
fn formula(input: &[u8]) -> Result<bool, String> {
    let Ok(text) = std::str::from_utf8(input) else { return Ok(false) };
    match Formula::parse(text) {
        Ok(formula) => {
            let printed = formula.to_string();
            match Formula::parse(&printed) {
                Ok(again) if again.to_string() == printed => Ok(true),
                Ok(again) => Err(format!("printed as {printed}, then as {again}")),
                // Parentheses that are printed count as levels, too.
                Err(error) if error.message == "nested too deeply" => Ok(true),
                Err(error) => Err(format!("what is printed is not read: {}", error.message)),
            }
        }
        Err(error) if text.get(error.range.clone()).is_none() => {
            Err("an error beside the text".into())
        }
        Err(_) => Ok(false),
    }
}

/// What the check of one certificate may take: those that are kept take less.
const LIMITS: Limits = Limits { depth: 100, steps: 1 << 20, bytes: 20_000_000 };

/// Returns the certificate with a seal that fits.
fn resealed(text: &str) -> String {
    let body = text.rsplit_once("sha256: ").map_or(text, |(body, _)| body);
    let seal: String = Sha256::digest(body.as_bytes()).iter().map(|b| format!("{b:02x}")).collect();
    format!("{body}sha256: {seal}\n")
}

/// Checks whatever stands under a seal that fits: an answer within the limits, in ASCII; and what
/// is accepted of P-positions is so for small heaps, by the rules alone.
fn certificate(input: &[u8]) -> Result<bool, String> {
    let Ok(text) = std::str::from_utf8(input) else { return Ok(false) };
    let printable = |text: &str| text.bytes().all(|b| (b' '..=b'~').contains(&b));
    match check_limited(&resealed(text), &LIMITS, &mut || true) {
        Ok(accepted) => {
            for told in [&accepted.game, &accepted.claim, &accepted.work, &accepted.theorem] {
                if !printable(told) {
                    return Err(format!("accepted, and cannot be printed: {told:?}"));
                }
            }
            held_against_the_rules(&accepted).map(|()| true)
        }
        Err(rejected) if printable(&rejected.to_string()) => Ok(false),
        Err(rejected) => Err(format!("cannot be printed: {rejected:?}")),
    }
}

/// Options of a position.
type Options = Box<dyn Fn(&[u64]) -> Option<Vec<Vec<u64>>>>;

/// Whether a move may lower these heaps and take so many tokens.
type Fits = Box<dyn Fn(&[u64], Vec<usize>, u64) -> bool>;

/// Returns a game that is known here: how many heaps, whether empty ones leave, its symmetry, its
/// moves.
fn known(game: &str) -> Option<(usize, bool, Symmetry, Options)> {
    let (family, rest) = game.strip_suffix(')')?.split_once('(')?;
    let fields: Vec<&str> = rest.split(';').collect();
    let number = |text: &str| text.parse::<usize>().ok();
    let numbers = |text: &str| text.split(',').map(number).collect::<Option<Vec<_>>>();
    let lowered =
        |p: &[u64], q: &[u64]| (0..p.len()).filter(|i| q[*i] < p[*i]).collect::<Vec<usize>>();
    let lower = move |fits: Fits| -> Options {
        Box::new(move |p| {
            let mut all = model::below(p);
            all.retain(|q| {
                let taken = p.iter().sum::<u64>() - q.iter().sum::<u64>();
                taken > 0 && fits(p, lowered(p, q), taken)
            });
            Some(all)
        })
    };
    let arc = |k: usize| -> Options {
        lower(Box::new(move |p, low, _| {
            let n = p.len();
            (0..n).any(|i| low.iter().all(|h| (h + n - i) % n < k))
        }))
    };
    Some(match (family, &fields[..]) {
        ("nim", [n]) => {
            (number(n)?, false, Symmetry::Full, lower(Box::new(|_, low, _| low.len() == 1)))
        }
        ("moore", [b, n]) => {
            let b = number(b)?;
            (number(n)?, false, Symmetry::Full, lower(Box::new(move |_, low, _| low.len() < b)))
        }
        ("CN", [nk]) => match numbers(nk)?[..] {
            [n, k] => (n, false, Symmetry::Ring, arc(k)),
            _ => return None,
        },
        ("SCN", [nk]) => match numbers(nk)?[..] {
            [n, k] => {
                let options = arc(k);
                let leave = move |p: &[u64]| {
                    let mut all = options(p)?;
                    all.iter_mut().for_each(|q| q.retain(|x| *x > 0));
                    Some(all)
                };
                (n, true, Symmetry::Ring, Box::new(leave))
            }
            _ => return None,
        },
        ("S", [set, _]) | ("NIM", [set, "n"]) => {
            let (set, heaps) = (numbers(set)?, if family == "S" { number(fields[1])? } else { 1 });
            let fits = move |_: &[u64], low: Vec<usize>, taken| {
                low.len() == 1 && set.contains(&(taken as usize))
            };
            (heaps, false, Symmetry::Full, lower(Box::new(fits)))
        }
        ("rules", [heaps, symmetry, _, ..]) => {
            let heaps = number(heaps)?;
            let symmetry = match *symmetry {
                "none" => Symmetry::None,
                "ring" => Symmetry::Ring,
                _ => Symmetry::Full,
            };
            let formula = Formula::parse_over(&fields[3..].join(";"), &Moves::names(heaps)).ok()?;
            let options = move |p: &[u64]| {
                let mut kept = Vec::new();
                for q in model::below(p).into_iter().filter(|q| q != p) {
                    let both: Vec<u64> = p.iter().zip(&q).flat_map(|(p, q)| [*p, *q]).collect();
                    if formula.holds(&both).ok()? {
                        kept.push(q);
                    }
                }
                Some(kept)
            };
            (heaps, false, symmetry, Box::new(options))
        }
        _ => return None,
    })
}

fn held_against_the_rules(accepted: &Accepted) -> Result<(), String> {
    // Most that are accepted say what many others said.
    static FINE: Mutex<BTreeSet<(String, String)>> = Mutex::new(BTreeSet::new());
    let own = (accepted.game.clone(), accepted.claim.clone());
    let mut fine = FINE.lock().map_err(|error| error.to_string())?;
    if fine.contains(&own) {
        return Ok(());
    }
    let (misere, claim) = match accepted.claim.strip_prefix("in misere play ") {
        Some(claim) => (true, claim),
        None => (false, accepted.claim.as_str()),
    };
    let formula =
        claim.strip_prefix("P iff ").and_then(|claim| claim.strip_suffix(", up to symmetry"));
    let Some(formula) = formula else { return Ok(()) };
    let Some((heaps, shrinks, symmetry, options)) =
        known(&accepted.game).filter(|game| game.0 <= 5)
    else {
        return Ok(());
    };
    let most = [12, 25, 8, 4, 2, 2][heaps];
    let mut claims = vec![None; heaps + 1];
    for one in formula.split("; ").filter(|_| shrinks) {
        let (m, text) = one.split_once(" heaps: ").ok_or("no claim by number of heaps")?;
        let m = m.parse::<usize>().ok().filter(|m| *m <= heaps).ok_or("no such number of heaps")?;
        claims[m] = Some(text);
    }
    if !shrinks {
        claims[heaps] = Some(formula);
    }
    let mut read = Vec::new();
    let mut positions = Vec::new();
    for (m, text) in claims.iter().enumerate() {
        let claim = text.map(|text| Claim::parse(text, m)).transpose();
        let (Ok(claim), Some(images)) = (claim, symmetry.permutations(m, 200)) else {
            return Err(format!("the checker reads what the library does not: {formula}"));
        };
        read.push((claim, images));
        if m == heaps || shrinks {
            let all = model::below(&vec![most; m]);
            positions.extend(all.into_iter().filter(|p| !shrinks || !p.contains(&0)));
        }
    }
    for (p, lost) in model::solved(positions, misere, options).into_iter().flatten() {
        let (claim, images) = &read[p.len()];
        // What the search cannot settle is left to the proof.
        let claimed =
            claim.as_ref().map_or(Some(false), |claim| claim.holds_up_to(&p, images).ok());
        if claimed.is_some_and(|claimed| claimed != lost) {
            return Err(format!(
                "accepted, but wrong at {p:?}: {} {}",
                accepted.game, accepted.claim
            ));
        }
    }
    if fine.len() == 100_000 {
        fine.clear();
    }
    fine.insert(own);
    Ok(())
}

fn rule_file(input: &[u8]) -> Result<bool, String> {
    let Ok(text) = std::str::from_utf8(input) else { return Ok(false) };
    // Automata of many heaps take long; that is not what is looked for.
    let budget = Budget { nodes: Some(2000), ..Budget::default() };
    match RuleFile::parse_within(text, &budget) {
        Ok(_) => Ok(true),
        Err(error) if error.to_string().is_empty() => Err("an error without a word".into()),
        Err(_) => Ok(false),
    }
}

/// Returns whether an error points into its text.
fn points_into(error: &NotationError, text: &str) -> Result<(), String> {
    match error.text.get(error.at.clone()) {
        Some(_) if error.text == text => Ok(()),
        _ => Err(format!("an error beside the text: {error:?}")),
    }
}

/// Checks a game, or a game and a position: names and positions read back as they are printed.
fn game(input: &[u8]) -> Result<bool, String> {
    let Ok(text) = std::str::from_utf8(input) else { return Ok(false) };
    let named = match Catalogue::standard().parse(text) {
        Ok(named) => named,
        Err(error) => return points_into(&error, text).map(|()| false),
    };
    let name = named.game.name();
    let again = Catalogue::standard()
        .parse(&name)
        .map_err(|error| format!("{name} is not read: {error}"))?;
    if again.game.name() != name {
        return Err(format!("printed as {name}, then as {}", again.game.name()));
    }
    match named.position {
        Some(position) if again.game.normal_form(&position).as_ref() != Ok(&position) => {
            Err(format!("{position} is no position of {name}"))
        }
        _ => Ok(true),
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

/// Checks a position of one of these games: it reads back as it is printed, has a board, and
/// numbers that make it.
fn position(input: &[u8]) -> Result<bool, String> {
    static READ: OnceLock<Vec<Box<dyn Game>>> = OnceLock::new();
    let games = READ.get_or_init(|| {
        let read = |name: &&str| Catalogue::standard().parse(name).expect("a game").game;
        GAMES.iter().map(read).collect()
    });
    let Some((letter, text)) = input.split_first() else { return Ok(false) };
    let game = &games[usize::from(letter.wrapping_sub(b'a')) % games.len()];
    let Ok(text) = std::str::from_utf8(text) else { return Ok(false) };
    let printed = match game.normal_form(text) {
        Ok(printed) => printed,
        Err(error) => return points_into(&error, text).map(|()| false),
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
            Some(back) if game.sizes(&back) != Ok(Some(sizes)) => {
                told("has the numbers of another position")
            }
            _ => Ok(true),
        },
        Ok(None) => Ok(true),
    }
}

/// Checks a family of circles, and a text in which n is a parameter.
fn family(input: &[u8]) -> Result<bool, String> {
    let Ok(text) = std::str::from_utf8(input) else { return Ok(false) };
    let family = KotzigFamily::parse(text);
    let read = family.is_ok();
    if let Err(error) = family {
        points_into(&error, text)?;
    }
    match Template::parse(text, "n") {
        Ok(template) => {
            for n in [0, 1, 7, i64::MAX] {
                let _ = template.at(n);
            }
            Ok(true)
        }
        Err(error) => points_into(&error, text).map(|()| read),
    }
}

/// Returns where files are written: in memory where there is such a place.
fn place(ending: &str) -> PathBuf {
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
    folder.join(format!("bouton-fuzz-{}.{ending}", std::process::id()))
}

const TITLE: &[u8] = b"bouton nim-values 1\ngame: 0.77\n\n";

/// Returns the file with seals that fit, as far as its blocks say how long they are.
fn sealed(input: &[u8]) -> Vec<u8> {
    let mut file = input.to_vec();
    let hash = |parts: [&[u8]; 2]| <[u8; 32]>::from(Sha256::digest(parts.concat()));
    let (mut seal, mut at) = (hash([&[0; 32], TITLE]), TITLE.len());
    while let Some(head) = file.get_mut(at..at + 24) {
        let fits = hash([&seal, &head[..16]]);
        head[16..].copy_from_slice(&fits[..8]);
        let bytes =
            head[8..16].iter().rev().fold(0u64, |number, byte| number << 8 | u64::from(*byte));
        let end = usize::try_from(bytes).ok().and_then(|bytes| bytes.checked_add(at + 24));
        let Some(end) = end.filter(|end| end.checked_add(32).is_some_and(|end| end <= file.len()))
        else {
            break;
        };
        seal = hash([&seal, &file[at..end]]);
        file[end..end + 32].copy_from_slice(&seal);
        at = end + 32;
    }
    file
}

/// Checks that a file is a checkpoint, or is left as it is; every other one has seals that fit.
fn checkpoint(input: &[u8]) -> Result<bool, String> {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    let path = PATH.get_or_init(|| place("values"));
    let input = &if hash(input) & 1 == 0 && input.starts_with(TITLE) {
        sealed(input)
    } else {
        input.to_vec()
    };
    std::fs::write(path, input).map_err(|error| error.to_string())?;
    let room = StorageBudget { memory: 1 << 20, folder: None };
    let opened = Checkpoint::open(path, "0.77", room);
    let after = std::fs::read(path).map_err(|error| error.to_string())?;
    match opened {
        Err(_) if &after != input => Err("what is no checkpoint was changed".into()),
        Ok(_) if !input.is_empty() && !input.starts_with(TITLE) => {
            Err("a file of another kind is taken".into())
        }
        opened => Ok(opened.is_ok()),
    }
}

/// Changes bytes of a small database, three of the input a change (place, place, what is flipped):
/// the same rows, or refused.
fn database(input: &[u8]) -> Result<bool, String> {
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
        Ok(rows) if rows != *good => Err(format!(
            "other rows and no word: {}",
            rows.chars().take(60).collect::<String>().escape_debug()
        )),
        read => Ok(read.is_ok()),
    }
}

fn rows(path: &Path) -> Result<String, StoreError> {
    let mut lines = Vec::new();
    let written = export(&Database::open(path)?, None, None, None, Format::Lines, &mut lines)?;
    Ok(written
        .map_or_else(|error| error.to_string(), |_| String::from_utf8_lossy(&lines).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is fuzzed is near to what is accepted.
    #[test]
    fn kept_certificates_are_accepted() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/certificate");
        let (mut accepted, mut known) = (0, 0);
        for entry in std::fs::read_dir(folder).expect("the corpus") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let text = std::fs::read_to_string(&path).expect("a text");
            match check_limited(&resealed(&text), &LIMITS, &mut || true) {
                Ok(found) => {
                    assert_eq!(held_against_the_rules(&found), Ok(()), "{name}");
                    known += usize::from(super::known(&found.game).is_some());
                    accepted += 1;
                }
                Err(why) => assert!(name.starts_with("no-"), "{name}: {why}"),
            }
        }
        assert!(accepted > 20 && known > 10, "{accepted} {known}");
    }

    /// A claim that is wrong is seen to be.
    #[test]
    fn wrong_claims_are_seen() {
        for (game, claim) in [
            ("nim(2)", "P iff a = b+1"),
            ("nim(2)", "in misere play P iff a = b"),
            ("SCN(3,2)", "P iff 3 heaps: a = b; 2 heaps: a = b"),
            ("CN(4,2)", "P iff a = c"),
            ("S(1,2;1)", "P iff a mod 2 = 0"),
            ("NIM(1,2;n)", "P iff a mod 4 = 0"),
            ("moore(3;3)", "P iff a = b"),
            ("rules(1;none;binary;p0 <= 2*q0)", "P iff a mod 2 = 0"),
        ] {
            let (text, none) = (format!("{claim}, up to symmetry"), String::new());
            let found = Accepted {
                kind: "p-positions".into(),
                game: game.into(),
                claim: text,
                work: none.clone(),
                theorem: none,
            };
            let told = held_against_the_rules(&found).expect_err(game);
            assert!(told.starts_with("accepted, but wrong at"), "{game}: {told}");
        }
    }
}
