"""Both results of a unit side by side: what differs, why, and whether that is a failure."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

OUTCOMES = ("passed", "failed", "error", "skipped", "xfailed", "xpassed")
MISSING = "missing"
# Frames that only pass a comparison or an assertion on: the line that says what went wrong is above them.
HELPERS = re.compile(
    r"(^|/)(numpy/testing|numpy/_core|strictarray|array_api_strict|_pytest|hypothesis|contextlib|unittest)/"
    r"|/contextlib\.py$|_lib/_array_api\.py$|array_api_extra/(testing|_lib/_testing)|array_api_extra/testing/"
    r"|sklearn/utils/_testing\.py$"
)


@dataclass
class Difference:
    unit: str
    id: str
    genuine: str
    stand_in: str
    message: str
    frames: list

    @property
    def worse(self) -> bool:
        return self.genuine == "passed" and self.stand_in != "passed"

    def place(self) -> str:
        """The last line of the library's own code, "file:line: source"."""
        own = [frame for frame in self.frames if not HELPERS.search(frame[0])] or self.frames
        if not own:
            return ""
        path, line, source = own[-1]
        return f"{path}:{line}: {source}"

    def cause(self) -> tuple[str, str, str]:
        """What tests have in common that are told of together: the outcomes, the message without values, the line."""
        return (f"{self.genuine} -> {self.stand_in}", general(self.message), self.place())


def general(message: str) -> str:
    message = re.sub(r"0x[0-9a-f]+", "0x…", message)
    return re.sub(r"-?\d+(\.\d+)?(e[+-]?\d+)?", "N", message)[:200]


def differences(unit: str, genuine: dict, stand_in: dict) -> list[Difference]:
    found = []
    for name in {**genuine["tests"], **stand_in["tests"]}:
        one, other = genuine["tests"].get(name), stand_in["tests"].get(name)
        before, after = (test["outcome"] if test else MISSING for test in (one, other))
        if before != after:
            why = other if other and (after != "passed" or not one) else one
            found.append(Difference(unit, name, before, after, why.get("message", ""), why.get("frames", [])))
    return found


def by_cause(found: list[Difference]) -> list[tuple[tuple[str, str, str], list[Difference]]]:
    groups = defaultdict(list)
    for difference in found:
        groups[difference.cause()].append(difference)
    return sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))


class Known:
    """The committed table of differences that are meant, each with its reason."""

    def __init__(self, entries: list[dict]):
        for entry in entries:
            if set(entry) != {"suite", "ids", "reason"} or not entry["reason"].strip() or not entry["ids"]:
                raise SystemExit(f"error: the known differences need suite, ids and reason, and no more: {entry}")
        self.entries = entries
        self.used: set[tuple[int, str]] = set()

    @classmethod
    def read(cls, path: Path) -> Known:
        return cls(tomllib.loads(path.read_text(encoding="utf-8")).get("known", []))

    def reason(self, suite: str, difference: Difference) -> str | None:
        for place, entry in enumerate(self.entries):
            for pattern in entry["ids"]:
                # Brackets stand for themselves: ids are full of them.
                if entry["suite"] == suite and fnmatchcase(difference.id, pattern.replace("[", "[[]")):
                    self.used.add((place, pattern))
                    return entry["reason"]
        return None

    def stale(self, suites: set[str]) -> list[str]:
        """Patterns that no difference of the suites, all of them run in full, goes by."""
        return [
            f"{entry['suite']}: {pattern}"
            for place, entry in enumerate(self.entries)
            if entry["suite"] in suites
            for pattern in entry["ids"]
            if (place, pattern) not in self.used
        ]


def table(rows: list[tuple[str, str, dict]]) -> str:
    """Counts of each unit and namespace, and the sum of each namespace."""
    head = ("unit", "package", *OUTCOMES, "time")
    lines = [head]
    for name, namespace, result in rows:
        counts = result["counts"]
        time = f"{result['time']:.0f} s" if result["time"] is not None else "-"
        mark = "" if result["finished"] else " (not finished)"
        lines.append((name, namespace, *(f"{counts.get(word, 0):,}" for word in OUTCOMES), time + mark))
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    return "\n".join(
        "  ".join(
            word.ljust(width) if column < 2 else word.rjust(width)
            for column, (word, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )
