"""Strictness from the rows: for every function × argument × wrong kind of value a refusal of the right type, which names the
rule, the argument and the section; and what the rows accept is accepted, with the shape and the data type that they say."""

import array as pyarray
import collections
import decimal
import enum
import fractions
import itertools
import operator

import numpy as np
import pytest
from rows import (
    ARRAY,
    FUNCTIONS,
    MANY,
    METHODS,
    NAMES,
    ROWS,
    SHAPES,
    VALUES,
    arguments,
    array,
    call,
    default,
    dtypes_of,
    has,
    index_dtype,
    of_dtype,
    required,
    value,
    zeros,
)
from support import DEVICE_NAMES, DTYPES, EXTENSIONS, INTEGER, dtype_name, flags, function

import strictarray as xp

GPU = "device1"


# ---- wrong values ----------------------------------------------------------------------------------------------------


class OnlyArray:
    def __array__(self, dtype=None, copy=None):
        return np.ones((2, 3))


class OnlyInterface:
    __array_interface__ = np.ones((2, 3)).__array_interface__


class OnlyDLPack:
    def __dlpack__(self, **kwargs):
        return np.ones((2, 3)).__dlpack__(**kwargs)

    def __dlpack_device__(self):
        return (1, 0)


class IntSubclass(int):
    pass


class FloatSubclass(float):
    pass


class Colour(enum.IntEnum):
    RED = 1


class Duck:
    """Another library's array, with every protocol that arrays have."""

    shape, dtype, ndim, size, device = (2, 3), np.dtype("float64"), 2, 6, "cpu"

    def __array_namespace__(self, api_version=None):
        return np

    def __array__(self, dtype=None, copy=None):
        return np.ones((2, 3))

    def __dlpack__(self, **kwargs):
        return np.ones((2, 3)).__dlpack__(**kwargs)

    def __dlpack_device__(self):
        return (1, 0)

    def __index__(self):
        return 1

    def __int__(self):
        return 1

    def __float__(self):
        return 1.0

    def __bool__(self):
        return True

    def __len__(self):
        return 2

    def __iter__(self):
        return iter((0, 1))


# What no argument takes but `asarray` and `from_dlpack`.
FOREIGN = {
    "NumPy array": np.ones((2, 3)),
    "NumPy integer array": np.ones((2, 3), dtype=np.int64),
    "NumPy 0-d array": np.array(1),
    "NumPy float64, a float": np.float64(1),
    "NumPy float32": np.float32(1),
    "NumPy int64": np.int64(1),
    "NumPy bool": np.True_,
    "duck array": Duck(),
    "object with __array__": OnlyArray(),
    "object with __array_interface__": OnlyInterface(),
    "DLPack exporter": OnlyDLPack(),
    "subclass of float": FloatSubclass(1),
    "subclass of int": IntSubclass(1),
    "member of IntEnum": Colour.RED,
    "Fraction": fractions.Fraction(1, 2),
    "Decimal": decimal.Decimal(1),
    "str": "1",
    "bytes": b"1",
    "dict": {0: 1},
    "set": {1},
    "object": object(),
    "type": int,
    "Ellipsis": ...,
    "array of the standard library": pyarray.array("d", [1.0]),
}
SCALARS = {"bool": True, "int": 1, "float": 1.5, "complex": 1j}
LISTS = {"list": [1, 0], "empty list": [], "range": range(2), "generator": (i for i in (0, 1))}
TUPLES = {"tuple": (1, 0), "empty tuple": ()}
OURS = {"0-d array": xp.asarray(1), "1-d array": xp.asarray([0, 1]), "dtype": xp.int64, "device": xp.CPU_DEVICE}
NO = {"None": None}


def but(values, *names):
    assert set(names) <= set(values)
    return {name: v for name, v in values.items() if name not in names}


def only(values, *names):
    return {name: values[name] for name in names}


NOT_INT = {**FOREIGN, **but(SCALARS, "int"), **LISTS, **TUPLES, **OURS}
# What is wrong inside a tuple of ints.
ITEM = {**NOT_INT, **NO}
ELSEWHERE = {"far axis": 99, "far negative axis": -99, "axis beyond 64 bits": 2**70}
DTYPE_LIKE = {
    "NumPy dtype": np.dtype("float64"),
    "NumPy type": np.float64,
    "Python type": float,
    "name": "float64",
    "code": "f8",
}


def tuples(items):
    return {f"tuple with {name}": (v,) for name, v in items.items()}


def lists(items):
    return {f"list with {name}": [v] for name, v in items.items()}


# For each kind of parameter: the values that it refuses, by exception and rule.
def wrong_values(row, p):
    kind = p["accepts"]
    axis = (IndexError, "axis")
    arrays = {**FOREIGN, **SCALARS, **LISTS, **TUPLES, **only(OURS, "dtype", "device")}
    if kind in ("Array", "ArrayOrNone"):
        yield (TypeError, "not-an-array"), {**arrays, **(NO if kind == "Array" else {})}
    elif kind in ("ArrayOrScalar", "ArrayOrScalarOrNone"):
        values = but(arrays, *SCALARS)
        yield (TypeError, "not-array-or-scalar"), {**values, **(NO if kind == "ArrayOrScalar" else {})}
    elif kind == "Arrays":
        first = value(row, p)[0]
        for name, v in {**arrays, **NO}.items():
            yield (TypeError, "not-an-array"), {f"{name} first": (v, first), f"{name} last": (first, v)}
    elif kind == "ArraySequence":
        first = value(row, p)[0]
        others = {**but(FOREIGN, "set"), **SCALARS, **only(LISTS, "range", "generator"), **OURS, **NO}
        yield (TypeError, "not-a-sequence"), {**others, "set": {1}, "array": first, "iterator": iter((first,))}
        for name, v in {**arrays, **NO}.items():
            items = {f"tuple with {name}": (first, v), f"list with {name}": [v, first]}
            yield (TypeError, "not-an-array"), items
        yield (ValueError, "nothing-to-join"), {"empty tuple": (), "empty list": []}
    elif kind == "ArraysOrDTypes":
        for name, v in {**but(arrays, *SCALARS, "dtype"), **DTYPE_LIKE, **NO}.items():
            yield (TypeError, "not-a-dtype"), {f"{name} first": (v, xp.int8), f"{name} last": (xp.int8, v)}
        yield (ValueError, "promotion-empty"), {"nothing": (), "scalars only": (1, 2.0)}
    elif kind == "ArrayOrDType":
        yield (TypeError, "not-a-dtype"), {**but(arrays, "dtype"), **DTYPE_LIKE, **NO}
        others = [name for name in DTYPES if name not in p["dtypes"]]
        yield (TypeError, "dtype-argument"), {name: getattr(xp, name) for name in others}
        yield (TypeError, "dtype-argument"), {f"array of {name}": array(name) for name in others}
    elif kind in ("Scalar", "ScalarOrNone"):
        values = {**FOREIGN, **LISTS, **TUPLES, **OURS, **but(SCALARS, *p["scalars"])}
        yield (TypeError, "not-a-scalar"), {**values, **(NO if kind == "Scalar" else {})}
    elif kind in ("Int", "Count", "CountOrNone", "Axis", "AxisOrNone"):
        yield (TypeError, "not-an-int"), {**NOT_INT, **({} if kind.endswith("None") else NO)}
        if kind.startswith("Count"):
            yield (ValueError, "value"), {"-1": -1, "very negative": -(2**70)}
        if kind.startswith("Axis"):
            yield axis, ELSEWHERE
    elif kind in ("Axes", "AxesOrNone"):
        several = {"empty tuple", "tuple", *(() if kind == "Axes" else ("None",))}
        # roll shifts an axis as often as it is named, so it reads its axes one by one.
        inner = "not-an-int" if row["name"] == "roll" else "axes-type"
        yield (TypeError, "axes-type"), {name: v for name, v in ITEM.items() if name not in several}
        yield (TypeError, inner), tuples(ITEM)
        yield axis, {**ELSEWHERE, **tuples(ELSEWHERE)}
        if row["name"] != "roll":
            yield (
                (ValueError, "axis-repeated"),
                {"axis twice": (0, 0), "axis from both ends": (0, -4 if row["name"] == "expand_dims" else -2)},
            )
    elif kind in ("AxisSequenceOrNone", "AxesOrSequenceOrNone", "IntSequenceOrNone"):
        sequences = {*TUPLES, "list", "empty list", "range", "None", *(("int",) if kind.startswith("Axes") else ())}
        yield (TypeError, "axes-type"), {name: v for name, v in ITEM.items() if name not in sequences}
        # The items of s are sizes.
        inner = "not-an-int" if kind.startswith("Int") else "axes-type"
        yield (TypeError, inner), {**tuples(ITEM), **lists(ITEM)}
        if kind.startswith("Int"):
            # The other argument has one axis.
            yield (ValueError, "axis-count"), {"none": (), "two": [1, 1]}
            yield (ValueError, "transform-size"), {"0": (0,), "-2": [-2]}
            yield (ValueError, "shape-too-large"), {"beyond 64 bits": (2**70,)}
        else:
            alone = ELSEWHERE if kind.startswith("Axes") else {}
            yield axis, {**alone, **tuples(ELSEWHERE), **lists(ELSEWHERE)}
            yield (ValueError, "axis-repeated"), {"axis twice": (0, 0), "axis from both ends": [0, -2]}
    elif kind == "AllAxes":
        yield (TypeError, "not-a-tuple"), {**but(ITEM, *TUPLES), **only(SCALARS, "int")}
        yield (TypeError, "axes-type"), tuples(ITEM)
        yield axis, {name: (0, v) for name, v in ELSEWHERE.items()}
        yield (ValueError, "axis-repeated"), {"axis twice": (0, 0)}
        yield (ValueError, "axis-count"), {"too few": (0,), "none": ()}
    elif kind == "Shape":
        yield (TypeError, "shape-type"), {**but(ITEM, *TUPLES), **tuples(ITEM)}
        yield (ValueError, "shape-negative"), {"negative": -1, "negative size": (2, -1)}
        yield (ValueError, "max-dimensions"), {"65 axes": (1,) * 65}
        yield (ValueError, "shape-too-large"), {"too large": (2**40, 2**40), "beyond 64 bits": 2**70}
    elif kind in ("Sizes", "Ints", "Shapes"):
        inner = ("not-an-int",) if row["name"] in ("reshape", "tile") else ("shape-type",)
        wrap = (lambda values: {name: (v,) for name, v in values.items()}) if kind == "Shapes" else dict
        yield (TypeError, "not-a-tuple"), wrap({**but(ITEM, *TUPLES), **only(SCALARS, "int")})
        yield (TypeError, *inner), wrap(tuples(ITEM))
        rule = {"reshape": "reshape-infer", "tile": "repetitions"}.get(row["name"], "shape-negative")
        yield (ValueError, rule), wrap({"negative": (2, -2)})
        yield (ValueError, "max-dimensions"), wrap({"65 axes": (1,) * 65})
    elif kind == "IntOrInts":
        yield (TypeError, "not-an-int"), {**but(ITEM, *TUPLES), **tuples(ITEM)}
    elif kind == "CountOrArray":
        yield (TypeError, "not-an-int"), but(ITEM, "0-d array", "1-d array")
        yield (ValueError, "repetitions"), {"-1": -1, "negative count": xp.asarray([-1])}
    elif kind == "AxesPair":
        values = but(ITEM, *TUPLES)
        yield (TypeError, "not-a-tuple"), {**values, "empty tuple": (), "one sequence": ((0,),), "three": ((0,),) * 3}
        # A sequence of axes may be a list.
        items = {f"{where} {name}": v for name, v in but(ITEM, *LISTS, *TUPLES).items() for where in ("axes", "axis")}
        both = {name: (v if name.startswith("axes") else (v,), (0,)) for name, v in items.items()}
        yield (TypeError, "axes-type"), {**both, **{f"second {name}": pair[::-1] for name, pair in both.items()}}
        yield axis, {name: ((v,), (0,)) for name, v in ELSEWHERE.items()}
        yield (ValueError, "axis-repeated"), {"axis twice": ((0, 0), (0, 1))}
        yield (ValueError, "axis-count"), {"different numbers": ((0, 1), (0,)), "too many": 3, "negative": -1}
    elif kind in ("Bool", "BoolOrNone"):
        values = {**FOREIGN, **but(SCALARS, "bool"), **LISTS, **TUPLES, **OURS, "array of bool": xp.asarray(True)}
        yield (TypeError, "not-a-bool"), {**values, "0": 0, **(NO if kind == "Bool" else {})}
    elif kind in ("DType", "DTypeOrNone"):
        values = {**FOREIGN, **SCALARS, **LISTS, **TUPLES, **but(OURS, "dtype"), **DTYPE_LIKE}
        yield (TypeError, "not-a-dtype"), {**values, **(NO if kind == "DType" else {})}
        yield (TypeError, "dtype-argument"), {name: getattr(xp, name) for name in DTYPES if name not in p["dtypes"]}
    elif kind == "DeviceOrNone":
        values = {**FOREIGN, **SCALARS, **LISTS, **TUPLES, **but(OURS, "device")}
        yield (ValueError, "not-a-device"), {**values, "name": "CPU_DEVICE", "cpu": "cpu", "DLPack's": (1, 0)}
    elif kind == "DTypeKinds":
        values = {**but(arrays, *TUPLES, "str", "dtype"), **OURS, **NO, **but(DTYPE_LIKE, "name", "code")}
        values = but(values, "dtype")
        yield (TypeError, "not-a-dtype"), {**values, **tuples(values), "tuple in a tuple": (("bool",),)}
        texts = {"name": "float64", "other": "integer", "empty": "", "case": "Bool"}
        yield (ValueError, "not-a-choice"), {**texts, **tuples(texts)}
    elif kind == "Choice":
        values = {**FOREIGN, **SCALARS, **LISTS, **TUPLES, **OURS, **NO}
        texts = {
            "case": p["texts"][0].upper(),
            "NumPy str": np.str_(p["texts"][0]),
            "bytes of it": p["texts"][0].encode(),
        }
        yield (ValueError, "not-a-choice"), {**values, **texts}
    elif kind == "ScalarOrChoice":
        values = {**but(FOREIGN, "str"), **LISTS, **TUPLES, **OURS, **but(SCALARS, *p["scalars"]), **NO}
        yield (TypeError, "not-a-scalar"), values
        texts = {"case": p["texts"][0].upper(), "number": "2", "empty": ""}
        yield (ValueError, "not-a-choice"), texts
    elif kind == "Sequence":
        # Lists, tuples and ranges of Python scalars are taken, and buffers.
        buffers = [
            name
            for name in FOREIGN
            if name.startswith(("NumPy array", "NumPy integer", "NumPy 0-d", "array of", "bytes"))
        ]
        values = {**but(FOREIGN, *buffers), **only(LISTS, "generator"), **only(OURS, "dtype", "device"), **NO}
        yield (TypeError, "asarray-object"), values
        items = {**FOREIGN, **but(OURS, "dtype"), **NO}
        yield (
            (TypeError, "asarray-object"),
            {**lists(items), **tuples(items), **lists(lists(items)), **lists(tuples(items))},
        )
        yield (OverflowError, "scalar-range"), {"too large": 2**63, "in a list": [1, -(2**63) - 1]}
        ragged = {"lengths": [[1], [2, 3]], "depths": [1, [2]], "scalars beside": [[1], 2]}
        yield (ValueError, "asarray-ragged"), ragged
    elif kind == "Exporter":
        values = {**SCALARS, **LISTS, **TUPLES, **but(OURS, "0-d array", "1-d array"), **NO}
        values |= {name: v for name, v in FOREIGN.items() if not hasattr(v, "__dlpack__")}
        yield (AttributeError, "dlpack-no-protocol"), but(values, "type")
    else:
        raise AssertionError(f"{kind}: no wrong values are known")


def refused(make, wanted, label, argument, section):
    """Asserts that the call is refused, for the rule, and says of which argument and function."""
    exception, *rules = wanted
    try:
        result = make()
    except exception as e:
        assert getattr(e, "rule", None) in rules, f"{label}: {e!r}"
        names = argument if isinstance(argument, tuple) else (argument,)
        assert e.argument in names, f"{label}: names {e.argument}: {e}"
        assert section is None or e.section == section, f"{label}: {e.section}"
        assert f"argument {e.argument}: " in str(e), f"{label}: {e}"
        return
    except Exception as e:
        raise AssertionError(f"{label}: {e!r}") from e
    raise AssertionError(f"{label} is let through: {result!r}")


PARAMETERS = [(name, p["name"]) for name in NAMES for p in FUNCTIONS[name]["params"]]


# Arguments without which another makes no sense.
BESIDE = {(name, "s"): {"axes": (0,)} for name in ("fft.fftn", "fft.ifftn", "fft.irfftn", "fft.rfftn")}


def parameter(name, wanted):
    return next(p for p in FUNCTIONS[name]["params"] if p["name"] == wanted)


@pytest.mark.parametrize(("name", "argument"), PARAMETERS)
def test_wrong_kinds_of_values_are_refused(name, argument):
    row, p = FUNCTIONS[name], parameter(name, argument)
    for wanted, values in wrong_values(row, p):
        for label, wrong in values.items():
            given = {**arguments(row), **BESIDE.get((name, argument), {}), argument: wrong}
            label = f"{name}({argument}={label})"
            refused(lambda given=given: call(row, given), wanted, label, argument, row["section"])


def cases(name, argument):
    return sum(len(values) for _, values in wrong_values(FUNCTIONS[name], parameter(name, argument)))


def test_the_table_does_not_shrink():
    assert len(NAMES) >= 175
    assert len(PARAMETERS) >= 385
    assert sum(cases(*pair) for pair in PARAMETERS) >= 16_500


@pytest.mark.parametrize("name", NAMES)
def test_required_arguments_are_required(name):
    row = FUNCTIONS[name]
    for p in required(row):
        if p["kind"] != "var-positional":
            given = arguments(row)
            del given[p["name"]]
            # What comes after by position would take its place.
            later = row["params"][row["params"].index(p) + 1 :]
            for q in later:
                if q["kind"] == "positional-only":
                    given.pop(q["name"], None)
            refused(lambda: call(row, given), (TypeError, "arguments"), name, p["name"], row["section"])


@pytest.mark.parametrize("name", NAMES)
def test_unknown_and_superfluous_arguments_are_refused(name):
    row = FUNCTIONS[name]
    f, given = function(name), arguments(row)
    by_place = [p for p in row["params"] if p["kind"].startswith("positional")]
    with pytest.raises(TypeError) as e:
        f(**{p["name"]: value(row, p) for p in row["params"] if p["kind"] != "var-positional"}, out=None)
    assert e.value.rule == "arguments"
    if not any(p["kind"] == "var-positional" for p in row["params"]):
        with pytest.raises(TypeError) as e:
            f(*[value(row, p) for p in by_place], *given.values(), None)
        assert (e.value.rule, e.value.section) == ("arguments", row["section"])
    for p in row["params"]:
        if p["kind"] == "positional-only":
            others = {key: v for key, v in given.items() if key != p["name"]}
            with pytest.raises(TypeError) as e:
                f(**others, **{p["name"]: value(row, p)})
            assert e.value.rule == "arguments"


# ---- data types ------------------------------------------------------------------------------------------------------

WITH_DTYPES = [
    (name, argument) for name, argument in PARAMETERS if parameter(name, argument)["accepts"] in (*ARRAY, *MANY)
]


@pytest.mark.parametrize(("name", "argument"), WITH_DTYPES)
def test_arrays_of_other_dtypes_are_refused(name, argument):
    row, p = FUNCTIONS[name], parameter(name, argument)
    for device in DEVICE_NAMES:
        for dtype in DTYPES:
            if dtype in p["dtypes"] or not has(device, dtype):
                continue
            wrong = of_dtype(row, p, dtype, device)
            given = {**arguments(row, device=device), argument: (wrong, wrong) if p["accepts"] in MANY else wrong}
            label = f"{name}({argument}={dtype} on {device})"
            refused(lambda given=given: call(row, given), (TypeError, "dtype-kind"), label, argument, row["section"])


# The pairs of array arguments of a function that must promote, or be of one data type.
PAIRS = {
    name: [p["name"] for p in FUNCTIONS[name]["params"] if p["accepts"] in ("Array", "ArrayOrScalar")]
    for name in NAMES
    if name not in ("take", "take_along_axis", "linalg.matrix_rank", "linalg.pinv")
}
PAIRS = {name: pair[-2:] for name, pair in PAIRS.items() if len(pair) >= 2}


def promotes(a, b):
    try:
        return dtype_name(xp.result_type(getattr(xp, a), getattr(xp, b)))
    except TypeError:
        return None


@pytest.mark.parametrize("name", PAIRS)
def test_dtypes_without_a_promotion_are_refused(name):
    row, (first, second) = FUNCTIONS[name], PAIRS[name]
    sets = [parameter(name, argument)["dtypes"] for argument in (first, second)]
    seen, same = 0, row["result"] == "Same"
    for a, b in itertools.product(*sets):
        if promotes(a, b) is None or (same and a != b):
            x, y = (of_dtype(row, parameter(name, p), d, "CPU_DEVICE") for p, d in ((first, a), (second, b)))
            given = {**arguments(row), first: x, second: y}
            refused(
                lambda given=given: call(row, given),
                (TypeError, "promotion"),
                f"{name}({a}, {b})",
                second,
                row["section"],
            )
            seen += 1
    assert seen > 0 or not (same or set(INTEGER) <= set(sets[0]))


@pytest.mark.parametrize("name", [name for name in NAMES if FUNCTIONS[name]["shape"] == "Broadcast"])
def test_shapes_that_do_not_broadcast_are_refused(name):
    row = FUNCTIONS[name]
    given = arguments(row)
    arrays = [key for key in given if hasattr(given[key], "shape")]
    for p in row["params"]:
        if p["accepts"] in ARRAY and (p["name"] in arrays[1:] or p["default"] is not None):
            dtype = dtype_name(given[arrays[-1]].dtype)
            for shape in ((2,), (3, 3), (2, 2, 2)):
                wrong = {**given, p["name"]: array(dtype, shape)}
                # Of three shapes none is the one that does not fit.
                named = None if name in ("clip", "where") else p["name"]
                with pytest.raises(ValueError) as e:
                    call(row, wrong)
                assert (e.value.rule, e.value.argument, e.value.section) == ("broadcast", named, row["section"])


def test_a_promotion_that_the_device_does_not_have_is_refused():
    pairs = [pair for pair in itertools.product(INTEGER, repeat=2) if promotes(*pair) == "int64"]
    pairs = [(a, b) for a, b in pairs if has("no_x64", a) and has("no_x64", b)]
    assert ("int32", "uint32") in pairs
    for name, (first, second) in PAIRS.items():
        row = FUNCTIONS[name]
        if not set(INTEGER) <= set(parameter(name, first)["dtypes"]):
            continue
        for a, b in pairs:
            x, y = (of_dtype(row, parameter(name, p), d, "no_x64") for p, d in ((first, a), (second, b)))
            given = {**arguments(row, device="no_x64"), first: x, second: y}
            wanted = (ValueError, "device-dtype")
            refused(lambda row=row, given=given: call(row, given), wanted, f"{name}({a}, {b})", second, row["section"])


@pytest.mark.parametrize("name", ["concat", "stack", "meshgrid"])
def test_sequences_of_dtypes_without_a_promotion_are_refused(name):
    row, p = FUNCTIONS[name], FUNCTIONS[name]["params"][0]
    for a, b in itertools.product(p["dtypes"], repeat=2):
        same = a == b if name == "meshgrid" else promotes(a, b)
        if not same:
            pair = tuple(of_dtype(row, p, d, "CPU_DEVICE") for d in (a, b))
            wanted = (TypeError, "dtype-kind" if name == "meshgrid" else "promotion")
            refused(
                lambda pair=pair: call(row, {p["name"]: pair}), wanted, f"{name}({a}, {b})", p["name"], row["section"]
            )


@pytest.mark.parametrize(
    ("name", "argument"), [("clip", "min"), ("clip", "max"), ("diff", "prepend"), ("diff", "append")]
)
def test_what_stands_beside_x_has_its_dtype(name, argument):
    row, p = FUNCTIONS[name], parameter(name, argument)
    for a, b in itertools.product(p["dtypes"], repeat=2):
        if a != b:
            given = {**arguments(row, a), argument: of_dtype(row, p, b, "CPU_DEVICE")}
            refused(
                lambda given=given: call(row, given),
                (TypeError, "promotion"),
                f"{name}({a}, {b})",
                argument,
                row["section"],
            )


SCALAR_BESIDE = [
    (name, argument)
    for name, argument in PARAMETERS
    if parameter(name, argument)["accepts"] in ("ArrayOrScalar", "ArrayOrScalarOrNone")
]
KINDS = {
    "bool": ("bool",),
    "int": (*INTEGER, "float32", "float64", "complex64", "complex128"),
    "float": ("float32", "float64", "complex64", "complex128"),
    "complex": ("float32", "float64", "complex64", "complex128"),
}


@pytest.mark.parametrize(("name", "argument"), SCALAR_BESIDE)
def test_python_scalars_of_another_kind_are_refused(name, argument):
    row, p = FUNCTIONS[name], parameter(name, argument)
    for dtype in p["dtypes"]:
        for kind, scalar in SCALARS.items():
            given = {**arguments(row, dtype), argument: scalar}
            complex_result = kind == "complex" and "complex128" not in p["dtypes"]
            if dtype in KINDS[kind] and not complex_result:
                call(row, given)
                continue
            rules = (TypeError, "scalar-kind", "dtype-kind")
            refused(
                lambda given=given: call(row, given),
                rules,
                f"{name}({argument}={kind} beside {dtype})",
                argument,
                row["section"],
            )
        if dtype in INTEGER:
            bits = int(dtype.strip("uint"))
            for far in (2**bits, -(2**bits)):
                given = {**arguments(row, dtype), argument: far}
                label = f"{name}({argument}={far} beside {dtype})"
                refused(
                    lambda given=given: call(row, given),
                    (OverflowError, "scalar-range"),
                    label,
                    argument,
                    row["section"],
                )


@pytest.mark.parametrize("name", PAIRS)
def test_two_python_scalars_are_refused(name):
    row, pair = FUNCTIONS[name], PAIRS[name]
    if all(parameter(name, p)["accepts"] == "ArrayOrScalar" for p in pair):
        given = {**arguments(row), **dict.fromkeys(pair, 1)}
        refused(lambda: call(row, given), (TypeError, "only-scalars"), name, pair[0], row["section"])


# ---- devices ---------------------------------------------------------------------------------------------------------


def array_arguments(row):
    """The parameters that take arrays, and values for all of them on a device."""
    kinds = (*ARRAY, *MANY, "CountOrArray", "ArraysOrDTypes")
    return [p for p in row["params"] if p["accepts"] in kinds]


SEVERAL = [name for name in NAMES if len(array_arguments(FUNCTIONS[name])) > 1]
SEQUENCES = [
    name for name in NAMES if any(p["accepts"] in (*MANY, "ArraysOrDTypes") for p in FUNCTIONS[name]["params"])
]


@pytest.mark.parametrize("name", SEVERAL)
def test_arrays_on_two_devices_are_refused(name):
    row = FUNCTIONS[name]
    places = [p["name"] for p in array_arguments(row)]
    for argument in places:
        for device in DEVICE_NAMES[1:]:
            p = parameter(name, argument)
            dtype = dtypes_of(row, p, device)[0]
            for host, other in (("CPU_DEVICE", device), (device, "CPU_DEVICE")):
                given = arguments(row, dtype, host)
                for q in array_arguments(row):
                    fitting = dtype if dtype in q["dtypes"] else dtypes_of(row, q, device)[0]
                    given[q["name"]] = of_dtype(row, q, fitting, host)
                given[argument] = of_dtype(row, p, dtype, other)
                named = tuple(places) if argument == places[0] else (argument, *places[places.index(argument) + 1 :])
                label = f"{name}({argument} on {other})"
                refused(
                    lambda given=given: call(row, given), (ValueError, "device-mixed"), label, named, row["section"]
                )


@pytest.mark.parametrize("name", SEQUENCES)
def test_sequences_on_two_devices_are_refused(name):
    row, p = FUNCTIONS[name], FUNCTIONS[name]["params"][0]
    shape = SHAPES.get((name, p["name"]), (2, 3))
    for pair in (("CPU_DEVICE", GPU), (GPU, "device2")):
        arrays = tuple(array("float32", shape, device) for device in pair)
        for given in (arrays, (arrays[0], *arrays)):
            refused(
                lambda given=given: call(row, {p["name"]: given}),
                (ValueError, "device-mixed"),
                name,
                p["name"],
                row["section"],
            )


WITH_DEVICE = [
    name for name in NAMES if any(p["name"] == "dtype" for p in FUNCTIONS[name]["params"]) and name != "isdtype"
]


@pytest.mark.parametrize("name", WITH_DEVICE)
def test_a_dtype_that_the_device_lacks_is_refused(name):
    row, p = FUNCTIONS[name], parameter(name, "dtype")
    for device in DEVICE_NAMES:
        for dtype in p["dtypes"]:
            if has(device, dtype):
                continue
            given = {**arguments(row, "int8", device), "dtype": getattr(xp, dtype)}
            if any(q["name"] == "device" for q in row["params"]):
                given["device"] = xp.Device(device)
            label = f"{name}(dtype={dtype} on {device})"
            named = ("dtype", "device")
            refused(lambda given=given: call(row, given), (ValueError, "device-dtype"), label, named, row["section"])


# ---- what is accepted ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_every_parameter_takes_what_its_row_says(name):
    """Also with every accessor of the binding: one that reads another kind than the row's fails each time."""
    row = FUNCTIONS[name]
    for p in row["params"]:
        given = {**arguments(row), **BESIDE.get((name, p["name"]), {}), p["name"]: value(row, p)}
        call(row, given)
        if "Sequence" in p["accepts"] and p["accepts"].endswith("None"):
            for sequence in (list, lambda items: range(items[0], items[0] + 1)):
                call(row, {**given, p["name"]: sequence(given[p["name"]])})
        if p["accepts"].endswith("None"):
            call(row, {**given, p["name"]: None})
        for text in p.get("texts", ()):
            call(row, {**given, p["name"]: text})
        for dtype in dtypes_of(row, p):
            if p["accepts"].startswith("DType"):
                # Bools and small integers become any data type.
                given = {**arguments(row, "bool" if dtype == "bool" else "int8"), **OF_ANY_DTYPE.get(name, {})}
                call(row, {**given, p["name"]: getattr(xp, dtype)})
    call(row, {p["name"]: value(row, p) for p in row["params"] if (name, p["name"]) not in EXCLUSIVE})


OF_ANY_DTYPE = {"asarray": {"obj": [True, False]}}
# Arguments that do not go with the values of others.
EXCLUSIVE = {("reshape", "copy"), ("asarray", "copy"), ("from_dlpack", "copy"), ("finfo", "dtype")}


def equal(a, b):
    if isinstance(a, tuple | list):
        return len(a) == len(b) and all(map(equal, a, b))
    if not hasattr(a, "shape"):
        public = [] if type(a).__module__ == "builtins" else [n for n in dir(a) if not n.startswith("_")]
        same = all(callable(getattr(a, n)) or getattr(a, n) == getattr(b, n) for n in public)
        return type(a) is type(b) and (a == b or (bool(public) and same))
    same = xp.equal(a, b) if a.dtype == b.dtype else xp.asarray(False)
    return a.shape == b.shape and a.device == b.device and bool(xp.all(same))


DEFAULTS = [(name, p["name"]) for name in NAMES for p in FUNCTIONS[name]["params"] if p["default"] is not None]


@pytest.mark.parametrize(("name", "argument"), DEFAULTS)
def test_the_default_is_what_the_row_says(name, argument):
    row, p = FUNCTIONS[name], parameter(name, argument)
    given = arguments(row)
    left_out, spelled_out = call(row, given), call(row, {**given, argument: eval(p["default"])})
    if "values" in row["open"]:
        assert (left_out.shape, left_out.dtype) == (spelled_out.shape, spelled_out.dtype)
        return
    assert equal(left_out, spelled_out)


# The shapes that the rows call computed, for the arguments of `rows.py`.
COMPUTED = {
    "arange": (2,),
    "eye": (2, 2),
    "linspace": (3,),
    "meshgrid": (3, 3),
    "matrix_transpose": (3, 2),
    "tensordot": (),
    "vecdot": (2,),
    "take": (2,),
    "take_along_axis": (2, 3),
    "broadcast_arrays": (2, 3),
    "concat": (4, 3),
    "expand_dims": (1, 2, 3),
    "moveaxis": (3, 2),
    "permute_dims": (3, 2),
    "repeat": (12,),
    "squeeze": (3,),
    "stack": (2, 2, 3),
    "tile": (2, 6),
    "unstack": (3,),
    "nonzero": (6,),
    "searchsorted": (2, 3),
    "unique_all": (6,),
    "unique_counts": (6,),
    "unique_inverse": (6,),
    "unique_values": (6,),
    "cumulative_sum": (6,),
    "cumulative_prod": (6,),
    "diff": (2, 2),
    "linalg.cholesky": (2, 2),
    "linalg.cross": (2, 3),
    "linalg.det": (),
    "linalg.diagonal": (2,),
    "linalg.eig": (2,),
    "linalg.eigh": (2,),
    "linalg.eigvals": (2,),
    "linalg.eigvalsh": (2,),
    "linalg.inv": (2, 2),
    "linalg.matrix_norm": (),
    "linalg.matrix_power": (2, 2),
    "linalg.matrix_rank": (),
    "linalg.matrix_transpose": (3, 2),
    "linalg.outer": (2, 3),
    "linalg.pinv": (3, 2),
    "linalg.qr": (2, 2),
    "linalg.slogdet": (),
    "linalg.solve": (2, 3),
    "linalg.svd": (2, 2),
    "linalg.svdvals": (2,),
    "linalg.tensordot": (),
    "linalg.trace": (),
    "linalg.vecdot": (2,),
    "fft.fft": (2, 3),
    "fft.fftfreq": (2,),
    "fft.fftn": (2, 3),
    "fft.hfft": (2, 4),
    "fft.ifft": (2, 3),
    "fft.ifftn": (2, 3),
    "fft.ihfft": (2, 2),
    "fft.irfft": (2, 4),
    "fft.irfftn": (2, 4),
    "fft.rfft": (2, 2),
    "fft.rfftfreq": (2,),
    "fft.rfftn": (2, 2),
}
# Where (2, 3) elements hold fewer different, or fewer that are not zero.
OF_BOOL = {"nonzero": (3,), **dict.fromkeys(("unique_all", "unique_counts", "unique_inverse", "unique_values"), (2,))}
# `tensordot` contracts what it is told, here two axes of each.
EXTRA = {name: {"axes": ((0, 1), (0, 1))} for name in ("tensordot", "linalg.tensordot")}


def shape_of(row, given, dtype):
    rule, name = row["shape"], row["name"]
    arrays = [v for v in given.values() if hasattr(v, "shape")]
    if rule == "Same":
        return arrays[0].shape
    if rule == "Broadcast":
        return np.broadcast_shapes(*(x.shape for x in arrays))
    if rule == "Argument":
        return given["shape"]
    if rule == "Matmul":
        return (arrays[0].shape[0], arrays[1].shape[1])
    if rule == "Reduced":
        return ()
    if rule == "Object":
        return np.asarray(given.get("obj", np.ones((2, 3)))).shape
    assert rule == "Computed"
    return OF_BOOL[name] if dtype == "bool" and name in OF_BOOL else COMPUTED[name]


def dtype_of(row, given, device, dtype):
    rule = row["result"]
    arrays = [v for v in given.values() if hasattr(v, "shape")]
    arrays += [x for v in given.values() if isinstance(v, tuple) for x in v if hasattr(x, "shape")]
    if rule == "Promoted":
        # The condition of `where` is none of them.
        return dtype_name(xp.result_type(*arrays[1:] if row["name"] == "where" else arrays))
    if rule == "Same":
        return dtype_name(arrays[0].dtype)
    if rule == "RealPart":
        return {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)
    if rule == "Complex":
        return {"float32": "complex64", "float64": "complex128"}.get(dtype, dtype)
    if rule == "Bool":
        return "bool"
    if rule == "Index":
        return index_dtype(device)
    if rule == "Accumulated":
        # As the standard says it of dtype=None.
        if dtype not in INTEGER:
            return dtype
        integral = default(device, "integral")
        wider = int(integral[3:]) > int(dtype.strip("uint"))
        return ("u" if dtype[0] == "u" else "") + integral if wider else dtype
    if rule == "Object":
        return default(device, "real floating")
    assert rule == "Argument"
    if "dtype" in given:
        return dtype_name(given["dtype"])
    if arrays:
        return dtype_name(arrays[0].dtype)
    whole = row["name"] in ("arange", "full")
    return default(device, "integral" if whole else "real floating")


@pytest.mark.parametrize("device", DEVICE_NAMES)
@pytest.mark.parametrize("name", NAMES)
def test_every_dtype_on_every_device_gives_what_the_row_says(name, device):
    row = FUNCTIONS[name]
    first = next((p for p in row["params"] if p["accepts"] in (*ARRAY, *MANY)), None)
    dtypes = dtypes_of(row, first, device) if first else [None]
    # The condition of `where` is always bool: the others have the data types.
    if name == "where":
        dtypes = [d for d in DTYPES if has(device, d)]
    assert dtypes
    for dtype in dtypes:
        given = {**arguments(row, dtype, device), **EXTRA.get(name, {})}
        takes_device = any(p["name"] == "device" for p in row["params"])
        if takes_device:
            given["device"] = xp.Device(device)
        result = call(row, given)
        if row["shape"] == "NoArray":
            assert row["result"] == "NoArray"
            assert not hasattr(result, "shape")
            continue
        results = result if isinstance(result, tuple) else (result,)
        for x in results:
            assert x.device == xp.Device(device), f"{name} of {dtype}"
        assert results[0].shape == shape_of(row, given, dtype), f"{name} of {dtype}"
        assert dtype_name(results[0].dtype) == dtype_of(row, given, device, dtype), f"{name} of {dtype}"
        for i, x in enumerate(results[1:]):
            # The first is that of the row; what unique_* give beside it are indices and counts.
            other = index_dtype(device) if name.startswith("unique") else dtype_name(results[0].dtype)
            if (name, i + 1) in OF_PRECISION:
                other = dtype_of({**row, "result": OF_PRECISION[name, i + 1]}, given, device, dtype)
            assert dtype_name(x.dtype) == other


# Of several results those that are not of the data type of the first.
OF_PRECISION = {
    ("linalg.eigh", 1): "Same",
    ("linalg.slogdet", 1): "RealPart",
    ("linalg.svd", 1): "RealPart",
}
REDUCING = [name for name in NAMES if FUNCTIONS[name]["shape"] == "Reduced"]


@pytest.mark.parametrize("name", REDUCING)
def test_reduced_axes_go_away_or_stay(name):
    row = FUNCTIONS[name]
    several = parameter(name, "axis")["accepts"] == "AxesOrNone"
    dtype = next(d for d in ("float64", "bool") if d in row["params"][0]["dtypes"])
    x = array(dtype, (2, 3, 4))
    for axis in [None, 0, 1, 2, -1, *([(), (0, 2), (-1, 1), (0, 1, 2)] if several else [])]:
        gone = range(3) if axis is None else [i % 3 for i in (axis if isinstance(axis, tuple) else (axis,))]
        for keepdims in (False, True):
            shape = tuple(1 if i in gone else n for i, n in enumerate(x.shape) if keepdims or i not in gone)
            assert call(row, {"x": x, "axis": axis, "keepdims": keepdims}).shape == shape


@pytest.mark.parametrize(
    "name", [name for name in PAIRS if FUNCTIONS[name]["result"] in ("Promoted", "Bool", "Index", "Same")]
)
def test_every_pair_that_promotes_is_accepted(name):
    row, (first, second) = FUNCTIONS[name], PAIRS[name]
    same = row["result"] == "Same"
    for device in ("CPU_DEVICE", "no_x64"):
        sets = [dtypes_of(row, parameter(name, argument), device) for argument in (first, second)]
        for a, b in itertools.product(*sets):
            dtype = promotes(a, b)
            if dtype is None or not has(device, dtype) or (same and a != b):
                continue
            x, y = (of_dtype(row, parameter(name, p), d, device) for p, d in ((first, a), (second, b)))
            given = {**arguments(row, device=device), first: x, second: y, **EXTRA.get(name, {})}
            wanted = {"Promoted": dtype, "Bool": "bool", "Index": index_dtype(device), "Same": a}[row["result"]]
            assert dtype_name(call(row, given).dtype) == wanted, f"{name}({a}, {b}) on {device}"


# ---- what is open ----------------------------------------------------------------------------------------------------

# Calls that change nothing, so that a result could be its argument.
IDLE = {
    "abs": {"x": array("uint8")},
    "astype": {"dtype": xp.complex128},
    "ceil": {"x": array("int64")},
    "concat": {"arrays": [array()]},
    "cumulative_sum": {"x": array(shape=(1,))},
    "diff": {"n": 0},
    "floor": {"x": array("int64")},
    "max": {"axis": ()},
    "meshgrid": {"arrays": [array(shape=(3,))]},
    "repeat": {"repeats": 1, "axis": 0},
    "roll": {"shift": 0},
    "round": {"x": array("int64")},
    "sort": {"x": array(shape=(1,))},
    "sum": {"axis": ()},
    "take": {"indices": xp.arange(6)},
    "tile": {"repetitions": (1,)},
    "tril": {"k": 5},
    "trunc": {"x": array("int64")},
    "where": {"condition": array("bool", shape=(1,)), "x1": array("bool")},
}


def memory(values):
    flat = [x for v in values for x in (v if isinstance(v, tuple | list) else (v,)) if hasattr(x, "__dlpack__")]
    return [np.from_dlpack(x) for x in flat]


@pytest.mark.parametrize("name", NAMES)
def test_results_share_memory_only_where_that_is_open(name):
    row, first = FUNCTIONS[name], None
    for p in row["params"][:1]:
        first = next((d for d in ("complex128", "float64", "int64", "bool") if d in p.get("dtypes", ())), None)
    for idle in ({}, IDLE.get(name, {})):
        given = {**arguments(row, first), **idle}
        result = memory([call(row, given)])
        shared = any(np.shares_memory(a, b) for a in memory(given.values()) for b in result)
        if "view or copy" in row["open"]:
            # A mode may choose otherwise; by default it is a view where it can be one. Rounding changes floats.
            rounded = name in ("ceil", "floor", "trunc") and not idle
            assert shared or rounded or name in ("meshgrid", "conj", "asarray")
        else:
            assert not shared


INTEGERS_ONLY = {"overflow", "zero division", "shift range", "integer power"}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_is_open_is_open_for_a_dtype_that_the_function_takes(name):
    row = FUNCTIONS[name]
    opened, dtypes = set(row["open"]), {d for p in row["params"] for d in p.get("dtypes", ())}
    assert not opened & INTEGERS_ONLY or set(INTEGER) <= dtypes
    assert not opened & {"rounding", "nan place"} or dtypes & {"float64", "complex128"}
    assert not opened & {"complex rounding", "complex infinity", "sign", "vectors"} or "complex128" in dtypes
    # Approximations of real numbers are approximations of complex ones.
    assert not {"rounding", "complex rounding"} <= opened
    # Arithmetic on integers overflows, and only there.
    arithmetic = row["shape"] in ("Same", "Broadcast") and row["result"] in ("Promoted", "RealPart", "Same")
    if "overflow" in opened and arithmetic:
        assert dtypes >= set(INTEGER)


# ---- older versions --------------------------------------------------------------------------------------------------

VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")
ADDED = {(name, feature): since for feature, since, names in ROWS["additions"] for name in names}


def before(version):
    return VERSIONS[VERSIONS.index(version) - 1]


LATER = [
    (name, p["name"]) for name in NAMES for p in FUNCTIONS[name]["params"] if p["since"] > FUNCTIONS[name]["since"]
]


@pytest.mark.parametrize(("name", "argument"), LATER)
def test_arguments_that_came_later_are_refused(name, argument):
    row, p = FUNCTIONS[name], parameter(name, argument)
    given = {**arguments(row), argument: value(row, p)}
    with flags(api_version=p["since"]):
        call(row, given)
    with flags(api_version=before(p["since"])):
        refused(lambda: call(row, given), (TypeError, "later-argument"), name, argument, row["section"])


def test_what_came_with_a_later_version_is_known():
    later = {("astype", "device"), ("from_dlpack", "device"), ("from_dlpack", "copy")}
    later |= {("fft.fftfreq", "dtype"), ("fft.rfftfreq", "dtype"), ("linalg.trace", "dtype")}
    assert set(LATER) == later


@pytest.mark.parametrize(("name", "argument"), SCALAR_BESIDE)
def test_scalars_that_came_later_are_refused(name, argument):
    row = FUNCTIONS[name]
    given = {**arguments(row), argument: True if parameter(name, argument)["dtypes"] == ["bool"] else 1}
    f = function(name)
    since = ADDED.get((name, "scalar"), row["since"])
    for version in VERSIONS:
        if version < row["since"]:
            continue
        with flags(api_version=version):
            if version >= since:
                call(row, given, f)
            else:
                wanted = (TypeError, "later-behaviour")
                refused(lambda: call(row, given, f), wanted, f"{name} in {version}", argument, row["section"])


def complex_since(name):
    return ADDED.get((name, "complex"), "2022.12")


LATER_COMPLEX = [
    (name, argument)
    for name, argument in WITH_DTYPES
    if "complex128" in parameter(name, argument)["dtypes"] and FUNCTIONS[name]["since"] < complex_since(name)
]


@pytest.mark.parametrize(("name", "argument"), LATER_COMPLEX)
def test_complex_arrays_that_came_later_are_refused(name, argument):
    row, p = FUNCTIONS[name], parameter(name, argument)
    since = complex_since(name)
    given = {**arguments(row, "complex128"), argument: value(row, p, "complex128")}
    arrays = tuple(q["name"] for q in array_arguments(row))
    f = function(name)
    with flags(api_version=since):
        call(row, given, f)
    for version in VERSIONS[: VERSIONS.index(since)]:
        if version >= row["since"]:
            with flags(api_version=version):
                wanted = (TypeError, "later-behaviour")
                refused(lambda: call(row, given, f), wanted, f"{name} in {version}", arrays, row["section"])


# ---- operators -------------------------------------------------------------------------------------------------------

BINARY = {name: m for name, m in METHODS.items() if m["function"] and m["params"]}
FORMS = [(name, name) for name in BINARY] + [
    (name, f"__{prefix}{m['forms']}__") for name, m in BINARY.items() if m["forms"] for prefix in "ri"
]
COMPARISONS = ("__eq__", "__ne__")


def operand(name, dtype=None, device="CPU_DEVICE"):
    """An operand of an operator: a square matrix, which all of them take."""
    dtypes = FUNCTIONS[BINARY[name]["function"]]["params"][0]["dtypes"]
    dtype = dtype or next(d for d in ("float64", "int64", "bool") if d in dtypes)
    return array(dtype, (2, 2), device)


@pytest.mark.parametrize(("name", "form"), FORMS)
def test_operators_decline_what_is_neither_an_array_nor_a_python_scalar(name, form):
    x = operand(name)
    for label, wrong in {**FOREIGN, **LISTS, **TUPLES, **only(OURS, "dtype", "device"), **NO}.items():
        if form not in COMPARISONS:
            assert getattr(x, form)(wrong) is NotImplemented, f"{form}({label})"
            continue
        foreign = any(hasattr(wrong, a) for a in ("__dlpack__", "__array__", "__array_interface__"))
        number = isinstance(wrong, int | float | list | tuple)
        if foreign and not isinstance(wrong, type):
            continue  # test_operators.py: they are asked first
        if number:
            wanted = (TypeError, "not-array-or-scalar")
            section = FUNCTIONS[BINARY[name]["function"]]["section"]
            refused(lambda wrong=wrong: getattr(x, form)(wrong), wanted, f"{form}({label})", "other", section)
        else:
            assert getattr(x, form)(wrong) is NotImplemented, f"{form}({label})"


@pytest.mark.parametrize(("name", "form"), FORMS)
def test_operators_refuse_other_dtypes_devices_and_scalars(name, form):
    row = FUNCTIONS[BINARY[name]["function"]]
    section, named = row["section"], ("x1", "x2", "other", "self")
    allowed = row["params"][0]["dtypes"]
    for a, b in itertools.product(DTYPES, repeat=2):
        x, y = operand(name, a), operand(name, b)
        label = f"{form}({a}, {b})"
        if a not in allowed or b not in allowed:
            refused(lambda x=x, y=y: getattr(x, form)(y), (TypeError, "dtype-kind"), label, named, section)
        elif promotes(a, b) is None:
            refused(lambda x=x, y=y: getattr(x, form)(y), (TypeError, "promotion"), label, named, section)
        elif form.startswith("__i") and form != "__invert__" and promotes(a, b) != a:
            refused(lambda x=x, y=y: getattr(x, form)(y), (TypeError, "in-place-dtype"), label, named, section)
    for dtype in allowed:
        x = operand(name, dtype)
        for kind, scalar in SCALARS.items():
            if name == "__matmul__":
                refused(
                    lambda x=x, s=scalar: getattr(x, form)(s),
                    (TypeError, "not-an-array"),
                    f"{form}({kind})",
                    named,
                    section,
                )
            elif dtype not in KINDS[kind] or (kind == "complex" and "complex128" not in allowed):
                rules = (TypeError, "scalar-kind", "dtype-kind")
                refused(
                    lambda x=x, s=scalar: getattr(x, form)(s), rules, f"{form}({kind} beside {dtype})", named, section
                )
            elif kind == "complex" and not dtype.startswith("complex") and form == f"__i{BINARY[name]['forms']}__":
                wanted = (TypeError, "in-place-dtype")
                refused(
                    lambda x=x, s=scalar: getattr(x, form)(s), wanted, f"{form}({kind} beside {dtype})", named, section
                )
    for device in DEVICE_NAMES[1:]:
        x, y = operand(name, allowed[0]), operand(name, allowed[0], device)
        for left, right in ((x, y), (y, x)):
            wanted = (ValueError, "device-mixed")
            refused(lambda a=left, b=right: getattr(a, form)(b), wanted, f"{form} on {device}", named, section)


UNARY = {name: m for name, m in METHODS.items() if m["function"] and not m["params"]}


@pytest.mark.parametrize("name", UNARY)
def test_unary_operators_refuse_other_dtypes(name):
    row = FUNCTIONS[UNARY[name]["function"]]
    for dtype in DTYPES:
        x = array(dtype)
        if dtype in row["params"][0]["dtypes"]:
            assert dtype_name(getattr(x, name)().dtype) == dtype_of(row, {"x": x}, "CPU_DEVICE", dtype)
        else:
            refused(lambda x=x: getattr(x, name)(), (TypeError, "dtype-kind"), f"{name}({dtype})", "x", row["section"])


# ---- methods ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("device", DEVICE_NAMES)
def test_to_device_takes_a_device_and_no_stream(device):
    x = array("float32", device=device)
    wrong = {**FOREIGN, **SCALARS, **LISTS, **TUPLES, **but(OURS, "device"), **NO, "name": "device1", "cpu": "cpu"}
    for label, v in wrong.items():
        refused(lambda v=v: x.to_device(v), (ValueError, "not-a-device"), f"to_device({label})", "device", None)
    for label, v in {"0": 0, "object": object(), "text": "s"}.items():
        refused(lambda v=v: x.to_device(x.device, stream=v), (ValueError, "stream"), f"stream={label}", "stream", None)


# What is no index, alone or in a tuple. Objects with __index__ are, as the standard's slices have it.
NO_INDEX = {
    **but(FOREIGN, "NumPy int64", "subclass of int", "member of IntEnum", "duck array", "NumPy 0-d array", "Ellipsis"),
    **but(SCALARS, "int"),
    "list": [0, 1],
    "empty list": [],
    "range": range(2),
    "dtype": xp.int64,
    "array of float": xp.asarray([1.0]),
    "0-d array of float": xp.asarray(1.0),
    "0-d array of complex": xp.asarray(1j),
    "tuple in a tuple": ((0, 1),),
}


@pytest.mark.parametrize("wrong", NO_INDEX, ids=str)
def test_what_is_no_index_is_refused(wrong):
    x, key = array(), NO_INDEX[wrong]

    def assign(key):
        x[key] = 1.0

    for k in (key, (key, 0), (0, key), (..., key)):
        for use in (lambda k=k: x[k], lambda k=k: assign(k)):
            refused(use, (IndexError, "index-type", "index-flat"), f"x[{wrong}]", "key", None)
    if wrong != "array of float":
        for bound in (slice(key, None), slice(None, key), slice(None, None, key)):
            for use in (lambda b=bound: x[b, 0], lambda b=bound: assign((b, 0))):
                refused(use, (IndexError, "slice-type"), f"slice with {wrong}", "key", None)


def test_indices_on_another_device_are_refused():
    x = array(shape=(4, 4))
    for device in DEVICE_NAMES[1:]:
        at, one = zeros("int32", (2,), device), zeros("int32", (), device)
        mask = array("bool", (4, 4), device)
        keys = {"array": (at, at), "0-d": (one, 0), "mask": mask, "with an int": (0, at)}
        keys |= {"start": (slice(one, None), 0), "stop": (slice(None, one), 0), "step": (slice(None, None, one), 0)}
        for label, key in keys.items():
            refused(lambda key=key: x[key], (ValueError, "device-mixed"), f"{label} on {device}", "key", None)
            refused(
                lambda key=key: x.__setitem__(key, 1.0),
                (ValueError, "device-mixed"),
                f"{label} on {device}",
                "key",
                None,
            )


@pytest.mark.parametrize("dtype", DTYPES)
def test_values_that_cannot_be_assigned_are_refused(dtype):
    x = array(dtype)
    before = xp.asarray(x, copy=True)
    keys = (..., (0, 0), (slice(None), 1), xp.asarray([[True, False, True]] * 2))

    def each(v, wanted, label):
        for key in keys:
            refused(lambda key=key: x.__setitem__(key, v), wanted, label, "value", None)

    for label, v in {**FOREIGN, **LISTS, **TUPLES, **only(OURS, "dtype", "device"), **NO}.items():
        each(v, (TypeError, "not-array-or-scalar"), label)
    for kind, scalar in SCALARS.items():
        fits = dtype in KINDS[kind] and (kind != "complex" or dtype.startswith("complex"))
        if not fits:
            each(scalar, (TypeError, "assign-dtype"), kind)
    for other in DTYPES:
        if promotes(dtype, other) != dtype:
            each(array(other, ()), (TypeError, "assign-dtype"), other)
    if dtype in INTEGER:
        each(2**70, (OverflowError, "scalar-range"), "far")
    for device in DEVICE_NAMES[1:]:
        if has(device, dtype):
            each(array(dtype, (), device), (ValueError, "device-mixed"), device)
    each(array(dtype, (5,)), (ValueError, "assign-shape"), "shape")
    assert bool(xp.all(x == before))


# Protocols that arrays do not have, or only some: (what is done, the arrays that may, the exception).
ONE = {(dtype, ()): array(dtype, ()) for dtype in DTYPES}
SHAPED = {(dtype, shape): array(dtype, shape) for dtype in DTYPES for shape in ((), (1,), (0,), (2,), (1, 1), (2, 3))}
REAL = tuple(d for d in DTYPES if not d.startswith("complex"))
PROTOCOLS = {
    "bool": (bool, lambda dtype, shape: shape == ()),
    "int": (int, lambda dtype, shape: shape == () and dtype in REAL),
    "float": (float, lambda dtype, shape: shape == () and dtype in REAL),
    "complex": (complex, lambda dtype, shape: shape == ()),
    "index": (operator.index, lambda dtype, shape: shape == () and dtype in INTEGER),
    "len": (len, lambda dtype, shape: False),
    "in": (lambda x: 1 in x, lambda dtype, shape: False),
    "hash": (hash, lambda dtype, shape: False),
    "iteration": (list, lambda dtype, shape: len(shape) == 1),
    "reversed": (lambda x: list(reversed(x)), lambda dtype, shape: False),
    "del": (lambda x: operator.delitem(x, 0), lambda dtype, shape: False),
    "divmod": (lambda x: divmod(x, x), lambda dtype, shape: False),
    "pow with a modulus": (lambda x: pow(x, x, x), lambda dtype, shape: False),
    "round": (round, lambda dtype, shape: False),
    "format": (lambda x: format(x, ".2f"), lambda dtype, shape: False),
    "attribute": (lambda x: setattr(x, "shape", (1,)), lambda dtype, shape: False),
}


@pytest.mark.parametrize("name", PROTOCOLS)
def test_protocols_that_arrays_do_not_have(name):
    use, allowed = PROTOCOLS[name]
    for key, x in SHAPED.items():
        if allowed(*key):
            use(x)
        else:
            with pytest.raises((TypeError, AttributeError)):
                use(x)


def test_the_namespace_has_the_names_of_the_rows_and_its_own():
    own = {"Device", "ALL_DEVICES", "CPU_DEVICE", "ArrayAPIStrictFlags", "newaxis", "e", "inf", "nan", "pi"}
    own |= {f"{verb}_array_api_strict_flags" for verb in ("set", "get", "reset")}
    public = {*EXTENSIONS, *(name for name in NAMES if not name.startswith("_") and "." not in name)}
    assert set(xp.__all__) - {"__array_namespace_info__"} == public | own | set(DTYPES)


@pytest.mark.parametrize("name", EXTENSIONS)
def test_an_extension_has_the_names_of_the_rows(name):
    rows = {key.split(".")[1] for key in NAMES if key.startswith(f"{name}.")}
    assert set(getattr(xp, name).__all__) == rows
    assert {key for key in dir(getattr(xp, name)) if not key.startswith("_")} == rows


def test_every_method_of_the_rows_is_there_and_no_other():
    x = array()
    for name in METHODS:
        assert hasattr(type(x), name), name
    public = {name for name in dir(type(x)) if not name.startswith("_")}
    assert public - {"T", "mT", "device", "dtype", "ndim", "shape", "size"} == {
        name for name in METHODS if not name.startswith("_")
    }


def test_values_of_the_rows_are_used():
    """No exception of the tables is left behind when a row changes."""
    known = {(name, p["name"]) for name, row in FUNCTIONS.items() for p in row["params"]}
    assert set(VALUES) | set(SHAPES) <= known
    assert set(COMPUTED) == {name for name in NAMES if FUNCTIONS[name]["shape"] == "Computed"}
    assert collections.Counter(name for name, _ in PARAMETERS)["add"] == 2
