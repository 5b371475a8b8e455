//! A study of one game, whatever its kind, as plain data: what was computed, conjectured, proved,
//! refuted, compared with the literature, how long it took and how to make it again.
//!
//! [`StudyTarget`] is what can be studied, [`study`] does it within a budget, and a [`Study`] is
//! what comes out. Texts, pages and files are made from it elsewhere; its serialization is the JSON
//! that `bouton study` prints.

use crate::nim_values::{self, NimValues, ValuePlace, value_claim, with_value};
use crate::observed::observed_study;
use crate::partial::{before_parts, partial_theorems, reserves_time};
use crate::partial_theorem::{PartialTheorem, Parts};
use crate::pipeline::{Pipeline, PipelineOutcome, follow};
use crate::published::{Comparison, compare};
use crate::settings::Settings;
use crate::settle::settle_form;
use crate::summand_values::{SummandValues, summand_values};
use crate::tables::Tables;
use crate::theorems::{Theorems, name_on_heaps};
use bouton_certificate::SealedCertificate;
use bouton_conjecture::{Fit, OutcomeTable};
use bouton_core::clock::Instant;
use bouton_core::{
    Board, Budget, DotsStructure, HeapGame, LimitReached, NotationError, Outcome, Play,
};
use bouton_engine::{Game, Kind as GameKind, Settings as Solving};
use bouton_games::{ParsedGame, THEORIES, heap_sum, where_moves_begin};
use bouton_prover::{Acceptor, MAX_CLAIM_HEAPS};
use bouton_theory::form::Form;
use bouton_theory::form::FormError;
use bouton_theory::reproduce::{CommandResult, Commands, ReproduceCommand};
use bouton_theory::verdict::{Proved, Verdict, VerdictKind};
use bouton_theory::{
    ClaimError, StudiedFamily, StudyOption, TheoryError, TheoryFindings, TheoryRequest,
    TheoryStudy, UnsupportedGame,
};
use serde::{Serialize, Serializer};
use std::ops::Deref;
use std::sync::Arc;

/// What is to be studied.
pub struct StudyTarget {
    play: Play,
    what: TargetKind,
    /// The game whose nim-values are sought: the studied one is it with a heap of Nim beside it.
    values_of: Option<(String, ValuePlace)>,
    /// The summands, where the game is made of several.
    summands: Vec<Box<dyn Game>>,
}

/// A game, with the position that was named, or a family of games.
#[allow(clippy::large_enum_variant, reason = "one of these stands for a whole study")]
enum TargetKind {
    Game(Box<dyn Game>, Option<String>, StudyInput),
    Family(StudiedFamily),
}

/// What kind of study it is, with what it needs.
#[allow(clippy::large_enum_variant, reason = "one of these stands for a whole study")]
enum StudyInput {
    Heaps(HeapGame),
    Counts(Vec<(Box<dyn Game>, HeapGame)>),
    Theory(Box<dyn TheoryStudy>),
    /// Single heaps without a theory.
    Values,
    Position,
}

/// The kinds of studies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A game on a fixed number of heaps.
    Heaps,
    /// A game on any number of heaps, studied at a few numbers of them.
    Counts,
    /// A game with a theory of its own.
    Theory,
    /// A family of games.
    Family,
    /// One position.
    Position,
}

/// A study that cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StudyTargetError {
    /// Nothing is known how to study this game; why, and what can be done instead.
    #[error("{game}: {why}")]
    Game {
        /// The game.
        game: String,
        /// Why.
        why: String,
    },
    /// The text.
    #[error(transparent)]
    Notation(#[from] NotationError),
}

/// What broke a study off.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// A published form that cannot be read.
    #[error("the ledger: {0}")]
    Form(#[from] FormError),
    /// A published claim that cannot be read.
    #[error("the ledger: {0}")]
    Claim(#[from] ClaimError),
    /// The study of a theory.
    #[error(transparent)]
    Theory(#[from] TheoryError),
    /// A position or a code.
    #[error(transparent)]
    Notation(#[from] NotationError),
}

/// Numbers of heaps at which a game on any number of them is studied.
const COUNTS: [usize; 3] = [2, 3, 4];
/// The last single heap whose nim-value is listed.
const VALUES: u32 = 100;

impl StudyTarget {
    /// Returns the study that a text asks for: a family of games, or a game, which `parse` reads.
    pub fn parse(
        text: &str,
        play: Play,
        parse: impl FnOnce(&str) -> Result<ParsedGame, NotationError>,
    ) -> Result<StudyTarget, StudyTargetError> {
        if let Some(family) = THEORIES.iter().find_map(|theory| theory.study_family(text, play)) {
            let family = family
                .map_err(|UnsupportedGame { game, why }| StudyTargetError::Game { game, why })?;
            return Ok(StudyTarget {
                play,
                what: TargetKind::Family(family),
                values_of: None,
                summands: Vec::new(),
            });
        }
        let ParsedGame { game, position, .. } = parse(text)?;
        let matter = StudyInput::new(&*game, position.is_some(), play)?;
        Ok(StudyTarget {
            play,
            what: TargetKind::Game(game, position, matter),
            values_of: None,
            summands: Vec::new(),
        })
    }

    /// Returns the study that a text asks for: a family, a game, a sum of games on heaps as one
    /// game (`S(1,2,3) + nim`); or, for `values`, the nim-values of a game.
    pub fn read(
        text: &str,
        values: bool,
        play: Play,
        parse: impl Fn(&str) -> Result<ParsedGame, NotationError>,
    ) -> Result<StudyTarget, StudyTargetError> {
        if values {
            let ParsedGame { game, position, .. } = parse(text)?;
            let no = |why: String| Err(StudyTargetError::Game { game: game.name(), why });
            return match position {
                _ if play == Play::Misere => no("nim-values are of normal play".into()),
                Some(position) => no(format!(
                    "nim-values for all heap sizes are of a game, not of a position: without \
                     `:{position}`"
                )),
                None => StudyTarget::values(&*game).or_else(|error| {
                    // What is studied of single heaps are their values.
                    match StudyInput::new(&*game, false, play) {
                        Ok(matter @ (StudyInput::Theory(_) | StudyInput::Values))
                            if game.single(1).is_some() =>
                        {
                            Ok(StudyTarget {
                                play,
                                what: TargetKind::Game(game, None, matter),
                                values_of: None,
                                summands: Vec::new(),
                            })
                        }
                        _ => Err(error),
                    }
                }),
            };
        }
        if text.contains('+') && !text.contains(':') {
            // A game that takes any number of heaps is one heap of it here.
            let on_heaps = |text: &str| {
                // A summand with a position is no game of all sizes.
                let named = parse(text).ok().filter(|named| named.position.is_none())?;
                Some(named.game).filter(|game| game.heap_game().is_some())
            };
            let single = |text: &str| {
                on_heaps(text).or_else(|| {
                    let named = parse(text).ok().filter(|named| named.position.is_none())?;
                    on_heaps(&name_on_heaps(&named.game.name(), 1))
                })
            };
            let parts: Option<Vec<_>> = text.split('+').map(|text| single(text.trim())).collect();
            if let Some(parts) = parts {
                return StudyTarget::sum(parts, play);
            }
        }
        StudyTarget::parse(text, play, parse)
    }

    /// Returns the study of a game's nim-values for all heap sizes: of its P-positions with a heap
    /// of Nim beside it.
    pub fn values(game: &dyn Game) -> Result<StudyTarget, StudyTargetError> {
        let no = |why: String| StudyTargetError::Game { game: game.name(), why };
        let beside = with_value(game).map_err(|error| no(error.why))?;
        let Some(stated) = beside.heap_game().filter(|stated| stated.heaps <= MAX_CLAIM_HEAPS)
        else {
            return Err(no(format!(
                "more than the {MAX_CLAIM_HEAPS} heaps of which forms are sought"
            )));
        };
        let values_of = Some((game.name(), ValuePlace::in_sum(&stated)));
        Ok(StudyTarget {
            play: Play::Normal,
            what: TargetKind::Game(beside, None, StudyInput::Heaps(stated)),
            values_of,
            summands: Vec::new(),
        })
    }

    /// Returns whether the checker accepts a proof of a form of the P-positions, or of the
    /// nim-values if these are studied.
    pub(crate) fn proves(&self, form: &str, budget: &Budget) -> bool {
        let TargetKind::Game(game, ..) = &self.what else { return false };
        let whole = match &self.values_of {
            Some((_, place)) => value_claim(form, *place).ok(),
            None => Some(form.to_owned()),
        };
        let Some(whole) = whole else { return false };
        let form = Form { whole, play: self.play, ..Form::default() };
        matches!(settle_form(&**game, &form, budget), Ok(Verdict::Proved(Proved::Theorem(_))))
    }

    /// Returns the sum of some games on heaps, as one game.
    pub fn sum(games: Vec<Box<dyn Game>>, play: Play) -> Result<StudyTarget, StudyTargetError> {
        let all: Vec<&dyn Game> = games.iter().map(|game| &**game).collect();
        let whole = heap_sum(&all)
            .map_err(|error| StudyTargetError::Game { game: error.game, why: error.why })?;
        let matter = StudyInput::new(&*whole, false, play)?;
        Ok(StudyTarget {
            play,
            what: TargetKind::Game(whole, None, matter),
            values_of: None,
            summands: games,
        })
    }

    /// Returns the kind of study.
    pub fn kind(&self) -> Kind {
        match self.what {
            TargetKind::Family(_) => Kind::Family,
            TargetKind::Game(_, _, StudyInput::Heaps(_)) => Kind::Heaps,
            TargetKind::Game(_, _, StudyInput::Counts(_)) => Kind::Counts,
            TargetKind::Game(_, _, StudyInput::Theory(_) | StudyInput::Values) => Kind::Theory,
            TargetKind::Game(_, _, StudyInput::Position) => Kind::Position,
        }
    }

    /// Returns the game's name.
    pub fn name(&self) -> String {
        match &self.what {
            TargetKind::Family(family) => family.name.clone(),
            TargetKind::Game(game, ..) => game.name(),
        }
    }
}

impl StudyInput {
    fn new(
        game: &dyn Game,
        has_position: bool,
        play: Play,
    ) -> Result<StudyInput, StudyTargetError> {
        if let Some(study) =
            THEORIES.iter().find_map(|theory| theory.study(game, play, has_position))
        {
            return Ok(StudyInput::Theory(study));
        }
        let no = |why: String| Err(StudyTargetError::Game { game: game.name(), why });
        let stated = game.heap_game();
        if let Some(stated) = stated.clone().filter(|stated| stated.heaps <= MAX_CLAIM_HEAPS) {
            return Ok(StudyInput::Heaps(stated));
        }
        if has_position || game.start().is_some() {
            return Ok(StudyInput::Position);
        }
        let counts = counts(&game.name());
        if !counts.is_empty() {
            return Ok(StudyInput::Counts(counts));
        }
        let has_values = || {
            let mut session = game.session(Solving::default());
            game.single(1).is_some() && session.values(0, &mut |_, _| ()).is_some()
        };
        if play == Play::Normal && stated.is_none() && has_values() {
            return Ok(StudyInput::Values);
        }
        let name = game.name();
        match stated {
            Some(stated) => no(format!(
                "{} heaps are more than the {MAX_CLAIM_HEAPS} of which forms are sought; give a \
                 position: {name}:{}",
                stated.heaps,
                game.position_form()
            )),
            None if play == Play::Misere && game.heap_moves().is_some() => no(format!(
                "misère play of single heaps has no nim-values; see bouton genus '{name}' and \
                 bouton quotient '{name}'"
            )),
            None => match game.tables_only() {
                Some(why) => no(format!(
                    "tables only: {why}; `bouton positions '{name}' --max 20 --csv FILE` and \
                     `bouton conjecture --from FILE` seek a form, or give a position: {name}:{}",
                    game.position_form()
                )),
                None => no(format!(
                    "there is no table to make of it; give a position: {}",
                    game.position_form()
                )),
            },
        }
    }
}

/// Returns the game on a few numbers of heaps, where its name takes one.
fn counts(name: &str) -> Vec<(Box<dyn Game>, HeapGame)> {
    let at = |heaps: usize| {
        let game = bouton_games::parse(&name_on_heaps(name, heaps)).ok()?.game;
        let stated = game.heap_game().filter(|stated| stated.heaps == heaps)?;
        Some((game, stated))
    };
    COUNTS.into_iter().map_while(at).collect()
}

impl StudyTarget {
    /// Returns whether an option means something to this study; else why not.
    pub fn supports(&self, option: StudyOption) -> Result<(), &'static str> {
        match (&self.what, option) {
            (TargetKind::Game(_, _, StudyInput::Theory(study)), option) => study.supports(option),
            (TargetKind::Family(family), option) => family.study.supports(option),
            (TargetKind::Game(_, _, StudyInput::Values), StudyOption::Max | StudyOption::BFile) => {
                Ok(())
            }
            (TargetKind::Game(_, _, StudyInput::Values), StudyOption::Certificate) => {
                Err("no theory proves what values of single heaps show")
            }
            (
                TargetKind::Game(_, _, StudyInput::Heaps(_)),
                StudyOption::Max | StudyOption::Certificate,
            )
            | (TargetKind::Game(_, _, StudyInput::Counts(_)), StudyOption::Max) => Ok(()),
            (TargetKind::Game(_, _, StudyInput::Counts(_)), StudyOption::Certificate) => {
                Err("a certificate is about one number of heaps: name it, as in nim(3)")
            }
            (_, option) => Err(option.refusal()),
        }
    }
}

/// What is known of a game.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "study_of_game")]
pub struct Study {
    /// The game's name in normal form.
    pub game: String,
    /// Its rules.
    pub rules: Rules,
    /// Who wins at the end.
    #[serde(serialize_with = "play_word")]
    #[cfg_attr(feature = "schema", schemars(with = "bouton_theory::answer::PlayName"))]
    pub play: Play,
    /// What was found.
    #[serde(flatten)]
    pub findings: Findings,
    /// What it says of the nim-values of a game, where these were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<NimValues>,
    /// The position that was named, or the game's own start, solved.
    pub start: Option<Start>,
    /// Commands that make it, and parts of it, again.
    pub again: Vec<ReproduceCommand>,
    /// Time that all of it took, in seconds.
    pub seconds: f64,
}

/// The rules of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Rules {
    /// In a sentence or two.
    pub words: String,
    /// What must hold of the heaps before and after a move (p0, q0, p1, …), where a formula says
    /// it.
    pub formula: Option<String>,
}

/// What was found, by the kind of study.
#[allow(clippy::large_enum_variant, reason = "one of these stands for a whole study")]
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Findings {
    /// Of a game on a fixed number of heaps.
    Heaps(Heaps),
    /// Of a game on any number of heaps, at a few numbers of them.
    Counts {
        /// Proved if each of them is, or unknown.
        verdict: VerdictKind,
        /// Each of them.
        studies: Vec<Study>,
        /// The nim-values of single heaps from 0 on, in normal play.
        values: Vec<u32>,
    },
    /// Of one position, which stands under `start`.
    Position,
    /// Of a game, or a family of games, with a theory of its own.
    #[serde(untagged)]
    Theory(TheoryResult),
}

/// What a theory found.
#[derive(Debug, Clone)]
pub struct TheoryResult(Arc<dyn TheoryFindings>);

impl Deref for TheoryResult {
    type Target = dyn TheoryFindings;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl Serialize for TheoryResult {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut fields = serde_json::Map::from_iter([("kind".to_owned(), self.kind().into())]);
        fields.extend(self.fields());
        fields.serialize(to)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for TheoryResult {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "found_by_theory".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let all: Vec<_> = THEORIES.iter().map(|theory| theory.findings_schema(generator)).collect();
        schemars::json_schema!({"anyOf": all})
    }
}

/// A line, and what is published.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Heaps {
    /// From rules to theorem.
    #[serde(flatten)]
    pub line: Pipeline,
    /// What is published, compared with the tables.
    pub published: Vec<Comparison>,
    /// Where no form of all P-positions is proved: theorems on the positions in which some heaps
    /// are empty, or one is bounded, or to which a move leads.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub partial: Vec<PartialTheorem>,
    /// How many classes of P-positions of the last table these theorems have together.
    #[serde(skip_serializing_if = "is_zero")]
    pub partial_classes: usize,
}

/// A position solved.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Start {
    /// The position as every command reads it.
    pub position: String,
    /// The same as numbers, where numbers make it.
    pub numbers: Option<Vec<u64>>,
    /// Who wins.
    #[serde(serialize_with = "outcome_letter")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<bouton_theory::answer::OutcomeLetter>")
    )]
    pub outcome: Option<Outcome>,
    /// In normal play, where it exists and was within reach.
    pub nim_value: Option<u32>,
    /// The best margin of the player to move, in games won on points.
    pub margin: Option<i32>,
    /// The moves that win, or keep the margin.
    pub winning: Vec<Winning>,
    /// Why something is unknown.
    pub reason: Option<String>,
    /// Positions expanded.
    pub nodes: u64,
    /// Time it took, in seconds.
    pub seconds: f64,
    /// What it looks like.
    #[serde(skip)]
    pub board: Option<Board>,
    /// What players see on its board.
    #[serde(skip)]
    pub sight: Option<DotsStructure>,
    /// In games won on points, the board after every move whose margin is known, and that margin.
    #[serde(skip)]
    pub margins: Vec<(Board, i32)>,
    /// What players say of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<PlayersRemark>,
}

/// A fact about a position, in the words of players.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "said")]
pub struct PlayersRemark {
    /// What it is about.
    pub about: String,
    /// The fact.
    pub text: String,
}

/// A move that wins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Winning {
    /// The position it leads to.
    pub to: String,
    /// The move in words.
    #[serde(rename = "move")]
    pub text: String,
}

fn play_word<S: Serializer>(play: &Play, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(if *play == Play::Misere { "misere" } else { "normal" })
}

fn outcome_letter<S: Serializer>(outcome: &Option<Outcome>, to: S) -> Result<S::Ok, S::Error> {
    outcome.map(|outcome| outcome.to_string()).serialize(to)
}

/// Returns the numbers that a text lists, if it does: heaps with commas between.
pub fn numbers(position: &str) -> Option<Vec<u64>> {
    position.split(',').map(|heap| heap.trim().parse().ok()).collect()
}

impl Study {
    /// Returns whether all was settled, and nothing that is published was refuted.
    pub fn is_settled(&self) -> bool {
        let start = self.start.as_ref().is_none_or(|start| start.reason.is_none());
        start
            && match &self.findings {
                Findings::Heaps(Heaps { line, published, .. }) => {
                    let is_found = matches!(
                        line.ending,
                        PipelineOutcome::Proved(_)
                            | PipelineOutcome::ProvedBySummands { .. }
                            | PipelineOutcome::Holds { .. }
                    );
                    is_found && published.iter().all(|c| c.verdict != VerdictKind::Refuted)
                }
                Findings::Counts { studies, .. } => studies.iter().all(Study::is_settled),
                Findings::Theory(found) => found.is_settled(),
                Findings::Position => true,
            }
    }

    /// Returns what the checker reads, if something was proved.
    pub fn certificate(&self) -> Option<&SealedCertificate> {
        match &self.findings {
            Findings::Heaps(Heaps {
                line: Pipeline { ending: PipelineOutcome::Proved(proved), .. },
                ..
            }) => Some(&proved.certificate),
            Findings::Theory(found) => found.certificate(),
            _ => None,
        }
    }

    /// Returns the theorems on P-positions that were proved: game, form and certificate.
    pub fn theorems(&self) -> Vec<(&str, Form, &SealedCertificate)> {
        match &self.findings {
            Findings::Heaps(Heaps { line, .. }) => {
                let theorem = line.theorem(self.play);
                theorem
                    .map(|(form, certificate)| (&*self.game, form, certificate))
                    .into_iter()
                    .collect()
            }
            Findings::Counts { studies, .. } => studies.iter().flat_map(Study::theorems).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the nim-values of the summands of a sum, where they are what is proved of it.
    pub fn summands(&self) -> &[SummandValues] {
        match &self.findings {
            Findings::Heaps(Heaps {
                line: Pipeline { ending: PipelineOutcome::ProvedBySummands { summands }, .. },
                ..
            }) => summands,
            _ => &[],
        }
    }

    /// Returns the theorems on parts of a game of which none is proved as a whole.
    pub fn partial_theorems(&self) -> &[PartialTheorem] {
        match &self.findings {
            Findings::Heaps(Heaps { partial, .. }) => partial,
            _ => &[],
        }
    }

    /// Returns the last form that stands, of a game on one board, if it is an automaton.
    pub fn automaton(&self) -> Option<Acceptor> {
        match &self.findings {
            Findings::Heaps(Heaps { line, .. }) => line.automaton(),
            _ => None,
        }
    }

    /// Returns the nim-values as an OEIS b-file, of a game studied by them.
    pub fn b_file(&self) -> Option<String> {
        match &self.findings {
            Findings::Theory(found) => found.b_file(),
            _ => None,
        }
    }
}

/// Studies a game within a budget; `tell` is called with each step of the work.
pub fn study(
    subject: &StudyTarget,
    settings: Settings<'_>,
    budget: &Budget,
    tell: &dyn Fn(&str),
) -> Result<Study, StudyError> {
    let started = Instant::now();
    let play = subject.play;
    let (game, position, matter) = match &subject.what {
        TargetKind::Game(game, position, matter) => (&**game, position, matter),
        TargetKind::Family(family) => {
            let found = family.study.run(&request(settings, budget, tell))?;
            return Ok(Study {
                rules: Rules { words: family.rules.into(), formula: None },
                game: family.name.clone(),
                play,
                again: found.again(),
                findings: Findings::Theory(TheoryResult(found)),
                values: None,
                start: None,
                seconds: started.elapsed().as_secs_f64(),
            });
        }
    };
    let commands = Commands::new(game, play);
    let mut again = vec![commands.make(CommandResult::Study, "study", [])];
    let start = match position.clone().or_else(|| game.start()) {
        Some(position) => {
            again.push(commands.make(CommandResult::Position, "solve", [position.as_str()]));
            tell(&format!("solving {}", game.name()));
            // One position is little beside tables and proofs, if there are some.
            let share = match (matter, budget.deadline) {
                (StudyInput::Position, _) | (_, None) => budget.clone(),
                (_, Some(deadline)) => budget.within(deadline.left() / 4),
            };
            Some(solved(game, play, &position, &share)?)
        }
        None => None,
    };
    let findings = match matter {
        StudyInput::Heaps(stated) => {
            // A form of nim-values is read off one that says nothing else.
            let settings = Settings { where_moves_begin: subject.values_of.is_none(), ..settings };
            let summands = &subject.summands;
            let found = heaps(game, stated, (play, summands), settings, budget, tell)?;
            again.extend(again_of(&commands, &found.line));
            Findings::Heaps(found)
        }
        StudyInput::Counts(games) => {
            let studies = study_counts(games, play, settings, budget, tell)?;
            let proved = studies.iter().all(|study| study.certificate().is_some());
            let verdict = if proved { VerdictKind::Proved } else { VerdictKind::Unknown };
            Findings::Counts { verdict, studies, values: values(game, play, budget) }
        }
        StudyInput::Theory(study) => {
            again.extend(study.command().map(|(makes, command)| commands.make(makes, command, [])));
            Findings::Theory(TheoryResult(study.run(&request(settings, budget, tell))?))
        }
        StudyInput::Values => {
            tell(&format!("values of {}", game.name()));
            again.push(commands.make(CommandResult::Period, "period", []));
            Findings::Theory(TheoryResult(Arc::new(observed_study(game, settings.max, budget))))
        }
        StudyInput::Position => Findings::Position,
    };
    if let Some((name, _)) = &subject.values_of {
        again[0] = ReproduceCommand {
            makes: CommandResult::Study,
            arguments: ["study", "--values", name].map(str::to_owned).into(),
        };
    }
    let values = subject
        .values_of
        .as_ref()
        .map(|(name, place)| nim_values_of(name.clone(), *place, &findings));
    if game.rule_files().iter().any(|file| file.path.is_none()) {
        // Rules that were made here and are in no file.
        again.truncate(1);
    }
    let seconds = started.elapsed().as_secs_f64();
    Ok(Study {
        game: game.name(),
        rules: rules(game),
        play,
        findings,
        values,
        start,
        again,
        seconds,
    })
}

/// Studies each of the games on fixed numbers of heaps that make up one on any number, with as much
/// of the time for each that is left.
fn study_counts(
    games: &[(Box<dyn Game>, HeapGame)],
    play: Play,
    settings: Settings<'_>,
    budget: &Budget,
    tell: &dyn Fn(&str),
) -> Result<Vec<Study>, StudyError> {
    let mut studies = Vec::new();
    for (i, (game, stated)) in games.iter().enumerate() {
        let started = Instant::now();
        let share = match budget.deadline {
            Some(deadline) => budget.within(deadline.left() / (games.len() - i) as u32),
            None => budget.clone(),
        };
        let found = heaps(&**game, stated, (play, &[]), settings, &share, tell)?;
        let commands = Commands::new(&**game, play);
        let mut again = vec![commands.make(CommandResult::Study, "study", [])];
        again.extend(again_of(&commands, &found.line));
        studies.push(Study {
            game: game.name(),
            rules: rules(&**game),
            play,
            findings: Findings::Heaps(found),
            values: None,
            start: None,
            again,
            seconds: started.elapsed().as_secs_f64(),
        });
    }
    Ok(studies)
}

/// Returns what the last form that stands says of the nim-values of a game.
fn nim_values_of(game: String, place: ValuePlace, findings: &Findings) -> NimValues {
    let standing = match findings {
        Findings::Heaps(Heaps { line, .. }) => {
            let standing = line.boards.last().filter(|board| board.claim.is_some());
            standing.and_then(|board| board.rounds.last()?.formula())
        }
        _ => None,
    };
    let [formula, relation] =
        standing.map_or([None, None], |claim| nim_values::claim_texts(claim, place));
    NimValues { game, place: place.index() + 1, formula, relation }
}

/// Returns what is asked of a theory.
fn request<'r>(
    settings: Settings<'r>,
    budget: &'r Budget,
    tell: &'r dyn Fn(&str),
) -> TheoryRequest<'r> {
    let Settings { max, to, published, theorems, .. } = settings;
    TheoryRequest {
        max,
        to,
        published,
        certificates: theorems.map(Theorems::certificates),
        budget,
        tell,
    }
}

fn rules(game: &dyn Game) -> Rules {
    let formula = game.heap_game().and_then(|stated| stated.moves.condition);
    Rules { words: game.describe(), formula: formula.map(|formula| formula.to_string()) }
}

fn heaps(
    game: &dyn Game,
    stated: &HeapGame,
    (play, summands): (Play, &[Box<dyn Game>]),
    settings: Settings<'_>,
    budget: &Budget,
    tell: &dyn Fn(&str),
) -> Result<Heaps, StudyError> {
    // In misère play positions from which there is no move are N.
    let is_sought = play == Play::Normal && settings.where_moves_begin;
    let occurring = if is_sought { where_moves_begin(game, budget) } else { None };
    let occurring = occurring.and_then(|game| game.heap_game().map(|stated| (game, stated)));
    let within = |budget: &Budget| {
        let Settings { max, reached, .. } = settings;
        let mut tables = Tables { max, reached, ..Tables::new(game, stated, play, budget, tell) };
        if let Some([steps, bytes]) = settings.proof {
            tables.proof = Budget { nodes: Some(steps), bytes: Some(bytes), ..tables.proof };
        }
        tables
    };
    let has_parts = settings.partial && reserves_time(stated, play);
    let by_summands = settings.partial && play == Play::Normal && !summands.is_empty();
    let share = match (by_summands, budget.deadline) {
        (true, Some(deadline)) => budget.within(deadline.left() / 2),
        _ if has_parts => before_parts(stated, budget),
        _ => budget.clone(),
    };
    let tables = within(&share);
    let mut line = match &occurring {
        Some((begins, stated)) => follow(&tables.of_positions(&**begins, stated)),
        None => follow(&tables),
    };
    let mut claims = (settings.published)(&game.name());
    let files = game.rule_files();
    claims.retain(|claim| {
        let is_file = |text: &String| files.iter().any(|file| file.text == *text);
        claim.rules.as_ref().is_none_or(is_file)
    });
    let published = if occurring.is_some() && !claims.is_empty() {
        // What is published is about all positions, and what is proved about those that occur.
        let mut whole = line.clone();
        whole.ending = PipelineOutcome::NoForm;
        for board in &mut whole.boards {
            let most = board.table.as_ref().map_or(0, OutcomeTable::most);
            let most = tables.bounds(board.heaps).into_iter().filter(|bound| *bound <= most).max();
            board.table =
                most.and_then(|most| tables.make(board.heaps, most).ok()).map(|made| made.table);
        }
        compare(claims, &tables, &whole)?
    } else {
        compare(claims, &tables, &line)?
    };
    let begins = occurring.as_ref().map(|(begins, _)| &**begins);
    let is_proved = matches!(line.ending, PipelineOutcome::Proved(_));
    if by_summands && !is_proved {
        let summands = summand_values(summands, settings, budget, tell);
        if !summands.is_empty() {
            line.ending = PipelineOutcome::ProvedBySummands { summands };
        }
    }
    let is_partial = !matches!(line.ending, PipelineOutcome::ProvedBySummands { .. });
    let Parts { theorems: partial, classes: partial_classes } = if settings.partial && is_partial {
        partial_theorems(&within(budget), begins, &line)
    } else {
        Parts::default()
    };
    Ok(Heaps { line, published, partial, partial_classes })
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// Returns the nim-values of single heaps, as far as there are some and the budget reaches.
fn values(game: &dyn Game, play: Play, budget: &Budget) -> Vec<u32> {
    let mut values = Vec::new();
    if game.kind() == GameKind::Impartial && play == Play::Normal && game.single(0).is_some() {
        let solving = Solving { budget: budget.clone(), ..Solving::default() };
        // Where the budget ends the values end.
        let _ = game.session(solving).values(VALUES, &mut |_, value| values.push(value.0));
    }
    values
}

fn solved(
    game: &dyn Game,
    play: Play,
    position: &str,
    budget: &Budget,
) -> Result<Start, NotationError> {
    let found = game
        .session(Solving { play, budget: budget.clone(), ..Solving::default() })
        .analyse(position)?;
    let wins = |m: &&bouton_engine::Move| match m.evaluation.margin {
        Some(margin) => Some(margin) == found.evaluation.margin,
        None => m.evaluation.outcome == Some(Outcome::P),
    };
    let winning = found.moves.iter().filter(wins);
    let remarks =
        found.remarks.iter().map(|r| PlayersRemark { about: r.about.into(), text: r.text.clone() });
    Ok(Start {
        outcome: found.evaluation.outcome,
        nim_value: found.evaluation.nim_value.map(|value| value.0),
        margin: found.evaluation.margin,
        winning: winning.map(|m| Winning { to: m.to.clone(), text: m.text.to_string() }).collect(),
        reason: found.spent.as_ref().map(LimitReached::to_string),
        nodes: found.nodes,
        seconds: found.seconds,
        numbers: numbers(&found.position),
        board: game.board(&found.position).ok(),
        sight: game.sight(&found.position)?,
        margins: found.margins(game),
        remarks: remarks.collect(),
        position: found.position,
    })
}

/// Returns what makes parts of a line again: the last table, the proof, the picture.
fn again_of(commands: &Commands, line: &Pipeline) -> Vec<ReproduceCommand> {
    let mut all = Vec::new();
    let Some(round) = line.boards.last().and_then(|board| board.rounds.last()) else { return all };
    all.push(commands.make(CommandResult::Table, "positions", ["--max", &round.max.to_string()]));
    let pairs = round.pairs.as_ref().map(ToString::to_string);
    if let Some(claim) = round.claim.clone().or(pairs).filter(|_| round.fit != Fit::Partial) {
        let mut arguments = vec!["--claim".to_owned(), claim];
        for board in line.boards.iter().rev().skip(1) {
            let form = board.rounds.last().and_then(|round| round.claim.as_ref());
            if let Some(form) = form.filter(|form| *form != "false") {
                arguments.extend(["--for-fewer-heaps".into(), format!("{}: {form}", board.heaps)]);
            }
        }
        all.push(commands.make(
            CommandResult::Proof,
            "prove",
            arguments.iter().map(String::as_str),
        ));
    }
    if let Some(slice) = line.boards.last().and_then(|board| board.slice.as_ref()) {
        let range = format!("{}..{}", slice.range[0], slice.range[1]);
        let mut arguments = vec![slice.position.as_str(), "--x", &range];
        if slice.position.contains('y') {
            arguments.extend(["--y", &range]);
        }
        arguments.extend(["-o", "figure.svg"]);
        all.push(commands.make(CommandResult::Picture, "heatmap", arguments));
    }
    all
}
