"""How often the words about perceived gender of `portrayal demo biaspainter` are found, had it another seed.

As many faces, words and null edits as the demo has, without pictures; faces also flip by themselves, or do not.
"""

from __future__ import annotations

import argparse
import tomllib
from importlib.resources import files

import numpy as np

from portrayal.methods.biaspainter.scores import EditedFaces, score_words
from portrayal.methods.biaspainter.scores.changes import FEMALE, MALE

SEEDS, WORDS, NULLS, RATE = 18, 15, 3, 0.05
EARLIER = (0.8, 0.7, -0.7, -0.6)
"""What an earlier form of the demo planted: the share of men who become women, below nought of women who become men."""


def planted() -> tuple[float, ...]:
    """Return what the demo plants now."""
    demo = tomllib.loads((files("portrayal.methods.biaspainter") / "demo.toml.in").read_text())
    edits = demo["generators"][1]["options"]["edits"].values()
    return tuple(float(np.copysign(own["chance"], own["gender"])) for own in edits if "chance" in own)


def study(shares: tuple[float, ...], flips: float, rng: np.random.Generator) -> tuple[bool, float, bool]:
    """Return whether all words stand out, the share of intervals that hold, and whether a neutral word stands out."""
    rows = WORDS + NULLS
    genders = np.resize([MALE, FEMALE], SEEDS)
    chance = np.full((rows, SEEDS), flips)
    for place, share in enumerate(shares):
        chance[place, genders == (MALE if share > 0 else FEMALE)] = abs(share)
    before = np.tile(genders, rows)
    after = np.where(rng.random(rows * SEEDS) < chance.ravel(), 1 - before, before)
    word, seed = np.repeat(np.arange(rows), SEEDS), np.tile(np.arange(SEEDS), rows)
    faces = EditedFaces(rows, genders, word, seed, {"gender": before}, {"gender": after})
    found = score_words(faces, "gender", null=range(WORDS, rows), draws=400, rng=rng).relative
    assert found is not None
    truth, mine = np.array(shares) - flips * np.sign(shares), slice(len(shares))
    held = (found.low[mine] <= truth) & (truth <= found.high[mine])
    out = found.q <= RATE
    return bool(out[mine].all()), float(held.mean()), bool(out[len(shares) :].any())


def main() -> None:
    """Print a line for each form of the demo."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=300)
    studies: int = parser.parse_args().studies
    for shares in (EARLIER, planted()):
        for flips in (0.0, 0.02):
            rng = np.random.default_rng(7)
            every, held, alarm = np.mean([study(shares, flips, rng) for _ in range(studies)], axis=0)
            print(
                f"planted {shares}, faces flip by themselves in {flips:.0%}: all stand out in {every:.1%} of {studies} "
                f"seeds; intervals hold {held:.1%}; a neutral word stands out in {alarm:.1%}"
            )


if __name__ == "__main__":
    main()
