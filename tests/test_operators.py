"""Operators: forward, reflected and in-place, as functions too; promotion, scalars, refusals, values."""

import enum
import fractions
import math
import operator

import numpy as np
import pytest
from support import (
    COMPLEX_FLOATING,
    CPU,
    DEVICE_NAMES,
    DTYPES,
    FLOATING,
    INTEGER,
    MISSING_DTYPES,
    NUMERIC,
    REAL_FLOATING,
    REAL_NUMERIC,
    SIGNED,
    UNSIGNED,
    assert_same,
    device,
    dtype,
    dtype_name,
    flags,
    from_np,
    own,
    sample,
    stable_id,
    to_np,
)

import strictarray as xp

# The promotion tables, as the standard prints them

TABLES = """
       i1  i2  i4  i8
i1     i1  i2  i4  i8
i2     i2  i2  i4  i8
i4     i4  i4  i4  i8
i8     i8  i8  i8  i8

       u1  u2  u4  u8
u1     u1  u2  u4  u8
u2     u2  u2  u4  u8
u4     u4  u4  u4  u8
u8     u8  u8  u8  u8

       u1  u2  u4
i1     i2  i4  i8
i2     i2  i4  i8
i4     i4  i4  i8
i8     i8  i8  i8

       f4  f8  c8  c16
f4     f4  f8  c8  c16
f8     f8  f8  c16 c16
c8     c8  c16 c8  c16
c16    c16 c16 c16 c16

       b1
b1     b1
"""


def read_tables(text):
    promoted = {}
    for block in text.strip("\n").split("\n\n"):
        head, *rows = [line.split() for line in block.splitlines()]
        for left, *cells in rows:
            for right, cell in zip(head, cells, strict=True):
                names = [np.dtype("?" if code == "b1" else code).name for code in (left, right, cell)]
                promoted[names[0], names[1]] = promoted[names[1], names[0]] = names[2]
    return promoted


PROMOTED = read_tables(TABLES)
PAIRS = [(a, b) for a in DTYPES for b in DTYPES]


def test_the_tables_are_read_whole():
    assert len(PROMOTED) == 16 + 16 + 2 * 12 + 16 + 1
    assert PROMOTED["int8", "uint32"] == "int64"
    assert PROMOTED["float64", "complex64"] == "complex128"
    assert ("int8", "uint64") not in PROMOTED


# The operators

ALL_KINDS = DTYPES
BITS = ("bool", *INTEGER)


class Op:
    def __init__(self, name, dunder, symbol, kinds, numpy, *, boolean=False):
        self.name = name
        self.dunder = dunder
        self.symbol = symbol
        self.kinds = kinds
        self.numpy = numpy
        self.boolean = boolean  # the result is bool
        self.function = getattr(xp, name)
        self.operator = getattr(operator, {"and": "and_", "or": "or_"}.get(dunder, dunder))

    def __repr__(self):
        return self.name

    def forms(self):
        """{form: call of two operands}, the array being the first or second one."""
        forms = {"function": self.function, "operator": self.operator}
        if not self.boolean:
            forms["reflected"] = lambda x, y: getattr(y, f"__r{self.dunder}__")(x)
        return forms

    def inplace(self, x, y):
        return getattr(operator, f"i{self.dunder}")(x, y)

    def expected(self, a, b, promoted):
        a, b = a.astype(promoted), b.astype(promoted)
        return self.numpy(a, b) if self.boolean else self.numpy(a, b, dtype=promoted)


ARITHMETIC = [
    Op("add", "add", "+", NUMERIC, np.add),
    Op("subtract", "sub", "-", NUMERIC, np.subtract),
    Op("multiply", "mul", "*", NUMERIC, np.multiply),
    Op("divide", "truediv", "/", FLOATING, np.divide),
    Op("floor_divide", "floordiv", "//", REAL_NUMERIC, np.floor_divide),
    Op("remainder", "mod", "%", REAL_NUMERIC, np.remainder),
    Op("pow", "pow", "**", NUMERIC, np.power),
]
BITWISE = [
    Op("bitwise_and", "and", "&", BITS, np.bitwise_and),
    Op("bitwise_or", "or", "|", BITS, np.bitwise_or),
    Op("bitwise_xor", "xor", "^", BITS, np.bitwise_xor),
    Op("bitwise_left_shift", "lshift", "<<", INTEGER, np.left_shift),
    Op("bitwise_right_shift", "rshift", ">>", INTEGER, np.right_shift),
]
COMPARISONS = [
    Op("equal", "eq", "==", ALL_KINDS, np.equal, boolean=True),
    Op("not_equal", "ne", "!=", ALL_KINDS, np.not_equal, boolean=True),
    Op("less", "lt", "<", REAL_NUMERIC, np.less, boolean=True),
    Op("less_equal", "le", "<=", REAL_NUMERIC, np.less_equal, boolean=True),
    Op("greater", "gt", ">", REAL_NUMERIC, np.greater, boolean=True),
    Op("greater_equal", "ge", ">=", REAL_NUMERIC, np.greater_equal, boolean=True),
]
MUTATING = ARITHMETIC + BITWISE
BINARY = MUTATING + COMPARISONS

UNARY = {
    "abs": (operator.abs, NUMERIC, np.abs),
    "negative": (operator.neg, NUMERIC, np.negative),
    "positive": (operator.pos, NUMERIC, np.positive),
    "bitwise_invert": (operator.invert, BITS, np.invert),
}


def left_operand(op, dt):
    """Varied values, both signs where there are any."""
    if dt in INTEGER and op.name == "pow":
        return np.array([0, 1, 2, 3, 5, 2], dtype=dt)
    return sample(dt, (6,))


def right_operand(op, dt):
    """Values for which the result is defined: no division by 0, no negative or too large shift or exponent."""
    if "shift" in op.name and dt != "bool":
        return np.array([0, 1, 2, 3, 2, 1], dtype=dt)
    if dt == "bool":
        return np.array([True, False, True, True, False, False])
    if dt in INTEGER and op.name == "pow":
        return np.array([0, 1, 2, 3, 2, 1], dtype=dt)
    if dt in SIGNED:
        return np.array([1, -2, 3, -1, 2, 5], dtype=dt)
    if dt in UNSIGNED:
        return np.array([1, 2, 3, 1, 2, 5], dtype=dt)
    if dt in COMPLEX_FLOATING:
        return np.array([1, 2j, -0.5 + 1j, 2.5 - 1j, -1.5, 0.25], dtype=dt)
    return np.array([1, 2, -0.5, 2.5, -1.5, 0.25], dtype=dt)


def assert_close(x, expected, promoted):
    """Equal bits for what is exact by definition, a few ulp for complex products and powers."""
    assert dtype_name(x.dtype) == expected.dtype.name
    assert x.shape == expected.shape
    eps = np.finfo(promoted).eps if promoted in FLOATING else 0
    np.testing.assert_allclose(to_np(x), expected, rtol=8 * eps, atol=0, equal_nan=True)


def assert_result(op, x, expected, promoted):
    inexact = op.name == "pow" or (promoted in COMPLEX_FLOATING and op.name in ("multiply", "divide", "pow"))
    if inexact and promoted in FLOATING:
        if promoted in COMPLEX_FLOATING:
            # Relative to the modulus: a component may cancel.
            eps = np.finfo(promoted).eps
            assert dtype_name(x.dtype) == promoted
            got = to_np(x)
            finite = np.isfinite(expected)
            np.testing.assert_array_equal(np.isfinite(got), finite)
            error = np.abs(got[finite].astype("complex128") - expected[finite].astype("complex128"))
            assert (error <= 32 * eps * np.abs(expected[finite])).all(), (got, expected)
        else:
            assert_close(x, expected, promoted)
    else:
        np.testing.assert_array_equal(to_np(x), expected)
        assert dtype_name(x.dtype) == expected.dtype.name


# Values and dtypes, against NumPy


@pytest.mark.parametrize(("op", "form"), [(op, form) for op in BINARY for form in op.forms()], ids=stable_id)
def test_every_dtype_pair(op, form):
    call = op.forms()[form]
    for left, right in PAIRS:
        a, b = left_operand(op, left), right_operand(op, right)
        x, y = own(a), own(b)
        promoted = PROMOTED.get((left, right))
        if promoted is None or left not in op.kinds or right not in op.kinds:
            with pytest.raises(TypeError):
                pytest.fail(f"{op}({left}, {right}) gave {call(x, y)}")
        else:
            assert_result(op, call(x, y), op.expected(a, b, promoted), promoted)
        # Nobody wrote into an operand.
        assert_same(x, a)
        assert_same(y, b)


@pytest.mark.parametrize("op", MUTATING, ids=stable_id)
def test_every_dtype_pair_in_place(op):
    for left, right in PAIRS:
        a, b = left_operand(op, left), right_operand(op, right)
        x, y = own(a), own(b)
        promoted = PROMOTED.get((left, right))
        if promoted != left or left not in op.kinds or right not in op.kinds:
            with pytest.raises(TypeError):
                pytest.fail(f"{op} in place of ({left}, {right}) gave {op.inplace(x, y)}")
            assert_same(x, a)
        else:
            alias = x
            z = op.inplace(x, y)
            assert z is alias
            assert_result(op, x, op.expected(a, b, promoted), promoted)
        assert_same(y, b)


@pytest.mark.parametrize("name", UNARY)
@pytest.mark.parametrize("dt", DTYPES)
def test_unary(name, dt):
    call, kinds, numpy = UNARY[name]
    a = sample(dt, (6,))
    x = own(a)
    for f in (call, getattr(xp, name)):
        if dt in kinds:
            got = f(x)
            expected = numpy(a)
            if dt in COMPLEX_FLOATING and name == "abs":
                assert_close(got, expected, dt)
            else:
                assert_same(got, expected)
        else:
            with pytest.raises(TypeError):
                f(x)
    assert_same(x, a)


def test_positive_is_no_alias():
    x = own(np.arange(3.0))
    y = +x
    y[0] = 9.0
    assert_same(x, np.arange(3.0))


INTEGER_OPS = [op for op in ARITHMETIC[:5] + BITWISE[:3] + COMPARISONS if "int8" in op.kinds]


@pytest.mark.parametrize("op", INTEGER_OPS, ids=stable_id)
@pytest.mark.parametrize("dt", INTEGER)
def test_integer_extremes(op, dt):
    """What overflows takes NumPy's value: two's complement."""
    info = np.iinfo(dt)
    values = np.array([info.min, info.min + 1, 0, 1, info.max - 1, info.max], dtype=dt)
    a, b = (v.ravel() for v in np.meshgrid(values, values))
    if op.name == "floor_divide":
        a, b = a[b != 0], b[b != 0]
        keep = ~((a == info.min) & (b.astype(object) == -1))
        a, b = a[keep], b[keep]
    assert_same(op.function(own(a), own(b)), op.numpy(a, b))


@pytest.mark.parametrize("name", ["floor_divide", "remainder"])
@pytest.mark.parametrize("dt", INTEGER)
def test_integer_division_by_zero_does_not_crash(name, dt):
    a = np.array([0, 1, np.iinfo(dt).min, np.iinfo(dt).max], dtype=dt)
    getattr(xp, name)(own(a), own(np.zeros(4, dtype=dt)))
    if dt in SIGNED:
        getattr(xp, name)(own(a), own(np.full(4, -1, dtype=dt)))


@pytest.mark.parametrize("dt", SIGNED)
def test_floor_division_rounds_down_and_remainder_has_the_sign_of_the_divisor(dt):
    a, b = (v.ravel().astype(dt) for v in np.meshgrid(np.arange(-9, 10), [-4, -3, -1, 1, 3, 4]))
    expected = [divmod(int(i), int(j)) for i, j in zip(a, b)]
    assert_same(own(a) // own(b), np.array([q for q, _ in expected], dtype=dt))
    assert_same(own(a) % own(b), np.array([r for _, r in expected], dtype=dt))


@pytest.mark.parametrize("dt", REAL_FLOATING)
@pytest.mark.parametrize("op", ARITHMETIC[:6] + COMPARISONS, ids=stable_id)
def test_random_floats_have_the_bits_of_numpy(op, dt):
    rng = np.random.default_rng(5)
    a = (rng.standard_normal(10_007) * 10.0 ** rng.integers(-6, 7, 10_007)).astype(dt)
    b = (rng.standard_normal(10_007) * 10.0 ** rng.integers(-6, 7, 10_007)).astype(dt)
    if op.name == "floor_divide":
        # Where the quotient has nearly as many bits as the significand NumPy's may be off by one, and by more beyond it. Ours
        # is held to the exact one, below.
        within = np.abs(a / b) < 2.0 ** (np.finfo(dt).nmant - 1)
        a, b = a[within], b[within]
    assert_same(op.function(own(a), own(b)), op.numpy(a, b))


@pytest.mark.parametrize("dt", REAL_FLOATING)
@pytest.mark.parametrize("spread", [0, 3, 6, 12])
def test_floor_divide_is_the_exact_floor(dt, spread):
    """Of all numbers of the data type none is nearer to the floor of the exact quotient. (Of NumPy's answers some are off:
    24 of 10,000 where float32 quotients reach beyond the significand.)"""
    rng = np.random.default_rng(spread)
    a, b = ((rng.standard_normal(5_000) * 10.0 ** rng.integers(-spread, spread + 1, 5_000)).astype(dt) for _ in "ab")
    # Quotients that are integers, or the nearest to one.
    a[::5] = (rng.integers(-5_000, 5_000, 1_000) * b[::5]).astype(dt)
    inf = np.array(np.inf, dtype=dt)
    a[::10] = np.nextafter(a[::10], inf)
    got = to_np(own(a) // own(b))
    for x, y, q in zip(a.tolist(), b.tolist(), got):
        floor = math.floor(fractions.Fraction(x) / fractions.Fraction(y))
        error = abs(fractions.Fraction(float(q)) - floor)
        if abs(floor) < 2 ** (np.finfo(dt).nmant + 1):
            assert error == 0, (x, y, q)
        for other in (np.nextafter(q, inf), np.nextafter(q, -inf)):
            assert error <= abs(fractions.Fraction(float(other)) - floor), (x, y, q)


@pytest.mark.parametrize("dt", REAL_FLOATING)
def test_random_powers(dt):
    rng = np.random.default_rng(6)
    a = np.abs(rng.standard_normal(5_000) * 10).astype(dt)
    b = (rng.standard_normal(5_000) * 5).astype(dt)
    got = to_np(own(a) ** own(b)).astype("longdouble")
    exact = a.astype("longdouble") ** b.astype("longdouble")
    assert (np.abs(got - exact) <= 2 * np.spacing(exact.astype(dt))).all()


@pytest.mark.parametrize("op", BINARY, ids=stable_id)
@pytest.mark.parametrize("size", [0, 1, 3, 7, 8, 9, 31, 64, 1000])
def test_every_length(op, size):
    """Vector loops have tails."""
    dt = op.kinds[-1] if op.kinds[-1] not in COMPLEX_FLOATING else "float64"
    a = np.resize(left_operand(op, dt), size)
    b = np.resize(right_operand(op, dt), size)
    assert_result(op, op.operator(own(a), own(b)), op.numpy(a, b), dt)


# Shapes

SHAPES = [
    ((), ()),
    ((3,), ()),
    ((), (3,)),
    ((2, 3), (3,)),
    ((2, 1), (1, 3)),
    ((4, 1, 3), (2, 1)),
    ((0,), (1,)),
    ((0, 3), (3,)),
    ((2, 0), (1, 1)),
    ((1, 1, 1), (0,)),
    ((1,) * 64, (2,)),
]


@pytest.mark.parametrize("shapes", SHAPES, ids=lambda s: f"{len(s[0])}-d {len(s[1])}-d {s[1]}")
@pytest.mark.parametrize("op", [ARITHMETIC[1], BITWISE[0], COMPARISONS[2]], ids=stable_id)
def test_broadcasting(op, shapes):
    a, b = sample("int32", shapes[0]), sample("int32", shapes[1])
    for call in (op.function, op.operator):
        assert_same(call(own(a), own(b)), np.asarray(op.numpy(a, b)))


@pytest.mark.parametrize("shapes", [((2,), (3,)), ((2, 3), (2,)), ((0,), (2,)), ((2, 1, 4), (3, 3))], ids=str)
@pytest.mark.parametrize("op", BINARY, ids=stable_id)
def test_shapes_that_do_not_broadcast(op, shapes):
    x, y = (xp.ones(s, dtype=dtype(op.kinds[0])) for s in shapes)
    for call in op.forms().values():
        with pytest.raises(ValueError, match="broadcast|shape"):
            call(x, y)


@pytest.mark.parametrize(
    "shapes", [((3,), (2, 3)), ((), (3,)), ((1,), (3,)), ((2, 1), (2, 3)), ((1,), (0,)), ((2,), (3,))], ids=str
)
@pytest.mark.parametrize("op", MUTATING, ids=stable_id)
def test_in_place_does_not_grow(op, shapes):
    x, y = (xp.ones(s, dtype=dtype(op.kinds[0])) for s in shapes)
    with pytest.raises(ValueError, match="shape|broadcast"):
        op.inplace(x, y)
    assert x.shape == shapes[0]


@pytest.mark.parametrize("shapes", [((2, 3), (3,)), ((2, 3), ()), ((2, 3), (2, 1)), ((0, 3), (1,)), ((), ())], ids=str)
@pytest.mark.parametrize("op", MUTATING, ids=stable_id)
def test_in_place_broadcasts_the_right_side(op, shapes):
    dt = "int32" if "int32" in op.kinds else "float64"
    a = np.resize(left_operand(op, dt), shapes[0])
    b = np.resize(right_operand(op, dt), shapes[1])
    x = own(a)
    op.inplace(x, own(b))
    assert_result(op, x, np.asarray(op.numpy(a, b, dtype=dt)), dt)


@pytest.mark.parametrize("pair", [("float32", "float64"), ("int8", "uint16"), ("complex64", "float64")])
def test_a_0d_array_promotes_like_any_other(pair):
    x, y = own(sample(pair[0], (3,))), own(sample(pair[1], ()))
    assert dtype_name((x + y).dtype) == PROMOTED[pair]
    assert dtype_name((y + x).dtype) == PROMOTED[pair]


# In-place


@pytest.mark.parametrize("mixed", [False, True], ids=["same dtype", "mixed"])
@pytest.mark.parametrize("stride", [1, 2, -1])
def test_a_refused_power_leaves_the_array_as_it_was(stride, mixed):
    a = np.arange(5000, dtype="int32")
    exponents = np.full(5000 * abs(stride), 2, dtype="int16" if mixed else "int32")
    exponents[-abs(stride) if stride > 0 else 0] = -1
    x, y = own(a), own(exponents)[::stride]
    with pytest.raises(ValueError, match="negative exponent"):
        x **= y
    assert_same(x, a)


@pytest.mark.parametrize("dt", ["int8", "int16", "int32", "int64", "uint8", "uint64"])
@pytest.mark.parametrize("exponent", [0, 1, 2, 3, 5])
def test_equal_exponents_of_integers(exponent, dt):
    """They are read once where all are the same one: not of memory that is written meanwhile, nor where one differs."""
    a = np.arange(3 * 2000).reshape(3, 2000).astype(dt)
    exponents = np.full_like(a, exponent)
    for y in (
        own(exponents),
        own(exponents[::-1, ::-1].copy())[::-1, ::-1],
        xp.broadcast_to(own(exponents[:1]), a.shape),
    ):
        assert_same(own(a) ** y, a**exponents)
    # Parts of one array, rows apart, so that the first element is written before others are read.
    x = own(np.tile(exponents, 2))[:, :2000]
    x **= x
    assert_same(x, exponents**exponents)
    exponents[1, 7] += 1
    x = own(a)
    x **= own(exponents)
    assert_same(x, a**exponents)


def test_in_place_writes_into_the_array_itself():
    a = np.arange(6.0)
    x = xp.from_dlpack(a)
    alias = xp.from_dlpack(x)
    x += 1.0
    assert_same(alias, np.arange(6.0) + 1)
    np.testing.assert_array_equal(a, np.arange(6.0) + 1)


def test_in_place_on_a_view():
    a = np.arange(12.0).reshape(3, 4)
    x = xp.from_dlpack(a)
    y = x[::-1, ::2]
    y *= 10.0
    expected = np.arange(12.0).reshape(3, 4)
    expected[:, ::2] *= 10
    assert_same(x, expected)


OVERLAPS = {
    "reversed": lambda x: (x, x[::-1]),
    "shifted up": lambda x: (x[1:], x[:-1]),
    "shifted down": lambda x: (x[:-1], x[1:]),
    "itself": lambda x: (x, x),
    "half": lambda x: (x[:8], x[::2]),
    "one element": lambda x: (x, x[3:4]),
}


@pytest.mark.parametrize("case", OVERLAPS)
@pytest.mark.parametrize("op", ARITHMETIC[:3], ids=stable_id)
def test_in_place_with_an_overlapping_operand(op, case):
    """As if the right side had been copied first."""
    base = np.arange(1.0, 17.0)
    target, other = OVERLAPS[case](base)
    op.numpy(target, other.copy(), out=target)
    x = own(np.arange(1.0, 17.0))
    op.inplace(*OVERLAPS[case](x))
    assert_same(x, base)


# Python scalars

SCALARS = {"bool": True, "int": 2, "float": 2.0, "complex": 2.0 + 0j}
COMPLEX_OF = {"float32": "complex64", "float64": "complex128", "complex64": "complex64", "complex128": "complex128"}


def scalar_dtype(op, dt, kind):
    """The dtype that both operands take, or None where the scalar is refused."""
    if dt not in op.kinds:
        return None
    if dt == "bool" or kind == "bool":
        return "bool" if dt == kind == "bool" else None
    if kind == "int":
        return dt
    if kind == "float":
        return dt if dt in FLOATING else None
    common = COMPLEX_OF.get(dt)
    return common if common in op.kinds else None


SCALAR_FORMS = {
    "array op scalar": (lambda op, x, s: op.operator(x, s), False),
    "scalar op array": (lambda op, x, s: op.operator(s, x), True),
    "function(array, scalar)": (lambda op, x, s: op.function(x, s), False),
    "function(scalar, array)": (lambda op, x, s: op.function(s, x), True),
    "method": (lambda op, x, s: getattr(x, f"__{op.dunder}__")(s), False),
}


@pytest.mark.parametrize("form", SCALAR_FORMS)
@pytest.mark.parametrize("kind", SCALARS)
@pytest.mark.parametrize("op", BINARY, ids=stable_id)
def test_python_scalars(op, kind, form):
    call, swapped = SCALAR_FORMS[form]
    scalar = SCALARS[kind]
    for dt in DTYPES:
        a = right_operand(op, dt) if swapped else left_operand(op, dt)
        x = own(a)
        common = scalar_dtype(op, dt, kind)
        if common is None:
            with pytest.raises(TypeError):
                pytest.fail(f"{op} of {dt} and a Python {kind} gave {call(op, x, scalar)}")
        else:
            s = np.full(a.shape, scalar, dtype=common)
            operands = (s, a.astype(common)) if swapped else (a.astype(common), s)
            assert_result(op, call(op, x, scalar), op.expected(*operands, common), common)
        assert_same(x, a)


@pytest.mark.parametrize("kind", SCALARS)
@pytest.mark.parametrize("op", MUTATING, ids=stable_id)
def test_python_scalars_in_place(op, kind):
    scalar = SCALARS[kind]
    for dt in DTYPES:
        a = left_operand(op, dt)
        x = own(a)
        if scalar_dtype(op, dt, kind) != dt:
            with pytest.raises(TypeError):
                pytest.fail(f"{op} in place of {dt} and a Python {kind} gave {op.inplace(x, scalar)}")
            assert_same(x, a)
        else:
            assert op.inplace(x, scalar) is x
            assert_result(op, x, op.expected(a, np.full(a.shape, scalar, dtype=dt), dt), dt)


@pytest.mark.parametrize("dt", INTEGER)
@pytest.mark.parametrize(
    "op", [op for op in BINARY if "int8" in op.kinds and "shift" not in op.name and op.name != "pow"], ids=stable_id
)
def test_int_scalars_out_of_bounds(op, dt):
    info = np.iinfo(dt)
    x = xp.ones(2, dtype=dtype(dt))
    for outside in (info.max + 1, info.min - 1, 10**30, -(10**30)):
        calls = [op.operator, op.function, lambda x, s: op.operator(s, x), lambda x, s: op.function(s, x)]
        if not op.boolean:
            calls.append(op.inplace)
        for call in calls:
            with pytest.raises(OverflowError):
                call(x, outside)
    for inside in (int(info.max), int(info.min)):
        if inside or op.name not in ("floor_divide", "remainder"):
            assert op.operator(x, inside).shape == (2,)


@pytest.mark.parametrize("dt", FLOATING)
def test_int_scalars_beyond_a_float(dt):
    x = xp.ones(2, dtype=dtype(dt))
    with pytest.raises(OverflowError):
        x + 10**400
    assert_same(x + 2**24, np.full(2, 2**24 + 1, dtype=dt))


def test_a_scalar_does_not_widen():
    assert (xp.ones(2, dtype=xp.float32) + 1e-300).dtype == xp.float32
    assert (xp.ones(2, dtype=xp.float32) * 1j).dtype == xp.complex64
    assert (xp.ones(2, dtype=xp.int8) + 1).dtype == xp.int8
    assert (2 - xp.ones(2, dtype=xp.uint8)).dtype == xp.uint8


@pytest.mark.parametrize("version", ["2022.12", "2023.12"])
@pytest.mark.parametrize("op", BINARY, ids=stable_id)
def test_functions_take_scalars_since_2024(op, version):
    dt = dtype(op.kinds[-1]) if op.kinds[-1] not in COMPLEX_FLOATING else xp.float64
    x = xp.ones(2, dtype=dt)
    with flags(api_version=version):
        with pytest.raises(TypeError):
            op.function(x, 1)
        with pytest.raises(TypeError):
            op.function(1, x)
        assert op.operator(x, 1).shape == (2,)


class MyInt(int):
    pass


class MyFloat(float):
    pass


class Number(enum.IntEnum):
    ONE = 1


SUBCLASSES = [MyInt(1), MyFloat(1), Number.ONE, type("MyComplex", (complex,), {})(1)]
NUMPY_SCALARS = [np.float64(1), np.complex128(1), np.float32(1), np.int64(1), np.int8(1), np.uint8(1), np.bool_(True)]
NUMPY_ARRAYS = [
    np.ones(2),
    np.array(1.0),
    np.ones(2, dtype=np.int64),
    np.array([True, False]),
    np.array([object()] * 2),
]
OTHERS = [fractions.Fraction(1, 2), [1.0, 2.0], (1.0,), "1", b"1", object(), {1}, slice(1)]
UNKNOWN = SUBCLASSES + NUMPY_SCALARS + NUMPY_ARRAYS + OTHERS


@pytest.mark.parametrize("other", UNKNOWN, ids=lambda o: f"{type(o).__name__} {o!s:.12}")
@pytest.mark.parametrize("op", BINARY, ids=stable_id)
def test_unknown_operands_are_refused(op, other):
    dt = dtype("int64") if "int64" in op.kinds else dtype("float64")
    x = xp.ones(2, dtype=dt)
    if op.dunder not in ("eq", "ne"):
        with pytest.raises(TypeError):
            op.operator(x, other)
        # Python itself formats text with %, and joins bytes with any buffer.
        if not (isinstance(other, str | bytes) and op.name in ("add", "remainder")):
            with pytest.raises(TypeError):
                op.operator(other, x)
    with pytest.raises(TypeError):
        op.function(x, other)
    with pytest.raises(TypeError):
        op.function(other, x)
    if not op.boolean:
        with pytest.raises(TypeError):
            op.inplace(x, other)
        assert_same(x, np.ones(2, dtype=dtype_name(dt)))


@pytest.mark.parametrize("other", [None, "a", object(), {}, fractions.Fraction(1, 2)], ids=stable_id)
def test_equality_with_what_is_no_array(other):
    x = xp.ones(2)
    assert x.__eq__(other) is NotImplemented
    assert x.__ne__(other) is NotImplemented
    assert (x == other) is False
    assert (x != other) is True
    assert (other == x) is False
    assert (other != x) is True


class Foreign:
    """Another library's array, with operators of its own."""

    __array_ufunc__ = None

    def __array_namespace__(self, *, api_version=None):
        return np

    def __dlpack__(self, **kwargs):
        raise AssertionError("operators must not convert")

    def __dlpack_device__(self):
        return (1, 0)


def _answer(name):
    return lambda self, other: (name, type(other).__name__)


for _op in BINARY:
    if _op.boolean:
        setattr(Foreign, f"__{_op.dunder}__", _answer(_op.dunder))
    else:
        setattr(Foreign, f"__r{_op.dunder}__", _answer(_op.dunder))
Foreign.__rmatmul__ = _answer("matmul")
SWAPPED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}


@pytest.mark.parametrize("op", BINARY, ids=stable_id)
def test_the_other_side_gets_its_turn(op):
    x = xp.ones(2, dtype=dtype("int64") if "int64" in op.kinds else dtype("float64"))
    assert op.operator(x, Foreign()) == (SWAPPED.get(op.dunder, op.dunder), "Array")
    if not op.boolean:
        assert op.inplace(x, Foreign()) == (op.dunder, "Array")


def test_the_other_side_gets_its_turn_at_matmul():
    x = xp.ones((2, 2))
    assert x @ Foreign() == ("matmul", "Array")
    assert operator.imatmul(x, Foreign()) == ("matmul", "Array")


class ShyForeign(Foreign):
    """Another library's array that doesn't know ours."""

    def __eq__(self, other):
        return NotImplemented

    def __ne__(self, other):
        return NotImplemented


@pytest.mark.parametrize(
    "other",
    [ShyForeign(), np.ones(2), np.array(1.0), np.float64(1), np.int64(1), np.bool_(True)],
    ids=lambda o: type(o).__name__,
)
@pytest.mark.parametrize("compare", [operator.eq, operator.ne])
def test_equality_with_a_foreign_array_that_has_no_answer(other, compare):
    x = xp.ones(2)
    with pytest.raises(TypeError):
        compare(x, other)
    with pytest.raises(TypeError):
        compare(other, x)


@pytest.mark.parametrize(
    "ufunc", [np.add, np.multiply, np.equal, np.matmul, np.sin, np.abs, np.negative], ids=lambda f: f.__name__
)
def test_numpy_ufuncs_fail(ufunc):
    x = xp.ones((2, 2))
    args = (x,) if ufunc.nin == 1 else (np.ones((2, 2)), x)
    with pytest.raises(TypeError):
        ufunc(*args)
    with pytest.raises(TypeError):
        ufunc(*args[::-1])


# Devices


@pytest.mark.parametrize("left", DEVICE_NAMES)
@pytest.mark.parametrize("right", DEVICE_NAMES)
def test_mixed_devices_are_refused(left, right):
    for op in BINARY:
        dt = "int32" if "int32" in op.kinds else "float32"
        x, y = (xp.ones(2, dtype=dtype(dt), device=device(d)) for d in (left, right))
        calls = list(op.forms().values()) + ([] if op.boolean else [op.inplace])
        for call in calls:
            if left == right:
                assert call(x, y).device == device(left)
            else:
                with pytest.raises(ValueError, match="device"):
                    call(x, y)


@pytest.mark.parametrize("dev", DEVICE_NAMES)
def test_results_stay_on_the_device(dev):
    for op in BINARY:
        dt = "int32" if "int32" in op.kinds else "float32"
        x = xp.ones(2, dtype=dtype(dt), device=device(dev))
        assert op.operator(x, 1).device == device(dev)
        assert op.operator(1, x).device == device(dev)
    x = xp.ones(2, dtype=xp.int32, device=device(dev))
    for call, _, _ in UNARY.values():
        assert call(x).device == device(dev)
    m = xp.ones((2, 2), dtype=xp.float32, device=device(dev))
    assert (m @ m).device == device(dev)


@pytest.mark.parametrize("dev", ["no_float64", "no_x64"])
def test_promotion_follows_the_device(dev):
    x = xp.ones(2, dtype=xp.float32, device=device(dev))
    assert (x * 1j).dtype == xp.complex64
    assert (x + 1).dtype == xp.float32
    i, u = (xp.ones(2, dtype=d, device=device(dev)) for d in (xp.int32, xp.uint32))
    if "int64" in MISSING_DTYPES[dev]:
        with pytest.raises((TypeError, ValueError)):
            i + u
    else:
        assert (i + u).dtype == xp.int64


# Matrix product

MATMUL_SHAPES = [
    ((3,), (3,)),
    ((2, 3), (3,)),
    ((3,), (3, 2)),
    ((2, 3), (3, 4)),
    ((1, 1), (1, 1)),
    ((5, 2, 3), (3, 4)),
    ((2, 3), (5, 3, 4)),
    ((5, 2, 3), (5, 3, 4)),
    ((4, 1, 2, 3), (5, 3, 4)),
    ((3,), (5, 3, 4)),
    ((5, 2, 3), (3,)),
    ((2, 0), (0, 3)),
    ((0, 2), (2, 3)),
    ((0,), (0,)),
    ((0, 2, 3), (3, 4)),
    ((17, 33), (33, 9)),
]


def matmul_forms():
    return {"function": xp.matmul, "operator": operator.matmul, "reflected": lambda x, y: y.__rmatmul__(x)}


@pytest.mark.parametrize("shapes", MATMUL_SHAPES, ids=str)
@pytest.mark.parametrize("dt", NUMERIC)
def test_matmul(dt, shapes):
    a, b = (sample(dt, s) for s in shapes)
    for call in matmul_forms().values():
        # Small halves and integers: every sum is exact in any order.
        assert_same(call(own(a), own(b)) + 0, np.asarray(a @ b) + np.zeros((), dtype=dt))


@pytest.mark.parametrize("dt", FLOATING)
def test_matmul_of_random_values(dt):
    rng = np.random.default_rng(3)
    a, b = (rng.standard_normal((60, 70)).astype(dt), rng.standard_normal((70, 50)).astype(dt))
    got = to_np(own(a) @ own(b))
    np.testing.assert_allclose(got, a @ b, rtol=0, atol=200 * np.finfo(dt).eps)


def test_matmul_every_dtype_pair():
    for left, right in PAIRS:
        a, b = sample(left, (2, 3)), sample(right, (3, 2))
        x, y = own(a), own(b)
        promoted = PROMOTED.get((left, right))
        for call in matmul_forms().values():
            if promoted is None or left == "bool":
                with pytest.raises(TypeError):
                    pytest.fail(f"matmul({left}, {right}) gave {call(x, y)}")
            else:
                assert_same(call(x, y) + 0, a.astype(promoted) @ b.astype(promoted) + np.zeros((), dtype=promoted))


@pytest.mark.parametrize(
    "shapes",
    [
        ((), ()),
        ((), (3,)),
        ((3,), ()),
        ((), (3, 3)),
        ((2, 3), ()),
        ((3,), (4,)),
        ((2, 3), (2,)),
        ((2,), (3, 2)),
        ((2, 3), (2, 3)),
        ((2, 2, 3), (3, 3, 2)),
    ],
    ids=str,
)
def test_matmul_of_wrong_shapes(shapes):
    x, y = (xp.ones(s) for s in shapes)
    for call in matmul_forms().values():
        with pytest.raises(ValueError):
            call(x, y)


@pytest.mark.parametrize("scalar", [1, 1.0, 1j, True], ids=stable_id)
def test_matmul_with_a_scalar(scalar):
    x = xp.ones((2, 2))
    for call in (operator.matmul, lambda x, s: s @ x, xp.matmul, lambda x, s: xp.matmul(s, x), operator.imatmul):
        with pytest.raises(TypeError):
            call(x, scalar)


@pytest.mark.parametrize(
    "other", [np.ones((2, 2)), np.float64(1), [[1.0]], None, object()], ids=lambda o: type(o).__name__
)
def test_matmul_with_an_unknown_operand(other):
    x = xp.ones((2, 2))
    for name in ("__matmul__", "__rmatmul__", "__imatmul__"):
        assert getattr(x, name)(other) is NotImplemented
    for call in (operator.matmul, lambda x, o: o @ x, xp.matmul, lambda x, o: xp.matmul(o, x), operator.imatmul):
        with pytest.raises(TypeError):
            call(x, other)


@pytest.mark.parametrize("dt", ["int8", "float32", "float64", "complex128"])
@pytest.mark.parametrize(
    "shape", [(40, 100, 64), (100, 40, 64), (9, 12, 8), (12, 9, 8), (500, 2, 64), (2, 500, 64)], ids=str
)
def test_matmul_of_two_slices_that_begin_at_one_place(shape, dt):
    m, n, k = shape
    a = sample(dt, (max(m, n), k))
    x = own(a)
    for left, right in ((m, n), (n, m)):
        got = x[:left, :] @ x[:right, :].mT
        assert_same(got, to_np(x[:left, :] @ xp.asarray(x[:right, :], copy=True).mT))


def test_matmul_in_place():
    a, b = sample("float64", (3, 3)), sample("float64", (3, 3)).T.copy()
    x = own(a)
    alias = x
    x @= own(b)
    assert x is alias
    assert_same(x + 0, a @ b + 0.0)
    x = own(a)
    x @= x
    assert_same(x + 0, a @ a + 0.0)


@pytest.mark.parametrize(
    ("left", "right", "error"),
    [
        (((2, 3), "float64"), ((3, 2), "float64"), ValueError),
        (((3,), "float64"), ((3,), "float64"), ValueError),
        (((2, 2), "float64"), ((2,), "float64"), ValueError),
        (((2, 2), "float64"), ((5, 2, 2), "float64"), ValueError),
        (((2, 2), "float32"), ((2, 2), "float64"), TypeError),
        (((2, 2), "float64"), ((2, 2), "complex128"), TypeError),
        (((2, 2), "int64"), ((2, 2), "float64"), TypeError),
        (((2, 2), "bool"), ((2, 2), "bool"), TypeError),
    ],
    ids=str,
)
def test_matmul_in_place_that_does_not_fit(left, right, error):
    x = xp.ones(left[0], dtype=dtype(left[1]))
    y = xp.ones(right[0], dtype=dtype(right[1]))
    with pytest.raises(error):
        operator.imatmul(x, y)
    assert_same(x, np.ones(left[0], dtype=left[1]))


def test_matmul_of_mixed_devices():
    x, y = xp.ones((2, 2)), xp.ones((2, 2), device=device("device1"))
    for call in (*matmul_forms().values(), operator.imatmul):
        with pytest.raises(ValueError, match="device"):
            call(x, y)


# What Python does not call through an operator


@pytest.mark.parametrize(
    "call", [divmod, lambda x, y: divmod(y, x), lambda x, y: pow(x, y, 3)], ids=["divmod", "rdivmod", "pow3"]
)
def test_operators_outside_the_standard(call):
    with pytest.raises(TypeError):
        call(xp.ones(2, dtype=xp.int64), 2)


def test_functions_take_positional_arguments_only():
    for op in BINARY:
        with pytest.raises(TypeError):
            op.function(x1=xp.ones(1), x2=xp.ones(1))
        with pytest.raises(TypeError):
            op.function(xp.ones(1))
        with pytest.raises(TypeError):
            op.function(xp.ones(1), xp.ones(1), xp.ones(1))


def test_chains_and_round_trips():
    """A longer expression, on strided operands."""
    a = np.linspace(-2, 3, 24).reshape(4, 6)
    x = from_np(a)
    got = (2 * x.T[::-1, 1:] - 1.5) ** 2 / (abs(x.T[:, :3]) + 1)
    assert_same(got, (2 * a.T[::-1, 1:] - 1.5) ** 2 / (np.abs(a.T[:, :3]) + 1))
    assert got.device == CPU
