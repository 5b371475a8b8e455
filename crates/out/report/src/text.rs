//! Results as lines for a terminal.

use crate::move_description::{VerbForm, describe_move, ordinal, taken};
use bouton_certificate::PPositionsClaim;
use bouton_conjecture::Fit;
use bouton_core::{Formula, LimitReached, MoveText, Outcome, Play, heaps_text, number_with_noun};
use bouton_engine::{Analysis, BestPlay, Evaluation, Game, Move};
use bouton_study::{
    AtValue, Board, ClaimedRelation, Comparison, Findings, Heaps, NimValues, ParametricStudy,
    PartialTheorem, Pipeline, PipelineOutcome, RangeStudy, Round, Sentence, Start, Study,
    SummandValues, ValueClass, VerdictKind,
};
use bouton_theory::reproduce::CommandResult;
use bouton_theory::text::rows_of_numbers;
use std::fmt::Write;

/// The number of P-positions listed.
const MAX_P_POSITIONS: usize = 12;
/// The longest name of a game, in bytes, that is said within a sentence.
const MAX_GAME_NAME: usize = 60;

/// Returns how play ends, in a sentence. Empty of scored games, whose rules say it.
pub fn end_rule(is_scored: bool, play: Play) -> &'static str {
    match play {
        _ if is_scored => "",
        Play::Normal => "Whoever cannot move loses.",
        Play::Misere => "Misère play: whoever cannot move wins.",
    }
}

/// Returns whether the move wins or, in scored games and in draws, is best, as far as known.
pub fn is_winning(analysis: &Analysis, m: &Move) -> bool {
    match m.evaluation.margin {
        Some(margin) => Some(margin) == analysis.evaluation.margin,
        None if analysis.evaluation.is_draw => m.evaluation.is_draw,
        None => m.evaluation.outcome == Some(Outcome::P),
    }
}

/// Describes the outcome in a sentence.
pub fn verdict(play: Play, analysis: &Analysis) -> String {
    let Evaluation { outcome, nim_value, margin, bounds, is_draw } = analysis.evaluation;
    if is_draw {
        let misere = if play == Play::Misere { " (misère play)" } else { "" };
        return format!("D: a draw, neither player can force the end{misere}");
    }
    let reason = analysis.spent.as_ref().map(LimitReached::to_string);
    if let Some((low, high)) = bounds {
        let (who, reason) = (who_is_ahead(low, high), reason.unwrap_or("no verdict".into()));
        return format!("margin {low:+} to {high:+}: {who} ({reason})");
    }
    let verdict =
        who_wins(play, outcome, nim_value.map(|value| value.0), margin, reason.as_deref());
    match analysis.class {
        Some(class) => format!("{}; outcome class {class}. {verdict}", capital(class.in_words())),
        None => verdict,
    }
}

/// Describes the outcome in a sentence for readers: in words, then in the signs of the theory.
pub fn verdict_in_words(play: Play, analysis: &Analysis) -> String {
    let Evaluation { outcome: Some(outcome), nim_value, bounds: None, .. } = analysis.evaluation
    else {
        return verdict(play, analysis);
    };
    if analysis.class.is_some() {
        return verdict(play, analysis);
    }
    let value = value_in_words(nim_value.map(|value| value.0));
    let misere = if play == Play::Misere { ", misère play" } else { "" };
    format!("So {} ({outcome}-position{value}{misere})", mover_in_words(outcome))
}

/// Returns what an outcome means for the player to move.
fn mover_in_words(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::N => "the player to move wins",
        Outcome::P => "the player to move loses",
    }
}

/// Returns the nim-value after a comma; nothing if it is not known.
fn value_in_words(nim_value: Option<u32>) -> String {
    nim_value.map_or(String::new(), |value| format!(", nim-value *{value}"))
}

/// Returns the sentence with a capital first letter.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map_or(String::new(), |first| first.to_ascii_uppercase().to_string() + letters.as_str())
}

/// Returns whether a search found play to be over: there is no move.
pub fn is_over(analysis: &Analysis) -> bool {
    analysis.moves.is_empty() && analysis.spent.is_none()
}

/// Returns in words which numbers a position is, if its signs may have been meant between the
/// digits of one number: `1,234,567` is three numbers. `None` of other positions, and if one number
/// is no position of the game.
pub fn numbers_in_words(game: &dyn Game, position: &str) -> Option<String> {
    let numbers: Vec<&str> = position.split(',').collect();
    let is_number = |number: &str| number.bytes().all(|c| c.is_ascii_digit());
    let (first, groups) = numbers.split_first()?;
    let (last, before) = numbers.split_last()?;
    let may_be_one = (1..=3).contains(&first.len())
        && !first.starts_with('0')
        && is_number(first)
        && !groups.is_empty()
        && groups.iter().all(|group| group.len() == 3 && is_number(group));
    if !may_be_one || game.normal_form(first).is_err() {
        return None;
    }
    let (count, one) = (number_with_noun(numbers.len(), "number"), numbers.concat());
    Some(format!("{count}: {} and {last}; one number is written {one}", before.join(", ")))
}

/// Returns the first thing to say to the player to move: whether to win, and by which move, if one
/// is known; `None` if nothing is known. What is proved may answer without a move, though play is
/// not `over`.
pub fn advice(game: &dyn Game, play: Play, analysis: &Analysis, over: bool) -> Option<String> {
    let best = || analysis.moves.iter().find(|m| is_winning(analysis, m));
    let by = |lead: String| match best() {
        Some(m) => format!("{lead}: {}.", move_in_words(game, &analysis.position, m)),
        None => format!("{lead}."),
    };
    Some(match (analysis.evaluation.outcome, analysis.evaluation.margin) {
        _ if analysis.evaluation.is_draw => by("You can draw".into()),
        (Some(Outcome::N), _) if over && play == Play::Misere => {
            "There is no move left: you have won.".into()
        }
        (Some(Outcome::N), _) => by("You can win".into()),
        (Some(Outcome::P), _) if over && play == Play::Normal => {
            "There is no move left: you have lost.".into()
        }
        (Some(Outcome::P), _) => "You cannot win against best play.".into(),
        (None, Some(margin)) if margin > 0 => by(format!("You can win by {margin}")),
        (None, Some(0)) if over => "The game is over.".into(),
        (None, Some(0)) => by("You can hold a draw".into()),
        (None, Some(margin)) => format!("You lose by {} against best play.", -margin),
        (None, None) => return None,
    })
}

/// Returns a move as one says it to a player: `take 2 from the second heap`.
pub fn move_in_words(game: &dyn Game, from: &str, m: &Move) -> String {
    let board = game.board(from).ok();
    let plain = || {
        let said = || {
            describe_move(
                game,
                from,
                [board.as_ref()?, &game.board(&m.to).ok()?],
                VerbForm::Imperative,
            )
        };
        match (&m.text, &board) {
            (MoveText::Position(to), _) => said().unwrap_or_else(|| format!("move to {to}")),
            (MoveText::Change(change), _) => said().unwrap_or_else(|| format!("play {change}")),
            (MoveText::Words(line), Some(bouton_core::Board::Dots { .. })) => {
                format!("draw {line}")
            }
            (MoveText::Words(string), Some(bouton_core::Board::Coins { .. })) => {
                format!("cut {string}")
            }
            (MoveText::Words(words), _) => words.clone(),
        }
    };
    let memory = game.memory();
    let of_heaps =
        game.heap_game().is_some() || game.heap_moves().is_some() || game.moves().is_some();
    if let Some(bouton_core::Board::Queen { .. }) = &board {
        return format!("move the queen to {}", m.to);
    }
    if let Some(bouton_core::Board::Purses { .. }) = &board {
        return m.text.to_string();
    }
    let is_one_heap =
        board.as_ref().and_then(bouton_core::Board::heaps).is_some_and(|all| all.len() == 1);
    if !of_heaps && !is_one_heap {
        return plain();
    }
    let numbers = |text: &str| {
        let all = text.split(',').map(|n| n.trim().parse().ok()).collect::<Option<Vec<u64>>>()?;
        Some(all[..all.len().checked_sub(memory)?].to_vec())
    };
    let (Some(before), Some(mut left)) = (numbers(from), numbers(&m.to)) else { return plain() };
    // The one heap of a position that says more.
    if !of_heaps && before.len() != 1 {
        return plain();
    }
    if let Some(taken) = taken(&before, &left) {
        let remembered = remembered_by_choice(game, from, &m.to, memory);
        return format!("take {taken}{}", remembered.unwrap_or_default());
    }
    if memory > 0 {
        return plain();
    }
    // Equal heaps stay; what is left over on both sides is what the move did. Empty heaps may be
    // left out.
    let mut changed: Vec<usize> = Vec::new();
    for (at, heap) in before.iter().enumerate() {
        match left.iter().position(|other| other == heap) {
            Some(place) => {
                left.swap_remove(place);
            }
            None => changed.push(at),
        }
    }
    left.retain(|heap| *heap > 0);
    left.sort_unstable();
    let [at] = changed[..] else { return plain() };
    let Some(taken) = before[at].checked_sub(left.iter().sum()) else { return plain() };
    let heap = match (before.len(), board.as_ref().and_then(bouton_core::Board::rows)) {
        (_, Some(_)) => format!("the row of {}", before[at]),
        (1, None) => "the heap".to_owned(),
        (_, None) => format!("the {} heap", ordinal(at + 1)),
    };
    match (taken, &left[..]) {
        (0, [a, b]) => format!("split {heap} into {a} and {b}"),
        (1.., [a, b]) => format!("take {taken} from {heap} and leave {a} and {b}"),
        (1.., [] | [_]) if before.len() == 1 => {
            format!("take {}", number_with_noun(taken, "token"))
        }
        (1.., [] | [_]) => format!("take {taken} from {heap}"),
        _ => plain(),
    }
}

/// Says what a move makes the game remember, where another move leaves the same heaps, so that the
/// mover chooses it; where there are too many moves to see that, too.
fn remembered_by_choice(game: &dyn Game, from: &str, to: &str, memory: usize) -> Option<String> {
    const MOST: usize = 1000;
    let parts = |position: &str| -> Option<(String, String)> {
        let numbers: Vec<&str> = position.split(',').map(str::trim).collect();
        let (heaps, remembered) = numbers.split_at_checked(numbers.len().checked_sub(memory)?)?;
        Some((heaps.join(","), remembered.join(",")))
    };
    let (heaps, remembered) = parts(to).filter(|_| memory > 0)?;
    let mut graph = game.graph();
    let node = graph.read(from).ok()?;
    let options = graph.some_options(node, 0, MOST).ok()?;
    let is_chosen = options.len() == MOST
        || options.iter().any(|option| {
            parts(&graph.print(*option))
                .is_some_and(|(own, says)| own == heaps && says != remembered)
        });
    is_chosen.then(|| crate::move_description::remembers(&remembered))
}

/// Describes bounds on the margin for the player to move.
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
    let value = value_in_words(nim_value);
    let who = match (outcome, margin) {
        (Some(outcome), _) => format!("{outcome}: {}{value}", mover_in_words(outcome)),
        (None, Some(0)) => "a draw under best play".into(),
        (None, Some(margin)) if margin > 0 => format!("margin +{margin}: the player to move wins"),
        (None, Some(margin)) => format!("margin {margin}: the player to move loses"),
        (None, None) => return format!("unknown ({})", reason.unwrap_or("no verdict")),
    };
    if play == Play::Misere { who + " (misère play)" } else { who }
}

/// Describes the position after a move in a few characters.
pub fn short(m: &Move) -> String {
    let Evaluation { outcome, nim_value, margin, bounds, is_draw } = m.evaluation;
    if let Some((low, high)) = bounds {
        return format!("{low:+} to {high:+}");
    }
    match (outcome, nim_value, margin) {
        (_, _, Some(margin)) => format!("{margin:+}"),
        (Some(outcome), Some(value), _) => format!("{outcome} {value}"),
        (Some(outcome), None, _) => outcome.to_string(),
        (None, _, _) if is_draw => "D".into(),
        (None, _, _) => "?".into(),
    }
}

/// Prints a line of best play: turns separated by commas, and a `+` after a move for every point
/// that it scores.
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

/// Prints a study.
pub fn study(study: &Study) -> String {
    let head = match &study.values {
        Some(values) => format!("nim-values of {}", values.game),
        None => study.game.clone(),
    };
    let mut out = format!("{head}\n  {}\n", study.rules.words);
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

/// Prints a study of a game with a parameter: value by value, then the sentences on all values.
pub fn range_study(study: &RangeStudy) -> String {
    let RangeStudy { game, parameter, range: [first, last], .. } = study;
    let what = if study.nim_values { "nim-values of " } else { "" };
    let mut out = format!("{what}{game}, {parameter} = {first}..{last}\n");
    if let Some(at) = study.values.first() {
        let _ = writeln!(out, "  {parameter} = {}: {}", at.value, at.found.rules.words);
    }
    out.push('\n');
    for at in &study.values {
        let said = match (at.is_proved(), at.form_in_words()) {
            (true, Some(form)) => format!("proved: {}", claim_at(at, form)),
            (_, Some(form)) => {
                format!("holds for the tables made, not proved: {}", claim_at(at, form))
            }
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

/// Returns what is found for a value as a claim.
fn claim_at(at: &AtValue, form: &str) -> String {
    match &at.found.values {
        Some(values) if at.form().is_none() => {
            format!("the nim-value is the {} number, where {form}", ordinal(values.place))
        }
        Some(_) => value_form_in_words(form),
        None => format!("P iff {form}"),
    }
}

/// Returns a form of nim-values as a claim: solved for v, or not.
pub(crate) fn value_form_in_words(form: &str) -> String {
    match form.strip_prefix("v = ") {
        Some(value) if !value.contains(" v ") => format!("the nim-value is {value}"),
        _ => format!("the nim-value is the number v with {form}"),
    }
}

/// Describes a study of a game for all values of its parameters.
pub fn parametric_study(study: &ParametricStudy) -> String {
    let names = study.parameters.join(" and ");
    let all = match &study.condition {
        None => format!("all {names}"),
        Some(condition) => format!("all {names} with {condition}"),
    };
    let mut out = match study.verdict {
        VerdictKind::Proved => format!("{}: who wins is proved for {all}\n", study.game),
        _ if study.statements.is_empty() => {
            format!("{}: no form in {names} is found\n", study.game)
        }
        _ => format!("{}: not proved for {all}\n", study.game),
    };
    for one in &study.statements {
        let verdict = match one.verdict {
            VerdictKind::Proved => "proved",
            _ => "holds for the tables made, not proved",
        };
        let values = match one.class {
            None => format!("For all {names} with {}", one.condition),
            Some(ValueClass::One(value)) => format!("For {names} = {value}"),
            Some(ValueClass::From { from, modulus, residue }) => match (modulus, residue) {
                (1, _) => format!("For every {names} from {from} on"),
                (2, 0) => format!("For every even {names} from {from} on"),
                (2, _) => format!("For every odd {names} from {from} on"),
                _ => format!(
                    "For every {names} from {from} on with {names} mod {modulus} = {residue}"
                ),
            },
        };
        let _ = writeln!(out, "  {values}: {verdict}: P iff {}", one.form);
        if let Some(source) = &one.claimed {
            let _ = writeln!(
                out,
                "    The form was not found here; it was tried as a claim of {source}"
            );
        }
    }
    let _ = writeln!(out, "  ({:.2} s)", study.seconds);
    out
}

/// Describes the values of a sentence.
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

/// Describes the values for which a sentence is proved, and those with which it only agrees.
pub(crate) fn extent(study: &RangeStudy, Sentence { proved, agrees, .. }: &Sentence) -> String {
    let name = &study.parameter;
    match (proved.is_empty(), agrees.is_empty()) {
        (_, true) => format!("proved for {name} in {}", heaps_text(proved)),
        (true, _) => format!("in agreement with the tables for {name} in {}", heaps_text(agrees)),
        _ => format!(
            "proved for {name} in {}, in agreement with the forms found for {}",
            heaps_text(proved),
            heaps_text(agrees)
        ),
    }
}

fn sentence(study: &RangeStudy, sentence: &Sentence) -> String {
    let (name, form) = (&study.parameter, &sentence.form);
    let claim = match study.nim_values {
        true => value_form_in_words(form),
        false => claim(form, sentence.up_to_symmetry).to_string(),
    };
    format!(
        "For {}: {claim}\n  {}; as a sentence about all {name}: a conjecture\n",
        values_of(study, sentence),
        extent(study, sentence)
    )
}

fn findings(out: &mut String, study: &Study) {
    match &study.findings {
        Findings::Heaps(found) => heaps(out, study, found),
        Findings::Counts { studies, values, .. } => {
            if values.iter().enumerate().all(|(n, value)| n == *value as usize)
                && !values.is_empty()
            {
                let to = values.len() - 1;
                let _ =
                    writeln!(out, "The nim-value of a single heap is its size, heaps 0..{to}.\n");
            } else if !values.is_empty() {
                let _ = writeln!(out, "Nim-values of single heaps 0..{}", values.len() - 1);
                out.push_str(&rows_of_numbers(values));
                out.push('\n');
            }
            for study in studies {
                let _ = writeln!(out, "{}", study.game);
                findings(out, study);
            }
        }
        Findings::Theory(found) => out.push_str(&found.text()),
        Findings::Position => {}
    }
}

fn position(out: &mut String, play: Play, start: &Start) {
    let _ = writeln!(out, "From {}: {}", start.position, start_verdict(play, start));
    if !start.winning.is_empty() {
        let moves: Vec<&str> = start.winning.iter().map(|m| m.text.as_str()).collect();
        let _ = writeln!(out, "  by {}", moves.join("; "));
    }
    let _ = writeln!(out, "  {}, {:.3} s\n", number_with_noun(start.nodes, "node"), start.seconds);
}

/// Describes the outcome of a position in a sentence.
pub(crate) fn start_verdict(play: Play, start: &Start) -> String {
    who_wins(play, start.outcome, start.nim_value, start.margin, start.reason.as_deref())
}

fn heaps(
    out: &mut String,
    study: &Study,
    Heaps { line, published, partial, partial_classes }: &Heaps,
) {
    for board in &line.boards {
        if line.boards.len() > 1 {
            let _ = writeln!(out, "{} left", number_with_noun(board.heaps, "heap"));
        }
        tables(out, line, board);
    }
    for sent_back in &line.sent_back {
        let _ = writeln!(out, "The prover sent a form back: {sent_back}");
    }
    ending(out, study, line);
    partial.iter().for_each(|part| {
        let _ = writeln!(out, "{}", partial_theorem(part));
    });
    if let Some(together) = together(partial, *partial_classes) {
        let _ = writeln!(out, "{together}");
    }
    if !partial.is_empty() {
        out.push('\n');
    }
    if published.is_empty() {
        let play = if study.play == Play::Misere { "misère" } else { "normal" };
        let _ = writeln!(out, "No published form of the P-positions was compared ({play} play).\n");
    }
    for comparison in published {
        compared(out, comparison);
    }
}

/// States the nim-values of the summands of a sum, by which it is proved.
pub(crate) fn values_of_summands(summands: &[SummandValues]) -> Vec<String> {
    let each = |SummandValues { values, form, .. }: &SummandValues| {
        // An automaton reads the value with the heaps.
        let is_said = values.formula.is_some() || values.relation.is_some();
        let read = if is_said { String::new() } else { format!(": {}", claim(form, false)) };
        format!("{}{PROVED}{read}", nim_value_is(values))
    };
    summands.iter().map(each).collect()
}

/// Describes a theorem on some of the positions in a sentence.
pub(crate) fn partial_theorem(part: &PartialTheorem) -> String {
    let letter = |heap: usize| char::from(b'a' + heap as u8).to_string();
    let letters: Vec<String> = part.empty.iter().map(|heap| letter(*heap)).collect();
    let empty = match letters.len() {
        0 => None,
        1 => Some(format!("{} is empty", letters[0])),
        _ => Some(format!("{} are empty", letters.join(", "))),
    };
    let bounded = part.at_most.map(|(heap, most)| format!("{} is at most {most}", letter(heap)));
    let few = part.heaps_at_most.map(|heaps| format!("at most {heaps} heaps are left"));
    let led = part.positions.as_ref().map(|positions| format!("{positions}, which no move leaves"));
    let small: Vec<String> = empty.into_iter().chain(bounded).chain(few).chain(led).collect();
    // The rules in full are in the certificate.
    let game = match part.game.len() <= MAX_GAME_NAME {
        true => format!(" (then it is {})", part.game),
        false => String::new(),
    };
    format!(
        "Proved where {}{game}: {}; that covers {} of the {} of P-positions of the last table",
        small.join(" and "),
        claim(&part.form, part.up_to_symmetry),
        part.classes,
        number_with_noun(part.of, "class")
    )
}

/// Says how much theorems on parts of a game say together, if there are several.
pub(crate) fn together(partial: &[PartialTheorem], classes: usize) -> Option<String> {
    let [first, _, ..] = partial else { return None };
    Some(format!(
        "Together these theorems cover {classes} of the {} of P-positions of the last table",
        number_with_noun(first.of, "class")
    ))
}

fn tables(out: &mut String, line: &Pipeline, board: &Board) {
    if !board.rounds.is_empty() {
        let shown: Vec<String> =
            board.p_positions.iter().take(MAX_P_POSITIONS).map(|p| heaps_text(p)).collect();
        let up_to = if line.up_to_symmetry { " up to symmetry" } else { "" };
        let _ = match board.p_classes {
            0 => writeln!(out, "No P-positions"),
            all => writeln!(
                out,
                "P-positions{up_to}: {}{}",
                shown.join("  "),
                if all > MAX_P_POSITIONS { " …" } else { "" }
            ),
        };
    }
    if let Some(condition) = &line.moves_begin_where {
        let _ = writeln!(
            out,
            "  moves begin where {condition}, and never leave it: tables are of these positions"
        );
    }
    for found in &board.rounds {
        round(out, found);
    }
    if let Some(trouble) = &board.trouble {
        let larger = if board.rounds.is_empty() { "" } else { "larger " };
        let _ = writeln!(out, "  no {larger}table: {trouble}");
    }
    out.push('\n');
}

fn round(out: &mut String, round: &Round) {
    let _ = writeln!(
        out,
        "  table of heaps up to {} ({:.2} s): {} of P-positions",
        round.max,
        round.table_seconds,
        number_with_noun(round.classes, "class")
    );
    let (took, needs) =
        (format!("({:.2} s)", round.search_seconds), round.needs.unwrap_or_default());
    let _ = match round.fit {
        // It is seen in the moves, not in the table.
        Fit::Whole if round.orbit.is_some() => {
            writeln!(out, "  found in the moves {took}: P iff {}", round.form)
        }
        // It was fitted to some of the positions alone, so that no bits are counted.
        Fit::Whole if round.data_bits <= 0.0 => {
            writeln!(out, "  conjecture {took}: P iff {}", round.form)
        }
        Fit::Whole => writeln!(
            out,
            "  conjecture {took}: P iff {}\n  {:.0} bits of form against {:.0} bits of data",
            round.form, round.form_bits, round.data_bits
        ),
        Fit::TooLittle if round.missed > 0 => writeln!(
            out,
            "  not enough data {took}: too few classes for any form; one needs heaps up to about \
             {needs}"
        ),
        Fit::TooLittle => writeln!(
            out,
            "  not enough data {took}: {} ({:.0} bits of form against {:.0} bits of data, settled \
             at {}); a form needs heaps up to about {needs}",
            round.form, round.form_bits, round.data_bits, round.settled_at
        ),
        Fit::Partial => {
            let best = match round.missed < round.classes {
                true => best_of(round),
                false => String::new(),
            };
            let cut = match round.cut {
                true => "    (the search was cut short: with more time there might be more)\n",
                false => "",
            };
            write!(out, "  no form found {took}{best}\n{cut}")
        }
    };
    let _ = match (round.checked_to, &round.mismatch) {
        (Some(max), None) => writeln!(out, "  agrees with every position of heaps up to {max}"),
        (Some(max), Some(at)) => {
            writeln!(out, "  refuted by the table of heaps up to {max} at {}", heaps_text(at))
        }
        _ => Ok(()),
    };
}

/// Returns what the best form of a round says and leaves out.
fn best_of(round: &Round) -> String {
    let missed: Vec<String> =
        round.missed_positions.iter().take(6).map(|p| heaps_text(p)).collect();
    format!(
        "; the best misses {} of {} and names no N-position:\n    {}\n    missed: {}{}",
        round.missed,
        number_with_noun(round.classes, "class"),
        round.form,
        missed.join("  "),
        if round.missed > 6 { " …" } else { "" }
    )
}

/// Returns the claim that the P-positions are those of a form.
fn claim(form: &str, up_to_symmetry: bool) -> PPositionsClaim<'_> {
    PPositionsClaim { up_to_symmetry, ..PPositionsClaim::new(form) }
}

/// Returns the round of what is proved.
pub(crate) fn proved_round(line: &Pipeline) -> Option<&Round> {
    let round = line.boards.last().and_then(|board| board.rounds.last());
    round.filter(|_| matches!(line.ending, PipelineOutcome::Proved(_)))
}

/// Explains what the form that stands on a board names, each thing in a line.
pub(crate) fn explained(board: &Board) -> Vec<String> {
    let pairs = board.rounds.last().and_then(|round| round.pairs.as_ref());
    match (pairs, remaining_formula(board)) {
        (Some(pairs), _) => crate::words::explained_pairs(pairs),
        (None, Some(formula)) => crate::words::explained(formula),
        (None, None) => Vec::new(),
    }
}

fn ending(out: &mut String, study: &Study, line: &Pipeline) {
    let form = line.boards.last().and_then(|board| board.form.as_deref()).unwrap_or_default();
    let claim = claim(form, line.up_to_symmetry);
    let _ = match &line.ending {
        PipelineOutcome::Proved(proof) => {
            let counted = proved_round(line)
                .is_none_or(|round| round.orbit.is_none() && round.pairs.is_none());
            let size = match counted {
                false => String::new(),
                true => {
                    let [cases, parts, sets] =
                        [(proof.cases, "case"), (proof.parts, "part"), (proof.sets, "set")]
                            .map(|(number, noun)| number_with_noun(number, noun));
                    format!("{cases}, {parts}, {sets}; ")
                }
            };
            let mut lines = format!(
                "Proved for all heap sizes: {claim}\n  {size}the independent checker \
                 accepts the certificate, {:.2} s",
                line.proof_seconds
            );
            if let Some(again) =
                study.again.iter().find(|again| again.makes == CommandResult::Proof)
            {
                let _ = write!(lines, "\n  again: {again}");
            }
            writeln!(out, "{lines}")
        }
        PipelineOutcome::ProvedBySummands { summands } => writeln!(
            out,
            "Proved for all heap sizes by the summands: P iff their nim-values have nim-sum 0 \
             (Sprague 1935, Grundy 1939)\n{}",
            values_of_summands(summands).join("\n")
        ),
        PipelineOutcome::Holds { reason } => writeln!(
            out,
            "Holds for heaps up to {}: {claim}\n  not proved: {reason}",
            line.holds_to()
        ),
        PipelineOutcome::Refuted { counterexample, recheck, .. } => {
            writeln!(out, "Refuted beyond the tables: {claim}\n  {counterexample}\n  {}", recheck)
        }
        PipelineOutcome::NoForm => match line.boards.last() {
            Some(Board { trouble: Some(trouble), rounds, .. }) if rounds.is_empty() => {
                writeln!(out, "No form was sought, as there is no table: {trouble}")
            }
            Some(Board { trouble: Some(trouble), .. }) => {
                writeln!(out, "No form found before the tables ended: {trouble}")
            }
            Some(Board { rounds, .. }) if rounds.last().is_some_and(|round| round.cut) => {
                writeln!(out, "No form found in this time; with more there might be one.")
            }
            _ => writeln!(out, "No form found."),
        },
    };
    let has_form =
        !matches!(line.ending, PipelineOutcome::NoForm | PipelineOutcome::ProvedBySummands { .. });
    if has_form {
        for explained in line.boards.last().map(explained).unwrap_or_default() {
            let _ = writeln!(out, "  here {explained}");
        }
    }
    if let Some(values) = &study.values {
        let _ = writeln!(out, "{}", nim_values(values, line));
    }
    out.push('\n');
}

/// Returns the form that stands on a board as a formula, where it is one.
pub(crate) fn remaining_formula(board: &Board) -> Option<&Formula> {
    let round = board.rounds.last().filter(|_| board.form.is_some())?;
    Some(round.formula()?.formula())
}

/// Describes the nim-values of a study in a sentence.
pub(crate) fn nim_values(values: &NimValues, line: &Pipeline) -> String {
    let extent = match &line.ending {
        PipelineOutcome::NoForm | PipelineOutcome::Refuted { .. } => {
            return format!("No form of the nim-values of {} was found.", values.game);
        }
        PipelineOutcome::Proved(_) | PipelineOutcome::ProvedBySummands { .. } => PROVED.to_owned(),
        PipelineOutcome::Holds { .. } => {
            format!(", for heaps up to {}, not proved", line.holds_to())
        }
    };
    format!("{}{extent}.", nim_value_is(values))
}

/// Says how far a proof reaches.
const PROVED: &str = ", proved for all heap sizes";

/// Says which number the nim-value of a game is.
fn nim_value_is(values: &NimValues) -> String {
    let game = &values.game;
    match (&values.formula, &values.relation) {
        (Some(formula), _) => format!("The nim-value of {game} is {formula}"),
        (None, Some(relation)) => {
            format!("The nim-value of {game} is the number v with {relation}")
        }
        (None, None) => {
            let place = ordinal(values.place);
            format!("The nim-value of {game} is the {place} number of the P-positions")
        }
    }
}

fn compared(out: &mut String, c: &Comparison) {
    let what = match c.says {
        ClaimedRelation::All => "Published form",
        ClaimedRelation::Some => "Said to be P-positions:",
        ClaimedRelation::Within => "Said to hold all P-positions:",
    };
    let _ = writeln!(out, "{what} {} ({})\n  {}", c.id, c.source, c.form);
    if let Some(recorded) = c.otherwise_recorded() {
        let _ = writeln!(out, "  on record: {recorded}");
    }
    let _ = writeln!(out, "  {}\n", outcome(c));
}

/// Describes the comparison with a published form.
pub(crate) fn outcome(c: &Comparison) -> String {
    if let Some(beyond) = &c.beyond {
        let first: Vec<String> = beyond.first.iter().map(|p| heaps_text(p)).collect();
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
            format!(
                "refuted: {} is {} by the rules, but the form {claims}",
                at.position, at.outcome
            )
        }
        None if c.compared + c.undecided == 0 => {
            "unknown: there is no table to compare it with".into()
        }
        None if c.verdict == VerdictKind::Unknown => format!(
            "unknown: {} positions compared, heaps up to {}; {} could not be",
            c.compared, c.max, c.undecided
        ),
        None if c.is_found => format!(
            "says the same as the form proved above, for all heap sizes: {} positions compared \
             ({:.2} s)",
            c.compared, c.seconds
        ),
        None => format!(
            "holds for every position with heaps up to {}: {} compared ({:.2} s)",
            c.max, c.compared, c.seconds
        ),
    }
}
