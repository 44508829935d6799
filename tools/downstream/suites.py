"""The suites: what is run, how, and into which parts it is cut.

A unit is one run of pytest. SciPy is cut into its subpackages, so that one of them can be run alone and an interrupted
run goes on after the last that finished; the other suites are one unit each.
"""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
import tarfile
from dataclasses import dataclass, field
from pathlib import Path

SITE = Path(sysconfig.get_path("purelib"))

# SciPy marks what runs on other libraries by its fixture `xp`; importing the rest would only take time.
ON_BACKENDS = re.compile(rb"\bxp\b|array_api_backends")

# The tests of array-api-compat are in its sdist only.
SDIST = "array-api-compat==1.16.0"
SDIST_HASH = "sha256:c8117cb4d6c7aacaec38c2705f72509e342c20b1a716a04cb5397a611f122d51"


@dataclass(frozen=True)
class Suite:
    """A library's tests: distribution, the arguments that choose the tests on array_api_strict, the environment."""

    name: str
    distribution: str
    options: tuple[str, ...]
    env: dict[str, str] = field(default_factory=dict, hash=False)
    # What `--pyargs` gets; empty: the tests in the sdist.
    modules: tuple[str, ...] = ()
    # Those of this package.
    plugins: tuple[str, ...] = ()
    # Its tests can't be spread over processes.
    parallel: bool = True


SUITES = {
    suite.name: suite
    for suite in (
        Suite(
            "array_api_extra",
            "array-api-extra",
            ("-k", "array_api_strict", "-W", "error::DeprecationWarning"),
            modules=("array_api_extra.tests.main",),
        ),
        Suite("array_api_compat", "array-api-compat", (), parallel=False),
        Suite(
            "xarray",
            "xarray",
            ("-k", "array_api"),
            modules=("xarray.tests.test_array_api", "xarray.tests.test_namedarray", "xarray.tests.test_dtypes"),
        ),
        Suite("marray", "marray", ("-k", "array_api_strict"), modules=("marray",), plugins=("downstream.seeds",)),
        Suite(
            "scipy",
            "scipy",
            ("-m", "array_api_backends"),
            env={"SCIPY_ARRAY_API": '["array_api_strict"]'},
            modules=("scipy",),
        ),
        Suite(
            "sklearn",
            "scikit-learn",
            ("-k", "array_api_strict"),
            env={"SCIPY_ARRAY_API": "1"},
            modules=("sklearn",),
        ),
        # scikit-learn's own parameters are CPU_DEVICE and device1 only.
        Suite(
            "sklearn-devices",
            "scikit-learn",
            ("-k", "array_api_strict and (device2 or no_float64 or no_x64)"),
            env={"SCIPY_ARRAY_API": "1"},
            modules=("sklearn",),
            plugins=("downstream.sklearn_devices",),
        ),
    )
}


@dataclass(frozen=True)
class Unit:
    """One run of pytest: a suite, or a part of it that `--pyargs` can name."""

    name: str
    suite: Suite

    def modules(self) -> tuple[str, ...]:
        return self.suite.modules if self.name == self.suite.name else (self.name,)


def subpackages(library: str, site: Path = SITE) -> list[str]:
    """All folders directly below `library` that hold tests on array_api_strict, as dotted names."""
    root = site / library
    files = [path for path in root.glob("*/**/test_*.py") if ON_BACKENDS.search(path.read_bytes())]
    return [f"{library}.{name}" for name in sorted({path.relative_to(root).parts[0] for path in files})]


def units(suite: Suite, site: Path = SITE) -> list[Unit]:
    if suite.name != "scipy":
        return [Unit(suite.name, suite)]
    loose = list((site / "scipy").glob("test_*.py"))
    if loose:  # They would be in no unit.
        raise SystemExit(f"error: {loose[0]} is in no subpackage of scipy: a unit for it is missing")
    return [Unit(name, suite) for name in subpackages("scipy", site)]


def choose(names: list[str], site: Path = SITE) -> list[Unit]:
    """The units that dotted prefixes choose, in the order of SUITES; a name below a unit is a unit of its own."""
    chosen: dict[str, Unit] = {}
    every = [unit for suite in SUITES.values() for unit in units(suite, site)]
    for name in names or list(SUITES):
        below = [unit for unit in every if f"{unit.name}.".startswith(f"{name}.")]
        above = [
            unit for unit in every if unit.suite.modules == (unit.suite.name,) and name.startswith(f"{unit.name}.")
        ]
        above += [unit for unit in every if unit.suite.name == "scipy" and name.startswith(f"{unit.name}.")]
        if not below and above:
            path = site.joinpath(*name.split("."))
            if not path.is_dir() and not path.with_suffix(".py").is_file():
                raise SystemExit(f"error: SUITE={name}: there is no such module in {site}")
            below = [Unit(name, above[0].suite)]
        if not below:
            raise SystemExit(f"error: SUITE={name}: known are {', '.join(SUITES)}, and their parts, scipy.stats say")
        chosen |= {unit.name: unit for unit in below}
    order = {name: place for place, name in enumerate(SUITES)}
    return sorted(chosen.values(), key=lambda unit: order[unit.suite.name])


def sdist(folder: Path) -> Path:
    """Where the unpacked sdist of array-api-compat is; it is fetched, checked against its hash, and unpacked once."""
    name = SDIST.replace("==", "-").replace("array-api-compat", "array_api_compat")
    tree = folder / name
    if not (tree / "tests" / "__init__.py").is_file():
        folder.mkdir(parents=True, exist_ok=True)
        pin = folder / "sdist.txt"
        pin.write_text(f"{SDIST} --hash={SDIST_HASH}\n", encoding="utf-8")
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        subprocess.run(
            [*command, "--no-binary", "array-api-compat", "--require-hashes", "-r", pin, "-d", folder], check=True
        )
        with tarfile.open(folder / f"{name}.tar.gz") as archive:
            archive.extractall(folder, filter="data")
    return tree
