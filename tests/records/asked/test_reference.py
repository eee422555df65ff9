from __future__ import annotations

from portrayal.records import Reference

HALF = {"male": 0.5, "female": 0.5}
NURSES = {"male": 0.1, "female": 0.9}


def test_a_term_of_its_own_wins_over_the_default_whatever_its_case() -> None:
    reference = Reference("mine", "gender", {"nurse": NURSES}, HALF)
    assert reference.shares("Nurse") == NURSES
    assert reference.shares("judge") == HALF


def test_without_either_there_is_no_comparison() -> None:
    assert Reference("mine", "gender", {"nurse": NURSES}).shares("judge") is None
