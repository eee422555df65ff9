"""Servers of one's own that draw, asked over plain HTTP: one request, and what its outcome means for the next."""

from __future__ import annotations

import base64
import functools
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from portrayal.errors import ServiceError
from portrayal.services.addresses import check_url
from portrayal.services.answer_json import read_json
from portrayal.services.calls import PaidPart, Service, ServiceOptions
from portrayal.services.connection import SharedConnection
from portrayal.services.no_result import Again, Broken, busy, leads_elsewhere
from portrayal.services.secrets import HIDDEN, Secret
from portrayal.settings import Settings

__all__ = ["HttpReply", "Login", "Server", "ServerOptions", "ServerPart"]

_SHORTEST_SECRET = 8


class ServerOptions(Settings):
    """What every part that draws on a server can be told about it; none of it makes another part.

    ``timeout`` is the longest wait for one image in seconds, ``price`` what an image costs in USD.
    """

    key_env: str = ""
    concurrency: int = Field(default=2, ge=1, le=64)
    timeout: float = Field(default=600, gt=0)
    tries: int = Field(default=5, ge=1, le=20)
    longest_wait: float = Field(default=120, ge=0)
    price: float = Field(default=0.0, ge=0, allow_inf_nan=False)

    def changed(self) -> dict[str, Any]:
        """Leave out what cannot change an image: how, how often and at what price the server is asked."""
        return {name: value for name, value in super().changed().items() if name not in ServerOptions.model_fields}


@dataclass(frozen=True, slots=True)
class HttpReply:
    """What a server answered: its status and the body as it came."""

    status: int
    content: bytes

    def json(self) -> Any:
        """Return the body as JSON; a server that says something else may do better at the next try."""
        try:
            return read_json(self.content)
        except ValueError:
            raise Again("malformed_answer", f"no JSON: {_shown(self.content)}", billed=True) from None


class Login(Secret):
    """A secret of the form ``user:password``, or a token without a colon."""

    def headers(self) -> dict[str, str]:
        """Return the header that shows it to the server, to be passed on at once."""
        key = self.reveal()
        if not key:
            return {}
        return {"Authorization": f"Basic {_encoded(key)}" if ":" in key else f"Bearer {key}"}

    def clean(self, text: str) -> str:
        """Return ``text`` without the secret, the password alone, or the spelling of both in a header."""
        text = super().clean(text)
        key = self._key()
        hidden = [_encoded(key)] if key else []
        password = key.partition(":")[2]
        for spelling in [*hidden, *([password] if len(password) >= _SHORTEST_SECRET else [])]:
            text = text.replace(spelling, HIDDEN)
        return text


class Server:
    """A server at one address, over connections that are kept; may be used by several threads at a time.

    ``part`` is who asks, such as ``generator 'comfyui'``; ``remedy`` says how to start the server; ``patience`` is how
    long one request may take in seconds.
    """

    def __init__(self, part: str, address: str, options: ServerOptions, remedy: str, patience: float) -> None:
        check_url(part, address)
        self.part = part
        self.url = address.rstrip("/")
        self.remedy = remedy
        self.patience = patience
        self.login = Login(part, options.key_env, self.url, needed=bool(options.key_env))
        limits = options.model_dump(include={"key_env", "concurrency", "timeout", "tries", "longest_wait"})
        self.service = Service(part, ServiceOptions(base_url=self.url, **limits), self.login)
        self._client = SharedConnection(functools.partial(_connect, self.url, patience))

    def ask(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        query: Mapping[str, str] | None = None,
        accept: Collection[int] = (),
        files: Mapping[str, tuple[str, bytes]] | None = None,
    ) -> HttpReply:
        """Make one request; ``accept`` are statuses other than success that the caller understands.

        ``files`` are sent as a form would: by the name of a field the name of the file and its bytes.

        Raises
        ------
        Again
            Nobody answered, the connection broke, or the server is busy or broken: another try may help.
        Broken
            The server does not take this request.
        ServiceError
            It takes none: it wants another password, or has no such route.
        """
        import httpx2

        content = bytearray()
        given = {"json": body, "files": files, "params": query, "timeout": self.patience}
        try:
            asked = self._client.get().stream(method, self.url + path, headers=self.login.headers(), **given)
            with asked as response:
                for chunk in response.iter_bytes():
                    content += chunk
        except (httpx2.ConnectError, httpx2.ConnectTimeout):
            raise Again("unreachable", f"nobody answers at {self.url}; {self.remedy}", stop=True) from None
        except httpx2.TimeoutException:
            raise Again("timeout", f"no answer within {self.patience:g} s", billed=True) from None
        except httpx2.RequestError as error:
            raise Again("connection_lost", str(error) or type(error).__name__, billed=True) from None
        if response.is_success or response.status_code in accept:
            return HttpReply(response.status_code, bytes(content))
        raise self._problem(response.status_code, response.headers, bytes(content), path)

    def _problem(self, status: int, headers: Mapping[str, str], content: bytes, path: str) -> Exception:
        said = f"{status}: {_shown(content)}" if content else str(status)
        if again := busy(status, headers, _shown(content)):
            return again
        if status in (401, 403):
            how = "check the user:password or token in it" if self.login.variable else "name the variable that holds it"
            return ServiceError(f"{self.part}: {self.url} wants a password ({status}); option key_env: {how}")
        if status in (404, 405):
            return ServiceError(f"{self.part}: {self.url} has no {path} ({said}); {self.remedy}")
        if 300 <= status < 400:
            return leads_elsewhere(self.part, self.url, status, headers)
        return Broken(f"http_{status}", said)


class ServerPart(PaidPart):
    """What a generator inherits that draws on a ``server``, for what its options say that an image costs."""

    def __init__(self, server: Server, options: ServerOptions) -> None:
        self.server, self.service = server, server.service
        self.parallel = options.concurrency
        self._price = options.price

    def price(self, text: str) -> float:  # noqa: ARG002 - every image costs the same
        """Return what an image costs in USD, by default nothing."""
        return self._price


def _connect(url: str, seconds: float) -> Any:
    from portrayal.services.transport.client import open_client

    return open_client(url, seconds)


def _encoded(key: str) -> str:
    return base64.b64encode(key.encode()).decode()


def _shown(content: bytes) -> str:
    # Longer than what is looked at later: where it is cut for good, secrets have been taken out.
    return content[:1_000_000].decode("utf-8", "replace")
