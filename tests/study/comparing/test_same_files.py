"""Two models with the same files are said to have them; models that drew their own are not."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from portrayal import Study

STUDY = """
[study]
title = "Files"

[[imports]]
images = "pictures"
layout = "tree"

[[annotators]]
use = "imported:people"
options.attributes = ["gender"]
"""
WORDS = "6 of 6 different pictures by One are the same files as pictures by Two. Check that each model drew its own."


@pytest.mark.parametrize("same", [6, 2])
def test_models_with_the_same_files_are_told(tmp_path: Path, same: int) -> None:
    """A folder that was imported for two models: it said that 124 images of each would show a difference."""
    (tmp_path / "study.toml").write_text(STUDY)
    read: dict[str, str] = {}
    for model, first in (("One", 0), ("Two", 6 - same)):
        folder = tmp_path / "pictures" / model / "a photo of one nurse"
        folder.mkdir(parents=True)
        for number in range(6):
            pixels = np.random.default_rng(first + number).integers(0, 255, (8, 8, 3), dtype=np.uint8)
            Image.fromarray(pixels).save(folder / f"{number}.png")
            name = hashlib.sha256((folder / f"{number}.png").read_bytes()).hexdigest()
            read[name] = ("female", "male")[number % 2]
    lines = [f"{name},{gender}\n" for name, gender in read.items()]
    (tmp_path / "sheet.csv").write_text("".join(["image,gender\n", *lines]))
    study = Study(tmp_path)
    study.plan(progress=False)
    study.import_labels(tmp_path / "sheet.csv", annotator="people")
    study.measure(progress=False)
    said = [sentence.replace("\xa0", " ") for sentence in study.compare().sentences]
    assert (WORDS in said) is (same == 6)
    assert any("same files" in sentence for sentence in said) is (same == 6)
