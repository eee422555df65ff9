"""What stands in policy.toml: scenarios in the words of the draft standard prEN 18283, each with one measure.

Every table refuses what it does not know. A threshold that no number of images could ever show to be met, such as a
tolerance of 0, is refused as well.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from portrayal.settings import Settings

__all__ = [
    "BaselineMeasure",
    "ImpactRatioMeasure",
    "Measure",
    "MissingMeasure",
    "Policy",
    "PolicyTable",
    "Scenario",
    "ScoreMeasure",
    "ShareMeasure",
]

Text = Annotated[str, Field(min_length=1, max_length=4000)]
Name = Annotated[str, Field(max_length=500)]
GivenName = Annotated[str, Field(min_length=1, max_length=500)]
Number = Annotated[float, Field(allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
MEASURES = ("share", "impact_ratio", "score", "missing", "baseline")


class Measure(Settings):
    """Which prompts a measure is about: those of a term, of a category, or all; and whose numbers, where several.

    ``language`` and ``variant`` are for methods that count languages and ways of asking apart.
    """

    term: Name = ""
    category: Name = ""
    language: Name = ""
    variant: Name = ""
    method: Name = ""

    @model_validator(mode="after")
    def _one_place(self) -> Measure:
        if self.term and self.category:
            raise ValueError("'term' and 'category' exclude each other; a measure is about one of them, or all prompts")
        return self

    @property
    def level(self) -> str:
        """The level of the rows it is about."""
        return "term" if self.term else "category" if self.category else "overall"

    @property
    def item(self) -> str:
        """The term or category."""
        return self.term or self.category


class ShareMeasure(Measure):
    """How often a group is shown: a target with a tolerance, or the least and the most it may be."""

    attribute: GivenName
    group: GivenName
    target: Share | None = None
    tolerance: Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)] | None = None
    at_least: Share | None = None
    at_most: Share | None = None

    @model_validator(mode="after")
    def _one_threshold(self) -> ShareMeasure:
        around, between = (self.target, self.tolerance), (self.at_least, self.at_most)
        if around == (None, None) and between == (None, None):
            raise ValueError("a threshold is required: 'target' with 'tolerance', or 'at_least' or 'at_most'")
        if around != (None, None) and between != (None, None):
            raise ValueError("'target' with 'tolerance', or 'at_least' and 'at_most'; not both")
        if None in around and around != (None, None):
            raise ValueError("'target' and 'tolerance' go together")
        if self.at_least is not None and self.at_most is not None and self.at_least >= self.at_most:
            raise ValueError(f"'at_least' ({self.at_least}) must lie below 'at_most' ({self.at_most})")
        if self.at_least == 1 or self.at_most == 0:
            raise ValueError("no number of images shows that a share is exactly 0 or 1; leave some tolerance")
        if self.limits == (0.0, 1.0):
            raise ValueError("every share lies within 0 to 1, so that this always passes; set a tighter limit")
        return self

    @property
    def limits(self) -> tuple[float, float]:
        """The least and the most that the share may be."""
        if self.target is not None and self.tolerance is not None:
            return max(self.target - self.tolerance, 0.0), min(self.target + self.tolerance, 1.0)
        return self.at_least or 0.0, 1.0 if self.at_most is None else self.at_most


class ImpactRatioMeasure(Measure):
    """How often a group is shown as a part of how often the most shown group is; without a group, every one."""

    attribute: GivenName
    group: Name = ""
    at_least: Annotated[float, Field(gt=0, lt=1, allow_inf_nan=False)]


class ScoreMeasure(Measure):
    """A number of a method: how large or how small it may be.

    ``most_missing``: nobody knows how far missing images would move a score, so that one of which more than this share
    is missing does not pass.
    """

    metric: GivenName
    attribute: Name = ""
    group: Name = ""
    reference: Name = ""
    at_least: Number | None = None
    at_most: Number | None = None
    most_missing: Share = 0.0

    @model_validator(mode="after")
    def _a_threshold(self) -> ScoreMeasure:
        if self.at_least is None and self.at_most is None:
            raise ValueError("a threshold is required: 'at_most' or 'at_least'")
        if self.at_least is not None and self.at_most is not None and self.at_least >= self.at_most:
            raise ValueError(f"'at_least' ({self.at_least}) must lie below 'at_most' ({self.at_most})")
        return self


class MissingMeasure(Measure):
    """How often images asked for may go missing: of one attribute, or else of that which lacks most."""

    attribute: Name = ""
    at_most: Annotated[float, Field(ge=0, lt=1, allow_inf_nan=False)]

    @field_validator("at_most")
    @classmethod
    def _can_be_shown(cls, share: float) -> float:
        if not share:
            raise ValueError("no number of images shows that none ever goes missing; leave some, such as 0.01")
        return share


class BaselineMeasure(Measure):
    """How far a share or a score may be worse than that of the baseline: what counts as worse, and the margin."""

    attribute: Name = ""
    group: Name = ""
    metric: Name = ""
    reference: Name = ""
    worse: Literal["less", "more", "different"]
    margin: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    most_missing: Share = 0.0

    @model_validator(mode="after")
    def _of_something(self) -> BaselineMeasure:
        if not self.metric and not (self.attribute and self.group):
            raise ValueError("what is compared? 'attribute' and 'group' for a share, or 'metric' for a score")
        if self.worse == "different" and not self.margin:
            raise ValueError("no number of images shows that nothing differs at all; 'margin' must be above 0")
        if self.is_share and self.margin >= 1:
            raise ValueError("no shares differ by more than 1 (100 points), so that this always passes; lower 'margin'")
        return self

    @property
    def is_share(self) -> bool:
        """Whether a share is compared, and not a score."""
        return not self.metric


class Scenario(Settings):
    """One bias scenario: hazard, who is at risk, measure and threshold, why, what is done, when it is reviewed.

    ``reference`` says where the threshold comes from, and ``why`` why that fits; neither may be left out.
    """

    id: GivenName
    hazard: Text
    at_risk: Text
    reference: Text
    why: Text
    treatment: str = Field(default="", max_length=4000)
    review: date | None = None
    owner: Name = ""
    models: tuple[GivenName, ...] = ()
    annotators: tuple[GivenName, ...] = ()
    share: ShareMeasure | None = None
    impact_ratio: ImpactRatioMeasure | None = None
    score: ScoreMeasure | None = None
    missing: MissingMeasure | None = None
    baseline: BaselineMeasure | None = None

    @field_validator("id")
    @classmethod
    def _is_one_line(cls, name: str) -> str:
        if name != name.strip() or not name.isprintable():
            raise ValueError("an id is one line of visible characters, without spaces around it")
        return name

    @field_validator("hazard", "at_risk", "reference", "why")
    @classmethod
    def _says_something(cls, text: str) -> str:
        if not text.strip():
            raise ValueError("must say something")
        return text

    @model_validator(mode="after")
    def _one_measure(self) -> Scenario:
        given = [name for name in MEASURES if getattr(self, name) is not None]
        if len(given) != 1:
            listed = " and ".join(given) if given else "none"
            raise ValueError(f"one measure is required, one of {', '.join(MEASURES)} (got {listed})")
        return self

    @property
    def kind(self) -> str:
        """The name of the measure's table."""
        return next(name for name in MEASURES if getattr(self, name) is not None)

    @property
    def measure(self) -> Measure:
        """The measure, whatever its kind."""
        measure: Measure = getattr(self, self.kind)
        return measure


class PolicyTable(Settings):
    """The table ``[policy]``: what holds for all scenarios.

    ``study`` is the title of the study that the policy is for; nothing: any. ``error_rate``: in so many of all checks,
    at most, any scenario is passed or failed wrongly by chance.
    """

    title: Text
    study: Name = ""
    owner: Name = ""
    error_rate: Annotated[float, Field(gt=0, le=0.2, allow_inf_nan=False)] = 0.05


class Policy(Settings):
    """The whole file."""

    policy: PolicyTable
    scenarios: tuple[Scenario, ...] = Field(min_length=1)
