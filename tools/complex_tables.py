"""Writes the tables of the complex functions, crates/strictarray-kernels/src/elementwise/complex/tables.rs.

Needs mpmath: `pip install mpmath && python tools/complex_tables.py`. The output is committed, so it runs only when a
table is to change.
"""

import pathlib
import struct

from mpmath import mp, mpf

OUT = pathlib.Path(__file__).parents[1] / "crates/strictarray-kernels/src/elementwise/complex/tables.rs"

HEAD = """\
//! Tables and constants of the complex functions, as the bits of `f64`, written by `tools/complex_tables.py`.
//!
//! They are constants rather than statics: of a static that another unit defines the compiler does not know that no
//! store changes it, and leaves loops that read it scalar.

use super::pair::Pair;
"""


def bits(x):
    return f"{struct.unpack('<Q', struct.pack('<d', float(x)))[0]:#018x}"


def pair(x):
    """The bits of the number and of what it lacks."""
    hi = mpf(float(x))
    return [bits(hi), bits(x - hi)]


def first_bits(x, n):
    """The number cut to so many bits."""
    scale = mpf(2) ** (n - mp.frexp(x)[1])
    return mp.floor(x * scale) / scale


def number(name, doc, x):
    return f"/// {doc}\npub(super) const {name}: f64 = f64::from_bits({bits(x)});"


def numbers(name, doc, x):
    hi, lo = pair(x)
    return f"/// {doc}\npub(super) const {name}: Pair = Pair {{ hi: f64::from_bits({hi}), lo: f64::from_bits({lo}) }};"


def table(name, doc, rows):
    lines = [f"    [{', '.join(row)}]," for row in rows]
    head = f"\n/// {doc}\n#[rustfmt::skip]\npub(super) const {name}: &[[u64; {len(rows[0])}]; {len(rows)}] = &["
    return "\n".join([head, *lines, "];"])


def quarters():
    """π / 2 in pieces, of which the first three have 33 bits: small multiples of them are exact."""
    rest = mp.pi / 2
    docs = ["π / 2, 33 bits of it.", "The next 33 bits.", "The next 33 bits."]
    for i, doc in enumerate(docs, 1):
        piece = first_bits(rest, 33)
        rest -= piece
        yield number(f"QUARTER_{i}", doc, piece)
    yield number("QUARTER_4", "The rest of it.", rest)


def two_over_pi():
    """The bits of 2 / π, enough for the largest angle and the one closest to a quarter turn."""
    words, rest = ["0x0000000000000000"], 2 / mp.pi
    for _ in range(22):
        rest *= mpf(2) ** 64
        word = int(mp.floor(rest))
        rest -= word
        words.append(f"{word:#018x}")
    lines = ["    " + ", ".join(words[i : i + 4]) + "," for i in range(0, len(words), 4)]
    head = "\n/// The bits of 2 / π after the point, after 64 zeros.\n#[rustfmt::skip]\n"
    return "\n".join([f"{head}pub(super) const TWO_OVER_PI: &[u64; {len(words)}] = &[", *lines, "];"])


def main():
    mp.prec = 1600
    steps = [mpf(i) / 64 for i in range(65)]
    nothing = [[bits(0), bits(0)]] * 63
    parts = [
        HEAD,
        number("TURNS", "2 / π.", 2 / mp.pi),
        *quarters(),
        numbers("HALF_PI", "π / 2.", mp.pi / 2),
        numbers("PI", "π.", mp.pi),
        numbers("LN2", "ln 2.", mp.log(2)),
        numbers("LOG2_E", "1 / ln 2.", 1 / mp.log(2)),
        numbers("LOG10_E", "1 / ln 10.", 1 / mp.log(10)),
        table(
            "SIN_COS",
            "sin and cos of i / 64, each with its rest.",
            [pair(mp.sin(c)) + pair(mp.cos(c)) for c in steps[:64]],
        ),
        table(
            "ARC_TAN",
            "The arc tangent of i / 64, with its rest; more rows than there are, for an index cut to 7 bits.",
            [pair(mp.atan(c)) for c in steps] + nothing,
        ),
        two_over_pi(),
    ]
    OUT.write_text("\n".join(parts) + "\n")


if __name__ == "__main__":
    main()
