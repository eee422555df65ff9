"""One image explained: its prompt and captions, the objects of both, and why which word counts as what."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from portrayal.errors import ConfigError, InputError, StudyError
from portrayal.methods.tbyb.model_rows import CAPTION, MATCH
from portrayal.methods.tbyb.options import TbybOptions
from portrayal.methods.tbyb.words import Analyser
from portrayal.metrics import jaccard_hallucination
from portrayal.settings import parse_settings
from portrayal.store.workspace import Workspace
from portrayal.tomlfile import read_toml

__all__ = ["Explanation", "explain"]

_CONFIG = "study.toml"
_IMAGES = """
    SELECT DISTINCT outcomes.image, jobs.generator, prompts.text AS prompt
    FROM outcomes JOIN jobs ON jobs.id = outcomes.job JOIN prompts ON prompts.id = jobs.prompt
    WHERE starts_with(outcomes.image, '{image}') ORDER BY image, generator, prompt
"""
_SAID = """
    SELECT annotator, attribute, text, mass, reason FROM observations
    WHERE image = '{image}' AND (attribute IN ('{caption}', '{match}') OR attribute IS NULL)
    ORDER BY annotator, attribute
"""


@dataclass(frozen=True, slots=True)
class Explanation:
    """What an image's caption was compared with, ready to be printed or to become JSON."""

    image: str
    generator: str
    prompt: str
    said: list[dict[str, Any]]
    captions: list[dict[str, Any]]


def explain(folder: Path, image: str) -> list[Explanation]:
    """Return an explanation for each prompt that an image answers; ``image`` is its name, or how that begins."""
    options = _options(folder)
    workspace = Workspace(folder)
    name = Path(image).stem.casefold()
    if not name or not all(letter in "0123456789abcdef" for letter in name):
        raise InputError(
            f"{image!r} is no image's name; those are 64 digits and letters from a to f, or their beginning"
        )
    rows = workspace.query(_IMAGES.format(image=name)).to_pylist()
    names = {row["image"] for row in rows}
    if not names:
        raise InputError(f"{folder}: no image begins with {name!r}; the report's gallery has their names")
    if len(names) > 1:
        raise InputError(f"{folder}: {len(names)} images begin with {name!r}; give more of the name")
    said = workspace.query(_SAID.format(image=rows[0]["image"], caption=CAPTION, match=MATCH)).to_pylist()
    analyser = Analyser(options, folder)
    return [
        Explanation(row["image"], row["generator"], row["prompt"], said, list(_captions(analyser, row["prompt"], said)))
        for row in rows
    ]


def _captions(analyser: Analyser, prompt: str, said: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    asked = analyser.asked(prompt)
    for row in said:
        if row["attribute"] != CAPTION or row["text"] is None:
            continue
        matches, scored = analyser.match(asked, row["text"]), analyser.scored(asked, row["text"])
        hallucination = jaccard_hallucination([scored.asked], [scored.seen])
        parts = {key: value for key, value in asdict(hallucination).items() if key != "images"}
        yield {
            "annotator": row["annotator"],
            "caption": row["text"],
            "X": sorted(scored.asked),
            "Y": sorted(scored.seen),
            "counted": sorted(scored.counted),
            "hallucination": parts if scored.asked else None,
            "words": [
                {"word": match.word, "object": match.object, "why": match.why, "similarity": match.similarity}
                for match in matches
            ],
            "left_out": [
                {"word": token.text, "kind": token.left_out} for token in analyser.read(row["text"]) if token.left_out
            ],
        }


def _options(folder: Path) -> TbybOptions:
    """Return how the study reads captions: the method's options, or its defaults where it is not in study.toml."""
    path = folder / _CONFIG
    if not path.is_file():
        raise StudyError(f"{folder}: no study here, {_CONFIG} is missing; name the study's folder")
    methods = read_toml(path).get("methods", [])
    if not isinstance(methods, list) or not all(isinstance(method, dict) for method in methods):
        raise ConfigError(f"{path}: 'methods' must be tables [[methods]]")
    options = [method.get("options", {}) for method in methods if method.get("use") == "tbyb"]
    if options and not isinstance(options[0], dict):
        raise ConfigError(f"{path}: 'options' of tbyb must be a table")
    return parse_settings(TbybOptions, options[0] if options else {}, str(path))
