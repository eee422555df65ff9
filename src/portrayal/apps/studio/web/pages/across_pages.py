"""Across studies: what changed over releases, and the atlas: a table to sort, models side by side, charts."""

from __future__ import annotations

import mimetypes
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from portrayal.apps.studio.across.kept_evaluations import Evaluation, KeptEvaluations
from portrayal.apps.studio.across.releases import releases_of
from portrayal.apps.studio.listed_studies import ListedStudy
from portrayal.apps.studio.web.request_context import RequestContext, studio_context
from portrayal.errors import InputError, PortrayalError
from portrayal.inputfile import read_regular
from portrayal.language.translation import t
from portrayal.web.security.headers import SANDBOX

__all__ = ["router"]

router = APIRouter()

MOST_STUDIES, MOST_MODELS, MOST_ROWS = 50, 12, 500
_LARGEST = 100_000_000
_KINDS = (".html", ".csv", ".svg")


@router.get("/history")
async def show_history(request: Request) -> Response:
    """Show what changed from study to study; the address is a link to just this."""
    context = studio_context(request)
    context.require_auditor()
    listed = [study for study, _ in await context.service.studies() if _is_measured(study)]
    keys = request.query_params.getlist("s")[:MOST_STUDIES]
    by_date = request.query_params.get("order", "date") == "date"
    releases, message = None, ""
    if keys:
        try:
            releases = await run_in_threadpool(releases_of, await _folders(context, keys), by_date=by_date)
        except PortrayalError as error:
            message = str(error)
    chosen = urlencode([("s", key) for key in keys] + [("order", "date" if by_date else "given")])
    values = {"listed": listed, "keys": keys, "by_date": by_date, "releases": releases, "chosen": chosen}
    return context.render("history", t("Over releases"), {**values, "message": message})


@router.get("/history/page")
async def show_history_page(request: Request) -> Response:
    """Return the page with charts and tables."""
    context = studio_context(request)
    context.require_auditor()
    keys = request.query_params.getlist("s")[:MOST_STUDIES]
    by_date = request.query_params.get("order", "date") == "date"
    try:
        releases = await run_in_threadpool(releases_of, await _folders(context, keys), by_date=by_date)
    except PortrayalError:
        raise HTTPException(404) from None
    return _sandboxed(releases.page, "text/html")


@router.get("/atlas")
async def show_atlas(request: Request) -> Response:
    """Show the evaluations that were kept, sorted as the address says, and chosen models side by side."""
    return await _atlas_page(studio_context(request))


@router.post("/atlas")
async def change_atlas(request: Request) -> Response:
    """Keep the numbers of a study, or bring a table in."""
    context = studio_context(request)
    context.require_auditor()
    form = await context.form()
    atlas = KeptEvaluations(context.service.root)
    try:
        if form.get("what") == "table":
            said = await run_in_threadpool(atlas.bring_in, form.get("table", ""))
        else:
            study = await context.study(form.get("study", ""))
            said = await run_in_threadpool(atlas.keep, study, form.get("run", "").strip()[:200])
    except PortrayalError as error:
        return await _atlas_page(context, str(error), 422)
    return await _atlas_page(context, said)


@router.get("/atlas/report/{path:path}")
async def show_atlas_report(request: Request, path: str) -> Response:
    """Return the page with charts, written anew, or a file beside it."""
    context = studio_context(request)
    context.require_auditor()
    name = PurePosixPath(path or "index.html")
    atlas = KeptEvaluations(context.service.root)
    if len(name.parts) != 1 or name.suffix not in _KINDS or not atlas.exists:
        raise HTTPException(404)
    folder = atlas.folder / "report"
    try:
        if name.name == "index.html":
            models = request.query_params.getlist("m")[:MOST_MODELS]
            folder = await run_in_threadpool(atlas.page, request.query_params.get("score", ""), models)
        data = await run_in_threadpool(read_regular, folder / name, _LARGEST)
    except (OSError, PortrayalError):
        raise HTTPException(404) from None
    return _sandboxed(data, mimetypes.types_map.get(name.suffix, "application/octet-stream"))


@router.get("/atlas/compared/{key}/{name}")
async def show_compared_file(request: Request, key: str, name: str) -> Response:
    """Return a picture or the table of models side by side."""
    context = studio_context(request)
    context.require_auditor()
    data = await run_in_threadpool(KeptEvaluations(context.service.root).compared_file, key, name)
    if data is None:
        raise HTTPException(404)
    return _sandboxed(data, mimetypes.types_map[PurePosixPath(name).suffix])


async def _atlas_page(context: RequestContext, message: str = "", status: int = 200) -> Response:
    context.require_auditor()
    asked = context.request.query_params
    atlas = KeptEvaluations(context.service.root)
    models = asked.getlist("m")[:MOST_MODELS]
    rows, beside = [], None
    try:
        rows = await run_in_threadpool(atlas.rows)
        beside = await run_in_threadpool(atlas.side_by_side, models) if models else None
    except PortrayalError as error:
        message = message or str(error)
    scores = list(dict.fromkeys(score for row in rows for score in row.scores))
    sort, down = asked.get("sort", "model"), asked.get("dir") == "down"
    shown = sorted(rows, key=lambda row: _place(row, sort, down=down), reverse=down)
    listed = [study for study, _ in await context.service.studies() if _is_measured(study)]

    def link(column: str) -> str:
        turned = "down" if sort == column and not down else "up"
        return f"/atlas?{urlencode([('sort', column), ('dir', turned), *(('m', model) for model in models)])}"

    values: Mapping[str, Any] = {"rows": shown[:MOST_ROWS], "total": len(rows), "scores": scores, "sort": sort}
    chosen = {"down": down, "link": link, "models": models, "beside": beside, "listed": listed, "message": message}
    return context.render("atlas", t("Atlas of models"), {**values, **chosen}, status)


def _place(row: Evaluation, column: str, *, down: bool) -> tuple[bool, Any]:
    """Return what a row is sorted by; rows without a value come last either way."""
    if column in row.scores:
        return (down, row.scores[column])
    if column == "images" and row.images is not None:
        return (down, row.images)
    if column in ("model", "protocol", "run"):
        return (down, str(getattr(row, column)).casefold())
    said = row.about.get(column, "")
    return (down, said.casefold()) if said else (not down, "")


async def _folders(context: RequestContext, keys: Sequence[str]) -> list[Any]:
    studies = [await context.study(key) for key in dict.fromkeys(keys)]
    if len(studies) < 2:
        raise InputError(t("Please choose two studies or more."))
    return [study.folder for study in studies]


def _is_measured(study: ListedStudy) -> bool:
    return not study.problem and any((study.folder / "tables" / "measurements").glob("*.parquet"))


def _sandboxed(data: bytes, kind: str) -> Response:
    return Response(data, media_type=kind, headers={"Content-Security-Policy": SANDBOX})
