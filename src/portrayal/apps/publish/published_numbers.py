"""The numbers of a study as they leave it: each with its interval, and with what has to be known to quote it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from portrayal.api.rows.stored_tables import measurement_table
from portrayal.methods.atlas_part import score_kind
from portrayal.records import Attribute
from portrayal.reports.text.words import known
from portrayal.study.measure.nothing_measured import nothing_measured
from portrayal.study.parts.part_names import page_names
from portrayal.study.study import OpenStudy

__all__ = ["CONFIDENCE", "SCOPE", "Number", "numbers_of"]

CONFIDENCE = 0.95
SCOPE = "these prompts only: of other draws only the images would differ"
_NOT_SCORES = frozenset({"missing", "chi_square", "chi_square_p", "difference", "ratio"})
"""What is missing stands beside every number; the others follow from a share and its reference."""
_DISTANCES = frozenset({"total_variation", "mean_total_variation", "kl_divergence", "mean_absolute_deviation"})
_WORDS = ("method", "metric", "attribute", "group", "level", "item", "reference", "language", "variant", "note")
_SHARES = frozenset({"share", "label_share"})


@dataclass(frozen=True, slots=True)
class Number:
    """A measured number. ``model`` and ``annotator`` are what people call them, ``identity`` is the model's own."""

    model: str
    identity: str
    method: str
    metric: str
    annotator: str
    attribute: str
    group: str
    level: str
    item: str
    reference: str
    language: str
    variant: str
    value: float
    low: float | None
    high: float | None
    n: int
    missing: int
    note: str
    lowest: float
    highest: float
    seen_by: str
    prompt_set: str
    """The annotator's own name, and which prompts it is about: numbers of equal ones can be compared."""
    lower_is_better: bool | None
    """None where neither is better, as of a share."""

    @property
    def name(self) -> str:
        """What the number is, in one line."""
        what = f"{self.metric} of {self.group}" if self.group else self.metric
        parts = [self.attribute, self.item, self.language, self.variant]
        seen = f", seen by {self.annotator}" if self.annotator else ""
        against = f", against {self.reference}" if self.reference else ""
        return " / ".join([self.method, what, *filter(None, parts)]) + against + seen

    @property
    def caveats(self) -> str:
        """What has to be known to quote it: interval, images, missing ones, who looked, scope."""
        bounded = self.low is not None and self.high is not None
        interval = f"95 % interval {self.low:.3g} to {self.high:.3g}" if bounded else "no interval"
        looked = f"perceived, by {self.annotator}, whose errors are in it" if self.annotator else ""
        missing = f"{self.n} images, {self.missing} missing"
        return "; ".join(filter(None, (interval, missing, looked, SCOPE, self.note)))


def numbers_of(study: OpenStudy) -> list[Number]:
    """Return what can be published of a measured study, in the order of its table."""
    rows = measurement_table(study.workspace).to_pylist()
    if not rows:
        raise nothing_measured(study)
    return list(_numbers(study, rows))


def _numbers(study: OpenStudy, rows: list[dict[str, Any]]) -> Iterator[Number]:
    names = page_names(study)
    for row in rows:
        value = row["value"]
        if row["metric"] in _NOT_SCORES or value is None or not math.isfinite(value):
            continue
        lowest, highest, lower = _meaning(row, study.attributes)
        words = {name: row[name] or "" for name in _WORDS}
        yield Number(
            model=names.generator(row["generator"]),
            identity=row["generator"],
            annotator=names.annotator(row["annotator"]) if row["annotator"] else "",
            **words,
            value=value,
            low=known(row["low"]),
            high=known(row["high"]),
            n=row["n"],
            missing=row["missing"],
            lowest=min(lowest, value),
            highest=max(highest, value),
            seen_by=row["annotator"] or "",
            prompt_set=row["prompt_set"] or "",
            lower_is_better=lower,
        )


def _meaning(row: Mapping[str, Any], attributes: Mapping[str, Attribute]) -> tuple[float, float, bool | None]:
    """Return the ends of what is possible, and whether less is better."""
    if row["metric"] in _SHARES:
        return 0.0, 1.0, None
    if row["metric"] in _DISTANCES:
        return 0.0, math.inf if row["metric"] == "kl_divergence" else 1.0, True
    attribute = attributes.get(row["attribute"] or "")
    if row["metric"] == "mean" and attribute:
        least, most = attribute.least, attribute.most
        return -math.inf if least is None else least, math.inf if most is None else most, None
    kind = score_kind(row["metric"])
    return kind.lowest, kind.highest, kind.more_is_biased
