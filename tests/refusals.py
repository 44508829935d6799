"""What functions refuse, found by calling them: a valid call of each, with each value of a pool in the place of each argument."""

import array
import inspect
import re
from collections import defaultdict

import numpy as np
from support import DTYPES
from support import function as xp_function

import strictarray as xp

GPU = xp.Device("device1")
NARROW = xp.Device("no_x64")


def ones(shape, dtype="float64", **kwargs):
    return xp.ones(shape, dtype=getattr(xp, dtype), **kwargs)


def eye(n):
    return xp.eye(n)


VECTOR = ones(2)
MATRIX = ones((2, 2))
SHAPED = {name: ((2,), {}) for name in ("empty", "ones", "zeros")}

# Valid calls, where they don't follow from the docstring: vectors of two elements, of a dtype that is taken.
CALLS = {
    **SHAPED,
    "__array_namespace_info__": ((), {}),
    "arange": ((0, 4, 2), {}),
    "asarray": (([1, 2],), {}),
    "astype": ((VECTOR, xp.float32), {}),
    "broadcast_shapes": (((2,), (1,)), {}),
    "broadcast_to": ((VECTOR, (2,)), {}),
    "can_cast": ((VECTOR, xp.float64), {}),
    "clip": ((VECTOR, 0.0, VECTOR), {}),
    "concat": (([VECTOR, VECTOR],), {}),
    "cumulative_prod": ((VECTOR,), {"axis": 0}),
    "diff": ((VECTOR,), {"prepend": VECTOR, "append": VECTOR}),
    "expand_dims": ((VECTOR, 0), {}),
    "eye": ((2, 2), {}),
    "finfo": ((VECTOR,), {}),
    "from_dlpack": ((VECTOR,), {}),
    "full": ((2, 1.0), {}),
    "full_like": ((VECTOR, 1.0), {}),
    "iinfo": ((xp.int8,), {}),
    "isdtype": ((xp.int8, "integral"), {}),
    "isin": ((xp.asarray([1, 2]), xp.asarray([1])), {}),
    "linspace": ((0.0, 1.0, 3), {}),
    "matrix_transpose": ((MATRIX,), {}),
    "moveaxis": ((MATRIX, 0, 1), {}),
    "permute_dims": ((MATRIX, (1, 0)), {}),
    "repeat": ((VECTOR, xp.asarray([1, 2])), {}),
    "reshape": ((VECTOR, (2, 1)), {}),
    "result_type": ((VECTOR, xp.float32), {}),
    "roll": ((VECTOR, 1), {}),
    "searchsorted": ((VECTOR, VECTOR), {"sorter": xp.asarray([0, 1])}),
    "squeeze": ((ones((1, 2)), 0), {}),
    "stack": (([VECTOR, VECTOR],), {}),
    "take_along_axis": ((VECTOR, xp.asarray([0, 1])), {"axis": 0}),
    "tensordot": ((VECTOR, VECTOR), {"axes": 1}),
    "tile": ((VECTOR, (2,)), {}),
    "linalg.cholesky": ((ones((2, 2)) + eye(2),), {}),
    "linalg.cross": ((ones(3), ones(3)), {}),
    "linalg.inv": ((MATRIX + eye(2),), {}),
    "linalg.matmul": ((MATRIX, MATRIX), {}),
    "linalg.matrix_power": ((MATRIX + eye(2), -1), {}),
    "linalg.solve": ((MATRIX + eye(2), MATRIX), {}),
    "linalg.tensordot": ((VECTOR, VECTOR), {"axes": 1}),
    **{
        f"linalg.{name}": ((MATRIX,), {})
        for name in (
            "det diagonal eig eigh eigvals eigvalsh matrix_norm matrix_rank matrix_transpose pinv qr slogdet svd svdvals trace"
        ).split()
    },
    "tril": ((MATRIX,), {}),
    "triu": ((MATRIX,), {}),
}


class OnAnotherDevice:
    """An exporter of memory that is not the CPU's."""

    def __dlpack_device__(self):
        return (2, 0)

    def __dlpack__(self, **kwargs):
        raise BufferError("this is another device's memory")


# Refused calls in which more than one argument is out of the ordinary.
MORE = {
    "asarray": [((array.array("u", "a"),), {}), (([1],), {"copy": False})],
    "astype": [((ones(2, "float32", device=NARROW), xp.float64), {})],
    "from_dlpack": [
        ((VECTOR,), {"device": GPU, "copy": False}),
        ((OnAnotherDevice(),), {}),
        ((np.ones(2, dtype=np.float16),), {}),
    ],
    "reshape": [((ones((2, 3)).T, (6,)), {"copy": False})],
    "result_type": [((), {}), ((xp.float64, True), {})],
    "roll": [((MATRIX, (1, 1)), {"axis": (0,)})],
    "stack": [(([ones((1,) * 64)] * 2,), {})],
    "take_along_axis": [((MATRIX, xp.zeros((3, 1), dtype=xp.int64)), {})],
    "tensordot": [((ones((1,) * 40),) * 2, {"axes": 0})],
    "vecdot": [((MATRIX, ones((3, 2))), {})],
    "where": [((VECTOR > 0, 1, 2), {})],
    "linalg.tensordot": [((ones((1,) * 40),) * 2, {"axes": 0})],
    "linalg.vecdot": [((MATRIX, ones((3, 2))), {})],
    "linalg.cross": [((ones((2, 3)), ones((4, 3))), {})],
    "linalg.matrix_norm": [
        ((ones((2, 0)),), {"ord": -1}),
        ((xp.asarray([[float("nan")]]),), {"ord": 2}),
        ((MATRIX,), {"ord": 3}),
    ],
    "linalg.vector_norm": [((ones(0),), {"ord": -float("inf")}), ((ones(2),), {"ord": float("nan")})],
    "linalg.outer": [((xp.broadcast_to(ones(1), (n,)),) * 2, {}) for n in (2**20, 2**24, 2**31)],
    "linalg.solve": [
        ((MATRIX, MATRIX), {}),
        ((eye(2), ones(3)), {}),
        ((ones((2, 3, 3)), ones((4, 3, 3))), {}),
    ],
    **{
        f"linalg.{name}": [((xp.asarray([[float("inf")]]),), {}), ((ones((3, 2, 2)),), {"rtol": ones(2)})]
        for name in ("pinv", "matrix_rank")
    },
    **{
        f"linalg.{name}": [((xp.asarray([[float("nan")]]),), {})]
        for name in ("eig", "eigh", "eigvals", "eigvalsh", "svd", "svdvals")
    },
    "linalg.inv": [((MATRIX,), {})],
    "linalg.matrix_power": [((MATRIX, -1), {})],
    "linalg.trace": [((ones((2, 2), "complex64"),), {"dtype": xp.float64})],
}
for name in ("fft.fftn", "fft.ifftn", "fft.irfftn", "fft.rfftn"):
    x = ones((2, 2), "float64" if name == "fft.rfftn" else "complex128")
    MORE[name] = [
        ((x,), {"axes": axes, "s": s})
        for axes in ((0,), (0, 1))
        for s in ((0,), (-2,), (-1,), (1, -1), (2**48,), (2**70,))
    ]
for name in "fft fftn hfft ifft ifftn ihfft irfft irfftn rfft rfftn".split():
    dtype = "float64" if name in ("ihfft", "rfft", "rfftn") else "complex128"
    MORE.setdefault(f"fft.{name}", []).append(((ones((2, 0), dtype),), {}))
for name in ("fft.fftfreq", "fft.rfftfreq"):
    CALLS[name] = ((4,), {})
    MORE[name] = [((4,), {"d": 0.0}), ((4,), {"dtype": xp.float64, "device": NARROW})]
for name in "arange asarray empty eye full linspace ones zeros".split():
    MORE.setdefault(name, []).append((CALLS[name][0], {"dtype": xp.complex128, "device": NARROW}))
    if name not in ("asarray", "linspace"):
        MORE[name].append((CALLS[name][0], {"dtype": xp.float64, "device": NARROW}))
MORE["linalg.trace"].append(((ones((2, 2), "float32", device=NARROW),), {"dtype": xp.float64}))
for name in "empty_like full_like ones_like zeros_like cumulative_prod cumulative_sum prod sum".split():
    arguments = (ones(2, "float32", device=NARROW), 1.0)[: 2 if name == "full_like" else 1]
    MORE.setdefault(name, []).append((arguments, {"dtype": xp.float64}))

# Sizes beyond what any process can map, so that they are refused wherever memory is overcommitted.
BIG = [2**48, 2**70, -(2**70), 10**400, (2**48,), (2**60, 2**10)]
POOL = [
    *(None, True, 1.5, 1j, 0, 1, -1, -2, 9, -9, "text", "ij", object, *BIG),
    *(
        (),
        (0,),
        (1,),
        (2,),
        (3,),
        (-1,),
        (-3,),
        (0, 0),
        (0, 9),
        (-1, -1),
        (-1, 3),
        (-1, 0),
        (1.0,),
        (True,),
        ("a",),
        (1,) * 65,
    ),
    *(((0,), (9,)), ((0,), (0, 1)), ((0, 0), (0, 0)), ((0,), (0.0,)), (0, (0,)), ([0], [0])),
    *(xp.float32, xp.float64, xp.int8, xp.uint64, xp.bool, xp.complex64, "float64", ("integral", 1), ("integral", "x")),
    *(xp.CPU_DEVICE, GPU, NARROW, "device1"),
    *([], [0], [1.0], [2], ["text"], [[1], [1, 2]], [VECTOR], {1}, b"ab"),
    *([MATRIX, other] for other in ([1.0], ones((2, 2)), ones(3), ones((2, 2), "int8"), ones((2, 2), device=GPU))),
    [ones(()), ones(())],
    *(ones(shape) for shape in ((), 0, (0, 2), 3, (2, 2), (2, 2, 2), (1,) * 64)),
    *(ones(3, dtype) for dtype in ("bool", "int64")),
    *(ones(2, dtype, device=GPU) for dtype in ("float64", "int64", "bool", "complex64")),
    *(xp.asarray(values) for values in ([5.0, 0.0], [-2.0, -3.0], [0, 9], [-9, -9], [0, 0, 0])),
    *(ones(2, dtype) for dtype in DTYPES),
    *(ones((2, 2), dtype) for dtype in DTYPES[::3]),
]


def valid_call(name):
    """Arguments that a function takes."""
    if name in CALLS:
        return CALLS[name]
    args = []
    for p in inspect.signature(xp_function(name)).parameters.values():
        if p.default is p.empty and p.kind is not p.KEYWORD_ONLY:
            kind = re.search(rf"\n\*?{p.name} : arrays? \((.*?) dtype\)", xp_function(name).__doc__)[1]
            dtype = {"boolean": "bool", "complex floating-point": "complex128"}.get(kind, "float64")
            dtype = "int64" if kind.startswith("integer") else dtype
            args += [ones(2, dtype)] * (2 if p.kind is p.VAR_POSITIONAL else 1)
    return tuple(args), {}


def calls(name):
    """Calls that may be refused."""
    args, kwargs = valid_call(name)
    yield from MORE.get(name, [])
    keywords = [p.name for p in inspect.signature(xp_function(name)).parameters.values() if p.kind is p.KEYWORD_ONLY]
    for value in POOL:
        for i in range(len(args)):
            yield (*args[:i], value, *args[i + 1 :]), kwargs
        if all(type(arg) is type(args[0]) for arg in args):
            yield (value,) * len(args), {}
        for keyword in keywords:
            yield args, {**kwargs, keyword: value}


def refusals(name):
    """The rules by which a function refuses calls, with the exceptions that it raised for each."""
    found = defaultdict(set)
    function = xp_function(name)
    args, kwargs = valid_call(name)
    function(*args, **kwargs)

    def attempt(args, kwargs):
        try:
            function(*args, **kwargs)
        except Exception as error:
            found[error.rule].add(type(error))

    for args, kwargs in calls(name):
        attempt(args, kwargs)
    with xp.ArrayAPIStrictFlags(data_dependent_shapes=False):
        attempt(*valid_call(name))
    return found
