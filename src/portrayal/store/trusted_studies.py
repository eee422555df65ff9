"""Which studies' folders the user made, or has said to trust, on this machine.

It stands in files of the user's own, never in a study alone: whoever hands on a study could copy a mark that lies in
it. A study that was made here is known by its folder, and by a word in it, since a folder that is made in the place of
another may have its number; one that came from elsewhere by its folder and the bytes of its ``study.toml``, so that
nobody changes later what it does.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
from pathlib import Path

from portrayal.errors import InputError, PortrayalError
from portrayal.inputfile import read_regular
from portrayal.store.files import write_own
from portrayal.store.user_settings import settings_file, write_settings

__all__ = ["VARIABLE", "forget_study", "is_trusted", "keep_trust", "remember_made", "trust_study"]

VARIABLE = "PORTRAYAL_TRUST"
"""The variable of the environment with folders in which every study is the user's own, as in a container."""
_LARGEST = 65_536
_WORD = ".made-here"
"""The file in a study with a word that only a folder which was made here has."""


def is_trusted(folder: Path, config: bytes) -> bool:
    """Return whether a study with this ``study.toml`` was made here, or trusted as it is."""
    if _is_below_own(folder):
        return True
    try:
        known = json.loads(read_regular(_record(folder), _LARGEST))
    except (OSError, ValueError, PortrayalError, RecursionError):
        return False
    if not isinstance(known, dict) or known.get("folder") != _real(folder):
        return False
    made = known.get("made") == _number(folder) and known.get("word") == _word(folder)
    return made or known.get("config") == _digest(config)


def remember_made(folder: Path) -> None:
    """Note that the user made a study here; where that cannot be noted, it is asked for later."""
    if not _is_below_own(folder):
        with contextlib.suppress(PortrayalError, RuntimeError, OSError):
            write_own(folder / _WORD, secrets.token_hex(16).encode())
            _write(folder, {"made": _number(folder), "word": _word(folder)})


def trust_study(folder: Path, config: bytes) -> None:
    """Trust a study for as long as its ``study.toml`` says this, and it stays where it is."""
    _write(folder, {"config": _digest(config)})


def keep_trust(folder: Path, before: bytes, after: bytes) -> None:
    """Go on trusting a study whose ``study.toml`` the user has changed with our help."""
    if is_trusted(folder, before) and not is_trusted(folder, after):
        trust_study(folder, after)


def forget_study(folder: Path) -> None:
    """Take back what was noted of a study."""
    try:
        _record(folder).unlink()
    except FileNotFoundError:
        raise InputError(f"{folder}: was not made here, and is not trusted") from None
    except OSError as error:
        raise InputError(f"{_record(folder)}: cannot be deleted: {error.strerror}") from None


def _write(folder: Path, why: dict[str, object]) -> None:
    write_settings(_record(folder), json.dumps({"folder": _real(folder), **why}) + "\n")


def _record(folder: Path) -> Path:
    name = hashlib.sha256(_real(folder).encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return settings_file(f"studies/{name}.json")


def _is_below_own(folder: Path) -> bool:
    own = [os.path.realpath(each) for each in os.environ.get(VARIABLE, "").split(os.pathsep) if each]
    return any(Path(_real(folder)).is_relative_to(each) for each in own)


def _real(folder: Path) -> str:
    return os.path.realpath(folder)


def _number(folder: Path) -> list[int]:
    """Return what is another for another folder of the same name."""
    about = Path(_real(folder)).stat()
    return [about.st_dev, about.st_ino]


def _word(folder: Path) -> str:
    """Return the digest of the word in a folder; of none what no record has."""
    try:
        return _digest(read_regular(folder / _WORD, _LARGEST))
    except (OSError, PortrayalError):
        return "none"


def _digest(config: bytes) -> str:
    return hashlib.sha256(config).hexdigest()
