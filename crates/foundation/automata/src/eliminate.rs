//! Existential variables taken out of a conjunction by algebra, exactly.
//!
//! Equations with a coefficient ±1 are solved and substituted (digit sums too: x ⊕ y = z is solved
//! for any of the three); a variable left with inequalities only goes by Fourier–Motzkin, which is
//! exact over the integers when all lower or all upper bounds have coefficient 1. Each step is kept
//! as a definition, so that a witness can be computed. What cannot be eliminated stays, to be
//! guessed digit by digit.

use crate::linear_form::{Atom, LinearForm, Test, Variable};
use crate::normal::Conjunction;
use bouton_core::{Arrange, LimitReached, Meter};

/// How an eliminated variable is computed from those that remain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// The variable.
    pub variable: Variable,
    /// Whether it is the greatest or the least of the forms.
    pub extreme: Extreme,
    /// Forms over the variables not eliminated before it; at least one.
    pub forms: Vec<LinearForm>,
}

/// An end of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extreme {
    /// The greatest.
    Greatest,
    /// The least.
    Least,
}

/// With more atoms than this the clock is looked at between them.
const MAX_UNTIMED_ATOMS: usize = 50;
/// Most atoms that elimination may leave; beyond it a variable stays.
const ATOMS: usize = 64;
/// What is guessed in a variable's place has its number and this bit. Other variables are below.
const GUESSED: Variable = 1 << 22;

impl Conjunction {
    /// Takes out as many of the chosen variables as possible. None if the conjunction is false. The
    /// definitions are in the order of elimination: each is over variables eliminated later, or
    /// left.
    pub fn eliminate(
        mut self,
        meter: &mut Meter,
    ) -> Result<Option<(Conjunction, Vec<Definition>)>, LimitReached> {
        let mut definitions = Vec::new();
        self.chosen.arrange();
        self.chosen.dedup();
        loop {
            meter.poll(0)?;
            let mut step = self.solve().or_else(|| self.project());
            if step.is_none() && !self.chosen.is_empty() {
                // A bound that follows from others may be what is in the way.
                if !self.tidy(meter)? {
                    return Ok(None);
                }
                step = self.project();
            }
            let Some((next, definition)) = step else { break };
            definitions.push(definition);
            let Some(next) = next else { return Ok(None) };
            self = next;
        }
        Ok(self.tidy(meter)?.then_some((self, definitions)))
    }

    /// Solves an equation for a chosen variable.
    fn solve(&self) -> Option<(Option<Conjunction>, Definition)> {
        // Equations that leave the others simple come first.
        let mut best: Option<(usize, Variable, LinearForm)> = None;
        for atom in self.atoms.iter().filter(|atom| atom.test == Test::Zero) {
            let weigh =
                |form: &LinearForm| form.terms.iter().map(|(base, _)| base.variables().len()).sum();
            let whole: usize = weigh(&atom.form);
            let beats = |weight: usize, best: &Option<(usize, Variable, LinearForm)>| {
                best.as_ref().is_none_or(|(least, ..)| weight < *least)
            };
            for &x in &self.chosen {
                // Where x stands alone the value's weight is known before the value is.
                let (c, elsewhere) = atom.form.coefficient(x);
                if c.abs() == 1 && !elsewhere && !beats(whole - 1, &best) {
                    continue;
                }
                let Some(value) = atom.form.solved(x) else { continue };
                let weight = weigh(&value);
                if !beats(weight, &best) {
                    continue;
                }
                // Where it stands alone, and numbers are small, anything may take its place.
                let plain = |form: &LinearForm| {
                    !form.contains(x)
                        || !form.coefficient(x).1 && form.is_small() && value.is_small()
                };
                let fits =
                    |other: &Atom| plain(&other.form) || other.form.substitute(x, &value).is_some();
                if !self.atoms.iter().all(|other| other == atom || fits(other)) {
                    continue;
                }
                best = Some((weight, x, value));
            }
        }
        let (_, x, value) = best?;
        let next = self.replaced(x, &value);
        Some((next, Definition { variable: x, extreme: Extreme::Greatest, forms: vec![value] }))
    }

    fn without(&self, x: Variable) -> Conjunction {
        Conjunction {
            atoms: Vec::new(),
            chosen: self.chosen.iter().copied().filter(|&y| y != x).collect(),
        }
    }

    fn replaced(&self, x: Variable, value: &LinearForm) -> Option<Conjunction> {
        let mut next = self.without(x);
        for atom in &self.atoms {
            if !next.add(Atom { form: atom.form.substitute(x, value)?, test: atom.test }) {
                return None;
            }
        }
        let natural = Atom { form: value.times(-1)?, test: Test::AtMostZero };
        next.add(natural).then_some(next)
    }

    /// Eliminates a variable that has inequalities only, where all its lower or all its upper
    /// bounds are bounds on the variable itself, not on a multiple: then the greatest lower, or the
    /// least upper one is a value if there is any.
    fn project(&self) -> Option<(Option<Conjunction>, Definition)> {
        let mut best: Option<(usize, Variable, Extreme)> = None;
        for &x in &self.chosen {
            let (mut low, mut high) = (1usize, 0usize);
            let (mut unit_low, mut unit_high) = (true, true);
            let mut fits = true;
            for atom in self.atoms.iter().filter(|atom| atom.form.contains(x)) {
                let (c, elsewhere) = atom.form.coefficient(x);
                fits &= atom.test == Test::AtMostZero && !elsewhere;
                if c < 0 {
                    low += 1;
                    unit_low &= c == -1;
                } else {
                    high += 1;
                    unit_high &= c == 1;
                }
            }
            let extreme = if unit_low { Extreme::Greatest } else { Extreme::Least };
            let pairs = low * high;
            let fits = fits && (unit_low || unit_high && high > 0) && pairs <= ATOMS;
            if fits && best.is_none_or(|(least, ..)| pairs < least) {
                best = Some((pairs, x, extreme));
            }
        }
        let (_, x, extreme) = best?;
        // low ≤ x ≤ high; x ≥ 0 is one of the lower bounds. A bound is the atom's form, x among its
        // terms.
        let (mut lows, mut highs) = (vec![LinearForm::variable(x).times(-1)?], Vec::new());
        let mut next = self.without(x);
        let mut fine = true;
        for atom in &self.atoms {
            match atom.form.coefficient(x).0 {
                0 => fine &= next.add(atom.clone()),
                ..0 => lows.push(atom.form.clone()),
                _ => highs.push(atom.form.clone()),
            }
        }
        for low in &lows {
            for high in &highs {
                // One of the two coefficients is ±1.
                let (down, up) = (-low.coefficient(x).0, high.coefficient(x).0);
                let form = low.times(up)?.plus(high, down)?;
                fine &= next.add(Atom { form, test: Test::AtMostZero });
            }
        }
        let bound = |form: &LinearForm, c: i64| form.plus(&LinearForm::variable(x), -c)?.times(-c);
        let forms: Vec<LinearForm> = match extreme {
            Extreme::Greatest => lows.iter().map(|low| bound(low, -1)).collect::<Option<_>>()?,
            Extreme::Least => highs.iter().map(|high| bound(high, 1)).collect::<Option<_>>()?,
        };
        Some((fine.then_some(next), Definition { variable: x, extreme, forms }))
    }

    /// Returns the same of the variables that are not chosen, with less to be guessed. None if it
    /// is false.
    pub fn with_less_guessed(
        mut self,
        meter: &mut Meter,
    ) -> Result<Option<Conjunction>, LimitReached> {
        let mut some = false;
        while let Some(next) = self.split() {
            let Some(next) = next else { return Ok(None) };
            (self, some) = (next, true);
        }
        Ok((!some || self.tidy(meter)?).then_some(self))
    }

    /// Leaves of a variable that has inequalities only those to be guessed that bound a multiple of
    /// it. Bounds are an interval, which has a number if no two of them exclude it (Helly in one
    /// dimension): with a bound on the variable itself that is their sum, exactly; and if a guess y
    /// satisfies the others, min(max(y, lower bounds), upper bounds) satisfies all. None if there
    /// is no such variable, or too many bounds.
    fn split(&self) -> Option<Option<Conjunction>> {
        let mut best: Option<(usize, Variable)> = None;
        for &x in self.chosen.iter().filter(|x| **x < GUESSED) {
            let own = || self.atoms.iter().filter(|atom| atom.form.contains(x));
            let fits = |atom: &Atom| atom.test == Test::AtMostZero && !atom.form.coefficient(x).1;
            let low = 1 + own().filter(|atom| atom.form.coefficient(x).0 < 0).count();
            let pairs = low * (own().count() + 1 - low);
            let some = own().any(|atom| atom.form.coefficient(x).0.abs() == 1);
            if some
                && own().all(fits)
                && pairs <= ATOMS
                && best.is_none_or(|(least, _)| pairs < least)
            {
                best = Some((pairs, x));
            }
        }
        let (_, x) = best?;
        let guess = x | GUESSED;
        let by = LinearForm::variable(guess);
        let mut next = self.without(x);
        next.chosen.push(guess);
        let mut fine = true;
        let (mut lows, mut highs) = (vec![LinearForm::variable(x).times(-1)?], Vec::new());
        for atom in &self.atoms {
            match atom.form.coefficient(x).0 {
                0 => fine &= next.add(atom.clone()),
                c => {
                    if c.abs() > 1 {
                        let form = atom.form.substitute(x, &by)?;
                        fine &= next.add(Atom { form, test: Test::AtMostZero });
                    }
                    if c < 0 { &mut lows } else { &mut highs }.push(atom.form.clone());
                }
            }
        }
        for low in &lows {
            for high in &highs {
                let (down, up) = (-low.coefficient(x).0, high.coefficient(x).0);
                if down == 1 || up == 1 {
                    let form = low.times(up)?.plus(high, down)?;
                    fine &= next.add(Atom { form, test: Test::AtMostZero });
                }
            }
        }
        Some(fine.then_some(next))
    }

    /// Drops inequalities that follow from one or two others; false if two contradict.
    fn tidy(&mut self, meter: &mut Meter) -> Result<bool, LimitReached> {
        for atom in &self.atoms {
            let contradicts = self.atoms.iter().any(|other| match (other.test, atom.test) {
                (Test::Zero | Test::AtMostZero, Test::AtMostZero)
                | (Test::AtMostZero, Test::Zero) => {
                    [1, -1]
                        .iter()
                        .filter(|&&sign| {
                            sign == 1 || other.test == Test::Zero || atom.test == Test::Zero
                        })
                        .any(|&sign| {
                            // f ≤ 0 and ±f + k ≤ 0 cannot both hold if they add up to more than 0.
                            let (equal, less) = if other.test == Test::Zero {
                                (other, atom)
                            } else {
                                (atom, other)
                            };
                            less.form.contradicts(&equal.form, sign)
                        })
                }
                (Test::Zero, Test::Zero) => {
                    other.form.terms == atom.form.terms && other.form.constant != atom.form.constant
                }
                (Test::Divisible(m), Test::Divisible(n)) => {
                    // What divides both divides their difference.
                    let common = i64::from(num_integer::gcd(m, n));
                    other.form.plus(&atom.form, -1).is_some_and(|rest| {
                        rest.terms.iter().all(|(_, c)| c % common == 0)
                            && rest.constant % common != 0
                    })
                }
                _ => false,
            });
            if contradicts {
                return Ok(false);
            }
        }
        // Longest first: what follows from others is mostly a sum of them.
        let mut order: Vec<usize> =
            (0..self.atoms.len()).filter(|&i| self.atoms[i].test == Test::AtMostZero).collect();
        order.arrange_by_key(|&i| std::cmp::Reverse(self.atoms[i].form.terms.len()));
        let mut dropped = vec![false; self.atoms.len()];
        for i in order {
            if self.atoms.len() > MAX_UNTIMED_ATOMS {
                meter.poll(0)?;
            }
            let others: Vec<&LinearForm> = (0..self.atoms.len())
                .filter(|&j| j != i && !dropped[j] && self.atoms[j].test == Test::AtMostZero)
                .map(|j| &self.atoms[j].form)
                .collect();
            dropped[i] = follows(&self.atoms[i].form, &others);
        }
        let mut at = 0;
        self.atoms.retain(|_| {
            at += 1;
            !dropped[at - 1]
        });
        Ok(true)
    }
}

/// Returns whether form ≤ 0 follows from one or two others being ≤ 0: it is their sum less
/// something natural.
fn follows(form: &LinearForm, others: &[&LinearForm]) -> bool {
    others.iter().enumerate().any(|(i, first)| {
        form.is_below([first, &LinearForm::default()])
            || others[i..].iter().any(|second| form.is_below([first, second]))
    })
}
