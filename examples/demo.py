"""Handwritten digits on five devices: what strictarray computes, what it lets through and what it refuses.

Run it by `make demo`. The data set comes from scikit-learn as a NumPy array and enters through DLPack. Everything in
the part "The computation" is written with functions of the array API standard alone, so it runs on any conforming
library. Each figure is compared with NumPy, each exchange with what the rules say, and the exit status is 1 if any of
them is off.
"""

from __future__ import annotations

import sys
import time
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.datasets import load_digits

import strictarray as xp

NAMES = ["CPU_DEVICE", "device1", "device2", "no_float64", "no_x64"]
DEVICES = [xp.Device(name) for name in NAMES]
CPU = DEVICES[0]

# --- The computation: only the standard's functions -------------------------------------------------------------------


def column_sums(x):
    return xp.ones((x.shape[0],), dtype=x.dtype, device=x.device) @ x


def column_means(x):
    return column_sums(x) / x.shape[0]


def correlation(x):
    """The correlation of each pixel with each other one; 0 for pixels that never change."""
    centred = x - column_means(x)
    deviation = column_means(centred * centred) ** 0.5
    deviation[deviation == 0] = 1
    standard = centred / deviation
    return standard.T @ standard / x.shape[0]


def nearest_centroid(train, labels, test):
    """For each row of test, the class whose mean row in train is nearest."""
    classes = xp.arange(10, dtype=labels.dtype, device=labels.device)
    member = xp.astype(labels[:, None] == classes[None, :], train.dtype)
    centroids = member.T @ train / column_sums(member)[:, None]
    # Squared distances less the row's own |test|², which is the same for every class.
    distances = column_sums((centroids * centroids).T)[None, :] - 2 * (test @ centroids.T)
    ten = xp.ones((10,), dtype=train.dtype, device=train.device)
    predicted = xp.zeros((test.shape[0],), dtype=labels.dtype, device=labels.device)
    for k in range(10):
        nearest = distances[:, k : k + 1] <= distances
        predicted[xp.astype(nearest, train.dtype) @ ten == 10] = k
    return predicted


def compute(x, labels):
    """All figures of one device, by name."""
    train, test = x[0::2, :], x[1::2, :]
    predicted = nearest_centroid(train, labels[0::2], test)
    whole = xp.astype(x, xp.int32)
    return {
        "gram": x.T @ x,
        "integer gram": whole.T @ whole,
        "means": column_means(x),
        "threes": column_means(x[labels == 3]),
        "correlation": correlation(x),
        "predicted": predicted,
        "accuracy": column_means(xp.astype(predicted == labels[1::2], x.dtype)),
    }


# --- The same figures by NumPy, written another way -------------------------------------------------------------------


def expected_figures(pixels: np.ndarray, labels: np.ndarray) -> dict[str, np.ndarray]:
    train, test = pixels[0::2], pixels[1::2]
    centroids = np.stack([train[labels[0::2] == k].mean(axis=0) for k in range(10)])
    predicted = np.argmin(np.sum((test[:, None, :] - centroids) ** 2, axis=2), axis=1)
    with warnings.catch_warnings():  # Pixels that never change: 0 / 0.
        warnings.simplefilter("ignore", RuntimeWarning)
        correlation = np.nan_to_num(np.corrcoef(pixels, rowvar=False))
    gram = np.einsum("ni,nj->ij", pixels.astype(np.int64), pixels.astype(np.int64))
    return {
        "gram": gram,
        "integer gram": gram,
        "means": np.mean(pixels, axis=0),
        "threes": np.mean(pixels[labels == 3], axis=0),
        "correlation": correlation,
        "predicted": predicted,
        "accuracy": np.mean(predicted == labels[1::2]),
    }


@dataclass(frozen=True)
class Figure:
    """One row of the first table: how far a figure may be from NumPy's, in machine epsilons of the dtype."""

    name: str
    epsilons: int
    why: str


FIGURES = [
    Figure("gram", 0, "x.T @ x: pixels are whole, 0 to 16, so all sums are whole and below 2**24"),
    Figure("integer gram", 0, "the same in int32"),
    Figure("means", 16, "whole sums, then one rounding of at most 16"),
    Figure("threes", 16, "x[labels == 3], then the same"),
    Figure("correlation", 1797, "n * eps bounds the error of a sum of n products that is at most 1"),
    Figure("predicted", 0, "nearest centroid: the closest call is 0.04, float32 errs by less than 0.03"),
    Figure("accuracy", 1, "one rounding"),
]


# --- The exchanges ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Exchange:
    """One row of the second table: code that is run as it stands, and what must come of it on the CPU and elsewhere.

    An outcome is "shared" or "copy" for an array (by writing to `source` and looking at the result), the name of an
    exception class, or the repr of anything else.
    """

    code: str
    cpu: str
    others: str
    why: str
    source: str = "x"


EXCHANGES = [
    # x is on the device of the column, `other` is another one, y is an array there; a is a NumPy array.
    Exchange("np.from_dlpack(x)", "shared", "BufferError", "an emulated accelerator's memory is not the host's"),
    Exchange("np.from_dlpack(x, copy=True)", "copy", "BufferError", "not even as a copy: move it first"),
    Exchange("np.from_dlpack(x, device='cpu')", "shared", "BufferError", "not even when asked for by name"),
    Exchange("np.from_dlpack(x.to_device(CPU))", "shared", "copy", "the portable way out of any device"),
    Exchange("np.asarray(x)", "shared", "RuntimeError", "the same rule for the buffer protocol and __array__"),
    Exchange("memoryview(x)", "shared", "BufferError", "the same rule"),
    Exchange("x.__dlpack__(dl_device=(2, 0))", "BufferError", "BufferError", "there is no CUDA here"),
    Exchange("x.__dlpack__(stream=1)", "BufferError", "BufferError", "a CPU has no streams"),
    Exchange("xp.from_dlpack(a)", "shared", "shared", "from the host to CPU_DEVICE: no copy", "a"),
    Exchange("xp.from_dlpack(a, device=device)", "shared", "copy", "each device has memory of its own", "a"),
    Exchange(
        "xp.from_dlpack(a, device=device, copy=False)", "shared", "BufferError", "so it can't be had uncopied", "a"
    ),
    Exchange("xp.from_dlpack(half)", "BufferError", "BufferError", "float16 is not in the standard"),
    Exchange("xp.from_dlpack(x)", "shared", "shared", "one of our own arrays: no trip at all"),
    Exchange("xp.from_dlpack(x).device == device", "True", "True", "and it stays on its device"),
    Exchange("xp.from_dlpack(x, copy=True)", "copy", "copy", ""),
    Exchange("x.to_device(other)", "copy", "copy", "between devices it is always a copy"),
    Exchange("xp.asarray(x, device=other)", "copy", "copy", "the same"),
    Exchange("xp.asarray(x, device=other, copy=False)", "ValueError", "ValueError", "so it can't be had uncopied"),
    Exchange("x + y", "ValueError", "ValueError", "arrays of two devices don't mix: move one"),
    Exchange("x + a", "TypeError", "TypeError", "arrays of two libraries don't mix: from_dlpack"),
    Exchange("xp.add(x, a)", "TypeError", "TypeError", "the same"),
    Exchange("np.add(x, a)", "TypeError", "TypeError", "the same, seen from NumPy"),
]

# What a device can't hold, it refuses; nothing is narrowed in silence. Run once each.
DTYPES = [
    Exchange("xp.zeros(3, dtype=xp.float64, device=no_float64)", "ValueError", "", "no_float64 has no float64"),
    Exchange("wide.to_device(no_float64)", "ValueError", "", "nor does data arrive narrowed"),
    Exchange(
        "xp.astype(wide, xp.float32).to_device(no_float64).dtype", "strictarray.float32", "", "narrow it yourself"
    ),
    Exchange("xp.arange(3, device=no_x64).dtype", "strictarray.int32", "", "defaults follow the device"),
    Exchange("xp.result_type(xp.int64, xp.float64)", "TypeError", "", "promotion the standard leaves undefined"),
]


def shares_memory(result: Any, source: Any) -> bool:
    """Whether a write to source shows in result."""
    before = float(source[0, 0])
    source[0, 0] = before + 1.0
    shared = float(result[0, 0]) == before + 1.0
    source[0, 0] = before
    return shared


def outcome(row: Exchange, names: dict[str, Any]) -> tuple[str, BaseException | None]:
    """What comes of a row's code, in the words of its expectations, and the exception if there was one."""
    try:
        result = eval(row.code, names)  # The table shows what is run.
    except Exception as error:
        return type(error).__name__, error
    if isinstance(result, (np.ndarray, memoryview)) or hasattr(result, "__array_namespace__"):
        return ("shared" if shares_memory(result, names[row.source]) else "copy"), None
    return repr(result), None


def matches(got: str, error: BaseException | None, expected: str) -> bool:
    """An exception matches the name of any of its classes: from_dlpack's is a ValueError and a BufferError at once."""
    return got == expected or (error is not None and expected in {base.__name__ for base in type(error).__mro__})


# --- Showing it -------------------------------------------------------------------------------------------------------


def show_table(title: str, columns: list[str], rows: list[list[str]]) -> None:
    """A table by rich, or in plain text where rich is not installed."""
    try:
        from rich import box
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text
    except ImportError:
        widths = [max(map(len, column)) for column in zip(columns, *rows, strict=True)]
        print(f"\n{title}")
        for row in [columns, ["-" * width for width in widths], *rows]:
            print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
        return
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = 140
    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        style = "bold red" if any("WRONG" in cell for cell in row) else ""
        table.add_row(*(Text(cell) for cell in row), style=style)
    console.print(table)


def check_figures(pixels: np.ndarray, labels: np.ndarray) -> tuple[list[list[str]], list[str]]:
    """The rows of the first table, and the faults found."""
    expected = expected_figures(pixels, labels)
    cells: dict[str, list[str]] = {figure.name: [] for figure in FIGURES}
    dtypes, faults = [], []
    for name, device in zip(NAMES, DEVICES, strict=True):
        # What the device takes for "a number" is converted to where float64 exists, then moved.
        floating, integral = xp.zeros(0, device=device).dtype, xp.arange(0, device=device).dtype
        x = xp.astype(xp.from_dlpack(pixels), floating).to_device(device)
        y = xp.astype(xp.from_dlpack(labels), integral).to_device(device)
        figures = compute(x, y)
        dtypes.append("float64" if floating == xp.float64 else "float32")
        eps = xp.finfo(floating).eps
        for figure in FIGURES:
            result = figures[figure.name]
            if result.device != device:
                faults.append(f"{figure.name} on {name}: the result is on {result.device}")
            got, reference = np.from_dlpack(result.to_device(CPU)), expected[figure.name]
            error = float(np.max(np.abs(got - reference))) if got.shape == reference.shape else float("inf")
            text = f"{float(result):.2%}" if figure.name == "accuracy" else "exact" if error == 0 else f"{error:.1e}"
            if not error <= figure.epsilons * eps:
                text = f"WRONG: {text}"
                faults.append(f"{figure.name} on {name}: off by {error:.3g}, allowed {figure.epsilons * eps:.3g}")
            cells[figure.name].append(text)
    rows = [["dtype", *dtypes], *([figure.name, *cells[figure.name]] for figure in FIGURES)]
    return rows, faults


def check_exchanges() -> tuple[list[list[str]], list[str], dict[str, BaseException]]:
    """The rows of the second table, the faults found, and one refusal for each code that was refused."""
    rows, faults, refusals = [], [], {}
    for row in EXCHANGES:
        wrong: dict[bool, list[str]] = {True: [], False: []}
        for number, (name, device) in enumerate(zip(NAMES, DEVICES, strict=True)):
            other = DEVICES[(number + 1) % len(DEVICES)]
            variables = {
                "np": np,
                "xp": xp,
                "CPU": CPU,
                "device": device,
                "other": other,
                "x": xp.ones((2, 2), dtype=xp.float32, device=device),
                "y": xp.ones((2, 2), dtype=xp.float32, device=other),
                "a": np.ones((2, 2), dtype=np.float32),
                "half": np.ones((2, 2), dtype=np.float16),
            }
            expected = row.cpu if device == CPU else row.others
            got, error = outcome(row, variables)
            if error is not None:
                refusals.setdefault(row.code, error)
            if not matches(got, error, expected):
                wrong[device == CPU].append(f"{name}: {got}")
                faults.append(f"{row.code} on {name}: {expected} expected, got {got}{f' ({error})' if error else ''}")
        cells = [
            f"WRONG: {', '.join(found)}" if found else expected
            for found, expected in ((wrong[True], row.cpu), (wrong[False], row.others))
        ]
        rows.append([row.code, *cells, row.why])
    return rows, faults, refusals


def check_dtypes() -> tuple[list[list[str]], list[str]]:
    """The rows of the third table, and the faults found."""
    variables = {
        "xp": xp,
        "no_float64": xp.Device("no_float64"),
        "no_x64": xp.Device("no_x64"),
        "wide": xp.ones((2, 2), dtype=xp.float64),
    }
    rows, faults = [], []
    for row in DTYPES:
        got, error = outcome(row, variables)
        right = matches(got, error, row.cpu)
        rows.append([row.code, row.cpu if right else f"WRONG: {got}", row.why])
        if not right:
            faults.append(f"{row.code}: {row.cpu} expected, got {got}{f' ({error})' if error else ''}")
    return rows, faults


def main() -> int:
    start = time.perf_counter()
    digits = load_digits()
    pixels, labels = digits.data, digits.target

    title = f"{pixels.shape[0]} handwritten digits of {pixels.shape[1]} pixels: largest difference to NumPy"
    figures, faults = check_figures(pixels, labels)
    show_table(title, ["figure", *NAMES], figures)
    show_table(
        "How far a figure may be off", ["figure", "eps", "why"], [[f.name, str(f.epsilons), f.why] for f in FIGURES]
    )

    exchanges, more, refusals = check_exchanges()
    faults += more
    title = "Exchanges: x is on `device`, y on the device `other`, a and half (float16) are NumPy arrays"
    show_table(title, ["code", "on CPU_DEVICE", "on the other four", "why"], exchanges)

    dtypes, more = check_dtypes()
    faults += more
    show_table("Dtypes: wide is a float64 array on CPU_DEVICE", ["code", "outcome", "why"], dtypes)

    print("What a refusal says:")
    for code in ("np.from_dlpack(x)", "x + y", "xp.add(x, a)", "xp.from_dlpack(half)"):
        if code in refusals:
            print(f"  {code}\n    {type(refusals[code]).__name__}: {refusals[code]}")

    checked = len(FIGURES) + len(EXCHANGES) + len(DTYPES)
    print(f"\n{checked} rows in {time.perf_counter() - start:.1f} s: ", end="")
    print(f"{len(faults)} faults" if faults else "all as they must be")
    for fault in faults:
        print(f"  {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
