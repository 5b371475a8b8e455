//! `bouton logic`: any first-order statement about natural numbers, +, ⊕ and comparison, decided.

use crate::Status;
use crate::context::Context;
use crate::error::{CommandError, write_file};
use bouton_core::{Budget, Meter};
use bouton_prover::export::{automaton, mona, smt, walnut};
use bouton_prover::{
    Formula, FormulaDecision, NamedValue, Numeration, Tuples, TuplesAutomaton, Undecided,
    decide_formula, default_budget,
};
use bouton_report::answers::OrNull;
use clap::{Args, ValueEnum};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Decide a formula over the natural numbers, or build the automaton of one with free variables
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  bouton logic 'A x,y: x+y = y+x'
  bouton logic 'A n: n >= 7 => E x,y: n = 3*x + 5*y'
  bouton logic 'a xor b xor c = 0' --dot nim.dot
  bouton logic 'shift(a) = b' --walnut wythoff.txt
  bouton logic 'A m,n: m > 0 & n > 0 => floor[1;(2)](m) != floor[3;(2)](n)'
  bouton logic 'n > 0 & n xor 2*n xor 3*n = 0' --count 2^30
  bouton logic 'A x: x mod 3 = 0 | x mod 3 = 1' --export smt

Quantifiers: A x,y: … (for all), E x,y: … (there are). Connectives: ~ & | => <=>.
Comparisons: = != < <= > >=, also in chains. Terms: 3*x, x+y, x-y, x xor y (or x ⊕ y), x xor3 y,
x mod 5, x div 2, min(x,y), max(x,y), shift(x), floor[1;(1)](x). The last two are read in
Zeckendorf digits, or those of another number as of the square root of 2, floor[1;(2)](x); a
nim-sum cannot be.
docs/reference/formula-language.md describes the language.

Exit status 1 if the formula is false or unknown.")]
pub struct Logic {
    /// The formula
    formula: String,
    /// Read Zeckendorf digits (sums of Fibonacci numbers) instead of binary digits, as every
    /// formula with shift(…) or floor[1;(1)](…) is read
    #[arg(long)]
    zeckendorf: bool,
    /// Write the automaton of a formula with free variables to a file for Graphviz
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Write the automaton to a file in Walnut's format; and beside it, if Walnut does not know the
    /// digits, what defines them there
    #[arg(long, value_name = "FILE")]
    walnut: Option<PathBuf>,
    /// Write into a file as its ending says: the automaton as .dot, the answer, or the formula of
    /// --export, as .txt, or the answer as .json
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Count the tuples of which a formula with free variables holds, with no value above M
    #[arg(long, value_name = "M", value_parser = super::number::<u64>)]
    count: Option<u64>,
    /// Print the formula for another program instead of deciding it
    #[arg(long, value_enum)]
    export: Option<Program>,
    /// Take at most N steps of automata; the verdict is then "unknown"
    #[arg(long, value_name = "N", value_parser = super::number::<u64>)]
    steps: Option<u64>,
    /// Hold at most MB megabytes of automata
    #[arg(long, value_name = "MB", value_parser = super::number::<usize>, default_value_t = 2048)]
    memory: usize,
}

/// Another program that decides formulas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Program {
    /// MONA, for WS1S
    Mona,
    /// SMT-LIB 2, linear formulas; `unsat` means true
    Smt,
    /// Walnut, linear formulas, and with multiples of irrational numbers
    Walnut,
}

/// Writes the formula in another program's language. Fails if that program has no such numerals or
/// terms.
pub fn exported(
    formula: &Formula,
    stated: Numeration,
    program: Program,
) -> Result<String, CommandError> {
    let text = match program {
        Program::Mona => mona::program(formula),
        Program::Smt => smt::script(formula),
        Program::Walnut => walnut::command(formula, stated),
    };
    text.map_err(|error| CommandError::Usage(error.to_string()))
}

impl Logic {
    /// Returns the file that the whole answer is to go into.
    pub fn answer_file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|file| !is_picture(file))
    }

    pub fn run(mut self, context: &Context) -> Result<Status, CommandError> {
        if let Some(file) = self.output.take_if(|file| is_picture(file)) {
            if self.dot.is_some() {
                return Err(CommandError::Usage(format!(
                    "{}: --dot names another file",
                    file.display()
                )));
            }
            self.dot = Some(file);
        }
        if self.export.is_some() && context.json {
            let accepted = match self.output {
                Some(_) => "the file's name must end in .txt",
                None => "accepted: one of --export and --json",
            };
            return Err(CommandError::Usage(format!("--export writes the formula: {accepted}")));
        }
        let formula = Formula::parse(&self.formula)
            .map_err(|error| CommandError::Formula(self.formula.clone(), error))?;
        let stated = if self.zeckendorf { Numeration::ZECKENDORF } else { Numeration::Binary };
        self.refuse(&formula)?;
        let mut out = context.out();
        if let Some(program) = self.export {
            write!(out, "{}", exported(&formula, stated, program)?)?;
            return Ok(Status::Done);
        }
        let bytes = Some((self.memory as u64).saturating_mul(1 << 20));
        let nodes = self.steps.or(default_budget().nodes);
        let budget = Budget { nodes, bytes, ..context.budget() };
        let started = Instant::now();
        let decision = decide_formula(&formula, stated, &mut Meter::new(&budget));
        let seconds = started.elapsed().as_secs_f64();
        let mut files = String::new();
        if let Ok(FormulaDecision::Open(tuples)) = &decision {
            files = self.write_files(tuples)?;
        }
        let count = match &decision {
            Ok(FormulaDecision::Open(tuples)) => self.count(tuples, &budget),
            _ => None,
        };
        if context.json {
            let mut answer = bouton_report::decision(&self.formula, &decision, seconds);
            if let Some((most, count)) = &count {
                answer.most = Some(*most);
                answer.count = Some(OrNull(count.as_ref().ok().cloned()));
            }
            bouton_report::write_json(&mut out, &answer)?;
        } else {
            tell(&decision, count.as_ref(), seconds, &mut out)?;
            write!(out, "{files}")?;
        }
        Ok(match &decision {
            Ok(FormulaDecision::False(_)) | Err(_) => Status::Negative,
            Ok(_) if count.is_some_and(|(_, count)| count.is_err()) => Status::Negative,
            Ok(_) => Status::Done,
        })
    }

    /// Refuses what is asked about an automaton where there is none.
    fn refuse(&self, formula: &Formula) -> Result<(), CommandError> {
        let about_automata = [
            ("--dot", self.dot.is_some()),
            ("--walnut", self.walnut.is_some()),
            ("--count", self.count.is_some()),
        ];
        let Some((option, _)) = about_automata.iter().find(|(_, given)| *given) else {
            return Ok(());
        };
        let why = match (self.export.is_some(), formula.is_closed()) {
            (true, _) => "with --export nothing is decided and there is no automaton",
            (_, true) => "the formula is true or false: it has no free variable, and no automaton",
            _ => return Ok(()),
        };
        Err(CommandError::Usage(format!(
            "{option}: {why}; accepted: a formula as `a xor b = c`, without --export"
        )))
    }

    /// Counts the tuples with no value above the bound that is asked for, or says why that is
    /// unknown; with the bound.
    fn count(&self, tuples: &Tuples, budget: &Budget) -> Option<TupleCount> {
        let most = self.count?;
        let found = tuples.count(most, &mut Meter::new(budget));
        let why = "tuples are counted of at most 8 variables";
        let found = found.map_err(|spent| spent.to_string());
        Some((most, found.and_then(|count| count.ok_or_else(|| why.to_owned()))))
    }

    /// Writes the files that are asked for. Returns what is said of those beside them.
    fn write_files(&self, tuples: &Tuples) -> Result<String, CommandError> {
        if let Some(file) = &self.dot {
            write_file(file, automaton::dot(tuples))?;
        }
        let Some(file) = &self.walnut else { return Ok(String::new()) };
        let text =
            automaton::walnut(tuples).map_err(|error| CommandError::Usage(error.to_string()))?;
        write_file(file, &text)?;
        match &tuples.automaton {
            TuplesAutomaton::Bits(_) => Ok(String::new()),
            TuplesAutomaton::Digits(acceptor) => super::write_walnut_digits(file, acceptor.digits),
        }
    }
}

/// A bound, and the number of tuples with no value above it, or why that is unknown.
type TupleCount = (u64, Result<String, String>);

/// Prints what was decided.
fn tell(
    decision: &Result<FormulaDecision, Undecided>,
    count: Option<&TupleCount>,
    seconds: f64,
    out: &mut impl Write,
) -> std::io::Result<()> {
    match decision {
        Ok(FormulaDecision::True(values)) => {
            write_truth(out, ("true", "witness"), values.as_deref(), seconds)
        }
        Ok(FormulaDecision::False(values)) => {
            write_truth(out, ("false", "counterexample"), values.as_deref(), seconds)
        }
        Ok(FormulaDecision::Open(tuples)) => {
            match count {
                Some((most, Ok(count))) => writeln!(out, "{count} with no value above {most}")?,
                Some((_, Err(why))) => writeln!(out, "how many is unknown: {why}")?,
                None => {}
            }
            let names = tuples.names.join(", ");
            writeln!(out, "{} states over {names} ({seconds:.2} s)", tuples.states())?;
            let examples: Vec<String> = bouton_report::examples(tuples)
                .iter()
                .map(|tuple| tuple.iter().map(u64::to_string).collect::<Vec<_>>().join(","))
                .collect();
            match (tuples.is_empty(), examples.is_empty()) {
                (true, _) => writeln!(out, "  it holds of no values"),
                (false, true) => writeln!(out, "  it holds of no small values"),
                _ => {
                    let meter = &mut Meter::new(&default_budget());
                    let is_all = tuples.holds_only_of(examples.len(), meter).unwrap_or_default();
                    let end = if is_all { ", and of nothing else" } else { " …" };
                    writeln!(out, "  it holds of {}{end}", examples.join("; "))
                }
            }
        }
        Err(error) => writeln!(out, "unknown: {error}"),
    }
}

/// Returns whether a file's name ends as that of an automaton for Graphviz.
fn is_picture(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "dot")
}

fn write_truth(
    out: &mut impl Write,
    (verdict, word): (&str, &str),
    values: Option<&[NamedValue]>,
    seconds: f64,
) -> std::io::Result<()> {
    writeln!(out, "{verdict} ({seconds:.2} s)")?;
    values.map_or(Ok(()), |values| writeln!(out, "  {word}: {}", shown(values)))
}

fn shown(values: &[NamedValue]) -> String {
    let lines = values.iter().map(|NamedValue { name, value }| match value {
        Ok(value) => format!("{name} = {value}"),
        Err(digits) => format!("{name} = digits {digits}"),
    });
    lines.collect::<Vec<_>>().join(", ")
}
