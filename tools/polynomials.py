"""The constants of the elementwise functions: prints crates/strictarray-kernels/src/elementwise/real/constants.rs.

Polynomials are interpolated at Chebyshev nodes with 60 digits, which is within a small factor of the best one, and
their coefficients rounded to double. A constant in parts is cut so that the parts' sum is the value to the last bit of
the last one. Needs mpmath: `python tools/polynomials.py > .../constants.rs && cargo fmt`.
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


def parts(name, doc, value, bits, rounded=double):
    """The value as doubles, all but the last cut to so many bits."""
    names = ["HIGH", "LOW"] if len(bits) == 2 else ["HIGH", "MIDDLE", "LOW"]
    kind, whole = ("f64", 53) if rounded is double else ("f32", 24)
    for suffix, n in zip(names, bits, strict=True):
        exponent = int(floor(log(abs(value), 2)))
        cut = rounded(value)
        if n < whole:
            cut = double(floor(ldexp(value, n - 1 - exponent)) * mpf(2) ** (exponent + 1 - n))
        print(f"/// {doc}: the {suffix.lower()} part.")
        print(f"pub(super) const {name}_{suffix}: {kind} = {show(cut)};")
        value -= mpf(cut)


def main():
    print("//! Made by tools/polynomials.py, which says how.\n")
    print('#![allow(clippy::excessive_precision, clippy::approx_constant, reason = "made by a program")]\n')
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
    polynomial("ASIN", "(asin s - s) / s³ by s², for s up to 1/2", by_square(asin, 3), 0, mpf(1) / 4, 12)
    polynomial("ATAN", "(atan t - t) / t³ by t², for t up to tan(π/8)", by_square(atan, 3), 0, eighth, 10)
    polynomial("SINGLE_EXP", "(e^r - 1 - r) / r², for single precision", rest(exp, 2), -half_ln2, half_ln2, 6)
    polynomial("SINGLE_LOG", "As LOG, for single precision", by_square(log_ratio, 3), 0, s * s, 3)
    polynomial("SINGLE_POWER_LOG", "As LOG, for powers in single precision", by_square(log_ratio, 3), 0, s * s, 4)
    polynomial(
        "POWER_LOG", "The terms behind 2s + 2/3 s³, over s⁵ by s², for powers", by_square(log_ratio, 5), 0, s * s, 8
    )
    parts("TWO_THIRDS", "2/3", mpf(2) / 3, (53, 53))
    polynomial("SINGLE_SIN", "As SIN, for single precision", by_square(sin, 3), 0, quarter, 3)
    polynomial("SINGLE_COS", "As COS, for single precision", by_square(cos, 4), 0, quarter, 3)
    for_f32 = ", in single precision"
    parts("F32_LN2", "ln 2" + for_f32, log(2), (15, 24), single)
    parts("F32_LOG10_2", "log10 2" + for_f32, log10(2), (15, 24), single)
    parts("F32_LOG2_E", "log2 e" + for_f32, 1 / log(2), (24, 24), single)
    parts("F32_LOG10_E", "log10 e" + for_f32, 1 / log(10), (24, 24), single)
    parts("F32_QUARTER_PI", "π/4" + for_f32, pi / 4, (24, 24), single)
    polynomial("F32_EXP", "As EXP" + for_f32, rest(exp, 2), -half_ln2, half_ln2, 5, single)
    polynomial("F32_COSH", "As COSH" + for_f32, by_square(cosh, 2), 0, half_ln2**2, 2, single)
    polynomial("F32_SINH", "As SINH" + for_f32, by_square(sinh, 3), 0, half_ln2**2, 2, single)
    polynomial(
        "F32_LOG",
        "(ln(1 + f) - f + f²/2) / f³" + for_f32,
        rest(log1p, 3),
        sqrt(0.5) - 1.001,
        sqrt(2) - 0.999,
        8,
        single,
    )
    polynomial("F32_ASIN", "As ASIN" + for_f32, by_square(asin, 3), 0, mpf(1) / 4, 5, single)
    polynomial(
        "F32_ATAN",
        "(atan t - t) / t³ by t², for t up to 1/2" + for_f32,
        by_square(atan, 3),
        0,
        mpf(1) / 4 * (1 + mpf(2) ** -20),
        5,
        single,
    )
    mp.prec = 1400
    words = [int(floor(ldexp(2 / pi, 64 * (i + 1)))) & (2**64 - 1) for i in range(20)]
    print("/// The binary digits of 2/π behind the point, 64 in each word.")
    print(f"pub(super) const TWO_OVER_PI_DIGITS: [u64; 20] = [{', '.join(f'0x{w:016x}' for w in words)}];")


if __name__ == "__main__":
    sys.exit(main())
