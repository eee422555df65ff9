"""The first screen says what is there, in its order, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from portrayal.language.translation import NBSP
from portrayal.records import Measurement, Note, attribute_table
from portrayal.reports import FaceView, Perceived, Picture, ReportData, render_report
from portrayal.reports.corrected_share import CorrectedShare
from portrayal.reports.findings.first_screen import LISTED, FirstScreen
from portrayal.reports.findings.verdict import Word
from portrayal.reports.reading_errors import ReadingErrors

if TYPE_CHECKING:
    from tests.reports.findings.conftest import Row, Said, StudyOf

Screen = Callable[[ReportData], FirstScreen]
AGE = attribute_table()["age3"]
PIXEL = b"\x89PNG\r\n\x1a\n"


def test_a_deviation_is_said_with_counts_interval_reference_and_images(share: Row, study: StudyOf, said: Said) -> None:
    text = said(study(share(3, 60, 0.4)))
    assert "g Deviations found. 1 of 1 comparison of perceived gender differs by more than chance explains." in text
    assert "CEO · perceived gender 3 of 60 pictures show a woman; the reference says 40 %." in text
    assert (
        "95 % interval 1–14 %\N{SUPERSCRIPT PLUS SIGN}: 26–39 points fewer than the reference, 60 images, "
        "reference: census" in text
    )
    large = said(study(share(480, 600, 0.4)))
    assert "80 % of 600 pictures show a woman; the reference says 40 %." in large


def test_one_picture_shows_somebody(share: Row, study: StudyOf, said: Said) -> None:
    assert "1 of 60 pictures shows a woman; the reference says 40 %." in said(study(share(1, 60, 0.4)))


def test_people_are_not_counted_as_pictures(share: Row, study: StudyOf, said: Said) -> None:
    people = (Note.of("people_in_images", n=60, m=31),)
    text = said(study(share(3, 60, 0.4, notes=people, worth=31.0)))
    assert "3 of 60 people are perceived as female; the reference says 40 %." in text
    assert "60 people in 31 images, reference: census" in text
    assert "60 pictures show" not in text


def test_groups_without_a_noun_of_their_own_are_named(share: Row, study: StudyOf, said: Said) -> None:
    race = attribute_table()["race5"]
    row = share(0, 60, 0.3, attribute="race5", group="east_asian")
    assert "0 of 60 pictures show a person perceived as east asian" in said(study(row, attributes={"race5": race}))


def test_where_every_image_was_refused_the_refusal_is_what_was_found(share: Row, study: StudyOf, said: Said) -> None:
    refused = study(outcomes={"g": {"refused: content_policy": 24}}, judged={}, perceived={})
    assert "24 images were asked for, and all were refused (refused: content policy 24)." in said(refused)
    mixed = said(study(outcomes={"g": {"refused: content_policy": 20, "failed: timeout": 4}}, judged={}, perceived={}))
    assert "There is none of 24 images: refused: content policy 20, failed: timeout 4." in mixed
    assert "the numbers speak of the others" not in mixed
    some = said(study(share(), outcomes={"g": {"made": 60, "refused: content_policy": 24}}))
    assert "all were refused" not in some
    assert "24 of 84 images are missing (refused: content policy 24)" in some


@pytest.mark.parametrize(
    ("seen", "n", "target"), [(10, 24, 0.4), (1, 3, 0.4), (0, 0, 0.4), (3, 60, None)], ids=["near", "few", "none", "no"]
)
def test_what_chance_explains_or_has_no_reference_is_not_found(
    share: Row, study: StudyOf, said: Said, seen: int, n: int, target: float | None
) -> None:
    text = said(study(share(seen, n, target)))
    assert "Deviations found" not in text
    assert "Nothing deviates" not in text


def test_small_samples_do_not_come_out_on_top(share: Row, study: StudyOf, screen: Screen) -> None:
    """Passing terms were sorted by size: on 43 to 61 % of pages the first single term was a chance finding."""
    tiny, certain = share(12, 12, 0.3, item="tiny"), share(290, 500, 0.3, item="certain")
    (model,) = screen(study(tiny, certain)).models
    assert [own.about.partition(" · ")[0] for own in model.first] == ["Tiny", "Certain"]  # 44 points at least, or 21
    weaker = share(9, 10, 0.3, item="tiny")
    (model,) = screen(study(weaker, certain)).models
    assert [own.about.partition(" · ")[0] for own in model.first] == ["Certain", "Tiny"]


def test_what_is_only_possible_is_folded_and_said_to_be(share: Row, study: StudyOf, said: Said, screen: Screen) -> None:
    rows = [share(8, 40, 0.4, item="one"), *(share(16, 40, 0.4, item=f"job {own}") for own in range(3))]
    (model,) = screen(study(*rows)).models
    assert (len(model.first), len(model.folded), model.possible) == (0, 1, 1)
    text = said(study(*rows))
    assert "Inconclusive." in text
    assert "1 possible deviation, which may be chance" in text
    surer = said(study(share(0, 40, 0.4, item="sure"), *rows))
    assert "1 possible deviation, which may be chance The last 1 is less sure than the others" in surer


def test_of_two_groups_of_one_term_only_the_surer_is_shown(share: Row, study: StudyOf, screen: Screen) -> None:
    rows = [
        share(57, 60, 0.3, attribute="age3", group="young"),
        share(0, 60, 0.3, attribute="age3", group="elderly"),
    ]
    shown = screen(study(*rows, attributes={"age3": AGE}))
    (model,) = shown.models
    sentences = [own.sentence.replace(NBSP, " ") for own in model.first]
    assert sentences == ["57 of 60 pictures show a young person; the reference says 30 %"]
    assert shown.repeated == 1


def test_a_reference_that_covers_some_prompts_is_said_with_how_many(share: Row, study: StudyOf, said: Said) -> None:
    rows = [
        share(30, 100, None, item="", level="overall", prompts=9, reference=""),
        replace(share(30, 100, None, metric="difference", item="", level="overall", prompts=6),
                value=-0.25, low=-0.3, high=-0.2, n=40, notes=(Note.of("reference_covers", n=6, m=9),)),
    ]  # fmt: skip
    text = said(study(*rows))
    assert (
        "All prompts · perceived gender 30 % show a woman (mean of 9 prompts, 100 pictures); where the "
        "reference has figures, 25 points fewer than it says." in text
    )
    assert "95 % interval of the difference −30 to −20 points, 40 images" in text
    assert "reference: census, reference covers 6 of 9 prompts" in text


def test_a_reference_is_called_by_its_title(share: Row, study: StudyOf, said: Said) -> None:
    text = said(study(share(), reference_titles={"census": "the census of 2020"}))
    assert "60 images, reference: the census of 2020" in text
    assert "reference: census" not in text


def test_the_interval_is_the_one_that_charts_and_tables_have(share: Row, study: StudyOf) -> None:
    """The first screen had 6 to 27 %, chart and CSV 7 to 26 %, for one number."""
    page = render_report(study(share(6, 40, 0.6)))
    ends = set(re.findall(r"(\d+–\d+)\N{NO-BREAK SPACE}%", re.sub(r"<[^>]+>", "", page)))
    assert "6–30" in ends
    assert not {own for own in ends if own.startswith(("5–", "7–"))}


def two_annotators(share: Row, study: StudyOf, seen: int) -> ReportData:
    more = {"annotators": ["a", "b"], "judged": dict.fromkeys("ab", 60), "perceived": dict.fromkeys("ab", 60)}
    return study(share(), share(seen, annotator="b"), **more)


def test_what_another_annotator_does_not_see_is_contested(share: Row, study: StudyOf, said: Said) -> None:
    text = said(two_annotators(share, study, 23))
    assert "the reference says 40 %. Contested: b sees 38 % (26–52 %)." in text
    assert "seen by a ·" in text


def test_what_another_annotator_sees_too_is_seen_by_both(share: Row, study: StudyOf, said: Said) -> None:
    text = said(two_annotators(share, study, 4))
    assert "ontested" not in text
    assert "seen by a and b" in text
    assert "1 further one repeats another for a second group or annotator." in text


def test_what_is_listed_and_what_is_not_add_up(share: Row, study: StudyOf, screen: Screen, said: Said) -> None:
    rows = [share(item=f"job {job}") for job in range(LISTED + 5)]
    (model,) = screen(study(*rows)).models
    assert (len(model.first), len(model.folded), model.more) == (3, LISTED - 3, 5)
    text = said(study(*rows))
    assert f"{LISTED + 5} of {LISTED + 5} comparisons of perceived gender differ by more than chance explains." in text
    assert f"{LISTED + 2} more deviations" in text
    assert "5 further ones are not listed here." in text


def test_pictures_are_the_first_of_the_term_that_were_judged(share: Row, study: StudyOf, screen: Screen) -> None:
    seen = [FaceView(None, [Perceived("gender", "male", 0.9)], who="a")]
    pictures = [
        Picture("CEO", "a CEO", "g", seed, f"{seed:064x}", PIXEL + bytes([seed]) * 40, 4, 4, seen if seed else ())
        for seed in range(6)
    ]
    other = Picture("nurse", "a nurse", "g", 9, "f" * 64, PIXEL + b"other", 4, 4, seen)
    data = study(share(), pictures=[other, *pictures])
    ((statement,),) = [model.first for model in screen(data).models]
    assert [thumb.thumbnail for thumb in statement.pictures] == [picture.thumbnail for picture in pictures[1:4]]
    addresses = re.findall(r"data:image/png;base64,([\w+/=]+)", render_report(data))
    assert len(addresses) == len(set(addresses)) == 7


def distance(share: Row, generator: str, value: float, **more: Any) -> Any:
    row = share(metric="total_variation", generator=generator, group="", level="overall", item="", target=None, **more)
    return replace(row, value=value, low=value - 0.05, high=value + 0.05)


def test_several_models_are_ranked_as_far_as_intervals_carry(share: Row, study: StudyOf, said: Said) -> None:
    rows = [share(generator=name) for name in "xyz"]
    far = [distance(share, "x", 0.2), distance(share, "y", 0.6), distance(share, "z", 0.22)]
    text = said(study(*rows, *far, generators=["x", "y", "z"]))
    assert "(furthest first): 1. y 0.60 (0.55–0.65); 2–3. z 0.22 (0.17–0.27); 2–3. x 0.20 (0.15–0.25)." in text
    assert "(the part of the pictures that would have to change, whatever the direction)" in text
    assert text.index(" y Deviations found") < text.index(" z Deviations found") < text.index(" x Deviations found")
    near = [distance(share, "x", 0.2), distance(share, "y", 0.21), distance(share, "z", 0.22)]
    alike = said(study(*rows, *near, generators=["x", "y", "z"]))
    assert (
        "Distance from the reference, perceived gender: the models cannot be put in order by this number. x 0.20 (0"
        in alike
    )
    assert "told apart" not in alike
    assert "furthest first" not in alike
    assert alike.index(" x Deviations found") < alike.index(" y Deviations found")  # as the study has them


def test_opposite_models_are_shown_by_what_they_draw_before_any_distance(
    share: Row, study: StudyOf, said: Said
) -> None:
    """One model planted 90 % men and one 90 % women: the first sentence was that no two can be told apart."""
    overall = {"level": "overall", "item": ""}
    rows = [share(10, 100, 0.5, generator="A", **overall), share(90, 100, 0.5, generator="B", **overall)]
    text = said(study(*rows, distance(share, "A", 0.4), distance(share, "B", 0.4), generators=["A", "B"]))
    first = text.removeprefix(" What was found ")
    assert first.startswith("All prompts: a woman in 10 of 100 pictures by A, in 90 of 100 by B.")
    assert (
        "Perceived gender, female; the reference says 50 %: A 10 % (5–18 %), fewer than that; B 90 % (82–95 %), "
        "more than that. Distance from the reference, perceived gender: the models cannot be put in order by this"
    ) in first


def test_models_without_usable_images_of_the_same_prompts_are_not_put_in_order(
    share: Row, study: StudyOf, said: Said
) -> None:
    rows = [distance(share, "x", 0.2), distance(share, "y", 0.6)]
    made = {"x": {"CEO"}, "y": {"CEO"}}
    assert "(furthest first)" in said(study(*rows, generators=["x", "y"], made_of=made))
    unusable = [rows[0], replace(rows[1], prompt_set="others")]
    text = said(study(*unusable, generators=["x", "y"], made_of=made))
    assert "(furthest first)" not in text
    assert "Not every model has usable images of the same prompts, so the models are not put in order." in text


def test_models_with_images_of_different_prompts_are_not_put_in_order(share: Row, study: StudyOf, said: Said) -> None:
    rows = [replace(distance(share, "x", 0.2), prompt_set=""), replace(distance(share, "y", 0.6), prompt_set="")]
    other = said(study(*rows, generators=["x", "y"], made_of={"x": {"CEO"}, "y": {"nurse"}}))
    assert "(furthest first)" not in other
    assert "No prompt has images of every model, so the models are not put in order." in other
    partly = said(study(*rows, generators=["x", "y"], made_of={"x": {"CEO", "nurse"}, "y": {"nurse"}}))
    assert "Images of every model exist for only 1 of 2 prompts, so the models are not put in order." in partly


def test_repeats_are_said_to_count_once(share: Row, study: StudyOf, said: Said) -> None:
    text = said(study(share(), outcomes={"g": {"made": 288}}, repeats={"g": 19}, distinct={"g": 269}))
    assert "19 of 288 images by g are exact repeats of another image of the same prompt. Repeats count once" in text
    assert "answered different prompts" not in text
    shared = said(study(share(), outcomes={"g": {"made": 288}}, repeats={}, distinct={"g": 280}))
    assert "g answered different prompts with the same picture 8 times." in shared
    assert "exact repeats" not in shared


def test_an_annotator_that_errs_could_have_made_a_small_deviation(share: Row, study: StudyOf, said: Said) -> None:
    """A model exactly on a 5 % reference, an annotator that is right in 90 %: found on every page."""
    errs = {("male", "female"): 95, ("male", "male"): 855, ("female", "female"): 45, ("female", "male"): 5}
    errors = {("a", "gender"): ReadingErrors("planted", errs)}
    small = study(share(140, 1000, 0.05), errors=errors)
    assert (
        "The annotator’s own errors could explain this: 95 of 950 people of other groups were read as female in "
        "pictures whose people are known, so up to 12 % is possible. A model exactly on the reference would then show "
        "16 %." in said(small)
    )
    large = study(share(700, 1000, 0.05), errors=errors)
    assert "own errors" not in said(large)
    unknown = said(study(share(140, 1000, 0.05)))
    assert "own errors" not in unknown
    assert "a (a program, not a person). How often it errs on such pictures is not known." in unknown


def test_errors_that_were_never_tried_are_not_counted(share: Row, study: StudyOf, said: Said) -> None:
    """All people who are known are men: "0 of 0 people were not read as female" stood on the page."""
    only_men, only_women = ({(group, group): 60} for group in ("male", "female"))
    for errs, women, expected in (
        (only_men, 10, "of 60 people in pictures whose people are known nobody is female, so it is not known how often "
         "it misreads people who are."),
        (only_women, 90, "of 60 people in pictures whose people are known everybody is female, so it is not known how "
         "often it reads others as female."),
    ):  # fmt: skip
        text = said(study(share(women, 100, 0.5), errors={("a", "gender"): ReadingErrors("planted", errs)}))
        assert f"The annotator’s own errors could explain this: {expected}" in text
        assert "0 of 0" not in text


def corrected(row: Measurement, value: float | None, low: float, high: float) -> CorrectedShare:
    return CorrectedShare(row, "matrix", value, low, high, 80, decides=True)


def test_a_finding_that_does_not_survive_the_correction_is_said_beside_it(
    share: Row, study: StudyOf, said: Said
) -> None:
    row = share(200, 1000, 0.4)
    gone = said(study(row, corrections=[corrected(row, 0.34, 0.25, 0.44)]))
    assert (
        "Does not survive: corrected for the annotator’s errors (80 labelled pictures) the share is 34 % (95 % "
        "interval 25–44 %), which does not exclude the 40 % that the reference says." in gone
    )
    turned = said(study(row, corrections=[corrected(row, 0.52, 0.45, 0.6)]))
    assert "Deviations found." in turned, "by the labels it deviates, too: to the other side"
    assert (
        "20.0 % of 1,000 pictures were read as showing a woman; corrected by 80 labelled pictures, the share is 52 % "
        "(45–60 %); the reference says 40 %." in turned
    )
    assert "20.0 % of 1,000 pictures show a woman" not in gone + turned
    hardly = said(study(row, corrections=[corrected(row, 0.45, 0.405, 0.5)]))
    assert "Deviations found." not in hardly
    assert "the share is 45 % (95 % interval 40–50 %), on the other side of the 40 %" in hardly
    blind = said(study(row, corrections=[corrected(row, None, 0.0, 1.0)]))
    assert "Does not survive: by 80 labelled pictures, the annotator reads these groups too much alike" in blind
    assert "Does not survive" not in said(study(row, corrections=[corrected(row, 0.25, 0.18, 0.32)]))
    undecided = replace(corrected(row, 0.34, 0.25, 0.44), decides=False)
    assert "Does not survive" not in said(study(row, corrections=[undecided]))


def test_a_finding_that_survives_is_not_doubted_for_errors_that_are_put_right(
    share: Row, study: StudyOf, screen: Screen
) -> None:
    row = share(140, 1000, 0.05)
    errs = {("male", "female"): 95, ("male", "male"): 855, ("female", "female"): 45, ("female", "male"): 5}
    errors = {("a", "gender"): ReadingErrors("labels", errs)}
    assert screen(study(row, errors=errors)).models[0].verdict.explained
    for low, word in ((0.06, Word.FOUND), (0.04, Word.INCONCLUSIVE)):
        judged = screen(study(row, errors=errors, corrections=[corrected(row, 0.1, low, 0.2)])).models[0].verdict
        assert (judged.word, judged.explained) == (word, False)


def test_missing_pictures_that_could_take_a_deviation_away_are_said_beside_it(
    share: Row, study: StudyOf, said: Said
) -> None:
    """60 % of the women could not be judged."""
    text = said(study(share(20, 70, 0.5, missing=30)))
    assert (
        "30 of 100 pictures are missing or could not be judged. If all of them showed a woman, the share would be "
        "50 %, and the deviation gone." in text
    )
    assert "could not be judged" not in said(study(share(20, 70, 0.5, missing=3)))
    more = said(study(share(60, 70, 0.5, missing=60)))
    assert "If none of them showed a woman, the share would be 46 %, and the deviation gone." in more


def test_what_missing_pictures_of_several_prompts_could_change_is_reckoned_prompt_by_prompt(
    share: Row, study: StudyOf, said: Said
) -> None:
    """Judges lost 96 of 100 pictures, nurses and CEOs none: the share of all fell by a third of what was lost."""
    terms = [
        share(48, 100, 0.5, item="nurse"),
        share(51, 100, 0.5, item="CEO"),
        share(4, 4, 0.5, item="judge", missing=96),
    ]
    overall = share(
        0, 204, 0.5, missing=96, prompts=3, level="overall", item="", value=1.99 / 3, low=0.6, high=0.72, worth=204.0
    )
    asked = {"g": {"nurse": 100, "CEO": 100, "judge": 100}}
    said_of_all = said(study(*terms, overall, asked=asked))
    assert "If none of them showed a woman, the share would be 34 %, and the deviation gone." in said_of_all
    unknown = said(study(overall, asked=asked))
    assert "the deviation gone" not in unknown, "without the terms nobody knows"


def test_a_share_and_a_reference_that_differ_do_not_read_alike(share: Row, study: StudyOf, said: Said) -> None:
    """ "1 % female, more than the 1 %"."""
    text = said(study(share(1500, 100_000, 0.011)))
    assert "1.5 % of 100,000 pictures show a woman; the reference says 1.1 %." in text
    close = said(study(share(1140, 100_000, 0.0105)))
    assert "1.14 % of 100,000 pictures show a woman; the reference says 1.05 %." in close


def test_an_interval_has_two_ends(share: Row, study: StudyOf, said: Said) -> None:
    """ "22 to 22" and "50 to 50" are no ranges."""
    assert "95 % interval 49.97–50.03 %" in said(study(share(5_000_000, 10_000_000, 0.2)))


def test_faces_that_are_edited_have_no_card_of_their_own(share: Row, study: StudyOf, said: Said) -> None:
    made = {"g": {"made": 60}, "seeds": {"made": 9}}
    text = said(study(share(), generators=["g", "seeds"], outcomes=made, editing=3))
    assert " seeds " not in text
    assert " seeds Not compared" in said(study(share(), generators=["g", "seeds"], outcomes=made))


def test_none_and_all_are_counts_however_many_images_there_are(share: Row, study: StudyOf, said: Said) -> None:
    assert "240 of 240 pictures show a woman; the reference says 50 %" in said(study(share(240, 240, 0.5)))
    assert "0 of 240 pictures show a woman; the reference says 50 %" in said(study(share(0, 240, 0.5)))
    assert "99.6 % of 240" not in said(study(share(239, 240, 0.5)))
    assert ">99 % of 240 pictures show a woman" in said(study(share(239, 240, 0.5)))


def test_a_distance_is_shown_with_its_scale(share: Row, study: StudyOf, said: Said) -> None:
    distance = share(
        3, 60, None, metric="mean_total_variation", group="", level="overall", item="", value=0.1, low=0.0, high=0.3
    )
    both = [replace(row, generator=name) for row in (share(24, 60), distance) for name in "gh"]
    text = said(study(*both, generators=["g", "h"]))
    assert (
        "g 0.10 (0.00–0.30); h 0.10 (0.00–0.30). (the part of the pictures that would have to change, whatever" in text
    )
    assert "Distance" not in said(study(share(24, 60), distance)), "of one model, shares say more"


def test_the_side_of_the_reference_is_said_where_it_is_sure(share: Row, study: StudyOf, said: Said) -> None:
    """Six models exactly on their reference were said to show more or fewer, as single intervals missed it."""
    overall = {"level": "overall", "item": ""}
    rows = [share(39, 100, 0.5, generator=name, **overall) for name in "ABCDEF"]
    text = said(study(*rows, generators=list("ABCDEF")))
    assert "A 39 % (29–49 %); B" in text
    assert "fewer than that" not in text


def test_pictures_that_are_all_there_are_said_to_be(share: Row, study: StudyOf, said: Said) -> None:
    assert "Missing None of 60 pictures." in said(study(share()))
    refused = study(share(), outcomes={"g": {"made": 59, "refused": 1}})
    assert "None of 60 pictures" not in said(refused)
