from __future__ import annotations

import pytest

from portrayal.errors import ConfigError, StudyError
from portrayal.generators import Editor
from portrayal.generators.python import Python, PythonOptions, python_options
from portrayal.records import Prompt


@pytest.mark.parametrize("edits", [True, False])
def test_it_stands_for_a_generator_that_edits_or_does_not(edits: bool) -> None:
    options = PythonOptions(edits=edits, citations=("Mine 2026",))
    own = Python("mine@1", options)
    assert isinstance(own, Editor) is edits
    assert PythonOptions(**python_options(own)) == options
    assert (own.name, options.changed(), own.truth(Prompt("a nurse", "nurse"))) == ("mine@1", {}, None)


def test_it_cannot_draw() -> None:
    own = Python("mine@1", PythonOptions(edits=True))
    for work in (own.generate, own.edit):
        with pytest.raises(StudyError, match=r"^generator mine@1 lives in Python code"):
            work([])
    with pytest.raises(ConfigError, match="needs the name of what lives in Python code, such as python:mine@1"):
        Python(" ", PythonOptions())
