"""Which image stores the user has allowed on this machine.

A study from somebody else may name any bucket or folder, and would read and write there in the user's name. So one that
is not the study's own folder must have been allowed, once, in a file of the user's own.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from pathlib import Path

from portrayal.errors import InputError
from portrayal.store.images.image_address import normal_address
from portrayal.store.user_settings import settings_file, write_settings

__all__ = ["allow_store", "allowed_stores", "forget_store", "is_allowed", "stores_file"]

_HEADER = "# Where studies may keep their images; see: portrayal stores --help\n"


def stores_file() -> Path:
    """Return the file that holds what the user allowed."""
    return settings_file("stores.toml")


def allowed_stores() -> Sequence[str]:
    """Return the addresses that the user allowed."""
    path = stores_file()
    try:
        stores = tomllib.loads(path.read_text(encoding="utf-8")).get("stores")
    except FileNotFoundError:
        return ()
    except (ValueError, RecursionError):
        stores = None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    if not isinstance(stores, list) or not all(isinstance(store, str) for store in stores):
        raise InputError(f"{path}: not as portrayal stores writes it; delete it and allow your stores again")
    return stores


def is_allowed(address: str) -> bool:
    """Return whether an address, or one that it lies in, is allowed."""
    return any(address == store or address.startswith(f"{store.rstrip('/')}/") for store in allowed_stores())


def allow_store(text: str) -> str:
    """Let studies keep images at an address and below it; return it as it is kept."""
    address = normal_address(text, Path.cwd())
    if address not in allowed_stores():
        _write([*allowed_stores(), address])
    return address


def forget_store(text: str) -> str:
    """Take back what was allowed; return the address as it was kept."""
    address = normal_address(text, Path.cwd())
    if address not in allowed_stores():
        raise InputError(f"{address} was not allowed; see: portrayal stores")
    _write([store for store in allowed_stores() if store != address])
    return address


def _write(stores: Sequence[str]) -> None:
    write_settings(stores_file(), f"{_HEADER}stores = {json.dumps(sorted(stores))}\n")
