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
    assert_eq!((TakeAndBreakCode::subtraction(&[0, 1]), TakeAndBreakCode::subtraction(&[])), (None, None));
}

#[test]
fn slips_are_pointed_at() {
    let long = format!("0.{}", "7".repeat(300));
    for (text, at, message) in [
        ("", 0..0, "a digit 0–9, A–F or {…} is missing"),
        ("077", 1..2, "`.` was expected here, not `7`"),
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
