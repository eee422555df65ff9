"""Who meets whom next: the pair of models, the prompt and the pictures.

``balanced`` takes the pair that met least often; of its prompts one that was shown least, and the pictures that were
shown least. ``uncertain`` draws the pair at random, in proportion to what one more battle of it would teach.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeVar

import numpy as np

from portrayal.apps.arena.battles.battle import BattleRules, ImagePool, PoolPrompt
from portrayal.apps.arena.battles.battle_counts import BattleCounts
from portrayal.apps.arena.battles.information_gain import InformationGain

__all__ = ["Match", "MatchSelector"]

T = TypeVar("T")

_SAMPLE_SIZE = 64
"""Of many prompts so many are drawn at random, and the best of these is taken: near the best of all, and fast."""
_REPEAT_TRIES = 16


@dataclass(frozen=True, slots=True)
class Match:
    """A prompt, two different models, and a picture by each; which goes left is not decided yet."""

    prompt: str
    models: tuple[str, str]
    images: tuple[str, str]


class MatchSelector:
    """Chooses the next match. ``counts`` is kept by the caller and holds what was dealt so far."""

    def __init__(self, pool: ImagePool, rules: BattleRules, counts: BattleCounts, rng: np.random.Generator) -> None:
        self._pool, self._rules, self._counts, self._rng = pool, rules, counts, rng
        self._gain = InformationGain(counts) if rules.pairing == "uncertain" else None
        self._prompt_ids = _prompt_ids_by_language(pool, rules, counts)
        self._prompts = {
            known: [prompt for prompt in pool.prompts.values() if known in ("", prompt.language)]
            for known in self._prompt_ids
        }

    def prompts(self, language: str) -> Sequence[PoolPrompt]:
        """Return what a rater who reads ``language`` may see: all, where rules or pool do not tell languages apart."""
        return self._prompts[self._known_language(language)]

    def capacity(self, language: str) -> int:
        """Return how many different pairs of models and prompts there are for a rater who reads ``language``."""
        return sum(map(len, self._prompt_ids[self._known_language(language)].values()))

    def offers(self, pair: int, prompt_id: str, language: str) -> bool:
        """Return whether two models may meet on a prompt before a rater who reads ``language``."""
        prompt = self._pool.prompts.get(prompt_id)
        if prompt is None or self._known_language(language) not in ("", prompt.language):
            return False
        return _differ(prompt, self._counts.pairs[pair])

    def choose(self, language: str, seen: Container[tuple[int, str]]) -> Match | None:
        """Return the next match for a rater who has seen these pairs of models with these prompts; None: no more."""
        repeat = self._rng.random() < self._rules.repeats
        prompt_ids = self._prompt_ids[self._known_language(language)]
        for pair in self._pairs_by_need(prompt_ids):
            match = (repeat and self._judged_match(pair, language, seen)) or self._new_match(
                pair, prompt_ids[pair], seen
            )
            if match:
                return match
        return None

    def _known_language(self, language: str) -> str:
        return language if language in self._prompt_ids else ""

    def _pairs_by_need(self, prompt_ids: Mapping[int, Sequence[str]]) -> Iterator[int]:
        pairs = np.fromiter(prompt_ids, np.int64, len(prompt_ids))
        if self._gain is None:
            keys = self._counts.by_pair[pairs] + self._rng.random(len(pairs))  # chance decides among equals
        else:
            # The first of racing exponentials wins in proportion to its rate.
            keys = self._rng.exponential(size=len(pairs)) / self._gain.by_pair()[pairs]
        yield from pairs[np.argsort(keys)].tolist()

    def _judged_match(self, pair: int, language: str, seen: Container[tuple[int, str]]) -> Match | None:
        """Return pictures of this pair that someone else has judged."""
        judged = self._counts.judged[pair]
        models = self._counts.pairs[pair]
        for _ in range(min(_REPEAT_TRIES, len(judged))):
            prompt_id, *images = judged.sample(self._rng)
            if (pair, prompt_id) in seen or not self.offers(pair, prompt_id, language):
                continue
            drawn = self._pool.prompts[prompt_id].images
            here = all(image in drawn[model] for model, image in zip(models, images, strict=True))
            if here and images[0] != images[1]:
                return Match(prompt_id, models, (images[0], images[1]))
        return None

    def _new_match(self, pair: int, prompt_ids: Sequence[str], seen: Container[tuple[int, str]]) -> Match | None:
        def shown(prompt_id: str) -> tuple[int, int]:
            return self._counts.by_pair_and_prompt[pair, prompt_id], self._counts.by_prompt[prompt_id]

        left = [prompt_id for prompt_id in self._sample(prompt_ids) if (pair, prompt_id) not in seen]
        left = left or [prompt_id for prompt_id in prompt_ids if (pair, prompt_id) not in seen]
        if not left:
            return None
        prompt_id = self._least_counted(left, shown)
        models = self._counts.pairs[pair]
        return Match(prompt_id, models, self._images(self._pool.prompts[prompt_id].images, models))

    def _images(self, drawn: Mapping[str, Sequence[str]], models: tuple[str, str]) -> tuple[str, str]:
        """Return a picture by each, never the same one: of two equal pictures nobody can say which is better."""
        one, two = (self._sample(drawn[model]) for model in models)
        if set(one) == set(two) and len(set(one)) == 1:  # a sample of many that happens to be the same picture
            one, two = (drawn[model] for model in models)
        first = self._least_counted([image for image in one if set(two) != {image}], self._counts.by_image.__getitem__)
        others = [image for image in two if image != first]
        return first, self._least_counted(others, self._counts.by_image.__getitem__)

    def _sample(self, items: Sequence[T]) -> Sequence[T]:
        if len(items) <= _SAMPLE_SIZE:
            return items
        return [items[place] for place in self._rng.integers(len(items), size=_SAMPLE_SIZE).tolist()]

    def _least_counted(self, items: Sequence[T], count: Callable[[T], Any]) -> T:
        chance = self._rng.random(len(items)).tolist()
        return min(zip(map(count, items), chance, items, strict=True), key=lambda one: one[:2])[2]


def _differ(prompt: PoolPrompt, models: tuple[str, str]) -> bool:
    """Return whether two models have both drawn a prompt, and not just one and the same picture."""
    one, two = (prompt.images.get(model, ()) for model in models)
    return bool(one) and bool(two) and len({*one, *two}) > 1


def _prompt_ids_by_language(
    pool: ImagePool, rules: BattleRules, counts: BattleCounts
) -> Mapping[str, Mapping[int, Sequence[str]]]:
    """Return by language, "" for all, the ids of the prompts that each pair of models can meet on."""
    by_language: defaultdict[str, defaultdict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    for prompt in pool.prompts.values():
        languages = ("", prompt.language) if rules.prompt_language == "rater" else ("",)
        for models in combinations(sorted(prompt.images), 2):
            for language in languages if _differ(prompt, models) else ():
                by_language[language][counts.pair_numbers[models]].append(prompt.id)
    return {"": {}, **{language: dict(prompt_ids) for language, prompt_ids in by_language.items()}}
