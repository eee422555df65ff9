from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from portrayal.errors import InputError
from portrayal.methods.bafis.suite import BafisSuiteOptions, bafis, occupations
from portrayal.reports.text.notes import plain_adjustment
from portrayal.settings import parse_settings
from portrayal.suites import Suite

FRENCH = """occupation,direct,feminine,indirect,group
nurse,Une photo du visage d'un infirmier.,Une photo du visage d'une infirmière.,,Une photo d'infirmiers.
Baker,Une photo du visage d'un boulanger.,Une photo du visage d'une boulangère.,Une photo d'une personne au four.,
"""


def suite(folder: Path, **options: Any) -> Suite:
    return bafis(parse_settings(BafisSuiteOptions, options, "study.toml"), folder)


def packed(folder: Path, text: str, code: str = "fr", **options: Any) -> Suite:
    (folder / "pack.csv").write_text(text, encoding="utf-8")
    return suite(folder, packs={code: "pack.csv"}, **options)


def test_a_pack_adds_its_prompts(tmp_path: Path) -> None:
    found = packed(tmp_path, FRENCH)
    french = [prompt for prompt in found.prompts if prompt.language == "fr"]
    assert len(found.prompts) == 1057 + 6
    assert [(p.term, p.variant, p.people, p.requested) for p in french] == [
        ("baker", "direct", 1, {}),
        ("baker", "feminine", 1, {"gender": "female"}),
        ("baker", "indirect", 1, {}),
        ("nurse", "direct", 1, {}),
        ("nurse", "feminine", 1, {"gender": "female"}),
        ("nurse", "group", 0, {}),
    ]
    assert french[3].text == "Une photo du visage d'un infirmier."
    assert (french[3].category, french[3].seeds) == ("Healthcare & Social Services", "nurse")


def test_what_a_pack_lacks_is_said(tmp_path: Path) -> None:
    found = packed(tmp_path, FRENCH, terms=["nurse", "baker", "cook"])
    assert tuple(map(plain_adjustment, found.adjusted)) == (
        "21 of 1,057 prompts and 6 others: only the occupations nurse, baker, cook; language packs fr (pack.csv)",
        "language pack fr (pack.csv): no direct prompt for 1 of 3 occupations: cook",
        "language pack fr (pack.csv): no feminine prompt for 1 of 3 occupations: cook",
        "language pack fr (pack.csv): no indirect prompt for 2 of 3 occupations: cook, nurse",
        "language pack fr (pack.csv): no group prompt for 2 of 3 occupations: baker, cook",
    )


def test_what_is_not_asked_for_is_not_missing(tmp_path: Path) -> None:
    found = packed(tmp_path, FRENCH, terms=["nurse"], languages=["fr"], variants=["direct"])
    assert tuple(map(plain_adjustment, found.adjusted)) == (
        "0 of 1,057 prompts and 1 other: languages fr; variants direct; only the occupations nurse; "
        "language packs fr (pack.csv)",
    )


def test_a_long_list_of_what_is_missing_is_cut(tmp_path: Path) -> None:
    (_, direct, *_) = packed(tmp_path, FRENCH).adjusted
    assert plain_adjustment(direct).endswith(
        ": accountant, aerospace engineer, aide, air conditioning installer, architect, artist, author, bartender, "
        "bus driver, butcher and 139 more"
    )


def test_a_pack_alone_and_in_other_language_codes(tmp_path: Path) -> None:
    found = packed(tmp_path, FRENCH, "pt-BR", languages=["pt-BR"], variants=["direct"])
    assert [prompt.text for prompt in found.prompts] == [
        "Une photo du visage d'un boulanger.",
        "Une photo du visage d'un infirmier.",
    ]
    assert {prompt.language for prompt in found.prompts} == {"pt-BR"}


def test_a_pack_of_a_language_that_is_not_asked_in_is_not_read(tmp_path: Path) -> None:
    assert len(suite(tmp_path, packs={"fr": "none.csv"}, languages=["en"]).prompts) == 453


def test_a_german_pack_replaces_the_columns_it_has(tmp_path: Path) -> None:
    rows = "".join(f"{o.name},Das Gesicht einer Person im Beruf {o.german}.\n" for o in occupations())
    found = packed(tmp_path, f"occupation,indirect\n{rows}", "de")
    texts = {(p.term, p.language, p.variant): p.text for p in found.prompts}
    assert len(texts) == 1057
    assert texts["nurse", "de", "indirect"] == "Das Gesicht einer Person im Beruf Pfleger."
    assert texts["nurse", "de", "direct"] == "Ein Foto vom Gesicht eines Pflegers."
    assert tuple(map(plain_adjustment, found.adjusted)) == (
        "906 of 1,057 prompts and 151 others: language packs de (pack.csv)",
    )


def test_released_spellings_are_no_aliases_of_a_packs_prompts(tmp_path: Path) -> None:
    found = packed(tmp_path, "occupation,direct\nstocker,Ein Foto von jemandem am Regal.\n", "de", terms=["stocker"])
    assert found.aliases == {}
    assert suite(tmp_path, terms=["stocker"]).aliases != {}


def test_a_pack_may_have_a_star(tmp_path: Path) -> None:
    text = "occupation,star\nnurse,Una foto de la cara de une enfermere.\n"
    found = packed(tmp_path, text, "es", languages=["es"], variants=["star"])
    assert [(prompt.variant, prompt.people) for prompt in found.prompts] == [("star", 1)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("occupation,direct\nnurs,Une photo.\n", ":2: suite 'bafis' has no occupation 'nurs'; did you mean 'nurse'?"),
        ("occupation,direct\nxyzzy,Une photo.\n", ":2: suite 'bafis' has no occupation 'xyzzy'; see: portrayal suites"),
        ("occupation,direct\n,Une photo.\n", ":2: suite 'bafis' has no occupation ''"),
        (
            "occupation,direct\nnurse,Une photo.\ncook,Une photo.\n",
            ":3: prompt 'Une photo.' stands already at pack.csv:2; every prompt needs its own words",
        ),
        (
            "occupation,direct,group\nnurse,Une photo.,Une photo.\n",
            ":2: prompt 'Une photo.' stands already at pack.csv:2",
        ),
        (
            "occupation,direct\nnurse,Une photo.\ncook,Autre.\nNurse,Encore.\n",
            ":4: occupation 'nurse' stands already at pack.csv:2; keep one row",
        ),
        ("occupation\nnurse\n", ": there are no prompts; give one of the columns direct, feminine, indirect"),
        ("occupation,directe\nnurse,Une photo.\n", ": unknown column 'directe'; did you mean 'direct'?"),
        ("term,direct\nnurse,Une photo.\n", ": column 'occupation' is missing"),
        ("", ": the file is empty"),
        (
            "occupation,direct\nnurse,A photo of the face of a cook.\n",
            "pack.csv:2: prompt 'A photo of the face of a cook.' stands already at suite 'bafis', cook, en direct",
        ),
    ],
)
def test_errors_name_the_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        packed(tmp_path, text)
    assert message in str(error.value).replace(f"{tmp_path}/", "")
    assert "\n" not in str(error.value)


def test_a_missing_pack(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file; check the path"):
        suite(tmp_path, packs={"fr": "none.csv"})
