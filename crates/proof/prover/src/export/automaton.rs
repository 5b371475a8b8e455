//! Automata for Walnut (its .txt files) and for Graphviz (DOT).
//!
//! The tracks come in the order in which the variables are written in the formula.

use super::UnsupportedExport;
use bouton_automata::decide::AutomaticRelation;
use bouton_automata::numeration::Numeration;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Tracks of an automaton in Walnut's form, which lists every column.
pub const MAX_TRACKS: usize = 12;

/// Writes Walnut's text: the number system of each track; then each state with its output and its
/// transitions. States States from which nothing is accepted are left out, as Walnut does.
pub fn walnut(relation: &AutomaticRelation) -> Result<String, UnsupportedExport> {
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
/// `*` for either.
pub fn dot(relation: &AutomaticRelation) -> String {
    let (dfa, tracks) = (&relation.dfa, relation.tracks());
    let alive = dfa.coaccessible_states();
    let mut text = format!(
        "digraph {{\n  rankdir = LR;\n  label = \"tracks: {}\";\n  node [shape = circle];\n  \
         start [shape = point];\n  start -> {};\n",
        relation.names.join(", "),
        dfa.start()
    );
    for state in (0..dfa.states()).filter(|&state| alive[state]) {
        let shape = if dfa.accepts(state) { "doublecircle" } else { "circle" };
        writeln!(text, "  {state} [shape = {shape}];").expect("a string takes it");
        let mut edges: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        dfa.paths(state, &tracks, &mut |column, to| {
            let digit = |digit: &Option<bool>| digit.map_or("*", |one| if one { "1" } else { "0" });
            edges.entry(to).or_default().push(column.iter().map(digit).collect());
        });
        for (to, columns) in edges.into_iter().filter(|(to, _)| alive[*to]) {
            writeln!(text, "  {state} -> {to} [label = \"{}\"];", columns.join("\\n"))
                .expect("a string takes it");
        }
    }
    text.push_str("}\n");
    text
}
