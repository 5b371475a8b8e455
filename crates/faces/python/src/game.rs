//! A game by name or from rule files, and what is asked of its positions.

use crate::call::{Limits, run};
use crate::data::Data;
use crate::errors;
use crate::many::{self, InvalidRow, Row};
use crate::numbers::Numbers;
use crate::picture::Picture;
use bouton_certificate::SealedCertificate;
use bouton_core::{LimitReached, Meter, NotationError, Play, Symmetry, TableShape, comma_list};
use bouton_draw::tree::{Tree, TreeError, TreeLimits};
use bouton_engine::family::OwnGame;
use bouton_engine::sum::Sum;
use bouton_engine::{Kind, Settings};
use bouton_games::{Catalogue, RuleFile, RuleFileError};
use bouton_program::{Graph, Program};
use bouton_prover::Acceptor;
use bouton_study::{
    Form, Proved, SmallerBoard, SmallerBoardError, Theorems, Verdict, default_heaps,
    has_single_heaps, settle_automaton, settle_form, visit_lost_sums,
};
use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::ops::ControlFlow::{Break, Continue};
use std::path::PathBuf;
use std::sync::Arc;

pub fn play(misere: bool) -> Play {
    if misere { Play::Misere } else { Play::Normal }
}

/// Returns the families with the games of these texts of rule files. Raises an exception for the
/// first that cannot be read.
pub fn catalogue(py: Python<'_>, rules: &[String]) -> PyResult<Catalogue> {
    let mut all = Catalogue::standard().with_programs(bouton_program::read_game);
    for text in rules {
        if let Some(own) = own_game(py, text)? {
            all = all.with_own_game(own).map_err(|taken| errors::plain(py, &taken.to_string()))?;
            continue;
        }
        let file = RuleFile::parse(text).map_err(|error| match error {
            RuleFileError::Move(text, error) => errors::formula(py, &text, &error),
            other => {
                let accepted = "name = \"halves\"\nheaps = 1\nmove = \"p0 <= 2*q0\"";
                errors::error(py, errors::Kind::Value, &other.to_string(), None, accepted)
            }
        })?;
        all = all.with_rule_file(file).map_err(|taken| errors::plain(py, &taken.to_string()))?;
    }
    Ok(all)
}

/// Reads a program, or a finite graph, whose game is called `graph`; `None` of another text.
fn own_game(py: Python<'_>, text: &str) -> PyResult<Option<Arc<dyn OwnGame>>> {
    let own: Result<Arc<dyn OwnGame>, NotationError> = if bouton_program::is_program(text) {
        Program::parse(text, None).map(|program| Arc::new(program) as _)
    } else if bouton_program::is_graph(text) {
        Graph::from_text(text).map(|graph| Arc::new(graph) as _)
    } else {
        return Ok(None);
    };
    own.map(Some).map_err(|error| errors::notation(py, &error))
}

/// Returns the name of the game that a program or a finite graph states; `None` of another text.
#[pyfunction]
pub fn program_name(py: Python<'_>, text: &str) -> PyResult<Option<String>> {
    Ok(own_game(py, text)?.map(|own| own.name().to_owned()))
}

/// Returns all families, as `bouton games --json` lists them.
#[pyfunction]
pub fn games() -> Data {
    Data::new(&bouton_report::games(&Catalogue::standard()))
}

/// Takes the words that say how a game is played out of its text: `misere nim`, `nim, last loses`.
pub(crate) fn said_play(
    py: Python<'_>,
    catalogue: &Catalogue,
    text: String,
    misere: Option<bool>,
) -> PyResult<(String, Play)> {
    let mut words = vec![text];
    let said = catalogue.take_play(&mut words).map_err(|error| errors::notation(py, &error))?;
    let refused = |message: &str| Err(errors::plain(py, message));
    match (misere, said) {
        (Some(true), Some(Play::Normal)) => {
            refused("misere=True is misère play, and the words say normal play")
        }
        (Some(false), Some(Play::Misere)) => {
            refused("misere=False is normal play, and the game is said to be in misère play")
        }
        _ => Ok((words.swap_remove(0), said.unwrap_or(play(misere == Some(true))))),
    }
}

/// A game under one convention of play.
#[pyclass(frozen, module = "bouton._bouton")]
pub struct Game {
    pub game: Arc<dyn bouton_engine::Game>,
    pub catalogue: Catalogue,
    pub play: Play,
    /// The text that named it.
    pub text: String,
    named: Option<String>,
    opening: Option<String>,
    pub(crate) theorems: Theorems,
}

impl Game {
    fn notation_error(py: Python<'_>, error: &NotationError) -> PyErr {
        errors::notation(py, error)
    }

    /// Returns how many heaps the positions have that are listed of a game on single heaps if
    /// nothing is said.
    fn own_heaps(&self) -> usize {
        let named = self.catalogue.parse(&self.text).ok();
        named.as_ref().and_then(default_heaps).unwrap_or(1)
    }

    fn shrinks(&self) -> bool {
        self.game.heap_game().is_some_and(|stated| stated.shrinks)
    }

    fn table_shape(&self, py: Python<'_>) -> PyResult<TableShape> {
        self.game.table_shape().ok_or_else(|| {
            let message = format!(
                "{} is not a game on a fixed number of heaps; the number goes into the name, as \
                 in nim(5) or moore(3;4)",
                self.game.name()
            );
            errors::plain(py, &message)
        })
    }

    /// Answers many positions, one after the other. Returns their evaluations, and why the answers
    /// ended early.
    fn many(
        &self,
        py: Python<'_>,
        plan: Option<(u32, usize)>,
        each: impl FnOnce(&mut dyn FnMut(Row<'_>) -> Result<(), InvalidRow>) -> Result<(), InvalidRow>
        + Send
        + 'static,
        nim_values: bool,
        limits: Limits,
    ) -> PyResult<(Numbers, Numbers, Option<String>)> {
        let (game, play, theorems) = (self.game.clone(), self.play, self.theorems.clone());
        let solved = run(py, limits, move |budget| {
            many::solve(&*game, play, nim_values, &theorems, &budget, plan, each)
        })?;
        let found = solved.map_err(|error| Game::row_error(py, &error))?;
        Ok((found.outcomes.into(), found.values.into(), found.spent.map(|spent| spent.to_string())))
    }

    fn row_error(py: Python<'_>, error: &InvalidRow) -> PyErr {
        let message = format!("row {}: {}", error.row, error.why.message);
        let at = Some((&*error.why.text, error.why.at.clone()));
        errors::error(py, errors::Kind::Value, &message, at, &error.why.accepted)
    }

    /// Refuses a position of another game.
    fn own_position(&self, position: &str) -> Result<(), NotationError> {
        let longer = bouton_study::numbered_name(&self.catalogue, &self.text, position)?;
        match (longer, &self.named) {
            (None, _) => Ok(()),
            (Some(_), Some(_)) => self.catalogue.parse_alone(&self.text).map(|_| ()),
            (Some(other), None) => {
                let message = format!("this may be a position of {}", other.game.name());
                let list = comma_list(position).unwrap_or_default();
                let accepted = format!("a game of that name, or {list}");
                Err(NotationError::new(position, 0..position.len(), message, accepted))
            }
        }
    }

    /// Keeps what was proved, in the directory that was given.
    pub fn keep(
        &self,
        py: Python<'_>,
        form: &Form,
        certificate: &SealedCertificate,
    ) -> PyResult<()> {
        let kept = self.theorems.keep(&*self.game, form, certificate);
        kept.map_err(|why| errors::plain(py, &format!("the theorem is not kept: {why}")))
    }

    /// The same of what a study of this game, or of its nim-values, has proved.
    pub fn keep_study(&self, py: Python<'_>, found: &bouton_study::Study) -> PyResult<()> {
        let parse = |name: &str| self.catalogue.parse(name).ok().map(|named| named.game);
        let kept = self.theorems.keep_study(found, &parse);
        kept.map_err(|why| errors::plain(py, &format!("the theorems are not kept: {why}")))
    }

    /// The same of what is proved of P-positions without a formula.
    pub fn keep_positions(&self, py: Python<'_>, certificate: &SealedCertificate) -> PyResult<()> {
        let kept = self.theorems.keep_positions(&*self.game, self.play, certificate);
        kept.map_err(|why| errors::plain(py, &format!("the theorem is not kept: {why}")))
    }
}

#[pymethods]
impl Game {
    #[new]
    fn new(
        py: Python<'_>,
        text: String,
        rules: Vec<String>,
        misere: Option<bool>,
        theorems: Option<PathBuf>,
    ) -> PyResult<Game> {
        let catalogue = catalogue(py, &rules)?;
        let (text, play) = said_play(py, &catalogue, text, misere)?;
        let named = catalogue.parse(&text).map_err(|error| Game::notation_error(py, &error))?;
        let shipped = bouton_literature::theorems();
        Ok(Game {
            game: named.game.into(),
            catalogue,
            play,
            text,
            named: named.position,
            opening: named.opening,
            theorems: match theorems {
                Some(directory) => shipped.with_cache(directory),
                None => shipped,
            },
        })
    }

    #[getter]
    fn name(&self) -> String {
        self.game.name()
    }
    #[getter]
    fn rules(&self) -> String {
        self.game.describe()
    }
    #[getter]
    fn position_form(&self) -> String {
        self.game.position_form()
    }
    #[getter]
    fn kind(&self) -> &'static str {
        match self.game.kind() {
            Kind::Impartial => "impartial",
            Kind::LastMove => "last move",
            Kind::Scored => "scored",
        }
    }
    #[getter]
    fn play(&self) -> &'static str {
        bouton_report::play_word(self.play)
    }
    /// Returns the position of the name, the game's own start, or the one with which a game of the
    /// shelf begins.
    #[getter]
    fn start(&self) -> Option<String> {
        self.named.clone().or_else(|| self.game.start()).or_else(|| self.opening.clone())
    }
    /// Returns how many heaps a position has, if that is fixed.
    #[getter]
    fn heaps(&self) -> Option<usize> {
        self.game.table_shape().map(|shape| shape.numbers)
    }
    /// Returns which heaps may change places: none, ring or full.
    #[getter]
    fn symmetry(&self) -> Option<&'static str> {
        self.game.table_shape().map(|shape| match shape.symmetry {
            Symmetry::None => "none",
            Symmetry::Ring => "ring",
            Symmetry::Full => "full",
        })
    }
    /// Returns whether positions may be lists of lists and of texts, as those of programs.
    #[getter]
    fn has_lists(&self) -> bool {
        let is_on_heaps = has_single_heaps(&*self.game) || self.game.table_shape().is_some();
        !is_on_heaps && self.game.heap_game().is_none() && !self.game.ruleset().is::<Sum>()
    }
    /// Returns whether single numbers are positions.
    #[getter]
    fn has_single(&self) -> bool {
        self.game.single(1).is_some()
    }
    /// Refuses a game whose text names a position, where the question is about the game alone.
    fn alone(&self, py: Python<'_>) -> PyResult<()> {
        if self.named.is_none() {
            return Ok(());
        }
        let alone = self.catalogue.parse_alone(&self.text);
        alone.map(|_| ()).map_err(|error| Game::notation_error(py, &error))
    }
    /// Refuses a position of another game, whose name goes on with a number in this one's text or
    /// in the position: `kayles 3` at 5 may be kayles-3.
    fn one_position(&self, py: Python<'_>, position: &str) -> PyResult<()> {
        self.own_position(position).map_err(|error| Game::notation_error(py, &error))
    }
    fn normal_form(&self, py: Python<'_>, position: &str) -> PyResult<String> {
        bouton_study::normal_form(&*self.game, position)
            .map_err(|error| Game::notation_error(py, &error))
    }

    /// Returns several heaps of a game on one heap as the name of a sum and its position; nothing
    /// if they are a position of the game, or none of such a sum.
    fn sum_of_heaps(&self, heaps: &str) -> Option<(String, String)> {
        let named = bouton_study::heaps_as_sum(&self.catalogue, &self.text, &*self.game, heaps)?;
        Some((named.game.name(), named.position?))
    }

    /// Answers a position, as `bouton solve --json` tells it.
    fn solve(&self, py: Python<'_>, position: String, limits: Limits) -> PyResult<Data> {
        let (game, play, theorems) = (self.game.clone(), self.play, self.theorems.clone());
        let position = bouton_study::normal_form(&*game, &position)
            .map_err(|error| Game::notation_error(py, &error))?;
        let found = run(py, limits, move |budget| {
            let settings = Settings { play, budget, ..Settings::default() };
            let answer = bouton_study::answer(&*game, &position, &settings, &theorems)?;
            let mut value = Data::new(&bouton_report::answer(&*game, play, &answer)).0;
            let texts: Vec<Value> =
                answer.analysis.moves.iter().map(|m| (&*m.text).into()).collect();
            value["texts"] = texts.into();
            value["ignored"] = json!(answer.ignored);
            Ok(value)
        })?;
        found.map(Data).map_err(|error: NotationError| Game::notation_error(py, &error))
    }

    /// Outcomes (letters P, N, ? as code points) and nim-values (−1 where unknown) of the positions
    /// in the rows of a block of 64-bit numbers; and why some are unknown.
    fn solve_rows(
        &self,
        py: Python<'_>,
        numbers: PyBuffer<i64>,
        columns: usize,
        nim_values: bool,
        limits: Limits,
    ) -> PyResult<(Numbers, Numbers, Option<String>)> {
        let numbers = numbers.to_vec(py)?;
        let most = numbers.iter().max().and_then(|most| u32::try_from(*most).ok());
        let plan = most.map(|most| (most, numbers.len() / columns.max(1)));
        self.many(
            py,
            plan,
            move |solve| {
                numbers.chunks_exact(columns.max(1)).try_for_each(|row| solve(Row::Sizes(row)))
            },
            nim_values,
            limits,
        )
    }

    /// Answers many positions in texts.
    fn solve_texts(
        &self,
        py: Python<'_>,
        positions: Vec<String>,
        nim_values: bool,
        limits: Limits,
    ) -> PyResult<(Numbers, Numbers, Option<String>)> {
        for (row, text) in positions.iter().enumerate() {
            self.own_position(text).map_err(|why| Game::row_error(py, &InvalidRow { row, why }))?;
        }
        self.many(
            py,
            None,
            move |solve| positions.iter().try_for_each(|text| solve(Row::Text(text))),
            nim_values,
            limits,
        )
    }

    /// Returns P-positions with every heap at most `max`, a row each, the least of each symmetry
    /// class or all, as 32-bit numbers; and how many numbers a row has.
    fn p_positions(
        &self,
        py: Python<'_>,
        max: u32,
        all: bool,
        heaps: Option<usize>,
        limits: Limits,
    ) -> PyResult<(Numbers, usize)> {
        let is_fixed = self.game.table_shape().is_some_and(|shape| shape.numbers != 1);
        let on_single_heaps = has_single_heaps(&*self.game) && !is_fixed;
        let copies = match heaps {
            Some(_) if !on_single_heaps => {
                let message = format!("heaps: {} is no game on single heaps", self.game.name());
                return Err(errors::plain(py, &message));
            }
            // A game on one heap has its own table.
            None if self.game.table_shape().is_some() => None,
            None if !on_single_heaps => None,
            None => Some(self.own_heaps()),
            heaps => heaps,
        };
        let shape = match copies {
            Some(numbers) => TableShape { numbers, symmetry: Symmetry::Full },
            None => self.table_shape(py)?,
        };
        let heaps = shape.numbers;
        if all && self.shrinks() {
            return Err(errors::plain(
                py,
                "heaps leave this circle: its positions are listed by classes only",
            ));
        }
        let symmetry = if all { shape.symmetry } else { Symmetry::None };
        let Some(images) = symmetry.permutations(heaps, MAX_IMAGES) else {
            let message =
                format!("{heaps} heaps have more than {MAX_IMAGES} images; list them by classes");
            return Err(errors::plain(py, &message));
        };
        let (game, play) = (self.game.clone(), self.play);
        let found = run(py, limits, move |budget| {
            let bytes = budget.bytes.unwrap_or(u64::MAX);
            let mut session =
                game.session(Settings { play, budget: budget.clone(), ..Settings::default() });
            let (mut rows, mut full): (Vec<u32>, bool) = (Vec::new(), false);
            let mut of_one: Vec<Vec<u32>> = Vec::new();
            let mut take = |p: &[u64]| {
                of_one.clear();
                of_one.extend(images.iter().map(|image| {
                    // Heaps that have left a circle are 0, behind.
                    image.iter().map(|from| p.get(*from).map_or(0, |size| *size as u32)).collect()
                }));
                of_one.sort_unstable();
                of_one.dedup();
                of_one.iter().for_each(|row| rows.extend_from_slice(row));
                full = 4 * rows.len() as u64 > bytes;
                if full { Break(()) } else { Continue(()) }
            };
            let end = match copies {
                Some(heaps) => visit_lost_sums(&*game, heaps, play, max, &budget, &mut take),
                None => session.p_sizes(max, &mut take),
            };
            match end {
                Some(Ok(())) if full => Some(Err(LimitReached::Bytes(bytes))),
                end => end.map(|end| end.map(|()| rows)),
            }
        })?;
        match found {
            Some(Ok(rows)) => Ok((rows.into(), heaps)),
            Some(Err(spent)) => Err(errors::spent(py, spent)),
            None => {
                Err(errors::plain(py, &format!("{} has no table of P-positions", self.game.name())))
            }
        }
    }

    /// Returns the nim-values of the whole box of positions with every heap at most `max`, the last
    /// heap running fastest, as 16-bit numbers; and how many heaps a position has.
    fn nim_value_box(
        &self,
        py: Python<'_>,
        max: u32,
        limits: Limits,
    ) -> PyResult<(Numbers, usize)> {
        let shape = self.table_shape(py)?;
        let (heaps, name) = (shape.numbers, self.game.name());
        if self.shrinks() {
            return Err(errors::plain(py, "heaps leave this circle: its positions make no box"));
        }
        if self.play == Play::Misere || self.game.kind() != Kind::Impartial {
            return Err(errors::plain(
                py,
                &format!(
                    "{name} has no nim-values in {} play",
                    bouton_report::play_word(self.play)
                ),
            ));
        }
        let side = u64::from(max) + 1;
        let bytes = limits.2.map_or(u64::MAX, |megabytes| megabytes.saturating_mul(1 << 20));
        let cells = side.checked_pow(heaps as u32).filter(|cells| *cells <= bytes / 2);
        let Some(cells) = cells.and_then(|cells| usize::try_from(cells).ok()) else {
            return Err(errors::spent(py, LimitReached::Bytes(bytes)));
        };
        let images = shape.symmetry.permutations(heaps, MAX_IMAGES);
        let game = self.game.clone();
        let found = run(py, limits, move |budget| {
            let mut table = vec![0u16; cells];
            let mut session = game.session(Settings { budget, ..Settings::default() });
            let (mut too_large, mut ordered) = (None, Vec::new());
            let mut place = |p: &mut dyn Iterator<Item = u64>, value: u16| {
                table[p.fold(0, |at, size| at * side + size) as usize] = value;
            };
            let end = session.nim_value_table(max, &mut |p, value| {
                let Ok(value) = u16::try_from(value.0) else {
                    too_large = Some(value);
                    return Break(());
                };
                match &images {
                    Some(images) => images
                        .iter()
                        .for_each(|image| place(&mut image.iter().map(|from| p[*from]), value)),
                    // Too many permutations to list: each distinct order in turn.
                    None => {
                        ordered.clear();
                        ordered.extend_from_slice(p);
                        ordered.sort_unstable();
                        loop {
                            place(&mut ordered.iter().copied(), value);
                            if !next_order(&mut ordered) {
                                break;
                            }
                        }
                    }
                }
                Continue(())
            })?;
            Some(match too_large {
                Some(value) => {
                    Err(Box::from(format!("the nim-value {value} has more than 16 bits")))
                }
                None => Ok(end.map(|()| table)),
            })
        })?;
        match found {
            Some(Ok(Ok(table))) => Ok((table.into(), heaps)),
            Some(Ok(Err(spent))) => Err(errors::spent(py, spent)),
            Some(Err(why)) => {
                let why: Box<str> = why;
                Err(errors::plain(py, &why))
            }
            None => Err(errors::plain(py, &format!("{name} has no table of nim-values"))),
        }
    }

    /// Returns how many moves play lasts from a position if the winner hurries and the loser holds
    /// out.
    fn remoteness(&self, py: Python<'_>, position: String, limits: Limits) -> PyResult<u32> {
        let (game, play) = (self.game.clone(), self.play);
        let found = run(py, limits, move |budget| {
            bouton_study::remoteness_of(&*game, &position, play, &budget)
        })?;
        match found.map_err(|error| Game::notation_error(py, &error))? {
            Some(Ok(Some(found))) => Ok(found.moves),
            Some(Ok(None)) => Err(errors::plain(py, "play goes on without end")),
            Some(Err(spent)) => Err(errors::spent(py, spent)),
            None => {
                let message = format!(
                    "{} is won on points; only games won by the last move have a remoteness",
                    self.game.name()
                );
                Err(errors::plain(py, &message))
            }
        }
    }

    /// Returns the nim-values of single heaps 0..=to, as 32-bit numbers.
    fn values(&self, py: Python<'_>, to: u32, limits: Limits) -> PyResult<Numbers> {
        let game = self.game.clone();
        let found = run(py, limits, move |budget| {
            let mut values: Vec<u32> = Vec::new();
            let end = bouton_study::single_heap_values(&*game, to, &budget, &mut values);
            end.map(|end| end.map(|()| values))
        })?;
        match found {
            Some(Ok(values)) => Ok(values.into()),
            Some(Err(spent)) => Err(errors::spent(py, spent)),
            None => {
                let message = "has no nim-sequence: single numbers are no positions of it, or it \
                    has no nim-values";
                Err(errors::plain(py, &format!("{} {message}", self.game.name())))
            }
        }
    }

    /// Returns a position's picture.
    fn board(&self, py: Python<'_>, position: &str) -> PyResult<Picture> {
        let board = self.game.board(position).map_err(|error| Game::notation_error(py, &error))?;
        Ok(Picture {
            picture: bouton_draw::Picture::Board(self.game.name(), board),
            data: Value::Null,
        })
    }

    /// Returns a winning strategy.
    fn strategy(
        &self,
        py: Python<'_>,
        position: String,
        depth: usize,
        size: usize,
        limits: Limits,
    ) -> PyResult<Picture> {
        let (game, play) = (self.game.clone(), self.play);
        let grown = run(py, limits, move |budget| {
            let drawn = TreeLimits { depth, nodes: size, ..TreeLimits::default() };
            Tree::build(&*game, &position, Settings { play, budget, ..Settings::default() }, drawn)
        })?;
        match grown {
            Ok(tree) => Ok(Picture {
                data: Data::new(&bouton_report::tree(&tree)).0,
                picture: bouton_draw::Picture::Tree(tree),
            }),
            Err(TreeError::Notation(error)) => Err(Game::notation_error(py, &error)),
            Err(TreeError::LimitReached(spent)) => Err(errors::spent(py, spent)),
        }
    }

    /// Settles a form of the P-positions. Returns what `bouton prove --json` tells, and the
    /// certificate. What is proved is kept if a directory was given.
    fn settle(
        &self,
        py: Python<'_>,
        claim: String,
        smaller: Vec<String>,
        exactly: bool,
        limits: Limits,
    ) -> PyResult<(Data, Option<String>)> {
        let boards = smaller.iter().map(|line| {
            line.parse()
                .map_err(|why: SmallerBoardError| errors::plain(py, &format!("{line}: {why}")))
        });
        let smaller = boards.collect::<PyResult<_>>()?;
        let form = Form { whole: claim, smaller, exactly, play: self.play };
        let (game, asked) = (self.game.clone(), form.clone());
        let (settled, seconds) = run(py, limits, move |budget| {
            let meter = Meter::new(&budget);
            (settle_form(&*game, &asked, &budget), meter.elapsed().as_secs_f64())
        })?;
        let settled = settled.map_err(|error| errors::settle(py, &error))?;
        let (data, certificate) = self.data_and_certificate(&form.whole, &settled, seconds);
        if let Some(certificate) = &certificate {
            self.keep(py, &form, certificate)?;
        }
        Ok((data, certificate.map(String::from)))
    }

    /// Settles the claim of an automaton in Walnut's text likewise.
    fn settle_automaton(
        &self,
        py: Python<'_>,
        automaton: &str,
        limits: Limits,
    ) -> PyResult<(Data, Option<String>)> {
        let heaps = self.game.heap_game().map(|stated| stated.heaps);
        let heaps = heaps.ok_or_else(|| {
            errors::plain(
                py,
                "this is no game on a fixed number of heaps whose moves are stated as a formula",
            )
        })?;
        let claim = Acceptor::parse(automaton, heaps).map_err(|error| {
            errors::error(py, errors::Kind::Value, &error.why, Some((automaton, error.at)), "")
        })?;
        let said = format!("the automaton accepts, {} states", claim.states());
        let (game, play) = (self.game.clone(), self.play);
        let (settled, seconds) = run(py, limits, move |budget| {
            let meter = Meter::new(&budget);
            (settle_automaton(&*game, play, &claim, &budget), meter.elapsed().as_secs_f64())
        })?;
        let settled = settled.map_err(|error| errors::plain(py, &error.to_string()))?;
        let (data, certificate) = self.data_and_certificate(&said, &settled, seconds);
        if let Some(certificate) = &certificate {
            self.keep_positions(py, certificate)?;
        }
        Ok((data, certificate.map(String::from)))
    }

    /// Returns the published forms of the P-positions: formula, lines of smaller boards, id.
    fn published(&self, py: Python<'_>) -> PyResult<Vec<(String, Vec<String>, String)>> {
        let claims = bouton_literature::claims_about(&self.game.name());
        let claims = claims.map_err(|error| errors::plain(py, &error.to_string()))?;
        let forms = claims.into_iter().filter_map(|claim| match claim.says {
            bouton_study::ClaimStatement::PPositions(form) if form.play == self.play => {
                Some((form.whole, lines(&form.smaller), claim.id))
            }
            _ => None,
        });
        Ok(forms.collect())
    }
}

/// Returns the P-positions of smaller boards in lines, as [`SmallerBoard`] reads them.
pub(crate) fn lines(boards: &[SmallerBoard]) -> Vec<String> {
    boards.iter().map(ToString::to_string).collect()
}

impl Game {
    /// Returns a verdict as `bouton prove --json` tells it, and its certificate.
    fn data_and_certificate(
        &self,
        said: &str,
        settled: &Verdict,
        seconds: f64,
    ) -> (Data, Option<SealedCertificate>) {
        let certificate = match settled {
            Verdict::Proved(Proved::Theorem(theorem)) => Some(theorem.certificate.clone()),
            _ => None,
        };
        let name = self.game.name();
        let data = Data::new(&bouton_report::proof_verdict(
            &name, self.play, said, settled, seconds, None,
        ));
        (data, certificate)
    }
}

/// The most permutations that are listed.
const MAX_IMAGES: usize = 50_000;

/// Brings these numbers into their next order, in lexicographic order; `false` after the last.
fn next_order(numbers: &mut [u64]) -> bool {
    let Some(fall) = (1..numbers.len()).rev().find(|i| numbers[i - 1] < numbers[*i]) else {
        return false;
    };
    let pivot = numbers[fall - 1];
    let Some(above) = (fall..numbers.len()).rev().find(|i| numbers[*i] > pivot) else {
        return false;
    };
    numbers.swap(fall - 1, above);
    numbers[fall..].reverse();
    true
}
