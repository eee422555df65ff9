"""New studies: a commented study.toml, and the demo's."""

from __future__ import annotations

import json
import shlex
from importlib import resources
from pathlib import Path
from string import Template

from portrayal.annotators import ANNOTATORS
from portrayal.errors import ConfigError, InputError, MissingOptionError, StudyError, UnknownNameError, did_you_mean
from portrayal.generators import GENERATORS
from portrayal.methods.faintbench.suite.wording import SUFFIXES, WORDS
from portrayal.store.files import write_atomic
from portrayal.study.config import CONFIG_NAME, PartConfig
from portrayal.study.specs import AnnotatorSpec, GeneratorSpec, build_suite
from portrayal.suites import SUITES

__all__ = ["create_demo", "create_study", "suite_config"]

_SUITES = {"representation": "occupations", "faintbench": "faintbench", "bafis": "bafis"}
"""The methods that a study can be created for, and what each asks unless told otherwise."""
_REFERENCES = {"representation": 'gender = "faintbench"\nage3 = "faintbench"\n', "bafis": 'gender = "us"\n'}
"""What shares of perceived groups are compared with, where the prompts are not a user's own."""


def create_study(
    folder: Path,
    *,
    title: str,
    generator: str,
    annotator: str,
    suite: str | None = None,
    method: str = "representation",
) -> tuple[Path, tuple[str, ...]]:
    """Write ``folder/study.toml``; an existing study is never touched. Without a suite it is the method's own.

    Returns its path, and which options must be set in it before it runs.
    """
    # Names first: an empty or mistyped one gets a better answer here than as a broken table.
    if method not in _SUITES:
        raise UnknownNameError(f"no study can be created for a method named {method!r}{did_you_mean(method, _SUITES)}")
    GENERATORS.load(generator)
    ANNOTATORS.load(annotator)
    specs = GeneratorSpec(PartConfig(use=generator), folder), AnnotatorSpec(PartConfig(use=annotator), folder)
    lacking = tuple(said for spec in specs if (said := _lacks(spec)))
    config = suite_config(_SUITES[method] if suite is None else suite)
    if method == "faintbench" and config.use != "faintbench":
        raise ConfigError(f"the method 'faintbench' scores the suite 'faintbench', not {suite!r}; leave --suite out")
    build_suite(config, folder)
    path = folder / CONFIG_NAME
    if path.exists():
        raise StudyError(f"{path}: there is a study here already; choose another folder or edit that file")
    template = Template((resources.files("portrayal.study") / f"{method}.toml.in").read_text(encoding="utf-8"))
    text = template.substitute(
        folder=" ".join(shlex.quote(str(folder)).splitlines()),
        title=_quoted(title or folder.resolve().name),
        suite_use=_quoted(config.use),
        suite_options="".join(f"options.{key} = {_quoted(value)}\n" for key, value in config.options.items()),
        generator=_quoted(generator),
        annotator=_quoted(annotator),
        references="" if config.options else _REFERENCES.get(method, ""),
        words=_words(),
        suffixes="\n".join(f"{kind} = {_quoted(text)}" for kind, text in SUFFIXES.items()),
    )
    write_atomic(path, text.encode("utf-8", "replace"))
    return path, lacking


def _lacks(spec: GeneratorSpec | AnnotatorSpec) -> str:
    """Return which option a part cannot do without, if there is one; a wrong part is refused at once."""
    try:
        spec.build()
    except MissingOptionError as error:
        return str(error)
    return ""


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


def _words() -> str:
    """Return the words of FAIntbench's prompts as a table for each attribute."""
    tables = {name: [f"{group} = {_quoted(word)}" for group, word in words.items()] for name, words in WORDS.items()}
    return "\n".join(f"{name} = {{ {', '.join(pairs)} }}" for name, pairs in tables.items())


def _quoted(text: str) -> str:
    """Return a TOML string: JSON's, but TOML has no surrogate pairs and no bare DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
