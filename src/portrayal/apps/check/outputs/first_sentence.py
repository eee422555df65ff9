"""The first sentence of a check: how many scenarios pass, fail, and need more images."""

from __future__ import annotations

from portrayal.apps.check.checking import PolicyResult, ScenarioResult
from portrayal.apps.check.decisions.judging import Reason
from portrayal.apps.check.decisions.limits import Verdict
from portrayal.apps.check.outputs.numbers_text import plain
from portrayal.apps.check.policy.scenario import BaselineMeasure
from portrayal.language.numbers import count
from portrayal.language.translation import t

__all__ = ["first_sentence"]


def first_sentence(result: PolicyResult) -> str:
    """Return the answer to who asks whether it may ship."""
    total, passed = len(result.scenarios), result.counted(Verdict.PASS)
    if result.verdict is Verdict.PASS:
        return plain(_passes(total, sum(each.overdue for each in result.scenarios)))
    failed, short = result.counted(Verdict.FAIL), sum(each.needs_images for each in result.scenarios)
    waiting = sum(each.waits for each in result.scenarios)
    near = sum(_may_be_decided(each) for each in result.scenarios)
    open_ones = result.counted(Verdict.UNDECIDED) - short - near - waiting
    parts = []
    if failed:
        parts.append((failed, t("fails"), t("fail")))
    if short:
        more = result.more_images
        needs = t("needs about {n|more image|more images}", n=more), t("need about {n|more image|more images}", n=more)
        parts.append((short, *needs))
    if waiting:
        waits = t("waits for images that are not there yet"), t("wait for images that are not there yet")
        parts.append((waiting, *waits))
    if near:
        undecided = (
            t("is undecided, which more images alone may not change"),
            t("are undecided, which more images alone may not change"),
        )
        parts.append((near, *undecided))
    if open_ones:
        undecided = (
            t("is undecided, which more images alone will not change"),
            t("are undecided, which more images alone will not change"),
        )
        parts.append((open_ones, *undecided))
    if passed:
        parts.append((passed, t("passes"), t("pass")))
    (first, *_), *others = parts
    said = parts[0][1] if first == 1 else parts[0][2]
    of = t("{first} of {n|scenario|scenarios} {said}", first=count(first), n=total, said=said)
    rest = [f"{count(number)} {one if number == 1 else many}" for number, one, many in others]
    words = ", ".join([of, *rest])
    return plain(t("Not ready: {words}.", words=words) if failed else t("Not decided: {words}.", words=words))


def _passes(total: int, late: int) -> str:
    """Return that all scenarios pass, and whether reviews of them are overdue."""
    if not late:
        return t("Ready: all {n} scenarios pass.", n=count(total)) if total > 1 else t("Ready: the scenario passes.")
    passes = t("All {n} scenarios pass", n=count(total)) if total > 1 else t("The scenario passes")
    if late == 1:
        return t("{passes}, but a review is overdue: hold it first.", passes=passes)
    return t("{passes}, but {n} reviews are overdue: hold them first.", passes=passes, n=count(late))


def _may_be_decided(result: ScenarioResult) -> bool:
    """Return whether images could decide an undecided scenario, though no number of them is advised."""
    if result.verdict is not Verdict.UNDECIDED or result.waits:
        return False
    by_chance = [each for each in result.undecided if each.more_images is None]
    beside = isinstance(result.scenario.measure, BaselineMeasure)
    reasons = (Reason.NEAR_LIMIT, Reason.FEW) if beside else (Reason.NEAR_LIMIT,)
    return bool(by_chance) and all(each.judged.reason in reasons for each in by_chance)
