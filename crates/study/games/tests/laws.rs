//! The laws that every ruleset owes its engines, held on every example of every family and on
//! random positions met in play from there; and every engine compared with a recursion that knows
//! only the options.
#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_core::{Nimber, Outcome, Play, mex};
use bouton_engine::game::{Game, Kind, Settings};
use bouton_engine::game_graph::GameGraph;
use bouton_games::FAMILIES;
use proptest::prelude::*;
use std::collections::{BTreeSet, HashMap};

/// Positions that a test looks at, at most, from one start.
const ENOUGH: usize = 4000;

/// Sums are beside the families: one of each kind.
const SUMS: &[(&str, &str)] = &[
    ("kayles + nim + wythoff", "5 + 2 + 2,3"),
    ("CN(3,2) + Gamma(1,2;5)", "1,2,1 + 0/0"),
    ("NIM(1,3;n;d,e) + nim", "6,4,3 + 3"),
    ("NIM(1,2;n;d,e) + NIM(1,3;n;d,e)", "4,2,3 + 5,3,3"),
];

/// Returns every example: the game and a position.
fn examples() -> Vec<(Box<dyn Game>, String)> {
    let families = FAMILIES.iter().flat_map(|family| family.examples).map(|e| (e.game, e.position));
    let all = families.chain(SUMS.iter().copied());
    all.map(|(name, position)| {
        let game = bouton_games::parse(name).unwrap_or_else(|error| panic!("{name}: {error}")).game;
        let position =
            if position.is_empty() { game.start().expect(name) } else { position.to_owned() };
        (game, position)
    })
    .collect()
}

/// Returns a position met when moves are chosen by the numbers given.
fn after(graph: &mut dyn GameGraph, start: u32, choices: &[u16]) -> u32 {
    choices.iter().fold(start, |node, choice| {
        let options = graph.options(node).unwrap();
        if options.is_empty() { node } else { options[usize::from(*choice) % options.len()] }
    })
}

/// Returns all nodes reachable from `start`, each after those that it reaches; `None` past
/// [`ENOUGH`].
fn reachable(graph: &mut dyn GameGraph, start: u32) -> Option<Vec<u32>> {
    let (mut seen, mut order, mut open) = (BTreeSet::from([start]), Vec::new(), vec![(start, 0)]);
    while let Some((node, next)) = open.pop() {
        match graph.options(node).unwrap().get(next).copied() {
            Some(option) => {
                open.push((node, next + 1));
                if seen.insert(option) {
                    open.push((option, 0));
                }
            }
            None => order.push(node),
        }
        if seen.len() > ENOUGH {
            return None;
        }
    }
    Some(order)
}

/// Returns a start small enough to explore whole: random moves are made until it is.
fn small(graph: &mut dyn GameGraph, mut node: u32, choices: &[u16]) -> Option<(u32, Vec<u32>)> {
    for choice in choices {
        if let Some(all) = reachable(graph, node) {
            return Some((node, all));
        }
        node = after(graph, node, &[*choice]);
    }
    reachable(graph, node).map(|all| (node, all))
}

/// Outcomes from the options alone.
fn plain_outcomes(graph: &mut dyn GameGraph, order: &[u32], play: Play) -> HashMap<u32, Outcome> {
    let mut known: HashMap<u32, Outcome> = HashMap::new();
    for node in order {
        let options = graph.options(*node).unwrap();
        let outcome = if options.is_empty() {
            play.terminal()
        } else if options.iter().any(|option| known[option].is_p()) {
            Outcome::N
        } else {
            Outcome::P
        };
        known.insert(*node, outcome);
    }
    known
}

/// Returns Nim-values from the options alone.
fn plain_values(graph: &mut dyn GameGraph, order: &[u32]) -> HashMap<u32, Nimber> {
    let mut known: HashMap<u32, Nimber> = HashMap::new();
    for node in order {
        let value = mex(graph.options(*node).unwrap().iter().map(|option| known[option]));
        known.insert(*node, value);
    }
    known
}

#[test]
fn names_read_back() {
    for (game, _) in examples() {
        let again = bouton_games::parse(&game.name()).unwrap().game;
        assert_eq!(again.name(), game.name());
        assert_eq!(again.describe(), game.describe());
        assert_eq!(again.start(), game.start());
    }
}

#[test]
fn examples_are_in_normal_form() {
    for family in FAMILIES {
        for example in family.examples {
            let game = bouton_games::parse(example.game).unwrap().game;
            assert_eq!(game.name(), example.game);
            if !example.position.is_empty() {
                assert_eq!(game.normal_form(example.position).unwrap(), example.position);
            }
        }
    }
}

/// Who opens a game that he has never seen should be able to win it.
#[test]
fn openings_are_won_and_in_normal_form() {
    let mut titles = BTreeSet::new();
    for family in FAMILIES {
        let opening = family.opening;
        assert!(titles.insert(family.title) && family.sentence.ends_with('.'), "{}", family.name);
        assert!((family.claims)(opening.game), "{} is of another family", opening.game);
        let game = bouton_games::parse(opening.game).unwrap().game;
        assert_eq!(game.name(), opening.game);
        let at = game
            .start()
            .filter(|_| opening.position.is_empty())
            .unwrap_or(opening.position.to_owned());
        assert_eq!(game.normal_form(&at).unwrap(), at);
        let found = game.session(Settings::default()).evaluate(&at).unwrap().unwrap();
        let wins =
            found.outcome == Some(Outcome::N) || found.margin.is_some_and(|margin| margin > 0);
        assert!(wins, "{} at {at}: {found:?}", opening.game);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn no_text_is_too_strange(game in "[a-zA-Z0-9(),;:=+.{}Γ×>≥!∞ -]{0,24}", position in
        "[0-9,/.|;+x -]{0,16}") {
        if let Err(error) = bouton_games::parse(&game) {
            prop_assert!(error.text.get(error.at.clone()).is_some(), "{error:?}");
        }
        for (game, _) in examples() {
            if let Err(error) = game.normal_form(&position) {
                prop_assert!(error.text.get(error.at.clone()).is_some(), "{error:?}");
                prop_assert!(!error.accepted.is_empty());
            }
        }
    }

    #[test]
    fn misspelt_names_are_refused(cut in any::<u16>(), with in "[a-z0-9(),;=+.-]{0,2}") {
        for family in FAMILIES {
            for example in family.examples {
                let at = usize::from(cut) % (example.game.len() + 1);
                let name = format!("{}{with}{}", &example.game[..at],
                    example.game.get(at + 1..).unwrap_or(""));
                if let Ok(named) = bouton_games::parse(&name) {
                    prop_assert_eq!(bouton_games::parse(&named.game.name()).unwrap().game.name(),
                        named.game.name());
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn rank_falls_and_text_round_trips(choices in prop::collection::vec(any::<u16>(), 0..12)) {
        for (game, position) in examples() {
            let mut graph = game.graph();
            let start = graph.read(&position).unwrap();
            let node = after(&mut *graph, start, &choices);
            let text = graph.print(node);
            prop_assert_eq!(graph.read(&text).unwrap(), node, "{} {}", game.name(), text);
            if let Some(sizes) = game.sizes(&text).unwrap() {
                let position = game.position(&sizes);
                prop_assert_eq!(position.as_deref(), Some(text.as_str()), "{} {:?}", game.name(),
                    sizes);
            }
            for option in graph.options(node).unwrap().to_vec() {
                prop_assert!(falls(graph.rank(node), graph.rank(option)), "{} {}", game.name(),
                    text);
                let text = graph.print(option);
                prop_assert_eq!(graph.read(&text).unwrap(), option, "{} {}", game.name(), text);
                prop_assert!(!graph.move_text(node, option).is_empty());
            }
        }
    }

    #[test]
    fn canonical_is_idempotent_and_keeps_the_options(choices in prop::collection::vec(any::<u16>(),
        0..10)) {
        for (game, position) in examples() {
            let mut graph = game.graph();
            let start = graph.read(&position).unwrap();
            let node = after(&mut *graph, start, &choices);
            let canonical = graph.canonical(node);
            prop_assert_eq!(graph.canonical(canonical), canonical);
            let mut images = |node: u32| -> BTreeSet<u32> {
                graph.options(node).unwrap().to_vec().into_iter().map(|option|
                    graph.canonical(option)).collect()
            };
            prop_assert_eq!(images(node), images(canonical), "{} {:?}", game.name(), choices);
        }
    }

    #[test]
    fn turning_twice_is_nothing(choices in prop::collection::vec(any::<u16>(), 0..10)) {
        for (game, position) in examples() {
            let mut graph = game.graph();
            let start = graph.read(&position).unwrap();
            let node = after(&mut *graph, start, &choices);
            let turned = graph.seen_by_opponent(node);
            prop_assert_eq!(graph.seen_by_opponent(turned), node);
            prop_assert!(game.kind() == Kind::LastMove || turned == node);
        }
    }

    #[test]
    fn engines_agree_with_the_options_alone(choices in prop::collection::vec(any::<u16>(), 40)) {
        for (game, position) in examples().into_iter().filter(|(game, _)| game.kind()
            != Kind::Scored) {
            let mut graph = game.graph();
            let start = graph.read(&position).unwrap();
            let Some((_, order)) = small(&mut *graph, start, &choices) else { continue };
            let values = plain_values(&mut *graph, &order);
            for play in [Play::Normal, Play::Misere] {
                let outcomes = plain_outcomes(&mut *graph, &order, play);
                let mut session = game.session(Settings { play, ..Settings::default() });
                for node in &order {
                    let text = graph.print(*node);
                    let found = session.evaluate(&text).unwrap().unwrap();
                    prop_assert_eq!(found.outcome, Some(outcomes[node]), "{} {} {}", game.name(),
                        text, play);
                    if play == Play::Normal && game.kind() == Kind::Impartial {
                        prop_assert_eq!(found.nim_value, Some(values[node]), "{} {}", game.name(),
                            text);
                    }
                }
                // Outcomes alone, without nim-values.
                let mut session = game.session(Settings {
                    play, nim_value_nodes: 0, ..Settings::default() });
                for node in order.iter().rev().take(50) {
                    let found = session.evaluate(&graph.print(*node)).unwrap().unwrap();
                    prop_assert_eq!(found.outcome, Some(outcomes[node]));
                }
            }
        }
    }

    #[test]
    fn the_value_of_a_sum_is_the_nim_sum(choices in prop::collection::vec(any::<u16>(), 8)) {
        let all: Vec<_> = examples().into_iter().filter(|(game, _)|
            game.kind() == Kind::Impartial).collect();
        let pick = |i: usize| &all[usize::from(choices[i]) % all.len()];
        let ((one, p), (other, q)) = (pick(0), pick(1));
        // Two small positions met in play.
        let met = |game: &dyn Game, position: &str, choices: &[u16]| {
            let mut graph = game.graph();
            let start = graph.read(position).unwrap();
            let node = after(&mut *graph, start, choices);
            let few = reachable(&mut *graph, node).is_some_and(|all| all.len() < 200);
            few.then(|| graph.print(node))
        };
        let (Some(p), Some(q)) = (met(&**one, p, &choices[2..5]), met(&**other, q, &choices[5..]))
            else { return Ok(()) };
        prop_assume!(!one.name().contains('+') && !other.name().contains('+'));
        let sum = bouton_games::parse(&format!("{} + {}", one.name(), other.name())).unwrap().game;
        let mut graph = sum.graph();
        let node = graph.read(&format!("{p} + {q}")).unwrap();
        if let Some(order) = reachable(&mut *graph, node) {
            let whole = plain_values(&mut *graph, &order)[&node];
            let value = |game: &dyn Game, text: &str| {
                let mut session = game.session(Settings::default());
                session.evaluate(text).unwrap().unwrap().nim_value.unwrap()
            };
            prop_assert_eq!(whole, value(&**one, &p) ^ value(&**other, &q));
        }
    }
}

/// Margins from the options alone.
fn plain_margin(game: &dyn Game, position: &str, known: &mut HashMap<String, i32>) -> i32 {
    if let Some(margin) = known.get(position) {
        return *margin;
    }
    // A budget of no nodes: the moves and what they bring, without any search.
    let how = Settings {
        budget: bouton_core::Budget { nodes: Some(0), ..Default::default() },
        ..Settings::default()
    };
    let moves = game.session(how).analyse(position).unwrap().moves;
    let each = moves.iter().map(|m| {
        let brings = m.brings.unwrap();
        let rest = plain_margin(game, &m.to, known);
        brings.gain as i32 + if brings.again { rest } else { -rest }
    });
    let margin = each.max().unwrap_or(0);
    known.insert(position.to_owned(), margin);
    margin
}

#[test]
fn margins_agree_with_the_options_alone() {
    for (name, start) in [
        ("dots(2x2)", None),
        ("dots(1x4)", None),
        ("dots(3x2)", Some("--/|.|/--/|.|/.-/.../..")),
        // The complete bipartite graph of three and three with a string to the ground is not
        // planar.
        ("coins(1-4,1-5,1-6,2-4,2-5,2-6,3-4,3-5,3-6,1-0)", None),
    ] {
        let game = bouton_games::parse(name).unwrap().game;
        let start = start.map_or_else(|| game.start().unwrap(), str::to_owned);
        let mut known = HashMap::new();
        plain_margin(&*game, &start, &mut known);
        let mut session = game.session(Settings::default());
        for (position, margin) in &known {
            assert_eq!(
                session.evaluate(position).unwrap().unwrap().margin,
                Some(*margin),
                "{name} {position}"
            );
        }
        assert!(known.len() >= 200, "{name}: {} positions", known.len());
    }
}

/// Returns whether the law of ranks holds: where a rank is known it falls with every move.
fn falls(before: Option<u64>, after: Option<u64>) -> bool {
    before.is_none_or(|before| after.is_some_and(|after| after < before))
}

/// With more stones than 64 bits hold a rank is unknown, and known as soon as they are fewer.
#[test]
fn ranks_of_large_piles_are_not_clipped() {
    let game = bouton_games::parse("NIM(1,4;n;d,e)").unwrap().game;
    let mut graph = game.graph();
    for (stones, rank) in
        [("18446744073709551616", None), ("18446744073709551615", Some(u64::MAX)), ("10^30", None)]
    {
        let node = graph.read(&format!("{stones},9,9")).unwrap();
        assert_eq!(graph.rank(node), rank, "{stones}");
        let options = graph.options(node).unwrap().to_vec();
        assert_eq!(options.len(), 2);
        assert!(options.into_iter().all(|option| falls(rank, graph.rank(option))), "{stones}");
    }
}
