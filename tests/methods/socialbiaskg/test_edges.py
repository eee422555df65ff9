"""Edges of one generator: who is seen most often, and images that do not count."""

from __future__ import annotations

import numpy as np

from portrayal.graph import Edge, Key
from portrayal.methods.socialbiaskg import edges
from portrayal.methods.socialbiaskg.looks import Look
from portrayal.methods.socialbiaskg.options import SocialBiasKGOptions
from portrayal.methods.socialbiaskg.perceived import Cells, Perceived, Seen

GROUPS = tuple("abcdefghijk")
JOB = Key("occupation", "judge")


def seen(*groups: str) -> Seen:
    values = np.array([GROUPS.index(own) for own in groups], dtype=float)
    return Seen(Look(np.arange(len(groups), dtype=np.uint64), np.zeros(len(groups), dtype=np.int64), values, GROUPS), 1)


def model_edges(
    *groups: str, nobody: int = 0, pair: str = "", people: tuple[Edge, ...] = ()
) -> dict[str, edges.Tested]:
    """Return the edges of images that show these groups, by what they are; 40 images were asked for."""
    cells = Cells({}, {}, {("judge", pair): [0]}) if pair else Cells({"judge": [0]}, {}, {})
    found = Perceived(GROUPS, seen(*groups), None, None, None, np.array([nobody]), np.array([40]))
    model = edges.ModelEdges(cells, found, people, SocialBiasKGOptions())
    both = (*model.annotated(), *model.emergent())
    return {f"{own.triple.source.name} {own.triple.type} {own.triple.target.name}": own for own in both}


def test_of_groups_that_are_seen_equally_often_none_is_seen_most_often() -> None:
    assert "judge stereotyped_as b" in model_edges(*"bbbbbb", "a")
    assert not [name for name in model_edges(*"aaabbb") if "stereotyped_as" in name]


def test_few_images_make_no_stereotype() -> None:
    assert "judge stereotyped_as a" not in model_edges("a", "a")
    assert "judge stereotyped_as a" in model_edges("a", "a", "a")
    edge = Edge(JOB, "stereotyped_as", Key("race", "a"))
    assert model_edges("a", "a", people=(edge,))["judge stereotyped_as a"].found is None


def test_an_image_that_counts_is_not_missing() -> None:
    edge = Edge(Key("race", "a"), "underrepresented_in", JOB)
    own = model_edges(*"aab", nobody=5, pair="a", people=(edge,))["a underrepresented_in judge"]
    assert {one.rule.metric: one.n for one in own.metrics} == {"failure": 8, "quality": 0}
    assert own.missing == {"failure": 32, "quality": 40}
