"""The rooms of the house: three lists of them agree, every module is in one, and files stay short and well named."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "portrayal"
FILES = sorted(SOURCE.rglob("*.py"))
LAYERS: list[str] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"][0][
    "layers"
]
MOST_LINES = 250
MOST_REPEATED = 12
"""Lines of code one after the other that may stand in two places: empty ones, comments and imports do not count."""
PART_ROOMS = {"annotators", "generators", "methods"}
"""In these a folder is a part, which the page does not list."""
VARIADIC = {"Table", "pack", "pack_into", "attrgetter", "choice_notes", "chain", "to_thread", "_join"}
"""What takes any number of things of one kind: no place of them has a meaning to remember."""


def listed(page: str, before: str) -> list[str]:
    """Return the rooms of the first block after some words of a page, without what it says of them."""
    text = (ROOT / page).read_text(encoding="utf-8").split(before)[1]
    lines = text.split("```\n")[1].splitlines()
    return [re.split(r"\s{2,}", line)[0] for line in lines]


def test_the_pages_list_the_rooms_that_the_contract_has() -> None:
    assert listed("docs/architecture.md", "**Who may import whom.**") == LAYERS
    assert listed("CONTRIBUTING.md", "## The rooms") == LAYERS


def test_every_module_is_in_one_room() -> None:
    rooms = Counter(room for layer in LAYERS for room in layer.split(" | "))
    there = {path.stem for path in SOURCE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert rooms == Counter(there - {"__init__", "__main__"})


def test_the_page_draws_the_tree_as_it_is() -> None:
    tree = (ROOT / "docs/architecture.md").read_text(encoding="utf-8").split("## The tree")[1].split("```\n")[1]
    said = {part.split("/")[0]: part for part in re.split(r"\n(?=\S)", tree)}
    folders = {path.parent.relative_to(SOURCE).parts for path in FILES}
    inner = {parts for parts in folders if len(parts) == 2 and parts[0] not in PART_ROOMS}
    assert {parts for parts in inner if not re.search(rf"\b{parts[1]}\b", said[parts[0]])} == set()
    assert {name for part in said.values() for name in re.findall(r"(\w+)/(?=\s|:)", part)} <= {
        name for parts in folders for name in parts
    }


def test_no_file_is_long() -> None:
    lines = {path.relative_to(SOURCE).as_posix(): path.read_text(encoding="utf-8").count("\n") for path in FILES}
    assert {name: count for name, count in lines.items() if count > MOST_LINES} == {}


@pytest.mark.slow
def test_no_long_passage_stands_twice() -> None:
    places: dict[tuple[str, ...], set[tuple[str, int]]] = {}
    for path in FILES:
        lines = map(str.strip, path.read_text(encoding="utf-8").splitlines())
        counted = [
            (n, line) for n, line in enumerate(lines, 1) if line and not line.startswith(("#", "import ", "from "))
        ]
        for start in range(len(counted) - MOST_REPEATED):
            passage = counted[start : start + MOST_REPEATED + 1]
            place = (path.relative_to(SOURCE).as_posix(), passage[0][0])
            places.setdefault(tuple(line for _, line in passage), set()).add(place)
    assert [sorted(found) for found in places.values() if len(found) > 1] == []


def test_few_files_have_the_same_name() -> None:
    names = Counter(path.name for path in FILES if path.name != "__init__.py")
    assert sum(count >= 3 for count in names.values()) < 15


def test_few_calls_have_many_arguments_by_place() -> None:
    calls = [f"{path.relative_to(SOURCE)}:{call.lineno}" for path in FILES for call in long_calls(path)]
    assert len(calls) < 20, calls


def long_calls(path: Path) -> Iterator[ast.Call]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and len(node.args) >= 6:
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called not in VARIADIC:
                yield node
