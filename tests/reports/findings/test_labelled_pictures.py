"""What the first screen says where people labelled a part of the pictures: by the labels, and how many there are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from portrayal.records import Measurement
from portrayal.reports import ReportData
from portrayal.reports.corrected_share import CorrectedShare
from portrayal.reports.reading_errors import LabelledPart

if TYPE_CHECKING:
    from tests.reports.findings.conftest import Row, Said, StudyOf


def page(study: StudyOf, row: Measurement, labelled: tuple[int, int], *shares: CorrectedShare) -> ReportData:
    """Return what an annotator read, and what people labelled, who see twice as many women."""
    part, images = labelled
    told = replace(row, annotator="people", value=0.8, low=0.6, high=0.9, n=part, missing=images - part, worth=part)
    lost = replace(told, metric="missing", attribute="", group="not_annotated", missing=images - part, n=images)
    return study(
        row, told, lost, annotators=["a", "people"], judged={"a": images, "people": part},
        perceived={"a": images, "people": part}, labelled=LabelledPart("people", {"g": labelled}), corrections=shares,
    )  # fmt: skip


def fixed(row: Measurement, low: float, high: float, **more: object) -> CorrectedShare:
    share = CorrectedShare(row, "sample", (low + high) / 2, low, high, 40, decides=True)
    return replace(share, **more)  # type: ignore[arg-type]  # names of fields


def test_labels_of_a_part_are_no_comparison_of_their_own(share: Row, study: StudyOf, said: Said) -> None:
    """They doubled the comparisons, contested the annotator whom they correct, and made pictures missing ones."""
    row = share(30, 60, 0.5)
    text = said(page(study, row, (40, 60), fixed(row, 0.42, 0.58)))
    assert "1 comparison of perceived gender" in text
    assert "Contested" not in text
    assert "seen by" not in text
    assert "not annotated" not in text
    assert "could not be judged" not in text
    assert "people labelled 40 of 60 images (67 %). These labels correct what was read in all of them" in text


@pytest.mark.parametrize(
    ("more", "said_of_it"),
    [
        ({}, "These labels correct what was read in all of them, and are no comparisons of their own."),
        ({"decides": False}, "These are too few to correct what was read."),
        ({"decides": False, "chosen": True}, "These were not chosen at random, so the labels correct nothing."),
        ({"decides": False, "uneven": True}, "The annotator errs unevenly, so that so few labels correct nothing."),
    ],
)
def test_what_labels_are_good_for_is_said(
    share: Row, study: StudyOf, said: Said, more: dict[str, object], said_of_it: str
) -> None:
    row = share(30, 60, 0.5)
    text = said(page(study, row, (5, 60), fixed(row, 0.42, 0.58, **more)))
    assert f"people labelled 5 of 60 images (8 %). {said_of_it}" in text


def test_labels_of_all_pictures_count_in_place_of_what_was_read(share: Row, study: StudyOf, said: Said) -> None:
    text = said(page(study, share(30, 60, 0.5), (60, 60)))
    assert "48 of 60 pictures show a woman; the reference says 50 %." in text
    assert "30 of 60" not in text
    assert "people labelled all of 60 images; these labels count where others read the same." in text


def test_without_labels_everybody_counts(share: Row, study: StudyOf, said: Said) -> None:
    text = said(replace(page(study, share(30, 60, 0.5), (40, 60)), labelled=None))
    assert "2 comparisons of perceived gender" in text
    assert "Labelled by" not in text


def test_what_labels_turn_round_is_said_as_they_have_it(share: Row, study: StudyOf, said: Said) -> None:
    """Read as 20 of 100, and 80 % by the labels: the page said that 20 pictures show a woman."""
    row = share(20, 99, 0.5)
    text = said(page(study, row, (40, 99), fixed(row, 0.7, 0.9)))
    assert (
        "20 of 99 pictures were read as showing a woman; corrected by 40 labelled pictures, the share is 80 % (70–90 "
        "%); the reference says 50 %." in text
    )
    assert "corrected, 20–40 points more than the reference" in text
    assert "20 of 99 pictures show" not in text
    assert "Female 20 of 99 as read, 80 % corrected 70–90 %" in text.replace("female", "Female")
    assert "as it was read, and not so by the labels" not in text, "it is a finding, with what it was read as"


def test_what_labels_do_not_bear_out_is_no_finding(share: Row, study: StudyOf, said: Said) -> None:
    row = share(20, 99, 0.5)
    text = said(page(study, row, (40, 99), fixed(row, 0.35, 0.6)))
    assert "Inconclusive. Too few images or labels to tell." in text
    assert "1 share deviates as it was read, and not so by the labels" in text
    assert "20 of 99 pictures were read as showing a woman. Does not survive" in text
    alone = said(study(share(20, 99, 0.5)))
    assert "labels" not in alone
    assert "Deviations found." in alone


def test_more_images_alone_are_not_advised_where_labels_decide(share: Row, study: StudyOf, said: Said) -> None:
    row = share(30, 60, 0.5)
    text = said(page(study, row, (40, 60), fixed(row, 0.3, 0.7)))
    assert "More labelled pictures would find more; portrayal labels --next draws those that help most." in text
    assert "often takes about" not in text
    assert "often takes about" in said(study(row))


def test_shares_side_by_side_are_those_of_the_labels(share: Row, study: StudyOf, said: Said) -> None:
    mine = share(20, 99, 0.5, level="overall", item="")
    rows = [mine, replace(mine, generator="h")]
    both = study(*rows, generators=["g", "h"], outcomes={"g": {"made": 99}, "h": {"made": 99}})
    text = said(replace(both, corrections=[fixed(mine, 0.7, 0.9)]))
    assert "g 20 % as read, corrected by labels 80 % (70–90 %), more than that; h 20 % (" in text
    assert "fewer than that." in text


def test_people_and_means_are_said_to_be_read_too(share: Row, study: StudyOf, said: Said) -> None:
    several = share(20, 99, 0.5, prompts=4, item="", level="overall", value=0.2021)
    text = said(study(several, corrections=[fixed(several, 0.7, 0.9)]))
    assert "20 % were read as showing a woman (mean of 4 prompts, 99 pictures); corrected by 40" in text
    one = share(1, 99, 0.5)
    assert "1 of 99 pictures was read as showing a woman; corrected" in said(
        study(one, corrections=[fixed(one, 0, 0.1)])
    )
    alone = share(0, 1, 0.5)
    assert "0 of 1 picture was read as showing" in said(study(alone, corrections=[fixed(alone, 0, 0.1)]))
    assert "0 of 1 picture shows a woman" in said(study(share(0, 1, 0.5, level="overall", item="")))
