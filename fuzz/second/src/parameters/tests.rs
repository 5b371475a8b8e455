//! Both checkers read the same facts and choices from drawn texts.

use super::*;
use bouton_check::{Limits, check_limited};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// A small generator of numbers.
struct Lot(fastrand::Rng);

impl Lot {
    fn below(&mut self, n: usize) -> usize {
        self.0.usize(..n)
    }

    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }

    /// Draws a number; divisors are 1 to 4 or among those given.
    fn number(&mut self, names: &[&str], divisors: &[&str], depth: usize) -> String {
        match self.below(if depth == 0 { 4 } else { 9 }) {
            0 => self.below(5).to_string(),
            1..=3 => self.of(names).to_string(),
            4 => format!("({})", self.number(names, divisors, depth - 1)),
            5 => {
                let (one, two) = (
                    self.number(names, divisors, depth - 1),
                    self.number(names, divisors, depth - 1),
                );
                format!("{one}{}{two}", self.of(&["+", "-"]))
            }
            6 => format!("{}*{}", 1 + self.below(4), self.number(names, divisors, 0)),
            _ => {
                let of = self.number(names, divisors, depth - 1);
                let by = match self.below(divisors.len() + 2).checked_sub(2) {
                    Some(divisor) => divisors[divisor].to_owned(),
                    None => (1 + self.below(4)).to_string(),
                };
                format!("({of}){}({by})", self.of(&["mod", "div"]))
            }
        }
    }

    /// Draws a statement.
    fn statement(&mut self, names: &[&str], divisors: &[&str], depth: usize) -> String {
        match self.below(if depth == 0 { 1 } else { 6 }) {
            0 | 1 => {
                let (one, two) = (self.number(names, divisors, 2), self.number(names, divisors, 1));
                format!("{one} {} {two}", self.of(&["=", "!=", "<", "<=", ">", ">="]))
            }
            2 => format!("~({})", self.statement(names, divisors, depth - 1)),
            3 => format!("({})", self.statement(names, divisors, depth - 1)),
            _ => {
                let (one, two) = (
                    self.statement(names, divisors, depth - 1),
                    self.statement(names, divisors, depth - 1),
                );
                format!("{one} {} {two}", self.of(&["&", "|"]))
            }
        }
    }
}

/// Writes refutations that look at every fact and every sentence of every choice.
struct Writer<'a> {
    system: &'a System,
    work: Work,
    lines: Vec<String>,
}

impl Writer<'_> {
    fn text(&self, polynomial: &Polynomial) -> String {
        let name = |variable: u16| match self.system.names.get(usize::from(variable)) {
            Some(name) => format!("*{name}"),
            None => format!("*q{}", usize::from(variable) - self.system.names.len() + 1),
        };
        let terms: Vec<String> = polynomial
            .0
            .iter()
            .map(|(monomial, factor)| {
                format!("{factor:+}{}", monomial.iter().map(|v| name(*v)).collect::<String>())
            })
            .collect();
        if terms.is_empty() { "+0".into() } else { terms.join(" ") }
    }

    fn split(&mut self, first: &Polynomial) {
        let line = format!("split {}", self.text(first));
        self.lines.push(line);
    }

    /// Looks at the facts from this one on: no fact F and −F − 1 hold together.
    fn facts(&mut self, branch: &mut Branch, from: usize) -> Checked<()> {
        for at in from..branch.facts.len() {
            let fact = branch.facts[at].clone();
            let other = opposite(&fact, &mut self.work)?;
            self.split(&other);
            self.lines.push(format!("end {}*1 {}*1", at + 1, branch.facts.len() + 1));
            branch.fact(fact, &mut self.work)?;
        }
        Ok(())
    }

    /// Looks at the choices from this one on, and ends the branch by the fact −1 ≥ 0.
    fn choices(&mut self, mut branch: Branch, from: usize, absurd: usize) -> Checked<()> {
        for at in from..branch.choices.len() {
            self.split(&Polynomial::number(0));
            self.lines.push(format!("or {}", at + 1));
            for sentence in branch.choices[at].clone().iter() {
                let mut inner = branch.clone();
                inner.fact(Polynomial::number(0), &mut self.work)?;
                let (facts, choices) = (inner.facts.len(), inner.choices.len());
                inner.add(sentence, &mut self.work)?;
                self.facts(&mut inner, facts)?;
                self.choices(inner, choices, absurd)?;
            }
            branch.fact(Polynomial::number(-1), &mut self.work)?;
        }
        self.lines.push(format!("end {absurd}*1"));
        Ok(())
    }

    /// Writes a refutation if two of the first facts contradict each other.
    fn refutation(&mut self) -> Checked<bool> {
        let mut branch = self.system.top(&mut self.work)?;
        let facts = branch.facts.clone();
        let mut contradiction = None;
        for (i, one) in facts.iter().enumerate() {
            for (j, two) in facts.iter().enumerate().skip(i) {
                if one.plus(1, two, 0, &mut self.work)?.constant().is_some_and(|sum| sum < 0) {
                    contradiction = Some((i + 1, j + 1));
                }
            }
        }
        let Some((one, two)) = contradiction else { return Ok(false) };
        self.split(&Polynomial::number(-1));
        branch.fact(Polynomial::number(-1), &mut self.work)?;
        let absurd = branch.facts.len();
        self.facts(&mut branch, 0)?;
        self.choices(branch, 0, absurd)?;
        self.lines.push(format!("end {one}*1 {two}*1"));
        Ok(true)
    }
}

/// Writes a certificate by texts; `None` if a system has no simple contradiction, or the condition
/// no small example.
fn written(game: &str, claim: &str, witnesses: &[String]) -> Checked<Option<String>> {
    let work = &mut Work(1 << 24);
    let certificate = Certificate { version: 1, kind: "parameters", game, claim, body: Vec::new() };
    let mut theorem = theorem(&certificate)?;
    let count = theorem.parameters.len() as u32;
    let examples = (0..13i128.pow(count)).map(|drawn| {
        let values = (0..count).map(|i| drawn / 13i128.pow(i) % 13);
        theorem.parameters.iter().copied().zip(values).collect::<BTreeMap<char, i128>>()
    });
    let mut example = None;
    for values in examples {
        if example.is_none() && value(&theorem.condition, &values)? == 1 {
            example = Some(values);
        }
    }
    let Some(example) = example else { return Ok(None) };
    let values: Vec<String> =
        theorem.parameters.iter().map(|name| format!("{name}={}", example[name])).collect();
    let mut lines = vec![format!("example {}", values.join(" "))];
    for witness in witnesses {
        lines.push(format!("witness {witness}"));
        theorem.witnesses.push(theorem.witness(witness)?);
    }
    let mut systems = Vec::new();
    for divisor in theorem.divisors(work)? {
        systems.push(("divisor", theorem.system_of_divisor(&divisor, work)?));
    }
    for amount in &theorem.amounts {
        systems.push(("amount", theorem.system_of_amount(amount, work)?));
    }
    for amount in &theorem.amounts {
        systems.push(("to-p", theorem.to_p(amount, work)?));
    }
    systems.push(("to-n", theorem.to_n(work)?));
    for (word, system) in &systems {
        let mut writer = Writer { system, work: Work(1 << 24), lines: vec![(*word).to_owned()] };
        if !writer.refutation()? {
            return Ok(None);
        }
        lines.append(&mut writer.lines);
    }
    let body: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let text =
        format!("bouton certificate 1\nkind: parameters\ngame: {game}\nclaim: {claim}\n\n{body}");
    let seal: String = Sha256::digest(text.as_bytes()).iter().map(|b| format!("{b:02x}")).collect();
    Ok(Some(format!("{text}sha256: {seal}\n")))
}

/// Ranges without a number in them, and forms that all positions have, are refuted easily.
#[test]
fn both_read_the_same_systems() {
    let mut lot = Lot(fastrand::Rng::with_seed(5));
    let (mut accepted, mut declined, mut longest) = (0, 0, 0);
    for _ in 0..400 {
        let divisors = ["h+1", "2*g", "h*g", "2*(g+1)"];
        let low = lot.number(&["g", "h"], &[], 2);
        let low = if lot.below(2) == 0 {
            format!("1+({})mod({})", lot.number(&["g", "h"], &divisors, 1), lot.of(&divisors))
        } else {
            low
        };
        let other = lot.number(&["g", "h"], &divisors, 2);
        let cash = lot.below(3) == 0;
        let (names, first, ending): (&[&str], _, _) = if cash {
            (&["n", "d", "e", "g", "h"], "n", ";n;d,e)")
        } else {
            (&["a", "a", "g", "h"], "a", ")")
        };
        let game = format!(
            "{}({low}..({low})-1,h+{other}-({other})..h-1{ending}",
            if cash { "NIM" } else { "S" },
        );
        let least = if low.contains("+1)") || low.contains('g') && low.contains("mod") {
            "h >= 1".into()
        } else {
            format!("{low} >= 1")
        };
        let condition = format!(
            "g >= 1 & h >= 1 & h*g >= 1 & {least} & ({})",
            lot.statement(&["g", "h"], &[], 2)
        );
        let form = format!("{} | {first} >= 0", lot.statement(names, &divisors, 3));
        let mut witnesses = Vec::new();
        for _ in 0..lot.below(3) {
            witnesses.push(format!("{} {}", 1 + lot.below(2), lot.number(names, &divisors, 2)));
        }
        let claim = format!("for {condition}, P iff {form}");
        let Ok(Some(text)) = written(&game, &claim, &witnesses) else { continue };
        longest = longest.max(text.lines().count());
        let second = crate::check(&text).expect("a certificate");
        assert_eq!(second.word(), "accepted", "{second:?}:\n{text}");
        let limits = Limits { depth: 50, steps: 1 << 26, bytes: 400_000_000 };
        match check_limited(&text, &limits, &mut || true) {
            Ok(_) => accepted += 1,
            Err(why) if !why.reason.is_verdict() => declined += 1,
            Err(why) => panic!("{why:?}:\n{text}"),
        }
    }
    println!(
        "{accepted} accepted by both, {declined} declined by the first, {longest} lines at most"
    );
    assert!(accepted >= 100, "{accepted} accepted by both");
}

/// Certificates of the repository.
const MADE: [&str; 5] = [
    include_str!("../../tests/made/parameters-1"),
    include_str!("../../tests/made/parameters-2"),
    include_str!("../../tests/made/parameters-3"),
    include_str!("../../tests/made/parameters-4"),
    include_str!("../../tests/made/parameters-5"),
];

/// Returns the text before the seal, with another seal.
fn sealed(text: &str) -> String {
    let text = text.find("sha256: ").map_or(text, |end| &text[..end]);
    let seal: String = Sha256::digest(text.as_bytes()).iter().map(|b| format!("{b:02x}")).collect();
    format!("{text}sha256: {seal}\n")
}

/// Plays a game from the rules alone; tells whether the claim is true of heaps below 60, or of less
/// than 16 stones and 9 dollars, for all values of parameters from −4 to 8.
fn is_true(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().collect();
    let certificate = Certificate {
        version: 1,
        kind: "parameters",
        game: lines[2].strip_prefix("game: ").expect("a game"),
        claim: lines[3].strip_prefix("claim: ").expect("a claim"),
        body: Vec::new(),
    };
    let theorem = theorem(&certificate).expect("a theorem");
    let cash = theorem.position.len() == 3;
    let positions: Vec<[i128; 3]> = if cash {
        (0..16 * 81).map(|drawn| [drawn / 81, drawn / 9 % 9, drawn % 9]).collect()
    } else {
        (0..60).map(|heap| [heap, 0, 0]).collect()
    };
    let count = theorem.parameters.len() as u32;
    (0..13i128.pow(count)).all(|drawn| {
        let values = (0..count).map(|i| drawn / 13i128.pow(i) % 13 - 4);
        let mut at: BTreeMap<char, i128> = theorem.parameters.iter().copied().zip(values).collect();
        let number =
            |whole: &Expression, at: &BTreeMap<char, i128>| value(whole, at).expect("a value");
        if number(&theorem.condition, &at) == 0 {
            return true;
        }
        let ranges = theorem.amounts.iter().map(|amount| {
            let low = number(&amount.low, &at);
            (low, amount.high.as_ref().map_or(low, |high| number(high, &at)))
        });
        let ranges: Vec<(i128, i128)> = ranges.collect();
        let mut losing: BTreeSet<[i128; 3]> = BTreeSet::new();
        positions.iter().all(|position| {
            at.extend(theorem.position.iter().copied().zip(*position));
            let [heap, dollars, others] = *position;
            let most = if cash { heap.min(dollars) } else { heap };
            let taken = |t: &i128| ranges.iter().any(|(low, high)| low <= t && t <= high);
            let wins = (1..=most).filter(taken).any(|t| {
                let option = if cash { [heap - t, others, dollars - t] } else { [heap - t, 0, 0] };
                losing.contains(&option)
            });
            if !wins {
                losing.insert(*position);
            }
            // Every move has to take something.
            ranges.iter().all(|(low, _)| *low >= 1) && (number(&theorem.form, &at) == 1) != wins
        })
    })
}

/// Characters, words and lines are changed: what is accepted then is true, and what is accepted
/// by one checker is not rejected by the other.
#[test]
fn changed_certificates_prove_nothing_false() {
    let mut lot = Lot(fastrand::Rng::with_seed(9));
    let mut words: Vec<&str> =
        "0 1 2 3 h L a n d e t q1 q2 q3 + - * ( ) mod div = != < <= > >= ~ & | .. , end split or \
         times"
            .split(' ')
            .collect();
    words.extend([" ", "\n", "99999999999"]);
    let (mut accepted, mut rejected) = (0, 0);
    for turn in 0..4_000 {
        let made = MADE[turn % MADE.len()];
        let text = &made[..made.find("sha256: ").expect("a seal")];
        // Half of the changes concern game and claim.
        let end = if lot.below(2) == 0 { text.find("\n\n").expect("a header") } else { text.len() };
        let from = 41.min(end - 1);
        let mut at = from + lot.below(end - from);
        let mut until = (at + lot.below(3)).min(end);
        if lot.below(3) == 0 {
            // A whole line, doubled or left out.
            at = text[..at].rfind('\n').map_or(0, |line| line + 1);
            until = text[at..].find('\n').map_or(text.len(), |line| at + line + 1);
        }
        let by = match lot.below(3) {
            0 => String::new(),
            1 => format!("{0}{0}", &text[at..until]),
            _ => lot.of(&words).to_owned(),
        };
        let changed = sealed(&format!("{}{by}{}", &text[..at], &text[until..]));
        let Ok(second) = crate::check_within(&changed, 1 << 24) else { continue };
        let limits = Limits { depth: 50, steps: 1 << 24, bytes: 400_000_000 };
        let first = check_limited(&changed, &limits, &mut || true);
        match (second.word(), &first) {
            ("accepted", _) => {
                accepted += 1;
                assert!(first.is_ok(), "{first:?}:\n{changed}");
                assert!(is_true(&changed), "{changed}");
            }
            ("rejected", _) => {
                rejected += 1;
                assert!(first.is_err(), "{second:?}:\n{changed}");
            }
            _ => {}
        }
    }
    println!("{accepted} accepted, {rejected} rejected");
    assert!(accepted >= 100 && rejected >= 1000, "{accepted} accepted, {rejected} rejected");
}

/// Statements that are false, or say nothing, with the proof of one that is true.
#[test]
fn forged_statements_are_rejected() {
    let [one, two, .., cash] = MADE;
    let cases = [
        (one, "h >= 2 & h mod 2 = 0", "h >= 0 & h mod 2 = 0", "an amount may be 0"),
        (one, "h >= 2 & h mod 2 = 0", "h >= 2", "nothing is shown of odd numbers"),
        (one, "h >= 2 & h mod 2 = 0", "h >= 2 & h mod 2 = 1", "the example is another's"),
        (one, "h >= 2 & h mod 2 = 0", "h >= 2 & h < 2", "no value satisfies the condition"),
        (one, "example h=2", "example h=3", "the example does not satisfy the condition"),
        (one, "example h=2", "example L=2", "the example names no parameter"),
        (one, "example h=2", "example h=2 h=2", "a parameter comes twice"),
        (one, "game: S(1,h)", "game: S(1,h,h)", "an amount more"),
        (one, "game: S(1,h)", "game: S(1,h+1)", "another game"),
        (one, "game: S(1,h)", "game: S(h,1)", "the same game, the proofs in another order"),
        (one, "game: S(1,h)", "game: S(1,h-2)", "an amount is 0 in the example"),
        (one, "game: S(1,h)", "game: S(1,n)", "a number of positions as a parameter"),
        (one, "P iff a mod (h+1) < h", "P iff a mod (h+1) <= h", "false"),
        (one, "P iff a mod (h+1) < h", "P iff a mod (h-1) < h", "a divisor may be 1, or none"),
        (one, "P iff a mod (h+1) < h", "P iff a mod (a+1) < h", "a divisor with a heap"),
        (one, "mod 2 = 0\n", "mod 2 = 1\n", "false"),
        (one, "divisor\nend 6*1 3*1\n", "", "nothing shows the divisor positive"),
        (one, "amount\nend 6*1\n", "", "nothing shows the amount positive"),
        (one, "end 6*1 3*1\n", "end 6*1 3*2\n", "numbers that leave h"),
        (one, "end 6*1 3*1\n", "end 6*0 3*0\n", "0 is no contradiction"),
        (one, "end 6*1 3*1\n", "end 6*1 3*-1\n", "a negative number"),
        (one, "witness 2\n", "", "a witness less"),
        (one, "witness 2\n", "witness 3\n", "no such amount"),
        (two, "L >= 1 & M >= L", "L >= 0 & M >= L", "an amount may be 0"),
        (two, "L >= 1 & M >= L", "L >= 1", "a range may be empty"),
        (two, "example L=1 M=1", "example M=1 L=1", "another order"),
        (two, "witness 1 M\n", "witness 1 (M+1)\n", "beyond the range"),
        (two, "game: S(L..M)", "game: S(L..M+1)", "another game"),
        (two, "game: S(L..M)", "game: S(L)", "no range, but witnesses of one"),
        (cash, "L>=1", "L>=0", "an amount may be 0"),
        (cash, "2*(d div L) <= n div L", "2*(d div L) <= n div L + 1", "false"),
        (cash, "game: NIM(L;n;d,e)", "game: NIM(L;d;n,e)", "no such game"),
        (cash, "game: NIM(L;n;d,e)", "game: NIM(L)", "no such game"),
        (cash, "game: NIM(L;n;d,e)", "game: NIM(L+1;n;d,e)", "another game"),
        (cash, "game: NIM(L;n;d,e)", "game: S(L)", "no purses"),
        (two, "kind: parameters", "kind: laps", "another kind"),
    ];
    assert!(MADE.iter().all(|text| is_true(text)));
    for (text, old, new, why) in cases.into_iter().filter(|(.., why)| why.starts_with("false")) {
        assert!(!is_true(&text.replacen(old, new, 1)), "{why}");
    }
    for (text, old, new, why) in cases {
        assert!(text.contains(old), "{old}");
        let forged = sealed(&text.replacen(old, new, 1));
        let verdict = crate::check(&forged).expect("a certificate");
        assert_eq!(verdict.word(), "rejected", "{why}: {old} by {new}: {verdict:?}");
    }
}

/// Numbers and proofs that grow end in an answer.
#[test]
fn what_grows_is_left_open() {
    let start = "bouton certificate 1\nkind: parameters\ngame: S(1,h)\nclaim: for h >= 1, P iff ";
    let bodies = [
        format!(
            "a = 0\n\nexample h=1\namount\n{}",
            "times 1 1\ntimes 2 2\ntimes 3 3\ntimes 4 4\n".repeat(3)
        ),
        format!(
            "a = 0\n\nexample h=1\namount\n{}",
            "split +170141183460469231731687303715884105727*h -9\n".repeat(2)
        ),
        format!(
            "a = 0\n\nexample h=1\namount\nsplit {}0\n",
            "+99999999999999999999999999999999999999*h ".repeat(3)
        ),
        format!("{}a = 0\n\nexample h=1\namount\nend 2*1\n", "(h+a)*".repeat(40)),
        format!("{} = 0\n\nexample h=1\namount\nend 2*1\n", "4294967295*".repeat(5) + "a"),
    ];
    for body in bodies {
        let verdict = crate::check(&sealed(&format!("{start}{body}"))).expect("a certificate");
        assert_ne!(verdict.word(), "accepted", "{body}");
    }
    let growing =
        format!("{start}a = 0\n\nexample h=1\namount\n{}", "split +1*h +0\n".repeat(100_000));
    assert_eq!(
        crate::check_within(&sealed(&growing), 1 << 20).expect("a certificate").word(),
        "unknown"
    );
    for nested in [201, 60_000] {
        let deep =
            format!("{start}{}a{} = 0\n\nexample h=1\n", "(".repeat(nested), ")".repeat(nested));
        assert_eq!(crate::check(&sealed(&deep)).expect("a certificate").word(), "rejected");
        let denied = format!("{start}{}a = 0\n\nexample h=1\n", "~".repeat(nested));
        assert_eq!(crate::check(&sealed(&denied)).expect("a certificate").word(), "rejected");
    }
}
