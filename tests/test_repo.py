"""tools/check_repo.py finds the faults it is there for."""

import importlib.util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent / "tools" / "check_repo.py"


@pytest.fixture(scope="module")
def check():
    spec = importlib.util.spec_from_file_location("check_repo", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_this_repository_passes(check, capsys):
    assert check.main([]) == 0, capsys.readouterr().err


@pytest.mark.parametrize(
    ("pinned", "fault"),
    [
        ("numpy==2.4.6\npytest==9.2.0\n", None),
        ("numpy==2.4.6\npytest==9.2.0 ; python_version >= '3.12'\n    # via\n", None),
        ("numpy==2.4.6\npytest>=9\n", "not pinned to one version: pytest>=9"),
        ("numpy==2.4.6\npytest\n", "not pinned to one version: pytest"),
        ("numpy==2.4.6\npytest==9.*\n", "not pinned to one version: pytest==9.*"),
        ("numpy==2.4.6\n", "pytest of tools.in is missing"),
        ("numpy==2.5.0\npytest==9.2.0\n", "numpy==2.4.6 of tools.in is pinned to something else"),
    ],
)
def test_loose_pins(check, tmp_path, pinned, fault):
    source, target = tmp_path / "tools.in", tmp_path / "tools.txt"
    source.write_text("# tools\nnumpy==2.4.6\npytest\n", encoding="utf-8")
    target.write_text(pinned, encoding="utf-8")
    found = check.loose_pins(source, target)
    assert (found == []) if fault is None else (len(found) == 1 and fault in found[0])


def test_an_extra_is_pinned_as_its_project(check, tmp_path):
    source, target = tmp_path / "tools.in", tmp_path / "tools.txt"
    source.write_text("dask[array]==2.0\n", encoding="utf-8")
    for pinned, faults in (("dask==2.0\n", 0), ("dask==2.1\n", 1)):
        target.write_text(pinned, encoding="utf-8")
        assert len(check.loose_pins(source, target)) == faults


def test_environments_must_agree(check, tmp_path):
    first, second = tmp_path / "a.txt", tmp_path / "b.txt"
    first.write_text("pytest==9.2.0\nruff==1.0\n", encoding="utf-8")
    second.write_text("pytest==9.1.0\ntorch==2.15.0\n", encoding="utf-8")
    assert len(check.disagreeing_pins(first, second)) == 1
    second.write_text("pytest==9.2.0\ntorch==2.15.0\n", encoding="utf-8")
    assert check.disagreeing_pins(first, second) == []


def test_missing_lock_files(check, tmp_path):
    assert check.uncommitted_locks(tmp_path) == [f"{name}: missing" for name in check.LOCKS]


def test_versions_must_agree(check, tmp_path):
    crates, distribution = tmp_path / "Cargo.toml", tmp_path / "pyproject.toml"
    crates.write_text('[workspace.package]\nversion = "1.2.0"\n', encoding="utf-8")
    text = '[project]\nversion = "{}"\ndependencies = ["strictarray=={}"]\n'
    for version, required, faults in (("1.2.0", "1.2.0", 0), ("1.1.0", "1.2.0", 1), ("1.1.0", "1.1.0", 2)):
        distribution.write_text(text.format(version, required), encoding="utf-8")
        assert len(check.other_versions(crates, distribution)) == faults


def test_wheel_size(check, tmp_path):
    assert check.large_wheels(tmp_path) == [f"{tmp_path}: holds no wheel"]
    (tmp_path / "a.whl").write_bytes(bytes(2000))
    assert check.large_wheels(tmp_path, limit=2000) == []
    assert len(check.large_wheels(tmp_path, limit=1999)) == 1


def test_the_page_of_rules_is_that_of_the_rows():
    spec = importlib.util.spec_from_file_location("rules", SCRIPT.parent / "rules.py")
    rules = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(rules)
    page = SCRIPT.parent.parent / "docs" / "rules.md"
    assert page.read_text(encoding="utf-8") == rules.page(), "python tools/rules.py > docs/rules.md"
