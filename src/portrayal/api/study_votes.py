"""What people voted in a study's arena, as rows and as a file."""

from __future__ import annotations

import os
from pathlib import Path

from portrayal.api.rows import Rows
from portrayal.api.study_exchange import StudyExchange
from portrayal.records import VOTE_SCHEMA, to_table
from portrayal.store.files import write_atomic

__all__ = ["StudyVotes"]


class StudyVotes(StudyExchange):
    """The part of :class:`portrayal.Study` that reads the arena; it needs the extra ``web``, and no server."""

    def votes(self, *, everyone: bool = False, database: str = "") -> Rows:
        """Return what people voted in the arena, one row per comparison and aspect, also while the server runs.

        ``portrayal.rate(study.votes())`` rates the models. ``everyone`` adds attention checks and the raters that were
        left out; ``database`` is where votes are kept, as of ``portrayal arena serve``. ``model_a`` and ``model_b`` are
        what generators are called, ``model_a_id`` and ``model_b_id`` their identities.
        """
        from portrayal.study.arena.export import named_votes, read_votes

        study = self._read()
        found = read_votes(study, database, everyone=everyone)
        table = to_table(named_votes(found, study.names), VOTE_SCHEMA)
        identities = to_table(found, VOTE_SCHEMA)
        for column in ("model_a", "model_b"):
            table = table.append_column(f"{column}_id", identities[column])
        return Rows(table)

    def export_votes(self, file: str | os.PathLike[str], *, everyone: bool = False, database: str = "") -> int:
        """Write the votes to a CSV file, as ``portrayal arena rate`` reads it, and return how many there are.

        Without ``everyone`` they are written to the study's tables too, from where :meth:`export` has them.
        """
        from portrayal.study.arena.export import read_votes, save_votes, votes_csv

        study = self._read()
        found = read_votes(study, database, everyone=everyone)
        write_atomic(Path(file), votes_csv(found, study.names).encode())
        if not everyone:
            save_votes(study.workspace, found)
        return len(found)
