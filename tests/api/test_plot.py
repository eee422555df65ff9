"""A chart is shown by a notebook and saved as SVG, PDF and PNG."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from PIL import Image

from portrayal import Study
from portrayal.api.plot import Plot
from portrayal.errors import InputError, MissingExtraError

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="#fff"/></svg>'


def test_svg_is_written_as_it_is(tmp_path: Path) -> None:
    plot = Plot(SVG)
    assert plot.save(tmp_path / "figure.svg") == tmp_path / "figure.svg"
    assert (tmp_path / "figure.svg").read_text(encoding="utf-8") == SVG == plot._repr_svg_()
    assert "save('figure.svg')" in repr(plot)


def test_pdf_and_png_are_drawn(tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    assert Plot(SVG).save(str(tmp_path / "figure.pdf")).read_bytes().startswith(b"%PDF-")
    with Image.open(io.BytesIO(Plot(SVG).save(tmp_path / "figure.PNG").read_bytes())) as picture:
        assert picture.size == (80, 40)


def test_another_ending_and_a_missing_package_are_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"figure\.jpg: charts are written as \.svg, \.pdf, \.png, not \.jpg"):
        Plot(SVG).save(tmp_path / "figure.jpg")
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(
        MissingExtraError, match=r"\.pdf needs vl-convert-python: run pip install 'portrayal\[figures\]'"
    ):
        Plot(SVG).save(tmp_path / "figure.pdf")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_measurements_are_drawn_as_the_report_draws_them(finished: Path) -> None:
    rows = Study(finished).measurements(metric="share", attribute="gender", level="term")
    svg = rows.plot().svg
    assert all(f">{term}</text>" in svg for term in ("nurse", "CEO"))
    assert "Share · perceived gender · female" in svg
