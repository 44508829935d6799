"""What each version of the standard changed, under the version before and under the one that changed it.

The table is `behaviour.json` beside the rows of `strictarray-standard`. A row is `refusable`, where one of the two versions
does not have the behaviour and refuses it, or `result-changing`, where both have one of their own.
"""

import json
import pathlib

import numpy as np
import pytest
from support import dtype_name, flags, to_np
from support import function as function_of

import strictarray as xp

TABLE = json.loads(
    (pathlib.Path(__file__).parent.parent / "crates/strictarray-standard/data/behaviour.json").read_text(
        encoding="utf-8"
    )
)
VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12", "2026.12")
REFUSALS = ("later-behaviour", "later-argument", "later-name", "scalar-conversion-kind")

Z = xp.asarray([0.5 + 0.5j, 0.25 - 1j])
X = xp.asarray([0.5, 1.5])
F = xp.asarray([0.5, 1.5], dtype=xp.float32)
I = xp.asarray([[1, 2], [3, 4]])  # noqa: E741
B = xp.asarray([True, False])
SHORT = xp.asarray([[1, 2], [3, 4]], dtype=xp.int8)
F2 = xp.asarray([[0.5, 1.5], [2.5, 3.5]], dtype=xp.float32)
C = xp.asarray([[1, 2], [3, 4], [5, 6]])
V = xp.asarray([1j, 2.0, 3.0])
# Hermitian.
M = xp.asarray([[2 + 0j, 1j], [-1j, 3]])
# The name is not there before 2022.12: what is to be refused is the call.
C64 = xp.complex64


def function(name):
    return lambda *args, **kwargs: function_of(name)(*args, **kwargs)


def method(name):
    return lambda *args, **kwargs: getattr(*args[:1], name)(*args[1:], **kwargs)


def scalar_beside_an_array(name):
    array, scalar = (B, True) if "logical" in name else (I, 1) if "bitwise" in name else (X, 1.5)
    return function(name)(array, scalar), function(name)(scalar, array)


# Calls with complex arrays that are neither f(z) nor f(z, z).
COMPLEX = {
    "asarray": lambda: xp.asarray([1j]),
    "astype": lambda: xp.astype(X, C64),
    "eye": lambda: xp.eye(2, dtype=C64),
    "finfo": lambda: xp.finfo(C64),
    "full": lambda: xp.full(2, 1j),
    "full_like": lambda: xp.full_like(X, 1j, dtype=C64),
    "linspace": lambda: xp.linspace(0, 1j, 3),
    "meshgrid": lambda: xp.meshgrid(Z, Z),
    "ones": lambda: xp.ones(2, dtype=C64),
    "ones_like": lambda: xp.ones_like(Z),
    "tensordot": lambda: xp.tensordot(Z, Z, axes=1),
    **{
        f"linalg.{name}": lambda name=name: getattr(xp.linalg, name)(M)
        for name in "det eigh eigvalsh inv matrix_norm matrix_rank pinv qr slogdet svd svdvals trace".split()
    },
    "linalg.cholesky": lambda: xp.linalg.cholesky(M @ M),
    "linalg.matrix_power": lambda: xp.linalg.matrix_power(M, 2),
    "linalg.solve": lambda: xp.linalg.solve(M, Z),
    "linalg.cross": lambda: xp.linalg.cross(V, V),
    "linalg.tensordot": lambda: xp.linalg.tensordot(Z, Z, axes=1),
    "__bool__": lambda: bool(Z[0]),
    "__float__": None,
    "__int__": None,
    "__abs__": lambda: abs(Z),
    "__neg__": lambda: -Z,
    "__pos__": lambda: +Z,
    # Of these it is real arrays that went away.
    "fft.fft": lambda: xp.fft.fft(X),
    "fft.fftn": lambda: xp.fft.fftn(X),
    "fft.hfft": lambda: xp.fft.hfft(X),
    "fft.ifft": lambda: xp.fft.ifft(X),
    "fft.ifftn": lambda: xp.fft.ifftn(X),
}
BINARY = ("add", "divide", "equal", "multiply", "not_equal", "pow", "subtract", "matmul", "vecdot")
BINARY += ("linalg.matmul", "linalg.outer", "linalg.vecdot")


def complex_arrays(name):
    if name in COMPLEX:
        return COMPLEX[name]()
    call = method(name) if name.startswith("__") else function(name)
    pair = name in BINARY or name.startswith("__")
    return call(Z, Z) if pair else call(Z)


def dtype_of(name):
    return lambda: dtype_name(getattr(xp, name)(F).dtype)


# For each refusable row the call that one of the versions refuses.
REFUSABLE = {
    "scalar": scalar_beside_an_array,
    "scalar where": lambda _: xp.where(B, X, 1.5),
    "scalar result_type": lambda _: xp.result_type(X, 1.5),
    "scalar searchsorted": lambda _: xp.searchsorted(X, 1.0),
    "complex": complex_arrays,
    "kind __bool__": lambda _: bool(X[0]),
    "kind __float__": lambda _: float(I[0, 0]),
    "kind __int__": lambda _: int(X[0]),
    "real": lambda name: function(name)(X),
    "device astype": lambda _: xp.astype(X, xp.float32, device=xp.Device("device1")),
    "device from_dlpack": lambda _: xp.from_dlpack(X, device=X.device, copy=True),
    "keywords __dlpack__": lambda _: X.__dlpack__(max_version=(1, 0), dl_device=None, copy=None),
    "tuple expand_dims": lambda _: xp.expand_dims(X, axis=(0, 1)),
    "negative permute_dims": lambda _: xp.permute_dims(I, (-1, 0)),
    "negative tensordot": lambda _: xp.tensordot(I, I, axes=((-1,), (0,))),
    "negative vecdot": lambda _: xp.vecdot(I, I, axis=0),
    "negative linalg.tensordot": lambda _: xp.linalg.tensordot(I, I, axes=((-1,), (0,))),
    "negative linalg.vecdot": lambda _: xp.linalg.vecdot(I, I, axis=0),
    "negative linalg.cross": lambda _: xp.linalg.cross(C, C, axis=0),
    "broadcast linalg.cross": lambda _: xp.linalg.cross(C, xp.ones((3, 1), dtype=xp.int64), axis=-2),
    "dtype linalg.trace": lambda _: xp.linalg.trace(I, dtype=xp.int64),
    "arrays __getitem__": lambda _: X[xp.asarray([1, 0])],
    "iteration __iter__": lambda _: list(X),
    "dtype fft.fftfreq": lambda _: xp.fft.fftfreq(4, dtype=xp.float32),
    "dtype fft.rfftfreq": lambda _: xp.fft.rfftfreq(4, dtype=xp.float32),
}
# Rows whose behaviour went away rather than came: the later version refuses it.
WENT_AWAY = {("vecdot", "negative"), ("linalg.vecdot", "negative"), ("linalg.cross", "negative")}
WENT_AWAY |= {(f"fft.{name}", "complex") for name in ("fft", "fftn", "hfft", "ifft", "ifftn")}

# For each result-changing row what is looked at, its value before, and since.
CHANGING = {
    ("sum", "dtype"): (dtype_of("sum"), "float64", "float32"),
    ("prod", "dtype"): (dtype_of("prod"), "float64", "float32"),
    ("linalg.trace", "default"): (lambda: dtype_name(xp.linalg.trace(SHORT).dtype), "int8", "int64"),
    ("linalg.trace", "dtype"): (lambda: dtype_name(xp.linalg.trace(F2).dtype), "float64", "float32"),
    ("meshgrid", "tuple"): (lambda: type(xp.meshgrid(X, X)), list, tuple),
    ("broadcast_arrays", "tuple"): (lambda: type(xp.broadcast_arrays(X, X)), list, tuple),
    ("__array_namespace_info__", "devices"): (lambda: type(xp.__array_namespace_info__().devices()), list, tuple),
    ("__array_namespace_info__", "capabilities"): (
        lambda: "max dimensions" in xp.__array_namespace_info__().capabilities(),
        False,
        True,
    ),
}
# What the earlier version left open, or got wrong, and we do alike under both: the value that both have.
ALIKE = {
    ("__dlpack__", "exceptions"): lambda: _raises(BufferError, lambda: X.to_device(xp.Device("device1")).__dlpack__()),
    ("from_dlpack", "exceptions"): lambda: _raises(BufferError, lambda: xp.from_dlpack(_Elsewhere())),
    ("clip", "nan"): lambda: bool(to_np(xp.isnan(xp.clip(X, xp.asarray(float("nan")), 2.0))).all()),
    ("can_cast", "device"): lambda: (
        not xp.can_cast(xp.ones(1, dtype=xp.float32, device=xp.Device("no_x64")), xp.float64)
    ),
    ("result_type", "device"): lambda: xp.result_type(F, F) == xp.float32,
    ("finfo", "dtype"): lambda: xp.finfo(F).dtype == xp.float32,
    ("iinfo", "dtype"): lambda: xp.iinfo(I).dtype == xp.int64,
    ("searchsorted", "side"): lambda: to_np(xp.searchsorted(X, X)).tolist() == [0, 1],
    ("fft.fftfreq", "dtype"): lambda: xp.fft.fftfreq(4, device=xp.Device("device2")).dtype == xp.float32,
    ("fft.rfftfreq", "dtype"): lambda: xp.fft.rfftfreq(4, device=xp.Device("device2")).dtype == xp.float32,
    ("fft.irfft", "dtype"): lambda: xp.fft.irfft(xp.astype(Z, C64)).dtype == xp.float32,
    ("fft.irfftn", "dtype"): lambda: xp.fft.irfftn(xp.astype(Z, C64)).dtype == xp.float32,
    ("linalg.matrix_rank", "dtype"): lambda: xp.linalg.matrix_rank(F2).dtype == xp.int64,
    ("linalg.solve", "vector"): lambda: (
        xp.linalg.solve(xp.stack([F2] * 3), F).shape == (3, 2) and xp.linalg.solve(F2, F2).shape == (2, 2)
    ),
}


class _Elsewhere:
    """An exporter on a device that is not the host's."""

    def __dlpack_device__(self):
        return (2, 0)

    def __dlpack__(self, **kwargs):
        raise AssertionError("not asked")


def _raises(exception, call):
    with pytest.raises(exception):
        call()
    return True


def exists(name):
    if "." in name:
        extension, name = name.split(".")
        return hasattr(getattr(xp, extension, None), name)
    return hasattr(xp, name) or hasattr(X, name) or name == "__iter__"


def test_every_function_is_there():
    assert all(exists(row["function"]) for row in TABLE)


def rows(kind, table=None):
    """The rows of a kind that a table speaks of."""
    for row in TABLE:
        key = (row["function"], row["id"])
        if row["kind"] == kind and (table is None or key in table):
            yield pytest.param(row, id="-".join((*key, row["version"])))


def versions_of(row):
    """The version before the change, if it has the function, and the one that made it."""
    before = VERSIONS[VERSIONS.index(row["version"]) - 1]
    with flags(api_version=before):
        there = row["function"].startswith("__") or exists(row["function"])
    return before if there else None, row["version"]


def call_of(row):
    name, key = row["function"], row["id"]
    if key == "complex" and COMPLEX.get(name, True) is None:
        # What has no complex result in any version: the row says only what the method looks at.
        return None
    return REFUSABLE.get(f"{key} {name}", REFUSABLE.get(key))


def refused(call):
    """Whether it is refused as what another version has."""
    try:
        call()
    except Exception as error:
        assert getattr(error, "rule", None) in (*REFUSALS, "axis", "dtype-kind"), repr(error)
        return True
    return False


@pytest.mark.parametrize("row", [*rows("refusable")])
def test_one_version_refuses_what_the_other_has(row):
    call = call_of(row)
    if call is None:
        assert (row["function"], row["id"]) in (("__float__", "complex"), ("__int__", "complex"))
        return
    before, since = versions_of(row)
    went_away = (row["function"], row["id"]) in WENT_AWAY
    with flags(api_version=since):
        assert refused(lambda: call(row["function"])) is went_away
    if before is not None:
        with flags(api_version=before):
            assert refused(lambda: call(row["function"])) is not went_away


@pytest.mark.parametrize("row", [*rows("result-changing", CHANGING)])
def test_each_version_has_its_result(row):
    look, old, new = CHANGING[row["function"], row["id"]]
    before, since = versions_of(row)
    assert before is not None
    with flags(api_version=before):
        assert look() == old
    with flags(api_version=since):
        assert look() == new


@pytest.mark.parametrize("row", [*rows("result-changing", ALIKE)])
def test_what_was_left_open_is_alike(row):
    look = ALIKE[row["function"], row["id"]]
    for version in versions_of(row):
        if version is not None:
            with flags(api_version=version):
                assert look()


def test_the_conjugate_came_with_complex_dtypes():
    """Before 2022.12 there was nothing complex that vecdot could have left as it is."""
    with flags(api_version="2022.12"):
        for vecdot in (xp.vecdot, xp.linalg.vecdot):
            assert np.iscomplexobj(to_np(vecdot(Z, Z)))
            assert to_np(vecdot(Z, Z)).imag == 0


def test_every_row_is_looked_at():
    looked_at = {*CHANGING, *ALIKE, ("vecdot", "conjugate"), ("linalg.vecdot", "conjugate")}
    for row in TABLE:
        assert set(row) == {"function", "version", "id", "old", "new", "kind"}
        assert row["version"] in VERSIONS
        if row["kind"] == "refusable":
            assert call_of(row) is not None or row["id"] == "complex", row
        else:
            assert row["kind"] == "result-changing"
            assert (row["function"], row["id"]) in looked_at, row
