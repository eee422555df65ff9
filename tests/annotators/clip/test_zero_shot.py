from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from PIL import Image as Pillow

from portrayal.annotators.clip.zero_shot import ZeroShot
from portrayal.annotators.clip.zero_shot_questions import WORDS, ZeroShotOptions
from portrayal.errors import ConfigError
from portrayal.records import Abstention, Image, Observation, attribute_table
from portrayal.settings import parse_settings


def build(**options: Any) -> ZeroShot:
    return ZeroShot("clip", parse_settings(ZeroShotOptions, options, "study.toml"))


def read(
    asked: ZeroShot, logits: dict[str, float], people: int = 1
) -> list[tuple[int | None, str | None, tuple[float, ...]]]:
    """Return what comes of the logits of some texts, the others being 0."""
    assert set(logits) <= set(asked.texts)
    row = np.array([logits.get(text, 0.0) for text in asked.texts])
    return [(o.subject, o.attribute, o.mass or ()) for o in asked.read(Image("i", None, people=people), "clip", row)]


def test_the_texts_are_those_of_the_options_in_a_fixed_order() -> None:
    asked = build(
        attributes=["hair"],
        groups={"hair": ["short", "long"]},
        words={"hair": {"short": "short hair", "long": "long hair"}},
        template="someone with {group}",
        side_template="{side}: {group}",
        person=["somebody", "nobody"],
        pair=["two", "not two"],
    )
    assert asked.texts == (
        "somebody", "nobody", "someone with short hair", "someone with long hair",
        "two", "not two", "left: short hair", "left: long hair", "right: short hair", "right: long hair",
    )  # fmt: skip
    assert [attribute.name for attribute in asked.attributes] == ["hair", "person"]


def test_every_group_of_the_default_attributes_has_words_of_its_own() -> None:
    asked = build()
    assert [attribute.name for attribute in asked.attributes] == ["gender", "race5", "age3", "person"]
    assert all(tuple(WORDS[name]) == attribute_table()[name].groups for name in WORDS)
    assert len(asked.texts) == len(set(asked.texts)) == 2 + 10 + 2 + 20


def test_scores_become_masses_by_hand() -> None:
    asked = build(attributes=["gender"])
    logits = {"a photo of a woman": math.log(3.0), "a photo of a person": math.log(4.0)}
    (person, gender) = read(asked, logits)
    assert person[:2] == (0, "person")
    assert gender[:2] == (0, "gender")
    assert person[2] == pytest.approx((0.8, 0.2))
    assert gender[2] == pytest.approx((0.25, 0.75))


def test_of_two_people_the_left_is_subject_0_and_the_right_subject_1() -> None:
    asked = build(attributes=["gender"], side_template="{side} {group}", pair=["yes", "no"])
    logits = {"left a man": math.log(9.0), "right a woman": math.log(3.0), "no": math.log(4.0)}
    rows = read(asked, logits, people=2)
    assert [row[:2] for row in rows] == [(0, "person"), (0, "gender"), (1, "gender")]
    assert rows[0][2] == pytest.approx((0.2, 0.8))
    assert rows[1][2] == pytest.approx((0.9, 0.1))
    assert rows[2][2] == pytest.approx((0.25, 0.75))


def test_a_group_of_any_size_is_abstained_from_without_being_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "group.png"
    Pillow.new("RGB", (4, 4)).save(path)
    images = [Image("one", path), Image("group", path, people=0), Image("gone", None, people=0)]
    seen = []

    def score(pictures: Sequence[Pillow.Image], texts: Sequence[str]) -> NDArray[np.float64]:
        seen.append(len(pictures))
        return np.zeros((len(pictures), len(texts)))

    rows = list(build(attributes=["gender"]).annotate(images, "clip", score))
    assert [row for row in rows if row.image != "one"] == [
        Abstention("group", "clip", "group"),
        Abstention("gone", "clip", "group"),
    ]
    assert len(rows) == 4
    assert seen == [1]


def test_words_for_some_groups_leave_the_others_as_they_are() -> None:
    asked = build(attributes=["gender"], words={"gender": {"male": "a gentleman"}})
    assert asked.texts[2:4] == ("a photo of a gentleman", "a photo of a woman")


ASKED = build()
LOGITS = arrays(np.float64, len(ASKED.texts), elements=st.floats(-500, 500))


@given(LOGITS, st.floats(-1e3, 1e3), st.sampled_from([1, 2]))
def test_masses_add_up_and_hang_on_differences_alone(row: NDArray[np.float64], added: float, people: int) -> None:
    image = Image("i", None, people=people)
    plain = [o.mass for o in ASKED.read(image, "clip", row)]
    moved = [o.mass for o in ASKED.read(image, "clip", row + added)]
    assert len(plain) == (4 if people == 1 else 7)
    for mass, other in zip(plain, moved, strict=True):
        assert mass is not None
        assert sum(mass) == pytest.approx(1.0)
        assert min(mass) >= 0
        assert mass == pytest.approx(other, abs=1e-9)


def test_an_image_that_cannot_be_read_is_abstained_from_and_the_others_keep_their_scores(tmp_path: Path) -> None:
    asked = build(attributes=["gender"])
    images = []
    for shade in (0, 200, 100):
        path = tmp_path / f"{shade}.png"
        Pillow.new("RGB", (4, 4), (shade, shade, shade)).save(path)
        images.append(Image(path.name, path))
    (tmp_path / "200.png").write_bytes(b"not a picture")
    images.append(Image("gone", None))

    def score(pictures: Sequence[Pillow.Image], texts: Sequence[str]) -> NDArray[np.float64]:
        man = [np.asarray(picture)[0, 0, 0] / 100 * math.log(3.0) for picture in pictures]
        return np.array([[value * (text == "a photo of a man") for text in texts] for value in man])

    rows = list(asked.annotate(images, "me", score))
    assert rows[2] == Abstention("200.png", "me", "unreadable_image")
    assert rows[-1] == Abstention("gone", "me", "missing_file")
    assert [row.image for row in rows] == ["0.png", "0.png", "200.png", "100.png", "100.png", "gone"]
    seen = [row.mass for row in rows if isinstance(row, Observation) and row.attribute == "gender"]
    assert seen == [pytest.approx((0.5, 0.5)), pytest.approx((0.75, 0.25))]


def test_a_batch_of_nothing_readable_asks_the_model_nothing() -> None:
    rows = list(build().annotate([Image("gone", None)], "me", lambda pictures, texts: pytest.fail("asked")))
    assert rows == [Abstention("gone", "me", "missing_file")]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"attributes": ["gendr"]}, "annotator 'clip' knows no attribute 'gendr'; did you mean 'gender'?"),
        ({"attributes": ["gender", "gender"]}, "annotator 'clip' has attribute 'gender' twice; keep one"),
        ({"attributes": ["age"]}, "annotator 'clip' tells groups apart, and 'age' has none; leave it out"),
        (
            {"attributes": ["person"]},
            "annotator 'clip' always asks whether there is a person; leave 'person' out",
        ),
        (
            {"attributes": ["tone3"]},
            "annotator 'clip' has no words for 'tone3': set options.words.tone3 = { light = \"...\" }",
        ),
        (
            {"words": {"gender": {"mail": "a man"}}},
            "annotator 'clip': words.gender has no group 'mail'; did you mean 'male'?",
        ),
        (
            {"words": {"tone3": {"light": "light skin"}}},
            "annotator 'clip' has words for 'tone3', which is not among its attributes",
        ),
        (
            {"words": {"gender": {"male": "a woman"}}},
            "annotator 'clip': two groups of 'gender' have the same text 'a photo of a woman'; give each its own",
        ),
        (
            {"template": "a photo"},
            "study.toml: 'template': must hold {group} once and no other braces (got 'a photo')",
        ),
        (
            {"side_template": "{group} {x}"},
            "study.toml: 'side_template': must hold {group} and {side} once and no other braces (got '{group} {x}')",
        ),
        (
            {"template": "{group"},
            "study.toml: 'template': must hold {group} once and no other braces (got '{group')",
        ),
    ],
)
def test_options_that_make_no_sense_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        build(**options)
    assert str(caught.value) == message
