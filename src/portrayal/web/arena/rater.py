"""Pages for raters: from the link to the last comparison."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from portrayal.arena.battles.arena_state import WrongBattleError
from portrayal.arena.battles.battle import ASPECTS, CHOICES, Battle, Choice, Rater
from portrayal.web.arena.visit import Visit, see_other, visit_rater

__all__ = ["next_step", "router"]

router = APIRouter()

PICTURE_CACHE = "private, max-age=3600"
"""The same for every picture; a comparison's pictures never change."""


def next_step(visit: Visit, rater: Rater) -> str:
    """Return the page that a rater has to see next."""
    if rater.consented_at is None:
        return "/consent"
    if visit.app_state.service.config.questionnaire and rater.answers is None:
        return "/questions"
    return "/battle"


@router.get("/battle")
async def show_battle(request: Request) -> Response:
    """Show the open comparison, dealt now if need be."""
    visit = visit_rater(request)
    rater = visit.known_rater()
    if (step := next_step(visit, rater)) != "/battle":
        return see_other(step)
    note = request.query_params.get("note", "")
    return await _battle(visit, rater, visit.texts("battle.again") if note == "again" else "")


@router.post("/battle")
async def cast_vote(request: Request) -> Response:
    """Count a vote on the comparison that was shown, and go on."""
    visit = visit_rater(request)
    rater = visit.known_rater()
    form = await visit.form()
    if (step := next_step(visit, rater)) != "/battle":
        return see_other(step)
    choices = _choices(form)
    missing = [visit.texts(f"aspect.{aspect}.name") for aspect in ASPECTS if aspect not in choices]
    if missing:
        open_battle = await visit.app_state.service.current_battle(rater.id)
        if open_battle is None or open_battle.id != form.get("battle"):
            return await _battle(visit, rater, visit.texts("battle.stale"), 409)
        message = visit.texts("battle.missing", aspects=", ".join(missing))
        return await _battle(visit, rater, message, 422, choices)
    try:
        counted = await visit.app_state.service.vote(rater.id, form.get("battle", ""), choices)
    except WrongBattleError:
        return await _battle(visit, rater, visit.texts("battle.stale"), 409)
    return see_other("/battle" if counted else "/battle?note=again")


@router.post("/undo")
async def undo(request: Request) -> Response:
    """Take the last vote back."""
    visit = visit_rater(request)
    rater = visit.known_rater()
    await visit.form()
    await visit.app_state.service.undo(rater.id)
    return see_other("/battle")


@router.get("/image/{battle}/{side}")
async def picture(request: Request, battle: str, side: str) -> Response:
    """Return a picture of a comparison that was dealt to this rater, and nothing that tells whose it is."""
    visit = visit_rater(request)
    shown = visit.app_state.service.dealt_battle(visit.rater.id, battle) if visit.rater else None
    if shown is None or side not in ("left", "right"):
        raise HTTPException(404)
    name = shown.left_image if side == "left" else shown.right_image
    data = await visit.app_state.pictures.get(name, degraded=shown.check not in ("", side))
    return Response(data, media_type="image/jpeg", headers={"Cache-Control": PICTURE_CACHE})


@router.get("/done")
async def done(request: Request) -> Response:
    """Thank whoever has answered everything."""
    visit = visit_rater(request)
    rater = visit.known_rater()
    step = next_step(visit, rater)
    if step != "/battle" or await visit.app_state.service.current_battle(rater.id) is not None:
        return see_other(step)
    service = visit.app_state.service
    context = {"progress": service.progress(rater.id), "can_undo": service.can_undo(rater.id)}
    return visit.page("done", visit.texts("done.title"), context)


async def _battle(
    visit: Visit, rater: Rater, message: str, status: int = 200, choices: Mapping[str, Choice] | None = None
) -> Response:
    service = visit.app_state.service
    battle = await service.current_battle(rater.id)
    if battle is None:
        return see_other("/done")
    progress = service.progress(rater.id)
    context = {
        "battle": battle.id,
        "progress": progress,
        "can_undo": service.can_undo(rater.id),
        "message": message,
        "aspects": ASPECTS,
        "choices": choices or {},
        **_prompt(visit, battle),
    }
    heading = visit.texts("battle.title", number=progress.done + 1, total=progress.total)
    return visit.page("battle", heading, context, status)


def _prompt(visit: Visit, battle: Battle) -> dict[str, str]:
    prompt = visit.app_state.service.pool.prompts[battle.prompt]
    return {"text": prompt.text, "language": prompt.language}


def _choices(form: Mapping[str, str]) -> dict[str, Choice]:
    given = {aspect: form[aspect] for aspect in ASPECTS if form.get(aspect)}
    if not set(given.values()) <= set(CHOICES):
        raise HTTPException(400)
    return cast(dict[str, Choice], given)
