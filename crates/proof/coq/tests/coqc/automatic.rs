//! Certificates of kind `automatic`: the extracted checker verifies those that state the truth and
//! show it, and no others.

use crate::stated;
use crate::verify::{Small, answers, is_lower, is_verified, sealed};
use bouton_coq::{Mutation, translate, translate_mutated};
use bouton_core::{DigitSystem, Formula, HeapGame, Meter, Moves, Symmetry, Windows};
use bouton_prover::{
    Acceptor, Attempt, AutomaticClaim, Claim, CounterexampleChoice, MoveSystem, default_budget,
    prove_automatic, written_name,
};
use fastrand::Rng;

/// Mark-3: one token or two, or a third, rounded down, is left.
const MARK_3: &str = "bouton certificate 1
kind: automatic
game: rules(1;none;binary;q0 + 1 = p0 | q0 + 2 = p0 | q0 = p0 div 3)
claim: P iff the automaton accepts

base 3
positions 3
! 0 1 1
- 2 1 1
! 1 1 1
windows 0
move 1 9
- 0 1 2 3 4 5 3 3 4
! 3 3 3 6 7 2 5 8 3
! 3 3 3 3 3 3 6 7 2
- 3 3 3 3 3 3 3 3 3
- 4 5 8 3 4 5 3 3 4
! 3 3 3 8 3 3 5 8 3
! 6 7 2 3 3 3 3 3 3
! 3 3 3 6 7 2 3 3 3
! 3 3 3 3 3 3 3 3 3
sets 9
0 0
1 3 13
1 6 13 16
1 13 17 22 25
1 7 13 16 26
1 13 16 20 25
1 13 16 23 25
1 8 13 16 25
2 14 16 19
sha256: c08b215d2d030d991872cbf0ef1db1d2d5b8247de9de7eec5753e9c6cdfecc29
";

/// A game, its P-positions as a formula, and the same game for a search.
struct Sample {
    game: HeapGame,
    claim: &'static str,
    small: Small,
}

fn samples() -> Vec<Sample> {
    let ruled = |symmetry, heaps, text| {
        stated(heaps, symmetry, Moves::with_formula(Windows::Any(heaps), text).unwrap())
    };
    vec![
        Sample {
            game: ruled(Symmetry::Full, 2, "q0 = p0 | q1 = p1"),
            claim: "a = b",
            small: Small {
                numbers: 2,
                heaps: 2,
                bound: 9,
                is_move: |p, q| is_lower(p, q) && (p[0] == q[0] || p[1] == q[1]),
            },
        },
        // Read up to symmetry: the claim is not its own image.
        Sample {
            game: ruled(Symmetry::Full, 2, "q1 = p1 | q0 = p0 | p0 + p1 < q0 + q1 + 3"),
            claim: "a <= b & b <= a + 1 & (a + b) mod 3 = 0",
            small: Small {
                numbers: 2,
                heaps: 2,
                bound: 12,
                is_move: |p, q| {
                    is_lower(p, q)
                        && (p[0] == q[0] || p[1] == q[1] || p[0] + p[1] < q[0] + q[1] + 3)
                },
            },
        },
        Sample {
            game: ruled(Symmetry::None, 1, "q0 + 1 = p0 | q0 + 3 = p0"),
            claim: "a mod 2 = 0",
            small: Small { numbers: 1, heaps: 1, bound: 60, is_move: takes_one_or_three },
        },
        // An odd number of tokens, by a quantifier.
        Sample {
            game: ruled(Symmetry::None, 1, "E k: p0 = q0 + 2*k + 1"),
            claim: "a mod 2 = 0",
            small: Small { numbers: 1, heaps: 1, bound: 60, is_move: takes_an_odd_number },
        },
        Sample {
            game: ruled(Symmetry::None, 2, "q0 < p0 & q1 = p1 | q0 = p0 & q1 < min(p1, p0 div 2)"),
            claim: "a = 0",
            small: Small {
                numbers: 2,
                heaps: 2,
                bound: 9,
                is_move: |p, q| {
                    q[0] < p[0] && q[1] == p[1] || q[0] == p[0] && q[1] < p[1].min(p[0] / 2)
                },
            },
        },
    ]
}

fn takes_one_or_three(p: &[u64], q: &[u64]) -> bool {
    is_lower(p, q) && [1, 3].contains(&(p[0] - q[0]))
}

fn takes_an_odd_number(p: &[u64], q: &[u64]) -> bool {
    is_lower(p, q) && (p[0] - q[0]) % 2 == 1
}

impl Sample {
    /// Returns the prover's certificate, and the automaton of the P-positions that it proves.
    fn proved(&self, what: AutomaticClaim<'_>) -> (String, Acceptor) {
        let (known, numeration) = MoveSystem::from_heap_game(&self.game).unwrap();
        let name = written_name(&self.game, numeration).unwrap();
        let proof = prove_automatic(
            &known,
            what,
            CounterexampleChoice::Least,
            &mut Meter::new(&default_budget()),
        );
        let Attempt::Proved(proof) = proof else { panic!("{name}") };
        (proof.certificate(&name, &known, what).to_text(), proof.positions)
    }

    fn read_claim(&self) -> Claim {
        Claim::parse(self.claim, self.game.heaps).unwrap()
    }

    /// Returns the certificate of the automaton that reads the digits of Zeckendorf.
    fn in_zeckendorf_digits(&self) -> String {
        let meter = &mut Meter::new(&default_budget());
        let positions = Acceptor::zeckendorf(self.read_claim().formula(), meter).unwrap();
        self.proved(AutomaticClaim::Automaton(&positions)).0
    }

    /// Returns the certificate of the formula, and of the automaton itself.
    fn certificates(&self) -> [String; 2] {
        let images = self.game.symmetry.permutations(self.game.heaps, 720).unwrap();
        let (of_formula, positions) = self.proved(AutomaticClaim::Formula {
            claim: &self.read_claim(),
            images: &images,
            digits: DigitSystem::to_base(2),
        });
        [of_formula, self.proved(AutomaticClaim::Automaton(&positions)).0]
    }
}

/// Returns games whose P-positions are read in the digits of Zeckendorf, with their P-positions:
/// Wythoff's game; sums, least numbers, remainders and quantifiers in moves.
fn zeckendorf_samples() -> Vec<Sample> {
    let ruled = |symmetry, heaps, text| {
        stated(heaps, symmetry, Moves::with_formula(Windows::Any(heaps), text).unwrap())
    };
    vec![
        Sample {
            game: ruled(Symmetry::Full, 2, "q0 = p0 | q1 = p1 | p0 + q1 = p1 + q0"),
            claim: "a = 0 & b = 0 | (E n: a = shift(n)+1 & b = a+n+1 | b = shift(n)+1 & a = b+n+1)",
            small: Small {
                numbers: 2,
                heaps: 2,
                bound: 16,
                is_move: |p, q| {
                    is_lower(p, q) && (p[0] == q[0] || p[1] == q[1] || p[0] + q[1] == p[1] + q[0])
                },
            },
        },
        Sample {
            game: ruled(Symmetry::None, 1, "q0 + 1 = p0 | q0 + 2 = p0"),
            claim: "a mod 3 = 0",
            small: Small {
                numbers: 1,
                heaps: 1,
                bound: 60,
                is_move: |p, q| is_lower(p, q) && p[0] - q[0] <= 2,
            },
        },
        Sample {
            game: ruled(Symmetry::None, 1, "E k: p0 = q0 + 2*k + 1"),
            claim: "a mod 2 = 0",
            small: Small { numbers: 1, heaps: 1, bound: 60, is_move: takes_an_odd_number },
        },
        Sample {
            game: ruled(Symmetry::None, 1, "q0 mod 2 != p0 mod 2 & p0 <= max(q0 + 3, 1)"),
            claim: "a mod 2 = 0",
            small: Small { numbers: 1, heaps: 1, bound: 60, is_move: takes_one_or_three },
        },
        Sample {
            game: ruled(Symmetry::None, 2, "q0 < p0 & q1 = p1 | q0 = p0 & q1 < min(p1, 2*p0)"),
            claim: "a = 0",
            small: Small {
                numbers: 2,
                heaps: 2,
                bound: 9,
                is_move: |p, q| {
                    q[0] < p[0] && q[1] == p[1] || q[0] == p[0] && q[1] < p[1].min(2 * p[0])
                },
            },
        },
    ]
}

/// Returns the digits of a number in the numeration of Zeckendorf, as many as asked for, the most
/// significant first.
fn zeckendorf_digits(mut number: u64, count: usize) -> Vec<usize> {
    let mut weights = vec![1, 2];
    while weights.len() < count {
        weights.push(weights[weights.len() - 2] + weights[weights.len() - 1]);
    }
    let mut digits = Vec::new();
    for weight in weights.iter().take(count).rev() {
        digits.push(usize::from(number >= *weight));
        number -= if number >= *weight { *weight } else { 0 };
    }
    digits
}

/// Returns whether the automaton of a certificate's claim accepts a position.
fn is_read(certificate: &str, position: &[u64]) -> bool {
    let body = certificate.split_once("\npositions ").unwrap().1;
    let rows: Vec<Vec<&str>> = body.lines().skip(1).map(|line| line.split(' ').collect()).collect();
    let digits: Vec<Vec<usize>> =
        position.iter().map(|number| zeckendorf_digits(*number, 10)).collect();
    let mut state = 0;
    for at in 0..10 {
        let column: usize = digits.iter().enumerate().map(|(heap, own)| own[at] << heap).sum();
        state = rows[state][1 + column].parse().unwrap();
    }
    rows[state][0] == "!"
}

/// The automata of these games are verified, and so is what is changed in them where the checker in
/// Rust accepts it: what a row that is no number's leads to does not matter. Whatever is verified
/// is what moves by the rules show.
#[test]
fn digits_of_zeckendorf_are_verified_where_they_are_shown() {
    let (mut files, mut expected, mut texts) = (Vec::new(), Vec::new(), Vec::new());
    let samples = zeckendorf_samples();
    for (at, sample) in samples.iter().enumerate() {
        let certificate = sample.in_zeckendorf_digits();
        let mut all = vec![certificate.clone()];
        let lines: Vec<&str> = certificate.lines().collect();
        let first = lines.iter().position(|line| *line == "zeckendorf").unwrap();
        let (mut count, step) = (0, 1 + lines.len() / 30);
        for number in first + 1..lines.len() - 1 {
            let mut words: Vec<String> = lines[number].split(' ').map(str::to_owned).collect();
            if matches!(&*words[0], "positions" | "move") {
                count = words[words.len() - 1].parse().unwrap();
            }
            if number % step != at % step {
                continue;
            }
            // Of automata another label, or one other transition.
            let place = number % (words.len() - 1) + 1;
            let mut changed = Vec::new();
            if matches!(&*words[0], "!" | "-") {
                let other = if words[0] == "!" { "-" } else { "!" };
                changed
                    .push(std::iter::once(other.to_owned()).chain(words[1..].to_vec()).collect());
                words[place] = ((words[place].parse::<usize>().unwrap() + 1) % count).to_string();
                changed.push(words);
            } else if !matches!(&*words[0], "positions" | "move" | "windows" | "sets") {
                // Of sets another state or way, or the last one missing.
                words[place] = (words[place].parse::<usize>().unwrap() + 1).to_string();
                changed.push(words.clone());
                words.pop();
                changed.push(words);
            }
            for words in changed {
                let own: String = words.join(" ");
                let line = |l: usize| format!("{}\n", if l == number { &own } else { lines[l] });
                all.push(sealed(&(0..lines.len()).map(line).collect::<String>()));
            }
        }
        for (old, new) in [
            ("zeckendorf\n", ""),
            ("zeckendorf\n", "base 3\n"),
            ("p0 + q1 = p1 + q0", "p0 + q1 = p1 + q0 + 1"),
            ("q0 + 2 = p0", "q0 + 3 = p0"),
            ("2*k", "3*k"),
            ("q0 + 3", "q0 + 5"),
            ("2*p0", "p0"),
            ("claim: P", "claim: in misere play P"),
        ] {
            let text = certificate.replacen(old, new, 1);
            if text != certificate {
                all.push(sealed(&text));
            }
        }
        for text in all {
            // Some are not even read as automata of this game.
            if let Ok(file) = translate_mutated(&text, None, Mutation::None) {
                expected.push((at, bouton_check::check(&text).is_ok()));
                files.push(file);
                texts.push(text);
            }
        }
    }
    let count = expected.iter().filter(|(_, is_shown)| *is_shown).count();
    println!("{count} of {} files are accepted", files.len());
    assert!(count >= samples.len() && files.len() - count >= 100, "{count} of {}", files.len());
    let Some(answers) = answers(&files) else { return };
    let known: Vec<Vec<(Vec<u64>, bool)>> =
        samples.iter().map(|own| own.small.positions(false)).collect();
    for (((answer, file), (at, is_shown)), text) in
        answers.iter().zip(&files).zip(&expected).zip(&texts)
    {
        assert_eq!(is_verified(answer), *is_shown, "{file}{answer}{text}");
        if *is_shown {
            for (position, lost) in &known[*at] {
                assert_eq!(is_read(text, position), *lost, "{position:?}: {text}");
            }
        }
    }
    for words in
        ["accepts the digits of Zeckendorf of a, b (their weights are 1, 2, 3, 5", "play: normal"]
    {
        assert!(answers[0].contains(words), "{}", answers[0]);
    }
}

#[test]
fn claims_of_automata_are_verified_and_told_in_words() {
    let mut files = vec![translate(MARK_3).unwrap()];
    for sample in samples() {
        files.extend(sample.certificates().iter().map(|text| translate(text).unwrap()));
    }
    let Some(answers) = answers(&files) else { return };
    for (answer, file) in answers.iter().zip(&files) {
        assert!(is_verified(answer), "{file}{answer}");
    }
    for words in [
        "accepts the digits of a to base 3, the most significant first",
        "  state 0: ! 0 1 1\n  state 1: - 2 1 1\n  state 2: ! 1 1 1\n",
        "and ((q0 + 1) = p0 | ((q0 + 2) = p0 | q0 = (p0 div 3)))",
    ] {
        assert!(answers[0].contains(words), "{}", answers[0]);
    }
    assert!(answers[1].contains("order: the heaps as they stand"), "{}", answers[1]);
    assert!(answers[3].contains("order: some order of the heaps"), "{}", answers[3]);
}

/// Other claims on the same proof: those are verified that are true, by all moves of small heaps.
#[test]
fn drawn_claims_are_verified_where_they_are_true() {
    let mut lot = Rng::with_seed(17);
    let (mut files, mut truths) = (Vec::new(), Vec::new());
    for sample in samples() {
        let [certificate, _] = sample.certificates();
        let is_own_image = !certificate.contains("\nformula ") || sample.claim == "a = b";
        let heaps = sample.game.heaps;
        let letters: Vec<String> = ('a'..='z').take(heaps).map(String::from).collect();
        // Beyond these numbers nothing new comes: constants, moduli and divisors are at most 4.
        let numbers = 0..if heaps == 1 { 200 } else { 40 };
        let all: Vec<Vec<u64>> = match heaps {
            1 => numbers.map(|a| vec![a]).collect(),
            _ => numbers.clone().flat_map(|a| numbers.clone().map(move |b| vec![a, b])).collect(),
        };
        let says = |claim: &str, positions: &[Vec<u64>]| -> Vec<bool> {
            let formula = Formula::parse_over(claim, &letters).unwrap();
            positions.iter().map(|p| formula.holds(p).unwrap()).collect()
        };
        if is_own_image {
            let (small, lost): (Vec<Vec<u64>>, Vec<bool>) =
                sample.small.positions(false).into_iter().unzip();
            assert_eq!(says(sample.claim, &small), lost, "{certificate}");
        }
        // What the proof is of: the claim as it stands.
        let proved = says(sample.claim, &all);
        for turn in 0..60 {
            let one = |lot: &mut Rng| letters[lot.usize(..heaps)].clone();
            let word = |lot: &mut Rng| match lot.usize(..7) {
                0 => format!("{}", lot.usize(..4)),
                1 => format!("{} + {}", one(lot), 1 + lot.usize(..2)),
                2 => format!("{} mod {}", one(lot), 2 + lot.usize(..3)),
                3 => format!("({} xor {})", one(lot), one(lot)),
                4 => format!("{} div {}", one(lot), 2 + lot.usize(..2)),
                5 => format!("max({}, {})", one(lot), one(lot)),
                _ => one(lot),
            };
            let relation = ["=", "<=", "<", "!="][lot.usize(..4)];
            let drawn = format!("{} {relation} {}", word(&mut lot), word(&mut lot));
            let own = sample.claim;
            let claim = match turn % 5 {
                0 => drawn,
                1 => format!("({own}) & ({drawn})"),
                2 => format!("({own}) | {drawn}"),
                // The same in other words.
                3 => format!("({own}) & ({drawn}) | ({own}) & ~({drawn})"),
                _ => format!("~(~({own}) | {drawn} & ~({drawn}))"),
            };
            files.push(translate_mutated(&certificate, Some(&claim), Mutation::None).unwrap());
            truths.push(says(&claim, &all) == proved);
        }
    }
    assert!(truths.iter().filter(|holds| **holds).count() >= 100);
    assert!(truths.iter().filter(|holds| !**holds).count() >= 80);
    let Some(answers) = answers(&files) else { return };
    for ((answer, file), holds) in answers.iter().zip(&files).zip(truths) {
        assert_eq!(is_verified(answer), holds, "{}: {answer}", file.lines().nth(2).unwrap());
    }
}

/// Another label, transition, base, claim or game is not verified. A set may be left out where the
/// checker in Rust finds that it is not needed.
#[test]
fn forged_automata_are_not_verified() {
    let mut files = Vec::new();
    let mut certificates = vec![MARK_3.to_owned()];
    certificates.extend(samples().iter().flat_map(Sample::certificates));
    for certificate in &certificates {
        let lines: Vec<&str> = certificate.lines().collect();
        let states = |head: &str| -> usize {
            let line = lines.iter().find(|line| line.starts_with(head)).unwrap();
            line.rsplit(' ').next().unwrap().parse().unwrap()
        };
        let mut count = 0;
        for (number, line) in lines.iter().enumerate().skip(5) {
            if line.starts_with("positions ") {
                count = states("positions ");
            } else if line.starts_with("formula ") {
                count = states("formula ");
            } else if line.starts_with("move ") {
                count = states("move ");
            }
            if !line.starts_with("! ") && !line.starts_with("- ") {
                continue;
            }
            let words: Vec<&str> = line.split(' ').collect();
            for (place, word) in words.iter().enumerate() {
                let other = match *word {
                    "!" => "-".to_owned(),
                    "-" => "!".to_owned(),
                    state => ((state.parse::<usize>().unwrap() + 1) % count.max(2)).to_string(),
                };
                let mut own = words.clone();
                own[place] = &other;
                let own = own.join(" ");
                let mut all = lines.clone();
                all[number] = &own;
                files.push((
                    sealed(&(all.join("\n") + "\n")),
                    false,
                    format!("line {number}: {own}"),
                ));
            }
        }
        let sets = lines.iter().position(|line| line.starts_with("sets ")).unwrap();
        for left in sets + 1..lines.len() - 1 {
            let mut all = lines.clone();
            all.remove(left);
            let head = format!("sets {}", lines.len() - sets - 3);
            all[sets] = &head;
            let text = sealed(&(all.join("\n") + "\n"));
            let is_shown = bouton_check::check(&text).is_ok();
            files.push((text, is_shown, format!("without line {left}")));
        }
    }
    for (old, new) in [
        ("base 3\n", "base 2\n"),
        ("base 3\n", "base 4\n"),
        ("base 3\n", ""),
        ("base 3\n", "base 1\n"),
        ("q0 + 2 = p0", "q0 + 3 = p0"),
        ("p0 div 3", "p0 div 2"),
        ("q0 + 1 = p0 | ", ""),
        ("P iff the automaton accepts", "in misere play P iff the automaton accepts"),
        ("P iff the automaton accepts", "P iff a mod 3 = 0, up to symmetry"),
        ("rules(1;none", "rules(2;none"),
        ("rules(1;none;binary", "rules(1;none;golden"),
    ] {
        files.push((sealed(&MARK_3.replace(old, new)), false, format!("{old} as {new}")));
    }
    let (mut texts, mut truths) = (Vec::new(), Vec::new());
    for (text, is_shown, what) in files {
        // Some are not even read as automata of this game.
        if let Ok(file) = translate_mutated(&text, None, Mutation::None) {
            texts.push(file);
            truths.push((is_shown, what));
        }
    }
    assert!(texts.len() >= 300 && truths.iter().any(|(is_shown, _)| !is_shown), "{}", texts.len());
    let Some(answers) = answers(&texts) else { return };
    for ((answer, file), (is_shown, what)) in answers.iter().zip(&texts).zip(&truths) {
        assert_eq!(is_verified(answer), *is_shown, "{}: {what}", file.lines().nth(1).unwrap());
    }
}

/// The lines of another theorem before the same numbers.
#[test]
fn other_lines_before_automata_are_not_verified() {
    let mut files = Vec::new();
    let mut certificates = vec![MARK_3.to_owned()];
    certificates.extend(samples().iter().flat_map(Sample::certificates));
    for certificate in &certificates {
        let file = translate(certificate).unwrap();
        let end = file.match_indices('\n').nth(2).unwrap().0;
        for (old, new) in [
            ("claim: P", "claim: in misere play P"),
            (" div 3", " div 2"),
            (" + 2", " + 1"),
            ("rules(1;", "rules(2;"),
            ("rules(2;", "rules(3;"),
            ("q0 = p0", "q0 <= p0"),
            ("q0 < p0", "q0 < 7"),
            ("2*k", "3*k"),
            ("a = b", "a <= b"),
            ("a <= b", "a < b"),
            ("mod 2", "mod 4"),
            (", up to symmetry", ""),
            ("the automaton accepts", "a = 0, up to symmetry"),
            ("the automaton accepts", "the automaton accept"),
            ("the automaton accepts", "the automaton accepts, up to symmetry"),
        ] {
            let lines = file[..end].replacen(old, new, 1);
            if lines != file[..end] {
                files.push(lines + &file[end..]);
            }
        }
    }
    assert!(files.len() >= 30, "{}", files.len());
    let Some(answers) = answers(&files) else { return };
    for (answer, file) in answers.iter().zip(&files) {
        let start: String = file.lines().take(3).collect::<Vec<_>>().join("\n");
        assert!(!is_verified(answer), "{start}:\n{answer}");
    }
}
