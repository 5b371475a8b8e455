//! Claims about families of Kotzig's Nim, decided for circles of every size by the theorems at hand.
//!
//! Where the steps of a family are fixed, or fixed for each value of some parameters, and its cells are a line in the one parameter that
//! is left, a theorem on Γ(m1,…;n) says which of its games are in P. That the claim says the same is a sentence of the logic. What is
//! true of some values of the parameters only is told so.

use super::Bound;
use super::family::FamilyClaim;
use crate::circles::{CircleTheorem, is_true};
use crate::claim::{self, OfFamily};
use bouton_games::{KotzigFamily, Range};
use bouton_rules::{Formula, Meter};
use bouton_solve::circulant::invariant::MAX_STEP;

/// What the theorems at hand say of a claim.
pub(super) enum Whole {
    /// All that it says follows from these.
    Proved(Vec<CircleTheorem>),
    /// This one contradicts it, first at so many cells.
    Fails(Box<CircleTheorem>, u64),
    /// What it says for some values of the parameters.
    Parts(Vec<Part>),
}

/// What is proved for some values of the parameters.
pub(super) struct Part {
    /// The values, as `m = 2`.
    pub values: String,
    /// The family that the theorem is about.
    pub game: String,
    /// The certificate's hash.
    pub certificate: String,
}

/// The circles that are looked at for the first at which a claim fails.
const MOST_CELLS: u64 = 100_000;

/// A claim about one set of steps.
struct Case<'c> {
    claim: &'c str,
    when: &'c str,
    names: &'c [String],
    /// The parameters that the steps depend on, and their values; the one that is left has none.
    values: Vec<Option<i64>>,
    /// The name that is left.
    free: &'c str,
    /// The cells, as slope and value at 0 of a line in it.
    line: [i64; 2],
}

impl Whole {
    /// `None` where no theorem says anything. Claims about circles up to some size, and those that want strategies replayed, are for
    /// computing.
    pub(super) fn of(
        read: &FamilyClaim,
        game: &str,
        when: Option<&str>,
        claim: &claim::FamilyClaim,
        bound: &Bound,
    ) -> Option<Whole> {
        let OfFamily::P(p) = &claim.says else { return None };
        if claim.replay || claim.cells.is_some() || claim.most.is_some() {
            return None;
        }
        let family = KotzigFamily::parse(game).ok()?;
        let (names, varying) = (family.names(), family.varying());
        let free: Vec<usize> = (0..names.len()).filter(|i| !varying[*i]).collect();
        let [free] = free[..] else { return None };
        // `n` is the number of cells in what follows.
        let is_cells = |i: usize| i == free && family.line(&vec![None; names.len()]) == Some([1, 0]);
        if (0..names.len()).any(|i| names[i] == "n" && !is_cells(i)) {
            return None;
        }
        let when = when.map_or_else(|| format!("{0} = {0}", names[free]), str::to_owned);
        let ranges: Vec<Range> =
            varying.iter().map(|varies| if *varies { 0..=MAX_STEP as i64 } else { 0..=0 }).collect();
        let (mut theorems, mut parts, mut open) = (Vec::new(), Vec::new(), false);
        let mut all = every(&ranges);
        all.retain(|values| family.steps(values).is_some());
        for values in all {
            let steps = family.steps(&values)?;
            let values: Vec<Option<i64>> =
                values.iter().zip(&varying).map(|(value, varies)| varies.then_some(*value)).collect();
            let line = family.line(&values)?;
            let case = Case { claim: p, when: &when, names, values, free: &names[free], line };
            // Nothing is claimed of these steps.
            if !case.is_meant(bound).ok()? {
                continue;
            }
            let shipped = bound.theorems.circles(&steps, read.play, &bound.budget).ok()?;
            let Some(theorem) = shipped else {
                open = true;
                continue;
            };
            match is_true(&case.sentence(&theorem), &bound.budget) {
                Ok(true) => {}
                Ok(false) => {
                    let n = case.fails_at(&theorem, bound)?;
                    return Some(Whole::Fails(Box::new(theorem), n));
                }
                Err(_) => {
                    open = true;
                    continue;
                }
            }
            parts.push(Part {
                values: case.told(),
                game: theorem.game.clone(),
                certificate: theorem.hash().to_owned(),
            });
            theorems.push(theorem);
        }
        if theorems.is_empty() {
            return None;
        }
        let within = (0..names.len())
            .filter(|i| varying[*i])
            .map(|i| format!("{} <= {MAX_STEP}", names[i]))
            .collect::<Vec<_>>();
        let bounded = within.is_empty() || {
            let all: String = names.iter().map(|name| format!("A {name}: ")).collect();
            let sentence = format!("{all}(({when}) => ({}))", within.join(" & "));
            matches!(is_true(&sentence, &bound.budget), Ok(true))
        };
        Some(if open || !bounded { Whole::Parts(parts) } else { Whole::Proved(theorems) })
    }
}

/// All values within ranges.
fn every(ranges: &[Range]) -> Vec<Vec<i64>> {
    ranges.iter().fold(vec![Vec::new()], |all, range| {
        let with = |values: &Vec<i64>| {
            let values = values.clone();
            range.clone().map(move |value| values.iter().copied().chain([value]).collect::<Vec<_>>())
        };
        all.iter().flat_map(with).collect()
    })
}

impl Case<'_> {
    /// The parameters' values, as `m = 2`.
    fn told(&self) -> String {
        let fixed = self.names.iter().zip(&self.values);
        let fixed: Vec<String> =
            fixed.filter_map(|(name, value)| value.map(|value| format!("{name} = {value}"))).collect();
        if fixed.is_empty() { "n >= 1".into() } else { fixed.join(", ") }
    }

    /// What binds the names: the fixed values, the circle of n cells, and which games are meant.
    fn meant(&self) -> String {
        let fixed = self.names.iter().zip(&self.values);
        let fixed: String =
            fixed.filter_map(|(name, value)| value.map(|value| format!("{name} = {value} & "))).collect();
        let [slope, at_0] = self.line;
        let side = |slope: i64, number: i64| {
            let (slope, number) = (slope.max(0), number.max(0));
            format!("{slope}*{} + {number}", self.free)
        };
        let cells = if self.free == "n" {
            String::new()
        } else {
            format!("n + {} = {} & ", side(-slope, -at_0), side(slope, at_0))
        };
        format!("{fixed}{cells}n >= 1 & ({})", self.when)
    }

    /// The names, quantified.
    fn quantified(&self, by: char) -> String {
        let mut names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        if self.free != "n" {
            names.push("n");
        }
        names.iter().map(|name| format!("{by} {name}: ")).collect()
    }

    /// Whether anything is claimed of these values at all.
    fn is_meant(&self, bound: &Bound) -> Result<bool, ()> {
        is_true(&format!("{}({})", self.quantified('E'), self.meant()), &bound.budget).map_err(|_| ())
    }

    /// That the claim says what the theorem says.
    fn sentence(&self, theorem: &CircleTheorem) -> String {
        let (all, meant, p) = (self.quantified('A'), self.meant(), theorem.statement());
        format!("{all}(({meant}) => (({}) <=> ({p})))", self.claim)
    }

    /// The first circle where the claim says something else than the theorem.
    fn fails_at(&self, theorem: &CircleTheorem, bound: &Bound) -> Option<u64> {
        let when = Formula::parse_over(self.when, self.names).ok()?;
        let claim = Formula::parse_over(self.claim, self.names).ok()?;
        let mut meter = Meter::new(&bound.budget);
        let mut least: Option<u64> = None;
        for free in 0..MOST_CELLS as i64 {
            meter.node().ok()?;
            let n = self.line[0].checked_mul(free)?.checked_add(self.line[1])?;
            let Some(n) = u64::try_from(n).ok().filter(|n| *n >= 1) else { continue };
            let values: Vec<u64> =
                self.values.iter().map(|value| value.unwrap_or(free).unsigned_abs()).collect();
            if when.holds(&values).ok()? && claim.holds(&values).ok()? != theorem.outcome(n)?.is_p() {
                least = Some(least.map_or(n, |least| least.min(n)));
                // Circles grow with the parameter, as a rule.
                if self.line[0] >= 0 {
                    break;
                }
            }
        }
        least
    }
}
