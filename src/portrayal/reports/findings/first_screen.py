"""The first screen: a verdict on each model, the deviations behind it, who is shown, and what the data cannot tell."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from portrayal.language.translation import t
from portrayal.reports.data import ReportData
from portrayal.reports.findings.deviations.deviation import Answer, Deviation, Ranking, Statement
from portrayal.reports.findings.deviations.selection import Selection, select
from portrayal.reports.findings.order import Standing, standings
from portrayal.reports.findings.overview import TermTable, overall_lines, side_by_side, term_tables
from portrayal.reports.findings.power import enough_words
from portrayal.reports.findings.scope import scope
from portrayal.reports.findings.uncompared import typical_distance, uncompared_languages, uncompared_lines
from portrayal.reports.findings.verdict import Verdict, Word, verdict
from portrayal.reports.findings.words.missing_words import missing_lines
from portrayal.reports.findings.words.verdict_words import Compared, verdict_sentence, verdict_word
from portrayal.reports.sections.missing_images import unmade
from portrayal.reports.text.words import aspect_title, join, known

__all__ = ["FirstScreen", "ModelCard", "first_screen"]

LISTED = 60
"""Deviations of one model that are listed in all; further ones are counted."""


@dataclass(frozen=True, slots=True)
class ModelCard:
    """One model: the verdict, what is shown openly, what is folded, how many more deviations there are, and how many of
    all are only possible.

    ``scores`` are those of methods, each with its title and what the ends of its scale mean, but for those by which
    models are put in order above.
    ``unmade`` says why it has no image at all, where it has none: then that is what was found. ``answers`` are what
    methods say of it first; the verdict on all comparisons then follows. ``uncompared`` names terms that no
    comparison is about. ``refuted`` are readings that deviate and that labels do not bear out: they are no findings.
    """

    generator: str
    verdict: Verdict
    word: str
    sentence: str
    first: Sequence[Statement]
    folded: Sequence[Statement]
    more: int
    possible: int
    compared: int
    overall: Sequence[str]
    terms: Sequence[TermTable]
    missing: Sequence[str]
    enough: str = ""
    scores: Sequence[tuple[str, str, str]] = ()
    unmade: str = ""
    answers: Sequence[Answer] = ()
    uncompared: Sequence[str] = ()
    refuted: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class FirstScreen:
    """What the first screen shows."""

    selection: Selection
    models: Sequence[ModelCard]
    shares: Sequence[tuple[str, Sequence[tuple[str, str]]]]
    """By what is shown, over all prompts, the share of each of several models."""
    rankings: Sequence[Standing]
    scope: Sequence[tuple[str, str]]
    unordered: bool = False
    """Whether models have numbers to be put in order by, but images of different prompts."""

    @property
    def statements(self) -> list[Statement]:
        """Every deviation in words, openly or folded."""
        return [statement for model in self.models for statement in (*model.first, *model.folded)]

    @property
    def repeated(self) -> int:
        """How many deviations found say of another group, or by another annotator, what one that is listed says."""
        return len(self.selection.found) - len(self.selection.in_order)

    @property
    def thumbnails(self) -> list[bytes]:
        """Every picture it shows."""
        return [thumb.thumbnail for statement in self.statements for thumb in statement.pictures]


def first_screen(
    data: ReportData,
    deviations: Iterable[Deviation],
    rankings: Iterable[Ranking],
    answers: Sequence[Mapping[str, Answer]] = (),
    measured: Container[str] | None = None,
) -> FirstScreen:
    """Return what is shown first; models stand as they are given, or as the first ranking tells them apart.

    ``answers`` are what methods say of models first, ``measured`` the attributes that the page has numbers of; None:
    all of them.
    """
    selection = select(list(deviations), data.looks)
    scores = list(rankings)
    ordered = [ranking for ranking in scores if ranking.ordered and len(ranking.models) > 1]
    alike = [ranking for ranking in ordered if _same_prompts(data, ranking)]
    standing = standings(alike, data.looks)
    first = [place.generator for place in standing[0].places] if standing and standing[0].apart else []
    names = [*first, *(name for name in _with_cards(data) if name not in first)]
    titles = {ranking.title for ranking in standing}
    left = [ranking for ranking in scores if ranking.title not in titles]
    models = [
        replace(
            _card(data, name, selection, left, _openly(len(names))),
            answers=[by_model[name] for by_model in answers if name in by_model],
        )
        for name in names
    ]
    shares = side_by_side(data, selection.threshold) if len(names) > 1 else []
    return FirstScreen(
        selection,
        models,
        shares=shares,
        rankings=standing,
        scope=scope(data, selection, measured),
        unordered=len(alike) < len(ordered),
    )


def _with_cards(data: ReportData) -> list[str]:
    """Return the models of which there is anything to say: faces that others edit are no model's answers."""
    measured = {row.generator for row in data.measurements}
    if not data.editing or not measured:
        return list(data.generators)
    return [name for name in data.generators if name in measured or not data.outcomes.get(name, {}).get("made")]


def _openly(models: int) -> int:
    """Return how many deviations of each model are shown openly."""
    return 3 if models <= 2 else 2 if models <= 4 else 1


def _same_prompts(data: ReportData, ranking: Ranking) -> bool:
    """Return whether the models have usable images of the same prompts: only then can they be put in order."""
    sets = {model.prompt_set for model in ranking.models}
    if len(sets) > 1:
        return False
    models = {model.generator for model in ranking.models}
    made = {frozenset(prompts) for name, prompts in data.made_of.items() if name in models}
    return sets != {""} or len(made) <= 1


def _card(
    data: ReportData, generator: str, selection: Selection, rankings: Sequence[Ranking], openly: int
) -> ModelCard:
    mine = [deviation for deviation in selection.in_order if deviation.generator == generator]
    sure = [deviation for deviation in mine if selection.is_sure(deviation)]
    statements = [deviation.word() for deviation in mine[:LISTED]]
    openly = min(openly, len(sure))
    compared = [deviation for deviation in selection.compared if deviation.generator == generator]
    uncompared = uncompared_lines(data, generator, selection)
    judged = verdict(
        generator,
        selection,
        data.tolerance,
        complete=not uncompared,
        typical=typical_distance(data, generator)[0] if compared else 0.0,
    )
    return ModelCard(
        generator,
        judged,
        word=verdict_word(judged, data.tolerance),
        sentence=_without_numbers(data, generator, compared)
        or (_not_compared(data, generator, selection) if judged.word is Word.NOT_COMPARED else "")
        or verdict_sentence(judged, data.tolerance, _compared(data, selection, compared, len(mine) - len(sure))),
        first=statements[:openly],
        folded=statements[openly:],
        more=max(len(mine) - LISTED, 0),
        possible=len(mine) - len(sure),
        compared=len(compared),
        overall=overall_lines(data, generator, selection),
        terms=term_tables(data, generator, selection),
        missing=missing_lines(data, generator),
        enough=enough_words(judged.reach) if judged.reach else "",
        scores=[(ranking.title, text, ranking.scale) for ranking in rankings if (text := _text(ranking, generator))],
        unmade=unmade(data, generator),
        uncompared=uncompared,
        refuted=_refuted(compared, selection)[:LISTED],
    )


def _refuted(compared: Sequence[Deviation], selection: Selection) -> list[str]:
    """Return what would be said openly as it was read, and is not so by the labels, the surest first.

    What is surely on the other side by the labels is a finding itself, whose sentence says as what it was read.
    """
    others = (deviation for deviation in compared if not selection.is_sure(deviation))
    read = [refuted for deviation in others if (refuted := deviation.refuted)]
    sure = sorted((refuted for refuted in read if refuted.p <= selection.threshold), key=lambda refuted: refuted.p)
    return [refuted.word() for refuted in sure]


def _without_numbers(data: ReportData, generator: str, compared: Sequence[Deviation]) -> str:
    """Say that a model has no number at all, or was asked for groups alone; nothing otherwise.

    That no reference was chosen is something else.
    """
    if data.has_numbers(generator):
        if compared or not data.prompts or any(text not in data.requesting for _, _, text in data.prompts):
            return ""
        return t("Every prompt asks for a group itself, so there is nothing to compare with.")
    return t("This model has no numbers: none of its pictures could be used, or nobody has looked at them yet.")


def _not_compared(data: ReportData, generator: str, selection: Selection) -> str:
    """Say why nothing was compared, where that is not that no reference was chosen; nothing where it is."""
    perceived = [row for row in data.measurements if row.generator == generator and row.attribute]
    perceived = [row for row in perceived if row.metric != "missing" and known(row.value) is not None]
    shares = any(row.metric == "share" and row.attribute in data.attributes for row in perceived)
    if data.uncovering or (shares and selection.compared):
        return t("The reference that was chosen has no figures for these terms, so there is nothing to compare with.")
    if selection.compared and not perceived:
        return t("None of this model’s pictures could be compared as those of others were.")
    return "" if shares else t("Nothing in this model’s pictures was to be compared with a reference.")


def _compared(data: ReportData, selection: Selection, deviations: Sequence[Deviation], possible: int = 0) -> Compared:
    topics = dict.fromkeys(
        aspect_title(deviation.topic, data.attributes) for deviation in deviations if deviation.topic
    )
    _, attribute, item = typical_distance(data, deviations[0].generator) if deviations else (0.0, "", "")
    opposed = ", ".join(filter(None, [item, aspect_title(attribute, data.attributes) if attribute else ""]))
    sure = sum(map(selection.is_sure, deviations))
    languages = not any(uncompared_languages(data, name, selection) for name in {own.generator for own in deviations})
    return Compared(len(deviations), sure, join(list(topics)), opposed, possible, languages=languages)


def _text(ranking: Ranking, generator: str) -> str:
    return next((model.text for model in ranking.models if model.generator == generator), "")
