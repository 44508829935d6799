"""The bench runs, measures all three libraries on equal terms and writes what it measured."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support import function, public_functions

BENCH = Path(__file__).parent.parent / "bench"
LIBRARIES = {"numpy", "array_api_strict", "strictarray"}


def load(name):
    spec = importlib.util.spec_from_file_location(f"bench_{name}", BENCH / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def run_bench(*arguments, **environment):
    return subprocess.run(
        [sys.executable, str(BENCH / "run.py"), *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_quick_run(tmp_path):
    file = tmp_path / "results" / "quick.json"
    # These two would slow NumPy down; the bench must not pass them on.
    done = run_bench("--quick", "--json", str(file), OPENBLAS_CORETYPE="Haswell", OPENBLAS_L2_SIZE="256")
    assert done.returncode == 0, done.stdout + done.stderr
    record = json.loads(file.read_text(encoding="utf-8"))
    assert record["machine"]["threads"] == 1
    assert record["machine"]["environment"]["STRICTARRAY_NUM_THREADS"] == "1"
    assert record["machine"]["environment"]["OPENBLAS_CORETYPE"] is None
    assert record["machine"]["environment"]["OPENBLAS_L2_SIZE"] is None
    assert record["machine"]["thread_pools"] and all(p["num_threads"] == 1 for p in record["machine"]["thread_pools"])
    assert set(record["versions"]) == LIBRARIES
    groups = {case.group for case in load("cases").CASES}
    assert {result["group"] for result in record["results"]} == groups
    for result in record["results"]:
        assert set(result["times"]) == LIBRARIES
        for times in result["times"].values():
            assert 0 < times["min_ns"] <= times["median_ns"]
        ours, numpys = result["times"]["strictarray"]["min_ns"], result["times"]["numpy"]["min_ns"]
        assert result["ratios"]["numpy"] == pytest.approx(ours / numpys)
        assert result["code"] in done.stdout


def test_every_case_runs_in_strictarray():
    """At its smallest size, once: a broken row shows here, not in the next long run."""
    import strictarray as xp

    for case in load("cases").CASES:
        names = {"xp": xp, **case.setup(xp, case.sizes[0])}
        exec(case.code, names)


def test_operands_lie_in_memory_of_their_library():
    """Blocks of strictarray begin at cache lines; what NumPy allocates for an array hardly ever does."""
    import numpy as np

    import strictarray as xp

    taken = load("cases").taken
    kept = [taken(xp, np.arange(n)) for n in range(1000, 1032)]
    assert all(np.from_dlpack(x).ctypes.data % 64 == 0 for x in kept)
    assert not all(taken(np, np.arange(n)).ctypes.data % 64 == 0 for n in range(1000, 1032))


def test_every_elementwise_function_is_timed_on_every_kind_it_takes():
    import strictarray as xp

    file = BENCH.parent / "crates" / "strictarray-standard" / "data" / "standard.json"
    functions = json.loads(file.read_text(encoding="utf-8"))["draft"]["functions"]
    codes = [case.code for case in load("cases").CASES]
    # What the bench calls an array of each kind; u and h where values must be small.
    kinds = {
        xp.float64: ("x", "u"),
        xp.float32: ("f", "h"),
        xp.complex128: ("z",),
        xp.int64: ("i",),
        xp.bool: ("mask",),
    }
    for name, row in functions.items():
        if row["category"] != "elementwise_functions":
            continue
        count = sum(p["kind"] == "positional-only" for p in row["parameters"])
        for dtype, letters in kinds.items():
            # Parts of real numbers are what they are of; booleans are compared for equality alone, where it counts.
            if name in ("real", "conj") and dtype != xp.complex128:
                continue
            try:
                getattr(xp, name)(*[xp.ones(1, dtype=dtype)] * count)
            except TypeError:
                continue
            calls = [f"xp.{name}({letter}{end}" for letter in letters for end in (",", ")")]
            assert any(code.startswith(call) for code in codes for call in calls), f"{name} of {dtype}"


def test_every_function_has_a_case():
    codes = " ".join(case.code for case in load("cases").CASES)
    values = [name for name in public_functions() if not isinstance(function(name), type)]
    assert len(values) > 144
    assert [name for name in values if f"xp.{name}(" not in codes] == []


def test_cases_are_told_apart_by_their_code():
    codes = [case.code for case in load("cases").CASES if case.setup.__name__ == "vectors"]
    assert len(codes) == len(set(codes))


def test_a_case_that_fails_in_strictarray_fails_the_run(monkeypatch, tmp_path, capsys):
    run, cases = load("run"), load("cases")
    monkeypatch.setitem(sys.modules, "cases", cases)
    monkeypatch.setattr(cases, "CASES", [cases.Case("names", "len(x)", (4,))])
    monkeypatch.setenv(run.CHILD, "1")
    monkeypatch.setattr(
        run, "machine_info", lambda threads: {"cpu": "", "cores": 0, "load": 0, "python": "", "thread_pools": []}
    )
    assert run.main(["--quick", "--json", str(tmp_path / "out.json")]) == 1
    assert "strictarray fails at len(x), n = 4: TypeError" in capsys.readouterr().err


def test_no_matching_case_is_an_error():
    done = run_bench("-k", "no such case")
    assert done.returncode == 2
    assert "no case matches" in done.stderr
