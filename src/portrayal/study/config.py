"""``study.toml``: what to ask, of whom, who looks, what to compute. Unknown keys are refused with a suggestion."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import Field, create_model, field_validator, model_validator

from portrayal.bundles import apps
from portrayal.errors import StudyError
from portrayal.inputfile import decode_text, read_bytes
from portrayal.methods import DEFAULT
from portrayal.registry import Entry
from portrayal.settings import Settings, parse_settings
from portrayal.study.resources_config import NO_WISH, ResourcesConfig
from portrayal.study.sampling.settings import SamplingConfig
from portrayal.terminal import from_here
from portrayal.tomlfile import LARGEST_TOML, at_line, line_of, parse_toml

__all__ = [
    "CONFIG_NAME",
    "NO_WISH",
    "AnnotatorConfig",
    "GeneratorConfig",
    "ImportConfig",
    "PartConfig",
    "ResourcesConfig",
    "StudyConfig",
    "config_kind",
    "load_config",
    "parse_config",
    "read_config",
]

CONFIG_NAME = "study.toml"
AppSettings = TypeVar("AppSettings", bound=Settings)
Device = Annotated[str, Field(pattern=r"^(cpu|mps|cuda(:\d+)?)$")]


class AboutConfig(Settings):
    """The table ``[study]``."""

    title: str = Field(min_length=1)
    seed: int = Field(default=0, ge=0, lt=2**63)


class PartConfig(Settings):
    """A part by name (``use``) with its own options: a suite or a method."""

    use: str = Field(min_length=1)
    options: Mapping[str, Any] = {}

    def with_options(self, **options: Any) -> Self:
        """Return the same part with some options set otherwise."""
        return self.model_copy(update={"options": {**self.options, **options}})


class AnnotatorConfig(PartConfig):
    """An annotator, what it is called where people read, and what it needs; its results are kept under its identity.

    ``devices`` are those it works on at the same time, each with a model of its own; none: as its options say.
    """

    name: str = Field(default="", max_length=80)
    devices: tuple[Device, ...] = ()
    resources: ResourcesConfig = NO_WISH

    @field_validator("name")
    @classmethod
    def _is_one_line(cls, name: str) -> str:
        if name != name.strip() or not name.isprintable():
            raise ValueError("a name is one line of visible characters, without spaces around it")
        return name


class GeneratorConfig(AnnotatorConfig):
    """A generator, its name, how many images of each prompt it makes, and whether it only draws or only edits."""

    images: int = Field(default=10, ge=1)
    role: Literal["", "draw", "edit"] = ""


class ImportConfig(Settings):
    """A folder of images that come in before the study is planned, as ``portrayal import --images`` would take it.

    ``model`` and ``prompt`` hold for all images of layouts that do not say them.
    """

    images: Path
    layout: str = Field(min_length=1)
    manifest: str = ""
    outside: bool = False
    model: str = ""
    prompt: str = ""


class GenerateConfig(Settings):
    """The table ``[generate]``: images per commit, attempts at a failing job, whether doubtful pictures are edited."""

    batch: int = Field(default=8, ge=1)
    attempts: int = Field(default=3, ge=1)
    doubtful_sources: bool = False


class AnnotateConfig(Settings):
    """The table ``[annotate]``: images per commit, worker processes (0: one per core)."""

    batch: int = Field(default=32, ge=1)
    workers: int = Field(default=0, ge=0)


class MeasureConfig(Settings):
    """The table ``[measure]``: attributes that are counted together, of one person as one annotator told them."""

    intersections: tuple[tuple[str, ...], ...] = ()


class StorageConfig(Settings):
    """The table ``[storage]``: where images are kept, nothing for the study's own folder."""

    images: str = ""


class ReportConfig(Settings):
    """The table ``[report]``: pictures of each prompt and in all that the gallery shows, its language.

    ``tolerance``: deviations of shares up to this are of no concern; the page says whether larger ones can be excluded.
    ``labels_by``: whose labels say how often annotators err, where several ``imported:`` ones have some.
    ``labels_from``: folders of other studies whose labels say it, too.
    ``missing_within``: the share of a group in missing images lies at most so far from that in the others.
    ``attributes`` and ``sections`` are those that the page shows; none named: all.
    """

    pictures: int = Field(default=24, ge=0)
    most: int = Field(default=1000, ge=1)
    language: Literal["en", "de"] = "en"
    tolerance: float = Field(default=0.1, gt=0, lt=1)
    labels_by: str = ""
    labels_from: tuple[str, ...] = ()
    missing_within: float = Field(default=1.0, ge=0, le=1)
    attributes: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()


class StudyConfig(Settings):
    """The whole file."""

    study: AboutConfig
    suite: PartConfig | None = None
    imports: tuple[ImportConfig, ...] = ()
    generators: tuple[GeneratorConfig, ...] = ()
    annotators: tuple[AnnotatorConfig, ...] = ()
    methods: tuple[PartConfig, ...] = (PartConfig(use=DEFAULT),)
    generate: GenerateConfig = GenerateConfig()
    annotate: AnnotateConfig = AnnotateConfig()
    measure: MeasureConfig = MeasureConfig()
    storage: StorageConfig = StorageConfig()
    report: ReportConfig = ReportConfig()
    sampling: SamplingConfig | None = None

    def of_app(self, kind: type[AppSettings]) -> AppSettings:
        """Return the table of an application by the kind of its settings, with their defaults where there is none."""
        return next((table for _, table in self if isinstance(table, kind)), kind())

    @model_validator(mode="after")
    def _generators_have_prompts(self) -> StudyConfig:
        if self.generators and self.suite is None:
            raise ValueError("generators need a [suite] that says what to ask")
        return self

    @model_validator(mode="after")
    def _names_differ(self) -> StudyConfig:
        # A generator may stand there twice, to draw and to edit; then it is one part.
        tables = [("generator", part) for part in self.generators] + [("annotator", part) for part in self.annotators]
        named: dict[str, tuple[str, str, Mapping[str, Any]]] = {}
        for kind, part in tables:
            this = (kind, part.use, part.options)
            if part.name and named.setdefault(part.name, this) != this:
                raise ValueError(f"two parts are named {part.name!r}; give one of them another name")
        return self


def config_kind() -> type[StudyConfig]:
    """Return the whole file with a table for each application that has settings: found, not named here."""
    return _with_tables(tuple((name, app.table.within(app.package)) for name, app in apps().items() if app.table))


@cache
def _with_tables(entries: tuple[tuple[str, Entry], ...]) -> type[StudyConfig]:
    kinds: dict[str, type[Settings]] = {name: entry.load() for name, entry in entries}
    tables: dict[str, Any] = {name: (kind, kind()) for name, kind in kinds.items()}
    return create_model("StudyConfig", __base__=StudyConfig, **tables)


def load_config(root: Path) -> StudyConfig:
    """Read and check ``root/study.toml``."""
    return parse_config(read_config(root), root)


def read_config(root: Path) -> bytes:
    """Return ``root/study.toml`` as it is at this moment; it may be edited while the study runs."""
    path = root / CONFIG_NAME
    if not path.exists():
        raise StudyError(
            f"{root}: no {CONFIG_NAME} here; create a study with: portrayal init {shlex.quote(str(from_here(root)))} "
            "(in Python: portrayal.Study.create)"
        )
    return read_bytes(path, LARGEST_TOML)


def parse_config(data: bytes, root: Path) -> StudyConfig:
    """Check what was read."""
    where = str(root / CONFIG_NAME)
    text = decode_text(data, where)
    return parse_settings(config_kind(), parse_toml(text, where), lambda keys: at_line(where, line_of(text, keys)))
