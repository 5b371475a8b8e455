//! Proofs written down for the independent checker. Format: docs/certificates.md, kind `p-positions`.
//!
//! What the exploration kept is more than a proof needs: sets that contain others are left out, and states that are in
//! no set that is left accept nothing any more. Fewer words are accepted then, which is safe.

use crate::cover::Cover;
use crate::digits::Numeration;
use crate::eliminate::Extreme;
use crate::game::MoveSystem;
use crate::linear_form::{Atom, Base, LinearForm, Test, Variable};
use crate::prove::{OPTION, PARAMETER, Part, Proof, Shows};
use bouton_rules::Claim;
use bouton_rules::Node;
use bouton_rules::{Certificate, Symmetry, Windows};
use rustc_hash::FxHashMap;
use std::fmt::Write;

impl Proof {
    /// The proof as a certificate for the game of this name, of which this is the statement proved.
    pub fn certificate(&self, name: &str, game: &MoveSystem, claims: &[Claim]) -> Certificate {
        let mut body = String::new();
        for ((board, parts), cover) in game.boards.iter().zip(&self.parts).zip(&self.covers) {
            line(&mut body, format_args!("heaps {}", board.heaps));
            let (cover, used) = trimmed(cover);
            for (part, start) in used.iter().map(|&i| (&parts[i], cover.starts.get(i))) {
                write_part(&mut body, game, part);
                line(&mut body, format_args!("start {}", start.unwrap_or(&0)));
            }
            if board.heaps == 0 {
                continue;
            }
            line(&mut body, format_args!("states {}", cover.next.len() - 2));
            for (next, accepting) in cover.next.iter().zip(&cover.accepting).skip(2) {
                let mark = if *accepting { " !" } else { "" };
                line(&mut body, format_args!("{} {}{mark}", next[0], next[1]));
            }
            line(&mut body, format_args!("sets {}", cover.sets.len()));
            for set in &cover.sets {
                line(&mut body, format_args!("{}", joined(set, " ")));
            }
        }
        Certificate { kind: "p-positions".into(), game: name.into(), claim: statement(game, claims), body }
    }
}

/// The claims as a certificate states them: `P iff FORMULA, up to symmetry`, or `in misere play P iff …`.
pub fn statement(game: &MoveSystem, claims: &[Claim]) -> String {
    let whole = game.boards.len() == 1;
    let text = |(board, claim): (usize, &Claim)| match &claim.formula().root {
        _ if whole => Some(claim.to_string()),
        Node::Constant(false) => None,
        _ => Some(format!("{} heaps: {claim}", game.boards[board].heaps)),
    };
    let texts: Vec<String> = claims.iter().enumerate().rev().filter_map(text).collect();
    let play = if game.misere { "in misere play " } else { "" };
    format!("{play}P iff {}, up to symmetry", texts.join("; "))
}

/// The name by which certificates call a game whose move is one formula over all its heaps, as in a rule file:
/// `rules(HEAPS;SYMMETRY;DIGITS;MOVE)`, read in these digits. None for other games.
pub fn written_name(game: &bouton_rules::HeapGame, numeration: Numeration) -> Option<String> {
    let n = game.heaps;
    let whole = matches!(game.moves.windows, Windows::Any(k) | Windows::Arc(k) if k >= n);
    let formula =
        game.moves.condition.as_ref().filter(|_| whole && !game.shrinks && game.moves.turned.is_none())?;
    let symmetry = match game.symmetry {
        Symmetry::None => "none",
        Symmetry::Ring => "ring",
        Symmetry::Full => "full",
    };
    let digits = match numeration {
        Numeration::Binary => "binary",
        Numeration::Zeckendorf => "zeckendorf",
    };
    Some(format!("rules({n};{symmetry};{digits};{formula})"))
}

fn line(body: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing into a string does not fail.
    let _ = writeln!(body, "{text}");
}

fn joined<T: std::fmt::Display>(list: &[T], between: &str) -> String {
    list.iter().map(T::to_string).collect::<Vec<_>>().join(between)
}

fn write_part(body: &mut String, game: &MoveSystem, part: &Part) {
    let list = |heaps: &[usize]| if heaps.is_empty() { "-".to_owned() } else { joined(heaps, ",") };
    let image = list(&part.symmetry);
    match part.shows {
        Shows::Claimed => line(body, format_args!("part stay image {image}")),
        Shows::Empty(heap) => line(body, format_args!("part empty {heap}")),
        Shows::NoNumeral(heap) => line(body, format_args!("part neighbours {heap}")),
        Shows::Over => line(body, format_args!("part over")),
        Shows::Way(number) => {
            let way = &game.ways[number];
            let stays = |h: usize| way.heaps.iter().any(|heap| heap.0 == h);
            let gone: Vec<usize> = way.window.iter().copied().filter(|&h| !stays(h)).collect();
            let gone = if gone.is_empty() { String::new() } else { format!(" gone {}", list(&gone)) };
            line(body, format_args!("part take {}{gone} image {image}", list(&way.window)));
        }
    }
    let names = Names::of(part);
    for definition in &part.definitions {
        let forms: Vec<String> = definition.forms.iter().map(|form| names.form(form)).collect();
        let value = match (&forms[..], definition.extreme) {
            ([one], _) => one.clone(),
            (_, Extreme::Greatest) => format!("max({})", joined(&forms, ", ")),
            (_, Extreme::Least) => format!("min({})", joined(&forms, ", ")),
        };
        line(body, format_args!("let {} = {value}", names.variable(definition.variable)));
    }
    for v in &part.condition.chosen {
        line(body, format_args!("guess {}", names.variable(*v)));
    }
    for atom in &part.condition.atoms {
        line(body, format_args!("if {}", names.atom(atom)));
    }
}

/// What variables are called: p0, p1, … the position's heaps, q0, q1, … the option's, x0, x1, … the variables that the
/// claim binds, y0, y1, … others, u0, … and v0, … the same of the condition on the move.
struct Names(FxHashMap<Variable, String>);

impl Names {
    fn of(part: &Part) -> Names {
        let mut names = FxHashMap::default();
        for (list, bound, other) in [(&part.parameters, 'x', 'y'), (&part.of_move, 'u', 'v')] {
            let mut others = 0..;
            for (v, place) in list {
                let (letter, number) =
                    place.map_or_else(|| (other, others.next()), |place| (bound, Some(place)));
                names.insert(*v, format!("{letter}{}", number.unwrap_or(0)));
            }
        }
        Names(names)
    }

    fn variable(&self, v: Variable) -> String {
        match v {
            PARAMETER.. => self.0.get(&v).cloned().unwrap_or_else(|| format!("v{v}")),
            OPTION.. => format!("q{}", v - OPTION),
            _ => format!("p{v}"),
        }
    }

    fn base(&self, base: &Base) -> String {
        match base {
            Base::Plain(v) => self.variable(*v),
            Base::Shift(v) => format!("shift({})", self.variable(*v)),
            Base::Sum(modulus, variables) => {
                let names: Vec<String> = variables.iter().map(|&v| self.variable(v)).collect();
                format!("xor{modulus}({})", joined(&names, ", "))
            }
        }
    }

    /// Only what is added, in a form or in its negative.
    fn positive(&self, form: &LinearForm, sign: i64) -> Vec<String> {
        let mut all = Vec::new();
        for (base, c) in form.terms.iter().filter(|(_, c)| c.signum() == sign) {
            let base = self.base(base);
            all.push(if c.abs() == 1 { base } else { format!("{}*{base}", c.abs()) });
        }
        if form.constant.signum() == sign {
            all.push(form.constant.abs().to_string());
        }
        all
    }

    fn form(&self, form: &LinearForm) -> String {
        let (mut plus, minus) = (self.positive(form, 1), self.positive(form, -1));
        if plus.is_empty() {
            plus.push("0".into());
        }
        let minus: String = minus.iter().map(|term| format!(" - {term}")).collect();
        joined(&plus, " + ") + &minus
    }

    fn atom(&self, atom: &Atom) -> String {
        let side = |sign: i64| {
            let terms = self.positive(&atom.form, sign);
            if terms.is_empty() { "0".to_owned() } else { joined(&terms, " + ") }
        };
        let (left, right) = (side(1), side(-1));
        match atom.test {
            Test::Zero => format!("{left} = {right}"),
            Test::NonZero => format!("{left} != {right}"),
            Test::AtMostZero => format!("{left} <= {right}"),
            // In normal form nothing is negative here.
            Test::Divisible(m) => format!("({left}) mod {m} = 0"),
            Test::Indivisible(m) => format!("({left}) mod {m} != 0"),
        }
    }
}

/// The cover with the sets and states that are needed, and the parts that are, by number.
fn trimmed(cover: &Cover) -> (Cover, Vec<usize>) {
    if cover.next.is_empty() {
        // The board without heaps: one part will do.
        return (Cover::default(), vec![0]);
    }
    let sets = least(&cover.sets, cover.next.len());
    // Between two rounds the members of sets are kept, within a round what leads to them or to state 1.
    let count = cover.next.len();
    let mut alive = vec![false; count];
    alive[1] = true;
    sets.iter().copied().flatten().for_each(|&s| alive[s as usize] = true);
    let mut within: Vec<usize> = (2..count).filter(|&s| cover.level[s] > 0).collect();
    within.sort_by_key(|&s| std::cmp::Reverse(cover.level[s]));
    for s in within {
        alive[s] = cover.next[s].iter().any(|&t| alive[t as usize]);
    }
    let mut number = vec![0; count];
    number[1] = 1;
    let mut order: Vec<u32> =
        (2..count as u32).filter(|&s| cover.level[s as usize] == 0 && alive[s as usize]).collect();
    order.iter().zip(2..).for_each(|(&s, n)| number[s as usize] = n);
    let mut result = Cover { next: vec![[0; 2], [1; 2]], accepting: vec![false, true], ..Cover::default() };
    let mut at = 0;
    while at < order.len() {
        let s = order[at] as usize;
        let next = cover.next[s].map(|t| {
            if alive[t as usize] && number[t as usize] == 0 {
                order.push(t);
                number[t as usize] = order.len() as u32 + 1;
            }
            number[t as usize]
        });
        result.next.push(next);
        result.accepting.push(cover.accepting[s] && cover.level[s] == 0);
        at += 1;
    }
    result.sets = sets.iter().map(|set| set.iter().map(|&s| number[s as usize]).collect()).collect();
    result.sets.iter_mut().for_each(|set| set.sort_unstable());
    result.sets.sort();
    result.starts = cover.starts.iter().map(|&s| number[s as usize]).collect();
    let used = (0..result.starts.len()).filter(|&i| result.starts[i] != 0).collect();
    (result, used)
}

/// The sets that contain no other; all of them sorted lists of numbers below `count`.
fn least(sets: &[Vec<u32>], count: usize) -> Vec<&Vec<u32>> {
    let mut by_size: Vec<&Vec<u32>> = sets.iter().collect();
    by_size.sort_by_key(|set| set.len());
    let mut by_last: FxHashMap<u32, Vec<&Vec<u32>>> = FxHashMap::default();
    let mut marked = vec![usize::MAX; count];
    let mut kept = Vec::new();
    for (mark, &set) in by_size.iter().enumerate() {
        set.iter().for_each(|&s| marked[s as usize] = mark);
        let inside = |small: &&Vec<u32>| small.iter().all(|&s| marked[s as usize] == mark);
        if set.iter().any(|s| by_last.get(s).is_some_and(|smaller| smaller.iter().any(inside))) {
            continue;
        }
        if let Some(&last) = set.last() {
            by_last.entry(last).or_default().push(set);
            kept.push(set);
        }
    }
    kept
}
