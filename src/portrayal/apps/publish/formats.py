"""The forms in which results are published: what each is called, where it goes, and what writes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from portrayal.registry import Entry
from portrayal.study.run_control import RunControl

__all__ = ["FORMATS", "Form", "Order", "Published", "Write"]


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked for: the studies, where to write, and what else a form wants to know."""

    studies: Sequence[Path]
    to: Path
    control: RunControl
    key: Path | None = None
    organization: str = ""
    relationship: str = "other"
    license: str = ""
    dataset: str = ""
    link: str = ""
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Published:
    """The files that were written, the one to look at first, and what to know about them."""

    files: Sequence[Path]
    remarks: Sequence[str] = ()


Write = Callable[[Order], Published]


@dataclass(frozen=True, slots=True)
class Form:
    """What writes it, and where without ``--to``: ``{name}`` stands for the study's folder."""

    entry: Entry
    place: str
    many: bool = False
    signed: bool = False


def _entry(target: str, summary: str, *needs: str) -> Entry:
    return Entry(f"portrayal.apps.publish.{target}", summary, needs=needs)


FORMATS: Mapping[str, Form] = {
    "bundle": Form(_entry("bundle:publish_bundle", "the study in one file"), "{name}.portrayal", signed=True),
    "every-eval-ever": Form(
        _entry("every_eval_ever:publish_every_eval_ever", "numbers with intervals, and a line for each picture"),
        "{name}-every-eval-ever",
    ),
    "croissant": Form(
        _entry("croissant:publish_croissant", "a dataset: tables, pictures, description"), "{name}-dataset"
    ),
    "hugging-face": Form(_entry("hugging_face:publish_hugging_face", "for models' pages on the hub"), "{name}-hub"),
    "wandb": Form(
        _entry("trackers.weights_and_biases:publish_wandb", "an offline run for each model", "wandb"), "{name}-wandb"
    ),
    "mlflow": Form(
        _entry("trackers.mlflow_tracking:publish_mlflow", "a run for each model", "mlflow"), "{name}-mlflow"
    ),
    "site": Form(_entry("site.site:publish_site", "a leaderboard and a page per study"), "site", many=True),
}
