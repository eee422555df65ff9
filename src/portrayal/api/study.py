"""A study as an object: create it, run it, and take what it found."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from pathlib import Path

from portrayal.annotators import Annotator
from portrayal.annotators.function import Look
from portrayal.api.attend import attended
from portrayal.api.figures import write_figures
from portrayal.api.images import Images
from portrayal.api.measurements import Measurements
from portrayal.api.parts import AnyAnnotator, AnyGenerator, GivenParts, own_parts
from portrayal.api.rows import Choice, Rows, choose
from portrayal.api.tables import measurement_table, observation_table, prompt_table
from portrayal.engines.place import HERE, Place
from portrayal.errors import ConfigError, PortrayalError, UnknownNameError, did_you_mean
from portrayal.generators import Generator
from portrayal.methods import DEFAULT
from portrayal.study.costs import STAGES as COST_STAGES
from portrayal.study.costs import CostEstimate, Stage, estimate, require_prices
from portrayal.study.coverage import coverage_remarks
from portrayal.study.create import Part, create_study
from portrayal.study.image_table import image_table
from portrayal.study.importing.folder import check_folder, import_folder
from portrayal.study.run import STAGES, run_stages
from portrayal.study.sources import DoubtfulSource, doubtful_sources, draw_and_look
from portrayal.study.status import Status, read_status
from portrayal.study.study import OpenStudy
from portrayal.suites.custom import PromptRow
from portrayal.terminal import printable, tell

__all__ = ["Study"]


def near(path: Path) -> Path:
    """Return a path as one would type it from here: the study itself keeps its place whatever folder one works in."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


class Study:
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
        # Absolute, so that it is the same one when the program goes to another folder.
        self.folder = Path(folder).absolute()
        self._asked_to_stop = threading.Event()
        self._own = own_parts(generator, annotator)
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
        annotator: AnyAnnotator | Sequence[AnyAnnotator] = "faces",
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
        images
            How many images of each prompt; without it as many as the method suggests.
        title, seed
            The title of the report, and what all chance follows from.

        A part is given by its name or, with options, as the table that stands in ``study.toml``:
        ``{"use": "simulated", "options": {"size": 24}, "images": 8}``. It may also be an object of your own that draws
        or looks, and an annotator a plain function from a picture to what is perceived
        (:func:`portrayal.function_annotator`). Of these ``study.toml`` keeps the name and the version.
        """
        given = GivenParts.of(generator, annotator)
        _, lacking = create_study(
            Path(folder),
            generator=given.generators,
            annotator=given.annotators,
            suite=os.fspath(suite) if isinstance(suite, os.PathLike) else suite,
            prompts=prompts,
            method=method,
            images=images,
            title=title,
            seed=seed,
        )
        for said in lacking:
            tell(said if said.startswith(" ") else f"to do in study.toml: {said}")
        own = given.own
        return cls(folder, generator=[*own.generators.values()], annotator=[*own.annotators.values()])

    def run(
        self,
        *,
        progress: bool = True,
        budget: float | None = None,
        wait: bool = False,
        engine: str = "local",
        address: str = "",
        workers: int | None = None,
    ) -> Path:
        """Do everything that is not done yet, and return the path of the report.

        Parameters
        ----------
        progress
            Show how far it is and what you should know; False: silent, but for an answer to Ctrl-C.
        budget
            What paid services may cost in all, in USD, with earlier runs of this study; None: no limit.
        wait
            Wait for another process that works on the study, instead of raising ``StudyLockedError``.
        engine, address
            ``"ray"`` lets generators and annotators work on a Ray cluster, see docs/cluster.md: that at ``address``, or
            the one of this machine or of the variable RAY_ADDRESS. Parts behind services are asked from here as ever.
        workers
            How many processes measure; None: one, and for many millions of observations one for each core, up to eight.
            The results are the same.

        Ctrl-C, or a notebook's stop button, lets the current batch finish and commit, and raises KeyboardInterrupt; a
        second one stops at once. The next run goes on from there. Work in another thread does not hear of Ctrl-C:
        :meth:`stop` ends it.
        """
        place = Place(engine, address)
        return self._run(tuple(STAGES), progress=progress, budget=budget, wait=wait, place=place, workers=workers)

    def plan(self, *, progress: bool = True, wait: bool = False) -> None:
        """Write down which images the study consists of."""
        self._run(("plan",), progress=progress, wait=wait)

    def generate(
        self,
        *,
        progress: bool = True,
        budget: float | None = None,
        wait: bool = False,
        engine: str = "local",
        address: str = "",
    ) -> None:
        """Draw what is planned and not drawn yet."""
        place = Place(engine, address)
        self._run(("plan", "generate"), progress=progress, budget=budget, wait=wait, place=place)

    def annotate(
        self,
        *,
        progress: bool = True,
        budget: float | None = None,
        wait: bool = False,
        engine: str = "local",
        address: str = "",
    ) -> None:
        """Let the annotators look at every image they have not judged."""
        place = Place(engine, address)
        self._run(("plan", "annotate"), progress=progress, budget=budget, wait=wait, place=place)

    def measure(
        self, *, method: str = "", progress: bool = True, wait: bool = False, workers: int | None = None
    ) -> Measurements:
        """Compute all measurements, or those of one method, and return them; with ``workers`` processes, as for run."""
        self._run(("plan", "measure"), method=method, progress=progress, wait=wait, workers=workers)
        return self.measurements(method=method or None)

    def report(self, *, progress: bool = True, wait: bool = False) -> Path:
        """Measure, write the report page, and return its path."""
        return self._run(("plan", "measure", "report"), progress=progress, wait=wait)

    def figures(self, folder: str | os.PathLike[str], *, formats: Sequence[str] = ("svg",)) -> list[Path]:
        """Write the report's charts and tables to files for papers and slides, and return their paths.

        Parameters
        ----------
        folder
            Where to write them: charts to ``figures/METHOD/NAME.svg``, tables to ``tables/METHOD/NAME.tex``, ``.csv``
            and ``.md``. Files of these names are replaced, others left alone.
        formats
            What charts are written as: ``svg``, ``pdf``, ``png``. The last two need the extra ``figures``.
        """
        return write_figures(self._read(), Path(folder), [formats] if isinstance(formats, str) else formats)

    def costs(self, *stages: Stage, progress: bool = True, wait: bool = False) -> list[CostEstimate]:
        """Plan, and return what each part has left to do and what that costs at most; nothing is asked of anyone.

        ``stages`` are ``"generate"`` and ``"annotate"``, both unless you name one.
        """
        for stage in stages:
            if stage not in COST_STAGES:
                hint = did_you_mean(str(stage), COST_STAGES)
                raise UnknownNameError(f"costs: no stage named {stage!r} costs anything{hint}")
        self.plan(progress=progress, wait=wait)
        return estimate(self._open(), stages) if stages else estimate(self._open())

    def sources(self, *, progress: bool = True, wait: bool = False) -> list[DoubtfulSource]:
        """Draw the pictures that are to be edited, look at them, and return doubtful ones; nothing is edited."""
        self.plan(progress=progress, wait=wait)
        study = self._open()
        with attended(self._asked_to_stop, progress=progress) as control, study.workspace.writing(wait=wait):
            draw_and_look(study, control)
        return doubtful_sources(study)

    def import_images(
        self,
        folder: str | os.PathLike[str],
        *,
        layout: str = "manifest",
        manifest: str | os.PathLike[str] | None = None,
        outside: bool = False,
        progress: bool = True,
        wait: bool = False,
    ) -> dict[str, int]:
        """Bring in images that exist already, and return how many of what; files that are there are not taken twice.

        Parameters
        ----------
        folder
            The folder that holds the images.
        layout
            How they lie in it: ``manifest`` (a CSV with the columns ``path``, ``model`` and ``prompt``), or another
            that ``portrayal import --help`` lists.
        manifest
            The CSV, when it is not ``manifest.csv`` in the folder.
        outside
            Also take files outside the folder that the CSV or a link leads to.
        """
        study = self._open()
        study.check()
        sheet = None if manifest is None else Path(manifest)
        checked = check_folder(study, Path(folder), layout, sheet, outside=outside)
        with attended(self._asked_to_stop, progress=progress) as control, study.workspace.writing(wait=wait):
            for said in checked.remarks:
                control.remark(said)
            counts = import_folder(study, checked, control)
            for said in coverage_remarks(study):
                control.remark(said)
        return dict(counts)

    def stop(self) -> None:
        """Ask work of this object in another thread to stop; it may be called from anywhere.

        The current batch is finished and committed; then whatever was running raises ``StoppedError``. Where nothing
        is running it does nothing.
        """
        self._asked_to_stop.set()

    @property
    def status(self) -> Status:
        """What is done, pending, refused, failed and abstained, and why; also while another process works on it."""
        found = read_status(self._read())
        return replace(found, report=str(near(Path(found.report)))) if found.report else found

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

        ``file`` is relative to the folder of the study. Of each attribute the likeliest group stands in the column of
        its name (``gender``), and probabilities in one column per group (``gender_female``); ``reason`` says what could
        not be told, and why. In pictures of several people each of them has a row, numbered in ``subject``.
        """
        wanted = {"term": term, "category": category, "prompt": prompt, "model": model, "annotator": annotator}
        opened = self._read()
        return Images(choose(image_table(opened), "image", wanted), opened)

    def observations(self, *, attribute: Choice = None, annotator: Choice = None) -> Rows:
        """Return what annotators said, as they said it: one row per image, person and attribute.

        ``mass`` are probabilities in the order of the attribute's groups; :meth:`images` has them by name.
        """
        wanted = {"attribute": attribute, "annotator": annotator}
        return Rows(choose(observation_table(self._read().workspace), "observation", wanted))

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
        return Measurements(choose(measurement_table(opened.workspace), "measurement", wanted), opened)

    def __repr__(self) -> str:
        return printable(f"Study({str(near(self.folder))!r}): {self._title}, {self._counts()}")

    def _repr_html_(self) -> str:
        return f"<p><b>{escape(self._title)}</b> ({escape(str(near(self.folder)))}): {escape(self._counts())}</p>"

    def _counts(self) -> str:
        try:
            tables = self._open().workspace.tables
        except PortrayalError as error:  # it may have been edited, or be gone
            return str(error)
        made = {"prompts": "prompts", "jobs": "images planned", "measurements": "measurements"}
        return ", ".join(f"{tables[name].count():,} {words}" for name, words in made.items())

    def _open(self) -> OpenStudy:
        """Read study.toml, which may have been edited since the last time."""
        return OpenStudy(self.folder, self._own)

    def _read(self) -> OpenStudy:
        """Open it to read what is there; an error when files of its plan are gone."""
        return OpenStudy.to_read(self.folder, self._own)

    def _run(
        self,
        stages: tuple[str, ...],
        *,
        progress: bool,
        wait: bool,
        budget: float | None = None,
        method: str = "",
        place: Place = HERE,
        workers: int | None = None,
    ) -> Path:
        study = self._open()
        if workers is not None and (isinstance(workers, bool) or not isinstance(workers, int) or workers < 1):
            raise ConfigError(f"workers: {workers!r} is no number of processes; give 1 or more")
        if method:
            study.narrow(method)
        if budget is not None:
            if not isinstance(budget, int | float) or not 0 <= budget < math.inf:  # nan is no sum either
                raise ConfigError(f"budget: {budget!r} is no sum of money")
            require_prices(study, stages)
        with (
            place.reached() as cluster,
            attended(
                self._asked_to_stop, progress=progress, budget=budget, cluster=cluster, workers=workers or 0
            ) as control,
        ):
            return near(run_stages(study, control, stages, wait=wait))
