use super::*;
use bouton_core::Budget;

fn period(text: &str, most: usize) -> (Sequence, Option<Period>) {
    let mut sequence = Sequence::new(TakeAndBreakCode::parse(text).unwrap());
    let found = find_period(&mut sequence, most, &mut Meter::new(&Budget::default())).unwrap();
    (sequence, found)
}

/// Kayles: period 12 from 71 on, exceptions as listed by Michon (Mathematical Games) after Guy and
/// Smith.
#[test]
fn kayles() {
    let (sequence, found) = period("0.77", 1000);
    let found = found.unwrap();
    assert_eq!(
        (found.period, found.preperiod, found.proof.is_some(), found.compared),
        (12, 71, true, 168)
    );
    let exceptions = [
        (0, 0),
        (3, 3),
        (6, 3),
        (9, 4),
        (11, 6),
        (15, 7),
        (18, 3),
        (21, 4),
        (22, 6),
        (28, 5),
        (34, 6),
        (39, 3),
        (57, 4),
        (70, 6),
    ];
    assert_eq!(found.exceptions(&sequence), exceptions);
    assert_eq!(found.cycle(&sequence).collect::<Vec<_>>(), [4, 1, 2, 8, 1, 4, 7, 2, 1, 8, 2, 7]);
}

/// Last exceptions and periods as stated in OEIS A071435, A071434 (a row of Kayles' values
/// doubled), A071452.
#[test]
fn published_periods() {
    for (text, p, last) in [("0.177", 20, 496), ("0.1377", 24, 140), ("0.11377", 32, 186)] {
        let (sequence, found) = period(text, 10_000);
        let found = found.unwrap();
        assert_eq!(
            (found.period, found.proof, found.saltus),
            (p, Some(PeriodProof::Octal), 0),
            "{text}"
        );
        assert_eq!(found.exceptions(&sequence).last().unwrap().0, last, "{text}");
    }
}

/// 0.127 has period 4, last exception 46577 (OEIS A071464 after A. Gangolli, T. Plambeck 1989);
/// 0.16 has period 149,459 (the same paper).
#[test]
fn long_periods_by_both_proofs() {
    let (sequence, found) = period("0.127", 200_000);
    let found = found.unwrap();
    assert_eq!((found.period, found.proof), (4, Some(PeriodProof::Octal)));
    assert_eq!(found.exceptions(&sequence).last().unwrap().0, 46_577);
    let (mut sequence, found) = period("0.16", 600_000);
    let found = found.unwrap();
    assert_eq!((found.period, found.preperiod), (149_459, 105_351));
    assert!(matches!(found.proof, Some(PeriodProof::Window { .. })), "{found:?}");
    let octal = sequence.move_limits().unwrap().values_needed(105_351, 149_459).unwrap();
    assert!(found.compared < octal);
    sequence.extend(octal, &mut Meter::new(&Budget::default())).unwrap();
    assert!((105_351..octal - 149_459).all(|n| sequence.value(n) == sequence.value(n + 149_459)));
}

/// Every proof is compared with values far past what the theorem asked for.
#[test]
fn proved_periods_go_on() {
    let mut proved = 0;
    for code in 0..512u32 {
        let bits = [code >> 8 << 2, code >> 5 & 7, code >> 2 & 7, code & 3];
        let mut sequence = Sequence::new(TakeAndBreakCode::from_bits(&bits).unwrap());
        let mut meter = Meter::new(&Budget::default());
        let Some(found) = find_period(&mut sequence, 1000, &mut meter)
            .unwrap()
            .filter(|found| found.proof.is_some())
        else {
            continue;
        };
        proved += 1;
        sequence.extend(3 * found.compared + 500, &mut meter).unwrap();
        let holds = |n: usize| sequence.value(n) == sequence.value(n + found.period);
        assert!((found.preperiod..sequence.len() - found.period).all(holds), "{}", sequence.game());
        assert!(found.preperiod == 0 || !holds(found.preperiod - 1), "{}", sequence.game());
    }
    assert!(proved > 300, "{proved}");
}

/// Going on by a period is going on by all values, wherever it begins; most of the small games have
/// one soon.
#[test]
fn values_behind_a_period() {
    let meter = || Meter::new(&Budget::default());
    let (mut proved, mut open) = (0, 0);
    for code in 0..512u32 {
        let bits = [code >> 8 << 2, code >> 5 & 7, code >> 2 & 7, code & 3];
        let code = TakeAndBreakCode::from_bits(&bits).unwrap();
        let mut whole = Sequence::new(code.clone());
        whole.extend(6000, &mut meter()).unwrap();
        for begun in [0, 100, 300, 2000] {
            let mut sequence = Sequence::new(code.clone());
            sequence.extend(begun, &mut meter()).unwrap();
            match extend_until_period(&mut sequence, 6000, &mut meter()).unwrap() {
                None => {
                    open += 1;
                    assert!(sequence.values().eq(whole.values()), "{code}");
                }
                Some(found) => {
                    proved += 1;
                    assert!(found.proof.is_some() && sequence.len() < 6000, "{code}");
                    let value = |n: usize| found.value(&sequence, n).unwrap();
                    assert!((0..6000).map(value).eq(whole.values()), "{code}");
                }
            }
        }
    }
    assert!(proved > 1200 && open > 100, "{proved} {open}");
}

/// Unequal splits, three heaps, subtraction games by hand: S(1,2) repeats 0, 1, 2; S(2) 0, 0, 1, 1.
#[test]
fn other_codes() {
    for (text, p, e) in [("0.33", 3, 0), ("0.03", 4, 0), ("0.0", 1, 0)] {
        let found = period(text, 1000).1.unwrap();
        assert_eq!((found.period, found.preperiod, found.proof.is_some()), (p, e, true), "{text}");
    }
    for text in ["0.4!3", "0.8", "0.F!", "0.7!7", "0.1F"] {
        let (mut sequence, found) = period(text, 700);
        let Some(found) = found.filter(|found| found.proof.is_some()) else { continue };
        assert!(text != "0.F!", "no theorem for three unequal heaps");
        sequence.extend(3 * found.compared, &mut Meter::new(&Budget::default())).unwrap();
        let holds = |n: usize| sequence.value(n) + found.saltus == sequence.value(n + found.period);
        assert!((found.preperiod..sequence.len() - found.period).all(holds), "{text}");
    }
    // Nim grows by 1 with each token.
    let nim = period("0.[3]", 500).1.unwrap();
    assert_eq!((nim.period, nim.preperiod, nim.saltus, nim.proof.is_some()), (1, 0, 1, true));
    // Grundy's game shows no period.
    assert_eq!(period("4!.0", 20_000).1, None);
}

/// The separate checker accepts what is proved here, and nothing else under the same name.
#[test]
fn certificates_are_accepted_by_the_checker() {
    for text in ["0.77", "0.177", "0.127", "0.16", "0.33", "0.4!3", "0.1F", "0.0"] {
        let most = if ["0.4!3", "0.1F"].contains(&text) { 700 } else { 600_000 };
        let (sequence, found) = period(text, most);
        let Some(certificate) = found.and_then(|found| found.certificate(&sequence)) else {
            assert_eq!(most, 700, "{text} is not proved");
            continue;
        };
        let accepted = bouton_check::check(&certificate.to_text());
        assert_eq!(
            accepted.map(|accepted| accepted.claim),
            Ok(certificate.claim.clone()),
            "{text}"
        );
        let found = found.unwrap();
        for wrong in [
            Period { period: found.period + 1, ..found },
            Period { preperiod: found.preperiod.wrapping_sub(1), ..found },
        ] {
            let swap = |name: &str, right: usize, wrong: usize| {
                (format!("{name} {right}\n"), format!("{name} {wrong}\n"))
            };
            let (a, b) = swap("period", found.period, wrong.period);
            let body = certificate.body.replacen(&a, &b, 1);
            let (a, b) = swap("preperiod", found.preperiod, wrong.preperiod);
            let body = body.replacen(&a, &b, 1);
            let certificate = Certificate { claim: wrong.claim(), body, ..certificate.clone() };
            assert!(
                bouton_check::check(&certificate.to_text()).is_err(),
                "{text}: {}",
                certificate.claim
            );
        }
    }
}

/// Periods and saltus of the literature: Lasker's Nim 4/4 (R. P. Sprague, P. M. Grundy; *Winning
/// Ways*, ch. 4), 8.0 2/1, 0.8 3/1 and 0.3F 6/3 (S. Howse, R. J. Nowakowski, *Periodicity and
/// arithmetic-periodicity in hexadecimal games*, 2004).
#[test]
fn arithmetic_periods_are_proved() {
    for (text, p, saltus) in
        [("4.[3]", 4, 4), ("8.0", 2, 1), ("0.8", 3, 1), ("0.3F", 6, 3), ("0.[3]", 1, 1)]
    {
        let (sequence, found) = period(text, 1000);
        let found = found.unwrap();
        assert_eq!((found.period, found.saltus), (p, saltus), "{text}");
        assert!(matches!(found.proof, Some(PeriodProof::Arithmetic(_))), "{text}: {found:?}");
        // Values of any size by the period are those by the rules.
        let code = TakeAndBreakCode::parse(text).unwrap();
        let far =
            crate::sequence::plain::nim_values(&code, 300, &mut Meter::new(&Budget::default()))
                .unwrap();
        assert!((0..300).all(|n| found.value(&sequence, n) == Some(far[n])), "{text}");
    }
    let (sequence, found) = period("4.[3]", 1000);
    let found = found.unwrap();
    assert_eq!(found.value(&sequence, 4_000_000_003), Some(4_000_000_004));
    assert_eq!(found.value(&sequence, u32::MAX as usize), None);
}

/// All codes of at most two digits behind the point, and codes with a digit that repeats for ever:
/// whatever saltus is proved is that of the values by all moves far beyond, and the checker accepts
/// it.
#[test]
fn proved_saltus_go_on() {
    let (mut proved, mut open) = (0, Vec::new());
    let ends = (0..256u32).map(|code| format!("{:X}.{:X}{:X}", 0, code >> 4, code & 15));
    let leads =
        ["4", "8", "C"].iter().flat_map(|lead| (0..16).map(move |d| format!("{lead}.{d:X}")));
    let repeating = ["0", "4", "8", "4!"].iter().flat_map(|lead| {
        (1..16).flat_map(move |d| ["", "0", "1", "7"].map(|first| format!("{lead}.{first}[{d:X}]")))
    });
    for text in ends.chain(leads).chain(repeating) {
        let Ok(code) = TakeAndBreakCode::parse(&text) else { continue };
        let (sequence, found) = period(&text, 200);
        let Some(found) = found.filter(|found| found.saltus > 0) else { continue };
        let Some(certificate) = found.certificate(&sequence) else {
            // No theorem covers three unequal heaps.
            if !(code.has_unequal() && code.most_parts() > Some(2)) {
                open.push(text);
            }
            continue;
        };
        proved += 1;
        if let Err(why) = bouton_check::check(&certificate.to_text()) {
            panic!("{text}: {why}");
        }
        let far =
            if text.contains('[') { 2 * found.compared.min(70) } else { found.compared + 200 };
        let far =
            crate::sequence::plain::nim_values(&code, far, &mut Meter::new(&Budget::default()))
                .unwrap();
        let wrong = (found.preperiod + found.period..far.len())
            .find(|n| far[*n] != far[n - found.period] + found.saltus);
        assert_eq!(wrong, None, "{text} {found:?}");
        let least = found.preperiod.checked_sub(1);
        assert!(
            least.is_none_or(|n| far[n + found.period] != far[n] + found.saltus),
            "{text} {found:?}"
        );
    }
    assert!(proved > 100 && open.len() * 10 < proved, "{proved} {open:?}");
}
