"""Dask arrays with chunks of strictarray: what keeps them, what raises, and what turns them into NumPy's."""

import dask
import dask.array as da
import numpy as np
import pytest
import zarr
from dask.sizeof import sizeof
from distributed import Client, LocalCluster

import strictarray as xp
from strictarray import dask_chunks

Array = type(xp.empty(0))
DATA = np.arange(1.0, 13.0).reshape(3, 4)
META = np.empty((0, 0))


def total(block, axis, keepdims):
    return xp.sum(block, axis=axis, keepdims=keepdims)


# On a device whose memory NumPy can't read: a chunk that left strictarray on the way would raise.
KEEPS = {
    "all of it": (lambda x: x, lambda a: a),
    "+ float": (lambda x: x + 1.0, lambda a: a + 1),
    "int -": (lambda x: 1 - x, lambda a: 1 - a),
    "+": (lambda x: x + x, lambda a: a + a),
    "* broadcast": (lambda x: x * x[0:1, :], lambda a: a * a[0:1]),
    "-": (lambda x: -x, lambda a: -a),
    "abs": (lambda x: abs(x), lambda a: abs(a)),
    "**": (lambda x: x**2, lambda a: a**2),
    "comparisons": (lambda x: (x > 2) & (x < 5), lambda a: (a > 2) & (a < 5)),
    "slices": (lambda x: x[0:2, 1:3], lambda a: a[0:2, 1:3]),
    "steps": (lambda x: x[::2, ::-1], lambda a: a[::2, ::-1]),
    "int": (lambda x: x[1], lambda a: a[1]),
    "ints": (lambda x: x[1, 2], lambda a: a[1, 2]),
    "None": (lambda x: x[None], lambda a: a[None]),
    "blocks": (lambda x: x.blocks[0, 0], lambda a: a[:2, :2]),
    "concatenate": (lambda x: da.concatenate([x, x]), lambda a: np.concatenate([a, a])),
    "stack": (lambda x: da.stack([x, x]), lambda a: np.stack([a, a])),
    "flip": (lambda x: da.flip(x, 0), lambda a: np.flip(a, 0)),
    "roll": (lambda x: da.roll(x, 1, axis=0), lambda a: np.roll(a, 1, axis=0)),
    "squeeze": (lambda x: da.squeeze(x[0:1, :]), lambda a: a[0]),
    "rechunk": (lambda x: x.rechunk((3, 1)), lambda a: a),
    "persist": (lambda x: (x * 2.0).persist(), lambda a: a * 2),
    "map_blocks": (lambda x: x.map_blocks(xp.sin, dtype=x.dtype, meta=META), lambda a: np.sin(a)),
    "map_overlap": (
        lambda x: x.map_overlap(lambda b: b[1:-1, 1:-1], depth=1, boundary="reflect", trim=False, dtype=x.dtype, meta=META),
        lambda a: a,
    ),
    "blockwise": (
        lambda x: da.blockwise(
            xp.matmul, "ij", x, "ik", dask_chunks.from_array(DATA.T, 2, device=xp.Device("device1")), "kj",
            concatenate=True, dtype=x.dtype, meta=META,
        ),
        lambda a: a @ a.T,
    ),
    "reduction": (lambda x: da.reduction(x, total, total, dtype=x.dtype, meta=np.empty(())), lambda a: np.sum(a)),
    "reduction by axis": (
        lambda x: da.reduction(x, total, total, axis=0, dtype=x.dtype, meta=np.empty((0,))),
        lambda a: np.sum(a, axis=0),
    ),
}  # fmt: skip

# Dask calls NumPy's functions or ndarray's methods on the chunk; those that go by __array__ give NumPy's on CPU_DEVICE.
FALLS_BACK = {
    "T": lambda x: x.T,
    "swapaxes": lambda x: da.swapaxes(x, 0, 1),
    "where": lambda x: da.where(x > 2, x, x * 2.0),
    "clip": lambda x: x.clip(1, 3),
    "cumsum": lambda x: x.cumsum(axis=0),
    "pad": lambda x: da.pad(x, 1),
    "topk": lambda x: da.topk(x, 1),
    "broadcast_to": lambda x: da.broadcast_to(x, (2, 3, 4)),
    "einsum": lambda x: da.einsum("ij->j", x),
    "linalg.qr": lambda x: da.linalg.qr(x.rechunk((2, 4)))[1],
}
RAISES = {
    "sum": (lambda x: x.sum(), TypeError),
    "mean": (lambda x: x.mean(axis=0), TypeError),
    "max": (lambda x: x.max(), TypeError),
    "argmax": (lambda x: x.argmax(axis=0), TypeError),
    "all": (lambda x: (x > 2).all(), TypeError),
    "sin": (lambda x: da.sin(x), TypeError),
    "np.sqrt": (lambda x: np.sqrt(x), TypeError),
    "a NumPy scalar": (lambda x: x + np.float64(1), TypeError),
    "@": (lambda x: x @ dask_chunks.from_array(DATA.T, 2, device=xp.Device("device1")), (TypeError, RuntimeError)),
    "tensordot": (lambda x: da.tensordot(x, x, axes=((0,), (0,))), AttributeError),
    "astype": (lambda x: x.astype("float32"), AttributeError),
    "ravel": (lambda x: x.ravel(), AttributeError),
    "reshape": (lambda x: x.reshape((12,)), AttributeError),
    "expand_dims": (lambda x: da.expand_dims(x, 0), AttributeError),
    "a list as index": (lambda x: x[[0, 2]], ValueError),
    "a mask as index": (lambda x: x[x > 2], AttributeError),
}


@pytest.fixture(autouse=True)
def _one_thread():
    with dask.config.set(scheduler="synchronous"):
        yield


@pytest.fixture
def device1():
    return xp.Device("device1")


@pytest.mark.parametrize("name", KEEPS)
def test_keeps_chunks(name, device1):
    ours, numpys = KEEPS[name]
    got = ours(dask_chunks.from_array(DATA, chunks=2, device=device1)).compute()
    assert isinstance(got, Array)
    assert got.device == device1
    expected = np.asarray(numpys(DATA))
    got = np.asarray(got.to_device(xp.CPU_DEVICE))
    assert (got.shape, got.dtype) == (expected.shape, expected.dtype)
    np.testing.assert_allclose(got, expected, rtol=1e-15)


@pytest.mark.parametrize("name", FALLS_BACK)
def test_what_falls_back_to_numpy_raises_off_the_cpu(name, device1):
    case = FALLS_BACK[name]
    with pytest.raises(RuntimeError, match="an array on device device1"):
        case(dask_chunks.from_array(DATA, chunks=2, device=device1)).compute()
    assert isinstance(case(dask_chunks.from_array(DATA, chunks=2)).compute(), np.ndarray)


@pytest.mark.parametrize("dev", ["CPU_DEVICE", "device1"])
@pytest.mark.parametrize("name", RAISES)
def test_raises_on_every_device(name, dev):
    case, error = RAISES[name]
    with pytest.raises(error):
        case(dask_chunks.from_array(DATA, chunks=2, device=xp.Device(dev))).compute()


class TestFromArray:
    def test_to_dask_it_is_of_numpys(self):
        x = dask_chunks.from_array(DATA, chunks=2)
        assert x.dtype == np.dtype("float64")
        assert isinstance(x._meta, np.ndarray)
        assert x.chunks == ((2, 1), (2, 2))

    def test_our_array_is_shared(self):
        a = xp.asarray(DATA.copy())
        x = dask_chunks.from_array(a, chunks=(3, 4))
        assert isinstance(x.compute(), Array)

    def test_our_array_of_another_device_is_refused(self, device1):
        with pytest.raises(RuntimeError, match="explicit transfer"):
            dask_chunks.from_array(xp.asarray(DATA, device=device1))

    def test_dask_array(self):
        x = dask_chunks.from_array(da.ones((4, 4), chunks=2) * 2)
        got = x.compute()
        assert isinstance(got, Array)
        assert xp.all(got == 2.0)

    def test_zarr(self, tmp_path):
        """And back by NumPy, which shares the memory of chunks on the CPU."""
        stored = zarr.create_array(str(tmp_path / "in"), shape=DATA.shape, dtype=DATA.dtype, chunks=(2, 2))
        stored[...] = DATA
        target = zarr.create_array(str(tmp_path / "out"), shape=DATA.shape, dtype=DATA.dtype, chunks=(2, 2))
        doubled = dask_chunks.from_array(stored) * 2.0
        da.store(doubled.map_blocks(np.asarray, dtype=doubled.dtype, meta=META), target)
        np.testing.assert_array_equal(target[...], DATA * 2)


def test_dask_itself_does_not_take_our_data_types():
    """Why there is from_array."""
    x = xp.asarray(DATA)
    for make in (
        lambda: da.from_array(x, chunks=2),
        lambda: da.from_array(x, chunks=2, asarray=False),
        lambda: da.from_array(DATA, chunks=2).map_blocks(xp.asarray, meta=xp.empty((0, 0))) + 1.0,
    ):
        with pytest.raises(TypeError, match="Cannot interpret"):
            make()


def test_size_that_dask_counts():
    dask_chunks.register()
    for name in ("bool", "int16", "float32", "complex128"):
        x = xp.zeros((100, 10), dtype=getattr(xp, name))
        assert 0 <= sizeof(x) - 1000 * np.dtype(name).itemsize < 1000


def test_two_workers(device1):
    with (
        dask.config.set({"distributed.worker.preload": ["strictarray.dask_chunks"]}),
        LocalCluster(n_workers=2, threads_per_worker=1, memory_limit="1GB", dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        data = np.arange(40_000.0).reshape(200, 200)
        x = dask_chunks.from_array(data, chunks=(50, 50), device=device1)
        shifted = (x[10:, :] * 2.0 + 1.0).rechunk((95, 100)).persist()
        got, sums = client.gather(
            client.compute(
                [shifted, da.reduction(shifted, total, total, axis=1, dtype=x.dtype, meta=np.empty((0,)))],
            )
        )
        workers = {worker for keys in client.who_has(shifted).values() for worker in keys}
    assert len(workers) == 2
    for array, expected in ((got, data[10:] * 2 + 1), (sums, (data[10:] * 2 + 1).sum(axis=1))):
        assert isinstance(array, Array)
        assert array.device == device1
        np.testing.assert_array_equal(np.asarray(array.to_device(xp.CPU_DEVICE)), expected)
