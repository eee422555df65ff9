"""By which names images that exist are found: the term of a prompt, where need be with its category and variant.

Two prompts may have one term: a cleaner is a profession and something to hold, and a word may be asked with and without
a further instruction. A name that more than one prompt could mean belongs to none of them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from portrayal.records import Prompt

__all__ = ["ImageNames", "plain_name"]


def plain_name(text: str) -> str:
    """Return a term or a file's name as they are compared; a path keeps its folders.

    >>> plain_name("Taxi driver"), plain_name("taxi_driver"), plain_name("people/Anna-1")
    ('taxi-driver', 'taxi-driver', 'people/anna-1')
    """
    small = unicodedata.normalize("NFC", text).casefold()
    return "/".join(re.sub(r"[^\w]+|_+", "-", part).strip("-") for part in small.split("/"))


@dataclass(frozen=True)
class ImageNames:
    """The names of each prompt, by its id, the fullest first, and the names that several prompts ``share``.

    A shared name is none of these; it maps to the prompts that it could mean.
    """

    names: Mapping[str, Sequence[str]]
    shared: Mapping[str, Sequence[Prompt]]

    @classmethod
    def of(cls, prompts: Sequence[Prompt]) -> ImageNames:
        """Return the names of prompts among which images are looked for.

        A prompt with a variant, such as one with a further instruction, has the name without it only where no prompt
        without a variant has that name.
        """
        claims: dict[str, list[Prompt]] = {}
        for prompt in prompts:
            for name in _names(prompt, prompt.variant):
                claims.setdefault(plain_name(name), []).append(prompt)
        plain = set(claims)
        for prompt in prompts:
            for name in _names(prompt, "") if prompt.variant else ():
                if plain_name(name) not in plain:
                    claims.setdefault(plain_name(name), []).append(prompt)
        shared = {name: by for name, by in claims.items() if len({prompt.id for prompt in by}) > 1}
        every = {prompt.id: list(dict.fromkeys(_every(prompt))) for prompt in prompts}
        names = {
            prompt.id: [
                name
                for name in every[prompt.id]
                if plain_name(name) not in shared and prompt in claims.get(plain_name(name), ())
            ]
            for prompt in prompts
        }
        return cls(names, shared)

    def instead(self, name: str) -> list[str]:
        """Return the names that the prompts of a shared name have each for itself; empty where one has none."""
        each = [self.names[prompt.id] for prompt in self.shared[name]]
        return [plain_name(names[-1]) for names in each] if all(each) else []


def _every(prompt: Prompt) -> list[str]:
    return [*_names(prompt, prompt.variant), *_names(prompt, "")]


def _names(prompt: Prompt, variant: str) -> list[str]:
    """Return what the images of a prompt may be called, with its category and without, behind its variant."""
    first = [_folder(variant)] if variant else []
    full = [*first, _folder(prompt.category), prompt.term] if prompt.category else []
    return ["/".join(parts) for parts in (full, [*first, prompt.term]) if parts]


def _folder(text: str) -> str:
    return text.replace("/", "-")
