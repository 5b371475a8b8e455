//! Names of games, expanded into rules. Outside the kernel: what is proved is said of the rules
//! that a name stands for ([`super::words`]), never of the name.
//!
//! A name is read as a whole: every field decides something of the rules, or (numbers in the
//! place of `n` and `d,e`) says from where play begins, which the theorem then says, too. A name
//! of any other form is unknown.

use super::digits::Digits;
use super::rules::{Game, HEAPS, Symmetry, WAYS, Windows, read_condition};
use crate::Rejected;
use crate::work::number;
use std::collections::HashSet;

/// Returns the rules that a name stands for.
///
/// # Errors
///
/// Says if no game of this name is known.
pub fn game(name: &str) -> Result<Game, Rejected> {
    // No formula is longer, nor any list of heaps that a game here could have.
    Some(name)
        .filter(|name| name.len() <= 1 << 17)
        .and_then(known)
        .ok_or_else(|| Rejected::new(3, "the moves of no game of this name are known here"))
}

fn known(name: &str) -> Option<Game> {
    if let Some(rules) = name.strip_prefix("rules(").and_then(|rest| rest.strip_suffix(')')) {
        return written(rules);
    }
    if name == "wythoff" {
        let condition = Some(read_condition("q0 = p0 | q1 = p1 | p0+q1 = p1+q0", 2)?);
        let digits = Digits::ostrowski(&[1])?;
        return Some(Game { digits, condition, ..free(2, Symmetry::Full, Windows::Any(2)) });
    }
    let (family, rest) = name.strip_suffix(')')?.split_once('(')?;
    let fields: Vec<&str> = rest.split(';').collect();
    let game = match (family, &fields[..]) {
        ("nim", [n]) => free(number(n)?, Symmetry::Full, Windows::Any(1)),
        ("moore", [b, n]) => {
            let lowered = number::<usize>(b)?.checked_sub(1)?;
            free(number(n)?, Symmetry::Full, Windows::Any(lowered))
        }
        ("CN", [nk]) => ring(nk)?.0,
        ("SCN", [nk]) => Game { shrinks: true, ..ring(nk)?.0 },
        ("CN", [nk, variation]) => {
            // The condition is as long as the window is wide.
            let (game, k) = ring(nk).filter(|(game, _)| game.heaps <= HEAPS)?;
            let condition = Some(read_condition(&taking(variation, k)?, k)?);
            Game { condition, ..game }
        }
        ("S", [set, n]) => {
            let condition = Some(read_condition(&subtracted(set)?, 1)?);
            Game { condition, ..free(number(n)?, Symmetry::Full, Windows::Any(1)) }
        }
        ("simplicial", lists) => complex(lists)?,
        ("NIM", [set, pile]) => {
            let from = start(&[pile], &["n"])?;
            let condition = Some(read_condition(&subtracted(set)?, 1)?);
            Game { condition, from, ..free(1, Symmetry::Full, Windows::Any(1)) }
        }
        ("NIM", [set, pile, purses]) => {
            let (mover, other) = purses.split_once(',')?;
            let from = start(&[pile, mover, other], &["n", "d", "e"])?;
            let paid = |a: usize| format!("q0+{a} = p0 & q1 = p2 & q2+{a} = p1");
            let text: Vec<String> = amounts(set)?.into_iter().map(paid).collect();
            let condition = Some(read_condition(&text.join(" | "), 3)?);
            Game { condition, from, turned: true, ..free(3, Symmetry::None, Windows::Any(3)) }
        }
        _ => return None,
    };
    let lowers = !matches!(game.windows, Windows::Any(0) | Windows::Neighbours(0));
    (lowers && (1..=HEAPS).contains(&game.heaps)).then_some(game)
}

/// Returns a game of any number of tokens, in binary digits, whose symmetries keep the moves.
fn free(heaps: usize, symmetry: Symmetry, windows: Windows) -> Game {
    Game {
        heaps,
        symmetry,
        shrinks: false,
        digits: Digits::binary(),
        windows,
        condition: None,
        symmetric: true,
        turned: false,
        misere: false,
        memory: 0,
        from: false,
    }
}

/// Reads a rule file's game, `HEAPS;SYMMETRY;DIGITS;MOVE`: the move is a formula over p0, q0, p1,
/// q1, … HEAPS may be `2+1`: two heaps, and a number that is remembered.
fn written(rules: &str) -> Option<Game> {
    let fields: Vec<&str> = rules.splitn(4, ';').collect();
    let [heaps, symmetry, digits, text] = fields[..] else { return None };
    let (heaps, memory) = match heaps.split_once('+') {
        // Only what keeps its place.
        Some((heaps, memory)) if symmetry == "none" => {
            (heaps, number(memory).filter(|memory| *memory > 0)?)
        }
        Some(_) => return None,
        None => (heaps, 0),
    };
    let heaps: usize = number(heaps).filter(|heaps| (1..=HEAPS).contains(heaps))?;
    let heaps = heaps.checked_add(memory).filter(|all| *all <= HEAPS)?;
    let symmetry = match symmetry {
        "none" => Symmetry::None,
        "ring" => Symmetry::Ring,
        "full" => Symmetry::Full,
        _ => return None,
    };
    let digits = match digits {
        "binary" => Digits::binary(),
        "zeckendorf" => Digits::ostrowski(&[1])?,
        others => {
            let period = others.strip_prefix("ostrowski(")?.strip_suffix(')')?;
            let period: Vec<i64> = period.split(',').map(number).collect::<Option<_>>()?;
            Digits::ostrowski(&period).filter(|_| period != [1])?
        }
    };
    let condition = Some(read_condition(text, heaps)?);
    let game = free(heaps, symmetry, Windows::Any(heaps));
    Some(Game { digits, condition, symmetric: false, memory, ..game })
}

/// Returns whether a name has numbers in these places, none too large to be a heap, or (`false`)
/// just these letters; `None` if it has anything else.
fn start(fields: &[&str], letters: &[&str]) -> Option<bool> {
    match fields == letters {
        true => Some(false),
        false => fields.iter().all(|field| number::<u64>(field).is_some()).then_some(true),
    }
}

/// Reads a game on a circle, and how many neighbours a move lowers.
fn ring(text: &str) -> Option<(Game, usize)> {
    let (n, k) = text.split_once(',')?;
    let (n, k) = (number(n)?, number(k)?);
    (k <= n).then(|| (free(n, Symmetry::Ring, Windows::Neighbours(k)), k))
}

/// Returns a game whose moves lower heaps of one of these lists.
fn complex(lists: &[&str]) -> Option<Game> {
    let mut faces = Vec::new();
    for list in lists {
        faces.push(amounts(list)?.into_iter().map(|heap| heap - 1).collect::<Vec<_>>());
    }
    let heaps = faces.iter().flatten().max()? + 1;
    if heaps > HEAPS
        || faces.len() > WAYS
        || !(0..heaps).all(|h| faces.iter().any(|face| face.contains(&h)))
    {
        return None;
    }
    let known: HashSet<&Vec<usize>> = faces.iter().collect();
    let keeps = |place: &dyn Fn(usize) -> usize| {
        faces.iter().all(|face| {
            let mut image: Vec<usize> = face.iter().map(|h| place(*h)).collect();
            image.sort_unstable();
            known.contains(&image)
        })
    };
    let turns = keeps(&|h| (h + 1) % heaps);
    let swaps = keeps(&|h| if heaps > 1 && h < 2 { 1 - h } else { h });
    let symmetry = match (turns && swaps, turns && keeps(&|h| heaps - 1 - h)) {
        (true, _) => Symmetry::Full,
        (_, true) => Symmetry::Ring,
        _ => Symmetry::None,
    };
    Some(free(heaps, symmetry, Windows::Faces(faces)))
}

fn amounts(set: &str) -> Option<Vec<usize>> {
    let set: Vec<usize> =
        set.split(',').map(|a| number(a).filter(|a| *a > 0)).collect::<Option<_>>()?;
    set.is_sorted_by(|a, b| a < b).then_some(set)
}

fn subtracted(set: &str) -> Option<String> {
    Some(amounts(set)?.iter().map(|s| format!("q0+{s} = p0")).collect::<Vec<_>>().join(" | "))
}

/// Returns the condition of a variation: how the heaps of a window of k change.
fn taking(variation: &str, k: usize) -> Option<String> {
    let at = variation.find(['>', '='])?;
    let (kind, rest) = variation.split_at(at);
    let least = rest.starts_with(">=");
    let a =
        number(rest.strip_prefix(if least { ">=" } else { "=" })?).filter(|a: &usize| *a > 0)?;
    let relation = if least { "<=" } else { "=" };
    let all = |text: &dyn Fn(usize) -> String, between: &str| {
        (0..k).map(text).collect::<Vec<_>>().join(between)
    };
    Some(match (kind, least) {
        ("any", false) => all(&|i| format!("(q{i} = p{i} | q{i}+{a} = p{i})"), " & "),
        ("each", _) => all(&|i| format!("q{i}+{a} {relation} p{i}"), " & "),
        ("total", _) => {
            format!(
                "{}+{a} {relation} {}",
                all(&|i| format!("q{i}"), "+"),
                all(&|i| format!("p{i}"), "+")
            )
        }
        _ => return None,
    })
}
