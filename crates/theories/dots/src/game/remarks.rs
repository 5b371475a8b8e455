//! Remarks on a position of Dots and Boxes: captures, chains, safe moves, the long-chain rule,
//! Nimstring, loony moves.
//!
//! Source: E. R. Berlekamp, *The Dots and Boxes Game* (2000); *Winning Ways*, ch. 16.

use super::{Dots, Lines};
use crate::{Analyzer, Chain, NimstringValue, Structure};
use bouton_core::{LimitReached, Meter, Nimber, Notation, Ruleset, number_with_noun};
use bouton_engine::game::{Evaluation, Remark};
use std::ops::ControlFlow::Continue;

/// The node budget of values in Nimstring.
const MAX_NODES: u64 = 1_000_000;

/// Returns all remarks.
pub(super) fn structure_remarks(
    rules: &Dots,
    p: &Lines,
    analyst: &mut Analyzer,
    found: &Evaluation,
    meter: &mut Meter,
) -> Vec<Remark> {
    let structure = analyst.structure(p.0 as u64);
    let mut all = Vec::new();
    let mut say = |about, text: String| all.push(Remark { about, text });
    if structure.captures > 0 {
        let taken = number_with_noun(structure.captures, "box");
        say(
            "captures",
            match structure.deal {
                0 => format!("{taken} can be closed"),
                deal => format!(
                    "{taken} can be closed, or the last {deal} left to the other together with \
                     the move"
                ),
            },
        );
    }
    if !structure.chains.is_empty() {
        let chains: Vec<String> =
            structure.chains.iter().map(|chain| chain_text(rules, chain)).collect();
        say("chains and loops", chains.join("; "));
    }
    let safe: Vec<String> = lines(structure.safe).map(|line| rules.line_text(line)).collect();
    say(
        "safe moves",
        if safe.is_empty() { "none".into() } else { format!("{}: {}", safe.len(), safe.join(" ")) },
    );
    let mut share = meter.fork(MAX_NODES);
    let nimstring = nimstring(rules, p, analyst, &mut share);
    meter.join(&share);
    say("long-chain rule", long_chain_rule(&structure));
    match nimstring {
        Ok(found_there) => {
            let wins = found_there.nimstring_value != NimstringValue::Nimber(Nimber(0));
            say("Nimstring", found_there.text());
            if !found_there.loony.is_empty() {
                say("loony moves", found_there.loony.join(" "));
            }
            say("control", control(wins, found));
        }
        Err(end) => say("Nimstring", format!("unknown ({end})")),
    }
    all
}

fn lines(set: u64) -> impl Iterator<Item = usize> {
    (0..64).filter(move |line| set >> line & 1 == 1)
}

/// Describes a chain: `long chain of 3: (1,1) (1,2) (2,2), to a joint`.
fn chain_text(rules: &Dots, chain: &Chain) -> String {
    let place = |b: &u32| {
        format!("({},{})", *b as usize / rules.columns + 1, *b as usize % rules.columns + 1)
    };
    let boxes: Vec<String> = chain.boxes.iter().map(place).collect();
    let kind = match (chain.is_loop, chain.is_long()) {
        (true, _) => "loop",
        (false, true) => "long chain",
        (false, false) => "chain",
    };
    let joined = if chain.is_independent { "" } else { ", joined to others" };
    format!("{kind} of {}: {}{joined}", boxes.len(), boxes.join(" "))
}

fn long_chain_rule(structure: &Structure) -> String {
    let wanted = if structure.wants_odd { "an odd" } else { "an even" };
    let now = structure.long_chains();
    let are = if now == 1 { "is" } else { "are" };
    let whom = if structure.suits_mover() { "that player" } else { "the other" };
    let chains = number_with_noun(now, "long chain");
    format!(
        "the player to move wants {wanted} number of long chains; there {are} {chains} now, which \
         suits {whom}"
    )
}

/// The values of moves in Nimstring.
struct NimstringMoves {
    nimstring_value: NimstringValue,
    /// The moves to *0, which win Nimstring.
    winning: Vec<String>,
    loony: Vec<String>,
}

impl NimstringMoves {
    fn text(&self) -> String {
        match (self.nimstring_value, self.winning.is_empty()) {
            (NimstringValue::Loony, _) => {
                "loony: the player to move wins it, by all captures or all but the last".into()
            }
            (NimstringValue::Nimber(Nimber(0)), _) => "*0: the player to move loses it".into(),
            (NimstringValue::Nimber(value), true) => {
                format!("{value}: the player to move wins it, after the captures")
            }
            (NimstringValue::Nimber(value), false) => {
                format!("{value}: the player to move wins it, by {}", self.winning.join(" "))
            }
        }
    }
}

fn nimstring(
    rules: &Dots,
    p: &Lines,
    analyst: &mut Analyzer,
    meter: &mut Meter,
) -> Result<NimstringMoves, LimitReached> {
    let mut found = NimstringMoves {
        nimstring_value: analyst.nimstring_value(p.0 as u64, meter)?,
        winning: Vec::new(),
        loony: Vec::new(),
    };
    let mut end = Ok(());
    let _ = rules.options(p, |option| {
        let closes = rules.closed(&option) > rules.closed(p);
        match analyst.nimstring_value(option.0 as u64, meter) {
            // A player who closes a box moves again: the value is his own.
            Ok(_) if closes => {}
            Ok(NimstringValue::Loony) => found.loony.push(rules.move_text(p, &option).to_string()),
            Ok(NimstringValue::Nimber(Nimber(0))) => {
                found.winning.push(rules.move_text(p, &option).to_string())
            }
            Ok(NimstringValue::Nimber(_)) => {}
            Err(limit) => end = Err(limit),
        }
        Continue::<()>(())
    });
    end.map(|()| found)
}

/// Describes which player is in control, and whether control decides the boxes.
fn control(wins: bool, found: &Evaluation) -> String {
    let player = if wins { "the player to move" } else { "the other" };
    let so = match found.margin_bounds() {
        Some((1.., _)) if wins => "and wins on boxes too",
        Some((_, ..=-1)) if !wins => "and wins on boxes too",
        Some((1.., _) | (_, ..=-1)) => "but loses on boxes: the rule is wrong here",
        Some((0, 0)) => "but the boxes are even: the rule does not decide here",
        _ => "which nearly always decides; the boxes are not known here",
    };
    format!("{player} can have the last word, {so}")
}
