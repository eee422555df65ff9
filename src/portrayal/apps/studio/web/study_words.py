"""What a study will do and has done, in the words of the page: the command's own lines are for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from portrayal.apps.studio.new.sample_choices import time_words
from portrayal.apps.studio.web.run_words import stage_name
from portrayal.errors import MissingExtraError, MissingOptionError
from portrayal.language.numbers import count
from portrayal.language.translation import t
from portrayal.reports.text.words import human
from portrayal.study.plan.workload import Workload, workloads
from portrayal.study.status import Status
from portrayal.study.study import OpenStudy

__all__ = ["outlook_words", "status_rows"]


def outlook_words(study: OpenStudy) -> list[str]:
    """Return who will draw and look at how many images, and how long that takes."""
    try:
        work = list(workloads(study))
    except MissingOptionError:
        return [t("How many images that makes is known once all its options are set.")]
    except MissingExtraError:
        return [t("How many images that makes is known once all its parts are installed.")]
    lines = [_task(task) for task in work if task.images]
    if study.config.imports:
        lines.insert(0, t("Pictures come in from the study's folder, and are looked at."))
    if study.config.sampling:
        lines.append(
            t(
                "Drawn in rounds: these are the most; the first round takes {n|image|images} of each prompt.",
                n=study.config.sampling.pilot,
            )
        )
    return lines


def _task(task: Workload) -> str:
    words = {
        "draws": t("{who} draws {n|image|images}", who=task.who, n=task.images),
        "edits": t("{who} edits {n|image|images}", who=task.who, n=task.images),
        "draws and edits": t("{who} draws and edits {n|image|images}", who=task.who, n=task.images),
    }
    said = words.get(task.does) or t("{who} looks at {n|image|images}", who=task.who, n=task.images)
    if task.seconds is None:
        return t("{said}. How long that takes is shown once it runs.", said=said)
    return t("{said}: {time} on two cores.", said=said, time=time_words(task.seconds))


def status_rows(status: Status) -> Sequence[tuple[str, str, str, str]]:
    """Return what was drawn, looked at and is missing: stage, who, what, images."""
    return [(stage_name(stage), who, _what(what), count(int(n))) for stage, who, what, n in status.table()]


def _what(label: str) -> str:
    """Return what became of images; a label is a word, or a word with a reason."""
    words = {
        "made": t("drawn"),
        "pending": t("still to do"),
        "judged": t("looked at"),
        "refused": t("refused"),
        "failed": t("failed"),
        "rejected": t("drawn, and not accepted"),
        "abstained": t("nothing could be judged"),
        "different pictures": t("different pictures among them"),
        "pictures both made": t("pictures that both drew"),
    }
    word, _, reason = label.partition(": ")
    said = words.get(word) or human(word)
    return f"{said}: {human(reason)}" if reason else said
