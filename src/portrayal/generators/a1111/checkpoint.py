"""Which model a web UI draws with, by name and hash: checked before and after, so that no other model's images come in.

Such a server silently keeps the model it has when it does not find the one it is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from portrayal.errors import ConfigError, ServiceError, did_you_mean

__all__ = ["Checkpoint"]

_MOST_MODELS, _LONGEST_TITLE = 10_000, 500
_FORM = re.compile(r"(?P<name>.*?\S)(?:\s+\[(?P<hash>[0-9a-fA-F]{8,64})\])?")
_ENDINGS = frozenset({".ckpt", ".gguf", ".pt", ".safetensors", ".sft"})


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A model file's name, with folder and ending if it has them, and the first digits of its SHA-256, if given."""

    name: str
    hash: str = ""

    @classmethod
    def parse(cls, part: str, text: str) -> Checkpoint:
        """Read ``name.safetensors [0123456789]``, as the web UI writes it."""
        match = _FORM.fullmatch(text.strip())
        if match is None:
            raise ConfigError(f"{part}: checkpoint {text!r} is no name; give it as 'name.safetensors [0123456789]'")
        return cls(match["name"], (match["hash"] or "").lower())

    @property
    def title(self) -> str:
        """The name and the hash, as they appear in the identity of images."""
        return f"{self.name}@{self.hash}" if self.hash else self.name

    def find(self, part: str, models: Iterable[Mapping[str, Any]]) -> str:
        """Return the title under which the server lists the model.

        Raises
        ------
        ServiceError
            When the server has no such model.
        ConfigError
            When it knows the model's hash and the options do not.
        """
        titles = [str(model.get("title") or model.get("model_name") or "") for model in models]
        usable = [title for title in titles[:_MOST_MODELS] if title.strip() and len(title) <= _LONGEST_TITLE]
        listed = {title: Checkpoint.parse(part, title) for title in usable}
        named = {title: other for title, other in listed.items() if _same_name(self.name, other.name)}
        if not named:
            hint = did_you_mean(self.name, [other.name for other in listed.values()])
            raise ServiceError(f"{part}: the server has no checkpoint {self.name!r}{hint}; set options.checkpoint")
        for title, other in named.items():
            # A server computes a hash when it first loads the file; one it has not computed is checked afterwards.
            if not other.hash or _same_hash(self.hash, other.hash):
                return title
        self._want_hash(part, next(iter(named.values())))
        raise ServiceError(f"{part}: the server's {self.name} is another file: {', '.join(named)}, not [{self.hash}]")

    def check_drawn(self, part: str, name: str, digest: str) -> None:
        """Refuse an image that another model drew; ``name`` and ``digest`` are what the server says of it.

        Raises
        ------
        ServiceError
            It was another model, or there is no telling.
        ConfigError
            The options do not give the hash.
        """
        self._want_hash(part, Checkpoint(self.name, digest))
        if self.hash and not digest:
            raise ServiceError(
                f"{part}: the server tells no hash of what it draws with (--no-hashing?); "
                "without one give options.checkpoint as the name alone"
            )
        if (self.hash and not _same_hash(self.hash, digest)) or (not self.hash and not _same_name(self.name, name)):
            raise ServiceError(
                f"{part}: the server drew with {name or 'another checkpoint'} [{digest}], not with {self.title}; "
                "choose that checkpoint in the web UI, then run again; nothing is lost"
            )

    def _want_hash(self, part: str, loaded: Checkpoint) -> None:
        if loaded.hash and not self.hash:
            raise ConfigError(
                f'{part}: set options.checkpoint to "{loaded.name} [{loaded.hash}]", '
                "so that images of another file by that name are never mixed in"
            )


def _same_hash(one: str, other: str) -> bool:
    return bool(one) and bool(other) and (one.startswith(other) or other.startswith(one))


def _same_name(one: str, other: str) -> bool:
    """Tell whether two names are of one file: a folder or an ending counts only where both have one."""
    mine, theirs = (PurePosixPath(name.replace("\\", "/")) for name in (one, other))
    folders = {path.parent for path in (mine, theirs)} - {PurePosixPath()}
    endings = {path.suffix for path in (mine, theirs)} & _ENDINGS
    return len(folders) < 2 and len(endings) < 2 and _bare(mine) == _bare(theirs)


def _bare(path: PurePosixPath) -> str:
    return path.stem if path.suffix in _ENDINGS else path.name
