"""What is made to be taken away is known by a record, which may be damaged or somebody else's."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from tests.apps.studio.conftest import add_study

from portrayal.apps.studio.listed_studies import STATE, ListedStudy, list_studies
from portrayal.apps.studio.runs.run_state import process_mark
from portrayal.apps.studio.sharing.packing import Packing, PackingState
from portrayal.store.checksums.checked_json import write_checked_json


def study_and_record(root: Path) -> tuple[ListedStudy, Path]:
    add_study(root / "s", 1, size=0)
    (study,) = list_studies(root)
    record = root / STATE / study.key / "packed-bundle" / "record.json"
    record.parent.mkdir(parents=True)
    return study, record


@pytest.mark.parametrize(
    "text", ["[" * 100_000, "[]", "{", '{"pid": 1e999, "mark": "x"}', '{"pid": null, "mark": "x"}', '{"mark": "x"}']
)
def test_a_record_that_says_nonsense_is_none(tmp_path: Path, text: str) -> None:
    study, record = study_and_record(tmp_path)
    record.write_text(text)
    assert Packing(tmp_path).one(study, "bundle").state is PackingState.NONE


def test_a_bit_that_flips_in_a_record_is_noticed(tmp_path: Path) -> None:
    study, record = study_and_record(tmp_path)
    write_checked_json(record, {"pid": os.getpid(), "mark": process_mark(os.getpid())})
    assert Packing(tmp_path).one(study, "bundle").state is PackingState.RUNNING
    whole = record.read_bytes()
    for place in range(len(whole)):
        record.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert Packing(tmp_path).one(study, "bundle").state is PackingState.NONE


def test_a_record_of_an_older_version_is_believed(tmp_path: Path) -> None:
    study, record = study_and_record(tmp_path)
    record.write_text(json.dumps({"pid": os.getpid(), "mark": process_mark(os.getpid())}))
    assert Packing(tmp_path).one(study, "bundle").state is PackingState.RUNNING
