from __future__ import annotations

import importlib.metadata
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest

from portrayal.annotators import ANNOTATORS
from portrayal.errors import MissingExtraError, PortrayalError, UnknownNameError
from portrayal.generators import GENERATORS
from portrayal.methods import METHODS
from portrayal.registry import Entry, Registry
from portrayal.suites import SUITES
from tests.plugins import write_plugin

BUILTIN = {
    "counter": Entry("collections:Counter", "counts"),
    "heavy": Entry("no_such_part:Part", "heavy", needs=("no_such_module", "json", "nor_this"), extra="heavy"),
    "loose": Entry("no_such_part:Part", "loose", needs=("no_such_module",)),
    "broken": Entry("collections:NoSuchClass", "broken"),
}
PLUGIN_MODULE = "portrayal_test_plugin"


@pytest.fixture
def registry() -> Registry[type]:
    return Registry("gadget", BUILTIN)


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A distribution as pip would install it, with parts that load, clash and break; returns its module."""
    points = (
        "[portrayal.gadgets]\n"
        f"shiny = {PLUGIN_MODULE}:Shiny\n"
        f"counter = {PLUGIN_MODULE}:Shiny\n"
        f"gone = {PLUGIN_MODULE}:Gone\n"
        "homeless = no_such_plugin_module:Part\n"
        "[portrayal.others]\n"
        f"elsewhere = {PLUGIN_MODULE}:Shiny\n"
    )
    module = write_plugin(tmp_path, PLUGIN_MODULE, "class Shiny: ...\n", points)
    monkeypatch.syspath_prepend(tmp_path)
    yield module
    sys.modules.pop(PLUGIN_MODULE, None)


def test_loads_a_part_with_or_without_argument(registry: Registry[type]) -> None:
    assert registry.load("counter").__name__ == "Counter"
    assert registry.load("counter:org/model:v1").__name__ == "Counter"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("countre", "no gadget named 'countre'; did you mean 'counter'?"),
        ("countre:with/argument", "no gadget named 'countre'; did you mean 'counter'?"),
        (
            "zzz",
            "no gadget named 'zzz'; known: broken, counter, heavy, loose; "
            "if it is another package's, install that package",
        ),
        (
            "",
            "no gadget named ''; known: broken, counter, heavy, loose; "
            "if it is another package's, install that package",
        ),
    ],
)
def test_unknown_names_get_a_hint(registry: Registry[type], spec: str, message: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        registry.load(spec)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("heavy", "gadget 'heavy' needs no_such_module, nor_this: run pip install \"portrayal[heavy]\""),
        ("loose", "gadget 'loose' needs no_such_module: run pip install no_such_module"),
    ],
)
def test_a_missing_extra_names_the_command_that_brings_it(registry: Registry[type], name: str, message: str) -> None:
    with pytest.raises(MissingExtraError) as caught:
        registry.load(name)
    assert str(caught.value) == message


def test_what_is_missing_is_found_without_importing_what_is_there() -> None:
    sys.modules.pop("antigravity", None)
    assert Entry("x:y", "", needs=("antigravity", "no_such_module")).missing() == ("no_such_module",)
    assert "antigravity" not in sys.modules


def test_a_target_that_does_not_exist_is_one_line(registry: Registry[type]) -> None:
    with pytest.raises(PortrayalError, match=r"^gadget 'broken' \(collections:NoSuchClass\) cannot be loaded: .+$"):
        registry.load("broken")


def test_a_plugin_is_discovered_and_loaded(registry: Registry[type], plugin: Path) -> None:
    assert registry.entries()["shiny"] == Entry(f"{PLUGIN_MODULE}:Shiny", "plugin from portrayal-test-plugin")
    assert registry.load("shiny:argument").__name__ == "Shiny"


def test_a_plugin_of_another_kind_is_not_ours(registry: Registry[type], plugin: Path) -> None:
    assert list(registry.entries()) == [*BUILTIN, "shiny", "gone", "homeless"]


def test_a_plugin_cannot_replace_a_builtin(registry: Registry[type], plugin: Path) -> None:
    assert registry.entries()["counter"] is BUILTIN["counter"]
    assert registry.load("counter").__name__ == "Counter"


def test_plugins_are_among_the_hints(registry: Registry[type], plugin: Path) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'shiny'"):
        registry.load("shinny")


def test_packages_are_read_once_and_again_when_they_come_and_go(
    registry: Registry[type], plugin: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading = Mock(wraps=importlib.metadata.entry_points)
    monkeypatch.setattr(importlib.metadata, "entry_points", reading)
    for _ in range(3):
        assert "shiny" in registry.entries()
    assert reading.call_count == 1
    later = plugin.with_name("later_plugin-1.0.dist-info")
    later.mkdir()
    (later / "METADATA").write_text("Metadata-Version: 2.1\nName: later-plugin\nVersion: 1.0\n")
    (later / "entry_points.txt").write_text(f"[portrayal.gadgets]\nlate = {PLUGIN_MODULE}:Shiny\n")
    assert {"late", "shiny"} <= set(registry.entries())
    shutil.rmtree(plugin.with_name(f"{PLUGIN_MODULE}-1.dist-info"))
    assert list(registry.entries()) == [*BUILTIN, "late"]


@pytest.mark.parametrize(
    "source",
    [
        "import no_such_dependency",
        "raise RuntimeError('wrong CUDA')",
        "class Shiny(:",
        "from portrayal.errors import NoSuchError",
    ],
)
def test_a_plugin_that_cannot_be_imported_is_a_portrayal_error(
    registry: Registry[type], plugin: Path, source: str
) -> None:
    plugin.write_text(source)
    with pytest.raises(
        PortrayalError, match=rf"^gadget 'shiny' \({PLUGIN_MODULE}:Shiny\) cannot be loaded: "
    ) as caught:
        registry.load("shiny")
    assert caught.value.__cause__ is not None


@pytest.mark.parametrize("name", ["gone", "homeless"])
def test_a_plugin_that_points_nowhere_is_a_portrayal_error(registry: Registry[type], plugin: Path, name: str) -> None:
    with pytest.raises(PortrayalError, match=f"^gadget '{name}' .* cannot be loaded: "):
        registry.load(name)


def test_listing_imports_nothing(registry: Registry[type], plugin: Path) -> None:
    plugin.write_text("raise SystemExit('imported')")
    before = set(sys.modules)
    assert len(registry.entries()) == len(BUILTIN) + 3
    assert PLUGIN_MODULE not in sys.modules
    assert set(sys.modules) == before


@pytest.mark.parametrize("builtin", [SUITES, GENERATORS, ANNOTATORS, METHODS], ids=lambda registry: registry.kind)
def test_every_builtin_part_has_a_summary_loads_and_declares_its_options(builtin: Registry[object]) -> None:
    for name, entry in builtin.entries().items():
        assert entry.summary
        assert bool(entry.needs) == bool(entry.extra), "a part that needs packages names the extra that brings them"
        if not entry.missing():
            assert hasattr(builtin.load(name), "Options")
