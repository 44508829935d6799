"""Flags from array-api-strict's environment variables, each in an interpreter of its own."""

import json
import os
import subprocess
import sys

import pytest

DEFAULTS = {
    "api_version": "2025.12",
    "boolean_indexing": True,
    "data_dependent_shapes": True,
    "enabled_extensions": ["linalg", "fft"],
}
SCRIPT = "import json, strictarray as xp; print(json.dumps(xp.get_array_api_strict_flags()))"


def run(script, **variables):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("ARRAY_API_STRICT_")}
    environment |= {f"ARRAY_API_STRICT_{k}": v for k, v in variables.items()}
    command = [sys.executable, "-c", script]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)


CASES = [
    ({}, {}),
    ({"API_VERSION": "2022.12"}, {"api_version": "2022.12"}),
    ({"API_VERSION": "2021.12"}, {"api_version": "2021.12", "enabled_extensions": ["linalg"]}),
    *[({"BOOLEAN_INDEXING": text}, {"boolean_indexing": True}) for text in ("1", "true", "True", "yes", "YES")],
    *[({"BOOLEAN_INDEXING": text}, {"boolean_indexing": False}) for text in ("0", "false", "False", "no")],
    ({"DATA_DEPENDENT_SHAPES": "false"}, {"data_dependent_shapes": False}),
    ({"ENABLED_EXTENSIONS": ""}, {"enabled_extensions": []}),
    ({"ENABLED_EXTENSIONS": "fft"}, {"enabled_extensions": ["fft"]}),
    ({"ENABLED_EXTENSIONS": "fft, linalg"}, {"enabled_extensions": ["linalg", "fft"]}),
]


@pytest.mark.parametrize(("variables", "expected"), CASES)
def test_variables_set_flags_at_import(variables, expected):
    done = run(SCRIPT, **variables)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == DEFAULTS | expected


def test_reset_goes_back_to_the_defaults():
    script = SCRIPT.replace("print", "xp.reset_array_api_strict_flags(); print")
    done = run(script, API_VERSION="2023.12", BOOLEAN_INDEXING="0")
    assert json.loads(done.stdout) == DEFAULTS, done.stderr


def test_names_follow_the_version_of_the_environment():
    script = "import strictarray as xp; print(hasattr(xp, 'isdtype'), xp.__array_api_version__)"
    assert run(script, API_VERSION="2021.12").stdout == "False 2021.12\n"
    assert run(script, API_VERSION="2022.12").stdout == "True 2022.12\n"


WRONG = [
    ("API_VERSION", "2022"),
    ("API_VERSION", ""),
    ("BOOLEAN_INDEXING", "maybe"),
    ("BOOLEAN_INDEXING", ""),
    ("DATA_DEPENDENT_SHAPES", "2"),
    ("ENABLED_EXTENSIONS", "linalg,special"),
]


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_wrong_value_is_refused_by_the_variables_name(name, value):
    done = run("import strictarray", **{name: value})
    assert done.returncode != 0
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ValueError: ") and f"ARRAY_API_STRICT_{name}" in last and repr(value)[1:-1] in last


def test_an_extension_that_the_version_lacks_is_refused():
    done = run("import strictarray", API_VERSION="2021.12", ENABLED_EXTENSIONS="fft")
    assert done.returncode != 0 and "enabled_extensions" in done.stderr
