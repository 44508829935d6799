"""Every refusal carries its rule, its argument and the section of the standard, and says what to do instead."""

import math

import numpy as np
import pytest
from dlpack_structs import READ_ONLY, Producer, Tensor
from support import device

import strictarray as xp

D1 = device("device1")


def f64(shape=(3,)):
    return xp.ones(shape)


READ_ONLY_ARRAY = xp.from_dlpack(Producer(Tensor(np.arange(3.0), flags=READ_ONLY)))


def read_only():
    return READ_ONLY_ARRAY


def setitem(x, key, value):
    x[key] = value


# (name, the call, its exception, the argument it names: one of several, or None where there is no named one)
REFUSALS = [
    # creation
    ("shape is a list", lambda: xp.zeros([2, 3]), TypeError, "shape"),
    ("shape is a bool", lambda: xp.zeros(True), TypeError, "shape"),
    ("shape is a NumPy int", lambda: xp.ones(np.int64(3)), TypeError, "shape"),
    ("shape is an array", lambda: xp.empty(xp.asarray(3)), TypeError, "shape"),
    ("shape is negative", lambda: xp.full((2, -1), 1.0), ValueError, "shape"),
    ("shape has 65 axes", lambda: xp.zeros((1,) * 65), ValueError, "shape"),
    ("shape overflows", lambda: xp.zeros((2**40, 2**40)), ValueError, "shape"),
    ("dtype is a NumPy dtype", lambda: xp.zeros(1, dtype=np.float64), (TypeError, ValueError), "dtype"),
    ("dtype is a string", lambda: xp.asarray(1, dtype="int64"), (TypeError, ValueError), "dtype"),
    (
        "dtype is not on the device",
        lambda: xp.zeros(1, dtype=xp.float64, device=device("no_float64")),
        ValueError,
        ("dtype", "device"),
    ),
    ("device is a string", lambda: xp.zeros(1, device="device1"), (TypeError, ValueError), "device"),
    ("fill value of another kind", lambda: xp.full(3, 1j, dtype=xp.float64), TypeError, "fill_value"),
    ("fill value of NumPy", lambda: xp.full(3, np.float64(1)), TypeError, "fill_value"),
    ("fill value out of range", lambda: xp.full(3, 300, dtype=xp.uint8), OverflowError, "fill_value"),
    ("arange of bool", lambda: xp.arange(3, dtype=xp.bool), (TypeError, ValueError), "dtype"),
    ("arange with step 0", lambda: xp.arange(0, 3, 0), ValueError, "step"),
    ("arange of a NumPy int", lambda: xp.arange(np.int64(3)), TypeError, "start"),
    ("linspace of integers", lambda: xp.linspace(0, 1, 3, dtype=xp.int64), (TypeError, ValueError), "dtype"),
    ("linspace of -1 samples", lambda: xp.linspace(0, 1, -1), ValueError, "num"),
    ("linspace num is a float", lambda: xp.linspace(0, 1, 3.0), TypeError, "num"),
    ("eye of a bool", lambda: xp.eye(True), TypeError, "n_rows"),
    ("eye with k a NumPy int", lambda: xp.eye(2, k=np.int64(0)), TypeError, "k"),
    ("tril of a vector", lambda: xp.tril(f64()), ValueError, "x"),
    ("tril of an ndarray", lambda: xp.tril(np.ones((2, 2))), TypeError, "x"),
    ("triu with k a float", lambda: xp.triu(f64((2, 2)), k=0.0), TypeError, "k"),
    ("meshgrid indexing", lambda: xp.meshgrid(f64(), f64(), indexing="yx"), ValueError, "indexing"),
    ("meshgrid of dtypes", lambda: xp.meshgrid(f64(), xp.arange(3)), (TypeError, ValueError), "arrays"),
    # asarray
    ("asarray of a string", lambda: xp.asarray("abc"), TypeError, "obj"),
    ("asarray of a set", lambda: xp.asarray({1}), TypeError, "obj"),
    ("asarray of a NumPy scalar", lambda: xp.asarray(np.float64(1)), TypeError, "obj"),
    ("asarray of a list of NumPy scalars", lambda: xp.asarray([np.float64(1)]), TypeError, "obj"),
    ("asarray of a list of arrays", lambda: xp.asarray([f64()]), TypeError, "obj"),
    ("asarray of a ragged list", lambda: xp.asarray([[1], [2, 3]]), ValueError, "obj"),
    ("asarray of a big int", lambda: xp.asarray(2**63), OverflowError, "obj"),
    ("asarray of a half buffer", lambda: xp.asarray(np.zeros(1, dtype=np.float16)), TypeError, "obj"),
    ("asarray of a DLPack exporter", lambda: xp.asarray(Producer()), TypeError, "obj"),
    ("asarray loses a kind", lambda: xp.asarray(1.5, dtype=xp.int64), TypeError, ("dtype", "obj")),
    ("asarray copy=False of a list", lambda: xp.asarray([1], copy=False), ValueError, "copy"),
    ("asarray copy=False to a device", lambda: xp.asarray(f64(), device=D1, copy=False), ValueError, "copy"),
    ("asarray copy=1", lambda: xp.asarray([1], copy=1), TypeError, "copy"),
    # data types
    ("astype complex to real", lambda: xp.astype(xp.asarray(1j), xp.float64), TypeError, ("dtype", "x")),
    ("astype of an ndarray", lambda: xp.astype(np.ones(1), xp.float64), TypeError, "x"),
    ("astype to a type", lambda: xp.astype(f64(), float), TypeError, "dtype"),
    ("can_cast from a string", lambda: xp.can_cast("int8", xp.int8), TypeError, "from_"),
    ("can_cast to a string", lambda: xp.can_cast(xp.int8, "int8"), TypeError, "to"),
    ("finfo of an integer dtype", lambda: xp.finfo(xp.int8), TypeError, "type"),
    ("iinfo of a floating dtype", lambda: xp.iinfo(xp.float32), TypeError, "type"),
    ("isdtype of an unknown kind", lambda: xp.isdtype(xp.int8, "integer"), ValueError, "kind"),
    ("isdtype of a string", lambda: xp.isdtype("int8", "numeric"), TypeError, "dtype"),
    ("result_type of a string", lambda: xp.result_type("int8", xp.int8), TypeError, "arrays_and_dtypes"),
    ("result_type of int and float", lambda: xp.result_type(xp.int8, xp.float32), TypeError, "arrays_and_dtypes"),
    # functions and operators
    ("add of bool", lambda: xp.add(xp.asarray(True), xp.asarray(True)), TypeError, "x1"),
    ("add of an ndarray", lambda: xp.add(f64(), np.ones(3)), TypeError, "x2"),
    ("add of a NumPy scalar", lambda: xp.add(np.float64(1), f64()), TypeError, "x1"),
    ("abs of a scalar", lambda: xp.abs(1.0), TypeError, "x"),
    ("abs of bool", lambda: xp.abs(xp.asarray(True)), TypeError, "x"),
    ("divide of integers", lambda: xp.arange(3) / xp.arange(3), TypeError, None),
    ("int and float", lambda: xp.arange(3) + f64(), TypeError, None),
    ("int8 and uint64", lambda: xp.ones(1, dtype=xp.int8) + xp.ones(1, dtype=xp.uint64), TypeError, None),
    ("float scalar and int array", lambda: xp.arange(3) + 1.5, TypeError, None),
    ("int scalar out of range", lambda: xp.ones(1, dtype=xp.int8) + 128, OverflowError, None),
    ("two devices", lambda: f64() + xp.ones(3, device=D1), ValueError, None),
    ("shapes", lambda: f64() + f64((2,)), ValueError, None),
    ("complex comparison", lambda: xp.asarray(1j) < xp.asarray(1j), TypeError, None),
    ("invert of float", lambda: ~f64(), TypeError, None),
    ("in place to another dtype", lambda: xp.ones(1, dtype=xp.float32).__iadd__(f64()), TypeError, None),
    ("in place to another shape", lambda: f64((1,)).__iadd__(f64()), ValueError, None),
    ("matmul of 0-d", lambda: xp.matmul(f64(()), f64()), ValueError, None),
    ("matmul of shapes", lambda: xp.matmul(f64((2, 3)), f64((2, 3))), ValueError, None),
    ("matmul of a scalar", lambda: xp.matmul(f64(), 1.0), TypeError, "x2"),
    # indexing
    ("too few indices", lambda: f64((2, 3))[0], IndexError, "key"),
    ("too many indices", lambda: f64()[0, 0], IndexError, "key"),
    ("two ellipses", lambda: f64()[..., ...], IndexError, "key"),
    ("out of bounds", lambda: f64()[3], IndexError, "key"),
    ("slice out of bounds", lambda: f64()[:4], IndexError, "key"),
    ("list as a key", lambda: f64()[[0, 1]], IndexError, "key"),
    ("bool as a key", lambda: f64()[True], IndexError, "key"),
    ("float as a key", lambda: f64()[1.0], IndexError, "key"),
    ("ndarray as a key", lambda: f64()[np.array([0])], IndexError, "key"),
    ("mask beside another key", lambda: f64((3, 3))[xp.asarray([True] * 3), 0], IndexError, "key"),
    ("mask of another shape", lambda: f64()[xp.asarray([True] * 2)], IndexError, "key"),
    ("integer array and slice", lambda: f64((3, 3))[xp.asarray([0]), :], IndexError, "key"),
    ("integer array on another device", lambda: f64()[xp.asarray([0], device=D1)], ValueError, "key"),
    ("integer array as a key to assign to", lambda: setitem(f64(), xp.asarray([0]), 1.0), IndexError, "key"),
    ("newaxis as a key to assign to", lambda: setitem(f64(), (None, ...), 1.0), IndexError, "key"),
    ("ndarray as a value", lambda: setitem(f64(), 0, np.float64(1)), TypeError, "value"),
    ("value of another kind", lambda: setitem(xp.arange(3), 0, 1.5), TypeError, "value"),
    ("value of a wider dtype", lambda: setitem(xp.ones(1, dtype=xp.float32), 0, xp.asarray(1.0)), TypeError, "value"),
    ("value out of range", lambda: setitem(xp.ones(1, dtype=xp.int8), 0, 200), OverflowError, "value"),
    ("value of another shape", lambda: setitem(f64(), ..., f64((2,))), ValueError, "value"),
    ("value on another device", lambda: setitem(f64(), ..., xp.ones(3, device=D1)), ValueError, "value"),
    ("write into a read-only array", lambda: setitem(read_only(), 0, 1.0), ValueError, None),
    ("in place of a read-only array", lambda: read_only().__iadd__(1.0), ValueError, None),
    # the array object
    ("bool of a vector", lambda: bool(f64()), TypeError, None),
    ("int of a vector", lambda: int(f64((1,))), TypeError, None),
    ("int of complex", lambda: int(xp.asarray(1j)), TypeError, None),
    ("int of nan", lambda: int(xp.asarray(math.nan)), ValueError, None),
    ("int of inf", lambda: int(xp.asarray(math.inf)), OverflowError, None),
    ("index of a float", lambda: xp.asarray(1.0).__index__(), TypeError, None),
    ("iteration of a matrix", lambda: iter(f64((2, 2))), TypeError, None),
    ("in", lambda: 1.0 in f64(), TypeError, None),
    ("T of a vector", lambda: f64().T, ValueError, None),
    ("mT of a vector", lambda: f64().mT, ValueError, None),
    ("Array()", lambda: type(f64())(), TypeError, None),
    ("to_device of a string", lambda: f64().to_device("device1"), ValueError, "device"),
    ("to_device with a stream", lambda: f64().to_device(D1, stream=1), ValueError, "stream"),
    (
        "namespace of an unknown version",
        lambda: f64().__array_namespace__(api_version="2020.10"),
        ValueError,
        "api_version",
    ),
    # exchange
    ("dl_device", lambda: f64().__dlpack__(dl_device=(2, 0)), BufferError, "dl_device"),
    ("stream", lambda: f64().__dlpack__(stream=1), BufferError, "stream"),
    ("export of another device", lambda: xp.ones(1, device=D1).__dlpack__(), BufferError, None),
    ("legacy export of a read-only array", lambda: read_only().__dlpack__(), BufferError, None),
    ("from_dlpack of a list", lambda: xp.from_dlpack([1.0]), AttributeError, "x"),
    ("from_dlpack of a half array", lambda: xp.from_dlpack(np.zeros(1, dtype=np.float16)), BufferError, "x"),
    ("from_dlpack of another device", lambda: xp.from_dlpack(Producer(reports=(2, 0))), BufferError, "x"),
    (
        "from_dlpack copy=False to a device",
        lambda: xp.from_dlpack(np.zeros(1), device=D1, copy=False),
        BufferError,
        "copy",
    ),
    (
        "from_dlpack of a string device",
        lambda: xp.from_dlpack(np.zeros(1), device="cpu"),
        ValueError,
        "device",
    ),
    ("__array__ of another device", lambda: xp.ones(1, device=D1).__array__(), RuntimeError, None),
    ("buffer of another device", lambda: memoryview(xp.ones(1, device=D1)), BufferError, None),
    # this library's own
    ("an unknown device", lambda: xp.Device("device9"), ValueError, ("device", "name")),
    ("an unknown version", lambda: xp.set_array_api_strict_flags(api_version="2020.10"), ValueError, "api_version"),
]
IDS = [name for name, *_ in REFUSALS]

# Refusals that concern no part of the standard.
OWN = {"an unknown device", "an unknown version"}


@pytest.mark.parametrize(("name", "call", "error", "argument"), REFUSALS, ids=IDS)
def test_a_refusal(name, call, error, argument):
    with pytest.raises(error) as e:
        pytest.fail(f"gave {call()!r}")
    raised = e.value
    assert type(raised.rule) is str
    assert raised.rule
    assert raised.rule.split() == [raised.rule], "a rule is an identifier"
    assert raised.argument is None or type(raised.argument) is str
    assert type(raised.section) is str
    if name not in OWN:
        assert raised.section
    text = str(raised)
    assert len(text) > 20
    if argument is not None:
        assert raised.argument in (argument if isinstance(argument, tuple) else (argument,))
        assert raised.argument in text


@pytest.mark.parametrize(
    ("call", "got"),
    [
        (lambda: xp.zeros([2, 3]), ["list"]),
        (lambda: xp.zeros(np.int64(3)), ["int64"]),
        (lambda: xp.full(3, 1j, dtype=xp.float64), ["complex", "float64"]),
        (lambda: xp.arange(3) + f64(), ["int64", "float64"]),
        (lambda: f64() + xp.ones(3, device=D1), ["CPU_DEVICE", "device1"]),
        (lambda: f64() + f64((2,)), ["(3,)", "(2,)"]),
        (lambda: f64((2, 3))[0], ["1", "2", "..."]),
        (lambda: f64()[3], ["3"]),
        (lambda: xp.ones(1, dtype=xp.int8) + 128, ["128", "int8"]),
        (lambda: xp.astype(xp.asarray(1j), xp.float64), ["complex128", "float64"]),
        (lambda: xp.asarray("abc"), ["str"]),
        (lambda: xp.asarray(Producer()), ["from_dlpack"]),
        (lambda: xp.ones(1, device=D1).__dlpack__(), ["device1", "to_device"]),
        (lambda: xp.zeros(1, dtype=xp.float64, device=device("no_float64")), ["float64", "no_float64"]),
        (lambda: xp.isdtype(xp.int8, "integer"), ["integer", "integral"]),
    ],
)
def test_the_text_says_what_was_got_and_what_to_write(call, got):
    with pytest.raises(Exception) as e:  # noqa: PT011
        call()
    for part in got:
        assert part in str(e.value)


def test_rules_tell_refusals_apart():
    def rule_of(call):
        with pytest.raises(Exception) as e:  # noqa: PT011
            call()
        return e.value.rule

    rules = {name: rule_of(call) for name, call, *_ in REFUSALS}
    apart = [
        "shape is a list",
        "shape is negative",
        "two devices",
        "int and float",
        "too few indices",
        "asarray copy=False of a list",
        "bool of a vector",
        "export of another device",
    ]
    assert len({rules[name] for name in apart}) == len(apart)
    # The same refusal has the same rule wherever it happens.
    assert rules["too few indices"] == rule_of(lambda: xp.ones((2, 2, 2))[0, 0])
    assert rules["two devices"] == rule_of(lambda: xp.multiply(f64(), xp.ones(3, device=D1)))


def test_the_class_for_copy_false():
    with pytest.raises(BufferError) as e:
        xp.from_dlpack(np.zeros(1), device=D1, copy=False)
    assert isinstance(e.value, ValueError)
    assert (e.value.argument, type(e.value.rule)) == ("copy", str)


def test_errors_are_ordinary_exceptions():
    for _, call, error, _ in REFUSALS:
        with pytest.raises(Exception) as e:  # noqa: PT011
            call()
        assert isinstance(e.value, error)
        assert isinstance(e.value, Exception)
        assert "PanicException" not in type(e.value).__name__
