"""What README.md shows is what happens: its Python sessions are run, its commands and links exist."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def test_python_sessions():
    sessions = blocks(README, "python")
    assert len(sessions) >= 4
    source = "\n".join(sessions)
    session = doctest.DocTestParser().get_doctest(source, {}, "README.md", "README.md", 0)
    assert all(">>> " in block for block in sessions), "a block that is no session would not be run"
    output = []
    # Messages of one line are broken in the README.
    result = doctest.DocTestRunner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE).run(
        session, out=output.append
    )
    assert result.attempted >= 10
    assert result.failed == 0, "".join(output)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_make_targets_exist(page):
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))
    used = re.findall(r"(?:^\$ |`)make (?:[A-Z]+=\S+ )?([a-z-]+)", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert set(used) <= targets


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_to_files_exist(page):
    for link in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
        assert link.startswith("https://") or (page.parent / link).exists(), link
