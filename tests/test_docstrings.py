"""Documentation: every public function says what it takes, gives and stems from, and its example runs."""

import doctest
import inspect

import pytest
from support import load_json

import strictarray as xp
from strictarray import _strictarray

FUNCTIONS = sorted(name for name in xp.__all__ if name in load_json("standard.json")["draft"]["functions"])
OWN_FUNCTIONS = ("get_array_api_strict_flags", "reset_array_api_strict_flags", "set_array_api_strict_flags")
CLASSES = sorted(name for name, value in vars(_strictarray).items() if isinstance(value, type))
# Python itself documents what these do; their slots have its texts.
MEMBERS = [
    (cls, name)
    for cls in CLASSES
    for name, value in sorted(vars(getattr(_strictarray, cls)).items(), key=lambda item: item[0])
    if callable(value) or inspect.isdatadescriptor(value)
    if name not in {"__new__", "__weakref__", "__dict__"}
]


def run_examples(text, name):
    """The examples of a text, run; how many there are."""
    test = doctest.DocTestParser().get_doctest(text, {"xp": xp}, name, None, 0)
    report = []
    results = doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    assert not results.failed, "".join(report)
    return results.attempted


def test_there_is_something_to_test():
    assert len(FUNCTIONS) > 40
    assert {"Array", "DType", "Device", "ArrayAPIStrictFlags", "NamespaceInfo"} <= set(CLASSES)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_sections_of_a_function(name):
    function = getattr(xp, name)
    text = function.__doc__
    summary = text.splitlines()[0]
    assert summary.endswith(".")
    assert len(summary) > 5
    parameters = inspect.signature(function).parameters
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
    assert f": {name} (since 20" in text[places[-1] :]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_example_of_a_function_runs(name):
    assert run_examples(getattr(xp, name).__doc__, name) > 0
    assert f"xp.{name}(" in getattr(xp, name).__doc__


@pytest.mark.parametrize("name", [*FUNCTIONS, *OWN_FUNCTIONS])
def test_signatures_are_known(name):
    function = getattr(xp, name)
    signature = inspect.signature(function)
    assert all(p.kind is not p.VAR_KEYWORD for p in signature.parameters.values())
    assert (function.__name__, function.__module__) == (name, "strictarray")
    assert function.__doc__.strip()


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


@pytest.mark.parametrize(
    ("cls", "name"), [m for m in MEMBERS if inspect.ismethoddescriptor(vars(getattr(_strictarray, m[0]))[m[1]])]
)
def test_members_have_signatures(cls, name):
    parameters = list(inspect.signature(getattr(getattr(_strictarray, cls), name)).parameters)
    assert parameters[0] == "self"


def test_the_module_is_documented():
    assert xp.__doc__.strip()
    assert _strictarray.__doc__.strip()


def test_own_functions_say_what_they_take():
    text = xp.set_array_api_strict_flags.__doc__
    for parameter in inspect.signature(xp.set_array_api_strict_flags).parameters:
        assert f"\n{parameter} : " in text
