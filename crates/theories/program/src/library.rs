//! Functions on boards and graphs that every program may call.
//!
//! `summands` and `canonical` of most games on boards and graphs are regions, images and connected
//! parts. Stated in the language they cost more than the search itself. A program that defines a
//! function of the same name has its own.
//!
//! Boards are texts of rows of squares with `/` between. Graphs are lists of edges `[a, b]` and of
//! nodes without edges `[a]`; nodes are integers or texts. Every function takes time in proportion
//! to its argument, but for logarithms and for [`MAX_REFINED`].

use crate::script::{dynamic, look, value};
use crate::value::{TextForm, Value};
use rhai::{Array, Dynamic, Engine, EvalAltResult};
use std::collections::BTreeSet;

type ScriptError = Box<EvalAltResult>;
type Squares = Vec<Vec<char>>;

/// Edges and nodes that are looked at to tell the nodes of a graph apart.
const MAX_REFINED: usize = 1 << 18;

/// Adds the functions to an engine.
pub(crate) fn register(engine: &mut Engine) {
    engine.register_fn("board_regions", board_regions);
    engine.register_fn("least_image", |board: &str| least_image(board, true));
    engine.register_fn("least_reflection", |board: &str| least_image(board, false));
    engine.register_fn("least_image", least_of_width);
    engine.register_fn("side_by_side", side_by_side);
    engine.register_fn("at_most", at_most);
    engine.register_fn("connected_parts", connected_parts);
    engine.register_fn("renumbered", renumbered);
    engine.register_fn("graph_nodes", |graph: Array| {
        Graph::new(graph).map(|graph| graph.nodes.iter().map(dynamic).collect::<Array>())
    });
    engine.register_fn("neighbours", neighbours);
    engine.register_fn("without_nodes", without_nodes);
    engine.register_fn("named_graph", |text: &str| match named_graph(text) {
        Some(edges) => Ok::<_, ScriptError>(
            edges.map_err(fault)?.iter().map(|edge| graph_edge(edge)).collect::<Array>().into(),
        ),
        None => Ok(Dynamic::UNIT),
    });
}

fn fault(message: impl Into<String>) -> ScriptError {
    message.into().into()
}

/// The most nodes of a graph that is given by its name.
const MAX_NAMED: u32 = 1000;

/// Returns the edges, and the nodes without edges, of a graph that people name: `P5`, `path 5`,
/// `C5`, `cycle 5`, `K5`, `K3,3`, `petersen`; `None` of another text.
fn named_graph(text: &str) -> Option<Result<Vec<Vec<u32>>, String>> {
    let text = text.trim().to_ascii_lowercase();
    let text = text.strip_suffix(" graph").unwrap_or(&text);
    if text == "petersen" {
        let at = |n: u32| n % 5 + 1;
        let all = (0..5).flat_map(|n| {
            [vec![at(n), at(n + 1)], vec![at(n), n + 6], vec![n + 6, (n + 2) % 5 + 6]]
        });
        return Some(Ok(all.collect()));
    }
    let words = [("path ", 'p'), ("cycle ", 'c'), ("circle ", 'c'), ("complete ", 'k')];
    let word = words.iter().find_map(|(word, kind)| Some((*kind, text.strip_prefix(word)?)));
    let letter =
        || ['p', 'c', 'k'].into_iter().find_map(|kind| Some((kind, text.strip_prefix(kind)?)));
    let (kind, numbers) = word.or_else(letter)?;
    let sizes: Option<Vec<u32>> = numbers.split(',').map(|size| size.trim().parse().ok()).collect();
    let sizes = sizes.filter(|sizes| sizes.len() == 1 || kind == 'k' && sizes.len() == 2)?;
    let least = if kind == 'c' { 3 } else { 1 };
    if sizes.iter().any(|size| !(least..=MAX_NAMED).contains(size)) {
        return Some(Err(format!("`{numbers}` is not from {least} to {MAX_NAMED}")));
    }
    let edges: Vec<Vec<u32>> = match (kind, &sizes[..]) {
        (_, [1]) => vec![vec![1]],
        ('k', [n]) => (1..=*n).flat_map(|a| (a + 1..=*n).map(move |b| vec![a, b])).collect(),
        ('k', [m, n]) => (1..=*m).flat_map(|a| (1..=*n).map(move |b| vec![a, m + b])).collect(),
        (_, [n]) => {
            let path = (1..*n).map(|a| vec![a, a + 1]);
            path.chain((kind == 'c').then(|| vec![*n, 1])).collect()
        }
        _ => return None,
    };
    Some(Ok(edges))
}

/// Returns an edge, or a node without edges, as programs have it.
fn graph_edge(nodes: &[u32]) -> Dynamic {
    nodes.iter().map(|node| Dynamic::from(i64::from(*node))).collect::<Array>().into()
}

/// Reads a board.
fn squares(board: &str) -> Result<Squares, ScriptError> {
    look()?;
    let rows: Squares = board.split('/').map(|row| row.chars().collect()).collect();
    if rows.iter().any(|row| row.len() != rows[0].len()) {
        return Err(fault("the rows of a board have the same length"));
    }
    Ok(rows)
}

/// Writes a board.
fn text(rows: &[Vec<char>]) -> String {
    let rows: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
    rows.join("/")
}

/// Returns the board with its columns as rows.
fn transposed(rows: &[Vec<char>]) -> Squares {
    (0..rows[0].len()).map(|c| rows.iter().map(|row| row[c]).collect()).collect()
}

/// Returns the images of a board under the reflections that keep rows and columns, and, if
/// `turned`, under those and the quarter turns.
fn images(mut rows: Squares, turned: bool) -> Vec<Squares> {
    let mut all = Vec::with_capacity(8);
    for _ in 0..if turned { 2 } else { 1 } {
        for _ in 0..2 {
            for _ in 0..2 {
                all.push(rows.clone());
                rows.reverse();
            }
            rows.iter_mut().for_each(|row| row.reverse());
        }
        rows = transposed(&rows);
    }
    all
}

/// Returns the image with the shortest text, and of those the least.
fn least_image(board: &str, turned: bool) -> Result<String, ScriptError> {
    let rows = squares(board)?;
    if rows[0].is_empty() {
        return Ok(board.to_owned());
    }
    let texts = images(rows, turned).into_iter().map(|rows| text(&rows));
    Ok(texts.min_by(|a, b| (a.len(), a).cmp(&(b.len(), b))).unwrap_or_default())
}

/// Returns the least image of a board whose rows of `width` squares are written without separators.
/// Quarter turns are images of square boards only.
fn least_of_width(board: &str, width: i64) -> Result<String, ScriptError> {
    let all: Vec<char> = board.chars().collect();
    let width =
        usize::try_from(width).ok().filter(|width| *width > 0 && all.len().is_multiple_of(*width));
    let Some(width) = width else { return Err(fault("the squares do not make whole rows")) };
    let rows: Squares = all.chunks(width).map(<[char]>::to_vec).collect();
    let turned = rows.len() == width;
    if rows.is_empty() {
        return Ok(String::new());
    }
    let texts = images(rows, turned).into_iter().map(|rows| rows.concat().into_iter().collect());
    Ok(texts.min().unwrap_or_default())
}

/// Returns the regions of a board: its squares other than `#` that touch, side by side or one above
/// the other, each cut out of the board, in the order of their first squares.
fn board_regions(board: &str) -> Result<Array, ScriptError> {
    let mut free = squares(board)?;
    let mut parts = Array::new();
    for r in 0..free.len() {
        for c in 0..free[r].len() {
            if free[r][c] != '#' {
                parts.push(region(&mut free, r, c).into());
            }
        }
    }
    Ok(parts)
}

/// Takes the region of a square out of a board, and returns the least board that holds it.
fn region(free: &mut Squares, r: usize, c: usize) -> String {
    let mut found = vec![(r, c, std::mem::replace(&mut free[r][c], '#'))];
    let mut next = 0;
    while let Some(&(y, x, _)) = found.get(next) {
        next += 1;
        for (y, x) in [(y.wrapping_sub(1), x), (y, x.wrapping_sub(1)), (y + 1, x), (y, x + 1)] {
            let Some(square) = free.get_mut(y).and_then(|row| row.get_mut(x)) else { continue };
            if *square != '#' {
                found.push((y, x, std::mem::replace(square, '#')));
            }
        }
    }
    let span = |all: &mut dyn Iterator<Item = usize>| {
        all.fold((usize::MAX, 0), |(low, high), at| (low.min(at), high.max(at)))
    };
    let (top, bottom) = span(&mut found.iter().map(|square| square.0));
    let (left, right) = span(&mut found.iter().map(|square| square.1));
    let mut board = vec![vec!['#'; right - left + 1]; bottom - top + 1];
    for (y, x, square) in found {
        board[y - top][x - left] = square;
    }
    text(&board)
}

/// Returns the boards side by side, a column of `#` between them, shorter ones filled with `#`; of
/// no board a board of one `#`.
fn side_by_side(boards: Array) -> Result<String, ScriptError> {
    let read = |board: Dynamic| match board.into_immutable_string() {
        Ok(board) => squares(&board),
        Err(_) => Err(fault("boards are texts")),
    };
    let boards = boards.into_iter().map(read).collect::<Result<Vec<Squares>, ScriptError>>()?;
    let height = boards.iter().map(Vec::len).max().unwrap_or(1);
    let mut rows = vec![Vec::new(); height];
    for (i, board) in boards.iter().enumerate() {
        for (r, row) in rows.iter_mut().enumerate() {
            if i > 0 {
                row.push('#');
            }
            match board.get(r) {
                Some(squares) => row.extend_from_slice(squares),
                None => row.resize(row.len() + board[0].len(), '#'),
            }
        }
    }
    Ok(if boards.is_empty() { "#".to_owned() } else { text(&rows) })
}

/// Returns a list of integers whose elements from a place on are at most `most`.
fn at_most(mut list: Array, from: i64, most: i64) -> Result<Array, ScriptError> {
    let from = usize::try_from(from).map_err(|_| fault("the first place of a list is 0"))?;
    for element in list.iter_mut().skip(from) {
        let Ok(integer) = element.as_int() else {
            return Err(fault("the list has other elements than integers"));
        };
        if integer > most {
            *element = most.into();
        }
    }
    Ok(list)
}

/// A graph.
struct Graph {
    /// The nodes in order.
    nodes: Vec<Value>,
    /// The edges by the numbers of their nodes.
    edges: Vec<(usize, usize)>,
    /// The edges and single nodes as they were given, with the numbers of their nodes.
    given: Vec<(Dynamic, Vec<usize>)>,
}

impl Graph {
    fn new(graph: Array) -> Result<Graph, ScriptError> {
        look()?;
        let wrong = || {
            fault(
                "a graph is a list of edges [a, b] and of single nodes [a]; nodes are integers or \
                 texts",
            )
        };
        let mut parts = Vec::with_capacity(graph.len());
        for part in graph {
            match value(part.clone(), 1) {
                Ok(Value::List(nodes)) if nodes.len() == 1 || nodes.len() == 2 => {
                    parts.push((part, nodes))
                }
                _ => return Err(wrong()),
            }
        }
        let nodes: BTreeSet<&Value> = parts.iter().flat_map(|(_, nodes)| nodes.iter()).collect();
        let nodes: Vec<Value> = nodes.into_iter().cloned().collect();
        let number = |node: &Value| nodes.binary_search(node).unwrap_or_default();
        let given: Vec<(Dynamic, Vec<usize>)> = parts
            .into_iter()
            .map(|(part, ends)| (part, ends.iter().map(number).collect()))
            .collect();
        let edges = given.iter().filter_map(|(_, ends)| Some((ends[0], *ends.get(1)?))).collect();
        Ok(Graph { nodes, edges, given })
    }

    /// Returns the neighbours of each node, once for every edge.
    fn lists(&self) -> Vec<Vec<usize>> {
        let mut lists = vec![Vec::new(); self.nodes.len()];
        for &(a, b) in &self.edges {
            lists[a].push(b);
            lists[b].push(a);
        }
        lists
    }

    /// Returns the edges without these nodes, and the nodes that are left without an edge.
    fn without(&self, gone: &[bool]) -> Array {
        let mut held = gone.to_vec();
        let mut rest = Array::new();
        for (part, ends) in &self.given {
            if ends.len() == 2 && !ends.iter().any(|end| gone[*end]) {
                ends.iter().for_each(|end| held[*end] = true);
                rest.push(part.clone());
            }
        }
        let alone = self.nodes.iter().zip(&held).filter(|(_, held)| !**held);
        rest.extend(alone.map(|(node, _)| Dynamic::from_array(vec![dynamic(node)])));
        rest
    }

    fn number(&self, node: Dynamic) -> Result<usize, ScriptError> {
        let node = value(node, 0).map_err(|_| fault("nodes are integers or texts"))?;
        self.nodes
            .binary_search(&node)
            .map_err(|_| fault(format!("there is no node {}", node.print(TextForm::Bare))))
    }
}

/// Returns the neighbours of a node, each once, in order.
fn neighbours(graph: Array, node: Dynamic) -> Result<Array, ScriptError> {
    let graph = Graph::new(graph)?;
    let node = graph.number(node)?;
    let ends = graph.edges.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
    let all: BTreeSet<usize> = ends.filter(|(a, b)| *a == node && b != a).map(|(_, b)| b).collect();
    Ok(all.into_iter().map(|b| dynamic(&graph.nodes[b])).collect())
}

/// Returns a graph without some of its nodes and the edges at them. Nodes that lose their last edge
/// are left as single nodes.
fn without_nodes(graph: Array, gone: Array) -> Result<Array, ScriptError> {
    let graph = Graph::new(graph)?;
    let mut is_gone = vec![false; graph.nodes.len()];
    for node in gone {
        is_gone[graph.number(node)?] = true;
    }
    Ok(graph.without(&is_gone))
}

/// Returns the connected parts of a graph, in the order of their first edges.
fn connected_parts(graph: Array) -> Result<Array, ScriptError> {
    let graph = Graph::new(graph)?;
    let lists = graph.lists();
    let mut part_of = vec![usize::MAX; graph.nodes.len()];
    let mut parts: Vec<Array> = Vec::new();
    for (given, ends) in &graph.given {
        if part_of[ends[0]] == usize::MAX {
            let mut open = vec![ends[0]];
            while let Some(node) = open.pop() {
                if part_of[node] == usize::MAX {
                    part_of[node] = parts.len();
                    open.extend(&lists[node]);
                }
            }
            parts.push(Array::new());
        }
        parts[part_of[ends[0]]].push(given.clone());
    }
    Ok(parts.into_iter().map(Dynamic::from_array).collect())
}

/// Returns the graph with its nodes numbered from 0 on, edges and single nodes in order.
///
/// The result is isomorphic to the graph. Nodes are numbered by what is seen from them, so that
/// most graphs that are isomorphic get the same numbers; where nodes look alike, one of them is
/// chosen, and the others are numbered by what they are to it.
fn renumbered(graph: Array) -> Result<Array, ScriptError> {
    let graph = Graph::new(graph)?;
    let lists = graph.lists();
    let mut colours: Vec<usize> = lists.iter().map(Vec::len).collect();
    let mut left = MAX_REFINED;
    loop {
        let count = refine(&lists, &mut colours, &mut left);
        if count == colours.len() {
            break;
        }
        // One of the first nodes that look alike comes before the others.
        let mut sizes = vec![0; colours.len()];
        colours.iter().for_each(|colour| sizes[*colour] += 1);
        let shared = sizes.iter().position(|size| *size > 1).unwrap_or_default();
        let chosen = colours.iter().position(|colour| *colour == shared).unwrap_or_default();
        for (node, colour) in colours.iter_mut().enumerate() {
            *colour = 2 * *colour + usize::from(*colour == shared && node != chosen);
        }
    }
    let mut edges: Vec<Vec<usize>> = graph
        .given
        .iter()
        .map(|(_, ends)| {
            let mut ends: Vec<usize> = ends.iter().map(|end| colours[*end]).collect();
            ends.sort_unstable();
            ends
        })
        .collect();
    edges.sort_unstable();
    let integers =
        |ends: Vec<usize>| ends.into_iter().map(|end| (end as i64).into()).collect::<Array>();
    Ok(edges.into_iter().map(|ends| Dynamic::from_array(integers(ends))).collect())
}

/// Tells nodes apart by the colours around them until no more can be told, or the work is spent:
/// then the nodes that look alike are taken in their order. Returns the number of colours, which
/// are the numbers from 0 on.
fn refine(lists: &[Vec<usize>], colours: &mut [usize], left: &mut usize) -> usize {
    let mut count = 0;
    loop {
        let seen = |node: usize| {
            let mut around: Vec<usize> = lists[node].iter().map(|other| colours[*other]).collect();
            around.sort_unstable();
            (colours[node], around)
        };
        let mut all: Vec<((usize, Vec<usize>), usize)> =
            (0..lists.len()).map(|node| (seen(node), node)).collect();
        all.sort();
        let cost = lists.iter().map(|list| list.len() + 1).sum();
        let spent = *left < cost;
        *left = left.saturating_sub(cost);
        let mut next = 0;
        for i in 0..all.len() {
            if i > 0 && (spent || all[i].0 != all[i - 1].0) {
                next += 1;
            }
            colours[all[i].1] = next;
        }
        let found = if all.is_empty() { 0 } else { next + 1 };
        if found == count || found == lists.len() {
            return found;
        }
        count = found;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;

    /// Evaluates an expression of the language, and prints its value.
    fn shown(expression: &str) -> String {
        let engine = crate::script::engine();
        let found: Result<Dynamic, _> = engine.eval_expression(expression);
        match found {
            Ok(found) => value(found, 4).unwrap().print(TextForm::Bare),
            Err(error) => format!("error: {error}"),
        }
    }

    #[test]
    fn boards() {
        // The shortest text is the one with the fewest rows.
        assert_eq!(shown("least_image(\"ab/cd/ef\")"), "ace/bdf");
        for (image, kept) in [
            ("ab/cd", "ab/cd"),
            ("ba/dc", "ab/cd"),
            ("cd/ab", "ab/cd"),
            ("dc/ba", "ab/cd"),
            ("bd/ac", "ac/bd"),
        ] {
            assert_eq!(shown(&format!("least_image(\"{image}\")")), "ab/cd");
            assert_eq!(shown(&format!("least_reflection(\"{image}\")")), kept);
        }
        assert_eq!(shown("least_image(\"X........\", 3)"), "........X");
        assert_eq!(shown("least_image(\"fedcba\", 3)"), "abcdef");
        assert!(
            shown("least_image(\"abcde\", 3)")
                .contains("error: the squares do not make whole rows")
        );
        assert_eq!(shown("board_regions(\"..#/##./.#L\")"), "[\"..\",\"./L\",\".\"]");
        assert_eq!(shown("board_regions(\"###\")"), "[]");
        assert!(shown("board_regions(\"../.\")").contains("error: the rows"));
        assert_eq!(shown("side_by_side([\"..\", \"./L\"])"), "..#./###L");
        assert_eq!(shown("side_by_side([])"), "#");
        assert!(shown("side_by_side([1])").contains("error: boards are texts"));
        assert_eq!(shown("at_most([5, 4, 3, 1], 1, 2)"), "5,2,2,1");
        assert!(shown("at_most([\"a\"], 0, 2)").contains("error: the list"));
    }

    #[test]
    fn graphs() {
        let graph = "[[3, 1], [1, \"a\"], [7], [4, 5], [5, 4]]";
        assert_eq!(shown(&format!("graph_nodes({graph})")), "[1,3,4,5,7,\"a\"]");
        assert_eq!(shown(&format!("neighbours({graph}, 1)")), "[3,\"a\"]");
        assert_eq!(shown(&format!("neighbours({graph}, 4)")), "[5]");
        assert_eq!(shown(&format!("without_nodes({graph}, [1, 4])")), "[[3],[5],[7],[\"a\"]]");
        assert_eq!(
            shown(&format!("connected_parts({graph})")),
            "[[[3,1],[1,\"a\"]],[[7]],[[4,5],[5,4]]]"
        );
        assert!(shown(&format!("neighbours({graph}, 2)")).contains("error: there is no node 2"));
        for wrong in ["[1]", "[[]]", "[[1, 2, 3]]", "[[[1], 2]]"] {
            assert!(
                shown(&format!("renumbered({wrong})")).contains("error: a graph is"),
                "{wrong}"
            );
        }
        assert_eq!(shown("renumbered([])"), "[]");
    }

    /// The numbers are a permutation of the nodes, and the same for isomorphic graphs of few nodes
    /// whose nodes look different, or are exchanged by a symmetry.
    #[test]
    fn isomorphic_graphs_get_the_same_numbers() {
        let mut lot = fastrand::Rng::with_seed(5);
        let mut below = |bound: u64| lot.u64(..bound);
        for case in 0..60 {
            let nodes = 2 + case % 6;
            let mut edges: Vec<(u64, u64)> = (0..nodes)
                .flat_map(|a| (0..a).map(move |b| (b, a)))
                .filter(|_| below(2) == 0)
                .collect();
            if edges.is_empty() {
                edges.push((0, 1));
            }
            let written = |edges: &[(u64, u64)]| {
                let parts: Vec<String> = edges.iter().map(|(a, b)| format!("[{a}, {b}]")).collect();
                format!("renumbered([{}])", parts.join(", "))
            };
            let first = shown(&written(&edges));
            for _ in 0..4 {
                let mut names: Vec<u64> = (0..nodes).map(|n| 3 * n + 2).collect();
                (1..names.len()).for_each(|i| names.swap(i, below(i as u64 + 1) as usize));
                let mut moved: Vec<(u64, u64)> =
                    edges.iter().map(|(a, b)| (names[*b as usize], names[*a as usize])).collect();
                (1..moved.len()).for_each(|i| moved.swap(i, below(i as u64 + 1) as usize));
                assert_eq!(shown(&written(&moved)), first, "{edges:?}");
            }
            // The degrees, and the number of edges, are those of the graph.
            let degrees = |edges: &[(u64, u64)]| {
                let mut all = vec![0; 32];
                edges
                    .iter()
                    .for_each(|(a, b)| [a, b].into_iter().for_each(|n| all[*n as usize] += 1));
                all.sort_unstable();
                all
            };
            let found: Vec<(u64, u64)> = serde_json::from_str(&first).unwrap_or_else(|_| {
                let flat: Vec<u64> =
                    first.split(',').map(|n| n.trim_matches(['[', ']']).parse().unwrap()).collect();
                flat.chunks(2).map(|ends| (ends[0], ends[1])).collect()
            });
            assert_eq!(degrees(&found), degrees(&edges));
        }
    }
}
