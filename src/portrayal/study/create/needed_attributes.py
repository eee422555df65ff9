"""Attributes that a method cannot do without: parts that learn to deal with them, and annotators that report them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from portrayal.annotators import ANNOTATORS
from portrayal.bundles import Bundle
from portrayal.errors import MissingExtraError, MissingOptionError, PortrayalError
from portrayal.generators import GENERATORS
from portrayal.records import Attribute, attribute_table
from portrayal.registry import Registry
from portrayal.study.config import AnnotatorConfig
from portrayal.study.create.toml_lines import written
from portrayal.study.parts.specs import AnnotatorSpec, GeneratorSpec

__all__ = ["default_annotators", "lacking_parts", "options_for", "part_options", "unfit_generator", "unreported"]

_USUAL = "faces"


def options_for(factory: object, attributes: Sequence[Attribute]) -> Mapping[str, Any]:
    """Return the options by which a part deals with the attributes, for parts that have such options."""
    made = getattr(factory, "options_for", None)
    return made(attributes) if made else {}


def default_annotators(bundle: Bundle) -> list[AnnotatorConfig]:
    """Return who looks unless somebody else is named: the usual annotator, or the method's own if that is of no use."""
    usual = ANNOTATORS.entries()[_USUAL].tells
    if bundle.annotators and not set(bundle.attributes) & set(usual):
        return [AnnotatorConfig(**_published(bundle, table)) for table in bundle.annotators]
    return [AnnotatorConfig(use=_USUAL)]


def _published(bundle: Bundle, table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the table of an annotator with the options by which it does as published."""
    options = bundle.part_options.get(table["use"].partition(":")[0], {})
    return {**table, "options": {**options, **table.get("options", {})}}


def lacking_parts(specs: Sequence[GeneratorSpec | AnnotatorSpec]) -> Iterator[str]:
    """Yield what each part cannot work without: an option, a package, files of a model; a wrong part is refused."""
    for spec in specs:
        try:
            part = spec.build()
        except (MissingOptionError, MissingExtraError) as error:
            yield str(error)
            continue
        try:
            getattr(part, "require_ready", lambda: None)()
        except PortrayalError as error:
            yield str(error)


def unfit_generator(spec: GeneratorSpec, method: str, bundle: Bundle) -> Iterator[str]:
    """Yield that a generator draws nothing but faces, where a method asks for things."""
    if bundle.asks_for_things and getattr(GENERATORS.load(spec.config.use), "only_faces", False):
        yield (
            f"generator {spec.config.use!r} draws faces whatever the prompt says, and {method!r} asks for things; "
            "choose another one in study.toml, such as diffusers:<model> or openai:<model> (see: portrayal doctor)"
        )


def unreported(specs: Sequence[AnnotatorSpec], method: str, bundle: Bundle) -> Iterator[str]:
    """Yield what no annotator reports of what a method needs, then the lines that add one who does, and who else does.

    Lines that continue one begin with a space.
    """
    reported: set[str] = set()
    for spec in specs:
        entry = ANNOTATORS.entries()[spec.config.use.partition(":")[0]]
        try:
            reported |= {attribute.name for attribute in spec.build().attributes}
        except (MissingOptionError, MissingExtraError):
            reported |= set(entry.tells)  # what it reports depends on what is not set yet
    lacks = [name for name in bundle.attributes if name not in reported]
    if not specs or not lacks:
        return
    names, who = ", ".join(map(repr, lacks)), ", ".join(repr(spec.config.use) for spec in specs)
    lines = [line for table in bundle.annotators for line in _table(_published(bundle, table), lacks)]
    verb = "does not report" if len(specs) == 1 else "do not report"
    needed = (
        f"annotator{'' if len(specs) == 1 else 's'} {who} {verb} {names}, which {method!r} needs for all its scores"
    )
    yield f"{needed}; add to study.toml:" if lines else f"{needed}; add an annotator that does to study.toml:"
    yield from (f"  {line}" for line in lines)
    others = list(_others(lacks, bundle))
    if lines and others:
        yield "  # or one of these:"
    yield from others
    if not lines and not others:
        yield "  none that is installed does: give one of your own, or a plugin's (docs/plugins.md)"


def _table(table: Mapping[str, Any], lacks: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a table of study.toml, if that annotator reports something that is lacking."""
    if set(ANNOTATORS.entries()[table["use"].partition(":")[0]].tells) & set(lacks):
        yield "[[annotators]]"
        yield f"use = {written(table['use'])}"
        yield from (f"options.{key} = {written(value)}" for key, value in table.get("options", {}).items())


def _others(lacks: Sequence[str], bundle: Bundle) -> Iterator[str]:
    """Yield a line for each other annotator that reports all that is lacking."""
    named = {table["use"].partition(":")[0] for table in bundle.annotators}
    for name, entry in ANNOTATORS.entries().items():
        if name not in named and set(lacks) <= set(entry.tells):
            about = entry.summary if entry.summary.startswith(f"{name}:") else f"{name}: {entry.summary}"
            yield f"  {about}; {entry.remedy() if entry.missing() else 'installed'}"


def part_options(bundle: Bundle, registry: Registry[Any], name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return a part's options: those given, else the method's for this part, by which it does as published.

    By some of them it deals with what the method needs, whatever else is given.
    """
    needed = options_for(registry.load(name), [attribute_table()[attribute] for attribute in bundle.attributes])
    published = {} if given else bundle.part_options.get(name.partition(":")[0], {})
    return {**needed, **published, **given}
