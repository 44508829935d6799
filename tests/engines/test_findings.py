"""docs/portability-findings.md shows what happens: its session is run, and the lines of other libraries that it names are there."""

import doctest
import importlib.util
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "portability-findings.md").read_text(encoding="utf-8")


def test_session():
    source = "\n".join(re.findall(r"^```python\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL))
    program = textwrap.dedent("""
        import doctest, sys
        session = doctest.DocTestParser().get_doctest(sys.stdin.read(), {}, "findings", "findings", 0)
        flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        result = doctest.DocTestRunner(verbose=False, optionflags=flags).run(session)
        print(result.attempted, result.failed)
    """)
    environment = {**os.environ, "SCIPY_ARRAY_API": "1", "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(
        [sys.executable, "-c", program], input=source, capture_output=True, text=True, env=environment
    )
    attempted, failed = done.stdout.split("\n")[-2].split()
    assert int(attempted) == len(doctest.DocTestParser().get_examples(source)) > 20
    assert int(failed) == 0, done.stdout


def test_the_lines_that_it_names():
    named = re.findall(r"`((?:scipy|sklearn)/[\w/]+\.py)`, line (\d+)", PAGE)
    assert len(named) >= 10
    for file, number in named:
        package, _, rest = file.partition("/")
        folder = importlib.util.find_spec(package).submodule_search_locations[0]
        lines = Path(folder, rest).read_text(encoding="utf-8").splitlines()
        assert int(number) <= len(lines) and lines[int(number) - 1].strip(), (file, number)
