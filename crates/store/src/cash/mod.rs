//! Claims about NIM with Cash, held against the game.
//!
//! A claim is a formula over names that run through ranges, over the set A that they define, and over the objects of the
//! paper (`for`, `when`, `holds` in tests/theorems/cash.toml). Every instance within the ranges is evaluated; the first
//! that fails, in the order of the names, is the counterexample. Nothing here knows what to expect.

pub mod formula;

use crate::verify::VerifyError;
use bouton_ledger::Claim;
use bouton_solve::cash::{Condition, Objects, Thresholds};
use bouton_solve::{Budget, Meter};
use formula::{Formula, Meaning, NoValue};

/// A claim, read.
#[derive(Debug, Clone)]
pub struct CashClaim {
    id: String,
    binders: Vec<(String, Binder)>,
    when: Option<Formula>,
    holds: Formula,
    /// Stones and dollars that the tables go up to.
    table: u32,
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

/// What became of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// Instances evaluated, those that `when` leaves out not counted.
    pub instances: u64,
    /// How many failed.
    pub failures: u64,
    /// The first that failed.
    pub counterexample: Option<String>,
}

/// One game, tabulated.
struct Tables {
    set: Vec<u64>,
    objects: Objects,
    thresholds: Vec<Vec<u32>>,
}

/// Names and their values so far.
struct Scene<'c> {
    names: Vec<(&'c str, i64)>,
    tables: Option<Tables>,
}

impl CashClaim {
    /// Reads a claim of the ledger; `None` if it is not one of this kind.
    pub fn read(claim: &Claim) -> Result<Option<CashClaim>, VerifyError> {
        let text = |key: &str| claim.more.get(key).and_then(|value| value.as_str());
        let (Some(binders), Some(holds)) = (text("for"), text("holds")) else { return Ok(None) };
        let slip = |error: NoValue| VerifyError::Formula(claim.id.clone(), error.to_string());
        let binders = binders.split(';').map(binder).collect::<Result<_, _>>().map_err(slip)?;
        let table = claim.more.get("table").and_then(|t| t.as_integer()).and_then(|t| u32::try_from(t).ok());
        Ok(Some(CashClaim {
            id: claim.id.clone(),
            binders,
            when: text("where").map(Formula::parse).transpose().map_err(slip)?,
            holds: Formula::parse(holds).map_err(slip)?,
            table: table.unwrap_or(150),
        }))
    }

    /// Evaluates every instance.
    pub fn verify(&self) -> Result<Checked, VerifyError> {
        let mut checked = Checked { instances: 0, failures: 0, counterexample: None };
        let mut scene = Scene { names: Vec::new(), tables: None };
        self.bind(&self.binders, &mut scene, &mut checked)
            .map_err(|error| VerifyError::Formula(self.id.clone(), error.to_string()))?;
        Ok(checked)
    }

    fn bind<'c>(
        &'c self,
        binders: &'c [(String, Binder)],
        scene: &mut Scene<'c>,
        checked: &mut Checked,
    ) -> Result<(), NoValue> {
        let Some(((name, binder), rest)) = binders.split_first() else {
            let meant = self.when.as_ref().map_or(Ok(1), |when| when.value(scene))? != 0;
            checked.instances += u64::from(meant);
            if meant && self.holds.value(scene)? == 0 {
                checked.failures += 1;
                checked.counterexample.get_or_insert_with(|| scene.describe());
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
    ) -> Result<(), NoValue> {
        set.sort_unstable();
        set.dedup();
        let set: Vec<u64> =
            set.into_iter().filter_map(|a| u64::try_from(a).ok().filter(|a| *a > 0)).collect();
        if set.is_empty() {
            return Err(NoValue("a set is empty".into()));
        }
        let mut rows = Thresholds::new(&set, self.table);
        scene.tables = Some(Tables {
            objects: Objects::new(&set, self.table),
            thresholds: (0..=self.table).map(|_| rows.next_row().to_vec()).collect(),
            set,
        });
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

impl Scene<'_> {
    fn describe(&self) -> String {
        let mut parts: Vec<String> = Vec::new();
        if let Some(tables) = &self.tables {
            let set: Vec<String> = tables.set.iter().map(u64::to_string).collect();
            parts.push(format!("A = {{{}}}", set.join(",")));
        }
        parts.extend(self.names.iter().map(|(name, value)| format!("{name} = {value}")));
        parts.join(", ")
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
        let Tables { set, objects, thresholds } = self.tables.as_ref()?;
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
        Some(match (function, rest) {
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
            ("win", [d, e]) => {
                let purse = |dollars: i64| usize::try_from(dollars).ok().map(|x| x.min(thresholds.len() - 1));
                i64::from((purse(*e)? as u32) < thresholds[n][purse(*d)?])
            }
            ("critical", [d, e]) => i64::from(objects.critical(n, *d, *e)),
            _ => return None,
        })
    }
}
