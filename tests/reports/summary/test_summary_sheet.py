"""The sheet says what the first screen of the report says, and nothing where there is nothing."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from portrayal.language.translation import speaking
from portrayal.records import Measurement
from portrayal.reports import ReportData, render_report
from portrayal.reports.drawn_in_rounds import DrawnInRounds, DrawnPrompt
from portrayal.reports.findings.deviations.deviation import Answer
from portrayal.reports.page import render_pages, render_summary
from portrayal.reports.page_contents import page_contents
from portrayal.reports.section import measured_sections
from portrayal.reports.summary.summary_sheet import SummarySheet, summary_sheet
from portrayal.reports.text.notes import naming

TERMS = [(f"job {place}", 26 if place % 2 else 14) for place in range(8)]
FOUND = "Nothing here is certain enough to be quoted by itself."


def sheet(data: ReportData) -> SummarySheet:
    with speaking(data.language), naming(data.attributes):
        return summary_sheet(data, page_contents(data, measured_sections(data)))


def words(page: str) -> str:
    """Return what a reader sees."""
    body = re.sub(r"<style>.*?</style>|</?span[^>]*>", "", page, flags=re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", body)).split())


def share(model: str, term: str, women: int, n: int = 100) -> Measurement:
    """Return the share of women among the pictures of one prompt."""
    value = women / n
    return Measurement(
        "representation", "share", model, "faces", "gender", "female", "term", term, value=value,
        low=max(value - 0.1, 0), high=min(value + 0.1, 1), n=n, prompts=1, worth=float(n), prompt_set=term,
    )  # fmt: skip


@pytest.fixture
def two(sample: ReportData) -> ReportData:
    """Return two models of which one draws 11 of 100 women as CEO and 98 as nurse, the other 47 and 56."""
    rows = [share("B", "CEO", 47), share("A", "CEO", 11), share("B", "nurse", 56), share("A", "nurse", 98)]
    return replace(
        sample, generators=["B", "A"], declared=["A", "B"], measurements=rows, pictures=[], errors={},
        outcomes={"A": {"made": 200}, "B": {"made": 200}}, annotators=["faces"], judged={"faces": 400},
        perceived={"faces": 400}, date="2026-11-18",
    )  # fmt: skip


def test_of_two_models_the_differences_come_first_as_the_report_says_them(two: ReportData) -> None:
    found = sheet(two)
    assert [each.sentence for each in found.findings] == [
        "Nurse: a woman in 98 of 100\xa0pictures by A, in 56 of 100 by B.",
        "CEO: a woman in 11 of 100\xa0pictures by A, in 47 of 100 by B.",
    ]
    page = words(render_report(two))
    for each in found.findings:
        assert " ".join(each.sentence.split()) in page
        assert each.basis in page
    assert found.question == "How do A and B portray people, and do they differ?"


def test_the_sheet_speaks_of_no_table_that_it_does_not_have(two: ReportData) -> None:
    less_sure = [share("A", f"term {number}", 50 + number) for number in range(20)]
    less_sure += [share("B", f"term {number}", 50 - number) for number in range(20)]
    data = replace(two, measurements=less_sure)
    assert "only in the table" in words(render_report(data))
    assert "table" not in words(render_summary(data))
    many = [share(model, "CEO", 50) for model in "ABCD"]
    made = {model: {"made": 100} for model in "ABCD"}
    others = replace(two, measurements=many, generators=list("ABCD"), outcomes=made)
    assert any("further pairs no difference was found" in line for line in sheet(others).nothing)
    assert not any("table" in line for line in sheet(others).nothing)


def test_where_models_draw_alike_no_difference_is_claimed(two: ReportData) -> None:
    alike = [share(model, term, 50) for model in "AB" for term in ("CEO", "nurse")]
    found = sheet(replace(two, measurements=alike))
    assert found.findings == []
    (line,) = found.nothing
    assert re.fullmatch(
        r"No difference between A and B in perceived gender was found .* of \d+ points or more would probably have .*",
        line,
    )


def test_no_p_value_and_no_digest_is_on_the_sheet(two: ReportData) -> None:
    renamed = [replace(row, generator=f"simulated@1#{ord(row.generator):08x}") for row in two.measurements]
    models = [f"simulated@1#{ord(name):08x}" for name in "AB"]
    data = replace(two, measurements=renamed, generators=models, declared=models, outcomes={})
    assert "#00000041" in words(render_report(data))
    said = words(render_summary(data))
    assert "#0000" not in said
    assert not re.search(r"\bp (?:below )?0", said)
    assert "simulated (1)" in said
    assert "Parts of the same name are numbered here" in said


def test_every_sentence_of_the_findings_is_on_the_first_screen(sample: ReportData) -> None:
    one = replace(sample, generators=sample.generators[:1])
    report = words(render_report(replace(sample, generators=one.generators)))
    found = sheet(one)
    assert found.findings
    for each in found.findings:
        assert " ".join(each.sentence.split()) in report
        for line in (each.basis, *each.cautions):
            assert " ".join(line.split()) in report


def test_numbers_stay_when_the_language_changes(sample: ReportData) -> None:
    english, german = (sheet(replace(sample, language=language)) for language in ("en", "de"))
    numbers = [re.findall(r"\d+", f"{each.sentence} {each.basis}") for each in english.findings]
    assert numbers == [re.findall(r"\d+", f"{each.sentence} {each.basis}") for each in german.findings]
    assert german.question.startswith("Wie stellen")


def test_what_is_said_where_there_is_nothing_to_say(sample: ReportData) -> None:
    bare = replace(sample, measurements=[], pictures=[], perceived={})
    assert sheet(bare).nothing == ["Nothing could be measured in these pictures, so nothing can be said."]
    refused = replace(bare, judged={}, outcomes={name: {"refused: content_policy": 40} for name in sample.generators})
    none = sheet(refused)
    assert none.nothing == ["There are no pictures, so nothing can be said."]
    assert none.lookers == ["There are no pictures to look at."]
    assert all("refused" in each.sentence for each in none.verdicts)
    assert FOUND not in [*none.nothing, *sheet(sample).nothing]


def test_too_few_images_are_not_called_a_finding(sample: ReportData) -> None:
    rows = [replace(share("A", "CEO", 1, 2), target=0.5, reference="BLS 2023")]
    found = sheet(replace(sample, generators=["A"], measurements=rows, pictures=[], outcomes={"A": {"made": 2}}))
    assert found.findings == []
    assert found.nothing == [FOUND]
    assert "Nothing can" not in found.verdicts[0].sentence
    assert found.verdicts[0].word == "Inconclusive"


def test_that_every_picture_of_a_model_was_refused_is_what_was_found(two: ReportData) -> None:
    """Nothing was certain enough to be quoted, though 200 of 200 were refused."""
    rows = [replace(share("A", "CEO", 1, 2), target=0.5, reference="BLS 2023")]
    found = sheet(replace(two, measurements=rows, outcomes={"A": {"made": 2}, "B": {"refused: policy": 200}}))
    [said] = found.nothing
    assert said.replace("\xa0", " ").startswith("B: 200 images were asked for, and all were refused")


def test_what_a_method_answers_is_said_of_models_that_have_images(two: ReportData) -> None:
    """Of a model that refused everything the sheet said that its pictures repeat 0 relations."""
    with speaking("en"), naming(two.attributes):
        contents = page_contents(two, measured_sections(two))
        first = contents.first
        answered = [replace(model, answers=[Answer(f"{model.generator} answers.")], first=()) for model in first.models]
        refused = [replace(answered[0], unmade="All were refused."), answered[1]]
        found = replace(contents.found, first=replace(first, models=refused), compared=None)
        said = summary_sheet(two, replace(contents, found=found)).nothing
    names = [model.generator for model in refused]
    assert said == [f"{names[1]}: {names[1]} answers.", f"{names[0]}: All were refused."]


def test_what_stands_under_deviations_found_is_not_called_uncertain(two: ReportData) -> None:
    """No share over a term was sure, but how far terms lie off on average was: both stood on one sheet."""
    near = [replace(share("A", term, seen, 40), target=0.5, reference="BLS 2023") for term, seen in TERMS]
    apart = Measurement(
        "representation", "mean_total_variation", "A", "faces", "gender", reference="BLS 2023", value=0.3, low=0.2,
        high=0.4, n=320, prompts=8, prompt_set="all",
    )  # fmt: skip
    one = replace(two, generators=["A"], measurements=[*near, apart], outcomes={"A": {"made": 320}})
    found = sheet(one)
    assert found.findings == []
    assert found.verdicts[0].word == "Deviations found"
    assert found.nothing == [found.verdicts[0].sentence]
    assert "Single prompts lie 20 points or more from the reference on average" in found.nothing[0]
    assert sheet(replace(one, measurements=near)).nothing == [FOUND]
    both = sheet(replace(one, generators=["A", "B"], outcomes={**one.outcomes, "B": {"refused: policy": 20}}))
    assert [line.partition(":")[0] for line in both.nothing] == ["A", "B"]


def test_a_model_without_numbers_is_not_said_to_lack_a_reference(two: ReportData) -> None:
    found = sheet(replace(two, generators=["A", "B", "C"], outcomes={**two.outcomes, "C": {"made": 5}}))
    said = {each.name: each.sentence for each in found.verdicts}
    assert said["C"].startswith("This model has no numbers")
    assert said["A"].startswith("No reference was chosen")


def test_who_looked_and_how_often_it_errs(two: ReportData) -> None:
    (line,) = sheet(two).lookers
    assert line == "faces (a program, not a person). How often it errs on such pictures is not known."
    assert sheet(replace(two, judged={})).lookers == ["Nobody has looked at the pictures yet."]


def test_of_many_models_the_rest_is_counted(simulated: Callable[..., ReportData]) -> None:
    data = simulated(generators=tuple(f"Model {number}" for number in range(12)))
    found = sheet(data)
    assert found.more_models == 4
    assert "4\xa0more models are in the full report." in render_summary(data)
    assert len(set(re.findall(r"Model \d+", " ".join(each.name for each in found.verdicts)))) == 8


def test_limits_that_have_no_room_are_counted(sample: ReportData) -> None:
    found = sheet(replace(sample, attributes={name: replace(each, caution="x " * 4000 + name) for name, each in
                                              sample.attributes.items()}))  # fmt: skip
    assert found.more_unknown
    assert "x x" not in " ".join(found.unknown)


def test_the_report_links_to_the_sheet_and_back(sample: ReportData) -> None:
    pages = render_pages(sample)
    assert set(pages) == {"index.html", "summary.html"}
    assert '<a href="summary.html"' in pages["index.html"]
    assert '<a href="index.html">' in pages["summary.html"]
    assert pages["summary.html"] == render_summary(sample)
    assert pages["index.html"] == render_report(sample)


def test_texts_of_others_are_escaped(two: ReportData) -> None:
    evil = "<script>alert(1)</script>"
    page = render_summary(replace(two, title=evil, measurements=[replace(row, item=evil) for row in two.measurements]))
    assert "<script" not in page


def test_the_sheet_of_an_adaptive_run_says_whether_it_is_over(two: ReportData) -> None:
    done = DrawnPrompt("A", "CEO", "CEO", 12, 60, "narrow")
    over = DrawnInRounds(2, 6, 6, 0.965, [done], attribute="gender", unit="term", half_width=0.1)
    going_on = replace(over, prompts=[done, replace(done, reason="")])
    assert "The run is over" in dict(sheet(replace(two, rounds=over)).facts)["Drawn in rounds"]
    assert "The run is not over" in dict(sheet(replace(two, rounds=going_on)).facts)["Drawn in rounds"]
    assert "Drawn in rounds" not in dict(sheet(two).facts)
