"""A pytest plugin: what a test draws without a seed follows from DOWNSTREAM_SEED and the test's id.

marray draws new data in each run; so each test has the same data on both packages, and in a repetition.
"""

import hashlib
import os

import numpy as np

_state = {"test": "", "count": 0}
_default_rng = np.random.default_rng


def _seed() -> int:
    _state["count"] += 1
    text = f"{os.environ['DOWNSTREAM_SEED']} {_state['test']} {_state['count']}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")


def default_rng(seed=None):
    return _default_rng(_seed() if seed is None else seed)


class SeedSequence(np.random.SeedSequence):
    def __init__(self, entropy=None, **options):
        super().__init__(_seed() if entropy is None else entropy, **options)


np.random.default_rng, np.random.SeedSequence = default_rng, SeedSequence


def pytest_runtest_setup(item):
    _state.update(test=item.nodeid, count=0)
