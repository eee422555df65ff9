"""What came of a job: an image, a refusal, or a failure. Nothing asked for goes unrecorded."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

__all__ = ["OUTCOME_SCHEMA", "Failed", "Made", "Outcome", "Person", "Refused"]

Person = Mapping[str, str]
"""A planted person: attribute name to group."""

OUTCOME_SCHEMA = pa.schema(
    [
        ("job", pa.string()),
        ("attempt", pa.int32()),
        ("status", pa.string()),
        ("reason", pa.string()),
        ("detail", pa.string()),
        ("image", pa.string()),
        ("ext", pa.string()),
        ("width", pa.int32()),
        ("height", pa.int32()),
        ("revised_prompt", pa.string()),
        ("versions", pa.string()),
        ("planted", pa.list_(pa.map_(pa.string(), pa.string()))),
    ]
)


@dataclass(frozen=True, slots=True)
class Made:
    """An image. ``planted`` lists the people a generator with known truth put into it, else None.

    ``data`` is empty for a generator that simulates outcomes without pixels; then ``fingerprint`` stands in for the
    bytes the image's name is computed from.
    ``stored`` is the name of an image whose bytes are in the study's store already, and not here; no generator sets it.
    """

    job: str
    data: bytes
    ext: str
    width: int
    height: int
    revised_prompt: str | None = None
    versions: str = ""
    planted: Sequence[Person] | None = None
    fingerprint: bytes = b""
    stored: str = ""

    @property
    def image(self) -> str:
        """The image's name: the SHA-256 of its bytes."""
        return self.stored or hashlib.sha256(self.data or self.fingerprint).hexdigest()


@dataclass(frozen=True, slots=True)
class Refused:
    """The generator declined. A refusal is an answer: it is not asked again."""

    job: str
    reason: str
    detail: str = ""
    versions: str = ""


@dataclass(frozen=True, slots=True)
class Failed:
    """Something broke. The job stays pending until its attempts are used up."""

    job: str
    reason: str
    detail: str = ""
    versions: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A row of ``tables/outcomes``."""

    job: str
    attempt: int
    status: str
    reason: str | None = None
    detail: str | None = None
    image: str | None = None
    ext: str | None = None
    width: int | None = None
    height: int | None = None
    revised_prompt: str | None = None
    versions: str = ""
    planted: Sequence[Person] | None = None

    @classmethod
    def of(cls, result: Made | Refused | Failed, attempt: int) -> Outcome:
        """Return the row that records ``result``."""
        if isinstance(result, Made):
            return cls(
                result.job,
                attempt,
                "made",
                image=result.image,
                ext=result.ext,
                width=result.width,
                height=result.height,
                revised_prompt=result.revised_prompt,
                versions=result.versions,
                planted=result.planted,
            )
        status = "refused" if isinstance(result, Refused) else "failed"
        return cls(result.job, attempt, status, result.reason, result.detail or None, versions=result.versions)
