"""Run the suites of SciPy, scikit-learn and other libraries on array_api_strict and on strictarray's stand-in for it.

    python tools/downstream                        all suites, on both, and what differs
    python tools/downstream scipy.stats sklearn    these (dotted prefixes; `suites.py` names them)
    python tools/downstream --only stand-in        on one of both
    python tools/downstream --listed               the tests listed in tests/downstream/*.txt, on the stand-in
    python tools/downstream --write-lists          choose these lists anew, from results that are there

Results are kept in .downstream-results/, one file for each unit and package; what is there and still holds is not run
again. Exits 1 if a test that passes on the genuine package does not on the stand-in, unless
tests/downstream/known.toml says why.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from downstream import compare, listed, suites
from downstream.run import NAMESPACES, run, strictarray_version, version

ROOT = Path(__file__).resolve().parent.parent.parent
LISTS = ROOT / "tests" / "downstream"


def arguments(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="*", help="dotted prefixes, apart by spaces or commas")
    parser.add_argument("--only", choices=NAMESPACES, help="run on this one only")
    parser.add_argument("--fresh", action="store_true", help="run again what has a result")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    parser.add_argument("--seed", type=int, default=0, help="of all that is drawn (0)")
    parser.add_argument("--results", type=Path, default=ROOT / ".downstream-results", help="where results are kept")
    parser.add_argument("--listed", action="store_true", help="run the tests of tests/downstream/*.txt on the stand-in")
    parser.add_argument(
        "--write-lists", action="store_true", help="choose those tests anew from results that are there"
    )
    options = parser.parse_args(argv)
    options.suites = [name for words in options.suites for name in words.replace(",", " ").split()]
    return options


def report(units: list[suites.Unit], results: dict, known: compare.Known, results_folder: Path, file) -> int:
    """Say what differs; the number of tests that should not."""
    found = []
    for unit in units:
        pair = results[unit.name]
        if len(pair) == 2 and pair["genuine"]["finished"]:
            found += [(unit.suite.name, one) for one in compare.differences(unit.name, *(pair[n] for n in NAMESPACES))]
    listed.remember(results_folder, [one for _, one in found])
    reasons = {(one.unit, one.id): known.reason(suite, one) for suite, one in found if one.worse}
    sections = (
        ("that pass on the genuine package and not on the stand-in", lambda d: d.worse and not reasons[d.unit, d.id]),
        ("of these, known (tests/downstream/known.toml)", lambda d: d.worse and reasons[d.unit, d.id]),
        ("that differ otherwise", lambda d: not d.worse),
    )
    bad = 0
    for title, belongs in sections:
        group = [one for _, one in found if belongs(one)]
        print(f"\n{len(group)} tests {title}", file=file)
        for (change, message, place), ones in compare.by_cause(group):
            print(f"\n  {len(ones)} × {change}: {ones[0].message or message}", file=file)
            if place:
                print(f"      at {place}", file=file)
            for one in ones:
                known_as = f" ({reasons[one.unit, one.id]})" if reasons.get((one.unit, one.id)) else ""
                print(f"    {one.id}{known_as}", file=file)
        if belongs is sections[0][1]:
            bad = len(group)
    return bad


def main(argv: list[str] | None = None) -> int:
    options = arguments(argv)
    if options.listed:
        return listed.run(LISTS, options)
    units = suites.choose(options.suites)
    if options.write_lists:
        return listed.write(LISTS, units, options.results)
    namespaces = [options.only] if options.only else list(NAMESPACES)
    compat = os.environ.get("STRICTARRAY_COMPAT")
    compat = f"is {compat}" if compat else "not set"
    print(
        f"array-api-strict {version('array-api-strict')}, strictarray {strictarray_version()}"
        f" (STRICTARRAY_COMPAT {compat}), seed {options.seed}, {options.jobs} processes"
    )
    results: dict[str, dict[str, dict]] = {}
    try:
        for unit in units:
            for namespace in namespaces:
                result = run(
                    unit, namespace, options.results, jobs=options.jobs, seed=options.seed, fresh=options.fresh
                )
                results.setdefault(unit.name, {})[namespace] = result
    except KeyboardInterrupt:
        print("\ninterrupted; run again to go on: what has finished is kept", file=sys.stderr)
        return 130

    rows = [(unit.name, namespace, results[unit.name][namespace]) for unit in units for namespace in namespaces]
    for suite in dict.fromkeys(unit.suite.name for unit in units):
        parts = [unit.name for unit in units if unit.suite.name == suite]
        if len(parts) > 1:
            for namespace in namespaces:
                rows.append((f"{suite}, all", namespace, total([results[name][namespace] for name in parts])))
    known = compare.Known.read(LISTS / "known.toml")
    with open(options.results / "differences.txt", "w", encoding="utf-8") as file:
        bad = report(units, results, known, options.results, file)
    if not options.only:
        print((options.results / "differences.txt").read_text(encoding="utf-8"))
    print(f"\n{compare.table(rows)}\n")

    faults = []
    for name, namespace, result in rows:
        if result.get("fault"):
            faults.append(f"{name} on {namespace}: {result['fault']}")
        faults += [f"{name} on {namespace}: not collected: {one['id']}: {one['message']}" for one in result["collect"]]
    if not options.only:
        whole = {unit.suite.name for unit in units if set(suites.units(unit.suite)) <= set(units)}
        faults += [f"a known difference is none any more: {line}" for line in known.stale(whole)]
        if bad:
            faults.append(f"{bad} tests pass on the genuine package and not on the stand-in")
    for fault in faults:
        print(f"error: {fault}", file=sys.stderr)
    return 1 if faults else 0


def total(parts: list[dict]) -> dict:
    counts: dict[str, int] = {}
    for part in parts:
        for word, number in part["counts"].items():
            counts[word] = counts.get(word, 0) + number
    return {
        "counts": counts,
        "time": sum(part["time"] or 0 for part in parts),
        "finished": all(part["finished"] for part in parts),
        "collect": [],
    }
