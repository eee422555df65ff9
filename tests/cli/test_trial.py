"""What somebody does who has a folder of images and no more: the commands as they are written, and nothing edited.

The three layouts, and a folder in which everything is wrong that can be wrong with a folder.
"""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from portrayal.study.importing.heic import can_read_heic

pytestmark = pytest.mark.slow

Run = Callable[..., subprocess.CompletedProcess[str]]
Draw = Callable[..., bytes]
TREE = "pictures: 8 images of 2 models and 2 prompts, laid out as 'tree' (model/prompt/image.png)"
NUMBERED = "pictures: 3 images of 1 model and 1 prompt, laid out as 'bafis' (metadata.json)"
LISTED = "pictures: 3 images of 1 model and 1 prompt, laid out as 'manifest' (a CSV of paths)"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder that commands are run in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def tree(folder: Path, picture: Draw) -> None:
    for one, model in enumerate(("SDXL base", "pixart")):
        for two, prompt in enumerate(("a photo of one nurse, 4k", "a photo of one CEO, 4k")):
            for three in range(2):
                put(folder / model / prompt / f"{three}.png", picture((100 * one, 100 * two, 100 * three)))


def numbered(folder: Path, picture: Draw) -> None:
    about = {"occupation": "nurse", "model": "sdxl", "prompt": "A photo of the face of a nurse.", "steps": 30}
    for number in range(3):
        put(folder / f"{number}.png", picture((number, 9, 9)))
    put(folder / "metadata.json", json.dumps({str(number): about for number in range(3)}).encode())


def listed(folder: Path, picture: Draw) -> None:
    for number in range(3):
        put(folder / "batch 1" / f"{number}.png", picture((9, number, 9)))
    lines = [f"batch 1/{number}.png;sdxl;a nurse, smiling;{number};CC0" for number in range(3)]
    put(folder / "my list.csv", "\n".join(["filename;model;prompt;seed;licence", *lines]).encode("utf-8-sig"))


@pytest.mark.parametrize(("lay", "said"), [(tree, TREE), (numbered, NUMBERED), (listed, LISTED)])
def test_a_folder_of_images_becomes_a_report_without_an_edit(
    here: Path, cli: Run, picture: Draw, monkeypatch: pytest.MonkeyPatch, lay: Callable[[Path, Draw], None], said: str
) -> None:
    lay(here / "pictures", picture)
    init = cli("init", "mine", "--images", "pictures", "--annotator", "simulated")
    assert (init.returncode, init.stderr) == (0, "")
    lines = init.stdout.splitlines()
    assert lines[0] == said
    assert [line.split(": ")[0] for line in lines[1:3]] == ["  models", "  prompts"]
    assert lines[3:5] == [
        "running it:",
        f"  {re.sub(' images| and.*', '', said[10:]).replace(' of', ' files of')} come in",
    ]
    assert lines[-1] == "mine/study.toml written; edit it, then: portrayal run mine"
    assert str(here) not in (here / "mine/study.toml").read_text(encoding="utf-8")
    run = cli("run", "mine")
    assert (run.returncode, run.stdout) == (0, "mine/report/index.html\n")
    images = int(said.split()[1])
    status = cli("status", "mine").stdout
    assert re.search(rf"annotate +simulated@1 +judged +{images}\n", status)
    made = [int(number) for number in re.findall(r" made +(\d+)\n", status)]
    assert sum(made) == images
    again = cli("run", "mine")
    assert "import:" not in again.stderr
    assert "annotate simulated@1: nothing to do" in again.stderr
    monkeypatch.chdir(here.rename(here.with_name(f"{here.name} moved")))
    moved = cli("run", "mine")
    assert moved.returncode == 0
    assert "import:" not in moved.stderr


def test_what_else_a_list_says_can_be_taken_out_again(here: Path, cli: Run, picture: Draw) -> None:
    listed(here / "pictures", picture)
    cli("init", "mine", "--images", "pictures", "--annotator", "simulated")
    assert "kept with the images, in the table imports: the columns licence" in cli("run", "mine").stderr
    assert cli("export", "mine", "--to", "tables", "--table", "imports").returncode == 0
    rows = list(csv.DictReader((here / "tables/imports.csv").read_text(encoding="utf-8").splitlines()))
    assert [json.loads(row["about"]) for row in rows] == [{"licence": "CC0"}] * 3


@pytest.fixture
def hostile(here: Path, picture: Draw) -> Path:
    """Return a folder with one good picture of each of two models, and all kinds of other things."""
    good, nurse = picture("red"), here / "pictures/sdxl/a nurse, 4k"
    put(nurse / "good.png", good)
    put(here / "pictures/pix%art {x} 'é😀'/-rf =1+1/good one.jpeg.png", picture("blue"))
    put(nurse / "cut short.png", good[: len(good) // 2])
    put(nurse / "no picture.jpg", b"<html>404</html>")
    put(nurse / "really a png.jpg", good)
    put(nurse / "empty.webp", b"")
    put(nurse / "notes.txt", b"to do")
    put(nurse / "Thumbs.db", b"\xd0\xcf\x11\xe0")
    put(nurse / "phone.HEIC", b"\0\0\0\x18ftypheic")
    put(nurse / "\x1b[2Jclear.png", good)
    put(nurse / "deeper/than/that/0.png", picture("green"))
    put(here / "pictures/loose.png", picture("yellow"))
    put(here / "pictures/readme.md", b"# pictures")
    put(here / "pictures/.git/objects/ab/0.png", picture("white"))
    (here / "pictures/empty model/empty prompt").mkdir(parents=True)
    (nurse / "dangling.png").symlink_to("nowhere.png")
    os.mkfifo(nurse / "pipe.png")
    return here / "pictures"


def test_a_hostile_folder_comes_in_as_far_as_it_can_and_says_what_did_not(hostile: Path, cli: Run) -> None:
    assert hostile.is_dir()
    init = cli("init", "mine", "--images", "pictures", "--annotator", "simulated")
    assert init.returncode == 0, init.stderr
    assert "laid out as 'tree'" in init.stdout
    heic = "not read: 1 image (1 .heic), which count as missing: sdxl/a nurse, 4k/phone.HEIC; to read HEIC: "
    assert (heic in init.stdout) is not can_read_heic()
    run = cli("run", "mine")
    assert run.returncode == 0, run.stderr
    assert "\x1b" not in run.stdout + run.stderr
    assert "Traceback" not in run.stderr
    assert "ignored, as they are no images: " in run.stderr
    assert "loose.png" in run.stderr
    found = json.loads(cli("status", "mine", "--json").stdout)["outcomes"]
    assert found["pix%art {x} 'é😀'"] == {"made": 1}
    assert "images in the folders 'deeper', 'than', 'that'" in init.stdout
    assert found["sdxl"].pop("made") == 3
    assert found["sdxl"] == {
        "failed: missing_file": 2,
        **({} if can_read_heic() else {"failed: unread_format": 1}),
        "failed: unreadable_image": 3 + can_read_heic(),
        "failed: wrong_extension": 1,
    }


@pytest.mark.parametrize("kind", ["empty", "missing", "file", "text"])
def test_a_folder_that_is_no_study_is_refused_in_a_line(here: Path, cli: Run, picture: Draw, kind: str) -> None:
    pictures = here / "pictures"
    if kind == "file":
        put(pictures, b"")
    elif kind == "text":
        put(pictures / "a/b/c.txt", b"x")
    elif kind == "empty":
        pictures.mkdir()
    said = cli("init", "mine", "--images", "pictures")
    assert (said.returncode, said.stdout) == (2, "")
    assert len(said.stderr.splitlines()) == 1
    assert not (here / "mine").exists()


def test_options_that_do_not_go_together_are_refused(here: Path, cli: Run, picture: Draw) -> None:
    tree(here / "pictures", picture)
    said = cli("init", "mine", "--images", "pictures", "--generator", "simulated")
    assert said.stderr.startswith("error: --images and --generator exclude each other")
    assert cli("init", "mine", "--layout", "bafis").stderr.startswith("error: --layout goes with --images")
    chosen = cli("init", "mine", "--images", "pictures", "--layout", "bafis", "--annotator", "simulated")
    assert "metadata.json: no such file" in chosen.stderr
    assert not (here / "mine").exists()
