//! Walnut's formulas (Shallit, *The Logical Approach to Automatic Sequences*, 2022): linear ones,
//! in base 2 or in Zeckendorf numeration.

use super::{Language, UnsupportedExport, name, reduced, terms};
use bouton_automata::linear_form::{Base, LinearForm, Test, Variable};
use bouton_automata::numeration::Numeration;
use bouton_core::Formula;

/// Returns a command for Walnut's prompt. Free variables keep the order of their names in Walnut,
/// the alphabetical one.
pub fn command(formula: &Formula, numeration: Numeration) -> Result<String, UnsupportedExport> {
    let language = Walnut { names: &formula.names };
    let body = language.formula(&reduced(formula)?)?;
    let system = match numeration {
        Numeration::Binary => "msd_2",
        Numeration::ZECKENDORF => "msd_fib",
        Numeration::Ostrowski(_) => {
            return Err(UnsupportedExport::NoWords("Walnut", "such digits here"));
        }
    };
    Ok(format!("eval bouton \"?{system} {body}\":\n"))
}

struct Walnut<'n> {
    names: &'n [String],
}

impl Language for Walnut<'_> {
    fn variable(&self, v: Variable) -> String {
        name(self.names, v, "v")
    }

    /// Writes an atom: Walnut counts with natural numbers, so what is subtracted goes to the other
    /// side.
    fn atom(&self, form: &LinearForm, test: Test) -> Result<String, UnsupportedExport> {
        let side = |sign: i64| -> Result<String, UnsupportedExport> {
            let mut parts: Vec<String> = terms(form, |c, base| match base {
                _ if c * sign <= 0 => Ok(None),
                Base::Plain(v) if c * sign == 1 => Ok(Some(self.variable(*v))),
                Base::Plain(v) => Ok(Some(format!("{}*{}", c * sign, self.variable(*v)))),
                Base::Sum(..) => Err(UnsupportedExport::NoWords("Walnut", "nim-sum of terms")),
                Base::Shift(..) => Err(UnsupportedExport::NoWords("Walnut", "shift of terms")),
            })?
            .into_iter()
            .flatten()
            .collect();
            if form.constant * sign > 0 || parts.is_empty() {
                parts.push((form.constant * sign).max(0).to_string());
            }
            Ok(parts.join("+"))
        };
        let (left, right) = (side(1)?, side(-1)?);
        Ok(match test {
            Test::Zero => format!("({left}={right})"),
            Test::NonZero => format!("({left}!={right})"),
            Test::AtMostZero => format!("({left}<={right})"),
            Test::Divisible(m) => format!("(Ez {left}={right}+{m}*z | {left}+{m}*z={right})"),
            Test::Indivisible(m) => format!("(~(Ez {left}={right}+{m}*z | {left}+{m}*z={right}))"),
        })
    }

    fn constant(&self, truth: bool) -> String {
        if truth { "(0=0)".into() } else { "(0=1)".into() }
    }

    fn not(&self, inner: String) -> String {
        format!("(~{inner})")
    }

    fn quantify(&self, universal: bool, variables: &[Variable], body: String) -> String {
        let names: Vec<String> = variables.iter().map(|&v| self.variable(v)).collect();
        format!("({}{} {body})", if universal { "A" } else { "E" }, names.join(","))
    }
}
