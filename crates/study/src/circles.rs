//! Kotzig's Nim on circles of every size: a theorem sought, checked, and held against a claim.
//!
//! The finder proposes, the independent checker has to accept, and only what it accepts is called proved. A claim is compared
//! with what was proved by deciding, as a sentence of the logic, that both are the same set of numbers.

use crate::checked::checked;
use crate::verdict::{Computed, Failure, Proved, Recheck, Refuted, Unknown, Verdict};
use bouton_games::KotzigFamily;
use bouton_logic::{Decision, Numeration, decide};
use bouton_rules::{Budget, Formula, Meter, Play};
use bouton_solve::circulant::invariant::{self, PSet};

/// Which circles are in P, proved for every size.
#[derive(Debug, Clone)]
pub struct CircleTheorem {
    /// The family.
    pub game: String,
    /// The convention.
    pub play: Play,
    /// The circles in P.
    pub p_positions: PSet,
    /// The classes of n that have an automaton each.
    pub classes: Vec<CircleClass>,
    /// How much the checker checked, in words.
    pub work: String,
    /// What exactly is proved, in the checker's words.
    pub theorem: String,
    /// The certificate as `bouton check` reads it.
    pub certificate: String,
}

/// One class of n of a theorem on circles.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct CircleClass {
    /// n modulo the number of classes.
    pub residue: usize,
    /// From so many cells on by the automaton; smaller ones by search.
    pub from: usize,
    /// Whether the player to move first loses.
    pub in_p: bool,
    /// States of the automaton.
    pub states: usize,
}

impl CircleTheorem {
    /// Which circles are in P, as a formula over n.
    pub fn statement(&self) -> String {
        self.p_positions.to_string()
    }

    /// The certificate's hash, as its last line has it.
    pub fn hash(&self) -> &str {
        self.certificate.trim_end().rsplit(' ').next().unwrap_or("")
    }

    /// The least n from 1 on for which the claim and the theorem differ; `None` if they are the same for every n. `when`: which n the
    /// claim is about.
    fn differs(&self, claim: &str, when: Option<&str>, budget: &Budget) -> Result<Option<u64>, Box<Unknown>> {
        let unknown =
            |reason: String, budget| Box::new(Unknown { reason, budget, computed: Computed::default() });
        let about = when.unwrap_or("n >= 1");
        let holds = |text: &str| {
            let names = ["n".to_owned()];
            Formula::parse_over(text, &names).map_err(|error| unknown(error.to_string(), false))
        };
        let (claimed, about_n) = (holds(claim)?, holds(about)?);
        let sentence = format!("A n: n >= 1 & ({about}) => (({claim}) <=> ({}))", self.statement());
        let sentence = Formula::parse(&sentence).map_err(|error| unknown(error.to_string(), false))?;
        match decide(&sentence, Numeration::Binary, &mut Meter::new(budget)) {
            Ok(Decision::True(_)) => return Ok(None),
            Ok(Decision::False(_)) => {}
            Ok(Decision::Open(_)) => return Err(unknown("the claim is about more than n".into(), false)),
            Err(reason) => return Err(unknown(reason.to_string(), true)),
        }
        let mut meter = Meter::new(budget);
        for n in 1.. {
            meter.node().map_err(|limit| unknown(limit.to_string(), true))?;
            let value =
                |formula: &Formula| formula.holds(&[n]).map_err(|why| unknown(why.to_string(), false));
            let p = usize::try_from(n).is_ok_and(|n| self.p_positions.contains(n));
            if value(&about_n)? && value(&claimed)? != p {
                return Ok(Some(n));
            }
        }
        Ok(None)
    }

    /// The verdict on a claim about the circles' P-positions, a formula over n.
    pub fn verdict(self, claim: &str, when: Option<&str>, budget: &Budget) -> Verdict {
        match self.differs(claim, when, budget) {
            Ok(None) => Verdict::Proved(Proved::Circles(Box::new(self))),
            Ok(Some(n)) => {
                let p = usize::try_from(n).is_ok_and(|n| self.p_positions.contains(n));
                let (found, claimed) = if p { ("P", "N") } else { ("N", "P") };
                let game = self.game.replace(";n)", &format!(";{n})"));
                Verdict::Refuted(Refuted {
                    counterexample: Failure::Words(format!("{game} is {found}, claimed {claimed}")),
                    least: true,
                    recheck: Recheck::Confirmed(
                        "every n is settled by a certificate that the checker accepts".into(),
                    ),
                    others: Vec::new(),
                    computed: Computed::default(),
                })
            }
            Err(unknown) => Verdict::Unknown(*unknown),
        }
    }
}

/// Why a theorem on a family cannot be sought.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoCircles {
    /// Its moves vary, or its circles are not all n.
    #[error("{0}: a theorem for every n is about fixed steps and the circle of n cells, as in Gamma(1,4;n)")]
    Family(String),
}

/// The steps of a family that has all circles with fixed steps.
fn steps(family: &KotzigFamily) -> Option<Vec<u64>> {
    let instance = family.at(&[i64::from(u8::MAX)]).filter(|game| game.n() == usize::from(u8::MAX))?;
    let plain = family.has_fixed_moves() && family.names().len() == 1;
    let next = family.at(&[100]).is_some_and(|game| game.n() == 100);
    (plain && next).then(|| instance.moves().to_vec())
}

/// Seeks and checks a theorem on a family with fixed steps; the reason if there is none. `tell` hears what is being done.
pub fn circles(
    family: &KotzigFamily,
    play: Play,
    budget: &Budget,
    tell: &dyn Fn(&str),
) -> Result<Result<CircleTheorem, Box<Unknown>>, NoCircles> {
    let Some(steps) = steps(family).filter(|_| family.to_string().ends_with(";n)")) else {
        return Err(NoCircles::Family(family.to_string()));
    };
    let unknown =
        |reason: String, budget| Box::new(Unknown { reason, budget, computed: Computed::default() });
    let found = match invariant::prove(&steps, play, budget, tell) {
        Ok(found) => found,
        Err(partial) => return Ok(Err(unknown(partial.to_string(), partial.limit.is_some()))),
    };
    let certificate = found.certificate().to_text();
    tell("checking");
    Ok(match checked(&certificate, budget) {
        Ok(Ok(accepted)) => Ok(CircleTheorem {
            game: accepted.game,
            play,
            classes: (0..)
                .zip(&found.classes)
                .map(|(residue, class)| CircleClass {
                    residue,
                    from: class.from,
                    in_p: class.in_p,
                    states: class.automaton.size(),
                })
                .collect(),
            p_positions: found.p_positions,
            work: accepted.work,
            theorem: accepted.theorem,
            certificate,
        }),
        Ok(Err(rejected)) => Err(unknown(
            format!("a proof was found, but the checker says: {rejected}; please report this"),
            false,
        )),
        Err(limit) => Err(unknown(limit.to_string(), true)),
    })
}

/// The verdict on a claim about a family, a formula over n; without one, on what is found.
pub fn settle_circles(
    family: &KotzigFamily,
    claim: Option<&str>,
    play: Play,
    budget: &Budget,
    tell: &dyn Fn(&str),
) -> Result<Verdict, NoCircles> {
    Ok(match (circles(family, play, budget, tell)?, claim) {
        (Ok(theorem), Some(claim)) => theorem.verdict(claim, None, budget),
        (Ok(theorem), None) => Verdict::Proved(Proved::Circles(Box::new(theorem))),
        (Err(unknown), _) => Verdict::Unknown(*unknown),
    })
}
