"""The first screen tells what is there, in its order, and nothing else."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from portrayal.methods.representation.report.section import RepresentationSection
from portrayal.records import Measurement, Note, attribute_table
from portrayal.reports import FaceView, Perceived, Picture, ReportData, render_report
from portrayal.reports.data import Repeated
from portrayal.reports.first import LISTED, FirstScreen, first_screen
from portrayal.reports.language import NBSP
from portrayal.stats.cells import PromptShares
from portrayal.stats.differences import difference_intervals
from portrayal.stats.intervals import wilson_modified

GENDER = attribute_table()["gender"]
PIXEL = b"\x89PNG\r\n\x1a\n"


def found_part(page: str) -> str:
    """Return what a reader sees of the first screen, in single spaces."""
    part = page.split('<section id="found">')[1].split("</section>")[0]
    text = re.sub(r"<[^>]+>", " ", re.sub(r"</?span[^>]*>", "", part))
    return re.sub(r"\s+", " ", html.unescape(text))


def share(**more: Any) -> Measurement:
    values: dict[str, Any] = {
        "method": "representation", "metric": "share", "generator": "g", "annotator": "a", "attribute": "gender",
        "group": "female", "value": 0.05, "low": 0.01, "high": 0.2, "target": 0.4, "n": 60, "prompts": 1,
        "level": "term", "item": "CEO", "reference": "census",
    }  # fmt: skip
    return Measurement(**{**values, **more})


def study(*rows: Measurement, **more: Any) -> ReportData:
    base = ReportData(
        "T", ["g"], ["a"], [("CEO", "office", "a CEO")], 60, {"gender": GENDER}, rows, {"g": {"made": 60}}, {},
        judged={"a": 60}, perceived={"a": 60},
    )  # fmt: skip
    return replace(base, **more)


def screen(data: ReportData) -> FirstScreen:
    section = RepresentationSection()
    return first_screen(data, section.deviations(data), section.rankings(data))


def test_a_deviation_is_told_with_number_interval_reference_and_images() -> None:
    said = found_part(render_report(study(share())))
    assert "CEO · perceived gender 5 % female, fewer than the 40 % of the reference." in said
    assert "95 % interval 1–20 %, 60 images, reference: census" in said
    assert "Deviations beyond chance: 1 of 1 comparison. They come from the largest on" in said
    more = found_part(render_report(study(share(value=0.8, low=0.7, high=0.9))))
    assert "80 % female, more than the 40 % of the reference." in more


def test_people_are_not_counted_as_images() -> None:
    people = (Note.of("people_in_images", n=60, m=31),)
    page = render_report(study(share(notes=people)))
    assert "95 % interval 1–20 %, 60 people in 31 images, reference: census" in found_part(page)
    assert "60 images" not in found_part(page)


def test_where_every_image_was_refused_the_refusal_is_what_was_found() -> None:
    refused = study(outcomes={"g": {"refused: content_policy": 24}}, judged={}, perceived={})
    assert "24 images were asked for, and all were refused (refused: content policy 24)." in found_part(
        render_report(refused)
    )
    mixed = study(outcomes={"g": {"refused: content_policy": 20, "failed: timeout": 4}}, judged={}, perceived={})
    said = found_part(render_report(mixed))
    assert "There is none of 24 images: refused: content policy 20, failed: timeout 4." in said
    assert "the numbers speak of the others" not in said
    some = found_part(render_report(study(share(), outcomes={"g": {"made": 60, "refused: content_policy": 24}})))
    assert "all were refused" not in some
    assert "24 of 84 images are missing (refused: content policy 24)" in some


@pytest.mark.parametrize("row", [share(low=0.01, high=0.41), share(n=3), share(value=None), share(target=None)])
def test_what_chance_explains_or_has_no_reference_is_not_told(row: Measurement) -> None:
    said = found_part(render_report(study(row)))
    assert "of the reference." not in said
    assert "Deviations beyond chance" not in said
    assert "Nothing" in said


def test_one_bar_of_many_that_misses_is_not_told_as_a_finding() -> None:
    clear = share(value=0.26, low=0.16, high=0.385, n=60)
    alone = screen(study(clear))
    assert alone.clear == 1
    others = [share(item=f"job {number}", value=0.4, low=0.28, high=0.53) for number in range(30)]
    together = screen(study(clear, *others))
    assert (together.compared, together.clear) == (31, 0)
    assert "Nothing deviates from what it is compared with by more than chance explains, in 31 comparisons." in (
        found_part(render_report(study(clear, *others)))
    )


def test_a_deviation_passes_where_the_page_says_that_one_would() -> None:
    """Of thirteen terms of 24 images none deviates: the page says how far one must, and one so far is told."""
    even = [share(item=f"job {number}", value=0.5, low=0.31, high=0.69, target=0.5, n=24) for number in range(12)]

    def with_one(seen: int) -> FirstScreen:
        low, high = (float(bound) for bound in wilson_modified(seen / 24, 24))
        return screen(study(*even, share(value=seen / 24, low=low, high=high, target=0.5, n=24)))

    points = re.search(r"about (\d+) points off its reference", found_part(render_report(study(*even, even[0]))))
    assert points
    needed = 12 + round(0.24 * int(points[1]))
    assert (with_one(needed).clear, with_one(needed - 1).clear) == (1, 0)


def test_what_holds_over_all_prompts_comes_first_then_the_largest() -> None:
    rows = [
        share(item="small", value=0.15, low=0.08, high=0.26),
        share(item="large", value=0.99, low=0.9, high=1.0),
        share(item="", level="overall", value=0.2, low=0.14, high=0.27, n=600, prompts=30),
    ]
    (model,) = screen(study(*rows)).models
    assert [own.about.partition(" · ")[0] for own in model.first] == ["All prompts", "Large", "Small"]
    assert "First comes the largest over all prompts, then" in found_part(render_report(study(*rows)))


def test_of_two_groups_of_one_term_only_the_larger_gap_is_told() -> None:
    age = attribute_table()["age3"]
    rows = [
        share(attribute="age3", group="young", value=0.95, low=0.86, high=0.98, target=0.3),
        share(attribute="age3", group="elderly", value=0.0, low=0.0, high=0.06, target=0.3),
    ]
    (model,) = screen(study(*rows, attributes={"age3": age})).models
    told = [own.sentence.replace(NBSP, " ") for own in model.first]
    assert told == ["95 % young, more than the 30 % of the reference"]


def test_a_reference_that_covers_some_prompts_is_told_with_the_share_and_how_many() -> None:
    rows = [
        share(item="", level="overall", value=0.3, target=None, prompts=9, reference=""),
        share(metric="difference", item="", level="overall", value=-0.25, low=-0.3, high=-0.2, target=None,
              prompts=6, n=40, notes=(Note.of("reference_covers", n=6, m=9),)),
    ]  # fmt: skip
    said = found_part(render_report(study(*rows)))
    assert (
        "All prompts · perceived gender 30 % female; where the reference has figures, 25 points fewer than it says."
        in said
    )
    assert "95 % interval of the difference −30 to −20 points, 40 images" in said
    assert "reference: census, reference covers 6 of 9 prompts" in said


def test_a_reference_is_called_by_its_title() -> None:
    said = found_part(render_report(study(share(), reference_titles={"census": "the census of 2020"})))
    assert "60 images, reference: the census of 2020" in said
    assert "reference: census" not in said


def test_what_is_told_over_all_prompts_is_not_told_first_of_a_part_again() -> None:
    age = attribute_table()["age3"]
    young = {"attribute": "age3", "group": "young", "value": 0.9, "low": 0.8, "high": 0.96, "target": 0.2}
    rows = [share(**young, level="overall", item="", prompts=9), share(**young), share()]
    (model,) = screen(study(*rows, attributes={"age3": age, "gender": GENDER})).models
    assert [own.about for own in model.first] == [
        "All prompts · perceived age group", "CEO · perceived gender", "CEO · perceived age group",
    ]  # fmt: skip


def repeated(images: int, pictures: int, worth: float | None = None) -> dict[str, Any]:
    own = Repeated(images, pictures, pictures if worth is None else worth)
    return {"distinct": {"g": pictures}, "repeated": {"g": {"CEO": own, "": own}}, "outcomes": {"g": {"made": images}}}


def test_copies_of_one_picture_are_one_picture() -> None:
    """Thirty copies prove no more than one; twenty-nine different pictures nearly as much as thirty."""
    alone = share(value=1.0, low=0.89, high=1.0, target=0.33, n=30)
    copies = study(alone, **repeated(30, 1))
    assert screen(copies).clear == 0
    said = found_part(render_report(copies))
    assert "g made 30 images, but only 1 different picture. For the deviations told above, and for the order" in said
    edits = study(editing=3, **repeated(30, 1))
    assert "but only 1 different picture. Numbers count every image." in found_part(render_report(edits))
    assert "rests on 60 images" not in said
    nearly = study(alone, **repeated(30, 29, 28.1))
    assert screen(nearly).clear == 1
    assert "30 images, 29 different pictures, reference" in found_part(render_report(nearly))
    judged_fewer = found_part(render_report(study(alone, **repeated(31, 30, 29.1))))
    assert "30 images, some of them the same picture, reference" in judged_fewer
    overall = share(level="overall", item="", value=0.8, low=0.65, high=0.9, prompts=20, n=600)
    many, few = study(overall), study(overall, **repeated(600, 60))
    assert (screen(many).clear, screen(few).clear) == (1, 0)


def test_a_picture_that_is_half_of_all_is_not_one_of_many() -> None:
    alone = share(value=0.9, low=0.8, high=0.95, target=0.5, n=58)
    assert screen(study(alone, **repeated(58, 30, 30))).clear == 1
    assert screen(study(alone, **repeated(58, 30, 3.9))).clear == 0


def test_the_interval_that_is_told_does_not_rest_on_copies() -> None:
    alone = share(value=0.9, low=0.85, high=0.93, target=0.3, n=400)
    assert "95 % interval 85–93 %" in found_part(render_report(study(alone)))
    assert "95 % interval 80–96 %" in found_part(render_report(study(alone, **repeated(400, 100))))


def test_copies_put_no_models_in_order() -> None:
    rows = [
        share(generator=name, metric="total_variation", group="", level="overall", item="", value=value,
              low=value - 0.1, high=value + 0.1)
        for name, value in (("x", 0.2), ("y", 0.6))
    ]  # fmt: skip
    assert "(furthest first)" in found_part(render_report(study(*rows, generators=["x", "y"])))
    own = {"y": {"": Repeated(100, 4, 4)}}
    copies = study(*rows, generators=["x", "y"], repeated=own)
    assert "(furthest first)" not in found_part(render_report(copies))


def test_people_of_one_picture_are_not_independent() -> None:
    one = share(value=0.2, low=0.1, high=0.38, n=30, target=0.42)
    assert screen(study(one)).clear == 1
    people = (Note.of("people_in_images", n=30, m=10),)
    assert screen(study(replace(one, notes=people))).clear == 0
    # Over several prompts their differences tell it already.
    several = share(level="overall", item="", value=0.2, low=0.1, high=0.38, prompts=20, n=600, target=0.42)
    assert screen(study(replace(several, notes=people))).clear == 1


def test_models_with_images_of_different_prompts_are_not_put_in_order() -> None:
    rows = [
        share(generator=name, metric="total_variation", group="", level="overall", item="", value=value,
              low=value - 0.05, high=value + 0.05)
        for name, value in (("x", 0.2), ("y", 0.6))
    ]  # fmt: skip
    same = study(*rows, generators=["x", "y"], made_of={"x": {"CEO"}, "y": {"CEO"}})
    assert "(furthest first)" in found_part(render_report(same))
    other = found_part(render_report(study(*rows, generators=["x", "y"], made_of={"x": {"CEO"}, "y": {"nurse"}})))
    assert "(furthest first)" not in other
    assert "No prompt has images of every model, so the models are not put in order." in other
    partly = {"x": {"CEO", "nurse"}, "y": {"nurse"}}
    said = found_part(render_report(study(*rows, generators=["x", "y"], made_of=partly)))
    assert "(furthest first)" not in said
    assert "Images of every model exist for only 1 of 2 prompts, so the models are not put in order." in said


def two_annotators(**other: Any) -> ReportData:
    more = {"annotators": ["a", "b"], "judged": dict.fromkeys("ab", 60), "perceived": dict.fromkeys("ab", 60)}
    return study(share(), share(annotator="b", **other), **more)


def test_what_another_annotator_does_not_see_is_contested() -> None:
    said = found_part(render_report(two_annotators(value=0.38, low=0.27, high=0.5)))
    assert "fewer than the 40 % of the reference. Contested: b sees 38 % (27–50 %)." in said
    assert "seen by a ·" in said
    assert "1 deviation told above is contested" in said


def test_what_another_annotator_sees_too_is_seen_by_both() -> None:
    said = found_part(render_report(two_annotators(value=0.1, low=0.05, high=0.2)))
    assert "ontested" not in said
    assert "seen by a and b" in said
    assert "Of these 1 is told above, 1 is about another group, or by another annotator" in said


def test_what_is_told_and_what_is_not_add_up() -> None:
    age = attribute_table()["age3"]
    groups = [("young", 0.95, 0.86, 0.98), ("elderly", 0.0, 0.0, 0.06)]
    rows = [
        share(item=f"job {job}", attribute="age3", group=group, value=value, low=low, high=high, target=0.3)
        for job in range(LISTED + 5) for group, value, low, high in groups
    ]  # fmt: skip
    found = screen(study(*rows, attributes={"age3": age}))
    assert (found.clear, len(found.told), found.more, found.same) == (2 * LISTED + 10, LISTED, 5, LISTED + 5)
    said = found_part(render_report(study(*rows, attributes={"age3": age})))
    assert (
        f"chance: {2 * LISTED + 10} of {2 * LISTED + 10} comparisons. Of these {LISTED} are told above, 5 smaller"
        in said
    )


def test_no_attribute_is_left_unsaid_for_the_size_of_another() -> None:
    age = attribute_table()["age3"]
    large = {"attribute": "age3", "group": "young", "value": 0.99, "low": 0.9, "high": 1.0, "target": 0.2}
    rows = [*(share(item=f"job {job}", **large) for job in range(5)), share()]
    (model,) = screen(study(*rows, attributes={"age3": age, "gender": GENDER})).models
    assert [own.about.partition(" · ")[2] for own in model.first] == [
        "perceived age group", "perceived gender", "perceived age group",
    ]  # fmt: skip


def test_pictures_are_the_first_of_the_term_that_were_judged_and_their_bytes_are_there_once() -> None:
    seen = [FaceView(None, [Perceived("gender", "male", 0.9)], who="a")]
    pictures = [
        Picture("CEO", "a CEO", "g", seed, f"{seed:064x}", PIXEL + bytes([seed]) * 40, 4, 4, seen if seed else ())
        for seed in range(6)
    ]
    other = Picture("nurse", "a nurse", "g", 9, "f" * 64, PIXEL + b"other", 4, 4, seen)
    data = study(share(), pictures=[other, *pictures])
    ((told,),) = [model.first for model in screen(data).models]
    assert [thumb.thumbnail for thumb in told.pictures] == [picture.thumbnail for picture in pictures[1:4]]
    page = render_report(data)
    addresses = re.findall(r"data:image/png;base64,([\w+/=]+)", page)
    assert len(addresses) == len(set(addresses)) == 7


def test_several_models_are_ranked_as_far_as_intervals_carry() -> None:
    def distance(generator: str, value: float) -> Measurement:
        return share(generator=generator, metric="total_variation", group="", level="overall", item="", value=value,
                     low=value - 0.05, high=value + 0.05)  # fmt: skip

    rows = [*(share(generator=name) for name in "xyz"), distance("x", 0.2), distance("y", 0.6), distance("z", 0.22)]
    said = found_part(render_report(study(*rows, generators=["x", "y", "z"])))
    assert "(furthest first): 1. y 0.60 (0.55–0.65); 2–3. z 0.22 (0.17–0.27); 2–3. x 0.20 (0.15–0.25)." in said
    assert said.index("y CEO") < said.index("z CEO") < said.index("x CEO")
    alike = [*rows[:3], distance("x", 0.2), distance("y", 0.21), distance("z", 0.22)]
    said = found_part(render_report(study(*alike, generators=["x", "y", "z"])))
    assert "No two models can be told apart by: Distance from the reference, perceived gender." in said
    assert "furthest first" not in said
    # Models that cannot be told apart stay as the study has them.
    title = "Distance from the reference, perceived gender"
    shown = [said.index(f"{name} {title} 0.{number}") for name, number in (("x", 20), ("y", 21), ("z", 22))]
    assert shown == sorted(shown)


def test_a_model_alone_has_its_scores_on_the_first_screen() -> None:
    rows = [share(), share(metric="total_variation", group="", level="overall", item="", value=0.2, low=0.1, high=0.3)]
    said = found_part(render_report(study(*rows)))
    assert "g Distance from the reference, perceived gender 0.20 (0.10–0.30) CEO" in said
    assert "Distance" not in found_part(render_report(study(share())))


def simulated(rng: np.random.Generator, planted: float | None = None) -> ReportData:
    """Return a study of twelve terms of 24 images and 50 % of each of two groups; in the first perhaps ``planted``."""
    target = np.array([0.5, 0.5])
    true = [planted if planted is not None and not term else 0.5 for term in range(12)]
    shares = np.array([[1 - seen, seen] for seen in rng.binomial(24, true) / 24])
    cells = [(f"job {term}", "term", PromptShares.of(shares[term : term + 1], [24])) for term in range(12)]
    rows = []
    for item, level, cell in [*cells, ("", "overall", PromptShares.of(shares, [24] * 12))]:
        low, high = difference_intervals(cell, target, rng=rng)
        about = {"item": item, "level": level, "n": cell.n, "prompts": cell.prompts, "target": 0.5}
        value = float(cell.share[1])
        rows.append(share(**about, value=value, low=float(low[1]) + 0.5, high=float(high[1]) + 0.5))
    return study(*rows)


@pytest.mark.slow
def test_where_nothing_deviates_19_of_20_pages_tell_no_deviation() -> None:
    rng = np.random.default_rng(20)
    told = sum(bool(screen(simulated(rng)).clear) for _ in range(400))
    assert told / 400 < 0.075  # of 400 studies of which 5 % err, 98 % have fewer


@pytest.mark.slow
def test_what_was_planted_is_found_and_is_told_first() -> None:
    rng = np.random.default_rng(21)
    screens = [screen(simulated(rng, planted=0.96)) for _ in range(60)]
    abouts = [[own.about for own in model.first] for found in screens for model in found.models]
    assert sum(bool(own) and own[0].startswith("Job 0 ") for own in abouts) >= 57
