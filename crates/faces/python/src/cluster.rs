//! Long computations in shards: plans, the run of one shard, the table of the files. Python
//! schedules the shards.

use crate::arrow;
use crate::call::{Limits, run};
use crate::errors::{self, Kind};
use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use bouton_cluster::{
    CodeSet, Column, PlanError, PlannedShard, ShardError, TableError, UsageError,
};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule};
use std::sync::Arc;

/// A computation, divided into shards.
#[pyclass(frozen, module = "bouton._bouton")]
pub struct Plan {
    plan: Arc<bouton_cluster::Plan>,
}

const NO_LIMITS: Limits = Limits(None, None, None);

fn plan_error(py: Python<'_>, error: &PlanError) -> PyErr {
    match error {
        PlanError::Notation(error) => errors::notation(py, error),
        PlanError::Usage(error) => usage(py, error),
    }
}

fn usage(py: Python<'_>, error: &UsageError) -> PyErr {
    errors::error(py, Kind::Value, &error.message, None, &error.accepted)
}

/// Makes a plan outside the interpreter lock.
fn make_plan(
    py: Python<'_>,
    make: impl FnOnce() -> Result<bouton_cluster::Plan, PlanError> + Send + 'static,
) -> PyResult<Plan> {
    let plan = run(py, NO_LIMITS, move |_| make())?.map_err(|error| plan_error(py, &error))?;
    Ok(Plan { plan: Arc::new(plan) })
}

impl Plan {
    fn planned(&self, py: Python<'_>, number: usize) -> PyResult<&PlannedShard> {
        let shard = self.plan.shards().get(number);
        shard.ok_or_else(|| errors::plain(py, &format!("the plan has no shard {number}")))
    }
}

#[pymethods]
impl Plan {
    /// Plans a sweep of every game of a family of Kotzig's Nim.
    #[staticmethod]
    fn sweep(
        py: Python<'_>,
        family: String,
        ranges: Vec<(String, i64, i64)>,
        misere: bool,
        nodes: u64,
    ) -> PyResult<Plan> {
        make_plan(py, move || bouton_cluster::Plan::sweep(&family, ranges, misere, nodes))
    }

    /// Plans a census of every take-and-break code up to a number of digits, or of the codes of a
    /// list.
    #[staticmethod]
    fn census(
        py: Python<'_>,
        base: u32,
        digits: u32,
        named: Option<Vec<String>>,
        to: u64,
        each: Option<f64>,
    ) -> PyResult<Plan> {
        let codes = named.map_or(CodeSet::All { base, digits }, CodeSet::Listed);
        make_plan(py, move || bouton_cluster::Plan::census(codes, to, each))
    }

    /// Plans the games of an atlas.
    #[staticmethod]
    fn atlas(py: Python<'_>, plan: String, seconds: Option<f64>) -> PyResult<Plan> {
        make_plan(py, move || bouton_cluster::Plan::atlas(&plan, seconds))
    }

    /// Reads a plan from its text.
    #[staticmethod]
    fn parse(py: Python<'_>, text: String) -> PyResult<Plan> {
        make_plan(py, move || bouton_cluster::Plan::parse(&text))
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
        self.plan.shards().len()
    }

    /// Returns the name, the number of games and the expected seconds of each shard.
    fn shards(&self) -> Vec<(String, usize, f64)> {
        let row =
            |planned: &PlannedShard| (planned.shard.name(), planned.shard.games(), planned.seconds);
        self.plan.shards().iter().map(row).collect()
    }

    /// Returns the text of a shard.
    fn shard(&self, py: Python<'_>, number: usize) -> PyResult<String> {
        Ok(self.planned(py, number)?.shard.text().to_owned())
    }

    /// Returns the error of a shard's file, or `None` if the file is intact.
    fn fault(&self, py: Python<'_>, number: usize, file: Vec<u8>) -> PyResult<Option<String>> {
        let shard = &self.planned(py, number)?.shard;
        Ok(py.detach(|| shard.open(file)).err().map(|error| error.to_string()))
    }

    /// Returns the table of the shards' files; `None` stands for a missing file.
    fn table(&self, py: Python<'_>, files: Vec<Option<Vec<u8>>>) -> PyResult<Table> {
        let plan = self.plan.clone();
        let table =
            run(py, NO_LIMITS, move |_| plan.table(files))?.map_err(|error| match &error {
                TableError::Plan(error) => plan_error(py, error),
                TableError::File(..) => errors::plain(py, &error.to_string()),
            })?;
        Table::new(table).map_err(|error| errors::plain(py, &error.to_string()))
    }
}

/// Returns the names of the atlas's plans that come with the program.
#[pyfunction]
pub fn plans() -> Vec<&'static str> {
    bouton_cluster::atlas_plans()
}

/// Runs a shard: the bytes of its file.
#[pyfunction]
pub fn shard<'py>(py: Python<'py>, text: &str, limits: Limits) -> PyResult<Bound<'py, PyBytes>> {
    let failed = |error: ShardError| match &error {
        ShardError::Interrupted(limit) => errors::spent(py, *limit),
        ShardError::Usage(error) => usage(py, error),
        ShardError::File(_) => errors::plain(py, &error.to_string()),
    };
    let shard = bouton_cluster::Shard::parse(text).map_err(failed)?;
    let bytes = run(py, limits, move |budget| shard.run(&budget))?.map_err(failed)?;
    Ok(PyBytes::new(py, &bytes))
}

/// Columns of integers and words.
#[pyclass(frozen, module = "bouton._bouton")]
pub struct Table {
    table: bouton_cluster::ResultTable,
    batch: RecordBatch,
}

impl Table {
    fn new(table: bouton_cluster::ResultTable) -> Result<Table, ArrowError> {
        let fields = table.columns.iter().map(|(name, column)| {
            let kind = match column {
                Column::Integers(_) => DataType::Int64,
                Column::Texts(_) => DataType::Utf8,
            };
            Field::new(name, kind, true)
        });
        let fields: Vec<Field> = fields.collect();
        let arrays = table.columns.iter().map(|(_, column)| -> ArrayRef {
            match column {
                Column::Integers(all) => Arc::new(all.iter().copied().collect::<Int64Array>()),
                Column::Texts(all) => {
                    Arc::new(all.iter().map(|text| text.as_deref()).collect::<StringArray>())
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

    /// Returns a column as a list.
    fn column<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        match self.table.columns.iter().find(|(known, _)| known == name) {
            Some((_, Column::Integers(all))) => all.into_bound_py_any(py),
            Some((_, Column::Texts(all))) => all
                .iter()
                .map(Option::as_deref)
                .collect::<Vec<Option<&str>>>()
                .into_bound_py_any(py),
            None => {
                let message = format!("there is no column {name:?}");
                Err(errors::error(py, Kind::Value, &message, None, &self.columns().join(", ")))
            }
        }
    }

    /// Returns SHA-256 of the sorted lines of CSV.
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
        let metadata: Vec<(&str, String)> =
            metadata.iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
        let bytes = py.detach(|| self.table.parquet(&metadata));
        Ok(PyBytes::new(py, &bytes.map_err(|error| errors::plain(py, &error.to_string()))?))
    }

    /// Returns a stream of one batch, by the Arrow PyCapsule interface. No other schema can be
    /// asked for.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A producer may ignore the requested schema.
        drop(requested_schema);
        arrow::stream(py, &self.batch)
    }
}
