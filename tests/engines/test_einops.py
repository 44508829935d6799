"""einops.array_api on our arrays.

It calls functions of the standard with lists for shapes and axes, where the standard has tuples: strictarray refuses them.
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


def test_the_stand_in_refuses_them_too():
    """In a process of its own, since the stand-in takes the name of a package that others import here. That one refuses lists
    as shapes of `reshape`, too."""
    program = textwrap.dedent("""
        from strictarray import stand_in
        xp = stand_in.install()
        import einops.array_api

        try:
            einops.array_api.rearrange(xp.ones((2, 6)), "a (b c) -> b a c", b=2)
        except TypeError as error:
            print(error.rule)
        packed, shapes = einops.array_api.pack([xp.ones((2, 3)), xp.ones(2)], "a *")
        print(packed.shape, packed.__array_namespace__() is xp)
    """)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.split("\n")[:2] == ["not-a-tuple", "(2, 4) True"], done.stderr
