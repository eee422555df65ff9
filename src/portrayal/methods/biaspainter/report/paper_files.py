"""The paper's tables for other editors: files of CSV and LaTeX beside the report.

Tables 4 and 5 are the top words, beyond edits that ask for nothing and, in files of their own, as the paper prints
them; Table 3 is how much topics do, in both of the numbers that can be meant by that.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from portrayal.csvfile import csv_text
from portrayal.methods.biaspainter.report.level_table import LEVELS, Level, level_table
from portrayal.methods.biaspainter.report.looked import BIASPAINTER, Looked
from portrayal.methods.biaspainter.report.top_words import BEYOND, DIRECTIONS, TopTable, TopWord, top_words
from portrayal.records import content_id
from portrayal.reports.figures.latex import escape
from portrayal.reports.text.wide_intervals import SIGN, wide_words

__all__ = ["paper_files", "paper_folder"]

_COLUMNS = ("topic", "model", "direction", "rank", "word", "score", "low", "high", "n", "stands_out", "word_bias")
_HEADS = {
    "word_bias_relative": "Word bias beyond null edits",
    "word_bias": "Word bias",
    "image_bias": "Image bias",
    "null_image_bias": "Image bias of null edits",
}


def paper_folder(seen: Looked) -> str:
    """Return the folder of an annotator's files."""
    plain = re.sub(r"[^a-z0-9]+", "-", seen.annotator.lower()).strip("-")
    return f"{BIASPAINTER}/{plain[:40]}-{content_id(seen.annotator)[:6]}"


def paper_files(views: Sequence[Looked]) -> Mapping[str, str]:
    """Return the files by their path."""
    files: dict[str, str] = {}
    for seen in views:
        if seen.words:
            folder = paper_folder(seen)
            heads = BEYOND if seen.relative else [title for _, _, title in DIRECTIONS]
            kinds = {"": (top_words(seen), heads, _caption(seen))}
            if seen.relative:
                printed = [title for _, _, title in DIRECTIONS]
                kinds["_as_printed"] = (top_words(seen, printed=True), printed, _printed_caption(seen))
            for name, (tables, titles, caption) in kinds.items():
                files[f"{folder}/table4{name}.csv"] = _csv(tables, titles)
                files[f"{folder}/table4{name}.tex"] = _latex(tables, titles, caption, f"{seen.annotator}{name}")
            levels = list(level_table(seen))
            files[f"{folder}/table3.csv"] = _levels_csv(levels)
            files[f"{folder}/table3.tex"] = _levels_latex(levels, seen)
    return files


def _csv(tables: Sequence[TopTable], titles: Sequence[str]) -> str:
    lines: list[list[object]] = []
    for table in tables:
        for editor, rows in table.editors:
            for rank, row in enumerate(rows, start=1):
                for direction, word in zip(titles, row, strict=True):
                    if word:
                        about = (table.topic, editor, direction, rank, word.word)
                        score = (word.score, word.low, word.high, word.n, str(word.stands_out).lower(), word.plain)
                        lines.append([*about, *score])
    return csv_text(_COLUMNS, lines)


def _latex(tables: Sequence[TopTable], titles: Sequence[str], caption: str, label: str) -> str:
    heads = " & ".join(f"\\multicolumn{{2}}{{c}}{{{escape(title)}}}" for title in titles)
    lines = _begun("Tables 4 and 5", caption, label, f"ll{'lr' * len(DIRECTIONS)}")
    lines.append(f"Topic & Model & {heads} \\\\")
    for table in tables:
        lines.append("\\midrule")
        for number, (editor, rows) in enumerate(table.editors):
            for rank, row in enumerate(rows):
                topic = escape(table.topic.capitalize()) if not number and not rank else ""
                lines.append(" & ".join([topic, escape(editor) if not rank else "", *map(_cell, row)]) + " \\\\")
    return _ended(lines)


def _begun(which: str, caption: str, label: str, columns: str) -> list[str]:
    return [
        f"% {which} of BiasPainter, for other models. Needs \\usepackage{{booktabs,graphicx}}.",
        "\\begin{table*}[htbp]",
        "\\centering",
        f"\\caption{{{escape(caption)}}}",
        f"\\label{{tab:biaspainter-{content_id(label)[:6]}}}",
        "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%",
        f"\\begin{{tabular}}{{{columns}}}",
        "\\toprule",
    ]


def _ended(lines: Sequence[str]) -> str:
    return "\n".join([*lines, "\\bottomrule", "\\end{tabular}}", "\\end{table*}"]) + "\n"


def _caption(seen: Looked) -> str:
    what = "bias beyond that of edits that ask for nothing" if seen.relative else "bias"
    return (
        f"Words with the largest {what}, by topic and direction (in the layout of Tables 4 and 5 of BiasPainter), "
        f"perceived by {seen.annotator}. Bold: chance does not explain the score, by Benjamini and Hochberg over all "
        "words."
    )


def _printed_caption(seen: Looked) -> str:
    return (
        "Words with the largest bias by topic and direction as Tables 4 and 5 of BiasPainter print it: whatever the "
        f"editor does to every face counts as the word's doing. Perceived by {seen.annotator}. Bold: the score differs "
        "from 0 by more than chance, by Benjamini and Hochberg over all words."
    )


def _cell(word: TopWord | None) -> str:
    if word is None:
        return "-- & --"
    score = escape(word.text)
    return f"{escape(word.word)} & " + (f"\\textbf{{{score}}}" if word.stands_out else score)


def _levels_csv(levels: Sequence[Level]) -> str:
    header = ["model", "attribute", "topic"]
    header += [f"{name}{end}" for name in LEVELS for end in ("", "_low", "_high")]
    lines: list[list[object]] = []
    for level in levels:
        rows = [level.rows.get(name) for name in LEVELS]
        numbers = [value for row in rows for value in ((row.value, row.low, row.high) if row else (None,) * 3)]
        lines.append([level.editor, level.role, level.topic or "all", *numbers])
    return csv_text(header, lines)


def _levels_latex(levels: Sequence[Level], seen: Looked) -> str:
    shown = [name for name in LEVELS if any(name in level.rows for level in levels)]
    caption = (
        "Mean sizes of biases. Image bias: every edit by itself, as Table 3 of BiasPainter prints it. Word bias: the "
        "mean over faces first, so that what a word does to some faces and undoes in others cancels. Null edits ask "
        f"for nothing. 95 % intervals over faces. Perceived by {seen.annotator}."
    )
    if any(SIGN in level.text(name) for level in levels for name in shown):
        caption += f" {wide_words()}"
    lines = _begun("Table 3", caption, f"{seen.annotator} levels", "lll" + "r" * len(shown))
    lines.append(" & ".join(["Model", "Attribute", "Topic", *(_HEADS[name] for name in shown)]) + " \\\\")
    for place, level in enumerate(levels):
        before = levels[place - 1] if place else None
        if before is None or (before.editor, before.role) != (level.editor, level.role):
            lines.append("\\midrule")
        about = [escape(level.editor), level.role.capitalize(), escape((level.topic or "all words").capitalize())]
        lines.append(" & ".join([*about, *(escape(level.text(name)) for name in shown)]) + " \\\\")
    return _ended(lines)
