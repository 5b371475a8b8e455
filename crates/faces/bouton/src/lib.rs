//! Take-away games: give the rules, get the P-positions, a closed form of them, its proof for all
//! sizes or the least counterexample, and a certificate that an independent checker accepts.
//!
//! Two ways in. By name, as people write games: [`games::Catalogue::parse`] gives a
//! [`solve::Game`], whose positions are text. By type: one's own [`rules::Ruleset`] goes straight
//! into the engines of [`solve`]. Nothing here is global, no call writes a file unless it is given
//! one, and what costs takes a [`rules::Budget`].
//!
//! ```
//! use bouton::games::Catalogue;
//! use bouton::rules::{Budget, Outcome};
//! use bouton::solve::Settings;
//! use bouton::study::{Form, Verdict, settle_form};
//!
//! let catalogue = Catalogue::standard();
//! let nim = catalogue.parse("nim(3)")?.game;
//! let found = nim.session(Settings::default()).analyse("1,2,3")?;
//! assert_eq!(found.evaluation.outcome, Some(Outcome::P));
//!
//! // Bouton's theorem, for heaps of every size.
//! let form = Form { whole: "a xor b xor c = 0".into(), ..Form::default() };
//! assert!(matches!(settle_form(&*nim, &form, &Budget::default()), Ok(Verdict::Proved(_))));
//! # Ok::<(), bouton::rules::NotationError>(())
//! ```
//!
//! Features: `png` (default), `serve`, `database`, `parquet`. Without them the crate compiles with
//! no C compiler, and for `wasm32-unknown-unknown`.

/// What a game is: rulesets, outcomes, nim-values, budgets, and the text of rules.
///
/// A game of one's own is a type with its options and a number that every move lowers:
///
/// ```
/// use bouton::rules::{Impartial, Nimber, Ruleset, mex};
/// use std::ops::ControlFlow;
///
/// /// Take one token or two from a single heap.
/// struct OneOrTwo;
///
/// impl Ruleset for OneOrTwo {
///     type Position = u64;
///     fn options<B>(
///         &self,
///         p: &u64,
///         mut visit: impl FnMut(u64) -> ControlFlow<B>,
///     ) -> ControlFlow<B> {
///         (1..=2).filter(|take| take <= p).try_for_each(|take| visit(p - take))
///     }
///     fn rank(&self, p: &u64) -> Option<u64> {
///         Some(*p)
///     }
/// }
///
/// impl Impartial for OneOrTwo {}
///
/// let mut options = Vec::new();
/// let _ = OneOrTwo.options(&2, |option| {
///     options.push(option);
///     ControlFlow::<()>::Continue(())
/// });
/// assert_eq!(options, [1, 0]);
/// assert_eq!(mex([Nimber(0), Nimber(1), Nimber(3)]), Nimber(2));
/// ```
///
/// A [`Budget`](rules::Budget) ends work in a value, [`LimitReached`](rules::LimitReached), never
/// in a wrong answer. Its [`Deadline`](rules::Deadline) is a point in time that clones share; a
/// [`Watch`](rules::Watch) stops work from another thread; a [`Meter`](rules::Meter) counts:
///
/// ```
/// use bouton::rules::{Budget, Deadline, LimitReached, Meter, Watch};
/// use std::sync::{Arc, atomic::Ordering};
/// use std::time::Duration;
///
/// let mut meter = Meter::new(&Budget { nodes: Some(2), ..Budget::default() });
/// assert_eq!((meter.spend_one(), meter.spend_one()), (Ok(()), Ok(())));
/// assert_eq!(meter.spend_one(), Err(LimitReached::Nodes(2)));
///
/// assert!(!Deadline::after(Duration::from_secs(60)).is_past());
///
/// let watch = Arc::new(Watch::default());
/// let budget = Budget { watch: Some(watch.clone()), ..Budget::default() };
/// assert_eq!(budget.interrupted(), None);
/// watch.stop.store(true, Ordering::Relaxed);
/// assert_eq!(budget.interrupted(), Some(LimitReached::Cancelled));
/// ```
///
/// An [`Outcome`](rules::Outcome) is P or N under a convention of [`Play`](rules::Play); an error
/// in a text is a [`NotationError`](rules::NotationError) with its place; a
/// [`Formula`](rules::Formula) is the language of rule files and claims, and errors in it are
/// [`FormulaError`](rules::FormulaError)s:
///
/// ```
/// use bouton::rules::{Formula, Outcome, Play};
///
/// assert_eq!(Outcome::P.to_string(), "P");
/// assert_ne!(Play::Normal, Play::Misere);
///
/// let names = ["a".to_owned(), "b".to_owned()];
/// let formula = Formula::parse_over("a + b = 3", &names)?;
/// assert_eq!(formula.holds(&[1, 2]).ok(), Some(true));
/// assert!(Formula::parse("a + = 3").is_err());
/// # Ok::<(), bouton::rules::FormulaError>(())
/// ```
///
/// A game on heaps states its moves as data, from which solvers, tables and provers take them:
///
/// ```
/// use bouton::games::Catalogue;
/// use bouton::rules::{Digits, HeapGame, HeapMoves, Moves, Symmetry, Windows};
///
/// let circle = Catalogue::standard().parse("CN(5,2)")?.game;
/// let stated = circle.heap_game().unwrap();
/// let HeapGame { heaps, symmetry, digits, .. } = stated;
/// assert_eq!((heaps, symmetry, digits), (5, Symmetry::Ring, Digits::Binary));
/// assert_eq!(stated.moves, Moves::free(Windows::Arc(2)));
///
/// let kayles = Catalogue::standard().parse("kayles")?.game;
/// assert_eq!(kayles.heap_moves(), Some(HeapMoves::Code("0.77".into())));
/// # Ok::<(), bouton::rules::NotationError>(())
/// ```
pub mod rules {
    pub use bouton_core::{
        Appearance, Board, Budget, Consequence, Coordinates, Deadline, Digits, Formula,
        FormulaError, HeapGame, HeapMoves, Impartial, LimitReached, Meter, Moves, Nimber, Notation,
        NotationError, Outcome, Play, Ruleset, Scored, Symmetry, Watch, Windows, mex,
    };
}

/// The games that can be named, and rule files.
///
/// ```
/// use bouton::games::{Catalogue, Family, NameTaken, ParsedGame, RuleFile, RuleFileError};
///
/// let text = "name = \"halves\"\nheaps = 1\nmove = \"p0 <= 2*q0\"\n\
///             rules = \"Take at most half of the heap.\"";
/// let file: RuleFile = RuleFile::parse(text)?;
/// let again = RuleFile::parse(text)?;
/// let catalogue: Catalogue =
///     Catalogue::standard().with_rule_file(file).map_err(|taken| taken.to_string()).unwrap();
/// let ParsedGame { game, position, .. } = catalogue.parse("halves:7").unwrap();
/// assert_eq!((game.name().as_str(), position.as_deref()), ("halves", Some("7")));
///
/// // Names are unique, and known to one catalogue only.
/// assert!(matches!(catalogue.with_rule_file(again), Err(NameTaken { .. })));
/// assert!(Catalogue::standard().parse("halves").is_err());
///
/// let families: &[Family] = Catalogue::standard().families();
/// assert!(families.iter().any(|family| family.name == "kayles"));
/// # Ok::<(), RuleFileError>(())
/// ```
pub mod games {
    pub use bouton_games::{Catalogue, Family, NameTaken, ParsedGame, RuleFile, RuleFileError};
}

/// Engines, and one face for all games.
///
/// By name: a [`Game`](solve::Game) opens a [`Session`](solve::Session) under
/// [`Settings`](solve::Settings); an [`Analysis`](solve::Analysis) holds the position's
/// [`Evaluation`](solve::Evaluation) and its [`Move`](solve::Move)s.
///
/// ```
/// use bouton::games::Catalogue;
/// use bouton::rules::{Nimber, Outcome, Play};
/// use bouton::solve::{Analysis, Evaluation, Game, Kind, Move, Session, Settings, heaps};
///
/// let game: Box<dyn Game> = Catalogue::standard().parse("CN(3,2)")?.game;
/// assert_eq!(game.kind(), Kind::Impartial);
/// let mut session: Box<dyn Session + '_> = game.session(Settings::default());
/// let Analysis { evaluation, moves, .. } = session.analyse(&heaps(&[0, 1, 2]))?;
/// let Evaluation { outcome, nim_value, .. } = evaluation;
/// assert_eq!((outcome, nim_value), (Some(Outcome::N), Some(Nimber(3))));
/// let wins = |m: &&Move| m.evaluation.outcome == Some(Outcome::P);
/// assert_eq!(moves.iter().filter(wins).map(|m| m.to.as_str()).collect::<Vec<_>>(), ["0,0,0"]);
///
/// let misere = Settings { play: Play::Misere, ..Settings::default() };
/// let nim = Catalogue::standard().parse("nim")?.game;
/// let known = nim.session(misere).evaluate("1,3,5,7")?;
/// assert_eq!(known.ok().and_then(|known| known.outcome), Some(Outcome::P));
/// # Ok::<(), bouton::rules::NotationError>(())
/// ```
///
/// By type: [`Outcomes`](solve::Outcomes) and [`NimValues`](solve::NimValues) solve any ruleset and
/// keep what they know; [`Sequence`](solve::Sequence) computes nim-values of single heaps, and
/// [`find_period`](solve::find_period) their [`Period`](solve::Period).
///
/// ```
/// use bouton::rules::{Budget, Impartial, Meter, Nimber, Outcome, Play, Ruleset};
/// use bouton::solve::{NimValues, Outcomes, Period, Sequence, find_period};
/// use std::ops::ControlFlow;
///
/// struct OneOrTwo;
/// impl Ruleset for OneOrTwo {
///     type Position = u64;
///     fn options<B>(
///         &self,
///         p: &u64,
///         mut visit: impl FnMut(u64) -> ControlFlow<B>,
///     ) -> ControlFlow<B> {
///         (1..=2).filter(|take| take <= p).try_for_each(|take| visit(p - take))
///     }
///     fn rank(&self, p: &u64) -> Option<u64> {
///         Some(*p)
///     }
/// }
/// impl Impartial for OneOrTwo {}
///
/// let mut meter = Meter::new(&Budget::default());
/// assert_eq!(NimValues::default().nim_value(&OneOrTwo, &20, &mut meter)?, Nimber(2));
/// assert_eq!(Outcomes::new(Play::Normal).outcome(&OneOrTwo, &21, &mut meter)?, Outcome::P);
///
/// let kayles = bouton::games::Catalogue::standard().parse("kayles").unwrap().game;
/// let mut kayles: Sequence = bouton::study::sequence_of(&*kayles).unwrap();
/// let found: Option<Period> = find_period(&mut kayles, 1_000, &mut meter)?;
/// let found = found.filter(|found| found.proof.is_some());
/// assert_eq!(found.map(|found| (found.period, found.preperiod)), Some((12, 71)));
/// # Ok::<(), bouton::rules::LimitReached>(())
/// ```
///
/// Behind the face: a ruleset that also says how its positions are written, numbered and drawn is a
/// game like those with names, for everything that takes a [`Game`](solve::Game).
///
/// ```
/// use bouton::rules::{Appearance, Board, Coordinates, Impartial};
/// use bouton::rules::{Notation, NotationError, Outcome, Ruleset};
/// use bouton::solve::{Game, Settings, impartial, last_move};
/// use std::ops::ControlFlow;
///
/// /// Take a proper divisor of the heap.
/// #[derive(Clone)]
/// struct Divisors;
///
/// impl Ruleset for Divisors {
///     type Position = u32;
///     fn options<B>(
///         &self,
///         p: &u32,
///         mut visit: impl FnMut(u32) -> ControlFlow<B>,
///     ) -> ControlFlow<B> {
///         (1..*p).filter(|d| p % d == 0).try_for_each(|d| visit(p - d))
///     }
///     fn rank(&self, p: &u32) -> Option<u64> {
///         Some((*p).into())
///     }
/// }
/// impl Impartial for Divisors {}
/// impl Coordinates for Divisors {}
/// impl Appearance for Divisors {
///     fn board(&self, p: &u32) -> Board {
///         Board::Row(vec![*p])
///     }
/// }
/// impl Notation for Divisors {
///     fn name(&self) -> String {
///         "divisors".into()
///     }
///     fn describe(&self) -> String {
///         "Take a proper divisor of the heap.".into()
///     }
///     fn position_form(&self) -> String {
///         "a number of tokens, as 12".into()
///     }
///     fn read(&self, text: &str) -> Result<u32, NotationError> {
///         text.parse().map_err(|_| {
///             let form = self.position_form();
///             NotationError::new(text, 0..text.len(), "this is no number", form)
///         })
///     }
///     fn print(&self, p: &u32) -> String {
///         p.to_string()
///     }
/// }
///
/// let game: Box<dyn Game> = impartial(Divisors);
/// let found = game.session(Settings::default()).analyse("12")?;
/// // The value is the number of times that 2 divides the heap.
/// assert_eq!(found.evaluation.nim_value.map(|value| value.0), Some(2));
/// // Of a game whose positions the players see differently, outcomes alone are known.
/// let found = last_move(Divisors).session(Settings::default()).analyse("12")?;
/// assert_eq!((found.evaluation.outcome, found.evaluation.nim_value), (Some(Outcome::N), None));
/// # Ok::<(), NotationError>(())
/// ```
///
/// Games won on points are [`Scored`](crate::rules::Scored); [`Margins`](solve::Margins) finds by
/// how much, and [`scored`](solve::scored) gives them the face.
///
/// ```
/// use bouton::rules::{Budget, Consequence, Meter, Ruleset, Scored};
/// use bouton::solve::Margins;
/// use std::ops::ControlFlow;
///
/// /// One coin or two are taken from a purse, and kept.
/// struct Coins;
///
/// impl Ruleset for Coins {
///     type Position = u32;
///     fn options<B>(
///         &self,
///         p: &u32,
///         mut visit: impl FnMut(u32) -> ControlFlow<B>,
///     ) -> ControlFlow<B> {
///         self.scored_options(p, |q, _| visit(q))
///     }
///     fn rank(&self, p: &u32) -> Option<u64> {
///         Some((*p).into())
///     }
/// }
/// impl Scored for Coins {
///     fn scored_options<B>(
///         &self,
///         p: &u32,
///         mut visit: impl FnMut(u32, Consequence) -> ControlFlow<B>,
///     ) -> ControlFlow<B> {
///         (1..=2)
///             .filter(|gain| gain <= p)
///             .try_for_each(|gain| visit(p - gain, Consequence { gain, again: false }))
///     }
///     fn points_left(&self, p: &u32) -> u32 {
///         *p
///     }
/// }
///
/// let mut meter = Meter::new(&Budget::default());
/// assert_eq!(Margins::default().margin(&Coins, &5, &mut meter)?, 1);
/// # use bouton::rules::{Appearance, Coordinates, Notation};
/// # fn face<R: Scored + Notation + Coordinates + Appearance + Clone + 'static>(rules: R) {
/// #     bouton::solve::scored(rules);
/// # }
/// # Ok::<(), bouton::rules::LimitReached>(())
/// ```
pub mod solve {
    pub use bouton_core::heaps_text as heaps;
    pub use bouton_engine::game::scored;
    pub use bouton_engine::margins::Margins;
    pub use bouton_engine::nim_values::NimValues;
    pub use bouton_engine::outcomes::Outcomes;
    pub use bouton_engine::{Analysis, Evaluation, Game, Kind, Move, Session, Settings};
    pub use bouton_heaps::{impartial, last_move};
    pub use bouton_octal::sequence::Sequence;
    pub use bouton_octal::sequence::period::{Period, find_period};
}

/// From a table to a closed form.
///
/// ```
/// use bouton::conjecture::{ClosedForm, Data, DataError, FittedForm, OutcomeTable, Periodic};
/// use bouton::conjecture::{classes, conjecture, periodic, read};
/// use bouton::rules::{Budget, Meter};
///
/// // Two heaps: P where they are equal.
/// let outcome = |a: u32, b: u32| if a == b { "P" } else { "N" };
/// let cells = |a: u32| (0..16).map(move |b| format!("{a},{b},{}\n", outcome(a, b)));
/// let text = format!("a,b,outcome\n{}", (0..16).flat_map(cells).collect::<String>());
/// let Data::Outcomes(table) = read(&text, None)? else { panic!("two heaps and an outcome") };
/// let table: OutcomeTable = table;
/// let found: FittedForm = conjecture(&table, &mut Meter::new(&Budget::default()));
/// let form: &ClosedForm = &found.form;
/// assert_eq!(form.mismatch(&table, &mut Meter::new(&Budget::default())), Ok(None));
///
/// let values: Vec<i64> = (0..40).map(|n| n % 3).collect();
/// let mut meter = Meter::new(&Budget::default());
/// let found: Option<Periodic> = periodic(0, &values, &mut meter).unwrap();
/// assert_eq!(found.map(|found| found.period), Some(3));
/// let members: Vec<bool> = (0..40).map(|n| n % 4 == 0).collect();
/// assert_eq!(classes(0, &members, &mut meter).unwrap().map(|found| found.modulus), Some(4));
/// # Ok::<(), DataError>(())
/// ```
pub mod conjecture {
    pub use bouton_conjecture::{
        ClosedForm, Data, DataError, FittedForm, OutcomeTable, Periodic, classes, conjecture,
        periodic, read,
    };
}

/// First-order statements about natural numbers, decided.
///
/// ```
/// use bouton::logic::{Decision, Numeration, decide};
/// use bouton::rules::{Budget, Formula, Meter};
///
/// let formula = Formula::parse("A n: n >= 7 => E x,y: n = 2*x + 5*y")?;
/// let decision = decide(&formula, Numeration::Binary, &mut Meter::new(&Budget::default()));
/// assert!(matches!(decision, Ok(Decision::True(_))));
/// # Ok::<(), bouton::rules::FormulaError>(())
/// ```
pub mod logic {
    pub use bouton_prover::{Decision, Numeration, decide};
}

/// The whole line for one game, and verdicts on claims.
///
/// A [`Form`](study::Form) of the P-positions is settled: the [`Verdict`](study::Verdict) is a
/// [`Theorem`](study::Theorem) with its certificate, a least counterexample
/// ([`Refuted`](study::Refuted)), or [`Unknown`](study::Unknown).
///
/// ```
/// use bouton::games::Catalogue;
/// use bouton::rules::Budget;
/// use bouton::study::{Form, Proved, Refuted, Theorem, Unknown, Verdict, settle_form};
///
/// let game = Catalogue::standard().parse("CN(5,3)").unwrap().game;
/// let form = |whole: &str| Form { whole: whole.into(), ..Form::default() };
/// let settled = |whole: &str, budget: &Budget| settle_form(&*game, &form(whole), budget).unwrap();
///
/// let verdict = settled("a = 0 & b = e & b = c+d", &Budget::default());
/// let Verdict::Proved(Proved::Theorem(theorem)) = verdict else { panic!() };
/// let theorem: Theorem = *theorem;
/// assert!(bouton::check::check(&theorem.certificate).is_ok());
///
/// let Verdict::Refuted(wrong) = settled("b = e & b = c+d", &Budget::default()) else { panic!() };
/// let wrong: Refuted = wrong;
/// assert!(wrong.least);
///
/// let little = Budget { nodes: Some(1), ..Budget::default() };
/// let Verdict::Unknown(why) = settled("a = 0 & b = e & b = c+d", &little) else { panic!() };
/// let why: Unknown = why;
/// assert!(why.budget);
/// ```
///
/// Without a claim, [`study`](study::study()) takes a [`StudyTarget`](study::StudyTarget) as far as
/// it gets: a table, a form, its proof, what is published; a [`Study`](study::Study) is plain data.
///
/// ```
/// use bouton::games::Catalogue;
/// use bouton::rules::{Budget, Play};
/// use bouton::study::{
///     Findings, Settings, Study, StudyError, StudyTarget, StudyTargetError, study,
/// };
///
/// let catalogue = Catalogue::standard();
/// let subject: Result<StudyTarget, StudyTargetError> =
///     StudyTarget::parse("nim(2)", Play::Normal, |text| catalogue.parse(text));
/// let budget = Budget::default();
/// let found: Result<Study, StudyError> =
///     study(&subject.unwrap(), Settings::default(), &budget, &|_| ());
/// let found = found.unwrap();
/// assert!(matches!(found.findings, Findings::Heaps(_)));
/// assert!(bouton::check::check(found.certificate().unwrap()).is_ok());
/// ```
///
/// Claims of others are [`PublishedClaim`](study::PublishedClaim)s; see [`ledger`].
pub mod study {
    pub use bouton_study::{
        Findings, Form, Proved, PublishedClaim, Refuted, Settings, Study, StudyError, StudyTarget,
        StudyTargetError, Theorem, Unknown, Verdict, settle_form, study,
    };

    pub use bouton_octal::sequence_of;
}

/// The independent checker: shares no code with what makes certificates.
///
/// ```
/// use bouton::check::{Accepted, Reason, Rejected, check, check_within};
///
/// let wrong: Result<Accepted, Rejected> = check("no certificate");
/// assert!(wrong.is_err());
/// let stopped = check_within("no certificate", 2000, &mut || false);
/// assert!(stopped.is_err_and(|rejected| rejected.reason == Reason::Stopped));
/// ```
pub mod check {
    pub use bouton_check::{Accepted, Reason, Rejected, check, check_within};
}

/// What is published about games, as data, each claim with its source.
///
/// ```
/// use bouton::ledger::{ClaimDataError, claims, claims_about};
/// use bouton::study::PublishedClaim;
///
/// let about: Vec<PublishedClaim> = claims_about("CN(5,3)")?;
/// assert!(about.iter().any(|claim| claim.id == "C6"));
/// assert!(claims()?.len() > about.len());
/// # Ok::<(), ClaimDataError>(())
/// ```
pub mod ledger {
    pub use bouton_literature::{ClaimDataError, claims, claims_about};
}

/// Pictures of boards, strategies and tables.
///
/// ```
/// use bouton::draw::{DrawError, Picture};
/// use bouton::games::Catalogue;
///
/// let game = Catalogue::standard().parse("CN(3,2)").unwrap().game;
/// let picture = Picture::Board(game.name(), game.board("1,2,3").unwrap());
/// assert!(picture.svg().contains("<circle"));
/// let tikz: Result<String, DrawError> = picture.tikz();
/// assert!(tikz?.contains("tikzpicture"));
/// # Ok::<(), DrawError>(())
/// ```
pub mod draw {
    pub use bouton_draw::{DrawError, Picture};
}

/// The page and the JSON API, behind a listener.
#[cfg(feature = "serve")]
pub use bouton_server as serve;

/// Databases of sweeps over families of games.
#[cfg(feature = "database")]
pub use bouton_store as database;
