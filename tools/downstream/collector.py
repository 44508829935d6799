"""A pytest plugin that writes the outcome of each test, while the run goes on, as one JSON object a line.

The file is named by DOWNSTREAM_LOG. With xdist the process that steers writes it. Kinds of lines: "start" (the module
that is array_api_strict in a process), "total" (how many tests), "test", "collect" (a file that was skipped or could
not be collected), "end" (the exit status; without it the run was cut off).
"""

from __future__ import annotations

import json
import os
import re
import time
from types import FunctionType

import pytest

FRAMES = 30


def identity() -> dict:
    """Which module the tests get as array_api_strict."""
    import array_api_strict

    # The genuine array is written in Python, ours is not.
    written_in_python = isinstance(type(array_api_strict.asarray(1)).__add__, FunctionType)
    return {
        "file": getattr(array_api_strict, "__file__", None),
        "version": array_api_strict.__version__,
        "namespace": "genuine" if written_in_python else "stand-in",
    }


def one_line(text: str, limit: int = 600) -> str:
    return " | ".join(line.strip() for line in str(text).splitlines() if line.strip())[:limit]


def reason(report, root: str) -> dict:
    """Why a test did not simply pass: the message, and the lines of source that led there, the last one last."""
    representation = report.longrepr
    if representation is None:
        return {}
    if isinstance(representation, tuple):  # A skip: path, line, reason.
        return {"message": one_line(representation[2])}
    crash = getattr(representation, "reprcrash", None)
    if crash is None:
        return {"message": one_line(str(representation)[-600:])}
    traceback = representation.reprtraceback
    chain = getattr(representation, "chain", [])
    # pytest.warns puts itself before an error that it sees, marray the seed of its test.
    if len(chain) > 1 and chain[-2][1] and re.match(r"Failed: DID NOT|AssertionError(: \w*)?$", crash.message):
        traceback, crash, _ = chain[-2]
    frames = []
    for entry in getattr(traceback, "reprentries", []):
        place = getattr(entry, "reprfileloc", None)
        if place is None:
            continue
        source = [line.lstrip(">").strip() for line in entry.lines if line.strip(" ^~") and not line.startswith("E ")]
        path = os.path.relpath(place.path, root)
        frames.append([path.replace(os.sep, "/"), place.lineno, " ".join(source)[:200]])
    return {"message": one_line(crash.message), "frames": frames[-FRAMES:]}


class Test:
    """What the reports of one test come to."""

    # What comes later in this list wins: a test that passed and then failed in its teardown is an error.
    ORDER = ("passed", "xpassed", "xfailed", "skipped", "failed", "error")

    def __init__(self):
        self.outcome = None
        self.time = 0.0
        self.why = {}

    def add(self, report, root: str) -> None:
        self.time += report.duration
        xfail = hasattr(report, "wasxfail")
        if report.when == "call" or report.outcome != "passed" or report.when == "???":
            if report.outcome == "failed":
                outcome = "failed" if report.when in ("call", "???") else "error"
            elif report.outcome == "skipped":
                outcome = "xfailed" if xfail else "skipped"
            else:
                outcome = "xpassed" if xfail else "passed"
            if self.outcome is None or self.ORDER.index(outcome) > self.ORDER.index(self.outcome):
                self.outcome, self.why = outcome, reason(report, root)


class Collector:
    def __init__(self, path: str, root: str):
        self.root = root  # What the paths of ids start from.
        self.file = open(path, "w", encoding="utf-8", buffering=1)  # noqa: SIM115
        self.tests: dict[tuple, Test] = {}
        self.started = time.time()

    def write(self, kind: str, **values) -> None:
        print(json.dumps({"kind": kind, **values}), file=self.file)

    def total(self, count: int) -> None:
        self.write("total", count=count)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node, ids):
        self.total(len(ids))

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node, error):
        found = getattr(node, "workeroutput", {}).get("downstream_identity")
        if found:
            self.write("start", worker=node.gateway.id, identity=found)

    def pytest_collection_finish(self, session):
        if not session.config.getoption("numprocesses", None):
            self.total(len(session.items))
            self.write("start", worker=None, identity=identity())

    def pytest_collectreport(self, report):
        if report.outcome != "passed":
            self.write("collect", id=report.nodeid, outcome=report.outcome, **reason(report, self.root))

    def pytest_runtest_logreport(self, report):
        # The same id can stand for several tests, where a file is collected twice; item_index (xdist) tells them apart.
        key = (report.nodeid, getattr(report, "item_index", None))
        if report.when == "???":  # The process died in this test, of which setup may have been reported.
            key = next((begun for begun in self.tests if begun[0] == report.nodeid), key)
        test = self.tests.get(key)
        if test is None:
            test = self.tests[key] = Test()
        test.add(report, self.root)
        if report.when in ("teardown", "???"):
            del self.tests[key]
            self.write(
                "test", id=report.nodeid, item=key[1], outcome=test.outcome, time=round(test.time, 4), **test.why
            )

    def pytest_sessionfinish(self, session, exitstatus):
        for (name, item), test in self.tests.items():  # Never torn down: their process died.
            self.write("test", id=name, item=item, outcome="error", time=round(test.time, 4), message="not finished")
        self.write("end", status=int(exitstatus), time=round(time.time() - self.started, 1))

    def pytest_unconfigure(self):
        self.file.close()


def pytest_configure(config):
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(Worker(), "downstream-worker")
    else:
        config.pluginmanager.register(
            Collector(os.environ["DOWNSTREAM_LOG"], str(config.rootpath)), "downstream-collector"
        )


class Worker:
    def pytest_sessionfinish(self, session):
        session.config.workeroutput["downstream_identity"] = identity()
