"""The rule of the application that knows policies: found, not named here."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from portrayal.bundles import apps
from portrayal.errors import ConfigError
from portrayal.evidence import Cell
from portrayal.study.sampling.wanted import Wanted

if TYPE_CHECKING:
    from portrayal.study.study import OpenStudy

__all__ = ["PolicyRule", "policy_rule"]


class PolicyRule(Protocol):
    """Says what a policy's file wants of a study."""

    def check(self, policy: Path) -> None:
        """Refuse a file that cannot be read, or scenarios that no round of images can decide."""
        ...

    def wanted(self, study: OpenStudy, policy: Path, looks: int) -> Mapping[Cell, Wanted]:
        """Return what is wanted of each prompt of each generator, each look having its part of the error rate."""
        ...


def policy_rule() -> PolicyRule:
    """Return the rule."""
    for app in apps().values():
        if app.policy_rule is not None:
            rule: PolicyRule = app.policy_rule.within(app.package).load()()
            return rule
    raise ConfigError("[sampling] policy: no application that is installed knows policies")
