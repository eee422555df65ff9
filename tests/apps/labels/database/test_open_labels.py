from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from portrayal.apps.labels.database.open_labels import labels_address, open_labels, read_labels
from portrayal.apps.labels.labelling.picture import Change, LabelTask, Picture
from portrayal.errors import DamagedError, StudyError, StudyLockedError
from portrayal.study.sql.rater import Rater

ANN = Rater("ann", "hash", "first", "en", 1.0, 2.0, {"age": "30"})
PICTURE = Picture("a" * 64, "", "png", "a nurse", 0.25, 1, 3.0)
TASK = LabelTask("t1", "ann", 1, PICTURE.image, "", 4.0)
CAST = replace(TASK, choices={"gender": "female", "person": "person"}, cast_at=5.0, seconds=1.0)


def test_what_was_written_is_read_again_and_an_answer_can_be_taken_back(database: str, tmp_path: Path) -> None:
    with closing(open_labels(database, tmp_path)) as store:
        store.write([Change([ANN], [TASK], [PICTURE]), Change(tasks=[CAST])])
        assert store.load() == read_labels(database, tmp_path) == Change([ANN], [CAST], [PICTURE])
        store.write([Change(tasks=[CAST])])  # again changes nothing
        assert store.load().tasks == [CAST]
        store.write([Change(tasks=[replace(TASK, undone=1)])])
        assert store.load().tasks == [replace(TASK, undone=1)]


def test_a_second_server_and_a_missing_database_are_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="no labels here yet; start the labelling with: portrayal labels serve"):
        read_labels("", tmp_path)
    with (
        closing(open_labels("", tmp_path)),
        pytest.raises(StudyLockedError, match="another labelling server is using it"),
    ):
        open_labels("", tmp_path)


@pytest.mark.parametrize(
    "change",
    [
        "labels_choices SET choice = 'male' WHERE attribute = 'gender'",
        "labels_tasks SET image = 'b'",
        "labels_pictures SET probability = 1",
        "labels_raters SET excluded = NOT excluded",
    ],
)
def test_a_row_that_does_not_say_what_was_written_is_found(database: str, tmp_path: Path, change: str) -> None:
    with closing(open_labels(database, tmp_path)) as store:
        store.write([Change([ANN], [TASK], [PICTURE]), Change(tasks=[CAST])])
    engine = create_engine(labels_address(database, tmp_path).url)
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE {change}"))
    engine.dispose()
    with pytest.raises(DamagedError, match=f"the table {change.split()[0]} is damaged"):
        read_labels(database, tmp_path)
