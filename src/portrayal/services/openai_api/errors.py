"""What the errors of a service that speaks OpenAI's API mean: for one request, or for all."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from portrayal.errors import PortrayalError, ServiceError
from portrayal.services.calls import Service
from portrayal.services.no_result import Again, Broken, NoResult, Refusal, busy, leads_elsewhere

__all__ = ["RequestContext", "error_in_answer", "translated"]

_REFUSED = frozenset(
    {
        "content_policy_violation",
        "moderation_blocked",
        "content_filter",
        "contentfilter",
        "responsibleaipolicyviolation",
    }
)
_NO_MODEL = frozenset({"model_not_found", "deploymentnotfound"})
_HOPELESS = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
_OF_THE_ITEM = ("prompt", "image", "messages")
"""Parameters that differ from item to item; what is wrong with another one is wrong with all items."""

_NEVER_SENT = ("ConnectError", "ConnectTimeout", "PoolTimeout", "ProxyError", "UnsupportedProtocol")


@dataclass(frozen=True, slots=True)
class RequestContext:
    """Who was asked for what: ``by_openai`` when it is OpenAI itself, which does not charge for refusals."""

    url: str
    by_openai: bool = False
    model: str = ""
    parameters: Collection[str] = ()


@contextlib.contextmanager
def translated(service: Service, context: RequestContext) -> Iterator[None]:
    """Turn what the SDK raises into what :meth:`Service.call` understands."""
    import openai

    try:
        yield
    except (PortrayalError, NoResult):
        raise
    except openai.APIStatusError as error:
        raise _of_status(service, context, error) from None
    except openai.APIConnectionError as error:
        raise _of_connection(context.url, error.__cause__ or error) from None
    except Exception as error:
        if type(error).__module__.partition(".")[0] != "httpx2":
            raise
        raise _of_connection(context.url, error) from None  # the answer broke off while it was read


def error_in_answer(said: Any, context: RequestContext) -> NoResult:
    """Return what an error means that came with status 200, as some services send them."""
    body = _body(said)
    return _declined(body, context) or Again("malformed_answer", _text(body), billed=True)


def _of_connection(url: str, error: BaseException) -> Again:
    name = type(error).__name__
    if name in _NEVER_SENT:
        why = f"nobody answers at {urlsplit(url).netloc} ({name}); check options.base_url and the network"
        return Again("unreachable", why, stop=True)
    if "Timeout" in name:
        return Again("timeout", "no answer in time", billed=True)
    return Again("connection_lost", "the connection broke before the answer was whole", billed=True)


def _of_status(service: Service, context: RequestContext, error: Any) -> Exception:
    status, body, part = error.status_code, _body(error.body), service.part
    said, codes, about = _text(body), _codes(body), _parameter(body)
    if 300 <= status < 400:
        return leads_elsewhere(part, context.url, status, error.response.headers)
    if status == 401:
        key = f"the key in {service.key.variable}" if service.key.variable else "the key, which is none"
        return ServiceError(f"{part}: the service refuses {key} (401); check options.key_env and what it names")
    if refusal := _declined(body, context):
        return refusal
    if status == 404 or about == "model" or _NO_MODEL.intersection(codes):
        where = "check the model's name and options.base_url"
        return ServiceError(f"{part}: the service knows no model {context.model!r} there ({status}): {said}; {where}")
    if status in (402, 403) or _HOPELESS.intersection(codes):
        return ServiceError(f"{part}: the service refuses all work ({status}): {said}; run again when it does not")
    if again := busy(status, error.response.headers, said):
        return again
    if about in context.parameters and about not in _OF_THE_ITEM:
        return ServiceError(f"{part}: the service does not take {about!r} so ({status}): {said}; change that option")
    return Broken("bad_request", f"{status}: {said}")


def _declined(body: Mapping[str, Any], context: RequestContext) -> Refusal | None:
    codes = [code for code in _codes(body) if code in _REFUSED]
    more = body.get("metadata")
    if isinstance(more, dict) and "flagged_input" in more:  # OpenRouter
        codes.append(f"flagged as {more.get('reasons')}")
    return Refusal("content_policy", f"{codes[0]}: {_text(body)}", billed=not context.by_openai) if codes else None


def _body(said: Any) -> Mapping[str, Any]:
    return said if isinstance(said, dict) else {"message": str(said or "")}


def _codes(body: Mapping[str, Any]) -> list[str]:
    """Return the codes of an error; Azure puts the telling one into an inner error."""
    inner = [body[name] for name in ("innererror", "inner_error") if isinstance(body.get(name), dict)]
    return [str(said.get(name) or "").lower() for said in (body, *inner) for name in ("code", "type")]


def _parameter(body: Mapping[str, Any]) -> str:
    """Return which parameter an error is about, without the place inside it."""
    return str(body.get("param") or "").partition("[")[0].partition(".")[0]


def _text(body: Mapping[str, Any]) -> str:
    return str(body.get("message") or body.get("detail") or body.get("code") or "no explanation")
