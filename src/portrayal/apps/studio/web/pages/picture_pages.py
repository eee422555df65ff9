"""Every picture of a study: a wall with filters, each picture with all that is known of it, and the files."""

from __future__ import annotations

import re
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from portrayal.apps.studio.web.perceived import group_words, people_in, title_of
from portrayal.apps.studio.web.request_context import studio_context
from portrayal.apps.studio.web.service import THUMBNAIL
from portrayal.errors import InputError
from portrayal.language.translation import t
from portrayal.study.study import OpenStudy
from portrayal.web.picture_cache import LONGEST_SIDE

__all__ = ["router"]

router = APIRouter()

_NAME = re.compile(r"[0-9a-f]{64}\.[a-z]{3,4}", re.ASCII)
_KEEP = {"Cache-Control": "private, max-age=86400"}


@router.get("/s/{key}/pictures")
async def show_pictures(request: Request, key: str) -> Response:
    """Show the pictures that a filter leaves, some at a time; the address is a link to just these."""
    context = studio_context(request)
    study = await context.study(key)
    wanted = {name: value for name, value in request.query_params.items() if name != "page" and value}
    try:
        number = int(request.query_params.get("page", "1"))
    except ValueError:
        raise HTTPException(404) from None
    page = await run_in_threadpool(context.service.index(study).page, wanted, number)

    def link(number: int) -> str:
        return f"/s/{key}/pictures?{urlencode({**wanted, 'page': number})}"

    attributes = (await run_in_threadpool(OpenStudy, study.folder)).attributes
    titles = {name: title_of(name, attributes) for name in page.attributes}
    values = {"study": study, "page": page, "wanted": wanted, "link": link, "titles": titles, "words": group_words}
    return context.render("pictures", t("All pictures"), values)


@router.get("/s/{key}/picture/{name}")
async def show_picture(request: Request, key: str, name: str) -> Response:
    """Show one picture with all that is known of it."""
    context = studio_context(request)
    study = await context.study(key)
    rows = await run_in_threadpool(context.service.index(study).one, name) if _NAME.fullmatch(name) else []
    if not rows:
        raise HTTPException(404)
    opened = await run_in_threadpool(OpenStudy, study.folder)
    values = {"study": study, "row": rows[0], "people": people_in(rows, opened.attributes)}
    return context.render("picture", rows[0]["prompt"], values)


@router.get("/s/{key}/thumbnail/{name}")
async def thumbnail(request: Request, key: str, name: str) -> Response:
    """Return a small copy of a picture."""
    return await _picture(request, key, name, THUMBNAIL)


@router.get("/s/{key}/image/{name}")
async def image(request: Request, key: str, name: str) -> Response:
    """Return a picture, at most 1024 x 1024."""
    return await _picture(request, key, name, LONGEST_SIDE)


async def _picture(request: Request, key: str, name: str, longest: int) -> Response:
    context = studio_context(request)
    study = await context.study(key)
    try:
        data = await context.service.picture(study, name, longest)
    except InputError:
        raise HTTPException(404) from None
    return Response(data, media_type="image/jpeg", headers=_KEEP)
