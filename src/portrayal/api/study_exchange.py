"""What goes out of a study: its tables, what was found, and whether its files are whole."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from portrayal.api.parts import own_parts
from portrayal.api.rows.comparison import Differences, Side, compare_by, compare_sides
from portrayal.api.rows.findings import Findings, findings_in
from portrayal.api.rows.missing_bounds import missing_rows
from portrayal.api.rows.sample_plan import SamplePlan, plan_sample
from portrayal.api.rows.table_rows import Rows
from portrayal.api.running.progress import show_progress
from portrayal.api.study_agreement import StudyAgreement
from portrayal.api.study_tables import StudyTables
from portrayal.errors import InputError, UnknownNameError, did_you_mean
from portrayal.language.translation import known_language, speaking
from portrayal.reports.comparisons.asked import Asked
from portrayal.reports.comparisons.difference import Correction
from portrayal.reports.comparisons.sides import By
from portrayal.reports.text.notes import naming
from portrayal.store.own_files import check_outside
from portrayal.study.checking.verify import Verified, verify
from portrayal.study.plan.sample_assumptions import assumptions
from portrayal.study.plan.sample_plan import POWER
from portrayal.study.run_control import RunControl, Silent
from portrayal.study.tables.exporting import export_tables

__all__ = ["StudyExchange"]


class StudyExchange(StudyAgreement):
    """The part of :class:`portrayal.Study` that hands on what it has: tables, agreement, and whether it is whole."""

    def export(
        self, folder: str | os.PathLike[str], *, format: str = "csv", tables: str | Sequence[str] = ()
    ) -> list[Path]:
        """Write the study's tables to files for other programs, and return their paths.

        Parameters
        ----------
        folder
            Where to write them, as ``NAME.csv``: not in the study's own folder. Files of these names are replaced.
        format
            ``csv``, ``jsonl`` or ``parquet``.
        tables
            Only these: ``measurements`` and other tables of the study, ``METHOD.NAME`` for a method's own, ``images``
            for what was perceived in each image.
        """
        names = [tables] if isinstance(tables, str) else tables
        study = self._read()
        check_outside(study.root, Path(folder))
        return export_tables(study, Path(folder), format, names)

    def findings(self, *, language: str = "") -> Findings:
        """Return what was found: every sentence of the report's first screen, in its order, with its numbers.

        ``kind`` is ``difference`` or ``no_difference`` between models, ``distance`` of these from the reference,
        ``answer`` of a method, ``verdict`` on a model, ``deviation`` from a reference or ``reading`` that people's
        labels do not bear out; ``open`` is whether the page shows it openly. ``low`` and ``high`` bound the
        ``difference`` of two models, and else the ``value``; ``p`` is corrected for all comparisons of models, and not
        corrected where a number is compared with its reference. The words are in the
        ``language``, ``"en"`` or ``"de"``; without it in that of the report.
        """
        return findings_in(self._read(), known_language(language) if language else "")

    def compare(  # noqa: PLR0913 - each narrows or words what is compared
        self,
        other: StudyTables | str | os.PathLike[str] | None = None,
        *,
        by: str = "model",
        models: str | Sequence[str] = (),
        margin: float | None = None,
        correction: Correction | None = None,
        about: str | Sequence[str] = (),
        attributes: str | Sequence[str] = (),
        language: str = "en",
    ) -> Differences:
        """Compare models, or something else: does B portray people differently from A, and where.

        Parameters
        ----------
        other
            Another measured study; models of the same name are compared, such as two versions, or else each with each.
            Without it the models of this study are compared with each other.
        by
            ``"model"``, or within each model ``"mitigation"`` (ways of asking: the ``variant`` of prompts),
            ``"language"``, ``"annotator"`` or ``"gender"`` (pictures that show women or men, as perceived).
        models
            Only these, by the names that they have in the study.
        margin
            Differences of shares up to this are of no concern; without it ``tolerance`` under ``[report]``.
        correction
            ``"benjamini-hochberg"`` for a list to look through, ``"holm"`` for a few that were named before; without it
            ``"holm"`` where ``about`` or ``attributes`` name some.
        about, attributes
            Only what is about these terms or categories, and only these attributes: what is left is all that p-values
            are corrected for. Name them before you look.
        language
            Of the words: ``"en"`` or ``"de"``.

        Each row is one share or score of both, with the difference, its 95 % interval, p, p corrected for all rows, and
        a ``verdict``: ``more``, ``less``, ``equivalent``, ``none_found`` or ``too_few``; ``words`` says it in words.
        """
        if by not in list(By):
            raise UnknownNameError(f"compare: by is {', '.join(By)}, not {by!r}{did_you_mean(by, list(By))}")
        known_language(language)
        chosen = {"models": models, "about": about, "attributes": attributes}
        names = {key: [name] if isinstance(name, str) else name for key, name in chosen.items()}
        stated = self._read().config.report.tolerance if margin is None else margin
        asked = Asked(stated, correction, **names)
        if by != By.MODEL:
            if other is not None:
                raise InputError(f"compare: by={by!r} compares within one study; leave the other one out")
            study = self._read()
            with speaking(language), naming(study.attributes):
                return compare_by(study, By(by), asked)
        side = self._side()
        against = None if other is None else StudyExchange(_folder(other), own_parts((), ()))._side()
        with speaking(language), naming(side.study.attributes):
            return compare_sides(side, against, asked)

    def power(  # noqa: PLR0913 - each is a question, or an assumption
        self,
        *,
        half_width: float | None = None,
        deviation: float | None = None,
        difference: float | None = None,
        decision: float | None = None,
        power: float = POWER,
        share: float | None = None,
        target: float | None = None,
        missing: float | None = None,
        icc: float | None = None,
        prompts: int | None = None,
        comparisons: int | None = None,
    ) -> SamplePlan:
        """Plan the sample: what so many images of a prompt will show, how many answer a question, what they take.

        Parameters
        ----------
        half_width, deviation, difference, decision
            Questions, each with a size: a share known to so much on either side; a deviation from the reference, or a
            difference between two models, that is found; a share that meets its target found to lie within so much of
            it. 0.1 is 10 points.
        power
            How often the question must be answered.
        share, target, missing, icc, prompts, comparisons
            What is assumed of a typical number: the true share, what the reference says, the part of images that cannot
            be used, how much prompts differ, prompts of a term, comparisons that a page corrects for. What is not
            stated is as the study has it so far, if it is measured: a pilot. Else 0.5, 0.5, 0, 0.1, and as the suite
            has it.
        """
        study = self._read()
        stated = {"share": share, "target": target, "missing": missing, "icc": icc}
        given = assumptions(study).stated(**stated, prompts=prompts, comparisons=comparisons)
        wanted = {"half_width": half_width, "deviation": deviation, "difference": difference, "decision": decision}
        return plan_sample(study, wanted, given, power)

    def missing_bounds(self, *, within: float | None = None) -> Rows:
        """Return what each share could be with the missing images: ``least`` and ``greatest``.

        ``within`` is how far the share of a group among the missing ones lies from that among the others, at most: 1 is
        no assumption, 0 that they are alike; without it ``missing_within`` under ``[report]``. ``could_be`` is ``gone``
        where a deviation from the reference could be none, ``hidden`` where one of more than the tolerance could be.
        """
        return missing_rows(self._read(), within)

    def _side(self) -> Side:
        return Side(self._read(), self.measurements()._rows())

    def verify(self, *, progress: bool = True) -> Verified:
        """Check all tables and images against their checksums; nothing is changed.

        Returns how many files were looked at and, in ``damage``, those that are damaged, each with what to do.
        """
        with show_progress() if progress else nullcontext(Silent()) as shown:
            return verify(self._open(), RunControl(shown))


def _folder(study: StudyTables | str | os.PathLike[str]) -> str | os.PathLike[str]:
    return study.folder if isinstance(study, StudyTables) else study
