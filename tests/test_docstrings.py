"""Documentation: every public function says what it takes, gives and stems from, and its example runs."""

import builtins
import doctest
import inspect
import re

import pytest
from refusals import refusals
from support import DTYPES, EXTENSIONS, function, load_json, public_functions

import strictarray as xp
from strictarray import _strictarray

DRAFT = load_json("standard.json")["draft"]
IN_EXTENSIONS = {f"{key}.{name}" for key, names in DRAFT["extensions"].items() for name in names}
FUNCTIONS = sorted(public_functions() & {*DRAFT["functions"], *IN_EXTENSIONS})
OWN_FUNCTIONS = ("get_array_api_strict_flags", "reset_array_api_strict_flags", "set_array_api_strict_flags")
CLASSES = sorted(name for name, value in vars(_strictarray).items() if isinstance(value, type))
# Python itself documents what these do; their slots have its texts.
MEMBERS = [
    (cls, name)
    for cls in CLASSES
    for name, value in sorted(vars(getattr(_strictarray, cls)).items(), key=lambda item: item[0])
    if callable(value) or inspect.isdatadescriptor(value)
    if name not in {"__new__", "__weakref__", "__dict__", "__init_subclass__"}
]


def run_examples(text, name):
    """The examples of a text, run; how many there are."""
    test = doctest.DocTestParser().get_doctest(text, {"xp": xp}, name, None, 0)
    report = []
    results = doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    assert not results.failed, "".join(report)
    return results.attempted


def test_there_is_something_to_test():
    assert len(FUNCTIONS) > 144
    assert {"Array", "DType", "Device", "ArrayAPIStrictFlags", "NamespaceInfo"} <= set(CLASSES)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_sections_of_a_function(name):
    text = function(name).__doc__
    summary = text.split("\n\n")[0]
    assert summary.endswith(".")
    assert len(summary) > 5
    parameters = inspect.signature(function(name)).parameters
    places = [
        text.find(f"\n\n{title}\n{'-' * len(title)}\n") for title in ("Parameters", "Returns", "Raises", "Examples")
    ]
    places.append(text.find("\n\nSource: array API standard, "))
    assert -1 not in places, places
    assert places == sorted(places)
    section = text[places[0] : places[1]]
    for parameter in parameters.values():
        star = "*" if parameter.kind is parameter.VAR_POSITIONAL else ""
        assert f"\n{star}{parameter.name} : " in section, parameter
        if parameter.default is not parameter.empty:
            line = next(line for line in section.splitlines() if line.startswith(f"{parameter.name} : "))
            assert line.endswith(f", default {parameter.default!r}")
    assert f": {name.split('.')[-1]} (since 20" in text[places[-1] :]


def section(name, title):
    """The text of one section of a function's docstring."""
    return function(name).__doc__.split(f"\n{title}\n{'-' * len(title)}\n")[1].split("\n\n")[0]


def documented_refusals(name):
    """The rules that the docstring names, with the exceptions of each."""
    found = {}
    exceptions = ()
    for line in section(name, "Raises").splitlines():
        if not line.startswith(" "):
            exceptions = tuple(getattr(builtins, each) for each in line.split(" and "))
        for rule in re.findall(r"\[([\w-]+)\](?=[;.]|$)", line):
            found[rule] = exceptions
    return found


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted({*FUNCTIONS} - {"__array_namespace_info__"}))
def test_what_is_refused_is_documented_and_what_is_documented_is_refused(name):
    documented, provoked = documented_refusals(name), refusals(name)
    assert sorted(documented) == sorted(provoked)
    for rule, raised in provoked.items():
        assert all(issubclass(each, documented[rule]) for each in raised), (rule, raised)
        for exception in documented[rule]:
            assert all(issubclass(each, exception) for each in raised), (rule, raised)


def test_the_errors_differ_from_function_to_function():
    assert len({section(name, "Raises") for name in FUNCTIONS}) > 60


@pytest.mark.parametrize("name", sorted({case["function"] for case in load_json("special_cases.json")}))
def test_special_cases_are_told(name):
    assert section(name, "Notes").startswith("Special cases: ")


# What gives no array, or several.
OTHER_RESULTS = "finfo iinfo result_type can_cast isdtype broadcast_shapes __array_namespace_info__".split()


@pytest.mark.parametrize("name", sorted({*FUNCTIONS} - {*OTHER_RESULTS}))
def test_the_result_has_a_shape_and_a_data_type(name):
    text = " ".join(section(name, "Returns").split())
    assert re.search(r"shape|[01]-d|\baxis\b|\baxes\b", text)
    assert re.search(r"\bbool\b|data type|dtype|default index", text)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_lines_fit_a_terminal(name):
    prose = function(name).__doc__.split("\nExamples\n")[0]
    assert all(len(line) <= 96 for line in prose.splitlines() if " : " not in line)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_example_of_a_function_runs(name):
    assert run_examples(function(name).__doc__, name) > 0
    assert f"xp.{name}(" in function(name).__doc__


@pytest.mark.parametrize("name", [*FUNCTIONS, *OWN_FUNCTIONS])
def test_signatures_are_known(name):
    f = function(name)
    signature = inspect.signature(f)
    assert all(p.kind is not p.VAR_KEYWORD for p in signature.parameters.values())
    assert f"{f.__module__}.{f.__name__}" == f"strictarray.{name}"
    assert f.__doc__.strip()


@pytest.mark.parametrize("name", CLASSES)
def test_classes_are_documented(name):
    cls = getattr(_strictarray, name)
    assert cls.__doc__.strip()
    assert cls.__doc__ != cls.__base__.__doc__
    run_examples(cls.__doc__, name)


@pytest.mark.parametrize(("cls", "name"), MEMBERS)
def test_members_are_documented(cls, name):
    member = vars(getattr(_strictarray, cls))[name]
    assert member.__doc__.strip()


def is_method(cls, name):
    """`__array_ufunc__` is a descriptor that gives None."""
    cls = getattr(_strictarray, cls)
    return inspect.ismethoddescriptor(vars(cls)[name]) and getattr(cls, name) is not None


@pytest.mark.parametrize(("cls", "name"), [m for m in MEMBERS if is_method(*m)])
def test_members_have_signatures(cls, name):
    parameters = list(inspect.signature(getattr(getattr(_strictarray, cls), name)).parameters)
    assert parameters[0] == "self"


def test_the_module_is_documented():
    """What has no docstring of its own stands in the module's: constants, data types, devices."""
    standard = load_json("standard.json")["draft"]
    assert _strictarray.__doc__.strip()
    for name in [*standard["constants"], *DTYPES, *(set(xp.__all__) - set(standard["functions"]))]:
        assert f"``{name}``" in xp.__doc__, name


@pytest.mark.parametrize("name", EXTENSIONS)
def test_extensions_are_documented(name):
    module = getattr(xp, name)
    assert module.__name__ == module.__spec__.name == f"strictarray.{name}"
    assert "extension of the array API standard" in module.__doc__


# The operators, with the functions that they call.
OPERATORS = """
    abs:abs add:add and:bitwise_and eq:equal floordiv:floor_divide ge:greater_equal gt:greater invert:bitwise_invert
    le:less_equal lshift:bitwise_left_shift lt:less matmul:matmul mod:remainder mul:multiply ne:not_equal neg:negative
    or:bitwise_or pos:positive pow:pow rshift:bitwise_right_shift sub:subtract truediv:divide xor:bitwise_xor
""".split()
CONVERSIONS = {"__bool__": "bool(x)", "__complex__": "complex(x)", "__float__": "float(x)", "__int__": "int(x)"}
CONVERSIONS |= {"__index__": "operator.index(x)", "__getitem__": "x[key]", "__setitem__": "x[key] = value"}
DOCUMENTED_METHODS = ["__array_namespace__", "__dlpack__", "__dlpack_device__", "to_device"]


def test_the_class_of_arrays_tells_what_its_operators_do():
    """Python gives the slots of a class docstrings of its own."""
    text = " ".join(type(xp.zeros(1)).__doc__.split())
    methods = {f"__{name}__" for name, _ in (each.split(":") for each in OPERATORS)}
    assert methods | {*CONVERSIONS, *DOCUMENTED_METHODS} == set(load_json("standard.json")["draft"]["array_methods"])
    for _, name in (each.split(":") for each in OPERATORS):
        assert re.search(rf"` (is )?{name}[,;.]", text), name
    assert all(f"`{each}`" in text for each in CONVERSIONS.values())


@pytest.mark.parametrize(
    ("owner", "name"),
    [
        *((type(xp.zeros(1)), name) for name in ("__array_namespace__", "to_device")),
        *((type(xp.__array_namespace_info__()), name) for name in ("capabilities", "default_device", "default_dtypes")),
        *((type(xp.__array_namespace_info__()), name) for name in ("devices", "dtypes")),
        *((xp, name) for name in OWN_FUNCTIONS),
    ],
)
def test_methods_and_own_functions_are_documented_as_functions_are(owner, name):
    function = getattr(owner, name)
    text = function.__doc__
    assert run_examples(text, name) > 0
    parameters = [p for p in inspect.signature(function).parameters if p != "self"]
    assert all(f"\n{parameter} : " in text for parameter in parameters)
    assert ("\nRaises\n" in text) == bool(parameters)
    assert "\nReturns\n" in text or name.startswith(("set_", "reset_"))


GPU = xp.Device("device1")
INFO = xp.__array_namespace_info__()
REFUSED_BY_METHODS = [
    (xp.zeros(1).__array_namespace__, {"api_version": 2025}),
    (xp.zeros(1).__array_namespace__, {"api_version": "2020.12"}),
    (xp.zeros(1).__dlpack__, {"dl_device": (2, 0)}),
    (xp.zeros(1).__dlpack__, {"stream": 1}),
    (xp.zeros(1).__dlpack__, {"max_version": 1}),
    (xp.zeros(1, device=GPU).__dlpack__, {}),
    (xp.broadcast_to(xp.zeros(1), (3,)).__dlpack__, {}),
    (INFO.default_dtypes, {"device": "device1"}),
    (INFO.dtypes, {"device": "device1"}),
    (INFO.dtypes, {"kind": "integer"}),
    (xp.set_array_api_strict_flags, {"api_version": 2025}),
    (xp.set_array_api_strict_flags, {"api_version": "2020.12"}),
    (xp.set_array_api_strict_flags, {"boolean_indexing": 1.5}),
    (xp.set_array_api_strict_flags, {"enabled_extensions": ("special",)}),
    (xp.Device, {"device": "device9"}),
    (xp.Device, {"device": 1}),
    (lambda **kwargs: xp.zeros(1).to_device("device1", **kwargs), {}),
    (lambda **kwargs: xp.zeros(1).to_device(GPU, **kwargs), {"stream": 1}),
    (lambda: xp.zeros(1).to_device(xp.Device("no_float64")), {}),
]


@pytest.mark.parametrize(("function", "kwargs"), REFUSED_BY_METHODS)
def test_what_methods_and_own_functions_refuse_is_documented(function, kwargs):
    with pytest.raises(Exception) as caught:
        function(**kwargs)
    documented = xp.zeros(1).to_device if function.__name__ == "<lambda>" else function
    text = " ".join(documented.__doc__.split("\nRaises\n")[1].split())
    assert f"[{caught.value.rule}]" in text
    # The last heading before the rule is its exception.
    headings = re.findall(r"\b[A-Z][A-Za-z]*Error\b", text[: text.index(f"[{caught.value.rule}]")])
    assert headings[-1] == type(caught.value).__name__


def test_own_functions_say_what_they_take():
    text = xp.set_array_api_strict_flags.__doc__
    for parameter in inspect.signature(xp.set_array_api_strict_flags).parameters:
        assert f"\n{parameter} : " in text
