//! DLPack: `__dlpack__`, `__dlpack_device__`, the C exchange API, and `from_dlpack`.

use std::ffi::{CStr, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyString, PyTuple};
use strictarray_core::{
    Array, Device, Error, ExportRequest, HostExport, borrowed_tensor, export, export_by, import, import_check,
};
use strictarray_dlpack::ffi::{
    CAPSULE_EXCHANGE_API, DLDevice, DLManagedTensorVersioned, DLPackExchangeAPI, DLPackSetError, DLTensor,
};
use strictarray_dlpack::{Carrier, ConsumeError, OwnedTensor, RawTensor, Rejected, consume_if, destroy, exchange};
use strictarray_standard::{Feature, added, relaxation, rule};

use super::{PyArray, wrap};
use crate::arguments::has;
use crate::dispatch::Call;
use crate::errors::{Fail, Outcome};
use crate::once::{Once, interned};
use crate::{dispatch, parse, settings};

// ---- capsules --------------------------------------------------------------------------------------------------

/// A Python capsule, as the DLPack crate sees it.
struct Capsule(*mut ffi::PyObject);

impl Carrier for Capsule {
    type Error = ();

    fn name(&self) -> Option<&CStr> {
        // SAFETY: a live capsule; its name lives as long as it is not changed, and names are static strings of exporters
        // by the protocol.
        unsafe {
            let name = ffi::PyCapsule_GetName(self.0);
            if name.is_null() {
                // NULL is a name too, or an error: neither is ours.
                ffi::PyErr_Clear();
                None
            } else {
                Some(CStr::from_ptr(name))
            }
        }
    }

    fn pointer(&self, name: &CStr) -> Result<*mut c_void, ()> {
        // SAFETY: a live capsule.
        let pointer = unsafe { ffi::PyCapsule_GetPointer(self.0, name.as_ptr()) };
        if pointer.is_null() {
            // SAFETY: the thread is attached.
            unsafe { ffi::PyErr_Clear() };
            return Err(());
        }
        Ok(pointer)
    }

    fn set_name(&self, name: &'static CStr) -> Result<(), ()> {
        // SAFETY: a live capsule; the name is static.
        if unsafe { ffi::PyCapsule_SetName(self.0, name.as_ptr()) } == 0 {
            return Ok(());
        }
        // SAFETY: the thread is attached.
        unsafe { ffi::PyErr_Clear() };
        Err(())
    }
}

/// The destructor of our capsules: it deletes what nobody consumed, and keeps an exception in flight as it was.
///
/// # Safety
///
/// Called by the interpreter with a dying capsule, attached.
unsafe extern "C" fn capsule_destructor(capsule: *mut ffi::PyObject) {
    super::keeping_exception(|| {
        // SAFETY: our capsules hold tensors of ours under DLPack's names. No panic leaves a deleter.
        let _ = unsafe { destroy(&Capsule(capsule)) };
    });
}

fn capsule(py: Python<'_>, tensor: RawTensor) -> Outcome<Bound<'_, PyAny>> {
    // SAFETY: a static name; the destructor deletes the tensor unless a consumer took it.
    unsafe {
        let object = ffi::PyCapsule_New(tensor.as_ptr(), tensor.capsule_name().as_ptr(), Some(capsule_destructor));
        match Bound::from_owned_ptr_or_err(py, object) {
            Ok(capsule) => Ok(capsule),
            Err(error) => {
                tensor.delete();
                Err(error.into())
            }
        }
    }
}

// ---- the producer ----------------------------------------------------------------------------------------------

/// The member of the standard's device enum for the CPU.
fn cpu_member<'py>(py: Python<'py>) -> PyResult<&'py Bound<'py, PyAny>> {
    static MEMBER: Once<Py<PyAny>> = Once::new();
    let member = MEMBER.get_or_try_init(py, || {
        py.import("strictarray._dlpack")?.getattr("DLDeviceType")?.getattr("CPU").map(Bound::unbind)
    })?;
    Ok(member.bind(py))
}

/// A pair of ints: any int will do, other libraries' enum members too.
fn pair(value: &Bound<'_, PyAny>, name: &'static str) -> Outcome<(i64, i64)> {
    let refuse =
        || Fail::Ours(Error::new(&rule::DLPACK_ARGUMENT, format!("got {}", parse::show(value))).argument(name));
    let items = value.cast::<PyTuple>().map_err(|_| refuse())?;
    if items.len() != 2 {
        return Err(refuse());
    }
    let int = |item: Bound<'_, PyAny>| -> Outcome<i64> {
        if let Ok(int) = item.cast::<PyInt>() {
            let value = parse::int_value(int)?;
            return Ok(i64::try_from(value).unwrap_or(if value < 0 { i64::MIN } else { i64::MAX }));
        }
        // Some libraries' enums are not ints, but say which int they are.
        for name in [interned!(item.py(), "__index__"), interned!(item.py(), "value")] {
            let Some(found) = item.getattr_opt(name)? else { continue };
            let found = if found.is_callable() { found.call0()? } else { found };
            if let Ok(int) = found.cast::<PyInt>() {
                return int.extract().map_err(|_| refuse());
            }
        }
        Err(refuse())
    };
    Ok((int(items.get_item(0)?)?, int(items.get_item(1)?)?))
}

#[pymethods]
impl PyArray {
    /// A capsule with the array's data, for another library.
    ///
    /// Parameters
    /// ----------
    /// stream : None
    ///     the CPU has no streams
    /// max_version : tuple of two ints, optional
    ///     the newest DLPack version that the consumer knows; without it a capsule of DLPack before 1.0
    /// dl_device : tuple of two ints, optional
    ///     the device that the consumer wants: (1, 0), the CPU
    /// copy : bool, optional
    ///     True: always copy; False and None: share memory
    ///
    /// Returns
    /// -------
    /// capsule that shares the memory of the array, unless a copy is asked for.
    ///
    /// Raises
    /// ------
    /// BufferError
    ///     the array is not on `CPU_DEVICE` [dlpack-device-refused]; dl_device is another device [dlpack-dl-device]; stream is
    ///     not None [dlpack-stream]; the array is read-only and the capsule can't say so [dlpack-read-only].
    /// TypeError
    ///     an argument is of another kind [dlpack-argument].
    #[pyo3(signature = (*args, **kwargs), text_signature = "($self, /, *, stream=None, max_version=None, dl_device=None, copy=None)")]
    fn __dlpack__<'py>(
        slf: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let run = || Ok(produce(slf, args, kwargs).map_err(|e| e.function("__dlpack__"))?);
        if !dispatch::hooked() {
            return run();
        }
        let py = slf.py();
        let seen = PyTuple::new(py, std::iter::once(slf.as_any().clone()).chain(args.iter()).collect::<Vec<_>>())?;
        dispatch::observed(py, "__dlpack__", &seen, kwargs, settings::current(py)?, run)
    }

    /// The device type and id of the memory: `(CPU, 0)` for every device, since DLPack can't tell emulated ones apart.
    fn __dlpack_device__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, i32)> {
        dispatch::watched(slf, "__dlpack_device__", &[], || {
            Ok((cpu_member(slf.py())?.clone(), DLDevice::CPU.device_id))
        })
    }
}

const KEYWORDS: [&str; 4] = ["stream", "max_version", "dl_device", "copy"];

fn produce<'py>(
    slf: &Bound<'py, PyArray>,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> Outcome<Bound<'py, PyAny>> {
    let py = slf.py();
    if !args.is_empty() {
        let got = format!("got {} positional arguments", args.len());
        return Err(Error::new(&rule::ARGUMENTS, got).requires("all arguments are keyword-only").into());
    }
    let mut values: [Option<Bound<'py, PyAny>>; 4] = [const { None }; 4];
    if let Some(kwargs) = kwargs {
        for (name, value) in kwargs.iter() {
            let name = name.cast::<pyo3::types::PyString>()?.to_string();
            let Some(place) = KEYWORDS.iter().position(|k| *k == name) else {
                let got = format!("got an unexpected keyword argument {name:?}");
                return Err(Error::new(&rule::ARGUMENTS, got)
                    .requires("stream, max_version, dl_device and copy are known")
                    .into());
            };
            values[place] = Some(value);
        }
    }
    let version = settings::current(py)?.api_version;
    if !has(version, "__dlpack__", Feature::Keywords)
        && let Some(place) = (1..4).find(|&i| values[i].is_some())
    {
        // As a producer of that version raises: consumers then retry without it.
        let got = format!("got an unexpected keyword argument {:?} in version {version}", KEYWORDS[place]);
        let requires = format!("{} came with version {}", KEYWORDS[place], added("__dlpack__", Feature::Keywords));
        return Err(Error::new(&rule::LATER_ARGUMENT, got).requires(requires).argument(KEYWORDS[place]).into());
    }
    let [stream, max_version, dl_device, copy] = values.map(|value| value.filter(|v| !v.is_none()));
    let x = slf.get().array();
    // First the device: what it refuses, it refuses whatever the arguments are.
    let policy = match x.device().spec().host_export {
        HostExport::Refused if dl_device.is_some() && slf.get().identity().relaxes(&relaxation::HOST_BY_DLPACK) => {
            HostExport::OnRequest
        }
        policy => policy,
    };
    if policy == HostExport::Refused {
        return Err(Error::new(&rule::DLPACK_DEVICE_REFUSED, format!("got an array on device {}", x.device()))
            .argument("self")
            .into());
    }
    if let Some(stream) = stream {
        return Err(Error::new(&rule::DLPACK_STREAM, format!("got {}", parse::show(&stream)))
            .argument("stream")
            .into());
    }
    let copy = match copy {
        None => None,
        Some(value) => match value.cast::<pyo3::types::PyBool>() {
            Ok(value) => Some(value.is_true()),
            Err(_) => {
                return Err(Error::new(&rule::DLPACK_ARGUMENT, format!("got {}", parse::show(&value)))
                    .argument("copy")
                    .into());
            }
        },
    };
    let request = ExportRequest {
        versioned: max_version.map(|v| pair(&v, "max_version")).transpose()?.is_some_and(|(major, _)| major >= 1),
        dl_device: dl_device.map(|v| pair(&v, "dl_device")).transpose()?,
        copy,
    };
    capsule(py, export_by(x, request, policy)?)
}

// ---- the consumer ----------------------------------------------------------------------------------------------

/// `from_dlpack`: the handler of its row.
pub(crate) fn from_dlpack<'py>(call: &Call<'_, 'py>) -> Outcome<Bound<'py, PyAny>> {
    let object = call.required(0)?;
    let (device, copy) = (call.device_or_none(1)?, call.bool_or_none(2)?);
    if let Ok(x) = object.cast_exact::<PyArray>() {
        let x = x.get().array();
        let array = x.transfer(device.unwrap_or(x.device()), copy).map_err(copy_error)?;
        return wrap(call.py, array.in_namespace(call.namespace));
    }
    let array = consume(object, device, copy)?;
    wrap(call.py, array.in_namespace(call.namespace))
}

/// Here a copy that is needed and refused is a ValueError and a BufferError.
fn copy_error(error: Error) -> Error {
    if error.rule() == &rule::COPY_NEEDED {
        Error::new(&rule::DLPACK_COPY_NEEDED, "got an array on another device").argument("copy")
    } else {
        error.argument("device")
    }
}

fn consume<'py>(object: &Bound<'py, PyAny>, device: Option<Device>, copy: Option<bool>) -> Outcome<Array> {
    let py = object.py();
    let method = |name: &Bound<'py, PyString>| -> Outcome<Bound<'py, PyAny>> {
        object.getattr_opt(name)?.ok_or_else(|| {
            let got = format!("got {} without {name}", parse::show(object));
            Error::new(&rule::DLPACK_NO_PROTOCOL, got).argument("x").into()
        })
    };
    let dlpack = method(interned!(py, "__dlpack__"))?;
    let dlpack_device = method(interned!(py, "__dlpack_device__"))?;
    let target = device.unwrap_or(Device::CPU);
    let there = dlpack_device.call0()?;
    let (kind, id) = device_of(&there)?;
    let on_host = (kind, id) == (DLDevice::CPU.device_type.into(), 0);
    if device.is_none() && !on_host {
        let got = format!("got an array on device {}", device_name(kind, id));
        return Err(Error::new(&rule::DLPACK_FOREIGN_DEVICE, got).argument("x").into());
    }
    if target != Device::CPU && copy == Some(false) {
        let got = format!("got copy=False for device {target}");
        return Err(Error::new(&rule::DLPACK_COPY_NEEDED, got).argument("copy").into());
    }
    let capsule = call_dlpack(&dlpack, on_host, device.is_some(), copy)?;
    take(&capsule, target, copy)
}

/// The name and the numbers of a device of DLPack.
fn device_name(kind: i64, id: i64) -> String {
    match (i32::try_from(kind), i32::try_from(id)) {
        (Ok(kind), Ok(id)) => DLDevice::new(kind, id).to_string(),
        _ => format!("({kind}, {id})"),
    }
}

fn device_of(value: &Bound<'_, PyAny>) -> Outcome<(i64, i64)> {
    pair(value, "x").map_err(|fail| match fail {
        Fail::Ours(_) => {
            let got = format!("got {} from __dlpack_device__", parse::show(value));
            let requires = "__dlpack_device__ must give a tuple of two ints";
            Fail::Ours(Error::new(&rule::DLPACK_INVALID, got).requires(requires).argument("x"))
        }
        python => python,
    })
}

/// Calls `__dlpack__` with what we want; once more with less, if the exporter does not know the keywords.
///
/// A request that was made is never dropped: dl_device goes only where the memory is on the host already, copy=True only
/// since we can copy ourselves, copy=False never.
fn call_dlpack<'py>(
    dlpack: &Bound<'py, PyAny>,
    on_host: bool,
    explicit_device: bool,
    copy: Option<bool>,
) -> Outcome<Bound<'py, PyAny>> {
    let py = dlpack.py();
    let request = |everything: bool| -> PyResult<Bound<'py, PyDict>> {
        let kwargs = PyDict::new(py);
        if everything {
            kwargs.set_item(interned!(py, "max_version"), (1, 3))?;
        }
        if explicit_device && (everything || !on_host) {
            kwargs.set_item(interned!(py, "dl_device"), (cpu_member(py)?, 0))?;
        }
        if let Some(copy) = copy.filter(|copy| everything || !copy) {
            kwargs.set_item(interned!(py, "copy"), copy)?;
        }
        Ok(kwargs)
    };
    let first = dlpack.call((), Some(&request(true)?));
    match first {
        Err(error) if is_signature_error(py, &error)? => Ok(dlpack.call((), Some(&request(false)?))?),
        result => Ok(result?),
    }
}

/// Whether a TypeError comes from the signature of `__dlpack__`, not from inside it: then no frame of the exporter stands
/// in its traceback, and the text speaks of keywords.
fn is_signature_error(py: Python<'_>, error: &PyErr) -> PyResult<bool> {
    if !error.is_instance_of::<PyTypeError>(py) || error.traceback(py).is_some() {
        return Ok(false);
    }
    let text = error.value(py).str()?.to_string();
    Ok(["keyword", "incompatible function arguments", "takes no arguments"].iter().any(|words| text.contains(words)))
}

/// Takes the tensor out of a capsule.
fn take(capsule: &Bound<'_, PyAny>, target: Device, copy: Option<bool>) -> Outcome<Array> {
    if !capsule.is_instance_of::<pyo3::types::PyCapsule>() {
        let got = format!("got {} from __dlpack__", parse::show(capsule));
        return Err(Error::new(&rule::DLPACK_CAPSULE, got).argument("x").into());
    }
    let carrier = Capsule(capsule.as_ptr());
    // SAFETY: a capsule with one of DLPack's names holds a managed tensor of that kind, by the protocol; its fields are
    // checked before they are used. The thread is attached, and `accept` runs no Python.
    let taken = unsafe { consume_if(&carrier, |view, flags| import_check(view, flags, target, copy)) };
    match taken {
        Ok((tensor, _)) => Ok(import(tensor, target, copy).map_err(|e| e.argument("x"))?),
        Err(ConsumeError::Refused(error)) => Err(error.argument("x").into()),
        Err(ConsumeError::Rejected(Rejected::UnknownMajor { got })) => {
            let got = format!("got a tensor of DLPack's major version {got}");
            Err(Error::new(&rule::DLPACK_VERSION, got).argument("x").into())
        }
        Err(ConsumeError::Rejected(rejected)) => {
            Err(Error::new(&rule::DLPACK_INVALID, format!("got a tensor that is not valid: {rejected}"))
                .argument("x")
                .into())
        }
        Err(other) => {
            let got = format!("got a capsule that can't be taken: {}", consume_text(&other));
            Err(Error::new(&rule::DLPACK_CAPSULE, got).argument("x").into())
        }
    }
}

fn consume_text(error: &ConsumeError<Error, ()>) -> String {
    match error {
        ConsumeError::AlreadyUsed => "somebody consumed it already".to_owned(),
        ConsumeError::NotDlpack { name } => format!("its name is {name:?}"),
        _ => "the interpreter refused".to_owned(),
    }
}

// ---- the C exchange API ----------------------------------------------------------------------------------------

static EXCHANGE: DLPackExchangeAPI =
    DLPackExchangeAPI::new(allocate, from_py_object, to_py_object, exchange::host_work_stream)
        .with_dltensor_from_py_object(dltensor_from_py_object);

/// Allocates what an array of ours can hold: host memory, a data type of the standard.
///
/// # Safety
///
/// The table's contract: a prototype to read, a place for the result, a callback that takes the context.
unsafe extern "C" fn allocate(
    prototype: *mut DLTensor,
    out: *mut *mut DLManagedTensorVersioned,
    error_ctx: *mut c_void,
    set_error: DLPackSetError,
) -> c_int {
    if !out.is_null() {
        // SAFETY: a place for the result, as the contract says: a refusal leaves NULL there.
        unsafe { out.write(std::ptr::null_mut()) };
    }
    // A prototype that is NULL or misaligned is refused by allocate_host.
    let readable = prototype.is_aligned() && !prototype.is_null();
    // SAFETY: then it is a prototype to read, as the contract says.
    if let Some(prototype) = readable.then(|| unsafe { &*prototype }) {
        let error = if prototype.device != DLDevice::CPU {
            Some(Error::new(&rule::DLPACK_FOREIGN_DEVICE, format!("a tensor on device {}", prototype.device)))
        } else if strictarray_core::dtype_from_dlpack(prototype.dtype).is_none() {
            Some(Error::new(&rule::DLPACK_DTYPE, format!("dtype {}", prototype.dtype)))
        } else {
            None
        };
        if let Some(error) = error {
            // SAFETY: the callback takes this context, as the contract says.
            unsafe { exchange::report(error_ctx, set_error, c"BufferError", &error) };
            return -1;
        }
    }
    // SAFETY: the same contract.
    unsafe { exchange::allocate_host(prototype, out, error_ctx, set_error) }
}

/// The capsule that the array type carries as `__dlpack_c_exchange_api__`.
pub(crate) fn c_exchange_api(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let table = std::ptr::from_ref(&EXCHANGE).cast_mut().cast::<c_void>();
    // SAFETY: the table and the name live as long as the process; consumers only read it.
    unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyCapsule_New(table, CAPSULE_EXCHANGE_API.as_ptr(), None)) }
}

/// Runs an entry: 0, or -1 with an exception; no panic leaves it.
fn entry(run: impl FnOnce(Python<'_>) -> Outcome<()>) -> c_int {
    let result = catch_unwind(AssertUnwindSafe(|| {
        Python::attach(|py| match run(py).map_err(|e| e.function("__dlpack_c_exchange_api__")) {
            Ok(()) => 0,
            Err(fail) => {
                PyErr::from(fail).restore(py);
                -1
            }
        })
    }));
    result.unwrap_or_else(|_| {
        Python::attach(|py| crate::dispatch::our_fault().restore(py));
        -1
    })
}

fn array_at<'a, 'py>(object: &'a Bound<'py, PyAny>) -> Outcome<&'a Array> {
    Ok(parse::array(object, "x")?.get().array())
}

/// # Safety
///
/// The table's contract: a live object, a place for the result, an attached thread.
unsafe extern "C" fn from_py_object(object: *mut c_void, out: *mut *mut DLManagedTensorVersioned) -> c_int {
    entry(|py| {
        // SAFETY: as the contract says; NULL is refused by the first check.
        let object = unsafe { Bound::from_borrowed_ptr_or_opt(py, object.cast()) };
        let object = object.ok_or_else(|| Error::new(&rule::DLPACK_NULL, "got NULL"))?;
        if out.is_null() {
            return Err(Error::new(&rule::DLPACK_NULL, "got NULL for the result").into());
        }
        match export(array_at(&object)?, ExportRequest { versioned: true, ..Default::default() })? {
            // SAFETY: a place for the result, as the contract says.
            RawTensor::Versioned(tensor) => unsafe { out.write(tensor.as_ptr()) },
            RawTensor::Legacy(_) => return Err(Error::new(&rule::INTERNAL, "a legacy tensor").into()),
        }
        Ok(())
    })
}

/// # Safety
///
/// The table's contract: a tensor that is given away, a place for the result, an attached thread.
unsafe extern "C" fn to_py_object(tensor: *mut DLManagedTensorVersioned, out: *mut *mut c_void) -> c_int {
    entry(|py| {
        if tensor.is_null() || out.is_null() {
            return Err(Error::new(&rule::DLPACK_NULL, "got NULL").into());
        }
        // SAFETY: the tensor is given away by the contract; its fields are checked before they are used.
        let tensor = unsafe { OwnedTensor::from_versioned(tensor) }.map_err(|rejected| {
            Error::new(&rule::DLPACK_INVALID, format!("got a tensor that is not valid: {rejected}"))
        })?;
        let array = wrap(py, import(tensor, Device::CPU, None)?)?;
        // SAFETY: a place for the result, as the contract says; it owns the new reference.
        unsafe { out.write(array.into_ptr().cast()) };
        Ok(())
    })
}

/// # Safety
///
/// The table's contract: a live object that outlives the use of the tensor, a place for the result, an attached thread.
unsafe extern "C" fn dltensor_from_py_object(object: *mut c_void, out: *mut DLTensor) -> c_int {
    entry(|py| {
        // SAFETY: as the contract says; NULL is refused by the first check.
        let object = unsafe { Bound::from_borrowed_ptr_or_opt(py, object.cast()) };
        let object = object.ok_or_else(|| Error::new(&rule::DLPACK_NULL, "got NULL"))?;
        if out.is_null() {
            return Err(Error::new(&rule::DLPACK_NULL, "got NULL for the result").into());
        }
        let array = parse::array(&object, "x")?.get();
        let tensor = borrowed_tensor(array.array(), array.extents())?;
        // SAFETY: a place for the result, as the contract says.
        unsafe { out.write(tensor) };
        Ok(())
    })
}

#[pymethods]
impl PyArray {
    /// DLPack's exchange API for C: a capsule with a table of functions (draft of the standard).
    #[classattr]
    fn __dlpack_c_exchange_api__(py: Python<'_>) -> PyResult<Py<PyAny>> {
        c_exchange_api(py).map(Bound::unbind)
    }
}
