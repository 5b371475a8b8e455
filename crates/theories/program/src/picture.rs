//! Boards that programs give: a text, or a map that says what there is.

use crate::script::kind_of;
use bouton_core::{Board, Card, EdgeKind, GraphBoard, GraphEdge, GraphStand};
use rhai::{Dynamic, Map};

/// The keys of a graph.
const GRAPH: &[&str] = &["nodes", "edges", "token", "ground", "arcs", "levels", "take"];

/// Returns the board that a program gave, or what is wrong with it.
pub(crate) fn board(given: Dynamic) -> Result<Board, String> {
    if !given.is_map() {
        let kind = kind_of(given.type_name());
        let text = given
            .into_immutable_string()
            .map_err(|_| format!("gave {kind}, not a text or a map"))?;
        return Ok(Board::Text(text.to_string()));
    }
    let mut map = given.try_cast::<Map>().ok_or("gave no map")?;
    if let Some(heaps) = map.remove("heaps") {
        nothing_else(&map, &[])?;
        return Ok(Board::Row(numbers("heaps", heaps)?));
    }
    if let Some(heaps) = map.remove("circle") {
        nothing_else(&map, &[])?;
        return Ok(Board::Ring(numbers("circle", heaps)?));
    }
    if let Some(rows) = map.remove("pins") {
        nothing_else(&map, &[])?;
        return Ok(Board::Pins(numbers("pins", rows)?));
    }
    if let Some(sheets) = map.remove("sheets") {
        nothing_else(&map, &[])?;
        let size = |sheet: Dynamic| match numbers("sheets", sheet)?[..] {
            [rows, columns] => Ok((rows, columns)),
            _ => Err("gave a sheet without two sides".to_owned()),
        };
        return Ok(Board::Sheets(
            list("sheets", sheets)?.into_iter().map(size).collect::<Result<_, _>>()?,
        ));
    }
    if let Some(cards) = map.remove("cards") {
        nothing_else(&map, &["note", "counts"])?;
        let names: Vec<String> = list("cards", cards)?.into_iter().map(name).collect();
        let counts = match map.remove("counts") {
            Some(counts) => numbers("counts", counts)?,
            None => vec![1; names.len()],
        };
        if counts.len() != names.len() {
            return Err(format!("gave {} cards and {} counts", names.len(), counts.len()));
        }
        let cards =
            names.into_iter().zip(counts).map(|(name, count)| Card { name, count }).collect();
        return Ok(Board::Cards { cards, note: map.remove("note").map_or(String::new(), name) });
    }
    nothing_else(&map, GRAPH)?;
    graph(map).map(Board::Graph)
}

/// Reads a graph: its edges as pairs of nodes, with 0 for Left or 1 for Right behind them where the
/// players differ; and other nodes.
fn graph(mut map: Map) -> Result<GraphBoard, String> {
    let mut nodes: Vec<String> = Vec::new();
    let number = |nodes: &mut Vec<String>, name: String| {
        nodes.iter().position(|own| *own == name).unwrap_or_else(|| {
            nodes.push(name);
            nodes.len() - 1
        })
    };
    let ground = map.remove("ground").map(|ground| number(&mut nodes, name(ground)));
    for node in map.remove("nodes").map_or(Ok(Vec::new()), |nodes| list("nodes", nodes))? {
        number(&mut nodes, name(node));
    }
    let mut is_set = |key: &str| map.remove(key).is_some_and(|set| set.as_bool() == Ok(true));
    let plain = if is_set("arcs") { EdgeKind::Arc } else { EdgeKind::Plain };
    let levels = is_set("levels");
    let mut edges = Vec::new();
    for edge in map.remove("edges").map_or(Ok(Vec::new()), |edges| list("edges", edges))? {
        let mut parts = list("edges", edge)?.into_iter();
        let first = parts.next().ok_or("gave an edge without nodes")?;
        let first = number(&mut nodes, name(first));
        // A node alone.
        let Some(second) = parts.next() else { continue };
        let second = number(&mut nodes, name(second));
        let kind = match parts.next().map(|side| side.as_int()) {
            None => plain,
            Some(Ok(0)) => EdgeKind::Left,
            Some(Ok(1)) => EdgeKind::Right,
            Some(_) => return Err("gave an edge whose side is neither 0 nor 1".into()),
        };
        edges.push(GraphEdge { ends: [first, second], kind });
    }
    let token = map.remove("token").map(|token| number(&mut nodes, name(token)));
    let (takes_nodes, takes_edges) = match map.remove("take").map(name).as_deref() {
        None | Some("nodes") => (true, false),
        Some("edges") => (false, true),
        Some("both") => (true, true),
        Some(other) => return Err(format!("gave `{other}`; take nodes, edges or both")),
    };
    let stand = match ground {
        Some(ground) => GraphStand::Ground(ground),
        None if levels => GraphStand::Levels,
        None => GraphStand::Free,
    };
    Ok(GraphBoard { nodes, edges, token, stand, takes_nodes, takes_edges })
}

/// Returns an error if a map has other keys than these.
fn nothing_else(map: &Map, keys: &[&str]) -> Result<(), String> {
    match map.keys().find(|key| !keys.contains(&key.as_str())) {
        None => Ok(()),
        Some(key) => Err(format!("gave a map with the key `{key}`")),
    }
}

/// Returns the elements of a list.
fn list(key: &str, given: Dynamic) -> Result<Vec<Dynamic>, String> {
    let kind = kind_of(given.type_name());
    given.into_array().map_err(|_| format!("gave {kind} as {key}, not a list"))
}

/// Returns a list of numbers that are not negative.
fn numbers(key: &str, given: Dynamic) -> Result<Vec<u32>, String> {
    let number = |given: Dynamic| {
        let number = given.as_int().ok().and_then(|number| u32::try_from(number).ok());
        number.ok_or_else(|| format!("gave {given} among {key}, not a number"))
    };
    list(key, given)?.into_iter().map(number).collect()
}

/// Returns how a value is written.
fn name(given: Dynamic) -> String {
    given.to_string()
}
