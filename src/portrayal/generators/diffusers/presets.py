"""Settings that others measured with, by name: ``data/presets.toml``."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from types import MappingProxyType

__all__ = ["Preset", "load_presets"]


@dataclass(frozen=True, slots=True)
class Preset:
    """``settings`` are options of the generator, ``models`` where what was measured is published on the hub."""

    settings: Mapping[str, str | int | float]
    models: tuple[str, ...]
    note: str
    citation: str


@functools.cache
def load_presets() -> Mapping[str, Preset]:
    """Return the shipped presets by name."""
    path = resources.files("portrayal.generators.diffusers") / "data" / "presets.toml"
    sets = tomllib.loads(path.read_text(encoding="utf-8"))["sets"]
    return MappingProxyType(
        {
            name: Preset(table["settings"], tuple(table["models"]), table.get("note", ""), source["citation"].strip())
            for source in sets
            for name, table in source["presets"].items()
        }
    )
