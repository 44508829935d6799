"""docs/engines.md and the examples show what happens."""

import doctest
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

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
