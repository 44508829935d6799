"""The constants of the elementwise functions: prints crates/strictarray-kernels/src/elementwise/real/constants.rs.

Polynomials are interpolated at Chebyshev nodes with 60 digits, which is within a small factor of the best one, and
their coefficients rounded to double. A constant in parts is cut so that the parts' sum is the value to the last bit of
the last one. Tables have one entry for each interval of numbers whose bits begin alike. Needs mpmath:
`python tools/polynomials.py > .../constants.rs && cargo fmt`.
"""

import struct
import sys

from mpmath import (
    asin,
    atan,
    atanh,
    cos,
    cosh,
    exp,
    floor,
    ldexp,
    log,
    log1p,
    log10,
    mp,
    mpf,
    pi,
    polyval,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
)

mp.prec = 1400


def interpolate(g, a, b, degree):
    """Coefficients, lowest first, of the polynomial through g at the Chebyshev nodes of [a, b]."""
    n = degree + 1
    nodes = [(a + b) / 2 + (b - a) / 2 * cos(pi * (2 * i + 1) / (2 * n)) for i in range(n)]
    # Newton's divided differences, expanded.
    table = [g(x) for x in nodes]
    for j in range(1, n):
        for i in range(n - 1, j - 1, -1):
            table[i] = (table[i] - table[i - 1]) / (nodes[i] - nodes[i - j])
    coefficients = [mpf(0)]
    for i in range(n - 1, -1, -1):
        shifted = [mpf(0), *coefficients]
        for j, c in enumerate(coefficients):
            shifted[j] -= nodes[i] * c
        shifted[0] += table[i]
        coefficients = shifted
    return coefficients[:n]


def rest(f, order):
    """r ↦ (f(r) - the terms before r^order) / r^order, also where r is 0."""
    known = mp.taylor(f, 0, order + 2)

    def g(r):
        if abs(r) < 1e-30:
            return known[order]
        return (f(r) - sum(known[i] * r**i for i in range(order))) / r**order

    return g


def by_square(f, order):
    """The same as a function of r²."""
    g = rest(f, order)
    return lambda z: g(sqrt(z))


def double(x):
    return float(x)


def show(x):
    """A double as Rust writes it, exactly."""
    x = float(x)
    return repr(x) if "e" in repr(x) or "." in repr(x) else repr(x) + ".0"


def single(x):
    """The nearest float32."""
    return struct.unpack("f", struct.pack("f", float(x)))[0]


def polynomial(name, doc, g, a, b, degree, rounded=double):
    a, b = mpf(a), mpf(b)
    coefficients = [rounded(c) for c in interpolate(g, a, b, degree)]
    points = [a + (b - a) * mpf(i) / 400 for i in range(401)]
    worst = max(abs(polyval([mpf(c) for c in coefficients[::-1]], x) - g(x)) for x in points)
    print(f"/// {doc}; error below 2^{float(floor(log(worst, 2))) + 1:.0f}.")
    kind = "f64" if rounded is double else "f32"
    print(f"pub(super) const {name}: [{kind}; {len(coefficients)}] = [{', '.join(show(c) for c in coefficients)}];")


def cut(value, bits, rounded=double):
    """The value as floats, all but the last cut to so many bits."""
    whole = 53 if rounded is double else 24
    floats = []
    for n in bits:
        exponent = int(floor(log(abs(value), 2)))
        part = rounded(value)
        if n < whole:
            part = double(floor(ldexp(value, n - 1 - exponent)) * mpf(2) ** (exponent + 1 - n))
        floats.append(part)
        value -= mpf(part)
    return floats


def parts(name, doc, value, bits, rounded=double):
    """The value in such parts."""
    names = ["HIGH", "LOW"] if len(bits) == 2 else ["HIGH", "MIDDLE", "LOW"]
    kind = "f64" if rounded is double else "f32"
    for suffix, part in zip(names, cut(value, bits, rounded), strict=True):
        print(f"/// {doc}: the {suffix.lower()} part.")
        print(f"pub(super) const {name}_{suffix}: {kind} = {show(part)};")


def entries(values, rounded):
    return f"&Table([{', '.join(show(rounded(x)) for x in values)}])"


def table(name, doc, values):
    print(f"/// {doc}.\npub(super) const {name}: Table<f32> = Table([{', '.join(show(single(x)) for x in values)}]);")


def of_bits(bits):
    """The float32 with these bits."""
    return mpf(struct.unpack("f", struct.pack("I", bits))[0])


def short_inverse(low, high):
    """The inverse for which m · it - 1 is exact for every m of the interval, of either precision, and smallest."""
    if low < 1 < high:
        return mpf(1)
    # Of m's lowest bit and of the places of the inverse: what is left over all digits must vanish at the top.
    room = 1 if low >= 1 else 0
    inverses = [(mpf(n) / 2**bits, bits) for bits in range(3, 9) for n in range(2 ** (bits - 1), 2 ** (bits + 1))]
    sizes = [(max(abs(low * x - 1), abs(high * x - 1)), x, bits) for x, bits in inverses]
    return min((size, x) for size, x, bits in sizes if size < mpf(2) ** (room - bits))[1]


def precision(kind, rounded, digits, few, degrees, more):
    """The constants of the functions in lanes: see real/in_lanes.rs.

    `few` says how many digits of first parts leave room for the exponents, and how many places the high parts of
    logarithms have.
    """
    print(f"impl Constants for {kind} {{")

    def constant(name, ty, value):
        print(f"    const {name}: {ty} = {value};")

    def pieces(name, value, bits):
        ty = ", ".join(["Self"] * len(bits))
        constant(name, f"({ty})", f"({', '.join(show(x) for x in cut(value, bits, rounded))})")

    def coefficients(name, g, a, b):
        floats = [show(rounded(c)) for c in interpolate(g, mpf(a), mpf(b), degrees[name])]
        constant(name, "&'static [Self]", f"&[{', '.join(floats)}]")

    def tables(name, highs, lows):
        ty = "(&'static Table<Self>, &'static Table<Self>)"
        constant(name, ty, f"({entries(highs, rounded)}, {entries(lows, rounded)})")

    constant("SHIFTER", "Self", show(mpf(3) * 2 ** (digits - 2)))
    constant("EIGHTHS", "Self", show(mpf(3) * 2 ** (digits - 5)))
    constant("STEP", "Self", show(mpf(2) ** (1 - digits)))
    pieces("LN2", log(2), (few["exponent"], digits))
    pieces("HALF_LN2", log(2) / 2, (few["exponent"], digits))
    pieces("LOG2_E", 1 / log(2), (digits, digits))
    pieces("THIRD_LOG2_E", 1 / log(2) / 3, (digits, digits))
    pieces("LOG10_2", log10(2), (few["exponent"], digits))
    pieces("LOG10_E", 1 / log(10), (digits, digits))
    pieces("HALF_PI", pi / 2, (few["angle"], digits, digits))
    constant("WHOLE_HALF_PI", "Self", show(rounded(pi / 2)))
    constant("HALF_PI_LACKS", "Self", show(rounded((pi / 2 - rounded(pi / 2)) / (pi / 2))))
    constant("TWO_OVER_PI", "Self", show(rounded(2 / pi)))
    half_ln2 = log(2) / 2 * (1 + mpf(2) ** -20)
    sixteenth = mpf(1) / 16 * (1 + mpf(2) ** -6)
    # The reduction may be off by so much.
    quarter = (pi / 4 + few["reduction"]) ** 2
    coefficients("EXP", rest(exp, 2), -half_ln2, half_ln2)
    coefficients("COSH", by_square(cosh, 2), 0, half_ln2**2)
    coefficients("SINH", by_square(sinh, 3), 0, half_ln2**2)
    coefficients("EXP2", rest(lambda x: exp(x * log(2)), 1), -sixteenth, sixteenth)
    coefficients("EXP_OF_EIGHTH", rest(exp, 2), -sixteenth * log(2), sixteenth * log(2))
    roots = [mpf(2) ** (mpf(i % 8) / 8) for i in range(16)]
    highs = [mpf(rounded(x)) for x in roots]
    lacks = [x / high - 1 for x, high in zip(roots, highs, strict=True)]
    # Bits below those of 1 stand for steps of half the size.
    highs = [high - mpf(i % 8) / 8 for i, high in enumerate(highs)]
    tables("ROOT", [x if x >= 1 else (x + 1) / 2 for x in highs], lacks)
    coefficients("TAN", by_square(tan, 3), 0, quarter)
    coefficients("ATANH", by_square(atanh, 3), 0, 0.09)
    coefficients("ASIN", by_square(asin, 3), 0, mpf(1) / 4)

    start = 0x3F80_0000 - (1 << 18) - 8 * (1 << 19)
    ends = [of_bits(start + (i << 19)) for i in range(17)]
    inverses = [short_inverse(ends[i], ends[i + 1]) for i in range(16)]
    start = (start - 0x3F80_0000 << digits - 24) + (0x3F80_0000 if digits == 24 else 0x3FF << 52)
    constant("LOG_START", "Self::Word", f"0x{start:_x}")
    constant("LOG_INVERSE", "&'static Table<Self>", entries(inverses, rounded))
    r = max(max(abs(ends[i] * x - 1), abs(ends[i + 1] * x - 1)) for i, x in enumerate(inverses)) * (1 + mpf(2) ** -20)
    for name, base in (("LN", mpf(1)), ("LOG2", log(2)), ("LOG10", log(10))):
        values = [-log(x) / base for x in inverses]
        highs = [floor(ldexp(x, few[name]) + 0.5) / mpf(2) ** few[name] for x in values]
        lows = [x - high for x, high in zip(values, highs, strict=True)]
        tables(name, highs, lows)
        coefficients(f"{name}_REST", rest(lambda x, base=base: log1p(x) / base, 2), -r, r)
    coefficients("LOG2_FOURTH", rest(lambda x: log1p(x) / log(2), 4), -r, r)

    # Two intervals for each power of two from 1/4 to 32; before them 0, behind them infinity.
    bounds = [mpf(0), *(mpf(2) ** i * f for i in range(-2, 5) for f in (1, mpf(3) / 2)), mpf(32)]
    centers = [mpf(0), *((bounds[i] + bounds[i + 1]) / 2 for i in range(1, 15)), mpf(1)]
    angles = [atan(x) for x in centers[:15]] + [pi / 2]
    highs = [floor(ldexp(x, few["ATAN"]) + 0.5) / mpf(2) ** few["ATAN"] for x in angles]
    lows = [x - high for x, high in zip(angles, highs, strict=True)]
    constant("ATAN_NUMBER", "&'static Table<Self>", entries([mpf(1)] * 15 + [mpf(0)], rounded))
    constant("ATAN_CENTER", "&'static Table<Self>", entries(centers, rounded))
    tables("ATAN", highs, lows)
    coefficients("ATAN_REST", by_square(atan, 3), 0, mpf(1) / 16 * (1 + mpf(2) ** -20))
    for name, ty, value in more:
        constant(name, ty, value)
    print("}\n")


TANH_DEGREE = 7


def hyperbolic_tangents():
    """Of each interval a number near its middle whose tanh is nearly a float32, and the polynomial around it."""
    (start,) = struct.unpack("I", struct.pack("f", 0.1875))
    centers, rows = [], []
    for i in range(16):
        low, high = of_bits(start + (i << 22)), of_bits(start + ((i + 1) << 22))
        if i == 0:
            # Up to 1/4: x itself and x³ times a polynomial in x².
            odd = interpolate(by_square(tanh, 3), mpf(0), high**2, (TANH_DEGREE - 3) // 2)
            row = [mpf(0)] * 3 + [x for c in odd for x in (c, mpf(0))]
            centers.append(mpf(0))
            rows.append(row[: TANH_DEGREE + 1])
        elif low > 8:
            # Never reached.
            centers.append(mpf(0))
            rows.append([mpf(1)] + [mpf(0)] * TANH_DEGREE)
        else:
            high = min(high, mpf("9.2"))
            middle = (low + high) / 2
            near = (mpf(single(middle * (1 + ldexp(mpf(d), -19)))) for d in range(-3000, 3001))
            center = min(near, key=lambda x: abs(tanh(x) / single(tanh(x)) - 1))
            value, slope = tanh(center), 1 - tanh(center) ** 2

            def g(d, center=center, value=value, slope=slope):
                return (tanh(center + d) - value) / d if abs(d) > 1e-20 else slope

            centers.append(center)
            rows.append([value, *interpolate(g, low - center, high - center, TANH_DEGREE - 1)])
    print("/// The bits of the first number of the second interval of tanh, less a half of its power of two.")
    print(f"pub(super) const F32_TANH_START: u32 = 0x{start:08x};")
    table("F32_TANH_CENTER", "Where the polynomial of each interval of tanh begins", centers)
    print("/// The coefficients of those polynomials, the lowest first.")
    print(f"pub(super) const F32_TANH: [Table<f32>; {TANH_DEGREE + 1}] = [")
    for k in range(TANH_DEGREE + 1):
        print(f"    Table([{', '.join(show(single(row[k])) for row in rows)}]),")
    print("];")


def main():
    print("//! Made by tools/polynomials.py, which says how.\n")
    print('#![allow(clippy::excessive_precision, clippy::approx_constant, reason = "made by a program")]\n')
    print("use super::in_lanes::Constants;\nuse crate::lanes::Table;\n")
    parts("LN2", "ln 2", log(2), (42, 53))
    parts("LOG10_2", "log10 2", log10(2), (42, 53))
    parts("LOG2_E", "log2 e", 1 / log(2), (53, 53))
    parts("LOG10_E", "log10 e", 1 / log(10), (53, 53))
    parts("PI", "π", pi, (53, 53))
    parts("HALF_PI", "π/2", pi / 2, (53, 53, 53))
    parts("QUARTER_PI", "π/4", pi / 4, (53, 53))
    print(f"/// 2/π.\npub(super) const TWO_OVER_PI: f64 = {show(2 / pi)};")
    half_ln2 = log(2) / 2 * (1 + mpf(2) ** -20)
    s = (sqrt(2) - 1) / (sqrt(2) + 1) * (1 + mpf(2) ** -20)
    quarter = (pi / 4 * (1 + mpf(2) ** -20)) ** 2
    eighth = tan(pi / 8) ** 2 * (1 + mpf(2) ** -20)

    def log_ratio(x):
        return 2 * atanh(x)

    mp.prec = 400
    polynomial("EXP", "(e^r - 1 - r) / r² for |r| up to ln 2 / 2", rest(exp, 2), -half_ln2, half_ln2, 10)
    polynomial("COSH", "(cosh r - 1) / r² by r², for |r| up to ln 2 / 2", by_square(cosh, 2), 0, half_ln2**2, 5)
    polynomial("SINH", "(sinh r - r) / r³ by r², for |r| up to ln 2 / 2", by_square(sinh, 3), 0, half_ln2**2, 5)
    polynomial(
        "LOG",
        "(ln((1 + s) / (1 - s)) - 2s) / s³ by s², for s of 1 + f from √½ to √2",
        by_square(log_ratio, 3),
        0,
        s * s,
        6,
    )
    polynomial("SIN", "(sin r - r) / r³ by r², for |r| up to π/4", by_square(sin, 3), 0, quarter, 6)
    polynomial("COS", "(cos r - 1 + r²/2) / r⁴ by r², for |r| up to π/4", by_square(cos, 4), 0, quarter, 5)
    polynomial("ATAN", "(atan t - t) / t³ by t², for t up to tan(π/8)", by_square(atan, 3), 0, eighth, 10)
    polynomial("SINGLE_EXP", "(e^r - 1 - r) / r², for single precision", rest(exp, 2), -half_ln2, half_ln2, 6)
    polynomial("SINGLE_LOG", "As LOG, for single precision", by_square(log_ratio, 3), 0, s * s, 3)
    polynomial("SINGLE_POWER_LOG", "As LOG, for powers in single precision", by_square(log_ratio, 3), 0, s * s, 4)
    polynomial("SINGLE_SIN", "As SIN, for single precision", by_square(sin, 3), 0, quarter, 3)
    polynomial("SINGLE_COS", "As COS, for single precision", by_square(cos, 4), 0, quarter, 3)
    for_f32 = ", in single precision"
    parts("F32_QUARTER_PI", "π/4" + for_f32, pi / 4, (24, 24), single)
    # The reduction may be off by 2^-9.
    wide = (pi / 4 + mpf(2) ** -9) ** 2
    polynomial("F32_SIN", "(r - sin r) / r³ by r²" + for_f32, by_square(lambda x: -sin(x), 3), 0, wide, 2, single)
    polynomial("F32_COS", "As COS" + for_f32, by_square(cos, 4), 0, wide, 2, single)
    hyperbolic_tangents()
    polynomial(
        "F32_ATAN",
        "(atan t - t) / t³ by t², for t up to 1/2" + for_f32,
        by_square(atan, 3),
        0,
        mpf(1) / 4 * (1 + mpf(2) ** -20),
        5,
        single,
    )
    precision(
        "f32",
        single,
        24,
        {"exponent": 15, "angle": 16, "reduction": mpf(2) ** -9, "LN": 17, "LOG2": 16, "LOG10": 17, "ATAN": 20},
        {"EXP": 5, "COSH": 2, "SINH": 2, "EXP2": 3, "TAN": 6, "ATANH": 4, "LOG2_FOURTH": 2, "ATAN_REST": 3}
        | {"ASIN": 5, "EXP_OF_EIGHTH": 2}
        | {"LN_REST": 3, "LOG2_REST": 3, "LOG10_REST": 3},
        [
            ("EARLIER", "Self::Word", "0x0020_0000"),
            ("NINTH", "Self::Word", "8"),
            ("HALF_INVERSE_ROOT", "Self::Word", "0x5eb7_59df"),
            ("QUARTER", "Self::Word", "0x3e40_0000"),
            ("HYPERBOLIC", "Self", "80.0"),
            ("EXPONENTIAL", "Self", "87.0"),
            ("LARGE", "Self", "1e18"),
            ("NEAR_ONE", "Self", "1.0 - 2.5e-7"),
            ("BELOW_ONE", "Self", "1.0f32.next_down()"),
            ("REACH", "Self", "50_000.0"),
            ("POWERS", "Self", "125.0"),
        ],
    )
    precision(
        "f64",
        double,
        53,
        {"exponent": 42, "angle": 53, "reduction": mpf(2) ** -20, "LN": 22, "LOG2": 21, "LOG10": 23, "ATAN": 20},
        {"EXP": 10, "COSH": 5, "SINH": 5, "EXP2": 6, "TAN": 15, "ATANH": 11, "LOG2_FOURTH": 8, "ATAN_REST": 8}
        | {"ASIN": 12, "EXP_OF_EIGHTH": 6}
        | {"LN_REST": 9, "LOG2_REST": 9, "LOG10_REST": 9},
        [
            ("EARLIER", "Self::Word", "0x0004_0000_0000_0000"),
            ("NINTH", "Self::Word", "8"),
            ("HALF_INVERSE_ROOT", "Self::Word", "0x5fd6_eb50_c7b5_37a9"),
            ("QUARTER", "Self::Word", "0x3fc8_0000_0000_0000"),
            ("HYPERBOLIC", "Self", "700.0"),
            ("EXPONENTIAL", "Self", "708.0"),
            ("LARGE", "Self", "1e150"),
            ("NEAR_ONE", "Self", "1.0 - 4.7e-16"),
            ("BELOW_ONE", "Self", "1.0f64.next_down()"),
            ("REACH", "Self", "1_073_741_824.0"),
            ("POWERS", "Self", "1021.0"),
        ],
    )
    mp.prec = 1400
    words = [int(floor(ldexp(2 / pi, 64 * (i + 1)))) & (2**64 - 1) for i in range(20)]
    print("/// The binary digits of 2/π behind the point, 64 in each word.")
    print(f"pub(super) const TWO_OVER_PI_DIGITS: [u64; 20] = [{', '.join(f'0x{w:016x}' for w in words)}];")


if __name__ == "__main__":
    sys.exit(main())
