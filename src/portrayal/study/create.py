"""New studies: a commented study.toml from a method's own file, and the demo's."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from string import Template
from typing import Any

from portrayal.annotators import ANNOTATORS
from portrayal.bundles import Bundle, bundles
from portrayal.errors import ConfigError, InputError, MissingOptionError, StudyError, UnknownNameError, did_you_mean
from portrayal.generators import GENERATORS
from portrayal.methods import DEFAULT
from portrayal.records import attribute_table
from portrayal.store.files import write_atomic
from portrayal.study.config import CONFIG_NAME, PartConfig
from portrayal.study.near_path import near_suite
from portrayal.study.needed_attributes import options_for, untold
from portrayal.study.specs import AnnotatorSpec, GeneratorSpec, build_suite
from portrayal.suites import REFERENCES, SUITES

__all__ = ["create_demo", "create_study", "demos", "suite_config"]

_BARE = re.compile(r"[\w-]+", re.ASCII)
"""Keys that TOML takes without quotes."""


def create_study(
    folder: Path,
    *,
    title: str,
    generator: str,
    annotator: str,
    suite: str | None = None,
    method: str = DEFAULT,
) -> tuple[Path, tuple[str, ...]]:
    """Write ``folder/study.toml``; an existing study is never touched. Without a suite it is the method's own.

    Returns its path, and what must be done in it before it runs: options to set, annotators that tell what is needed.
    """
    # Names first: an empty or mistyped one gets a better answer here than as a broken table.
    bundle = _bundle(method)
    needed = [attribute_table()[name] for name in bundle.attributes]
    draws = PartConfig(use=generator, options=options_for(GENERATORS.load(generator), needed))
    looks = PartConfig(use=annotator, options=options_for(ANNOTATORS.load(annotator), needed))
    specs = GeneratorSpec(draws, folder), AnnotatorSpec(looks, folder)
    lacking = (*(said for spec in specs if (said := _lacks(spec))), *untold(specs[1], method, bundle.attributes))
    config = suite_config(bundle.suite if suite is None else suite)
    if bundle.own_suite_only and config.use != bundle.suite:
        raise ConfigError(f"the method {method!r} scores the suite {bundle.suite!r}, not {suite!r}; leave --suite out")
    _check_suite(bundle, config.use)
    build_suite(config, folder)
    config = near_suite(config, folder)
    path = folder / CONFIG_NAME
    if path.exists():
        raise StudyError(f"{path}: there is a study here already; choose another folder or edit that file")
    text = Template(_shipped(bundle, bundle.study)).substitute(
        folder=" ".join(shlex.quote(str(folder)).splitlines()),
        title=_quoted(title or folder.resolve().name),
        suite_use=_quoted(config.use),
        suite_options="".join(f"options.{key} = {_quoted(value)}\n" for key, value in config.options.items()),
        generator=_quoted(generator),
        annotator=_quoted(annotator),
        generator_options=_options("generators", draws.options, "      # this generator's own settings"),
        annotator_options=_options("annotators", looks.options),
        references=_chosen_references(config.use),
        suggested=_suggested_references(bundle.suite),
    )
    write_atomic(path, text.encode("utf-8", "replace"))
    return path, lacking


def demos() -> list[str]:
    """Return the methods that have a demo, the one that is run unless told otherwise first."""
    return [name for name, bundle in bundles().items() if bundle.demo]


def create_demo(folder: Path, method: str) -> None:
    """Write the study.toml of a method's demo, unless it is there already or its parts cannot run."""
    bundle = bundles()[method]
    wanted = Template(_shipped(bundle, bundle.demo)).substitute(references=_chosen_references(bundle.suite))
    parts = tomllib.loads(wanted)
    for registry, table in ((GENERATORS, "generators"), (ANNOTATORS, "annotators")):
        for part in parts[table]:
            registry.load(part["use"])
    path = folder / CONFIG_NAME
    if not path.exists():
        write_atomic(path, wanted.encode())
    elif path.read_bytes() != wanted.encode():
        raise StudyError(f"{path}: this is not the demo's study; choose another folder: portrayal demo {method} FOLDER")


def suite_config(name: str) -> PartConfig:
    """Return the [suite] table for a suite's name or a prompt file, whose path is made absolute."""
    if Path(name).suffix.lower() in (".csv", ".toml"):
        return PartConfig(use="file", options={"path": str(Path(name).resolve())})
    if name == "file":
        raise InputError("suite 'file' is a file of yours: give its path instead, such as prompts.csv")
    SUITES.load(name)
    return PartConfig(use=name)


def _bundle(method: str) -> Bundle:
    known = {name: bundle for name, bundle in bundles().items() if bundle.study}
    if method not in known:
        raise UnknownNameError(f"no study can be created for a method named {method!r}{did_you_mean(method, known)}")
    return known[method]


def _check_suite(bundle: Bundle, suite: str) -> None:
    """Refuse a suite of the method's own that another package's, of the same name, hides."""
    own, known = bundle.parts("suites", "").get(suite), SUITES.entries()[suite]
    if own and own != known:
        raise ConfigError(
            f"two suites are named {suite!r}, {own.target} of this method and {known.target}, which would be asked; "
            "the method's package must choose another name"
        )


def _lacks(spec: GeneratorSpec | AnnotatorSpec) -> str:
    """Return which option a part cannot do without, if there is one; a wrong part is refused at once."""
    try:
        spec.build()
    except MissingOptionError as error:
        return str(error)
    return ""


def _shipped(bundle: Bundle, name: str) -> str:
    try:
        return (resources.files(bundle.package) / name).read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise ConfigError(f"the package {bundle.package} has no file {name!r}, which its bundle names") from error


def _references(suite: str) -> Mapping[str, str]:
    found: Mapping[str, str] = getattr(SUITES.load(suite), "references", {})
    return found


def _chosen_references(suite: str) -> str:
    """Return the lines that compare a suite's occupations with the references it names."""
    return "".join(f"{attribute} = {_quoted(name)}\n" for attribute, name in _references(suite).items())


def _suggested_references(suite: str) -> str:
    """Return the names of these references for a comment, each with what it is."""
    known = REFERENCES.entries()
    names = dict.fromkeys(_references(suite).values())
    return "".join(f"{_quoted(name)} ({known[name].summary}), " for name in names)


def _options(table: str, options: Mapping[str, Any], remark: str = "") -> str:
    """Return a part's table of options, or a comment where it needs none."""
    if not options:
        return f"# [{table}.options]{remark}\n"
    return f"[{table}.options]\n" + "".join(f"{key} = {_toml(value)}\n" for key, value in options.items())


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_toml(own)}" for key, own in value.items()) + " }"
    return f"[{', '.join(map(_toml, value))}]" if isinstance(value, list) else json.dumps(value, ensure_ascii=False)


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _quoted(name)


def _quoted(text: str) -> str:
    """Return a TOML string: JSON's, but TOML has no surrogate pairs and no bare DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
