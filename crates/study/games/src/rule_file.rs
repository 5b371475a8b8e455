//! A user's own game from a rule file: heaps, a symmetry, and one formula that says what a move is;
//! or rules by which each heap becomes others.
//!
//! The formula is over p0, q0, p1, q1, …, the heaps before and after the move; a move also takes at
//! least one token in all and adds none; a formula that states steps which raise a heap is refused
//! (`growth.rs`). Options, tables and statements about all sizes come from this formula as they do
//! for every other game on heaps ([`crate::HeapRules`]); where it is not linear, an automaton made
//! of it finds the options. Where the file says what falls instead of the heaps, or in words of
//! arithmetic what no automaton reads, options are found by search ([`crate::SearchedRules`]).
//! Heaps that become several are [`crate::SplitRules`]. A file that claims a symmetry which its
//! moves don't have is refused, with moves that show it.

mod alternatives;
mod decisions;
mod digitwise;
mod error;
mod positions;
mod text;

pub use decisions::NoMove;
pub use error::RuleFileError;
pub use positions::{where_moves_begin, where_moves_lead};
pub use text::{HeapCount, RuleText, SplitText};

use crate::catalogue::NameTaken;
use crate::growth;
use crate::heap_rules::{HeapRules, OptionGenerator};
use crate::large_heaps::{LargeHeaps, Steps};
#[cfg(not(target_family = "wasm"))]
use crate::large_rows::LargeRows;
use crate::searched_rules::{SearchedMoves, SearchedRules};
use crate::split_rules::{Split, SplitRules};
use crate::template::words;
use alternatives::{
    arithmetic_that_never_holds, no_alternative_is_void, no_step_is_lost, void_alternatives,
};
use bouton_core::{
    ArithmeticSymbol, Budget, Digits, Domain, Formula, FormulaBuilder, FormulaError, HeapGame,
    MAX_HEAPS, Memory, Moves, Node, Relation, RuleSource, Symmetry, Term, Windows,
};
#[cfg(not(target_family = "wasm"))]
use bouton_core::{Coordinates as _, Notation as _};
use bouton_engine::family::name_prefix;
use bouton_engine::game::Game;
use bouton_heaps::heap_options::HeapOptions;
use decisions::{Decider, images};
use digitwise::Digitwise;
use positions::{domain, positions_from, positions_that_occur};
use std::path::PathBuf;
use std::sync::Arc;

/// The most heaps of a rule file of which something can be proved.
pub const MAX_PROVED_HEAPS: usize = 7;

/// The most numbers of a position.
pub const MAX_NUMBERS: usize = MAX_HEAPS;

/// Values of parameters that are tried when a file is read.
const MAX_VALUES: usize = 64;

/// Words of formulas that no parameter may be.
const RESERVED: [&str; 12] =
    ["xor", "mod", "div", "min", "max", "shift", "floor", "true", "false", "of", "to", "into"];

/// A game read from a rule file.
#[derive(Debug, Clone)]
pub struct RuleFile {
    source: Arc<RuleSource>,
    /// The game; of a file with parameters, that of their first values.
    rules: FileRules,
    /// The text of a file with parameters.
    family: Option<RuleText>,
}

/// The rules of a file, by what reads them.
#[derive(Debug, Clone)]
enum FileRules {
    Heaps(Box<HeapRules>),
    Searched(SearchedRules),
    Splits(SplitRules),
}

/// Who wrote the fields of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Author {
    /// People, who may mean steps that a rule file has not.
    Person,
    /// The same with numbers in the place of parameters: an alternative may hold for others alone.
    PersonWithNumbers,
    /// A program: no heap grows whatever the formula says.
    Program,
}

impl RuleFile {
    /// Reads a rule file's text. Moves of many heaps in digits other than binary may take minutes:
    /// see [`RuleFile::parse_within`].
    pub fn parse(text: &str) -> Result<RuleFile, RuleFileError> {
        RuleFile::parse_within(text, &Budget::default())
    }

    /// Returns the same, within a budget of time; automata take 2^24 states and 2^29 bytes at most
    /// in any case.
    pub fn parse_within(text: &str, budget: &Budget) -> Result<RuleFile, RuleFileError> {
        let file = RuleText::read(text)?;
        named(&file.name)?;
        if file.parameters.is_empty() {
            return RuleFile::from_fields(&file, text, budget, Author::Person);
        }
        for (name, [least, most]) in &file.parameters {
            let wrong = |why| Err(RuleFileError::Parameter(name.clone(), why));
            let mut letters = name.chars();
            if !letters.next().is_some_and(|c| c.is_ascii_lowercase())
                || !letters.all(|c| c.is_ascii_alphanumeric())
            {
                return wrong("a name is a small letter, then letters and digits");
            }
            let is_word = ArithmeticSymbol::FUNCTIONS.iter().any(|word| word.name() == name);
            if Moves::names(MAX_NUMBERS).contains(name)
                || is_word
                || RESERVED.contains(&name.as_str())
            {
                return wrong("formulas have this word already");
            }
            if least > most {
                return wrong("its least value is above its greatest");
            }
            if !file.formulas().any(|text| words(text).any(|word| word == name)) {
                return wrong("it stands nowhere in the move");
            }
        }
        let one = RuleFile::from_some_values(&file, text, budget)?;
        let source =
            Arc::new(RuleSource { name: file.name.clone(), path: None, text: text.to_owned() });
        Ok(RuleFile { source, family: Some(file), ..one })
    }

    /// Reads a file with parameters for the first values that give moves. Refuses an alternative
    /// that holds for none of the values that are tried, if these are all.
    fn from_some_values(
        file: &RuleText,
        text: &str,
        budget: &Budget,
    ) -> Result<RuleFile, RuleFileError> {
        let (all, are_all) = values_to_try(file);
        let (mut found, mut refused) = (None, None);
        // The alternatives that never held so far.
        let mut void: Option<Vec<Option<(Formula, NoMove)>>> = None;
        for values in all {
            let own = file.at(&values)?;
            if found.is_none() {
                match RuleFile::from_fields(&own, text, budget, Author::PersonWithNumbers) {
                    Ok(one) => found = Some(one),
                    Err(error @ (RuleFileError::NoMoves(_) | RuleFileError::NoMovesBy(..))) => {
                        refused.get_or_insert(error);
                    }
                    Err(error) => return Err(error),
                }
            }
            let now = void_alternatives(&own, budget);
            void = Some(match void.take() {
                None => now,
                Some(before) => {
                    // Numbers make the same alternatives, or they are not compared.
                    let is_same = before.len() == now.len();
                    let both = before.into_iter().zip(now);
                    both.map(|(before, now)| before.filter(|_| is_same && now.is_some())).collect()
                }
            });
            if found.is_some() && void.iter().flatten().all(Option::is_none) {
                break;
            }
        }
        if let Some((never, why)) = void.into_iter().flatten().flatten().next().filter(|_| are_all)
        {
            return Err(RuleFileError::NoMovesBy(never.to_string(), why));
        }
        found.ok_or(refused.unwrap_or(RuleFileError::NoMoves(NoMove::NeverHolds)))
    }

    /// Returns the game of a file with parameters for these values, in the order of their names; of
    /// another file the game itself, for none.
    pub fn at(&self, values: &[u32]) -> Result<Box<dyn Game>, RuleFileError> {
        let Some(family) = &self.family else {
            return if values.is_empty() {
                Ok(self.game())
            } else {
                let listed: Vec<String> = values.iter().map(u32::to_string).collect();
                Err(RuleFileError::Values(listed.join(","), self.name().to_owned()))
            };
        };
        let one = RuleFile::from_fields(
            &family.at(values)?,
            &self.source.text,
            &Budget::default(),
            Author::PersonWithNumbers,
        )?;
        Ok(RuleFile { source: self.source.clone(), ..one }.game())
    }

    /// Returns what a game of a file with parameters is called; `None` of other files.
    pub fn values_form(&self) -> Option<String> {
        self.family.as_ref().map(RuleText::values_form)
    }

    /// Reads fields that were made of the rules of games, in which no heap grows whatever the
    /// formula says.
    pub(crate) fn made(fields: &RuleText, budget: &Budget) -> Result<RuleFile, RuleFileError> {
        RuleFile::from_fields(fields, &fields.to_text(), budget, Author::Program)
    }

    /// Returns the game of these fields.
    fn from_fields(
        file: &RuleText,
        text: &str,
        budget: &Budget,
        author: Author,
    ) -> Result<RuleFile, RuleFileError> {
        if !file.splits.is_empty() || file.heaps.is_any() {
            let read = RuleFile::from_splits(file, text)?;
            no_alternative_is_void(file, author, budget)?;
            return Ok(read);
        }
        let (heaps, memory) = numbers_of(file)?;
        let numbers = heaps + memory;
        let decider = Decider::new(file.digits, budget);
        let relation = |text: &str| -> Result<Formula, RuleFileError> {
            Formula::parse_over(text, &Moves::names(numbers))
                .map_err(|error| RuleFileError::Move(text.to_owned(), error))
        };
        // The user's text is read alone first, so that errors point into it.
        let condition = relation(&file.moves)?;
        if !file.start.trim().is_empty() {
            let positions = positions_from(file, &condition, &decider)?;
            let within = RuleText { positions, start: String::new(), ..file.clone() };
            return RuleFile::from_fields(&within, text, budget, author);
        }
        if file.digits == Digits::Binary && asks_for_zeckendorf(file, &condition, numbers) {
            let read = RuleText { digits: Digits::Zeckendorf, ..file.clone() };
            return RuleFile::from_fields(&read, text, budget, author);
        }
        if let Some(why) = beyond_the_prover(file, &condition, numbers) {
            if file.digits == Digits::Zeckendorf {
                return Err(RuleFileError::Fields(
                    "digits: nothing is proved of such rules, so no digits are asked for; leave \
                     `digits` out",
                ));
            }
            let is_symmetric = condition.arithmetic_word().is_none()
                && condition.is_read_bit_by_bit()
                && numbers <= MAX_PROVED_HEAPS
                && file.falls.is_empty()
                && images(file.symmetry, heaps)
                    .iter()
                    .all(|image| decider.symmetric(&condition, image).is_ok());
            let read = RuleFile::searched(file, text, numbers, &condition, is_symmetric, why)?;
            no_alternative_is_void(file, author, budget)?;
            return Ok(read);
        }
        let Some(automaton) = decider.moves(&condition, memory)? else {
            return Err(RuleFileError::NoMoves(decider.no_move(&condition)?));
        };
        each_alternative_moves(&condition, memory, &decider, author)?;
        let occurring = match file.positions.trim() {
            "" => None,
            text => Some(positions_that_occur(text, numbers)?),
        };
        if author != Author::Program {
            no_step_is_lost(&condition, occurring.as_ref(), memory, &decider)?;
        }
        let symmetry = file.symmetry;
        let domain = match occurring {
            None => None,
            Some(positions) => Some(domain(positions, &condition, memory, &decider)?),
        };
        for image in images(symmetry, heaps) {
            decider.symmetric(&condition, &image)?;
            if let Some(domain) = &domain {
                decider.symmetric_domain(domain, &image)?;
            }
        }
        // No other position has a move.
        let (condition, automaton) = match &domain {
            None => (condition, automaton),
            Some(domain) => {
                let within = within_positions(&condition, &domain.formula);
                match decider.moves(&within, memory)? {
                    Some(automaton) => (within, automaton),
                    None => {
                        let why = "no move begins in such a position".into();
                        return Err(RuleFileError::Positions(file.positions.clone(), why));
                    }
                }
            }
        };
        let about = about(file, || format!("A move from p to q: {condition}."));
        let factor = if memory > 0 { decider.growth(&condition, memory)? } else { 0 };
        let memory = Memory { count: memory, factor };
        let moves = Moves {
            windows: Windows::Any(numbers),
            condition: Some(condition),
            permutation: None,
            memory,
            domain,
        };
        let walk: Option<Arc<dyn OptionGenerator>> =
            if HeapOptions::new(&moves, Some(numbers), false).is_exact() {
                None
            } else {
                let alive = automaton.dfa.coaccessible_states();
                let condition = moves.condition.as_ref();
                let systems = condition.and_then(|condition| {
                    condition.linear_systems(&|v| v % 2 == 0 && v < 2 * numbers)
                });
                Some(Arc::new(Digitwise {
                    heaps: numbers,
                    memory,
                    alive,
                    moves: automaton,
                    systems,
                }))
            };
        let source =
            Arc::new(RuleSource { name: file.name.clone(), path: None, text: text.to_owned() });
        let rules =
            HeapRules { digits: file.digits, walk, ..HeapRules::places(numbers, symmetry, moves) };
        let rules = FileRules::Heaps(Box::new(rules.with_name(&source.name, about)));
        Ok(RuleFile { rules, source, family: None })
    }

    /// Returns a game whose options are found by search.
    fn searched(
        file: &RuleText,
        text: &str,
        numbers: usize,
        condition: &Formula,
        is_symmetric: bool,
        tables_only: String,
    ) -> Result<RuleFile, RuleFileError> {
        let positions = match file.positions.trim() {
            "" => None,
            text => Some(positions_that_occur(text, numbers)?),
        };
        // From no other position is there a move.
        let within = match &positions {
            None => condition.clone(),
            Some(positions) => within_positions(condition, positions),
        };
        // The words are beyond the prover, which says so itself; that no heap grows is stated.
        let is_stated = file.falls.is_empty() && file.memory == 0 && numbers <= MAX_PROVED_HEAPS;
        let stated = is_stated.then(|| HeapGame {
            heaps: numbers,
            symmetry: file.symmetry,
            shrinks: false,
            moves: Moves {
                windows: Windows::Any(numbers),
                condition: Some(within),
                permutation: None,
                memory: Memory::default(),
                domain: positions
                    .clone()
                    .map(|formula| Domain { formula, most: vec![None; numbers] }),
            },
            digits: file.digits,
        });
        let moves = SearchedMoves {
            name: &file.name,
            about: about(file, || format!("A move from p to q: {condition}.")),
            numbers,
            memory: file.memory,
            sets: file.sets,
            symmetry: file.symmetry,
            is_symmetric,
            condition,
            positions,
            falls: quantities(file, &Moves::names(numbers))?,
            stated,
            tables_only,
        };
        let rules = SearchedRules::new(moves);
        rules.checked().map_err(RuleFileError::Rules)?;
        let source =
            Arc::new(RuleSource { name: file.name.clone(), path: None, text: text.to_owned() });
        Ok(RuleFile { rules: FileRules::Searched(rules), source, family: None })
    }

    /// Returns a game on any number of heaps, each of which becomes others.
    fn from_splits(file: &RuleText, text: &str) -> Result<RuleFile, RuleFileError> {
        let fields = |why| Err(RuleFileError::Fields(why));
        if file.heaps.fixed().is_some_and(|heaps| heaps > 1) {
            return fields(
                "splits: each heap is played by itself, any number of them; leave `heaps` out",
            );
        }
        if file.memory > 0 || file.sets > 0 {
            return fields(
                "splits and heaps = \"any\": a heap remembers nothing; memory needs a fixed \
                 number of heaps",
            );
        }
        if !file.start.trim().is_empty() {
            return fields("splits and heaps = \"any\": games begin anywhere; leave `start` out");
        }
        if !file.positions.trim().is_empty() {
            return fields(
                "splits and heaps = \"any\": every heap occurs; leave `positions` out, and say in \
                 each rule which heaps it holds of",
            );
        }
        if file.symmetry == Symmetry::Ring {
            return fields(
                "splits and heaps = \"any\": heaps have no order, so they stand in no ring; leave \
                 `symmetry` out",
            );
        }
        if file.digits == Digits::Zeckendorf {
            return fields(
                "splits and heaps = \"any\" are not proved, so no digits are asked for; leave \
                 `digits` out",
            );
        }
        // A heap of which a move says nothing may lose any number of tokens.
        let is_number =
            |word: &str| word.strip_prefix('q').is_some_and(|n| n.parse::<u32>().is_ok());
        let is_said = words(&file.moves).any(is_number);
        let plain = SplitText::Plain(match is_said {
            true => file.moves.clone(),
            false => format!("({}) & q0 >= 0", file.moves),
        });
        let splits: &[SplitText] = match (file.moves.trim().is_empty(), file.splits.is_empty()) {
            (true, true) => {
                return fields(
                    "there are no rules: move = \"…\" says what a move is, or splits = [\"…\"] \
                     what a heap becomes",
                );
            }
            (true, false) => &file.splits,
            (false, true) => std::slice::from_ref(&plain),
            (false, false) => {
                return fields(
                    "move and splits: one of them; a rule of `move` on one heap can stand in \
                     `splits`",
                );
            }
        };
        let read = |split: &SplitText| {
            let (when, into) = split.parts();
            Split::parse(when, into).map_err(|(text, error)| RuleFileError::Move(text, error))
        };
        let splits = splits.iter().map(read).collect::<Result<Vec<Split>, _>>()?;
        let falls = quantities(file, &["p0".to_owned()])?;
        let told = || {
            let all = file.splits.iter().map(|split| match split.parts() {
                (when, None) => when.to_owned(),
                (when, Some(into)) => format!("{when}, into {into}"),
            });
            let all: Vec<String> =
                all.chain(Some(file.moves.clone()).filter(|text| !text.is_empty())).collect();
            format!("A heap of p0 becomes heaps of q0, q1, …: {}.", all.join("; or "))
        };
        let rules = SplitRules::new(&file.name, about(file, told), splits, falls);
        rules.checked().map_err(RuleFileError::Rules)?;
        let source =
            Arc::new(RuleSource { name: file.name.clone(), path: None, text: text.to_owned() });
        Ok(RuleFile { rules: FileRules::Splits(rules), source, family: None })
    }

    /// Returns an alternative of the move that says how one heap changes and nothing of others,
    /// with the numbers of these: under `q0+1 = p0` the second of two heaps may become anything
    /// smaller. One that only keeps heaps, as `q0 = p0`, means to leave the others free.
    pub fn left_free(&self) -> Option<(String, Vec<usize>)> {
        let file = self.plain_text()?;
        let heaps = file.heaps.fixed().filter(|_| file.splits.is_empty())?;
        let formula = Formula::parse_over(&file.moves, &Moves::names(heaps + file.memory)).ok()?;
        let after = |heap: usize| 2 * heap + 1;
        let keeps = |node: &Node, heap: usize| match node {
            Node::Compare(Term::Variable(one), Relation::Equal, Term::Variable(other)) => {
                one.min(other) + 1 == after(heap) && one.max(other) == &after(heap)
            }
            _ => false,
        };
        growth::alternatives(&formula).into_iter().find_map(|conditions| {
            let is_said = |heap: &usize| conditions.iter().any(|node| node.mentions(after(*heap)));
            let is_kept = |heap: &usize| conditions.iter().any(|node| keeps(node, *heap));
            let (said, free): (Vec<usize>, Vec<usize>) = (0..heaps).partition(is_said);
            let is_left = !free.is_empty() && !said.iter().all(is_kept);
            is_left.then(|| {
                (Formula { root: Node::And(conditions), ..formula.clone() }.to_string(), free)
            })
        })
    }

    /// Returns an alternative of the rules in words of arithmetic that holds of no heaps up to a
    /// bound, with that bound. Of other alternatives it is decided whether they ever hold, and such
    /// a file is refused.
    pub fn holds_nowhere(&self) -> Option<(String, u64)> {
        self.plain_text().and_then(|file| arithmetic_that_never_holds(&file))
    }

    /// Returns the fields of the file; of a file with parameters, for their least values.
    fn plain_text(&self) -> Option<RuleText> {
        let file = RuleText::read(&self.source.text).ok()?;
        if file.parameters.is_empty() {
            return Some(file);
        }
        let least: Vec<u32> = file.parameters.values().map(|[least, _]| *least).collect();
        file.at(&least).ok()
    }

    /// Returns the game.
    pub fn game(&self) -> Box<dyn Game> {
        let source = self.source.clone();
        match &self.rules {
            FileRules::Heaps(rules) => {
                let small = HeapRules { source: Some(source.clone()), ..(**rules).clone() }.game();
                match large_heaps(rules, source) {
                    Some((large, steps)) => Box::new(LargeHeaps { small, large, steps }),
                    None => small,
                }
            }
            FileRules::Searched(rules) => {
                let rules = rules.clone().with_source(source);
                // Not in the page, which would grow.
                #[cfg(not(target_family = "wasm"))]
                if let Some(game) = large_heap(&rules) {
                    return Box::new(game);
                }
                rules.game()
            }
            FileRules::Splits(rules) => {
                let small = rules.clone().with_source(source.clone()).game();
                // Not in the page, which would grow.
                #[cfg(not(target_family = "wasm"))]
                if let Some((large, steps)) = large_rows(rules, source) {
                    return Box::new(LargeHeaps { small, large, steps: Some(steps) });
                }
                small
            }
        }
    }

    /// Returns the name by which commands call it.
    pub fn name(&self) -> &str {
        &self.source.name
    }

    /// Returns the text that was read, with its name.
    pub fn source(&self) -> &RuleSource {
        &self.source
    }

    /// Returns the same rules, read from this file.
    pub fn read_from(mut self, path: impl Into<PathBuf>) -> RuleFile {
        Arc::make_mut(&mut self.source).path = Some(path.into());
        self
    }
}

/// Returns how many heaps the rules are about, and how many numbers are remembered besides.
fn numbers_of(file: &RuleText) -> Result<(usize, usize), RuleFileError> {
    let (heaps, memory) = (file.heaps.fixed().unwrap_or(0), file.memory);
    if file.moves.trim().is_empty() {
        return Err(RuleFileError::Fields(
            "there are no rules: move = \"…\" says what a move is, or splits = [\"…\"] what a \
             heap becomes",
        ));
    }
    if heaps == 0 {
        return Err(RuleFileError::Fields(
            "heaps is missing, or 0: heaps = 1 is a game on one heap, heaps = 2 one on two, up to \
             15, and heaps = \"any\" one on any number of heaps of one rule",
        ));
    }
    if heaps > MAX_NUMBERS {
        return Err(RuleFileError::Heaps(heaps));
    }
    if heaps.saturating_add(memory) > MAX_NUMBERS {
        let why = format!("heaps and what is remembered are {MAX_NUMBERS} numbers at most");
        return Err(RuleFileError::Memory(heaps, memory, why));
    }
    if file.sets > memory {
        return Err(RuleFileError::Fields(
            "sets: the last numbers of the memory are sets; memory counts them, too",
        ));
    }
    if memory > 0 && file.symmetry != Symmetry::None {
        let why = "with memory every heap keeps its place: no symmetry".into();
        return Err(RuleFileError::Memory(heaps, memory, why));
    }
    Ok((heaps, memory))
}

/// Returns whether the move, or what says which positions occur, is read in digits of Zeckendorf
/// alone.
fn asks_for_zeckendorf(file: &RuleText, condition: &Formula, numbers: usize) -> bool {
    let positions = positions_that_occur(&file.positions, numbers).ok();
    let all = || std::iter::once(condition).chain(&positions);
    beyond_the_prover(file, condition, numbers).is_none()
        && all().any(Formula::has_golden_multiples)
        && !all().any(Formula::has_digit_sums)
}

/// Returns why nothing can be proved of the rules; `None` if the prover reads them.
fn beyond_the_prover(file: &RuleText, condition: &Formula, numbers: usize) -> Option<String> {
    match condition.arithmetic_word() {
        _ if !file.falls.is_empty() => Some("the prover needs heaps that never grow".into()),
        Some(word) => Some(format!("{} is beyond the prover", word.described())),
        None if file.sets > 0 => Some("the prover reads no sets".into()),
        None if !condition.is_read_bit_by_bit() => Some(
            "the prover reads moves with floor[…] of the golden ratio alone, and without a nim-sum"
                .into(),
        ),
        None => (numbers > MAX_PROVED_HEAPS)
            .then(|| format!("the prover reads {MAX_PROVED_HEAPS} numbers at most")),
    }
}

/// Refuses rules of which an alternative gives no move, or of which one inside a conjunction never
/// holds.
fn each_alternative_moves(
    condition: &Formula,
    memory: usize,
    decider: &Decider,
    author: Author,
) -> Result<(), RuleFileError> {
    let parts = match &condition.root {
        Node::Or(parts) => &parts[..],
        _ => &[],
    };
    let of = |root: &Node| Formula { root: root.clone(), ..condition.clone() };
    for part in parts.iter().map(of) {
        if decider.moves(&part, memory)?.is_none() {
            let why = decider.no_move(&part)?;
            if why != NoMove::NeverHolds || author != Author::PersonWithNumbers {
                return Err(RuleFileError::NoMovesBy(part.to_string(), why));
            }
        }
    }
    if author != Author::Person {
        return Ok(());
    }
    let inner = growth::each_alternative(condition);
    for part in
        inner.iter().filter(|part| !parts.contains(part) && **part != condition.root).map(of)
    {
        if decider.moves(&part, memory)?.is_none() && decider.no_move(&part)? == NoMove::NeverHolds
        {
            return Err(RuleFileError::NoMovesBy(part.to_string(), NoMove::NeverHolds));
        }
    }
    Ok(())
}

/// Returns the same rules for heaps of more than 32 bits, if their options can be searched.
fn large_heaps(
    rules: &HeapRules,
    source: Arc<RuleSource>,
) -> Option<(Box<dyn Game>, Option<Steps>)> {
    let condition = rules.moves.condition.as_ref()?;
    let numbers = rules.heaps?;
    let moves = SearchedMoves {
        name: &rules.name,
        about: rules.about.clone(),
        numbers,
        memory: rules.moves.memory.count,
        sets: 0,
        symmetry: rules.symmetry,
        // This was proved when the file was read.
        is_symmetric: true,
        condition,
        positions: rules.moves.domain.as_ref().map(|domain| domain.formula.clone()),
        falls: Vec::new(),
        stated: None,
        tables_only: String::new(),
    };
    let large = SearchedRules::new(moves).with_source(source);
    let one_heap = numbers == rules.moves.memory.count + 1;
    let steps = (one_heap && rules.digits == Digits::Binary && rules.moves.permutation.is_none())
        .then(|| Steps::new(large.clone(), condition.clone()));
    Some((large.game(), steps))
}

/// Returns a game on one heap whose options are searched, with larger heaps by the values of their
/// options. `None` of other games.
#[cfg(not(target_family = "wasm"))]
fn large_heap(rules: &SearchedRules) -> Option<LargeHeaps> {
    let names = ["p0".to_owned(), "q0".to_owned()];
    let condition = Formula::parse_over(&rules.of_one_heap()?, &names).ok()?;
    let game = || rules.clone().game();
    let steps = Steps::new(rules.clone(), condition);
    Some(LargeHeaps { small: game(), large: game(), steps: Some(steps) })
}

/// Returns the rules for lists with larger heaps, where each heap is lowered by itself and no code
/// says how.
#[cfg(not(target_family = "wasm"))]
fn large_rows(rules: &SplitRules, source: Arc<RuleSource>) -> Option<(Box<dyn Game>, Steps)> {
    if rules.heap_moves().is_some() {
        return None;
    }
    let names = ["p0".to_owned(), "q0".to_owned()];
    let condition = Formula::parse_over(&rules.of_one_heap()?, &names).ok()?;
    let moves = SearchedMoves {
        name: &rules.name(),
        about: rules.describe(),
        numbers: 1,
        memory: 0,
        sets: 0,
        symmetry: Symmetry::None,
        is_symmetric: true,
        condition: &condition,
        positions: None,
        falls: Vec::new(),
        stated: None,
        tables_only: String::new(),
    };
    let one = SearchedRules::new(moves).with_source(source);
    let steps = Steps::new(one.clone(), condition.clone());
    Some((LargeRows(one).game(), steps))
}

/// Returns the rules in words, or else as stated.
fn about(file: &RuleText, stated: impl FnOnce() -> String) -> String {
    match file.rules.trim() {
        "" => stated(),
        words => words.to_owned(),
    }
}

/// Returns the error within the text to which something was put behind.
fn within(error: FormulaError, text: &str) -> FormulaError {
    let range = error.range.start.min(text.len())..error.range.end.min(text.len());
    FormulaError { range, ..error }
}

/// Returns the moves from positions that occur: from no other one is there a move.
fn within_positions(condition: &Formula, positions: &Formula) -> Formula {
    let mut builder = FormulaBuilder::over(condition.names[..condition.free].iter().cloned());
    let own: Vec<usize> = (0..condition.free).collect();
    let before: Vec<usize> = own.iter().copied().step_by(2).collect();
    let root = builder.embed(condition, &own).and(builder.embed(positions, &before));
    builder.build(root)
}

/// Reads a quantity that falls: one side of an equation over p0, q0, p1, q1, …, or over p0, in
/// which the option says nothing.
fn quantity(text: &str, names: &[String]) -> Result<Term, RuleFileError> {
    let read = Formula::parse_over(&format!("{text} = 0"), names)
        .map_err(|error| RuleFileError::Move(text.to_owned(), within(error, text)))?;
    let says_option = |term: &Term| {
        let mut found = false;
        term.visit_terms(&mut |term| found |= matches!(term, Term::Variable(v) if v % 2 == 1));
        found
    };
    match read.root {
        Node::Compare(term, Relation::Equal, Term::Number(0)) if !says_option(&term) => Ok(term),
        // p0 of a list of heaps, or p0 and q0.
        _ if names.len() <= 2 => {
            Err(RuleFileError::Fields("falls: a number over p0, the heap that is moved in"))
        }
        _ => Err(RuleFileError::Fields(
            "falls: each quantity is a number over the position alone: p0, p1, …, as falls = \
             \"p0+p1\"",
        )),
    }
}

/// Reads the quantities that fall, each with its text.
fn quantities(file: &RuleText, names: &[String]) -> Result<Vec<(String, Term)>, RuleFileError> {
    file.falls.iter().map(|text| Ok((text.clone(), quantity(text, names)?))).collect()
}

/// Returns whether the name can stand where games are named.
fn named(name: &str) -> Result<(), RuleFileError> {
    let wrong = |why: String| Err(RuleFileError::Sign(name.to_owned(), why));
    match name.chars().next() {
        None => return wrong("it is empty".into()),
        Some(c) if !c.is_alphabetic() => return wrong(format!("it begins with `{c}`")),
        Some(_) => {}
    }
    if let Some(c) = name[name_prefix(name).len()..].chars().next() {
        return wrong(format!("it holds `{c}`"));
    }
    match crate::FAMILIES.iter().find(|family| (family.claims)(name)) {
        Some(family) => {
            Err(NameTaken { name: name.to_owned(), by: format!("the family `{}`", family.name) }
                .into())
        }
        None => Ok(()),
    }
}

/// The values of a file's parameters that are tried when it is read, those at the ends of their
/// ranges first, and whether these are all.
fn values_to_try(file: &RuleText) -> (Vec<Vec<u32>>, bool) {
    let list = |each: &dyn Fn(&[u32; 2]) -> Vec<u32>| {
        file.parameters.values().fold(vec![Vec::new()], |all: Vec<Vec<u32>>, range| {
            let longer = |one: Vec<u32>| {
                each(range)
                    .into_iter()
                    .map(move |value| [&one[..], &[value]].concat())
                    .collect::<Vec<_>>()
            };
            all.into_iter().take(MAX_VALUES).flat_map(longer).take(MAX_VALUES).collect()
        })
    };
    let mut all = list(&|[least, most]| vec![*least, *most]);
    let inner = list(&|[least, most]| (*least..=*most).take(MAX_VALUES).collect());
    let count = file
        .parameters
        .values()
        .fold(1u64, |all, [least, most]| all.saturating_mul(u64::from(most - least) + 1));
    for values in inner {
        if !all.contains(&values) {
            all.push(values);
        }
    }
    (all, count <= MAX_VALUES as u64)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use std::ops::ControlFlow::Continue;

    const WYTHOFF: &str = "name = \"queen\"\nheaps = 2\nsymmetry = \"full\"\ndigits = \
        \"zeckendorf\"\nmove = \"q0 = p0 | q1 = p1 | p0+q1 = p1+q0\"\n";

    fn options(rules: &RuleFile, p: &[u32]) -> Vec<Vec<u32>> {
        let game = rules.game();
        let mut graph = game.graph();
        let node = graph.read(&p.iter().map(u32::to_string).collect::<Vec<_>>().join(",")).unwrap();
        let options = graph.options(node).unwrap().to_vec();
        let numbers =
            |node: &u32| graph.print(*node).split(',').map(|heap| heap.parse().unwrap()).collect();
        let mut all: Vec<Vec<u32>> = options.iter().map(numbers).collect();
        all.sort();
        all
    }

    /// Wythoff's game as a rule file has the options that its rules have, found by looking at every
    /// pair; from the linear condition, and from the automaton of one that is not linear and says
    /// the same.
    #[test]
    fn options_are_those_of_the_rules() {
        for (digits, more) in
            [("zeckendorf", ""), ("binary", ""), ("zeckendorf", "max"), ("binary", "max")]
        {
            let text = WYTHOFF.replace("zeckendorf", digits);
            let text = if more.is_empty() {
                text
            } else {
                text.replace(
                    "\"q0 = p0 | q1 = p1 | p0+q1 = p1+q0\"",
                    "\"(q0 = p0 | q1 = p1 | p0+q1 = p1+q0) & max(q0, p1) >= q0\"",
                )
            };
            let rules = RuleFile::parse(&text).unwrap();
            let FileRules::Heaps(own) = &rules.rules else { panic!("heaps that never grow") };
            assert_eq!(own.walk.is_some(), !more.is_empty());
            for a in 0..12u32 {
                for b in 0..12u32 {
                    let pairs = (0..=a).flat_map(|c| (0..=b).map(move |d| (c, d)));
                    let moves = pairs
                        .filter(|&(c, d)| (c, d) != (a, b) && (c == a || d == b || a - c == b - d));
                    let mut moves: Vec<Vec<u32>> = moves.map(|(c, d)| vec![c, d]).collect();
                    moves.sort();
                    assert_eq!(options(&rules, &[a, b]), moves, "{a},{b} in {digits} digits");
                }
            }
        }
    }

    /// End-Wythoff on three heaps (Fraenkel and Reisner, The game of End-Wythoff, Games of No
    /// Chance 3, 2009): from the first heap, from the last one, or as many from both. What is asked
    /// of its formula says nothing of digits, so it is read in any.
    #[test]
    fn questions_without_digits_are_the_same_in_all() {
        let text = "name = \"end-wythoff\"\nheaps = 3\ndigits = \"zeckendorf\"\nmove = \"\
            q1 = p1 & q2 = p2 | q0 = p0 & q1 = p1 | q1 = p1 & p0+q2 = p2+q0 & p0 >= 1 & p2 >= 1 | \
            p0 = 0 & q0 = 0 & (q2 = p2 | p1+q2 = p2+q1) | \
            p2 = 0 & q2 = 0 & (q0 = p0 | p1+q0 = p0+q1)\"\n";
        let rules = RuleFile::parse(text).unwrap();
        for p in (0..64u32).map(|n| [n / 16, n / 4 % 4, n % 4]) {
            let heaps: Vec<usize> = (0..3).filter(|heap| p[*heap] > 0).collect();
            let mut moves = Vec::new();
            if let (Some(&first), Some(&last)) = (heaps.first(), heaps.last()) {
                for ends in [vec![first], vec![last], vec![first, last]] {
                    for taken in 1..=ends.iter().map(|end| p[*end]).min().unwrap() {
                        let mut option = p.to_vec();
                        ends.iter().filter(|_| first != last || ends.len() == 1).for_each(|end| {
                            option[*end] -= taken;
                        });
                        moves.push(option);
                    }
                }
            }
            moves.retain(|option| option[..] != p[..]);
            moves.sort();
            moves.dedup();
            assert_eq!(options(&rules, &p), moves, "{p:?}");
        }
    }

    #[test]
    fn moves_that_are_none_are_refused() {
        let one = |text: &str| {
            RuleFile::parse(&format!("name = \"one\"\nheaps = 1\nmove = \"{text}\"\n"))
                .map(|_| ())
                .map_err(|e| e.to_string())
        };
        let why = "it holds, but a move raises no heap and takes at least one token";
        assert_eq!(one("q0+1 = p0 | q0+2 = p0"), Ok(()));
        assert_eq!(one("q0 = p0+1"), Err(format!("no position has a move: of 0 → 1 {why}")));
        assert_eq!(one("q0 = p0"), Err(format!("no position has a move: of 0 → 0 {why}")));
        assert_eq!(one("q0 < p0 & p0 < q0"), Err("no position has a move: it never holds".into()));
        let told = format!("the alternative `q0 = p0 + 1` gives no move: of 0 → 1 {why}");
        assert_eq!(one("q0+1 = p0 | q0 = p0+1"), Err(told));
    }

    /// An alternative that never holds is refused wherever rules are stated; with parameters only
    /// if it holds for none of their values, and another value may have moves where the first has
    /// none.
    #[test]
    fn alternatives_that_never_hold_are_refused() {
        let read = |text: &str| {
            let text = format!("name = \"one\"\n{text}\n");
            RuleFile::parse(&text).map_err(|error| error.to_string())
        };
        let never = |part: &str| format!("the alternative `{part}` gives no move: it never holds");
        for (text, part) in [
            (
                "heaps = 2\nfalls = \"p1\"\nmove = \"q1 < p1 & q0 = 0 | q1 < p1 & q1 = p1\"",
                "q1 < p1 & q1 = p1",
            ),
            ("splits = [\"q0 < p0\", \"q0+q1+2 = p0 & q0 > p0\"]", "q0 + q1 + 2 = p0 & q0 > p0"),
            ("heaps = \"any\"\nmove = \"q0+1 = p0 | q0+2 = p0 & p0 < 2\"", "q0 + 2 = p0 & p0 < 2"),
            // Inside a conjunction, too.
            (
                "heaps = \"any\"\nmove = \"(q0+1 = p0 | p0 < 2) & q0+1 < p0+1 & p0 > 2\"",
                "p0 < 2 & q0 + 1 < p0 + 1 & p0 > 2",
            ),
            (
                "heaps = 1\nmove = \"(q0+1 = p0 | p0 = 3 & q0 = 4) & q0 < p0\"",
                "(p0 = 3 & q0 = 4) & q0 < p0",
            ),
            (
                "splits = [\"(q0+1 = p0 | p0 = 3 & q0 = 4) & q0 < p0\"]",
                "(p0 = 3 & q0 = 4) & q0 < p0",
            ),
            (
                "heaps = 1\nparameters = { k = [1, 9] }\nmove = \"q0+k = p0 | q0+k = p0 & p0 < k\"",
                "q0 + 1 = p0 & p0 < 1",
            ),
        ] {
            assert_eq!(read(text).unwrap_err(), never(part), "{text}");
        }
        // Of 6 → 6 the second holds, which is no move.
        for rules in [
            "heaps = \"any\"\nmove = \"q0+1 = p0 | p0 = 6 & q0 >= 6\"",
            "splits = [\"q0+1 = p0\", \"p0 = 6 & q0 >= 6\"]",
        ] {
            let told = read(rules).unwrap_err();
            assert!(told.contains("`p0 = 6 & q0 >= 6`") && told.contains("not smaller"), "{told}");
        }
        // What is asked of position and option alike says which positions there are.
        let alike = "heaps = 1\nmove = \"(q0 = 0 | q0 > 4) & (p0 = 0 | p0 > 4) & q0+1 = p0 | q0 = 0 & p0 > 0\"";
        assert!(read(alike).is_ok());
        let raises =
            "heaps = 2\nfalls = \"p0+p1\"\nmove = \"q0 = p0 & q1 < p1 | q0 > p0 & q1 > p1\"";
        let told = read(raises).unwrap_err();
        assert!(
            told.contains("`q0 > p0 & q1 > p1`") && told.contains("p0+p1 never falls"),
            "{told}"
        );
        // With k = 1 the second alternative never holds; with k = 3 it does.
        let some = read(
            "heaps = 1\nparameters = { k = [1, 9] }\nmove = \"p0-q0 in k..10 | q0 = 0 & p0 < k & \
             p0 > 0\"",
        );
        let some = some.unwrap();
        let game = some.at(&[3]).unwrap();
        let mut graph = game.graph();
        for (p, count) in [("1", 1), ("2", 1), ("3", 1), ("4", 2), ("20", 8)] {
            let node = graph.read(p).unwrap();
            assert_eq!(graph.options(node).unwrap().len(), count, "{p}");
        }
        // With k = 1 nobody can move.
        let text = "heaps = 1\nparameters = { k = [1, 9] }\nmove = \"q0 < p0 & p0 < q0+k\"";
        assert!(read(text).unwrap().at(&[4]).is_ok());
        assert!(read(text).unwrap().at(&[1]).is_err());
    }

    /// Positions that occur: others are refused, tables list none of them, bounds are seen, and no
    /// file is read whose moves leave them.
    #[test]
    fn positions_that_occur_are_kept() {
        let file = |positions: &str, symmetry: &str, moves: &str| {
            RuleFile::parse(&format!(
                "name = \"one\"\nheaps = 2\nsymmetry = \"{symmetry}\"\npositions = \
                 \"{positions}\"\nmove = \"{moves}\"\n"
            ))
        };
        let diagonal = "q0+1 = p0 & q1 = p1 & q0 >= q1 | q0 = p0 & q1+2 = p1";
        let rules = file("p0 >= p1 & p1 <= 5", "none", diagonal).unwrap();
        let FileRules::Heaps(own) = &rules.rules else { panic!("heaps that never grow") };
        let domain = own.moves.domain.clone().unwrap();
        assert_eq!(domain.most, [None, Some(5)]);
        assert_eq!(domain.box_size(9), 60);
        let game = rules.game();
        assert!(game.normal_form("3,2").is_ok());
        let refused = game.normal_form("2,3").unwrap_err();
        assert!(refused.message.contains("does not occur: positions = "), "{refused}");
        assert_eq!(game.position(&[2, 3]), None);
        let mut listed = 0;
        let mut session = game.session(bouton_engine::Settings::default());
        let visited = session.table(9, &mut |p, _| {
            assert!(p[0] >= p[1] && p[1] <= 5, "{p:?}");
            listed += 1;
            Continue(())
        });
        visited.unwrap().unwrap();
        // Of ten first heaps those with as many below, up to 5.
        assert_eq!(listed, 1 + 2 + 3 + 4 + 5 + 6 * 5);
        // (2, 2) has moves to (2, 0) alone.
        assert_eq!(options(&rules, &[2, 2]), [[2, 0]]);
        let leaves =
            file("p0 >= p1", "none", "q0+1 = p0 & q1 = p1 | q0 = p0 & q1+2 = p1").unwrap_err();
        let RuleFileError::Leaves(from, to) = leaves else { panic!("{leaves}") };
        let read = |text: &str| text.split(',').map(|x| x.parse().unwrap()).collect::<Vec<u32>>();
        let (from, to) = (read(&from), read(&to));
        assert!(
            from[0] >= from[1] && to[0] < to[1] && to == [from[0] - 1, from[1]],
            "{from:?} {to:?}"
        );
        let wrong = [
            (file("E x: p0 = 2*x", "none", diagonal), "without quantifiers"),
            (file("p0 > p2", "none", diagonal), "p2"),
            (file("p0 < p0", "none", diagonal), "no move begins in such a position"),
            (file("p0 <= 4", "full", "q0 = p0 | q1 = p1"), "and its image only one is among"),
        ];
        for (read, why) in wrong {
            let told = read.map(|_| ()).unwrap_err().to_string();
            assert!(told.contains(why), "{told}");
        }
    }

    #[test]
    fn a_start_that_is_no_position_is_refused() {
        let file = |start: &str| {
            RuleFile::parse(&format!(
                "name = \"one\"\nheaps = 1\nmemory = 1\nstart = \"{start}\"\nmove = \"p0 = q0+q1 & q1 \
                 >= 1 & q1 <= 3 & q1 != p1\"\n"
            ))
        };
        assert!(file("p1 = 0").is_ok());
        let told = file("p1 = 0 & p0 < 4 & p0 > 4").map(|_| ()).unwrap_err().to_string();
        assert!(told.contains("no game begins"), "{told}");
    }

    /// A multiple may be negative: 6 - 4 - 5 = -3 and 6 - 1 - 5 = 0 are multiples of 3.
    #[test]
    fn a_negative_difference_is_a_multiple() {
        let read = |formula: &str| {
            let file = format!("name = \"one\"\nheaps = 1\nmove = \"q0 < p0 & {formula}\"\n");
            options(&RuleFile::parse(&file).unwrap(), &[6])
        };
        assert_eq!(read("divides(3, p0-q0-5)"), [[1], [4]]);
        assert_eq!(read("~divides(3, p0-q0-5)"), [[0], [2], [3], [5]]);
        assert_eq!(read("(p0-q0-5) mod 3 = 0"), [[1], [4]]);
    }

    /// Every option of every position is one that a move leads to, and from these the moves are the
    /// game's own.
    #[test]
    fn moves_stay_where_moves_lead() {
        let imitation = "p3 <= 2 & (q0 < p0 & q1 = p1 & q0+q2 = p0 & (p0 <= p1 & q3 = 1 | p0 > p1 \
                         & q3 = 0) & ~(p2 = q2 & p3 = 2 & p0 > p1) | q1 < p1 & q0 = p0 & q1+q2 = \
                         p1 & (p1 <= p0 & q3 = 2 | p1 > p0 & q3 = 0) & ~(p2 = q2 & p3 = 1 & p1 > \
                         p0))";
        let blocking = "(q0 = p0 | q1 = p1 | p0+q1 = p1+q0) & ~(q0 = p2 & q1 = p3) & q2 <= q0 & \
                        q3 <= q1 & (q2 = q0 | q3 = q1 | q2+q1 = q3+q0)";
        let read = |memory: usize, moves: &str| {
            let text =
                format!("name = \"one\"\nheaps = 2\nmemory = {memory}\nmove = \"{moves}\"\n");
            RuleFile::parse(&text).unwrap().game()
        };
        let lead = |game: &dyn Game| where_moves_lead(game, &Budget::default());
        for moves in [imitation, blocking] {
            let game = read(2, moves);
            let led = lead(&*game).unwrap();
            let domain = led.heap_game().unwrap().moves.domain.unwrap();
            let options = |game: &dyn Game, p: &[u64]| {
                let mut graph = game.graph();
                let node = graph.position(p).unwrap();
                let nodes = graph.options(node).unwrap().to_vec();
                let mut all: Vec<Vec<u64>> =
                    nodes.iter().map(|node| graph.sizes(*node).unwrap()).collect();
                all.sort();
                all
            };
            let [mut inside, mut outside] = [0, 0];
            for code in 0..5u64.pow(4) {
                let p: Vec<u64> = (0..4).map(|place| code / 5u64.pow(place) % 5).collect();
                let all = options(&*game, &p);
                assert!(all.iter().all(|q| domain.contains(q)), "{p:?}");
                if domain.contains(&p) {
                    assert_eq!(options(&*led, &p), all, "{p:?}");
                    inside += 1;
                } else {
                    outside += 1;
                }
            }
            assert!(inside > 50 && outside > inside, "{inside} {outside}");
        }
        // Nothing is remembered, all may be remembered, or the formula says nothing of it.
        assert!(lead(&*read(0, "q0 = p0 | q1 = p1")).is_none());
        assert!(lead(&*read(1, "q0 = p0 & q1+q2 = p1 & q2 != p2")).is_none());
        assert!(lead(&*read(1, "q0 = p0 & p1 <= q1+p2 & q2+2*q1 = 2*p1")).is_none());
    }

    /// A heap that an alternative leaves free, unless the alternative only keeps others.
    #[test]
    fn heaps_left_free_are_seen() {
        for (heaps, moves, free) in [
            (2, "q0+1 = p0", Some(vec![1])),
            (2, "q0 = p0 | q1 = p1", None),
            (3, "q0 = p0 | q1 = p1 | q2 = p2", None),
            (3, "q0 < p0 | q0 = p0 & q1 < p1", Some(vec![1, 2])),
            (2, "q0 < p0 & q1 = p1 | q0 = p0 & q1 < p1", None),
            (2, "q0 = p0 | p0+q1 = p1+q0", None),
            (2, "p0 >= p1 & q0 >= 1 & q0 = p0 | q0 < p0 & q1 = min(p1, q0)", None),
            (2, "(q0+1 = p0 | q0+2 = p0) & q1 = p1 | q1+1 = p1", Some(vec![0])),
            (2, "E k: k >= 1 & q0+k = p0", Some(vec![1])),
            (2, "E k: k >= 1 & q0+k = p0 & q1+k = p1", None),
            (1, "q0 < p0", None),
        ] {
            let text = format!("name = \"x\"\nheaps = {heaps}\nmove = \"{moves}\"");
            let found = RuleFile::parse(&text).unwrap().left_free();
            assert_eq!(found.map(|(_, free)| free), free, "{moves}");
        }
        let family = "name = \"x\"\nheaps = 2\nparameters = { k = [2, 5] }\nmove = \"q0+k = p0\"";
        let found = RuleFile::parse(family).unwrap().left_free();
        assert_eq!(found, Some(("q0 + 2 = p0".to_owned(), vec![1])));
    }

    /// A prime is no square, and 30 divides no prime.
    #[test]
    fn arithmetic_that_never_holds_is_seen() {
        let of = |text: &str| RuleFile::parse(&format!("name = \"x\"\n{text}")).unwrap();
        for (text, never) in [
            ("heaps = 1\nmove = \"q0+1 = p0 | prime(p0-q0) & square(p0-q0)\"", "prime"),
            ("heaps = 1\nmove = \"q0+1 = p0 | q0 < p0 & divides(30, p0) & prime(p0)\"", "divides"),
            ("splits = [\"q0+1 = p0\", \"q0+q1 = p0 & prime(q0) & square(q0)\"]", "prime"),
        ] {
            let found = of(text).holds_nowhere();
            assert!(
                found.as_ref().is_some_and(|(part, _)| part.contains(never)),
                "{text} {found:?}"
            );
        }
        for text in [
            "heaps = 1\nmove = \"q0 < p0 & prime(p0-q0)\"",
            "heaps = 1\nmove = \"q0+1 = p0 | q0 < p0 & divides(30, p0) & square(p0-q0)\"",
            "heaps = 2\nmove = \"q0 < p0 & q1 = p1 & prime(p0-q0) | q0 = p0 & q1+4 = p1\"",
            "splits = [\"q0 < p0 & square(q0)\", \"q0+q1 = p0 & prime(q0) & q1 >= 1\"]",
        ] {
            assert_eq!(of(text).holds_nowhere(), None, "{text}");
        }
    }

    #[test]
    fn errors_are_reported() {
        let with = |from: &str, to: &str| RuleFile::parse(&WYTHOFF.replace(from, to));
        let Err(RuleFileError::Taken(taken)) = with("queen", "wythoff") else {
            panic!("wythoff is a family")
        };
        assert_eq!((taken.name.as_str(), taken.by.as_str()), ("wythoff", "the family `wythoff`"));
        for (name, why) in [
            ("a b", "it holds ` `"),
            ("", "it is empty"),
            ("2nd", "it begins with `2`"),
            ("a+b", "it holds `+`"),
        ] {
            let Err(RuleFileError::Sign(of, told)) = with("queen", name) else {
                panic!("`{name}` is no name")
            };
            assert_eq!((of.as_str(), told.as_str()), (name, why));
        }
        assert_eq!(with("queen", "queen-2b").unwrap().name(), "queen-2b");
        assert!(matches!(with("heaps = 2", "heaps = 16"), Err(RuleFileError::Heaps(16))));
        for none in ["heaps = 0", ""] {
            let told = with("heaps = 2", none).unwrap_err().to_string();
            assert!(told.starts_with("heaps is missing, or 0"), "{told}");
        }
        // Of one heap no second one is spoken of.
        for falls in ["p0-q0", "p0 = 1"] {
            let one = "name = \"x\"\nheaps = 1\nmove = \"q0+1 = p0\"\n";
            let told = RuleFile::parse(&format!("{one}falls = \"{falls}\"")).unwrap_err();
            assert!(!told.to_string().contains("p1"), "{told}");
        }
        assert!(matches!(with("heaps = 2", "heap = 2"), Err(RuleFileError::Toml(_))));
        // Below [published] a rule would change nothing.
        let below = RuleFile::parse(&format!(
            "{}[published]\nsymmetry = \"full\"\n",
            WYTHOFF.replace("symmetry = \"full\"\n", "")
        ));
        let Err(RuleFileError::Toml(error)) = below else { panic!("a rule below [published]") };
        assert!(error.to_string().contains("`symmetry` is a rule"), "{error}");
        assert!(matches!(with("p0+q1 =", "p0+r1 ="), Err(RuleFileError::Move(..))));
        assert!(matches!(with("p0+q1 =", "p0+ ="), Err(RuleFileError::Move(..))));
        let Err(RuleFileError::Symmetry(from, to)) = with("q0 = p0 |", "q0+1 = p0 |") else {
            panic!("taking one from the first heap alone is not symmetric");
        };
        assert!(!from.is_empty() && !to.is_empty());
    }
}
