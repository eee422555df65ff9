"""The smallest study of each method in which every stage has something to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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


def _seen(*attributes: str) -> list[dict[str, Any]]:
    return [{"use": "simulated", "options": {"attributes": list(attributes)}}]


STUDIES: Mapping[str, Mapping[str, Any]] = {
    "representation": {"generators": [_drawn()]},
    "bafis": {
        "suite": {"use": "bafis", "options": {"terms": ["nurse"], "languages": ["en"]}},
        "generators": [_drawn()],
        "methods": [{"use": "bafis", "options": {"draws": 100}}],
    },
    "biaspainter": {
        "suite": {"use": "biaspainter", "options": {"words": ["nurse"], "null": ["a photo"]}},
        "generators": [
            {"use": "simulated", "images": 1, "role": "draw", "options": {"size": 2}},
            {"use": "simulated", "images": 1, "role": "edit", "options": {"size": 2}},
        ],
        "annotators": _seen("gender", "age", "intensity"),
        "methods": [{"use": "biaspainter"}],
        "generate": {"batch": 16},
        "annotate": {"batch": 16, "workers": 1},
    },
    "faintbench": {
        "suite": {"use": "faintbench", "options": {"terms": ["Friend / Friend"], "attributes": ["gender"]}},
        "generators": [_drawn(_FACES)],
        "annotators": _seen("gender", "race5", "age3"),
        "methods": [{"use": "faintbench", "options": {"draws": 100, "profile": "plain"}}],
        "generate": {"batch": 16},
        "annotate": {"batch": 16, "workers": 1},
    },
    "socialbiaskg": {
        "suite": {"use": "socialbiaskg", "options": {"terms": ["CEO"], "edges": "people.csv"}},
        "generators": [_drawn(_WORK)],
        "annotators": _seen("race11", "occupation", "caption"),
        "methods": [{"use": "socialbiaskg", "options": {"edges": "people.csv", "size": 16}}],
        "generate": {"batch": 16},
        "annotate": {"batch": 16, "workers": 1},
    },
    "tbyb": {
        "suite": {"use": "tbyb", "options": {"terms": ["apple"]}},
        "generators": [_drawn(_OBJECTS)],
        "annotators": _seen("caption", "prompt_match"),
        "methods": [{"use": "tbyb", "options": {"similarity": 0, "draws": 100}}],
    },
}
"""Tables of study.toml that differ from those of the tests' small study, by method."""

PEOPLE = "source,type,target\noccupation:CEO,dominant_in,race:white\n"
"""``people.csv`` of the study of SocialBiasKG."""
