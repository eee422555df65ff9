"""Images from OpenAI, or from any service that speaks its API."""

from __future__ import annotations

import base64
import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from pydantic import Field, field_validator

from portrayal.errors import ConfigError
from portrayal.generators.generator import Truth
from portrayal.records import Failed, Job, Made, Prompt, Refused
from portrayal.services import openai_api
from portrayal.services.addresses import is_local
from portrayal.services.calls import Again, Broken, PaidPart, Refusal, Service, ServiceOptions
from portrayal.services.connection import SharedConnection
from portrayal.services.picture_info import PictureInfo, read_picture
from portrayal.services.prices import TokenPrice, image_price, token_price

__all__ = ["OpenAI", "OpenAIOptions"]

_Image = tuple[bytes, PictureInfo]
_PART = "generator 'openai'"
_SENT = ("size", "quality", "style", "background", "moderation", "output_format", "output_compression")
_SENT_WITH_EDITS = ("size", "quality", "background", "output_format", "output_compression", "input_fidelity")
_OURS = frozenset({"model", "prompt", "n", "image", "stream", "seed", "response_format", *_SENT, *_SENT_WITH_EDITS})
_MOST_INPUT_TOKENS = 8_000  # of a picture to be edited
_LONGEST_REVISED = 36_000  # characters, longer than any service lets a prompt be
_LONGEST_KEY = 4_096


class OpenAIOptions(ServiceOptions):
    """What is sent is what is set; the service's own defaults hold for the rest. ``price`` is in USD per request."""

    key_env: str = "OPENAI_API_KEY"
    size: str = Field(default="", pattern=r"^(auto|\d+x\d+)?$")
    quality: str = ""
    style: str = ""
    background: str = ""
    moderation: str = ""
    output_format: str = ""
    output_compression: int | None = Field(default=None, ge=0, le=100)
    input_fidelity: str = ""
    response_format: Literal["", "b64_json", "url"] = ""
    send_seed: bool = False
    extra: dict[str, str | int | float | bool] = Field(default_factory=dict)
    price: float | None = Field(default=None, ge=0, allow_inf_nan=False)

    @field_validator("extra")
    @classmethod
    def _only_what_has_no_option(cls, value: dict[str, Any]) -> dict[str, Any]:
        if taken := sorted(_OURS.intersection(value)):
            raise ValueError(f"{', '.join(taken)} cannot be given here; see the options of their own")
        return value


class OpenAI(PaidPart):
    """Draws and edits, one request per image, several at a time."""

    Options = OpenAIOptions
    citations: Sequence[str] = ()

    def __init__(self, argument: str, options: OpenAIOptions) -> None:
        if not argument:
            raise ConfigError(f"{_PART} needs a model, such as openai:gpt-image-2")
        self.options = options
        self.model = argument
        self.name = f"openai@1:{argument}"
        self.parallel = options.concurrency
        self.service = Service(_PART, options, openai_api.key_of(_PART, options))
        self._client = SharedConnection(functools.partial(openai_api.connect, self.service))

    def price(self, text: str) -> float | None:
        """Return what one request for ``text`` costs at most in USD: nothing on one's own server, None if unknown."""
        if self.options.price is not None:
            return self.options.price
        if not openai_api.is_openai(self.options.base_url):
            return 0.0 if is_local(self.options.base_url) else None
        pixels = image_price(self.model, self.options.size, self.options.quality)
        if pixels is None:
            return None
        return pixels + (self._tokens.of_text(text) if self._tokens else 0.0)

    def edit_price(self, text: str) -> float | None:
        """Return what one edit by ``text`` costs at most in USD: the picture that is sent counts too."""
        price = self.price(text)
        if price is None or self.options.price is not None or self._tokens is None:
            return price
        return price + self._tokens.cost(0, _MOST_INPUT_TOKENS, 0)

    def truth(self, prompt: Prompt) -> Truth | None:  # noqa: ARG002
        """Return None: nothing is planted."""
        return None

    def generate(self, jobs: Sequence[Job]) -> Iterator[Made | Refused | Failed]:
        """Yield one outcome per job, in order."""
        for job in jobs:
            parameters = self._parameters(job.text, job.seed, _SENT)
            yield self._outcome(job.id, "generate", parameters, self.price(job.text))

    def edit(self, jobs: Sequence[Job]) -> Iterator[Made | Refused | Failed]:
        """Yield one outcome per job, in order: the source picture, changed as the text says."""
        for job in jobs:
            try:
                source = read_picture(job.source)
            except Again as error:
                yield Failed(job.id, "unreadable_source", error.detail)
                continue
            kind = "jpeg" if source.ext == "jpg" else source.ext
            parameters = self._parameters(job.text, job.seed, _SENT_WITH_EDITS)
            parameters["image"] = (f"source.{source.ext}", job.source, f"image/{kind}")
            yield self._outcome(job.id, "edit", parameters, self.edit_price(job.text))

    def _parameters(self, text: str, seed: int, names: Sequence[str]) -> dict[str, Any]:
        options = {name: getattr(self.options, name) for name in (*names, "response_format")}
        extra = {**self.options.extra, **({"seed": seed} if self.options.send_seed else {})}
        wanted = {name: value for name, value in options.items() if value not in ("", None)}
        return {"model": self.model, "prompt": text, "n": 1, **wanted, **({"extra_body": extra} if extra else {})}

    def _outcome(
        self, job: str, method: str, parameters: Mapping[str, Any], price: float | None
    ) -> Made | Refused | Failed:
        try:
            (data, picture), revised = self._draw(job, method, parameters, price or 0.0)
        except Refusal as error:
            return Refused(job, error.reason, error.detail, self._versions)
        except Broken as error:
            return Failed(job, error.reason, error.detail, self._versions)
        return Made(
            job,
            data,
            picture.ext,
            width=picture.width,
            height=picture.height,
            revised_prompt=revised,
            versions=self._versions,
        )

    def _draw(self, job: str, method: str, parameters: Mapping[str, Any], price: float) -> tuple[_Image, str | None]:
        def send() -> tuple[tuple[_Image | str, str | None], float]:
            asked = getattr(self._client.get().images.with_streaming_response, method)
            answer = openai_api.request(self.service, self.model, asked, parameters)
            image = _first_image(answer)
            picture = image["url"] if "url" in image else _whole(_decoded(image["b64_json"]))
            return (picture, image["revised_prompt"]), self._cost(answer.get("usage"), price)

        drawn, revised = self.service.call(job, price, send)
        if isinstance(drawn, str):
            # Paid for already: only the way from there is tried again.
            drawn = openai_api.fetch(self.service, job, drawn, _whole)
        return drawn, None if revised is None else self._without_key(revised)

    def _without_key(self, revised: str) -> str:
        # Where it was cut, half a key may stay.
        kept = self.service.kept(revised)
        return kept if len(revised) < _LONGEST_REVISED else kept[:-_LONGEST_KEY]

    def _cost(self, usage: Any, price: float) -> float:
        """Return what the service says that it counted, priced, or the whole price when it does not say."""
        if self.options.price is not None or self._tokens is None or not isinstance(usage, dict):
            return price
        details = usage.get("input_tokens_details")
        images = details.get("image_tokens", 0) if isinstance(details, dict) else 0
        try:
            return self._tokens.cost(int(usage["input_tokens"]) - int(images), int(images), int(usage["output_tokens"]))
        except (KeyError, TypeError, ValueError, OverflowError):
            return price

    @functools.cached_property
    def _tokens(self) -> TokenPrice | None:
        return token_price(self.model) if openai_api.is_openai(self.options.base_url) else None

    @functools.cached_property
    def _versions(self) -> str:
        return f"{openai_api.sdk_version()}, model {self.model}"


def _whole(data: bytes) -> _Image:
    return data, read_picture(data)


def _first_image(answer: Mapping[str, Any]) -> dict[str, Any]:
    images = answer.get("data")
    first = images[0] if isinstance(images, list) and images else None
    if isinstance(first, dict):
        for name in ("b64_json", "url"):
            if isinstance(first.get(name), str) and first[name]:
                revised = first.get("revised_prompt")
                kept = revised[:_LONGEST_REVISED] if isinstance(revised, str) else None
                return {name: first[name], "revised_prompt": kept}
    raise Again("malformed_answer", "there is no image in the answer", billed=True)


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text.partition("base64,")[2] or text, validate=True)
    except ValueError:
        raise Again("malformed_answer", "the image is not written in base64", billed=True) from None
