"""Every picture of a study: a wall with filters, each picture with all that is known of it, and the files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import parse_qsl, urlencode

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from portrayal.apps.studio.database.missing_pictures import missing_pictures
from portrayal.apps.studio.database.one_picture import picture_origin
from portrayal.apps.studio.database.side_by_side import side_by_side
from portrayal.apps.studio.web.perceived import group_words, people_in, title_of
from portrayal.apps.studio.web.request_context import studio_context
from portrayal.apps.studio.web.service import THUMBNAIL
from portrayal.csvfile import csv_text
from portrayal.errors import InputError
from portrayal.language.translation import t
from portrayal.study.study import OpenStudy
from portrayal.study.tables.left_out import LONGEST_REASON, read_left_out, write_left_out
from portrayal.web.page_context import see_other
from portrayal.web.picture_cache import LONGEST_SIDE

__all__ = ["MOST_TICKED", "router", "ticked_in"]

router = APIRouter()

_NAME = re.compile(r"[0-9a-f]{64}\.[a-z]{3,4}", re.ASCII)
_TICKED = re.compile(r"p-[0-9a-f]{64}", re.ASCII)
MOST_TICKED = 128
"""Fields of a form with ticked pictures: those of a page, and some more."""
MOST_LISTED = 100_000
_KEEP = {"Cache-Control": "private, max-age=86400"}


@router.get("/s/{key}/pictures")
async def show_pictures(request: Request, key: str) -> Response:
    """Show the pictures that a filter leaves, some at a time; the address is a link to just these."""
    context = studio_context(request)
    study = await context.study(key)
    wanted = {name: value for name, value in request.query_params.items() if name != "page" and value}
    number = _number(request.query_params.get("page", "1"))
    page = await run_in_threadpool(context.service.index(study).page, wanted, number)

    def link(number: int) -> str:
        return f"/s/{key}/pictures?{urlencode({**wanted, 'page': number})}"

    attributes = (await run_in_threadpool(OpenStudy, study.folder)).attributes
    titles = {name: title_of(name, attributes) for name in page.attributes}
    values = {"study": study, "page": page, "wanted": wanted, "link": link, "titles": titles, "words": group_words}
    return context.render("pictures", t("All pictures"), {**values, "chosen": urlencode(wanted)})


@router.get("/s/{key}/pictures.csv")
async def list_pictures(request: Request, key: str) -> Response:
    """Return what is known of the pictures that a filter leaves, as a table."""
    context = studio_context(request)
    study = await context.study(key)
    rows = await run_in_threadpool(context.service.index(study).rows, dict(request.query_params), MOST_LISTED)

    def written() -> str:
        return csv_text(rows.column_names, (row.values() for row in rows.to_pylist()))

    named = {"Content-Disposition": f'attachment; filename="pictures-{key}.csv"'}
    return Response(await run_in_threadpool(written), media_type="text/csv", headers=named)


@router.post("/s/{key}/left-out")
async def leave_out(request: Request, key: str) -> Response:
    """Leave the ticked pictures out, with a reason, or let them count again."""
    context = studio_context(request)
    study = await context.study(key)
    form = await context.form(MOST_TICKED)
    ticked = ticked_in(form)
    back = f"/s/{key}/pictures?{urlencode(parse_qsl(form.get('back', '')))}"
    if not ticked:
        return see_other(back)
    if context.service.queue.view(key).active:
        raise HTTPException(409)
    reason, back_in = form.get("reason", "").strip(), form.get("what") == "back"
    if not (reason or back_in) or len(reason) > LONGEST_REASON:
        raise HTTPException(422)
    reasons = dict(await run_in_threadpool(read_left_out, study.folder))
    for name in ticked:
        reasons.pop(name, None)
        if not back_in:
            reasons[name] = reason
    await run_in_threadpool(write_left_out, study.folder, reasons)
    context.service.left_out_mark(study).touch()
    return see_other(back)


def ticked_in(form: Mapping[str, str]) -> list[str]:
    """Return the pictures that are ticked in a form, by the digits of their names."""
    return [name[2:] for name in form if _TICKED.fullmatch(name)]


@router.get("/s/{key}/side-by-side")
async def show_side_by_side(request: Request, key: str) -> Response:
    """Show what two models drew for the same prompt, with the same seed where there is one."""
    context = studio_context(request)
    study = await context.study(key)
    asked = request.query_params
    page = await run_in_threadpool(context.service.index(study).page, {}, 1)
    known = {facet.name: facet.values for facet in page.facets}
    models = known.get("model", [])
    one = asked.get("one", models[0] if models else "")
    other = asked.get("other", next((name for name in models if name != one), one))
    term = asked.get("term", "")
    number = _number(asked.get("page", "1"))
    pairs = await run_in_threadpool(side_by_side, context.service.index(study), (one, other), term, number)

    def link(number: int) -> str:
        return f"/s/{key}/side-by-side?{urlencode({'one': one, 'other': other, 'term': term, 'page': number})}"

    values = {"study": study, "models": models, "one": one, "other": other, "term": term, "page": pairs, "link": link}
    return context.render("side_by_side", t("Side by side"), {**values, "terms": known.get("term", [])})


@router.get("/s/{key}/missing")
async def show_missing(request: Request, key: str) -> Response:
    """Show what was asked for and is not there, and why; the address is a link to just these."""
    context = studio_context(request)
    study = await context.study(key)
    model, why = (request.query_params.get(name, "") for name in ("model", "why"))
    opened = await run_in_threadpool(OpenStudy.to_read, study.folder)
    number = _number(request.query_params.get("page", "1"))
    page = await run_in_threadpool(missing_pictures, opened, model, why, number)

    def link(number: int) -> str:
        return f"/s/{key}/missing?{urlencode({'model': model, 'why': why, 'page': number})}"

    values = {"study": study, "page": page, "model": model, "why": why, "link": link, "words": group_words}
    return context.render("missing", t("Missing pictures"), values)


@router.get("/s/{key}/picture/{name}")
async def show_picture(request: Request, key: str, name: str) -> Response:
    """Show one picture with all that is known of it."""
    context = studio_context(request)
    study = await context.study(key)
    rows = await run_in_threadpool(context.service.index(study).one, name) if _NAME.fullmatch(name) else []
    if not rows:
        raise HTTPException(404)
    wanted = {name: value for name, value in request.query_params.items() if value}
    opened = await run_in_threadpool(OpenStudy.to_read, study.folder)
    origin = await run_in_threadpool(picture_origin, opened, name[:64])
    before, after = await run_in_threadpool(context.service.index(study).neighbours, name, wanted)
    values = {"study": study, "row": rows[0], "people": people_in(rows, opened.attributes), "origin": origin}
    values |= {"before": before, "after": after, "chosen": urlencode(wanted)}
    return context.render("picture", rows[0]["prompt"], values)


@router.get("/s/{key}/thumbnail/{name}")
async def thumbnail(request: Request, key: str, name: str) -> Response:
    """Return a small copy of a picture."""
    return await _picture(request, key, name, THUMBNAIL)


@router.get("/s/{key}/image/{name}")
async def image(request: Request, key: str, name: str) -> Response:
    """Return a picture, at most 1024 x 1024."""
    return await _picture(request, key, name, LONGEST_SIDE)


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise HTTPException(404) from None


async def _picture(request: Request, key: str, name: str, longest: int) -> Response:
    context = studio_context(request)
    study = await context.study(key)
    try:
        data = await context.service.picture(study, name, longest)
    except InputError:
        raise HTTPException(404) from None
    return Response(data, media_type="image/jpeg", headers=_KEEP)
