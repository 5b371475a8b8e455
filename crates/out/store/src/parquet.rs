//! Rows of integers and texts as Apache Parquet, the columnar format that pandas, DuckDB and R
//! read.
//!
//! Rows are written in groups of 2^17. Memory therefore stays below 2^17 · (10 to 24 bytes) per
//! column, for tables of any size. Tables of numbers need no compression codec: the dictionaries
//! and run lengths of the format leave little to compress. Long texts are compressed with gzip,
//! which every reader knows. [`read()`] loads a whole file into memory.

use crate::family::MAX_MOVES;
use bytes::Bytes;
use parquet::basic::{Compression, ConvertedType, GzipLevel, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::record::Field;
use parquet::schema::types::Type;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

/// The number of rows in a row group.
const GROUP_ROWS: usize = 1 << 17;

/// The type of a column. Every column may contain nulls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Signed 64-bit integers.
    Integer,
    /// UTF-8 texts.
    Text,
}

/// The first columns of a file of games: m1, …, m6, n, play and outcome.
pub const GAME_COLUMNS: [(&str, ColumnKind); MAX_MOVES + 3] = [
    ("m1", ColumnKind::Integer),
    ("m2", ColumnKind::Integer),
    ("m3", ColumnKind::Integer),
    ("m4", ColumnKind::Integer),
    ("m5", ColumnKind::Integer),
    ("m6", ColumnKind::Integer),
    ("n", ColumnKind::Integer),
    ("play", ColumnKind::Text),
    ("outcome", ColumnKind::Text),
];

/// The value of one column in one row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell<'a> {
    /// A value of an integer column.
    Integer(i64),
    /// A value of a text column.
    Text(Cow<'a, str>),
    /// A missing value, in any column.
    Null,
}

impl<'a> Cell<'a> {
    /// Returns the number, or the greatest value of the format for numbers past its range.
    pub fn from_number(number: u64) -> Cell<'a> {
        Cell::Integer(i64::try_from(number).unwrap_or(i64::MAX))
    }

    /// Returns the text, or a null for `None`.
    pub fn from_text(text: Option<impl Into<Cow<'a, str>>>) -> Cell<'a> {
        text.map_or(Cell::Null, |text| Cell::Text(text.into()))
    }

    /// Returns the number of an integer cell; `None` for other cells and for negative numbers.
    pub fn number(&self) -> Option<u64> {
        match self {
            Cell::Integer(number) => u64::try_from(*number).ok(),
            _ => None,
        }
    }

    /// Returns the text of a text cell.
    pub fn text(&self) -> Option<&str> {
        match self {
            Cell::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// A column of the row group that is being filled: its values, and a definition level (1, or 0 for
/// a null) for each row.
enum ColumnBuffer {
    Integers(Vec<i64>, Vec<i16>),
    Texts(Vec<ByteArray>, Vec<i16>),
}

/// A writer of one Parquet file.
pub struct ParquetWriter<W: Write + Send> {
    file: SerializedFileWriter<W>,
    columns: Vec<ColumnBuffer>,
    rows: usize,
}

impl<W: Write + Send> ParquetWriter<W> {
    /// Begins an uncompressed table with these columns, in this order. Their names must differ.
    ///
    /// # Errors
    /// Fails if `out` cannot be written.
    pub fn new(out: W, columns: &[(&str, ColumnKind)]) -> io::Result<ParquetWriter<W>> {
        ParquetWriter::with_metadata(out, columns, &[], false)
    }

    /// Begins a table with metadata as keys and values, compressed with gzip if `is_packed`.
    ///
    /// # Errors
    /// Fails if `out` cannot be written.
    pub fn with_metadata(
        out: W,
        columns: &[(&str, ColumnKind)],
        metadata: &[(&str, String)],
        is_packed: bool,
    ) -> io::Result<ParquetWriter<W>> {
        let fields = columns.iter().map(|&(name, kind)| {
            let (physical, converted) = match kind {
                ColumnKind::Integer => (Physical::INT64, ConvertedType::NONE),
                ColumnKind::Text => (Physical::BYTE_ARRAY, ConvertedType::UTF8),
            };
            let field = Type::primitive_type_builder(name, physical);
            field
                .with_repetition(Repetition::OPTIONAL)
                .with_converted_type(converted)
                .build()
                .map(Arc::new)
        });
        let fields = fields.collect::<Result<_, _>>().map_err(io_error)?;
        let schema =
            Type::group_type_builder("bouton").with_fields(fields).build().map_err(io_error)?;
        let codec = if is_packed {
            Compression::GZIP(GzipLevel::default())
        } else {
            Compression::UNCOMPRESSED
        };
        let pairs =
            metadata.iter().map(|(key, value)| KeyValue::new((*key).to_owned(), value.clone()));
        let pairs = (!metadata.is_empty()).then(|| pairs.collect());
        let properties =
            WriterProperties::builder().set_compression(codec).set_key_value_metadata(pairs);
        let file = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties.build()))
            .map_err(io_error)?;
        let empty = |&(_, kind): &(&str, ColumnKind)| match kind {
            ColumnKind::Integer => ColumnBuffer::Integers(Vec::new(), Vec::new()),
            ColumnKind::Text => ColumnBuffer::Texts(Vec::new(), Vec::new()),
        };
        Ok(ParquetWriter { file, columns: columns.iter().map(empty).collect(), rows: 0 })
    }

    /// Appends a row: one cell per column, of the column's kind or null.
    ///
    /// # Errors
    /// Fails if a full row group cannot be written.
    ///
    /// # Panics
    /// Panics if the row has another width, or a cell of another kind.
    pub fn write_row<'a>(&mut self, cells: impl IntoIterator<Item = Cell<'a>>) -> io::Result<()> {
        let mut cells = cells.into_iter();
        for column in &mut self.columns {
            match (column, cells.next().expect("a cell for each column")) {
                (
                    ColumnBuffer::Integers(_, levels) | ColumnBuffer::Texts(_, levels),
                    Cell::Null,
                ) => {
                    levels.push(0);
                }
                (ColumnBuffer::Integers(values, levels), Cell::Integer(value)) => {
                    values.push(value);
                    levels.push(1);
                }
                (ColumnBuffer::Texts(values, levels), Cell::Text(text)) => {
                    values.push((*text).into());
                    levels.push(1);
                }
                (_, cell) => panic!("{cell:?} in a column of another kind"),
            }
        }
        assert!(cells.next().is_none(), "more cells than columns");
        self.rows += 1;
        if self.rows == GROUP_ROWS { self.flush().map_err(io_error) } else { Ok(()) }
    }

    /// Writes the last row group and the footer, without which the file cannot be read.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush().map_err(io_error)?;
        self.file.close().map(drop).map_err(io_error)
    }

    fn flush(&mut self) -> Result<(), ParquetError> {
        if self.rows == 0 {
            return Ok(());
        }
        let mut group = self.file.next_row_group()?;
        for column in &mut self.columns {
            let mut writer = group.next_column()?.expect("the schema has as many columns");
            match column {
                ColumnBuffer::Integers(values, levels) => {
                    writer.typed::<Int64Type>().write_batch(values, Some(levels), None)?;
                    values.clear();
                    levels.clear();
                }
                ColumnBuffer::Texts(values, levels) => {
                    writer.typed::<ByteArrayType>().write_batch(values, Some(levels), None)?;
                    values.clear();
                    levels.clear();
                }
            }
            writer.close()?;
        }
        group.close()?;
        self.rows = 0;
        Ok(())
    }
}

/// The contents of a Parquet file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParquetTable {
    /// The metadata of the file, as keys and values.
    pub metadata: BTreeMap<String, String>,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows, one cell per column.
    pub rows: Vec<Vec<Cell<'static>>>,
}

/// Reads a file of 64-bit integers and texts, as [`ParquetWriter`] writes it.
///
/// # Errors
/// Fails if the bytes are not a Parquet file, or have a column of another type.
pub fn read(bytes: Vec<u8>) -> io::Result<ParquetTable> {
    let file = SerializedFileReader::new(Bytes::from(bytes)).map_err(io_error)?;
    let head = file.metadata().file_metadata();
    let pairs = head.key_value_metadata().into_iter().flatten();
    let metadata = pairs.filter_map(|pair| Some((pair.key.clone(), pair.value.clone()?))).collect();
    let columns =
        head.schema_descr().columns().iter().map(|column| column.name().to_owned()).collect();
    let mut rows = Vec::new();
    for row in file.get_row_iter(None).map_err(io_error)? {
        let row = row.map_err(io_error)?;
        let cell = |(name, field): (&String, &Field)| match field {
            Field::Long(number) => Ok(Cell::Integer(*number)),
            Field::Str(text) => Ok(Cell::Text(text.clone().into())),
            Field::Null => Ok(Cell::Null),
            _ => Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!("the column {name} holds something else than integers or words"),
            )),
        };
        rows.push(row.get_column_iter().map(cell).collect::<io::Result<_>>()?);
    }
    Ok(ParquetTable { metadata, columns, rows })
}

/// Returns the system's own error if there is one, so that a full disk is reported as such.
fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(inner) => io::Error::other(inner),
        },
        other => io::Error::other(other),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test")]
mod tests {
    use super::*;

    /// The library's reader returns the rows written, with nulls and over more than one row group.
    #[test]
    fn rows_come_back() {
        let path = std::env::temp_dir().join(format!("bouton-parquet-{}", std::process::id()));
        let file = std::fs::File::create(&path).unwrap();
        let mut table =
            ParquetWriter::new(file, &[("n", ColumnKind::Integer), ("play", ColumnKind::Text)])
                .unwrap();
        let rows = 2 * GROUP_ROWS as i64 + 5;
        for n in 0..rows {
            let word = if n % 3 == 0 {
                Cell::Null
            } else {
                Cell::Text(["normal", "misère"][n as usize % 2].into())
            };
            table
                .write_row([if n % 7 == 0 { Cell::Null } else { Cell::Integer(-n) }, word])
                .unwrap();
        }
        table.finish().unwrap();
        let reader = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
        assert_eq!(reader.num_row_groups(), 3);
        let mut read = 0;
        for (n, row) in reader.get_row_iter(None).unwrap().enumerate() {
            let row = row.unwrap();
            let fields: Vec<&Field> = row.get_column_iter().map(|(_, field)| field).collect();
            let number = if n % 7 == 0 { Field::Null } else { Field::Long(-(n as i64)) };
            let word = if n % 3 == 0 {
                Field::Null
            } else {
                Field::Str(["normal", "misère"][n % 2].to_owned())
            };
            assert_eq!(fields, [&number, &word], "row {n}");
            read += 1;
        }
        assert_eq!(read, rows);
        std::fs::remove_file(&path).unwrap();
    }

    /// Our own reader returns metadata and packed rows, and rejects a file that is cut off.
    #[test]
    fn a_packed_table_comes_back() {
        let mut bytes = Vec::new();
        let metadata = [("rules", "CN(6,3)".to_owned()), ("empty", String::new())];
        let columns = [("n", ColumnKind::Integer), ("form", ColumnKind::Text)];
        let mut table =
            ParquetWriter::with_metadata(&mut bytes, &columns, &metadata, true).unwrap();
        let long = "a = b & c = d | ".repeat(100);
        for n in 0..1000 {
            table
                .write_row([
                    Cell::Integer(n),
                    if n % 5 == 0 { Cell::Null } else { Cell::Text(long.as_str().into()) },
                ])
                .unwrap();
        }
        table.finish().unwrap();
        assert!(bytes.len() < 20_000, "{}", bytes.len());
        let back = read(bytes.clone()).unwrap();
        assert_eq!(back.columns, ["n", "form"]);
        assert_eq!(back.metadata["rules"], "CN(6,3)");
        assert_eq!(back.metadata["empty"], "");
        assert_eq!(back.rows.len(), 1000);
        assert_eq!(back.rows[5], [Cell::Integer(5), Cell::Null]);
        assert_eq!(back.rows[6], [Cell::Integer(6), Cell::Text(long.as_str().into())]);
        assert!(read(bytes[..bytes.len() / 2].to_vec()).is_err());
        assert!(read(b"PAR1".to_vec()).is_err());
    }

    /// A full disk is reported by the system's error kind.
    #[test]
    fn a_full_disk_is_an_error() {
        if let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") {
            let mut table = ParquetWriter::new(full, &[("n", ColumnKind::Integer)]).unwrap();
            table.write_row([Cell::Integer(1)]).unwrap();
            assert_eq!(table.finish().unwrap_err().kind(), io::ErrorKind::StorageFull);
        }
    }
}
