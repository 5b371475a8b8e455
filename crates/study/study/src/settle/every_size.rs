//! Claims about families of Kotzig's Nim, decided for circles of every size by the theorems at hand, or those that a minute of laps gives.
//!
//! Where the steps of a family are fixed, or fixed for each value of some parameters, and its cells are a line in the one parameter
//! that is left, a theorem on Γ(m1,…;n) says which of its games are in P. So it is where the steps grow with the circle, but are
//! fixed ones [under units](super::units). That the claim says the same is a sentence of the logic. What is true of some values of
//! the parameters only is told so.

use super::Bound;
use super::family::FamilyClaim;
use super::units::{Image, Line};
use crate::circles::{CircleTheorem, few_laps, is_true};
use crate::claim::{self, OfFamily};
use bouton_core::{Formula, Meter};
use bouton_games::{KotzigFamily, Range};
use bouton_kotzig::invariant::MAX_WIDTH;

/// What the theorems at hand say of a claim.
pub(super) enum Whole {
    /// All that it says follows from these.
    Proved(Vec<CircleTheorem>),
    /// This one contradicts it, first where it speaks of so many cells: the claim's game.
    Fails(Box<CircleTheorem>, u64, String),
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
    /// The steps and the cells, lines in it.
    steps: Vec<Line>,
    cells: Line,
    /// It is one of these: so many times a number, and so much.
    place: Line,
    /// The cells of the theorem's circles, a line in that number.
    circle: Line,
}

/// Where steps grow, the values of the parameter may have to be taken apart modulo so much.
const PARTS: i64 = 2;

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
        let (free, grows) = match free[..] {
            [free] => (free, false),
            // Steps and cells depend on the one parameter.
            // `j` and `n` are other numbers there.
            [] if names.len() == 1 && names[0] != "n" && names[0] != "j" => (0, true),
            _ => return None,
        };
        // `n` is the number of cells in what follows.
        let is_cells = |i: usize| i == free && family.line(&vec![None; names.len()]) == Some([1, 0]);
        if (0..names.len()).any(|i| names[i] == "n" && !is_cells(i)) {
            return None;
        }
        let when = when.map_or_else(|| format!("{0} = {0}", names[free]), str::to_owned);
        let fixes = |i: usize| varying[i] && i != free;
        let ranges: Vec<Range> =
            (0..names.len()).map(|i| if fixes(i) { 0..=MAX_WIDTH as i64 } else { 0..=0 }).collect();
        let mut cases = Vec::new();
        for values in every(&ranges) {
            let values: Vec<Option<i64>> = (0..names.len()).map(|i| fixes(i).then(|| values[i])).collect();
            let (steps, cells) = (family.move_lines(&values)?, family.line(&values)?);
            let case = |place, fixed, circle| {
                let (claim, when, free) = (p.as_str(), when.as_str(), names[free].as_str());
                let (steps, values) = (steps.clone(), values.clone());
                (fixed, Case { claim, when, names, values, free, steps, cells, place, circle })
            };
            if !grows {
                let fixed: Vec<i64> = steps.iter().map(|step| step[1]).collect();
                if fixed[0] > 0 && fixed.is_sorted_by(|a, b| a < b) {
                    cases.push(case([1, 0], Some(fixed), cells));
                } else if let Some(fixed) = family.fixed().filter(|fixed| fixed[0] < 0) {
                    cases.push(case([1, 0], Some(fixed), cells));
                }
                continue;
            }
            // All values as one, or else modulo the least number that does.
            let parts = (1..=PARTS).map(|of| {
                let part = |rest| {
                    let at = |line: Line| [line[0] * of, line[0] * rest + line[1]];
                    let lines: Vec<Line> = steps.iter().map(|step| at(*step)).collect();
                    (Image::of(&lines, at(cells), MAX_WIDTH as i64), [of, rest])
                };
                (0..of).map(part).collect::<Vec<_>>()
            });
            let parts = parts
                .max_by_key(|parts| (parts.iter().all(|(image, _)| image.is_some()), -(parts.len() as i64)));
            for (image, place) in parts.into_iter().flatten() {
                match image {
                    Some(image) => cases.push(case(place, Some(image.steps), image.cells)),
                    None => cases.push(case(place, None, cells)),
                }
            }
        }
        let (mut theorems, mut parts, mut open) = (Vec::<CircleTheorem>::new(), Vec::new(), false);
        for (steps, case) in cases {
            // Nothing is claimed of these steps.
            if !case.is_meant(bound).ok()? {
                continue;
            }
            let shipped = match steps {
                Some(steps) => {
                    let at_hand = bound.theorems.circles(&steps, read.play, &bound.budget).ok()?;
                    let asked = at_hand.is_none() && bound.theorems.of_circles();
                    let found = asked.then(|| few_laps(&steps, read.play, &bound.budget)).flatten();
                    at_hand.or(found)
                }
                None => None,
            };
            let Some(theorem) = shipped else {
                open = true;
                continue;
            };
            match is_true(&case.sentence(&theorem), &bound.budget) {
                Ok(true) => {}
                Ok(false) => {
                    let (n, name) = case.fails_at(&theorem, &family, bound)?;
                    return Some(Whole::Fails(Box::new(theorem), n, name));
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
            if theorems.iter().all(|other| other.hash() != theorem.hash()) {
                theorems.push(theorem);
            }
        }
        if theorems.is_empty() {
            return None;
        }
        let within = (0..names.len())
            .filter(|i| fixes(*i))
            .map(|i| format!("{} <= {MAX_WIDTH}", names[i]))
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
        let mut fixed: Vec<String> =
            fixed.filter_map(|(name, value)| value.map(|value| format!("{name} = {value}"))).collect();
        let [of, rest] = self.place;
        if of > 1 {
            fixed.push(format!("{} mod {of} = {rest}", self.free));
        }
        match (fixed.is_empty(), self.grows()) {
            (false, _) => fixed.join(", "),
            (true, true) => format!("{0} = {0}", self.free),
            (true, false) => "n >= 1".into(),
        }
    }

    /// Whether the steps depend on the parameter that is left.
    fn grows(&self) -> bool {
        self.steps.iter().any(|step| step[0] != 0)
    }

    /// What binds the names: the fixed values, the theorem's circle of n cells, and which games are meant.
    fn meant(&self) -> String {
        let fixed = self.names.iter().zip(&self.values);
        let fixed: String =
            fixed.filter_map(|(name, value)| value.map(|value| format!("{name} = {value} & "))).collect();
        // The sides of equations and of what is less, all numbers in them at least 0.
        let side = |[slope, number]: Line, name: &str| format!("{}*{name} + {}", slope.max(0), number.max(0));
        let other = |line: Line, name: &str| side(line.map(|number| -number), name);
        let [of, rest] = self.place;
        let place = match of {
            1 => "j".to_owned(),
            _ => format!("{of}*j + {rest}"),
        };
        let place = if self.names_j() { format!("{} = {place} & ", self.free) } else { String::new() };
        let name = if self.names_j() { "j" } else { self.free };
        let circle = match self.free == "n" && self.circle == [1, 0] {
            true => String::new(),
            false => format!("n + {} = {} & ", other(self.circle, name), side(self.circle, name)),
        };
        // A family's steps ascend, and are at least 1.
        let ascend: String = match self.grows() {
            true => [[0, 0]]
                .iter()
                .chain(&self.steps)
                .zip(&self.steps)
                .map(|(a, b)| {
                    let (left, right) = (side(*a, self.free), side(*b, self.free));
                    format!("{left} + {} < {right} + {} & ", other(*b, self.free), other(*a, self.free))
                })
                .collect(),
            false => String::new(),
        };
        format!("{fixed}{place}{circle}{ascend}n >= 1 & ({})", self.when)
    }

    /// Whether the parameter is told by another number.
    fn names_j(&self) -> bool {
        self.place != [1, 0]
    }

    /// The names, quantified.
    fn quantified(&self, by: char) -> String {
        let mut names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        if self.free != "n" {
            names.push("n");
        }
        if self.names_j() {
            names.push("j");
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

    /// The first circle where the claim says something else than the theorem: the theorem's cells, and the claim's game.
    fn fails_at(
        &self,
        theorem: &CircleTheorem,
        family: &KotzigFamily,
        bound: &Bound,
    ) -> Option<(u64, String)> {
        let when = Formula::parse_over(self.when, self.names).ok()?;
        let claim = Formula::parse_over(self.claim, self.names).ok()?;
        let mut meter = Meter::new(&bound.budget);
        let mut least: Option<(u64, String)> = None;
        let at = |[slope, number]: Line, x: i64| slope.checked_mul(x)?.checked_add(number);
        for j in 0..MOST_CELLS as i64 {
            meter.node().ok()?;
            let free = at(self.place, j)?;
            let n = at(self.circle, j)?;
            let Some(n) = u64::try_from(n).ok().filter(|n| *n >= 1) else { continue };
            let signed: Vec<i64> = self.values.iter().map(|value| value.unwrap_or(free)).collect();
            if self.grows() && family.steps(&signed).is_none() {
                continue;
            }
            let values: Vec<u64> = signed.iter().map(|value| value.unsigned_abs()).collect();
            if when.holds(&values).ok()? && claim.holds(&values).ok()? != theorem.outcome(n)?.is_p() {
                let steps: Option<Vec<i64>> = self.steps.iter().map(|step| at(*step, free)).collect();
                let steps: Vec<String> = steps?.iter().map(i64::to_string).collect();
                let name = format!("Gamma({};{})", steps.join(","), at(self.cells, free)?);
                if least.as_ref().is_none_or(|(least, _)| n < *least) {
                    least = Some((n, name));
                }
                // Circles grow with the parameter, as a rule.
                if self.circle[0] >= 0 {
                    break;
                }
            }
        }
        least
    }
}
