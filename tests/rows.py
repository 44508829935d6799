"""The rows of `strictarray-standard`, and for each of them arguments that it takes: what tests over all functions are made
from."""

import numpy as np
from support import DEFAULT_DTYPES, DTYPES, FLOATING, MISSING_DTYPES, function

import strictarray as xp
from strictarray import _strictarray

ROWS = _strictarray._rows()
FUNCTIONS = {row["name"]: row for row in ROWS["functions"]}
METHODS = {row["name"]: row for row in ROWS["methods"]}

ARRAY = ("Array", "ArrayOrNone", "ArrayOrScalar", "ArrayOrScalarOrNone")
MANY = ("Arrays", "ArraySequence")
# Data types to prefer for arguments: the first that a parameter and a device have.
PREFERRED = ("float64", "float32", "int64", "int32", "bool", "complex128", "complex64")


def array(dtype="float64", shape=(2, 3), device="CPU_DEVICE", start=1):
    """An array of small positive numbers, in ascending order."""
    values = np.arange(start, start + int(np.prod(shape))).reshape(shape)
    if dtype == "bool":
        values = values % 2
    return xp.asarray(xp.from_dlpack(np.asarray(values, dtype=dtype)), device=xp.Device(device), copy=True)


def zeros(dtype="int64", shape=(2, 3), device="CPU_DEVICE"):
    return xp.zeros(shape, dtype=getattr(xp, dtype), device=xp.Device(device))


def has(device, dtype):
    return dtype not in MISSING_DTYPES[device]


def default(device, kind):
    return DEFAULT_DTYPES[device][kind]


def index_dtype(device):
    return default(device, "integral")


# The shape of an array argument where (2, 3) does not do.
SHAPES = {
    ("take", "x"): (6,),
    ("take", "indices"): (2,),
    ("matmul", "x2"): (3, 2),
    ("meshgrid", "arrays"): (3,),
    ("cumulative_sum", "x"): (6,),
    ("cumulative_prod", "x"): (6,),
    ("squeeze", "x"): (1, 3),
    ("searchsorted", "x1"): (6,),
    ("searchsorted", "sorter"): (6,),
    ("repeat", "repeats"): (1,),
    ("clip", "min"): (3,),
    ("diff", "prepend"): (2, 1),
    ("diff", "append"): (2, 1),
    ("linalg.matrix_power", "x"): (2, 2),
    ("linalg.solve", "x1"): (2, 2),
    ("linalg.outer", "x1"): (2,),
    ("linalg.outer", "x2"): (3,),
    ("linalg.pinv", "rtol"): (),
    ("linalg.matrix_rank", "rtol"): (),
    **{(f"linalg.{name}", "x"): (2, 2) for name in "cholesky det eig eigh eigvals eigvalsh inv slogdet".split()},
}
# Index arrays: zeros are in bounds of everything.
ZEROS = {
    ("take", "indices"),
    ("take_along_axis", "indices"),
    ("clip", "min"),
    ("clip", "max"),
    ("searchsorted", "sorter"),
}
# A value that fits, where it is not told by the kind of argument.
VALUES = {
    ("reshape", "shape"): (3, 2),
    ("broadcast_to", "shape"): (4, 2, 3),
    ("permute_dims", "axes"): (1, 0),
    ("moveaxis", "destination"): 1,
    ("vecdot", "axis"): -1,
    ("clip", "max"): 100,
    ("asarray", "obj"): [1.0, 2.0],
    ("isdtype", "kind"): "integral",
    ("arange", "stop"): 5,
    ("tensordot", "axes"): ((0, 1), (0, 1)),
    ("linspace", "num"): 3,
    ("diff", "axis"): 1,
    ("linalg.cross", "axis"): -1,
}
# What the main namespace and `linalg` have alike takes the same.
ALIASES = ("matmul", "matrix_transpose", "tensordot", "vecdot")
for table in (SHAPES, VALUES):
    table |= {(f"linalg.{name}", p): v for (name, p), v in table.items() if name in ALIASES}
# Matrices that are positive definite.
DEFINITE = {("linalg.cholesky", "x")}


def of_dtype(row, param, dtype, device):
    """The array argument of this data type on this device."""
    key = (row["name"], param["name"])
    shape = SHAPES.get(key, (2, 3))
    x = zeros(dtype, shape, device) if key in ZEROS else array(dtype, shape, device)
    if key in DEFINITE and dtype in FLOATING:
        x = x * x[0, 0] + 9 * xp.eye(2, dtype=x.dtype, device=x.device)
    if key == ("clip", "max"):
        x = xp.asarray(array(dtype, (2, 3), device, start=50), copy=True)
    return x


def dtypes_of(row, param, device="CPU_DEVICE"):
    return [name for name in param.get("dtypes", ()) if has(device, name)]


def value(row, param, dtype=None, device="CPU_DEVICE"):
    """A value that the parameter takes: arrays of the data type if it may be, else of another."""
    kind, key = param["accepts"], (row["name"], param["name"])
    asked, allowed = dtype, dtypes_of(row, param, device)
    if dtype not in allowed and allowed:
        dtype = next(name for name in PREFERRED if name in allowed)
    if key in VALUES:
        return VALUES[key]
    if param["name"] == "fill_value":
        return True if asked == "bool" else 2
    if kind in ARRAY:
        return of_dtype(row, param, dtype, device)
    if kind in MANY:
        return (of_dtype(row, param, dtype, device), of_dtype(row, param, dtype, device))
    if kind in ("DType", "DTypeOrNone"):
        return getattr(xp, dtype)
    if kind == "ArrayOrDType":
        return getattr(xp, dtype)
    return {
        "ArraysOrDTypes": (array(device=device, dtype=default(device, "real floating")),),
        "Scalar": 2,
        "ScalarOrNone": 2,
        "Int": 1,
        "Count": 2,
        "CountOrNone": 2,
        "CountOrArray": 2,
        "Axis": 0,
        "AxisOrNone": 0,
        "AxisSequenceOrNone": (0,),
        "AxesOrSequenceOrNone": (0,),
        "IntSequenceOrNone": (2,),
        "Axes": 0,
        "AxesOrNone": 0,
        "Bool": False,
        "BoolOrNone": True,
        "Shape": (2, 3),
        "Ints": (2,),
        "Sizes": (2,),
        "Shapes": ((2, 3), (3,)),
        "IntOrInts": 1,
        "DeviceOrNone": xp.Device(device),
        "Exporter": array(device=device, dtype=default(device, "real floating")),
        "DTypeKinds": "numeric",
        "Choice": param.get("texts", [""])[0],
        "ScalarOrChoice": 2,
    }[kind]


def required(row):
    return [p for p in row["params"] if p["default"] is None]


def arguments(row, dtype=None, device="CPU_DEVICE"):
    """Values for the parameters without a default; for a `*parameter` a tuple of them."""
    return {p["name"]: value(row, p, dtype, device) for p in required(row)}


def call(row, given, f=None):
    """The call with these arguments, however each may be given."""
    args, kwargs = [], {}
    for p in row["params"]:
        if p["name"] not in given:
            continue
        if p["kind"] == "var-positional":
            args.extend(given[p["name"]])
        elif p["kind"] == "positional-only":
            args.append(given[p["name"]])
        else:
            kwargs[p["name"]] = given[p["name"]]
    return (f or function(row["name"]))(*args, **kwargs)


def param(name, place):
    return FUNCTIONS[name]["params"][place]


# The functions that the default version has.
def exists(name):
    try:
        return bool(function(name))
    except AttributeError:
        return False


NAMES = tuple(filter(exists, FUNCTIONS))
assert set(DTYPES) == set(FUNCTIONS["equal"]["params"][0]["dtypes"])
