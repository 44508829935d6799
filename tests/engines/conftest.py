"""Tests of libraries that compute on our arrays. They run in the downstream environment only:

    .venv-downstream/bin/python -m pytest tests/engines

Where a library is missing, the run ends with an error: a test that was skipped has shown nothing.
"""

import importlib.util
import os

import pytest

LIBRARIES = ("array_api_extra", "cubed", "dask", "distributed", "einops", "xarray", "zarr")
BACKEND = "strictarray.cubed_backend"


def pytest_configure(config):
    missing = [name for name in LIBRARIES if importlib.util.find_spec(name) is None]
    if missing:
        raise pytest.UsageError(
            f"tests/engines needs {', '.join(missing)}: run it by .venv-downstream/bin/python, which requirements/downstream.txt makes"
        )
    # cubed reads it when it is imported; workers inherit it.
    os.environ["CUBED_BACKEND_ARRAY_API_MODULE"] = BACKEND


@pytest.fixture(scope="session")
def cluster():
    """A Dask cluster of two local worker processes."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, memory_limit="1GB", dashboard_address=":0") as cluster:
        yield cluster
