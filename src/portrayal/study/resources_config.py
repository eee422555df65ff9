"""What a part needs of the machines that it works on."""

from __future__ import annotations

from pydantic import Field, field_validator

from portrayal.settings import Settings

__all__ = ["NO_WISH", "ResourcesConfig"]

_LEAST = 0.01
"""The smallest share of a core or a graphics card that is asked for."""


class ResourcesConfig(Settings):
    """``resources`` of a part: what each of its workers on a cluster needs, and how many there are at most.

    What is not set is as the part itself wishes; 0 workers: as many as there is room for.
    """

    cpus: float | None = Field(default=None, ge=0, le=10_000)
    gpus: float | None = Field(default=None, ge=0, le=10_000)
    gib: float | None = Field(default=None, ge=0, le=1_000_000)
    workers: int = Field(default=0, ge=0)

    @field_validator("cpus", "gpus")
    @classmethod
    def _enough(cls, count: float | None) -> float | None:
        """Refuse here what a cluster would refuse in the middle of a run."""
        if count and count < _LEAST:
            raise ValueError(f"a share of one is at least {_LEAST} (got {count})")
        return count

    @field_validator("gpus")
    @classmethod
    def _whole(cls, count: float | None) -> float | None:
        """Refuse part of a second graphics card, as a cluster would."""
        if count and count > 1 and count % 1:
            raise ValueError(f"more than one is a whole number (got {count})")
        return count


NO_WISH = ResourcesConfig()
"""As the part itself wishes."""
