"""Shares put right by people's labels, as rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from portrayal.api.rows.table_rows import Rows
from portrayal.records import PartNames, schema_of
from portrayal.reports.corrected_share import CorrectedShare

__all__ = ["Corrected"]

_TEXTS = ("generator", "annotator", "attribute", "group", "level", "item", "language", "variant", "method")
_SEEN = ("value", "low", "high", "target")
_SCHEMA = schema_of(
    " ".join([*(f"{name}:text" for name in _TEXTS), *(f"{name}:float" for name in _SEEN)])
    + " n:int by:text corrected:float corrected_low:float corrected_high:float difference:float difference_low:float "
    "difference_high:float labels:int decides:bool uneven:bool finding:text"
)


class Corrected(Rows):
    """Rows of a correction; see :meth:`portrayal.Study.corrected`."""

    def __init__(self, shares: Sequence[CorrectedShare], names: PartNames) -> None:
        super().__init__(pa.Table.from_pylist([_row(share, names) for share in shares], _SCHEMA))
        self.shares = shares
        """The same as objects, by the identities of generators and annotators."""


def _row(share: CorrectedShare, names: PartNames) -> Mapping[str, Any]:
    seen = share.seen
    row = {name: getattr(seen, name) for name in (*_TEXTS, *_SEEN, "n")}
    numbers = {"": share.value, "_low": share.low, "_high": share.high}
    from_target = {
        f"difference{end}": None if number is None or seen.target is None else number - seen.target
        for end, number in numbers.items()
    }
    return {
        **row,
        "generator": names.generator(seen.generator),
        "annotator": names.annotator(seen.annotator),
        "by": share.way,
        **{f"corrected{end}": number for end, number in numbers.items()},
        **from_target,
        "labels": share.labels,
        "decides": share.decides,
        "uneven": share.uneven,
        "finding": share.change or None,
    }
