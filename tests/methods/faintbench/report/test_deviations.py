"""What FAIntbench tells first, and in which study it would be false."""

from __future__ import annotations

from typing import Any

import pytest

from portrayal.language.translation import NBSP
from portrayal.methods.faintbench.report.section import FaintbenchSection
from portrayal.records import Measurement, Note, attribute_table
from portrayal.reports import FaceView, Perceived, Picture, ReportData
from portrayal.reports.findings.first_screen import first_screen

PNG = b"\x89PNG\r\n\x1a\n"


def row(metric: str, generator: str = "g", **more: Any) -> Measurement:
    return Measurement("faintbench", metric, generator, "a", **more)


def data(*rows: Measurement, generators: tuple[str, ...] = ("g",), **more: Any) -> ReportData:
    attributes = {"gender": attribute_table()["gender"]}
    return ReportData("T", generators, ["a"], [], 10, attributes, rows, {}, {}, **more)


def told(own: ReportData) -> list[tuple[str, str, str]]:
    section = FaintbenchSection()
    models = first_screen(own, section.deviations(own), section.rankings(own)).models
    found = [own for model in models for own in (*model.first, *model.folded)]
    return [(own.about, own.sentence.replace(NBSP, " "), own.basis.replace(NBSP, " ")) for own in found]


def eta(value: float, **more: Any) -> Measurement:
    about = {
        "low": value - 0.05,
        "high": value + 0.05,
        "prompts": 40,
        "notes": (Note.of("variant", name="definition"),),
    }
    return row("manifestation", value=value, **{**about, **more})


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0.7, [("All prompts · manifestation factor η", "0.700, more discrimination than ignorance",
                "95 % interval 0.650–0.750, 40 prompts in pairs")]),
        (0.3, [("All prompts · manifestation factor η", "0.300, more ignorance than discrimination",
                "95 % interval 0.250–0.350, 40 prompts in pairs")]),
        (0.52, []),
    ],
)  # fmt: skip
def test_the_manifestation_factor_is_told_with_its_side_where_its_interval_leaves_the_middle(
    value: float, said: list[tuple[str, str, str]]
) -> None:
    assert told(data(eta(value))) == said


def test_a_prompt_is_told_with_its_own_pictures_also_of_one_of_two_people() -> None:
    shares: dict[str, Any] = {
        "group": "female", "value": 0.95, "low": 0.85, "high": 0.99, "target": 0.3, "n": 40, "prompts": 1,
        "level": "prompt", "item": "a photo of one CEO",
    }  # fmt: skip
    seen = [FaceView(None, [Perceived("gender", "female", 0.9)])]
    pictures = [
        Picture(term, f"a photo of one {term}, sharp focus", "g", 1, "ab", PNG + term.encode(), 4, 4, seen)
        for term in ("nurse", "CEO")
    ]
    own = data(row("label_share", attribute="left.gender", **shares), pictures=pictures)
    ((about, sentence, _),) = told(own)
    assert about == "A photo of one CEO · perceived gender of the person at left"
    assert sentence == "38 of 40 pictures show a woman at left; the reference says 30 %"
    (deviation,) = FaintbenchSection().deviations(own)
    assert [thumb.thumbnail for thumb in deviation.word().pictures] == [PNG + b"CEO"]


PROMPT: dict[str, Any] = {
    "attribute": "gender", "group": "female", "level": "prompt", "item": "a photo of one CEO", "target": 0.3, "n": 40,
    "prompts": 1,
}  # fmt: skip


def test_labels_are_told_as_perceived_not_probabilities() -> None:
    moved = row("share", value=0.95, low=0.85, high=0.99, **PROMPT)
    labels = row("label_share", value=0.3, low=0.18, high=0.45, **PROMPT)
    assert told(data(moved, labels)) == []
    many = row("label_share", value=0.7, low=0.55, high=0.82, **PROMPT)
    ((_, sentence, _),) = told(data(moved, many))
    assert sentence == "28 of 40 pictures show a woman; the reference says 30 %"


@pytest.mark.parametrize(("mass", "profile", "lines"), [
    (0.3, "optimised", 0), (0.3, "plain", 0), (0.4, "plain", 1), (0.4, "", 1), (0.4, "optimised", 2),
])  # fmt: skip
def test_what_an_unsure_annotator_and_a_profile_do_is_said_only_where_they_do_it(
    mass: float, profile: str, lines: int
) -> None:
    shares = [
        row("share", value=mass, low=0.2, high=0.5, **PROMPT),
        row("label_share", value=0.3, low=0.18, high=0.45, **PROMPT),
    ]
    own = data(*shares, eta(0.3), settings={"faintbench": {"profile": profile}})
    assert len(list(FaintbenchSection().unknown(own))) == lines
    assert len(told(own)) == (0 if lines else 1)  # the manifestation factor


def test_models_are_ranked_by_both_scores_the_lowest_first() -> None:
    def score(generator: str, value: float) -> Measurement:
        return row("implicit_score", generator, value=value, low=value - 0.02, high=value + 0.02)

    own = data(score("x", 0.9), score("y", 0.7), generators=("x", "y"))
    (standing,) = first_screen(own, (), FaintbenchSection().rankings(own)).rankings
    assert standing.title == "Implicit bias score, 1 is unbiased"
    assert [(place.place, place.generator) for place in standing.places] == [("1", "y"), ("2", "x")]


def test_models_with_few_images_are_not_put_in_order_by_what_few_images_lower() -> None:
    notes = (Note("under_ten_images"),)
    few = row("implicit_score", "x", value=0.7, low=0.68, high=0.72, notes=notes)
    many = row("implicit_score", "y", value=0.9, low=0.88, high=0.92)
    own = data(few, many, generators=("x", "y"))
    assert first_screen(own, (), FaintbenchSection().rankings(own)).rankings == []
    assert [line[:29] for line in FaintbenchSection().unknown(own)] == ["By implicit bias scores model"]
    assert list(FaintbenchSection().unknown(data(few, generators=("x",)))) == []


def test_a_model_alone_has_its_scores_and_what_few_images_shift_is_told_corrected() -> None:
    scores = [
        row("implicit_score", value=0.902, corrected=0.911, low=0.888, high=0.934),
        row("explicit_score", value=0.5, low=0.4, high=0.6),
        eta(0.52),
    ]
    own = data(*scores)
    (model,) = first_screen(own, (), FaintbenchSection().rankings(own)).models
    assert [(title, text) for title, text, _ in model.scores] == [
        ("Implicit bias score, 1 is unbiased", "0.911 (0.888–0.934), corrected for few images"),
        ("Explicit bias score, 1 is unbiased", "0.500 (0.400–0.600)"),
        ("Manifestation factor η, 0.5 is the middle", "0.520 (0.470–0.570)"),
    ]


def test_models_are_not_put_in_order_by_the_manifestation_factor() -> None:
    own = data(eta(0.2), eta(0.8, generator="h"), generators=("g", "h"))
    assert first_screen(own, (), FaintbenchSection().rankings(own)).rankings == []
