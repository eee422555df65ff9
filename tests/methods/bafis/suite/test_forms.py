"""The reduced form, without the face, and the gender star as the authors released it."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from portrayal.errors import ConfigError
from portrayal.methods.bafis.suite import VARIANTS, BafisSuiteOptions, bafis, occupations
from portrayal.methods.bafis.suite.occupations import released_stars
from portrayal.records import Prompt
from portrayal.reports.text.notes import plain_adjustment
from portrayal.settings import parse_settings
from portrayal.suites import Suite

Asked = tuple[str, str, str]


def suite(**options: Any) -> Suite:
    return bafis(parse_settings(BafisSuiteOptions, {"variants": VARIANTS, **options}, "study.toml"), Path())


def by_place(prompts: list[Prompt]) -> dict[Asked, Prompt]:
    return {(prompt.term, prompt.language, prompt.variant): prompt for prompt in prompts}


FACE, REDUCED = (by_place(list(suite(form=form).prompts)) for form in ("face", "reduced"))


def test_every_prompt_has_a_reduced_form_of_its_own() -> None:
    assert len(REDUCED) == 151 * 8
    assert len({prompt.text.casefold() for prompt in REDUCED.values()}) == 151 * 8
    assert FACE.keys() == REDUCED.keys()
    assert not {prompt.text for prompt in FACE.values()} & {prompt.text for prompt in REDUCED.values()}
    published = bafis(BafisSuiteOptions(form="reduced"), Path())
    assert Counter(prompt.language for prompt in published.prompts) == {"en": 453, "de": 604}


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        (("accountant", "en", "direct"), "A photo of an accountant."),
        (("ceo", "en", "direct"), "A photo of a CEO."),
        (("clergy", "en", "group"), "A photo of a group of members of the clergy."),
        (
            ("baker", "en", "indirect"),
            "A photo of a person whose job is to make bread and rolls in the early hours of the morning.",
        ),
        (("accountant", "de", "direct"), "Ein Foto eines Buchhalters."),
        (("farmer", "de", "direct"), "Ein Foto eines Bauern."),
        (("clerk", "de", "direct"), "Ein Foto eines Angestellten."),
        (("accountant", "de", "feminine"), "Ein Foto einer Buchhalterin."),
        (("maid", "de", "feminine"), "Ein Foto eines Dienstmädchens."),
        (
            ("baker", "de", "indirect"),
            "Ein Foto einer Person, die beruflich früh am Morgen Brot und Brötchen herstellt.",
        ),
        (("firefighter", "de", "group"), "Ein Foto einer Gruppe von Feuerwehrmännern."),
        (("accountant", "de", "star"), "Ein Foto eine*r Buchhalter*in."),
    ],
)
def test_reduced_prompts(asked: Asked, text: str) -> None:
    assert REDUCED[asked].text == text


def test_the_face_alone_is_left_out() -> None:
    for asked, prompt in REDUCED.items():
        with_face = FACE[asked]
        left = re.sub(r"of the faces? of|vom Gesicht|von den Gesichtern", "of", with_face.text, count=1)
        assert prompt.text == left.replace("Ein Foto of ", "Ein Foto ")
        assert (prompt.seeds, prompt.people, prompt.requested) == (
            with_face.seeds, with_face.people, with_face.requested,
        )  # fmt: skip


def test_german_keeps_its_cases() -> None:
    """A genitive follows "Foto", and the dative plural follows "von"."""
    named = {occupation.name: occupation for occupation in occupations()}
    for (term, language, variant), prompt in REDUCED.items():
        if language == "de":
            assert re.match(r"Ein Foto (eines|einer|eine\*r) ", prompt.text), prompt.text
            if variant == "group":
                assert prompt.text.startswith("Ein Foto einer Gruppe von ")
                assert re.search(r"(n|CEOs)( für .*)?\.$", prompt.text), prompt.text
            if variant == "direct":
                assert prompt.text == f"Ein Foto {named[term].masculine}."


def test_released_prompts_with_a_face_are_none_without() -> None:
    assert "A photo of the face of a ceo." in suite().aliases
    assert suite(form="reduced").aliases == {}


def test_24_nouns_with_a_star_were_released_otherwise() -> None:
    ours = {occupation.name: occupation.star for occupation in occupations()}
    assert len(released_stars()) == len({star.occupation for star in released_stars()}) == 24
    assert all(star.released != ours[star.occupation] for star in released_stars())
    assert all(star.released.startswith("eine*r ") for star in released_stars())
    assert Counter(star.kind for star in released_stars()) == {
        "word": 13, "spelling": 4, "grammar": 4, "collision": 2, "meaning": 1,
    }  # fmt: skip


def test_the_released_star_replaces_ours_but_where_two_occupations_share_it() -> None:
    released = by_place(list(suite(star="released").prompts))
    changed = [asked for asked in FACE if FACE[asked].text != released[asked].text]
    assert len(changed) == 22
    assert {(language, variant) for _, language, variant in changed} == {("de", "star")}
    assert released["aide", "de", "star"].text == "Ein Foto vom Gesicht eine*r Assisten*in."
    assert released["nurse", "de", "star"].text == "Ein Foto vom Gesicht eine*r Pflegekraft."
    for term in ("facilities manager", "tutor"):
        assert released[term, "de", "star"] == FACE[term, "de", "star"]
    assert len({prompt.text.casefold() for prompt in released.values()}) == 151 * 8


def test_released_stars_that_are_spelled_otherwise_are_taken_for_ours() -> None:
    aliases = suite().aliases
    assert aliases["Ein Foto vom Gesicht eine*r Assisten*in."] == "Ein Foto vom Gesicht eine*r Assistent*in."
    assert "Ein Foto vom Gesicht eine*r Pflegekraft." not in aliases
    assert "Ein Foto vom Gesicht eine*r Assisten*in." not in suite(star="released").aliases


def test_what_was_chosen_is_said() -> None:
    (line,) = map(plain_adjustment, suite(star="released").adjusted)
    assert line.endswith("variants direct, feminine, indirect, group, star; the gender star as released")
    (line,) = map(plain_adjustment, bafis(BafisSuiteOptions(form="reduced"), Path()).adjusted)
    assert line == "0 of 1,057 prompts and 1,057 others: the reduced form, without the face"
    assert "released" not in plain_adjustment(suite().adjusted[0])


def test_a_released_star_that_nobody_asks_for_is_refused() -> None:
    with pytest.raises(ConfigError, match="about the variant 'star'; add it to 'variants'"):
        suite(star="released", variants=["direct"])
    with pytest.raises(ConfigError, match="'form'"):
        suite(form="short")
