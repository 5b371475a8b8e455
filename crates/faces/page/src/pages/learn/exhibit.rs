//! What the engine finds on a step of a course, computed when the step is shown.

use crate::guess::{Guess, settle};
use crate::refusal::Refusal;
use crate::request::encoded;
use crate::site::Site;
use bouton_core::{Budget, Meter, Outcome, Play};
use bouton_draw::heatmap::{CellKind, Heatmap, HeatmapRequest};
use bouton_draw::svg;
use bouton_engine::sum::Sum;
use bouton_engine::{Evaluation, Game, Settings};
use bouton_octal::sequence::period::find_period;
use bouton_octal::sequence_of;
use bouton_prover::Formula;
use bouton_study::{Proved, Verdict};
use maud::{Markup, PreEscaped, html};
use std::collections::HashSet;

/// A question to the engine, with the words around its answer.
pub(super) enum Exhibit {
    /// A form of the P-positions, to be proved for all sizes.
    Claim { game: &'static str, form: &'static str, misere: bool, words: &'static str },
    /// A wrong form, to be refuted.
    Refuted { game: &'static str, form: &'static str, words: &'static str },
    /// A form, compared with every position whose numbers are at most `to`.
    Compared { game: &'static str, form: &'static str, misere: bool, to: u64, words: &'static str },
    /// Outcomes or nim-values as a picture.
    Table { game: &'static str, at: &'static str, to: u64, nim_values: bool },
    /// The nim-values of single heaps.
    Values { game: &'static str, to: u64 },
    /// The period of the nim-values of single heaps.
    Period { game: &'static str },
    /// A sum: the values of its parts and its own.
    Sum { game: &'static str },
    /// The lost pairs of two heaps, with their differences and quotients.
    LostPairs { game: &'static str, to: u64 },
    /// What positions are worth to the player to move.
    Margins { game: &'static str, positions: &'static [&'static str] },
    /// What the engine remarks on a position.
    Remarks { game: &'static str, at: &'static str },
}

/// What an exhibit shows, and whether what its words say is so: nothing if the budget ended before.
pub(super) struct Finding {
    pub shown: Markup,
    pub holds: Option<bool>,
}

/// Heaps of the longest search for a period.
const PERIOD: usize = 2000;

impl Exhibit {
    /// Returns a form in normal play, to be proved.
    pub(super) const fn claim(
        game: &'static str,
        form: &'static str,
        words: &'static str,
    ) -> Exhibit {
        Exhibit::Claim { game, form, misere: false, words }
    }

    /// Asks the engine.
    pub(super) fn find(&self, site: &Site, budget: &Budget) -> Result<Finding, Refusal> {
        match *self {
            Exhibit::Claim { game, form, misere, words } => {
                claim(site, (game, form, misere), words, true, budget)
            }
            Exhibit::Refuted { game, form, words } => {
                claim(site, (game, form, false), words, false, budget)
            }
            Exhibit::Compared { game, form, misere, to, words } => {
                compared(site, (game, form, misere), to, words, budget)
            }
            Exhibit::Table { game, at, to, nim_values } => {
                table(site, game, at, to, nim_values, budget)
            }
            Exhibit::Values { game, to } => values(site, game, to, budget),
            Exhibit::Period { game } => period(site, game, budget),
            Exhibit::Sum { game } => sum(site, game, budget),
            Exhibit::LostPairs { game, to } => pairs(site, game, to, budget),
            Exhibit::Margins { game, positions } => margins(site, game, positions, budget),
            Exhibit::Remarks { game, at } => remarks(site, game, at, budget),
        }
    }
}

/// Returns a finding in a paragraph, with a sign for whether the words hold.
fn finding(holds: Option<bool>, words: &str, by: Markup) -> Finding {
    let class = match holds {
        Some(true) => "good",
        Some(false) => "bad",
        None => "to",
    };
    Finding {
        shown: html! { p.exhibit { span.(class) { (words) } " " span.source { (by) } } },
        holds,
    }
}

/// Settles a form; `expected`: whether the words say that it holds.
fn claim(
    site: &Site,
    (game, form, misere): (&str, &str, bool),
    words: &str,
    expected: bool,
    budget: &Budget,
) -> Result<Finding, Refusal> {
    let misere_text = if misere { "1" } else { "" };
    let guess = Guess {
        game: game.into(),
        claim: form.into(),
        smaller: String::new(),
        misere: misere_text.into(),
    };
    let answer = settle(site, &guess, budget)?;
    let misere_part = if misere { "&misere=1" } else { "" };
    let link = html! { a href={ "/prove?game=" (encoded(game)) "&claim=" (encoded(form))
    (misere_part) } { code { (form) } } };
    let (holds, by) = match &answer.settled {
        Verdict::Proved(Proved::Theorem(_)) => (
            Some(true),
            html! { "Proved now for all sizes in " (format!("{:.2}", answer.seconds)) " s: " (link)
            "." },
        ),
        Verdict::Refuted(refuted) => (
            Some(false),
            html! { "Refuted now: " (link) "; " (refuted.counterexample.to_string()) "." },
        ),
        _ => (None, html! { "Not settled within the time of a page: " (link) "." }),
    };
    Ok(if expected {
        finding(holds, words, by)
    } else {
        // The refutation of a wrong guess is what the step is about.
        let Finding { shown, .. } = finding(holds, words, by);
        Finding { shown, holds: holds.map(|holds| !holds) }
    })
}

/// Evaluates positions of a game one after another.
fn evaluated(
    game: &dyn Game,
    play: Play,
    positions: impl Iterator<Item = String>,
    budget: &Budget,
) -> Result<Vec<Option<Evaluation>>, Refusal> {
    let mut session =
        game.session(Settings { play, budget: budget.clone(), ..Settings::default() });
    positions.map(|at| Ok(session.evaluate(&at)?.ok())).collect()
}

fn compared(
    site: &Site,
    (game, form, misere): (&str, &str, bool),
    to: u64,
    words: &str,
    budget: &Budget,
) -> Result<Finding, Refusal> {
    let game = site.catalogue.parse(game)?.game;
    let heaps = game
        .heap_game()
        .map(|stated| stated.heaps)
        .or_else(|| Some(game.table_shape()?.numbers))
        .unwrap_or(1);
    let letters: Vec<String> = ('a'..='z').take(heaps).map(String::from).collect();
    let formula =
        Formula::parse_over(form, &letters).map_err(|error| Refusal::formula(form, error))?;
    let count = (to + 1).pow(heaps as u32);
    // Forms are meant up to symmetry: the numbers in order of size.
    let sizes = |i: u64| -> Vec<u64> {
        (0..heaps).map(|heap| i / (to + 1).pow(heap as u32) % (to + 1)).collect()
    };
    let all: Vec<Vec<u64>> = (0..count).map(sizes).filter(|sizes| sizes.is_sorted()).collect();
    let play = if misere { Play::Misere } else { Play::Normal };
    let text = |sizes: &Vec<u64>| game.position(sizes).unwrap_or_default();
    let found = evaluated(&*game, play, all.iter().map(text), budget)?;
    let mut holds = Some(true);
    let mut failed = None;
    for (sizes, found) in all.iter().zip(&found) {
        let outcome = found.and_then(|found| found.outcome);
        match (outcome, formula.holds(sizes)) {
            (Some(outcome), Ok(said)) if said != (outcome == Outcome::P) => {
                failed = Some(text(sizes));
                holds = Some(false);
                break;
            }
            (Some(_), Ok(_)) => {}
            _ => holds = None,
        }
    }
    let by = match (holds, failed) {
        (Some(true), _) => {
            html! { "Compared now with all " (all.len()) " positions with numbers to " (to) ": "
            code { (form) } "." }
        }
        (_, Some(at)) => html! { "It fails at " (at) "." },
        _ => html! { "Not all of it was computed within the time of a page." },
    };
    Ok(finding(holds, words, by))
}

fn table(
    site: &Site,
    game: &str,
    at: &str,
    to: u64,
    nim_values: bool,
    budget: &Budget,
) -> Result<Finding, Refusal> {
    let sheet = Heatmap::compute(HeatmapRequest {
        catalogue: site.catalogue.clone(),
        game: game.into(),
        position: Some(at.into()),
        x: 0..=to,
        y: 0..=if at.contains('y') { to } else { 0 },
        what: if nim_values { CellKind::NimValue } else { CellKind::Outcome },
        play: Play::Normal,
        budget: budget.clone(),
    })?;
    let holds = sheet.cells.iter().all(Option::is_some).then_some(true);
    let scene = sheet.picture().scene();
    let shown = html! {
        figure.exhibit { div.wide tabindex="0" role="region" aria-label={ "Table of " (game) }
            { (PreEscaped(svg::inline(&scene, |_| None))) } figcaption { (scene.description) } }
    };
    Ok(Finding { shown, holds })
}

fn values(site: &Site, name: &str, to: u64, budget: &Budget) -> Result<Finding, Refusal> {
    let game = site.catalogue.parse(name)?.game;
    let found = evaluated(&*game, Play::Normal, (0..=to).map(|n| n.to_string()), budget)?;
    let known: Option<Vec<u32>> =
        found.iter().map(|found| Some(found.as_ref()?.nim_value?.0)).collect();
    let shown = html! {
        div.wide.exhibit tabindex="0" role="region" aria-label={ "Nim-values of " (name) } {
            table.columns {
                caption { "Nim-values, computed now" }
                tr { th scope="row" { "heap" } @for n in 0..=to { th scope="col" { (n) } } }
                tr { th scope="row" { "value" } @for value in &found {
                    td { @match value.as_ref().and_then(|value| value.nim_value) {
                        Some(value) => (value.0), None => "?" } } } }
            }
        }
    };
    Ok(Finding { shown, holds: known.map(|_| true) })
}

fn period(site: &Site, name: &str, budget: &Budget) -> Result<Finding, Refusal> {
    let mut sequence = sequence_of(&*site.catalogue.parse(name)?.game)?;
    let found = find_period(&mut sequence, PERIOD, &mut Meter::new(budget)).ok().flatten();
    Ok(match found {
        Some(found) if found.proof.is_some() => {
            let words = format!(
                "The nim-values of {name} have period {}, from heap {} on.",
                found.period, found.preperiod
            );
            finding(
                Some(true),
                &words,
                html! { "Proved now, from the values to " (sequence.len() - 1) "." },
            )
        }
        _ => finding(
            None,
            &format!("No period of {name} is proved"),
            html! { "within the time of a page." },
        ),
    })
}

fn sum(site: &Site, name: &str, budget: &Budget) -> Result<Finding, Refusal> {
    let named = site.catalogue.parse(name)?;
    let at = named.position.or(named.opening).unwrap_or_default();
    let summands = match named.game.ruleset().downcast_ref::<Sum>() {
        Some(sum) => sum.summands_of(&at)?,
        None => Vec::new(),
    };
    let value = |game: &dyn Game, at: &str| -> Result<Option<u32>, Refusal> {
        let found = evaluated(game, Play::Normal, std::iter::once(at.to_owned()), budget)?;
        Ok(found[0].as_ref().and_then(|found| found.nim_value).map(|value| value.0))
    };
    let mut parts = Vec::new();
    for summand in &summands {
        let game = site.catalogue.parse(&summand.game)?.game;
        parts.push((
            format!("{} {}", summand.game, summand.position),
            value(&*game, &summand.position)?,
        ));
    }
    let whole = value(&*named.game, &at)?;
    let xor = parts.iter().map(|(_, value)| *value).try_fold(0, |sum, value| Some(sum ^ value?));
    let holds = whole.zip(xor).map(|(whole, xor)| whole == xor).filter(|_| !parts.is_empty());
    let number = |value: Option<u32>| value.map_or_else(|| "?".into(), |value| value.to_string());
    let terms: Vec<String> =
        parts.iter().map(|(part, value)| format!("{} (of {part})", number(*value))).collect();
    Ok(finding(
        holds,
        &format!("{} = {}", terms.join(" ⊕ "), number(whole)),
        html! { "Computed now; ⊕ adds the columns of powers of two without carrying." },
    ))
}

fn pairs(site: &Site, name: &str, to: u64, budget: &Budget) -> Result<Finding, Refusal> {
    let game = site.catalogue.parse(name)?.game;
    let all: Vec<(u64, u64)> = (0..=to).flat_map(|a| (a..=to).map(move |b| (a, b))).collect();
    let found =
        evaluated(&*game, Play::Normal, all.iter().map(|(a, b)| format!("{a},{b}")), budget)?;
    let known =
        found.iter().all(|found| found.as_ref().is_some_and(|found| found.outcome.is_some()));
    let is_lost = |found: &&Option<Evaluation>| {
        found.as_ref().is_some_and(|found| found.outcome == Some(Outcome::P))
    };
    let lost: Vec<(u64, u64)> =
        all.iter().zip(&found).filter(|(_, found)| is_lost(found)).map(|(pair, _)| *pair).collect();
    // Each begins with the least number in no pair before, and has its own place as difference.
    let mut used = HashSet::new();
    let rule = lost.iter().zip(0..).all(|((a, b), place)| {
        let least = (0..).find(|n| !used.contains(n)) == Some(*a);
        used.extend([*a, *b]);
        least && b - a == place
    });
    let shown = html! {
        div.wide.exhibit tabindex="0" role="region" aria-label={ "Lost pairs of " (name) } {
            table.columns {
                caption { "The lost pairs to " (to) ", computed now" }
                tr { th scope="row" { "smaller" } @for (a, _) in &lost { td { (a) } } }
                tr { th scope="row" { "larger" } @for (_, b) in &lost { td { (b) } } }
                tr { th scope="row" { "difference" } @for (a, b) in &lost { td { (b - a) } } }
                tr { th scope="row" { "quotient" } @for (a, b) in &lost {
                    td { @if *a > 0 { (format!("{:.3}", *b as f64 / *a as f64)) } @else { "–" } }
                        } }
            }
        }
    };
    let holds = known.then_some(rule);
    let Finding { shown: sentence, .. } = finding(
        holds,
        "Each pair begins with the least number that is in no pair before it, and its difference \
         is one more.",
        html! { "Compared with the " (lost.len()) " pairs above." },
    );
    Ok(Finding { shown: html! { (shown) (sentence) }, holds })
}

fn margins(
    site: &Site,
    name: &str,
    positions: &[&str],
    budget: &Budget,
) -> Result<Finding, Refusal> {
    let game = site.catalogue.parse(name)?.game;
    let found =
        evaluated(&*game, Play::Normal, positions.iter().map(|at| (*at).to_owned()), budget)?;
    let known =
        found.iter().all(|found| found.as_ref().is_some_and(|found| found.margin.is_some()));
    let shown = html! {
        div.pair.exhibit {
            @for (at, found) in positions.iter().zip(&found) {
                figure.seen {
                    (super::picture(site, name, at))
                    figcaption { "The player to move " @match found.as_ref().and_then(|found|
                        found.margin) {
                        Some(margin) if margin > 0 => { "wins by " (margin) "." }
                        Some(0) => { "can draw." }
                        Some(margin) => { "loses by " (-margin) "." }
                        None => { "is not known to win within the time of a page." }
                    } }
                }
            }
        }
    };
    Ok(Finding { shown, holds: known.then_some(true) })
}

fn remarks(site: &Site, name: &str, at: &str, budget: &Budget) -> Result<Finding, Refusal> {
    let game = site.catalogue.parse(name)?.game;
    let found =
        game.session(Settings { budget: budget.clone(), ..Settings::default() }).analyse(at)?;
    let shown = html! {
        div.pair.exhibit {
            figure.seen { (super::picture(site, name, at)) }
            dl { @for remark in &found.remarks { dt { (remark.about) } dd { (remark.text) } } }
        }
    };
    Ok(Finding { shown, holds: (!found.remarks.is_empty()).then_some(true) })
}
