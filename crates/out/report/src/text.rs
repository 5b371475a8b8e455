//! Results as lines for a terminal.

use bouton_conjecture::Fit;
use bouton_core::{Formula, LimitReached, Outcome, Play};
use bouton_engine::{Analysis, BestPlay, Evaluation, Move};
use bouton_study::{
    Board, Comparison, Ending, FamilyStudy, Findings, Heaps, Line, Meant, NimValues, RangeStudy, Round,
    Sentence, Sequences, Start, Study, VerdictKind, WhereEmpty,
};
use std::fmt::Write;

/// P-positions that are shown.
const SHOWN: usize = 12;
/// The most exceptions that are listed.
const LISTED: usize = 240;
/// Outcomes on a line.
const LETTERS: usize = 60;
/// Columns of a table.
const COLUMNS: usize = 20;

/// Whether the move wins, or in scored games is best, as far as known.
pub fn is_winning(analysis: &Analysis, m: &Move) -> bool {
    match m.evaluation.margin {
        Some(margin) => Some(margin) == analysis.evaluation.margin,
        None => m.evaluation.outcome == Some(Outcome::P),
    }
}

/// Who wins, in a sentence.
pub fn verdict(play: Play, analysis: &Analysis) -> String {
    let Evaluation { outcome, nim_value, margin, bounds } = analysis.evaluation;
    let reason = analysis.spent.as_ref().map(LimitReached::to_string);
    if let Some((low, high)) = bounds {
        let (who, reason) = (who_is_ahead(low, high), reason.unwrap_or("no verdict".into()));
        return format!("margin {low:+} to {high:+}: {who} ({reason})");
    }
    who_wins(play, outcome, nim_value.map(|value| value.0), margin, reason.as_deref())
}

/// What bounds on the margin say of the player to move.
fn who_is_ahead(low: i32, high: i32) -> &'static str {
    match (low, high) {
        (1.., _) => "the player to move wins",
        (0, _) => "the player to move does not lose",
        (_, ..=-1) => "the player to move loses",
        (_, 0) => "the player to move does not win",
        _ => "who wins is unknown",
    }
}

fn who_wins(
    play: Play,
    outcome: Option<Outcome>,
    nim_value: Option<u32>,
    margin: Option<i32>,
    reason: Option<&str>,
) -> String {
    let value = nim_value.map_or(String::new(), |value| format!(", nim-value *{value}"));
    let who = match (outcome, margin) {
        (Some(Outcome::N), _) => format!("N: the player to move wins{value}"),
        (Some(_), _) => format!("P: the player to move loses{value}"),
        (None, Some(0)) => "a draw under best play".into(),
        (None, Some(margin)) if margin > 0 => format!("margin +{margin}: the player to move wins"),
        (None, Some(margin)) => format!("margin {margin}: the player to move loses"),
        (None, None) => return format!("unknown ({})", reason.unwrap_or("no verdict")),
    };
    if play == Play::Misere { who + " (misère play)" } else { who }
}

/// What is known of the position a move leads to, in a few characters.
pub fn short(m: &Move) -> String {
    let Evaluation { outcome, nim_value, margin, bounds } = m.evaluation;
    if let Some((low, high)) = bounds {
        return format!("{low:+} to {high:+}");
    }
    match (outcome, nim_value, margin) {
        (_, _, Some(margin)) => format!("{margin:+}"),
        (Some(outcome), Some(value), _) => format!("{outcome} {value}"),
        (Some(outcome), None, _) => outcome.to_string(),
        (None, _, _) => "?".into(),
    }
}

/// A line of best play: turns with commas between, a `+` behind a move for every point that it wins.
pub fn best_play(play: &BestPlay) -> String {
    let mut text = String::new();
    let mut turn = false;
    for m in &play.moves {
        let (gain, again) = m.brings.map_or((0, false), |brings| (brings.gain, brings.again));
        if !text.is_empty() {
            text.push_str(if turn { " " } else { ", " });
        }
        text.push_str(&m.text);
        text.extend(std::iter::repeat_n('+', gain as usize));
        turn = again;
    }
    if play.spent.is_some() {
        text.push_str(", …");
    }
    text
}

/// A number of heaps in words.
pub(crate) fn counted(heaps: usize) -> String {
    if heaps == 1 { "1 heap".into() } else { format!("{heaps} heaps") }
}

/// Heaps with commas between.
pub(crate) fn listed<T: ToString>(heaps: &[T]) -> String {
    if heaps.is_empty() {
        return "0".into();
    }
    heaps.iter().map(T::to_string).collect::<Vec<_>>().join(",")
}

/// A study.
pub fn study(study: &Study) -> String {
    let mut out = format!("{}\n  {}\n", study.game, study.rules.words);
    if let Some(formula) = &study.rules.formula {
        let _ = writeln!(out, "  A move takes at least one token, and holds: {formula}");
    }
    out.push('\n');
    findings(&mut out, study);
    if let Some(start) = &study.start {
        position(&mut out, study.play, start);
    }
    out.truncate(out.trim_end().len());
    out + "\n"
}

/// A study of a game with a parameter: value by value, then what is said of all of them at once.
pub fn range_study(study: &RangeStudy) -> String {
    let RangeStudy { game, parameter, range: [first, last], .. } = study;
    let mut out = format!("{game}, {parameter} = {first}..{last}\n");
    if let Some(at) = study.values.first() {
        let _ = writeln!(out, "  {parameter} = {}: {}", at.value, at.found.rules.words);
    }
    out.push('\n');
    for at in &study.values {
        let said = match (at.is_proved(), at.form()) {
            (true, Some(form)) => format!("proved: P iff {form}"),
            (_, Some(form)) => format!("holds for the tables made, not proved: P iff {form}"),
            _ => "no form found".into(),
        };
        let _ = writeln!(out, "  {parameter} = {}: {said} ({:.2} s)", at.value, at.found.seconds);
    }
    out.push('\n');
    for sentence in &study.sentences {
        out += &self::sentence(study, sentence);
    }
    if study.sentences.is_empty() {
        let _ = writeln!(out, "No form in {parameter} fits the forms found.");
    }
    out
}

/// The values that a sentence speaks of.
pub(crate) fn values_of(study: &RangeStudy, sentence: &Sentence) -> String {
    let name = &study.parameter;
    let Sentence { modulus, residue, proved, agrees, .. } = sentence;
    let mut values: Vec<i64> = proved.iter().chain(agrees).copied().collect();
    values.sort_unstable();
    let first = values.first().copied().unwrap_or_default();
    let class = match (modulus, residue) {
        (1, _) => format!("every {name}"),
        (2, 0) => format!("even {name}"),
        (2, _) => format!("odd {name}"),
        _ => format!("{name} = {residue} (mod {modulus})"),
    };
    format!("{class} from {first} on")
}

/// For which values it is proved, and with which it only agrees.
pub(crate) fn how_far(study: &RangeStudy, Sentence { proved, agrees, .. }: &Sentence) -> String {
    let name = &study.parameter;
    match (proved.is_empty(), agrees.is_empty()) {
        (_, true) => format!("proved for {name} in {}", listed(proved)),
        (true, _) => format!("in agreement with the tables for {name} in {}", listed(agrees)),
        _ => format!(
            "proved for {name} in {}, in agreement with the forms found for {}",
            listed(proved),
            listed(agrees)
        ),
    }
}

fn sentence(study: &RangeStudy, sentence: &Sentence) -> String {
    let (name, form) = (&study.parameter, &sentence.form);
    let up_to = if sentence.up_to_symmetry { ", up to symmetry" } else { "" };
    format!(
        "For {}: P iff {form}{up_to}\n  {}; as a sentence about all {name}: a conjecture\n",
        values_of(study, sentence),
        how_far(study, sentence)
    )
}

fn findings(out: &mut String, study: &Study) {
    match &study.findings {
        Findings::Heaps(found) => heaps(out, study, found),
        Findings::Counts { studies, values, .. } => {
            if values.iter().enumerate().all(|(n, value)| n == *value as usize) && !values.is_empty() {
                let to = values.len() - 1;
                let _ = writeln!(out, "The nim-value of a single heap is its size, heaps 0..{to}.\n");
            } else if !values.is_empty() {
                let _ = writeln!(out, "Nim-values of single heaps 0..{}", values.len() - 1);
                rows(out, values);
                out.push('\n');
            }
            for study in studies {
                let _ = writeln!(out, "{}", study.game);
                findings(out, study);
            }
        }
        Findings::Sequence(found) => sequence(out, found),
        Findings::Theory(found) => out.push_str(&found.text()),
        Findings::Family(found) => family(out, found),
        Findings::Position => {}
    }
}

fn position(out: &mut String, play: Play, start: &Start) {
    let _ = writeln!(out, "From {}: {}", start.position, start_verdict(play, start));
    if !start.winning.is_empty() {
        let moves: Vec<&str> = start.winning.iter().map(|m| m.text.as_str()).collect();
        let _ = writeln!(out, "  by {}", moves.join("; "));
    }
    let _ = writeln!(out, "  {} nodes, {:.3} s\n", start.nodes, start.seconds);
}

/// Who wins from a position, in a sentence.
pub(crate) fn start_verdict(play: Play, start: &Start) -> String {
    who_wins(play, start.outcome, start.nim_value, start.margin, start.reason.as_deref())
}

fn heaps(out: &mut String, study: &Study, Heaps { line, published, where_empty }: &Heaps) {
    for board in &line.boards {
        if line.boards.len() > 1 {
            let _ = writeln!(out, "{} left", counted(board.heaps));
        }
        tables(out, line, board);
    }
    for sent_back in &line.sent_back {
        let _ = writeln!(out, "The prover sent a form back: {sent_back}");
    }
    ending(out, study, line);
    where_empty.iter().for_each(|part| {
        let _ = writeln!(out, "{}", part_of(part));
    });
    if !where_empty.is_empty() {
        out.push('\n');
    }
    if published.is_empty() {
        let play = if study.play == Play::Misere { "misère" } else { "normal" };
        let _ = writeln!(out, "No published form of the P-positions is in the ledger ({play} play).\n");
    }
    for comparison in published {
        compared(out, comparison);
    }
}

/// A theorem on the positions with some heaps empty, in a sentence.
pub(crate) fn part_of(part: &WhereEmpty) -> String {
    let letters: Vec<String> =
        part.empty.iter().map(|heap| char::from(b'a' + *heap as u8).to_string()).collect();
    let are = if letters.len() == 1 { "is" } else { "are" };
    let up_to = if part.up_to_symmetry { ", up to symmetry" } else { "" };
    format!(
        "Proved where {} {are} empty (then it is {}): P iff {}{up_to}; that covers {} of the {} classes of P-positions of the last table",
        letters.join(", "),
        part.game,
        part.form,
        part.classes,
        part.of
    )
}

fn tables(out: &mut String, line: &Line, board: &Board) {
    if !board.rounds.is_empty() {
        let shown: Vec<String> = board.p_positions.iter().take(SHOWN).map(|p| listed(p)).collect();
        let up_to = if line.up_to_symmetry { " up to symmetry" } else { "" };
        let _ = match board.p_classes {
            0 => writeln!(out, "No P-positions"),
            all => writeln!(
                out,
                "P-positions{up_to}: {}{}",
                shown.join("  "),
                if all > SHOWN { " …" } else { "" }
            ),
        };
    }
    for found in &board.rounds {
        round(out, found);
    }
    if let Some(trouble) = &board.trouble {
        let _ = writeln!(out, "  no larger table: {trouble}");
    }
    out.push('\n');
}

fn round(out: &mut String, round: &Round) {
    let _ = writeln!(
        out,
        "  table of heaps up to {} ({:.2} s): {} classes of P-positions",
        round.max, round.table_seconds, round.classes
    );
    let (took, needs) = (format!("({:.2} s)", round.search_seconds), round.needs.unwrap_or_default());
    let _ = match round.fit {
        Fit::Whole => writeln!(
            out,
            "  conjecture {took}: P iff {}\n  {:.0} bits of form against {:.0} bits of data",
            round.form, round.form_bits, round.data_bits
        ),
        Fit::TooLittle if round.missed > 0 => writeln!(
            out,
            "  not enough data {took}: too few classes for any form; one needs heaps up to about {needs}"
        ),
        Fit::TooLittle => writeln!(
            out,
            "  not enough data {took}: {} ({:.0} bits of form against {:.0} bits of data, settled at {}); a form needs heaps up to about {needs}",
            round.form, round.form_bits, round.data_bits, round.settled_at
        ),
        Fit::Partial => {
            let missed: Vec<String> = round.missed_positions.iter().take(6).map(|p| listed(p)).collect();
            writeln!(
                out,
                "  no form found {took}; the best misses {} of {} classes and names no N-position:\n    {}\n{}    missed: {}{}",
                round.missed,
                round.classes,
                round.form,
                if round.cut {
                    "    (the search was cut short: with more time there might be more)\n"
                } else {
                    ""
                },
                missed.join("  "),
                if round.missed > 6 { " …" } else { "" }
            )
        }
    };
    let _ = match (round.checked_to, &round.mismatch) {
        (Some(max), None) => writeln!(out, "  agrees with every position of heaps up to {max}"),
        (Some(max), Some(at)) => {
            writeln!(out, "  refuted by the table of heaps up to {max} at {}", listed(at))
        }
        _ => Ok(()),
    };
}

fn ending(out: &mut String, study: &Study, line: &Line) {
    let form = line.boards.last().and_then(|board| board.form.as_deref()).unwrap_or_default();
    let up_to = if line.up_to_symmetry { ", up to symmetry" } else { "" };
    let _ = match &line.ending {
        Ending::Proved(proof) => {
            let mut lines = format!(
                "Proved for all heap sizes: P iff {form}{up_to}\n  {} cases, {} parts, {} sets; the independent checker accepts the certificate, {:.2} s",
                proof.cases, proof.parts, proof.sets, line.proof_seconds
            );
            if let Some(again) = study.again.iter().find(|again| again.makes == "the proof") {
                let _ = write!(lines, "\n  again: {again}");
            }
            writeln!(out, "{lines}")
        }
        Ending::Holds { reason } => writeln!(
            out,
            "Holds for heaps up to {}: P iff {form}{up_to}\n  not proved: {reason}",
            line.holds_to()
        ),
        Ending::Refuted { counterexample, recheck, .. } => {
            writeln!(out, "Refuted beyond the tables: P iff {form}{up_to}\n  {counterexample}\n  {}", recheck)
        }
        Ending::NoForm => writeln!(out, "No form found."),
    };
    if line.ending != Ending::NoForm {
        let formula = line.boards.last().and_then(standing_formula);
        for explained in formula.map(crate::words::explained).unwrap_or_default() {
            let _ = writeln!(out, "  here {explained}");
        }
    }
    if let Some(values) = &study.values {
        let _ = writeln!(out, "{}", nim_values(values, line));
    }
    out.push('\n');
}

/// Returns the form that stands on a board as a formula, where it is one.
pub(crate) fn standing_formula(board: &Board) -> Option<&Formula> {
    let round = board.rounds.last().filter(|_| board.form.is_some())?;
    Some(round.formula()?.formula())
}

/// What a study says of nim-values, in a sentence.
pub(crate) fn nim_values(values: &NimValues, line: &Line) -> String {
    let game = &values.game;
    let how_far = match &line.ending {
        Ending::Proved(_) => ", proved for all heap sizes".to_owned(),
        Ending::Holds { .. } => format!(", for heaps up to {}, not proved", line.holds_to()),
        _ => String::new(),
    };
    match (&values.formula, &values.relation) {
        _ if matches!(line.ending, Ending::Refuted { .. } | Ending::NoForm) => {
            format!("No form of the nim-values of {game} was found.")
        }
        (Some(formula), _) => format!("The nim-value of {game} is {formula}{how_far}."),
        (None, Some(relation)) => {
            format!("The nim-value of {game} is the number v with {relation}{how_far}.")
        }
        (None, None) => format!("The nim-value of {game} is the last number of the P-positions{how_far}."),
    }
}

fn compared(out: &mut String, c: &Comparison) {
    let what = match c.says {
        Meant::All => "Published form",
        Meant::Some => "Said to be P-positions:",
        Meant::Within => "Said to hold all P-positions:",
    };
    let _ = writeln!(out, "{what} {} ({})\n  {}\n  {}\n", c.id, c.source, c.form, outcome(c));
}

/// What became of a published form.
pub(crate) fn outcome(c: &Comparison) -> String {
    if let Some(beyond) = &c.beyond {
        let first: Vec<String> = beyond.first.iter().map(|p| listed(p)).collect();
        let which = match beyond.count {
            0 => String::new(),
            _ => format!(", the greatest heap of these is {}: {}", beyond.last, first.join("  ")),
        };
        return format!(
            "{} of {} classes with heaps up to {} are not in it{which}",
            beyond.count, c.compared, c.max
        );
    }
    match &c.disagreement {
        Some(at) => {
            let claims = if at.outcome.is_p() { "leaves it out" } else { "counts it in" };
            format!("refuted: {} is {} by the rules, but the form {claims}", at.position, at.outcome)
        }
        None if c.verdict == VerdictKind::Unknown => format!(
            "unknown: {} positions compared, heaps up to {}; {} could not be",
            c.compared, c.max, c.undecided
        ),
        None => format!(
            "holds for every position with heaps up to {}: {} compared ({:.2} s)",
            c.max, c.compared, c.seconds
        ),
    }
}

fn rows(out: &mut String, values: &[u32]) {
    for line in values.chunks(COLUMNS) {
        let values: Vec<String> = line.iter().map(u32::to_string).collect();
        let _ = writeln!(out, "  {}", values.join(" "));
    }
}

fn sequence(out: &mut String, found: &Sequences) {
    let _ = writeln!(out, "Nim-values of single heaps 0..{}", found.values.len().saturating_sub(1));
    rows(out, &found.values);
    out.push('\n');
    let why = found.reason.as_ref().map_or(String::new(), |why| format!(" ({why})"));
    let Some(period) = &found.period else {
        let _ = match found.reason {
            None => writeln!(
                out,
                "No period is supported by the {} values of heaps 0..{}\n",
                found.heaps + 1,
                found.heaps
            ),
            Some(_) => writeln!(
                out,
                "No period is seen up to heap {}, where the search ended{why}; a longer one may find it\n",
                found.heaps
            ),
        };
        return;
    };
    let saltus = if period.saltus > 0 { format!(", saltus {}", period.saltus) } else { String::new() };
    let by = match found.verdict {
        VerdictKind::Proved => format!("proved ({})", period.proof),
        _ => format!("not proved{why}"),
    };
    let _ = writeln!(
        out,
        "Period {} from {} on{saltus}: {by}\n  heaps 0..{} compared, {:.3} s\n",
        period.period, period.preperiod, found.heaps, found.seconds
    );
    if let Some(cycle) = &period.cycle {
        let _ = writeln!(out, "The period, from a multiple of {} on", period.period);
        table(out, &(period.cycle_from()..).zip(cycle.iter().copied()).collect::<Vec<_>>());
    }
    match &period.exceptions[..] {
        [] if period.saltus > 0 => {}
        [] => out.push_str("No exceptions\n"),
        [.., (last, _)] if period.exceptions.len() > LISTED => {
            let _ = writeln!(out, "{} exceptions, the last at {last}", period.exceptions.len());
        }
        [one] => {
            out.push_str("The exception\n");
            table(out, &[*one]);
        }
        exceptions => {
            let _ = writeln!(out, "The {} exceptions", exceptions.len());
            table(out, exceptions);
        }
    }
    out.push('\n');
}

/// Sizes above their values.
fn table(out: &mut String, entries: &[(usize, u32)]) {
    for line in entries.chunks(COLUMNS) {
        let width = |(n, value): &(usize, u32)| n.to_string().len().max(value.to_string().len());
        let sizes: Vec<String> = line.iter().map(|e| format!("{:>w$}", e.0, w = width(e))).collect();
        let values: Vec<String> = line.iter().map(|e| format!("{:>w$}", e.1, w = width(e))).collect();
        let _ = writeln!(out, "  n     {}\n  G(n)  {}", sizes.join(" "), values.join(" "));
    }
}

fn family(out: &mut String, found: &FamilyStudy) {
    let name = &found.parameter;
    for (play, found) in [("normal", &found.normal), ("misère", &found.misere)] {
        let _ = writeln!(out, "Outcomes, {play} play");
        for chunk in found.outcomes.chunks(LETTERS) {
            let letters: String = chunk.iter().map(|(_, letter)| *letter).collect();
            let _ = writeln!(out, "  {name} = {:>3}: {letters}", chunk[0].0);
        }
        let _ = match (&found.p_positions, found.fitted_to) {
            (Some(fit), Some(to)) => writeln!(
                out,
                "  {}: P iff {fit}\n  It agrees with every {name} from {} to {to}{}.",
                if found.theorem.is_some() { "Fitted" } else { "Conjecture" },
                found.outcomes[0].0,
                if found.theorem.is_some() { "" } else { "; nothing is proved" },
            ),
            _ => writeln!(out, "  No classification by residues fits with enough evidence."),
        };
        if let Some(theorem) = &found.theorem {
            let how = if theorem.at_hand { "the certificate at hand" } else { "the certificate found" };
            let _ = writeln!(
                out,
                "  Theorem, for every {name} >= 1: P iff {}\n  The independent checker accepts {how}: {}\n  certificate {}",
                theorem.p_positions, theorem.work, theorem.hash
            );
        }
        if let Some(why) = &found.not_proved {
            let _ = writeln!(out, "  Not proved for every {name}: {why}");
        }
        if let Some(reason) = &found.reason {
            let _ = writeln!(out, "  unknown ({reason}): {name} = {:?}", found.unknown);
        }
        let _ = writeln!(out, "  {:.2} s\n", found.seconds);
    }
    if let (Some(first), Some(last)) = (found.nim_values.first(), found.nim_values.last()) {
        let list: Vec<String> = found.nim_values.iter().map(|(_, value)| value.to_string()).collect();
        let _ = writeln!(out, "Nim-values, {name} = {} to {}\n  {}\n", first.0, last.0, list.join(" "));
    }
    for claim in &found.published {
        let _ = writeln!(out, "Published: {} {} ({})", claim.id, claim.statement, claim.source);
        let _ = writeln!(out, "  {}: {}\n", claim.word, claim.found);
    }
}
