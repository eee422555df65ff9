"""What the graphs of a method are about: their vertices, the relations between them, and how people judge those."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Protocol

from portrayal.bundles import BundleRegistry
from portrayal.graph.guidelines import Guidelines
from portrayal.graph.typed_graph import Key, Schema, Vertex

__all__ = ["DOMAINS", "Domain", "ReadDomain"]


@dataclass(frozen=True)
class Domain:
    """Vertices and possible edges. ``guidelines`` are by language, English among them.

    ``titles`` are what vertices are called in other languages, where that is known.
    """

    vertices: Sequence[Vertex]
    schema: Schema
    guidelines: Mapping[str, Guidelines]
    titles: Mapping[str, Mapping[Key, str]] = field(default_factory=dict)

    @cached_property
    def by_key(self) -> Mapping[Key, Vertex]:
        """The vertices by what they are known by."""
        return {vertex.key: vertex for vertex in self.vertices}

    def of_kind(self, kind: str) -> list[Vertex]:
        """Return the vertices of a kind, in their order."""
        return [vertex for vertex in self.vertices if vertex.kind == kind]

    def title(self, key: Key, language: str) -> str:
        """Return what a vertex is called."""
        return self.titles.get(language, {}).get(key) or self.by_key[key].title or key.name


class ReadDomain(Protocol):
    """Reads a domain: shipped tables, or a user's in the folder ``tables``, perhaps about another ``kind`` of group."""

    def __call__(self, tables: Path | None = None, kind: str = "") -> Domain:
        """Return the domain."""


DOMAINS: BundleRegistry[ReadDomain] = BundleRegistry("graph domain", "graphs")
