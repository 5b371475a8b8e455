//! Results on games played in single heaps, as `bouton period`, `genus` and `quotient --json` print
//! them.

use bouton_core::LimitReached;
use bouton_octal::misere::{Genus, Quotient};
use bouton_octal::proof_word;
use bouton_octal::sequence::search::SearchEnd;
use bouton_octal::sequence::{Period, Sequence};
use serde_json::{Value, json};

/// The greatest length of a period that is listed.
const MAX_LISTED: usize = 240;

/// Returns a period, or that none appeared up to the last heap, and the limit that ended the
/// search.
pub fn period(sequence: &Sequence, found: Option<&Period>, heaps: usize, end: Option<SearchEnd>) -> Value {
    let game = sequence.game();
    let Some(found) = found else {
        let reason = end.map(|end| end.to_string());
        return json!({"game": game, "verdict": "unknown", "to": heaps, "reason": reason});
    };
    // The exceptions are unknown if values are not kept.
    let has_values = found.is_kept(sequence);
    let cycle =
        (found.period <= MAX_LISTED && has_values).then(|| found.cycle(sequence).collect::<Vec<u32>>());
    let exceptions = has_values.then(|| found.exceptions(sequence));
    json!({
        "game": game, "verdict": if found.proof.is_some() { "proved" } else { "holds" },
        "period": found.period, "preperiod": found.preperiod, "saltus": found.saltus, "to": heaps,
        "proof": proof_word(found), "exceptions": exceptions, "cycle": cycle,
    })
}

/// Returns a genus, or the reason why it is not known.
pub fn genus(game: &str, position: &str, found: Result<&Genus, LimitReached>) -> Value {
    match found {
        Ok(genus) => json!({
            "game": game, "position": position, "genus": genus.to_string(),
            "nim_value": genus.nim_value, "misere_nim_value": genus.at(0),
            "misere_outcome": genus.misere_outcome().to_string(), "genus_of_nim": genus.is_of_nim(),
        }),
        Err(spent) => {
            json!({"game": game, "position": position, "verdict": "unknown", "reason": spent.to_string()})
        }
    }
}

/// Returns a sum of heaps as one reads it: `1+1+4`, `0` of none.
pub fn heap_sum(word: &[u32]) -> String {
    let heaps: Vec<String> = word.iter().map(u32::to_string).collect();
    if heaps.is_empty() { "0".into() } else { heaps.join("+") }
}

/// Returns a misère quotient, and the reason why it is incomplete.
pub fn quotient(game: &str, quotient: &Quotient, unknown: Option<String>) -> Value {
    let p: Vec<String> = quotient.p_portion().map(|e| heap_sum(&quotient.words()[e])).collect();
    let images: Vec<String> =
        (1..=quotient.heaps()).map(|heap| heap_sum(&quotient.words()[quotient.image(heap)])).collect();
    json!({
        "game": game, "heaps": quotient.heaps(), "order": quotient.order(),
        "p_portion": p, "elements": quotient.words().iter().map(|word| heap_sum(word)).collect::<Vec<_>>(),
        "images": images, "period": quotient.period().map(|(period, preperiod)| json!([period, preperiod])),
        "reason": unknown,
    })
}
