//! What can be said of games as a whole: periods, genera, quotients, win conditions, proofs, conjectures, studies, formulas.

use super::stream::{Streamed, streamed};
use super::{Answer, Asked, Question, answered, number};
use crate::pages::prove;
use crate::playthrough::play;
use crate::refusal::Refusal;
use crate::work::Works;
use axum::Router;
use axum::extract::State;
use axum::routing::get;
use bouton_logic::{Formula, Limits, MAX_CLAIM_HEAPS, Numeration, decide};
use bouton_rules::{Play, Symmetry};
use bouton_solve::misere::{Genera, Quotient};
use bouton_solve::sequence::period::seek;
use bouton_solve::{Budget, Kind, Meter};
use bouton_study::{Tables, cash_rules, code_of, compare, follow, sequence_of, win_condition};
use serde::Deserialize;
use std::sync::atomic::Ordering;
use std::time::Instant;

pub(super) fn routes() -> Router<Works> {
    Router::new()
        .route("/period", get(period))
        .route("/genus", get(genus))
        .route("/quotient", get(quotient))
        .route("/cash", get(cash))
        .route("/prove", get(proof))
        .route("/logic", get(logic))
        .route("/conjecture", get(conjecture))
        .route("/study/stream", get(study))
}

/// The largest heap where a period is sought, and where it is sought unless told.
const MOST_PERIOD: u32 = 10_000_000;
const PERIOD: u32 = 1_000_000;
/// The same of misère quotients.
const MOST_QUOTIENT: u32 = 1000;
const QUOTIENT: u32 = 50;

async fn period(State(works): State<Works>, question: Asked<Question>) -> Answer {
    let question = question?.0;
    answered(&works, move |budget| {
        let mut sequence = sequence_of(&question.game)?;
        let to = if question.to.is_empty() { PERIOD } else { number(&question.to, "to", MOST_PERIOD)? };
        let (found, spent) = match seek(&mut sequence, to as usize + 1, &mut Meter::new(&budget)) {
            Ok(found) => (found, None),
            Err(spent) => (None, Some(spent)),
        };
        Ok(bouton_report::period(&sequence, found.as_ref(), spent))
    })
    .await
}

async fn genus(State(works): State<Works>, question: Asked<Question>) -> Answer {
    let question = question?.0;
    answered(&works, move |budget| {
        let playthrough = question.playthrough()?;
        let game = &*playthrough.game;
        if game.kind() != Kind::Impartial {
            return Err(Refusal::bad(format!("{} is not impartial: it has no genera", game.name())));
        }
        let mut atlas = game.atlas();
        let node = atlas.read(playthrough.now())?;
        let mut genera = Genera::default();
        let found = genera.in_atlas(&mut *atlas, node, &mut Meter::new(&budget));
        Ok(bouton_report::genus(&game.name(), playthrough.now(), found))
    })
    .await
}

async fn quotient(State(works): State<Works>, question: Asked<Question>) -> Answer {
    let question = question?.0;
    answered(&works, move |budget| {
        let (code, game) = code_of(&question.game)?;
        let to = if question.to.is_empty() { QUOTIENT } else { number(&question.to, "to", MOST_QUOTIENT)? };
        let mut quotient = Quotient::new(code);
        let end = quotient.extend(to, &mut Meter::new(&budget));
        Ok(bouton_report::quotient(&game, &quotient, end.err().map(|error| error.to_string())))
    })
    .await
}

async fn cash(State(works): State<Works>, question: Asked<Question>) -> Answer {
    let question = question?.0;
    answered(&works, move |budget| {
        let rules = cash_rules(&question.game)?;
        let found = win_condition(&rules.set, &mut Meter::new(&budget));
        Ok(bouton_report::condition(&rules, &found.map_err(|error| Refusal::bad(error.to_string()))?))
    })
    .await
}

async fn proof(State(works): State<Works>, guess: Asked<prove::Guess>) -> Answer {
    let guess = guess?.0;
    answered(&works, move |_| {
        let answer = prove::settle(&guess)?;
        Ok(bouton_report::settled(
            &answer.game,
            answer.play,
            &answer.claim,
            &answer.settled,
            answer.seconds,
            None,
        ))
    })
    .await
}

/// A question about a formula.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct Sentence {
    formula: String,
    zeckendorf: String,
}

async fn logic(State(works): State<Works>, sentence: Asked<Sentence>) -> Answer {
    let Sentence { formula: text, zeckendorf } = sentence?.0;
    answered(&works, move |_| {
        if text.len() > prove::LONGEST {
            return Err(Refusal::bad(format!("a formula has at most {} characters", prove::LONGEST)));
        }
        let formula = Formula::parse(&text).map_err(|error| Refusal::formula(&text, error))?;
        let numeration = if zeckendorf == "1" { Numeration::Zeckendorf } else { Numeration::Binary };
        let started = Instant::now();
        let found = decide(&formula, numeration, Limits { steps: prove::STEPS, bytes: prove::BYTES });
        Ok(bouton_report::decision(&text, &found, started.elapsed().as_secs_f64()))
    })
    .await
}

/// Anyone's table.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct Rows {
    table: String,
    symmetry: String,
}

async fn conjecture(State(works): State<Works>, rows: Asked<Rows>) -> Answer {
    let Rows { table, symmetry } = rows?.0;
    answered(&works, move |budget| {
        let symmetry = match symmetry.as_str() {
            "" => None,
            "none" => Some(Symmetry::None),
            "ring" => Some(Symmetry::Ring),
            "full" => Some(Symmetry::Full),
            _ => return Err(Refusal::bad("symmetry: none, ring or full")),
        };
        let started = Instant::now();
        let data = bouton_conjecture::read(&table, symmetry).map_err(|e| Refusal::bad(e.to_string()))?;
        let stopped = || budget.watch.as_ref().is_some_and(|watch| watch.stop.load(Ordering::Relaxed));
        let in_time = || budget.interrupted().is_none();
        let (_, mut value, _) = bouton_report::conjectured(data, &|| in_time() && !stopped());
        value["seconds"] = started.elapsed().as_secs_f64().into();
        Ok(value)
    })
    .await
}

/// The prover is given more than within a page's time.
const MORE: u64 = 20;

/// The line from rules to theorem.
async fn study(State(works): State<Works>, question: Asked<Question>) -> Streamed {
    let question = question?.0;
    let game = bouton_games::parse(&question.game)?.game;
    let stated = game.heap_game().filter(|stated| stated.heaps <= MAX_CLAIM_HEAPS).ok_or_else(|| {
        Refusal::bad(format!(
            "{} is not a game on a fixed, small number of heaps; see /api/period and /api/cash for others",
            game.name()
        ))
    })?;
    let max = match question.max.as_str() {
        "" => None,
        text => Some(number(text, "max", super::MOST_MAX)?),
    };
    let play: Play = play(&question.misere);
    let long = works.limits.long;
    streamed(works, move |budget, tell| {
        // Tables and forms take a third of the time, the last of them as much again, and so does the proof.
        let budget = Budget { deadline: Some(bouton_rules::Deadline::after(long / 3)), ..budget };
        let tables = Tables {
            budget,
            max,
            patience: long / 3,
            limits: Limits { steps: MORE * prove::STEPS, bytes: prove::BYTES },
            ..Tables::new(&*game, &stated, play, tell)
        };
        let line = follow(&tables);
        let mut report = bouton_report::study(&*game, play, &line);
        let compared = compare(&*game, play, &stated, &line);
        let compared = compared.map_err(|error| Refusal::bad(error.to_string()))?;
        report["published"] = compared.iter().map(bouton_report::comparison).collect();
        Ok(report)
    })
    .await
}
