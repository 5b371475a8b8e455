//! Automata for Walnut (its .txt files) and for Graphviz (DOT).
//!
//! The tracks come in the order in which the variables are written in the formula.

use super::UnsupportedExport;
use crate::automatic::acceptor_of;
use crate::decision::{Tuples, TuplesAutomaton};
use bouton_automata::Acceptor;
use bouton_automata::decide::AutomaticRelation;
use bouton_automata::effort::Undecided;
use bouton_automata::numeration::Numeration;
use bouton_core::{DigitSystem, FormulaBuilder, Meter, Node, Relation, Term};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Tracks of an automaton in Walnut's form, which lists every column.
pub const MAX_TRACKS: usize = 12;

/// Returns what Walnut needs to read these digits, for its folder `Custom Bases`: names of files
/// with their texts, of an automaton that accepts numerals and of one that accepts a, b, a + b.
/// None for digits that Walnut knows: to a base, of Zeckendorf, and of Tribonacci.
///
/// # Errors
/// If an automaton is beyond the budget.
pub fn walnut_digits(
    digits: DigitSystem,
    meter: &mut Meter,
) -> Result<Vec<(String, String)>, Undecided> {
    if digits.is_to_base() || matches!(digits.coefficients(), ([1, 1] | [1, 1, 1], [])) {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    for (tracks, ending) in [(1, ""), (3, "_addition")] {
        let names = ["a", "b", "c"].map(String::from).into_iter().take(tracks);
        let builder = FormulaBuilder::over(names);
        let (sum, last) = (Term::Sum((0..tracks - 1).map(Term::Variable).collect()), tracks - 1);
        let said = match tracks {
            1 => Node::Constant(true),
            _ => sum.compared(Relation::Equal, Term::Variable(last)),
        };
        let own = acceptor_of(&builder.build(said), digits, meter)?.with_tracks(tracks);
        let text = own.minimal_on_numerals(meter)?.walnut();
        // What defines digits names their alphabet in the place of them.
        let (names, states) = text.split_once('\n').unwrap_or_default();
        let all: Vec<String> = (0..digits.base()).map(|digit| digit.to_string()).collect();
        let alphabet = vec![format!("{{{}}}", all.join(", ")); tracks].join(" ");
        let name = names.split_whitespace().next().unwrap_or_default();
        files.push((format!("{name}{ending}.txt"), format!("{alphabet}\n{states}")));
    }
    Ok(files)
}

/// Writes Walnut's text: the number system of each track; then each state with its output and its
/// transitions. States from which nothing is accepted are left out, as Walnut does.
pub fn walnut(tuples: &Tuples) -> Result<String, UnsupportedExport> {
    match &tuples.automaton {
        TuplesAutomaton::Bits(relation) => walnut_of_bits(relation),
        TuplesAutomaton::Digits(acceptor) => Ok(acceptor.walnut()),
    }
}

fn walnut_of_bits(relation: &AutomaticRelation) -> Result<String, UnsupportedExport> {
    let (dfa, tracks) = (&relation.dfa, relation.tracks());
    if tracks.len() > MAX_TRACKS {
        return Err(UnsupportedExport::NoWords(
            "Walnut's text",
            "automaton of more than twelve tracks here",
        ));
    }
    let system = match relation.numeration {
        Numeration::Binary => "msd_2",
        Numeration::ZECKENDORF => "msd_fib",
        Numeration::Ostrowski(_) => {
            return Err(UnsupportedExport::NoWords("Walnut's text", "such digits here"));
        }
    };
    let alive = dfa.coaccessible_states();
    let mut text = vec![system; tracks.len()].join(" ");
    text.push('\n');
    for state in (0..dfa.states()).filter(|&state| alive[state] || state == dfa.start()) {
        write!(text, "\n{state} {}\n", u8::from(dfa.accepts(state))).expect("a string takes it");
        for column in 0..1u32 << tracks.len() {
            let digit = |track: usize| column >> (tracks.len() - 1 - track) & 1 == 1;
            let to = dfa.step(state, |v| digit(v as usize));
            if alive[to] {
                let digits: Vec<String> =
                    (0..tracks.len()).map(|track| u8::from(digit(track)).to_string()).collect();
                writeln!(text, "{} -> {to}", digits.join(" ")).expect("a string takes it");
            }
        }
    }
    Ok(text)
}

/// Returns a picture for Graphviz: accepting states doubled, columns as digits one below another,
/// `*` for either bit.
pub fn dot(tuples: &Tuples) -> String {
    let (start, states) = match &tuples.automaton {
        TuplesAutomaton::Bits(relation) => (relation.dfa.start(), states_of_bits(relation)),
        TuplesAutomaton::Digits(acceptor) => (0, states_of_digits(acceptor)),
    };
    let mut text = format!(
        "digraph {{\n  rankdir = LR;\n  label = \"tracks: {}\";\n  node [shape = circle];\n  \
         start [shape = point];\n  start -> {start};\n",
        tuples.names.join(", "),
    );
    for PicturedState { state, accepts, edges } in states {
        let shape = if accepts { "doublecircle" } else { "circle" };
        writeln!(text, "  {state} [shape = {shape}];").expect("a string takes it");
        for (to, columns) in edges {
            writeln!(text, "  {state} -> {to} [label = \"{}\"];", columns.join("\\n"))
                .expect("a string takes it");
        }
    }
    text.push_str("}\n");
    text
}

/// A state from which something is accepted.
struct PicturedState {
    state: usize,
    accepts: bool,
    /// The columns that lead to each such state.
    edges: BTreeMap<usize, Vec<String>>,
}

fn states_of_bits(relation: &AutomaticRelation) -> Vec<PicturedState> {
    let (dfa, tracks) = (&relation.dfa, relation.tracks());
    let alive = dfa.coaccessible_states();
    let pictured = |state| {
        let mut edges: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        dfa.paths(state, &tracks, &mut |column, to| {
            if alive[to] {
                let digit =
                    |digit: &Option<bool>| digit.map_or("*", |one| if one { "1" } else { "0" });
                edges.entry(to).or_default().push(column.iter().map(digit).collect());
            }
        });
        PicturedState { state, accepts: dfa.accepts(state), edges }
    };
    (0..dfa.states()).filter(|&state| alive[state]).map(pictured).collect()
}

fn states_of_digits(acceptor: &Acceptor) -> Vec<PicturedState> {
    let alive = acceptor.coaccessible_states();
    let pictured = |state: usize| {
        let mut edges: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for (column, to) in acceptor.next[state].iter().enumerate() {
            if alive[*to as usize] {
                let digits = acceptor.digits.column_text(column, acceptor.tracks);
                edges.entry(*to as usize).or_default().push(digits);
            }
        }
        PicturedState { state, accepts: acceptor.accepts[state], edges }
    };
    (0..acceptor.next.len()).filter(|&state| alive[state]).map(pictured).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use bouton_automata::Acceptor;
    use bouton_core::Budget;

    /// Numerals are accepted, sums by the adder and nothing else; what Walnut knows needs no file.
    #[test]
    fn digits_are_defined_for_walnut() {
        let meter = &mut Meter::new(&Budget::default());
        let known = [&[2][..], &[7], &[1, 1], &[1, 1, 1]];
        for own in known {
            let digits = DigitSystem::from_coefficients(own, &[]).unwrap();
            assert_eq!(walnut_digits(digits, meter), Ok(Vec::new()));
        }
        for (once, for_ever, name) in [
            (&[2, 2][..], &[][..], "msd_by_2_2"),
            (&[2, 1], &[], "msd_fib3"),
            (&[3], &[2], "msd_by_3_then_2"),
        ] {
            let digits = DigitSystem::from_coefficients(once, for_ever).unwrap();
            let files = walnut_digits(digits, meter).unwrap();
            let [(numerals, all), (sums, adder)] = &files[..] else { panic!("two files") };
            assert_eq!(*numerals, format!("{name}.txt"));
            assert_eq!(*sums, format!("{name}_addition.txt"));
            // The alphabet stands first, as Walnut reads it.
            let read = |text: &str, tracks: usize| {
                let (alphabet, states) = text.split_once('\n').unwrap();
                let all: Vec<String> = (0..digits.base()).map(|d| d.to_string()).collect();
                assert_eq!(alphabet, vec![format!("{{{}}}", all.join(", ")); tracks].join(" "));
                let names = vec![name; tracks].join(" ");
                Acceptor::parse(&format!("{names}\n{states}"), tracks).unwrap()
            };
            let (all, adder) = (read(all, 1), read(adder, 3));
            for x in 0..400 {
                let (a, b) = (x % 20, x / 20);
                assert!(all.holds(&[x]));
                assert!(
                    (0..60).all(|c| adder.holds(&[a, b, c]) == (a + b == c)),
                    "{name}: {a}, {b}"
                );
            }
            let base = digits.base() as u32;
            let rows = (0..base.pow(5)).filter(|code| {
                let read = |state: u32, place: u32| {
                    all.next[state as usize][(code / base.pow(place) % base) as usize]
                };
                all.accepts[(0..5).rev().fold(0, read) as usize]
            });
            assert_eq!(rows.count() as u64, digits.weights().nth(5).unwrap());
        }
    }
}
