"""What a prompt is about, where nobody says so: it ends at the first comma, unless that would make one of two."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

__all__ = ["prompt_terms"]


def prompt_terms(prompts: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the term of each text, from pairs of a model and a text.

    A suffix that asks for a style often follows a comma, so the term is what stands before it. Where one model has two
    prompts that differ only after the comma, what follows matters, and both are terms as a whole.

    >>> prompt_terms([("A", "a nurse, 4k"), ("B", "a nurse, photo")])
    {'a nurse, 4k': 'a nurse', 'a nurse, photo': 'a nurse'}
    >>> prompt_terms([("A", "a CEO, tired"), ("A", "a CEO, happy")])
    {'a CEO, tired': 'a CEO, tired', 'a CEO, happy': 'a CEO, happy'}
    """
    texts: dict[tuple[str, str], set[str]] = defaultdict(set)
    heads: dict[str, str] = {}
    for model, text in prompts:
        heads[text] = text.partition(",")[0].strip() or text
        texts[model, heads[text]].add(text)
    shared = {head for (_, head), agreeing in texts.items() if len(agreeing) > 1}
    return {text: text if head in shared else head for text, head in heads.items()}
