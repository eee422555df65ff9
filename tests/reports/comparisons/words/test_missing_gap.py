"""Of which side more pictures are missing: said where chance does not explain it, and only there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from portrayal.records import Attribute, Measurement
from portrayal.reports.comparisons.models_compared import compare_models
from portrayal.reports.comparisons.words.missing_gap import missing_gaps

GENDER = {"gender": Attribute("gender", "perceived gender", ("male", "female"))}


def rows_of(model: str, missing: int, asked: int = 100, annotator: str = "eye") -> list[Measurement]:
    """Return the rows of all prompts of a model of which so many pictures were refused."""
    n = asked - missing
    half = n // 2
    share = Measurement("representation", "share", model, annotator, "gender", "female", n=n, missing=missing)
    seen = replace(share, value=half / n, low=0.0, high=1.0, worth=float(n)) if n else replace(share, group="")
    lost = Measurement("representation", "missing", model, annotator, group="refused: unsafe", n=asked, missing=missing)
    return [seen, replace(lost, value=missing / asked)] if missing else [seen]


def said(one: list[Measurement], other: list[Measurement], level: float = 0.05) -> list[str]:
    return [gap.sentence().replace("\xa0", " ") for gap in missing_gaps(("A", one), ("B", other), level)]


def test_the_side_that_lacks_more_is_named_with_the_reason() -> None:
    sentence = (
        "More pictures are missing from B than from A: 25 of 100 (25 %; refused: unsafe 25) against 2 of 100 (2 %). "
        "Nobody knows what they would have shown."
    )
    assert said(rows_of("A", 2), rows_of("B", 25)) == [sentence]
    turned = [gap.sentence() for gap in missing_gaps(("B", rows_of("B", 25)), ("A", rows_of("A", 2)), 0.05)]
    assert [line.replace("\xa0", " ") for line in turned] == [sentence]


@pytest.mark.parametrize(("missing", "other", "asked"), [(0, 0, 100), (3, 6, 100), (100, 100, 100), (0, 2, 4)])
def test_what_chance_explains_is_not_said(missing: int, other: int, asked: int) -> None:
    assert said(rows_of("A", missing, asked), rows_of("B", other, asked)) == []


def test_a_side_without_any_usable_picture_is_said() -> None:
    [sentence] = said(rows_of("A", 0), rows_of("B", 100))
    assert sentence.startswith(
        "More pictures are missing from B than from A: 100 of 100 (100 %; refused: unsafe 100) against 0"
    )


def test_several_annotators_are_named_and_corrected_for() -> None:
    mine = [*rows_of("A", 2), *rows_of("A", 2, annotator="second")]
    theirs = [*rows_of("B", 3), *rows_of("B", 25, annotator="second")]
    [sentence] = said(mine, theirs)
    assert sentence.startswith("Seen by second: More pictures are missing from B than from A: 25 of 100")
    [gap] = missing_gaps(("A", mine), ("B", theirs), 0.05)
    assert said(mine, theirs, level=gap.p) == []
    assert said(mine, theirs, level=2.01 * gap.p)


def test_sides_that_are_no_models_are_called_by_whose_pictures_they_are() -> None:
    [gap] = missing_gaps(("German", rows_of("German", 30)), ("English", rows_of("English", 0)), 0.05)
    phrases = {"German": "asked for in German", "English": "asked for in English"}
    said = gap.sentence(phrases).replace("\xa0", " ")
    assert said.startswith(
        "Of pictures asked for in German more are missing than of pictures asked for in English: 30 of"
    )


def test_an_attribute_that_nobody_can_be_judged_by_hides_no_refusals() -> None:
    """Age can be told in no picture of either: that of one model gender can be told in fewer was not said."""

    def of(model: str, missing: int) -> list[Measurement]:
        rows = rows_of(model, missing)
        return [*rows, replace(rows[0], attribute="age3", group="", n=0, missing=100, value=None)]

    [sentence] = said(of("A", 0), of("B", 60))
    assert sentence.startswith("Perceived gender: More pictures are missing from B than from A: 60 of 100 (60 %;")
    assert said(of("A", 3), of("B", 6)) == []
    [gap] = missing_gaps(("A", of("A", 0)), ("B", of("B", 60)), 0.05)
    assert list(missing_gaps(("A", of("A", 0)), ("B", of("B", 60)), 1.99 * gap.p)) == []
    one, other = ([*rows, replace(rows[0], attribute="age3")] for rows in (rows_of("A", 0), rows_of("B", 60)))
    assert said(one, other)[0].startswith("More pictures are missing from B"), "all attributes lack the same pictures"


def test_ways_of_asking_that_are_counted_apart_are_added_up() -> None:
    apart = [replace(row, variant=way, prompt_set=way) for way in ("plain", "neutral") for row in rows_of("B", 20)]
    [sentence] = said(rows_of("A", 0), apart)
    assert "from B than from A: 40 of 200 (20 %; refused: unsafe 40)" in sentence


def test_a_comparison_ends_with_what_is_missing() -> None:
    found = compare_models([*rows_of("A", 0), *rows_of("B", 30)], ["A", "B"], 0.1, GENDER)
    assert found is not None
    assert (
        found.sentences()[-1].replace("\xa0", " ").startswith("More pictures are missing from B than from A: 30 of 100")
    )
    alike = compare_models([*rows_of("A", 30), *rows_of("B", 30)], ["A", "B"], 0.1, GENDER)
    assert alike is not None
    assert not any("More pictures are missing" in line for line in alike.sentences())


def test_a_method_that_counts_no_shares_lacks_pictures_all_the_same() -> None:
    """Of captions and scores it was never said that a model refused everything."""
    score = Measurement("tbyb", "jaccard_hallucination", "A", "eye", "caption", value=0.2, low=0.1, high=0.3, n=60)
    none = replace(score, generator="B", value=None, low=None, high=None, n=0, missing=60)
    lost = Measurement("tbyb", "missing", "B", "eye", group="refused: unsafe", value=1.0, n=60, missing=60)
    other = replace(score, metric="words", attribute="", n=900)
    [sentence] = said([score, other], [none, lost])
    assert sentence.startswith("More pictures are missing from B than from A: 60 of 60 (100 %; refused: unsafe 60) ")
    assert "against 0 of 60 (0 %)" in sentence
    assert said([score], [replace(score, generator="B")]) == []
    assert said([other], [replace(other, generator="B"), lost]) == [], "how many were asked of A is not known"
