from __future__ import annotations

from portrayal.apps.graph.annotations.judgements import Annotator, AnswerChange, Judgement, sheets_of
from portrayal.graph import Key

JUDGE, COOK, RED = Key("occupation", "judge"), Key("occupation", "cook"), Key("race", "red")


def test_a_sheet_has_what_was_judged_and_nothing_else() -> None:
    people = [Annotator(name.lower(), name, "", "", 0.0) for name in ("Ann", "Bob")]
    seen = Judgement("ann", (JUDGE, RED), frozenset({"dominant_in"}), 1.0)
    nothing = Judgement("ann", (RED, JUDGE), frozenset(), 1.0)
    unjudged = Judgement("ann", (COOK, RED), None, 1.0)
    ann, bob = sheets_of(AnswerChange(people, [seen, nothing, unjudged]))
    assert (ann.annotator, ann.judged) == ("Ann", {(JUDGE, RED): {"dominant_in"}, (RED, JUDGE): frozenset()})
    assert (bob.annotator, bob.judged) == ("Bob", {})
