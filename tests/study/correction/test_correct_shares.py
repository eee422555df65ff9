"""Labels of a part of the images put every share right: by the matrix everywhere, by the sample where it is enough."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import portrayal
from portrayal.errors import InputError, StudyError
from portrayal.records import MEASUREMENT_SCHEMA, Measurement, to_table
from portrayal.reports.corrected_share import CorrectedShare
from portrayal.stats.intervals import clopper_pearson
from portrayal.study.correction import (
    corrected_differences,
    corrected_scores,
    corrected_shares,
    reported_corrections,
)
from portrayal.study.study import OpenStudy

Make = Callable[..., Path]
TOOL = "simulated@1"
GENDER = {"use": "imported:people", "options": {"attributes": ["gender"]}}
DRAWN = {"use": "simulated", "images": 60}
FEMALE, MALE = (0.0, 1.0), (1.0, 0.0)


def people_of(study: OpenStudy) -> str:
    return next(who for who in study.annotators if who.startswith("imported:people"))


def share_rows(place: dict[str, Any], seen: int, n: int, target: float | None = 0.5) -> list[Measurement]:
    """Return the shares of both groups, of whom so many are seen as women."""
    rows = []
    for group, value in (("male", 1 - seen / n), ("female", seen / n)):
        low, high = (float(bound) for bound in clopper_pearson(value, n))
        about: dict[str, Any] = {"generator": "g", "annotator": TOOL, "attribute": "gender", **place}
        numbers: dict[str, Any] = {
            "value": value,
            "low": low,
            "high": high,
            "target": target,
            "n": n,
            "worth": float(n),
        }
        rows.append(Measurement("representation", "share", group=group, **about, **numbers))
    return rows


@pytest.fixture
def build(make_study: Make, by_hand: Callable[[Path], Any]) -> Callable[..., OpenStudy]:
    """Write a study of two terms with 100 images each, of whom half are women; one woman in five is read as a man.

    ``labelled`` says of how many images of each term people said who they show; ``only`` of those that are read so.
    """

    def build_study(labelled: dict[str, int], only: tuple[float, float] | None = None, **tables: Any) -> OpenStudy:
        settings = {"annotators": [{"use": "simulated"}, GENDER], **tables}
        written = by_hand(make_study(**settings))
        for term in ("nurse", "CEO"):
            for number in range(100):
                word = f"{term} {number}"
                truth = FEMALE if number % 2 else MALE
                written.made(word, text=term)
                read = MALE if number % 10 == 1 else truth
                written.told(word, TOOL, 0, "gender", read)
                if number < labelled.get(term, 0) and only in (None, read):
                    written.told(word, people_of(written.study), 0, "gender", truth)
        study: OpenStudy = written.write()
        rows = [*share_rows({}, 80, 200), *share_rows({"level": "term", "item": "nurse"}, 40, 100)]
        study.workspace.tables["measurements"].replace([to_table(rows, MEASUREMENT_SCHEMA)])
        return study

    return build_study


def women(shares: list[CorrectedShare], level: str = "overall") -> dict[str, CorrectedShare]:
    return {share.way: share for share in shares if share.seen.group == "female" and share.seen.level == level}


def test_both_ways_put_the_share_right(build: Callable[..., OpenStudy]) -> None:
    found = women(corrected_shares(build({"nurse": 40, "CEO": 40})))
    assert found["matrix"].value == pytest.approx(0.5)
    assert found["sample"].value == pytest.approx(0.5, abs=0.01)
    for share in found.values():
        assert share.seen.value == 0.4
        assert share.low < 0.5 < share.high
        assert share.labels == 80
    assert (found["sample"].decides, found["matrix"].decides) == (True, False)


def test_where_few_of_its_images_are_labelled_the_matrix_counts(build: Callable[..., OpenStudy]) -> None:
    found = women(corrected_shares(build({"nurse": 20, "CEO": 60})), "term")
    assert list(found) == ["matrix"]
    assert found["matrix"].decides
    assert found["matrix"].value == pytest.approx(0.5)


@pytest.mark.parametrize(("labels", "wide"), [(20, True), (40, False)])
def test_an_interval_by_few_misread_labels_is_marked_as_wide(
    build: Callable[..., OpenStudy], labels: int, wide: bool
) -> None:
    """One image in ten is misread: 4 of 40, which says little about how often, or 8 of 80."""
    found = women(corrected_shares(build({"nurse": labels, "CEO": labels})))
    assert (found["sample"].wide, found["matrix"].wide) == (wide, False)


def test_too_few_labels_decide_nothing(build: Callable[..., OpenStudy]) -> None:
    found = women(corrected_shares(build({"nurse": 14, "CEO": 14})))
    assert list(found) == ["matrix"]
    assert found["matrix"].high - found["matrix"].low > 0.3
    assert not found["matrix"].decides


def test_labels_of_those_alone_who_are_read_as_women_decide_nothing(build: Callable[..., OpenStudy]) -> None:
    # All 80 are women, as people say: taken for a random part they would make it a study of women.
    study = build({"nurse": 100, "CEO": 100}, only=FEMALE)
    found = corrected_shares(study)
    assert women(found)["sample"].value == pytest.approx(1.0)
    assert all(share.chosen and not share.decides for share in found)
    assert corrected_differences(study, found) == []
    assert not any(score.decides for score in corrected_scores(study, found))


@pytest.mark.slow
def test_an_adaptive_run_is_allowed_for_in_corrections_too(build: Callable[..., OpenStudy], tmp_path: Path) -> None:
    study = build({"nurse": 40, "CEO": 40})
    usual = women(corrected_shares(study))
    study.root.rename(tmp_path / "usual")
    rounds = {"sampling": {"about": {"attribute": "gender"}, "pilot": 5}, "generators": [DRAWN]}
    looked = women(corrected_shares(build({"nurse": 40, "CEO": 40}, **rounds)))
    for way, share in usual.items():
        assert looked[way].value == share.value
        # An interval for 96.5 % is about 1.075 times as wide as one for 95 %.
        assert 1.05 < (looked[way].high - looked[way].low) / (share.high - share.low) < 1.11


def test_labels_of_some_prompts_only_are_no_sample_of_all(build: Callable[..., OpenStudy]) -> None:
    found = corrected_shares(build({"CEO": 60}))
    assert list(women(found)) == ["matrix"]


def test_a_finding_that_only_the_errors_made_is_gone(build: Callable[..., OpenStudy]) -> None:
    found = women(corrected_shares(build({"nurse": 40, "CEO": 40})))
    assert found["sample"].change == "gone"


def test_what_becomes_of_a_deviation() -> None:
    row = share_rows({}, 20, 100)[1]

    def change(bottom: float, top: float, **more: Any) -> str:
        return CorrectedShare(replace(row, **more), "matrix", 0.5, bottom, top, 50).change

    assert change(0.2, 0.4) == "stands"
    assert change(0.4, 0.6) == "gone"
    assert change(0.6, 0.7) == "reversed"
    assert change(0.6, 0.7, low=0.4, high=0.6) == "appears"
    assert change(0.4, 0.7, low=0.4, high=0.6) == "undecided"
    assert change(0.4, 0.7, target=None) == ""


def test_prompts_weigh_in_the_sample_as_they_do_in_the_share(build: Callable[..., OpenStudy]) -> None:
    # Thirty labels of one prompt and ten of the other: either stands for half of the images.
    study = build({"nurse": 30, "CEO": 10})
    found = women(corrected_shares(study))["sample"]
    assert found.value == pytest.approx(0.5, abs=0.02)
    assert found.high - found.low > 0.12


def test_a_label_that_is_a_tie_says_nothing(build: Callable[..., OpenStudy], by_hand: Callable[[Path], Any]) -> None:
    study = build({"nurse": 2, "CEO": 2})
    written = by_hand(study.root)
    written.made("tie", text="nurse")
    written.told("tie", TOOL, 0, "gender", MALE)
    written.told("tie", people_of(study), 0, "gender", (0.5, 0.5))
    rows = study.workspace.query("SELECT * FROM measurements")
    study = written.write()
    study.workspace.tables["measurements"].replace([rows])
    assert corrected_shares(study) == []
    with pytest.raises(StudyError, match=r"without labels by people.*portrayal labels serve "):
        portrayal.Study(study.root).corrected()


def test_labels_of_another_study_count_for_the_same_annotator(
    build: Callable[..., OpenStudy], make_study: Make, tmp_path: Path
) -> None:
    other = build({"nurse": 100, "CEO": 100})
    kept = tmp_path / "other"
    other.root.rename(kept)
    study = build({}, annotators=[{"use": "simulated"}])
    found = women(corrected_shares(study, labels_from=[kept]))
    assert list(found) == ["matrix"]
    assert found["matrix"].labels == 200
    assert found["matrix"].value == pytest.approx(0.5)
    assert reported_corrections(study) == []


def test_where_errors_differ_between_prompts_the_matrix_decides_nothing(
    build: Callable[..., OpenStudy], by_hand: Callable[[Path], Any]
) -> None:
    study = build({})
    written = by_hand(study.root)
    for term, misread in (("nurse", 2), ("CEO", 100)):
        for number in range(25):
            word = f"{term} {number}"
            written.made(word, text=term)
            written.told(word, TOOL, 0, "gender", MALE if number % misread == 1 else FEMALE)
            written.told(word, people_of(study), 0, "gender", FEMALE)
    rows = study.workspace.query("SELECT * FROM measurements")
    study = written.write()
    study.workspace.tables["measurements"].replace([rows])
    found = corrected_shares(study)
    assert all(share.uneven for share in found)
    assert [share.decides for share in women(found, "term").values()] == [False]
    assert women(found)["sample"].decides


def test_without_labels_there_is_nothing_to_correct_by(build: Callable[..., OpenStudy]) -> None:
    with pytest.raises(InputError, match="nobody has labelled images"):
        corrected_shares(build({}, annotators=[{"use": "simulated"}]))


def test_of_two_who_labelled_it_must_be_said_whose_word_counts(build: Callable[..., OpenStudy]) -> None:
    two = [{"use": "simulated"}, GENDER, {"use": "imported:others"}]
    study = build({"nurse": 40, "CEO": 40}, annotators=two)
    assert reported_corrections(study) == []
    with pytest.raises(InputError, match="--reference"):
        corrected_shares(study)
    assert women(corrected_shares(study, "people"))["matrix"].labels == 80
    with pytest.raises(InputError, match="did you mean 'people'"):
        corrected_shares(study, "peeple")


def test_study_toml_may_say_whose_word_counts(build: Callable[..., OpenStudy]) -> None:
    two = [{"use": "simulated"}, GENDER, {"use": "imported:others"}]
    study = build({"nurse": 40, "CEO": 40}, annotators=two, report={"labels_by": "people"})
    assert women(reported_corrections(study))["matrix"].labels == 80


def test_shares_of_probabilities_are_left_alone(build: Callable[..., OpenStudy]) -> None:
    methods = [{"use": "representation", "options": {"evidence": "mass"}}]
    assert corrected_shares(build({"nurse": 40, "CEO": 40}, methods=methods)) == []


def test_an_annotator_that_guesses_gets_no_share(
    build: Callable[..., OpenStudy], by_hand: Callable[[Path], Any]
) -> None:
    study = build({})
    written = by_hand(study.root)
    for number in range(40):
        written.made(f"g{number}", text="nurse")
        written.told(f"g{number}", TOOL, 0, "gender", FEMALE if number % 4 < 2 else MALE)
        written.told(f"g{number}", people_of(study), 0, "gender", FEMALE if number % 2 else MALE)
    rows = study.workspace.query("SELECT * FROM measurements WHERE level = 'term'")
    study = written.write()
    study.workspace.tables["measurements"].replace([rows])
    found = women(corrected_shares(study), "term")
    assert found["matrix"].value is None
    assert (found["matrix"].low, found["matrix"].high) == (0, 1)
    assert found["sample"].value == pytest.approx(0.5, abs=0.05)
    assert np.isfinite(found["sample"].low)
