//! Misère play: what is to be known of the ends ([`hypotheses`]); and play where a condition is on
//! the moves, so that players may be stuck with tokens left.
//!
//! **Theorem.** Let M be the game of positions (p, z), p one of a game G and z a heap more, with
//! the moves (p, 2) -> (q, 2) and (p, 1) -> (q, 0) for all moves p -> q of G, and (p, 2) -> (p, 1).
//! In normal play of M (p, 1) is P if and only if p has no move in G, and (p, 2) is P if and only
//! if p is P in misère play of G. *Proof.* (q, 0) has no move and is P, so (p, 1) is N if and only
//! if p has a move. If p has none, (p, 2) has the option (p, 1) alone, which is P: so it is N, as p
//! is in misère play. Else (p, 1) is N, and (p, 2) is P if and only if no (q, 2) is; from there by
//! induction on the sum of the heaps. ∎
//!
//! Every move of M lowers the sum of the heaps, as those of G do. So a certificate on G in misère
//! play is one on M in normal play, whose claim is: z = 2 and F, or z = 1 and E, or z is another
//! number; F is the claim on G as it stands, and E a formula of the file for the positions of G
//! from which there is no move.
//!
//! *Hypotheses* of this theorem: the condition on the moves of G is one on all its heaps, which
//! keep their places.

use super::formula::{Formula, formula};
use super::rules::{Game, Symmetry, Windows, read_condition_over};
use super::{LINES, names, proof};
use crate::hypotheses::{Hypothesis, all_hold};
use crate::lines::Lines;
use crate::work::{Reason, Work};
use crate::{CheckReport, Envelope, Rejected};

/// Checks what the theorem of [`super`] assumes of misère play where no condition is on the moves.
pub(super) fn hypotheses(game: &Game) -> Result<(), Rejected> {
    let covered = |h: usize| match &game.windows {
        Windows::Faces(faces) => faces.iter().any(|face| face.contains(&h)),
        _ => true,
    };
    all_hold(
        "the theorem on misere play",
        [
            Hypothesis::new(
                4,
                "moves that take any number of tokens, so that whoever cannot move has none",
                game.condition.is_none(),
                "a condition is on these moves",
            ),
            Hypothesis::new(
                4,
                "heaps that are all heaps, and of both players",
                game.memory == 0 && !game.turned,
                "here are purses, or numbers that are remembered",
            ),
            Hypothesis::new(
                4,
                "every heap to be in a window",
                (0..game.heaps).all(covered),
                "one of these is in none",
            ),
        ],
    )
}

/// Checks a certificate on misère play where a condition is on the moves: `stuck FORMULA`, then the
/// body on M.
pub(super) fn check(
    envelope: &Envelope<'_>,
    game: Game,
    claimed: &str,
    work: &Work<'_>,
) -> Result<CheckReport, Rejected> {
    let mut lines = Lines::new(envelope.body, envelope.body_line, LINES, work);
    let text = lines.after("stuck ").unwrap_or("");
    if text.is_empty() {
        return Err(lines.rejected("`stuck FORMULA` should stand here"));
    }
    let lifted_claim = claim(&game, claimed, text, work).map_err(|why| Rejected::new(4, why))?;
    let told = Game { misere: true, symmetry: Symmetry::None, ..names::game(envelope.game)? };
    let lifted = lifted(game)?;
    let mut claims: Vec<Option<Formula>> = (0..lifted.heaps).map(|_| None).collect();
    claims.push(Some(lifted_claim));
    let work = proof(&lifted, &claims, &mut lines).map_err(|why| lines.rejected(why))?;
    Ok(CheckReport { work, theorem: told.theorem(envelope.game, claimed) })
}

/// Returns the game M of a game G.
///
/// # Errors
///
/// Says which hypothesis of the theorem does not hold of G.
pub(crate) fn lifted(game: Game) -> Result<Game, Rejected> {
    let n = game.heaps;
    all_hold(
        "the theorem on misere play where players may be stuck",
        [
            Hypothesis::new(
                4,
                "a condition on all heaps together",
                matches!(game.windows, Windows::Any(k) if k == n),
                "here moves lower some of them",
            ),
            Hypothesis::new(4, "heaps that stay in their places", game.in_place(), "these do not"),
        ],
    )?;
    let wrong = |why: &str| Rejected::new(3, why.to_owned());
    let Some((condition, _)) = &game.condition else { return Err(wrong("there is no condition")) };
    let tokens = |letter: char| {
        (0..n - game.memory).map(|h| format!("{letter}{h}")).collect::<Vec<_>>().join("+")
    };
    let same: String = (0..n).map(|h| format!(" & q{h} = p{h}")).collect();
    let text = format!(
        "p{n} = 2 & q{n} = 2 & ({condition}) | p{n} = 2 & q{n} = 1{same} | \
         p{n} = 1 & q{n} = 0 & {} < {} & ({condition})",
        tokens('q'),
        tokens('p')
    );
    let names: Vec<String> =
        places(&game).flat_map(|place| [format!("p{place}"), format!("q{place}")]).collect();
    let condition = read_condition_over(&text, &names)
        .ok_or_else(|| wrong("these moves are too long for misere play"))?;
    Game {
        heaps: n + 1,
        symmetry: Symmetry::None,
        windows: Windows::Any(n + 1),
        condition: Some(condition),
        symmetric: false,
        ..game
    }
    .played(false)
}

/// Returns the place of z in M.
pub(crate) fn place_of_added_heap(game: &Game) -> usize {
    game.heaps - game.memory
}

/// Returns the numbers of G in the order in which M has them, and n for z: behind the heaps, before
/// what is remembered.
fn places(game: &Game) -> impl Iterator<Item = usize> {
    let (n, heaps) = (game.heaps, game.heaps - game.memory);
    (0..heaps).chain([n]).chain(heaps..n)
}

/// Returns the claim on M, of a claim on G and what holds of the positions without a move, over a,
/// b, c, …
fn claim(game: &Game, claimed: &str, stuck: &str, work: &Work<'_>) -> Result<Formula, Reason> {
    work.spend(128 * (stuck.len() + claimed.len()))?;
    work.hold(128 * (stuck.len() + claimed.len()))?;
    let claimed = claimed.strip_prefix("P iff ").ok_or("the claim should be `P iff FORMULA`")?;
    let letters: Vec<String> = ('a'..='z').take(game.heaps + 1).map(String::from).collect();
    let z = letters.last().ok_or("too many heaps")?.clone();
    let names: Vec<String> = places(game).filter_map(|place| letters.get(place).cloned()).collect();
    // Each alone, so that neither reaches beyond its parentheses.
    let own = &letters[..game.heaps];
    formula(claimed, own)?;
    formula(stuck, own)?;
    formula(&format!("{z} = 2 & ({claimed}) | {z} = 1 & ({stuck}) | {z} = 0 | {z} > 2"), &names)
}
