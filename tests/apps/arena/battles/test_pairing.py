from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.apps.arena.battles.battle import Battle, BattleRules, Choice, ImagePool, PoolPrompt
from portrayal.apps.arena.battles.battle_counts import BattleCounts
from portrayal.apps.arena.battles.pairing import Match, MatchSelector

PROMPTS = st.dictionaries(
    st.sampled_from([f"p{number}" for number in range(8)]),
    st.tuples(st.sampled_from(["en", "de"]), st.sets(st.sampled_from("abcde"), min_size=2)),
    min_size=1,
)


def make_pool(prompts: dict[str, tuple[str, set[str]]], images: int = 2) -> ImagePool:
    def pool_prompt(prompt: str, language: str, models: set[str]) -> PoolPrompt:
        drawn = {model: [f"{prompt}-{model}-{number}" for number in range(images)] for model in models}
        return PoolPrompt(prompt, f"{prompt}?", language, "", "", "", drawn)

    return ImagePool({prompt: pool_prompt(prompt, *about) for prompt, about in prompts.items()})


def square(models: int, prompts: int, images: int = 4) -> ImagePool:
    names = {f"m{number:02}" for number in range(models)}
    return make_pool({f"p{number}": ("en", names) for number in range(prompts)}, images)


class Session:
    """Deals matches one after the other to one rater, as the arena does; ``skill`` says who is better."""

    def __init__(self, pool: ImagePool, seed: int = 0, language: str = "en", **rules: Any) -> None:
        self.rng = np.random.default_rng(seed)
        self.counts = BattleCounts(pool)
        self.selector = MatchSelector(pool, BattleRules(**{"repeats": 0.0, **rules}), self.counts, self.rng)
        self.language = language
        self.seen: set[tuple[int, str]] = set()

    def deal(self, skill: dict[str, float] | None = None) -> Match | None:
        match = self.selector.choose(self.language, self.seen)
        if match:
            self.seen.add((self.counts.pair_numbers[match.models], match.prompt))
            self.counts.add(self._judged(match, skill or {}))
        return match

    def next_rater(self) -> None:
        self.seen = set()

    def _judged(self, match: Match, skill: dict[str, float]) -> Battle:
        (left, right), (left_image, right_image) = match.models, match.images
        chance = 1 / (1 + np.exp(skill.get(right, 0.0) - skill.get(left, 0.0)))
        said: list[Choice] = ["left" if self.rng.random() < chance else "right" for _ in range(3)]
        choices = dict(zip(("bias", "quality", "alignment"), said, strict=True))
        return Battle("b", "ann", 1, match.prompt, left, left_image, right, right_image, "", 0.0, choices)


@pytest.mark.slow
@given(PROMPTS, st.integers(0, 2**32), st.integers(1, 60))
def test_pairs_differ_by_one_battle_at_most_until_one_of_them_runs_out(
    prompts: dict[str, tuple[str, set[str]]], seed: int, deals: int
) -> None:
    session = Session(make_pool(prompts), seed)
    left = Counter(pair for _, models in prompts.values() for pair in combinations(sorted(models), 2))
    for _ in range(deals):
        match = session.deal()
        if match is None:
            assert left.total() == 0
            return
        left[match.models] -= 1
        assert min(left.values()) >= 0
        dealt = [session.counts.by_pair[session.counts.pair_numbers[pair]] for pair, count in left.items() if count]
        assert not dealt or max(dealt) - min(dealt) <= 1


@pytest.mark.slow
@given(PROMPTS, st.integers(0, 2**32), st.sampled_from(["balanced", "uncertain"]), st.floats(0, 1))
def test_a_rater_sees_every_pair_with_every_prompt_once(
    prompts: dict[str, tuple[str, set[str]]], seed: int, pairing: str, repeats: float
) -> None:
    session = Session(make_pool(prompts), seed, pairing=pairing, repeats=repeats)
    for _ in range(2):  # the second rater may be shown what the first one judged
        matches = []
        while match := session.deal():
            matches.append((match.prompt, match.models))
        wanted = {(prompt, pair) for prompt, (_, models) in prompts.items() for pair in combinations(sorted(models), 2)}
        assert sorted(matches) == sorted(wanted)
        assert session.selector.capacity("en") == len(wanted)
        session.next_rater()


@pytest.mark.slow
@given(PROMPTS, st.integers(0, 2**32), st.floats(0, 1))
def test_raters_see_prompts_in_their_language_if_there_are_any(
    prompts: dict[str, tuple[str, set[str]]], seed: int, repeats: float
) -> None:
    session = Session(make_pool(prompts), seed, prompt_language="rater", repeats=repeats)
    languages = {language for language, _ in prompts.values()}
    for rater in ("de", "en", "de", "fr"):
        session.language = rater
        session.next_rater()
        shown = {prompts[match.prompt][0] for match in iter(session.deal, None)}
        assert shown == ({rater} if rater in languages else languages)


def test_prompts_and_pictures_take_turns() -> None:
    session = Session(square(models=3, prompts=5, images=3))
    for _ in range(3 * 3):
        while session.deal():
            pass
        session.next_rater()
    assert set(session.counts.by_prompt.values()) == {27}
    assert set(session.counts.by_pair_and_prompt.values()) == {9}
    # 27 battles of a prompt show each of its 3 models 18 times.
    assert set(session.counts.by_image.values()) == {6}


def test_of_many_prompts_none_is_shown_much_more_often() -> None:
    session = Session(square(models=4, prompts=200, images=1))
    for _ in range(40):
        for _ in range(30):
            session.deal()
        session.next_rater()
    shown = [session.counts.by_prompt[f"p{number}"] for number in range(200)]
    assert sum(shown) == 1200
    assert min(shown) >= 5
    assert max(shown) <= 7


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_repeats_are_the_share_asked_for(share: float) -> None:
    session = Session(square(models=3, prompts=400, images=4), repeats=share)
    for _ in range(100):
        session.deal()
    repeated = 0
    for _ in range(20):
        session.next_rater()
        for _ in range(20):
            known = {images for judged in session.counts.judged.values() for images in judged._counts}
            match = session.deal()
            assert match
            repeated += (match.prompt, *match.images) in known
    assert repeated / 400 == pytest.approx(share, abs=0.08)


def test_pictures_that_are_gone_are_not_shown_again() -> None:
    pool = square(models=2, prompts=3, images=2)
    session = Session(pool, repeats=1.0)
    gone = Battle(
        "b",
        "ann",
        1,
        "p0",
        "m00",
        "lost",
        "m01",
        "p0-m01-0",
        "",
        0.0,
        dict.fromkeys(("bias", "quality", "alignment"), "left"),
    )
    session.counts.add(gone)
    shown = {image for match in iter(session.deal, None) for image in match.images}
    assert "lost" not in shown
    assert len(shown) == 6


IMAGES = st.dictionaries(
    st.sampled_from("abcd"), st.lists(st.sampled_from("uvwxyz"), min_size=1, max_size=4, unique=True), min_size=2
)


@pytest.mark.slow
@given(st.lists(IMAGES, min_size=1, max_size=4), st.sampled_from(["balanced", "uncertain"]), st.floats(0, 1))
def test_nobody_is_shown_the_same_picture_twice(
    drawn: list[dict[str, list[str]]], pairing: str, repeats: float
) -> None:
    prompts = {f"p{n}": PoolPrompt(f"p{n}", "", "en", "", "", "", images) for n, images in enumerate(drawn)}
    pool = ImagePool(prompts)
    pairs = [(a, b) for images in drawn for one, two in combinations(images.values(), 2) for a in one for b in two]
    assert pool.picture_pairs == (len(pairs), sum(a == b for a, b in pairs))
    session = Session(pool, pairing=pairing, repeats=repeats)
    for _ in range(3):  # later raters may be shown what the first has judged
        dealt = []
        while match := session.deal():
            dealt.append(match)
        assert all(match.images[0] != match.images[1] for match in dealt)
        for match in dealt:
            images = prompts[match.prompt].images
            assert all(image in images[model] for model, image in zip(match.models, match.images, strict=True))
        # All that can be compared is: two models whose only picture of a prompt is the same are left out, nothing else.
        wanted = sum(len({*one, *two}) > 1 for images in drawn for one, two in combinations(images.values(), 2))
        assert len(dealt) == session.selector.capacity("en") == wanted
        session.next_rater()


def test_uncertain_pairing_seeks_close_models() -> None:
    skill = {"m00": 0.0, "m01": 0.1, "m02": 3.0, "m03": 6.0}
    session = Session(square(models=4, prompts=50), pairing="uncertain")
    for _ in range(40):
        for _ in range(25):
            session.deal(skill)
        session.next_rater()
    dealt = {pair: int(session.counts.by_pair[number]) for pair, number in session.counts.pair_numbers.items()}
    assert dealt["m00", "m01"] == max(dealt.values())
    assert dealt["m00", "m01"] > 2 * dealt["m00", "m03"]


def test_uncertain_pairing_seeks_models_that_met_seldom() -> None:
    session = Session(square(models=4, prompts=50), pairing="uncertain")
    old = [Match(f"p{turn}", pair, (f"p{turn}-{pair[0]}-0", f"p{turn}-{pair[1]}-0"))
           for turn in range(50) for pair in combinations(("m00", "m01", "m02"), 2)]  # fmt: skip
    for one in old:
        session.counts.add(session._judged(one, {}))
    met = Counter(match.models for _ in range(30) if (match := session.deal()))
    new = sum(count for pair, count in met.items() if "m03" in pair)
    assert new > 20


@pytest.mark.slow
@pytest.mark.parametrize("pairing", ["balanced", "uncertain"])
def test_a_deal_looks_at_few_of_many_prompts(pairing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(square(models=20, prompts=1000), pairing=pairing, repeats=0.2)
    looked_at, least = [], MatchSelector._least_counted

    def counted(self: MatchSelector, items: Any, count: Any) -> Any:
        looked_at.append(len(items))
        return least(self, items, count)

    monkeypatch.setattr(MatchSelector, "_least_counted", counted)
    for _ in range(20):
        session.next_rater()
        assert all(session.deal() for _ in range(30))
    assert max(looked_at) == 64
    assert len(looked_at) <= 3 * 20 * 30  # a prompt and two pictures
