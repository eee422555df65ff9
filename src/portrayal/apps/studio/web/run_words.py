"""A run in words."""

from __future__ import annotations

from portrayal.apps.studio.runs.run_state import RunPhase, RunView
from portrayal.language.numbers import count, decimal
from portrayal.language.translation import t

__all__ = ["cost_words", "paid_words", "phase_words", "progress_words", "stage_name"]

_MINUTE, _HOUR = 60, 3600


def phase_words(view: RunView) -> str:
    """Return where a run is, in a sentence."""
    match view.phase:
        case RunPhase.NONE:
            return t("Not run from here yet.")
        case RunPhase.QUEUED:
            return t("Waiting for another run to end.")
        case RunPhase.RUNNING:
            return t("Stopping after this batch.") if view.stopping else t("Running.")
        case RunPhase.DONE:
            return t("Done: the report is ready.")
        case RunPhase.STOPPED:
            return t("Stopped. Nothing is lost; run it again to go on.")
        case RunPhase.KILLED:
            return t(
                "The run ended without a message: it was killed, or this machine stopped. What was done is kept; run "
                "it again to go on."
            )
    return t("The run ended with an error: {line}", line=view.record.line)


def paid_words(usd: float, budget: str = "") -> str:
    """Return what was paid so far, and of how much; empty where nothing was and nothing may be."""
    if budget:
        return t("{usd} of {budget} US dollars so far", usd=decimal(usd, 2), budget=decimal(float(budget), 2))
    return t("{usd} US dollars so far", usd=decimal(usd, 2)) if usd else ""


def cost_words(usd: float | None, spent: float) -> str:
    """Return what all that a study asks costs at most, and what of it is paid; None: nobody knows a price."""
    if usd is None:
        return t("What it costs is not known here: no price is known for one of the services. Set price in study.toml.")
    most = t("All that it asks costs {usd} US dollars at most.", usd=decimal(usd, 2))
    return f"{most} {t('{usd} of it are paid.', usd=decimal(spent, 2))}" if spent else most


def progress_words(view: RunView) -> str:
    """Return how far the present stage is; empty where nothing runs."""
    record = view.record
    if view.phase is not RunPhase.RUNNING or not record.stage:
        return ""
    if not record.total:
        return stage_name(record.stage)
    numbers = {"done": count(record.done), "total": count(record.total)}
    said = t("{stage}: {done} of {total}", stage=stage_name(record.stage), **numbers)
    if (seconds := view.seconds_left) is None:
        return said
    rate = t("{rate} a second", rate=decimal(record.rate, 1))
    return t("{progress}, {rate}, {left}", progress=said, rate=rate, left=_left(seconds))


def stage_name(stage: str) -> str:
    """Return what a stage does, as its record calls it: some are called after the part that works."""
    names = {
        "plan": t("Planning"),
        "generate": t("Drawing"),
        "edit": t("Editing"),
        "annotate": t("Looking at pictures"),
        "compare": t("Comparing pictures"),
        "import": t("Bringing pictures in"),
        "measure": t("Adding up"),
        "report": t("Writing the report"),
    }
    word, _, rest = stage.partition(" ")
    if word not in names:
        return stage
    return f"{names[word]} ({rest})" if rest else names[word]


def _left(seconds: float) -> str:
    if seconds < _MINUTE:
        return t("less than a minute left")
    if seconds < _HOUR:
        return t("about {n|minute|minutes} left", n=round(seconds / _MINUTE))
    return t("about {n|hour|hours} left", n=round(seconds / _HOUR))
