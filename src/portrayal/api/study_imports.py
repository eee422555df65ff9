"""What comes into a study from outside: images, people's labels, and results of other programs."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

from portrayal.api.running.attend import attended
from portrayal.api.study_stages import StudyStages
from portrayal.errors import ConfigError
from portrayal.study.importing.folders.folder import check_folder, import_folder
from portrayal.study.importing.folders.recognise import GivenFolder
from portrayal.study.importing.labels.by_others import Work, checked_labels, checked_results, write_label_sheet
from portrayal.study.importing.labels.label_sheet import Sample
from portrayal.study.report.coverage import coverage_remarks
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy
from portrayal.terminal import tell

__all__ = ["StudyImports"]


class StudyImports(StudyStages):
    """The part of :class:`portrayal.Study` that takes in what others drew and saw."""

    def import_images(  # noqa: PLR0913 - each is an option of the command
        self,
        folder: str | os.PathLike[str],
        *,
        layout: str = "",
        manifest: str | os.PathLike[str] | None = None,
        model: str = "",
        prompt: str = "",
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
            How they lie in it: ``manifest`` (a CSV with the columns ``path``, ``model`` and ``prompt``), ``tree``
            (``model/prompt/image.png``), or another that ``portrayal import --help`` lists. Without it the folder is
            looked at, as ``portrayal init --images`` does.
        manifest
            The CSV, when it is not ``manifest.csv`` in the folder.
        model, prompt
            Who drew all of the images, and by which prompt, where neither folders nor the CSV say so.
        outside
            Also take files outside the folder that the CSV or a link leads to.
        """
        study = self._checked()
        sheet = None if manifest is None else Path(manifest)
        images = GivenFolder(Path(folder), layout, sheet, outside=outside, model=model, prompt=prompt).read()
        checked = check_folder(study, images)

        def work(control: RunControl) -> Counter[str]:
            for said in checked.remarks:
                control.remark(said)
            return import_folder(study, checked, control)

        return self._import(study, work, progress=progress, wait=wait)

    def labels(  # noqa: PLR0913 - each is an option of the command
        self,
        file: str | os.PathLike[str],
        *,
        prompts: int = 265,
        images: int = 20,
        next: int = 0,
        seed: int = 0,
        annotator: str = "",
        show_models: bool = False,
        progress: bool = True,
    ) -> int:
        """Write a sheet of random pictures for people to label, and return how many pictures it asks about.

        Parameters
        ----------
        file
            The CSV file to write; one that is there is never touched.
        prompts, images
            How many prompts, chosen at random, and how many images of each by each model.
        next
            Instead of these, so many images whose labels narrow :meth:`corrected` shares the most.
        seed
            Another seed, another sample.
        annotator
            Who will label: the name of an annotator ``imported:NAME``. In a study without one it is added to
            ``study.toml``, as ``imported:people`` unless you name it.
        show_models
            Add a column that says who drew a picture.
        """
        for name, number, least in (
            ("prompts", prompts, 1),
            ("images", images, 1),
            ("next", next, 0),
            ("seed", seed, 0),
        ):
            if isinstance(number, bool) or not isinstance(number, int) or number < least:
                raise ConfigError(f"{name}: {number!r} will not do; give a whole number from {least} on")
        sample = Sample(prompts, images, seed, models=show_models, worthiest=next)
        return write_label_sheet(self._read(), Path(file), annotator, sample, tell if progress else _unsaid)

    def import_labels(
        self, file: str | os.PathLike[str], *, annotator: str = "", progress: bool = True, wait: bool = False
    ) -> dict[str, int]:
        """Bring in a sheet that people filled in, and return how many of what; labels that are there add nothing.

        ``annotator`` is who labelled, as for :meth:`labels`; without it the only one of the study that is imported.
        """
        study = self._checked()
        work = checked_labels(study, Path(file), annotator, tell if progress else _unsaid)
        return self._import(study, work, progress=progress, wait=wait)

    def import_results(
        self,
        file: str | os.PathLike[str],
        *,
        reader: str,
        model: str = "",
        annotator: str = "",
        progress: bool = True,
        wait: bool = False,
    ) -> dict[str, int]:
        """Bring in what other programs saw in images, without the images, and return how many of what.

        Parameters
        ----------
        file
            What the program wrote.
        reader
            Which program that is: an option of ``portrayal import`` that reads results, without its dashes.
        model
            Who drew the images; without it the model is called like the file.
        annotator
            Who saw it: an annotator ``imported:NAME`` of the study; without it the only one.
        """
        study = self._checked()
        work = checked_results(study, reader, Path(file), model, annotator)
        return self._import(study, work, progress=progress, wait=wait)

    def _checked(self) -> OpenStudy:
        study = self._open()
        study.check()
        return study

    def _import(self, study: OpenStudy, work: Work, *, progress: bool, wait: bool) -> dict[str, int]:
        with attended(self._asked_to_stop, progress=progress) as control, study.workspace.writing(wait=wait):
            counts = work(control)
            for said in coverage_remarks(study):
                control.remark(said)
        return dict(counts)


def _unsaid(_: str) -> None:
    """Say nothing."""
