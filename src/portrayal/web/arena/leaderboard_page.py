"""The public leaderboard, where a study shows one."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from portrayal.web.arena.request_context import rater_context

__all__ = ["router"]

router = APIRouter()


@router.get("/leaderboard")
async def show_leaderboard(request: Request) -> Response:
    """Show the ratings with their intervals."""
    context = rater_context(request)
    if not context.app_state.service.config.leaderboard:
        raise HTTPException(404)
    if text := await context.app_state.leaderboard_cache.page(context.texts.language):
        return HTMLResponse(text)
    values = {"text": context.texts("leaderboard.empty_text"), "home": "/"}
    return context.render("web/error", context.texts("leaderboard.empty"), values)
