"""One question to a chat service about one picture: what is sent, what it costs at most, and what comes back."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from portrayal.annotators.vlm.questions import QuestionOptions, Questions
from portrayal.services.addresses import is_local
from portrayal.services.calls import Again, ServiceOptions
from portrayal.services.openai_api import is_openai
from portrayal.services.prices import TokenPrice, token_price

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

__all__ = [
    "ChatReply",
    "VlmOptions",
    "corrected",
    "data_url",
    "group_limit",
    "parameters",
    "prices",
    "read_reply",
    "tokens",
]

Price = Annotated[float, Field(ge=0, allow_inf_nan=False)]

_QUALITY = 90
_CORRECTION = "That cannot be used: {why}. Answer again, with the JSON object alone."
_REPEATED = 2_000
_GROUP, _ANSWER = 10, 15
"""The largest number of people of a group who are asked about, and the tokens that telling one attribute may take."""
_MOST_TOKENS = 10**9
_OVERHEAD = 500
"""Tokens that frame messages, and those of a correction."""


class VlmOptions(QuestionOptions, ServiceOptions):
    """``answers`` is how often an answer is asked for that can be used; ``price`` is USD per million tokens in and out.

    ``leave_out`` names what the service does not take. A picture is shrunk to ``max_side`` pixels, and counts as
    ``image_tokens`` tokens at most; 0 takes a bound that suits most models.
    """

    key_env: str = "OPENAI_API_KEY"
    format: Literal["json_schema", "json_object", "text"] = "json_schema"
    answers: int = Field(default=3, ge=1, le=10)
    max_tokens: int = Field(default=300, ge=16, le=100_000)
    temperature: float = Field(default=0.0, ge=0, le=2)
    seed: int = 0
    leave_out: tuple[Literal["temperature", "seed"], ...] = ()
    max_side: int = Field(default=768, ge=32, le=4096)
    detail: Literal["auto", "low", "high"] = "auto"
    price: tuple[Price, Price] | None = None
    image_tokens: int = Field(default=0, ge=0)

    def changed(self) -> dict[str, Any]:
        """Leave out, too, what only bounds the price."""
        return {name: value for name, value in super().changed().items() if name != "image_tokens"}


@dataclass(frozen=True, slots=True)
class ChatReply:
    """What came back. ``cut`` when it broke off at ``max_tokens``, ``refused`` when the model would not answer.

    ``model`` is the version that the service says has answered; ``used`` are tokens in and out, if it says so.
    """

    text: str
    model: str
    cut: bool = False
    refused: bool = False
    used: tuple[int, int] | None = None


def data_url(picture: Picture, max_side: int) -> str:
    """Return the picture as a JPEG whose sides are at most so long, in the form that goes into a message."""
    from PIL import Image

    small = picture.copy()
    small.thumbnail((max_side, max_side), Image.Resampling.LANCZOS)
    buffer = io.BytesIO()
    small.save(buffer, "JPEG", quality=_QUALITY)
    return f"data:image/jpeg;base64,{base64.b64encode(buffer.getvalue()).decode()}"


def group_limit(options: VlmOptions) -> int:
    """Return about how many people of a group are asked: as many as fit into the longest answer, ten at most.

    >>> group_limit(VlmOptions()), group_limit(VlmOptions(max_tokens=2000)), group_limit(VlmOptions(max_tokens=16))
    (5, 10, 1)
    """
    return max(1, min(_GROUP, options.max_tokens // (_ANSWER * max(1, len(options.attributes)))))


def parameters(options: VlmOptions, questions: Questions, people: int, url: str) -> dict[str, Any]:
    """Return the request about a picture for which so many people were asked for, without the model's name."""
    image = {"url": url} if options.detail == "auto" else {"url": url, "detail": options.detail}
    content = [{"type": "text", "text": questions.text(people)}, {"type": "image_url", "image_url": image}]
    # OpenAI's newer models know only the newer name, other servers only the older one.
    limit = "max_completion_tokens" if is_openai(options.base_url) else "max_tokens"
    asked: dict[str, Any] = {"messages": [{"role": "user", "content": content}], limit: options.max_tokens}
    asked |= {name: getattr(options, name) for name in ("temperature", "seed") if name not in options.leave_out}
    if options.format == "json_object":
        asked["response_format"] = {"type": "json_object"}
    elif options.format == "json_schema":
        shape = {"name": "portrayal", "strict": True, "schema": questions.schema(people)}
        asked["response_format"] = {"type": "json_schema", "json_schema": shape}
    return asked


def corrected(asked: Mapping[str, Any], said: str, why: str) -> dict[str, Any]:
    """Return the request for another answer after ``said``, which could not be used."""
    again = dict(asked)
    if "seed" in asked:
        again["seed"] = asked["seed"] + 1  # the same seed would give the same answer
    if said.strip():
        before = {"role": "assistant", "content": said[:_REPEATED]}
        now = {"role": "user", "content": _CORRECTION.format(why=why)}
        again["messages"] = [asked["messages"][0], before, now]
    return again


def prices(model: str, options: VlmOptions) -> TokenPrice | None:
    """Return what tokens cost: as the option says, nothing on one's own server, else by OpenAI's prices if known."""
    if options.price is not None:
        return TokenPrice(options.price[0], options.price[0], options.price[1])
    if is_openai(options.base_url):
        return token_price(model)
    return TokenPrice(0.0, 0.0, 0.0) if is_local(options.base_url) else None


def tokens(model: str, options: VlmOptions, questions: Questions) -> tuple[int, int]:
    """Return how many tokens a request has at most: of text with a correction, and of the picture."""
    text = max(map(questions.length, (0, 1, 2))) + options.max_tokens + _OVERHEAD
    if options.image_tokens:
        return text, options.image_tokens
    if model.startswith("gpt-4o-mini"):  # 2,833 and 5,667 for each of at most 8 tiles of 512 x 512
        return text, 48_169
    return text, max(4_096, -(-(options.max_side**2) // 200))


def read_reply(answer: Mapping[str, Any], clean: Callable[[str], str]) -> ChatReply:
    """Read what a chat service answered; ``clean`` takes secrets out of what is kept.

    Raises
    ------
    Again
        When it is not in the form of such an answer.
    """
    choice = _first(answer.get("choices"))
    message = choice.get("message")
    if not isinstance(message, dict):
        raise Again("malformed_answer", "the answer holds no message", billed=True)
    text, ended = message.get("content"), choice.get("finish_reason")
    named = [str(answer.get(name) or "") for name in ("model", "system_fingerprint")]
    return ChatReply(
        text=_whole(text) if isinstance(text, str) else "",
        model=clean(_whole(" ".join(named))) or "not reported",
        cut=ended == "length",
        refused=bool(message.get("refusal")) or ended == "content_filter",
        used=_used(answer.get("usage")),
    )


def _whole(text: str) -> str:
    """Replace halves of characters, which JSON can spell and nothing else can hold."""
    return text.encode("utf-8", "replace").decode()


def _first(choices: Any) -> Mapping[str, Any]:
    choice = choices[0] if isinstance(choices, list) and choices else None
    return choice if isinstance(choice, dict) else {}


def _used(usage: Any) -> tuple[int, int] | None:
    counts = [usage.get(name) if isinstance(usage, dict) else None for name in ("prompt_tokens", "completion_tokens")]
    told = [count for count in counts if isinstance(count, int) and 0 <= count < _MOST_TOKENS]
    return (told[0], told[1]) if len(told) == len(counts) else None
