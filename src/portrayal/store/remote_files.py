"""Asking a store of objects in a network: bounded tries, and one line when it cannot be done."""

from __future__ import annotations

import errno
import functools
import os
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from portrayal.errors import MissingExtraError, StorageError
from portrayal.registry import Entry

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

__all__ = ["CONNECTIONS", "STORES", "ask"]

_TARGET = "portrayal.store.remote_images:RemoteImages"
STORES: Mapping[str, Entry] = {
    "s3": Entry(_TARGET, "images in a bucket of S3, or of a server that speaks like it", ("fsspec", "s3fs"), "s3"),
    "gs": Entry(_TARGET, "images in a bucket of Google Cloud Storage", ("fsspec", "gcsfs"), "gcs"),
    "az": Entry(_TARGET, "images in a container of Azure Blob Storage", ("adlfs", "fsspec"), "azure"),
}
"""By scheme; in each an object appears whole or not at all, which other file systems do not promise."""
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

# A store's own tries would multiply with ours.
_OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "s3": {
        "config_kwargs": {
            "connect_timeout": 20,
            "read_timeout": 60,
            "max_pool_connections": CONNECTIONS,
            "retries": {"total_max_attempts": 1},
        }
    }
}
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

    # What others write must be seen at once, so no listing is kept.
    files = fsspec.filesystem(scheme, skip_instance_cache=True, use_listings_cache=False, **_OPTIONS.get(scheme, {}))
    if scheme == "s3":
        files.retries = 1
    return files


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
