//! What games on any number of heaps or rows share: their list of sizes as a position.

use bouton_core::{Arrange, MoveText, NotationError, Rows, Scanner};
use bouton_engine::family::{Count, MAX_ROWS};
use std::ops::ControlFlow::{self, Continue};

/// The largest heap or row accepted; far past what can be solved.
pub const MAX_HEAP: u64 = u32::MAX as u64;

/// Returns the accepted form of a list.
pub fn form(count: Count, what: &str) -> String {
    match count {
        Some(1) => format!("one {what}, e.g. 7"),
        Some(n) => {
            let example: Vec<String> = (1..=n.min(9)).map(|i| i.to_string()).collect();
            format!("{n} {what}s, e.g. {}", example.join(","))
        }
        None => format!("{what}s separated by commas, e.g. 1,3,5"),
    }
}

/// Reads a list of sizes; where the game's name gives a number of heaps, exactly this many.
pub fn read(text: &str, count: Count, what: &str) -> Result<Rows, NotationError> {
    let mut scanner = Scanner::new(text, form(count, what));
    let sizes = numbers(&mut scanner, &format!("a {what}"), MAX_HEAP)?;
    if let Some(count) = count.filter(|count| *count != sizes.len()) {
        return Err(scanner.error(0..text.len(), wrong_count(count, sizes.len(), what)));
    }
    if sizes.len() > MAX_ROWS {
        return Err(scanner.error(0..text.len(), format!("at most {MAX_ROWS} {what}s")));
    }
    Ok(sizes.into_iter().map(|size| size as u32).collect())
}

/// Returns what is wrong with this many sizes.
pub fn wrong_count(count: usize, found: usize, what: &str) -> String {
    match count {
        1 => format!(
            "this game has one {what}, not {found}; several are a sum of games: GAME 14 + GAME 4"
        ),
        _ => format!("this game has {count} {what}s, not {found}"),
    }
}

/// Reads numbers up to the end, as [`Scanner::list`] does.
pub fn numbers(scanner: &mut Scanner<'_>, what: &str, max: u64) -> Result<Vec<u64>, NotationError> {
    scanner.list(|scanner| scanner.number(what, max))
}

/// Writes a list of sizes; the empty list as `0`. Shorter lists are filled up with zeros in front.
pub fn print(rows: &[u32], count: Count) -> String {
    let zeros = count.unwrap_or(1).saturating_sub(rows.len());
    let sizes: Vec<String> =
        std::iter::repeat_n(&0, zeros).chain(rows).map(|size| size.to_string()).collect();
    sizes.join(",")
}

/// Returns the rows in ascending order, without empty ones: neither changes the game.
pub fn canonical(mut rows: Rows) -> Rows {
    rows.retain(|size| *size > 0);
    rows.arrange();
    rows
}

/// Tokens in all.
pub fn total(rows: &[u32]) -> u64 {
    rows.iter().map(|size| u64::from(*size)).sum()
}

/// Visits each row that is not empty as a position of its own.
pub fn visit_summands(rows: &Rows, mut visit: impl FnMut(Rows)) {
    rows.iter().filter(|size| **size > 0).for_each(|size| visit(Rows::from_slice(&[*size])));
}

/// Visits the canonical positions of `count` heaps of at most `max`, in lexicographic order of the
/// sorted heaps.
pub fn visit_up_to<B>(
    count: Count,
    max: u32,
    mut visit: impl FnMut(Rows) -> ControlFlow<B>,
) -> Option<ControlFlow<B>> {
    let mut sizes = vec![0u32; count?];
    loop {
        let p = sizes.iter().copied().filter(|size| *size > 0).collect();
        if let stop @ ControlFlow::Break(_) = visit(p) {
            return Some(stop);
        }
        let Some(last) = sizes.iter().rposition(|size| *size < max) else {
            return Some(Continue(()));
        };
        let next = sizes[last] + 1;
        sizes[last..].fill(next);
    }
}

/// Returns what a move changed: `5 → 2`, or `7 → 1,3` where rows split.
pub fn move_text(p: &[u32], q: &[u32]) -> MoveText {
    let same = p.iter().zip(q).take_while(|(a, b)| a == b).count();
    let end =
        p[same..].iter().rev().zip(q[same..].iter().rev()).take_while(|(a, b)| a == b).count();
    let part = |rows: &[u32]| print(&rows[same..rows.len() - end], None);
    let left = if q.len() == same + end { "0".into() } else { part(q) };
    MoveText::Change(format!("{} → {left}", part(p)))
}
