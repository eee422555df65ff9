"""Images made elsewhere come in once; whatever is wrong with a file is recorded and stops nothing else."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import re
import struct
import sys
import tracemalloc
import zlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PIL import Image
from tests.samples.deadly import DeadlyReader

from portrayal.errors import InputError
from portrayal.study.importing import import_images as importing
from portrayal.study.importing.folders.layouts import read_layout
from portrayal.study.importing.import_images import import_images
from portrayal.study.importing.remarks import folder_remarks
from portrayal.study.report.gather_data import gather
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl, Silent
from portrayal.study.status import read_status
from portrayal.study.study import OpenStudy
from portrayal.study.tables.exporting import export_tables

pytestmark = pytest.mark.slow

Make = Callable[..., Path]
Draw = Callable[..., bytes]
Break = Callable[[object, str], None]
Rows = Callable[[Path], dict[str, list[str]]]


def put(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def bring(study: Path, images: Path, layout: str = "faintbench", control: RunControl | None = None) -> Counter[str]:
    opened = OpenStudy(study)
    found = read_layout(layout, images)
    with opened.workspace.writing():
        return import_images(opened, found, control or RunControl())


def stored(study: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (study / "images").rglob("*") if path.is_file()}


def outcome(study: Path) -> dict[str, Any]:
    """Return the last thing said about the one file that is not ``good.png``, with where it came from."""
    sql = "SELECT * FROM outcomes JOIN imports ON job = id WHERE NOT ends_with(source, 'good.png') ORDER BY attempt"
    rows: list[dict[str, Any]] = OpenStudy(study).workspace.query(sql).to_pylist()
    return rows[-1]


def reasons(study: Path) -> dict[str, str | None]:
    found = OpenStudy(study).workspace.query("SELECT source, reason FROM outcomes JOIN imports ON job = id").to_pylist()
    return {Path(row["source"]).name: row["reason"] for row in found}


def png_header(width: int, height: int) -> bytes:
    """Return a whole PNG file that claims to be that large and holds one byte of picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(b"\0")) + chunk(b"IEND", b"")


@pytest.fixture
def empty(make_study: Make) -> Path:
    """Return a study of imported images only."""
    return make_study(suite=None, generators=None)


@pytest.fixture
def images(tmp_path: Path, picture: Draw) -> Path:
    """Return a folder with one good picture."""
    put(tmp_path / "images", "sdxl/a nurse/good.png", picture("green"))
    return tmp_path / "images"


def test_bytes_are_stored_under_their_hash(empty: Path, images: Path, picture: Draw) -> None:
    assert bring(empty, images) == {"made": 1}
    data = picture("green")
    name = hashlib.sha256(data).hexdigest()
    assert (empty / "images" / name[:2] / f"{name}.png").read_bytes() == data
    assert len(stored(empty)) == 1


def test_the_same_picture_is_stored_once_and_counts_as_often_as_it_was_drawn(
    empty: Path, images: Path, picture: Draw
) -> None:
    put(images, "sdxl/a nurse/again.png", picture("green"))
    put(images, "dalle/a CEO/0.png", picture("green"))
    assert bring(empty, images) == {"made": 3}
    assert len(stored(empty)) == 1
    assert read_status(OpenStudy(empty)).outcomes == {"dalle": {"made": 1}, "sdxl": {"made": 2}}


def test_bafis_comes_in_with_its_terms(empty: Path, tmp_path: Path, picture: Draw) -> None:
    put(tmp_path, "bafis/0.png", picture("red"))
    entry = '{"occupation": "nurse", "model": "sdxl", "prompt": "Foto einer Pflegekraft", "language": "de"}'
    put(tmp_path, "bafis/metadata.json", f'{{"0": {entry}, "1": {entry}}}'.encode())
    assert bring(empty, tmp_path / "bafis", "bafis") == {"made": 1, "failed: missing_file": 1}
    (prompt,) = OpenStudy(empty).workspace.query("SELECT text, term, suite, language FROM prompts").to_pylist()
    assert prompt == {"text": "Foto einer Pflegekraft", "term": "nurse", "suite": "bafis", "language": "de"}


def test_a_manifest_comes_in_with_its_seeds(empty: Path, tmp_path: Path, picture: Draw) -> None:
    put(tmp_path, "own/a.png", picture("red"))
    put(tmp_path, "own/b.png", picture("blue"))
    put(tmp_path, "own/manifest.csv", b"path,model,prompt,seed\na.png,m,p,11\nb.png,m,p,-3\ngone.png,m,p,5\n")
    assert bring(empty, tmp_path / "own", "manifest") == {"made": 2, "failed: missing_file": 1}
    jobs = OpenStudy(empty).workspace.query('SELECT seed, "index", generator FROM jobs ORDER BY "index"').to_pylist()
    assert [(job["seed"], job["index"], job["generator"]) for job in jobs] == [(11, 0, "m"), (-3, 1, "m"), (5, 2, "m")]


def test_what_else_a_manifest_tells_is_kept_and_exported(empty: Path, tmp_path: Path, picture: Draw) -> None:
    put(tmp_path, "own/a.png", picture("red"))
    put(tmp_path, "own/manifest.csv", "file;model;prompt;Künstler;steps\na.png;m;p;Änne;30\n".encode())
    assert bring(empty, tmp_path / "own", "manifest") == {"made": 1}
    study = OpenStudy(empty)
    found = list(folder_remarks(study, tmp_path / "own", read_layout("manifest", tmp_path / "own"), "manifest"))
    assert found == ["kept with the images, in the table imports: the columns Künstler, steps"]
    [csv_file] = export_tables(study, tmp_path, "csv", ["imports"])
    [row] = csv.DictReader(csv_file.read_text(encoding="utf-8").splitlines())
    assert json.loads(row["about"]) == {"Künstler": "Änne", "steps": "30"}
    [lines] = export_tables(study, tmp_path, "jsonl", ["imports"])
    assert json.loads(lines.read_text(encoding="utf-8"))["about"] == {"Künstler": "Änne", "steps": "30"}


def test_every_bad_file_is_recorded_and_the_rest_comes_in(empty: Path, images: Path, picture: Draw) -> None:
    bad = {
        "picture.jxl": (b"no format that is read", "unread_format"),
        "no ending": (picture(), "not_an_image"),
        "empty.png": (b"", "unreadable_image"),
        "text.png": (b"no picture", "unreadable_image"),
        "bomb.png": (png_header(50_000, 50_000), "decompression_bomb"),
        "half a bomb.png": (png_header(10_001, 10_000), "decompression_bomb"),
        "hollow.png": (png_header(64, 64), "truncated_image"),
        "png inside.jpg": (picture(form="PNG"), "wrong_extension"),
        "jpeg inside.png": (picture(form="JPEG"), "wrong_extension"),
    }
    for name, (data, _) in bad.items():
        put(images, f"sdxl/a nurse/{name}", data)
    counts = bring(empty, images)
    assert counts == {"made": 1, **Counter(f"failed: {reason}" for _, reason in bad.values())}
    assert reasons(empty) == {"good.png": None, **{name: reason for name, (_, reason) in bad.items()}}
    details = (
        OpenStudy(empty).workspace.query("SELECT detail, source FROM outcomes JOIN imports ON job = id").to_pylist()
    )
    assert all(row["detail"].startswith(row["source"]) for row in details if row["detail"])
    assert len(stored(empty)) == 1


def test_prompts_that_the_suite_makes_one_of_are_told(make_study: Make, tmp_path: Path, picture: Draw) -> None:
    root = make_study(suite={"use": "occupations", "options": {"terms": ["Nurse"]}}, generators=None)
    for mood in ("tired", "happy"):
        put(tmp_path / "moods", f"sdxl/a portrait photo of a nurse, {mood}/0.png", picture())
    study = OpenStudy(root)
    remarks = list(folder_remarks(study, tmp_path / "moods", read_layout("tree", tmp_path / "moods"), "tree"))
    assert remarks == [
        "counted as one prompt of the suite, 'a portrait photo of a nurse': 'a portrait photo of a nurse, happy', "
        "'a portrait photo of a nurse, tired', which differ only after a comma or in case"
    ]


def test_files_that_only_lie_beside_images_are_no_failures(empty: Path, images: Path, rows: Rows) -> None:
    for name in ("Thumbs.db", "notes.txt", "README", "settings.json", ".DS_Store"):
        put(images, f"sdxl/a nurse/{name}", b"\xd0\xcf\x11\xe0 no picture")
    assert bring(empty, images) == {"made": 1, "ignored: not an image": 4}
    assert reasons(empty) == {"good.png": None}


def test_a_file_that_a_list_names_is_no_other_file(empty: Path, images: Path) -> None:
    put(images, "notes.txt", b"no picture")
    (images / "manifest.csv").write_text("path,model,prompt\nsdxl/a nurse/good.png,m,n\nnotes.txt,m,n\n")
    assert bring(empty, images, "manifest") == {"made": 1, "failed: not_an_image": 1}


@pytest.mark.skipif(sys.platform == "win32", reason="has no pipes in folders")
def test_links_to_nothing_and_pipes_leave_a_record(empty: Path, images: Path) -> None:
    folder = images / "sdxl/a nurse"
    (folder / "gone.png").symlink_to(folder / "moved away.png")
    os.mkfifo(folder / "pipe.png")
    os.mkfifo(folder / "pipe")
    assert bring(empty, images) == {"made": 1, "failed: missing_file": 3}
    assert reasons(empty) == {"good.png": None, "gone.png": "missing_file", "pipe.png": "missing_file",
                              "pipe": "missing_file"}  # fmt: skip


@pytest.mark.skipif(sys.platform != "linux", reason="only there the kernel's files look like this")
def test_a_file_of_the_kernel_that_never_ends_is_not_waited_for(empty: Path, images: Path) -> None:
    for name, place in (("log.png", "/proc/kmsg"), ("log", "/proc/kmsg"), ("zero.png", "/dev/zero")):
        (images / "sdxl/a nurse" / name).symlink_to(place)
    found = read_layout("faintbench", images, outside=True)
    counts = import_images(OpenStudy(empty), found, RunControl())
    assert counts["made"] == 1
    assert sum(counts.values()) == 4


def test_every_file_cut_short_is_recorded_and_the_rest_comes_in(empty: Path, images: Path) -> None:
    noise = Image.frombytes("RGB", (64, 64), hashlib.shake_128(b"").digest(3 * 64 * 64))
    for form in ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF"):
        for part in (0.1, 0.3, 0.6, 0.9):
            path = images / "sdxl/a nurse" / f"{part}.{form.lower()}"
            noise.save(path, form)
            path.write_bytes(path.read_bytes()[: int(part * path.stat().st_size)])
    assert bring(empty, images)["made"] == 1
    found = reasons(empty)
    assert set(found.values()) == {None, "truncated_image", "unreadable_image"}
    assert {found["0.6.png"], found["0.6.jpeg"]} == {"truncated_image"}


def test_a_decompression_bomb_takes_no_memory(empty: Path, images: Path) -> None:
    put(images, "sdxl/a nurse/bomb.png", png_header(50_000, 50_000))
    tracemalloc.start()
    try:
        bring(empty, images)
        assert tracemalloc.get_traced_memory()[1] < 100_000_000
    finally:
        tracemalloc.stop()


def test_a_wrong_ending_is_recorded_with_what_the_file_holds(empty: Path, images: Path, picture: Draw) -> None:
    put(images, "sdxl/a nurse/a.webp", picture(form="GIF"))
    assert bring(empty, images) == {"made": 1, "failed: wrong_extension": 1}
    assert "the file holds GIF" in outcome(empty)["detail"]


def test_endings_are_known_in_any_spelling(empty: Path, images: Path, picture: Draw) -> None:
    for name in ("a.JPG", "b.jpeg", "c.Jpeg"):
        put(images, f"sdxl/a nurse/{name}", picture(form="JPEG"))
    assert bring(empty, images) == {"made": 4}
    assert {Path(name).suffix for name in stored(empty)} == {".png", ".jpg"}


def test_a_jpeg_of_several_views_is_a_jpeg(empty: Path, images: Path, picture: Draw) -> None:
    put(images, "sdxl/a nurse/phone.jpg", picture(form="MPO", append_images=[Image.new("RGB", (8, 8))], save_all=True))
    assert bring(empty, images) == {"made": 2}
    assert outcome(empty)["ext"] == "jpg"


def test_exif_is_kept_and_the_size_is_the_one_that_is_seen(empty: Path, images: Path, picture: Draw) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by 90 degrees
    data = picture(form="JPEG", size=(16, 8), exif=exif)
    put(images, "sdxl/a nurse/turned.jpg", data)
    bring(empty, images)
    row = outcome(empty)
    assert (row["width"], row["height"]) == (8, 16)
    assert stored(empty)[f"{row['image']}.jpg"] == data


def test_a_path_that_is_no_file_is_recorded(empty: Path, images: Path) -> None:
    paths = ("sdxl/a nurse/good.png", ".", "gone.png")
    put(images, "manifest.csv", "\n".join(["path,model,prompt", *(f"{path},m,p" for path in paths)]).encode())
    assert bring(empty, images, "manifest") == {"made": 1, "failed: missing_file": 2}


def test_names_may_hold_spaces_and_any_script(empty: Path, tmp_path: Path, picture: Draw) -> None:
    put(tmp_path / "in", "modèle n° 1/eine Ärztin 看護師/bild №1 😀.png", picture())
    assert bring(empty, tmp_path / "in") == {"made": 1}
    assert read_status(OpenStudy(empty)).outcomes == {"modèle n° 1": {"made": 1}}


@pytest.mark.skipif(sys.platform != "linux", reason="other systems allow only Unicode names")
def test_names_that_are_not_utf8_come_in_too(empty: Path, images: Path, picture: Draw) -> None:
    for name in (b"\xe8.png", b"\xe9.png", b"\xe8.txt"):
        put(images / "sdxl/a nurse", os.fsdecode(name), picture())
    assert bring(empty, images) == {"made": 3, "failed: not_an_image": 1}


def test_what_could_not_be_read_is_counted_with_an_example(empty: Path, images: Path) -> None:
    for name in ("cut", "short"):
        put(images, f"sdxl/a nurse/{name}.png", png_header(64, 64))
    remarks: list[str] = []
    bring(empty, images, control=RunControl(remark=remarks.append))
    [remark] = remarks
    assert remark.startswith("failed: truncated_image (2), such as ")
    assert "cut.png" in remark


def test_a_second_import_adds_nothing(empty: Path, images: Path, rows: Rows) -> None:
    put(images, "sdxl/a nurse/cut.png", png_header(64, 64))
    bring(empty, images)
    before, files = rows(empty), stored(empty)
    assert bring(empty, images) == {"already there": 1, "failed: truncated_image": 1}
    assert (rows(empty), stored(empty)) == (before, files)


def test_files_added_later_come_in_alone(empty: Path, images: Path, picture: Draw) -> None:
    bring(empty, images)
    put(images, "sdxl/a nurse/before good.png", picture("blue"))
    put(images, "sdxl/a nurse/hello.png", picture("red"))
    assert bring(empty, images) == {"already there": 1, "made": 2}
    assert read_status(OpenStudy(empty)).outcomes == {"sdxl": {"made": 3}}


def test_a_repaired_file_comes_in_at_the_next_import(empty: Path, images: Path, picture: Draw) -> None:
    path = put(images, "sdxl/a nurse/cut.png", png_header(64, 64))
    bring(empty, images)
    path.write_bytes(picture("blue"))
    assert bring(empty, images) == {"already there": 1, "made": 1}
    assert read_status(OpenStudy(empty)).outcomes == {"sdxl": {"made": 2}}


@pytest.mark.parametrize("step", ["images", "imports", "outcomes"])
def test_an_import_that_broke_off_is_completed_by_the_next(
    make_study: Make,
    images: Path,
    picture: Draw,
    rows: Rows,
    monkeypatch: pytest.MonkeyPatch,
    break_second_call: Break,
    step: str,
) -> None:
    for number in range(5):
        put(images, f"sdxl/a nurse/{number}.png", picture((number, 0, 0)))
    monkeypatch.setattr(importing, "BATCH", 2)
    monkeypatch.setattr(importing, "cpu_count", lambda: 1)
    whole, broken = (make_study(name, suite=None, generators=None) for name in ("whole", "broken"))
    bring(whole, images)
    opened = OpenStudy(broken)
    part: Any = opened.workspace.tables.get(step)
    if step == "images":  # the store itself cannot be changed
        part = SimpleNamespace(add=opened.workspace.images.add)
        opened.workspace.images = part
    break_second_call(part, "add" if step == "images" else "append")
    with pytest.raises(RuntimeError, match="pulled the plug"):
        import_images(opened, read_layout("faintbench", images), RunControl())
    assert len(rows(broken)["outcomes"]) == 2
    assert bring(broken, images) == {"already there": 2, "made": 4}
    assert rows(broken) == rows(whole)
    assert stored(broken) == stored(whole)


def test_an_import_asked_to_stop_ends_after_the_batch(
    empty: Path, images: Path, picture: Draw, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(images, "sdxl/a nurse/0.png", picture("blue"))
    monkeypatch.setattr(importing, "BATCH", 1)
    monkeypatch.setattr(importing, "cpu_count", lambda: 1)
    asked = iter((False, True))
    assert bring(empty, images, control=RunControl(Silent(), lambda: next(asked))) == {"made": 1}
    assert bring(empty, images) == {"already there": 1, "made": 1}


def test_many_files_are_read_by_several_processes(empty: Path, images: Path, picture: Draw) -> None:
    for number in range(importing.BATCH):
        put(images, f"sdxl/a nurse/{number}.png", picture((number, 0, 0)))
    assert bring(empty, images) == {"made": importing.BATCH + 1}
    assert len(stored(empty)) == importing.BATCH + 1


@pytest.mark.slow
def test_a_file_that_kills_the_process_that_reads_it_is_set_aside(
    empty: Path, images: Path, picture: Draw, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(4):
        put(images, f"sdxl/a nurse/{number}.png", picture((number, 0, 0)))
    monkeypatch.setattr(importing, "BATCH", 3)
    monkeypatch.setattr(importing, "cpu_count", lambda: 2)
    monkeypatch.setattr(importing, "_build", DeadlyReader("1.png"))
    assert bring(empty, images) == {"made": 4, "failed: killed_worker": 1}


def test_a_prompt_of_the_suite_takes_over_its_meaning(make_study: Make, tmp_path: Path, picture: Draw) -> None:
    put(tmp_path / "in", "sdxl/A_Photo of  a nurse, photorealistic/0.png", picture())
    put(tmp_path / "in", "sdxl/a juggler/0.png", picture())
    study = make_study(generators=None)
    bring(study, tmp_path / "in")
    workspace = OpenStudy(study).workspace
    prompts = workspace.query("SELECT text, term, category FROM prompts JOIN jobs ON prompts.id = prompt").to_pylist()
    assert sorted(tuple(row.values()) for row in prompts) == [
        ("a juggler", "a juggler", ""),
        ("a photo of a nurse", "nurse", "health"),
    ]


def test_imported_and_drawn_images_stand_side_by_side(make_study: Make, tmp_path: Path, picture: Draw) -> None:
    put(tmp_path / "in", "sdxl/a photo of a nurse/0.png", picture())
    study = make_study()
    bring(study, tmp_path / "in")
    run_stages(OpenStudy(study), RunControl())
    assert read_status(OpenStudy(study)).outcomes == {"simulated@1": {"made": 6}, "sdxl": {"made": 1}}


def test_a_model_may_not_bear_the_name_of_a_generator(
    make_study: Make, tmp_path: Path, picture: Draw, rows: Rows
) -> None:
    put(tmp_path / "in", "simulated@1/a nurse/0.png", picture())
    study = make_study()
    with pytest.raises(InputError, match="model 'simulated@1' is a generator of this study too"):
        bring(study, tmp_path / "in")
    assert not any(rows(study).values())


@pytest.mark.parametrize("suite", [None, {"use": "file", "options": {"path": "prompts.csv"}}])
def test_a_study_of_imported_images_runs_to_its_report(
    make_study: Make, images: Path, picture: Draw, suite: object
) -> None:
    put(images, "sdxl/a nurse/cut.png", png_header(64, 64))
    put(images, "dalle/a photo of a CEO/0.png", picture("blue"))
    study = make_study(suite=suite, generators=None)
    bring(study, images)
    page = run_stages(OpenStudy(study), RunControl()).read_text(encoding="utf-8")
    assert "dalle" in page
    assert "truncated image" in page
    status = read_status(OpenStudy(study))
    assert status.outcomes == {"sdxl": {"failed: truncated_image": 1, "made": 1}, "dalle": {"made": 1}}
    assert status.unjudged == {"simulated@1": 0}


def test_repeats_of_a_prompt_are_counted(make_study: Make, tmp_path: Path, picture: Draw) -> None:
    suite = {"use": "occupations", "options": {"template": "a photo of one {term}"}}
    study = make_study(suite=suite, generators=None)
    for number, colour in enumerate(("red", "red", "red", "blue")):
        put(tmp_path / "images", f"sdxl/a photo of one nurse/{number}.png", picture(colour))
    for number, colour in enumerate(("red", "green")):
        put(tmp_path / "images", f"sdxl/a photo of one Judge/{number}.png", picture(colour))
        put(tmp_path / "images", f"pixart/a photo of one Judge/{number}.png", picture(colour))
    bring(study, tmp_path / "images")
    data = gather(OpenStudy(study))
    assert data.made_of["pixart"] < data.made_of["sdxl"]
    assert data.repeats == {"sdxl": 2}
    assert data.distinct == {"sdxl": 3, "pixart": 2}


def test_the_report_says_what_was_imported_and_folds_what_was_not_asked(
    make_study: Make, tmp_path: Path, picture: Draw
) -> None:
    suite = {"use": "occupations", "options": {"template": "a photo of one {term}"}}
    study = make_study(suite=suite, generators=None)
    for number in range(4):
        put(tmp_path / "images", f"sdxl/a photo of one nurse/{number}.png", picture(f"#00{number}000"))
    put(tmp_path / "images", "sdxl/a photo of one Judge/0.png", picture("red"))
    put(tmp_path / "images", "pixart/a photo of one nurse/0.png", picture("blue"))
    bring(study, tmp_path / "images")
    page = run_stages(OpenStudy(study), RunControl()).read_text(encoding="utf-8")
    asked = page[page.index('<section id="asked">') :].partition("</section>")[0]
    said = " ".join(re.sub(r"<[^>]+>", " ", asked).replace("\N{NO-BREAK SPACE}", " ").split())
    assert said.startswith(
        "What was asked 2 prompts about 2 terms 1–4 images per prompt, by 2 models 6 images asked for or brought in "
    )
    assert "Generator Prompts Asked Made" in said
    assert "sdxl 2 5 5" in said
    assert "pixart 1 1 1" in said
    assert "The images of pixart and sdxl were made elsewhere and imported." in said
    assert "All 2 prompts" in said
    assert "177 prompts of the suite without images" in said
    assert asked.count("<details") == 2


def test_another_run_with_the_same_names_comes_in_too(empty: Path, tmp_path: Path, picture: Draw) -> None:
    for run, colour in (("run1", "red"), ("run2", "blue")):
        folder = tmp_path / run / "model" / "a nurse"
        folder.mkdir(parents=True)
        (folder / "0.png").write_bytes(picture(colour))
    assert bring(empty, tmp_path / "run1") == {"made": 1}
    assert bring(empty, tmp_path / "run2") == {"made": 1}
    assert OpenStudy(empty).workspace.tables["jobs"].count() == 2


def test_the_same_folder_somewhere_else_adds_nothing(empty: Path, images: Path, tmp_path: Path) -> None:
    bring(empty, images)
    before = OpenStudy(empty).workspace.tables["jobs"].count()
    moved = images.rename(tmp_path / "moved")
    assert "made" not in bring(empty, moved)
    assert OpenStudy(empty).workspace.tables["jobs"].count() == before


def test_a_file_that_was_replaced_stands_for_what_it_holds_now(empty: Path, tmp_path: Path, picture: Draw) -> None:
    path = tmp_path / "images" / "model" / "a nurse" / "0.png"
    path.parent.mkdir(parents=True)
    path.write_bytes(picture("red")[:40])
    assert bring(empty, tmp_path / "images") == {"failed: unreadable_image": 1}
    path.write_bytes(picture("blue"))
    assert bring(empty, tmp_path / "images") == {"made": 1}
    found = OpenStudy(empty).workspace.query("SELECT status FROM jobs JOIN outcomes ON outcomes.job = jobs.id")
    assert found["status"].to_pylist() == ["made"]


def test_folders_named_after_the_released_prompts_are_the_suites(
    make_study: Make, tmp_path: Path, picture: Draw
) -> None:
    study = make_study(suite={"use": "faintbench"}, generators=None)
    put(tmp_path / "images", "sdxl/a photo of one human Boxer, hdr, sharp/1.png", picture())
    put(tmp_path / "images", "sdxl/a photo of  one male Nurse/1.png", picture())
    put(tmp_path / "images", "sdxl/a photo of one dragon/1.png", picture())
    bring(study, tmp_path / "images")
    rows = (
        OpenStudy(study)
        .workspace.query("SELECT text, kind, variant FROM jobs JOIN prompts ON prompts.id = jobs.prompt ORDER BY text")
        .to_pylist()
    )
    assert [(row["text"], row["kind"], row["variant"]) for row in rows] == [
        ("a photo of one Boxer", "occupation", "implicit"),
        ("a photo of one dragon", "", ""),
        ("a photo of one male Nurse", "occupation", "explicit"),
    ]


def test_prompts_that_the_suite_does_not_have_are_counted(make_study: Make, tmp_path: Path, picture: Draw) -> None:
    study = make_study(suite={"use": "faintbench"}, generators=None)
    for number, text in enumerate(("a photo of one Nurse", "a photo of one dragon", "a photo of one dragon, 4k")):
        put(tmp_path / "images", f"sdxl/{text}/{number}.png", picture())
    assert bring(study, tmp_path / "images") == {"made": 3, "prompts the suite does not have": 1}


def test_the_first_releases_spelling_of_two_groups_is_the_suites(
    make_study: Make, tmp_path: Path, picture: Draw
) -> None:
    study = make_study(suite={"use": "faintbench"}, generators=None)
    put(tmp_path / "images", "sdxl/a photo of one East-Asain Nurse, hdr/1.png", picture())
    put(tmp_path / "images", "sdxl/a photo of one South-Asain human Boxer/1.png", picture())
    assert bring(study, tmp_path / "images") == {"made": 2}
    rows = OpenStudy(study).workspace.query(
        "SELECT text FROM jobs JOIN prompts ON prompts.id = jobs.prompt ORDER BY text"
    )
    assert rows["text"].to_pylist() == ["a photo of one East-Asian Nurse", "a photo of one South-Asian Boxer"]


def test_a_manifests_prompt_ends_at_the_first_comma_as_a_trees(make_study: Make, tmp_path: Path, picture: Draw) -> None:
    study = make_study(suite={"use": "faintbench"}, generators=None)
    put(tmp_path / "images", "0.png", picture())
    listed = 'path,model,prompt\n0.png,sdxl,"a photo of one nurse, photorealistic, 4k"\n'
    (tmp_path / "images" / "manifest.csv").write_text(listed)
    assert bring(study, tmp_path / "images", "manifest") == {"made": 1}
    rows = OpenStudy(study).workspace.query("SELECT text, term FROM jobs JOIN prompts ON prompts.id = jobs.prompt")
    assert rows.to_pylist() == [{"text": "a photo of one Nurse", "term": "Nurse"}]


def test_a_prompt_with_a_comma_that_the_suite_has_is_not_cut(make_study: Make, tmp_path: Path, picture: Draw) -> None:
    (tmp_path / "own.csv").write_text('text,term\n"a nurse, smiling",nurse\na nurse,nurse\n')
    suite = {"use": "file", "options": {"path": str(tmp_path / "own.csv")}}
    study = make_study(suite=suite, generators=None)
    put(tmp_path / "images", "0.png", picture())
    (tmp_path / "images" / "manifest.csv").write_text('path,model,prompt\n0.png,sdxl,"a nurse, smiling"\n')
    bring(study, tmp_path / "images", "manifest")
    rows = OpenStudy(study).workspace.query("SELECT text FROM jobs JOIN prompts ON prompts.id = jobs.prompt")
    assert rows["text"].to_pylist() == ["a nurse, smiling"]


def test_a_prompt_that_the_suite_has_no_more_loses_its_meaning(make_study: Make, tmp_path: Path, picture: Draw) -> None:
    study = make_study(suite={"use": "faintbench"}, generators=None)
    put(tmp_path / "images", "sdxl/a photo of one Nurse/1.png", picture())
    bring(study, tmp_path / "images")
    text = (study / "study.toml").read_text(encoding="utf-8")
    changed = text.replace('"faintbench"', '"faintbench", "options" = {"drop" = ["Nurse"]}')
    (study / "study.toml").write_text(changed, encoding="utf-8")
    run_stages(OpenStudy(study), RunControl(), ("plan",))
    rows = OpenStudy(study).workspace.query("SELECT kind, reference FROM prompts WHERE text = 'a photo of one Nurse'")
    assert rows.to_pylist() == [{"kind": "", "reference": []}]
