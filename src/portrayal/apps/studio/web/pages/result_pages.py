"""What came out: the report as it was written, and models or studies compared."""

from __future__ import annotations

import io
import mimetypes
import zipfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from portrayal.api.study import Study
from portrayal.apps.studio.web.perceived import group_words, title_of
from portrayal.apps.studio.web.request_context import studio_context
from portrayal.errors import InputError, PortrayalError
from portrayal.inputfile import read_regular
from portrayal.language.translation import spoken, t
from portrayal.records import Attribute
from portrayal.study.study import OpenStudy
from portrayal.web.security.headers import SANDBOX

__all__ = ["router"]

router = APIRouter()

MOST_ROWS = 200
_LARGEST = 500_000_000
_KINDS = (".html", ".csv", ".json", ".svg", ".png", ".md", ".tex", ".pdf")


@router.get("/s/{key}/report/{path:path}")
async def show_report(request: Request, key: str, path: str) -> Response:
    """Return a file of the report, which can do nothing but show itself."""
    context = studio_context(request)
    study = await context.study(key)
    relative = PurePosixPath(path or "index.html")
    if relative.is_absolute() or ".." in relative.parts or relative.suffix not in _KINDS:
        raise HTTPException(404)
    file = study.folder / "report" / relative
    if not file.resolve().is_relative_to((study.folder / "report").resolve()):
        raise HTTPException(404)
    try:
        data = await run_in_threadpool(read_regular, file, _LARGEST)
    except (OSError, InputError):
        raise HTTPException(404) from None
    kind = mimetypes.types_map.get(relative.suffix, "application/octet-stream")
    return Response(data, media_type=kind, headers={"Content-Security-Policy": SANDBOX})


@router.get("/s/{key}/report.zip")
async def download_report(request: Request, key: str) -> Response:
    """Return the report as a folder that anybody can open, without a server."""
    context = studio_context(request)
    study = await context.study(key)
    folder = study.folder / "report"
    if not study.report.is_file():
        raise HTTPException(404)
    named = {"Content-Disposition": f'attachment; filename="report-{key}.zip"'}
    return Response(await run_in_threadpool(_zipped, folder), media_type="application/zip", headers=named)


def _zipped(folder: Path) -> bytes:
    """Return the files of a report as an archive; what is no file of the report is left out, such as links."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.suffix in _KINDS and path.is_file() and not path.is_symlink():
                archive.writestr(f"report/{path.relative_to(folder).as_posix()}", read_regular(path, _LARGEST))
    return buffer.getvalue()


@router.get("/s/{key}/compare")
async def show_compared(request: Request, key: str) -> Response:
    """Compare the models of a study, or two studies."""
    context = studio_context(request)
    study = await context.study(key)
    other_key = request.query_params.get("other", "")
    other = await context.study(other_key) if other_key else None
    listed = [each for each, _ in await context.service.studies()]
    others = await run_in_threadpool(context.service.comparable.beside, study, listed)
    compared, message = None, ""
    try:
        compare = partial(Study(study.folder).compare, other.folder if other else None, language=spoken())
        compared = await run_in_threadpool(compare)
    except PortrayalError as error:
        message = str(error).replace(f"{study.folder}: ", "")
    attributes = (await run_in_threadpool(OpenStudy.to_read, study.folder)).attributes if compared else {}
    rows = [_shown(row, attributes) for row in compared.to_arrow().slice(0, MOST_ROWS).to_pylist()] if compared else []
    values: dict[str, Any] = {
        "study": study,
        "other": other,
        "others": others,
        "compared": compared,
        "rows": rows,
        "message": message,
    }
    values["more"] = max(len(compared) - MOST_ROWS, 0) if compared else 0
    values["alone"] = bool(message) and other is None
    return context.render("compare", t("Compare"), values)


def _shown(row: Mapping[str, Any], attributes: Mapping[str, Attribute]) -> dict[str, Any]:
    """Return a comparison with what it is about in words: the group of an attribute, or the name of a score."""
    parts = [title_of(row["attribute"], attributes) if row["attribute"] else ""]
    parts.append(group_words(row["group"]) if row["group"] else group_words(row["metric"]))
    return {**row, "what": ": ".join(filter(None, parts))}
