"""Skin tone within a face's outline, without highlights: as BiasPainter's authors read it."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Pillow

from portrayal.annotators.faces import Faces
from portrayal.annotators.faces.outline import outline_intensity, outline_mask
from portrayal.errors import InputError
from portrayal.generators.facegan import Facegan, LatentFace
from portrayal.records import Abstention, Image, Observation
from portrayal.settings import parse_settings


def landmarks(left: float = 20, right: float = 80, ears: float = 40, chin: float = 90) -> np.ndarray:
    """Return 68 landmarks: a jaw that is half an ellipse, square eyes and a square mouth; the others do not count."""
    points = np.full((68, 2), 50.0)
    middle, angles = (left + right) / 2, np.linspace(np.pi, 0, 17)
    points[:17, 0] = middle + (right - left) / 2 * np.cos(angles)
    points[:17, 1] = ears + (chin - ears) * np.sin(angles)
    for start, (x, y) in ((36, (35, 42)), (42, (65, 42)), (48, (50, 72))):
        count = 12 if start == 48 else 6
        round_ = np.linspace(0, 2 * np.pi, count, endpoint=False)
        points[start : start + count] = np.stack([x + 5 * np.cos(round_), y + 3 * np.sin(round_)], axis=1)
    return points


def test_the_outline_is_the_jaw_and_half_a_circle_over_it_without_eyes_and_mouth() -> None:
    mask = outline_mask(landmarks(), (100, 100))
    inside = {"cheek": (60, 30), "forehead": (15, 50), "chin": (88, 50), "nose": (55, 50)}
    outside = {
        "eye": (42, 35),
        "other eye": (42, 65),
        "mouth": (72, 50),
        "ear": (40, 15),
        "hair": (5, 50),
        "neck": (95, 50),
    }
    assert {name for name, place in inside.items() if not mask[place]} == set()
    assert {name for name, place in outside.items() if mask[place]} == set()
    # Half an ellipse of 30 by 50 and half a circle of 30, less two eyes and a mouth.
    area = np.pi * (30 * 50 + 30 * 30) / 2
    assert mask.sum() == pytest.approx(area, rel=0.06)


def test_the_outline_may_reach_beyond_the_picture() -> None:
    assert outline_mask(landmarks(left=-20, ears=5), (100, 100))[20, 5]


def test_highlights_are_left_out_so_that_a_lighter_face_hardly_reads_lighter() -> None:
    """Half of a face at 225, half at 195: by 30 levels lighter the first half is a highlight, and the mean is 225."""
    face = np.repeat(np.array([[225] * 3, [195] * 3], dtype=np.uint8), 500, axis=0)
    assert outline_intensity(face) == (210.0, "")
    assert outline_intensity(face + np.uint8(30)) == (225.0, "")
    assert outline_intensity(face - np.uint8(30)) == (180.0, "")


def test_nothing_left_is_no_tone() -> None:
    assert outline_intensity(np.zeros((9, 3), dtype=np.uint8)) == (None, "underexposed_face")
    assert outline_intensity(np.full((9, 3), 255, dtype=np.uint8)) == (None, "overexposed_face")
    assert outline_intensity(np.zeros((0, 3), dtype=np.uint8)) == (None, "underexposed_face")


def trained(folder: Path, picture: Path, points: int) -> Path:
    """Return a file of landmarks, trained on one portrait: it puts them where they lie in it."""
    import dlib

    pixels = np.array(Pillow.open(picture).convert("RGB"))
    (box,) = dlib.get_frontal_face_detector()(pixels, 0)
    template = landmarks()[:points] / 100
    scaled = [dlib.point(int(box.left() + x * box.width()), int(box.top() + y * box.height())) for x, y in template]
    options = dlib.shape_predictor_training_options()
    options.tree_depth, options.cascade_depth, options.num_trees_per_cascade_level = 1, 1, 1
    options.oversampling_amount, options.num_threads, options.feature_pool_size = 1, 1, 10
    shape = dlib.full_object_detection(box, scaled)
    predictor = dlib.train_shape_predictor([pixels, pixels], [[shape], [shape]], options)
    file = folder / f"landmarks_{points}.dat"
    predictor.save(str(file))
    return file


@pytest.fixture(scope="module")
def portrait(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("portrait") / "face.png"
    path.write_bytes(Facegan("", Facegan.Options()).draw(LatentFace(seed=7)))
    return path


def intensity(faces: Faces, path: Path) -> Observation | Abstention:
    (row,) = [row for row in faces.annotate([Image("x", path)]) if row.attribute == "intensity"]
    return row


@pytest.mark.slow
def test_with_landmarks_only_intensity_is_read_otherwise(portrait: Path, tmp_path: Path) -> None:
    file = trained(tmp_path, portrait, 68)
    plain, outlined = (Faces("", parse_settings(Faces.Options, options, "t")) for options in ({}, {"landmarks": file}))
    rows = [{row.attribute: row for row in own.annotate([Image("x", portrait)])} for own in (plain, outlined)]
    assert {name for name in rows[0] if rows[0][name] != rows[1][name]} == {"intensity"}
    # Every pixel 60 levels lighter: the fixed region follows, the outline loses its highlights.
    lighter = tmp_path / "lighter.png"
    pixels = np.array(Pillow.open(portrait).convert("RGB"), dtype=int)
    Pillow.fromarray(np.clip(pixels + 60, 0, 255).astype(np.uint8)).save(lighter)
    moved = []
    for own in (plain, outlined):
        before, after = intensity(own, portrait), intensity(own, lighter)
        assert isinstance(before, Observation)
        assert isinstance(after, Observation)
        moved.append((after.value or 0) - (before.value or 0))
    assert 40 < moved[0] <= 60
    assert moved[1] < moved[0] - 5
    again = pickle.loads(pickle.dumps(outlined))
    assert intensity(again, portrait) == intensity(outlined, portrait)


@pytest.mark.slow
def test_a_file_that_has_no_68_landmarks_is_refused(portrait: Path, tmp_path: Path) -> None:
    few, none = trained(tmp_path, portrait, 5), tmp_path / "none.dat"
    none.write_bytes(b"no landmarks")
    for file, why in ((few, "it has 5 landmarks, not 68"), (none, "not landmarks of dlib")):
        faces = Faces("", parse_settings(Faces.Options, {"landmarks": file}, "t"))
        with pytest.raises(InputError, match=f"{file.name}: {why}.*such as shape_predictor_68_face_landmarks.dat"):
            list(faces.annotate([Image("x", portrait)]))
