"""Which generators of a study draw, and which edit images that are drawn or imported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from portrayal.errors import ConfigError, PortrayalError, did_you_mean
from portrayal.generators import GENERATORS, Editor, Generator, ImageNames, NamesImages, finds_images
from portrayal.records import Prompt
from portrayal.study.config import GeneratorConfig
from portrayal.study.parts.specs import GeneratorSpec

__all__ = ["StudyGenerator", "check_editing", "join_roles"]


@dataclass(frozen=True, slots=True)
class StudyGenerator:
    """A generator, how many ``images`` it draws of each prompt, and how many ``edits`` it makes of each source.

    Edits are counted for each source by each prompt that edits it; 0: it does not draw, or does not edit.
    ``told_to_edit`` says that it has the role to edit, and not just the ability. ``title`` is its name, if it has one.
    """

    spec: GeneratorSpec
    generator: Generator
    images: int
    edits: int
    told_to_edit: bool = False
    title: str = ""

    @classmethod
    def of(cls, spec: GeneratorSpec, config: GeneratorConfig) -> StudyGenerator:
        """Build the generator in the role that ``config`` gives it; without one it does all it can."""
        generator = spec.build()
        can_edit = isinstance(generator, Editor)
        if config.role == "edit" and not can_edit:
            raise ConfigError(f"[[generators]]: {generator.name} cannot edit images; these can: {_editors()}")
        if finds_images(generator) and config.images > 1:
            raise ConfigError(
                f"[[generators]]: {generator.name} takes images that exist, one of each name, and images = "
                f"{config.images} would take the same one so often; write images = 1"
            )
        images = config.images if config.role != "edit" else 0
        edits = config.images if config.role != "draw" and can_edit else 0
        return cls(spec, generator, images, edits=edits, told_to_edit=config.role == "edit", title=config.name)


def join_roles(generators: Sequence[StudyGenerator]) -> Mapping[str, StudyGenerator]:
    """Return the generators by identity; one may stand there twice, to draw and to edit, but not twice for the same."""
    joined: dict[str, StudyGenerator] = {}
    for role in generators:
        name = role.generator.name
        before = joined.setdefault(name, role)
        if before is not role:
            if (before.images and role.images) or (before.edits and role.edits):
                raise ConfigError(f"[[generators]]: {name} stands there twice with the same options; keep one")
            if before.title and role.title and before.title != role.title:
                raise ConfigError(
                    f"[[generators]]: {name} is named {before.title!r} and {role.title!r}; a part has one name"
                )
            told = before.told_to_edit or role.told_to_edit
            images, edits = before.images + role.images, before.edits + role.edits
            title = before.title or role.title
            joined[name] = replace(before, images=images, edits=edits, told_to_edit=told, title=title)
    return joined


def check_editing(prompts: Sequence[Prompt], generators: Mapping[str, StudyGenerator]) -> None:
    """Refuse prompts that edit without a generator that does, and the other way round."""
    wanted = {prompt.edits for prompt in prompts if prompt.edits}
    for prompt in prompts:
        if prompt.edits and prompt.kind in wanted:
            raise ConfigError(
                f"[suite]: {prompt.text!r} edits images, and images of its own kind {prompt.kind!r} are edited too; "
                "edits are not edited again"
            )
    if wanted and generators and not any(role.edits for role in generators.values()):
        raise ConfigError(
            f"[[generators]]: the suite has prompts that edit images, and no generator edits; these can: {_editors()}"
        )
    for name, role in generators.items():
        if role.told_to_edit and not wanted:
            raise ConfigError(f'[[generators]]: {name} has role = "edit", and no prompt of the suite edits images')
    _check_names(prompts, generators)
    kinds = {prompt.kind for prompt in prompts if not prompt.edits and prompt.kind}
    for kind in sorted(wanted - kinds):
        meant = did_you_mean(kind, kinds)
        raise ConfigError(f"[suite]: some prompts edit images of the kind {kind!r}, and no other prompt has it{meant}")


def _check_names(prompts: Sequence[Prompt], generators: Mapping[str, StudyGenerator]) -> None:
    """Refuse images that exist under a name that several prompts could mean."""
    for part in generators.values():
        if isinstance(part.generator, NamesImages):
            for edits, often in ((False, part.images), (True, part.edits)):
                mine = [prompt for prompt in prompts if bool(prompt.edits) is edits]
                if often and mine:
                    part.generator.refuse_shared(ImageNames.of(mine), edits=edits)


def _editors() -> str:
    """Return the names of the generators that can edit, of those that can be loaded here."""
    return ", ".join(name for name in GENERATORS.entries() if _can_edit(name))


def _can_edit(name: str) -> bool:
    try:
        factory = GENERATORS.load(name)
        return bool(getattr(factory, "can_edit", hasattr(factory, "edit")))
    except PortrayalError:
        return False
