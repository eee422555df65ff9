"""What a benchmark asks for and is not there: prompts not asked, prompts without a usable image, unknown prompts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from portrayal.language.translation import t, word
from portrayal.methods.bias_scores.report.benchmark_rows import EXPLICIT, IMPLICIT
from portrayal.records import Measurement, Note
from portrayal.reports.data import ReportData
from portrayal.reports.text.notes import notes_words
from portrayal.reports.text.words import aspect_title, count, join, known, plural

__all__ = ["LIST_BUDGET", "Absences", "Listing", "absences"]

LIST_BUDGET = 3000
"""Lines a list may have on the page: more than all prompts of the published suite."""
NOT_ASKED = "not_asked"
NO_IMAGE = ("no_usable_image", "no_usable_image_because")
VISIBILITY = {IMPLICIT: "implicit", EXPLICIT: "explicit"}


@dataclass(frozen=True, slots=True)
class Listing:
    """A folded list. ``counts`` says how many of each model, ``left_out`` how many lines the page does not show."""

    title: str
    counts: Sequence[tuple[str, str]]
    header: str
    rows: Sequence[tuple[str, str, str]]
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Absences:
    """Every absence, and the reasons that hold for whole attributes rather than for single prompts."""

    not_asked: Listing | None
    no_image: Listing | None
    unknown: Listing | None
    others: Sequence[tuple[str, str]]


def absences(data: ReportData, method: str) -> Absences:
    """Return what is missing, each prompt listed once with the models it is missing from."""
    rows = [row for row in data.measurements if row.method == method and row.level == "prompt"]
    scores = [row for row in rows if row.metric in VISIBILITY]
    gaps = [row for row in scores if known(row.value) is None]
    not_asked = [row for row in gaps if _says(row, NOT_ASKED)]
    no_image = [row for row in gaps if _says(row, *NO_IMAGE)]
    rest = [row for row in gaps if not _says(row, NOT_ASKED, *NO_IMAGE)]
    unknown = [row for row in rows if row.metric == "unknown_prompt"]
    return Absences(
        _not_asked(data, not_asked, scores),
        _no_image(data, no_image, scores),
        _unknown(data, unknown),
        _others(rest),
    )


def _says(row: Measurement, *codes: str) -> bool:
    return any(note.code in codes for note in row.notes)


def _listed(
    title: str, counts: Sequence[tuple[str, str]], header: str, rows: Iterable[tuple[str, str, str]]
) -> Listing:
    every = list(rows)
    return Listing(title, counts, header, every[:LIST_BUDGET], max(len(every) - LIST_BUDGET, 0))


def _models(data: ReportData, generators: Iterable[str]) -> str:
    names = set(generators)
    if len(names) == len(data.generators) > 1:
        return t("all models")
    return ", ".join(name for name in data.generators if name in names)


def _per_model(data: ReportData, rows: Sequence[Measurement], scores: Sequence[Measurement]) -> list[tuple[str, str]]:
    """Say how many prompts of each model, and how many of those are implicit."""
    every = {(row.generator, row.item) for row in scores}
    lost = {(row.generator, row.item): VISIBILITY[row.metric] for row in rows}
    told = []
    for model in data.generators:
        total = sum(generator == model for generator, _ in every)
        kinds = [kind for (generator, _), kind in lost.items() if generator == model]
        split = join([f"{count(kinds.count(kind))} {word(kind)}" for kind in VISIBILITY.values() if kind in kinds])
        text = t("{part} of {n|prompt|prompts}", part=count(len(kinds)), n=total)
        told.append((model, f"{text} ({split})" if split else text))
    return told


def _not_asked(data: ReportData, rows: Sequence[Measurement], scores: Sequence[Measurement]) -> Listing | None:
    if not rows:
        return None
    models: dict[str, set[str]] = {}
    visibility = {row.item: VISIBILITY[row.metric] for row in rows}
    for row in rows:
        models.setdefault(row.item, set()).add(row.generator)
    lines = ((prompt, word(visibility[prompt]), _models(data, generators)) for prompt, generators in models.items())
    return _listed(t("Prompts not asked"), _per_model(data, rows, scores), t("Visibility"), lines)


def _no_image(data: ReportData, rows: Sequence[Measurement], scores: Sequence[Measurement]) -> Listing | None:
    if not rows:
        return None
    asked: dict[tuple[str, str, str], set[str]] = {}
    for row in scores:
        asked.setdefault((row.generator, row.annotator, row.item), set()).add(row.attribute)
    lost: dict[tuple[str, str, str], dict[str, tuple[Note, ...]]] = {}
    for row in rows:
        lost.setdefault((row.generator, row.annotator, row.item), {})[row.attribute] = row.notes
    lines = []
    for key, notes in lost.items():
        generator, annotator, prompt = key
        whole = set(notes) == asked[key]
        names = [aspect_title(name, data.attributes) for name in notes if name]
        about = "" if whole else f"{join(names)}: "
        why = "; ".join(map(notes_words, dict.fromkeys(notes.values())))
        by = generator + t(", seen by {annotator}", annotator=annotator) if len(data.annotators) > 1 else generator
        lines.append((prompt, about + why, by))
    return _listed(t("Prompts without a usable image"), _per_model(data, rows, scores), t("Why"), lines)


def _unknown(data: ReportData, rows: Sequence[Measurement]) -> Listing | None:
    if not rows:
        return None
    # Each annotator may report the same folder: a prompt of a model is one finding.
    images = {(row.generator, row.item): row.n for row in rows}
    counts = []
    for model in data.generators:
        mine = [n for (generator, _), n in images.items() if generator == model]
        counts += [(model, f"{plural(len(mine), 'prompt')}, {plural(sum(mine), 'image')}")] if mine else []
    lines = ((prompt, plural(n, "image"), model) for (model, prompt), n in images.items())
    return _listed(t("Prompts that the suite does not have"), counts, t("Images"), lines)


def _others(rows: Sequence[Measurement]) -> list[tuple[str, str]]:
    """Return each other reason once, with the number of prompts it keeps from a score."""
    reasons: dict[tuple[Note, ...], set[str]] = {}
    for row in rows:
        reasons.setdefault(row.notes, set()).add(row.item)
    return [
        (notes_words(notes) or t("no reason was recorded"), plural(len(prompts), "prompt"))
        for notes, prompts in reasons.items()
    ]
