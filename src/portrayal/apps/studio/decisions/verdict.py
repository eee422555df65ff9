"""What a policy says of a study, asked through the library: one verdict, and each rule with what it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import portrayal
from portrayal.language.translation import t

__all__ = ["Decision", "RuleAnswer", "check_policy_file"]

_ORDER = ("fail", "undecided", "pass")


@dataclass(frozen=True, slots=True)
class RuleAnswer:
    """A rule beside what was found about one model; ``more_images`` would decide it, None where none would."""

    id: str
    verdict: str
    words: str
    more_images: int | None


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdict over all rules, a sentence that says it, and the rules, those that fail first."""

    verdict: str
    sentence: str
    answers: Sequence[RuleAnswer]
    remarks: Sequence[str]
    more_images: int

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
        if self.more_images:
            said.append(t("About {n|more image|more images} would decide the open rules.", n=self.more_images))
        return said


def check_policy_file(study: Path, policy: Path) -> Decision:
    """Decide, as ``portrayal check`` does."""
    told = portrayal.check(study, policy).to_dict()
    answers = [
        RuleAnswer(scenario["id"], answer["verdict"], answer["words"], answer["more_images"])
        for scenario in told["scenarios"]
        for answer in scenario["answers"]
    ]
    answers.sort(key=lambda answer: _ORDER.index(answer.verdict))
    return Decision(told["verdict"], told["sentence"], answers, told["remarks"], told["more_images"])
