//! Misère play in which players may be stuck with tokens left: a claim on it is one on normal play
//! of the game M of coq/Stuck.v, whose rule and claim are written here as they are there.

use crate::ExportError;
use crate::formula::{Formula, Term};
use crate::game::{Game, Reach, Symmetry};

/// A claim on misère play, and where players are stuck.
#[derive(Debug)]
pub struct StuckClaim {
    /// The claim on the game, as it stands.
    pub claim: Formula,
    /// The positions from which there is no move.
    pub stuck: Formula,
}

fn and(f: Formula, g: Formula) -> Formula {
    Formula::And(f.into(), g.into())
}

fn or(f: Formula, g: Formula) -> Formula {
    Formula::Or(f.into(), g.into())
}

fn is(variable: usize, value: u64) -> Formula {
    Formula::Equal(Term::Heap(variable), Term::Number(value))
}

/// Returns the sum of these variables.
fn sum(variables: impl DoubleEndedIterator<Item = usize>) -> Term {
    variables.rev().fold(Term::Number(0), |sum, v| Term::Plus(Term::Heap(v).into(), sum.into()))
}

/// Returns M: `rule_of_M` of coq/Stuck.v, but that its second copy of the rule binds variables of
/// its own, as the certificate gives their values one by one.
///
/// # Errors
/// Fails if a move does not lower any heaps together.
pub fn lifted_game(game: &Game) -> Result<Game, ExportError> {
    let (n, holding) = (game.heaps, game.heaps - game.memory);
    if game.windows != [(0..n).collect::<Vec<_>>()] {
        return Err(ExportError::new("misere play is exported if one window holds all heaps"));
    }
    if n + 1 > 26 {
        return Err(ExportError::new("misere play with so many heaps is not exported"));
    }
    let name = |i: usize| if i < holding { i } else { i + 1 + usize::from(i >= n + holding) };
    let bound = game.rule.bound_variables(2 * n);
    let again = |i: usize| name(i) + if i < 2 * n { 0 } else { bound };
    let [z_before, z_after] = [holding, n + 1 + holding];
    let unchanged = (0..n).rev().fold(Formula::Known(true), |rest, i| {
        and(Formula::Equal(Term::Heap(name(n + i)), Term::Heap(name(i))), rest)
    });
    let fewer = Formula::Less(sum(n + 1..n + 1 + holding), sum(0..holding));
    let plays_on = and(is(z_before, 2), and(is(z_after, 2), game.rule.renamed(&name)));
    let stays = and(is(z_before, 2), and(is(z_after, 1), unchanged));
    let last = and(is(z_before, 1), and(is(z_after, 0), and(fewer, game.rule.renamed(&again))));
    Ok(Game {
        heaps: n + 1,
        memory: game.memory,
        symmetry: Symmetry::None,
        windows: vec![(0..=n).collect()],
        rule: or(plays_on, or(stays, last)),
        reach: Reach::OneOf,
        move_text: None,
    })
}

/// Returns the claim on M: `claim_of_M` of coq/Stuck.v, with bound variables as in [`lifted_game`].
pub fn lifted_claim(game: &Game, of: &StuckClaim) -> Formula {
    let (n, z) = (game.heaps, game.heaps - game.memory);
    let name = |i: usize| if i < z { i } else { i + 1 };
    let bound = of.claim.bound_variables(n);
    let again = |i: usize| name(i) + if i < n { 0 } else { bound };
    let elsewhere = or(is(z, 0), Formula::Less(Term::Number(2), Term::Heap(z)));
    or(
        and(is(z, 2), of.claim.renamed(&name)),
        or(and(is(z, 1), of.stuck.renamed(&again)), elsewhere),
    )
}
