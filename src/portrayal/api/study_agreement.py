"""How far a study's annotators agree, and what people's labels say of their readings."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path

from portrayal.api.rows.annotator_agreement import Agreement
from portrayal.api.rows.corrected import Corrected, CorrectedDifferences, CorrectedScores
from portrayal.api.study_imports import StudyImports
from portrayal.errors import StudyError
from portrayal.study.agreement import compare
from portrayal.study.agreement.stand_in import StandIn, stand_in
from portrayal.study.correction import corrected_differences, corrected_scores, corrected_shares

__all__ = ["StudyAgreement"]

Folders = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


class StudyAgreement(StudyImports):
    """The part of :class:`portrayal.Study` that compares annotators with one another and with people."""

    def agreement(self, *annotators: str, reference: str = "", by: str | Sequence[str] = ()) -> Agreement:
        """Compare annotators with one another and with people's labels: rows for each attribute, pair and group.

        Parameters
        ----------
        annotators
            Two or more of the study's, as study.toml calls them; without any all.
        reference
            Whose word counts; without it the only annotator ``imported:NAME``, if there is one.
        by
            Only the groups of these attributes, such as ``tone3``.

        Notes
        -----
        ``measure`` is ``accuracy`` where one of the two is the reference, else ``agreement``, for numbers
        ``mean absolute difference``; ``answered`` is the share of people of whom ``second`` judges what ``first`` does;
        then ``kappa`` or, for numbers, ``mean difference`` and ``correlation``. Rows without a ``group`` are about all
        people. ``difference`` is to the rest of them, ``marked`` where its interval leaves 0 out. ``alphas`` has
        Krippendorff's alpha.
        """
        names = [by] if isinstance(by, str) else by
        return Agreement(compare(self._read(), annotators, reference, names))

    def corrected(self, *, reference: str = "", labels_from: Folders = ()) -> Corrected:
        """Put shares right by how annotators read the images that people labelled: rows for each share and way.

        ``value`` is the share as it was read, ``corrected`` as it must be, each with its 95 % interval, and
        ``difference`` how far the latter lies from ``target``. ``by`` is ``matrix`` (the confusion matrix of all
        ``labels``) or ``sample`` (prediction-powered inference from labels among the share's own images); the row that
        ``decides`` is the one the report goes by; where errors are ``uneven`` between prompts the matrix never does,
        and where labelled images were ``chosen`` by what was read in them neither does.
        ``finding`` says what becomes of a deviation from the reference:
        ``stands``, ``gone``, ``reversed``, ``appears`` or ``undecided``.

        Parameters
        ----------
        reference
            Whose labels count; without it ``labels_by`` under ``[report]``, or the only annotator ``imported:NAME``.
        labels_from
            Folders of other studies whose labels count, too, where the same annotators looked at their images.
        """
        study = self._read()
        shares = corrected_shares(study, reference, _folders(labels_from))
        if not shares:
            raise StudyError(
                f"{study.root}: no share can be corrected without labels by people; let people label pictures with: "
                f"portrayal labels serve {shlex.quote(str(study.root))} (and measure the study first, if it is not)"
            )
        return Corrected(shares, study.names)

    def corrected_differences(self, *, reference: str = "", labels_from: Folders = ()) -> CorrectedDifferences:
        """Put differences between models right by the same labels as :meth:`corrected`: rows for each pair and share.

        ``difference`` is as it was read, with its 95 % interval from independent pictures; ``corrected`` as it must be,
        with an interval that allows for the labels and the pictures of both. ``by`` is ``sample`` where labels of their
        own decide of both models, else ``matrix``. ``finding`` says what becomes of it: ``stands``, ``gone`` (0 is no
        longer excluded), ``reversed``, ``appears`` or ``undecided``.
        """
        study = self._read()
        folders = _folders(labels_from)
        shares = corrected_shares(study, reference, folders)
        return CorrectedDifferences(corrected_differences(study, shares, reference, folders), study.names)

    def corrected_scores(self, *, reference: str = "", labels_from: Folders = ()) -> CorrectedScores:
        """Put distances from a reference right by the same labels as :meth:`corrected`: rows for each score and way.

        ``metric`` says which: difference, ratio, total variation, Kullback-Leibler divergence, chi-square, and means of
        total variation over terms. ``value`` is as it was read, ``corrected`` as it must be, with the interval of the
        correction; where it begins at 0, only its upper end says anything. ``finding`` is as for shares.
        """
        study = self._read()
        folders = _folders(labels_from)
        shares = corrected_shares(study, reference, folders)
        return CorrectedScores(corrected_scores(study, shares, reference, folders), study.names)

    def stand_in(self, sheet: str | os.PathLike[str], *, annotator: str = "", allowance: float = 0.2) -> list[StandIn]:
        """Test whether annotators may stand in for the raters of a sheet: one test for each annotator and attribute.

        Parameters
        ----------
        sheet
            What raters filled in, as for :meth:`import_labels`, with the column ``rater``.
        annotator
            For whom the sheet would be imported; its attributes may be columns.
        allowance
            What an annotator's lower cost is worth: 0.2 for experts, 0.15 for skilled raters, 0.1 for a crowd.

        This is the alternative annotator test of Calderon, Reichart and Dror (2025): ``test.passes``, if
        ``test.enough`` raters have judged enough images, and ``test.items_needed``, how many would show it.
        """
        return stand_in(self._read(), Path(sheet), annotator, allowance)


def _folders(given: Folders) -> list[Path]:
    return [Path(folder) for folder in ([given] if isinstance(given, str | os.PathLike) else given)]
