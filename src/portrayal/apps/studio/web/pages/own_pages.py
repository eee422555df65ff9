"""Pictures of one's own: brought in by the browser, looked through, and made into a study."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from portrayal.apps.studio.listed_studies import study_key
from portrayal.apps.studio.new.choices import offered_choices
from portrayal.apps.studio.new.new_study import EQUAL
from portrayal.apps.studio.own_pictures.own_study import create_from_pictures, look_through
from portrayal.apps.studio.own_pictures.picture_drop import MOST_BYTES, MOST_FILES
from portrayal.apps.studio.own_pictures.staged import StagedPictures
from portrayal.apps.studio.web.receive_pictures import receive_pictures
from portrayal.apps.studio.web.request_context import RequestContext, studio_context
from portrayal.errors import PortrayalError
from portrayal.language.translation import t
from portrayal.web.page_context import see_other

__all__ = ["UPLOAD", "router"]

router = APIRouter()

UPLOAD = "/own"
"""The address that takes files."""


@router.get("/own")
async def show_own(request: Request) -> Response:
    """Ask for the pictures."""
    context = studio_context(request)
    context.require_auditor()
    return _upload_page(context)


@router.post("/own")
async def bring_in(request: Request) -> Response:
    """Take the pictures in, and go on with what is to be known of them."""
    context = studio_context(request)
    context.require_auditor()
    staged = context.service.staged.new()
    try:
        await receive_pictures(context, staged)
        await run_in_threadpool(look_through, staged)
    except PortrayalError as error:
        staged.discard()
        return _upload_page(context, str(error), 422)
    return see_other(f"/own/{staged.key}")


@router.get("/own/{lot}")
async def show_lot(request: Request, lot: str) -> Response:
    """Show what came in, and ask what is not known of it."""
    context = studio_context(request)
    return await _lot_page(context, _staged(context, lot), {})


@router.post("/own/{lot}")
async def create_own(request: Request, lot: str) -> Response:
    """Make a study of what came in."""
    context = studio_context(request)
    staged = _staged(context, lot)
    form = await context.form()
    root = context.service.root
    try:
        folder = await run_in_threadpool(create_from_pictures, root, staged, form)
    except PortrayalError as error:
        return await _lot_page(context, staged, form, str(error), 422)
    return see_other(f"/s/{study_key(root, folder)}")


def _staged(context: RequestContext, lot: str) -> StagedPictures:
    context.require_auditor()
    staged = context.service.staged.find(lot)
    if staged is None:
        raise HTTPException(404)
    return staged


def _upload_page(context: RequestContext, message: str = "", status: int = 200) -> Response:
    limits = {"gigabytes": MOST_BYTES // 1_000_000_000, "most": MOST_FILES, "most_bytes": MOST_BYTES}
    return context.render("own", t("Use pictures you have"), {**limits, "message": message}, status)


async def _lot_page(
    context: RequestContext, staged: StagedPictures, form: Mapping[str, str], message: str = "", status: int = 200
) -> Response:
    came = await run_in_threadpool(look_through, staged)
    ready = {"title": "", "model": "", "prompt": "", "reference": EQUAL, "layout": came.sortings[0].layout}
    values = {
        "came": came,
        "staged": staged,
        "form": {**ready, **form},
        "message": message,
        "choices": offered_choices(),
    }
    return context.render("own_lot", t("What are these pictures?"), values, status)
