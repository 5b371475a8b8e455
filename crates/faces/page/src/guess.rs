//! A guess at the P-positions, as an address holds it, and what becomes of it.

use crate::playthrough::play;
use crate::request::Request;
use crate::request_error::RequestError;
use crate::site::Site;
use bouton_core::{Budget, Meter, Play};
use bouton_study::{Form, FormError, SettleFormError, Verdict, settle_form};

/// A guess, as in an address.
#[derive(Debug, Clone, Default)]
pub(crate) struct Guess {
    pub game: String,
    pub claim: String,
    /// What holds of boards with fewer heaps, as `3: a=b=c`, several apart by `;`.
    pub smaller: String,
    /// `1`: whoever cannot move wins.
    pub misere: String,
}

impl Guess {
    /// Reads the parameters from a request; those that it lacks are empty.
    pub fn from_request(request: &Request) -> Guess {
        let get = |name| request.get(name).to_owned();
        Guess {
            game: get("game"),
            claim: get("claim"),
            smaller: get("smaller"),
            misere: get("misere"),
        }
    }
}

/// Steps of the automata that a request may take: about a second.
pub(crate) const STEPS: u64 = 3_000_000;
/// Bytes of automata that a request may hold.
pub(crate) const BYTES: u64 = 192 << 20;
/// The longest claim.
pub(crate) const MAX_CLAIM_LENGTH: usize = 2000;

/// The result of a guess.
pub(crate) struct Answer {
    pub game: String,
    pub play: Play,
    pub claim: String,
    pub settled: Verdict,
    pub seconds: f64,
}

impl From<FormError> for RequestError {
    fn from(error: FormError) -> RequestError {
        match error {
            FormError::Formula(text, error) => RequestError::formula(&text, error),
            FormError::NoBoard(_) | FormError::TwoFormulas(_) => {
                RequestError::bad(error.to_string())
            }
        }
    }
}

impl From<SettleFormError> for RequestError {
    fn from(error: SettleFormError) -> RequestError {
        match error {
            SettleFormError::Stated(error) => RequestError::bad(error.to_string()),
            SettleFormError::Form(error) => error.into(),
        }
    }
}

/// Proves or refutes a guess within the budget of a request.
pub(crate) fn settle(site: &Site, guess: &Guess, budget: &Budget) -> Result<Answer, RequestError> {
    if guess.claim.len() + guess.smaller.len() > MAX_CLAIM_LENGTH {
        return Err(RequestError::bad(format!(
            "a claim has at most {MAX_CLAIM_LENGTH} characters"
        )));
    }
    let lines = guess.smaller.split([';', '\n']).map(str::trim).filter(|line| !line.is_empty());
    let board =
        |line: &str| line.parse().map_err(|why| RequestError::bad(format!("{line}: {why}")));
    let form = Form {
        whole: guess.claim.clone(),
        smaller: lines.map(board).collect::<Result<_, _>>()?,
        play: play(&site.catalogue, &guess.game, &guess.misere),
        ..Form::default()
    };
    let named = site.catalogue.parse_alone(&guess.game)?;
    let budget = within(budget);
    let meter = Meter::new(&budget);
    let settled = settle_form(&*named.game, &form, &budget)?;
    let seconds = meter.elapsed().as_secs_f64();
    Ok(Answer { game: named.game.name(), play: form.play, claim: form.whole, settled, seconds })
}

/// Returns what a proof may take of the budget of a request.
pub(crate) fn within(budget: &Budget) -> Budget {
    Budget { nodes: Some(STEPS), bytes: Some(BYTES), ..budget.clone() }
}
