"""Pictures left out with a reason: missing wherever images are counted, and said to be so."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from portrayal.api.study import Study
from portrayal.errors import DamagedError, InputError
from portrayal.study.create.create_study import create_study
from portrayal.study.tables.left_out import LEFT_OUT_NAME, read_left_out, write_left_out

IMAGE = "0" * 64


@pytest.fixture
def study(tmp_path: Path) -> Study:
    generator = {"use": "simulated", "options": {"size": 24}}
    create_study(tmp_path / "one", generator=generator, annotator="simulated", prompts=["a nurse", "a CEO"], images=6)
    study = Study(tmp_path / "one")
    study.run(progress=False)
    return study


def counted(study: Study, item: str) -> tuple[int, int]:
    (row,) = study.measurements(metric="share", item=item, attribute="gender", group="female")
    return row["n"], row["missing"]


@pytest.mark.slow
def test_what_is_left_out_is_missing_with_its_reason_until_it_is_put_back(study: Study) -> None:
    folder = Path(study.folder)
    assert counted(study, "a nurse") == (6, 0)
    nurses = [Path(row["file"]).stem for row in study.images() if row["prompt"] == "a nurse"]
    write_left_out(folder, {nurses[0]: "blurred", nurses[1]: "shows a <real> person", IMAGE: "nowhere"})
    study.run(progress=False)
    assert (counted(study, "a nurse"), counted(study, "a CEO")) == ((4, 2), (6, 0))
    assert next(iter(study.status.outcomes.values())) == {
        "made": 10, "left_out: blurred": 1, "left_out: shows a <real> person": 1
    }  # fmt: skip
    page = (folder / "report" / "index.html").read_text()
    assert "left out: blurred" in page
    assert "left out: shows a &lt;real&gt; person" in page
    assert study.status.jobs == 12, "nothing is drawn in its place"
    write_left_out(folder, {})
    study.run(progress=False)
    assert counted(study, "a nurse") == (6, 0)
    assert read_left_out(folder) == {}


def test_the_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    assert read_left_out(tmp_path) == {}
    write_left_out(tmp_path, {IMAGE: " =two\nlines,  \x1b and a comma "})
    assert read_left_out(tmp_path) == {IMAGE: "=two lines, and a comma"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"image,reason\n{IMAGE},\n", "left_out.csv:2: a picture is left out for a reason"),
        (f"image,reason\n{IMAGE},{'x' * 201}\n", "at most 200"),
        ("image,reason\n../study.toml,x\n", "names no picture"),
        ("picture\nx\n", "image"),
    ],
)
def test_what_names_no_picture_or_no_reason_is_refused_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / LEFT_OUT_NAME).write_text(text)
    with pytest.raises(InputError, match=said):
        read_left_out(tmp_path)


def test_a_flipped_bit_is_named_and_an_edit_is_not(tmp_path: Path) -> None:
    path = tmp_path / LEFT_OUT_NAME
    write_left_out(tmp_path, {IMAGE: "blurred"})
    about, data = path.stat(), bytearray(path.read_bytes())
    data[-3] ^= 1  # another reason; as likely, another picture
    path.write_bytes(data)
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))
    with pytest.raises(DamagedError, match=r"left_out\.csv: the file is damaged"):
        read_left_out(tmp_path)
    os.utime(path, ns=(1, 1))  # somebody wrote this
    assert list(read_left_out(tmp_path)) == [IMAGE]
    write_left_out(tmp_path, {})
    assert list(read_left_out(tmp_path)) == []
