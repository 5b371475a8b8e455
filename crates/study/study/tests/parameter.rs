//! Games with a parameter: forms in it, against brute force for each value; and rule files with
//! parameters.
#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_core::{Budget, Claim, Play};
use bouton_games::{Catalogue, RuleFile, Template};
use bouton_study::{
    RangeError, RangeStudy, RangeTarget, Settings, ValuePlace, VerdictKind, study_range,
    value_claim,
};

fn ranged(
    catalogue: &Catalogue,
    text: &str,
    name: &str,
    range: std::ops::RangeInclusive<i64>,
) -> RangeStudy {
    let template = Template::parse(text, name).unwrap();
    let parse = |text: &str| catalogue.parse(text);
    let target = RangeTarget { template: &template, range, nim_values: false, play: Play::Normal };
    study_range(&target, &parse, Settings::default(), &Budget::default(), &|_| {}).unwrap()
}

/// S(1,h): taking 1 or h. For odd h all takings are odd; for even h the P-positions repeat with h +
/// 1, every second number from 0 below h (E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways,
/// chapter 4).
#[test]
fn one_or_h() {
    let found = ranged(&Catalogue::standard(), "S(1,h;1)", "h", 2..=9);
    assert_eq!(found.verdict, VerdictKind::Proved);
    let said: Vec<(i64, i64, &[i64])> =
        found.sentences.iter().map(|s| (s.modulus, s.residue, &s.proved[..])).collect();
    assert_eq!(said, [(2, 0, &[2, 4, 6, 8][..]), (2, 1, &[3, 5, 7, 9][..])]);
    for sentence in &found.sentences {
        for h in &sentence.proved {
            let text = sentence
                .form
                .replace("(h+1)", &(h + 1).to_string())
                .replace("(h-2)", &(h - 2).to_string());
            let claim = Claim::parse(&text, 1).unwrap();
            let mut lost: Vec<bool> = Vec::new();
            for n in 0..200i64 {
                lost.push([1, *h].iter().all(|take| n < *take || !lost[(n - take) as usize]));
                assert_eq!(
                    claim.holds(&[n as u64]).unwrap(),
                    lost[n as usize],
                    "{text}, h = {h}, {n}"
                );
            }
        }
    }
}

/// Two up to r tokens: the nim-values by mex, and the sentence about all r, which is that of
/// AtCoder's ABC 297 G: a mod (l+r) div l.
#[test]
fn nim_values_of_a_range() {
    let text = "name = \"some\"\nheaps = 1\nparameters = { r = [1, 9] }\n\
                move = \"q0+2 <= p0 & p0 <= q0+r\"\n";
    let files = RuleFile::parse(text).unwrap();
    let catalogue = Catalogue::standard().with_rule_file(files).unwrap();
    for (game, name, least, range) in [
        ("some(r)", "r", 2, 3..=7),
        // A game that takes any number of heaps is asked of one.
        ("S(1,2,h)", "h", 1, 3..=3),
    ] {
        let template = Template::parse(game, name).unwrap();
        let target =
            RangeTarget { template: &template, range, nim_values: true, play: Play::Normal };
        let parse = |text: &str| catalogue.parse(text);
        let found =
            study_range(&target, &parse, Settings::default(), &Budget::default(), &|_| {}).unwrap();
        assert_eq!(found.verdict, VerdictKind::Proved);
        for at in &found.values {
            let r = at.value as usize;
            let mut values: Vec<u64> = Vec::new();
            for n in 0..100usize {
                let options: Vec<u64> = (least..=r.min(n)).map(|take| values[n - take]).collect();
                values.push((0..).find(|value| !options.contains(value)).unwrap());
            }
            let form = at.form().unwrap();
            let claim = value_claim(form, ValuePlace::behind(1)).unwrap();
            let claim = Claim::parse(&claim, 2).unwrap();
            for (n, value) in values.iter().enumerate() {
                for v in 0..9 {
                    let holds = claim.holds(&[n as u64, v]).unwrap();
                    assert_eq!(holds, v == *value, "{form}, {name} = {r}, {n}");
                }
            }
        }
        let forms: Vec<&str> = found.sentences.iter().map(|one| &*one.form).collect();
        let expected: &[&str] = if name == "r" { &["v = a mod (r+2) div 2"] } else { &[] };
        assert_eq!(forms, expected);
        assert!(found.sentences.iter().all(|one| one.proved == [3, 4, 5, 6, 7]));
    }
}

#[test]
fn circles_with_all_but_one() {
    let found = ranged(&Catalogue::standard(), "CN(n,n-1)", "n", 3..=5);
    assert_eq!(found.verdict, VerdictKind::Proved);
    assert_eq!(found.again[0].to_string(), "bouton study 'CN(n,n-1)' --for 'n=3..5'");
    let [sentence] = &found.sentences[..] else { panic!("{:?}", found.sentences) };
    assert_eq!((sentence.form.as_str(), &sentence.proved[..]), ("min = max", &[3, 4, 5][..]));
}

#[test]
fn rule_files_have_parameters() {
    let text = "name = \"up-to\"\nheaps = 1\nparameters = { h = [1, 9], k = [0, 3] }\nmove = \"q0 \
        < p0 & p0 <= q0+h+k & p0 mod (h+k+2) >= 0\"\n";
    let file = RuleFile::parse(text).unwrap();
    assert_eq!(file.values_form().unwrap(), "up-to(h,k) with h from 1 to 9, k from 0 to 3");
    let catalogue = Catalogue::standard().with_rule_file(file).unwrap();
    let named = catalogue.parse("up-to(2,1):7").unwrap();
    assert_eq!((named.game.name().as_str(), named.position.as_deref()), ("up-to(2,1)", Some("7")));
    for wrong in ["up-to", "up-to()", "up-to(1)", "up-to(10,0)", "up-to(x,1)", "up-to(-1,1)"] {
        let error = catalogue.parse(wrong).err().unwrap();
        assert!(error.accepted.contains("h from 1 to 9"), "{wrong}: {error:?}");
    }
    let found = ranged(&catalogue, "up-to(h,1)", "h", 1..=4);
    assert_eq!(found.verdict, VerdictKind::Proved);
    let [sentence] = &found.sentences[..] else { panic!("{:?}", found.sentences) };
    // Taking up to h + 1: the multiples of h + 2.
    assert_eq!(
        (sentence.form.as_str(), &sentence.proved[..]),
        ("a mod (h+2) = 0", &[1, 2, 3, 4][..])
    );
}

#[test]
fn errors_in_parameters() {
    let of = |parameters: &str, moves: &str| {
        let text = format!(
            "name = \"x\"\nheaps = 1\nparameters = {{ {parameters} }}\nmove = \"{moves}\"\n"
        );
        RuleFile::parse(&text).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(of("h = [1, 4]", "q0+h = p0"), Ok(()));
    for (parameters, moves) in [
        ("h = [1, 4]", "q0+1 = p0"),
        ("h = [4, 1]", "q0+h = p0"),
        ("p0 = [1, 4]", "q0+p0 = p0"),
        ("mod = [1, 4]", "q0+1 = p0 mod 2"),
        ("h = [1, 4]", "q0+h*p0 = p0*h+"),
    ] {
        assert!(of(parameters, moves).is_err(), "{parameters}: {moves}");
    }
}

#[test]
fn what_has_no_fixed_heaps_is_refused() {
    let template = Template::parse("Gamma(1,h;23)", "h").unwrap();
    let parse = |text: &str| bouton_games::parse(text);
    let all = |range| {
        let target =
            RangeTarget { template: &template, range, nim_values: false, play: Play::Normal };
        study_range(&target, &parse, Settings::default(), &Budget::default(), &|_| {})
    };
    assert!(matches!(all(2..=3), Err(RangeError::Heaps(_))));
    assert!(matches!(all(1..=500), Err(RangeError::Many(500))));
}
