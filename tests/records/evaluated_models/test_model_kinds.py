"""Spellings of one kind or scheduler are one group, and others stay apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.records.evaluated_models.evaluation import ModelInfo, model_table, models_of
from portrayal.records.evaluated_models.model_kinds import category_name, scheduler_name


@pytest.mark.parametrize("text", ["photo_realism", "photo realism", "Photo-Realism", "  PHOTO  realism "])
def test_spellings_of_a_kind_are_one(text: str) -> None:
    assert category_name(text) == "photo realism"


@pytest.mark.parametrize(
    ("texts", "name"),
    [
        (("PNDM", "PNDMScheduler", "pndm", "pndm_scheduler", "PNDM Scheduler"), "PNDM"),
        (("EulerDiscreteScheduler", "Euler", "euler-discrete"), "Euler"),
        (("EulerAncestralDiscreteScheduler", "Euler ancestral"), "Euler ancestral"),
        (("MyFastScheduler", "my fast", "My_Fast", "my-fast scheduler"), "my fast"),
        (("scheduler", "Scheduler"), "scheduler"),
        (("",), ""),
    ],
)
def test_spellings_of_a_scheduler_are_one(texts: tuple[str, ...], name: str) -> None:
    assert {scheduler_name(text) for text in texts} == {name}


def test_other_kinds_and_schedulers_stay_apart() -> None:
    assert category_name("photorealism") != category_name("photo realism")
    assert scheduler_name("DDIM") != scheduler_name("DDPM")


@given(st.text(max_size=20))
def test_a_name_is_its_own_name_and_none_vanishes(text: str) -> None:
    for named in (category_name, scheduler_name):
        assert named(named(text)) == named(text)
    assert bool(category_name(text)) >= bool([letter for letter in text if letter.isalnum()])


def test_models_always_hold_one_spelling_also_those_of_an_older_atlas() -> None:
    old = model_table([ModelInfo("a")]).to_pylist()[0] | {"category": "photo_realism", "scheduler": "PNDMScheduler"}
    (info,) = models_of(model_table([]).from_pylist([old], model_table([]).schema))
    assert (info.category, info.scheduler) == ("photo realism", "PNDM")
    assert info == ModelInfo("a", "Photo-Realism", "pndm")
