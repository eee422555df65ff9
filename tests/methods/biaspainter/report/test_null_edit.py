"""Editors that do something whatever they are asked, on whole studies: what pages say is about what words add to it.

What is planted is known, and what simulated people became is read from the outcomes, not from the method's tables.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from portrayal.annotators import ANNOTATORS
from portrayal.generators import GENERATORS
from portrayal.methods.biaspainter.report.findings import findings
from portrayal.methods.biaspainter.report.looked import looked
from portrayal.methods.biaspainter.report.section import BiasPainterSection
from portrayal.reports import ReportData, render_report
from portrayal.reports.findings.deviations.deviation import Statement
from portrayal.reports.findings.first_screen import first_screen
from portrayal.study.report.gather_data import gather
from portrayal.study.study import OpenStudy

pytestmark = pytest.mark.slow
NULL = "a photo of a person"
EXACT = {"use": "simulated", "options": {"attributes": ["gender", "age", "intensity"], "spread": 0}}
SAME = ("nurse", "soldier", "judge", "model")
"""Four words that do what the editor does whatever it is asked."""
_BECAME = """
    SELECT prompts.term AS word, edit.planted[1]['gender'] AS after, source.planted[1]['gender'] AS before
    FROM jobs JOIN prompts ON jobs.prompt = prompts.id JOIN outcomes AS edit ON edit.job = jobs.id
    JOIN outcomes AS source ON source.job = jobs.source_job WHERE edit.status = 'made'
"""


def became(study: OpenStudy, word: str) -> tuple[int, int]:
    """Return how many of all men a word made women, by what was planted."""
    rows = study.workspace.query(_BECAME).to_pylist()
    men = [row for row in rows if row["word"] == word and row["before"] == "male"]
    return sum(row["after"] == "female" for row in men), len(men)


def plain(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


def told(data: ReportData) -> list[Statement]:
    section = BiasPainterSection()
    return list(first_screen(data, section.deviations(data), section.rankings(data)).statements)


@pytest.fixture(scope="module")
def drifting(painted: Any, tmp_path_factory: pytest.TempPathFactory) -> tuple[OpenStudy, ReportData]:
    """Return a study whose null edit and four words turn eight of ten men into women; "CEO" changes nobody."""
    moves = {word: {"gender": {"female": 0.8}} for word in (*SAME, NULL)}
    suite = {"words": [*SAME, "CEO"], "null": [NULL]}
    study, _ = painted.measured(
        tmp_path_factory.mktemp("drift"), suite=suite, edit={"moves": moves}, annotators=[EXACT]
    )
    return study, gather(study)


def test_the_first_finding_is_what_the_editor_does_whatever_it_is_asked(
    drifting: tuple[OpenStudy, ReportData],
) -> None:
    study, data = drifting
    turned, men = became(study, NULL)
    assert (men, turned > 15) == (27, True)
    first = told(data)[0]
    assert plain(first.about) == "Edits that ask for nothing · Perceived gender"
    assert first.sentence == (
        f"Edits that ask for nothing turned men’s faces into women’s in {turned} of {men}, "
        "and women’s into men’s in 0 of 27"
    )


def test_a_word_that_changes_nobody_is_told_as_one_that_does_less(drifting: tuple[OpenStudy, ReportData]) -> None:
    study, data = drifting
    turned, _ = became(study, NULL)
    assert became(study, "CEO") == (0, 27)
    (ceo,) = (own for own in told(data) if "CEO" in own.about)
    assert ceo.sentence == (
        f"“CEO” turned fewer men’s faces into women’s than edits that ask for nothing: 0 of 27, against {turned} of 27"
    )
    (seen,) = looked(data)
    (gender, *_) = findings(data, seen, seen.editors[0])
    assert plain(gender.sentence) == (
        "1 of 5 words stands out. Fewer men’s faces become women’s than with edits that ask for nothing: "
        f"“CEO” 0 of 27, against {turned} of 27."
    )


def test_words_that_add_nothing_are_not_told(drifting: tuple[OpenStudy, ReportData]) -> None:
    _, data = drifting
    assert not [own.about for own in told(data) if any(f"“{word}”" in own.about for word in SAME)]
    # Nor does the page show a pair of pictures of a word that stands out by doing less.
    shown = BiasPainterSection().show(data)
    assert shown is not None
    assert shown.content.strip == []  # type: ignore[attr-defined]


def test_the_size_of_biases_and_its_chance_are_beyond_the_null_edit(drifting: tuple[OpenStudy, ReportData]) -> None:
    """Before: 0.64 on average, where words that do nothing would show about 0.05, beside a null edit at 0.8."""
    _, data = drifting
    (seen,) = looked(data)
    (gender, *_) = findings(data, seen, seen.editors[0])
    size = re.search(
        r"biases beyond edits that ask for nothing: (0\.\d\d) .*; words that do no more than those would show about "
        r"(0\.\d\d)\.",
        plain(gender.distance),
    )
    assert size
    assert float(size[1]) < 0.3
    assert 0.05 < float(size[2]) < 0.2
    (ranking, *_) = BiasPainterSection().rankings(data)
    assert plain(ranking.title) == (
        "Mean size of the words’ biases beyond edits that ask for nothing, Perceived gender"
    )
    assert ranking.models[0].value == pytest.approx(float(size[1]), abs=0.005)


def test_an_editor_whose_words_add_nothing_does_not_come_first(painted: Any, tmp_path: Path) -> None:
    parts = [{"use": "simulated", "images": 3, "role": "draw"}]
    idle = {word: {"gender": {"female": 0.9}} for word in (*SAME, NULL)}
    busy = {"nurse": {"gender": {"female": 0.6}}, "soldier": {"gender": {"male": 0.6}}}
    for name, moves in (("idle", idle), ("busy", busy)):
        parts.append({"use": "simulated", "images": 1, "role": "edit", "name": name, "options": {"moves": moves}})
    data = painted.gathered(tmp_path, suite={"words": SAME, "null": [NULL]}, generators=parts, annotators=[EXACT])
    (gender, *_) = BiasPainterSection().rankings(data)
    sizes = {own.generator: own for own in gender.models}
    assert sizes["busy"].value > 2 * sizes["idle"].value
    assert sizes["busy"].low > 0 == sizes["idle"].low
    absolute = {row.generator: row.value for row in data.measurements if row.metric == "model_word_bias"
                and row.attribute == "gender"}  # fmt: skip
    assert (absolute["idle"] or 0) > (absolute["busy"] or 0)  # by which it came first


def test_skin_that_stays_as_it_was_is_not_called_darker(painted: Any, tmp_path: Path) -> None:
    moves = {word: {"tone3": {"light": 1.0}} for word in (*SAME, NULL)}
    suite = {"words": [*SAME, "mechanic"], "null": [NULL]}
    data = painted.gathered(tmp_path, suite=suite, edit={"moves": moves}, annotators=[EXACT])
    (mechanic,) = (own for own in told(data) if "mechanic" in own.about)
    assert re.fullmatch(
        r"With “mechanic” skin is as light as before on average; with edits that ask for nothing \d\d\.\d of 255 "
        "levels lighter",
        mechanic.sentence,
    )
    page = plain(re.sub(r"<[^>]+>", " ", render_report(data)))
    assert "darker on average" not in page
    assert re.search(
        r"Skin is darker than with edits that ask for nothing: “mechanic” 0\.0 of 255 levels, against \+", page
    )


def test_a_word_that_ages_less_than_the_editor_does_anyway(painted: Any, tmp_path: Path) -> None:
    moves = {word: {"age3": {"elderly": 1.0}} for word in (*SAME, NULL)} | {"CEO": {"age3": {"elderly": 0.3}}}
    suite = {"words": [*SAME, "CEO"], "null": [NULL]}
    data = painted.gathered(tmp_path, suite=suite, edit={"moves": moves}, annotators=[EXACT])
    (ceo,) = (own for own in told(data) if "CEO" in own.about)
    assert re.fullmatch(
        r"With “CEO” faces look \d+\.\d years older on average, less than with edits that ask for nothing: "
        r"\d\d\.\d years older",
        ceo.sentence,
    )


def test_an_editor_that_does_nothing_unasked_is_not_told_to(painted: Any, tmp_path: Path) -> None:
    data = painted.gathered(tmp_path, images=1)
    assert not [own.about for own in told(data) if own.about.startswith("Edits that ask for nothing")]
    assert [own for own in told(data) if "“nurse”" in own.about]


def test_what_is_missing_of_edits_that_ask_for_nothing_is_told(painted: Any, tmp_path: Path) -> None:
    data = painted.gathered(tmp_path, images=1, edit={"refused": 0.2})
    (seen,) = looked(data)
    (gender, *_) = findings(data, seen, seen.editors[0])
    (null,) = (row for row in seen.nothing if row["attribute"] == "gender")
    assert null["n"] < null["planned"] == 54
    assert f"{54 - null['n']} of 54 such edits are missing." in plain(gender.data)


@pytest.mark.skipif(
    bool(GENERATORS.entries()["facegan"].missing() or ANNOTATORS.entries()["faces"].missing()),
    reason="the extra 'faces' is not installed",
)
def test_on_real_pictures_a_word_that_undoes_what_the_editor_does_is_told_as_doing_less(
    painted: Any, tmp_path: Path
) -> None:
    """An editor that draws everyone more female; "CEO" takes that back, and "nurse" adds nothing."""
    edit = {"jitter": 0.02, "edits": {"*": {"gender": 1.8}, "CEO": {"gender": -1.8}}}
    parts = [
        {"use": "facegan", "images": 1, "role": "draw"},
        {"use": "facegan", "images": 1, "role": "edit", "options": edit},
    ]
    data = painted.gathered(
        tmp_path, suite={"words": ["nurse", "CEO"]}, generators=parts, annotators=[{"use": "faces"}],
        generate={"batch": 4},
    )  # fmt: skip
    (seen,) = looked(data)
    (gender, *_) = findings(data, seen, seen.editors[0])
    counts = re.search(
        r"1 of 2 words stands out\. Fewer men’s faces become women’s than with edits that ask for nothing: “CEO” (\d) "
        r"of 9, against (\d\d) of 27\.",
        plain(gender.sentence),
    )
    assert counts
    assert int(counts[1]) <= 1
    assert int(counts[2]) >= 20
    sentences = [own.sentence for own in told(data)]
    assert any(text.startswith("Edits that ask for nothing turned men’s faces into women’s in 2") for text in sentences)
    assert any(text.startswith("“CEO” turned fewer men’s faces into women’s") for text in sentences)
    assert not any("“nurse”" in text for text in sentences)
