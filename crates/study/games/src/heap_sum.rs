//! Sums of games on heaps as one game on all their heaps, so that the sum's P-positions are sought
//! and proved like any game's.
//!
//! A move is a move in one of the summands. With a single heap of Nim beside a game the P-positions
//! tell its nim-values: g(p) = v if and only if (p, v) is P (R. P. Sprague 1935, P. M. Grundy
//! 1939).

use crate::rule_file::{RuleFile, RuleFileError, RuleText};
use bouton_core::{
    Arrange, Budget, Digits, Formula, FormulaBuilder, HeapGame, Moves, Node, Windows,
};
use bouton_engine::Game;

/// Windows of a summand, at most.
const MAX_WINDOWS: usize = 2000;

/// Why games have no sum that is one game on heaps.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{game}: {why}")]
pub struct HeapSumError {
    /// The summand in the way.
    pub game: String,
    /// What it lacks.
    pub why: String,
}

/// Returns the game on the heaps of all `games`, the first game's first; behind them, in the same
/// order, what the games remember.
pub fn heap_sum(games: &[&dyn Game]) -> Result<Box<dyn Game>, HeapSumError> {
    let mut stated: Vec<HeapGame> = Vec::new();
    for game in games {
        let no = |why: &str| HeapSumError { game: game.name(), why: why.into() };
        let heaps =
            game.heap_game().ok_or_else(|| no("this is no game on a fixed number of heaps"))?;
        if heaps.shrinks {
            return Err(no(
                "a circle that closes up is no part of a game on a fixed number of heaps",
            ));
        }
        if heaps.moves.permutation.is_some() {
            return Err(no("purses that change hands are no part of a sum of heaps"));
        }
        stated.push(heaps);
    }
    let whole = |why: String| HeapSumError { game: name(games), why };
    let many = || whole(format!("more than {MAX_WINDOWS} kinds of moves"));
    let mut windows: Vec<Vec<Vec<usize>>> = Vec::new();
    for heaps in &stated {
        windows.push(heaps.moves.windows.on_heaps(heaps.heaps, MAX_WINDOWS).ok_or_else(many)?);
    }
    let places = places(&stated);
    for (places, windows) in places.iter().zip(&mut windows) {
        windows.iter_mut().flatten().for_each(|number| *number = places[*number]);
    }
    let numbers = places.iter().map(Vec::len).sum();
    let memory: usize = stated.iter().map(|heaps| heaps.moves.memory.count).sum();
    if stated.iter().all(|heaps| heaps.moves.condition.is_none()) {
        let face = |face: &Vec<usize>| {
            face.iter().map(|heap| (heap + 1).to_string()).collect::<Vec<_>>().join(",")
        };
        let faces: Vec<String> = windows.iter().flatten().map(face).collect();
        return crate::parse(&format!("simplicial({})", faces.join(";")))
            .map(|named| named.game)
            .map_err(|error| whole(error.to_string()));
    }
    let moves: Vec<String> = stated
        .iter()
        .zip(&windows)
        .flat_map(|(game, windows)| windows.iter().map(|w| in_window(&game.moves, w, numbers)))
        .collect();
    let zeckendorf = stated.iter().any(|heaps| heaps.digits == Digits::Zeckendorf);
    let fields = RuleText {
        moves: moves.join(" | "),
        memory,
        positions: occurring(&stated, &places),
        digits: if zeckendorf { Digits::Zeckendorf } else { Digits::Binary },
        ..RuleText::without_moves(
            "sum",
            numbers - memory,
            format!("A move in one of {}.", name(games)),
        )
    };
    RuleFile::made(&fields, &Budget::default())
        .map(|file| file.game())
        .map_err(|error| whole(error.to_string()))
}

/// Returns where the numbers of each summand stand in a position of the sum: all heaps, then all
/// that is remembered.
fn places(summands: &[HeapGame]) -> Vec<Vec<usize>> {
    let memory: usize = summands.iter().map(|game| game.moves.memory.count).sum();
    let all: usize = summands.iter().map(|game| game.heaps).sum();
    let (mut heap, mut remembered) = (0, all - memory);
    let own = |game: &HeapGame| {
        let count = game.moves.memory.count;
        let heaps = heap..heap + game.heaps - count;
        let memory = remembered..remembered + count;
        (heap, remembered) = (heaps.end, memory.end);
        heaps.chain(memory).collect()
    };
    summands.iter().map(own).collect()
}

/// Returns the positions of a sum that occur: those of which every summand's part does. Empty if
/// all do.
fn occurring(summands: &[HeapGame], places: &[Vec<usize>]) -> String {
    let mut parts = Vec::new();
    for (game, places) in summands.iter().zip(places) {
        if let Some(domain) = &game.moves.domain {
            let names: Vec<String> = places.iter().map(|number| format!("p{number}")).collect();
            parts.push(format!("({})", domain.formula.over(&names)));
        }
    }
    parts.join(" & ")
}

/// Returns the game on the other heaps where these are empty, and one of them at most so large:
/// that stays so, hence the P-positions are those of the whole game. `None` for games in which
/// heaps leave or change places, where no move is left, and if the budget is too small to make the
/// game.
pub fn restricted_to_small_heaps(
    game: &dyn Game,
    empty: &[usize],
    at_most: Option<(usize, u32)>,
    budget: &Budget,
) -> Option<Box<dyn Game>> {
    let HeapGame { heaps, shrinks, moves, digits, .. } = game.heap_game()?;
    let memory = moves.memory.count;
    let is_heap = |heap: &usize| *heap + memory < heaps;
    if shrinks
        || moves.permutation.is_some()
        || !empty.iter().chain(at_most.iter().map(|(heap, _)| heap)).all(is_heap)
    {
        return None;
    }
    let kept: Vec<usize> = (0..heaps).filter(|heap| !empty.contains(heap)).collect();
    let place = |heap: &usize| kept.iter().position(|own| own == heap);
    let windows = moves.windows.on_heaps(heaps, MAX_WINDOWS)?;
    let free = || FormulaBuilder::over([]).build(Node::Constant(true));
    let condition = moves.condition.clone().or_else(|| at_most.is_some().then(free));
    let Some(condition) = condition else {
        let face = |window: &Vec<usize>| {
            let own: Vec<String> =
                window.iter().filter_map(place).map(|own| (own + 1).to_string()).collect();
            own.join(",")
        };
        let mut faces: Vec<String> =
            windows.iter().map(face).filter(|face| !face.is_empty()).collect();
        faces.arrange();
        faces.dedup();
        return crate::parse(&format!("simplicial({})", faces.join(";")))
            .ok()
            .map(|named| named.game);
    };
    let alternatives = match &condition.root {
        Node::Or(parts) => parts.clone(),
        one => vec![one.clone()],
    };
    let in_window = |window: &Vec<usize>, root: &Node| {
        // An empty heap is 0 before and after the move.
        let named = |letter: char, heap: &usize| {
            place(heap).map_or("0".into(), |own| format!("{letter}{own}"))
        };
        let names = window.iter().flat_map(|heap| [named('p', heap), named('q', heap)]);
        let names = names.chain(condition.names[condition.free..].iter().cloned()).collect();
        let mut parts =
            vec![format!("({})", Formula { names, root: root.clone(), free: 2 * window.len() })];
        let others = kept.iter().filter(|heap| !window.contains(heap)).filter_map(place);
        parts.extend(others.map(|own| format!("q{own} = p{own}")));
        parts.join(" & ")
    };
    let mut small = Vec::new();
    match empty.len() {
        0 => {}
        1 => small.push("one heap is empty".to_owned()),
        more => small.push(format!("{more} heaps are empty")),
    }
    small.extend(at_most.map(|(_, most)| format!("one heap is at most {most}")));
    let words = format!("As {}, where {}.", game.name(), small.join(" and "));
    let own = moves.domain.as_ref().map(|domain| {
        let named = |heap: usize| place(&heap).map_or("0".into(), |own| format!("p{own}"));
        let names: Vec<String> = (0..heaps).map(named).collect();
        let Formula { root, .. } = domain.formula.clone();
        format!("({})", Formula { names, root, free: heaps })
    });
    let bounded = match at_most {
        Some((heap, most)) => Some(format!("p{} <= {most}", place(&heap)?)),
        None => None,
    };
    let positions = own.into_iter().chain(bounded).collect::<Vec<_>>().join(" & ");
    let file = |moves: String, positions: String| {
        let fields = RuleText::without_moves("part", kept.len() - memory, words.clone());
        RuleFile::made(&RuleText { memory, digits, moves, positions, ..fields }, budget)
    };
    let mut moves: Vec<String> = Vec::new();
    for window in &windows {
        for root in &alternatives {
            let text = in_window(window, root);
            match file(text.clone(), String::new()) {
                _ if moves.contains(&text) => {}
                Ok(_) => moves.push(text),
                // It needs a heap that is empty.
                Err(RuleFileError::NoMoves(_)) => {}
                Err(_) => return None,
            }
        }
    }
    file(moves.join(" | "), positions).map(|file| file.game()).ok()
}

/// Returns a game from whose circle emptied heaps leave, on the positions with at most this many
/// heaps: no heap comes back, so it is the same game on a smaller circle. `None` of another game,
/// and of fewer heaps than a move may take from.
pub fn restricted_to_heap_count(game: &dyn Game, heaps: usize) -> Option<Box<dyn Game>> {
    let stated = game.heap_game().filter(|stated| stated.shrinks && heaps < stated.heaps)?;
    let Windows::Arc(taken) = stated.moves.windows else { return None };
    if taken > heaps || stated.moves.condition.is_some() {
        return None;
    }
    let few = crate::parse(&format!("SCN({heaps},{taken})")).ok()?.game;
    (few.heap_game()? == HeapGame { heaps, ..stated }).then_some(few)
}

fn name(games: &[&dyn Game]) -> String {
    games.iter().map(|game| game.name()).collect::<Vec<_>>().join(" + ")
}

/// Returns the moves in a window, as a formula over all numbers before and after: its condition,
/// and the others stay.
fn in_window(moves: &Moves, window: &[usize], numbers: usize) -> String {
    let mut parts: Vec<String> = Vec::new();
    if let Some(condition) = &moves.condition {
        let names = window.iter().flat_map(|heap| [format!("p{heap}"), format!("q{heap}")]);
        let names = names.chain(condition.names[condition.free..].iter().cloned()).collect();
        parts.push(format!("({})", Formula { names, ..condition.clone() }));
    }
    let others = (0..numbers).filter(|number| !window.contains(number));
    parts.extend(others.map(|number| format!("q{number} = p{number}")));
    if parts.is_empty() { "true".into() } else { parts.join(" & ") }
}
