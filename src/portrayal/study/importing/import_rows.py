"""What every import shares: the prompt an image answers, the model it is said to be by, the row that records it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from portrayal.errors import InputError
from portrayal.records import PROMPT_SCHEMA, Prompt, plain_prompt, to_table
from portrayal.study.study import OpenStudy
from portrayal.suites import Suite

__all__ = ["ImportRow", "check_models", "import_rows", "known_prompts", "match_prompt", "suite_prompts"]

_SOURCES = "SELECT generator, any_value(source) AS source FROM imports GROUP BY generator"
_READER = re.compile(r"([A-Za-z][\w-]+):")
"""How the source of an image begins that came in without a picture: who read it. A picture's is an absolute path."""


@dataclass(frozen=True, slots=True)
class ImportRow:
    """A row of ``tables/imports``, but for its position."""

    job: str
    prompt: Prompt
    model: str
    index: int
    source: str
    seed: int = 0
    source_job: str | None = None
    about: Mapping[str, str] = field(default_factory=dict)


def known_prompts(study: OpenStudy) -> Mapping[str, Prompt]:
    """Return the prompts of the study's suite by their plain text."""
    return suite_prompts(study.suite) if study.suite else {}


def suite_prompts(suite: Suite) -> Mapping[str, Prompt]:
    """Return the suite's prompts by their plain text, other spellings included."""
    by_text = {plain_prompt(prompt.text): prompt for prompt in suite.prompts if not prompt.edits}
    aliases = {plain_prompt(alias): by_text[plain_prompt(text)] for alias, text in suite.aliases.items()}
    return {**aliases, **by_text}


def match_prompt(known: Mapping[str, Prompt], text: str) -> Prompt | None:
    """Return the suite's prompt that is meant: the whole text, or what stands before the first comma.

    >>> known = {"a photo of one nurse": Prompt("a photo of one Nurse", "Nurse")}
    >>> match_prompt(known, "A photo of one nurse, photorealistic").term
    'Nurse'
    """
    return known.get(plain_prompt(text)) or known.get(plain_prompt(text.partition(",")[0]))


def check_models(study: OpenStudy, models: Iterable[str], reader: str = "") -> None:
    """Keep apart what one name would count twice: drawn images, imported pictures, results of one reader or another."""
    sources = study.workspace.query(_SOURCES).to_pylist()
    readers = {row["generator"]: match[1] if (match := _READER.match(row["source"])) else "" for row in sources}
    for name in dict.fromkeys(models):
        if name in study.generators:
            raise InputError(f"model {name!r} is a generator of this study too; give the imported one another name")
        if name in study.names.generators.values():
            raise InputError(f"a generator of this study is named {name!r} too; give the imported model another name")
        if (other := readers.get(name, reader)) != reader:
            have = "results without pictures" if other else "pictures"
            raise InputError(f"model {name!r} has imported {have} already; give this one another name")


def import_rows(entries: Sequence[ImportRow], first: int, schema: pa.Schema) -> pa.Table:
    """Return the rows of ``tables/imports``, numbered from ``first``; column by column, for there may be millions."""
    prompts = {entry.prompt.id: entry.prompt for entry in entries}
    places = {prompt: place for place, prompt in enumerate(prompts)}
    which = pa.array([places[entry.prompt.id] for entry in entries], pa.int64())
    fields = to_table(prompts.values(), PROMPT_SCHEMA).take(which)
    columns = {f"prompt_{name}": fields[name] for name in PROMPT_SCHEMA.names if name != "id"}
    columns["id"] = [entry.job for entry in entries]
    columns["prompt"] = fields["id"]
    columns["generator"] = [entry.model for entry in entries]
    columns["about"] = [list(entry.about.items()) or None for entry in entries]
    columns["position"] = range(first, first + len(entries))
    columns |= {name: [getattr(entry, name) for entry in entries] for name in ("index", "seed", "source_job", "source")}
    return pa.table({name: columns[name] for name in schema.names}, schema=schema)
