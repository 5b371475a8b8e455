//! A form of the P-positions for one position: condition by condition with its numbers, and on a
//! circle as arcs over the heaps whose sums are equal.

use super::why::filled;
use bouton_core::{Formula, Node, Relation, Term};
use bouton_engine::Move;
use maud::{Markup, html};

/// Longer forms are folded away.
const MAX_UNFOLDED_LENGTH: usize = 160;
/// Conditions shown at most.
const MAX_CONDITIONS: usize = 12;
/// Heaps of a circle that is drawn, at most.
const RING: usize = 12;

/// The case of a form that holds, or of which the most conditions hold, with the image of the
/// position that it is about.
struct Nearest {
    heaps: Vec<u64>,
    /// Each condition, and whether it holds.
    conditions: Vec<(Node, bool)>,
    cases: usize,
}

impl Nearest {
    fn holds(&self) -> bool {
        self.conditions.iter().all(|(_, holds)| *holds)
    }
}

fn conditions(node: &Node) -> Vec<Node> {
    match node {
        Node::And(parts) => parts.clone(),
        other => vec![other.clone()],
    }
}

fn nearest(formula: &Formula, images: &[Vec<u64>]) -> Option<Nearest> {
    let cases: Vec<Vec<Node>> = match &formula.root {
        Node::Or(parts) => parts.iter().map(conditions).collect(),
        other => vec![conditions(other)],
    };
    let holds = |node: &Node, heaps: &[u64]| {
        Formula { root: node.clone(), ..formula.clone() }.holds(heaps).ok() == Some(true)
    };
    let mut best: Option<(f64, Nearest)> = None;
    for case in &cases {
        for heaps in images {
            let judged: Vec<(Node, bool)> =
                case.iter().map(|node| (node.clone(), holds(node, heaps))).collect();
            let share = judged.iter().filter(|(_, holds)| *holds).count() as f64
                / judged.len().max(1) as f64;
            if best.as_ref().is_none_or(|(most, _)| share > *most) {
                let found =
                    Nearest { heaps: heaps.clone(), conditions: judged, cases: cases.len() };
                if share == 1.0 {
                    return Some(found);
                }
                best = Some((share, found));
            }
        }
    }
    best.map(|(_, found)| found)
}

/// A published form of the P-positions of a game on heaps.
pub(super) struct Published<'p> {
    /// The form in words.
    pub statement: &'p str,
    pub form: &'p str,
    pub formula: &'p Formula,
    /// Whether the heaps stand on a circle.
    pub ring: bool,
    /// Where it was published, and where it is proved.
    pub source: Markup,
}

impl Published<'_> {
    /// Returns the form and each of its conditions for a position with these images; first, if
    /// there is a move to a position of which it holds, for that one.
    pub(super) fn markup(
        &self,
        images: &[Vec<u64>],
        after: Option<(&Move, Vec<Vec<u64>>)>,
    ) -> Markup {
        let Some(found) = nearest(self.formula, images) else { return html! {} };
        let after = after
            .and_then(|(made, left)| Some((made, nearest(self.formula, &left)?, left)))
            .filter(|(_, after, _)| after.holds());
        html! {
            section.story {
                h2 { "What to leave to the other" }
                p { (self.statement) }
                @if self.form.len() <= MAX_UNFOLDED_LENGTH {
                    p { "P exactly if, up to symmetry, " code { (self.form) }
                        " (" (self.source) ")." }
                } @else {
                    details { summary { "P exactly if one of " (found.cases)
                        " cases holds, up to symmetry" } p { code { (self.form) }
                            " (" (self.source) ")." } }
                }
                @if let Some((made, after, left)) = &after {
                    p { "Play " strong { (made.text) } ", which leaves " code { (made.to) } "." }
                    (self.filled(after, left))
                    details { summary { "Here it does not hold" } (self.filled(&found, images)) }
                } @else {
                    (self.filled(&found, images))
                }
            }
        }
    }

    /// Returns what becomes of each condition, and on a circle the arcs whose sums are compared.
    fn filled(&self, found: &Nearest, images: &[Vec<u64>]) -> Markup {
        let letters = &self.formula.names[..self.formula.free];
        let numbers: Vec<(String, u64)> =
            letters.iter().cloned().zip(found.heaps.iter().copied()).collect();
        let turned = images.first() != Some(&found.heaps);
        let text = |node: &Node| Formula { root: node.clone(), ..self.formula.clone() }.to_string();
        html! {
            p {
                @if found.cases > 1 {
                    @if found.holds() { "One of the " (found.cases) " cases holds here: P." }
                        @else { "None of the " (found.cases)
                            " cases holds here: N. This one comes nearest." }
                } @else if found.holds() { "All of it holds here: P." }
                    @else { "It does not hold here" @if images.len() > 1 {
                        ", in whichever symmetric order the heaps are read" } ": N." }
                @if turned { " The heaps are turned so that it can be read off." }
            }
            div.pair {
                @if self.ring && (3..=RING).contains(&found.heaps.len()) {
                    (circle(letters, &found.heaps, &found.conditions)) }
                @if found.conditions.len() <= MAX_CONDITIONS {
                    table.conditions {
                        caption { @for (i, (letter, heap)) in numbers.iter().enumerate() {
                            @if i > 0 { ", " } (letter) " = " (heap) } }
                        thead { tr { th scope="col" { "condition" } th scope="col" { "here" }
                            th scope="col" { "holds?" } } }
                        tbody {
                            @for (node, holds) in &found.conditions {
                                tr { td { code { (text(node)) } }
                                    td { code { (filled(&text(node), &numbers)) } }
                                        td { @if *holds { span.good { "yes" } }
                                            @else { span.bad { "no" } } } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Returns the heaps that a side of an equation sums, if it is a plain sum of some of them.
fn summed(term: &Term) -> Option<Vec<usize>> {
    match term {
        Term::Variable(heap) => Some(vec![*heap]),
        Term::Sum(parts) => parts
            .iter()
            .map(|part| if let Term::Variable(heap) = part { Some(*heap) } else { None })
            .collect(),
        _ => None,
    }
}

/// Returns where the heaps begin and how many they are, if they stand side by side on a circle of
/// `n`.
fn run(heaps: &[usize], n: usize) -> Option<(usize, usize)> {
    let stands = |h: usize| heaps.contains(&(h % n));
    let begin = *heaps.iter().find(|h| !stands(**h + n - 1))?;
    (heaps.len() < n && (0..heaps.len()).all(|i| stands(begin + i))).then_some((begin, heaps.len()))
}

/// Draws the circle with arcs over the heaps that an equation sums: one ring of arcs an equation,
/// its sums beside them.
fn circle(letters: &[String], heaps: &[u64], conditions: &[(Node, bool)]) -> Markup {
    const RADIUS: f64 = 78.0;
    const FIRST: f64 = 112.0;
    const APART: f64 = 22.0;
    let n = heaps.len();
    let angle = |place: f64| std::f64::consts::TAU * place / n as f64 - std::f64::consts::FRAC_PI_2;
    let at = |place: f64, radius: f64| {
        let (sine, cosine) = angle(place).sin_cos();
        (radius * cosine, radius * sine)
    };
    let mut arcs = Vec::new();
    let mut rings = 0;
    for (node, holds) in conditions {
        let Node::Compare(left, Relation::Equal, right) = node else { continue };
        let sides: Option<Vec<_>> =
            [left, right].into_iter().map(|side| run(&summed(side)?, n)).collect();
        let Some(sides) = sides.filter(|_| rings < 4) else { continue };
        let radius = FIRST + APART * f64::from(rings);
        for (begin, count) in sides {
            let sum: u64 = (0..count).map(|i| heaps[(begin + i) % n]).sum();
            let (from, to) = (begin as f64 - 0.3, (begin + count) as f64 - 0.7);
            let ((x, y), (u, v)) = (at(from, radius), at(to, radius));
            let large = u8::from((to - from) / n as f64 > 0.5);
            let path = format!("M{x:.1} {y:.1}A{radius:.1} {radius:.1} 0 {large} 1 {u:.1} {v:.1}");
            let (tx, ty) = at((from + to) / 2.0, radius + 9.0);
            arcs.push((rings, *holds, path, sum, tx, ty + 4.0));
        }
        rings += 1;
    }
    let half = FIRST + APART * f64::from(rings.max(1));
    let said: Vec<String> =
        letters.iter().zip(heaps).map(|(letter, heap)| format!("{letter} = {heap}")).collect();
    html! {
        svg.circle role="img" aria-label={ "The heaps on the circle, clockwise: " (said.join(", "))
            ". Arcs join the heaps whose sums are compared." }
                viewBox=(format!("{0} {0} {1} {1}", -half, 2.0 * half)) width=(2.0 * half)
                    height=(2.0 * half) {
            @for (ring, holds, path, sum, x, y) in &arcs {
                path.{ "ring" (ring) }.fails[!holds] d=(path) {}
                text.{ "ring" (ring) } x=(format!("{x:.1}")) y=(format!("{y:.1}")) { (sum) }
            }
            @for (i, (letter, heap)) in letters.iter().zip(heaps).enumerate() {
                @let (x, y) = at(i as f64, RADIUS);
                @let (u, v) = at(i as f64, RADIUS - 34.0);
                circle cx=(format!("{x:.1}")) cy=(format!("{y:.1}")) r="20" {}
                text.heap x=(format!("{x:.1}")) y=(format!("{:.1}", y + 5.0)) { (heap) }
                text x=(format!("{u:.1}")) y=(format!("{:.1}", v + 5.0)) { (letter) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heaps_side_by_side_are_a_run_wherever_they_begin() {
        assert_eq!(run(&[0, 5], 6), Some((5, 2)));
        assert_eq!(run(&[2, 3, 1], 6), Some((1, 3)));
        assert_eq!(run(&[4], 6), Some((4, 1)));
        assert_eq!(run(&[0, 2], 6), None);
        assert_eq!(run(&[0, 1, 2], 3), None);
    }

    #[test]
    fn the_case_that_holds_is_told() {
        let letters: Vec<String> = ["a", "b", "c"].map(String::from).to_vec();
        let Ok(formula) = Formula::parse_over("a = b & c = 0 | a = c & b = 1", &letters) else {
            panic!("a formula")
        };
        let found = nearest(&formula, &[vec![2, 1, 3], vec![3, 1, 3]]);
        let Some(found) = found else { panic!("a case") };
        assert_eq!((found.heaps, found.cases), (vec![3, 1, 3], 2));
        assert!(found.conditions.iter().all(|(_, holds)| *holds));
        // Of two conditions one holds.
        let Some(found) = nearest(&formula, &[vec![2, 2, 3]]) else { panic!("a case") };
        assert_eq!(found.conditions.iter().filter(|(_, holds)| *holds).count(), 1);
    }
}
