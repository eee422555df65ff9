"""Which pictures the views of the gallery choose."""

from __future__ import annotations

from portrayal.records import attribute_table
from portrayal.reports import FaceView, Perceived, Picture
from portrayal.reports.gallery.gallery_views import MOST, picture_views

ATTRIBUTES = attribute_table()


def face(group: str, mass: float = 0.9, who: str = "a", attribute: str = "gender") -> FaceView:
    return FaceView(None, [Perceived(attribute, group, mass)], who=who)


def picture(*faces: FaceView, term: str = "nurse", generator: str = "g", thumbnail: bytes = b"x") -> Picture:
    return Picture(term, "p", generator, 1, "ab", thumbnail, 4, 4, faces)


def chosen(view: str, *pictures: Picture) -> list[int]:
    return [place for place, own in enumerate(picture_views(pictures, ATTRIBUTES)) if view in own]


def test_uncertain_is_nearest_to_guessing_whatever_the_number_of_groups() -> None:
    sure = [picture(face("female", 0.97)) for _ in range(MOST)]
    even = picture(face("female", 0.52))
    tenth = picture(face("monk_4", 0.52, attribute="skin_tone"))
    label = picture(face("female", 1.0))
    found = chosen("uncertain", tenth, *sure, even, label)
    assert len(found) == MOST
    assert {0, len(sure) + 1} <= set(found)
    assert chosen("uncertain", label, picture(face("male", 0.6), thumbnail=b"")) == []


def test_typical_is_what_most_pictures_of_the_term_and_generator_show() -> None:
    pictures = [picture(face(group)) for group in ("male", "female", "female")]
    other = [picture(face("male"), generator="h"), picture(face("male"), generator="h")]
    assert chosen("typical", *pictures, *other) == [1, 3]
    assert chosen("typical", picture(face("male"))) == []


def test_contested_is_what_two_annotators_say_differently_of_one_person() -> None:
    assert chosen("contested", picture(face("male"), face("female", who="b"))) == [0]
    assert chosen("contested", picture(face("male"), face("male", who="b"))) == []
    # Two people whom one annotator sees are no contest.
    assert chosen("contested", picture(face("male"), face("female"), face("male", who="b"))) == []
    assert chosen("contested", picture(face("male"), face("young", who="b", attribute="age3"))) == []
