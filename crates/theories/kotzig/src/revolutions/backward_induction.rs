//! One revolution, from its end back: what the mover can make of a token on each cell, for every class of the circle word behind it.
//!
//! Read from the last cell on, a circle word is an end that grows. What is known of an end: for the furthest step's number of cells at its
//! front, whether each is marked, or else, for every class of what lies behind, who wins with the token there.
//! That is enough to say the same of the cell before. The classes are those of the circle words that the revolution leaves, so once the
//! token is past the last cell they say what the next revolution will bring.

use super::circle_words::{CircleWords, NONE};
use super::row_interner::RowInterner;
use super::{Classes, Label, MARKED, MAX_STEP, OPEN, Rules, UNKNOWN, WON};
use bouton_core::{LimitReached, Meter};
use rustc_hash::FxHashMap;

/// The letter of cells past the last: they are in the classes already.
const PAST: u8 = 2;

/// An end, as far as it matters.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Front {
    /// The state of the circle words read from behind.
    tapes: u32,
    /// The first cells: the row of values by class of what lies behind, without the cell; `NONE` where it is marked.
    rows: [u32; MAX_STEP],
    letters: [u8; MAX_STEP],
}

/// The ends of the circle words that a revolution is played on. The first is the empty one.
pub(super) struct Suffixes {
    /// By letter, the end that has it in front.
    pub next: Vec<[u32; 2]>,
    /// What the whole circle word says of the token on its first cells, if this is a whole circle word.
    pub labels: Vec<u32>,
    /// Those, by number.
    pub texts: Vec<Label>,
    /// The row of a free cell before this end; `NONE` if there is no such circle word.
    pub before: Vec<u32>,
    pub rows: RowInterner,
}

impl Suffixes {
    /// The revolution on these circle words, if so much is known of what it leaves; no more than `most`
    /// suffixes. `partly`: the games looked at may
    /// be too few to know all options of what is won.
    pub(super) fn new(
        rules: &Rules,
        tapes: &CircleWords,
        after: &Classes,
        partly: bool,
        most: usize,
        meter: &mut Meter,
    ) -> Result<Suffixes, LimitReached> {
        let behind = tapes.reversed();
        let furthest = rules.furthest();
        let count = after.next.len();
        let mut rows = RowInterner::default();
        let mut start = Front { tapes: 0, rows: [NONE; MAX_STEP], letters: [PAST; MAX_STEP] };
        for cell in 0..furthest {
            let row: Vec<u8> = (0..count).map(|class| after.labels[class][cell]).collect();
            start.rows[cell] = rows.id(&row);
        }
        let mut ids: FxHashMap<Front, u32> = FxHashMap::default();
        ids.insert(start, 0);
        let mut fronts = vec![start];
        let mut texts: FxHashMap<Label, u32> = FxHashMap::default();
        let mut ends = Suffixes { next: vec![], labels: vec![], texts: vec![], before: vec![], rows };
        let mut made = vec![UNKNOWN; count];
        while let Some(front) = fronts.get(ends.next.len()).copied() {
            meter.spend(4)?;
            meter.holding(ends.rows.bytes() + fronts.len() as u64 * 400)?;
            if fronts.len() > most {
                return Err(LimitReached::Reach);
            }
            let label = ends.label(&front, after, furthest);
            let fresh = texts.len() as u32;
            let id = *texts.entry(label).or_insert(fresh);
            if id == fresh {
                ends.texts.push(label);
            }
            ends.labels.push(id);
            ends.before.push(NONE);
            let mut next = [NONE; 2];
            for letter in 0..2 {
                let tapes = behind[front.tapes as usize][letter];
                if tapes == NONE {
                    continue;
                }
                let row = if letter == 1 {
                    NONE
                } else {
                    meter.spend(1 + count as u64 / 16)?;
                    ends.row(rules, &front, after, partly, &mut made);
                    ends.rows.id(&made)
                };
                let mut longer = Front { tapes, ..front };
                longer.rows.copy_within(0..furthest - 1, 1);
                longer.letters.copy_within(0..furthest - 1, 1);
                (longer.rows[0], longer.letters[0]) = (row, letter as u8);
                if letter == 0 {
                    *ends.before.last_mut().expect("just pushed") = row;
                }
                let fresh = fronts.len() as u32;
                let id = *ids.entry(longer).or_insert(fresh);
                if id == fresh {
                    fronts.push(longer);
                }
                next[letter] = id;
            }
            ends.next.push(next);
        }
        Ok(ends)
    }

    /// Who wins with the token on the free cell before an end, by class of what lies behind that cell.
    fn row(&self, rules: &Rules, front: &Front, after: &Classes, partly: bool, made: &mut [u8]) {
        for (class, made) in made.iter_mut().enumerate() {
            let (mut at, mut read) = (after.next[class][1], 0);
            let mut value = rules.without_a_move();
            let (mut open, mut unknown) = (false, false);
            for step in &rules.steps {
                while at != NONE && read + 1 < *step {
                    at = after.read(at, front.letters[read]);
                    read += 1;
                }
                let row = front.rows[step - 1];
                if row == NONE {
                    continue;
                }
                let option = if at == NONE { UNKNOWN } else { self.rows.get(row, at as usize) };
                match option {
                    MARKED => {}
                    UNKNOWN => unknown = true,
                    OPEN => open = true,
                    option => value = rules.with_option(value, option),
                }
            }
            if unknown && !(partly && value == WON) {
                value = UNKNOWN;
            }
            *made = rules.with_open(value, open);
        }
    }

    /// The values of the first cells of a whole circle word, each marked or free.
    fn label(&self, front: &Front, after: &Classes, furthest: usize) -> Label {
        let mut label = [UNKNOWN; MAX_STEP];
        let mut class = 0;
        for (cell, value) in label.iter_mut().enumerate().take(furthest) {
            *value = match front.rows[cell] {
                NONE => MARKED,
                _ if class == NONE => UNKNOWN,
                row => self.rows.get(row, class as usize),
            };
            if class != NONE {
                class = after.read(class, front.letters[cell]);
            }
        }
        label
    }
}

impl Classes {
    fn read(&self, class: u32, letter: u8) -> u32 {
        if letter == PAST { class } else { self.next[class as usize][usize::from(letter)] }
    }
}
