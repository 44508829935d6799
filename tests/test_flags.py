"""Flags: process-wide, and context-local inside blocks."""

import asyncio
import contextvars
import gc
import pickle
import threading

import pytest

import strictarray as xp

FIELDS = ("api_version", "boolean_indexing", "data_dependent_shapes", "enabled_extensions")
DEFAULT = ("2025.12", True, True, ("linalg", "fft"))
Flags = xp.ArrayAPIStrictFlags


def current():
    flags = xp.get_array_api_strict_flags()
    assert tuple(flags) == FIELDS
    return tuple(flags.values())


def version():
    return xp.get_array_api_strict_flags()["api_version"]


def in_thread(function, *args):
    """What a function gives in a new thread."""
    results = []
    thread = threading.Thread(target=lambda: results.append(function(*args)))
    thread.start()
    thread.join()
    return results[0]


def close(block):
    block.__exit__(None, None, None)


class OpenElsewhere:
    """Another thread has a block open: flags are read from the context, not by the shortcut."""

    def __init__(self, is_open):
        self.is_open = is_open

    def __enter__(self):
        if self.is_open:
            entered, self.leave = threading.Event(), threading.Event()
            self.thread = threading.Thread(target=self.hold, args=(entered,))
            self.thread.start()
            entered.wait()

    def hold(self, entered):
        with Flags(api_version="2021.12"):
            entered.set()
            self.leave.wait()

    def __exit__(self, *exc):
        if self.is_open:
            self.leave.set()
            self.thread.join()


@pytest.fixture(params=[False, True], ids=["alone", "a block is open elsewhere"], autouse=True)
def elsewhere(request):
    """Every test twice: what another thread has open must not matter."""
    with OpenElsewhere(request.param):
        yield


def test_defaults():
    assert current() == DEFAULT


def test_set_and_reset_act_process_wide_without_a_block():
    xp.set_array_api_strict_flags(api_version="2022.12", boolean_indexing=False)
    assert current() == ("2022.12", False, True, ("linalg", "fft"))
    assert in_thread(current) == current()
    xp.set_array_api_strict_flags(data_dependent_shapes=False, enabled_extensions=["fft"])
    assert current() == ("2022.12", False, False, ("fft",))
    xp.reset_array_api_strict_flags()
    assert current() == DEFAULT
    assert in_thread(current) == DEFAULT


def test_what_a_thread_sets_is_process_wide():
    in_thread(lambda: xp.set_array_api_strict_flags(api_version="2023.12"))
    assert version() == "2023.12"


def test_a_block_changes_what_it_names():
    xp.set_array_api_strict_flags(boolean_indexing=False)
    with Flags(api_version="2022.12") as nothing:
        assert nothing is None
        assert current() == ("2022.12", False, True, ("linalg", "fft"))
    assert current() == ("2025.12", False, True, ("linalg", "fft"))


def test_nested_blocks():
    with Flags(api_version="2022.12"):
        with Flags(boolean_indexing=False):
            assert current() == ("2022.12", False, True, ("linalg", "fft"))
            with Flags(api_version="2021.12", boolean_indexing=True):
                assert current() == ("2021.12", True, True, ("linalg",))
            assert current() == ("2022.12", False, True, ("linalg", "fft"))
        assert current() == ("2022.12", True, True, ("linalg", "fft"))
    assert current() == DEFAULT


def test_set_and_reset_act_on_the_innermost_block():
    with Flags(api_version="2022.12"):
        with Flags(boolean_indexing=False):
            xp.set_array_api_strict_flags(api_version="2021.12", data_dependent_shapes=False)
            assert current() == ("2021.12", False, False, ("linalg",))
            assert in_thread(current) == DEFAULT
        assert current() == ("2022.12", True, True, ("linalg", "fft"))
        xp.reset_array_api_strict_flags()
        assert current() == DEFAULT
        xp.set_array_api_strict_flags(api_version="2023.12")
        assert in_thread(current) == DEFAULT
    assert current() == DEFAULT


def test_a_block_does_not_see_what_is_set_process_wide_meanwhile():
    with Flags(boolean_indexing=False):
        in_thread(lambda: xp.set_array_api_strict_flags(api_version="2023.12"))
        assert version() == "2025.12"
    assert version() == "2023.12"


def test_an_exception_ends_a_block():
    with pytest.raises(ZeroDivisionError):
        with Flags(api_version="2022.12"):
            1 / 0
    assert current() == DEFAULT


@pytest.mark.parametrize("rounds", [1, 2])
def test_blocks_end_out_of_order(rounds):
    for _ in range(rounds):
        a, b, c = Flags(api_version="2022.12"), Flags(boolean_indexing=False), Flags(api_version="2023.12")
        for block in (a, b, c):
            block.__enter__()
        close(a)
        assert current() == ("2023.12", False, True, ("linalg", "fft"))
        close(c)
        assert current() == ("2022.12", False, True, ("linalg", "fft"))
        close(b)
        assert current() == DEFAULT
    # Nothing comes back when somebody else opens a block.
    with OpenElsewhere(True):
        assert current() == DEFAULT


def test_one_block_object_opened_more_than_once():
    block = Flags(api_version="2022.12")
    with block, block:
        with Flags(api_version="2023.12"):
            assert version() == "2023.12"
        assert version() == "2022.12"
    assert current() == DEFAULT
    with block:
        assert version() == "2022.12"


def test_one_block_object_in_two_threads():
    """Each ends its own: the order among threads does not matter."""
    block, outer = Flags(boolean_indexing=False), Flags(api_version="2022.12")
    entered, leave = threading.Event(), threading.Event()

    def other():
        with block:
            entered.set()
            leave.wait()

    with outer:
        block.__enter__()
        thread = threading.Thread(target=other)
        thread.start()
        entered.wait()
        close(block)
        assert current() == ("2022.12", True, True, ("linalg", "fft"))
        leave.set()
        thread.join()
        assert version() == "2022.12"
    assert current() == DEFAULT


def test_a_block_that_is_not_open():
    block = Flags(api_version="2022.12")
    with pytest.raises(ValueError, match="entered before it ends") as e:
        close(block)
    assert e.value.rule
    with block:
        pass
    with pytest.raises(ValueError, match="entered before it ends"):
        close(block)
    assert current() == DEFAULT


def test_a_block_that_ended_elsewhere_can_still_end_here():
    block = Flags(api_version="2021.12")
    block.__enter__()
    thread = threading.Thread(target=block.__exit__, args=(None, None, None))
    thread.start()
    thread.join()
    assert current()[0] == "2021.12"
    block.__exit__(None, None, None)
    assert current() == DEFAULT
    with pytest.raises(ValueError):
        block.__exit__(None, None, None)


def test_a_block_that_ends_in_another_context():
    """As a fixture's does whose two halves run in contexts of their own: it ends, and changes nothing there."""
    block = Flags(api_version="2022.12")
    contextvars.copy_context().run(block.__enter__)
    assert current() == DEFAULT
    with Flags(api_version="2023.12"):
        close(block)
        assert version() == "2023.12"
    assert current() == DEFAULT


def test_new_threads_see_process_wide_values():
    xp.set_array_api_strict_flags(api_version="2024.12")
    with Flags(api_version="2022.12"):
        assert in_thread(version) == "2024.12"


def test_copied_contexts_keep_their_blocks():
    with Flags(api_version="2022.12"):
        context = contextvars.copy_context()
    assert version() == "2025.12"
    assert context.run(version) == "2022.12"
    context.run(xp.set_array_api_strict_flags, api_version="2023.12")
    assert (version(), context.run(version)) == ("2025.12", "2023.12")
    del context
    gc.collect()
    assert current() == DEFAULT


def test_asyncio_tasks_are_apart():
    async def task(name, gates, seen):
        with Flags(api_version=name):
            gates[0].set()
            await gates[1].wait()
            seen.append((name, version()))
            xp.set_array_api_strict_flags(boolean_indexing=False)
        seen.append((name, version()))

    async def main():
        seen = []
        first, second = asyncio.Event(), asyncio.Event()
        third = asyncio.Event()
        with Flags(data_dependent_shapes=False):
            tasks = [
                asyncio.create_task(task("2022.12", (first, second), seen)),
                asyncio.create_task(task("2023.12", (second, third), seen)),
            ]
        await first.wait()
        await second.wait()
        assert current() == DEFAULT
        third.set()
        await asyncio.gather(*tasks)
        return seen

    seen = asyncio.run(main())
    # After its own block each is back in what was open when it was made.
    assert sorted(seen) == [
        ("2022.12", "2022.12"),
        ("2022.12", "2025.12"),
        ("2023.12", "2023.12"),
        ("2023.12", "2025.12"),
    ]
    assert current() == DEFAULT


def test_a_block_decides_what_the_namespace_has():
    x = xp.asarray([True, False])
    assert "isdtype" in dir(xp)
    with Flags(api_version="2021.12", boolean_indexing=False):
        assert not hasattr(xp, "isdtype")
        assert "isdtype" not in dir(xp)
        assert xp.__array_api_version__ == "2021.12"
        with pytest.raises(RuntimeError, match="boolean_indexing"):
            x[x]
        assert in_thread(hasattr, xp, "isdtype")
    assert hasattr(xp, "isdtype")
    assert x[x].shape == (1,)
    xp.set_array_api_strict_flags(api_version="2021.12")
    assert not hasattr(xp, "isdtype")
    with Flags(api_version="2022.12"):
        assert hasattr(xp, "isdtype")
        assert not in_thread(hasattr, xp, "isdtype")
    assert not hasattr(xp, "isdtype")


SETTERS = {"set": xp.set_array_api_strict_flags, "block": Flags}


@pytest.mark.parametrize("setter", SETTERS.values(), ids=SETTERS)
@pytest.mark.parametrize(
    ("kwargs", "error", "rule"),
    [
        ({"api_version": 2022.12}, TypeError, "version-type"),
        ({"api_version": b"2022.12"}, TypeError, "version-type"),
        ({"api_version": "2022.11"}, ValueError, "unknown-version"),
        ({"api_version": "draft"}, ValueError, "unknown-version"),
        ({"boolean_indexing": 1}, TypeError, "flag-type"),
        ({"boolean_indexing": "yes"}, TypeError, "flag-type"),
        ({"data_dependent_shapes": 0}, TypeError, "flag-type"),
        ({"enabled_extensions": "linalg"}, TypeError, "flag-type"),
        ({"enabled_extensions": ["linalg", "optim"]}, ValueError, "flag-value"),
        ({"enabled_extensions": [1]}, ValueError, "flag-value"),
        ({"enabled_extensions": 1}, TypeError, "flag-type"),
    ],
    ids=str,
)
def test_wrong_values(setter, kwargs, error, rule):
    with pytest.raises(error) as e:
        setter(**kwargs)
    (argument,) = kwargs
    assert (e.value.rule, e.value.argument) == (rule, argument)
    assert argument in str(e.value)
    assert current() == DEFAULT


def test_an_extension_that_the_version_lacks():
    with pytest.raises(ValueError, match="enabled_extensions") as e:
        xp.set_array_api_strict_flags(api_version="2021.12", enabled_extensions=["fft"])
    assert (e.value.rule, e.value.argument) == ("flag-value", "enabled_extensions")
    assert current() == DEFAULT
    # A block knows the version only when it is entered.
    block = Flags(enabled_extensions=["fft"])
    with Flags(api_version="2021.12"):
        with pytest.raises(ValueError, match="enabled_extensions"):
            block.__enter__()
        assert version() == "2021.12"
    with pytest.raises(ValueError, match="entered before it ends"):
        close(block)


def test_wrong_argument_lists():
    for setter in SETTERS.values():
        with pytest.raises(TypeError):
            setter("2022.12")
        with pytest.raises(TypeError):
            setter(version="2022.12")
    with pytest.raises(TypeError):
        pickle.dumps(Flags())


def test_extensions_follow_the_version_until_they_are_chosen():
    xp.set_array_api_strict_flags(api_version="2021.12")
    assert current()[3] == ("linalg",)
    xp.set_array_api_strict_flags(api_version="2022.12")
    assert current()[3] == ("linalg", "fft")
    xp.set_array_api_strict_flags(enabled_extensions=())
    xp.set_array_api_strict_flags(api_version="2025.12")
    assert current()[3] == ()
