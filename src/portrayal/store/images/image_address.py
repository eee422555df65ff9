"""Addresses of image stores: a bucket, or a folder that is not the study's own.

An address never holds a key, a password or a signature: it stands in ``study.toml``, in reports and in exported tables.
What is wrong with one is told without repeating it.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from portrayal.errors import ConfigError
from portrayal.store.images.remote_files import STORES

__all__ = ["normal_address"]

_FILE = "file"
_BUCKET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{1,62}(/[A-Za-z0-9._=+-]+)*")


def normal_address(text: str, root: Path) -> str:
    """Return an address as it is compared: a bucket with its prefix, or the absolute path of a folder.

    >>> normal_address("s3://pictures/study/", Path("."))
    's3://pictures/study'
    >>> normal_address("../pictures", Path("/data/study"))
    '/data/pictures'

    Raises
    ------
    ConfigError
        It is no address of a store, or holds what may be a secret.
    """
    scheme, separator, rest = text.partition("://")
    if not separator:
        return _folder(text, root)
    if scheme == _FILE:
        if not rest.startswith("/"):
            raise ConfigError("a folder's address has three slashes, file:///folder; or give its path alone")
        return _folder(rest, root)
    if any(letter in rest for letter in "@?:#&"):
        raise ConfigError(
            "an address holds a bucket and a prefix, such as s3://bucket/prefix, and no user, key, password or "
            "signature: take that out, and give it in the environment variables or files of the store's own tools"
        )
    if scheme not in STORES:
        known = ", ".join(f"{scheme}://bucket/prefix" for scheme in STORES)
        raise ConfigError(f"images can be kept in {known} or a folder; mount any other file system and give the folder")
    path = rest.rstrip("/")
    if not _BUCKET.fullmatch(path) or {".", ".."} & set(path.split("/")):
        raise ConfigError(f"{scheme}:// is followed by a bucket and a prefix of letters, digits and ._=+-")
    return f"{scheme}://{path}"


def _folder(text: str, root: Path) -> str:
    if not text.isprintable() or not text.strip():
        raise ConfigError("a folder's path is one line that can be printed")
    expanded = os.path.expanduser(text)  # noqa: PTH111 - the path of an unknown user stays as it is, and is no error there
    if expanded.startswith("~"):
        raise ConfigError(f"{text!r} begins with the home of a user that is not there; write ./~ for a folder called ~")
    # Links are followed: what counts is where the pictures come to lie.
    return os.path.realpath(root / expanded)
