"""The names that study.toml gives to generators and annotators: for people, and for nothing that is computed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from portrayal.errors import ConfigError, PortrayalError
from portrayal.records import PartNames

if TYPE_CHECKING:
    from portrayal.study.study import OpenStudy

__all__ = ["check_names", "page_names", "part_names", "with_identity"]

_IMPORTED = "SELECT DISTINCT generator FROM imports"


def part_names(study: OpenStudy) -> PartNames:
    """Return the names by identity. Parts that cannot be built on this machine go by their identities."""
    try:
        drawing = {identity: role.title for identity, role in study.generators.items() if role.title}
    except PortrayalError:
        drawing = {}
    try:
        configs = zip(study.annotators, study.config.annotators, strict=True)
        looking = {identity: config.name for identity, config in configs if config.name}
    except PortrayalError:
        looking = {}
    return PartNames(drawing, looking)


def page_names(study: OpenStudy) -> PartNames:
    """Return what parts are called on a page: by their names, else by what study.toml uses, never by a digest.

    Where two would be called the same, or an imported model is called so, they are told apart by their identities.
    """
    names = study.names
    drawing = {identity: drawn.spec.config.use for identity, drawn in study.generators.items()}
    looking = {identity: spec.config.use for identity, (spec, _) in study.annotators.items()}
    imported = study.workspace.query(_IMPORTED)["generator"].to_pylist()
    return PartNames(_readable(drawing, names.generators, imported), _readable(looking, names.annotators, ()))


def _readable(uses: Mapping[str, str], given: Mapping[str, str], taken: Sequence[str]) -> dict[str, str]:
    wanted = {identity: given.get(identity, use) for identity, use in uses.items()}
    often = Counter([*wanted.values(), *taken])
    return {identity: name if often[name] == 1 else given.get(identity, identity) for identity, name in wanted.items()}


def check_names(study: OpenStudy) -> None:
    """Refuse a name that means something else already: another part, or a model whose images were imported."""
    names = study.names
    imported = study.workspace.query(_IMPORTED)["generator"].to_pylist() if names.generators else []
    for identity, name in names.generators.items():
        if name in imported:
            raise ConfigError(f"[[generators]]: {name!r} is an imported model's name too; give {identity} another one")
        if name in study.generators and name != identity:
            raise ConfigError(f"[[generators]]: {name!r} is another generator's identity; give {identity} another name")
    for identity, name in names.annotators.items():
        for other in study.annotators:
            if other != identity and name in study.annotator_names(other):
                raise ConfigError(f"[[annotators]]: {other} is called {name!r} too; give {identity} another name")


def with_identity(name: str, identity: str) -> str:
    """Return what a part is called on a page, and under what the tables keep its results.

    >>> with_identity("Painter", "simulated@1"), with_identity("simulated@1", "simulated@1")
    ('Painter: simulated@1', 'simulated@1')
    """
    return identity if name == identity else f"{name}: {identity}"
