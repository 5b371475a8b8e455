//! Winning strategies as trees, as in the figures of Tan & Ward: at the winner's turns the winner's move alone, at the
//! other's turns every reply.
//!
//! - **Which move.** Of several winning moves the one after which play is over soonest at the longest, then the one with
//!   the smaller tree. What is looked at is bounded; beyond the bound, the first winning move.
//! - **Sharing.** Two positions from which the same tree would be drawn are drawn once. So a figure is a graph: each way
//!   down from its root is a line of play.
//! - **Diamonds.** Where every reply is answered so that the same tree follows, reply and answer form a diamond; a run of
//!   them is drawn as one counted step.
//!
//! Source: X. L. Tan, M. D. Ward, *On Kotzig's Nim*, Integers 14 (2014) #G6, Figures 1–16.

use bouton_core::{Board, LimitReached, NotationError, Outcome, Play};
use bouton_engine::game::{Game, Kind, Settings};
use bouton_engine::{Analysis, Session};
use rustc_hash::FxHashMap;

/// A player: `First` is about to move at the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// Player I.
    First,
    /// Player II.
    Second,
}

impl Side {
    /// The other player.
    pub fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// The Roman numeral of the figures.
    pub fn numeral(self) -> &'static str {
        match self {
            Side::First => "I",
            Side::Second => "II",
        }
    }
}

/// How far to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeLimits {
    /// Moves from the root.
    pub depth: usize,
    /// Positions drawn.
    pub nodes: usize,
    /// Positions analysed; past them the first winning move is taken, and past twice as many the tree is cut.
    pub analysed: usize,
    /// The shortest run of diamonds that is drawn as one step; `None` draws all.
    pub diamonds: Option<usize>,
}

impl Default for TreeLimits {
    fn default() -> TreeLimits {
        TreeLimits { depth: 64, nodes: 400, analysed: 4000, diamonds: Some(2) }
    }
}

/// What ends a way through the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum State {
    /// Play goes on.
    Inner,
    /// No move is left.
    Over,
    /// Play goes on, but not in the picture.
    Cut,
}

/// A position drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// What stands in the circle: the token's cell, or the position.
    pub label: String,
    /// One position drawn here, in the game's notation.
    pub position: String,
    /// Who is to move.
    pub to_move: Side,
    /// Whether play ends here.
    pub state: State,
    /// The moves drawn.
    pub edges: Vec<Edge>,
}

/// A move, or a run of diamonds.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Edge {
    /// The node it leads to.
    pub to: usize,
    /// The move in a few characters; may be empty.
    pub label: String,
    /// Who moves.
    pub by: Side,
    /// The diamonds it stands for; 0 for a single move.
    pub diamonds: usize,
}

/// A strategy, ready to be drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// The game.
    pub game: String,
    /// The position at the root.
    pub position: String,
    /// The convention.
    pub play: Play,
    /// Who wins (or, in a game won on points, gets at least half of them).
    pub winner: Side,
    /// The root is node 0.
    pub nodes: Vec<Node>,
    /// Nodes at which the picture was cut.
    pub cut: usize,
    /// Positions that were analysed.
    pub analysed: usize,
}

/// Why there is no tree.
#[derive(Debug, thiserror::Error)]
pub enum GrowError {
    /// The position could not be read.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// Who wins was not found within the budget.
    #[error("{0}")]
    LimitReached(#[from] LimitReached),
}

impl Tree {
    /// The winner's strategy from `position`. Costs up to `limits.analysed` analyses and as many again, each within the
    /// budget of `how`.
    pub fn grow(
        game: &dyn Game,
        position: &str,
        how: Settings,
        limits: TreeLimits,
    ) -> Result<Tree, GrowError> {
        let play = how.play;
        let limits = TreeLimits { depth: limits.depth.min(MOST_DEPTH), ..limits };
        let mut grower = Grower {
            game,
            session: game.session(how),
            limits,
            winner: Side::First,
            analyses: FxHashMap::default(),
            plans: Vec::new(),
            known: FxHashMap::default(),
            memo: FxHashMap::default(),
            looked: 0,
        };
        let root = grower.analysis(position)?;
        if let (None, None) = (root.evaluation.outcome, root.evaluation.margin) {
            return Err(root.spent.unwrap_or(LimitReached::Cancelled).into());
        }
        let first_wins = match root.evaluation.margin {
            Some(margin) => margin >= 0,
            None => root.evaluation.outcome == Some(Outcome::N),
        };
        grower.winner = if first_wins { Side::First } else { Side::Second };
        let position = root.position.clone();
        let plan = grower.plan(&position, Side::First, 0)?;
        let winner = grower.winner;
        let analysed = grower.looked;
        let mut tree =
            Tree { game: game.name(), position, play, winner, nodes: Vec::new(), cut: 0, analysed };
        tree.take(&grower.plans, plan, limits.nodes);
        if let Some(run) = limits.diamonds {
            tree.collapse(run.max(1));
        }
        tree.cut = tree.nodes.iter().filter(|node| node.state == State::Cut).count();
        Ok(tree)
    }

    /// Copies what is reached from a plan, level by level, `most` nodes at most.
    fn take(&mut self, plans: &[Plan], root: usize, most: usize) {
        let mut places: FxHashMap<usize, usize> = FxHashMap::default();
        let mut order = vec![root];
        places.insert(root, 0);
        let mut next = 0;
        while let Some(&id) = order.get(next) {
            next += 1;
            let plan = &plans[id];
            let new: Vec<usize> =
                plan.edges.iter().map(|e| e.to).filter(|to| !places.contains_key(to)).collect();
            let fits = order.len() + new.len() <= most.max(1);
            let (edges, state) = if fits {
                for to in new {
                    places.entry(to).or_insert_with(|| {
                        order.push(to);
                        order.len() - 1
                    });
                }
                (plan.edges.iter().map(|e| Edge { to: places[&e.to], ..e.clone() }).collect(), plan.state)
            } else {
                (Vec::new(), State::Cut)
            };
            self.nodes.push(Node {
                label: plan.label.clone(),
                position: plan.position.clone(),
                to_move: plan.to_move,
                state,
                edges,
            });
        }
    }

    /// The node after the diamond at `top`, if there is one: every reply is answered, and the same node follows.
    fn diamond(&self, top: usize, parents: &[usize]) -> Option<usize> {
        let node = &self.nodes[top];
        if node.to_move == self.winner || node.edges.len() < 2 {
            return None;
        }
        let mut bottom = None;
        for reply in &node.edges {
            let middle = &self.nodes[reply.to];
            let [answer] = &middle.edges[..] else { return None };
            let alone = parents[reply.to] == 1 && middle.to_move == self.winner && answer.diamonds == 0;
            if !alone || *bottom.get_or_insert(answer.to) != answer.to || reply.diamonds > 0 {
                return None;
            }
        }
        bottom.filter(|bottom| self.nodes[*bottom].to_move != self.winner)
    }

    fn parents(&self) -> Vec<usize> {
        let mut parents = vec![0; self.nodes.len()];
        self.nodes.iter().flat_map(|node| &node.edges).for_each(|edge| parents[edge.to] += 1);
        parents
    }

    /// Draws runs of at least `run` diamonds as one step.
    fn collapse(&mut self, run: usize) {
        let parents = self.parents();
        let mut inside = vec![false; self.nodes.len()];
        for top in 0..self.nodes.len() {
            if inside[top] {
                continue;
            }
            let (mut end, mut tops) = (top, Vec::new());
            while let Some(bottom) = self.diamond(end, &parents) {
                tops.push(end);
                let entered_from_here_only = parents[bottom] == self.nodes[end].edges.len();
                end = bottom;
                if !entered_from_here_only {
                    break;
                }
            }
            let count = tops.len();
            if count < run {
                continue;
            }
            tops.iter().skip(1).for_each(|m| inside[*m] = true);
            let by = self.winner.other();
            self.nodes[top].edges = vec![Edge { to: end, label: String::new(), by, diamonds: count }];
        }
        self.keep_reached();
    }

    /// Forgets the nodes that nothing leads to.
    fn keep_reached(&mut self) {
        let mut new = vec![None; self.nodes.len()];
        let mut order = vec![0];
        new[0] = Some(0);
        let mut next = 0;
        while let Some(&old) = order.get(next) {
            next += 1;
            for edge in &self.nodes[old].edges {
                new[edge.to].get_or_insert_with(|| {
                    order.push(edge.to);
                    order.len() - 1
                });
            }
        }
        self.nodes = order
            .iter()
            .map(|old| {
                let mut node = self.nodes[*old].clone();
                node.edges.iter_mut().for_each(|edge| edge.to = new[edge.to].unwrap_or(0));
                node
            })
            .collect();
    }

    /// The name of the picture.
    pub fn title(&self) -> String {
        let misere = if self.play == Play::Misere { ", misère play" } else { "" };
        format!(
            "Winning strategy for Player {}, {} from {}{misere}",
            self.winner.numeral(),
            self.game,
            self.position
        )
    }

    /// What the picture shows, in words.
    pub fn description(&self) -> String {
        let mut text = format!(
            "{} positions; solid lines are moves of Player I, dashed lines of Player II. At the turns of Player {} only the winning move is drawn.",
            self.nodes.len(),
            self.winner.numeral()
        );
        if self.nodes.iter().flat_map(|node| &node.edges).any(|edge| edge.diamonds > 0) {
            text.push_str(" A diamond with a number stands for that many pairs of a reply and its answer, after which the same follows whatever the reply.");
        }
        if self.cut > 0 {
            text.push_str(&format!(" Cut at {} positions, marked with dots.", self.cut));
        }
        text
    }

    /// The longest line of play drawn, in moves.
    pub fn longest(&self) -> usize {
        let mut longest = vec![None; self.nodes.len()];
        self.longest_from(0, &mut longest)
    }

    fn longest_from(&self, node: usize, known: &mut [Option<usize>]) -> usize {
        if let Some(longest) = known[node] {
            return longest;
        }
        let edges = &self.nodes[node].edges;
        let longest = edges.iter().map(|e| (2 * e.diamonds).max(1) + self.longest_from(e.to, known)).max();
        known[node] = Some(longest.unwrap_or(0));
        longest.unwrap_or(0)
    }
}

/// A part of the tree as planned; equal plans are one.
#[derive(Debug, Clone)]
struct Plan {
    label: String,
    position: String,
    to_move: Side,
    state: State,
    edges: Vec<Edge>,
    cost: Cost,
}

/// What the winner would rather avoid, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Cost {
    cut: bool,
    longest: usize,
    size: u64,
}

/// What makes two plans one.
type PlanKey = (String, Side, State, Vec<Edge>);

struct Grower<'g> {
    game: &'g dyn Game,
    session: Box<dyn Session + 'g>,
    limits: TreeLimits,
    winner: Side,
    analyses: FxHashMap<String, std::rc::Rc<Analysis>>,
    plans: Vec<Plan>,
    known: FxHashMap<PlanKey, usize>,
    memo: FxHashMap<(String, Side, usize), usize>,
    looked: usize,
}

/// The deepest tree; a circle has no more cells.
const MOST_DEPTH: usize = 300;

/// The most winning moves that are compared at one position.
const COMPARED: usize = 6;

impl Grower<'_> {
    fn analysis(&mut self, position: &str) -> Result<std::rc::Rc<Analysis>, GrowError> {
        if let Some(known) = self.analyses.get(position) {
            return Ok(known.clone());
        }
        self.looked += 1;
        let found = std::rc::Rc::new(self.session.analyse(position)?);
        self.analyses.insert(position.to_owned(), found.clone());
        Ok(found)
    }

    /// The plan of the game from `position`, which stands `depth` moves from the root.
    fn plan(&mut self, position: &str, to_move: Side, depth: usize) -> Result<usize, GrowError> {
        let key = (position.to_owned(), to_move, depth);
        if let Some(known) = self.memo.get(&key) {
            return Ok(*known);
        }
        let plan = self.make(position, to_move, depth)?;
        self.memo.insert(key, plan);
        Ok(plan)
    }

    fn make(&mut self, position: &str, to_move: Side, depth: usize) -> Result<usize, GrowError> {
        let board = self.game.board(position)?;
        let cell = token(&board);
        let label = cell.map_or_else(|| position.to_owned(), |(cell, _)| cell.to_string());
        let out_of_reach = depth > self.limits.depth || self.looked > 2 * self.limits.analysed;
        let found = if out_of_reach { None } else { Some(self.analysis(position)?) };
        // Where something is unknown no promise can be drawn.
        let Some(found) = found.filter(|found| found.spent.is_none()) else {
            let cost = Cost { cut: true, longest: 0, size: 1 };
            return Ok(self.intern(label, position, to_move, State::Cut, Vec::new(), cost));
        };
        if found.moves.is_empty() {
            let cost = Cost { cut: false, longest: 0, size: 1 };
            return Ok(self.intern(label, position, to_move, State::Over, Vec::new(), cost));
        }
        if depth == self.limits.depth {
            let cost = Cost { cut: true, longest: 0, size: 1 };
            return Ok(self.intern(label, position, to_move, State::Cut, Vec::new(), cost));
        }
        let scored = self.game.kind() == Kind::Scored;
        let mut chosen: Vec<(Edge, Cost)> = Vec::new();
        let mut compared = 0;
        for m in &found.moves {
            let next = if m.brings.is_some_and(|brings| brings.again) { to_move } else { to_move.other() };
            if to_move == self.winner {
                let good = match m.evaluation.margin {
                    Some(margin) => Some(margin) == found.evaluation.margin,
                    None => m.evaluation.outcome == Some(Outcome::P),
                };
                let enough = if self.looked > self.limits.analysed { 1 } else { COMPARED };
                if !good || compared >= enough {
                    continue;
                }
                compared += 1;
            }
            let to = self.plan(&m.to, next, depth + 1)?;
            let label = match (cell, token(&self.game.board(&m.to)?)) {
                (Some((from, n)), Some((to, _))) => format!("+{}", (to + n - from) % n),
                _ if scored || m.text.starts_with("take ") => m.text.clone(),
                _ => String::new(),
            };
            chosen.push((Edge { to, label, by: to_move, diamonds: 0 }, self.plans[to].cost));
        }
        if to_move == self.winner {
            let least = chosen.iter().enumerate().min_by_key(|(i, (_, cost))| (*cost, *i)).map(|(i, _)| i);
            chosen = least.map(|i| chosen.swap_remove(i)).into_iter().collect();
        }
        let cost = Cost {
            cut: chosen.iter().any(|(_, cost)| cost.cut),
            longest: 1 + chosen.iter().map(|(_, cost)| cost.longest).max().unwrap_or(0),
            size: chosen.iter().fold(1u64, |sum, (_, cost)| sum.saturating_add(cost.size)),
        };
        let edges = chosen.into_iter().map(|(edge, _)| edge).collect();
        Ok(self.intern(label, position, to_move, State::Inner, edges, cost))
    }

    fn intern(
        &mut self,
        label: String,
        position: &str,
        to_move: Side,
        state: State,
        edges: Vec<Edge>,
        cost: Cost,
    ) -> usize {
        let form = (label, to_move, state, edges);
        if let Some(known) = self.known.get(&form) {
            return *known;
        }
        let (label, _, _, edges) = form.clone();
        self.plans.push(Plan { label, position: position.to_owned(), to_move, state, edges, cost });
        self.known.insert(form, self.plans.len() - 1);
        self.plans.len() - 1
    }
}

/// The token's cell and the number of cells, on a circular track.
fn token(board: &Board) -> Option<(usize, usize)> {
    match board {
        Board::Track { visited, token } => Some((*token, visited.len())),
        _ => None,
    }
}
