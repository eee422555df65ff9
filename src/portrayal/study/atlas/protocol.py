"""What a study asked each generator and how it measured the answers, as one text: only equal ones are compared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from portrayal.methods import METHODS
from portrayal.records import content_id
from portrayal.study.config import PartConfig
from portrayal.study.specs import method_identity
from portrayal.study.study import OpenStudy

__all__ = ["study_protocols"]

_CELLS = "SELECT generator, prompt, count(*) AS images FROM jobs GROUP BY generator, prompt ORDER BY generator, prompt"


def study_protocols(study: OpenStudy, methods: Iterable[str]) -> dict[str, str]:
    """Return the protocol of each generator of a planned study.

    It names the suite, the annotators, how many prompts there are with a digest of them all, the images of each prompt,
    and ``methods`` with a digest of the options that differ from their defaults.
    """
    suite = study.suite.name if study.suite else "imported images"
    asked = f"{suite} ({', '.join(study.annotators)})"
    measured = ", ".join(name for method in methods for name in _identities(study, method))
    cells: dict[str, dict[str, int]] = defaultdict(dict)
    for row in study.workspace.query(_CELLS).to_pylist():
        cells[row["generator"]][row["prompt"]] = row["images"]
    return {
        generator: f"{asked}: {_number(len(own), 'prompt')} #{content_id(*own)[:8]}, {_images(list(own.values()))}, "
        + measured
        for generator, own in cells.items()
    }


def _identities(study: OpenStudy, method: str) -> list[str]:
    """Return the identities of a method; one that study.toml does not name was computed with its defaults."""
    own = [config for config in study.config.methods if config.use == method]
    version = METHODS.load(method).version
    named = method if version == 1 else f"{method}@{version}"
    identities = [method_identity(config, study.root) for config in own or [PartConfig(use=method)]]
    return [named + identity.removeprefix(method) for identity in identities]


def _images(counts: Sequence[int]) -> str:
    fewest, most = min(counts), max(counts)
    return f"{_number(fewest, 'image')} each" if fewest == most else f"{fewest} to {most} images each"


def _number(count: int, name: str) -> str:
    return f"{count} {name}" if count == 1 else f"{count} {name}s"
