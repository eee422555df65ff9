"""What GitHub runs is what is tested here: actions are pinned, scripts exist, and a tag must name the version."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from portrayal import __version__

yaml = import_module("yaml")  # Ray brings it, and it has no types
ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def steps(workflow: Path) -> list[dict[str, Any]]:
    jobs = yaml.safe_load(workflow.read_text(encoding="utf-8"))["jobs"].values()
    return [step for job in jobs for step in job["steps"]]


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_actions_are_pinned_to_a_commit(workflow: Path) -> None:
    used = [step["uses"] for step in steps(workflow) if "uses" in step]
    assert used
    assert [action for action in used if not re.fullmatch(r"[\w.-]+/[\w.-]+@[0-9a-f]{40}", action)] == []


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_what_a_workflow_runs_is_there(workflow: Path) -> None:
    commands = "\n".join(step["run"] for step in steps(workflow) if "run" in step)
    for file in re.findall(r"(?:bash|python) (\S+)", commands):
        assert (ROOT / file).is_file(), file
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"make (\S+)", commands):
        assert re.search(rf"^{re.escape(target)}:", makefile, re.MULTILINE), target


@pytest.mark.parametrize(
    "script", [*sorted((ROOT / "scripts").glob("*.sh")), ROOT / ".ci" / "run"], ids=lambda path: path.name
)
def test_a_script_is_whole_and_ends_at_the_first_error(script: Path) -> None:
    assert "set -euo pipefail" in script.read_text(encoding="utf-8").splitlines()
    ran = subprocess.run(["bash", "-n", str(script)], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_every_python_that_is_promised_is_tried() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    promised = [line.rpartition(" ")[2] for line in project["classifiers"] if re.search(r":: 3\.\d+$", line)]
    assert f">={promised[0]}" == project["requires-python"]
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8"))["jobs"]
    for job in ("tests", "wheel"):
        assert jobs[job]["strategy"]["matrix"]["python"] == promised, job


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_may_read_and_nothing_else_but_where_a_job_says_so(workflow: Path) -> None:
    stated = yaml.safe_load(workflow.read_text(encoding="utf-8"))
    assert stated["permissions"] == {"contents": "read"}


@pytest.mark.parametrize(("tag", "code"), [(f"v{__version__}", 0), (__version__, 1), ("v99.0", 1), ("", 1)])
def test_a_release_needs_the_tag_of_its_version(tag: str, code: int) -> None:
    ran = subprocess.run([sys.executable, "scripts/check_tag.py", tag], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == code, ran.stderr


def test_a_release_stands_in_the_changelog_and_in_the_citation() -> None:
    check = runpy.run_path(str(ROOT / "scripts" / "check_tag.py"))
    assert check["lacking"](__version__) == []
    assert check["lacking"]("99.0") == ["CHANGELOG.md", "CITATION.cff"]


def test_files_that_other_programs_read_can_be_read() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert {"title", "authors", "message"} <= citation.keys()
    json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"))
    for form in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"):
        yaml.safe_load(form.read_text(encoding="utf-8"))


def test_the_wheel_holds_the_package_and_its_data_and_the_version_stands_in_one_place(tmp_path: Path) -> None:
    build = "import sys, hatchling.build as b; print(b.build_wheel(sys.argv[1]))"
    ran = subprocess.run([sys.executable, "-c", build, str(tmp_path)], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name == f"portrayal-{__version__}-py3-none-any.whl"
    with ZipFile(wheel) as archive:
        inside = set(archive.namelist())
    package = ROOT / "src" / "portrayal"
    wanted = {
        f"portrayal/{file.relative_to(package).as_posix()}"
        for file in package.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    assert wanted <= inside
