"""tools/downstream: a toy suite on both packages, whose outcomes are known; and the faults that it must not let through."""

import io
import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))

from downstream import compare, listed, main, run, suites

import strictarray as xp

# What each test does on the genuine package and on the stand-in.
TOY = """
import os
import array_api_strict as xp
import pytest

GENUINE = hasattr(xp.add, "__code__")


@pytest.fixture
def torn():
    yield
    assert GENUINE, "teardown"


def test_alike():
    assert float(xp.sum(xp.ones(3))) == 3.0


def test_fails_alike():
    assert not "as on the other"


def helper(number):
    raise ValueError(f"got {number}")


@pytest.mark.parametrize("number", [3, 4.5])
def test_fails(number):
    if not GENUINE:
        helper(number)


def test_skips():
    if not GENUINE:
        pytest.skip("no reason")


def test_tears_down(torn):
    pass


def test_expected_to_fail():
    if not GENUINE:
        pytest.xfail("is not")


@pytest.mark.parametrize("only", [1] if GENUINE else [])
def test_here_only(only):
    pass


def test_repaired():
    assert not GENUINE


@pytest.mark.xfail(reason="it does not")
def test_unexpectedly_passes():
    pass

"""
FILE = "toy/tests/test_toy.py"
WORSE = {
    f"{FILE}::test_fails[3]": ("passed", "failed"),
    f"{FILE}::test_fails[4.5]": ("passed", "failed"),
    f"{FILE}::test_skips": ("passed", "skipped"),
    f"{FILE}::test_tears_down": ("passed", "error"),
    f"{FILE}::test_expected_to_fail": ("passed", "xfailed"),
    f"{FILE}::test_here_only[1]": ("passed", "missing"),
}


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """A suite in a site-packages folder of its own; a function that runs the tool on it."""
    site = tmp_path / "site"
    folder = site / "toy" / "tests"
    folder.mkdir(parents=True)
    for path in (site / "toy" / "__init__.py", folder / "__init__.py"):
        path.write_text("", encoding="utf-8")
    (folder / "test_toy.py").write_text(TOY, encoding="utf-8")
    monkeypatch.setattr(suites, "SITE", site)
    monkeypatch.setattr(suites, "SUITES", {"toy": suites.Suite("toy", "numpy", (), modules=("toy",))})
    monkeypatch.setattr(main, "LISTS", tmp_path / "lists")
    monkeypatch.setenv("PYTHONPATH", str(site))
    monkeypatch.delenv("STRICTARRAY_COMPAT", raising=False)
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists" / "known.toml").write_text("", encoding="utf-8")

    def call(*words):
        return main.main([*words, "--results", str(tmp_path / "results"), "--jobs", "1"])

    call.folder = folder
    call.lists = tmp_path / "lists"
    call.results = tmp_path / "results"
    call.unit = suites.Unit("toy", suites.SUITES["toy"])
    return call


def known(toy, *entries):
    text = "".join(f"[[known]]\nsuite = 'toy'\nids = {json.dumps(ids)}\nreason = '{why}'\n" for ids, why in entries)
    (toy.lists / "known.toml").write_text(text, encoding="utf-8")


def outcomes(result):
    return {name.split("::")[1]: test["outcome"] for name, test in result["tests"].items()}


def test_both_packages(toy, capsys):
    assert toy() == 1
    out, err = capsys.readouterr()
    results = {name: json.loads((toy.results / name / "toy.json").read_text()) for name in run.NAMESPACES}
    found = compare.differences("toy", results["genuine"], results["stand-in"])
    assert {one.id: (one.genuine, one.stand_in) for one in found if one.worse} == WORSE
    assert {one.id: (one.genuine, one.stand_in) for one in found if not one.worse} == {
        f"{FILE}::test_repaired": ("failed", "passed"),
        f"{FILE}::test_here_only[NOTSET]": ("missing", "skipped"),
    }
    assert outcomes(results["genuine"]) == {
        **{name.split("::")[1]: "passed" for name in WORSE},
        "test_alike": "passed",
        "test_fails_alike": "failed",
        "test_repaired": "failed",
        "test_unexpectedly_passes": "xpassed",
    }
    assert results["genuine"]["identities"][0]["namespace"] == "genuine"
    assert results["stand-in"]["identities"][0]["namespace"] == "stand-in"
    assert results["stand-in"]["key"]["strictarray"] == [xp.__version__, run.fingerprint()]
    assert results["genuine"]["key"]["strictarray"] is None
    # Both are told of together: the message differs by a number only, the line is the same.
    assert f"2 × passed -> failed: ValueError: got 3\n      at {FILE}:" in out
    assert "raise ValueError" in out
    for name in WORSE:
        assert name in out
    assert "6 tests pass on the genuine package and not on the stand-in" in err
    assert "no reason" in out

    # Nothing is run again, until something is asked for that has not been run.
    assert toy() == 1
    out = capsys.readouterr().out
    assert out.count("kept from") == 2
    toy("--only", "genuine", "--seed", "1")
    assert "kept from" not in capsys.readouterr().out


def test_known_differences(toy, capsys):
    every = [f"{FILE}::test_fails[*]"] + [name for name in WORSE if "test_fails" not in name]
    known(toy, (every, "meant"))
    assert toy() == 0
    assert f"{FILE}::test_skips (meant)" in capsys.readouterr().out
    known(toy, (every[1:], "meant"))
    assert toy() == 1
    assert "2 tests pass on the genuine package and not on the stand-in" in capsys.readouterr().err
    known(toy, ([*every, f"{FILE}::test_alike"], "meant"))
    assert toy() == 1
    assert f"a known difference is none any more: toy: {FILE}::test_alike" in capsys.readouterr().err
    known(toy, (every, " "))
    with pytest.raises(SystemExit, match="need suite, ids and reason"):
        toy()


def test_another_compat_is_another_run(toy, capsys, monkeypatch):
    toy("--only", "stand-in")
    monkeypatch.setenv("STRICTARRAY_COMPAT", "none")
    toy("--only", "stand-in")
    out = capsys.readouterr().out
    assert "kept from" not in out
    assert "(STRICTARRAY_COMPAT is none)" in out


def test_processes_and_one_that_dies(toy):
    (toy.folder / "test_dies.py").write_text(
        "import os\n\ndef test_before(): pass\n\ndef test_dies():\n    os._exit(3)\n\ndef test_after(): pass\n",
        encoding="utf-8",
    )
    out = io.StringIO()
    result = run.run(toy.unit, "stand-in", toy.results, jobs=2, out=out)
    assert result["finished"], result["fault"]
    assert {one["namespace"] for one in result["identities"]} == {"stand-in"}
    tests = result["tests"]
    assert tests["toy/tests/test_dies.py::test_dies"]["outcome"] == "failed"
    assert tests["toy/tests/test_dies.py::test_after"]["outcome"] == "passed"
    assert tests[f"{FILE}::test_fails[3]"]["outcome"] == "failed"
    assert len(tests) == 13
    assert "13/13 (100 %)" in out.getvalue()


def test_a_file_that_can_not_be_imported(toy, capsys):
    (toy.folder / "test_broken.py").write_text("import no_such_module\n", encoding="utf-8")
    known(toy, (list(WORSE), "meant"))
    assert toy() == 1
    assert "on stand-in: not collected: toy/tests/test_broken.py" in capsys.readouterr().err
    result = json.loads((toy.results / "stand-in" / "toy.json").read_text())
    assert result["tests"][f"{FILE}::test_alike"]["outcome"] == "passed"


def test_a_run_that_is_cut_off(toy, capsys):
    (toy.folder / "test_zz.py").write_text("import os\n\ndef test_ends_all():\n    os._exit(3)\n", encoding="utf-8")
    assert toy("--only", "genuine") == 1
    assert "toy on genuine: pytest ended with 3" in capsys.readouterr().err
    (toy.folder / "test_zz.py").unlink()
    assert toy("--only", "genuine") == 0
    assert "kept from" not in capsys.readouterr().out


def test_the_wrong_package_is_noticed(toy, capsys, monkeypatch):
    loaded = suites.Suite("toy", "numpy", (), modules=("toy",), plugins=("strictarray.stand_in",))
    monkeypatch.setattr(suites, "SUITES", {"toy": loaded})
    assert toy("--only", "genuine") == 1
    assert "toy on genuine: array_api_strict was the stand-in package" in capsys.readouterr().err


def test_listed_tests(toy, capsys):
    ids = [f"{FILE}::test_alike", f"{FILE}::test_repaired"]
    path = toy.lists / "toy.txt"
    path.write_text("# listed\n" + "\n".join(ids) + "\n", encoding="utf-8")
    assert toy("--listed") == 0
    assert "toy (2 listed)" in capsys.readouterr().out
    assert not (toy.results / "stand-in").exists()


@pytest.mark.parametrize(
    ("ids", "fault"),
    [
        ([f"{FILE}::test_alike", f"{FILE}::test_gone"], f"missing: {FILE}::test_gone"),
        (["toy/tests/test_gone.py::test_alike", f"{FILE}::test_alike"], "missing: toy/tests/test_gone.py::test_alike"),
        ([f"{FILE}::test_alike", f"{FILE}::test_fails[5]"], f"missing: {FILE}::test_fails[5]"),
        ([], "its list is empty"),
    ],
)
def test_a_listed_test_that_does_not_pass(toy, capsys, ids, fault):
    (toy.lists / "toy.txt").write_text("\n".join(ids) + "\n", encoding="utf-8")
    assert toy("--listed") == 1
    assert fault in capsys.readouterr().err


def test_listed_tests_with_other_outcomes(toy, capsys):
    ids = [f"{FILE}::test_{name}" for name in ("fails[3]", "skips", "tears_down", "unexpectedly_passes", "alike")]
    (toy.lists / "toy.txt").write_text("\n".join(ids) + "\n", encoding="utf-8")
    assert toy("--listed") == 1
    err = capsys.readouterr().err
    assert f"failed: {FILE}::test_fails[3]: ValueError: got 3" in err
    assert f"skipped: {FILE}::test_skips: Skipped: no reason" in err
    assert f"error: {FILE}::test_tears_down" in err
    assert f"xpassed: {FILE}::test_unexpectedly_passes" in err
    assert "test_alike" not in err


def test_a_list_of_no_suite(toy, capsys):
    (toy.lists / "game.txt").write_text(f"{FILE}::test_alike\n", encoding="utf-8")
    assert toy("--listed") == 1
    assert "game" in capsys.readouterr().err


def test_lists_are_written_from_results(toy):
    toy()
    assert toy("--write-lists") == 0
    assert listed.read(toy.lists / "toy.txt") == [f"{FILE}::test_alike"]


def test_lists_are_spread():
    passing = {f"{file}.py::test_{name}[{n}]": 0.01 for file in "abc" for name in "pqrs" for n in range(100)}
    passing |= {f"slow.py::test[{n}]": 5.0 for n in range(100)}
    ids = listed.choose(passing, ["a.py::test_p[77]"], 10)
    assert len(ids) == 10 == len({listed.function(name) for name in ids})
    assert "a.py::test_p[77]" in ids
    assert sorted(name[0] for name in ids) == sorted("aaaabbbccc") or {name[0] for name in ids} == set("abc")
    assert ids == sorted(ids, key=list(passing).index)
    # More than there are functions: more of their parameters, each test once.
    ids = listed.choose(passing, [], 40)
    assert len(set(ids)) == 40
    assert not any(name.startswith("slow") for name in ids)


def test_spread():
    for length in range(20):
        order = listed.spread(list(range(length)))
        assert sorted(order) == list(range(length))
    assert listed.spread(list(range(7)))[0] == 3


def test_suites_are_chosen_by_prefixes(tmp_path):
    for name in (
        "scipy/stats/tests/test_stats.py",
        "scipy/signal/tests/test_a.py",
        "scipy/io/arff/tests/test_b.py",
        "sklearn/tests/test_c.py",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True)
        path.write_text("def test_it(xp): pass\n", encoding="utf-8")
    (tmp_path / "scipy" / "odr" / "tests").mkdir(parents=True)
    (tmp_path / "scipy" / "odr" / "tests" / "test_d.py").write_text("def test_it(xpath): pass\n", encoding="utf-8")

    def names(*words):
        return [unit.name for unit in suites.choose(list(words), tmp_path)]

    assert names("scipy") == ["scipy.io", "scipy.signal", "scipy.stats"]
    assert names("sklearn", "scipy.stats") == ["scipy.stats", "sklearn"]
    assert names("scipy.stats.tests.test_stats") == ["scipy.stats.tests.test_stats"]
    assert names("sklearn.tests") == ["sklearn.tests"]
    assert names()[-2:] == ["sklearn", "sklearn-devices"]
    for wrong in ("numpy", "scipy.st", "scipy.stats.tests.test_gone", "scipyx"):
        with pytest.raises(SystemExit, match=f"SUITE={wrong}"):
            names(wrong)
    (tmp_path / "scipy" / "test_loose.py").touch()
    with pytest.raises(SystemExit, match="test_loose.py is in no subpackage"):
        names("scipy")


def test_two_tests_of_one_id(tmp_path):
    log = tmp_path / "log"
    lines = [
        {"kind": "test", "id": "a::t", "item": item, "outcome": outcome, "time": 0.1}
        for item, outcome in ((4, "failed"), (2, "passed"))
    ]
    log.write_text("".join(json.dumps(line) + "\n" for line in lines) + '{"kind": "te', encoding="utf-8")
    found = run.read_log(log)
    assert {name: test["outcome"] for name, test in found["tests"].items()} == {"a::t": "passed", "a::t#2": "failed"}
    assert found["end"] is None


def test_the_committed_lists_hold(monkeypatch):
    """Each suite has its list, of fifty tests or of all it has, and each entry of the table of known differences is whole."""
    folder = Path(__file__).parent / "downstream"
    compare.Known.read(folder / "known.toml")
    lists = {path.stem: listed.read(path) for path in folder.glob("*.txt")}
    assert set(lists) == set(suites.SUITES)
    for name, ids in lists.items():
        assert len(ids) >= (17 if name == "xarray" else 50), name


def test_unseeded_data_is_the_same_each_time(toy, monkeypatch):
    drawing = (
        "import numpy as np\nimport pytest\n\n"
        "@pytest.mark.parametrize('number', range(3))\ndef test_draws(number):\n"
        "    first, second = (np.random.default_rng().integers(2**60) for _ in range(2))\n"
        "    pytest.skip(f'{first} {second} {np.random.SeedSequence().entropy}')\n"
    )
    (toy.folder / "test_drawing.py").write_text(drawing, encoding="utf-8")
    seeded = suites.Unit("toy", suites.Suite("toy", "numpy", (), modules=("toy",), plugins=("downstream.seeds",)))
    ids = [f"toy/tests/test_drawing.py::test_draws[{number}]" for number in range(3)]

    def drawn(namespace, seed):
        result = run.run(seeded, namespace, toy.results, jobs=1, seed=seed, fresh=True, ids=ids)
        return [result["tests"][name]["message"] for name in ids]

    once = drawn("genuine", 0)
    assert len({number for text in once for number in text.split()[1:]}) == 9
    assert drawn("stand-in", 0) == once
    assert set(drawn("genuine", 1)).isdisjoint(once)
