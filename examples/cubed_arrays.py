"""One computation on three executors of cubed: threads, processes, and a Dask cluster.

    python examples/cubed_arrays.py
    python examples/cubed_arrays.py tcp://scheduler:8786 s3://bucket/work

The second is the way to a real cluster: the address of its Dask scheduler, and a folder that all its workers reach.
They need cubed, strictarray, and the environment variable below; docs/engines.md says how to set them up.
"""

import contextlib
import os
import sys
import tempfile

# Before cubed is imported; local workers inherit it.
os.environ["CUBED_BACKEND_ARRAY_API_MODULE"] = "strictarray.cubed_backend"

import cubed
import cubed.array_api as cxp
from cubed.runtime.create import create_executor
from dask_executor import DaskExecutor
from distributed import LocalCluster


def seasons(block, block_id):
    """The temperature at each of a block's places and days. It runs in a worker, on an array of strictarray."""
    xp = block.__array_namespace__()
    places, days = block.shape
    place = xp.astype(xp.reshape(xp.arange(places), (places, 1)) + block_id[0] * places, xp.float64)
    day = xp.astype(xp.arange(days) + block_id[1] * days, xp.float64)
    return 15.0 - place / 100 + 10.0 * xp.sin(2 * xp.pi * day / 365)


def warmest(spec):
    """The mean, the highest and the deviation of temperatures of 1000 places, and the place with the highest mean."""
    template = cxp.empty((1000, 3650), dtype=cxp.float64, chunks=(250, 365), spec=spec)
    temperature = cubed.map_blocks(seasons, template, dtype=cxp.float64)
    mean = cxp.mean(temperature, axis=1)
    # cubed's var takes more than the standard has; this is the same.
    deviation = cxp.sqrt(cxp.mean(cxp.square(temperature - cxp.mean(temperature))))
    return cubed.compute(cxp.mean(temperature), cxp.max(temperature), deviation, cxp.argmax(mean))


def main():
    with contextlib.ExitStack() as stack:
        if sys.argv[1:]:
            address, work_dir = sys.argv[1:]
            executors = {address: DaskExecutor(address)}
        else:
            work_dir = stack.enter_context(tempfile.TemporaryDirectory())
            cluster = stack.enter_context(LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0"))
            executors = {
                "threads": create_executor("threads"),
                "processes": create_executor("processes", {"max_workers": 2}),
                "Dask, two workers": DaskExecutor(cluster.scheduler_address),
            }
        for name, executor in executors.items():
            spec = cubed.Spec(work_dir=work_dir, allowed_mem="500MB", reserved_mem="400MB", executor=executor)
            mean, highest, deviation, place = warmest(spec)
            print(
                f"{name}: mean {float(mean):.3f}, highest {float(highest):.3f}, deviation {float(deviation):.3f}; ",
                end="",
            )
            print(f"place {int(place)} is warmest. The mean is {mean!r}")


if __name__ == "__main__":
    main()
