//! Learn Nim in two minutes: six small games, each with a thought; the last one is against perfect play.

use super::Page;
use crate::request::{Request, encoded};
use crate::response::Response;
use crate::site::Site;
use bouton_core::Budget;

/// A step: a game of Nim with a thought.
pub(super) struct Lesson {
    pub title: &'static str,
    /// The thought, a paragraph each.
    pub said: &'static [&'static str],
    /// What is said when the game is won.
    pub won: &'static str,
    at: &'static str,
    /// Whether Bouton begins.
    second: bool,
    /// Whether the columns of powers of two are shown.
    pub columns: bool,
}

/// The steps, in order.
pub(super) const LESSONS: [Lesson; 6] = [
    Lesson {
        title: "Take the last one",
        said: &[
            "In Nim you take tokens from one heap: as many as you like, at least one. Then it is the other player’s turn.",
            "Who takes the last token wins. Here is one heap, and it is your turn. Touch the token at the bottom.",
        ],
        won: "One heap is always won: take it all.",
        at: "5",
        second: false,
        columns: false,
    },
    Lesson {
        title: "Be a mirror",
        said: &[
            "Two equal heaps, and Bouton has begun.",
            "Whatever it takes from one heap, take the same from the other. You will always have an answer, so you cannot lose.",
        ],
        won: "Two equal heaps are lost for who has to move.",
        at: "4,4",
        second: true,
        columns: false,
    },
    Lesson {
        title: "Make them equal",
        said: &[
            "Two heaps that differ, and it is your turn.",
            "You know a position that is lost for who has to move. Give it to Bouton.",
        ],
        won: "The whole art: leave a position from which every move can be answered.",
        at: "3,7",
        second: false,
        columns: false,
    },
    Lesson {
        title: "Pairs that hide",
        said: &[
            "Three heaps cannot all be mirrored – but their powers of two can. Write 1, 2, 3 as 1, 2 and 2 + 1: every power comes in a pair.",
            "Bouton has broken a pair. Mend it: make every column below even.",
        ],
        won: "Where every column is even, who has to move loses.",
        at: "1,2,3",
        second: true,
        columns: true,
    },
    Lesson {
        title: "Find the move",
        said: &[
            "Look for the leftmost odd column, take a heap that has a token there, and lower it so that all columns are even.",
            "Exactly one move does it here.",
        ],
        won: "You have just used Bouton’s theorem of 1902.",
        at: "2,5,6",
        second: false,
        columns: true,
    },
    Lesson {
        title: "Beat Bouton",
        said: &[
            "No more help, unless you ask for it. Bouton makes no mistake, but you move first, and the columns are not even.",
        ],
        won: "You beat perfect play. The same thought – leave what has no good answer – carries through every game here.",
        at: "3,5,7",
        second: false,
        columns: false,
    },
];

/// Where a step begins, steps counted from 1.
pub(super) fn href(step: usize) -> Option<String> {
    let lesson = LESSONS.get(step.checked_sub(1)?)?;
    let at = encoded(lesson.at);
    Some(if lesson.second {
        // Bouton makes its move on the way.
        format!("/move?game=nim&line={at}&you=second&lesson={step}")
    } else {
        format!("/play?game=nim&at={at}&lesson={step}")
    })
}

pub(crate) fn page(_: &Site, request: &Request, _: &Budget) -> Page {
    let step = request.get("step").parse().unwrap_or(1);
    Ok(Response::redirect(href(step).or_else(|| href(1)).unwrap_or_default()))
}
