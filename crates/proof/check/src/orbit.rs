//! `orbit`: the P-positions of one heap are 0 and what a step leads to from there, again and again.
//!
//! **Theorem.** Let h be a function of heaps with h(x) > x for all x, and let there be a move from
//! y to x, for all x < y, if and only if y < h(x). Then in normal play the P-positions are 0, h(0),
//! h(h(0)), ….
//!
//! *Proof.* These heaps ascend; call them P. From a heap of P to a lesser one, x, there is no move:
//! it is h(x) or a greater one. A heap y that is not in P is positive; let x be the greatest heap
//! of P below y. Then x < y < h(x), as h(x) is in P, and there is a move from y to x. Every move
//! lowers the heap, so by induction P are the P-positions. ∎
//!
//! *Hypotheses* ([`hypotheses`]): those of [`rules::hypotheses`]; one heap, and nothing that is
//! remembered; normal play; binary digits. That h is as the theorem asks are two statements about
//! all numbers ([`holds_everywhere`]): x < h(x); and if q < p, there is a move from p to q if and
//! only if p < h(q). A statement is a machine over binary digits ([`crate::automatic::machine`]),
//! in which quotients are guessed, of which one fits at most; where after any digits some state
//! says that the statement holds, it holds of all numbers, and all its quotients are there.

use crate::automatic::statements::{defined, holds_everywhere};
use crate::hypotheses::{Hypothesis, all_hold};
use crate::lines::Lines;
use crate::p_positions::formula::{Node, Relation, Term};
use crate::p_positions::{names, rules};
use crate::work::{Reason, Work, many};
use crate::{CheckReport, Envelope, Rejected};

/// How a claim begins.
const CLAIM: &str = "P iff reached from 0 by a -> ";
/// The only line of a body.
const BODY: &str = "each heap is an option of those before its step";

/// Checks what the theorem assumes of the game, beside the hypotheses of all theorems on
/// P-positions ([`rules::hypotheses`], in normal play).
fn hypotheses(rules: &rules::Game, claim: &str) -> Result<(), Rejected> {
    all_hold(
        "the theorem on orbits",
        [
            Hypothesis::new(
                4,
                "normal play",
                !claim.starts_with("in misere play"),
                "this is misere play",
            ),
            Hypothesis::new(
                3,
                "one heap, and nothing that is remembered",
                rules.heaps == 1,
                format!("here are {} numbers", rules.heaps),
            ),
            Hypothesis::new(
                3,
                "a heap that stays in its place",
                rules.in_place(),
                "this one does not",
            ),
            Hypothesis::new(
                3,
                "games of no digits of their own",
                rules.digits.binary,
                "this one is about those of a continued fraction",
            ),
        ],
    )
}

/// Checks a certificate of this kind.
pub fn check(envelope: &Envelope<'_>, work: &Work<'_>) -> Result<CheckReport, Rejected> {
    let rules = names::game(envelope.game)?.played(false)?;
    hypotheses(&rules, &envelope.claim)?;
    let claimed = |why: Reason| Rejected::new(4, why);
    let text = envelope
        .claim
        .strip_prefix(CLAIM)
        .ok_or_else(|| Rejected::new(4, format!("the claim should be `{CLAIM}STEP`")))?;
    work.spend(64 * text.len()).and_then(|()| work.hold(64 * text.len())).map_err(claimed)?;
    let step = defined(text, &["a", "b"], "a step should be one number, made of `a`");
    let step = step.map_err(claimed)?;
    let mut lines = Lines::new(envelope.body, envelope.body_line, 1, work);
    if lines.take() != BODY {
        return Err(lines.rejected(format!("`{BODY}` should stand here")));
    }
    lines.end().map_err(|why| lines.rejected(why))?;
    let states = proof(&rules, &step, work).map_err(|why| Rejected::new(0, why))?;
    Ok(CheckReport {
        work: format!("{} of two statements about all heaps", many(states, "state")),
        theorem: format!(
            "{} For all heap sizes, the P-positions are exactly 0 and the heaps that come from it \
             by a -> {text}, again and again.",
            rules.describe()
        ),
    })
}

/// Checks what the theorem asks of the step; how many states were looked at.
fn proof(rules: &rules::Game, step: &Term, work: &Work<'_>) -> Result<usize, Reason> {
    // The heap before a move, and after it.
    const BEFORE: usize = 0;
    const AFTER: usize = 1;
    let less =
        |variable: usize, than: Term| Node::Compare(Term::Variable(variable), Relation::Less, than);
    let ascends = less(0, step.clone());
    let mut states = holds_everywhere(&ascends, 1, "a step leads to no greater heap", work)?;
    let moves = rules.condition().map_or(Node::Known(true), |condition| condition.root.clone());
    let before_the_step = less(BEFORE, step.with(&[Term::Variable(AFTER)]));
    let lower = less(AFTER, Term::Variable(BEFORE));
    let options = Node::Or(vec![
        Node::Not(Box::new(lower)),
        Node::Iff(Box::new(moves), Box::new(before_the_step)),
    ]);
    states += holds_everywhere(
        &options,
        2,
        "a heap is not an option of just those before its step",
        work,
    )?;
    Ok(states)
}
