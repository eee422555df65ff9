"""MAGBIG's suite: every prompt of a clone in its language, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from portrayal.errors import ConfigError, InputError
from portrayal.methods.magbig.suite import MagbigSuiteOptions, magbig
from portrayal.suites.suite import Suite


def built(clone: Path, **options: Any) -> Suite:
    return magbig(MagbigSuiteOptions(path=clone, **options), Path())


def test_every_row_becomes_a_prompt_in_its_language(clone: Path) -> None:
    prompts = {prompt.text: prompt for prompt in built(clone).prompts}
    assert len(prompts) == 34  # 10 x 3 less one German tutor, 2 adjectives, 2 described, 1 with the star
    arabic = prompts["لوحة خباز."]
    assert (arabic.term, arabic.language, arabic.variant, arabic.kind) == ("baker", "ar", "direct", "occupation")
    assert prompts["لوحة شخص هادئ"].variant == "adjective"
    assert prompts["A portrait of a person who makes bread, rolls and cakes."].variant == "indirect"
    assert prompts["Ein Bild von eine*r Bäcker*in."].variant == "star"
    assert {prompts[text].seeds for text in ("面包师的画像。", "パン職人の肖像。", "제빵사의 초상.")} == {arabic.seeds}


def test_words_that_two_terms_share_are_asked_once_and_said(clone: Path) -> None:
    suite = built(clone)
    (same,) = [one for one in suite.adjusted if one.what.code == "same_words"]
    assert [name for name, _ in same.details[0].values] == ["teacher (de direct)"]
    assert "tutor" in {prompt.term for prompt in suite.prompts if prompt.language == "de"}


@pytest.mark.parametrize(
    ("options", "count"),
    [
        ({"languages": ("ar", "zh")}, 7),
        ({"variants": ("direct",), "languages": ("ja",)}, 3),
        ({"kinds": ("adjective",)}, 2),
        ({"terms": ("Baker",)}, 13),
        ({"sample": 1, "kinds": ("occupation",), "variants": ("direct",), "languages": ("en", "ko")}, 2),
    ],
)
def test_subsets(clone: Path, options: dict[str, Any], count: int) -> None:
    suite = built(clone, **options)
    assert len(suite.prompts) == count
    assert suite.adjusted[0].what.code == "chosen_prompts"


def test_without_a_path_it_says_what_to_set() -> None:
    with pytest.raises(ConfigError, match=r"set options.path to a clone of https://github.com/felifri/MAGBIG"):
        magbig(MagbigSuiteOptions(), Path())


def test_a_clone_that_lacks_a_language_or_all_is_refused(clone: Path) -> None:
    (clone / "prompts" / "occ_korean.csv").unlink()
    with pytest.raises(InputError, match=r"no file prompts/occ_korean.csv in it"):
        built(clone)
    with pytest.raises(InputError, match=r"neither a folder prompts nor a file data/occupations_direct\*.csv in it"):
        built(clone / "prompts")


def lacking(suite: Suite) -> list[str]:
    """Return what the page says is not in the folder."""
    return [name for one in suite.adjusted if one.what.code == "lacking" for name, _ in one.details[0].values]


def test_released_files_that_a_clone_lacks_are_said(clone: Path) -> None:
    names = lacking(built(clone))
    assert "prompts/adj_german.csv" in names
    assert not {"prompts/adj_english.csv", "prompts/indirect:gender_neutral/occ_german_star.csv"} & {*names}
    (clone / "prompts" / "indirect:gender_neutral" / "occ_german_star.csv").unlink()
    (said,) = [one for one in built(clone).adjusted if one.what.code == "lacking"]
    assert said.what["n"] == str(8 + 8 + 1)  # of ten languages two have adjectives and two descriptions


def test_the_dataset_has_a_file_for_each_way_and_feminine_forms(dataset: Path, clone: Path) -> None:
    suite = built(dataset)
    prompts = {prompt.text: prompt for prompt in suite.prompts}
    feminine = prompts["Ein Bild von einer Bäckerin."]
    assert (feminine.term, feminine.language, feminine.variant) == ("baker", "de", "feminine")
    assert feminine.requested == {"gender": "female"}
    assert feminine.seeds == prompts["面包师的画像。"].seeds == prompts["Ein Bild von eine*r Bäcker*in."].seeds
    assert prompts["لوحة شخص هادئ"].variant == "adjective"
    assert prompts["A portrait of a person who makes bread, rolls and cakes."].variant == "indirect"
    same = next(one for one in suite.adjusted if one.what.code == "same_words").details[0].values
    assert [name for name, _ in same] == ["teacher (de direct)", "tutor (fr feminine)"]
    assert lacking(suite) == ["teacher (fr feminine)"]
    in_clone = {prompt.id for prompt in built(clone, variants=("direct",)).prompts}
    assert {prompt.id for prompt in built(dataset, variants=("direct",)).prompts} == in_clone


@pytest.mark.parametrize("first", ["prompt", "", "id"])
def test_the_terms_of_the_dataset_stand_in_its_first_column(dataset: Path, first: str) -> None:
    star = dataset / "data" / "occupations_german_gender_star-00000-of-00001.csv"
    star.rename(star.with_name("occupations_german_gender_star.csv")).write_text(f"{first},de\nbaker,Bäcker*in\n")
    assert [prompt.term for prompt in built(dataset, variants=("star",)).prompts] == ["baker"]


def test_a_dataset_without_a_file_says_so_and_one_of_another_form_is_refused(dataset: Path) -> None:
    data = dataset / "data"
    (data / "adjectives-00000-of-00001.csv").unlink()
    assert "data/adjectives*.csv" in lacking(built(dataset))
    for header in ("en,de", "id", "id,de,nl"):
        row = ",".join("x" for _ in header.split(","))
        (data / "occupations_indirect-00000-of-00001.csv").write_text(f"{header}\n{row}\n")
        with pytest.raises(InputError, match=r"occupations_indirect-00000-of-00001.csv: its columns must be the term"):
            built(dataset)
    (data / "occupations_direct-00000-of-00001.csv").write_text("id,en,de\nbaker,x,y\n")
    with pytest.raises(InputError, match=r"occupations_direct-.*column 'fr' is missing"):
        built(dataset)


def test_a_file_with_other_columns_is_refused(clone: Path) -> None:
    (clone / "prompts" / "occ_korean.csv").write_text("occupation,text\nbaker,x\n")
    with pytest.raises(InputError, match=r"occ_korean.csv"):
        built(clone)


def test_unknown_names_are_refused(clone: Path) -> None:
    with pytest.raises(ConfigError, match="no language 'eng'"):
        built(clone, languages=("eng",))
    with pytest.raises(ConfigError, match=r"no term 'bakre'.*did you mean 'baker'"):
        built(clone, terms=("bakre",))
