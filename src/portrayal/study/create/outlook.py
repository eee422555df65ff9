"""What running a study will come to, before anything is done: how many images, and about how long."""

from __future__ import annotations

import shlex

from portrayal.bundles import bundles
from portrayal.errors import MissingExtraError, MissingOptionError
from portrayal.study.importing.declared import read_declared
from portrayal.study.importing.folders.image_files import other_files
from portrayal.study.plan.sample_assumptions import expected
from portrayal.study.plan.sample_plan import POWER, deviations_seen, first_of_a_term
from portrayal.study.plan.sample_words import rounds_words, sees_words
from portrayal.study.plan.workload import LOOKS, Workload, workloads
from portrayal.study.sampling.settings import TOLERANCE
from portrayal.study.study import OpenStudy

__all__ = ["costs_line", "duration_words", "outlook"]

_SHORT, _MINUTE, _HOUR, _DAY = 45, 60, 3600, 86400


def outlook(study: OpenStudy) -> list[str]:
    """Return lines that say what will come in, be drawn and be looked at, and about how long that takes."""
    brought = [file for declared in study.config.imports for file in read_declared(study, declared)]
    ignored = set(other_files(brought))
    files = [file for file in brought if file.path not in ignored]
    try:
        work = list(workloads(study, brought=len(files)))
    except MissingOptionError:
        return ["how many images that makes, and how long it takes, depends on the options that are not set yet"]
    except MissingExtraError:
        return ["how many images that makes, and how long it takes, is known once all parts are installed"]
    models = _counted(len({file.model for file in files}), "model")
    lines = [f"{_counted(len(files), 'file')} of {models} come in"] if files else []
    # Of files that come in, some may turn out to be broken, or the same picture.
    most = "up to " if files else ""
    lines += [
        f"{task.who} {task.does} {most if task.does == LOOKS else ''}{_counted(task.images, 'image')}: {_time(task)}"
        for task in work
    ]
    if sampling := study.config.sampling:
        lines.append(
            f"drawn in rounds: these are the most; the first round takes {sampling.pilot} images of each prompt"
        )
    return lines + _sees(study)


def costs_line(study: OpenStudy) -> list[str]:
    """Return the line that says which command shows what a study costs, where somebody is paid."""
    try:
        paid = any(task.paid for task in workloads(study))
    except (MissingOptionError, MissingExtraError):
        return []
    return [f"what that costs at most: portrayal run {shlex.quote(str(study.root))} --dry-run"] if paid else []


def _sees(study: OpenStudy) -> list[str]:
    """Say how large deviations must be to be found, and what rounds take, where shares of people are asked about."""
    drawing = [role.images for role in study.generators.values() if role.images]
    things = any(bundle.asks_for_things for name, bundle in bundles().items() if name in _methods(study))
    if not drawing or study.edits or things:
        return []
    given, sampling = expected(study), study.config.sampling
    said = [sees_words(*deviations_seen(given, min(drawing), POWER), POWER)]
    if sampling is None or (sampling.about.attribute and sampling.about.of == "term"):
        half = sampling.tolerance if sampling else TOLERANCE
        said.append(rounds_words(half, first_of_a_term(given, sampling)))
    return said


def _methods(study: OpenStudy) -> set[str]:
    return {config.use for config in study.config.methods}


def duration_words(seconds: float) -> str:
    """Return a time as one would say it.

    >>> [duration_words(seconds) for seconds in (3, 100, 3000, 5000, 40_000, 400_000)]
    ['under a minute', 'about 2 minutes', 'about 50 minutes', 'about 1.5 hours', 'about 11 hours', 'about 5 days']
    """
    if seconds < _SHORT:
        return "under a minute"
    for unit, name, least in ((_DAY, "day", 2 * _DAY), (_HOUR, "hour", _HOUR), (_MINUTE, "minute", 0)):
        if seconds >= least:
            number = seconds / unit
            told = round(number) if number >= 10 or unit != _HOUR else round(2 * number) / 2
            return f"about {told:g} {name}{'' if told == 1 else 's'}"
    raise AssertionError("unreachable")


def _time(work: Workload) -> str:
    if work.seconds is not None:
        return f"{duration_words(work.seconds)} on two cores"
    whose = "on the service" if work.paid else "on the model and the machine"
    return f"how long depends {whose}; once it has begun, the time left is told"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
