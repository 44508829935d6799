"""The array API standard by strictarray, under the name of array-api-strict."""

from pathlib import Path as _Path

if _Path(__file__).with_name("_array_object.py").exists():
    raise ImportError(
        "array-api-strict and strictarray-stand-in are installed in one environment, and both are the module "
        "array_api_strict: uninstall both, then install one of them. Where array-api-strict is to stay, use "
        "`pytest -p strictarray.stand_in`.",
        name=__name__,
    )

from strictarray import stand_in as _stand_in

# Tells `install` that this module is not the other package's: the namespace takes its place.
_is_stand_in = True

_stand_in.install()
