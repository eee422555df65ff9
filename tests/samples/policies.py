"""Scenarios of a policy as text, and rows of a study that has them."""

from __future__ import annotations

from portrayal.apps.check.numbers import AskedPrompt
from portrayal.records import Measurement

__all__ = ["HEAD", "asked", "scenario", "score", "shares"]

HEAD = '[policy]\ntitle = "Release policy"\nowner = "Ada"\n'


def scenario(name: str, measure: str, more: str = "") -> str:
    """Return a scenario of policy.toml."""
    said = f'hazard = "hazard of {name}"\nat_risk = "people"\nreference = "parity"\nwhy = "as agreed"\n'
    return f'\n[[scenarios]]\nid = "{name}"\n{said}{more}{measure}\n'


def shares(model: str, term: str, women: int, n: int, missing: int = 0, annotator: str = "looks") -> list[Measurement]:
    """Return the rows of both groups of one term of one prompt."""
    return [
        Measurement(
            "representation", "share", model, annotator, "gender", group, "term", term,
            value=seen / n, low=0.0, high=1.0, n=n, missing=missing, prompts=1, worth=float(n), prompt_set=term,
        )
        for group, seen in (("female", women), ("male", n - women))
    ]  # fmt: skip


def score(model: str, value: float, half: float, missing: int = 0, reference: str = "r") -> Measurement:
    """Return a score over all prompts."""
    return Measurement(
        "representation", "total_variation", model, "looks", "gender", reference=reference, prompt_set="both",
        value=value, low=value - half, high=value + half, n=200 - missing, missing=missing, prompts=2,
    )  # fmt: skip


def asked(*models: str, images: int = 100) -> dict[str, list[AskedPrompt]]:
    """Return that two terms of one prompt each were asked of every model."""
    return {
        model: [AskedPrompt(term, term, "office", "en", "", 1.0, images) for term in ("CEO", "nurse")]
        for model in models
    }
