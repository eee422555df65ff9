"""What ``pip install portrayal[...]`` brings, and what the image of the Dockerfile is made from."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXTRAS: dict[str, list[str]] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
    "optional-dependencies"
]
FOR_WORK_ON_PORTRAYAL = {"dev", "docs"}


def brought(extra: str) -> set[str]:
    """Return the extra, and those that it brings."""
    found = {extra}
    for requirement in EXTRAS[extra]:
        own = re.fullmatch(r"portrayal\[(.+)\]", requirement)
        found |= {name for part in own[1].split(",") for name in brought(part)} if own else set()
    return found


def test_all_brings_every_part() -> None:
    assert brought("all") == set(EXTRAS) - FOR_WORK_ON_PORTRAYAL


def test_every_extra_that_a_page_names_is_there() -> None:
    pages = [ROOT / "README.md", ROOT / "Dockerfile", *(ROOT / "docs").rglob("*.md"), *(ROOT / "scripts").glob("*.sh")]
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    named = {
        name for found in re.findall(r"(?:portrayal|\$wheel|/src)\[([a-z0-9,]+)\]", text) for name in found.split(",")
    }
    assert {"faces", "all", "graph"} <= named
    assert named <= set(EXTRAS)


@pytest.mark.slow
def test_the_image_is_built_from_the_files_that_docker_is_given(tmp_path: Path) -> None:
    """Copy what the Dockerfile copies, as far as .dockerignore lets it through, and build the wheel from that alone."""
    let_through = {
        line[1:] for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").split() if line.startswith("!")
    }
    copied = re.findall(r"^COPY (.+) (/\S+)$", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    for names, to in copied:
        for name in names.split():
            assert name in let_through, name
            place = tmp_path / to.strip("/")
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, place, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                place.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, place / name)
    build = "import hatchling.build as b; print(b.build_wheel('.'))"
    ran = subprocess.run([sys.executable, "-c", build], cwd=tmp_path / "src", capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert (tmp_path / "src" / ran.stdout.strip()).is_file()
