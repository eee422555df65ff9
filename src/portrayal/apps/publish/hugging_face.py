"""Results for models' pages on the Hugging Face hub: ``.eval_results/*.yaml``, and a section for the model card."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from portrayal.apps.publish.every_eval_ever import model_id
from portrayal.apps.publish.formats import Order, Published
from portrayal.apps.publish.published_numbers import Number, numbers_of
from portrayal.errors import InputError
from portrayal.store.files import write_atomic
from portrayal.study.study import OpenStudy
from portrayal.terminal import counted

__all__ = ["publish_hugging_face"]

_DATASET = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII)


def publish_hugging_face(order: Order) -> Published:
    """Write for each model ``MODEL/.eval_results/portrayal.yaml`` and ``MODEL/card-section.md``."""
    if not _DATASET.fullmatch(order.dataset):
        raise InputError("--as hugging-face needs --dataset OWNER/NAME: the benchmark's dataset on the hub")
    study, files = OpenStudy.to_read(order.studies[0]), []
    numbers = [number for number in numbers_of(study) if number.level == "overall"]
    for identity in dict.fromkeys(number.identity for number in numbers):
        mine = [number for number in numbers if number.identity == identity]
        folder = order.to / _folder(mine[0])
        if folder.exists():
            raise InputError(f"{folder}: is there already; choose another place with --to")
        card, results = folder / "card-section.md", folder / ".eval_results" / "portrayal.yaml"
        write_atomic(results, "".join(_entries(mine, order, _day(study))).encode())
        write_atomic(card, _card(study.config.study.title, mine, order.link).encode())
        files += [card, results]
    remarks = [
        f"{counted(len(numbers), 'number')} over all prompts; copy a model's folder into its repository",
        "that form has no field for uncertainty: interval and caveats stand in the notes",
    ]
    if not order.link:
        remarks.append("no link to the report is given; --link adds one to every number")
    return Published([order.to, *files], remarks)


def _entries(numbers: Sequence[Number], order: Order, day: str) -> Iterator[str]:
    # Texts as JSON writes them, which is YAML too.
    for number in numbers:
        task = re.sub(r"[^a-z0-9]+", "_", number.name.lower()).strip("_")
        yield f"- dataset:\n    id: {json.dumps(order.dataset)}\n    task_id: {json.dumps(task)}\n"
        yield f"  value: {number.value!r}\n  date: {json.dumps(day)}\n"
        if order.link:
            yield f"  source:\n    url: {json.dumps(order.link)}\n    name: Portrayal\n"
        yield f"  notes: {json.dumps(f'{number.caveats}')}\n"


def _card(title: str, numbers: Sequence[Number], link: str) -> str:
    rows = [
        f"| {_cell(number.name)} | {number.value:.3f} | {_interval(number)} | {number.n} | {number.missing} |"
        for number in numbers
    ]
    seen = sorted({number.annotator for number in numbers if number.annotator})
    told = [f"Measured by Portrayal in the study “{_cell(title)}”."]
    if seen:
        told.append(
            f"Attributes are perceived, by {_cell(', '.join(seen))}; the annotator's errors are in the numbers."
        )
    told.append(
        "Intervals are about these prompts: of other draws only the images would differ. Missing images count nowhere."
    )
    if link:
        told.append(f"Report: <{link}>")
    head = ["| number | value | 95 % interval | images | missing |", "| --- | --- | --- | --- | --- |"]
    return "\n".join(["## How this model portrays people", "", *told, "", *head, *rows, ""])


def _interval(number: Number) -> str:
    return "none" if number.low is None or number.high is None else f"{number.low:.3f} to {number.high:.3f}"


def _cell(text: str) -> str:
    """Return a text that stays in its cell, and is no markup."""
    return re.sub(r"([\\|<>\[\]*_`#])", r"\\\1", " ".join(text.split()))


def _folder(number: Number) -> Path:
    name = re.sub(r"[^\w.-]+", "-", number.model).strip(".-")
    return Path(*model_id(number.identity).split("/")) if "/" in number.model or not name else Path(name)


def _day(study: OpenStudy) -> str:
    times = [segment.path.stat().st_mtime for segment in study.workspace.tables["measurements"].segments()]
    return datetime.fromtimestamp(max(times), UTC).date().isoformat()
