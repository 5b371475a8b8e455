//! `bouton._bouton`: the compiled part of the Python package.
//!
//! The package `bouton` (python/bouton beside this) is what people use: names, checks of arguments,
//! arrays, displays. Here is what must be Rust: calls into the engines with the GIL released and
//! Ctrl-C heard ([`call`]), arrays without a copy ([`numbers`]), data as dictionaries with the keys
//! of docs/json.md ([`data`]). Nothing is decided here.

mod arrow;
mod call;
mod cash;
mod cluster;
mod data;
mod errors;
mod game;
mod graph;
mod kotzig;
mod ledger;
mod many;
mod numbers;
mod picture;
mod sequence;
mod study;
mod theory;

/// The engines of bouton, from below; use the package `bouton`.
#[pyo3::pymodule]
mod _bouton {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::arrow::columns_stream;
    #[pymodule_export]
    use crate::cash::{Condition, cash};
    #[pymodule_export]
    use crate::cluster::{Plan, Table, plans, shard};
    #[pymodule_export]
    use crate::game::{Game, games, program_name};
    #[pymodule_export]
    use crate::graph::Graph;
    #[pymodule_export]
    use crate::kotzig::circles;
    #[pymodule_export]
    use crate::kotzig::outcomes;
    #[pymodule_export]
    use crate::ledger::{Ledger, ledger};
    #[pymodule_export]
    use crate::numbers::Numbers;
    #[pymodule_export]
    use crate::picture::{Picture, heatmap, ruler};
    #[pymodule_export]
    use crate::sequence::{genus, period, quotient};
    #[pymodule_export]
    use crate::study::{RangeStudy, Study, study, study_range};
    #[pymodule_export]
    use crate::theory::{check, conjecture, coq, formula, logic};

    /// Runs the command line `bouton` with its arguments, the program's name first; returns the
    /// exit status.
    #[pyfunction]
    fn command_line(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
        py.detach(|| bouton_cli::run_command_line(arguments.into_iter()))
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("version", env!("CARGO_PKG_VERSION"))
    }
}
