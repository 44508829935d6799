"""The helpers of array_api_extra.testing on our arrays."""

import subprocess
import sys
import textwrap

import array_api_extra as xpx
import array_api_extra.testing as testing
import numpy as np
import pytest

import strictarray as xp

X = (1.0, 2.0, 3.0)


def scaled(x):
    """A function under test."""
    return x / xp.max(x)


testing.lazy_xp_function(scaled)


class TestAssertions:
    def test_equal(self):
        testing.assert_equal(xp.asarray(X) * 2, xp.asarray([2.0, 4.0, 6.0]), xp=xp)
        with pytest.raises(AssertionError, match="Mismatched elements: 1 / 3"):
            testing.assert_equal(xp.asarray(X), xp.asarray([1.0, 2.0, 4.0]))

    def test_close(self):
        testing.assert_close(xp.asarray(X) + 1e-12, xp.asarray(X), xp=xp)
        with pytest.raises(AssertionError, match="Not equal to tolerance"):
            testing.assert_close(xp.asarray(X) + 1e-6, xp.asarray(X))

    def test_less(self):
        testing.assert_less(xp.asarray(X), xp.asarray(X) + 1)
        with pytest.raises(AssertionError):
            testing.assert_less(xp.asarray(X), xp.asarray(X))

    def test_nulp(self):
        one = xp.asarray([1.0])
        testing.assert_close_nulp(one, xp.nextafter(one, one + 1))
        with pytest.raises(AssertionError):
            testing.assert_close_nulp(one, one + 1e-12)

    @pytest.mark.parametrize(
        ("other", "text"),
        [
            (lambda: np.asarray(X), "Namespaces of actual and desired arrays do not match"),
            (lambda: xp.asarray(X, dtype=xp.float32), "dtypes do not match"),
            (lambda: xp.asarray([X]), "shapes do not match"),
            (lambda: xp.asarray(X, device=xp.Device("device1")), "Devices do not match"),
        ],
    )
    def test_what_is_checked_before_values(self, other, text):
        with pytest.raises(AssertionError, match=text):
            testing.assert_equal(xp.asarray(X), other())

    def test_other_devices_are_not_read_silently(self):
        """The helpers transfer arrays of the namespace array_api_strict only, which is the stand-in's name."""
        x = xp.asarray(X, device=xp.Device("device1"))
        with pytest.raises(RuntimeError, match="explicit transfer"):
            testing.assert_equal(x, x)


def test_lazy_function_runs_as_it_is(request, monkeypatch):
    """Only Dask's and jax's functions are replaced; ours is the one that was written, by either way of patching."""
    before = scaled
    with testing.patch_lazy_xp_functions(request, xp=xp):
        assert scaled is before
        testing.assert_equal(scaled(xp.asarray(X)), xp.asarray(X) / 3)


@pytest.mark.parametrize(
    ("name", "got", "expected"),
    [
        ("isclose", lambda x: xpx.isclose(x, x + 1e-12), [True] * 3),
        ("atleast_nd", lambda x: xpx.atleast_nd(x, ndim=2), [X]),
        ("at", lambda x: xpx.at(x)[1].set(7.0), [1.0, 7.0, 3.0]),
        ("cov", lambda x: xpx.cov(x), 1.0),
        ("kron", lambda x: xpx.kron(x, x[:1]), X),
        ("pad", lambda x: xpx.pad(x, 1), [0.0, *X, 0.0]),
        ("setdiff1d", lambda x: xpx.setdiff1d(x, x[:1]), X[1:]),
    ],
)
@pytest.mark.parametrize("dev", ["CPU_DEVICE", "device1"])
def test_functions(name, got, expected, dev):
    device = xp.Device(dev)
    result = got(xp.asarray(X, device=device))
    assert isinstance(result, type(xp.empty(0)))
    assert result.device == device
    np.testing.assert_allclose(np.asarray(result.to_device(xp.CPU_DEVICE)), np.asarray(expected), rtol=1e-15)


def test_helpers_on_every_device_of_the_stand_in():
    program = textwrap.dedent("""
        from strictarray import stand_in
        xp = stand_in.install()
        import array_api_extra.testing as testing

        for name in ("CPU_DEVICE", "device1", "device2"):
            x = xp.asarray([1.0, 2.0], device=xp.Device(name))
            testing.assert_equal(x + x, x * 2, xp=xp)
            testing.assert_close(x + 1e-12, x, xp=xp)
            testing.assert_less(x, x + 1, xp=xp)
            try:
                testing.assert_equal(x, x + 1)
            except AssertionError as error:
                assert "Mismatched elements: 2 / 2" in str(error)
            else:
                raise SystemExit("not noticed")
        print("on all")
    """)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "on all", done.stderr
