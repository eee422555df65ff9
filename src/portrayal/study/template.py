"""New studies: a commented study.toml, and the demo's."""

from __future__ import annotations

import json
import shlex
from importlib import resources
from pathlib import Path

from portrayal.annotators import ANNOTATORS
from portrayal.errors import InputError, StudyError
from portrayal.generators import GENERATORS
from portrayal.study.config import CONFIG_NAME, PartConfig
from portrayal.study.parts import AnnotatorPart, GeneratorPart, build_suite
from portrayal.study.storage import write_atomic
from portrayal.suites import SUITES

__all__ = ["create_demo", "create_study", "suite_config"]

_TEMPLATE = """\
# A Portrayal study. Run it with: portrayal run {folder}
# Every stage can be stopped and run again; what is done stays done.

[study]
title = {title}
seed = 0                    # the same seed asks for the same images

[suite]                     # what to ask; see: portrayal suites
use = {suite_use}
{suite_options}
[[generators]]              # who draws; repeat this table to compare several; see: portrayal doctor
use = {generator}
images = 10                 # of each prompt
# [generators.options]      # this generator's own settings

[[annotators]]              # who looks
use = {annotator}
# [annotators.options]

[[methods]]                 # what is computed
use = "representation"
[methods.options]
people = "one"              # count images that show exactly one person; "each" counts every person
evidence = "label"          # count the most probable group; "mass" adds up probabilities
draws = 1000                # bootstrap draws behind the intervals
# What shares are compared with: "uniform", "faintbench" (labour statistics and census, by occupation), "none", or a
# .csv with the columns term, attribute, group, share, source. Attributes not named are compared with equal shares.
[methods.options.references]
{references}
[generate]
batch = 8                   # images per commit: what Ctrl-C waits for
attempts = 3                # tries at an image that fails; a refusal is an answer and is not asked again

[annotate]
batch = 32
workers = 0                 # processes; 0: one per core

[report]
pictures = 8                # of each prompt in the gallery
"""


def create_study(folder: Path, *, title: str, generator: str, annotator: str, suite: str) -> Path:
    """Write ``folder/study.toml``; an existing study is never touched."""
    # Names first: an empty or mistyped one gets a better answer here than as a broken table.
    GENERATORS.load(generator)
    ANNOTATORS.load(annotator)
    GeneratorPart(PartConfig(use=generator), folder).build()
    AnnotatorPart(PartConfig(use=annotator), folder).build()
    config = suite_config(suite)
    build_suite(config, folder)
    path = folder / CONFIG_NAME
    if path.exists():
        raise StudyError(f"{path}: there is a study here already; choose another folder or edit that file")
    options = "".join(f"options.{key} = {_quoted(value)}\n" for key, value in config.options.items())
    references = "" if config.options else 'gender = "faintbench"\nage3 = "faintbench"\n'
    text = _TEMPLATE.format(
        folder=" ".join(shlex.quote(str(folder)).splitlines()),
        title=_quoted(title or folder.resolve().name),
        suite_use=_quoted(config.use),
        suite_options=options,
        generator=_quoted(generator),
        annotator=_quoted(annotator),
        references=references,
    )
    write_atomic(path, text.encode("utf-8", "replace"))
    return path


def create_demo(folder: Path) -> None:
    """Write the demo's study.toml, unless it is there already or its parts cannot run."""
    GENERATORS.load("facegan")
    ANNOTATORS.load("faces")
    path = folder / CONFIG_NAME
    wanted = (resources.files("portrayal.study") / "demo.toml").read_bytes()
    if not path.exists():
        write_atomic(path, wanted)
    elif path.read_bytes() != wanted:
        raise StudyError(f"{path}: this is not the demo's study; choose another folder: portrayal demo FOLDER")


def suite_config(name: str) -> PartConfig:
    """Return the [suite] table for a suite's name or a prompt file, whose path is made absolute."""
    if Path(name).suffix.lower() in (".csv", ".toml"):
        return PartConfig(use="file", options={"path": str(Path(name).resolve())})
    if name == "file":
        raise InputError("suite 'file' is a file of yours: give its path instead, such as prompts.csv")
    SUITES.load(name)
    return PartConfig(use=name)


def _quoted(text: str) -> str:
    """Return a TOML string: JSON's, but TOML has no surrogate pairs and no bare DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
