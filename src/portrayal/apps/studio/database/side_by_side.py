"""Two models beside each other: pictures of the same prompt, drawn with the same seed where there is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from portrayal.apps.studio.database.picture_index import PictureIndex

__all__ = ["PAIRS", "SideBySide", "side_by_side"]

PAIRS = 30
_OF = """
    SELECT prompt, seed, file, place, row_number() OVER (PARTITION BY prompt ORDER BY place) AS turn FROM (
        SELECT prompt, seed, file, min(place) AS place
        FROM pictures WHERE place = picture AND model = ? AND {where} GROUP BY ALL
    )
"""
_BY_SEED = "one.prompt = other.prompt AND one.seed = other.seed"
_IN_TURN = "one.prompt = other.prompt AND one.turn = other.turn"


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Some of the pairs: ``prompt``, ``seed``, ``one`` and ``other``, names of pictures; and how many there are.

    ``by_seed`` is whether both were drawn with the same seed; else they are paired in the order they were drawn.
    """

    pairs: Sequence[Mapping[str, Any]]
    total: int
    number: int
    by_seed: bool

    @property
    def pages(self) -> int:
        """How many pages there are."""
        return max(-(-self.total // PAIRS), 1)


def side_by_side(index: PictureIndex, models: tuple[str, str], term: str, number: int) -> SideBySide:
    """Return a page of the pairs of two models, of one term or all."""
    of = _OF.format(where="term = ?" if term else "true")
    with index.opened() as database:
        for side, model in zip(("one", "other"), models, strict=True):
            database.execute(f"CREATE TEMP TABLE {side} AS {of}", [model, term] if term else [model])
        joined = "FROM one JOIN other ON "
        ((seeds,),) = database.execute(f"SELECT count(*) {joined} {_BY_SEED}").fetchall()
        joined += _BY_SEED if seeds else _IN_TURN
        ((total,),) = database.execute(f"SELECT count(*) {joined}").fetchall()
        number = min(max(number, 1), max(-(-total // PAIRS), 1))
        query = f"""
            SELECT one.prompt, one.seed, one.file, other.file {joined}
            ORDER BY one.place LIMIT {PAIRS} OFFSET {PAIRS * (number - 1)}
        """
        found = database.execute(query).fetchall()
    pairs = [
        {"prompt": prompt, "seed": seed, "one": PurePosixPath(one).name, "other": PurePosixPath(other).name}
        for prompt, seed, one, other in found
    ]
    return SideBySide(pairs, total, number, by_seed=bool(seeds))
