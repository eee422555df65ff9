from __future__ import annotations

from pathlib import Path

import pytest

from portrayal.apps.graph.annotations.collection import Collected, Columns, read_collection, read_names
from portrayal.errors import InputError
from portrayal.graph import Edge, Key, Schema, Vertex

JUDGE, WHITE, EAST = Key("occupation", "judge"), Key("race", "white"), Key("race", "east_asian")
VERTICES = [Vertex(*JUDGE, "Judge"), Vertex(*WHITE, "White / Caucasian"), Vertex(*EAST, "East Asian")]
SCHEMA = Schema({"stereotyped_as": ["occupation_to_race"], "dominant_in": ["occupation_to_race"]})
COLUMNS = Columns({"occupation": "attribute", "race": "identity"}, type="stereotyped_as", source="region")
FILE = """identity,attribute,region,score
White / Caucasian,judge,EU,1
white,Judge,US,2
Chinese,judge,EU,3
East Asian,kind,EU,1
Martian,judge,EU,1
"""


def read(folder: Path, text: str = FILE, columns: Columns = COLUMNS, names: dict[str, str] | None = None) -> Collected:
    path = folder / "seegull.csv"
    path.write_text(text, encoding="utf-8")
    return read_collection(path, columns, VERTICES, SCHEMA, names)


def test_rows_about_vertices_become_edges(tmp_path: Path) -> None:
    found = read(tmp_path)
    assert found.edges == [Edge(JUDGE, "stereotyped_as", WHITE, sources=("EU", "US"))]
    assert found.unknown == {("race", "Chinese"): 1, ("occupation", "kind"): 1, ("race", "Martian"): 1}


def test_names_can_be_mapped(tmp_path: Path) -> None:
    (tmp_path / "names.csv").write_text("name,vertex\nchinese,east_asian\n", encoding="utf-8")
    found = read(tmp_path, names=read_names(tmp_path / "names.csv", VERTICES))
    assert [edge.target for edge in found.edges] == [WHITE, EAST]
    assert ("race", "Chinese") not in found.unknown


def test_types_from_a_column(tmp_path: Path) -> None:
    columns = Columns({"occupation": "job", "race": "who"}, type_column="kind")
    found = read(tmp_path, "who,job,kind\nwhite,judge,dominant_in\n", columns)
    assert found.edges == [Edge(JUDGE, "dominant_in", WHITE, sources=("seegull.csv",))]
    with pytest.raises(InputError, match=r"seegull\.csv:2: no relation 'dominant'; did you mean"):
        read(tmp_path, "who,job,kind\nwhite,judge,dominant\n", columns)


def test_a_column_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"seegull\.csv: no column 'identity'; did you mean 'identities'"):
        read(tmp_path, "identities,attribute,region\nwhite,judge,EU\n")
