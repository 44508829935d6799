"""One run of pytest on one unit, with one namespace, and the file that keeps its outcomes."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import json
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

from downstream import suites

NAMESPACES = ("genuine", "stand-in")
TOOLS = Path(__file__).resolve().parent.parent
EVERY = 5.0  # seconds between lines of progress
SILENCE = 1200.0  # seconds without a finished test: it hangs
ONE_THREAD = (
    "OPENBLAS_NUM_THREADS",
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)
# What of the surroundings decides over outcomes, and is no part of the command.
PASSED_ON = ("STRICTARRAY_COMPAT", "ARRAY_API_STRICT_API_VERSION", "SCIPY_DEVICE")


def version(distribution: str) -> str:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def strictarray_version() -> str:
    """Asked of the package itself: it may be used in place, without being installed."""
    code = "import strictarray; print(strictarray.__version__)"
    asked = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    return asked.stdout.strip() or "not installed"


def fingerprint() -> str:
    """A hash of all files of the strictarray that will be imported: another build is another result."""
    spec = importlib.util.find_spec("strictarray")
    if spec is None or not spec.submodule_search_locations:
        return "not installed"
    digest = hashlib.sha256()
    for folder in spec.submodule_search_locations:
        for path in sorted(Path(folder).rglob("*")):
            if path.suffix in (".py", ".so", ".pyd"):
                digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def command(unit: suites.Unit, namespace: str, *, jobs: int, seed: int, ids: list[str] | None = None) -> list[str]:
    """The command, without what depends on where things lie (working folder, log)."""
    suite = unit.suite
    words = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "downstream.collector"]
    if namespace == "stand-in":
        words += ["-p", "strictarray.stand_in"]
    for plugin in suite.plugins:
        words += ["-p", plugin]
    if suite.parallel and jobs > 1:
        words += ["-n", str(jobs), "--max-worker-restart=8"]
    else:
        words += ["-p", "no:xdist"]
    words += ["--continue-on-collection-errors", "--tb=short", "-q", f"--hypothesis-seed={seed}"]
    words += ["-o", "faulthandler_timeout=600"]
    if ids is not None:
        # Absolute where they lie in site-packages: the working folder is another.
        prefix = f"{suites.SITE}{os.sep}" if suite.modules else ""
        return words + list(suite.options) + [prefix + name for name in ids]
    if unit.modules():
        return words + ["--pyargs", *unit.modules(), *suite.options]
    return words + [*suite.options, "tests"]


def environment(unit: suites.Unit, log: Path, seed: int) -> dict[str, str]:
    env = os.environ | dict.fromkeys(ONE_THREAD, "1") | unit.suite.env
    env["DOWNSTREAM_LOG"] = str(log)
    env["DOWNSTREAM_SEED"] = env["PYTHONHASHSEED"] = env["SKLEARN_SEED"] = str(seed)
    env["PYTHONPATH"] = os.pathsep.join([str(TOOLS), *filter(None, [os.environ.get("PYTHONPATH")])])
    return env


class Progress:
    """Follows the collector's file, and says every few seconds how far the run is."""

    def __init__(self, label: str, path: Path, out=None):
        self.label, self.path, self.out = label, path, out or sys.stdout
        self.offset, self.total, self.counts = 0, None, Counter()
        self.began = self.spoke = self.moved = time.monotonic()
        self.rest = b""

    def follow(self) -> None:
        if not self.path.exists():
            return
        with self.path.open("rb") as file:
            file.seek(self.offset)
            block = file.read()
        self.offset += len(block)
        *lines, self.rest = (self.rest + block).split(b"\n")
        for line in lines:
            record = json.loads(line)
            if record["kind"] == "total":
                self.total = record["count"]
            elif record["kind"] == "test":
                self.counts[record["outcome"]] += 1
        if lines:
            self.moved = time.monotonic()

    def speak(self, now: bool = False) -> None:
        if not now and time.monotonic() - self.spoke < EVERY:
            return
        self.spoke = time.monotonic()
        done = sum(self.counts.values())
        if self.total:
            far = f"{done}/{self.total} ({100 * done // self.total} %)"
        elif self.total == 0:
            far = "no tests"
        else:
            far = "collecting"
        bad = ", ".join(f"{self.counts[word]} {word}" for word in ("failed", "error") if self.counts[word])
        print(
            f"{self.label}: {far}{', ' + bad if bad else ''}, {self.spoke - self.began:.0f} s",
            file=self.out,
            flush=True,
        )


def stop(process: subprocess.Popen) -> None:
    """End a run and its workers: they are one process group."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            return
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            continue


def read_log(path: Path) -> dict:
    """The collector's lines as one table: outcome by id, several tests of one id told apart by #2, #3."""
    found = {
        "tests": {},
        "skipped_files": set(),
        "collect": [],
        "identities": [],
        "total": None,
        "end": None,
        "time": None,
    }
    if not path.exists():
        return found
    seen: Counter = Counter()
    records = []
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            records.append(json.loads(line))
        except json.JSONDecodeError:
            break  # The run was cut off here.
    # By their place, so that of two tests with one id the first is the first in each run.
    tests = sorted((r for r in records if r["kind"] == "test"), key=lambda record: record["item"] or 0)
    for record in tests:
        seen[record["id"]] += 1
        number = seen[record["id"]]
        name = record["id"] if number == 1 else f"{record['id']}#{number}"
        found["tests"][name] = {key: record[key] for key in ("outcome", "time", "message", "frames") if key in record}
    for record in records:
        if record["kind"] == "collect" and record["outcome"] == "skipped":
            found["tests"][record["id"]] = {"outcome": "skipped", "message": record.get("message", "")}
            found["skipped_files"].add(record["id"])
        elif record["kind"] == "collect" and record["id"] not in [one["id"] for one in found["collect"]]:
            found["collect"].append({key: record[key] for key in ("id", "message", "frames") if key in record})
        elif record["kind"] == "start":
            found["identities"].append(record["identity"])
        elif record["kind"] == "total":
            found["total"] = record["count"]
        elif record["kind"] == "end":
            found["end"], found["time"] = record["status"], record["time"]
    return found


def run(
    unit: suites.Unit,
    namespace: str,
    folder: Path,
    *,
    jobs: int = 2,
    seed: int = 0,
    fresh: bool = False,
    ids: list[str] | None = None,
    out=None,
    cancelled: threading.Event | None = None,
) -> dict:
    """The result of a unit: that of an earlier run if nothing that decides over it has changed, else of a new one."""
    label = f"{unit.name} on {namespace}"
    key = {
        "unit": unit.name,
        "namespace": namespace,
        "command": command(unit, namespace, jobs=jobs, seed=seed, ids=ids)[1:],
        "env": unit.suite.env | {name: os.environ[name] for name in PASSED_ON if name in os.environ},
        "seed": seed,
        "versions": {
            name: version(name)
            for name in (unit.suite.distribution, "numpy", "pytest", "pytest-xdist", "hypothesis", "array-api-strict")
        }
        | {"python": sys.version.split()[0]},
        "strictarray": [strictarray_version(), fingerprint()] if namespace == "stand-in" else None,
    }
    folder = folder / namespace
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{unit.name}.json"
    if path.exists() and not fresh:
        earlier = json.loads(path.read_text(encoding="utf-8"))
        if earlier["key"] == key and earlier["finished"]:
            print(f"{label}: kept from {earlier['date']}", file=out or sys.stdout, flush=True)
            return earlier
    work = folder / f"{unit.name}.work"  # An empty folder: no pytest.ini, conftest or module of ours is found from it.
    work.mkdir(exist_ok=True)
    log, text = folder / f"{unit.name}.jsonl", folder / f"{unit.name}.log"
    log.unlink(missing_ok=True)
    words = command(unit, namespace, jobs=jobs, seed=seed, ids=ids)
    if unit.suite.modules:
        root, cwd = suites.SITE, work
    else:
        root = cwd = suites.sdist(suites.SITE.parents[2] / "sdist")
    # Ids are relative to the root; no configuration file of the surroundings is read.
    if unit.suite.modules:
        empty = work / "pytest.ini"
        empty.write_text("[pytest]\n", encoding="utf-8")
        words += ["--rootdir", str(root), "--confcutdir", str(root), "-c", str(empty)]
    shown = " ".join(f"{name}={shlex.quote(value)}" for name, value in key["env"].items())
    print(f"{label}: {shown} {shlex.join(words)}", file=out or sys.stdout, flush=True)
    progress = Progress(label, log, out)
    with text.open("w", encoding="utf-8") as output:
        process = subprocess.Popen(
            words,
            cwd=cwd,
            env=environment(unit, log, seed),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            while process.poll() is None:
                time.sleep(0.2)
                progress.follow()
                progress.speak()
                if cancelled and cancelled.is_set():
                    break
                if time.monotonic() - progress.moved > SILENCE:
                    print(f"{label}: no test has ended for {SILENCE:.0f} s", file=out or sys.stdout, flush=True)
                    break
        finally:
            if process.poll() is None:
                stop(process)
    progress.follow()
    progress.speak(now=True)
    found = read_log(log)
    # 0: all passed, 1: some failed, 5: none were chosen. All else is a run that tells nothing about the rest.
    finished = found["end"] in (0, 1, 5)
    fault = None
    strangers = {one["namespace"] for one in found["identities"]} - {namespace}
    if strangers:
        finished, fault = False, f"array_api_strict was the {strangers.pop()} package"
    elif (
        finished
        and found["end"] != 5
        and found["total"] != (count := len(found["tests"]) - len(found["skipped_files"]))
    ):
        finished, fault = False, f"{found['total']} tests were collected, {count} have an outcome"
    elif not finished:
        tail = text.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-15:]
        fault = (
            f"pytest ended with {found['end'] if found['end'] is not None else process.returncode}:\n  "
            + "\n  ".join(tail)
        )
    result = {
        "key": key,
        "date": time.strftime("%Y-%m-%d %H:%M:%S"),
        "finished": finished,
        "fault": fault,
        "time": found["time"],
        "counts": dict(Counter(test["outcome"] for test in found["tests"].values())),
        "collect": found["collect"],
        "identities": found["identities"],
        "tests": found["tests"],
    }
    scratch = path.with_suffix(".part")
    scratch.write_text(json.dumps(result, indent=0), encoding="utf-8")
    scratch.replace(path)
    return result
