"""What was found among the models of an atlas, in words: a sentence for each question, with its number and interval."""

from __future__ import annotations

from portrayal.apps.atlas.evaluations.atlas_summary import ProtocolSummary
from portrayal.apps.atlas.evaluations.verdicts import About, GroupMean, State, Verdict
from portrayal.apps.atlas.report.atlas_numbers import margin, value_with_interval
from portrayal.language.translation import t
from portrayal.methods.atlas_part import ScoreKind, score_kind
from portrayal.reports.text.words import capital, count, decimal, human

__all__ = ["evidence", "named", "titled", "trend_verdict"]


def named(score: ScoreKind) -> str:
    """Return a score as it stands within a sentence."""
    name = human(score.title)
    return f"{name} ({score.symbol})" if score.symbol else name


def titled(score: ScoreKind) -> str:
    """Return a score as a title, or at the beginning of a sentence."""
    return capital(named(score))


def evidence(section: ProtocolSummary, verdict: Verdict) -> str:
    """Return a sentence with the number, its interval and how many models it is about."""
    score = titled(score_kind(verdict.score))
    if verdict.state is State.images:
        return _by_images(section.columns.images or (0, 0), score)
    if verdict.state is State.equal:
        return _equal(verdict, score)
    if verdict.about is About.time:
        return _over_time(verdict, score)
    if verdict.about is About.popularity:
        return _popularity(verdict, score)
    return _groups(verdict, score)


def _by_images(images: tuple[int, int], score: str) -> str:
    low, high = (count(number) for number in images)
    return t(
        "{score} changes with the number of images, and the models have {low} to {high} images: not compared.",
        score=score,
        low=low,
        high=high,
    )


def _equal(verdict: Verdict, score: str) -> str:
    if not verdict.varying:
        return t("{score} is the same in all {n|model|models}.", score=score, n=verdict.models)
    return t(
        "{score}: too few models to tell, because all but {varying} of {n|model|models} have the same value.",
        score=score,
        varying=count(verdict.varying),
        n=verdict.models,
    )


def _over_time(verdict: Verdict, score: str) -> str:
    told: dict[str, str | int] = {"score": score, "n": verdict.models}
    if verdict.state is State.day:
        return t("{score}: no trend can be seen, because all {n|model has|models have} the same date.", **told)
    if verdict.state is State.few:
        return t("{score}: too few models to see a trend ({n|model|models} with a date).", **told)
    told["change"] = value_with_interval(verdict.value, verdict.low, verdict.high, sign=True)
    if verdict.state is State.found:
        rises = verdict.value > 0
        if rises:
            return t("{score} rises in newer models: {change} a year, {n|model|models}.", **told)
        return t("{score} falls in newer models: {change} a year, {n|model|models}.", **told)
    return t(
        "{score}: no trend found; one of {margin} a year or more would probably have shown ({change} a year, "
        "{n|model|models}).",
        margin=margin(verdict.margin),
        **told,
    )


def trend_verdict(verdict: Verdict) -> tuple[str, str]:
    """Return the change a year and what it comes to, as cells of a table."""
    state = verdict.state
    if state is State.day:
        return "", t("all have the same date: no trend can be seen")
    if state is State.few:
        return "", t("too few models to tell")
    if state is State.equal:
        return "", t("too few models with different values to tell") if verdict.varying else t(
            "all have the same value"
        )
    if state is State.images:
        return "", t("not compared: different numbers of images")
    change = value_with_interval(verdict.value, verdict.low, verdict.high, sign=True)
    if state is State.found:
        return change, t("rises") if verdict.value > 0 else t("falls")
    return change, t("no trend found; {margin} a year or more would probably have shown", margin=margin(verdict.margin))


def _groups(verdict: Verdict, score: str) -> str:
    kinds = verdict.about is About.category
    if verdict.state is State.few:
        if kinds:
            return t(
                "{score}: too few models to tell whether kinds of models differ; that takes two kinds of 5 or more.",
                score=score,
            )
        return t(
            "{score}: too few models to tell whether schedulers differ; that takes two of 5 models or more.",
            score=score,
        )
    told: dict[str, str | int] = {"score": score, "n": verdict.models, "p": _p(verdict.p)}
    if verdict.state is State.found:
        assert verdict.highest is not None
        assert verdict.lowest is not None
        told |= {"high": _mean(verdict.highest), "low": _mean(verdict.lowest)}
        if kinds:
            return t(
                "{score} differs between kinds of models: {high} has the highest mean, {low} the lowest ({p}).", **told
            )
        return t("{score} differs between schedulers: {high} has the highest mean, {low} the lowest ({p}).", **told)
    told["margin"] = margin(verdict.margin)
    if kinds:
        return t(
            "{score}: no difference between kinds of models found; one kind that lies {margin} or more above or below "
            "the others would probably have shown ({p}, {n|model|models}).",
            **told,
        )
    return t(
        "{score}: no difference between schedulers found; one scheduler that lies {margin} or more above or below the "
        "others would probably have shown ({p}, {n|model|models}).",
        **told,
    )


def _mean(group: GroupMean) -> str:
    value = value_with_interval(group.mean, group.low, group.high)
    return t("{name} ({value}; {n|model|models})", name=human(group.name), value=value, n=group.models)


def _p(p: float) -> str:
    return t("corrected p below 0.001") if p < 0.001 else t("corrected p = {p}", p=decimal(p, 0 if p == 1 else 3))


def _popularity(verdict: Verdict, score: str) -> str:
    told: dict[str, str | int] = {"score": score, "n": verdict.models}
    if verdict.state is State.few:
        return t(
            "{score}: too few models to tell whether it goes with popularity ({n|model has|models have} likes, "
            "downloads and this score).",
            **told,
        )
    told["rho"] = value_with_interval(verdict.value, verdict.low, verdict.high, digits=2)
    if verdict.state is State.found:
        if verdict.value > 0:
            return t("{score} is higher in more popular models: Spearman {rho}, {n|model|models}.", **told)
        return t("{score} is lower in more popular models: Spearman {rho}, {n|model|models}.", **told)
    return t(
        "{score}: no relation with popularity found; a Spearman correlation of {margin} or more would probably have "
        "shown ({rho}, {n|model|models}).",
        margin=margin(verdict.margin),
        **told,
    )
