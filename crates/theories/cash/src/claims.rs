//! Claims about NIM with Cash, compared with the game.
//!
//! A claim is a formula over names that run through ranges, over the set A that they define, and
//! over the objects of the paper (its keys `for`, `where`, `holds`). Every instance within the
//! ranges is evaluated. The first one that fails, in the order of the names, is the counterexample.
//! This module does not know the expected verdicts.

use crate::claim_formula::{Environment, Formula, FormulaError};
use crate::game::Cash;
use crate::{Condition, Objects, Thresholds};
use bouton_core::{Arrange, Budget, LimitReached, Meter, Play};
use bouton_theory::ClaimError;
use bouton_theory::claim::{ClaimKind, TheoryClaim};
use bouton_theory::recheck;
use bouton_theory::verdict::{Computed, Failure, Recheck, Refuted, Unknown, Verdict};
use serde::Deserialize;

/// The kind of these claims in data files.
pub(crate) const CASH: ClaimKind =
    ClaimKind::new::<CashClaim>("cash", &["for", "where", "holds", "table"]);

/// A formula over numbers, sets A and the objects of *NIM with Cash*: of all values bound that
/// satisfy `where`, it holds.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CashClaim {
    /// What binds the names, in order, apart by `;`.
    #[serde(rename = "for")]
    pub binders: String,
    /// Which values are meant.
    #[serde(rename = "where")]
    pub condition: Option<String>,
    /// The formula.
    pub holds: String,
    /// Stones and dollars that the tables go up to.
    #[serde(default = "table_size")]
    pub table: u32,
}

fn table_size() -> u32 {
    150
}

impl TheoryClaim for CashClaim {}

/// A parsed claim.
#[derive(Debug, Clone)]
struct ParsedClaim {
    binders: Vec<(String, Binder)>,
    when: Option<Formula>,
    holds: Formula,
    /// The number of stones and dollars in the tables.
    table: u32,
}

/// The result of a claim.
struct ClaimResult {
    /// The number of instances evaluated, without those that `where` excludes.
    instances: u64,
    failures: u64,
    first: Option<Counterexample>,
    meter: Meter,
}

/// The first instance that fails.
struct Counterexample {
    set: Vec<u64>,
    names: Vec<(String, i64)>,
    words: String,
}

/// The reason why an evaluation ended.
#[derive(Debug, thiserror::Error)]
enum EvaluationEnd {
    #[error(transparent)]
    FormulaError(#[from] FormulaError),
    #[error(transparent)]
    LimitReached(#[from] LimitReached),
}

/// Verifies a claim about NIM with Cash.
pub(crate) fn verify(claim: &CashClaim, budget: &Budget) -> Result<Verdict, ClaimError> {
    // Instances are not nodes.
    let budget = Budget { nodes: None, ..budget.clone() };
    let mut checked =
        ClaimResult { instances: 0, failures: 0, first: None, meter: Meter::new(&budget) };
    let read =
        ParsedClaim::read(claim).map_err(|syntax_error| ClaimError::Words(syntax_error.0))?;
    let mut bindings = Bindings::default();
    let ended = match read.bind(&read.binders, &mut bindings, &mut checked) {
        Err(EvaluationEnd::FormulaError(syntax_error)) => {
            return Err(ClaimError::Words(syntax_error.0));
        }
        Err(EvaluationEnd::LimitReached(limit)) => Some(limit),
        Ok(()) => None,
    };
    let ClaimResult { instances, failures, first, .. } = checked;
    let mut computed = Computed {
        words: format!("{instances} instances computed"),
        instances,
        ..Computed::default()
    };
    Ok(match (first, ended) {
        (Some(first), _) => {
            computed.words = format!("{failures} of {instances} instances fail");
            let recheck = match read.fails_by_rules(&first) {
                Ok(true) => {
                    Recheck::Confirmed("evaluated again with who wins by the rules alone".into())
                }
                Ok(false) => {
                    let reason = format!(
                        "{} fails, but not by the rules alone; please report this",
                        first.words
                    );
                    return Ok(Verdict::Unknown(Unknown { reason, budget: false, computed }));
                }
                Err(_) => Recheck::OutOfReach("too many positions for the rules alone".into()),
            };
            Verdict::Refuted(Refuted {
                counterexample: Failure::Words(first.words),
                least: true,
                recheck,
                others: Vec::new(),
                computed,
            })
        }
        (None, Some(limit)) => {
            Verdict::Unknown(Unknown { reason: limit.to_string(), budget: true, computed })
        }
        (None, None) if instances == 0 => Unknown::because("the ranges hold no instance"),
        (None, None) => Verdict::Holds(computed),
    })
}

/// The values of a name.
#[derive(Debug, Clone)]
enum Binder {
    /// All numbers from the first to the second, both included.
    Range(Formula, Formula),
    Value(Formula),
    /// The set of these members.
    Set(Vec<Formula>),
    /// The set of all numbers between two.
    Interval(Formula, Formula),
    /// Every set of numbers up to this one.
    Subsets(Formula),
    Member,
}

/// The tables of one set A.
struct GameTables {
    set: Vec<u64>,
    objects: Objects,
    thresholds: Vec<Vec<u32>>,
}

/// The names bound so far, with their values.
#[derive(Default)]
struct Bindings<'c> {
    names: Vec<(&'c str, i64)>,
    tables: Option<GameTables>,
    /// Whether the winner is found by a search from the rules alone.
    by_rules: bool,
}

impl ParsedClaim {
    fn read(claim: &CashClaim) -> Result<ParsedClaim, FormulaError> {
        Ok(ParsedClaim {
            binders: claim.binders.split(';').map(binder).collect::<Result<_, _>>()?,
            when: claim.condition.as_deref().map(Formula::parse).transpose()?,
            holds: Formula::parse(&claim.holds)?,
            table: claim.table,
        })
    }

    /// Returns whether an instance still fails if the winner is found by a search from the rules
    /// alone.
    fn fails_by_rules(&self, first: &Counterexample) -> Result<bool, FormulaError> {
        let names = first.names.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let bindings = Bindings {
            names,
            tables: Some(GameTables::new(&first.set, self.table)),
            by_rules: true,
        };
        let is_instance = self.when.as_ref().map_or(Ok(1), |when| when.value(&bindings))? != 0;
        Ok(is_instance && self.holds.value(&bindings)? == 0)
    }

    fn bind<'c>(
        &'c self,
        binders: &'c [(String, Binder)],
        bindings: &mut Bindings<'c>,
        checked: &mut ClaimResult,
    ) -> Result<(), EvaluationEnd> {
        let Some(((name, binder), rest)) = binders.split_first() else {
            let is_instance = self.when.as_ref().map_or(Ok(1), |when| when.value(bindings))? != 0;
            checked.instances += u64::from(is_instance);
            checked.meter.spend_one()?;
            if is_instance && self.holds.value(bindings)? == 0 {
                checked.failures += 1;
                checked.first.get_or_insert_with(|| bindings.failed());
            }
            return Ok(());
        };
        let value = |formula: &Formula, bindings: &Bindings<'c>| formula.value(bindings);
        let values: Vec<i64> = match binder {
            Binder::Range(from, to) => (value(from, bindings)?..=value(to, bindings)?).collect(),
            Binder::Value(formula) => vec![value(formula, bindings)?],
            Binder::Member => {
                bindings.tables.iter().flat_map(|t| t.set.iter().map(|a| *a as i64)).collect()
            }
            Binder::Set(members) => {
                let set = members.iter().map(|m| value(m, bindings)).collect::<Result<_, _>>()?;
                return self.with_set(set, rest, bindings, checked);
            }
            Binder::Interval(from, to) => {
                let set = (value(from, bindings)?..=value(to, bindings)?).collect();
                return self.with_set(set, rest, bindings, checked);
            }
            Binder::Subsets(most) => {
                let most = value(most, bindings)?;
                for mask in 1i64..1 << most.clamp(0, 20) {
                    let set = (1..=most).filter(|a| mask >> (a - 1) & 1 == 1).collect();
                    self.with_set(set, rest, bindings, checked)?;
                }
                return Ok(());
            }
        };
        for value in values {
            bindings.names.push((name, value));
            let done = self.bind(rest, bindings, checked);
            bindings.names.pop();
            done?;
        }
        Ok(())
    }

    fn with_set<'c>(
        &'c self,
        mut set: Vec<i64>,
        rest: &'c [(String, Binder)],
        bindings: &mut Bindings<'c>,
        checked: &mut ClaimResult,
    ) -> Result<(), EvaluationEnd> {
        set.arrange();
        set.dedup();
        let set: Vec<u64> =
            set.into_iter().filter_map(|a| u64::try_from(a).ok().filter(|a| *a > 0)).collect();
        if set.is_empty() {
            return Err(FormulaError("a set is empty".into()).into());
        }
        bindings.tables = Some(GameTables::new(&set, self.table));
        self.bind(rest, bindings, checked)
    }
}

/// Reads `x in 1..L`, `x := 2*L`, `A = {1, L}`, `A = L..M`, `A in subsets(6)`, `a in A`.
fn binder(text: &str) -> Result<(String, Binder), FormulaError> {
    let text = text.trim();
    let syntax_error = || FormulaError(format!("`{text}` binds no name"));
    if let Some((name, value)) = text.split_once(":=") {
        return Ok((name.trim().into(), Binder::Value(Formula::parse(value)?)));
    }
    let (name, range, is_set) = match (text.split_once(" in "), text.split_once('=')) {
        (Some((name, range)), _) => (name.trim(), range.trim(), false),
        (None, Some((name, range))) => (name.trim(), range.trim(), true),
        _ => return Err(syntax_error()),
    };
    let binder = if range == "A" {
        Binder::Member
    } else if let Some(most) =
        range.strip_prefix("subsets(").and_then(|rest| rest.strip_suffix(')'))
    {
        Binder::Subsets(Formula::parse(most)?)
    } else if let Some(members) = range.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        Binder::Set(members.split(',').map(Formula::parse).collect::<Result<_, _>>()?)
    } else {
        let (from, to) = range.split_once("..").ok_or_else(syntax_error)?;
        let (from, to) = (Formula::parse(from)?, Formula::parse(to)?);
        if is_set { Binder::Interval(from, to) } else { Binder::Range(from, to) }
    };
    Ok((name.into(), binder))
}

impl GameTables {
    fn new(set: &[u64], most: u32) -> GameTables {
        let mut rows = Thresholds::new(set, most);
        GameTables {
            objects: Objects::new(set, most),
            thresholds: (0..=most).map(|_| rows.next_row().to_vec()).collect(),
            set: set.to_vec(),
        }
    }

    fn set_text(&self) -> String {
        self.set.iter().map(u64::to_string).collect::<Vec<_>>().join(",")
    }
}

/// Returns 1 if the player to move wins by the rules alone, otherwise 0; `None` if the search is
/// too large.
fn mover_wins(set: &[u64], stones: u64, purses: Option<[u64; 2]>) -> Option<i64> {
    let game = Cash::new(set.to_vec()).game();
    let lost = match purses {
        Some([mover, other]) => recheck::outcome(&*game, Play::Normal, &[stones, mover, other]),
        // The pile alone, without money.
        None => recheck::search_from(&*game, Play::Normal, &format!("{stones},inf,inf")),
    };
    lost.map(|lost| i64::from(!lost))
}

impl Bindings<'_> {
    fn failed(&self) -> Counterexample {
        let mut parts: Vec<String> = Vec::new();
        if let Some(tables) = &self.tables {
            parts.push(format!("A = {{{}}}", tables.set_text()));
        }
        parts.extend(self.names.iter().map(|(name, value)| format!("{name} = {value}")));
        Counterexample {
            set: self.tables.as_ref().map_or_else(Vec::new, |tables| tables.set.clone()),
            names: self.names.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect(),
            words: parts.join(", "),
        }
    }
}

impl Environment for Bindings<'_> {
    fn name(&self, name: &str) -> Option<i64> {
        self.names.iter().rfind(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    fn call(&self, function: &str, arguments: &[i64]) -> Option<i64> {
        match (function, arguments) {
            ("min", _) => return arguments.iter().copied().min(),
            ("max", _) => return arguments.iter().copied().max(),
            ("abs", [x]) => return Some(x.abs()),
            _ => {}
        }
        let tables = self.tables.as_ref()?;
        let GameTables { set, objects, thresholds } = tables;
        match (function, arguments) {
            ("least", [_]) => return Some(*set.first()? as i64),
            ("proved", [_]) => {
                let condition = Condition::find(set, &mut Meter::new(&Budget::default())).ok()?;
                let accepted =
                    |c: Condition| bouton_check::check(&c.certificate().to_text()).is_ok();
                return Some(i64::from(condition.is_some_and(accepted)));
            }
            ("member", [a]) => {
                return Some(i64::from(u64::try_from(*a).is_ok_and(|a| set.contains(&a))));
            }
            _ => {}
        }
        let (n, rest) = arguments.split_first()?;
        let n = usize::try_from(*n).ok().filter(|n| *n < objects.stones())?;
        let (winner, loser) = if objects.wins(n) { (0, 1) } else { (1, 0) };
        let taken = |a: i64| usize::try_from(a).ok().filter(|a| *a <= n);
        let dollars =
            |dollars: i64| usize::try_from(dollars).ok().map(|x| x.min(thresholds.len() - 1));
        Some(match (function, rest) {
            ("W", []) if self.by_rules => mover_wins(set, n as u64, None)?,
            ("win", [d, e]) if self.by_rules => {
                mover_wins(set, n as u64, Some([dollars(*d)? as u64, dollars(*e)? as u64]))?
            }
            ("W", []) => i64::from(objects.wins(n)),
            ("fI", []) => objects.rich(n)[0],
            ("fII", []) => objects.rich(n)[1],
            ("f", []) => objects.rich(n)[winner],
            ("fo", []) => objects.rich(n)[loser],
            ("tI", []) => objects.intended_purses(n)[0],
            ("tII", []) => objects.intended_purses(n)[1],
            ("t", []) => objects.intended_purses(n)[winner],
            ("to", []) => objects.intended_purses(n)[loser],
            ("gI", []) => objects.poor(n)[0],
            ("gII", []) => objects.poor(n)[1],
            ("CI", [a]) => objects.cost(n, taken(*a)?)[0],
            ("CII", [a]) => objects.cost(n, taken(*a)?)[1],
            // A purse as large as the table is equivalent to any larger one.
            ("win", [d, e]) => i64::from((dollars(*e)? as u32) < thresholds[n][dollars(*d)?]),
            ("critical", [d, e]) => i64::from(objects.is_critical(n, *d, *e)),
            _ => return None,
        })
    }
}
