from __future__ import annotations

import re

from portrayal.methods.faintbench.suite.terms import coded_occupations
from portrayal.suites.isco import isco_parents, isco_title


def test_every_occupation_is_mapped_or_has_no_group() -> None:
    found = list(coded_occupations())
    assert len(found) == 179
    assert [own.name for own in found if not own.isco] == [
        "Business Student", "Doctoral Student", "Literature Student", "Research Assistant", "STEM Student",
        "Urban Wanderer",
    ]  # fmt: skip
    for own in found:
        if own.isco:
            assert re.fullmatch(r"\d{4}", own.isco), own.name
            assert all(isco_title(part) for part in (own.isco, *isco_parents(own.isco))), own.name
