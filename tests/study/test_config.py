"""Each number and text of study.toml up to its bounds, and what is said of one beyond."""

from __future__ import annotations

from pathlib import Path

import pytest

from portrayal.errors import ConfigError
from portrayal.study.config import GeneratorConfig, StudyConfig, parse_config

STUDY = '[study]\ntitle = "x"\n'
GENERATOR = '[suite]\nuse = "s"\n[[generators]]\nuse = "g"\n'
RESOURCES = "[generators.resources]\n"
LARGEST = 2**63 - 1


def parsed(text: str) -> StudyConfig:
    return parse_config(text.encode(), Path("study"))


@pytest.mark.parametrize(
    ("begin", "name", "bounds", "beyond"),
    [
        (STUDY, "seed", (0, LARGEST), (-1,)),
        (STUDY + "[generate]\n", "batch", (1, LARGEST), (0,)),
        (STUDY + "[generate]\n", "attempts", (1, LARGEST), (0,)),
        (STUDY + "[annotate]\n", "batch", (1, LARGEST), (0,)),
        (STUDY + "[annotate]\n", "workers", (0, LARGEST), (-1,)),
        (STUDY + "[report]\n", "pictures", (0, LARGEST), (-1,)),
        (STUDY + "[report]\n", "most", (1, LARGEST), (0,)),
        (STUDY + "[report]\n", "tolerance", (0.001, 0.999), (0, 1)),
        (STUDY + "[arena]\n", "quota", (1, 10_000), (0, 10_001)),
        (STUDY + "[arena]\n", "checks", (0, 0.5), (-0.1, 0.51)),
        (STUDY + "[arena]\n", "repeats", (0, 1), (-0.1, 1.1)),
        (STUDY + GENERATOR, "images", (1, LARGEST), (0,)),
        (STUDY + GENERATOR + RESOURCES, "cpus", (0, 0.01, 0.5, 1.5, 10_000), (-0.1, 0.009, 10_001)),
        (STUDY + GENERATOR + RESOURCES, "gpus", (0, 0.01, 0.5, 1, 2, 10_000), (-0.1, 0.009, 1.5, 10_001)),
        (STUDY + GENERATOR + RESOURCES, "gib", (0, 0.001, 1_000_000), (-0.1, 1_000_001)),
        (STUDY + GENERATOR + RESOURCES, "workers", (0, LARGEST), (-1,)),
    ],
)
def test_numbers_up_to_their_bounds(
    begin: str, name: str, bounds: tuple[float, ...], beyond: tuple[float, ...]
) -> None:
    for number in bounds:
        parsed(f"{begin}{name} = {number}\n")
    for number in beyond:
        with pytest.raises(ConfigError, match=name):
            parsed(f"{begin}{name} = {number}\n")


def test_a_title_has_one_character_or_more() -> None:
    assert parsed(STUDY).study.title == "x"
    with pytest.raises(ConfigError, match="title"):
        parsed('[study]\ntitle = ""\n')


def test_a_part_has_a_name_of_at_most_80_characters_on_one_line() -> None:
    assert parsed(f'{STUDY}{GENERATOR}name = "{"n" * 80}"\n').generators[0].name == "n" * 80
    for name in ("n" * 81, " n", "n ", "a\\nb"):
        with pytest.raises(ConfigError, match="name"):
            parsed(f'{STUDY}{GENERATOR}name = "{name}"\n')
    with pytest.raises(ConfigError, match="use"):
        parsed(f'{STUDY}[suite]\nuse = ""\n')


def test_what_a_file_does_not_say_is_as_documented() -> None:
    config = parsed(STUDY)
    assert (config.study.seed, config.suite, config.imports, config.generators) == (0, None, (), ())
    assert (config.generate.batch, config.generate.attempts, config.generate.doubtful_sources) == (8, 3, False)
    assert (config.annotate.batch, config.annotate.workers, config.storage.images) == (32, 0, "")
    report = config.report
    assert (report.pictures, report.most, report.language, report.tolerance) == (24, 1000, "en", 0.1)
    generator = GeneratorConfig(use="g")
    assert (generator.images, generator.role, generator.devices, generator.resources.workers) == (10, "", (), 0)


def test_one_name_is_for_one_part() -> None:
    twice = '[[generators]]\nuse = "g"\nname = "n"\n[[generators]]\nuse = "%s"\nname = "n"\n'
    assert len(parsed(STUDY + '[suite]\nuse = "s"\n' + twice % "g").generators) == 2
    with pytest.raises(ConfigError, match="two parts are named 'n'"):
        parsed(STUDY + '[suite]\nuse = "s"\n' + twice % "h")
    with pytest.raises(ConfigError, match=r"generators need a \[suite\]"):
        parsed(STUDY + '[[generators]]\nuse = "g"\n')
