from __future__ import annotations

import json
import random
import re
import subprocess
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from portrayal.errors import ConfigError, DamagedError
from portrayal.records import Prompt, from_table
from portrayal.study.plan import make_plan
from portrayal.study.plan.make_plan import plan
from portrayal.study.plan.plan_file import require_whole_plan
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

Make = Callable[..., Path]
Cli = Callable[..., subprocess.CompletedProcess[str]]
Rows = Callable[[Path], dict[str, list[str]]]


def test_a_plan_is_every_prompt_by_every_generator(make_study: Make) -> None:
    generators = [{"use": "simulated", "images": 3}, {"use": "simulated", "images": 2, "options": {"refused": 0.5}}]
    study = OpenStudy(make_study(generators=generators))
    assert plan(study, RunControl())
    counted = study.workspace.query("SELECT generator, count(*) AS n, count(DISTINCT id) AS ids FROM jobs GROUP BY 1")
    assert sorted(row["n"] for row in counted.to_pylist()) == [4, 6]
    assert study.workspace.query("SELECT count(DISTINCT id) AS n FROM jobs")["n"].to_pylist() == [10]
    assert study.workspace.tables["prompts"].count() == 2


def test_names_in_what_is_planted_are_looked_at_before_anything_is_drawn(make_study: Make) -> None:
    terms = {"plumbre": {"gender": {"male": 1.0}}}
    generators = [{"use": "simulated", "images": n, "options": {"terms": terms, "size": 8 + n}} for n in (1, 2)]
    said: list[str] = []
    plan(OpenStudy(make_study(generators=generators)), RunControl(remark=said.append))
    assert said == ["generator 'simulated': options.terms: no prompt has the term 'plumbre'"]
    terms["plumbre"] = {"gender": {"mael": 1.0}}
    with pytest.raises(ConfigError, match=r"options\.terms\.plumbre: attribute 'gender' has no group 'mael'"):
        OpenStudy(make_study("wrong", generators=generators)).check()


def test_a_plan_made_twice_changes_nothing(make_study: Make) -> None:
    root = make_study()
    plan(OpenStudy(root), RunControl())
    before = [(path, path.stat().st_mtime_ns) for path in sorted(root.rglob("*.parquet"))]
    assert not plan(OpenStudy(root), RunControl())
    assert [(path, path.stat().st_mtime_ns) for path in sorted(root.rglob("*.parquet"))] == before


def test_more_images_keep_the_jobs_there_are(make_study: Make) -> None:
    root = make_study()
    plan(OpenStudy(root), RunControl())
    before = set(OpenStudy(root).workspace.query("SELECT id FROM jobs")["id"].to_pylist())
    text = (root / "study.toml").read_text()
    (root / "study.toml").write_text(text.replace('"images" = 3', '"images" = 5'))
    assert plan(OpenStudy(root), RunControl())
    after = set(OpenStudy(root).workspace.query("SELECT id FROM jobs")["id"].to_pylist())
    assert before < after
    assert len(after) == 10


@pytest.mark.parametrize(
    ("old", "new"),
    [('"seed" = 1', '"seed" = 2'), ('"images" = 3', '"images" = 3, "options" = {"refused" = 0.1}')],
)
def test_another_question_is_another_job(make_study: Make, old: str, new: str) -> None:
    root = make_study()
    plan(OpenStudy(root), RunControl())
    before = set(OpenStudy(root).workspace.query("SELECT id FROM jobs")["id"].to_pylist())
    text = (root / "study.toml").read_text()
    assert old in text
    (root / "study.toml").write_text(text.replace(old, new))
    plan(OpenStudy(root), RunControl())
    assert before.isdisjoint(OpenStudy(root).workspace.query("SELECT id FROM jobs")["id"].to_pylist())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("term", "matron"),
        ("suite", "other"),
        ("category", "care"),
        ("variant", "plain"),
        ("language", "de"),
        ("weight", 2.0),
        ("requested", {"gender": "male"}),
        ("kind", "occupation"),
        ("suffix", ", smiling"),
        ("people", 2),
        ("reference", {"gender": {"male": 0.5, "female": 0.5}}),
        ("seeds", "pair"),
    ],
)
def test_a_plan_is_made_anew_when_anything_of_a_prompt_changes(make_study: Make, name: str, value: object) -> None:
    root = make_study()
    plan(OpenStudy(root), RunControl())
    study = OpenStudy(root)
    assert study.suite
    first, *others = study.suite.prompts
    changes: dict[str, Any] = {name: value}
    study.suite = replace(study.suite, prompts=[replace(first, **changes), *others])
    assert plan(study, RunControl())
    stored = from_table(study.workspace.query("SELECT * FROM prompts"), Prompt)
    assert [getattr(prompt, name) for prompt in stored if prompt.id == first.id] == [value]


def test_a_plan_that_nobody_could_draw_is_refused_at_once(make_study: Make) -> None:
    study = OpenStudy(make_study(generators=[{"use": "simulated", "images": 1_000_000_000}]))
    with pytest.raises(ConfigError, match=r"asks for 2,000,000,000 images, and a plan holds at most 30,000,000; lower"):
        plan(study, RunControl())
    assert study.workspace.tables["jobs"].count() == 0


def test_planted_truth_is_written_down(make_study: Make) -> None:
    terms = {"nurse": {"gender": {"male": 0.1, "female": 0.9}}}
    study = OpenStudy(make_study(generators=[{"use": "simulated", "images": 1, "options": {"terms": terms}}]))
    plan(study, RunControl())
    rows = study.workspace.query(
        "SELECT term, share FROM truths JOIN prompts ON prompt = id WHERE attribute = 'gender' AND \"group\" = 'female'"
    )
    assert {row["term"]: row["share"] for row in rows.to_pylist()} == {"nurse": 0.9, "CEO": 0.5}


BROKEN = [b"", b"[]", b"{", b"\xff\x00PAR1", b"null", b'{"fingerprint": [1]}', b"[" * 100_000, b"9" * 5_000]


@pytest.mark.slow
@pytest.mark.parametrize("said", BROKEN, ids=lambda said: said[:20].decode("latin1"))
def test_a_broken_plan_file_means_that_nothing_is_planned(
    finished_copy: Path, rows: Rows, cli: Cli, said: bytes
) -> None:
    before = rows(finished_copy)
    (finished_copy / "tables" / "plan.json").write_bytes(said)
    told = cli("status", finished_copy)
    assert told.returncode == 2
    assert re.search(
        r"plan.json: the file is damaged; plan again with: portrayal plan .* \(in Python: study\.plan\(\)\)\n$",
        told.stderr,
    )
    assert plan(OpenStudy(finished_copy), RunControl())
    assert rows(finished_copy) == before
    assert not plan(OpenStudy(finished_copy), RunControl())


@pytest.mark.slow
def test_every_flipped_bit_in_the_plan_file_is_found(finished_copy: Path) -> None:
    path, rng = finished_copy / "tables" / "plan.json", random.Random(6)
    before = path.read_bytes()
    workspace = OpenStudy(finished_copy).workspace
    for _ in range(200):
        data = bytearray(before)
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        path.write_bytes(data)
        with pytest.raises(DamagedError, match=r"plan\.json: the file is damaged"):
            require_whole_plan(workspace)
    said = json.loads(before)
    del said["checksum"]
    path.write_text(json.dumps(said))  # as an older version wrote it
    require_whole_plan(workspace)


@pytest.mark.slow
def test_a_broken_plan_file_hides_no_files_that_are_gone(finished_copy: Path, cli: Cli) -> None:
    """Taken for one of an older version, which names no files, it would let nothing planned pass for a plan."""
    (finished_copy / "tables" / "plan.json").write_bytes(b"")
    for path in (finished_copy / "tables" / "jobs").iterdir():
        path.unlink()
    assert cli("status", finished_copy).returncode == 2
    assert "tables/plan.json" in cli("verify", finished_copy).stdout


@pytest.mark.slow
@pytest.mark.parametrize("table", ["prompts", "truths", "jobs"])
@pytest.mark.parametrize("how", ["deleted", "damaged", "exchanged"])
def test_what_is_gone_from_the_plan_is_planned_again(
    finished_copy: Path, rows: Rows, cli: Cli, table: str, how: str
) -> None:
    before = rows(finished_copy)
    (path,) = (finished_copy / "tables" / table).glob("*.parquet")
    if how == "exchanged":
        opened = OpenStudy(finished_copy).workspace.tables[table]
        opened.replace([opened.schema.empty_table()])
    else:
        path.unlink() if how == "deleted" else path.write_bytes(path.read_bytes()[:-1])
    told = cli("status", finished_copy)
    assert told.returncode == 2
    assert ("portrayal verify" if how == "damaged" else "portrayal plan") in told.stderr
    assert told.stderr.count("\n") == 1
    assert cli("measure", finished_copy).returncode == 0
    assert rows(finished_copy) == before
    assert cli("status", finished_copy).returncode == 0


@pytest.mark.slow
def test_a_plan_of_many_prompts_takes_little_memory(
    make_study: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    count = 20_000
    rows = (f"a photo of person {n},worker {n % 100},group {n % 10}" for n in range(count))
    folder = make_study(
        prompts="\n".join(["text,term,category", *rows]), generators=[{"use": "simulated", "images": 1}]
    )
    monkeypatch.setattr(make_plan, "_CHUNK", 1_000)
    tracemalloc.start()
    try:
        assert plan(OpenStudy(folder), RunControl())
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1_500 * count
    study = OpenStudy(folder)
    assert study.workspace.tables["prompts"].count() == study.workspace.tables["jobs"].count() == count
