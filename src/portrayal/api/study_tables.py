"""What a study found, as rows to choose from."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Never

from portrayal.api.rows.filters import Choice, choose, one_of, refuse_unknown, with_names
from portrayal.api.rows.image_rows import Images
from portrayal.api.rows.measurements import Measurements
from portrayal.api.rows.stored_tables import (
    drawn_table,
    measurement_table,
    names_to_come,
    observation_table,
    of_images,
    prompt_table,
    with_items,
)
from portrayal.api.rows.table_rows import Rows
from portrayal.errors import InputError
from portrayal.study.parts.given_parts import OwnParts
from portrayal.study.status import Status, read_status
from portrayal.study.study import OpenStudy
from portrayal.study.tables.image_table import image_table
from portrayal.terminal import from_here

__all__ = ["StudyTables"]


class StudyTables:
    """The part of :class:`portrayal.Study` that reads: how far it is, and its tables. It writes nothing."""

    def __init__(self, folder: str | os.PathLike[str], own_parts: OwnParts) -> None:
        # Absolute, so that it is the same one when the program goes to another folder.
        self.folder = Path(folder).absolute()
        self._own = own_parts

    @property
    def status(self) -> Status:
        """What is done, pending, refused, failed and abstained, and why; also while another process works on it."""
        status = read_status(self._read())
        return replace(status, report=str(from_here(Path(status.report)))) if status.report else status

    def prompts(self, *, term: Choice = None, category: Choice = None, **unknown: Never) -> Rows:
        """Return what is asked: one row per prompt."""
        wanted = {"term": term, "category": category}
        refuse_unknown("prompts()", unknown, wanted)
        return Rows(choose(prompt_table(self._read()), "prompt", wanted))

    def images(
        self,
        *,
        term: Choice = None,
        category: Choice = None,
        prompt: Choice = None,
        model: Choice = None,
        generator: Choice = None,
        annotator: Choice = None,
        **unknown: Never,
    ) -> Images:
        """Return the images with what was perceived in them: one row per image and annotator.

        ``file`` is relative to the folder of the study, or an address where images are kept elsewhere. Of each
        attribute the likeliest group stands in the column of its name (``gender``), and probabilities in one column per
        group (``gender_female``); ``reason`` says what could not be told, and why. In pictures of several people each
        of them has a row, numbered in ``subject``. ``model`` is what the generator is called, ``model_id`` its
        identity; as a filter ``generator`` is the same.
        """
        wanted = {"term": term, "category": category, "prompt": prompt, "annotator": annotator}
        refuse_unknown("images()", unknown, (*wanted, "model", "generator"))
        opened = self._read()
        table = with_names(image_table(opened), opened.names)
        wanted["model"] = one_of(model=model, generator=generator)
        return Images(choose(table, "image", wanted, partial(names_to_come, opened), opened.names), opened)

    def observations(
        self,
        *,
        attribute: Choice = None,
        annotator: Choice = None,
        term: Choice = None,
        model: Choice = None,
        generator: Choice = None,
        **unknown: Never,
    ) -> Rows:
        """Return what annotators said, as they said it: one row per image, person and attribute.

        ``mass`` are probabilities in the order of the attribute's groups; :meth:`images` has them by name. ``term`` and
        ``model`` (or ``generator``) choose images.
        """
        wanted = {"attribute": attribute, "annotator": annotator}
        refuse_unknown("observations()", unknown, (*wanted, "term", "model", "generator"))
        opened = self._read()
        table = with_names(observation_table(opened.workspace), opened.names)
        expected = partial(names_to_come, opened)
        chosen = choose(table, "observation", wanted, expected, opened.names)
        whose = {"term": term, "model": one_of(model=model, generator=generator)}
        if whose == {"term": None, "model": None}:
            return Rows(chosen)
        made = choose(with_names(drawn_table(opened.workspace), opened.names), "image", whose, expected, opened.names)
        return Rows(of_images(chosen, made["image"]))

    def measurements(  # noqa: PLR0913 - each is a column
        self,
        *,
        metric: Choice = None,
        attribute: Choice = None,
        group: Choice = None,
        level: Choice = None,
        item: Choice = None,
        term: Choice = None,
        category: Choice = None,
        generator: Choice = None,
        model: Choice = None,
        annotator: Choice = None,
        method: Choice = None,
        reference: Choice = None,
        language: Choice = None,
        variant: Choice = None,
        **unknown: Never,
    ) -> Measurements:
        """Return the numbers, each with its interval: those whose columns hold what you ask for.

        A filter is a name or a list of names; one that no row has is an error that suggests what was meant. ``level``
        is ``overall``, ``category``, ``term`` or another that a method has, and ``item`` which category or term it is;
        ``term="nurse"`` is short for ``level="term", item="nurse"``, and so is ``category``. ``generator`` (or
        ``model``) is what it is called, ``generator_id`` its identity; as a filter either will do.
        """
        wanted = {
            "metric": metric,
            "attribute": attribute,
            "group": group,
            "level": level,
            "item": item,
            "term": term,
            "category": category,
            "annotator": annotator,
            "method": method,
            "reference": reference,
            "language": language,
            "variant": variant,
        }
        refuse_unknown("measurements()", unknown, (*wanted, "generator", "model"))
        wanted["generator"] = one_of(generator=generator, model=model)
        one_of(term=term, category=category, item=item)
        for name in ("term", "category"):
            if wanted[name] is not None and level not in (None, name):
                raise InputError(f"{name}= chooses rows of the level {name!r}; leave level= out")
        opened = self._read()
        table = with_names(measurement_table(opened.workspace), opened.names)
        chosen = choose(with_items(table), "measurement", wanted, partial(names_to_come, opened), opened.names)
        return Measurements(chosen.select(table.column_names), opened)

    def _open(self) -> OpenStudy:
        """Read study.toml, which may have been edited since the last time."""
        return OpenStudy(self.folder, self._own)

    def _read(self) -> OpenStudy:
        """Open it to read what is there; an error when files of its plan are gone."""
        return OpenStudy.to_read(self.folder, self._own)
