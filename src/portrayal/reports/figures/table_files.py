"""A table as the text of a file: LaTeX for a paper, CSV for a spreadsheet, Markdown for everything else."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from html import escape as escape_html
from string import ascii_lowercase

from portrayal.csvfile import csv_text
from portrayal.language.direction import is_from_right, joined
from portrayal.language.translation import t
from portrayal.reports.figures.latex import escape, needs_unicode
from portrayal.reports.figures.named_figures import NamedTable
from portrayal.reports.text.wide_intervals import SIGN, wide_words
from portrayal.reports.text.words import NBSP

__all__ = ["TABLE_FORMS", "csv_table", "latex_table", "markdown_table"]

_LONG = 40
"""Rows that fit on a page; a table of more goes on on the next."""
_WIDE = 7
"""Columns that fit on a page upright."""
_NUMBER = re.compile(r"[<>+\N{MINUS SIGN}]?\d.*|")
_MARKDOWN = re.compile(r"([\\`*_\[\]|~$])")


def csv_table(table: NamedTable) -> str:
    """Return the table for a spreadsheet; notes are a column, and there is no caption."""
    notes = [_said(*about) for about in zip(table.rows, table.notes or [""] * len(table.rows), strict=True)]
    noted = any(notes)
    header = [*table.header, *([t("Note")] if noted else [])]
    rows = ([*row, *([note] if noted else [])] for row, note in zip(table.rows, notes, strict=True))
    return csv_text(map(_spaced, header), ([_spaced(cell).replace(SIGN, "") for cell in row] for row in rows))


def _said(row: Sequence[str], note: str) -> str:
    """Return the note of a row of a spreadsheet: its numbers carry no sign, so what it means is said there."""
    wide = t("the interval is wider than it need be") if _is_signed([row]) else ""
    return "; ".join(filter(None, [note, wide]))


def _is_signed(rows: Sequence[Sequence[str]]) -> bool:
    return any(SIGN in cell for row in rows for cell in row)


def _caption(table: NamedTable) -> str:
    """Return what must be known to read the table, also what the sign means that some intervals have."""
    return " ".join(filter(None, [table.caption, wide_words() if _is_signed(table.rows) else ""]))


def markdown_table(table: NamedTable) -> str:
    """Return the table with its caption above and its notes below."""
    letters = _letters(table)
    aligned = [" ---: " if right else " --- " for right in _right(table)]
    lines = [
        f"**{_markdown(table.title)}.** {_markdown(_caption(table))}".rstrip(),
        "",
        _line(map(_markdown, table.header)),
        f"|{'|'.join(aligned)}|",
        *(_line(row) for row in _rows(table, letters, _markdown, "<sup>{}</sup>")),
    ]
    for note, letter in letters.items():
        lines += ["", f"<sup>{letter}</sup> {_markdown(note)}"]
    return "\n".join(lines) + "\n"


def latex_table(table: NamedTable, label: str) -> str:
    """Return the table as a paper takes it with ``\\input``; one of many rows goes on over several pages."""
    letters = _letters(table)
    columns = "".join("r" if right else "l" for right in _right(table))
    head = f"{' & '.join(map(escape, table.header))} \\\\"
    body = [f"{' & '.join(row)} \\\\" for row in _rows(table, letters, escape, "\\textsuperscript{{{}}}")]
    caption = f"\\caption{{{escape(f'{table.title}. {_caption(table)}'.strip())}}}"
    notes = [f"\\textsuperscript{{{letter}}}~{escape(note)}" for note, letter in letters.items()]
    # A paragraph box, so that long notes wrap below the table instead of running off the page.
    below = ["\\par\\smallskip", "\\parbox{\\linewidth}{\\footnotesize\\raggedright " + "\\\\\n".join(notes) + "}"]
    whole = _long_table if len(table.rows) > _LONG else _short_table
    lines = [*whole(columns, [caption, f"\\label{{tab:{label}}}"], head, body, below if notes else [])]
    if is_from_right("\n".join(lines)):
        lines.insert(1, "% Text from right to left: LuaLaTeX with \\usepackage[english,bidi=basic]{babel} orders it.")
    if needs_unicode("\n".join(lines)):
        lines.insert(1, "% Needs XeLaTeX or LuaLaTeX with a font for all of its letters; pdfLaTeX stops at some.")
    return "\n".join(lines) + "\n"


def _short_table(
    columns: str, caption: Sequence[str], head: str, body: Sequence[str], below: Sequence[str]
) -> list[str]:
    return [
        "% Needs \\usepackage{booktabs,graphicx}.",
        "\\begin{table}[htbp]",
        "\\centering",
        *caption,
        "\\par\\smallskip",
        # Shrunk only where it is wider than the page.
        "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%",
        f"\\begin{{tabular}}{{{columns}}}",
        "\\toprule",
        head,
        "\\midrule",
        *body,
        "\\bottomrule",
        "\\end{tabular}}",
        *below,
        "\\end{table}",
    ]


def _long_table(
    columns: str, caption: Sequence[str], head: str, body: Sequence[str], below: Sequence[str]
) -> list[str]:
    wide = len(columns) > _WIDE
    return [
        f"% Needs \\usepackage{{booktabs,longtable{',pdflscape' if wide else ''}}}; not for pages of two columns.",
        # What is too wide for a page is turned and small: a table of many pages cannot be shrunk to its width.
        "\\begin{landscape}\\tiny\\setlength{\\tabcolsep}{3pt}" if wide else "\\begingroup\\small",
        f"\\begin{{longtable}}{{{columns}}}",
        f"{''.join(caption)}\\\\",
        "\\toprule",
        head,
        "\\midrule",
        "\\endfirsthead",
        "\\toprule",
        head,
        "\\midrule",
        "\\endhead",
        *body,
        "\\bottomrule",
        "\\end{longtable}",
        *below,
        "\\end{landscape}" if wide else "\\endgroup",
    ]


def _letters(table: NamedTable) -> dict[str, str]:
    """Return a letter for each note."""
    notes = dict.fromkeys(note for note in table.notes if note)
    names = [*ascii_lowercase, *map(str, range(len(ascii_lowercase) + 1, len(notes) + 1))]
    return dict(zip(notes, names, strict=False))


def _rows(table: NamedTable, letters: Mapping[str, str], safe: Callable[[str], str], raised: str) -> list[list[str]]:
    """Return the rows with the letter of their note behind the first number, else behind the last cell."""
    marked = next((place for place, right in enumerate(_right(table)) if right), len(table.header) - 1)
    rows = []
    for number, row in enumerate(table.rows):
        cells = [safe(cell) for cell in row]
        if table.notes and table.notes[number]:
            cells[marked] += raised.format(letters[table.notes[number]])
        rows.append(cells)
    return rows


def _right(table: NamedTable) -> list[bool]:
    """Return which columns hold numbers: in more than half of the cells that are not empty."""
    right = []
    for column in range(len(table.header)):
        told = [row[column] for row in table.rows if row[column]]
        right.append(bool(told) and 2 * sum(bool(_NUMBER.fullmatch(cell)) for cell in told) > len(told))
    return right


def _line(cells: Sequence[str] | map[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _spaced(text: str) -> str:
    return joined(text).replace(NBSP, " ")


def _markdown(text: str) -> str:
    """Return text that Markdown shows as it stands, on one line."""
    return _MARKDOWN.sub(r"\\\1", escape_html(" ".join(_spaced(text).split()), quote=False))


TABLE_FORMS: Mapping[str, Callable[[NamedTable, str], str]] = {
    "tex": latex_table,
    "csv": lambda table, _: csv_table(table),
    "md": lambda table, _: markdown_table(table),
}
