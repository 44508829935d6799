//! The buffer protocol: ours for others, and others' for `asarray`.

use std::cell::Cell;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicPtr, Ordering};

use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use strictarray_core::{Array, Buffer, DType, Device, Dims, Error, ExportRef, Layout, Strides};
use strictarray_standard::rule;

use super::PyArray;
use crate::errors::{Fail, Outcome};
use crate::{dispatch, parse};

/// What a buffer of ours holds until it is released: shape and strides, and the export's count.
struct Lease {
    shape: Vec<ffi::Py_ssize_t>,
    strides: Vec<ffi::Py_ssize_t>,
    _export: ExportRef,
}

/// The struct module's code of a data type, native.
const fn format(dtype: DType) -> &'static CStr {
    // C's long is 64 bits wide on most platforms, and then it is what others call int64.
    const LONG: bool = size_of::<std::ffi::c_long>() == 8;
    match dtype {
        DType::Bool => c"?",
        DType::Int8 => c"b",
        DType::Int16 => c"h",
        DType::Int32 => c"i",
        DType::Int64 => {
            if LONG {
                c"l"
            } else {
                c"q"
            }
        }
        DType::UInt8 => c"B",
        DType::UInt16 => c"H",
        DType::UInt32 => c"I",
        DType::UInt64 => {
            if LONG {
                c"L"
            } else {
                c"Q"
            }
        }
        DType::Float32 => c"f",
        DType::Float64 => c"d",
        DType::Complex64 => c"Zf",
        DType::Complex128 => c"Zd",
    }
}

fn check_request(x: &Array, flags: c_int) -> Result<(), Error> {
    let asks = |flag: c_int| flags & flag == flag;
    let refuse = |got: &str| Err(Error::new(&rule::BUFFER_REQUEST, got.to_owned()).argument("flags"));
    let item = x.dtype().size();
    let (c, f) = (x.is_c_contiguous(), x.layout().is_f_contiguous(item));
    if asks(ffi::PyBUF_WRITABLE) && x.read_only() {
        return refuse("a writable buffer of a read-only array is asked for");
    }
    if asks(ffi::PyBUF_C_CONTIGUOUS) && !c {
        return refuse("a C-contiguous buffer of another layout is asked for");
    }
    if asks(ffi::PyBUF_F_CONTIGUOUS) && !f {
        return refuse("a Fortran-contiguous buffer of another layout is asked for");
    }
    if asks(ffi::PyBUF_ANY_CONTIGUOUS) && !c && !f {
        return refuse("a contiguous buffer of another layout is asked for");
    }
    if !asks(ffi::PyBUF_STRIDES) && !c {
        return refuse("a buffer without strides of a layout that needs them is asked for");
    }
    Ok(())
}

#[pymethods]
impl PyArray {
    /// # Safety
    ///
    /// The interpreter's convention: `view` is a struct to fill, or NULL.
    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        if view.is_null() {
            return Err(PyBufferError::new_err("view is NULL"));
        }
        // SAFETY: not NULL, so a struct to fill. The protocol wants obj to be NULL on failure.
        unsafe { (*view).obj = std::ptr::null_mut() };
        // SAFETY: as the interpreter promises.
        let lent = dispatch::watched(&slf, "__buffer__", &[], || unsafe {
            PyArray::lend(slf.clone(), view, flags).map(|()| None::<Bound<'_, PyAny>>)
        });
        if lent.is_err() {
            // SAFETY: a struct to fill. Where a hook raised after it was filled, it holds a reference and a lease.
            unsafe {
                let filled = std::mem::replace(&mut (*view).obj, std::ptr::null_mut());
                if !filled.is_null() {
                    slf.get().take_back(view);
                    ffi::Py_DECREF(filled);
                }
            }
        }
        lent.map(drop)
    }

    /// # Safety
    ///
    /// The interpreter's convention: a struct that `__getbuffer__` filled, released once.
    unsafe fn __releasebuffer__(&self, view: *mut ffi::Py_buffer) {
        // SAFETY: as the interpreter promises.
        unsafe { self.take_back(view) }
    }
}

impl PyArray {
    /// # Safety
    ///
    /// As of `__getbuffer__`, and `view` is not NULL.
    unsafe fn lend(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        let fail = |error: Error| PyErr::from(Fail::Ours(error.function("__buffer__")));
        let x = slf.get().array();
        x.host_shared(&rule::BUFFER_DEVICE).map_err(|e| fail(e.argument("self")))?;
        check_request(x, flags).map_err(fail)?;
        let asks = |flag: c_int| flags & flag == flag;
        let item = x.dtype().size();
        let mut lease = Box::new(Lease {
            shape: x.shape().iter().map(|&n| n as ffi::Py_ssize_t).collect(),
            strides: x.layout().strides().to_vec(),
            _export: x.buffer().export(),
        });
        let (shape, strides) = (lease.shape.as_mut_ptr(), lease.strides.as_mut_ptr());
        // SAFETY: `view` is a struct to fill; what it points to lives in the lease, which __releasebuffer__ frees, and in
        // the array's block, which the lease counts.
        unsafe {
            (*view).buf = x.ptr().cast::<c_void>();
            (*view).len = (x.size() * item) as ffi::Py_ssize_t;
            (*view).itemsize = item as ffi::Py_ssize_t;
            (*view).readonly = c_int::from(x.read_only());
            // Who asks for no shape sees bytes in a row, as memoryview gives them.
            (*view).ndim = if asks(ffi::PyBUF_ND) { x.ndim() as c_int } else { 1 };
            (*view).format =
                if asks(ffi::PyBUF_FORMAT) { format(x.dtype()).as_ptr().cast_mut() } else { std::ptr::null_mut() };
            (*view).shape = if asks(ffi::PyBUF_ND) { shape } else { std::ptr::null_mut() };
            (*view).strides = if asks(ffi::PyBUF_STRIDES) { strides } else { std::ptr::null_mut() };
            (*view).suboffsets = std::ptr::null_mut();
            (*view).internal = Box::into_raw(lease).cast();
            (*view).obj = slf.into_any().into_ptr();
        }
        Ok(())
    }

    /// # Safety
    ///
    /// A struct that `lend` filled, taken back once.
    unsafe fn take_back(&self, view: *mut ffi::Py_buffer) {
        // SAFETY: `internal` is the lease that __getbuffer__ made.
        unsafe {
            let lease = (*view).internal.cast::<Lease>();
            if !lease.is_null() {
                (*view).internal = std::ptr::null_mut();
                drop(Box::from_raw(lease));
            }
        }
    }
}

// ---- others' buffers -------------------------------------------------------------------------------------------

/// A buffer that somebody lent us. It goes back to its exporter where the interpreter is attached: dropping it only queues
/// it, because the last user may be a DLPack deleter on a thread that knows no Python.
struct Borrowed(Option<Box<ffi::Py_buffer>>);

// SAFETY: the struct is only moved; it is released by an attached thread.
unsafe impl Send for Borrowed {}
// SAFETY: as above; nothing reads it through a shared reference.
unsafe impl Sync for Borrowed {}

/// Buffers that wait to be given back: a stack without a lock, since a deleter's thread, or the child of a fork(), must never
/// wait here.
static QUEUE: AtomicPtr<Queued> = AtomicPtr::new(std::ptr::null_mut());

struct Queued {
    view: Box<ffi::Py_buffer>,
    next: *mut Queued,
}

fn enqueue(view: Box<ffi::Py_buffer>) {
    let node = Box::into_raw(Box::new(Queued { view, next: QUEUE.load(Ordering::Relaxed) }));
    // SAFETY: the node is ours until it is in the stack. Nodes leave only all at once, so that the top that was seen can't
    // have left and come back meanwhile.
    let push = |top| unsafe {
        (*node).next = top;
        QUEUE.compare_exchange_weak(top, node, Ordering::Release, Ordering::Relaxed)
    };
    // SAFETY: as above.
    let mut top = unsafe { (*node).next };
    while let Err(now) = push(top) {
        top = now;
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        if let Some(view) = self.0.take() {
            enqueue(view);
            // SAFETY: may be called from any thread, attached or not; a queue that is full only delays the release, until
            // the next array is dropped.
            unsafe {
                if ffi::Py_IsInitialized() != 0 {
                    ffi::Py_AddPendingCall(Some(pending), std::ptr::null_mut());
                }
            }
        }
    }
}

extern "C" fn pending(_: *mut c_void) -> c_int {
    drain_releases();
    0
}

/// Gives queued buffers back to their exporters. The thread must be attached: called where an array object dies, and by
/// the interpreter.
#[inline]
pub(crate) fn drain_releases() {
    if !QUEUE.load(Ordering::Relaxed).is_null() {
        drain();
    }
}

#[cold]
fn drain() {
    thread_local! {
        /// Whether this thread is giving buffers back: a release may queue another, which the first call then takes, so
        /// that a chain of exchanges does not become a depth of the stack.
        static DRAINING: Cell<bool> = const { Cell::new(false) };
    }
    if DRAINING.replace(true) {
        return;
    }
    loop {
        let mut node = QUEUE.swap(std::ptr::null_mut(), Ordering::Acquire);
        if node.is_null() {
            break;
        }
        while !node.is_null() {
            // SAFETY: the whole stack was taken: its nodes are ours, each made by `enqueue`.
            let Queued { mut view, next } = *unsafe { Box::from_raw(node) };
            // SAFETY: a buffer that PyObject_GetBuffer filled, released once; the thread is attached.
            unsafe { ffi::PyBuffer_Release(&raw mut *view) };
            node = next;
        }
    }
    DRAINING.set(false);
}

/// An array that shares an exporter's buffer (or copies what is misaligned); `None` for an object without one.
///
/// NumPy's scalars are buffers and scalars at once: they are refused as the scalars they are.
pub(crate) fn from_buffer(object: &Bound<'_, PyAny>, copy: Option<bool>) -> Outcome<Option<Array>> {
    if !has_buffer(object) || is_numpy_scalar(object)? {
        return Ok(None);
    }
    let mut view = Box::new(ffi::Py_buffer::new());
    // SAFETY: a live object and a struct to fill.
    if unsafe { ffi::PyObject_GetBuffer(object.as_ptr(), &raw mut *view, ffi::PyBUF_FULL_RO) } != 0 {
        let cause = PyErr::fetch(object.py());
        let got = format!("got {} that gives no buffer ({})", parse::type_name(object), cause.value(object.py()));
        return Err(Error::new(&rule::BUFFER_FORMAT, got).argument("obj").into());
    }
    // SAFETY: a filled buffer: what its fields point to lives until it is released.
    let described = unsafe { describe(&view, object) };
    let lender = Borrowed(Some(view));
    let Described { dtype, shape, strides, low, len, offset, read_only, aligned } = match described {
        Ok(described) => described,
        Err(error) => {
            drop(lender);
            drain_releases();
            return Err(error.argument("obj").into());
        }
    };
    // SAFETY: the exporter keeps these bytes until the buffer is released, which the lender's drop leads to; arrays of
    // read-only buffers are read-only.
    let buffer = unsafe { Buffer::borrowed(low, len, Device::CPU, Box::new(lender)) }?;
    let layout = Layout::new(shape, strides, offset);
    if aligned {
        return Ok(Some(Array::from_parts(buffer, layout, dtype, read_only)?));
    }
    if copy == Some(false) {
        let got = format!("got a buffer that is not aligned to its dtype {dtype}");
        return Err(Error::new(&rule::COPY_NEEDED, got).argument("copy").into());
    }
    Ok(Some(strictarray_core::copy_misaligned(buffer, &layout, dtype, Device::CPU)?))
}

/// Whether an object has the buffer protocol.
pub(crate) fn has_buffer(object: &Bound<'_, PyAny>) -> bool {
    // SAFETY: a live object.
    unsafe { ffi::PyObject_CheckBuffer(object.as_ptr()) != 0 }
}

/// Whether an object is a scalar of NumPy's kind: a buffer without axes that is also a number.
pub(crate) fn is_numpy_scalar(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let class = object.get_type();
    Ok(class.hasattr("__array_priority__")?
        && class.hasattr("__array_interface__")?
        && !class.hasattr("__setitem__")?)
}

struct Described {
    dtype: DType,
    shape: Dims,
    strides: Strides,
    low: NonNull<u8>,
    len: usize,
    offset: usize,
    read_only: bool,
    aligned: bool,
}

/// # Safety
///
/// The view was filled by PyObject_GetBuffer with PyBUF_FULL_RO and is not released.
unsafe fn describe(view: &ffi::Py_buffer, object: &Bound<'_, PyAny>) -> Result<Described, Error> {
    let refuse = |got: String| Error::new(&rule::BUFFER_FORMAT, got);
    let text = if view.format.is_null() {
        // NULL means unsigned bytes.
        "B"
    } else {
        // SAFETY: a format that is not NULL is a C string.
        unsafe { CStr::from_ptr(view.format.cast::<c_char>()) }.to_str().unwrap_or("?")
    };
    let item = view.itemsize.unsigned_abs();
    let Some(dtype) = dtype_of(text, item) else {
        return Err(refuse(format!(
            "got {} with the buffer format {text:?} of {item}-byte items",
            parse::type_name(object)
        )));
    };
    let ndim = view.ndim.max(0) as usize;
    strictarray_core::check_ndim(ndim)?;
    // SAFETY: with PyBUF_FULL_RO shape and strides have ndim entries, or are NULL where ndim is 0 (strides also where C
    // order holds).
    let (shape, given): (Dims, Option<&[isize]>) = unsafe {
        let shape = if view.shape.is_null() {
            if ndim > 0 { Dims::from_slice(&[view.len.unsigned_abs() / item.max(1)]) } else { Dims::new() }
        } else {
            std::slice::from_raw_parts(view.shape, ndim).iter().map(|n| n.unsigned_abs()).collect()
        };
        let strides = (!view.strides.is_null()).then(|| std::slice::from_raw_parts(view.strides, ndim));
        // SAFETY: likewise ndim entries, or NULL.
        let indirect =
            !view.suboffsets.is_null() && std::slice::from_raw_parts(view.suboffsets, ndim).iter().any(|s| *s >= 0);
        if indirect {
            return Err(refuse("got a buffer with suboffsets".to_owned()));
        }
        (shape, strides)
    };
    let c_order = Layout::c_order(&shape, item)?;
    let mut strides = Strides::from_slice(given.unwrap_or(c_order.strides()));
    for (stride, n) in strides.iter_mut().zip(&shape) {
        if *n <= 1 {
            // It leads nowhere, and may be anything.
            *stride = item as isize;
        }
    }
    let empty = shape.contains(&0);
    let (mut below, mut above) = (0i128, item as i128);
    for (&n, &s) in shape.iter().zip(&strides) {
        let reach = (n as i128 - 1) * s as i128;
        if reach < 0 { below -= reach } else { above += reach }
    }
    if !empty && (view.buf.is_null() || below + above > isize::MAX as i128) {
        return Err(refuse("got a buffer that leaves the address space".to_owned()));
    }
    let (below, len) = if empty { (0, 0) } else { (below as usize, (below + above) as usize) };
    let low = NonNull::new(view.buf.cast::<u8>().wrapping_sub(below)).filter(|_| !empty);
    let align = dtype.align();
    let aligned = empty
        || view.buf.addr().is_multiple_of(align) && strides.iter().all(|s| s.unsigned_abs().is_multiple_of(align));
    Ok(Described {
        dtype,
        shape,
        strides,
        low: low.unwrap_or(NonNull::<u128>::dangling().cast()),
        len,
        offset: below,
        read_only: view.readonly != 0,
        aligned,
    })
}

/// The data type of a buffer format in native byte order.
fn dtype_of(format: &str, item: usize) -> Option<DType> {
    let native = if cfg!(target_endian = "little") { '<' } else { '>' };
    // Standard sizes and native ones differ in name only: the item size decides.
    let code = format.strip_prefix(['@', '=', native]).unwrap_or(format);
    let dtype = match (code, item) {
        ("?", 1) => DType::Bool,
        ("b", 1) => DType::Int8,
        ("B", 1) => DType::UInt8,
        ("h" | "i" | "l" | "q" | "n", 2) => DType::Int16,
        ("h" | "i" | "l" | "q" | "n", 4) => DType::Int32,
        ("h" | "i" | "l" | "q" | "n", 8) => DType::Int64,
        ("H" | "I" | "L" | "Q" | "N", 2) => DType::UInt16,
        ("H" | "I" | "L" | "Q" | "N", 4) => DType::UInt32,
        ("H" | "I" | "L" | "Q" | "N", 8) => DType::UInt64,
        ("f", 4) => DType::Float32,
        ("d", 8) => DType::Float64,
        ("Zf", 8) => DType::Complex64,
        ("Zd", 16) => DType::Complex128,
        _ => return None,
    };
    Some(dtype)
}
