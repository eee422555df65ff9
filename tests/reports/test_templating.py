"""Templates that several pages share are compiled once, and a changed one anew."""

from __future__ import annotations

import sys
from pathlib import Path
from unittest.mock import Mock

import jinja2
import pytest

from portrayal.reports.templating import environment


def package(folder: Path, text: str) -> None:
    (folder / "templates").mkdir(parents=True, exist_ok=True)
    (folder / "__init__.py").touch()
    (folder / "templates" / "own.html.j2").write_text(text, encoding="utf-8")


def test_a_template_is_compiled_once_and_anew_when_it_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "portrayal_with_a_template"
    monkeypatch.syspath_prepend(tmp_path)
    compiling = Mock(wraps=jinja2.Environment.compile)
    monkeypatch.setattr(jinja2.Environment, "compile", lambda self, *given, **named: compiling(self, *given, **named))
    package(tmp_path / name, "one {{ 1 < 2 }}")
    for more in ({}, {"faintbench": "portrayal.methods.faintbench"}):
        assert environment(name, more).get_template("own.html.j2").render() == "one True"
    assert compiling.call_count == 1
    package(tmp_path / name, "two {{ '<' }}")
    assert environment(name).get_template("own.html.j2").render() == "two &lt;"
    assert compiling.call_count == 2
    del sys.modules[name]
