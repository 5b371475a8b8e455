//! The board of a game in course: each part that can be touched leads somewhere – to the position
//! after a move, or to the same page with a move half made.
//!
//! Where a move may lower several heaps, a touch chooses what a heap keeps, and the move is made
//! when it is confirmed. The half-made move is in the address (`with`), so this needs no
//! script. Tokens that no move with these choices takes look still: by the windows of the game's
//! moves where those say it all, else by the list of moves.

use super::wording;
use crate::playthrough::{Hints, Playthrough};
use bouton_core::{Board, heaps_text};
use bouton_draw::board::{self, BoardView};
use bouton_draw::move_highlight::changed_part;
use bouton_draw::scene::BoardPart;
use bouton_draw::svg::{self, Link};
use bouton_engine::{Analysis, Move};
use bouton_report::text::{is_winning, move_in_words, short};
use maud::{Markup, PreEscaped, html};
use std::collections::HashMap;

/// Windows of a game looked through.
const WINDOWS: usize = 2000;

/// The width of a board that a telephone shows without scrolling.
const PHONE: f64 = 360.0;

/// Returns the heaps of a board whose move may lower several of them.
pub(super) fn heaps(playthrough: &Playthrough, board: &Board) -> Option<Vec<u32>> {
    let sizes = board.heaps()?;
    let moves = playthrough
        .game
        .heap_game()
        .map(|stated| stated.moves)
        .or_else(|| playthrough.game.moves())?;
    // What is remembered may grow: such moves are chosen from the list.
    (moves.windows.longest_window() > 1 && sizes.len() > 1 && moves.memory.count == 0)
        .then(|| sizes.to_vec())
}

/// What may be chosen next in a half-made move.
struct Choice<'c> {
    sizes: &'c [u32],
    draft: Vec<u32>,
    /// Sets of heaps that a move may lower, where nothing else is asked of it.
    windows: Option<Vec<Vec<usize>>>,
    /// What heaps keep after each move, where all moves are listed and keep their heaps.
    kept: Option<Vec<Vec<u32>>>,
}

impl<'c> Choice<'c> {
    fn new(playthrough: &Playthrough, found: &Analysis, sizes: &'c [u32]) -> Choice<'c> {
        let stated = playthrough.game.heap_game().map(|stated| stated.moves);
        let moves = stated.or_else(|| playthrough.game.moves());
        let free = moves.as_ref().filter(|moves| moves.condition.is_none());
        let windows = free.and_then(|moves| moves.windows.on_heaps(sizes.len(), WINDOWS));
        let kept = |to: &str| {
            let board = playthrough.game.board(to).ok()?;
            board.heaps().filter(|kept| kept.len() == sizes.len()).map(<[u32]>::to_vec)
        };
        let listed = || found.moves.iter().map(|m| kept(&m.to)).collect::<Option<Vec<_>>>();
        let kept = if windows.is_none() && !found.moves.is_empty() { listed() } else { None };
        let draft = playthrough.draft.clone().filter(|draft| fits(draft, sizes));
        Choice { sizes, draft: draft.unwrap_or_else(|| sizes.to_vec()), windows, kept }
    }

    /// Returns whether some move takes these, with this heap lowered to this many.
    fn allows(&self, heap: usize, left: u32) -> bool {
        let is_changed = |i: usize| i == heap || self.draft[i] != self.sizes[i];
        if let Some(windows) = &self.windows {
            return windows
                .iter()
                .any(|w| (0..self.sizes.len()).all(|i| !is_changed(i) || w.contains(&i)));
        }
        let Some(kept) = &self.kept else { return true };
        kept.iter().any(|to| {
            let wanted = |i: usize| if i == heap { left } else { self.draft[i] };
            (0..to.len()).all(|i| !is_changed(i) || to[i] == wanted(i))
        })
    }
}

/// Returns the addresses under which each heap keeps one less, and one more, in a half-made move;
/// none of a board whose moves lower one heap.
pub(super) fn steps(playthrough: &Playthrough, found: &Analysis) -> Vec<[Option<String>; 2]> {
    let Some(board) = board_at(playthrough, playthrough.now()) else { return Vec::new() };
    let Some(sizes) = heaps(playthrough, &board) else { return Vec::new() };
    let choice = Choice::new(playthrough, found, &sizes);
    let step = |heap: usize, keep: Option<u32>| {
        let mut draft = choice.draft.clone();
        draft[heap] = keep?;
        let now = if draft == sizes { String::new() } else { heaps_text(&draft) };
        Some(playthrough.href("/play", &[("with", &now)]))
    };
    let both = |heap: usize| {
        let keeps = choice.draft[heap];
        let less = keeps.checked_sub(1).filter(|keep| choice.allows(heap, *keep));
        let more = (keeps < sizes[heap]).then_some(keeps + 1);
        [step(heap, less), step(heap, more)]
    };
    (0..sizes.len()).map(both).collect()
}

/// Returns whether a half-made move only lowers heaps.
pub(super) fn fits(draft: &[u32], sizes: &[u32]) -> bool {
    draft.len() == sizes.len() && draft.iter().zip(sizes).all(|(keeps, size)| keeps <= size)
}

/// Returns the pins that a part of a row takes; 0 for a cut.
fn pins_taken(part: &BoardPart) -> Option<u32> {
    match part {
        BoardPart::Pins { count, .. } => Some(*count),
        _ => None,
    }
}

/// Returns the pins in the row of a part.
pub(super) fn row_size(board: &Board, part: BoardPart) -> Option<u32> {
    match (board, part) {
        (Board::Sum(boards), BoardPart::Pins { summand, .. }) => {
            row_size(boards.get(summand)?, part)
        }
        (board, BoardPart::Pins { row, .. }) => board.rows()?.get(row).copied(),
        _ => None,
    }
}

/// Returns what is remembered of the moves before, if something is.
pub(super) fn remembered(playthrough: &Playthrough) -> Option<String> {
    match playthrough.game.board(playthrough.now()).ok()? {
        Board::Remembering { remembered, .. } => Some(remembered.replace(',', ", ")),
        _ => None,
    }
}

/// Returns the board of a position: its heaps, without what is remembered.
fn board_at(playthrough: &Playthrough, at: &str) -> Option<Board> {
    Some(match playthrough.game.board(at).ok()? {
        // The numbers that are remembered stand below the board.
        Board::Remembering { heaps, .. } => Board::Row(heaps),
        board => board,
    })
}

/// Shows the board, with a link on every part that can be touched.
pub(super) fn show(playthrough: &Playthrough, found: &Analysis) -> Markup {
    let Some(board) = board_at(playthrough, playthrough.now()) else { return html! {} };
    let title = format!("{} at {}", playthrough.game.name(), playthrough.now());
    let last = playthrough.line.len().checked_sub(2).map(|i| &playthrough.line[i]);
    let before = last.and_then(|last| board_at(playthrough, last));
    let owners = playthrough.owners();
    let sizes = heaps(playthrough, &board);
    let choice = sizes.as_ref().map(|sizes| Choice::new(playthrough, found, sizes));
    let values = if playthrough.shows_moves() {
        bouton_report::move_values(
            &board,
            &found.margins(&*playthrough.game),
            found.evaluation.margin,
        )
    } else {
        Vec::new()
    };
    let listed = if choice.is_some() { &[][..] } else { &found.moves[..] };
    let moves = MovesOnBoard::new(playthrough, &board, listed);
    let start = playthrough.line.first().and_then(|start| board_at(playthrough, start));
    let view = BoardView {
        start: start.as_ref(),
        // A half-made move takes the place of the last one.
        before: before.as_ref().filter(|_| playthrough.draft.is_none()),
        draft: choice.as_ref().map(|choice| &choice.draft[..]),
        owners: owners.as_deref(),
        values: &values,
        handles: &moves.handles,
        joints: &moves.joints,
        touch: true,
        ..BoardView::default()
    };
    let scene = board::scene_with(&title, &board, view);
    let links = PartLinks {
        playthrough,
        found,
        board: &board,
        choice: choice.as_ref(),
        marks: Marks::new(playthrough, found, sizes.as_deref()),
        moves: &moves.at,
        has_values: !values.is_empty(),
    };
    let picture = svg::inline(&scene, |part| links.link(part));
    let kind = match &board {
        Board::Pins(_) | Board::Beads(_) => "pins",
        Board::Sum(_) => "sum",
        // Nothing is smaller than it is drawn; a wide one scrolls.
        Board::Graph(_) | Board::Sheets(_) | Board::Cards { .. } if scene.width > PHONE => {
            "whole wide"
        }
        Board::Graph(_) | Board::Sheets(_) | Board::Cards { .. } => "whole",
        _ => "",
    };
    html! { div #board class=[(!kind.is_empty()).then_some(kind)] { (PreEscaped(picture)) } }
}

/// The moves of a list that a touch of one part of the board makes.
struct MovesOnBoard {
    /// The number of the move by part.
    at: HashMap<BoardPart, usize>,
    /// The numbers of pins that handles select, and the joints of sheets.
    handles: Vec<u32>,
    joints: Vec<BoardPart>,
}

impl MovesOnBoard {
    fn new(playthrough: &Playthrough, board: &Board, listed: &[Move]) -> MovesOnBoard {
        let mut at: HashMap<BoardPart, usize> = HashMap::new();
        let mut led: Vec<(usize, Board)> = (0..listed.len())
            .filter_map(|i| Some((i, board_at(playthrough, &listed[i].to)?)))
            .collect();
        // Of several moves at one place the least: the nearest coin, or the fewest coins.
        led.sort_by_cached_key(|(_, to)| changed_places(board, to));
        for (i, to) in led {
            if let Some(part) = changed_part(board, &to) {
                at.entry(part).or_insert(i);
                // Seen from the row's other end it is the same move.
                if let (BoardPart::Pins { summand, row, first, count }, Some(size)) =
                    (part, row_size(board, part))
                {
                    let first = size - count - first;
                    at.entry(BoardPart::Pins { summand, row, first, count }).or_insert(i);
                }
            }
        }
        let mut handles: Vec<u32> =
            at.keys().filter_map(pins_taken).filter(|count| *count != 1).collect();
        handles.sort_unstable();
        handles.dedup();
        // A sheet is cut into the same parts from its other end.
        let cuts: Vec<(BoardPart, usize)> = at.iter().map(|(part, i)| (*part, *i)).collect();
        for (part, i) in cuts {
            let to = || board_at(playthrough, &listed[i].to);
            if let Some(other) = cut_from_the_other_end(board, part, to) {
                at.entry(other).or_insert(i);
            }
        }
        let is_joint =
            |part: &&BoardPart| matches!(part, BoardPart::Domino { .. } | BoardPart::Cut { .. });
        let mut joints: Vec<BoardPart> = at.keys().filter(is_joint).copied().collect();
        joints.sort_by_key(joint_order);
        MovesOnBoard { at, handles, joints }
    }
}

/// What says where the parts of a board lead.
struct PartLinks<'p> {
    playthrough: &'p Playthrough,
    found: &'p Analysis,
    board: &'p Board,
    choice: Option<&'p Choice<'p>>,
    marks: Marks,
    /// The number of the move by part.
    moves: &'p HashMap<BoardPart, usize>,
    /// Whether the board shows what moves are worth.
    has_values: bool,
}

impl PartLinks<'_> {
    /// Returns where a touch of a part leads; `None` of parts that are no buttons.
    fn link(&self, part: BoardPart) -> Option<Link> {
        let PartLinks { playthrough, found, marks, .. } = self;
        let acting = !found.moves.is_empty();
        if let (Some(choice), BoardPart::Token { heap, left, .. }) = (self.choice, part) {
            return acting.then(|| {
                chosen(playthrough, choice, marks, heap, u32::try_from(left).unwrap_or(u32::MAX))
            });
        }
        let Some(m) = self.moves.get(&part).map(|i| &found.moves[*i]) else {
            if marks.parts.contains(&part) {
                return Some(Link::Marked);
            }
            // What could be touched in another position.
            let could = match part {
                BoardPart::Token { .. } => true,
                part => pins_taken(&part).is_some_and(|count| count != 1),
            };
            return (acting && could).then_some(Link::Disabled);
        };
        let tells =
            if playthrough.shows_moves() { format!(". {}", short(m)) } else { String::new() };
        Some(Link::To {
            href: playthrough.href("/move", &[("to", &m.to)]),
            label: format!("{}{tells}", move_in_words(&*playthrough.game, playthrough.now(), m)),
            class: self.class(part, playthrough.shows_moves() && is_winning(found, m)),
        })
    }

    /// Returns how a part that makes a move is marked.
    fn class(&self, part: BoardPart, wins: bool) -> &'static str {
        match part {
            _ if wins && self.has_values => "worth wins",
            _ if wins => "wins",
            _ if self.marks.parts.contains(&part) => "look",
            BoardPart::Token { heap, .. } if self.marks.look.contains(&heap) => "look",
            BoardPart::Cell { .. } => "legal",
            BoardPart::Square { .. } if !has_queen(self.board) => "legal",
            BoardPart::GraphNode { .. } | BoardPart::GraphEdge { .. } | BoardPart::Cut { .. } => {
                "legal"
            }
            _ => "",
        }
    }
}

/// Returns whether a queen is on the board.
fn has_queen(board: &Board) -> bool {
    match board {
        Board::Queen { .. } => true,
        Board::Sum(boards) => boards.iter().any(has_queen),
        _ => false,
    }
}

/// Returns the other line along which a sheet is cut into the same parts, if nothing is lost by it.
fn cut_from_the_other_end(
    board: &Board,
    part: BoardPart,
    to: impl FnOnce() -> Option<Board>,
) -> Option<BoardPart> {
    let (Board::Sheets(sheets), BoardPart::Cut { summand, sheet, at, upright }) = (board, part)
    else {
        return None;
    };
    let area =
        |sheets: &[(u32, u32)]| sheets.iter().map(|(rows, columns)| rows * columns).sum::<u32>();
    let Some(Board::Sheets(left)) = to() else { return None };
    let (rows, columns) = *sheets.get(sheet)?;
    let side = if upright { columns } else { rows };
    (area(&left) == area(sheets)).then(|| BoardPart::Cut { summand, sheet, at: side - at, upright })
}

/// Returns where a joint is in the order in which joints are drawn.
fn joint_order(part: &BoardPart) -> (usize, usize, u32, u32, bool) {
    match *part {
        BoardPart::Domino { summand, x, y, upright } => (summand, 0, y, x, upright),
        BoardPart::Cut { summand, sheet, at, upright } => (summand, sheet, 0, at, upright),
        _ => (0, 0, 0, 0, false),
    }
}

/// Returns how many places of a strip or of a row of coins a move changes, and how far apart these
/// are; 0 and 0 of other boards.
fn changed_places(from: &Board, to: &Board) -> (usize, u32) {
    let changed = from.places_apart(to).unwrap_or_default().concat();
    let span = changed.iter().max().zip(changed.iter().min()).map_or(0, |(far, near)| far - near);
    (changed.len(), span)
}

/// What a hint, or the list of winning moves, marks on heaps.
struct Marks {
    /// The heaps to look at.
    look: Vec<usize>,
    /// Other parts of the board to look at.
    parts: Vec<BoardPart>,
    /// Heaps with what a winning move leaves of them, where a move may lower several.
    wins: Vec<(usize, u32)>,
}

impl Marks {
    fn new(playthrough: &Playthrough, found: &Analysis, sizes: Option<&[u32]>) -> Marks {
        let mut marks = Marks { look: Vec::new(), parts: Vec::new(), wins: Vec::new() };
        let winning = found.moves.iter().find(|m| is_winning(found, m));
        let is_known = found.evaluation.outcome.is_some() || found.evaluation.margin.is_some();
        let Some(winning) = winning.filter(|_| is_known) else { return marks };
        match playthrough.hints {
            Hints::None => {}
            Hints::Hint => {
                marks.look = wording::heaps_changed(playthrough, &winning.to);
                marks.parts = wording::place(playthrough, found, &winning.to)
                    .map_or(Vec::new(), |place| place.parts);
            }
            Hints::Moves => {
                if let (Some(sizes), Ok(board)) = (sizes, playthrough.game.board(&winning.to))
                    && let Some(kept) = board.heaps().filter(|kept| kept.len() == sizes.len())
                {
                    marks.wins = (0..kept.len())
                        .filter(|i| kept[*i] < sizes[*i])
                        .map(|i| (i, kept[i]))
                        .collect();
                }
            }
        }
        marks
    }
}

/// Returns a token of a heap that may be one of several in a move.
fn chosen(
    playthrough: &Playthrough,
    choice: &Choice<'_>,
    marks: &Marks,
    heap: usize,
    left: u32,
) -> Link {
    let keeps = choice.draft[heap];
    // A token that is chosen already is put back, with those below it.
    let put_back = left >= keeps;
    let keep = if put_back { left + 1 } else { left };
    if !put_back && !choice.allows(heap, keep) {
        return Link::Disabled;
    }
    let mut draft = choice.draft.clone();
    draft[heap] = keep.min(choice.sizes[heap]);
    let now = if draft == choice.sizes { String::new() } else { heaps_text(&draft) };
    let label = if put_back {
        format!("heap {}: put back, keep {}", heap + 1, draft[heap])
    } else {
        format!("heap {}: take {}, keep {keep}", heap + 1, choice.sizes[heap] - keep)
    };
    Link::To {
        href: playthrough.href("/play", &[("with", &now)]),
        label,
        class: if put_back {
            "chosen"
        } else if marks.wins.contains(&(heap, left)) {
            "wins"
        } else if marks.look.contains(&heap) {
            "look"
        } else {
            ""
        },
    }
}
