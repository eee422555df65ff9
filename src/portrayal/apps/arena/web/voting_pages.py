"""Pages on which raters vote: the comparison, and its two pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from portrayal.apps.arena.battles.battle import ASPECTS, CHOICES, Battle, Choice
from portrayal.apps.arena.web.aspect_words import aspect_words
from portrayal.apps.arena.web.service import ArenaService
from portrayal.language.translation import t
from portrayal.study.sql.rater import Rater
from portrayal.web.page_context import see_other
from portrayal.web.raters.answer_pages import PICTURE_CACHE
from portrayal.web.raters.dealt_tasks import NotOpenError
from portrayal.web.raters.rater_context import RaterContext, rater_context

__all__ = ["router"]

router = APIRouter()


@router.get("/battle")
async def show_battle(request: Request) -> Response:
    """Show the open comparison, dealt now if need be."""
    context = rater_context(request)
    rater = context.require_rater()
    if (path := context.next_path(rater)) != "/battle":
        return see_other(path)
    again = request.query_params.get("note") == "again"
    return await _battle(context, rater, t("That comparison is already stored. Here is the next one.") if again else "")


@router.post("/battle")
async def cast_vote(request: Request) -> Response:
    """Count a vote on the comparison that was shown, and go on."""
    context = rater_context(request)
    rater = context.require_rater()
    form = await context.form()
    if (path := context.next_path(rater)) != "/battle":
        return see_other(path)
    choices = _choices(form)
    missing = [words.name for words in aspect_words() if words.aspect not in choices]
    if missing:
        open_battle = await context.service.current_task(rater.id)
        if open_battle is None or open_battle.id != form.get("battle"):
            return await _not_open(context, rater)
        names = ", ".join(missing)
        message = t("Please choose an answer for: {aspects}. Use Skip where you cannot tell.", aspects=names)
        return await _battle(context, rater, message, status=422, choices=choices)
    try:
        counted = await context.service.vote(rater.id, form.get("battle", ""), choices)
    except NotOpenError:
        return await _not_open(context, rater)
    return see_other("/battle" if counted else "/battle?note=again")


@router.get("/image/{battle}/{side}")
async def picture(request: Request, battle: str, side: str) -> Response:
    """Return a picture of a comparison that was dealt to this rater, and nothing that tells whose it is."""
    context = rater_context(request)
    shown = context.service.dealt_task(context.rater.id, battle) if context.rater else None
    if shown is None or side not in ("left", "right"):
        raise HTTPException(404)
    name = shown.left_image if side == "left" else shown.right_image
    data = await context.raters.pictures.get(name, degraded=shown.check not in ("", side))
    return Response(data, media_type="image/jpeg", headers={"Cache-Control": PICTURE_CACHE})


async def _not_open(context: RaterContext[ArenaService], rater: Rater) -> Response:
    message = t("That comparison was no longer open, so nothing was stored. Please look at this one.")
    return await _battle(context, rater, message, status=409)


async def _battle(
    context: RaterContext[ArenaService],
    rater: Rater,
    message: str,
    status: int = 200,
    choices: Mapping[str, Choice] | None = None,
) -> Response:
    service = context.service
    battle = await service.current_task(rater.id)
    if battle is None:
        return see_other("/done")
    progress = service.progress(rater.id)
    values = {
        "battle": battle.id,
        "progress": progress,
        "can_undo": service.can_undo(rater.id),
        "message": message,
        "aspects": aspect_words(),
        "choices": choices or {},
        **_prompt(context, battle),
    }
    heading = t("Comparison {number} of {total}", number=progress.done + 1, total=progress.total)
    return context.show("battle", heading, values, status)


def _prompt(context: RaterContext[ArenaService], battle: Battle) -> dict[str, str]:
    prompt = context.service.pool.prompts[battle.prompt]
    return {"text": prompt.text, "language": prompt.language}


def _choices(form: Mapping[str, str]) -> dict[str, Choice]:
    given = {aspect: form[aspect] for aspect in ASPECTS if form.get(aspect)}
    if not set(given.values()) <= set(CHOICES):
        raise HTTPException(400)
    return cast(dict[str, Choice], given)
