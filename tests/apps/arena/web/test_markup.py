"""Names of models are shown as texts; what else a page may hold is tested of every site with raters."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from tests.samples.markup import dangers

from portrayal.csvfile import original_text
from portrayal.study.importing.folders.layouts import read_layout
from portrayal.study.importing.import_images import import_images
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy


@pytest.mark.slow
def test_html_in_the_names_of_models_is_shown_as_text(tmp_path: Path, start_arena: Callable[..., Any]) -> None:
    evil = ("<script>alert(4)</script>", '"><img src=x onerror=alert(5)>', "=cmd|' /C calc'!A0")
    root, pictures = tmp_path / "evil", tmp_path / "pictures"
    root.mkdir()
    pictures.mkdir()
    about = 'title = "</title><script>alert(6)</script>"'
    arena = "quota = 3\nchecks = 0\nleaderboard = true\nquestionnaire = false"
    (root / "study.toml").write_text(f"[study]\n{about}\n[arena]\n{arena}\n", encoding="utf-8")
    with (pictures / "manifest.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["path", "model", "prompt", "term", "language"])
        for number, model in enumerate(evil):
            Image.new("RGB", (32, 32), (number, 0, 0)).save(pictures / f"{number}.png")
            rows.writerow([f"{number}.png", model, "</p><script>alert(7)</script>", "=1+1", 'en" onload="alert(8)'])
    study = OpenStudy(root)
    with study.workspace.writing():
        import_images(study, read_layout("manifest", pictures), RunControl())
    served = start_arena(root=root)
    client, admin = served.client(), served.client()
    page = client.follow(client.send("/consent", client.follow(client.get(f"/r/{served.token()}"))))
    pages = [page]
    while "/done" not in str(page.url):
        page = client.follow(client.vote(page))
    pages += [admin.log_in(), client.get("/leaderboard")]
    assert [dangers(page.text) for page in pages] == [[], [], []]
    assert not any("<script>alert" in page.text or "<img src=x" in page.text for page in pages)
    assert all("&lt;script&gt;alert(4)" in page.text for page in pages[1:])
    table = list(csv.DictReader(io.StringIO(admin.get("/admin/votes.csv").text)))
    models = {row[side] for row in table for side in ("model_a", "model_b")}
    assert not any(model.startswith("=") for model in models), "a spreadsheet runs none of them"
    assert set(map(original_text, models)) == set(evil), "names stay as they are"
