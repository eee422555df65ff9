"""What a study does: its stages, one by one or all of them, and what else works on it."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Sequence
from pathlib import Path

from portrayal.api.figure_files import write_figures
from portrayal.api.rows.measurements import Measurements
from portrayal.api.running.attend import attended
from portrayal.api.study_tables import StudyTables
from portrayal.engines.place import HERE, Place
from portrayal.errors import ConfigError, UnknownNameError, did_you_mean
from portrayal.study.generate.sources import DoubtfulSource, doubtful_sources, draw_and_look
from portrayal.study.parts.given_parts import OwnParts
from portrayal.study.plan.costs import STAGES as COST_STAGES
from portrayal.study.plan.costs import CostEstimate, Stage, estimate, require_prices
from portrayal.study.run import STAGES, run_stages
from portrayal.study.tables.counted_files import require_counted_files
from portrayal.terminal import from_here

__all__ = ["StudyStages"]


class StudyStages(StudyTables):
    """The part of :class:`portrayal.Study` that works: it plans, draws, looks, measures and reports."""

    def __init__(self, folder: str | os.PathLike[str], own_parts: OwnParts) -> None:
        super().__init__(folder, own_parts)
        self._asked_to_stop = threading.Event()

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

        Notes
        -----
        Ctrl-C, or a notebook's stop button, lets the current batch finish and commit, and raises KeyboardInterrupt; a
        second one stops at once. The next run goes on from there. Work in another thread does not hear of Ctrl-C:
        :meth:`stop` ends it.
        """
        place = Place(engine, address)
        return self._run(tuple(STAGES), progress=progress, budget=budget, wait=wait, place=place, workers=workers)

    def plan(self, *, progress: bool = True, wait: bool = False) -> None:
        """Plan which images the study will ask for."""
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
        self._run(("plan", "generate"), progress=progress, budget=budget, wait=wait, place=Place(engine, address))

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
        self._run(("plan", "annotate"), progress=progress, budget=budget, wait=wait, place=Place(engine, address))

    def measure(
        self, *, method: str = "", progress: bool = True, wait: bool = False, workers: int | None = None
    ) -> Measurements:
        """Compute all measurements, or those of one method, and return them; with ``workers`` processes, as for run."""
        self._run(("plan", "measure"), method=method, progress=progress, wait=wait, workers=workers)
        return self.measurements(method=method or None)

    def report(self, *, summary: bool = False, progress: bool = True, wait: bool = False) -> Path:
        """Measure, write the report page and its summary on one sheet of A4, and return the path of the page.

        With ``summary`` it is the path of the summary, ``report/summary.html``.
        """
        require_counted_files(self._open().workspace)
        page = self._run(("plan", "measure", "report"), progress=progress, wait=wait)
        return page.with_name("summary.html") if summary else page

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

        ``stages`` are ``"generate"`` and ``"annotate"``, both unless you name one. With both, what the later rounds of
        an adaptive run may draw at most has rows of its own.
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

    def stop(self) -> None:
        """Ask work of this object in another thread to stop; it may be called from anywhere.

        The current batch is finished and committed; then whatever was running raises ``StoppedError``. Where nothing
        is running it does nothing.
        """
        self._asked_to_stop.set()

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
            return from_here(run_stages(study, control, stages, wait=wait))
