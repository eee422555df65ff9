"""What an adaptive run may still draw after this round, if nothing stops it before its maximum."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from portrayal.study.sampling.drawn_rounds import read_rounds
from portrayal.study.sampling.next_round import images_asked, rule_digest
from portrayal.study.study import OpenStudy

__all__ = ["LaterRounds", "later_rounds"]


@dataclass(frozen=True, slots=True)
class LaterRounds:
    """By generator, what further images would be asked with; of all these at most so many ``images`` are drawn."""

    texts: dict[str, Counter[str]]
    images: int


def later_rounds(study: OpenStudy) -> LaterRounds:
    """Return the most that rounds after this one may draw: nothing where the run is over, or has no rounds."""
    settings, found = study.config.sampling, LaterRounds({}, 0)
    if settings is None or study.suite is None:
        return found
    if read_rounds(study.workspace, settings).is_over(rule_digest(study)):
        return found
    asked = images_asked(study)
    drawn_with = {prompt.id: prompt.drawn_text for prompt in study.suite.prompts}
    texts: dict[str, Counter[str]] = {}
    for (generator, prompt), images in asked.items():
        more = max(study.generators[generator].images - images, 0)
        texts.setdefault(generator, Counter())[drawn_with[prompt]] += more
    total = sum(each.total() for each in texts.values())
    room = max(settings.most - sum(asked.values()), 0) if settings.most else total
    return LaterRounds(texts, min(total, room))
