"""Pictures that a service does not send but tells the address of."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import TypeVar
from urllib.parse import urljoin, urlsplit

from portrayal.services.addresses import is_local, is_loopback
from portrayal.services.calls import Service
from portrayal.services.no_result import LEADS_TO, Again, Broken
from portrayal.services.openai_api.client import OPENAI_URL
from portrayal.services.openai_api.errors import RequestContext, translated

__all__ = ["fetch"]

T = TypeVar("T")

_MOST_REDIRECTS = 3


def fetch(service: Service, item: str, url: str, read: Callable[[bytes], T]) -> T:
    """Return what ``read`` makes of the file at ``url``, an address that the service gave; the key is not sent there.

    The address may lead elsewhere three times. Each step is checked, and is a call of its own with its own tries.

    Raises
    ------
    Broken
        The address is one that must not be asked, or the picture did not come in all tries.
    """
    for _ in range(_MOST_REDIRECTS + 1):
        answer = service.call(item, 0.0, functools.partial(_step, service, url, read))
        if not isinstance(answer, _Elsewhere):
            return answer
        url = _joined(url, answer.url)
    raise Broken("lost_image", f"the address of the image leads elsewhere more than {_MOST_REDIRECTS} times")


def _joined(url: str, there: str) -> str:
    try:
        return urljoin(url, there)
    except ValueError:
        raise Broken("malformed_answer", "the address that the image is said to have is none", billed=True) from None


class _Elsewhere:
    """An answer that names another address."""

    def __init__(self, url: str) -> None:
        self.url = url


def _step(service: Service, url: str, read: Callable[[bytes], T]) -> tuple[T | _Elsewhere, float]:
    from portrayal.services.transport.client import open_client

    is_own = _is_own(service, url)
    client = open_client(url, service.options.timeout, public_only=not is_own)
    with _paid_for(url), translated(service, RequestContext(url)), client, client.stream("GET", url) as response:
        if 300 <= response.status_code < 400 and (there := response.headers.get(LEADS_TO)):
            return _Elsewhere(there), 0.0
        if response.status_code != 200:
            raise Again("lost_image", f"{response.status_code} where the image should lie")
        data = response.read()
    return read(data), 0.0


@contextlib.contextmanager
def _paid_for(url: str) -> Iterator[None]:
    """Let nothing here stop the stage: the image is paid for, and whoever ran it again would pay again."""
    try:
        yield
    except Again as error:
        if error.stop:
            raise Again("lost_image", f"nobody answers at {urlsplit(url).netloc}, where the image should lie") from None
        raise


def _is_own(service: Service, url: str) -> bool:
    """Return whether ``url`` is of the service itself, on this machine or network; refuse what must not be asked.

    Raises
    ------
    Broken
        It is no address of the web, has no encryption, or leads into this network though the service is not there.
    """
    base = service.options.base_url or OPENAI_URL
    try:
        parts, near = urlsplit(url), is_local(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        raise Broken("malformed_answer", "the address of the image is none", billed=True) from None
    if parts.scheme not in ("http", "https") or not host or "@" in parts.netloc:
        raise Broken("malformed_answer", "the address of the image is not of the web", billed=True)
    same = host == urlsplit(base).hostname or (is_loopback(url) and is_loopback(base))
    if parts.scheme == "http" and not (is_loopback(base) or (same and is_local(base))):
        raise Broken("forbidden_address", f"the image lies at http://{host}; only https is asked", billed=True)
    if near and not same:
        raise Broken("forbidden_address", f"the image lies at {host}, in this machine's own network", billed=True)
    return same and is_local(base)
