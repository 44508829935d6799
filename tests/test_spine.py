"""What later work builds on: hooks and modes added from outside, without touching a kernel; counts of arrays and exports."""

import asyncio
import contextlib
import contextvars
import gc
import operator
import threading
import weakref

import numpy as np
import pytest

import strictarray as xp
from strictarray import _strictarray as spine

BINARY = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "truediv": operator.truediv,
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "pow": operator.pow,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "lshift": operator.lshift,
    "rshift": operator.rshift,
}
IN_PLACE = {name: getattr(operator, f"i{name}") for name in BINARY}
COMPARE = {name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")}
UNARY = {"abs": operator.abs, "neg": operator.neg, "pos": operator.pos, "invert": operator.invert}


@contextlib.contextmanager
def hook(before=None, after=None):
    number = spine._add_hook(before=before, after=after)
    try:
        yield number
    finally:
        spine._remove_hook(number)


@contextlib.contextmanager
def recording():
    """The calls as (name, args), and what came of each."""
    calls = []
    with hook(after=lambda name, args, kwargs, modes, result: calls.append((name, args, result))):
        yield calls


def same(args, expected):
    """The very objects."""
    return len(args) == len(expected) and all(a is b for a, b in zip(args, expected, strict=True))


def operand(name, value=3):
    return xp.asarray([value], dtype=xp.float64 if name == "truediv" else xp.int64)


def dummy_mode():
    """A mode as later work registers one. Registering again gives the same bits."""
    shift = spine._register_mode("test_spine", 2)
    assert spine._register_mode("test_spine", 2) == shift
    return shift


# --- hooks ----------------------------------------------------------------------------------------------------------


def test_a_hook_sees_functions_before_and_after():
    x = xp.asarray([1, 2])
    events = []
    with hook(
        before=lambda *call: events.append(("before", *call)), after=lambda *call: events.append(("after", *call))
    ):
        y = xp.add(x, 1)
        z = xp.zeros(3, dtype=xp.int8)
    (first, name, args, kwargs, modes), (second, *seen, result), *rest = events
    assert (first, second, name) == ("before", "after", "add")
    assert same(args, (x, 1))
    assert isinstance(modes, dict)
    assert seen == [name, args, kwargs, modes]
    assert result is y
    assert kwargs == {}
    assert [(event, name, args, kwargs) for event, name, args, kwargs, *_ in rest] == [
        ("before", "zeros", (3,), {"dtype": xp.int8}),
        ("after", "zeros", (3,), {"dtype": xp.int8}),
    ]
    assert rest[1][-1] is z


@pytest.mark.parametrize("name", BINARY)
def test_a_hook_sees_binary_operators(name):
    x, y = operand(name), operand(name, 1)
    with recording() as calls:
        forward = BINARY[name](x, y)
        reflected = BINARY[name](2, x)
        place = IN_PLACE[name](x, y)
    assert place is x
    assert [call[0] for call in calls] == [f"__{name}__", f"__r{name}__", f"__i{name}__"]
    assert all(same(call[1], args) for call, args in zip(calls, [(x, y), (x, 2), (x, y)], strict=True))
    assert calls[0][2] is forward
    assert calls[1][2] is reflected
    assert calls[2][2] is x


def test_a_hook_sees_matmul():
    x, y = xp.ones((2, 2)), xp.ones((2, 2))
    with recording() as calls:
        x @ y
        x @= y
        xp.matmul(x, y)
    assert [name for name, *_ in calls] == ["__matmul__", "__imatmul__", "matmul"]


@pytest.mark.parametrize("name", COMPARE)
def test_a_hook_sees_comparisons(name):
    x, y = operand(name), operand(name, 1)
    with recording() as calls:
        result = COMPARE[name](x, y)
    ((seen, args, got),) = calls
    assert seen == f"__{name}__"
    assert same(args, (x, y))
    assert got is result


@pytest.mark.parametrize("name", UNARY)
def test_a_hook_sees_unary_operators(name):
    x = operand(name)
    with recording() as calls:
        result = UNARY[name](x)
    ((seen, args, got),) = calls
    assert seen == f"__{name}__"
    assert same(args, (x,))
    assert got is result


def test_a_hook_sees_indexing():
    x = xp.asarray([1, 2, 3])
    key, mask = slice(1, None), xp.asarray([True, False, True])
    with recording() as calls:
        view = x[key]
        x[0] = 5
        x[mask] = 7
    assert [name for name, *_ in calls] == ["__getitem__", "__setitem__", "__setitem__"]
    assert same(calls[0][1], (x, key))
    assert calls[0][2] is view
    assert same(calls[1][1], (x, 0, 5))
    assert same(calls[2][1], (x, mask, 7))
    assert calls[1][2] is None


def test_a_versioned_namespace_is_seen_too():
    old = xp.ones(1).__array_namespace__(api_version="2022.12")
    with recording() as calls:
        old.ones(2)
    assert [name for name, *_ in calls] == ["ones"]


def test_after_may_replace_a_result():
    x = xp.asarray([1, 2])
    with hook(
        after=lambda name, args, kwargs, modes, result: "instead" if name in {"add", "__mul__", "__getitem__"} else None
    ):
        assert xp.add(x, 1) == "instead"
        assert x * 2 == "instead"
        assert x[0] == "instead"
        assert isinstance(xp.subtract(x, 1), type(x))


def test_hooks_run_in_the_order_in_which_they_were_added():
    x = xp.asarray(1)
    with (
        hook(after=lambda name, args, kwargs, modes, result: "a"),
        hook(after=lambda name, args, kwargs, modes, result: result + "b"),
    ):
        assert xp.add(x, 1) == "ab"


def test_before_may_stop_a_call():
    class Stop(Exception):
        pass

    def stop(name, args, kwargs, modes):
        raise Stop(name)

    x = xp.asarray([1, 2])
    seen = []
    with hook(before=stop, after=lambda *call: seen.append(call)):
        for call in (
            lambda: xp.add(x, 1),
            lambda: x + 1,
            lambda: 1 + x,
            lambda: operator.iadd(x, 1),
            lambda: -x,
            lambda: x == 1,
            lambda: x[0],
            lambda: operator.setitem(x, 0, 5),
        ):
            with pytest.raises(Stop):
                call()
    assert not seen
    np.testing.assert_array_equal(np.asarray(x), [1, 2])


def test_an_exception_of_after_is_passed_on():
    def fail(name, args, kwargs, modes, result):
        raise LookupError(name)

    with hook(after=fail), pytest.raises(LookupError, match="zeros"):
        xp.zeros(1)


def test_a_refused_call_has_no_after():
    seen = []
    x, y = xp.asarray(1), xp.asarray(1.5)
    with hook(before=lambda *call: seen.append(call), after=lambda *call: seen.append(call)):
        with pytest.raises(TypeError) as e:
            xp.add(x, y)
    assert e.value.rule == "promotion"
    assert [call[0] for call in seen] == ["add"]


def test_a_hook_may_compute():
    """It sees its own calls too, and says itself when to stop."""
    depth = []

    def before(name, args, kwargs, modes):
        depth.append(name)
        if name == "add" and len(depth) < 10:
            xp.add(*args)

    x = xp.asarray(1)
    with hook(before=before):
        xp.add(x, 1)
    assert depth == ["add"] * 10


def test_a_hook_may_remove_itself_and_others():
    numbers = []

    def before(name, args, kwargs, modes):
        for number in numbers:
            assert spine._remove_hook(number)
        numbers.clear()

    x = xp.asarray(1)
    numbers.extend([spine._add_hook(before=before), spine._add_hook(after=lambda *call: "last")])
    # The call that is under way goes on with the hooks that it began with.
    assert xp.add(x, 1) == "last"
    assert int(xp.add(x, 1)) == 2


def test_removal_leaves_nothing_behind():
    x = xp.asarray([1])

    class Watch:
        def __call__(self, *call):
            return "seen"

    watch = Watch()
    gone = weakref.ref(watch)
    number = spine._add_hook(after=watch)
    assert x + 1 == "seen"
    assert spine._remove_hook(number) is True
    assert spine._remove_hook(number) is False
    assert int((x + 1)[0]) == 2
    del watch
    gc.collect()
    assert gone() is None


def test_numbers_are_not_used_again():
    first = spine._add_hook()
    spine._remove_hook(first)
    with hook(after=lambda *call: "kept"):
        assert not spine._remove_hook(first)
        assert xp.zeros(1) == "kept"


def test_the_destructor_of_a_hook_may_change_hooks():
    class Watch:
        def __call__(self, *call):
            return None

        def __del__(self):
            spine._remove_hook(spine._add_hook())

    spine._remove_hook(spine._add_hook(before=Watch()))
    assert xp.zeros(1).shape == (1,)


def test_hooks_see_calls_of_every_thread():
    x = xp.asarray([1.0])
    with recording() as calls:
        threads = [threading.Thread(target=lambda: [x + 1 for _ in range(100)]) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(calls) == 400


@contextlib.contextmanager
def everything():
    """Every call, as (name, args, kwargs, what came of it): a result or an exception."""
    calls = []

    def note(name, args, kwargs, modes, outcome):
        calls.append((name, args, kwargs, outcome))

    number = spine._add_hook(after=note, failed=note)
    try:
        yield calls
    finally:
        spine._remove_hook(number)


def test_a_hook_sees_transfers():
    x, device = xp.asarray([1.0]), xp.Device("device1")
    with everything() as calls:
        y = x.to_device(device)
        with pytest.raises(ValueError):
            x.to_device(device, stream=1)
    (name, args, kwargs, result), (again, _, keywords, error) = calls
    assert (name, kwargs, again, keywords) == ("to_device", {}, "to_device", {"stream": 1})
    assert same(args, (x, device))
    assert result is y
    assert error.rule == "stream"


CONVERSIONS = {
    "__bool__": (bool, True),
    "__int__": (int, 3),
    "__float__": (float, 3.0),
    "__complex__": (complex, 3 + 0j),
    "__index__": (operator.index, 3),
}


@pytest.mark.parametrize("name", CONVERSIONS)
def test_a_hook_sees_reads_by_the_host(name):
    convert, value = CONVERSIONS[name]
    x, many = xp.asarray(3), xp.asarray([3, 4])
    with everything() as calls:
        assert convert(x) == value
        with pytest.raises(TypeError) as e:
            convert(many)
    assert [call[0] for call in calls] == [name, name]
    assert same(calls[0][1], (x,)) and same(calls[1][1], (many,))
    assert calls[0][3] == value and type(calls[0][3]) is type(value)
    assert calls[1][3] is e.value
    with hook(after=lambda seen, *rest: type(value)(7) if seen == name else None):
        assert convert(x) == type(value)(7)
    with hook(after=lambda seen, *rest: "seven" if seen == name else None), pytest.raises(TypeError):
        convert(x)


def test_a_hook_sees_iteration():
    x, matrix = xp.asarray([1, 2]), xp.zeros((2, 2))
    with everything() as calls:
        assert len(list(x)) == 2
        with pytest.raises(TypeError) as e:
            iter(matrix)
    assert [call[0] for call in calls] == ["__iter__", "__iter__"]
    assert same(calls[0][1], (x,)) and same(calls[1][1], (matrix,))
    assert calls[1][3] is e.value


def test_a_hook_sees_exchanges():
    x, far = xp.asarray([1.0, 2.0]), xp.asarray([1.0], device=xp.Device("device1"))
    with everything() as calls:
        capsule = x.__dlpack__(max_version=(1, 0))
        with pytest.raises(BufferError) as e:
            far.__dlpack__()
        device = x.__dlpack_device__()
        memoryview(x)
        with pytest.raises(BufferError) as b:
            memoryview(far)
    assert [(name, args[0] is x, kwargs) for name, args, kwargs, outcome in calls] == [
        ("__dlpack__", True, {"max_version": (1, 0)}),
        ("__dlpack__", False, {}),
        ("__dlpack_device__", True, {}),
        ("__buffer__", True, {}),
        ("__buffer__", False, {}),
    ]
    assert [outcome for *_, outcome in calls] == [capsule, e.value, device, None, b.value]
    with everything() as calls:
        assert np.from_dlpack(x)[1] == np.asarray(x)[1] == 2.0
    assert {"__dlpack__", "__buffer__"} <= {call[0] for call in calls}


def test_a_hook_that_raises_gives_a_buffer_back():
    x = xp.asarray([1.0, 2.0])

    def fail(name, *rest):
        raise LookupError(name)

    for how in ("before", "after"):
        with hook(**{how: fail}), pytest.raises(LookupError, match="__buffer__"):
            memoryview(x)
    assert spine._counts(x) == (1, 0)
    memoryview(x).release()
    assert spine._counts(x) == (1, 0)


# {name: a call that is refused, its rule}
REFUSED = {
    "add": (lambda x, i: xp.add(x, i), "promotion"),
    "sum": (lambda x, i: xp.sum(x, axis=9), "axis"),
    "zeros": (lambda x, i: xp.zeros([2]), "shape-type"),
    "sin": (lambda x, i: xp.sin(), "arguments"),
    "cos": (lambda x, i: xp.cos(x, out=x), "arguments"),
    "__add__": (lambda x, i: x + i, "promotion"),
    "__radd__": (lambda x, i: 1j + i, "scalar-kind"),
    "__iadd__": (lambda x, i: operator.iadd(i, x), "promotion"),
    "__neg__": (lambda x, i: -xp.asarray(True), "dtype-kind"),
    "__eq__": (lambda x, i: x == np.ones(2), "foreign-comparison"),
    "__getitem__": (lambda x, i: x[7], "index-bounds"),
    "__setitem__": (lambda x, i: operator.setitem(i, 0, 1.5), "assign-dtype"),
    "__delitem__": (lambda x, i: operator.delitem(x, 0), "deletion"),
    "__contains__": (lambda x, i: 1.0 in x, "contains"),
    "__hash__": (lambda x, i: hash(x), "hash"),
    "__float__": (lambda x, i: float(xp.asarray(1j)), "scalar-conversion-kind"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_hook_sees_refusals(name):
    call, rule = REFUSED[name]
    x, i = xp.asarray([1.0, 2.0]), xp.asarray([1, 2])
    with everything() as calls, pytest.raises((TypeError, ValueError, IndexError)) as e:
        call(x, i)
    seen, args, kwargs, error = calls[-1]
    assert seen == name
    assert error is e.value
    assert e.value.rule == rule
    assert (name == "cos") == ("out" in kwargs)


def test_a_hook_sees_what_an_operator_declines():
    x = xp.asarray([1.0, 2.0])

    class Other:
        def __radd__(self, other):
            return "theirs"

    other = Other()
    with everything() as calls:
        assert x + other == "theirs"
        assert (x == None) is False  # noqa: E711
        with pytest.raises(TypeError):
            x += object()
    assert [(name, outcome) for name, args, kwargs, outcome in calls] == [
        ("__add__", NotImplemented),
        ("__eq__", NotImplemented),
        ("__add__", NotImplemented),
    ]


def test_a_call_of_a_later_version_is_seen():
    later = xp.clip
    with everything() as calls, xp.ArrayAPIStrictFlags(api_version="2022.12"), pytest.raises(AttributeError) as e:
        later(xp.asarray(1), 0)
    assert [(name, outcome) for name, args, kwargs, outcome in calls if name == "clip"] == [("clip", e.value)]
    assert e.value.rule == "later-name"


def test_a_call_that_a_hook_stopped_has_not_failed():
    def stop(*call):
        raise LookupError

    with hook(before=stop), everything() as calls, pytest.raises(LookupError):
        xp.zeros(1)
    assert not calls


def test_an_exception_of_failed_is_passed_on():
    def fail(name, args, kwargs, modes, exception):
        raise LookupError(name) from exception

    number = spine._add_hook(failed=fail)
    try:
        with pytest.raises(LookupError, match="add") as e:
            xp.add(xp.asarray(1), xp.asarray(1.0))
    finally:
        spine._remove_hook(number)
    assert e.value.__cause__.rule == "promotion"


# --- modes ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def doubling():
    """A hook that a mode switches: in the mode, the result of `add` is doubled as often as the mode says."""
    dummy_mode()

    def after(name, args, kwargs, modes, result):
        times = modes["test_spine"]
        if name == "add" and times:
            return result * (1 + times)
        return None

    with hook(after=after):
        yield lambda: int(xp.add(xp.asarray(1), 1))


def test_a_mode_holds_in_its_block_only(doubling):
    assert doubling() == 2
    with spine._mode("test_spine", 1):
        assert doubling() == 4
        with spine._mode("test_spine", 2):
            assert doubling() == 6
            with spine._mode("test_spine", 0):
                assert doubling() == 2
            assert doubling() == 6
        assert doubling() == 4
    assert doubling() == 2


def test_a_mode_ends_with_an_exception(doubling):
    with pytest.raises(ZeroDivisionError):
        with spine._mode("test_spine", 1):
            1 / 0
    assert doubling() == 2


def test_modes_end_out_of_order(doubling):
    a, b = spine._mode("test_spine", 1), spine._mode("test_spine", 2)
    a.__enter__()
    b.__enter__()
    a.__exit__(None, None, None)
    assert doubling() == 6
    b.__exit__(None, None, None)
    assert doubling() == 2


def test_a_mode_and_flags_are_apart(doubling):
    with spine._mode("test_spine", 1):
        with xp.ArrayAPIStrictFlags(boolean_indexing=False):
            assert doubling() == 4
            xp.reset_array_api_strict_flags()
            assert doubling() == 4
        xp.set_array_api_strict_flags(api_version="2022.12")
        assert xp.get_array_api_strict_flags()["api_version"] == "2022.12"
    assert xp.get_array_api_strict_flags()["api_version"] == "2025.12"
    assert "test_spine" not in xp.get_array_api_strict_flags()


def test_two_modes_do_not_touch_each_other():
    dummy_mode()
    spine._register_mode("test_spine_other", 3)
    seen = []
    with hook(before=lambda name, args, kwargs, modes: seen.append((modes["test_spine"], modes["test_spine_other"]))):
        with spine._mode("test_spine", 3), spine._mode("test_spine_other", 5):
            xp.zeros(1)
            with spine._mode("test_spine", 0):
                xp.zeros(1)
        xp.zeros(1)
    assert seen == [(3, 5), (0, 5), (0, 0)]


def test_threads_do_not_see_a_mode(doubling):
    results = []
    with spine._mode("test_spine", 1):
        thread = threading.Thread(target=lambda: results.append(doubling()))
        thread.start()
        thread.join()
        results.append(doubling())
    assert results == [2, 4]


def test_threads_have_modes_of_their_own(doubling):
    barrier = threading.Barrier(3)
    results = {}

    def work(value):
        with spine._mode("test_spine", value):
            barrier.wait()
            results[value] = [doubling() for _ in range(100)]
            barrier.wait()

    threads = [threading.Thread(target=work, args=(value,)) for value in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {0: [2] * 100, 1: [4] * 100, 2: [6] * 100}
    assert doubling() == 2


def test_asyncio_tasks_have_modes_of_their_own(doubling):
    async def work(value):
        with spine._mode("test_spine", value):
            results = []
            for _ in range(3):
                await asyncio.sleep(0)
                results.append(doubling())
        return [*results, doubling()]

    async def main():
        with spine._mode("test_spine", 3):
            return await asyncio.gather(*(work(value) for value in range(3)))

    assert asyncio.run(main()) == [[2, 2, 2, 8], [4, 4, 4, 8], [6, 6, 6, 8]]
    assert doubling() == 2


def test_a_copied_context_keeps_the_mode(doubling):
    with spine._mode("test_spine", 1):
        context = contextvars.copy_context()
    assert doubling() == 2
    assert context.run(doubling) == 4


@pytest.mark.parametrize(("name", "value"), [("test_spine", 4), ("no such mode", 0)])
def test_wrong_modes(name, value):
    dummy_mode()
    with pytest.raises(ValueError, match=name):
        spine._mode(name, value)


@pytest.mark.parametrize("bits", [0, 9, 33, 2**32 - 1])
def test_wrong_bits(bits):
    with pytest.raises(ValueError, match="bits"):
        spine._register_mode(f"test_spine_{bits}", bits)


# --- counts ---------------------------------------------------------------------------------------------------------


def test_counts_of_arrays_and_exports():
    x = xp.zeros(4)
    assert spine._counts(x) == (1, 0)
    view = x[1:]
    assert spine._counts(x) == spine._counts(view) == (2, 0)
    capsule = x.__dlpack__()
    lent = memoryview(view)
    assert spine._counts(x) == (2, 2)
    lent.release()
    assert spine._counts(x) == (2, 1)
    del capsule
    assert spine._counts(x) == (2, 0)
    array = np.from_dlpack(x)
    assert spine._counts(x) == (2, 1)
    back = xp.from_dlpack(array)
    assert spine._counts(x) == (2, 1)
    del array, view, back
    assert spine._counts(x) == (1, 0)


def test_a_copy_has_counts_of_its_own():
    x = xp.zeros(4)
    y = xp.asarray(x, copy=True)
    assert spine._counts(x) == spine._counts(y) == (1, 0)
    with pytest.raises(TypeError):
        spine._counts(np.zeros(1))
