//! The rules of a game as data: heaps, symmetry, digits, windows, and a formula for the moves.
//! Rules are written down here a second time on purpose.
//!
//! The kernel knows no game by its name. [`super::names`] turns a name into a [`Game`], and
//! [`super::words`] says in words what the rules of a `Game` are.
//!
//! The hypotheses of the theorem on P-positions stand in [`hypotheses`], those of misère play in
//! [`misere::hypotheses`].

use super::cases::Signed;
use super::digits::Digits;
use super::form::{Form, Variable};
use super::formula::{Formula, formula};
use super::misere;
use crate::Rejected;
use crate::hypotheses::{Hypothesis, all_hold};
use crate::work::Reason;

/// Most heaps.
pub const HEAPS: usize = 26;
/// Most kinds of moves.
pub(super) const WAYS: usize = 20_000;

/// Which permutations of heaps a claim is closed under.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Symmetry {
    /// The identity alone.
    None,
    /// Rotations and reflections of the circle.
    Ring,
    /// All.
    Full,
}

/// Which heaps a move may lower.
#[derive(Debug)]
pub enum Windows {
    /// So many of them, or all if there are fewer.
    Any(usize),
    /// So many neighbours on the circle, or all.
    Neighbours(usize),
    /// Those of one of these lists.
    Faces(Vec<Vec<usize>>),
}

/// The rules of a game.
#[derive(Debug)]
pub struct Game {
    pub heaps: usize,
    pub symmetry: Symmetry,
    /// Emptied heaps leave: a position of m heaps has no empty ones.
    pub shrinks: bool,
    pub digits: Digits,
    pub(super) windows: Windows,
    /// What else holds, over p0, q0, p1, q1, … of the window, as it is written, and as it is read.
    pub(super) condition: Option<(String, Formula)>,
    /// Whether the symmetries are known to keep the moves. The claim is closed under them in any
    /// case.
    pub symmetric: bool,
    /// Heap 1 and heap 2 change places: the purses.
    pub(super) turned: bool,
    /// Whoever cannot move wins.
    pub misere: bool,
    /// How many of the last numbers are no heaps but remembered: a move may raise them, and they
    /// are no tokens.
    pub(super) memory: usize,
    /// Whether the name has numbers from which play begins.
    pub(super) from: bool,
}

/// A kind of move, from positions of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveKind {
    pub window: Vec<usize>,
    /// The heaps that leave.
    pub gone: Vec<usize>,
    /// For each heap of the option: the position's heap it comes from, and whether it may be lower.
    pub heaps: Vec<(usize, bool)>,
}

impl MoveKind {
    /// Returns how many heaps of the option may be lower.
    pub fn lowered(&self) -> usize {
        self.heaps.iter().filter(|heap| heap.1).count()
    }
}

/// Checks what the theorem of [`super`] assumes of a game. That every move lowers the sum of the
/// heaps is part of the rules as they are used ([`Game::bounds`], [`Game::token_change`]), so it
/// holds of every game that can be written.
pub fn hypotheses(game: &Game) -> Result<(), Rejected> {
    let heaps = game.heaps;
    all_hold(
        "the theorem on P-positions",
        [
            Hypothesis::new(
                3,
                "1 to 26 heaps",
                (1..=HEAPS).contains(&heaps),
                format!("these are {heaps}"),
            ),
            Hypothesis::new(
                3,
                "moves that may lower a heap",
                !matches!(&game.windows, Windows::Any(0) | Windows::Neighbours(0))
                    && !matches!(&game.windows, Windows::Faces(faces) if faces.is_empty()),
                "here none is lowered",
            ),
            Hypothesis::new(
                3,
                "heaps that keep their places if some numbers are remembered",
                game.memory == 0 || (game.symmetry == Symmetry::None && game.memory < heaps),
                "here they change places",
            ),
        ],
    )
}

impl Game {
    /// Returns the same moves in normal or misère play. Fails if the theorem does not speak of such
    /// a game.
    pub fn played(self, misere: bool) -> Result<Game, Rejected> {
        hypotheses(&self)?;
        if misere {
            misere::hypotheses(&self)?;
        }
        Ok(Game { misere, ..self })
    }

    /// Returns the numbers of heaps that positions may have.
    pub fn boards(&self) -> std::ops::RangeInclusive<usize> {
        if self.shrinks { 0..=self.heaps } else { self.heaps..=self.heaps }
    }

    /// Returns generators of the symmetries of positions of m heaps.
    pub fn generators(&self, m: usize) -> Vec<Vec<usize>> {
        let turn = (0..m).map(|i| (i + 1) % m).collect();
        match self.symmetry {
            Symmetry::Ring if m > 1 => vec![turn, (0..m).rev().collect()],
            Symmetry::Full if m > 1 => {
                vec![turn, (0..m).map(|i| if i < 2 { 1 - i } else { i }).collect()]
            }
            _ => vec![],
        }
    }

    /// Returns whether a permutation of m heaps is a symmetry.
    pub fn is_symmetry(&self, image: &[usize], m: usize) -> bool {
        let runs = |step: usize| image.windows(2).all(|w| (w[0] + step) % m == w[1]);
        let kept = match self.symmetry {
            Symmetry::None => image.is_sorted(),
            Symmetry::Full => true,
            Symmetry::Ring => m < 3 || runs(1) || runs(m - 1),
        };
        kept && image.len() == m && (0..m).all(|h| image.contains(&h))
    }

    /// Returns the kinds of moves from positions of m heaps.
    pub fn ways(&self, m: usize) -> Result<Vec<MoveKind>, Reason> {
        let mut all = Vec::new();
        for window in self.windows(m)? {
            for chosen in 0..if self.shrinks { 1u32 << window.len().min(20) } else { 1 } {
                let leaves = |place: &usize| chosen >> place & 1 == 1;
                let gone: Vec<usize> =
                    (0..window.len()).filter(leaves).map(|place| window[place]).collect();
                let from = |h: usize| if self.turned && (h == 1 || h == 2) { 3 - h } else { h };
                let left = (0..m).filter(|h| !gone.contains(h));
                let heaps = left.map(|h| (from(h), window.contains(&h))).collect();
                all.push(MoveKind { window: window.clone(), gone, heaps });
                if all.len() > WAYS {
                    return Err("too many kinds of moves".into());
                }
            }
        }
        Ok(all)
    }

    /// Returns the lists of heaps that a move may lower, in the order of a dictionary, or as
    /// listed.
    fn windows(&self, m: usize) -> Result<Vec<Vec<usize>>, Reason> {
        let k = match &self.windows {
            _ if m == 0 => return Ok(Vec::new()),
            Windows::Faces(faces) => return Ok(faces.clone()),
            Windows::Neighbours(k) if *k < m => {
                return Ok((0..m).map(|i| (i..i + k).map(|h| h % m).collect()).collect());
            }
            Windows::Any(k) | Windows::Neighbours(k) => (*k).min(m),
        };
        let mut all: Vec<Vec<usize>> = vec![Vec::new()];
        for length in 0..k {
            // Whatever list can be gone on with: there are never more than in the end.
            let longer = |list: Vec<usize>| {
                let next = list.last().map_or(0, |h| h + 1)..=m + length - k;
                next.map(|h| [&list[..], &[h]].concat()).collect::<Vec<_>>()
            };
            all = all.into_iter().flat_map(longer).collect();
            if all.len() > WAYS {
                return Err("too many kinds of moves".into());
            }
        }
        Ok(all)
    }

    /// Returns the option's heaps as variables, these being the lower ones.
    pub fn option(&self, way: &MoveKind, lower: &[Variable]) -> Vec<Variable> {
        let mut lower = lower.iter().copied();
        let one = |(h, low): &(usize, bool)| if *low { lower.next() } else { None }.unwrap_or(*h);
        way.heaps.iter().map(one).collect()
    }

    /// Returns the forms by which heaps are not empty; none if empty heaps stay.
    pub fn not_empty(&self, heaps: impl Iterator<Item = Variable>) -> Vec<Form> {
        heaps.filter(|_| self.shrinks).map(Form::not_empty).collect()
    }

    /// Returns the rules of a move but for its condition: q ≤ p, in circles that shrink 1 ≤ p and 1
    /// ≤ q, and fewer tokens in all.
    pub fn bounds(
        &self,
        way: &MoveKind,
        option: &[Variable],
        m: usize,
    ) -> Result<Vec<Form>, Reason> {
        let mut forms = self.not_empty((0..m).chain(option.iter().copied()));
        for ((h, _), q) in
            way.heaps.iter().zip(option).filter(|((h, low), _)| *low && self.is_heap(*h))
        {
            forms.push(Form::variable(*q).minus(&Form::variable(*h))?);
        }
        forms.push(self.token_change(option, m)?.one_more()?);
        Ok(forms)
    }

    /// Returns whether this number is a heap: what is remembered may grow, and is no token.
    pub fn is_heap(&self, h: usize) -> bool {
        h + self.memory < self.heaps || self.memory == 0
    }

    /// Returns whether an option with as many tokens as the position may be another one.
    pub fn may_keep_tokens(&self) -> bool {
        self.turned || self.memory > 0
    }

    /// Returns the option's tokens less the position's.
    pub fn token_change(&self, option: &[Variable], m: usize) -> Result<Form, Reason> {
        let option = option[..option.len() - self.memory].iter().map(|q| (*q, 1));
        let position = (0..(m - self.memory)).map(|p| (p, -1));
        option
            .chain(position)
            .try_fold(Form::default(), |sum, (v, k)| sum.plus(k, &Form::variable(v)))
    }

    /// Returns the move's condition over p0, q0, p1, q1, … of the window.
    pub fn condition(&self) -> Option<&Formula> {
        self.condition.as_ref().map(|(_, formula)| formula)
    }

    /// Returns whether the option's heaps come from the position's heaps of the same number.
    pub fn in_place(&self) -> bool {
        !self.turned && !self.shrinks
    }

    /// Returns what the move's condition says of an option; `None` if there is no condition.
    pub fn signed(&self, way: &MoveKind, option: &[Variable], truth: bool) -> Option<Signed<'_>> {
        let condition = self.condition()?;
        let names = way.window.iter().flat_map(|h| [*h, option[*h]]).collect();
        Some(condition.signed(names, truth))
    }
}

/// Reads the condition on a move, a formula over p0, q0, p1, q1, … of the window.
pub(super) fn read_condition(text: &str, window: usize) -> Option<(String, Formula)> {
    let names: Vec<String> = (0..window).flat_map(|i| [format!("p{i}"), format!("q{i}")]).collect();
    read_condition_over(text, &names)
}

/// Reads the same over these names.
pub(super) fn read_condition_over(text: &str, names: &[String]) -> Option<(String, Formula)> {
    Some((text.to_owned(), formula(text, names).ok()?))
}
