//! Strategy trees are strategies by the rules alone: every way down the figure is a line of play,
//! the loser's replies are complete, and the winner's last move ends each line.
#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_core::Play;
use bouton_draw::tree::{NodeState, Side, Tree, TreeLimits};
use bouton_engine::Game;
use bouton_engine::game::{Kind, Settings};
use std::collections::HashSet;

fn grow(
    game: &str,
    position: Option<&str>,
    play: Play,
    limits: TreeLimits,
) -> (Box<dyn Game>, Tree) {
    let named = bouton_games::parse(game).unwrap();
    let position = position.map(str::to_owned).or(named.position).or(named.game.start()).unwrap();
    let tree =
        Tree::build(&*named.game, &position, Settings { play, ..Settings::default() }, limits)
            .unwrap();
    (named.game, tree)
}

/// Returns the options by the rules, as texts.
fn options(game: &dyn Game, position: &str) -> Vec<String> {
    let settings = Settings { nim_value_nodes: 0, ..Settings::default() };
    game.session(settings).analyse(position).unwrap().moves.into_iter().map(|m| m.to).collect()
}

fn label(game: &dyn Game, position: &str) -> String {
    match game.board(position).unwrap() {
        bouton_core::Board::Track { token, .. } => token.to_string(),
        _ => position.to_owned(),
    }
}

/// Replays every line of play, and returns the lengths of the lines that end.
fn replay(game: &dyn Game, tree: &Tree) -> HashSet<usize> {
    let mut lengths = HashSet::new();
    let mut todo = vec![(0usize, tree.position.clone(), 0usize)];
    while let Some((at, position, moves)) = todo.pop() {
        let node = &tree.nodes[at];
        assert_eq!(node.label, label(game, &position));
        if node.state == NodeState::Cut {
            continue;
        }
        let options = options(game, &position);
        if options.is_empty() {
            assert_eq!(node.state, NodeState::Over);
            let stuck_wins = tree.play == Play::Misere;
            assert_eq!(node.to_move == tree.winner, stuck_wins, "{position}");
            lengths.insert(moves);
            continue;
        }
        let mut drawn: Vec<String> = Vec::new();
        for edge in &node.edges {
            assert_eq!((edge.by, edge.diamonds), (node.to_move, 0));
            let wanted = &tree.nodes[edge.to].label;
            let found: Vec<&String> =
                options.iter().filter(|q| label(game, q) == *wanted).collect();
            assert_eq!(found.len(), 1, "{position} → {wanted}");
            drawn.push(found[0].clone());
            todo.push((edge.to, found[0].clone(), moves + 1));
        }
        if node.to_move == tree.winner {
            assert_eq!(drawn.len(), 1);
        } else {
            drawn.sort();
            let mut all = options;
            all.sort();
            assert_eq!(drawn, all, "all replies from {position}");
        }
    }
    lengths
}

fn plain() -> TreeLimits {
    TreeLimits { diamonds: None, ..TreeLimits::default() }
}

/// Tan & Ward, section 2: Player II wins Γ(1,2;7). After the first move to 1 play ends after four
/// moves in all, after the first move to 2 after six.
#[test]
fn figure_1() {
    let (game, tree) = grow("Gamma(1,2;7)", None, Play::Normal, plain());
    assert_eq!(tree.winner, Side::Second);
    assert_eq!(replay(&*game, &tree), HashSet::from([4, 6]));
    for (cell, moves) in [("1", 4), ("2", 6)] {
        let edge = tree.nodes[0].edges.iter().find(|e| tree.nodes[e.to].label == cell).unwrap();
        let (game, below) = (&*game, Tree { nodes: rooted(&tree, edge.to), ..tree.clone() });
        let start = format!("0,{cell}/{cell}");
        let below = Tree { position: start, ..below };
        assert_eq!(replay(game, &below), HashSet::from([moves - 1]));
    }
}

/// Returns the nodes with this one first.
fn rooted(tree: &Tree, root: usize) -> Vec<bouton_draw::tree::Node> {
    let mut nodes = tree.nodes.clone();
    let swap = |i: usize| {
        if i == root {
            0
        } else if i == 0 {
            root
        } else {
            i
        }
    };
    nodes.swap(0, root);
    nodes.iter_mut().flat_map(|n| &mut n.edges).for_each(|e| e.to = swap(e.to));
    nodes
}

/// Tan & Ward, Theorem 3.1 and Figures 3, 5, 6, 13, 14: the winner of Γ(1,4;n).
#[test]
fn figures_3_5_6_13_14() {
    let cases = [(7, Side::Second), (8, Side::First), (13, Side::First), (18, Side::First)];
    for (n, winner) in
        cases.into_iter().chain([(5, Side::Second), (10, Side::First), (15, Side::Second)])
    {
        let (game, tree) = grow(&format!("Gamma(1,4;{n})"), None, Play::Normal, plain());
        assert_eq!((tree.winner, tree.cut), (winner, 0), "n = {n}");
        replay(&*game, &tree);
    }
}

/// Tan & Ward, proof of Theorem 3.1, Case I: on 5k + 1 cells the diamond strategy ends the game, so
/// runs of diamonds occur. Drawn as one step each, they stand for the same plays.
#[test]
fn runs_of_diamonds_are_counted() {
    let (_, all) = grow("Gamma(1,4;26)", None, Play::Normal, plain());
    let (_, short) = grow("Gamma(1,4;26)", None, Play::Normal, TreeLimits::default());
    let most = short.nodes.iter().flat_map(|n| &n.edges).map(|e| e.diamonds).max();
    assert!(most >= Some(2), "{most:?}");
    assert!(short.nodes.len() < all.nodes.len());
    assert_eq!(short.longest(), all.longest());
}

#[test]
fn other_games_both_conventions() {
    let cases = [
        ("nim", "1,2,3"),
        ("nim", "3,4"),
        ("kayles", "7"),
        ("CN(3,2)", "1,2,2"),
        ("SCN(4,2)", "1,2,1,2"),
        ("NIM(1,3,4;n;d,e)", "9,5,6"),
        ("Gamma(2,3,5;12)", "0,2,5/5"),
        ("kayles + nim", "3 + 2"),
    ];
    for (game, position) in cases {
        for play in [Play::Normal, Play::Misere] {
            let (game, tree) = grow(game, Some(position), play, plain());
            assert_eq!(tree.cut, 0);
            replay(&*game, &tree);
        }
    }
}

#[test]
fn games_on_points_have_trees() {
    let (game, tree) =
        grow("dots(1x2)", None, Play::Normal, TreeLimits { nodes: 10_000, ..plain() });
    assert_eq!(game.kind(), Kind::Scored);
    assert!(tree.nodes.iter().all(|n| n.to_move != tree.winner || n.edges.len() <= 1));
}

#[test]
fn what_is_cut_is_said() {
    for limits in [
        TreeLimits { depth: 3, ..plain() },
        TreeLimits { nodes: 12, ..plain() },
        TreeLimits { analysed: 5, ..plain() },
    ] {
        let (game, tree) = grow("Gamma(1,4;23)", None, Play::Normal, limits);
        assert!(tree.cut > 0 && tree.nodes.len() <= limits.nodes.max(2));
        assert!(tree.description().contains(&format!("Cut at {} positions", tree.cut)));
        replay(&*game, &tree);
    }
}

/// Without a budget there is no tree.
#[test]
fn unknown_winners_have_no_tree() {
    let named = bouton_games::parse("Gamma(1,4;60)").unwrap();
    let budget = bouton_core::Budget { nodes: Some(3), ..Default::default() };
    let settings = Settings { budget, ..Settings::default() };
    assert!(Tree::build(&*named.game, "0/0", settings, TreeLimits::default()).is_err());
}

/// Every writer accepts every tree, and SVG and PNG are well-formed.
#[test]
fn writers() {
    let (_, tree) = grow("Gamma(1,4;26)", None, Play::Normal, TreeLimits::default());
    let picture = bouton_draw::Picture::Tree(tree);
    let svg = picture.svg();
    assert!(
        svg.contains("<title>Winning strategy for Player I, Gamma(1,4;26)")
            && svg.contains("<desc>")
    );
    assert_eq!(&picture.png(1.0).unwrap()[..8], b"\x89PNG\r\n\x1a\n");
    let forest = picture.tikz().unwrap();
    assert_eq!(forest.matches('[').count(), forest.matches(']').count());
    assert!(forest.contains("diamonds, name=") && forest.contains("edge=dashed"));
    let dot = picture.dot().unwrap();
    assert!(dot.starts_with("digraph {") && dot.contains("style=dashed") && dot.contains("◇ ×"));
}
