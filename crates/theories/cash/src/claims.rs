//! Claims about NIM with Cash, held against the game.
//!
//! A claim is a formula over names that run through ranges, over the set A that they define, and over the objects of the
//! paper (its keys `for`, `where`, `holds`). Every instance within the ranges is evaluated; the first that fails, in the
//! order of the names, is the counterexample. Nothing here knows what to expect.

use crate::claim_formula::{Formula, Meaning, NoValue};
use crate::game::Cash;
use crate::{Condition, Objects, Thresholds};
use bouton_core::{Budget, LimitReached, Meter, Play};
use bouton_theory::ClaimError;
use bouton_theory::claim::{ClaimKind, TheoryClaim};
use bouton_theory::recheck;
use bouton_theory::verdict::{Computed, Failure, Recheck, Refuted, Unknown, Verdict};
use serde::Deserialize;

/// The kind of these claims in data files.
pub(crate) const CASH: ClaimKind = ClaimKind::new::<CashClaim>("cash", &["for", "where", "holds", "table"]);

/// A formula over numbers, sets A and the objects of *NIM with Cash*: of all values bound that satisfy `where`, it holds.
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

/// A claim, read.
#[derive(Debug, Clone)]
struct ParsedClaim {
    binders: Vec<(String, Binder)>,
    when: Option<Formula>,
    holds: Formula,
    /// Stones and dollars that the tables go up to.
    table: u32,
}

/// What became of a claim.
struct Checked {
    /// Instances evaluated, those that `where` leaves out not counted.
    instances: u64,
    failures: u64,
    first: Option<First>,
    meter: Meter,
}

/// The first instance that fails.
struct First {
    set: Vec<u64>,
    names: Vec<(String, i64)>,
    words: String,
}

/// Why an evaluation ended.
#[derive(Debug, thiserror::Error)]
enum End {
    #[error(transparent)]
    NoValue(#[from] NoValue),
    #[error(transparent)]
    LimitReached(#[from] LimitReached),
}

/// Settles a claim about NIM with Cash.
pub(crate) fn verify(claim: &CashClaim, budget: &Budget) -> Result<Verdict, ClaimError> {
    // Instances are no nodes.
    let budget = Budget { nodes: None, ..budget.clone() };
    let mut checked = Checked { instances: 0, failures: 0, first: None, meter: Meter::new(&budget) };
    let read = ParsedClaim::parse(claim).map_err(|slip| ClaimError::Words(slip.0))?;
    let mut scene = Scene::default();
    let ended = match read.bind(&read.binders, &mut scene, &mut checked) {
        Err(End::NoValue(slip)) => return Err(ClaimError::Words(slip.0)),
        Err(End::LimitReached(limit)) => Some(limit),
        Ok(()) => None,
    };
    let Checked { instances, failures, first, .. } = checked;
    let mut computed =
        Computed { words: format!("{instances} instances computed"), instances, ..Computed::default() };
    Ok(match (first, ended) {
        (Some(first), _) => {
            computed.words = format!("{failures} of {instances} instances fail");
            let recheck = match read.again(&first) {
                Ok(true) => Recheck::Confirmed("evaluated again with who wins by the rules alone".into()),
                Ok(false) => {
                    let reason =
                        format!("{} fails, but not by the rules alone; please report this", first.words);
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

/// How a name gets its values.
#[derive(Debug, Clone)]
enum Binder {
    /// From the first up to the second, both included.
    Range(Formula, Formula),
    Value(Formula),
    /// A set from such members.
    Set(Vec<Formula>),
    /// All numbers between two.
    Interval(Formula, Formula),
    /// Every set of numbers up to this.
    Subsets(Formula),
    Member,
}

/// One game, tabulated.
struct Tables {
    set: Vec<u64>,
    objects: Objects,
    thresholds: Vec<Vec<u32>>,
}

/// Names and their values so far.
#[derive(Default)]
struct Scene<'c> {
    names: Vec<(&'c str, i64)>,
    tables: Option<Tables>,
    /// Whether who wins is asked of the rules alone.
    by_rules: bool,
}

impl ParsedClaim {
    fn parse(claim: &CashClaim) -> Result<ParsedClaim, NoValue> {
        Ok(ParsedClaim {
            binders: claim.binders.split(';').map(binder).collect::<Result<_, _>>()?,
            when: claim.condition.as_deref().map(Formula::parse).transpose()?,
            holds: Formula::parse(&claim.holds)?,
            table: claim.table,
        })
    }

    /// Whether an instance fails with who wins found by a search that knows the rules and nothing else.
    fn again(&self, first: &First) -> Result<bool, NoValue> {
        let names = first.names.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let scene = Scene { names, tables: Some(Tables::new(&first.set, self.table)), by_rules: true };
        let meant = self.when.as_ref().map_or(Ok(1), |when| when.value(&scene))? != 0;
        Ok(meant && self.holds.value(&scene)? == 0)
    }

    fn bind<'c>(
        &'c self,
        binders: &'c [(String, Binder)],
        scene: &mut Scene<'c>,
        checked: &mut Checked,
    ) -> Result<(), End> {
        let Some(((name, binder), rest)) = binders.split_first() else {
            let meant = self.when.as_ref().map_or(Ok(1), |when| when.value(scene))? != 0;
            checked.instances += u64::from(meant);
            checked.meter.node()?;
            if meant && self.holds.value(scene)? == 0 {
                checked.failures += 1;
                checked.first.get_or_insert_with(|| scene.failed());
            }
            return Ok(());
        };
        let value = |formula: &Formula, scene: &Scene<'c>| formula.value(scene);
        let values: Vec<i64> = match binder {
            Binder::Range(from, to) => (value(from, scene)?..=value(to, scene)?).collect(),
            Binder::Value(formula) => vec![value(formula, scene)?],
            Binder::Member => scene.tables.iter().flat_map(|t| t.set.iter().map(|a| *a as i64)).collect(),
            Binder::Set(members) => {
                let set = members.iter().map(|m| value(m, scene)).collect::<Result<_, _>>()?;
                return self.with_set(set, rest, scene, checked);
            }
            Binder::Interval(from, to) => {
                let set = (value(from, scene)?..=value(to, scene)?).collect();
                return self.with_set(set, rest, scene, checked);
            }
            Binder::Subsets(most) => {
                let most = value(most, scene)?;
                for mask in 1i64..1 << most.clamp(0, 20) {
                    let set = (1..=most).filter(|a| mask >> (a - 1) & 1 == 1).collect();
                    self.with_set(set, rest, scene, checked)?;
                }
                return Ok(());
            }
        };
        for value in values {
            scene.names.push((name, value));
            let done = self.bind(rest, scene, checked);
            scene.names.pop();
            done?;
        }
        Ok(())
    }

    fn with_set<'c>(
        &'c self,
        mut set: Vec<i64>,
        rest: &'c [(String, Binder)],
        scene: &mut Scene<'c>,
        checked: &mut Checked,
    ) -> Result<(), End> {
        set.sort_unstable();
        set.dedup();
        let set: Vec<u64> =
            set.into_iter().filter_map(|a| u64::try_from(a).ok().filter(|a| *a > 0)).collect();
        if set.is_empty() {
            return Err(NoValue("a set is empty".into()).into());
        }
        scene.tables = Some(Tables::new(&set, self.table));
        self.bind(rest, scene, checked)
    }
}

/// Reads `x in 1..L`, `x := 2*L`, `A = {1, L}`, `A = L..M`, `A in subsets(6)`, `a in A`.
fn binder(text: &str) -> Result<(String, Binder), NoValue> {
    let text = text.trim();
    let slip = || NoValue(format!("`{text}` binds no name"));
    if let Some((name, value)) = text.split_once(":=") {
        return Ok((name.trim().into(), Binder::Value(Formula::parse(value)?)));
    }
    let (name, range, is_set) = match (text.split_once(" in "), text.split_once('=')) {
        (Some((name, range)), _) => (name.trim(), range.trim(), false),
        (None, Some((name, range))) => (name.trim(), range.trim(), true),
        _ => return Err(slip()),
    };
    let binder = if range == "A" {
        Binder::Member
    } else if let Some(most) = range.strip_prefix("subsets(").and_then(|rest| rest.strip_suffix(')')) {
        Binder::Subsets(Formula::parse(most)?)
    } else if let Some(members) = range.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        Binder::Set(members.split(',').map(Formula::parse).collect::<Result<_, _>>()?)
    } else {
        let (from, to) = range.split_once("..").ok_or_else(slip)?;
        let (from, to) = (Formula::parse(from)?, Formula::parse(to)?);
        if is_set { Binder::Interval(from, to) } else { Binder::Range(from, to) }
    };
    Ok((name.into(), binder))
}

impl Tables {
    fn new(set: &[u64], most: u32) -> Tables {
        let mut rows = Thresholds::new(set, most);
        Tables {
            objects: Objects::new(set, most),
            thresholds: (0..=most).map(|_| rows.next_row().to_vec()).collect(),
            set: set.to_vec(),
        }
    }

    fn set_text(&self) -> String {
        self.set.iter().map(u64::to_string).collect::<Vec<_>>().join(",")
    }
}

/// Who wins, by the rules alone: 1 if the mover does. `None` where that is too far.
fn mover_wins(set: &[u64], stones: u64, purses: Option<[u64; 2]>) -> Option<i64> {
    let game = Cash::new(set.to_vec()).game();
    let lost = match purses {
        Some([mover, other]) => recheck::outcome(&*game, Play::Normal, &[stones, mover, other]),
        // The pile alone: money is no matter.
        None => recheck::search_from(&*game, Play::Normal, &format!("{stones},inf,inf")),
    };
    lost.map(|lost| i64::from(!lost))
}

impl Scene<'_> {
    fn failed(&self) -> First {
        let mut parts: Vec<String> = Vec::new();
        if let Some(tables) = &self.tables {
            parts.push(format!("A = {{{}}}", tables.set_text()));
        }
        parts.extend(self.names.iter().map(|(name, value)| format!("{name} = {value}")));
        First {
            set: self.tables.as_ref().map_or_else(Vec::new, |tables| tables.set.clone()),
            names: self.names.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect(),
            words: parts.join(", "),
        }
    }
}

impl Meaning for Scene<'_> {
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
        let Tables { set, objects, thresholds } = tables;
        match (function, arguments) {
            ("least", [_]) => return Some(*set.first()? as i64),
            ("proved", [_]) => {
                let found = Condition::find(set, &mut Meter::new(&Budget::default())).ok()?;
                let accepted = |c: Condition| bouton_check::check(&c.certificate().to_text()).is_ok();
                return Some(i64::from(found.is_some_and(accepted)));
            }
            ("member", [a]) => return Some(i64::from(u64::try_from(*a).is_ok_and(|a| set.contains(&a)))),
            _ => {}
        }
        let (n, rest) = arguments.split_first()?;
        let n = usize::try_from(*n).ok().filter(|n| *n < objects.stones())?;
        let (winner, loser) = if objects.wins(n) { (0, 1) } else { (1, 0) };
        let taken = |a: i64| usize::try_from(a).ok().filter(|a| *a <= n);
        let dollars = |dollars: i64| usize::try_from(dollars).ok().map(|x| x.min(thresholds.len() - 1));
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
            ("tI", []) => objects.least(n)[0],
            ("tII", []) => objects.least(n)[1],
            ("t", []) => objects.least(n)[winner],
            ("to", []) => objects.least(n)[loser],
            ("gI", []) => objects.poor(n)[0],
            ("gII", []) => objects.poor(n)[1],
            ("CI", [a]) => objects.cost(n, taken(*a)?)[0],
            ("CII", [a]) => objects.cost(n, taken(*a)?)[1],
            // As much money as the table has is as good as more.
            ("win", [d, e]) => i64::from((dollars(*e)? as u32) < thresholds[n][dollars(*d)?]),
            ("critical", [d, e]) => i64::from(objects.critical(n, *d, *e)),
            _ => return None,
        })
    }
}
