"""Pages on which raters vote: the comparison, and its two pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from portrayal.apps.arena.battles.battle import ASPECTS, CHOICES, Battle, Choice
from portrayal.apps.arena.web.aspect_words import aspect_words
from portrayal.apps.arena.web.service import ArenaService
from portrayal.language.translation import t
from portrayal.web.raters.rater_context import rater_context
from portrayal.web.raters.task_pages import TaskPage, picture_response

__all__ = ["router"]

router = APIRouter()


class BattlePage(TaskPage[ArenaService, Battle]):
    """The comparison, with a question for each aspect."""

    name = "battle"
    task_field = "battle"

    def already_stored(self) -> str:
        """Say that the vote was counted before."""
        return t("That comparison is already stored. Here is the next one.")

    def not_open(self) -> str:
        """Say that the comparison was not open."""
        return t("That comparison was no longer open, so nothing was stored. Please look at this one.")

    def heading(self, number: int, total: int) -> str:
        """Say which comparison it is."""
        return t("Comparison {number} of {total}", number=number, total=total)

    def read(self, service: ArenaService, form: Mapping[str, str]) -> tuple[Mapping[str, str], str]:  # noqa: ARG002
        """Return the choice for each aspect, and which ones are missing."""
        choices = {aspect: form[aspect] for aspect in ASPECTS if form.get(aspect)}
        if not set(choices.values()) <= set(CHOICES):
            raise HTTPException(400)
        missing = ", ".join(words.name for words in aspect_words() if words.aspect not in choices)
        message = t("Please choose an answer for: {aspects}. Use Skip where you cannot tell.", aspects=missing)
        return choices, message if missing else ""

    async def keep(self, service: ArenaService, rater_id: str, task_id: str, choices: Mapping[str, str]) -> bool:
        """Count the vote."""
        return await service.vote(rater_id, task_id, cast(Mapping[str, Choice], choices))

    def values(self, service: ArenaService, task: Battle, choices: Mapping[str, str]) -> Mapping[str, Any]:
        """Return the questions, and what both pictures were asked for."""
        prompt = service.pool.prompts[task.prompt]
        return {"aspects": aspect_words(), "choices": choices, "text": prompt.text, "language": prompt.language}


BattlePage().add_to(router)


@router.get("/image/{battle}/{side}")
async def picture(request: Request, battle: str, side: str) -> Response:
    """Return a picture of a comparison that was dealt to this rater, and nothing that tells whose it is."""
    context = rater_context(request)
    shown = context.service.dealt_task(context.rater.id, battle) if context.rater else None
    if shown is None or side not in ("left", "right"):
        raise HTTPException(404)
    name = shown.left_image if side == "left" else shown.right_image
    data = await context.raters.pictures.get(name, degraded=shown.check not in ("", side))
    return picture_response(data)
