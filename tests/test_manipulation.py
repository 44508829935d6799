"""Manipulation and indexing functions: values against NumPy, views, refusals, versions, devices."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import (
    DEVICE_DTYPES,
    DTYPES,
    INTEGER,
    REAL_FLOATING,
    assert_same,
    dtype,
    flags,
    from_np,
    own,
    sample,
    to_np,
)

import strictarray as xp

F64 = dtype("float64")


def rolled(x, shift, axis):
    """The definition, element by element, for axes that may be named twice."""
    if axis is None:
        return np.roll(x.reshape(-1), shift).reshape(x.shape)
    axes = axis if isinstance(axis, tuple) else (axis,)
    shifts = shift if isinstance(shift, tuple) else (shift,) * len(axes)
    for s, a in zip(shifts, axes, strict=True):
        n = x.shape[a]
        x = np.take(x, [(i - s) % n for i in range(n)], axis=a) if n else x
    return x


# {name: (call of the library, the same with NumPy)}; `y` is another array of the same shape.
CASES = {
    "broadcast_to": (lambda m, x: m.broadcast_to(x, (2, *x.shape)),) * 2,
    "concat 0": (lambda m, x: m.concat((x, x), axis=0), lambda m, x: m.concatenate((x, x), axis=0)),
    "concat -1": (lambda m, x: m.concat([x, x, x], axis=-1), lambda m, x: m.concatenate([x, x, x], axis=-1)),
    "concat None": (lambda m, x: m.concat((x, x), axis=None), lambda m, x: m.concatenate((x, x), axis=None)),
    "expand_dims 0": (lambda m, x: m.expand_dims(x, axis=0),) * 2,
    "expand_dims -1": (lambda m, x: m.expand_dims(x, axis=-1),) * 2,
    "expand_dims tuple": (lambda m, x: m.expand_dims(x, axis=(0, -2)),) * 2,
    "flip": (lambda m, x: m.flip(x),) * 2,
    "flip -1": (lambda m, x: m.flip(x, axis=-1),) * 2,
    "flip tuple": (lambda m, x: m.flip(x, axis=(0, -1)),) * 2,
    "flip nothing": (lambda m, x: m.flip(x, axis=()),) * 2,
    "moveaxis": (lambda m, x: m.moveaxis(x, 0, -1),) * 2,
    "moveaxis tuple": (lambda m, x: m.moveaxis(x, (1, 0), (0, 2)),) * 2,
    "permute_dims": (lambda m, x: m.permute_dims(x, (2, 0, 1)), lambda m, x: m.transpose(x, (2, 0, 1))),
    "permute_dims -1": (lambda m, x: m.permute_dims(x, (-1, 0, -2)), lambda m, x: m.transpose(x, (2, 0, 1))),
    "repeat": (lambda m, x: m.repeat(x, 3),) * 2,
    "repeat axis": (lambda m, x: m.repeat(x, 2, axis=1),) * 2,
    "repeat nothing": (lambda m, x: m.repeat(x, 0, axis=0),) * 2,
    "repeat often": (lambda m, x: m.repeat(x, 17, axis=-1),) * 2,
    "reshape": (lambda m, x: m.reshape(x, (-1,)),) * 2,
    "reshape copy": (lambda m, x: m.reshape(x, (x.size, 1), copy=True),) * 2,
    "roll": (lambda m, x: m.roll(x, 2), lambda m, x: rolled(x, 2, None)),
    "roll axis": (lambda m, x: m.roll(x, -1, axis=1), lambda m, x: rolled(x, -1, 1)),
    "roll axes": (lambda m, x: m.roll(x, (1, 5), axis=(0, -1)), lambda m, x: rolled(x, (1, 5), (0, -1))),
    "roll twice": (lambda m, x: m.roll(x, (1, 1), axis=(1, 1)), lambda m, x: rolled(x, (1, 1), (1, 1))),
    "roll one shift": (lambda m, x: m.roll(x, 1, axis=(0, 2)), lambda m, x: rolled(x, 1, (0, 2))),
    "roll huge": (lambda m, x: m.roll(x, -(10**40) - 1), lambda m, x: rolled(x, -(10**40) - 1, None) if x.size else x),
    "stack": (lambda m, x: m.stack((x, x)),) * 2,
    "stack -1": (lambda m, x: m.stack([x, x, x], axis=-1),) * 2,
    "stack 1": (lambda m, x: m.stack((x,), axis=1),) * 2,
    "tile": (lambda m, x: m.tile(x, (2,)),) * 2,
    "tile more": (lambda m, x: m.tile(x, (2, 1, 3, 2)),) * 2,
    "tile nothing": (lambda m, x: m.tile(x, (0, 1)),) * 2,
    "tile empty tuple": (lambda m, x: m.tile(x, ()),) * 2,
    "matrix_transpose": (lambda m, x: m.matrix_transpose(x),) * 2,
}
SHAPES = [(2, 3, 4), (1, 1, 1), (3, 1, 2), (0, 3, 2), (2, 3, 0), (5, 1, 33)]


def padded(a):
    """Every second element along each axis of something larger, from an offset."""
    b = np.zeros([2 * n + 1 for n in a.shape], dtype=a.dtype)
    view = b[(slice(1, None, 2),) * a.ndim]
    view[...] = a
    return view


LAYOUTS = {
    "C": lambda a: a.copy(),
    "F": lambda a: a.copy(order="F"),
    "backwards": lambda a: np.flip(np.flip(a).copy()),
    "padded": padded,
    "moved": lambda a: np.moveaxis(np.moveaxis(a, 0, -1).copy(), -1, 0),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", CASES)
def test_values_for_every_layout(name, shape, layout):
    ours, theirs = CASES[name]
    a = LAYOUTS[layout](sample("int16", shape))
    assert_same(ours(xp, from_np(a)), theirs(np, a))


@pytest.mark.parametrize("dt", DTYPES)
@pytest.mark.parametrize("name", CASES)
def test_values_for_every_dtype(name, dt):
    ours, theirs = CASES[name]
    for layout in ("C", "padded"):
        a = LAYOUTS[layout](sample(dt, (2, 3, 5)))
        assert_same(ours(xp, from_np(a)), theirs(np, a))


@pytest.mark.parametrize(("dev", "dt"), DEVICE_DTYPES)
def test_results_are_on_the_device_of_the_argument(dev, dt):
    x = own(sample(dt, (2, 3, 5)), dev)
    for ours, theirs in CASES.values():
        y = ours(xp, x)
        assert y.device == x.device
        assert_same(y, theirs(np, sample(dt, (2, 3, 5))))
    indices = own(np.array([1, 0], dtype="int32"), dev)
    assert xp.take(x, indices, axis=0).device == x.device
    assert all(y.device == x.device for y in xp.unstack(x) + xp.broadcast_arrays(x, x))


ZERO_D = {
    "broadcast_to": lambda m, x: m.broadcast_to(x, (2, 3)),
    "concat None": lambda m, x: (m.concat if m is xp else m.concatenate)((x, x), axis=None),
    "expand_dims": lambda m, x: m.expand_dims(x, axis=-1),
    "flip": lambda m, x: m.flip(x),
    "moveaxis": lambda m, x: m.moveaxis(x, (), ()),
    "permute_dims": lambda m, x: (m.permute_dims if m is xp else m.transpose)(x, ()),
    "repeat": lambda m, x: m.repeat(x, 3),
    "reshape": lambda m, x: m.reshape(x, (1, 1)),
    "reshape same": lambda m, x: m.reshape(x, ()),
    "roll": lambda m, x: m.roll(x, 3),
    "roll no axes": lambda m, x: m.roll(x, (), axis=()) if m is xp else x,
    "squeeze": lambda m, x: m.squeeze(x, axis=()),
    "stack": lambda m, x: m.stack((x, x)),
    "tile": lambda m, x: m.tile(x, (2, 2)),
}


@pytest.mark.parametrize("name", ZERO_D)
def test_arrays_without_axes(name):
    a = np.array(7, dtype="uint8")
    assert_same(ZERO_D[name](xp, own(a)), ZERO_D[name](np, a))


def test_sixty_four_axes():
    x = xp.reshape(xp.arange(4), (1,) * 62 + (2, 2))
    assert x.ndim == 64
    assert xp.permute_dims(x, tuple(range(63, -1, -1))).shape == (2, 2) + (1,) * 62
    assert xp.flip(x)[(0,) * 64] == 3
    assert xp.squeeze(x, axis=tuple(range(62))).shape == (2, 2)
    assert xp.moveaxis(x, 63, 0).shape == (2,) + (1,) * 61 + (1, 2)
    assert xp.roll(x, 1, axis=63)[(0,) * 64] == 1
    assert xp.concat((x, x), axis=-1).shape[-1] == 4
    assert xp.tile(x, (2,)).shape[-1] == 4
    assert xp.repeat(x, 2, axis=0).shape[0] == 2
    assert len(xp.unstack(x, axis=63)) == 2
    assert xp.take(x, xp.asarray([1]), axis=63).shape == (1,) * 62 + (2, 1)
    assert xp.take_along_axis(x, xp.ones((1,) * 63 + (2,), dtype=xp.int64), axis=-1).shape == x.shape
    assert xp.vecdot(x, x).shape == (1,) * 62 + (2,)
    assert xp.tensordot(x, x, axes=64) == 14
    for refused in (
        lambda: xp.expand_dims(x, axis=0),
        lambda: xp.stack((x, x)),
        lambda: xp.reshape(x, (*x.shape, 1)),
        lambda: xp.tile(x, (1,) * 65),
        lambda: xp.broadcast_to(x, (1, *x.shape)),
        lambda: xp.tensordot(x, x, axes=0),
    ):
        with pytest.raises(ValueError, match="64") as error:
            refused()
        assert error.value.rule == "max-dimensions"


# ---- properties ------------------------------------------------------------------------------------------------------

shapes = st.lists(st.integers(0, 4), min_size=1, max_size=4).map(tuple)


@st.composite
def arrays(draw, shape=shapes, dtypes=("bool", "int8", "uint16", "int32", "float64", "complex128")):
    """A NumPy array of distinct values in a random layout: axes in any order, steps of either sign."""
    shape = draw(shape)
    steps = [draw(st.sampled_from((1, 2, -1, -2))) for _ in shape]
    order = draw(st.permutations(range(len(shape))))
    dt = draw(st.sampled_from(dtypes))
    base = np.zeros([shape[i] * abs(steps[i]) for i in order], dtype=dt)
    view = base.transpose(np.argsort(order)) if shape else base
    view = view[(..., *(slice(None, None, s) for s in steps))]
    view[...] = (np.arange(view.size).reshape(view.shape) * 7 % 100).astype(dt)
    return view


def axes_of(n):
    return st.lists(st.integers(0, n - 1), unique=True, max_size=n).flatmap(
        lambda axes: st.tuples(*[st.sampled_from((a, a - n)) for a in axes])
    )


@settings(deadline=None, max_examples=200)
@given(st.data())
def test_reshape_is_numpys_also_in_whether_it_copies(data):
    a = data.draw(arrays(shapes.filter(lambda s: 0 not in s)))
    x = from_np(a)
    left, shape = a.size, []
    while left > 1 and len(shape) < 5:
        n = data.draw(st.sampled_from([d for d in range(1, left + 1) if left % d == 0]))
        shape.append(n)
        left //= n
    shape = (*shape, left)
    if data.draw(st.booleans()):
        i = data.draw(st.integers(0, len(shape) - 1))
        given_shape = (*shape[:i], -1, *shape[i + 1 :])
    else:
        given_shape = shape
    expected = a.reshape(given_shape)
    for copy in (None, True):
        assert_same(xp.reshape(x, given_shape, copy=copy), expected)
    try:
        view = xp.reshape(x, given_shape, copy=False)
    except ValueError as error:
        assert error.rule == "copy-needed"
        assert error.argument == "copy"
        assert not np.shares_memory(expected, a)
    else:
        assert np.shares_memory(np.from_dlpack(view), a)
        assert np.shares_memory(expected, a)
        assert_same(view, expected)
    assert not np.shares_memory(np.from_dlpack(xp.reshape(x, given_shape, copy=True)), a)


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_views_of_any_array(data):
    a = data.draw(arrays())
    x = from_np(a)
    axes = data.draw(axes_of(a.ndim))
    assert_same(xp.flip(x, axis=axes), np.flip(a, axis=axes))
    order = data.draw(st.permutations(range(a.ndim)))
    assert_same(xp.permute_dims(x, tuple(order)), np.transpose(a, order))
    places = tuple(data.draw(st.permutations(range(a.ndim)))[: len(axes)])
    assert_same(xp.moveaxis(x, axes, places), np.moveaxis(a, axes, places))
    new = data.draw(axes_of(a.ndim + 2).filter(lambda t: len(t) >= 2).map(lambda t: t[:2]))
    wide = xp.expand_dims(x, axis=new)
    assert_same(wide, np.expand_dims(a, new))
    assert_same(xp.squeeze(wide, axis=new), a)
    axis = data.draw(st.integers(-a.ndim, a.ndim - 1))
    parts = xp.unstack(x, axis=axis)
    assert type(parts) is tuple
    assert len(parts) == a.shape[axis]
    for i, part in enumerate(parts):
        assert_same(part, np.take(a, i, axis=axis))
    if parts:
        assert_same(xp.stack(parts, axis=axis), a)


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_copies_of_any_array(data):
    a = data.draw(arrays())
    x = from_np(a)
    axis = data.draw(st.integers(-a.ndim, a.ndim - 1))
    times = tuple(data.draw(st.lists(st.integers(0, 3), max_size=5)))
    assert_same(xp.tile(x, times), np.tile(a, times))
    n = data.draw(st.integers(0, 20))
    assert_same(xp.repeat(x, n, axis=axis), np.repeat(a, n, axis=axis))
    assert_same(xp.repeat(x, n), np.repeat(a, n))
    counts = np.array(data.draw(st.lists(st.integers(0, 9), min_size=a.shape[axis], max_size=a.shape[axis])), dtype=int)
    assert_same(xp.repeat(x, own(counts), axis=axis), np.repeat(a, counts, axis=axis))
    shift = tuple(data.draw(st.lists(st.integers(-9, 9), min_size=a.ndim, max_size=a.ndim)))
    along = tuple(data.draw(st.lists(st.integers(-a.ndim, a.ndim - 1), min_size=a.ndim, max_size=a.ndim)))
    assert_same(xp.roll(x, shift, axis=along), rolled(a, shift, along))
    assert_same(xp.roll(x, shift[0]), rolled(a, shift[0], None))


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_concat_of_any_arrays(data):
    shape = data.draw(shapes)
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    parts = []
    for n in data.draw(st.lists(st.integers(0, 3), min_size=1, max_size=4)):
        part = list(shape)
        part[axis] = n
        parts.append(data.draw(arrays(st.just(tuple(part)), ("int8", "uint8", "int16", "int64"))))
    ours = [from_np(p) for p in parts]
    assert_same(xp.concat(ours, axis=axis), np.concatenate(parts, axis=axis))
    assert_same(xp.concat(ours, axis=None), np.concatenate(parts, axis=None))


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_broadcasts_of_any_shapes(data):
    full = data.draw(shapes)
    some = []
    for _ in range(data.draw(st.integers(1, 4))):
        part = full[data.draw(st.integers(0, len(full))) :]
        some.append(tuple(data.draw(st.sampled_from((n, 1))) for n in part))
    expected = np.broadcast_shapes(*some)
    got = xp.broadcast_shapes(*some)
    assert got == expected
    assert type(got) is tuple
    values = [data.draw(arrays(st.just(s))) for s in some]
    ours = xp.broadcast_arrays(*map(from_np, values))
    assert type(ours) is tuple
    for x, a in zip(ours, values, strict=True):
        assert_same(x, np.broadcast_to(a, expected))
        assert_same(xp.broadcast_to(from_np(a), expected), np.broadcast_to(a, expected))


@settings(deadline=None, max_examples=200)
@given(st.data())
def test_take_from_any_array(data):
    a = data.draw(arrays())
    axis = data.draw(st.integers(-a.ndim, a.ndim - 1))
    n = a.shape[axis]
    dt = data.draw(st.sampled_from(INTEGER))
    low = 0 if dt.startswith("u") else -n
    count = data.draw(st.integers(0, 6 if n else 0))
    indices = np.array([data.draw(st.integers(low, n - 1)) for _ in range(count)], dtype=dt)
    assert_same(xp.take(from_np(a), own(indices), axis=axis), np.take(a, indices.astype(int), axis=axis))
    backwards = indices[::-1]
    assert_same(xp.take(from_np(a), from_np(backwards), axis=axis), np.take(a, backwards.astype(int), axis=axis))
    # Along the axis: its own positions for each vector, broadcast in the other axes.
    shape = [data.draw(st.sampled_from((m, 1))) for m in a.shape]
    shape[axis] = count
    along = np.zeros(shape, dtype=dt)
    for place in itertools.product(*map(range, shape)):
        along[place] = data.draw(st.integers(low, n - 1))
    wide = [m if b == 1 else b for m, b in zip(a.shape, shape, strict=True)]
    wide[axis] = count
    expected = np.take_along_axis(a, np.broadcast_to(along.astype(int), wide), axis=axis)
    assert_same(xp.take_along_axis(from_np(a), from_np(along), axis=axis), expected)


@pytest.mark.parametrize("n", [1023, 1024, 1025, 5000])
@pytest.mark.parametrize("dt", ["int8", "complex64", "complex128"])
def test_take_of_many(n, dt):
    rng = np.random.default_rng(n)
    a = sample(dt, (7, 50, 3))
    indices = rng.integers(-50, 50, n)
    for x in (a, np.asfortranarray(a), a[:, ::-1]):
        assert_same(xp.take(from_np(x), own(indices), axis=1), np.take(x, indices, axis=1))
    with pytest.raises(IndexError, match="index 50 ") as error:
        xp.take(own(a), own(np.append(indices, 50)), axis=1)
    assert error.value.rule == "index-bounds"
    assert error.value.argument == "indices"


def test_take_along_an_axis_broadcasts_the_array_too():
    a = np.arange(6.0).reshape(1, 6)
    indices = np.argsort(np.array([[3, 1, 2], [9, 8, 7]]), axis=-1)
    expected = np.take_along_axis(np.broadcast_to(a, (2, 6)), indices, axis=-1)
    assert_same(xp.take_along_axis(own(a), own(indices)), expected)


# ---- memory ----------------------------------------------------------------------------------------------------------

VIEWS = {
    "broadcast_to": lambda x: xp.broadcast_to(x, (2, 3, 4)),
    "broadcast_arrays": lambda x: xp.broadcast_arrays(x)[0],
    "expand_dims": lambda x: xp.expand_dims(x, axis=1),
    "flip": xp.flip,
    "matrix_transpose": xp.matrix_transpose,
    "moveaxis": lambda x: xp.moveaxis(x, 0, 1),
    "permute_dims": lambda x: xp.permute_dims(x, (1, 2, 0)),
    "reshape": lambda x: xp.reshape(x, (6, 4)),
    "reshape copy=False": lambda x: xp.reshape(x, (24,), copy=False),
    "squeeze": lambda x: xp.squeeze(x, axis=()),
    "unstack": lambda x: xp.unstack(x)[0],
}
COPIES = {
    "concat": lambda x: xp.concat((x,)),
    "repeat": lambda x: xp.repeat(x, 1, axis=0),
    "reshape copy=True": lambda x: xp.reshape(x, x.shape, copy=True),
    "roll": lambda x: xp.roll(x, 0),
    "stack": lambda x: xp.stack((x,)),
    "take": lambda x: xp.take(x, xp.asarray([0, 1]), axis=0),
    "tile": lambda x: xp.tile(x, (1, 1, 1)),
}


@pytest.mark.parametrize("name", VIEWS)
def test_views_share_memory_and_stay_read_only(name):
    x = xp.zeros((2, 3, 4))
    view = VIEWS[name](x)
    assert np.shares_memory(np.from_dlpack(view), np.from_dlpack(x))
    x[...] = 5.0
    assert xp.all(view == 5.0) if hasattr(xp, "all") else view[(0,) * view.ndim] == 5.0
    view[...] = 6.0
    assert x[0, 0, 0] == 6.0
    frozen = np.zeros((2, 3, 4))
    frozen.flags.writeable = False
    view = VIEWS[name](xp.from_dlpack(frozen))
    with pytest.raises(ValueError, match="read-only"):
        view[...] = 1.0


@pytest.mark.parametrize("name", COPIES)
def test_copies_are_writable_and_apart(name):
    frozen = np.zeros((2, 3, 4))
    frozen.flags.writeable = False
    copy = COPIES[name](xp.from_dlpack(frozen))
    copy[...] = 1.0
    assert not frozen.any()


def test_what_is_repeated_is_read_only():
    x = xp.zeros((1, 3))
    for y in (xp.broadcast_to(x, (2, 3)), xp.broadcast_arrays(x, xp.zeros((2, 1)))[0]):
        with pytest.raises(ValueError, match="broadcasting repeats") as error:
            y[0, 0] = 1.0
        assert error.value.rule == "read-only"
    y = xp.broadcast_to(x, (1, 1, 3))
    y[0, 0, 0] = 1.0
    assert x[0, 0] == 1.0


def test_promotion_of_what_is_joined():
    x, y, z = xp.asarray([1], dtype=xp.int8), xp.asarray([2], dtype=xp.uint8), xp.asarray([3], dtype=xp.int32)
    for arrays_, dt in (((x, y), "int16"), ([x, y, z], "int32"), ((x, x), "int8")):
        for joined in (xp.concat(arrays_), xp.stack(arrays_), xp.concat(arrays_, axis=None)):
            assert joined.dtype == dtype(dt)
    assert xp.concat((xp.zeros(1, dtype=xp.float32), xp.zeros(1, dtype=xp.complex64))).dtype == xp.complex64
    assert xp.concat((xp.zeros(1), xp.zeros(1, dtype=xp.complex64))).dtype == xp.complex128


# ---- refusals --------------------------------------------------------------------------------------------------------

M = xp.reshape(xp.arange(6), (2, 3))
V = xp.arange(3)
Z = xp.asarray(1)
NP = np.arange(6).reshape(2, 3)
BOOL = xp.asarray([True, False, True])

REFUSED = [
    # (call, exception, rule, argument)
    (lambda: xp.broadcast_shapes((2,), (3,)), ValueError, "broadcast", "shapes"),
    (lambda: xp.concat((Z, Z)), ValueError, "axis", "axis"),
    (lambda: xp.concat((M, M), axis=2), IndexError, "axis", "axis"),
    (lambda: xp.concat((M, V)), ValueError, "join-shapes", "arrays"),
    (lambda: xp.concat((M, M[:, :2])), ValueError, "join-shapes", "arrays"),
    (lambda: xp.stack((M, M[:, :2])), ValueError, "join-shapes", "arrays"),
    (lambda: xp.stack((M, M), axis=3), IndexError, "axis", "axis"),
    (lambda: xp.stack((M, M), axis=-4), IndexError, "axis", "axis"),
    *[
        (lambda f=f, a=a: f((V, a)), TypeError, "promotion", "arrays")
        for f in (xp.concat, xp.stack, lambda t: xp.concat(t, axis=None))
        for a in (xp.zeros(3), BOOL, xp.zeros(3, dtype=xp.uint64))
    ],
    *[
        (call, ValueError, "axis", "axis")
        for call in (
            lambda: xp.flip(M, axis=2),
            lambda: xp.flip(M, axis=(0, -3)),
            lambda: xp.roll(M, 1, axis=10**30),
            lambda: xp.squeeze(M, axis=-3),
            lambda: xp.unstack(Z),
            lambda: xp.unstack(M, axis=2),
            lambda: xp.repeat(Z, 2, axis=0),
            lambda: xp.take(M, V, axis=-3),
            lambda: xp.take_along_axis(M, M, axis=2),
        )
    ],
    (lambda: xp.expand_dims(M, axis=3), IndexError, "axis", "axis"),
    (lambda: xp.expand_dims(M, axis=-4), IndexError, "axis", "axis"),
    (lambda: xp.expand_dims(M, axis=(0, 4)), IndexError, "axis", "axis"),
    (lambda: xp.moveaxis(M, (0, 1), 0), ValueError, "axis-count", "destination"),
    (lambda: xp.permute_dims(M, (0,)), ValueError, "axis-count", "axes"),
    (lambda: xp.permute_dims(M, (0, 2)), ValueError, "axis", "axes"),
    (lambda: xp.squeeze(M, axis=0), ValueError, "squeeze-size", "axis"),
    (lambda: xp.squeeze(xp.zeros((0, 1)), axis=0), ValueError, "squeeze-size", "axis"),
    (lambda: xp.reshape(M, (4,)), ValueError, "reshape-size", "shape"),
    (lambda: xp.reshape(M, ()), ValueError, "reshape-size", "shape"),
    (lambda: xp.reshape(M, (10**30,)), ValueError, "reshape-size", "shape"),
    (lambda: xp.reshape(M, (2**40, 2**40)), ValueError, "reshape-size", "shape"),
    (lambda: xp.reshape(M, (-1, -1)), ValueError, "reshape-infer", "shape"),
    (lambda: xp.reshape(M, (-2, 3)), ValueError, "reshape-infer", "shape"),
    (lambda: xp.reshape(M, (-1, 4)), ValueError, "reshape-infer", "shape"),
    (lambda: xp.reshape(M, (-1, 0)), ValueError, "reshape-infer", "shape"),
    (lambda: xp.reshape(xp.zeros((0, 2)), (0, -1)), ValueError, "reshape-infer", "shape"),
    (lambda: xp.reshape(xp.zeros(0), (0, 2**62)), ValueError, "shape-too-large", "shape"),
    (lambda: xp.reshape(M.T, (6,), copy=False), ValueError, "copy-needed", "copy"),
    (lambda: xp.roll(M, (1, 1)), ValueError, "axis-count", "axis"),
    (lambda: xp.roll(M, (1, 1), axis=0), ValueError, "axis-count", "axis"),
    (lambda: xp.roll(M, (1,), axis=0), ValueError, "axis-count", "axis"),
    (lambda: xp.roll(M, (1, 1), axis=(0,)), ValueError, "axis-count", "axis"),
    (lambda: xp.tile(V, (-1,)), ValueError, "repetitions", "repetitions"),
    (lambda: xp.tile(V, (2**62,)), ValueError, "shape-too-large", "repetitions"),
    (lambda: xp.tile(V, (2**40, 2**40)), ValueError, "shape-too-large", "repetitions"),
    (lambda: xp.repeat(V, -1), ValueError, "repetitions", "repeats"),
    (lambda: xp.repeat(V, 2**63), ValueError, "shape-too-large", "repeats"),
    (lambda: xp.repeat(V, 10**30), ValueError, "shape-too-large", "repeats"),
    (lambda: xp.repeat(V, xp.asarray([1, -1, 1])), ValueError, "repetitions", "repeats"),
    (lambda: xp.repeat(V, xp.asarray([1, 2])), ValueError, "repetitions", "repeats"),
    (lambda: xp.repeat(V, xp.asarray([2**62] * 3)), ValueError, "shape-too-large", "repeats"),
    (lambda: xp.repeat(V, xp.asarray([2**63 + 1] * 3, dtype=xp.uint64)), ValueError, "shape-too-large", "repeats"),
    (lambda: xp.repeat(V, Z), ValueError, "exactly-1d", "repeats"),
    (lambda: xp.repeat(V, xp.ones((1, 1), dtype=xp.int8)), ValueError, "exactly-1d", "repeats"),
    (lambda: xp.take(M, V), ValueError, "axis-required", "axis"),
    (lambda: xp.take(Z, V, axis=0), ValueError, "at-least-1d", "x"),
    (lambda: xp.take(V, M), ValueError, "exactly-1d", "indices"),
    (lambda: xp.take(V, Z), ValueError, "exactly-1d", "indices"),
    (lambda: xp.take(V, xp.asarray([3])), IndexError, "index-bounds", "indices"),
    (lambda: xp.take(V, xp.asarray([0, -4])), IndexError, "index-bounds", "indices"),
    (lambda: xp.take(V, xp.asarray([2**64 - 1], dtype=xp.uint64)), IndexError, "index-bounds", "indices"),
    (lambda: xp.take(xp.zeros(0), xp.asarray([0])), IndexError, "index-bounds", "indices"),
    (lambda: xp.take(xp.zeros((3, 0)), xp.asarray([3]), axis=0), IndexError, "index-bounds", "indices"),
    (lambda: xp.take_along_axis(Z, Z), ValueError, "at-least-1d", "x"),
    (lambda: xp.take_along_axis(M, V), ValueError, "axis-count", "indices"),
    (lambda: xp.take_along_axis(M, xp.zeros((3, 1), dtype=xp.int64)), ValueError, "broadcast", "indices"),
    (lambda: xp.take_along_axis(M, M), IndexError, "index-bounds", "indices"),
    (
        lambda: xp.take_along_axis(xp.zeros((2, 0)), xp.zeros((2, 1), dtype=xp.int64)),
        IndexError,
        "index-bounds",
        "indices",
    ),
    (lambda: xp.matrix_transpose(V), ValueError, "at-least-2d", "x"),
    (lambda: xp.broadcast_to(M, (3, 3)), ValueError, "broadcast", "shape"),
    (lambda: xp.broadcast_to(M, (3,)), ValueError, "broadcast", "shape"),
    (lambda: xp.broadcast_to(V, (2**61, 3)), ValueError, "shape-too-large", "shape"),
    (lambda: xp.broadcast_arrays(M, xp.zeros(2)), ValueError, "broadcast", "arrays"),
    # tensordot and vecdot
    (lambda: xp.tensordot(M, M, axes=-1), ValueError, "axis-count", "axes"),
    (lambda: xp.tensordot(M, M, axes=3), ValueError, "axis-count", "axes"),
    (lambda: xp.tensordot(M, M, axes=1), ValueError, "contraction", "axes"),
    (lambda: xp.tensordot(M, xp.ones((1, 3), dtype=xp.int64), axes=((0,), (0,))), ValueError, "contraction", "axes"),
    (lambda: xp.tensordot(M, M, axes=((0, 1), (0,))), ValueError, "axis-count", "axes"),
    (lambda: xp.tensordot(M, M, axes=((2,), (0,))), ValueError, "axis", "axes"),
    *[(lambda a=a: xp.vecdot(M, M, axis=a), IndexError, "axis", "axis") for a in (0, 1, -3, 10**30)],
    (lambda: xp.vecdot(M, V, axis=-2), ValueError, "axis", "axis"),
    (lambda: xp.vecdot(Z, V), ValueError, "at-least-1d", "x1"),
    (lambda: xp.vecdot(V, Z), ValueError, "at-least-1d", "x2"),
    (lambda: xp.vecdot(M, xp.ones((2, 1), dtype=xp.int64)), ValueError, "contraction", "x2"),
    (lambda: xp.vecdot(xp.zeros((2, 3)), xp.zeros((4, 3))), ValueError, "broadcast", "x2"),
]


@pytest.mark.parametrize("case", range(len(REFUSED)))
def test_refusals(case):
    call, exception, rule, argument = REFUSED[case]
    with pytest.raises(exception) as error:
        call()
    assert (error.value.rule, error.value.argument) == (rule, argument), error.value


def test_an_array_of_counts_depends_on_data():
    with flags(data_dependent_shapes=False):
        with pytest.raises(RuntimeError, match="data_dependent_shapes") as error:
            xp.repeat(V, V)
        assert error.value.rule == "flag-off"
        assert_same(xp.repeat(V, 2), np.repeat(np.arange(3), 2))
    assert_same(xp.repeat(V, xp.asarray([2], dtype=xp.uint64)), np.repeat(np.arange(3), 2))
    assert_same(xp.repeat(M, xp.asarray([0, 40], dtype=xp.int8), axis=0), np.repeat(NP, [0, 40], axis=0))


def test_out_of_memory_is_an_exception():
    with pytest.raises(MemoryError):
        xp.repeat(xp.zeros(1, dtype=xp.int8), 2**55)
    with pytest.raises(MemoryError):
        xp.unstack(xp.broadcast_to(xp.zeros(1), (2**50,)))


# ---- versions --------------------------------------------------------------------------------------------------------

LATER = [
    # (call, the first version that has it)
    (lambda: xp.expand_dims(M, axis=(0, 1)), "2025.12"),
    (lambda: xp.permute_dims(M, (-1, 0)), "2025.12"),
    (lambda: xp.tensordot(M, M, axes=((-1,), (1,))), "2023.12"),
]
VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")


@pytest.mark.parametrize(("case", "version"), list(itertools.product(range(len(LATER)), VERSIONS)))
def test_later_behaviour_is_refused_before(case, version):
    call, since = LATER[case]
    with flags(api_version=version):
        if version >= since:
            call()
            return
        with pytest.raises(TypeError, match=since) as error:
            call()
        assert error.value.rule == "later-behaviour"


@pytest.mark.parametrize("version", VERSIONS)
def test_broadcast_arrays_returned_a_list(version):
    with flags(api_version=version):
        assert type(xp.broadcast_arrays(M, V)) is (tuple if version >= "2025.12" else list)


@pytest.mark.parametrize("version", VERSIONS)
def test_vecdot_along_the_broadcast_shape_before_2023(version):
    x, y = xp.ones((3, 2, 4)), xp.ones((1, 2, 4))
    with flags(api_version=version):
        assert_same(xp.vecdot(x, y, axis=-2), np.full((3, 4), 2.0))
        if version >= "2023.12":
            with pytest.raises(ValueError, match="-1"):
                xp.vecdot(x, y, axis=1)
            return
        assert_same(xp.vecdot(x, y, axis=1), np.full((3, 4), 2.0))
        # The axis is that of the longer shape: here the last of both.
        assert_same(xp.vecdot(x, xp.ones(4), axis=2), np.full((3, 2), 4.0))
        with pytest.raises(ValueError, match="same size"):
            xp.vecdot(x, y, axis=0)
        with pytest.raises(ValueError, match="same size"):
            xp.vecdot(x, xp.ones(4), axis=0)
        with pytest.raises(IndexError):
            xp.vecdot(x, y, axis=3)


# ---- products --------------------------------------------------------------------------------------------------------

TENSORDOT = [
    ((2, 3, 4), (3, 4, 5), 2),
    ((2, 3), (3, 2), 1),
    ((2, 3), (4,), 0),
    ((), (), 0),
    ((), (2, 2), 0),
    ((2, 3), (2, 3), 0),
    ((2, 3, 4), (4, 3, 5), ((1, 2), (1, 0))),
    ((2, 3, 4), (4, 3, 5), ([-1, -2], range(2))),
    ((2, 3, 4), (2, 3, 4), ((0, 1, 2), (0, 1, 2))),
    ((2, 3, 4), (2, 3, 4), ((), ())),
    ((0, 3), (3, 2), 1),
    ((2, 0), (0, 3), 1),
    ((2, 0, 3), (0, 3), 2),
    ((50, 60), (60, 70), 1),
    ((4, 5, 6), (5, 4, 7), ((0, 1), (1, 0))),
]


@pytest.mark.parametrize(("shape1", "shape2", "axes"), TENSORDOT)
@pytest.mark.parametrize("dt", ["int8", "uint64", "int64", "float32", "float64", "complex64", "complex128"])
def test_tensordot(shape1, shape2, axes, dt):
    a, b = (np.resize(sample(dt, (11,)), shape) for shape in (shape1, shape2))
    expected = np.tensordot(a, b, axes=tuple(map(list, axes)) if isinstance(axes, tuple) else axes)
    # Small multiples of 1/4: every sum is exact in any order, but for the wrapped ones, which wrap alike.
    assert_same(xp.tensordot(own(a), own(b), axes=axes), expected.astype(dt))
    for layout in ("F", "backwards"):
        x, y = from_np(LAYOUTS[layout](a)), from_np(LAYOUTS[layout](b))
        assert_same(xp.tensordot(x, y, axes=axes), expected.astype(dt))


VECDOT = [
    ((3,), (3,), -1),
    ((0,), (0,), -1),
    ((2, 3), (3,), -1),
    ((2, 3, 4), (3, 4), -2),
    ((2, 1, 4), (3, 4), -1),
    ((5, 0), (1, 0), -1),
    ((0, 4), (1, 4), -1),
    ((16, 2), (16, 2), -2),
    ((17,), (17,), -1),
    ((3, 31), (3, 31), -1),
    ((4096 + 7,), (4096 + 7,), -1),
]


@pytest.mark.parametrize(("shape1", "shape2", "axis"), VECDOT)
@pytest.mark.parametrize("dt", ["int8", "uint64", "int64", "float32", "float64", "complex64", "complex128"])
def test_vecdot(shape1, shape2, axis, dt):
    a, b = (sample(dt, s) for s in (shape1, shape2))
    if len(shape1) == 1 and shape1[0] > 100:
        a, b = (
            a % 4 if dt[0] in "iu" else np.sign(a.real).astype(dt),
            b % 4 if dt[0] in "iu" else np.sign(b.real).astype(dt),
        )
    expected = np.vecdot(a, b, axis=axis)
    assert_same(xp.vecdot(own(a), own(b), axis=axis), expected.astype(dt))


@pytest.mark.parametrize("dt", [*REAL_FLOATING, "complex64", "complex128"])
@pytest.mark.parametrize("n", [3, 16, 17, 40, 1000, 9001])
def test_dot_products_are_accurate_and_the_same_for_every_layout(dt, n):
    rng = np.random.default_rng(n)
    a, b = rng.standard_normal((2, 3, n)).astype(dt)
    if "complex" in dt:
        a, b = a + 1j * np.flip(a).copy(), b - 1j * np.flip(b).copy()
    a, b = a.astype(dt), b.astype(dt)
    wide = np.complex256 if "complex" in dt else np.longdouble
    exact = (a.astype(wide).conj() * b.astype(wide)).sum(axis=-1)
    size = (abs(a.astype(wide)) * abs(b.astype(wide))).sum(axis=-1)
    first = to_np(xp.vecdot(own(a), own(b)))
    limit = 4 * (np.log2(n) + 4) * np.finfo(dt).eps
    assert (abs(first - exact) <= limit * size).all()
    for layout in LAYOUTS.values():
        x, y = from_np(layout(a)), from_np(layout(b))
        assert to_np(xp.vecdot(x, y)).tobytes() == first.tobytes()
        moved = xp.vecdot(xp.matrix_transpose(x), xp.matrix_transpose(y), axis=-2)
        assert to_np(moved).tobytes() == first.tobytes()
    flat = to_np(xp.tensordot(own(a), own(b), axes=2))
    for layout in LAYOUTS.values():
        assert to_np(xp.tensordot(from_np(layout(a)), from_np(layout(b)), axes=2)).tobytes() == flat.tobytes()


def test_products_promote():
    x, y = xp.ones(3, dtype=xp.int8), xp.ones(3, dtype=xp.uint8)
    assert xp.vecdot(x, y).dtype == xp.int16
    assert xp.tensordot(x, y, axes=1).dtype == xp.int16
    z = xp.ones(3, dtype=xp.complex64) * 1j
    assert xp.vecdot(z, xp.ones(3, dtype=xp.float32)) == xp.asarray(-3j, dtype=xp.complex64)
    assert xp.vecdot(xp.ones(3), z).dtype == xp.complex128
    assert xp.tensordot(z, z, axes=1) == xp.asarray(-3 + 0j, dtype=xp.complex64)
