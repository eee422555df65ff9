"""Studies on a real cluster: the same tables as on one machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.samples.deadly import Looker

import portrayal
from portrayal.engines.deaths import KILLED
from portrayal.engines.ray import RayEngine, connect
from portrayal.errors import PortrayalError
from portrayal.store.images.allowed_stores import allow_store
from portrayal.store.images.image_folder import ImageFolder
from portrayal.store.tables import table
from portrayal.study.measure import adding, collect
from portrayal.study.parts.given_parts import annotator_config
from portrayal.study.parts.spreading import reading_images

if TYPE_CHECKING:
    from tests.engines.ray.conftest import Nodes

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::ResourceWarning")]
Rows = Callable[[Path], dict[str, list[str]]]


PROMPTS = """text,term,kind,edits
a portrait of a man,man,seed,
a photo of a nurse,nurse,word,seed
"""
EDITS = {
    "prompts": PROMPTS,
    "generators": [
        {"use": "simulated", "images": 3, "role": "draw"},
        {"use": "simulated", "images": 2, "role": "edit", "options": {"moves": {"nurse": {"gender": {"female": 1.0}}}}},
    ],
}


def names(images: Path) -> list[str]:
    return sorted(file.name for file in images.glob("*/*"))


def looker_table(looker: Looker) -> dict[str, Any]:
    config = annotator_config(looker)
    return {"use": config.use, "options": dict(config.options)}


def test_a_study_that_draws_and_edits_has_the_tables_of_a_local_run(
    nodes: Nodes, make_study: Callable[..., Path], rows: Rows, capfd: pytest.CaptureFixture[str]
) -> None:
    here, there = make_study("here", **EDITS), make_study("there", **EDITS)
    portrayal.Study(here).run(progress=False)
    portrayal.Study(there).run(progress=False, engine="ray", address=nodes.address)
    assert rows(there) == rows(here)
    assert capfd.readouterr() == ("", "")


def test_nodes_keep_images_in_a_shared_store_and_stop_where_it_is_not(
    nodes: Nodes, make_study: Callable[..., Path], rows: Rows, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    here, there, pictures = (
        make_study("here"),
        make_study("there", storage={"images": "../pictures"}),
        tmp_path / "pictures",
    )
    pictures.mkdir()
    allow_store(str(pictures))
    portrayal.Study(here).run(progress=False)
    portrayal.Study(there).generate(progress=False, engine="ray", address=nodes.address)
    assert names(pictures) == names(here / "images")
    assert not (there / "images").exists()
    build = reading_images(partial(eval, "len"), ImageFolder(tmp_path / "not mounted", shared=True), there)
    with pytest.raises(PortrayalError, match="not mounted"), connect(nodes.address) as cluster:
        list(RayEngine(cluster).map(build, [[1]]))
    portrayal.Study(there).run(progress=False, engine="ray", address=nodes.address)
    assert rows(there) == rows(here)


def test_an_image_that_kills_its_actor_is_set_aside(
    nodes: Nodes, make_study: Callable[..., Path], capfd: pytest.CaptureFixture[str]
) -> None:
    folder = make_study(annotators=[looker_table(Looker())], annotate={"batch": 3, "workers": 1})
    portrayal.Study(folder, annotator=Looker()).generate(progress=False)
    images = sorted(path.stem for path in (folder / "images").glob("*/*"))
    study = portrayal.Study(folder, annotator=Looker(victims=(images[2],), enders=(images[4],)))
    study.annotate(progress=False, engine="ray", address=nodes.address)
    assert sorted((row["image"], row["reason"]) for row in study.observations()) == [
        (image, KILLED if image in (images[2], images[4]) else None) for image in images
    ]
    assert capfd.readouterr() == ("", "")  # nor does Ray tell that actors died


def test_parts_of_the_observations_are_added_up_on_the_cluster(
    nodes: Nodes, make_study: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_study(generators=[{"use": "simulated", "images": 40, "options": {"pixels": False}}])
    monkeypatch.setattr(table, "ROW_GROUP", 4)
    portrayal.Study(folder).run(progress=False)
    (before,) = (folder / "tables" / "measurements").glob("*.parquet")
    expected, found, on = before.read_bytes(), list[tuple[int, bytes]](), collect._on

    def watched(*given: Any) -> Iterator[tuple[int, bytes]]:
        for part in on(*given):
            found.append(part)
            yield part

    monkeypatch.setattr(collect, "PART", 60)
    monkeypatch.setattr(adding, "_ENOUGH", 60)
    monkeypatch.setattr(collect, "_on", watched)
    portrayal.Study(folder).run(progress=False, engine="ray", address=nodes.address)
    (after,) = (folder / "tables" / "measurements").glob("*.parquet")
    assert after.read_bytes() == expected
    assert sorted(number for number, _ in found) == list(range(4))


def test_an_adaptive_run_draws_the_same_rounds(nodes: Nodes, make_study: Callable[..., Path], rows: Rows) -> None:
    given = {
        "generators": [{"use": "simulated", "images": 20, "options": {"refused": 0.1}}],
        "sampling": {"about": {"attribute": "gender"}, "tolerance": 0.25, "pilot": 5},
    }
    here, there = make_study("here", **given), make_study("there", **given)
    portrayal.Study(here).run(progress=False)
    portrayal.Study(there).run(progress=False, engine="ray", address=nodes.address)
    assert rows(there) == rows(here)
    assert portrayal.Study(here).status.rounds is not None
