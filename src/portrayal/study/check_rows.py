"""What annotators yield, looked at before it is stored: what nobody could read would stay in the tables for ever."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from portrayal.annotators import Annotator
from portrayal.records import PERSON, Abstention, Attribute, Observation
from portrayal.study.error_line import shown

__all__ = ["check_rows"]

_PERSON = Attribute(PERSON, "shows people", ("yes", "no"))


def check_rows(annotator: Annotator, images: Collection[str], rows: Sequence[Any]) -> None:
    """Raise a TypeError or ValueError that says what is wrong with the rows about some images."""
    known, own = {PERSON: _PERSON, **{attribute.name: attribute for attribute in annotator.attributes}}, set(images)
    for row in rows:
        if not isinstance(row, Observation | Abstention):
            raise TypeError(f"it gave {shown(row)}; give Observation(image.id, …) or Abstention(image.id, …)")
        if row.image not in own:
            raise ValueError(f"it speaks of the image {shown(row.image)}, which it was not shown; give image.id")
        if row.annotator != annotator.name:
            raise ValueError(f"it calls itself {shown(row.annotator)} and is {annotator.name!r}; give self.name")
        if row.attribute is not None and row.attribute not in known:
            raise ValueError(f"it tells {shown(row.attribute)}, which is none of its attributes: {', '.join(known)}")
        if isinstance(row, Observation) and row.mass is not None:
            groups = known[row.attribute].groups
            if len(row.mass) != len(groups):
                raise ValueError(f"its masses of {row.attribute}: {len(row.mass)}, and there are {len(groups)} groups")
