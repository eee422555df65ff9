from __future__ import annotations

from typing import Any

import pytest

from portrayal.annotators.python import Python, PythonOptions, python_options
from portrayal.errors import ConfigError, StudyError
from portrayal.records import Attribute, Image, attribute_table
from portrayal.settings import parse_settings


def build(name: str = "smiles@1", **options: Any) -> Python:
    return Python(name, parse_settings(PythonOptions, {"attributes": ["gender"], **options}, "study.toml"))


def test_what_study_toml_keeps_makes_the_same_annotator_again() -> None:
    own = build(citations=["Smile 2026"])
    hat = Attribute("hat", "perceived hat", ("no", "yes"), note="or a cap", caution="hair looks like one")
    words = Attribute("mood", "perceived mood", is_text=True)
    own.attributes = (attribute_table()["age"], hat, words, Attribute("gender", "perceived gender", ("f", "m", "x")))
    again = build(**python_options(own))
    assert (again.attributes, again.citations) == (own.attributes, ("Smile 2026",))
    assert python_options(again) == python_options(own)
    assert python_options(own)["attributes"][0] == "age"


def test_it_has_no_digest_and_cannot_look() -> None:
    own = build()
    assert own.name == "smiles@1"
    assert parse_settings(PythonOptions, {"attributes": ["age"]}, "").changed() == {}
    with pytest.raises(StudyError, match=r"^annotator smiles@1 lives in Python code"):
        own.annotate([Image("i", None)])


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("", {}, "annotator 'python' needs the name of what lives in Python code, such as python:smiles@1"),
        ("a@1", {"attributes": ["gendr"]}, "annotator 'a@1': no attribute 'gendr'; did you mean 'gender'?"),
        ("a@1", {"attributes": [{"name": "x", "titel": "y"}]}, "study.toml: unknown key 'attributes.1.titel'"),
    ],
)
def test_what_makes_no_sense_is_named(name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        build(name, **options)
    assert str(caught.value).startswith(message)
