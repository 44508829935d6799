"""The extension `linalg`: decompositions of hard matrices by what is left of them, singular matrices, shapes, norms, versions.
Ordinary matrices are in test_against_numpy.py, single matrices in crates/strictarray-kernels/tests/linalg.rs."""

import itertools
import math
import pickle
import subprocess
import sys

import numpy as np
import pytest
from support import DEVICE_NAMES, MISSING_DTYPES, dtype_name, flags, from_np, own, to_np

import strictarray as xp
from strictarray import _strictarray

DTYPES = ("float32", "float64", "complex64", "complex128")
INF, NAN = math.inf, math.nan
DECOMPOSITIONS = ("svd", "eigh", "eig", "qr")


def refuse(rule, f, *args, argument=None, **kwargs):
    with pytest.raises(Exception) as e:
        f(*args, **kwargs)
    assert getattr(e.value, "rule", None) == rule, repr(e.value)
    assert argument is None or e.value.argument == argument
    return e.value


def hermitian(a):
    return np.conj(np.swapaxes(a, -1, -2))


# --- hard matrices --------------------------------------------------------------------------------------------------


def numbers(rng, shape, complex_):
    a = rng.standard_normal(shape)
    return a + 1j * rng.standard_normal(shape) if complex_ else a


def unitary(rng, shape, complex_):
    return np.linalg.qr(numbers(rng, shape, complex_))[0]


def graded(rng, shape, complex_):
    """Singular values from 1 down to 1e-16."""
    m, n = shape[-2:]
    k = min(m, n)
    u, v = unitary(rng, (*shape[:-2], m, m), complex_), unitary(rng, (*shape[:-2], n, n), complex_)
    return (u[..., :k] * np.logspace(0, -16, k)) @ v[..., :k, :]


def scaled_rows(rng, shape, complex_):
    """Rows and columns of very different sizes."""
    m, n = shape[-2:]
    return numbers(rng, shape, complex_) * np.logspace(0, -12, m)[:, None] * np.logspace(0, -12, n)


def jordan(rng, shape, complex_):
    """Blocks with one eigenvector."""
    m, n = shape[-2:]
    a = np.zeros(shape, complex if complex_ else float)
    i = np.arange(min(m, n))
    a[..., i, i] = rng.integers(-1, 2, (*shape[:-2], 1))
    a[..., i[: n - 1][:m], (i + 1)[: n - 1][:m]] = 1
    return a * (1 + 0.5j) if complex_ else a


def sparse(rng, shape, complex_):
    """Small integers, most of them 0."""
    a = rng.integers(-1, 2, shape) * (rng.random(shape) < 0.4)
    return a * 1j ** rng.integers(0, 4, shape) if complex_ else a.astype(float)


def companion(rng, shape, complex_):
    a = np.zeros(shape, complex if complex_ else float)
    m, n = shape[-2:]
    i = np.arange(min(m, n) - 1)
    a[..., i + 1, i] = 1
    a[..., 0, :] = numbers(rng, (*shape[:-2], n), complex_)
    return a


def repeated(rng, shape, complex_):
    """Two singular values, each many times."""
    m, n = shape[-2:]
    k = min(m, n)
    u, v = unitary(rng, (*shape[:-2], m, m), complex_), unitary(rng, (*shape[:-2], n, n), complex_)
    return (u[..., :k] * np.where(np.arange(k) % 2, 1.0, 2.0)) @ v[..., :k, :]


def clustered(rng, shape, complex_):
    """Singular values that differ in their last bits."""
    m, n = shape[-2:]
    k = min(m, n)
    u, v = unitary(rng, (*shape[:-2], m, m), complex_), unitary(rng, (*shape[:-2], n, n), complex_)
    return (u[..., :k] * (1 + 1e-14 * rng.integers(-9, 9, k))) @ v[..., :k, :]


def low_rank(rng, shape, complex_):
    m, n = shape[-2:]
    r = max(1, min(m, n) // 2)
    return numbers(rng, (*shape[:-2], m, r), complex_) @ numbers(rng, (*shape[:-2], r, n), complex_)


def zeros(rng, shape, complex_):
    return np.zeros(shape, complex if complex_ else float)


def triangular(rng, shape, complex_):
    """Ones above a small diagonal."""
    return np.triu(np.ones(shape, complex if complex_ else float), 1) + 1e-3 * np.eye(*shape[-2:])


FAMILIES = {
    f.__name__: f for f in (numbers, graded, scaled_rows, jordan, sparse, companion, repeated, clustered, low_rank)
}
FAMILIES |= {f.__name__: f for f in (zeros, triangular)}
# Single precision holds the first three of these only.
SCALES = {"1": 1.0, "1e30": 1e30, "1e-30": 1e-30, "1e300": 1e300, "1e-300": 1e-300, "subnormal": 1e-310}
SIZES = [(n, n) for n in (1, 2, 3, 4, 5, 7, 11)] + [(4, 2), (2, 5), (9, 3), (3, 8)]


def largest(a):
    return np.abs(a).max(axis=(-2, -1), initial=0)


class Residuals:
    """How much is left of matrices when what a decomposition gave is taken away: in units of n, eps and the matrix."""

    LIMIT = 50

    def __init__(self, a):
        self.matrices, self.eps = a, np.finfo(a.dtype).eps
        # The matrices as numbers near 1 in double precision or more, so that the checks themselves neither overflow nor vanish.
        self.scale = np.exp2(np.floor(np.log2(np.where(largest(a) > 0, largest(a), 1).astype("longdouble"))))
        self.wide = self.scaled(a)
        self.size = np.maximum(np.linalg.norm(self.wide.astype("complex128"), axis=(-2, -1)), 1e-300)
        # Subnormal numbers have fewer digits: half a unit each.
        self.least = np.finfo(a.dtype).smallest_subnormal / self.scale.astype("longdouble")
        self.n = max(*a.shape[-2:], 1)

    def scaled(self, values):
        scale = self.scale[(...,) + (None,) * (values.ndim - self.scale.ndim)]
        return values.astype("clongdouble" if values.dtype.kind == "c" else "longdouble") / scale

    def small(self, rest, size=None):
        size = self.size if size is None else size
        limit = self.LIMIT * self.n * (self.eps * size + self.least)
        worst = np.abs(rest).reshape(*rest.shape[: rest.ndim - 2], -1).max(axis=-1, initial=0)
        assert np.isfinite(worst.astype(float)).all()
        assert (worst <= limit).all(), (
            f"{(worst / limit).max()} times the limit, of {self.matrices[np.argmax(worst / limit)]}"
        )

    def orthonormal(self, q):
        q = to_np(q).astype("clongdouble")
        # Only rounding is left in what has no scale.
        rest = np.abs(hermitian(q) @ q - np.eye(q.shape[-1])).max(axis=(-2, -1), initial=0)
        assert (rest <= self.LIMIT * self.n * self.eps).all(), rest.max() / (self.n * self.eps)


def svd(a):
    check = Residuals(a)
    for full in (False, True):
        u, s, vh = xp.linalg.svd(from_np(a), full_matrices=full)
        check.orthonormal(u)
        check.orthonormal(xp.conj(vh.mT))
        values, k = to_np(s), s.shape[-1]
        assert (values >= 0).all() and (values[..., 1:] <= values[..., :-1]).all()
        check.small((to_np(u)[..., :k] * check.scaled(values)[..., None, :]) @ to_np(vh)[..., :k, :] - check.wide)
    apart = to_np(xp.linalg.svdvals(from_np(a)))
    check.small((check.scaled(apart) - check.scaled(values))[..., None])


def eigh(a):
    a = np.tril(a) + hermitian(np.tril(a, -1))
    if a.dtype.kind == "c":
        i = np.arange(a.shape[-1])
        a[..., i, i] = a[..., i, i].real
    check = Residuals(a)
    values, vectors = xp.linalg.eigh(from_np(a))
    check.orthonormal(vectors)
    v, w = to_np(vectors), to_np(values)
    assert (w[..., 1:] >= w[..., :-1]).all()
    check.small(check.wide @ v - v * check.scaled(w)[..., None, :])
    check.small((check.scaled(to_np(xp.linalg.eigvalsh(from_np(a)))) - check.scaled(w))[..., None])


def eig(a):
    check = Residuals(a)
    values, vectors = xp.linalg.eig(from_np(a))
    w, v = to_np(values), to_np(vectors)
    check.small(check.wide @ v - v * check.scaled(w)[..., None, :])
    lengths = np.abs(np.sum(np.abs(v.astype("clongdouble")) ** 2, axis=-2) - 1)
    assert (lengths <= check.LIMIT * check.n * check.eps).all()
    if a.dtype.kind == "f":
        # Conjugate pairs, to the last bit.
        for some in w.reshape(-1, w.shape[-1]):
            assert sorted(some.tolist(), key=key_of) == sorted(np.conj(some).tolist(), key=key_of)
        # Of a real eigenvalue the vector is real; in small numbers an imaginary part may have vanished.
        real = (w.imag == 0) & (largest(a) > 1e-3)[..., None] & (a.dtype == "float64")
        assert (np.moveaxis(v, -1, -2)[real].imag == 0).all()
    check.small((np.sum(check.scaled(w), axis=-1) - np.trace(check.wide, axis1=-2, axis2=-1))[..., None, None])
    of_values = to_np(xp.linalg.eigvals(from_np(a)))
    check.small((np.sum(check.scaled(of_values), axis=-1) - np.trace(check.wide, axis1=-2, axis2=-1))[..., None, None])


def key_of(z):
    return (z.real, z.imag)


def qr(a):
    check = Residuals(a)
    for mode in ("reduced", "complete"):
        q, r = xp.linalg.qr(from_np(a), mode=mode)
        check.orthonormal(q)
        triangle = to_np(r)
        assert (np.tril(triangle, -1) == 0).all()
        assert (np.diagonal(triangle, axis1=-2, axis2=-1).imag == 0).all()
        check.small(to_np(q) @ check.scaled(triangle) - check.wide)


def matched(got, want):
    """The largest distance of values from those that they are, whatever their order."""
    left, worst = list(want), 0.0
    for value in got:
        nearest = min(range(len(left)), key=lambda i: abs(left[i] - value))
        worst = max(worst, abs(left.pop(nearest) - value))
    return worst


@pytest.mark.parametrize("n", [2, 3, 5, 12, 40, 60])
@pytest.mark.parametrize("kind", [float, complex])
def test_eigenvalues_of_normal_matrices(kind, n):
    """Of these rounding moves values by no more than itself: all of them are there, each as often as it is one."""
    rng = np.random.default_rng(n)
    u = unitary(rng, (n, n), kind is complex)
    if kind is complex:
        want = rng.standard_normal(n) + 1j * rng.standard_normal(n)
        want[: n // 2] = want[0]
        a = (u * want) @ hermitian(u)
    else:
        # Rotations, which have pairs of conjugate values.
        angles = rng.standard_normal(n // 2)
        middle = np.eye(n) * 0.5
        for i, angle in enumerate(angles):
            c, s = math.cos(angle), math.sin(angle)
            middle[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, -s], [s, c]]
        want = np.concatenate([np.exp(1j * angles), np.exp(-1j * angles), [0.5] * (n % 2)])
        a = u @ middle @ u.T
    for values in (xp.linalg.eigvals(from_np(a)), xp.linalg.eig(from_np(a)).eigenvalues):
        assert matched(to_np(values).tolist(), want.tolist()) < 100 * n * np.finfo(float).eps


@pytest.mark.parametrize("n", [2, 3, 5, 12, 60])
@pytest.mark.parametrize("kind", [float, complex])
def test_eigenvalues_of_badly_scaled_matrices(kind, n):
    """Large elements must not blur small eigenvalues: scaling by powers of two changes none."""
    rng = np.random.default_rng(n)
    base = numbers(rng, (n, n), kind is complex)
    want = np.linalg.eigvals(base)
    size = np.abs(want).max()
    for spread in (5, 13, 20):
        d = np.ldexp(1.0, rng.integers(-spread, spread + 1, n))
        a = base * d[:, None] / d
        for values in (xp.linalg.eigvals(from_np(a)), xp.linalg.eig(from_np(a)).eigenvalues):
            # The values of the base itself are conditioned that well.
            assert matched(to_np(values).tolist(), want.tolist()) < 1e-10 * size
        eig(a)


CHECKS = {f.__name__: f for f in (svd, eigh, eig, qr)}
# Matrices of each family, size, scale and data type: 100,000 of each decomposition and more, together.
STACK = 110


@pytest.mark.parametrize("n", [9, 12, 24, 48, 100, 200])
@pytest.mark.parametrize("apart", [1e-5, 1e-7, 1e-8, 1e-10])
def test_singular_values_in_close_pairs(apart, n):
    """Between rows of a bidiagonal matrix whose quotients are far apart there may be what turns a pair of values."""
    rng = np.random.default_rng(n)
    half = n // 2
    block = (
        np.diag(np.abs(np.arange(half) - half // 2) + 0.0)
        + np.diag(np.ones(half - 1), 1)
        + np.diag(np.ones(half - 1), -1)
    )
    twice = np.zeros((n, n))
    twice[: 2 * half, : 2 * half] = np.kron(np.eye(2), block)
    twice[half, half - 1] = twice[half - 1, half] = apart
    values = np.repeat(rng.uniform(0.5, 2, half + 1), 2)[:n]
    values = np.where(np.arange(n) % 2, values * (1 + apart), values)
    dense = unitary(rng, (n, n), False) * values @ unitary(rng, (n, n), False)
    for a in (twice, dense, dense.T):
        got, want = to_np(xp.linalg.svdvals(from_np(a))), np.linalg.svd(a, compute_uv=False)
        # LAPACK's are off by a few roundings of the largest one.
        assert np.max(np.abs(got - want)) <= 2 * n * np.finfo(float).eps * want[0]


@pytest.mark.parametrize("n", [9, 17, 24, 40])
@pytest.mark.parametrize("dt", ["float64", "complex128"])
def test_eigenvalues_alone_are_those_with_vectors(dt, n):
    """Of matrices whose rows and columns are graded alike, which balancing leaves as they are."""
    rng = np.random.default_rng(n)
    for least in (-20, -60, -100, -150):
        for _ in range(4):
            d, s = np.logspace(0, least, n), numbers(rng, (n, n), dt == "complex128")
            a = (d[:, None] * (s + hermitian(s)) * d).astype(dt)
            got, want = (to_np(f(from_np(a))) for f in (xp.linalg.eigvals, lambda x: xp.linalg.eig(x).eigenvalues))
            got, want = (z[np.argsort(-np.abs(z))] for z in (got, want))
            assert np.max(np.abs(got - want)) <= 10 * n * np.finfo(float).eps * np.linalg.norm(a)


def ldexp(z, exponents):
    return np.ldexp(z.real, exponents) + 1j * np.ldexp(z.imag, exponents)


@pytest.mark.parametrize("n", [2, 3, 5, 12, 40, 130])
@pytest.mark.parametrize("dt", ["float64", "complex128"])
def test_eigenvalues_of_matrices_whose_elements_span_all_numbers(dt, n):
    """Of D S D⁻¹, where S is Hermitian: those of S, though most elements vanish beside the largest."""
    rng = np.random.default_rng(n)
    s = numbers(rng, (n, n), dt == "complex128")
    s = (s + hermitian(s)).astype(dt)
    bound = 10 * n * np.finfo(float).eps * np.linalg.norm(s)
    for most, unit in ((500, 0), (-500, 0), (300, 300), (-300, -300)):
        exponents = rng.permutation(np.linspace(-most, most, n).astype(int))
        spread = ldexp(s, exponents[:, None] - exponents + unit)
        a = from_np(spread if dt == "complex128" else spread.real)
        want = np.linalg.eigvalsh(s)
        values, vectors = map(to_np, xp.linalg.eig(a))
        for got in (values, to_np(xp.linalg.eigvals(a))):
            got = ldexp(got, -unit)
            assert np.max(np.abs(got[np.argsort(got.real)] - want)) <= bound
        # D⁻¹ makes eigenvectors of S of them.
        for value, vector in zip(ldexp(values, -unit), vectors.T):
            sizes = np.maximum(np.abs(vector.real), np.abs(vector.imag))
            most_of_all = np.max((np.frexp(sizes)[1] - exponents)[sizes > 0])
            x = ldexp(vector, -exponents - most_of_all)
            assert np.linalg.norm(s @ x - value * x) <= bound * np.linalg.norm(x)


@pytest.mark.parametrize("dt", ["float64", "complex128"])
def test_eigenvalues_of_triangular_matrices_in_any_order(dt):
    """Those are the diagonal elements as they are, however large the others: by 0s alone."""
    rng = np.random.default_rng(0)
    orders = [p for n in (1, 2, 3, 4) for p in itertools.permutations(range(n))]
    orders += [rng.permutation(n) for n in (5, 6, 9, 20, 60) for _ in range(20)]
    for order in orders:
        n = len(order)
        large = 10.0 ** rng.integers(-20, 21, (n, n)) * (rng.random((n, n)) < 0.8)
        a = np.triu(numbers(rng, (n, n), dt == "complex128") * large, 1) + np.diag(np.arange(1.0, n + 1))
        a = from_np(a[np.ix_(order, order)].astype(dt))
        for values in (xp.linalg.eigvals(a), xp.linalg.eig(a).eigenvalues):
            np.testing.assert_array_equal(np.sort_complex(to_np(values)), np.arange(1.0, n + 1))


@pytest.mark.parametrize("dt", ["float64", "complex128"])
def test_eigenvalues_of_blocks_of_different_sizes(dt):
    """What is beside a block, above or right of it, does not spoil its eigenvalues."""
    rng = np.random.default_rng(1)
    for n, size in itertools.product((2, 3, 5), (-150, -60, 0, 60, 150)):
        first, second, corner = (numbers(rng, (n, n), dt == "complex128") for _ in range(3))
        first, second, nothing = first + hermitian(first), second + hermitian(second), np.zeros((n, n))
        corner = corner * 10.0 ** rng.integers(-20, 21, (n, n))
        apart = np.block([[ldexp(first, size), nothing], [nothing, ldexp(second, -size)]])
        beside = np.block([[first, corner], [nothing, np.diag(np.arange(n) + 100.0)]])
        for a in (apart, beside, hermitian(beside)):
            # Blocks that do not touch are told apart where each is in one piece.
            order = np.arange(2 * n) if a is apart else rng.permutation(2 * n)
            a = a if dt == "complex128" else a.real
            x = from_np(a[np.ix_(order, order)])
            got = to_np(xp.linalg.eigvals(x))
            for part in (a[:n, :n], a[n:, n:]):
                for value in np.linalg.eigvalsh(part):
                    assert np.min(np.abs(got - value)) <= 20 * n * np.finfo(float).eps * np.linalg.norm(part)


@pytest.mark.parametrize("dt", ["float64", "complex128"])
def test_eigenvalues_beside_the_smallest_numbers(dt):
    for d in (5e-324, 1e-310, 1e-300, 1e-163, 1e-110):
        for a in ([[d, 0], [1, 0]], [[0, 0], [1, d]], [[d, 1], [0, 0]], [[0, 0, 0], [1, d, 0], [0, 1, 0]]):
            x = from_np(np.asarray(a, dt))
            for values in (xp.linalg.eigvals(x), xp.linalg.eig(x).eigenvalues):
                np.testing.assert_array_equal(np.sort_complex(to_np(values)), [0] * (len(a) - 1) + [d])
    for top, low in ((1e308, 5e-324), (1.7e308, 1e-320), (5e-324, 5e-324), (1e-310, 1e308)):
        x = from_np(np.asarray([[0, top], [low, 0]], dt))
        want = np.sqrt(top) * np.sqrt(low)
        for values in (xp.linalg.eigvals(x), xp.linalg.eig(x).eigenvalues):
            np.testing.assert_allclose(np.sort_complex(to_np(values)), [-want, want], rtol=1e-14)
    # Long cycles, and what vanishes beside them.
    for last, beside in itertools.product((1e124, 1.0, 1e-124, 1e-310), (5e-274, 5e-324)):
        a = np.diag(np.ones(5), -1).astype(dt)
        a[0, 5], a[4, 5] = last, beside
        for values in (xp.linalg.eigvals(from_np(a)), xp.linalg.eig(from_np(a)).eigenvalues):
            np.testing.assert_allclose(np.abs(to_np(values)), last ** (1 / 6), rtol=1e-10)


@pytest.mark.parametrize("n", [4, 7, 10])
def test_eigenvalues_of_chains(n):
    """Elements that grow one way and shrink the other: balanced, the matrix is one of ones."""
    for e in (50, 300):
        a = np.diag(np.full(n - 1, 2.0**e), 1) + np.diag(np.full(n - 1, 2.0**-e), -1)
        want = 2 * np.cos(np.arange(n, 0, -1) * np.pi / (n + 1))
        for values in (xp.linalg.eigvals(from_np(a)), xp.linalg.eig(from_np(a)).eigenvalues):
            got = np.sort_complex(to_np(values))
            assert np.max(np.abs(got - want)) <= 1e-13, e


@pytest.mark.parametrize("shape", [(136, 65), (224, 48), (12, 224), (400, 100)])
@pytest.mark.parametrize("dt", ["float64", "complex128"])
def test_a_matrix_of_a_stack_is_decomposed_as_alone(dt, shape):
    a = numbers(np.random.default_rng(0), shape, dt == "complex128").astype(dt)
    stack = xp.stack([from_np(a)] * 3)
    for name in ("svd", "qr", "svdvals", "pinv"):
        alone, together = getattr(xp.linalg, name)(from_np(a)), getattr(xp.linalg, name)(stack)
        for one, three in zip(alone, together) if isinstance(alone, tuple) else [(alone, together)]:
            for k in range(3):
                np.testing.assert_array_equal(to_np(three[k, ...]), to_np(one), err_msg=name)


@pytest.mark.parametrize("n", [12, 28, 44, 48, 50, 64, 100])
def test_eigenvalues_of_frank_matrices(n):
    """They need no balancing, and it must not spoil them: each is one of a matrix that differs by roundings."""
    i = np.arange(n)
    frank = np.where(i >= i[:, None] - 1, n - np.maximum(i, i[:, None]), 0).astype(float)
    for values in (xp.linalg.eigvals(from_np(frank)), xp.linalg.eig(from_np(frank)).eigenvalues):
        for value in to_np(values):
            least = np.linalg.svd(frank - value * np.eye(n), compute_uv=False)[-1]
            assert least <= 10 * np.finfo(float).eps * np.linalg.norm(frank), value


def test_enough_matrices_are_tried():
    square = [size for size in SIZES if size[0] == size[1]]
    # As many in single precision, at three scales of six.
    per_size = len(FAMILIES) * (2 * len(SCALES) + 2 * 3) * STACK
    assert len(square) * per_size >= 100_000


@pytest.mark.parametrize("dt", DTYPES)
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("name", DECOMPOSITIONS)
def test_what_is_left_of_hard_matrices(name, family, dt):
    double = dt in ("float64", "complex128")
    for i, (shape, scale) in enumerate(itertools.product(SIZES, list(SCALES) if double else list(SCALES)[:3])):
        if shape[0] != shape[1] and name.startswith("eig"):
            continue
        rng = np.random.default_rng([i, len(family)])
        a = FAMILIES[family](rng, (STACK, *shape), dt.startswith("complex"))
        with np.errstate(under="ignore"):
            # Beyond 1e300 the sums of the largest matrices would overflow, in any library.
            CHECKS[name]((a * SCALES[scale]).astype(dt))


@pytest.mark.parametrize("dt", ["float64", "complex128", "float32"])
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("name", DECOMPOSITIONS)
def test_what_is_left_of_larger_matrices(name, family, dt):
    for n in (16, 33, 64, 130) if family in ("numbers", "graded", "jordan", "low_rank") else (24, 70):
        shape = (2, n, n) if name.startswith("eig") else (2, n, n + 7)
        a = FAMILIES[family](np.random.default_rng(n), shape, dt.startswith("complex"))
        CHECKS[name](a.astype(dt))


@pytest.mark.parametrize("scale", [1e9, 1e-9, 1e200])
@pytest.mark.parametrize("name", DECOMPOSITIONS)
def test_what_is_left_of_larger_matrices_of_other_sizes(name, scale):
    """What the library finds does not depend on the unit."""
    CHECKS[name](scale * np.random.default_rng(1).standard_normal((1, 150, 150)))


@pytest.mark.parametrize("dt", ["float64", "complex128"])
@pytest.mark.parametrize("name", DECOMPOSITIONS)
def test_what_is_left_of_matrices_of_300(name, dt):
    for family in ("numbers", "graded"):
        CHECKS[name](FAMILIES[family](np.random.default_rng(300), (1, 300, 300), dt.startswith("complex")).astype(dt))


# --- systems of equations -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dt", DTYPES)
@pytest.mark.parametrize("family", FAMILIES)
def test_solutions_solve_what_was_asked(family, dt):
    """The rest is small beside matrix and solution: what no condition of the matrix spoils."""
    double = dt in ("float64", "complex128")
    for n, scale in itertools.product((1, 2, 3, 4, 5, 9, 30), list(SCALES)[: 5 if double else 3]):
        rng = np.random.default_rng(n)
        stack = (STACK // 2 if n < 10 else 4, n, n)
        a = (FAMILIES[family](rng, stack, dt.startswith("complex")) * SCALES[scale]).astype(dt)
        b = numbers(rng, (*stack[:-1], 2), dt.startswith("complex")).astype(dt)
        for matrix, right in zip(a, b):
            try:
                x = to_np(xp.linalg.solve(from_np(matrix), from_np(right)))
                inverse = to_np(xp.linalg.inv(from_np(matrix)))
            except ValueError as error:
                assert error.rule == "singular-matrix"
                assert type(error) is _strictarray.LinAlgError
                continue
            for got, wanted in ((x, right), (inverse, np.eye(n))):
                if not np.isfinite(got).all():
                    # It is beyond the range.
                    continue
                wide, g = matrix.astype("clongdouble"), got.astype("clongdouble")
                rest = np.abs(wide @ g - wanted).max(axis=0)
                size = (np.abs(wide).sum(axis=1).max() * np.abs(g).max(axis=0)) + np.abs(wanted).max(axis=0)
                tiny = np.abs(wide).sum(axis=1).max() * np.finfo(dt).smallest_subnormal
                assert (rest <= 50 * n * (np.finfo(dt).eps * size + tiny)).all()


@pytest.mark.parametrize("dt", DTYPES)
def test_exactly_singular_matrices_are_refused(dt):
    for a in ([[0.0]], [[1, 2], [2, 4]], [[1, 2, 3], [2, 4, 6], [1, 1, 1]], np.zeros((5, 5)), np.ones((9, 9))):
        a = np.asarray(a, dt)
        for f in (xp.linalg.inv, lambda x: xp.linalg.solve(x, x), lambda x: xp.linalg.matrix_power(x, -2)):
            with pytest.raises(ValueError, match="pinv") as error:
                f(from_np(a))
            assert error.value.rule == "singular-matrix"
            assert type(error.value).__name__ == "LinAlgError"
        assert to_np(xp.linalg.det(from_np(a))) == 0
        sign, logabsdet = xp.linalg.slogdet(from_np(a))
        assert to_np(sign) == 0 and to_np(logabsdet) == -INF


def test_the_refusal_says_which_matrix_it_is():
    a = np.broadcast_to(np.eye(3), (2, 4, 3, 3)).copy()
    a[1, 2, 2, 2] = 0
    for f in (xp.linalg.inv, lambda x: xp.linalg.solve(x, x), lambda x: xp.linalg.cholesky(x)):
        with pytest.raises(ValueError, match=r"\(1, 2\)"):
            f(from_np(a))
    a[1, 2, 2, 2] = NAN
    for name in ("svd", "svdvals", "eigh", "eigvalsh", "eig", "eigvals", "pinv", "matrix_rank"):
        with pytest.raises(ValueError, match=r"\(1, 2\)") as error:
            getattr(xp.linalg, name)(from_np(a))
        assert error.value.rule == "not-finite"


@pytest.mark.parametrize("dt", DTYPES)
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 8, 40])
def test_what_is_not_finite_gives_nan(n, dt):
    a = np.random.default_rng(n).standard_normal((3, n, n)).astype(dt)
    for bad in (NAN, INF, -INF):
        b = a.copy()
        b[1, n // 2, 0] = bad
        q, r = xp.linalg.qr(from_np(b))
        results = [xp.linalg.det(from_np(b)), *xp.linalg.slogdet(from_np(b)), xp.linalg.inv(from_np(b))]
        for result in map(to_np, (*results, q, xp.linalg.solve(from_np(b), from_np(a)))):
            assert np.isnan(result[1].real).all()
            assert np.isfinite(result[::2]).all()
        assert np.isnan(to_np(r)[1][np.triu_indices(n)].real).all()
        assert np.isfinite(to_np(r)[::2]).all()
        refuse("not-positive-definite", xp.linalg.cholesky, from_np(b))


def test_what_has_no_elements_takes_no_time():
    """However many matrices, or columns, it would be of."""
    many = xp.broadcast_to(xp.zeros((1, 0, 0)), (10**9, 0, 0))
    for name in ("cholesky", "inv", "svdvals", "eigvalsh", "qr"):
        getattr(xp.linalg, name)(many)
    assert xp.linalg.qr(xp.zeros((0, 10**9))).R.shape == (0, 10**9)
    assert xp.linalg.cross(xp.zeros((2**58, 0, 3)), xp.zeros((1, 0, 3))).shape == (2**58, 0, 3)
    assert xp.linalg.matrix_power(xp.zeros((0, 2**20, 2**20)), 0).shape == (0, 2**20, 2**20)
    assert to_np(xp.linalg.matrix_norm(xp.zeros((0, 10**9)), ord=1)) == 0


@pytest.mark.parametrize("dt", DTYPES)
def test_matrices_that_are_not_positive_definite(dt):
    for a in ([[0.0]], [[-1.0]], [[1, 2], [2, 1]], -np.eye(5), np.zeros((3, 3)), np.diag([1.0] * 20 + [-1e-3])):
        for upper in (False, True):
            error = refuse("not-positive-definite", xp.linalg.cholesky, from_np(np.asarray(a, dt)), upper=upper)
            assert isinstance(error, ValueError) and error.argument == "x"


@pytest.mark.parametrize("dt", DTYPES)
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 17, 60])
def test_triangles(n, dt):
    """Only the triangle asked for is read."""
    rng = np.random.default_rng(n)
    root = numbers(rng, (4, n, n), dt.startswith("complex"))
    full = (root @ hermitian(root) + np.eye(n)).astype(dt)
    for scale in (1.0, 1e-30, 1e30):
        a = (full * scale).astype(dt)
        for upper, keep in ((False, np.tril), (True, np.triu)):
            other = np.triu(np.full((n, n), NAN), 1) if keep is np.tril else np.tril(np.full((n, n), NAN), -1)
            got = to_np(xp.linalg.cholesky(from_np((keep(a) + other).astype(dt)), upper=upper))
            assert (got == keep(got)).all()
            wide = got.astype("clongdouble")
            product = hermitian(wide) @ wide if upper else wide @ hermitian(wide)
            assert (np.abs(product - a) <= 50 * n * np.finfo(dt).eps * largest(a)[:, None, None]).all()
            assert np.array_equal(got, to_np(xp.linalg.cholesky(from_np(a), upper=upper)))


def test_determinants_that_overflow_on_the_way():
    a = np.diag([1e300, 1e300, 1e-300, 1e-300, 3.0])
    assert to_np(xp.linalg.det(from_np(a))) == pytest.approx(3.0, rel=1e-14)
    n = 400
    sign, logabsdet = xp.linalg.slogdet(from_np(-1e3 * np.eye(n)))
    assert to_np(sign) == 1 and to_np(logabsdet) == pytest.approx(n * math.log(1e3), rel=1e-14)
    assert to_np(xp.linalg.det(from_np(1e3 * np.eye(n)))) == INF
    assert to_np(xp.linalg.det(from_np(1e-3 * np.eye(n)))) == 0
    z = xp.linalg.slogdet(from_np(np.diag([2j, 3j, 1j])))
    assert complex(to_np(z.sign)) == pytest.approx(-1j) and to_np(z.logabsdet) == pytest.approx(math.log(6))


# --- shapes and data types ------------------------------------------------------------------------------------------


SQUARE = ("det", "eig", "eigh", "eigvals", "eigvalsh", "inv", "slogdet", "cholesky")
MATRICES = ("qr", "svd", "svdvals", "pinv", "matrix_rank", "matrix_norm", "trace", "diagonal", "matrix_transpose")


def results_of(value):
    return value if isinstance(value, tuple) else (value,)


@pytest.mark.parametrize("dt", DTYPES)
@pytest.mark.parametrize("name", [*SQUARE, *MATRICES])
def test_no_matrices_and_matrices_of_no_elements(name, dt):
    f = getattr(xp.linalg, name)
    theirs = getattr(np.linalg, name) if name != "inv" else lambda a: a
    for shape in [
        (0, 0),
        (0, 2, 2),
        (3, 0, 0),
        (0, 0, 0),
        *([(0, 3), (3, 0), (2, 0, 4), (2, 4, 0), (0, 2, 3)] * (name in MATRICES)),
    ]:
        got = results_of(f(xp.zeros(shape, dtype=getattr(xp, dt))))
        if name in ("matrix_rank", "pinv", "matrix_norm"):
            # NumPy refuses some of these.
            want = {
                "matrix_rank": np.zeros(shape[:-2], np.int64),
                "pinv": np.zeros((*shape[:-2], *shape[:-3:-1])),
                "matrix_norm": np.zeros(shape[:-2]),
            }[name]
            want = (want,)
        else:
            want = results_of(theirs(np.zeros(shape, dt)))
        for g, w in zip(got, want, strict=True):
            assert g.shape == w.shape
            np.testing.assert_array_equal(to_np(g), w)


@pytest.mark.parametrize("name", [*SQUARE, *MATRICES])
def test_no_matrices_need_no_memory(name):
    """However large they would be, and however many there are of none."""
    results = results_of(getattr(xp.linalg, name)(xp.zeros((0, 2**20, 2**20))))
    assert all(x.size == 0 for x in results)


def test_decompositions_of_no_elements_are_orthonormal():
    for shape in ((0, 3), (3, 0)):
        u, s, vh = xp.linalg.svd(xp.zeros(shape))
        np.testing.assert_array_equal(to_np(u), np.eye(shape[0]))
        np.testing.assert_array_equal(to_np(vh), np.eye(shape[1]))
        assert s.shape == (0,)
        q, r = xp.linalg.qr(xp.zeros(shape), mode="complete")
        np.testing.assert_array_equal(to_np(q), np.eye(shape[0]))
        assert r.shape == shape


@pytest.mark.parametrize("name", [*SQUARE, *MATRICES])
def test_vectors_are_refused(name):
    for x in (xp.ones(()), xp.ones(3)):
        refuse("at-least-2d", getattr(xp.linalg, name), x, argument="x")
    if name in SQUARE:
        for shape in ((2, 3), (2, 3, 2), (0, 3)):
            refuse("square-matrix", getattr(xp.linalg, name), xp.ones(shape), argument="x")


MEMORY = """
import resource, sys
import strictarray as xp
f, n = getattr(xp.linalg, sys.argv[1]), int(sys.argv[2])
x = xp.eye(n) * 3.0
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + 2**24,) * 2)
try:
    f(x)
except MemoryError as error:
    assert error.rule == "out-of-memory", error
else:
    raise AssertionError("there was memory")
"""


@pytest.mark.parametrize("name", ["inv", "svd", "eig", "eigh", "cholesky", "qr", "det"])
def test_too_little_memory_is_an_error_and_not_the_end(name):
    """What the library would end the process for is refused before it is called."""
    for n in (40, 100):
        subprocess.run([sys.executable, "-c", MEMORY, name, str(n)], check=True, timeout=300)


@pytest.mark.parametrize("device", DEVICE_NAMES)
def test_results_are_on_the_device(device):
    where = xp.Device(device)
    for dt in DTYPES:
        if dt in MISSING_DTYPES[device]:
            continue
        x = xp.asarray(xp.eye(3, dtype=getattr(xp, dt)), device=where)
        real = {"complex64": "float32", "complex128": "float64"}.get(dt, dt)
        complex_ = {"float32": "complex64", "float64": "complex128"}.get(dt, dt)
        wanted = {
            "eigh": (real, dt),
            "eig": (complex_, complex_),
            "svd": (dt, real, dt),
            "slogdet": (dt, real),
            "qr": (dt, dt),
            "svdvals": (real,),
            "matrix_norm": (real,),
            "vector_norm": (real,),
            "eigvals": (complex_,),
            "eigvalsh": (real,),
            "matrix_rank": ("int32" if device == "no_x64" else "int64",),
        }
        for name, dtypes in wanted.items():
            results = results_of(getattr(xp.linalg, name)(x))
            assert tuple(dtype_name(r.dtype) for r in results) == dtypes
            assert all(r.device == where for r in results)


def test_named_tuples():
    x = xp.asarray([[2.0, 1.0], [1.0, 3.0]])
    fields = {
        "eig": ("eigenvalues", "eigenvectors"),
        "eigh": ("eigenvalues", "eigenvectors"),
        "qr": ("Q", "R"),
        "slogdet": ("sign", "logabsdet"),
        "svd": ("U", "S", "Vh"),
    }
    for name, names in fields.items():
        result = getattr(xp.linalg, name)(x)
        assert result._fields == names
        again = pickle.loads(pickle.dumps(result))
        assert type(again) is type(result)
        for a, b in zip(result, again):
            np.testing.assert_array_equal(to_np(a), to_np(b))


def test_solve_tells_vectors_by_their_dimensions_alone():
    a = np.random.default_rng(0).standard_normal((3, 3, 3)) + 3 * np.eye(3)
    b = np.random.default_rng(1).standard_normal((3, 3))
    x = from_np(a)
    # One vector for each matrix of the stack.
    np.testing.assert_allclose(to_np(xp.linalg.solve(x, from_np(b[0]))), np.linalg.solve(a, b[0][:, None])[..., 0])
    # A stack of vectors would be a matrix: it is read as one.
    np.testing.assert_allclose(to_np(xp.linalg.solve(x, from_np(b))), np.linalg.solve(a, b[None]))
    assert xp.linalg.solve(xp.eye(2), xp.ones((4, 2, 5))).shape == (4, 2, 5)
    assert xp.linalg.solve(xp.ones((4, 1, 0, 0)), xp.ones((5, 0, 2))).shape == (4, 5, 0, 2)
    assert xp.linalg.solve(xp.eye(3), xp.ones((3, 0))).shape == (3, 0)
    refuse("contraction", xp.linalg.solve, xp.eye(3), xp.ones(2), argument="x2")
    refuse("contraction", xp.linalg.solve, xp.eye(3), xp.ones((2, 3)), argument="x2")
    refuse("broadcast", xp.linalg.solve, xp.ones((2, 3, 3)), xp.ones((4, 3, 1)), argument="x2")
    refuse("at-least-1d", xp.linalg.solve, xp.eye(3), xp.ones(()), argument="x2")


@pytest.mark.parametrize(("a", "b"), list(itertools.product(DTYPES, repeat=2)))
def test_solve_promotes(a, b):
    x1, x2 = 2 * np.eye(2, dtype=a), np.ones(2, b)
    got = xp.linalg.solve(from_np(x1), from_np(x2))
    assert dtype_name(got.dtype) == np.result_type(x1, x2).name
    np.testing.assert_array_equal(to_np(got), [0.5, 0.5])


def test_outer_takes_vectors_only():
    for place, args in ((("x1", (xp.ones((2, 2)), xp.ones(2)))), ("x2", (xp.ones(2), xp.ones(())))):
        refuse("exactly-1d", xp.linalg.outer, *args, argument=place)


def test_cross_products():
    rng = np.random.default_rng(5)
    a, b = rng.standard_normal((4, 3, 5)), rng.standard_normal((3, 1))
    got = xp.linalg.cross(from_np(a), from_np(b), axis=-2)
    np.testing.assert_allclose(to_np(got), np.cross(a, np.broadcast_to(b, a.shape), axis=-2))
    for dt in ("int8", "uint16", "int64"):
        i, j = (rng.integers(0, 9, (6, 3)).astype(dt) for _ in range(2))
        np.testing.assert_array_equal(to_np(xp.linalg.cross(from_np(i), from_np(j))), np.cross(i, j))
    refuse("cross-size", xp.linalg.cross, xp.ones((3, 2)), xp.ones((3, 2)), argument="x1")
    refuse("cross-size", xp.linalg.cross, xp.ones(3), xp.ones(1), argument="x2")
    refuse("axis", xp.linalg.cross, xp.ones((3, 3)), xp.ones((3, 3)), axis=0, argument="axis")
    refuse("axis", xp.linalg.cross, xp.ones((3, 3)), xp.ones(3), axis=-2, argument="axis")
    refuse("at-least-1d", xp.linalg.cross, xp.ones(()), xp.ones(3), argument="x1")
    with flags(api_version="2022.12"):
        got = xp.linalg.cross(from_np(a), from_np(np.broadcast_to(b, (3, 5))), axis=1)
        np.testing.assert_allclose(to_np(got), np.cross(a, np.broadcast_to(b, a.shape), axis=1))


@pytest.mark.parametrize("dt", DTYPES)
def test_powers_of_matrices(dt):
    a = np.asarray([[1, 1], [0, 1]], dt)
    x = from_np(np.broadcast_to(a, (3, 2, 2)))
    for n in (0, 1, 2, 5, 64, 1000, -1, -7):
        want = np.broadcast_to(np.asarray([[1, n], [0, 1]], dt), (3, 2, 2))
        np.testing.assert_array_equal(to_np(xp.linalg.matrix_power(x, n)), want)
    assert xp.linalg.matrix_power(xp.ones((0, 2, 2)), -3).shape == (0, 2, 2)
    # Far beyond the range, and done at once.
    power = to_np(xp.linalg.matrix_power(from_np(np.full((1, 1), 2, dt)), 2**70))
    assert power == INF or dt.startswith("complex")
    assert to_np(xp.linalg.matrix_power(from_np(np.full((1, 1), 2, dt)), -(2**70))) == 0
    for n in (2**127, -(2**127), 10**40):
        refuse("value", xp.linalg.matrix_power, x, n, argument="n")
    result = xp.linalg.matrix_power(x, 1)
    result[...] = 0
    np.testing.assert_array_equal(a, [[1, 1], [0, 1]])


def test_diagonals_are_views():
    x = xp.zeros((3, 4))
    xp.linalg.diagonal(x, offset=1)[...] = 1.0
    np.testing.assert_array_equal(to_np(x), np.eye(3, 4, 1))
    for offset in (-9, -3, 4, 2**70, -(2**70)):
        assert xp.linalg.diagonal(x, offset=offset).shape == (0,)
        assert to_np(xp.linalg.trace(x, offset=offset)) == 0


# --- norms and ranks ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dt", DTYPES)
@pytest.mark.parametrize("order", [0, 1, 2, 3, 0.5, -1, -2, -0.5, 100, INF, -INF])
def test_norms_of_vectors_that_overflow_on_the_way(order, dt):
    """Of the whole range: powers of elements would be infinite or 0."""
    info = np.finfo(dt)
    for scale in (1.0, float(info.max) / 64, float(info.tiny) * 8, float(info.smallest_subnormal) * 64):
        for count in (1, 3, 40):
            a = np.ldexp(np.ones(count), np.arange(count) % 3) * scale
            a = (a * np.where(np.arange(count) % 2, -1, 1)).astype(dt)
            wide = np.abs(a.astype("clongdouble")) / np.longdouble(scale)
            if order == 0:
                want = np.longdouble(count)
            elif math.isinf(order):
                want = (wide.max() if order > 0 else wide.min()) * np.longdouble(scale)
            else:
                want = np.sum(wide ** np.longdouble(order)) ** (1 / np.longdouble(order)) * np.longdouble(scale)
            got = to_np(xp.linalg.vector_norm(from_np(a), ord=order))
            assert dtype_name(xp.linalg.vector_norm(from_np(a), ord=order).dtype) == info.dtype.name
            if want > info.max:
                assert got == INF
            else:
                assert abs(got - want) <= 40 * info.eps * want + info.smallest_subnormal, (scale, count, got, want)


@pytest.mark.parametrize("order", [3, 7, 1.7, 10.5, 0.3, -3, -1.7])
def test_norms_of_one_element_are_its_magnitude(order):
    """Of numbers whose power is far from 1, whose root shows that the inverse of the order is rounded."""
    eps = np.finfo("float64").eps
    for exponent in range(-300, 301, 7):
        for digits in (1.0, 1.3, 4.5):
            value = digits * 10.0**exponent
            got = float(xp.linalg.vector_norm(xp.asarray([-value]), ord=order))
            # A rounding of the power, which the root divides, and one of the root; where the magnitude is divided by, two more.
            assert abs(got - value) <= (1 / abs(order) + 2) * eps * value, value


def test_norms_of_one_array_at_every_scale():
    """Rows that overflow, rows that vanish, and ordinary ones side by side."""
    a = np.ones((7, 4)) * np.asarray([1e300, 1e-300, 1.0, 0.0, INF, NAN, 5e-324])[:, None]
    want = np.asarray([2e300, 2e-300, 2.0, 0.0, INF, NAN, 1e-323])
    for order, factor in ((2, 1), (4, 2**-0.5)):
        got = to_np(xp.linalg.vector_norm(from_np(a), axis=1, ord=order))
        np.testing.assert_allclose(got[:-1], want[:-1] * factor, rtol=1e-15)
        assert abs(got[-1] - want[-1] * factor) <= 5e-324
    np.testing.assert_allclose(to_np(xp.linalg.vector_norm(from_np(a.T.copy()), axis=0)), want, rtol=1e-15, atol=5e-324)


def test_norms_of_special_values():
    for values, order, want in [
        ([3.0, 4.0], 2, 5.0),
        ([0.0, 0.0], 2, 0.0),
        ([0.0, 0.0], 3, 0.0),
        ([0.0, 2.0], -1, 0.0),
        ([INF, 1.0], 2, INF),
        ([INF, 1.0], 3, INF),
        ([INF, INF], -1, INF),
        ([INF, 1.0], -INF, 1.0),
        ([NAN, INF], 2, NAN),
        ([NAN, 1.0], INF, NAN),
        ([NAN, 1.0], 1.5, NAN),
        ([NAN, 0.0], 0, 1.0),
        ([0.0, -0.0, 5.0], 0, 1.0),
        ([], 2, 0.0),
        ([], 1, 0.0),
        ([], 0, 0.0),
        ([], INF, 0.0),
        ([], 2.5, 0.0),
        ([], -1, INF),
    ]:
        got = xp.linalg.vector_norm(xp.asarray(values, dtype=xp.float64), ord=order)
        np.testing.assert_array_equal(to_np(got), want, err_msg=f"{values}, {order}")
    refuse("empty-reduction", xp.linalg.vector_norm, xp.ones(0), ord=-INF, argument="x")
    refuse("norm-order", xp.linalg.vector_norm, xp.ones(2), ord=NAN, argument="ord")


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("order", ["fro", "nuc", 1, -1, 2, -2, INF, -INF, 1.0, -2.0])
@pytest.mark.parametrize("dt", DTYPES)
def test_norms_of_matrices(dt, order, keepdims):
    a = numbers(np.random.default_rng(4), (2, 3, 5), dt.startswith("complex")).astype(dt)
    want = np.linalg.norm(a.astype("complex128"), ord=order, axis=(-2, -1), keepdims=keepdims)
    got = xp.linalg.matrix_norm(from_np(a), ord=order, keepdims=keepdims)
    assert got.shape == want.shape
    np.testing.assert_allclose(to_np(got), want, rtol=50 * np.finfo(dt).eps)


def test_orders_that_no_norm_of_matrices_has():
    for order in (0, 3, 0.5, NAN, 1.5):
        error = refuse("norm-order", xp.linalg.matrix_norm, xp.eye(2), ord=order, argument="ord")
        assert "'fro', 'nuc', 1, -1, 2, -2, inf or -inf" in str(error)
    error = refuse("not-a-choice", xp.linalg.matrix_norm, xp.eye(2), ord="frobenius", argument="ord")
    assert "a number (int, float; no subclass, no array) or 'fro' or 'nuc'" in str(error)
    refuse("not-a-scalar", xp.linalg.matrix_norm, xp.eye(2), ord=None, argument="ord")
    for order in (-1, -2, -INF):
        refuse("empty-reduction", xp.linalg.matrix_norm, xp.ones((2, 0)), ord=order, argument="x")
    for order in (1, 2, INF, "fro", "nuc"):
        for shape in ((2, 0), (0, 2), (0, 0)):
            assert to_np(xp.linalg.matrix_norm(xp.ones(shape), ord=order)) == 0
    for order in (2, -2, "nuc"):
        refuse("not-finite", xp.linalg.matrix_norm, from_np(np.asarray([[NAN]])), ord=order)


@pytest.mark.parametrize("dt", DTYPES)
def test_tolerances(dt):
    a = np.broadcast_to(np.diag([4.0, 2.0, 1.0, 0.0]).astype(dt), (2, 3, 4, 4))
    x = from_np(a)
    for rtol, rank in ((None, 3), (0.0, 3), (0, 3), (0.25, 2), (0.2, 3), (0.5, 1), (1.0, 0), (INF, 0)):
        got = to_np(xp.linalg.matrix_rank(x, rtol=rtol))
        assert (got == rank).all() and got.shape == (2, 3)
        inverse = np.diag([v and (1 / v if i < rank else 0) for i, v in enumerate([4.0, 2.0, 1.0, 0.0])])
        np.testing.assert_allclose(to_np(xp.linalg.pinv(x, rtol=rtol)), np.broadcast_to(inverse, a.shape), atol=1e-6)
    each = xp.asarray([0.0, 0.25, 0.5], dtype=getattr(xp, np.finfo(dt).dtype.name))
    np.testing.assert_array_equal(to_np(xp.linalg.matrix_rank(x, rtol=each)), [[3, 2, 1]] * 2)
    column = xp.asarray([[0.25], [0.5]], dtype=xp.float32)
    np.testing.assert_array_equal(to_np(xp.linalg.matrix_rank(x, rtol=column)), [[2] * 3, [1] * 3])
    for f in (xp.linalg.matrix_rank, xp.linalg.pinv):
        refuse("broadcast", f, x, rtol=xp.ones(2), argument="rtol")
        refuse("broadcast", f, x, rtol=xp.ones((4, 2, 3)), argument="rtol")
        refuse("value", f, x, rtol=-0.5, argument="rtol")
        refuse("value", f, x, rtol=NAN, argument="rtol")
        refuse("value", f, x, rtol=xp.asarray([0.0, -1.0, 0.0]), argument="rtol")
        refuse("value", f, x, rtol=xp.asarray(NAN), argument="rtol")
        refuse("scalar-kind", f, x, rtol=1j, argument="rtol")
        refuse("dtype-kind", f, x, rtol=xp.ones(3, dtype=xp.int64), argument="rtol")
        refuse("device-mixed", f, x, rtol=xp.ones(3, device=xp.Device("device1")), argument="rtol")


def test_the_default_tolerance_is_that_of_the_precision():
    a = np.diag([1.0, 1e-10])
    assert to_np(xp.linalg.matrix_rank(from_np(a))) == 2
    assert to_np(xp.linalg.matrix_rank(from_np(a.astype("float32")))) == 1
    assert to_np(xp.linalg.matrix_rank(from_np(a), rtol=1e-9)) == 1


def test_a_namespace_of_a_version_has_its_functions():
    older = xp.ones((2, 2)).__array_namespace__(api_version="2023.12")
    assert older.linalg.inv(older.eye(2)).__array_namespace__() is xp
    assert not hasattr(older.linalg, "eig") and hasattr(xp.linalg, "eig")
    with pytest.raises(TypeError, match=r"2022\.12") as error:
        xp.eye(2).__array_namespace__(api_version="2021.12").linalg.trace(xp.eye(2), dtype=xp.float64)
    assert error.value.rule == "later-argument"


def test_arguments_are_left_as_they_are():
    a = np.random.default_rng(0).standard_normal((3, 3)) + 3 * np.eye(3)
    symmetric = a + a.T
    for name in (*SQUARE, *MATRICES):
        x = own(symmetric @ symmetric)
        before = to_np(x).copy()
        getattr(xp.linalg, name)(x)
        np.testing.assert_array_equal(to_np(x), before)


@pytest.mark.parametrize("dt", ["float32", "float64"])
@pytest.mark.parametrize("shape", [(1, 1), (2, 2), (4, 4), (3, 7), (7, 3), (20, 30), (30, 20), (40, 40)])
@pytest.mark.parametrize("full", [False, True])
def test_signs_of_singular_vectors(shape, dt, full):
    """The largest element of each left one is positive: so noise in the last bits does not turn them."""
    rng = np.random.default_rng(sum(shape))
    a = rng.standard_normal((5, *shape)).astype(dt)
    k = min(shape)
    u, s, vh = (to_np(part) for part in xp.linalg.svd(xp.asarray(a), full_matrices=full))
    largest = np.take_along_axis(u, np.abs(u).argmax(axis=-2)[:, None, :], axis=-2)[:, 0]
    assert (largest > 0).all()
    assert np.allclose((u[..., :k] * s[:, None, :]) @ vh[..., :k, :], a, atol=1e-4)
    other, _, _ = (to_np(part) for part in xp.linalg.svd(xp.asarray(-a), full_matrices=full))
    assert np.allclose(other[..., :k], u[..., :k], atol=1e-2)


@pytest.mark.parametrize("n", [2, 3, 5, 8, 12, 29])
def test_signs_of_singular_vectors_whose_largest_elements_are_equal(n):
    """Of those that are equal but for rounding the first decides: any multiple of a matrix has the same vectors."""
    t = 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    u = to_np(xp.linalg.svd(xp.asarray(t)).U)
    for factor in (3.0, 0.1, 7.0, 1e-5):
        assert np.allclose(to_np(xp.linalg.svd(xp.asarray(t * factor)).U), u, atol=1e-6)
