"""Text for LaTeX, as it goes into the tables of a paper."""

from __future__ import annotations

import re
import unicodedata

from portrayal.reports.words import DASH, MINUS, NBSP

__all__ = ["escape"]

SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "_": r"\_", "%": r"\%",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", DASH: "--", "\N{EM DASH}": "---", MINUS: "$-$", NBSP: "~",
    "\N{RIGHT SINGLE QUOTATION MARK}": "'", "[": "{[}", "]": "{]}", "*": "{*}",
    "\N{RIGHTWARDS ARROW}": "$\\rightarrow$", "\N{LEFTWARDS ARROW}": "$\\leftarrow$",
}  # fmt: skip
GREEK = re.compile(r"GREEK (SMALL|CAPITAL) LETTER (FINAL )?([A-Z]+)$")
PLAIN_CAPITALS = {
    "alpha": "A", "beta": "B", "epsilon": "E", "zeta": "Z", "eta": "H", "iota": "I", "kappa": "K", "mu": "M", "nu": "N",
    "omicron": "O", "rho": "P", "tau": "T", "chi": "X",
}  # fmt: skip


def escape(text: str) -> str:
    """Return text that LaTeX prints as it stands; Greek letters, as in the names of models, become mathematics.

    >>> print(escape("PixArt-Σ_2 50%"))
    PixArt-$\\Sigma$\\_2 50\\%
    """
    # A second hyphen would join the first to a dash.
    pairs = zip(" " + text, text, strict=False)
    return "".join("{}-" if pair == ("-", "-") else SPECIAL.get(pair[1]) or _letter(pair[1]) for pair in pairs)


def _letter(letter: str) -> str:
    if letter.isascii() or not letter.isprintable():
        return letter if letter.isprintable() else " "
    found = GREEK.match(unicodedata.name(letter, ""))
    if not found:
        return letter
    name = found[3].lower().replace("lamda", "lambda")
    if found[1] == "CAPITAL":
        return PLAIN_CAPITALS.get(name) or f"$\\{name.capitalize()}$"
    return "o" if name == "omicron" else f"$\\{'var' if found[2] else ''}{name}$"
