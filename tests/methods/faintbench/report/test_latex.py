from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portrayal.methods.faintbench.report.paper_latex import Caption, latex_index, latex_table
from portrayal.methods.faintbench.report.paper_tables import PaperRow, PaperTable
from portrayal.records import Measurement, Note
from portrayal.reports.figures.latex import escape
from portrayal.reports.lookup import Place

GOLDEN = r"""% Table 6 of FAIntbench, for other models. Needs \usepackage{booktabs,graphicx}.
\begin{table}[htbp]
\centering
\caption{Implicit bias score (in the layout of Table 6 of FAIntbench), as seen by clip@1. Alignment profile: optimised. Each value rests on 80 to 1,200 images. Below each value its 95 \% interval.}
\label{tab:faintbench-clip-1-06}
\par\smallskip
\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%
\begin{tabular}{lccc}
\toprule
Attribute & PixArt-$\Sigma$ & LCM\_50\% & \shortstack{diffusers:org/\\model@\\0123456789abcd\\ef} \\
\midrule
All attributes & 0.871 & 0.50\textsuperscript{*} & --\textsuperscript{a} \\
& {\scriptsize 0.860--0.880} & {\scriptsize 0.25--0.75} & \\
Perceived race & --\textsuperscript{b} & --\textsuperscript{b} & --\textsuperscript{a} \\
\bottomrule
\end{tabular}}
\par\smallskip
\parbox{\linewidth}{\footnotesize\raggedright \textsuperscript{a}~not measured in this study\\
\textsuperscript{b}~perceived race: not observed by clip@1\\
\textsuperscript{*}~Read with care; table\_06.csv says why.}
\end{table}
"""  # noqa: E501 - a caption is one line


def score(value: float | None, low: float | None, high: float | None, n: int, *notes: Note) -> Measurement:
    return Measurement("faintbench", "implicit_score", "m", value=value, low=low, high=high, n=n, notes=notes)


def table() -> PaperTable:
    unseen = score(None, None, None, 0, Note.of("not_observed", attribute="race5", annotator="clip@1"))
    rows = [
        PaperRow("All attributes", "implicit_score", "", Place(),
                 [score(0.8712, 0.86, 0.88, 1200), score(0.5, 0.25, 0.75, 80, Note.of("only_images", n=80)), None]),
        PaperRow("Perceived race", "implicit_score", "race5", Place(), [unseen, unseen, None]),
    ]  # fmt: skip
    models = ["PixArt-Σ", "LCM_50%", "diffusers:org/model@0123456789abcdef"]
    return PaperTable(6, "Implicit bias score", "Attribute", models, rows)


def test_a_table_reads_as_written_by_hand() -> None:
    found = latex_table(table(), Caption("clip@1", "clip-1", "optimised", "definition"))
    assert found == GOLDEN


def test_an_adjusted_benchmark_says_so_in_caption_and_comment() -> None:
    text = latex_table(table(), Caption("clip@1", "clip-1", adjusted=["weight of Nurse:\n3"]))
    assert "This is not the published FAIntbench: the benchmark was adjusted.}" in text
    assert "\n% Adjusted: weight of Nurse: 3\n" in text
    assert "profile" not in text


def test_every_line_has_as_many_cells_as_columns() -> None:
    text = latex_table(table(), Caption("clip@1", "clip-1"))
    body = text.split("\\toprule")[1].split("\\bottomrule")[0]
    lines = [line for line in body.splitlines() if re.search(r"(?<!\\)&", line)]
    assert [len(re.findall(r"(?<!\\)&", line)) for line in lines] == [3, 3, 3, 3]
    assert "{lccc}" in text


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a_b & c", r"a\_b \& c"),
        ("50% #1 $5", r"50\% \#1 \$5"),
        ("a\\b{c}", r"a\textbackslash{}b\{c\}"),
        ("~^<>|", r"\textasciitilde{}\textasciicircum{}\textless{}\textgreater{}\textbar{}"),
        ("0.1–0.2 −3", "0.1--0.2 $-$3"),
        ("--x---", "-{}-x-{}-{}-"),
        ("[a]*", "{[}a{]}{*}"),
        ("η Σ Α λ ς", r"$\eta$ $\Sigma$ A $\lambda$ $\varsigma$"),
        ("Größe", "Größe"),
        ("two\nlines\x00", "two lines "),
    ],
)
def test_escape(text: str, wanted: str) -> None:
    assert escape(text) == wanted


@settings(max_examples=100)
@given(st.text(max_size=40))
def test_no_text_can_break_a_table(text: str) -> None:
    found = re.sub(r"\\[{}$&#_%]", "", escape(text))
    assert found.count("{") == found.count("}")
    assert found.count("$") % 2 == 0
    assert not re.search(r"[&#%~^\n]", found.replace("~", "") if "\N{NO-BREAK SPACE}" in text else found)


def test_the_index_puts_every_table_in() -> None:
    text = latex_index([table()], Caption("clip@1\n", "clip-1"))
    assert text.endswith("\\providecommand{\\faintbenchpath}{}\n\\input{\\faintbenchpath table_06.tex}\n")
    assert all(line.startswith(("%", "\\")) for line in text.splitlines())


def test_a_value_that_few_images_shift_has_its_interval_around_the_corrected_one() -> None:
    shifted = replace(score(0.8, 0.86, 0.88, 9, Note.of("few_images_lower", n="0.07")), corrected=0.87)
    row = PaperRow("All", "implicit_score", "", Place(), [shifted])
    text = latex_table(PaperTable(6, "T", "A", ["m"], [row]), Caption("a", "a"))
    assert "the corrected estimate, and in brackets its 95 \\% interval." in text
    assert "{\\scriptsize 0.870 (0.860--0.880)}" in text
    assert "corrected" not in latex_table(table(), Caption("a", "a"))


def test_the_caption_tells_what_single_values_rest_on() -> None:
    rows = [
        PaperRow(name, "implicit_score", "", Place(), [score(0.8, 0.7, 0.9, n)]) for name, n in (("a", 3670), ("b", 20))
    ]
    text = latex_table(PaperTable(6, "Implicit bias score", "Kind", ["m"], rows), Caption("clip@1", "clip-1"))
    assert "Each value rests on 20 to 3,670 images." in text
