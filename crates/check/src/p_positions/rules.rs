//! The games, read from their names: heaps, symmetries, moves. Rules are written down here a second time on purpose.

use super::formula::{Formula, formula};
use super::linear::{
    Atom, FRESH, Linear, MOVE_FRESH, MOVE_PARAMETER, OPTION, PARAMETER, Test, Variable, add,
};
use super::normal::{Alternative, alternatives, renamed};
use crate::Rejected;
use crate::work::{Reason, Work, number};
use std::collections::HashSet;

/// Added to heaps on their way to other names.
const MOVED: Variable = 1 << 11;

/// Most heaps.
pub const HEAPS: usize = 26;
/// Most kinds of moves, most images of a claim.
const WAYS: usize = 20_000;
const IMAGES: usize = 5040;

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
    pub zeckendorf: bool,
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
            zeckendorf: false,
            lowered,
            arc,
            faces: None,
            condition: None,
            symmetric: true,
            turned: false,
            misere: false,
        };
        if let Some(rules) = name.strip_prefix("rules(").and_then(|rest| rest.strip_suffix(')')) {
            return Game::written(rules);
        }
        if name == "wythoff" {
            let condition = Some(read_condition("q0 = p0 | q1 = p1 | p0+q1 = p1+q0", 2)?);
            return Some(Game { zeckendorf: true, condition, ..free(2, Symmetry::Full, 2, false) });
        }
        let (family, rest) = name.strip_suffix(')')?.split_once('(')?;
        let fields: Vec<&str> = rest.split(';').collect();
        let game = match (family, &fields[..]) {
            ("nim", [n]) => free(number(n)?, Symmetry::Full, 1, false),
            ("moore", [b, n]) => free(number(n)?, Symmetry::Full, number::<usize>(b)?.checked_sub(1)?, false),
            ("CN", [nk]) => ring(free, nk)?,
            ("SCN", [nk]) => Game { shrinks: true, ..ring(free, nk)? },
            ("CN", [nk, variation]) => {
                let game = ring(free, nk)?;
                let condition = Some(read_condition(&taking(variation, game.lowered)?, game.lowered)?);
                Game { condition, ..game }
            }
            ("S", [set, n]) => {
                let condition = Some(read_condition(&subtracted(set)?, 1)?);
                Game { condition, ..free(number(n)?, Symmetry::Full, 1, false) }
            }
            ("simplicial", lists) => complex(free, lists)?,
            ("NIM", [set, pile]) if *pile == "n" || number::<usize>(pile).is_some() => {
                let condition = Some(read_condition(&subtracted(set)?, 1)?);
                Game { condition, ..free(1, Symmetry::Full, 1, false) }
            }
            ("NIM", [set, _, _]) => {
                let paid = |a: usize| format!("q0+{a} = p0 & q1 = p2 & q2+{a} = p1");
                let text: Vec<String> = amounts(set)?.into_iter().map(paid).collect();
                let condition = Some(read_condition(&text.join(" | "), 3)?);
                Game { condition, turned: true, ..free(3, Symmetry::None, 3, false) }
            }
            _ => return None,
        };
        (game.lowered >= 1 && (1..=HEAPS).contains(&game.heaps)).then_some(game)
    }

    /// A rule file's game, `HEAPS;SYMMETRY;DIGITS;MOVE`: the move is a formula over p0, q0, p1, q1, …
    fn written(rules: &str) -> Option<Game> {
        let fields: Vec<&str> = rules.splitn(4, ';').collect();
        let [heaps, symmetry, digits, text] = fields[..] else { return None };
        let heaps = number(heaps).filter(|heaps| (1..=HEAPS).contains(heaps))?;
        let symmetry = match symmetry {
            "none" => Symmetry::None,
            "ring" => Symmetry::Ring,
            "full" => Symmetry::Full,
            _ => return None,
        };
        let zeckendorf = match digits {
            "binary" => false,
            "zeckendorf" => true,
            _ => return None,
        };
        Some(Game {
            heaps,
            symmetry,
            shrinks: false,
            zeckendorf,
            lowered: heaps,
            arc: false,
            condition: Some(read_condition(text, heaps)?),
            faces: None,
            symmetric: false,
            turned: false,
            misere: false,
        })
    }

    /// The same moves in misère play, where positions without a move are those without tokens: every heap is in a window,
    /// and any number may be taken.
    pub fn play_misere(&mut self) -> Result<(), Reason> {
        if self.condition.is_some() || self.turned {
            return Err("misere play is checked where any number may be taken".into());
        }
        self.misere = true;
        Ok(())
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
        match &self.condition {
            Some((text, _)) if self.turned => told += &format!(" where {text}."),
            Some((text, _)) => {
                told += &format!(
                    ", from p0, p1, ... to q0, q1, ... (the heaps it may lower, in order) where {text}."
                );
            }
            None => told += ".",
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

    /// How many variables the condition on moves binds.
    pub fn bound(&self) -> usize {
        self.condition.as_ref().map_or(0, |(_, condition)| condition.bound)
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
        let inside = window.iter().all(|h| *h < m) && window.len() == length;
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
        inside && shape && left
    }

    fn windows(&self, m: usize) -> Option<Vec<Vec<usize>>> {
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

    /// The rules of a move, apart from what its condition says: 0 ≤ q ≤ p, and in circles that shrink 1 ≤ q.
    pub fn bounds(&self, way: &Way) -> Result<Vec<Atom>, Reason> {
        let mut atoms = Vec::new();
        for (i, (h, low)) in way.heaps.iter().enumerate() {
            if *low {
                let q = Linear::variable(OPTION + i as Variable);
                let least = i64::from(self.shrinks);
                let above = q.plus(-1, &Linear::variable(*h as Variable));
                let below = Linear::constant(least).plus(-1, &q);
                for form in [above, below] {
                    let form = form.ok_or("numbers grow too big")?;
                    if !add(&mut atoms, Atom::new(form, Test::AtMostZero)) {
                        return Err("no such move".into());
                    }
                }
            }
        }
        Ok(atoms)
    }

    /// That a move takes something: the option's total is less.
    pub fn takes(&self, way: &Way, m: usize) -> Result<Atom, Reason> {
        let mut form = Linear::constant(1);
        for variable in self.option(way) {
            form = form.plus(1, &Linear::variable(variable)).ok_or("numbers grow too big")?;
        }
        for h in 0..m {
            form = form.plus(-1, &Linear::variable(h as Variable)).ok_or("numbers grow too big")?;
        }
        Ok(Atom::new(form, Test::AtMostZero))
    }

    /// Whether a move of this kind that takes nothing leaves the position as it is.
    pub fn may_rest(&self, way: &Way) -> bool {
        self.condition.is_none() && way.gone.is_empty()
    }

    /// The option's heaps as variables.
    pub fn option(&self, way: &Way) -> Vec<Variable> {
        let variable = |(i, (h, low)): (usize, &(usize, bool))| {
            if *low { OPTION + i as Variable } else { *h as Variable }
        };
        way.heaps.iter().enumerate().map(variable).collect()
    }

    /// What an alternative says of the option's heaps, of which it speaks as of a position's.
    pub fn on_option(&self, one: &Alternative, way: &Way) -> Option<Alternative> {
        let option = self.option(way);
        let heaps = 0..option.len() as Variable;
        let away = heaps.clone().try_fold(one.clone(), |one, h| renamed(&one, h, MOVED + h))?;
        heaps.zip(option).try_fold(away, |one, (h, to)| renamed(&one, MOVED + h, to))
    }

    /// The alternatives of what else holds of a move.
    pub fn condition(&self, way: &Way, work: &mut Work<'_>) -> Result<Vec<Alternative>, Reason> {
        let Some((_, condition)) = &self.condition else { return Ok(vec![Alternative::default()]) };
        let option = self.option(way);
        let place: Vec<Variable> = way.window.iter().flat_map(|h| [*h as Variable, option[*h]]).collect();
        let own =
            |v: Variable| if v < FRESH { v - PARAMETER + MOVE_PARAMETER } else { v - FRESH + MOVE_FRESH };
        let renumbered = |one: Alternative| {
            one.chosen.clone().into_iter().try_fold(one, |one, v| renamed(&one, v, own(v)))
        };
        let all = alternatives(condition, &place, work)?;
        for one in &all {
            work.spend(one.chosen.len() * (one.size() + one.atoms.len() * one.atoms.len()))?;
        }
        all.into_iter().map(|one| renumbered(one).ok_or_else(|| "numbers grow too big".into())).collect()
    }

    /// The alternatives of a claim in all images under the board's symmetries, each once.
    pub fn images(&self, claim: &Formula, m: usize, work: &mut Work<'_>) -> Result<Vec<Alternative>, Reason> {
        let mut seen: HashSet<Vec<Alternative>> = HashSet::new();
        let mut open: Vec<Vec<usize>> = vec![(0..m).collect()];
        while let Some(image) = open.pop() {
            let place: Vec<Variable> = image.iter().map(|h| *h as Variable).collect();
            let mut all = alternatives(claim, &place, work)?;
            all.sort();
            work.spend(16 + all.iter().map(|one| 16 * one.size()).sum::<usize>())?;
            if !seen.insert(all) {
                continue;
            }
            if seen.len() > IMAGES {
                return Err("a claim has too many images".into());
            }
            // Where the claim says the same from here as from an image met before, so do all further images.
            open.extend(
                self.generators(m).iter().map(|g| image.iter().map(|h| g[*h]).collect::<Vec<usize>>()),
            );
        }
        let mut found: Vec<Alternative> = seen.into_iter().flatten().collect();
        work.spend(found.iter().map(|one| 8 * one.size()).sum())?;
        found.sort();
        found.dedup();
        Ok(found)
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
