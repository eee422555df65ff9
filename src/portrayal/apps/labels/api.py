"""People's labels in Python: what they answered on the site, how far they agree, and the way into the study."""

from __future__ import annotations

import os
from pathlib import Path

from portrayal.api.study_tables import StudyTables
from portrayal.apps.labels.database.answers import Collected, answers_csv, collect, state_of
from portrayal.apps.labels.labelling.summary import Summary, summarize
from portrayal.apps.labels.questions_asked import asked_of
from portrayal.study.study import OpenStudy
from portrayal.terminal import from_here

__all__ = ["Labels"]


class Labels:
    """The labelling of a study, which a folder names; it needs the extra ``web``, and no server.

    ``database`` is where answers are kept, as of ``portrayal labels serve``.
    """

    def __init__(self, study: StudyTables | str | os.PathLike[str]) -> None:
        self.folder = study.folder if isinstance(study, StudyTables) else Path(study).absolute()

    def status(self, *, database: str = "") -> Summary:
        """Return how far the labelling is: pictures, answers still needed, raters, and Krippendorff's alpha."""
        study = OpenStudy.to_read(self.folder)
        return summarize(state_of(study, asked_of(study), database))

    def answers_csv(self, *, everyone: bool = False, database: str = "") -> str:
        """Return all answers as the text of a sheet of labels, a row for each rater and picture.

        ``Study.import_labels`` and ``Study.stand_in`` read it. ``everyone`` adds the raters that were left out.
        """
        study = OpenStudy.to_read(self.folder)
        asked = asked_of(study)
        return answers_csv(state_of(study, asked, database), asked, everyone=everyone)

    def collect(self, *, database: str = "") -> Collected:
        """Bring the pictures that enough people labelled into the study; what is there already stays as it is."""
        study = OpenStudy(self.folder)
        asked = asked_of(study)
        return collect(study, state_of(study, asked, database), asked)

    def __repr__(self) -> str:
        return f"Labels({str(from_here(self.folder))!r})"
