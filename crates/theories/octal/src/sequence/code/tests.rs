use super::*;

fn code(text: &str) -> TakeAndBreakCode {
    TakeAndBreakCode::parse(text).unwrap()
}

fn options(text: &str, size: u32) -> Vec<Vec<u32>> {
    let mut all = Vec::new();
    let _ = code(text).options(size, |heaps| {
        all.push(heaps.to_vec());
        Continue::<()>(())
    });
    all.sort();
    all
}

#[test]
fn normal_forms() {
    for (text, normal) in [
        ("0.77", "0.77"),
        (".77", "0.77"),
        (" 0.7 7 ", "0.77"),
        ("0.770", "0.77"),
        ("4!.0", "4!.0"),
        ("0.f", "0.F"),
        ("0.3[3]", "0.[3]"),
        ("0.[33]", "0.[3]"),
        ("0.1[21]", "0.[12]"),
        ("0.7[0]", "0.7"),
        ("0.{0,1}", "0.3"),
        ("0.{0,1,2+}", "0.{0+}"),
        ("{2+}.0", "{2+}.0"),
        ("0.{0,4}", "0.{0,4}"),
        ("0.0", "0.0"),
        ("0.007!", "0.007!"),
    ] {
        assert_eq!(code(text).to_string(), normal);
        assert_eq!(code(normal), code(text));
    }
    assert_eq!(TakeAndBreakCode::kayles(3), Some(code("0.777")));
    assert_eq!(TakeAndBreakCode::subtraction(&[4, 1]), Some(code("0.3003")));
    assert_eq!((TakeAndBreakCode::kayles(0), TakeAndBreakCode::kayles(1000)), (None, None));
    assert_eq!(
        (TakeAndBreakCode::subtraction(&[0, 1]), TakeAndBreakCode::subtraction(&[])),
        (None, None)
    );
}

#[test]
fn errors_point_at_the_character() {
    let long = format!("0.{}", "7".repeat(300));
    for (text, at, message) in [
        ("", 0..0, "a digit 0–9, A–F or {…} is missing"),
        (
            "077",
            1..2,
            "digits in front of the one before the point would add tokens: only zeros may stand \
             there",
        ),
        (
            "80.0",
            0..1,
            "digits in front of the one before the point would add tokens: only zeros may stand \
             there",
        ),
        ("0.3?", 2..4, "`?` compares heaps, but this digit never leaves two"),
        ("0.7!=", 2..5, "it is said twice how the heaps left compare"),
        ("0.{1,2=}!", 2..9, "it is said twice how the heaps left compare"),
        ("0.{2!,2=}", 2..9, "2 heaps are to compare in two ways"),
        ("0.{2!+,4=+}", 2..11, "4 heaps are to compare in two ways"),
        ("0.", 2..2, "a digit is missing"),
        ("0.7g", 3..4, "a digit 0–9, A–F or {…} was expected here, not `g`"),
        ("0.[3]7", 5..6, "the end, after digits that repeat for ever, was expected here, not `7`"),
        ("0.[]", 2..4, "there is nothing to repeat"),
        ("0.[3", 4..4, "a digit 0–9, A–F or {…} is missing"),
        ("0.{}", 3..4, "a number of heaps was expected here, not `}`"),
        ("0.{16}", 3..5, "a number of heaps can be at most 15"),
        ("0.3!", 2..4, "`!` asks for unequal heaps, but this digit never leaves two"),
        ("2.7", 0..1, "the game would never end: taking nothing must leave at least two heaps"),
        ("1.0", 0..1, "the game would never end: taking nothing must leave at least two heaps"),
        ("{1+}.0", 0..4, "the game would never end: taking nothing must leave at least two heaps"),
        (&long, 2..302, "a code can have at most 256 digits after the point, not 300"),
    ] {
        let error = TakeAndBreakCode::parse(text).unwrap_err();
        assert_eq!((error.at, error.message.as_str()), (at, message), "{text}");
    }
}

#[test]
fn options_from_the_rules() {
    assert_eq!(options("0.77", 4), [vec![1, 1], vec![1, 2], vec![2], vec![3]]);
    assert_eq!(options("0.77", 1), [Vec::<u32>::new()]);
    assert_eq!(options("4!.0", 6), [[1, 5], [2, 4]]);
    assert_eq!(options("4.0", 4), [[1, 3], [2, 2]]);
    assert_eq!(options("8.0", 6), [[1, 1, 4], [1, 2, 3], [2, 2, 2]]);
    assert_eq!(options("8!.0", 6), [[1, 2, 3]]);
    assert_eq!(options("0.[3]", 3), [vec![], vec![1], vec![2]]);
    assert_eq!(options("{2+}.0", 4), [vec![1, 1, 1, 1], vec![1, 1, 2], vec![1, 3], vec![2, 2]]);
    assert_eq!(options("0.104", 5), [vec![1, 1]]);
    assert_eq!(options("0.104", 1), [Vec::<u32>::new()]);
    assert!(options("{2+}.[3]", 0).is_empty());
    let mut first = 0;
    let _ = code("{2+}.0").options(1_000_000, |heaps| {
        first = heaps.len();
        ControlFlow::Break(())
    });
    assert_eq!(first, 1_000_000);
}

/// Returns all lists of heaps, ascending, that sum to a number.
fn partitions(total: u32, least: u32) -> Vec<Vec<u32>> {
    if total == 0 {
        return vec![Vec::new()];
    }
    let first = least..=total;
    first
        .flat_map(|heap| {
            partitions(total - heap, heap).into_iter().map(move |rest| [vec![heap], rest].concat())
        })
        .collect()
}

/// Codes with suffixes, and the definition of each digit: which lists of heaps may be left.
type Rule = fn(&[u32]) -> bool;

fn all_equal(heaps: &[u32]) -> bool {
    heaps.iter().all(|heap| *heap == heaps[0])
}

fn all_different(heaps: &[u32]) -> bool {
    (1..heaps.len()).all(|i| !heaps[..i].contains(&heaps[i]))
}

/// Suffixes as CGSuite's help describes them: `=` all equal, `?` not all equal, `!` all different,
/// for two heaps and more; `*` any number. Options and values are those of the definition.
#[test]
fn suffixes_by_definition() {
    let nothing: Rule = |_| false;
    let octal3: Rule = |heaps| heaps.len() <= 1;
    let cases: [(&str, &str, Vec<Rule>); 14] = [
        (
            "0.3F?",
            "0.3F?",
            vec![nothing, octal3, |heaps| {
                heaps.len() <= 1 || (heaps.len() <= 3 && !all_equal(heaps))
            }],
        ),
        ("0.*3", "0.{0+}3", vec![nothing, |_| true, octal3]),
        ("0.*?3", "0.{0+}?3", vec![nothing, |heaps| heaps.len() < 2 || !all_equal(heaps), octal3]),
        (
            "0.*!3",
            "0.{0+}!3",
            vec![nothing, |heaps| heaps.len() < 2 || all_different(heaps), octal3],
        ),
        ("0.*=", "0.{0+}=", vec![nothing, |heaps| heaps.len() < 2 || all_equal(heaps)]),
        ("{2+}=.0", "{2+}=.0", vec![|heaps| heaps.len() >= 2 && all_equal(heaps)]),
        (
            "0.{1,2!}",
            "0.6!",
            vec![nothing, |heaps| heaps.len() == 1 || (heaps.len() == 2 && heaps[0] != heaps[1])],
        ),
        (
            "0.{1,2?}",
            "0.6!",
            vec![nothing, |heaps| heaps.len() == 1 || (heaps.len() == 2 && heaps[0] != heaps[1])],
        ),
        (
            "0.{0!,2=,4?+}",
            "0.{0,2=,4?+}",
            vec![nothing, |heaps| match heaps.len() {
                0 => true,
                2 => heaps[0] == heaps[1],
                1 | 3 => false,
                _ => !all_equal(heaps),
            }],
        ),
        (
            "0.{0!,2?,3?,4?+}",
            "0.{0,2+}?",
            vec![nothing, |heaps| match heaps.len() {
                0 => true,
                1 => false,
                _ => !all_equal(heaps),
            }],
        ),
        (
            "0.{2,3!}",
            "0.{2,3!}",
            vec![nothing, |heaps| heaps.len() == 2 || (heaps.len() == 3 && all_different(heaps))],
        ),
        (
            "0.7=",
            "0.7=",
            vec![nothing, |heaps| heaps.len() <= 1 || (heaps.len() == 2 && heaps[0] == heaps[1])],
        ),
        ("04.30", "4.3", vec![|heaps| heaps.len() == 2, octal3]),
        (
            "0.{1,3=,4!}",
            "0.{1,3=,4!}",
            vec![nothing, |heaps| match heaps.len() {
                1 => true,
                3 => all_equal(heaps),
                4 => all_different(heaps),
                _ => false,
            }],
        ),
    ];
    for (text, normal, rules) in cases {
        assert_eq!((code(text).to_string().as_str(), code(normal)), (normal, code(text)));
        let mut values: Vec<u32> = Vec::new();
        for n in 0..15u32 {
            let mut expected: Vec<Vec<u32>> = Vec::new();
            for (taken, rule) in rules.iter().enumerate().take(n as usize + 1).filter(|_| n > 0) {
                let rest = n - taken as u32;
                expected.extend(partitions(rest, 1).into_iter().filter(|heaps| rule(heaps)));
            }
            let value =
                |heaps: &Vec<u32>| heaps.iter().fold(0, |sum, heap| sum ^ values[*heap as usize]);
            let reached: Vec<u32> = expected.iter().map(value).collect();
            values.push((0..).find(|v| !reached.contains(v)).unwrap());
            expected.sort();
            assert_eq!(options(text, n), expected, "{text} {n}");
            for heaps in (0..=n).flat_map(|total| partitions(total, 1)) {
                let taken = (n - heaps.iter().sum::<u32>()) as usize;
                let allowed = code(text).digit(taken).admits(&heaps);
                assert_eq!(
                    allowed,
                    rules.get(taken).is_some_and(|rule| rule(&heaps)),
                    "{text} {n} {heaps:?}"
                );
            }
        }
        let mut sequence = crate::sequence::Sequence::new(code(text));
        sequence.extend(15, &mut bouton_core::Meter::new(&bouton_core::Budget::default())).unwrap();
        assert!(sequence.values().eq(values), "{text}");
        if !code(text).is_plain() {
            assert_eq!(sequence.move_limits(), None, "{text}: no theorem covers it");
        }
    }
}
