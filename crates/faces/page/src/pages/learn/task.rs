//! What there is to do on a step of a course, and whether it is done.

use crate::guess::{Guess, settle};
use crate::playthrough;
use crate::request::{Request, encoded};
use crate::request_error::RequestError;
use crate::site::Site;
use bouton_core::{Budget, Outcome};
use bouton_engine::{Analysis, Game, Kind, Settings};
use bouton_report::text::{advice, is_over};
use bouton_study::{Proved, Verdict};
use maud::{Markup, html};

/// Something to do. The engine decides whether it is done.
pub(super) enum Task {
    /// A game to win against Bouton.
    Play { game: &'static str, at: &'static str, second: bool, misere: bool, columns: bool },
    /// Positions to be called won or lost.
    Sort { game: &'static str, misere: bool, positions: &'static [&'static str] },
    /// Positions whose nim-value, or margin in games on points, is to be found.
    Value { game: &'static str, positions: &'static [&'static str] },
    /// Positions with x for a number that makes them lost.
    Complete { game: &'static str, positions: &'static [&'static str] },
    /// A form of the P-positions to be guessed.
    Guess { game: &'static str, first: &'static str },
}

/// The largest number that is tried in a position.
const MAX_NUMBER: i64 = 200;

/// What the answers of a visitor are worth.
pub(super) struct Checked {
    /// A remark on each answer; nothing where none was given.
    pub remarks: Vec<Option<Remark>>,
}

/// A remark on an answer.
pub(super) struct Remark {
    pub right: bool,
    pub words: Markup,
}

impl Checked {
    /// Returns whether every answer is right.
    pub(super) fn is_done(&self) -> bool {
        self.remarks.iter().all(|remark| remark.as_ref().is_some_and(|remark| remark.right))
    }
}

/// Returns the names of the fields for answers.
pub(super) fn field(i: usize) -> String {
    format!("a{}", i + 1)
}

impl Task {
    /// Returns the game, and the positions that are asked about.
    pub(super) fn asked(&self) -> (&'static str, &'static [&'static str]) {
        match *self {
            Task::Play { game, .. } => (game, &[]),
            Task::Sort { game, positions, .. }
            | Task::Value { game, positions }
            | Task::Complete { game, positions } => (game, positions),
            Task::Guess { game, .. } => (game, &[""]),
        }
    }

    /// Checks the answers of a request, or those that `answer` gives.
    pub(super) fn check(
        &self,
        site: &Site,
        budget: &Budget,
        answer: impl Fn(usize) -> String,
    ) -> Result<Checked, RequestError> {
        let (name, positions) = self.asked();
        let game = site.catalogue.parse(name)?.game;
        let misere = matches!(self, Task::Sort { misere: true, .. });
        let play = playthrough::play(&site.catalogue, name, if misere { "1" } else { "" });
        let mut session =
            game.session(Settings { play, budget: budget.clone(), ..Settings::default() });
        let mut remarks = Vec::new();
        for (i, at) in positions.iter().enumerate() {
            let typed = answer(i).trim().to_owned();
            if typed.is_empty() {
                remarks.push(None);
                continue;
            }
            let remark = match self {
                Task::Play { .. } => continue,
                Task::Sort { .. } => {
                    let found = session.analyse(at)?;
                    let lost = found.evaluation.outcome.map(|outcome| outcome == Outcome::P);
                    let right = lost == Some(typed == "lost");
                    let advice = advice(&*game, play, &found, is_over(&found)).unwrap_or_default();
                    Remark { right, words: html! { @if !right { "Not so. " } (advice) } }
                }
                Task::Value { .. } => {
                    let found = session.analyse(at)?;
                    let right = number(&typed).is_some() && value(&found) == number(&typed);
                    Remark {
                        right,
                        words: if right {
                            html! { "Right." }
                        } else {
                            options(&*game, &found)
                        },
                    }
                }
                Task::Complete { .. } => {
                    match number(&typed).filter(|n| (0..=MAX_NUMBER).contains(n)) {
                        None => Remark {
                            right: false,
                            words: html! { "A number from 0 to " (MAX_NUMBER) "." },
                        },
                        Some(n) => {
                            let found = session.analyse(&at.replace('x', &n.to_string()))?;
                            let right = found.evaluation.outcome == Some(Outcome::P);
                            let words =
                                advice(&*game, play, &found, is_over(&found)).unwrap_or_default();
                            Remark {
                                right,
                                words: html! { (found.position) ": " @if right {
                                "lost for whoever has to move." } @else { (words) } },
                            }
                        }
                    }
                }
                Task::Guess { .. } => guessed(site, name, &typed, budget)?,
            };
            remarks.push(Some(remark));
        }
        Ok(Checked { remarks })
    }

    /// Returns the form with what was answered, and beside each answer the remark on it.
    pub(super) fn form(
        &self,
        site: &Site,
        request: &Request,
        name: &str,
        checked: &Checked,
    ) -> Markup {
        let (game, positions) = self.asked();
        html! {
            @for (i, at) in positions.iter().enumerate() {
                @let (field, typed) = (field(i), request.get(&field(i)));
                fieldset.question {
                    @match self {
                        Task::Guess { first, .. } => {
                            legend { (game) }
                            label { "Lost exactly if " input id={ (name) "-" (field) }
                                name=(field) value=(if typed.is_empty() { first }
                                    else { typed }) autocomplete="off" spellcheck="false"; }
                        }
                        Task::Complete { .. } => legend { code { (at) } },
                        _ => legend { (super::picture(site, game, at)) code { (at) } },
                    }
                    @match self {
                        Task::Sort { .. } => {
                            @for (value, words) in [("won", "won"), ("lost", "lost")] {
                                label.choice { input type="radio" name=(field) value=(value)
                                    checked[typed == value]; " " (words) }
                            }
                        }
                        Task::Value { .. } | Task::Complete { .. } => {
                            @let words = match self { Task::Complete { .. }
                                => "x = ", _ if at.contains(['-', '|']) => "wins by ", _ => "value "
                                    };
                            label { (words) input name=(field) value=(typed) size="4"
                                inputmode="text" autocomplete="off" aria-label={
                                    (words) " of " (at) }; }
                        }
                        _ => {}
                    }
                    p.remark data-field=(field) { @if let Some(remark) = &checked.remarks[i] {
                        span.(if remark.right { "good" } else { "bad" }) { (remark.words) } } }
                }
            }
        }
    }

    /// Returns where the game of this step begins, if it is one.
    pub(super) fn href(&self, name: &str) -> Option<String> {
        let Task::Play { game, at, second, misere, .. } = *self else { return None };
        let at_part = |key: &str| {
            if at.is_empty() { String::new() } else { format!("&{key}={}", encoded(at)) }
        };
        let misere = if misere { "&misere=1" } else { "" };
        let game = encoded(game);
        Some(if second && at.is_empty() {
            format!("/move?game={game}&you=second&lesson={name}{misere}")
        } else if second {
            // Bouton makes its move on the way.
            format!("/move?game={game}{}&you=second&lesson={name}{misere}", at_part("line"))
        } else {
            format!("/play?game={game}{}&lesson={name}{misere}", at_part("at"))
        })
    }
}

/// Returns a number as it is typed; a minus may be a dash.
fn number(typed: &str) -> Option<i64> {
    typed.trim().replace(['−', '–'], "-").trim_start_matches(['*', '+']).parse().ok()
}

/// Returns the nim-value, or the margin in games on points.
fn value(found: &Analysis) -> Option<i64> {
    found
        .evaluation
        .margin
        .map(i64::from)
        .or_else(|| found.evaluation.nim_value.map(|value| i64::from(value.0)))
}

/// Shows what helps to find a value: those of the options.
fn options(game: &dyn Game, found: &Analysis) -> Markup {
    if game.kind() == Kind::Scored {
        return html! { "Not so. Play it out: what does each move win, and what does it leave?" };
    }
    let mut values: Vec<u32> =
        found.moves.iter().filter_map(|m| Some(m.evaluation.nim_value?.0)).collect();
    values.sort_unstable();
    values.dedup();
    let values: Vec<String> = values.iter().map(u32::to_string).collect();
    html! {
        @if values.is_empty() { "Not so: there is no move." }
        @else { "Not so. The options have the values " (values.join(", "))
            ": which number is the least that is missing?" }
    }
}

/// Settles a form of the P-positions.
fn guessed(site: &Site, game: &str, form: &str, budget: &Budget) -> Result<Remark, RequestError> {
    let guess = Guess { game: game.into(), claim: form.into(), ..Guess::default() };
    let link = html! { a href={ "/prove?game=" (encoded(game)) "&claim=" (encoded(form)) }
    { "Look at it" } };
    Ok(match settle(site, &guess, budget) {
        Err(refusal) => Remark { right: false, words: html! { (refusal.message) "." } },
        Ok(answer) => match &answer.settled {
            Verdict::Proved(Proved::Theorem(_)) => Remark {
                right: true,
                words: html! { "Proved for all sizes, in " (format!("{:.2}", answer.seconds)) " s. "
                (link) },
            },
            Verdict::Refuted(refuted) => Remark {
                right: false,
                words: html! { "Refuted: " (refuted.counterexample.to_string()) ". " (link) },
            },
            other => Remark {
                right: false,
                words: html! { "Not settled: " (other.found()) ". " (link) },
            },
        },
    })
}
