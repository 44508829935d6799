"""cubed's tasks on a Dask cluster.

cubed 0.27 has an executor for that, ``cubed.Spec(executor_name="dask")``. Before it starts, it looks for the memory of
the workers, by an asynchronous client; of distributed 2026.8 such a client knows no workers, so that every computation
ends in "Cluster has no workers running". The class below asks by another client, and leaves all else to cubed's.
"""

import sys

import cloudpickle
from cubed.runtime.executors import dask as cubed_dask
from distributed import Client

# Plans refer to their executor, and workers elsewhere don't have this file: it goes with the plan.
cloudpickle.register_pickle_by_value(sys.modules[__name__])


class DaskExecutor(cubed_dask.DaskExecutor):
    """Runs tasks on the cluster of this address: that of a `LocalCluster`, or of a scheduler on another machine."""

    def __init__(self, address):
        super().__init__(compute_kwargs={"address": address})
        self.address = address

    def execute_dag(self, dag, callbacks=None, spec=None, compute_id=None, **kwargs):
        with Client(self.address, set_as_default=False) as client:
            cubed_dask.check_runtime_memory(spec, client)
        super().execute_dag(dag, callbacks=callbacks, spec=None, compute_id=compute_id, **kwargs)
