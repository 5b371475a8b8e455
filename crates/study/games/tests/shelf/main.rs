//! The shelf: every name leads to its game, what is published of the games holds, and positions as
//! people write them are those of the game on its board, played here apart.
#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_core::{LimitReached, Outcome, Play};
use bouton_engine::game::{Kind, Settings};
use bouton_games::{Catalogue, FAMILIES, PROGRAMS, PUBLISHED, RuleFile, Rules, ShelfGame, shelf};
use std::collections::{BTreeSet, HashMap};

mod more;

fn all() -> Catalogue {
    Catalogue::standard().with_programs(bouton_program::read_game)
}

fn parse(text: &str) -> bouton_games::ParsedGame {
    all().parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A program of the shelf ends everywhere, so that a number too large for it is no fault of the
/// rules.
#[test]
fn numbers_too_large_for_a_program_are_unknown() {
    let found =
        parse("euclid").game.session(Settings::default()).analyse("1000000000000000000,1").unwrap();
    assert_eq!(
        (found.evaluation.outcome, found.spent),
        (None, Some(LimitReached::NumbersTooLarge))
    );
}

#[test]
fn games_of_divisors() {
    let values = |game: &str, to: u32| {
        let mut found = Vec::new();
        let game = parse(game).game;
        let mut session = game.session(Settings::default());
        assert_eq!(session.values(to, &mut |_, value| found.push(value.0)), Some(Ok(())));
        found
    };
    // Project Euler 509: the exponent of 2.
    let found = values("divisor", 20_000);
    assert!((1..=20_000u32).all(|n| found[n as usize] == n.trailing_zeros()), "{found:?}");
    // It prints the triples of heaps up to 10 from which who begins wins.
    let divisor = parse("divisor").game;
    let mut session = divisor.session(Settings::default());
    let triples =
        (0..1000u32).map(|n| format!("{},{},{}", n % 10 + 1, n / 10 % 10 + 1, n / 100 + 1));
    let won = triples.filter(|heaps| {
        let found = session.evaluate(heaps).unwrap().unwrap();
        found.outcome == Some(Outcome::N)
    });
    assert_eq!(won.count(), 692);
    // LeetCode 1025: even heaps are won; Codeforces 1537D: odd ones and odd powers of 2 are lost.
    let deleting = values("deleting-divisors", 20_000);
    for n in 1..=20_000u32 {
        let lost = n % 2 == 1 || n.is_power_of_two() && n.trailing_zeros() % 2 == 1;
        assert_eq!(deleting[n as usize] == 0, lost, "{n}");
    }
}

#[test]
fn every_game_can_be_read_and_begun() {
    let groups: BTreeSet<&str> = shelf().groups().iter().map(|group| group.key.as_str()).collect();
    for entry in shelf().games() {
        let named = parse(&entry.name);
        let opening =
            named.opening.unwrap_or_else(|| panic!("{}: no position to begin with", entry.name));
        if !entry.start.is_empty() {
            assert_eq!(
                named.game.normal_form(&entry.start).as_deref(),
                Ok(opening.as_str()),
                "{}",
                entry.name
            );
        }
        assert!(
            entry.sentence().len() > 15 && entry.sentence().trim_end_matches(')').ends_with('.'),
            "{}: {}",
            entry.name,
            entry.sentence()
        );
        let is_told = entry.sentence().contains("misère");
        assert_eq!(entry.misere, is_told, "{}: what is said of misère play", entry.name);
        assert!(!entry.source().is_empty(), "{}", entry.name);
        assert!(groups.contains(entry.group.as_str()), "{}: {}", entry.name, entry.group);
        assert!(
            entry.name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        );
        if let Rules::Program(_) = entry.rules() {
            assert_eq!(named.game.start().unwrap(), opening, "{}", entry.name);
            assert_eq!(named.game.describe(), entry.sentence(), "{}", entry.name);
            let form = entry.positions().unwrap_or_else(|| panic!("{}: no POSITION", entry.name));
            assert!(named.game.position_form().starts_with(form), "{}", entry.name);
        }
        // A game is begun with a move to make.
        if named.game.kind() != Kind::Scored {
            assert!(
                !named.game.graph().options_of(&opening).is_empty(),
                "{} from {opening}",
                entry.name
            );
        }
    }
    assert!(shelf().games().len() >= 150, "{}", shelf().games().len());
}

/// The options of a position, in the game's notation.
trait OptionsOf {
    fn options_of(&mut self, position: &str) -> Vec<String>;
}

impl OptionsOf for Box<dyn bouton_engine::game_graph::GameGraph> {
    fn options_of(&mut self, position: &str) -> Vec<String> {
        let node = self.read(position).unwrap();
        let options = self.options(node).unwrap().to_vec();
        options.into_iter().map(|option| self.print(option)).collect()
    }
}

#[test]
fn no_name_is_that_of_two_games() {
    let mut seen: HashMap<String, &str> = HashMap::new();
    for entry in shelf().games() {
        for name in entry.names() {
            let letters: String =
                name.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
            if let Some(other) = seen.insert(letters, &entry.name) {
                assert_eq!(other, entry.name, "{name}");
            }
            assert_eq!(
                ShelfGame::named(name).map(|found| found.name.as_str()),
                Some(entry.name.as_str()),
                "{name}"
            );
        }
    }
}

#[test]
fn every_published_game_and_every_family_is_there() {
    for (name, _) in PUBLISHED {
        assert!(ShelfGame::named(name).is_some(), "{name}");
    }
    for (name, _) in PROGRAMS {
        let entry = ShelfGame::named(name).unwrap_or_else(|| panic!("{name}"));
        assert!(matches!(entry.rules(), Rules::Program(_)), "{name}");
    }
    // A family is there by one of its games, or by its word for parameters.
    let games: Vec<_> =
        shelf().games().iter().map(|entry| parse(&entry.name).game.name()).collect();
    for family in FAMILIES.iter().filter(|family| family.name != "nim-pile") {
        assert!(games.iter().any(|name| (family.claims)(name)), "{}", family.name);
    }
}

#[test]
fn names_are_read_as_people_write_them() {
    for (text, name, position) in [
        ("Dawson's Chess", "0.137", None),
        ("Dawson’s chess", "0.137", None),
        ("dawson", "0.137", None),
        ("dawsons-kayles", "dawson-kayles", None),
        ("DAWSONS KAYLES", "dawson-kayles", None),
        ("21 flags", "S(1,2,3)", None),
        ("21 flags 13", "S(1,2,3)", Some("13")),
        ("marienbad", "nim", None),
        ("fibonacci nim", "fibonacci-nim", None),
        ("Fibonacci Nim 20", "fibonacci-nim", Some("20,19")),
        ("silver dollar 10,2,6,5", "silver-dollar", Some("2,5,6,10")),
        ("Turning Turtles", "turning-turtles", None),
        ("turning turtles HTTH", "turning-turtles", Some("1,4")),
        ("mark 5", "mark", Some("5")),
        ("laskers-nim", "4.[3]", None),
        ("Lasker’s Nim", "4.[3]", None),
        ("kotzig", "Gamma(1,4;13)", None),
        ("kotzig(1,2;7)", "Gamma(1,2;7)", None),
        ("dots-and-boxes(3x3)", "dots(3x3)", None),
        ("circular nim(6,3)", "CN(6,3)", None),
        ("kayles 20 + nim 7", "kayles + nim", Some("20 + 7")),
        // A number behind a space is a position, also where a name ends in this number.
        ("kayles 3", "kayles", Some("3")),
        ("nim 3 + kayles 3", "nim + kayles", Some("3 + 3")),
        ("kayles-3", "kayles(3)", None),
        ("Kayles3", "kayles(3)", None),
        ("wythoff 2,3", "wythoff", Some("2,3")),
        ("mark 3", "mark", Some("3")),
        ("nim 3-4-5", "nim", Some("3,4,5")),
        ("nim 3;4;5", "nim", Some("3,4,5")),
        ("nim 3, 4 and 5", "nim", Some("3,4,5")),
        ("nim with heaps 3, 4 and 5", "nim", Some("3,4,5")),
        ("marienbad:1 | 3 | 5 | 7", "nim", Some("1,3,5,7")),
        ("mark 5 and 7", "mark + mark", Some("5 + 7")),
        ("chomp 5-4-3", "chomp", Some("5,4,3")),
        // Squares of a chessboard: the corner is a1.
        ("wythoff d7", "wythoff", Some("3,6")),
        ("Corner the queen A1", "wythoff", Some("0,0")),
        ("rook h8", "nim(2)", Some("7,7")),
        ("white knight b10", "white-knight", Some("1,9")),
        // The name of a family alone is its first game.
        ("dots", "dots(2x2)", None),
        ("Circular", "CN(4,2)", None),
        ("21 flags 5 + turning turtles 3", "S(1,2,3) + turning-turtles", Some("5 + 3")),
        ("NIM", "nim", None),
        ("NIM(1,4)", "NIM(1,4;n;d,e)", None),
        ("treblecross X..X.....", "treblecross", Some("3")),
        ("chomp", "chomp", None),
        ("chomp 8x10", "chomp", Some("10,10,10,10,10,10,10,10")),
        ("Chomp:4,4,2", "chomp", Some("4,4,2")),
        ("CRAM 2x3", "cram", Some(".../...")),
        ("node kayles 1-2,2-3", "node-kayles", Some("[[1,2],[2,3]]")),
        ("Node Kayles 3x2", "node-kayles", Some("[[0,1],[0,2],[1,3],[2,3],[2,4],[3,5],[4,5]]")),
        ("Green Hackenbush (()())", "green-hackenbush", Some("[[0,1],[1,2],[1,3]]")),
        ("green hackenbush 0,1,1", "green-hackenbush", Some("[[0,1],[1,2],[1,3]]")),
        ("green hackenbush 0-1,1-2,1-3", "green-hackenbush", Some("[[0,1],[1,2],[1,3]]")),
        ("hackenbush [[0,1,0]]", "red-blue-hackenbush", Some("left:[[0,1,0]]")),
        ("domineering right:2x2", "domineering", Some("right:../..")),
        ("domineering:right:2x2", "domineering", Some("right:../..")),
        ("snort 3 + nim 2", "snort + nim", Some("left:... + 2")),
        ("vertex geography 1;1-2,2-3", "geography", Some("[1,[[1,2],[2,3]]]")),
        ("Sylver coinage 12,4,6", "sylver", Some("[12,[4,6]]")),
        ("Can I Win 3,5", "numbers-once", Some("[5,[1,2,3]]")),
        ("notakto 2", "notakto", Some("[\".........\",\".........\"]")),
        ("divisor game 4,6 + kayles 3", "divisor + kayles", Some("4,6 + 3")),
        ("treblecross-row X..X.....", "treblecross-row", Some("X..X.....")),
        ("flip game ||.|||", "dawson-kayles", Some("2,3")),
        ("flip game ++-+++", "dawson-kayles", Some("2,3")),
        ("flip game:++-+++ + nim:4", "dawson-kayles + nim", Some("2,3 + 4")),
        ("100 game", "bachet", None),
        ("Toads and Frogs TT.FF", "toads-and-frogs", Some("left:TT.FF")),
        ("Nim multiplication 2,3", "turning-corners", Some("[[2,3]]")),
        // Several heaps of a game on one heap are a sum.
        ("mark 5,7", "mark + mark", Some("5 + 7")),
        ("mark[5,7]", "mark + mark", Some("5 + 7")),
        ("mark {5; 7}", "mark + mark", Some("5 + 7")),
        ("take an odd number from 7 and 9", "odd-take + odd-take", Some("7 + 9")),
        ("take at most half from 100, 7", "half-nim + half-nim", Some("100 + 7")),
        ("mark-3:5, 7", "mark-3 + mark-3", Some("5 + 7")),
        (
            "kayles 3 + powers of two 4,6",
            "kayles + powers-of-two + powers-of-two",
            Some("3 + 4 + 6"),
        ),
    ] {
        let named = parse(text);
        assert_eq!(
            (named.game.name().as_str(), named.position.as_deref()),
            (name, position),
            "{text}"
        );
    }
}

#[test]
fn heaps_of_a_game_on_one_heap_are_a_sum() {
    for (game, heaps, name, position) in [
        ("mark", "5,7", "mark + mark", "5 + 7"),
        ("mark", "5, 7", "mark + mark", "5 + 7"),
        ("Mark-3", "2,3,4", "mark-3 + mark-3 + mark-3", "2 + 3 + 4"),
    ] {
        let Some(named) = all().sum_of_heaps(game, heaps) else { panic!("{game} {heaps}") };
        assert_eq!((named.game.name().as_str(), named.position.as_deref()), (name, Some(position)));
    }
    // One heap; no heaps; a game of several heaps; one that names its position; one won on points.
    let others =
        [("mark", "5"), ("mark", "5,x"), ("mark", ""), ("mark", "5,"), ("wythoff", "1,2,3")];
    for (game, heaps) in
        others.into_iter().chain([("mark:3", "5,7"), ("dots(2x2)", "1,2"), ("no", "1,2")])
    {
        assert!(all().sum_of_heaps(game, heaps).is_none(), "{game} {heaps}");
    }
}

#[test]
fn the_nearest_name_is_suggested() {
    for (text, meant) in [
        ("marienbud", "marienbad"),
        ("fibonaci nim", "fibonacci-nim"),
        ("dawsons ches", "dawsons-chess"),
        ("trebblecross", "treblecross"),
        ("grundys gane", "grundys-game"),
        ("node kaylse", "node-kayles"),
        ("chomps", "chomp"),
        ("green hackenbusch", "green-hackenbush"),
    ] {
        let message = all().parse(text).err().unwrap().message;
        assert!(message.ends_with(&format!("did you mean `{meant}`?")), "{text}: {message}");
    }
}

/// Without an interpreter a program is known, and said to be one.
#[test]
fn programs_that_cannot_be_run_are_said_to_be_programs() {
    for text in ["chomp", "Chomp 8x10", "chomp:8x10", "node kayles 3x4", "kayles 3 + cram 2x2"] {
        let error = Catalogue::standard().parse(text).err().unwrap_or_else(|| panic!("{text}"));
        assert!(error.message.contains("are a program"), "{text}: {error}");
        assert!(error.accepted.contains("--features programs"), "{text}: {error}");
    }
    for entry in shelf().games() {
        let is_program = matches!(entry.rules(), Rules::Program(_));
        assert_eq!(Catalogue::standard().parse(&entry.name).is_err(), is_program, "{}", entry.name);
        assert_eq!(Catalogue::standard().can_run(entry), !is_program, "{}", entry.name);
        assert!(all().can_run(entry), "{}", entry.name);
    }
}

#[test]
fn words_are_searched() {
    let names = |text: &str| -> Vec<&str> {
        shelf().search(text).into_iter().map(|entry| entry.name.as_str()).collect()
    };
    assert_eq!(names("Dawson"), ["dawsons-chess"]);
    assert!(names("heads tails").contains(&"mock-turtles"));
    assert!(names("chessboard").contains(&"wythoff"));
    assert!(names("no such word").is_empty());
    assert_eq!(names("").len(), shelf().games().len());
}

fn value(name: &str, position: &str) -> u32 {
    let game = parse(name).game;
    let mut session = game.session(Settings::default());
    let own =
        game.normal_form(position).unwrap_or_else(|error| panic!("{name} {position}: {error}"));
    session
        .evaluate(&own)
        .unwrap()
        .unwrap()
        .nim_value
        .unwrap_or_else(|| panic!("{name} {position}"))
        .0
}

fn outcome(name: &str, position: &str) -> Outcome {
    let game = parse(name).game;
    let mut session = game.session(Settings::default());
    let own =
        game.normal_form(position).unwrap_or_else(|error| panic!("{name} {position}: {error}"));
    session.evaluate(&own).unwrap().unwrap().outcome.unwrap()
}

/// Values of single heaps 0, 1, 2, … as printed.
const SEQUENCES: &[(&str, &str, &[u32])] = &[
    // OEIS A002186.
    (
        "kayles",
        "A002186",
        &[0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2, 1, 4, 6, 7],
    ),
    // OEIS A002187 is Dawson's Chess.
    (
        "dawson",
        "A002187",
        &[0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5, 2, 2, 3, 3, 0, 1, 1, 3],
    ),
    // The same, a place later: dominoes on a strip.
    (
        "linear cram",
        "A002187",
        &[0, 0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5, 2, 2, 3, 3, 0, 1],
    ),
    ("node kayles on a path", "A002187", &[0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5]),
    // OEIS A002188.
    (
        "grundy",
        "A002188",
        &[0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 3, 2, 1, 3, 2, 4, 3, 0, 4, 3, 0],
    ),
    // Winning Ways, chapter 4: 4k+3 and 4k+4 change places.
    ("lasker", "Winning Ways 4", &[0, 1, 2, 4, 3, 5, 6, 8, 7, 9, 10, 12, 11]),
    // Bouton's theorem for one heap; Rims has the value of the heap too (Winning Ways, chapter 4).
    ("rims", "Winning Ways 4", &[0, 1, 2, 3, 4, 5, 6, 7, 8]),
    ("21 flags", "Ferguson 1.1", &[0, 1, 2, 3, 0, 1, 2, 3, 0]),
    ("ten to zero", "Ferguson 1.1", &[0, 1, 2, 0, 1, 2, 0]),
    ("take 1 to 6", "Ferguson 1.1", &[0, 1, 2, 3, 4, 5, 6, 0, 1]),
    ("race to 20", "Brousseau", &[0, 1, 2, 0, 1, 2, 0]),
    // (n mod 8) div 3.
    ("take 3 to 5", "ABC 297 G", &[0, 0, 0, 1, 1, 1, 2, 2, 0, 0, 0, 1, 1, 1, 2, 2, 0]),
    // ARC 091 F: n/3 of a multiple of 3, else that of n - n div 3 - 1; 0 below 3.
    ("third nim", "ARC 091 F", &[0, 0, 0, 1, 0, 1, 2, 0, 1, 3, 2, 0, 4, 1, 3, 5]),
    ("she loves me", "Winning Ways 4", &[0, 1, 0, 1, 0, 1]),
    ("break the bar", "parity of n - 1", &[0, 0, 1, 0, 1, 0, 1, 0]),
    // Winning Ways, chapter 14; the values of a head at place n, counted from 1.
    ("turning turtles", "Winning Ways 14", &[0, 1, 2, 3, 4, 5, 6, 7, 8]),
    // OEIS A000069, the odious numbers; a place later.
    ("mock turtles", "A000069", &[0, 1, 2, 4, 7, 8, 11, 13, 14, 16, 19, 21, 22, 25, 26, 28]),
    // OEIS A006519, the greatest power of 2 that divides n.
    ("ruler", "A006519", &[0, 1, 2, 1, 4, 1, 2, 1, 8, 1, 2, 1, 4, 1, 2, 1, 16]),
    // A head at place n has n - 1 coins to its left, of which one must turn: n - 1.
    ("twins", "Winning Ways 14", &[0, 0, 1, 2, 3, 4, 5, 6]),
    // As Mock Turtles, two places later.
    ("triplets", "Winning Ways 14", &[0, 0, 0, 1, 2, 4, 7, 8, 11, 13, 14]),
];

#[test]
fn published_sequences() {
    for (name, source, values) in SEQUENCES {
        let game = parse(name).game;
        let mut session = game.session(Settings::default());
        let mut found = Vec::new();
        let to = values.len() as u32 - 1;
        session.values(to, &mut |_, value| found.push(value.0)).unwrap().unwrap();
        assert_eq!(found, *values, "{name} ({source})");
    }
}

/// Few positions lie below a large target of the multiplication game.
#[test]
fn large_targets_of_the_multiplication_game() {
    fn value(n: u64, known: &mut HashMap<u64, u32>) -> u32 {
        if n < 2 {
            return 0;
        }
        if let Some(value) = known.get(&n) {
            return *value;
        }
        let values: BTreeSet<u32> =
            (2..10).map(|factor| value(n.div_ceil(factor), known)).collect();
        let least = (0..).find(|value| !values.contains(value)).unwrap();
        known.insert(n, least);
        least
    }
    let game = parse("multiplication game").game;
    let mut session = game.session(Settings::default());
    for n in [123_456_789_012, 1_000_000_000_000] {
        let found = session.analyse(&n.to_string()).unwrap().evaluation.nim_value;
        assert_eq!(found.map(|value| value.0), Some(value(n, &mut HashMap::new())), "{n}");
    }
}

/// Values of single heaps against the rules alone: the options of a heap, each a list of heaps.
#[test]
fn heaps_of_rule_files_have_the_values_of_their_rules() {
    fn common(a: u32, b: u32) -> u32 {
        if b == 0 { a } else { common(b, a % b) }
    }
    type OptionsOfHeap = fn(u32) -> Vec<Vec<u32>>;
    fn divisors(n: u32) -> impl Iterator<Item = u32> {
        (1..=n).filter(move |divisor| n.is_multiple_of(*divisor))
    }
    let games: [(&str, OptionsOfHeap); 10] = [
        ("dim", |n| divisors(n).map(|taken| vec![n - taken]).collect()),
        ("prim", |n| {
            (1..=n).filter(|taken| common(n, *taken) == 1).map(|taken| vec![n - taken]).collect()
        }),
        ("tower breakers", |n| {
            divisors(n).filter(|left| *left < n).map(|left| vec![left]).collect()
        }),
        // Project Euler 550: any two proper divisors, neither of which is 1.
        ("divisor pairs", |n| {
            let own = || divisors(n).filter(move |part| *part > 1 && *part < n);
            own().flat_map(|a| own().map(move |b| vec![a, b])).collect()
        }),
        // HDU 5795: three heaps in any order.
        ("a simple nim", |n| {
            let split = (1..n).flat_map(|a| (1..n - a).map(move |b| vec![a, b, n - a - b]));
            (0..n).map(|left| vec![left]).chain(split).collect()
        }),
        ("couples are forever", |n| {
            if n < 3 { vec![] } else { (1..n).map(|a| vec![a, n - a]).collect() }
        }),
        ("multiplication game", |n| match n {
            0 | 1 => Vec::new(),
            _ => (2..10).map(|factor| vec![n.div_ceil(factor)]).collect(),
        }),
        ("aliquant", |n| {
            (1..=n).filter(|taken| n % taken != 0).map(|taken| vec![n - taken]).collect()
        }),
        ("totative", |n| {
            (1..n).filter(|taken| common(n, *taken) == 1).map(|taken| vec![n - taken]).collect()
        }),
        ("take a Fibonacci number", |n| {
            let mut all = Vec::new();
            let (mut taken, mut next) = (1, 2);
            while taken <= n {
                all.push(vec![n - taken]);
                (taken, next) = (next, taken + next);
            }
            all
        }),
    ];
    for (name, options) in games {
        let mut expected: Vec<u32> = Vec::new();
        for n in 0..=150 {
            let of =
                |heaps: &Vec<u32>| heaps.iter().fold(0, |sum, heap| sum ^ expected[*heap as usize]);
            let below: BTreeSet<u32> = options(n).iter().map(of).collect();
            expected.push((0..).find(|value| !below.contains(value)).unwrap());
        }
        let mut found = Vec::new();
        let game = parse(name).game;
        game.session(Settings::default())
            .values(150, &mut |_, value| found.push(value.0))
            .unwrap()
            .unwrap();
        assert_eq!(found, expected, "{name}");
    }
}

/// Boards and bushes against the rules alone.
#[test]
fn knights_and_roses_move_as_they_should() {
    let knight = |p: &[u32; 2]| {
        let steps = [[-2i32, -1], [-1, -2], [-2, 1], [1, -2]];
        let moved = steps.map(|[x, y]| [p[0] as i32 + x, p[1] as i32 + y]);
        moved.into_iter().filter(|q| q[0] >= 0 && q[1] >= 0).map(|q| q.map(|x| x as u32)).collect()
    };
    let mut known = HashMap::new();
    for p in (0..100).map(|n| [n % 10, n / 10]) {
        let text = format!("{},{}", p[0], p[1]);
        assert_eq!(value("white knight", &text), plain(&p, &knight, &mut known), "knight {text}");
    }
    let roses = |p: &[u32; 4]| {
        let mut all = Vec::new();
        for (a, b) in (0..4).flat_map(|a| (a..4).map(move |b| (a, b))) {
            let mut q = *p;
            if q[a] > 0 && q[b] > 0 {
                q[a] -= 1;
                q[b] -= u32::from(a != b);
                all.push(q);
            }
        }
        all
    };
    let mut known = HashMap::new();
    for p in (0..256).map(|n| [n % 4, n / 4 % 4, n / 16 % 4, n / 64]) {
        let text = p.map(|heap| heap.to_string()).join(",");
        assert_eq!(
            value("princess and roses", &text),
            plain(&p, &roses, &mut known),
            "roses {text}"
        );
    }
}

/// P-positions as printed, and N-positions beside them.
#[test]
fn published_outcomes() {
    for (name, lost, won) in [
        // Bouton 1902.
        ("marienbad", &["1,3,5,7"][..], &["1,3,5,6"][..]),
        // Wythoff 1907.
        ("corner the queen", &["1,2", "3,5", "4,7", "6,10", "8,13"], &["7,6", "2,3"]),
        // POJ 2505 prints these.
        ("multiplication game", &["17"], &["162", "34012226"]),
        // Whinihan 1963: Fibonacci numbers.
        ("fibonacci nim", &["2", "3", "5", "8", "13", "21", "34"], &["4", "6", "20", "22"]),
        // Ferguson, Staircase Nim: the nim-sum of the odd steps is 0.
        ("staircase", &["2,5,2", "1,3,2,4,3", "0,7"], &["2,3,1,4", "1"]),
        // Winning Ways 3: nim-sum of every other gap from the last coin on.
        ("silver dollar", &["0,1,2,3", "0,3,4,7"], &["2,5,6,10"]),
        // Antonim, Winning Ways 15: heaps n are 2k-1, 2k; of three the nim-sum of n+1 is 0.
        ("antonim-2", &["1,2", "3,4", "5,6"], &["2,3", "3,6", "1,4"]),
        // POI 2009: pairs of differences from the greatest on.
        ("monotonic nim", &["0,3,3", "2,4,6", "1,5,6"], &["2,4,7", "1,1,3"]),
        ("monotonic-nim-4", &["1,1,3,3", "1,2,5,6", "0,2,4,6"], &["1,4,6,8"]),
        // Moore 1910.
        ("moore", &["1,2,3,1,2,3,1,2,3", "1,1,1", "5,5,5"], &["1,3,5,7", "1,1"]),
        ("northcott", &["W..B/B..W", "WB"], &["W.B", "W..B/B...W"]),
    ] {
        for position in lost {
            assert_eq!(outcome(name, position), Outcome::P, "{name} {position}");
        }
        for position in won {
            assert_eq!(outcome(name, position), Outcome::N, "{name} {position}");
        }
    }
}

/// Returns the nim-value by plain recursion.
fn plain<P: Clone + Eq + std::hash::Hash>(
    p: &P,
    options: &dyn Fn(&P) -> Vec<P>,
    known: &mut HashMap<P, u32>,
) -> u32 {
    if let Some(value) = known.get(p) {
        return *value;
    }
    let below: BTreeSet<u32> = options(p).iter().map(|q| plain(q, options, known)).collect();
    let value = (0..).find(|value| !below.contains(value)).unwrap();
    known.insert(p.clone(), value);
    value
}

/// Every row of up to seven coins, turned coin by coin.
#[test]
fn coins_are_turned_on_the_table() {
    type Allowed = fn(&[usize]) -> bool;
    let games: [(&str, Allowed); 7] = [
        ("turning turtles", |turned| turned.len() <= 2),
        ("mock turtles", |turned| turned.len() <= 3),
        ("moebius", |turned| turned.len() <= 5),
        ("twins", |turned| turned.len() == 2),
        ("triplets", |turned| turned.len() == 3),
        ("ruler", |turned| turned.windows(2).all(|pair| pair[1] == pair[0] + 1)),
        ("turnips", |turned| turned.len() == 3 && turned[2] - turned[1] == turned[1] - turned[0]),
    ];
    for (name, allowed) in games {
        let options = |row: &String| {
            let coins: Vec<char> = row.chars().collect();
            let mut all = Vec::new();
            for set in 1u32..1 << coins.len() {
                let turned: Vec<usize> = (0..coins.len()).filter(|at| set >> at & 1 == 1).collect();
                if allowed(&turned) && coins[*turned.last().unwrap()] == 'H' {
                    let turn = |(at, coin): (usize, &char)| match (turned.contains(&at), coin) {
                        (true, 'H') => 'T',
                        (true, _) => 'H',
                        (false, coin) => *coin,
                    };
                    all.push(coins.iter().enumerate().map(turn).collect::<String>());
                }
            }
            all
        };
        let mut known = HashMap::new();
        for set in 0u32..1 << 7 {
            let row: String = (0..7).map(|at| if set >> at & 1 == 1 { 'H' } else { 'T' }).collect();
            assert_eq!(value(name, &row), plain(&row, &options, &mut known), "{name} {row}");
        }
    }
}

/// Staircases, strips and Welter's game square by square.
#[test]
fn strips_and_stairs_are_walked() {
    // Steps: one token at a time is looked at, this many of them at once being a move.
    let stairs = |p: &[u32; 3]| {
        let mut all = Vec::new();
        for step in 0..3 {
            for taken in 1..=p[step] {
                let mut q = *p;
                q[step] -= taken;
                if let Some(below) = step.checked_sub(1) {
                    q[below] += taken;
                }
                all.push(q);
            }
        }
        all
    };
    let mut known = HashMap::new();
    for n in 0..64u32 {
        let p = [n % 4, n / 4 % 4, n / 16];
        let text = format!("{},{},{}", p[0], p[1], p[2]);
        assert_eq!(value("staircase", &text), plain(&p, &stairs, &mut known), "staircase {text}");
    }
    for jumps in [false, true] {
        let name = if jumps { "welter" } else { "silver dollar" };
        let strip = move |row: &String| {
            let squares: Vec<char> = row.chars().collect();
            let mut all = Vec::new();
            for from in (0..squares.len()).filter(|at| squares[*at] == 'o') {
                for to in (0..from).rev() {
                    if squares[to] == 'o' {
                        if jumps { continue } else { break }
                    }
                    let mut next = squares.clone();
                    next.swap(from, to);
                    all.push(next.into_iter().collect::<String>());
                }
            }
            all
        };
        let mut known = HashMap::new();
        for set in 1u32..1 << 8 {
            let row: String = (0..8).map(|at| if set >> at & 1 == 1 { 'o' } else { '.' }).collect();
            assert_eq!(value(name, &row), plain(&row, &strip, &mut known), "{name} {row}");
        }
    }
}

/// Nimble: coins on squares, several on one.
#[test]
fn nimble_is_played_on_squares() {
    let options = |p: &Vec<u32>| {
        let moved = |i: usize| {
            (0..p[i]).map(move |to| {
                let mut q = p.clone();
                q[i] = to;
                q
            })
        };
        (0..p.len()).flat_map(moved).collect::<Vec<_>>()
    };
    for (text, coins) in [("..o.o", vec![2, 4]), (".oo..o", vec![1, 2, 5]), ("ooo", vec![0, 1, 2])]
    {
        assert_eq!(value("nimble", text), plain(&coins, &options, &mut HashMap::new()), "{text}");
    }
    assert_eq!(value("nimble", "3,3,5"), plain(&vec![3, 3, 5], &options, &mut HashMap::new()));
}

/// Treblecross on the board: three in a row win, nothing else is known. Outcomes of all strips that
/// can be written.
#[test]
fn treblecross_is_played_with_crosses() {
    fn wins(row: &[bool], known: &mut HashMap<Vec<bool>, bool>) -> bool {
        if let Some(known) = known.get(row) {
            return *known;
        }
        let found = (0..row.len()).filter(|at| !row[*at]).any(|at| {
            let mut next = row.to_vec();
            next[at] = true;
            next.windows(3).any(|three| three.iter().all(|cross| *cross)) || !wins(&next, known)
        });
        known.insert(row.to_vec(), found);
        found
    }
    let (mut known, mut read) = (HashMap::new(), 0);
    let game = parse("treblecross").game;
    for cells in 3..=11 {
        for set in 0u32..1 << cells {
            let row: Vec<bool> = (0..cells).map(|at| set >> at & 1 == 1).collect();
            let text: String = row.iter().map(|cross| if *cross { 'X' } else { '.' }).collect();
            let close =
                row.windows(3).any(|three| three.iter().filter(|cross| **cross).count() > 1);
            match game.normal_form(&text) {
                Ok(_) => {
                    read += 1;
                    let expected = if wins(&row, &mut known) { Outcome::N } else { Outcome::P };
                    assert_eq!(outcome("treblecross", &text), expected, "{text}");
                }
                Err(_) => assert!(close, "{text}"),
            }
            assert!(!close || game.normal_form(&text).is_err(), "{text}");
        }
        // A number is that of the cells of a strip without crosses (POJ 3537).
        let expected = if wins(&vec![false; cells], &mut known) { Outcome::N } else { Outcome::P };
        assert_eq!(outcome("treblecross", &cells.to_string()), expected, "{cells}");
    }
    assert!(read > 100, "{read}");
    // In misère play who makes three in a row loses, which is no misère play of a code.
    let mut session = game.session(Settings { play: Play::Misere, ..Settings::default() });
    let refused = session.analyse("......").unwrap_err();
    assert!(refused.accepted.contains("treblecross-row"), "{refused}");
}

/// A name that says misère play means it, also with a position and in a sum; other games are played
/// as they are asked for.
#[test]
fn names_say_misere_play() {
    let catalogue = Catalogue::default();
    let play_of = |text: &str| catalogue.play_of(text, Play::Normal);
    for text in [
        "nim-3-misere",
        "Misère Nim",
        "Misère Nim 1,1,1",
        "wythoff-misere:3,4",
        "wythoff-misere[3,4]",
        "wythoff-misere (3,4)",
        "nim-3-misere{1,1,1} + kayles 4",
        "flip game ++-++ + wythoff-misere\t3,4",
        "kayles + misère nim",
    ] {
        assert_eq!(play_of(text), Play::Misere, "{text}");
    }
    for entry in shelf().games() {
        let is_misere = play_of(&entry.name) == Play::Misere;
        assert_eq!(is_misere, entry.name.ends_with("-misere"), "{}", entry.name);
    }
    // Behind a name a position may stand in all of these ways; what can be read is in misère play.
    for entry in shelf().games().iter().filter(|entry| entry.name.ends_with("-misere")) {
        for name in entry.names() {
            for (before, after) in
                [(" ", ""), (":", ""), ("\t", ""), ("[", "]"), ("(", ")"), ("{", "}"), (" [", "]")]
            {
                let text = format!("{name}{before}{}{after}", entry.start);
                let is_read = catalogue.parse(&text).is_ok_and(|named| named.position.is_some());
                assert!(is_read, "{text}");
                assert_eq!(play_of(&text), Play::Misere, "{text}");
            }
        }
    }
    assert_eq!(play_of("marienbad"), Play::Normal);
    assert_eq!(catalogue.play_of("nim 3,4,5", Play::Misere), Play::Misere);
}

/// A sum says so in the same words as its summand, by its own name.
#[test]
fn sums_have_no_other_misere_play() {
    for (name, position, summand) in [
        ("treblecross + nim", "7 + 3", "treblecross"),
        ("kayles + northcott", "2 + 1,3", "northcott"),
        ("one-dimensional tic-tac-toe + nim + nim", "7 + 3 + 1", "treblecross"),
    ] {
        let game = parse(name).game;
        let mut session = game.session(Settings { play: Play::Misere, ..Settings::default() });
        let refused = session.analyse(position).unwrap_err();
        let alone = parse(summand).game;
        let mut of_summand = alone.session(Settings { play: Play::Misere, ..Settings::default() });
        let expected = of_summand.analyse("1").unwrap_err();
        assert_eq!(
            (refused.message, refused.accepted),
            (expected.message, expected.accepted),
            "{name}"
        );
        assert!(session.evaluate(position).is_err(), "{name}");
        assert!(session.table(3, &mut |_, _| panic!("{name}")).is_none());
        assert!(parse(&game.name()).game.normal_form(position).is_ok(), "{name}");
        // Normal play is answered.
        assert!(game.session(Settings::default()).analyse(position).is_ok(), "{name}");
    }
    let code = parse("0.11337 + nim").game;
    let mut session = code.session(Settings { play: Play::Misere, ..Settings::default() });
    assert!(session.analyse("7 + 3").is_ok(), "misère play of a code is one");
}

/// Project Euler 560 prints the number of lost positions of five heaps of 1 to 9 in Coprime Nim:
/// 9964.
#[test]
fn coprime_nim_is_that_of_project_euler() {
    let game = parse("coprime nim").game;
    let mut values = Vec::new();
    game.session(Settings::default())
        .values(9, &mut |_, value| values.push(value.0))
        .unwrap()
        .unwrap();
    let mut sums = HashMap::from([(0u32, 1u32)]);
    for _ in 0..5 {
        let mut next = HashMap::new();
        for (sum, many) in &sums {
            values[1..].iter().for_each(|value| *next.entry(sum ^ value).or_default() += many);
        }
        sums = next;
    }
    assert_eq!(sums[&0], 9964);
}

/// Two strips of Treblecross: three in a row on either of them win.
#[test]
fn treblecross_is_played_on_several_strips() {
    type Strips = Vec<Vec<bool>>;
    fn wins(strips: &Strips, known: &mut HashMap<Strips, bool>) -> bool {
        if let Some(known) = known.get(strips) {
            return *known;
        }
        let cells =
            strips.iter().enumerate().flat_map(|(s, row)| (0..row.len()).map(move |at| (s, at)));
        let found = cells.filter(|(s, at)| !strips[*s][*at]).any(|(s, at)| {
            let mut next = strips.clone();
            next[s][at] = true;
            next[s].windows(3).any(|three| three.iter().all(|cross| *cross)) || !wins(&next, known)
        });
        known.insert(strips.clone(), found);
        found
    }
    let mut known = HashMap::new();
    for (one, other) in [(3, 3), (3, 4), (4, 4), (3, 6), (5, 5), (4, 7)] {
        let strips = vec![vec![false; one], vec![false; other]];
        let expected = if wins(&strips, &mut known) { Outcome::N } else { Outcome::P };
        for between in ["/", " "] {
            let text = format!("{}{between}{}", ".".repeat(one), ".".repeat(other));
            assert_eq!(outcome("treblecross", &text), expected, "{text}");
        }
    }
    let strips = vec![vec![true, false, false, false], vec![false, false, false, false, true]];
    let expected = if wins(&strips, &mut known) { Outcome::N } else { Outcome::P };
    assert_eq!(outcome("treblecross", "X.../....X"), expected);
}

/// Kayles pin by pin.
#[test]
fn pins_are_knocked_down() {
    for (name, most, least) in [("kayles", 2, 1), ("dawsons kayles", 2, 2), ("double kayles", 4, 1)]
    {
        let options = move |row: &String| {
            let pins: Vec<char> = row.chars().collect();
            let mut all = Vec::new();
            for count in least..=most {
                for at in 0..=pins.len().saturating_sub(count) {
                    if at + count <= pins.len()
                        && pins[at..at + count].iter().all(|pin| *pin == '|')
                    {
                        let mut next = pins.clone();
                        next[at..at + count].fill('.');
                        all.push(next.into_iter().collect::<String>());
                    }
                }
            }
            all
        };
        for row in ["|||.||", "||||||||", "|.|.|||", ".||||.|||", "||| ||"] {
            assert_eq!(
                value(name, row),
                plain(&row.to_owned(), &options, &mut HashMap::new()),
                "{name} {row}"
            );
        }
    }
}

/// A list in brackets is the position that the game reads, `[5]` a row and `5` a circle of pins,
/// also in one text with the name and in a sum. The values of Kayles are 0, 1, 2, 3, 1, 4 (OEIS
/// A002186); a circle of five leaves a row of four or of three, of values 1 and 3: its own is 0.
#[test]
fn lists_in_brackets_are_positions_of_their_own() {
    for (text, expected) in [
        ("kayles-on-a-circle [5]", 4),
        ("kayles-on-a-circle[5]", 4),
        ("kayles-on-a-circle: [5]", 4),
        ("kayles-on-a-circle 5", 0),
        ("kayles-on-a-circle [5] + nim 2", 4 ^ 2),
        ("kayles-on-a-circle 5 + kayles-on-a-circle [4]", 1),
        ("schuhs-game [6]", 1),
        ("nim[3,4,5]", 2),
    ] {
        let named = parse(text);
        let position = named.position.unwrap();
        let evaluated = named.game.session(Settings::default()).evaluate(&position);
        assert_eq!(evaluated.unwrap().unwrap().nim_value.unwrap().0, expected, "{text}");
    }
}

/// A number before a list of heaps belongs to the name.
#[test]
fn names_end_in_numbers() {
    for (text, game, position) in [
        ("welter 3 1,4,8", "welter-3", "1,4,8"),
        ("serial nim 2 4,6", "serial-nim-2", "4,6"),
        ("End Nim 3 3,4,5", "end-nim-3", "3,4,5"),
        ("moore 4 2 2,3,5,7", "moore-4-2", "2,3,5,7"),
        ("end nim 3 4;5;6", "end-nim-3", "4,5,6"),
        ("end nim 3 4 | 5 | 6", "end-nim-3", "4,5,6"),
        ("end nim 3 4-5-6", "end-nim-3", "4,5,6"),
        ("end nim 3 (4 5 6)", "end-nim-3", "4,5,6"),
        ("end nim 3 [4, 5, 6]", "end-nim-3", "4,5,6"),
        ("end nim 3 4, 5 and 6", "end-nim-3", "4,5,6"),
        ("end nim 3 4 and 5 and 6", "end-nim-3", "4,5,6"),
        ("end nim 3 with heaps 4, 5, 6", "end-nim-3", "4,5,6"),
        ("nim 3 4;5;6", "nim-3", "4,5,6"),
        ("end nim 3[4,5,6]", "end-nim-3", "4,5,6"),
        ("Serial Nim 2(4 6)", "serial-nim-2", "4,6"),
    ] {
        let named = parse(text);
        assert_eq!(named.game.name(), parse(game).game.name(), "{text}");
        assert_eq!(named.position.as_deref(), Some(position), "{text}");
    }
    // A negative number is none.
    assert!(all().parse("nim -3").is_err());
    assert!(all().parse("mark -3").is_err());
    // What may be a range, a difference or a quotient is no list; a set is no list of heaps.
    for text in [
        "nim 3-5",
        "nim 3..5",
        "nim 1,3-5",
        "mark 3-5",
        "nim 3/4",
        "nim 2^5-1-3",
        "wythoff d7-e4",
        "wythoff d0",
        "wythoff 7d",
        "subtraction 1-2-5",
        "subtraction 1 and 2",
        // Perhaps three heaps, perhaps two of the game with the number.
        "serial nim 2 4 and 6",
        "kayles 3 4 and 5",
        "3-4-5",
        "3-4",
    ] {
        assert!(all().parse(text).is_err(), "{text}");
    }
    // Without commas they are heaps.
    assert_eq!(parse("welter 3 1 4 8").position.as_deref(), Some("1,3,4,8"));
    assert_eq!(parse("kayles 3 10").position.as_deref(), Some("3,10"));
    assert_eq!(parse("nim 3 4 and 5").position.as_deref(), Some("3,4,5"));
}

/// A game of a rule file is meant where a text begins with its name, whatever other games are
/// called; and numbers apart are not one number of a name.
#[test]
fn names_of_rule_files_come_first() {
    for (name, text, position) in [
        ("takeaway", "takeaway 2 1", "2,1"),
        ("piles", "piles 2 1", "2,1"),
        ("mark", "mark 2 1", "2,1"),
        ("mark", "mark:2,1", "2,1"),
        ("end-nim", "end-nim 2,1", "2,1"),
        ("remove", "remove(2,1)", "2,1"),
        ("s", "s 2 1", "2,1"),
    ] {
        let rules = format!("name = \"{name}\"\nheaps = 2\nmove = \"q0 = p0 | q1 = p1\"\n");
        let catalogue = all().with_rule_file(RuleFile::parse(&rules).unwrap()).unwrap();
        let named = catalogue.parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!((&*named.game.name(), named.position.as_deref()), (name, Some(position)));
    }
    let rules = "name = \"mark\"\nheaps = 1\nmove = \"p0-q0 in {1,3}\"\n";
    let catalogue = all().with_rule_file(RuleFile::parse(rules).unwrap()).unwrap();
    let named = catalogue.parse("mark 3 4,5").map(|named| named.game.name());
    assert!(named.as_ref().is_ok_and(|name| name == "mark") || named.is_err(), "{named:?}");
    assert!(all().parse("takeaway 2 1").is_err());
    assert!(all().parse("moore 42").is_ok_and(|named| named.game.name() != "moore-4-2"));
}

/// A number between a name and a list of heaps is refused if it may be a heap or a parameter, by
/// what the shelf says of the name.
#[test]
fn a_number_before_heaps_is_clear_or_refused() {
    for (text, told) in [
        ("nim 2 5,6", "nim(2) 5,6, or nim 2,5,6"),
        ("Nim 4 1, 2, 3, 4", "nim(4) 1,2,3,4, or Nim 4,1,2,3,4"),
        ("moore 2 1,2,3", "moore(3) 1,2,3, or moore 2,1,2,3"),
        ("Moore's Nim 3 (1,2,3)", "moore(4) 1,2,3"),
        ("kayles 4 5,6", "kayles(4) 5,6, or kayles 4,5,6"),
        ("grundy 3 9,4,7", "grundy(3) 9,4,7, or grundy 3,9,4,7"),
        ("staircase 3 1,2,3", "staircase-3 1,2,3, or staircase 3,1,2,3"),
    ] {
        let error = all().parse(text).err().unwrap_or_else(|| panic!("{text}"));
        assert!(error.message.contains("may be a heap, or"), "{text}: {error}");
        assert!(error.accepted.starts_with(told), "{text}: {error}");
    }
    // Nor is it the first number of a list with other signs.
    for (text, why) in [
        ("nim 3 5,6", "several lists"),
        ("staircase 2 1,2,3", "several lists"),
        ("chomp 4 4,3", "no position"),
    ] {
        let told = all().parse(text).err().map(|error| error.message);
        assert!(told.is_some_and(|told| told.contains(why)), "{text}");
    }
    // A game with so many heaps, or of such a name.
    for (text, name, position) in [
        ("nim 3 5,6,7", "nim-3", "5,6,7"),
        ("kayles 3 5,6", "kayles(3)", "5,6"),
        ("wythoff 3 4,5", "wythoff-3", "4,5"),
    ] {
        let named = parse(text);
        assert_eq!((&*named.game.name(), named.position.as_deref()), (name, Some(position)));
    }
}

/// Numbers of several kinds may be taken: nim-values by the rules alone, and the name is read
/// again.
#[test]
fn numbers_of_several_kinds_are_taken() {
    let is_prime = |n: u32| n > 1 && !(2..n).any(|d| n.is_multiple_of(d));
    let is_square = |n: u32| (1..=n).any(|root| root * root == n);
    let is_power = |n: u32| n.is_power_of_two();
    type Taken<'t> = &'t dyn Fn(u32) -> bool;
    let games: [(&str, Taken<'_>); 6] = [
        ("take 1 or a prime", &|n| n == 1 || is_prime(n)),
        ("take a prime number or 1", &|n| n == 1 || is_prime(n)),
        ("take squares or primes", &|n| is_square(n) || is_prime(n)),
        ("take 3, 5 or a power of 2", &|n| n == 3 || n == 5 || is_power(n)),
        ("take a multiple of 3", &|n| n.is_multiple_of(3)),
        ("take an odd number or a multiple of 4", &|n| n % 2 == 1 || n.is_multiple_of(4)),
    ];
    for (words, may) in games {
        let options = |p: &u32| (1..=*p).filter(|n| may(*n)).map(|n| p - n).collect();
        let mut known = HashMap::new();
        let name = parse(&format!("{words} from 5")).game.name();
        for heap in 0..40 {
            let right = plain(&heap, &options, &mut known);
            assert_eq!(value(&name, &heap.to_string()), right, "{words}: {heap}");
        }
        assert_eq!(parse(&name).game.name(), name);
    }
    for text in ["take a power of 2 or 3 from 9", "take-a-power-of-2-or-3", "take half from 9"] {
        assert!(all().parse(text).is_err(), "{text}");
    }
}

/// Digits of other alphabets are refused in names, positions and words, and never dropped.
#[test]
fn digits_of_other_alphabets_are_refused() {
    for text in [
        "nim 3,５",
        "nim ３",
        "nim ٣,5",
        "kayles 7²",
        "nim-３ 1,2,3",
        "nim ３ 1,2,3",
        "welter-３",
        "S(１,2) 5",
        "take １ or 2 from 5",
        "take 1 or 2 from ５",
        "２１ flags",
        "21 ﬂags",
        "0.７7",
        "２*nim 3",
        "nim 10^１２",
    ] {
        assert!(all().parse(text).is_err(), "{text}");
    }
    for text in ["heaps = 1\nmove = \"q0+１ = p0\"", "heaps = １\nmove = \"q0+1 = p0\""] {
        assert!(RuleFile::parse(&format!("name = \"x\"\n{text}")).is_err(), "{text}");
    }
}

/// The stone game with its heaps.
#[test]
fn stones_are_taken_from_one_two_or_three() {
    let options = |p: &[u32; 3]| {
        let mut all = Vec::new();
        for heaps in 1u32..8 {
            let touched = |at: usize| heaps >> at & 1 == 1;
            let most = (0..3).filter(|at| touched(*at)).map(|at| p[at]).min().unwrap();
            all.extend(
                (1..=most)
                    .map(|taken| [0, 1, 2].map(|at| p[at] - if touched(at) { taken } else { 0 })),
            );
        }
        all
    };
    let mut known = HashMap::new();
    for n in 0..216u32 {
        let p = [n % 6, n / 6 % 6, n / 36];
        let text = format!("{},{},{}", p[0], p[1], p[2]);
        assert_eq!(value("stone game", &text), plain(&p, &options, &mut known), "{text}");
    }
}

/// Squares counted from 1, where a chessman stands on the first one if it cannot move: the samples
/// of POJ 1704, and all positions on squares up to 8 by their rules.
#[test]
fn georgia_counts_squares_from_one() {
    assert_eq!(outcome("georgia and bob", "1,2,3"), Outcome::P);
    assert_eq!(outcome("georgia and bob", "1,5,6,7,9,12,14,17"), Outcome::N);
    assert_eq!(outcome("georgia and bob", "ooo"), Outcome::P);
    let options = |p: &Vec<u32>| -> Vec<Vec<u32>> {
        let mut all = Vec::new();
        for i in 0..p.len() {
            let above = if i == 0 { 0 } else { p[i - 1] };
            all.extend((above + 1..p[i]).map(|to| {
                let mut q = p.clone();
                q[i] = to;
                q
            }));
        }
        all
    };
    let game = parse("georgia and bob").game;
    let (mut session, mut graph) = (game.session(Settings::default()), game.graph());
    let mut known = HashMap::new();
    for set in 1u32..1 << 8 {
        let p: Vec<u32> = (1..=8).filter(|square| set >> (square - 1) & 1 == 1).collect();
        let text: Vec<String> = p.iter().map(u32::to_string).collect();
        let (text, right) = (text.join(","), plain(&p, &options, &mut known));
        assert_eq!(value("georgia and bob", &text), right, "{p:?}");
        // Whoever reads the position reads it so.
        let sizes: Vec<u64> = p.iter().map(|square| u64::from(*square)).collect();
        let read = session.evaluate(&text).unwrap().unwrap();
        let by_sizes = session.evaluate_sizes(&sizes).unwrap().unwrap();
        assert_eq!([read, by_sizes].map(|found| found.nim_value.unwrap().0), [right; 2], "{p:?}");
        assert_eq!(game.position(&sizes), game.normal_form(&text).ok(), "{p:?}");
        assert_eq!(graph.read(&text).ok(), graph.position(&sizes), "{p:?}");
        let node = graph.read(&text).unwrap();
        assert_eq!(graph.options(node).unwrap().len(), options(&p).len(), "{p:?}");
    }
    assert!(game.normal_form("3,0").is_err());
    // As it is printed, it is read.
    let printed = game.normal_form("2,5").unwrap();
    assert_eq!(game.normal_form(&printed).unwrap(), printed);
}

/// Northcott's game on its board, in which counters also move away: who can force the other to be
/// stuck. White moves counters W, Black B; positions of a loop that nobody can end are lost for
/// nobody, and there are none.
#[test]
fn northcott_is_played_with_counters() {
    const LENGTH: i32 = 5;
    type Rows = [(i32, i32); 2];
    let places: Vec<(i32, i32)> =
        (0..LENGTH).flat_map(|w| (w + 1..LENGTH).map(move |b| (w, b))).collect();
    // The player to move is White; the board is turned after each move.
    let turned = |rows: Rows| rows.map(|(w, b)| (LENGTH - 1 - b, LENGTH - 1 - w));
    let options = |rows: Rows| {
        let mut all = Vec::new();
        for row in 0..2 {
            for to in (0..rows[row].1).filter(|to| *to != rows[row].0) {
                let mut next = rows;
                next[row].0 = to;
                all.push(turned(next));
            }
        }
        all
    };
    let positions: Vec<Rows> =
        places.iter().flat_map(|one| places.iter().map(move |other| [*one, *other])).collect();
    // A player who is at the edge of both rows with the counters together cannot move.
    let mut known: HashMap<Rows, bool> = HashMap::new();
    loop {
        let before = known.len();
        for rows in &positions {
            let next = options(*rows);
            if next.iter().any(|q| known.get(q) == Some(&false)) {
                known.insert(*rows, true);
            } else if next.iter().all(|q| known.get(q) == Some(&true)) {
                known.insert(*rows, false);
            }
        }
        if known.len() == before {
            break;
        }
    }
    let mut lost = 0;
    for rows in &positions {
        let line = |(w, b): (i32, i32)| -> String {
            (0..LENGTH)
                .map(|at| {
                    if at == w {
                        'W'
                    } else if at == b {
                        'B'
                    } else {
                        '.'
                    }
                })
                .collect()
        };
        let text = format!("{}/{}", line(rows[0]), line(rows[1]));
        let expected = outcome("northcott", &text);
        // The loser may always move away for a while: a lost position is one that the winner brings
        // to an end.
        match known.get(rows) {
            Some(true) => assert_eq!(expected, Outcome::N, "{text}"),
            Some(false) => {
                lost += 1;
                assert_eq!(expected, Outcome::P, "{text}");
            }
            None => panic!("nobody can end {text}"),
        }
    }
    assert!(lost > 10, "{lost}");
}

/// Fibonacci Nim with the whole history, and the published games of heaps with memory.
#[test]
fn the_first_move_leaves_something() {
    fn wins(heap: u32, most: u32, factor: u32) -> bool {
        (1..=most.min(heap)).any(|taken| !wins(heap - taken, factor * taken, factor))
    }
    for heap in 1..14 {
        for (name, factor) in [("fibonacci nim", 2), ("schwenk-3", 3), ("dynamic nim", 1)] {
            let expected = if wins(heap, heap - 1, factor) { Outcome::N } else { Outcome::P };
            assert_eq!(outcome(name, &heap.to_string()), expected, "{name} {heap}");
        }
    }
}

#[test]
fn positions_that_are_none_are_refused() {
    for (name, position, message) in [
        ("treblecross", "X.X....", "at once"),
        ("treblecross", "XXX....", "over"),
        ("treblecross", "..", "at least 3"),
        ("treblecross", "X..Y...", "`Y` stands for nothing"),
        ("northcott", "W..W", "not one"),
        ("silver dollar", "2,2,5", "two coins"),
        ("turning turtles", "HTX", "neither"),
        ("turning turtles", "3,3", "one coin"),
        ("mogul", "41", "farthest"),
        ("chomp", "0x3", "no position"),
        ("chomp", "2,3", "no position"),
        ("cram", "0x3", "at least one row"),
        ("cram", "-2x3", "at least one row"),
        ("domineering", "3x0", "at least one row"),
        ("node kayles", "-1x-1", "at least one row"),
        ("arc kayles", "1-1", "no position"),
        ("green hackenbush", "(()", "every ("),
        ("green hackenbush", "())(", "every ("),
        ("green hackenbush", "0-1,2-3", "no position"),
        ("geography", "1", "no position"),
        ("notakto", "0", "at least one board"),
        ("can i win", "3,7", "nobody can win"),
        ("sylver", "12,1", "no position"),
        ("col", "LL.", "no position"),
        ("snort", "LR.", "no position"),
        ("snort", "0", "at least one square"),
        ("euclid-3", "3,5", "no position"),
        ("euclid-3", "0,3,5", "no position"),
        ("can i win", "3,-1", "no target"),
        ("can i win", "[-1,[1]]", "no position"),
        ("sprouts", "-2", "no number of spots"),
        ("brussels sprouts", "-1", "no number of crosses"),
        ("schuhs game", "-36", "no number with divisors"),
        // A die has six sides, and at most five are taken.
        ("tip the die", "9,7", "does not occur"),
        ("dudeney", "9,6", "does not occur"),
        // A number is missing.
        ("turning corners", "2,,2", "no position"),
        ("candy piles", "4,,3", "no position"),
        ("partizan endnim", "3,1,", "no position"),
        // Three numbers with dashes are edges of a path, not heaps, nodes or parents.
        ("node kayles", "1-2-3", "no position"),
        ("graph chomp", "1-2-3", "two ends"),
        ("graph chomp", "1-2,2-3,3-4-1", "two ends"),
        ("green hackenbush", "0-1-2", "no position"),
    ] {
        let error = parse(name).game.normal_form(position).unwrap_err();
        assert!(error.message.contains(message), "{name} {position}: {error}");
        let whole = all().parse(&format!("{name} {position}"));
        assert!(whole.is_err(), "{name} {position} in one text");
    }
    // Where positions have no dashes a list may have them.
    for (name, position) in [("candy piles", "4-3-1"), ("partizan endnim", "4 - 3 - 1")] {
        let [list, other] = [position, "4,3,1"].map(|text| parse(name).game.normal_form(text));
        assert_eq!(list.unwrap(), other.unwrap(), "{name}");
    }
}

/// What is published of a game holds in misère play too where its heap game is the same.
#[test]
fn misere_marienbad() {
    let game = parse("marienbad").game;
    let mut session = game.session(Settings { play: Play::Misere, ..Settings::default() });
    for (position, expected) in
        [("1,3,5,7", Outcome::P), ("1,1,1", Outcome::P), ("1,1", Outcome::N)]
    {
        assert_eq!(
            session.evaluate(position).unwrap().unwrap().outcome,
            Some(expected),
            "{position}"
        );
    }
}

/// The page of the manual that shows the shelf:
/// `BOUTON_UPDATE=1 cargo test -p bouton-games --test shelf` writes it.
#[test]
fn the_page_of_the_manual_is_that_of_the_data() {
    use std::fmt::Write;
    let mut page = String::from(
        "# The shelf\n\nEvery game here has a name that commands, pages and Python take wherever \
         they take a game, in any capitals, with\nspaces or hyphens: `bouton play \"Dawson's \
         Chess\"`, `bouton solve turning turtles HTTH`. Without a position a\ngame begins as \
         shown. `bouton games WORD` searches names, other names, rules and sources. This page is \
         made\nfrom `shelf.toml` and `shelf-more.toml` in `crates/study/games/data`. Games that are \
         a program need\nthe feature `programs` ([programs.md](programs.md)).\n",
    );
    for group in shelf().groups() {
        write!(page, "\n## {}\n\n", group.title).unwrap();
        for game in shelf().games().iter().filter(|game| game.group == group.key) {
            write!(page, "**`{}`**", game.name).unwrap();
            if !game.aliases().is_empty() {
                write!(page, " ({})", game.aliases().join(", ")).unwrap();
            }
            write!(page, " — {}", game.sentence()).unwrap();
            if !game.start.is_empty() {
                write!(page, " Begins with `{}`.", game.start).unwrap();
            }
            match (game.rules(), game.positions()) {
                (Rules::Program(_), Some(form)) => {
                    write!(page, " A program; positions: {form}.").unwrap()
                }
                (_, Some(form)) => write!(page, " Positions also as {form}.").unwrap(),
                (_, None) => {}
            }
            write!(page, " *{}*\n\n", game.source()).unwrap();
        }
    }
    let page = page.trim_end().to_owned() + "\n";
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/reference/shelf.md");
    if std::env::var_os("BOUTON_UPDATE").is_some() {
        std::fs::write(file, &page).unwrap();
    }
    let written = std::fs::read_to_string(file).unwrap_or_default();
    assert!(
        written == page,
        "docs/reference/shelf.md is not that of the data: BOUTON_UPDATE=1 writes it"
    );
}

/// Returns values of heaps by a set of numbers that may be taken.
fn taken_from_a_heap(to: usize, may_take: impl Fn(usize) -> bool) -> Vec<u32> {
    let mut values: Vec<u32> = Vec::new();
    for n in 0..=to {
        let below: BTreeSet<u32> =
            (1..=n).filter(|k| may_take(*k)).map(|k| values[n - k]).collect();
        values.push((0..).find(|value| !below.contains(value)).unwrap());
    }
    values
}

#[test]
fn squares_and_primes() {
    let values = |name: &str| {
        let mut all = Vec::new();
        let game = parse(name).game;
        let end = game.session(Settings::default()).values(400, &mut |_, value| all.push(value.0));
        end.unwrap().unwrap_or_else(|end| panic!("{end}"));
        all
    };
    let squares = values("subtract a square");
    assert_eq!(squares, taken_from_a_heap(400, |k| (1..=k).any(|root| root * root == k)));
    // OEIS A014586.
    let start =
        [0, 1, 0, 1, 2, 0, 1, 0, 1, 2, 0, 1, 0, 1, 2, 0, 1, 0, 1, 2, 0, 1, 0, 1, 2, 3, 2, 3, 4, 5];
    assert_eq!(squares[..30], start);
    let primes = values("take a prime");
    assert_eq!(primes, taken_from_a_heap(400, |k| k > 1 && (2..k).all(|d| k % d > 0)));
    // OEIS A025043.
    let lost: Vec<usize> = (0..=125).filter(|n| primes[*n] == 0).collect();
    assert_eq!(lost, [0, 1, 9, 10, 25, 34, 35, 49, 55, 85, 91, 100, 115, 121, 125]);
    // Several heaps are a sum.
    assert_eq!(value("subtract-a-square", "20,24,29"), squares[20] ^ squares[24] ^ squares[29]);
}
