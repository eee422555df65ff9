from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import portrayal
from portrayal.errors import InputError


@pytest.mark.slow
def test_images_that_exist_are_brought_in_once(
    tmp_path: Path, picture: Callable[..., bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    study = portrayal.Study.create(
        tmp_path / "study", prompts=["a photo of one nurse"], generator=[], annotator="simulated"
    )
    photos = tmp_path / "photos"
    photos.mkdir()
    for number, colour in enumerate(("red", "green")):
        (photos / f"{number}.png").write_bytes(picture(colour))
    rows = ["0.png,mine,a photo of one nurse", "1.png,mine,a photo of one cat", "2.png,mine,a photo of one nurse"]
    (photos / "manifest.csv").write_text("\n".join(["path,model,prompt", *rows]), encoding="utf-8")
    found = study.import_images(photos)
    assert found == {"made": 2, "failed: missing_file": 1, "prompts the suite does not have": 1}
    assert "prompts that the suite does not have: 'a photo of one cat'\n" in capsys.readouterr().err
    assert sorted(row["prompt"] for row in study.images()) == ["a photo of one cat", "a photo of one nurse"]
    assert study.import_images(photos, progress=False)["already there"] == 2
    assert capsys.readouterr().err == ""
    (tmp_path / "list.csv").write_text("path,model,prompt\n1.png,other,a photo of one nurse", encoding="utf-8")
    assert study.import_images(photos, manifest=tmp_path / "list.csv", progress=False) == {"made": 1}
    with pytest.raises(InputError, match="no such folder"):
        study.import_images(tmp_path / "nowhere")
