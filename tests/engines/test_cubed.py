"""cubed on chunks of strictarray: each of its array API functions, on each executor, against NumPy."""

import os
import subprocess
import sys
from pathlib import Path

import cubed
import cubed.array_api as cxp
import cubed.random
import numpy as np
import pytest
import zarr
from cubed.backend_array_api import namespace
from cubed.runtime.create import create_executor
from cubed.runtime.types import Callback

import strictarray as xp
from strictarray import cubed_backend

EXAMPLES = Path(__file__).parents[2] / "examples"
sys.path.insert(0, str(EXAMPLES))

from dask_executor import DaskExecutor  # noqa: E402

Array = type(xp.empty(0))
CHUNKS = (3, 2)

rng = np.random.default_rng(7)
DATA = {
    "x": rng.uniform(-0.9, 0.9, (7, 5)),
    "y": rng.uniform(-3, 3, (7, 5)),
    "p": rng.uniform(1.5, 4, (7, 5)),
    "f": rng.uniform(-2, 2, (7, 5)).astype(np.float32),
    "i": rng.integers(-9, 9, (7, 5)),
    "j": rng.integers(1, 5, (7, 5)),
    "u": rng.integers(0, 9, (7, 5)).astype(np.uint8),
    "b": rng.integers(0, 2, (7, 5)).astype(bool),
    "c": rng.uniform(-2, 2, (7, 5)) + 1j * rng.uniform(-2, 2, (7, 5)),
    "v": np.sort(rng.uniform(-3, 3, 7)),
    "w": rng.uniform(-3, 3, 5),
}


class Data:
    """The arrays of DATA as cubed's, read from Zarr: `d.x`."""

    def __init__(self, folder):
        for name, data in DATA.items():
            target = zarr.create_array(
                str(folder / name), shape=data.shape, dtype=data.dtype, chunks=CHUNKS[: data.ndim]
            )
            target[...] = data
            setattr(self, name, cubed.from_zarr(str(folder / name)))


class Numpy:
    """The same as NumPy's."""

    def __init__(self):
        self.__dict__.update(DATA)


# NumPy has every function of the standard by its name, so one expression tells what is computed and what comes out.
UNARY = {
    "x": "abs acos asin asinh atan atanh ceil cos cosh exp expm1 floor isfinite isinf isnan log1p negative positive round "
    "sign signbit sin sinh square tan tanh trunc",
    "p": "acosh log log10 log2 reciprocal sqrt",
    "i": "abs bitwise_invert ceil negative square",
    "c": "conj imag real exp sqrt",
    "b": "logical_not",
}
BINARY = {
    "xy": "add atan2 copysign divide equal greater greater_equal hypot less less_equal logaddexp maximum minimum multiply "
    "nextafter not_equal remainder subtract",
    "py": "floor_divide pow",
    "ij": "add bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor floor_divide multiply remainder",
    "bb": "logical_and logical_or logical_xor",
    "cc": "add multiply divide",
}
CASES = {
    f"{name}({data})": (name, lambda m, d, n=name, a=data: getattr(m, n)(getattr(d, a)))
    for data, names in UNARY.items()
    for name in names.split()
}
CASES |= {
    f"{name}({data})": (name, lambda m, d, n=name, a=data: getattr(m, n)(getattr(d, a[0]), getattr(d, a[1])))
    for data, names in BINARY.items()
    for name in names.split()
}
CASES |= {
    expression: (expression.replace("linalg.", "", 1).split("(")[0], eval(f"lambda m, d: m.{expression}"))
    for expression in """
    all(d.b)
    all(d.b, axis=0)
    any(d.b, axis=1, keepdims=True)
    arange(20)
    arange(3, 20, 2)
    arange(0.0, 2.0, 0.25)
    argmax(d.x)
    argmax(d.x, axis=0)
    argmin(d.x, axis=1)
    asarray([[1.5, 2], [3, 4]])
    asarray(3)
    astype(d.x, m.float32)
    astype(d.i, m.float64)
    astype(d.b, m.int64)
    broadcast_arrays(d.x, d.w)[1]
    broadcast_to(d.w, (7, 5))
    clip(d.y, -1.0, 1.0)
    concat([d.x, d.y], axis=0)
    concat([d.x, d.y], axis=1)
    count_nonzero(d.b, axis=0)
    cumulative_prod(d.p, axis=1)
    cumulative_sum(d.i, axis=0)
    diff(d.x, axis=0)
    empty((0, 3))
    empty_like(d.x)[:0, :]
    expand_dims(d.x, axis=1)
    eye(6)
    flip(d.x, axis=0)
    full((3, 4), 2.5)
    full_like(d.i, 7)
    isin(d.i, d.j)
    linspace(0.0, 1.0, 9)
    matmul(d.x, d.y.T)
    matrix_transpose(d.x)
    linalg.matmul(d.x, d.y.T)
    linalg.matrix_transpose(d.x)
    linalg.outer(d.v, d.w)
    linalg.tensordot(d.x, d.y, axes=((0,), (0,)))
    linalg.vecdot(d.x, d.y)
    max(d.x)
    max(d.i, axis=0)
    mean(d.x)
    mean(d.x, axis=1)
    mean(d.f * d.f, axis=0, keepdims=True)
    mean(d.c)
    meshgrid(d.v, d.w)[0]
    min(d.y, axis=1)
    moveaxis(d.x, 0, 1)
    ones((3, 4))
    ones_like(d.i)
    permute_dims(d.x, (1, 0))
    prod(d.p, axis=0)
    prod(d.j)
    repeat(d.x[:6, :], 2, axis=0)
    reshape(d.x, (35,))
    roll(d.x, 2, axis=0)
    searchsorted(d.v, d.w)
    squeeze(d.x[:1, :], axis=0)
    stack([d.x, d.y])
    sum(d.x)
    sum(d.i, axis=0)
    sum(d.u)
    sum(d.f, axis=1)
    sum(d.c)
    tensordot(d.x, d.y, axes=((0,), (0,)))
    tile(d.x, (2, 1))
    tril(d.x)
    triu(d.x, k=1)
    unstack(d.x, axis=0)[2]
    vecdot(d.x, d.y)
    where(d.b, d.x, d.y)
    zeros((3, 4))
    zeros_like(d.x)
    """.strip().splitlines()
    for expression in [expression.strip()]
}
# What is no function of the namespace: operators, indexing, and cubed's own.
CASES |= {
    expression: (None, eval(f"lambda m, d: {expression}"))
    for expression in """
    d.x + d.y * 2.0 - 1.0
    -d.x / d.p
    d.i // d.j % 3
    1 - d.i
    d.p ** 2.0
    (d.x < d.y) & d.b
    d.x @ d.y.T
    d.x[2, :]
    d.x[1:6, 1:4]
    d.x[::2, :]
    d.x[:, None, :]
    m.sum(d.x * d.y + 1.0, axis=0) / 7.0
    """.strip().splitlines()
    for expression in [expression.strip()]
}
# Functions whose results are no arrays: tested below.
NO_ARRAYS = {"broadcast_shapes", "can_cast", "finfo", "iinfo", "isdtype", "result_type"}
# What cubed does by more than the standard has, and what says so.
REFUSED = {
    "take": (lambda m, d: m.take(d.x, m.asarray([0, 2]), axis=0), IndexError, "got an object of type numpy.ndarray"),
    "std": (lambda m, d: m.std(d.x), TypeError, 'unexpected keyword argument "dtype"'),
    "var": (lambda m, d: m.var(d.x), TypeError, 'unexpected keyword argument "dtype"'),
    "repeat in a smaller last chunk": (
        lambda m, d: m.repeat(d.x, 2, axis=0),
        IndexError,
        "got slice stop 3 for axis 0 of size 2",
    ),
    "sum of bools": (lambda m, d: m.sum(d.b), TypeError, "Only numeric dtypes are allowed in sum"),
    "kinds mixed": (lambda m, d: d.x + d.i, TypeError, "result_type"),
    "kinds mixed in divide": (lambda m, d: m.divide(d.x, d.i), TypeError, "Only floating-point dtypes"),
}


@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    """Where cubed keeps what is between, and what a task may take, for all arrays."""
    folder = tmp_path_factory.mktemp("cubed")
    with cubed.config.set({"spec.work_dir": str(folder), "spec.allowed_mem": "200MB"}):
        yield folder


@pytest.fixture(scope="module")
def data(settings):
    return Data(settings)


def compare(got, case):
    expected = np.asarray(case(np, Numpy()))
    assert isinstance(got, Array)
    got = np.asarray(got)
    assert got.shape == expected.shape
    assert got.dtype == expected.dtype
    if expected.dtype.kind in "biu":
        np.testing.assert_array_equal(got, expected)
    else:
        # Sums are taken chunk by chunk, in another order than NumPy's; the last bits of functions are each library's own.
        single = expected.dtype in (np.float32, np.complex64)
        np.testing.assert_allclose(got, expected, rtol=2e-6 if single else 1e-13, atol=0 if single else 1e-15)


class Tasks(Callback):
    """How many tasks ran."""

    def __init__(self):
        self.count = 0

    def on_task_end(self, event):
        self.count += event.num_tasks


def test_every_function_has_a_case():
    dtypes = {name for name in cxp.__all__ if isinstance(getattr(cxp, name), np.dtype)}
    constants = {"Array", "__array_api_version__", "__array_namespace_info__", "e", "inf", "nan", "newaxis", "pi"}
    tested = {name for name, _ in CASES.values() if name is not None} | NO_ARRAYS | (set(REFUSED) & set(cxp.__all__))
    assert set(cxp.__all__) - dtypes - constants - tested == set()


@pytest.mark.parametrize("expression", CASES)
def test_in_one_thread(expression, data):
    _, case = CASES[expression]
    compare(case(cxp, data).compute(executor=create_executor("single-threaded")), case)


@pytest.mark.parametrize("executor", ["threads", "processes", "dask"])
def test_on_executors(executor, data, request):
    """All in one computation: worker processes start once."""
    if executor == "dask":
        runs = DaskExecutor(request.getfixturevalue("cluster").scheduler_address)
    else:
        runs = create_executor(executor, {"max_workers": 2})
    tasks = Tasks()
    computed = cubed.compute(*(case(cxp, data) for _, case in CASES.values()), executor=runs, callbacks=[tasks])
    for got, (_, case) in zip(computed, CASES.values(), strict=True):
        compare(got, case)
    assert tasks.count > len(CASES)


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name, data):
    case, error, text = REFUSED[name]
    with pytest.raises(error, match=text):
        case(cxp, data).compute(executor=create_executor("single-threaded"))


OWN = {
    "random": lambda d: cubed.random.random((7, 5), chunks=CHUNKS),
    "pad": lambda d: cubed.pad(d.x, ((1, 0), (0, 0)), mode="symmetric"),
    "rechunk": lambda d: d.x.rechunk((7, 1)),
    "blocks": lambda d: d.x.blocks[1, 2],
    "from_array": lambda d: cubed.from_array(DATA["x"], chunks=CHUNKS),
    "apply_gufunc": lambda d: cubed.apply_gufunc(
        lambda b: xp.sum(b, axis=-1), "(i)->()", d.x.rechunk((3, 5)), output_dtypes=np.float64
    ),
}
OWN_EXPECTED = {
    "pad": np.pad(DATA["x"], ((1, 0), (0, 0)), mode="symmetric"),
    "rechunk": DATA["x"],
    "blocks": DATA["x"][3:6, 4:],
    "from_array": DATA["x"],
    "apply_gufunc": DATA["x"].sum(axis=-1),
}


@pytest.mark.parametrize("name", OWN)
def test_functions_of_cubed_itself(name, data):
    got = OWN[name](data).compute(executor=create_executor("single-threaded"))
    assert isinstance(got, Array)
    got = np.asarray(got)
    if name == "random":
        assert got.shape == (7, 5)
        assert np.unique(got).size == 35
        assert 0 <= got.min() < got.max() < 1
    else:
        np.testing.assert_allclose(got, OWN_EXPECTED[name], rtol=1e-14)


@pytest.mark.parametrize(
    ("case", "error", "text"),
    [
        (lambda d: cubed.nansum(d.x), AttributeError, "nansum"),
        (lambda d: cubed.nanmean(d.x), TypeError, "Only numeric dtypes"),
        (
            lambda d: cubed.map_overlap(
                lambda b: b, d.x, dtype=d.x.dtype, depth=1, boundary=0.0, trim=False, chunks=((5, 5, 3), (4, 4, 3))
            ),
            TypeError,
            'unexpected keyword argument "shape"',
        ),
    ],
    ids=["nansum", "nanmean", "map_overlap with a number"],
)
def test_functions_of_cubed_that_are_refused(case, error, text, data):
    with pytest.raises(error, match=text):
        case(data).compute(executor=create_executor("single-threaded"))


def test_python_scalars_of_cubed_arrays(data):
    assert bool(cxp.all(data.p > 1.0)) is True
    assert int(cxp.sum(data.j)) == DATA["j"].sum()
    assert float(cxp.max(data.x)) == DATA["x"].max()


def test_a_worker_without_the_setting_refuses():
    """It reads chunks as NumPy arrays: nothing is computed by NumPy in silence."""
    with pytest.raises(TypeError, match="an array of this namespace is required"):
        cubed_backend.sum(DATA["x"])
    with pytest.raises(TypeError, match="an array of this namespace"):
        cubed_backend.add(DATA["x"], DATA["x"])


def test_variance_by_what_works(data):
    """The way round that the documentation gives for var."""
    centred = data.x - cxp.mean(data.x, axis=0, keepdims=True)
    compare(cxp.mean(cxp.square(centred), axis=0).compute(), lambda m, d: np.var(d.x, axis=0))


@pytest.mark.parametrize("shape", [(12, 4), (42, 3)])
def test_qr_and_svd(settings, shape):
    a = rng.uniform(-1, 1, shape)
    x = cxp.asarray(a, chunks=(shape[0] // 3, shape[1]))
    q, r = (np.asarray(part) for part in cubed.compute(*cxp.linalg.qr(x)))
    np.testing.assert_allclose(q @ r, a, atol=1e-14)
    np.testing.assert_allclose(q.T @ q, np.eye(shape[1]), atol=1e-14)
    u, s, vh = (np.asarray(part) for part in cubed.compute(*cxp.linalg.svd(x, full_matrices=False)))
    np.testing.assert_allclose(u * s @ vh, a, atol=1e-14)
    np.testing.assert_allclose(s, np.linalg.svd(a)[1], rtol=1e-13)
    np.testing.assert_allclose(np.asarray(cxp.linalg.svdvals(x).compute()), s, rtol=1e-13)


def test_chunks_are_ours(data):
    """What functions of the user get is our array on the default device, and its namespace is the strict one."""
    seen = []

    def block(x):
        seen.append((type(x), x.__array_namespace__(), x.dtype, x.device))
        return x.__array_namespace__().sin(x)

    cubed.map_blocks(block, data.x, dtype=cxp.float64).compute(executor=create_executor("single-threaded"))
    assert len(seen) == 9
    assert set(seen) == {(Array, xp, xp.float64, xp.CPU_DEVICE)}


def test_strictness_stays_in_functions_of_the_user(data):
    with pytest.raises(IndexError, match="index-flat"):
        cubed.map_blocks(lambda x: x[0], data.x, dtype=cxp.float64).compute(executor=create_executor("single-threaded"))


def test_data_types_and_what_is_told_of_them():
    assert cxp.float64 == np.dtype("float64")
    assert cxp.result_type(cxp.float32, cxp.float64) == cxp.float64
    assert cxp.can_cast(cxp.int8, cxp.int16)
    assert not cxp.can_cast(cxp.int16, cxp.int8)
    assert cxp.isdtype(cxp.int8, ("signed integer", cxp.float64))
    assert not cxp.isdtype(cxp.int8, cxp.float64)
    assert cxp.broadcast_shapes((3, 1), (1, 4)) == (3, 4)
    assert cxp.finfo(cxp.float32).dtype == cxp.float32
    assert cxp.finfo(cxp.float32).eps == 2.0**-23
    assert cxp.iinfo(cxp.int16).max == 32767
    assert cxp.iinfo(cxp.int16).dtype == cxp.int16
    info = cxp.__array_namespace_info__()
    assert info.default_device() == xp.CPU_DEVICE
    assert info.devices() == [xp.CPU_DEVICE]
    assert info.default_dtypes()["integral"] == cxp.int64
    assert info.default_dtypes(device="cpu")["real floating"] == cxp.float64
    assert info.dtypes(kind="bool") == {"bool": cxp.bool}
    assert info.capabilities()["max dimensions"] == 64
    with pytest.raises(TypeError, match="cannot be promoted|result_type"):
        cxp.result_type(cxp.float32, cxp.int8)


def test_the_strict_namespace_does_not_bend():
    with pytest.raises(TypeError, match="not-a-dtype"):
        xp.zeros((2,), dtype=np.dtype("float64"))
    assert not hasattr(xp.float64, "itemsize")
    assert not hasattr(xp.zeros(2), "nbytes")


class TestAdapter:
    def test_is_what_cubed_uses(self):
        assert namespace is cubed_backend

    def test_functions_without_data_types_are_the_strict_ones(self):
        assert cubed_backend.add is xp.add
        assert cubed_backend.matmul is xp.matmul
        assert cubed_backend.linalg is xp.linalg
        assert cubed_backend.pi == xp.pi

    def test_what_the_standard_does_not_have_is_not_there(self):
        for name in ("nansum", "einsum", "__wrapped__"):
            with pytest.raises(AttributeError, match=name):
                getattr(cubed_backend, name)

    def test_arrays_are_shared_with_numpy(self):
        a = np.arange(4.0)
        x = cubed_backend.asarray(a)
        assert isinstance(x, Array)
        a[0] = 7
        assert x[0] == 7
        assert np.shares_memory(np.asarray(x), a)

    def test_a_scalar_is_a_constant_until_it_is_read(self):
        constant = cubed_backend.asarray([1, 2], dtype=np.dtype("int8"))
        assert isinstance(constant, cubed_backend.Constant)
        assert (constant.shape, constant.dtype) == ((2,), np.dtype("int8"))
        assert str(constant) == str(constant.array)
        assert constant[0].array == 1
        x = cubed_backend.asarray(constant)
        assert isinstance(x, Array)
        assert x.dtype == xp.int8

    def test_values_are_as_strict_as_in_strictarray(self):
        with pytest.raises(TypeError, match="creation-cast"):
            cubed_backend.asarray(1.5, dtype=np.dtype("int64"))

    @pytest.mark.parametrize("dtype", [">f8", "float16", "S3", "datetime64[ns]"])
    def test_data_types_that_the_standard_does_not_have(self, dtype):
        with pytest.raises(TypeError, match="native byte order"):
            cubed_backend.zeros((2,), dtype=np.dtype(dtype))

    def test_divide_takes_counts_and_nothing_else(self):
        x = cubed_backend.divide(xp.asarray([3.0]), xp.asarray([2]))
        assert x[0] == 1.5
        with pytest.raises(TypeError, match="divide"):
            cubed_backend.divide(xp.asarray([3]), xp.asarray([2.0]))
        with pytest.raises(TypeError, match="divide"):
            cubed_backend.divide(xp.asarray([3]), xp.asarray([2]))


def test_our_arrays_go_in_by_numpy(settings):
    """cubed reads np.dtype(x.dtype) off what it gets, so an array of ours enters as the NumPy array that shares its memory."""
    x = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
    with pytest.raises(TypeError, match="Cannot interpret"):
        cxp.asarray(x)
    assert float(cxp.sum(cxp.asarray(np.asarray(x), chunks=1)).compute()) == 10
    assert float(cxp.sum(cubed.from_array(np.asarray(x), chunks=1)).compute()) == 10


def test_plans_that_take_too_much_are_refused_before_they_run(tmp_path):
    spec = cubed.Spec(work_dir=str(tmp_path), allowed_mem="1MB")
    x = cxp.ones((1000, 1000), chunks=(1000, 1000), spec=spec)
    with pytest.raises(ValueError, match="exceeds allowed_mem"):
        cxp.negative(x).compute()


@pytest.mark.parametrize("executor", ["processes", "dask"])
def test_larger_than_memory(executor, tmp_path):
    """The example checks its results and the memory of its workers, and says so by its exit status."""
    command = [sys.executable, str(EXAMPLES / "larger_than_memory.py"), "--executor", executor]
    sizes = ["--sum-gb", "0.05", "--matmul-gb", "0.01", "--chunk-mb", "2", "--folder", str(tmp_path)]
    done = subprocess.run(command + sizes, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert "(A B) v and A (B v) differ by" in done.stdout
    assert os.listdir(tmp_path) == []
