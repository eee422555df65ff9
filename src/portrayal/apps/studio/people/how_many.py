"""How many people label each picture: what study.toml says of it, and how a page changes that."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from portrayal.errors import InputError
from portrayal.language.translation import t
from portrayal.store.files import write_atomic
from portrayal.store.trusted_studies import keep_trust
from portrayal.study.config import CONFIG_NAME, parse_config, read_config

__all__ = ["MOST_RATERS", "USUAL_RATERS", "raters_of", "set_raters"]

USUAL_RATERS, MOST_RATERS = 2, 20
_TABLE, _KEY = "labels", "raters"


def raters_of(folder: Path) -> int:
    """Return how many people label each picture."""
    import tomlkit

    table = tomlkit.parse(read_config(folder).decode()).unwrap().get(_TABLE)
    number = table.get(_KEY, USUAL_RATERS) if isinstance(table, Mapping) else USUAL_RATERS
    return number if isinstance(number, int) else USUAL_RATERS


def set_raters(folder: Path, text: str) -> None:
    """Write how many people label each picture into study.toml, unless it says so already; all else stays."""
    import tomlkit

    try:
        number = int(text)
    except ValueError:
        number = 0
    if not 1 <= number <= MOST_RATERS:
        raise InputError(t("How many people label each picture: a whole number from 1 to {n}.", n=MOST_RATERS))
    if number == raters_of(folder):
        return
    before = read_config(folder)
    document: Any = tomlkit.parse(before.decode())
    document.setdefault(_TABLE, tomlkit.table())[_KEY] = number
    after = tomlkit.dumps(document).encode()
    parse_config(after, folder)
    write_atomic(folder / CONFIG_NAME, after)
    keep_trust(folder, before, after)
