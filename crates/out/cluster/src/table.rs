//! The result of a plan in columns, for Python and Arrow, with a digest.

use bouton_store::parquet::{Cell, ColumnKind, ParquetWriter};
use std::collections::HashMap;
use std::io;
use std::sync::Arc;

/// A column. Every column may contain nulls.
#[derive(Debug, Clone, PartialEq)]
pub enum Column {
    /// Integers.
    Integers(Vec<Option<i64>>),
    /// Texts. Short equal texts mostly share one allocation.
    Texts(Vec<Option<Arc<str>>>),
}

impl Column {
    fn new(kind: ColumnKind) -> Column {
        match kind {
            ColumnKind::Integer => Column::Integers(Vec::new()),
            ColumnKind::Text => Column::Texts(Vec::new()),
        }
    }

    fn kind(&self) -> ColumnKind {
        match self {
            Column::Integers(_) => ColumnKind::Integer,
            Column::Texts(_) => ColumnKind::Text,
        }
    }

    fn cell(&self, row: usize) -> Cell<'_> {
        match self {
            Column::Integers(numbers) => numbers[row].map_or(Cell::Null, Cell::Integer),
            Column::Texts(texts) => Cell::from_text(texts[row].as_deref()),
        }
    }
}

/// Columns of equal length.
#[derive(Debug, Clone, PartialEq)]
pub struct ResultTable {
    /// The columns, each with its name.
    pub columns: Vec<(String, Column)>,
    /// The file that other commands read, if it is not made of the columns.
    pub(crate) file: Option<Vec<u8>>,
}

impl ResultTable {
    pub(crate) fn new(columns: &[(&str, ColumnKind)]) -> ResultTable {
        let empty = |(name, kind): &(&str, ColumnKind)| ((*name).to_owned(), Column::new(*kind));
        ResultTable { columns: columns.iter().map(empty).collect(), file: None }
    }

    /// Appends a row. A cell of another kind than its column becomes a null.
    pub(crate) fn push<'a>(
        &mut self,
        row: impl IntoIterator<Item = Cell<'a>>,
        texts: &mut TextInterner,
    ) {
        for ((_, column), cell) in self.columns.iter_mut().zip(row) {
            match (column, cell) {
                (Column::Integers(column), Cell::Integer(number)) => column.push(Some(number)),
                (Column::Integers(column), _) => column.push(None),
                (Column::Texts(column), Cell::Text(text)) => column.push(Some(texts.intern(&text))),
                (Column::Texts(column), _) => column.push(None),
            }
        }
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        match self.columns.first() {
            Some((_, Column::Integers(numbers))) => numbers.len(),
            Some((_, Column::Texts(texts))) => texts.len(),
            None => 0,
        }
    }

    /// Returns whether the table has no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the rows as lines of CSV, without a header.
    fn lines(&self) -> Vec<String> {
        let field = |cell: Cell<'_>| match cell {
            Cell::Integer(number) => number.to_string(),
            Cell::Text(text) => csv_field(&text),
            Cell::Null => String::new(),
        };
        let line = |row| {
            let fields: Vec<_> =
                self.columns.iter().map(|(_, column)| field(column.cell(row))).collect();
            fields.join(",")
        };
        (0..self.len()).map(line).collect()
    }

    /// Returns the table as CSV: a header, then one line per row. A null is empty.
    pub fn csv(&self) -> String {
        let header =
            self.columns.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(",");
        std::iter::once(header)
            .chain(self.lines())
            .fold(String::new(), |text, line| text + &line + "\n")
    }

    /// Returns the SHA-256 of the sorted lines of CSV, without the header:
    /// `tail -n +2 FILE.csv | LC_ALL=C sort | sha256sum`.
    pub fn digest(&self) -> String {
        let mut lines = self.lines();
        lines.sort_unstable();
        lines.push(String::new());
        bouton_certificate::sha256(lines.join("\n").as_bytes())
    }

    /// Returns the table as Parquet; an atlas as `bouton atlas --from` reads it. Equal rows give
    /// equal bytes.
    ///
    /// # Errors
    /// Fails if the file cannot be made.
    pub fn parquet(&self, metadata: &[(&str, String)]) -> io::Result<Vec<u8>> {
        if let Some(file) = &self.file {
            return Ok(file.clone());
        }
        let columns: Vec<(&str, ColumnKind)> =
            self.columns.iter().map(|(name, column)| (name.as_str(), column.kind())).collect();
        let mut bytes = Vec::new();
        let mut file = ParquetWriter::with_metadata(&mut bytes, &columns, metadata, false)?;
        for row in 0..self.len() {
            file.write_row(self.columns.iter().map(|(_, column)| column.cell(row)))?;
        }
        file.finish()?;
        Ok(bytes)
    }
}

/// The short texts met so far. Equal ones share one allocation.
#[derive(Debug, Default)]
pub(crate) struct TextInterner(HashMap<String, Arc<str>>);

impl TextInterner {
    /// The greatest length of a text that is kept. Texts that recur are short.
    const MAX_LENGTH: usize = 40;

    fn intern(&mut self, text: &str) -> Arc<str> {
        if text.len() > TextInterner::MAX_LENGTH {
            return text.into();
        }
        self.0.entry(text.to_owned()).or_insert_with_key(|text| text.as_str().into()).clone()
    }
}

/// Returns a text as a field of CSV. An empty text is quoted, to differ from a null.
fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) || text.is_empty() {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_hashed_as_sorted_lines() {
        let mut table = ResultTable::new(&[("game", ColumnKind::Text), ("n", ColumnKind::Integer)]);
        let mut texts = TextInterner::default();
        table.push([Cell::Text("Gamma(1,4;n)".into()), Cell::Integer(9)], &mut texts);
        table.push([Cell::Null, Cell::Null], &mut texts);
        assert_eq!(table.csv(), "game,n\n\"Gamma(1,4;n)\",9\n,\n");
        // printf '"Gamma(1,4;n)",9\n,\n' | LC_ALL=C sort | sha256sum
        assert_eq!(table.digest(), bouton_certificate::sha256(b"\"Gamma(1,4;n)\",9\n,\n"));
    }
}
