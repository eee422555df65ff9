"""The annotator: one question an image, asked again where the answer cannot be used."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from portrayal.annotators.annotator import Observed, asked_attributes
from portrayal.annotators.vlm.questions import UNKNOWN, Questions
from portrayal.annotators.vlm.read_answer import Invalid, Told, read_answer, rows, spoken
from portrayal.annotators.vlm.request import (
    ChatReply,
    VlmOptions,
    corrected,
    data_url,
    group_limit,
    parameters,
    prices,
    read_reply,
    tokens,
)
from portrayal.errors import ConfigError, ServiceError
from portrayal.records import PERSON, Abstention, Attribute, Image, Observation, attribute_table
from portrayal.services.calls import Broken, PaidPart, Refusal, Service
from portrayal.services.connection import SharedConnection
from portrayal.services.openai_api import connect, key_of, request
from portrayal.vision.pictures import Unreadable, open_rgb

__all__ = ["MODEL_VERSION", "RAW_ANSWER", "Vlm"]

MODEL_VERSION = Attribute("model_version", "model that answered", is_text=True, note="as the service says")
RAW_ANSWER = Attribute("raw_answer", "answer that could not be used", is_text=True)

_PART = "annotator 'vlm'"
_GREY = (64, 64)


class Vlm(PaidPart):
    """Asks one question per image and reads a structured answer; may be called by several threads at a time."""

    Options = VlmOptions
    looks = True
    citations: Sequence[str] = ()

    def __init__(self, argument: str, options: VlmOptions) -> None:
        if not argument:
            raise ConfigError(f"{_PART} needs a model, such as vlm:gpt-4o")
        self.name = f"vlm@1:{argument}"
        self.model = argument
        self.options = options
        self.parallel = options.concurrency
        self.service = Service(_PART, options, key_of(_PART, options))
        self.questions = Questions("vlm", options, group_limit(options))
        self.attributes = (*self.questions.attributes, attribute_table()[PERSON], MODEL_VERSION, RAW_ANSWER)
        self._prices = prices(argument, options)
        self._client = SharedConnection(functools.partial(connect, self.service))
        self._works = False

    @staticmethod
    def options_for(attributes: Sequence[Attribute]) -> Mapping[str, Any]:
        """Return the options by which it is asked for these attributes of people, and for their occupation."""
        asked = [attribute.name for attribute in attributes if attribute.groups and attribute.name not in UNKNOWN]
        options = asked_attributes(VlmOptions().attributes, asked)
        return {key: [*dict.fromkeys([*names, "occupation"])] for key, names in options.items()}

    def price(self, text: str = "") -> float | None:  # noqa: ARG002 - the prompt of an image is not sent
        """Return what one request costs at most in USD; None when the price of the model is not known."""
        if self._prices is None:
            return None
        written, drawn = tokens(self.model, self.options, self.questions)
        return self._prices.cost(written, drawn, self.options.max_tokens)

    def annotate(self, images: Sequence[Image]) -> Iterator[Observed]:
        """Yield what the model says about each image.

        Raises
        ------
        ServiceError
            When the service gives no answer. The image stays pending: that nobody answered today says nothing about it.
        BudgetError
            When one more request could exceed the budget.
        """
        for image in images:
            try:
                url = data_url(open_rgb(image.path), self.options.max_side)
            except Unreadable as error:
                yield Abstention(image.id, self.name, error.reason)
                continue
            yield from self._look(image, url)

    def _look(self, image: Image, url: str) -> Iterator[Observed]:
        try:
            reply, read = self._ask(image, url)
        except Refusal:
            yield Abstention(image.id, self.name, "refused")
            return
        except Broken as error:
            if error.reason != "bad_request" or not self._understood(image):
                raise self._gave_up(image, error) from None
            yield Abstention(image.id, self.name, "rejected_image")
            return
        yield Observation(image.id, self.name, 0, MODEL_VERSION.name, text=reply.model)
        if isinstance(read, Told):
            yield from rows(image, self.name, read, self.questions)
        elif reply.refused:
            yield Abstention(image.id, self.name, "refused")
        else:
            if kept := self.service.clean(reply.text):
                yield Observation(image.id, self.name, 0, RAW_ANSWER.name, text=kept)
            yield Abstention(image.id, self.name, "cut_off" if _wordless(reply) else "invalid_answer")

    def _ask(self, image: Image, url: str) -> tuple[ChatReply, Told | Invalid]:
        """Return the first answer that can be used, or a refusal, or the last of those that cannot."""
        asked = parameters(self.options, self.questions, image.people, url)
        left = self.options.answers
        while True:
            reply = self._send(image.id, asked)
            read = Invalid("it was cut off") if reply.cut else read_answer(reply.text, self.questions, image.people)
            left -= 1
            # A model that thinks for longer than it may will do so again, at the full price.
            if isinstance(read, Told) or reply.refused or not left or _wordless(reply):
                return reply, read
            asked = corrected(asked, spoken(reply.text), read.why)

    def _send(self, item: str, asked: Mapping[str, Any]) -> ChatReply:
        most = self.price() or 0.0

        def send() -> tuple[ChatReply, float]:
            method = self._client.get().chat.completions.with_streaming_response.create
            answer = request(self.service, self.model, method, {"model": self.model, **asked})
            reply = read_reply(answer, self.service.clean)
            return reply, self._cost(reply, most)

        reply = self.service.call(item, most, send)
        self._works = True
        if self._cost(reply, most) > most:
            used = reply.used[0] if reply.used else 0
            raise ConfigError(
                f"{_PART}: a request had {used} tokens, more than expected; set options.image_tokens = {used}"
            )
        return reply

    def _cost(self, reply: ChatReply, most: float) -> float:
        if self._prices is None or reply.used is None:
            return most
        return self._prices.cost(reply.used[0], 0, reply.used[1])

    def _understood(self, image: Image) -> bool:
        """Return whether the service answers about a grey picture, so that it was the image it did not like."""
        from PIL import Image as Pillow

        if not self._works:
            grey = data_url(Pillow.new("RGB", _GREY, "grey"), self.options.max_side)
            try:
                self._send(image.id, parameters(self.options, self.questions, image.people, grey))
            except (Broken, Refusal):
                return False
        return True

    def _gave_up(self, image: Image, error: Broken) -> ServiceError:
        said = f"{error.reason}: {error.detail}" if error.detail else error.reason
        how = " with other options (leave_out, format)" if error.reason == "bad_request" else ""
        return ServiceError(f"{_PART}: no answer about image {image.id[:12]}: {said}; run again{how}, nothing is lost")


def _wordless(reply: ChatReply) -> bool:
    """Return whether a model came to the end of ``max_tokens`` before the first word of its answer."""
    return reply.cut and not spoken(reply.text).strip()
