"""What methods and their options share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from portrayal.errors import ConfigError
from portrayal.evidence import Design, Evidence, Plan
from portrayal.methods import BUILTIN, METHODS
from portrayal.methods.bafis.method import BafisOptions
from portrayal.methods.base import Method
from portrayal.methods.comparing_method import ComparingOptions
from portrayal.methods.faintbench.options import FaintbenchOptions
from portrayal.records import Measurement
from portrayal.settings import Settings, parse_settings


class Cells(Method):
    name = "cells"

    def measure(self, evidence: Evidence, *, rng: np.random.Generator) -> Iterator[Measurement]:
        yield Measurement(self.name, "cells", "", value=float(len(evidence.plan.cells)))


def test_a_method_of_a_name_and_a_measure_is_whole() -> None:
    design = Design({}, {}, {})
    method = Cells(parse_settings(Cells.Options, {}, "here"), Path("study"))
    method.check(design)
    assert (method.folder, method.version) == (Path("study"), 1)
    nothing = (method.citations, method.needs, method.adjusted, method.settings)
    assert [list(own) for own in (*nothing, method.references(design), method.sources(design))] == [[]] * 6
    none = np.zeros(0, dtype=np.int64)
    evidence = Evidence.of(Plan(design, [], none, none), method.needs)
    (row,) = method.measure(evidence, rng=np.random.default_rng(0))
    assert row == Measurement("cells", "cells", "", value=0.0)


def test_a_method_without_options_refuses_every_key() -> None:
    with pytest.raises(ConfigError, match="here: unknown key 'draws'"):
        parse_settings(Cells.Options, {"draws": 100}, "here")


@pytest.mark.parametrize("name", BUILTIN)
def test_methods_of_portrayal_are_methods_of_the_names_they_are_listed_under(name: str) -> None:
    method = METHODS.load(name)
    assert issubclass(method, Method)
    assert method.name == name


@pytest.mark.parametrize("model", [ComparingOptions, BafisOptions, FaintbenchOptions])
@pytest.mark.parametrize(
    ("draws", "limit"), [(99, "greater than or equal to 100"), (10**12, "less than or equal to 100000")]
)
def test_draws_that_no_memory_holds_are_refused_before_work(model: type[Settings], draws: int, limit: str) -> None:
    with pytest.raises(ConfigError, match=f"here: 'draws': input should be {limit} "):
        parse_settings(model, {"draws": draws}, "here")
