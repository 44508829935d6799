"""Time NumPy, array-api-strict and strictarray side by side, in one process, on the same number of threads.

    python bench/run.py                    everything; a few minutes
    python bench/run.py --quick            one case of each group, small sizes; seconds
    python bench/run.py -k "x[" -k "@"     cases whose code or group contains one of these
    python bench/run.py --threads 2

Prints each case as soon as it is measured, then the geometric means, and writes everything to a JSON file in
bench-results/. Ratios are of the best times: below 1 strictarray is the faster. Calls that are not timed come before
each sample, so that no library pays for what the others left in the caches, nor for new pages. Lines where it is
slower than array-api-strict, or hardly faster, are measured again in new processes, where memory lies elsewhere (what
memory limits varies by half from process to process). Those that are slower by the best times of all are listed, with
the number of processes in which they were: of two that take equally long, each is the slower in half of them. The exit
status is 1 if a case fails in strictarray.
"""

from __future__ import annotations

import argparse
import datetime
import importlib
import json
import math
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
import timeit
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
OURS = "strictarray"
LIBRARIES = ["numpy", "array_api_strict", OURS]

# Every pool of threads that one of the libraries, or something below it, may start.
THREAD_VARIABLES = [
    "STRICTARRAY_NUM_THREADS",
    "RAYON_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
]
# Set on some machines for the sake of old OpenBLAS builds; they slow NumPy down, so the comparison would flatter us.
UNSET_VARIABLES = ["OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"]
CHILD = "STRICTARRAY_BENCH_CHILD"
# Calls that are not timed before each sample: after so many the caches hold what they will hold.
WARM = 5
# Rounds of one line stop after so many seconds, but not before this many.
LONGEST, LEAST_ROUNDS = 6.0, 2
# How often lines from this ratio on are measured again, and with how many times the rounds.
DOUBTFUL, AGAIN, MORE = 0.9, 3, 3


def child_environment(threads: int) -> dict[str, str]:
    """The environment to measure in. The libraries read it when they are imported, so it needs a new process."""
    environment = {name: value for name, value in os.environ.items() if name not in UNSET_VARIABLES}
    return {**environment, **dict.fromkeys(THREAD_VARIABLES, str(threads)), CHILD: "1"}


def machine_info(threads: int) -> dict[str, Any]:
    from threadpoolctl import threadpool_info

    cpu = platform.processor()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        models = [line for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        cpu = models[0].split(":", 1)[1].strip() if models else cpu
    pools = [
        {key: pool.get(key) for key in ("internal_api", "version", "architecture", "num_threads")}
        for pool in threadpool_info()
    ]
    return {
        "cpu": cpu,
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "system": platform.platform(),
        "python": platform.python_version(),
        "threads": threads,
        "environment": {name: os.environ.get(name) for name in THREAD_VARIABLES + UNSET_VARIABLES},
        "thread_pools": pools,
    }


def commit() -> str | None:
    """The commit that is measured, marked if the tree differs from it; None outside a git checkout."""
    try:
        command = ["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
        return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


def calibrated(timer: timeit.Timer, budget: float) -> int:
    """How many calls take about the budget, in seconds."""
    timer.timeit(1)  # It may bring in pages that later calls find there, and take ten times as long.
    number = 1
    while True:
        taken = timer.timeit(number)
        if taken >= budget / 2:
            return max(1, round(number * budget / taken))
        number = max(number * 2, min(number * 100, int(number * budget / max(taken, 1e-9))))


def measure(code: str, names: dict[str, dict[str, Any]], budget: float, repeats: int) -> dict[str, Any]:
    """Nanoseconds a call for each library. One library after the other in every round, so that all share the noise.

    Untimed calls come first each time: NumPy and array-api-strict share an allocator, so that the one finds in the
    caches the place where the other put its result, and strictarray finds its own displaced by both.
    """
    timers, errors = {}, {}
    for library, variables in names.items():
        # Statements like `w += y` and `k += j` make a local of the timed function, unless it is said to be global.
        timer = timeit.Timer(code, setup="global w, k", globals=variables)
        try:
            timers[library] = (timer, calibrated(timer, budget))
        except Exception as error:
            errors[library] = f"{type(error).__name__}: {error}"
    samples: dict[str, list[float]] = {library: [] for library in timers}
    order = list(timers)
    started = time.perf_counter()
    for turn in range(repeats):
        if turn >= LEAST_ROUNDS and time.perf_counter() - started > LONGEST:
            break
        for library in order:
            timer, number = timers[library]
            timer.timeit(min(number, WARM))
            samples[library].append(timer.timeit(number) / number * 1e9)
        order = order[1:] + order[:1]
    result: dict[str, Any] = {
        library: {"min_ns": min(times), "median_ns": statistics.median(times), "calls": timers[library][1]}
        for library, times in samples.items()
    }
    return {**result, **{library: {"error": error} for library, error in errors.items()}}


def ratio(times: dict[str, Any], peer: str) -> float | None:
    ours, theirs = times[OURS].get("min_ns"), times[peer].get("min_ns")
    return ours / theirs if ours is not None and theirs is not None else None


def shown_time(ns: float | None) -> str:
    if ns is None:
        return "–"
    for limit, unit, scale in ((1e3, "ns", 1.0), (1e6, "µs", 1e3), (1e9, "ms", 1e6)):
        if ns < limit:
            return f"{ns / scale:.3g} {unit}" if ns / scale < 100 else f"{ns / scale:.0f} {unit}"
    return f"{ns / 1e9:.2f} s"


def shown_ratio(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def row(code: str, n: str, cells: list[str]) -> str:
    return f"{code:<42}{n:>8}" + "".join(f"{cell:>11}" for cell in cells)


def geometric_mean(values: list[float]) -> float:
    return math.exp(statistics.fmean(map(math.log, values)))


def show_means(results: list[dict[str, Any]]) -> None:
    """The ratios of each group and size in one line."""
    print("\nGeometric means of the ratios of the best times (below 1: strictarray is faster)")
    print(row("group", "n", ["cases", "/ NumPy", "/ strict"]))
    groups: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for result in results:
        groups.setdefault((result["group"], result["n"]), []).append(result)
    for (group, n), members in groups.items():
        cells = [str(len(members))]
        for peer in LIBRARIES[:2]:
            values = [value for member in members if (value := ratio(member["times"], peer)) is not None]
            cells.append(shown_ratio(geometric_mean(values) if values else None))
        print(row(group, str(n), cells))


def run(options: argparse.Namespace) -> int:
    from cases import CASES

    chosen = CASES
    if options.k:
        chosen = [case for case in chosen if any(word in case.code or word == case.group for word in options.k)]
    if options.quick:
        chosen = list({case.group: case for case in reversed(chosen)}.values())[::-1]
    # A case of the quick run keeps its two smallest sizes.
    planned = [(case, n) for case in chosen for n in (case.sizes[:2] if options.quick else case.sizes)]
    if options.only:
        lines = {tuple(line) for line in json.loads(options.only.read_text(encoding="utf-8"))}
        planned = [(case, n) for case, n in planned if (case.group, case.code, n) in lines]
    if not planned:
        print("error: no case matches", file=sys.stderr)
        return 2
    budget, repeats = (0.0002, 2) if options.quick else (0.003, options.repeats)

    libraries: dict[str, ModuleType] = {name: importlib.import_module(name) for name in LIBRARIES}
    machine = machine_info(options.threads)
    unpinned = [pool for pool in machine["thread_pools"] if pool["num_threads"] != options.threads]
    if unpinned:
        print(f"error: not pinned to {options.threads} threads: {unpinned}", file=sys.stderr)
        return 2
    versions = {name: library.__version__ for name, library in libraries.items()}
    print(f"{machine['cpu']}, {machine['cores']} cores, load {machine['load']}; Python {machine['python']}")
    print(f"{', '.join(f'{name} {version}' for name, version in versions.items())}; threads: {options.threads} each")
    print(f"best of {repeats}, interleaved; {len(planned)} lines")

    set_ups: dict[Any, dict[str, dict[str, Any]]] = {}
    results: list[dict[str, Any]] = []
    failures = []
    started, group = time.perf_counter(), None
    for case, n in planned:
        if case.group != group:
            group = case.group
            print("\n" + row(group, "n", ["NumPy", "strict", "ours", "/ NumPy", "/ strict"]))
        if (case.setup, n) not in set_ups:
            set_ups[case.setup, n] = {
                name: {"xp": library, **case.setup(library, n)} for name, library in libraries.items()
            }
        times = measure(case.code, set_ups[case.setup, n], budget, repeats)
        ratios = {peer: ratio(times, peer) for peer in LIBRARIES[:2]}
        results.append({"group": case.group, "code": case.code, "n": n, "times": times, "ratios": ratios})
        cells = [shown_time(times[name].get("min_ns")) for name in LIBRARIES]
        print(row(case.code, str(n), [*cells, *map(shown_ratio, ratios.values())]), flush=True)
        if "error" in times[OURS]:
            failures.append(f"{case.code}, n = {n}: {times[OURS]['error']}")

    now = datetime.datetime.now(datetime.UTC)
    file = options.json
    file.parent.mkdir(parents=True, exist_ok=True)
    record = {
        "time": now.isoformat(timespec="seconds"),
        "commit": commit(),
        "machine": machine,
        "versions": versions,
        "repeats": repeats,
        "results": results,
    }
    file.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    print(f"\n{len(results)} lines in {time.perf_counter() - started:.0f} s, written to {file}")
    for failure in failures:
        print(f"error: strictarray fails at {failure}", file=sys.stderr)
    return 1 if failures else 0


def key(result: dict[str, Any]) -> tuple[str, str, int]:
    return result["group"], result["code"], result["n"]


def from_ratio(least: float, results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The lines that take more than so many times as long as array-api-strict's."""
    return [
        result for result in results if (value := ratio(result["times"], LIBRARIES[1])) is not None and value > least
    ]


def slower_in(result: dict[str, Any]) -> int:
    """In how many processes a line took longer than array-api-strict's."""
    return sum(ratios[LIBRARIES[1]] > 1 for ratios in result["ratios_of_processes"])


def measure_again(file: Path, arguments: list[str], options: argparse.Namespace) -> int:
    """Measures the doubtful lines again, and says which are slower than array-api-strict by each library's best time.

    All of them equally often, whatever comes out: else chance would decide which lines get another try. The exit status
    is that of the measurements.
    """
    record = json.loads(file.read_text(encoding="utf-8"))
    results = {key(result): result for result in record["results"]}
    lines = [key(result) for result in from_ratio(DOUBTFUL, record["results"])]
    for turn in range(AGAIN if lines else 0):
        print(f"\n{len(lines)} lines above {DOUBTFUL} of array-api-strict: again, {turn + 1} of {AGAIN}", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            only, again = Path(folder, "only.json"), Path(folder, "again.json")
            only.write_text(json.dumps(lines), encoding="utf-8")
            more = ["--only", str(only), "--json", str(again), "--repeats", str(options.repeats * MORE)]
            if run_child([*arguments, *more], options.threads, output=subprocess.DEVNULL) != 0:
                print("error: a line that was measured before fails now", file=sys.stderr)
                return 1
            for result in json.loads(again.read_text(encoding="utf-8"))["results"]:
                first = results[key(result)]
                first.setdefault("ratios_of_processes", [first["ratios"]]).append(result["ratios"])
                for library, times in result["times"].items():
                    if times.get("min_ns", math.inf) < first["times"][library].get("min_ns", 0):
                        first["times"][library] = times
                first["ratios"] = {peer: ratio(first["times"], peer) for peer in LIBRARIES[:2]}
    record["results"] = list(results.values())
    file.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    show_means(record["results"])
    left = sorted(from_ratio(1, record["results"]), key=lambda result: -result["ratios"][LIBRARIES[1]])
    always = sum(slower_in(result) == AGAIN + 1 for result in left)
    print(f"\n{len(left)} lines are slower than array-api-strict; in each of {AGAIN + 1} processes: {always}")
    for result in left:
        often = f"{slower_in(result)} of {AGAIN + 1}"
        print(row(result["code"], str(result["n"]), ["", "", often, *map(shown_ratio, result["ratios"].values())]))
    return 0


def run_child(arguments: list[str], threads: int, output: int | None = None) -> int:
    command = [sys.executable, str(Path(__file__).resolve()), *arguments]
    return subprocess.run(command, env=child_environment(threads), stdout=output, check=False).returncode


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="one case of each group, small sizes")
    parser.add_argument("-k", action="append", metavar="WORD", help="cases whose code contains WORD, or of group WORD")
    parser.add_argument("--threads", type=int, default=1, help="threads for each library (default: 1)")
    parser.add_argument("--repeats", type=int, default=7, help="rounds (default: 7)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where to write (default: bench-results/TIME.json)")
    parser.add_argument("--only", type=Path, metavar="FILE", help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if os.environ.get(CHILD) == "1":
        return run(options)
    arguments = sys.argv[1:] if argv is None else argv
    now = datetime.datetime.now(datetime.UTC)
    file = options.json or ROOT / "bench-results" / f"{now:%Y%m%dT%H%M%SZ}.json"
    status = run_child([*arguments, "--json", str(file)], options.threads)
    if options.quick and file.exists():
        show_means(json.loads(file.read_text(encoding="utf-8"))["results"])
    elif status == 0:
        status = measure_again(file, arguments, options)
    return status


if __name__ == "__main__":
    sys.exit(main())
