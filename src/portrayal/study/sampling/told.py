"""What is said of an adaptive run: for its page, for status, and for a program."""

from __future__ import annotations

from portrayal.reports.drawn_in_rounds import DrawnInRounds, DrawnPrompt, state_words
from portrayal.study.sampling.drawn_rounds import allowance, read_rounds
from portrayal.study.sampling.next_round import unfinished
from portrayal.study.study import OpenStudy

__all__ = ["drawn_in_rounds", "not_over"]

_PLANNED = """
    SELECT generator, prompt, text, count(*) AS images FROM jobs JOIN prompts ON prompt = prompts.id
    GROUP BY generator, prompt, text ORDER BY generator, text
"""


def drawn_in_rounds(study: OpenStudy) -> DrawnInRounds | None:
    """Return how the images were drawn; None where all are asked for at once."""
    settings = study.config.sampling
    if settings is None:
        return None
    rounds = read_rounds(study.workspace, settings)
    given, prompts = allowance(settings, rounds.looks), []
    for planned in study.workspace.query(_PLANNED).to_pylist():
        role = study.generators.get(planned["generator"])
        row = rounds.by_cell.get((planned["generator"], planned["prompt"]))
        if role is None:
            continue
        prompts.append(
            DrawnPrompt(
                planned["generator"],
                prompt=planned["text"],
                about=row.about if row else "",
                images=planned["images"],
                most=max(role.images, planned["images"]),
                reason=row.reason if row else "",
                half_width=row.half_width if row else None,
            )
        )
    return DrawnInRounds(
        rounds.looks,
        settings.rounds,
        given.times,
        given.confidence,
        prompts,
        attribute=settings.about.attribute,
        group=settings.about.group,
        unit=settings.about.of,
        half_width=settings.tolerance,
        policy=settings.about.policy,
        unfinished=unfinished(study),
        error_rate=settings.error_rate,
    )


def not_over(study: OpenStudy) -> str:
    """Return that an adaptive run is not over, as its page says it; nothing where it is, or has no rounds."""
    drawn = drawn_in_rounds(study)
    return "" if drawn is None or drawn.is_over else state_words(drawn)
