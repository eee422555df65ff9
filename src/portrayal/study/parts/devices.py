"""On which devices of this machine a part works: those that study.toml names, or all graphics cards."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path

from portrayal.engines import cpu_count
from portrayal.errors import ConfigError
from portrayal.study.parts.specs import AnnotatorSpec, GeneratorSpec

__all__ = ["check_devices", "chosen_devices", "on_each", "spread_over"]

Spec = GeneratorSpec | AnnotatorSpec
_CARDS = Path("/proc/driver/nvidia/gpus")
_VISIBLE = "CUDA_VISIBLE_DEVICES"


def check_devices(spec: Spec, part: object) -> None:
    """Refuse devices for a part that has no say in where it works, or of which two would be two different parts."""
    if not spec.devices:
        return
    name = getattr(part, "name", "")
    if _device(part) is None or spec.instance is not None:
        raise ConfigError(f"{name}: devices are for parts with an option device, and it has none; leave them out")
    if "device" in spec.config.options:
        raise ConfigError(f"{name}: devices and options.device both say where it works; keep one of them")
    for device in spec.devices:
        if spec.on(device).build().name != name:
            raise ConfigError(f"{name}: on {device} it would be another part, with results of its own; name no devices")


def chosen_devices(spec: Spec, part: object) -> tuple[str, ...]:
    """Return the devices that a part works on at the same time; none: it works as one, wherever its options say."""
    if spec.devices or spec.instance is not None or _device(part) != "auto":
        return spec.devices
    return _graphics_cards()


def spread_over(devices: tuple[str, ...], workers: int) -> tuple[str, ...]:
    """Return the device of each of so many processes, and of one for each device where they are fewer.

    A part that does much of its work on the processor needs more processes than there are graphics cards.
    """
    return tuple(islice(cycle(devices), max(workers, len(devices))))


def on_each(spec: AnnotatorSpec, annotator: object, devices: Sequence[str]) -> list[AnnotatorSpec]:
    """Return the same annotator on each device; processes of its own that open files are shared out among them."""
    specs = [spec.on(device) for device in devices]
    if getattr(getattr(annotator, "options", None), "workers", None) != 0:  # 0: as many as there are cores
        return specs
    share = max(cpu_count() // len(devices), 1)
    return [replace(of_device, config=of_device.config.with_options(workers=share)) for of_device in specs]


def _device(part: object) -> str | None:
    return getattr(getattr(part, "options", None), "device", None)


def _graphics_cards() -> tuple[str, ...]:
    """Return the graphics cards that may be used where there are several; torch is loaded only then."""
    visible = os.environ.get(_VISIBLE)
    if visible is not None:
        count = len([card for card in visible.split(",") if card.strip()])
    else:
        count = len(list(_CARDS.iterdir())) if _CARDS.is_dir() else 0
    if count > 1:
        import torch

        count = torch.cuda.device_count()
    return tuple(f"cuda:{number}" for number in range(count)) if count > 1 else ()
