"""From a name in study.toml to a working part, and the identity under which its results are kept.

The identity is the part's own name and version, plus a digest of every option that differs from its default (for a
file: of its content). So results of other options are never mixed, and moving a study's folder changes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeVar

from portrayal.annotators import ANNOTATORS, Annotator
from portrayal.errors import ConfigError
from portrayal.generators import GENERATORS, Generator
from portrayal.inputfile import sha256
from portrayal.methods import METHODS
from portrayal.methods.base import Method
from portrayal.records import content_id
from portrayal.registry import Registry
from portrayal.settings import Settings, parse_settings
from portrayal.study.config import CONFIG_NAME, NO_WISH, PartConfig, ResourcesConfig
from portrayal.study.config_lines import part_line
from portrayal.suites import SUITES, Suite
from portrayal.tomlfile import Keys, at_line

__all__ = ["AnnotatorSpec", "GeneratorSpec", "build_method", "build_suite", "method_identity"]


P = TypeVar("P", Generator, Annotator)


@dataclass(frozen=True, slots=True)
class _PartSpec(Generic[P]):
    """Which part, with which options, or an ``instance`` of the user; picklable, so that workers can build it.

    ``resources`` are those of a worker, ``devices`` those that study.toml names.
    """

    registry: ClassVar[Registry[Any]]
    config: PartConfig
    folder: Path
    instance: P | None = None
    resources: ResourcesConfig = NO_WISH
    devices: tuple[str, ...] = ()

    def on(self, device: str) -> Self:
        """Return the same part, working on a device."""
        return replace(self, config=self.config.with_options(device=device), devices=())

    def build(self) -> P:
        """Return the part, under its full identity."""
        if self.instance is not None:
            return self.instance
        factory = self.registry.load(self.config.use)
        options, suffix = _options(factory.Options, self.config, self.folder)
        part: P = factory(self.config.use.partition(":")[2], options)
        part.name += suffix
        return part


class GeneratorSpec(_PartSpec[Generator]):
    """A generator of a study."""

    __slots__ = ()
    registry = GENERATORS


class AnnotatorSpec(_PartSpec[Annotator]):
    """An annotator of a study."""

    __slots__ = ()
    registry = ANNOTATORS


def build_suite(config: PartConfig, folder: Path) -> Suite:
    """Return the suite that ``config`` names."""
    factory = SUITES.load(config.use)
    return factory(parse_settings(factory.Options, config.options, _where(config, folder)), folder)


def build_method(config: PartConfig, folder: Path) -> Method:
    """Return the method that ``config`` names."""
    factory = METHODS.load(config.use)
    _require_method(config.use, factory)
    return factory(parse_settings(factory.Options, config.options, _where(config, folder)), folder)


def _require_method(name: str, target: object) -> None:
    """Refuse a plugin's target that is no method, or half of one, before anything is drawn for it."""
    if not (isinstance(target, type) and issubclass(target, Method)):
        raise ConfigError(f"method {name!r} is no subclass of portrayal.methods.base.Method; see docs/plugins.md")
    lacks = [word for word in ("name", "measure") if word in target.__abstractmethods__ or not hasattr(target, word)]
    if lacks:
        raise ConfigError(f"method {name!r} lacks {', '.join(lacks)}; see docs/plugins.md")


def method_identity(config: PartConfig, folder: Path) -> str:
    """Return a method's name, with a digest of the options that differ from their defaults."""
    return config.use + _options(METHODS.load(config.use).Options, config, folder)[1]


def _options(model: type[Settings], config: PartConfig, folder: Path) -> tuple[Settings, str]:
    options = parse_settings(model, config.options, _where(config, folder))
    files = {name: folder / value for name, value in options if isinstance(value, Path)}
    # A folder is known by its path, for what lies in it may grow.
    digests = {name: sha256(path) for name, path in files.items() if name not in options.folders and not path.is_dir()}
    changed: dict[str, Any] = {**options.changed(), **digests}
    suffix = f"#{content_id(json.dumps(changed, sort_keys=True))[:8]}" if changed else ""
    return options.model_copy(update=files), suffix


def _where(config: PartConfig, folder: Path) -> Callable[[Keys], str]:
    def place(keys: Keys) -> str:
        return f"{at_line(str(folder / CONFIG_NAME), part_line(folder, config, keys))}: options of {config.use!r}"

    return place
