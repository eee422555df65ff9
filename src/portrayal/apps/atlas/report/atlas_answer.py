"""The first sentence of an atlas: what was found, what was not, and what the models are too few for."""

from __future__ import annotations

from portrayal.apps.atlas.evaluations.atlas_summary import ProtocolSummary
from portrayal.apps.atlas.evaluations.verdicts import About, State, Verdict
from portrayal.apps.atlas.report.atlas_verdicts import evidence, named
from portrayal.language.translation import t
from portrayal.methods.atlas_part import score_kind
from portrayal.reports.text.words import capital, count, decimal, human, join

__all__ = ["answer", "corrected", "proofs"]

TESTED = (State.found, State.none)
_BEYOND_TIME = (About.category, About.scheduler, About.popularity)


def answer(section: ProtocolSummary) -> str:
    """Return the sentence; findings come first."""
    clauses = [*_found(section), *_none(section), *_open(section)]
    return capital("; ".join(clauses)) + "."


def proofs(section: ProtocolSummary) -> list[str]:
    """Return the sentences behind it, with numbers: of all questions that were tested, those about a kind if found."""
    shown = [
        verdict
        for verdict in section.verdicts
        if verdict.state is State.found or (verdict.state is State.none and verdict.group is None)
    ]
    return [_of_kind(verdict) + evidence(section, verdict) for verdict in shown]


def corrected(tests: int, confidence: float) -> str:
    """Say what the page does about asking so many questions."""
    if tests < 2:
        return ""
    level = decimal(100 * confidence, 1)
    return t(
        "Corrected for {n} comparisons on this page: where models have no trend or difference, a page reports one "
        "at most about once in twenty times. That is why intervals are {level} % intervals.",
        n=tests,
        level=level,
    )


def _of_kind(verdict: Verdict) -> str:
    return "" if verdict.group is None else t("{kind} only:", kind=capital(human(verdict.group))) + " "


def _found(section: ProtocolSummary) -> list[str]:
    trends = [verdict for verdict in section.asked(About.time) if verdict.state is State.found]
    clauses = []
    if changes := [_change(verdict) for verdict in trends if verdict.group is None]:
        clauses.append(t("newer models {changes}", changes=join(changes)))
    all_models = {(verdict.score, verdict.value > 0) for verdict in trends if verdict.group is None}
    for verdict in trends:
        rises = verdict.value > 0
        if verdict.group is not None and (verdict.score, rises) not in all_models:
            told = {"score": _score(verdict), "kind": human(verdict.group)}
            clauses.append(
                t("{score} rises among newer models of the kind {kind} (trend)", **told)
                if rises
                else t("{score} falls among newer models of the kind {kind} (trend)", **told)
            )
    for about in _BEYOND_TIME:
        clauses += [_difference(verdict) for verdict in section.asked(about) if verdict.state is State.found]
    return clauses


def _change(verdict: Verdict) -> str:
    score = score_kind(verdict.score)
    words = score.rises if verdict.value > 0 else score.falls
    if words:
        return t("{change} (trend)", change=t(words))
    if verdict.value > 0:
        return t("have a higher {score} (trend)", score=named(score))
    return t("have a lower {score} (trend)", score=named(score))


def _difference(verdict: Verdict) -> str:
    score = _score(verdict)
    if verdict.about is About.category:
        return t("kinds of models differ in {score}", score=score)
    if verdict.about is About.scheduler:
        return t("schedulers differ in {score}", score=score)
    if verdict.value > 0:
        return t("more popular models have a higher {score}", score=score)
    return t("more popular models have a lower {score}", score=score)


def _none(section: ProtocolSummary) -> list[str]:
    clauses = []
    flat = [verdict for verdict in section.asked(About.time) if verdict.state is State.none and verdict.group is None]
    if flat:
        clauses.append(t("no trend in {scores} was found", scores=join([_score(verdict) for verdict in flat])))
    words = {About.category: t("kinds of models"), About.scheduler: t("schedulers")}
    alike = [words[verdict.about] for about in words for verdict in section.asked(about) if verdict.state is State.none]
    score = named(score_kind(section.score))
    if alike:
        clauses.append(t("no difference in {score} between {groups} was found", score=score, groups=join(alike)))
    if any(verdict.state is State.none for verdict in section.asked(About.popularity)):
        clauses.append(t("no relation between {score} and popularity was found", score=score))
    return clauses


def _open(section: ProtocolSummary) -> list[str]:
    """Return what cannot be said, and why."""
    clauses = []
    words = {
        About.time: t("trends"),
        About.category: t("kinds of models"),
        About.scheduler: t("schedulers"),
        About.popularity: t("popularity"),
    }
    few = [words[about] for about in words if _too_few(section, about)]
    if len(few) == len(words):
        dated = max(verdict.models for verdict in section.asked(About.time))
        return [
            t(
                "too few models to say anything about trends, kinds of models, schedulers or popularity "
                "({n|model|models}, {dated} with a date)",
                n=len(section.columns.current),
                dated=count(dated),
            )
        ]
    if few:
        clauses.append(t("too few models to tell about {things}", things=join(few)))
    moved = sorted({verdict.score for verdict in section.verdicts if verdict.state is State.images})
    if moved:
        names = join([named(score_kind(name)) for name in moved])
        clauses.append(t("{scores} cannot be compared, because the numbers of images differ", scores=names))
    return clauses


def _too_few(section: ProtocolSummary, about: About) -> bool:
    """Return whether nothing could be asked about it, for want of models or of different values."""
    states = {verdict.state for verdict in section.asked(about) if verdict.group is None}
    return not states & {*TESTED, State.images}


def _score(verdict: Verdict) -> str:
    return named(score_kind(verdict.score))
