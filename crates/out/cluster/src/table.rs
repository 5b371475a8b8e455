//! What a plan has found so far, in columns: what Python and Arrow take, and what is hashed.

use bouton_store::parquet::{Entry, Kind, Owned, Parquet};
use std::collections::HashMap;
use std::io;
use std::sync::Arc;

/// A column of integers or words; every one may have nulls.
#[derive(Debug, Clone, PartialEq)]
pub enum Column {
    /// Integers.
    Integers(Vec<Option<i64>>),
    /// Words; equal ones are mostly kept once.
    Words(Vec<Option<Arc<str>>>),
}

/// Columns of one length.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Names and entries.
    pub columns: Vec<(String, Column)>,
    /// The file that other commands read, where it is more than the columns.
    pub(crate) file: Option<Vec<u8>>,
}

impl Table {
    pub(crate) fn new(columns: &[(&str, Kind)]) -> Table {
        let empty = |kind: Kind| match kind {
            Kind::Integer => Column::Integers(Vec::new()),
            Kind::Word => Column::Words(Vec::new()),
        };
        Table {
            columns: columns.iter().map(|(name, kind)| ((*name).to_owned(), empty(*kind))).collect(),
            file: None,
        }
    }

    /// One more row. An entry of another kind than its column's is left out.
    pub(crate) fn push(&mut self, row: impl IntoIterator<Item = Owned>, words: &mut Words) {
        for ((_, column), entry) in self.columns.iter_mut().zip(row) {
            match (column, entry) {
                (Column::Integers(all), Owned::Integer(number)) => all.push(Some(number)),
                (Column::Integers(all), _) => all.push(None),
                (Column::Words(all), Owned::Word(word)) => all.push(Some(words.of(word))),
                (Column::Words(all), _) => all.push(None),
            }
        }
    }

    /// How many rows.
    pub fn len(&self) -> usize {
        match self.columns.first() {
            Some((_, Column::Integers(all))) => all.len(),
            Some((_, Column::Words(all))) => all.len(),
            None => 0,
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The rows as lines of CSV, without a head.
    fn lines(&self) -> Vec<String> {
        (0..self.len())
            .map(|row| {
                let cell = |(_, column): &(String, Column)| match column {
                    Column::Integers(all) => all[row].map_or(String::new(), |number| number.to_string()),
                    Column::Words(all) => all[row].as_deref().map_or(String::new(), quoted),
                };
                self.columns.iter().map(cell).collect::<Vec<_>>().join(",")
            })
            .collect()
    }

    /// As CSV: a head, then a line a row, empty where there is nothing.
    pub fn csv(&self) -> String {
        let head = self.columns.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(",");
        std::iter::once(head).chain(self.lines()).fold(String::new(), |text, line| text + &line + "\n")
    }

    /// SHA-256 of the sorted lines of CSV, without the head: `tail -n +2 FILE.csv | LC_ALL=C sort | sha256sum`.
    pub fn digest(&self) -> String {
        let mut lines = self.lines();
        lines.sort_unstable();
        lines.push(String::new());
        bouton_certificate::sha256(lines.join("\n").as_bytes())
    }

    /// As Parquet; an atlas as `bouton atlas --from` takes it. The same rows give the same bytes.
    pub fn parquet(&self, metadata: &[(&str, String)]) -> io::Result<Vec<u8>> {
        if let Some(file) = &self.file {
            return Ok(file.clone());
        }
        let kind = |column: &Column| match column {
            Column::Integers(_) => Kind::Integer,
            Column::Words(_) => Kind::Word,
        };
        let columns: Vec<(&str, Kind)> =
            self.columns.iter().map(|(name, column)| (name.as_str(), kind(column))).collect();
        let mut bytes = Vec::new();
        let mut file = Parquet::with(&mut bytes, &columns, metadata, false)?;
        for row in 0..self.len() {
            file.row(self.columns.iter().map(|(_, column)| match column {
                Column::Integers(all) => all[row].map_or(Entry::Null, Entry::Integer),
                Column::Words(all) => all[row].as_deref().map_or(Entry::Null, Entry::Word),
            }))?;
        }
        file.finish()?;
        Ok(bytes)
    }
}

/// Words that were met.
#[derive(Debug, Default)]
pub(crate) struct Words(HashMap<String, Arc<str>>);

impl Words {
    /// Words that come often, in columns of numbers and names, are short.
    const SHORT: usize = 40;

    fn of(&mut self, word: String) -> Arc<str> {
        if word.len() > Words::SHORT {
            return word.into();
        }
        self.0.entry(word).or_insert_with_key(|word| word.as_str().into()).clone()
    }
}

/// A text in a line of CSV.
fn quoted(text: &str) -> String {
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
        let mut table = Table::new(&[("game", Kind::Word), ("n", Kind::Integer)]);
        let mut words = Words::default();
        table.push([Owned::Word("Gamma(1,4;n)".into()), Owned::Integer(9)], &mut words);
        table.push([Owned::Null, Owned::Null], &mut words);
        assert_eq!(table.csv(), "game,n\n\"Gamma(1,4;n)\",9\n,\n");
        // printf '"Gamma(1,4;n)",9\n,\n' | LC_ALL=C sort | sha256sum
        assert_eq!(table.digest(), bouton_certificate::sha256(b"\"Gamma(1,4;n)\",9\n,\n"));
    }
}
