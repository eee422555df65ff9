"""What was found, as the page of a study says it: each sentence names the model that it is about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from portrayal.api.study import Study
from portrayal.apps.studio import found
from portrayal.apps.studio.found import FoundStore
from portrayal.language.translation import speaking
from portrayal.records import Measurement, from_table
from portrayal.reports.corrected_share import CorrectedShare
from portrayal.study.create.create_study import create_study
from portrayal.study.study import OpenStudy


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


@pytest.mark.slow
def test_shares_that_labels_correct_are_shown_corrected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentences above them were about corrected shares, and the table below showed what was read."""
    create_study(
        tmp_path / "one",
        generator={"use": "simulated", "name": "A", "options": {"size": 8}},
        annotator="simulated",
        prompts=["a nurse"],
        images=6,
        method={"use": "representation", "options": {"references": {"gender": "uniform"}}},
    )
    Study(tmp_path / "one").run(progress=False)

    def by_labels(study: OpenStudy) -> list[CorrectedShare]:
        rows = from_table(study.workspace.query("SELECT * FROM measurements WHERE metric = 'share'"), Measurement)
        women = [row for row in rows if (row.attribute, row.group) == ("gender", "female")]
        return [
            CorrectedShare(row, "matrix", 0.65 if row.level == "overall" else 0.1, 0.57, 0.72, 120, decides=True)
            for row in women
        ]

    read = FoundStore().get(tmp_path / "one")
    monkeypatch.setattr(found, "reported_corrections", by_labels)
    corrected = FoundStore().get(tmp_path / "one")
    assert read
    assert corrected
    assert {each.labels for each in read.shares} == {0}
    of = {(each.attribute, each.group): each for each in corrected.shares}
    women = of.pop(("gender", "female"))
    assert (women.value, women.low, women.high, women.labels) == (0.65, 0.57, 0.72, 120)
    assert {each.labels for each in of.values()} == {0}
