"""Where the files of graphs lie: no two graphs in one folder, on any file system."""

from __future__ import annotations

from portrayal.graph import Graph
from portrayal.methods.socialbiaskg.report.graph_files import graph_files

NAMES = (
    "sdxl",
    "SDXL",
    "Sdxl",
    "sd xl",
    "sd-xl",
    "sd/xl",
    "simulated@1",
    "simulated-1",
    "漢字",
    "漢",
    "people",
    "People",
)


def test_names_that_differ_in_capitals_or_marks_alone_have_folders_of_their_own() -> None:
    folders = [next(iter(graph_files(Graph(name, [], [])))).rpartition("/")[0] for name in NAMES]
    assert len({folder.casefold() for folder in folders}) == len(NAMES)
    assert folders[0] == "socialbiaskg/sdxl"
