//! The positions with one number of heaps: larger and larger tables, until one confirms the form
//! conjectured from the table before it.

use crate::box_learning;
use crate::slice::Slice;
use crate::stage::Stage;
use crate::tables::Tables;
use bouton_conjecture::{Automaton, ClosedForm, Fit, FittedForm, OutcomeTable, conjecture};
use bouton_core::clock::Instant;
use bouton_core::{Budget, Claim, DigitSystem, FormulaError, Meter, number_with_noun};
use bouton_prover::{Acceptor, MoveSystem, Orbit, Pairs};
use serde::{Serialize, Serializer};

/// P-positions that are kept of the last table.
const LISTED: usize = 40;

/// One table, and the form found in it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "round")]
pub struct Round {
    /// The greatest heap of the table.
    pub max: u64,
    /// Classes of P-positions in the table.
    #[serde(rename = "p_classes")]
    pub classes: usize,
    /// What the form is to the table.
    #[serde(rename = "verdict", serialize_with = "fit_word")]
    #[cfg_attr(feature = "schema", schemars(with = "FormSearchResult"))]
    pub fit: Fit,
    /// The form in words, for people.
    pub form: String,
    /// The form as the logic reads it, if it can.
    pub claim: Option<String>,
    /// The same read, once.
    #[serde(skip)]
    pub(crate) read: Option<Result<Claim, FormulaError>>,
    /// Why the logic cannot read it, if so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unwritten: Option<String>,
    /// The automaton, where the form is one.
    pub automaton: Option<States>,
    /// The steps from each P-position to the next, where the form is an orbit.
    #[serde(skip)]
    pub orbit: Option<Orbit>,
    /// The two sequences, where the form is pairs of them.
    #[serde(skip)]
    pub pairs: Option<Pairs>,
    /// How many classes the form leaves out.
    pub missed: usize,
    /// Some of them.
    pub missed_positions: Vec<Vec<i64>>,
    /// The greatest heap that a table needs, roughly, before this form could stand; where there is
    /// not enough data.
    pub needs: Option<u64>,
    /// Whether the search was told to end: with more time it might find more.
    pub cut: bool,
    /// Bits of evidence beyond what the form says.
    pub evidence_bits: f64,
    /// Bits that the form takes to say.
    pub form_bits: f64,
    /// Bits of the table that it stands for.
    pub data_bits: f64,
    /// What it takes from the table as it is: heaps up to its exceptions, its preperiod and one
    /// period, the first of every case.
    pub settled_at: u64,
    /// Time that the table took, in seconds.
    pub table_seconds: f64,
    /// Time that the search took, in seconds.
    pub search_seconds: f64,
    /// The greatest heap of the next table, if the form was compared with one.
    pub checked_to: Option<u64>,
    /// Where it fails there.
    pub mismatch: Option<Vec<i64>>,
}

/// An automaton that reads the digits of all heaps at once, most significant first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "automaton")]
pub struct States {
    /// The digits.
    #[serde(flatten, serialize_with = "digits_written")]
    #[cfg_attr(feature = "schema", schemars(with = "DigitsWritten"))]
    pub digits: DigitSystem,
    /// The next state by state and column; column Σ d·base^i has the digit d of heap i. State 0
    /// comes first.
    pub next: Vec<Vec<usize>>,
    /// Whether positions that end here are P.
    pub accepts: Vec<bool>,
}

/// The digits of an automaton in the words of the JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct DigitsWritten {
    /// How many digits there are, from 2 to 10; 2 is not written.
    #[serde(skip_serializing_if = "is_two")]
    base: usize,
    /// Whether the digits are those of Zeckendorf, which to base b weigh 1, b, (b − 1)·b + 1, …;
    /// not written if they are not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    zeckendorf: bool,
    /// The coefficients a₁, a₂, … of the recurrence by which digits weigh w₀ = 1, w₁, …, each a₁
    /// times the one before, a₂ times the one before that, and so on, the terms that there are, and
    /// then 1 more unless the coefficients have ended; not written of digits to a base and of those
    /// of Zeckendorf.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    recurrence: Vec<u8>,
    /// The last coefficients, if they repeat for ever; not written if they end.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    repeated: Vec<u8>,
}

/// Writes digits.
fn digits_written<S: Serializer>(digits: &DigitSystem, to: S) -> Result<S::Ok, S::Error> {
    let zeckendorf = digits.is_zeckendorf();
    let (once, for_ever) = digits.coefficients();
    let recurrence =
        if zeckendorf || digits.is_to_base() { Vec::new() } else { [once, for_ever].concat() };
    let repeated = for_ever.to_vec();
    DigitsWritten { base: digits.base(), zeckendorf, recurrence, repeated }.serialize(to)
}

/// Writes what a form is to its table, in the words of the JSON.
fn fit_word<S: Serializer>(fit: &Fit, to: S) -> Result<S::Ok, S::Error> {
    FormSearchResult::from(*fit).serialize(to)
}

/// The result of the search for a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "fit")]
pub enum FormSearchResult {
    /// A form of the whole table.
    #[serde(rename = "conjecture")]
    Conjecture,
    /// No form fits.
    #[serde(rename = "no form found")]
    NoFormFound,
    /// A form that says hardly less than the table, or too short a sequence.
    #[serde(rename = "not enough data")]
    NotEnoughData,
    /// The search was interrupted.
    #[serde(rename = "unknown")]
    Unknown,
}

impl From<Fit> for FormSearchResult {
    fn from(fit: Fit) -> FormSearchResult {
        match fit {
            Fit::Whole => FormSearchResult::Conjecture,
            Fit::TooLittle => FormSearchResult::NotEnoughData,
            Fit::Partial => FormSearchResult::NoFormFound,
        }
    }
}

fn is_two(base: &usize) -> bool {
    *base == 2
}

impl States {
    /// Returns the automaton as the prover takes it.
    pub(crate) fn acceptor(&self, heaps: usize) -> Option<Acceptor> {
        let row = |row: &Vec<usize>| row.iter().map(|to| u32::try_from(*to).ok()).collect();
        let next = self.next.iter().map(row).collect::<Option<_>>()?;
        Some(Acceptor { digits: self.digits, tracks: heaps, next, accepts: self.accepts.clone() })
    }
}

impl From<Automaton> for States {
    fn from(found: Automaton) -> States {
        let Automaton { digits, next, accepts, .. } = found;
        States { digits, next, accepts }
    }
}

/// Returns an automaton of the prover as the tables take it.
pub(crate) fn automaton_of(found: Acceptor) -> Automaton {
    let next = found.next.iter().map(|row| row.iter().map(|to| *to as usize).collect()).collect();
    Automaton { digits: found.digits, heaps: found.tracks, next, accepts: found.accepts }
}

impl Round {
    /// Returns the round of a form of a table on this many heaps, and the time that both took.
    pub(crate) fn new(
        heaps: usize,
        found: &FittedForm,
        [table_seconds, search_seconds]: [f64; 2],
    ) -> Round {
        let (fit, text) = (found.fit(), found.form.text());
        Round {
            max: found.most,
            classes: found.classes,
            fit,
            form: found.form.to_string(),
            read: text.as_ref().ok().map(|text| Claim::parse(text, heaps)),
            unwritten: text.as_ref().err().map(|why| why.to_string()),
            claim: text.ok(),
            automaton: match &found.form {
                ClosedForm::Automaton(found) => Some(found.clone().into()),
                _ => None,
            },
            orbit: None,
            pairs: None,
            missed: found.missed_count,
            missed_positions: found.missed.clone(),
            needs: (fit == Fit::TooLittle).then(|| found.needs(heaps, found.most)),
            cut: found.cut.is_some(),
            evidence_bits: found.evidence,
            form_bits: found.said,
            data_bits: found.data(),
            settled_at: found.settled,
            table_seconds,
            search_seconds,
            checked_to: None,
            mismatch: None,
        }
    }

    /// Returns the round of an orbit of P-positions, which its moves show, and the seconds that it
    /// took to find.
    pub(crate) fn of_orbit(table: &OutcomeTable, orbit: &Orbit, seconds: f64) -> Round {
        Round {
            form: format!("a is 0, or reached from 0 by {orbit} again and again"),
            unwritten: Some("an orbit is no formula".into()),
            orbit: Some(*orbit),
            ..Round::exact(table, seconds)
        }
    }

    /// Returns the round of pairs of two sequences, and the seconds that it took to find them.
    pub(crate) fn of_pairs(table: &OutcomeTable, pairs: &Pairs, seconds: f64) -> Round {
        Round {
            form: pairs.to_string(),
            unwritten: Some("pairs of sequences are no formula".into()),
            pairs: Some(pairs.clone()),
            ..Round::exact(table, seconds)
        }
    }

    /// Returns the round of a formula that is the whole of its table, and the seconds that it took
    /// to find.
    pub(crate) fn of_text(table: &OutcomeTable, text: String, seconds: f64) -> Round {
        Round {
            form: text.clone(),
            read: Some(Claim::parse(&text, table.heaps())),
            claim: Some(text),
            ..Round::exact(table, seconds)
        }
    }

    /// Returns the round of a form that is the whole of its table, and is yet to be said.
    fn exact(table: &OutcomeTable, seconds: f64) -> Round {
        Round {
            max: table.most(),
            classes: table.class_count(),
            fit: Fit::Whole,
            form: String::new(),
            claim: None,
            read: None,
            unwritten: None,
            automaton: None,
            orbit: None,
            pairs: None,
            missed: 0,
            missed_positions: Vec::new(),
            needs: None,
            cut: false,
            evidence_bits: 0.0,
            form_bits: 0.0,
            data_bits: 0.0,
            settled_at: 0,
            table_seconds: 0.0,
            search_seconds: seconds,
            checked_to: None,
            mismatch: None,
        }
    }

    /// Returns the form as the logic reads it, if it can; else in words.
    pub fn claim(&self) -> &str {
        self.claim.as_deref().unwrap_or(&self.form)
    }

    /// Returns the form as a formula of the heaps, where it is one.
    pub fn formula(&self) -> Option<&Claim> {
        self.read.as_ref()?.as_ref().ok()
    }

    /// Makes of a formula about the positions that occur what it says of all.
    pub(crate) fn widen(&mut self, game: &MoveSystem) {
        let Some(Ok(whole)) = self.formula().map(|claim| game.within(claim.clone())) else {
            return;
        };
        self.form = whole.to_string();
        self.claim = Some(self.form.clone());
        self.read = Some(Ok(whole));
    }

    /// Returns whether the form is the whole table, large enough to say so, and the next table's as
    /// well.
    pub fn is_confirmed(&self) -> bool {
        self.fit == Fit::Whole && self.mismatch.is_none()
    }
}

/// The positions with one number of heaps.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "board")]
pub struct Board {
    /// Heaps of its positions.
    pub heaps: usize,
    /// The least P-positions of the last table, one a class.
    pub p_positions: Vec<Vec<i64>>,
    /// How many classes there are in the last table.
    pub p_classes: usize,
    /// Table by table.
    pub rounds: Vec<Round>,
    /// The last form in words, if it stands.
    pub form: Option<String>,
    /// The same as a formula of the heaps, where it is one.
    pub claim: Option<String>,
    /// A part of the last table to look at.
    pub slice: Option<Slice>,
    /// Why no larger table was made.
    pub trouble: Option<String>,
    /// The last table.
    #[serde(skip)]
    pub(crate) table: Option<OutcomeTable>,
    /// A larger one, made before its turn.
    #[serde(skip)]
    ahead: Option<OutcomeTable>,
}

impl Board {
    pub(crate) fn new(heaps: usize) -> Board {
        Board {
            heaps,
            p_positions: Vec::new(),
            p_classes: 0,
            form: None,
            claim: None,
            rounds: Vec::new(),
            slice: None,
            trouble: None,
            table: None,
            ahead: None,
        }
    }

    /// Returns the last form, if it stands.
    pub fn confirmed(&self) -> Option<&Round> {
        self.rounds.last().filter(|round| round.is_confirmed())
    }

    /// Returns the number of the round whose form is put to the prover: the last one, if it stands;
    /// else the shortest form that is all of its table and of the next, too little for a
    /// conjecture. A proof asks for no evidence.
    pub(crate) fn to_prove(&self) -> Option<usize> {
        let last = self.rounds.len().checked_sub(1)?;
        if self.rounds[last].is_confirmed() {
            return Some(last);
        }
        let weak = |round: &Round| {
            round.fit == Fit::TooLittle && round.missed == 0 && round.mismatch.is_none()
        };
        let length = |i: &usize| self.rounds[*i].claim.as_ref().map_or(usize::MAX, String::len);
        (0..=last).filter(|i| weak(&self.rounds[*i])).min_by_key(length)
    }

    /// Records that the automaton is proved, and no formula.
    pub(crate) fn as_an_automaton(&mut self) {
        if let Some(which) = self.to_prove() {
            let round = &mut self.rounds[which];
            (round.claim, round.read) = (None, None);
            round.unwritten = Some("what is proved is the automaton".into());
        }
    }

    /// Returns the greatest heap of all tables that the last form agrees with.
    pub fn holds_to(&self) -> u64 {
        self.rounds.last().map_or(0, |round| match round.checked_to {
            Some(max) if round.mismatch.is_none() => max,
            _ => round.max,
        })
    }

    /// Puts what is proved last, and keeps of the last table what is shown of it.
    pub(crate) fn finish(&mut self, proved: bool) {
        if proved && let Some(which) = self.to_prove() {
            // What is proved comes last.
            let round = self.rounds.remove(which);
            self.rounds.push(round);
        }
        let last = if proved { self.rounds.last() } else { self.confirmed() };
        (self.form, self.claim) = match last {
            Some(round) => (Some(round.form.clone()), round.claim.clone()),
            None => (None, None),
        };
        if let Some(table) = &self.table {
            self.p_positions = table.classes().take(LISTED).collect();
            self.p_classes = table.class_count();
            self.slice = Slice::densest(table);
        }
    }

    /// Makes tables from a bound on until a form stands.
    pub(crate) fn conjecture(&mut self, tables: &Tables<'_>, from: u64) {
        let bounds = tables.bounds(self.heaps);
        let first =
            bounds.iter().position(|max| *max >= from).unwrap_or(bounds.len().saturating_sub(1));
        self.search(tables, bounds[first..].to_vec());
    }

    /// Goes on with larger tables after those that were searched.
    pub(crate) fn go_on(&mut self, tables: &Tables<'_>) {
        self.trouble = None;
        // A search that was told to end may find more in its table with more time.
        self.rounds.pop_if(|round| round.cut && tables.has_time());
        let last = self.rounds.last().map_or(0, |round| round.max);
        let mut bounds: Vec<u64> =
            tables.bounds(self.heaps).into_iter().filter(|max| *max > last).collect();
        if bounds.is_empty() {
            bounds.extend(self.table.as_ref().and_then(|table| self.more(tables, table)));
        }
        self.search(tables, bounds);
    }

    /// Makes the largest of the usual tables, if it is not there and there is time.
    pub(crate) fn enlarge(&mut self, tables: &Tables<'_>) {
        let last = tables.bounds(self.heaps).into_iter().max();
        let larger =
            last.filter(|last| self.table.as_ref().is_some_and(|table| table.most() < *last));
        if let Some(Ok(made)) = larger.map(|max| tables.make(self.heaps, max)) {
            self.table = Some(made.table);
        }
    }

    /// Returns the greatest heap of a table larger than the largest one, if there is one to make.
    fn more(&self, tables: &Tables<'_>, table: &OutcomeTable) -> Option<u64> {
        // Whole boxes tell more than one table more.
        let is_sought =
            self.to_prove().is_none() && !box_learning::applies(tables.stated, tables.play);
        let larger = || tables.larger(self.heaps, table.most()).filter(|_| is_sought);
        tables.beyond(table).or_else(larger)
    }

    /// Returns the table of heaps up to `max`, made now or before, and the seconds that it took.
    fn made(&mut self, tables: &Tables<'_>, max: u64) -> Result<(OutcomeTable, f64), String> {
        let is_it = |table: &mut OutcomeTable| table.most() == max;
        match self.table.take_if(is_it).or_else(|| self.ahead.take_if(is_it)) {
            Some(table) => Ok((table, 0.0)),
            None => tables.make(self.heaps, max).map(|made| (made.table, made.seconds)),
        }
    }

    /// Makes tables with heaps up to these until a form stands.
    fn search(&mut self, tables: &Tables<'_>, bounds: Vec<u64>) {
        let most = bounds.first().copied();
        self.ahead = self.table.take_if(|table| most.is_some_and(|most| table.most() > most));
        self.search_each(tables, bounds);
        if let Some(ahead) = self.ahead.take()
            && self.table.as_ref().is_none_or(|table| table.most() < ahead.most())
        {
            self.table = Some(ahead);
        }
    }

    fn search_each(&mut self, tables: &Tables<'_>, mut bounds: Vec<u64>) {
        let mut i = 0;
        while let Some(&max) = bounds.get(i) {
            i += 1;
            let last = i == bounds.len();
            if (self.table.is_some() || self.ahead.is_some()) && !tables.has_time() {
                continue;
            }
            // The last table stays where no other one can be made.
            let (table, table_seconds) = match self.made(tables, max) {
                Ok(made) => made,
                Err(trouble) => {
                    self.trouble = Some(trouble);
                    return;
                }
            };
            (tables.reached)(Stage::Table(&table, table_seconds));
            let searched = Instant::now();
            (tables.tell)(&format!(
                "{}, a form of {}",
                tables.game.name(),
                number_with_noun(table.class_count(), "class")
            ));
            let searching = Budget { nodes: None, ..tables.budget.within(tables.time_left()) };
            let found = conjecture(&table, &mut Meter::new(&searching));
            let mut round =
                Round::new(self.heaps, &found, [table_seconds, searched.elapsed().as_secs_f64()]);
            self.table = Some(table);
            if found.missed_count == 0 {
                (tables.reached)(Stage::Guess(&round));
            }
            if found.missed_count == 0
                && let Some(&next) = bounds.get(i)
                && let Ok((table, _)) = self.made(tables, next)
            {
                // Out of time, the form stands as far as it was looked at; the proof is out of
                // time, too.
                let mut meter = Meter::new(&Budget { nodes: None, ..tables.budget.clone() });
                if let Ok(mismatch) = found.form.mismatch(&table, &mut meter) {
                    round.checked_to = Some(next);
                    round.mismatch = mismatch;
                    (tables.reached)(Stage::Larger(&round));
                }
                self.table = Some(table);
            }
            self.rounds.push(round);
            if self.confirmed().is_some() {
                return;
            }
            if last
                && let Some(more) = self.table.as_ref().and_then(|table| self.more(tables, table))
            {
                bounds.push(more);
            }
        }
    }
}
