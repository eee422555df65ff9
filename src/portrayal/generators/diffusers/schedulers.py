"""How the noise is taken away: schedulers by short names, and which of them can drive which model.

A model learned to predict something at given noise levels, and a scheduler of another kind would ask it for something
else. Pictures would come out, but not the model's; so other kinds are refused.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from portrayal.errors import ConfigError, did_you_mean

__all__ = ["OWN", "SCHEDULERS", "set_scheduler"]

OWN = "own"
"""The scheduler that comes with the model; for studies whose preset names another."""

SCHEDULERS: Mapping[str, tuple[str, Mapping[str, Any]]] = MappingProxyType(
    {
        "ddim": ("DDIMScheduler", {}),
        "ddpm": ("DDPMScheduler", {}),
        "deis": ("DEISMultistepScheduler", {}),
        "dpm++": ("DPMSolverMultistepScheduler", {"algorithm_type": "dpmsolver++"}),
        "dpm++_karras": ("DPMSolverMultistepScheduler", {"algorithm_type": "dpmsolver++", "use_karras_sigmas": True}),
        "dpm++_sde": ("DPMSolverMultistepScheduler", {"algorithm_type": "sde-dpmsolver++"}),
        "dpm2": ("KDPM2DiscreteScheduler", {}),
        "dpm2_a": ("KDPM2AncestralDiscreteScheduler", {}),
        "edm_dpm++": ("EDMDPMSolverMultistepScheduler", {}),
        "edm_euler": ("EDMEulerScheduler", {}),
        "euler": ("EulerDiscreteScheduler", {}),
        "euler_a": ("EulerAncestralDiscreteScheduler", {}),
        "flow_euler": ("FlowMatchEulerDiscreteScheduler", {}),
        "heun": ("HeunDiscreteScheduler", {}),
        "lcm": ("LCMScheduler", {}),
        "lms": ("LMSDiscreteScheduler", {}),
        "pndm": ("PNDMScheduler", {"skip_prk_steps": True}),
        "tcd": ("TCDScheduler", {}),
        "unipc": ("UniPCMultistepScheduler", {}),
    }
)
"""Short names to a class of diffusers and what is set about it."""

_UNSEEDED = "DPMSolverSDEScheduler"
"""Draws noise from a source of its own, so that pictures would not follow from their seeds."""


def set_scheduler(part: str, pipe: Any, name: str | None, spacing: str | None) -> None:
    """Give ``pipe`` the scheduler of that name, configured as the model's own, and the spacing of its steps."""
    name = OWN if name is None else name
    if name == OWN and spacing is None:
        return
    now, model = pipe.scheduler, type(pipe).__name__
    wanted, extra = (type(now), {}) if name == OWN else _found(part, name)
    if wanted is not type(now) and not _fits(pipe, wanted):
        can = [short for short, (title, _) in SCHEDULERS.items() if _fits(pipe, _class(title))]
        raise ConfigError(
            f"{part}: the scheduler {name!r} cannot drive {model}, whose own is {type(now).__name__}; "
            f"set options.scheduler to {' or '.join(repr(short) for short in [*can, OWN])}"
        )
    if spacing is not None:
        if "timestep_spacing" not in inspect.signature(wanted.__init__).parameters:
            raise ConfigError(f"{part}: {wanted.__name__} knows no spacing; leave options.spacing out")
        extra = {**extra, "timestep_spacing": spacing}
    pipe.scheduler = wanted.from_config(now.config, **extra)


def _found(part: str, name: str) -> tuple[Any, Mapping[str, Any]]:
    title, extra = SCHEDULERS.get(name, (name, {}))
    if title == _UNSEEDED:
        raise ConfigError(f"{part}: {_UNSEEDED} does not draw its noise from an image's seed; take another scheduler")
    wanted = _class(title)
    if wanted is None:
        import diffusers

        classes = [known for known in dir(diffusers) if known.endswith("Scheduler") and known != _UNSEEDED]
        raise ConfigError(f"{part}: diffusers has no scheduler {name!r}{did_you_mean(name, classes)}")
    return wanted, extra


def _class(title: str) -> Any:
    import diffusers

    scheduler = getattr(diffusers, title, None)
    return scheduler if isinstance(scheduler, type) and issubclass(scheduler, diffusers.SchedulerMixin) else None


def _fits(pipe: Any, wanted: Any) -> bool:
    if wanted is None:
        return False
    now = pipe.scheduler
    if "original_inference_steps" in inspect.signature(type(pipe).__call__).parameters:
        return bool(wanted.__name__ == "LCMScheduler")  # the pipeline speaks to no other
    if now.config.get("use_flow_sigmas") or now.config.get("prediction_type") == "flow_prediction":
        return wanted is type(now)
    return _kind(wanted) == _kind(type(now))


def _kind(scheduler: Any) -> str:
    name = str(scheduler.__name__)
    for kind in ("FlowMatch", "EDM"):
        if name.startswith(kind):
            return kind
    return "noise" if "beta_schedule" in inspect.signature(scheduler.__init__).parameters else name
