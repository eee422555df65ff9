"""The smallest study of each method in which every stage has something to do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from PIL import Image
from website.clones.biasig import OCCUPATIONS, SCENES
from website.clones.biasig import write_tree as write_biasig
from website.clones.magbig import write_tree as write_magbig

_FACES = {
    "gender": {"male": 0.6, "female": 0.4},
    "race5": {"european": 0.5, "east_asian": 0.2, "african": 0.1, "latino": 0.1, "south_asian": 0.1},
    "age3": {"young": 0.5, "middle_aged": 0.3, "elderly": 0.2},
}
_OBJECTS = {"caption": {"a red {term} on a table": 0.5, "a man with a phone": 0.5}, "prompt_match": {"match": 1.0}}
_WORK = {
    "race11": {"white": 0.5, "black": 0.5},
    "occupation": {"CEO": 0.5, "none": 0.5},
    "caption": {"a desk": 1.0},
}


def _drawn(shares: Mapping[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """Return a generator of two images for each prompt."""
    options = {"size": 2, **({"shares": shares} if shares else {})}
    return {"use": "simulated", "images": 2, "options": options, **more}


_SMALL = {"generate": {"batch": 16}, "annotate": {"batch": 16, "workers": 1}}


def _seen(*attributes: str) -> list[dict[str, Any]]:
    return [{"use": "simulated", "options": {"attributes": list(attributes)}}]


STUDIES: Mapping[str, Mapping[str, Any]] = {
    "representation": {"generators": [_drawn()]},
    "adaptive": {
        "generators": [{"use": "simulated", "images": 12, "options": {"size": 2}}],
        "sampling": {"about": {"attribute": "gender"}, "tolerance": 0.4, "pilot": 5, "rounds": 2},
        **_SMALL,
    },
    "imports": {
        "suite": None,
        "generators": [],
        "imports": [{"images": "pictures", "layout": "flat", "model": "theirs", "prompt": "a nurse"}],
        **_SMALL,
    },
    "bafis": {
        "suite": {"use": "bafis", "options": {"terms": ["nurse"], "languages": ["en"]}},
        "generators": [_drawn()],
        "methods": [{"use": "bafis", "options": {"draws": 100}}],
    },
    "biasig": {
        "suite": {"use": "biasig", "options": {"path": "../clone", "attributes": ["gender"], "terms": ["Baker"]}},
        "generators": [_drawn({"gender": {"male": 0.6, "female": 0.4}})],
        "annotators": _seen("gender", "race4", "age3"),
        "methods": [{"use": "biasig", "options": {"path": "../clone", "draws": 100}}],
        **_SMALL,
    },
    "biaspainter": {
        "suite": {"use": "biaspainter", "options": {"words": ["nurse"], "null": ["a photo"]}},
        "generators": [
            {"use": "simulated", "images": 1, "role": "draw", "options": {"size": 2}},
            {"use": "simulated", "images": 1, "role": "edit", "options": {"size": 2}},
        ],
        "annotators": _seen("gender", "age", "intensity"),
        "methods": [{"use": "biaspainter"}],
        **_SMALL,
    },
    "faintbench": {
        "suite": {"use": "faintbench", "options": {"terms": ["Friend / Friend"], "attributes": ["gender"]}},
        "generators": [_drawn(_FACES)],
        "annotators": _seen("gender", "race5", "age3"),
        "methods": [{"use": "faintbench", "options": {"draws": 100, "profile": "plain"}}],
        **_SMALL,
    },
    "magbig": {
        "suite": {"use": "magbig", "options": {"path": "../clone", "languages": ["en", "de"], "terms": ["baker"]}},
        "generators": [_drawn({"gender": {"male": 0.6, "female": 0.4}})],
        "annotators": _seen("gender"),
        "methods": [{"use": "magbig", "options": {"draws": 100}}],
        **_SMALL,
    },
    "socialbiaskg": {
        "suite": {"use": "socialbiaskg", "options": {"terms": ["CEO"], "edges": "people.csv"}},
        "generators": [_drawn(_WORK)],
        "annotators": _seen("race11", "occupation", "caption"),
        "methods": [{"use": "socialbiaskg", "options": {"edges": "people.csv", "size": 16}}],
        **_SMALL,
    },
    "tbyb": {
        "suite": {"use": "tbyb", "options": {"terms": ["apple"]}},
        "generators": [_drawn(_OBJECTS)],
        "annotators": _seen("caption", "prompt_match"),
        "methods": [{"use": "tbyb", "options": {"similarity": 0, "draws": 100}}],
    },
}
"""Tables of study.toml that differ from those of the tests' small study, by method or by what else it is about."""

STAGES_OF: Mapping[str, tuple[str, ...]] = {"adaptive": ("plan generate annotate", "measure", "report")}
"""Stages that are run together; of others each is by itself."""


def write_files(method: str, root: Path) -> None:
    """Write what the study reads."""
    write: Mapping[str, Callable[[], object]] = {
        "biasig": lambda: write_biasig(root.parent / "clone", SCENES[:1], OCCUPATIONS[:2]),
        "imports": lambda: _write_pictures(root / "pictures"),
        "magbig": lambda: write_magbig(root.parent / "clone"),
        "socialbiaskg": lambda: (root / "people.csv").write_text(PEOPLE),
    }
    write.get(method, lambda: None)()


PEOPLE = "source,type,target\noccupation:CEO,dominant_in,race:white\n"
"""``people.csv`` of the study of SocialBiasKG."""


def _write_pictures(folder: Path) -> None:
    folder.mkdir()
    for number in range(3):
        Image.new("RGB", (2, 2), (9 * number, 0, 0)).save(folder / f"{number}.png")
