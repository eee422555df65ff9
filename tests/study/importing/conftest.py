"""What the tests of several kinds of import share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy


@pytest.fixture(scope="session")
def redrawn(write_study: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> tuple[OpenStudy, set[str]]:
    """Return a study some of whose edits were rejected and made anew, and the rejected images; only to be read."""
    suite = {"use": "biaspainter", "options": {"words": ["nurse"], "null": []}}
    parts = [
        {"use": "simulated", "images": 1, "role": role, "options": {"several": several}}
        for role, several in (("draw", 0.0), ("edit", 1.0))
    ]
    people = {"use": "imported:people", "options": {"attributes": ["gender"]}}
    about = {"annotators": [{"use": "simulated"}, people], "methods": [{"use": "biaspainter"}]}
    study = OpenStudy(write_study(tmp_path_factory.mktemp("redrawn") / "study", suite=suite, generators=parts, **about))
    run_stages(study, RunControl(), ("plan", "generate", "annotate"))
    rejected = study.workspace.query("SELECT image FROM outcomes WHERE status = 'rejected'")["image"].to_pylist()
    assert len(set(rejected)) > 3
    return study, set(rejected)


@pytest.fixture
def break_second_call(monkeypatch: pytest.MonkeyPatch) -> Callable[[object, str], None]:
    """Let the second call of an object's method fail, as if the plug were pulled there."""

    def break_it(part: object, name: str) -> None:
        real, calls = getattr(part, name), iter((True, False))

        def call(*arguments: object) -> object:
            if not next(calls):
                raise RuntimeError("pulled the plug")
            return real(*arguments)

        monkeypatch.setattr(part, name, call)

    return break_it
