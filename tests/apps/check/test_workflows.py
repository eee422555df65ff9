"""The workflows of docs/check.md: their scripts run as a pipeline would run them, and stop where a scenario fails."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

PAGE = (Path(__file__).parents[3] / "docs" / "check.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^```\w+ file=(\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
GITHUB, GITLAB = (
    import_module("yaml").safe_load(text) for text in re.findall(r"^```yaml no-test\n(.*?)^```$", PAGE, re.M | re.S)
)


def steps() -> dict[str, Any]:
    return {step["name"]: step for step in GITHUB["jobs"]["check"]["steps"] if "name" in step}


def run(lines: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a script as both pipelines do: in one shell that stops at the first error."""
    places = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    environment = {**os.environ, "PATH": places, "GITHUB_STEP_SUMMARY": str(folder / "summary.md")}
    script = ["bash", "-e", "-c", "\n".join(lines)]
    return subprocess.run(script, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_the_scripts_pass_and_fail_with_the_policy(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    github, gitlab = [steps()["check"]["run"]], GITLAB["policy"]["script"]
    ran = run(github, tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert (tmp_path / "check.sarif").exists()
    assert run([steps()["summary"]["run"]], tmp_path).returncode == 0
    assert "Ready: all 3 scenarios pass" in (tmp_path / "summary.md").read_text()
    assert run(gitlab, tmp_path).returncode == 0
    assert (tmp_path / GITLAB["policy"]["artifacts"]["reports"]["junit"]).exists()
    policy = tmp_path / "policy.toml"
    policy.write_text(policy.read_text().replace("tolerance = 0.2", "tolerance = 0.07"))
    undecided = run(gitlab[-1:], tmp_path)  # all is drawn and measured
    assert undecided.returncode == 3, undecided.stdout
    assert run([f"{gitlab[-1]} || [ $? -eq 3 ]"], tmp_path).returncode == 0
    policy.write_text(policy.read_text().replace("target = 0.5", "target = 0.9"))
    assert run(gitlab[-1:], tmp_path).returncode == 1


def test_they_install_it_from_where_it_is() -> None:
    """It is on no package registry: a package of that name there would be somebody else's."""
    installs = [step["run"] for step in GITHUB["jobs"]["check"]["steps"] if "pip install" in step.get("run", "")]
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [*installs, *GITLAB["policy"]["before_script"]]
    assert lines == [f'pip install "portrayal @ git+{project["urls"]["Repository"]}"'] * 2


def test_what_comes_after_a_failure_is_still_done() -> None:
    after = [step for step in GITHUB["jobs"]["check"]["steps"] if "check.md" in str(step) or "sarif_file" in str(step)]
    assert [step.get("if") for step in after if step.get("name") != "check"] == ["always()", "always()"]
    assert GITLAB["policy"]["artifacts"]["when"] == "always"
