"""How a generator draws: steps, size and what else a page can set of it, as the options that it takes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from portrayal.errors import InputError, PortrayalError
from portrayal.generators import GENERATORS
from portrayal.language.translation import t

__all__ = ["FIRST", "SECOND", "SETTINGS", "WORKFLOW", "part_settings", "set_options", "settings_of"]

SETTINGS = ("steps", "guidance", "cfg_scale", "size", "width", "height", "quality", "checkpoint")
"""Options that a page asks for. All others are for study.toml."""
FIRST, SECOND = "draw-", "also-draw-"
"""What the names of fields with settings begin with: of who draws, and of who draws beside."""
WORKFLOW = "workflow.json"
_WORKFLOW_OPTION = "workflow"
_LONGEST = 200
_WHOLE, _NUMBER = re.compile(r"[0-9]{1,9}"), re.compile(r"[0-9]{1,9}\.[0-9]{1,9}")


def settings_of(generator: str) -> tuple[str, ...]:
    """Return which of the settings a generator takes; none where it is not installed."""
    try:
        fields = GENERATORS.load(generator).Options.model_fields
    except PortrayalError:
        return ()
    return tuple(name for name in (*SETTINGS, _WORKFLOW_OPTION) if name in fields)


def set_options(form: Mapping[str, str], generator: str, field: str = FIRST) -> dict[str, Any]:
    """Return the options that the fields of a form set of a generator."""
    options: dict[str, Any] = {}
    takes = settings_of(generator)
    for name in SETTINGS:
        said = form.get(f"{field}{name}", "").strip()
        if not said:
            continue
        if name not in takes:
            raise InputError(t("{generator} has no setting {name}; leave it empty.", generator=generator, name=name))
        options[name] = _value(said[:_LONGEST])
    return options


def part_settings(form: Mapping[str, str], generator: str) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the options that a form sets of a generator, and the files beside study.toml that they name."""
    options = set_options(form, generator)
    takes = settings_of(generator)
    text = form.get("draw-workflow", "").strip()
    if not text or _WORKFLOW_OPTION not in takes:
        return options, {}
    return {**options, _WORKFLOW_OPTION: WORKFLOW}, {WORKFLOW: _workflow(text)}


def _value(text: str) -> int | float | str:
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if _NUMBER.fullmatch(text) else text


def _workflow(text: str) -> str:
    """Return a workflow as it is saved by ComfyUI for its API, once it is known to be JSON."""
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        parsed = None
    if not isinstance(parsed, dict):
        raise InputError(t("The workflow is not the JSON that ComfyUI exports for its API."))
    return text
