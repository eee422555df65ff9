"""Writing the site: plain files that any web server, or none, shows. No scripts, and nothing from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from portrayal.apps.publish.formats import Order, Published
from portrayal.apps.publish.published_numbers import numbers_of
from portrayal.apps.publish.site.leaderboard import Entrant, boards
from portrayal.apps.publish.site.study_pages import findings_shown, pictures_shown, write_report
from portrayal.errors import InputError, StudyError
from portrayal.language.translation import speaking, t
from portrayal.reports.templating import environment, styles
from portrayal.reports.text.words import count
from portrayal.store.files import write_atomic
from portrayal.study.config import CONFIG_NAME
from portrayal.study.report.gather_data import gather
from portrayal.study.study import OpenStudy
from portrayal.terminal import counted

if TYPE_CHECKING:
    from jinja2 import Template

__all__ = ["publish_site"]

_PACKAGE = "portrayal.apps.publish"


def publish_site(order: Order) -> Published:
    """Write ``index.html`` with the leaderboard, and for each study its report, findings and pictures."""
    if order.to.exists() and any(order.to.iterdir() if order.to.is_dir() else [order.to]):
        raise InputError(f"{order.to}: is there already; choose another place with --to, or empty it first")
    roots = list(_studies(order.studies))
    folders = _folders(roots)
    entrants, listed = [], []
    order.control.progress.start("write studies", len(roots))
    for root, folder in zip(roots, folders, strict=True):
        study = OpenStudy.to_read(root)
        numbers = numbers_of(study)
        place, title = order.to / "studies" / folder, study.config.study.title
        data = gather(study)
        write_report(study, data, place)
        findings, pictures = findings_shown(data), pictures_shown(data, place)
        page = _render(
            "site_study.html.j2", order.language, title=title, findings=findings, pictures=pictures, said=data.language
        )
        write_atomic(place / "findings.html", page.encode())
        entrants += [Entrant(number, title, folder) for number in numbers]
        models = list(dict.fromkeys(number.model for number in numbers))
        listed.append({"title": title, "folder": folder, "models": models, "findings": len(findings)})
        order.control.progress.advance(1)
    order.control.progress.finish()
    with speaking(order.language, page=True):
        ranked = boards(entrants)
    page = _render("site.html.j2", order.language, boards=ranked, studies=listed)
    write_atomic(order.to / "index.html", page.encode())
    shown = f"{counted(len(roots), 'study', 'studies')}, {counted(len(ranked), 'ranking')}"
    remarks = [f"{shown}; open it as a file, or put the folder on any web server"]
    return Published([order.to / "index.html"], remarks)


def _studies(given: Sequence[Path]) -> list[Path]:
    """Return the studies: those given, and those in folders that are given."""
    roots: list[Path] = []
    for path in given:
        inside = sorted(each.parent for each in path.glob(f"*/{CONFIG_NAME}"))
        if not (path / CONFIG_NAME).exists() and not inside:
            raise StudyError(
                f"{path}: no {CONFIG_NAME} here, nor in a folder of it; give a study or a folder of studies"
            )
        roots += [path] if (path / CONFIG_NAME).exists() else inside
    return list({root.resolve(): root for root in roots}.values())


def _folders(roots: Sequence[Path]) -> list[str]:
    """Return a name in addresses for each study; those that would have the same are numbered."""
    names: list[str] = []
    for root in roots:
        name = re.sub(r"[^a-z0-9]+", "-", root.absolute().name.lower()).strip("-") or "study"
        number = 1
        while (numbered := name if number == 1 else f"{name}-{number}") in names:
            number += 1
        names.append(numbered)
    return names


def _render(name: str, language: str, **values: object) -> str:
    with speaking(language, page=True):
        return _template(name).render(language=language, css=styles(_PACKAGE, "site.css"), **values)


@cache
def _template(name: str) -> Template:
    loaded = environment(_PACKAGE)
    loaded.filters.update(count=count)
    loaded.globals.update(t=t)
    return loaded.get_template(name)
