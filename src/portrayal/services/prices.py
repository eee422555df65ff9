"""What hosted models cost, from published prices (``data/prices.csv``, each with its source and its date).

Prices change; an option ``price`` always goes before this table. It holds OpenAI's own prices and says nothing about
the same model offered by somebody else.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import as_file, files

from portrayal.csvfile import read_csv

__all__ = ["TokenPrice", "image_price", "token_price"]

_COLUMNS = ("model", "unit", "size", "quality", "usd", "as_of", "source")
_SNAPSHOT = re.compile(r"-\d{4}-\d{2}-\d{2}$")
_OVERHEAD = 50
_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class TokenPrice:
    """USD per million tokens that go in, of text and of images, and that come out."""

    text_input: float
    image_input: float
    output: float

    def cost(self, text_input: int, image_input: int, output: int) -> float:
        """Return the price in USD of so many tokens of each kind.

        >>> TokenPrice(5, 10, 40).cost(text_input=20, image_input=0, output=1056)
        0.04234
        """
        tokens = text_input * self.text_input + image_input * self.image_input + output * self.output
        return tokens / _MILLION

    def of_text(self, text: str) -> float:
        """Return what ``text`` costs at most to send: no tokenizer makes more tokens than there are bytes."""
        return (len(text.encode()) + _OVERHEAD) * self.text_input / _MILLION


def image_price(model: str, size: str = "", quality: str = "") -> float | None:
    """Return what the pixels of one image cost at most in USD; what is left empty is left to the model.

    >>> image_price("dall-e-3", "1024x1024", "hd"), image_price("dall-e-3"), image_price("my-model")
    (0.08, 0.04, None)
    """
    wanted = [part.lower().replace("auto", "") for part in (size, quality)]
    return _row(model, "image", *wanted)


def token_price(model: str) -> TokenPrice | None:
    """Return what the tokens of a model cost, or None when that is not known.

    >>> token_price("gpt-4o-2024-11-20")
    TokenPrice(text_input=2.5, image_input=2.5, output=10.0)
    """
    text, image, output = (_row(model, unit, "", "") for unit in ("text_input", "image_input", "output"))
    if text is None or image is None or output is None:
        return None
    return TokenPrice(text, image, output)


def _row(model: str, unit: str, size: str, quality: str) -> float | None:
    prices = _prices()
    price = prices.get((model, unit, size, quality))
    # A snapshot such as gpt-4o-2024-11-20 costs what its model costs, unless it is listed itself.
    return prices.get((_SNAPSHOT.sub("", model), unit, size, quality)) if price is None else price


@functools.cache
def _prices() -> Mapping[tuple[str, str, str, str], float]:
    with as_file(files("portrayal.services") / "data" / "prices.csv") as path:
        rows = read_csv(path, _COLUMNS)
    return {(row["model"], row["unit"], row["size"], row["quality"]): row.number("usd") for row in rows}
