"""The typing stubs: what a type checker accepts of a portable program, and what it refuses."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

TYPING = Path(__file__).parent / "typing"
ROOT = TYPING.parent.parent
ERROR = re.compile(r"^.*refused\.py:(\d+): error: .*\[([a-z-]+)\]$")


@pytest.fixture(scope="module")
def mypy(tmp_path_factory):
    """Runs mypy, with a cache of its own: workers run side by side."""
    cache = tmp_path_factory.mktemp("mypy")

    def run(*args):
        command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", f"--cache-dir={cache}", *map(str, args)]
        return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False, timeout=300)

    return run


def test_a_portable_program_is_accepted(mypy):
    done = mypy(TYPING / "portable.py")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


def test_the_portable_program_also_runs():
    subprocess.run([sys.executable, TYPING / "portable.py"], check=True, timeout=300)


def test_what_is_not_portable_is_refused(mypy):
    """Every line of the file that says so has the error that it names, and no other line has one."""
    lines = (TYPING / "refused.py").read_text(encoding="utf-8").splitlines()
    expected = {i: line.split("# E: ")[1] for i, line in enumerate(lines, 1) if "# E: " in line}
    assert len(expected) > 40
    done = mypy("--hide-error-context", TYPING / "refused.py")
    assert done.returncode == 1, done.stderr
    found = {int(m[1]): m[2] for m in map(ERROR.match, done.stdout.splitlines()) if m}
    assert found == expected


def test_the_package_says_that_it_is_typed():
    import strictarray

    folder = Path(strictarray.__file__).parent
    assert (folder / "py.typed").exists()
    assert (folder / "__init__.pyi").exists()


def test_stubs_agree_with_the_package(tmp_path):
    command = [sys.executable, "-m", "mypy.stubtest", "strictarray"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
