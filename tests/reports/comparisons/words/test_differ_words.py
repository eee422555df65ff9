"""How many comparisons differ: one differs, two differ, in both languages and by both corrections."""

from __future__ import annotations

import pytest

from portrayal.language.translation import NBSP, speaking
from portrayal.reports.comparisons.difference import Correction
from portrayal.reports.comparisons.words.differ_words import differ_words


@pytest.mark.parametrize("correction", ["holm", "benjamini-hochberg"])
@pytest.mark.parametrize(
    ("language", "found", "said"),
    [
        ("en", 1, "1 of 45 comparisons differs by more"),
        ("en", 2, "2 of 45 comparisons differ by more"),
        ("de", 1, "1 von 45 Vergleichen zeigt mehr"),
        ("de", 2, "2 von 45 Vergleichen zeigen mehr"),
    ],
)
def test_one_differs_and_two_differ(language: str, found: int, said: str, correction: Correction) -> None:
    with speaking(language):
        assert differ_words(found, 45, correction).replace(NBSP, " ").startswith(said)
