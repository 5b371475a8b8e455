//! A finite graph as a game: a token stands on a node, and a move takes it along an edge. Whoever
//! cannot move loses.
//!
//! The graph is an edge list, a line `a b` for each move from a to b, or `a: b c` for all moves
//! from a; or JSON: the options of each node, `{"a": ["b", "c"], "b": []}`, or the moves,
//! `[["a", "b"], ["a", "c"]]`, or the options of nodes 0, 1, …, `[[1, 2], [2], []]`; or a directed
//! graph in DOT. Without cycles its nodes have nim-values. With a cycle play need not end: nodes
//! are won, lost or drawn.

use crate::{check_name, dot, name_of};
use bouton_core::{
    Appearance, Board, Coordinates, EdgeKind, GraphBoard, GraphEdge, GraphStand, Impartial,
    Notation, NotationError, RuleSource, Ruleset,
};
use bouton_engine::family::OwnGame;
use bouton_engine::game::{Game, impartial, with_evaluator};
use bouton_engine::remoteness::ByRemoteness;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value as Json;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is accepted as a graph.
pub(crate) const ACCEPTED: &str = "a line `a b` for each move from a to b, or `a: b c` for all \
    from a; JSON: {\"a\": [\"b\", \"c\"], \"b\": []} or [[\"a\", \"b\"], [\"a\", \"c\"]], or the \
    options of 0, 1, …, as [[1, 2], [2], []]; or DOT: digraph { a -> b }";

/// Signs of other notations that are no part of a name in an edge list.
const SIGNS: &[char] = &['[', ']', '{', '}', '(', ')', '"', ';', ':', '='];

/// Number of nodes that an error names.
const MAX_NAMED_NODES: usize = 8;

/// A finite graph.
#[derive(Debug, Clone)]
pub struct Graph(Arc<Nodes>);

/// The nodes and their options.
#[derive(Debug)]
struct Nodes {
    source: Arc<RuleSource>,
    names: Vec<String>,
    numbers: FxHashMap<String, u32>,
    /// The options of each node, each once, in order.
    options: Vec<Vec<u32>>,
    /// Number of moves of the longest line of play from each node; `None` with a cycle.
    ranks: Option<Vec<u32>>,
}

/// The graph as it is read.
#[derive(Default)]
pub(crate) struct Reader {
    names: Vec<String>,
    numbers: FxHashMap<String, u32>,
    options: Vec<Vec<u32>>,
}

/// What tables of edges name their columns.
const HEADERS: [[&str; 2]; 4] =
    [["source", "target"], ["from", "to"], ["src", "dst"], ["head", "tail"]];

impl Graph {
    /// Reads a graph whose game is called `graph`.
    ///
    /// # Errors
    ///
    /// If the text is no graph; with the place in the text.
    pub fn from_text(text: &str) -> Result<Graph, NotationError> {
        Graph::parse(text, Some("graph".as_ref()))
    }

    /// Reads a graph. Its game has the name of the file.
    ///
    /// # Errors
    ///
    /// If the text is no graph; with the place in the text.
    pub fn parse(text: &str, path: Option<&Path>) -> Result<Graph, NotationError> {
        // The mark with which some editors begin a file is no part of a node's name.
        let text = text.trim_start_matches('\u{feff}');
        let name = name_of(path);
        check_name(&name, text, 0..0)?;
        let mut reader = Reader::default();
        if text.trim_start().starts_with('{') {
            reader.json(text)?;
        } else if text.trim_start().starts_with('[') {
            reader.json_edges(text)?;
        } else if dot::is_dot(text) {
            dot::read(text, &mut reader)?;
        } else {
            reader.edges(text)?;
        }
        if reader.names.is_empty() {
            return Err(NotationError::new(text, 0..text.len(), "the graph has no node", ACCEPTED));
        }
        for options in &mut reader.options {
            options.sort_unstable();
            options.dedup();
        }
        let ranks = reader.ranks();
        let source =
            Arc::new(RuleSource { name, path: path.map(PathBuf::from), text: text.to_owned() });
        let Reader { names, numbers, options, .. } = reader;
        Ok(Graph(Arc::new(Nodes { source, names, numbers, options, ranks })))
    }
}

impl Reader {
    /// Returns the number of a node, which is new if its name is.
    pub(crate) fn node(&mut self, name: &str) -> u32 {
        if let Some(known) = self.numbers.get(name) {
            return *known;
        }
        let number = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        self.options.push(Vec::new());
        number
    }

    /// Adds a move.
    pub(crate) fn edge(&mut self, from: &str, to: &str) {
        let (from, to) = (self.node(from), self.node(to));
        self.options[from as usize].push(to);
    }

    /// Reads an edge list: two nodes a line, or one that has no edge, or a node, a colon and all
    /// its options; `#` begins a comment, and `//` a line of it.
    fn edges(&mut self, text: &str) -> Result<(), NotationError> {
        let mut start = 0;
        let mut pairs: Vec<(u64, u64, Range<usize>)> = Vec::new();
        let (mut lines, mut is_numbered) = (0, true);
        let mut header: Option<(Range<usize>, String)> = None;
        for whole in text.split_inclusive('\n') {
            let said = if whole.trim_start().starts_with("//") { "" } else { whole };
            let line = said.split('#').next().unwrap_or_default().trim_end();
            let at = start..start + line.len();
            start += whole.len();
            if let Some((node, options)) = line.split_once(':') {
                is_numbered = false;
                let spaced = options.replace([',', '\t'], " ");
                let names = [node.trim()].into_iter().chain(spaced.split_whitespace());
                let names: Vec<&str> = names.collect();
                let is_one =
                    |name: &&str| is_name(name) && !name.contains(SIGNS) && !name.contains(' ');
                if let Some(name) = names.iter().find(|name| !is_one(name)) {
                    let message = format!("`{name}` is no name of a node");
                    return Err(NotationError::new(text, at, message, ACCEPTED));
                }
                self.node(names[0]);
                names[1..].iter().for_each(|option| self.edge(names[0], option));
                continue;
            }
            let arrows = ["->", "=>", "→", ">"];
            let arrow = arrows.into_iter().find(|arrow| line.contains(arrow)).unwrap_or(">");
            // `(a, b)` is a pair.
            let pair = line.trim_start().strip_prefix('(').and_then(|line| line.strip_suffix(')'));
            let spaced = pair.unwrap_or(line).replacen(arrow, " ", 1).replace([',', '\t'], " ");
            let names: Vec<&str> = spaced.split_whitespace().collect();
            if let Some(name) = names.iter().find(|name| !is_name(name) || name.contains(SIGNS)) {
                return Err(NotationError::new(
                    text,
                    at,
                    format!("`{name}` is no name of a node"),
                    ACCEPTED,
                ));
            }
            match names[..] {
                [] => {}
                [one] => {
                    self.node(one);
                    is_numbered = false;
                }
                [from, to] => {
                    self.edge(from, to);
                    lines += 1;
                    let is_header = |[one, other]: &[&str; 2]| {
                        from.eq_ignore_ascii_case(one) && to.eq_ignore_ascii_case(other)
                    };
                    if lines == 1
                        && self.names.len() == 2
                        && pair.is_none()
                        && !line.contains(['>', '→'])
                    {
                        header = HEADERS.iter().any(is_header).then(|| (at.clone(), from.into()));
                    }
                    match (from.parse(), to.parse()) {
                        (Ok(from), Ok(to)) if !line.contains(['>', '→', '(']) => {
                            pairs.push((from, to, at))
                        }
                        // Behind the first line an arrow changes nothing.
                        (Ok(from), Ok(to)) if lines > 1 => pairs.push((from, to, at)),
                        _ => is_numbered = false,
                    }
                }
                _ => {
                    let message = format!("a line names {} nodes", names.len());
                    return Err(NotationError::new(text, at, message, ACCEPTED));
                }
            }
        }
        // The first two nodes, which no other line names.
        if let Some((at, from)) = header
            && lines > 1
            && self.options[..2].iter().map(Vec::len).eq([1, 0])
            && !self.options.iter().skip(2).flatten().any(|to| *to < 2)
        {
            let message =
                format!("this may be a move from the node `{from}`, or name the columns below");
            let accepted = "the edges alone; or, if it is a move, an arrow between the two";
            return Err(NotationError::new(text, at, message, accepted));
        }
        // Contests write the numbers of nodes and edges above the edges.
        if is_numbered
            && let [(nodes, edges, at), rest @ ..] = &pairs[..]
            && !rest.is_empty()
            && *edges == rest.len() as u64
            && rest.iter().all(|(from, to, _)| from.max(to) <= nodes)
        {
            let message = format!(
                "this may be a move from {nodes} to {edges}, or say that there are {nodes} nodes \
                 and {edges} edges"
            );
            let accepted = format!("the edges alone; or, if it is a move, {nodes} -> {edges}");
            return Err(NotationError::new(text, at.clone(), message, accepted));
        }
        // `1-2` is an edge elsewhere, and here the name of a node without one.
        match self.names.iter().find(|name| name.contains('-')) {
            Some(name) if self.options.iter().all(Vec::is_empty) => {
                let message = format!("no line names two nodes; `{name}` is one");
                Err(NotationError::new(text, 0..text.len(), message, ACCEPTED))
            }
            _ => Ok(()),
        }
    }

    /// Reads a list of moves, each a list of two nodes, and of nodes without moves, each alone in a
    /// list.
    fn json_edges(&mut self, text: &str) -> Result<(), NotationError> {
        let wrong = |message: String| NotationError::new(text, 0..0, message, ACCEPTED);
        let all: Vec<Vec<Json>> = serde_json::from_str(text)
            .map_err(|error| wrong(format!("no JSON of a list of moves: {error}")))?;
        // No move is empty: list i has the options of node i, as people write a graph in a program.
        let is_by_number = all.iter().any(Vec::is_empty);
        if is_by_number {
            for node in 0..all.len() {
                self.named(&node.to_string()).map_err(wrong)?;
            }
        }
        let is_small = |node: &Json| node.as_u64().is_some_and(|to| to < all.len() as u64);
        // Moves that come twice are hardly moves: each list may have the options of a node.
        let mut met = FxHashSet::default();
        let mut is_again =
            |list: &Vec<Json>| !met.insert(list.iter().map(Json::as_u64).collect::<Vec<_>>());
        if !is_by_number
            && all.iter().flatten().all(is_small)
            && (all.iter().any(|list| list.len() == 1) || all.iter().any(&mut is_again))
        {
            return Err(wrong(
                "these may be the options of nodes 0, 1, …, or moves and nodes without one: write \
                 {\"0\": [1], …}, or the moves alone"
                    .into(),
            ));
        }
        for (from, edge) in all.iter().enumerate() {
            if is_by_number {
                for node in edge {
                    let to =
                        node.as_u64().filter(|to| *to < all.len() as u64).ok_or_else(|| {
                            wrong(format!(
                                "{node} is no node: of {} lists nodes count from 0",
                                all.len()
                            ))
                        })?;
                    self.options[from].push(to as u32);
                }
                continue;
            }
            let mut nodes = Vec::new();
            for node in edge {
                let name = name_in_json(node).ok_or_else(|| wrong(format!("{node} is no node")))?;
                nodes.push(self.named(&name).map_err(wrong)?);
            }
            match nodes[..] {
                [_] => {}
                [from, to] => self.options[from as usize].push(to),
                _ => {
                    return Err(wrong(format!(
                        "a move leads from one node to another, not {}",
                        Json::from(edge.clone())
                    )));
                }
            }
        }
        Ok(())
    }

    /// Reads an object with a list of options for each node; a node that is only an option has
    /// none.
    fn json(&mut self, text: &str) -> Result<(), NotationError> {
        let wrong = |message: String| NotationError::new(text, 0..0, message, ACCEPTED);
        let Entries(entries) = serde_json::from_str(text).map_err(|error| {
            let start: usize =
                text.split_inclusive('\n').take(error.line().max(1) - 1).map(str::len).sum();
            let at = (start + error.column().saturating_sub(1)).min(text.len());
            let at = (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
            NotationError::new(text, at..at, format!("no JSON of a graph: {error}"), ACCEPTED)
        })?;
        let mut seen = vec![false; 0];
        for (name, options) in &entries {
            let from = self.named(name).map_err(wrong)?;
            seen.resize(self.names.len().max(seen.len()), false);
            if std::mem::replace(&mut seen[from as usize], true) {
                return Err(wrong(format!("the node {name} is stated twice")));
            }
            for option in options {
                let option = name_in_json(option)
                    .ok_or_else(|| wrong(format!("the option {option} of {name} is no node")))?;
                let to = self.named(&option).map_err(wrong)?;
                self.options[from as usize].push(to);
            }
        }
        Ok(())
    }

    fn named(&mut self, name: &str) -> Result<u32, String> {
        if is_name(name) {
            Ok(self.node(name))
        } else {
            Err(format!("`{name}` is no name of a node"))
        }
    }

    /// Returns the number of moves of the longest line of play from each node; `None` if there is a
    /// cycle.
    fn ranks(&self) -> Option<Vec<u32>> {
        const OPEN: u32 = u32::MAX;
        const NEW: u32 = u32::MAX - 1;
        let mut ranks = vec![NEW; self.names.len()];
        for root in 0..self.names.len() as u32 {
            if ranks[root as usize] != NEW {
                continue;
            }
            ranks[root as usize] = OPEN;
            // Nodes of the line, each with the number of its options that are done.
            let mut line = vec![(root, 0)];
            while let Some((node, done)) = line.last_mut() {
                let (at, options) = (*node as usize, &self.options[*node as usize]);
                match options.get(*done) {
                    Some(next) => {
                        *done += 1;
                        match ranks[*next as usize] {
                            NEW => {
                                ranks[*next as usize] = OPEN;
                                line.push((*next, 0));
                            }
                            OPEN => return None,
                            _ => {}
                        }
                    }
                    None => {
                        let longest =
                            options.iter().map(|option| ranks[*option as usize] + 1).max();
                        ranks[at] = longest.unwrap_or(0);
                        line.pop();
                    }
                }
            }
        }
        Some(ranks)
    }
}

/// The entries of an object in their order, also those with the same key.
struct Entries(Vec<(String, Vec<Json>)>);

impl<'de> serde::Deserialize<'de> for Entries {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Entries, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Entries;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object with a list of options for each node")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<Entries, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        from.deserialize_map(Visitor)
    }
}

/// Returns the name of a node in JSON: a string or a number.
fn name_in_json(node: &Json) -> Option<String> {
    match node {
        Json::String(name) => Some(name.clone()),
        Json::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Returns whether a text can be the name of a node: it holds no sign that separates positions.
pub(crate) fn is_name(name: &str) -> bool {
    !name.is_empty() && name.trim() == name && !name.contains(|c: char| c == '+' || c.is_control())
}

impl OwnGame for Graph {
    fn name(&self) -> &str {
        &self.0.source.name
    }

    fn source(&self) -> Arc<RuleSource> {
        self.0.source.clone()
    }

    fn game(&self) -> Box<dyn Game> {
        match self.0.ranks {
            Some(_) => impartial(self.clone()),
            None => with_evaluator::<Graph, ByRemoteness<Graph>>(self.clone()),
        }
    }
}

impl Ruleset for Graph {
    type Position = u32;

    fn options<B>(&self, p: &u32, visit: impl FnMut(u32) -> ControlFlow<B>) -> ControlFlow<B> {
        self.0.options[*p as usize].iter().copied().try_for_each(visit)
    }

    fn rank(&self, p: &u32) -> Option<u64> {
        self.0.ranks.as_ref().map(|ranks| ranks[*p as usize].into())
    }
}

impl Impartial for Graph {}

impl Notation for Graph {
    fn name(&self) -> String {
        self.0.source.name.clone()
    }

    fn describe(&self) -> String {
        let moves: usize = self.0.options.iter().map(Vec::len).sum();
        format!(
            "Move the token along an edge of a graph of {} nodes and {moves} edges.",
            self.0.names.len()
        )
    }

    fn position_form(&self) -> String {
        let shown: Vec<&str> =
            self.0.names.iter().take(MAX_NAMED_NODES).map(String::as_str).collect();
        let more = if self.0.names.len() > MAX_NAMED_NODES { ", …" } else { "" };
        format!("a node: {}{more}", shown.join(", "))
    }

    fn read(&self, text: &str) -> Result<u32, NotationError> {
        self.0.numbers.get(text.trim()).copied().ok_or_else(|| {
            let message = format!("the graph has no node `{}`", text.trim());
            NotationError::new(text, 0..text.len(), message, self.position_form())
        })
    }

    fn print(&self, p: &u32) -> String {
        self.0.names[*p as usize].clone()
    }

    fn all(&self) -> Option<Vec<u32>> {
        Some((0..self.0.names.len() as u32).collect())
    }

    fn rule_files(&self) -> Vec<Arc<RuleSource>> {
        vec![self.0.source.clone()]
    }
}

impl Coordinates for Graph {}

impl Appearance for Graph {
    fn board(&self, p: &u32) -> Board {
        let options: Vec<&str> =
            self.0.options[*p as usize].iter().map(|q| &*self.0.names[*q as usize]).collect();
        let name = &self.0.names[*p as usize];
        // The token and where it can go, if these are few.
        const MAX_LISTED: usize = 12;
        let goes: Vec<&str> = options.iter().copied().filter(|option| option != name).collect();
        if !goes.is_empty() && goes.len() <= MAX_LISTED {
            let edges = (1..=goes.len())
                .map(|to| GraphEdge { ends: [0, to], kind: EdgeKind::Arc })
                .collect();
            let nodes = std::iter::once(&**name).chain(goes).map(str::to_owned).collect();
            return Board::Graph(GraphBoard {
                nodes,
                edges,
                token: Some(0),
                stand: GraphStand::Free,
                takes_nodes: true,
                takes_edges: false,
            });
        }
        Board::Text(if options.is_empty() {
            format!("{name}, from which no edge leads")
        } else {
            format!("{name} → {}", options.join(", "))
        })
    }
}
