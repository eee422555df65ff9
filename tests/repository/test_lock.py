"""The lock file has a version of everything that the tests need, one that pyproject.toml allows, and names no place."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[2]
_LINE = re.compile(r"([A-Za-z0-9][\w.-]*)==([\w.!]+)")


def locked() -> dict[str, Version]:
    lines = (ROOT / "requirements-dev.lock").read_text(encoding="utf-8").splitlines()
    stated = [_LINE.fullmatch(line) for line in lines if not line.startswith("#")]
    assert all(stated), "a line is no name==version: a place, an option or a build of one machine"
    return {canonicalize_name(line[1]): Version(line[2]) for line in stated if line}


def test_every_requirement_of_the_tests_is_locked_to_a_version_it_allows() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    [extras] = re.findall(r"\$\(LOCK\) -e \"\.\[(.+)\]\"", makefile)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    stated = [*project["dependencies"]]
    for extra in (*extras.split(","), "docs", "web"):
        stated += project["optional-dependencies"][extra]
    versions, wrong = locked(), []
    for requirement in map(Requirement, stated):
        name = canonicalize_name(requirement.name)
        if name != "portrayal" and (name not in versions or versions[name] not in requirement.specifier):
            wrong.append(str(requirement))
    assert wrong == [], "make lock writes the file anew"
