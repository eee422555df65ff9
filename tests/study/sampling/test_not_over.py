"""While an adaptive run goes on, findings, compare and check say so; afterwards they do not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.samples.policies import HEAD, scenario
from tests.study.sampling.conftest import DRAWS, run

pytestmark = pytest.mark.slow
WOMEN = 'share = { attribute = "gender", group = "female", term = "nurse", at_most = 0.7 }'
WORDS = "The run is not over: some prompts are still to get more images."


@pytest.mark.parametrize("over", [False, True])
def test_what_is_read_says_whether_the_run_is_over(
    adaptive: Callable[..., Path], cli: Callable[..., Any], over: bool
) -> None:
    models = [
        {"use": "simulated", "name": name, "images": 10, "options": {**DRAWS, "refused": refused}}
        for name, refused in (("A", 0.1), ("B", 0.0))
    ]
    root = adaptive(generators=models)
    (root / "policy.toml").write_text(HEAD + scenario("nurses", WOMEN), encoding="utf-8")
    for stages in [()] if over else [("plan", "generate"), ("plan", "annotate"), ("plan", "measure")]:
        run(root, *stages)
    for command in (("findings", root), ("compare", root), ("check", root, "--policy", root / "policy.toml")):
        assert (WORDS in cli(*command).stdout) is not over
        assert json.loads(cli(*command, "--json").stdout)["not_over"].startswith(WORDS) is not over
