"""Which part of the images is labelled: counted model by model, where somebody else read what people labelled."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from portrayal.reports.reading_errors import LabelledPart
from portrayal.study.report.labelled_part import labelled_part

PEOPLE = {"use": "imported:people", "options": {"attributes": ["gender"]}}


def test_labelled_images_are_counted_for_each_model(
    make_study: Callable[..., Path], by_hand: Callable[[Path], Any]
) -> None:
    written = by_hand(make_study(annotators=[{"use": "simulated"}, PEOPLE]))
    machine, person = written.study.annotators
    for model, labelled in (("A", 2), ("B", 0)):
        for number in range(3):
            word = f"{model} {number}"
            written.made(word, generator=model)
            written.told(word, machine, 0, "gender", (0.0, 1.0))
            if number < labelled:
                written.told(word, person, 0, "gender", (1.0, 0.0))
    part = labelled_part(written.write())
    assert part == LabelledPart(person, {"A": (2, 3), "B": (0, 3)})
    assert (part.labelled, part.images, part.is_all) == (2, 6, False)


def test_whoever_alone_looked_is_no_labeller(make_study: Callable[..., Path], by_hand: Callable[[Path], Any]) -> None:
    alone = by_hand(make_study(annotators=[PEOPLE]))
    [person] = alone.study.annotators
    alone.made("A 0", generator="A")
    alone.told("A 0", person, 0, "gender", (0.0, 1.0))
    assert labelled_part(alone.write()) is None


def test_of_two_who_brought_labels_neither_counts(
    make_study: Callable[..., Path], by_hand: Callable[[Path], Any]
) -> None:
    other = {**PEOPLE, "use": "imported:others"}
    written = by_hand(make_study(annotators=[{"use": "simulated"}, PEOPLE, other]))
    written.made("A 0", generator="A")
    for who in written.study.annotators:
        written.told("A 0", who, 0, "gender", (0.0, 1.0))
    assert labelled_part(written.write()) is None
