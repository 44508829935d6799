"""Deleters run exactly once, whatever happens to a capsule, and memory doesn't grow."""

import ctypes
import gc
import os
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest
from dlpack_structs import (
    USED_LEGACY,
    USED_VERSIONED,
    Deleter,
    Producer,
    Producer2022,
    Seen,
    Tensor,
    capsule_get_name,
    capsule_set_name,
)
from support import DEVICE_NAMES, OFF_CPU, assert_same, device, to_np

import strictarray as xp
from strictarray import _strictarray

VERSIONS = {"versioned": (1, 0), "legacy": None}


class Watch:
    """Counts the calls of the deleter in a capsule that we exported, and passes them on."""

    def __init__(self, capsule):
        managed = Seen(capsule).managed
        self.calls = 0
        self.original = Deleter(managed.deleter)
        self.callback = Deleter(self._delete)
        managed.deleter = ctypes.cast(self.callback, ctypes.c_void_p).value

    def _delete(self, address):
        self.calls += 1
        self.original(address)


class Exporter:
    """Hands out one capsule, as often as it is asked."""

    def __init__(self, capsule):
        self.capsule = capsule

    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self, **kwargs):
        return self.capsule


def used(capsule):
    return capsule_get_name(capsule) in (USED_LEGACY, USED_VERSIONED)


# Capsules that we export


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("copy", [None, True])
def test_a_dropped_capsule(version, copy):
    x = xp.arange(3)
    capsule = x.__dlpack__(max_version=VERSIONS[version], copy=copy)
    watch = Watch(capsule)
    del capsule
    gc.collect()
    assert watch.calls == 1
    assert_same(x, np.arange(3))


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("copy", [None, True])
def test_a_consumed_capsule(version, copy):
    x = xp.arange(3)
    exporter = Exporter(x.__dlpack__(max_version=VERSIONS[version], copy=copy))
    watch = Watch(exporter.capsule)
    a = np.from_dlpack(exporter)
    assert used(exporter.capsule)
    del x, exporter
    gc.collect()
    assert watch.calls == 0
    np.testing.assert_array_equal(a, np.arange(3))
    del a
    gc.collect()
    assert watch.calls == 1


@pytest.mark.parametrize("version", VERSIONS)
def test_a_capsule_of_ours_that_we_consume(version):
    exporter = Exporter(xp.arange(3).__dlpack__(max_version=VERSIONS[version]))
    watch = Watch(exporter.capsule)
    x = xp.from_dlpack(exporter)
    assert used(exporter.capsule)
    del exporter
    gc.collect()
    assert watch.calls == 0
    assert_same(x, np.arange(3))
    del x
    gc.collect()
    assert watch.calls == 1


@pytest.mark.parametrize("version", VERSIONS)
def test_a_doubly_consumed_capsule_of_ours(version):
    exporter = Exporter(xp.arange(3).__dlpack__(max_version=VERSIONS[version]))
    watch = Watch(exporter.capsule)
    a = np.from_dlpack(exporter)
    for consume in (np.from_dlpack, xp.from_dlpack):
        with pytest.raises((BufferError, ValueError)):
            consume(exporter)
    del exporter
    gc.collect()
    assert watch.calls == 0
    del a
    gc.collect()
    assert watch.calls == 1


@pytest.mark.parametrize("version", VERSIONS)
def test_a_capsule_renamed_by_a_consumer_is_left_alone(version):
    x = xp.arange(3)
    capsule = x.__dlpack__(max_version=VERSIONS[version])
    seen, watch = Seen(capsule), Watch(capsule)
    capsule_set_name(capsule, USED_VERSIONED if version == "versioned" else USED_LEGACY)
    del seen.capsule, capsule
    gc.collect()
    assert watch.calls == 0
    seen.call_deleter()
    assert watch.calls == 1


@pytest.mark.parametrize("version", VERSIONS)
def test_a_null_deleter_in_our_capsule_is_no_crash(version):
    """Someone may have taken the deleter away."""
    capsule = xp.arange(3).__dlpack__(max_version=VERSIONS[version])
    Seen(capsule).managed.deleter = None
    del capsule
    gc.collect()


@pytest.mark.parametrize("version", VERSIONS)
def test_the_deleter_runs_without_the_gil(version):
    """ctypes releases the GIL around a call of a CFUNCTYPE."""
    x = xp.arange(100_000)
    capsule = x.__dlpack__(max_version=VERSIONS[version])
    seen = Seen(capsule)
    assert _strictarray._counts(x) == (1, 1)
    capsule_set_name(capsule, USED_VERSIONED if version == "versioned" else USED_LEGACY)
    threads = [threading.Thread(target=seen.call_deleter)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert _strictarray._counts(x) == (1, 0)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("consumed", [False, True])
def test_the_last_reference_goes_in_another_thread(version, consumed):
    exporter = Exporter(xp.arange(3).__dlpack__(max_version=VERSIONS[version]))
    watch = Watch(exporter.capsule)
    held = [np.from_dlpack(exporter) if consumed else exporter.capsule]
    del exporter
    thread = threading.Thread(target=held.clear)
    thread.start()
    thread.join()
    gc.collect()
    assert watch.calls == 1


def check_capsule_with_an_exception_in_flight(version):
    watches = []

    def export():
        capsule = xp.arange(3).__dlpack__(max_version=VERSIONS[version])
        watches.append(Watch(capsule))
        return capsule

    # The capsule lies on the interpreter's stack when the division fails.
    with pytest.raises(ZeroDivisionError) as e:
        (export(), 1 / 0)  # noqa: B018
    assert str(e.value) == "division by zero"
    assert e.value.__context__ is None
    gc.collect()
    assert [w.calls for w in watches] == [1]


def check_array_with_an_exception_in_flight():
    producer, tensor = imported()
    with pytest.raises(ZeroDivisionError):
        (xp.from_dlpack(producer), 1 / 0)  # noqa: B018
    gc.collect()
    assert tensor.deleted == 1


def run(script):
    """A script in an interpreter of its own: a crash there fails one test, not the run."""
    path = os.pathsep.join([os.path.dirname(__file__), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", script],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": path},
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")


@pytest.mark.parametrize(
    "call",
    [
        "check_capsule_with_an_exception_in_flight('versioned')",
        "check_capsule_with_an_exception_in_flight('legacy')",
        "check_array_with_an_exception_in_flight()",
    ],
)
def test_dropped_with_an_exception_in_flight(call):
    run(f"import test_dlpack_lifecycle as t; t.{call}; print('end')")


def test_exports_from_many_threads():
    x = xp.arange(1000)
    errors = []

    def work():
        try:
            for _ in range(500):
                a = np.from_dlpack(x)
                y = xp.from_dlpack(a)
                assert int(y[999]) == 999
                x.__dlpack__(max_version=(1, 0))
                memoryview(y).release()
        except BaseException as e:
            errors.append(e)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert_same(x, np.arange(1000))


# Capsules that we import


def imported(versioned=True, **kwargs):
    producer = Producer(Tensor(np.arange(6.0).reshape(2, 3), versioned=versioned, **kwargs))
    return producer, producer.tensor


HOLDERS = {
    "itself": lambda x: x,
    "slice": lambda x: x[1:, ::2],
    "transpose": lambda x: x.T,
    "asarray": xp.asarray,
    "from_dlpack": xp.from_dlpack,
    "astype copy=False": lambda x: xp.astype(x, xp.float64, copy=False),
    "NumPy": np.from_dlpack,
    "NumPy's asarray": np.asarray,
    "memoryview": memoryview,
    "iterator": lambda x: iter(x[0, :]),
    "capsule": lambda x: x.__dlpack__(max_version=(1, 0)),
}


@pytest.mark.parametrize("versioned", [True, False])
@pytest.mark.parametrize("holder", HOLDERS)
def test_foreign_memory_lives_as_long_as_its_last_user(holder, versioned):
    producer, tensor = imported(versioned)
    x = xp.from_dlpack(producer)
    held = HOLDERS[holder](x)
    del x
    producer.drop()
    gc.collect()
    assert tensor.deleted == 0
    del held
    gc.collect()
    assert tensor.deleted == 1


@pytest.mark.parametrize(
    "copy",
    [
        lambda x: xp.asarray(x, copy=True),
        lambda x: x + 1.0,
        lambda x: x.to_device(device("device1")),
        lambda x: xp.astype(x, xp.float32),
        lambda x: x[x > 2.0],
    ],
    ids=["asarray", "add", "to_device", "astype", "mask"],
)
def test_a_copy_does_not_hold_foreign_memory(copy):
    producer, tensor = imported()
    held = copy(xp.from_dlpack(producer))
    gc.collect()
    assert tensor.deleted == 1
    assert held.size


@pytest.mark.parametrize("dev", OFF_CPU)
def test_an_import_to_another_device_gives_the_capsule_back(dev):
    producer = Producer(Tensor(np.arange(3, dtype="float32")))
    x = xp.from_dlpack(producer, device=device(dev))
    producer.drop()
    gc.collect()
    assert producer.tensor.deleted == 1
    assert_same(x, np.arange(3, dtype="float32"))


def test_a_capsule_offered_twice():
    tensor = Tensor()
    exporter = Exporter(tensor.capsule())
    x = xp.from_dlpack(exporter)
    with pytest.raises((BufferError, ValueError)):
        xp.from_dlpack(exporter)
    assert_same(x, np.arange(6.0).reshape(2, 3))
    del exporter
    assert tensor.deleted == 0
    del x
    gc.collect()
    assert tensor.deleted == 1


@pytest.mark.parametrize("versioned", [True, False])
@pytest.mark.parametrize(
    "bad", [{"dtype": (2, 16, 1)}, {"ndim": -1}, {"device": (2, 0)}, {"shape": (-1, 2)}, {"data": None}], ids=str
)
def test_a_rejected_capsule(versioned, bad):
    producer, tensor = imported(versioned, **bad)
    with pytest.raises(BufferError):
        xp.from_dlpack(producer)
    gc.collect()
    assert tensor.deleted == 0
    producer.drop()
    assert tensor.deleted == 1


def test_a_capsule_rejected_for_its_version():
    producer, tensor = imported(version=(7, 0))
    with pytest.raises(BufferError):
        xp.from_dlpack(producer)
    producer.drop()
    gc.collect()
    assert tensor.deleted == 1


def test_an_array_dropped_in_another_thread():
    producer, tensor = imported()
    held = [xp.from_dlpack(producer)]
    thread = threading.Thread(target=held.clear)
    thread.start()
    thread.join()
    gc.collect()
    assert tensor.deleted == 1


def test_an_array_in_a_reference_cycle():
    producer, tensor = imported()
    cycle = [xp.from_dlpack(producer)]
    cycle.append(cycle)
    del cycle
    gc.collect()
    assert tensor.deleted == 1


def test_one_buffer_imported_many_times():
    a = np.arange(3.0)
    tensors = [Tensor(a) for _ in range(50)]
    arrays = [xp.from_dlpack(Producer(t)) for t in tensors]
    arrays[0][0] = 9.0
    assert all(to_np(x)[0] == 9.0 for x in arrays)
    arrays.clear()
    gc.collect()
    assert [t.deleted for t in tensors] == [1] * 50


def test_an_old_producer_is_not_leaked_by_the_retry():
    producer = Producer2022(Tensor(np.arange(3.0), versioned=False))
    x = xp.from_dlpack(producer)
    del x
    gc.collect()
    assert producer.tensor.deleted == 1


# Interpreter exit

AT_EXIT = {
    "arrays and NumPy views of each other": """
        a = np.arange(1000.0)
        x = xp.from_dlpack(a)
        b = np.from_dlpack(x)
        y = xp.asarray(b)
        m = memoryview(y)
        del a, x, b
    """,
    "unconsumed capsules": """
        capsules = [xp.arange(1000).__dlpack__(max_version=v) for v in (None, (1, 0))]
    """,
    "arrays of every device": """
        arrays = [xp.zeros(1000, dtype=xp.float32, device=d) for d in xp.ALL_DEVICES]
    """,
    "cycles": """
        cycle = [xp.arange(10), np.from_dlpack(xp.arange(10))]
        cycle.append(cycle)
        gc.disable()
    """,
    "a running thread": """
        def work():
            while True:
                np.from_dlpack(xp.from_dlpack(np.arange(10.0)) + 1.0)
        threading.Thread(target=work, daemon=True).start()
        time.sleep(0.2)
    """,
    "an object that exports at exit": """
        class Late:
            def __del__(self, xp=xp, np=np):
                try:
                    np.from_dlpack(xp.arange(3))
                except Exception:
                    pass  # half of the interpreter is gone: an error is fine, a crash is not
        late = Late()
        atexit.register(lambda: np.from_dlpack(xp.arange(3)))
    """,
    "memory of libc, freed by its deleter": """
        # A second call of the deleter would be a double free, and abort.
        libc = ctypes.CDLL(None)
        libc.malloc.restype = ctypes.c_void_p
        libc.malloc.argtypes = [ctypes.c_size_t]
        held = []
        class Exporter:
            def __dlpack_device__(self):
                return (1, 0)
            def __dlpack__(self, **kwargs):
                address = libc.malloc(80 + 8 + 80)
                managed = structs.DLManagedTensorVersioned.from_address(address)
                ctypes.memset(address, 0, 168)
                managed.version.major, managed.version.minor = 1, 3
                managed.deleter = ctypes.cast(libc.free, ctypes.c_void_p).value
                tensor = managed.dl_tensor
                tensor.data = address + 88
                tensor.device.device_type = 1
                tensor.ndim = 1
                tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes = 2, 64, 1
                ctypes.c_int64.from_address(address + 80).value = 10
                tensor.shape = ctypes.cast(address + 80, ctypes.POINTER(ctypes.c_int64))
                return structs.capsule_new(address, structs.VERSIONED, None)
        for _ in range(100):
            held.append(xp.from_dlpack(Exporter()))
        held.append(np.from_dlpack(held[0]))
        del held[:50]
    """,
}


@pytest.mark.parametrize("case", AT_EXIT)
def test_interpreter_exit(case):
    imports = "import atexit, ctypes, gc, threading, time\nimport numpy as np\nimport strictarray as xp\nimport dlpack_structs as structs\n"
    run(imports + textwrap.dedent(AT_EXIT[case]) + "\nprint('end', flush=True)\n")


# Memory

ROUNDS = 100_000
PAGE = os.sysconf("SC_PAGE_SIZE")


def rss():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * PAGE


def refused_import(a=np.zeros(100, dtype=np.float16)):
    try:
        xp.from_dlpack(a)
    except BufferError:
        return
    raise AssertionError("float16 was imported")


def refused_export(x=xp.zeros(100, device=device("device1"))):
    try:
        x.__dlpack__()
    except BufferError:
        return
    raise AssertionError("device1 was exported")


SOURCE = xp.arange(128)
NUMPY_SOURCE = np.arange(128)

TRIPS = {
    "to NumPy": lambda: np.from_dlpack(SOURCE),
    "to NumPy, copy": lambda: np.from_dlpack(SOURCE, copy=True),
    "from NumPy": lambda: xp.from_dlpack(NUMPY_SOURCE),
    "from NumPy, copy": lambda: xp.from_dlpack(NUMPY_SOURCE, copy=True),
    "from NumPy to a device": lambda: xp.from_dlpack(NUMPY_SOURCE, device=device("device1")),
    "there and back": lambda: xp.from_dlpack(np.from_dlpack(SOURCE)),
    "a new array there and back": lambda: xp.from_dlpack(np.from_dlpack(xp.arange(128))),
    "dropped capsule": lambda: SOURCE.__dlpack__(max_version=(1, 0)),
    "dropped legacy capsule": lambda: SOURCE.__dlpack__(),
    "dropped capsule of a copy": lambda: SOURCE.__dlpack__(max_version=(1, 0), copy=True),
    "refused import": refused_import,
    "refused export": refused_export,
    "buffer": lambda: memoryview(SOURCE),
    "np.asarray": lambda: np.asarray(SOURCE),
    "asarray": lambda: xp.asarray(NUMPY_SOURCE),
    "to a device and back": lambda: SOURCE.to_device(device("device2")).to_device(device("CPU_DEVICE")),
}


@pytest.mark.parametrize("trip", TRIPS)
def test_memory_does_not_grow(trip):
    call = TRIPS[trip]
    for _ in range(5_000):
        call()
    gc.collect()
    before = rss()
    for _ in range(ROUNDS):
        call()
    gc.collect()
    # A managed tensor left behind in each round would be 8 MB.
    assert rss() - before < 4 * 2**20


@pytest.mark.parametrize("dev", DEVICE_NAMES)
def test_large_arrays_are_given_back(dev):
    def call():
        x = xp.ones(500_000, dtype=xp.float32, device=device(dev))
        return (x + 1.0).to_device(device("CPU_DEVICE"))

    for _ in range(20):
        call()
    before = rss()
    for _ in range(200):
        call()
    assert rss() - before < 16 * 2**20
