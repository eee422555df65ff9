"""Which language a browser is answered in."""

from __future__ import annotations

import pytest

from portrayal.web.requested_language import preferred_language


@pytest.mark.parametrize(
    ("accepts", "language"),
    [
        ("", "en"), ("de", "de"), ("DE-ch", "de"), ("fr", "en"), ("en;q=0.3,de;q=0.8", "de"), ("de;q=0,en", "en"),
        ("*", "en"), ("de;q=x", "en"), (",;,q=;", "en"), ("en-GB,en;q=0.9,de;q=0.8", "en"), ("x" * 10_000, "en"),
    ],
)  # fmt: skip
def test_the_browsers_language(accepts: str, language: str) -> None:
    assert preferred_language(accepts) == language
