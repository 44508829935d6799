"""A sum and a matrix product of arrays that do not fit in the memory of a worker, by cubed on chunks of strictarray.

    python examples/larger_than_memory.py
    python examples/larger_than_memory.py --sum-gb 10 --matmul-gb 2 --memory-mb 1000 --chunk-mb 32 --folder /big/disk

Small by default: it takes seconds. Each array lies on disk, in Zarr, and is written, read and reduced chunk by chunk in
two worker processes. Both results are checked, and the peak memory of each worker is printed beside its limit.
"""

import argparse
import contextlib
import math
import os
import shutil
import tempfile
import time
from pathlib import Path

# Before cubed is imported; worker processes inherit it.
os.environ["CUBED_BACKEND_ARRAY_API_MODULE"] = "strictarray.cubed_backend"

import cubed
import cubed.array_api as cxp
import psutil
import zarr
from cubed.runtime.create import create_executor
from cubed.runtime.types import Callback

PERIOD = 1000


class Memory(Callback):
    """The largest resident memory that each worker had, as its operating system counts it."""

    def __init__(self):
        self.peaks = {}

    def on_task_end(self, event):
        for process in psutil.Process().children(recursive=True):
            try:
                command, status = " ".join(process.cmdline()), Path(f"/proc/{process.pid}/status").read_text()
            except (psutil.Error, OSError):
                continue  # It just ended.
            if "spawn_main" in command and "VmHWM" in status:
                self.peaks[process.pid] = int(status.split("VmHWM:")[1].split()[0]) * 1024


def count(block, block_id, columns):
    """The elements of a block, numbered row by row over the whole array, modulo PERIOD. It runs in a worker."""
    xp = block.__array_namespace__()  # strictarray: nothing here is cubed's or NumPy's.
    rows = block.shape[0]
    first = block_id[0] * rows
    row = xp.reshape(xp.arange(first, first + rows), (rows, 1))
    return xp.astype(xp.remainder(row * columns + xp.arange(columns), PERIOD), xp.float64)


def waves(block, block_id, phase):
    """A block of a matrix of smooth values that repeat nowhere."""
    xp = block.__array_namespace__()
    rows, columns = block.shape
    i = xp.astype(xp.reshape(xp.arange(rows), (rows, 1)) + block_id[0] * rows, xp.float64)
    j = xp.astype(xp.arange(columns) + block_id[1] * columns, xp.float64)
    return xp.sin(0.7 * i + 0.3 * j + phase) + 0.001 * xp.cos(i * j)


def stored(function, shape, chunk, folder, spec, **kwargs):
    """The array of these blocks, written to Zarr and opened from there."""
    template = cxp.empty(shape, dtype=cxp.float64, chunks=chunk, spec=spec)
    # What the function needs beside its result, so that cubed can refuse before it starts.
    extra = 3 * 8 * math.prod(chunk)
    array = cubed.map_blocks(function, template, dtype=cxp.float64, extra_projected_mem=extra, **kwargs)
    # Not compressed: what is as large as it says also is on disk.
    target = zarr.create_array(str(folder), shape=shape, dtype="float64", chunks=chunk, compressors=None)
    cubed.to_zarr(array, target)
    return cubed.from_zarr(str(folder), spec=spec)


def report(name, start, memory, limit):
    peaks = ", ".join(f"{peak / 1e6:.0f} MB" for peak in memory.peaks.values())
    seconds = time.perf_counter() - start
    print(f"    {name}: {seconds:.1f} s; peak memory of the workers: {peaks}; limit {limit / 1e6:.0f} MB")
    if not 0 < max(memory.peaks.values(), default=0) <= limit:
        raise SystemExit("a worker took more than its limit, or was not seen")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sum-gb", type=float, default=1.0, help="size of the array that is summed")
    parser.add_argument("--matmul-gb", type=float, default=0.05, help="size of each of the two matrices")
    parser.add_argument("--chunk-mb", type=float, default=10, help="size of a chunk; a task takes several of them")
    parser.add_argument("--memory-mb", type=int, default=600, help="what each worker may take")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--executor", choices=["processes", "dask"], default="processes")
    parser.add_argument(
        "--folder", type=Path, default=None, help="where the arrays lie while this runs (default: temporary)"
    )
    args = parser.parse_args()

    # Array, both matrices, their product and its parts: one for each chunk of columns.
    rows = math.isqrt(int(args.chunk_mb * 1e6 / 8))
    parts = math.ceil(math.sqrt(args.matmul_gb * 1e9 / 8) / rows)
    needed = max(args.sum_gb, args.matmul_gb * (3 + 2 * parts)) * 1e9
    folder = Path(tempfile.mkdtemp(prefix="larger-than-memory-", dir=args.folder))
    free = shutil.disk_usage(folder).free
    print(f"{needed / 1e9:.1f} GB of disk are needed, {free / 1e9:.1f} GB are free in {folder}")
    if free < 1.2 * needed:
        folder.rmdir()
        raise SystemExit("that is too little: make the arrays smaller, or name another --folder")

    limit = args.memory_mb * 10**6
    with contextlib.ExitStack() as stack:
        if args.executor == "dask":
            from dask_executor import DaskExecutor
            from distributed import LocalCluster

            # A worker that takes 95 % of its limit is ended by Dask.
            cluster = LocalCluster(
                n_workers=args.workers, threads_per_worker=1, memory_limit=limit, dashboard_address=":0"
            )
            executor = DaskExecutor(stack.enter_context(cluster).scheduler_address)
        else:
            executor = create_executor("processes", {"max_workers": args.workers})
        compute(args, folder, rows, parts, limit, executor)


def compute(args, folder, rows, parts, limit, executor):
    """Both computations; what they wrote is removed after them."""
    # Python, cubed and Zarr take about 120 MB, and strictarray keeps up to 268 MB of freed blocks. cubed refuses plans
    # that do not fit in the rest; what it does not count (docs/engines.md) is why chunks should not be much larger.
    spec = cubed.Spec(
        work_dir=str(folder / "work"), allowed_mem=limit, reserved_mem="400MB", executor=executor, zarr_compressor=None
    )

    try:
        print(f"sum of {args.sum_gb} GB")
        columns = 12_500
        shape = (int(args.sum_gb * 1e9 / 8) // columns, columns)
        chunk = (max(int(args.chunk_mb * 1e6 / 8) // columns, 1), columns)
        with Memory() as memory:
            start = time.perf_counter()
            array = stored(count, shape, chunk, folder / "array", spec, columns=columns)
            report("written", start, memory, limit)
        with Memory() as memory:
            start = time.perf_counter()
            total = float(cxp.sum(array).compute())
            report("summed", start, memory, limit)
        whole, rest = divmod(math.prod(shape), PERIOD)
        expected = whole * (PERIOD * (PERIOD - 1) // 2) + rest * (rest - 1) // 2
        print(f"    {total:.0f}, expected {expected}")
        if total != expected:
            raise SystemExit("the sum is wrong")
        shutil.rmtree(folder / "array")

        print(f"product of two matrices of {args.matmul_gb} GB")
        n = rows * parts
        with Memory() as memory:
            start = time.perf_counter()
            a = stored(waves, (n, n), (rows, rows), folder / "a", spec, phase=0.0)
            b = stored(waves, (n, n), (rows, rows), folder / "b", spec, phase=1.0)
            report("written", start, memory, limit)
        with Memory() as memory:
            start = time.perf_counter()
            cubed.to_zarr(a @ b, str(folder / "product"))
            report("multiplied", start, memory, limit)
        # (A B) v = A (B v), which takes no product of matrices.
        c = cubed.from_zarr(str(folder / "product"), spec=spec)
        v = cxp.astype(cxp.remainder(cxp.arange(n, chunks=rows, spec=spec), 17), cxp.float64)
        difference = cxp.max(cxp.abs(c @ v - a @ (b @ v)))
        size = cxp.max(cxp.abs(c @ v))
        difference, size = (float(x) for x in cubed.compute(difference, size))
        print(f"    ({n}, {n}); (A B) v and A (B v) differ by {difference / size:.1e} of their size")
        if not difference < 1e-11 * size:
            raise SystemExit("the product is wrong")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
