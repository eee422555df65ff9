"""The rows of one protocol as columns: a row for each version of each model, and which of them are current."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from portrayal.methods.atlas_part import score_kind, score_kinds
from portrayal.metrics.popularity import popularity
from portrayal.records.evaluated_models.evaluation import AtlasRows, Evaluation, ModelInfo
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array

__all__ = ["Columns", "protocol_titles", "protocols"]

ABOUT_AS_MANY = 1.05
"""Up to this ratio numbers of images count as equal: 3,688 and 3,690 are, 420 and 840 are not."""


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """``scores`` by name, nan: not known; ``version`` counts the evaluations of a model from 1 on.

    ``current`` are the rows that comparisons count: the last version of each model.
    """

    evaluations: Sequence[Evaluation]
    infos: Sequence[ModelInfo]
    scores: Mapping[str, Array]
    popularity: Array
    year: Array
    version: Ints
    current: Ints
    images: tuple[int, int] | None
    """The fewest and the most images of any model that counts, where they differ; None: about as many, or not known."""

    @classmethod
    def of(cls, rows: AtlasRows, protocol: str) -> Columns:
        """Return the rows of one protocol; they are in order, so that versions of a model follow each other."""
        rows.check_runs()
        evaluations = [row for row in rows.evaluations if row.protocol == protocol]
        infos = [rows.models[row.model] for row in evaluations]
        names = list(dict.fromkeys(name for row in evaluations for name in row.scores))
        scores = {
            name: np.array([row.scores[name].value if name in row.scores else np.nan for row in evaluations])
            for name in names
        }
        likes, downloads = (
            np.array([np.nan if number is None else number for number in column], dtype=float)
            for column in ([info.likes for info in infos], [info.downloads for info in infos])
        )
        year = np.array([np.nan if info.year is None else info.year for info in infos], dtype=float)
        seen = Counter[str]()
        version = np.zeros(len(evaluations), dtype=np.int64)
        last: dict[str, int] = {}
        for place, row in enumerate(evaluations):
            seen[row.model] += 1
            version[place], last[row.model] = seen[row.model], place
        current = np.array(sorted(last.values()), dtype=np.int64)
        images = _range([evaluations[place].images for place in current.tolist()])
        return cls(
            evaluations,
            infos,
            scores=scores,
            popularity=popularity(likes, downloads),
            year=year,
            version=version,
            current=current,
            images=images,
        )

    @property
    def names(self) -> list[str]:
        """The scores, those that methods tell of first, in their order."""
        known = [name for name in score_kinds() if name in self.scores]
        return [*known, *sorted(self.scores.keys() - set(known))]

    def compared_score(self, wanted: str = "") -> str:
        """Return the score that models are compared by: the wanted one, else the first that puts them in an order."""
        if wanted in self.scores:
            return wanted
        return next((name for name in self.names if name not in self.moved), self.names[0])

    @property
    def moved(self) -> frozenset[str]:
        """The scores by which these models cannot be put in an order: they move with the number of images."""
        moving = {name for name in self.scores if score_kind(name).by_images}
        return frozenset(moving) if self.images else frozenset()

    def groups(self, field: str) -> dict[str, Ints]:
        """Return the current rows of each group of models: its ``category`` or ``scheduler``; unnamed ones last."""
        places: dict[str, list[int]] = {}
        for place in self.current.tolist():
            places.setdefault(getattr(self.infos[place], field), []).append(place)
        return {
            name: np.array(places[name], dtype=np.int64) for name in sorted(places, key=lambda name: (not name, name))
        }


def _range(images: Sequence[int | None]) -> tuple[int, int] | None:
    known = [number for number in images if number]
    return (min(known), max(known)) if known and max(known) > ABOUT_AS_MANY * min(known) else None


def protocols(rows: AtlasRows) -> list[str]:
    """Return the protocols of an atlas, that with most models first."""
    models = {(row.protocol, row.model) for row in rows.evaluations}
    sizes = Counter(protocol for protocol, _ in models)
    return sorted(sizes, key=lambda name: (-sizes[name], name))


_DIGEST = re.compile(r" ?#[0-9a-f]{8}\b")


def protocol_titles(protocols: Sequence[str]) -> dict[str, str]:
    """Return titles without digests; those that are then the same are numbered.

    >>> protocol_titles(["occupations (faces@1#0a1b2c3d): 20 prompts #4dc66ac5", "mine"]).values()
    dict_values(['occupations (faces@1): 20 prompts', 'mine'])
    """
    plain = {protocol: _DIGEST.sub("", protocol) for protocol in protocols}
    same = {title: [protocol for protocol in plain if plain[protocol] == title] for title in plain.values()}
    return {
        protocol: title if len(same[title]) == 1 else f"{title} ({same[title].index(protocol) + 1})"
        for protocol, title in plain.items()
    }
