"""Offline runs of Weights & Biases, read from the file that `wandb sync` sends: bash scripts/try_trackers.sh."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from portrayal import Study

pytestmark = pytest.mark.slow
Cli = Callable[..., Any]
_BLOCK = 32 * 1024


def records(path: Path) -> Iterator[Any]:
    """Yield what a run's file holds: a log of LevelDB, whose parts stand in blocks, of protocol buffers."""
    from wandb.proto.wandb_internal_pb2 import Record

    data, place, whole = path.read_bytes(), 7, b""
    while place + 7 <= len(data):
        if _BLOCK - place % _BLOCK < 7:
            place += _BLOCK - place % _BLOCK
            continue
        _, length, kind = struct.unpack_from("<IHB", data, place)
        whole += data[place + 7 : place + 7 + length]
        place += 7 + length
        if kind in (1, 4):  # whole, or the last part
            yield Record.FromString(whole)
            whole = b""


@pytest.fixture
def run_files(two_models: Path, cli: Cli, tmp_path: Path) -> list[Path]:
    ran = cli("publish", two_models, "--as", "wandb", "--to", tmp_path / "out")
    assert ran.returncode == 0, ran.stderr
    assert "2 runs, a model each; nothing was sent" in ran.stdout
    assert "wandb sync " in ran.stdout
    return sorted((tmp_path / "out").glob("wandb/offline-run-*/*.wandb"))


def test_its_own_file_holds_numbers_page_and_nothing_of_the_machine(run_files: list[Path], two_models: Path) -> None:
    assert len(run_files) == 2
    seen = set()
    for file in run_files:
        summary: dict[str, Any] = {}
        for record in records(file):
            if record.HasField("run"):
                model, notes, host = record.run.display_name, record.run.notes, record.run.host
                seen.add(model)
                assert "these prompts only" in notes
                assert host == ""
            assert not record.HasField("environment")
            for item in (*record.summary.update, *record.history.item):
                summary["/".join(item.nested_key) or item.key] = json.loads(item.value_json)
        [row] = Study(two_models).measurements(metric="share", level="overall", group="female", generator=model)
        name = "representation/share/gender/female/simulated"
        assert [summary[f"{name}{end}"] for end in ("", "/low", "/high", "/images", "/missing")] == pytest.approx(
            [row["value"], row["low"], row["high"], row["n"], row["missing"]]
        )
        assert summary["report/_type"] == "html-file"
        page = file.parent / "files" / summary["report/path"]
        assert "Model B" in page.read_text(encoding="utf-8")
        assert summary["numbers/nrows"] > 10
    assert seen == {"Model A", "Model B, “neu”"}
