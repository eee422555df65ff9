"""Somebody else's study, looked at: what running it would do, and whether its files are whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from portrayal.processes.refusing import reaching_nobody
from portrayal.store.images.image_folder import ImageFolder
from portrayal.store.trusted_studies import is_trusted, trust_study
from portrayal.store.workspace import Workspace
from portrayal.study.checking.verify import Verified, verify
from portrayal.study.config import parse_config, read_config
from portrayal.study.run_control import RunControl
from portrayal.study.untrusted.deeds import Deed, deeds, links_out

__all__ = ["Opened", "open_untrusted"]


@dataclass(frozen=True, slots=True)
class Opened:
    """A study's title, what it would do, whether it may, and its files; None where images lie elsewhere."""

    title: str
    deeds: Sequence[Deed]
    trusted: bool
    verified: Verified | None

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)


def open_untrusted(root: Path, control: RunControl, *, trust: bool = False) -> Opened:
    """Look at a study of somebody else: its tables and images are read and compared, and nothing that it asks is done.

    Meanwhile this process reaches nobody and starts nothing. With ``trust`` it may do from now on what was read here.
    """
    with reaching_nobody():
        data = read_config(root)
        config = parse_config(data, root)
        done = [*deeds(config, root), *links_out(root)]
        workspace = Workspace(root, ImageFolder(root / "images"))
        elsewhere = any(deed.where == "[storage]" for deed in done)
        verified = None if elsewhere else verify(_Folder(root, workspace), control)
        if trust:
            trust_study(root, data)
        return Opened(config.study.title, done, is_trusted(root, data), verified)


@dataclass(frozen=True, slots=True)
class _Folder:
    """As much of a study as is needed to compare its files: none of its parts."""

    root: Path
    workspace: Workspace
