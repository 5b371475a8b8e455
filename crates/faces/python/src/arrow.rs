//! Tables for pandas, polars and pyarrow, by the Arrow PyCapsule interface.

use crate::errors;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, Int64Array, RecordBatch, RecordBatchIterator, StringArray};
use arrow_schema::{DataType, Field, Schema};
use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::sync::Arc;

/// Returns a stream of one batch, whose columns are shared without a copy.
pub fn stream<'py>(py: Python<'py>, batch: &RecordBatch) -> PyResult<Bound<'py, PyCapsule>> {
    let batches = RecordBatchIterator::new([Ok(batch.clone())], batch.schema());
    PyCapsule::new_with_value(
        py,
        FFI_ArrowArrayStream::new(Box::new(batches)),
        c"arrow_array_stream",
    )
}

/// Returns a stream of one batch: columns of numbers, in which those below 0 stand for null, and a
/// column of letters by their code points, in which `?` stands for null.
#[pyfunction]
pub fn columns_stream<'py>(
    py: Python<'py>,
    numbers: Vec<(String, PyBuffer<i64>)>,
    letters: (String, PyBuffer<u32>),
) -> PyResult<Bound<'py, PyCapsule>> {
    let (mut fields, mut arrays): (Vec<Field>, Vec<ArrayRef>) = (Vec::new(), Vec::new());
    for (name, column) in numbers {
        let column = column.to_vec(py)?;
        fields.push(Field::new(name, DataType::Int64, true));
        let column = column.into_iter().map(|number| (number >= 0).then_some(number));
        arrays.push(Arc::new(column.collect::<Int64Array>()));
    }
    let (name, column) = letters;
    let column: Vec<Option<String>> = column
        .to_vec(py)?
        .into_iter()
        .map(|code| char::from_u32(code).filter(|letter| *letter != '?').map(String::from))
        .collect();
    fields.push(Field::new(name, DataType::Utf8, true));
    arrays.push(Arc::new(column.into_iter().collect::<StringArray>()));
    let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays);
    stream(py, &batch.map_err(|error| errors::plain(py, &error.to_string()))?)
}
