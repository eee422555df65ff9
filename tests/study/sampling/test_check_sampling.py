"""A [sampling] that cannot work is refused in one line before anything is drawn, with what to do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.study.sampling.conftest import SAMPLING, run

from portrayal.errors import PortrayalError

Write = Callable[..., Path]
GENDER = {"attribute": "gender"}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"about": {"attribute": "gendr"}}, "no attribute 'gendr' in this study; did you mean 'gender'?"),
        ({"about": {**GENDER, "group": "femal"}}, "no group 'femal' in this study; did you mean 'female'?"),
        ({"about": {**GENDER, "annotator": "humans"}}, "no annotator 'humans' in this study"),
        ({"about": {}}, 'names one thing: attribute = "gender", or policy = "policy.toml"'),
        ({"about": {**GENDER, "policy": "policy.toml"}}, "names one thing"),
        ({"about": {"policy": "p.toml", "of": "term"}}, "a policy says itself what it is about; leave out of"),
        ({"about": {"policy": "p.toml"}, "tolerance": 0.1}, "tolerance: the policy has its own; leave it out"),
        ({"about": {"policy": "absent.toml"}}, "absent.toml"),
        ({"about": {**GENDER, "of": "terms"}}, "about.of"),
        ({"tolerence": 0.1}, "unknown key 'sampling.tolerence'; did you mean 'tolerance'?"),
        ({"error_rate": 0.2}, "error_rate"),
        ({"pilot": 40}, "the pilot draws 40 images of each prompt, and images = 40 of simulated@1"),
        ({"most": 10}, "most = 10, and the pilot alone draws 15; raise most, or lower pilot"),
    ],
)
def test_what_cannot_work_is_refused(adaptive: Write, changes: dict[str, Any], said: str) -> None:
    given = dict(SAMPLING)
    if "policy" in changes.get("about", {}):
        del given["tolerance"]
    root = adaptive(sampling={**given, **changes})
    with pytest.raises(PortrayalError) as refused:
        run(root)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)
    assert not (root / "images").exists()


def test_prompts_that_edit_are_refused(adaptive: Write) -> None:
    """What is edited grows with what is drawn: how many images that makes nobody could bound."""
    root = adaptive(suite={"use": "biaspainter"}, methods=[{"use": "biaspainter"}])
    with pytest.raises(PortrayalError, match="draws in rounds, which prompts that edit pictures cannot be"):
        run(root)


@pytest.mark.parametrize(("named", "who"), [("people", "annotator 'people' does not look"), ("", "no annotator looks")])
def test_labels_that_come_later_cannot_decide(adaptive: Write, named: str, who: str) -> None:
    people = {"use": "imported:people", "options": {"attributes": ["gender"]}}
    about = {**GENDER, "annotator": named} if named else GENDER
    root = adaptive(annotators=[people], sampling={**SAMPLING, "about": about})
    with pytest.raises(PortrayalError, match=f"{who} for 'gender' at pictures as they are drawn; add one that does"):
        run(root)
