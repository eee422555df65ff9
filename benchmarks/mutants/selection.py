"""Which tests can kill a mutant, the likeliest first: by how many imports lie between a test and the module."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

SLOW = "\npytestmark = pytest.mark.slow\n"
"""What a file of slow tests says."""
FURTHEST = 3
"""Imports between a test and a module: beyond, a test reaches nearly everything."""


class Selection:
    """The tests of a tree, and what they import."""

    def __init__(self, root: Path) -> None:
        self._root = root
        modules = {self._module(path): path for path in sorted((root / "src").rglob("*.py"))}
        # Attacks take minutes, and look at everything at once.
        self._tests = [path for path in sorted((root / "tests").rglob("test_*.py")) if "attack" not in path.parts]
        self._slow = {path for path in self._tests if SLOW in path.read_text(encoding="utf-8")}
        self._imported_by: dict[str, set[Path]] = defaultdict(set)
        self._module_of = {path: name for name, path in modules.items()}
        for path in (*modules.values(), *self._tests):
            for name in _imports(path):
                # Either may be a module: ``from a import b`` or ``from a.b import c``.
                self._imported_by[name if name in modules else name.rpartition(".")[0]].add(path)
        for test in self._tests:
            folders = test.relative_to(root / "tests").parts[:-1]
            self._imported_by[".".join(("portrayal", *folders, test.stem.removeprefix("test_")))].add(test)

    def tests(self, module: Path, most: int) -> list[Path]:
        """Return tests of a module: its examples, the file that is called like it, then by distance, alike names first.

        Whole files of slow tests, such as those in a browser or on a cluster, are asked last, and only by who is near.
        """
        distances = self._distances(module)
        places = module.relative_to(self._root / "src" / "portrayal").with_suffix("").parts
        words = set("_".join(places).split("_"))

        def rank(test: Path) -> tuple[bool, int, bool, int, bool, int]:
            parts = test.relative_to(self._root / "tests").with_suffix("").parts
            exact = parts == (*places[:-1], f"test_{places[-1]}")
            alike = len(words.intersection("_".join(parts).split("_")))
            near = distances[test], test in self._slow, -alike, parts[0] != places[0]
            return not exact, *near, test.stat().st_size

        reached = [path for path in self._tests if path in distances]
        ranked = sorted((path for path in reached if distances[path] == 1 or path not in self._slow), key=rank)
        examples = [module] if ">>> " in module.read_text(encoding="utf-8") else []
        return [*examples, *ranked[:most]]

    def _distances(self, module: Path) -> dict[Path, int]:
        distances, edge = {module: 0}, [module]
        for distance in range(1, FURTHEST + 1):
            edge = [path for near in edge for path in self._importers(near) if path not in distances]
            distances |= dict.fromkeys(edge, distance)
        return distances

    def _importers(self, path: Path) -> set[Path]:
        return self._imported_by[self._module_of[path]] if path in self._module_of else set()

    def _module(self, path: Path) -> str:
        parts = path.relative_to(self._root / "src").with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imports(path: Path) -> Iterator[str]:
    """Find what a file imports, anywhere in it; parts that are built by name are known as ``portrayal.a.b:name``."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(module), names=names):
                yield from (f"{module}.{alias.name}" for alias in names)
            case ast.Constant(value=str(text)) if text.startswith("portrayal.") and " " not in text:
                yield text.partition(":")[0]
