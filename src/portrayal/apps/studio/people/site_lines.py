"""What a site printed, told apart: links for people, the page for who started it, its password, an error, the rest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

__all__ = ["SiteLines", "read_lines"]

_LINK = re.compile(r"https?://[0-9A-Za-z.:\[\]/_~-]+", re.ASCII)
_DESK, _PERSON = "/admin", "/r/"
_PASSWORD = re.compile(r"^(?:admin password|password of the watch page) .*: (\S+)$")
_ERROR = "error: "
_FIRST = "a first rater's link to try"


@dataclass(frozen=True, slots=True)
class SiteLines:
    """``desk`` is the page where people are invited; ``links`` are by whom they are for, "" for anyone."""

    desk: str = ""
    password: str = ""
    links: Sequence[tuple[str, str]] = ()
    error: str = ""
    others: Sequence[str] = field(default_factory=list)

    @property
    def ready(self) -> bool:
        """Whether people can come."""
        return bool(self.desk or self.links)


def read_lines(lines: Iterable[str], folder: str = "") -> SiteLines:
    """Return what a site printed; ``folder`` is what stands before names of files, which a page leaves out."""
    desk = password = error = ""
    links, others = list[tuple[str, str]](), list[str]()
    for line in (line.replace(f"{folder}/", "").replace(f"{folder}: ", "") if folder else line for line in lines):
        link = _LINK.search(line)
        if link and _PERSON in link[0]:
            who = line.partition(": ")[0]
            links.append(("" if who == _FIRST else who, link[0]))
        elif link and link[0].endswith(_DESK):
            desk = link[0]
        elif said := _PASSWORD.match(line):
            password = said[1]
        elif line.startswith(_ERROR):
            error = line.removeprefix(_ERROR)
        elif not link:
            others.append(line)
    return SiteLines(desk, password, links, error, others)
