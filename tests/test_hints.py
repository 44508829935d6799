"""What the habits of other libraries are answered with: a refusal, and what to write instead."""

import enum
import inspect
import pickle
import subprocess
import sys

import numpy as np
import pytest

import strictarray as xp


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("astype", "astype(x"),
        ("copy", "asarray(x, copy=True)"),
        ("item", "float(x)"),
        ("flatten", "reshape(x, (-1,))"),
        ("transpose", "permute_dims"),
        ("dot", "x @ y"),
        ("cpu", "to_device"),
        ("numpy", "numpy.asarray(x)"),
        ("cumsum", "cumulative_sum"),
    ],
)
def test_methods_of_other_libraries(name, hint):
    x = xp.ones(3)
    assert not hasattr(x, name)
    with pytest.raises(AttributeError) as e:
        getattr(x, name)
    assert e.value.rule == "no-method" and hint in str(e.value) and name in str(e.value)


def test_a_function_of_the_namespace_is_named_for_the_method():
    names = [name for name in xp.__all__ if callable(getattr(xp, name)) and name.islower()]
    functions = [name for name in names if not name.endswith("flags")]
    assert len(functions) > 40
    for name in functions:
        with pytest.raises(AttributeError, match=rf"write {name}\("):
            getattr(xp.ones(2), name)


def test_an_unknown_attribute_has_no_hint():
    with pytest.raises(AttributeError, match="has no attribute 'frobnicate'") as e:
        _ = xp.ones(1).frobnicate
    assert "write" not in str(e.value).split("[")[0].split("Portable")[0]


@pytest.mark.parametrize(("name", "shapes"), [("T", [(), (3,), (2, 2, 2)]), ("mT", [(), (3,)])])
def test_a_transpose_of_what_is_no_matrix_is_missing_and_a_value_error(name, shapes):
    for shape in shapes:
        x = xp.ones(shape)
        assert not hasattr(x, name) and "shape" in dir(x)
        with pytest.raises(ValueError) as e:
            getattr(x, name)
        assert isinstance(e.value, AttributeError) and e.value.rule == f"{name}-needs-2d"


def test_a_format_is_that_of_a_number():
    x = xp.asarray(1.5)
    assert f"{x}" == str(x) == format(x)
    for array in (x, xp.ones(2)):
        with pytest.raises(TypeError, match=r"float\(x\)") as e:
            format(array, ".3f")
        assert e.value.rule == "format"


class Number(enum.IntEnum):
    ONE = 1


class Real(float):
    pass


@pytest.mark.parametrize("other", [Number.ONE, Real(1.0), [1, 2], (1, 2), [[1]]], ids=lambda o: type(o).__name__)
def test_equality_that_python_would_answer_with_false_is_refused(other):
    x = xp.asarray([1, 2])
    for compare in (lambda: x == other, lambda: x != other, lambda: other == x):
        with pytest.raises(TypeError) as e:
            compare()
        assert e.value.rule == "not-array-or-scalar" and e.value.argument == "other"


def test_equality_with_what_is_no_number():
    x = xp.ones(2)
    assert not x == None and x != None and not x == "a" and x != "a"  # noqa: E711


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: xp.zeros(3, dtype=int), TypeError, "the type int"),
        (lambda: xp.zeros(3, dtype=np.float64), TypeError, "the type numpy.float64"),
        (lambda: xp.zeros(np.int64(3)), TypeError, "int(...)"),
        (lambda: xp.add([1], [2]), TypeError, "asarray() for lists"),
        (lambda: xp.asarray([xp.ones(1)]), TypeError, "stack()"),
        (lambda: xp.Device(xp.CPU_DEVICE), TypeError, 'Device("device1")'),
        (lambda: xp.finfo(xp.int64), TypeError, "floating-point"),
        (lambda: xp.zeros(3).__array_namespace__(api_version="1.0"), ValueError, "2021.12, 2022.12"),
    ],
)
def test_the_first_mistakes(call, error, says):
    with pytest.raises(error) as e:
        call()
    assert says in str(e.value) and e.value.rule and e.value.section


def test_result_type_names_its_argument():
    with pytest.raises(ValueError) as e:
        xp.result_type(xp.ones(1), xp.ones(1, device=xp.Device("device1")))
    assert e.value.argument == "arrays_and_dtypes"


def test_classes_pickle():
    for cls in (type(xp.ones(1)), type(xp.float64), xp.Device, type(xp.finfo(xp.float32)), type(xp.iinfo(xp.int8))):
        assert pickle.loads(pickle.dumps(cls)) is cls


def test_a_pickled_array_is_writable():
    read_only = xp.asarray(b"abc")
    with pytest.raises(ValueError):
        read_only[0] = 1
    copy = pickle.loads(pickle.dumps(read_only))
    copy[0] = 1
    assert int(copy[0]) == 1


@pytest.mark.parametrize(
    "make",
    [
        lambda: xp.asarray(1j),
        lambda: xp.asarray([1j]),
        lambda: xp.full(2, 1j),
        lambda: xp.linspace(0, 1j, 3),
        lambda: xp.ones(2) * 1j,
        lambda: 1j + xp.ones(2),
        lambda: xp.from_dlpack(np.ones(2, "complex64")),
        lambda: xp.asarray(np.ones(2, "complex128")),
    ],
)
def test_nothing_is_complex_in_2021(make):
    with xp.ArrayAPIStrictFlags(api_version="2021.12"), pytest.raises(TypeError) as e:
        make()
    assert e.value.rule == "later-behaviour"
    assert make().dtype in (xp.complex64, xp.complex128)


@pytest.mark.parametrize(
    "call",
    [
        lambda z: z + z,
        lambda z: z * 2,
        lambda z: -z,
        lambda z: z @ z,
        lambda z: xp.add(z, z),
        lambda z: xp.meshgrid(z, z),
        lambda z: xp.asarray(z, copy=True),
    ],
)
def test_a_complex_array_made_before_is_refused_in_2021(call):
    z = xp.asarray([1j, 2j])
    with xp.ArrayAPIStrictFlags(api_version="2021.12"), pytest.raises(TypeError) as e:
        call(z)
    assert e.value.rule == "later-behaviour"
    call(z)


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda x: x + xp.asarray([1, 2]), "x2"),
        (lambda x: xp.add(x, xp.ones(3)), "x2"),
        (lambda x: x @ xp.ones(3), "x2"),
        (lambda x: xp.matmul(xp.ones((2, 1, 1)), xp.ones((3, 1, 1))), "x2"),
    ],
)
def test_promotion_and_broadcasting_name_an_argument(call, argument):
    with pytest.raises((TypeError, ValueError)) as e:
        call(xp.ones(2))
    assert e.value.argument == argument


def test_signatures_are_those_of_the_version():
    old = xp.ones(1).__array_namespace__(api_version="2021.12")
    assert list(inspect.signature(old.from_dlpack).parameters) == ["x"]
    assert list(inspect.signature(old.astype).parameters) == ["x", "dtype", "copy"]
    assert list(inspect.signature(xp.from_dlpack).parameters) == ["x", "device", "copy"]


@pytest.mark.parametrize("version", ["2021.12", "2022.12", "2023.12"])
def test_iteration_came_with_2024(version):
    with xp.ArrayAPIStrictFlags(api_version=version), pytest.raises(TypeError) as e:
        list(xp.ones(2))
    assert e.value.rule == "later-behaviour"
    assert len(list(xp.ones(2))) == 2


def test_a_misaligned_buffer_is_not_copied_when_that_is_refused():
    misaligned = np.zeros(65, "u1")[1:].view("f8")
    with pytest.raises(ValueError) as e:
        xp.asarray(misaligned, copy=False)
    assert e.value.rule == "copy-needed"
    for copy in (None, True):
        x = xp.asarray(misaligned, copy=copy)
        x[0] = 5.0
        assert misaligned[0] == 0


def run(script):
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)


CHAINS = {
    "buffer": "x = xp.asarray(np.asarray(x))",
    "memoryview": "x = xp.asarray(memoryview(x))",
    "dlpack": "x = xp.from_dlpack(np.from_dlpack(x))",
}


@pytest.mark.parametrize("step", CHAINS)
def test_a_long_chain_of_exchanges_is_dropped_without_depth(step):
    script = f"""
import numpy as np, strictarray as xp, threading
threading.stack_size(512 * 1024)
def chain():
    x = xp.ones(3)
    for _ in range(60_000):
        {CHAINS[step]}
    del x
thread = threading.Thread(target=chain)
thread.start(); thread.join()
print("end")
"""
    done = run(script)
    assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")


def test_a_sub_interpreter_is_refused():
    script = """
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
import strictarray
other = interpreters.create()
try:
    found = interpreters.run_string(other, "import strictarray")
except Exception as error:
    found = error
print("sub-interpreter" in str(found))
"""
    assert run(script).stdout == "True\n"


def test_little_memory_is_a_memory_error():
    script = """
import resource
import strictarray as xp
x = xp.ones(2**29, dtype=xp.int8)
mask = xp.zeros(2**26, dtype=xp.bool)
empty = xp.zeros((2**26, 0))
resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))
try:
    x.__reduce__()
except MemoryError:
    print("MemoryError")
print(empty[mask].shape)
"""
    done = run(script)
    assert (done.returncode, done.stdout, done.stderr) == (0, "MemoryError\n(0, 0)\n", "")


def test_bounds_of_clip_that_no_memory_holds_are_refused_at_once():
    one = np.zeros(1, dtype="int8")
    low, high = (xp.from_dlpack(np.broadcast_to(one, shape)) for shape in ((2**33, 1), (1, 2**33)))
    with pytest.raises((ValueError, MemoryError)):
        xp.clip(xp.zeros(1, dtype=xp.int8), low, high)
