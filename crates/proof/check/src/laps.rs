//! `laps`: who wins Kotzig's Nim on a circle of n cells, for every n, lap by lap.
//!
//! Steps go forwards, M is the furthest, n > M. The cells are 0 to n − 1, a *tape* of 0s, free, and
//! 1s, marked; the game begins with the token on cell 0. A lap begins as the token comes to one of
//! the first M cells, from behind or, in the first lap, to begin the game, and ends as a step leads
//! past the last cell. A position is the present cells up to the token's, x, and those ahead of it,
//! y, which the lap has not changed yet. For each lap the file has three automata. *Tapes* accepts
//! those that may be there before the lap. *Classes* reads x, and its state names a state
//! of *words*, which goes on with y and says at the end: the mover wins, W, or loses, L, or
//! nothing, `?`. Where classes has read a whole tape, left by the lap, its state has a label: for
//! each of the first M cells, that it is marked, or what the next lap says of the token there.
//!
//! Hypotheses ([`hypotheses`]): those of [`circle::hypotheses`](crate::circle::hypotheses) on
//! steps; all steps go forwards, so that a token passes the last cell once a lap and comes to one
//! of the first M; n > M, so that it does not come to its own cell and no step leads past the
//! last cell twice; circles below are few enough to be searched.
//!
//! What is checked, for all n > M at once: (1) tapes accepts the blank one in the first lap, and in
//! the next all that any moves of a lap leave; (2) labels say what the next lap's automata say; (3)
//! of every position that moves can lead to in a lap, an option of L is always W, and some option
//! of W is L. An option by k is x with the next k − 1 cells and a 1, and the rest; or, past the
//! last cell, the label of xy says it. In misère play L has an option, and W may have none. Every
//! move marks a cell, so by induction on free cells W and L are right, and the first lap on the
//! blank tape says who wins.
//!
//! Each of the three is a product of a few automata that read a tape together: the tuples of states
//! that come up are all there is to look at, with the number of cells, no further than M + 1. The
//! circles below `from` are searched, one after the other, by the rules alone.

use crate::circle::{self, CircleSearch, KEPT, MAX_SEARCHED, MAX_STEPS, statement, steps, theorem};
use crate::hypotheses::{Hypothesis, all_hold};
use crate::lines::Lines;
use crate::tuples::Tuples;
use crate::work::{Reason, Work, many, number};
use crate::{CheckReport, Envelope, Rejected};

/// Checks what the theorem assumes of the steps, beside [`circle::hypotheses`], and of the head
/// `laps K from F`.
fn hypotheses(steps: &[i64], head: Option<(usize, usize, usize)>) -> Result<(), Rejected> {
    circle::hypotheses(steps)?;
    let forwards = steps.iter().all(|step| *step > 0);
    let theorem = "the theorem on laps";
    all_hold(
        theorem,
        [Hypothesis::new(3, "steps that go forwards", forwards, "one of these goes back")],
    )?;
    let Some((line, laps, from)) = head else { return Ok(()) };
    let furthest = steps.last().map_or(1, |step| step.unsigned_abs() as usize);
    all_hold(
        theorem,
        [
            Hypothesis::new(
                line,
                format!("1 to {MAX_LAPS} laps"),
                (1..=MAX_LAPS).contains(&laps),
                format!("these are {laps}"),
            ),
            Hypothesis::new(
                line,
                format!("circles of more than {furthest} cells, the furthest step"),
                from > furthest,
                format!("these are from {from} on"),
            ),
            Hypothesis::new(
                line,
                format!(
                    "circles below `from` of at most {MAX_SEARCHED} cells, as they are searched"
                ),
                from <= MAX_SEARCHED + 1,
                format!("these are below {from}"),
            ),
        ],
    )
}

/// The most laps.
const MAX_LAPS: usize = 64;
/// A step that has not yet been looked at, as the cells up to there have not been read.
const AHEAD: u32 = u32::MAX;
/// A cell that is marked: a step that is no option, a token that cannot be there.
const MARKED: u32 = u32::MAX - 1;

/// States are numbered from 1 on, where automata begin; 0 is none.
type Next = [u32; 2];

/// The automata of a lap.
struct Lap<'t> {
    line: usize,
    /// Next states, and whether a tape may end.
    tapes: Vec<(Next, bool)>,
    /// Next states, the state of `words` with the token on the last cell, and the label; empty
    /// where nothing is said.
    classes: Vec<(Next, u32, &'t [u8])>,
    /// Next states, and what is said: `W`, `L` or `?`.
    words: Vec<(Next, u8)>,
}

/// Checks a certificate of this kind. O(tuples), and the search of small circles.
pub(crate) fn check(envelope: &Envelope<'_>, work: &Work<'_>) -> Result<CheckReport, Rejected> {
    let steps = steps(envelope.game).ok_or_else(|| {
        let wanted = format!(
            "the game should be `Gamma(m1,m2,...;n)`: at most {MAX_STEPS} ascending steps, 1 to 12"
        );
        Rejected::new(3, wanted)
    })?;
    hypotheses(&steps, None)?;
    let misere = envelope.claim.starts_with("in misere play ");
    let furthest = steps.last().map_or(1, |step| step.unsigned_abs() as usize);
    let (from, laps) = read(envelope, &steps, furthest, work)?;
    let check = Check { steps: &steps, furthest, misere, laps: &laps };
    let mut tuples = 0;
    for (number, lap) in laps.iter().enumerate() {
        let counted =
            check.check_lap(number, work).map_err(|reason| Rejected::new(lap.line, reason))?;
        tuples += counted;
    }
    let start = Rejected::new(
        envelope.body_line,
        "from `from` on the first lap should say who wins on the blank tape",
    );
    let (mut members, classes) = check.outcomes(from, work).ok_or(start)?;
    for n in 1..from {
        let search = CircleSearch::new(&steps, n, misere).mover_wins_start(work);
        members[n - 1] = !search.map_err(|reason| Rejected::new(0, reason))?;
    }
    work.spend(64 * (members.len() + classes.len())).map_err(|reason| Rejected::new(0, reason))?;
    let claim = statement(&members, &classes, misere);
    if envelope.claim != claim {
        let shown = claim.get(..200).unwrap_or(&claim);
        return Err(Rejected::new(4, format!("what is shown is another claim: {shown}")));
    }
    let states: usize =
        laps.iter().map(|lap| lap.tapes.len() + lap.classes.len() + lap.words.len() - 3).sum();
    let whole =
        format!("by automata from n = {from} on; the {} circles below one by one", from - 1);
    Ok(CheckReport {
        work: format!(
            "{}, {}, {}, {} searched",
            many(laps.len(), "lap"),
            many(states, "state"),
            many(tuples, "tuple"),
            many(from - 1, "circle")
        ),
        theorem: theorem(&steps, misere, &whole, &claim),
    })
}

/// Reads the body: `laps K from F`, then for each lap `lap K tapes T classes S words W` and their
/// states: `NEXT0 NEXT1` and perhaps ` .`; `NEXT0 NEXT1 WORD LABEL`; `NEXT0 NEXT1 V`.
fn read<'t>(
    envelope: &'t Envelope<'_>,
    steps: &[i64],
    furthest: usize,
    work: &'t Work<'_>,
) -> Result<(usize, Vec<Lap<'t>>), Rejected> {
    let most = envelope.body.len();
    let mut lines = Lines::new(envelope.body, envelope.body_line, most, work);
    let words: Vec<&str> = lines.take().splitn(4, ' ').collect();
    let head = match words[..] {
        ["laps", laps, "from", from] => number(laps).zip(number(from)),
        _ => None,
    };
    let (count, from) = head.ok_or_else(|| {
        let (least, most) = (furthest + 1, MAX_SEARCHED + 1);
        lines.rejected(format!(
            "this line should be `laps K from F`: K 1 to {MAX_LAPS}, F {least} to {most}"
        ))
    })?;
    hypotheses(steps, Some((lines.at, count, from)))?;
    let mut laps = Vec::new();
    for lap in 1..=count {
        let words: Vec<&str> = lines.take().splitn(8, ' ').collect();
        // Automata begin in state 1; there may be nothing ahead of a token.
        let size =
            |text: &str, least| number::<usize>(text).filter(|size| (least..=most).contains(size));
        let sizes = match words[..] {
            ["lap", of, "tapes", tapes, "classes", classes, "words", words]
                if number(of) == Some(lap) =>
            {
                size(tapes, 1).zip(size(classes, 1)).zip(size(words, 0))
            }
            _ => None,
        };
        let wanted = || {
            lines.rejected(format!(
                "this line should be `lap {lap} tapes T classes S words W`, as many as follow"
            ))
        };
        let ((tapes, classes), words) = sizes.ok_or_else(wanted)?;
        let line = lines.at;
        // Each may be as large as the file is long.
        let bytes = (tapes.saturating_add(words).saturating_mul(size_of::<(Next, u32)>()))
            .saturating_add(classes.saturating_mul(size_of::<(Next, u32, &[u8])>()));
        work.hold(bytes).map_err(|reason| Rejected::new(0, reason))?;
        let of_tapes =
            states(&mut lines, tapes, "`NEXT0 NEXT1`, then perhaps ` .`", |next, rest| {
                matches!(rest, "" | ".").then_some((next, rest == "."))
            })?;
        let wanted = format!(
            "`NEXT0 NEXT1 WORD LABEL`, the label {furthest} letters of .WL? (of ? in the last \
             lap), or -"
        );
        let of_classes = states(&mut lines, classes, &wanted, |next, rest| {
            let (word, label) = rest.split_once(' ')?;
            let label = if label == "-" { "" } else { label };
            let letters: &[u8] = if lap == count { b"?" } else { b".WL?" };
            let fits = label.is_empty()
                || label.len() == furthest && label.bytes().all(|b| letters.contains(&b));
            let word = number(word).filter(|word: &u32| *word as usize <= words)?;
            fits.then_some((next, word, label.as_bytes()))
        })?;
        let of_words = states(&mut lines, words, "`NEXT0 NEXT1` and W, L or ?", |next, rest| {
            matches!(rest, "W" | "L" | "?").then(|| (next, rest.as_bytes()[0]))
        })?;
        laps.push(Lap {
            line,
            tapes: [vec![([0; 2], false)], of_tapes].concat(),
            classes: [vec![([0; 2], 0, &b""[..])], of_classes].concat(),
            words: [vec![([0; 2], b'?')], of_words].concat(),
        });
    }
    match lines.rest {
        "" => Ok((from, laps)),
        _ => Err(Rejected::new(lines.number, "the file should end here")),
    }
}

/// Reads this many states of an automaton.
fn states<'t, S>(
    lines: &mut Lines<'t>,
    count: usize,
    wanted: &str,
    state: impl Fn(Next, &'t str) -> Option<S>,
) -> Result<Vec<S>, Rejected> {
    let mut states = Vec::new();
    for _ in 0..count {
        let line = lines.take();
        let read = || {
            let (zero, rest) = line.split_once(' ')?;
            // Nothing may follow a blank that ends the line.
            let (one, rest) =
                rest.split_once(' ').filter(|(_, rest)| !rest.is_empty()).unwrap_or((rest, ""));
            let to = |text| number(text).filter(|to: &u32| *to as usize <= count);
            state([to(zero)?, to(one)?], rest)
        };
        let wrong = || lines.rejected(format!("a state is {wanted}; next states are 0 to {count}"));
        states.push(read().ok_or_else(wrong)?);
    }
    Ok(states)
}

/// A certificate being checked.
struct Check<'c> {
    steps: &'c [i64],
    furthest: usize,
    misere: bool,
    laps: &'c [Lap<'c>],
}

/// A lap up to here: the state of its tapes, cells since the last mark with the next one (0 before
/// the first), cells read, and the state of another automaton that reads what the lap leaves.
type Walk = [u32; 4];

impl Check<'_> {
    /// Checks (1) to (3) of a lap, the first two with the lap after it. Returns how many tuples
    /// came up.
    fn check_lap(&self, number: usize, work: &Work<'_>) -> Result<usize, Reason> {
        let bytes = work.bytes();
        let lap = &self.laps[number];
        if number == 0 {
            self.check_blank_tape(lap, work)?;
        }
        let mut tuples = 0;
        if let Some(next) = self.laps.get(number + 1) {
            tuples += self.check_tapes_left(number, lap, next, work)?;
            work.release(bytes);
            for cell in 0..self.furthest {
                tuples += self.check_labels(lap, next, cell, work)?;
                work.release(bytes);
            }
        }
        tuples += self.check_positions(number, lap, work)?;
        work.release(bytes);
        Ok(tuples)
    }

    /// Returns the number of cells after one more, as far as it matters: M + 1 at most.
    fn one_more(&self, cells: u32) -> u32 {
        (cells + 1).min(self.furthest as u32 + 1)
    }

    /// Returns whether a tape may end here: circles are larger than the furthest step.
    fn may_end(&self, lap: &Lap<'_>, tapes: u32, cells: u32) -> bool {
        lap.tapes[tapes as usize].1 && cells as usize > self.furthest
    }

    /// Checks that the blank tape is among those before the first lap, whatever its length.
    fn check_blank_tape(&self, lap: &Lap<'_>, work: &Work<'_>) -> Result<(), Reason> {
        let (mut state, mut cells) = (1, 0);
        work.spend(lap.tapes.len())?;
        // After so many cells it goes round.
        for _ in 0..lap.tapes.len() + self.furthest + 1 {
            if cells as usize > self.furthest && !self.may_end(lap, state, cells) {
                return Err("a blank tape is not among those before the first lap".into());
            }
            (state, cells) = (lap.tapes[state as usize].0[0], self.one_more(cells));
        }
        Ok(())
    }

    /// Returns the walks one cell on, and whether the token stands there. Of the other automaton,
    /// `other` says where a letter leads.
    fn next_walks(
        &self,
        number: usize,
        walk: Walk,
        other: impl Fn(u32, usize) -> u32,
    ) -> impl Iterator<Item = (Walk, bool)> {
        let lap = &self.laps[number];
        let [tapes, since, cells, state] = walk;
        let furthest = self.furthest as u32;
        let entries = if number == 0 { 1 } else { furthest };
        let next = lap.tapes[tapes as usize].0;
        let longer = self.one_more(cells);
        let passes = if since == 0 { cells + 1 < entries } else { since < furthest };
        let lands =
            if since == 0 { cells < entries } else { self.steps.contains(&i64::from(since)) };
        let passed = if since == 0 { 0 } else { since + 1 };
        let pass = |letter: usize| {
            passes.then(|| ([next[letter], passed, longer, other(state, letter)], false))
        };
        let land = lands.then(|| ([next[0], 1, longer, other(state, 1)], true));
        [pass(0), pass(1), land].into_iter().flatten().filter(|(walk, _)| walk[0] != 0)
    }

    /// Checks (1): the tapes before the next lap include all that this one leaves. Returns how many
    /// tuples came up, as the two after it do.
    fn check_tapes_left(
        &self,
        number: usize,
        lap: &Lap<'_>,
        next: &Lap<'_>,
        work: &Work<'_>,
    ) -> Result<usize, Reason> {
        let mut walks: Tuples<'_, [u32; 4]> = Tuples::new(2 * KEPT, work);
        walks.add(&[1, 0, 0, 1])?;
        while let Some(walk) = walks.next() {
            if self.may_end(lap, walk[0], walk[2]) && !next.tapes[walk[3] as usize].1 {
                return Err("this lap leaves a tape that is not among those before the next".into());
            }
            for (walk, _) in
                self.next_walks(number, walk, |state, letter| next.tapes[state as usize].0[letter])
            {
                walks.add(&walk)?;
            }
        }
        Ok(walks.count())
    }

    /// Checks (2): what labels say of one of the first cells is what the next lap says. A tuple:
    /// the state of the tapes, the class, cells read, and the next lap's class up to the cell, then
    /// its word, or `MARKED`.
    fn check_labels(
        &self,
        lap: &Lap<'_>,
        next: &Lap<'_>,
        cell: usize,
        work: &Work<'_>,
    ) -> Result<usize, Reason> {
        let mut tuples: Tuples<'_, [u32; 4]> = Tuples::new(2 * KEPT, work);
        tuples.add(&[1, 1, 0, 1])?;
        while let Some([tapes, class, cells, state]) = tuples.next() {
            let label = lap.classes[class as usize].2;
            if self.may_end(next, tapes, cells) && !label.is_empty() {
                let agrees = match (label[cell], state) {
                    (b'?', _) => true,
                    (letter, MARKED) => letter == b'.',
                    (letter, word) => letter == next.words[word as usize].1,
                };
                if !agrees {
                    return Err(format!(
                        "a label of this lap says of cell {cell} what the next lap does not"
                    )
                    .into());
                }
            }
            for letter in 0..2 {
                let to = next.tapes[tapes as usize].0[letter];
                let class = lap.classes[class as usize].0[letter];
                // Of no class, nothing is said.
                if to == 0 || class == 0 {
                    continue;
                }
                let state = match (cells as usize, letter) {
                    (read, _) if read < cell => next.classes[state as usize].0[letter],
                    (read, 1) if read == cell => MARKED,
                    (read, _) if read == cell => word_ahead(next, state),
                    _ if state == MARKED => MARKED,
                    _ => next.words[state as usize].0[letter],
                };
                tuples.add(&[to, class, self.one_more(cells), state])?;
            }
        }
        Ok(tuples.count())
    }

    /// Checks (3): of the positions that come up, what is said of options is right for what is said
    /// of the position. A tuple: the state of the tapes; the word; cells read since the token's;
    /// cells read; the class of all cells up to here, as long as a step leads further; and for each
    /// step the word of the option, or `AHEAD` or `MARKED`.
    fn check_positions(
        &self,
        number: usize,
        lap: &Lap<'_>,
        work: &Work<'_>,
    ) -> Result<usize, Reason> {
        let mut walks: Tuples<'_, [u32; 4]> = Tuples::new(2 * KEPT, work);
        let mut tuples: Tuples<'_, [u32; 9]> = Tuples::new(2 * KEPT, work);
        walks.add(&[1, 0, 0, 1])?;
        while let Some(walk) = walks.next() {
            for (walk, lands) in
                self.next_walks(number, walk, |state, letter| lap.classes[state as usize].0[letter])
            {
                walks.add(&walk)?;
                let [tapes, _, cells, class] = walk;
                let word = lap.classes[class as usize].1;
                if lands && word != 0 {
                    tuples.add(&[tapes, word, 0, cells, class, AHEAD, AHEAD, AHEAD, AHEAD])?;
                }
            }
        }
        while let Some(tuple) = tuples.next() {
            let [tapes, word, read, cells, class, options @ ..] = tuple;
            if self.may_end(lap, tapes, cells) {
                let label = lap.classes[class as usize].2;
                let said = |(option, step): (u32, &i64)| match option {
                    MARKED => b'.',
                    // Past the last cell: n is the token's cell with it, and `read` more.
                    AHEAD => label.get(*step as usize - 1 - read as usize).copied().unwrap_or(b'?'),
                    word => lap.words[word as usize].1,
                };
                let options: Vec<u8> = options
                    .into_iter()
                    .zip(self.steps)
                    .map(said)
                    .filter(|said| *said != b'.')
                    .collect();
                let is_right = match lap.words[word as usize].1 {
                    b'L' => {
                        options.iter().all(|said| *said == b'W')
                            && !(self.misere && options.is_empty())
                    }
                    b'W' => options.contains(&b'L') || self.misere && options.is_empty(),
                    _ => true,
                };
                if !is_right {
                    return Err(wrong_word(lap.words[word as usize].1));
                }
            }
            for letter in 0..2 {
                let (to, word) =
                    (lap.tapes[tapes as usize].0[letter], lap.words[word as usize].0[letter]);
                // Of no word, nothing is said.
                if to == 0 || word == 0 {
                    continue;
                }
                let mut after =
                    [to, word, read, self.one_more(cells), 0, MARKED, MARKED, MARKED, MARKED];
                for (i, step) in self.steps.iter().enumerate() {
                    after[5 + i] = match (options[i], letter) {
                        (MARKED, _) => MARKED,
                        (AHEAD, _) if *step > i64::from(read) + 1 => AHEAD,
                        (AHEAD, 1) => MARKED,
                        (AHEAD, _) => word_ahead(lap, class),
                        (word, _) => lap.words[word as usize].0[letter],
                    };
                }
                if (read as usize) < self.furthest {
                    after[2] = read + 1;
                }
                if after[2] < self.furthest as u32 {
                    after[4] = lap.classes[class as usize].0[letter];
                }
                tuples.add(&after)?;
            }
        }
        Ok(walks.count() + tuples.count())
    }

    /// Returns whether circles are in P: those from 1 cell on, of which those below `from` are to
    /// be searched, then by residue. `None` where the first lap does not say.
    fn outcomes(&self, from: usize, work: &Work<'_>) -> Option<(Vec<bool>, Vec<bool>)> {
        let lap = &self.laps[0];
        work.hold(16 * lap.words.len()).ok()?;
        let mut met = vec![0; lap.words.len()];
        let mut members = Vec::new();
        let mut word = word_ahead(lap, 1);
        // Until a circle as large has the same to come.
        while members.len() + 1 < from || met[word as usize] == 0 {
            members.push(lap.words[word as usize].1 == b'L');
            if members.len() >= from {
                met[word as usize] = members.len();
                if lap.words[word as usize].1 == b'?' {
                    return None;
                }
            }
            word = lap.words[word as usize].0[0];
        }
        let first = met[word as usize];
        let period = members.len() + 1 - first;
        // Of `first` and the circles after it, a whole period, that of the residue.
        let of = |residue: usize| first + (residue + period - first % period) % period;
        let classes = (0..period).map(|residue| members[of(residue) - 1]).collect();
        Some((members, classes))
    }
}

/// Returns why a position that is said to be lost or won may be neither.
fn wrong_word(said: u8) -> Reason {
    match said {
        b'L' => "a position is said to be lost, and not all its options to be won",
        _ => "a position is said to be won, and none of its options to be lost",
    }
    .into()
}

/// Returns the word ahead of a token that comes to the next cell.
fn word_ahead(lap: &Lap<'_>, class: u32) -> u32 {
    lap.classes[lap.classes[class as usize].0[1] as usize].1
}
