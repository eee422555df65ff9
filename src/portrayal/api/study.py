"""A study as an object: create it, run it, and take what it found."""

from __future__ import annotations

import os
from collections.abc import Sequence
from html import escape
from pathlib import Path

from portrayal.annotators import Annotator
from portrayal.annotators.function import Look
from portrayal.api.parts import AnyAnnotator, AnyGenerator, GivenParts, own_parts
from portrayal.api.study_exchange import StudyExchange
from portrayal.errors import PortrayalError
from portrayal.generators import Generator
from portrayal.methods import DEFAULT
from portrayal.study.create.create_study import Part, create_study
from portrayal.suites.custom import PromptRow
from portrayal.terminal import from_here, printable, tell

__all__ = ["Study"]


class Study(StudyExchange):
    """A study: a folder with a file ``study.toml`` that says what to ask, of whom, who looks and what to compute.

    ``Study("folder")`` opens one that exists; it reads, and writes nothing by itself. :meth:`create` makes a new one.
    Parts of your own, which live in Python code, are given again: ``Study("folder", annotator=my_function)``.
    Then :meth:`run` does whatever is not done yet: it plans, lets generators draw, lets annotators look, measures, and
    writes the report. Everything can be stopped and run again; what is done stays done.

    >>> import tempfile, portrayal
    >>> place = tempfile.TemporaryDirectory()
    >>> folder = f"{place.name}/nurses"
    >>> prompts = ["a photo of one nurse", "a photo of one CEO"]
    >>> study = portrayal.Study.create(folder, prompts=prompts, generator="simulated", annotator="simulated", images=4)
    >>> study.plan(progress=False)
    >>> study.status.jobs
    8
    >>> [row["text"] for row in study.prompts()]
    ['a photo of one nurse', 'a photo of one CEO']
    >>> place.cleanup()
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        generator: Generator | Sequence[Generator] = (),
        annotator: Annotator | Look | Sequence[Annotator | Look] = (),
    ) -> None:
        super().__init__(folder, own_parts(generator, annotator))
        self._title = self._open().config.study.title

    @classmethod
    def create(  # noqa: PLR0913 - each is a table of study.toml, or a key
        cls,
        folder: str | os.PathLike[str],
        *,
        prompts: Sequence[str | PromptRow] | None = None,
        suite: Part | os.PathLike[str] | None = None,
        method: Part = DEFAULT,
        generator: AnyGenerator | Sequence[AnyGenerator] = "facegan",
        annotator: AnyAnnotator | Sequence[AnyAnnotator] | None = None,
        images: int | None = None,
        title: str = "",
        seed: int = 0,
    ) -> Study:
        """Create a study: a folder with a commented ``study.toml``. One that exists is never touched.

        Parameters
        ----------
        folder
            Where the study will lie.
        prompts
            What to ask: texts, or rows with the columns ``text``, ``term``, ``category``, ``variant``, ``language`` and
            ``weight``; None and NaN are cells without anything. They are written to ``prompts.csv`` in the folder.
        suite
            What to ask instead: the name of a suite, or a ``.csv`` or ``.toml`` file. Without either it is the
            method's own suite.
        method
            What is computed.
        generator, annotator
            Who draws and who looks, one or a list of them. ``portrayal.doctor()`` lists them, suites and methods.
            Without an annotator ``faces`` looks, or those that the method needs.
        images
            How many images of each prompt; without it as many as the method suggests.
        title, seed
            The title of the report, and what all chance follows from.

        Notes
        -----
        A part is given by its name or, with options, as the table that stands in ``study.toml``:
        ``{"use": "simulated", "options": {"size": 24}, "images": 8}``. It may also be an object of your own that draws
        or looks, and an annotator a plain function from a picture to what is perceived
        (:func:`portrayal.function_annotator`). Of these ``study.toml`` keeps the name and the version.
        """
        given = GivenParts.of(generator, () if annotator is None else annotator)
        _, lacking = create_study(
            Path(folder),
            generator=given.generators,
            annotator=None if annotator is None else given.annotators,
            suite=os.fspath(suite) if isinstance(suite, os.PathLike) else suite,
            prompts=prompts,
            method=method,
            images=images,
            title=title,
            seed=seed,
        )
        for said in lacking:
            tell(said if said.startswith(" ") else f"to do in study.toml: {said}")
        objects = given.objects
        return cls(folder, generator=[*objects.generators.values()], annotator=[*objects.annotators.values()])

    def __repr__(self) -> str:
        return printable(f"Study({str(from_here(self.folder))!r}): {self._title}, {self._counts()}")

    def _repr_html_(self) -> str:
        return f"<p><b>{escape(self._title)}</b> ({escape(str(from_here(self.folder)))}): {escape(self._counts())}</p>"

    def _counts(self) -> str:
        try:
            tables = self._open().workspace.tables
        except PortrayalError as error:  # it may have been edited, or be gone
            return str(error)
        made = {"prompts": "prompts", "jobs": "images planned", "measurements": "measurements"}
        return ", ".join(f"{tables[name].count():,} {words}" for name, words in made.items())
