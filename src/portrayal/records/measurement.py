"""A number with its uncertainty, what it is about, and how much data stands behind it."""

from __future__ import annotations

from dataclasses import dataclass

from portrayal.records.arrow_rows import record_schema
from portrayal.records.codes.note import NOTES_TYPE, Note, notes_of

__all__ = ["MEASUREMENT_SCHEMA", "Measurement"]


@dataclass(frozen=True, slots=True)
class Measurement:
    """A row of ``tables/measurements``.

    ``level`` is ``overall``, ``category`` or ``term`` and ``item`` names the category or term. ``value`` is None
    when there is no data, and ``notes`` say why. ``low`` and ``high`` bound the 95 % interval, which is around
    ``corrected`` where few images are known to shift the value, and else around the value. ``target`` is what
    the reference says the value should be, ``planted`` what the generator was made to do, where either is known;
    ``drawn`` is the share of the used images in which the group really was planted, which chance moves off ``planted``.
    ``n`` counts what the value rests on, ``missing`` what was asked for and could not be used. ``language`` and
    ``variant`` are set where a value speaks only of the prompts in one language or one way of asking.

    The interval is about these prompts: only their images vary. ``worth`` is as many independent images as know a share
    as well. ``like_low`` and ``like_high`` bound the value of prompts like these, of which others might have been
    asked. ``prompt_set`` names the prompts with usable images: numbers of equal ones are about the same prompts.
    ``looks`` is how many times a p-value counts where images were drawn in rounds, each maybe the last.
    """

    method: str
    metric: str
    generator: str
    annotator: str = ""
    attribute: str = ""
    group: str = ""
    level: str = "overall"
    item: str = ""
    reference: str = ""
    value: float | None = None
    low: float | None = None
    high: float | None = None
    target: float | None = None
    planted: float | None = None
    drawn: float | None = None
    n: int = 0
    missing: int = 0
    prompts: int = 0
    notes: tuple[Note, ...] = ()
    language: str = ""
    variant: str = ""
    corrected: float | None = None
    worth: float | None = None
    like_low: float | None = None
    like_high: float | None = None
    prompt_set: str = ""
    looks: int = 1

    def __post_init__(self) -> None:
        if type(self.notes) is not tuple:  # as it comes from a table
            object.__setattr__(self, "notes", notes_of(self.notes))
        object.__setattr__(self, "looks", self.looks or 1)  # an older version did not write it


MEASUREMENT_SCHEMA = record_schema(Measurement, notes=NOTES_TYPE)
