from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from tests.samples.drawings import figure_of

from portrayal.methods.bafis.report.section import BafisSection
from portrayal.methods.by_language.report.language_section import LanguageContent
from portrayal.methods.by_language.report.prompt_titles import pair_title
from portrayal.methods.by_language.report.seen import Pair
from portrayal.records import Adjustment, Measurement, Note, attribute_table
from portrayal.reports import ReportData, render_report

Jobs = Callable[..., ReportData]


def content(data: ReportData) -> LanguageContent | None:
    shown = BafisSection().show(data)
    if shown is None:
        return None
    assert isinstance(shown.content, LanguageContent)
    return shown.content


def row(metric: str = "share", **more: Any) -> Measurement:
    values: dict[str, Any] = {"annotator": "a", "attribute": "gender", "group": "female", "language": "de", "n": 120}
    return Measurement("bafis", metric, **{"generator": "g", **values, **more})


def cell(item: str, value: float, gap: tuple[float, float, float] | None, **more: Any) -> list[Measurement]:
    """Return a category's share and, where it has a reference, its difference from that."""
    place = {"level": "category", "item": item, **more}
    target = None if gap is None else value - gap[0]
    name = "" if gap is None else "statistics"
    share = row(value=value, low=value - 0.05, high=value + 0.05, target=target, reference=name, **place)
    if gap is None:
        return [share]
    return [share, row("difference", value=gap[0], low=gap[1], high=gap[2], reference="statistics", **place)]


def small(*rows: Measurement, **more: Any) -> ReportData:
    attributes = {name: attribute_table()[name] for name in ("gender", "race5")}
    values: dict[str, Any] = {"reference_sources": {"statistics": "an office, https://example.org/2024"}, **more}
    return ReportData("T", ["g"], ["a"], [], 4, attributes, rows, {"g": {"made": 4}}, {}, **values)


def plain(page: str) -> str:
    """Return what a reader sees of the section, in single spaces."""
    section = page.split('<section id="bafis">')[1].split("</section>")[0]
    text = html.unescape(re.sub(r"<title>.*?</title>|<[^>]+>", " ", section, flags=re.DOTALL))
    return re.sub(r"\s+", " ", text)


def said(*rows: Measurement, **more: Any) -> str:
    return plain(render_report(small(*rows, **more)))


FOUR = [
    *cell("Business & Management", 0.62, (0.17, 0.08, 0.26)),
    *cell("Technical & Engineering", 0.02, (-0.14, -0.18, -0.003)),
    *cell("Service & Hospitality", 0.58, (-0.02, -0.1, 0.06)),
    *cell("Healthcare & Social Services", 0.7, None),
]


@pytest.mark.slow
def test_without_rows_of_the_method_there_is_no_trace_of_it(sample: ReportData) -> None:
    page = render_report(sample)
    assert "bafis" not in page.lower()
    assert content(sample) is None


@pytest.mark.slow
def test_the_other_sections_stay_as_they_are_beside_it(sample: ReportData, jobs: Jobs) -> None:
    rows = jobs(models=tuple(sample.generators), races=False).measurements
    both = render_report(replace(sample, measurements=[*sample.measurements, *rows]))
    for name in ("asked", "headline", "terms", "truth"):
        pattern = rf'<section id="{name}">.*?</section>'
        found = [re.search(pattern, page, re.DOTALL) for page in (both, render_report(sample))]
        assert found[0] is not None
        assert found[1] is not None
        assert found[0][0] == found[1][0]


def test_a_study_of_jobs_alone_has_no_empty_headline(jobs: Jobs) -> None:
    page = render_report(jobs())
    assert 'href="#bafis"' in page
    assert 'id="headline"' not in page
    assert "No data in this report" not in page


def test_rows_of_the_table_of_all_numbers_are_worded(jobs: Jobs) -> None:
    data = jobs()
    text = html.unescape(render_report(replace(data, language="de")))
    for raw in ("(de feminine", "(en direct", "− en direct"):
        assert raw not in text
    assert "Wirtschaft" in text
    row = next(row for row in data.measurements if row.metric == "paired_difference" and row.level == "overall")
    assert BafisSection().item(row) == "overall (" + pair_title(Pair(row.language, row.variant, row.reference)) + ")"
    whole = replace(row, metric="share", language="", variant="", level="category", item="Business & Management")
    assert BafisSection().item(whole) == "Business & Management"
    assert BafisSection().item(replace(whole, language="de", variant="direct")) == (
        "Business & Management (German: generic masculine)"
    )


def test_over_and_under_representation_in_english() -> None:
    text = said(*FOUR)
    assert "Prompts in German, perceived gender: female" in text
    assert "Reference: statistics (an office, https://example.org/2024 )." in text
    assert "Cells with a reference: 3. Clearly above it: 1. Clearly below it: 1." in text
    assert "About one cell in twenty looks clear by chance alone." in text
    assert "1 over, 1 under, of 3 cells" in text
    assert "Business & Management g +17 +8 to +26 ▲ over-represented 62 % 45 % 120" in text
    assert (
        "Technical & Engineering g −14 −18.0 to −0.3\N{SUPERSCRIPT PLUS SIGN} ▼ under-represented 2 % 16 % 120" in text
    )
    assert "Service & Hospitality g −2 −10 to +6 ○ no clear difference 58 % 60 % 120" in text
    assert "Healthcare & Social Services g – no reference 70 % 120" in text
    assert "g 1 1 1 1" in text.split("by model")[1]


def test_over_and_under_representation_in_german() -> None:
    text = said(*FOUR, language="de")
    assert "Prompts auf Deutsch, wahrgenommenes Geschlecht: weiblich" in text
    assert "Zellen mit Referenz: 3. Klar darüber: 1. Klar darunter: 1." in text
    assert "1 darüber, 1 darunter, von 3 Zellen" in text
    assert "Wirtschaft und Management g +17 +8 bis +26 ▲ überrepräsentiert 62 % 45 % 120" in text
    assert (
        "Technik und Ingenieurwesen g −14 −18,0 bis −0,3\N{SUPERSCRIPT PLUS SIGN} ▼ unterrepräsentiert 2 % 16 % 120"
        in text
    )
    assert "Dienstleistung und Gastgewerbe g −2 −10 bis +6 ○ kein klarer Unterschied" in text
    assert "Gesundheit und Soziales g – keine Referenz" in text


@pytest.mark.parametrize(("language", "first"), [("en", "Prompts in English"), ("de", "Prompts auf Deutsch")])
def test_the_report_s_own_language_comes_first(jobs: Jobs, language: str, first: str) -> None:
    text = plain(render_report(replace(jobs(races=False), language=language)))
    heads = re.findall(r"Prompts (?:in|auf) \w+", text)
    assert heads[0] == first
    assert heads[1] != first


def test_gender_comes_before_race_and_race_before_the_rest(jobs: Jobs) -> None:
    data = jobs(models=("m",))
    older = [replace(r, attribute="age3", group="young") for r in data.measurements if r.attribute == "gender"]
    attributes = {name: attribute_table()[name] for name in ("age3", "race5", "gender")}
    section = content(replace(data, measurements=[*older, *data.measurements], attributes=attributes))
    assert section is not None
    assert [block.attribute for block in section.views[0].categories] == ["gender", "race5", "age3"] * 2


def test_many_cells_come_with_the_number_that_chance_alone_makes_clear(jobs: Jobs) -> None:
    text = plain(render_report(jobs()))
    assert "about one in twenty, here about 18," in text


def test_a_reference_that_covers_only_some_occupations_is_said_to() -> None:
    place = {"level": "category", "item": "Business & Management"}
    gap = row("difference", value=0.1, low=0.02, high=0.2, reference="statistics", n=40, **place,
              notes=(Note.of("reference_covers", n=3, m=9),))  # fmt: skip
    rows = [row(value=0.4, low=0.3, high=0.5, **place), gap]
    text = said(*rows)
    assert "Reference: statistics" in text
    assert "The reference has no figures for some occupations." in text
    assert "+10 +2 to +20 ▲ over-represented reference covers 3 of 9 prompts 40 % in part 40" in text
    assert "die Referenz deckt 3 von 9 Prompts ab" in said(*rows, language="de")


def test_pairs_say_what_is_compared_with_what() -> None:
    def pair(variant: str, reference: str, language: str = "de") -> Measurement:
        return row("paired_difference", variant=variant, reference=reference, language=language,
                   value=0.124, low=0.031, high=0.21)  # fmt: skip

    rows = [*FOUR, pair("direct", "en direct"), pair("indirect", "en indirect"), pair("feminine", "de direct")]
    rows.append(row(variant="direct", language="en"))
    text = said(*rows)
    assert "What the language changes: perceived gender: female" in text
    assert "German (generic masculine) minus English (job named) +12 +3 to +21 120" in text
    assert "German minus English: job described +12 +3 to +21 120" in text
    assert "What the wording changes: perceived gender: female" in text
    assert "German: “feminine form” minus “generic masculine” +12 +3 to +21 120" in text
    assert "Deutsch: „feminine Form“ minus „generisches Maskulinum“ +12 +3 bis +21" in said(*rows, language="de")


def test_wordings_and_distances_are_told_apart_by_language() -> None:
    rows = [row(variant=name, value=0.3, low=0.2, high=0.4) for name in ("group", "star", "direct", "my_own")]
    rows += [row("total_variation", group="", language=code, value=0.2, low=0.1, high=0.3) for code in ("de", "tlh")]
    text = said(*rows)
    order = ["German: generic masculine", "German: gender star", "German: group", "German: my own"]
    assert [text.index(label) for label in order] == sorted(text.index(label) for label in order)
    assert "Perceived gender Language" in text
    assert "German 0.20 0.10–0.30 120 tlh 0.20 0.10–0.30 120".lower() in text.lower()


def test_missing_images_are_shown_where_one_wording_loses_more_than_another() -> None:
    shares = [row(variant=name, value=0.5, low=0.4, high=0.6, prompts=30) for name in ("direct", "group", "indirect")]
    lost = row("missing", attribute="", group="no_face", variant="group", value=0.3, low=0.2, high=0.4, n=140)
    text = said(*shares, lost)
    assert "No face" in text
    assert "German: group 30 % 20–40 % 140" in text
    assert "German: generic masculine 0 % 0–3 %\N{SUPERSCRIPT PLUS SIGN} 120" in text
    even = replace(lost, value=0.09)
    assert "No reason comes up ten points more often" in said(*shares, even)
    assert "No missing image is on record." in said(*shares)


def test_a_reason_that_never_came_up_has_the_interval_of_a_share_over_prompts() -> None:
    lost: dict[str, Any] = {"attribute": "", "group": "no_face", "n": 12, "prompts": 3}
    some = row("missing", variant="group", value=1 / 12, low=0.0, high=0.6, **lost)
    many = row("missing", variant="indirect", value=0.5, low=0.1, high=0.9, **lost)
    text = said(row(variant="direct", value=0.5, low=0.4, high=0.6, prompts=3), some, many)
    assert "German: group 8 % 0–60 %\N{SUPERSCRIPT PLUS SIGN} 12" in text
    assert "German: generic masculine 0 % 0–26 %\N{SUPERSCRIPT PLUS SIGN} 12" in text


def test_only_models_that_differ_are_drawn_when_there_are_many(jobs: Jobs) -> None:
    section = content(jobs())
    assert section is not None
    assert [panel.title for panel in figure_of(section.views[0].uneven).panels] == ["SD3-large: No face"]


def test_nothing_measured_says_so() -> None:
    empty = row(
        value=None,
        group="",
        n=0,
        notes=(Note.of("no_usable_image_because", no_face=4),),
        level="category",
        item="X & Y",
    )
    text = said(empty)
    assert "No data in this report: perceived gender." in text
    assert "No share has been measured by category." in text
    assert "X & Y" not in text
    unseen = replace(empty, generator="h", item="Business & Management")
    text = plain(render_report(replace(small(*FOUR, unseen), generators=["g", "h"])))
    assert "h – no data no usable image (no face 4) 0" in text
    assert "h – no data not measured" in text
    bare = said(row("missing", attribute="", group="no_face", value=1.0))
    assert "No share has been measured by category." in bare


def test_without_any_reference_nothing_is_called_over_or_under(jobs: Jobs) -> None:
    text = plain(render_report(jobs(models=("m", "n"), reference="")))
    assert "No reference." in text
    assert "No cell can be compared: there is no reference for these groups." in text
    assert "▲" not in text
    assert "Distance from the reference" not in text


def test_each_annotator_has_its_own_part() -> None:
    other = [replace(r, annotator="b") for r in FOUR]
    refused = row("missing", annotator="", attribute="", group="refused", variant="direct", value=0.5)
    section = content(replace(small(*other, *FOUR, refused), annotators=["a", "b"]))
    assert section is not None
    assert [view.annotator for view in section.views] == ["a", "b"]
    assert all(view.any_missing for view in section.views)


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 4, 5, 30])
def test_any_number_of_models(jobs: Jobs, count: int) -> None:
    models = tuple(f"model {number:02d}" for number in range(count))
    section = content(jobs(models=models))
    assert section is not None
    first = figure_of(section.views[0].categories[0].charts[0])
    assert len(first.panels) == (1 if count <= 4 else 6)
    assert bool(first.panels[0].tail) is (count > 26)
    page = render_report(jobs(models=models))
    assert len(page.encode()) < 4_800_000
    assert plain(page).count("model 00") > 10


def test_texts_of_others_are_escaped() -> None:
    evil = "<script>alert(1)</script>"
    rows = [
        replace(r, generator=evil, annotator=evil, item=evil, notes=(Note.of(evil, name=evil),), variant=v)
        for r in FOUR
        for v in ("", evil)
    ]
    rows += [replace(r, reference=evil, language=evil) for r in rows if r.metric == "share"]
    rows.append(row("paired_difference", generator=evil, annotator=evil, reference=f"{evil} {evil}", value=0.1))
    data = replace(
        small(*rows),
        generators=[evil],
        annotators=[evil],
        reference_sources={evil: evil},
        adjusted={"bafis": [Adjustment(Note.of(evil, name=evil))]},
    )
    for language in ("en", "de"):
        assert "<script" not in render_report(replace(data, language=language))


def test_skin_tone_is_said_to_be_read_from_pixels() -> None:
    tone = row(attribute="tone3", group="dark", value=0.3, low=0.2, high=0.4, level="category", item="X & Y")
    data = replace(small(tone), attributes={"tone3": attribute_table()["tone3"]})
    assert "Perceived skin tone: read from pixels; lighting moves it" in plain(render_report(data))
    assert "read from pixels" not in said(*FOUR)
