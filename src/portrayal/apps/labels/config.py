"""The table ``[labels]`` of study.toml: how people label the study's pictures in a browser."""

from __future__ import annotations

from pydantic import Field

from portrayal.web.raters.rater_config import RaterSiteConfig

__all__ = ["LabelsConfig"]


class LabelsConfig(RaterSiteConfig):
    """The table ``[labels]``.

    ``raters`` label each picture, one more where they leave it open, and each of them up to ``quota`` pictures.
    ``annotator`` is for whom they label, NAME of ``imported:NAME``; ``attributes`` are what is asked, without any all
    of that annotator's. ``show_prompt`` lets raters read what the picture was asked for.
    """

    raters: int = Field(default=2, ge=1, le=20)
    quota: int = Field(default=60, ge=1, le=10_000)
    annotator: str = ""
    attributes: tuple[str, ...] = ()
    show_prompt: bool = False
