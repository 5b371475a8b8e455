//! Deciding any formula: an automaton for each subformula, from the atoms up.
//!
//! Büchi's theorem (1960): what is definable from + and ⊕ (or, in Zeckendorf numeration, from + and
//! the shift) is regular, and the automaton can be built. A closed formula is true or false; of one
//! that begins with a quantifier the shortest witness or counterexample is given. The cost is a
//! tower of exponentials in the alternation of quantifiers at worst; budgets end it with "unknown".

use crate::dfa::{Dfa, Join};
use crate::digits::Unreadable;
use crate::effort::Undecided;
use crate::linear_form::Variable;
use crate::numeration::Numeration;
use crate::reduced::{Quantifier, Reduced};
use bouton_core::{Arrange, LimitReached, Meter};
use bouton_formula::Formula;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

/// An automatic relation: the tuples of which a formula holds, as an automaton.
#[derive(Debug, Clone)]
pub struct AutomaticRelation {
    /// The free variables, in the order in which they are written.
    pub names: Vec<String>,
    /// Over the tracks 0, 1, … for the names.
    pub dfa: Dfa,
    /// How the tracks are read.
    pub numeration: Numeration,
}

impl AutomaticRelation {
    /// Returns whether it holds of these values.
    ///
    /// # Panics
    /// Unless there is one value for each name.
    pub fn holds(&self, values: &[u64]) -> bool {
        assert_eq!(values.len(), self.names.len(), "one value for each variable");
        let digits: Vec<Vec<bool>> =
            values.iter().map(|value| self.numeration.digits(*value)).collect();
        let columns = digits.iter().map(Vec::len).max().unwrap_or(0);
        let digit = |track: Variable, column: usize| {
            let own = &digits[track as usize];
            (column + own.len()).checked_sub(columns).is_some_and(|place| own[place])
        };
        self.dfa.holds(digit, columns)
    }

    /// Returns the tracks of the names.
    pub fn tracks(&self) -> Vec<Variable> {
        (0..self.names.len() as Variable).collect()
    }

    /// Returns the number of tuples of which it holds, with no value above `most`; `None` in digits
    /// in which numbers are not counted (others than binary and Zeckendorf digits).
    ///
    /// The digits of all values are read at once, most significant first; a value is known to be
    /// below the bound, or has the bound's digits so far. Costs the automaton's states times 6 to
    /// the number of values for each digit.
    ///
    /// # Errors
    ///
    /// If the budget ends.
    pub fn count(
        &self,
        most: &BigUint,
        meter: &mut Meter,
    ) -> Result<Option<BigUint>, LimitReached> {
        let neighbours = match self.numeration {
            Numeration::Binary => false,
            Numeration::ZECKENDORF => true,
            Numeration::Ostrowski(_) => return Ok(None),
        };
        let tracks = self.names.len();
        if tracks > MAX_COUNTED {
            return Ok(None);
        }
        // The automaton's state, the values that have the bound's digits so far, and those whose
        // last digit is 1.
        let mut reached: FxHashMap<(usize, u32, u32), BigUint> = FxHashMap::default();
        reached.insert((self.dfa.start(), (1 << tracks) - 1, 0), BigUint::from(1u8));
        for digit in self.numeration.digits_of(most) {
            let mut next: FxHashMap<(usize, u32, u32), BigUint> = FxHashMap::default();
            for ((state, equal, last), number) in reached {
                for ones in 0..1u32 << tracks {
                    meter.spend_one()?;
                    let beyond = if digit { 0 } else { ones & equal };
                    if beyond != 0 || (neighbours && ones & last != 0) {
                        continue;
                    }
                    let equal = if digit { equal & ones } else { equal };
                    let state = self.dfa.step(state, |track| ones >> track & 1 == 1);
                    let last = if neighbours { ones } else { 0 };
                    *next.entry((state, equal, last)).or_default() += &number;
                }
            }
            reached = next;
        }
        let accepted = reached.into_iter().filter(|((state, ..), _)| self.dfa.accepts(*state));
        Ok(Some(accepted.map(|(_, number)| number).sum()))
    }

    /// Returns whether it holds of this many tuples altogether. False also where that is not found
    /// out: of many states or variables, and in other than binary digits.
    ///
    /// Where an automaton of N states accepts a word of N digits or more, it accepts one of N to
    /// 2N − 1 digits that begins with the same one, and infinitely many (pumping lemma, loops among
    /// the last N digits). So if it holds of as many tuples below 2^(2N) as below 2^(N − 1), it
    /// holds of no others.
    ///
    /// # Errors
    ///
    /// If the budget ends.
    pub fn holds_only_of(&self, tuples: usize, meter: &mut Meter) -> Result<bool, LimitReached> {
        /// The most states, and the most variables.
        const MOST: (usize, usize) = (64, 3);
        let states = self.dfa.states();
        if states > MOST.0 || self.names.len() > MOST.1 || self.numeration != Numeration::Binary {
            return Ok(false);
        }
        let few = (BigUint::from(1u8) << (states - 1)) - 1u8;
        let many = BigUint::from(1u8) << (2 * states);
        let all = Some(BigUint::from(tuples));
        Ok(self.count(&few, meter)? == all && self.count(&many, meter)? == all)
    }
}

/// The most variables of tuples that are counted.
pub const MAX_COUNTED: usize = 8;

/// Values of variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Values {
    /// Names and digits, most significant first.
    pub digits: Vec<(String, Vec<bool>)>,
    numeration: Numeration,
}

impl Values {
    /// Returns the names with their values, `None` for a value beyond 64 bits.
    pub fn numbers(&self) -> impl Iterator<Item = (&str, Option<u64>)> {
        let value = |digits: &Vec<bool>| self.numeration.value(digits.iter().copied());
        self.digits.iter().map(move |(name, digits)| (name.as_str(), value(digits)))
    }
}

/// What is known of a formula.
#[derive(Debug, Clone)]
pub enum Decision {
    /// It is true; with values for the variables of its outermost `E`, if it begins with one.
    True(Option<Values>),
    /// It is false; with values for the variables of its outermost `A`, if it begins with one.
    False(Option<Values>),
    /// It has free variables: the tuples of which it holds.
    Open(AutomaticRelation),
}

/// Decides a formula, or finds the automaton of one with free variables.
pub fn decide(
    formula: &Formula,
    numeration: Numeration,
    meter: &mut Meter,
) -> Result<Decision, Undecided> {
    meter.spend_and_poll(0)?;
    if numeration.bits() > 1 {
        // A column has one bit of each track, and a round more than one column.
        return Err(Unreadable::Bits.into());
    }
    let reduced = Reduced::new(formula, meter)?;
    let mut compiler = Compiler { numeration, meter };
    if !formula.is_closed() {
        let free: Vec<Variable> = (0..formula.free as Variable).collect();
        let dfa = compiler.node(&reduced)?;
        let dfa = compiler.numerals(dfa, &free)?;
        let names = formula.names[..formula.free].to_vec();
        return Ok(Decision::Open(AutomaticRelation { names, dfa, numeration }));
    }
    let (kind, bound, body) = reduced.split_outer_quantifiers();
    let dfa = compiler.node(&body)?;
    let sought = if kind == Quantifier::Forall { dfa.complement() } else { dfa };
    let sought = compiler.numerals(sought, &bound)?;
    // What the reduction binds besides, as quotients, has no name.
    let name = |v: Variable| formula.names.get(v as usize).cloned();
    let found = sought.shortest(&bound).map(|digits| Values {
        digits: bound
            .iter()
            .zip(digits)
            .filter_map(|(&v, digits)| Some((name(v)?, digits)))
            .collect(),
        numeration,
    });
    Ok(match (kind, found) {
        (Quantifier::None, found) if found.is_some() => Decision::True(None),
        (Quantifier::None, _) => Decision::False(None),
        (Quantifier::Exists, Some(found)) => Decision::True(Some(found)),
        (Quantifier::Exists, None) => Decision::False(None),
        (Quantifier::Forall, Some(found)) => Decision::False(Some(found)),
        (Quantifier::Forall, None) => Decision::True(None),
    })
}

struct Compiler<'m> {
    numeration: Numeration,
    meter: &'m mut Meter,
}

impl Compiler<'_> {
    /// Accepts only where these tracks are numerals.
    fn numerals(&mut self, mut dfa: Dfa, tracks: &[Variable]) -> Result<Dfa, LimitReached> {
        if self.numeration != Numeration::Binary {
            for &track in tracks {
                let numeral = Dfa::numeral(track, self.numeration, self.meter)?;
                dfa = dfa.join(&numeral, Join::And, self.meter)?;
            }
        }
        Ok(dfa)
    }

    fn exists(&mut self, tracks: &[Variable], body: Dfa) -> Result<Dfa, LimitReached> {
        let mut dfa = self.numerals(body, tracks)?;
        for &track in tracks.iter().rev() {
            dfa = dfa.project(track, self.meter)?;
        }
        Ok(dfa)
    }

    /// Joins the automata, small ones first.
    fn joined(&mut self, parts: &[Reduced], join: Join) -> Result<Dfa, Undecided> {
        let mut all = parts.iter().map(|part| self.node(part)).collect::<Result<Vec<Dfa>, _>>()?;
        all.arrange_by_key(Dfa::states);
        let mut whole = Dfa::constant(join == Join::And);
        for part in &all {
            whole = whole.join(part, join, self.meter)?;
        }
        Ok(whole)
    }

    fn node(&mut self, node: &Reduced) -> Result<Dfa, Undecided> {
        match node {
            Reduced::Constant(truth) => Ok(Dfa::constant(*truth)),
            Reduced::Atom(atom) => Dfa::atom(atom, self.numeration, self.meter),
            Reduced::Not(inner) => Ok(self.node(inner)?.complement()),
            Reduced::And(parts) => self.joined(parts, Join::And),
            Reduced::Or(parts) => self.joined(parts, Join::Or),
            Reduced::Iff(left, right) => {
                let left = self.node(left)?;
                Ok(left.join(&self.node(right)?, Join::Iff, self.meter)?)
            }
            Reduced::Exists(variables, body) => {
                let body = self.node(body)?;
                Ok(self.exists(variables, body)?)
            }
            Reduced::Forall(variables, body) => {
                let body = self.node(body)?.complement();
                Ok(self.exists(variables, body)?.complement())
            }
        }
    }
}
