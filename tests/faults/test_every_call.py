"""Every call to the disk fails once, is cut short once, is the last one once: the next run ends with the same tables.

``PORTRAYAL_FAULTS=all`` (``make faults``) walks through the studies of all methods; else some calls of the smallest.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.faults.small_studies import STAGES_OF, STUDIES, write_files
from tests.faults.walk import STAGES, Walk, run

pytestmark = pytest.mark.slow

ALL = os.environ.get("PORTRAYAL_FAULTS") == "all"
SOME = 9
"""Without ``ALL``, every so many calls; another first one in each stage."""


@pytest.mark.parametrize("method", STUDIES if ALL else ["representation"])
def test_the_next_run_ends_with_the_same_tables(
    method: str, write_study: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = write_study(tmp_path / "study", **STUDIES[method])
    write_files(method, root)
    problems, said = [], []
    for place, stage in enumerate(STAGES_OF.get(method, STAGES)):
        walk = Walk(shutil.copytree(root, tmp_path / stage), stage)
        trials = list(walk.trials())
        for trial in trials if ALL else trials[place::SOME]:
            walk.hit(*trial)
        problems += walk.problems
        said.append(f"{method} {stage}: {len(walk.calls)} calls, {walk.hits} of {len(trials)} hits")
        run(root, stage)
    if ALL:
        with capsys.disabled():
            sys.stdout.write("\n".join(["", *said, *problems, ""]))
    assert problems == []
