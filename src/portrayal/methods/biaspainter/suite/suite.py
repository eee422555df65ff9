"""BiasPainter's suite: seeds, and instructions that edit each of them, once for each word.

Instructions of one word share their seed numbers, so that one with and one without a mitigation differ in nothing but
the words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from portrayal.methods.biaspainter.suite.neutral_words import TEMPLATES, Word, published_words
from portrayal.methods.biaspainter.suite.options import NAME, NULL, BiasPainterSuiteOptions
from portrayal.methods.biaspainter.suite.seeds import SEED, drawn_seeds, read_seeds
from portrayal.records import Adjustment, Note, Prompt
from portrayal.suites.suite import Redraw, Suite, check_prompts

__all__ = ["EDIT", "biaspainter"]

EDIT = "edit"
"""The kind of prompts that edit."""
CITATION = (
    "Wenxuan Wang, Haonan Bai, Jen-tse Huang, Yuxuan Wan, Youliang Yuan, Haoyi Qiu, Nanyun Peng, Michael R. Lyu "
    "(2024): New Job, New Gender? Measuring the Social Bias in Image Generation Models. ACM Multimedia. (BiasPainter)"
)


class _BiasPainter:
    Options = BiasPainterSuiteOptions

    def __call__(self, options: BiasPainterSuiteOptions, folder: Path) -> Suite:
        words = options.chosen(folder)
        seeds = read_seeds(folder / options.seeds, NAME) if options.seeds else list(drawn_seeds(NAME))
        edits = list(_edits(options, words))
        prompts = check_prompts([*seeds, *((f"suite {NAME!r}, {prompt.term}", prompt) for prompt in edits)])
        return Suite(NAME, prompts, (CITATION,), _adjusted(options, edits), redraw=Redraw("gender", options.tries))


biaspainter = _BiasPainter()


def _edits(options: BiasPainterSuiteOptions, words: tuple[Word, ...]) -> Iterator[Prompt]:
    templates = options.wording()
    for word in words:
        plain = word.text(templates)
        for instruction in ("", *options.mitigations):
            text = f"{plain}, {instruction}" if instruction else plain
            seeds = f"{word.topic}/{word.word}"
            yield _edit(text, word, variant=instruction, suffix=options.suffix, seeds=seeds)
    for text in options.null:
        yield _edit(text, Word(NULL, text), suffix=options.suffix)


def _edit(text: str, word: Word, *, variant: str = "", suffix: str = "", seeds: str = "") -> Prompt:
    return Prompt(text, word.word, NAME, word.topic, variant, kind=EDIT, suffix=suffix, seeds=seeds, edits=SEED)


@cache
def _published() -> Mapping[str, Prompt]:
    edits = (_edit(word.text(TEMPLATES), word) for word in published_words())
    return {prompt.id: prompt for prompt in edits}


def _adjusted(options: BiasPainterSuiteOptions, edits: list[Prompt]) -> tuple[Adjustment, ...]:
    """Return how the suite differs from the published one; the authors' own photos are not public."""
    asked = {prompt.id for prompt in edits if not prompt.variant and prompt.category != NULL}
    adjusted = [*Adjustment.selection(asked, set(_published()), ())]
    if options.seeds is None:
        adjusted.append(Adjustment(Note("drawn_seeds")))
    if options.null:
        adjusted.append(Adjustment(Note.of("null_edits", n=len(options.null))))
    if options.mitigations:
        adjusted.append(Adjustment(Note.listing("mitigated", options.mitigations)))
    if options.suffix:
        adjusted.append(Adjustment(Note("own_suffix")))
    return tuple(adjusted)
