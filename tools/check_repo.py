"""Check what no other tool checks: committed lock files, complete pins, one version, the size of the wheel.

    python tools/check_repo.py               the pins
    python tools/check_repo.py --wheel dist  also every wheel in dist/

Exits 1 and names each fault, one a line.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ["Cargo.lock", "requirements/dev.txt", "requirements/interop.txt", "requirements/downstream.txt"]
WHEEL_LIMIT = 25_000_000


def uncommitted_locks(root: Path = ROOT) -> list[str]:
    """Lock files that git does not track; an unpacked archive without .git only needs to hold them."""
    missing = [name for name in LOCKS if not (root / name).is_file()]
    faults = [f"{name}: missing" for name in missing]
    if (root / ".git").exists():
        tracked = subprocess.run(
            ["git", "ls-files", "--", *LOCKS], cwd=root, check=True, capture_output=True, text=True
        ).stdout.split()
        faults += [f"{name}: not tracked by git" for name in LOCKS if name not in {*tracked, *missing}]
    return faults


def requirement_lines(path: Path) -> list[str]:
    lines = (line.split("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line]


def project_name(requirement: str) -> str:
    """The normalised name that a requirement starts with."""
    match = re.match(r"[A-Za-z0-9][A-Za-z0-9._-]*", requirement)
    return re.sub(r"[-_.]+", "-", match[0]).lower() if match else ""


def loose_pins(source: Path, pinned: Path) -> list[str]:
    """Lines of the pinned file without ==, and names of its source that it does not have."""
    lines = requirement_lines(pinned)
    faults = [
        f"{pinned.name}: not pinned to one version: {line}"
        for line in lines
        if not re.match(r"[A-Za-z0-9._-]+==[A-Za-z0-9.!+_-]+(\s*;.*)?$", line)
    ]
    names = {project_name(line) for line in lines}
    faults += [
        f"{pinned.name}: {name} of {source.name} is missing"
        for name in map(project_name, requirement_lines(source))
        if name not in names
    ]
    # The pinned file has what an extra brings as lines of its own.
    exact = {re.sub(r"\[.*?\]", "", line) for line in requirement_lines(source) if "==" in line}
    faults += [
        f"{pinned.name}: {line} of {source.name} is pinned to something else"
        for line in exact
        if not any(pin.split(";")[0].strip() == line for pin in lines)
    ]
    return faults


def disagreeing_pins(first: Path, second: Path) -> list[str]:
    """Packages that both files pin, to different versions: both environments test the same tools."""
    pins = [{}, {}]
    for table, path in zip(pins, (first, second), strict=True):
        for line in requirement_lines(path):
            table.setdefault(project_name(line), set()).add(line)
    return [
        f"{name}: {first.name} and {second.name} pin different versions"
        for name in sorted(pins[0].keys() & pins[1].keys())
        if pins[0][name] != pins[1][name]
    ]


def other_versions(crates: Path, distribution: Path) -> list[str]:
    """The second distribution is released with the first: of its version, and requiring it."""
    version = tomllib.loads(crates.read_text(encoding="utf-8"))["workspace"]["package"]["version"]
    project = tomllib.loads(distribution.read_text(encoding="utf-8"))["project"]
    faults = []
    if project["version"] != version:
        faults.append(f"{distribution}: version {project['version']}, but the crates have {version}")
    if project["dependencies"] != [f"strictarray=={version}"]:
        faults.append(f"{distribution}: must require strictarray=={version}")
    return faults


def large_wheels(folder: Path, limit: int = WHEEL_LIMIT) -> list[str]:
    wheels = sorted(folder.glob("*.whl"))
    if not wheels:
        return [f"{folder}: holds no wheel"]
    faults = []
    for wheel in wheels:
        size = wheel.stat().st_size
        print(f"{wheel.name}: {size / 1e6:.1f} MB (limit {limit / 1e6:.0f} MB)")
        if size > limit:
            faults.append(f"{wheel.name}: {size / 1e6:.1f} MB, more than {limit / 1e6:.0f} MB")
    return faults


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--wheel", type=Path, metavar="FOLDER", help="check the wheels in FOLDER too")
    options = parser.parse_args(argv)

    requirements = ROOT / "requirements"
    faults = uncommitted_locks()
    if not faults:
        faults += loose_pins(requirements / "dev.in", requirements / "dev.txt")
        faults += loose_pins(requirements / "interop.in", requirements / "interop.txt")
        faults += loose_pins(requirements / "downstream.in", requirements / "downstream.txt")
        faults += disagreeing_pins(requirements / "dev.txt", requirements / "interop.txt")
    faults += other_versions(ROOT / "Cargo.toml", ROOT / "stand-in" / "pyproject.toml")
    if options.wheel:
        faults += large_wheels(options.wheel)
    for fault in faults:
        print(f"error: {fault}", file=sys.stderr)
    if not faults:
        print("lock files are committed, pins are complete and agree, and so do versions")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
