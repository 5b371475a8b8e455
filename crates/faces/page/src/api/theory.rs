//! What can be said of games as a whole: periods, genera, quotients, win conditions, proofs,
//! conjectures, studies, formulas.

use super::{Answer, Json, asked_position, number};
use crate::guess::{self, Guess};
use crate::pages::pipeline::{StagesInProgress, pipeline};
use crate::playthrough::play;
use crate::request::Request;
use crate::request_error::RequestError;
use crate::routes::Progress;
use crate::site::Site;
use bouton_cash::{cash_rules, win_condition};
use bouton_core::{Budget, Meter, Symmetry, WrittenNumber};
use bouton_octal::misere::{Genera, Quotient};
use bouton_octal::sequence::period::{apparent_period, find_period};
use bouton_octal::sequence::search::SearchEnd;
use bouton_octal::sequence_of;
use bouton_prover::{Formula, FormulaDecision, Numeration, decide_formula};
use bouton_report::Format;
use bouton_report::answers::conjecture::Conjectured;
use bouton_report::answers::{OrNull, Seconds};
use bouton_study::{
    Settings, Stage, StudyOption, StudyTarget, StudyTargetError, genus_graph, quotient_code,
};
use serde::Serialize;
use std::cell::RefCell;

/// The largest heap where a period is sought, and where it is sought by default.
const MAX_PERIOD: u32 = 10_000_000;
const PERIOD: u32 = 1_000_000;
/// The same of misère quotients.
const MAX_QUOTIENT: u32 = 1000;
const QUOTIENT: u32 = 50;

fn number_or(request: &Request, default: u32, most: u32) -> Result<u32, RequestError> {
    match request.get("to") {
        "" => Ok(default),
        text => number(text, "to", most),
    }
}

pub(crate) fn period(site: &Site, request: &Request, budget: &Budget) -> Answer {
    let mut sequence = sequence_of(&*site.catalogue.parse_alone(request.get("game"))?.game)?;
    let to = number_or(request, PERIOD, MAX_PERIOD)?;
    let (found, end) = match find_period(&mut sequence, to as usize + 1, &mut Meter::new(budget)) {
        Ok(found) => (found, None),
        Err(spent) => (apparent_period(&sequence), Some(SearchEnd::LimitReached(spent))),
    };
    Ok(Json::new(&bouton_report::period(
        &sequence,
        found.as_ref(),
        sequence.len().saturating_sub(1),
        end,
    )))
}

pub(crate) fn genus(site: &Site, request: &Request, budget: &Budget) -> Answer {
    let playthrough = asked_position(site, request)?;
    let game = &*playthrough.game;
    let mut graph = genus_graph(game)?;
    let node = graph.read(playthrough.now())?;
    let mut genera = Genera::default();
    let found = genera.in_graph(&mut *graph, node, &mut Meter::new(budget));
    Ok(Json::new(&bouton_report::genus(&game.name(), playthrough.now(), found)))
}

pub(crate) fn quotient(site: &Site, request: &Request, budget: &Budget) -> Answer {
    let game = site.catalogue.parse_alone(request.get("game"))?.game;
    let code = quotient_code(&*game)?;
    let to = number_or(request, QUOTIENT, MAX_QUOTIENT)?;
    let mut quotient = Quotient::new(code);
    let end = quotient.extend(to, &mut Meter::new(budget));
    Ok(Json::new(&bouton_report::quotient(
        &game.name(),
        &quotient,
        end.err().map(|error| error.to_string()),
    )))
}

pub(crate) fn cash(_: &Site, request: &Request, budget: &Budget) -> Answer {
    let rules = cash_rules(request.get("game"))?;
    let found = win_condition(&rules.set, &mut Meter::new(budget));
    Ok(Json::new(&bouton_report::condition(
        &rules,
        &found.map_err(|error| RequestError::bad(error.to_string()))?,
    )))
}

pub(crate) fn proof(site: &Site, request: &Request, budget: &Budget) -> Answer {
    let answer = guess::settle(site, &Guess::from_request(request), budget)?;
    let guess::Answer { game, play, claim, settled, seconds, .. } = &answer;
    Ok(Json::new(&bouton_report::proof_verdict(game, *play, claim, settled, *seconds, None)))
}

/// Decides a formula.
pub(crate) fn logic(_: &Site, request: &Request, budget: &Budget) -> Answer {
    let text = request.get("formula");
    if text.len() > guess::MAX_CLAIM_LENGTH {
        return Err(RequestError::bad(format!(
            "a formula has at most {} characters",
            guess::MAX_CLAIM_LENGTH
        )));
    }
    let formula = Formula::parse(text).map_err(|error| RequestError::formula(text, error))?;
    let stated =
        if request.get("zeckendorf") == "1" { Numeration::ZECKENDORF } else { Numeration::Binary };
    let most = match request.get("count") {
        "" => None,
        text => {
            let most = WrittenNumber::whole(text).and_then(|number| number.value());
            Some(most.ok_or_else(|| RequestError::bad("count: a number, as 1000 or 2^30"))?)
        }
    };
    if most.is_some() && formula.is_closed() {
        return Err(RequestError::bad("count: the formula has no free variable"));
    }
    let mut meter = Meter::new(&guess::within(budget));
    let found = decide_formula(&formula, stated, &mut meter);
    let mut answer = bouton_report::decision(text, &found, meter.elapsed().as_secs_f64());
    if let (Some(most), Ok(FormulaDecision::Open(tuples))) = (most, &found) {
        answer.most = Some(most);
        answer.count = Some(OrNull(tuples.count(most, &mut meter).ok().flatten()));
    }
    Ok(Json::new(&answer))
}

/// Returns the symmetry that a request names, if it names one.
pub(crate) fn symmetry(request: &Request) -> Result<Option<Symmetry>, RequestError> {
    Ok(match request.get("symmetry") {
        "" => None,
        "none" => Some(Symmetry::None),
        "ring" => Some(Symmetry::Ring),
        "full" => Some(Symmetry::Full),
        _ => return Err(RequestError::bad("symmetry: none, ring or full")),
    })
}

/// Seeks a form for anyone's table.
pub(crate) fn conjecture(_: &Site, request: &Request, budget: &Budget) -> Answer {
    let symmetry = symmetry(request)?;
    let mut meter = Meter::new(budget);
    let data = bouton_conjecture::read(request.get("table"), symmetry)
        .map_err(|error| RequestError::bad(error.to_string()))?;
    let (_, found, _) = bouton_report::conjectured(data, &mut meter);
    Ok(Json::new(&Conjectured { seconds: Some(Seconds(meter.elapsed().as_secs_f64())), ..found }))
}

/// The prover is given more than within a page's time.
const MORE: u64 = 20;

/// Returns the largest heap of the tables of a study, if it is given.
fn largest(request: &Request) -> Result<Option<u32>, RequestError> {
    let text = request.get("max");
    (!text.is_empty()).then(|| number(text, "max", super::MAX_BOUND)).transpose()
}

impl From<StudyTargetError> for RequestError {
    fn from(error: StudyTargetError) -> RequestError {
        match error {
            StudyTargetError::Notation(error) => error.into(),
            other => RequestError::bad(other.to_string()),
        }
    }
}

/// Reads what is to be studied, and how.
fn studied<'s>(
    site: &'s Site,
    request: &Request,
) -> Result<(StudyTarget, Settings<'s>), RequestError> {
    let parse = |text: &str| site.catalogue.parse(text);
    let game = request.get("game");
    let play = play(&site.catalogue, game, request.get("misere"));
    let subject = StudyTarget::read(game, false, play, parse)?;
    let max = largest(request)?;
    if max.is_some() {
        let refused = |why: String| RequestError::bad(format!("max for {}: {why}", subject.name()));
        subject.supports(StudyOption::Max).map_err(|why| refused(why.to_string()))?;
    }
    let proof = Some([MORE * guess::STEPS, guess::BYTES]);
    Ok((
        subject,
        Settings {
            max,
            proof,
            published: &bouton_literature::published,
            theorems: Some(&site.theorems),
            ..Settings::default()
        },
    ))
}

/// Finds what is wrong with a question for a study, before any work.
pub(crate) fn study_refused(site: &Site, request: &Request) -> Result<(), RequestError> {
    studied(site, request).map(|_| ())
}

/// Returns the study of a game as a part of a page, the certificate of its theorem, if there is
/// one, and the report as files.
pub(crate) fn article(
    site: &Site,
    request: &Request,
    budget: &Budget,
    tell: &dyn Fn(Progress<'_>),
) -> Result<Article, RequestError> {
    let (subject, settings) = studied(site, request)?;
    let live = RefCell::new(StagesInProgress::default());
    let reached = |stage: Stage<'_>| {
        let mut live = live.borrow_mut();
        live.hear(stage);
        tell(Progress::Stages(&live.stages().into_string()));
    };
    let settings = Settings { reached: &reached, ..settings };
    let found =
        bouton_study::study(&subject, settings, budget, &|what| tell(Progress::Doing(what)));
    let found = found.map_err(|error| RequestError::bad(error.to_string()))?;
    let stages = pipeline(&found);
    Ok(Article {
        html: format!("{}{}", stages.into_string(), bouton_report::article(&found)),
        certificate: found.certificate().map(|certificate| certificate.as_str().to_owned()),
        report: Reports {
            html: bouton_report::bare_report(&found),
            tex: bouton_report::report(&found, Format::Latex),
        },
    })
}

/// What the page of a study takes from its stream.
#[derive(Serialize)]
pub(crate) struct Article {
    /// The study as a part of a page.
    pub html: String,
    /// The certificate of its theorem, if there is one.
    pub certificate: Option<String>,
    report: Reports,
}

/// The report as files.
#[derive(Serialize)]
struct Reports {
    html: String,
    tex: String,
}

/// Studies a game; `tell` is called with each step of the work.
pub(crate) fn study(
    site: &Site,
    request: &Request,
    budget: &Budget,
    tell: &dyn Fn(Progress<'_>),
) -> Answer {
    let (subject, settings) = studied(site, request)?;
    let found =
        bouton_study::study(&subject, settings, budget, &|what| tell(Progress::Doing(what)));
    let found = found.map_err(|error| RequestError::bad(error.to_string()))?;
    Ok(Json::new(&bouton_report::study(&found)))
}
