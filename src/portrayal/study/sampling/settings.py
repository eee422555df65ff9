"""The table ``[sampling]`` of study.toml: what is to be known, how well, how surely, and what bounds the drawing."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from portrayal.settings import Settings

__all__ = ["LEAST_TOLERANCE", "PILOT", "TOLERANCE", "ConstructConfig", "SamplingConfig"]


LEAST_TOLERANCE, TOLERANCE = 0.01, 0.1
PILOT = 10


class ConstructConfig(Settings):
    """What is to be known: the shares of an ``attribute`` ``of`` each prompt, term, category or all of them; or what a
    ``policy`` decides.

    Without ``group`` those of all its groups, without ``annotator`` as each annotator sees them that tells it.
    """

    attribute: str = ""
    group: str = ""
    annotator: str = ""
    of: Literal["prompt", "term", "category", "overall"] = "term"
    policy: str = ""

    @model_validator(mode="after")
    def _is_one_thing(self) -> ConstructConfig:
        if bool(self.attribute) == bool(self.policy):
            raise ValueError('names one thing: attribute = "gender", or policy = "policy.toml"')
        if self.policy and (given := sorted(self.model_fields_set - {"policy"})):
            raise ValueError(f"a policy says itself what it is about; leave out {', '.join(given)}")
        return self


class SamplingConfig(Settings):
    """The whole table. ``tolerance`` is the half-width wanted of each 95 % interval.

    ``error_rate`` is how often an interval may miss. ``pilot`` images of each prompt come first, ``rounds`` are the
    looks there may be (0: without end), and ``most`` images there are in all (0: as many as ``[[generators]]`` say).
    """

    about: ConstructConfig
    tolerance: float = Field(default=TOLERANCE, ge=LEAST_TOLERANCE, lt=0.5)
    error_rate: float = Field(default=0.05, ge=0.0001, le=0.05)
    pilot: int = Field(default=PILOT, ge=5)
    rounds: int = Field(default=6, ge=0, le=100)
    most: int = Field(default=0, ge=0)

    @model_validator(mode="after")
    def _policy_decides(self) -> SamplingConfig:
        for name in ("tolerance", "error_rate"):
            if self.about.policy and name in self.model_fields_set:
                raise ValueError(f"{name}: the policy has its own; leave it out here")
        return self
