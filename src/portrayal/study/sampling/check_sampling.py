"""Refuse a [sampling] that cannot work, before anything is drawn."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn

from portrayal.errors import ConfigError, did_you_mean
from portrayal.study.config import CONFIG_NAME
from portrayal.study.sampling.by_width import annotators_of
from portrayal.study.sampling.policy_rule import policy_rule
from portrayal.study.sampling.settings import SamplingConfig
from portrayal.study.study import OpenStudy

__all__ = ["check_sampling"]


def check_sampling(study: OpenStudy) -> None:
    """Refuse names that the study does not have, prompts that edit, and a pilot that leaves nothing to decide."""
    settings = study.config.sampling
    if settings is None:
        return
    if study.suite is None or not study.generators:
        _refuse(study, "draws in rounds, and this study draws nothing; leave the table out")
    if study.edits:
        _refuse(study, "draws in rounds, which prompts that edit pictures cannot be; leave the table out")
    _check_images(study, settings)
    if policy := settings.about.policy:
        policy_rule().check(study.root / policy)
    else:
        _check_attribute(study, settings)


def _check_images(study: OpenStudy, settings: SamplingConfig) -> None:
    for name, role in study.generators.items():
        if role.images <= settings.pilot:
            _refuse(
                study,
                f"the pilot draws {settings.pilot} images of each prompt, and images = {role.images} of "
                f"{study.names.generator(name)} allows no more; raise images, such as to 120",
            )
    prompts = len(study.suite.prompts) if study.suite else 0
    pilot = settings.pilot * prompts * len(study.generators)
    if settings.most and settings.most < pilot:
        _refuse(study, f"most = {settings.most}, and the pilot alone draws {pilot}; raise most, or lower pilot")


def _check_attribute(study: OpenStudy, settings: SamplingConfig) -> None:
    about = settings.about
    told = {name for names in study.design.annotators.values() for name in names}
    with_groups = [name for name in study.attributes if name in told and study.attributes[name].groups]
    _one_of(study, "attribute", about.attribute, with_groups)
    if about.group:
        _one_of(study, "group", about.group, study.attributes[about.attribute].groups)
    if about.annotator:
        _one_of(
            study, "annotator", about.annotator, [n for who in study.annotators for n in study.annotator_names(who)]
        )
    if not annotators_of(study):
        who = f"annotator {about.annotator!r} does not look" if about.annotator else "no annotator looks"
        _refuse(study, f"{who} for {about.attribute!r} at pictures as they are drawn; add one that does")


def _one_of(study: OpenStudy, key: str, name: str, known: Iterable[str]) -> None:
    names = [each for each in dict.fromkeys(known) if each]
    if name not in names:
        hint = did_you_mean(name, names)
        _refuse(study, f"there is no {key} {name!r} in this study{hint or '; there are ' + ', '.join(names)}")


def _refuse(study: OpenStudy, problem: str) -> NoReturn:
    raise ConfigError(f"{study.root / CONFIG_NAME}: [sampling] {problem}")
