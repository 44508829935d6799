"""Prints docs/rules.md, the rules that errors name, from the rows of the built package:

python tools/rules.py > docs/rules.md
"""

from strictarray import _strictarray

HEAD = """\
# The rules that errors name

Each refusal carries the id of its rule as the attribute `rule`, and as `section` that of the standard (or of this
library: such begin with its name). An error's text has these clauses, or narrower ones where more is known of the call.
This table is made by `tools/rules.py`.

| rule | raises | what is required | what to write instead | section |
|---|---|---|---|---|
"""


def page() -> str:
    """The whole file."""

    def cell(text: str) -> str:
        return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;").replace("__", "\\_\\_")

    rows = sorted(_strictarray._rows()["rules"], key=lambda rule: rule["id"])
    lines = (
        f"| `{rule['id']}` | {rule['exception']} | "
        + " | ".join(cell(rule[name]) for name in ("requires", "instead", "section"))
        + " |\n"
        for rule in rows
    )
    return HEAD + "".join(lines)


if __name__ == "__main__":
    print(page(), end="")
