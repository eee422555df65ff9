from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import portrayal.apps
from portrayal.bundles import Bundle, BundleRegistry, bundles
from portrayal.errors import PortrayalError
from portrayal.methods import BUILTIN, METHODS
from portrayal.registry import Entry
from portrayal.study.checking.doctor import examine
from tests.plugins import write_plugin

MODULE = "portrayal_test_bundles"
CODE = """
import portrayal.apps
from portrayal.bundles import Bundle
from portrayal.registry import Entry

class Scorer: ...
class Asker: ...
class Plain: ...

WHOLE = Bundle(__name__, Entry(f"{__name__}:Scorer", "scores"), suites={"asker": Entry(f"{__name__}:Asker", "asks")})
"""


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A distribution with a whole method, a method alone, one called as a built-in one, and one that cannot load."""
    points = (
        f"[portrayal.methods]\nwhole = {MODULE}:WHOLE\nplain = {MODULE}:Plain\n{BUILTIN[0]} = {MODULE}:WHOLE\n"
        "broken = no_such_module:X\n"
    )
    write_plugin(tmp_path, MODULE, CODE, points)
    monkeypatch.syspath_prepend(tmp_path)
    yield
    sys.modules.pop(MODULE, None)


def test_every_method_is_a_bundle_of_its_own_package() -> None:
    found = bundles()
    assert tuple(found)[: len(BUILTIN)] == BUILTIN
    for name in BUILTIN:
        assert found[name].package == f"portrayal.methods.{name}"
        assert METHODS.load(name).Options


def test_the_import_rule_keeps_methods_and_applications_apart() -> None:
    tools = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    apart = [rule for rule in tools["importlinter"]["contracts"] if rule["type"] == "independence"]
    methods, applications = (rule["modules"] for rule in apart)
    assert methods == [f"portrayal.methods.{name}" for name in BUILTIN]
    assert sorted(applications) == sorted(f"portrayal.apps.{name}" for name in portrayal.apps.BUILTIN)


def test_a_target_with_a_dot_lies_in_the_package() -> None:
    bundle = Bundle("some.package", Entry(".inner:Thing", "a thing"), suites={"other": Entry("far.away:Suite")})
    assert bundle.parts("method", "mine") == {"mine": Entry("some.package.inner:Thing", "a thing")}
    assert bundle.parts("suites", "mine") == {"other": Entry("far.away:Suite")}
    assert bundle.parts("section", "mine") == {}


@pytest.mark.usefixtures("plugin")
def test_a_plugin_brings_a_whole_method_or_one_part() -> None:
    methods: BundleRegistry[type] = BundleRegistry("method", "method")
    suites: BundleRegistry[type] = BundleRegistry("suite", "suites")
    assert methods.load("whole").__name__ == "Scorer"
    assert methods.load("plain").__name__ == "Plain"
    assert suites.load("asker").__name__ == "Asker"
    assert methods.entries()["whole"].summary == "scores"
    assert methods.entries()["plain"].summary == "plugin from portrayal-test-bundles"


@pytest.mark.slow
@pytest.mark.usefixtures("plugin")
def test_a_part_whose_name_is_taken_is_told() -> None:
    (hidden,) = METHODS.hidden()
    assert hidden == (BUILTIN[0], Entry(f"{MODULE}:Scorer", "scores"))
    found = [part for part in examine()["parts"] if (part["kind"], part["name"]) == ("method", BUILTIN[0])]
    assert [part["ready"] for part in found] == [True, False]
    assert found[1]["enable"] == (
        f"another method has this name, so {MODULE}:Scorer cannot be used; its package must choose another"
    )


@pytest.mark.usefixtures("plugin")
def test_a_plugin_replaces_no_method_of_portrayal() -> None:
    assert bundles()[BUILTIN[0]].package == f"portrayal.methods.{BUILTIN[0]}"
    assert METHODS.entries()[BUILTIN[0]].target.startswith("portrayal.")


@pytest.mark.usefixtures("plugin")
def test_a_plugin_that_cannot_load_is_in_nobodys_way_until_it_is_asked_for() -> None:
    assert "broken" not in bundles()
    with pytest.raises(PortrayalError, match=r"method 'broken' .* cannot be loaded: No module named 'no_such_module'"):
        METHODS.load("broken")
