//! Rows of integers and words as Apache Parquet, the columnar file that pandas, DuckDB and R read as it is.
//!
//! Rows go out in groups of 2^17, so memory stays below 2^17 · (10 to 24 bytes) a column whatever the table's size.
//! Tables of numbers have no compression codec: the format's own dictionaries and run lengths already leave little of them.
//! Long texts are packed with gzip, which every reader knows. [`read()`] takes a whole file back into memory.

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
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

/// Rows of a group.
const GROUP: usize = 1 << 17;

/// What a column holds; every column may have nulls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// 64-bit integers with sign.
    Integer,
    /// Words in UTF-8.
    Word,
}

/// An entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry<'a> {
    /// In a column of integers.
    Integer(i64),
    /// In a column of words.
    Word(&'a str),
    /// In any column.
    Null,
}

/// A column's part of the group that is being filled: what is there, and for each row whether it is.
enum Column {
    Integers(Vec<i64>, Vec<i16>),
    Words(Vec<ByteArray>, Vec<i16>),
}

/// A table on its way out.
pub struct Parquet<W: Write + Send> {
    file: SerializedFileWriter<W>,
    columns: Vec<Column>,
    rows: usize,
}

impl<W: Write + Send> Parquet<W> {
    /// A table with these columns, in this order; names must differ.
    pub fn new(out: W, columns: &[(&str, Kind)]) -> io::Result<Parquet<W>> {
        Parquet::with(out, columns, &[], false)
    }

    /// The same, with metadata as keys and values, and packed with gzip where `packed`.
    pub fn with(
        out: W,
        columns: &[(&str, Kind)],
        metadata: &[(&str, String)],
        packed: bool,
    ) -> io::Result<Parquet<W>> {
        let fields = columns.iter().map(|&(name, kind)| {
            let (physical, converted) = match kind {
                Kind::Integer => (Physical::INT64, ConvertedType::NONE),
                Kind::Word => (Physical::BYTE_ARRAY, ConvertedType::UTF8),
            };
            let field = Type::primitive_type_builder(name, physical);
            field.with_repetition(Repetition::OPTIONAL).with_converted_type(converted).build().map(Arc::new)
        });
        let fields = fields.collect::<Result<_, _>>().map_err(failed)?;
        let schema = Type::group_type_builder("bouton").with_fields(fields).build().map_err(failed)?;
        let codec = if packed { Compression::GZIP(GzipLevel::default()) } else { Compression::UNCOMPRESSED };
        let pairs = metadata.iter().map(|(key, value)| KeyValue::new((*key).to_owned(), value.clone()));
        let told = (!metadata.is_empty()).then(|| pairs.collect());
        let properties =
            Arc::new(WriterProperties::builder().set_compression(codec).set_key_value_metadata(told).build());
        let file = SerializedFileWriter::new(out, Arc::new(schema), properties).map_err(failed)?;
        let empty = |&(_, kind): &(&str, Kind)| match kind {
            Kind::Integer => Column::Integers(Vec::new(), Vec::new()),
            Kind::Word => Column::Words(Vec::new(), Vec::new()),
        };
        Ok(Parquet { file, columns: columns.iter().map(empty).collect(), rows: 0 })
    }

    /// One more row: an entry a column, of the column's kind or null.
    ///
    /// # Panics
    /// If the row has another width, or an entry of another kind.
    pub fn row<'a>(&mut self, entries: impl IntoIterator<Item = Entry<'a>>) -> io::Result<()> {
        let mut entries = entries.into_iter();
        for column in &mut self.columns {
            match (column, entries.next().expect("an entry for each column")) {
                (Column::Integers(_, there) | Column::Words(_, there), Entry::Null) => there.push(0),
                (Column::Integers(values, there), Entry::Integer(value)) => {
                    values.push(value);
                    there.push(1);
                }
                (Column::Words(values, there), Entry::Word(word)) => {
                    values.push(word.into());
                    there.push(1);
                }
                (_, entry) => panic!("{entry:?} in a column of another kind"),
            }
        }
        assert!(entries.next().is_none(), "more entries than columns");
        self.rows += 1;
        if self.rows == GROUP { self.flush().map_err(failed) } else { Ok(()) }
    }

    /// Writes what is left, and the file's footer, without which nobody can read it.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush().map_err(failed)?;
        self.file.close().map(drop).map_err(failed)
    }

    fn flush(&mut self) -> Result<(), ParquetError> {
        if self.rows == 0 {
            return Ok(());
        }
        let mut group = self.file.next_row_group()?;
        for column in &mut self.columns {
            let mut writer = group.next_column()?.expect("the schema has as many columns");
            match column {
                Column::Integers(values, there) => {
                    writer.typed::<Int64Type>().write_batch(values, Some(there), None)?;
                    values.clear();
                    there.clear();
                }
                Column::Words(values, there) => {
                    writer.typed::<ByteArrayType>().write_batch(values, Some(there), None)?;
                    values.clear();
                    there.clear();
                }
            }
            writer.close()?;
        }
        group.close()?;
        self.rows = 0;
        Ok(())
    }
}

/// A table as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// What the file says of itself.
    pub metadata: BTreeMap<String, String>,
    /// The columns' names.
    pub columns: Vec<String>,
    /// The rows, an entry a column.
    pub rows: Vec<Vec<Owned>>,
}

/// An entry that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Owned {
    /// A number.
    Integer(i64),
    /// A word.
    Word(String),
    /// Nothing.
    Null,
}

/// Reads a file of 64-bit integers and words, as they are written here.
pub fn read(bytes: Vec<u8>) -> io::Result<Table> {
    let file = SerializedFileReader::new(Bytes::from(bytes)).map_err(failed)?;
    let head = file.metadata().file_metadata();
    let pairs = head.key_value_metadata().into_iter().flatten();
    let metadata = pairs.filter_map(|pair| Some((pair.key.clone(), pair.value.clone()?))).collect();
    let columns = head.schema_descr().columns().iter().map(|column| column.name().to_owned()).collect();
    let mut rows = Vec::new();
    for row in file.get_row_iter(None).map_err(failed)? {
        let row = row.map_err(failed)?;
        let entry = |(name, field): (&String, &Field)| match field {
            Field::Long(number) => Ok(Owned::Integer(*number)),
            Field::Str(word) => Ok(Owned::Word(word.clone())),
            Field::Null => Ok(Owned::Null),
            _ => Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!("the column {name} holds something else than integers or words"),
            )),
        };
        rows.push(row.get_column_iter().map(entry).collect::<io::Result<_>>()?);
    }
    Ok(Table { metadata, columns, rows })
}

/// The system's own error where there is one: a full disk is to be told as that.
fn failed(error: ParquetError) -> io::Error {
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

    /// What goes in comes out, over more than one group and with nulls, read by the library's reader.
    #[test]
    fn rows_come_back() {
        let path = std::env::temp_dir().join(format!("bouton-parquet-{}", std::process::id()));
        let file = std::fs::File::create(&path).unwrap();
        let mut table = Parquet::new(file, &[("n", Kind::Integer), ("play", Kind::Word)]).unwrap();
        let rows = 2 * GROUP as i64 + 5;
        for n in 0..rows {
            let word =
                if n % 3 == 0 { Entry::Null } else { Entry::Word(["normal", "misère"][n as usize % 2]) };
            table.row([if n % 7 == 0 { Entry::Null } else { Entry::Integer(-n) }, word]).unwrap();
        }
        table.finish().unwrap();
        let reader = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
        assert_eq!(reader.num_row_groups(), 3);
        let mut read = 0;
        for (n, row) in reader.get_row_iter(None).unwrap().enumerate() {
            let row = row.unwrap();
            let fields: Vec<&Field> = row.get_column_iter().map(|(_, field)| field).collect();
            let number = if n % 7 == 0 { Field::Null } else { Field::Long(-(n as i64)) };
            let word =
                if n % 3 == 0 { Field::Null } else { Field::Str(["normal", "misère"][n % 2].to_owned()) };
            assert_eq!(fields, [&number, &word], "row {n}");
            read += 1;
        }
        assert_eq!(read, rows);
        std::fs::remove_file(&path).unwrap();
    }

    /// Metadata and packed rows come back by our own reader; what is no such file is an error.
    #[test]
    fn a_packed_table_comes_back() {
        let mut bytes = Vec::new();
        let metadata = [("rules", "CN(6,3)".to_owned()), ("empty", String::new())];
        let columns = [("n", Kind::Integer), ("form", Kind::Word)];
        let mut table = Parquet::with(&mut bytes, &columns, &metadata, true).unwrap();
        let long = "a = b & c = d | ".repeat(100);
        for n in 0..1000 {
            table
                .row([Entry::Integer(n), if n % 5 == 0 { Entry::Null } else { Entry::Word(&long) }])
                .unwrap();
        }
        table.finish().unwrap();
        assert!(bytes.len() < 20_000, "{}", bytes.len());
        let back = read(bytes.clone()).unwrap();
        assert_eq!(back.columns, ["n", "form"]);
        assert_eq!(back.metadata["rules"], "CN(6,3)");
        assert_eq!(back.metadata["empty"], "");
        assert_eq!(back.rows.len(), 1000);
        assert_eq!(back.rows[5], [Owned::Integer(5), Owned::Null]);
        assert_eq!(back.rows[6], [Owned::Integer(6), Owned::Word(long)]);
        assert!(read(bytes[..bytes.len() / 2].to_vec()).is_err());
        assert!(read(b"PAR1".to_vec()).is_err());
    }

    /// A disk that fills up is told as the system tells it.
    #[test]
    fn a_full_disk_is_an_error() {
        if let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") {
            let mut table = Parquet::new(full, &[("n", Kind::Integer)]).unwrap();
            table.row([Entry::Integer(1)]).unwrap();
            assert_eq!(table.finish().unwrap_err().kind(), io::ErrorKind::StorageFull);
        }
    }
}
