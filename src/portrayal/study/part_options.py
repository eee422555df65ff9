"""The options that a new study gives to a part which was named alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from portrayal.bundles import Bundle
from portrayal.records import attribute_table
from portrayal.registry import Registry
from portrayal.study.needed_attributes import options_for

__all__ = ["part_options"]


def part_options(bundle: Bundle, registry: Registry[Any], name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return a part's options: those given, else the method's for this part, by which it does as published.

    By some of them it deals with what the method needs, whatever else is given.
    """
    needed = options_for(registry.load(name), [attribute_table()[own] for own in bundle.attributes])
    published = {} if given else bundle.part_options.get(name.partition(":")[0], {})
    return {**needed, **published, **given}
