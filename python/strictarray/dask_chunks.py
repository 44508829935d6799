"""Dask arrays whose chunks are arrays of strictarray.

    import dask.array as da
    from strictarray import dask_chunks

    x = dask_chunks.from_array(data, chunks=(1000, 1000))
    y = da.map_blocks(xp.sin, x, dtype=x.dtype, meta=x._meta)

Operators, indexing with ints and slices, `da.concatenate`, `da.stack`, `da.map_blocks`, `da.blockwise`,
`da.map_overlap` and `da.reduction` keep the chunks what they are. Functions of ``dask.array`` that call NumPy's on each
chunk do not work: docs/engines.md has the list. On a device other than ``CPU_DEVICE`` each of them raises; on
``CPU_DEVICE`` some give NumPy arrays instead.

Workers of a cluster must know the chunks too. Set Dask's ``distributed.worker.preload`` to this module::

    export DASK_DISTRIBUTED__WORKER__PRELOAD='["strictarray.dask_chunks"]'
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import strictarray as _xp

_Array: Any = type(_xp.empty(0))


def _concatenate(arrays: Sequence[Any], axis: int = 0) -> Any:
    return _xp.concat(tuple(arrays), axis=axis)


def _sizeof(x: Any) -> int:
    itemsize = np.dtype(str(x.dtype).rpartition(".")[2]).itemsize
    return 200 + x.size * itemsize  # type: ignore[no-any-return]  # The object, the head of its block, its elements.


def register() -> None:
    """Tell Dask, in this process, how chunks of strictarray are put together and how large they are.

    `from_array` does it, and so do workers that preload this module.
    """
    # Dask is imported here, since nothing else of strictarray needs it.
    from dask.array.dispatch import concatenate_lookup  # type: ignore[import-not-found, unused-ignore]
    from dask.sizeof import sizeof  # type: ignore[import-not-found, unused-ignore]

    concatenate_lookup.register(_Array, _concatenate)
    sizeof.register(_Array, _sizeof)


def dask_setup(worker: Any) -> None:
    """What Dask calls in a worker that preloads this module."""
    register()


def _chunk(block: Any, device: Any) -> Any:
    return _xp.asarray(block, device=device)


def from_array(x: Any, chunks: Any = "auto", *, device: Any = None) -> Any:
    """A Dask array with chunks of strictarray.

    Parameters
    ----------
    x: anything that `dask.array.from_array` reads: a NumPy, Zarr or HDF5 array; a Dask array of NumPy chunks; an array
        of strictarray on ``CPU_DEVICE``.
    chunks: as in `dask.array.from_array`; not for a Dask array.
    device: where the chunks are. On any device but ``CPU_DEVICE``, what falls back to NumPy raises.

    Returns
    -------
    dask.array.Array: to Dask it is one of NumPy arrays (its ``dtype`` and ``_meta`` are NumPy's), since Dask has no
    other data types; what is computed is strictarray's.
    """
    import dask.array as da  # type: ignore[import-not-found, unused-ignore]

    register()
    if isinstance(x, _Array):
        x = np.asarray(x)  # Shared; Dask asks for a data type of NumPy's.
    source = x if isinstance(x, da.Array) else da.from_array(x, chunks=chunks)
    meta = np.empty((0,) * source.ndim, dtype=source.dtype)
    return source.map_blocks(_chunk, device, dtype=source.dtype, meta=meta)
