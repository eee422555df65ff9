from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from portrayal.study.report.gather_data import gather
from portrayal.study.study import OpenStudy


@pytest.mark.slow
def test_a_report_prints_the_configuration_that_ran(make_study: Callable[..., Path]) -> None:
    root = make_study()
    study, ran = OpenStudy(root), (root / "study.toml").read_bytes()
    (root / "study.toml").write_text("# edited while the study runs\n", encoding="utf-8")
    data = gather(study)
    assert data.config.encode() == ran
    assert dict(data.provenance)["SHA-256 of study.toml"] == hashlib.sha256(ran).hexdigest()


@pytest.mark.slow
def test_a_study_without_the_method_gathers_nothing_about_it(make_study: Callable[..., Path]) -> None:
    data = gather(OpenStudy(make_study()))
    assert (data.adjusted, list(data.categories)) == ({}, [])
