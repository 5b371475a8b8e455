//! Guess, then prove: a form of the P-positions, proved for all heap sizes or refuted by a position to look at.

use super::{Page, frame, slip};
use crate::refusal::Refusal;
use crate::seat::encoded;
use crate::work::Works;
use axum::extract::{Query, State};
use axum::response::IntoResponse;
use bouton_logic::{Claim, HeapGame, Limits, Verdict, prove};
use maud::html;
use serde::Deserialize;
use std::time::Instant;

/// A guess, as in an address.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Guess {
    pub game: String,
    pub claim: String,
}

/// Steps of the automata that a request may take: about a second.
const STEPS: u64 = 3_000_000;
/// Bytes of automata that a request may hold.
const BYTES: usize = 192 << 20;
/// The longest claim.
const LONGEST: usize = 2000;

/// What became of a guess.
pub(crate) struct Settled {
    pub game: String,
    pub claim: String,
    pub verdict: Verdict,
    pub seconds: f64,
}

/// Proves or refutes a guess within the limits of a request.
pub(crate) fn settle(guess: &Guess) -> Result<Settled, Refusal> {
    let named = bouton_games::parse(&guess.game)?;
    let name = named.game.name();
    let stated = named.game.heap_game().ok_or_else(|| {
        Refusal::bad(format!(
            "{name} is no game on a fixed number of heaps whose moves are stated as a formula"
        ))
    })?;
    let (game, numeration) =
        HeapGame::of(&stated).map_err(|error| Refusal::bad(format!("{name}: {error}")))?;
    if guess.claim.len() > LONGEST {
        return Err(Refusal::bad(format!("a claim has at most {LONGEST} characters")));
    }
    let last = game.boards.len() - 1;
    let mut claims = Vec::new();
    for (board, rules) in game.boards.iter().enumerate() {
        // Of positions with fewer heaps only the empty one is claimed, as on the command line.
        let text = match (board == last, rules.heaps) {
            (true, _) => guess.claim.as_str(),
            (false, 0) => "true",
            (false, _) => "false",
        };
        claims.push(Claim::parse(text, rules.heaps).map_err(|error| Refusal::formula(text, error))?);
    }
    let started = Instant::now();
    let verdict = prove(&game, &claims, numeration, Limits { steps: STEPS, bytes: BYTES });
    Ok(Settled { game: name, claim: guess.claim.clone(), verdict, seconds: started.elapsed().as_secs_f64() })
}

const EXAMPLES: &[(&str, &str)] = &[
    ("nim(4)", "xor = 0"),
    ("wythoff", "a = b"),
    ("CN(4,2)", "a = c & b = d"),
    ("CN(5,3)", "a = 0 & b = e & b = c+d"),
    ("CN(6,3)", "a+b = d+e & b+c = e+f"),
];

pub(crate) async fn page(State(works): State<Works>, Query(guess): Query<Guess>) -> Page {
    let settled = if guess.claim.is_empty() {
        None
    } else {
        let guess = guess.clone();
        Some(works.run(move |_| Ok(settle(&guess))).await?)
    };
    let body = html! {
        h1 { "Guess, then prove" }
        p { "Look at " a href="/table" { "tables" } ", guess which positions are P, and say so as a formula over the heaps a, b, c, …, meant up to the game’s symmetry. It is proved for all heap sizes, or you get the least position that shows it wrong." }
        form.line action="/prove" method="get" {
            label { "Game " input name="game" value=(if guess.game.is_empty() { "CN(4,2)" } else { &guess.game }) required; }
            label.long { "P exactly if " input #claim name="claim" value=(guess.claim) autocomplete="off" required; }
            button { "Prove" }
        }
        div #result role="status" aria-live="polite" {
            @match &settled {
                None => {}
                Some(Err(refusal)) => (slip(refusal)),
                Some(Ok(Settled { game, claim, verdict, seconds })) => @match verdict {
                    Verdict::Proved(proof) => {
                        p { strong { "Proved" } " for all heap sizes: " (game) " is P exactly if " code { (claim) } ", up to symmetry." }
                        p { (proof.cases) " cases, " (proof.sets()) " sets of possibilities, " (format!("{seconds:.2}")) " s. The command: " code { "bouton prove '" (game) "' --claim '" (claim) "'" } }
                    }
                    Verdict::Refuted(found) => {
                        @let at: Vec<String> = found.position.iter().map(u64::to_string).collect();
                        p { strong { "Refuted." } " " @if found.least { "The least counterexample: " } @else { "A counterexample: " } (found) "." }
                        p { a.button href={ "/play?game=" (encoded(game)) "&at=" (encoded(&at.join(","))) } { "Set " (at.join(",")) " on the board" } }
                    }
                    Verdict::Unknown(reason) => p { strong { "Unknown." } " " (reason) ". On the command line it may take as long as you let it: " code { "bouton prove '" (game) "' --claim '" (claim) "'" } },
                },
            }
        }
        h2 { "Examples" }
        ul { @for (game, claim) in EXAMPLES { li { a href={ "/prove?game=" (encoded(game)) "&claim=" (encoded(claim)) } { (game) ": " (claim) } } } }
        p { "Formulas: " code { "+ - = != < <= > >= & | ! ->" } ", " code { "min max xor" } " of all heaps, numbers, " code { "mod" } "." }
    };
    Ok(frame("Guess, then prove", body).into_response())
}
