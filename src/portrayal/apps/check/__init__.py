"""Check: does a study meet the policy that was signed; one verdict, one exit code."""

from portrayal.bundles import App
from portrayal.registry import Entry

__all__ = ["APP"]

APP = App(
    package=__name__,
    panel="Its results",
    commands=Entry(".check_command:app", "Check a study against a policy: pass, fail or undecided."),
    new_files={"policy": Entry(".new_policy:write_policy", "a commented policy.toml, which check reads")},
    texts="texts",
    policy_rule=Entry(".adaptive_rule:PolicyRounds"),
)
