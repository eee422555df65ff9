"""A new study from a form: what can be chosen, and the study.toml that comes of it, as ``portrayal init`` writes it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from portrayal.apps.studio.new.asked import asked_of
from portrayal.apps.studio.new.choices import Choice, chosen, offered_choices
from portrayal.apps.studio.new.part_settings import SECOND, part_settings, set_options
from portrayal.errors import InputError, PortrayalError
from portrayal.language.translation import spoken, t
from portrayal.methods import DEFAULT
from portrayal.store.files import write_atomic
from portrayal.store.trusted_studies import keep_trust
from portrayal.study.config import CONFIG_NAME, parse_config, read_config
from portrayal.study.create.create_study import Part, create_study
from portrayal.study.create.toml_lines import set_keys
from portrayal.study.study import OpenStudy
from portrayal.suites import REFERENCES

__all__ = [
    "BESIDE",
    "EQUAL",
    "MOST_IMAGES",
    "NOTHING",
    "create_from_form",
    "images_of_each",
    "new_folder",
    "set_images",
    "speak",
]

MOST_IMAGES = 10_000
LONGEST_TITLE = 200
EQUAL, NOTHING = "uniform", "none"
"""Compare with equal shares of women and men, or with nothing."""
BESIDE = "beside"
"""The field of another generator, whose pictures are compared with those of the first."""
USUAL = ""
"""Stands for the annotators that a method takes unless others are chosen."""
_MODEL = re.compile(r"[\w.-]+(/[\w.-]+)?|https?://[\w.:\[\]/-]+", re.ASCII)
_NAME = re.compile(r"[^\w-]+")


def create_from_form(root: Path, form: Mapping[str, str]) -> Path:
    """Create the study that a form describes in a new folder below ``root``, and return the folder.

    Raises
    ------
    InputError
        With a sentence for the page, where something must be changed.
    """
    title = form.get("title", "").strip()
    folder = new_folder(root, title)
    method = chosen(form.get("method", DEFAULT), offered_choices().methods).name
    offered = offered_choices(method)
    asked = asked_of(form, method)
    drawn, files = _generators(form, offered.generators)
    annotator = _part(form, "annotator", offered.annotators) if form.get("annotator", USUAL) != USUAL else None
    images = _images(form.get("images", ""))
    folder.mkdir()
    try:
        for name, text in {**asked.files, **files}.items():
            write_atomic(folder / name, text.encode())
        create_study(
            folder,
            generator=drawn,
            annotator=annotator,
            suite=asked.suite,
            prompts=asked.prompts,
            method=_method(method, form.get("reference", "")),
            images=images,
            title=title,
        )
        speak(folder)
        OpenStudy(folder).check()
    except PortrayalError as error:
        # What cannot run is not left behind: no page could mend it.
        shutil.rmtree(folder, ignore_errors=True)
        raise InputError(str(error).replace(f"{folder}/", "")) from None
    return folder


def new_folder(root: Path, title: str) -> Path:
    """Return the folder of a new study with this title; an error where there is one already."""
    folder = root / _folder_name(title)
    if folder.exists():
        raise InputError(t("There is a study of this name already. Please choose another title."))
    return folder


def speak(folder: Path) -> None:
    """Have the report speak the language of the page that the study was made on."""
    path = folder / CONFIG_NAME
    if spoken() != "en":
        write_atomic(path, set_keys(path.read_text(encoding="utf-8"), "report", {"language": spoken()}).encode())


def images_of_each(study: OpenStudy) -> int | None:
    """Return how many images of each prompt a study draws; None where it draws none, in rounds, or unlike numbers."""
    numbers = {generator.images for generator in study.config.generators}
    return numbers.pop() if len(numbers) == 1 and not study.config.sampling else None


def set_images(folder: Path, images: str) -> None:
    """Write how many images of each prompt a study draws into its study.toml, more than before; all else stays."""
    import tomlkit

    number = _images(images)
    before = read_config(folder)
    most = max((generator.images for generator in parse_config(before, folder).generators), default=0)
    if number < most:
        raise InputError(
            t("It asks for {n} already; with fewer, pictures already drawn would no longer count.", n=most)
        )
    document: Any = tomlkit.parse(before.decode())
    for generator in document.get("generators", ()):
        generator["images"] = number
    text = tomlkit.dumps(document).encode()
    parse_config(text, folder)
    write_atomic(folder / CONFIG_NAME, text)
    keep_trust(folder, before, text)


def _method(name: str, reference: str) -> Part:
    """Return the method, compared with the reference that was chosen where it knows references."""
    if name != DEFAULT or reference in ("", NOTHING):
        return name
    if reference not in REFERENCES.entries():
        raise InputError(t("{name} cannot be chosen here.", name=reference))
    return {"use": name, "options": {"references": {"gender": reference}}}


def _folder_name(title: str) -> str:
    if len(title) > LONGEST_TITLE:
        raise InputError(t("The title is too long: {n} characters at most.", n=LONGEST_TITLE))
    name = _NAME.sub("-", title).strip("-").lower()[:60]
    if not name:
        raise InputError(t("Please give the study a title, with letters or digits."))
    return name


def _generators(form: Mapping[str, str], offered: Sequence[Choice]) -> tuple[list[Part], Mapping[str, str]]:
    """Return who draws, with settings, perhaps another one beside it, and the files that they read.

    The same model may stand beside itself with other settings: it then has what is set of the first, but for these.
    """
    first = _part(form, "generator", offered)
    options, files = part_settings(form, first.partition(":")[0])
    drawn: list[Part] = [{"use": first, "options": options} if options else first]
    if form.get(BESIDE, ""):
        beside = _part(form, BESIDE, offered)
        other = set_options(form, beside.partition(":")[0], SECOND)
        if beside != first:
            return [*drawn, {"use": beside, "options": other} if other else beside], files
        if {**options, **other} == options:
            raise InputError(
                t(
                    "Both models are the same, and would draw the same pictures. Choose another one to compare with, "
                    "or other settings for the second one, such as its size."
                )
            )
        names = [first, f"{first} ({', '.join(f'{name} {value}' for name, value in other.items())})"]
        settings = [options, {**options, **other}]
        drawn = [{"use": first, "name": name, "options": each} for name, each in zip(names, settings, strict=True)]
    return drawn, files


def _part(form: Mapping[str, str], kind: str, offered: Sequence[Choice]) -> str:
    choice = chosen(form.get(kind, ""), offered)
    model = form.get(f"{kind}-model", "").strip()
    if not choice.takes_model or not model:
        return choice.name
    if not _MODEL.fullmatch(model) or ".." in model:
        raise InputError(t("{model} is neither the name of a model, such as org/model, nor an address.", model=model))
    return f"{choice.name}:{model}"


def _images(text: str) -> int:
    try:
        images = int(text)
    except ValueError:
        images = 0
    if not 1 <= images <= MOST_IMAGES:
        raise InputError(t("Images of each prompt: a whole number from 1 to {n}.", n=MOST_IMAGES))
    return images
