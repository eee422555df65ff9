"""A dataset in Croissant 1.1 with RAI 1.0, by its owner's library."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal import Study

pytestmark = pytest.mark.slow
Cli = Callable[..., Any]
RAI = """dataCollection dataCollectionType dataCollectionMissingData dataCollectionRawData dataCollectionTimeFrame
dataImputationProtocol dataPreprocessingProtocol dataManipulationProtocol dataAnnotationProtocol dataAnnotationPlatform
dataAnnotationAnalysis annotationsPerItem annotatorDemographics machineAnnotationTools dataBiases dataUseCases
dataLimitations dataSocialImpact personalSensitiveInformation dataReleaseMaintenancePlan"""


@pytest.fixture(scope="module")
def dataset(two_models: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    from portrayal.apps.publish.croissant import publish_croissant
    from portrayal.apps.publish.formats import Order
    from portrayal.study.run_control import RunControl

    to = tmp_path_factory.mktemp("dataset") / "out"
    licence = "https://creativecommons.org/licenses/by/4.0/"
    publish_croissant(Order([two_models], to, RunControl(), organization="Audit Ltd", license=licence))
    return to


def test_its_library_accepts_it_and_reads_every_table(dataset: Path, two_models: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of packages that it brings
        import mlcroissant

        read = mlcroissant.Dataset(str(dataset / "croissant.json"))
        assert not read.metadata.ctx.issues.errors
        assert str(read.metadata.ctx.conforms_to) == "CroissantVersion.V_1_1"
        study = Study(two_models)
        for table, rows in (
            ("prompts", study.prompts()),
            ("images", study.images()),
            ("measurements", study.measurements()),
        ):
            assert len(list(read.records(table))) == len(rows)
        shares = [
            row["measurements/value"] for row in read.records("measurements") if row["measurements/metric"] == b"share"
        ]
        assert shares == pytest.approx([row["value"] for row in study.measurements(metric="share")])
        pictures = {path.relative_to(dataset).as_posix() for path in dataset.glob("images/*/*")}
        assert len(pictures) > 40


def test_all_twenty_properties_are_there(dataset: Path) -> None:
    said = json.loads((dataset / "croissant.json").read_text())
    found = {name.removeprefix("rai:"): value for name, value in said.items() if name.startswith("rai:")}
    assert sorted(found) == sorted(RAI.split())
    assert all(found.values())
    assert "refused" in found["dataCollectionMissingData"]
    assert "these prompts only" in found["dataLimitations"][0]


def test_nothing_is_written_over(dataset: Path, two_models: Path, cli: Cli) -> None:
    ran = cli("publish", two_models, "--as", "croissant", "--to", dataset)
    assert (ran.returncode, "is there already" in ran.stderr, ran.stderr.count("\n")) == (2, True, 1)
