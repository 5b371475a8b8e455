//! Games with parameters, as coq/Families.v states them: the witnesses and refutations of a
//! certificate of kind `parameters`. The statement is read from its lines by coq/Reading.v.

use crate::ExportError;
use crate::data::DataText;
use crate::numbers::OF_THE_LINES;
use bouton_check::Envelope;

/// Greater numbers are not written: the program reads at most 56 bits, one of them the sign.
const MAX_NUMBER: i64 = (1 << 55) - 1;

/// Returns the proof of a certificate of kind `parameters`.
pub fn proof(envelope: &Envelope<'_>) -> Result<Vec<u64>, ExportError> {
    let mut all = DataText::default();
    all.number(OF_THE_LINES);
    let names = names(envelope.game).ok_or_else(ExportError::unreadable)?;
    let mut witnesses = Vec::new();
    let mut steps = DataText::default();
    for line in envelope.body.lines() {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            // What is shown of the example, and which system comes next, the checker knows itself.
            "example" | "divisor" | "amount" | "to-p" | "to-n" => {}
            "witness" => {
                let (index, taken) = rest.split_once(' ').unwrap_or((rest, ""));
                witnesses.push((place(index).ok_or_else(ExportError::unreadable)?, taken));
            }
            _ => step(word, rest, &names, &mut steps).ok_or_else(|| {
                ExportError::new(format!(
                    "a step has a number of more than 55 bits, or is unreadable: {line}"
                ))
            })?,
        }
    }
    all.list_of(&witnesses, |all, (index, taken)| {
        all.place(*index);
        all.list_of(taken.as_bytes(), |all, byte| all.number((*byte).into()));
    });
    Ok([all.numbers(), steps.numbers()].concat())
}

/// The numbers of variables.
struct Names {
    /// Those of one letter: the parameters, the numbers of the position, and what is taken.
    letters: Vec<String>,
}

impl Names {
    /// Returns the number of a variable; quotients follow the letters.
    fn number(&self, name: &str) -> Option<usize> {
        let own = self.letters.iter().position(|letter| letter == name);
        own.or_else(|| Some(self.letters.len() + place(name.strip_prefix('q')?)?))
    }
}

/// Returns the names of a game's variables.
fn names(game: &str) -> Option<Names> {
    let (list, position) =
        match game.strip_prefix("NIM(").and_then(|rest| rest.strip_suffix(";n;d,e)")) {
            Some(list) => (list, "nde"),
            None => (game.strip_prefix("S(")?.strip_suffix(')')?, "a"),
        };
    let mut letters: Vec<String> = Vec::new();
    for word in list.split(|c: char| !c.is_ascii_alphanumeric()) {
        let is_name =
            word.bytes().any(|byte| byte.is_ascii_alphabetic()) && !["mod", "div"].contains(&word);
        if is_name && !letters.iter().any(|own| own == word) {
            letters.push(word.to_owned());
        }
    }
    letters.extend(position.chars().chain(['t']).map(String::from));
    Some(Names { letters })
}

/// Returns the place of what has this number, counted from 1 on.
fn place(number: &str) -> Option<usize> {
    number.parse::<usize>().ok()?.checked_sub(1)
}

/// Writes a step; `None` if it cannot be read.
fn step(word: &str, rest: &str, names: &Names, all: &mut DataText) -> Option<()> {
    let fits = |value: i64| (value.abs() <= MAX_NUMBER).then_some(value);
    match word {
        "split" => {
            let terms = rest.split(' ').map(|term| {
                let mut factors = term.split('*');
                let coefficient = fits(factors.next()?.parse().ok()?)?;
                Some((
                    coefficient,
                    factors.map(|name| names.number(name)).collect::<Option<Vec<usize>>>()?,
                ))
            });
            let terms: Vec<(i64, Vec<usize>)> = terms.collect::<Option<_>>()?;
            all.number(0);
            all.list_of(&terms, |all, (coefficient, factors)| {
                all.integer(*coefficient);
                all.places(factors);
            });
        }
        "or" => {
            all.number(1);
            all.place(place(rest)?);
        }
        "times" => {
            let (one, other) = rest.split_once(' ')?;
            all.number(2);
            all.place(place(one)?);
            all.place(place(other)?);
        }
        "end" => {
            let parts = rest.split(' ').map(|part| {
                let (fact, times) = part.split_once('*')?;
                Some((place(fact)?, fits(times.parse().ok()?)?.try_into().ok()?))
            });
            let parts: Vec<(usize, u64)> = parts.collect::<Option<_>>()?;
            all.number(3);
            all.list_of(&parts, |all, (fact, times)| {
                all.place(*fact);
                all.number(*times);
            });
        }
        _ => return None,
    }
    Some(())
}
