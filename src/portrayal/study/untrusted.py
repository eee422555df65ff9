"""What running somebody else's study would do beyond its own folder, read from ``study.toml`` alone.

Nothing is built, imported or asked for it: of parts only names and options are looked at.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from portrayal.annotators import ANNOTATORS
from portrayal.generators import GENERATORS
from portrayal.methods import METHODS
from portrayal.processes.refusing import reaching_nobody
from portrayal.registry import Registry
from portrayal.store.images.image_folder import ImageFolder
from portrayal.store.workspace import Workspace
from portrayal.study.config import PartConfig, StudyConfig, load_config
from portrayal.study.run_control import RunControl
from portrayal.study.verify import Verified, verify
from portrayal.suites import SUITES

__all__ = ["Deed", "Opened", "deeds", "open_untrusted"]

_SERVICE = "api"
"""The extra of parts that ask a service."""
_OWN = "python"
_LONGEST = 4096


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that running the study would do: of which kind, to what, and which part of study.toml says so."""

    kind: str
    what: str
    where: str


@dataclass(frozen=True, slots=True)
class Opened:
    """A study's title, what it would do, and what its files are like; None where its images lie elsewhere."""

    title: str
    deeds: Sequence[Deed]
    verified: Verified | None

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)


def open_untrusted(root: Path, control: RunControl) -> Opened:
    """Look at a study of somebody else: its tables and images are read and compared, and nothing that it asks is done.

    Meanwhile this process reaches nobody and starts nothing.
    """
    with reaching_nobody():
        config = load_config(root)
        done = list(deeds(config, root))
        workspace = Workspace(root, ImageFolder(root / "images"))
        elsewhere = any(deed.where == "[storage]" for deed in done)
        return Opened(config.study.title, done, None if elsewhere else verify(_Folder(root, workspace), control))


@dataclass(frozen=True, slots=True)
class _Folder:
    """As much of a study as is needed to compare its files: none of its parts."""

    root: Path
    workspace: Workspace


def deeds(config: StudyConfig, root: Path) -> Iterator[Deed]:
    """Yield what running the study would do beyond reading and writing in its own folder."""
    parts: list[tuple[str, Registry[Any], Sequence[PartConfig]]] = [
        ("[suite]", SUITES, [config.suite] if config.suite else []),
        ("[[generators]]", GENERATORS, config.generators),
        ("[[annotators]]", ANNOTATORS, config.annotators),
        ("[[methods]]", METHODS, config.methods),
    ]
    for where, registry, configs in parts:
        for part in configs:
            yield from _of_part(registry, part, root, f"{where} {part.use}")
    for imported in config.imports:
        yield from _outside([str(imported.images), imported.manifest], root, "[[imports]]")
    if config.storage.images and not _inside(config.storage.images, root):
        yield Deed("store", f"keep and read images in {config.storage.images}, if you allow it", "[storage]")
    for link in sorted(_links(root)):
        yield Deed("path", f"follow the link {link.relative_to(root)} to {os.path.realpath(link)}", "the folder")


def _of_part(registry: Registry[Any], part: PartConfig, root: Path, where: str) -> Iterator[Deed]:
    name, _, argument = part.use.partition(":")
    entry = registry.entries().get(name)
    if name == _OWN:
        yield Deed("code", "run a part of its author's own, which you would have to give it from Python", where)
    elif entry is None:
        yield Deed("code", "need a part that is not installed here", where)
    elif not entry.target.startswith("portrayal."):
        yield Deed("code", f"run code of another package that you installed ({entry.summary})", where)
    elif entry.extra == _SERVICE:
        asked = part.options.get("base_url") or argument or "its usual address"
        key = f", with the key in {part.options['key_env']}" if "key_env" in part.options else ""
        yield Deed("network", f"send prompts and pictures to {asked}{key}; this may cost money", where)
    yield from _outside([argument, *_texts(part.options)], root, where)


def _outside(texts: Sequence[str], root: Path, where: str) -> Iterator[Deed]:
    for text in dict.fromkeys(texts):
        if text and "://" not in text and not _inside(text, root):
            yield Deed("path", f"read {os.path.realpath(root / os.path.expanduser(text))}", where)  # noqa: PTH111


def _inside(text: str, root: Path) -> bool:
    """Return whether a text, taken for a path, stays in the folder; one that can be no path does."""
    if "://" in text:
        return False
    if len(text) > _LONGEST or not text.isprintable():
        return True
    place, folder = os.path.realpath(root / os.path.expanduser(text)), os.path.realpath(root)  # noqa: PTH111
    return place == folder or place.startswith(f"{folder.rstrip(os.sep)}{os.sep}")


def _texts(value: object) -> Iterator[str]:
    """Yield all texts in a part's options."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)


def _links(root: Path) -> Iterator[Path]:
    """Yield links in the folder itself that lead out of it; study.toml may be one."""
    for path in root.iterdir():
        if path.is_symlink() and not _inside(path.name, root):
            yield path
