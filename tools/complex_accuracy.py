"""Measures the complex functions against mpmath, part by part, in units of the last place.

Parts of `multiply` and `square` are sums of two products, each rounded, as in NumPy: their unit is that of the larger
product. The unit of `pow` is that of the modulus, but for exponents that are integers up to 100 in size.

    python tools/complex_accuracy.py [-n POINTS] [--seed SEED] [function ...]

Points are spread over all magnitudes and gathered where functions lose digits: near the unit circle, zeros, poles,
branch points, overflow and underflow, at multiples of a quarter turn, where parts are of very different size, and where
products cancel. `--write` writes the points with reference values that the kernels' tests read. Needs mpmath (gmpy2
makes it faster), NumPy and the built package.
"""

import argparse
import json
import math
import pathlib
import random
import sys

import numpy as np
from mpmath import mp, mpc, mpf

# Integer exponents up to this size go through products.
MOST = 100
VALUES = pathlib.Path(__file__).parents[1] / "crates/strictarray-kernels/tests/data/complex_values.json"


def is_short(exponent):
    return exponent.imag == 0 and exponent.real == int(exponent.real) and abs(exponent.real) <= MOST


FUNCTIONS = {
    "abs": lambda z: mpc(abs(z)),
    "acos": mp.acos,
    "acosh": mp.acosh,
    "asin": mp.asin,
    "asinh": mp.asinh,
    "atan": mp.atan,
    "atanh": mp.atanh,
    "cos": mp.cos,
    "cosh": mp.cosh,
    "exp": mp.exp,
    "expm1": lambda z: mp.exp(z) - 1,
    "log": mp.log,
    "log10": lambda z: mp.log(z) / mp.log(10),
    "log1p": lambda z: mp.log(1 + z),
    "log2": lambda z: mp.log(z) / mp.log(2),
    "reciprocal": lambda z: 1 / z,
    "sign": lambda z: z / abs(z),
    "sin": mp.sin,
    "sinh": mp.sinh,
    "sqrt": mp.sqrt,
    "square": lambda z: z * z,
    "tan": mp.tan,
    "tanh": mp.tanh,
}
OF_TWO = {
    "add": lambda z, w: z + w,
    "divide": lambda z, w: z / w,
    "multiply": lambda z, w: z * w,
    "pow": lambda z, w: z ** int(w.real) if is_short(w) else mp.exp(w * mp.log(z)),
    "subtract": lambda z, w: z - w,
}
BY_PRODUCTS = {"multiply", "square"}
# What the package promises.
LIMIT = 2
# What is exact by definition: tests compare it bit for bit.
EXACT = {"conj", "equal", "imag", "isfinite", "isinf", "isnan", "negative", "not_equal", "positive", "real", "round"}
GROW_ALONG_REAL = {"cosh", "exp", "expm1", "sinh", "tanh"}
GROW_ALONG_IMAG = {"cos", "sin", "tan"}
INVERSE = {"acos", "acosh", "asin", "asinh", "atan", "atanh"}
LOGS = {"log", "log2", "log10"}

# Where parts cancel away: the real part of expm1 is small against the imaginary one where
# e^x cos y is near 1, and has an error of 2^-66 of that one rather than of itself.
CANCELS = {"expm1": 2.0**-62}

SPECIAL = [
    *(0.0, 0.25, 0.5, 1.0, 2.0, math.pi / 2, math.pi, 22.0, 89.0, 709.78, 710.0, 745.0),
    *(5e-324, 2.2250738585072014e-308, 1e-160, 1e160, 1.7e308, 3.4e38, 1e-45),
]


class Points:
    """Points of a function, in the range of a dtype."""

    def __init__(self, name, dtype, seed):
        self.name = name
        self.real = np.float32 if dtype == "complex64" else np.float64
        self.random = random.Random(f"{name} {dtype} {seed}")

    def size(self):
        r = self.random
        info = np.finfo(self.real)
        kind = r.randrange(9)
        if kind == 0:
            return 2 ** r.uniform(-4, 4)
        if kind == 1:
            return 2 ** r.uniform(-30, 10)
        if kind == 2:
            return 2 ** r.uniform(info.minexp - info.nmant, info.maxexp - 1e-9)
        if kind == 3:
            return 1 + r.choice([-1, 1]) * 2 ** r.uniform(-info.nmant - 1, -3)
        if kind == 4:
            return r.choice(SPECIAL)
        if kind == 5:
            return r.uniform(0, 750)
        if kind == 6:
            return r.randrange(200) / 8
        if kind == 7:
            return r.randrange(1, 1000) * math.pi / 2
        return r.uniform(0, 3)

    def hard(self):
        """Where the function is hard, or anywhere."""
        r, name = self.random, self.name
        turn = r.uniform(0, 2 * math.pi)
        tiny = 10 ** r.uniform(-160, -1)
        near = 1 + r.choice([-1, 0, 1]) * 10 ** r.uniform(-16, -1)
        if name in LOGS and r.random() < 0.3:
            return r.choice([(0.6, 0.8), (1.0, tiny), (-0.8, 0.6), (tiny, 1.0)])
        if name == "log1p" and r.random() < 0.5:
            return r.choice([(-tiny * tiny / 2, tiny), (math.cos(turn) - 1, math.sin(turn))])
        if name == "expm1":
            tiny = 10 ** r.uniform(-160, 0.19)
            return tiny * tiny / 2 if tiny < 1e-7 else -math.log(math.cos(tiny)), tiny
        if name in INVERSE and r.random() < 0.7:
            small = 10 ** r.uniform(-320, -1)
            return (small, near) if name in ("asinh", "atan") else (near, small)
        if r.random() < 0.3:
            return math.cos(turn), math.sin(turn)
        # Parts that are as far from each other as numbers are, at the ends, and beside the axes, 1 and i.
        one = r.choice([near, self.end(), self.end(), self.size()])
        return r.choice([(one, self.end()), (self.end(), one)])

    def end(self):
        """A size near an end of the range, or anywhere."""
        r, info = self.random, np.finfo(self.real)
        least = info.minexp - info.nmant
        exponents = (r.randrange(least, info.maxexp), r.choice([least, info.minexp - 1, info.minexp, info.maxexp - 1]))
        return math.ldexp(1 + r.choice([r.random(), r.randrange(8) / 8, 2.0**-info.nmant]), r.choice(exponents))

    def beside(self, x):
        """The number or one of its neighbours."""
        return float(np.nextafter(self.real(x), self.real(self.random.choice([-math.inf, x, math.inf]))))

    def canceling(self, w):
        """A number whose product or quotient with w is near an axis."""
        factor = (self.size() if self.random.random() < 0.7 else self.end()) * self.random.choice([-1, 1])
        with np.errstate(all="ignore"):
            x, y = (float(self.real(part * factor)) for part in w)
            z = self.random.choice([(x, y), (x, -y), (-y, x), (y, x)])
            return self.beside(z[0]), self.beside(z[1])

    def power(self):
        """A base and an integer exponent."""
        r, info = self.random, np.finfo(self.real)
        n = r.choice([r.randrange(-4, 6), r.randrange(-MOST, MOST + 1)]) or 2
        top = 2.0 ** max(info.minexp, min(info.maxexp - 1, r.uniform(info.minexp - info.nmant, info.maxexp) / n))
        turn = r.choice([r.uniform(0, 2 * math.pi), r.randrange(4 * abs(n)) * math.pi / 2 / abs(n)])
        z = (top * math.cos(turn), top * math.sin(turn))
        z = r.choice([z, z, (top, top), (top, self.end()), (self.end(), top), (self.end(), self.end())])
        return z, (float(n), 0.0)

    def take(self, n):
        points = []
        while len(points) < n:
            x, y = self.hard() if self.random.random() < 0.4 else (self.size(), self.size())
            with np.errstate(all="ignore"):
                x, y = (float(self.real(part * self.random.choice([-1, 1]))) for part in (x, y))
            if math.isfinite(x) and math.isfinite(y) and (x, y) != (0, 0):
                points.append((x, y))
        return points


def reference(name, x, y):
    """The value to hundreds of digits; a zero has the side of a cut that its sign says. None at a pole."""
    # Far beyond overflow and underflow the exponential is not worth its digits.
    if name in GROW_ALONG_REAL:
        x = math.copysign(min(abs(x), 2e4), x)
    if name in GROW_ALONG_IMAG:
        y = math.copysign(min(abs(y), 2e4), y)
    mp.prec = 2600 + 4 * int(max(abs(x), abs(y)) if max(abs(x), abs(y)) < 1e5 else 0)
    zero = name in INVERSE | LOGS | {"log1p", "sqrt"} and 0 in (x, y)
    if zero:
        if (name == "atanh" and abs(x) == 1) or (name == "atan" and abs(y) == 1) or (name == "log1p" and x == -1):
            return None
        mp.prec = 14000
    parts = [mpf(part) if part or not zero else mpf(2) ** -6000 * math.copysign(1, part) for part in (x, y)]
    w = FUNCTIONS[name](mpc(*parts))
    parts = [mpf(0) if abs(part) < mpf(2) ** -2500 else part for part in (w.real, w.imag)]
    # A hyperbolic tangent that differs from 1 by less than mpmath shows.
    return mpc(*parts)


def rounded(part, real):
    """The nearest number of the type, as a Python float."""
    if part == 0:
        return 0.0
    info = np.finfo(real)
    exponent = max(mp.frexp(abs(part))[1], info.minexp + 1)
    unit = mpf(2) ** (exponent - info.nmant - 1)
    value = mp.nint(part / unit) * unit
    return float(value) if abs(value) <= mpf(float(info.max)) else math.copysign(math.inf, part)


def unit(part, real):
    info = np.finfo(real)
    exponent = max(mp.frexp(abs(part))[1], info.minexp + 1) if part else info.minexp + 1
    return mpf(2) ** (exponent - info.nmant - 1)


def error(got, want, other, name, real):
    """In units of the last place of the wanted part."""
    limit = mpf(float(np.finfo(real).max))
    if not math.isfinite(got):
        return 0.0 if math.isinf(got) and abs(want) >= limit and (got > 0) == (want > 0) else math.inf
    if abs(want) > limit + unit(limit, real):
        return math.inf
    distance = abs(mpf(got) - want)
    if distance <= CANCELS.get(name, 0) * abs(other) or distance == 0:
        return 0.0
    return float(distance / unit(want, real))


def pairs(name, points, n):
    """Arguments of a function of two: of ordinary size where a result would else overflow or vanish."""
    r = points.random
    if name == "pow":
        taken = []
        while len(taken) < n:
            whole = r.random() < 0.6
            z, w = points.power() if whole else ((r.uniform(-8, 8), r.uniform(-8, 8)), (r.gauss(0, 3), r.gauss(0, 3)))
            if not whole and r.random() < 0.2:
                w = r.randrange(-4, 5) / 2, 0.0
            with np.errstate(all="ignore"):
                z, w = ([float(points.real(part)) for part in number] for number in (z, w))
            z = tuple(part * r.choice([-1, 1]) for part in z)
            if z != (0, 0) and all(map(math.isfinite, z)):
                taken.append((z, tuple(w)))
        return taken
    taken = []
    for w in points.take(n):
        z = points.canceling(w) if r.random() < 0.4 else (0, 0)
        usable = z != (0, 0) and all(map(math.isfinite, z))
        taken.append((z if usable else points.take(1)[0], w))
    return taken


def part_errors(name, args, got, want, real):
    """Of the real and the imaginary part; none where the value itself is out of range, whose place the tests know."""
    by_modulus = name == "pow" and not is_short(complex(*args[1]))
    if by_modulus or name in BY_PRODUCTS:
        sizes = [abs(want)] * 2
        if not by_modulus:
            (x, y), (u, v) = ([mpf(part) for part in z] for z in (args * 2)[:2])
            sizes = [max(abs(x * u), abs(y * v)), max(abs(x * v), abs(y * u))]
        if max(sizes) * 2 > mpf(float(np.finfo(real).max)):
            return None
        parts = zip((got.real, got.imag), (want.real, want.imag), sizes, strict=True)
        return [float(abs(mpf(float(g)) - w) / unit(size, real)) for g, w, size in parts]
    re = error(float(got.real), want.real, want.imag, name, real)
    return [re, error(float(got.imag), want.imag, want.real, name, real)]


def as_array(points, dtype):
    z = np.empty(len(points), dtype)
    z.real, z.imag = [x for x, _ in points], [y for _, y in points]
    return z


def measure(names, n, seed):
    import strictarray as xp

    print(
        f"{'function':<12}{'dtype':<12}{'points':>7}{'max re':>9}{'max im':>9}{'mean re':>9}{'mean im':>9}   worst at"
    )
    worst = 0.0
    for dtype in ("complex128", "complex64"):
        for name in names:
            points = Points(name, dtype, seed)
            taken = pairs(name, points, n) if name in OF_TWO else [(z,) for z in points.take(n)]
            arrays = [xp.from_dlpack(as_array(zs, dtype)) for zs in zip(*taken, strict=True)]
            got = np.asarray(getattr(xp, name)(*arrays))
            errors = []
            for args, value in zip(taken, got, strict=True):
                if name in OF_TWO:
                    # Enough for a sum of products of the largest and the smallest numbers.
                    mp.prec = 4400
                    want = OF_TWO[name](*(mpc(*z) for z in args))
                else:
                    want = reference(name, *args[0])
                found = None if want is None else part_errors(name, args, value, want, points.real)
                if found is not None:
                    errors.append((max(found), *found, args))
            top = max(errors, key=lambda e: e[0])
            res, ims = [e[1] for e in errors], [e[2] for e in errors]
            print(
                f"{name:<12}{dtype:<12}{len(errors):>7}{max(res):>9.3f}{max(ims):>9.3f}"
                f"{np.mean(res):>9.3f}{np.mean(ims):>9.3f}   {', '.join(map(repr, top[3]))}"
            )
            sys.stdout.flush()
            worst = max(worst, top[0])
    return worst


def write(n):
    """Points whose parts are not 0: signs of zeros and sides of cuts have tests of their own."""
    values = {}
    for dtype in ("complex128", "complex64"):
        for name in [name for name in FUNCTIONS if name not in ("abs", "reciprocal", "square")]:
            points = Points(name, dtype, "values")
            rows = []
            while len(rows) < n:
                ((x, y),) = points.take(1)
                want = reference(name, x, y) if x and y else None
                if want is not None:
                    # Texts: JSON has no infinities, and these are exact.
                    numbers = (x, y, rounded(want.real, points.real), rounded(want.imag, points.real))
                    rows.append([repr(number) for number in numbers])
            values.setdefault(name, {})[dtype] = rows
    blocks = []
    for name, by_dtype in values.items():
        tables = []
        for dtype, rows in by_dtype.items():
            lines = ",\n".join(f"   {json.dumps(row)}" for row in rows)
            tables.append(f'  "{dtype}": [\n{lines}\n  ]')
        blocks.append(f' "{name}": {{\n' + ",\n".join(tables) + "\n }")
    VALUES.write_text("{\n" + ",\n".join(blocks) + "\n}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="function")
    parser.add_argument("-n", type=int, default=1000, help="points of each function and dtype")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--write", action="store_true", help="write the values that tests read")
    args = parser.parse_args()
    if args.write:
        write(60)
        return
    # Other names are those of real functions.
    names = [name for name in sorted({**FUNCTIONS, **OF_TWO}) if name in args.names or not args.names]
    if measure(names, args.n, args.seed) > LIMIT:
        sys.exit(f"a part is off by more than {LIMIT} units of the last place")


if __name__ == "__main__":
    main()
