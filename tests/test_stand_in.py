"""strictarray under the name `array_api_strict`: the identity of modules and objects, both names in one process, what passes
there and nowhere else."""

import copy
import doctest
import enum
import importlib.util
import inspect
import operator
import os
import pathlib
import pickle
import re
import subprocess
import sys
import textwrap
import warnings
import weakref

import numpy as np
import pytest
from refusals import valid_call
from support import DTYPES, public_functions

import strictarray
from strictarray import _strictarray, stand_in

ROOT = pathlib.Path(__file__).parent.parent
RELAXATIONS = _strictarray._relaxations()


def restored(modules):
    for name in [name for name in sys.modules if name.partition(".")[0] == "array_api_strict"]:
        del sys.modules[name]
    sys.modules.update(modules)


@pytest.fixture(autouse=True)
def strict():
    """The stand-in, in force for one test: the genuine package may be there for others."""
    before = {name: module for name, module in sys.modules.items() if name.partition(".")[0] == "array_api_strict"}
    restored({})
    was = _strictarray._get_compat()
    try:
        yield stand_in.install(compat="array_api_strict")
    finally:
        _strictarray._set_compat(was)
        restored(before)


def run(code, *args, **environment):
    """What a new process prints."""
    command = [sys.executable, *args, "-c", textwrap.dedent(code)]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})
    return done.stdout.strip() if done.returncode == 0 else done.stderr.strip().rpartition("\n")[2]


# --- identity -------------------------------------------------------------------------------------------------------


def test_one_module_object(strict):
    import array_api_strict

    x = strict.zeros(3)
    assert array_api_strict is strict
    assert stand_in.install() is strict
    assert x.__array_namespace__() is strict
    assert x.__array_namespace__(api_version=strict.__array_api_version__) is strict
    assert importlib.import_module("array_api_strict") is strict
    assert importlib.util.find_spec("array_api_strict") is strict.__spec__
    assert strict.__file__ == stand_in.__file__


def test_the_name_and_the_version(strict):
    from packaging.version import Version

    assert strict.__name__ == "array_api_strict"
    assert "strict" in str(strict)
    assert Version(strict.__version__) >= Version("2.5")
    assert strict.__version__ >= "2.5"
    assert strictarray.__version__ in strict.__version__
    assert strict.__array_api_version__ == "2025.12"
    assert strictarray.__name__ == "strictarray"


def test_extensions_are_modules_of_it_while_the_flag_says_so(strict):
    import array_api_strict.linalg
    from array_api_strict import fft

    assert array_api_strict.linalg is strict.linalg and fft is strict.fft
    assert (strict.linalg.__name__, strict.fft.__name__) == ("array_api_strict.linalg", "array_api_strict.fft")
    assert strict.linalg is not strictarray.linalg
    with strict.ArrayAPIStrictFlags(enabled_extensions=()):
        assert not hasattr(strict, "linalg") and not hasattr(strictarray, "linalg")
        with pytest.raises(ImportError, match="enabled_extensions") as caught:
            importlib.import_module("array_api_strict.linalg")
        assert caught.value.rule == "extension-absent"
    with strict.ArrayAPIStrictFlags(boolean_indexing=False):
        assert importlib.import_module("array_api_strict.linalg") is strict.linalg
    assert importlib.import_module("array_api_strict.linalg") is strict.linalg


def test_the_private_modules_that_others_import(strict):
    from array_api_strict import _creation_functions, _devices, _dtypes, _elementwise_functions, _flags, _info
    from array_api_strict._array_object import Array
    from array_api_strict._dtypes import DType

    x = strict.zeros(3)
    assert type(x) is Array and isinstance(x.dtype, DType)
    assert _creation_functions.asarray is strict.asarray
    assert _elementwise_functions.sin is strict.sin
    assert _devices.CPU_DEVICE is strict.CPU_DEVICE and _devices.Device is strict.Device
    assert _flags.set_array_api_strict_flags is strict.set_array_api_strict_flags
    assert _info.__array_namespace_info__ is strict.__array_namespace_info__
    assert strict._array_object.Array is Array
    assert set(_dtypes._all_dtypes) == {getattr(strict, name) for name in DTYPES}
    assert set(_dtypes._dtype_categories["integer or boolean"]) == set(_dtypes._integer_or_boolean_dtypes)
    assert strict.isdtype(strict.float32, "real floating") and strict.float32 in _dtypes._real_floating_dtypes
    modules = [module for name, module in vars(strict).items() if name.startswith("_") and type(module) is type(sys)]
    names = {name for module in modules for name in vars(module)}
    # Every function of the main namespace is in one of them, whatever version is in force.
    assert {row["name"] for row in _strictarray._rows()["functions"] if "." not in row["name"]} <= names


def test_nothing_else_is_public(strict):
    assert [name for name in dir(strict) if not name.startswith("_")] == [
        name for name in dir(strictarray) if not name.startswith("_") and name not in ("typing", "stand_in")
    ]
    absent = "float16 bfloat16 bool_ median bincount put_along_axis special convolve roots nan_to_num"
    assert not any(hasattr(strict, name) for name in absent.split())
    x = strict.zeros(3)
    absent = "astype flags nbytes chunks iloc mask __len__ __array_function__ __cuda_array_interface__"
    assert not any(hasattr(x, name) for name in absent.split())
    assert not any(hasattr(x.dtype, name) for name in "kind itemsize dtype __numpy_dtype__ na_value".split())
    assert not isinstance(x, np.ndarray)


@pytest.mark.parametrize("name", DTYPES)
def test_data_types_by_both_names(strict, name):
    ours, theirs = getattr(strictarray, name), getattr(strict, name)
    assert repr(theirs) == f"array_api_strict.{name}" and repr(ours) == f"strictarray.{name}"
    assert ours == theirs and hash(ours) == hash(theirs)
    assert strict.zeros(1, dtype=ours).dtype is theirs
    assert strictarray.zeros(1, dtype=theirs).dtype is ours
    assert pickle.loads(pickle.dumps(theirs)) is theirs and copy.deepcopy(theirs) is theirs
    assert strict.result_type(ours) is theirs and strictarray.result_type(theirs) is ours
    assert strict.__array_namespace_info__().dtypes()[name] is theirs


def test_devices_by_both_names(strict):
    for ours, theirs in zip(strictarray.ALL_DEVICES, strict.ALL_DEVICES, strict=True):
        assert ours == theirs and hash(ours) == hash(theirs)
        assert repr(theirs) == repr(ours).replace("strictarray", "array_api_strict")
        assert isinstance(theirs, strict.Device) and isinstance(theirs, strictarray.Device)
        name = repr(theirs).split("'")[1]
        assert type(strict.Device(name)) is strict.Device and strict.Device(name) == theirs
        assert strict.zeros(1, device=ours, dtype=strict.int8).device == theirs
        assert type(strict.zeros(1, device=ours, dtype=strict.int8).device) is strict.Device
        assert type(strictarray.zeros(1, device=theirs, dtype=strict.int8).device) is strictarray.Device
        back = pickle.loads(pickle.dumps(theirs))
        assert back == theirs and type(back) is strict.Device
    assert strict.Device() == strict.CPU_DEVICE
    assert strict.Device.__module__ == "array_api_strict"
    with pytest.raises(ValueError, match="device"):
        strict.Device("cuda")

    for base in (strictarray.Device, strict.Device):
        with pytest.raises(TypeError, match="base type"):
            type("Mine", (base,), {})


def test_repr_and_errors_name_it(strict):
    x = strict.asarray([1])
    assert repr(x) == "Array([1], dtype=array_api_strict.int64)"
    on = x.to_device(strict.Device("device1"))
    assert repr(on) == "Array([1], dtype=array_api_strict.int64, device=array_api_strict.Device('device1'))"
    with pytest.raises(TypeError, match="The array_api_strict namespace"):
        strict.asarray("a duck")
    with pytest.raises(TypeError, match="The strictarray namespace"):
        strictarray.asarray("a duck")
    with pytest.raises(AttributeError, match="array_api_strict"):
        strict.median  # noqa: B018
    with (
        strict.ArrayAPIStrictFlags(data_dependent_shapes=False),
        pytest.raises(RuntimeError, match="data-dependent shapes"),
    ):
        strict.nonzero(x)


def test_texts_that_suites_match(strict):
    x, i = strict.asarray([1.0]), strict.asarray([1])
    for call, text in (
        (lambda: strict.asarray("a duck"), "The array_api_strict"),
        (lambda: i.__setitem__(0, 1.5), "cast|promote|dtype"),
        (lambda: strict.sin(i), "Only floating-point dtypes are allowed in sin"),
        (lambda: ~x, "Only integer or boolean dtypes are allowed in __invert__"),
        (lambda: x // strict.asarray([1j]), "Only real numeric dtypes are allowed in __floordiv__"),
        (lambda: x + i, "cannot be type promoted together"),
        (lambda: i**-1, "Integers to negative integer powers are not allowed."),
        (lambda: strict.moveaxis(x, 10, 0), "out of range"),
        (lambda: strict.broadcast_arrays(strict.ones(2), strict.ones(3)), "not be broadcast"),
    ):
        with pytest.raises((TypeError, ValueError)) as caught:
            call()
        assert re.search(text, str(caught.value)), (text, str(caught.value))


def test_numbers_out_of_range_are_shown_as_python_writes_them(strict):
    for call, text in (
        (lambda: strict.full(2, 1e5, dtype=strict.int8), "got 100000.0;"),
        (lambda: strict.full(2, -1.0, dtype=strict.uint8), "got -1.0;"),
        (lambda: strict.full_like(strict.asarray([1]), 1e30), "got 1e30;"),
        (lambda: strict.full(2, 300, dtype=strict.int8), "got 300;"),
        (lambda: strict.asarray([300], dtype=strict.int8), "got 300;"),
        (lambda: strict.asarray([1.0, 1e300], dtype=strict.int64), "got a number of 1.7e38 or more;"),
        (lambda: strict.asarray(-1e300, dtype=strict.int64), "got a number of -1.7e38 or less;"),
        (lambda: strict.arange(0, 300, dtype=strict.int8), "got 299;"),
        (lambda: strict.asarray([1]) + 10**30, f"got {10**30};"),
    ):
        with pytest.raises(OverflowError) as caught:
            call()
        assert text in str(caught.value), str(caught.value)


def test_a_text_matches_itself_as_a_regular_expression(strict):
    """So a suite holds two calls to one error."""
    with pytest.raises(ValueError) as caught:
        strict.result_type(1, 1.0)
    assert re.search(str(caught.value), str(caught.value))
    assert "rule promotion-empty" in str(caught.value)


def test_functions_can_be_read(strict):
    for name in ("sin", "sum", "linalg.qr"):
        function = getattr(strict.linalg, name.partition(".")[2]) if "." in name else getattr(strict, name)
        assert function.__doc__ and inspect.signature(function).parameters
        assert pickle.loads(pickle.dumps(function)) is function
        assert copy.copy(function) is function and copy.deepcopy(function) is function
        assert function.__module__.startswith("array_api_strict")


def test_functions_keep_their_signature(strict):
    """What `inspect.signature` makes of a builtin's text each time takes as long as many calls."""
    for name in ("sin", "linalg.qr"):
        function, own = operator.attrgetter(name)(strict), operator.attrgetter(name)(strictarray)
        assert inspect.signature(function) is inspect.signature(function)
        assert inspect.signature(function) == inspect.signature(own)
        assert inspect.isbuiltin(function) and inspect.isroutine(function) and isinstance(function, type(own))
        for attribute in ("__name__", "__qualname__", "__doc__", "__text_signature__"):
            assert getattr(function, attribute) == getattr(own, attribute)
        assert repr(function).partition(" at ")[0] == repr(own).partition(" at ")[0]
        assert copy.deepcopy(function) is function and weakref.ref(function)() is function
        assert {function: 1}[function] == 1 and function == function
        assert not hasattr(function, "absent")
        with pytest.raises((AttributeError, TypeError)):
            function.__name__ = "other"
    with strict.ArrayAPIStrictFlags(api_version="2022.12"):
        assert inspect.signature(strict.sum) == inspect.signature(strictarray.sum)


def test_arrays_can_be_kept(strict):
    x = strict.asarray([1.0, 2.0])
    for y in (pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x)):
        assert y.__array_namespace__() is strict and strict.all(y == x)
    assert weakref.ref(x)() is x


# --- both names in one process --------------------------------------------------------------------------------------


def parts(value):
    """The arrays, data types and devices in a result."""
    if isinstance(value, (tuple, list, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from parts(item)
    elif isinstance(value, (_strictarray.Array, _strictarray.DType, strictarray.Device)):
        yield value


def belongs(value, library):
    """Whether an array, data type or device calls itself by a library's name."""
    if isinstance(value, _strictarray.Array):
        named = repr(value).rpartition("dtype=")[2].startswith(library.__name__ + ".")
        return named and value.__array_namespace__() is library and belongs(value.dtype, library)
    return repr(value).startswith(library.__name__ + ".")


def twin(value, library):
    """The same value by a library's name."""
    if isinstance(value, (tuple, list)):
        return type(value)(twin(item, library) for item in value)
    if isinstance(value, _strictarray.Array):
        return library.asarray(value)
    return value


# What has no array, data type or device in its result.
PLAIN = {
    *(
        "ArrayAPIStrictFlags",
        "set_array_api_strict_flags",
        "get_array_api_strict_flags",
        "reset_array_api_strict_flags",
    ),
    *("__array_namespace_info__", "broadcast_shapes", "can_cast", "finfo", "iinfo", "isdtype"),
}


@pytest.mark.parametrize("name", sorted(public_functions() - PLAIN))
def test_functions_give_what_is_of_their_namespace(strict, name):
    args, kwargs = ((), {}) if name == "Device" else valid_call(name)
    for library, other in ((strict, strictarray), (strictarray, strict)):
        function = operator.attrgetter(name)(library)
        for arguments in (twin(args, library), twin(args, other)):
            found = list(parts(function(*arguments, **kwargs)))
            assert found and all(belongs(each, library) for each in found), (library, found)


def test_an_array_that_is_its_own_result_is_of_the_functions_namespace(strict):
    for library, other in ((strict, strictarray), (strictarray, strict)):
        x = other.ones(2)
        for y in (
            library.astype(x, library.float64, copy=False),
            library.astype(x, library.float64, copy=False, device=x.device),
            library.asarray(x),
            library.asarray(x, copy=False),
        ):
            assert belongs(y, library)
            y[0] = 5.0
            assert float(x[0]) == 5.0
            y[0] = 1.0


def test_inspection_gives_what_is_of_the_namespace(strict):
    for library in (strict, strictarray):
        info = library.__array_namespace_info__()
        results = [info.default_device(), info.devices(), info.default_dtypes(), info.dtypes()]
        results += [library.finfo(library.float32).dtype, library.iinfo(library.int8).dtype]
        found = list(parts(results))
        assert len(found) == 1 + 5 + 4 + 13 + 2 and all(belongs(each, library) for each in found)


FORMS = [row for row in _strictarray._rows()["methods"] if row["function"] and len(row["params"]) == 1]


@pytest.mark.parametrize("row", FORMS, ids=lambda row: row["name"])
def test_the_left_operand_wins(strict, row):
    dtype = "bool" if row["name"] in ("__and__", "__or__", "__xor__") else "float64"
    dtype = "int64" if "shift" in row["name"] else dtype
    for library, other in ((strict, strictarray), (strictarray, strict)):
        shape = (2, 2)
        x, y = library.ones(shape, dtype=getattr(library, dtype)), other.ones(shape, dtype=getattr(other, dtype))
        assert belongs(getattr(x, row["name"])(y), library)
        in_place = "__i" + row["name"].removeprefix("__")
        if hasattr(x, in_place):
            assert getattr(x, in_place)(y) is x and belongs(x, library)


def test_what_is_made_of_an_array_is_of_its_namespace(strict):
    for library in (strict, strictarray):
        x = library.ones((2, 2))
        made = [
            -x,
            +x,
            abs(x),
            ~(x == x),
            2 * x,
            2 - x,
            x.T,
            x.mT,
            x[0, :],
            x[x > 0],
            x.to_device(library.Device("device1")),
        ]
        made += [
            x[library.asarray([0]), library.asarray([1])],
            copy.copy(x),
            copy.deepcopy(x),
            pickle.loads(pickle.dumps(x)),
        ]
        made += [*x[0, :], x.dtype, x.device, x.to_device(x.device)]
        assert all(belongs(each, library) for each in made), [each for each in made if not belongs(each, library)]


def test_versions_of_both_names(strict):
    stand_in.install(compat="none")
    for library in (strict, strictarray):
        old = library.ones(2).__array_namespace__(api_version="2022.12")
        assert old is not library and old.__name__ == library.__name__ and not hasattr(old, "isin")
        assert old.__array_api_version__ == "2022.12"
        assert belongs(old.ones(2), library) and belongs(old.float32, library)
        assert old.ones(2).__array_namespace__(api_version="2022.12") is old
        assert old.fft.__name__ == library.__name__ + ".fft" and belongs(old.fft.fftfreq(3), library)


def test_both_share_the_flags(strict):
    with strict.ArrayAPIStrictFlags(api_version="2022.12"):
        assert strictarray.__array_api_version__ == strict.__array_api_version__ == "2022.12"
        assert not hasattr(strict, "isin") and not hasattr(strictarray, "isin")
    assert hasattr(strict, "isin")


def test_exchange(strict):
    x = strict.asarray([1.0, 2.0])
    shared = np.asarray(x)
    shared[0] = 5.0
    assert float(x[0]) == 5.0
    back = strict.asarray(shared)
    back[1] = 7.0
    assert float(x[1]) == 7.0
    assert belongs(strict.from_dlpack(np.ones(2)), strict)
    # Callers accept TypeError, RuntimeError and ValueError; NumPy itself swallows others.
    with pytest.raises(RuntimeError):
        np.asarray(x.to_device(strict.Device("device1")))


# --- how it gets there ----------------------------------------------------------------------------------------------

SHOW = "import array_api_strict as x; print(x.__name__, x.zeros(1).__array_namespace__() is x, x.__version__)"


def test_a_process_that_never_asked_can_load_its_pickles(strict):
    data = pickle.dumps((strict.asarray([1.0]), strict.sin, strict.Device("device1")))
    code = f"""
        import pickle, sys
        x, sin, device = pickle.loads({data!r})
        xp = x.__array_namespace__()
        print(xp.__name__, sin is xp.sin, device, "array_api_strict" in sys.modules)
    """
    assert run(code) == "array_api_strict True array_api_strict.Device('device1') False"


def test_it_is_not_installed_over_another(tmp_path):
    other = tmp_path / "array_api_strict.py"
    other.write_text("__version__ = '2.6.1'")
    environment = {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT / "python")])}
    text = run("import array_api_strict, strictarray.stand_in as s; s.install()", **environment)
    assert str(other) in text and text.startswith("ImportError") and "-p strictarray.stand_in" in text
    assert run(f"import strictarray.stand_in as s; s.install(); {SHOW}", **environment).endswith(
        strictarray.__version__
    )


def test_the_distribution(tmp_path):
    """The folder that the second distribution is made of, on its own."""
    environment = {"PYTHONPATH": os.pathsep.join([str(ROOT / "stand-in"), str(ROOT / "python")])}
    expected = f"array_api_strict True 2.6.1+strictarray.{strictarray.__version__}"
    assert run(SHOW, **environment) == expected
    assert (
        run(
            "import array_api_strict.linalg as a, strictarray.stand_in as s; print(s.install().linalg is a)",
            **environment,
        )
        == "True"
    )
    assert run("from array_api_strict._array_object import Array; print(Array.__name__)", **environment) == "Array"
    assert run(f"import strictarray.stand_in as s; s.install(); {SHOW}", **environment) == expected


def test_the_distribution_beside_the_package_says_so(tmp_path):
    package = tmp_path / "array_api_strict"
    package.mkdir()
    (package / "__init__.py").write_text((ROOT / "stand-in" / "array_api_strict" / "__init__.py").read_text())
    (package / "_array_object.py").write_text("")
    text = run("import array_api_strict", PYTHONPATH=os.pathsep.join([str(tmp_path), str(ROOT / "python")]))
    assert text.startswith("ImportError") and "strictarray-stand-in" in text


def suite(tmp_path, *args, verbosity=("-q",), **environment):
    """Runs a test that imports array_api_strict, as a suite does: in its conftest.py too."""
    (tmp_path / "conftest.py").write_text("import array_api_strict as early\n")
    (tmp_path / "test_it.py").write_text(
        textwrap.dedent("""
            import array_api_strict
            import numpy as np
            import pytest
            from conftest import early

            @pytest.mark.parametrize("i", range(4))
            def test_stand_in(i):
                assert early is array_api_strict
                assert "strictarray" in array_api_strict.__version__

            def test_relaxed():
                array_api_strict.asarray([np.float64(1)])
        """)
    )
    command = [
        sys.executable,
        "-m",
        "pytest",
        *verbosity,
        "-p",
        "no:cacheprovider",
        "-c",
        os.devnull,
        *args,
        str(tmp_path),
    ]
    path = os.pathsep.join([str(ROOT / "python"), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path, **environment}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path)
    return done.stdout + done.stderr


@pytest.mark.parametrize("workers", [[], ["-n", "2"]], ids=["alone", "xdist"])
def test_the_plugin(tmp_path, workers):
    relaxed = suite(tmp_path, "-p", "strictarray.stand_in", *workers, verbosity=[])
    assert "5 passed" in relaxed and f"strictarray {strictarray.__version__}, compat=array_api_strict" in relaxed
    strict = suite(tmp_path, "-p", "strictarray.stand_in", *workers, STRICTARRAY_COMPAT="none")
    assert "1 failed, 4 passed" in strict and "asarray-object" in strict
    wrong = suite(tmp_path, "-p", "strictarray.stand_in", *workers, STRICTARRAY_COMPAT="all")
    assert wrong.startswith("ERROR: STRICTARRAY_COMPAT: got 'all'") and "Traceback" not in wrong


def test_a_plugin_that_conftest_names(tmp_path):
    """`pytest_plugins` comes after conftest.py is imported: where that imported another package, the run ends."""
    path = os.pathsep.join([str(ROOT / "python"), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, str(tmp_path)]
    (tmp_path / "test_it.py").write_text(
        "import array_api_strict as x\ndef test_it(): assert 'strictarray' in x.__version__\n"
    )
    for early, expected in (("", "1 passed"), ("import array_api_strict\n", "imported before its stand-in")):
        (tmp_path / "conftest.py").write_text(early + 'pytest_plugins = ["strictarray.stand_in"]\n')
        done = subprocess.run(
            command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path}, cwd=tmp_path
        )
        assert expected in done.stdout + done.stderr, done.stdout + done.stderr
        assert "Traceback" not in done.stdout + done.stderr


def test_modules_that_are_removed_or_loaded_again():
    code = """
        import importlib, sys
        from strictarray import stand_in
        strict = stand_in.install()
        names = set(vars(strict))
        import array_api_strict, array_api_strict._dtypes, array_api_strict.linalg
        assert importlib.reload(array_api_strict) is strict and set(vars(strict)) >= names
        assert "strictarray" in strict.__version__ and strict.zeros(1).__array_namespace__() is strict
        for name in [n for n in sys.modules if n.startswith("array_api_strict")]:
            del sys.modules[name]
        import array_api_strict
        assert array_api_strict is strict
        from array_api_strict._dtypes import DType
        import array_api_strict.fft
        assert array_api_strict.fft is strict.fft
        for name in ("_no_such", "sin", "strict"):
            try:
                importlib.import_module("array_api_strict." + name)
            except ModuleNotFoundError as error:
                assert error.name == "array_api_strict." + name and "the stand-in has no module" in str(error)
            else:
                raise AssertionError(name)
        importlib.reload(stand_in)
        assert stand_in.install() is strict and len([f for f in sys.meta_path if type(f).__name__ == "_Finder"]) <= 2
        print("fine")
    """
    assert run(code) == "fine"


def test_other_processes(strict):
    """What is left to a process that unpickles: not the name, and what passes as the environment says."""
    data = pickle.dumps(strict.asarray([1.0]))
    code = f"""
        import pickle, sys
        import numpy as np
        x = pickle.loads({data!r})
        try:
            y = np.float64(1) + x
        except TypeError:
            y = "refused"
        xp = x.__array_namespace__()
        print(y, xp.__name__, "array_api_strict" in sys.modules)
        import array_api_strict
        print("strictarray" in array_api_strict.__version__, "array_api_strict.linalg" in sys.modules)
    """
    repr_ = "Array([2.], dtype=array_api_strict.float64)"
    assert run(code) == f"{repr_} array_api_strict False\nFalse False"
    assert run(code, STRICTARRAY_COMPAT="none").startswith("refused array_api_strict False")


# --- what passes there and nowhere else -----------------------------------------------------------------------------


class Number(enum.IntEnum):
    TWO = 2


class Large(int):
    pass


def assigned(x, value):
    x[0] = value
    return x


# For each relaxation a call in a namespace, and what it gives there: as the package itself does.
RELAXED = {
    "asarray-by-numpy": [
        (lambda xp: xp.asarray(np.float32(1)), "Array(1., dtype=array_api_strict.float32)"),
        (lambda xp: xp.asarray(np.bool(True)), "Array(True, dtype=array_api_strict.bool)"),
        (lambda xp: xp.asarray([np.float64(1), 2]), "Array([1., 2.], dtype=array_api_strict.float64)"),
        (
            lambda xp: xp.asarray([np.int64(2**53 + 1), 1.0], dtype=xp.int64)[0] % 10,
            "Array(3, dtype=array_api_strict.int64)",
        ),
        (lambda xp: xp.asarray(np.float16(1.5), dtype=xp.float64), "Array(1.5, dtype=array_api_strict.float64)"),
        (lambda xp: xp.asarray([np.float64(2)], device=xp.Device("no_float64")).dtype, "array_api_strict.float32"),
        (
            lambda xp: xp.asarray([[xp.asarray(1), 2], [3, 4]]),
            "Array([[1, 2],\n       [3, 4]], dtype=array_api_strict.int64)",
        ),
    ],
    "creation-casts": [
        (lambda xp: xp.asarray(2, dtype=xp.bool), "Array(True, dtype=array_api_strict.bool)"),
        (lambda xp: xp.asarray([0.0, 0.5], dtype=xp.bool), "Array([False,  True], dtype=array_api_strict.bool)"),
        (lambda xp: xp.asarray([1.5, -1.5], dtype=xp.int8), "Array([ 1, -1], dtype=array_api_strict.int8)"),
        (lambda xp: xp.asarray([16777217.5], dtype=xp.int32), "Array([16777217], dtype=array_api_strict.int32)"),
        (lambda xp: xp.asarray(xp.asarray([1.5]), dtype=xp.int64), "Array([1], dtype=array_api_strict.int64)"),
        (lambda xp: xp.full(1, 2, dtype=xp.bool), "Array([ True], dtype=array_api_strict.bool)"),
        (lambda xp: xp.full(1, 1e-50, dtype=xp.bool), "Array([ True], dtype=array_api_strict.bool)"),
        (lambda xp: xp.full_like(xp.ones(1, dtype=xp.int8), 2.5), "Array([2], dtype=array_api_strict.int8)"),
    ],
    "numpy-scalars": [
        (lambda xp: xp.zeros((np.int64(2),)), "Array([0., 0.], dtype=array_api_strict.float64)"),
        (lambda xp: xp.zeros(np.int8(2)), "Array([0., 0.], dtype=array_api_strict.float64)"),
        (lambda xp: xp.broadcast_to(xp.ones(1), (np.int64(2),)), "Array([1., 1.], dtype=array_api_strict.float64)"),
        (lambda xp: xp.reshape(xp.ones(2), (np.int64(1), 2)), "Array([[1., 1.]], dtype=array_api_strict.float64)"),
        (lambda xp: xp.sum(xp.ones((2, 2)), axis=np.int64(1)), "Array([2., 2.], dtype=array_api_strict.float64)"),
        (lambda xp: xp.linspace(0, 1, np.int64(2)), "Array([0., 1.], dtype=array_api_strict.float64)"),
        (lambda xp: xp.arange(np.int64(2)), "Array([0, 1], dtype=array_api_strict.int64)"),
        (lambda xp: xp.arange(np.float64(2)), "Array([0., 1.], dtype=array_api_strict.float64)"),
        (lambda xp: xp.linspace(np.float32(0), np.int8(1), 2), "Array([0., 1.], dtype=array_api_strict.float64)"),
    ],
    "scalar-subclasses": [
        (lambda xp: np.float64(2) - xp.asarray(xp.asarray([1.0])), None),
        (lambda xp: assigned(xp.ones(1), np.float64(2)), "Array([2.], dtype=array_api_strict.float64)"),
    ],
    "arrays-as-scalars": [
        (lambda xp: xp.linspace(xp.asarray(0), xp.asarray(1.0), 2), "Array([0., 1.], dtype=array_api_strict.float64)"),
        (
            lambda xp: xp.arange(1, xp.asarray(2.0) + 1, dtype=xp.float64),
            "Array([1., 2.], dtype=array_api_strict.float64)",
        ),
    ],
    "lists": [
        (lambda xp: xp.zeros([1, np.int64(1)]), "Array([[0.]], dtype=array_api_strict.float64)"),
        (lambda xp: xp.broadcast_to(xp.ones(1), [1, 1]), "Array([[1.]], dtype=array_api_strict.float64)"),
        (lambda xp: xp.permute_dims(xp.zeros((1, 1)), [1, 0]), "Array([[0.]], dtype=array_api_strict.float64)"),
        (lambda xp: xp.moveaxis(xp.zeros((1, 1)), [0, 1], [1, 0]), "Array([[0.]], dtype=array_api_strict.float64)"),
    ],
    "range-dtypes": [
        (lambda xp: xp.arange(2, dtype=xp.complex64), "Array([0.+0.j, 1.+0.j], dtype=array_api_strict.complex64)"),
        (lambda xp: xp.arange(0.5, 3, 1, dtype=xp.int8), "Array([0, 1, 2], dtype=array_api_strict.int8)"),
        (lambda xp: xp.arange(0, 3, 0.5, dtype=xp.int64), "Array([0, 0, 0, 0, 0, 0], dtype=array_api_strict.int64)"),
        (lambda xp: xp.arange(1.5, 10, 2, dtype=xp.uint8), "Array([1, 3, 5, 7, 9], dtype=array_api_strict.uint8)"),
        (lambda xp: xp.arange(2, dtype=xp.bool), "Array([False,  True], dtype=array_api_strict.bool)"),
        (lambda xp: xp.linspace(0, 3, 4, dtype=xp.uint8), "Array([0, 1, 2, 3], dtype=array_api_strict.uint8)"),
        (lambda xp: xp.linspace(-3.5, 3.9, 4, dtype=xp.int64), "Array([-4, -2,  1,  3], dtype=array_api_strict.int64)"),
    ],
    "meshgrid-bool": [
        (lambda xp: xp.meshgrid(xp.asarray([True]))[0], "Array([ True], dtype=array_api_strict.bool)"),
    ],
    "contains": [
        (lambda xp: 2 in xp.asarray([1, 2]), "True"),
        (lambda xp: 3 in xp.asarray([1, 2]), "False"),
        (lambda xp: 3 in xp.asarray([], dtype=xp.int64), "False"),
    ],
    "format": [
        (lambda xp: f"{xp.asarray(1.5):g} {xp.asarray(2):03d}", None),
    ],
    "device-names": [
        (lambda xp: xp.__array_namespace_info__().dtypes(device="no_float64", kind="real floating"), None),
    ],
    "host-by-dlpack": [
        (lambda xp: np.from_dlpack(xp.ones(1, device=xp.Device("device1")), device="cpu"), "array([1.])"),
    ],
}


def warned(call):
    """The array that a call gives, the texts of NumPy's warnings, and whether it raised where they are errors."""
    with warnings.catch_warnings(record=True) as caught, np.errstate(all="warn"):
        warnings.simplefilter("always")
        x = call()
    with np.errstate(all="raise"):
        try:
            call()
        except FloatingPointError as error:
            return x, [str(each.message) for each in caught], str(error)
    return x, [str(each.message) for each in caught]


BY_ZERO = "divide by zero encountered in divide"
INVALID = "invalid value encountered in divide"
# The same of what no rule refuses: NumPy does, or the result is another one.
RELAXED_BESIDE_RULES = {
    "ufuncs": [
        (lambda xp: np.abs(xp.asarray([1.0, -2.0])), "array([1., 2.])"),
        (lambda xp: np.abs(xp.asarray([-1, 2], dtype=xp.int8)), "array([1, 2], dtype=int8)"),
        (lambda xp: np.abs(xp.asarray(-2.0)), "np.float64(2.0)"),
        (lambda xp: np.abs(xp.asarray([1.0, -2.0]), out=np.zeros(2)), "array([1., 2.])"),
        (lambda xp: np.modf(xp.asarray([1.5])), "(array([0.5]), array([1.]))"),
        (lambda xp: np.isnan(xp.asarray([1, 2])), "array([False, False])"),
        (lambda xp: np.sqrt(xp.asarray([4.0]), dtype=np.float32), "array([2.], dtype=float32)"),
    ],
    "division-warnings": [
        (
            lambda xp: warned(lambda: 1 / xp.asarray([0.0, 1.0])),
            f"(Array([inf,  1.], dtype=array_api_strict.float64), ['{BY_ZERO}'], '{BY_ZERO}')",
        ),
        (
            lambda xp: warned(lambda: xp.asarray([[0.0]], dtype=xp.float32) / 0),
            f"(Array([[nan]], dtype=array_api_strict.float32), ['{INVALID}'], '{INVALID}')",
        ),
        (
            lambda xp: warned(lambda: xp.asarray([0.0, -1.0]) / xp.asarray([[0.0], [1.0]]))[1:],
            f"(['{BY_ZERO}', '{INVALID}'], '{BY_ZERO}')",
        ),
        (
            lambda xp: warned(lambda: operator.itruediv(xp.asarray(1.0), xp.asarray(0.0))),
            f"(Array(inf, dtype=array_api_strict.float64), ['{BY_ZERO}'], '{BY_ZERO}')",
        ),
        (
            lambda xp: warned(lambda: operator.itruediv(xp.asarray([1.0, 2.0]), 0.0)),
            f"(Array([inf, inf], dtype=array_api_strict.float64), ['{BY_ZERO}'], '{BY_ZERO}')",
        ),
        (
            lambda xp: warned(lambda: xp.ones(1, device=xp.Device("device1")) / 0)[1:],
            f"(['{BY_ZERO}'], '{BY_ZERO}')",
        ),
    ],
    "mean-overflow": [
        (lambda xp: xp.mean(xp.asarray([3e38, 3e38], dtype=xp.float32)), "Array(inf, dtype=array_api_strict.float32)"),
        (
            lambda xp: xp.mean(xp.asarray([[-3e38, 1.0]] * 3, dtype=xp.float32), axis=0),
            "Array([-inf,   1.], dtype=array_api_strict.float32)",
        ),
        (
            lambda xp: xp.imag(xp.mean(xp.asarray([3e38j, 3e38j], dtype=xp.complex64))),
            "Array(inf, dtype=array_api_strict.float32)",
        ),
    ],
}
# What the stand-in makes of calls that the package answers otherwise: its products with NumPy's scalars are NumPy's, and it
# does not look at the device.
OWN = {
    "device-names": "{'float32': array_api_strict.float32}",
    "scalar-subclasses": "Array([1.], dtype=array_api_strict.float64)",
    "format": "'1.5 002'",
}


def plain(text):
    """Without the blanks by which each aligns elements."""
    return "".join(text.split())


def test_the_package_itself_gives_the_same():
    """The genuine array-api-strict, in a process of its own."""
    code = f"""
        import os, sys, warnings
        sys.path[:0] = [{str(ROOT / "tests")!r}]
        import array_api_strict as genuine
        assert not hasattr(genuine, "_is_stand_in"), genuine
        import test_stand_in as here
        for id, calls in (here.RELAXED | here.RELAXED_BESIDE_RULES).items():
            for call, expected in calls:
                if expected is None:
                    continue
                try:
                    found = repr(call(genuine))
                except Exception as error:
                    found = repr(error)
                if here.plain(found) != here.plain(expected):
                    print(id, expected, found)
        for i, call in enumerate(here.REFUSED):
            try:
                print("refused", i, call(genuine))
            except Exception:
                pass
        print("done")
    """
    assert run(code, "-W", "ignore") == "done"


def test_each_relaxation_is_tried():
    assert set(RELAXED) == {row["id"] for row in RELAXATIONS if row["lifts"]}
    assert {*RELAXED, *RELAXED_BESIDE_RULES, "one-module"} == {row["id"] for row in RELAXATIONS}


@pytest.mark.parametrize("row", [row for row in RELAXATIONS if row["lifts"]], ids=lambda row: row["id"])
def test_relaxations(strict, row):
    for call, expected in RELAXED[row["id"]]:
        stand_in.install(compat="array_api_strict")
        assert plain(repr(call(strict))) == plain(expected or OWN[row["id"]])
        stand_in.install(compat="none")
        for library in (strictarray, strict):
            with pytest.raises((TypeError, ValueError, IndexError, BufferError)) as caught:
                call(library)
            # Where both sides of an operator decline, the error is Python's.
            assert getattr(caught.value, "rule", None) in row["lifts"] or "support" in str(caught.value)
        stand_in.install(compat="array_api_strict")
        with pytest.raises((TypeError, ValueError, IndexError, BufferError)):
            call(strictarray)


def outcome(call, xp):
    try:
        return plain(repr(call(xp))).replace("strictarray.", "array_api_strict.")
    except TypeError as error:
        assert "support" in str(error)
        return "refused"


@pytest.mark.parametrize("id", RELAXED_BESIDE_RULES)
def test_relaxations_beside_rules(strict, id):
    for call, expected in RELAXED_BESIDE_RULES[id]:
        stand_in.install(compat="array_api_strict")
        assert outcome(call, strict) == plain(expected)
        assert outcome(call, strictarray) != plain(expected)
        refused = outcome(call, strictarray)
        stand_in.install(compat="none")
        assert outcome(call, strict) == outcome(call, strictarray) == refused


def test_ufuncs_of_numpy_convert_the_stand_ins_arrays_only(strict):
    x, own, a = strict.ones(2), strictarray.ones(2), np.ones(2)
    assert own.__array_ufunc__ is None and x.__array_ufunc__ is not None
    assert x.__array_ufunc__(np.negative, "__call__", x).tolist() == [-1.0, -1.0]
    for call in (
        lambda: np.abs(own),
        lambda: np.add(a, x),
        lambda: np.add(x, x),
        lambda: np.add(own, x),
        lambda: np.add(2.0, x),
        lambda: np.add.reduce(x),
        lambda: np.abs(a, out=x),
        lambda: np.abs(x, out=own),
        lambda: np.abs(a, where=x > 0),
        lambda: type(x).__array_ufunc__(own, np.abs, "__call__", own),
    ):
        with pytest.raises(TypeError, match="does not support ufuncs"):
            call()
    with pytest.raises(RuntimeError, match="device1"):
        np.abs(strict.ones(2, device=strict.Device("device1")))


BINARY = "add sub mul truediv floordiv mod pow lshift rshift and_ or_ xor matmul eq ne lt le gt ge iadd imul".split()


@pytest.mark.parametrize("name", BINARY)
def test_numpys_operators_do_as_they_do_without_the_stand_in(strict, name):
    function = getattr(operator, name)

    def outcomes(xp):
        dtype = "int64" if name in ("lshift", "rshift", "and_", "or_", "xor") else "float64"
        for other in (
            np.ones(2, dtype=dtype),
            np.float64(2),
            np.float32(2),
            np.int64(1),
            np.array(1),
            np.complex128(1),
        ):
            x = xp.ones(2, dtype=getattr(xp, dtype))
            for args in ((x, other), (other, x)):
                try:
                    yield repr(function(*args))
                except TypeError as error:
                    yield getattr(error, "rule", None)

    # The attribute stays None for NumPy where the stand-in can't be imported.
    installed = {xp.__name__: list(outcomes(xp)) for xp in (strict, strictarray)}
    del sys.modules["array_api_strict"]
    assert type(strict.ones(1)).__array_ufunc__ is None
    assert {xp.__name__: list(outcomes(xp)) for xp in (strict, strictarray)} == installed


def test_divisions_are_silent_where_numpy_says_so_or_is_not_there(strict):
    with warnings.catch_warnings(), np.errstate(all="warn"):
        warnings.simplefilter("error")
        with np.errstate(all="ignore"):
            assert float((1 / strict.zeros(1))[0]) == float("inf")
        for call in (lambda: 1 / strict.ones(1), lambda: 1 / strict.zeros(0), lambda: 1 / strictarray.zeros(1)):
            call()
        with pytest.raises(RuntimeWarning, match="divide by zero"):
            1 / strict.zeros(1)
        with pytest.raises(TypeError):
            np.ones(2) / strict.zeros(2)
    code = """
        import sys, types, warnings
        from strictarray import stand_in
        warnings.simplefilter("error")
        print(1 / stand_in.install().zeros(1), "numpy" in sys.modules)
        # What may not be imported, and what has just begun to be.
        for numpy in (None, types.ModuleType("numpy")):
            sys.modules["numpy"] = numpy
            print(1 / stand_in.install().zeros(1))
    """
    inf = "Array([inf], dtype=array_api_strict.float64)"
    assert run(code).split("\n") == [f"{inf} False", inf, inf]


def test_what_numpy_would_be_asked_about_is_refused_without_it():
    code = """
        import sys, types
        from strictarray import stand_in
        xp = stand_in.install()
        for numpy in (None, types.ModuleType("numpy")):
            sys.modules["numpy"] = numpy
            for call in (lambda: xp.asarray([None]), lambda: xp.asarray("a"), lambda: xp.asarray([[1, 2], [3]])):
                try:
                    call()
                except (TypeError, ValueError) as error:
                    print(error.rule)
    """
    assert run(code).split("\n") == ["asarray-object", "asarray-object", "asarray-ragged"] * 2


# What the package refuses, too.
REFUSED = [
    lambda xp: xp.asarray("text"),
    lambda xp: xp.asarray(["text"]),
    lambda xp: xp.asarray({1}),
    lambda xp: xp.asarray([object()]),
    lambda xp: xp.asarray([[1], [1, 2]]),
    lambda xp: xp.asarray([xp.asarray(1), xp.asarray(2)]),
    lambda xp: xp.asarray(1j, dtype=xp.float64),
    lambda xp: xp.asarray([float("nan")], dtype=xp.int64),
    lambda xp: xp.asarray(float("inf"), dtype=xp.int64),
    lambda xp: xp.asarray(300.5, dtype=xp.uint8),
    lambda xp: xp.asarray([-1.5], dtype=xp.uint8),
    lambda xp: xp.asarray([np.int64(300)], dtype=xp.int8),
    lambda xp: xp.asarray([1.0, np.float64(1)], copy=False),
    lambda xp: xp.full(2, xp.asarray(1.0)),
    lambda xp: xp.zeros(np.timedelta64(3, "ns")),
    lambda xp: xp.zeros((np.datetime64(3, "ns"),)),
    lambda xp: xp.zeros((np.float64(2),)),
    lambda xp: xp.arange(-3.0, 0.0, dtype=xp.uint8),
    lambda xp: xp.arange(5, dtype=xp.bool),
    lambda xp: xp.linspace(xp.zeros(1, device=xp.Device("device1"))[0], 1.0, 2),
    lambda xp: xp.arange(xp.ones(2)),
    lambda xp: xp.sum(xp.ones((2, 2)), axis=[0, 1]),
    lambda xp: xp.reshape(xp.ones(2), [2, 1]),
    lambda xp: xp.asarray([1.0]) * np.float64(2),
    lambda xp: xp.add(xp.asarray([1.0]), np.float64(2)),
    lambda xp: operator.iadd(xp.asarray([1.0]), np.float64(2)),
    lambda xp: xp.asarray([1]) < Number.TWO,
    lambda xp: xp.asarray([1, 2]) in xp.asarray([1, 2]),
    lambda xp: 1 in xp.ones((2, 2)),
]


@pytest.mark.parametrize("call", REFUSED)
def test_what_stays_refused(strict, call):
    with pytest.raises((TypeError, ValueError, OverflowError)):
        call(strict)


def test_sizes_that_no_memory_holds(strict):
    """A refusal, and not the end of the process."""
    for call in (
        lambda: strict.arange(0.0, 1e14, dtype=strict.int64),
        lambda: strict.arange(0.0, 1e14, dtype=strict.complex64),
        lambda: strict.linspace(0, 1, 10**14, dtype=strict.int8),
        lambda: strict.full([10**14], 1.5, dtype=strict.int8),
    ):
        with pytest.raises(MemoryError):
            call()


def test_ranges_of_integers_are_exact(strict):
    x = strict.arange(2.0**60, 2.0**60 + 1024, 256.0, dtype=strict.int64)
    assert [int(v) for v in x] == [2**60 + 256 * i for i in range(4)]
    assert strict.arange(0.0, -3.0, -1.0, dtype=strict.int32, device=strict.Device("no_x64")).dtype == strict.int32
    assert [int(v) for v in strict.arange(3.5, 0, -1, dtype=strict.int8)] == list(np.arange(3.5, 0, -1, dtype="int8"))
    assert strict.arange(1.0, 0.0, dtype=strict.int8).shape == (0,)
    assert strict.linspace(0, 1, 0, dtype=strict.int8).shape == (0,)
    for wrong in (0, 0.0):
        with pytest.raises(ValueError, match="step"):
            strict.arange(0.0, 1.0, wrong, dtype=strict.int64)


def test_hooks_see_what_passes_as_a_scalar(strict):
    seen = []
    number = _strictarray._add_hook(before=lambda name, *rest: seen.append(name))
    try:
        strict.linspace(strict.asarray(0.0), strict.asarray(2), 2)
        f"{strict.asarray(1.5):g}"
        2 in strict.asarray([1, 2])
    finally:
        _strictarray._remove_hook(number)
    assert {"__float__", "__int__", "linspace", "__format__", "__contains__"} <= set(seen)


def test_what_only_looks_like_a_scalar_of_numpys(strict):
    class Looks:
        __array_priority__ = __array_interface__ = 0

    for call in (lambda: strict.zeros(Looks()), lambda: strict.arange(Looks()), lambda: strict.asarray([Looks()])):
        with pytest.raises(TypeError) as caught:
            call()
        assert caught.value.rule


def test_ints_of_subclasses_are_exact(strict):
    x = assigned(strict.asarray([0], dtype=strict.uint64), Large(2**64 - 1))
    assert int(x[0]) == 2**64 - 1
    assert float((Large(2**200) + strict.ones(1))[0]) == 2.0**200
    for call in (lambda: Large(10**400) + strict.ones(1), lambda: assigned(strict.asarray([0]), Large(2**70))):
        with pytest.raises(OverflowError):
            call()


def test_an_exception_of_the_users_code_is_not_swallowed(strict):
    class Stops:
        def __array__(self, dtype=None, copy=None):
            raise ZeroDivisionError

    with pytest.raises((ZeroDivisionError, TypeError)):
        strict.asarray(Stops())
    with pytest.raises(ZeroDivisionError):
        strict.asarray([[Stops(), Stops()]])


def test_one_module(strict):
    x = strict.ones(1)
    assert x.__array_namespace__(api_version="2022.12") is strict
    with pytest.raises(ValueError, match="api_version"):
        x.__array_namespace__(api_version="2020.12")
    assert strictarray.ones(1).__array_namespace__(api_version="2022.12") is not strictarray


def test_compat_stays_as_it_was_chosen(strict):
    stand_in.install(compat="none")
    stand_in.install()
    assert not _strictarray._get_compat()
    for wrong in ("all", "", "None", 1, True, ["none"]):
        with pytest.raises(ValueError, match="compat"):
            stand_in.install(compat=wrong)


def test_the_documentation_lists_what_passes():
    text = (ROOT / "docs" / "stand-in.md").read_text()
    lines = [line for line in text.splitlines() if line.startswith("| `") and line.count(" | ") > 2]
    expected = [
        f"| `{row['id']}` | {row['passes']} | {row['standard']} | "
        f"{', '.join(f'`{rule}`' for rule in row['lifts']) or '–'} | {', '.join(row['needed_by'])} |"
        for row in RELAXATIONS
    ]
    assert lines == expected


def test_the_session_of_the_documentation():
    source = "\n".join(re.findall(r"^```python\n(.*?)^```$", (ROOT / "docs" / "stand-in.md").read_text(), re.M | re.S))
    session = doctest.DocTestParser().get_doctest(source, {}, "stand-in.md", "stand-in.md", 0)
    output = []
    result = doctest.DocTestRunner(verbose=False).run(session, out=output.append)
    assert result.attempted >= 5 and result.failed == 0, "".join(output)
