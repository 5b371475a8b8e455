//! Formulas and automata in other programs' words.
//!
//! [`mona`], [`smt`] and [`walnut`] write a formula for MONA, an SMT solver and Walnut;
//! [`automaton`] writes an automaton for Walnut and for Graphviz. What a language cannot say is an
//! error that names it.

pub mod automaton;
pub mod mona;
pub mod smt;
pub mod walnut;

use bouton_automata::effort::{Undecided, default_budget};
use bouton_automata::linear_form::{Base, LinearForm, Test, Variable};
use bouton_automata::reduced::Reduced;
use bouton_core::{Formula, Meter};

/// Why a formula cannot be written down for another program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unwritable {
    /// It cannot be reduced to atoms.
    #[error(transparent)]
    Undecided(#[from] Undecided),
    /// The other program has no words for this.
    #[error("{0} has no {1}")]
    NoWords(&'static str, &'static str),
}

/// Returns the formula over atoms, within the default budget.
fn reduced(formula: &Formula) -> Result<Reduced, Unwritable> {
    Ok(Reduced::new(formula, &mut Meter::new(&default_budget()))?)
}

/// How a language writes formulas over atoms.
trait Language {
    /// Returns the name of a variable.
    fn variable(&self, v: Variable) -> String;
    /// Writes one atom.
    fn atom(&self, form: &LinearForm, test: Test) -> Result<String, Unwritable>;
    /// Writes `true` or `false`.
    fn constant(&self, truth: bool) -> String;
    /// Writes a negation.
    fn not(&self, inner: String) -> String;
    /// Writes that all hold, or at least one; there is at least one.
    fn join(&self, parts: Vec<String>, all: bool) -> String {
        format!("({})", parts.join(if all { " & " } else { " | " }))
    }
    /// Writes that both hold or neither.
    fn iff(&self, left: String, right: String) -> String {
        format!("({left} <=> {right})")
    }
    /// Writes a quantifier over natural numbers.
    fn quantify(&self, universal: bool, variables: &[Variable], body: String) -> String;

    /// Writes a whole formula.
    fn formula(&self, node: &Reduced) -> Result<String, Unwritable> {
        Ok(match node {
            Reduced::Constant(truth) => self.constant(*truth),
            Reduced::Atom(atom) => self.atom(&atom.form, atom.test)?,
            Reduced::Not(inner) => self.not(self.formula(inner)?),
            Reduced::And(parts) | Reduced::Or(parts) => {
                let all = matches!(node, Reduced::And(_));
                let mut parts =
                    parts.iter().map(|part| self.formula(part)).collect::<Result<Vec<_>, _>>()?;
                match parts.len() {
                    0 => self.constant(all),
                    1 => parts.remove(0),
                    _ => self.join(parts, all),
                }
            }
            Reduced::Iff(left, right) => self.iff(self.formula(left)?, self.formula(right)?),
            Reduced::Exists(variables, body) => {
                self.quantify(false, variables, self.formula(body)?)
            }
            Reduced::Forall(variables, body) => self.quantify(true, variables, self.formula(body)?),
        })
    }
}

/// Returns a name that no language takes for a keyword: the prefix, the variable's own name where
/// that is a plain word, and its number.
fn name(names: &[String], v: Variable, prefix: &str) -> String {
    match names.get(v as usize) {
        Some(name) if name.bytes().all(|b| b.is_ascii_alphanumeric()) => {
            format!("{prefix}{name}_{v}")
        }
        _ => format!("{prefix}{v}"),
    }
}

/// Returns what `write` makes of each (coefficient, term); the constant is the caller's to write.
fn terms<T>(
    form: &LinearForm,
    mut write: impl FnMut(i64, &Base) -> Result<T, Unwritable>,
) -> Result<Vec<T>, Unwritable> {
    form.terms.iter().map(|(base, c)| write(*c, base)).collect()
}
