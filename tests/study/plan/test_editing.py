"""Who draws and who edits, as study.toml says it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from portrayal.errors import ConfigError
from portrayal.generators import simulated
from portrayal.generators.generator import Truth
from portrayal.records import Job, Made, Prompt
from portrayal.settings import Settings
from portrayal.study.study import OpenStudy

Make = Callable[..., Path]
EDITS = "text,term,kind,edits\na portrait,seed,seed,\na photo of a nurse,nurse,word,seed\n"
DRAWS = "text,term\na photo of a nurse,nurse\n"


class Draws:
    """A generator that cannot edit."""

    class Options(Settings):
        """None."""

    name = "draws@1"
    citations: Sequence[str] = ()

    def __init__(self, argument: str, options: Options) -> None:
        pass

    def generate(self, jobs: Sequence[Job]) -> Iterator[Made]:
        yield from ()

    def truth(self, prompt: Prompt) -> Truth | None:
        return None


def roles(root: Path) -> dict[str, tuple[int, int]]:
    study = OpenStudy(root)
    study.check()
    return {name: (own.images, own.edits) for name, own in study.generators.items()}


def test_without_a_role_a_generator_does_what_it_can(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    assert roles(make_study("can", prompts=EDITS, generators=[{"use": "simulated", "images": 4}])) == {
        "simulated@1": (4, 4)
    }
    monkeypatch.setattr(simulated, "Simulated", Draws)
    with pytest.raises(ConfigError) as caught:
        roles(make_study("cannot", prompts=EDITS))
    assert str(caught.value).startswith(
        "[[generators]]: the suite has prompts that edit images, and no generator edits; these can: a1111, comfyui, "
    )
    assert roles(make_study("need not", prompts=DRAWS, generators=[{"use": "simulated", "images": 4}])) == {
        "draws@1": (4, 0)
    }


def test_a_role_narrows_it_and_two_entries_are_one_generator(make_study: Make) -> None:
    one: dict[str, Any] = {"use": "simulated", "images": 4, "role": "draw"}
    other: dict[str, Any] = {"use": "simulated", "images": 2, "role": "edit", "options": {"refused": 0.1}}
    found = roles(make_study("two", prompts=EDITS, generators=[one, other]))
    assert list(found.values()) == [(4, 0), (0, 2)]
    same = roles(make_study("same", prompts=EDITS, generators=[one, {**other, "options": {}}]))
    assert same == {"simulated@1": (4, 2)}


@pytest.mark.parametrize("second", [{}, {"role": "draw"}])
def test_twice_for_the_same_is_a_mistake(make_study: Make, second: dict[str, Any]) -> None:
    entries = [{"use": "simulated", "role": "draw"}, {"use": "simulated", **second}]
    with pytest.raises(ConfigError, match="simulated@1 stands there twice with the same options; keep one"):
        roles(make_study(prompts=EDITS, generators=entries))


def test_who_cannot_edit_is_told_who_can(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulated, "Simulated", Draws)
    with pytest.raises(ConfigError) as caught:
        roles(make_study(prompts=EDITS, generators=[{"use": "simulated", "role": "edit"}]))
    assert str(caught.value) == (
        "[[generators]]: draws@1 cannot edit images; these can: a1111, comfyui, diffusers, facegan, folder, openai"
    )


def test_an_editor_needs_prompts_that_edit(make_study: Make) -> None:
    with pytest.raises(ConfigError, match='simulated@1 has role = "edit", and no prompt of the suite edits images'):
        roles(make_study(prompts=DRAWS, generators=[{"use": "simulated", "role": "edit"}]))


def test_an_editor_needs_them_also_where_it_draws_in_another_entry(make_study: Make) -> None:
    entries = [{"use": "simulated", "role": "draw"}, {"use": "simulated", "role": "edit"}]
    with pytest.raises(ConfigError, match='simulated@1 has role = "edit", and no prompt of the suite edits images'):
        roles(make_study(prompts=DRAWS, generators=entries))


def test_a_kind_that_no_prompt_has_is_a_slip(make_study: Make) -> None:
    with pytest.raises(ConfigError, match=r"edit images of the kind 'sede', and no other prompt has it.*'seed'"):
        roles(make_study(prompts=EDITS + "a nurse,nurse,word,sede\n"))


def test_images_that_are_all_imported_need_no_editor(make_study: Make) -> None:
    assert roles(make_study(prompts=EDITS, generators=None)) == {}


def test_edits_are_not_edited_again(make_study: Make) -> None:
    with pytest.raises(ConfigError, match="edits images, and images of its own kind 'word' are edited too"):
        roles(make_study(prompts=EDITS + "again,again,word,word\n"))


def test_a_role_that_there_is_not(make_study: Make) -> None:
    with pytest.raises(ConfigError, match="role"):
        roles(make_study(prompts=EDITS, generators=[{"use": "simulated", "role": "both"}]))
