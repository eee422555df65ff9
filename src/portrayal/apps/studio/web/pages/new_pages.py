"""A new study in four questions: what a method asks, before anything is made, and the study."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from portrayal.apps.studio.listed_studies import study_key
from portrayal.apps.studio.new.asked import FIRST_TERMS, SOME, Preview, preview
from portrayal.apps.studio.new.choices import offered_choices
from portrayal.apps.studio.new.new_study import EQUAL, create_from_form
from portrayal.apps.studio.new.part_settings import FIRST, SECOND, SETTINGS, settings_of
from portrayal.apps.studio.new.suite_questions import suite_questions
from portrayal.apps.studio.web.request_context import RequestContext, studio_context
from portrayal.errors import PortrayalError
from portrayal.language.translation import t
from portrayal.methods import DEFAULT
from portrayal.web.page_context import see_other

__all__ = ["router"]

router = APIRouter()

_FIELDS = ("title", "prompts", "annotator", "beside", "generator-model", "annotator-model", "beside-model")
_OF_SUITE = ("target", "sample", "draw-workflow")
USUAL_IMAGES = 24
"""Images of each prompt that the form has ready."""
MOST_FIELDS = 900
"""Of the form: each term is one."""
_LOOK = "look"
"""The button that shows what would be asked, and makes nothing."""


@router.get("/new")
async def show_new(request: Request) -> Response:
    """Ask four questions, each with an answer ready."""
    context = studio_context(request)
    context.require_auditor()
    method = request.query_params.get("method", DEFAULT)
    return await _form(context, {"method": method} if _is_known(method) else {})


@router.post("/new")
async def create_new(request: Request) -> Response:
    """Write study.toml as ``portrayal init`` does; or show what would be asked."""
    context = studio_context(request)
    context.require_auditor()
    form = await context.form(MOST_FIELDS)
    root = context.service.root
    try:
        if form.get("what") == _LOOK:
            shown = await run_in_threadpool(_preview, form) if _is_known(form.get("method", "")) else None
            return await _form(context, form, shown=shown)
        folder = await run_in_threadpool(create_from_form, root, form)
    except PortrayalError as error:
        return await _form(context, form, str(error), 422)
    return see_other(f"/s/{study_key(root, folder)}")


def _is_known(method: str) -> bool:
    return any(choice.name == method and not choice.off for choice in offered_choices().methods)


def _preview(form: Mapping[str, str]) -> Preview:
    with tempfile.TemporaryDirectory() as folder:
        return preview(form, form["method"], Path(folder))


async def _form(
    context: RequestContext, form: Mapping[str, str], message: str = "", status: int = 200, shown: Preview | None = None
) -> Response:
    values = await run_in_threadpool(_values, form)
    return context.render("new", t("New study"), {**values, "message": message, "shown": shown}, status)


def _values(form: Mapping[str, str]) -> Mapping[str, Any]:
    method = form.get("method", DEFAULT)
    method = method if _is_known(method) else DEFAULT
    choices, questions = offered_choices(method), suite_questions(method)
    known = {term for names in (questions.terms or {}).values() for term in names}
    asked = {name: value for name, value in form.items() if name.startswith(("term-", "set-"))}
    ticked = {value for name, value in asked.items() if name.startswith("term-")} & known
    # What another method asks is not ticked any more; then what is ticked at first is.
    fresh = form.get("before") != method
    if fresh:
        ticked = set(FIRST_TERMS) & known
    settings = {choice.name: settings_of(choice.name) for choice in choices.generators if not choice.remedy}
    ready = dict.fromkeys(
        (*_FIELDS, *_OF_SUITE, *(f"{field}{name}" for field in (FIRST, SECOND) for name in SETTINGS)), ""
    ) | {
        "reference": EQUAL,
        "generator": next((choice.name for choice in choices.generators if choice.name == "facegan"), ""),
        "images": str(USUAL_IMAGES),
        "asked": SOME,
    }
    return {
        "choices": choices,
        "questions": questions,
        "about_terms": t(questions.words),
        "ticked": ticked,
        "sets": set() if fresh else {f"{name.rpartition('-')[0]}={value}" for name, value in asked.items()},
        "usual": DEFAULT,
        "form": {**ready, **form, "method": method},
        "settings": {name: [who for who, takes in settings.items() if name in takes] for name in SETTINGS},
        "workflows": [who for who, takes in settings.items() if "workflow" in takes],
    }
