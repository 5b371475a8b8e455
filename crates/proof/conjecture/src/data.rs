//! Tables from users: lines of numbers, separated by commas, semicolons, tabs or blanks.
//!
//! Three or more columns are heaps and an outcome, `P` or `N`, or a nim-value. Two columns are n
//! and a value, an outcome, or a nim-value of one heap. One column, or one line of numbers alone,
//! is a sequence from n = 0 on. One line of each symmetry class suffices. Blank lines and lines
//! that begin with # are ignored; a first line of words names the columns.

use crate::table::{Images, OutcomeTable, TableBuilder, TableError};
use bouton_core::{Arrange, Symmetry};
use rustc_hash::FxHashMap;

/// The greatest number of lines.
const MAX_LINES: usize = 50_000_000;

/// The contents of a file.
#[derive(Debug, Clone)]
pub enum Data {
    /// Outcomes of positions.
    Outcomes(OutcomeTable),
    /// The values of a sequence from its first number on.
    Sequence {
        /// The first number.
        start: i64,
        /// The values.
        values: Vec<i64>,
    },
    /// A set of numbers, from the first one on.
    Set {
        /// The first number.
        start: i64,
        /// Whether each number is P.
        members: Vec<bool>,
    },
}

/// The kind of an error in a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DataErrorKind {
    /// The file is empty.
    #[error("no rows")]
    Empty,
    /// The line has another number of columns than earlier ones.
    #[error("{found} columns, but {wanted} before")]
    Columns {
        /// The number of columns of this line.
        found: usize,
        /// The number of columns of earlier lines.
        wanted: usize,
    },
    /// A heap is not a number.
    #[error("`{0}` is no number of tokens, 0 to 65535")]
    Heap(String),
    /// The last column is neither an outcome nor a value.
    #[error("`{0}` is neither P nor N nor a whole number")]
    Outcome(String),
    /// Some lines have letters, others numbers.
    #[error("outcomes in letters and in numbers are mixed")]
    Mixed,
    /// A row occurs twice.
    #[error("the same position as in line {0}")]
    Duplicate(usize),
    /// A position, or an image of it, occurs with another outcome.
    #[error("contradicts line {0}: the same position, or one that differs by symmetry alone")]
    Contradiction(usize),
    /// A position of the box is missing.
    #[error("{0} is missing; the box of all positions must be whole")]
    Gap(String),
    /// A number of a sequence is missing.
    #[error("n = {0} is missing")]
    Missing(i64),
    /// There are too many heaps or lines, or too large ones.
    #[error("{0}")]
    Size(String),
}

/// An error with its line, counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct DataError {
    /// The line; the last one if something is missing after it.
    pub line: usize,
    /// The kind of the error.
    pub fault: DataErrorKind,
}

impl From<TableError> for DataErrorKind {
    fn from(error: TableError) -> DataErrorKind {
        DataErrorKind::Size(error.to_string())
    }
}

struct Rows {
    columns: usize,
    letters: bool,
    /// Heaps, value (0 for P in tables with letters), line.
    rows: Vec<(Vec<i64>, i64, usize)>,
}

/// Reads a table. Without a given symmetry, the largest one that the outcomes allow is taken: all
/// permutations, then the ring.
///
/// # Errors
/// Fails if the text is not a complete table without contradictions.
pub fn read(text: &str, symmetry: Option<Symmetry>) -> Result<Data, DataError> {
    if let Some(values) = one_line(text) {
        return Ok(Data::Sequence { start: 0, values });
    }
    let Rows { columns, letters, rows } = rows(text)?;
    let last = rows.last().map_or(0, |row| row.2);
    let fault = |line: usize, fault: DataErrorKind| DataError { line, fault };
    if columns == 2 {
        return sequence(rows, letters, last);
    }
    let heaps = columns - 1;
    if heaps > bouton_core::MAX_HEAPS {
        return Err(fault(
            1,
            DataErrorKind::Size(format!("more than {} heaps", bouton_core::MAX_HEAPS)),
        ));
    }
    let mut lines: FxHashMap<&[i64], (i64, usize)> = FxHashMap::default();
    for (p, value, line) in &rows {
        let same =
            |other: i64| if letters { other == *value } else { (other == 0) == (*value == 0) };
        match lines.insert(p, (*value, *line)) {
            Some((other, before)) if same(other) => {
                return Err(fault(*line, DataErrorKind::Duplicate(before)));
            }
            Some((_, before)) => return Err(fault(*line, DataErrorKind::Contradiction(before))),
            None => {}
        }
    }
    let tried = match symmetry {
        Some(symmetry) => vec![symmetry],
        None => vec![Symmetry::Full, Symmetry::Ring, Symmetry::None],
    };
    let mut first = None;
    for symmetry in tried {
        match outcomes(&rows, heaps, symmetry) {
            Ok(table) => return Ok(Data::Outcomes(table)),
            Err(error) => {
                // A smaller symmetry needs more rows: a gap that remains is the error to report.
                let gap = matches!(error.fault, DataErrorKind::Gap(_));
                if gap || first.is_none() {
                    first = Some(error);
                }
                if gap {
                    break;
                }
            }
        }
    }
    Err(first.unwrap_or(fault(last, DataErrorKind::Empty)))
}

fn is_letter(value: &str) -> bool {
    ["P", "N"].contains(&value)
}

/// Returns whether the first of values alone is an outcome: a small `n` is one above another
/// outcome, and else the name of the column.
fn is_outcome(value: &str, next: Option<&str>) -> bool {
    let is_letter_below = next.is_some_and(|next| is_letter(&next.trim().to_ascii_uppercase()));
    is_letter(value) || is_letter_below && is_letter(&value.to_ascii_uppercase())
}

fn fields(line: &str) -> Vec<&str> {
    if line.contains([',', ';', '\t']) {
        line.split([',', ';', '\t']).map(|field| field.trim().trim_matches('"')).collect()
    } else {
        line.split_whitespace().collect()
    }
}

/// Returns the sequence from n = 0 on that a text of one line is: four numbers or more.
fn one_line(text: &str) -> Option<Vec<i64>> {
    let mut lines = text.lines().map(|line| line.trim().trim_start_matches('\u{feff}'));
    let mut lines = lines.by_ref().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let line = lines.next().filter(|_| lines.next().is_none())?;
    // As lists are written: `[0, 1, 2, 0]`.
    let bare = [['[', ']'], ['{', '}'], ['(', ')']]
        .iter()
        .find_map(|[open, close]| line.strip_prefix(*open)?.strip_suffix(*close));
    let all = fields(bare.unwrap_or(line).trim_end_matches(','))
        .into_iter()
        .map(|field| field.parse().ok());
    all.collect::<Option<Vec<i64>>>().filter(|all| all.len() >= 4)
}

fn rows(text: &str) -> Result<Rows, DataError> {
    let (mut columns, mut letters, mut rows, mut alone) = (0, None, Vec::new(), false);
    for (i, content) in text.lines().enumerate() {
        let line = i + 1;
        let fault = |fault: DataErrorKind| DataError { line, fault };
        let content = content.trim().trim_start_matches('\u{feff}');
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        if line > MAX_LINES {
            return Err(fault(DataErrorKind::Size(format!("more than {MAX_LINES} lines"))));
        }
        let mut fields = fields(content);
        let from_zero = rows.len().to_string();
        if fields.len() == 1 && columns <= 2 {
            // The value of n, where n is not said: either in all lines, or in none.
            if columns == 2 && !alone {
                return Err(fault(DataErrorKind::Columns { found: 1, wanted: 2 }));
            }
            let is_first = !std::mem::replace(&mut alone, true);
            if is_first
                && fields[0].starts_with(|c: char| c.is_alphabetic())
                && !is_outcome(fields[0], text.lines().nth(line))
            {
                continue;
            }
            columns = 2;
            fields.insert(0, &from_zero);
        } else if alone {
            return Err(fault(DataErrorKind::Columns { found: fields.len(), wanted: 1 }));
        }
        let (value, heaps) = (fields[fields.len() - 1], &fields[..fields.len() - 1]);
        if columns == 0 {
            columns = fields.len();
            // A heading consists of words only: a row with one mistyped number is an error.
            if fields.iter().all(|f| f.starts_with(|c: char| c.is_alphabetic()))
                && !is_letter(value)
            {
                continue;
            }
        }
        if fields.len() != columns {
            return Err(fault(DataErrorKind::Columns { found: fields.len(), wanted: columns }));
        }
        let mut p = Vec::new();
        for field in heaps {
            let size =
                field.parse::<i64>().ok().filter(|x| columns == 2 || (0..=65535).contains(x));
            p.push(size.ok_or_else(|| fault(DataErrorKind::Heap((*field).to_owned())))?);
        }
        let (value, letter) = match value {
            "P" | "p" => (0, true),
            "N" | "n" => (1, true),
            number => {
                let read = number.strip_prefix('*').unwrap_or(number).parse::<i64>().ok();
                let read = read.filter(|read| columns == 2 || *read >= 0);
                (read.ok_or_else(|| fault(DataErrorKind::Outcome(value.to_owned())))?, false)
            }
        };
        if letters.replace(letter).is_some_and(|before| before != letter) {
            return Err(fault(DataErrorKind::Mixed));
        }
        rows.push((p, value, line));
    }
    if rows.is_empty() {
        return Err(DataError { line: text.lines().count().max(1), fault: DataErrorKind::Empty });
    }
    Ok(Rows { columns, letters: letters == Some(true), rows })
}

/// Reads two columns: n and its value.
fn sequence(
    mut rows: Vec<(Vec<i64>, i64, usize)>,
    letters: bool,
    last: usize,
) -> Result<Data, DataError> {
    rows.arrange_by_key(|(n, _, line)| (n[0], *line));
    for pair in rows.windows(2) {
        let ((n, value, before), (m, other, line)) = (&pair[0], &pair[1]);
        let fault = match m[0].saturating_sub(n[0]) {
            0 if value == other => DataErrorKind::Duplicate(*before),
            0 => DataErrorKind::Contradiction(*before),
            1 => continue,
            _ => DataErrorKind::Missing(n[0] + 1),
        };
        return Err(DataError { line: (*line).min(last), fault });
    }
    let (start, values) = (rows[0].0[0], rows.iter().map(|row| row.1));
    Ok(if letters {
        Data::Set { start, members: values.map(|v| v == 0).collect() }
    } else {
        Data::Sequence { start, values: values.collect() }
    })
}

/// Returns the table under a symmetry, if no rows contradict each other and none is missing.
fn outcomes(
    rows: &[(Vec<i64>, i64, usize)],
    heaps: usize,
    symmetry: Symmetry,
) -> Result<OutcomeTable, DataError> {
    let images = Images::from_symmetry(symmetry, heaps);
    let permutations = images.list(heaps);
    let canonical = |p: &[i64]| -> Vec<i64> {
        let turned =
            permutations.iter().map(|s| s.iter().map(|from| p[*from]).collect::<Vec<i64>>());
        let mut least = turned.min().unwrap_or_else(|| p.to_vec());
        if images == Images::Ascending {
            least.arrange();
        }
        least
    };
    let mut known: FxHashMap<Vec<i64>, (bool, usize)> = FxHashMap::default();
    for (p, value, line) in rows {
        let is_p = *value == 0;
        let (before, first) = *known.entry(canonical(p)).or_insert((is_p, *line));
        if before != is_p {
            return Err(DataError { line: *line, fault: DataErrorKind::Contradiction(first) });
        }
    }
    let least = rows.iter().flat_map(|row| row.0.iter().copied()).min().unwrap_or(0);
    let most = rows.iter().flat_map(|row| row.0.iter().copied()).max().unwrap_or(0);
    let last = rows.last().map_or(0, |row| row.2);
    let mut builder = TableBuilder::new(heaps, least as u64, most as u64, images.clone())
        .map_err(|error| DataError { line: last, fault: error.into() })?;
    // An odometer over the box: every class must occur.
    let mut p = vec![least; heaps];
    loop {
        if p == canonical(&p) {
            match known.get(&p) {
                Some((true, _)) => builder.insert(&p.iter().map(|x| *x as u64).collect::<Vec<_>>()),
                Some((false, _)) => {}
                None => {
                    let text = p.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
                    // The line after which the position would stand if the rows were in order.
                    let before =
                        rows.iter().filter(|row| row.0 < p).map(|row| row.2).max().unwrap_or(last);
                    return Err(DataError { line: before, fault: DataErrorKind::Gap(text) });
                }
            }
        }
        let Some(place) = p.iter().rposition(|x| *x < most) else { break };
        p[place] += 1;
        p[place + 1..].fill(least);
    }
    Ok(builder.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_alone_are_a_sequence_from_zero_on() {
        for text in [
            "0\n0\n1\n1\n2\n",
            "value\n0\n0\n1\n1\n2\n",
            "0,0,1,1,2\n",
            "0 0 1 1 2",
            "# a\n0, 0, 1, 1, 2,\n",
        ] {
            let Ok(Data::Sequence { start: 0, values }) = read(text, None) else {
                panic!("{text}")
            };
            assert_eq!(values, [0, 0, 1, 1, 2], "{text}");
        }
        let Ok(Data::Set { start: 0, members }) = read("P\nN\nP\n", None) else {
            panic!("letters")
        };
        assert_eq!(members, [true, false, true]);
        // Small letters are outcomes, unless they name a column of numbers.
        for text in ["p\nn\nP\n", "p\nN\np\n", "n\np\nn\np\n"] {
            let Ok(Data::Set { start: 0, members }) = read(text, None) else { panic!("{text}") };
            let said = text.lines().map(|line| line.eq_ignore_ascii_case("p"));
            assert_eq!(members, said.collect::<Vec<_>>(), "{text}");
        }
        let Ok(Data::Sequence { start: 0, values }) = read("n\n4\n5\n6\n", None) else {
            panic!("a name")
        };
        assert_eq!(values, [4, 5, 6]);
        // One row of words, not two.
        assert_eq!(fault("heap\nvalue\n0\n1\n"), (2, DataErrorKind::Outcome("value".into())));
        assert_eq!(fault("0\n1,1\n"), (2, DataErrorKind::Columns { found: 2, wanted: 1 }));
        assert_eq!(fault("0,0\n1\n"), (2, DataErrorKind::Columns { found: 1, wanted: 2 }));
        assert_eq!(fault("0\nx\n"), (2, DataErrorKind::Outcome("x".into())));
    }

    fn fault(text: &str) -> (usize, DataErrorKind) {
        let error = read(text, None).map(|_| ()).unwrap_err();
        (error.line, error.fault)
    }

    #[test]
    fn errors_have_their_lines() {
        assert_eq!(fault(""), (1, DataErrorKind::Empty));
        assert_eq!(
            fault("a,b,outcome\n0,0,P\n0,1\n"),
            (3, DataErrorKind::Columns { found: 2, wanted: 3 })
        );
        assert_eq!(fault("0,0,P\n0,x,N\n"), (2, DataErrorKind::Heap("x".into())));
        assert_eq!(fault("0,0,P\n0,-1,N\n"), (2, DataErrorKind::Heap("-1".into())));
        assert_eq!(fault("0,0,P\n0,1,Q\n"), (2, DataErrorKind::Outcome("Q".into())));
        assert_eq!(fault("0,0,P\n0,1,1\n"), (2, DataErrorKind::Mixed));
        assert_eq!(fault("0,0,0\n0,1,-1\n"), (2, DataErrorKind::Outcome("-1".into())));
        // A first row with a mistyped number is not a heading.
        assert_eq!(fault("O,0,P\n0,1,N\n1,1,P\n"), (1, DataErrorKind::Heap("O".into())));
        assert_eq!(fault("l,0\n2,1\n3,0\n"), (1, DataErrorKind::Heap("l".into())));
        assert_eq!(fault("# nim\n0,0,P\n0,1,N\n1,1,P\n0,1,N\n"), (5, DataErrorKind::Duplicate(3)));
        assert_eq!(fault("0,0,P\n0,1,N\n1,1,P\n0,1,P\n"), (4, DataErrorKind::Contradiction(2)));
        assert_eq!(fault("0,0,P\n1,1,P\n"), (1, DataErrorKind::Gap("0,1".into())));
        assert_eq!(fault("1,0\n2,1\n4,0\n"), (3, DataErrorKind::Missing(3)));
        assert_eq!(fault("1,0\n2,1\n1,0\n"), (3, DataErrorKind::Duplicate(1)));
    }

    #[test]
    fn symmetry_is_seen() {
        let mut nim = String::from("a b c value\n");
        let mut one_sided = String::from("a;b;c;o\n");
        for code in 0..64 {
            let (a, b, c) = (code / 16, code / 4 % 4, code % 4);
            nim += &format!("{a} {b} {c} {}\n", a ^ b ^ c);
            one_sided += &format!("{a};{b};{c};{}\n", if a == 2 * b { "P" } else { "N" });
        }
        let classes = |text: &str| match read(text, None).unwrap() {
            Data::Outcomes(table) => (table.class_count(), table.count()),
            other => panic!("{other:?}"),
        };
        assert_eq!(classes(&nim), (5, 16));
        assert_eq!(classes(&one_sided), (8, 8));
    }
}
