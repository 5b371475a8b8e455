//! Winning strategies as trees, as in the figures of Tan & Ward: the winner's move at the winner's
//! turns, every reply at the opponent's turns.
//!
//! - **Choice of moves.** Among winning moves the tree has the one with the shortest longest play,
//!   then the one with the smaller tree. The number of analyses is bounded; beyond the bound the
//!   first winning move is taken.
//! - **Sharing.** Two positions with the same tree are drawn once. A figure is therefore a graph,
//!   and each way down from its root is a line of play.
//! - **Diamonds.** If every reply is answered so that the same tree follows, reply and answer form
//!   a diamond. A run of diamonds is drawn as one counted step.
//!
//! Source: X. L. Tan, M. D. Ward, *On Kotzig's Nim*, Integers 14 (2014) #G6, Figures 1–16.

use bouton_core::{Board, LimitReached, MoveText, NotationError, Outcome, Play};
use bouton_engine::game::{Game, Kind, Settings};
use bouton_engine::{Analysis, Session};
use rustc_hash::FxHashMap;

/// A player: `First` is to move at the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// Player I.
    First,
    /// Player II.
    Second,
}

impl Side {
    /// Returns the other player.
    pub fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// Returns the Roman numeral of the figures.
    pub fn numeral(self) -> &'static str {
        match self {
            Side::First => "I",
            Side::Second => "II",
        }
    }
}

/// The limits of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeLimits {
    /// The greatest number of moves from the root.
    pub depth: usize,
    /// The greatest number of positions drawn.
    pub nodes: usize,
    /// The greatest number of positions analysed with a choice of moves; from twice as many on, the
    /// tree is cut.
    pub analysed: usize,
    /// The least length of a run of diamonds that is drawn as one step; `None` draws all.
    pub diamonds: Option<usize>,
}

impl Default for TreeLimits {
    fn default() -> TreeLimits {
        TreeLimits { depth: 64, nodes: 400, analysed: 4000, diamonds: Some(2) }
    }
}

/// The state of play at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NodeState {
    /// Play continues.
    Inner,
    /// No move is left.
    Over,
    /// Play continues, but not in the picture.
    Cut,
}

/// A node of the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// The label in the circle: the cell of the token, or the position.
    pub label: String,
    /// A position of the node, in the game's notation.
    pub position: String,
    /// The player to move.
    pub to_move: Side,
    /// The state of play.
    pub state: NodeState,
    /// The moves drawn.
    pub edges: Vec<Edge>,
}

/// A move, or a run of diamonds.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Edge {
    /// The node that the edge leads to.
    pub to: usize,
    /// The move in a few characters; may be empty.
    pub label: String,
    /// The player who moves.
    pub by: Side,
    /// The number of diamonds; 0 for a single move.
    pub diamonds: usize,
}

/// A strategy as a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// The game.
    pub game: String,
    /// The position at the root.
    pub position: String,
    /// The convention.
    pub play: Play,
    /// The winner (in a game won on points, the player who gets at least half of them).
    pub winner: Side,
    /// The nodes; the root is node 0.
    pub nodes: Vec<Node>,
    /// The number of nodes at which the picture is cut.
    pub cut: usize,
    /// The number of positions analysed.
    pub analysed: usize,
}

/// An error of a tree.
#[derive(Debug, thiserror::Error)]
pub enum TreeError {
    /// The position cannot be read.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// The winner was not found within the budget.
    #[error("{0}")]
    LimitReached(#[from] LimitReached),
}

impl Tree {
    /// Builds the winner's strategy from `position`. Costs at most twice `limits.analysed`
    /// analyses, each within the budget of `how`.
    ///
    /// # Errors
    /// Fails if the position cannot be read or its winner is unknown.
    pub fn build(
        game: &dyn Game,
        position: &str,
        settings: Settings,
        limits: TreeLimits,
    ) -> Result<Tree, TreeError> {
        let play = settings.play;
        let limits = TreeLimits { depth: limits.depth.min(MAX_DEPTH), ..limits };
        let mut grower = TreeBuilder {
            game,
            session: game.session(settings),
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
        tree.copy_reachable(&grower.plans, plan, limits.nodes);
        if let Some(run) = limits.diamonds {
            tree.collapse(run.max(1));
        }
        tree.cut = tree.nodes.iter().filter(|node| node.state == NodeState::Cut).count();
        Ok(tree)
    }

    /// Copies the part of a plan that is reachable from `root`, level by level, at most `most`
    /// nodes.
    fn copy_reachable(&mut self, plans: &[PlannedNode], root: usize, most: usize) {
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
                (
                    plan.edges.iter().map(|e| Edge { to: places[&e.to], ..e.clone() }).collect(),
                    plan.state,
                )
            } else {
                (Vec::new(), NodeState::Cut)
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

    /// Returns the node after the diamond at `top`, if there is one: every reply is answered, and
    /// the same node follows.
    fn diamond(&self, top: usize, parents: &[usize]) -> Option<usize> {
        let node = &self.nodes[top];
        if node.to_move == self.winner || node.edges.len() < 2 {
            return None;
        }
        let mut bottom = None;
        for reply in &node.edges {
            let middle = &self.nodes[reply.to];
            let [answer] = &middle.edges[..] else { return None };
            let alone =
                parents[reply.to] == 1 && middle.to_move == self.winner && answer.diamonds == 0;
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
            self.nodes[top].edges =
                vec![Edge { to: end, label: String::new(), by, diamonds: count }];
        }
        self.remove_unreachable();
    }

    /// Removes the nodes that are not reachable.
    fn remove_unreachable(&mut self) {
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

    /// Returns the title of the picture.
    pub fn title(&self) -> String {
        let misere = if self.play == Play::Misere { ", misère play" } else { "" };
        format!(
            "Winning strategy for Player {}, {} from {}{misere}",
            self.winner.numeral(),
            self.game,
            self.position
        )
    }

    /// Describes the picture in words.
    pub fn description(&self) -> String {
        let mut text = format!(
            "{} positions; solid lines are moves of Player I, dashed lines of Player II. At the \
             turns of Player {} only the winning move is drawn.",
            self.nodes.len(),
            self.winner.numeral()
        );
        if self.nodes.iter().flat_map(|node| &node.edges).any(|edge| edge.diamonds > 0) {
            text.push_str(
                " A diamond with a number stands for that many pairs of a reply and its \
                answer, after which the same follows whatever the reply.",
            );
        }
        if self.cut > 0 {
            text.push_str(&format!(" Cut at {} positions, marked with dots.", self.cut));
        }
        text
    }

    /// Returns the length of the longest line of play drawn, in moves.
    pub fn longest(&self) -> usize {
        let mut longest = vec![None; self.nodes.len()];
        self.longest_from(0, &mut longest)
    }

    fn longest_from(&self, node: usize, known: &mut [Option<usize>]) -> usize {
        if let Some(longest) = known[node] {
            return longest;
        }
        let edges = &self.nodes[node].edges;
        let longest =
            edges.iter().map(|e| (2 * e.diamonds).max(1) + self.longest_from(e.to, known)).max();
        known[node] = Some(longest.unwrap_or(0));
        longest.unwrap_or(0)
    }
}

/// A planned node; equal ones are shared.
#[derive(Debug, Clone)]
struct PlannedNode {
    label: String,
    position: String,
    to_move: Side,
    state: NodeState,
    edges: Vec<Edge>,
    cost: Cost,
}

/// The costs that the winner minimises, most important first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Cost {
    cut: bool,
    longest: usize,
    size: u64,
}

/// The key that identifies equal plans.
type PlanKey = (String, Side, NodeState, Vec<Edge>);

struct TreeBuilder<'g> {
    game: &'g dyn Game,
    session: Box<dyn Session + 'g>,
    limits: TreeLimits,
    winner: Side,
    analyses: FxHashMap<String, std::rc::Rc<Analysis>>,
    plans: Vec<PlannedNode>,
    known: FxHashMap<PlanKey, usize>,
    memo: FxHashMap<(String, Side, usize), usize>,
    looked: usize,
}

/// The greatest depth of a tree; a circle has no more cells.
const MAX_DEPTH: usize = 300;

/// The greatest number of winning moves compared at one position.
const MAX_COMPARED: usize = 6;

impl TreeBuilder<'_> {
    fn analysis(&mut self, position: &str) -> Result<std::rc::Rc<Analysis>, TreeError> {
        if let Some(known) = self.analyses.get(position) {
            return Ok(known.clone());
        }
        self.looked += 1;
        let analysis = std::rc::Rc::new(self.session.analyse(position)?);
        self.analyses.insert(position.to_owned(), analysis.clone());
        Ok(analysis)
    }

    /// Plans the game from `position`, which is `depth` moves from the root.
    fn plan(&mut self, position: &str, to_move: Side, depth: usize) -> Result<usize, TreeError> {
        let key = (position.to_owned(), to_move, depth);
        if let Some(known) = self.memo.get(&key) {
            return Ok(*known);
        }
        let plan = self.plan_moves(position, to_move, depth)?;
        self.memo.insert(key, plan);
        Ok(plan)
    }

    fn plan_moves(
        &mut self,
        position: &str,
        to_move: Side,
        depth: usize,
    ) -> Result<usize, TreeError> {
        let board = self.game.board(position)?;
        let cell = token(&board);
        let label = cell.map_or_else(|| position.to_owned(), |(cell, _)| cell.to_string());
        let out_of_reach = depth > self.limits.depth || self.looked > 2 * self.limits.analysed;
        let analysis = if out_of_reach { None } else { Some(self.analysis(position)?) };
        // If an outcome is unknown, no strategy can be drawn.
        let Some(analysis) = analysis.filter(|analysis| analysis.spent.is_none()) else {
            let cost = Cost { cut: true, longest: 0, size: 1 };
            return Ok(self.intern(label, position, to_move, NodeState::Cut, Vec::new(), cost));
        };
        if analysis.moves.is_empty() {
            let cost = Cost { cut: false, longest: 0, size: 1 };
            return Ok(self.intern(label, position, to_move, NodeState::Over, Vec::new(), cost));
        }
        if depth == self.limits.depth {
            let cost = Cost { cut: true, longest: 0, size: 1 };
            return Ok(self.intern(label, position, to_move, NodeState::Cut, Vec::new(), cost));
        }
        let scored = self.game.kind() == Kind::Scored;
        let mut chosen: Vec<(Edge, Cost)> = Vec::new();
        let mut compared = 0;
        for m in &analysis.moves {
            let next =
                if m.brings.is_some_and(|brings| brings.again) { to_move } else { to_move.other() };
            if to_move == self.winner {
                let good = match m.evaluation.margin {
                    Some(margin) => Some(margin) == analysis.evaluation.margin,
                    None => m.evaluation.outcome == Some(Outcome::P),
                };
                let enough = if self.looked > self.limits.analysed { 1 } else { MAX_COMPARED };
                if !good || compared >= enough {
                    continue;
                }
                compared += 1;
            }
            let to = self.plan(&m.to, next, depth + 1)?;
            let label = match (cell, token(&self.game.board(&m.to)?)) {
                (Some((from, n)), Some((to, _))) => format!("+{}", (to + n - from) % n),
                _ if scored || matches!(m.text, MoveText::Words(_)) => m.text.to_string(),
                _ => String::new(),
            };
            chosen.push((Edge { to, label, by: to_move, diamonds: 0 }, self.plans[to].cost));
        }
        if to_move == self.winner {
            let least =
                chosen.iter().enumerate().min_by_key(|(i, (_, cost))| (*cost, *i)).map(|(i, _)| i);
            chosen = least.map(|i| chosen.swap_remove(i)).into_iter().collect();
        }
        let cost = Cost {
            cut: chosen.iter().any(|(_, cost)| cost.cut),
            longest: 1 + chosen.iter().map(|(_, cost)| cost.longest).max().unwrap_or(0),
            size: chosen.iter().fold(1u64, |sum, (_, cost)| sum.saturating_add(cost.size)),
        };
        let edges = chosen.into_iter().map(|(edge, _)| edge).collect();
        Ok(self.intern(label, position, to_move, NodeState::Inner, edges, cost))
    }

    fn intern(
        &mut self,
        label: String,
        position: &str,
        to_move: Side,
        state: NodeState,
        edges: Vec<Edge>,
        cost: Cost,
    ) -> usize {
        let form = (label, to_move, state, edges);
        if let Some(known) = self.known.get(&form) {
            return *known;
        }
        let (label, _, _, edges) = form.clone();
        self.plans.push(PlannedNode {
            label,
            position: position.to_owned(),
            to_move,
            state,
            edges,
            cost,
        });
        self.known.insert(form, self.plans.len() - 1);
        self.plans.len() - 1
    }
}

/// Returns the cell of the token and the number of cells, on a circular track.
fn token(board: &Board) -> Option<(usize, usize)> {
    match board {
        Board::Track { visited, token } => Some((*token, visited.len())),
        _ => None,
    }
}
