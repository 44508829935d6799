"""The elementwise functions of complex numbers, through the namespace: special cases, values, symmetries, layouts."""

import itertools
import math
import sys
from fractions import Fraction

import numpy as np
import pytest
from support import COMPLEX_FLOATING, assert_same, dtype, from_np, load_json, own, to_np
from test_special_cases import as_complex, number

import strictarray as xp

NUMPY_NAMES = {
    "acos": "arccos",
    "acosh": "arccosh",
    "asin": "arcsin",
    "asinh": "arcsinh",
    "atan": "arctan",
    "atanh": "arctanh",
    "round": "rint",
}
FUNCTIONS = (
    *(
        "acos",
        "acosh",
        "asin",
        "asinh",
        "atan",
        "atanh",
        "cos",
        "cosh",
        "exp",
        "expm1",
        "log",
        "log10",
        "log1p",
        "log2",
    ),
    *("reciprocal", "round", "sign", "sin", "sinh", "sqrt", "square", "tan", "tanh"),
)
ODD = ("asin", "asinh", "atan", "atanh", "sin", "sinh", "tan", "tanh")
EVEN = ("cos", "cosh")

ROWS = [row for row in load_json("special_cases.json") if any(isinstance(arg, list) for arg in row["args"])]
ROW_FUNCTIONS = sorted({row["function"] for row in ROWS})

# 8 units of the last place, as the special cases allow: our own are within 2 (tools/complex_accuracy.py).
ULPS = 8


def of_numpy(name, a):
    with np.errstate(all="ignore"):
        return getattr(np, NUMPY_NAMES.get(name, name))(a)


def plain(dt):
    """Numbers of ordinary size in all quadrants, where no part cancels much."""
    parts = [0.1, 0.37, 0.8, 1.3, 2.0, 3.7]
    signed = [s * p for p in parts for s in (1, -1)]
    return as_complex([complex(re, im) for re in signed for im in signed], dt)


def any_numbers(dt):
    parts = [0.0, -0.0, 1e-30, 0.5, -1.0, 1.0, 2.5, -30.0, 800.0, 1e20, math.inf, -math.inf, math.nan]
    return as_complex([complex(re, im) for re in parts for im in parts], dt)


def same_part(got, want, real):
    if math.isnan(want):
        return math.isnan(got)
    if want == 0 or math.isinf(want):
        return got == want and math.copysign(1, got) == math.copysign(1, want)
    rounded = real.type(want)
    return abs(float(got) - float(rounded)) <= ULPS * float(np.spacing(abs(rounded)))


def bits(a):
    """The bits of the parts, those of NaN being all the same."""
    a = np.ascontiguousarray(a)
    parts = a.view(a.real.dtype).copy()
    parts[np.isnan(parts)] = np.nan
    return parts.tobytes()


def test_no_row_is_lost():
    assert len(ROWS) == 327
    assert set(ROW_FUNCTIONS) < set(FUNCTIONS)


@pytest.mark.parametrize("dt", COMPLEX_FLOATING)
@pytest.mark.parametrize("name", ROW_FUNCTIONS)
@pytest.mark.parametrize("form", ["array", "0-d", "strided"])
def test_special_cases(name, form, dt):
    rows = [row for row in ROWS if row["function"] == name]
    z = as_complex([number(row["args"][0]) for row in rows], dt)
    function = getattr(xp, name)
    if form == "0-d":
        got = np.array([complex(function(xp.asarray(number(row["args"][0]), dtype=dtype(dt)))) for row in rows])
    else:
        result = function(own(z) if form == "array" else from_np(np.repeat(z, 3)[::3]))
        assert result.dtype == dtype(dt)
        got = to_np(result)
    real = z.real.dtype
    wrong = [
        (row, complex(value))
        for row, value in zip(rows, got)
        if not any(
            same_part(value.real, number(accepted).real, real) and same_part(value.imag, number(accepted).imag, real)
            for accepted in row["accept"]
        )
    ]
    assert not wrong


@pytest.mark.parametrize("dt", COMPLEX_FLOATING)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_values_are_near_numpys(name, dt):
    """NumPy's own parts are off by some units, in single precision by more."""
    z = plain(dt)
    got, want = to_np(getattr(xp, name)(own(z))), of_numpy(name, z.astype("complex128"))
    tolerance = 1e-14 if dt == "complex128" else 1e-6
    np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance)
    assert got.dtype == dt


# `square` rounds its products in single precision, as NumPy.
@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name != "square"])
def test_single_precision_is_the_rounded_double(name):
    z = plain("complex64")
    double = to_np(getattr(xp, name)(own(z.astype("complex128"))))
    single = to_np(getattr(xp, name)(own(z)))
    units = np.spacing(np.abs(np.stack([double.real, double.imag]).astype("float32")))
    distance = np.abs(np.stack([single.real, single.imag]).astype("float64") - np.stack([double.real, double.imag]))
    assert (distance <= (0.5 + 1e-6) * units).all()


@pytest.mark.parametrize("dt", COMPLEX_FLOATING)
@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name not in ("sign", "square", "reciprocal")])
def test_conjugates_give_conjugates(name, dt):
    z = any_numbers(dt)
    # Beside NaN the signs of zeros are open.
    z = z[~np.isnan(z)]
    function = getattr(xp, name)
    got, mirrored = to_np(function(own(z))), to_np(function(own(z.conj())))
    settled = ~np.isnan(got)
    assert bits(got[settled].conj()) == bits(mirrored[settled])


@pytest.mark.parametrize("dt", COMPLEX_FLOATING)
@pytest.mark.parametrize("name", [*ODD, *EVEN])
def test_odd_and_even_functions(name, dt):
    z = any_numbers(dt)
    z = z[~np.isnan(z)]
    function = getattr(xp, name)
    got, turned = to_np(function(own(z))), to_np(function(own(-z)))
    settled = ~np.isnan(got)
    assert bits(got[settled] if name in EVEN else -got[settled]) == bits(turned[settled])


@pytest.mark.parametrize("dt", COMPLEX_FLOATING)
@pytest.mark.parametrize(
    ("name", "points"),
    [
        ("sqrt", [-1.0, -1e10]),
        ("log", [-1.0, -1e10]),
        ("log2", [-1.0, -1e10]),
        ("log10", [-1.0, -1e10]),
        ("log1p", [-2.0, -1e10]),
        ("acos", [-2.0, 2.0, 1e10]),
        ("asin", [-2.0, 2.0, 1e10]),
        ("acosh", [-2.0, 0.5, -0.5]),
        ("atanh", [-2.0, 2.0, 1e10]),
        ("asinh", [-2.0, 2.0, 1e10]),
        ("atan", [-2.0, 2.0, 1e10]),
    ],
)
def test_zeros_say_the_side_of_a_cut(name, points, dt):
    turned = name in ("asinh", "atan")
    for point, side in itertools.product(points, (0.0, -0.0)):
        beside = math.copysign(1e-30, side)
        z = [complex(side, point), complex(beside, point)] if turned else [complex(point, side), complex(point, beside)]
        on, near = to_np(getattr(xp, name)(own(as_complex(z, dt))))
        np.testing.assert_allclose([on.real, on.imag], [near.real, near.imag], rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("dt", COMPLEX_FLOATING)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_layouts_and_shapes(name, dt):
    z = any_numbers(dt)[:168].reshape(12, 14)
    function = getattr(xp, name)
    want = to_np(function(own(z)))
    views = {
        "F": np.asfortranarray(z),
        "reversed": z[::-1, ::-1].copy()[::-1, ::-1],
        "strided": np.repeat(np.repeat(z, 2, 0), 3, 1)[::2, ::3],
        "offset": np.concatenate([z[:1], z])[1:],
    }
    for kind, view in views.items():
        assert bits(to_np(function(from_np(view)))) == bits(want), kind
    row = np.broadcast_to(z[0], z.shape)
    assert bits(to_np(function(from_np(row)))) == bits(np.broadcast_to(want[0], z.shape))
    assert_same(function(own(z[:0])), want[:0])
    for i in (0, 5, 77):
        assert bits(to_np(function(own(z.ravel()[i])))) == bits(want.ravel()[i])


@pytest.mark.parametrize("dt", COMPLEX_FLOATING)
def test_round_is_by_part(dt):
    parts = [0.5, 1.5, -0.5, -2.5, 0.0, -0.0, 2.4, 1e20, math.inf, math.nan]
    z = as_complex([complex(re, im) for re in parts for im in parts], dt)
    expected = np.empty_like(z)
    expected.real, expected.imag = np.rint(z.real), np.rint(z.imag)
    assert_same(xp.round(own(z)), expected)


@pytest.mark.parametrize("dt", COMPLEX_FLOATING)
def test_sign_of_infinities_is_numpys(dt):
    parts = [1.0, -1.0, 0.0, math.inf, -math.inf, math.nan]
    z = as_complex([complex(re, im) for re in parts for im in parts], dt)
    np.testing.assert_allclose(to_np(xp.sign(own(z))), of_numpy("sign", z), rtol=1e-6, atol=0)


SMALL_PARTS = [1e-300, 1e-310, 3e-317, 1e-320, -5e-324]


@pytest.mark.parametrize("small", SMALL_PARTS)
@pytest.mark.parametrize("large", [1.5, -1e-4, 1e-8, 3e-100, -1e-150])
@pytest.mark.parametrize("swapped", [False, True])
def test_quotients_by_a_number_with_a_subnormal_part(small, large, swapped):
    """Each part is right, also that which is subnormal only on the way."""
    z = complex(small, large) if swapped else complex(large, small)
    re, im = Fraction(z.real), Fraction(z.imag)
    square = re * re + im * im
    a = xp.asarray([z])
    for quotient, (top_re, top_im) in [
        (1 / a, (re, -im)),
        (xp.reciprocal(a), (re, -im)),
        (a**-1, (re, -im)),
        (1j / a, (im, re)),
        (xp.asarray([1 + 0j]) / a, (re, -im)),
    ]:
        got = complex(quotient[0])
        for part, top in [(got.real, top_re), (got.imag, top_im)]:
            exact = top / square
            if abs(exact) < Fraction(sys.float_info.max):
                assert abs(Fraction(part) - exact) <= 2 * Fraction(math.ulp(float(exact))), (z, got)


@pytest.mark.parametrize(
    ("z", "n"),
    [
        (complex(-7.732957746736468e139, -3.05514007464403e157), 2),
        (complex(-2.4208045842271015e106, -7.245840543296388e86), 3),
        (complex(3.8356192653342746e88, 1.4464397126243683e107), 3),
    ],
)
def test_the_part_of_a_power_that_does_not_overflow_is_right(z, n):
    re, im = Fraction(1), Fraction(0)
    for _ in range(n):
        re, im = re * Fraction(z.real) - im * Fraction(z.imag), re * Fraction(z.imag) + im * Fraction(z.real)
    a = xp.asarray([z])
    for power in (a**n, a ** xp.asarray([complex(n)])):
        got = complex(power[0])
        for part, exact in [(got.real, re), (got.imag, im)]:
            if abs(exact) > Fraction(sys.float_info.max):
                assert part == (math.inf if exact > 0 else -math.inf)
            else:
                assert abs(Fraction(part) - exact) <= 2 * Fraction(math.ulp(float(exact)))
