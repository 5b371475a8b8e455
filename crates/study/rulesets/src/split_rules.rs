//! Heaps that become several, by formulas: each heap is played by itself, an option of a heap is a
//! sum of heaps.
//!
//! The value of a heap is the least number that no option has, and the value of an option is the
//! nim-sum of its heaps' values. So the nim-sequence is made heap by heap, a run of consecutive
//! heaps costing as much as one. Rules that only say how many tokens leave a heap and as how many
//! heaps the rest is left are a take-and-break code.

mod code;

use crate::searched_rules::{ended, searched, stop, stopped, wrong};
use crate::take_and_break::CodeValues;
#[cfg(not(target_family = "wasm"))]
use bouton_core::Arrange;
use bouton_core::{
    Appearance, Board, Coordinates, Formula, FormulaError, HeapMoves, Impartial, LimitReached,
    Meter, MoveText, Nimber, Node, Notation, NotationError, Outcome, Play, Rows, RuleFault,
    RuleSource, Ruleset, Term, Unknown, heaps_text,
};
use bouton_engine::family::MAX_ROWS;
use bouton_engine::game::{
    ByNimValue, Evaluation, Evaluator, Game, Kind, Settings, with_evaluator,
};
use bouton_heaps::rows;
#[cfg(not(target_family = "wasm"))]
use bouton_heaps::splits::{
    Loops, Ranges,
    lost::{self, LostHeaps},
};
use bouton_heaps::splits::{Marks, STEPS, SubtractionSet, ValueTable};
use bouton_octal::sequence::{ByteValues, StorageBudget, TakeAndBreakCode};
use code::LaterCode;
use rustc_hash::FxHashSet;
use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::Arc;

/// Heaps of which the whole sequence is made; greater ones are searched by themselves.
const SEQUENCE: u32 = 1 << 20;
/// Options of all heaps up to one, at most, where its sequence is made although only the outcome is
/// asked for.
#[cfg(not(target_family = "wasm"))]
const MAX_OPTIONS: u64 = 1 << 31;
/// Heaps up to this one come from the rules, although they are a code from some smaller heap on.
const FIRST_BY_RULES: usize = 1 << 8;
/// Options that are marked between two looks at the clock.
const LOOK_EVERY: u64 = 1 << 20;
/// Heaps up to this one are searched in misère play.
#[cfg(not(target_family = "wasm"))]
const SEARCHED_MISERE: u32 = 1 << 10;
/// The most heaps that a formula names.
pub const MAX_PARTS: usize = 12;
/// Heaps whose options are looked at when the rules are read.
const FIRST_HEAPS: u32 = 40;

/// A rule by which a heap becomes others.
#[derive(Debug, Clone)]
pub struct Split {
    /// Over p0, q0, q1, …: the heap, and numbers that depend on it.
    formula: Formula,
    into: Vec<MadeHeaps>,
    /// As the file has it.
    text: String,
    /// Whether the heaps are q0, q1, … themselves.
    is_plain: bool,
    /// What may be taken, where nothing else is said.
    takings: Option<Arc<SubtractionSet>>,
    /// The rule as loops over the heaps.
    #[cfg(not(target_family = "wasm"))]
    loops: Option<Arc<Loops>>,
    /// The rule as ranges of sizes.
    #[cfg(not(target_family = "wasm"))]
    ranges: Option<Arc<Ranges>>,
}

/// Heaps that a rule makes.
#[derive(Debug, Clone)]
enum MadeHeaps {
    /// So many of one size.
    Copies { count: Term, size: Term },
    /// Of each size from one to another; none where the first is greater.
    Run { from: Term, to: Term },
}

/// The heaps of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OptionRun {
    Copies { count: u64, size: u32 },
    Run { from: u32, to: u32 },
}

type OptionRuns = Vec<OptionRun>;

/// Returns the names of a rule over so many numbers: p0, q0, q1, ….
fn names(count: usize) -> Vec<String> {
    std::iter::once("p0".to_owned()).chain((0..count).map(|i| format!("q{i}"))).collect()
}

impl Split {
    /// Returns whether the heap becomes one heap or none.
    fn leaves_one(&self) -> bool {
        self.is_plain && self.formula.free == 2
    }

    /// Returns whether the options of a heap are marked without a search for them, mostly.
    fn is_marked(&self) -> bool {
        #[cfg(not(target_family = "wasm"))]
        if self.loops.is_some() || self.ranges.is_some() {
            return true;
        }
        self.takings.is_some()
    }

    /// Marks the options of the next heap, where each is a smaller one; `None`, with some of them
    /// marked or none, where a search must find them.
    fn mark(&self, marks: &mut Marks<'_>) -> Option<()> {
        #[cfg(not(target_family = "wasm"))]
        if self.loops.as_ref().is_some_and(|loops| loops.mark(marks).is_some())
            || self.ranges.as_ref().is_some_and(|ranges| ranges.mark(marks).is_some())
        {
            return Some(());
        }
        self.takings.as_ref()?.mark(marks)
    }

    /// Reads a rule: its formula and, where they are not q0, q1, …, the heaps that it makes.
    ///
    /// # Errors
    /// The text at fault, with its place.
    pub fn parse(formula: &str, into: Option<&str>) -> Result<Split, (String, FormulaError)> {
        let said = |text: &str| {
            let numbers = crate::template::words(text)
                .filter_map(|word| word.strip_prefix('q')?.parse::<usize>().ok());
            numbers.map(|number| number.saturating_add(1)).max().unwrap_or(0)
        };
        let count = said(formula).max(into.map_or(0, said));
        let fault = |text: &str, range: std::ops::Range<usize>, message: String, accepted: &str| {
            (text.to_owned(), FormulaError { range, message, accepted: accepted.to_owned() })
        };
        if count > MAX_PARTS {
            let message = format!("q{} is more than the {MAX_PARTS} numbers of a rule", count - 1);
            return Err(fault(formula, 0..formula.len(), message, "q0 to q11; 3 of q0 for copies"));
        }
        let names = names(count);
        let read =
            Formula::parse_over(formula, &names).map_err(|error| (formula.to_owned(), error))?;
        let mut is_said = vec![false; names.len()];
        read.root.visit_terms(&mut |term| {
            if let Term::Variable(v) = term
                && *v < is_said.len()
            {
                is_said[*v] = true;
            }
        });
        if let Some(missing) = (1..names.len()).find(|v| !is_said[*v]) {
            let message = format!("{} stands nowhere in the rule", names[missing]);
            return Err(fault(
                formula,
                0..formula.len(),
                message,
                "every number q0, q1, … up to the last",
            ));
        }
        let plain = || {
            (0..count)
                .map(|i| MadeHeaps::Copies { count: Term::Number(1), size: Term::Variable(i + 1) })
        };
        let Some(into) = into else {
            let into = plain().collect();
            return Ok(Split {
                takings: SubtractionSet::new(&read).map(Arc::new),
                #[cfg(not(target_family = "wasm"))]
                loops: Loops::new(&read).map(Arc::new),
                #[cfg(not(target_family = "wasm"))]
                ranges: Ranges::new(&read).map(Arc::new),
                formula: read,
                into,
                text: formula.to_owned(),
                is_plain: true,
            });
        };
        let accepted = "heaps with commas between: q0, 3 of q1, q0 to q1; nothing for no heap";
        // A term is read as one side of an equation.
        let term = |text: &str| {
            let equation = format!("{text} = 0");
            match Formula::parse_over(&equation, &names) {
                Ok(Formula { root: Node::Compare(term, ..), .. }) => Ok(term),
                Ok(_) => {
                    Err(fault(into, 0..into.len(), format!("`{text}` is no number"), accepted))
                }
                Err(error) => Err((
                    text.to_owned(),
                    FormulaError {
                        range: error.range.start.min(text.len())..error.range.end.min(text.len()),
                        ..error
                    },
                )),
            }
        };
        let mut parts = Vec::new();
        for one in apart(into) {
            let one = one.trim();
            if one.is_empty() {
                continue;
            }
            parts.push(match (one.split_once(" of "), one.split_once(" to ")) {
                (Some((count, size)), None) => {
                    MadeHeaps::Copies { count: term(count)?, size: term(size)? }
                }
                (None, Some((from, to))) => MadeHeaps::Run { from: term(from)?, to: term(to)? },
                (None, None) => MadeHeaps::Copies { count: Term::Number(1), size: term(one)? },
                _ => {
                    return Err(fault(
                        into,
                        0..into.len(),
                        format!("`{one}`: `of` or `to`, not both"),
                        accepted,
                    ));
                }
            });
        }
        let text = format!("{formula}, into {into}");
        Ok(Split {
            formula: read,
            into: parts,
            text,
            is_plain: false,
            takings: None,
            #[cfg(not(target_family = "wasm"))]
            loops: None,
            #[cfg(not(target_family = "wasm"))]
            ranges: None,
        })
    }

    /// Returns the formula over p0, q0, q1, ….
    pub fn formula(&self) -> &Formula {
        &self.formula
    }

    /// Returns what is put into the place of the heap.
    fn pieces(&self, values: &[u64]) -> Option<OptionRuns> {
        let value = |term: &Term| term.value(&|v| values.get(v).map(|value| i128::from(*value)));
        let size = |value: i128| u32::try_from(value).ok();
        let mut all = OptionRuns::new();
        for part in &self.into {
            match part {
                MadeHeaps::Copies { count, size: of } => {
                    let (count, of) = (u64::try_from(value(count)?).ok()?, size(value(of)?)?);
                    if count > 0 && of > 0 {
                        all.push(OptionRun::Copies { count, size: of });
                    }
                }
                MadeHeaps::Run { from, to } => {
                    let (from, to) = (value(from)?.max(1), value(to)?);
                    if from <= to {
                        all.push(OptionRun::Run { from: size(from)?, to: size(to)? });
                    }
                }
            }
        }
        Some(all)
    }
}

/// Returns the parts between commas that stand in no parentheses.
fn apart(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut all) = (0, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                all.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    all.push(&text[start..]);
    all
}

/// A game on any number of heaps, each of which becomes others by rules.
#[derive(Debug, Clone)]
pub struct SplitRules {
    rules: Arc<Rules>,
    source: Option<Arc<RuleSource>>,
}

#[derive(Debug)]
struct Rules {
    name: String,
    about: String,
    splits: Vec<Split>,
    /// What falls from a heap to each of those that it becomes, over p0; its size where there is
    /// nothing.
    falls: Vec<(String, Term)>,
    code: Option<TakeAndBreakCode>,
    /// A code that says the same of all heaps but the first ones.
    later: Option<LaterCode>,
}

impl SplitRules {
    /// Returns the game. Where `falls` is empty each heap becomes smaller ones.
    pub fn new(
        name: &str,
        about: String,
        splits: Vec<Split>,
        falls: Vec<(String, Term)>,
    ) -> SplitRules {
        let found = if falls.is_empty() { code::code_of(&splits) } else { None };
        let (code, later) = match found {
            Some(LaterCode { code, from: 0 }) => (Some(code), None),
            // Periods of codes that repeat are proved with their first heaps.
            Some(later) if later.code.most_taken().is_some() => (None, Some(later)),
            _ => (None, None),
        };
        let rules = Rules { name: name.to_owned(), about, splits, falls, code, later };
        SplitRules { rules: Arc::new(rules), source: None }
    }

    /// Returns the game of these rules.
    pub fn game(self) -> Box<dyn Game> {
        with_evaluator::<_, BySplits>(self)
    }

    /// Returns the same game, read from there.
    pub fn with_source(self, source: Arc<RuleSource>) -> SplitRules {
        SplitRules { source: Some(source), ..self }
    }

    /// Returns the rules of one heap, over p0 and q0, where each rule leaves one heap or none.
    #[cfg(not(target_family = "wasm"))]
    pub fn of_one_heap(&self) -> Option<String> {
        let Rules { splits, falls, .. } = &*self.rules;
        let texts: Vec<String> = splits.iter().map(|split| format!("({})", split.text)).collect();
        (falls.is_empty() && !splits.is_empty() && splits.iter().all(Split::leaves_one))
            .then(|| texts.join(" | "))
    }

    /// Looks at the options of small heaps.
    pub fn checked(&self) -> Result<(), RuleFault> {
        for heap in 0..FIRST_HEAPS {
            match self.rules.each(heap, &mut |_| Continue(())) {
                Err(LimitReached::Rules(fault)) => return Err(fault),
                Err(_) => return Ok(()),
                Ok(_) => {}
            }
        }
        Ok(())
    }
}

impl Rules {
    /// Visits what a heap becomes.
    fn each(
        &self,
        heap: u32,
        visit: &mut dyn FnMut(&[OptionRun]) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, LimitReached> {
        for split in &self.splits {
            if self.by(split, heap, visit)?.is_break() {
                return Ok(Break(()));
            }
        }
        Ok(Continue(()))
    }

    fn by(
        &self,
        split: &Split,
        heap: u32,
        visit: &mut dyn FnMut(&[OptionRun]) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, LimitReached> {
        let takings = split.takings.as_ref().filter(|_| self.falls.is_empty());
        if let Some(takings) = takings.and_then(|takings| takings.up_to(heap)) {
            for taken in takings {
                let left = [OptionRun::Copies { count: 1, size: heap - taken }];
                if visit(if taken < heap { &left } else { &[] }).is_break() {
                    return Ok(Break(()));
                }
            }
            return Ok(Continue(()));
        }
        let free = split.formula.free;
        let mut given = vec![None; free];
        given[0] = Some(u64::from(heap));
        let mut tops = vec![None; free];
        let text = format!("`{}`", split.text);
        let mut fault = None;
        loop {
            let end = split.formula.solutions(&given, &tops, STEPS, &mut |values| {
                let Some(pieces) = split.pieces(values) else {
                    let message = format!(
                        "{text} makes of a heap of {heap} one whose size is negative or too big"
                    );
                    fault = Some(wrong(&message));
                    return Break(());
                };
                match self.fall(&pieces, heap, &text) {
                    Err(why) => {
                        fault = Some(why);
                        Break(())
                    }
                    Ok(false) => Continue(()),
                    Ok(true) => visit(&pieces),
                }
            });
            if let Some(fault) = fault.take() {
                return Err(fault);
            }
            match end {
                Ok(end) => return Ok(end),
                // It says nothing of how large a heap may be: smaller than the one that it comes
                // from.
                Err(Unknown::Unbounded(name)) if self.falls.is_empty() && heap > 0 => {
                    let open =
                        (1..free).find(|v| split.formula.names[*v] == name && tops[*v].is_none());
                    match open {
                        Some(v) => tops[v] = Some(u64::from(heap) - 1),
                        None => {
                            return Err(ended(Unknown::Unbounded(name), &text, &heap.to_string()));
                        }
                    }
                }
                Err(Unknown::Unbounded(_)) if heap == 0 && self.falls.is_empty() => {
                    return Ok(Continue(()));
                }
                Err(why) => return Err(ended(why, &text, &heap.to_string())),
            }
        }
    }

    /// Returns the numbers from 1 to `heap` that may be taken, if the rules say nothing but these.
    #[cfg(not(target_family = "wasm"))]
    fn takings(&self, heap: u32) -> Option<Vec<u32>> {
        if !self.falls.is_empty() {
            return None;
        }
        let mut all = Vec::new();
        for split in &self.splits {
            let takings = split.takings.as_ref()?;
            if heap <= lost::MAX_HEAP {
                all.extend(takings.up_to(heap)?);
                continue;
            }
            all.extend(takings.few_up_to(heap)?);
            if all.len() as u64 * u64::from(heap / 64) > lost::MAX_OF_FEW.1 {
                return None;
            }
        }
        all.arrange();
        all.dedup();
        Some(all)
    }

    /// Returns whether the heaps are an option; `false` where nothing changes. An error where one
    /// of them is not smaller.
    fn fall(&self, pieces: &[OptionRun], heap: u32, text: &str) -> Result<bool, LimitReached> {
        let is_same = match pieces {
            [] => heap == 0,
            [OptionRun::Copies { count: 1, size }] => *size == heap,
            [OptionRun::Run { from, to }] => from == to && *from == heap,
            _ => false,
        };
        // Where a quantity must fall it does not fall here.
        if is_same && (self.falls.is_empty() || heap == 0) {
            return Ok(false);
        }
        let greatest = |piece: &OptionRun| match piece {
            OptionRun::Copies { size, .. } => *size,
            OptionRun::Run { to, .. } => *to,
        };
        if self.falls.is_empty() {
            return match pieces.iter().map(greatest).find(|size| *size >= heap) {
                None => Ok(true),
                Some(size) => Err(wrong(&format!(
                    "{text} makes of a heap of {heap} one of {size}, which is not smaller; heaps \
                     may grow only where the file says what falls instead: falls = \"…\" over p0"
                ))),
            };
        }
        let before = self.measured(heap)?;
        for piece in pieces {
            let sizes = match *piece {
                OptionRun::Copies { size, .. } => size..=size,
                OptionRun::Run { from, to } => from..=to,
            };
            if sizes.end() - sizes.start() > MAX_ROWS as u32 {
                return Err(LimitReached::TooManyHeaps(MAX_ROWS as u64));
            }
            for size in sizes {
                let after = self.measured(size)?;
                if after >= before {
                    let words: Vec<&str> =
                        self.falls.iter().map(|(text, _)| text.as_str()).collect();
                    return Err(wrong(&format!(
                        "{text} makes of a heap of {heap} one of {size}, and {} does not fall: {} \
                         → {}",
                        words.join(", then "),
                        heaps_text(&before),
                        heaps_text(&after)
                    )));
                }
            }
        }
        Ok(true)
    }

    fn measured(&self, heap: u32) -> Result<Vec<i128>, LimitReached> {
        let value = |(text, term): &(String, Term)| {
            let value = term.value(&|_| Some(i128::from(heap))).filter(|value| *value >= 0);
            value.ok_or_else(|| {
                wrong(&format!("falls = \"{text}\" has no value at {heap}, or a negative one"))
            })
        };
        self.falls.iter().map(value).collect()
    }
}

impl Ruleset for SplitRules {
    type Position = Rows;

    fn options<B>(
        &self,
        p: &Rows,
        mut visit: impl FnMut(Rows) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut seen = FxHashSet::default();
        for (i, heap) in p.iter().enumerate() {
            if p[..i].contains(heap) {
                continue;
            }
            let rest = [&p[..i], &p[i + 1..]].concat();
            let (mut stopped, mut large) = (None, false);
            let end = self.rules.each(*heap, &mut |pieces| {
                let mut q = Rows::from_slice(&rest);
                for piece in pieces {
                    let (sizes, times) = match *piece {
                        OptionRun::Copies { count, size } => (size..=size, count),
                        OptionRun::Run { from, to } => (from..=to, 1),
                    };
                    let more = u64::from(sizes.end() - sizes.start() + 1).saturating_mul(times);
                    if more.saturating_add(q.len() as u64) > MAX_ROWS as u64 {
                        large = true;
                        return Break(());
                    }
                    (0..times).for_each(|_| q.extend(sizes.clone()));
                }
                // The same heaps in another order are the same option.
                if !seen.insert(rows::canonical(q.clone())) {
                    return Continue(());
                }
                match visit(q) {
                    Continue(()) => Continue(()),
                    stop => {
                        stopped = Some(stop);
                        Break(())
                    }
                }
            });
            if let Some(stop) = stopped {
                return stop;
            }
            match end {
                _ if large => stop(&self.rules.name, LimitReached::TooManyHeaps(MAX_ROWS as u64)),
                Err(why) => stop(&self.rules.name, why),
                Ok(_) => {}
            }
        }
        Continue(())
    }

    fn rank(&self, _: &Rows) -> Option<u64> {
        None
    }

    fn canonical(&self, p: Rows) -> Rows {
        rows::canonical(p)
    }

    searched!();
}

impl Impartial for SplitRules {
    fn summands(&self, p: &Rows, visit: impl FnMut(Rows)) {
        rows::visit_summands(p, visit);
    }
}

impl Notation for SplitRules {
    fn name(&self) -> String {
        self.rules.name.clone()
    }

    fn describe(&self) -> String {
        self.rules.about.clone()
    }

    fn position_form(&self) -> String {
        rows::form(None, "heap")
    }

    fn read(&self, text: &str) -> Result<Rows, NotationError> {
        let mut p = rows::read(text, None, "heap")?;
        p.retain(|heap| *heap > 0);
        Ok(p)
    }

    fn print(&self, p: &Rows) -> String {
        rows::print(p, None)
    }

    fn move_text(&self, p: &Rows, q: &Rows) -> MoveText {
        rows::move_text(p, q)
    }

    fn rule_files(&self) -> Vec<Arc<RuleSource>> {
        self.source.iter().cloned().collect()
    }
}

impl Coordinates for SplitRules {
    fn tables_only(&self) -> Option<String> {
        let none = self.rules.code.is_none();
        none.then(|| {
            "of games in which each heap is played by itself, the prover reads take-and-break codes"
                .into()
        })
    }

    fn heap_moves(&self) -> Option<HeapMoves> {
        self.rules.code.as_ref().map(|code| HeapMoves::Code(code.to_string()))
    }

    fn sizes(&self, p: &Rows) -> Option<Vec<u64>> {
        Some(p.iter().map(|heap| u64::from(*heap)).collect())
    }

    fn position(&self, sizes: &[u64]) -> Option<Rows> {
        let heaps: Option<Rows> = sizes.iter().map(|size| u32::try_from(*size).ok()).collect();
        heaps.filter(|heaps| heaps.len() <= MAX_ROWS)
    }

    fn single(&self, size: u32) -> Option<Rows> {
        Some(if size == 0 { Rows::new() } else { Rows::from_slice(&[size]) })
    }
}

impl Appearance for SplitRules {
    fn board(&self, p: &Rows) -> Board {
        Board::Row(p.to_vec())
    }
}

/// Evaluates in normal play by the nim-sequence, in misère play as any game.
pub struct BySplits {
    /// Where the rules are a code, from the first heap on or from a later one.
    code: Option<CodeValues>,
    /// Nim-values of heaps, and the nim-sums of the values up to each.
    table: ValueTable,
    sums: Vec<u32>,
    /// In misère play, 0 for each heap that is lost and 1 for each that is won.
    won: Option<ValueTable>,
    /// The lost heaps, where they are sieved. Not in the page, which would grow.
    #[cfg(not(target_family = "wasm"))]
    lost: Option<LostHeaps>,
    generic: ByNimValue<SplitRules>,
    play: Play,
    /// Whether only outcomes are asked for.
    #[cfg(not(target_family = "wasm"))]
    outcomes_only: bool,
}

impl Evaluator<SplitRules> for BySplits {
    const KIND: Kind = Kind::Impartial;

    fn new(rules: &SplitRules, how: &Settings) -> Self {
        BySplits {
            code: rules.rules.code.clone().map(CodeValues::new),
            table: ValueTable::default(),
            sums: vec![0],
            won: None,
            #[cfg(not(target_family = "wasm"))]
            lost: None,
            generic: ByNimValue::new(rules, how),
            play: how.play,
            #[cfg(not(target_family = "wasm"))]
            outcomes_only: how.nim_value_nodes == 0,
        }
    }

    fn evaluate(
        &mut self,
        rules: &SplitRules,
        p: &Rows,
        meter: &mut Meter,
    ) -> Result<Evaluation, LimitReached> {
        #[cfg(not(target_family = "wasm"))]
        if let [heap] = p[..]
            && let Some(is_lost) = self.is_lost(rules, heap, meter)?
        {
            let outcome = if is_lost { Outcome::P } else { Outcome::N };
            return Ok(Evaluation { outcome: Some(outcome), ..Evaluation::default() });
        }
        if self.play == Play::Misere {
            return match self.misere_outcome(rules, p, meter)? {
                Some(outcome) => Ok(Evaluation { outcome: Some(outcome), ..Evaluation::default() }),
                None => self.generic.evaluate(rules, p, meter),
            };
        }
        let value = self.value(rules, p, meter)?;
        let outcome = if value == Nimber(0) { Outcome::P } else { Outcome::N };
        Ok(Evaluation { outcome: Some(outcome), nim_value: Some(value), ..Evaluation::default() })
    }

    fn nim_value(
        &mut self,
        rules: &SplitRules,
        p: &Rows,
        meter: &mut Meter,
    ) -> Option<Result<Nimber, LimitReached>> {
        Some(self.value(rules, p, meter))
    }

    fn value_by_table(
        &mut self,
        rules: &SplitRules,
        p: &Rows,
        meter: &mut Meter,
    ) -> Option<Result<Nimber, LimitReached>> {
        self.is_sequence(rules, p).then(|| self.value(rules, p, meter))
    }

    fn summands(rules: &SplitRules, p: &Rows, visit: &mut dyn FnMut(Rows)) {
        rules.summands(p, visit);
    }
}

impl BySplits {
    /// Returns whether a heap is evaluated with all smaller ones, and none of their options is
    /// looked for by the formula.
    pub(crate) fn evaluates_together(&self, rules: &SplitRules, p: &Rows) -> bool {
        let Rules { splits, falls, .. } = &*rules.rules;
        let is_sieved =
            cfg!(not(target_family = "wasm")) && splits.iter().all(|split| split.takings.is_some());
        let is_short =
            p.iter().all(|heap| *heap <= SEQUENCE) && splits.iter().all(Split::is_marked);
        falls.is_empty() && (is_sieved || is_short)
    }

    /// Returns whether a heap is lost, by the sieve; `None` where that is not cheaper than its
    /// value or a search.
    #[cfg(not(target_family = "wasm"))]
    fn is_lost(
        &mut self,
        rules: &SplitRules,
        heap: u32,
        meter: &mut Meter,
    ) -> Result<Option<bool>, LimitReached> {
        if let Some(known) = self.lost.as_ref().and_then(|lost| lost.is_lost(heap)) {
            return Ok(Some(known));
        }
        let is_normal = self.play == Play::Normal;
        if heap > lost::MAX_OF_FEW.0
            || is_normal && rules.rules.code.is_some()
            || heap <= SEARCHED_MISERE
        {
            return Ok(None);
        }
        let Some(takings) = rules.rules.takings(heap) else { return Ok(None) };
        let wants_value = is_normal && !self.outcomes_only;
        if wants_value && heap <= SEQUENCE && u64::from(heap) * takings.len() as u64 <= MAX_OPTIONS
        {
            return Ok(None);
        }
        let lost = LostHeaps::new(&takings, heap, self.play, meter)?;
        let known = lost.is_lost(heap);
        self.lost = Some(lost);
        Ok(known)
    }

    /// Returns who wins from one heap in misère play, where every option is one heap or none and no
    /// option is looked for by the formula.
    fn misere_outcome(
        &mut self,
        rules: &SplitRules,
        p: &Rows,
        meter: &mut Meter,
    ) -> Result<Option<Outcome>, LimitReached> {
        let is_one = |split: &Split| split.leaves_one() && split.is_marked();
        let Rules { splits, falls, .. } = &*rules.rules;
        let heap = match p[..] {
            [heap] if heap <= SEQUENCE && falls.is_empty() && splits.iter().all(is_one) => {
                heap as usize
            }
            _ => return Ok(None),
        };
        // Heap 0 has no move, which wins.
        let table = self.won.get_or_insert_with(|| ValueTable::with_empty_heap(1));
        while table.values().len() <= heap {
            meter.spend_one()?;
            let mut marks = table.marks();
            if splits.iter().any(|split| split.mark(&mut marks).is_none()) {
                return Ok(None);
            }
            let is_won = marks.is_empty() || marks.least_unmarked() > 0;
            table.push(is_won.into());
            spend_visits(table, meter)?;
        }
        Ok(Some(if table.values()[heap] == 0 { Outcome::P } else { Outcome::N }))
    }

    /// Returns whether the values of these heaps come from a sequence.
    fn is_sequence(&self, rules: &SplitRules, p: &Rows) -> bool {
        let has_code = rules.rules.code.is_some() || rules.rules.later.is_some();
        has_code || rules.rules.falls.is_empty() && p.iter().all(|heap| *heap <= SEQUENCE)
    }

    fn value(
        &mut self,
        rules: &SplitRules,
        p: &Rows,
        meter: &mut Meter,
    ) -> Result<Nimber, LimitReached> {
        if let Some(code) = &mut self.code {
            return code.value(p, meter);
        }
        if !self.is_sequence(rules, p) {
            return self
                .generic
                .nim_value(rules, p, meter)
                .unwrap_or(Err(LimitReached::NumbersTooLarge));
        }
        let greatest = p.iter().copied().max().unwrap_or(0) as usize;
        let later = rules.rules.later.as_ref().map(|later| (later, later.from.max(FIRST_BY_RULES)));
        let end = later.map_or(greatest, |(_, first)| greatest.min(first));
        while self.table.values().len() <= end {
            self.extend(rules, meter)?;
        }
        if let Some((later, first)) = later
            && greatest > first
        {
            let values = self.table.values();
            let mut known = ByteValues::new(StorageBudget::default());
            known.reserve(values.len())?;
            values.iter().for_each(|value| known.push(*value));
            let code = self.code.insert(CodeValues::from_first(later.code.clone(), known)?);
            return code.value(p, meter);
        }
        let values = self.table.values();
        Ok(p.iter().map(|heap| Nimber(values[*heap as usize])).fold(Nimber(0), |a, b| a ^ b))
    }

    /// Makes the value of the next heap.
    fn extend(&mut self, rules: &SplitRules, meter: &mut Meter) -> Result<(), LimitReached> {
        meter.spend_one()?;
        let BySplits { table, sums, .. } = self;
        let (heap, mut marks) = (table.values().len() as u32, table.marks());
        for split in &rules.rules.splits {
            if rules.rules.falls.is_empty() && split.mark(&mut marks).is_some() {
                continue;
            }
            let end = rules.rules.by(split, heap, &mut |pieces| {
                let value = pieces.iter().fold(0, |sum, piece| {
                    sum ^ match *piece {
                        OptionRun::Copies { count, size } if count % 2 == 1 => marks.value(size),
                        OptionRun::Copies { .. } => 0,
                        OptionRun::Run { from, to } => sums[to as usize] ^ sums[from as usize - 1],
                    }
                });
                marks.mark_value(value);
                Continue(())
            });
            if let Err(why) = end {
                stop(&rules.rules.name, why);
                return Err(stopped().unwrap_or(why));
            }
        }
        let value = marks.least_unmarked();
        table.push(value);
        sums.push(sums.last().copied().unwrap_or(0) ^ value);
        spend_visits(table, meter)
    }
}

/// Looks at the clock after many options.
fn spend_visits(table: &mut ValueTable, meter: &mut Meter) -> Result<(), LimitReached> {
    if table.visited() > LOOK_EVERY {
        table.forget_visited();
        meter.poll(0)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use bouton_core::Budget;

    fn rules(texts: &[&str]) -> SplitRules {
        let splits = texts.iter().map(|text| Split::parse(text, None).unwrap()).collect();
        SplitRules::new("test", String::new(), splits, Vec::new())
    }

    /// Returns the values by the options that the search finds.
    fn by_search(rules: &SplitRules, heaps: u32) -> Vec<u32> {
        let mut values: Vec<u32> = vec![0];
        for heap in 1..heaps {
            let mut seen = std::collections::BTreeSet::new();
            let end = rules.rules.each(heap, &mut |pieces| {
                let of = |piece: &OptionRun| match *piece {
                    OptionRun::Copies { count, size } if count % 2 == 1 => values[size as usize],
                    _ => 0,
                };
                seen.insert(pieces.iter().map(of).fold(0, |sum, value| sum ^ value));
                Continue(())
            });
            assert_eq!(end, Ok(Continue(())));
            values.push((0..).find(|value| !seen.contains(value)).unwrap());
        }
        values
    }

    /// Returns the values by loops alone.
    fn by_loops(rules: &SplitRules, heaps: usize) -> Vec<u32> {
        let mut table = ValueTable::default();
        while table.values().len() < heaps {
            let mut marks = table.marks();
            let mut splits = rules.rules.splits.iter();
            splits.try_for_each(|split| split.loops.as_ref().unwrap().mark(&mut marks)).unwrap();
            let value = marks.least_unmarked();
            table.push(value);
        }
        table.values().to_vec()
    }

    /// A rule that says nothing of a heap leaves none, from any heap.
    #[test]
    fn a_rule_without_numbers() {
        let rules = rules(&["1 = 1"]);
        let mut evaluator = BySplits::new(&rules, &Settings::default());
        let mut meter = Meter::new(&Budget::default());
        for (heap, value) in [(0, 0), (1, 1), (7, 1)] {
            let heaps = rules.single(heap).unwrap();
            assert_eq!(evaluator.value(&rules, &heaps, &mut meter), Ok(Nimber(value)), "{heap}");
        }
    }

    /// Which rules are a code, from which heap on; and the values, each way.
    #[test]
    fn codes_are_the_rules() {
        let pair = |more: &str| format!("q0 >= 1 & q1 >= 1 & {more}");
        for (texts, code) in [
            (["q0 < p0".to_owned(), pair("q0+q1 = p0 & q0 != q1")], Some(("4!.[3]", 0))),
            (["q0+5 = p0".to_owned(), pair("q0+q1 = p0 & q0+q1 >= 6")], Some(("4.00003", 6))),
            (
                ["q0 < p0 & p0 <= q0+4".to_owned(), pair("q0+q1+2 = p0 & q0+q1 >= 6")],
                Some(("0.3733", 8)),
            ),
            (["q0+2 = p0".to_owned(), pair("q0+q1+1 = p0 & p0 >= 20")], Some(("0.43", 20))),
            (["q0 >= 3 & q0+1 = p0".to_owned(), "q0 < q1 & q0+q1+1 = p0".to_owned()], None),
            (
                ["q0 >= 3 & q0+1 = p0".to_owned(), "q0 != q1 & q0+q1+2 = p0".to_owned()],
                Some(("0.2{1,2!}", 4)),
            ),
            (
                ["q0+1 = p0".to_owned(), "q0 <= q1 & q0 != q1 & q0+q1+1 = p0".to_owned()],
                Some(("0.{0,1,2!}", 0)),
            ),
            (["q0 < p0".to_owned(), pair("q0+q1+3 = p0 & q0+q1 >= 6")], None),
        ] {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let rules = rules(&texts);
            let found = match (&rules.rules.code, &rules.rules.later) {
                (Some(code), _) => Some((code.to_string(), 0)),
                (None, later) => later.as_ref().map(|later| (later.code.to_string(), later.from)),
            };
            let expected =
                code.map(|(code, from)| (TakeAndBreakCode::parse(code).unwrap().to_string(), from));
            assert_eq!(found, expected, "{texts:?}");
            let values = by_loops(&rules, 700);
            assert_eq!(values[..50], by_search(&rules, 50), "{texts:?}");
            let mut evaluator = BySplits::new(&rules, &Settings::default());
            let mut meter = Meter::new(&Budget::default());
            for (heap, value) in (0..).zip(&values) {
                let heaps = rules.single(heap).unwrap();
                assert_eq!(
                    evaluator.value(&rules, &heaps, &mut meter),
                    Ok(Nimber(*value)),
                    "{texts:?} {heap}"
                );
            }
        }
    }

    /// Alternatives inside a rule are so many rules; and two heaps of which nothing is said but
    /// that they are smaller are no code, as they may be more together.
    #[test]
    fn alternatives_and_free_heaps() {
        for (texts, code) in [
            (
                &["q0+1 = p0 | q0+4 = p0", "q0 >= 1 & q1 >= 1 & (q0+q1+2 = p0 | q0+q1+3 = p0)"][..],
                Some("0.3443"),
            ),
            (&["q0+1 = p0 | q0+2 = p0 & p0 mod 2 = 0"], None),
            (&["q0 >= 1 & q1 >= 1"], None),
            (&["q0 < p0", "q0 >= 1 & q1 >= 1 & q0 < p0 & q1 < p0 & q0+q1 <= p0+1"], None),
        ] {
            let rules = rules(texts);
            let found = rules.rules.code.as_ref().map(ToString::to_string);
            assert_eq!(found.as_deref(), code, "{texts:?}");
            let mut evaluator = BySplits::new(&rules, &Settings::default());
            let mut meter = Meter::new(&Budget::default());
            for (heap, value) in (0..).zip(by_search(&rules, 50)) {
                let heaps = rules.single(heap).unwrap();
                let found = evaluator.value(&rules, &heaps, &mut meter);
                assert_eq!(found, Ok(Nimber(value)), "{texts:?} {heap}");
            }
        }
    }
}
