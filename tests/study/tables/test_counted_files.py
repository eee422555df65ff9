"""Files that the numbers were computed from: gone, merged, and named by somebody else."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.samples.policies import HEAD, scenario

import portrayal
from portrayal.errors import DamagedError, StudyError
from portrayal.store.workspace import Workspace
from portrayal.study.tables.counted_files import COUNTED_FILES, counted_files, gone_files, require_counted_files

Cli = Callable[..., subprocess.CompletedProcess[str]]

_READERS = (
    ("status",),
    ("findings",),
    ("compare",),
    ("report",),
    ("check", "--policy"),
    ("export", "--to"),
    ("publish", "--as", "croissant", "--to"),
)
"""Commands that show a study, or something made of it."""

_POLICY = HEAD + scenario("any", 'share = { attribute = "gender", group = "female", at_least = 0.001 }')


@pytest.mark.slow
@pytest.mark.parametrize("table", ["outcomes", "observations"])
def test_no_command_shows_numbers_of_what_is_gone(finished_copy: Path, tmp_path: Path, cli: Cli, table: str) -> None:
    policy = finished_copy / "policy.toml"
    policy.write_text(_POLICY)
    assert cli("check", finished_copy, "--policy", policy).returncode in (0, 1, 3)
    kept = shutil.copytree(finished_copy / "tables" / table, tmp_path / table)
    shutil.rmtree(finished_copy / "tables" / table)
    for command, *options in _READERS:
        last = [policy] if command == "check" else [tmp_path / "to"] if options else []
        ran = cli(command, finished_copy, *options, *last)
        assert ran.returncode == 2, (command, ran.stdout, ran.stderr)
        assert ran.stderr.count("\n") == 1, (command, ran.stderr)
        assert f" gone, of {table}; put copies back, or compute the numbers of what is left" in ran.stderr
        assert not ran.stdout
    ran = cli("verify", finished_copy)
    assert ran.returncode == 2
    files = [*kept.iterdir()]
    for file in files:
        assert f"tables/{table}/{file.name}: it is gone, and the numbers were computed from it" in ran.stdout
    assert f"{len(files)} damaged" in ran.stdout
    shutil.copytree(kept, finished_copy / "tables" / table, dirs_exist_ok=True)
    assert cli("findings", finished_copy).returncode == 0
    assert cli("verify", finished_copy).returncode == 0


@pytest.mark.slow
def test_whoever_works_on_says_so_and_then_all_is_well(finished_copy: Path, cli: Cli) -> None:
    shutil.rmtree(finished_copy / "tables" / "observations")
    dry = cli("run", finished_copy, "--dry-run")
    assert "gone, of observations; put copies back if there are any: else generate and annotate" in dry.stderr
    assert cli("measure", finished_copy).returncode == 0
    assert cli("findings", finished_copy).returncode == 0  # every image counts as not looked at, and the page says so
    assert "gone" not in cli("run", finished_copy).stderr
    assert cli("verify", finished_copy).returncode == 0


@pytest.mark.slow
def test_files_that_were_merged_are_not_gone(finished_copy: Path) -> None:
    workspace = portrayal.Study(finished_copy)._open().workspace
    table = workspace.tables["observations"]
    rows = workspace.query("SELECT * FROM observations")
    table.append(rows.slice(0, 1).cast(table.schema))
    assert gone_files(workspace) == []
    table.replace([rows.cast(table.schema)])
    assert len(table.segments()) == 1
    assert gone_files(workspace) == []
    table.segments()[0].path.unlink()
    assert [path.parent.name for path in gone_files(workspace)] == ["observations"]


@pytest.mark.slow
def test_another_file_of_the_same_number_is_not_the_one_that_was_counted(finished_copy: Path) -> None:
    workspace = portrayal.Study(finished_copy)._open().workspace
    table = workspace.tables["outcomes"]
    rows = workspace.query("SELECT * FROM outcomes").cast(table.schema)
    shutil.rmtree(table.folder)
    table.append(rows.slice(0, 1))
    with pytest.raises(StudyError, match=r"files that the numbers were computed from are gone, of outcomes"):
        require_counted_files(workspace)


@pytest.mark.slow
def test_numbers_of_an_older_version_name_no_files(finished_copy: Path) -> None:
    workspace = portrayal.Study(finished_copy)._open().workspace
    _rewrite(workspace, {})
    shutil.rmtree(finished_copy / "tables" / "outcomes")
    assert gone_files(workspace) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "said", ["[", "[" * 100_000, "[]", '{"prompts": []}', '{"outcomes": 1}', '{"outcomes": [1]}', "null"]
)
def test_names_that_portrayal_never_writes(finished_copy: Path, said: str, cli: Cli) -> None:
    workspace = portrayal.Study(finished_copy)._open().workspace
    _rewrite(workspace, {COUNTED_FILES: said})
    with pytest.raises(DamagedError, match="portrayal measure computes it again"):
        gone_files(workspace)
    ran = cli("verify", finished_copy)
    assert (ran.returncode, "names what it was computed from as Portrayal never does" in ran.stdout) == (2, True)


@pytest.mark.slow
def test_names_lead_to_no_file_outside(finished_copy: Path) -> None:
    workspace = portrayal.Study(finished_copy)._open().workspace
    _rewrite(workspace, {COUNTED_FILES: json.dumps({"outcomes": ["../../../etc/passwd", "study.toml"]})})
    assert gone_files(workspace) == []


@pytest.mark.slow
def test_names_are_those_of_the_tables(finished: Path) -> None:
    workspace = portrayal.Study(finished)._open().workspace
    said = json.loads(counted_files(workspace))
    assert said["outcomes"] == sorted(path.name for path in (finished / "tables" / "outcomes").iterdir())
    assert workspace.tables["measurements"].metadata()[COUNTED_FILES] == counted_files(workspace)


def _rewrite(workspace: Workspace, metadata: dict[str, str]) -> None:
    table = workspace.tables["measurements"]
    table.replace([workspace.query("SELECT * FROM measurements").cast(table.schema)], metadata)
