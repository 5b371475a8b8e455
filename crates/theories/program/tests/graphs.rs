//! Finite graphs: nim-values of their nodes, and graphs that are refused.
#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_core::{Budget, Meter, Outcome, Play};
use bouton_engine::Settings;
use bouton_engine::family::OwnGame;
use bouton_engine::remoteness::{Remoteness, remoteness};
use bouton_engine::sum::sum;
use bouton_program::{Graph, is_graph};

fn values(text: &str) -> Vec<(String, u32)> {
    let game = Graph::parse(text, Some("dag.edges".as_ref())).unwrap().game();
    let settings = Settings { nim_value_nodes: u64::MAX, ..Settings::default() };
    let mut session = game.session(settings);
    let all = game.all().unwrap();
    all.into_iter()
        .map(|node| {
            let found = session.evaluate(&node).unwrap().unwrap();
            (node, found.nim_value.unwrap().0)
        })
        .collect()
}

fn refused(text: &str) -> (String, String) {
    let error = Graph::parse(text, Some("dag.edges".as_ref())).unwrap_err();
    (error.message, error.text[error.at].to_owned())
}

#[test]
fn values_of_nodes_by_hand() {
    // c and d have no option: 0; b → c: 1; a → b, c: 2; e → b: 0.
    let expected = [("a", 2), ("b", 1), ("c", 0), ("e", 0), ("d", 0)]
        .map(|(node, value)| (node.to_owned(), value));
    for text in [
        "a b\na c\nb c\ne b\nd\n",
        "# a comment\na -> b\na,c\n\nb\tc\na b\ne b # again\nd",
        "a>b\na>c\nb>c\ne>b\nd\n",
        "\u{feff}a b\r\na c\r\nb c\r\ne b\r\nd\r\n",
        "{\"a\": [\"b\", \"c\"], \"b\": [\"c\"], \"e\": [\"b\"], \"d\": []}",
        "[[\"a\", \"b\"], [\"a\", \"c\"],\n [\"b\", \"c\"], [\"e\", \"b\"], [\"d\"]]",
    ] {
        assert_eq!(values(text), expected, "{text}");
    }
    assert_eq!(values("{\"1\": [2, \"3\"], \"2\": [3]}")[0], ("1".to_owned(), 2));
    // 3 has no option: 0; 1 → 3 and 2 → 3: 1; 0 → 1, 2, 3: 2.
    let by_number =
        [("0", 2), ("1", 1), ("2", 1), ("3", 0)].map(|(node, value)| (node.to_owned(), value));
    assert_eq!(values("[[1,2,3],[3],[3],[]]"), by_number);
    assert!(refused("[[1],[2],[]  ,[4]]").0.contains("4 is no node"));
}

/// Whether the player to move can force a win in at most this many moves, by the rules alone.
fn forces(options: &[Vec<usize>], play: Play, node: usize, moves: usize) -> bool {
    let is_end_won = options[node].is_empty() && play == Play::Misere;
    let leads = |to: &usize| is_lost(options, play, *to, moves - 1);
    is_end_won || moves > 0 && options[node].iter().any(leads)
}

/// Whether the other player can, whatever the player to move does.
fn is_lost(options: &[Vec<usize>], play: Play, node: usize, moves: usize) -> bool {
    let Some((first, others)) = options[node].split_first() else { return play == Play::Normal };
    let is_won = |to: &usize| forces(options, play, *to, moves - 1);
    moves > 0 && is_won(first) && others.iter().all(is_won)
}

/// Graphs with and without cycles: outcomes, draws and how long play lasts, in both plays.
#[test]
fn outcomes_by_forced_play() {
    let mut state = 43_u64;
    let mut lot = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % below
    };
    let mut drawn = 0;
    for _ in 0..150 {
        let nodes = 1 + lot(7) as usize;
        let mut options = vec![Vec::new(); nodes];
        for _ in 0..lot(2 * nodes as u64 + 1) {
            options[lot(nodes as u64) as usize].push(lot(nodes as u64) as usize);
        }
        let text: String = options.iter().enumerate().fold(String::new(), |text, (node, to)| {
            let to: Vec<String> = to.iter().map(ToString::to_string).collect();
            format!("{text}{node}: {}\n", to.join(" "))
        });
        let game = Graph::parse(&text, Some("walk.edges".as_ref())).unwrap().game();
        for play in [Play::Normal, Play::Misere] {
            let mut session = game.session(Settings { play, ..Settings::default() });
            for node in 0..nodes {
                // A win is forced in fewer moves than there are nodes, or never.
                let wins = (0..=nodes).find(|moves| forces(&options, play, node, *moves));
                let loses = (0..=nodes).find(|moves| is_lost(&options, play, node, *moves));
                let expected = match (wins, loses) {
                    (Some(moves), None) => {
                        Some(Remoteness { outcome: Outcome::N, moves: moves as u32 })
                    }
                    (None, Some(moves)) => {
                        Some(Remoteness { outcome: Outcome::P, moves: moves as u32 })
                    }
                    (None, None) => None,
                    both => panic!("{text}{node}: {both:?}"),
                };
                let found = session.analyse(&node.to_string()).unwrap();
                let outcome = expected.map(|expected| expected.outcome);
                assert_eq!(found.evaluation.outcome, outcome, "{text}{node} {play}");
                assert_eq!(found.evaluation.is_draw, expected.is_none(), "{text}{node} {play}");
                drawn += usize::from(expected.is_none());
                let mut graph = game.graph();
                let number = graph.read(&node.to_string()).unwrap();
                let mut meter = Meter::new(&Budget::default());
                let lasts = remoteness(&mut *graph, &[number], play, &mut meter).unwrap();
                assert_eq!(lasts, [expected], "{text}{node} {play}");
            }
        }
    }
    assert!(drawn > 100, "{drawn} draws");
}

/// The outcomes of all nodes, by rounds: a node is decided as soon as its options decide it.
fn by_rounds(options: &[Vec<usize>], play: Play) -> Vec<Option<Outcome>> {
    let mut known: Vec<Option<Outcome>> =
        options.iter().map(|to| to.is_empty().then(|| play.terminal())).collect();
    for _ in options {
        known = options
            .iter()
            .zip(&known)
            .map(|(to, before)| match before {
                None if to.iter().any(|to| known[*to] == Some(Outcome::P)) => Some(Outcome::N),
                None if to.iter().all(|to| known[*to] == Some(Outcome::N)) => Some(Outcome::P),
                before => *before,
            })
            .collect();
    }
    known
}

/// Sums of two graphs and a heap of Nim, of which the first may have cycles.
#[test]
fn sums_with_cycles_by_rounds() {
    let mut state = 47_u64;
    let mut lot = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % below
    };
    let mut drawn = 0;
    for _ in 0..60 {
        let mut graph = |nodes: usize, may_return: bool| {
            let mut options = vec![Vec::new(); nodes];
            for _ in 0..lot(2 * nodes as u64 + 1) {
                let (a, b) = (lot(nodes as u64) as usize, lot(nodes as u64) as usize);
                if may_return || a < b {
                    options[a].push(b);
                }
            }
            options
        };
        let parts = [graph(5, true), graph(4, true), vec![vec![], vec![0], vec![0, 1]]];
        let games: Vec<_> = parts
            .iter()
            .map(|options| {
                let lines = options.iter().enumerate().map(|(node, to)| {
                    let to: Vec<String> = to.iter().map(ToString::to_string).collect();
                    format!("{node}: {}\n", to.join(" "))
                });
                let text: String = lines.collect();
                Graph::parse(&text, Some("part.edges".as_ref())).unwrap().game()
            })
            .collect();
        let game = sum(&games).unwrap();
        let number = |at: [usize; 3]| (at[0] * 4 + at[1]) * 3 + at[2];
        let all = (0..5).flat_map(|a| (0..4).flat_map(move |b| (0..3).map(move |c| [a, b, c])));
        let all: Vec<[usize; 3]> = all.collect();
        let options: Vec<Vec<usize>> = all
            .iter()
            .map(|at| {
                let moves = (0..3).flat_map(|part| {
                    let to = parts[part][at[part]].iter();
                    to.map(move |to| (part, *to)).collect::<Vec<_>>()
                });
                moves
                    .map(|(part, to)| {
                        let mut after = *at;
                        after[part] = to;
                        number(after)
                    })
                    .collect()
            })
            .collect();
        for play in [Play::Normal, Play::Misere] {
            let mut session = game.session(Settings { play, ..Settings::default() });
            for (at, expected) in all.iter().zip(by_rounds(&options, play)) {
                let text = format!("{} + {} + {}", at[0], at[1], at[2]);
                let found = session.analyse(&text).unwrap().evaluation;
                assert_eq!(found.outcome, expected, "{parts:?} {text} {play}");
                assert_eq!(found.is_draw, expected.is_none(), "{parts:?} {text} {play}");
                drawn += usize::from(expected.is_none());
            }
        }
    }
    assert!(drawn > 1000, "{drawn} draws");
}

/// A winning move that only puts the end off is not the first.
#[test]
fn the_soonest_win_comes_first() {
    // a may go to z and win, or to b, from where the other can only come back.
    let game = Graph::parse("a b\na z\nb a\n", Some("walk.edges".as_ref())).unwrap().game();
    let mut session = game.session(Settings::default());
    let found = session.analyse("a").unwrap();
    let to: Vec<&str> = found.moves.iter().map(|m| &*m.to).collect();
    assert_eq!((found.evaluation.outcome, to), (Some(Outcome::N), vec!["z", "b"]));
    assert!(found.moves.iter().all(|m| m.evaluation.outcome == Some(Outcome::P)));
}

#[test]
fn a_long_line_needs_no_stack() {
    let text: String = (0..100_000).map(|i| format!("{i} {}\n", i + 1)).collect();
    let found = values(&text);
    assert!(
        found.iter().all(|(node, value)| (100_000 - node.parse::<u32>().unwrap()) % 2 == *value)
    );
}

#[test]
fn bad_graphs_are_refused() {
    assert_eq!(refused("a b\na b c\n"), ("a line names 3 nodes".to_owned(), "a b c".to_owned()));
    assert!(refused("{\"a\": [\"b\"], \"a\": []}").0.contains("stated twice"));
    assert!(refused("{\"a\": [1.5, true]}").0.contains("no node"));
    assert!(refused("{\"a\": \"b\"}").0.contains("no JSON of a graph"));
    assert!(refused("{\"a\": [").0.contains("no JSON of a graph"));
    assert!(
        refused("[[1, 2, 3]]").0.contains("a move leads from one node to another, not [1,2,3]")
    );
    assert!(refused("[[1, [2]]]").0.contains("[2] is no node"));
    assert!(refused("[1, 2]").0.contains("no JSON of a list of moves"));
    // Other notations are not read as names of nodes.
    assert!(refused("a -> b;\nb -> c;\n").0.contains("`b;` is no name of a node"));
    assert!(refused("graph {\na -- b\n}\n").0.contains("no direction"));
    assert!(refused("1-2\n2-3\n").0.contains("no line names two nodes; `1-2` is one"));
    assert!(refused("").0.contains("no node"));
    assert!(refused("a+b c").0.contains("no name of a node"));
    let game = Graph::parse("a b", Some("dag.edges".as_ref())).unwrap().game();
    assert!(game.normal_form("c").unwrap_err().message.contains("no node `c`"));
}

/// Names of columns above edges are no move, unless an arrow or another line says that they are
/// nodes; a line of comment is no node.
#[test]
fn names_of_columns_and_comments_are_no_nodes() {
    for (text, first) in [("source,target\na,b\nb,c", "source,target"), ("From To\n1 2", "From To")]
    {
        let (message, at) = refused(text);
        assert!(message.contains("name the columns"), "{text}: {message}");
        assert_eq!(at, first);
    }
    for (text, expected) in [
        ("source -> target\na,b\nb,c", 5),
        ("source,target\nb,source\nb,c", 4),
        ("source target", 2),
        ("// moves of a game\na b\nb c", 3),
        ("a b # and\n  // so on\nb c", 3),
    ] {
        assert_eq!(values(text).len(), expected, "{text}");
    }
}

/// The text of a graph is neither taken for a rule file nor for the name of a file.
#[test]
fn a_text_is_a_graph_or_not() {
    for text in [
        "a b\nb c",
        "a: b c",
        "a -> b",
        "# x = y\n1 2\n2 3",
        "{\"a\": []}",
        "[[1, 2], []]",
        "digraph { a -> b }",
    ] {
        assert!(is_graph(text), "{text}");
    }
    for text in
        ["name = \"x\"\nheaps = 1", "[published]\ntitle = \"x\"", "graph.edges", "my game", ""]
    {
        assert!(!is_graph(text), "{text}");
    }
}
