"""What a process that works for a part needs of its machine."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Resources", "wished_resources"]

_GIB = 2**30


@dataclass(frozen=True, slots=True)
class Resources:
    """Cores, graphics cards (a half: two processes share one) and bytes of memory; 0 bytes: whatever it takes.

    ``or_no_gpu`` is for a part that likes a graphics card and also works without one.
    """

    cpus: float = 1.0
    gpus: float = 0.0
    memory: int = 0
    or_no_gpu: bool = False

    def __str__(self) -> str:
        said = [f"{self.cpus:g} CPU"]
        if self.gpus:
            said.append(f"{self.gpus:g} GPU{' if there is one' if self.or_no_gpu else ''}")
        if self.memory:
            said.append(f"{self.memory / _GIB:.3g} GiB")
        return ", ".join(said)


def wished_resources(part: object) -> Resources:
    """Return what a part asks for by its ``resources``; else a core, and a graphics card for an option ``device``.

    >>> str(wished_resources(object()))
    '1 CPU'
    """
    wish = getattr(part, "resources", None)
    if isinstance(wish, Resources):
        return wish
    device = str(getattr(getattr(part, "options", None), "device", ""))
    return Resources(gpus=float(device == "auto" or device.startswith("cuda")), or_no_gpu=device == "auto")
