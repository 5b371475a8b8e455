//! A study as the stages that it goes through, each with its time and a picture: table, guess,
//! larger table, proof, check.

use crate::request::encoded;
use bouton_prover::Formula;
use bouton_study::{
    Board, Findings, Heaps, Pipeline, PipelineOutcome, Round, Slice, Stage, StageKind,
    StudiedStage, Study, VerdictKind,
};
use maud::{Markup, PreEscaped, html};

/// The greatest heap in the picture of the first table, which is small.
const SMALL: u64 = 9;
/// Alternatives of a form that fit into a stage.
const CASES: usize = 5;

/// What is known of a stage.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StageState {
    /// It has not been reached.
    Waits,
    /// It is being done.
    Now,
    /// The study continued.
    Continued,
    /// It refuted what came before.
    Refuted,
    /// It ended without an answer.
    Open,
}

impl StageState {
    fn class(self) -> &'static str {
        match self {
            StageState::Waits => "waits",
            StageState::Now => "now",
            StageState::Continued => "led-on",
            StageState::Refuted => "refuted",
            StageState::Open => "open",
        }
    }
}

/// A stage as it is shown.
struct Card {
    name: &'static str,
    state: StageState,
    seconds: Option<f64>,
    text: Markup,
}

impl Card {
    fn new(name: &'static str, state: StageState, text: Markup) -> Card {
        Card { name, state, seconds: None, text }
    }

    fn took(self, seconds: impl Into<Option<f64>>) -> Card {
        Card { seconds: seconds.into(), ..self }
    }
}

fn list(cards: &[Card]) -> Markup {
    html! {
        ol.pipeline aria-label="Stages of the study" {
            @for card in cards {
                li.(card.state.class()) {
                    strong { (card.name) } " "
                    @if let Some(seconds) = card.seconds {
                        span.time { (format!("{seconds:.2}")) " s" } }
                    (card.text)
                }
            }
        }
    }
}

/// Shows the P-positions of a slice up to a heap, as dark cells.
fn picture(slice: &Slice, most: u64) -> Markup {
    let [least, last] = slice.range;
    let last = last.min(most);
    let columns = last.saturating_sub(least) + 1;
    let rows = if slice.position.contains('y') { columns } else { 1 };
    let cells: String = slice
        .p
        .iter()
        .filter(|[x, y]| *x <= last && *y <= last)
        .map(|[x, y]| format!("M{} {}h1v1h-1z", x - least, rows - 1 - y.saturating_sub(least)))
        .collect();
    html! {
        svg.cells viewBox={ "0 0 " (columns) " " (rows) } role="img" aria-label={ "P-positions \
            of " (slice.position) ", heaps to " (last) } {
            rect width=(columns) height=(rows) {}
            path d=(cells) {}
        }
    }
}

fn form(formula: &Formula) -> Markup {
    let (cases, more) = bouton_report::cases(formula, CASES);
    html! {
        p { "P exactly if" }
        (PreEscaped(cases))
        @if more > 0 { p { "or one of " (more) " more cases" } }
    }
}

fn guessed(round: &Round) -> Markup {
    match (&round.automaton, round.formula()) {
        (Some(automaton), _) => {
            html! { p { "P exactly if an automaton of " (automaton.accepts.len())
            " states accepts the heaps." } }
        }
        (None, Some(claim)) => form(claim.formula()),
        (None, None) => html! { p { "P exactly if " (round.form) "." } },
    }
}

fn table(max: u64, classes: usize, slice: Option<&Slice>) -> Markup {
    html! {
        @if let Some(slice) = slice { (picture(slice, max.min(SMALL))) }
        p { "Heaps to " (max) ": " (classes) " classes of P-positions, dark." }
    }
}

fn compared(round: &Round, slice: Option<&Slice>) -> (StageState, Markup) {
    match (round.checked_to, &round.mismatch) {
        (Some(to), None) => (
            StageState::Continued,
            html! {
                @if let Some(slice) = slice.filter(|slice| slice.range[1] > SMALL) {
                    (picture(slice, to)) }
                p { "Every position of heaps to " (to) " agrees." }
            },
        ),
        (Some(to), Some(at)) => {
            let at: Vec<String> = at.iter().map(ToString::to_string).collect();
            (
                StageState::Refuted,
                html! { p { strong { "Refuted" } " by " (at.join(",")) ", in the table to " (to) "."
                } },
            )
        }
        (None, _) => (StageState::Open, html! { p { "Not compared with a larger table." } }),
    }
}

/// The stages of a study in course.
#[derive(Default)]
pub(crate) struct StagesInProgress {
    /// The last table: the greatest heap, the classes of its P-positions, a part of it, its time.
    table: Option<(u64, usize, Option<Slice>, f64)>,
    /// The form found in it.
    guess: Option<(Markup, f64)>,
    /// The comparison with the next.
    larger: Option<(StageState, Markup)>,
    proving: bool,
    /// Guesses that fell.
    fallen: usize,
}

impl StagesInProgress {
    pub fn hear(&mut self, stage: Stage<'_>) {
        match stage {
            Stage::Table(table, seconds) => {
                let fallen = self.fallen + usize::from(self.guess.is_some());
                let seen = (table.most(), table.class_count(), Slice::densest(table), seconds);
                *self =
                    StagesInProgress { table: Some(seen), fallen, ..StagesInProgress::default() };
            }
            Stage::Guess(round) => self.guess = Some((guessed(round), round.search_seconds)),
            Stage::Larger(round) => self.larger = Some(compared(round, None)),
            Stage::Proof => self.proving = true,
        }
    }

    /// Returns the stages reached so far as HTML.
    pub fn stages(&self) -> Markup {
        let first = match &self.table {
            Some((max, classes, slice, seconds)) => {
                Card::new("Table", StageState::Continued, table(*max, *classes, slice.as_ref()))
                    .took(*seconds)
            }
            None => Card::new("Table", StageState::Now, html! {}),
        };
        let guess = match &self.guess {
            Some((text, seconds)) => {
                Card::new("Guess", StageState::Continued, text.clone()).took(*seconds)
            }
            None if self.proving => {
                Card::new("Guess", StageState::Continued, html! { p { "An automaton." } })
            }
            None => Card::new("Guess", StageState::Now, html! { p { "A form is looked for." } }),
        };
        let waits = |name| Card::new(name, StageState::Waits, html! {});
        let larger = match &self.larger {
            Some((state, text)) => Card::new("Larger table", *state, text.clone()),
            None if self.guess.is_some() && !self.proving => {
                Card::new("Larger table", StageState::Now, html! {})
            }
            None => waits("Larger table"),
        };
        let proof = match self.proving {
            true => Card::new(
                "Proof",
                StageState::Now,
                html! { p { "A proof for all sizes is looked for." } },
            ),
            false => waits("Proof"),
        };
        html! {
            (list(&[first, guess, larger, proof, waits("Checked")]))
            @if self.fallen > 0 { p { (self.fallen) @if self.fallen == 1 { " guess" }
                @else { " guesses" } " refuted so far." } }
        }
    }
}

/// Returns how a study ended, in large letters, and the stages that it went through; the latter
/// not for kinds of games that are studied in another way.
pub(crate) fn pipeline(study: &Study) -> Markup {
    let checked = study.certificate().is_some() || !study.summands().is_empty();
    match &study.findings {
        Findings::Heaps(found) => html! {
            (outcome(found))
            (list(&heaps(found, checked)))
        },
        Findings::Theory(found) => {
            let stages = found.stages();
            let is_proved = stages.last().is_some_and(|last| last.continued);
            html! {
                @if is_proved { p.outcome.proved { strong { "Proved" } " for all sizes" } }
                @if !stages.is_empty() {
                    (list(&stages.iter().map(settled_stage).collect::<Vec<_>>())) }
            }
        }
        _ => html! {},
    }
}

/// Returns a stage of a theory's own study.
fn settled_stage(stage: &StudiedStage) -> Card {
    let name = match stage.kind {
        StageKind::Table => "Table",
        StageKind::Guess => "Guess",
        StageKind::LargerTable => "Larger table",
        StageKind::Proof => "Proof",
        StageKind::Check => "Checked",
    };
    let state = if stage.continued { StageState::Continued } else { StageState::Open };
    let text = html! {
        @if !stage.p_positions.is_empty() { (strip(&stage.p_positions)) }
        @for sentence in &stage.words { p { (sentence) } }
    };
    Card::new(name, state, text).took(stage.seconds)
}

/// Shows a list of which some are in P, as dark cells, ten on a line.
fn strip(are_in_p: &[bool]) -> Markup {
    const LINE: usize = 10;
    const MAX_CELLS: usize = 100;
    let shown = are_in_p.iter().take(MAX_CELLS);
    let rows = shown.len().div_ceil(LINE);
    let last = shown.len() - (rows - 1) * LINE;
    let cells: String = shown
        .enumerate()
        .filter(|(_, is_in_p)| **is_in_p)
        .map(|(i, _)| format!("M{} {}h1v1h-1z", i % LINE, i / LINE))
        .collect();
    html! {
        svg.cells viewBox={ "0 0 " (LINE) " " (rows) } role="img"
            aria-label="The first ones, ten on a line; P is dark" {
            @if rows > 1 { rect width=(LINE) height=(rows - 1) {} }
            rect y=(rows - 1) width=(last) height="1" {}
            path d=(cells) {}
        }
    }
}

/// Shows how a study of heaps ended.
fn outcome(Heaps { line, published, .. }: &Heaps) -> Markup {
    html! {
        @match &line.ending {
            PipelineOutcome::Proved(_) => p.outcome.proved { strong { "Proved" }
                " for heaps of all sizes" },
            PipelineOutcome::ProvedBySummands { .. } => p.outcome.proved { strong { "Proved" }
                " for heaps of all sizes, by the nim-values of the summands" },
            PipelineOutcome::Refuted { counterexample, .. } => p.outcome.refuted {
                strong { "Refuted" } " by " (counterexample) },
            PipelineOutcome::Holds { .. } => p.outcome { strong { "Conjecture" }
                " that holds for heaps to " (line.holds_to()) },
            PipelineOutcome::NoForm => p.outcome { strong { "Open" } ": no form was found" },
        }
        @for claim in published.iter().filter(|claim| claim.verdict == VerdictKind::Refuted) {
            p.outcome.refuted { strong { "Refuted" } ": what is published as " (claim.id) " ("
                (claim.source) ")" }
        }
        @for claim in published.iter().filter(|claim| claim.is_found) {
            p { "What is published as " a href={ "/ledger/claim?id=" (encoded(&claim.id)) }
                { (claim.id) } " is the same form, decided for all sizes: " code { (claim.form) }
                    " (" (claim.source) ")." }
        }
    }
}

fn heaps(Heaps { line, .. }: &Heaps, checked: bool) -> Vec<Card> {
    let Some(board @ Board { slice, .. }) = line.boards.last() else { return Vec::new() };
    let Some(round) = board.rounds.last() else { return Vec::new() };
    let guess = match board.form.is_some() {
        true => Card::new("Guess", StageState::Continued, guessed(round)),
        false => Card::new("Guess", StageState::Open, html! { p { "No form was found." } }),
    };
    let (state, text) = compared(round, slice.as_ref());
    let state = if board.form.is_none() && state == StageState::Continued {
        StageState::Open
    } else {
        state
    };
    let mut cards = vec![
        Card::new("Table", StageState::Continued, table(round.max, round.classes, slice.as_ref()))
            .took(round.table_seconds),
        guess.took(round.search_seconds),
        Card::new("Larger table", state, text),
    ];
    cards.extend(settled(line, checked));
    cards
}

/// Shows what a proof shows: from P no move leads to P, from N one does.
fn moves() -> Markup {
    html! {
        svg.moves-of viewBox="0 0 96 60" role="img" aria-label="From P no move leads to P; from N \
            one does" {
            path d="M24 38H66M60 33l7 5-7 5M72 24C66 2 90 2 84 24" {}
            path.crossed d="M73 3l10 8M83 3l-10 8" {}
            circle cx="12" cy="38" r="11" {}
            circle.p cx="78" cy="38" r="11" {}
            text x="12" y="43" { "N" }
            text.p x="78" y="43" { "P" }
        }
    }
}

/// Returns the last stages: the proof and its check.
fn settled(line: &Pipeline, checked: bool) -> [Card; 2] {
    let (state, text) = match &line.ending {
        PipelineOutcome::Proved(proof) if proof.parts > 0 => (
            StageState::Continued,
            html! {
                (moves())
                ul {
                    li { "from P never to P: " (proof.cases) " cases" }
                    li { "from N always to P: " (proof.parts) " kinds of positions" }
                }
            },
        ),
        PipelineOutcome::Proved(_) => {
            (StageState::Continued, html! { p { "Proved for all sizes." } })
        }
        PipelineOutcome::ProvedBySummands { .. } => (
            StageState::Continued,
            html! { p { "The nim-values of each summand are proved for all sizes." } },
        ),
        PipelineOutcome::Refuted { counterexample, .. } => {
            (StageState::Refuted, html! { p { strong { "Refuted" } " by " (counterexample) "." } })
        }
        PipelineOutcome::Holds { .. } | PipelineOutcome::NoForm => {
            (StageState::Open, html! { p { "Not proved within the time of this study." } })
        }
    };
    let text = html! {
        (text)
        @for position in &line.sent_back { p { strong { "Refuted" } " on the way: " (position) "." }
            }
    };
    [Card::new("Proof", state, text).took(line.proof_seconds), checks(checked)]
}

fn checks(checked: bool) -> Card {
    match checked {
        true => {
            let text = html! { p { "An independent program accepts the certificate." } };
            Card::new("Checked", StageState::Continued, text)
        }
        false => Card::new(
            "Checked",
            StageState::Open,
            html! { p { "There is no certificate to check." } },
        ),
    }
}
