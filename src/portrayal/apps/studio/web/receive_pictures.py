"""Takes the form with pictures as it comes: who sends it is known before the first byte of a file is kept."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from portrayal.apps.studio.own_pictures.picture_drop import CountedFile, PictureDrop
from portrayal.apps.studio.own_pictures.right_endings import put_endings_right
from portrayal.apps.studio.own_pictures.staged import StagedPictures
from portrayal.apps.studio.own_pictures.unpack import is_archive, unpack
from portrayal.apps.studio.web.request_context import RequestContext
from portrayal.errors import InputError
from portrayal.language.translation import t
from portrayal.web.uploads.multipart import FormPart, MultipartForm, boundary_of

__all__ = ["FOLDER", "receive_pictures"]

FOLDER = "folder"
"""The field of a folder that was chosen: its own name stands before all paths, and means nothing."""
_BLOCK = 2**20
_MOST_FIELDS, _MOST_FIELD_BYTES = 16, 4_096


async def receive_pictures(context: RequestContext, staged: StagedPictures) -> Mapping[str, str]:
    """Keep the pictures of a form, and return its other fields; where that ends with an error nothing is kept."""
    boundary = boundary_of(context.request.headers.get("content-type", ""))
    if boundary is None:
        raise HTTPException(415)
    drop, fields = PictureDrop(staged.pictures), dict[str, str]()
    try:
        checked = False
        async for part in MultipartForm(context.request.stream(), boundary).parts():
            if part.file is None:
                fields[part.name] = await _text(part, len(fields))
                continue
            if not checked:  # the token stands before the files
                context.site.csrf.check(context.request, fields, context.session)
                checked = True
            if part.file:
                await _keep(part, part.file, staged, drop)
        context.site.csrf.check(context.request, fields, context.session)
        if not drop.files:
            raise InputError(_nothing(drop))
        await run_in_threadpool(put_endings_right, staged.pictures)
    except BaseException:
        await run_in_threadpool(staged.discard)
        raise
    staged.remember(drop)
    return fields


async def _keep(part: FormPart, name: str, staged: StagedPictures, drop: PictureDrop) -> None:
    inside = name.replace("\\", "/").partition("/")[2] if part.name == FOLDER else name
    if is_archive(name):
        archive = staged.folder / "archive.zip"
        with archive.open("wb") as file:
            await _copy(part.content, CountedFile(file, drop, None))
        await run_in_threadpool(unpack, archive, name.rpartition("/")[2], drop)
        archive.unlink()
    elif (parts := drop.wants(inside or name)) is not None:
        with drop.writing(parts) as file:
            await _copy(part.content, file)


async def _copy(content: AsyncIterator[bytes], file: CountedFile) -> None:
    """Write what comes, some at a time, so that other pages are answered meanwhile."""
    waiting = bytearray()
    async for piece in content:
        waiting += piece
        if len(waiting) >= _BLOCK:
            await run_in_threadpool(file.write, bytes(waiting))
            waiting.clear()
    if waiting:
        await run_in_threadpool(file.write, bytes(waiting))


async def _text(part: FormPart, before: int) -> str:
    text = bytearray()
    async for piece in part.content:
        text += piece
        if len(text) > _MOST_FIELD_BYTES or before >= _MOST_FIELDS:
            raise HTTPException(400, headers={"Connection": "close"})
    return text.decode("utf-8", "replace")


def _nothing(drop: PictureDrop) -> str:
    if drop.passed_over:
        return t("No picture was among the files: {names}.", names=drop.passed_over_words)
    return t("Please choose pictures, a folder of them, or a zip file.")
