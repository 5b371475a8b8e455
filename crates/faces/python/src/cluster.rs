//! Long work in shards: plans, one shard run, the table of what the files say. What schedules them is Python's.

use crate::arrow;
use crate::call::{Limits, run};
use crate::fault::{self, Kind};
use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use bouton_cluster::{Column, PlanError, ShardError, TableError, Which};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule};
use std::sync::Arc;

/// Work as a whole, divided into shards.
#[pyclass(frozen, module = "bouton._bouton")]
pub struct Plan {
    plan: Arc<bouton_cluster::Plan>,
}

const WHOLE: Limits = Limits(None, None, None);

fn slip(py: Python<'_>, error: &PlanError) -> PyErr {
    match error {
        PlanError::Notation(slip) => fault::notation(py, slip),
        other => told(py, &other.to_string()),
    }
}

/// A message whose accepted form stands behind a semicolon.
fn told(py: Python<'_>, message: &str) -> PyErr {
    let (message, accepted) = message.rsplit_once("; accepted: ").unwrap_or((message, ""));
    fault::error(py, Kind::Value, message, None, accepted)
}

fn made(
    py: Python<'_>,
    make: impl FnOnce() -> Result<bouton_cluster::Plan, PlanError> + Send + 'static,
) -> PyResult<Plan> {
    let plan = run(py, WHOLE, move |_| make())?.map_err(|error| slip(py, &error))?;
    Ok(Plan { plan: Arc::new(plan) })
}

#[pymethods]
impl Plan {
    /// Every game of a family of Kotzig's Nim.
    #[staticmethod]
    fn sweep(
        py: Python<'_>,
        family: String,
        ranges: Vec<(String, i64, i64)>,
        misere: bool,
        nodes: u64,
    ) -> PyResult<Plan> {
        made(py, move || bouton_cluster::Plan::sweep(&family, ranges, misere, nodes))
    }

    /// Every taking-and-breaking code of so many digits, or the codes named.
    #[staticmethod]
    fn census(
        py: Python<'_>,
        base: u32,
        digits: u32,
        named: Option<Vec<String>>,
        to: u64,
        each: Option<f64>,
    ) -> PyResult<Plan> {
        let codes = named.map_or(Which::All { base, digits }, Which::These);
        made(py, move || bouton_cluster::Plan::census(codes, to, each))
    }

    /// The games of an atlas's plan.
    #[staticmethod]
    fn atlas(py: Python<'_>, plan: String, seconds: Option<f64>) -> PyResult<Plan> {
        made(py, move || bouton_cluster::Plan::atlas(&plan, seconds))
    }

    /// A plan from its text.
    #[staticmethod]
    fn parse(py: Python<'_>, text: String) -> PyResult<Plan> {
        made(py, move || bouton_cluster::Plan::parse(&text))
    }

    #[getter]
    fn text(&self) -> &str {
        self.plan.text()
    }

    #[getter]
    fn digest(&self) -> String {
        self.plan.digest()
    }

    #[getter]
    fn rules(&self) -> String {
        self.plan.rules()
    }

    #[getter]
    fn budget(&self) -> String {
        self.plan.budget()
    }

    fn __len__(&self) -> usize {
        self.plan.parts().len()
    }

    /// Of each shard its name, its games and the seconds it may take.
    fn shards(&self) -> Vec<(String, usize, f64)> {
        self.plan.parts().iter().map(|part| (part.shard.name(), part.shard.games(), part.seconds)).collect()
    }

    /// The text of a shard.
    fn shard(&self, py: Python<'_>, number: usize) -> PyResult<String> {
        let part = self.plan.parts().get(number);
        let part = part.ok_or_else(|| fault::plain(py, &format!("the plan has no shard {number}")))?;
        Ok(part.shard.text().to_owned())
    }

    /// What is wrong with the file of a shard; `None`: nothing.
    fn fault(&self, py: Python<'_>, number: usize, file: Vec<u8>) -> PyResult<Option<String>> {
        let part = self.plan.parts().get(number);
        let part = part.ok_or_else(|| fault::plain(py, &format!("the plan has no shard {number}")))?;
        Ok(py.detach(|| part.shard.open(file)).err().map(|why| why.to_string()))
    }

    /// What the shards' files say together, `None` where one is missing.
    fn table(&self, py: Python<'_>, files: Vec<Option<Vec<u8>>>) -> PyResult<Table> {
        let plan = self.plan.clone();
        let table = run(py, WHOLE, move |_| plan.table(files))?.map_err(|error| match &error {
            TableError::Plan(error) => slip(py, error),
            TableError::File(..) => told(py, &error.to_string()),
        })?;
        Table::of(table).map_err(|error| fault::plain(py, &error.to_string()))
    }
}

/// The names of the atlas's plans that come with the program.
#[pyfunction]
pub fn plans() -> Vec<&'static str> {
    bouton_cluster::atlas_plans()
}

/// Runs a shard: the bytes of its file.
#[pyfunction]
pub fn shard<'py>(py: Python<'py>, text: &str, limits: Limits) -> PyResult<Bound<'py, PyBytes>> {
    let failed = |error: ShardError| match error {
        ShardError::Interrupted(limit) => fault::spent(py, limit),
        other => told(py, &other.to_string()),
    };
    let shard = bouton_cluster::Shard::parse(text).map_err(failed)?;
    let bytes = run(py, limits, move |budget| shard.run(&budget))?.map_err(failed)?;
    Ok(PyBytes::new(py, &bytes))
}

/// Columns of integers and words.
#[pyclass(frozen, module = "bouton._bouton")]
pub struct Table {
    table: bouton_cluster::Table,
    batch: RecordBatch,
}

impl Table {
    fn of(table: bouton_cluster::Table) -> Result<Table, ArrowError> {
        let fields = table.columns.iter().map(|(name, column)| {
            let kind = match column {
                Column::Integers(_) => DataType::Int64,
                Column::Words(_) => DataType::Utf8,
            };
            Field::new(name, kind, true)
        });
        let fields: Vec<Field> = fields.collect();
        let arrays = table.columns.iter().map(|(_, column)| -> ArrayRef {
            match column {
                Column::Integers(all) => Arc::new(all.iter().copied().collect::<Int64Array>()),
                Column::Words(all) => {
                    Arc::new(all.iter().map(|word| word.as_deref()).collect::<StringArray>())
                }
            }
        });
        let arrays = arrays.collect();
        let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)?;
        Ok(Table { table, batch })
    }
}

#[pymethods]
impl Table {
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.table.columns.iter().map(|(name, _)| name.clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.table.len()
    }

    /// A column as a list.
    fn column<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        match self.table.columns.iter().find(|(known, _)| known == name) {
            Some((_, Column::Integers(all))) => all.into_bound_py_any(py),
            Some((_, Column::Words(all))) => {
                all.iter().map(Option::as_deref).collect::<Vec<Option<&str>>>().into_bound_py_any(py)
            }
            None => {
                let message = format!("there is no column {name:?}");
                Err(fault::error(py, Kind::Value, &message, None, &self.columns().join(", ")))
            }
        }
    }

    /// SHA-256 of the sorted lines of CSV.
    fn digest(&self, py: Python<'_>) -> String {
        py.detach(|| self.table.digest())
    }

    fn csv(&self, py: Python<'_>) -> String {
        py.detach(|| self.table.csv())
    }

    /// As a file of Parquet with these metadata.
    fn parquet<'py>(
        &self,
        py: Python<'py>,
        metadata: Vec<(String, String)>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let told: Vec<(&str, String)> =
            metadata.iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
        let bytes = py.detach(|| self.table.parquet(&told));
        Ok(PyBytes::new(py, &bytes.map_err(|error| fault::plain(py, &error.to_string()))?))
    }

    /// The Arrow PyCapsule interface: a stream of one batch. No other schema can be asked for.
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
