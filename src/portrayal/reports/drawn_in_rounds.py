"""How the images of an adaptive run were drawn: what was wanted, what each look decided, why there are no more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from portrayal.language.translation import t
from portrayal.records import Stop

__all__ = ["DrawnInRounds", "DrawnPrompt", "state_words", "stop_words", "waiting_words"]


@dataclass(frozen=True, slots=True)
class DrawnPrompt:
    """A prompt of a generator: what was looked at, how many images there may be by now, and why there are no more.

    ``half_width`` is that of the widest interval at the last look. ``most`` is what there could be.
    """

    generator: str
    prompt: str
    about: str
    images: int
    most: int
    reason: str
    half_width: float | None = None


@dataclass(frozen=True, slots=True)
class DrawnInRounds:
    """How far an adaptive run is.

    ``looks`` of at most ``planned`` ones (0: no end) were made. A p-value counts ``times``, ``confidence`` is that of
    intervals, which miss with a chance of at most ``error_rate`` where drawing stopped. Those of ``attribute`` of each
    ``unit`` were to be twice ``half_width`` wide, or a ``policy`` decided. ``unfinished`` images of this round have no
    answer yet, or were not looked at.
    """

    looks: int
    planned: int
    times: int
    confidence: float
    prompts: Sequence[DrawnPrompt]
    attribute: str = ""
    group: str = ""
    unit: str = ""
    half_width: float = 0.0
    policy: str = ""
    unfinished: int = 0
    error_rate: float = 0.05

    def named(self, name: Callable[[str], str]) -> DrawnInRounds:
        """Return the same with what generators are called."""
        return replace(self, prompts=[replace(each, generator=name(each.generator)) for each in self.prompts])

    @property
    def images(self) -> int:
        """How many images there may be by now."""
        return sum(prompt.images for prompt in self.prompts)

    @property
    def most(self) -> int:
        """How many there could have been."""
        return sum(prompt.most for prompt in self.prompts)

    @property
    def is_over(self) -> bool:
        """Whether nothing more is drawn."""
        return bool(self.prompts) and all(prompt.reason for prompt in self.prompts)

    @property
    def reasons(self) -> Sequence[tuple[str, int]]:
        """Why no more is drawn, in words, of how many prompts; the commonest first."""
        return [
            (stop_words(reason), number) for reason, number in Counter(p.reason for p in self.prompts).most_common()
        ]


def state_words(drawn: DrawnInRounds) -> str:
    """Return whether the run is over, and why of how many prompts nothing more is drawn."""
    if not drawn.is_over:
        return t(
            "The run is not over: some prompts are still to get more images. In the middle of a round, "
            "numbers are provisional; finish it with: portrayal run."
        )
    of = len(drawn.prompts)
    reasons = [t("{reason} ({n} of {of})", reason=reason, n=number, of=of) for reason, number in drawn.reasons]
    return t("The run is over. Why no more is drawn of a prompt by a model: {reasons}.", reasons="; ".join(reasons))


def waiting_words(images: int) -> str:
    """Return that a run whose images are all asked for at once is not over: so many are not there yet."""
    return t(
        "The run is not over: {n|image is|images are} still to be drawn or looked at, and numbers count what is not "
        "there as missing. Finish it with: portrayal run.",
        n=images,
    )


def stop_words(reason: str) -> str:
    """Return why no more images of a prompt are drawn."""
    words = {
        Stop.NONE: t("not stopped: more are drawn"),
        Stop.NARROW: t("the interval is narrow enough"),
        Stop.DECIDED: t("its scenarios are decided"),
        Stop.UNASKED: t("no scenario is about it"),
        Stop.NOT_BY_IMAGES: t("more images would hardly decide anything"),
        Stop.UNUSABLE: t("none of its pictures can be used"),
        Stop.MOST_OF_PROMPT: t("it has the most images that a prompt may have"),
        Stop.MOST_IN_ALL: t("the study has the most images that it may have"),
        Stop.LOOKS: t("there are no more rounds"),
    }
    return words[Stop(reason)]
