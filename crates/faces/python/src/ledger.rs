//! The claims of the literature as a table: a column an Arrow array, handed over by the Arrow
//! capsule interface.

use crate::arrow;
use crate::errors;
use arrow_array::{ArrayRef, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use bouton_literature::Recorded;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::sync::Arc;

/// What is published, each claim for each of its games, with the verdict on record.
#[pyclass(frozen, module = "bouton._bouton")]
pub struct Ledger {
    batch: RecordBatch,
}

/// The names of the columns. Those after the first four may be null.
const COLUMNS: [&str; 9] =
    ["id", "game", "statement", "source", "verdict", "found", "certificate", "recheck", "play"];

type Row = [Option<String>; COLUMNS.len()];

fn rows() -> Result<Vec<Row>, bouton_literature::ClaimDataError> {
    let recorded = Recorded::all()?;
    let mut rows = Vec::new();
    for claim in bouton_literature::claims()? {
        for game in claim.instances() {
            let record =
                recorded.iter().find(|record| record.id == claim.id && record.game == game);
            rows.push([
                Some(claim.id.clone()),
                Some(game.to_owned()),
                Some(claim.statement.clone()),
                Some(claim.source.clone()),
                record.map(|record| record.verdict.to_string()),
                record.map(|record| record.found.clone()).filter(|found| !found.is_empty()),
                record.and_then(|record| record.certificate.clone()),
                record.and_then(|record| record.recheck.clone()),
                Some(bouton_report::play_word(claim.says.play()).to_owned()),
            ]);
        }
    }
    Ok(rows)
}

fn batch(rows: &[Row]) -> Result<RecordBatch, ArrowError> {
    let fields: Vec<Field> = COLUMNS
        .iter()
        .enumerate()
        .map(|(i, name)| Field::new(*name, DataType::Utf8, i > 3))
        .collect();
    let column = |i: usize| -> ArrayRef {
        Arc::new(rows.iter().map(|row| row[i].as_deref()).collect::<StringArray>())
    };
    RecordBatch::try_new(Arc::new(Schema::new(fields)), (0..COLUMNS.len()).map(column).collect())
}

/// Returns the claims of the literature as a table.
#[pyfunction]
pub fn ledger(py: Python<'_>) -> PyResult<Ledger> {
    let rows = rows().map_err(|error| errors::plain(py, &error.to_string()))?;
    let batch = batch(&rows).map_err(|error| errors::plain(py, &error.to_string()))?;
    Ok(Ledger { batch })
}

#[pymethods]
impl Ledger {
    #[classattr]
    fn columns() -> Vec<&'static str> {
        COLUMNS.to_vec()
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    /// Returns a column as a list.
    fn column(&self, py: Python<'_>, name: &str) -> PyResult<Vec<Option<String>>> {
        let column = self
            .batch
            .column_by_name(name)
            .and_then(|column| column.as_any().downcast_ref::<StringArray>());
        let Some(column) = column else {
            let message = format!("the ledger has no column {name:?}");
            return Err(errors::error(
                py,
                errors::Kind::Value,
                &message,
                None,
                &COLUMNS.join(", "),
            ));
        };
        Ok(column.iter().map(|text| text.map(str::to_owned)).collect())
    }

    /// Returns a stream of one batch, by the Arrow PyCapsule interface. No other schema can be
    /// asked for.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A request is a wish, which a producer may leave unfulfilled.
        drop(requested_schema);
        arrow::stream(py, &self.batch)
    }
}
