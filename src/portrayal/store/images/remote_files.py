"""Asking a store of objects in a network: bounded tries, and one line when it cannot be done."""

from __future__ import annotations

import errno
import functools
import inspect
import os
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from portrayal.errors import MissingExtraError, StorageError
from portrayal.registry import Entry

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

__all__ = ["CONNECTIONS", "STORES", "ask"]

_TARGET = "portrayal.store.images.remote_images:RemoteImages"
STORES: Mapping[str, Entry] = {
    "s3": Entry(_TARGET, "images in a bucket of S3, or of a server that speaks like it", ("fsspec", "s3fs"), "s3"),
    "gs": Entry(_TARGET, "images in a bucket of Google Cloud Storage", ("fsspec", "gcsfs"), "gcs"),
    "az": Entry(_TARGET, "images in a container of Azure Blob Storage", ("adlfs", "fsspec"), "azure"),
}
"""By scheme; in each an object appears whole or not at all, which other file systems do not promise."""
_REGION = "x-amz-bucket-region"
CONNECTIONS = 16
"""Requests of a process under way at the same time."""
_WAITS = (0.25, 1.0, 4.0, 8.0)
"""Seconds between tries: a store that is busy for a moment is asked five times."""
_LONGEST_SAID = 200
_CREDENTIALS = (
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AZURE_CLIENT_SECRET",
    "AZURE_STORAGE_ACCOUNT_KEY",
    "AZURE_STORAGE_CONNECTION_STRING",
    "AZURE_STORAGE_SAS_TOKEN",
)
"""Variables of the environment whose values a store may have repeated."""
_HOPELESS = ("NoCredentialsError", "PartialCredentialsError", "ProfileNotFound", "DefaultCredentialsError")
"""Errors of the stores' own packages, which are not installed everywhere: nobody may ask like that."""
_NO_ADDRESS = ("InvalidEndpoint", "InvalidURL", "LocationParseError", "UnsupportedProtocol", "ValueError")
"""Errors about the address itself, before anybody was asked."""

T = TypeVar("T")
Work = Callable[["AbstractFileSystem", str], T]
"""From the file system and the path in it to what is wanted."""


def ask(address: str, work: Work[T]) -> T:
    """Do something with the object at ``address``, again where that may help.

    Raises
    ------
    FileNotFoundError
        There is no such object, though there is a place for it.
    StorageError
        The store cannot be reached, or refuses.
    """
    scheme, _, path = address.partition("://")
    files = _file_system(scheme)
    for wait in (*_WAITS, None):
        try:
            return work(files, path)
        except FileNotFoundError:
            _check_bucket(files, address)
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), address) from None
        except PermissionError as error:
            raise _refused(address, error) from None
        except Exception as error:
            # The packages of different stores have errors of their own, from botocore's to those of aiohttp.
            if type(error).__name__ in _HOPELESS:
                raise _refused(address, error) from None
            if type(error).__name__ in _NO_ADDRESS:
                raise StorageError(
                    f"{address}: the store cannot be asked ({_said(error)}); correct its address, for S3 the variable "
                    "AWS_ENDPOINT_URL; nothing recorded is lost"
                ) from None
            if status := _redirected(error):
                raise StorageError(
                    f"{address}: the store leads elsewhere (HTTP {status}); nothing is sent there, since credentials "
                    "would go along; give the right address, for S3 in AWS_ENDPOINT_URL; nothing recorded is lost"
                ) from None
            if wait is None:
                raise StorageError(
                    f"{address}: the store does not answer as it should ({_said(error)}), asked {len(_WAITS) + 1} "
                    "times; nothing recorded is lost: run the same command again when it does"
                ) from None
            time.sleep(wait)
    raise AssertionError("unreachable")


@functools.cache
def _file_system(scheme: str) -> AbstractFileSystem:
    """Return this process's connections to stores of a kind; threads share them."""
    entry = STORES.get(scheme)
    if entry and (missing := entry.missing()):
        raise MissingExtraError(f"images in {scheme}:// need {', '.join(missing)}; install with: {entry.remedy()}")
    import fsspec

    options = _s3_options() if scheme == "s3" else {}
    # What others write must be seen at once, so no listing is kept.
    files = fsspec.filesystem(scheme, skip_instance_cache=True, use_listings_cache=False, **options)
    if scheme == "s3":
        files.retries = 1
    return files


def _s3_options() -> Mapping[str, Any]:
    from aiobotocore.config import AioConfig
    from aiobotocore.httpsession import AIOHTTPSession

    if "http_session_cls" not in inspect.signature(AioConfig).parameters:
        raise MissingExtraError(
            "images in s3:// need a newer aiobotocore, which can be told to follow no redirect: run pip install -U "
            '"portrayal[s3]" aiobotocore'
        )

    class NoRedirects(AIOHTTPSession):  # type: ignore[misc]
        """Follows no redirect: its headers, and with them the session's token, would go to any server named."""

        async def _get_session(self, proxy_url: Any) -> Any:
            return _Unredirected(await super()._get_session(proxy_url))

        async def send(self, request: Any) -> Any:
            answer = await super().send(request)
            # With the name of a region, S3's own package asks S3 itself there, whatever address stands beside it.
            if 300 <= answer.status_code < 400 and _REGION not in answer.headers:
                raise RedirectedError(answer.status_code)
            return answer

    config = {
        "connect_timeout": 20,
        "read_timeout": 60,
        "max_pool_connections": CONNECTIONS,
        "retries": {"total_max_attempts": 1},  # a store's own tries would multiply with ours
        "http_session_cls": NoRedirects,
    }
    return {"config_kwargs": config}


class RedirectedError(Exception):
    """A store leads elsewhere, by an HTTP status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class _Unredirected:
    """A session of aiohttp that takes an answer as it is."""

    def __init__(self, session: Any) -> None:
        self._session = session

    def request(self, method: str, **options: Any) -> Any:
        """Send a request, and follow nowhere."""
        return self._session.request(method, **options, allow_redirects=False)


def _redirected(error: BaseException | None) -> int:
    """Return the status by which a store leads elsewhere, 0 where it does not."""
    while error is not None:
        if isinstance(error, RedirectedError):
            return error.status
        error = error.__cause__ or error.__context__
    return 0


def _check_bucket(files: AbstractFileSystem, address: str) -> None:
    """Raise an error when it is not an object that is missing, but all of the store."""
    bucket = address.partition("://")[2].partition("/")[0]
    try:
        there = files.exists(bucket)
    except Exception as error:
        raise _refused(address, error) from None
    if not there:
        shown = address[: address.index(bucket) + len(bucket)]
        raise StorageError(f"{shown}: there is no such bucket; create it, or correct [storage] in study.toml")


def _refused(address: str, error: Exception) -> StorageError:
    return StorageError(
        f"{address}: the store refuses ({_said(error)}); see that your credentials, which the store's own environment "
        "variables and files hold, allow reading, writing and listing there; nothing recorded is lost"
    )


def _said(error: Exception) -> str:
    """Return what an error says, in one printable line without credentials and what follows a ? in an address."""
    said = f"{type(error).__name__}: {error}"
    for secret in sorted(filter(None, map(os.environ.get, _CREDENTIALS)), key=len, reverse=True):
        said = said.replace(secret, "***")
    line = " ".join(word.partition("?")[0] for word in said.split())
    return "".join(letter if letter.isprintable() else "?" for letter in line)[:_LONGEST_SAID].rstrip(": ")
