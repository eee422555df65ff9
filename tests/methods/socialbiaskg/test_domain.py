"""What ``portrayal graph`` gets of the method: vertices, relations, and guidelines in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from portrayal.graph import Key
from portrayal.graph.guidelines import sheet_guidelines
from portrayal.methods.socialbiaskg.vertices import LANGUAGES, read_domain


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_relation_is_explained_in_each_of_its_directions(language: str) -> None:
    domain = read_domain()
    guidelines = domain.guidelines[language]
    for direction in domain.schema.directions:
        types = [name for name, ways in domain.schema.types.items() if direction in ways]
        assert list(guidelines.meanings[direction]) == types
        assert guidelines.questions[direction].endswith("?")


def test_every_vertex_has_a_german_title() -> None:
    domain = read_domain()
    assert domain.titles["de"].keys() == domain.by_key.keys()
    assert domain.title(Key("occupation", "judge"), "de") == "Richter/in"
    assert domain.title(Key("race", "white"), "en") == "White / Caucasian"


def test_guidelines_go_with_other_kinds_of_groups(tmp_path: Path) -> None:
    (tmp_path / "groups.csv").write_text("name,title,terms\nsikh,Sikh,Sikh\n", encoding="utf-8")
    domain = read_domain(tmp_path, "religion")
    text = sheet_guidelines(domain.guidelines["en"], domain.schema)
    assert "Rows with the direction religion_to_occupation: How is each group pictured at work?" in text
    assert max(map(len, text.splitlines())) <= 120
