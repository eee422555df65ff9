"""New studies: a commented study.toml from a method's own file, and the demo's."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Any, TypeVar

from portrayal.annotators import ANNOTATORS
from portrayal.bundles import Bundle, bundles
from portrayal.errors import ConfigError, InputError, StudyError, UnknownNameError, did_you_mean
from portrayal.generators import GENERATORS
from portrayal.inputfile import read_bytes
from portrayal.methods import DEFAULT
from portrayal.registry import Registry
from portrayal.settings import parse_settings
from portrayal.store.files import write_atomic
from portrayal.store.trusted_studies import remember_made
from portrayal.study.config import CONFIG_NAME, AnnotatorConfig, GeneratorConfig, PartConfig, StudyConfig
from portrayal.study.create.near_path import near_suite
from portrayal.study.create.needed_attributes import (
    default_annotators,
    lacking_parts,
    part_options,
    unfit_generator,
    unreported,
)
from portrayal.study.create.study_text import chosen_references, shipped, study_text
from portrayal.study.create.toml_lines import set_keys
from portrayal.study.parts.specs import AnnotatorSpec, GeneratorSpec, build_method, build_suite
from portrayal.suites import SUITES
from portrayal.suites.custom import PromptRow, prompt_sheet

__all__ = ["Part", "create_demo", "create_study", "demos", "suite_config"]

Part = str | Mapping[str, Any]
"""A part by its name, or as a table of study.toml: ``{"use": "simulated", "options": {"size": 24}}``."""
_PROMPTS = "prompts.csv"
_Config = TypeVar("_Config", bound=PartConfig)


def create_study(  # noqa: PLR0913 - each is a table of study.toml, or a key
    folder: Path,
    *,
    generator: Part | Sequence[Part],
    annotator: Part | Sequence[Part] | None = None,
    suite: Part | None = None,
    prompts: Sequence[str | PromptRow] | None = None,
    method: Part = DEFAULT,
    images: int | None = None,
    title: str = "",
    seed: int = 0,
) -> tuple[Path, tuple[str, ...]]:
    """Write ``folder/study.toml``; an existing study is never touched. Without a suite it is the method's own.

    Without an annotator it is the usual one, or those that the method names. ``prompts`` become ``folder/prompts.csv``.
    ``images`` are of each prompt, for generators that do not say how many; without it they are as many as the method's
    own file says. Returns the path of study.toml, and what must be done in it before it runs: options to set,
    annotators to add.
    """
    # Names first: an empty or mistyped one gets a better answer here than as a broken table.
    named, computes = _config(method, PartConfig, "method")
    bundle = _bundle(named)
    draws = [_part(GENERATORS, wanted, GeneratorConfig, bundle) for wanted in _several(generator)]
    looks = (
        default_annotators(bundle)
        if annotator is None
        else [_part(ANNOTATORS, wanted, AnnotatorConfig, bundle) for wanted in _several(annotator)]
    )
    drawing, looking = (
        [GeneratorSpec(config, folder) for config in draws],
        [AnnotatorSpec(config, folder) for config in looks],
    )
    lacking = (
        *lacking_parts([*drawing, *looking]),
        *(said for spec in drawing for said in unfit_generator(spec, named, bundle)),
        *unreported(looking, named, bundle),
    )
    asked = _asked(bundle, named, suite, prompts)
    sheet = "" if prompts is None else prompt_sheet(prompts)
    if not sheet and _lacks_files(asked):
        lacking = (*lacking, f"set options.path of the suite {asked.use!r} to the files that it reads")
    elif not sheet:
        build_suite(asked, folder)
        asked = near_suite(asked, folder)
    path = _unused(folder, [CONFIG_NAME, *([_PROMPTS] if sheet else [])])
    if images is not None:
        update = {"images": images}
        draws = [one if "images" in one.model_fields_set else one.model_copy(update=update) for one in draws]
    text = study_text(named, bundle, folder, title=title, suite=asked, generators=draws, annotators=looks)
    text = set_keys(text, "study", {"seed": seed} if seed else {})
    text = set_keys(text, "methods.options", computes.options if computes else {})
    _check(text, path)
    if sheet:
        write_atomic(folder / _PROMPTS, sheet.encode())
    write_atomic(path, text.encode("utf-8", "replace"))
    remember_made(folder)
    return path, lacking


def demos() -> list[str]:
    """Return the methods that have a demo, the one that is run unless told otherwise first."""
    return [name for name, bundle in bundles().items() if bundle.demo]


def create_demo(folder: Path, method: str) -> None:
    """Write the study.toml of a method's demo, unless it is there already or its parts cannot run."""
    bundle = bundles()[method]
    wanted = Template(shipped(bundle, bundle.demo)).substitute(references=chosen_references(bundle.suite))
    parts = tomllib.loads(wanted)
    for registry, table in ((GENERATORS, "generators"), (ANNOTATORS, "annotators")):
        for part in parts[table]:
            registry.load(part["use"])
    path = folder / CONFIG_NAME
    if not path.exists():
        write_atomic(path, wanted.encode())
        remember_made(folder)
    elif read_bytes(path) != wanted.encode():
        raise StudyError(f"{path}: this is not the demo's study; choose another folder: portrayal demo {method} FOLDER")


def suite_config(name: str) -> PartConfig:
    """Return the [suite] table for a suite's name, for ``name:path`` of one that reads files, or for a prompt file.

    Paths are made absolute.
    """
    if Path(name).suffix.lower() in (".csv", ".toml"):
        return PartConfig(use="file", options={"path": str(Path(name).resolve())})
    known, separator, path = name.partition(":")
    if separator:
        if "path" not in SUITES.load(known).Options.model_fields:
            raise ConfigError(f"suite {known!r} reads no files of yours; leave {separator + path!r} out")
        return PartConfig(use=known, options={"path": str(Path(path).resolve())})
    if name == "file":
        raise InputError("suite 'file' is a file of yours: give its path instead, such as prompts.csv")
    SUITES.load(name)
    return PartConfig(use=name)


def _bundle(method: str) -> Bundle:
    known = {name: bundle for name, bundle in bundles().items() if bundle.can_begin}
    if method not in known:
        raise UnknownNameError(f"no study can be created for a method named {method!r}{did_you_mean(method, known)}")
    return known[method]


def _check_suite(bundle: Bundle, suite: str) -> None:
    """Refuse a suite of the method's own that another package's, of the same name, hides."""
    brought, known = bundle.parts("suites", "").get(suite), SUITES.entries()[suite]
    if brought and brought != known:
        raise ConfigError(
            f"two suites are named {suite!r}, {brought.target} of this method and {known.target}, which would be "
            "asked; the method's package must choose another name"
        )


def _several(parts: Part | Sequence[Part]) -> Sequence[Part]:
    return [parts] if isinstance(parts, str | Mapping) else parts


def _config(part: Part, model: type[_Config], kind: str) -> tuple[str, _Config | None]:
    """Return a part's name and, where it was given as a table, the table."""
    if isinstance(part, str):
        return part, None
    config = parse_settings(model, part, kind)
    return config.use, config


def _part(registry: Registry[Any], part: Part, model: type[_Config], bundle: Bundle) -> _Config:
    """Return a part with the options by which it deals with what the method needs, unless they are given."""
    name, config = _config(part, model, registry.kind)
    options = part_options(bundle, registry, name, config.options if config else {})
    return (config or model(use=name)).model_copy(update={"options": options})


def _asked(bundle: Bundle, method: str, suite: Part | None, prompts: Sequence[str | PromptRow] | None) -> PartConfig:
    """Return the [suite] table."""
    if prompts is not None:
        if suite is not None:
            raise ConfigError("a study asks prompts or a suite, not both; leave one of them out")
        config = PartConfig(use="file", options={"path": _PROMPTS})
    else:
        name, given = _config(bundle.suite if suite is None else suite, PartConfig, "suite")
        config = given or suite_config(name)
        SUITES.load(config.use)
    if bundle.own_suite_only and config.use != bundle.suite:
        other = "prompts of your own" if prompts is not None else repr(suite)
        raise ConfigError(f"the method {method!r} scores the suite {bundle.suite!r}, not {other}; leave the suite out")
    _check_suite(bundle, config.use)
    return config


def _lacks_files(config: PartConfig) -> bool:
    """Return whether a suite reads files of the user's that nobody named yet."""
    path = SUITES.load(config.use).Options.model_fields.get("path")
    return path is not None and not path.is_required() and not config.options.get("path")


def _unused(folder: Path, names: Sequence[str]) -> Path:
    """Return the path of study.toml, when none of the files that will be written is there."""
    for name in names:
        if (folder / name).exists():
            raise StudyError(f"{folder / name}: there is a study here already; choose another folder or edit that file")
    return folder / CONFIG_NAME


def _check(text: str, path: Path) -> None:
    """Refuse what could not be read back."""
    config = parse_settings(StudyConfig, tomllib.loads(text), str(path))
    for method in config.methods:
        build_method(method, path.parent)
