"""A method is one folder: nothing outside it knows it by name, but for the list of folders."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

import portrayal
from portrayal.bundles import bundles
from portrayal.methods import BUILTIN

ROOT = Path(portrayal.__file__).parent
LIST = ROOT / "methods" / "__init__.py"
TEXT = {".py", ".toml", ".in", ".j2", ".css", ".js", ".csv", ".md", ".svg"}


def named(method: str) -> list[str]:
    """Return the places outside a method's folder that name it, in any spelling.

    Under-representation is a word, and a paper has "Graphical Representation" in its title.
    """
    name = re.compile(rf"(?<![a-z-])(?<!graphical ){method}(?![a-z])", re.IGNORECASE)
    own = ROOT / "methods" / method
    files = [path for path in ROOT.rglob("*") if path.suffix in TEXT and own not in path.parents and path != LIST]
    return [
        f"{path.relative_to(ROOT)}:{number}"
        for path in sorted(files)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if name.search(line)
    ]


@pytest.mark.parametrize("method", BUILTIN)
def test_nothing_outside_its_folder_names_a_method(method: str) -> None:
    assert named(method) == []


@pytest.mark.parametrize("method", BUILTIN)
def test_its_folder_holds_all_that_it_brings(method: str) -> None:
    bundle = bundles()[method]
    kinds = (
        "method", "section", "suites", "references", "occupations", "layouts", "results", "graphs",
        "reproduction", "notes",
    )  # fmt: skip
    targets = [entry.target for kind in kinds for entry in bundle.parts(kind, method).values()]
    assert targets
    assert all(
        target.startswith((f"portrayal.methods.{method}.", f"portrayal.methods.{method}:")) for target in targets
    )
    for name in (bundle.study, bundle.demo):
        assert not name or (ROOT / "methods" / method / name).is_file()
    assert (ROOT / "methods" / method / bundle.texts / "de.toml").is_file()


def test_no_two_methods_have_a_note_of_the_same_code() -> None:
    """The words of one would stand on the pages of the other."""
    found: dict[str, str] = {}
    for name in BUILTIN:
        for entry in bundles()[name].parts("notes", name).values():
            module, _, attribute = entry.target.partition(":")
            for code, words in getattr(importlib.import_module(module), attribute).items():
                assert found.setdefault(code, words) == words, f"{name}: {code}"
