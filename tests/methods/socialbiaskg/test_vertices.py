"""Other names of occupations: shipped ones, and what a list of one's own makes of them."""

from __future__ import annotations

from pathlib import Path

from portrayal.csvfile import read_shipped
from portrayal.methods.socialbiaskg.vertices import read_vertices


def test_every_other_name_means_one_occupation_and_tells_where_it_is_from() -> None:
    rows = read_shipped("portrayal.methods.socialbiaskg", "other_names.csv", ["name", "other", "source"])
    jobs = {own.name for own in read_vertices().occupations}
    assert {row["name"] for row in rows} <= jobs
    others = [row["other"] for row in rows]
    assert len(set(others)) == len(others)
    assert not set(others) & {job.casefold() for job in jobs}
    assert (len(rows), sum(row["source"] == "Portrayal" for row in rows)) == (139, 77)  # as the pages say
    assert all(row["source"] == "Portrayal" or row["source"].startswith("WordNet 3.0 ") for row in rows)
    assert read_vertices().other_names["physician"] == "doctor"


def test_a_name_that_is_a_vertex_of_its_own_stays_itself(tmp_path: Path) -> None:
    (tmp_path / "jobs.csv").write_text("name,group\nDoctor,Health\nphysician,Health\n", encoding="utf-8")
    names = read_vertices(tmp_path / "jobs.csv").other_names
    assert names["medico"] == "Doctor"
    assert "physician" not in names
    assert "attorney" not in names  # there is no lawyer
