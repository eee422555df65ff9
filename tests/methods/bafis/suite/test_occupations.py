from __future__ import annotations

import re
from collections import Counter

import pytest

from portrayal.methods.bafis.suite import CATEGORIES, Occupation, occupations
from portrayal.methods.bafis.suite.occupations import coded_occupations
from portrayal.suites.isco import isco_parents, isco_title
from portrayal.suites.prompt_wording import with_article

BY_NAME = {occupation.name: occupation for occupation in occupations()}
GENDERED = {
    "en": "he she him her his hers himself herself man men woman women male female boy girl boys girls lady ladies "
    "gentleman gentlemen sir madam mother father husband wife mom dad guy guys",
    "de": "er sie ihm ihr ihre ihren ihrem ihrer sein seine seinen seinem seiner mann männer frau frauen herr herren "
    "dame damen männlich weiblich junge jungen mädchen mutter vater",
}  # fmt: skip
SMALL = {"a", "of", "the", "member", "members", "eines", "einer", "für", "und", "it", "pr"}
"""Words of the forms that say nothing about the work."""


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def described(occupation: Occupation) -> list[tuple[str, list[str]]]:
    """Return each description with the words it must not use."""
    english = f"{occupation.name} {occupation.english} {occupation.plural}"
    german = " ".join((occupation.german, occupation.masculine, occupation.feminine, occupation.dative_plural))
    return [
        (occupation.indirect_en, [word for word in words(english) if word not in SMALL]),
        (occupation.indirect_de, [word for word in words(german) if word not in SMALL]),
    ]


def root(word: str) -> str:
    """Return a word without the endings that make somebody of something: baker, bak."""
    return re.sub(r"(?:erinnen|erin|innen|in|ers?|ors?|ists?|ians?|ern|en|n|s)$", "", word)


def test_there_are_151_occupations_in_the_six_categories() -> None:
    assert len(occupations()) == len(BY_NAME) == 151
    assert Counter(occupation.category for occupation in occupations()) == {
        "Business & Management": 23,
        "Technical & Engineering": 24,
        "Service & Hospitality": 42,
        "Healthcare & Social Services": 30,
        "Administration & Office": 14,
        "Construction & Maintenance": 18,
    }
    assert {occupation.category for occupation in occupations()} == set(CATEGORIES)


def test_names_are_in_order_and_no_cell_is_empty() -> None:
    assert [occupation.name for occupation in occupations()] == sorted(BY_NAME)
    for occupation in occupations():
        assert all(getattr(occupation, field) for field in Occupation.__slots__), occupation.name


@pytest.mark.parametrize(
    "field",
    ["english", "plural", "german", "masculine", "feminine", "dative_plural", "star", "indirect_en", "indirect_de"],
)
def test_no_two_occupations_share_a_form(field: str) -> None:
    seen = Counter(getattr(occupation, field).casefold() for occupation in occupations())
    assert [form for form, count in seen.items() if count > 1] == []


@pytest.mark.parametrize(
    ("name", "german", "masculine", "feminine", "plural", "star"),
    [
        ("aide", "Assistent", "eines Assistenten", "einer Assistentin", "Assistenten", "eine*r Assistent*in"),
        ("ceo", "CEO", "eines CEO", "einer CEO", "CEOs", "eine*r CEO"),
        ("clerk", "Angestellter", "eines Angestellten", "einer Angestellten", "Angestellten", "eine*r Angestellten"),
        ("cook", "Koch", "eines Kochs", "einer Köchin", "Köchen", "eine*r Köch*in"),
        ("doctor", "Arzt", "eines Arztes", "einer Ärztin", "Ärzten", "eine*r Ärzt*in"),
        ("farmer", "Bauer", "eines Bauern", "einer Bäuerin", "Bauern", "eine*r Bäuer*in"),
        ("groundskeeper", "Platzwart", "eines Platzwarts", "einer Platzwartin", "Platzwarten", "eine*r Platzwart*in"),
        (
            "inventory clerk", "Inventurkaufmann", "eines Inventurkaufmanns", "einer Inventurkauffrau",
            "Inventurkaufleuten", "eine*r Inventurkaufmann*frau",
        ),
        ("maid", "Dienstbote", "eines Dienstboten", "eines Dienstmädchens", "Dienstboten", "eine*r Dienstbot*in"),
        (
            "paralegal", "Anwaltsgehilfe", "eines Anwaltsgehilfen", "einer Anwaltsgehilfin", "Anwaltsgehilfen",
            "eine*r Anwaltsgehilf*in",
        ),
        ("psychologist", "Psychologe", "eines Psychologen", "einer Psychologin", "Psychologen", "eine*r Psycholog*in"),
        ("stocker", "Warenverräumer", "eines Warenverräumers", "einer Warenverräumerin", "Warenverräumern",
         "eine*r Warenverräumer*in"),
        ("supervisor", "Supervisor", "eines Supervisors", "einer Supervisorin", "Supervisoren", "eine*r Supervisor*in"),
    ],
)  # fmt: skip
def test_german_forms(name: str, german: str, masculine: str, feminine: str, plural: str, star: str) -> None:
    found = BY_NAME[name]
    assert (found.german, found.masculine, found.feminine, found.dative_plural, found.star) == (
        german, masculine, feminine, plural, star,
    )  # fmt: skip


def test_genitives_end_as_german_genitives_do() -> None:
    for occupation in occupations():
        article, _, noun = occupation.masculine.partition(" ")
        head, of = noun.split(" für ")[0], occupation.german.split(" für ")[0]
        assert article == "eines", occupation.name
        if of == "CEO":
            assert head == of
        elif of.endswith(
            ("er", "or", "ar", "eur", "ier", "iv", "wart", "koch", "Koch", "mann", "arzt", "Arzt", "walt")
        ):
            strong = head in (f"{of}s", f"{of}es")
            weak = of == "Bauer" and head == "Bauern"
            participle = of.endswith(("stellter", "tragter", "beamter")) and head == of[:-1] + "n"
            assert strong or weak or participle, occupation.name
        else:
            assert head in (f"{of}n", f"{of}en"), occupation.name


def test_feminines_and_dative_plurals_end_as_german_ones_do() -> None:
    participles = {"clerk", "compliance officer", "office clerk", "postal worker"}
    others = {
        "ceo": "einer CEO",
        "firefighter": "einer Feuerwehrfrau",
        "inventory clerk": "einer Inventurkauffrau",
        "maid": "eines Dienstmädchens",
        "nurse": "einer Krankenschwester",
    }
    for occupation in occupations():
        noun = occupation.feminine.split(" für ")[0]
        if occupation.name in others:
            assert occupation.feminine == others[occupation.name]
        else:
            assert noun.startswith("einer "), occupation.name
            assert noun.endswith("ten" if occupation.name in participles else "in"), occupation.name
        assert occupation.dative_plural.split(" für ")[0].endswith(("n", "CEOs")), occupation.name
        assert occupation.star.startswith("eine*r "), occupation.name
        assert occupation.star.count("*") == (1 if occupation.name in participles | {"ceo"} else 2), occupation.name


@pytest.mark.parametrize(
    ("name", "spoken"),
    [
        ("accountant", "an accountant"),
        ("ceo", "a CEO"),
        ("clergy", "a member of the clergy"),
        ("underwriter", "an underwriter"),
        ("it specialist", "an IT specialist"),
        ("web developer", "a web developer"),
    ],
)
def test_articles_are_as_spoken(name: str, spoken: str) -> None:
    assert with_article(BY_NAME[name].english) == spoken


def test_no_description_uses_a_word_of_its_occupation_or_its_stem() -> None:
    found = [
        (occupation.name, word, name)
        for occupation in occupations()
        for text, names in described(occupation)
        for word in words(text)
        for name in names
        if word.startswith(name[:5]) or (len(root(name)) > 2 and word.startswith(root(name)))
    ]
    assert found == []


def test_no_description_hides_a_part_of_a_german_compound() -> None:
    """A word of four letters or more is none of which the occupation's name is made up: Fahrgäste of a Busfahrer."""
    alike = {"entwirft"}  # entwerfen and entwickeln have nothing but a prefix in common
    found = [
        (occupation.name, word)
        for occupation in occupations()
        for text, names in described(occupation)[1:]
        for word in words(text)
        for name in names
        if word not in alike and len(word) > 3 and (word[:4] in name or (len(name) > 3 and name[:4] in word))
    ]
    assert found == []


def test_no_description_tells_a_gender() -> None:
    for language, listed in GENDERED.items():
        for occupation in occupations():
            text = occupation.indirect_en if language == "en" else occupation.indirect_de
            assert set(words(text)) & set(listed.split()) == set(), occupation.name
            assert not re.search(r"\w{2,}(?:innen|männer|frauen)\b", text), occupation.name


def test_descriptions_are_one_clause_of_some_length() -> None:
    for occupation in occupations():
        for text in (occupation.indirect_en, occupation.indirect_de):
            assert 3 <= len(words(text)) <= 18, text
            assert text == text.strip(" .,"), text
            assert "  " not in text, text


def test_every_occupation_has_a_unit_group_with_known_parents() -> None:
    for occupation in coded_occupations():
        assert re.fullmatch(r"\d{4}", occupation.isco), occupation.name
        assert all(isco_title(code) for code in (occupation.isco, *isco_parents(occupation.isco))), occupation.name
