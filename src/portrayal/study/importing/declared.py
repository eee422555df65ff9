"""Images that study.toml names: they come in before the study is planned, and files added later at the next run."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from portrayal.errors import ConfigError, DamagedError
from portrayal.records import FoundImage, content_id, plain_text
from portrayal.store.checksums.checked_json import read_checked_json, write_checked_json
from portrayal.study.config import CONFIG_NAME, ImportConfig
from portrayal.study.importing.folders.image_files import ending
from portrayal.study.importing.folders.layouts import read_layout
from portrayal.study.importing.heic import HEIC_ENDINGS, can_read_heic
from portrayal.study.importing.import_images import import_images
from portrayal.study.importing.remarks import folder_remarks
from portrayal.study.plan.make_plan import plan
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

__all__ = ["bring_and_plan", "read_declared"]

_MARKER = "imports.json"


def bring_and_plan(study: OpenStudy, control: RunControl) -> None:
    """Let in what study.toml names and is not there yet, then write down which images the study consists of."""
    for declared in study.config.imports:
        if not control.stopped():
            _bring(study, declared, control)
    plan(study, control)


def read_declared(study: OpenStudy, config: ImportConfig) -> list[FoundImage]:
    """Return the files of a folder that study.toml names."""
    folder = _folder(study, config)
    if not folder.is_dir():
        raise ConfigError(f"{study.root / CONFIG_NAME}: [[imports]]: {folder}: no such folder; correct 'images'")
    manifest = study.root / config.manifest if config.manifest else None
    return read_layout(
        config.layout, folder, manifest, outside=config.outside, model=config.model, prompt=config.prompt
    )


def _folder(study: OpenStudy, config: ImportConfig) -> Path:
    # Without the way there, for a picture is known by the path it came from.
    return Path(os.path.realpath(study.root / config.images))


def _bring(study: OpenStudy, config: ImportConfig, control: RunControl) -> None:
    """Import a folder, unless all of its files are those that came in the last time."""
    marker = study.root / "tables" / _MARKER
    known = _known(marker)
    unset = {key for key in ("model", "prompt") if not getattr(config, key)}
    # Without these: what versions wrote that did not have them is known by the same name.
    name, folder = config.model_dump_json(exclude=unset), _folder(study, config)
    if name in known and not folder.exists():
        control.remark(f"{folder}: not here any more; the images that came in from there stay")
        return
    files = read_declared(study, config)
    state = _state(folder, files)
    if known.get(name) == state:
        return
    for said in folder_remarks(study, folder, files, config.layout):
        control.remark(said)
    counts = import_images(study, files, control)
    control.remark(f"{folder}: {_told(counts)}")
    if not control.stopped():
        write_checked_json(marker, {**known, name: state})


def _known(marker: Path) -> dict[str, str]:
    """Return in which state each folder came in; of a damaged file nothing, so that all is looked at again."""
    try:
        return read_checked_json(marker)
    except (FileNotFoundError, DamagedError):
        return {}


def _state(folder: Path, files: Sequence[FoundImage]) -> str:
    """Return what changes when a file is added, taken away, replaced or described otherwise; not if all is moved."""
    places = [os.path.relpath(file.path, folder) for file in files]
    texts = (
        f"{place}\x1f{file.model}\x1f{file.prompt}\x1f{file.seed}\x1f{_stamp(file.path)}"
        for place, file in zip(places, files, strict=True)
    )
    heic = [can_read_heic()] if any(ending(file.path) in HEIC_ENDINGS for file in files) else []
    return content_id(*map(plain_text, texts), *map(str, heic))  # once it can be read, it is


def _stamp(path: Path) -> str:
    try:
        about = path.stat()
    except (OSError, ValueError):
        return ""
    return f"{about.st_size}\x1f{about.st_mtime_ns}"


def _told(counts: Counter[str]) -> str:
    """Return the counts of an import in a line."""
    return ", ".join(f"{what} {number}" for what, number in counts.items()) or "nothing new"
