"""The table of images says what the stored tables say, person by person, whatever order they are in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from portrayal.records import OBSERVATION_SCHEMA, OUTCOME_SCHEMA, Abstention, Attribute, Observation, to_table
from portrayal.study.study import OpenStudy
from portrayal.study.tables.image_table import image_table

Make = Callable[..., Path]
Row = dict[str, Any]
FIXED = ["file", "prompt", "term", "category", "model", "seed", "annotator", "subject"]


def rows_of(study: Path) -> list[Row]:
    return list(image_table(OpenStudy(study)).to_pylist())


def expected(folder: Path) -> Iterator[Row]:
    """Yield the rows in a plain way: one image after the other, from all that is known of it."""
    study = OpenStudy(folder)
    tables = {
        name: [row for batch in study.workspace.tables[name].batches() for row in batch.to_pylist()]
        for name in ("prompts", "jobs", "outcomes", "observations")
    }
    prompts, jobs = ({row["id"]: row for row in tables[name]} for name in ("prompts", "jobs"))
    for annotator, (_, built) in study.annotators.items():
        for made in tables["outcomes"]:
            if made["status"] != "made" or made["job"] not in jobs:
                continue
            job = jobs[made["job"]]
            prompt = prompts[job["prompt"]]
            image, ext = made["image"], made["ext"]
            known = {
                "file": f"images/{image[:2]}/{image}.{ext}" if ext else None,
                "prompt": prompt["text"],
                "term": prompt["term"],
                "category": prompt["category"],
                "model": job["generator"],
                "seed": job["seed"],
                "annotator": annotator,
            }
            said = [row for row in tables["observations"] if (row["image"], row["annotator"]) == (image, annotator)]
            for person in sorted({row["subject"] for row in said if row["subject"] is not None}) or [None]:
                own = [row for row in said if row["subject"] in (person, None)]
                yield {**known, **perceived(built.attributes, own, person)}


def perceived(attributes: Any, said: list[Row], person: int | None) -> Row:
    reasons = [row for row in said if row["reason"]]
    found: Row = {"subject": person, "box": next((row["box"] for row in said if row["subject"] == person), None)}
    words = {f"{row['attribute']}: {row['reason']}" if row["attribute"] else row["reason"] for row in reasons}
    found["reason"] = words if said else {"pending"}
    for attribute in attributes:
        told = [row for row in said if row["attribute"] == attribute.name and not row["reason"]]
        mass: Any = told[0]["mass"] if told else [None] * len(attribute.groups)
        found |= {f"{attribute.name}_{group}": own for group, own in zip(attribute.groups, mass, strict=True)}
        found[attribute.name] = attribute.groups[int(np.argmax(mass))] if told else None
    return found


def with_sets(rows: list[Row]) -> list[Row]:
    return [{**row, "reason": set((row["reason"] or "").split("; ")) - {""}} for row in rows]


@pytest.mark.slow
def test_it_says_what_the_tables_say(finished: Path) -> None:
    found = with_sets(rows_of(finished))
    assert found == list(expected(finished))
    assert {None, 0} < {row["subject"] for row in found}  # nobody, one and several people are among them
    assert any(len([other for other in found if other["file"] == row["file"]]) > 1 for row in found)


def test_columns_are_named_by_attribute_and_group(finished: Path) -> None:
    table = image_table(OpenStudy(finished))
    assert table.column_names[:8] == FIXED
    assert table.column_names[8:11] == ["gender", "gender_male", "gender_female"]
    assert table.column_names[-2:] == ["box", "reason"]
    assert table.schema.field("gender_female").type == pa.float32()
    assert pa.types.is_dictionary(table.schema.field("prompt").type)


@pytest.fixture
def planned(make_study: Make) -> OpenStudy:
    """A study of six images that nobody has looked at yet."""
    from portrayal.study.run import run_stages
    from portrayal.study.run_control import RunControl

    study = OpenStudy(make_study(generators=[{"use": "simulated", "images": 3, "options": {"size": 4}}]))
    run_stages(study, RunControl(), ("plan", "generate"))
    return study


def test_what_nobody_has_looked_at_is_pending(planned: OpenStudy) -> None:
    rows = image_table(planned).to_pylist()
    assert [(row["reason"], row["gender"], row["subject"]) for row in rows] == [("pending", None, None)] * 6


def test_without_annotators_images_still_have_their_rows(planned: OpenStudy) -> None:
    planned.annotators = {}
    rows = image_table(planned).to_pylist()
    assert [(row["annotator"], row["reason"]) for row in rows] == [(None, None)] * 6
    assert all((planned.root / row["file"]).is_file() for row in rows)


def test_a_study_without_a_plan_has_no_rows_but_all_columns(make_study: Make) -> None:
    table = image_table(OpenStudy(make_study()))
    assert table.num_rows == 0
    assert {*FIXED, "gender", "gender_male", "box", "reason"} <= set(table.column_names)


def names(study: OpenStudy) -> list[str]:
    return [row["image"] for batch in study.workspace.tables["outcomes"].batches() for row in batch.to_pylist()]


def test_rows_in_any_order_find_their_image_and_box(planned: OpenStudy) -> None:
    mine = next(iter(planned.annotators))
    images = names(planned)
    written = []
    for place in (4, 0, 2):
        box = (place, 1, place + 2, 3)
        written += [
            Observation(images[place], mine, 1, "gender", mass=(0.25, 0.75), box=box),
            Abstention(images[place], mine, "too_dark", 1, "age3"),
            Observation(images[place], mine, 0, "gender", mass=(0.9, 0.1)),
            Abstention(images[place], mine, "group"),
        ]
    planned.workspace.tables["observations"].append(to_table(written, OBSERVATION_SCHEMA))
    rows = image_table(planned).to_pylist()
    assert len(rows) == 9
    by_file: dict[str, list[Row]] = {}
    for row in rows:
        by_file.setdefault(Path(row["file"]).stem, []).append(row)
    for place in (0, 2, 4):
        first, second = by_file[images[place]]
        assert (first["subject"], first["gender"], first["box"], first["reason"]) == (0, "male", None, "group")
        assert (second["subject"], second["gender"], second["box"]) == (1, "female", [place, 1, place + 2, 3])
        assert set(second["reason"].split("; ")) == {"group", "age3: too_dark"}
        assert second["gender_female"] == pytest.approx(0.75)
    assert [by_file[images[place]][0]["reason"] for place in (1, 3, 5)] == ["pending"] * 3


def test_a_picture_that_several_jobs_made_stands_in_the_rows_of_each(planned: OpenStudy) -> None:
    table = planned.workspace.tables["outcomes"]
    made = [row for batch in table.batches() for row in batch.to_pylist()]
    table.replace([pa.Table.from_pylist([{**row, "image": made[0]["image"]} for row in made], OUTCOME_SCHEMA)])
    mine = next(iter(planned.annotators))
    seen = [Observation(made[0]["image"], mine, 0, "gender", mass=(0.0, 1.0))]
    planned.workspace.tables["observations"].append(to_table(seen, OBSERVATION_SCHEMA))
    rows = image_table(planned).to_pylist()
    assert [row["gender"] for row in rows] == ["female"] * 6
    assert len({(row["term"], row["seed"]) for row in rows}) == 6


def test_rejected_images_and_those_of_a_larger_plan_are_left_out(planned: OpenStudy) -> None:
    table = planned.workspace.tables["outcomes"]
    made = [row for batch in table.batches() for row in batch.to_pylist()]
    nothing = dict.fromkeys(OUTCOME_SCHEMA.names)
    thrown = {**nothing, "job": made[1]["job"], "attempt": made[1]["attempt"], "status": "rejected", "versions": ""}
    table.append(pa.Table.from_pylist([thrown, {**made[2], "job": 32 * "f"}], OUTCOME_SCHEMA))
    found = [Path(row["file"]).stem for row in image_table(planned).to_pylist()]
    assert found == [row["image"] for place, row in enumerate(made) if place != 1]


def test_numbers_and_words_stand_under_the_name_of_their_attribute(planned: OpenStudy) -> None:
    mine, (spec, annotator) = next(iter(planned.annotators.items()))
    attributes = (Attribute("age", "perceived age", unit="years"), Attribute("caption", "caption", is_text=True))
    vars(annotator)["attributes"] = attributes
    planned.annotators = {mine: (spec, annotator)}
    image = names(planned)[3]
    seen = [Observation(image, mine, 0, "age", value=41.5), Observation(image, mine, 0, "caption", text="a nurse")]
    planned.workspace.tables["observations"].append(to_table(seen, OBSERVATION_SCHEMA))
    rows = image_table(planned).to_pylist()
    assert [(row["age"], row["caption"]) for row in rows] == [(None, None)] * 3 + [(41.5, "a nurse")] + [
        (None, None)
    ] * 2
