"""Labels brought in from outside: by people, or by another tool."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from portrayal.annotators.annotator import Observed, asked_attributes, chosen_attributes
from portrayal.errors import ConfigError
from portrayal.records import Attribute, Image
from portrayal.settings import Settings

__all__ = ["Imported", "ImportedOptions"]


class ImportedOptions(Settings):
    """Which attributes the labels are about. ``groups`` defines attributes that are not built in."""

    attributes: tuple[str, ...] = ("gender", "race5", "age3")
    groups: Mapping[str, tuple[str, ...]] = {}


class Imported:
    """Stands for whoever labelled the images. It looks at none, so an image without a label is not annotated."""

    Options = ImportedOptions
    citations: Sequence[str] = ()
    looks = False

    def __init__(self, argument: str, options: ImportedOptions) -> None:
        if not argument.strip():
            raise ConfigError("annotator 'imported' needs a name for whoever labelled, such as imported:humans")
        self.options = options
        self.name = f"imported:{argument.strip()}"
        self.attributes = chosen_attributes("imported", options.attributes, options.groups)

    @staticmethod
    def options_for(attributes: Sequence[Attribute]) -> Mapping[str, Any]:
        """Return the options by which labels may be about these attributes, if they have groups."""
        grouped = [attribute.name for attribute in attributes if attribute.groups]
        return asked_attributes(ImportedOptions().attributes, grouped)

    def annotate(self, images: Sequence[Image]) -> Iterator[Observed]:  # noqa: ARG002 - it never looks
        """Yield nothing: its rows are brought in with ``portrayal import``."""
        yield from ()
