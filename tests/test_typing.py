"""The typing stubs: what a type checker accepts of a portable program, and what it refuses."""

import json
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


@pytest.fixture(scope="module")
def pyright():
    """What pyright says of the files: the lines with errors, by the name of the file."""
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable]
    files = [TYPING / f"{name}.py" for name in (*ACCEPTED, "refused")]
    done = subprocess.run([*command, *map(str, files)], capture_output=True, text=True, check=False, timeout=600)
    report = json.loads(done.stdout)
    assert report["summary"]["filesAnalyzed"] == len(files), done.stderr
    found = {file.stem: {} for file in files}
    for item in report["generalDiagnostics"]:
        if item["severity"] == "error":
            found[Path(item["file"]).stem].setdefault(item["range"]["start"]["line"] + 1, item["message"])
    return found


ACCEPTED = ["namespace", "portable"]


@pytest.mark.parametrize("name", ACCEPTED)
def test_a_portable_program_is_accepted(mypy, name):
    done = mypy(TYPING / f"{name}.py")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


@pytest.mark.parametrize("name", ACCEPTED)
def test_a_portable_program_is_accepted_by_pyright(pyright, name):
    assert pyright[name] == {}


@pytest.mark.parametrize("name", ACCEPTED)
def test_the_portable_program_also_runs(name):
    subprocess.run([sys.executable, TYPING / f"{name}.py"], check=True, timeout=300)


def refused_lines():
    """The lines that must have an error, with what the comment says of it."""
    lines = (TYPING / "refused.py").read_text(encoding="utf-8").splitlines()
    expected = {i: line.split("# E: ")[1] for i, line in enumerate(lines, 1) if "# E: " in line}
    assert len(expected) > 60
    return expected


def test_what_is_not_portable_is_refused(mypy):
    """Every line of the file that says so has the error that it names, and no other line has one."""
    done = mypy("--hide-error-context", TYPING / "refused.py")
    assert done.returncode == 1, done.stderr
    found = {int(m[1]): m[2] for m in map(ERROR.match, done.stdout.splitlines()) if m}
    assert found == {line: code.removesuffix(", but for pyright") for line, code in refused_lines().items()}


def test_what_is_not_portable_is_refused_by_pyright(pyright):
    """Only that a str is a sequence of strings escapes it."""
    expected = {line for line, code in refused_lines().items() if not code.endswith("but for pyright")}
    assert set(pyright["refused"]) == expected


def test_the_package_says_that_it_is_typed():
    import strictarray

    folder = Path(strictarray.__file__).parent
    assert (folder / "py.typed").exists()
    assert (folder / "__init__.pyi").exists()


def test_the_module_of_types_is_no_name_of_the_namespace():
    """Python makes an imported submodule an attribute of its package; `dir`, `__all__` and `import *` don't have it."""
    code = """
import strictarray, strictarray.typing as typing
assert strictarray.typing is typing
names = {}
exec("from strictarray import *", names)
assert "typing" not in [*dir(strictarray), *strictarray.__all__, *names]
assert not any(hasattr(strictarray, name) for name in typing.__all__ if name not in ("Device",))
x = strictarray.zeros(1)
assert type(x) is typing.Array and type(x.dtype) is typing.DType and type(x.device) is typing.Device
typing.Namespace[typing.Array, typing.DType, typing.Device]
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300)


def test_stubs_agree_with_the_package(tmp_path):
    command = [sys.executable, "-m", "mypy.stubtest", "strictarray"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
