"""Fixtures that every test module can use."""

from pathlib import Path

import numpy as np
import pytest
from support import DEVICE_NAMES, DTYPES, OFF_CPU

import strictarray as xp

ENGINES = Path(__file__).parent / "engines"


def pytest_ignore_collect(collection_path, config):
    """Deselected by marker, the interop tests are not imported either: they fail where their library is missing. Those in
    engines run only where they are asked for by path."""
    if config.getoption("markexpr") == "not interop" and "interop" in collection_path.parts:
        return True
    if collection_path == ENGINES:
        asked = (Path(config.invocation_params.dir, arg.split("::")[0]).resolve() for arg in config.args)
        return not any(path.is_relative_to(ENGINES) for path in asked) or None
    return None


@pytest.fixture(params=DEVICE_NAMES)
def device_name(request):
    return request.param


@pytest.fixture(params=OFF_CPU)
def off_cpu(request):
    """A device that stands for an accelerator."""
    return xp.Device(request.param)


@pytest.fixture(params=DTYPES)
def dtype_name(request):
    return request.param


@pytest.fixture(autouse=True)
def _default_flags():
    """Every test starts with the default flags and leaves them behind."""
    xp.reset_array_api_strict_flags()
    yield
    xp.reset_array_api_strict_flags()


@pytest.fixture(autouse=True)
def _quiet_numpy():
    """NumPy is the peer to compare with: its floating-point warnings say nothing about us."""
    with np.errstate(all="ignore"):
        yield
