"""The doctor tells what can run and what enables the rest, without importing any of it."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from portrayal import __version__
from portrayal.study.checking.doctor import examine, packages


def part(kind: str, name: str) -> dict[str, Any]:
    (found,) = (part for part in examine()["parts"] if (part["kind"], part["name"]) == (kind, name))
    return dict(found)


@pytest.mark.slow
def test_every_kind_of_part_is_listed_and_explained() -> None:
    parts = examine()["parts"]
    assert {part["kind"] for part in parts} == {
        "suite", "generator", "annotator", "method", "reference", "occupation list", "layout", "results reader",
        "reproduction", "graph domain", "arena", "graph", "labels", "studio", "image store",
    }  # fmt: skip
    assert all(part["summary"] for part in parts)
    names = [(part["kind"], part["name"]) for part in parts]
    assert len(set(names)) == len(names)


@pytest.mark.slow
def test_the_machine_is_described() -> None:
    found = examine()
    assert found["portrayal"] == __version__
    assert found["python"] == ".".join(map(str, sys.version_info[:3]))
    assert found["cores"] >= 1


@pytest.mark.slow
def test_findings_are_plain_data() -> None:
    found = examine()
    assert json.loads(json.dumps(found)) == found


@pytest.mark.slow
def test_a_part_without_needs_is_ready() -> None:
    assert part("generator", "simulated")["ready"] is True
    assert part("generator", "simulated")["enable"] == ""


@pytest.mark.slow
def test_a_missing_package_is_named_with_the_command_that_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "dlib" else real(name))
    faces = part("annotator", "faces")
    assert (faces["ready"], faces["enable"]) == (False, 'pip install "portrayal[faces]"')
    assert "dlib" in faces["missing"]
    assert part("annotator", "simulated")["ready"] is True


@pytest.mark.slow
def test_nothing_heavy_is_imported() -> None:
    heavy = ("torch", "dlib", "onnxruntime", "openvino", "skimage", "transformers", "diffusers", "ray")
    code = f"""
import sys
from pathlib import Path
from portrayal.study.checking.doctor import examine, packages
examine()
print([name for name in {heavy} if name in sys.modules])
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


@pytest.mark.slow
def test_packages_are_told_once_with_their_version() -> None:
    packages = {package["name"]: package for package in examine()["packages"]}
    assert len(packages) == len(examine()["packages"])
    assert packages["duckdb"]["version"] == importlib.metadata.version("duckdb")
    assert packages["torch"]["extra"] in ("torch", "diffusers")
    assert not {"pytest", "portrayal"} & set(packages)


def test_versions_are_read_again_when_packages_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert examine()["packages"] == packages()
    newer = tmp_path / "duckdb-99.0.dist-info"
    newer.mkdir()
    (newer / "METADATA").write_text("Metadata-Version: 2.1\nName: duckdb\nVersion: 99.0\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert {package["name"]: package["version"] for package in packages()}["duckdb"] == "99.0"
