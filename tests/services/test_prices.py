from __future__ import annotations

import csv
import datetime
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.services.prices import TokenPrice, image_price, token_price

ROWS = list(csv.DictReader((files("portrayal.services") / "data" / "prices.csv").read_text().splitlines()))


def test_every_price_has_a_source_and_a_date_and_is_there_once() -> None:
    for row in ROWS:
        assert row["source"].startswith("https://"), row
        assert datetime.date.fromisoformat(row["as_of"]) < datetime.date.today() + datetime.timedelta(days=1), row
        assert float(row["usd"]) > 0, row
        assert row["unit"] in ("image", "text_input", "image_input", "output"), row
    keys = [(row["model"], row["unit"], row["size"], row["quality"]) for row in ROWS]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize(
    ("model", "size", "quality", "usd"),
    [
        ("dall-e-3", "1024x1024", "standard", 0.04),
        ("dall-e-3", "1792x1024", "hd", 0.12),
        ("dall-e-2", "256x256", "", 0.016),
        ("gpt-image-1", "1024x1024", "medium", 0.04224),
        ("gpt-image-1", "auto", "auto", 0.2496),
        ("gpt-image-1-mini", "1024x1024", "LOW", 0.005),
        ("gpt-image-2", "1024x1024", "high", 0.2115),
        ("gpt-image-2", "", "", None),
        ("gpt-image-2-2026-04-21", "1024x1024", "low", 0.0065),
        ("dall-e-3", "999x999", "hd", None),
        ("gpt-4o", "", "", None),
        ("sdxl", "1024x1024", "", None),
    ],
)
def test_prices_of_images(model: str, size: str, quality: str, usd: float | None) -> None:
    assert image_price(model, size, quality) == usd


def test_what_is_left_open_costs_at_most_what_any_choice_costs() -> None:
    for row in ROWS:
        if row["unit"] == "image" and row["model"] in ("gpt-image-1", "gpt-image-1-mini", "gpt-image-1.5"):
            for size, quality in ((row["size"], ""), ("", row["quality"]), ("", "")):
                price = image_price(row["model"], size, quality)
                assert price is not None
                assert price >= float(row["usd"])


def test_prices_of_tokens() -> None:
    assert token_price("gpt-4.1-mini") == TokenPrice(0.4, 0.4, 1.6)
    assert token_price("gpt-4.1-mini-2025-04-14") == TokenPrice(0.4, 0.4, 1.6)
    assert token_price("gpt-4o-2024-05-13") == TokenPrice(5, 5, 15)
    assert token_price("dall-e-3") is None
    assert token_price("qwen2.5-vl") is None


@given(st.text(max_size=50))
def test_a_text_never_costs_more_to_send_than_was_set_aside(text: str) -> None:
    assert TokenPrice(1_000_000, 0, 0).of_text(text) >= len(text.encode())
