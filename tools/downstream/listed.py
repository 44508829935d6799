"""The fixed lists tests/downstream/SUITE.txt: tests of each suite that `make test` runs on the stand-in.

They are chosen by `--write-lists` from results of both packages, and committed: what is listed must be collected, and
must pass.
"""

from __future__ import annotations

import json
import sys
import threading
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from itertools import zip_longest
from pathlib import Path

from downstream import compare, suites
from downstream.run import run as run_unit

SIZE = 60
LARGER = {"scipy": 120}
SLOW = 0.7  # seconds: the lists together have three minutes
HEAD = """\
# Tests of {distribution} that `make test` runs on strictarray's stand-in for array_api_strict; each passes on the
# genuine package, too. Written by tools/downstream --write-lists.
"""


def read(path: Path) -> list[str]:
    ids = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    ids = [line for line in ids if line and not line.startswith("#")]
    if len(set(ids)) != len(ids):
        raise SystemExit(f"error: {path}: a test is listed twice")
    return ids


def faults(ids: list[str], result: dict) -> list[str]:
    """What is wrong with the run of a list, one line each."""
    found = [result["fault"]] if result["fault"] else []
    for name in ids:
        test = result["tests"].get(name)
        outcome = test["outcome"] if test else compare.MISSING
        if outcome != "passed":
            found.append(f"{outcome}: {name}" + (f": {test['message']}" if test and "message" in test else ""))
    return found


def run(folder: Path, options) -> int:
    lists = {path.stem: path for path in sorted(folder.glob("*.txt"))}
    chosen = [name for name in suites.SUITES if name in lists and (not options.suites or name in options.suites)]
    strangers = sorted(set(lists) - set(suites.SUITES)) + sorted(set(options.suites) - set(lists))
    if strangers or not chosen:
        print(f"error: {folder}: not both a list and a suite: {', '.join(strangers) or 'none'}", file=sys.stderr)
        return 1
    bad, rows, namespace = 0, [], options.only or "stand-in"
    listed = {name: read(lists[name]) for name in chosen}
    cancelled = threading.Event()

    def one(name: str) -> dict:
        unit, folder = suites.Unit(name, suites.SUITES[name]), options.results / "listed"
        more = {"seed": options.seed, "ids": listed[name], "cancelled": cancelled}
        return run_unit(unit, namespace, folder, jobs=1, fresh=True, **more)

    # Importing these libraries takes longer than the tests: one process for each suite, several suites at a time.
    with ThreadPoolExecutor(max(options.jobs, 1)) as pool:
        try:
            results = list(pool.map(one, chosen))
        except BaseException:  # Ctrl-C reaches this thread only.
            cancelled.set()
            raise
    for name, result in zip(chosen, results, strict=True):
        ids = listed[name]
        rows.append((f"{name} ({len(ids)} listed)", namespace, result))
        for fault in faults(ids, result) or (["its list is empty"] if not ids else []):
            bad += 1
            print(f"error: {name}: {fault}", file=sys.stderr)
    print(f"\n{compare.table(rows)}")
    return 1 if bad else 0


def function(name: str) -> str:
    """The id without its parameters."""
    return name.split("[", 1)[0]


def file(name: str) -> str:
    return name.split("::", 1)[0]


def in_turn(queues: list[list[str]], size: int) -> list[str]:
    """The first of each queue, then the second of each, ..."""
    rounds = zip_longest(*queues)
    return [name for each in rounds for name in each if name is not None][:size]


def choose(passing: dict[str, float], telling: list[str], size: int = SIZE) -> list[str]:
    """Ids spread over files, over functions within a file; up to half of them have told something already."""
    quick = {name for name, time in passing.items() if time <= SLOW}
    told: dict[str, list[str]] = defaultdict(list)
    for name in dict.fromkeys(telling):
        if name in quick and function(name) not in map(function, told[file(name)]):
            told[file(name)].append(name)
    chosen = in_turn(list(told.values()), size // 2)
    taken = {function(name) for name in chosen}
    files: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for name in passing:
        if name in quick and function(name) not in taken:
            files[file(name)][function(name)].append(name)
    # Of each file one function in turn, the first, the last, the one between, ...; of each function the parameters in
    # the middle, which are seldom the trivial ones.
    queues = [[names[len(names) // 2] for names in spread(list(functions.values()))] for functions in files.values()]
    chosen += in_turn(queues, size - len(chosen))
    if len(chosen) < size:  # A suite of few functions: more of their parameters.
        rest = [name for name in passing if name in quick and name not in set(chosen)]
        chosen += spread(rest)[: size - len(chosen)]
    place = {name: number for number, name in enumerate(passing)}
    return sorted(chosen, key=place.__getitem__)


def spread(things: list) -> list:
    """The same things, far from those before: the middle first, then the middles of both halves."""
    if len(things) < 3:
        return things
    ranges, order = [(0, len(things))], []
    while ranges:
        low, high = ranges.pop(0)
        if low < high:
            middle = (low + high) // 2
            order.append(things[middle])
            ranges += [(low, middle), (middle + 1, high)]
    return order


def write(folder: Path, units: list[suites.Unit], results: Path) -> int:
    told = results / "told.json"
    telling = json.loads(told.read_text(encoding="utf-8")) if told.exists() else []
    for suite in dict.fromkeys(unit.suite for unit in units):
        passing: dict[str, float] = {}
        for unit in (one for one in units if one.suite == suite):
            pair = []
            for namespace in ("genuine", "stand-in"):
                path = results / namespace / f"{unit.name}.json"
                if not path.exists():
                    raise SystemExit(f"error: {path} is missing: run the suite first")
                pair.append(json.loads(path.read_text(encoding="utf-8")))
            genuine, stand_in = (one["tests"] for one in pair)
            for name in sorted(genuine):
                if genuine[name]["outcome"] == "passed" and stand_in.get(name, {}).get("outcome") == "passed":
                    passing[name] = max(genuine[name]["time"], stand_in[name]["time"])
        passing = {name: time for name, time in passing.items() if "#" not in name.rsplit("]", 1)[-1]}
        ids = choose(passing, telling, LARGER.get(suite.name, SIZE))
        text = HEAD.format(distribution=suite.distribution) + "".join(f"{name}\n" for name in ids)
        (folder / f"{suite.name}.txt").write_text(text, encoding="utf-8")
        print(f"{suite.name}: {len(ids)} of {len(passing)} tests listed")
    return 0


def remember(results: Path, found: list[compare.Difference]) -> None:
    """Keep one test of each cause that the stand-in has failed for: these are the first to be listed."""
    told = results / "told.json"
    names = json.loads(told.read_text(encoding="utf-8")) if told.exists() else []
    new = [ones[0].id for _, ones in compare.by_cause([one for one in found if one.worse])]
    told.write_text(json.dumps(list(dict.fromkeys(names + new)), indent=0), encoding="utf-8")
