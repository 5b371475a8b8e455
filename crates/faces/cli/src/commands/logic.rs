//! `bouton logic`: any first-order statement about natural numbers, +, ⊕ and comparison, decided.

use crate::Status;
use crate::context::Context;
use crate::fault::{Fault, write_file};
use bouton_core::{Budget, Meter};
use bouton_prover::export::{automaton, mona, smt, walnut};
use bouton_prover::{Automatic, Decision, Formula, Numeration, Values, decide, default_budget};
use clap::{Args, ValueEnum};
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

/// Decide a formula over the natural numbers, or find the automaton of one with free variables
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  bouton logic 'A x,y: x+y = y+x'\n  bouton logic 'A n: n >= 7 => E x,y: n = 3*x + 5*y'\n  bouton logic 'a xor b xor c = 0' --dot nim.dot\n  bouton logic --zeckendorf 'shift(a) = b' --walnut wythoff.txt\n  bouton logic 'A x: x mod 3 = 0 | x mod 3 = 1' --export smt\n\nSyntax: A x,y: … and E x,y: … quantify; ~ & | => <=> connect; = != < <= > >= compare; 3*x, x+y, x-y, x xor y (or ⊕),\nx xor3 y, x mod 5, x div 2, min(x,y), max(x,y), and in Zeckendorf numeration shift(x) and floor[1;(1)](x).\nExit status 1 if it is false or unknown."
)]
pub struct Logic {
    /// The formula
    formula: String,
    /// Read numbers by their Zeckendorf digits (sums of Fibonacci numbers) instead of binary ones
    #[arg(long)]
    zeckendorf: bool,
    /// Write the automaton of a formula with free variables for Graphviz
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Write it as Walnut's text
    #[arg(long, value_name = "FILE")]
    walnut: Option<PathBuf>,
    /// Print the formula for another program instead of deciding it
    #[arg(long, value_enum)]
    export: Option<Program>,
    /// Steps of the automata at most; ends in the verdict "unknown"
    #[arg(long, value_name = "N")]
    steps: Option<u64>,
    /// Megabytes of automata to hold at most
    #[arg(long, value_name = "MB", default_value_t = 2048)]
    memory: usize,
}

/// Another program that decides formulas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Program {
    /// MONA, for WS1S
    Mona,
    /// SMT-LIB 2, linear formulas; `unsat` means true
    Smt,
    /// Walnut, linear formulas
    Walnut,
}

/// The formula in another program's words.
pub fn exported(formula: &Formula, numeration: Numeration, program: Program) -> Result<String, Fault> {
    let text = match program {
        Program::Mona => mona::program(formula),
        Program::Smt => smt::script(formula),
        Program::Walnut => walnut::command(formula, numeration),
    };
    text.map_err(|error| Fault::Usage(error.to_string()))
}

impl Logic {
    pub fn run(self, context: &Context) -> Result<Status, Fault> {
        let as_json = context.json;
        let numeration = if self.zeckendorf { Numeration::ZECKENDORF } else { Numeration::Binary };
        let formula =
            Formula::parse(&self.formula).map_err(|error| Fault::Formula(self.formula.clone(), error))?;
        let files = [("--dot", self.dot.is_some()), ("--walnut", self.walnut.is_some())];
        if let Some((option, _)) = files.iter().find(|(_, given)| *given) {
            let why = match (self.export.is_some(), formula.is_closed()) {
                (true, _) => "with --export nothing is decided and there is no automaton",
                (_, true) => "the formula is true or false: it has no free variable, and no automaton",
                _ => "",
            };
            if !why.is_empty() {
                return Err(Fault::Usage(format!(
                    "{option}: {why}; accepted: a formula as `a xor b = c`, without --export"
                )));
            }
        }
        let mut out = std::io::stdout().lock();
        if let Some(program) = self.export {
            write!(out, "{}", exported(&formula, numeration, program)?)?;
            return Ok(Status::Done);
        }
        let bytes = Some((self.memory as u64).saturating_mul(1 << 20));
        let nodes = self.steps.or(default_budget().nodes);
        let budget = Budget { nodes, bytes, ..context.budget() };
        let started = Instant::now();
        let decision = decide(&formula, numeration, &mut Meter::new(&budget));
        let seconds = started.elapsed().as_secs_f64();
        if let Ok(Decision::Open(relation)) = &decision {
            self.write_files(relation)?;
        }
        let answer = bouton_report::decision(&self.formula, &decision, seconds);
        let ending = match &decision {
            Ok(Decision::False(_)) | Err(_) => Status::Negative,
            Ok(_) => Status::Done,
        };
        if as_json {
            writeln!(out, "{answer}")?;
            return Ok(ending);
        }
        match &decision {
            Ok(Decision::True(values)) => told(&mut out, ("true", "witness"), values.as_ref(), seconds)?,
            Ok(Decision::False(values)) => {
                told(&mut out, ("false", "counterexample"), values.as_ref(), seconds)?;
            }
            Ok(Decision::Open(relation)) => {
                let names = relation.names.join(", ");
                writeln!(out, "{} states over {names} ({seconds:.2} s)", relation.dfa.states())?;
                let tuples: Vec<String> = bouton_report::examples(relation)
                    .iter()
                    .map(|tuple| tuple.iter().map(u64::to_string).collect::<Vec<_>>().join(","))
                    .collect();
                let none = relation.dfa.shortest(&relation.tracks()).is_none();
                match (none, tuples.is_empty()) {
                    (true, _) => writeln!(out, "  it holds of no values")?,
                    (false, true) => writeln!(out, "  it holds of no small values")?,
                    _ => writeln!(out, "  it holds of {} …", tuples.join("; "))?,
                }
            }
            Err(error) => writeln!(out, "unknown: {error}")?,
        }
        Ok(ending)
    }

    fn write_files(&self, relation: &Automatic) -> Result<(), Fault> {
        if let Some(file) = &self.dot {
            write_file(file, automaton::dot(relation))?;
        }
        if let Some(file) = &self.walnut {
            let text = automaton::walnut(relation).map_err(|error| Fault::Usage(error.to_string()))?;
            write_file(file, &text)?;
        }
        Ok(())
    }
}

fn told(
    out: &mut impl Write,
    (verdict, word): (&str, &str),
    values: Option<&Values>,
    seconds: f64,
) -> std::io::Result<()> {
    writeln!(out, "{verdict} ({seconds:.2} s)")?;
    values.map_or(Ok(()), |values| writeln!(out, "  {word}: {}", shown(values)))
}

fn shown(values: &Values) -> String {
    let binary = |digits: &[bool]| digits.iter().map(|d| if *d { '1' } else { '0' }).collect::<String>();
    let lines = values.numbers().zip(&values.digits).map(|((name, value), (_, digits))| match value {
        Some(value) => format!("{name} = {value}"),
        None => format!("{name} = digits {}", binary(digits)),
    });
    lines.collect::<Vec<_>>().join(", ")
}
