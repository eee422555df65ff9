from __future__ import annotations

import hashlib

import pytest

from portrayal.records import Failed, Made, Outcome, Refused


def test_an_image_is_named_by_its_bytes() -> None:
    made = Made("j", b"pixels", "png", 8, 8, fingerprint=b"ignored when there are bytes")
    assert made.image == hashlib.sha256(b"pixels").hexdigest()


def test_without_pixels_the_fingerprint_stands_in() -> None:
    assert Made("j", b"", "", 0, 0, fingerprint=b"job 1").image == hashlib.sha256(b"job 1").hexdigest()


@pytest.mark.parametrize(
    ("result", "row"),
    [
        (
            Made("j", b"x", "png", 4, 6, "revised", "v1", [{"gender": "male"}]),
            Outcome(
                "j",
                2,
                "made",
                image=hashlib.sha256(b"x").hexdigest(),
                ext="png",
                width=4,
                height=6,
                revised_prompt="revised",
                versions="v1",
                planted=[{"gender": "male"}],
            ),
        ),
        (
            Made("j", b"x", "png", 4, 6, planted=[]),
            Outcome("j", 2, "made", None, None, hashlib.sha256(b"x").hexdigest(), "png", 4, 6, planted=[]),
        ),
        (Refused("j", "policy", "why", "v1"), Outcome("j", 2, "refused", "policy", "why", versions="v1")),
        (Refused("j", "policy"), Outcome("j", 2, "refused", "policy")),
        (Failed("j", "timeout", "30 s", "v1"), Outcome("j", 2, "failed", "timeout", "30 s", versions="v1")),
        (Failed("j", "timeout"), Outcome("j", 2, "failed", "timeout")),
    ],
)
def test_every_result_has_its_row(result: Made | Refused | Failed, row: Outcome) -> None:
    assert Outcome.of(result, 2) == row
