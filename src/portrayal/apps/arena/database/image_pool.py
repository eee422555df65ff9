"""What the arena can show: the study's pictures, prompt by prompt, narrowed down as study.toml says."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from portrayal.apps.arena.battles.battle import ImagePool, PoolPrompt
from portrayal.apps.arena.config import ArenaConfig
from portrayal.errors import ConfigError, StudyError, did_you_mean
from portrayal.records import PartNames
from portrayal.store.images.kept_names import kept_names
from portrayal.study.study import OpenStudy

__all__ = ["read_image_pool"]

# Not edits: raters would compare people who were different before.
_MADE = """
    SELECT prompt, generator, image || '.' || ext AS name
    FROM jobs JOIN outcomes ON outcomes.job = jobs.id
    WHERE status = 'made' AND ext <> '' AND source_job IS NULL ORDER BY generator, index, attempt
"""
_PROMPTS = "SELECT id, text, language, term, category, variant FROM prompts"


def read_image_pool(study: OpenStudy) -> ImagePool:
    """Return the made pictures of the plan, of every prompt that two models or more have drawn."""
    prompts = study.workspace.query(_PROMPTS).to_pylist()
    made = study.workspace.query(_MADE).to_pylist()
    wanted = study.config.of_app(ArenaConfig)
    prompts = _narrow("languages", prompts, "language", wanted.languages)
    prompts = _narrow("variants", prompts, "variant", wanted.variants)
    names = study.names
    made = _narrow("generators", made, "generator", wanted.generators, partial(_is_called, names))
    here = kept_names(study.workspace.images)
    images: dict[str, dict[str, list[str]]] = {prompt["id"]: {} for prompt in prompts}
    for row in made:
        if row["prompt"] in images and row["name"] in here:
            drawn = images[row["prompt"]].setdefault(row["generator"], [])
            if row["name"] not in drawn:
                drawn.append(row["name"])
    shown = {row["id"]: _pool_prompt(row, images[row["id"]]) for row in prompts if len(images[row["id"]]) > 1}
    if not shown:
        raise StudyError(f"{study.root}: {_why_empty(study, made, here)}")
    pool = ImagePool(shown)
    every, same = pool.picture_pairs
    if every == same:
        where = "the only prompt" if len(shown) == 1 else f"all {len(shown)} prompts"
        raise StudyError(
            f"{study.root}: in {where} of which two models or more have pictures, these are the same file, so there is "
            "nothing to compare; let the models draw other pictures, or more prompts in common"
        )
    return pool


def _pool_prompt(row: Mapping[str, Any], images: Mapping[str, Sequence[str]]) -> PoolPrompt:
    about = {name: row[name] or "" for name in ("text", "language", "term", "category", "variant")}
    return PoolPrompt(id=row["id"], images=images, **about)


def _narrow(
    option: str,
    rows: list[dict[str, Any]],
    column: str,
    wanted: Sequence[str],
    matches: Callable[[str, str], bool] = str.__eq__,
) -> list[dict[str, Any]]:
    """Keep the rows that study.toml asks for; a name that none of them has is a mistake."""
    if not wanted or not rows:
        return rows
    known = {row[column] for row in rows}
    kept = {name for one in wanted for name in _called(option, one, known, matches)}
    return [row for row in rows if row[column] in kept]


def _called(option: str, wanted: str, known: Iterable[str], matches: Callable[[str, str], bool]) -> list[str]:
    called = [name for name in known if matches(name, wanted)]
    if not called:
        raise ConfigError(f"[arena] {option}: the study has no {wanted!r}{did_you_mean(wanted, known)}")
    return called


def _is_called(names: PartNames, identity: str, name: str) -> bool:
    """Return whether a generator ``part@version#digest`` is meant: by its name, its identity or what comes first."""
    return name in (identity, names.generator(identity)) or identity.startswith((f"{name}@", f"{name}#"))


def _why_empty(study: OpenStudy, made: Sequence[Mapping[str, Any]], here: set[str]) -> str:
    models = {row["generator"] for row in made if row["name"] in here}
    if not models:
        return f"no pictures yet; make them with: portrayal run {shlex.quote(str(study.root))}"
    if len(models) == 1:
        only = study.names.generator(models.pop())
        return f"an arena compares two models or more, and only {only} has pictures; add another generator"
    return "no prompt was drawn by two models or more; let all generators draw the same prompts"
