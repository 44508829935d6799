"""einops.array_api on our arrays.

It calls functions of the standard with lists for shapes and axes, where the standard has tuples: strictarray refuses them,
and the stand-in, which lets lists pass, computes them.
"""

import subprocess
import sys
import textwrap

import einops
import einops.array_api
import numpy as np
import pytest

import strictarray as xp

DATA = np.arange(24.0).reshape(2, 3, 4)
PATTERNS = {
    "rearrange": ("a b c -> (c a) b", {}),
    "rearrange to fewer": ("a b c -> (a b c)", {}),
    "rearrange to more": ("a (b1 b2) c -> b2 a b1 c", {"b1": 3}),
    "repeat": ("a b c -> a (r b) c", {"r": 2}),
}


@pytest.mark.parametrize("name", PATTERNS)
def test_lists_are_refused(name):
    pattern, sizes = PATTERNS[name]
    with pytest.raises(TypeError, match="got an object of type list"):
        getattr(einops.array_api, name.split()[0])(xp.asarray(DATA), pattern, **sizes)


def test_pack_and_unpack_are_by_the_standard():
    device = xp.Device("device1")
    x = xp.asarray(DATA, device=device)
    packed, shapes = einops.array_api.pack([x, x[:, 0, :]], "a * c")
    expected, _ = einops.pack([DATA, DATA[:, 0]], "a * c")
    assert packed.device == device
    np.testing.assert_array_equal(np.asarray(packed.to_device(xp.CPU_DEVICE)), expected)
    for part, whole in zip(einops.array_api.unpack(packed, shapes, "a * c"), (x, x[:, 0, :]), strict=True):
        assert part.device == device
        assert part.shape == whole.shape
        assert xp.all(part == whole)


def test_all_patterns_on_the_stand_in():
    """In a process of its own, since the stand-in takes the name of a package that others import here."""
    program = textwrap.dedent("""
        from strictarray import stand_in
        xp = stand_in.install()
        import einops, einops.array_api, numpy as np

        data = np.arange(24.0).reshape(2, 3, 4)
        device = xp.Device("device1")
        x = xp.asarray(data, device=device)

        def same(got, expected):
            assert type(got) is type(x), type(got)
            assert got.device == device
            np.testing.assert_array_equal(np.asarray(got.to_device(xp.Device("CPU_DEVICE"))), expected)

        for name, pattern, sizes in [
            ("rearrange", "a b c -> (c a) b", {}),
            ("rearrange", "a b c -> (a b c)", {}),
            ("rearrange", "a (b1 b2) c -> b2 a b1 c", {"b1": 3}),
            ("repeat", "a b c -> a (r b) c", {"r": 2}),
            ("repeat", "a b c -> a b c r", {"r": 3}),
        ]:
            same(getattr(einops.array_api, name)(x, pattern, **sizes), getattr(einops, name)(data, pattern, **sizes))
        same(einops.array_api.rearrange([x, x], "k a b c -> a (k b) c"), einops.rearrange([data, data], "k a b c -> a (k b) c"))
        for reduction in ("sum", "mean", "max", "min", "prod"):
            same(einops.array_api.reduce(x, "a b c -> c a", reduction), einops.reduce(data, "a b c -> c a", reduction))
        for reduction in ("any", "all"):
            same(einops.array_api.reduce(x > 3, "a b c -> b", reduction), einops.reduce(data > 3, "a b c -> b", reduction))
        print("as NumPy")
    """)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.split("\n")[0] == "as NumPy", done.stderr
