"""Charts and tables of a study are written to a folder, by Python and by the command."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from portrayal import Study
from portrayal.errors import InputError, StudyError

pytestmark = pytest.mark.slow
GENDER = "perceived-gender-by-term-female"


def test_every_chart_and_table_is_a_file(finished: Path, tmp_path: Path) -> None:
    found = Study(finished).figures(tmp_path / "paper")
    assert found == [path for path in found if path.is_file()]
    endings = {(path.parts[-3], path.suffix) for path in found}
    assert endings == {("figures", ".svg"), ("tables", ".tex"), ("tables", ".csv"), ("tables", ".md")}
    assert tmp_path / "paper/figures/representation" / f"{GENDER}.svg" in found
    assert {path.name for path in (tmp_path / "paper").iterdir()} == {"figures", "tables"}


def test_numbers_are_those_of_the_page(finished: Path, tmp_path: Path) -> None:
    Study(finished).figures(tmp_path)
    page = re.sub(r"<[^>]+>", " ", (finished / "report/index.html").read_text(encoding="utf-8"))
    page = re.sub(r"\s+", " ", page)
    lines = (tmp_path / "tables/representation" / f"{GENDER}.md").read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if line.startswith("| ") and "---" not in line][1:]
    assert len(rows) == 2
    for row in rows:
        term, value, interval = (re.sub(r"<.*>", "", cell).strip() for cell in row.split("|")[1:4])
        assert f"{value} {interval}" in page.split(f" {term} ", 1)[1]


def test_the_command_writes_several_formats(finished: Path, tmp_path: Path, cli: Callable[..., Any]) -> None:
    pytest.importorskip("vl_convert")
    ran = cli("figures", finished, "--to", tmp_path, "--format", "pdf", "--format", "png", "--json")
    assert ran.returncode == 0, ran.stderr
    chart = tmp_path / "figures/representation" / GENDER
    assert str(chart.with_suffix(".pdf")) in json.loads(ran.stdout)
    assert chart.with_suffix(".pdf").read_bytes().startswith(b"%PDF-")
    with Image.open(io.BytesIO(chart.with_suffix(".png").read_bytes())) as picture:
        assert picture.width == 1520
        assert picture.convert("RGB").getpixel((0, 0)) == (255, 255, 255)
    assert not list(tmp_path.rglob("*.svg"))
    again = cli("figures", finished, "--to", tmp_path / "again")
    assert re.search(r"again written: \d+ files of charts, \d+ of tables", again.stdout)


def test_a_missing_extra_is_one_line_and_leaves_nothing(
    finished: Path, tmp_path: Path, cli: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    ran = cli("figures", finished, "--to", tmp_path / "paper", "--format", "svg", "--format", "pdf")
    assert ran.returncode == 2
    assert ran.stderr.strip().endswith(".pdf needs vl-convert-python: run pip install 'portrayal[figures]'")
    assert ran.stderr.count("\n") == 1
    assert not (tmp_path / "paper").exists()


def test_what_cannot_be_written_is_one_line(make_study: Callable[..., Path], finished: Path, tmp_path: Path) -> None:
    with pytest.raises(
        StudyError, match=r"nothing is measured yet; run: portrayal measure \S+ \(in Python: study\.measure\(\)\)$"
    ):
        Study(make_study()).figures(tmp_path)
    with pytest.raises(InputError, match=r"charts are written as svg, pdf, png, not 'jpg'"):
        Study(finished).figures(tmp_path, formats=["jpg"])
