"""Elementwise functions: values against NumPy, dtypes, devices, layouts, clip, refusals, versions."""

import math

import mpmath
import numpy as np
import pytest
from support import (
    CPU,
    DEVICE_DTYPES,
    FLOATING,
    INTEGER,
    NUMERIC,
    REAL_FLOATING,
    REAL_NUMERIC,
    SIGNED,
    UNSIGNED,
    assert_same,
    device,
    dtype,
    flags,
    from_np,
    own,
    sample,
    to_np,
)

import strictarray as xp

D1 = xp.Device("device1")

# Name: NumPy's function, dtypes, where it is exact.
UNARY_EXACT = {
    "ceil": (np.ceil, REAL_NUMERIC),
    "floor": (np.floor, REAL_NUMERIC),
    "trunc": (np.trunc, REAL_NUMERIC),
    "round": (np.round, NUMERIC),
    "conj": (np.conj, NUMERIC),
    "real": (np.real, NUMERIC),
    "imag": (np.imag, ("complex64", "complex128")),
    "isfinite": (np.isfinite, NUMERIC),
    "isinf": (np.isinf, NUMERIC),
    "isnan": (np.isnan, NUMERIC),
    "logical_not": (np.logical_not, ("bool",)),
    "sign": (np.sign, REAL_NUMERIC),
    "signbit": (np.signbit, REAL_FLOATING),
    "sqrt": (np.sqrt, REAL_FLOATING),
    "square": (np.square, REAL_NUMERIC),
    "reciprocal": (np.reciprocal, REAL_FLOATING),
}
BINARY_EXACT = {
    "copysign": (np.copysign, REAL_FLOATING),
    "logical_and": (np.logical_and, ("bool",)),
    "logical_or": (np.logical_or, ("bool",)),
    "logical_xor": (np.logical_xor, ("bool",)),
    "maximum": (np.maximum, REAL_NUMERIC),
    "minimum": (np.minimum, REAL_NUMERIC),
    "nextafter": (np.nextafter, REAL_FLOATING),
}
# Name: NumPy's function and an interval of arguments.
UNARY_CLOSE = {
    "acos": (np.arccos, -1, 1),
    "acosh": (np.arccosh, 1, 50),
    "asin": (np.arcsin, -1, 1),
    "asinh": (np.arcsinh, -50, 50),
    "atan": (np.arctan, -50, 50),
    "atanh": (np.arctanh, -1, 1),
    "cos": (np.cos, -50, 50),
    "cosh": (np.cosh, -50, 50),
    "exp": (np.exp, -80, 80),
    "expm1": (np.expm1, -50, 50),
    "log": (np.log, 0, 50),
    "log10": (np.log10, 0, 50),
    "log1p": (np.log1p, -1, 50),
    "log2": (np.log2, 0, 50),
    "sin": (np.sin, -50, 50),
    "sinh": (np.sinh, -50, 50),
    "tan": (np.tan, -50, 50),
    "tanh": (np.tanh, -20, 20),
}
BINARY_CLOSE = {"atan2": np.arctan2, "hypot": np.hypot, "logaddexp": np.logaddexp}
SHAPES = [(), (0,), (7,), (3, 0, 2), (2, 3, 5), (1, 70)]

UNARY = (*UNARY_EXACT, *UNARY_CLOSE)
BINARY = (*BINARY_EXACT, *BINARY_CLOSE)


def kinds(name):
    """The dtypes that a function takes, by the standard's words."""
    table = {**UNARY_EXACT, **BINARY_EXACT}
    if name in ("sqrt", "reciprocal") or name in UNARY_CLOSE:
        return FLOATING
    if name in ("sign", "square"):
        return NUMERIC
    return table[name][1] if name in table else REAL_FLOATING


def values(dt, shape, seed=0, low=-50.0, high=50.0):
    rng = np.random.default_rng(seed)
    if dt == "bool":
        return rng.integers(0, 2, shape).astype(dt)
    if dt in INTEGER:
        info = np.iinfo(dt)
        return rng.integers(max(info.min, -100), min(info.max, 100), shape).astype(dt)
    x = rng.uniform(low, high, shape)
    return (x + 1j * rng.uniform(low, high, shape)).astype(dt) if dt.startswith("complex") else x.astype(dt)


@pytest.mark.parametrize(
    ("name", "dt"), [(name, dt) for name, (_, dtypes) in UNARY_EXACT.items() for dt in dtypes], ids=str
)
def test_exact_functions_of_one_array(name, dt):
    of_numpy = UNARY_EXACT[name][0]
    for shape in SHAPES:
        a = values(dt, shape)
        expected = np.asarray(of_numpy(a))
        if dt in INTEGER and name in ("ceil", "floor", "trunc", "round"):
            expected = a
        with np.errstate(all="ignore"):
            assert_same(getattr(xp, name)(own(a)), expected)


@pytest.mark.parametrize(
    ("name", "dt"), [(name, dt) for name, (_, dtypes) in BINARY_EXACT.items() for dt in dtypes], ids=str
)
def test_exact_functions_of_two_arrays(name, dt):
    of_numpy = BINARY_EXACT[name][0]
    for shape in SHAPES:
        a, b = values(dt, shape, 1), values(dt, shape, 2)
        assert_same(getattr(xp, name)(own(a), own(b)), of_numpy(a, b))
        # The last axis broadcast.
        if shape and shape[-1]:
            b = b[..., :1]
            assert_same(getattr(xp, name)(own(a), own(b)), of_numpy(a, b))


@pytest.mark.parametrize("dt", REAL_FLOATING)
@pytest.mark.parametrize("name", UNARY_CLOSE)
def test_functions_of_one_real_array(name, dt):
    of_numpy, low, high = UNARY_CLOSE[name]
    for shape in SHAPES:
        a = values(dt, shape, 3, low, high)
        got = getattr(xp, name)(own(a))
        assert (got.dtype, got.shape) == (dtype(dt), shape)
        # NumPy's own error is up to 4 units in single precision.
        expected = of_numpy(a.astype("float64")).astype(dt)
        np.testing.assert_allclose(to_np(got), expected, rtol=4 * np.finfo(dt).eps, atol=0)


@pytest.mark.parametrize("dt", REAL_FLOATING)
@pytest.mark.parametrize("name", BINARY_CLOSE)
def test_functions_of_two_real_arrays(name, dt):
    for shape in SHAPES:
        a, b = values(dt, shape, 4), values(dt, shape, 5)
        expected = BINARY_CLOSE[name](a.astype("float64"), b.astype("float64")).astype(dt)
        got = to_np(getattr(xp, name)(own(a), own(b)))
        np.testing.assert_allclose(got, expected, rtol=4 * np.finfo(dt).eps, atol=0)


@pytest.mark.parametrize("name", BINARY)
def test_a_scalar_stands_for_an_array_of_the_others_dtype(name):
    for dt in kinds(name):
        a = values(dt, (9,), 6)
        scalar = True if dt == "bool" else 3 if dt in INTEGER else 2.5
        x, y = own(a), xp.full(9, scalar, dtype=dtype(dt))
        f = getattr(xp, name)
        np.testing.assert_array_equal(to_np(f(x, scalar)), to_np(f(x, y)))
        np.testing.assert_array_equal(to_np(f(scalar, x)), to_np(f(y, x)))
        if dt in REAL_FLOATING:
            np.testing.assert_array_equal(to_np(f(x, 2)), to_np(f(x, 2.0)))


@pytest.mark.parametrize(("name", "low", "wide"), [("maximum", "int8", "uint8"), ("hypot", "float32", "float64")])
def test_operands_promote(name, low, wide):
    a, b = values(low, (5,), 7), values(wide, (5,), 8)
    result = getattr(xp, name)(own(a), own(b))
    assert result.dtype == xp.result_type(dtype(low), dtype(wide))


@pytest.mark.parametrize(("dev", "dt"), DEVICE_DTYPES)
def test_every_device(dev, dt):
    for name in UNARY:
        if dt in kinds(name) and not dt.startswith("complex"):
            x = from_np(sample(dt), dev)
            result = getattr(xp, name)(x)
            assert result.device == device(dev)
            with np.errstate(all="ignore"):
                np.testing.assert_array_equal(to_np(result), to_np(getattr(xp, name)(from_np(sample(dt)))))
    for name in BINARY:
        if dt in kinds(name):
            x = from_np(sample(dt), dev)
            assert getattr(xp, name)(x, x).device == device(dev)


@pytest.mark.parametrize("name", UNARY + BINARY)
def test_every_layout_gives_the_same_bits(name):
    for dt in kinds(name):
        a, b = values(dt, (4, 6), 9, -1, 1), values(dt, (4, 6), 10, -1, 1)
        f = getattr(xp, name)
        count = 1 if name in UNARY else 2
        plain = to_np(f(*[own(c) for c in (a, b)[:count]])).tobytes()
        for view in (
            np.asfortranarray,
            lambda c: c[::-1].copy()[::-1],
            lambda c: np.repeat(c, 2, axis=1)[:, ::2],
            lambda c: np.concatenate([c, c])[4:],
        ):
            assert to_np(f(*[from_np(view(c)) for c in (a, b)[:count]])).tobytes() == plain
        repeated = np.broadcast_to(a[0], (4, 6))
        got = to_np(f(*[from_np(repeated)] * count)).tobytes()
        assert got == to_np(f(*[own(repeated)] * count)).tobytes()


# --- what is exact although it is computed ------------------------------------------------------------------------


@pytest.mark.parametrize("dt", REAL_FLOATING)
def test_logarithms_of_powers_are_whole(dt):
    low, high = (-149, 127) if dt == "float32" else (-1074, 1023)
    powers = np.array([math.ldexp(1.0, k) for k in range(low, high + 1)], dtype=dt)
    np.testing.assert_array_equal(to_np(xp.log2(own(powers))), np.arange(low, high + 1))
    tens = np.array([float(10**k) for k in range(11 if dt == "float32" else 23)], dtype=dt)
    np.testing.assert_array_equal(to_np(xp.log10(own(tens))), np.arange(len(tens)))


@pytest.mark.parametrize("dt", REAL_FLOATING)
@pytest.mark.parametrize("name", ["asin", "asinh", "atan", "atanh", "expm1", "log1p", "sin", "sinh", "tan", "tanh"])
def test_small_numbers_are_their_own_values(name, dt):
    """The functions with slope 1 at 0 keep the sign of zeros and the digits of subnormal numbers."""
    tiny = np.array([0.0, 5e-324, 1e-310, 2e-308, 1e-30, 1e-20], dtype=dt)
    tiny = np.concatenate([tiny, -tiny])
    assert_same(getattr(xp, name)(own(tiny)), tiny)


@pytest.mark.parametrize("dt", REAL_FLOATING)
def test_huge_angles_are_reduced_exactly(dt):
    """Values by mpmath."""
    cases = {
        1e22: (-0.8522008497671888, 0.523214785395139, -1.6287782256068988),
        2.0**120: (0.377820109360752, -0.9258790228548379, -0.40806638884180424),
    }
    for x, expected in cases.items():
        if dt == "float32" and float(np.float32(x)) != x:
            continue
        for name, want in zip(("sin", "cos", "tan"), expected):
            got = to_np(getattr(xp, name)(xp.asarray([x, -x], dtype=dtype(dt))))
            odd = want if name == "cos" else -want
            np.testing.assert_allclose(got, np.array([want, odd]), rtol=np.finfo(dt).eps)


@pytest.mark.parametrize(
    ("name", "low", "high", "worst"),
    # Where what a reduced argument lacks is about as large as the result lets it be, and where it once was too much.
    [
        ("expm1", 0.03, 0.07, -0.04335095969161598),
        ("tanh", 0.015, 0.05, 0.021756361701219133),
        ("tanh", 0.2, 0.6, 0.5),
    ],
)
def test_errors_near_the_first_steps_of_tables_are_below_a_unit(name, low, high, worst):
    """The error itself, not the distance of the nearest number: values by mpmath."""
    positive = np.linspace(low, high, 500)
    x = np.concatenate([positive, -positive, [worst, -worst]])
    got = to_np(getattr(xp, name)(own(x)))
    with mpmath.workprec(120):
        exact = [getattr(mpmath, name)(mpmath.mpf(v)) for v in x.tolist()]
        errors = [abs(mpmath.mpf(g) - e) / np.spacing(abs(float(e))) for g, e in zip(got.tolist(), exact, strict=True)]
    assert max(errors) < 0.9, x[int(np.argmax([float(e) for e in errors]))]


@pytest.mark.parametrize("dt", REAL_FLOATING)
def test_the_logarithm_of_a_sum_that_is_one_is_a_positive_zero(dt):
    zeros, far = np.array([0.0, -0.0] * 9, dt), np.full(18, -800.0, dt)
    far[::3] = -np.inf
    for a, b in ((zeros, far), (far, zeros)):
        assert_same(xp.logaddexp(own(a), own(b)), np.zeros(18, dt))


@pytest.mark.parametrize("dt", [*INTEGER])
def test_integers_are_rounded_to_themselves_exactly(dt):
    info = np.iinfo(dt)
    a = np.array([info.min, info.max, 0, 1, info.max - 1], dtype=dt)
    for name in ("ceil", "floor", "trunc", "round", "conj", "real"):
        assert_same(getattr(xp, name)(own(a)), a)
    assert_same(xp.sign(own(a)), np.sign(a))
    with np.errstate(over="ignore"):
        assert_same(xp.square(own(a)), a * a)
        assert_same(xp.abs(own(a)), np.abs(a))


@pytest.mark.parametrize("name", ["ceil", "floor", "trunc"])
def test_integers_that_are_rounded_are_a_view(name):
    x = xp.asarray([1, 2, 3])
    y = getattr(xp, name)(x)
    x[0] = 7
    assert y is not x and xp.all(x == y)


@pytest.mark.parametrize("dt", ["complex64", "complex128"])
def test_complex_squares_and_reciprocals_are_those_of_the_operators(dt):
    z = own(values(dt, (50,), 14))
    assert_same(xp.square(z), to_np(z * z))
    assert_same(xp.reciprocal(z), to_np(1 / z))


def test_complex_signs_at_the_ends():
    inf, nan = math.inf, math.nan
    z = [complex(inf, 1), complex(1, -inf), complex(inf, inf), complex(nan, 1), complex(3, -4), complex(-0.0, 2)]
    z += [complex(1e308, 1e308), complex(5e-324, 5e-324), complex(-2, -0.0)]
    got = to_np(xp.sign(xp.asarray(z)))
    expected = [1, -1j, complex(nan, nan), complex(nan, nan), 0.6 - 0.8j, 1j, *[complex(0.5**0.5, 0.5**0.5)] * 2, -1]
    np.testing.assert_allclose(got, np.array(expected), rtol=3e-16)


# --- clip -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dt", REAL_NUMERIC)
def test_clip(dt):
    a = values(dt, (4, 6), 11)
    x = own(a)
    low, high = (10, 40) if dt in UNSIGNED else (-10, 20)
    for bounds in [(low, high), (low, None), (None, high), (None, None)]:
        expected = np.clip(a, *bounds) if bounds != (None, None) else a
        assert_same(xp.clip(x, *bounds), expected, dt=dt)
        assert_same(xp.clip(x, min=bounds[0], max=bounds[1]), expected, dt=dt)
        arrays = [None if b is None else xp.full(6, b, dtype=x.dtype) for b in bounds]
        assert_same(xp.clip(x, *arrays), expected, dt=dt)
    assert_same(xp.clip(x, max=high), np.minimum(a, a.dtype.type(high)), dt=dt)
    assert_same(xp.clip(x), a)


def test_clip_broadcasts_all_three():
    x, low, high = np.arange(3.0), np.array([[0.5], [1.0]]), np.array([[[1.0]], [[1.5]]])
    result = xp.clip(own(x), own(low), own(high))
    assert_same(result, np.clip(x, low, high))
    assert result.shape == (2, 2, 3)
    assert xp.clip(xp.zeros((0, 3)), 1.0, own(np.ones(3))).shape == (0, 3)
    assert_same(xp.clip(xp.asarray(5.0), -1, 1), np.asarray(1.0))


@pytest.mark.parametrize("layout", ["C", "strided", "backwards", "repeated"])
def test_clip_does_not_depend_on_the_layout(layout):
    views = {
        "C": lambda a: a.copy(),
        "strided": lambda a: np.repeat(a, 3)[::3],
        "backwards": lambda a: a[::-1].copy()[::-1],
        "repeated": lambda a: np.broadcast_to(a[:1], a.shape),
    }
    for dt in REAL_NUMERIC:
        n = 5000
        a, b = values(dt, n, 12), values(dt, n, 13)
        view = views[layout]
        low, high = view(np.minimum(a, b)), view(np.maximum(a, b))
        if dt in REAL_FLOATING:
            a[::7] = np.nan
        x = view(a)
        assert_same(xp.clip(from_np(x), from_np(low), from_np(high)), np.clip(x, low, high))


@pytest.mark.parametrize("dt", REAL_FLOATING)
def test_clip_gives_nan_where_one_is(dt):
    nan = xp.asarray([math.nan], dtype=dtype(dt))
    x = xp.asarray([1.0], dtype=dtype(dt))
    for args in [(nan, 0, 2), (x, nan, 2), (x, 0, nan), (x, math.nan, None), (x, None, math.nan)]:
        assert np.isnan(to_np(xp.clip(*args))).all()


CLIP_REFUSALS = [
    ("bounds cross", lambda x, i: xp.clip(x, 2, 1), ValueError, "clip-bounds", "min"),
    ("bounds cross somewhere", lambda x, i: xp.clip(i, i, xp.flip(i)), ValueError, "clip-bounds", "min")
    if hasattr(xp, "flip")
    else ("bounds cross somewhere", lambda x, i: xp.clip(i, i, i - 1), ValueError, "clip-bounds", "min"),
    ("shapes", lambda x, i: xp.clip(x, xp.zeros(2)), ValueError, "broadcast", None),
    ("four arguments", lambda x, i: xp.clip(x, 0, 1, 2), TypeError, "arguments", None),
]


@pytest.mark.parametrize(
    ("call", "kind", "rule", "argument"), [c[1:] for c in CLIP_REFUSALS], ids=[c[0] for c in CLIP_REFUSALS]
)
def test_clip_refuses(call, kind, rule, argument):
    with pytest.raises(kind) as caught:
        call(xp.ones(3), xp.asarray([1, 2, 3], dtype=xp.int8))
    assert caught.value.rule == rule
    if argument:
        assert caught.value.argument == argument


# --- refusals -------------------------------------------------------------------------------------------------------


# --- versions -------------------------------------------------------------------------------------------------------

SINCE = {
    **dict.fromkeys(("conj", "imag", "real"), "2022.12"),
    **dict.fromkeys(("clip", "copysign", "hypot", "maximum", "minimum", "signbit"), "2023.12"),
    **dict.fromkeys(("nextafter", "reciprocal"), "2024.12"),
}
VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12", "2026.12")


@pytest.mark.parametrize("name", [*UNARY, *BINARY, "clip"])
def test_names_are_there_since_their_version(name):
    for version in VERSIONS:
        with flags(api_version=version):
            assert hasattr(xp, name) == (version >= SINCE.get(name, "2021.12"))


def later(call, argument):
    with pytest.raises(TypeError) as caught:
        call()
    assert (caught.value.rule, caught.value.argument) == ("later-behaviour", argument)


@pytest.mark.parametrize("name", [name for name in UNARY if "complex128" in kinds(name) and name not in SINCE])
def test_complex_numbers_came_with_2022(name):
    z = xp.asarray([1 + 2j])
    with flags(api_version="2021.12"):
        later(lambda: getattr(xp, name)(z), "x")
    with flags(api_version="2022.12"):
        getattr(xp, name)(z)


@pytest.mark.parametrize("name", ["conj", "real"])
def test_real_numbers_have_parts_since_2024(name):
    for dt in (*SIGNED, *REAL_FLOATING):
        x = own(sample(dt))
        with flags(api_version="2023.12"):
            later(lambda x=x: getattr(xp, name)(x), "x")
        with flags(api_version="2024.12"):
            assert_same(getattr(xp, name)(x), sample(dt))


@pytest.mark.parametrize("name", [name for name in BINARY if SINCE.get(name, "") < "2024.12"])
def test_scalars_beside_arrays_came_with_2024(name):
    dt = kinds(name)[0]
    x = own(values(dt, (3,)))
    scalar = True if dt == "bool" else 1
    with flags(api_version="2023.12"):
        later(lambda: getattr(xp, name)(x, scalar), "x2")
        later(lambda: getattr(xp, name)(scalar, x), "x1")


def test_clip_took_scalars_from_its_first_version_on():
    with flags(api_version="2023.12"):
        assert_same(xp.clip(xp.asarray([1, 5]), 2, 4), np.array([2, 4]))
    assert xp.clip(xp.ones(2), 0, 1).device == CPU
