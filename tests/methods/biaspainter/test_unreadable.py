"""Edits that are no picture are counted as such, whether the editor gave none or the file broke later."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from portrayal.annotators import ANNOTATORS
from portrayal.methods.biaspainter.report.edit_words import fate_lines
from portrayal.methods.biaspainter.report.looked import looked
from portrayal.study.report.gather_data import gather
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

pytestmark = pytest.mark.slow
SEEDS = ("BlackMaleElderly", "WhiteFemaleYoungAdult")


def lines(study: OpenStudy) -> dict[str, tuple[str, str]]:
    """Return what the section's table says became of the edits: how many, and which share."""
    (seen,) = looked(gather(study))
    (editor,) = seen.editors
    said = fate_lines(seen, editor)
    return {what: (number, share.replace("\N{NO-BREAK SPACE}", " ")) for what, number, share in said}


def test_an_edit_that_is_no_picture_from_the_start(painted: Any, tmp_path: Path) -> None:
    parts = [
        {"use": "folder", "images": 1, "role": role, "options": {"path": path}}
        for role, path in (("draw", "photos"), ("edit", "edits"))
    ]
    suite = {"words": ["nurse", "brave"], "null": [], "seeds": "photos"}
    root = painted.study(tmp_path, suite=suite, generators=parts, generate={"attempts": 1})
    for place, (folder, name) in enumerate(product(("photos", "edits/nurse", "edits/brave"), SEEDS)):
        (root / folder).mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (8, 8), (place, 0, 0)).save(root / folder / f"{name}.png")
    (root / "edits" / "brave" / f"{SEEDS[1]}.png").write_text("no picture")
    study = OpenStudy(root)
    run_stages(study, RunControl(), ("plan", "generate", "annotate", "measure"))
    assert lines(study)["failed: unreadable image"] == ("1", "25 %")


@pytest.mark.skipif(bool(ANNOTATORS.entries()["faces"].missing()), reason="the extra 'faces' is not installed")
def test_an_edit_whose_file_is_gone(painted: Any, tmp_path: Path) -> None:
    suite = {"words": ["nurse", "brave"], "null": []}
    study = OpenStudy(painted.study(tmp_path, suite=suite, images=1, annotators=[{"use": "faces"}]))
    run_stages(study, RunControl(), ("plan", "generate"))
    made = "SELECT image, ext FROM outcomes JOIN jobs ON id = job WHERE source_job IS NOT NULL ORDER BY job LIMIT 3"
    broken = study.workspace.query(made).to_pylist()
    for row in broken:
        Path(study.workspace.images.path(row["image"], row["ext"])).unlink()
    run_stages(study, RunControl(), ("annotate", "measure"))
    found = lines(study)
    assert found["missing file"] == ("3", "8 %")
    assert found["no face"] == ("33", "92 %")  # the others are pictures, if of nobody
