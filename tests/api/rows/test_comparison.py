"""Study.compare: models of one study and of two, as rows and in words."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal import Study
from portrayal.errors import InputError, StudyError

Make = Callable[..., Path]
SUITE = {"use": "file", "options": {"path": "prompts.csv"}}


def generator(name: str, women: float, images: int = 40) -> dict[str, Any]:
    shares = {"gender": {"female": women, "male": 1 - women}}
    return {"use": "simulated", "name": name, "images": images, "options": {"pixels": False, "shares": shares}}


@pytest.fixture
def make(make_measured: Make) -> Callable[..., Study]:
    """Return a study of one prompt that was measured."""

    def measured(name: str, *generators: dict[str, Any], prompts: str = "a photo of one CEO,CEO\n") -> Study:
        methods = [{"use": "representation", "options": {"references": {"gender": "uniform"}}}]
        texts = f"text,term\n{prompts}"
        return Study(make_measured(name, suite=SUITE, generators=list(generators), methods=methods, prompts=texts))

    return measured


def test_models_of_a_study_are_compared(make: Callable[..., Study]) -> None:
    found = make("both", generator("A", 0.1), generator("B", 0.9)).compare()
    first = found[0]
    assert (first["attribute"], first["group"]) == ("gender", "female")
    assert {first["one"], first["other"]} == {"A", "B"}
    assert first["verdict"] == ("more" if first["one"] == "B" else "less")
    assert first["low"] <= first["difference"] <= first["high"]
    assert first["p"] <= first["p_corrected"] < 0.001
    assert "a woman in" in found.sentences[0]
    assert len(found) == len({(row["attribute"], row["group"], row["level"], row["metric"]) for row in found})


def test_two_studies_are_compared_by_models_of_the_same_name(make: Callable[..., Study]) -> None:
    before, after = make("before", generator("A", 0.1)), make("after", generator("A", 0.9))
    found = before.compare(after)
    assert (found[0]["one"], found[0]["other"]) == ("A (before)", "A (after)")
    assert found[0]["verdict"] == "less"
    assert before.compare(after.folder).sentences == found.sentences
    assert found.sentences[0].startswith("CEO: a woman in") or found.sentences[0].startswith("All prompts: a woman in")


def test_studies_of_other_prompts_are_not_compared_and_it_is_said(make: Callable[..., Study]) -> None:
    one = make("one", generator("A", 0.1))
    other = make("other", generator("A", 0.9), prompts="a photo of one nurse,nurse\n")
    with pytest.raises(StudyError, match="nothing to compare: two models must have numbers of the same kind"):
        one.compare(other)


def test_means_over_prompts_of_other_weights_are_not_compared(make: Callable[..., Study]) -> None:
    shares = {"gender": {"female": 0.0, "male": 1.0}}
    model = generator("M", 1.0)
    model["options"]["terms"] = {"CEO": shares}
    plain = make("plain", model, prompts="a photo of one CEO,CEO\na photo of one nurse,nurse\n")
    folder = plain.folder.parent / "heavy"
    folder.mkdir()
    (folder / "study.toml").write_text((plain.folder / "study.toml").read_text())
    (folder / "prompts.csv").write_text("text,term,weight\na photo of one CEO,CEO,10\na photo of one nurse,nurse,1\n")
    heavy = Study(folder)
    heavy.run(progress=False)
    found = plain.compare(heavy)
    assert {row["item"] for row in found if row["metric"] == "share"} == {"CEO", "nurse"}
    assert any("other weights: all prompts" in line for line in found.incomplete)


def test_models_without_a_partner_are_named(make: Callable[..., Study]) -> None:
    one = make("one", generator("X", 0.5), generator("Y", 0.4))
    other = make("other", generator("X", 0.5), generator("Z", 0.9))
    assert "models of the same name are compared; left out: Y, Z" in one.compare(other).incomplete


def test_models_stand_in_the_order_of_the_study(make: Callable[..., Study]) -> None:
    for first, second in (("old", "new"), ("new", "old")):
        found = make(
            f"{first}-{second}", generator(first, 0.1 if first == "old" else 0.9), generator(second, 0.5)
        ).compare()
        assert (found[0]["one"], found[0]["other"]) == (first, second)


def test_what_is_wrong_is_one_line(make: Callable[..., Study], make_study: Make) -> None:
    study = make("both", generator("A", 0.1, 6), generator("B", 0.9, 6))
    with pytest.raises(InputError, match="no model 'C' has numbers here"):
        study.compare(models=["A", "C"])
    with pytest.raises(InputError, match=r"margin: a share between 0 and 1, such as 0.1 for 10 points \(got 10\)"):
        study.compare(margin=10)
    with pytest.raises(StudyError, match="nothing is measured yet"):
        Study(make_study("empty")).compare()
    with pytest.raises(StudyError, match="nothing to compare"):
        study.compare(models="A")


def test_models_without_a_usable_picture_are_named_with_the_reason(make: Callable[..., Study]) -> None:
    """That two models must have numbers of the same kind was all that was said of them."""
    refused, empty = generator("A", 0.5, 6), generator("B", 0.5, 6)
    refused["options"]["refused"], empty["options"]["no_person"] = 1, 1
    found = (
        "no picture of A could be used (refused: simulated refusal 6) and no picture of B could be used (no person 6)"
    )
    with pytest.raises(StudyError, match=re.escape(f"nothing to compare: {found}")):
        make("none", refused, empty).compare()


def test_few_images_are_too_few_to_tell(make: Callable[..., Study]) -> None:
    found = make("few", generator("A", 0.4, 4), generator("B", 0.6, 4)).compare()
    shares = [row for row in found if row["metric"] == "share"]
    assert {row["verdict"] for row in shares} == {"too_few"}
    assert {row["p"] for row in shares} == {None}
    assert found.sentences == [] or "Too few images to tell" in found.sentences[0]
