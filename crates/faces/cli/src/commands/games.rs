//! `bouton games`: the shelf in groups, the families and how to write them; the games of the
//! literature, and what is claimed of them.

use super::AnswerFile;
use crate::Status;
use crate::context::Context;
use crate::error::{CommandError, write_file};
use bouton_games::{Rules, ShelfGame, shelf};
use bouton_literature::{
    ClaimOutcome, PublishedGame, Recorded, literature, literature_verdicts_text,
};
use bouton_report::answers::{OrNull, Seconds};
use clap::Args;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// List the games that have a name, in groups, and the families with parameters; or search them
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  bouton games
  bouton games coins
  bouton games wythoff
  bouton games --published
  bouton games --published chocolate
  bouton games --published --verify --each 10
  bouton games --published mark --verify
  bouton --rules published:maharaja-nim study maharaja-nim

Exit status 1 if nothing matches, or if a verdict differs from the recorded one.")]
pub struct Games {
    /// A name, or words that names, other names, rules or sources hold
    words: Vec<String>,
    /// List published games instead: the rules, the source, the claim, and the verdict on it
    #[arg(long, alias = "literature")]
    published: bool,
    /// Compute the verdicts again, and compare them with the recorded ones
    #[arg(long, requires = "published")]
    verify: bool,
    /// Seconds per game
    #[arg(long, value_name = "S", default_value_t = 20.0, requires = "verify")]
    each: f64,
    /// Write all recorded verdicts to a file, with the new ones in place of the old
    #[arg(long, value_name = "FILE", requires = "verify")]
    record: Option<PathBuf>,
    #[command(flatten)]
    pub answer: AnswerFile,
}

impl Games {
    pub fn run(self, context: &Context) -> Result<Status, CommandError> {
        if self.published {
            return self.published(context);
        }
        let json = context.json;
        let word = self.words.join(" ").to_lowercase();
        let shelved = shelf().search(&word);
        let fits = |texts: &[&str]| texts.iter().any(|text| text.to_lowercase().contains(&word));
        let found: Vec<_> = context
            .catalogue
            .families()
            .iter()
            .filter(|f| fits(&[f.name, f.notation, f.about]))
            .collect();
        let mut own = context.catalogue.own_games();
        own.retain(|game| fits(&[&game.name(), &game.describe()]));
        let mut out = context.out();
        if json {
            let own = own.iter().map(|game| bouton_report::custom_game(&**game));
            let families = found.iter().map(|family| bouton_report::family(family));
            let named = shelved.iter().map(|game| bouton_report::shelf_game(game));
            let all: Vec<_> = own.chain(families).chain(named).collect();
            bouton_report::write_json(&mut out, &all)?;
        } else {
            for game in &own {
                let condition = game.heap_game().and_then(|stated| stated.moves.condition);
                let formula =
                    condition.map_or_else(String::new, |formula| format!("\n    {formula}"));
                writeln!(
                    out,
                    "{}\n    {}{formula}\n    rule file\n",
                    game.name(),
                    game.describe()
                )?;
            }
            if word.is_empty() {
                groups(&mut out)?;
            } else {
                let mut entries = shelved.iter();
                entries
                    .try_for_each(|game| entry(&mut out, game, context.catalogue.can_run(game)))?;
            }
            if !found.is_empty() {
                writeln!(out, "With parameters\n")?;
            }
            for family in &found {
                writeln!(out, "{}\n    {}\n    {}", family.notation, family.about, family.source)?;
                for example in family.examples {
                    writeln!(out, "    bouton solve '{}' {}", example.game, example.position)?;
                }
                writeln!(out)?;
            }
            if word.is_empty() {
                writeln!(
                    out,
                    "`bouton games WORD` searches and shows more. Sums are written with +: kayles \
                     7 + nim 4 + wythoff 3,5"
                )?;
            }
        }
        let none = found.is_empty() && own.is_empty() && shelved.is_empty();
        if none {
            let nearest = context.catalogue.nearest_game(&word);
            let nearest = match (shelf().why_excluded(&word), nearest) {
                (Some(why), _) => format!(": {why}"),
                (None, Some(name)) => format!("; did you mean `{name}`?"),
                (None, None) => String::new(),
            };
            eprintln!("no game has `{word}` in its names or its rules{nearest}");
        }
        Ok(if none { Status::Negative } else { Status::Done })
    }

    /// Lists the games of the literature, with the verdicts on record or found anew.
    fn published(self, context: &Context) -> Result<Status, CommandError> {
        let each = Duration::try_from_secs_f64(self.each).map_err(|_| {
            CommandError::Usage(format!(
                "--each: {} is not a number of seconds; accepted: 0.5, 60",
                self.each
            ))
        })?;
        let word = self.words.join(" ").to_lowercase();
        let fits = |game: &PublishedGame| {
            let texts =
                [&game.name, &game.title, &game.rules, &game.claim.source, &game.claim.game];
            game.name == word || texts.iter().any(|text| text.to_lowercase().contains(&word))
        };
        let mut games = literature()?;
        // A name alone means its game.
        if games.iter().any(|game| game.name == word) {
            games.retain(|game| game.name == word);
        }
        games.retain(fits);
        let recorded = Recorded::literature()?;
        let (mut status, mut values, mut anew) = (Status::Done, Vec::new(), Vec::new());
        for game in &games {
            let record = recorded.iter().find(|record| record.id == game.name);
            let settled = match self.verify {
                true => {
                    let settled = game.settle(&context.budget(), each);
                    Some(settled.map_err(|error| {
                        CommandError::Usage(format!("literature, {}: {error}", game.name))
                    })?)
                }
                false => None,
            };
            if let Some(settled) = &settled
                && !as_recorded(&settled.record, record)
            {
                status = Status::Negative;
            }
            if context.json {
                let mut entry = bouton_report::published_game(game, record);
                if let Some(settled) = &settled {
                    entry.verdict = Some(settled.record.verdict.as_str());
                    entry.found = Some(settled.record.found.clone());
                    entry.as_recorded =
                        Some(OrNull(record.map(|_| as_recorded(&settled.record, record))));
                    entry.seconds = Some(Seconds(settled.seconds));
                }
                values.push(entry);
            } else {
                print(&mut context.out(), game, record, settled.as_ref(), games.len() == 1)?;
            }
            anew.extend(settled.map(|settled| settled.record));
        }
        if context.json {
            bouton_report::write_json(context.out(), &values)?;
        } else if games.len() > 1 {
            let verdicts = if self.verify { &anew } else { &recorded };
            counts(&mut context.out(), &games, verdicts)?;
        }
        if let Some(file) = &self.record {
            let known = |name: &str| {
                let in_list =
                    |list: &[Recorded]| list.iter().find(|record| record.id == name).cloned();
                in_list(&anew).or_else(|| in_list(&recorded))
            };
            let all = literature()?.iter().filter_map(|game| known(&game.name)).collect();
            write_file(file, literature_verdicts_text(all))?;
        }
        Ok(if games.is_empty() { Status::Negative } else { status })
    }
}

/// Writes the shelf in groups, a line a game.
fn groups(out: &mut impl Write) -> std::io::Result<()> {
    for group in shelf().groups() {
        writeln!(out, "{}\n", group.title)?;
        for game in shelf().games().iter().filter(|game| game.group == group.key) {
            writeln!(out, "  {:<24} {}", game.name, first_sentence(game.sentence()))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn first_sentence(text: &str) -> &str {
    text.split_inclusive(". ").next().unwrap_or(text).trim_end()
}

/// Writes a game of the shelf with all that is said of it.
fn entry(out: &mut impl Write, game: &ShelfGame, runs: bool) -> std::io::Result<()> {
    writeln!(out, "{}", game.name)?;
    let aliases = game.aliases();
    if !aliases.is_empty() {
        writeln!(out, "    also: {}", aliases.join(", "))?;
    }
    writeln!(out, "    {}\n    {}", game.sentence(), game.source())?;
    match game.rules() {
        Rules::Notation(notation) if notation != game.name => {
            writeln!(out, "    the same as {notation}")?
        }
        _ => {}
    }
    if let Some(form) = game.positions() {
        writeln!(out, "    positions: {form}")?;
    }
    if !runs {
        writeln!(out, "    the rules are a program: it needs a build with --features programs")?;
    }
    let start = match game.start.contains(' ') || game.start.contains(';') {
        true => format!("'{}'", game.start),
        false => game.start.clone(),
    };
    writeln!(out, "    bouton play {} {start}\n", game.name)
}

/// Returns whether a verdict is the recorded one: the word, and the certificate where there is one.
/// How far tables went depends on the time.
fn as_recorded(found: &Recorded, record: Option<&Recorded>) -> bool {
    record.is_some_and(|record| {
        record.verdict == found.verdict && record.certificate == found.certificate
    })
}

/// Writes a game with its claim and what became of it; its moves, too, if it is the only one.
fn print(
    out: &mut impl Write,
    game: &PublishedGame,
    record: Option<&Recorded>,
    settled: Option<&ClaimOutcome>,
    whole: bool,
) -> std::io::Result<()> {
    writeln!(out, "{}  {}\n    {}", game.name, game.title, game.rules)?;
    match &game.file {
        Some(file) if whole => {
            if !file.positions.trim().is_empty() {
                writeln!(out, "    positions: {}", file.positions.trim())?;
            }
            writeln!(out, "    move: {}", file.moves.trim())?;
        }
        Some(_) => {}
        None => writeln!(out, "    in the catalogue: {}", game.claim.game)?,
    }
    writeln!(out, "    claim: {}\n    {}", game.claim.statement, game.claim.source)?;
    match (game.formula(), game.why_no_formula()) {
        (Some(formula), _) => writeln!(out, "    as a formula: {formula}")?,
        (None, Some(why)) => writeln!(out, "    no formula: {why}")?,
        (None, None) => {}
    }
    let told = |record: &Recorded| format!("{}: {}", record.verdict, record.found);
    match (settled, record) {
        (Some(ClaimOutcome { record: found, seconds }), record) => {
            writeln!(out, "    {}", told(found))?;
            let standing = match record {
                Some(_) if as_recorded(found, record) => "as recorded".into(),
                Some(record) => format!("NOT AS RECORDED: {}", told(record)),
                None => "nothing is recorded".into(),
            };
            writeln!(out, "    {standing}; {seconds:.1} s")?;
        }
        (None, Some(record)) => writeln!(out, "    {}", told(record))?,
        (None, None) => writeln!(out, "    nothing is recorded")?,
    }
    let hash = settled
        .map(|settled| &settled.record)
        .or(record)
        .and_then(|record| record.certificate.as_ref());
    if let Some(hash) = hash {
        writeln!(out, "    certificate {hash}")?;
    }
    writeln!(out)?;
    out.flush()
}

/// Writes how many games have which verdict.
fn counts(
    out: &mut impl Write,
    games: &[PublishedGame],
    verdicts: &[Recorded],
) -> std::io::Result<()> {
    let mut kinds: Vec<(&str, usize)> = Vec::new();
    for record in verdicts.iter().filter(|record| games.iter().any(|game| game.name == record.id)) {
        match kinds.iter_mut().find(|(kind, _)| *kind == record.verdict.as_str()) {
            Some((_, count)) => *count += 1,
            None => kinds.push((record.verdict.as_str(), 1)),
        }
    }
    kinds.sort();
    let kinds: Vec<String> = kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    writeln!(out, "{} games: {}", games.len(), kinds.join(", "))
}
