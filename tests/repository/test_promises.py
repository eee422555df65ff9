"""What a release promised is still there: docs/upgrading.md says for how long, and what else it means.

``python tests/repository/test_promises.py`` writes down what this version has, for a release.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

import pytest
import typer
from pydantic import BaseModel
from typer.main import get_command

import portrayal
from portrayal.cli.command_line import app
from portrayal.store.workspace import Workspace
from portrayal.study.config import config_kind

PROMISED = Path(__file__).with_name("promised")
RETIRED: Mapping[str, str] = {}
"""What was promised and is no more, with the version that warned of it: docs/upgrading.md names what to use instead."""


def names() -> Iterator[str]:
    for name in portrayal.__all__:
        thing = getattr(portrayal, name)
        yield f"portrayal.{name}"
        members = [(name, thing)] if inspect.isfunction(thing) else []
        if inspect.isclass(thing):
            public = [(f"{name}.{member}", each) for member, each in inspect.getmembers(thing) if member[0] != "_"]
            yield from (f"portrayal.{path}" for path, _ in public)
            members = [(path, each) for path, each in public if callable(each)]
        for path, function in members:
            yield from (f"portrayal.{path}({parameter}=)" for parameter in inspect.signature(function).parameters)


def keys(kind: type[BaseModel], before: str = "study.toml: ") -> Iterator[str]:
    for name, field in kind.model_fields.items():
        yield f"{before}{name}"
        inner = [field.annotation, *get_args(field.annotation)]
        for each in (one for one in inner if inspect.isclass(one) and issubclass(one, BaseModel)):
            yield from keys(each, f"{before}{name}.")


def columns(folder: Path) -> Iterator[str]:
    for name, table in Workspace(folder).tables.items():
        yield from (f"tables: {name}.{field.name}: {field.type}" for field in table.schema)


def options() -> Iterator[str]:
    def walk(command: Any, path: str) -> Iterator[str]:
        yield path
        words = [word for each in command.params for word in (*each.opts, *each.secondary_opts)]
        yield from (f"{path} {word}" for word in words if word.startswith("-"))
        if hasattr(command, "list_commands"):
            context = typer.Context(command)
            for name in command.list_commands(context):
                yield from walk(command.get_command(context, name), f"{path} {name}")

    yield from walk(get_command(app), "portrayal")


def all_there_is(folder: Path) -> set[str]:
    return {*names(), *keys(config_kind()), *columns(folder), *options()}


@pytest.mark.parametrize("release", sorted(PROMISED.glob("*.json")), ids=lambda path: path.stem)
def test_what_a_release_promised_is_there(release: Path, tmp_path: Path) -> None:
    promised = set(json.loads(release.read_text(encoding="utf-8")))
    assert len(promised) > 500
    assert sorted(promised - all_there_is(tmp_path) - set(RETIRED)) == []


def test_this_release_is_written_down() -> None:
    assert (PROMISED / f"{portrayal.__version__}.json").is_file(), "python tests/repository/test_promises.py"


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as empty:
        listed = json.dumps(sorted(all_there_is(Path(empty))), indent=0, ensure_ascii=False)
    (PROMISED / f"{portrayal.__version__}.json").write_text(listed + "\n", encoding="utf-8")
