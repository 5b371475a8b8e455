//! The body of a certificate of kind `p-positions` on one board (docs/certificates.md).

use crate::NotCovered;
use crate::form::Form;
use bouton_rules::{Formula, Node, Relation, Term};

/// What a part stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stands {
    /// A move in this window empties these heaps of a circle that closes up, and leads to an option claimed in this image (of the
    /// heaps that are left).
    Take(Vec<usize>, Vec<usize>, Vec<usize>),
    /// The position is claimed, in this image.
    Stay(Vec<usize>),
    /// Play is over.
    Over,
    /// There is no such position: a heap is empty that cannot be.
    Empty,
}

/// A condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// A form is at most 0.
    Bound(Form),
    /// A form is divisible.
    Divisible(u64, Form),
    /// A form is not 0.
    Differs(Form),
}

impl Condition {
    /// The form.
    pub fn form(&self) -> &Form {
        match self {
            Condition::Bound(form) | Condition::Divisible(_, form) | Condition::Differs(form) => form,
        }
    }
}

/// A variable's value: the greatest or least of forms.
#[derive(Debug, Clone)]
pub struct Value {
    /// Its place among the part's names.
    pub variable: usize,
    /// The greatest, not the least.
    pub greatest: bool,
    /// The forms.
    pub forms: Vec<Form>,
}

/// A part; variables are places in its list of names.
#[derive(Debug)]
pub struct Part {
    /// What it stands for.
    pub stands: Stands,
    /// The variables' names: `p0`, `q1`, …
    pub names: Vec<String>,
    /// In the order of the file: each mentions later ones only.
    pub values: Vec<Value>,
    /// Guessed variables.
    pub guesses: Vec<usize>,
    /// Conditions.
    pub conditions: Vec<Condition>,
    /// The first state.
    pub start: u32,
}

/// All of it, for one number of heaps.
#[derive(Debug, Default)]
pub struct Body {
    /// The parts.
    pub parts: Vec<Part>,
    /// States from 2 on: what follows on 0 and on 1, and whether numbers may end.
    pub states: Vec<([u32; 2], bool)>,
    /// Sets of states.
    pub sets: Vec<Vec<u32>>,
}

fn broken() -> NotCovered {
    NotCovered::new("the certificate cannot be read")
}

fn list<T: std::str::FromStr>(text: &str, between: char) -> Result<Vec<T>, NotCovered> {
    if text == "-" {
        return Ok(Vec::new());
    }
    text.split(between).map(|one| one.parse().map_err(|_| broken())).collect()
}

impl Body {
    /// Reads the bodies, in the order of the file.
    pub fn read_all(text: &str) -> Result<Vec<Body>, NotCovered> {
        let mut lines = text.lines().peekable();
        let mut all = Vec::new();
        while lines.next().is_some_and(|line| line.starts_with("heaps ")) {
            all.push(Body::read(&mut lines)?);
        }
        Ok(all)
    }

    fn read(lines: &mut std::iter::Peekable<std::str::Lines<'_>>) -> Result<Body, NotCovered> {
        let mut parts = Vec::new();
        while let Some(line) = lines.next_if(|line| line.starts_with("part ")) {
            let mut of_part = vec![line];
            loop {
                let line = lines.next().ok_or_else(broken)?;
                of_part.push(line);
                if line.starts_with("start ") {
                    break;
                }
            }
            parts.push(part(&of_part)?);
        }
        let count = |line: Option<&str>, start: &str| -> Result<usize, NotCovered> {
            line.and_then(|line| line.strip_prefix(start)?.parse().ok()).ok_or_else(broken)
        };
        if lines.peek().is_none_or(|line| line.starts_with("heaps ")) {
            // A circle without heaps: there are no numbers to be read.
            return Ok(Body { parts, ..Body::default() });
        }
        let mut states = Vec::new();
        for _ in 0..count(lines.next(), "states ")? {
            let line = lines.next().ok_or_else(broken)?;
            let (rest, ends) = line.strip_suffix(" !").map_or((line, false), |rest| (rest, true));
            states.push((list::<u32>(rest, ' ')?.try_into().map_err(|_| broken())?, ends));
        }
        let mut sets = Vec::new();
        for _ in 0..count(lines.next(), "sets ")? {
            sets.push(list(lines.next().ok_or_else(broken)?, ' ')?);
        }
        Ok(Body { parts, states, sets })
    }
}

fn part(lines: &[&str]) -> Result<Part, NotCovered> {
    let words: Vec<&str> = lines[0].split(' ').collect();
    let stands = match words[..] {
        ["part", "take", window, "image", image] => {
            Stands::Take(list(window, ',')?, vec![], list(image, ',')?)
        }
        ["part", "take", window, "gone", gone, "image", image] => {
            Stands::Take(list(window, ',')?, list(gone, ',')?, list(image, ',')?)
        }
        ["part", "empty", _] => Stands::Empty,
        ["part", "stay", "image", image] => Stands::Stay(list(image, ',')?),
        ["part", "over"] => Stands::Over,
        ["part", "neighbours", _] => return Err(NotCovered::new("Zeckendorf digits are not exported")),
        _ => return Err(broken()),
    };
    let mut names: Vec<String> = Vec::new();
    for line in &lines[1..] {
        for word in line.split(|c: char| !c.is_ascii_alphanumeric()) {
            let rest = word.strip_prefix(['p', 'q', 'x', 'y', 'u', 'v']);
            if rest.is_some_and(|rest| rest.parse::<u16>().is_ok()) && !names.iter().any(|name| name == word)
            {
                names.push(word.to_owned());
            }
        }
    }
    let mut part =
        Part { stands, names, values: Vec::new(), guesses: Vec::new(), conditions: Vec::new(), start: 0 };
    for line in &lines[1..] {
        let (word, rest) = line.split_once(' ').ok_or_else(broken)?;
        match word {
            "let" => {
                let value = value(rest, &part.names)?;
                part.values.push(value);
            }
            "guess" => {
                part.guesses.push(part.names.iter().position(|name| name == rest).ok_or_else(broken)?);
            }
            "if" => part.conditions.extend(condition(rest, &part.names)?),
            "start" => part.start = rest.parse().map_err(|_| broken())?,
            _ => return Err(broken()),
        }
    }
    Ok(part)
}

fn comparison(text: &str, names: &[String]) -> Result<(Term, Relation, Term), NotCovered> {
    match Formula::parse_over(text, names).map_err(|_| broken())?.root {
        Node::Compare(left, relation, right) => Ok((left, relation, right)),
        _ => Err(broken()),
    }
}

fn value(text: &str, names: &[String]) -> Result<Value, NotCovered> {
    let (Term::Variable(variable), Relation::Equal, right) = comparison(text, names)? else {
        return Err(broken());
    };
    let (parts, greatest) = match &right {
        Term::Max(parts) => (&parts[..], true),
        Term::Min(parts) => (&parts[..], false),
        one => (std::slice::from_ref(one), true),
    };
    Ok(Value { variable, greatest, forms: parts.iter().map(linear).collect::<Result<_, _>>()? })
}

fn condition(text: &str, names: &[String]) -> Result<Vec<Condition>, NotCovered> {
    let (left, relation, right) = comparison(text, names)?;
    if let (Term::Remainder(inner, m), Term::Number(0)) = (&left, &right) {
        let form = linear(inner)?;
        return match relation {
            Relation::Equal => Ok(vec![Condition::Divisible(*m, form)]),
            _ => Err(NotCovered::new("conditions that a remainder is not 0 are not exported")),
        };
    }
    let form = linear(&left)?.minus(&linear(&right)?);
    Ok(match relation {
        Relation::AtMost => vec![Condition::Bound(form)],
        Relation::Equal => vec![Condition::Bound(form.times(-1)), Condition::Bound(form)],
        Relation::Unequal => vec![Condition::Differs(form)],
        _ => return Err(broken()),
    })
}

fn linear(term: &Term) -> Result<Form, NotCovered> {
    Ok(match term {
        Term::Number(k) => Form::constant(i64::try_from(*k).map_err(|_| broken())?),
        Term::Variable(v) => Form::variable(*v as u32),
        Term::Sum(parts) => parts
            .iter()
            .try_fold(Form::default(), |sum, part| Ok::<_, NotCovered>(sum.plus(&linear(part)?)))?,
        Term::Multiple(k, inner) => linear(inner)?.times(*k),
        Term::DigitSum(2, parts) => {
            let variable = |part: &Term| match part {
                Term::Variable(v) => Ok(*v as u32),
                _ => Err(broken()),
            };
            Form::sum(&parts.iter().map(variable).collect::<Result<Vec<u32>, _>>()?)
        }
        Term::DigitSum(..) => {
            return Err(NotCovered::new("sums of binary digits modulo more than 2 are not exported"));
        }
        Term::Shift(_) => return Err(NotCovered::new("Zeckendorf digits are not exported")),
        _ => return Err(broken()),
    })
}
