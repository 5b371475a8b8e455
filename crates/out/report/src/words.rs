//! The terms of the field, each in a sentence or two and an example: one text for the page and for
//! `bouton help`.

use bouton_core::{Formula, Slope, Term};
use bouton_prover::Pairs;

/// A term with its explanation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    /// The term as it is written in a text.
    pub name: &'static str,
    /// Other spellings.
    pub also: &'static [&'static str],
    /// The meaning.
    pub meaning: &'static str,
    /// An example.
    pub example: &'static str,
}

/// All terms, in the order in which they build on each other.
pub const WORDS: &[Word] = &[
    Word {
        name: "option",
        also: &["options"],
        meaning: "A position that one move leads to.",
        example: "Nim with heaps 1 and 2 has three options: 0,2 and 1,1 and 1,0.",
    },
    Word {
        name: "P-position",
        also: &["P", "p-positions", "lost"],
        meaning: "A position from which the previous player wins: whoever has to move loses \
            against good play. Each of its options is an N-position.",
        example: "Two equal heaps of Nim.",
    },
    Word {
        name: "N-position",
        also: &["N", "n-positions", "won"],
        meaning: "A position from which the next player wins: some option of it is a P-position.",
        example: "Two heaps of Nim that differ: make them equal.",
    },
    Word {
        name: "outcome",
        also: &["outcomes"],
        meaning: "Who wins with good play on both sides: P or N.",
        example: "The outcome of Nim at 1,2,3 is P.",
    },
    Word {
        name: "normal play",
        also: &["normal"],
        meaning: "Whoever cannot move loses: the last move wins.",
        example: "Every game here is played so, unless misère play is asked for.",
    },
    Word {
        name: "misère play",
        also: &["misere", "misère"],
        meaning: "Whoever cannot move wins: the last move loses.",
        example: "In misère Nim one heap of 1 is lost, and one of 2 is won.",
    },
    Word {
        name: "impartial",
        also: &[],
        meaning: "Both players have the same moves in every position.",
        example: "Nim is impartial; Nim with Cash is not, for the purses differ.",
    },
    Word {
        name: "sum",
        also: &["sums", "disjunctive sum"],
        meaning: "Several games side by side; a move is a move in one of them.",
        example: "kayles + nim at 5 + 3.",
    },
    Word {
        name: "mex",
        also: &["minimal excludant"],
        meaning: "The least number from 0 on that is missing.",
        example: "The mex of 0, 1, 3 is 2.",
    },
    Word {
        name: "nim-value",
        also: &["nimber", "grundy value", "nim-values"],
        meaning: "The mex of the nim-values of a position's options, written *v. A position is P \
            exactly if it is *0, and a sum has the nim-sum of the parts' values (Sprague 1935, \
            Grundy 1939).",
        example: "A heap of n in Nim is *n.",
    },
    Word {
        name: "nim-sum",
        also: &["xor"],
        meaning: "Addition of binary digits without carrying, written ⊕.",
        example: "3 ⊕ 5 = 6, as 011 and 101 give 110.",
    },
    Word {
        name: "nim-sequence",
        also: &["sequence"],
        meaning: "The nim-values of single heaps of 0, 1, 2, … tokens.",
        example: "Kayles begins 0, 1, 2, 3, 1, 4, 3, 2, 1, 4.",
    },
    Word {
        name: "period",
        also: &["periodic"],
        meaning: "A number p such that from some point on the values at n and at n + p agree; \
            with a saltus, differ by it.",
        example: "Kayles has period 12.",
    },
    Word {
        name: "preperiod",
        also: &["last exception"],
        meaning: "The least size from which on a period holds.",
        example: "Kayles: the last exception to its period is 70, so its preperiod is 71.",
    },
    Word {
        name: "saltus",
        also: &["arithmetic period"],
        meaning: "What a value grows by in each period; 0 where the sequence is periodic.",
        example: "Nim itself: period 1, saltus 1.",
    },
    Word {
        name: "octal code",
        also: &["octal", "code"],
        meaning: "A game on rows as digits: the k-th says whether k tokens may go with nothing \
            left (1), one row left (2), two rows left (4), added up (Guy, Smith 1956).",
        example: "Kayles is 0.77.",
    },
    Word {
        name: "genus",
        also: &[],
        meaning: "The nim-value of a position in normal play, with its values in misère play as \
            it is added to more and more heaps of 2, as 3^1431.",
        example: "A nim-heap of 2 has genus 2^20.",
    },
    Word {
        name: "misère quotient",
        also: &["quotient"],
        meaning: "The positions of a game under addition, with those taken as one that nothing \
            tells apart in misère play.",
        example: "Misère Kayles has one of 40 elements.",
    },
    Word {
        name: "margin",
        also: &["score"],
        meaning: "In a game of points: what the player to move gets at best, less what the other \
            gets.",
        example: "Dots and Boxes on 2 × 2 boxes: +2.",
    },
    Word {
        name: "symmetry",
        also: &["symmetries"],
        meaning: "A change of places that changes nothing about the game.",
        example: "A circle of heaps may be turned and seen in a mirror.",
    },
    Word {
        name: "certificate",
        also: &["certificates"],
        meaning: "A proof written down so that an independent program can check each of its steps.",
        example: "bouton prove 'CN(4,2)' --claim 'a = c & b = d' --certificate FILE, then bouton \
            check FILE.",
    },
    Word {
        name: "proved",
        also: &["theorem"],
        meaning: "For positions of every size; the independent checker has accepted the \
            certificate.",
        example: "Nim: P exactly if the nim-sum of the heaps is 0.",
    },
    Word {
        name: "conjectured",
        also: &["holds", "conjecture"],
        meaning: "It agrees with every position of a table, whose size is told, and nothing more \
            is known.",
        example: "A form that holds to heaps of 63.",
    },
    Word {
        name: "unknown",
        also: &["budget spent"],
        meaning: "The time, the memory or the steps that were given ended before an answer was \
            found. It is never a guess.",
        example: "More --seconds may bring an answer.",
    },
    Word {
        name: "floor",
        also: &["floor[1;(2)](n)", "continued fraction", "Ostrowski digits", "shift"],
        meaning: "In formulas, floor[1;(2)](n) is the greatest number at most n times [1; 2, 2, \
            …] = √2: the continued fraction stands in brackets, what comes again and again in \
            parentheses. shift(n) is floor[1;(1)](n+1) - 1, the golden ratio times n + 1, rounded \
            down, less 1.",
        example: "floor[1;(2)](5) = 7, since 5√2 = 7.07…; shift(4) = 7.",
    },
    Word {
        name: "Zeckendorf digits",
        also: &["zeckendorf", "fibonacci"],
        meaning: "A number as a sum of Fibonacci numbers no two of which are neighbours; there is \
            exactly one.",
        example: "11 = 8 + 3.",
    },
];

/// Returns the term that a user asks for, in any of its spellings, without regard to case, hyphens
/// and accents.
pub fn word(asked: &str) -> Option<&'static Word> {
    let plain = |text: &str| -> String {
        let text = text.to_ascii_lowercase().replace(['è', 'È'], "e");
        text.chars().filter(|c| c.is_alphanumeric()).collect()
    };
    let asked = plain(asked);
    WORDS
        .iter()
        .find(|word| plain(word.name) == asked || word.also.iter().any(|also| plain(also) == asked))
}

/// Explains the irrational multiples in a form, each in a line.
pub fn explained(form: &Formula) -> Vec<String> {
    let mut slopes = Vec::new();
    let mut has_shift = false;
    form.root.visit_terms(&mut |term| match term {
        Term::Shift(_) => has_shift = true,
        Term::Floor(slope, _) if !slopes.contains(slope) => slopes.push(*slope),
        _ => {}
    });
    let mut lines = Vec::new();
    if has_shift {
        let golden = value(Slope::GOLDEN);
        lines.push(format!("shift(n) = ⌊(n+1)·φ⌋ - 1, φ = {golden:.5}… the golden ratio"));
    }
    lines.extend(slopes.into_iter().map(|slope| {
        let (value, again) = (value(slope), slope.period);
        format!(
            "floor{slope}(n) = ⌊n·{value:.5}…⌋, a continued fraction with ({again}) again and again"
        )
    }));
    lines
}

/// Explains pairs by mex, each thing in a line.
pub fn explained_pairs(pairs: &Pairs) -> Vec<String> {
    let mut lines = vec![match pairs.width() {
        1 => "the pairs come one after the other, n = 0, 1, …: mex is the least number that is in \
              none before"
            .to_owned(),
        width => format!(
            "the pairs come one after the other, n = 0, 1, …: mex_{width} is the least number that \
             is in none before, nor above a number of one before by less than {width}"
        ),
    }];
    if let Some(first) = pairs.first() {
        lines.push(format!("p, q are the pair before, and b of the first pair is {first}"));
    }
    lines
}

/// Returns a number by its continued fraction, truncated after five terms.
fn value(slope: Slope) -> f64 {
    let quotients: Vec<f64> = slope.period.quotients().map(|quotient| quotient as f64).collect();
    let rest = quotients
        .iter()
        .rev()
        .cycle()
        .take(quotients.len() * 40)
        .fold(0.0, |rest, q| 1.0 / (q + rest));
    ((f64::from(slope.whole) + rest) * 1e5).floor() / 1e5
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;

    #[test]
    fn irrational_multiples_are_explained() {
        let names = ["a".to_owned(), "b".to_owned()];
        let explained = |text: &str| explained(&Formula::parse_over(text, &names).unwrap());
        assert!(explained("a = b | a mod 2 = 0").is_empty());
        let golden = explained("E n: a = shift(n)+1 & b = shift(n)+n");
        assert_eq!(golden, ["shift(n) = ⌊(n+1)·φ⌋ - 1, φ = 1.61803… the golden ratio"]);
        let root = explained("E n: a = floor[1;(2)](n) & b = floor[1;(2)](n) + 2*n");
        assert_eq!(
            root,
            ["floor[1;(2)](n) = ⌊n·1.41421…⌋, a continued fraction with (2) again and again"]
        );
        let other = explained("E n: a = floor[1;(1,2)](n)");
        assert_eq!(
            other,
            ["floor[1;(1,2)](n) = ⌊n·1.73205…⌋, a continued fraction with (1,2) again and again"]
        );
    }

    /// No spelling belongs to two terms.
    #[test]
    fn each_form_leads_to_its_word() {
        for one in WORDS {
            assert!(one.meaning.ends_with('.') && !one.example.is_empty(), "{}", one.name);
            for form in std::iter::once(&one.name).chain(one.also) {
                assert_eq!(
                    word(&form.to_uppercase()).map(|found| found.name),
                    Some(one.name),
                    "{form}"
                );
            }
        }
        assert_eq!(word("Misere play").unwrap().name, "misère play");
        assert!(word("").is_none() && word("bridge").is_none());
    }
}
