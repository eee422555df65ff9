"""Text for LaTeX, as it goes into the tables of a paper."""

from __future__ import annotations

import re
import unicodedata

from portrayal.language.direction import joined
from portrayal.reports.text.words import DASH, MINUS, NBSP

__all__ = ["escape", "needs_unicode"]

SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "_": r"\_", "%": r"\%",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", DASH: "--", "\N{EM DASH}": "---", MINUS: "$-$", NBSP: "~",
    "\N{RIGHT SINGLE QUOTATION MARK}": "'", "[": "{[}", "]": "{]}", "*": "{*}",
    "\N{RIGHTWARDS ARROW}": "$\\rightarrow$", "\N{LEFTWARDS ARROW}": "$\\leftarrow$",
    "\N{GREATER-THAN OR EQUAL TO}": "$\\geq$", "\N{LESS-THAN OR EQUAL TO}": "$\\leq$", "\N{PLUS-MINUS SIGN}": "$\\pm$",
    "\N{SUPERSCRIPT PLUS SIGN}": "$^{+}$", "\N{MULTIPLICATION SIGN}": "$\\times$", "\N{MIDDLE DOT}": "$\\cdot$",
}  # fmt: skip
LAST_LATIN = "\N{LATIN SMALL LETTER LONG S}"
KNOWN_MARKS = "\N{LEFT SINGLE QUOTATION MARK}\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}"
KNOWN_MARKS += "\N{DOUBLE LOW-9 QUOTATION MARK}\N{SINGLE LOW-9 QUOTATION MARK}\N{HORIZONTAL ELLIPSIS}\N{EURO SIGN}"
"""Beyond Latin letters, what pdfLaTeX prints as it is."""
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
    text = joined(text)
    pairs = zip(" " + text, text, strict=False)
    return "".join("{}-" if pair == ("-", "-") else SPECIAL.get(pair[1]) or _letter(pair[1]) for pair in pairs)


def needs_unicode(text: str) -> bool:
    """Return whether LaTeX text holds letters that pdfLaTeX does not know: others than Latin ones and quotation marks.

    >>> needs_unicode("Käse „Łódź“"), needs_unicode("漢字")
    (False, True)
    """
    return any(letter > LAST_LATIN and letter not in KNOWN_MARKS for letter in text)


def _letter(letter: str) -> str:
    if letter.isascii() or not letter.isprintable():
        return letter if letter.isprintable() else " "
    greek = GREEK.match(unicodedata.name(letter, ""))
    if not greek:
        return letter
    name = greek[3].lower().replace("lamda", "lambda")
    if greek[1] == "CAPITAL":
        return PLAIN_CAPITALS.get(name) or f"$\\{name.capitalize()}$"
    return "o" if name == "omicron" else f"$\\{'var' if greek[2] else ''}{name}$"
