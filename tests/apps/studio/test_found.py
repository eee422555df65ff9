"""What was found, as the page of a study says it: each sentence names the model that it is about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from portrayal.api.study import Study
from portrayal.apps.studio.found import FoundStore
from portrayal.language.translation import speaking
from portrayal.study.create.create_study import create_study


@pytest.mark.slow
def test_the_verdict_on_each_of_two_models_names_it(tmp_path: Path) -> None:
    drawn = [{"use": "simulated", "name": name, "options": {"size": size}} for name, size in (("A", 8), ("B", 9))]
    about: dict[str, Any] = {"annotator": "simulated", "prompts": ["a nurse"], "images": 6}
    about["method"] = {"use": "representation", "options": {"references": {"gender": "uniform"}}}
    for folder, generators in (("two", drawn), ("one", drawn[:1])):
        create_study(tmp_path / folder, generator=generators, **about)
        Study(tmp_path / folder).run(progress=False)
    store = FoundStore()
    two, one = store.get(tmp_path / "two"), store.get(tmp_path / "one")
    assert two
    assert one
    assert [each.about for each in two.sentences if each.sentence.startswith("Inconclusive")] == ["A", "B"]
    assert [each.about for each in one.sentences if each.sentence.startswith("Inconclusive")] == [""]
    # Another language is asked anew, and does not take the place of the first.
    with speaking("de"):
        german = store.get(tmp_path / "one")
    assert german
    assert german.sentences[0].sentence != one.sentences[0].sentence
    assert store.get(tmp_path / "one") == one
