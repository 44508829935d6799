"""Extensions: modules that are there as the flags and the version say."""

import copy
import importlib
import importlib.util
import inspect
import os
import pickle
import subprocess
import sys
import threading

import pytest
from rows import FUNCTIONS as ROWS
from rows import arguments, call
from support import EXTENSIONS, flags, function, load_json

import strictarray as xp
from strictarray import _strictarray

STANDARD = load_json("standard.json")
VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12", "2026.12")
BOTH = ("linalg", "fft")
NAMES = [name for name in ROWS if "." in name]


def names_of(version, extension):
    """The names that an extension has in a version; None where the version does not have the extension."""
    return STANDARD["draft" if version == "2026.12" else version]["extensions"].get(extension)


def namespace(version):
    return xp.zeros(1).__array_namespace__(api_version=version)


def shown(module, name):
    """Whether a name is there, in each way to ask."""
    ways = {hasattr(module, name), name in dir(module), name in module.__all__}
    # What the import system itself sets as an attribute of the package stays there until the flags change.
    statements = [f"from strictarray import {name}", *([] if True in ways else [f"import strictarray.{name}"])]
    for statement in statements if module is xp else ():
        try:
            exec(statement, {})
            ways.add(True)
        except ImportError as error:
            assert statement.startswith("from") or error.rule in ("extension-absent", "later-name")
            ways.add(False)
    assert len(ways) == 1, name
    return ways.pop()


def test_there_is_one():
    assert EXTENSIONS == BOTH
    assert {name.split(".")[0] for name in NAMES} == set(EXTENSIONS)


@pytest.mark.parametrize("name", EXTENSIONS)
def test_it_is_a_module(name):
    module = getattr(xp, name)
    assert inspect.ismodule(module)
    assert importlib.import_module(f"strictarray.{name}") is sys.modules[f"strictarray.{name}"] is module
    assert importlib.util.find_spec(f"strictarray.{name}").name == module.__name__ == f"strictarray.{name}"
    program = f"""
import strictarray.{name}
from strictarray import {name} as module
import strictarray.{name} as other
assert module is other is strictarray.{name}
names = {{}}
exec("from strictarray import *", names)
exec("from strictarray.{name} import *", names)
assert names["{name}"] is module or names["{name}"] is module.{name}
assert {{*module.__all__}} <= {{*names}}
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=300)


@pytest.mark.parametrize("name", EXTENSIONS)
def test_it_is_there_while_the_flag_says_so(name):
    """In the process, in a block, and back again; where all is there, the module pays nothing for it."""
    module = getattr(xp, name)

    def state():
        return shown(xp, name), "__getattr__" in vars(xp)

    assert state() == (True, False)
    others = [other for other in BOTH if other != name]
    for chosen in ([], others):
        with flags(enabled_extensions=chosen):
            assert state() == (False, True)
            with flags(enabled_extensions=[name]):
                assert state() == (True, True)
                assert getattr(xp, name) is module
        assert state() == (True, False)
        try:
            xp.set_array_api_strict_flags(enabled_extensions=chosen)
            assert state() == (False, True)
            with pytest.raises(AttributeError, match=name) as e:
                getattr(xp, name)
            assert e.value.rule == "extension-absent"
            with flags(enabled_extensions=[name]):
                assert state() == (True, True)
            assert state() == (False, True)
        finally:
            xp.reset_array_api_strict_flags()
        assert state() == (True, False)
        assert getattr(xp, name) is module


@pytest.mark.parametrize("name", EXTENSIONS)
def test_a_block_is_of_its_thread(name):
    seen = []
    with flags(enabled_extensions=[]):
        thread = threading.Thread(target=lambda: seen.append(shown(xp, name)))
        thread.start()
        thread.join()
        assert not shown(xp, name)
    assert seen == [True]


@pytest.mark.parametrize("name", EXTENSIONS)
def test_what_an_import_statement_sets_is_hidden_by_the_next_block(name):
    with flags(enabled_extensions=[]):
        with flags(enabled_extensions=[name]):
            exec(f"import strictarray.{name}", {})
            with flags(enabled_extensions=[]):
                assert not shown(xp, name)
            assert shown(xp, name)
            exec(f"import strictarray.{name}", {})
        assert not shown(xp, name)
    assert shown(xp, name)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", EXTENSIONS)
def test_a_version_has_its_extensions_and_their_names(name, version):
    wanted = names_of(version, name)
    for in_force in VERSIONS:
        with flags(api_version=in_force):
            assert shown(namespace(version), name) == (wanted is not None)
    with flags(api_version=version):
        assert shown(xp, name) == (wanted is not None)
        if wanted is None:
            with pytest.raises(AttributeError, match=name) as e:
                getattr(xp, name)
            assert e.value.rule == "later-name"
            return
        assert sorted(getattr(xp, name).__all__) == sorted(wanted)
    # A namespace with a version of its own; another version is in force.
    with flags(api_version="2021.12" if version != "2021.12" else "2022.12"):
        module = getattr(namespace(version), name)
        assert sorted(module.__all__) == sorted(n for n in dir(module) if not n.startswith("_")) == sorted(wanted)
        for key, row in wanted.items():
            f = getattr(module, key)
            assert [*inspect.signature(f).parameters] == [p["name"] for p in row["parameters"]]
            assert (f.__module__, f.__name__) == (f"strictarray.{name}", key)


@pytest.mark.parametrize("name", EXTENSIONS)
def test_a_namespace_of_a_version_follows_the_flag_too(name):
    ns = namespace("2024.12")
    module = getattr(ns, name)
    assert "__getattr__" not in vars(ns)
    with flags(enabled_extensions=[]):
        assert not shown(ns, name)
        with pytest.raises(AttributeError, match=name) as e:
            getattr(ns, name)
        assert e.value.rule == "extension-absent"
    assert getattr(ns, name) is module


@pytest.mark.parametrize("name", NAMES)
def test_a_function_refuses_calls_while_its_extension_is_off(name):
    """However it was come by."""
    row, f = ROWS[name], function(name)
    versioned = getattr(getattr(namespace("2025.12"), name.split(".")[0]), name.split(".")[1])
    with flags(api_version="2024.12"):
        versioned = getattr(getattr(namespace("2025.12"), name.split(".")[0]), name.split(".")[1])
    given = arguments(row)
    for each in (f, versioned):
        call(row, given, each)
        with flags(enabled_extensions=[]):
            with pytest.raises(RuntimeError, match="enabled_extensions") as e:
                call(row, given, each)
            assert (e.value.rule, e.value.section) == ("extension-off", row["section"])
        call(row, given, each)
    if row["since"] > "2021.12":
        with flags(api_version=VERSIONS[VERSIONS.index(row["since"]) - 1]):
            with pytest.raises(AttributeError) as e:
                call(row, given, f)
            assert e.value.rule == "later-name"
            call(row, given, versioned)


@pytest.mark.parametrize("name", NAMES)
def test_functions_pickle_by_their_names(name):
    extension, key = name.split(".")
    with flags(api_version="2024.12"):
        versioned = getattr(getattr(namespace("2025.12"), extension), key)
    for f in (function(name), versioned):
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            assert pickle.loads(pickle.dumps(f, protocol)) is f
        assert copy.deepcopy(f) is f
    assert function(name) is not versioned
    program = f"import pickle, sys; assert pickle.load(sys.stdin.buffer).__name__ == {key!r}"
    subprocess.run([sys.executable, "-c", program], input=pickle.dumps(function(name)), check=True, timeout=300)


@pytest.mark.parametrize("name", EXTENSIONS)
def test_what_somebody_patched_stays(name, monkeypatch):
    mine = object()
    monkeypatch.setattr(xp, name, mine)
    with flags(enabled_extensions=[]):
        assert getattr(xp, name) is mine
    assert getattr(xp, name) is mine


def test_hooks_see_functions_by_their_whole_names():
    seen = []
    hook = _strictarray._add_hook(before=lambda name, *rest: seen.append(name))
    try:
        for name in NAMES:
            call(ROWS[name], arguments(ROWS[name]))
    finally:
        _strictarray._remove_hook(hook)
    assert [name for name in seen if "." in name] == NAMES


@pytest.mark.parametrize("name", EXTENSIONS)
def test_names_that_an_extension_does_not_have(name):
    module = getattr(xp, name)
    for absent in ("fft2", "irfft2", "norm", "zeros", "special", "Array"):
        if absent not in module.__all__:
            with pytest.raises(AttributeError, match=absent):
                getattr(module, absent)
    with pytest.raises(ImportError):
        importlib.import_module("strictarray.special")


@pytest.mark.parametrize("name", EXTENSIONS)
def test_the_environment_decides_at_import(name):
    program = f"import strictarray as xp; assert not hasattr(xp, {name!r}) and {name!r} not in dir(xp)"
    subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "ARRAY_API_STRICT_ENABLED_EXTENSIONS": ""},
        check=True,
        timeout=300,
    )


def test_an_unknown_namespace_has_no_module():
    with pytest.raises(ValueError, match="namespace"):
        _strictarray._namespace(99)
