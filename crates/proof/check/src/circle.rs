//! `circle`: who wins Kotzig's Nim on a circle of n cells, for every n, by automata.
//!
//! Steps go clockwise or, negative, anticlockwise: at most F and B cells far; W = F + B. A position
//! is read as a word: the cells clockwise from the one after the token, 0 free, 1 marked, n − 1
//! letters. A move by k needs a free cell k after the token, which it marks. Then *lost* cells are
//! marked, those from −B to F of the token's old cell one after the other: free ones all of whose
//! predecessors, the cells that lead there by a step, are marked, and none of them is the token's
//! new cell. Nobody can ever come to a lost cell, so marking it changes no move now or later. The
//! word is then read from the new cell on. For each residue class of n the file has an automaton
//! that labels words: A, the mover loses; B, the mover wins; or nothing.
//!
//! Hypotheses ([`hypotheses`]): one to four steps, none of them 0, the last clockwise; W ≤ 12;
//! for each class n > |p| + |s|, so that p and s are apart (then n > F, so no step comes back to
//! its own cell, and all steps lead to different ones); circles below are few enough to be
//! searched.
//!
//! What is checked for all words of n − 1 letters, n in the class and at least its `from`: every
//! option of a word with A has B; a word with B has an option with A. In misère play a word with A
//! has an option, and one with B may have none. Then the labels are right, by induction on free
//! cells, and that of 00…0 is the outcome. A word is p·r·s with |p| = W and |s| = W (W − 1 if all
//! steps go clockwise). Cells −B to F and all that lead there lie in s, the token's cell and p, so
//! p and s decide what a move makes of them, and nothing else changes. Read from cell t
//! on, the circle is the rest of p with what of s and the old cell lies behind t, if t < 0; then r;
//! then the rest. So the run on a word and those on its options come to r in states that p and s
//! decide, and read r together: the tuples of states that come up, with the length (mod the period,
//! once it is `from`), are all there is to look at, and each is run on to the ends of the p and s
//! that began with it.
//!
//! The circles below `from` of their class are searched, one after the other, by the rules alone.

use crate::hypotheses::{Hypothesis, all_hold};
use crate::tuples::Tuples;
use crate::work::{Reason, Work, many, number};
use crate::{CheckReport, Envelope, Rejected};
use rustc_hash::{FxHashMap, FxHashSet};

/// Checks what the theorem assumes of the steps, for all circles at once; what it assumes of n is
/// [`class_hypotheses`].
pub(crate) fn hypotheses(steps: &[i64]) -> Result<(), Rejected> {
    let greatest = steps.last().copied().unwrap_or(0);
    let back = steps.first().map_or(0, |least| least.min(&0).unsigned_abs());
    let width = greatest.unsigned_abs().saturating_add(back);
    all_hold(
        "the theorem on circles",
        [
            Hypothesis::new(
                3,
                format!("1 to {MAX_STEPS} steps"),
                (1..=MAX_STEPS).contains(&steps.len()),
                format!("these are {}", steps.len()),
            ),
            Hypothesis::new(3, "steps that are not 0", !steps.contains(&0), "one of them is"),
            Hypothesis::new(
                3,
                "steps each once, ascending",
                steps.is_sorted_by(|a, b| a < b),
                "these are not",
            ),
            Hypothesis::new(
                3,
                "the last step to go clockwise",
                greatest > 0,
                format!("it is {greatest}"),
            ),
            Hypothesis::new(
                3,
                format!("steps over {MAX_WIDTH} cells at most, both ways together"),
                width <= MAX_WIDTH as u64,
                format!("these are over {width}"),
            ),
        ],
    )
}

/// Returns the hypotheses on a class of circles that automata speak of, from `from` cells on.
fn class_hypotheses(line: usize, from: usize, around: Around) -> [Hypothesis; 2] {
    let least = around.before + around.after + 1;
    [
        Hypothesis::new(
            line,
            format!("circles of {least} cells at least, since so many decide what a move does"),
            from >= least,
            format!("these are from {from} on"),
        ),
        Hypothesis::new(
            line,
            format!("circles below `from` of at most {MAX_SEARCHED} cells, as they are searched"),
            from <= MAX_SEARCHED + 1,
            format!("these are below {from}"),
        ),
    ]
}

/// The most that F + B may be: there are 4^W pairs of a first and a last part at most.
const MAX_WIDTH: i64 = 12;
/// Steps at most.
pub(crate) const MAX_STEPS: usize = 4;
/// The greatest period.
const MAX_PERIOD: usize = 1000;
/// Circles are searched up to this many cells: a position is a number of 128 bits.
pub(crate) const MAX_SEARCHED: usize = 128;
/// Bytes that a position or a tuple takes in a table.
pub(crate) const KEPT: usize = 64;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Label {
    None,
    /// The mover loses.
    A,
    /// The mover wins.
    B,
}

/// State 0 labels nothing, whatever is read.
struct LabelledState {
    next: [u32; 2],
    label: Label,
}

/// A residue class: the outcome of its circles from `from` cells on, and the automaton that shows
/// it.
struct Class {
    line: usize,
    from: usize,
    in_p: bool,
    states: Vec<LabelledState>,
}

/// The states in which the runs on the word itself and on its options come to what lies between
/// first and last part.
type Tuple = [u32; MAX_STEPS + 1];

/// The cells around the token of a word and of its options, bit W + i the cell i after the token of
/// the word; 0 for a move that is not legal. Bit W is the word's token.
type Ends = [u32; MAX_STEPS + 1];

/// Checks a certificate of this kind. O(4^W · tuples) at worst, and the search of small circles.
pub(crate) fn check(envelope: &Envelope<'_>, work: &Work<'_>) -> Result<CheckReport, Rejected> {
    let steps = steps(envelope.game).ok_or_else(|| {
        let wanted = "the game should be `Gamma(m1,m2,...;n)`: at most";
        Rejected::new(3, format!("{wanted} {MAX_STEPS} ascending steps, and the letter n"))
    })?;
    hypotheses(&steps)?;
    let misere = envelope.claim.starts_with("in misere play ");
    let around = Around::new(&steps);
    let classes = read(envelope, around, work)?;
    let stopped = |reason| Rejected::new(0, reason);

    let mut tuples = 0;
    for (residue, class) in classes.iter().enumerate() {
        let checked =
            Check { steps: &steps, around, misere, class, residue, period: classes.len() };
        tuples += checked.check_class(work).map_err(|reason| Rejected::new(class.line, reason))?;
    }
    let period = classes.len();
    let most = classes.iter().map(|class| class.from).max().unwrap_or(1);
    let mut searched = 0;
    let mut members = Vec::with_capacity(most);
    for n in 1..most {
        let class = &classes[n % period];
        members.push(match n < class.from {
            true => {
                searched += 1;
                !CircleSearch::new(&steps, n, misere).mover_wins_start(work).map_err(stopped)?
            }
            false => class.in_p,
        });
    }
    let claim =
        statement(&members, &classes.iter().map(|class| class.in_p).collect::<Vec<_>>(), misere);
    if envelope.claim != claim {
        let shown = claim.get(..200).unwrap_or(&claim);
        return Err(Rejected::new(4, format!("what is shown is another claim: {shown}")));
    }
    let states: usize = classes.iter().map(|class| class.states.len() - 1).sum();
    let whole = match searched {
        0 => "all of them by automata".to_owned(),
        _ => {
            let parts: Vec<String> = (0..period)
                .map(|r| format!("n = {r} mod {period} from {}", classes[r].from))
                .collect();
            format!("by automata for {}; the {searched} circles below one by one", parts.join(", "))
        }
    };
    Ok(CheckReport {
        work: format!(
            "{}, {}, {}, {} searched",
            many(period, "class"),
            many(states, "state"),
            many(tuples, "tuple"),
            many(searched, "circle")
        ),
        theorem: theorem(&steps, misere, &whole, &claim),
    })
}

/// Returns what is proved, in words: the rules, how, and the claim.
pub(crate) fn theorem(steps: &[i64], misere: bool, whole: &str, claim: &str) -> String {
    let listed = |back: bool| {
        let steps = steps
            .iter()
            .filter(|step| (**step < 0) == back)
            .map(|step| step.unsigned_abs().to_string());
        steps.collect::<Vec<_>>().join(" or ")
    };
    let listed = match steps.iter().any(|step| *step < 0) {
        false => listed(false),
        true => format!("{} or anticlockwise by {}", listed(false), listed(true)),
    };
    let ends = if misere { "wins" } else { "loses" };
    format!(
        "Rules: n cells in a circle, n any number from 1 on, a token on one, which is marked; a \
         move takes the token clockwise by {listed} to a cell not marked, and marks it; whoever \
         cannot move {ends}. Proved for every n ({whole}): the player to move first loses exactly \
         where {}.",
        claim.rsplit("P iff ").next().unwrap_or(claim)
    )
}

/// Returns the steps of `Gamma(m1,m2;n)`, as written; [`hypotheses`] says which there may be.
pub(crate) fn steps(name: &str) -> Option<Vec<i64>> {
    let steps = name.strip_prefix("Gamma(")?.strip_suffix(";n)")?;
    let step = |text: &str| match text.strip_prefix('-') {
        // -0 is no name of 0.
        Some(back) => number(back).filter(|step: &i64| *step > 0).map(|step| -step),
        None => number(text),
    };
    steps.split(',').map(step).collect()
}

/// The cells that decide what a move does: so many before the token's, in the last part, and after
/// it, in the first.
#[derive(Clone, Copy)]
struct Around {
    /// F and B.
    forth: i64,
    back: i64,
    before: usize,
    after: usize,
}

impl Around {
    fn new(steps: &[i64]) -> Around {
        let (forth, back) = (steps[steps.len() - 1], (-steps[0]).max(0));
        let after = (forth + back) as usize;
        Around { forth, back, before: after - usize::from(back == 0), after }
    }
}

/// Reads the body: `period P`, then for each residue `class R P|N from F states S` and its S states
/// from 1 on, where the run begins: `NEXT0 NEXT1` and perhaps ` A` or ` B`.
fn read(envelope: &Envelope<'_>, around: Around, work: &Work<'_>) -> Result<Vec<Class>, Rejected> {
    let mut lines =
        envelope.body.lines().enumerate().map(|(i, text)| (envelope.body_line + i, text));
    let mut next = |what: &str| {
        lines.next().ok_or_else(|| Rejected::new(0, format!("the file ends before `{what}`")))
    };
    let (line, text) = next("period P")?;
    let period = text.strip_prefix("period ").and_then(number::<usize>);
    let period = period.filter(|period| (1..=MAX_PERIOD).contains(period)).ok_or_else(|| {
        Rejected::new(line, format!("this line should be `period P`, P from 1 to {MAX_PERIOD}"))
    })?;
    let mut classes = Vec::new();
    for residue in 0..period {
        let (line, text) = next("class R N from F states S")?;
        let read = || {
            let words: Vec<&str> = text.splitn(8, ' ').collect();
            let ["class", class, outcome @ ("P" | "N"), "from", from, "states", count] = words[..]
            else {
                return None;
            };
            (number(class) == Some(residue)).then_some((
                outcome == "P",
                number(from)?,
                number(count)?,
            ))
        };
        let (in_p, from, count): (bool, usize, usize) = read().ok_or_else(|| {
            Rejected::new(
                line,
                format!("this line should be `class {residue} P from F states S`, P or N"),
            )
        })?;
        all_hold("the theorem on circles", class_hypotheses(line, from, around))?;
        if count == 0 || count > envelope.body.len() {
            return Err(Rejected::new(line, "there are not so many states here"));
        }
        let held = work.hold((count + 1).saturating_mul(size_of::<LabelledState>()));
        held.map_err(|reason| Rejected::new(0, reason))?;
        let mut states = vec![LabelledState { next: [0; 2], label: Label::None }];
        for _ in 0..count {
            let (line, text) = next("NEXT0 NEXT1")?;
            let state = || {
                let (rest, label) = match (text.strip_suffix(" A"), text.strip_suffix(" B")) {
                    (Some(rest), _) => (rest, Label::A),
                    (_, Some(rest)) => (rest, Label::B),
                    _ => (text, Label::None),
                };
                let (zero, one) = rest.split_once(' ')?;
                let to = |text| number(text).filter(|to: &u32| *to as usize <= count);
                Some(LabelledState { next: [to(zero)?, to(one)?], label })
            };
            let wanted = || {
                format!("a state is `NEXT0 NEXT1`, then perhaps A or B; states are 0 to {count}")
            };
            states.push(state().ok_or_else(|| Rejected::new(line, wanted()))?);
        }
        classes.push(Class { line, from, in_p, states });
    }
    match next("") {
        Ok((line, _)) => Err(Rejected::new(line, "the file should end here")),
        Err(_) => Ok(classes),
    }
}

/// One class being checked.
struct Check<'c> {
    steps: &'c [i64],
    around: Around,
    misere: bool,
    class: &'c Class,
    residue: usize,
    period: usize,
}

impl Check<'_> {
    /// Checks the words of all circles of the class, and the label of the start. Returns how many
    /// tuples came up.
    fn check_class(&self, work: &Work<'_>) -> Result<usize, Reason> {
        self.check_start(work)?;
        let Around { before, after, .. } = self.around;
        let mut tuples = 0;
        for first in 0..1u32 << after {
            let mut parts: FxHashMap<Tuple, Vec<Ends>> = FxHashMap::default();
            for last in 0..1u32 << before {
                work.spend(16)?;
                let here = (first << 1 | 1) << after | last << (after - before);
                let (mut tuple, mut ends): (Tuple, Ends) = Default::default();
                (tuple[0], ends[0]) = (self.state_before_middle(here, 0), here);
                for (i, step) in self.steps.iter().enumerate() {
                    if here >> (after as i64 + step) & 1 == 0 {
                        ends[i + 1] = self.after_move(here, *step);
                        tuple[i + 1] = self.state_before_middle(ends[i + 1], *step);
                    }
                }
                parts.entry(tuple).or_default().push(ends);
            }
            for (tuple, ends) in parts {
                tuples += self.check_words(tuple, &ends, work)?;
            }
        }
        Ok(tuples)
    }

    /// Returns whether a cell is marked, by its distance from the token's old one.
    fn marked(&self, cells: u32, cell: i64) -> bool {
        cells >> (self.around.after as i64 + cell) & 1 == 1
    }

    /// Returns the cells around after a move to `token`: that cell is marked, then each lost one in
    /// turn.
    fn after_move(&self, mut cells: u32, token: i64) -> u32 {
        let Around { forth, back, after, .. } = self.around;
        cells |= 1 << (after as i64 + token);
        for cell in (-back..=forth).filter(|cell| *cell != 0) {
            let leads = |step: &i64| cell - step == token || !self.marked(cells, cell - step);
            if !self.steps.iter().any(leads) {
                cells |= 1 << (after as i64 + cell);
            }
        }
        cells
    }

    /// Returns the state to which the cells `from..=to`, counted from the token, lead.
    fn run(&self, state: u32, cells: u32, from: i64, to: i64) -> u32 {
        let next = |state: u32, cell| {
            self.class.states[state as usize].next[usize::from(self.marked(cells, cell))]
        };
        (from..=to).fold(state, next)
    }

    /// Returns the state after what is read before the middle, from the token on.
    fn state_before_middle(&self, cells: u32, token: i64) -> u32 {
        self.run(1, cells, token + 1, self.around.after as i64)
    }

    /// Returns the label after what is read behind the middle, up to the token.
    fn label(&self, state: u32, cells: u32, token: i64) -> Label {
        let end = self.run(state, cells, -(self.around.before as i64), token - 1);
        self.class.states[end as usize].label
    }

    /// Checks all words that begin and end so: `tuple` has the states before the middle, `ends` the
    /// cells around the token. Returns how many tuples came up. O(tuples · ends).
    fn check_words(&self, tuple: Tuple, ends: &[Ends], work: &Work<'_>) -> Result<usize, Reason> {
        let bytes = work.bytes();
        let read = self.around.before + self.around.after;
        // Words too short for the claim: length by length.
        let mut level = vec![tuple];
        for _ in read..self.class.from - 1 {
            let mut longer = FxHashSet::default();
            for tuple in level.iter().filter(|tuple| tuple[0] != 0) {
                for letter in 0..2 {
                    work.spend(8)?;
                    if longer.insert(self.next_tuple(tuple, letter)) {
                        work.hold(KEPT)?;
                    }
                }
            }
            level = longer.into_iter().collect();
            work.release(bytes);
            work.hold(2 * KEPT * level.len())?;
        }
        let length = read.max(self.class.from - 1);
        work.release(bytes);
        let mut tuples = Tuples::new(2 * KEPT, work);
        for tuple in level {
            tuples.add(&(tuple, (length + 1) % self.period))?;
        }
        while let Some((tuple, n)) = tuples.next() {
            work.spend(16)?;
            // Nothing is said of this word, or of any that it begins.
            if tuple[0] == 0 {
                continue;
            }
            if n == self.residue {
                work.spend(read * ends.len())?;
                ends.iter().try_for_each(|ends| self.check_word(&tuple, ends))?;
            }
            for letter in 0..2 {
                tuples.add(&(self.next_tuple(&tuple, letter), (n + 1) % self.period))?;
            }
        }
        work.release(bytes);
        Ok(tuples.count())
    }

    /// Returns the states after one more letter.
    fn next_tuple(&self, tuple: &Tuple, letter: usize) -> Tuple {
        tuple.map(|state| self.class.states[state as usize].next[letter])
    }

    /// Checks the label of one word by those of its options.
    fn check_word(&self, tuple: &Tuple, ends: &Ends) -> Result<(), Reason> {
        let legal = || (1..=self.steps.len()).filter(|i| ends[*i] != 0);
        let mut options = legal().map(|i| self.label(tuple[i], ends[i], self.steps[i - 1]));
        let over = self.misere && legal().next().is_none();
        match self.label(tuple[0], ends[0], 0) {
            Label::None => Ok(()),
            Label::A if over => Err("a position without a move is said to be lost".into()),
            Label::A => match options.all(|option| option == Label::B) {
                true => Ok(()),
                false => {
                    Err("a position said to be lost has an option that is not said to be won"
                        .into())
                }
            },
            Label::B if over => Ok(()),
            Label::B => match options.any(|option| option == Label::A) {
                true => Ok(()),
                false => {
                    Err("a position said to be won has no option that is said to be lost".into())
                }
            },
        }
    }

    /// Checks the label of the start of every circle: no cell marked but the token's.
    fn check_start(&self, work: &Work<'_>) -> Result<(), Reason> {
        let (mut state, mut n) = (1, 1);
        let mut seen = FxHashSet::default();
        let wanted = if self.class.in_p { Label::A } else { Label::B };
        loop {
            work.spend(4)?;
            if n >= self.class.from && n % self.period == self.residue {
                work.hold(KEPT)?;
                if !seen.insert(state) {
                    return Ok(());
                }
                if self.class.states[state as usize].label != wanted {
                    return Err(format!(
                        "the start of the circle of {n} cells has not the label it should"
                    )
                    .into());
                }
            }
            state = self.class.states[state as usize].next[0];
            n += 1;
        }
    }
}

/// One circle, searched by the rules.
pub(crate) struct CircleSearch {
    steps: Vec<usize>,
    n: usize,
    misere: bool,
    known: FxHashMap<u128, bool>,
}

impl CircleSearch {
    /// Returns the search of the circle of n cells, 1 to 128.
    pub(crate) fn new(steps: &[i64], n: usize, misere: bool) -> CircleSearch {
        let forth = |step: &i64| step.rem_euclid(n as i64) as usize;
        let mut steps: Vec<usize> = steps.iter().map(forth).filter(|step| *step > 0).collect();
        steps.sort_unstable();
        steps.dedup();
        CircleSearch { steps, n, misere, known: FxHashMap::default() }
    }

    /// Returns whether the mover wins from the start: only the token's cell is marked. Exponential
    /// in n at worst.
    pub(crate) fn mover_wins_start(&mut self, work: &Work<'_>) -> Result<bool, Reason> {
        let bytes = work.bytes();
        let all = if self.n == 128 { u128::MAX } else { (1 << self.n) - 1 };
        let wins = self.mover_wins(all & !1, work);
        work.release(bytes);
        wins
    }

    /// Returns whether the mover wins, bit i the free cell i after the token's. Not deeper than
    /// there are cells.
    fn mover_wins(&mut self, free: u128, work: &Work<'_>) -> Result<bool, Reason> {
        work.spend(64)?;
        let free = self.reach(free);
        if free == 0 {
            return Ok(self.misere);
        }
        if let Some(wins) = self.known.get(&free) {
            return Ok(*wins);
        }
        let mut options: Vec<u128> = Vec::with_capacity(self.steps.len());
        for step in self.steps.iter().filter(|step| free >> **step & 1 == 1) {
            // The token's old cell is not free, nor is its new one.
            let turned = free >> step | (free & ((1 << step) - 1)) << (self.n - step);
            options.push(turned & !1);
        }
        // The options with few moves first.
        options.sort_by_key(|option| {
            self.steps.iter().filter(|step| option >> **step & 1 == 1).count()
        });
        let mut wins = false;
        for option in options {
            if !self.mover_wins(option, work)? {
                wins = true;
                break;
            }
        }
        work.hold(KEPT)?;
        self.known.insert(free, wins);
        Ok(wins)
    }

    /// Returns the free cells that the token can come to: positions with the same are one game.
    fn reach(&self, free: u128) -> u128 {
        let all = if self.n == 128 { u128::MAX } else { (1 << self.n) - 1 };
        let (mut reach, mut edge) = (0, 1);
        while edge != 0 {
            let turned = |step: &usize| edge << step | edge >> (self.n - step);
            edge =
                self.steps.iter().fold(0, |cells, step| cells | turned(step)) & free & all & !reach;
            reach |= edge;
        }
        reach
    }
}

/// Returns the claim: which n are in P, `below` those from 1 on and then the classes by residue.
/// One set has one statement.
pub(crate) fn statement(below: &[bool], classes: &[bool], misere: bool) -> String {
    let period = (1..=classes.len())
        .find(|d| {
            classes.len().is_multiple_of(*d)
                && (0..classes.len()).all(|r| classes[r] == classes[r % d])
        })
        .unwrap_or(classes.len());
    let last = (1..=below.len()).rev().find(|n| below[n - 1] != classes[n % period]);
    let from = last.map_or(1, |n| n + 1);
    let residues: Vec<usize> = (0..period).filter(|r| classes[*r]).collect();
    // The first of the classes from there on.
    let first = (from..).take(period).find(|n| classes[n % period]);
    let mut parts: Vec<String> = (1..first.unwrap_or(from))
        .filter(|n| below.get(n - 1) == Some(&true))
        .map(|n| format!("n = {n}"))
        .collect();
    if let Some(first) = first {
        let earliest = (1..).take(period).find(|n| classes[n % period]) == Some(first);
        let class: Vec<String> = residues.iter().map(|r| format!("n mod {period} = {r}")).collect();
        let class = if period == 1 { "n >= 1".to_owned() } else { class.join(" | ") };
        parts.push(match (earliest, residues.len()) {
            (true, _) => class,
            (false, _) if period == 1 => format!("n >= {first}"),
            (false, 1) => format!("(n >= {first} & {class})"),
            (false, _) => format!("(n >= {first} & ({class}))"),
        });
    }
    let formula = if parts.is_empty() { "false".to_owned() } else { parts.join(" | ") };
    format!("{}P iff {formula}", if misere { "in misere play " } else { "" })
}
