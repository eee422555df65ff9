"""What a policy says of a study, asked through the library: one verdict, and each rule with what it rests on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import portrayal
from portrayal.apps.studio.decisions.rule_words import rule_words
from portrayal.language.numbers import count
from portrayal.language.translation import spoken, t
from portrayal.records import Attribute

__all__ = ["Decision", "RuleAnswer", "check_policy_file"]

_ORDER = ("fail", "undecided", "pass")


@dataclass(frozen=True, slots=True)
class RuleAnswer:
    """A rule beside what was found about one model; ``more_images`` would decide it, None where none would."""

    id: str
    asks: str
    verdict: str
    words: str
    more_images: int | None


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdict over all rules, a sentence that says it, and the rules, those that fail first.

    So many more images of each prompt, ``per_prompt``, would decide those that are open.
    """

    verdict: str
    sentence: str
    answers: Sequence[RuleAnswer]
    remarks: Sequence[str]
    per_prompt: int

    @property
    def advice(self) -> list[str]:
        """What to do now."""
        verdicts = {answer.verdict for answer in self.answers}
        stuck = any(answer.verdict == "undecided" and answer.more_images is None for answer in self.answers)
        said = []
        if "fail" in verdicts:
            said.append(
                t(
                    "More images of the same model will hardly change what is not met. Change the model, its prompts "
                    "or its settings, and check the new version with the same rules."
                )
            )
        if stuck:
            said.append(t("Some open rules need more than images; the reason stands beside each."))
        if verdicts == {"pass"}:
            said.append(
                t(
                    "Every rule is met, in these prompts and as far as the annotator sees right. Keep the policy for "
                    "the next version."
                )
            )
        if self.per_prompt:
            said.append(
                t(
                    "About {n|more image|more images} of each prompt would probably decide the open rules.",
                    n=self.per_prompt,
                )
            )
        return said


def check_policy_file(study: Path, policy: Path, attributes: Mapping[str, Attribute]) -> Decision:
    """Decide, as ``portrayal check`` does."""
    told = portrayal.check(study, policy, language=spoken()).to_dict()
    answers = [
        RuleAnswer(
            scenario["id"], rule_words(scenario, attributes), answer["verdict"], answer["words"], answer["more_images"]
        )
        for scenario in told["scenarios"]
        for answer in scenario["answers"]
    ]
    answers.sort(key=lambda answer: _ORDER.index(answer.verdict))
    return Decision(
        told["verdict"], _sentence(told["scenarios"]), answers, told["remarks"], told["more_images_per_prompt"]
    )


def _sentence(rules: Sequence[Mapping[str, Any]]) -> str:
    """Return how many rules are met, not met and open."""
    counted = Counter(rule["verdict"] for rule in rules)
    if len(rules) == 1:
        return {"fail": t("The rule is not met."), "undecided": t("The rule is open."), "pass": t("The rule is met.")}[
            rules[0]["verdict"]
        ]
    said = {
        "fail": t("{n} not met", n=count(counted["fail"])),
        "undecided": t("{n} open", n=count(counted["undecided"])),
        "pass": t("{n} met", n=count(counted["pass"])),
    }
    words = ", ".join(said[verdict] for verdict in _ORDER if counted[verdict])
    return t("Of {n|rule|rules}: {said}.", n=len(rules), said=words)
