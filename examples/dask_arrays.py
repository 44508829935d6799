"""A Dask array with chunks of strictarray, on two local workers.

    python examples/dask_arrays.py

The chunks are on `device1`, whose memory NumPy can't read: were one of them turned into NumPy's on the way, it would
raise.
"""

import dask
import dask.array as da
import numpy as np
from distributed import Client, LocalCluster

import strictarray as xp
from strictarray import dask_chunks


def chunk_sum(block, axis, keepdims):
    """What `da.reduction` calls on each chunk, and on the sums of chunks."""
    return xp.sum(block, axis=axis, keepdims=keepdims)


def main():
    # Each worker imports it at its start; on a cluster, set DASK_DISTRIBUTED__WORKER__PRELOAD.
    dask.config.set({"distributed.worker.preload": ["strictarray.dask_chunks"]})
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster, Client(cluster):
        data = da.linspace(0, 1, 4_000_000, chunks=1_000_000).reshape((2000, 2000))
        x = dask_chunks.from_array(data, device=xp.Device("device1"))

        # Operators and slices are Dask's; a function of the namespace goes by map_blocks, a reduction by da.reduction.
        # Dask is told that the results are NumPy's (dtype, meta): it knows no others.
        y = (2.0 * x - 1.0)[:, ::2]
        waves = y.map_blocks(xp.sin, dtype=y.dtype, meta=y._meta)
        sums = da.reduction(waves, chunk_sum, chunk_sum, axis=1, dtype=y.dtype, meta=np.empty((0,)))

        result = sums.compute()
        print(f"{type(result).__name__} of {result.dtype}, on {result.device}, shape {result.shape}")
        on_host = np.asarray(result.to_device(xp.CPU_DEVICE))
        difference = np.max(np.abs(on_host - np.sin(2 * data - 1)[:, ::2].sum(axis=1).compute()))
        print(f"rows from {on_host.min():.3f} to {on_host.max():.3f}, NumPy's within {difference:.0e}")

    # What calls NumPy on the chunks is noticed.
    try:
        x.T.compute(scheduler="synchronous")
    except RuntimeError as error:
        print(f"x.T raises: {str(error).split(';')[0]}")


if __name__ == "__main__":
    main()
