//! Rules as people state them: the rule files under tests/stated, whose first line names the source
//! of the question, with the answers of that source; and everything against brute force from the
//! words of the rules, written apart.
#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_core::{Budget, Digits, LimitReached, Play};
use bouton_engine::{Game, Settings};
use bouton_games::{RuleFile, RuleFileError};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::Path;

fn file(name: &str) -> RuleFile {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stated").join(format!("{name}.toml"));
    RuleFile::parse(&std::fs::read_to_string(path).unwrap())
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn game(name: &str) -> Box<dyn Game> {
    file(name).game()
}

/// Returns the nim-value of a position.
fn value(game: &dyn Game, position: &str) -> u32 {
    let settings = Settings { nim_value_nodes: u64::MAX, ..Settings::default() };
    let found = game.session(settings).evaluate(position).unwrap();
    found.unwrap_or_else(|end| panic!("{position}: {end}")).nim_value.unwrap().0
}

fn is_lost(game: &dyn Game, position: &str, play: Play) -> bool {
    let found = game.session(Settings { play, ..Settings::default() }).evaluate(position).unwrap();
    found.unwrap_or_else(|end| panic!("{position}: {end}")).outcome.unwrap().is_p()
}

/// Returns the nim-values of single heaps.
fn sequence(game: &dyn Game, to: u32) -> Vec<u32> {
    let mut all = Vec::new();
    let end = game.session(Settings::default()).values(to, &mut |_, value| all.push(value.0));
    end.unwrap().unwrap_or_else(|end| panic!("{end}"));
    all
}

fn options(game: &dyn Game, position: &str) -> BTreeSet<String> {
    let mut graph = game.graph();
    let node = graph.read(position).unwrap();
    graph.begin(&Budget::default());
    let all = graph.options(node).unwrap().to_vec();
    assert_eq!(graph.stopped(), None);
    all.into_iter().map(|node| graph.print(node)).collect()
}

/// Returns the same positions, their heaps in order.
fn ordered(texts: BTreeSet<String>) -> BTreeSet<String> {
    let one = |text: String| {
        let mut heaps: Vec<u32> = text.split(',').map(|heap| heap.parse().unwrap()).collect();
        heaps.sort_unstable();
        heaps.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
    };
    texts.into_iter().map(one).collect()
}

fn mex(values: impl IntoIterator<Item = u32>) -> u32 {
    let all: BTreeSet<u32> = values.into_iter().collect();
    (0..).find(|value| !all.contains(value)).unwrap()
}

/// Nim-values by the definition, of positions of any kind.
struct Brute<P, F: Fn(&P) -> Vec<P>>(F, BTreeMap<P, u32>);

impl<P: Ord + Clone, F: Fn(&P) -> Vec<P>> Brute<P, F> {
    fn new(options: F) -> Brute<P, F> {
        Brute(options, BTreeMap::new())
    }

    fn value(&mut self, p: &P) -> u32 {
        if let Some(known) = self.1.get(p) {
            return *known;
        }
        let values: Vec<u32> = (self.0)(p).iter().map(|q| self.value(q)).collect();
        let value = mex(values);
        self.1.insert(p.clone(), value);
        value
    }
}

/// Returns the nim-sequence of heaps that become others, by the definition.
fn by_splits(to: u32, becomes: impl Fn(u32) -> Vec<Vec<u32>>) -> Vec<u32> {
    let mut all: Vec<u32> = Vec::new();
    for heap in 0..=to {
        let sum = |heaps: &Vec<u32>| heaps.iter().fold(0, |sum, heap| sum ^ all[*heap as usize]);
        let value = mex(becomes(heap).iter().map(sum));
        all.push(value);
    }
    all
}

#[test]
fn empty_one_box_and_divide_the_other() {
    let boxes = game("empty-and-divide");
    let all = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(ordered(options(&*boxes, "1,4")), all(&["1,3", "2,2"]));
    assert_eq!(value(&*boxes, "1,4"), 2);
    let mut brute = Brute::new(|&(a, b): &(u32, u32)| {
        let both = a > 0 && b > 0;
        let divided =
            [a, b].into_iter().filter(|_| both).flat_map(|n| (1..n).map(move |x| (x, n - x)));
        divided.collect::<Vec<(u32, u32)>>()
    });
    for a in 1..=12u32 {
        for b in 1..=12u32 {
            let position = format!("{a},{b}");
            assert_eq!(value(&*boxes, &position), brute.value(&(a, b)), "{position}");
            assert_eq!(
                is_lost(&*boxes, &position, Play::Normal),
                a % 2 == 1 && b % 2 == 1,
                "{position}"
            );
        }
    }
    // The table of a box of positions, and a sum with another game.
    let mut table = BTreeMap::new();
    let mut session = boxes.session(Settings::default());
    let end = session.nim_value_table(6, &mut |p, value| {
        table.insert((p[0] as u32, p[1] as u32), value.0);
        ControlFlow::Continue(())
    });
    end.unwrap().unwrap();
    assert_eq!(table.len(), 28);
    table.iter().for_each(|(p, value)| assert_eq!(*value, brute.value(p), "{p:?}"));
    drop(session);
    let whole =
        bouton_engine::sum::sum(&[boxes, bouton_games::parse("nim").unwrap().game]).unwrap();
    assert!(
        is_lost(&*whole, "1,4 + 2", Play::Normal) && !is_lost(&*whole, "1,4 + 3", Play::Normal)
    );
}

#[test]
fn tokens_go_down_a_staircase() {
    let stairs = game("staircase");
    let mut brute = Brute::new(|&[a, b, c]: &[u32; 3]| {
        let mut all = Vec::new();
        all.extend((1..=a).map(|k| [a - k, b, c]));
        all.extend((1..=b).map(|k| [a + k, b - k, c]));
        all.extend((1..=c).map(|k| [a, b + k, c - k]));
        all
    });
    for a in 0..5 {
        for b in 0..5 {
            for c in 0..5 {
                let position = format!("{a},{b},{c}");
                assert_eq!(value(&*stairs, &position), brute.value(&[a, b, c]), "{position}");
                // Steps 1 and 3 are what counts.
                assert_eq!(is_lost(&*stairs, &position, Play::Normal), a == c, "{position}");
            }
        }
    }
}

#[test]
fn a_white_stone_becomes_blue_ones() {
    let stones = game("white-and-blue");
    assert_eq!(value(&*stones, "20,20"), 2);
    let mut brute = Brute::new(|&(w, b): &(u32, u32)| {
        let mut all: Vec<(u32, u32)> = (1..=b / 2).map(|k| (w, b - k)).collect();
        if w >= 1 {
            all.push((w - 1, b + w));
        }
        all
    });
    for w in 0..8 {
        for b in 0..20 {
            assert_eq!(value(&*stones, &format!("{w},{b}")), brute.value(&(w, b)), "{w},{b}");
        }
    }
}

#[test]
fn euclid_takes_a_multiple_of_the_lesser_heap() {
    let euclid = game("euclid");
    let mut lost = 0;
    for x in 1..=10u32 {
        for y in x + 1..=10 {
            let is = is_lost(&*euclid, &format!("{x},{y}"), Play::Normal);
            // Less than the golden ratio times the lesser heap: y(y - x) < x².
            assert_eq!(is, y * (y - x) < x * x, "{x},{y}");
            lost += if is { x + y } else { 0 };
        }
    }
    assert_eq!(lost, 211);
    // A product is beyond the prover, and the game is stated to it all the same.
    assert!(euclid.heap_game().unwrap().moves.condition.unwrap().arithmetic_word().is_some());
}

#[test]
fn divisors_are_taken() {
    let proper = game("proper-divisor");
    let values = sequence(&*proper, 100);
    // The exponent of 2.
    (1..=100u32).for_each(|n| assert_eq!(values[n as usize], n.trailing_zeros(), "{n}"));
    let winning = |to: usize| {
        let mut count = 0u32;
        for a in 1..=to {
            for b in 1..=to {
                count +=
                    (1..=to).filter(|c| values[a] ^ values[b] ^ values[*c] != 0).count() as u32;
            }
        }
        count
    };
    assert_eq!((winning(10), winning(100)), (692, 735_494));
    assert_eq!(value(&*proper, "4,6,40"), 2 ^ 1 ^ 3);
    let inner = game("inner-divisor");
    for n in 1..=300u32 {
        let odd_power = n.is_power_of_two() && n.trailing_zeros() % 2 == 1;
        assert_eq!(is_lost(&*inner, &n.to_string(), Play::Normal), n % 2 == 1 || odd_power, "{n}");
    }
}

#[test]
fn a_heap_becomes_copies() {
    let halves = file("one-or-halves");
    for k in 1..=6u32 {
        let found = sequence(&*halves.at(&[k]).unwrap(), 200);
        let brute = by_splits(200, |n| {
            let mut all = Vec::new();
            if n >= 1 {
                all.push(vec![n - 1]);
                if n % 2 == 0 {
                    all.push(vec![n / 2; k as usize]);
                }
            }
            all
        });
        assert_eq!(found, brute, "k = {k}");
        let start: &[u32] = if k % 2 == 0 {
            &[0, 1, 2, 0, 1, 0, 1, 0, 1]
        } else {
            &[0, 1, 0, 1, 2, 0, 2, 0, 1, 0, 1, 0, 1, 0, 1]
        };
        assert_eq!(&found[..start.len()], start, "k = {k}");
    }
}

#[test]
fn a_heap_becomes_two_or_a_run() {
    let two = game("less-and-twice-less");
    let brute =
        by_splits(150, |n| (1..n).filter(|b| n > 2 * b).map(|b| vec![n - 2 * b, n - b]).collect());
    assert_eq!(sequence(&*two, 150), brute);
    let run = game("consecutive");
    let brute = by_splits(200, |n| {
        let ways = (1..n).flat_map(|a| (2..n).map(move |k| (a, k)));
        ways.filter(|(a, k)| 2 * k * a + k * (k - 1) == 2 * n)
            .map(|(a, k)| (a..a + k).collect())
            .collect()
    });
    assert_eq!(sequence(&*run, 200), brute);
}

#[test]
fn coins_are_turned() {
    // Coin n is a heap of n, from 1 on; the source counts from 0.
    let turtles = sequence(&*game("mock-turtles"), 15);
    assert_eq!(&turtles[1..], &[1, 2, 4, 7, 8, 11, 13, 14, 16, 19, 21, 22, 25, 26, 28]);
    let ruler = sequence(&*game("ruler"), 64);
    (1..=64u32).for_each(|n| assert_eq!(ruler[n as usize], 1 << n.trailing_zeros(), "{n}"));
    let triplets = sequence(&*game("triplets"), 40);
    let brute =
        by_splits(40, |n| (1..n).flat_map(|a| (a + 1..n).map(move |b| vec![a, b])).collect());
    assert_eq!(triplets, brute);
    assert_eq!(value(&*game("ruler"), "3,4,5"), 1 ^ 4 ^ 1);
}

#[test]
fn laskers_nim_is_a_code() {
    let lasker = game("lasker");
    // 4k+1, 4k+2 are themselves, 4k+3 and 4k+4 change places.
    let theorem = |n: u32| match n % 4 {
        3 => n + 1,
        0 if n > 0 => n - 1,
        _ => n,
    };
    let values = sequence(&*lasker, 200);
    (0..=200u32).for_each(|n| assert_eq!(values[n as usize], theorem(n), "{n}"));
    let Some(bouton_core::HeapMoves::Code(code)) = lasker.heap_moves() else { panic!("a code") };
    assert_eq!(code, "4.[3]");
    // Misère play is searched: by the definition up to three heaps of sum 7.
    let mut lost: BTreeMap<Vec<u32>, bool> = BTreeMap::new();
    fn misere(p: &[u32], lost: &mut BTreeMap<Vec<u32>, bool>) -> bool {
        let mut key: Vec<u32> = p.iter().copied().filter(|n| *n > 0).collect();
        key.sort_unstable();
        if let Some(known) = lost.get(&key) {
            return *known;
        }
        let mut all = Vec::new();
        for (i, n) in key.iter().enumerate() {
            let rest = [&key[..i], &key[i + 1..]].concat();
            all.extend((0..*n).map(|left| [&rest[..], &[left]].concat()));
            all.extend((1..*n).map(|left| [&rest[..], &[left, n - left]].concat()));
        }
        let found = !all.is_empty() && all.iter().all(|q| !misere(q, lost));
        lost.insert(key, found);
        found
    }
    for a in 0..4u32 {
        for b in a..4 {
            for c in b..4 {
                let expected = misere(&[a, b, c], &mut lost);
                assert_eq!(
                    is_lost(&*lasker, &format!("{a},{b},{c}"), Play::Misere),
                    expected,
                    "{a},{b},{c}"
                );
            }
        }
    }
}

/// Codes that rules say, and rules that say none, by the options of heaps.
#[test]
fn codes_are_those_of_the_rules() {
    let read = |splits: &str| {
        RuleFile::parse(&format!("name = \"x\"\nsplits = [{splits}]\n"))
            .unwrap_or_else(|e| panic!("{splits}: {e}"))
            .game()
    };
    for (splits, code) in [
        ("\"q0+q1+1 = p0\", \"q0+q1+2 = p0\"", Some("0.77")),
        ("\"q0+q1+2 = p0\"", Some("0.07")),
        ("\"p0 = 1\", \"q0+q1+2 = p0 & q0 >= 1 & 1 <= q1\"", Some("0.14")),
        ("\"q0 < p0 & p0 <= q0+3\"", Some("0.333")),
        ("\"q0 < p0 & q0 > 0\"", Some("0.[2]")),
        ("\"q0+q1 < p0 & q0 <= q1\"", Some("0.[7]")),
        ("\"q0+q1+q2+1 = p0\"", Some("0.F")),
        // Heaps of different sizes, an evenness, copies: no code of this kind.
        ("\"q0+q1 = p0 & q0 < q1 & q0 >= 1\"", None),
        ("\"2*q0 = p0\"", None),
        ("\"q0+1 = p0 & p0 >= 3\"", None),
        ("\"q0 < p0 & prime(p0-q0)\"", None),
    ] {
        let game = read(splits);
        let found = match game.heap_moves() {
            Some(bouton_core::HeapMoves::Code(code)) => Some(code),
            _ => None,
        };
        assert_eq!(found.as_deref(), code, "{splits}");
        if let Some(code) = code {
            let other = bouton_games::parse(code).unwrap().game;
            for heap in 0..12 {
                let text = heap.to_string();
                let [own, others] = [&game, &other].map(|game| ordered(options(&**game, &text)));
                assert_eq!(own, others, "{splits} from {heap}");
            }
        }
    }
}

#[test]
fn numbers_are_not_chosen_twice() {
    let choose = file("choose-numbers");
    let brute = |m: u32, total: u32| {
        let mut brute = Brute::new(move |&(left, used): &(u32, u32)| {
            let free = (1..=m).filter(|k| left >= 1 && used >> k & 1 == 0);
            free.map(|k| (left.saturating_sub(k), used | 1 << k)).collect()
        });
        brute.value(&(total, 0)) == 0
    };
    for (m, total, lost) in
        [(10, 11, true), (10, 40, true), (10, 0, true), (4, 6, false), (8, 30, false)]
    {
        let game = choose.at(&[m]).unwrap();
        let position = format!("{total},{{}}");
        assert_eq!(is_lost(&*game, &position, Play::Normal), brute(m, total), "{m}: {total}");
        if (m, total) != (8, 30) && (m, total) != (4, 6) {
            assert_eq!(brute(m, total), lost, "{m}: {total}");
        }
    }
    let game = choose.at(&[4]).unwrap();
    let found = options(&*game, "6,{1,3}");
    assert_eq!(found, ["2,{1,3,4}", "4,{1,2,3}"].map(String::from).into());
    assert!(game.normal_form("6,{1,32}").is_err() && game.normal_form("6,{1").is_err());
    assert_eq!(game.normal_form(" 6 , { 3 , 1 }").unwrap(), "6,{1,3}");
}

#[test]
fn squares_and_parts() {
    let squares = game("subtract-a-square");
    let values = sequence(&*squares, 60);
    let lost: Vec<usize> = (0..=60).filter(|n| values[*n] == 0).collect();
    assert_eq!(lost, [0, 2, 5, 7, 10, 12, 15, 17, 20, 22, 34, 39, 44, 52, 57]);
    let parts = game("floor-parts");
    let mut brute =
        Brute::new(
            |n: &u32| {
                if *n == 0 { Vec::new() } else { (2..=6).map(|k| n / k).collect::<Vec<u32>>() }
            },
        );
    let values = sequence(&*parts, 300);
    (0..=300u32).for_each(|n| assert_eq!(values[n as usize], brute.value(&n), "{n}"));
    // Few heaps lie below a great one.
    assert_eq!(value(&*parts, "4000000000"), brute.value(&4_000_000_000));
}

/// One heap by a formula of words: nim-values, and who wins in both plays, by recursion over the
/// words of the rule; the last of each as one position of a new session.
#[test]
fn one_heap_by_words() {
    type Rule = (&'static str, fn(u32, u32) -> bool);
    let rules: [Rule; 8] = [
        ("prime(p0)", |heap, _| (2..heap).all(|k| heap % k > 0) && heap >= 2),
        ("E k: k*k <= p0 & k >= 1 & q0+k = p0", |heap, taken| taken * taken <= heap),
        ("E k: k*k <= p0 & k >= 2 & q0+k = p0", |heap, taken| taken >= 2 && taken * taken <= heap),
        ("E k: k >= 3 & k*k >= p0 & q0+k = p0", |heap, taken| taken >= 3 && taken * taken >= heap),
        ("q0 < p0 & square(p0-q0)", |_, taken| taken.isqrt().pow(2) == taken),
        ("divides(p0-q0, p0) & q0 < p0 & q0 >= 1", |heap, taken| heap % taken == 0 && taken < heap),
        ("gcd(q0, p0) = 1 & q0 < p0", |heap, taken| {
            let (mut a, mut b) = (heap, heap - taken);
            while b > 0 {
                (a, b) = (b, a % b);
            }
            a == 1
        }),
        ("q0 + 3 <= p0 & bitand(p0-q0, 4) = 4 | q0 + 1 = p0 & p0 >= 7", |heap, taken| {
            taken & 4 == 4 || taken == 1 && heap >= 7
        }),
    ];
    const TO: u32 = 400;
    for (text, may_be_taken) in rules {
        let file = format!("name = \"one-heap\"\nheaps = 1\nmove = \"{text}\"");
        let game = RuleFile::parse(&file).unwrap().game();
        let left = |heap: u32| {
            (1..=heap)
                .filter(move |taken| may_be_taken(heap, *taken))
                .map(move |taken| (heap - taken) as usize)
        };
        let (mut values, mut normal, mut misere) = (Vec::new(), Vec::new(), Vec::new());
        for heap in 0..=TO {
            values.push(mex(left(heap).map(|left| values[left])));
            normal.push(!left(heap).any(|left| normal[left]));
            misere.push(left(heap).next().is_some() && !left(heap).any(|left| misere[left]));
        }
        assert_eq!(sequence(&*game, TO), values, "{text}");
        for (play, lost) in [(Play::Normal, normal), (Play::Misere, misere)] {
            let session = &mut game.session(Settings { play, ..Settings::default() });
            for heap in 0..=TO {
                let found = session.evaluate(&heap.to_string()).unwrap().unwrap();
                assert_eq!(
                    found.outcome.unwrap().is_p(),
                    lost[heap as usize],
                    "{text}: {heap}, {play:?}"
                );
            }
            for heap in [1, 9, 16, 17, TO - 1, TO] {
                assert_eq!(
                    is_lost(&*game, &heap.to_string(), play),
                    lost[heap as usize],
                    "{text}: {heap} alone, {play:?}"
                );
            }
        }
        assert_eq!(value(&*game, &TO.to_string()), values[TO as usize], "{text}");
    }
}

/// Heaps of more than 32 bits, where few positions lie below: a discussion on CodeChef has the
/// first values; a heap from which a power of 2 is taken has the value n mod 3; the rest by
/// recursion.
#[test]
fn heaps_of_many_digits() {
    let floors =
        "name = \"floors\"\nheaps = 1\nmove = \"E k: k >= 2 & k <= 6 & q0 = p0 div k & p0 >= 1\"\n";
    let floors = RuleFile::parse(floors).unwrap().game();
    for (heap, expected) in
        [("1000000000000000000", 3), ("123456789012345678", 0), ("987654321987654321", 3)]
    {
        assert_eq!(value(&*floors, heap), expected, "{heap}");
    }
    let mut brute = Brute::new(|heaps: &[u64; 2]| {
        let (a, b) = (heaps[0], heaps[1]);
        let halves = [[a / 2, b], [a, b / 3], [a / 5, b / 5]];
        halves.into_iter().filter(|option| option != heaps).collect()
    });
    let two = "name = \"two\"\nheaps = 2\nmove = \"q0 = p0 div 2 & q1 = p1 | q0 = p0 & q1 = p1 \
               div 3 | q0 = p0 div 5 & q1 = p1 div 5\"\n";
    let two = RuleFile::parse(two).unwrap().game();
    for heaps in [[5_000_000_000, 3], [77, 6_000_000_000], [123_456_789_012, 98_765_432_109]] {
        let text = format!("{},{}", heaps[0], heaps[1]);
        assert_eq!(value(&*two, &text), brute.value(&heaps), "{text}");
        let expected: BTreeSet<String> =
            [[heaps[0] / 2, heaps[1]], [heaps[0], heaps[1] / 3], [heaps[0] / 5, heaps[1] / 5]]
                .into_iter()
                .map(|option| format!("{},{}", option[0], option[1]))
                .collect();
        let listed = two.session(Settings::default()).analyse(&text).unwrap();
        let found: BTreeSet<String> = listed.moves.into_iter().map(|option| option.to).collect();
        assert_eq!(found, expected, "{text}");
    }
    let squares =
        "name = \"s\"\nheaps = 1\nmove = \"q0 = p0 div 2 & square(p0) | q0+1 = p0 & p0 > 9\"\n";
    let squares = RuleFile::parse(squares).unwrap().game();
    // 10^12 is a square, 10^12 / 2 is none, nor are its neighbours below for long.
    let mut listed = squares.session(Settings::default());
    listed.set_budget(Budget { nodes: Some(1000), ..Budget::default() });
    let found = listed.analyse("1000000000000").unwrap();
    let found: BTreeSet<String> = found.moves.into_iter().map(|option| option.to).collect();
    assert_eq!(found, BTreeSet::from(["500000000000".to_owned(), "999999999999".to_owned()]));
}

/// Codeforces 256C: a pile of x becomes one of y, where y⁴ is at least x and y² at most; as one
/// heap and as any number of them, by a table of the piles below.
#[test]
fn piles_become_their_roots() {
    const TO: u64 = 120_000;
    let options = |x: u64| {
        let least = (0..).find(|y: &u64| y.pow(4) >= x).unwrap();
        (least..x).take_while(move |y| y * y <= x)
    };
    let mut values: Vec<u32> = Vec::new();
    for x in 0..=TO {
        let below: BTreeSet<u32> = options(x).map(|y| values[y as usize]).collect();
        values.push((0..).find(|value| !below.contains(value)).unwrap());
    }
    let value_of = |x: u64| {
        let below: BTreeSet<u32> = options(x).map(|y| values[y as usize]).collect();
        (0..).find(|value| !below.contains(value)).unwrap()
    };
    for heaps in ["1", "\"any\""] {
        let text = format!(
            "name = \"roots\"\nheaps = {heaps}\n\
             move = \"q0 < p0 & q0*q0 <= p0 & p0 <= q0*q0*q0*q0\"\n"
        );
        let game = RuleFile::parse(&text).unwrap().game();
        for x in [17, 81, 82, 50_625, 5_000_000_000, 10_000_000_000, 14_000_000_000] {
            assert_eq!(value(&*game, &x.to_string()), value_of(x), "{heaps}: {x}");
        }
        let listed = game.session(Settings::default()).analyse("5000000000").unwrap();
        let right: Vec<u64> = options(5_000_000_000).collect();
        assert_eq!(listed.moves.len(), right.len());
        for option in listed.moves.iter().step_by(999) {
            let to: u64 = option.to.parse().unwrap();
            assert!(right.contains(&to), "{to}");
            assert_eq!(option.evaluation.nim_value.unwrap().0, values[to as usize], "{to}");
        }
    }
}

/// More heaps than automata read: a row of ten coins in which one or two neighbours are taken,
/// which is Kayles.
#[test]
fn ten_heaps() {
    let at = |change: &[usize]| {
        let one = |i: usize| {
            if change.contains(&i) { format!("q{i}+1 = p{i}") } else { format!("q{i} = p{i}") }
        };
        (0..10).map(one).collect::<Vec<_>>().join(" & ")
    };
    let ways: Vec<String> =
        (0..10).map(|i| at(&[i])).chain((0..9).map(|i| at(&[i, i + 1]))).collect();
    let text = format!("name = \"row\"\nheaps = 10\nmove = \"{}\"\n", ways.join(" | "));
    let row = RuleFile::parse(&text).unwrap().game();
    let kayles = bouton_games::parse("kayles").unwrap().game;
    for (coins, rows) in [
        ("1,1,1,0,1,1,0,0,0,0", "2,3"),
        ("0,1,1,1,1,1,0,1,0,0", "1,5"),
        ("1,1,1,1,1,1,1,0,0,0", "7"),
    ] {
        assert_eq!(value(&*row, coins), value(&*kayles, rows), "{coins}");
    }
    assert!(row.tables_only().unwrap().contains("7 numbers"));
}

/// Rules that are wrong, with what is said of them.
#[test]
fn wrong_rules_are_told_with_the_least_example() {
    for (text, told) in [
        // Raised without falling.
        (
            "heaps = 2\nmove = \"q0 = p0+1 & q1+1 = p1\"\nfalls = \"p0+p1\"",
            "the move holds of 0,1 → 1,0, and p0+p1 does not fall: 1 → 1",
        ),
        // Once round and round.
        (
            "heaps = 1\nmove = \"q0+1 = p0 | q0 = p0+2 & p0 >= 3\"\nfalls = \"p0\"",
            "`q0 = p0 + 2 & p0 >= 3` holds of 3 → 5, and p0 does not fall: 3 → 5",
        ),
        // Nothing changes, in an alternative of its own.
        (
            "heaps = 2\nmove = \"q0 = p0 & q1 = p1 & p0 >= 1 | q0+1 = p0 & q1 = p1\"\nfalls = \
             \"p0+p1\"",
            "holds of 1,0 → 1,0, and p0+p1 does not fall: 1 → 1",
        ),
        // Below 0.
        (
            "heaps = 1\nmove = \"q0 = p0+1\"\nfalls = \"5-p0\"",
            "falls = \"5-p0\" has no value at 6, or a negative one",
        ),
        (
            "heaps = 2\nmove = \"q0 = p0 div p1 & q1 = p1 & q0 < p0\"",
            "`p0 div p1` divides by 0 from 1,0",
        ),
        // Nothing says how far.
        (
            "heaps = 2\nmove = \"q1+1 = p1 & q0 >= p0\"\nfalls = [\"p1\"]",
            "sets no bound to q0 from 0,1",
        ),
        // Symmetric it is not.
        (
            "heaps = 2\nsymmetry = \"full\"\nmove = \"q0+1 = p0 & q1 = p1\"\nfalls = \"p0+p1\"",
            "the game is not as symmetric as the file says",
        ),
        // A step that is lost in silence nowhere.
        (
            "heaps = 1\nmove = \"q0 = p0*p0 | divides(q0, p0) & q0 < p0\"",
            "`q0 = p0*p0` holds of 2 → 4, which raises a heap",
        ),
        (
            "splits = [\"q0+q1 = p0+1\"]",
            "`q0+q1 = p0+1` makes of a heap of 0 one of 1, which is not smaller",
        ),
        (
            "splits = [\"q0 = p0+2 | q0+1 = p0\"]",
            "makes of a heap of 0 one of 2, which is not smaller",
        ),
        (
            "splits = [\"q0 = p0 & p0 >= 2 | q0+1 = p0\"]\nfalls = \"p0\"",
            "makes of a heap of 2 one of 2, and p0 does not fall: 2 → 2",
        ),
        (
            "splits = [\"q0 <= p0 & q1 <= p0\"]",
            "makes of a heap of 1 one of 1, which is not smaller",
        ),
        (
            "splits = [{ when = \"q0 < p0\", into = \"2 of q0+1\" }]",
            "makes of a heap of 1 one of 1",
        ),
        (
            "splits = [{ when = \"q0 < p0\", into = \"q0-1\" }]",
            "one whose size is negative or too big",
        ),
        ("splits = [\"q0 < p0\"]\nmove = \"q0 < p0\"", "move and splits: one of them"),
        ("splits = [\"q1 < p0\"]", "q0 stands nowhere in the rule"),
        ("heaps = 2", "there are no rules"),
        (
            "heaps = 2\nmove = \"q0 < p0 & q1 = p1\"\nfalls = \"q0\"",
            "falls: each quantity is a number over the position",
        ),
        ("heaps = 16\nmove = \"q0 < p0\"", "1 to 15 heaps"),
        ("heaps = 1\nmemory = 1\nsets = 2\nmove = \"q0 < p0 & q1 = p1\"", "sets:"),
    ] {
        let file = format!("name = \"x\"\n{text}\n");
        let error =
            RuleFile::parse(&file).err().unwrap_or_else(|| panic!("{text}: accepted")).to_string();
        assert!(error.contains(told), "{text}: {error}");
    }
    // A formula's place is shown in its own text.
    let error = RuleFile::parse("name = \"x\"\nsplits = [\"q0 < p0\", \"q0 < \"]\n").unwrap_err();
    assert!(matches!(error, RuleFileError::Move(text, _) if text == "q0 < "));
}

/// What goes wrong only with large heaps is an error there, and nothing is known of these heaps.
#[test]
fn faults_that_come_later_are_no_answers() {
    // From 4990 to 4981, but from 5000 to 5001.
    let late = "p0 >= 4990 & p0 mod 10 = 0 & q0 + 4999 = 2*p0";
    let text =
        format!("name = \"late\"\nheaps = 1\nmove = \"q0+1 = p0 | {late}\"\nfalls = \"p0\"\n");
    let rules = RuleFile::parse(&text).unwrap();
    let game = rules.game();
    assert!(is_lost(&*game, "4998", Play::Normal));
    let mut session = game.session(Settings::default());
    let told = session.evaluate("5000").unwrap_err().to_string();
    assert!(told.contains(&format!("late: `{late}` holds of 5000 → 5001")), "{told}");
    assert!(session.analyse("5000").is_err());
    let mut seen = 0;
    let table = session.table(5002, &mut |p, outcome| {
        seen += 1;
        assert_eq!(outcome.is_p(), p[0] % 2 == 0, "{p:?}");
        ControlFlow::Continue(())
    });
    assert!(matches!(table.unwrap(), Err(LimitReached::Rules(_))));
    assert_eq!(seen, 5000);
    let mut values = 0;
    let end = session.values(5002, &mut |_, _| values += 1);
    assert!(matches!(end.unwrap(), Err(LimitReached::Rules(_))));
    assert_eq!(values, 5000);
    // What is asked next on this thread is answered.
    assert!(is_lost(&*game, "4998", Play::Normal));
    drop(session);
    let whole = bouton_engine::sum::sum(&[game, bouton_games::parse("nim").unwrap().game]).unwrap();
    assert!(whole.session(Settings::default()).evaluate("5000 + 1").is_err());
    assert!(!is_lost(&*whole, "4998 + 1", Play::Normal));
}

#[test]
fn coins_go_into_boxes_that_hold_so_many() {
    // HDU 1729: into a box of c coins with room for s go 1 to c² more, as long as there is room.
    let boxes = game("coins-into-boxes");
    let mut brute = Brute::new(|&(c, s): &(u32, u32)| {
        (1..=c * c).filter(|more| c + more <= s).map(|more| (c + more, s)).collect()
    });
    for s in 0..40 {
        for c in 0..=s {
            assert_eq!(value(&*boxes, &format!("{c},{s}")), brute.value(&(c, s)), "{c},{s}");
        }
    }
    let refused = boxes.session(Settings::default()).evaluate("7,3").unwrap_err();
    assert!(refused.message.contains("this position does not occur"), "{refused}");
    let mut listed = Vec::new();
    let end = boxes.session(Settings::default()).p_sizes(9, &mut |p| {
        listed.push((p[0] as u32, p[1] as u32));
        ControlFlow::Continue(())
    });
    end.unwrap().unwrap_or_else(|end| panic!("{end}"));
    listed.sort_unstable();
    let all = (0..10).flat_map(|c| (c..10).map(move |s| (c, s)));
    assert_eq!(listed, all.filter(|p| brute.value(p) == 0).collect::<Vec<_>>());
}

/// Heaps that do not occur have no nim-value, so there is no sequence of all heaps.
#[test]
fn heaps_that_do_not_occur_have_no_values() {
    let text = "name = \"even\"\nheaps = 1\npositions = \"p0 mod 2 = 0\"\nmove = \"p0-q0 = 2\"";
    let game = RuleFile::parse(text).unwrap().game();
    assert!(game.session(Settings::default()).values(6, &mut |_, _| ()).is_none());
    assert_eq!((game.single(2), game.single(3)), (Some("2".into()), None));
    // Every move takes two tokens.
    for half in 0..9 {
        assert_eq!(value(&*game, &(2 * half).to_string()), half % 2);
    }
}

/// That a step raises a heap counts where the position occurs: here p1 <= p0.
#[test]
fn a_column_or_a_row_is_removed() {
    let moves = "q0 = p1 & q1 = 0 | (q0+1 = p0 | q0 = 0 & p0 = 0) & (q1+1 = p1 | q1 = 0 & p1 = 0)";
    let text = |positions: &str| {
        format!("name = \"y\"\nheaps = 2\npositions = \"{positions}\"\nmove = \"{moves}\"\n")
    };
    let diagrams = RuleFile::parse(&text("p0 >= p1")).unwrap().game();
    let mut brute = Brute::new(|&(a, b): &(u32, u32)| {
        let options = [(b, 0), (a.saturating_sub(1), b.saturating_sub(1))];
        options.into_iter().filter(|option| *option != (a, b)).collect()
    });
    for (a, b) in (0..12).flat_map(|a| (0..=a).map(move |b| (a, b))) {
        let position = format!("{a},{b}");
        assert_eq!(value(&*diagrams, &position), brute.value(&(a, b)), "{position}");
    }
    for positions in ["p0 + 1 >= p1", "p0 >= 0"] {
        let refused = RuleFile::parse(&text(positions));
        assert!(matches!(refused, Err(RuleFileError::Raises { .. })), "{positions}");
    }
}

#[test]
fn positions_that_moves_leave_or_that_break_the_symmetry_are_refused() {
    let refused = |text: &str| match RuleFile::parse(text) {
        Err(error) => error.to_string(),
        Ok(file) => panic!("{}", file.name()),
    };
    let rules = |positions: &str, symmetry: &str| {
        format!(
            "name = \"b\"\nheaps = 2\nsymmetry = \"{symmetry}\"\npositions = \"{positions}\"\n\
             move = \"q0 = p0 & q1 < p1 & divides(q1+1, p1) | q1 = p1 & q0 < p0 & divides(q0+1, \
             p0)\"\n"
        )
    };
    assert!(RuleFile::parse(&rules("p0 <= 100", "none")).is_ok());
    let leaves = refused(&rules("p0 >= p1", "none"));
    assert!(leaves.contains("leaves the positions that occur"), "{leaves}");
    let lopsided = refused(&rules("p0 < 5", "full"));
    assert!(lopsided.contains("only one occurs"), "{lopsided}");
    let none = refused(&rules("p0 < p0", "none"));
    assert!(none.contains("holds of none of the"), "{none}");
    let bound = refused(&rules("E k: p0 = 2*k", "none"));
    assert!(bound.contains("without quantifiers"), "{bound}");
}

/// Returns the game of a file with parameters.
fn game_with(name: &str, parameters: &str) -> Box<dyn Game> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stated").join(format!("{name}.toml"));
    let rules = RuleFile::parse(&std::fs::read_to_string(path).unwrap()).unwrap();
    let catalogue = bouton_games::Catalogue::standard().with_rule_file(rules).unwrap();
    catalogue.parse(&format!("{name}({parameters})")).unwrap().game
}

#[test]
fn a_point_stays_in_the_circle() {
    for (d, k) in [(2u32, 1u32), (5, 2), (10, 3), (25, 4), (7, 2), (9, 1)] {
        let circle = game_with("circle-game", &format!("{d},{k}"));
        let mut brute = Brute::new(|&(x, y): &(u32, u32)| {
            let within = |(x, y): &(u32, u32)| x * x + y * y <= d * d;
            [(x + k, y), (x, y + k)].into_iter().filter(within).collect()
        });
        for (x, y) in [(0, 0), (1, 0), (1, 1)] {
            let position = format!("{x},{y}");
            assert_eq!(value(&*circle, &position), brute.value(&(x, y)), "{d},{k} at {position}");
        }
    }
    // These are printed with the problem: who begins wins of these only with 5,2.
    for (parameters, is_lost) in [("2,1", true), ("5,2", false), ("10,3", true), ("25,4", true)] {
        let circle = game_with("circle-game", parameters);
        assert_eq!(self::is_lost(&*circle, "0,0", Play::Normal), is_lost, "{parameters}");
    }
}

#[test]
fn a_piece_goes_to_the_corner_of_the_chessboard() {
    let board = game("chessboard-game");
    let mut brute = Brute::new(|&(x, y): &(i32, i32)| {
        let all = [(x - 2, y + 1), (x - 2, y - 1), (x + 1, y - 2), (x - 1, y - 2)];
        let on = |(x, y): &(i32, i32)| (1..=15).contains(x) && (1..=15).contains(y);
        all.into_iter().filter(on).collect()
    });
    for x in 1..=15 {
        for y in 1..=15 {
            let position = format!("{x},{y}");
            assert_eq!(value(&*board, &position), brute.value(&(x, y)), "{position}");
        }
    }
    // These are printed with the problem: the second player wins at 5,2 and 8,8 is won by the
    // first.
    assert!(is_lost(&*board, "5,2", Play::Normal));
    assert!(!is_lost(&*board, "5,3", Play::Normal) && !is_lost(&*board, "8,8", Play::Normal));
}

#[test]
fn a_move_that_takes_nothing_once() {
    let nim = game("zero-move-nim");
    let mut brute = Brute::new(|&(heap, may): &(u32, u32)| {
        let once = (heap > 0 && may == 1).then_some((heap, 0));
        (0..heap).map(|left| (left, may)).chain(once).collect()
    });
    for heap in 0..=12 {
        for may in 0..=1 {
            let position = format!("{heap},{may}");
            assert_eq!(value(&*nim, &position), brute.value(&(heap, may)), "{position}");
        }
        // The answer of the problem: an even heap is worth one less, an odd one one more.
        let expected = if heap % 2 == 1 { heap + 1 } else { heap.saturating_sub(1) };
        assert_eq!(value(&*nim, &format!("{heap},1")), expected, "{heap}");
    }
}

#[test]
fn the_greatest_of_different_numbers_falls() {
    let numbers = game("distinct-numbers");
    let mut brute = Brute::new(|p: &[u32; 3]| {
        let [a, b, greatest] = *p;
        let smaller = (0..greatest).filter(|n| *n != a && *n != b);
        let sorted = |mut q: [u32; 3]| {
            q.sort_unstable();
            q
        };
        smaller.map(|n| sorted([a, b, n])).collect()
    });
    for c in 2..=9u32 {
        for b in 1..c {
            for a in 0..b {
                let position = format!("{b},{c},{a}");
                assert_eq!(value(&*numbers, &position), brute.value(&[a, b, c]), "{position}");
            }
        }
    }
    assert!(numbers.normal_form("2,2,5").is_err());
}

#[test]
fn a_heap_becomes_heaps_of_different_sizes() {
    fn different(left: u32, least: u32, so_far: &mut Vec<u32>, all: &mut Vec<Vec<u32>>) {
        if left == 0 && so_far.len() > 1 {
            all.push(so_far.clone());
        }
        for heap in least..=left {
            so_far.push(heap);
            different(left - heap, heap + 1, so_far, all);
            so_far.pop();
        }
    }
    let expected = by_splits(20, |heap| {
        let mut all = Vec::new();
        different(heap, 1, &mut Vec::new(), &mut all);
        all
    });
    assert_eq!(sequence(&*game("stone-piles"), 20), expected);
}

/// Two heaps whose takings differ by at most a number, as an absolute value and as two comparisons.
#[test]
fn takings_that_differ_little() {
    let text = "name = \"close\"\nheaps = 2\nparameters = { d = [0, 3] }\n\
                move = \"q0+q1 < p0+p1 & q0 <= p0 & q1 <= p1 & |(p0-q0) - (p1-q1)| <= d\"";
    let catalogue =
        bouton_games::Catalogue::standard().with_rule_file(RuleFile::parse(text).unwrap()).unwrap();
    for d in 0..=3i64 {
        let game = catalogue.parse(&format!("close({d})")).unwrap().game;
        let mut values = BTreeMap::new();
        for a in 0..12i64 {
            for b in 0..12i64 {
                let takings = (0..=a).flat_map(|x| (0..=b).map(move |y| (x, y)));
                let legal = takings.filter(|(x, y)| x + y > 0 && (x - y).abs() <= d);
                let own = mex(legal.map(|(x, y)| values[&(a - x, b - y)]));
                values.insert((a, b), own);
                assert_eq!(value(&*game, &format!("{a},{b}")), own, "{d}: {a},{b}");
            }
        }
    }
}

/// Digits of a difference: what is taken shares no binary digit with what is left.
#[test]
fn what_is_taken_shares_no_digit_with_what_is_left() {
    let text = "name = \"apart\"\nheaps = 1\nmove = \"q0 < p0 & bitand(p0-q0, q0) = 0\"";
    let game = RuleFile::parse(text).unwrap().game();
    let found = sequence(&*game, 300);
    let mut values: Vec<u32> = Vec::new();
    for n in 0..=300usize {
        values.push(mex((0..n).filter(|q| (n - q) & q == 0).map(|q| values[q])));
    }
    assert_eq!(found, values);
}

/// Whoever says 100 first wins: what falls need have no value beyond the end of the game.
#[test]
fn a_race_upwards() {
    let text = "name = \"race\"\nheaps = 1\nmove = \"p0 < q0 & q0 <= p0+10 & q0 <= 100\"\nfalls = \
        \"100-p0\"";
    let game = RuleFile::parse(text).unwrap().game();
    for n in 0..=100u32 {
        assert_eq!(value(&*game, &n.to_string()), (100 - n) % 11, "{n}");
    }
}

/// Rules on the heap before or after a move alone: a heap of which a move says nothing may lose any
/// number of tokens, be it the only one or one of many, and none grows.
#[test]
fn one_number_of_a_move_left_free() {
    type Allows = fn(u32, u32) -> bool;
    let cases: [(&str, Allows); 6] = [
        ("p0 mod 4 = 3", |p, _| p % 4 == 3),
        ("prime(p0)", |p, _| [2, 3, 5, 7, 11, 13, 17, 19].contains(&p)),
        ("p0 mod 4 = 3 | q0+1 = p0", |p, q| p % 4 == 3 || q + 1 == p),
        ("coprime(q0, p0)", |p, q| (1..=p).all(|d| d == 1 || p % d > 0 || q % d > 0)),
        ("digitsum(q0) < digitsum(p0)", |p, q| q / 10 + q % 10 < p / 10 + p % 10),
        ("power(2, p0+q0)", |p, q| (p + q).is_power_of_two()),
    ];
    for (moves, holds) in cases {
        let right = by_splits(20, |p| (0..p).filter(|q| holds(p, *q)).map(|q| vec![q]).collect());
        for heaps in ["1", "\"any\""] {
            let text = format!("name = \"free\"\nheaps = {heaps}\nmove = \"{moves}\"\n");
            let game = RuleFile::parse(&text).unwrap().game();
            assert_eq!(sequence(&*game, 20), right, "{heaps}: {moves}");
        }
    }
}

/// A digit sum bounds how far a heap may grow: such a rule is refused, not read as one of smaller
/// heaps.
#[test]
fn steps_under_a_digit_sum_that_raise_a_heap() {
    for moves in ["q0 xor p0 <= 2", "bitor(q0, p0) = p0 div 2 + 7"] {
        for text in ["heaps = 1\nmove = ", "heaps = \"any\"\nmove = ", "splits = "] {
            let rule =
                if text == "splits = " { format!("[\"{moves}\"]") } else { format!("\"{moves}\"") };
            let read = RuleFile::parse(&format!("name = \"grow\"\n{text}{rule}\n"));
            assert!(read.is_err(), "{text}{rule}");
        }
    }
}

/// Of multiples by the square root of 2 and by the golden ratio, which is as an integer root says:
/// ⌊φx⌋ is ⌊(x + √(5x²))/2⌋.
#[test]
fn moves_say_multiples_of_irrational_numbers() {
    let rules =
        |fields: &str| RuleFile::parse(&format!("name = \"multiples\"\n{fields}")).unwrap().game();
    let root = |x: u32| (2 * x * x).isqrt();
    let golden = |x: u32| (x + (5 * x * x).isqrt()) / 2;
    let at_most = rules("heaps = 1\nmove = \"q0 < p0 & floor[1;(2)](q0) >= p0\"");
    let mut brute = Brute::new(|&p: &u32| (0..p).filter(|&q| root(q) >= p).collect());
    for p in 0..60 {
        assert_eq!(value(&*at_most, &p.to_string()), brute.value(&p), "{p}");
    }
    // Beside a nim-sum nothing is proved.
    let both = rules(
        "heaps = 2\nmove = \"q0 = p0 & q1 < p1 & q1 <= floor[1;(1)](p0) | q1 = p1 & q0 + 2 >= (p0 xor \
         p1) & q0 < p0\"",
    );
    let mut brute = Brute::new(|&(x, y): &(u32, u32)| {
        let right = (0..y).filter(|&q| q <= golden(x)).map(|q| (x, q));
        right.chain((0..x).filter(|q| q + 2 >= (x ^ y)).map(|q| (q, y))).collect()
    });
    // Digits of Zeckendorf are asked for by the move.
    let lesser = rules("heaps = 1\nmove = \"floor[1;(1)](q0) >= p0\"");
    assert_eq!(lesser.heap_game().unwrap().digits, Digits::Zeckendorf);
    let mut lesser_brute = Brute::new(|&p: &u32| (0..p).filter(|&q| golden(q) >= p).collect());
    for x in 0..14 {
        assert_eq!(value(&*lesser, &x.to_string()), lesser_brute.value(&x), "{x}");
        for y in 0..14 {
            assert_eq!(value(&*both, &format!("{x},{y}")), brute.value(&(x, y)), "{x},{y}");
        }
    }
}

/// Antonim (Winning Ways, chapter 15): no heap may become equal to another unless it is emptied,
/// and no position has equal heaps. From some of these a step gives no move, which is no fault.
#[test]
fn steps_are_moves_in_some_positions_that_occur() {
    let antonim = |step: &str| {
        RuleFile::parse(&format!(
            "name = \"antonim\"\nheaps = 2\nsymmetry = \"full\"\npositions = \"p0 = 0 | p0 != \
             p1\"\nmove = \"q1 = p1 & (q0 = 0 | {step}) | q0 = p0 & (q1 = 0 | q0 != q1)\""
        ))
    };
    let game = antonim("q0 != q1").unwrap().game();
    let mut brute = Brute::new(|&(x, y): &(u32, u32)| {
        let left = (0..x).filter(|&q| q == 0 || q != y).map(|q| (q, y));
        left.chain((0..y).filter(|&q| q == 0 || q != x).map(|q| (x, q))).collect()
    });
    for x in 0..12 {
        for y in (0..12).filter(|y| x == 0 || *y != x) {
            assert_eq!(value(&*game, &format!("{x},{y}")), brute.value(&(x, y)), "{x},{y}");
        }
    }
    let refused = antonim("q0 != q1 & q0 = p0 + 1").err().unwrap();
    assert!(refused.to_string().contains("raises a heap"), "{refused}");
}
