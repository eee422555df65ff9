"""The matrix of relations as a picture, and SocialBiasKG's tables, as files."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from xml.etree import ElementTree

import pytest

from portrayal.reports.figures.figure_files import ReportFigures, report_figures
from portrayal.study.report.gather_data import gather
from portrayal.study.study import OpenStudy

SVG = "{http://www.w3.org/2000/svg}"
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def found(planted: Path) -> ReportFigures:
    return report_figures(gather(OpenStudy(planted)))


def cells(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


def test_each_model_has_its_matrix_with_a_mark_for_each_relation(found: ReportFigures) -> None:
    paths = [path for path in found.pictures if path.startswith("figures/socialbiaskg/matrix-")]
    assert len(paths) == 2
    for path in paths:
        picture = ElementTree.fromstring(found.pictures[path])
        marks = [own for own in picture.iter(f"{SVG}rect") if "stroke" in own.attrib]
        relations = cells(found.tables[path.replace("figures", "tables").replace("matrix-", "relations-") + ".csv"])
        assert len(marks) == len(relations) - 1
        assert "S: stereotype;" in (picture.findtext(f"{SVG}desc") or "")
        width, height = (float(picture.attrib[name]) for name in ("width", "height"))
        for own in marks:
            assert 0 < float(own.attrib["x"]) + float(own.attrib["width"]) <= width
            assert 0 < float(own.attrib["y"]) + 16 < height


def test_the_matrix_is_a_table_too(found: ReportFigures) -> None:
    first = next(path for path in found.tables if "/matrix-table-" in path and path.endswith(".csv"))
    header, *rows = cells(found.tables[first])
    table = {row[1]: dict(zip(header[2:], row[2:], strict=True)) for row in rows}
    assert table["CEO"]["White"].startswith("D")
    assert "(" in table["judge"]["White"]  # only people see it


def test_how_graphs_differ_is_a_table(found: ReportFigures) -> None:
    header, *rows = cells(found.tables["tables/socialbiaskg/differences.csv"])
    assert header[0] == "First"
    assert rows[0][0] == "people"
    assert cells(found.tables["tables/socialbiaskg/drawn-by-no-model.csv"])[0][0] == "Group"
