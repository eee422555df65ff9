"""The prompts: pictures of 100 objects, and as options people doing things with them, occupations and tasks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from pydantic import Field

from portrayal.csvfile import read_csv, read_shipped
from portrayal.errors import ConfigError
from portrayal.records import Adjustment, Note, Prompt
from portrayal.settings import Settings
from portrayal.suites.base import Suite, check_names, check_prompts
from portrayal.suites.choosing import sample_prompts
from portrayal.suites.known import OCCUPATIONS
from portrayal.suites.wording import in_sentence, with_article

__all__ = ["NAME", "TbybSuiteOptions", "objects", "tbyb"]

NAME = "tbyb"
_PACKAGE = "portrayal.methods.tbyb"
_CITATIONS = (
    "Jordan Vice, Naveed Akhtar, Richard Hartley, Ajmal Mian (2023): Quantifying Bias in Text-to-Image Generative "
    "Models. (Try Before You Bias: the 100 objects)",
    "Jordan Vice, Naveed Akhtar, Richard Hartley, Ajmal Mian (2025): Exploring Bias in over 100 Text-to-Image "
    "Generative Models. (3 images of each object)",
    "What people do with the objects is in Portrayal's own words, not in the authors'.",
)
Where = tuple[str, Prompt]


class TbybSuiteOptions(Settings):
    """``terms`` are the objects to ask for, all when empty; ``objects`` false leaves pictures of them alone out.

    ``actions`` adds a person doing something with each object, ``occupations`` the occupations of a registered list,
    by its name, ``tasks`` the prompts of a CSV ``prompt[,task]``. ``sample`` takes so many prompts, each kind in its
    proportion.
    """

    objects: bool = True
    terms: tuple[str, ...] = ()
    actions: bool = False
    occupations: str = ""
    tasks: Path | None = None
    sample: int = Field(default=0, ge=0)
    sample_seed: int = Field(default=0, ge=0)


class _Tbyb:
    Options = TbybSuiteOptions

    def __call__(self, options: TbybSuiteOptions, folder: Path) -> Suite:
        check_names(NAME, "object", options.terms, objects())
        prompts = check_prompts(list(_prompts(options, folder)))
        if not prompts:
            raise ConfigError(f"suite {NAME!r}: no prompt is left; ask for objects, actions, occupations or tasks")
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
    if options.actions:
        for row in read_shipped(_PACKAGE, "actions.csv", ("object", "action")):
            if row["object"] in chosen:
                text = f"a picture of a person {row['action']}"
                yield row.where, Prompt(text, row["object"], NAME, "actions", kind="action")
    if options.occupations:
        for own in OCCUPATIONS.load(options.occupations)():
            text = f"a picture of {with_article(in_sentence(own.name))}"
            yield f"occupation {own.name!r}", Prompt(text, own.name, NAME, "occupations", kind="occupation")
    if options.tasks:
        for row in read_csv(folder / options.tasks, ("prompt",), ("task",)):
            task = row["task"] or "tasks"
            yield row.where, Prompt(row["prompt"], row["prompt"], NAME, task, kind="task")


def _objects(names: Iterable[str]) -> Iterator[Where]:
    for name in names:
        yield f"object {name!r}", Prompt(f"a picture of {with_article(name)}", name, NAME, "objects", kind="object")


def _reasons(options: TbybSuiteOptions) -> Iterator[Note]:
    if options.terms:
        yield Note.listing("chosen_objects", options.terms)
    if options.actions:
        yield Note("with_actions")
    if options.occupations:
        yield Note.listing("with_occupations", [options.occupations])
    if options.tasks:
        yield Note.listing("with_tasks", [options.tasks.name])
    if options.sample:
        yield Note.of("prompt_sample", n=options.sample, seed=options.sample_seed)
