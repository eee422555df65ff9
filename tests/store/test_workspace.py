from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from portrayal.errors import DamagedError, InputError, StudyLockedError
from portrayal.records import JOB_SCHEMA, OUTCOME_SCHEMA, Job, Outcome, from_table, to_table
from portrayal.store.workspace import LATER, SCHEMAS, Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path)


def test_empty_tables_can_be_queried(workspace: Workspace) -> None:
    for name in SCHEMAS:
        assert workspace.query(f"SELECT * FROM {name}").num_rows == 0


def test_planted_people_survive_the_disk(workspace: Workspace) -> None:
    people = [{"gender": "female", "age3": "young"}, {}]
    rows = [Outcome("a", 1, "made", planted=people), Outcome("b", 1, "made", planted=[]), Outcome("c", 1, "failed")]
    workspace.tables["outcomes"].append(to_table(rows, OUTCOME_SCHEMA))
    assert list(from_table(workspace.query("SELECT * FROM outcomes"), Outcome)) == rows


def test_names_with_quotes_are_only_names(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "it's a study")
    workspace.tables["jobs"].append(to_table([Job("1", "p", "g", 0, 0)], JOB_SCHEMA))
    assert workspace.query("SELECT id FROM jobs").num_rows == 1


def test_a_second_writer_is_refused_and_told_by_whom(tmp_path: Path) -> None:
    holder = _hold(tmp_path, seconds=3600)
    try:
        with pytest.raises(StudyLockedError, match=rf"pid {holder.pid}.*--wait"), Workspace(tmp_path).writing():
            pytest.fail("two writers at once")
    finally:
        holder.kill()
        holder.wait()
    with Workspace(tmp_path).writing():
        pass  # a dead holder holds nothing


@pytest.mark.slow
def test_a_second_writer_can_wait(tmp_path: Path) -> None:
    holder = _hold(tmp_path, seconds=0.6)
    with Workspace(tmp_path).writing(wait=True):
        assert holder.wait() == 0


def test_reading_needs_no_lock(tmp_path: Path) -> None:
    with Workspace(tmp_path).writing():
        assert Workspace(tmp_path).query("SELECT * FROM jobs").num_rows == 0


@pytest.mark.slow
def test_a_reader_never_sees_a_merge_half_done(tmp_path: Path) -> None:
    """A writer appends and merges while we read: every reading is a prefix of what was written."""
    code = (
        "import sys; from pathlib import Path; from portrayal.records import *;"
        "from portrayal.store.workspace import Workspace;"
        "t = Workspace(Path(sys.argv[1])).tables['jobs'];"
        "[t.append(to_table([Job(f'{n:05d}', 'p', 'g', 0, 0)], JOB_SCHEMA)) for n in range(200)]"
    )
    writer = subprocess.Popen([sys.executable, "-c", code, tmp_path])
    workspace = Workspace(tmp_path)
    while writer.poll() is None:
        seen = workspace.query("SELECT id FROM jobs")["id"].to_pylist()
        assert seen == [f"{n:05d}" for n in range(len(seen))]
    assert workspace.tables["jobs"].count() == 200


def _hold(root: Path, seconds: float) -> subprocess.Popen[str]:
    code = (
        "import sys, time; from pathlib import Path; from portrayal.store.workspace import Workspace\n"
        "with Workspace(Path(sys.argv[1])).writing():\n"
        f"    print('held', flush=True); time.sleep({seconds})"
    )
    holder = subprocess.Popen([sys.executable, "-c", code, root], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    with holder.stdout:
        assert holder.stdout.readline() == "held\n"
    return holder


def test_what_a_killed_query_left_is_removed_by_the_next_writer(workspace: Workspace) -> None:
    left = workspace.root / ".tmp-left"
    left.mkdir()
    (left / "duckdb_temp_storage.tmp").write_bytes(b"killed")
    with workspace.writing():
        assert not left.exists()


def test_a_part_without_a_checksum_that_duckdb_cannot_read_is_one_line(workspace: Workspace) -> None:
    workspace.tables["jobs"].append(to_table([Job("1", "p", "g", 0, 0)], JOB_SCHEMA))
    (segment,) = workspace.tables["jobs"].segments()
    older = segment.path.with_name("00000000-00000000.parquet")
    older.write_bytes(segment.path.read_bytes()[:-20])
    segment.path.unlink()
    for sql in ("SELECT * FROM jobs", "SELECT count(*) FROM jobs"):
        with pytest.raises(DamagedError, match=r"cannot be read.*portrayal verify") as caught:
            workspace.query(sql)
        assert "\n" not in str(caught.value)
    with pytest.raises(duckdb.Error, match="nothing"):
        workspace.query("SELECT nothing FROM prompts")


FIRST = {
    "prompts": "id suite text term category variant language weight requested",
    "truths": "generator prompt attribute group share",
    "jobs": "id prompt generator index seed",
    "imports": "prompt_suite prompt_text prompt_term prompt_category prompt_variant prompt_language prompt_weight "
    "prompt_requested id prompt generator index seed source position",
    "outcomes": "job attempt status reason detail image ext width height revised_prompt versions planted",
    "observations": "image annotator subject attribute mass value box reason",
    "comparisons": "image other comparer value reason",
    "measurements": "method metric generator annotator attribute group level item reference value low high target "
    "planted n missing prompts",
    "precision": "annotator precision attribute group labels flips mean largest effect low high",
    "spending": "ticket part item usd settled",
    "rounds": "number generator prompt asked images reason about usable half_width looks confidence rule",
    "votes": "battle rater number prompt term category language variant aspect model_a model_b image_a image_b vote "
    "seconds at",
}
"""What every version wrote; whoever adds a column to a table names it in ``LATER``, or older studies do not open."""


@pytest.mark.parametrize("name", SCHEMAS)
def test_what_the_first_version_wrote_is_enough(name: str) -> None:
    assert [column for column in SCHEMAS[name].names if column not in LATER.get(name, ())] == FIRST[name].split()


def test_half_a_plan_s_fingerprint_is_cleared_away(workspace: Workspace) -> None:
    """A kill between writing plan.json and naming it left a file for good."""
    left = workspace.root / "tables" / ".tmp-0123-plan.json"
    left.parent.mkdir(exist_ok=True)
    left.write_text("{", encoding="utf-8")
    with workspace.writing():
        pass
    assert not left.exists()


@pytest.mark.parametrize("here", [False, True])
def test_a_path_that_is_no_text_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, here: bool) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/st\xffudy"))
    folder.mkdir()
    if here:
        monkeypatch.chdir(folder)
    with pytest.raises(InputError, match="the path of a study must be UTF-8, and this one is not; rename the folder"):
        Workspace(Path() if here else folder)
