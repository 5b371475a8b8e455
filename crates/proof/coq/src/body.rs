//! The body of a certificate of kind `p-positions` for one number of heaps (docs/certificates.md).

use crate::ExportError;
use crate::form::{Form, Variable};
use bouton_core::{Formula, Node, Relation, Term};

/// The conclusion of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CaseConclusion {
    /// A move in this window empties these heaps, which are removed from the circle, and leads to
    /// an option claimed in this image (of the heaps that remain).
    Move(Vec<usize>, Vec<usize>, Vec<usize>),
    /// The position is claimed, in this image.
    Claimed(Vec<usize>),
    /// The game is over.
    Over,
    /// There is no such position: a heap is empty that cannot be.
    Impossible,
}

/// A condition of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// The form is at most 0.
    Bound(Form),
    /// The form is divisible.
    Divisible(u64, Form),
    /// The form is not 0.
    Differs(Form),
}

impl Condition {
    /// Returns the form.
    pub fn form(&self) -> &Form {
        match self {
            Condition::Bound(form) | Condition::Divisible(_, form) | Condition::Differs(form) => {
                form
            }
        }
    }
}

/// The value of a variable: the maximum or minimum of forms.
#[derive(Debug, Clone)]
pub struct ExtremeValue {
    /// Whether the value is the maximum, not the minimum.
    pub is_maximum: bool,
    /// The forms.
    pub forms: Vec<Form>,
}

/// A case of the proof. Variables are numbered as in Coq: heaps, guesses, quotients of conditions
/// on remainders, values.
#[derive(Debug)]
pub struct ProofCase {
    /// The conclusion.
    pub conclusion: CaseConclusion,
    /// The number of guessed variables.
    pub guesses: usize,
    /// The conditions.
    pub conditions: Vec<Condition>,
    /// The values of further variables, in order.
    pub values: Vec<ExtremeValue>,
    /// The variables of the option's heaps that the move may lower.
    pub lower: Vec<Variable>,
    /// The values of variables that the rule and the claim bind.
    pub bound: [Vec<Option<Variable>>; 2],
    /// The first state of the automaton of the case.
    pub start: u32,
}

impl ProofCase {
    /// Returns the value of the bound variable `i` of the rule (`which` = 0) or the claim (1),
    /// whose bound variables follow `free` others.
    pub fn bound_value(&self, which: usize, free: usize, i: usize) -> Option<Variable> {
        self.bound[which].get(i.checked_sub(free)?).copied().flatten()
    }
}

/// The body for one number of heaps.
#[derive(Debug, Default)]
pub struct CertificateBody {
    /// The cases.
    pub cases: Vec<ProofCase>,
    /// The states from 2 on: their successors on 0 and on 1, and whether numbers may end there.
    pub states: Vec<([u32; 2], bool)>,
    /// The sets of states.
    pub sets: Vec<Vec<u32>>,
}

fn parse_list<T: std::str::FromStr>(text: &str, separator: char) -> Result<Vec<T>, ExportError> {
    if text == "-" {
        return Ok(Vec::new());
    }
    text.split(separator).map(|one| one.parse().map_err(|_| ExportError::unreadable())).collect()
}

impl CertificateBody {
    /// Reads the bodies, in the order of the file.
    pub fn read_all(text: &str) -> Result<Vec<CertificateBody>, ExportError> {
        let known =
            ["heaps", "part", "guess", "if", "let", "to", "with", "by", "start", "states", "sets"];
        // The proof of condition I, the labels of states and the refutations are searched again in
        // the form that Coq needs.
        let searched_again = ["image", "within", "move", "end", "labels", "first"];
        let mut rest = text.lines();
        let refutations =
            rest.next().and_then(|line| line.strip_prefix("refutations ")?.parse().ok());
        let mut lines_needed = Vec::new();
        for line in rest.skip(refutations.ok_or_else(ExportError::unreadable)?) {
            let word = line.split(' ').next().unwrap_or("");
            if known.contains(&word) || !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit())
            {
                lines_needed.push(line);
            } else if !searched_again.contains(&word) && !word.starts_with('@') {
                return Err(ExportError::new(format!(
                    "the certificate has a line `{word}`, which is not known"
                )));
            }
        }
        let mut lines = lines_needed.into_iter().peekable();
        let mut all = Vec::new();
        while let Some(line) = lines.next() {
            let heaps = line.strip_prefix("heaps ").ok_or_else(ExportError::unreadable)?;
            all.push(CertificateBody::read(
                heaps.parse().map_err(|_| ExportError::unreadable())?,
                &mut lines,
            )?);
        }
        Ok(all)
    }

    fn read<'t>(
        heaps: Variable,
        lines: &mut std::iter::Peekable<impl Iterator<Item = &'t str>>,
    ) -> Result<CertificateBody, ExportError> {
        let mut cases = Vec::new();
        while let Some(line) = lines.next_if(|line| line.starts_with("part ")) {
            let mut case_lines = vec![line];
            while let Some(line) = lines.next_if(|line| {
                !["part ", "states ", "heaps "].iter().any(|word| line.starts_with(word))
            }) {
                case_lines.push(line);
            }
            cases.push(parse_case(heaps, &case_lines)?);
        }
        let count = |line: Option<&str>, start: &str| -> Result<usize, ExportError> {
            line.and_then(|line| line.strip_prefix(start)?.parse().ok())
                .ok_or_else(ExportError::unreadable)
        };
        if lines.peek().is_none_or(|line| line.starts_with("heaps ")) {
            // A circle without heaps has no numbers to read.
            return Ok(CertificateBody { cases, ..CertificateBody::default() });
        }
        let mut states = Vec::new();
        for _ in 0..count(lines.next(), "states ")? {
            let line = lines.next().ok_or_else(ExportError::unreadable)?;
            let (rest, ends) = line.strip_suffix(" !").map_or((line, false), |rest| (rest, true));
            states.push((
                parse_list::<u32>(rest, ' ')?.try_into().map_err(|_| ExportError::unreadable())?,
                ends,
            ));
        }
        let mut sets = Vec::new();
        for _ in 0..count(lines.next(), "sets ")? {
            sets.push(parse_list(lines.next().ok_or_else(ExportError::unreadable)?, ' ')?);
        }
        Ok(CertificateBody { cases, states, sets })
    }
}

fn parse_case(heaps: Variable, lines: &[&str]) -> Result<ProofCase, ExportError> {
    let words: Vec<&str> = lines[0].split(' ').collect();
    let conclusion = match words[..] {
        ["part", "take", window, "image", image] => {
            CaseConclusion::Move(parse_list(window, ',')?, vec![], parse_list(image, ',')?)
        }
        ["part", "take", window, "gone", gone, "image", image] => CaseConclusion::Move(
            parse_list(window, ',')?,
            parse_list(gone, ',')?,
            parse_list(image, ',')?,
        ),
        ["part", "empty"] => CaseConclusion::Impossible,
        ["part", "stay", "image", image] => CaseConclusion::Claimed(parse_list(image, ',')?),
        ["part", "over"] => CaseConclusion::Over,
        ["part", "neighbours", _] => {
            return Err(ExportError::new("the digits of continued fractions are not exported"));
        }
        _ => return Err(ExportError::unreadable()),
    };
    let mut names: Vec<String> = (0..heaps).map(|h| format!("p{h}")).collect();
    let mut case = ProofCase {
        conclusion,
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
            "guess" => case.guesses = rest.parse().map_err(|_| ExportError::unreadable())?,
            "if" => {
                (names.len()..heaps as usize + case.guesses)
                    .for_each(|v| names.push(format!("v{v}")));
                case.conditions.extend(parse_conditions(rest, &names)?);
            }
            "let" => {
                let text = rest.split_once(" by").ok_or_else(ExportError::unreadable)?.0;
                let (own, _) = text.split_once(" = ").ok_or_else(ExportError::unreadable)?;
                let v: usize = own
                    .strip_prefix('v')
                    .and_then(|v| v.parse().ok())
                    .ok_or_else(ExportError::unreadable)?;
                (names.len()..=v).for_each(|v| names.push(format!("v{v}")));
                case.values.push(parse_value(text, &names)?);
            }
            "to" => case.lower = parse_list(rest, ',')?,
            "with" => {
                let one = |text: &str| {
                    if text == "-" {
                        Ok(None)
                    } else {
                        text.parse().map(Some).map_err(|_| ExportError::unreadable())
                    }
                };
                with = rest.split(',').map(one).collect::<Result<_, _>>()?;
            }
            "by" => formulas.push(std::mem::take(&mut with)),
            "start" => case.start = rest.parse().map_err(|_| ExportError::unreadable())?,
            _ => return Err(ExportError::unreadable()),
        }
    }
    // The claim comes last, after the rule if there is one.
    let mut last = formulas.into_iter().rev();
    case.bound[1] = last.next().unwrap_or_default();
    case.bound[0] = last.next().unwrap_or_default();
    Ok(case)
}

fn parse_comparison(text: &str, names: &[String]) -> Result<(Term, Relation, Term), ExportError> {
    match Formula::parse_over(text, names).map_err(|_| ExportError::unreadable())?.root {
        Node::Compare(left, relation, right) => Ok((left, relation, right)),
        _ => Err(ExportError::unreadable()),
    }
}

fn parse_value(text: &str, names: &[String]) -> Result<ExtremeValue, ExportError> {
    let (Term::Variable(_), Relation::Equal, right) = parse_comparison(text, names)? else {
        return Err(ExportError::unreadable());
    };
    let (parts, is_maximum) = match &right {
        Term::Max(parts) => (&parts[..], true),
        Term::Min(parts) => (&parts[..], false),
        one => (std::slice::from_ref(one), true),
    };
    Ok(ExtremeValue {
        is_maximum,
        forms: parts.iter().map(parse_linear).collect::<Result<_, _>>()?,
    })
}

fn parse_conditions(text: &str, names: &[String]) -> Result<Vec<Condition>, ExportError> {
    let (left, relation, right) = parse_comparison(text, names)?;
    if let (Term::Remainder(inner, m), Term::Number(0)) = (&left, &right) {
        let form = parse_linear(inner)?;
        return match relation {
            Relation::Equal => Ok(vec![Condition::Divisible(*m, form)]),
            _ => Err(ExportError::new("conditions that a remainder is not 0 are not exported")),
        };
    }
    let form = parse_linear(&left)?.minus(&parse_linear(&right)?);
    Ok(match relation {
        Relation::AtMost => vec![Condition::Bound(form)],
        Relation::Equal => vec![Condition::Bound(form.times(-1)), Condition::Bound(form)],
        Relation::Unequal => vec![Condition::Differs(form)],
        _ => return Err(ExportError::unreadable()),
    })
}

fn parse_linear(term: &Term) -> Result<Form, ExportError> {
    Ok(match term {
        Term::Number(k) => {
            Form::constant(i64::try_from(*k).map_err(|_| ExportError::unreadable())?)
        }
        Term::Variable(v) => Form::variable(*v as u32),
        Term::Sum(parts) => parts.iter().try_fold(Form::default(), |sum, part| {
            Ok::<_, ExportError>(sum.plus(&parse_linear(part)?))
        })?,
        Term::Multiple(k, inner) => parse_linear(inner)?.times(*k),
        Term::DigitSum(modulus, parts) => {
            let variable = |part: &Term| match part {
                Term::Variable(v) => Ok(*v as u32),
                _ => Err(ExportError::unreadable()),
            };
            let variables = parts.iter().map(variable).collect::<Result<Vec<u32>, _>>()?;
            match modulus {
                2 => Form::sum(&variables),
                _ => Form::sum_modulo(*modulus, variables.into_iter()),
            }
        }
        Term::Shift(_) | Term::Floor(..) => {
            return Err(ExportError::new("the digits of continued fractions are not exported"));
        }
        _ => return Err(ExportError::unreadable()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line of an unknown kind, or in a wrong place, is an error.
    #[test]
    fn no_line_is_skipped() {
        let body = "refutations 1\n2*0; n5\nheaps 1\nimage 0\nmove 0\npart stay image 0\nstart \
            1\nlabels 0\n@1 0 1\nstates 1\n0 1 !\nsets 1\n2\n";
        assert!(CertificateBody::read_all(body).is_ok_and(|all| all.len() == 1));
        for (after, line) in [
            ("image 0\n", "axiom 1\n"),
            ("start 1\n", "unless p0 = 1\n"),
            ("sets 1\n2\n", "3 4\n"),
            ("heaps 1\n", "\n"),
        ] {
            let more = body.replacen(after, &format!("{after}{line}"), 1);
            assert!(CertificateBody::read_all(&more).is_err(), "{line}");
        }
    }
}
