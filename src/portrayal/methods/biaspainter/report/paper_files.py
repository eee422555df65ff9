"""The paper's Tables 4 and 5 for other editors: files of CSV and LaTeX beside the report."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from portrayal.csvfile import csv_text
from portrayal.methods.biaspainter.report.rows import BIASPAINTER, Looked
from portrayal.methods.biaspainter.report.top_words import DIRECTIONS, TopTable, TopWord, top_words
from portrayal.records import content_id
from portrayal.reports.latex import escape

__all__ = ["paper_files", "paper_folder"]

_COLUMNS = ("topic", "model", "direction", "rank", "word", "score", "low", "high", "n", "stands_out")


def paper_folder(seen: Looked) -> str:
    """Return the folder of an annotator's files."""
    plain = re.sub(r"[^a-z0-9]+", "-", seen.annotator.lower()).strip("-")
    return f"{BIASPAINTER}/{plain[:40]}-{content_id(seen.annotator)[:6]}"


def paper_files(found: Sequence[Looked]) -> Mapping[str, str]:
    """Return the files by their path."""
    files: dict[str, str] = {}
    for seen in found:
        tables = top_words(seen)
        if tables:
            folder = paper_folder(seen)
            files |= {f"{folder}/table4.csv": _csv(tables), f"{folder}/table4.tex": _latex(tables, seen.annotator)}
    return files


def _csv(tables: Sequence[TopTable]) -> str:
    lines: list[list[object]] = []
    for table in tables:
        for editor, rows in table.editors:
            for rank, row in enumerate(rows, start=1):
                for (_, _, direction), own in zip(DIRECTIONS, row, strict=True):
                    if own:
                        about = (table.topic, editor, direction, rank, own.word)
                        lines.append([*about, own.score, own.low, own.high, own.n, str(own.stands_out).lower()])
    return csv_text(_COLUMNS, lines)


def _latex(tables: Sequence[TopTable], annotator: str) -> str:
    heads = " & ".join(f"\\multicolumn{{2}}{{c}}{{{escape(title)}}}" for _, _, title in DIRECTIONS)
    lines = [
        "% Tables 4 and 5 of BiasPainter, for other models. Needs \\usepackage{booktabs,graphicx}.",
        "\\begin{table*}[htbp]",
        "\\centering",
        f"\\caption{{{escape(_caption(annotator))}}}",
        f"\\label{{tab:biaspainter-{content_id(annotator)[:6]}}}",
        "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%",
        f"\\begin{{tabular}}{{ll{'lr' * len(DIRECTIONS)}}}",
        "\\toprule",
        f"Topic & Model & {heads} \\\\",
    ]
    for table in tables:
        lines.append("\\midrule")
        for number, (editor, rows) in enumerate(table.editors):
            for rank, row in enumerate(rows):
                topic = escape(table.topic.capitalize()) if not number and not rank else ""
                lines.append(" & ".join([topic, escape(editor) if not rank else "", *map(_cell, row)]) + " \\\\")
    return "\n".join([*lines, "\\bottomrule", "\\end{tabular}}", "\\end{table*}"]) + "\n"


def _caption(annotator: str) -> str:
    return (
        "Words with the largest bias by topic and direction (in the layout of Tables 4 and 5 of BiasPainter), "
        f"perceived by {annotator}. Bold: chance does not explain the score, by Benjamini and Hochberg over all words."
    )


def _cell(own: TopWord | None) -> str:
    if own is None:
        return "-- & --"
    score = escape(own.text)
    return f"{escape(own.word)} & " + (f"\\textbf{{{score}}}" if own.stands_out else score)
