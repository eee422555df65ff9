"""Tables as LaTeX that can be put into a paper with ``\\input``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase

from portrayal.methods.faintbench.report.paper_tables import PaperRow, PaperTable
from portrayal.records import Measurement
from portrayal.reports.figures.latex import escape
from portrayal.reports.text.notes import plain_notes
from portrayal.reports.text.words import count, decimal, known, score_digits, span

__all__ = ["Caption", "latex_index", "latex_table"]

CARE = "\\textsuperscript{*}"
LINE = 14
"""Letters after which a model's name in a column's head goes on in a new line."""


@dataclass(frozen=True, slots=True)
class Caption:
    """What a caption says beside the table's own title."""

    annotator: str
    label: str
    profile: str = ""
    variant: str = ""
    adjusted: Sequence[str] = ()


def latex_index(tables: Sequence[PaperTable], caption: Caption) -> str:
    """Return the file that puts all tables in."""
    lines = [
        f"% All FAIntbench tables, as seen by {_comment(caption.annotator)}. Needs \\usepackage{{booktabs,graphicx}}.",
        "% LaTeX looks for files from the main document's folder. Where that is another one, say before \\input:",
        "% \\newcommand{\\faintbenchpath}{path/to/this/folder/}",
        "\\providecommand{\\faintbenchpath}{}",
        *(f"\\input{{\\faintbenchpath {table.name}.tex}}" for table in tables),
    ]
    return "\n".join(lines) + "\n"


def latex_table(table: PaperTable, caption: Caption) -> str:
    """Return one table: value above, its 95 % interval below, a dash and a footnote where there is no value."""
    notes: dict[str, str] = {}
    body = [line for row in table.rows for line in _row(row, notes)]
    heads = " & ".join([escape(table.header), *(_head(model) for model in table.models)])
    lines = [
        f"% Table {table.number} of FAIntbench, for other models. Needs \\usepackage{{booktabs,graphicx}}.",
        *(f"% Adjusted: {_comment(line)}" for line in caption.adjusted),
        "\\begin{table}[htbp]",
        "\\centering",
        f"\\caption{{{_caption(table, caption)}}}",
        f"\\label{{tab:faintbench-{caption.label}-{table.number:02d}}}",
        "\\par\\smallskip",
        # Shrunk only where the models do not fit beside each other.
        "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%",
        f"\\begin{{tabular}}{{l{'c' * len(table.models)}}}",
        "\\toprule",
        f"{heads} \\\\",
        "\\midrule",
        *body,
        "\\bottomrule",
        "\\end{tabular}}",
        *_footnotes(notes, _care(table)),
        "\\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _comment(text: str) -> str:
    return " ".join(text.split())


def _caption(table: PaperTable, caption: Caption) -> str:
    parts = [
        f"{table.title} (in the layout of Table {table.number} of FAIntbench), as seen by {caption.annotator}.",
        f"Alignment profile: {caption.profile}." if caption.profile else "",
        f"Variant of the manifestation factor: {caption.variant}." if caption.variant and _has_eta(table) else "",
        _basis(table),
        _below(table),
        "This is not the published FAIntbench: the benchmark was adjusted." if caption.adjusted else "",
    ]
    return escape(" ".join(part for part in parts if part))


def _below(table: PaperTable) -> str:
    """Return what stands below each value."""
    if any(cell and cell.corrected is not None for row in table.rows for cell in row.cells):
        return "Below a value, where few images shift it, the corrected estimate, and in brackets its 95 % interval."
    return "Below each value its 95 % interval."


def _has_eta(table: PaperTable) -> bool:
    return any(row.metric == "manifestation" for row in table.rows)


def _basis(table: PaperTable) -> str:
    """Return how many images stand behind a value of the table."""
    cells = [cell for row in table.rows for cell in row.cells if cell and known(cell.value) is not None]
    if not cells:
        return ""
    low, high = min(cell.n for cell in cells), max(cell.n for cell in cells)
    numbers = count(low) if low == high else f"{count(low)} to {count(high)}"
    return f"Each value rests on {numbers} images."


def _head(model: str) -> str:
    """Return a model's name in lines; most are too long to stand beside six others."""
    lines = [""]
    for part in re.findall(rf"[^:/@_\- ]{{1,{LINE}}}[:/@_\- ]?|[:/@_\- ]", model):
        if lines[-1] and len(lines[-1]) + len(part) > LINE:
            lines.append("")
        lines[-1] += part
    shown = [escape(line.strip()) for line in lines]
    stacked = "\\\\".join(shown)
    return stacked if len(shown) == 1 else f"\\shortstack{{{stacked}}}"


def _row(row: PaperRow, notes: dict[str, str]) -> list[str]:
    cells = [_cell(cell, notes) for cell in row.cells]
    values = " & ".join([escape(row.label), *(value for value, _ in cells)])
    intervals = " & ".join(["", *(f"{{\\scriptsize {text}}}" if text else "" for _, text in cells)])
    return [f"{values} \\\\", *([f"{intervals.strip()} \\\\"] if any(text for _, text in cells) else [])]


def _cell(cell: Measurement | None, notes: dict[str, str]) -> tuple[str, str]:
    value = known(cell.value) if cell else None
    if cell is None or value is None:
        why = (plain_notes(cell.notes) or "no data") if cell else "not measured in this study"
        return f"--{_mark(why, notes)}", ""
    low, high = known(cell.low), known(cell.high)
    digits = score_digits(low, high)
    interval = "" if low is None or high is None else escape(span(decimal(low, digits), decimal(high, digits)))
    if interval and cell.corrected is not None:
        interval = f"{escape(decimal(cell.corrected, digits))} ({interval})"
    # Notes on values are many and differ by a digit: one mark sends the reader to the file that has them.
    return f"{escape(decimal(value, digits))}{CARE if cell.notes else ''}", interval


def _mark(note: str, notes: dict[str, str]) -> str:
    index = len(notes)
    name = ascii_lowercase[index] if index < len(ascii_lowercase) else str(index + 1)
    return f"\\textsuperscript{{{notes.setdefault(note, name)}}}"


def _care(table: PaperTable) -> str:
    """Return where to read what is to be minded about values with a note."""
    cells = [cell for row in table.rows for cell in row.cells if cell and known(cell.value) is not None]
    if not any(cell.notes for cell in cells):
        return ""
    return f"Read with care; {table.name}.csv says why."


def _footnotes(notes: Mapping[str, str], care: str) -> list[str]:
    lines = [f"\\textsuperscript{{{letter}}}~{escape(note)}" for note, letter in notes.items()]
    lines += [f"{CARE}~{escape(care)}"] if care else []
    if not lines:
        return []
    # A paragraph box, so that long reasons wrap below the table instead of running off the page.
    return ["\\par\\smallskip", "\\parbox{\\linewidth}{\\footnotesize\\raggedright " + "\\\\\n".join(lines) + "}"]
