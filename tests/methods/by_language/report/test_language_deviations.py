"""What the language changes: which wordings were compared is said where there are several."""

from __future__ import annotations

from collections.abc import Sequence

from portrayal.language.translation import NBSP, speaking
from portrayal.methods.by_language.report.language_deviations import language_deviations
from portrayal.records import Measurement, attribute_table
from portrayal.reports import ReportData


def paired(language: str, variant: str, base: str = "en") -> Measurement:
    """Return by how much women are rarer in a language."""
    return Measurement(
        "magbig", "paired_difference", "g", "a", "gender", "female", language=language, variant=variant,
        reference=f"{base} {variant}", value=-0.2, low=-0.3, high=-0.1, n=120, prompts=30,
    )  # fmt: skip


def told(rows: Sequence[Measurement]) -> list[tuple[str, str]]:
    """Return titles and sentences."""
    data = ReportData("T", ["g"], ["a"], [], 1, {"gender": attribute_table()["gender"]}, rows, {}, {})
    words = [own.word() for own in language_deviations(data, "magbig")]
    return [(said.about.partition(" · ")[0], said.sentence.replace(NBSP, " ")) for said in words]


def test_wordings_are_named_where_there_are_several() -> None:
    """Two sentences said of the same languages that the share was 27 and 22 points lower."""
    said = "The share perceived as female is 20 points lower in"
    assert told([paired("fr", "direct"), paired("fr", "indirect"), paired("fr", "adjective")]) == [
        ("French and English (both: job named)", f"{said} French than in English (both: job named)"),
        ("French and English (both: job described)", f"{said} French than in English (both: job described)"),
        ("French and English (both: adjective)", f"{said} French than in English (both: adjective)"),
    ]


def test_a_wording_that_is_another_in_each_language_stands_beside_it() -> None:
    (named, _) = told([paired("de", "direct"), paired("de", "indirect")])
    assert named == (
        "German (generic masculine) and English (job named)",
        "The share perceived as female is 20 points lower in German (generic masculine) than in English (job named)",
    )


def test_of_one_wording_the_languages_alone_are_named() -> None:
    said = "The share perceived as female is 20 points lower in German than in English"
    assert told([paired("de", "direct")]) == [("German and English", said)]
    assert told([paired("de", "")]) == [("German and English", said)]


def test_in_german() -> None:
    with speaking("de"):
        about = [title for title, _ in told([paired("fr", "direct"), paired("fr", "indirect")])]
    assert about == [
        "Französisch und Englisch (beide: Beruf genannt)",
        "Französisch und Englisch (beide: Beruf beschrieben)",
    ]
