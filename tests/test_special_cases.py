"""The standard's special cases of the elementwise functions on real numbers, by every way to call them.

Each row of data/special_cases.json holds arguments and either the values that the standard accepts or
the sign of the result.
"""

import math
import operator

import numpy as np
import pytest
from support import COMPLEX_FLOATING, REAL_FLOATING, assert_same, dtype, from_np, load_json, own, to_np

import strictarray as xp

OPERATORS = {
    "add": operator.add,
    "divide": operator.truediv,
    "floor_divide": operator.floordiv,
    "multiply": operator.mul,
    "pow": operator.pow,
    "remainder": operator.mod,
}
DUNDERS = {
    "add": "add",
    "divide": "truediv",
    "floor_divide": "floordiv",
    "multiply": "mul",
    "pow": "pow",
    "remainder": "mod",
}


def is_complex(row):
    return any(isinstance(arg, list) for arg in row["args"])


ROWS = load_json("special_cases.json")
FUNCTIONS = tuple(sorted({row["function"] for row in ROWS}))
ALL_ROWS = {name: [row for row in ROWS if row["function"] == name and not is_complex(row)] for name in FUNCTIONS}

# Rows in all, and those whose arguments float32 can't hold.
COUNTS = {
    "abs": (3, 0),
    "acos": (16, 2),
    "acosh": (19, 5),
    "add": (243, 66),
    "asin": (17, 2),
    "asinh": (5, 0),
    "atan": (5, 0),
    "atan2": (225, 60),
    "atanh": (19, 2),
    "ceil": (12, 2),
    "clip": (1, 0),
    "copysign": (24, 6),
    "cos": (5, 0),
    "cosh": (5, 0),
    "divide": (625, 264),
    "exp": (5, 0),
    "expm1": (5, 0),
    "floor": (12, 2),
    "floor_divide": (625, 264),
    "isfinite": (25, 6),
    "isinf": (2, 0),
    "isnan": (1, 0),
    "log": (16, 3),
    "log10": (16, 3),
    "log1p": (12, 1),
    "log2": (16, 3),
    "logaddexp": (96, 24),
    "maximum": (49, 12),
    "minimum": (49, 12),
    "multiply": (625, 264),
    "nextafter": (51, 12),
    "pow": (344, 124),
    "remainder": (225, 60),
    "round": (18, 2),
    "sign": (25, 6),
    "signbit": (24, 6),
    "sin": (5, 0),
    "sinh": (5, 0),
    "sqrt": (15, 3),
    "tan": (5, 0),
    "tanh": (5, 0),
    "trunc": (12, 2),
}

ULPS = {"float32": 4, "float64": 4, "complex64": 8, "complex128": 8}


def number(value):
    """A JSON value as a Python number."""
    if isinstance(value, list):
        return complex(float(value[0]), float(value[1]))
    return float(value)


def holds(dt, value):
    """Whether the dtype holds the value as it is."""
    if math.isnan(value):
        return True
    with np.errstate(all="ignore"):
        return float(np.dtype(dt).type(value)) == value


def rows_for(name, dt):
    """[(arguments as numbers, row)] of the real rows that the dtype can hold."""
    rows = [([number(a) for a in row["args"]], row) for row in ALL_ROWS[name]]
    return [(args, row) for args, row in rows if all(holds(dt, a) for a in args)]


def is_exact(value):
    """A short binary fraction: no rounding excuses another result."""
    return abs(value) < 2**20 and (value * 2**10).is_integer()


def same(got, accepted, dt):
    """Equal as the standard's special cases mean it."""
    if math.isnan(accepted):
        return math.isnan(got)
    if accepted == 0:
        return got == 0 and math.copysign(1, got) == math.copysign(1, accepted)
    if math.isinf(accepted) or is_exact(accepted):
        return got == accepted
    rounded = np.dtype(dt).type(accepted)
    return abs(got - float(rounded)) <= ULPS[dt] * float(np.spacing(abs(rounded)))


def check_row(name, args, row, got, dt):
    """None, or what is wrong."""
    if "sign" in row:
        right = not math.isnan(got) and math.copysign(1, got) == row["sign"]
    else:
        right = any(same(got, number(a), dt) for a in row["accept"])
    wanted = row.get("accept", f"sign {row.get('sign')}")
    return None if right else f"{name}{tuple(args)} = {got!r}, the standard wants {wanted}"


def inplace(name, x, y):
    method = getattr(operator, f"i{DUNDERS[name]}")
    z = xp.asarray(x, copy=True)
    return method(z, y)


def reflected(name, x, y):
    return getattr(y, f"__r{DUNDERS[name]}__")(x)


BINARY_FORMS = {
    "function": lambda name, x, y: getattr(xp, name)(x, y),
    "operator": lambda name, x, y: OPERATORS[name](x, y),
    "reflected": reflected,
    "in-place": inplace,
}
UNARY_FORMS = {"function": lambda name, x: getattr(xp, name)(x), "operator": lambda name, x: operator.abs(x)}


FUNCTION_FORM = {"function": lambda name, *args: getattr(xp, name)(*args)}
BOOLEAN = ("isfinite", "isinf", "isnan", "signbit")


def forms_of(name):
    if name in OPERATORS:
        return BINARY_FORMS
    return UNARY_FORMS if name == "abs" else FUNCTION_FORM


CASES = [(name, form) for name in FUNCTIONS for form in forms_of(name)]


def test_every_function_is_counted():
    assert set(COUNTS) == set(FUNCTIONS)
    assert sum(n for n, _ in COUNTS.values()) == sum(not is_complex(row) for row in ROWS)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_row_is_lost(name):
    in_all, not_in_float32 = COUNTS[name]
    assert len(ALL_ROWS[name]) == in_all
    assert len(rows_for(name, "float64")) == in_all
    assert len(rows_for(name, "float32")) == in_all - not_in_float32


@pytest.mark.parametrize("dt", REAL_FLOATING)
@pytest.mark.parametrize(("name", "form"), CASES)
def test_all_rows_in_one_array(name, form, dt):
    rows = rows_for(name, dt)
    columns = [from_np(np.array(column, dtype=dt)) for column in zip(*(args for args, _ in rows))]
    result = forms_of(name)[form](name, *columns)
    assert result.dtype == dtype("bool" if name in BOOLEAN else dt)
    wrong = [check_row(name, args, row, float(got), dt) for (args, row), got in zip(rows, to_np(result))]
    assert not [w for w in wrong if w]


@pytest.mark.parametrize("dt", REAL_FLOATING)
@pytest.mark.parametrize(("name", "form"), CASES)
def test_each_row_alone(name, form, dt):
    wrong = []
    for args, row in rows_for(name, dt):
        arrays = [xp.asarray(a, dtype=dtype(dt)) for a in args]
        wrong.append(check_row(name, args, row, float(to_np(forms_of(name)[form](name, *arrays))), dt))
    assert not [w for w in wrong if w]


@pytest.mark.parametrize("dt", REAL_FLOATING)
@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("side", ["array op scalar", "scalar op array", "array op= scalar"])
def test_each_row_with_a_python_scalar(name, side, dt):
    wrong = []
    for args, row in rows_for(name, dt):
        x, y = args
        if side == "array op scalar":
            got = OPERATORS[name](xp.asarray([x], dtype=dtype(dt)), y)
        elif side == "scalar op array":
            got = OPERATORS[name](x, xp.asarray([y], dtype=dtype(dt)))
        else:
            got = inplace(name, xp.asarray([x], dtype=dtype(dt)), y)
        wrong.append(check_row(name, args, row, float(got[0]), dt))
    assert not [w for w in wrong if w]


@pytest.mark.parametrize("dt", REAL_FLOATING)
@pytest.mark.parametrize(("name", "form"), CASES)
def test_rows_are_the_same_in_every_layout(name, form, dt):
    """A strided or reversed operand takes another loop: the bits stay the same."""
    rows = rows_for(name, dt)
    columns = [np.array(column, dtype=dt) for column in zip(*(args for args, _ in rows))]
    plain = to_np(forms_of(name)[form](name, *[own(c) for c in columns]))
    strided = to_np(forms_of(name)[form](name, *[from_np(np.repeat(c, 3)[::3]) for c in columns]))
    backwards = to_np(forms_of(name)[form](name, *[from_np(c[::-1].copy()[::-1]) for c in columns]))
    np.testing.assert_array_equal(plain, strided)
    np.testing.assert_array_equal(plain, backwards)


# The complex dtypes: the rows above are real; the standard defines these by their components.

INF, NAN = math.inf, math.nan
PARTS = [0.0, -0.0, 1.5, -2.0, INF, -INF, NAN]
COMPLEX_VALUES = [complex(re, im) for re in PARTS for im in PARTS]


def test_operators_have_no_complex_rows():
    assert not [row for row in ROWS if is_complex(row) and row["function"] in OPERATORS]


def as_complex(values, dt):
    """Complex values by components: arithmetic on Python complex numbers would touch the NaNs."""
    a = np.empty(len(values), dtype=dt)
    a.real = [v.real for v in values]
    a.imag = [v.imag for v in values]
    return a


PAIRS = [(x, y) for x in COMPLEX_VALUES for y in COMPLEX_VALUES]


@pytest.mark.parametrize("dt", COMPLEX_FLOATING)
@pytest.mark.parametrize("form", BINARY_FORMS)
def test_complex_add_is_by_component(form, dt):
    a, b = as_complex([x for x, _ in PAIRS], dt), as_complex([y for _, y in PAIRS], dt)
    expected = np.empty(len(PAIRS), dtype=dt)
    expected.real, expected.imag = a.real + b.real, a.imag + b.imag
    assert_same(BINARY_FORMS[form]("add", own(a), own(b)), expected)


@pytest.mark.parametrize("dt", COMPLEX_FLOATING)
@pytest.mark.parametrize("form", ["function", "operator", "reflected", "in-place"])
def test_complex_subtract_is_by_component(form, dt):
    a, b = as_complex([x for x, _ in PAIRS], dt), as_complex([y for _, y in PAIRS], dt)
    expected = np.empty(len(PAIRS), dtype=dt)
    expected.real, expected.imag = a.real - b.real, a.imag - b.imag
    x, y = own(a), own(b)
    got = {
        "function": lambda: xp.subtract(x, y),
        "operator": lambda: x - y,
        "reflected": lambda: y.__rsub__(x),
        "in-place": lambda: operator.isub(x, y),
    }[form]()
    assert_same(got, expected)


@pytest.mark.parametrize("dt", COMPLEX_FLOATING)
@pytest.mark.parametrize("form", ["function", "operator"])
def test_complex_negative_and_positive_are_by_component(form, dt):
    a = as_complex(COMPLEX_VALUES, dt)
    negated = np.empty(len(a), dtype=dt)
    negated.real, negated.imag = -a.real, -a.imag
    x = own(a)
    assert_same(xp.negative(x) if form == "function" else -x, negated)
    assert_same(xp.positive(x) if form == "function" else +x, a)


@pytest.mark.parametrize("dt", COMPLEX_FLOATING)
@pytest.mark.parametrize("form", ["function", "operator"])
def test_complex_abs(form, dt):
    """The special cases of hypot: an infinite component beats NaN."""
    x = own(as_complex(COMPLEX_VALUES, dt))
    result = xp.abs(x) if form == "function" else abs(x)
    expected = [INF if math.isinf(v.real) or math.isinf(v.imag) else math.hypot(v.real, v.imag) for v in COMPLEX_VALUES]
    real = np.empty(0, dtype=dt).real.dtype
    assert result.dtype == dtype(real.name)
    np.testing.assert_allclose(to_np(result), np.array(expected, dtype=real), rtol=2 * np.finfo(real).eps, atol=0)
    assert not np.signbit(to_np(result)).any()


@pytest.mark.parametrize("dt", COMPLEX_FLOATING)
def test_complex_equality_is_by_component(dt):
    a, b = as_complex([x for x, _ in PAIRS], dt), as_complex([y for _, y in PAIRS], dt)
    expected = np.array([x.real == y.real and x.imag == y.imag for x, y in PAIRS])
    assert_same(own(a) == own(b), expected)
    assert_same(own(a) != own(b), ~expected)
    assert_same(xp.equal(own(a), own(b)), expected)
    assert_same(xp.not_equal(own(a), own(b)), ~expected)


@pytest.mark.parametrize("dt", COMPLEX_FLOATING)
@pytest.mark.parametrize("form", BINARY_FORMS)
def test_complex_multiply_of_finite_values(form, dt):
    finite = [(x, y) for x, y in PAIRS if np.isfinite([x.real, x.imag, y.real, y.imag]).all()]
    a, b = as_complex([x for x, _ in finite], dt), as_complex([y for _, y in finite], dt)
    expected = np.array(
        [(x.real * y.real - x.imag * y.imag) + 1j * (x.real * y.imag + x.imag * y.real) for x, y in finite]
    )
    np.testing.assert_array_equal(to_np(BINARY_FORMS[form]("multiply", own(a), own(b))), expected.astype(dt))


@pytest.mark.parametrize("dt", COMPLEX_FLOATING)
@pytest.mark.parametrize("name", ["multiply", "divide"])
def test_complex_multiply_and_divide_spread_nan(name, dt):
    """A NaN in both components of one operand leaves nothing else."""
    values = [complex(re, im) for re in (1.5, -2.0) for im in (1.0, 3.0)]
    a = as_complex(values, dt)
    b = as_complex([complex(NAN, NAN)] * len(values), dt)
    got = to_np(getattr(xp, name)(own(a), own(b)))
    assert np.isnan(got.real).all()
    assert np.isnan(got.imag).all()
