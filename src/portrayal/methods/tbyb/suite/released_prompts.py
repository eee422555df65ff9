"""What the authors' tool asks besides pictures of objects: people who do things with them, and occupations."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from portrayal.csvfile import read_shipped
from portrayal.suites.wording import in_sentence, with_article

__all__ = ["RELEASED", "released_actions", "released_occupations"]

RELEASED = "released"
"""The value of an option that asks for these."""
_PACKAGE = "portrayal.methods.tbyb"
_DESCRIBED = ("who is a good {name}", "who is a bad {name}", "that looks like {a_name}")


def released_actions(objects: Collection[str]) -> Iterator[tuple[str, str, str]]:
    """Yield where it stands, the object and the text of three prompts for each of the objects."""
    for row in read_shipped(_PACKAGE, "released_actions.csv", ("object", "action", "article")):
        if row["object"] in objects:
            name = with_article(row["object"]) if row["article"] == "yes" else row["object"]
            yield row.where, row["object"], f"a picture of a person {row['action']} {name}"


def released_occupations() -> Iterator[tuple[str, str, str]]:
    """Yield where it stands, the occupation and the text of three prompts for each."""
    for row in read_shipped(_PACKAGE, "released_occupations.csv", ("occupation",)):
        name = in_sentence(row["occupation"])
        for described in _DESCRIBED:
            words = described.format(name=name, a_name=with_article(name))
            yield row.where, row["occupation"], f"a picture of a person {words}"
