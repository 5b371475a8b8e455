//! `bouton cash`: NIM with Cash as a whole. The win condition, the paper's objects, tables.

use super::BudgetArgs;
use super::proof_file::ProofFile;
use crate::context::Context;
use crate::error::CommandError;
use crate::{Status, progress};
use bouton_cash::{
    CashError, Objects, Proof, TerminalRule, Thresholds, WinCondition, cash_rules,
    mover_wins_piles, win_condition,
};
use bouton_core::{Budget, Meter, Notation};
use bouton_report::answers::OutcomeLetter;
use bouton_report::answers::cash::{PileMove, PilesSolved};
use bouton_report::{condition, write_json};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;

/// Prove a win condition for all of NIM with Cash, or print the tables of the paper
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  bouton cash 'NIM(1,4)'
  bouton cash 'NIM(3,5,6,10,11)' --certificate FILE
  bouton cash 'NIM(1,4)' --show objects --to 30
  bouton cash 'NIM(1,4)' --show thresholds --to 20
  bouton cash 'NIM(1,4)' --show states --to 60
  bouton cash 'NIM(2,3)' --show critical --to 12
  bouton cash 'NIM(1,3)' --piles 4,5 --dollars 5,4

Tables are CSV, or with --json one JSON value a row. Exit status 1 if no condition was found.")]
pub struct Cash {
    /// The game: NIM(1,4), or NIM(1,4;n;d,e) as in other commands
    game: String,
    /// What to print
    #[arg(long, value_enum, default_value_t = Show::Condition, conflicts_with = "piles")]
    show: Show,
    /// Largest number of stones and dollars in tables [default: 40]
    #[arg(long, value_name = "N", value_parser = super::number_within::<u32>(1..=4000),
        conflicts_with = "piles")]
    to: Option<u32>,
    /// Write the proof to a file that `bouton check` verifies
    #[arg(long, value_name = "FILE", conflicts_with = "piles")]
    certificate: Option<PathBuf>,
    /// Solve one position with several piles instead: the stones of each pile
    #[arg(long, value_name = "N,N", value_parser = super::number::<u64>,
        value_delimiter = ',', requires = "dollars")]
    piles: Vec<u64>,
    /// Both purses, that of the player to move first
    #[arg(long, value_name = "D,E", value_parser = super::number::<u64>,
        value_delimiter = ',', requires = "piles")]
    dollars: Vec<u64>,
    /// Misère on stones: a player who finds every pile too small wins, and a player without the
    /// money loses
    #[arg(long, requires = "piles")]
    stuck_wins: bool,
    /// Write into a file as its ending says: the proof as .cert, a table as .csv, or the answer as
    /// .json or .txt
    #[arg(short, long, value_name = "FILE", conflicts_with = "certificate")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    budget: BudgetArgs,
}

/// Stones and dollars up to which tables go if nothing is said.
const STONES: u32 = 40;

/// What `bouton cash` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Show {
    /// Who wins for all n, d, e, in words
    Condition,
    /// n, W, f, the least purses, g, and C for each a
    Objects,
    /// For n and d, the number of purses e against which the mover wins
    Thresholds,
    /// The critical states, and who wins them
    Critical,
    /// The solution set X: for n mod m and b, the least b' with which the mover wins; m is the cash
    /// period
    States,
}

impl Cash {
    /// Returns whether a table is printed, and not the condition or who wins with several piles.
    pub fn shows_table(&self) -> bool {
        self.show != Show::Condition && self.piles.is_empty()
    }

    pub fn run(mut self, context: &Context) -> Result<Status, CommandError> {
        let is_output = self.certificate.is_none();
        self.certificate =
            self.certificate.or(self.output.take_if(|file| super::is_certificate(file)));
        if self.certificate.is_some() && !self.piles.is_empty() {
            let message = "a certificate is of the condition; accepted: .json or .txt";
            return Err(CommandError::Usage(format!("-o with --piles: {message}")));
        }
        let as_json = context.json;
        let rules = cash_rules(&self.game)?;
        let mut out = context.out();
        if !self.piles.is_empty() {
            return self.piles(&rules.set, &mut out, context);
        }
        let about = |option: &str, what: &str, accepted: &str| {
            Err(CommandError::Usage(format!("{option} is about {what}; accepted: {accepted}")))
        };
        if self.show == Show::Condition && self.to.is_some() {
            return about("--to", "tables", "--show objects, thresholds, critical or states");
        }
        if self.show != Show::Condition && self.certificate.is_some() {
            return about(
                "--certificate",
                "the condition, which is not shown",
                "one without --show",
            );
        }
        if self.show != Show::Condition {
            self.table(&rules.set, &mut out, as_json)?;
            return Ok(Status::Done);
        }
        let found = find(context, &rules, &self.budget.budget(context))?;
        if as_json {
            write_json(&mut out, &condition(&rules, &found))?;
        } else {
            writeln!(out, "{}\n  {}\n", rules.name(), rules.describe())?;
            print(&found, &mut out)?;
        }
        let mut is_complete = found.condition.is_some();
        if let Some(file) = &self.certificate {
            let certificate =
                found.condition.as_ref().map(|condition| condition.certificate().to_text());
            let proof = ProofFile::write(file, certificate.as_deref())?;
            proof.tell(&mut out, as_json, is_output)?;
            is_complete &= proof.is_written();
        }
        Ok(if is_complete { Status::Done } else { Status::Negative })
    }

    /// Tells who wins with several piles, and by which moves.
    fn piles(
        &self,
        set: &[u64],
        out: &mut impl Write,
        context: &Context,
    ) -> Result<Status, CommandError> {
        let as_json = context.json;
        let [mover, other] = self.dollars[..] else {
            return Err(CommandError::Usage(
                "--dollars takes two numbers, that of the player to move first".into(),
            ));
        };
        let stuck = if self.stuck_wins { TerminalRule::Wins } else { TerminalRule::Loses };
        let mut meter = Meter::new(&self.budget.budget(context));
        let mut wins = |piles: &[u64], d, e| {
            mover_wins_piles(set, piles, d, e, stuck, &mut meter)
                .map_err(|spent| CommandError::Unknown(spent.to_string()))
        };
        let outcome =
            if wins(&self.piles, mover, other)? { OutcomeLetter::N } else { OutcomeLetter::P };
        let mut moves = Vec::new();
        let over = stuck == TerminalRule::Wins && self.piles.iter().all(|pile| *pile < set[0]);
        for (place, pile) in self.piles.iter().enumerate() {
            for a in set.iter().take_while(|a| **a <= mover.min(*pile) && !over) {
                let mut left = self.piles.clone();
                left[place] -= a;
                if !wins(&left, other, mover - a)? {
                    moves.push((place + 1, *a));
                }
            }
        }
        if as_json {
            let winning = moves.into_iter().map(|(pile, take)| PileMove { pile, take }).collect();
            write_json(out, &PilesSolved { outcome, winning })?;
        } else {
            match outcome {
                OutcomeLetter::N => writeln!(out, "N: the player to move wins")?,
                OutcomeLetter::P => writeln!(out, "P: the other player wins")?,
            }
            for (pile, a) in moves {
                writeln!(out, "  take {a} from pile {pile}")?;
            }
        }
        Ok(Status::Done)
    }

    fn table(&self, set: &[u64], out: &mut impl Write, as_json: bool) -> Result<(), CommandError> {
        let mut heads: Vec<String> = match self.show {
            Show::Objects => {
                ["n", "W", "fI", "fII", "leastI", "leastII", "gI", "gII"].map(String::from).into()
            }
            Show::Thresholds => ["n", "d", "purses"].map(String::from).into(),
            Show::Critical => ["n", "d", "e", "b", "b'", "winner"].map(String::from).into(),
            _ => ["i", "b", "least b'"].map(String::from).into(),
        };
        if self.show == Show::Objects {
            heads.extend(set.iter().flat_map(|a| [format!("CI({a})"), format!("CII({a})")]));
        }
        if !as_json {
            writeln!(out, "{}", heads.join(","))?;
        }
        let mut row = |values: Vec<Value>| -> Result<(), CommandError> {
            if as_json {
                let object: serde_json::Map<String, Value> =
                    heads.iter().cloned().zip(values).collect();
                writeln!(out, "{}", Value::Object(object))?;
            } else {
                let text =
                    |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                let cells: Vec<String> = values
                    .iter()
                    .map(|v| if v.is_null() { String::new() } else { text(v) })
                    .collect();
                writeln!(out, "{}", cells.join(","))?;
            }
            Ok(())
        };
        let to = self.to.unwrap_or(STONES);
        let objects = Objects::new(set, to);
        let mut table = Thresholds::new(set, to);
        let thresholds: Vec<Vec<u32>> = (0..=to).map(|_| table.next_row().to_vec()).collect();
        match self.show {
            Show::Objects => (0..=to as usize).try_for_each(|n| row(object_row(&objects, n, set))),
            Show::Thresholds => threshold_rows(&thresholds, &mut row),
            Show::Critical => critical_rows(&objects, &thresholds, &mut row),
            _ => cash_period_rows(&objects, &thresholds, &mut row),
        }
    }
}

/// What takes the rows of a table one by one.
type RowSink<'r> = &'r mut dyn FnMut(Vec<Value>) -> Result<(), CommandError>;

/// Returns the objects of a pile of n stones, and the costs of each amount of the set.
fn object_row(objects: &Objects, n: usize, set: &[u64]) -> Vec<Value> {
    let ([f, g], [t, u], [p, q]) = (objects.rich(n), objects.intended_purses(n), objects.poor(n));
    let who = if objects.wins(n) { "I" } else { "II" };
    let mut values =
        vec![json!(n), json!(who), json!(f), json!(g), json!(t), json!(u), json!(p), json!(q)];
    for a in set {
        let costs = usize::try_from(*a).ok().filter(|a| *a <= n).map(|a| objects.cost(n, a));
        values.extend(costs.map_or([Value::Null, Value::Null], |costs| costs.map(Value::from)));
    }
    values
}

/// Gives for each pile and each purse of the mover how many purses of the other lose.
fn threshold_rows(thresholds: &[Vec<u32>], row: RowSink<'_>) -> Result<(), CommandError> {
    for (n, purses) in thresholds.iter().enumerate() {
        for (d, count) in purses.iter().enumerate() {
            let all = *count as usize >= thresholds.len();
            row(vec![json!(n), json!(d), if all { json!("inf") } else { json!(count) }])?;
        }
    }
    Ok(())
}

/// Gives who wins where neither player is rich or poor.
fn critical_rows(
    objects: &Objects,
    thresholds: &[Vec<u32>],
    row: RowSink<'_>,
) -> Result<(), CommandError> {
    for (n, purses) in thresholds.iter().enumerate() {
        let ([rich_mover, rich_other], [poor_mover, poor_other]) =
            (objects.rich(n), objects.poor(n));
        for d in poor_mover..rich_mover.min(thresholds.len() as i64) {
            for e in poor_other..rich_other {
                let winner = if e < i64::from(purses[d as usize]) { "I" } else { "II" };
                row(vec![
                    json!(n),
                    json!(d),
                    json!(e),
                    json!(rich_mover - 1 - d),
                    json!(rich_other - 1 - e),
                    json!(winner),
                ])?;
            }
        }
    }
    Ok(())
}

/// Gives what is periodic in the number of stones: for each residue, and each lack of the mover of
/// being rich, the least lack of the other.
fn cash_period_rows(
    objects: &Objects,
    thresholds: &[Vec<u32>],
    row: RowSink<'_>,
) -> Result<(), CommandError> {
    let most = thresholds.len() - 1;
    let period = objects.cash_period(most / 3).ok_or_else(|| {
        CommandError::Usage(format!(
            "there is no cash period up to n = {most}; a larger --to may find one"
        ))
    })?;
    // The last n of each residue: more than the others it has states where nobody is poor.
    for i in 0..period {
        let n = most - (most + period - i) % period;
        let ([rich_mover, rich_other], [poor_mover, _]) = (objects.rich(n), objects.poor(n));
        for b in 0..rich_mover.min(thresholds.len() as i64) - poor_mover {
            let threshold = i64::from(thresholds[n][(rich_mover - 1 - b) as usize]);
            row(vec![json!(i), json!(b), json!((rich_other - threshold).max(0))])?;
        }
    }
    Ok(())
}

fn find(
    context: &Context,
    rules: &bouton_cash::Cash,
    budget: &Budget,
) -> Result<WinCondition, CommandError> {
    let what = format!("{}: looking for a win condition", rules.name());
    let found = progress::watched(context, &what, budget, |budget| {
        win_condition(&rules.set, &mut Meter::new(&budget))
    });
    found.map_err(|error| match error {
        CashError::LimitReached(spent) => CommandError::Unknown(spent.to_string()),
        error => CommandError::Usage(error.to_string()),
    })
}

/// Says the condition in words.
fn print(found: &WinCondition, out: &mut impl Write) -> std::io::Result<()> {
    let Some(condition) = &found.condition else {
        return writeln!(
            out,
            "No win condition found ({:.3} s). Single positions can still be solved.\n",
            found.seconds
        );
    };
    let kind = match condition.proof {
        Proof::Window(_) => "window",
        Proof::Words(_) => "words",
    };
    writeln!(out, "Win condition, proved for all n, d, e ({kind}, {} numbers)", condition.size())?;
    for line in condition.explain() {
        writeln!(out, "  {line}")?;
    }
    writeln!(out, "  certificate accepted: {} ({:.3} s)\n", found.checked, found.seconds)
}
