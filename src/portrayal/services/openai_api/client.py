"""Requests to a service that speaks OpenAI's API, and what their answers mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from portrayal.services.addresses import check_url, is_local
from portrayal.services.answer_json import read_json
from portrayal.services.calls import Service, ServiceOptions
from portrayal.services.no_result import Again
from portrayal.services.openai_api.errors import RequestContext, error_in_answer, translated
from portrayal.services.secrets import Secret

__all__ = ["OPENAI_URL", "connect", "is_openai", "key_of", "request", "sdk_version"]

OPENAI_URL = "https://api.openai.com/v1"
"""Where requests go unless ``base_url`` says otherwise; the SDK's own variable OPENAI_BASE_URL is not heeded."""


def is_openai(base_url: str) -> bool:
    """Return whether ``base_url`` is OpenAI's own service, whose prices are known and whose key is the usual one.

    >>> is_openai(""), is_openai("https://eu.api.openai.com/v1"), is_openai("http://127.0.0.1:8000/v1")
    (True, True, False)
    """
    openai_host, host = urlsplit(OPENAI_URL).hostname or "", urlsplit(base_url).hostname or ""
    return not base_url or host == openai_host or host.endswith(f".{openai_host}")


def key_of(part: str, options: ServiceOptions) -> Secret:
    """Return the key that ``options`` names. The usual one is OpenAI's, and goes nowhere else unless it is named."""
    if options.base_url:
        check_url(part, options.base_url)
    named = is_openai(options.base_url) or "key_env" in options.model_fields_set
    url = options.base_url or OPENAI_URL
    return Secret(part, options.key_env if named else "", url, needed=not is_local(url))


def connect(service: Service) -> Any:
    """Return an ``openai.OpenAI`` that makes each request once; several threads may share it."""
    import openai

    from portrayal.services.transport.client import open_client

    url = service.options.base_url or OPENAI_URL
    client = openai.OpenAI(
        base_url=url,
        api_key=service.key.reveal() or "no-key",
        timeout=service.options.timeout,
        max_retries=0,
        http_client=open_client(url, service.options.timeout),
    )
    if not is_openai(service.options.base_url):
        # The SDK takes them from the environment, and whose account it is at OpenAI is nobody else's business.
        client.organization = client.project = None
        client._custom_headers = {}
    return client


def sdk_version() -> str:
    """Return the SDK's name and version."""
    import openai

    return f"openai {openai.__version__}"


def request(service: Service, model: str, method: Callable[..., Any], parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Make one request and return its answer's JSON object.

    ``method`` is one of the client's ``with_streaming_response``, such as
    ``client.images.with_streaming_response.generate``: so the answer is read here, and nowhere else.
    """
    url = service.options.base_url
    names = (*parameters, *parameters.get("extra_body", ()))
    context = RequestContext(url or OPENAI_URL, is_openai(url), model, names)
    body = bytearray()
    with translated(service, context), method(**parameters) as response:
        for chunk in response.iter_bytes():
            body += chunk
    try:
        answer = read_json(body)
    except ValueError:
        raise Again("malformed_answer", "the answer is no JSON", billed=True) from None
    if not isinstance(answer, dict):
        raise Again("malformed_answer", "the answer is no JSON object", billed=True)
    if answer.get("error"):  # some services send their errors under status 200
        raise error_in_answer(answer["error"], context)
    return answer
