"""Every sentence that the page of an atlas can print about models, where it holds and where it does not."""

from __future__ import annotations

import html
import re
from typing import Any

import numpy as np
import pytest
from tests.apps.atlas.evaluations.test_verdicts import atlas, noise

from portrayal.apps.atlas.evaluations.atlas_summary import ProtocolSummary, summary
from portrayal.apps.atlas.evaluations.verdicts import About
from portrayal.apps.atlas.report.atlas_answer import answer, corrected, proofs
from portrayal.apps.atlas.report.atlas_page import render_atlas
from portrayal.apps.atlas.report.atlas_verdicts import evidence, trend_verdict
from portrayal.language.translation import NBSP
from portrayal.records.evaluated_models.evaluation import AtlasRows, Evaluation, ModelInfo, Score

RISE = [0.3 + 0.005 * place + error for place, error in enumerate(noise(40, 0.01))]
FALL = [0.6 - 0.005 * place + error for place, error in enumerate(noise(40, 0.01))]
FLAT = [0.5 + error for error in noise(40, 0.01)]
APART = [0.5 + 0.1 * (place % 2) + error for place, error in enumerate(noise(40, 0.01))]
PEOPLE: dict[str, Any] = {"likes": list(range(40)), "downloads": list(range(40))}


def section(scores: list[float], score: str = "miss_rate", **more: Any) -> ProtocolSummary:
    (made,) = summary(atlas(scores, score, **more), score).sections
    return made


def said(made: ProtocolSummary, about: str, group: str | None = None) -> str:
    every = made.asked(About(about))
    (verdict,) = [verdict for verdict in every if verdict.group == group and verdict.score == made.score]
    return evidence(made, verdict).replace(NBSP, " ")


def test_trends_with_their_number_interval_and_models() -> None:
    number = r"0\.\d{3,6} \([+−]0\.\d{3,6} to [+−]0\.\d{3,6}\) a year, 40 models"
    assert re.fullmatch(rf"Miss rate \(M_G\) rises in newer models: \+{number}\.", said(section(RISE), "time"))
    assert re.fullmatch(rf"Miss rate \(M_G\) falls in newer models: −{number}\.", said(section(FALL), "time"))
    flat = r"Miss rate \(M_G\): no trend found; one of 0\.\d+ a year or more would probably have shown \([+−]?"
    assert re.fullmatch(rf"{flat}{number}\)\.", said(section(FLAT), "time"))
    few = "Miss rate (M_G): too few models to see a trend (9 models with a date)."
    assert said(section(FLAT[:9]), "time") == few
    assert said(section(FLAT), "time") != few
    day = "Miss rate (M_G): no trend can be seen, because all 40 models have the same date."
    assert said(section(RISE, day="2022-01"), "time") == day


def test_the_margin_that_is_printed_is_never_less_than_the_interval() -> None:
    for seed in range(20):
        scores = np.random.default_rng(seed).normal(0.5, 0.05, 40).tolist()
        text = said(section(scores), "time")
        if "no trend found" in text:
            size = float(re.findall(r"one of ([\d.]+) a year", text)[0])
            ends = re.findall(r"\(([+−][\d.]+) to ([+−][\d.]+)\)", text)[0]
            assert size >= max(abs(float(end.replace("−", "-"))) for end in ends) - 1e-3


def test_scores_that_are_the_same_everywhere_or_nearly() -> None:
    assert said(section([0.1] * 40), "time") == "Miss rate (M_G) is the same in all 40 models."
    nearly = section([0.1] * 37 + [0.2, 0.3, 0.4])
    assert said(nearly, "time") == (
        "Miss rate (M_G): too few models to tell, because all but 3 of 40 models have the same value."
    )
    assert "same" not in said(section(FLAT), "time")


@pytest.mark.parametrize(("about", "names"), [("category", "kinds of models"), ("scheduler", "schedulers")])
def test_kinds_and_schedulers(about: str, names: str) -> None:
    groups: dict[str, Any] = {about: ["a", "b"] * 20}
    uneven: dict[str, Any] = {about: ["a"] * 36 + ["b"] * 4}
    apart = said(section(APART, **groups), about)
    mean = r"\(0\.\d+ \(0\.\d+–0\.\d+\); 20 models\)"
    assert re.fullmatch(
        rf"Miss rate \(M_G\) differs between {names}: b {mean} has the highest mean, a {mean} the lowest "
        r"\(corrected p below 0\.001\)\.",
        apart,
    )
    alike = said(section(FLAT, **groups), about)
    assert f"no difference between {names} found; one" in alike
    assert re.search(r"lies 0\.\d+ or more above or below the others would probably have shown \(corrected p = ", alike)
    assert alike.endswith("40 models).")
    few = said(section(APART, **uneven), about)
    assert few.startswith(f"Miss rate (M_G): too few models to tell whether {names} differ; that takes two")


def test_popularity() -> None:
    interval = r"Spearman −?0\.\d{2,3} \(−?0\.\d{2,3}( to |–)−?0\.\d{2,3}\), 40 models\."
    up, down = said(section(RISE, **PEOPLE), "popularity"), said(section(FALL, **PEOPLE), "popularity")
    assert re.fullmatch(rf"Miss rate \(M_G\) is higher in more popular models: {interval}", up)
    assert re.fullmatch(rf"Miss rate \(M_G\) is lower in more popular models: {interval}", down)
    none = said(section(FLAT), "popularity")
    assert "no relation with popularity found; a Spearman correlation of 0." in none
    assert none.endswith("40 models).")
    few = said(section(FLAT, likes=[None] * 31 + [1] * 9), "popularity")
    assert few == (
        "Miss rate (M_G): too few models to tell whether it goes with popularity (9 models have likes, downloads and "
        "this score)."
    )


def test_scores_that_move_with_images() -> None:
    images = [300, 840] * 20
    moved = section([5 + value for value in RISE], "distribution_bias", images=images)
    sentence = "Distribution bias (B_D) changes with the number of images, and the models have 300 to 840 images: not "
    sentence += "compared."
    assert {said(moved, about) for about in ("time", "category", "scheduler", "popularity")} == {sentence}
    assert answer(moved) == "Distribution bias (B_D) cannot be compared, because the numbers of images differ."
    same = section([5 + value for value in RISE], "distribution_bias", images=[300] * 40)
    assert said(same, "time").startswith("Distribution bias (B_D) rises in newer models")
    assert "cannot be compared" not in answer(same)


@pytest.mark.parametrize(
    ("scores", "verdict"),
    [
        (RISE, "rises"),
        (FALL, "falls"),
        (FLAT[:14], "too few models to tell"),
        ([0.1] * 40, "all have the same value"),
        ([0.1] * 37 + [0.2, 0.3, 0.4], "too few models with different values to tell"),
    ],
)
def test_cells_of_trends(scores: list[float], verdict: str) -> None:
    made = section(scores)
    cells = {verdict.group: trend_verdict(verdict) for verdict in made.asked(About.time)}
    assert {cells[kind][1] for kind in ("art", "foundation")} == {verdict}
    assert bool(cells["art"][0]) is (verdict in ("rises", "falls"))


def test_cells_of_trends_without_one() -> None:
    (flat,) = [verdict for verdict in section(FLAT).asked(About.time) if verdict.group is None]
    assert re.fullmatch(r"no trend found; 0\.\d+ a year or more would probably have shown", trend_verdict(flat)[1])
    day = section(RISE, day="2022-01").asked(About.time)[1]
    assert trend_verdict(day) == ("", "all have the same date: no trend can be seen")
    moved = section([5 + value for value in RISE], "distribution_bias", images=[300, 840] * 20)
    assert trend_verdict(moved.asked(About.time)[1]) == ("", "not compared: different numbers of images")


def test_the_first_sentence_says_what_was_found_then_what_was_not_then_what_cannot_be_said() -> None:
    none = "no difference in miss rate (M_G) between kinds of models and schedulers was found; "
    none += "no relation between miss rate (M_G) and popularity was found."
    assert answer(section(RISE)) == f"Newer models miss the prompt more often (trend); {none}"
    assert answer(section(FALL)) == f"Newer models miss the prompt less often (trend); {none}"
    assert answer(section(FLAT)) == f"No trend in miss rate (M_G) was found; {none}"
    assert answer(section(APART)).startswith("Kinds of models differ in miss rate (M_G); no trend in miss rate")
    turned = section(APART, category=["a"] * 40, scheduler=["x", "y"] * 20)
    assert answer(turned).startswith("Schedulers differ in miss rate (M_G); ")
    assert answer(turned).endswith("too few models to tell about kinds of models.")
    assert "more popular models have a higher miss rate (M_G)" in answer(section(RISE, **PEOPLE))
    assert "more popular models have a lower miss rate (M_G)" in answer(section(FALL, **PEOPLE))
    assert "more popular models have" not in answer(section(RISE))


def test_the_first_sentence_about_scores_without_words_of_their_own_and_several_at_once() -> None:
    assert answer(section(RISE, "beauty")).startswith("Newer models have a higher beauty (trend); ")
    assert answer(section(FALL, "beauty")).startswith("Newer models have a lower beauty (trend); ")
    rows = atlas(FALL, "miss_rate")
    both = [
        Evaluation(own.model, {**own.scores, "jaccard_hallucination": Score(value)})
        for own, value in zip(rows.evaluations, RISE, strict=True)
    ]
    (made,) = summary(AtlasRows().joined(both, rows.models.values())).sections
    assert answer(made).startswith(
        "Newer models add or leave out more objects (trend) and miss the prompt less often (trend); "
    )


def test_a_trend_of_one_kind_is_said_unless_all_models_have_it() -> None:
    kinds = ["art", "foundation"] * 20
    one = [rise if kind == "art" else 0.8 - rise for rise, kind in zip(RISE, kinds, strict=True)]
    text = answer(section(one, category=kinds))
    assert "Miss rate (M_G) rises among newer models of the kind art (trend)" in text
    assert "miss rate (M_G) falls among newer models of the kind foundation (trend)" in text
    assert "of the kind" not in answer(section(RISE, category=kinds))
    behind = [line.replace(NBSP, " ") for line in proofs(section(RISE, category=kinds))]
    assert [line.split(":")[0] for line in behind[:3]] == [
        "Miss rate (M_G) rises in newer models", "Art only", "Foundation only",
    ]  # fmt: skip


def test_too_few_models_for_anything_is_said_and_nothing_else() -> None:
    few = answer(section(RISE[:4])).replace(NBSP, " ")
    assert few == (
        "Too few models to say anything about trends, kinds of models, schedulers or popularity (4 models, "
        "4 with a date)."
    )
    assert proofs(section(RISE[:4])) == []
    assert "Too few models to say anything" not in answer(section(RISE))


def test_the_correction_is_said_where_there_are_several_comparisons() -> None:
    assert corrected(6, 1 - 0.05 / 6).startswith("Corrected for 6 comparisons on this page: ")
    assert corrected(6, 1 - 0.05 / 6).endswith("That is why intervals are 99.2 % intervals.")
    assert corrected(1, 0.95) == corrected(0, 0.95) == ""


def page(rows: AtlasRows, language: str = "en") -> str:
    text = render_atlas(summary(rows), language).split('<header class="top">')[1]
    plain = html.unescape(re.sub(r"<title>.*?</title>|<[^>]+>", " ", text, flags=re.DOTALL)).replace(NBSP, " ")
    return re.sub(r"\s+", " ", plain)


def test_the_page_begins_with_the_answer_its_numbers_and_the_correction() -> None:
    rows = atlas(RISE, "miss_rate")
    text = page(rows)
    assert text.startswith(" Atlas of models Atlas of models Newer models miss the prompt more often (trend); no")
    assert text.index("Miss rate (M_G) rises in newer models: +") < text.index("Corrected for 6 comparisons")
    assert "This is about:" not in text
    german = page(rows, "de")
    assert "Neuere Modelle verfehlen den Prompt öfter (Trend); kein Unterschied" in german
    assert "Korrigiert für 6 Vergleiche" in german


def test_a_page_of_several_protocols_begins_with_those_that_were_compared_and_names_them() -> None:
    rows = atlas(RISE, "miss_rate")
    other = [Evaluation("m/000", {"miss_rate": Score(0.1)}, "mine #0a1b2c3d, as ever")]
    head, body = page(rows.joined(other, [ModelInfo("m/000")])).split("How to read this", 1)
    assert "This is about: No protocol named" in head
    assert "Too few models to say anything" not in head
    assert "Too few models to say anything" in body
    assert "#0a1b2c3d" not in head
    assert body.count("#0a1b2c3d") == 1
    assert "The whole protocol: mine #0a1b2c3d, as ever" in body


def test_numbers_of_images_are_shown_and_what_moves_with_them() -> None:
    grown = [5 + value for value in RISE]
    differ, same, unknown = (
        page(atlas(grown, "distribution_bias", images=own)) for own in ([300, 1840] * 20, [300] * 40, None)
    )
    assert "B_D grows with the number of images, which goes from 300 to 1,840 here: compare it only" in differ
    assert "Models by name: numbers of images differ, and Distribution bias (B_D) changes with them." in differ
    assert " 1,840 " in differ
    assert "B_D grows with the number of images: compare it only between models with about as many." in same
    assert "Models by Distribution bias (B_D), the lowest first" in same
    assert "How many images there were is not known of 40 models." in unknown
    assert "How many images there were" not in same
    assert "grows with the number of images" not in page(atlas(RISE, "miss_rate", images=[300, 840] * 20))
    shrinks = page(atlas(RISE, "log_bias", images=[300, 840] * 20)), page(atlas(RISE, "log_bias", images=[300] * 40))
    assert "B_log shrinks with the number of images, which goes from 300 to 840 here" in shrinks[0]
    assert "B_log shrinks with the number of images: compare" in shrinks[1]


def test_what_is_not_known_is_said() -> None:
    bare = AtlasRows().joined([Evaluation(f"m/{place}", {"miss_rate": Score(0.1)}) for place in range(3)], [])
    assert page(bare).count("This is known of no model.") == 2
    assert "The release date is known of no model." in page(bare)
    assert "known of no model" not in page(atlas(RISE, "miss_rate"))


def test_an_interval_whose_ends_are_the_same_is_no_interval() -> None:
    rows = [Evaluation("a", {"x": Score(22, 22, 22)}), Evaluation("b", {"x": Score(22, 21.99996, 22.00004)})]
    text = page(AtlasRows().joined(rows, []))
    assert "22.000 (22" not in text
    assert "22.000000 (21.999960–22.000040)" in text
