//! The Python door: the native half of the wheel `formicary`.
//!
//! Requests and results cross as JSON text, converted once on each side; everything that a Python user sees is Python, in
//! `python/formicary`.
//!
//! | module | what it holds |
//! |---|---|
//! | [`engine`] | the object that holds a configured platform |
//! | [`operations`] | one function a use-case: JSON in, JSON out |
//! | [`waiting`] | work without the interpreter's lock, called off by Ctrl-C |
//! | [`stream`] | a run's events as they come |
//! | [`attended`] | the agent, with callbacks of the caller's |
//! | [`failure`] | failures as a Python exception |

mod attended;
mod engine;
mod failure;
mod operations;
mod stream;
mod waiting;

use formicary_model::{Language, Limits};
use formicary_platform::seeds;
use pyo3::prelude::*;

/// The native half of the package; its typed face is the package itself.
#[pymodule]
fn _formicary(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("NativeFailure", module.py().get_type::<failure::NativeFailure>())?;
    module.add_class::<engine::Engine>()?;
    module.add_class::<engine::Cancellation>()?;
    module.add_class::<stream::Stream>()?;
    module.add_function(wrap_pyfunction!(languages, module)?)?;
    module.add_function(wrap_pyfunction!(limits, module)?)?;
    module.add_function(wrap_pyfunction!(check_limits, module)?)?;
    module.add_function(wrap_pyfunction!(prepare_code_file, module)?)?;
    module.add_function(wrap_pyfunction!(prepare_stdin_file, module)?)?;
    module.add_function(wrap_pyfunction!(cleanup_temp_files, module)?)
}

/// Every built-in language: identifier, other words for it, file endings.
#[pyfunction]
fn languages() -> Vec<(&'static str, Vec<&'static str>, Vec<&'static str>)> {
    let row =
        |language: Language| (language.id(), language.aliases().to_vec(), language.extensions().to_vec());
    Language::ALL.into_iter().map(row).collect()
}

/// Every limit: name, least, most.
#[pyfunction]
fn limits() -> Vec<(&'static str, f64, f64)> {
    Limits::TABLE.iter().map(|info| (info.name, info.min, info.max)).collect()
}

/// Refuses limits that lie outside their bounds.
#[pyfunction]
fn check_limits(limits: &str) -> PyResult<()> {
    operations::read(limits).and_then(|limits| operations::checked(&limits)).map_err(failure::raised)
}

/// Writes code into a fresh private folder below `folder`.
#[pyfunction]
fn prepare_code_file(language: &str, code: &str, folder: std::path::PathBuf) -> PyResult<std::path::PathBuf> {
    seeds::prepare_code_file(language, code, &folder).map_err(failure::raised)
}

/// Writes standard input into a fresh private folder below `folder`.
#[pyfunction]
fn prepare_stdin_file(stdin: &str, folder: std::path::PathBuf) -> PyResult<std::path::PathBuf> {
    seeds::prepare_stdin_file(stdin, &folder).map_err(failure::raised)
}

/// Removes prepared files; says how many there were.
#[pyfunction]
fn cleanup_temp_files(paths: Vec<std::path::PathBuf>) -> PyResult<usize> {
    seeds::cleanup_temp_files(&paths).map_err(failure::raised)
}
