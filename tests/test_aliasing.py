"""In-place operators and assignment on memory that reached us by several ways: as if the operand had been copied first."""

import operator

import numpy as np
import pytest
from support import assert_same

import strictarray as xp

WAYS = {
    "from_dlpack": xp.from_dlpack,
    "asarray": xp.asarray,
    "memoryview": lambda a: xp.asarray(memoryview(a)),
    "there and back": lambda a: xp.from_dlpack(np.from_dlpack(xp.from_dlpack(a))),
}
SLICES = {
    "shifted right": (np.s_[1:], np.s_[:-1]),
    "shifted left": (np.s_[:-1], np.s_[1:]),
    "reversed": (np.s_[:], np.s_[::-1]),
    "every second": (np.s_[::2], np.s_[1::2]),
    "the same": (np.s_[:], np.s_[:]),
}
OPERATORS = [operator.iadd, operator.isub, operator.imul, operator.ifloordiv, operator.ipow]


@pytest.mark.parametrize("op", OPERATORS, ids=lambda op: op.__name__)
@pytest.mark.parametrize("slices", SLICES)
@pytest.mark.parametrize("right", WAYS)
@pytest.mark.parametrize("left", WAYS)
@pytest.mark.parametrize("n", [8, 100_000])
def test_in_place_across_separate_imports(left, right, slices, op, n):
    memory = np.arange(1, n + 1, dtype="int64") % 7
    to, from_ = SLICES[slices]
    expected = memory.copy()
    expected[to] = op(expected[to].copy(), expected[from_].copy())
    x, y = WAYS[left](memory[to]), WAYS[right](memory[from_])
    op(x, y)
    np.testing.assert_array_equal(memory, expected)


@pytest.mark.parametrize("slices", SLICES)
def test_assignment_across_separate_imports(slices):
    memory = np.arange(100.0)
    to, from_ = SLICES[slices]
    expected = memory.copy()
    expected[to] = expected[from_].copy()
    xp.from_dlpack(memory[to])[...] = xp.asarray(memory[from_])
    np.testing.assert_array_equal(memory, expected)


def test_rows_and_transposes():
    memory = np.arange(16.0).reshape(4, 4)
    expected = memory.copy()
    expected[1:] += expected[:-1].copy()
    expected += expected.T.copy()
    x, y = xp.asarray(memory[1:]), xp.from_dlpack(memory[:-1])
    x += y
    whole = xp.asarray(memory)
    whole += xp.from_dlpack(memory).T
    assert_same(whole, expected)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("part", ["real", "imag"])
def test_parts_of_complex_arrays_are_views(part, dtype):
    z = np.arange(12).astype(dtype).reshape(3, 4) * (1 + 2j)
    for view in (z, z.T, z[::-1, ::2], z[:0], z[1, 2, ...]):
        x = xp.asarray(view)
        assert_same(getattr(xp, part)(x), getattr(view, part).copy())
    x = xp.asarray(z)
    getattr(xp, part)(x)[0, 0] = 99.0
    assert getattr(z[0, 0], part) == 99.0
    # And no such view reaches across to another device, or makes read-only memory writable.
    moved = getattr(xp, part)(x.to_device(xp.Device("device1")))
    moved[0, 0] = -1.0
    assert getattr(z[0, 0], part) == 99.0
    z.flags.writeable = False
    with pytest.raises(ValueError):
        getattr(xp, part)(xp.asarray(z))[0, 0] = 1.0
