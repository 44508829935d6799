"""A pytest plugin: scikit-learn's array API tests on the devices that its own parameters leave out."""

from sklearn.utils import _array_api

DEVICES = (("device2", "float64"), ("no_float64", "float32"), ("no_x64", "float32"))

_own = _array_api.yield_namespace_device_dtype_combinations


def yield_namespace_device_dtype_combinations(include_numpy_namespaces=True):
    yield from _own(include_numpy_namespaces)
    for device, dtype in DEVICES:
        yield "array_api_strict", device, dtype


# The test modules and estimator_checks import it by name, after this.
_array_api.yield_namespace_device_dtype_combinations = yield_namespace_device_dtype_combinations
