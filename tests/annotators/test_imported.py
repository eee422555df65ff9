from __future__ import annotations

from typing import Any

import pytest

from portrayal.annotators import ANNOTATORS, Annotator, looks_itself
from portrayal.annotators.imported import Imported, ImportedOptions
from portrayal.annotators.simulated import Simulated, SimulatedOptions
from portrayal.errors import ConfigError
from portrayal.records import Image
from portrayal.settings import parse_settings


def build(name: str = "humans", **options: Any) -> Imported:
    return Imported(name, parse_settings(ImportedOptions, options, "study.toml"))


def test_it_stands_for_labels_and_never_looks() -> None:
    annotator: Annotator = build()
    assert annotator.name == "imported:humans"
    assert [attribute.name for attribute in annotator.attributes] == ["gender", "race5", "age3"]
    assert not looks_itself(annotator)
    assert list(annotator.annotate([Image("i", None)])) == []
    found: object = ANNOTATORS.load("imported:humans")
    assert found is Imported


def test_a_plugin_that_does_not_say_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(Simulated, "looks")
    assert looks_itself(Simulated("", SimulatedOptions()))


def test_attributes_of_ones_own() -> None:
    annotator = build(attributes=["hat", "age"], groups={"hat": ["no", "yes"]})
    assert [(a.name, a.groups) for a in annotator.attributes] == [("hat", ("no", "yes")), ("age", ())]


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("", {}, "annotator 'imported' needs a name for whoever labelled, such as imported:humans"),
        (" ", {}, "annotator 'imported' needs a name for whoever labelled, such as imported:humans"),
        ("a", {"attributes": ["gendr"]}, "annotator 'imported' knows no attribute 'gendr'; did you mean 'gender'?"),
        ("a", {"groups": {"hat": ["yes"]}}, "attribute 'hat' needs two or more different groups, got ['yes']"),
        ("a", {"atributes": ["age"]}, "study.toml: unknown key 'atributes'; did you mean 'attributes'?"),
    ],
)
def test_what_makes_no_sense_is_named(name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        build(name, **options)
    assert str(caught.value) == message
