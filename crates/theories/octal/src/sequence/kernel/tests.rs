use super::*;
use std::io::Write;

/// Returns a generator of numbers that look random.
fn random() -> impl FnMut() -> u32 {
    let mut any = crate::sequence::random(1);
    move || any(1 << 31) as u32
}

#[test]
fn all_instructions_see_the_same_repeats() {
    let mut random = random();
    let mut seen = [0; 2];
    for round in 0..2000 {
        let bytes: Vec<u8> = (0..round % 200).map(|_| random() as u8 & 0x81).collect();
        let sought: [u8; 8] = std::array::from_fn(|_| random() as u8 & 0x81);
        let mask = [0x7F, 0xFF][round % 2];
        let same = |some: &[u8]| some.iter().zip(sought).all(|(a, b)| (a ^ b) & mask == 0);
        let expected = bytes.windows(8).any(same);
        seen[usize::from(expected)] += 1;
        for simd in Simd::all() {
            assert_eq!(
                Kernel(simd).repeats(&bytes, &sought, mask),
                expected,
                "{simd:?} {bytes:?} {sought:?}"
            );
        }
    }
    assert!(seen[0].min(seen[1]) > 100, "{seen:?}");
}

#[test]
fn all_instructions_mark_the_same() {
    let mut random = random();
    for round in 0..200 {
        let planes = [1, 2, 4, 8, 16][round % 5];
        let flip = [0, 0x80][round % 2];
        let history: Vec<u8> =
            (0..300 + round).map(|_| random() as u8 & [0xFF, 0x9F, 0x83][round % 3]).collect();
        let terms: Vec<Term> = (0..random() % 40)
            .map(|_| Term {
                shift: 64 + random() % (history.len() as u32 - 63),
                byte: random() as u8,
                page: random() as u8 & 3,
            })
            .collect();
        let mut plain = [[round as u64 & 5, 0]; LANES];
        Kernel(Simd::Portable).mark(&history, history.len(), &terms, flip, planes, &mut plain);
        // Codes past the planes asked for are not looked at.
        let keep = |set: [u64; 2]| u128::from(set[0]) | u128::from(set[1]) << 64;
        let wanted = u128::MAX >> (128 - 8 * planes);
        for simd in Simd::all() {
            let mut fast = [[round as u64 & 5, 0]; LANES];
            Kernel(simd).mark(&history, history.len(), &terms, flip, planes, &mut fast);
            for lane in 0..LANES {
                let [fast, plain] = [fast[lane], plain[lane]].map(|set| keep(set) & wanted);
                assert_eq!(fast, plain, "{simd:?} round {round} lane {lane}");
            }
        }
    }
}

#[test]
fn all_instructions_strike_the_same() {
    let mut random = random();
    let mut struck = 0;
    for round in 0..300 {
        let flip = [0, 0x80][round % 2];
        let history: Vec<u8> = (0..200 + round).map(|_| random() as u8 & 0x9F).collect();
        let terms: Vec<Term> = (0..random() % 200)
            .map(|_| Term {
                shift: 64 + random() % (history.len() as u32 - 63),
                byte: random() as u8 & 0x9F,
                page: random() as u8 & 3,
            })
            .collect();
        let sought: Targets = std::array::from_fn(|_| {
            std::array::from_fn(|_| [random() as u8 & 0x1F, FOUND][(random() % 4 / 3) as usize])
        });
        let mut plain = sought;
        Kernel(Simd::Portable).strike(&history, history.len(), &terms, flip, &mut plain);
        for simd in Simd::all() {
            let mut fast = sought;
            Kernel(simd).strike(&history, history.len(), &terms, flip, &mut fast);
            assert_eq!(fast, plain, "{simd:?} round {round}");
        }
        struck += usize::from(plain != sought);
    }
    assert!(struck > 200, "{struck}");
}

#[test]
fn all_instructions_mark_and_strike_pages() {
    let mut random = random();
    let (mut marked, mut struck) = (0, 0);
    for round in 0..300 {
        let flip = [0, 0x80][round % 2];
        let len = 200 + round;
        let bytes: Vec<u8> = (0..len).map(|_| random() as u8 & 0x9F).collect();
        let pages: Vec<u8> = (0..len).map(|_| random() as u8 & 3).collect();
        let terms: Vec<Term> = (0..random() % 150)
            .map(|_| Term {
                shift: 64 + random() % (len as u32 - 63),
                byte: random() as u8 & 0x9F,
                page: random() as u8 & 3,
            })
            .collect();
        // From the definition.
        let reached = |lane: usize, byte: u8, page: u8| {
            terms.iter().any(|term| {
                let other = len + lane - term.shift as usize;
                other < len
                    && bytes[other] ^ term.byte ^ flip == byte
                    && pages[other] ^ term.page == page
            })
        };
        let sought: [Targets; 2] = [
            std::array::from_fn(|_| {
                std::array::from_fn(|_| [random() as u8 & 0x1F, FOUND][(random() % 4 / 3) as usize])
            }),
            std::array::from_fn(|_| std::array::from_fn(|_| random() as u8 & 3)),
        ];
        for simd in Simd::all() {
            for page in 0..4 {
                let mut sets = [[0; 2]; LANES];
                let planes = [4, 16][round % 2];
                Kernel(simd).mark_page(
                    &bytes,
                    PageFilter { pages: &pages, page },
                    len,
                    &terms,
                    flip,
                    planes,
                    &mut sets,
                );
                for (lane, set) in sets.iter().enumerate() {
                    for code in 0..32 {
                        let there = set[0] >> code & 1 == 1;
                        assert_eq!(
                            there,
                            reached(lane, code as u8, page),
                            "{simd:?} {round} {lane} {code}"
                        );
                        marked += usize::from(there);
                    }
                }
            }
            let mut targets = sought;
            Kernel(simd).strike_pages([&bytes, &pages], len, &terms, flip, &mut targets);
            assert_eq!(targets[1], sought[1]);
            for j in 0..TARGETS {
                for lane in 0..LANES {
                    let [byte, page] = [0, 1].map(|i| sought[i][j][lane]);
                    let gone = byte == FOUND || reached(lane, byte, page);
                    assert_eq!(
                        targets[0][j][lane],
                        if gone { FOUND } else { byte },
                        "{simd:?} {round}"
                    );
                    struck += usize::from(gone && byte != FOUND);
                }
            }
        }
    }
    assert!(marked > 10_000 && struck > 1000, "{marked} {struck}");
}

#[test]
fn all_instructions_find_the_same() {
    let mut random = random();
    let mut found = 0;
    for round in 0..2000 {
        let len = round % 150;
        let [some, others]: [Vec<u8>; 2] =
            std::array::from_fn(|_| (0..len).map(|_| random() as u8 & 0x3F).collect());
        let byte = random() as u8 & 0x3F;
        let expected = (0..len).find(|i| some[*i] ^ others[len - 1 - i] == byte);
        for simd in Simd::all() {
            assert_eq!(Kernel(simd).find(&some, &others, byte), expected, "round {round} {simd:?}");
        }
        found += usize::from(expected.is_some());
    }
    assert!(found > 500 && found < 1900, "{found}");
}

/// Sums of slices of `random` numbers below 0x140, cut to a lane, in all lengths to 150.
fn reaches_the_same<V: SimdValue + std::fmt::Debug>(lane: impl Fn(u32) -> V) {
    let mut random = random();
    let mut found = 0;
    for round in 0..2000 {
        let len = round % 150;
        let [some, others]: [Vec<V>; 2] =
            std::array::from_fn(|_| (0..len).map(|_| lane(random() & 0x13F)).collect());
        let values: [V; 4] = std::array::from_fn(|_| lane(random() & 0x13F));
        let sums: Vec<V> = some.iter().zip(&others).map(|(a, b)| *a ^ *b).collect();
        for simd in Simd::all() {
            let reached = Kernel(simd).contains_sums(&some, &others, &values);
            assert_eq!(
                reached,
                values.map(|value| sums.contains(&value)),
                "round {round} {simd:?}"
            );
            found += usize::from(reached[0]);
        }
    }
    assert!(found > 200, "{found}");
}

#[test]
fn all_instructions_reach_the_same() {
    reaches_the_same(|number| number as u16);
    reaches_the_same(|number| number as u8);
}

/// Nobody should think that the wider instructions were tested where they were not.
#[test]
fn what_was_not_tested_is_told() {
    for (simd, name) in [(Simd::Avx2, "AVX2"), (Simd::Avx512, "AVX-512")] {
        if !Simd::all().contains(&simd) {
            // Past the harness, which keeps what tests print to itself.
            let _ = writeln!(std::io::stderr(), "skipped: no such processor ({name})");
        }
    }
}
