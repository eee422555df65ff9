"""The verdict on each model, as its card in the report says it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from portrayal.reports.data import ReportData, in_order
from portrayal.reports.findings.first_screen import FirstScreen, ModelCard
from portrayal.reports.summary.plain_names import PlainNames
from portrayal.reports.text.words import join

__all__ = ["MOST_MODELS", "ModelVerdict", "by_word", "model_verdicts"]

MOST_MODELS = 8
"""Models that have a line; more are counted."""


@dataclass(frozen=True, slots=True)
class ModelVerdict:
    """The verdict on one model: what methods answer about it, the verdict in a word or two, and the sentence."""

    name: str
    answers: Sequence[str]
    word: str
    sentence: str


def model_verdicts(data: ReportData, first: FirstScreen, names: PlainNames) -> list[ModelVerdict]:
    """Return the verdicts in the order of study.toml."""
    cards = {model.generator: model for model in first.models}
    return [_verdict(cards[name], names) for name in in_order(data, list(cards))[:MOST_MODELS]]


def _verdict(model: ModelCard, names: PlainNames) -> ModelVerdict:
    if model.unmade:
        return ModelVerdict(names(model.generator), (), "", names(model.unmade))
    answers = [names(answer.sentence) for answer in model.answers]
    return ModelVerdict(names(model.generator), answers, names(model.word), names(model.sentence))


def by_word(verdicts: Sequence[ModelVerdict]) -> list[ModelVerdict]:
    """Return the verdicts without the sentences behind them, those of one word on one line."""
    plain: dict[str, list[str]] = {}
    for each in verdicts:
        if each.word and not each.answers:
            plain.setdefault(each.word, []).append(each.name)
    together = [ModelVerdict(join(names), (), word, "") for word, names in plain.items()]
    others = [each for each in verdicts if each.answers or not each.word]
    return [*together, *(replace(each, sentence="") if each.word else each for each in others)]
