"""Folders of images as people have them: each leads to a report, or first to a line that says what to add."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

Run = Callable[..., subprocess.CompletedProcess[str]]
Draw = Callable[..., bytes]
UUID = "5e7a2c4d-0000-4b1c-9d3e-1f2a3b4c5d6e"
TOLD = ("--model", "Midjourney", "--prompt", "a photo of one nurse")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder that commands are run in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def put(here: Path, picture: Draw) -> Callable[..., None]:
    """Return what puts pictures, each another one, and other files into the folder ``my pictures``."""
    colours = iter(range(250))

    def write(*names: str, **others: bytes) -> None:
        for name in names:
            path = here / "my pictures" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            form = "JPEG" if path.suffix.lower() in (".jpg", ".jpeg", ".jfif") else path.suffix[1:].upper()
            path.write_bytes(picture((next(colours), 90, 9), form=form))

    return write


def init(cli: Run, *options: str) -> subprocess.CompletedProcess[str]:
    return cli("init", "mine", "--images", "my pictures", "--annotator", "simulated", *options)


def to_the_report(cli: Run, here: Path, images: int, *options: str) -> str:
    """Go from the folder to the report, see that every image came in, and return what was said."""
    made = init(cli, *options)
    assert made.returncode == 0, made.stderr
    ran = cli("run", "mine")
    assert (ran.returncode, ran.stdout) == (0, "mine/report/index.html\n"), ran.stderr
    status = cli("status", "mine").stdout
    assert sum(int(line.split()[-1]) for line in status.splitlines() if " made " in line) == images
    return made.stdout + ran.stderr


def refused(cli: Run, said: str, *options: str) -> None:
    """See that there is one line, and nothing else happens."""
    told = init(cli, *options)
    assert (told.returncode, told.stdout) == (2, "")
    assert said in told.stderr
    assert len(told.stderr.splitlines()) == 1
    assert not Path("mine").exists()


def test_flat_pictures_with_prompts_in_their_names(cli: Run, here: Path, put: Callable[..., None]) -> None:
    names = [f"ann_a_photo_of_one_{term}_--v_6_{UUID}_{n}.jpg" for term in ("nurse", "CEO") for n in range(2)]
    put(*names)
    refused(cli, "--model NAME --layout names if each file's name holds its prompt (here 'a photo of one CEO' in ")
    said = to_the_report(cli, here, 4, "--layout", "names", "--model", "Midjourney")
    assert "prompts: 'a photo of one CEO', 'a photo of one nurse'" in said


def test_numbered_pictures(cli: Run, here: Path, put: Callable[..., None]) -> None:
    put("prompt_001.png", "prompt_002.png", "prompt_003.PNG")
    refused(cli, "3 images lie here, and nothing says which model drew them or by which prompt; add --model NAME and -")
    refused(cli, "nothing says by which prompt; add --prompt TEXT", "--model", "M")
    to_the_report(cli, here, 3, *TOLD)
    text = (here / "mine/study.toml").read_text(encoding="utf-8")
    assert 'model = "Midjourney"' in text
    assert 'prompt = "a photo of one nurse"' in text
    put("prompt_004.png")
    assert "made 1" in cli("run", "mine").stderr


def test_pictures_nested_by_date(cli: Run, here: Path, put: Callable[..., None]) -> None:
    put("2024/05/01/a.png", "2024/05/02/b.png", "2024/06/c.png")
    refused(cli, "3 images lie here, and nothing says which model drew them or by which prompt")
    to_the_report(cli, here, 3, *TOLD)


def test_folders_of_prompts(cli: Run, here: Path, put: Callable[..., None]) -> None:
    put("a photo of one nurse/0.jpg", "a photo of one nurse/1.jpg", "a photo of one CEO, tired/0.jpg")
    refused(cli, "lie in folders ('a photo of one CEO, tired', 'a photo of one nurse'), and nothing says whether these")
    said = to_the_report(cli, here, 3, "--model", "Model A")
    assert "3 images of 1 model and 2 prompts, laid out as 'prompts'" in said


def test_folders_of_models_prompts_and_seeds(cli: Run, here: Path, put: Callable[..., None]) -> None:
    put("sdxl/nurse/seed0/a.png", "sdxl/ceo/seed0/b.png", "flux/ceo/seed1/c.png")
    refused(cli, "('flux/ceo', 'sdxl/ceo'), so the folder names models itself", "--model", "A")
    said = to_the_report(cli, here, 3)
    assert "3 images of 2 models and 2 prompts, laid out as 'tree'" in said
    assert "takes nothing from their names: images in the folders 'seed0', 'seed1'" in said


def test_folders_of_two_models(cli: Run, here: Path, put: Callable[..., None]) -> None:
    put("SDXL 1.0/0.png", "SDXL 1.0/1.png", "DALL·E 3/0.webp", "DALL·E 3/Thumbs.db.png")
    said = to_the_report(cli, here, 4, "--prompt", "a photo of one nurse")
    assert "models: 'DALL·E 3', 'SDXL 1.0'" in said


def test_formats_that_are_not_read_and_notes_among_pictures(cli: Run, here: Path, put: Callable[..., None]) -> None:
    put("a.png", "b.JPG")
    for name in ("IMG_1.CR2", "IMG_2.cr2", "draft.psd", "notes.txt", "Thumbs.db"):
        (here / "my pictures" / name).write_bytes(b"8BPS")
    said = to_the_report(cli, here, 2, *TOLD)
    assert "not read: 3 images (2 .cr2, 1 .psd), which count as missing: IMG_1.CR2, IMG_2.cr2, draft.psd" in said
    assert "ignored, as they are no images: Thumbs.db, notes.txt" in said
    assert "failed: unread_format 3" in said


def test_unicode_spaces_and_capitals(cli: Run, here: Path, put: Callable[..., None]) -> None:
    put("Модель А/фото медсестры/Снимок 1.JPEG", "模型 B/看護師 の写真/画像　1.PNG", "é😀/a photo (1)/x y.JFIF")
    said = to_the_report(cli, here, 3)
    assert "3 images of 3 models and 3 prompts, laid out as 'tree'" in said


def test_a_list_of_prompts_beside_the_pictures(cli: Run, here: Path, put: Callable[..., None]) -> None:
    put("img 1.png", "img 2.png", "img 3.png")
    rows = "File Name;Prompt;Steps\nimg 1.png;a photo of one nurse;30\nimg 2.png;a photo of one CEO;30\n"
    (here / "my pictures/prompts.csv").write_text(rows, encoding="utf-8-sig")
    refused(cli, "prompts.csv: lists the images, and nothing says which model drew them; add --model NAME")
    said = to_the_report(cli, here, 2, "--model", "Model A")
    assert "not read, as the list does not name them: 1 image (1 .png): img 3.png" in said


def test_prompts_that_differ_after_a_comma_stay_apart(cli: Run, here: Path, put: Callable[..., None]) -> None:
    put("A/a nurse, tired/0.png", "A/a nurse, happy/0.png", "B/a nurse, happy/0.png")
    assert "3 images of 2 models and 2 prompts" in to_the_report(cli, here, 3)
    merged = cli("import", "mine", "--images", "my pictures", "--layout", "faintbench")
    assert "counted as one prompt, 'a nurse': the folders 'a nurse, happy', 'a nurse, tired'; to keep them apart" in (
        merged.stderr
    )


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "my pictures: the folder is empty; put the images there, or check the path"),
        ("all.zip", "my pictures: no images among the 1 file here (.zip); check the path, or unpack archives first"),
    ],
)
def test_folders_without_pictures(cli: Run, here: Path, name: str, said: str) -> None:
    (here / "my pictures").mkdir()
    if name:
        (here / "my pictures" / name).touch()
    refused(cli, said)


def test_images_are_brought_into_a_study_without_naming_a_layout(
    cli: Run, here: Path, put: Callable[..., None]
) -> None:
    put("0.png", "1.png")
    assert init(cli, *TOLD).returncode == 0
    said = cli("import", "mine", "--images", "my pictures")
    assert (said.returncode, said.stdout) == (2, "")
    assert "add --model NAME and --prompt TEXT" in said.stderr
    brought = cli("import", "mine", "--images", "my pictures", "--model", "B", "--prompt", "a photo of one CEO")
    assert brought.stdout.split() == ["imported", "count", "made", "2"]


def test_on_a_terminal_what_is_not_known_is_asked(here: Path, put: Callable[..., None]) -> None:
    put("nurse/0.png", "nurse/1.png", "CEO/0.png")
    command = [sys.executable, "-m", "portrayal", "init", "mine", "--images", "my pictures", "--annotator", "simulated"]
    for answers, layout, told in (
        ("folders\nprompts\n\nModel A\n", "prompts", 'model = "Model A"'),
        ("models\na photo of one nurse\n", "models", 'prompt = "a photo of one nurse"'),
        ("neither\nModel A\na photo\n", "flat", 'prompt = "a photo"'),
    ):
        ours, theirs = pty.openpty()
        with subprocess.Popen(command, stdin=theirs, stderr=theirs, stdout=subprocess.PIPE) as process:
            os.close(theirs)
            os.write(ours, answers.encode())
            out = process.communicate()[0].decode()
        os.close(ours)
        assert process.returncode == 0
        assert f"laid out as {layout!r}" in out
        assert told in (here / "mine/study.toml").read_text(encoding="utf-8")
        (here / "mine").rename(here / f"was {layout}")


def test_a_question_without_an_answer_ends_in_a_line(here: Path, put: Callable[..., None]) -> None:
    put("0.png")
    command = [sys.executable, "-m", "portrayal", "init", "mine", "--images", "my pictures"]
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, stdin=theirs, stderr=theirs, stdout=subprocess.PIPE) as process:
        os.close(theirs)
        os.write(ours, b"\x04")
        assert not process.communicate()[0].strip()
    said = os.read(ours, 10_000).decode()
    os.close(ours)
    assert process.returncode == 2
    last = "error: no answer to 'Which model drew the images?'; answer it, or give --model and --prompt"
    assert said.splitlines()[-1] == last
    assert not (here / "mine").exists()
