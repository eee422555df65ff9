"""Images compared with each other, from a study on disk."""

from __future__ import annotations

import io
from collections.abc import Callable, Collection
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from portrayal.errors import DamagedError
from portrayal.evidence import Compared, ComparedPairs
from portrayal.methods.base import Method
from portrayal.records import Prompt
from portrayal.study.annotate import compare_pictures as room
from portrayal.study.annotate.annotate_images import annotate
from portrayal.study.annotate.compare_pictures import compare_pictures
from portrayal.study.generate.generate_images import generate
from portrayal.study.measure.collect import collect
from portrayal.study.plan.make_plan import plan
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy
from portrayal.vision.ssim import Grey, ssim

pytestmark = pytest.mark.slow

Make = Callable[..., Path]
CAPTIONS = {"a nurse at work": 0.5, "a red car": 0.5}


def couples(prompts: Collection[Prompt]) -> list[tuple[str, str]]:
    """Nurses among themselves, and each nurse with the CEO of the same place."""
    by = {prompt.term: prompt.id for prompt in prompts}
    return [(by["nurse"], by["nurse"]), (by["nurse"], by["CEO"])]


NEED = Compared(couples, size=16)


def opened(root: Path) -> OpenStudy:
    study = OpenStudy(root)
    study.methods = [cast("Method", SimpleNamespace(name="any", needs=[NEED]))]
    return study


@pytest.fixture
def study(make_study: Make) -> OpenStudy:
    """Four pictures of each prompt, each with one of two captions."""
    root = make_study(
        generators=[{"use": "simulated", "images": 4, "options": {"size": 16, "shares": {"caption": CAPTIONS}}}],
        annotators=[{"use": "simulated", "options": {"attributes": ["caption"]}}],
    )
    made = opened(root)
    plan(made, RunControl())
    generate(made, RunControl())
    return made


def found(study: OpenStudy) -> ComparedPairs:
    return collect(study, [NEED], RunControl())[NEED]


def rows(study: OpenStudy) -> int:
    return study.workspace.tables["comparisons"].count()


def greys(study: OpenStudy, term: str) -> list[Grey]:
    """Return the pictures of a term in the order in which they were asked for."""
    sql = f"""SELECT image, ext FROM jobs JOIN outcomes ON job = jobs.id JOIN prompts ON prompts.id = prompt
              WHERE term = '{term}' ORDER BY jobs.index"""
    files = [study.workspace.images.path(row["image"], row["ext"]) for row in study.workspace.query(sql).to_pylist()]
    from PIL import Image

    return [Grey.of(np.asarray(Image.open(io.BytesIO(file.read_bytes())).convert("L"))) for file in files]


def test_structure_of_the_same_prompt_and_of_equal_places(study: OpenStudy) -> None:
    annotate(study, RunControl())
    pairs = found(study)
    nurse, ceo = greys(study, "nurse"), greys(study, "CEO")
    within = pairs.cell == pairs.other
    assert (within.sum(), (~within).sum()) == (6, 4)
    for one, other, value in zip(pairs.place[within], pairs.other_place[within], pairs.structure[within], strict=True):
        assert one < other
        assert value == pytest.approx(ssim(nurse[one], nurse[other]))
    assert (pairs.place[~within] == pairs.other_place[~within]).all()
    expected = [ssim(nurse[place], ceo[place]) for place in pairs.place[~within].tolist()]
    assert pairs.structure[~within] == pytest.approx(expected)


def test_captions_that_are_the_same_and_that_are_not(study: OpenStudy) -> None:
    annotate(study, RunControl())
    pairs = found(study)
    same = np.isclose(pairs.captions, 1.0, atol=1e-5)
    assert 0 < same.sum() < len(same)
    assert (pairs.captions[~same] < 0.5).all()


def test_what_is_done_stays_done(study: OpenStudy, monkeypatch: pytest.MonkeyPatch) -> None:
    annotate(study, RunControl())
    assert rows(study) == 20  # ten pairs, by structure and by caption
    monkeypatch.setattr(room, "ssim", lambda *_: pytest.fail("compared again"))
    compare_pictures(opened(study.root), RunControl())
    assert rows(study) == 20


def test_it_goes_on_where_it_was_stopped(study: OpenStudy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "_BATCH", 4)
    asked = iter([False, True])
    compare_pictures(study, RunControl(stopped=lambda: next(asked, True)))
    assert rows(study) == 4
    assert np.isnan(found(study).structure).sum() == 6
    annotate(study, RunControl())
    assert rows(study) == 20
    assert not np.isnan(found(study).structure).any()


def test_captions_wait_until_they_are_written(study: OpenStudy) -> None:
    compare_pictures(study, RunControl())
    assert np.isnan(found(study).captions).all()
    annotate(study, RunControl())
    assert not np.isnan(found(study).captions).any()


def test_another_size_is_another_comparison(study: OpenStudy) -> None:
    annotate(study, RunControl())
    other = Compared(couples, size=8)
    study.methods = [cast("Method", SimpleNamespace(name="any", needs=[other]))]
    compare_pictures(study, RunControl())
    assert rows(study) == 30  # captions have no size


def test_a_picture_that_cannot_be_read_says_why(study: OpenStudy) -> None:
    row = study.workspace.query("SELECT image, ext FROM outcomes LIMIT 1").to_pylist()[0]
    path = Path(study.workspace.images.path(row["image"], row["ext"]))
    path.write_bytes(b"no picture")
    with pytest.raises(DamagedError, match=row["image"]):
        compare_pictures(study, RunControl())
    path.unlink()
    annotate(study, RunControl())
    said: list[dict[str, Any]] = study.workspace.query(
        f"SELECT reason FROM comparisons WHERE comparer = 'ssim@1:16' AND '{row['image']}' IN (image, other)"
    ).to_pylist()
    assert {own["reason"] for own in said} == {"missing_file"}


def test_a_study_whose_methods_compare_nothing_compares_nothing(study: OpenStudy) -> None:
    study.methods = []
    annotate(study, RunControl())
    assert rows(study) == 0
