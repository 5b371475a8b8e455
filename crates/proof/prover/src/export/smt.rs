//! SMT-LIB 2.6 (Barrett, Fontaine, Tinelli, 2017), logic LIA with `mod` by constants: linear
//! formulas only.

use super::{Language, Unwritable, name, reduced, terms};
use bouton_automata::linear_form::{Base, LinearForm, Test, Variable};
use bouton_core::Formula;

/// Returns a script that answers `unsat` exactly if the closed formula is true. Free variables are
/// bound by `A`.
pub fn script(formula: &Formula) -> Result<String, Unwritable> {
    let language = Smt { names: &formula.names };
    let body = language.formula(&reduced(formula)?)?;
    let free: Vec<Variable> = (0..formula.free as Variable).collect();
    let closed = if free.is_empty() { body } else { language.quantify(true, &free, body) };
    Ok(format!(
        "; {formula}\n; unsat: it is true\n(set-logic ALL)\n(assert (not {closed}))\n(check-sat)\n"
    ))
}

struct Smt<'n> {
    names: &'n [String],
}

fn number(n: i64) -> String {
    if n < 0 { format!("(- {})", n.unsigned_abs()) } else { n.to_string() }
}

impl Language for Smt<'_> {
    fn variable(&self, v: Variable) -> String {
        name(self.names, v, "v_")
    }

    fn atom(&self, form: &LinearForm, test: Test) -> Result<String, Unwritable> {
        let mut parts = terms(form, |c, base| match base {
            Base::Plain(v) if c == 1 => Ok(self.variable(*v)),
            Base::Plain(v) => Ok(format!("(* {} {})", number(c), self.variable(*v))),
            Base::Sum(..) => Err(Unwritable::NoWords("SMT-LIB's linear arithmetic", "nim-sum")),
            Base::Shift(..) => Err(Unwritable::NoWords(
                "SMT-LIB's linear arithmetic",
                "multiples of irrational numbers",
            )),
        })?;
        parts.push(number(form.constant));
        let sum =
            if parts.len() == 1 { parts.remove(0) } else { format!("(+ {})", parts.join(" ")) };
        Ok(match test {
            Test::Zero => format!("(= {sum} 0)"),
            Test::NonZero => format!("(not (= {sum} 0))"),
            Test::AtMostZero => format!("(<= {sum} 0)"),
            Test::Divisible(m) => format!("(= (mod {sum} {m}) 0)"),
            Test::Indivisible(m) => format!("(not (= (mod {sum} {m}) 0))"),
        })
    }

    fn constant(&self, truth: bool) -> String {
        truth.to_string()
    }

    fn not(&self, inner: String) -> String {
        format!("(not {inner})")
    }

    fn join(&self, parts: Vec<String>, all: bool) -> String {
        format!("({} {})", if all { "and" } else { "or" }, parts.join(" "))
    }

    fn iff(&self, left: String, right: String) -> String {
        format!("(= {left} {right})")
    }

    fn quantify(&self, universal: bool, variables: &[Variable], body: String) -> String {
        let names: Vec<String> = variables.iter().map(|&v| self.variable(v)).collect();
        let sorts: Vec<String> = names.iter().map(|name| format!("({name} Int)")).collect();
        let natural: Vec<String> = names.iter().map(|name| format!("(>= {name} 0)")).collect();
        let (sorts, natural) = (sorts.join(" "), natural.join(" "));
        if universal {
            format!("(forall ({sorts}) (=> (and {natural}) {body}))")
        } else {
            format!("(exists ({sorts}) (and {natural} {body}))")
        }
    }
}
