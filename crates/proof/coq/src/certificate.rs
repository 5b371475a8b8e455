//! The body of a certificate of kind `p-positions` on one board (docs/certificates.md).

use crate::NotCovered;
use crate::form::{Form, Variable};
use bouton_core::{Formula, Node, Relation, Term};

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
    /// The greatest, not the least.
    pub greatest: bool,
    /// The forms.
    pub forms: Vec<Form>,
}

/// A part; variables are numbered as in Coq: heaps, guesses, quotients of conditions on remainders, values.
#[derive(Debug)]
pub struct Part {
    /// What it stands for.
    pub stands: Stands,
    /// How many variables are guessed.
    pub guesses: usize,
    /// Conditions.
    pub conditions: Vec<Condition>,
    /// Of one variable after the other.
    pub values: Vec<Value>,
    /// The variables of the option's heaps that a move may lower.
    pub lower: Vec<Variable>,
    /// The values of variables that the rule and the claim bind.
    pub bound: [Vec<Option<Variable>>; 2],
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
        let known = ["heaps", "part", "guess", "if", "let", "to", "with", "by", "start", "states", "sets"];
        // What is shown of condition I, the labels of states, and the refutations are found again as Coq needs them.
        let found_again = ["image", "within", "move", "end", "labels", "first"];
        let mut rest = text.lines();
        let refutations = rest.next().and_then(|line| line.strip_prefix("refutations ")?.parse().ok());
        let mut needed = Vec::new();
        for line in rest.skip(refutations.ok_or_else(broken)?) {
            let word = line.split(' ').next().unwrap_or("");
            if known.contains(&word) || !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit()) {
                needed.push(line);
            } else if !found_again.contains(&word) && !word.starts_with('@') {
                return Err(NotCovered::new(format!(
                    "the certificate has a line `{word}`, which is not known"
                )));
            }
        }
        let mut lines = needed.into_iter().peekable();
        let mut all = Vec::new();
        while let Some(line) = lines.next() {
            let heaps = line.strip_prefix("heaps ").ok_or_else(broken)?;
            all.push(Body::read(heaps.parse().map_err(|_| broken())?, &mut lines)?);
        }
        Ok(all)
    }

    fn read<'t>(
        heaps: Variable,
        lines: &mut std::iter::Peekable<impl Iterator<Item = &'t str>>,
    ) -> Result<Body, NotCovered> {
        let mut parts = Vec::new();
        while let Some(line) = lines.next_if(|line| line.starts_with("part ")) {
            let mut of_part = vec![line];
            while let Some(line) = lines
                .next_if(|line| !["part ", "states ", "heaps "].iter().any(|word| line.starts_with(word)))
            {
                of_part.push(line);
            }
            parts.push(part(heaps, &of_part)?);
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

fn part(heaps: Variable, lines: &[&str]) -> Result<Part, NotCovered> {
    let words: Vec<&str> = lines[0].split(' ').collect();
    let stands = match words[..] {
        ["part", "take", window, "image", image] => {
            Stands::Take(list(window, ',')?, vec![], list(image, ',')?)
        }
        ["part", "take", window, "gone", gone, "image", image] => {
            Stands::Take(list(window, ',')?, list(gone, ',')?, list(image, ',')?)
        }
        ["part", "empty"] => Stands::Empty,
        ["part", "stay", "image", image] => Stands::Stay(list(image, ',')?),
        ["part", "over"] => Stands::Over,
        ["part", "neighbours", _] => {
            return Err(NotCovered::new("the digits of continued fractions are not exported"));
        }
        _ => return Err(broken()),
    };
    let mut names: Vec<String> = (0..heaps).map(|h| format!("p{h}")).collect();
    let mut part = Part {
        stands,
        guesses: 0,
        conditions: Vec::new(),
        values: Vec::new(),
        lower: Vec::new(),
        bound: Default::default(),
        start: 0,
    };
    let (mut with, mut formulas) = (Vec::new(), Vec::new());
    for line in &lines[1..] {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "guess" => part.guesses = rest.parse().map_err(|_| broken())?,
            "if" => {
                (names.len()..heaps as usize + part.guesses).for_each(|v| names.push(format!("v{v}")));
                part.conditions.extend(condition(rest, &names)?);
            }
            "let" => {
                let text = rest.split_once(" by").ok_or_else(broken)?.0;
                let (own, _) = text.split_once(" = ").ok_or_else(broken)?;
                let v: usize = own.strip_prefix('v').and_then(|v| v.parse().ok()).ok_or_else(broken)?;
                (names.len()..=v).for_each(|v| names.push(format!("v{v}")));
                part.values.push(value(text, &names)?);
            }
            "to" => part.lower = list(rest, ',')?,
            "with" => {
                let one = |text: &str| {
                    if text == "-" { Ok(None) } else { text.parse().map(Some).map_err(|_| broken()) }
                };
                with = rest.split(',').map(one).collect::<Result<_, _>>()?;
            }
            "by" => formulas.push(std::mem::take(&mut with)),
            "start" => part.start = rest.parse().map_err(|_| broken())?,
            _ => return Err(broken()),
        }
    }
    // The claim comes last, before it the rule if there is one.
    let mut last = formulas.into_iter().rev();
    part.bound[1] = last.next().unwrap_or_default();
    part.bound[0] = last.next().unwrap_or_default();
    Ok(part)
}

fn comparison(text: &str, names: &[String]) -> Result<(Term, Relation, Term), NotCovered> {
    match Formula::parse_over(text, names).map_err(|_| broken())?.root {
        Node::Compare(left, relation, right) => Ok((left, relation, right)),
        _ => Err(broken()),
    }
}

fn value(text: &str, names: &[String]) -> Result<Value, NotCovered> {
    let (Term::Variable(_), Relation::Equal, right) = comparison(text, names)? else {
        return Err(broken());
    };
    let (parts, greatest) = match &right {
        Term::Max(parts) => (&parts[..], true),
        Term::Min(parts) => (&parts[..], false),
        one => (std::slice::from_ref(one), true),
    };
    Ok(Value { greatest, forms: parts.iter().map(linear).collect::<Result<_, _>>()? })
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
        Term::Shift(_) | Term::Floor(..) => {
            return Err(NotCovered::new("the digits of continued fractions are not exported"));
        }
        _ => return Err(broken()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A body with no line that Coq would not see: one more of an unknown kind, or out of its place, is not skipped.
    #[test]
    fn no_line_is_skipped() {
        let body = "refutations 1\n2*0; n5\nheaps 1\nimage 0\nmove 0\npart stay image 0\nstart 1\nlabels 0\n@1 0 1\nstates 1\n0 1 !\nsets 1\n2\n";
        assert!(Body::read_all(body).is_ok_and(|all| all.len() == 1));
        for (after, line) in [
            ("image 0\n", "axiom 1\n"),
            ("start 1\n", "unless p0 = 1\n"),
            ("sets 1\n2\n", "3 4\n"),
            ("heaps 1\n", "\n"),
        ] {
            let more = body.replacen(after, &format!("{after}{line}"), 1);
            assert!(Body::read_all(&more).is_err(), "{line}");
        }
    }
}
