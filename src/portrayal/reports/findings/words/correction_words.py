"""What becomes of a finding once the annotator's errors are put right, in words."""

from __future__ import annotations

from portrayal.language.translation import t
from portrayal.reports.corrected_share import Change, CorrectedShare
from portrayal.reports.text.words import percent, percent_range

__all__ = ["becomes", "corrected_text", "does_not_survive"]


def corrected_text(share: CorrectedShare) -> str:
    """Return the corrected share with its interval."""
    ends = percent_range(share.low, share.high)
    return t("unknown") if share.value is None else f"{percent(share.value)} ({ends})"


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
