//! Walnut's formulas (Shallit, *The Logical Approach to Automatic Sequences*, 2022): linear ones,
//! and with multiples of irrational numbers, in base 2, in Zeckendorf numeration or in the digits
//! of a unit.

use super::{Language, UnsupportedExport, name, reduced, terms};
use crate::reading::{Reading, formula_reading};
use bouton_automata::acceptor::walnut_name;
use bouton_automata::linear_form::{Base, LinearForm, Test, Variable};
use bouton_automata::numeration::Numeration;
use bouton_core::{Formula, Period};
use std::cell::RefCell;

/// Returns what defines the shifts in the formula, and a command for Walnut's prompt. Free variables
/// keep the order of their names in Walnut, the alphabetical one.
///
/// Without multiples of irrational numbers the formula is read in the digits `stated`.
pub fn command(formula: &Formula, stated: Numeration) -> Result<String, UnsupportedExport> {
    let language = Walnut { names: &formula.names, shifts: RefCell::default() };
    let reading = formula_reading(formula, stated)?;
    let body = language.formula(&reduced(formula)?)?;
    let system = match reading {
        Reading::Bits(Numeration::Binary) => "msd_2".into(),
        Reading::Bits(Numeration::ZECKENDORF) => "msd_fib".into(),
        Reading::Bits(Numeration::Ostrowski(_)) => {
            return Err(UnsupportedExport::NoWords("Walnut", "such digits here"));
        }
        Reading::Digits(digits) => walnut_name(digits),
    };
    let mut text = String::new();
    for period in language.shifts.into_inner() {
        let name = shift_name(period);
        if period == Period::GOLDEN && reading == Reading::Bits(Numeration::ZECKENDORF) {
            // A digit of the second number is the next digit of the first.
            text += &format!("reg {name} {system} {system} \"([0,0]|[0,1][1,1]*[1,0])*\":\n");
        } else {
            let multiple = format!("floor[1;({})]", list(period, ","));
            text += &format!(
                "# ${name} and the digits are for Walnut's folders Automata Library and Custom \
                 Bases:\n# bouton logic '{multiple}(x + 1) = y + 1' --walnut {name}.txt\n"
            );
        }
    }
    Ok(text + &format!("eval bouton \"?{system} {body}\":\n"))
}

/// Returns the quotients of a period.
fn list(period: Period, between: &str) -> String {
    period.quotients().map(|own| own.to_string()).collect::<Vec<_>>().join(between)
}

/// Returns the name in Walnut of the automaton of v, v + ⌊(v + 1)θ⌋.
fn shift_name(period: Period) -> String {
    if period == Period::GOLDEN { "shift".into() } else { format!("shift_{}", list(period, "_")) }
}

struct Walnut<'n> {
    names: &'n [String],
    /// The periods of the shifts that were met.
    shifts: RefCell<Vec<Period>>,
}

impl Walnut<'_> {
    /// Returns the name of the shift of a variable.
    fn shifted(&self, period: Period, v: Variable) -> String {
        format!("{}_{}", shift_name(period), self.variable(v))
    }
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
                Base::Shift(period, v) if c * sign == 1 => Ok(Some(self.shifted(*period, *v))),
                Base::Shift(period, v) => {
                    Ok(Some(format!("{}*{}", c * sign, self.shifted(*period, *v))))
                }
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
        let said = match test {
            Test::Zero => format!("({left}={right})"),
            Test::NonZero => format!("({left}!={right})"),
            Test::AtMostZero => format!("({left}<={right})"),
            Test::Divisible(m) => format!("(Ez {left}={right}+{m}*z | {left}+{m}*z={right})"),
            Test::Indivisible(m) => format!("(~(Ez {left}={right}+{m}*z | {left}+{m}*z={right}))"),
        };
        let shifts: Vec<(Period, Variable)> = form
            .terms
            .iter()
            .filter_map(|(base, _)| match base {
                Base::Shift(period, v) => Some((*period, *v)),
                Base::Plain(_) | Base::Sum(..) => None,
            })
            .collect();
        if shifts.is_empty() {
            return Ok(said);
        }
        let mut met = self.shifts.borrow_mut();
        let (mut bound, mut defined) = (Vec::new(), String::new());
        for (period, v) in shifts {
            if !met.contains(&period) {
                met.push(period);
            }
            let own = self.shifted(period, v);
            defined += &format!("${}({},{own}) & ", shift_name(period), self.variable(v));
            bound.push(own);
        }
        Ok(format!("(E{} {defined}{said})", bound.join(",")))
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
