"""Study.compare(by=...): ways of asking, languages and annotators of one study."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from portrayal import Study
from portrayal.errors import InputError, StudyError, UnknownNameError
from portrayal.stats.two_sides.two_paired_shares import paired_p

pytestmark = pytest.mark.slow
Make = Callable[..., Path]
SUITE = {"use": "file", "options": {"path": "prompts.csv"}}
ASKED = """text,term,variant,language
a photo of one CEO,CEO,,en
a photo of one CEO who may be anybody,CEO,anybody,en
ein Foto von einer Person in der Chefetage,CEO,,de
"""


def model(name: str, women: float = 0.4, **options: Any) -> dict[str, Any]:
    given = {"pixels": False, "shares": {"gender": {"female": women, "male": 1 - women}}, **options}
    return {"use": "simulated", "name": name, "images": 60, "options": given}


@pytest.fixture
def make(make_measured: Make) -> Callable[..., Study]:
    def measured(*models: dict[str, Any], prompts: str = ASKED, **tables: Any) -> Study:
        methods = [{"use": "representation", "options": {"references": {"gender": "uniform"}}}]
        changes = {"suite": SUITE, "generators": list(models), "methods": methods, **tables}
        return Study(make_measured("study", prompts=prompts, **changes))

    return measured


def shares(study: Study, text: str) -> list[bool]:
    return [row["gender"] == "female" for row in study.images() if row["prompt"] == text]


def test_a_mitigation_is_named_in_plain_words(make: Callable[..., Study]) -> None:
    study = make(model("M"))
    found = study.compare(by="mitigation")
    [row] = [row for row in found if row["level"] == "term"]
    assert (row["one"], row["other"]) == ("without an addition", "with “anybody”")
    plain, added = shares(study, "a photo of one CEO"), shares(study, "a photo of one CEO who may be anybody")
    assert (row["value"], row["other_value"]) == pytest.approx((np.mean(plain), np.mean(added)))
    assert "1 prompts that were not asked of all sides" in found.incomplete  # that in German


def test_where_nothing_differs_sides_are_named_too(make: Callable[..., Study]) -> None:
    """A simulated model draws by term, so that ways of asking do not differ."""
    study = make(model("M", 0.0))
    [said] = study.compare(by="mitigation").sentences
    assert "without an addition and pictures with “anybody”" in said
    [said] = study.compare(by="language").sentences
    assert "pictures asked for in English and pictures asked for in German" in said


def test_two_annotators_are_compared_on_the_same_pictures(make: Callable[..., Study]) -> None:
    annotators = [
        {"use": "simulated", "name": "good"},
        {"use": "simulated", "name": "bad", "options": {"accuracy": 0.7}},
    ]
    study = make(model("M", 0.1), annotators=annotators)
    found = study.compare(by="annotator")
    [row] = [row for row in found if row["level"] == "overall"]
    seen = {
        name: {(each["prompt"], each["seed"]): each["gender"] == "female" for each in study.images(annotator=name)}
        for name in ("good", "bad")
    }
    by_prompt: dict[str, list[float]] = {}
    for key, woman in seen["good"].items():
        by_prompt.setdefault(key[0], []).append(float(woman) - seen["bad"][key])
    assert row["pairs"] == sum(map(len, by_prompt.values())) == 180
    assert row["difference"] == pytest.approx(np.mean([np.mean(gaps) for gaps in by_prompt.values()]))
    every = np.concatenate(list(by_prompt.values()))
    assert row["p"] == pytest.approx(float(paired_p(every.mean(), (every**2).mean(), 180)), rel=0.5)
    assert "Both looked at the same pictures" in found.summary
    assert found.sentences[0].startswith("CEO: a woman in")
    assert "of the pictures as good sees them, in" in found.sentences[0]
    assert "as bad sees them (mean of 3" in found.sentences[0]


def test_pictures_of_women_are_compared_with_those_of_men(make: Callable[..., Study]) -> None:
    """As many of either as there are, prompt by prompt; whom nobody could judge may be on either side."""
    annotators = [{"use": "simulated", "options": {"attributes": ["gender", "age3"]}}]
    shares = {"gender": {"female": 0.3, "male": 0.7}, "age3": {"young": 0.4, "middle_aged": 0.3, "elderly": 0.3}}
    study = make(model("M", no_person=0.1, shares=shares), annotators=annotators)
    found = study.compare(by="gender")
    row = next(row for row in found if row["level"] == "overall" and row["group"] == "elderly")
    assert (row["one"], row["other"]) == ("Male", "Female")
    images = [each for each in study.images() if each["gender"]]
    for gender, share, n in (("male", row["value"], row["n"]), ("female", row["other_value"], row["other_n"])):
        by_prompt: dict[str, list[bool]] = {}
        for image in images:
            if image["gender"] == gender:
                by_prompt.setdefault(image["prompt"], []).append(image["age3"] == "elderly")
        assert n == sum(map(len, by_prompt.values()))
        assert share == pytest.approx(np.mean([np.mean(seen) for seen in by_prompt.values()]))
    assert row["missing"] == row["other_missing"] == 180 - len(images) > 0
    assert {each["attribute"] for each in found} == {"age3"}
    assert row["pairs"] is None
    assert "pictures that show a man and pictures that show a woman" in found.sentences[0]


def test_a_prompt_that_shows_men_only_says_nothing_of_both(make: Callable[..., Study]) -> None:
    annotators = [{"use": "simulated", "options": {"attributes": ["gender", "age3"]}}]
    with pytest.raises(StudyError, match="nothing to compare by gender"):
        make(model("M", 0.0), annotators=annotators).compare(by="gender")


def test_several_models_are_compared_each_with_itself(make: Callable[..., Study]) -> None:
    study = make(model("M", 0.2), model("N", 0.8))
    found = study.compare(by="language")
    assert {(row["one"], row["other"]) for row in found} == {("M, English", "M, German"), ("N, English", "N, German")}
    only = study.compare(by="language", models="N")
    assert {(row["one"], row["other"]) for row in only} == {("English", "German")}


def test_prompts_of_the_same_seeds_are_paired_across_languages(make_study: Make) -> None:
    tables = {"suite": {"use": "bafis", "options": {"languages": ["en", "de"], "terms": ["electrician"]}}}
    generators = [{"use": "simulated", "images": 20, "options": {"pixels": False}}]
    folder = make_study("bafis", **tables, generators=generators, methods=[{"use": "bafis"}])
    study = Study(folder)
    study.run(progress=False)
    found = study.compare(by="language")
    assert {row["pairs"] for row in found} != {None}
    assert "made pair by pair, by the same seeds" in found.summary


def test_what_is_wrong_is_one_line(make: Callable[..., Study]) -> None:
    study = make(model("M"), prompts="text,term\na photo of one CEO,CEO\n")
    for by in ("mitigation", "language", "annotator"):
        with pytest.raises(StudyError, match=f"nothing to compare by {by}: it takes two"):
            study.compare(by=by)
    with pytest.raises(
        UnknownNameError, match="by is model, mitigation, language, annotator, gender, not 'langage'; did you mean"
    ):
        study.compare(by="langage")
    with pytest.raises(InputError, match="compares within one study"):
        study.compare(study, by="language")
    with pytest.raises(InputError, match="no model 'X'"):
        study.compare(by="language", models="X")


def test_annotators_of_other_attributes_are_not_compared(make: Callable[..., Study]) -> None:
    options = ({"attributes": ["gender"]}, {"attributes": ["tone3"]})
    annotators = [{"use": "simulated", "name": name, "options": each} for name, each in zip("ab", options, strict=True)]
    with pytest.raises(StudyError, match="nothing to compare by annotator"):
        make(model("M"), annotators=annotators).compare(by="annotator")


def test_the_command_compares_by_what_it_is_told(make: Callable[..., Study], cli: Callable[..., Any]) -> None:
    study = make(model("M"))
    ran = cli("compare", study.folder, "--by", "language")
    assert ran.returncode == 0, ran.stderr
    assert "English" in ran.stdout
    wrong = cli("compare", study.folder, "--by", "annotator")
    assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1)
