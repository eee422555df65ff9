from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from tests.samples.drawings import figure_named, figure_of

from portrayal.methods.bias_scores.report import unscored_prompts
from portrayal.methods.faintbench.report.section import FaintbenchContent, FaintbenchSection
from portrayal.records import Adjustment, Measurement, Note, attribute_table
from portrayal.reports import ReportData, render_report
from portrayal.reports.figures import measurement_tables as tables
from portrayal.reports.figures.measurement_tables import measurement_tables

Benched = Callable[..., ReportData]


def content(data: ReportData) -> FaintbenchContent | None:
    shown = FaintbenchSection().show(data)
    if shown is None:
        return None
    assert isinstance(shown.content, FaintbenchContent)
    return shown.content


def row(metric: str, **more: Any) -> Measurement:
    values: dict[str, Any] = {"annotator": "a", "value": 0.8712, "low": 0.86, "high": 0.88, "n": 80, "prompts": 4}
    return Measurement("faintbench", metric, "g", **{**values, **more})


def small(*rows: Measurement, **more: Any) -> ReportData:
    attributes = {name: attribute_table()[name] for name in ("gender", "race5", "age3")}
    return replace(ReportData("T", ["g"], ["a"], [], 4, attributes, rows, {"g": {"made": 4}}, {}), **more)


def plain(page: str) -> str:
    """Return what a reader sees, in single spaces."""
    text = re.sub(r"<style>.*?</style>|<[^>]+>", " ", page, flags=re.DOTALL)
    return re.sub(r"\s+", " ", html.unescape(text))


def section(page: str) -> str:
    return page.split('<section id="faintbench">')[1].split("</section>")[0]


def test_without_rows_of_the_method_there_is_no_trace_of_it(sample: ReportData) -> None:
    page = render_report(sample)
    assert "faintbench" not in page.lower()
    assert ".eta" not in page


@pytest.mark.slow
def test_with_both_methods_the_other_sections_stay_as_they_are(sample: ReportData, benched: Benched) -> None:
    bench = benched(models=tuple(sample.generators), human=True)
    both = render_report(replace(sample, measurements=[*sample.measurements, *bench.measurements]))
    for name in ("asked", "headline", "terms", "truth", "missing"):
        pattern = rf'<section id="{name}">.*?</section>'
        found = [re.search(pattern, page, re.DOTALL) for page in (both, render_report(sample))]
        assert found[0]
        assert found[1]
        assert found[0][0] == found[1][0]


def test_each_result_is_a_sentence_with_its_interval() -> None:
    rows = [
        row("implicit_score"),
        row("implicit_score", attribute="gender", value=0.94, low=0.93, high=0.95),
        row("explicit_score", value=0.7, low=0.6, high=0.8, missing=3),
        row("explicit_score_hard", value=0.75, low=0.65, high=0.85),
        row("manifestation", value=0.61, low=0.58, high=0.64, notes=(Note.of("variant", name="definition"),)),
    ]
    text = plain(render_report(small(*rows)))
    assert "Implicit bias score: 0.871 ( 0.860–0.880 )." in text
    assert "By attribute: perceived gender 0.940 ( 0.930–0.950 ). 4 prompts, 80 images used, none missing." in text
    assert "Explicit bias score: 0.700 ( 0.600–0.800 ). Counting whole images: 0.750 ( 0.650–0.850 )." in text
    assert "Manifestation factor η: 0.610 ( 0.580–0.640 ): more discrimination than ignorance." in text
    assert "an implicit score must never be compared with an explicit one" in text


@pytest.mark.parametrize(
    ("value", "low", "high", "variant", "says"),
    [
        (0.4, 0.3, 0.45, "definition", "more ignorance than discrimination"),
        (0.49, 0.4, 0.6, "definition", "its interval holds 0.5, so neither side prevails"),
        (0.6, 0.55, 0.65, "published", "pairs mostly stray the same way"),
        (0.6, 0.55, 0.65, "released", "pairs mostly stray the same way"),
    ],
)
def test_what_eta_means_depends_on_its_variant(value: float, low: float, high: float, variant: str, says: str) -> None:
    page = render_report(
        small(row("manifestation", value=value, low=low, high=high, notes=(Note.of("variant", name=variant),)))
    )
    text = plain(page)
    assert says in text
    assert f"Variant of η: {variant} ." in text
    assert ("to the left ignorance" in text) is (variant == "definition")
    assert 'class="c0 o"' not in section(page)  # naming the variant is no reason for care


def test_a_missing_total_says_why_and_keeps_what_is_there(benched: Benched) -> None:
    page = render_report(benched(models=("SDXL",), annotators=("faces@1",)))
    text = plain(section(page))
    assert "Implicit bias score: no total. By attribute: perceived gender" in text
    assert "Perceived race: not observed by faces@1" in text
    assert "race5" not in text
    assert "Perceived gender: 8 prompts, 80 images used, 4 missing. Perceived age group: 8 prompts" in text
    assert " 0 images used" not in text
    found = content(benched(models=("SDXL",), annotators=("faces@1",)))
    assert found
    acquired = figure_named("by acquired attribute", [part.chart for part in found.views[0].implicit])
    assert [panel.title for panel in acquired.panels] == ["Perceived gender", "Perceived age group"]
    assert found.views[0].depth
    assert found.missing.others == [("perceived race: not observed by faces@1", "10\N{NO-BREAK SPACE}prompts")]


def test_an_adjusted_benchmark_says_so_before_any_number(benched: Benched) -> None:
    changed = [Adjustment(Note("weights_changed"), (Note.of("weight_of_term", name="Nurse", n=3, m=2),))]
    text = plain(section(render_report(benched(adjusted=changed, profile="optimised"))))
    told = "weights changed: Nurse 3 (published 2)"
    assert text.index("This is not the published FAIntbench:") < text.index(told) < text.index("0.8")
    assert "Alignment profile: optimised." in text
    assert "not the published" not in render_report(benched())


def test_the_page_says_what_scores_mean_and_what_they_cannot_be_compared_with(benched: Benched) -> None:
    text = plain(section(render_report(benched())))
    assert "An implicit score lies between 0.5 and 1, an explicit one between 0 and 1" in text
    assert "What cannot be compared with the authors’ script" in text
    assert "0.6666 where the paper’s weights give 0.7234" in text


@pytest.mark.slow
@pytest.mark.parametrize("models", [1, 4, 7])
def test_any_number_of_models(benched: Benched, models: int) -> None:
    names = tuple(f"model-{index}" for index in range(models))
    data = benched(models=names, annotators=("clip@1", "faces@1"), human=True)
    page = render_report(data)
    assert "#s4" not in page
    assert section(page).count('<article class="finding">') == 2 * models
    found = content(data)
    assert found
    assert [view.annotator for view in found.views] == ["clip@1", "faces@1"]
    protected = figure_named("by protected attribute", [part.chart for part in found.views[0].implicit])
    assert len(protected.panels) == (4 if models > 4 else 1)
    assert len([lane for panel in protected.panels for lane in panel.lanes]) == 4 * models


def test_levels_are_drawn_with_their_words(benched: Benched) -> None:
    found = content(benched())
    assert found
    view = found.views[0]
    explicit = [part.chart for part in view.explicit]
    groups = figure_named("by group", explicit).panels[0].head
    assert len(groups) == 10
    assert {row.label for row in groups} >= {"Male (perceived gender)"}
    assert len(figure_named("by category", explicit).panels[0].head) == 7
    assert [row.label for row in figure_of(view.hallucinations).panels[0].head] == [
        "All prompts", "Occupation", "Characteristic", "Social relation",
    ]  # fmt: skip
    assert all(lane.target == "50" for lane in figure_of(view.eta).panels[0].lanes)


def test_the_lowest_prompts_and_the_papers_example_are_shown_in_depth() -> None:
    example = "a photo of an attractive person"
    rows = [row("implicit_score", low=0.1)]
    for index, text in enumerate([*(f"prompt {number}" for number in range(7)), example]):
        rows.append(row("implicit_score", attribute="gender", value=None))
        rows.append(row("implicit_score", level="prompt", item=text, value=0.6 + index / 100))
        share = {"attribute": "gender", "level": "prompt", "item": text, "target": 0.5}
        rows += [row("share", group=group, **share) for group in ("male", "female")]
    rows.append(
        row(
            "implicit_score",
            level="prompt",
            item="empty",
            value=None,
            notes=(Note.of("no_usable_image_because", no_face=4),),
        )
    )
    found = content(small(*rows))
    assert found
    depth = found.views[0].depth
    assert [item.prompt for item in depth] == [*(f"prompt {number}" for number in range(5)), example]
    assert [item.why for item in (depth[1], depth[-1])] == ["2nd lowest of 8", "the paper’s example; 8th lowest of 8"]
    assert [lane.target_text for lane in figure_of(depth[0].chart).panels[0].lanes] == ["50\N{NO-BREAK SPACE}%"] * 2


def test_two_people_are_shown_side_by_side() -> None:
    rows = [row("implicit_score"), row("implicit_score", attribute="gender")]
    rows.append(row("implicit_score", level="prompt", item="two"))
    for side in ("left", "right"):
        rows.append(row("share", attribute=f"{side}.gender", group="male", level="prompt", item="two", target=0.5))
    found = content(small(*rows))
    assert found
    assert [panel.title for panel in figure_of(found.views[0].depth[0].chart).panels] == [
        "Perceived gender of the person at left", "Perceived gender of the person at right",
    ]  # fmt: skip


def test_the_pairs_furthest_from_the_middle_are_shown_and_the_others_counted() -> None:
    rows = [row("manifestation", notes=(Note.of("variant", name="definition"),))]
    rows += [row("manifestation", level="pair", item=f"pair {i}", value=0.5 + i / 100) for i in range(-1, 13)]
    found = content(small(*rows))
    assert found
    pairs = found.views[0].pairs
    assert pairs
    assert (pairs.shown, pairs.total) == (10, 14)
    assert [item.label for item in figure_of(pairs.chart).panels[0].head] == [f"pair {i}" for i in range(12, 2, -1)]
    assert "10 of 14" in render_report(small(*rows))


def test_human_scores_stand_beside_the_automatic_ones(benched: Benched) -> None:
    page = render_report(benched(human=True))
    text = plain(section(page))
    assert "Against human eyes: sheet of labels" in text
    found = content(benched(human=True))
    assert found
    check = found.humans[found.views[0].annotator][0]
    assert check.differences
    assert [line[:2] for line in check.differences.rows] == [["SDXL", "Implicit"], ["SDXL", "Explicit"]]
    beside = figure_of(check.chart)
    assert [name for _, name in beside.legend] == ["clip@1", "sheet of labels"]
    assert [len(item.lanes) for item in beside.panels[0].head] == [2] * 8
    assert "Against human eyes" not in render_report(benched())


def test_everything_missing_is_counted_and_listed(benched: Benched) -> None:
    found = content(benched(annotators=("clip@1", "other@1")))
    assert found
    missing = found.missing
    assert missing.not_asked
    assert missing.no_image
    assert missing.unknown
    assert missing.not_asked.counts[0] == ("SDXL", "2 of 22\N{NO-BREAK SPACE}prompts (2 explicit)")
    assert [line[1:] for line in missing.not_asked.rows] == [("explicit", "all models")] * 2
    assert missing.no_image.rows[0] == ("a photo of one Dancer", "no usable image (no face 4)", "SDXL, seen by clip@1")
    assert missing.no_image.counts[1] == ("PixArt-Σ", "0 of 22\N{NO-BREAK SPACE}prompts")
    assert missing.unknown.rows == [("a cat & a dog", "7\N{NO-BREAK SPACE}images", "SDXL")]


def test_an_attribute_that_no_image_of_a_prompt_shows_is_named() -> None:
    rows = [row("implicit_score"), row("implicit_score", level="prompt", item="p", attribute="gender")]
    rows.append(
        row("implicit_score", level="prompt", item="p", attribute="age3", value=None, notes=(Note("no_usable_image"),))
    )
    found = content(small(*rows))
    assert found
    assert found.missing.no_image
    assert found.missing.no_image.rows == [("p", "perceived age group: no usable image", "g")]


def test_a_list_beyond_its_budget_says_how_much_it_leaves_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unscored_prompts, "LIST_BUDGET", 5)
    lost = {"level": "prompt", "value": None, "notes": (Note("not_asked"),), "n": 0}
    rows = [row("implicit_score"), *(row("implicit_score", item=f"p{number}", **lost) for number in range(8))]
    text = plain(render_report(small(*rows)))
    assert "Prompts not asked: the list of 8" in text
    assert "The first 5 lines; 3 more lines would make this page too heavy." in text


def test_nothing_missing_is_said_too() -> None:
    assert "Nothing: every prompt of this study was asked of every model" in render_report(small(row("implicit_score")))


def test_tables_keep_coarse_levels_and_say_what_they_leave_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "ROW_BUDGET", 5)
    levels = ("prompt", "pair", "category", "kind", "prompt", "overall", "prompt")
    data = small(*(row("implicit_score", level=level, item=f"{level} {i}") for i, level in enumerate(levels)))
    (table,) = measurement_tables(data)
    assert [line.item.split()[0] for line in table.rows] == ["overall", "kind", "category", "pair", "prompt"]
    assert (table.left_out, table.left_out_levels) == (2, [("prompt", 2)])
    text = plain(render_report(data))
    assert "the study’s measurements table has them (2 of level prompt). portrayal export STUDY" in text


def test_tables_print_scores_rates_and_aspects_well() -> None:
    rows = [
        row("implicit_score"),
        row("hallucination_rate", value=0.03, low=0.01, high=0.05),
        row("share", attribute="left.gender", group="male", value=0.3, low=0.2, high=0.4, target=0.5),
        row(
            "explicit_score",
            attribute="race5",
            value=None,
            notes=(Note.of("not_observed", attribute="race5", annotator="a"),),
        ),
    ]
    (table,) = measurement_tables(small(*rows))
    values = [(line.value.replace("\N{NO-BREAK SPACE}", " "), line.attribute) for line in table.rows]
    assert values == [
        ("0.871", ""),
        ("3 %", ""),
        ("30 %", "Perceived gender of the person at left"),
        ("no data", "Perceived race"),
    ]
    assert table.rows[3].note == "perceived race: not observed by a"
    assert table.rows[0].interval == "0.860–0.880"


def test_rows_of_unknown_prompts_alone_still_make_a_page() -> None:
    page = render_report(small(row("unknown_prompt", annotator="", level="prompt", item="a cat", value=None, n=3)))
    assert "a cat" in section(page)


def test_a_value_that_few_images_shift_stands_beside_the_corrected_one() -> None:
    lowered = [Note.of("few_images_lower", n=f"0.02{digit}") for digit in (6, 7)]
    shifted = row("implicit_score", value=0.8, corrected=0.826, notes=(lowered[0],))
    other = row("implicit_score", attribute="gender", value=0.79, corrected=0.817, notes=(lowered[1],))
    page = render_report(small(shifted, other))
    text = plain(section(page))
    assert "after an arrow, the estimate corrected for that, and the interval is around the latter" in text
    assert "0.800 → 0.826" in text
    assert page.count('class="cr c0"') >= 2
    assert "upright stroke: corrected for few images" in text
    assert "Few images lower this score by about 0.026" in text
    assert "a few images lower this score; the interval is around the corrected one" in text
    assert "after an arrow" not in render_report(small(row("implicit_score")))
    assert "upright stroke" not in render_report(small(row("implicit_score")))


def test_a_score_has_one_form_on_the_page() -> None:
    """The only prompt of a category has the score of the category; a wide interval must not round off the arrow."""
    score = row("implicit_score", value=0.855, corrected=0.863, low=0.797, high=0.929, prompts=1)
    share = row(
        "share", attribute="gender", group="female", value=0.5, low=0.4, high=0.6, level="prompt", item="a cook"
    )
    places: list[dict[str, Any]] = [{"level": "prompt", "item": "a cook"}, {"level": "category", "item": "arts"}, {}]
    rows = [replace(score, attribute=name, **place) for name in ("", "gender") for place in places]
    text = plain(render_report(small(share, *rows)))
    assert "Implicit score: g 0.855 → 0.863 ( 0.797–0.929 )" in text
    assert "Arts: 0.855 → 0.863 (0.797–0.929)" in text
    assert not re.search(r"0\.8[56] ", text)
