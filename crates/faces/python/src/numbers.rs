//! Numbers that Rust computed, where Python's arrays find them: the buffer protocol, no copy.

use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use std::any::Any;
use std::ffi::c_int;

/// A block of numbers that Rust made and Python owns: `numpy.frombuffer(numbers, dtype)` is an
/// array on it, which may be written to. Length in bytes by `len`.
#[pyclass(frozen, module = "bouton._bouton")]
pub struct Numbers {
    /// The beginning of what `_owner` holds.
    start: *mut u8,
    /// Bytes.
    len: usize,
    /// Frees the block; never read or written from Rust again.
    _owner: Box<dyn Any + Send + Sync>,
}

// SAFETY: Rust makes no access to the block after it was handed over; those of Python are Python's
// affair, as of any array.
unsafe impl Send for Numbers {}
// SAFETY: as above.
unsafe impl Sync for Numbers {}

/// Numbers of a fixed size without padding, any bits of which are a number.
pub trait Plain: Copy + Send + Sync + 'static {}
impl Plain for u16 {}
impl Plain for u32 {}
impl Plain for i32 {}
impl Plain for i64 {}

impl<T: Plain> From<Vec<T>> for Numbers {
    fn from(mut numbers: Vec<T>) -> Numbers {
        // The heap block does not move when the vector does.
        let (start, len) = (numbers.as_mut_ptr().cast(), size_of_val(numbers.as_slice()));
        Numbers { start, len, _owner: Box::new(numbers) }
    }
}

#[pymethods]
impl Numbers {
    fn __len__(&self) -> usize {
        self.len
    }

    /// # Safety
    /// Python calls it with a view to be filled.
    unsafe fn __getbuffer__(
        slf: Bound<'_, Self>,
        view: *mut ffi::Py_buffer,
        flags: c_int,
    ) -> PyResult<()> {
        if view.is_null() {
            return Err(PyBufferError::new_err("a view is wanted"));
        }
        let (start, len) = (slf.get().start, slf.get().len as ffi::Py_ssize_t);
        // SAFETY: the block lives as long as the object, of which the view keeps a reference.
        let filled =
            unsafe { ffi::PyBuffer_FillInfo(view, slf.as_ptr(), start.cast(), len, 0, flags) };
        if filled == 0 { Ok(()) } else { Err(PyErr::fetch(slf.py())) }
    }

    /// # Safety
    /// Python calls it with a view that was filled above; nothing is to be released.
    unsafe fn __releasebuffer__(&self, _view: *mut ffi::Py_buffer) {}
}
