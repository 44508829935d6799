"""Measures sums, products and what is made of them, beside NumPy, whose sums are pairwise.

    python tools/sum_accuracy.py [-n ARRAYS] [--seed SEED] [function ...]

Errors are distances from the exact value in units of the last place of what the function would give of the moduli: what
cancels counts for nothing, since no order of a sum could save it. Inputs are positive, of both signs, of very different
sizes, and such that nearly all cancels. Needs NumPy and the built package. It fails where a sum or a mean is worse than
NumPy's pairwise one.
"""

import argparse
import math
import sys
from fractions import Fraction

import numpy as np

import strictarray as xp

SIZES = (7, 100, 1000, 10_000)
# The root of the mean square of the errors may be this many times that of pairwise sums, or this small: chance.
MARGIN, SMALL = 1.25, 0.5


def inputs(kind, dtype, n, rng):
    if dtype.startswith("complex"):
        part = {"complex64": "float32", "complex128": "float64"}[dtype]
        return (inputs(kind, part, n, rng) + 1j * inputs(kind, part, n, rng)).astype(dtype)
    x = rng.standard_normal(n)
    x = {
        "positive": lambda: np.abs(x) + 0.1,
        "both signs": lambda: x,
        "wide": lambda: x * 2.0 ** rng.integers(-30, 31, n),
        "cancelling": lambda: np.concatenate([x[: n // 2], -x[: n // 2], x[: n % 2]]),
    }[kind]()
    return x.astype(dtype)


KINDS = ("positive", "both signs", "wide", "cancelling")


def exactly(terms):
    """The sum to twice the digits of a double."""
    terms = terms.astype(float).tolist()
    high = math.fsum(terms)
    return Fraction(high) + Fraction(math.fsum([*terms, -high]))


def total(a):
    return exactly(a), exactly(abs(a))


def squares(a):
    exact = sum((Fraction(float(v)) ** 2 for v in a), Fraction(0))
    return exact, exact


def spread(a, root):
    values = [Fraction(float(v)) for v in a]
    mean = sum(values) / len(values)
    exact = sum((v - mean) ** 2 for v in values) / len(values)
    if root:
        exact = Fraction(math.isqrt(int(exact * 2**400)), 2**200)
    return exact, exact


def product(a):
    exact = Fraction(1)
    for v in a:
        exact *= Fraction(float(v))
    return exact, abs(exact)


def near_one(a):
    """Factors whose product stays in range."""
    return np.exp2(30 * np.sin(a) / len(a)).astype(a.dtype)


def divided(pair, n):
    return pair[0] / n, pair[1] / n


# {name: (ours, NumPy's where it has one, exact value and scale, preparation)}
FUNCTIONS = {
    "sum": (xp.sum, np.sum, total, None),
    "mean": (xp.mean, np.mean, lambda a: divided(total(a), len(a)), None),
    "var": (xp.var, np.var, lambda a: spread(a, root=False), None),
    "std": (xp.std, np.std, lambda a: spread(a, root=True), None),
    "prod": (xp.prod, np.prod, product, near_one),
    "cumulative_sum": (lambda x: xp.cumulative_sum(x)[-1], lambda a: np.cumulative_sum(a)[-1], total, None),
    "cumulative_prod": (lambda x: xp.cumulative_prod(x)[-1], lambda a: np.cumulative_prod(a)[-1], product, near_one),
    "vecdot": (lambda x: xp.vecdot(x, x), lambda a: np.vecdot(a, a), squares, None),
    "matmul": (lambda x: xp.matmul(x, x), lambda a: np.matmul(a, a), squares, None),
}
PAIRWISE = ("sum", "mean")
# Sums of complex numbers are sums of their parts.
COMPLEX = ("sum", "mean", "cumulative_sum")


def unit(scale, dtype):
    """A unit of the last place of this value."""
    return Fraction(float(np.spacing(np.asarray(float(scale), dtype)))) or Fraction(1)


def errors(name, a):
    """Of ours and of NumPy's, part by part."""
    ours, numpys, exact, prepare = FUNCTIONS[name]
    a = a if prepare is None else prepare(a)
    got = [np.asarray(ours(xp.asarray(a)))[()], numpys(a)]
    for part in ("real", "imag") if a.dtype.kind == "c" else ("real",):
        want, scale = exact(np.ascontiguousarray(getattr(a, part)))
        one = unit(scale, getattr(a, part).dtype)
        yield [float(abs(Fraction(float(getattr(g, part))) - want) / one) for g in got]


def measure(names, arrays, seed, sizes=SIZES):
    print(f"{'function':<16}{'dtype':<12}{'size':>7}{'max ulp':>10}{'mean':>9}{'NumPy max':>12}{'mean':>9}")
    good = True
    for name in names:
        for dtype in ("float64", "float32", *(("complex128", "complex64") if name in COMPLEX else ())):
            for n in sizes:
                rng = np.random.default_rng([seed, n])
                rows = [e for _ in range(arrays) for kind in KINDS for e in errors(name, inputs(kind, dtype, n, rng))]
                found = np.array(rows)
                (top, numpys_top), (mean, numpys_mean) = found.max(axis=0), found.mean(axis=0)
                line = f"{name:<16}{dtype:<12}{n:>7}{top:>10.3f}{mean:>9.4f}{numpys_top:>12.3f}{numpys_mean:>9.4f}"
                ours, numpys = np.sqrt((found**2).mean(axis=0))
                if name in PAIRWISE and ours > max(MARGIN * numpys, SMALL):
                    good, line = False, line + "   worse than pairwise"
                print(line)
                sys.stdout.flush()
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="function")
    parser.add_argument("-n", type=int, default=25, help="arrays of each kind, dtype and size")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    # Other names are those of other reports.
    names = [name for name in FUNCTIONS if name in args.names or not args.names]
    if not measure(names, args.n, args.seed):
        sys.exit("a sum is worse than a pairwise one")


if __name__ == "__main__":
    main()
