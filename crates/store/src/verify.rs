//! Claims of the ledger held against whole families.
//!
//! A claim says of a family which games are in P, as a formula over its parameters. Every instance is computed; an
//! instance that contradicts the claim is computed again by the rules-only search or, where the circle is too large
//! for that, by replaying a winning strategy with the certificate checker. Nothing here knows what to expect.

use crate::family::{Family, Instance};
use crate::shard::{self, Verdict};
use bouton_ledger::Claim;
use bouton_logic::Formula;
use bouton_rules::{NotationError, Outcome, Play};
use bouton_solve::circulant::strategy::Strategy;
use bouton_solve::circulant::{Circulant, MAX_CELLS, Techniques, Track, plain};
use bouton_solve::{Budget, Meter, Watch};
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::channel;

/// A claim about a family of games, read.
#[derive(Debug, Clone)]
pub struct FamilyClaim {
    /// Its row in the ledger.
    pub id: String,
    /// The games.
    pub family: Family,
    /// The convention.
    pub play: Play,
    when: Option<Formula>,
    says: Says,
    /// The greatest value of a parameter other than n.
    most: i64,
    /// The largest circle to look at.
    cells: usize,
    /// Whether the parity theorem may be used; not when it is what the claim says.
    parity: bool,
    /// Whether the winner's strategy is asked for, and replayed, in each instance.
    replay: bool,
}

/// What a claim says of the games it is about.
#[derive(Debug, Clone)]
enum Says {
    /// These are in P, and no others.
    P(Formula),
    /// Each has the outcome of the game that this family holds at the same parameters.
    Same(Family),
    /// They are so many, and each has an outcome that is known.
    Settled(u64),
}

/// Why a claim of the ledger cannot be verified.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// Its family.
    #[error("claim {0}: {1}")]
    Family(String, NotationError),
    /// One of its formulas.
    #[error("claim {0}: {1}")]
    Formula(String, String),
}

/// How far to go.
#[derive(Debug, Clone)]
pub struct Bound {
    /// Cells.
    pub to: usize,
    /// Nodes for a game at most.
    pub nodes: u64,
    /// Stops the work.
    pub stop: Arc<Watch>,
}

/// How an instance that contradicts a claim was computed again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recheck {
    /// By the rules-only search, with the same outcome.
    Rules,
    /// By replaying a winning strategy against every reply.
    Replayed,
    /// Neither was within reach.
    OutOfReach,
    /// With another outcome: a fault of this program.
    Contradicted,
}

/// An instance that contradicts the claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The instance.
    pub instance: Instance,
    /// What it is; the claim says the other.
    pub found: Outcome,
    /// The independent computation.
    pub recheck: Recheck,
}

/// The verdict on a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// No instance up to the bound contradicts it.
    Holds,
    /// At least one instance, re-checked, contradicts it.
    Refuted,
    /// Instances contradict it, but none could be re-checked.
    Doubtful,
    /// It says nothing up to the bound, or nothing could be computed.
    Unknown,
}

/// What was found out about a claim.
#[derive(Debug, Clone)]
pub struct Verified {
    /// Instances that were computed.
    pub instances: u64,
    /// Canonical games among all instances.
    pub games: u64,
    /// Every instance with at most so many cells was computed.
    pub bound: usize,
    /// Instances that were not, smallest circles first.
    pub unknown: Vec<Instance>,
    /// Instances that contradict the claim, smallest circles first.
    pub failures: Vec<Failure>,
    /// Nodes expanded, re-checks left out.
    pub nodes: u64,
}

impl Verified {
    /// The verdict.
    pub fn standing(&self) -> Standing {
        let sure = |failure: &Failure| matches!(failure.recheck, Recheck::Rules | Recheck::Replayed);
        match (self.failures.iter().any(sure), self.failures.is_empty(), self.instances) {
            (true, ..) => Standing::Refuted,
            (false, false, _) => Standing::Doubtful,
            (false, true, 0) => Standing::Unknown,
            (false, true, _) => Standing::Holds,
        }
    }
}

impl FamilyClaim {
    /// Reads a claim of the ledger; `None` if it is not one about a family of Kotzig's Nim.
    pub fn read(claim: &Claim) -> Result<Option<FamilyClaim>, VerifyError> {
        let field = |name| claim.more.get(name).and_then(|text| text.as_str());
        let number = |name| claim.more.get(name).and_then(|number| number.as_integer());
        let settled = number("settled").and_then(|count| u64::try_from(count).ok());
        let same = field("same");
        if field("p").is_none() && same.is_none() && settled.is_none() {
            return Ok(None);
        }
        let read = |text: &str, names| {
            Family::parse_over(text, names).map_err(|error| VerifyError::Family(claim.id.clone(), error))
        };
        let mut family = read(&claim.game, Vec::new())?;
        if let Some(text) = same {
            family = read(&claim.game, read(text, family.names().to_vec())?.names().to_vec())?;
        }
        let formula = |text: &str| {
            Formula::parse_over(text, family.names())
                .map_err(|error| VerifyError::Formula(claim.id.clone(), format!("{text}: {error}")))
        };
        Ok(Some(FamilyClaim {
            id: claim.id.clone(),
            play: if field("play") == Some("misere") { Play::Misere } else { Play::Normal },
            when: claim.when.as_deref().map(formula).transpose()?,
            says: match (field("p"), same, settled) {
                (Some(text), ..) => Says::P(formula(text)?),
                (_, Some(text), _) => Says::Same(read(text, family.names().to_vec())?),
                (_, _, count) => Says::Settled(count.unwrap_or_default()),
            },
            most: number("most").unwrap_or(MAX_CELLS as i64),
            cells: number("cells").and_then(|n| usize::try_from(n).ok()).unwrap_or(MAX_CELLS),
            parity: claim.more.get("parity").and_then(|p| p.as_bool()).unwrap_or(true),
            replay: claim.more.get("replay").and_then(|r| r.as_bool()).unwrap_or(false),
            family,
        }))
    }

    /// The instances with at most `to` cells, smallest circles first.
    fn instances(&self, to: usize) -> Result<Vec<Instance>, VerifyError> {
        let mut all = Vec::new();
        for instance in self.family.instances_up_to(to, self.most.min(to as i64)) {
            if self.when.as_ref().map_or(Ok(true), |when| self.holds(when, &instance))? {
                all.push(instance);
            }
        }
        all.sort_by_key(|instance| instance.game.n());
        Ok(all)
    }

    fn holds(&self, formula: &Formula, instance: &Instance) -> Result<bool, VerifyError> {
        let values: Vec<u64> = instance.values.iter().map(|value| value.unsigned_abs()).collect();
        formula.holds(&values).map_err(|error| VerifyError::Formula(self.id.clone(), error.to_string()))
    }

    /// Every instance and its other form by the rules alone: the search uses such equivalences itself.
    fn verify_same(&self, other: &Family, instances: Vec<Instance>, to: usize, bound: &Bound) -> Verified {
        let outcome = |game: &Circulant| {
            let mut meter = Meter::new(&Budget {
                nodes: Some(bound.nodes),
                watch: Some(bound.stop.clone()),
                ..Budget::default()
            });
            let outcome = plain::outcome(game, &Track::start(), self.play, &mut meter);
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
        let mut verified = Verified {
            instances: 0,
            games: both.len() as u64,
            bound: to,
            unknown: Vec::new(),
            failures: Vec::new(),
            nodes: 0,
        };
        for (instance, outcomes, nodes) in both {
            verified.nodes += nodes;
            let Ok((found, other)) = outcomes else {
                verified.bound = verified.bound.min(instance.game.n() - 1);
                verified.unknown.push(instance);
                continue;
            };
            verified.instances += 1;
            if found != other {
                verified.failures.push(Failure { instance, found, recheck: Recheck::Rules });
            }
        }
        verified
    }

    /// Computes every instance up to the bound, on the current rayon pool.
    pub fn verify(&self, bound: &Bound) -> Result<Verified, VerifyError> {
        let to = bound.to.min(self.cells);
        let instances = self.instances(to)?;
        let (p, count) = match &self.says {
            Says::P(p) => (Some(p), None),
            Says::Same(other) => return Ok(self.verify_same(other, instances, to, bound)),
            Says::Settled(count) => (None, Some(*count)),
        };
        let form = |game: &Circulant| {
            if self.family.has_fixed_moves() { game.clone() } else { game.narrow() }
        };
        let forms: Vec<Circulant> = instances.par_iter().map(|i| form(&i.game)).collect();
        let (known, nodes) = self.solve(&forms, bound);
        let mut verified = Verified {
            instances: 0,
            games: known.len() as u64,
            bound: to,
            unknown: Vec::new(),
            failures: Vec::new(),
            nodes,
        };
        for (instance, form) in instances.into_iter().zip(forms) {
            let claimed = match p {
                Some(p) => Some(if self.holds(p, &instance)? { Outcome::P } else { Outcome::N }),
                None => None,
            };
            match known.get(&form).map(|verdict| verdict.outcome) {
                Some(Ok(found)) if claimed.is_some_and(|claimed| claimed != found) => {
                    verified.instances += 1;
                    let recheck = self.recheck(&instance.game, found, bound);
                    verified.failures.push(Failure { instance, found, recheck });
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
        if to == self.cells && count.is_some_and(|count| count != many) {
            verified.instances = 0;
        }
        Ok(verified)
    }

    /// The games' verdicts: a quick round for all, then a long one for what is left. Where only the length varies, two
    /// shards in order of length, odd and even ones, so that the search learns from each game for the next.
    fn solve(&self, forms: &[Circulant], bound: &Bound) -> (HashMap<Circulant, Verdict>, u64) {
        let techniques = Techniques { parity: self.parity, ..Techniques::default() };
        let (mut known, mut nodes) = (HashMap::new(), 0);
        let mut open: Vec<Circulant> = forms.to_vec();
        open.sort();
        open.dedup();
        let fixed = self.family.has_fixed_moves();
        for budget in [bound.nodes.min(1 << 22), bound.nodes].into_iter().skip(usize::from(fixed)) {
            let games = std::mem::take(&mut open);
            let shards = if fixed {
                let (odd, even): (Vec<_>, Vec<_>) = games.into_iter().partition(|game| game.n() % 2 == 1);
                let shard = |games| shard::Shard { play: self.play, techniques, nodes: budget, games };
                vec![shard(odd), shard(even)]
            } else {
                shard::divide(games, self.play, techniques, budget)
            };
            let solved: Vec<_> = shards
                .into_par_iter()
                .with_max_len(1)
                .flat_map_iter(|shard| {
                    let verdicts = shard::solve(&shard, Some(&bound.stop));
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

    fn recheck(&self, game: &Circulant, found: Outcome, bound: &Bound) -> Recheck {
        let meter = |nodes| {
            Meter::new(&Budget {
                nodes: Some(nodes),
                bytes: Some(1 << 30),
                deadline: None,
                watch: Some(bound.stop.clone()),
            })
        };
        match plain::outcome(game, &Track::start(), self.play, &mut meter(100_000_000)) {
            Ok(outcome) if outcome == found => return Recheck::Rules,
            Ok(_) => return Recheck::Contradicted,
            Err(_) => {}
        }
        match self.replay_of(game, found, &mut meter(bound.nodes.saturating_mul(4))) {
            None => Recheck::OutOfReach,
            Some(true) => Recheck::Replayed,
            Some(false) => Recheck::Contradicted,
        }
    }

    fn replayed(&self, game: &Circulant, found: Outcome, bound: &Bound) -> bool {
        let watch = Some(bound.stop.clone());
        let budget = Budget { nodes: Some(bound.nodes), bytes: Some(1 << 30), watch, ..Budget::default() };
        self.replay_of(game, found, &mut Meter::new(&budget)) == Some(true)
    }

    /// Whether a winning strategy that shows this outcome is accepted by the certificate checker; `None` if none was
    /// found within the budget.
    fn replay_of(&self, game: &Circulant, found: Outcome, meter: &mut Meter) -> Option<bool> {
        let start = Track::start();
        let strategy = Strategy::find(game, &start, self.play, meter).ok()?;
        let text = strategy.certificate(game, &start, self.play).to_text();
        Some(strategy.outcome == found && bouton_check::check(&text).is_ok())
    }
}

/// Verifies claims side by side on the current rayon pool, so that none waits for the long games of another, and tells
/// each in its turn.
pub fn verify_all<E: From<VerifyError>>(
    claims: &[FamilyClaim],
    bound: &Bound,
    mut tell: impl FnMut(usize, Verified) -> Result<(), E>,
) -> Result<(), E> {
    let (send, receive) = channel();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            claims.par_iter().enumerate().with_max_len(1).for_each_with(send, |send, (i, claim)| {
                // Nobody listens any more only after an error, when the work is stopped.
                let _ = send.send((i, claim.verify(bound)));
            });
        });
        let (mut early, mut turn) = (HashMap::new(), 0);
        for (i, verified) in receive {
            early.insert(i, verified);
            while let Some(verified) = early.remove(&turn) {
                let told = verified.map_err(E::from).and_then(|verified| tell(turn, verified));
                if told.is_err() {
                    bound.stop.stop.store(true, Ordering::Relaxed);
                    return told;
                }
                turn += 1;
            }
        }
        Ok(())
    })
}

/// The claims of the ledger about families of Kotzig's Nim, in its order.
pub fn claims() -> Result<Vec<(Claim, FamilyClaim)>, VerifyError> {
    let all = bouton_ledger::claims().map_err(|error| VerifyError::Formula("?".into(), error.to_string()))?;
    let read = |claim: Claim| Ok(FamilyClaim::read(&claim)?.map(|family| (claim, family)));
    all.into_iter().filter_map(|claim| read(claim).transpose()).collect()
}
