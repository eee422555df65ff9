"""Which images annotators have judged, and how often they abstained: as DuckDB counts it, however rows are cut."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portrayal.study.annotate.judged import count_judged, judged_images
from portrayal.study.study import OpenStudy
from portrayal.study.tables.plan_answers import read_answers

if TYPE_CHECKING:
    from tests.study.conftest import Written

Make = Callable[..., Path]
Cut = Callable[[int], AbstractContextManager[None]]
Begin = Callable[[Path], "Written"]
CLIP, HUMANS = "imported:clip", "imported:humans"
LOOKERS = [{"use": CLIP}, {"use": HUMANS}]
_MADE = "SELECT image FROM outcomes JOIN jobs ON jobs.id = outcomes.job"
_JUDGED = f"""
    SELECT annotator, count(DISTINCT image) AS images FROM observations WHERE image IN ({_MADE}) GROUP BY ALL
"""
_PERCEIVED = f"""
    SELECT annotator, count(DISTINCT image) AS images FROM observations
    WHERE image IN ({_MADE}) AND reason IS NULL GROUP BY ALL
"""
_REASONS = f"""
    SELECT annotator, reason, count(DISTINCT image) AS images FROM observations
    WHERE image IN ({_MADE}) AND reason IS NOT NULL GROUP BY ALL
"""


Counts = tuple[dict[str, int], dict[str, int], dict[tuple[str, str], int]]


def counted(study: OpenStudy) -> Counts:
    """Return images, those in which anything was told, and reasons by annotator."""
    found = count_judged(study, read_answers(study.workspace))
    reasons = {(name, reason): count for name, own in found.items() for reason, count in own.reasons.items()}
    perceived = {name: own.perceived for name, own in found.items()}
    return {name: own.images for name, own in found.items()}, perceived, reasons


def by_duckdb(study: OpenStudy) -> Counts:
    images = {row["annotator"]: row["images"] for row in study.workspace.query(_JUDGED).to_pylist()}
    told = {row["annotator"]: row["images"] for row in study.workspace.query(_PERCEIVED).to_pylist()}
    reasons = study.workspace.query(_REASONS).to_pylist()
    return (
        {name: images.get(name, 0) for name in study.annotators},
        {name: told.get(name, 0) for name in study.annotators},
        {(row["annotator"], row["reason"]): row["images"] for row in reasons if row["annotator"] in study.annotators},
    )


def test_an_image_counts_once_for_a_reason(by_hand: Begin, make_study: Make) -> None:
    written = by_hand(make_study(annotators=LOOKERS))
    written.made("a")
    written.made("b")
    for subject in (0, 1):
        written.told("a", CLIP, subject, "gender", "too_dark")
    written.told("a", CLIP, what="several_faces")
    written.told("b", CLIP, 0, "gender", (1.0, 0.0))
    written.told("b", CLIP, 0, "age3", "too_dark")
    written.told("b", "stranger", what="no_face")
    written.told("not planned", CLIP, what="no_face")
    assert counted(written.write()) == (
        {CLIP: 2, HUMANS: 0},
        {CLIP: 1, HUMANS: 0},
        {(CLIP, "too_dark"): 2, (CLIP, "several_faces"): 1},
    )


def random_rows(written: Written, random: Random) -> None:
    words = [str(number) for number in range(random.randint(0, 8))]
    for word in words:
        for _ in range(random.choice([0, 1, 1, 2])):
            written.made(word)
    turns = [(word, by) for word in words for by in (CLIP, HUMANS, "stranger@1") if random.random() < 0.7]
    random.shuffle(turns)
    for word, by in turns:
        for _ in range(random.randint(1, 5)):
            subject = random.choice([None, 0, 1])
            attribute = random.choice(["gender", None]) if subject is not None else None
            what = random.choice(["no_face", "too_dark", "too_dark", "blurred"])
            if attribute and random.random() < 0.5:
                written.told(word, by, subject, attribute, (1.0, 0.0))
            else:
                written.told(word, by, subject, attribute, what)


@pytest.mark.slow
@given(seed=st.integers(0, 2**32), rows=st.sampled_from([1, 2, 3, 7, 120_000]), parts=st.integers(1, 3))
@settings(max_examples=40)
def test_counts_are_those_of_duckdb_however_batches_are_cut(
    by_hand: Begin, write_study: Make, cut_tables: Cut, tmp_path_factory: pytest.TempPathFactory,
    seed: int, rows: int, parts: int,
) -> None:  # fmt: skip
    written = by_hand(write_study(tmp_path_factory.mktemp("judged") / "study", annotators=LOOKERS))
    random_rows(written, Random(seed))
    with cut_tables(rows):
        study = written.write(parts)
        assert counted(study) == by_duckdb(study)
        for name in study.annotators:
            judged = judged_images(study, name)
            own = {row.image for row in written.seen if row.annotator == name}
            everything = sorted({row.image for row in written.seen})
            assert judged.has(pa.array(everything, pa.string())).tolist() == [image in own for image in everything]
            alike = [image[:16] + image[16:20][::-1] + image[20:] for image in everything]
            assert judged.has(pa.array(alike, pa.string())).tolist() == [image in own for image in alike]


def test_a_study_without_observations(by_hand: Begin, make_study: Make) -> None:
    written = by_hand(make_study(annotators=LOOKERS))
    written.made("a")
    study = written.write()
    assert counted(study) == ({CLIP: 0, HUMANS: 0}, {CLIP: 0, HUMANS: 0}, {})
    assert judged_images(study, CLIP).has(pa.array([written.name_of("a")])).tolist() == [False]
