"""The extension `fft`: sizes, axes, norms, devices, versions. Values: crates/strictarray-kernels/tests/fft.rs, which has the
definition in twice the precision, and test_against_numpy.py."""

import itertools
import math
import subprocess
import sys
import threading

import numpy as np
import pytest
from support import DEFAULT_DTYPES, DEVICE_NAMES, MISSING_DTYPES, dtype_name, flags, from_np, own, to_np

import strictarray as xp

COMPLEX = ("fft", "ifft", "irfft", "hfft")
REAL = ("rfft", "ihfft")
HALF = ("irfft", "hfft", "irfftn")
ONE_AXIS = (*COMPLEX, *REAL)
SEVERAL = ("fftn", "ifftn", "rfftn", "irfftn")
NORMS = ("backward", "ortho", "forward")
WIDER = {"float32": "float64", "float64": "longdouble", "complex64": "complex128", "complex128": "clongdouble"}


def signal(name, shape, double=True, seed=0):
    rng = np.random.default_rng(seed)
    a = rng.standard_normal(shape)
    if name in (*REAL, "rfftn"):
        return a.astype("float64" if double else "float32")
    return (a + 1j * rng.standard_normal(shape)).astype("complex128" if double else "complex64")


def relative_error(got, want):
    """Of all elements together, in units of the precision."""
    g = to_np(got)
    assert g.shape == want.shape
    eps = np.finfo(g.dtype).eps
    return float(np.sqrt(np.sum(np.abs(g - want) ** 2) / np.sum(np.abs(want) ** 2))) / eps


def refuse(rule, f, *args, argument=None, **kwargs):
    with pytest.raises(Exception) as e:
        f(*args, **kwargs)
    assert getattr(e.value, "rule", None) == rule, repr(e.value)
    assert argument is None or e.value.argument == argument
    return e.value


# --- values ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("double", [False, True])
@pytest.mark.parametrize("name", ONE_AXIS)
def test_every_combination_of_arguments(name, double):
    ours, theirs = getattr(xp.fft, name), getattr(np.fft, name)
    a = signal(name, (5, 6, 4), double)
    wide = a.astype(WIDER[a.dtype.name])
    for n, axis, norm in itertools.product((None, 1, 2, 4, 5, 6, 7, 12), (0, 1, 2, -1, -2, -3), NORMS):
        got = ours(from_np(a), n=n, axis=axis, norm=norm)
        want = theirs(wide, n=n, axis=axis, norm=norm)
        assert dtype_name(got.dtype) == {"f": "float", "c": "complex"}[want.dtype.kind] + str(
            (64 if double else 32) * (2 if want.dtype.kind == "c" else 1)
        )
        assert relative_error(got, want) < 2


@pytest.mark.parametrize("double", [False, True])
@pytest.mark.parametrize("name", SEVERAL)
def test_every_combination_of_axes(name, double):
    ours, theirs = getattr(xp.fft, name), getattr(np.fft, name)
    a = signal(name, (4, 3, 5), double)
    wide = a.astype(WIDER[a.dtype.name])
    choices = [None, *(axes for k in (1, 2, 3) for axes in itertools.permutations(range(-1, 2), k))]
    for axes, norm in itertools.product(choices, NORMS):
        for s in [None] if axes is None else [None, (6, 2, 7)[: len(axes)], (3, 5, 1)[: len(axes)]]:
            got = ours(from_np(a), s=s, axes=axes, norm=norm)
            assert relative_error(got, theirs(wide, s=s, axes=axes, norm=norm)) < 2.5


@pytest.mark.parametrize("n", [17, 61, 127, 1009, 10_007, 20_011, 65_536])
def test_single_precision_costs_one_rounding(n):
    """They are computed in double precision: what is left is the rounding of the result, at most half a unit."""
    for name in ONE_AXIS:
        a = signal(name, n, double=False)
        want = getattr(np.fft, name)(a.astype(WIDER[a.dtype.name]))
        assert relative_error(getattr(xp.fft, name)(from_np(a)), want) < 0.3, name


@pytest.mark.parametrize("n", [1, 2, 3, 16, 31, 1000, 1009])
@pytest.mark.parametrize("norm", NORMS)
def test_there_and_back_again(n, norm):
    z, x = from_np(signal("fft", (3, n))), from_np(signal("rfft", (3, n)))
    # Errors grow with the logarithm; a large prime has a transform of another length inside.
    limit = 0.7 * (math.log2(3 * n) + 2)
    for there, back, of in (("fft", "ifft", z), ("ifft", "fft", z), ("rfft", "irfft", x), ("ihfft", "hfft", x)):
        half = {} if of is z else {"n": n}
        again = getattr(xp.fft, back)(getattr(xp.fft, there)(of, norm=norm), norm=norm, **half)
        assert relative_error(again, to_np(of)) < limit
    for there, back, of in (("fftn", "ifftn", z), ("rfftn", "irfftn", x)):
        sizes = {} if of is z else {"s": (3, n), "axes": (0, 1)}
        again = getattr(xp.fft, back)(getattr(xp.fft, there)(of, norm=norm), norm=norm, **sizes)
        assert relative_error(again, to_np(of)) < limit


def test_imaginary_parts_that_a_half_can_not_have_are_not_looked_at():
    half = np.asarray([1 + 5j, 2 - 1j, 3 + 7j])
    even = np.fft.irfft([1, 2 - 1j, 3], n=4)
    np.testing.assert_allclose(to_np(xp.fft.irfft(own(half))), even, rtol=1e-15)
    # Of an odd number of elements the last one is no mirror image of itself.
    odd = np.fft.irfft([1, 2 - 1j, 3 + 7j], n=5)
    np.testing.assert_allclose(to_np(xp.fft.irfft(own(half), n=5)), odd, rtol=1e-14)


@pytest.mark.parametrize("name", [*ONE_AXIS, *SEVERAL])
def test_arguments_are_left_as_they_were(name):
    a = signal(name, (8, 6))
    for x in (own(a), own(a).T, own(a)[::-1, ::2]):
        before = to_np(x)
        getattr(xp.fft, name)(x)
        np.testing.assert_array_equal(to_np(x), before)


def test_along_no_axis_everything_stays():
    for name in ("fftn", "ifftn"):
        for shape in ((), (2, 3)):
            x = own(signal(name, shape))
            result = getattr(xp.fft, name)(x, axes=())
            np.testing.assert_array_equal(to_np(result), to_np(x))
            assert not np.shares_memory(np.asarray(result), np.asarray(x))
        np.testing.assert_array_equal(to_np(getattr(xp.fft, name)(own(np.asarray(1j)))), 1j)


def test_frequencies():
    np.testing.assert_array_equal(to_np(xp.fft.fftfreq(4)), [0, 0.25, -0.5, -0.25])
    np.testing.assert_array_equal(to_np(xp.fft.fftfreq(5, d=0.2)), [0, 1, 2, -2, -1])
    np.testing.assert_array_equal(to_np(xp.fft.rfftfreq(4, d=2)), [0, 0.125, 0.25])
    np.testing.assert_array_equal(to_np(xp.fft.rfftfreq(5, d=0.2)), [0, 1, 2])
    for f in (xp.fft.fftfreq, xp.fft.rfftfreq):
        np.testing.assert_array_equal(to_np(f(1)), [0])
    # The frequency of each element is where an exponential of it has its peak.
    n = 9
    for k, frequency in enumerate(to_np(xp.fft.fftfreq(n))):
        peak = to_np(xp.fft.fft(own(np.exp(2j * np.pi * frequency * np.arange(n)))))
        assert int(np.argmax(np.abs(peak))) == k


@pytest.mark.parametrize("n", [1, 2, 3, 8, 9])
def test_shifts_are_inverse_to_each_other_and_put_0_into_the_middle(n):
    f = xp.fft.fftfreq(n)
    middle = to_np(xp.fft.fftshift(f))
    assert middle[n // 2] == 0 and np.all(np.diff(middle) > 0)
    np.testing.assert_array_equal(to_np(xp.fft.ifftshift(xp.fft.fftshift(f))), to_np(f))


# --- sizes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ONE_AXIS)
def test_a_transform_needs_an_element(name):
    f = getattr(xp.fft, name)
    refuse("transform-size", f, own(signal(name, (3, 4))), n=0, argument="n")
    refuse("value", f, own(signal(name, (3, 4))), n=-1, argument="n")
    refuse("transform-empty", f, own(signal(name, (3, 0))), argument="x")
    if name in HALF:
        # Of a half of one element the whole may have one or none.
        error = refuse("transform-empty", f, own(signal(name, (3, 1))), argument="x")
        assert "got size 1 along axis 1, the half of none" in str(error)
        assert f(own(signal(name, (3, 1))), n=1).shape == (3, 1)
    # No lanes, and lanes that are all padding.
    assert f(own(signal(name, (0, 4)))).shape[0] == 0
    padded = f(own(signal(name, (2, 0))), n=4)
    assert padded.shape == (2, 3 if name in REAL else 4) and not np.any(to_np(padded))
    refuse("axis", f, own(signal(name, ())), argument="axis")
    refuse("axis", f, own(signal(name, (2, 3))), axis=2, argument="axis")


@pytest.mark.parametrize("name", ONE_AXIS)
def test_without_lanes_no_plan_is_paid_for(name):
    f, n = getattr(xp.fft, name), 2**46
    assert f(own(signal(name, (0, 4))), n=n).shape == (0, n // 2 + 1 if name in REAL else n)


@pytest.mark.parametrize("name", SEVERAL)
def test_sizes_of_several_axes(name):
    f, x = getattr(xp.fft, name), own(signal(name, (3, 4)))
    half = name == "rfftn"
    for s, axes in (([5, 6], [0, 1]), ((5, 6), (0, 1)), (range(5, 7), range(2))):
        assert f(x, s=s, axes=axes).shape == (5, 4 if half else 6)
    # -1 is the size of x, and no other negative number is one.
    assert f(x, s=(-1, 6), axes=(0, 1)).shape == (3, 4 if half else 6)
    refuse("transform-size", f, x, s=(-2, 6), axes=(0, 1), argument="s")
    refuse("transform-size", f, x, s=(0, 6), axes=(0, 1), argument="s")
    refuse("transform-empty", f, own(signal(name, (0, 4))), argument="x")
    refuse("transform-empty", f, own(signal(name, (0, 4))), s=(-1, 4), axes=(0, 1), argument="x")
    if name == "irfftn":
        error = refuse("transform-half", f, x, s=(3, -1), axes=(0, 1), argument="s")
        assert "2 * (size - 1)" in str(error)
    else:
        assert f(x, s=(3, -1), axes=(0, 1)).shape == (3, 3 if half else 4)
    refuse("sizes-without-axes", f, x, s=(3, 4), argument="axes")
    refuse("axis-count", f, x, s=(3,), axes=(0, 1), argument="s")
    refuse("axis-repeated", f, x, axes=(1, -1), argument="axes")
    refuse("axis", f, x, axes=(0, 2), argument="axes")
    for axes in (0, "0", {0}, np.arange(2), xp.asarray([0]), iter((0, 1))):
        refuse("axes-type", f, x, axes=axes, argument="axes")
    if name in ("rfftn", "irfftn"):
        refuse("axis-count", f, x, axes=(), argument="axes")
        refuse("axis-count", f, own(signal(name, ())), argument="x")


@pytest.mark.parametrize("name", ONE_AXIS)
def test_results_that_are_too_large(name):
    x = own(signal(name, (2, 4)))
    for n, rule in ((2**48, "out-of-memory"), (2**62, "shape-too-large"), (2**70, "shape-too-large")):
        refuse(rule, getattr(xp.fft, name), x, n=n, argument="n")


# --- data types, versions, devices ----------------------------------------------------------------------------------


@pytest.mark.parametrize("device", DEVICE_NAMES)
def test_results_stay_on_the_device_in_its_dtypes(device):
    at = xp.Device(device)
    for name in (*ONE_AXIS, *SEVERAL):
        for double in (False, True):
            a = signal(name, (4, 4), double)
            if a.dtype.name in MISSING_DTYPES[device]:
                continue
            result = getattr(xp.fft, name)(from_np(a, device))
            assert result.device == at
            assert dtype_name(result.dtype) not in MISSING_DTYPES[device]
            assert np.finfo(to_np(result).dtype).eps == np.finfo(a.dtype).eps
    for f in (xp.fft.fftfreq, xp.fft.rfftfreq):
        assert dtype_name(f(4, device=at).dtype) == DEFAULT_DTYPES[device]["real floating"]
        assert f(4, device=at).device == at
        if "float64" in MISSING_DTYPES[device]:
            refuse("device-dtype", f, 4, dtype=xp.float64, device=at, argument="dtype")


TAKE_REAL = ("fft", "ifft", "fftn", "ifftn", "hfft")


@pytest.mark.parametrize("name", [*ONE_AXIS, *SEVERAL])
def test_real_arrays_in_the_first_version(name):
    f = getattr(xp.fft, name)
    for dt in ("float32", "float64", "int64", "bool"):
        x = own(np.ones(4, dt))
        with flags(api_version="2022.12"):
            if name in TAKE_REAL and dt.startswith("float"):
                as_complex = xp.astype(x, xp.complex64 if dt == "float32" else xp.complex128)
                np.testing.assert_array_equal(to_np(f(x)), to_np(f(as_complex)))
                assert f(x).dtype == f(as_complex).dtype
            elif name not in (*REAL, "rfftn") or not dt.startswith("float"):
                refuse("dtype-kind", f, x, argument="x")
        if name not in (*REAL, "rfftn"):
            refuse("dtype-kind", f, x, argument="x")
            with flags(api_version="2023.12"):
                refuse("dtype-kind", f, x, argument="x")
    if name in (*REAL, "rfftn"):
        for version in ("2022.12", "2025.12"):
            with flags(api_version=version):
                refuse("dtype-kind", f, own(np.ones(4, "complex128")), argument="x")


def test_results_are_of_the_namespace_that_was_asked():
    x = own(signal("fft", 4))
    ns = x.__array_namespace__(api_version="2022.12")
    assert ns.fft.fft(x).__array_namespace__().__array_api_version__ == xp.__array_api_version__
    with pytest.raises(TypeError) as e:
        ns.fft.fftfreq(4, dtype=xp.float32)
    assert e.value.rule == "later-argument"
    assert ns.fft.fft(own(np.ones(3))).dtype == xp.complex128


# --- threads --------------------------------------------------------------------------------------------------------


def test_many_threads_and_more_lengths_than_are_kept():
    """What is computed once for a length is kept for some lengths, for all threads."""
    lengths = range(1, 150)
    signals = [signal("fft", n) for n in lengths]
    want = [to_np(xp.fft.fft(own(a))) for a in signals]
    wrong = []

    def work(start):
        for i in range(len(signals)):
            k = (start + 7 * i) % len(signals)
            if to_np(xp.fft.fft(own(signals[k]))).tobytes() != want[k].tobytes():
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(31 * i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


MEMORY = """
import resource
import strictarray as xp
x = xp.zeros(1_000_003, dtype=xp.complex128)
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + 2**26,) * 2)
try:
    xp.fft.fft(x)
except MemoryError as error:
    assert error.rule == "out-of-memory", error
else:
    raise AssertionError("there was memory")
"""


def test_too_little_memory_for_a_plan_is_an_error_and_not_the_end():
    """A prime length takes several times its own memory, for which the library would end the process."""
    subprocess.run([sys.executable, "-c", MEMORY], check=True, timeout=300)
