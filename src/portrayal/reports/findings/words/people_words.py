"""Who is shown, in the words of a sentence: "a woman" rather than "female"."""

from __future__ import annotations

from portrayal.language.translation import t, word
from portrayal.records import Measurement
from portrayal.reports.text.sample_words import image_count, is_counted
from portrayal.reports.text.words import count, human, percent

__all__ = ["read_as", "share_text", "shown", "someone"]

_PEOPLE = {
    ("gender", "male"): "a man",
    ("gender", "female"): "a woman",
    ("age3", "young"): "a young person",
    ("age3", "middle_aged"): "a middle-aged person",
    ("age3", "elderly"): "an elderly person",
    ("tone3", "light"): "a person with light skin",
    ("tone3", "medium"): "a person with medium skin",
    ("tone3", "dark"): "a person with dark skin",
    ("smiling", "not_smiling"): "a person who does not smile",
    ("smiling", "smiling"): "a person who smiles",
}
FEW = 100
"""Below so many images, counts say more than percentages."""


def someone(attribute: str, group: str) -> str:
    """Return whom a picture shows.

    >>> someone("gender", "female"), someone("left.race5", "east_asian")
    ('a woman', 'a person perceived as east asian at left')
    """
    side, _, plain = attribute.rpartition(".")
    known = _PEOPLE.get((plain, group))
    who = word(known) if known else t("a person perceived as {group}", group=human(group))
    if not side:
        return who
    return t("{someone} at left", someone=who) if side == "left" else t("{someone} at right", someone=who)


def shown(row: Measurement, share: str = "") -> str:
    """Say in how many pictures somebody is shown: by counts where these are few and say the same as the share.

    ``share`` is how the share is written, where it must be told from another. Of several prompts it is their mean,
    which need not be the share of all pictures together.
    """
    n = row.n
    who, seen = someone(row.attribute, row.group), _seen(row)
    number = share or percent(row.value or 0.0, n)
    people = image_count(row) != n
    if seen is None and row.prompts > 1:
        if people:
            return _mean_of_people(row, number)
        return t(
            "{share} show {someone} (mean of {k|prompt|prompts}, {n|picture|pictures})",
            share=number,
            someone=who,
            k=row.prompts,
            n=n,
        )
    if people:
        said = number if seen is None else count(seen)
        return t("{share} of {n|person|people} are perceived as {group}", share=said, n=n, group=human(row.group))
    if seen is None:
        return t("{share} of {n|picture|pictures} show {someone}", share=number, n=n, someone=who)
    if 1 in (seen, n):
        return t("{seen} of {n|picture|pictures} shows {someone}", seen=count(seen), n=n, someone=who)
    return t("{seen} of {n|picture|pictures} show {someone}", seen=count(seen), n=n, someone=who)


def read_as(row: Measurement) -> str:
    """Say as what pictures were read, where it is known that the reading errs: not what they show."""
    n, seen = row.n, _seen(row)
    who, group = someone(row.attribute, row.group), human(row.group)
    number = percent(row.value or 0.0, n)
    people = image_count(row) != n
    if seen is None and row.prompts > 1:
        values: dict[str, str | int] = {"share": number, "k": row.prompts, "n": n}
        if people:
            return t(
                "{share} were read as {group} (mean of {k|prompt|prompts}, {n|person|people})", group=group, **values
            )
        return t(
            "{share} were read as showing {someone} (mean of {k|prompt|prompts}, {n|picture|pictures})",
            someone=who,
            **values,
        )
    said = number if seen is None else count(seen)
    if people:
        return t("{share} of {n|person|people} were read as {group}", share=said, n=n, group=group)
    if seen is not None and 1 in (seen, n):
        return t("{seen} of {n|picture|pictures} was read as showing {someone}", seen=said, n=n, someone=who)
    return t("{share} of {n|picture|pictures} were read as showing {someone}", share=said, n=n, someone=who)


def _mean_of_people(row: Measurement, share: str) -> str:
    return t(
        "{share} are perceived as {group} (mean of {k|prompt|prompts}, {n|person|people})",
        share=share,
        group=human(row.group),
        k=row.prompts,
        n=row.n,
    )


def share_text(row: Measurement) -> str:
    """Return a share with what it rests on: "23 of 24", or "62 % (n 288)" where it is a mean or images are many."""
    seen = _seen(row)
    if seen is None:
        return t("{share} (n {n})", share=percent(row.value or 0.0, row.n), n=count(row.n))
    return t("{share} of {n}", share=count(seen), n=count(row.n))


def _seen(row: Measurement) -> int | None:
    """Return how many pictures show the group, where they are few, none or all, and a share is that of all of them.

    A mean over several prompts is that only where none or all of their pictures show the group.
    """
    seen = (row.value or 0.0) * row.n
    if min(seen, row.n - seen) < 1e-6:
        return round(seen)
    return round(seen) if row.n < FEW and is_counted(row) else None
