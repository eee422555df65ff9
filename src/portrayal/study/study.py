"""A study: its configuration, its folder, and the parts it is made of."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from portrayal.annotators import Annotator
from portrayal.errors import ConfigError
from portrayal.evidence import Design
from portrayal.methods.base import Method
from portrayal.records import Attribute, PartNames, attribute_table
from portrayal.store.workspace import Workspace
from portrayal.study.config import CONFIG_NAME, PartConfig, StudyConfig, parse_config, read_config
from portrayal.study.importing.folders.layouts import LAYOUTS
from portrayal.study.parts.devices import check_devices
from portrayal.study.parts.given_parts import OwnParts
from portrayal.study.parts.intersections import chosen_intersections, with_intersections
from portrayal.study.parts.part_names import check_names, part_names
from portrayal.study.parts.specs import AnnotatorSpec, GeneratorSpec, build_method, build_suite
from portrayal.study.plan.check_planted import check_planted
from portrayal.study.plan.editing import StudyGenerator, check_editing, join_roles
from portrayal.study.plan.plan_file import require_whole_plan
from portrayal.study.report_choice import check_chosen
from portrayal.study.storage import open_images
from portrayal.study.tables.counted_files import require_counted_files
from portrayal.study.tables.image_columns import check_columns
from portrayal.study.untrusted.deeds import Kind, require_trust
from portrayal.suites import Suite

__all__ = ["OpenStudy"]


class OpenStudy:
    """Opens a study's folder, with parts of the user's ``own`` that live in Python code.

    ``config_file`` is the text that holds for this run, whatever ``study.toml`` says later.

    Parts are built when first asked for, so a bad name is found before work begins.
    """

    def __init__(self, root: Path, own_parts: OwnParts | None = None) -> None:
        self.root = root
        self.config_file: bytes = read_config(root)
        self.config: StudyConfig = parse_config(self.config_file, root)
        self.own_parts = own_parts or OwnParts()
        self.require_trust("code", "path")
        self.own_parts.check(self.config, root)
        self.workspace = Workspace(root, open_images(self.config.storage.images, root, root / CONFIG_NAME))

    @classmethod
    def to_read(cls, root: Path, own_parts: OwnParts | None = None) -> OpenStudy:
        """Open a study for a command that only reads it; an error when files of its plan or its images are gone."""
        study = cls(root, own_parts)
        require_whole_plan(study.workspace)
        require_counted_files(study.workspace)
        return study

    def require_trust(self, *kinds: Kind) -> None:
        """Raise an error when it would do such things beyond its folder, and comes from elsewhere."""
        require_trust((self.root, self.config, self.config_file), kinds)

    @cached_property
    def suite(self) -> Suite | None:
        """What is asked; None for a study of imported images only."""
        return build_suite(self.config.suite, self.root) if self.config.suite else None

    @cached_property
    def generators(self) -> Mapping[str, StudyGenerator]:
        """Who draws and who edits, by identity."""
        configs = self.config.generators
        instances = self.own_parts.generators
        specs = [
            GeneratorSpec(config, self.root, instances.get(config.use), config.resources, config.devices)
            for config in configs
        ]
        return join_roles([StudyGenerator.of(spec, config) for spec, config in zip(specs, configs, strict=True)])

    @property
    def edits(self) -> bool:
        """Whether the suite has prompts that edit images."""
        return any(prompt.edits for prompt in (self.suite.prompts if self.suite else ()))

    @cached_property
    def annotators(self) -> Mapping[str, tuple[AnnotatorSpec, Annotator]]:
        """Identity to specification and annotator."""
        configs = self.config.annotators
        instances = self.own_parts.annotators
        specs = [
            AnnotatorSpec(config, self.root, instances.get(config.use), config.resources, config.devices)
            for config in configs
        ]
        built = [(spec, spec.build()) for spec in specs]
        _check_twice([annotator.name for _, annotator in built])
        return {annotator.name: (spec, annotator) for spec, annotator in built}

    @cached_property
    def methods(self) -> list[Method]:
        """What is computed."""
        return [build_method(config, self.root) for config in self.config.methods]

    def narrow(self, method: str) -> None:
        """Compute only this method: as study.toml sets it up or, when it is not there, with its defaults."""
        configs = [config for config in self.config.methods if config.use == method]
        self.methods = [build_method(config, self.root) for config in configs or [PartConfig(use=method)]]

    @cached_property
    def attributes(self) -> Mapping[str, Attribute]:
        """Every attribute the annotators may speak of, by name."""
        told = attribute_table(
            attribute for _, annotator in self.annotators.values() for attribute in annotator.attributes
        )
        return {**told, **{attribute.name: attribute for attribute in chosen_intersections(self, told)}}

    @cached_property
    def design(self) -> Design:
        """What the study asks, and who looks."""
        return Design(
            {prompt.id: prompt for prompt in (self.suite.prompts if self.suite else ())},
            self.attributes,
            {
                name: with_intersections([a.name for a in annotator.attributes], self.attributes)
                for name, (_, annotator) in self.annotators.items()
            },
            {name: identity for identity in self.annotators for name in self.annotator_names(identity)},
        )

    @cached_property
    def names(self) -> PartNames:
        """What generators and annotators are called where people read."""
        return part_names(self)

    def annotator_names(self, identity: str) -> tuple[str, str, str, str]:
        """Return what an annotator may be called: identity, ``imported:humans``, ``humans``, and its name if any."""
        use = self.annotators[identity][0].config.use
        return identity, use, use.partition(":")[2], self.names.annotator(identity)

    def check(self) -> None:
        """Build every part once, so that a mistake in study.toml shows before any work is done."""
        check_editing(self.suite.prompts if self.suite else (), self.generators)
        check_names(self)
        self.workspace.images.check()
        for drawn in self.generators.values():
            check_devices(drawn.spec, drawn.generator)
        for spec, looked in self.annotators.values():
            check_devices(spec, looked)
        for declared in self.config.imports:
            LAYOUTS.load(declared.layout)
        used: dict[str, Attribute] = {}
        for name, (_, annotator) in self.annotators.items():
            for attribute in annotator.attributes:
                if used.setdefault(attribute.name, attribute).groups != attribute.groups:
                    raise ConfigError(
                        f"[[annotators]]: {name} has other groups for {attribute.name!r} than an annotator before it; "
                        "give one of them another name"
                    )
        drawing = [drawn.generator for drawn in self.generators.values()]
        check_planted(drawing, self.attributes, used)
        check_columns(used.values(), f"{self.root / CONFIG_NAME}: [[annotators]]")
        check_chosen(self)
        for method in self.methods:
            method.check(self.design)
            method.sources(self.design)  # reads the references: a wrong one must not show after a night of drawing


def _check_twice(names: list[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(f"[[annotators]]: {name} stands there twice with the same options; keep one")
