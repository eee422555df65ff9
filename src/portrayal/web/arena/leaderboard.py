"""The public leaderboard, where a study shows one."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from portrayal.web.arena.visit import visit_rater

__all__ = ["router"]

router = APIRouter()


@router.get("/leaderboard")
async def show_leaderboard(request: Request) -> Response:
    """Show the ratings with their intervals."""
    visit = visit_rater(request)
    if not visit.app_state.service.config.leaderboard:
        raise HTTPException(404)
    if text := await visit.app_state.leaderboard.page(visit.texts.language):
        return HTMLResponse(text)
    context = {"text": visit.texts("board.empty_text"), "home": "/"}
    return visit.page("error", visit.texts("board.empty"), context)
