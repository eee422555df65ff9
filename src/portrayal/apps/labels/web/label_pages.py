"""Pages on which raters label: a picture and the questions about the person in it."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from portrayal.apps.labels.web.questions import CANNOT_TELL, NOBODY, questions_about, read_choices
from portrayal.apps.labels.web.service import LabelsService
from portrayal.language.translation import t
from portrayal.records import PERSON
from portrayal.study.sql.rater import Rater
from portrayal.web.page_context import see_other
from portrayal.web.raters.answer_pages import PICTURE_CACHE
from portrayal.web.raters.dealt_tasks import NotOpenError
from portrayal.web.raters.rater_context import RaterContext, rater_context

__all__ = ["router"]

router = APIRouter()


@router.get("/label")
async def show_picture(request: Request) -> Response:
    """Show the open picture, dealt now if need be."""
    context = rater_context(request)
    rater = context.require_rater()
    if (path := context.next_path(rater)) != "/label":
        return see_other(path)
    again = request.query_params.get("note") == "again"
    return await _page(context, rater, t("That picture is already stored. Here is the next one.") if again else "")


@router.post("/label")
async def keep_label(request: Request) -> Response:
    """Keep what the rater sees in the picture that was shown, and go on."""
    context = rater_context(request)
    rater = context.require_rater()
    form = await context.form()
    if (path := context.next_path(rater)) != "/label":
        return see_other(path)
    service: LabelsService = context.service
    choices, missing = read_choices(service.asked.attributes, form)
    if missing:
        task = await service.current_task(rater.id)
        if task is None or task.id != form.get("task"):
            return await _not_open(context, rater)
        names = ", ".join(one.name for one in questions_about(service.asked.attributes) if one.attribute in missing)
        message = t("Please answer: {questions}. Choose “Cannot tell” where you cannot.", questions=names)
        return await _page(context, rater, message, status=422, choices=choices)
    try:
        kept = await service.label(rater.id, form.get("task", ""), choices)
    except NotOpenError:
        return await _not_open(context, rater)
    return see_other("/label" if kept else "/label?note=again")


@router.get("/picture/{task}")
async def picture(request: Request, task: str) -> Response:
    """Return a picture that was dealt to this rater, and nothing that tells whose it is."""
    context: RaterContext[LabelsService] = rater_context(request)
    shown = context.service.dealt_task(context.rater.id, task) if context.rater else None
    if shown is None:
        raise HTTPException(404)
    known = context.service.state.pictures[shown.key]
    data = await context.raters.pictures.get(f"{known.image}.{known.ext}")
    return Response(data, media_type="image/jpeg", headers={"Cache-Control": PICTURE_CACHE})


async def _not_open(context: RaterContext[LabelsService], rater: Rater) -> Response:
    message = t("That picture was no longer open, so nothing was stored. Please look at this one.")
    return await _page(context, rater, message, status=409)


async def _page(
    context: RaterContext[LabelsService],
    rater: Rater,
    message: str,
    status: int = 200,
    choices: Mapping[str, str] | None = None,
) -> Response:
    service = context.service
    task = await service.current_task(rater.id)
    if task is None:
        return see_other("/done")
    progress = service.progress(rater.id)
    given = {name: said or CANNOT_TELL for name, said in (choices or {}).items() if name != PERSON}
    values = {
        "task": task.id,
        "about": _about(task.side),
        "progress": progress,
        "can_undo": service.can_undo(rater.id),
        "message": message,
        "questions": questions_about(service.asked.attributes),
        "choices": given,
        "nobody": NOBODY,
        "prompt": service.state.pictures[task.key].prompt if service.config.show_prompt else "",
    }
    heading = t("Picture {number} of {total}", number=progress.done + 1, total=progress.total)
    return context.show("label", heading, values, status)


def _about(side: str) -> str:
    match side:
        case "left":
            return t("This is about the person on the left.")
        case "right":
            return t("This is about the person on the right.")
        case _:
            return ""
