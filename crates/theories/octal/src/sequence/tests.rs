use super::paged_sparse::PagedSparseEngine;
use super::planner::PLAIN_PREFIX;
use super::sparse::SparseEngine;
use super::split_engine::{SplitEngine, SplitStop};
use super::*;
use bouton_core::Budget;
use std::collections::BTreeSet;

fn meter() -> Meter {
    Meter::new(&Budget::default())
}

fn plainly(code: &TakeAndBreakCode, len: usize) -> Vec<u32> {
    plain::nim_values(code, len, &mut meter()).unwrap()
}

#[track_caller]
fn same(found: impl Iterator<Item = u32>, expected: &[u32], what: &str) {
    let first = found.zip(expected).enumerate().find(|(_, (found, expected))| found != *expected);
    assert_eq!(first, None, "{what}");
}

/// Returns a sequence in a sparse space as early as there is one, though other engines are faster
/// there.
fn sparse(code: TakeAndBreakCode, simd: Simd) -> Sequence {
    let mut sequence = Sequence::with_simd(code, simd);
    sequence.extend(PLAIN_PREFIX, &mut meter()).unwrap();
    let mut values = ByteValues::new(StorageBudget::default());
    values.reserve(PLAIN_PREFIX).unwrap();
    sequence.values().for_each(|value| values.push(value));
    if let Engine::Splits(_, moves) = &sequence.engine
        && let Ok(mut sparse) = SparseEngine::new(moves, values, simd)
    {
        sparse.pin();
        sequence.engine = Engine::Sparse(Box::new(sparse), moves.clone());
    }
    sequence
}

/// Returns a sequence in a sparse space of values past a byte, as early as blocks begin.
fn wide(code: TakeAndBreakCode, simd: Simd) -> Sequence {
    let mut sequence = Sequence::with_simd(code, simd);
    sequence.extend(PLAIN_PREFIX, &mut meter()).unwrap();
    let values: Vec<u32> = sequence.values().collect();
    if let Engine::Splits(_, moves) = &sequence.engine
        && let Ok(Some(mut wide)) =
            PagedSparseEngine::new(moves, values.into_iter(), &StorageBudget::default(), simd)
    {
        wide.pin();
        sequence.engine = Engine::PagedSparse(Box::new(wide), moves.clone());
    }
    sequence
}

fn sequence(text: &str, len: usize, simd: Simd) -> Sequence {
    let mut sequence = sparse(TakeAndBreakCode::parse(text).unwrap(), simd);
    sequence.extend(len, &mut meter()).unwrap();
    sequence
}

/// Codes of two to four digits, drawn at random: a fixed seed.
fn drawn(count: usize) -> Vec<TakeAndBreakCode> {
    let mut below = random(22);
    let mut codes = Vec::new();
    while codes.len() < count {
        let first = [0, 0, 0, 4][below(4) as usize];
        let digits = (0..2 + below(3)).map(|_| below(8) as u32);
        codes.extend(TakeAndBreakCode::from_bits(
            &std::iter::once(first).chain(digits.collect::<Vec<_>>()).collect::<Vec<_>>(),
        ));
    }
    codes
}

/// Where moves take many tokens the first heaps are worth nothing, and the best space may be the
/// least one, by value: rare heaps known before were once overlooked then. From the start and from
/// values known, beside all pairs.
#[test]
fn engines_agree_where_moves_take_many_tokens() {
    let mut below = random(5);
    let known =
        [(31, "065"), (25, "65"), (54, "4"), (59, "7"), (58, "75"), (66, "5252"), (68, "65!03")];
    let mut codes: Vec<String> =
        known.iter().map(|(zeros, rest)| format!("0.{}{rest}", "0".repeat(*zeros))).collect();
    for _ in 0..200 {
        let rest: String = (0..1 + below(4)).map(|_| char::from(b'0' + below(8) as u8)).collect();
        codes.push(format!("0.{}{rest}4", "0".repeat(below(80) as usize)));
    }
    for code in codes {
        let code = TakeAndBreakCode::parse(&code).unwrap();
        let expected = plainly(&code, 700);
        let mut sequence = Sequence::new(code.clone());
        sequence.extend(700, &mut meter()).unwrap();
        same(sequence.values(), &expected, &format!("{code}"));
        let mut values = ByteValues::new(StorageBudget::default());
        values.reserve(417).unwrap();
        expected[..417].iter().for_each(|value| values.push(*value));
        let mut sequence = Sequence::new(code.clone()).resume(values).unwrap();
        sequence.extend(700, &mut meter()).unwrap();
        same(sequence.values(), &expected, &format!("{code}, from 417"));
    }
}

/// Each engine with all instructions of this processor, beside all pairs, on codes that nobody
/// chose.
#[test]
fn engines_agree_on_random_codes() {
    let (mut dense, mut past_a_byte) = (0, 0);
    for (i, code) in drawn(40).into_iter().enumerate() {
        let len = [2500, 5000][usize::from(i % 10 == 0)];
        let expected = plainly(&code, len);
        past_a_byte += usize::from(expected.iter().any(|value| *value > 255));
        for simd in Simd::all() {
            let mut sequence = Sequence::with_simd(code.clone(), simd);
            for to in [700, 1025, len] {
                sequence.extend(to, &mut meter()).unwrap();
            }
            dense += usize::from(sequence.rares().is_some_and(|(_, rares)| 8 * rares.len() > len));
            same(sequence.values(), &expected, &format!("{code} {simd:?}"));
            let mut sequence = sparse(code.clone(), simd);
            sequence.extend(len, &mut meter()).unwrap();
            same(sequence.values(), &expected, &format!("{code} {simd:?}, sparse"));
            let mut sequence = wide(code.clone(), simd);
            for to in [700, 1030, len] {
                sequence.extend(to, &mut meter()).unwrap();
            }
            same(sequence.values(), &expected, &format!("{code} {simd:?}, wide"));
        }
    }
    assert!(dense > 10 && past_a_byte > 1, "{dense} {past_a_byte}");
}

/// Where values come to hundreds, so that a sieve looks for the rare ones, where the processor has
/// one; unequal splits, spaces by position, and a space chosen anew.
#[test]
fn values_in_pages() {
    for (text, len) in [
        ("0.6167", 8000),
        ("0.764", 6000),
        ("0.566", 6000),
        ("0.744", 6000),
        ("0.206", 4500),
        ("4!.4!34!", 4500),
        ("0.0047", 4500),
        ("4!.0", 4500),
    ] {
        let code = TakeAndBreakCode::parse(text).unwrap();
        // Compared with all pairs elsewhere; here to where it is quick, and against all pairs at
        // the end.
        let mut expected = Sequence::with_simd(code.clone(), Simd::best());
        expected.extend(len, &mut meter()).unwrap();
        assert!(!matches!(expected.engine, Engine::PagedSparse(..)));
        let expected: Vec<u32> = expected.values().collect();
        same(expected.iter().copied(), &plainly(&code, 3000), text);
        for simd in Simd::all() {
            let mut sequence = wide(code.clone(), simd);
            sequence.extend(len, &mut meter()).unwrap();
            assert!(matches!(sequence.engine, Engine::PagedSparse(..)), "{text}");
            same(sequence.values(), &expected, &format!("{text} {simd:?}"));
            let Engine::PagedSparse(wide, _) = &sequence.engine else { panic!("{text}") };
            let rare = |n: &usize| !wide.space().is_common(expected[*n], *n);
            let rares: Vec<usize> = (1..len).filter(rare).collect();
            assert_eq!(sequence.rares().unwrap().1, rares, "{text}");
        }
    }
}

/// Where the other engine has no room this one goes on, whatever is rare: a space chosen anew
/// leaves nothing of the old one behind.
#[test]
fn pages_go_on_without_room() {
    let mut recoded = 0;
    for (text, len) in
        [("0.6167", 9000), ("0.764", 9000), ("0.4655", 9000), ("0.6657", 9000), ("0.246", 9000)]
    {
        let code = TakeAndBreakCode::parse(text).unwrap();
        let expected = {
            let mut all = Sequence::with_simd(code.clone(), Simd::best());
            all.extend(len, &mut meter()).unwrap();
            all.values().collect::<Vec<u32>>()
        };
        let moves = CodeMoves::new(&code).unwrap();
        for known in [700, 1501, 2600] {
            let storage = StorageBudget { memory: 40_000, folder: None };
            let values = expected[..known].iter().copied();
            let wide =
                PagedSparseEngine::new(&moves, values, &storage, Simd::best()).unwrap().unwrap();
            let before = wide.space().clone();
            let mut sequence =
                Sequence::with_simd(code.clone(), Simd::best()).with_storage(storage);
            sequence.engine = Engine::PagedSparse(Box::new(wide), moves.clone());
            for to in (known..=len).step_by(777).chain([len]) {
                sequence.extend(to, &mut meter()).unwrap();
            }
            let Engine::PagedSparse(wide, _) = &sequence.engine else {
                panic!("{text}: there is no room for another")
            };
            recoded += usize::from(*wide.space() != before);
            same(sequence.values(), &expected, &format!("{text} from {known}"));
        }
    }
    assert!(recoded > 3, "{recoded}");
}

/// Values too large for pages go on otherwise. After random ones, of which all numbers below 4,096
/// are sums.
#[test]
fn values_past_all_pages_go_on() {
    let code = TakeAndBreakCode::parse("0.6").unwrap();
    let mut below = random(3);
    let known: Vec<u32> = (0..150_000).map(|_| below(4096) as u32).collect();
    for simd in Simd::all() {
        let mut sequence = Sequence::with_simd(code.clone(), simd);
        let moves = CodeMoves::new(&code).unwrap();
        let wide =
            PagedSparseEngine::new(&moves, known.iter().copied(), &StorageBudget::default(), simd)
                .unwrap()
                .unwrap();
        sequence.engine = Engine::PagedSparse(Box::new(wide), moves);
        assert_eq!((sequence.len(), sequence.value(149_999)), (150_000, known[149_999]));
        sequence.extend(150_001, &mut meter()).unwrap();
        assert_eq!(sequence.value(150_000), 4096, "{simd:?}");
        assert!(!matches!(sequence.engine, Engine::PagedSparse(..)));
    }
}

/// Periods are found and proved by the engine of pages as by the others; the rare heaps and the
/// window, too.
#[test]
fn periods_in_pages() {
    for text in ["0.77", "0.165", "0.127", "0.156", "0.104", "4.004"] {
        let mut paged = wide(TakeAndBreakCode::parse(text).unwrap(), Simd::best());
        let mut other = sequence(text, PLAIN_PREFIX, Simd::best());
        let found = [&mut paged, &mut other]
            .map(|one| period::find_period(one, 150_000, &mut meter()).unwrap());
        let told = found
            .map(|found| found.map(|found| (found.period, found.preperiod, found.proof.is_some())));
        assert_eq!(told[0], told[1], "{text}");
        assert!(matches!(paged.engine, Engine::PagedSparse(..)), "{text}");
        for distance in [1, 2, 5, 12, 420] {
            let len = paged.len();
            let change =
                (distance..len).rev().find(|n| paged.value(*n) != paged.value(n - distance));
            assert_eq!(paged.last_change(distance, 0), change, "{text} {distance}");
        }
    }
}

/// Values past two bytes go on by all pairs, one by one.
#[test]
fn values_past_two_bytes_go_on_plainly() {
    let code = TakeAndBreakCode::parse("0.77").unwrap();
    let moves = CodeMoves::new(&code).unwrap();
    let known = plainly(&code, 300);
    assert!(
        SplitEngine::new(&moves, known.iter().copied().chain([65_535]), Simd::best()).is_some()
    );
    assert!(
        SplitEngine::new(&moves, known.iter().copied().chain([65_536]), Simd::best()).is_none()
    );
    let mut values = ByteValues::new(StorageBudget::default());
    values.reserve(301).unwrap();
    known.iter().copied().chain([65_536]).for_each(|value| values.push(value));
    let mut sequence = Sequence::new(code).resume(values).unwrap();
    assert!(matches!(sequence.engine, Engine::Plain(_, None)));
    sequence.extend(310, &mut meter()).unwrap();
    assert_eq!((sequence.value(300), sequence.len()), (65_536, 310));
}

/// All games d0.d1d2d3 with d0 in {0, 4}, beside all pairs.
#[test]
fn all_octal_games_of_three_digits() {
    for code in 0..1024u32 {
        let bits = [code >> 9 << 2, code >> 6 & 7, code >> 3 & 7, code & 7];
        let code = TakeAndBreakCode::from_bits(&bits).unwrap();
        let mut sequence = sparse(code.clone(), Simd::best());
        sequence.extend(1500, &mut meter()).unwrap();
        same(sequence.values(), &plainly(&code, 1500), &code.to_string());
    }
}

/// Unequal splits, long codes, moves of both parities, extension in uneven steps.
#[test]
fn stranger_codes_in_uneven_steps() {
    let kayles9 = TakeAndBreakCode::kayles(9).unwrap().to_string();
    let texts = [
        "4!.0",
        "4!.3",
        "4!.04!",
        "0.4!",
        "0.007",
        "0.104",
        "0.106",
        "0.16",
        "0.04040404",
        "0.10041",
        &kayles9,
    ];
    for text in
        texts.into_iter().chain(["4.0000000000000000000000000000000000000004", "0.6", "0.77"])
    {
        let code = TakeAndBreakCode::parse(text).unwrap();
        let expected = plainly(&code, 6000);
        for simd in Simd::all() {
            let mut sequence = sparse(code.clone(), simd);
            for len in [256, 257, 511, 513, 700, 2048, 2049, 2100, 5000, 6000] {
                sequence.extend(len, &mut meter()).unwrap();
                assert_eq!(sequence.len(), len);
            }
            same(sequence.values(), &expected, &format!("{text} {simd:?}"));
        }
    }
}

/// Grundy's game far into the blocks: AVX2, portable and one-at-a-time agree.
#[test]
fn engines_agree_on_grundys_game() {
    let fast = sequence("4!.0", 30_000, Simd::best());
    let portable = sequence("4!.0", 30_000, Simd::Portable);
    assert!(fast.values().eq(portable.values()));
    let code = TakeAndBreakCode::parse("4!.0").unwrap();
    let moves = CodeMoves::new(&code).unwrap();
    for simd in Simd::all() {
        let mut pairs = SplitEngine::new(&moves, plainly(&code, 300).into_iter(), simd).unwrap();
        while pairs.values().len() < 30_000 {
            let end = pairs.extend(&moves, 30_000, &mut meter());
            assert!(matches!(end, Ok(()) | Err(SplitStop::Doubled)));
        }
        assert!(fast.values().zip(pairs.values()).all(|(a, b)| a == u32::from(*b)), "{simd:?}");
    }
    // Michon, Mathematical Games: records 101 first at 8337, 113 at 11261, 118 at 11621, 195 at
    // 28304 and 28435.
    let at: Vec<usize> = (0..30_000).filter(|n| fast.value(*n) == 195).collect();
    assert_eq!(at, [28304, 28435]);
    assert_eq!([8337, 11261, 11621].map(|n| fast.value(n)), [101, 113, 118]);
}

/// Values past a byte stand aside, or go on in words.
#[test]
fn values_past_a_byte_are_right() {
    for text in ["0.[3]", "4.[3]"] {
        let nim = sequence(text, 700, Simd::best());
        same(nim.values(), &plainly(&TakeAndBreakCode::parse(text).unwrap(), 700), text);
    }
    // Taking 1..=200 and leaving one heap, with one splitting move: values pass 255 after heap 256.
    let mut bits = [3; 257];
    (bits[0], bits[256]) = (0, 7);
    for base in [200, 230, 256] {
        let mut bits = bits[..=base].to_vec();
        bits[base] = 7;
        let code = TakeAndBreakCode::from_bits(&bits).unwrap();
        let mut sequence = sparse(code.clone(), Simd::best());
        sequence.extend(3000, &mut meter()).unwrap();
        same(sequence.values(), &plainly(&code, 3000), &format!("base {base}"));
        if base == 230 {
            // Some values stand aside, not so many that another engine takes over.
            assert!(
                matches!(sequence.engine, Engine::Sparse(..)) && sequence.values().any(|v| v > 255)
            );
        }
    }
}

/// Rare heaps more than twice as far as the one before.
#[test]
fn late_rares() {
    let mut late = Vec::new();
    for bits in 1..512u32 {
        let code = TakeAndBreakCode::from_bits(&[0, bits >> 6, bits >> 3 & 7, bits & 7]).unwrap();
        let mut sequence = sparse(code, Simd::best());
        sequence.extend(4000, &mut meter()).unwrap();
        let rares = sequence.rares().map_or(Vec::new(), |(_, rares)| rares);
        if let Some(pair) =
            rares.windows(2).find(|pair| pair[0] > 100 && pair[1] > 2 * pair[0] && pair[1] > 600)
        {
            late.push((sequence.game().to_owned(), pair[1]));
        }
    }
    assert!(late.len() >= 3, "{late:?}");
    for (text, at) in late.iter().take(6) {
        let code = TakeAndBreakCode::parse(text).unwrap();
        let len = at + 1000;
        for simd in [Simd::best(), Simd::Portable] {
            same(sequence(text, len, simd).values(), &plainly(&code, len), text);
        }
    }
}

/// A rare value below a heap's own that only sums of two rare heaps reach.
#[test]
fn rares_that_witness_one_another() {
    let mut alone = 0;
    for text in ["4!.0", "0.16", "0.106", "0.454"] {
        let code = TakeAndBreakCode::parse(text).unwrap();
        let moves = CodeMoves::new(&code).unwrap();
        let expected = plainly(&code, 3000);
        let engine = sequence(text, 3000, Simd::best());
        let space = engine.rares().unwrap().0.clone();
        for n in 300..3000 {
            let mut common = BTreeSet::from_iter(moves.singles(n).map(|rest| expected[rest]));
            let mut rare = BTreeSet::new();
            for (taken, unequal) in &moves.pairs {
                for a in 1..=moves.half(n, *taken, *unequal) {
                    let b = n - taken - a;
                    let of = if space.is_common(expected[a], a) { &mut common } else { &mut rare };
                    of.insert(expected[a] ^ expected[b]);
                }
            }
            let lone = |v: &u32| !space.is_common(*v, n) && rare.contains(v) && !common.contains(v);
            alone += usize::from((0..expected[n]).any(|v| lone(&v)));
        }
        same(engine.values(), &expected, text);
    }
    assert!(alone > 0);
}

/// By position, a shift of odd length turns the class: values, last changes and periods are those
/// compared one by one.
#[test]
fn odd_shifts_in_spaces_by_position() {
    let mut by_position = 0;
    for text in ["0.104", "0.106", "0.404", "0.004", "0.054", "0.15", "0.05", "0.0404", "0.07"] {
        let code = TakeAndBreakCode::parse(text).unwrap();
        let expected = plainly(&code, 5000);
        let found = sequence(text, 5000, Simd::best());
        same(found.values(), &expected, text);
        if found.rares().is_none_or(|(space, _)| space.by_position.is_none()) {
            continue;
        }
        by_position += 1;
        for period in (1..400).chain([1001, 2500, 4999]) {
            let change = (period..5000).rev().find(|n| expected[*n] != expected[n - period]);
            assert_eq!(found.last_change(period, 0), change, "{text} {period}");
            let repeats = (4992..5000).all(|n| n >= period && expected[n] == expected[n - period]);
            assert!(
                !repeats || found.next_repeat(period..period + 1) == Some(period),
                "{text} {period}"
            );
        }
    }
    assert!(by_position >= 2, "{by_position}");
}
