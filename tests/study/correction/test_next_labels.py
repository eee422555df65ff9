"""What is labelled next is what narrows the widest interval, at random within each prompt of each model."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from portrayal.errors import StudyError
from portrayal.records import MEASUREMENT_SCHEMA, Measurement, to_table
from portrayal.stats.intervals import clopper_pearson
from portrayal.study.correction import corrected_shares
from portrayal.study.correction.next_labels import LabelPlan, next_labels
from portrayal.study.importing.labels.imported_annotator import imported_annotator
from portrayal.study.importing.labels.label_sheet import Sample, write_sheet
from portrayal.study.importing.labels.read_sheet import read_sheet
from portrayal.study.study import OpenStudy

Make = Callable[..., Path]
TOOL = "simulated@1"
GENDER = {"use": "imported:people", "options": {"attributes": ["gender"]}}
GROUPS = {"male": (1.0, 0.0), "female": (0.0, 1.0)}


@pytest.fixture
def build(make_study: Make, by_hand: Callable[[Path], Any]) -> Callable[..., OpenStudy]:
    """Write a study of the models ``good``, read right, and ``hard``, one person in three of whom is misread.

    Of each there are 100 images of either prompt; ``labelled`` says of how many of them people said who they show, or
    looked at where they could tell one in ``every`` only.
    """

    def build_study(labelled: int, measured: bool = True, kept: bool = True, every: int = 1) -> OpenStudy:
        written = by_hand(make_study(f"study{labelled}", annotators=[{"use": "simulated"}, GENDER]))
        people = next(who for who in written.study.annotators if who.startswith("imported"))
        ext = {"ext": "png"} if kept else {}
        for model in ("good", "hard"):
            for number in range(200):
                word = f"{model} {number}"
                truth = "female" if number % 4 < 2 else "male"
                read = truth if model == "good" or number % 3 else {"male": "female", "female": "male"}[truth]
                written.made(word, text=("nurse", "CEO")[number % 2], generator=model, **ext)
                written.told(word, TOOL, 0, "gender", GROUPS[read])
                if number < labelled:
                    said = GROUPS[truth] if number // 4 % every == 0 else ()
                    written.told(word, people, 0, "gender" if said else "", said)
        study: OpenStudy = written.write()
        if measured:
            rows = [row for model in ("good", "hard") for row in shares(model)]
            study.workspace.tables["measurements"].replace([to_table(rows, MEASUREMENT_SCHEMA)])
        return study

    return build_study


def shares(model: str) -> list[Measurement]:
    low, high = (float(bound) for bound in clopper_pearson(0.5, 200))
    numbers: dict[str, Any] = {"value": 0.5, "low": low, "high": high, "target": 0.5, "n": 200, "worth": 200.0}
    about = ("representation", "share", model, TOOL, "gender")
    return [Measurement(*about, group, **numbers) for group in GROUPS]


def plan(study: OpenStudy, count: int, seed: int = 0) -> LabelPlan:
    return next_labels(study, imported_annotator(study), count, np.random.default_rng(seed))


def places(study: OpenStudy, chosen: LabelPlan) -> Counter[tuple[str, str]]:
    jobs = "outcomes JOIN jobs ON job = jobs.id JOIN prompts ON prompts.id = jobs.prompt"
    made = study.workspace.query(f"SELECT image, generator, text FROM {jobs}").to_pylist()
    return Counter((row["generator"], row["text"]) for row in made if row["image"] in chosen.images)


def test_labels_go_to_the_model_that_is_known_worst_and_to_all_its_prompts(build: Callable[..., OpenStudy]) -> None:
    study = build(40)
    found = places(study, plan(study, 30))
    assert found == {("hard", "nurse"): 15, ("hard", "CEO"): 15}


def test_without_labels_models_get_as_many(build: Callable[..., OpenStudy]) -> None:
    study = build(0)
    chosen = plan(study, 40)
    assert set(places(study, chosen).values()) == {10}
    assert chosen.before is None
    assert chosen.worth.startswith("with them the widest interval of a corrected share will be about ")


@pytest.mark.parametrize(("drawn", "lacking"), [(40, 20), (59, 1), (60, 0)])
def test_where_labels_are_too_few_to_decide_it_says_how_many_more_would(
    build: Callable[..., OpenStudy], drawn: int, lacking: int
) -> None:
    """Two models, each of which takes 30 labels of its own."""
    chosen = plan(build(0), drawn)
    assert chosen.lacking == lacking
    give = "1 more image gives" if lacking == 1 else f"{lacking} more images give"
    assert chosen.worth.endswith(f", once {give} every model the 30 labels that this takes") is (lacking > 0)


@pytest.mark.slow
def test_what_is_promised_comes_true(build: Callable[..., OpenStudy]) -> None:
    study = build(40)
    chosen = plan(study, 60)
    assert chosen.about.startswith("hard, gender: ")
    now = corrected_shares(study)
    width = max(share.high - share.low for share in now if share.way == "sample")
    assert chosen.before == pytest.approx(width)
    later = corrected_shares(build(100))
    reached = max(share.high - share.low for share in later if share.way == "sample" and share.seen.generator == "hard")
    assert chosen.after == pytest.approx(reached, rel=0.15)
    assert reached < 0.8 * width
    assert "from 30 to about 19 points" in chosen.worth


@pytest.mark.slow
def test_pictures_of_which_people_cannot_tell_are_not_promised_as_labels(build: Callable[..., OpenStudy]) -> None:
    # Of every second picture people can tell nothing: 60 more become 30 labels.
    chosen = plan(build(40, every=2), 60)
    reached = corrected_shares(build(100, every=2))
    width = max(each.high - each.low for each in reached if each.way == "sample" and each.seen.generator == "hard")
    assert chosen.after == pytest.approx(width, rel=0.15)


@pytest.mark.slow
def test_no_image_is_asked_about_twice_and_each_is_as_likely(build: Callable[..., OpenStudy]) -> None:
    study = build(40)
    people = next(who for who in study.annotators if who.startswith("imported"))
    rows = study.workspace.query(f"SELECT DISTINCT image FROM observations WHERE annotator = '{people}'")
    labelled = set(rows["image"].to_pylist())
    chosen = plan(study, 40)
    assert not labelled & set(chosen.images)
    # Twenty of a hundred images of a prompt were labelled, and twenty are drawn.
    assert set(chosen.images.values()) == {0.4}
    counts = Counter(image for seed in range(60) for image in plan(study, 40, seed).images)
    assert len(counts) == 160
    assert max(counts.values()) < 32  # 15 expected of each; chance goes so far in less than one run of a thousand


def test_all_that_is_left_is_drawn_and_then_nothing(build: Callable[..., OpenStudy], tmp_path: Path) -> None:
    study = build(190)
    chosen = plan(study, 1000)
    assert len(chosen.images) == 20
    assert set(chosen.images.values()) == {1.0}
    done = build(200)
    assert plan(done, 10).images == {}
    with pytest.raises(StudyError, match="no picture of one person is left to label"):
        write_sheet(done, tmp_path / "a.csv", imported_annotator(done), Sample(1, 1, 0, worthiest=10))


def test_where_no_picture_is_kept_there_is_none_to_label(build: Callable[..., OpenStudy], tmp_path: Path) -> None:
    study = build(0, kept=False)
    with pytest.raises(StudyError, match="no picture of one person is left to label"):
        write_sheet(study, tmp_path / "a.csv", imported_annotator(study), Sample(1, 1, 0, worthiest=10))


def test_before_anything_is_measured_labels_are_spread(build: Callable[..., OpenStudy]) -> None:
    study = build(0, measured=False)
    chosen = plan(study, 40)
    assert set(places(study, chosen).values()) == {10}
    assert chosen.worth.startswith("no share of these attributes is measured yet")


def test_the_sheet_has_the_probabilities_and_can_be_read(build: Callable[..., OpenStudy], tmp_path: Path) -> None:
    study, path = build(40), tmp_path / "a.csv"
    people = imported_annotator(study)
    count, worth = write_sheet(study, path, people, Sample(1, 1, 0, worthiest=10))
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    assert (count, len(rows)) == (10, 10)
    assert {row["probability"] for row in rows} == {"0.2500"}
    assert "narrow the widest interval" in worth
    assert "hard" not in path.read_text(encoding="utf-8")
    assert len(read_sheet(path, people.attributes)) == 10
