"""A study of pictures that came in: how they are sorted, what must be told about them, and the study.toml of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from portrayal.apps.studio.new.new_study import NOTHING, new_folder, speak
from portrayal.apps.studio.own_pictures.staged import StagedPictures
from portrayal.errors import InputError, PortrayalError
from portrayal.language.translation import t
from portrayal.store.files import write_atomic
from portrayal.store.trusted_studies import remember_made
from portrayal.study.create.create_imported import create_imported
from portrayal.study.create.toml_lines import set_keys
from portrayal.study.importing.folders.plain_folders import FLAT, MODELS, NAMES, PROMPTS
from portrayal.study.importing.folders.recognise import FoundFolder, GivenFolder
from portrayal.study.importing.folders.shape import shape_of
from portrayal.study.study import OpenStudy
from portrayal.suites import REFERENCES

__all__ = ["AS_FOUND", "Sorting", "WhatCameIn", "create_from_pictures", "look_through"]

AS_FOUND = "found"
"""As the folders, the names or a list of the pictures say by themselves."""
LONGEST = 1_000


@dataclass(frozen=True, slots=True)
class Sorting:
    """A way in which pictures may be sorted: in words, and what must be told then."""

    layout: str
    words: str
    asks_model: bool
    asks_prompt: bool


@dataclass(frozen=True, slots=True)
class WhatCameIn:
    """Pictures as they were found, and the ways in which they may be meant: the likeliest first."""

    images: int
    sortings: tuple[Sorting, ...]
    models: tuple[str, ...] = ()
    prompts: tuple[str, ...] = ()


def look_through(staged: StagedPictures) -> WhatCameIn:
    """Look at the names of what came in; an error where there is no picture among it."""
    shape = shape_of(staged.pictures)
    if not shape.readable:
        raise InputError(t("No picture that can be read is among the files, such as JPEG, PNG or WebP."))
    found, asks_model = _found(staged.pictures)
    sortings = tuple(_sortings(found, bool(shape.folders), bool(shape.prompt_in_name), asks_model=asks_model))
    if found is None:
        return WhatCameIn(shape.images, sortings)
    return WhatCameIn(shape.images, sortings, tuple(found.models), tuple(found.prompts))


def create_from_pictures(root: Path, staged: StagedPictures, form: Mapping[str, str]) -> Path:
    """Make the lot a study below ``root``, all of it or nothing, and return its folder.

    Raises
    ------
    InputError
        With a sentence for the page, where something must be changed; the lot is as it was then.
    """
    title = form.get("title", "").strip()
    folder = new_folder(root, title)
    came = look_through(staged)
    sorting = next((each for each in came.sortings if each.layout == form.get("layout")), None)
    if sorting is None:
        raise InputError(t("Please say how the pictures are sorted."))
    model = _told(form, "model") if sorting.asks_model else ""
    prompt = _told(form, "prompt") if sorting.asks_prompt else ""
    if sorting.asks_model and not model:
        raise InputError(t("Please say who made the pictures."))
    if sorting.asks_prompt and not prompt:
        raise InputError(t("Please say what the pictures were meant to show."))
    layout = "" if sorting.layout == AS_FOUND else sorting.layout
    try:
        _write(staged, GivenFolder(staged.pictures, layout, model=model, prompt=prompt), title, form)
        path = staged.study / "study.toml"
        # What stands in it beside the pictures is true where it will lie.
        write_atomic(path, path.read_bytes().replace(str(staged.study).encode(), str(folder).encode()))
        staged.study.rename(folder)
        remember_made(folder)
    except PortrayalError as error:
        (staged.study / "study.toml").unlink(missing_ok=True)
        raise InputError(str(error).replace(f"{staged.pictures}/", "").replace(str(staged.pictures), "")) from None
    staged.discard()
    return folder


def _write(staged: StagedPictures, given: GivenFolder, title: str, form: Mapping[str, str]) -> None:
    path, _ = create_imported(staged.study, given.read(), title=title)
    reference = form.get("reference", NOTHING)
    if reference not in REFERENCES.entries():
        raise InputError(t("{name} cannot be chosen here.", name=reference))
    if reference != NOTHING:
        text = path.read_text(encoding="utf-8")
        write_atomic(path, set_keys(text, "methods.options.references", {"gender": reference}).encode())
    speak(staged.study)
    OpenStudy(staged.study).check()


def _found(pictures: Path) -> tuple[FoundFolder | None, bool]:
    """Return what the pictures say by themselves, and whether a list says all but the model."""
    try:
        return GivenFolder(pictures).read(), False
    except PortrayalError:
        pass
    try:
        return None, GivenFolder(pictures, model="any").read().is_listed
    except PortrayalError:
        return None, False


def _sortings(found: FoundFolder | None, folders: bool, names: bool, *, asks_model: bool) -> Iterator[Sorting]:
    if found is not None:
        models, prompts = t("{n|model|models}", n=len(found.models)), t("{n|prompt|prompts}", n=len(found.prompts))
        words = t("As their folders or a list say: {models}, {prompts}", models=models, prompts=prompts)
        yield Sorting(AS_FOUND, words, asks_model=False, asks_prompt=False)
    if asks_model:
        yield Sorting(AS_FOUND, t("As a list says; all are by one model"), asks_model=True, asks_prompt=False)
    if names:
        yield Sorting(
            NAMES, t("Each file is named after its prompt; all are by one model"), asks_model=True, asks_prompt=False
        )
    yield Sorting(FLAT, t("All are by one model, for one prompt"), asks_model=True, asks_prompt=True)
    if folders:
        yield Sorting(PROMPTS, t("Each folder is a prompt; all are by one model"), asks_model=True, asks_prompt=False)
        yield Sorting(MODELS, t("Each folder is a model; all are for one prompt"), asks_model=False, asks_prompt=True)


def _told(form: Mapping[str, str], name: str) -> str:
    text = " ".join(form.get(name, "").split())
    if len(text) > LONGEST:
        raise InputError(t("At most {n} characters, please.", n=LONGEST))
    return text
