//! Finite graphs: nim-values of their nodes, and graphs that are refused.
#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_engine::Settings;
use bouton_engine::family::OwnGame;
use bouton_program::Graph;

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
        "{\"a\": [\"b\", \"c\"], \"b\": [\"c\"], \"e\": [\"b\"], \"d\": []}",
        "[[\"a\", \"b\"], [\"a\", \"c\"],\n [\"b\", \"c\"], [\"e\", \"b\"], [\"d\"]]",
    ] {
        assert_eq!(values(text), expected, "{text}");
    }
    assert_eq!(values("{\"1\": [2, \"3\"], \"2\": [3]}")[0], ("1".to_owned(), 2));
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
    let (message, at) = refused("a b\nb c\nc a\n");
    assert_eq!(
        (message.as_str(), at.as_str()),
        ("play need not end: a → b → c → a is a cycle of moves", "c a")
    );
    assert!(refused("x x").0.contains("x → x is a cycle"));
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
