//! Sums c·t + k over variables, digit sums of variables and Zeckendorf shifts, and what is said of them.

use crate::work::{Reason, Work};

/// A variable's number.
pub type Variable = u16;
/// The position's heap h is variable h, the option's heap i is OPTION + i.
pub const OPTION: Variable = 32;
/// A claim's bound variables, and new ones.
pub const PARAMETER: Variable = 1 << 12;
pub const FRESH: Variable = 1 << 13;
/// The same for what a move's condition binds, so that a claim's variables are not among them.
pub const MOVE_PARAMETER: Variable = PARAMETER + (1 << 10);
pub const MOVE_FRESH: Variable = FRESH + (1 << 12);
/// Added to the claim's own variables where it is about the position and another claim is about the option.
pub const OTHER: Variable = 1 << 15;

/// What a form is linear in.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Base {
    Plain(Variable),
    Shift(Variable),
    /// At least two variables, sorted; repeated only if the modulus is above 2.
    Xor(u8, Vec<Variable>),
}

/// Σ c·t + k; sorted, no coefficient 0.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Linear {
    pub terms: Vec<(Base, i64)>,
    pub constant: i64,
}

/// What is said of a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Test {
    Zero,
    NonZero,
    AtMostZero,
    Divisible(i64),
    Indivisible(i64),
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Atom {
    pub form: Linear,
    pub test: Test,
}

/// Largest coefficient or constant.
const MOST: i64 = 1 << 40;

impl Base {
    pub fn variables(&self) -> &[Variable] {
        match self {
            Base::Plain(v) | Base::Shift(v) => std::slice::from_ref(v),
            Base::Xor(_, all) => all,
        }
    }
}

/// A digit sum, simplified.
pub fn xor(modulus: u8, mut variables: Vec<Variable>) -> Linear {
    variables.sort_unstable();
    let mut kept = Vec::new();
    for same in variables.chunk_by(|a, b| a == b) {
        kept.extend_from_slice(&same[..same.len() % usize::from(modulus)]);
    }
    match kept[..] {
        [] => Linear::default(),
        [v] => Linear::variable(v),
        _ => Linear { terms: vec![(Base::Xor(modulus, kept), 1)], constant: 0 },
    }
}

impl Linear {
    pub fn constant(constant: i64) -> Linear {
        Linear { terms: Vec::new(), constant }
    }

    pub fn variable(v: Variable) -> Linear {
        Linear { terms: vec![(Base::Plain(v), 1)], constant: 0 }
    }

    /// self + k·other; None if a number grows too big.
    pub fn plus(&self, k: i64, other: &Linear) -> Option<Linear> {
        let fit = |x: i64| (-MOST..=MOST).contains(&x).then_some(x);
        let sum = |a: i64, b: i64| fit(a.checked_add(b.checked_mul(k)?)?);
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut i, mut j) = (0, 0);
        while i < self.terms.len() || j < other.terms.len() {
            let order = match (self.terms.get(i), other.terms.get(j)) {
                (Some(a), Some(b)) => a.0.cmp(&b.0),
                (Some(_), None) => std::cmp::Ordering::Less,
                _ => std::cmp::Ordering::Greater,
            };
            let (mut a, mut b) = (0, 0);
            let base = if order.is_le() { &self.terms[i].0 } else { &other.terms[j].0 };
            if order.is_le() {
                a = self.terms[i].1;
                i += 1;
            }
            if order.is_ge() {
                b = other.terms[j].1;
                j += 1;
            }
            let c = sum(a, b)?;
            if c != 0 {
                terms.push((base.clone(), c));
            }
        }
        Some(Linear { terms, constant: sum(self.constant, other.constant)? })
    }

    pub fn times(&self, k: i64) -> Option<Linear> {
        Linear::default().plus(k, self)
    }

    pub fn mentions(&self, v: Variable) -> bool {
        self.terms.iter().any(|(base, _)| base.variables().contains(&v))
    }

    /// The coefficient of a variable that occurs alone only; 0 if it does not occur, None if it occurs in digit sums.
    pub fn coefficient(&self, v: Variable) -> Option<i64> {
        let mut found = 0;
        for (base, c) in &self.terms {
            match base {
                Base::Plain(w) if *w == v => found = *c,
                other if other.variables().contains(&v) => return None,
                _ => {}
            }
        }
        Some(found)
    }

    /// The form with another in a variable's place; None if that is no form.
    pub fn replace(&self, v: Variable, by: &Linear) -> Option<Linear> {
        if let Some(c) = self.coefficient(v) {
            let mut rest = self.clone();
            rest.terms.retain(|(base, _)| *base != Base::Plain(v));
            return if c == 0 { Some(rest) } else { rest.plus(c, by) };
        }
        let mut result = Linear::constant(self.constant);
        for (base, c) in &self.terms {
            let term = match base {
                base if !base.variables().contains(&v) => {
                    Linear { terms: vec![(base.clone(), 1)], constant: 0 }
                }
                Base::Plain(_) => by.clone(),
                Base::Shift(_) => match (&by.terms[..], by.constant) {
                    ([], 0) => Linear::default(),
                    ([(Base::Plain(w), 1)], 0) => Linear { terms: vec![(Base::Shift(*w), 1)], constant: 0 },
                    _ => return None,
                },
                Base::Xor(modulus, all) => {
                    let inside: &[Variable] = match (&by.terms[..], by.constant) {
                        ([], 0) => &[],
                        ([(Base::Plain(w), 1)], 0) => std::slice::from_ref(w),
                        ([(Base::Xor(2, inside), 1)], 0) if *modulus == 2 => inside,
                        _ => return None,
                    };
                    xor(
                        *modulus,
                        all.iter()
                            .flat_map(|w| if *w == v { inside } else { std::slice::from_ref(w) })
                            .copied()
                            .collect(),
                    )
                }
            };
            result = result.plus(*c, &term)?;
        }
        Some(result)
    }

    /// The variables, each once.
    pub fn variables(&self) -> Vec<Variable> {
        let mut all: Vec<Variable> =
            self.terms.iter().flat_map(|(base, _)| base.variables().to_vec()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

impl Atom {
    pub fn new(form: Linear, test: Test) -> Atom {
        Atom { form, test }
    }

    /// What holds where the atom does not.
    pub fn contrary(&self) -> Option<Atom> {
        let (form, test) = match self.test {
            Test::Zero => (self.form.clone(), Test::NonZero),
            Test::NonZero => (self.form.clone(), Test::Zero),
            // The form is at least 1.
            Test::AtMostZero => (Linear::constant(1).plus(-1, &self.form)?, Test::AtMostZero),
            Test::Divisible(m) => (self.form.clone(), Test::Indivisible(m)),
            Test::Indivisible(m) => (self.form.clone(), Test::Divisible(m)),
        };
        Some(Atom { form, test })
    }

    /// The atom in its normal form, or its truth if that is plain; variables are natural numbers.
    pub fn normal(mut self) -> Result<Atom, bool> {
        let form = &mut self.form;
        if let Test::Divisible(m) | Test::Indivisible(m) = self.test {
            form.terms.iter_mut().for_each(|(_, c)| *c = c.rem_euclid(m));
            form.terms.retain(|(_, c)| *c != 0);
            form.constant = form.constant.rem_euclid(m);
            let truth = (form.constant == 0) == matches!(self.test, Test::Divisible(_));
            return if form.terms.is_empty() { Err(truth) } else { Ok(self) };
        }
        let factor = form.terms.iter().fold(0, |g, (_, c)| gcd(g, c.abs()));
        if factor == 0 {
            let k = form.constant;
            return Err(match self.test {
                Test::Zero => k == 0,
                Test::NonZero => k != 0,
                _ => k <= 0,
            });
        }
        let equality = self.test != Test::AtMostZero;
        if equality && form.constant % factor != 0 {
            return Err(self.test == Test::NonZero);
        }
        form.terms.iter_mut().for_each(|(_, c)| *c /= factor);
        // For ≤ 0 rounding up is exact, the rest being an integer.
        form.constant = -(-form.constant).div_euclid(factor);
        let (up, down) = (form.terms.iter().any(|t| t.1 > 0), form.terms.iter().any(|t| t.1 < 0));
        if (!down && form.constant > 0) || (equality && !up && form.constant < 0) {
            return Err(self.test == Test::NonZero);
        }
        if !equality && !up && form.constant <= 0 {
            return Err(true);
        }
        if equality {
            if let Some(all) = one_digit_sum(form) {
                *form = xor(2, all);
                if form.terms.is_empty() {
                    return Err(self.test == Test::Zero);
                }
            }
            if form.terms[0].1 < 0 {
                form.terms.iter_mut().for_each(|(_, c)| *c = -*c);
                form.constant = -form.constant;
            }
        }
        Ok(self)
    }
}

/// If "form = 0" says that two nim-sums are equal: all their variables. x ⊕ y − z = 0 is x ⊕ y ⊕ z = 0.
fn one_digit_sum(form: &Linear) -> Option<Vec<Variable>> {
    if form.constant != 0 || !form.terms.iter().any(|(base, _)| matches!(base, Base::Xor(..))) {
        return None;
    }
    match form.terms[..] {
        [(_, _)] => {}
        [(_, c), (_, d)] if c == -d && c.abs() == 1 => {}
        _ => return None,
    }
    let mut all = Vec::new();
    for (base, _) in &form.terms {
        match base {
            Base::Plain(v) => all.push(*v),
            Base::Xor(2, inside) => all.extend(inside),
            _ => return None,
        }
    }
    Some(all)
}

/// Steps that copying atoms takes.
pub fn sizes(atoms: &[Atom]) -> usize {
    let inside = |base: &Base| base.variables().len();
    atoms.iter().map(|atom| 4 + atom.form.terms.iter().map(|(base, _)| 1 + inside(base)).sum::<usize>()).sum()
}

/// Adds an atom to a list of them that all hold; false if then nothing satisfies it.
pub fn add(atoms: &mut Vec<Atom>, atom: Atom) -> bool {
    match atom.normal() {
        Ok(atom) => {
            if atoms.contains(&atom) {
                return true;
            }
            // The same sum cannot leave two remainders.
            let remainder = matches!(atom.test, Test::Divisible(_));
            let differs = |other: &Atom| other.test == atom.test && other.form.terms == atom.form.terms;
            if remainder && atoms.iter().any(differs) {
                return false;
            }
            atoms.push(atom);
            true
        }
        Err(truth) => truth,
    }
}

/// Whether form ≤ 0 follows from one or two of the others being ≤ 0, each taken once or twice, variables being natural.
pub fn follows(form: &Linear, others: &[&Linear]) -> bool {
    let below = |rest: &Linear| rest.constant <= 0 && rest.terms.iter().all(|(_, c)| *c < 0);
    others.iter().any(|first| {
        let Some(rest) = form.plus(-1, first) else { return false };
        let less = |times: i64, second: &Linear| rest.plus(-times, second).is_some_and(|rest| below(&rest));
        below(&rest) || others.iter().any(|second| less(1, second) || less(2, second))
    })
}

/// Leaves out inequalities that follow from one or two of what is left; equations are two inequalities each.
pub fn thin(atoms: &mut Vec<Atom>, work: &mut Work<'_>) -> Result<(), Reason> {
    atoms.sort_by_key(|atom| atom.form.terms.len());
    let equations = atoms.iter().filter(|atom| atom.test == Test::Zero);
    let equations: Vec<Linear> =
        equations.flat_map(|atom| [Some(atom.form.clone()), atom.form.times(-1)]).flatten().collect();
    let mut i = atoms.len();
    while i > 0 {
        i -= 1;
        if atoms[i].test == Test::AtMostZero {
            let terms = 4 + atoms[i].form.terms.len();
            let atom = atoms.remove(i);
            let bounds = atoms.iter().filter(|atom| atom.test == Test::AtMostZero).map(|atom| &atom.form);
            let others: Vec<&Linear> = bounds.chain(&equations).collect();
            work.spend(2 * terms * others.len() * others.len())?;
            if !follows(&atom.form, &others) {
                atoms.insert(i, atom);
            }
        }
    }
    Ok(())
}

/// The greatest common divisor of natural numbers.
pub fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
