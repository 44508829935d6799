"""Names and signatures, against the standard as data (data/standard.json)."""

import inspect
import threading
import types

import pytest
from support import DTYPES, EXTENSIONS, flags, function, load_json

import strictarray as xp

STANDARD = load_json("standard.json")
DRAFT = STANDARD["draft"]
FUNCTIONS = DRAFT["functions"]
Array = type(xp.zeros(1))

# What must exist.
REQUIRED_FUNCTIONS = """
    arange asarray empty empty_like eye from_dlpack full full_like linspace meshgrid ones ones_like tril triu zeros zeros_like
    astype can_cast finfo iinfo isdtype result_type
    abs add bitwise_and bitwise_invert bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor divide equal floor_divide
    greater greater_equal less less_equal multiply negative not_equal positive pow remainder subtract
    matmul
    cumulative_prod cumulative_sum max mean min prod std sum var all any diff argmax argmin count_nonzero
""".split()
CONSTANTS = ["e", "inf", "nan", "newaxis", "pi"]

# Public names beyond the standard: this library's own documented ones.
EXTRAS = {
    "ALL_DEVICES",
    "ArrayAPIStrictFlags",
    "CPU_DEVICE",
    "Device",
    "get_array_api_strict_flags",
    "reset_array_api_strict_flags",
    "set_array_api_strict_flags",
}

# None may be missing: a name that falls out of the namespace must fail here.
OF_EXTENSIONS = {f"{key}.{name}": row for key in EXTENSIONS for name, row in DRAFT["extensions"][key].items()}
PRESENT_FUNCTIONS = sorted({**FUNCTIONS, **OF_EXTENSIONS})
PUBLIC = sorted(name for name in dir(xp) if not name.startswith("_"))


def describe(parameters):
    """[(name, kind, default)] of the standard's data."""
    return [(p["name"], p["kind"], p.get("default")) for p in parameters]


KINDS = {
    inspect.Parameter.POSITIONAL_ONLY: "positional-only",
    inspect.Parameter.POSITIONAL_OR_KEYWORD: "positional-or-keyword",
    inspect.Parameter.KEYWORD_ONLY: "keyword-only",
    inspect.Parameter.VAR_POSITIONAL: "var-positional",
    inspect.Parameter.VAR_KEYWORD: "var-keyword",
}


def actual(function):
    return [
        (p.name, KINDS[p.kind], None if p.default is inspect.Parameter.empty else repr(p.default))
        for p in inspect.signature(function).parameters.values()
    ]


def test_the_data_is_whole():
    assert set(STANDARD) == {"2021.12", "2022.12", "2023.12", "2024.12", "2025.12", "draft"}
    assert len(FUNCTIONS) == 136
    assert len(OF_EXTENSIONS) == 39
    assert sorted(DRAFT["constants"]) == CONSTANTS


@pytest.mark.parametrize("name", REQUIRED_FUNCTIONS)
def test_required_functions_exist(name):
    assert name in FUNCTIONS
    assert callable(getattr(xp, name))


@pytest.mark.parametrize("name", [*CONSTANTS, *DTYPES])
def test_constants_and_dtypes_exist(name):
    assert hasattr(xp, name)


@pytest.mark.parametrize("name", sorted(EXTRAS) + ["__version__", "__array_api_version__"])
def test_extras_exist(name):
    assert hasattr(xp, name)


@pytest.mark.parametrize("name", PRESENT_FUNCTIONS)
def test_signature(name):
    assert actual(function(name)) == describe({**FUNCTIONS, **OF_EXTENSIONS}[name]["parameters"])


@pytest.mark.parametrize("name", PRESENT_FUNCTIONS)
def test_functions_have_names_and_docs(name):
    assert function(name).__name__ == name.split(".")[-1]
    assert function(name).__doc__
    assert function(name).__doc__.strip()


@pytest.mark.parametrize("name", PUBLIC)
def test_public_names_are_the_standards_or_our_own(name):
    assert name in {*FUNCTIONS, *CONSTANTS, *DTYPES, *DRAFT["extensions"], *EXTRAS}


def test_all_lists_the_public_names():
    assert sorted(xp.__all__) == sorted(set(xp.__all__))
    assert {n for n in xp.__all__ if not n.startswith("_")} == set(PUBLIC)
    assert {n for n in xp.__all__ if n.startswith("_")} <= {
        "__array_namespace_info__",
        "__array_api_version__",
        "__version__",
    }


def test_nothing_leaks_into_the_namespace():
    leaked = [n for n in PUBLIC if isinstance(getattr(xp, n), types.ModuleType) and n not in DRAFT["extensions"]]
    assert not leaked


ABSENT = """
    float16 bfloat16 float128 complex256 bool_ int_ float_ object_ ndarray array Array dtype median bincount put_along_axis
    special convolve roots nan_to_num concatenate absolute power mod true_divide bitwise_not left_shift right_shift invert
    arccos dot einsum save load random testing numpy np
""".split()


@pytest.mark.parametrize("name", ABSENT)
def test_names_that_are_not_there(name):
    assert not hasattr(xp, name)
    with pytest.raises(AttributeError, match=name):
        getattr(xp, name)


@pytest.mark.parametrize("name", sorted(DRAFT["array_methods"]))
def test_array_methods_exist(name):
    assert callable(getattr(Array, name))


@pytest.mark.parametrize("name", sorted(DRAFT["array_attributes"]))
def test_array_attributes_exist(name):
    assert hasattr(Array, name)


@pytest.mark.parametrize("name", ["__array_namespace__", "__dlpack__", "__dlpack_device__", "__complex__", "to_device"])
def test_method_signature(name):
    _self, *parameters = actual(getattr(Array, name))
    assert parameters == describe(DRAFT["array_methods"][name])


@pytest.mark.parametrize(
    "name", sorted(set(DRAFT["array_methods"]) - {"__array_namespace__", "__dlpack__", "to_device"})
)
def test_methods_take_as_many_arguments_as_the_standard_says(name):
    required = len(DRAFT["array_methods"][name])
    method = getattr(xp.ones((), dtype=xp.int64), name)
    with pytest.raises(TypeError):
        method(*[1] * (required + 2))
    with pytest.raises(TypeError):
        method(no_such_argument=1)


REFLECTED = "add and floordiv lshift matmul mod mul or pow rshift sub truediv xor".split()


@pytest.mark.parametrize("name", REFLECTED)
def test_reflected_and_in_place_methods_exist(name):
    assert callable(getattr(Array, f"__r{name}__"))
    assert callable(getattr(Array, f"__i{name}__"))


def test_public_names_of_an_array():
    public = {n for n in dir(Array) if not n.startswith("_")}
    assert public == {"dtype", "device", "mT", "ndim", "shape", "size", "T", "to_device"}


VERSIONS = ["2021.12", "2022.12", "2023.12", "2024.12", "2025.12"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("version", VERSIONS)
def test_an_older_version_has_its_own_names(version):
    names = STANDARD[version]["functions"]
    with flags(api_version=version):
        for name in REQUIRED_FUNCTIONS:
            if name in names:
                assert callable(getattr(xp, name)), name
            else:
                with pytest.raises(AttributeError):
                    getattr(xp, name)


def test_a_whole_namespace_is_a_plain_module():
    """A module's `__getattr__` makes each of its attributes dearer: it is there only while names may have to be refused."""

    def state():
        return "__getattr__" in vars(xp), xp.__array_api_version__, "isin" in xp.__all__, hasattr(xp, "isin")

    whole = (False, "2025.12", True, True)
    assert state() == whole
    with pytest.raises(AttributeError, match="has no attribute 'array'"):
        xp.array  # noqa: B018
    with xp.ArrayAPIStrictFlags(api_version="2024.12"):
        assert state() == (True, "2024.12", False, False)
        for name, rule in [("isin", "later-name"), ("array", "unknown-name")]:
            with pytest.raises(AttributeError) as e:
                getattr(xp, name)
            assert e.value.rule == rule
        with xp.ArrayAPIStrictFlags(boolean_indexing=False):
            assert state() == (True, "2024.12", False, False)
    assert state() == whole
    try:
        xp.set_array_api_strict_flags(api_version="2023.12")
        assert state() == (True, "2023.12", False, False)
        xp.set_array_api_strict_flags(api_version="2026.12")
        assert state() == (False, "2026.12", True, True)
    finally:
        xp.reset_array_api_strict_flags()
    assert state() == whole


def test_a_block_with_the_same_names_costs_no_attribute_access():
    def state():
        return "__getattr__" in vars(xp), hasattr(xp, "isin")

    def other_context():
        xp.set_array_api_strict_flags(api_version="2024.12")
        seen.append(state())

    seen = []
    try:
        with xp.ArrayAPIStrictFlags(boolean_indexing=False):
            assert state() == (False, True)
            with xp.ArrayAPIStrictFlags(api_version="2024.12"):
                assert state() == (True, False)
            assert state() == (False, True)
            thread = threading.Thread(target=other_context)
            thread.start()
            thread.join()
            # The process has another version now than this block.
            assert (seen, state()) == ([(True, False)], (True, True))
        assert state() == (True, False)
    finally:
        xp.reset_array_api_strict_flags()
    assert state() == (False, True)


def test_what_is_told_of_flags_is_the_callers_own():
    told = xp.get_array_api_strict_flags()
    told["api_version"] = "changed"
    del told["boolean_indexing"]
    again = xp.get_array_api_strict_flags()
    assert again["api_version"] == "2025.12" and again["boolean_indexing"] is True
    with xp.ArrayAPIStrictFlags(boolean_indexing=False):
        assert xp.get_array_api_strict_flags() == {**again, "boolean_indexing": False}
    assert xp.get_array_api_strict_flags() == again


def test_versions():
    assert xp.__array_api_version__ == "2025.12"
    assert isinstance(xp.__version__, str)
    major, minor, *_ = xp.__version__.split(".")
    assert int(major) >= 0
    assert int(minor) >= 0


# The flags: this library's own functions

FLAGS = {"api_version", "boolean_indexing", "data_dependent_shapes", "enabled_extensions"}


def test_flags_are_reported():
    assert set(xp.get_array_api_strict_flags()) == FLAGS
    assert xp.get_array_api_strict_flags()["api_version"] == "2025.12"
    assert xp.get_array_api_strict_flags()["boolean_indexing"] is True


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("version", [*VERSIONS, "2026.12"])
def test_flags_are_set_and_reset(version):
    xp.set_array_api_strict_flags(api_version=version, boolean_indexing=False)
    assert xp.get_array_api_strict_flags()["api_version"] == version
    assert xp.get_array_api_strict_flags()["boolean_indexing"] is False
    assert xp.__array_api_version__ == version
    xp.reset_array_api_strict_flags()
    assert xp.get_array_api_strict_flags()["api_version"] == "2025.12"
    assert xp.get_array_api_strict_flags()["boolean_indexing"] is True


def test_flags_of_a_block_end_with_it():
    before = xp.get_array_api_strict_flags()
    with xp.ArrayAPIStrictFlags(api_version="2022.12", boolean_indexing=False):
        assert xp.get_array_api_strict_flags()["api_version"] == "2022.12"
        with xp.ArrayAPIStrictFlags(api_version="2023.12"):
            assert xp.get_array_api_strict_flags()["api_version"] == "2023.12"
            assert xp.get_array_api_strict_flags()["boolean_indexing"] is False
        assert xp.get_array_api_strict_flags()["api_version"] == "2022.12"
    assert xp.get_array_api_strict_flags() == before
    with pytest.raises(ZeroDivisionError), xp.ArrayAPIStrictFlags(boolean_indexing=False):
        1 / 0  # noqa: B018
    assert xp.get_array_api_strict_flags() == before


@pytest.mark.parametrize("bad", ["2020.10", "", "latest", "2025"])
def test_an_unknown_version(bad):
    with pytest.raises(ValueError, match="version"):
        xp.set_array_api_strict_flags(api_version=bad)
    assert xp.get_array_api_strict_flags()["api_version"] == "2025.12"
