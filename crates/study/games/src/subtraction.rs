//! Subtraction games: take s tokens from one heap, s in a fixed set. NIM(A;n) is the same game on
//! one pile.
//!
//! Source: E. R. Berlekamp, J. H. Conway, R. K. Guy, *Winning Ways*, ch. 4; W. Gasarch, J. Purtilo,
//! D. Ulrich, *NIM with Cash*, §1, for NIM(A;n).

use crate::heap_rules::{HeapRules, Shape};
use crate::rows::MAX_HEAP;
use bouton_core::{HeapMoves, Moves, Node, NotationError, Scanner, Term, Windows};
use bouton_engine::family::Count;
use bouton_engine::family::{
    Example, Family, Reference, ReferenceKind, count_and_close, joined_by_or, list, name_prefix,
    positive_set,
};
use bouton_engine::game::Game;

/// S(…) in the list.
pub const FAMILY: Family = Family {
    name: "subtraction",
    notation: "S(s,…) | S(s,…;HEAPS)",
    about: "take s tokens from one heap, s in the set",
    title: "Subtraction",
    sentence: "Take 1, 2 or 3 from a heap of 21: the oldest of them all.",
    opening: Example::new("S(1,2,3)", "21"),
    source: "Berlekamp, Conway, Guy, Winning Ways, ch. 4",
    reference: Reference::WINNING_WAYS,
    examples: &[Example::new("S(1,4,7)", "23"), Example::new("S(2,5;2)", "6,9")],
    claims: |text| name_prefix(text) == "S",
    parse,
};

/// NIM(A;n) in the list; with purses it is another family.
pub const PILE: Family = Family {
    name: "nim-pile",
    notation: "NIM(a,…;n) with a number n, or the letter",
    about: "take a stones from one pile, a in A",
    title: "One Pile",
    sentence: "One pile, and a list of what may be taken from it.",
    opening: Example::new("NIM(1,3,4;17)", ""),
    source: "Gasarch, Purtilo, Ulrich, NIM with Cash, Def. 1.2",
    reference: Reference {
        kind: ReferenceKind::Other,
        key: "nim-with-cash",
        author: "William Gasarch and James Purtilo and Douglas Ulrich",
        title: "NIM with Cash",
        place: "",
        year: "",
    },
    examples: &[Example::new("NIM(1,3,4;14)", ""), Example::new("NIM(2,3;n)", "12")],
    claims: |text| name_prefix(text) == "NIM",
    parse: parse_pile,
};

fn parse(text: &str) -> Result<Box<dyn Game>, NotationError> {
    let mut scanner = Scanner::new(text, "S(1,4,7), or S(1,4,7;3) for three heaps");
    scanner.expect("S")?;
    scanner.expect("(")?;
    let set = positive_set(&mut scanner, "a number to take", MAX_HEAP)?;
    let heaps = count_and_close(&mut scanner)?;
    scanner.finish()?;
    let name = match heaps {
        None => format!("S({})", list(&set)),
        Some(heaps) => format!("S({};{heaps})", list(&set)),
    };
    Ok(game(name, set, heaps, None, Shape::Row))
}

fn parse_pile(text: &str) -> Result<Box<dyn Game>, NotationError> {
    let mut scanner =
        Scanner::new(text, "NIM(1,3,4;14) or NIM(1,3,4;n); with purses NIM(1,3,4;14;9,9)");
    scanner.expect("NIM")?;
    scanner.expect("(")?;
    let set = positive_set(&mut scanner, "a number to take", MAX_HEAP)?;
    scanner.expect(";")?;
    let start =
        if scanner.eat("n") { None } else { Some(scanner.number("the pile", MAX_HEAP)? as u32) };
    scanner.expect(")")?;
    scanner.finish()?;
    let name = match start {
        None => format!("NIM({};n)", list(&set)),
        Some(start) => format!("NIM({};{start})", list(&set)),
    };
    Ok(game(name, set, Some(1), start, Shape::Pile))
}

/// Returns the game, one heap being played in a move.
fn game(
    name: String,
    set: Vec<u64>,
    heaps: Count,
    start: Option<u32>,
    shape: Shape,
) -> Box<dyn Game> {
    let taken = |s: &u64| {
        Term::Sum(vec![Moves::size_after(0), Term::Number(*s)]).equals(Moves::size_before(0))
    };
    let moves = Moves::with_condition(Windows::Any(1), Node::any(set.iter().map(taken)));
    let tokens = if set == [1] { "token" } else { "tokens" };
    let about = format!("Take {} {tokens} from one heap.", joined_by_or(&set));
    let single = Some(HeapMoves::Take(set));
    let rules = HeapRules { start, single, shape, ..HeapRules::list(heaps, moves) };
    rules.with_name(name, about).game()
}
