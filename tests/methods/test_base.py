"""What options of several methods share."""

from __future__ import annotations

import pytest

from portrayal.errors import ConfigError
from portrayal.methods.bafis.options import BafisOptions
from portrayal.methods.faintbench.options import FaintbenchOptions
from portrayal.methods.representation.method import RepresentationOptions
from portrayal.settings import Settings, parse_settings


@pytest.mark.parametrize("model", [RepresentationOptions, BafisOptions, FaintbenchOptions])
@pytest.mark.parametrize(
    ("draws", "limit"), [(99, "greater than or equal to 100"), (10**12, "less than or equal to 100000")]
)
def test_draws_that_no_memory_holds_are_refused_before_work(model: type[Settings], draws: int, limit: str) -> None:
    with pytest.raises(ConfigError, match=f"here: 'draws': input should be {limit} "):
        parse_settings(model, {"draws": draws}, "here")
