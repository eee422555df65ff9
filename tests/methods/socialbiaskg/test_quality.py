"""Image quality in a study: real photographs, sharp from one model and full of noise from another, and real NIQE."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import skimage
from PIL import Image

from portrayal.annotators.quality.niqe import niqe
from portrayal.annotators.quality.niqe_model import load_niqe, published_niqe
from portrayal.errors import MissingExtraError
from portrayal.study.importing.folders.layouts import read_layout
from portrayal.study.importing.import_images import import_images
from portrayal.study.importing.labels.import_labels import check_labels, import_labels
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

pytestmark = pytest.mark.slow

DATA = Path(skimage.__file__).parent / "data"
NAMES = ("astronaut", "coffee", "chelsea", "motorcycle_left")
SIDE = 192
EDGE = "race:hispanic,underrepresented_in,occupation:judge"
OPTIONS = {"edges": "people.csv", "quality_weight": 1.0, "similarity_weight": 1.0, "thresholds": {"quality": 0.1}}


def photograph(name: str, noise: float) -> Image.Image:
    whole = np.asarray(Image.open(DATA / f"{name}.png").convert("RGB"))[:SIDE, :SIDE]
    spread = np.random.default_rng(3).normal(0, noise, whole.shape) if noise else 0
    return Image.fromarray(np.clip(whole + spread, 0, 255).astype(np.uint8))


def draw(folder: Path, prompt: str) -> None:
    """Save what two models "drew" of a prompt, and a manifest that says so."""
    lines = ["path,model,prompt"]
    for model, noise in (("sharp", 0.0), ("noisy", 60.0)):
        for name in NAMES:
            photograph(name, noise).save(folder / f"{model}-{name}.png")
            lines.append(f"{model}-{name}.png,{model},{prompt}")
    (folder / "manifest.csv").write_text("\n".join(lines), encoding="utf-8")


@pytest.fixture(scope="module")
def judged(write_study: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a study in which all images show who was asked for, so that quality alone can speak for the edge."""
    try:
        published_niqe()
    except MissingExtraError as error:
        pytest.skip(str(error))
    folder = write_study(
        tmp_path_factory.mktemp("quality") / "study",
        suite={
            "use": "socialbiaskg",
            "options": {"edges": "people.csv", "terms": ["judge"], "kinds": ["pair"], "wordings": ["simple"]},
        },
        generators=[],
        annotators=[
            {"use": "imported:people", "options": {"attributes": ["race11"]}},
            {"use": "quality", "options": {"metrics": ["niqe"]}},
        ],
        methods=[{"use": "socialbiaskg", "options": OPTIONS}],
        annotate={"workers": 1},
        report={"pictures": 1},
    )
    (folder / "people.csv").write_text(f"source,type,target\n{EDGE}\n", encoding="utf-8")
    study = OpenStudy(folder)
    assert study.suite is not None
    (prompt,) = study.suite.prompts
    pictures = tmp_path_factory.mktemp("pictures")
    draw(pictures, prompt.text)
    with study.workspace.writing():
        import_images(study, read_layout("manifest", pictures), RunControl())
    sheet = pictures / "labels.csv"
    with sheet.open("w", newline="", encoding="utf-8") as file:
        made = study.workspace.query("SELECT DISTINCT image FROM outcomes").to_pylist()
        csv.writer(file).writerows([("image", "race11"), *((row["image"], "hispanic") for row in made)])
    people = next(own for _, own in study.annotators.values() if own.name.startswith("imported"))
    with study.workspace.writing():
        import_labels(study, check_labels(study, sheet, people))
    run_stages(study, RunControl(), ("annotate", "measure"))
    return folder


def rows_of(folder: Path, model: str) -> dict[str, dict[str, Any]]:
    with OpenStudy(folder).workspace.own_tables.open("socialbiaskg.tests") as found:
        rows = [row for batch in found.batches() for row in batch.to_pylist()]
    return {row["metric"]: row for row in rows if row["generator"] == model}


def test_a_poor_picture_speaks_for_the_edge_and_a_good_one_does_not(judged: Path) -> None:
    sharp, noisy = rows_of(judged, "sharp"), rows_of(judged, "noisy")
    assert (sharp["failure"]["value"], noisy["failure"]["value"]) == (0, 0)
    assert (sharp["quality"]["found"], noisy["quality"]["found"]) == (False, True)
    assert (noisy["quality"]["decides"], noisy["quality"]["n"]) == (True, 4)
    assert noisy["quality"]["value"] == 0  # beyond NIQE 10 all are equally bad
    assert len(noisy["quality"]["images"]) == 4


def test_the_value_is_that_of_the_pictures(judged: Path) -> None:
    model = load_niqe(published_niqe())
    values = [niqe(np.asarray(photograph(name, 0).convert("L")), model) for name in NAMES]
    own = rows_of(judged, "sharp")["quality"]
    assert own["value"] == pytest.approx(1 - np.mean([min(float(value), 10) for value in values]) / 10, abs=1e-4)
    assert own["low"] < own["value"] < own["high"]
