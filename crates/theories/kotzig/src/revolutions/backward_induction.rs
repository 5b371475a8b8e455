//! One revolution, from its end back: what the mover can make of a token on each cell, for every
//! class of the circle word behind it.
//!
//! Read from the last cell on, a circle word is an end that grows. What is known of an end: for the
//! furthest step's number of cells at its front, whether each is marked, or else, for every class
//! of what lies behind, who wins with the token there. That is enough to say the same of the cell
//! before. The classes are those of the circle words that the revolution leaves, so once the token
//! is past the last cell they say what the next revolution will bring.

use super::circle_words::{CircleWords, NONE};
use super::row_interner::RowInterner;
use super::{Classes, LOST, Label, MARKED, MAX_STEP, OPEN, Rules, UNKNOWN, WON};
use bouton_core::{LimitReached, Meter};
use rustc_hash::FxHashMap;

/// The letter of cells past the last: they are in the classes already.
const PAST: u8 = 2;

/// Lists of landings kept at most.
const LANDINGS: usize = 64;

/// What tells a suffix from others, as far as play before it goes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct SuffixKey {
    /// The state of the circle words read from behind.
    tapes: u32,
    /// The first cells: the row of values by class of what lies behind, without the cell; `NONE`
    /// where it is marked.
    rows: [u32; MAX_STEP],
    letters: [u8; MAX_STEP],
}

/// The ends of the circle words that a revolution is played on. The first is the empty one.
pub(super) struct Suffixes {
    /// By letter, the end that has it in front.
    pub next: Vec<[u32; 2]>,
    /// What the whole circle word says of the token on its first cells, if this is a whole circle
    /// word.
    pub labels: Vec<u32>,
    /// Those, by number.
    pub texts: Vec<Label>,
    /// The row of a free cell before this end; `NONE` if there is no such circle word.
    pub before: Vec<u32>,
    pub rows: RowInterner,
}

impl Suffixes {
    /// Returns the revolution on these circle words, if so much is known of what it leaves; no more
    /// than `most` suffixes. `partly`: the games looked at may be too few to know all options of
    /// what is won.
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
        let mut start = SuffixKey { tapes: 0, rows: [NONE; MAX_STEP], letters: [PAST; MAX_STEP] };
        for cell in 0..furthest {
            let row: Vec<u8> = (0..count).map(|class| after.labels[class][cell]).collect();
            start.rows[cell] = rows.id(&row);
        }
        let mut ids: FxHashMap<SuffixKey, u32> = FxHashMap::default();
        ids.insert(start, 0);
        let mut fronts = vec![start];
        let mut texts: FxHashMap<Label, u32> = FxHashMap::default();
        let mut ends =
            Suffixes { next: vec![], labels: vec![], texts: vec![], before: vec![], rows };
        let mut work = RowWork::new(rules, count, partly);
        while let Some(front) = fronts.get(ends.next.len()).copied() {
            meter.spend(4)?;
            let landings = (work.landings.len() * 4 * count) as u64;
            meter.check_bytes(ends.rows.bytes() + landings + fronts.len() as u64 * 400)?;
            if fronts.len() > most {
                return Err(LimitReached::NumbersTooLarge);
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
                    ends.row(rules, &front, after, &mut work);
                    ends.rows.id(&work.made)
                };
                let mut longer = SuffixKey { tapes, ..front };
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

    /// Finds who wins with the token on the free cell before an end, by class of what lies behind
    /// that cell.
    fn row(&self, rules: &Rules, front: &SuffixKey, after: &Classes, work: &mut RowWork) {
        work.kinds.fill(0);
        for step in &rules.steps {
            let row = front.rows[step - 1];
            if row == NONE {
                continue;
            }
            let count = after.next.len();
            self.rows.write(row, &mut work.options[..count]);
            // Behind the options stands what no class is.
            work.options[count] = UNKNOWN;
            let letters = &front.letters[..step - 1];
            if !work.landings.contains_key(letters) {
                if work.landings.len() == LANDINGS {
                    work.landings.clear();
                }
                work.landings.insert(letters.into(), after.landings(letters));
            }
            for (kinds, at) in work.kinds.iter_mut().zip(&work.landings[letters]) {
                *kinds |= kind(work.options[*at as usize]);
            }
        }
        for (made, kinds) in work.made.iter_mut().zip(&work.kinds) {
            *made = work.values[usize::from(*kinds)];
        }
    }

    /// Returns the values of the first cells of a whole circle word, each marked or free.
    fn label(&self, front: &SuffixKey, after: &Classes, furthest: usize) -> Label {
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

/// What [`Suffixes::row`] needs again and again.
struct RowWork {
    /// By letters: see [`Classes::landings`].
    landings: FxHashMap<Box<[u8]>, Vec<u32>>,
    /// The values of one option, by class.
    options: Vec<u8>,
    /// By class: the kinds of options that there are.
    kinds: Vec<u8>,
    /// The value, by the kinds of options that there are.
    values: [u8; 16],
    /// The row.
    made: Vec<u8>,
}

impl RowWork {
    fn new(rules: &Rules, classes: usize, partly: bool) -> RowWork {
        let mut values = [UNKNOWN; 16];
        for (kinds, value) in (0..).zip(&mut values) {
            let has = |option| kinds & kind(option) != 0;
            let known = [WON, LOST].into_iter().filter(|option| has(*option));
            let known = known
                .fold(rules.without_options(), |value, option| rules.with_option(value, option));
            if !has(UNKNOWN) || partly && known == WON {
                *value = rules.with_open(known, has(OPEN));
            }
        }
        let landings = FxHashMap::default();
        let (options, kinds, made) =
            (vec![UNKNOWN; classes + 1], vec![0; classes], vec![UNKNOWN; classes]);
        RowWork { landings, options, kinds, values, made }
    }
}

/// Returns a bit for each kind of option; a cell that is marked is none.
fn kind(option: u8) -> u8 {
    match option {
        WON => 1,
        LOST => 2,
        OPEN => 4,
        UNKNOWN => 8,
        _ => 0,
    }
}

impl Classes {
    /// Returns by class of what lies behind a cell: the class behind the one that the token comes
    /// to when it is put on that cell and these letters lie between; where there is none, the
    /// number of classes.
    fn landings(&self, letters: &[u8]) -> Vec<u32> {
        let read = |class: u32, letter: &u8| match class {
            NONE => NONE,
            class => self.read(class, *letter),
        };
        let land = |next: &[u32; 2]| letters.iter().fold(next[1], read).min(self.next.len() as u32);
        self.next.iter().map(land).collect()
    }

    fn read(&self, class: u32, letter: u8) -> u32 {
        if letter == PAST { class } else { self.next[class as usize][usize::from(letter)] }
    }
}
