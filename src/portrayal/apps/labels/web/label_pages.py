"""Pages on which raters label: a picture and the questions about the person in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from portrayal.apps.labels.labelling.picture import LabelTask
from portrayal.apps.labels.web.questions import CANNOT_TELL, NOBODY, questions_about, read_choices
from portrayal.apps.labels.web.service import LabelsService
from portrayal.language.translation import t
from portrayal.records import PERSON
from portrayal.web.raters.rater_context import RaterContext, rater_context
from portrayal.web.raters.task_pages import TaskPage, picture_response

__all__ = ["router"]

router = APIRouter()


class LabelPage(TaskPage[LabelsService, LabelTask]):
    """The picture, with a question for each attribute."""

    name = "label"
    task_field = "task"

    def already_stored(self) -> str:
        """Say that the picture was labelled before."""
        return t("That picture is already stored. Here is the next one.")

    def not_open(self) -> str:
        """Say that the picture was not open."""
        return t("That picture was no longer open, so nothing was stored. Please look at this one.")

    def heading(self, number: int, total: int) -> str:
        """Say which picture it is."""
        return t("Picture {number} of {total}", number=number, total=total)

    def read(self, service: LabelsService, form: Mapping[str, str]) -> tuple[Mapping[str, str], str]:
        """Return the group for each attribute, and which ones are missing."""
        attributes = service.asked.attributes
        choices, missing = read_choices(attributes, form)
        names = ", ".join(one.name for one in questions_about(attributes) if one.attribute in missing)
        message = t("Please answer: {questions}. Choose “Cannot tell” where you cannot.", questions=names)
        return choices, message if missing else ""

    async def keep(self, service: LabelsService, rater_id: str, task_id: str, choices: Mapping[str, str]) -> bool:
        """Keep the label."""
        return await service.label(rater_id, task_id, choices)

    def values(self, service: LabelsService, task: LabelTask, choices: Mapping[str, str]) -> Mapping[str, Any]:
        """Return the questions, and of the picture what the study lets raters know."""
        return {
            "about": _about(task.side),
            "questions": questions_about(service.asked.attributes),
            "choices": {name: said or CANNOT_TELL for name, said in choices.items() if name != PERSON},
            "nobody": NOBODY,
            "prompt": service.state.pictures[task.key].prompt if service.config.show_prompt else "",
        }


LabelPage().add_to(router)


@router.get("/picture/{task}")
async def picture(request: Request, task: str) -> Response:
    """Return a picture that was dealt to this rater, and nothing that tells whose it is."""
    context: RaterContext[LabelsService] = rater_context(request)
    shown = context.service.dealt_task(context.rater.id, task) if context.rater else None
    if shown is None:
        raise HTTPException(404)
    known = context.service.state.pictures[shown.key]
    data = await context.raters.pictures.get(f"{known.image}.{known.ext}")
    return picture_response(data)


def _about(side: str) -> str:
    match side:
        case "left":
            return t("This is about the person on the left.")
        case "right":
            return t("This is about the person on the right.")
        case _:
            return ""
