//! The games, read from their names: heaps, symmetries, moves. Rules are written down here a second time on purpose.
//!
//! A name is read as a whole: every field decides something of the rules, or (numbers in the
//! place of `n` and `d,e`) says from where play begins, which the theorem then says, too. A name
//! of any other form is unknown.
//!
//! The hypotheses of the theorems on P-positions, in normal and in misère play, stand in
//! [`hypotheses`].

use super::cases::Said;
use super::digits::Digits;
use super::form::{Form, Variable};
use super::formula::{Formula, formula};
use crate::Rejected;
use crate::hypotheses::{Hypothesis, all_hold};
use crate::work::{Reason, number};
use std::collections::HashSet;

/// Most heaps.
pub const HEAPS: usize = 26;
/// Most kinds of moves.
const WAYS: usize = 20_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Symmetry {
    None,
    Ring,
    Full,
}

/// A game.
#[derive(Debug)]
pub struct Game {
    pub heaps: usize,
    pub symmetry: Symmetry,
    /// Emptied heaps leave: a position of m heaps has no empty ones.
    pub shrinks: bool,
    pub digits: Digits,
    /// How many heaps a move may lower, and whether they are neighbours on the circle.
    lowered: usize,
    arc: bool,
    /// Or the windows one by one, in games on a complex.
    faces: Option<Vec<Vec<usize>>>,
    /// What else holds, over p0, q0, p1, q1, … of the window, as it is written, and as it is read.
    condition: Option<(String, Formula)>,
    /// Whether the symmetries are known to keep the moves. The claim is closed under them in any case.
    pub symmetric: bool,
    /// Heap 1 and heap 2 change places: the purses.
    turned: bool,
    /// Who cannot move wins.
    pub misere: bool,
    /// How many of the last numbers are no heaps but remembered: a move may raise them, and they are no tokens.
    memory: usize,
    /// Whether the name has numbers from which play begins.
    from: bool,
}

/// A kind of move, from positions of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    pub window: Vec<usize>,
    /// The heaps that leave.
    pub gone: Vec<usize>,
    /// For each heap of the option: the position's heap it comes from, and whether it may be lower.
    pub heaps: Vec<(usize, bool)>,
}

/// Checks what the theorem of [`super`] assumes of a game and its play. That every move lowers
/// the sum of the heaps is part of the rules as they are used ([`Game::bounds`], [`Game::rest`]),
/// so it holds of every game that can be written.
pub fn hypotheses(game: &Game, misere: bool) -> Result<(), Rejected> {
    let heaps = game.heaps;
    all_hold(
        "the theorem on P-positions",
        [
            Hypothesis::new(3, "1 to 26 heaps", (1..=HEAPS).contains(&heaps), format!("these are {heaps}")),
            Hypothesis::new(
                3,
                "moves that may lower a heap",
                game.lowered >= 1 && game.faces.as_ref().is_none_or(|faces| !faces.is_empty()),
                "here none is lowered",
            ),
            Hypothesis::new(
                3,
                "heaps that keep their places if some numbers are remembered",
                game.memory == 0 || (game.symmetry == Symmetry::None && game.memory < heaps),
                "here they change places",
            ),
        ],
    )?;
    if !misere {
        return Ok(());
    }
    let covered =
        |h: usize| game.faces.as_ref().is_none_or(|faces| faces.iter().any(|face| face.contains(&h)));
    all_hold(
        "the theorem on misere play",
        [
            Hypothesis::new(
                4,
                "moves that take any number of tokens, so that who cannot move has none",
                game.condition.is_none(),
                "a condition is on these moves",
            ),
            Hypothesis::new(
                4,
                "heaps that are all heaps, and of both players",
                game.memory == 0 && !game.turned,
                "here are purses, or numbers that are remembered",
            ),
            Hypothesis::new(
                4,
                "every heap to be in a window",
                (0..heaps).all(covered),
                "one of these is in none",
            ),
        ],
    )
}

impl Game {
    /// Reads a game's name.
    pub fn read(name: &str) -> Result<Game, Rejected> {
        // No formula is longer, nor any list of heaps that a game here could have.
        Some(name)
            .filter(|name| name.len() <= 1 << 17)
            .and_then(Game::known)
            .ok_or_else(|| Rejected::new(3, "the moves of no game of this name are known here"))
    }

    fn known(name: &str) -> Option<Game> {
        let free = |heaps, symmetry, lowered, arc| Game {
            heaps,
            symmetry,
            shrinks: false,
            digits: Digits::binary(),
            lowered,
            arc,
            faces: None,
            condition: None,
            symmetric: true,
            turned: false,
            misere: false,
            memory: 0,
            from: false,
        };
        if let Some(rules) = name.strip_prefix("rules(").and_then(|rest| rest.strip_suffix(')')) {
            return Game::written(rules);
        }
        if name == "wythoff" {
            let condition = Some(read_condition("q0 = p0 | q1 = p1 | p0+q1 = p1+q0", 2)?);
            let digits = Digits::ostrowski(&[1])?;
            return Some(Game { digits, condition, ..free(2, Symmetry::Full, 2, false) });
        }
        let (family, rest) = name.strip_suffix(')')?.split_once('(')?;
        let fields: Vec<&str> = rest.split(';').collect();
        let game = match (family, &fields[..]) {
            ("nim", [n]) => free(number(n)?, Symmetry::Full, 1, false),
            ("moore", [b, n]) => free(number(n)?, Symmetry::Full, number::<usize>(b)?.checked_sub(1)?, false),
            ("CN", [nk]) => ring(free, nk)?,
            ("SCN", [nk]) => Game { shrinks: true, ..ring(free, nk)? },
            ("CN", [nk, variation]) => {
                // The condition is as long as the window is wide.
                let game = ring(free, nk).filter(|game| game.heaps <= HEAPS)?;
                let condition = Some(read_condition(&taking(variation, game.lowered)?, game.lowered)?);
                Game { condition, ..game }
            }
            ("S", [set, n]) => {
                let condition = Some(read_condition(&subtracted(set)?, 1)?);
                Game { condition, ..free(number(n)?, Symmetry::Full, 1, false) }
            }
            ("simplicial", lists) => complex(free, lists)?,
            ("NIM", [set, pile]) => {
                let from = start(&[pile], &["n"])?;
                let condition = Some(read_condition(&subtracted(set)?, 1)?);
                Game { condition, from, ..free(1, Symmetry::Full, 1, false) }
            }
            ("NIM", [set, pile, purses]) => {
                let (mover, other) = purses.split_once(',')?;
                let from = start(&[pile, mover, other], &["n", "d", "e"])?;
                let paid = |a: usize| format!("q0+{a} = p0 & q1 = p2 & q2+{a} = p1");
                let text: Vec<String> = amounts(set)?.into_iter().map(paid).collect();
                let condition = Some(read_condition(&text.join(" | "), 3)?);
                Game { condition, from, turned: true, ..free(3, Symmetry::None, 3, false) }
            }
            _ => return None,
        };
        (game.lowered >= 1 && (1..=HEAPS).contains(&game.heaps)).then_some(game)
    }

    /// A rule file's game, `HEAPS;SYMMETRY;DIGITS;MOVE`: the move is a formula over p0, q0, p1, q1, … HEAPS may be `2+1`: two
    /// heaps, and a number that is remembered.
    fn written(rules: &str) -> Option<Game> {
        let fields: Vec<&str> = rules.splitn(4, ';').collect();
        let [heaps, symmetry, digits, text] = fields[..] else { return None };
        let (heaps, memory) = match heaps.split_once('+') {
            // Only what keeps its place.
            Some((heaps, memory)) if symmetry == "none" => {
                (heaps, number(memory).filter(|memory| *memory > 0)?)
            }
            Some(_) => return None,
            None => (heaps, 0),
        };
        let heaps: usize = number(heaps).filter(|heaps| (1..=HEAPS).contains(heaps))?;
        let heaps = heaps.checked_add(memory).filter(|all| *all <= HEAPS)?;
        let symmetry = match symmetry {
            "none" => Symmetry::None,
            "ring" => Symmetry::Ring,
            "full" => Symmetry::Full,
            _ => return None,
        };
        let digits = match digits {
            "binary" => Digits::binary(),
            "zeckendorf" => Digits::ostrowski(&[1])?,
            others => {
                let period = others.strip_prefix("ostrowski(")?.strip_suffix(')')?;
                let period: Vec<i64> = period.split(',').map(number).collect::<Option<_>>()?;
                Digits::ostrowski(&period).filter(|_| period != [1])?
            }
        };
        Some(Game {
            heaps,
            symmetry,
            shrinks: false,
            digits,
            lowered: heaps,
            arc: false,
            condition: Some(read_condition(text, heaps)?),
            faces: None,
            symmetric: false,
            turned: false,
            misere: false,
            memory,
            from: false,
        })
    }

    /// The same moves, if who cannot move wins (`misere`); once the game is known to be one of
    /// which the theorem speaks.
    pub fn played(self, misere: bool) -> Result<Game, Rejected> {
        hypotheses(&self, misere)?;
        Ok(Game { misere, ..self })
    }

    /// The rules in words: all that is said of a move in [`Game::bounds`], [`Game::takes`] and [`Game::condition`].
    pub fn told(&self) -> String {
        let n = self.heaps;
        let mut told = match (self.shrinks, self.lowered) {
            (true, _) => format!(
                "A position is a circle of up to {n} heaps, none empty: a heap that is emptied leaves, and the circle closes up."
            ),
            (_, _) if self.symmetry == Symmetry::Ring && self.faces.is_none() => {
                format!("A position is a circle of {n} heaps.")
            }
            _ if n == 1 => "A position is one heap.".into(),
            _ => format!("A position is a row of {n} heaps."),
        };
        let which = match &self.faces {
            Some(faces) => {
                let one = |face: &Vec<usize>| {
                    face.iter().map(|h| (h + 1).to_string()).collect::<Vec<_>>().join(",")
                };
                format!("heaps of one of the sets {}", faces.iter().map(one).collect::<Vec<_>>().join("; "))
            }
            None if self.lowered == 1 => "one heap".into(),
            None if self.lowered >= n => "any heaps".into(),
            None if self.arc => format!("heaps among {} neighbours", self.lowered),
            None => format!("at most {} heaps", self.lowered),
        };
        if self.turned {
            told += " A move leads from p0, p1, p2 to fewer tokens in all, q0 <= p0, q1 <= p2, q2 <= p1,";
        } else {
            told += &format!(" A move lowers {which}, by at least one token in all");
        }
        if self.memory > 0 {
            told = format!(
                "A position is a row of {n} numbers, the last {} of them no heaps but remembered. A move takes at least one token in all, raises no heap, and may raise what is remembered",
                self.memory
            );
        }
        match &self.condition {
            Some((text, _)) if self.turned => told += &format!(" where {text}."),
            Some((text, _)) => {
                told += &format!(
                    ", from p0, p1, ... to q0, q1, ... (the heaps it may lower, in order) where {text}."
                );
            }
            None => told += ".",
        }
        if self.from {
            told += " The name says from where play begins; what is proved is about all positions.";
        }
        told + if self.misere { " Who cannot move wins." } else { " Who cannot move loses." }
    }

    /// What a claim is closed under, in words.
    pub fn closed(&self) -> &'static str {
        match (self.symmetry, self.faces.is_some()) {
            (Symmetry::None, _) => "as it stands",
            (Symmetry::Ring, true) => "closed under turns and reflections of the heaps in their order",
            (Symmetry::Ring, false) => "closed under turns and reflections of the circle",
            (Symmetry::Full, _) => "closed under all permutations of the heaps",
        }
    }

    /// The numbers of heaps that positions may have.
    pub fn boards(&self) -> std::ops::RangeInclusive<usize> {
        if self.shrinks { 0..=self.heaps } else { self.heaps..=self.heaps }
    }

    /// Whether images of a position under the symmetries have the images of its options.
    pub fn generators(&self, m: usize) -> Vec<Vec<usize>> {
        let turn = (0..m).map(|i| (i + 1) % m).collect();
        match self.symmetry {
            _ if m < 2 => vec![],
            Symmetry::None => vec![],
            Symmetry::Ring => vec![turn, (0..m).rev().collect()],
            Symmetry::Full => vec![turn, (0..m).map(|i| if i < 2 { 1 - i } else { i }).collect()],
        }
    }

    /// Whether a permutation of m heaps is a symmetry.
    pub fn is_symmetry(&self, image: &[usize], m: usize) -> bool {
        let mut sorted = image.to_vec();
        sorted.sort_unstable();
        if image.len() != m || !sorted.iter().copied().eq(0..m) {
            return false;
        }
        let runs = |step: usize| image.windows(2).all(|w| (w[0] + step) % m == w[1]);
        match self.symmetry {
            Symmetry::None => image.is_sorted(),
            Symmetry::Full => true,
            Symmetry::Ring => m < 3 || runs(1) || runs(m - 1),
        }
    }

    /// The kinds of moves from a board.
    pub fn ways(&self, m: usize) -> Result<Vec<Way>, Rejected> {
        let many = || Rejected::new(3, "too many kinds of moves");
        let mut all = Vec::new();
        for window in self.windows(m).ok_or_else(many)? {
            let most = if self.shrinks { 1u32 << window.len().min(20) } else { 1 };
            for gone in 0..most {
                let gone: Vec<usize> =
                    window.iter().enumerate().filter(|(i, _)| gone >> i & 1 == 1).map(|(_, h)| *h).collect();
                all.push(self.way(m, &window, &gone));
                if all.len() > WAYS {
                    return Err(many());
                }
            }
        }
        Ok(all)
    }

    /// The kind of move with this window in which these heaps leave.
    pub fn way(&self, m: usize, window: &[usize], gone: &[usize]) -> Way {
        let from = |h: usize| if self.turned && (h == 1 || h == 2) { 3 - h } else { h };
        let heaps = (0..m).filter(|h| !gone.contains(h)).map(|h| (from(h), window.contains(&h))).collect();
        Way { window: window.to_vec(), gone: gone.to_vec(), heaps }
    }

    /// Whether a move may have this window and lose these heaps.
    pub fn is_way(&self, m: usize, window: &[usize], gone: &[usize]) -> bool {
        if let Some(faces) = &self.faces {
            return gone.is_empty() && faces.iter().any(|face| face == window);
        }
        let length = self.lowered.min(m);
        if window.len() != length || window.iter().any(|h| *h >= m) {
            return false;
        }
        let ascending = window.windows(2).all(|w| w[0] < w[1]);
        let shape = if self.arc && length < m {
            window.windows(2).all(|w| (w[0] + 1) % m == w[1])
        } else {
            ascending
        };
        let left = gone.is_empty()
            || self.shrinks
                && gone.iter().all(|h| window.contains(h))
                && gone.windows(2).all(|w| w[0] != w[1]);
        shape && left
    }

    fn windows(&self, m: usize) -> Option<Vec<Vec<usize>>> {
        if m == 0 {
            return Some(Vec::new());
        }
        if let Some(faces) = &self.faces {
            return Some(faces.clone());
        }
        let k = self.lowered.min(m);
        if self.arc && k < m {
            return Some((0..m).map(|i| (i..i + k).map(|h| h % m).collect()).collect());
        }
        let mut all: Vec<Vec<usize>> = Vec::new();
        fn choose(
            from: usize,
            m: usize,
            k: usize,
            chosen: &mut Vec<usize>,
            all: &mut Vec<Vec<usize>>,
        ) -> bool {
            if chosen.len() == k {
                all.push(chosen.clone());
                return all.len() <= WAYS;
            }
            (from..=m + chosen.len() - k).all(|h| {
                chosen.push(h);
                let fine = choose(h + 1, m, k, chosen, all);
                chosen.pop();
                fine
            })
        }
        choose(0, m, k, &mut Vec::new(), &mut all).then_some(all)
    }

    /// The option's heaps as variables, these being the lower ones.
    pub fn option(&self, way: &Way, lower: &[Variable]) -> Vec<Variable> {
        let mut lower = lower.iter().copied();
        let one = |(h, low): &(usize, bool)| if *low { lower.next() } else { None }.unwrap_or(*h as Variable);
        way.heaps.iter().map(one).collect()
    }

    /// That heaps are not empty, where empty heaps leave.
    pub fn held(&self, heaps: impl Iterator<Item = Variable>) -> Result<Vec<Form>, Reason> {
        heaps.filter(|_| self.shrinks).map(|v| Form::variable(v).contrary()).collect()
    }

    /// The rules of a move but for its condition: q ≤ p, in circles that shrink 1 ≤ p and 1 ≤ q, and fewer tokens in all.
    pub fn bounds(&self, way: &Way, option: &[Variable], m: usize) -> Result<Vec<Form>, Reason> {
        let mut forms = self.held((0..m as Variable).chain(option.iter().copied()))?;
        for ((h, _), q) in way.heaps.iter().zip(option).filter(|((h, low), _)| *low && self.is_heap(*h)) {
            forms.push(Form::variable(*q).minus(&Form::variable(*h as Variable))?);
        }
        forms.push(self.rest(option, m)?.minus(&Form::constant(-1))?);
        Ok(forms)
    }

    /// Whether this number is a heap: what is remembered may grow, and is no token.
    pub fn is_heap(&self, h: usize) -> bool {
        h + self.memory < self.heaps || self.memory == 0
    }

    /// Whether an option with as many tokens as the position may be another one.
    pub fn may_rest(&self) -> bool {
        self.turned || self.memory > 0
    }

    /// The option's tokens without the position's.
    pub fn rest(&self, option: &[Variable], m: usize) -> Result<Form, Reason> {
        let mut tokens = option.iter().take(option.len() - self.memory);
        let all = tokens.try_fold(Form::default(), |sum, q| sum.plus(1, &Form::variable(*q)))?;
        (0..(m - self.memory) as Variable).try_fold(all, |sum, p| sum.minus(&Form::variable(p)))
    }

    /// The move's condition over p0, q0, p1, q1, … of the window.
    pub fn condition(&self) -> Option<&Formula> {
        self.condition.as_ref().map(|(_, formula)| formula)
    }

    /// Whether the option's heaps come from the position's heaps of the same number.
    pub fn in_place(&self) -> bool {
        !self.turned && !self.shrinks
    }

    /// What is said of an option by the move's condition.
    pub fn said(&self, way: &Way, option: &[Variable], truth: bool) -> Option<Said<'_>> {
        let (_, condition) = self.condition.as_ref()?;
        let names = way.window.iter().flat_map(|h| [*h as Variable, option[*h]]).collect();
        Some(condition.said(names, truth))
    }
}

/// Whether a name has numbers in these places, none too large to be a heap, or (`false`) just
/// these letters; `None` if it has anything else.
fn start(fields: &[&str], letters: &[&str]) -> Option<bool> {
    match fields == letters {
        true => Some(false),
        false => fields.iter().all(|field| number::<u64>(field).is_some()).then_some(true),
    }
}

fn ring(free: impl Fn(usize, Symmetry, usize, bool) -> Game, text: &str) -> Option<Game> {
    let (n, k) = text.split_once(',')?;
    let (n, k) = (number(n)?, number(k)?);
    (k <= n).then(|| free(n, Symmetry::Ring, k, true))
}

/// A game whose moves lower heaps of one of these lists.
fn complex(free: impl Fn(usize, Symmetry, usize, bool) -> Game, lists: &[&str]) -> Option<Game> {
    let mut faces = Vec::new();
    for list in lists {
        faces.push(amounts(list)?.into_iter().map(|heap| heap - 1).collect::<Vec<_>>());
    }
    let heaps = faces.iter().flatten().max()? + 1;
    if heaps > HEAPS || faces.len() > WAYS || !(0..heaps).all(|h| faces.iter().any(|face| face.contains(&h)))
    {
        return None;
    }
    let known: HashSet<&Vec<usize>> = faces.iter().collect();
    let keeps = |place: &dyn Fn(usize) -> usize| {
        faces.iter().all(|face| {
            let mut image: Vec<usize> = face.iter().map(|h| place(*h)).collect();
            image.sort_unstable();
            known.contains(&image)
        })
    };
    let turns = keeps(&|h| (h + 1) % heaps);
    let swaps = keeps(&|h| if heaps > 1 && h < 2 { 1 - h } else { h });
    let symmetry = match (turns && swaps, turns && keeps(&|h| heaps - 1 - h)) {
        (true, _) => Symmetry::Full,
        (_, true) => Symmetry::Ring,
        _ => Symmetry::None,
    };
    Some(Game { faces: Some(faces), ..free(heaps, symmetry, 1, false) })
}

fn read_condition(text: &str, window: usize) -> Option<(String, Formula)> {
    let names: Vec<String> = (0..window).flat_map(|i| [format!("p{i}"), format!("q{i}")]).collect();
    Some((text.to_owned(), formula(text, &names).ok()?))
}

fn amounts(set: &str) -> Option<Vec<usize>> {
    let set: Vec<usize> = set.split(',').map(|a| number(a).filter(|a| *a > 0)).collect::<Option<_>>()?;
    set.is_sorted_by(|a, b| a < b).then_some(set)
}

fn subtracted(set: &str) -> Option<String> {
    Some(amounts(set)?.iter().map(|s| format!("q0+{s} = p0")).collect::<Vec<_>>().join(" | "))
}

/// The variations: how the heaps of a window of k change.
fn taking(variation: &str, k: usize) -> Option<String> {
    let at = variation.find(['>', '='])?;
    let (kind, rest) = variation.split_at(at);
    let least = rest.starts_with(">=");
    let a = number(rest.strip_prefix(if least { ">=" } else { "=" })?).filter(|a: &usize| *a > 0)?;
    let relation = if least { "<=" } else { "=" };
    let all =
        |text: &dyn Fn(usize) -> String, between: &str| (0..k).map(text).collect::<Vec<_>>().join(between);
    Some(match (kind, least) {
        ("any", false) => all(&|i| format!("(q{i} = p{i} | q{i}+{a} = p{i})"), " & "),
        ("each", _) => all(&|i| format!("q{i}+{a} {relation} p{i}"), " & "),
        ("total", _) => {
            format!("{}+{a} {relation} {}", all(&|i| format!("q{i}"), "+"), all(&|i| format!("p{i}"), "+"))
        }
        _ => return None,
    })
}
