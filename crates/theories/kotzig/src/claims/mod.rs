//! Claims about whole families of Kotzig's Nim.
//!
//! A claim says of a family which games are in P, as a formula over its parameters. Every instance
//! is computed; an instance that contradicts the claim is computed again by the rules-only search
//! or, where the circle is too large for that, by replaying a winning strategy with the certificate
//! checker. What a theorem on circles of every size says is not computed circle by circle: see
//! [`every_size`]. Nothing here knows what to expect.

mod every_size;
mod published;
mod units;

pub(crate) use published::FAMILY;
pub use published::{FamilyClaim, FamilyStatement};

use crate::circle_theorem::CircleTheorem;
use crate::recheck::{BYTES, Recomputed, recheck_outcome, replay_of};
use crate::shard::{self, Solved};
use crate::{Circulant, Instance, KotzigFamily, MAX_CELLS, Position, Techniques, plain};
use bouton_core::{Arrange, Budget, Formula, Meter, Outcome, Play};
use bouton_theory::verdict::{
    Computed, FailedInstance, Failure, Recheck, Refuted, Unknown, Verdict,
};
use bouton_theory::{ClaimBound, ClaimError};
use every_size::{ByTheorems, ProvedPart, Values};
use rayon::prelude::*;
use std::collections::HashMap;

/// A claim about a family of games, read.
#[derive(Debug, Clone)]
struct ParsedClaim {
    family: KotzigFamily,
    play: Play,
    when: Option<Formula>,
    says: ParsedStatement,
    most: i64,
    cells: usize,
    parity: bool,
    replay: bool,
}

/// What a claim says of the games it is about, read.
#[derive(Debug, Clone)]
enum ParsedStatement {
    P(Formula),
    Same(KotzigFamily),
    Settled(u64),
}

/// An instance that contradicts the claim.
struct Contradiction {
    instance: Instance,
    found: Outcome,
    recheck: Recomputed,
}

/// What was computed of a claim.
struct Verified {
    /// Instances computed.
    instances: u64,
    /// Canonical games among all instances.
    games: u64,
    /// Every instance with at most this many cells was computed.
    bound: usize,
    /// Instances that were not, smallest circles first.
    unknown: Vec<Instance>,
    /// Instances that contradict the claim, smallest circles first.
    failures: Vec<Contradiction>,
    nodes: u64,
    /// Why no instance may count, though they were computed.
    miscounted: Option<String>,
}

/// Verifies a claim about a family.
pub(crate) fn verify(
    game: &str,
    when: Option<&str>,
    claim: &FamilyClaim,
    bound: ClaimBound<'_>,
) -> Result<Verdict, ClaimError> {
    let parsed = ParsedClaim::parse(game, when, claim)?;
    let by_theorems = ByTheorems::decide(&parsed, claim, bound);
    if let Some(ByTheorems::Proved(theorems)) = by_theorems {
        return Ok(Verdict::Proved(CircleTheorem::proved(theorems)));
    }
    let verdict = parsed.verify(bound)?.verdict(bound);
    Ok(match (verdict, by_theorems) {
        (Verdict::Holds(computed), Some(ByTheorems::Parts(parts))) => {
            Verdict::Holds(with_parts(computed, &parts))
        }
        (Verdict::Unknown(unknown), Some(ByTheorems::Parts(parts))) => {
            Verdict::Unknown(Unknown { computed: with_parts(unknown.computed, &parts), ..unknown })
        }
        // The circle where it fails is larger than those that were searched.
        (Verdict::Holds(_) | Verdict::Unknown(_), Some(ByTheorems::Fails(theorem, n, name))) => {
            theorem.refutes(n, Some(name), bound.budget)
        }
        (verdict, _) => verdict,
    })
}

/// Returns what was computed, with what is proved beyond it.
fn with_parts(mut computed: Computed, parts: &[ProvedPart]) -> Computed {
    // `m = 1, 2, 3` of one parameter.
    let first = |part: &'_ ProvedPart| match &part.values {
        Values::Equations(all) => all.first().cloned(),
        Values::All => None,
    };
    let begun = parts.first().and_then(first);
    let values: Vec<String> = parts
        .iter()
        .enumerate()
        .map(|(i, part)| match (&part.values, &begun) {
            (Values::Equations(all), Some(begun))
                if i > 0 && all.len() == 1 && all[0].is_about_that_of(begun) =>
            {
                format!(", {}", all[0].right())
            }
            _ if i > 0 => format!("; {}", part.values),
            _ => part.values.to_string(),
        })
        .collect();
    computed.words = format!("{}; proved for every n where {}", computed.words, values.concat());
    computed.parts.extend(parts.iter().map(|part| {
        format!(
            "{}: proved for every n, {}, certificate {}",
            part.values, part.game, part.certificate
        )
    }));
    computed
}

impl Verified {
    fn new(games: usize, bound: usize, nodes: u64) -> Verified {
        Verified {
            instances: 0,
            games: games as u64,
            bound,
            unknown: Vec::new(),
            failures: Vec::new(),
            nodes,
            miscounted: None,
        }
    }

    fn verdict(self, bound: ClaimBound<'_>) -> Verdict {
        let counted = format!(
            "{} instances, {} different games, all n ≤ {} computed",
            self.instances, self.games, self.bound
        );
        let computed = Computed {
            words: counted.clone(),
            instances: self.instances,
            to: Some(self.bound as u64),
            parts: Vec::new(),
            left: self.unknown.iter().map(|instance| instance.game.to_string()).collect(),
            nodes: self.nodes,
        };
        let unknown = |reason: String, budget| {
            Verdict::Unknown(Unknown { reason, budget, computed: computed.clone() })
        };
        if let Some(fault) =
            self.failures.iter().find(|failure| failure.recheck == Recomputed::Contradicted)
        {
            let game = &fault.instance.game;
            return unknown(
                format!(
                    "{game} was found to be {}, but not by the rules alone; please report this",
                    fault.found
                ),
                false,
            );
        }
        let failed = |failure: &Contradiction| FailedInstance {
            game: failure.instance.game.to_string(),
            size: failure.instance.game.n() as u64,
            found: failure.found,
        };
        let words = |failure: &Contradiction| failed(failure).to_string();
        let sure = |failure: &&Contradiction| failure.recheck != Recomputed::OutOfReach;
        if let Some(first) = self.failures.iter().find(sure) {
            let smaller = |instance: &Instance| instance.game.n() < first.instance.game.n();
            let others = self.failures.iter().filter(|failure| !std::ptr::eq(*failure, first));
            return Verdict::Refuted(Refuted {
                counterexample: Failure::Instance(failed(first)),
                least: !self.unknown.iter().any(smaller)
                    && !self.failures.iter().any(|failure| smaller(&failure.instance)),
                recheck: Recheck::Confirmed(first.recheck.words().into()),
                others: others.map(words).collect(),
                computed,
            });
        }
        if let Some(first) = self.failures.first() {
            return unknown(format!("{}, but a second look is out of reach", words(first)), true);
        }
        if let Some(why) = self.miscounted {
            return unknown(why, false);
        }
        match self.instances {
            0 => match bound.budget.interrupted() {
                Some(limit) => unknown(limit.to_string(), true),
                None => unknown(format!("nothing was computed: {counted}"), true),
            },
            _ => Verdict::Holds(computed),
        }
    }
}

impl ParsedClaim {
    fn parse(
        game: &str,
        when: Option<&str>,
        claim: &FamilyClaim,
    ) -> Result<ParsedClaim, ClaimError> {
        let mut family = KotzigFamily::parse(game)?;
        if let FamilyStatement::Same(text) = &claim.says {
            let names = KotzigFamily::parse_over(text, family.names().to_vec())?.names().to_vec();
            family = KotzigFamily::parse_over(game, names)?;
        }
        let formula = |text: &str| {
            Formula::parse_over(text, family.names())
                .map_err(|error| ClaimError::Formula(text.to_owned(), error))
        };
        Ok(ParsedClaim {
            play: claim.play,
            when: when.map(formula).transpose()?,
            says: match &claim.says {
                FamilyStatement::P(text) => ParsedStatement::P(formula(text)?),
                FamilyStatement::Same(text) => {
                    ParsedStatement::Same(KotzigFamily::parse_over(text, family.names().to_vec())?)
                }
                FamilyStatement::Settled(count) => ParsedStatement::Settled(*count),
            },
            most: claim.most.map_or(MAX_CELLS as i64, i64::from),
            cells: claim.cells.unwrap_or(MAX_CELLS),
            parity: claim.parity,
            replay: claim.replay,
            family,
        })
    }

    /// Returns the instances with at most `to` cells, smallest circles first.
    fn instances(&self, to: usize) -> Result<Vec<Instance>, ClaimError> {
        let mut all = Vec::new();
        for instance in self.family.instances_up_to(to, self.most.min(to as i64)) {
            if self.when.as_ref().map_or(Ok(true), |when| self.holds(when, &instance))? {
                all.push(instance);
            }
        }
        all.arrange_by_key(|instance| instance.game.n());
        Ok(all)
    }

    fn holds(&self, formula: &Formula, instance: &Instance) -> Result<bool, ClaimError> {
        let values: Vec<u64> = instance.values.iter().map(|value| value.unsigned_abs()).collect();
        Ok(formula.holds(&values)?)
    }

    /// Checks every instance and its other form by the rules alone: the search uses such
    /// equivalences itself.
    fn verify_same(
        &self,
        other: &KotzigFamily,
        instances: Vec<Instance>,
        to: usize,
        bound: ClaimBound<'_>,
    ) -> Verified {
        let outcome = |game: &Circulant| {
            let mut meter = Meter::new(bound.budget);
            let outcome = plain::outcome(game, &Position::start(), self.play, &mut meter);
            (outcome, meter.nodes())
        };
        let both: Vec<_> = instances
            .into_par_iter()
            .filter_map(|instance| other.at(&instance.values).map(|game| (instance, game)))
            .map(|(instance, game)| {
                let (found, other) = (outcome(&instance.game), outcome(&game));
                (instance, found.0.and_then(|found| Ok((found, other.0?))), found.1 + other.1)
            })
            .collect();
        let mut verified = Verified::new(both.len(), to, 0);
        for (instance, outcomes, nodes) in both {
            verified.nodes += nodes;
            let Ok((found, other)) = outcomes else {
                verified.bound = verified.bound.min(instance.game.n() - 1);
                verified.unknown.push(instance);
                continue;
            };
            verified.instances += 1;
            if found != other {
                verified.failures.push(Contradiction {
                    instance,
                    found,
                    recheck: Recomputed::Rules,
                });
            }
        }
        verified
    }

    /// Computes every instance up to the bound, on the current rayon pool.
    fn verify(&self, bound: ClaimBound<'_>) -> Result<Verified, ClaimError> {
        let to = bound.to.min(self.cells);
        let instances = self.instances(to)?;
        let (p, count) = match &self.says {
            ParsedStatement::P(p) => (Some(p), None),
            ParsedStatement::Same(other) => {
                return Ok(self.verify_same(other, instances, to, bound));
            }
            ParsedStatement::Settled(count) => (None, Some(*count)),
        };
        let form = |game: &Circulant| {
            if self.family.has_fixed_moves() { game.clone() } else { game.with_shortest_steps() }
        };
        let forms: Vec<Circulant> = instances.par_iter().map(|i| form(&i.game)).collect();
        let (known, nodes) = self.solve(&forms, bound);
        let mut verified = Verified::new(known.len(), to, nodes);
        for (instance, form) in instances.into_iter().zip(forms) {
            let claimed = match p {
                Some(p) => Some(if self.holds(p, &instance)? { Outcome::P } else { Outcome::N }),
                None => None,
            };
            match known.get(&form).map(|solved| solved.outcome) {
                Some(Ok(found)) if claimed.is_some_and(|claimed| claimed != found) => {
                    verified.instances += 1;
                    let recheck = recheck_outcome(&instance.game, found, self.play, bound.budget);
                    verified.failures.push(Contradiction { instance, found, recheck });
                }
                Some(Ok(found)) if !self.replay || self.replayed(&instance.game, found, bound) => {
                    verified.instances += 1;
                }
                _ => {
                    verified.bound = verified.bound.min(instance.game.n() - 1);
                    verified.unknown.push(instance);
                }
            }
        }
        // With all circles looked at, there must be as many as the claim says.
        let many = verified.instances + verified.unknown.len() as u64;
        if to == self.cells
            && let Some(count) = count.filter(|count| *count != many)
        {
            verified.miscounted = Some(format!("there are {many} games, not {count}"));
        }
        Ok(verified)
    }

    /// Finds the games' verdicts: a quick round for all, then a long one for what is left. Where
    /// only the length varies, two shards in order of length, odd and even ones, so that the search
    /// learns from each game for the next.
    fn solve(
        &self,
        forms: &[Circulant],
        bound: ClaimBound<'_>,
    ) -> (HashMap<Circulant, Solved>, u64) {
        let techniques = Techniques { parity: self.parity, ..Techniques::default() };
        let (mut known, mut nodes) = (HashMap::new(), 0);
        let mut open: Vec<Circulant> = forms.to_vec();
        open.arrange();
        open.dedup();
        let fixed = self.family.has_fixed_moves();
        let most = bound.budget.nodes.unwrap_or(u64::MAX);
        for nodes_each in [most.min(1 << 22), most].into_iter().skip(usize::from(fixed)) {
            let games = std::mem::take(&mut open);
            let shards = if fixed {
                let (odd, even): (Vec<_>, Vec<_>) =
                    games.into_iter().partition(|game| game.n() % 2 == 1);
                let shard =
                    |games| shard::Shard { play: self.play, techniques, nodes: nodes_each, games };
                vec![shard(odd), shard(even)]
            } else {
                shard::divide(games, self.play, techniques, nodes_each)
            };
            let solved: Vec<_> = shards
                .into_par_iter()
                .with_max_len(1)
                .flat_map_iter(|shard| {
                    let verdicts = shard::solve(&shard, bound.budget);
                    shard.games.into_iter().zip(verdicts)
                })
                .collect();
            for (game, verdict) in solved {
                nodes += verdict.nodes;
                if verdict.outcome.is_err() {
                    open.push(game.clone());
                }
                known.insert(game, verdict);
            }
        }
        (known, nodes)
    }

    fn replayed(&self, game: &Circulant, found: Outcome, bound: ClaimBound<'_>) -> bool {
        let budget = Budget { bytes: Some(BYTES), ..bound.budget.clone() };
        replay_of(game, found, self.play, &mut Meter::new(&budget)) == Some(true)
    }
}
