"""xarray over our arrays.

All on a device whose memory NumPy can't read: a result that is right and on that device never was NumPy's on the way. What
xarray can't do with arrays of the standard raises, and the genuine array-api-strict fails in the same ones.
"""

import pickle

import numpy as np
import pytest
import xarray as xr

import strictarray as xp

Array = type(xp.empty(0))
DEVICE = xp.Device("device1")
DATA = np.arange(12.0).reshape(3, 4) / 4
ROW = np.arange(1.0, 5.0)


def ours(a):
    return xp.asarray(a, device=DEVICE)


class Labelled:
    """The same labelled data over the arrays that `make` makes."""

    def __init__(self, make):
        self.x = xr.DataArray(
            make(DATA.copy()), dims=("x", "y"), coords={"x": [10, 20, 30], "y": list("abcd")}, name="v"
        )
        self.row = xr.DataArray(make(ROW.copy()), dims=("y",))
        self.ds = xr.Dataset({"a": self.x, "b": self.row * 2.0})


WORKS = """
    d.x + 1.0
    2 - d.x
    d.x * d.row
    -d.x / (d.x + 1.0)
    d.x // 2.0
    d.x % 2.0
    d.x ** 2
    abs(d.x)
    (d.x > 1) & (d.x < 2)
    ~(d.x == 1)
    d.x.sum()
    d.x.sum("x")
    d.x.prod("x", skipna=False)
    d.x.mean("x", skipna=False)
    d.x.mean(skipna=False)
    d.x.max("y", skipna=False)
    d.x.min(skipna=False)
    d.x.argmax("x", skipna=False)
    d.x.argmin("y", skipna=False)
    (d.x > 1).any("x")
    (d.x > 1).all()
    d.x - d.x.mean("x", skipna=False)
    d.x[0]
    d.x[0:2, 1]
    d.x.isel(x=-1)
    d.x.isel(x=slice(None, None, 2))
    d.x.sel(x=20)
    d.x.sel(x=slice(10, 20), y="b")
    d.x.sel(x=19, method="nearest")
    d.x.loc[20]
    d.x.head(x=2)
    xr.where(d.x > 1, d.x, -d.x)
    d.x.isnull()
    d.x.combine_first(d.x)
    d.x.clip(0.5, 1.5)
    d.x.round()
    d.x.T
    d.x.transpose("y", "x")
    d.x.stack(z=("x", "y"))
    d.x.stack(z=("x", "y")).unstack("z")
    d.x.expand_dims("t")
    d.x.isel(x=slice(0, 1)).squeeze()
    xr.concat([d.x, d.x], "x")
    xr.concat([d.x, d.x], "t")
    xr.broadcast(d.x, d.row)[1]
    xr.align(d.x, d.x)[0]
    d.x.diff("x")
    d.x.roll(x=1)
    d.x.groupby("x").sum()
    d.x.copy(deep=True)
    d.x.rename(x="u").assign_coords(u=[1, 2, 3])
    d.x.swap_dims(x="x")
    xr.zeros_like(d.x)
    xr.full_like(d.x, 3.0)
    pickle.loads(pickle.dumps(d.x))
    xr.ufuncs.sqrt(d.x)
    d.ds * 2.0
    d.ds + d.ds
    d.ds.isel(y=slice(0, 2))
    d.ds.sel(y="b")
    d.ds.transpose()
    d.ds.map(lambda v: v * 2.0)
    d.ds[["a"]].to_array()
    (xr.DataTree(d.ds) * 2.0).to_dataset()
    xr.merge([d.x, d.row.rename("b")])
"""
WORKS = [line.strip() for line in WORKS.strip().splitlines()]

# What xarray calls or asks that the standard does not have: the text of each error says it.
RAISES = {
    'd.x.mean("x")': (AttributeError, "has no attribute 'kind'"),
    'd.x.max("x")': (AttributeError, "has no attribute 'kind'"),
    'd.x.std("x", skipna=False)': (TypeError, 'unexpected keyword argument "ddof"'),
    'd.x.median("x")': (RuntimeError, "explicit transfer"),
    'd.x.count("x")': (TypeError, "Only numeric dtypes are allowed in sum"),
    'd.x.cumsum("x", skipna=False)': (AttributeError, "has no attribute 'cumsum'"),
    "d.x @ d.row": (AttributeError, "has no attribute 'einsum'"),
    "d.x.isel(x=[0, 2])": (IndexError, "got an object of type numpy.ndarray"),
    'd.x.sel(y=["a", "c"])': (IndexError, "got an object of type numpy.ndarray"),
    "d.x.isel(x=slice(0, 10))": (IndexError, "got slice stop 10"),
    "d.x.where(d.x > 1, 0.0)": (TypeError, "got 'float32' \\(str\\)"),
    "d.x.where(d.x > 1)": (TypeError, "must be one of an extension array dtype or numpy dtype"),
    "d.x.fillna(0.0)": (TypeError, "got 'float32' \\(str\\)"),
    "d.x.shift(x=1)": (TypeError, "must be one of an extension array dtype or numpy dtype"),
    "d.x.reindex(x=[10, 40])": (TypeError, "must be one of an extension array dtype or numpy dtype"),
    "d.x.coarsen(y=2).sum()": (TypeError, "got an object of type list"),
    "d.x.rolling(y=2).sum()": (TypeError, "got 'int8' \\(str\\)"),
    "d.x.weighted(d.x).mean()": (AttributeError, "has no attribute 'kind'"),
    "d.x.interp(x=15)": (AttributeError, "has no attribute 'kind'"),
    'd.x.differentiate("x")': (TypeError, "Cannot interpret"),
    'd.x.astype("float32")': (TypeError, "got 'float32' \\(str\\)"),
    "d.ds.sum()": (TypeError, "Cannot interpret"),
    'd.x.chunk({"x": 1})': (TypeError, "Cannot interpret"),
    "np.sin(d.x)": (TypeError, "does not support ufuncs"),
    "d.x * np.float64(2)": (TypeError, "does not support ufuncs"),
    "d.x * d.x.x": (TypeError, "does not support ufuncs"),
    "d.x.values": (RuntimeError, "explicit transfer"),
    "d.x.to_numpy()": (RuntimeError, "explicit transfer"),
    "d.x.to_pandas()": (RuntimeError, "explicit transfer"),
    "float(d.x.sum())": (RuntimeError, "explicit transfer"),
    "d.x.__setitem__({'x': 0}, 5.0)": (TypeError, "got an object of type numpy.ndarray"),
}


def evaluate(expression, data):
    return eval(expression, {"d": data, "xr": xr, "np": np, "pickle": pickle})


def to_numpy(labelled):
    """With data that NumPy can read, and proof that it was ours until here."""

    def move(variable):
        assert isinstance(variable.data, Array)
        assert variable.data.device == DEVICE
        return variable.copy(data=np.asarray(variable.data.to_device(xp.CPU_DEVICE)))

    return labelled.map(move) if isinstance(labelled, xr.Dataset) else move(labelled)


@pytest.mark.parametrize("expression", WORKS)
def test_works(expression):
    got = to_numpy(evaluate(expression, Labelled(ours)))
    xr.testing.assert_identical(got, evaluate(expression, Labelled(np.asarray)))


@pytest.mark.parametrize("expression", RAISES)
def test_raises(expression):
    error, text = RAISES[expression]
    with pytest.raises(error, match=text):
        evaluate(expression, Labelled(ours))


def test_data_types_of_the_namespace():
    d = Labelled(ours)
    assert d.x.dtype == xp.float64
    assert d.x.astype(xp.float32).data.dtype == xp.float32
    assert d.x.nbytes == 96


def test_functions_of_the_namespace():
    """The way round for what xarray asks NumPy for."""
    d, n = Labelled(ours), Labelled(np.asarray)
    xr.testing.assert_identical(to_numpy(xr.apply_ufunc(xp.sqrt, d.x)), xr.apply_ufunc(np.sqrt, n.x))
    deviation = d.x.reduce(lambda x, axis: xp.std(x, axis=axis), "x")
    xr.testing.assert_allclose(to_numpy(deviation), n.x.std("x"))
    product = xr.apply_ufunc(xp.vecdot, d.x, d.row, input_core_dims=[["y"], ["y"]])
    xr.testing.assert_allclose(to_numpy(product), n.x @ n.row)
    taken = d.x.copy(data=xp.take(d.x.data, xp.asarray([2, 0, 1], device=DEVICE), axis=0))
    np.testing.assert_array_equal(to_numpy(taken).data, DATA[[2, 0, 1]])


def test_in_place():
    d = Labelled(ours)
    data = d.x.data
    d.x += 1.0
    assert d.x.data is data
    np.testing.assert_array_equal(to_numpy(d.x).data, DATA + 1)


def test_copies():
    d = Labelled(ours)
    assert d.x.copy(deep=False).data is d.x.data
    assert d.x.copy(deep=True).data is not d.x.data
    assert d.x.load().data is d.x.data
    assert d.ds.compute()["a"].data.device == DEVICE


def test_comparisons_and_text():
    d = Labelled(ours)
    assert d.x.equals(d.x.copy())
    assert not d.x.equals(d.x + 1.0)
    xr.testing.assert_identical(d.x, d.x.copy())
    assert "device1" in repr(d.x)
    assert "(x, y) strictarray.float64 96B" in repr(d.ds)
    assert "xr-wrap" in d.x._repr_html_()


def test_to_numpy_where_numpy_may_read():
    x = xr.DataArray(xp.asarray(DATA), dims=("x", "y"))
    np.testing.assert_array_equal((x * 2.0).values, DATA * 2)
    assert isinstance((x * 2.0).data, Array)
