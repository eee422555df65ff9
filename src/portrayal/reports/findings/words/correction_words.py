"""What becomes of a finding once the annotator's errors are put right, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from portrayal.language.numbers import decimal
from portrayal.language.translation import t
from portrayal.records import Measurement
from portrayal.reports.corrected_share import Change, CorrectedScore, CorrectedShare, share_key
from portrayal.reports.findings.words.people_words import read_as
from portrayal.reports.text.wide_intervals import SIGN
from portrayal.reports.text.words import percent, percent_range

__all__ = [
    "becomes",
    "corrected_text",
    "distance_does_not_survive",
    "does_not_survive",
    "read_and_corrected",
]


def corrected_text(share: CorrectedShare) -> str:
    """Return the corrected share with its interval, and the sign of one that is wider than it need be."""
    ends = percent_range(share.low, share.high) + (SIGN if share.wide else "")
    return t("unknown") if share.value is None else f"{percent(share.value)} ({ends})"


def read_and_corrected(share: CorrectedShare) -> str:
    """Say as what pictures were read, and what the share is by the labels."""
    return t(
        "{read}; corrected by {n|labelled picture|labelled pictures}, the share is {share}",
        read=read_as(share.seen),
        n=share.labels,
        share=corrected_text(share),
    )


def does_not_survive(share: CorrectedShare) -> str:
    """Say that a finding does not survive the correction, and why; nothing where it does."""
    if share.change not in ("gone", "reversed"):
        return ""
    if share.value is None:
        return t(
            "Does not survive: by {n|labelled picture|labelled pictures}, the annotator reads these groups too much "
            "alike for any share to be known.",
            n=share.labels,
        )
    values: dict[str, str | int] = {
        "share": percent(share.value),
        "interval": percent_range(share.low, share.high),
        "target": percent(share.seen.target or 0.0),
        "n": share.labels,
    }
    if share.change == "reversed":
        return t(
            "Does not survive: corrected for the annotator’s errors ({n|labelled picture|labelled pictures}) the share "
            "is {share} (95 % interval {interval}), on the other side of the {target} that the reference says.",
            **values,
        )
    return t(
        "Does not survive: corrected for the annotator’s errors ({n|labelled picture|labelled pictures}) the share is "
        "{share} (95 % interval {interval}), which does not exclude the {target} that the reference says.",
        **values,
    )


def distance_does_not_survive(scores: Sequence[CorrectedScore], rows: Sequence[Measurement | None]) -> str:
    """Say of the first of some distances that does not survive the correction that it does not; nothing otherwise."""
    told = [(row.metric, share_key(row)) for row in rows if row]
    for score in scores:
        if score.decides and score.change == "gone" and (score.seen.metric, share_key(score.seen)) in told:
            values: dict[str, str | int] = {"n": score.labels, "high": decimal(score.high)}
            return _gone(score.seen.metric if len(told) > 1 else "", values)
    return ""


def _gone(metric: str, values: Mapping[str, str | int]) -> str:
    """Say that a distance does not survive; of two in one sentence, which of them by its ``metric``."""
    if metric == "mean_total_variation":
        return t(
            "That for a typical prompt does not survive the correction for the annotator’s errors ({n|labelled picture|"
            "labelled pictures}): it may be 0, and is at most {high}.",
            **values,
        )
    if metric:
        return t(
            "That for the average of all prompts does not survive the correction for the annotator’s errors "
            "({n|labelled picture|labelled pictures}): it may be 0, and is at most {high}.",
            **values,
        )
    return t(
        "This distance does not survive the correction for the annotator’s errors ({n|labelled picture|"
        "labelled pictures}): it may be 0, and is at most {high}.",
        **values,
    )


def becomes(change: Change) -> str:
    """Return what becomes of a finding, in a word or two."""
    return {
        "stands": t("survives"),
        "gone": t("does not survive"),
        "reversed": t("is on the other side"),
        "appears": t("appears"),
        "undecided": t("undecided before and after"),
        "": "",
    }[change]
