"""Pages that follow an answer, on any site with raters: taking it back, and the end."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from portrayal.language.translation import t
from portrayal.web.page_context import see_other
from portrayal.web.raters.rater_context import rater_context

__all__ = ["router"]

router = APIRouter()


@router.post("/undo")
async def undo(request: Request) -> Response:
    """Take the last answer back."""
    context = rater_context(request)
    rater = context.require_rater()
    await context.form()
    await context.service.undo(rater.id)
    return see_other(context.raters.pages.answer)


@router.get("/done")
async def done(request: Request) -> Response:
    """Thank whoever has answered everything."""
    context = rater_context(request)
    rater = context.require_rater()
    path = context.next_path(rater)
    if path != context.raters.pages.answer or await context.service.current_task(rater.id) is not None:
        return see_other(path)
    service = context.service
    values = {"progress": service.progress(rater.id), "can_undo": service.can_undo(rater.id)}
    return context.show("done", t("Thank you!"), values)
