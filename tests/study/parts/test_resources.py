"""What ``resources`` of a part may be: what a cluster would refuse in mid-run is refused when study.toml is read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal.errors import ConfigError
from portrayal.study.study import OpenStudy

Write = Callable[..., Path]


def study(write_study: Write, folder: Path, resources: dict[str, Any]) -> OpenStudy:
    return OpenStudy(write_study(folder, annotators=[{"use": "simulated", "resources": resources}]))


@pytest.mark.parametrize(
    "resources", [{}, {"cpus": 0, "gpus": 0}, {"cpus": 0.01, "gpus": 0.5}, {"cpus": 1.5, "gpus": 2, "gib": 2.5}]
)
def test_what_a_cluster_can_give(write_study: Write, tmp_path: Path, resources: dict[str, Any]) -> None:
    ((spec, _),) = study(write_study, tmp_path / "study", resources).annotators.values()
    assert {name: getattr(spec.resources, name) for name in resources} == resources


@pytest.mark.parametrize(
    ("resources", "told"),
    [
        ({"gpus": 1.5}, "gpus.*more than one is a whole number"),
        ({"cpus": 0.00001}, "cpus.*a share of one is at least 0.01"),
        ({"cpus": 1e300}, "cpus"),
        ({"gib": 1e300}, "gib"),
        ({"cpus": -1}, "cpus"),
    ],
)
def test_what_it_cannot(write_study: Write, tmp_path: Path, resources: dict[str, Any], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        study(write_study, tmp_path / "study", resources)
