//! Claims about families of Kotzig's Nim, decided for circles of every size by the theorems at
//! hand, or those that a minute of revolutions gives.
//!
//! Where the steps of a family are fixed, or fixed for each value of some parameters, and its cells
//! are a line in the one parameter that is left, a theorem on Γ(m1,…;n) says which of its games are
//! in P. So it is where the steps grow with the circle, but are fixed ones
//! [under units](super::units). That the claim says the same is a sentence of the logic. What is
//! true of some values of the parameters only is told so.

use super::units::{Image, Line};
use super::{FamilyClaim, ParsedClaim, ParsedStatement};
use crate::circle_theorem::{CircleTheorem, NamedCircle, by_few_revolutions, is_true};
use crate::invariant::MAX_WIDTH;
use crate::{KotzigFamily, Range};
use bouton_core::{Formula, FormulaBuilder, Meter, Node, Play, Relation, Term};
use bouton_theory::ClaimBound;
use std::fmt;

/// What the theorems at hand say of a claim.
pub(super) enum ByTheorems {
    /// All that it says follows from these.
    Proved(Vec<CircleTheorem>),
    /// This one contradicts it, first where it speaks of this many cells: the claim's game.
    Fails(Box<CircleTheorem>, u64, NamedCircle),
    /// What it says for some values of the parameters.
    Parts(Vec<ProvedPart>),
}

/// What is proved for some values of the parameters.
pub(super) struct ProvedPart {
    /// The values.
    pub values: Values,
    /// The family that the theorem is about.
    pub game: String,
    /// The certificate's hash.
    pub certificate: String,
}

/// Values of the parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Values {
    /// These, as `m = 2, k mod 2 = 1`.
    Equations(Vec<Equation>),
    /// Those for which the game has a cell: `n >= 1`.
    All,
}

/// A parameter, perhaps modulo a number, and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Equation {
    /// The parameter's name.
    pub name: String,
    /// What its value is a remainder by.
    pub modulus: Option<i64>,
    /// The value; none for a parameter that may have any.
    pub value: Option<i64>,
}

impl Equation {
    /// Returns the side after `=`.
    pub(super) fn right(&self) -> String {
        self.value.map_or_else(|| self.name.clone(), |value| value.to_string())
    }

    /// Returns whether the other one is about the same number.
    pub(super) fn is_about_that_of(&self, other: &Equation) -> bool {
        (&self.name, self.modulus) == (&other.name, other.modulus)
    }
}

impl fmt::Display for Equation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if let Some(modulus) = self.modulus {
            write!(f, " mod {modulus}")?;
        }
        write!(f, " = {}", self.right())
    }
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Values::All => f.write_str("n >= 1"),
            Values::Equations(all) => {
                let all: Vec<String> = all.iter().map(Equation::to_string).collect();
                f.write_str(&all.join(", "))
            }
        }
    }
}

/// The circles that are looked at for the first at which a claim fails.
const MAX_LARGE_CELLS: u64 = 100_000;

/// A claim about one set of steps.
#[derive(Clone)]
struct Case<'c> {
    claim: &'c Formula,
    /// Which games are meant; all of them where this is none.
    when: Option<&'c Formula>,
    names: &'c [String],
    /// The parameters that the steps depend on, and their values; the one that is left has none.
    values: Vec<Option<i64>>,
    /// The name that is left.
    free: &'c str,
    /// The steps and the cells, lines in it.
    steps: Vec<Line>,
    cells: Line,
    /// It is one of these: this many times a number, and so much.
    place: Line,
    /// The cells of the theorem's circles, a line in that number.
    circle: Line,
    /// The steps of the theorem's circles; none if theorems are about no such steps.
    circle_steps: Option<Vec<i64>>,
}

/// What theorems say of a case.
enum CaseVerdict {
    /// The claim holds by this theorem.
    Holds(CircleTheorem),
    /// It fails: the theorem, its cells, and the claim's game.
    Fails(CircleTheorem, u64, NamedCircle),
    /// There is no theorem, or the comparison with it was not finished.
    Open,
}

/// The parameter of a family that stays a variable of the sentences about its games.
#[derive(Clone, Copy)]
struct FreeParameter {
    place: usize,
    /// Whether the steps depend on it.
    grows: bool,
}

impl FreeParameter {
    /// Returns that of a family; `None` if there is not one, or if its names mean other numbers in
    /// sentences.
    fn new(family: &KotzigFamily) -> Option<FreeParameter> {
        let (names, varying) = (family.names(), family.varying());
        let free: Vec<usize> = (0..names.len()).filter(|i| !varying[*i]).collect();
        let found = match free[..] {
            [place] => FreeParameter { place, grows: false },
            // Steps and cells depend on the one parameter.
            // `j` and `n` are other numbers there.
            [] if names.len() == 1 && names[0] != "n" && names[0] != "j" => {
                FreeParameter { place: 0, grows: true }
            }
            _ => return None,
        };
        // `n` is the number of cells in what follows.
        let is_cells =
            |i: usize| i == found.place && family.line(&vec![None; names.len()]) == Some([1, 0]);
        (0..names.len()).all(|i| names[i] != "n" || is_cells(i)).then_some(found)
    }

    /// Returns the places of the parameters that have values: all others that steps depend on.
    fn fixed(self, family: &KotzigFamily) -> Vec<usize> {
        let varying = family.varying();
        (0..varying.len()).filter(|i| varying[*i] && *i != self.place).collect()
    }
}

/// Where steps grow, the values of the parameter may have to be taken apart modulo so much.
const PARTS: i64 = 2;

impl ByTheorems {
    /// Decides a claim; `None` where no theorem says anything. Claims about circles up to some
    /// size, and those that want strategies replayed, are for computing.
    pub(super) fn decide(
        read: &ParsedClaim,
        claim: &FamilyClaim,
        bound: ClaimBound<'_>,
    ) -> Option<ByTheorems> {
        let ParsedStatement::P(p) = &read.says else { return None };
        if claim.replay || claim.cells.is_some() || claim.most.is_some() {
            return None;
        }
        let family = &read.family;
        let free = FreeParameter::new(family)?;
        let (mut theorems, mut parts, mut open) = (Vec::<CircleTheorem>::new(), Vec::new(), false);
        for case in Case::all(p, read.when.as_ref(), family, free)? {
            // Nothing is claimed of these steps.
            if !case.is_meant(bound).ok()? {
                continue;
            }
            match case.verdict(read.play, family, bound)? {
                CaseVerdict::Holds(theorem) => {
                    parts.push(ProvedPart {
                        values: case.parameters(),
                        game: theorem.game.clone(),
                        certificate: theorem.hash().to_owned(),
                    });
                    if theorems.iter().all(|other| other.hash() != theorem.hash()) {
                        theorems.push(theorem);
                    }
                }
                CaseVerdict::Fails(theorem, n, name) => {
                    return Some(ByTheorems::Fails(Box::new(theorem), n, name));
                }
                CaseVerdict::Open => open = true,
            }
        }
        if theorems.is_empty() {
            return None;
        }
        let are_all = !open && covers_all(read, &free.fixed(family), bound);
        Some(if are_all { ByTheorems::Proved(theorems) } else { ByTheorems::Parts(parts) })
    }
}

/// Returns whether a claim is about no values of these parameters but those that cases have.
fn covers_all(read: &ParsedClaim, fixed: &[usize], bound: ClaimBound<'_>) -> bool {
    if fixed.is_empty() {
        return true;
    }
    let mut builder = FormulaBuilder::default();
    let variables: Vec<usize> = read.family.names().iter().map(|name| builder.bind(name)).collect();
    let small = |i: &usize| {
        Term::Variable(variables[*i]).compared(Relation::AtMost, Term::Number(MAX_WIDTH))
    };
    let small = Node::all(fixed.iter().map(small));
    let claimed = match &read.when {
        Some(when) => builder.embed(when, &variables).implies(small),
        None => small,
    };
    matches!(is_true(&builder.build(claimed.for_all(variables)), bound.budget), Ok(true))
}

/// Returns all values within ranges.
fn every(ranges: &[Range]) -> Vec<Vec<i64>> {
    ranges.iter().fold(vec![Vec::new()], |all, range| {
        let with = |values: &Vec<i64>| {
            let values = values.clone();
            range
                .clone()
                .map(move |value| values.iter().copied().chain([value]).collect::<Vec<_>>())
        };
        all.iter().flat_map(with).collect()
    })
}

/// The variables of a sentence about a case.
struct Variables {
    /// The family's parameters.
    parameters: Vec<usize>,
    /// The one that is left, among them.
    free: usize,
    /// The cells of the theorem's circle.
    cells: usize,
    /// The number by which the parameter that is left is told: itself, or another.
    number: usize,
}

impl Variables {
    fn all(&self) -> Vec<usize> {
        let mut all = self.parameters.clone();
        for variable in [self.cells, self.number] {
            if !all.contains(&variable) {
                all.push(variable);
            }
        }
        all
    }
}

/// Returns a number from 0 on as a term.
fn natural(number: i64) -> Term {
    Term::Number(number.unsigned_abs())
}

impl<'c> Case<'c> {
    /// Returns the cases of a claim: one for all values of the parameters but the free one, or more
    /// if the steps grow with that.
    fn all(
        claim: &'c Formula,
        when: Option<&'c Formula>,
        family: &'c KotzigFamily,
        free: FreeParameter,
    ) -> Option<Vec<Case<'c>>> {
        let names = family.names();
        let fixed = free.fixed(family);
        let ranges: Vec<Range> = (0..names.len())
            .map(|i| if fixed.contains(&i) { 0..=MAX_WIDTH as i64 } else { 0..=0 })
            .collect();
        let mut cases = Vec::new();
        for values in every(&ranges) {
            let values: Vec<Option<i64>> =
                (0..names.len()).map(|i| fixed.contains(&i).then(|| values[i])).collect();
            let (steps, cells) = (family.move_lines(&values)?, family.line(&values)?);
            let case = Case {
                claim,
                when,
                names,
                values,
                free: &names[free.place],
                steps,
                cells,
                place: [1, 0],
                circle: cells,
                circle_steps: None,
            };
            if free.grows {
                cases.extend(case.by_remainders());
            } else {
                cases.extend(case.with_constant_steps(family));
            }
        }
        Some(cases)
    }

    /// Returns the case, if its steps are constants and come in the order of a theorem's.
    fn with_constant_steps(self, family: &KotzigFamily) -> Option<Case<'c>> {
        let constant: Vec<i64> = self.steps.iter().map(|step| step[1]).collect();
        let is_named = constant[0] > 0 && constant.is_sorted_by(|a, b| a < b);
        let circle_steps = match is_named {
            true => constant,
            false => family.fixed().filter(|fixed| fixed[0] < 0)?,
        };
        Some(Case { circle_steps: Some(circle_steps), ..self })
    }

    /// Returns the case with images of its circles whose steps do not grow: for all values of the
    /// parameter together, or else for each remainder modulo the least number that gives such.
    fn by_remainders(self) -> Vec<Case<'c>> {
        let parts = (1..=PARTS).map(|of| {
            let part = |rest| {
                let at = |line: Line| [line[0] * of, line[0] * rest + line[1]];
                let lines: Vec<Line> = self.steps.iter().map(|step| at(*step)).collect();
                (Image::find(&lines, at(self.cells), MAX_WIDTH as i64), [of, rest])
            };
            (0..of).map(part).collect::<Vec<_>>()
        });
        let parts = parts.max_by_key(|parts| {
            (parts.iter().all(|(image, _)| image.is_some()), -(parts.len() as i64))
        });
        let with_image = |(image, place): (Option<Image>, Line)| {
            let (circle, circle_steps) = match image {
                Some(image) => (image.cells, Some(image.steps)),
                None => (self.cells, None),
            };
            Case { place, circle, circle_steps, ..self.clone() }
        };
        parts.into_iter().flatten().map(with_image).collect()
    }

    /// Returns what a theorem says of the case; `None` if a limit is reached.
    fn verdict(
        &self,
        play: Play,
        family: &KotzigFamily,
        bound: ClaimBound<'_>,
    ) -> Option<CaseVerdict> {
        let Some(steps) = &self.circle_steps else { return Some(CaseVerdict::Open) };
        let store = bound.certificates;
        let at_hand = CircleTheorem::from_store(store, steps, play, bound.budget).ok()?;
        let by_revolutions = || by_few_revolutions(steps, play, bound.budget);
        let found = match at_hand {
            None if store.has_shipped() => by_revolutions(),
            at_hand => at_hand,
        };
        let Some(theorem) = found else { return Some(CaseVerdict::Open) };
        Some(match is_true(&self.sentence(&theorem), bound.budget) {
            Ok(true) => CaseVerdict::Holds(theorem),
            Ok(false) => {
                let (n, name) = self.fails_at(&theorem, family, bound)?;
                CaseVerdict::Fails(theorem, n, name)
            }
            Err(_) => CaseVerdict::Open,
        })
    }

    /// Returns the parameters' values.
    fn parameters(&self) -> Values {
        let fixed = self.names.iter().zip(&self.values);
        let mut fixed: Vec<Equation> = fixed
            .filter_map(|(name, value)| {
                Some(Equation { name: name.clone(), modulus: None, value: Some((*value)?) })
            })
            .collect();
        let [of, rest] = self.place;
        let free = |modulus, value| Equation { name: self.free.to_owned(), modulus, value };
        if of > 1 {
            fixed.push(free(Some(of), Some(rest)));
        }
        match (fixed.is_empty(), self.grows()) {
            (false, _) => Values::Equations(fixed),
            (true, true) => Values::Equations(vec![free(None, None)]),
            (true, false) => Values::All,
        }
    }

    /// Returns whether the steps depend on the parameter that is left.
    fn grows(&self) -> bool {
        self.steps.iter().any(|step| step[0] != 0)
    }

    /// Returns whether the parameter is told by another number.
    fn names_j(&self) -> bool {
        self.place != [1, 0]
    }

    /// Binds the variables of a sentence.
    fn variables(&self, builder: &mut FormulaBuilder) -> Variables {
        let parameters: Vec<usize> = self.names.iter().map(|name| builder.bind(name)).collect();
        let free =
            self.names.iter().position(|name| name == self.free).map_or(0, |i| parameters[i]);
        let cells = if self.free == "n" { free } else { builder.bind("n") };
        let number = if self.names_j() { builder.bind("j") } else { free };
        Variables { parameters, free, cells, number }
    }

    /// Returns what binds the names: the fixed values, the theorem's circle of n cells, and which
    /// games are meant.
    fn meant(&self, variables: &Variables, builder: &mut FormulaBuilder) -> Node {
        let fixed = variables.parameters.iter().zip(&self.values);
        let mut parts: Vec<Node> = fixed
            .filter_map(|(variable, value)| {
                Some(Term::Variable(*variable).equals(natural((*value)?)))
            })
            .collect();
        // The sides of equations and of what is less, all numbers in them at least 0.
        let side = |[slope, number]: Line, variable: usize| {
            [Term::Multiple(slope.max(0), Term::Variable(variable).into()), natural(number.max(0))]
        };
        let other = |line: Line, variable: usize| side(line.map(|number| -number), variable);
        let sum = |terms: Vec<Term>| Term::Sum(terms);
        let Variables { free, cells, number, .. } = *variables;
        if self.names_j() {
            parts.push(Term::Variable(free).equals(sum(side(self.place, number).into())));
        }
        if cells != free || self.circle != [1, 0] {
            let left =
                [Term::Variable(cells)].into_iter().chain(other(self.circle, number)).collect();
            parts.push(sum(left).equals(sum(side(self.circle, number).into())));
        }
        // A family's steps ascend, and are at least 1.
        if self.grows() {
            let both = |one: [Term; 2], two: [Term; 2]| sum(one.into_iter().chain(two).collect());
            for (a, b) in [[0, 0]].iter().chain(&self.steps).zip(&self.steps) {
                let (left, right) = (side(*a, free), side(*b, free));
                let less = both(left, other(*b, free));
                parts.push(less.compared(Relation::Less, both(right, other(*a, free))));
            }
        }
        parts.push(Term::Variable(cells).compared(Relation::AtLeast, Term::Number(1)));
        parts.extend(self.when.map(|when| builder.embed(when, &variables.parameters)));
        Node::all(parts)
    }

    /// Returns whether anything is claimed of these values at all.
    fn is_meant(&self, bound: ClaimBound<'_>) -> Result<bool, ()> {
        let mut builder = FormulaBuilder::default();
        let variables = self.variables(&mut builder);
        let meant = self.meant(&variables, &mut builder);
        is_true(&builder.build(meant.exists(variables.all())), bound.budget).map_err(|_| ())
    }

    /// Says that the claim says what the theorem says.
    fn sentence(&self, theorem: &CircleTheorem) -> Formula {
        let mut builder = FormulaBuilder::default();
        let variables = self.variables(&mut builder);
        let meant = self.meant(&variables, &mut builder);
        let claimed = builder.embed(self.claim, &variables.parameters);
        let same = claimed.iff(builder.embed(&theorem.p_positions, &[variables.cells]));
        builder.build(meant.implies(same).for_all(variables.all()))
    }

    /// Returns the first circle where the claim says something else than the theorem: the theorem's
    /// cells, and the claim's game.
    fn fails_at(
        &self,
        theorem: &CircleTheorem,
        family: &KotzigFamily,
        bound: ClaimBound<'_>,
    ) -> Option<(u64, NamedCircle)> {
        let mut meter = Meter::new(bound.budget);
        let mut least: Option<(u64, NamedCircle)> = None;
        let at = |[slope, number]: Line, x: i64| slope.checked_mul(x)?.checked_add(number);
        for j in 0..MAX_LARGE_CELLS as i64 {
            meter.spend_one().ok()?;
            let free = at(self.place, j)?;
            let n = at(self.circle, j)?;
            let Some(n) = u64::try_from(n).ok().filter(|n| *n >= 1) else { continue };
            let signed: Vec<i64> = self.values.iter().map(|value| value.unwrap_or(free)).collect();
            if self.grows() && family.steps(&signed).is_none() {
                continue;
            }
            let values: Vec<u64> = signed.iter().map(|value| value.unsigned_abs()).collect();
            let meant = self.when.map_or(Some(true), |when| when.holds(&values).ok())?;
            if meant && self.claim.holds(&values).ok()? != theorem.outcome(n)?.is_p() {
                let steps = self.steps.iter().map(|step| at(*step, free)).collect::<Option<_>>()?;
                let cells = u64::try_from(at(self.cells, free)?).ok()?;
                if least.as_ref().is_none_or(|(least, _)| n < *least) {
                    least = Some((n, NamedCircle { steps, cells }));
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
