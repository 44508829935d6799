//! The handlers: from bound arguments to one kernel and back. One file for each section of the standard and each extension.

pub(crate) mod creation;
pub(crate) mod data_type;
pub(crate) mod elementwise;
pub(crate) mod fft;
pub(crate) mod indexing;
pub(crate) mod info;
pub(crate) mod linalg;
pub(crate) mod linear_algebra;
pub(crate) mod manipulation;
pub(crate) mod reduced;
pub(crate) mod searching;
pub(crate) mod set;
pub(crate) mod sorting;
pub(crate) mod statistical;
pub(crate) mod utility;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use strictarray_core::{Array, DType, Device, Error};
use strictarray_kernels::{BinaryKernel, Ctx, UnaryKernel};
use strictarray_standard::rule;

use crate::array::wrap;
use crate::dispatch::{Call, Handler};
use crate::errors::{Outcome, keep_interrupt};
use crate::once::Once;

/// The kernel of an elementwise function, looked up once.
#[derive(Clone, Copy)]
pub(crate) enum Kernel {
    None,
    Unary(UnaryKernel),
    Binary(BinaryKernel),
}

impl Kernel {
    /// The kernel of the function of this name.
    pub(crate) fn of(name: &str) -> Kernel {
        let unary = strictarray_kernels::elementwise::unary(name).map(Kernel::Unary);
        let binary = || strictarray_kernels::elementwise::binary(name).map(Kernel::Binary);
        unary.or_else(binary).unwrap_or(Kernel::None)
    }
}

/// The handler of the function of this name.
pub(crate) fn handler(name: &str) -> Option<Handler> {
    creation::handler(name)
        .or_else(|| data_type::handler(name))
        .or_else(|| elementwise::handler(name))
        .or_else(|| fft::handler(name))
        .or_else(|| indexing::handler(name))
        .or_else(|| linalg::handler(name))
        .or_else(|| linear_algebra::handler(name))
        .or_else(|| manipulation::handler(name))
        .or_else(|| searching::handler(name))
        .or_else(|| set::handler(name))
        .or_else(|| sorting::handler(name))
        .or_else(|| info::handler(name))
        .or_else(|| statistical::handler(name))
        .or_else(|| utility::handler(name))
}

/// Elements from which on a kernel runs without the interpreter's lock and can be interrupted.
const LONG: usize = 1 << 15;

/// How many threads kernels may use: `STRICTARRAY_NUM_THREADS`, else the machine's.
fn thread_count() -> usize {
    // No lock, which the child of a `fork()` in that moment would wait for: several threads may find the same number.
    static THREADS: AtomicUsize = AtomicUsize::new(0);
    let known = THREADS.load(Ordering::Relaxed);
    if known > 0 {
        return known;
    }
    let asked = std::env::var("STRICTARRAY_NUM_THREADS").ok().and_then(|n| n.trim().parse().ok());
    let threads = asked
        .filter(|n| *n > 0)
        .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get));
    THREADS.store(threads, Ordering::Relaxed);
    threads
}

/// Runs a kernel on about this many elements: a short one at once, a long one without the interpreter's lock, asking every
/// millisecond whether a signal arrived.
#[inline]
pub(crate) fn run_kernel<R: Send>(
    py: Python<'_>,
    elements: usize,
    kernel: impl FnOnce(&Ctx<'_>) -> strictarray_core::Result<R> + Send,
) -> Outcome<R> {
    if elements < LONG {
        return Ok(kernel(&Ctx::new())?);
    }
    let signalled = || {
        Python::attach(|py| match py.check_signals() {
            Ok(()) => false,
            Err(error) => {
                keep_interrupt(error);
                true
            }
        })
    };
    // Signals are handled by the main thread alone: another one need not ask for the lock.
    let interruptible = on_main_thread(py)?;
    let run = || {
        let ctx = Ctx::new().threads(thread_count());
        kernel(&if interruptible { ctx.cancelled_by(&signalled) } else { ctx })
    };
    Ok(py.detach(run)?)
}

/// Whether this is the thread that handles signals. It runs no Python code, but for the first call in a process: a daemon
/// thread that comes back to Python code while the interpreter ends is unwound by force, which Rust code can't stand.
fn on_main_thread(py: Python<'_>) -> PyResult<bool> {
    static GET_IDENT: Once<Py<PyAny>> = Once::new();
    // The process and its main thread: in a child of `fork()` another thread may be it.
    static MAIN: Mutex<Option<(u32, u64)>> = Mutex::new(None);
    let get_ident =
        GET_IDENT.get_or_try_init(py, || Ok::<_, PyErr>(py.import("_thread")?.getattr("get_ident")?.unbind()))?;
    let here: u64 = get_ident.bind(py).call0()?.extract()?;
    let process = std::process::id();
    // Only tried: the lock may have been held when the process forked.
    let known = MAIN.try_lock().ok().and_then(|main| *main).filter(|(of, _)| *of == process);
    if let Some((_, main)) = known {
        return Ok(here == main);
    }
    let main: u64 = py.import("threading")?.call_method0("main_thread")?.getattr("ident")?.extract()?;
    if let Ok(mut slot) = MAIN.try_lock() {
        *slot = Some((process, main));
    }
    Ok(here == main)
}

/// [`Array::transfer`], a long one without the interpreter's lock.
pub(crate) fn transfer(py: Python<'_>, x: &Array, device: Device, copy: Option<bool>) -> Outcome<Array> {
    run_kernel(py, x.size(), |_| x.transfer(device, copy))
}

/// A copy in another data type, on this device.
pub(crate) fn recast(py: Python<'_>, x: &Array, dtype: DType, device: Device) -> Outcome<Array> {
    if x.device().supports(dtype) {
        return transfer(py, &elementwise::cast_to(py, x, dtype)?, device, None);
    }
    // The source device lacks the data type: move first, in a type that both have, then cast.
    elementwise::cast_to(py, &transfer(py, x, device, None)?, dtype)
}

/// Refuses an array, the argument of this name, on another device than the first.
pub(crate) fn same_device_as(first: &Array, x: &Array, name: &'static str) -> Outcome<()> {
    if first.device() == x.device() {
        return Ok(());
    }
    Err(devices_differ(first, x).argument(name).into())
}

#[cold]
fn devices_differ(x1: &Array, x2: &Array) -> Error {
    Error::new(&rule::DEVICE_MIXED, format!("got arrays on devices {} and {}", x1.device(), x2.device()))
}

/// Refuses a function whose result's shape depends on values where the flag says so.
pub(crate) fn data_dependent(call: &Call<'_, '_>) -> Outcome<()> {
    if call.flags.data_dependent_shapes {
        return Ok(());
    }
    let got = format!("{} while data_dependent_shapes is False", call.row.name);
    Err(Error::new(&rule::FLAG_OFF, got).into())
}

/// The data type of indices up to `n` on the array's device.
pub(crate) fn index_dtype(x: &Array, n: usize) -> Outcome<DType> {
    let dtype = x.device().defaults().indexing;
    if dtype == DType::Int32 && n > i32::MAX as usize {
        let error = Error::new(&rule::VALUE, format!("got {n} elements on device {}", x.device()));
        return Err(error.requires(format!("indices on this device are {dtype}")).into());
    }
    Ok(dtype)
}

/// The named tuple of this name, of arrays.
pub(crate) fn named<'py>(
    py: Python<'py>,
    class: &'static Once<Py<PyAny>>,
    name: &str,
    arrays: impl IntoIterator<Item = Array>,
) -> Outcome<Bound<'py, PyAny>> {
    let class =
        class.get_or_try_init(py, || Ok::<_, PyErr>(py.import("strictarray._results")?.getattr(name)?.unbind()))?;
    let arrays: Vec<_> = arrays.into_iter().map(|x| wrap(py, x)).collect::<Outcome<_>>()?;
    Ok(class.bind(py).call1(PyTuple::new(py, arrays)?)?)
}
