"""The section: the strip, what stands out in words, the paper's tables, and a page for each word."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from portrayal.methods.biaspainter.report.edit_words import fate_lines
from portrayal.methods.biaspainter.report.looked import looked
from portrayal.methods.biaspainter.report.section import BiasPainterSection
from portrayal.methods.biaspainter.report.word_deviations import first_edit
from portrayal.records import Measurement
from portrayal.reports import ReportData, render_report
from portrayal.reports.page import report_files, report_pages
from portrayal.study.report.gather_data import gather

pytestmark = pytest.mark.slow


def words(page: str) -> str:
    """Return what a page says, without markup."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page)).replace("\N{NO-BREAK SPACE}", " ")


@pytest.fixture(scope="module")
def data(study: Any) -> ReportData:
    return gather(study[0])


@pytest.fixture(scope="module")
def page(data: ReportData) -> str:
    return render_report(data)


@pytest.fixture(scope="module")
def still(painted: Any, tmp_path_factory: pytest.TempPathFactory) -> ReportData:
    """Return what is gathered of an editor that does nothing."""
    return gather(painted.measured(tmp_path_factory.mktemp("still"), edit={"moves": {}}, images=1)[0])


def test_the_strongest_pairs_are_in_the_first_screen(page: str) -> None:
    head = page[page.index('class="strip"') :].split('<div class="models')[0]
    assert head.count('<figure class="pair">') == 4  # four words stand out
    assert head.count('class="pic') == 8
    addresses = re.findall(r"data:image/\w+;base64,([\w+/=]+)", page)
    assert len(addresses) == len(set(addresses))  # the bytes of each are there once
    said = words(head)
    assert "“nurse” perceived as male, then as female" in said
    assert "“soldier” perceived as female, then as male" in said
    assert re.search(r"“judge” perceived age \d\d, then [67]\d", said)


def test_the_first_screen_tells_which_words_move_faces_with_the_first_edit_of_each(data: ReportData, page: str) -> None:
    said = words(page[page.index('id="found"') :].split("</section>")[0])
    nurse = re.search(
        r"Perceived gender “nurse” turned (\d+) of 27 men’s faces into women’s; edits that ask for nothing did so in "
        r"(\d+) of 81\. beyond edits that ask for nothing \+",
        said,
    )
    assert nurse
    edits = data.own_rows["biaspainter.edits"]
    for count, about in ((nurse[1], {"word": "nurse", "instruction": ""}), (nurse[2], {"topic": "null"})):
        mine = [row for row in edits if row["seed_gender"] == "male" and about.items() <= row.items()]
        assert int(count) == sum(row["gender_bias"] == 1 for row in mine)
    assert re.search(r"“soldier” turned 2\d of 27 women’s faces into men’s; edits that ask for nothing", said)
    assert "on a scale from −2 to 2" in said
    assert re.search(
        r"With “judge” faces look \d+\.\d years older on average; with edits that ask for nothing (as old|\d\.\d)", said
    )
    assert "“pen”" not in said
    assert re.search(
        r"beyond edits that ask for nothing, Perceived gender 0\.\d\d \( ?0\.\d\d–0\.\d\d ?"
        r"\N{SUPERSCRIPT PLUS SIGN} ?\), by chance about 0",
        said,
    )
    told = [own.word() for own in BiasPainterSection().deviations(data) if own.subject[-1] == "nurse"]
    assert [len(own.pictures) for own in told] == [2] * len(told)


def test_the_pictures_of_a_change_of_gender_are_of_a_face_that_could_change_so(data: ReportData) -> None:
    (seen,) = looked(data)
    for row in seen.words:
        if row["attribute"] == seen.attributes["gender"] and row["stands_out"]:
            edit = first_edit(seen, row)
            assert edit
            assert edit["seed_gender"] == ("female" if row["relative_score"] < 0 else "male")


def test_an_editor_that_does_nothing_has_no_deviation(still: ReportData) -> None:
    page = render_report(still)
    assert "Inconclusive." in words(page)


def test_where_nothing_stands_out_there_is_no_strip_and_it_is_said(still: ReportData) -> None:
    page = render_report(still)
    assert 'class="pair"' not in page[page.index("<body") : page.index("<nav")]
    said = words(page)
    assert said.count("no difference from edits that ask for nothing was found in 8 words.") == 3
    # With 18 faces little could have been found, and the page says how much.
    assert "To stand out alone among 8 words, one must turn 4 of 9 men’s faces" in said
    assert re.search(r"Among 8 words, one that moves faces by \d\.\d years or more beyond edits that ask", said)


def test_numbers_relative_to_null_edits_are_called_so_and_no_reference_is_claimed(page: str, still: ReportData) -> None:
    said = words(page)
    assert "every sentence, order and chart here is about that difference; for perceived gender it goes from −2" in said
    assert "against a reference" not in said
    alone = replace(still, measurements=[row for row in still.measurements if "relative" not in row.metric])
    assert "it goes from −2" not in words(render_report(alone))


def test_what_likeness_tells_is_measured(data: ReportData) -> None:
    row = Measurement("biaspainter", "same_face", "g", "likeness@1", "same_face", value=0.9, n=9, prompts=9)
    shown = BiasPainterSection().show(replace(data, measurements=[*data.measurements, row]))
    assert shown is not None
    assert shown.attributes == {"gender", "age", "intensity", "same_face"}


def test_the_page_says_by_which_gender_seeds_count(page: str, data: ReportData) -> None:
    assert "Seeds count as of the gender that they were chosen for" in words(page)
    german = words(render_report(replace(data, language="de")))
    assert "Ausgangsbilder zählen zu dem Geschlecht, für das sie ausgewählt wurden" in german


def test_what_stands_out_is_said_with_its_direction(page: str) -> None:
    said = words(page)
    assert "Perceived gender: 2 of 8 words stand out. " in said
    assert re.search(
        r"More men’s faces become women’s than with edits that ask for nothing: “nurse” \d\d of 27, against 0 of 81",
        said,
    )
    assert re.search(
        r"ore women’s faces become men’s than with edits that ask for nothing: “soldier” \d\d of 27, against 0 of 81",
        said,
    )
    assert re.search(
        r"Perceived age: 1 of 8 words stands out\. Faces look older than with edits that ask for nothing: “judge” "
        r"\+\d\d\.\d years, against [+−]?0\.\d",
        said,
    )
    assert re.search(
        r"Perceived skin tone: 1 of 8 words stands out\. Skin is lighter than with edits that ask for nothing: “model” "
        r"\+\d\d\.\d of 255 levels, against [+−]?0\.\d",
        said,
    )


def test_without_null_edits_the_page_says_what_that_means(painted: Any, tmp_path: Path, page: str) -> None:
    without = words(render_report(painted.gathered(tmp_path, suite={"null": []}, images=1)))
    assert "No edits that ask for nothing were made." in without
    assert "Edits that ask for nothing turned" not in without
    assert "than with edits that ask for nothing" not in without
    assert "turned" in without
    assert "asked for nothing:" not in without
    assert "No edits that ask for nothing were made." not in words(page)
    assert (
        "Edits that ask for nothing turned men’s faces into women’s in 0 of 81, and women’s into men’s in 0 of 81."
        in (words(page))
    )


def test_a_mitigation_has_its_chart(page: str, still: ReportData) -> None:
    assert "With “keep the gender”" in words(page)
    assert "With “" not in words(render_report(still))


def test_what_became_of_edits_is_counted(painted: Any, tmp_path: Path, data: ReportData) -> None:
    trouble = {"refused": 0.3, "several": 0.0}
    (seen,) = looked(painted.gathered(tmp_path, edit=trouble, images=1))
    lines = {what: number for what, number, _ in fate_lines(seen, seen.editors[0])}
    assert int(lines["refused: simulated refusal"]) > 20
    (usual,) = looked(data)
    assert not [what for what, _, _ in fate_lines(usual, usual.editors[0]) if what.startswith("refused")]


def test_attempts_that_were_rejected_are_told(painted: Any, tmp_path: Path, page: str) -> None:
    data = painted.gathered(tmp_path, edit={"several": 0.6}, images=1)
    (count,) = [round(row.value * row.n) for row in data.measurements if row.metric == "redrawn"]
    said = f"Besides, {count} attempts at these edits showed faces of different perceived gender, did not count"
    assert count > 20
    assert said in words(render_report(data))
    assert "Besides, " not in words(page)
    assert f"Außerdem zeigten {count} Versuche" in words(render_report(replace(data, language="de")))


def test_the_papers_layout_as_csv_and_latex(data: ReportData) -> None:
    files = report_files(data)
    (table,) = [text for path, text in files.items() if path.endswith("table4_as_printed.csv")]
    rows = list(csv.DictReader(io.StringIO(table)))
    first = {(row["topic"], row["direction"]): row for row in rows if row["rank"] == "1"}
    assert first["profession", "Male to female"]["word"] == "nurse"
    assert first["profession", "Female to male"]["word"] == "soldier"
    assert first["profession", "Older"]["word"] == "judge"
    assert first["profession", "Lighter"]["word"] == "model"
    assert first["profession", "Older"]["stands_out"] == "true"
    assert max(int(row["rank"]) for row in rows) <= 3
    assert all(float(row["score"]) > 0 for row in rows if row["direction"] in ("Male to female", "Older", "Lighter"))
    assert all(float(row["score"]) < 0 for row in rows if row["direction"] in ("Female to male", "Younger", "Darker"))
    (latex,) = [text for path, text in files.items() if path.endswith("table4.tex")]
    assert latex.count("\\begin{tabular}") == latex.count("\\end{tabular}") == 1
    assert "nurse & \\textbf{+0." in latex
    assert "bias beyond that of edits that ask for nothing" in latex
    (beyond,) = [text for path, text in files.items() if path.endswith("table4.csv")]
    top = next(row for row in csv.DictReader(io.StringIO(beyond)) if row["direction"] == "Towards female")
    assert (top["word"], top["rank"]) == ("nurse", "1")
    assert float(top["word_bias"]) == pytest.approx(float(first["profession", "Male to female"]["score"]))


def test_both_numbers_of_table_3_as_csv_and_latex(data: ReportData) -> None:
    files = report_files(data)
    (table,) = [text for path, text in files.items() if path.endswith("table3.csv")]
    found = {(row["attribute"], row["topic"]): row for row in csv.DictReader(io.StringIO(table))}
    for column in ("word_bias_relative", "word_bias", "image_bias"):
        wanted = (f"topic_{column}", "age", "profession")
        (row,) = [own for own in data.measurements if (own.metric, own.attribute, own.item) == wanted]
        assert float(found["age", "profession"][column]) == pytest.approx(row.value)
    assert float(found["age", "profession"]["image_bias"]) != float(found["age", "profession"]["word_bias"])
    (latex,) = [text for path, text in files.items() if path.endswith("table3.tex")]
    assert "Word bias beyond null edits & Word bias & Image bias & Image bias of null edits" in latex
    assert latex.count("\\midrule") == 3


def test_every_word_has_a_page_that_the_section_links(data: ReportData, page: str) -> None:
    pages = report_pages(data)
    assert len(pages) == 8
    assert all(f'href="{path}"' in page for path in pages)
    (nurse,) = [text for path, text in pages.items() if "profession-nurse" in path]
    assert nurse.count('<figure class="pair">') == data.most_pictures
    assert f"{data.most_pictures} pairs of 54, those that moved most first." in words(nurse)
    assert "perceived as male, then as female" in words(nurse)
    (pen,) = [text for path, text in pages.items() if "object-pen" in path]
    assert "then as female" not in words(pen)
    assert words(pen).count("Chance may explain the difference.") == 3
    assert words(nurse).count("Chance may explain the difference.") == 2  # gender is beyond it
    assert re.search(r"Perceived gender : “nurse” turned \d\d of 27 men’s faces into women’s; edits", words(nurse))


def test_words_that_differ_in_letters_that_names_lose_have_pages_of_their_own(data: ReportData) -> None:
    twins = [{**row, "word": word} for row in data.own_rows["biaspainter.words"][:1] for word in ("über", "uber", "?")]
    both = replace(data, own_rows={**data.own_rows, "biaspainter.words": twins})
    assert len(BiasPainterSection().pages(both)) == 3


def test_a_german_page_is_german(data: ReportData) -> None:
    german = replace(data, language="de")
    said = words(render_report(german))
    assert re.search(
        r"„nurse“ machte \d\d von 27 Männergesichtern zu Frauengesichtern; Bearbeitungen, die nichts", said
    )
    section = said[said.index("BiasPainter: was neutrale Wörter") : said.index("Fehlende Bilder", 5000)]
    for english in (" stands out", " edits ", "Perceived", " words ", "seed", "Older", "chance"):
        assert english not in section, english
    nurse = next(text for path, text in report_pages(german).items() if "nurse" in path)
    assert "als männlich wahrgenommen, dann als weiblich" in words(nurse)
