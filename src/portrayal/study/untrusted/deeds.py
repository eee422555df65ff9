"""What running a study would do beyond its own folder, read from ``study.toml`` alone, and whether the user allows it.

Nothing is built, imported or asked for it: of parts only names and options are looked at.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from portrayal.annotators import ANNOTATORS
from portrayal.errors import StudyError
from portrayal.generators import GENERATORS
from portrayal.methods import METHODS
from portrayal.registry import Registry
from portrayal.store.trusted_studies import is_trusted
from portrayal.study.config import PartConfig, StudyConfig
from portrayal.suites import SUITES
from portrayal.terminal import from_here
from portrayal.tomlfile import texts_in

__all__ = ["Deed", "Kind", "deeds", "links_out", "require_trust", "untrusted_deeds"]

Kind = Literal["code", "path", "network", "store"]
_SERVICE = "api"
"""The extra of parts that ask a service."""
_OWN = "python"
_LONGEST = 4096
_MODELS = (".safetensors", ".bin", ".pt", ".pth", ".ckpt", ".onnx", ".npz", ".mat")
"""How files of models end: a library that knows them reads what they ask for."""


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that running the study would do: of which kind, to what, and which part of study.toml says so."""

    kind: Kind
    what: str
    where: str

    @property
    def given(self) -> bool:
        """Whether it is of a part that the user gives from Python."""
        return f" {_OWN}:" in self.where


def untrusted_deeds(config: StudyConfig, data: bytes, root: Path) -> list[Deed]:
    """Return what a study, whose study.toml is ``data``, would do and may not, for it comes from elsewhere."""
    if is_trusted(root, data):
        return []
    return [deed for deed in deeds(config, root) if not deed.given and deed.kind != "store"]


def require_trust(study: tuple[Path, StudyConfig, bytes], kinds: Sequence[Kind]) -> None:
    """Raise an error when a study would do something of these kinds, and was neither made here nor trusted.

    Parts in Python are no matter: it was the user who gave them.
    """
    root, config, data = study
    if found := [deed for deed in untrusted_deeds(config, data, root) if deed.kind in kinds]:
        place = shlex.quote(str(from_here(root)))
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        raise StudyError(
            f"{root}: this study was not made on this machine, and would {found[0].what}{more}; look at it: "
            f"portrayal open {place}; if you trust it: portrayal open {place} --trust"
        )


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
        if imported.outside:
            yield Deed("path", f"read whatever files {imported.images} names, wherever they are", "[[imports]] outside")
    yield from _outside(config.report.labels_from, root, "[report] labels_from")
    if config.sampling:
        yield from _outside([config.sampling.about.policy], root, "[sampling] about.policy")
    if config.storage.images and not _inside(config.storage.images, root):
        yield Deed("store", f"keep and read images in {config.storage.images}, if you allow it", "[storage]")


def links_out(root: Path) -> Iterator[Deed]:
    """Yield the links in the folder itself that lead out of it: whoever reads a file of that name follows them."""
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
    texts = [argument, *texts_in(part.options)]
    yield from _outside(texts, root, where)
    if entry is not None and entry.extra:  # models are looked for where the command is started
        for text in filter(_is_path, texts):
            if os.path.exists(os.path.expanduser(text)):  # noqa: PTH110, PTH111 - no error for names that are none
                yield from _at(_place(text, Path.cwd()), root, where)


def _outside(texts: Sequence[str], root: Path, where: str) -> Iterator[Deed]:
    for text in dict.fromkeys(texts):
        if _is_path(text):
            yield from _at(_place(text, root), root, where)


def _at(place: str, root: Path, where: str) -> Iterator[Deed]:
    """Yield what comes of reading a file or folder: links in it, and a model, lead further than its own path."""
    if not _is_below(place, root):
        yield Deed("path", f"read {place}", where)
        return
    for path in _files(Path(place)):
        shown = path.relative_to(os.path.realpath(root)).as_posix()
        if path.is_symlink() and not _is_below(os.path.realpath(path), root):
            yield Deed("path", f"follow the link {shown} to {os.path.realpath(path)}", where)
            return
        if path.suffix.lower() in _MODELS:
            yield Deed("code", f"load the model in {shown}, which says itself how much memory it takes", where)
            return


def _files(place: Path) -> Iterator[Path]:
    """Yield a file, or what lies in a folder, however deep."""
    if os.path.isfile(place):  # noqa: PTH113 - which says no to a name that is too long
        yield place
    for folder, folders, files in os.walk(place):
        yield from (Path(folder, name) for name in (*folders, *files))


def _inside(text: str, root: Path) -> bool:
    """Return whether a text, taken for a path, stays in the folder."""
    return _is_path(text) and _is_below(_place(text, root), root)


def _is_path(text: str) -> bool:
    return bool(text) and "://" not in text and "\0" not in text and len(text) <= _LONGEST


def _is_below(place: str, root: Path) -> bool:
    folder = os.path.realpath(root)
    return place == folder or place.startswith(f"{folder.rstrip(os.sep)}{os.sep}")


def _place(text: str, root: Path) -> str:
    return os.path.realpath(root / os.path.expanduser(text))  # noqa: PTH111 - that of Path breaks on an unknown user


def _links(root: Path) -> Iterator[Path]:
    """Yield links in the folder itself that lead out of it; study.toml may be one."""
    for path in root.iterdir():
        if path.is_symlink() and not _inside(path.name, root):
            yield path
