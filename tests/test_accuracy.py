"""The reports of `make accuracy`: none of the elementwise functions is missing, and their programs run."""

import importlib.util
import pathlib
import re
import sys

import numpy as np
import pytest
from support import load_json, own, sample

import strictarray as xp

ROOT = pathlib.Path(__file__).parents[1]
FUNCTIONS = load_json("standard.json")["draft"]["functions"]
ELEMENTWISE = {name for name, function in FUNCTIONS.items() if function["category"].startswith("elementwise")}

# What is exact by definition, or chooses among its arguments: other tests compare it bit for bit.
EXACT_OF_REALS = set(
    "abs ceil clip conj copysign equal floor greater greater_equal isfinite isinf isnan less less_equal maximum minimum"
    " negative nextafter not_equal positive real round sign signbit trunc".split()
)


def load(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def takes(name, dt):
    x = own(np.ones_like(sample(dt)))
    for args in ((x,), (x, x)):
        try:
            getattr(xp, name)(*args)
            return True
        except TypeError:
            pass
    return False


def test_every_function_of_real_numbers_is_measured():
    source = (ROOT / "crates/strictarray-kernels/examples/accuracy.rs").read_text(encoding="utf-8")
    tables = source[source.index("const UNARY") : source.index("/// Irregular and reproducible bits")]
    measured = set(re.findall(r'\(\s*"(\w+)",', tables))
    assert not measured & EXACT_OF_REALS
    assert measured | EXACT_OF_REALS == {name for name in ELEMENTWISE if takes(name, "float64")}


def test_every_function_of_complex_numbers_is_measured():
    report = load("complex_accuracy")
    measured = set(report.FUNCTIONS) | set(report.OF_TWO)
    assert not measured & report.EXACT
    assert measured | report.EXACT == {name for name in ELEMENTWISE if takes(name, "complex128")}


def test_complex_functions_are_within_the_limit(capsys):
    """Few points of each: `make accuracy` takes many."""
    report = load("complex_accuracy")
    names = sorted({**report.FUNCTIONS, **report.OF_TWO})
    assert report.measure(names, 2, "test") <= report.LIMIT
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == names * 2


@pytest.mark.parametrize("name", ["abs", "divide", "multiply", "pow", "reciprocal", "sign", "sqrt", "square"])
def test_parts_hold_however_far_they_are_from_each_other_and_cancel(name, capsys):
    """Arithmetic, whose references take little time: at the ends of the range, beside the axes, where products cancel."""
    report = load("complex_accuracy")
    assert report.measure([name], 150, "ends") <= report.LIMIT, capsys.readouterr().out


@pytest.mark.parametrize("name", ["sum", "mean"])
def test_sums_are_no_worse_than_pairwise_ones(name, capsys):
    report = load("sum_accuracy")
    assert name in report.PAIRWISE
    assert report.measure([name], 4, 0, sizes=(7, 100, 2000)), capsys.readouterr().out


def test_a_worse_sum_is_noticed(monkeypatch, capsys):
    report = load("sum_accuracy")

    def one_by_one(x):
        return xp.cumulative_sum(x)[-1]

    ours, *rest = report.FUNCTIONS["sum"]
    monkeypatch.setitem(report.FUNCTIONS, "sum", (one_by_one, *rest))
    assert not report.measure(["sum"], 4, 0, sizes=(2000,))
    assert "worse than pairwise" in capsys.readouterr().out


def test_every_sum_is_measured(capsys):
    report = load("sum_accuracy")
    names = list(report.FUNCTIONS)
    assert report.measure(names, 1, 0, sizes=(20,))
    found = {line.split()[0] for line in capsys.readouterr().out.splitlines()[1:]}
    assert found == set(names)
    assert {"sum", "mean", "prod", "var", "std", "cumulative_sum", "cumulative_prod", "vecdot", "matmul"} <= found
