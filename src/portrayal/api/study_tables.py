"""What a study found, as rows to choose from."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial
from pathlib import Path

from portrayal.api.images import Images
from portrayal.api.measurements import Measurements
from portrayal.api.rows import Choice, Rows, choose
from portrayal.api.tables import measurement_table, names_to_come, observation_table, prompt_table
from portrayal.study.image_table import image_table
from portrayal.study.own_parts import OwnParts
from portrayal.study.status import Status, read_status
from portrayal.study.study import OpenStudy
from portrayal.terminal import from_here

__all__ = ["StudyTables"]


class StudyTables:
    """The part of :class:`portrayal.Study` that reads: how far it is, and its tables. It writes nothing."""

    def __init__(self, folder: str | os.PathLike[str], own: OwnParts) -> None:
        # Absolute, so that it is the same one when the program goes to another folder.
        self.folder = Path(folder).absolute()
        self._own = own

    @property
    def status(self) -> Status:
        """What is done, pending, refused, failed and abstained, and why; also while another process works on it."""
        found = read_status(self._read())
        return replace(found, report=str(from_here(Path(found.report)))) if found.report else found

    def prompts(self, *, term: Choice = None, category: Choice = None) -> Rows:
        """Return what is asked: one row per prompt."""
        return Rows(choose(prompt_table(self._read()), "prompt", {"term": term, "category": category}))

    def images(
        self,
        *,
        term: Choice = None,
        category: Choice = None,
        prompt: Choice = None,
        model: Choice = None,
        annotator: Choice = None,
    ) -> Images:
        """Return the images with what was perceived in them: one row per image and annotator.

        ``file`` is relative to the folder of the study, or an address where images are kept elsewhere. Of each
        attribute the likeliest group stands in the column of its name (``gender``), and probabilities in one column per
        group (``gender_female``); ``reason`` says what could not be told, and why. In pictures of several people each
        of them has a row, numbered in ``subject``.
        """
        wanted = {"term": term, "category": category, "prompt": prompt, "model": model, "annotator": annotator}
        opened = self._read()
        return Images(choose(image_table(opened), "image", wanted, partial(names_to_come, opened)), opened)

    def observations(self, *, attribute: Choice = None, annotator: Choice = None) -> Rows:
        """Return what annotators said, as they said it: one row per image, person and attribute.

        ``mass`` are probabilities in the order of the attribute's groups; :meth:`images` has them by name.
        """
        wanted = {"attribute": attribute, "annotator": annotator}
        opened = self._read()
        table = observation_table(opened.workspace)
        return Rows(choose(table, "observation", wanted, partial(names_to_come, opened)))

    def measurements(  # noqa: PLR0913 - each is a column
        self,
        *,
        metric: Choice = None,
        attribute: Choice = None,
        group: Choice = None,
        level: Choice = None,
        item: Choice = None,
        generator: Choice = None,
        annotator: Choice = None,
        method: Choice = None,
        reference: Choice = None,
        language: Choice = None,
        variant: Choice = None,
    ) -> Measurements:
        """Return the numbers, each with its interval: those whose columns hold what you ask for.

        A filter is a name or a list of names; one that no row has is an error that suggests what was meant. ``level``
        is ``overall``, ``category``, ``term`` or another that a method has, and ``item`` which category or term it is.
        """
        wanted = {
            "metric": metric,
            "attribute": attribute,
            "group": group,
            "level": level,
            "item": item,
            "generator": generator,
            "annotator": annotator,
            "method": method,
            "reference": reference,
            "language": language,
            "variant": variant,
        }
        opened = self._read()
        table = measurement_table(opened.workspace)
        return Measurements(choose(table, "measurement", wanted, partial(names_to_come, opened)), opened)

    def _open(self) -> OpenStudy:
        """Read study.toml, which may have been edited since the last time."""
        return OpenStudy(self.folder, self._own)

    def _read(self) -> OpenStudy:
        """Open it to read what is there; an error when files of its plan are gone."""
        return OpenStudy.to_read(self.folder, self._own)
