"""strictarray under the name ``array_api_strict``, for code and tests that import that package.

In a test run, before anything else is imported (in the workers of pytest-xdist too)::

    pytest -p strictarray.stand_in ...

In code, before anything imports ``array_api_strict``::

    from strictarray import stand_in
    stand_in.install()

Where the module must be importable by its name in any process, install the distribution ``strictarray-stand-in``, which
has nothing but ``array_api_strict`` and calls `install`.

The stand-in is a namespace of its own: its arrays, data types and devices call themselves by its name, and so do
errors. It is as strict as ``strictarray`` but for what docs/stand-in.md lists. Both may live in one process and share
the flags; operations of both take the other's arrays, and give an array of the function's namespace, or of the left
operand's.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from strictarray import _strictarray

__all__ = ["install"]

_NAME = "array_api_strict"
_VARIABLE = "STRICTARRAY_COMPAT"

# The tuples of data types in its module `_dtypes`, by the kinds that the standard names them by.
_CATEGORIES = {
    "boolean": ("bool",),
    "integer": ("integral",),
    "integer or boolean": ("bool", "integral"),
    "real floating-point": ("real floating",),
    "complex floating-point": ("complex floating",),
    "floating-point": ("real floating", "complex floating"),
    "real numeric": ("real floating", "integral"),
    "numeric": ("real floating", "complex floating", "integral"),
    "all": ("bool", "integral", "real floating", "complex floating"),
}


def install(*, compat: str | None = None) -> ModuleType:
    """Put the stand-in where ``import array_api_strict`` finds it.

    Parameters
    ----------
    compat : {"array_api_strict", "none"}, optional
        whether the stand-in lets pass what docs/stand-in.md lists, as array-api-strict does, or is fully strict, from
        now on. Where it is not given, it stays as it is: at first as the environment variable ``STRICTARRAY_COMPAT``
        says, which processes that this one starts see too, else "array_api_strict".

    Returns
    -------
    module: the stand-in's namespace; the same one each time.

    Raises
    ------
    ImportError
        ``array_api_strict`` is another package, and was imported before.
    ValueError
        compat, or ``STRICTARRAY_COMPAT``, is another value.

    Examples
    --------
    >>> import strictarray.stand_in
    >>> strict = strictarray.stand_in.install()
    >>> import array_api_strict
    >>> array_api_strict is strict
    True
    >>> strict.zeros(2)
    Array([0., 0.], dtype=array_api_strict.float64)
    """
    present = sys.modules.get(_NAME)
    if present is not None and not getattr(present, "_is_stand_in", False):
        origin = getattr(present, "__file__", "a module without a file")
        raise ImportError(
            f"array_api_strict was imported before its stand-in, from {origin}: what has its functions by now would "
            "keep them. Install the stand-in first: `pytest -p strictarray.stand_in`, or strictarray.stand_in.install()"
            " at the top of the program.",
            name=_NAME,
        )
    # A variable that is empty is one that is not set.
    for source, value in ((_VARIABLE, os.environ.get(_VARIABLE) or None), ("compat", compat)):
        if value not in (None, _NAME, "none"):
            raise ValueError(f'{source}: got {value!r}; "{_NAME}" or "none" is required.')
    if compat is not None:
        _strictarray._set_compat(compat == _NAME)
    module = _namespace()
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        # In front of the finder of installed packages: the genuine one may be installed too.
        sys.meta_path.insert(0, _Finder())
    sys.modules[_NAME] = module
    # Now its extensions are modules too.
    return _strictarray._install(module, _NAME)


class _Finder(MetaPathFinder, Loader):
    """Gives the import statement the stand-in and its submodules, once it is installed."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package, _, submodule = fullname.partition(".")
        if package != _NAME:
            return None
        return ModuleSpec(fullname, self, origin=__file__, is_package=not submodule)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        namespace: ModuleType = _namespace()
        submodule = spec.name.partition(".")[2]
        if not submodule:
            return namespace
        found = getattr(namespace, submodule, None)
        if isinstance(found, ModuleType):
            return found
        extension = submodule in ("linalg", "fft")
        requires = (
            "enabled_extensions does not have it" if extension else "docs/stand-in.md says which modules there are"
        )
        refusal = ModuleNotFoundError(f"the stand-in has no module {spec.name}: {requires}", name=spec.name)
        if extension:
            # What all refusals have.
            vars(refusal).update(rule="extension-absent", argument=None, section="Extensions")
        raise refusal

    def exec_module(self, module: ModuleType) -> None:
        """Nothing: it is made already, and made again by no reload."""


def _namespace() -> Any:
    """The namespace, which arrays of the stand-in name whether or not it is installed."""
    made: Any = ModuleType(_NAME, "The array API standard by strictarray, under the name of array-api-strict.")
    namespace: Any = _strictarray._install(made, _NAME)
    if namespace is made:
        namespace.__spec__ = _Finder().find_spec(_NAME, None)
        namespace.__file__ = __file__
        namespace.__package__ = _NAME
        namespace.__path__ = []
        namespace._is_stand_in = True
        _make_submodules(namespace)
    return namespace


def _make_submodules(namespace: Any) -> None:
    """The private modules of array-api-strict that other code imports from."""
    contents: dict[str, dict[str, Any]] = {}
    devices = {name: getattr(namespace, name) for name in ("Device", "CPU_DEVICE", "ALL_DEVICES")}
    flags = ("set_array_api_strict_flags", "get_array_api_strict_flags", "reset_array_api_strict_flags")
    with namespace.ArrayAPIStrictFlags(api_version="2026.12"):
        for row in _strictarray._rows()["functions"]:
            title = row["section"].partition(":")[0]
            if title.endswith(" Functions"):
                names = contents.setdefault("_" + title.lower().replace(" ", "_"), {})
                names[row["name"]] = getattr(namespace, row["name"])
        info = namespace.__array_namespace_info__
        of_kind = {kind: info().dtypes(kind=kind) for kind in ("bool", "integral", "real floating", "complex floating")}
        dtypes = info().dtypes()
    categories = {name: tuple(d for k in kinds for d in of_kind[k].values()) for name, kinds in _CATEGORIES.items()}
    tuples = {f"_{name.replace('-point', '').replace(' ', '_')}_dtypes": group for name, group in categories.items()}
    contents["_array_object"] = {"Array": _strictarray.Array, **devices}
    contents["_devices"] = devices
    contents["_dtypes"] = {"DType": _strictarray.DType, **dtypes, **tuples, "_dtype_categories": categories}
    contents["_flags"] = {name: getattr(namespace, name) for name in (*flags, "ArrayAPIStrictFlags")}
    contents["_info"] = {"__array_namespace_info__": info}
    for name, names in contents.items():
        module = ModuleType(f"{_NAME}.{name}", "A module that array-api-strict has; not part of the standard.")
        vars(module).update(names)
        setattr(namespace, name, module)


def pytest_plugin_registered(plugin: object) -> None:
    """What pytest calls for each plugin, and first for this one as soon as it is there: before any conftest.py, if it
    was named by ``-p``. Named by a conftest.py that imported another array_api_strict before, it ends the run.
    """
    if plugin is sys.modules[__name__]:
        try:
            install()
        except (ImportError, ValueError) as error:
            # The message alone: a traceback through pytest would stand above it.
            from pytest import UsageError

            raise UsageError(str(error)) from error


def pytest_report_header() -> str:
    """What pytest says at the top of a run."""
    compat = _NAME if _strictarray._get_compat() else "none"
    return f"array_api_strict: strictarray {_strictarray._namespace(0).__version__}, compat={compat}"
