"""A check as plain data: what ``--json`` prints, and a later check reads as its baseline."""

from __future__ import annotations

from typing import Any

from portrayal.apps.check.baseline import stored_row
from portrayal.apps.check.checking import Answer, PolicyResult
from portrayal.apps.check.outputs.first_sentence import first_sentence
from portrayal.apps.check.outputs.remarks import remarks
from portrayal.apps.check.outputs.result_words import answer_words
from portrayal.reports.text.words import known

__all__ = ["result_json", "scenario_rows"]


def result_json(result: PolicyResult) -> dict[str, Any]:
    """Return everything about a check."""
    about = result.file.policy.policy
    return {
        "verdict": result.verdict.value,
        "sentence": first_sentence(result),
        "remarks": remarks(result),
        "not_over": result.not_over,
        "study": result.study,
        "policy": {**about.model_dump(mode="json"), "file": str(result.file.path)},
        "confidence": result.confidence,
        "more_images": result.more_images,
        "more_images_per_prompt": result.more_images_per_prompt,
        "scenarios": [
            {
                **each.scenario.model_dump(mode="json", exclude_none=True),
                "owner": each.scenario.owner or about.owner,
                "line": each.line,
                "verdict": each.verdict.value,
                "review_overdue": each.overdue,
                "answers": [_answer(answer) for answer in each.answers],
            }
            for each in result.scenarios
        ],
        "weights": result.numbers.weights,
        "measurements": _measurements(result),
    }


def scenario_rows(result: PolicyResult) -> list[dict[str, Any]]:
    """Return the answers, each with the id of its scenario."""
    return [{"id": each.scenario.id, **_answer(answer)} for each in result.scenarios for answer in each.answers]


def _answer(answer: Answer) -> dict[str, Any]:
    question, judged = answer.question, answer.judged
    row = question.one.row if question.one else None
    return {
        "model": question.model,
        "annotator": question.annotator,
        "group": question.group or getattr(question.measure, "group", ""),
        "verdict": judged.verdict.value,
        "reason": judged.reason.value,
        "value": known(judged.value),
        "low": known(judged.low),
        "high": known(judged.high),
        "least": known(judged.limits.least),
        "most": known(judged.limits.most),
        "n": row.n if row else 0,
        "missing": row.missing if row else 0,
        "more_images": answer.more_images,
        "words": answer_words(answer),
    }


def _measurements(result: PolicyResult) -> list[dict[str, Any]]:
    """Return every number that was used, once."""
    rows = {}
    for each in result.scenarios:
        for answer in each.answers:
            for row in (answer.question.one, *answer.question.groups):
                if row is not None:
                    rows[row.row] = stored_row(row)
    return list(rows.values())
