"""Taking away: a study as files, and any view as a folder that opens without a server."""

from __future__ import annotations

import io
import re
import tempfile
import zipfile
from collections.abc import AsyncIterator, Sequence
from typing import IO
from urllib.parse import parse_qsl, urlencode

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.types import Message

from portrayal.apps.studio.listed_studies import ListedStudy
from portrayal.apps.studio.sharing.packing import FORMS, PackingState
from portrayal.apps.studio.sharing.static_copy import STYLE, page_name, static_copy
from portrayal.apps.studio.web.pages.picture_pages import MOST_TICKED, ticked_in
from portrayal.apps.studio.web.request_context import VIEW, RequestContext, studio_context
from portrayal.errors import InputError, PortrayalError
from portrayal.language.translation import t
from portrayal.study.study import OpenStudy
from portrayal.web.page_context import see_other

__all__ = ["router"]

router = APIRouter()

MOST_PAGES = 30
"""Of a wall of pictures in a folder: 1,800 pictures."""
MOST_ORIGINALS = 20_000
_PAGES = re.compile(r'data-pages="(\d+)"')
_BLOCK = 2**20


@router.get("/s/{key}/share")
async def show_share(request: Request, key: str) -> Response:
    """Show what can be taken away."""
    context = studio_context(request)
    return await _page(context, await context.study(key))


@router.post("/s/{key}/share")
async def make_form(request: Request, key: str) -> Response:
    """Begin to make one of the forms."""
    context = studio_context(request)
    study = await context.study(key)
    form = await context.form()
    try:
        await run_in_threadpool(context.service.packing.start, study, form.get("form", ""))
    except PortrayalError as error:
        return await _page(context, study, str(error), 422)
    return see_other(f"/s/{key}/share")


@router.get("/s/{key}/packed/{name}")
async def take_form(request: Request, key: str, name: str) -> Response:
    """Return the file of a form that was made."""
    context = studio_context(request)
    study = await context.study(key)
    packed = await run_in_threadpool(context.service.packing.one, study, name) if name in FORMS else None
    if packed is None or packed.state is not PackingState.DONE or packed.file is None:
        raise HTTPException(404)
    return FileResponse(packed.file, media_type="application/octet-stream", filename=packed.file.name)


@router.get("/s/{key}/originals.zip")
async def take_originals(request: Request, key: str) -> Response:
    """Return the pictures that a filter leaves, byte for byte as they were drawn, with a list of them."""
    context = studio_context(request)
    study = await context.study(key)
    wanted = {name: value for name, value in request.query_params.items() if value}
    rows = await run_in_threadpool(context.service.index(study).rows, wanted, MOST_ORIGINALS)
    return await _sent(study, list(dict.fromkeys(file for file in rows["file"].to_pylist() if file)))


@router.post("/s/{key}/originals.zip")
async def take_ticked(request: Request, key: str) -> Response:
    """Return the ticked pictures, byte for byte as they were drawn."""
    context = studio_context(request)
    study = await context.study(key)
    ticked = ticked_in(await context.form(MOST_TICKED))
    return await _sent(study, await run_in_threadpool(context.service.index(study).files, ticked))


@router.get("/copy")
async def copy_view(request: Request) -> Response:
    """Return a view as a folder: what the page shows, without what only a server can do."""
    context = studio_context(request)
    context.require_auditor()
    path, _, query = request.query_params.get("of", "").partition("?")
    if not VIEW.fullmatch(path):
        raise HTTPException(404)
    file = await _copied(context, path, [(name, value) for name, value in parse_qsl(query) if name != "page"])
    named = {"Content-Disposition": 'attachment; filename="view.zip"'}
    return StreamingResponse(_blocks(file), media_type="application/zip", headers=named)


async def _copied(context: RequestContext, path: str, asked: list[tuple[str, str]]) -> IO[bytes]:
    first = (await _answer(context.request, path, urlencode(asked))).decode()
    found = _PAGES.search(first)
    pages = min(int(found[1]) if found else 1, MOST_PAGES)
    file = tempfile.TemporaryFile()  # noqa: SIM115 - closed once it was sent
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        style = b"\n".join(context.site.static_files[name] for name in context.site.styles)
        archive.writestr(f"view/{STYLE}", style)
        kept = set[str]()
        for number in range(1, pages + 1):
            page = (
                first
                if number == 1
                else (await _answer(context.request, path, urlencode([*asked, ("page", str(number))]))).decode()
            )
            copy = static_copy(page, number, pages)
            archive.writestr(f"view/{page_name(number)}", copy.text)
            for address, name in copy.pictures.items():
                if name not in kept:
                    kept.add(name)
                    where, _, of = address.partition("?")
                    archive.writestr(f"view/{name}", await _answer(context.request, where, of))
    return file


async def _answer(request: Request, path: str, query: str) -> bytes:
    """Return what the studio itself answers to whoever asks for a page; 404 where that is no page."""
    scope = {**request.scope, "method": "GET", "path": path, "raw_path": path.encode(), "query_string": query.encode()}
    for name in ("endpoint", "route", "path_params", "state", "fastapi_astack", "fastapi_inner_astack"):
        scope.pop(name, None)
    said = io.BytesIO()
    status = 0

    async def send(message: Message) -> None:
        nonlocal status
        if message["type"] == "http.response.start":
            status = message["status"]
        said.write(message.get("body", b""))

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    await request.app(scope, receive, send)
    if status != 200:
        raise HTTPException(404)
    return said.getvalue()


async def _sent(study: ListedStudy, files: Sequence[str]) -> Response:
    file = await run_in_threadpool(_originals, study, files)
    named = {"Content-Disposition": f'attachment; filename="pictures-{study.key}.zip"'}
    return StreamingResponse(_blocks(file), media_type="application/zip", headers=named)


def _originals(study: ListedStudy, files: Sequence[str]) -> IO[bytes]:
    images = OpenStudy.to_read(study.folder).workspace.images
    file = tempfile.TemporaryFile()  # noqa: SIM115 - closed once it was sent
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name in files:
            stem, _, ending = name.rpartition("/")[2].rpartition(".")
            try:
                archive.writestr(f"pictures/{stem}.{ending}", images.path(stem, ending).read_bytes())
            except (OSError, InputError):  # it was removed meanwhile
                continue
    return file


async def _blocks(file: IO[bytes]) -> AsyncIterator[bytes]:
    with file:
        file.seek(0)
        while block := await run_in_threadpool(file.read, _BLOCK):
            yield block


async def _page(context: RequestContext, study: ListedStudy, message: str = "", status: int = 200) -> Response:
    packed = await run_in_threadpool(context.service.packing.of, study)
    values = {"study": study, "packed": packed, "has_report": study.report.is_file(), "message": message}
    values["busy"] = any(each.state is PackingState.RUNNING for each in packed)
    return context.render("share", t("Take away"), values, status)
