//! JSON values as Python's dictionaries, lists, numbers and texts.

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde::Serialize;
use serde_json::Value;

/// A value that goes to Python as plain data.
pub struct Data(pub Value);

impl Data {
    /// Returns an answer as plain data.
    pub fn new(answer: &impl Serialize) -> Data {
        // Plain data whose keys are texts cannot fail to serialise.
        Data(serde_json::to_value(answer).unwrap_or_default())
    }
}

impl<'py> IntoPyObject<'py> for Data {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        plain(py, &self.0)
    }
}

fn plain<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Null => Ok(py.None().into_bound(py)),
        Value::Bool(truth) => truth.into_bound_py_any(py),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(number), _) => number.into_bound_py_any(py),
            (None, Some(number)) => number.into_bound_py_any(py),
            (None, None) => number.as_f64().into_bound_py_any(py),
        },
        Value::String(text) => text.into_bound_py_any(py),
        Value::Array(all) => {
            let list = PyList::empty(py);
            all.iter().try_for_each(|one| list.append(plain(py, one)?))?;
            list.into_bound_py_any(py)
        }
        Value::Object(all) => {
            let dict = PyDict::new(py);
            all.iter().try_for_each(|(key, one)| dict.set_item(key, plain(py, one)?))?;
            dict.into_bound_py_any(py)
        }
    }
}
