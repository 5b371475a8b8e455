//! P-positions of one heap of which each is a function of the one before.

use crate::formula::{Formula, Machine, Relation, Term, formula, term};
use crate::games::game;
use crate::{Certificate, Checked, Lines, Work, need, reject};

pub fn check(certificate: &Certificate, work: &mut Work) -> Checked<()> {
    let game = game(certificate.game)?;
    need(game.heaps == 1 && game.remembered == 0, "more than one number")?;
    need(game.closing.is_none() && !game.purses, "the heap does not stay in its place")?;
    need(!game.irrational, "digits of a continued fraction")?;
    let step = certificate.claim.strip_prefix("P iff reached from 0 by a -> ");
    let Some(step) = step else { return reject("no claim on an orbit in normal play") };
    let mut lines = Lines { lines: &certificate.body };
    need(
        lines.next()? == "each heap is an option of those before its step",
        "another line is expected",
    )?;
    lines.end()?;
    let less = |one: Term, two: Term| Formula::Compare(Relation::Less, one, two);
    let names = |names: [&str; 2]| names.map(str::to_owned);
    // The step of x; `-` is the name of nothing.
    let ascends = less(Term::Variable(0), term(step, &names(["a", "-"]))?);
    everywhere(&ascends, 1, "a step leads to no greater heap", work)?;
    // Number 0 is p, before a move, and number 1 is q; of a move it is said that q < p, too.
    let below = less(Term::Variable(0), term(step, &names(["-", "a"]))?);
    let lower = formula("q < p", &names(["p", "q"]))?;
    let moves = Formula::Iff(Box::new(game.move_in(1)), Box::new(below));
    let options = Formula::Not(Box::new(lower)).or(moves);
    everywhere(&options, 2, "the options are not those before the step", work)
}

/// Checks that a formula holds of all numbers.
fn everywhere(formula: &Formula, count: usize, why: &str, work: &mut Work) -> Checked<()> {
    let named: Vec<usize> = (0..count).collect();
    Machine::new(formula, 2)?.holds_everywhere(&named, why, work)
}
