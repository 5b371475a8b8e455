//! Games on heaps as data: how they are called, which heaps there are, what a move is, what they
//! look like. One ruleset plays them all; a family only fills in [`HeapRules`].

use crate::evaluator::impartial;
use crate::heap_options::HeapOptions;
use crate::{rings, rows};
use bouton_core::{
    Appearance, Board, Coordinates, Digits, HeapGame, HeapList, HeapMoves, Heaps, Impartial,
    MoveText, Moves, Notation, NotationError, Rows, RuleSource, Ruleset, Symmetry, Windows,
    heaps_text, positions_in_box, positions_up_to_sides,
};
use bouton_engine::family::{Count, MAX_ROWS};
use bouton_engine::game::Game;
use std::ops::ControlFlow::{self, Continue};
use std::sync::Arc;

/// What a board of heaps looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Heaps side by side.
    Row,
    /// One heap, piled up.
    Pile,
    /// Heaps on a circle.
    Ring,
    /// Two heaps as the place of a queen on a chessboard.
    Queen,
}

/// Options found in another way than from the moves as data, where their condition is beyond linear
/// ones.
pub trait OptionGenerator: Send + Sync + std::fmt::Debug {
    /// Visits the options of `p` until `visit` breaks.
    fn walk(&self, p: &[u32], visit: &mut dyn FnMut(&[u32]) -> ControlFlow<()>) -> ControlFlow<()>;
}

/// A game on heaps.
#[derive(Debug, Clone)]
pub struct HeapRules {
    /// The name in normal form.
    pub name: String,
    /// The rules in one or two sentences.
    pub about: String,
    /// How many heaps, if not as many as a position lists.
    pub heaps: Count,
    /// Whether positions are lists in which order and empty heaps don't matter. Else there are at
    /// most [`bouton_core::MAX_HEAPS`] heaps, in fixed places.
    pub listed: bool,
    /// Which heaps may change places.
    pub symmetry: Symmetry,
    /// Whether emptied heaps leave the circle.
    pub shrinks: bool,
    /// What a move is.
    pub moves: Moves,
    /// The digits in which P-positions are best written.
    pub digits: Digits,
    /// What a position looks like.
    pub shape: Shape,
    /// The heap that the name gives to start from.
    pub start: Option<u32>,
    /// How a single heap is played, where a set of takings says it all.
    pub single: Option<HeapMoves>,
    /// Where the rules were read.
    pub source: Option<Arc<RuleSource>>,
    /// The options, where the moves as data are no good way to find them.
    pub walk: Option<Arc<dyn OptionGenerator>>,
}

impl HeapRules {
    /// Returns a game on a list of heaps in any order: on any number of them, or on those that
    /// `heaps` says.
    pub fn list(heaps: Count, moves: Moves) -> HeapRules {
        HeapRules {
            name: String::new(),
            about: String::new(),
            heaps,
            listed: true,
            symmetry: Symmetry::Full,
            shrinks: false,
            moves,
            digits: Digits::Binary,
            shape: Shape::Row,
            start: None,
            single: None,
            source: None,
            walk: None,
        }
    }

    /// Returns a game on heaps in fixed places, at most [`bouton_core::MAX_HEAPS`] of them.
    pub fn places(heaps: usize, symmetry: Symmetry, moves: Moves) -> HeapRules {
        HeapRules { listed: false, symmetry, ..HeapRules::list(Some(heaps), moves) }
    }

    /// Returns a game on heaps on a circle.
    pub fn ring(heaps: usize, moves: Moves) -> HeapRules {
        HeapRules { shape: Shape::Ring, ..HeapRules::places(heaps, Symmetry::Ring, moves) }
    }

    /// Returns the same game with a name and its rules in words.
    pub fn with_name(self, name: impl Into<String>, about: impl Into<String>) -> HeapRules {
        HeapRules { name: name.into(), about: about.into(), ..self }
    }

    /// Returns the game behind the face that all games have.
    pub fn game(self) -> Box<dyn Game> {
        if self.listed {
            impartial(HeapRuleset::<Rows>::new(self))
        } else {
            impartial(HeapRuleset::<Heaps>::new(self))
        }
    }
}

/// The rules that [`HeapRules`] describes, for positions of one kind: [`Rows`] where they are
/// lists, else [`Heaps`].
#[derive(Debug, Clone)]
pub struct HeapRuleset<P> {
    rules: Arc<HeapRules>,
    options: Arc<HeapOptions>,
    position: std::marker::PhantomData<fn() -> P>,
}

impl<P: HeapList> HeapRuleset<P> {
    /// Returns the rules, ready to be played.
    pub fn new(rules: HeapRules) -> HeapRuleset<P> {
        // Lists leave their empty heaps out.
        let places = rules.heaps.filter(|_| !rules.listed);
        let options = HeapOptions::new(&rules.moves, places, rules.shrinks);
        HeapRuleset {
            rules: Arc::new(rules),
            options: Arc::new(options),
            position: std::marker::PhantomData,
        }
    }

    /// Returns whether a position occurs, where the rules say which do.
    fn occurs(&self, p: &P) -> bool {
        let sizes = || p.iter().map(|size| u64::from(*size)).collect::<Vec<_>>();
        self.rules.moves.domain.as_ref().is_none_or(|domain| domain.contains(&sizes()))
    }

    /// Returns the number of heaps, where each has its place.
    fn places(&self) -> usize {
        self.rules.heaps.unwrap_or_default()
    }

    /// Returns what the numbers of a position are, where some may be no heaps.
    fn number_word(&self) -> &'static str {
        if self.rules.moves.memory.count > 0 { "number" } else { "heap" }
    }
}

impl<P: HeapList> Ruleset for HeapRuleset<P> {
    type Position = P;

    #[inline]
    fn options<B>(&self, p: &P, mut visit: impl FnMut(P) -> ControlFlow<B>) -> ControlFlow<B> {
        let Some(walk) = &self.rules.walk else { return self.options.visit(p, visit) };
        let mut end = Continue(());
        let _ = walk.walk(p, &mut |q| match visit(P::of(q)) {
            Continue(()) => Continue(()),
            stop => {
                end = stop;
                ControlFlow::Break(())
            }
        });
        end
    }

    fn rank(&self, p: &P) -> Option<u64> {
        // Tokens; what is remembered is none, and says nothing of how long play lasts.
        let tokens = p.len() - self.rules.moves.memory.count.min(p.len());
        (tokens > 0 || p.is_empty()).then(|| rows::total(&p[..tokens]))
    }

    fn canonical(&self, mut p: P) -> P {
        if self.rules.listed {
            p = p.closed_up();
        }
        match self.rules.symmetry {
            Symmetry::None => {}
            Symmetry::Full => p.sort_unstable(),
            Symmetry::Ring => return rings::least_image(p),
        }
        p
    }
}

impl<P: HeapList> Impartial for HeapRuleset<P> {
    fn summands(&self, p: &P, mut visit: impl FnMut(P)) {
        let listed = self.rules.listed;
        self.options.summands(p, |part| visit(if listed { part.closed_up() } else { part }));
    }
}

impl<P: HeapList> Notation for HeapRuleset<P> {
    fn name(&self) -> String {
        self.rules.name.clone()
    }

    fn describe(&self) -> String {
        self.rules.about.clone()
    }

    fn position_form(&self) -> String {
        if !self.rules.shrinks {
            let remembered = match self.rules.moves.memory.count {
                0 => "",
                1 => "; the last is remembered",
                _ => "; the last ones are remembered",
            };
            return rows::form(self.rules.heaps, self.number_word()) + remembered;
        }
        let example: Vec<String> = (1..=self.places()).map(|i| i.to_string()).collect();
        format!("up to {} heaps, e.g. {}", self.places(), example.join(","))
    }

    fn read(&self, text: &str) -> Result<P, NotationError> {
        if !self.rules.shrinks {
            let read = rows::read(text, self.rules.heaps, self.number_word());
            let read =
                read.map_err(|error| NotationError { accepted: self.position_form(), ..error });
            let p = P::of(&read?);
            if let Some(domain) = self.rules.moves.domain.as_ref().filter(|_| !self.occurs(&p)) {
                let (why, form) = (domain.refusal(), self.position_form());
                return Err(NotationError::new(text, 0..text.len(), why, form));
            }
            return Ok(p);
        }
        let form = self.position_form();
        let heaps = rows::read(text, None, "heap")
            .map_err(|error| NotationError { accepted: form.clone(), ..error })?;
        if heaps.len() > self.places() {
            let message =
                format!("this circle has at most {} heaps, not {}", self.places(), heaps.len());
            return Err(NotationError::new(text, 0..text.len(), message, form));
        }
        Ok(P::of(&heaps).closed_up())
    }

    fn print(&self, p: &P) -> String {
        rows::print(p, self.rules.heaps.filter(|_| self.rules.listed))
    }

    fn start(&self) -> Option<P> {
        self.rules.start.map(|start| P::of(&[start]))
    }

    fn rule_files(&self) -> Vec<Arc<RuleSource>> {
        self.rules.source.iter().cloned().collect()
    }

    fn move_text(&self, p: &P, q: &P) -> MoveText {
        if self.rules.shrinks {
            return MoveText::Change(format!("{} → {}", self.print(p), self.print(q)));
        }
        if self.rules.listed || self.rules.shape == Shape::Queen || p.len() == 1 {
            return rows::move_text(p, q);
        }
        let changes = (0..p.len()).filter(|i| p[*i] != q[*i]);
        let heaps = p.len() - self.rules.moves.memory.count.min(p.len());
        let called = |i: usize| {
            if i < heaps { format!("heap {}", i + 1) } else { format!("memory {}", i + 1 - heaps) }
        };
        let parts: Vec<String> =
            changes.map(|i| format!("{}: {} → {}", called(i), p[i], q[i])).collect();
        MoveText::Change(parts.join(", "))
    }
}

impl<P: HeapList> Coordinates for HeapRuleset<P> {
    fn positions_up_to<B>(
        &self,
        max: u32,
        mut visit: impl FnMut(P) -> ControlFlow<B>,
    ) -> Option<ControlFlow<B>> {
        if self.rules.listed {
            return rows::visit_up_to(self.rules.heaps, max, |p| visit(P::of(&p)));
        }
        let n = self.rules.heaps?;
        if let Some(domain) = &self.rules.moves.domain {
            let most: Vec<u32> =
                domain.most.iter().map(|most| most.map_or(max, |most| most.min(max))).collect();
            return Some(positions_up_to_sides(&most, |p: P| match self.occurs(&p) {
                true => visit(p),
                false => Continue(()),
            }));
        }
        Some(if self.rules.shrinks {
            longer(&mut Vec::new(), n, max, &mut visit)
        } else {
            positions_in_box(n, max, visit)
        })
    }

    fn single(&self, size: u32) -> Option<P> {
        let one = if self.rules.listed {
            self.rules.heaps.is_none_or(|n| n == 1)
        } else {
            self.rules.heaps == Some(1)
        };
        (one && !self.rules.shrinks).then(|| P::of(&[size])).filter(|p| self.occurs(p))
    }

    fn heap_game(&self) -> Option<HeapGame> {
        let HeapRules { symmetry, shrinks, digits, .. } = *self.rules;
        Some(HeapGame {
            heaps: self.rules.heaps?,
            symmetry,
            shrinks,
            moves: self.rules.moves.clone(),
            digits,
        })
    }

    fn moves(&self) -> Option<Moves> {
        (!self.rules.shrinks).then(|| self.rules.moves.clone())
    }

    fn heap_moves(&self) -> Option<HeapMoves> {
        self.rules.single.clone()
    }

    fn sizes(&self, p: &P) -> Option<Vec<u64>> {
        let zeros =
            self.rules.heaps.filter(|_| self.rules.listed).unwrap_or(0).saturating_sub(p.len());
        Some(std::iter::repeat_n(0, zeros).chain(p.iter().map(|heap| u64::from(*heap))).collect())
    }

    fn position(&self, sizes: &[u64]) -> Option<P> {
        let heaps: Option<Rows> = sizes.iter().map(|size| u32::try_from(*size).ok()).collect();
        let fits = match self.rules.heaps {
            Some(n) if self.rules.shrinks => sizes.len() <= n,
            Some(n) => sizes.len() == n,
            None => sizes.len() <= MAX_ROWS,
        };
        let heaps = heaps.filter(|_| fits)?;
        let p = P::of(&heaps);
        if self.rules.shrinks {
            return Some(p.closed_up());
        }
        self.occurs(&p).then_some(p)
    }
}

impl<P: HeapList> Appearance for HeapRuleset<P> {
    fn board(&self, p: &P) -> Board {
        match (self.rules.shape, &p[..]) {
            (Shape::Queen, &[x, y]) => Board::Queen { x, y },
            (Shape::Ring, heaps) if self.rules.shrinks => Board::Loop(heaps.to_vec()),
            (Shape::Ring, heaps) => Board::Ring(heaps.to_vec()),
            (Shape::Pile, &[heap]) => Board::Pile(heap),
            (Shape::Pile, []) => Board::Pile(0),
            (_, heaps) => row(heaps, &self.rules.moves),
        }
    }
}

/// Returns heaps side by side, or at the vertices of a complex, as a move may lower several of
/// them.
fn row(heaps: &[u32], moves: &Moves) -> Board {
    let memory = moves.memory.count;
    if memory > 0 && memory < heaps.len() {
        let (heaps, remembered) = heaps.split_at(heaps.len() - memory);
        return Board::Remembering { heaps: heaps.to_vec(), remembered: heaps_text(remembered) };
    }
    let heaps = heaps.to_vec();
    match &moves.windows {
        // Where more is asked than the window, the window alone would say too much.
        _ if *moves != Moves::free(moves.windows.clone()) => Board::Row(heaps),
        Windows::Any(at_once) if *at_once > 1 => Board::Several { heaps, at_once: *at_once },
        Windows::Faces(faces) if faces.iter().any(|face| face.len() > 1) => {
            Board::Complex { heaps, faces: faces.clone() }
        }
        _ => Board::Row(heaps),
    }
}

/// Circles of at most n heaps, each in 1..=max; a circle comes before those that go on from it.
fn longer<P: HeapList, B>(
    p: &mut Vec<u32>,
    n: usize,
    max: u32,
    visit: &mut impl FnMut(P) -> ControlFlow<B>,
) -> ControlFlow<B> {
    visit(P::of(p))?;
    if p.len() < n {
        for heap in 1..=max {
            p.push(heap);
            longer(p, n, max, visit)?;
            p.pop();
        }
    }
    Continue(())
}
