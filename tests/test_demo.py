"""The demo passes as it stands, in time, and notices each kind of wrong row."""

import dataclasses
import importlib.util
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

DEMO = Path(__file__).parent.parent / "examples" / "demo.py"


@pytest.fixture
def demo(monkeypatch):
    """The demo as a module of its own for each test."""
    spec = importlib.util.spec_from_file_location("demo", DEMO)
    module = importlib.util.module_from_spec(spec)
    # Where dataclasses look up the annotations of a class.
    monkeypatch.setitem(sys.modules, "demo", module)
    spec.loader.exec_module(module)
    return module


def replace_row(table, code, **changes):
    """Change what the one row of a table with that code expects."""
    [number] = [number for number, row in enumerate(table) if row.code == code]
    table[number] = dataclasses.replace(table[number], **changes)


def test_runs_as_a_script_in_under_ten_seconds():
    start = time.perf_counter()
    done = subprocess.run([sys.executable, str(DEMO)], capture_output=True, encoding="utf-8", check=False)
    taken = time.perf_counter() - start
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all as they must be" in done.stdout
    assert "WRONG" not in done.stdout
    for word in ("CPU_DEVICE", "no_x64", "89.87%", "np.from_dlpack(x)", "BufferError"):
        assert word in done.stdout
    assert taken < 10


def test_without_rich_it_prints_plain_text(tmp_path):
    (tmp_path / "rich.py").write_text("raise ImportError('not here')\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, str(DEMO)], env=environment, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "memoryview(x)" in done.stdout


def test_main_passes(demo, capsys):
    assert demo.main() == 0
    assert "WRONG" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("code", "column", "value"),
    [
        ("np.from_dlpack(x)", "cpu", "copy"),
        ("np.from_dlpack(x)", "others", "shared"),
        ("np.from_dlpack(x)", "others", "TypeError"),
        ("x.to_device(other)", "others", "shared"),
        ("xp.from_dlpack(x).device == device", "others", "False"),
        ("x + y", "cpu", "TypeError"),
    ],
)
def test_a_wrong_exchange_fails(demo, capsys, code, column, value):
    replace_row(demo.EXCHANGES, code, **{column: value})
    assert demo.main() == 1
    out = capsys.readouterr().out
    assert "WRONG" in out
    assert f"{code} on " in out and f"{value} expected" in out


def test_a_wrong_dtype_row_fails(demo, capsys):
    replace_row(demo.DTYPES, "wide.to_device(no_float64)", cpu="copy")
    assert demo.main() == 1
    assert "WRONG" in capsys.readouterr().out


@pytest.mark.parametrize("figure", ["gram", "integer gram", "means", "threes", "correlation", "predicted", "accuracy"])
def test_a_wrong_figure_fails(demo, monkeypatch, capsys, figure):
    true_figures = demo.expected_figures

    def expected_figures(pixels, labels):
        figures = true_figures(pixels, labels)
        changed = np.array(figures[figure], copy=True)
        changed.flat[-1] += 1e-3 if changed.dtype.kind == "f" else 1
        return {**figures, figure: changed}

    monkeypatch.setattr(demo, "expected_figures", expected_figures)
    assert demo.main() == 1
    assert f"{figure} on CPU_DEVICE: off by" in capsys.readouterr().out


def test_a_figure_of_another_shape_fails(demo, monkeypatch, capsys):
    true_figures = demo.expected_figures
    monkeypatch.setattr(demo, "expected_figures", lambda *data: {**true_figures(*data), "means": np.zeros((64, 1))})
    assert demo.main() == 1


def test_a_figure_on_another_device_fails(demo, monkeypatch, capsys):
    true_compute = demo.compute

    def compute(x, labels):
        figures = true_compute(x, labels)
        return {**figures, "means": figures["means"].to_device(demo.CPU)}

    monkeypatch.setattr(demo, "compute", compute)
    assert demo.main() == 1
    assert "means on device1: the result is on" in capsys.readouterr().out
