"""Tables as files: whatever the cells hold, a table stays a table."""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from portrayal.errors import PortrayalError
from portrayal.language.translation import speaking, t
from portrayal.reports.figures.named_figures import NamedTable
from portrayal.reports.figures.table_files import csv_table, latex_table, markdown_table

HOSTILE = "<b>50%</b> | \\input{x} $a_1$ & *b*\n[c](http://d) `e`"
TABLE = NamedTable(
    "t",
    "A title with 100 % & more",
    ["Term", "Value", "95\N{NO-BREAK SPACE}% interval"],
    [[HOSTILE, "50\N{NO-BREAK SPACE}%", "\N{MINUS SIGN}0.2 to 0.3"], ["=1+1", "0.93 \N{RIGHTWARDS ARROW} 0.95", ""]],
    ["only 4 images_", ""],
    "Study: a | b.",
)


def test_csv_runs_nothing_and_has_notes_as_a_column() -> None:
    header, first, second = csv.reader(io.StringIO(csv_table(TABLE), newline=""))
    assert header == ["Term", "Value", "95 % interval", "Note"]
    assert first == [HOSTILE, "50 %", "\N{MINUS SIGN}0.2 to 0.3", "only 4 images_"]
    assert second == ["'=1+1", "0.93 \N{RIGHTWARDS ARROW} 0.95", "", ""]


def test_markdown_keeps_every_row_on_a_line_with_as_many_cells() -> None:
    lines = markdown_table(TABLE).splitlines()
    assert lines[0] == "**A title with 100 % &amp; more.** Study: a \\| b."
    assert lines[3] == "| --- | ---: | ---: |"
    assert lines[4] == (
        "| &lt;b&gt;50%&lt;/b&gt; \\| \\\\input{x} \\$a\\_1\\$ &amp; \\*b\\* \\[c\\](http://d) \\`e\\` "
        "| 50 %<sup>a</sup> | \N{MINUS SIGN}0.2 to 0.3 |"
    )
    assert lines[-1] == "<sup>a</sup> only 4 images\\_"


def test_latex_prints_everything_as_it_stands() -> None:
    text = latex_table(TABLE, "m-t")
    assert "\\caption{A title with 100 \\% \\& more. Study: a \\textbar{} b.}" in text
    assert "\\label{tab:m-t}" in text
    assert "Term & Value & 95~\\% interval \\\\\n" in text
    (row,) = [line for line in text.splitlines() if "textbackslash" in line]
    assert row.startswith("\\textless{}b\\textgreater{}50\\%\\textless{}/b\\textgreater{} \\textbar{} ")
    assert "\\textbackslash{}input\\{x\\} \\$a\\_1\\$ \\& {*}b{*} {[}c{]}" in row
    assert row.endswith(" & 50~\\%\\textsuperscript{a} & $-$0.2 to 0.3 \\\\")
    assert "=1+1 & 0.93 $\\rightarrow$ 0.95 &  \\\\" in text
    assert "\\textsuperscript{a}~only 4 images\\_" in text
    assert "longtable" not in text


def test_a_table_of_many_rows_goes_on_on_the_next_page_with_its_head() -> None:
    text = latex_table(NamedTable("t", "T", ["A"], [[str(number)] for number in range(41)]), "t")
    assert text.count("\nA \\\\\n") == 2
    assert "\\begin{longtable}{r}\n\\caption{T.}\\label{tab:t}\\\\\n" in text
    assert "parbox" not in text
    assert "longtable" not in latex_table(NamedTable("t", "T", ["A"], [["x"]] * 40), "t")


def test_numbers_never_stand_in_wrong_columns() -> None:
    with pytest.raises(PortrayalError, match=r"the table 't' has rows of another length than its header"):
        NamedTable("t", "T", ["A"], [["x"], ["x", "y"]])


def test_the_letter_of_a_note_stands_behind_the_last_cell_where_there_is_no_number() -> None:
    table = NamedTable("t", "T", ["A", "B"], [["x", "y"], ["z", ""]], ["why", "why"])
    assert "x & y\\textsuperscript{a} \\\\\nz & \\textsuperscript{a} \\\\" in latex_table(table, "t")


@pytest.mark.parametrize(("cell", "told"), [("漢字", True), ("\N{GRINNING FACE}", True), ("≥ 5 ± 1 × „Łódź“ α", False)])
def test_letters_that_pdflatex_does_not_know_are_told(cell: str, told: bool) -> None:
    text = latex_table(NamedTable("t", "T", ["A"], [[cell]]), "t")
    assert ("Needs XeLaTeX or LuaLaTeX" in text.splitlines()[1]) is told


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="LaTeX is not installed")
def test_tables_compile(tmp_path: Path) -> None:
    cells = [HOSTILE, "≥ 5 ± 1 × „Łódź“ α Σ … é", "~^\\# {x} --"]
    short = NamedTable("t", HOSTILE, ["A", "B_1 & %"], [[cell, "50 %"] for cell in cells], ["note_", "", "#"], "C & D")
    long = NamedTable("t", "T", ["A", "B"], [[f"{number}", "x"] for number in range(90)], [], "C")
    wide = NamedTable("t", "T", list("ABCDEFGH"), [["x"] * 8] * 90, [], "C")
    packages = "\\usepackage[T1]{fontenc}\\usepackage{booktabs,graphicx,longtable,pdflscape}"
    body = "\n".join(latex_table(table, f"m-{place}") for place, table in enumerate((short, long, wide)))
    (tmp_path / "t.tex").write_text(
        f"\\documentclass{{article}}{packages}\\begin{{document}}\n{body}\\end{{document}}\n", encoding="utf-8"
    )
    command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "t.tex"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert ran.returncode == 0, ran.stdout.decode(errors="replace")[-2000:]
    assert (tmp_path / "t.pdf").is_file()


def test_names_in_any_script_are_in_every_file_without_marks_of_direction() -> None:
    names = ["معلم (2)", "面包师", "パン職人", "제빵사", "пекарь"]
    with speaking("en", page=True):
        table = replace(TABLE, rows=[[t("{name} 3 of 4", name=name), "5", ""] for name in names], notes=())
    assert "\N{FIRST STRONG ISOLATE}معلم" in table.rows[0][0]
    for written in (csv_table(table), markdown_table(table), latex_table(table, "x").replace("{}", "")):
        assert all(f"{name} 3 of 4" in written for name in names)
        assert not {"\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"} & set(written)
    assert "XeLaTeX or LuaLaTeX" in latex_table(table, "x")
    assert "bidi=basic" in latex_table(table, "x")
    assert "bidi=basic" not in latex_table(replace(table, rows=table.rows[1:]), "x")
