"""Images that are the same picture: what that means for the numbers."""

from __future__ import annotations

from collections.abc import Iterator

from portrayal.language.translation import t
from portrayal.reports.data import ReportData
from portrayal.reports.text.words import count

__all__ = ["repeat_lines"]


def repeat_lines(data: ReportData) -> Iterator[str]:
    """Say of each generator how many images are the same picture again, and that they count once."""
    for generator in data.generators:
        made = data.outcomes.get(generator, {}).get("made", 0)
        again = data.repeats.get(generator, 0)
        if again:
            yield t(
                "{again} of {n|image|images} by {generator} are exact repeats of another image of the same prompt. "
                "Repeats count once everywhere.",
                again=count(again),
                n=made,
                generator=generator,
            )
        several = made - again - data.distinct.get(generator, made - again)
        if several > 0 and not data.editing:
            yield t(
                "{generator} answered different prompts with the same picture {n|time|times}. Such a picture counts "
                "for each of its prompts, and intervals over several prompts are wider for it.",
                generator=generator,
                n=several,
            )
