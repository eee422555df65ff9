"""The index of pictures: filters beside a plain reading of the tables, pairs of two models, and what is left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from portrayal.api.study import Study
from portrayal.apps.studio.database.picture_index import PictureIndex
from portrayal.apps.studio.database.side_by_side import side_by_side
from portrayal.study.create.create_study import create_study
from portrayal.study.study import OpenStudy
from portrayal.study.tables.left_out import write_left_out

pytestmark = pytest.mark.slow

PLANTED = {"caption": {"a woman at a desk": 1.0}, "gender": {"female": 1.0}}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    folder = tmp_path_factory.mktemp("index") / "one"
    drawn = {"use": "simulated", "options": {"size": 24}}
    seen = {"use": "simulated", "options": {"accuracy": 0.7, "softness": 0.2}}
    create_study(
        folder,
        generator=[{**drawn, "name": name, "options": {"size": size}} for name, size in (("A", 24), ("B", 25))],
        annotator=[{**seen, "name": "careless"}, {"use": "simulated", "name": "careful"}],
        prompts=["a nurse", "a CEO"],
        images=20,
    )
    study = Study(folder)
    study.run(progress=False)
    return study


@pytest.fixture
def index(study: Study, tmp_path: Path) -> PictureIndex:
    return PictureIndex(Path(study.folder), tmp_path)


def test_disagreement_and_probability_filter_as_the_rows_say(study: Study, index: PictureIndex) -> None:
    rows = study.images().to_arrow().to_pylist()
    groups: dict[str, dict[str, set[str]]] = {}
    for row in rows:
        for name, kind in OpenStudy.to_read(Path(study.folder)).attributes.items():
            if kind.groups and row.get(name):
                groups.setdefault(row["file"], {}).setdefault(name, set()).add(row[name])
    apart = {file for file, named in groups.items() if any(len(said) > 1 for said in named.values())}
    assert 0 < len(apart) < 80
    page = index.page({"disagreed": "yes"}, 1)
    assert (page.total, page.several, page.models) == (len(apart), True, 2)
    sure = {
        row["file"]: max(row["gender_female"], row["gender_male"]) for row in rows if row["gender_female"] is not None
    }
    below = index.rows({"unsure": "95"}, 1_000).to_pylist()
    assert all(row["sure"] < 0.95 for row in below)
    assert {file for file, best in sure.items() if best < 0.95} <= {row["file"] for row in below}
    assert index.page({"unsure": "many"}, 1).total == index.page({}, 1).total == 80
    assert index.rows({}, 7).num_rows == 7


def test_prompts_are_found_whole_and_by_their_words(study: Study, index: PictureIndex) -> None:
    prompts = [(row["file"], row["prompt"]) for row in study.images()]
    for wanted, holds in (
        ({"prompt": "a nurse"}, lambda prompt: prompt == "a nurse"),
        ({"prompt": "a nur"}, lambda prompt: False),
        ({"words": "CEO"}, lambda prompt: prompt == "a CEO"),
        ({"words": "NURS"}, lambda prompt: prompt == "a nurse"),
        ({"words": "%"}, lambda prompt: False),
    ):
        assert index.page(wanted, 1).total == len({file for file, prompt in prompts if holds(prompt)}), wanted


def test_a_page_has_each_picture_once_in_the_order_of_the_plan(study: Study, index: PictureIndex) -> None:
    rows = study.images().to_arrow().to_pylist()
    careful = [row["file"] for row in rows if row["annotator"] == "careful" and row["gender"] == "female"]
    found = index.page({"annotator": "careful", "gender": "female"}, 1)
    assert [row["file"] for row in found.pictures] == careful[:60]
    every = list(dict.fromkeys(row["file"] for row in rows))
    assert [row["file"] for number in (1, 2) for row in index.page({}, number).pictures] == every
    assert "picture" not in index.rows({}, 3).column_names


def test_captions_stand_beside_pictures_and_are_no_filter(tmp_path: Path) -> None:
    seen = {"use": "simulated", "options": {"attributes": ["gender", "caption"]}}
    drawn = {"use": "simulated", "options": {"size": 24, "shares": PLANTED}}
    create_study(tmp_path / "one", generator=drawn, annotator=seen, prompts=["a nurse"], images=3)
    study = Study(tmp_path / "one")
    study.run(progress=False)
    page = PictureIndex(tmp_path / "one", tmp_path / "index").page({}, 1)
    said = {row["file"]: row["caption"] for row in study.images()}
    assert {row["file"]: row["caption"] for row in page.pictures} == said
    assert all(said.values())
    assert (page.captions, page.attributes) == (["caption"], ["gender"])
    assert "caption" not in [facet.name for facet in page.facets]


def test_two_models_are_paired_by_seed(study: Study, index: PictureIndex) -> None:
    pairs = side_by_side(index, ("A", "B"), "a nurse", 1)
    assert (pairs.total, pairs.by_seed, pairs.pages, len(pairs.pairs)) == (20, True, 1, 20)
    seeds = {Path(row["file"]).name: (row["model"], row["prompt"], row["seed"]) for row in study.images()}
    for pair in pairs.pairs:
        assert seeds[pair["one"]] == ("A", "a nurse", pair["seed"])
        assert seeds[pair["other"]] == ("B", "a nurse", pair["seed"])
    assert side_by_side(index, ("A", "B"), "", 9).number == 2
    assert side_by_side(index, ("A", "nobody"), "", 1).pairs == []


def test_what_is_left_out_is_marked_at_once_and_until_it_is_not(study: Study, index: PictureIndex) -> None:
    folder = Path(study.folder)
    name = Path(index.page({}, 1).pictures[0]["name"]).stem
    write_left_out(folder, {name: "blurred"})
    page = index.page({"left_out": "blurred"}, 1)
    assert [Path(row["name"]).stem for row in page.pictures] == [name]
    assert "left_out" in [facet.name for facet in page.facets]
    write_left_out(folder, {})
    assert index.page({}, 1).pictures[0]["left_out"] is None


def test_a_damaged_index_or_a_strangers_is_made_again(study: Study, tmp_path: Path) -> None:
    folder = Path(study.folder)
    before = PictureIndex(folder, tmp_path).page({}, 1)
    (kept,) = tmp_path.glob("pictures-*.parquet")
    whole = kept.read_bytes()
    for data in (whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:], b"PAR1" * 20, b""):
        kept.write_bytes(data)
        assert PictureIndex(folder, tmp_path).page({}, 1) == before
        assert [path.read_bytes() == data for path in tmp_path.glob("pictures-*.parquet")] == [False]
    assert PictureIndex(folder, tmp_path).page({}, 1) == before
