"""How sure do you want to be: what drawing in rounds would take is said where a study does not do so already."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from portrayal.apps.studio.new.sample_choices import rounds_choice
from portrayal.language.translation import speaking
from portrayal.study.study import OpenStudy

Make = Callable[..., Path]
GENERATORS = [{"use": "simulated", "images": 60}]


@pytest.mark.parametrize(("language", "said"), [("en", "about 40 images of a term"), ("de", "etwa 40 Bilder")])
def test_what_rounds_take_is_said(make_study: Make, language: str, said: str) -> None:
    study = OpenStudy(make_study(generators=GENERATORS))
    with speaking(language):
        words = rounds_choice(study).replace("\N{NO-BREAK SPACE}", " ")
    assert said in words
    assert "± 10 " in words
    assert "126" in words


def test_a_study_that_draws_in_rounds_is_not_told_of_them(make_study: Make) -> None:
    study = make_study(generators=GENERATORS, sampling={"about": {"attribute": "gender"}})
    assert rounds_choice(OpenStudy(study)) == ""


def test_a_study_that_draws_nothing_has_no_choice(make_study: Make) -> None:
    assert rounds_choice(OpenStudy(make_study(generators=[], suite=None))) == ""
