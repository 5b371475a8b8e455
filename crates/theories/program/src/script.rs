//! A program as rules: reading, limits, and calls of its functions.
//!
//! The language is Rhai, without files, clock, modules and floating-point numbers. Every call
//! begins anew, so that a function's value depends on its arguments alone, and ends after
//! [`MAX_OPERATIONS`] steps.

use crate::claims::Claims;
use crate::rules::{Impartials, Partisans};
use crate::value::{MAX_DEPTH, TextForm, Value};
use crate::{check_name, library, name_of};
use bouton_core::{Budget, LimitReached, NotationError, RuleFault, RuleSource, comma_list_for};
use bouton_engine::family::OwnGame;
use bouton_engine::game::{Game, impartial, last_move};
use rhai::packages::{
    BasicArrayPackage, BasicMapPackage, BasicMathPackage, BitFieldPackage, CorePackage,
    LogicPackage, MoreStringPackage, Package,
};
use rhai::{
    AST, CallFnOptions, Dynamic, Engine, EvalAltResult, ImmutableString, Module, ParseError,
    ParseErrorType, Position, Scope,
};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Steps that one call of a function may take.
pub const MAX_OPERATIONS: u64 = 5_000_000;
/// Calls within calls.
pub const MAX_CALLS: usize = 64;
/// Elements of a list, those of lists within it included.
pub const MAX_ELEMENTS: usize = 1 << 16;
/// Bytes of a text that a program makes.
pub const MAX_LENGTH: usize = 1 << 16;
/// Bytes of a program.
pub const MAX_TEXT: usize = 1 << 18;

/// Depth of expressions and blocks.
const MAX_EXPRESSION: usize = 48;
/// Steps between two looks at the clock.
const LOOK_EVERY: u64 = 1 << 12;
/// Bytes of options that are kept, so that they need not be asked for twice.
const KEPT_BYTES: usize = 1 << 26;
/// Positions whose options are compared with `valid`.
const LOOKED_AT: usize = 1 << 10;

/// The functions that a program may define for us, with the number of arguments.
const FUNCTIONS: &[(&str, &[usize])] = &[
    ("options", &[1]),
    ("left", &[1]),
    ("right", &[1]),
    ("start", &[0, 1]),
    ("canonical", &[1]),
    ("summands", &[1]),
    ("board", &[1]),
    ("valid", &[1]),
    ("read", &[1]),
    ("move_text", &[2]),
];

/// Those of them that give the moves.
const MOVES: [&str; 3] = ["options", "left", "right"];

/// The constants that a program may state for us.
const CONSTANTS: &[&str] = &["NAME", "RULES", "POSITION"];

/// Why a text is no program that states rules.
pub type ProgramError = NotationError;

thread_local! {
    /// Why the last request on this thread was stopped.
    static STOPPED: Cell<Option<LimitReached>> = const { Cell::new(None) };
    /// The budget of the request on this thread.
    static BUDGET: RefCell<Budget> = RefCell::new(Budget::default());
}

/// Returns an error that ends the program, if the budget of the request has ended.
pub(crate) fn look() -> Result<(), Box<EvalAltResult>> {
    match BUDGET.with_borrow(Budget::interrupted) {
        None => Ok(()),
        Some(interrupted) => {
            stop(interrupted);
            Err(EvalAltResult::ErrorTerminated(Dynamic::UNIT, Position::NONE).into())
        }
    }
}

/// Prepares for a request on this thread.
pub(crate) fn begin(budget: &Budget) {
    STOPPED.set(None);
    BUDGET.with_borrow_mut(|kept| kept.clone_from(budget));
}

/// Returns why the request on this thread was stopped.
pub(crate) fn stopped() -> Option<LimitReached> {
    STOPPED.get()
}

/// Remembers why the request on this thread was stopped, if nothing stopped it before.
pub(crate) fn stop(why: LimitReached) {
    if STOPPED.get().is_none() {
        STOPPED.set(Some(why));
    }
}

/// Rules stated as a program.
#[derive(Debug, Clone)]
pub struct Program(Arc<Script>);

/// A program that has been read.
#[derive(Debug)]
pub(crate) struct Script {
    engine: Engine,
    ast: AST,
    source: Arc<RuleSource>,
    /// The rules in a sentence.
    sentence: String,
    /// The form of a position.
    form: String,
    functions: Vec<(String, usize)>,
    /// The start, if the program gives one.
    pub(crate) start: Option<Value>,
    /// How positions that are texts are written.
    pub(crate) texts: TextForm,
    /// Whether the program is known to end at every position.
    is_listed: bool,
    kept: Mutex<Kept>,
    /// What the program claims, as far as it was compared with its rules.
    pub(crate) claims: Mutex<Claims>,
    /// Positions whose options were compared with `valid`.
    looked_at: AtomicUsize,
}

/// Options that are kept.
#[derive(Debug, Default)]
struct Kept {
    lists: FxHashMap<(&'static str, Value), Arc<[Value]>>,
    bytes: usize,
}

/// Why a call gave no value.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The budget ended.
    Limit(LimitReached),
    /// The program is at fault, with the place in its text if it is known.
    Fault(String, Option<Range<usize>>),
}

impl Program {
    /// Reads a program. A program without `const NAME` has the name of its file.
    ///
    /// # Errors
    ///
    /// If the text is no program, or if it states no rules; with the place in the text.
    pub fn parse(text: &str, path: Option<&Path>) -> Result<Program, ProgramError> {
        Script::parse(text, path).map(|script| Program(Arc::new(script)))
    }
}

/// Reads the game of a program that states its name and is known to end at every position: where it
/// would take more steps or space than programs have, the answer is unknown, and no fault of the
/// rules.
///
/// # Errors
///
/// As [`Program::parse`].
pub fn read_game(text: &str) -> Result<Box<dyn Game>, NotationError> {
    let script = Script { is_listed: true, ..Script::parse(text, None)? };
    Ok(Program(Arc::new(script)).game())
}

impl OwnGame for Program {
    fn name(&self) -> &str {
        &self.0.source.name
    }

    fn source(&self) -> Arc<RuleSource> {
        self.0.source.clone()
    }

    fn game(&self) -> Box<dyn Game> {
        if self.0.defines("options", 1) {
            impartial(Impartials(self.0.clone()))
        } else {
            last_move(Partisans(self.0.clone()))
        }
    }
}

/// Returns what is said of a function that programs must not call.
fn not_at_hand(function: &str) -> String {
    format!("`{function}` is not at hand: a program of rules only gives values")
}

/// Returns an engine that reaches nothing outside the program.
pub(crate) fn engine() -> Engine {
    let mut engine = Engine::new_raw();
    CorePackage::new().register_into_engine(&mut engine);
    LogicPackage::new().register_into_engine(&mut engine);
    BasicMathPackage::new().register_into_engine(&mut engine);
    BasicArrayPackage::new().register_into_engine(&mut engine);
    BasicMapPackage::new().register_into_engine(&mut engine);
    MoreStringPackage::new().register_into_engine(&mut engine);
    BitFieldPackage::new().register_into_engine(&mut engine);
    library::register(&mut engine);
    engine.set_max_strings_interned(256);
    engine.set_max_operations(MAX_OPERATIONS);
    engine.set_max_call_levels(MAX_CALLS);
    engine.set_max_expr_depths(MAX_EXPRESSION, MAX_EXPRESSION);
    engine.set_max_array_size(MAX_ELEMENTS);
    engine.set_max_map_size(MAX_ELEMENTS);
    engine.set_max_string_size(MAX_LENGTH);
    engine.disable_symbol("eval");
    // `print` and `debug` return to the program: what they were asked for is told when the call has
    // ended.
    engine.on_print(|_| stop(LimitReached::Rules(RuleFault::new(&not_at_hand("print")))));
    engine.on_debug(|_, _, _| stop(LimitReached::Rules(RuleFault::new(&not_at_hand("debug")))));
    engine.register_fn("sleep", |_: i64| -> Result<(), Box<EvalAltResult>> {
        Err(not_at_hand("sleep").into())
    });
    engine.on_progress(|operations| {
        if operations % LOOK_EVERY != 0 {
            return None;
        }
        let interrupted = BUDGET.with_borrow(Budget::interrupted)?;
        stop(interrupted);
        Some(Dynamic::UNIT)
    });
    engine
}

fn wrong(text: &str, at: Range<usize>, message: impl Into<String>) -> NotationError {
    NotationError::new(text, at, message.into(), ACCEPTED)
}

fn end_of(text: &str) -> Range<usize> {
    text.len()..text.len()
}

/// Returns a constant of a program that was run, if it is stated.
fn text_constant(
    scope: &Scope<'_>,
    name: &str,
    text: &str,
) -> Result<Option<String>, NotationError> {
    let Some(value) = scope.get(name) else { return Ok(None) };
    match value.clone().into_immutable_string() {
        Ok(text) => Ok(Some(text.to_string())),
        Err(kind) => {
            let message = format!("the constant {name} is {}, not a text", kind_of(kind));
            Err(wrong(text, place(text, name), message))
        }
    }
}

impl Script {
    fn parse(text: &str, path: Option<&Path>) -> Result<Script, NotationError> {
        if text.len() > MAX_TEXT {
            let message = format!("the program has {} bytes", text.len());
            return Err(NotationError::new("", 0..0, message, format!("at most {MAX_TEXT} bytes")));
        }
        let mut engine = engine();
        let ast = engine.compile(text).map_err(|error| parse_error(text, &error))?;
        // What stands outside functions runs once; its constants are known in all functions.
        let mut scope = Scope::new();
        without_budget(|| engine.run_ast_with_scope(&mut scope, &ast)).map_err(|error| {
            let (message, at) = described(text, &error);
            wrong(text, at.unwrap_or_else(|| end_of(text)), message)
        })?;
        let stated = CONSTANTS
            .iter()
            .map(|name| text_constant(&scope, name, text))
            .collect::<Result<Vec<_>, _>>()?;
        let [name, sentence, form] =
            <[Option<String>; 3]>::try_from(stated).expect("three constants");
        let name_at = place(text, "NAME");
        let name = name.unwrap_or_else(|| name_of(path));
        if name.is_empty() {
            let message = "the program has no name; state one: const NAME = \"my-game\";";
            return Err(wrong(text, 0..0, message));
        }
        check_name(&name, text, name_at)?;
        let functions: Vec<(String, usize)> =
            ast.iter_functions().map(|f| (f.name.to_owned(), f.params.len())).collect();
        let mut globals = Module::new();
        for (name, _, value) in scope.iter() {
            globals.set_var(name, value);
        }
        engine.register_global_module(globals.into());
        let mut stated = scope.iter().map(|(name, _, _)| name);
        if let Some(name) =
            stated.find(|name| !CONSTANTS.contains(name) && is_said_once(text, name))
        {
            let message = format!(
                "nothing uses the constant {name}, and it says nothing of the rules: bouton asks \
                 for NAME, RULES and POSITION; misère play is asked for with --misere"
            );
            return Err(wrong(text, place(text, name), message));
        }
        let ast = ast.clone_functions_only();
        let path = path.map(PathBuf::from);
        let source = Arc::new(RuleSource { name: name.clone(), path, text: text.to_owned() });
        let mut script = Script {
            engine,
            ast,
            source,
            sentence: sentence.unwrap_or_else(|| format!("The rules are the program {name}.")),
            form: form.unwrap_or_default(),
            functions,
            start: None,
            texts: TextForm::Bare,
            is_listed: false,
            kept: Mutex::default(),
            claims: Mutex::default(),
            looked_at: AtomicUsize::new(0),
        };
        script.check_functions(text)?;
        script.set_start(text)?;
        Ok(script)
    }

    /// Checks that the functions that are asked for have the arguments they are asked with, that
    /// those of one kind of game are there, and that no other says nothing.
    fn check_functions(&self, text: &str) -> Result<(), NotationError> {
        let place_of = |name: &str| place(text, &format!("fn {name}"));
        for (name, arguments) in &self.functions {
            let known = FUNCTIONS.iter().find(|(known, _)| known == name);
            if let Some((_, expected)) = known
                && !expected.contains(arguments)
            {
                let expected = expected[0];
                let message =
                    format!("the function {name} has {arguments} arguments, not {expected}");
                return Err(wrong(text, place_of(name), message));
            }
        }
        let sides = (self.defines("left", 1), self.defines("right", 1));
        let message = match (self.defines("options", 1), sides) {
            (true, (false, false)) | (false, (true, true)) => None,
            (false, (false, false)) => Some("the program has no function options(position)"),
            (false, (true, false)) => Some("the program has left(position) but no right(position)"),
            (false, (false, true)) => Some("the program has right(position) but no left(position)"),
            (true, _) => Some(
                "the program has options(position), for a game in which both players have the \
                 same moves, beside left or right",
            ),
        };
        if let Some(message) = message {
            return Err(wrong(text, end_of(text), message));
        }
        let is_helper = |name: &str| FUNCTIONS.iter().all(|(known, _)| *known != name);
        let mut names = self.functions.iter().map(|(name, _)| name);
        if let Some(name) = names.find(|name| is_helper(name) && is_said_once(text, name)) {
            let message = format!(
                "nothing calls the function {name}, and it says nothing of the rules: bouton asks \
                 for options, left, right, start, summands, canonical, valid, read, board and \
                 move_text; misère play is asked for with --misere"
            );
            return Err(wrong(text, place_of(name), message));
        }
        if !self.defines("options", 1) && self.defines("summands", 1) {
            let message = "summands are for games in which both players have the same moves";
            return Err(wrong(text, place_of("summands"), message));
        }
        Ok(())
    }

    /// Asks the program for its start, and from it how positions are written.
    fn set_start(&mut self, text: &str) -> Result<(), NotationError> {
        self.start = match without_budget(|| self.start(None)) {
            Some(start) => Some(start.map_err(|failure| match failure {
                Failure::Fault(message, at) => {
                    wrong(text, at.unwrap_or_else(|| end_of(text)), message)
                }
                Failure::Limit(limit) => wrong(text, end_of(text), limit.to_string()),
            })?),
            None => None,
        };
        self.texts = match &self.start {
            Some(Value::Text(_)) => TextForm::Plain,
            Some(_) if !self.defines("valid", 1) => TextForm::Quoted,
            _ => TextForm::Bare,
        };
        if self.form.is_empty() {
            self.form = match &self.start {
                Some(start) => format!("a position such as {}", start.print(self.texts)),
                None => "a position: an integer, a text or a list such as [1,2]".into(),
            };
        }
        Ok(())
    }

    pub(crate) fn source(&self) -> &Arc<RuleSource> {
        &self.source
    }

    pub(crate) fn sentence(&self) -> &str {
        &self.sentence
    }

    pub(crate) fn form(&self) -> &str {
        &self.form
    }

    /// Returns whether the program defines a function with this many arguments.
    pub(crate) fn defines(&self, name: &str, arguments: usize) -> bool {
        self.functions.iter().any(|(known, count)| known == name && *count == arguments)
    }

    /// Calls a function.
    pub(crate) fn call(&self, name: &str, arguments: Vec<Dynamic>) -> Result<Dynamic, Failure> {
        let options = CallFnOptions::new().eval_ast(false).rewind_scope(true);
        let found: Result<Dynamic, Box<EvalAltResult>> = self.engine.call_fn_with_options(
            options,
            &mut Scope::new(),
            &self.ast,
            name,
            arguments,
        );
        found.map_err(|error| {
            if let (EvalAltResult::ErrorTerminated(..), Some(limit)) =
                (error.unwrap_inner(), stopped())
            {
                return Failure::Limit(limit);
            }
            // What a program throws as it reads a position is for who wrote the position.
            if let ("read", EvalAltResult::ErrorRuntime(thrown, _)) = (name, error.unwrap_inner())
                && let Ok(message) = thrown.clone().into_immutable_string()
            {
                return Failure::Fault(message.to_string(), None);
            }
            let large = matches!(
                error.unwrap_inner(),
                EvalAltResult::ErrorTooManyOperations(..) | EvalAltResult::ErrorDataTooLarge(..)
            );
            if self.is_listed && large {
                return Failure::Limit(LimitReached::NumbersTooLarge);
            }
            let (message, at) = described(&self.source.text, &error);
            let place = at.as_ref().map_or(String::new(), |at| {
                let before = &self.source.text[..at.start];
                let line = before.matches('\n').count() + 1;
                let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
                format!(" (line {line}, character {column})")
            });
            Failure::Fault(format!("{name}: {message}{place}"), at)
        })
    }

    /// Calls a function of a position that gives a position.
    pub(crate) fn position(&self, name: &str, p: &Value) -> Result<Value, Failure> {
        self.value(name, self.call(name, vec![dynamic(p)])?)
    }

    /// Converts a position that a function gave.
    fn value(&self, name: &str, given: Dynamic) -> Result<Value, Failure> {
        let value = value(given, MAX_DEPTH).map_err(|kind| {
            Failure::Fault(format!("{name} gave {kind}, which is no position"), None)
        })?;
        if self.texts == TextForm::Plain && matches!(value, Value::Integer(_)) {
            let message = format!(
                "{name} gave an integer, but the start is a text: all positions must be texts or \
                 lists"
            );
            return Err(Failure::Fault(message, None));
        }
        Ok(value)
    }

    /// Calls a function of a position that gives a list of positions; lists are kept.
    pub(crate) fn list(&self, name: &'static str, p: &Value) -> Result<Arc<[Value]>, Failure> {
        if let Some(list) = self.known(name, p) {
            return Ok(list);
        }
        let given = self.call(name, vec![dynamic(p)])?;
        let kind = kind_of(given.type_name());
        let Ok(given) = given.into_array() else {
            let message = format!("{name} gave {kind}, not a list of positions");
            return Err(Failure::Fault(message, None));
        };
        let list = given
            .into_iter()
            .map(|each| self.value(name, each))
            .collect::<Result<Arc<[Value]>, _>>()?;
        if MOVES.contains(&name) {
            self.check_valid(name, p, &list)?;
        }
        if stopped().is_none() {
            self.keep(name, p, &list);
        }
        Ok(list)
    }

    /// Checks that moves from a position which the game has, as `valid` says, lead to such. Of a
    /// program only so many positions are looked at: `valid` may cost more than the moves.
    fn check_valid(&self, name: &str, p: &Value, options: &[Value]) -> Result<(), Failure> {
        if !self.defines("valid", 1)
            || self.looked_at.fetch_add(1, Ordering::Relaxed) >= LOOKED_AT
            || !self.is_valid(p)?
        {
            return Ok(());
        }
        for option in options {
            if !self.is_valid(option)? {
                let option = option.print(self.texts);
                let message = format!("{name} gave {option}, which is no position as valid says");
                return Err(Failure::Fault(message, None));
            }
        }
        Ok(())
    }

    /// Asks the program whether the game has a position.
    fn is_valid(&self, p: &Value) -> Result<bool, Failure> {
        let valid = self.call("valid", vec![dynamic(p)])?;
        valid.as_bool().map_err(|kind| {
            Failure::Fault(format!("valid gave {}, not true or false", kind_of(kind)), None)
        })
    }

    /// Returns what a function gave of a position, if that is kept.
    pub(crate) fn known(&self, name: &'static str, p: &Value) -> Option<Arc<[Value]>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.lists.get(&(name, p.clone())).cloned()
    }

    /// Keeps what a function gave of a position. If there is no room, all that was kept goes.
    pub(crate) fn keep(&self, name: &'static str, p: &Value, list: &Arc<[Value]>) {
        let bytes = |p: &Value| size_of::<Value>() + p.heap_bytes();
        let size = 96 + bytes(p) + list.iter().map(bytes).sum::<usize>();
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.bytes + size > KEPT_BYTES {
            *kept = Kept::default();
        }
        kept.bytes += size;
        kept.lists.insert((name, p.clone()), list.clone());
    }

    /// Calls a function of positions that gives a text.
    pub(crate) fn text(&self, name: &str, arguments: &[&Value]) -> Result<String, Failure> {
        let given = self.call(name, arguments.iter().map(|p| dynamic(p)).collect())?;
        let kind = kind_of(given.type_name());
        match given.into_immutable_string() {
            Ok(text) => Ok(text.to_string()),
            Err(_) => Err(Failure::Fault(format!("{name} gave {kind}, not a text"), None)),
        }
    }

    /// Calls `start()` or `start(size)`; `None` if the program does not define it.
    pub(crate) fn start(&self, size: Option<u32>) -> Option<Result<Value, Failure>> {
        let arguments: Vec<Dynamic> = size.iter().map(|size| i64::from(*size).into()).collect();
        if !self.defines("start", arguments.len()) {
            return None;
        }
        Some(self.call("start", arguments).and_then(|given| self.value("start", given)))
    }

    /// Checks that `start(size)` is a position of the game, as `valid` says.
    pub(crate) fn check_start(&self, size: u32, p: &Value) -> Result<(), Failure> {
        if !self.defines("valid", 1) || self.is_valid(p)? {
            return Ok(());
        }
        let p = p.print(self.texts);
        let message = format!("start({size}) gave {p}, which is no position as valid says");
        Err(Failure::Fault(message, None))
    }

    /// Reads a position.
    pub(crate) fn read(&self, text: &str) -> Result<Value, NotationError> {
        self.read_written(text).or_else(|error| {
            let list = || comma_list_for(text, &self.form);
            let other = other_spelling(text, &self.form).or_else(list);
            other.and_then(|other| self.read_written(&other).ok()).ok_or(error)
        })
    }

    /// Reads a position as it is written.
    fn read_written(&self, text: &str) -> Result<Value, NotationError> {
        let wrong =
            |message: String| NotationError::new(text, 0..text.len(), message, self.form.clone());
        let failed = |failure| match failure {
            Failure::Fault(message, _) => wrong(message),
            Failure::Limit(limit) => wrong(limit.to_string()),
        };
        let unread = |failure| match &failure {
            Failure::Fault(message, _) => match no_number(message) {
                Some(word) => {
                    let message = if word.is_empty() {
                        "a number is missing".into()
                    } else {
                        format!("`{word}` is no number")
                    };
                    let at = if word.is_empty() { 0..text.len() } else { whole_word(text, word) };
                    NotationError::new(text, at, message, self.form.clone())
                }
                None => {
                    let word = message.split('`').nth(1).filter(|word| text.contains(*word));
                    let at = word.map_or(0..text.len(), |word| whole_word(text, word));
                    NotationError::new(text, at, message.clone(), self.form.clone())
                }
            },
            Failure::Limit(_) => failed(failure),
        };
        without_budget(|| {
            let own = if self.defines("read", 1) {
                let given = self
                    .call("read", vec![ImmutableString::from(text.trim()).into()])
                    .map_err(unread)?;
                if given.is_unit() {
                    None
                } else {
                    Some(self.value("read", given).map_err(failed)?)
                }
            } else {
                None
            };
            let is_read = own.is_some();
            let value = match own {
                Some(value) => value,
                None => Value::parse(text, self.texts).map_err(|error| wrong(error.to_string()))?,
            };
            if !self.defines("valid", 1) {
                if !is_read && self.is_numbers_alone(&value) {
                    let name = &self.source.name;
                    let kind = if matches!(value, Value::List(_)) { "list" } else { "text" };
                    return Err(wrong(format!(
                        "positions of {name} are single numbers, and this is a {kind} without a \
                         move; a program that has both says so by a function valid(position)"
                    )));
                }
                return Ok(value);
            }
            let is_valid = |value: &Value| self.is_valid(value).map_err(failed);
            if is_valid(&value)? {
                return Ok(value);
            }
            // A number alone may be a list of one.
            if !is_read && matches!(value, Value::Integer(_)) {
                let list = Value::List([value.clone()].into());
                if is_valid(&list)? {
                    return Ok(list);
                }
            }
            Err(wrong(format!(
                "{} is no position of {}",
                value.print(self.texts),
                self.source.name
            )))
        })
    }

    /// Returns whether a position is a list or a text without a move, while the program begins with
    /// a number from which moves lead to numbers alone: such a list or text is hardly a position.
    /// If it begins with nothing, its start of size 3 counts, or the number 3.
    fn is_numbers_alone(&self, p: &Value) -> bool {
        const SIZE: u32 = 3;
        let start = match (&self.start, self.start(Some(SIZE))) {
            (Some(start), _) => start.clone(),
            (None, Some(Ok(start))) => start,
            (None, Some(Err(_))) => return false,
            (None, None) => Value::Integer(SIZE.into()),
        };
        if is_number(p) || !is_number(&start) {
            return false;
        }
        let moves = || MOVES.into_iter().filter(|name| self.defines(name, 1));
        let options = |p: &Value| -> Option<Vec<Value>> {
            let all = moves().map(|name| self.list(name, p).ok());
            Some(all.collect::<Option<Vec<_>>>()?.iter().flat_map(|list| list.to_vec()).collect())
        };
        let of_start = options(&start).filter(|all| all.iter().all(is_number));
        of_start.is_some_and(|all| self.start.is_some() || !all.is_empty())
            && options(p).is_some_and(|all| all.is_empty())
    }

    /// Returns the position that is a number alone, of a program whose positions are such: it
    /// begins with one or, without a beginning, gives the options of one.
    pub(crate) fn number(&self, size: u32) -> Option<Value> {
        let is_numbered = match &self.start {
            Some(start) => matches!(start, Value::Integer(_)),
            None => without_budget(|| self.call("options", vec![Dynamic::from(1_i64)]).is_ok()),
        };
        let p = is_numbered.then(|| self.read(&size.to_string()).ok()).flatten()?;
        (p == Value::Integer(size.into())).then_some(p)
    }

    /// Remembers that a request failed at a position.
    pub(crate) fn fail(&self, p: &Value, failure: Failure) {
        stop(match failure {
            Failure::Limit(limit) => limit,
            Failure::Fault(message, _) => LimitReached::Rules(RuleFault::new(&format!(
                "the rules of {} fail at {}: {message}",
                self.source.name,
                shortened(&p.print(self.texts))
            ))),
        });
    }
}

/// What is accepted as a program.
const ACCEPTED: &str = "a program in Rhai, e.g. fn options(n) { let all = []; for k in 1..4 { if \
    k <= n { all.push(n - k); } } all }";

/// Returns a text of at most 200 characters.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(200) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// Runs something without the budget of the request on this thread, and without leaving a trace in
/// it.
pub(crate) fn without_budget<T>(work: impl FnOnce() -> T) -> T {
    let budget = BUDGET.take();
    let before = STOPPED.take();
    let done = work();
    BUDGET.set(budget);
    STOPPED.set(before);
    done
}

/// Returns a text as programs spell it: a rectangle as `3x4` where it is written `3×4`, `3 by 4` or
/// `3*4`, rows with `/` between where they have `|` and the form of positions has `/`, and numbers
/// with commas between where they stand in parentheses or have spaces.
fn other_spelling(text: &str, form: &str) -> Option<String> {
    let is_number = |side: &str| !side.is_empty() && side.chars().all(|c| c.is_ascii_digit());
    let rectangle = |sign: &str| {
        let (rows, columns) = text.rsplit_once(sign)?;
        // What is before a rectangle, as a node and a semicolon, stays.
        let (before, rows) = rows.split_at(rows.rfind(';').map_or(0, |at| at + 1));
        let (rows, columns) = (rows.trim(), columns.trim());
        (is_number(rows) && is_number(columns)).then(|| format!("{before}{rows}x{columns}"))
    };
    ["×", "X", "*", " by "].into_iter().find_map(rectangle).or_else(|| {
        let is_rows = text.contains('|') && form.contains('/');
        is_rows.then(|| text.replace('|', "/")).or_else(|| listed_numbers(text))
    })
}

fn is_number(p: &Value) -> bool {
    matches!(p, Value::Integer(_))
}

/// Returns the numbers of a list in parentheses, or with spaces between, with commas between them.
/// `None` of other texts, and of numbers of which one may go on, as `1 000`.
fn listed_numbers(text: &str) -> Option<String> {
    let text = text.trim();
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text);
    let numbers: Vec<&str> = if inner.contains(',') {
        inner.split(',').map(str::trim).collect()
    } else {
        inner.split_whitespace().collect()
    };
    let is_number = |number: &&str| {
        !number.is_empty()
            && number.bytes().all(|c| c.is_ascii_digit())
            && (number.len() == 1 || !number.starts_with('0'))
    };
    let is_list = numbers.len() > 1 && numbers.iter().all(is_number);
    is_list.then(|| numbers.join(",")).filter(|list| list != text)
}

/// Returns whether a line of a program states the constant of this name.
fn is_constant(line: &str, name: &str) -> bool {
    let stated = line.trim_start().strip_prefix("const ").map(str::trim_start);
    let rest = stated.and_then(|stated| stated.strip_prefix(name));
    rest.is_some_and(|rest| rest.trim_start().starts_with('='))
}

/// Returns the place of the first occurrence of a word; the beginning if there is none.
fn place(text: &str, word: &str) -> Range<usize> {
    text.find(word).map_or(0..0, |at| at..at + word.len())
}

/// Returns where a text has a word, with no letter or digit beside it.
fn whole_word(text: &str, word: &str) -> Range<usize> {
    let is_free = |at: &usize| {
        let (before, after) = (&text[..*at], &text[at + word.len()..]);
        !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric)
    };
    let mut places = text.match_indices(word).map(|(at, _)| at);
    places.find(is_free).map_or_else(|| place(text, word), |at| at..at + word.len())
}

/// Returns the word that the function `parse_int` of the language refused in an error; empty if it
/// was given nothing.
fn no_number(message: &str) -> Option<&str> {
    let (_, words) = message.split_once("Error parsing integer number '")?;
    words.rsplit_once("': ").map(|(word, _)| word)
}

/// Returns whether a word stands once in a program, lines of comment left out.
fn is_said_once(text: &str, word: &str) -> bool {
    let said = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let words = said.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'));
    words.filter(|said| *said == word).count() == 1
}

/// Returns the place in bytes of a position in the text: a character, or nothing at the end.
fn range(text: &str, position: Position) -> Option<Range<usize>> {
    let line = position.line()?;
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let mut rest =
        text.get(start..)?.char_indices().skip(position.position().unwrap_or(1).saturating_sub(1));
    let (at, character) = rest.next().unwrap_or((text.len() - start, ' '));
    let at = (start + at).min(text.len());
    Some(at..(at + character.len_utf8()).min(text.len()))
}

/// Returns the error of a text that is no program.
fn parse_error(text: &str, error: &ParseError) -> NotationError {
    let at = range(text, error.position()).unwrap_or(text.len()..text.len());
    let message = match error.err_type() {
        ParseErrorType::ExprTooDeep => "an expression is too deeply nested".into(),
        kind => {
            let word = kind.to_string();
            let mut letters = word.chars();
            let first =
                letters.next().map(|c| c.to_lowercase().collect::<String>()).unwrap_or_default();
            format!("the program cannot be read: {first}{}", letters.as_str())
        }
    };
    NotationError::new(text, at, message, ACCEPTED)
}

/// Returns what is said of an error of a program while it runs, and its place in the text.
fn described(text: &str, error: &EvalAltResult) -> (String, Option<Range<usize>>) {
    let inner = error.unwrap_inner();
    let mut place = inner.position();
    if place.is_none() {
        place = error.position();
    }
    let message = match inner {
        EvalAltResult::ErrorTooManyOperations(_) => {
            format!("it does not end within {MAX_OPERATIONS} steps")
        }
        EvalAltResult::ErrorStackOverflow(_) => {
            format!("calls within calls are more than {MAX_CALLS} deep")
        }
        EvalAltResult::ErrorDataTooLarge(what, _) => {
            format!(
                "{} is too large: lists have at most {MAX_ELEMENTS} elements, texts {MAX_LENGTH} \
                 bytes",
                what.to_lowercase()
            )
        }
        EvalAltResult::ErrorDataRace(..) => "a function between bars, as |x| …, uses the list \
                                             that it goes through; let it use a copy: let copy = \
                                             list; list.all(|x| copy.contains(x))"
            .into(),
        EvalAltResult::ErrorVariableNotFound(name, _)
            if text.lines().any(|line| is_constant(line, name)) =>
        {
            format!(
                "the constant {name} is not known in a function between bars, as |x| …; say let \
                 own = {name}; before it, and own in it"
            )
        }
        EvalAltResult::ErrorRuntime(thrown, _) => match thrown.clone().into_immutable_string() {
            Ok(text) => text.to_string(),
            Err(_) => format!("it throws {thrown}"),
        },
        other => {
            let words = other.to_string();
            words.split_once(" (line ").map_or(words.as_str(), |(before, _)| before).to_owned()
        }
    };
    (message, range(text, place))
}

/// Returns the words for a type of the language.
pub(crate) fn kind_of(kind: &str) -> String {
    match kind {
        "i64" => "an integer",
        "string" | "ImmutableString" | "&str" => "a text",
        "char" => "a character",
        "bool" => "true or false",
        "array" => "a list",
        "map" => "a map",
        "()" => "nothing",
        kind if kind.contains("Range") || kind.contains("range") => "a range",
        kind if kind.contains("Array") || kind.contains("Vec") => "a list",
        kind if kind.contains("String") => "a text",
        kind => return format!("a value of type {kind}"),
    }
    .to_owned()
}

/// Returns a position as a value of the language.
pub(crate) fn dynamic(p: &Value) -> Dynamic {
    match p {
        Value::Integer(integer) => (*integer).into(),
        Value::Text(text) => ImmutableString::from(&**text).into(),
        Value::List(parts) => Dynamic::from_array(parts.iter().map(dynamic).collect()),
    }
}

/// Returns a value of the language as a position, or what it is.
pub(crate) fn value(given: Dynamic, depth: usize) -> Result<Value, String> {
    if let Ok(integer) = given.as_int() {
        return Ok(Value::Integer(integer));
    }
    if given.is_array() {
        if depth == 0 {
            return Err(format!("a list more than {MAX_DEPTH} deep"));
        }
        let parts = given.into_array().map_err(kind_of)?;
        let parts = parts.into_iter().map(|part| value(part, depth - 1));
        return Ok(Value::List(parts.collect::<Result<_, _>>()?));
    }
    if let Ok(character) = given.as_char() {
        return Ok(Value::Text(character.to_string().into()));
    }
    let kind = kind_of(given.type_name());
    match given.into_immutable_string() {
        Ok(text) => Ok(Value::Text(text.as_str().into())),
        Err(_) => Err(kind),
    }
}
