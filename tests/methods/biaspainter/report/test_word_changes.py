"""Sentences about a word: each says what the word did and what edits that ask for nothing did, and only what is so."""

from __future__ import annotations

from typing import Any

import pytest

from portrayal.language.translation import speaking
from portrayal.methods.biaspainter.report.deeds import flips, moved
from portrayal.methods.biaspainter.report.looked import Looked
from portrayal.methods.biaspainter.report.word_changes import bounded, changed, concerned
from portrayal.reports import ReportData

DATA = ReportData("T", ["g"], ["a"], [], 1, {}, [], {}, {})
ATTRIBUTES = {"gender": "gender", "age": "age", "tone": "intensity"}
MEN, WOMEN = [f"m{n}" for n in range(9)], [f"f{n}" for n in range(9)]


def edit(topic: str, word: str, seed: str, **about: Any) -> dict[str, Any]:
    """Return an edit that changes nothing but what is said."""
    row: dict[str, Any] = {"generator": "g", "topic": topic, "word": word, "instruction": "", "seed": seed}
    row |= {"seed_image": f"s{seed}", "image": f"{word}{seed}", "seed_gender": "male" if seed[0] == "m" else "female"}
    row |= {"gender_before": float(seed[0] != "m"), "gender_bias": 0.0, "age_bias": 0.0, "tone_bias": 0.0}
    return row | about


def turned(topic: str, word: str, men: int = 0, women: int = 0, times: int = 1) -> list[dict[str, Any]]:
    """Return edits of nine men and nine women, of whom the first few became the other, each edited so many times."""
    rows = []
    for _ in range(times):
        rows += [edit(topic, word, seed, gender_bias=float(place < men)) for place, seed in enumerate(MEN)]
        rows += [edit(topic, word, seed, gender_bias=-float(place < women)) for place, seed in enumerate(WOMEN)]
    return rows


def shifted(topic: str, word: str, role: str, far: float) -> list[dict[str, Any]]:
    return [edit(topic, word, seed, **{f"{role}_bias": far}) for seed in (*MEN, *WOMEN)]


def word(score: float, relative: float | None = None, name: str = "CEO") -> dict[str, Any]:
    row: dict[str, Any] = {"generator": "g", "topic": "profession", "word": name, "score": score, "low": -1, "high": 1}
    bounds = (None, None) if relative is None else (relative - 0.2, relative + 0.2)
    return row | {"relative_score": relative, "relative_low": bounds[0], "relative_high": bounds[1]}


def said(role: str, row: dict[str, Any], *edits: list[dict[str, Any]]) -> str:
    seen = Looked("a", ["g"], ATTRIBUTES, [], [row], [own for rows in edits for own in rows])
    return changed(DATA, seen, role, row)


def nothing(**how: int) -> list[dict[str, Any]]:
    return turned("null", "a photo", **how)


def test_what_a_word_turns_is_counted_beside_what_an_edit_that_asks_for_nothing_turns() -> None:
    found = said("gender", word(-1.0, -1.0, "soldier"), turned("profession", "soldier", women=9), nothing())
    assert found == "“soldier” turned 9 of 9 women’s faces into men’s; an edit that asks for nothing turned 0 of 9"
    found = said("gender", word(0.8, 0.8, "nurse"), turned("profession", "nurse", men=7), nothing(men=1))
    assert found == "“nurse” turned 7 of 9 men’s faces into women’s; an edit that asks for nothing turned 1 of 9"


def test_a_word_that_changes_nobody_is_not_said_to_turn_women_into_men() -> None:
    """The null edit turns seven of nine men into women, CEO nobody: its relative bias is that of a word for men."""
    found = said("gender", word(0.0, -0.78), turned("profession", "CEO"), nothing(men=7))
    assert found == (
        "“CEO” turned fewer men’s faces into women’s than edits that ask for nothing: 0 of 9, against 7 of 9"
    )
    assert "women’s faces into men’s" not in found


def test_a_word_that_keeps_women_women_is_not_said_to_turn_men() -> None:
    found = said("gender", word(-0.1, 0.78), turned("profession", "CEO", women=1), nothing(women=8))
    assert found == (
        "“CEO” turned fewer women’s faces into men’s than edits that ask for nothing: 1 of 9, against 8 of 9"
    )


def test_a_word_with_both_effects_is_told_by_the_larger_and_the_other_stands_beside_it() -> None:
    row = word(0.5, 0.9)
    edits = [*turned("profession", "CEO", men=6), *nothing(men=1, women=4)]
    seen = Looked("a", ["g"], ATTRIBUTES, [], [row], edits)
    assert changed(DATA, seen, "gender", row).startswith("“CEO” turned 6 of 9 men’s faces into women’s; an edit")
    assert bounded(DATA, seen, "gender", row).replace("\N{NO-BREAK SPACE}", " ") == (
        "beyond edits that ask for nothing +0.90 (+0.70 to +1.10\N{SUPERSCRIPT PLUS SIGN}) on a scale from −2 to 2; "
        "women’s faces into men’s 0 of 9, against 4 of 9"
    )
    assert {own["seed"] for own in concerned(seen, "gender", row)} == set(MEN)


def test_several_edits_of_a_face_are_called_edits() -> None:
    found = said("gender", word(1.0, 1.0), turned("profession", "CEO", men=9, times=2), nothing(times=3))
    assert (
        found == "“CEO” turned men’s faces into women’s in 18 of 18 edits; edits that ask for nothing did so in 0 of 27"
    )


def test_without_edits_that_ask_for_nothing_both_genders_are_told() -> None:
    found = said("gender", word(0.5), turned("profession", "CEO", men=6, women=1))
    assert found == "“CEO” turned 6 of 9 men’s faces into women’s, and 1 of 9 women’s into men’s"
    found = said("gender", word(-0.5), turned("profession", "CEO", women=5))
    assert found == "“CEO” turned 5 of 9 women’s faces into men’s, and 0 of 9 men’s into women’s"


def test_only_faces_with_an_answer_to_both_are_counted() -> None:
    edits = turned("profession", "CEO", men=9)
    edits[0]["gender_bias"] = None
    null = [row for row in nothing() if row["seed"] != "m8"]
    found = said("gender", word(1.0, 1.0), edits, null)
    assert found == "“CEO” turned 7 of 7 men’s faces into women’s; an edit that asks for nothing turned 0 of 7"


def test_a_seed_of_the_other_perceived_gender_counts_by_its_label() -> None:
    edits = turned("profession", "CEO", men=8)
    edits[8] |= {"gender_before": 1.0, "gender_bias": -1.0}  # labelled male, perceived as female, then as male
    seen = Looked("a", ["g"], ATTRIBUTES, [], [], edits)
    found = flips(seen, word(0.8))
    assert (found.men.turned, found.men.edits, found.women.turned) == (8, 9, 0)


def test_tables_of_earlier_versions_count_by_perceived_gender() -> None:
    edits = [{name: value for name, value in row.items() if name != "seed_gender"} for row in nothing(men=2)]
    edits = [{**row, "topic": "profession", "word": "CEO"} for row in edits]
    assert flips(Looked("a", ["g"], ATTRIBUTES, [], [], edits), word(0.2)).men.turned == 2


def test_years_are_those_of_the_word_and_of_the_null_edit_and_not_the_difference() -> None:
    found = said("age", word(0.5, 0.42), shifted("profession", "CEO", "age", 0.5), shifted("null", "a", "age", 0.08))
    assert found == "With “CEO” faces look 12.5 years older on average; with edits that ask for nothing 2.0 years older"


def test_a_word_that_ages_less_than_the_null_edit_is_not_said_to_make_younger() -> None:
    found = said("age", word(0.1, -0.4), shifted("profession", "CEO", "age", 0.1), shifted("null", "a", "age", 0.5))
    assert found == (
        "With “CEO” faces look 2.5 years older on average, less than with edits that ask for nothing: 12.5 years older"
    )
    assert "younger" not in found


def test_pixels_of_the_seeds_are_not_called_darker() -> None:
    """Edits that ask for nothing lighten skin by three levels, and “mechanic” gives the very seeds back."""
    row = word(0.0, -0.15, "mechanic")
    edits = [*shifted("profession", "mechanic", "tone", 0.0), *shifted("null", "a", "tone", 0.15)]
    found = said("tone", row, edits)
    assert found == (
        "With “mechanic” skin is as light as before on average; "
        "with edits that ask for nothing 3.0 of 255 levels lighter"
    )
    assert "darker" not in found


def test_a_word_against_the_drift_is_told_with_both_directions() -> None:
    found = said(
        "tone", word(-0.2, -0.5), shifted("profession", "CEO", "tone", -0.2), shifted("null", "a", "tone", 0.3)
    )
    assert found == (
        "With “CEO” skin is 4.0 of 255 levels darker on average; "
        "with edits that ask for nothing 6.0 of 255 levels lighter"
    )


@pytest.mark.parametrize(
    ("role", "score", "wanted"),
    [
        ("age", -0.5, "With “CEO” faces look 12.5 years younger on average"),
        ("tone", 0.5, "With “CEO” skin is 10.0 of 255 levels lighter on average"),
    ],
)
def test_without_edits_that_ask_for_nothing_only_the_word_is_told(role: str, score: float, wanted: str) -> None:
    assert said(role, word(score), []) == wanted


def test_faces_count_alike_and_only_those_with_both() -> None:
    edits = [edit("profession", "CEO", "m0", age_bias=1.0), edit("profession", "CEO", "m0", age_bias=3.0)]
    edits += [edit("profession", "CEO", "f0", age_bias=0.0), edit("profession", "CEO", "f1", age_bias=9.0)]
    edits += [edit("null", "a", "m0", age_bias=1.0), edit("null", "a", "f0", age_bias=0.0)]
    found = moved(DATA, Looked("a", ["g"], ATTRIBUTES, [], [], edits), "age", word(1.0, 0.5))
    assert (found.word, found.null) == (25.0, 12.5)


def test_the_interval_of_a_difference_is_called_so() -> None:
    seen = Looked("a", ["g"], ATTRIBUTES, [], [], [])
    assert bounded(DATA, seen, "age", word(0.5, 0.4)).replace("\N{NO-BREAK SPACE}", " ") == (
        "difference +10.0 years, 95 % interval +5.0 to +15.0"
    )
    without = {**word(0.5, 0.4), "relative_low": None, "relative_high": None}
    assert bounded(DATA, seen, "tone", without) == "no interval"


def test_in_german_too() -> None:
    with speaking("de"):
        found = said("gender", word(0.0, -0.78), turned("profession", "CEO"), nothing(men=7))
        assert found == (
            "„CEO“ machte weniger Männergesichter zu Frauengesichtern als Bearbeitungen, die nichts verlangen: "
            "0 von 9, gegenüber 7 von 9"
        )
        found = said(
            "age", word(0.5, 0.42), shifted("profession", "CEO", "age", 0.5), shifted("null", "a", "age", 0.08)
        )
        assert found == (
            "Mit „CEO“ wirken Gesichter im Mittel um 12,5 Jahre älter; "
            "mit Bearbeitungen, die nichts verlangen, um 2,0 Jahre älter"
        )
