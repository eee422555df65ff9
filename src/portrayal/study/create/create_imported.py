"""New studies of images that exist already: a study.toml without a generator."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from portrayal.annotators import ANNOTATORS
from portrayal.bundles import Bundle, bundles
from portrayal.errors import ConfigError, InputError, StudyError, UnknownNameError, did_you_mean
from portrayal.methods import DEFAULT, METHODS
from portrayal.store.files import write_atomic
from portrayal.store.trusted_studies import remember_made
from portrayal.study.config import CONFIG_NAME, AnnotatorConfig, PartConfig
from portrayal.study.create.create_study import suite_config
from portrayal.study.create.near_path import near_path, near_suite
from portrayal.study.create.needed_attributes import default_annotators, lacking_parts, part_options, unreported
from portrayal.study.create.toml_lines import written
from portrayal.study.importing.folders.recognise import FoundFolder
from portrayal.study.importing.scorable import unscored
from portrayal.study.parts.specs import AnnotatorSpec, build_suite
from portrayal.suites import SUITES

__all__ = ["create_imported"]

_HEAD = """\
# A Portrayal study of images that exist already. Run it with: portrayal run {folder}
# Every stage can be stopped and run again; what is done stays done.

[study]
title = {title}
seed = 0                    # of the resampling behind the intervals
"""
_IMPORTS = """
[[imports]]                 # files that are added to the folder later come in at the next run
images = {images}
layout = {layout}
"""
_UNCOMPARED = """\
# What shares are compared with: "uniform", "none", or a .csv with the columns term, attribute, group, share, source.
# Attributes not named are compared with nothing.
[methods.options.references]
"""
_END = """
[report]
pictures = 24               # of each prompt in the gallery
"""


def create_imported(
    folder: Path,
    images: FoundFolder,
    *,
    title: str,
    annotator: str | None = None,
    suite: str | None = None,
    method: str = DEFAULT,
) -> tuple[Path, tuple[str, ...]]:
    """Write ``folder/study.toml`` for a folder of images; an existing study is never touched.

    Without a suite prompts mean what the layout says of them, unless the method scores its own suite only; without an
    annotator it is the usual one, or those that the method names. Returns the path, and what must be done in the file
    before it runs.
    """
    path = folder / CONFIG_NAME
    if path.exists():
        raise StudyError(f"{path}: there is a study here already; choose another folder or edit that file")
    if Path(os.path.realpath(folder)).is_relative_to(os.path.realpath(images.folder)):
        raise InputError(f"{folder}: lies inside {images.folder}, the folder of the images; choose another place")
    if (bundle := bundles().get(method)) is None:
        hint = did_you_mean(method, bundles())
        raise UnknownNameError(f"no study can be created for a method named {method!r}{hint}")
    looks = _annotators(bundle, annotator)
    asked = suite or (bundle.suite if method != DEFAULT else "")
    config = suite_config(asked) if asked else None
    why: tuple[str, ...] = ()
    if config:
        if bundle.own_suite_only and config.use != bundle.suite:
            scored = bundle.suite
            raise ConfigError(f"the method {method!r} scores the suite {scored!r}, not {suite!r}; leave --suite out")
        built = build_suite(config, folder)
        why = tuple(unscored(images.prompts, built, method, own_suite_only=bundle.own_suite_only))
        config = near_suite(config, folder)
    text = "".join(_tables(folder, images, title, config, looks)) + _method(method, config) + _END
    specs = [AnnotatorSpec(look, folder) for look in looks]
    lacking = (*why, *lacking_parts(specs), *unreported(specs, method, bundle))
    write_atomic(path, text.encode("utf-8", "replace"))
    remember_made(folder)
    return path, lacking


def _annotators(bundle: Bundle, annotator: str | None) -> list[AnnotatorConfig]:
    if annotator is None:
        return default_annotators(bundle)
    return [AnnotatorConfig(use=annotator, options=part_options(bundle, ANNOTATORS, annotator, {}))]


def _tables(
    folder: Path, images: FoundFolder, title: str, suite: PartConfig | None, looks: Sequence[PartConfig]
) -> Iterator[str]:
    """Yield the text up to the methods."""
    shown = " ".join(shlex.quote(str(folder)).splitlines())
    yield _HEAD.format(folder=shown, title=written(title or folder.resolve().name))
    if suite:
        yield f"\n[suite]                     # what the prompts mean\nuse = {written(suite.use)}\n{_options(suite)}"
    yield _IMPORTS.format(images=written(near_path(images.folder, folder)), layout=written(images.layout))
    if images.manifest:
        yield f"manifest = {written(near_path(images.manifest, folder))}\n"
    for key, value, about in (("model", images.model, "who drew them"), ("prompt", images.prompt, "what was asked")):
        if value:
            yield f"{key} = {written(value)}".ljust(28) + f"# {about}\n"
    if images.outside:
        yield "outside = true              # also files outside the folder that it leads to\n"
    for annotator in looks:
        yield f"\n[[annotators]]              # who looks\nuse = {written(annotator.use)}\n{_options(annotator)}"


def _method(method: str, suite: PartConfig | None) -> str:
    text = f"\n[[methods]]                 # what is computed\nuse = {written(method)}\n"
    if "references" not in METHODS.load(method).Options.model_fields:
        return text
    chosen = getattr(SUITES.load(suite.use), "references", {}) if suite else {}
    return f"{text}{_UNCOMPARED}" + "".join(f"{attribute} = {written(name)}\n" for attribute, name in chosen.items())


def _options(part: PartConfig) -> str:
    return "".join(f"options.{key} = {written(value)}\n" for key, value in part.options.items())
