"""The public leaderboard, where a study shows one."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from portrayal.apps.arena.web.leaderboard_cache import LeaderboardCache
from portrayal.language.translation import spoken, t
from portrayal.web.raters.rater_context import rater_context

__all__ = ["router"]

router = APIRouter()


@router.get("/leaderboard")
async def show_leaderboard(request: Request) -> Response:
    """Show the ratings with their intervals."""
    context = rater_context(request)
    if not context.service.config.leaderboard:
        raise HTTPException(404)
    cache: LeaderboardCache = request.app.state.leaderboard
    if text := await cache.page(spoken()):
        return HTMLResponse(text)
    values = {"text": t("Results are shown here when the first votes are in."), "home": "/"}
    return context.render("web/error", t("No results yet"), values)
