from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from portrayal.methods.bafis.suite import VARIANTS, BafisSuiteOptions, bafis
from portrayal.reports.text.notes import plain_adjustment
from portrayal.settings import parse_settings


def adjusted(**options: Any) -> tuple[str, ...]:
    found = bafis(parse_settings(BafisSuiteOptions, options, "study.toml"), Path())
    return tuple(map(plain_adjustment, found.adjusted))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"languages": ["de", "en"]},
        {"variants": ["group", "direct", "indirect", "feminine"]},
        {"sample": 151},
    ],
)
def test_what_changes_nothing_is_not_said(options: dict[str, Any]) -> None:
    assert adjusted(**options) == ()


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"languages": ["en"]}, "453 of 1,057 prompts: languages en"),
        ({"variants": ["direct"]}, "302 of 1,057 prompts: variants direct"),
        (
            {"variants": list(VARIANTS)},
            "1,057 of 1,057 prompts and 151 others: variants direct, feminine, indirect, group, star",
        ),
        (
            {"terms": ["nurse"], "categories": ["Healthcare & Social Services"]},
            "7 of 1,057 prompts: categories Healthcare & Social Services; only the occupations nurse",
        ),
        ({"sample": 10}, "70 of 1,057 prompts: a sample of 10 occupations (seed 0)"),
    ],
)
def test_what_changes_is_said(options: dict[str, Any], line: str) -> None:
    assert adjusted(**options) == (line,)
