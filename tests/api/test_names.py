"""A script reads and filters by the names that study.toml gives; identities stand beside them."""

from __future__ import annotations

from typing import Any

import pytest

import portrayal
from portrayal.errors import InputError, UnknownNameError

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> portrayal.Study:
    """Return a study of two generators with names, run to its report."""
    found = portrayal.Study.create(
        tmp_path_factory.mktemp("names") / "study",
        prompts=[{"text": "a photo of one nurse", "term": "nurse"}, {"text": "a photo of one CEO", "term": "CEO"}],
        generator=[
            {"use": "simulated", "images": 4, "name": "Model A", "options": {"size": 24}},
            {"use": "simulated", "images": 4, "name": "Model B"},
        ],
        annotator={"use": "simulated", "name": "Panel", "options": {"accuracy": 0.9}},
    )
    found.run(progress=False)
    return found


def test_measurements_are_chosen_by_term_and_by_name(study: portrayal.Study) -> None:
    rows = study.measurements(term="nurse", generator="Model A", annotator="Panel", metric="share", attribute="gender")
    assert {(row["level"], row["item"], row["generator"], row["annotator"]) for row in rows} == {
        ("term", "nurse", "Model A", "Panel")
    }
    assert all(row["generator_id"].startswith("simulated@1#") for row in rows)
    same = study.measurements(level="term", item="nurse", model=rows[0]["generator_id"], metric="share")
    assert len(same) > len(rows) > 0
    assert len(study.measurements(term=["nurse", "CEO"])) == len(study.measurements(level="term"))
    frame = study.measurements(metric="share", attribute="gender", group="female", level="term").to_pandas()
    assert list(frame.pivot(index="item", columns="generator", values="value").columns) == ["Model A", "Model B"]


def test_images_and_observations_too(study: portrayal.Study) -> None:
    images = study.images(generator="Model A", term="nurse", annotator="Panel")
    assert len(images) == 4
    assert {(row["model"], row["annotator"]) for row in images} == {("Model A", "Panel")}
    assert {row["model_id"] for row in images} == {row["generator_id"] for row in study.measurements(model="Model A")}
    seen = study.observations(model="Model A", term="nurse", attribute="gender")
    assert len(seen) == len({row["image"] for row in seen}) == 4
    assert {row["image"] for row in seen} == {row["file"].rpartition("/")[2].partition(".")[0] for row in images}
    assert len(study.observations()) > len(study.observations(generator=["Model A", "Model B"], attribute="gender")) > 4


def test_charts_pictures_and_records_have_the_names(study: portrayal.Study) -> None:
    rows = study.measurements(metric="share", attribute="gender", level="term")
    chart, gallery = rows.plot().svg, study.images().show()._repr_html_()
    for page in (chart, gallery):
        assert "Model A" in page
        assert "simulated@" not in page
    records = rows.records()
    assert {(row["generator_name"], row["annotator_name"]) for row in records} == {
        ("Model A", "Panel"),
        ("Model B", "Panel"),
    }
    assert all(row["generator"].startswith("simulated@1") for row in records)


@pytest.mark.parametrize(
    ("wanted", "error", "said"),
    [
        (
            {"generater": "Model A"},
            UnknownNameError,
            "measurements(): no filter is called 'generater'; did you mean",
        ),
        (
            {"generator": "Modell A"},
            UnknownNameError,
            "no measurement has the generator 'Modell A'; did you mean 'Mo",
        ),
        ({"term": "nurs"}, UnknownNameError, "no measurement has the term 'nurs'; did you mean 'nurse'?"),
        ({"term": "nurse", "level": "overall"}, InputError, "term= chooses rows of the level 'term'; leave level= out"),
        ({"term": "nurse", "item": "CEO"}, InputError, "term= and item= are the same filter; give one of them"),
    ],
)
def test_what_is_wrong_is_one_line(study: portrayal.Study, wanted: dict[str, Any], error: type, said: str) -> None:
    with pytest.raises(error) as caught:
        study.measurements(**wanted)
    assert str(caught.value).startswith(said)
    assert "\n" not in str(caught.value)


def test_names_are_known_before_there_are_rows(tmp_path: Any) -> None:
    new = portrayal.Study.create(
        tmp_path / "new", prompts=["a nurse"], generator={"use": "simulated", "name": "Model A"}, annotator="simulated"
    )
    assert len(new.measurements(generator="Model A", term="a nurse")) == 0
    with pytest.raises(UnknownNameError, match="did you mean 'Model A'"):
        new.measurements(generator="Modell A")
