//! Games of the literature: one file a game in data/literature, each a rule file, or the name of a
//! game of the catalogue, with a table `[published]` that says where it is printed and what is
//! claimed of it.
//!
//! No engine reads the claims: they are what verdicts are compared with. [`PublishedGame::settle`]
//! settles the claim where it can be said here, holds it against tables where no proof comes in
//! time, and where it can't be said, looks for a form of the program's own.

use crate::read::{ClaimDataError, claim, parse, refused};
use crate::verdicts::{Recorded, RecordedVerdict};
use bouton_core::clock::Instant;
use bouton_core::{Budget, NotationError};
use bouton_engine::Game;
use bouton_games::{ParsedGame, RuleFile, RuleFileError, RuleText};
use bouton_study::{
    Bound, ClaimError, ClaimStatement, Findings, PublishedClaim, Settings, StudyError, StudyTarget,
    StudyTargetError, Verdict, compare_with_tables, settle, settle_for, study,
};
use std::time::Duration;
use toml::{Table, Value};

/// The files, embedded: name and text. They lie in data/literature of this crate.
const FILES: &[(&str, &str)] = bouton_games::PUBLISHED;

/// The largest circle to which claims about Kotzig's Nim are computed, in cells.
const CELLS: usize = 40;

/// A published game with what is claimed of it.
#[derive(Debug, Clone)]
pub struct PublishedGame {
    /// Its name here, which is the file's.
    pub name: String,
    /// What people call it.
    pub title: String,
    /// The rules in words.
    pub rules: String,
    /// The rules as a rule file has them; none of a game of the catalogue.
    pub file: Option<RuleText>,
    /// The claim: the game as commands know it, where it is printed, what it says.
    pub claim: PublishedClaim,
}

/// The result of a game's claim.
#[derive(Debug, Clone)]
pub struct ClaimOutcome {
    /// The verdict: `proved`, `holds`, `refuted`, `unknown`, `not settled`; of a claim that can't
    /// be said here `own form proved`, `own form holds` or `no form`.
    pub record: Recorded,
    /// Time it took, in seconds.
    pub seconds: f64,
}

/// Why a claim of the literature could not be settled: a mistake in its file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LiteratureError {
    /// The rules.
    #[error(transparent)]
    Rules(#[from] RuleFileError),
    /// The game's name.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// The claim.
    #[error(transparent)]
    Claim(#[from] ClaimError),
    /// A study that cannot be.
    #[error(transparent)]
    Target(#[from] StudyTargetError),
    /// A study that went wrong.
    #[error(transparent)]
    Study(#[from] StudyError),
}

/// Returns all games of the literature, by name. Fails if a file cannot be read.
pub fn literature() -> Result<Vec<PublishedGame>, ClaimDataError> {
    FILES.iter().map(|(name, text)| read(name, text)).collect()
}

/// Returns the one of this name.
pub fn published_game(name: &str) -> Result<Option<PublishedGame>, ClaimDataError> {
    FILES.iter().find(|(own, _)| *own == name).map(|(name, text)| read(name, text)).transpose()
}

fn read(name: &str, text: &str) -> Result<PublishedGame, ClaimDataError> {
    let file = format!("literature/{name}.toml");
    let mut keys = parse(&file, text)?;
    let wrong = |message: String, accepted: &str| refused(&file, name, message, accepted.into());
    let Some(Value::Table(mut published)) = keys.remove("published") else {
        return Err(wrong("`published` is missing".into(), "[published]"));
    };
    let taken = |table: &mut Table, key: &str| match table.remove(key) {
        Some(Value::String(text)) => Ok(text),
        _ => {
            Err(wrong(format!("`{key}` is no text"), "title = \"…\", rules = \"…\", game = \"…\""))
        }
    };
    let title = taken(&mut published, "title")?;
    let (game, rules, own) = if keys.contains_key("game") {
        let (game, rules) = (taken(&mut keys, "game")?, taken(&mut keys, "rules")?);
        if let Some(key) = keys.keys().next() {
            return Err(wrong(format!("`{key}` beside `game`"), "game, rules"));
        }
        (game, rules, None)
    } else {
        let own = RuleText::read(text).map_err(|error| wrong(error.to_string(), "a rule file"))?;
        if own.name != name {
            return Err(wrong(format!("its game is called {}", own.name), name));
        }
        (own.name.clone(), own.rules.clone(), Some(own))
    };
    published.insert("id".into(), name.into());
    published.insert("game".into(), game.into());
    let claim = claim(&file, 0, &published)?;
    Ok(PublishedGame { name: name.into(), title, rules, file: own, claim })
}

impl PublishedGame {
    /// Returns the game, read within a budget of time.
    pub fn game(&self, budget: &Budget) -> Result<Box<dyn Game>, LiteratureError> {
        Ok(match &self.file {
            Some(rules) => RuleFile::parse_within(&rules.to_text(), budget)?.game(),
            None => bouton_games::parse(&self.claim.game)?.game,
        })
    }

    /// Returns the claim as a formula, where it is one: of the heaps a, b, …, of the heaps and the
    /// value v, or of n.
    pub fn formula(&self) -> Option<String> {
        match &self.claim.says {
            ClaimStatement::PPositions(form) => Some(format!("P iff {}", form.whole)),
            ClaimStatement::Values(values) => Some(values.values.clone()),
            ClaimStatement::Theory(claim) => claim.formula(),
            _ => None,
        }
    }

    /// Returns why the claim is no formula, where that is said.
    pub fn why_no_formula(&self) -> Option<&str> {
        match &self.claim.says {
            ClaimStatement::Listed(listed) => Some(&listed.why),
            ClaimStatement::Automaton(_) => Some("the claim is an automaton that reads digits"),
            ClaimStatement::Remark(remark) => Some(&remark.why),
            _ => None,
        }
    }

    /// Settles the claim within so much time: half of it for a proof, the rest for tables where
    /// there is none.
    pub fn settle(
        &self,
        budget: &Budget,
        limit: Duration,
    ) -> Result<ClaimOutcome, LiteratureError> {
        let started = Instant::now();
        let budget = budget.within(limit);
        let record = |verdict: &Verdict| Recorded::named(&self.name, &self.claim.game, verdict);
        let record = match &self.claim.says {
            ClaimStatement::PPositions(_)
            | ClaimStatement::Values(_)
            | ClaimStatement::Automaton(_)
            | ClaimStatement::Listed(_) => {
                let game = self.game(&budget)?;
                let says = &self.claim.says;
                let mut verdict = settle_for(&*game, says, &budget.within(limit / 2))?;
                if matches!(verdict, Verdict::Unknown(_))
                    && !matches!(says, ClaimStatement::Listed(_))
                {
                    verdict = compare_with_tables(&*game, says, &budget)?;
                }
                record(&verdict)
            }
            ClaimStatement::Remark(_) => {
                let game = self.game(&budget)?;
                match game.heap_game() {
                    Some(_) => self.own_form(game, &budget)?,
                    None => record(&settle_for(&*game, &self.claim.says, &budget)?),
                }
            }
            _ => {
                let bound =
                    Bound { to: CELLS, budget: budget.clone(), theorems: crate::theorems() };
                record(&settle(&self.claim, &self.claim.game, &bound, &|_| {})?)
            }
        };
        Ok(ClaimOutcome { record, seconds: started.elapsed().as_secs_f64() })
    }

    /// Returns the form that a study finds by itself.
    fn own_form(&self, game: Box<dyn Game>, budget: &Budget) -> Result<Recorded, LiteratureError> {
        let play = self.claim.says.play();
        let subject = StudyTarget::parse(&self.claim.game, play, |_| Ok(ParsedGame::game(game)))?;
        let found = study(&subject, Settings::default(), budget, &|_| {})?;
        let mut record = Recorded {
            id: self.name.clone(),
            game: self.claim.game.clone(),
            verdict: RecordedVerdict::NoForm,
            found: self.why_no_formula().unwrap_or_default().to_owned(),
            certificate: None,
            recheck: None,
            fails_at: None,
        };
        let Findings::Heaps(heaps) = &found.findings else { return Ok(record) };
        let form =
            heaps.line.boards.last().and_then(|board| board.claim.clone().or(board.form.clone()));
        match (&heaps.line.ending, form) {
            (bouton_study::PipelineOutcome::Proved(_), Some(form)) => {
                record.verdict = RecordedVerdict::OwnFormProved;
                record.found = form;
                record.certificate =
                    found.certificate().map(|certificate| certificate.hash().to_owned());
            }
            (bouton_study::PipelineOutcome::Holds { reason }, Some(form)) => {
                record.verdict = RecordedVerdict::OwnFormHolds;
                record.found = format!("{form}; to {}, {reason}", heaps.line.holds_to());
            }
            _ => {}
        }
        Ok(record)
    }
}
