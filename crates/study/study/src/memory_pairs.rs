//! Pairs of sequences in games on two heaps that remember something.
//!
//! The P-positions in which nothing is remembered are pairs. The other P-positions are these pairs
//! with the remembered number added to a heap or subtracted from it, under a condition on a flag.
//! The pairs are fitted to the positions in which nothing is remembered, and all such shifts of
//! them are compared with the table. Shifts that contain an N-position are dropped; of the rest,
//! the fewest that contain every P-position are chosen.

use crate::tables::{Tables, letters};
use bouton_conjecture::{Images, OutcomeTable, Pairs, pairs};
use bouton_core::{Formula, Node, Play, Symmetry};

/// Remembered numbers at most, and values of one that a case may ask for.
const REMEMBERED: usize = 2;
const FLAGS: u64 = 3;
/// Most cases of a form, and the fewest positions that a case adds.
const CASES: usize = 8;
const FEWEST: usize = 4;

/// The pairs in one order, each heap with what is added of the remembered numbers, where these have
/// some values.
struct Case {
    /// Which heap is the lesser one.
    lesser: usize,
    /// What is added to the lesser heap and to the other one, by remembered number.
    added: [Vec<i64>; 2],
    /// The values asked for.
    given: Vec<Option<u64>>,
}

impl Case {
    /// Returns how much it says.
    fn cost(&self) -> usize {
        let added = self.added.iter().flatten().filter(|c| **c != 0).count();
        added + self.given.iter().flatten().count()
    }

    fn text(&self, pairs: &Pairs) -> Option<String> {
        let names = letters(2 + self.given.len());
        let side = |which: usize| {
            let heap = if which == 0 { self.lesser } else { 1 - self.lesser };
            let remembered = self.added[which].iter().zip(&names[2..]).filter(|(c, _)| **c != 0);
            let mut sum = vec![(1, names[heap].as_str())];
            sum.extend(remembered.map(|(c, name)| (*c, name.as_str())));
            sum
        };
        let said = pairs.text_of([&side(0), &side(1)]).ok()?;
        let asked = self.given.iter().zip(&names[2..]);
        let asked: Vec<String> = asked
            .filter_map(|(value, name)| value.map(|value| format!("{name} = {value}")))
            .collect();
        Some(if asked.is_empty() { said } else { format!("{} & ({said})", asked.join(" & ")) })
    }
}

/// Returns all lists of this many of these values.
fn rows<T: Copy>(values: &[T], length: usize) -> Vec<Vec<T>> {
    (0..length).fold(vec![Vec::new()], |all: Vec<Vec<T>>, _| {
        all.iter()
            .flat_map(|row| values.iter().map(|value| [&row[..], &[*value]].concat()))
            .collect()
    })
}

/// Returns whether such a form may be sought in a table, or in a larger one: in normal play, where
/// the P-positions in which nothing is remembered are no more than pairs would be.
pub(crate) fn applies(tables: &Tables<'_>, table: &OutcomeTable) -> bool {
    let remembered = tables.stated.moves.memory.count;
    let is_asked = tables.play == Play::Normal
        && table.heaps() == 2 + remembered
        && (1..=REMEMBERED).contains(&remembered)
        && table.least() == 0
        && *table.images() != Images::Ascending;
    is_asked
        && (FEWEST..=2 * (table.most() as usize + 1)).contains(&nothing_remembered(table).len())
}

/// Returns the heaps of the P-positions in which nothing is remembered.
fn nothing_remembered(table: &OutcomeTable) -> Vec<[u64; 2]> {
    let is_nothing = |p: &&[u16]| p[2..].iter().all(|number| *number == 0);
    table.p_positions().filter(is_nothing).map(|p| [p[0].into(), p[1].into()]).collect()
}

/// Returns the form of a table as pairs of sequences, shifted by what is remembered; `None` if it
/// is none.
pub(crate) fn shifted_pairs(tables: &Tables<'_>, table: &OutcomeTable) -> Option<String> {
    let nothing = nothing_remembered(table);
    let images = Images::from_symmetry(Symmetry::Full, 2);
    let slice =
        OutcomeTable::new(2, 0, table.most(), images, nothing.iter().map(|p| &p[..])).ok()?;
    let found = pairs(&slice).filter(|found| matches!(found, Pairs::Shifted { .. }))?;
    let mut cases = sound(tables, table, &found)?;
    let mut missed = vec![true; table.count()];
    let mut texts = Vec::new();
    while missed.contains(&true) {
        if texts.len() == CASES {
            return None;
        }
        let gain = |positions: &[usize]| positions.iter().filter(|p| missed[**p]).count();
        let best = (0..cases.len()).max_by_key(|at| {
            let (case, positions) = &cases[*at];
            (gain(positions), std::cmp::Reverse(case.cost()))
        })?;
        let (case, positions) = cases.swap_remove(best);
        if gain(&positions) < FEWEST {
            return None;
        }
        positions.into_iter().for_each(|p| missed[p] = false);
        texts.push(case.text(&found)?);
    }
    Some(each_once(&texts.join(" | "), table.heaps()))
}

/// Returns a formula over this many letters without alternatives that say what an earlier one says,
/// with its parts in another order: pairs in both orders begin with two empty heaps.
fn each_once(text: &str, heaps: usize) -> String {
    let Ok(formula) = Formula::parse_over(text, &letters(heaps)) else { return text.to_owned() };
    let Node::Or(alternatives) = &formula.root else { return text.to_owned() };
    let text_of = |node: &Node| Formula { root: node.clone(), ..formula.clone() }.to_string();
    let parts_of = |node: &Node| -> Vec<String> {
        let mut parts: Vec<String> = match node {
            Node::And(parts) => parts.iter().map(text_of).collect(),
            node => vec![text_of(node)],
        };
        parts.sort();
        parts
    };
    let mut known: Vec<Vec<String>> = Vec::new();
    let mut kept = Vec::new();
    for alternative in alternatives {
        let parts = parts_of(alternative);
        if !known.contains(&parts) {
            known.push(parts);
            kept.push(alternative.clone());
        }
    }
    text_of(&Node::any(kept))
}

/// Returns the cases that contain no N-position of the table, with the numbers of those that they
/// contain; `None` if the time is up.
fn sound(
    tables: &Tables<'_>,
    table: &OutcomeTable,
    found: &Pairs,
) -> Option<Vec<(Case, Vec<usize>)>> {
    let (most, domain) = (table.most() as i64, tables.stated.moves.domain.as_ref());
    let remembered = table.heaps() - 2;
    let points: Vec<&[u16]> = table.p_positions().collect();
    let tops: Vec<i64> = (0..remembered)
        .map(|place| {
            domain
                .and_then(|domain| domain.most[2 + place])
                .map_or(most, |top| most.min(top.into()))
        })
        .collect();
    let values: Vec<Vec<i64>> = tops.iter().fold(vec![Vec::new()], |all, top| {
        all.iter()
            .flat_map(|row| (0..=*top).map(move |value| [&row[..], &[value]].concat()))
            .collect()
    });
    let all_pairs = found.up_to(most * (1 + remembered as i64));
    let flags: Vec<Option<u64>> = std::iter::once(None).chain((0..FLAGS).map(Some)).collect();
    let givens = rows(&flags, remembered);
    let meets = |given: &[Option<u64>], row: &[i64]| {
        given.iter().zip(row).all(|(asked, value)| asked.is_none_or(|asked| asked as i64 == *value))
    };
    let sums = |coefficients: &[i64], row: &[i64]| -> i64 {
        coefficients.iter().zip(row).map(|(c, value)| c * value).sum()
    };
    let mut all = Vec::new();
    for added in rows(&[0, -1, 1], 2 * remembered) {
        if tables.budget.interrupted().is_some() {
            return None;
        }
        let (one, other) = added.split_at(remembered);
        for lesser in [0, 1] {
            let mut open: Vec<Option<Vec<usize>>> = vec![Some(Vec::new()); givens.len()];
            for row in &values {
                let meeting: Vec<usize> =
                    (0..givens.len()).filter(|at| meets(&givens[*at], row)).collect();
                for [a, b] in &all_pairs {
                    let mut heaps = [a - sums(one, row), b - sums(other, row)];
                    if lesser == 1 {
                        heaps.swap(0, 1);
                    }
                    if heaps.iter().any(|heap| !(0..=most).contains(heap))
                        || meeting.iter().all(|at| open[*at].is_none())
                    {
                        continue;
                    }
                    let p = [&heaps[..], row].concat();
                    if table.is_p(&p) {
                        let narrow: Vec<u16> = p.iter().map(|number| *number as u16).collect();
                        let at = points.binary_search(&&narrow[..]).ok()?;
                        for case in &meeting {
                            if let Some(own) = &mut open[*case] {
                                own.push(at);
                            }
                        }
                        continue;
                    }
                    let wide: Vec<u64> = p.iter().map(|number| *number as u64).collect();
                    if domain.is_none_or(|domain| domain.contains(&wide)) {
                        meeting.iter().for_each(|case| open[*case] = None);
                    }
                }
            }
            for (given, positions) in givens.iter().zip(open) {
                if let Some(positions) = positions.filter(|positions| positions.len() >= FEWEST) {
                    let added = [one.to_vec(), other.to_vec()];
                    all.push((Case { lesser, added, given: given.clone() }, positions));
                }
            }
        }
    }
    Some(all)
}
