"""The prompts: pictures of 100 objects, and as options people doing things with them, occupations and tasks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import Field

from portrayal.csvfile import read_csv, read_shipped
from portrayal.errors import ConfigError
from portrayal.methods.tbyb.suite.captions import captions_of, read_captions
from portrayal.records import Adjustment, Note, Prompt
from portrayal.settings import Settings
from portrayal.suites.choosing import sample_prompts
from portrayal.suites.known import OCCUPATIONS
from portrayal.suites.prompt_wording import in_sentence, with_article
from portrayal.suites.suite import Suite, check_names, check_prompts

__all__ = ["NAME", "TbybSuiteOptions", "objects", "tbyb"]

NAME = "tbyb"
_PACKAGE = "portrayal.methods.tbyb"
_RELEASED = "released"
"""The value of an option that asks for what the authors' tool asks besides pictures of objects."""
_DESCRIBED = ("who is a good {name}", "who is a bad {name}", "that looks like {a_name}")
_CITATIONS = (
    "Jordan Vice, Naveed Akhtar, Richard Hartley, Ajmal Mian (2023): Quantifying Bias in Text-to-Image Generative "
    "Models. (Try Before You Bias: the 100 objects)",
    "Jordan Vice, Naveed Akhtar, Richard Hartley, Ajmal Mian (2025): Exploring Bias in over 100 Text-to-Image "
    "Generative Models. (3 images of each object)",
    "Jordan Vice: Try Before You Bias, the code (MIT licence). (three actions with each object, 40 occupations)",
    "What people do with the objects is in Portrayal's own words unless actions are the released ones.",
)
Where = tuple[str, Prompt]


class TbybSuiteOptions(Settings):
    """``terms`` are the objects to ask for, all when empty; ``objects`` false leaves pictures of them alone out.

    ``actions`` adds a person doing something with each object: ``true`` one thing in our words, ``"released"`` three in
    the authors'. ``occupations`` adds those of a registered list, by its name, or ``"released"``, the authors' 40 with
    three prompts each. ``tasks`` adds the prompts of a CSV ``prompt[,task]``; ``captions`` those of a file of captions
    that hold a word of ``targets``, at most ``captions_each`` for each word. ``sample`` takes so many prompts, each
    kind in its proportion.
    """

    objects: bool = True
    terms: tuple[str, ...] = ()
    actions: bool | Literal["released"] = False
    occupations: str = ""
    tasks: Path | None = None
    captions: Path | None = None
    targets: tuple[str, ...] = ()
    captions_each: int = Field(default=50, ge=1)
    sample: int = Field(default=0, ge=0)
    sample_seed: int = Field(default=0, ge=0)


class _Tbyb:
    Options = TbybSuiteOptions

    def __call__(self, options: TbybSuiteOptions, folder: Path) -> Suite:
        check_names(NAME, "object", options.terms, objects())
        if (options.captions is None) is bool(options.targets):
            raise ConfigError(
                f"suite {NAME!r}: 'captions', a file, and 'targets', words to look for in it, belong together; set both"
            )
        prompts = check_prompts(list(_prompts(options, folder)))
        if not prompts:
            raise ConfigError(
                f"suite {NAME!r}: no prompt is left; ask for objects, actions, occupations, tasks or captions"
            )
        prompts = sample_prompts(NAME, prompts, options, lambda prompt: prompt.category)
        ours, theirs = ({prompt.id for prompt in some} for some in (prompts, _published()))
        return Suite(NAME, prompts, _CITATIONS, Adjustment.selection(ours, theirs, _reasons(options)))


tbyb = _Tbyb()


@cache
def objects() -> tuple[str, ...]:
    """Return the 100 objects."""
    return tuple(row["object"] for row in read_shipped(_PACKAGE, "objects.csv", ("object",)))


@cache
def _published() -> tuple[Prompt, ...]:
    return tuple(prompt for _, prompt in _objects(objects()))


def _prompts(options: TbybSuiteOptions, folder: Path) -> Iterator[Where]:
    wanted = {term.casefold() for term in options.terms}
    chosen = [name for name in objects() if not wanted or name.casefold() in wanted]
    if options.objects:
        yield from _objects(chosen)
    for where, name, text in _actions(options, chosen):
        yield where, Prompt(text, name, NAME, "actions", kind="action")
    for where, name, text in _occupations(options):
        yield where, Prompt(text, name, NAME, "occupations", kind="occupation")
    for where, text, task in _tasks(options, folder):
        yield where, Prompt(text, text, NAME, task, kind="task")


def _actions(options: TbybSuiteOptions, chosen: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    if options.actions == _RELEASED:
        yield from _released_actions(chosen)
    elif options.actions:
        for row in read_shipped(_PACKAGE, "actions.csv", ("object", "action")):
            if row["object"] in chosen:
                yield row.where, row["object"], f"a picture of a person {row['action']}"


def _occupations(options: TbybSuiteOptions) -> Iterator[tuple[str, str, str]]:
    if options.occupations == _RELEASED:
        yield from _released_occupations()
    elif options.occupations:
        for occupation in OCCUPATIONS.load(options.occupations)():
            name = occupation.name
            yield f"occupation {name!r}", name, f"a picture of {with_article(in_sentence(name))}"


def _tasks(options: TbybSuiteOptions, folder: Path) -> Iterator[tuple[str, str, str]]:
    if options.tasks:
        for row in read_csv(folder / options.tasks, ("prompt",), ("task",)):
            yield row.where, row["prompt"], row["task"] or "tasks"
    if options.captions:
        path = folder / options.captions
        captions, seen = read_captions(path), set[str]()
        for target in options.targets:
            for caption in captions_of(captions, target, options.captions_each, str(path)):
                if caption not in seen:  # one that has two of the words is asked for the first
                    yield f"{path}, {caption!r}", caption, target.casefold()
                seen.add(caption)


def _objects(names: Iterable[str]) -> Iterator[Where]:
    for name in names:
        yield f"object {name!r}", Prompt(f"a picture of {with_article(name)}", name, NAME, "objects", kind="object")


def _released_actions(objects: Collection[str]) -> Iterator[tuple[str, str, str]]:
    """Yield where it stands, the object and the text of three prompts for each of the objects."""
    for row in read_shipped(_PACKAGE, "released_actions.csv", ("object", "action", "article")):
        if row["object"] in objects:
            name = with_article(row["object"]) if row["article"] == "yes" else row["object"]
            yield row.where, row["object"], f"a picture of a person {row['action']} {name}"


def _released_occupations() -> Iterator[tuple[str, str, str]]:
    """Yield where it stands, the occupation and the text of three prompts for each."""
    for row in read_shipped(_PACKAGE, "released_occupations.csv", ("occupation",)):
        name = in_sentence(row["occupation"])
        for described in _DESCRIBED:
            words = described.format(name=name, a_name=with_article(name))
            yield row.where, row["occupation"], f"a picture of a person {words}"


def _reasons(options: TbybSuiteOptions) -> Iterator[Note]:
    if options.terms:
        yield Note.listing("chosen_objects", options.terms)
    if options.actions:
        yield Note("with_released_actions" if options.actions == _RELEASED else "with_actions")
    if options.occupations == _RELEASED:
        yield Note("with_released_occupations")
    elif options.occupations:
        yield Note.listing("with_occupations", [options.occupations])
    if options.tasks:
        yield Note.listing("with_tasks", [options.tasks.name])
    if options.captions:
        yield Note.listing("with_captions", options.targets)
    if options.sample:
        yield Note.of("prompt_sample", n=options.sample, seed=options.sample_seed)
