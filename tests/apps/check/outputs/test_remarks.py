"""What holds for all answers: each remark is right where it stands, and another stands where it would be wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tests.apps.check.outputs.test_result_words import of, women
from tests.samples.policies import scenario

from portrayal.apps.check.checking import PolicyResult
from portrayal.apps.check.outputs.remarks import remarks

Checked = Callable[..., PolicyResult]


def test_what_the_intervals_are_is_said(checked: Checked) -> None:
    one, perceived, *_ = remarks(checked(women("a"), of=of(50)))
    assert perceived == "Decided on what was perceived (looks): errors of the annotator are not allowed for."
    assert one == (
        "Each interval holds in 95 % of cases. At most 5 % of such checks have a wrong pass or fail by chance."
    )
    two, *_ = remarks(checked(women("a") + women("b", "nurse"), of=of(50, 50)))
    assert two.startswith("Each interval holds in 97.5 % of cases, unlike those of 95 % in the report: 2 answers must")
    [counted] = remarks(checked(scenario("m", 'missing = { term = "CEO", at_most = 0.1 }')))
    assert counted.startswith("Each interval holds in 97.5 % of cases, unlike those of 95 % in the report: 2 answers")
    late = remarks(checked(women("a").replace("why", "review = 2026-01-02\nwhy"), of=of(50)))
    assert late[-1] == "Review overdue since 2026-01-02: a (Ada)."


def test_an_adaptive_run_pays_for_its_looks_and_says_so(checked: Checked) -> None:
    """Of one answer it said: "1 answer must be right together"."""
    numbers = of(50)
    looked = replace(numbers, rows=[replace(row, looks=6) for row in numbers.rows])
    first, *_ = remarks(checked(women("a"), of=looked))
    assert first == (
        "Each interval holds in 99.167 % of cases, unlike those in the report: every look at an adaptive run has its "
        "part of the error rate. At most 5 % of such checks have a wrong pass or fail by chance."
    )
