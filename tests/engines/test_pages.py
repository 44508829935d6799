"""docs/engines.md and the examples show what happens."""

import doctest
import json
import re
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from distributed import Client

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "engines.md"


def test_sessions_of_the_page():
    """In a process of its own: the page installs the stand-in."""
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    source = "\n".join(block for block in blocks if ">>> " in block)
    program = textwrap.dedent("""
        import doctest, sys
        session = doctest.DocTestParser().get_doctest(sys.stdin.read(), {}, "engines.md", "engines.md", 0)
        result = doctest.DocTestRunner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE).run(session)
        print(result.attempted, result.failed)
    """)
    done = subprocess.run([sys.executable, "-c", program], input=source, capture_output=True, text=True)
    assert doctest.DocTestParser().get_examples(source)
    attempted, failed = done.stdout.split("\n")[-2].split()
    assert int(attempted) == len(doctest.DocTestParser().get_examples(source))
    assert int(failed) == 0, done.stdout


@pytest.mark.parametrize(
    ("name", "shows"),
    [
        (
            "cubed_arrays",
            [
                "threads: mean 10.005, highest 25.000",
                "processes: mean 10.005, highest 25.000",
                "Dask, two workers: mean 10.005, highest 25.000",
                "The mean is Array(10.005, dtype=strictarray.float64)",
            ],
        ),
        (
            "dask_arrays",
            [
                "Array of strictarray.float64, on strictarray.Device('device1')",
                "NumPy's within",
                "x.T raises: __array__",
            ],
        ),
        (
            "labelled_arrays",
            ["deviation by place: [1.708", "array-api-extra: Devices do not match", "einops: reshape: argument shape"],
        ),
    ],
)
def test_examples(name, shows):
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / f"{name}.py")], capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    for text in shows:
        assert text in done.stdout


def test_example_on_a_cluster_of_its_own(tmp_path):
    """Scheduler and workers are processes that know nothing of the examples, as on other machines."""
    dask = [sys.executable, "-m", "dask"]
    scheduler_file = tmp_path / "scheduler.json"
    options = ["--port", "0", "--dashboard-address", ":0", "--scheduler-file", str(scheduler_file)]
    quiet = {"cwd": tmp_path, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    started = [subprocess.Popen([*dask, "scheduler", *options], **quiet)]
    try:
        deadline = time.monotonic() + 60
        while not scheduler_file.exists() or not scheduler_file.read_text():
            assert time.monotonic() < deadline
            time.sleep(0.2)
        address = json.loads(scheduler_file.read_text())["address"]
        for _ in range(2):
            worker = [*dask, "worker", address, "--nthreads", "1", "--memory-limit", "2GB"]
            started.append(subprocess.Popen(worker, **quiet))
        with Client(address, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=120)
        example = [sys.executable, str(ROOT / "examples" / "cubed_arrays.py"), address, str(tmp_path / "work")]
        done = subprocess.run(example, capture_output=True, text=True, timeout=300)
    finally:
        for process in reversed(started):
            process.terminate()
        for process in started:
            process.wait(timeout=60)
    assert done.returncode == 0, done.stderr
    assert "mean 10.005" in done.stdout
    assert "The mean is Array(10.005, dtype=strictarray.float64)" in done.stdout
