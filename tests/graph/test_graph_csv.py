from __future__ import annotations

from pathlib import Path

import pytest

from portrayal.errors import InputError
from portrayal.graph import Edge, Graph, Key
from portrayal.graph.graph_csv import edge_csv, read_edges, read_vertices, vertex_csv


def written(folder: Path, text: str) -> Path:
    path = folder / "table.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_what_is_written_is_read(graph: Graph, tmp_path: Path) -> None:
    vertices = read_vertices(written(tmp_path, vertex_csv(graph.vertices)))
    edges = [edge for _, edge in read_edges(written(tmp_path, edge_csv(graph.edges)), graph.by_key)]
    assert Graph(graph.name, vertices, edges) == graph


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("occupation:CEOO,dominant_in,race:white", r"table\.csv:2: column 'source' names no vertex: 'occupation:CEOO'"),
        ("occupation:CEO,dominant_in,white", r"table\.csv:2: column 'target' names no vertex: 'white'"),
        ("occupation:CEO,dominant_in", r"table\.csv:2: 2 values, but the header has 3 columns"),
    ],
)
def test_a_wrong_line_is_named(graph: Graph, tmp_path: Path, row: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        read_edges(written(tmp_path, f"source,type,target\n{row}\n"), graph.by_key)


def test_numbers_and_yes_or_no_are_checked(graph: Graph, tmp_path: Path) -> None:
    edge = "occupation:CEO,dominant_in,race:weiß & <blanc>"
    for column, value, told in (("value", "much", "must be a number"), ("uncertain", "perhaps", "is true or false")):
        with pytest.raises(InputError, match=f"column '{column}' {told}"):
            read_edges(written(tmp_path, f"source,type,target,{column}\n{edge},{value}\n"), graph.by_key)


def test_a_source_is_one_line() -> None:
    with pytest.raises(InputError, match="is one line"):
        Edge(Key("a", "b"), "c", Key("d", "e"), sources=("two\nlines",))
