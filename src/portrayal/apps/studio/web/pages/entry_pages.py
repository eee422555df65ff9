"""The way in: the link, the list of studies, a new study, and the language."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from portrayal.apps.studio.asked import FIRST_TERMS, SOME, usual_terms
from portrayal.apps.studio.listed_studies import study_key
from portrayal.apps.studio.new_study import EQUAL, choices, create_from_form
from portrayal.apps.studio.web.request_context import (
    AUDITOR,
    RequestContext,
    is_the_link,
    return_path,
    studio_context,
)
from portrayal.errors import PortrayalError
from portrayal.language.translation import LANGUAGES, t
from portrayal.methods import DEFAULT
from portrayal.web.page_context import enter, see_other
from portrayal.web.requested_language import keep_language

__all__ = ["need_the_link", "router"]

router = APIRouter()

_FIELDS = ("title", "prompts", "annotator", "generator-model", "annotator-model")
USUAL_IMAGES = 24
"""Images of each prompt that the form has ready."""
MOST_FIELDS = 400
"""Of the form: each term is one."""


def need_the_link(context: RequestContext, status: int) -> Response:
    """Say that the studio is opened by the link that the command printed."""
    return context.render("need_link", t("Open the link"), status=status)


@router.get("/")
async def show_studies(request: Request) -> Response:
    """List the studies of the folder."""
    context = studio_context(request)
    if context.auditor is None:
        return need_the_link(context, 200)
    values = {"studies": await context.service.studies(), "root": str(context.service.root)}
    return context.render("studies", t("Studies"), values)


@router.get("/r/{token}")
async def open_link(request: Request, token: str) -> Response:
    """Let in who has the link."""
    context = studio_context(request)
    who = AUDITOR if is_the_link(context.service, token) else ""
    return enter(context, who, context.auditor or "", "/") or need_the_link(context, 404)


@router.get("/new")
async def show_new(request: Request) -> Response:
    """Ask four questions, each with an answer ready."""
    context = studio_context(request)
    context.require_auditor()
    return _form(context, {})


@router.post("/new")
async def create_new(request: Request) -> Response:
    """Write study.toml as ``portrayal init`` does."""
    context = studio_context(request)
    context.require_auditor()
    form = await context.form(MOST_FIELDS)
    root = context.service.root
    try:
        folder = await run_in_threadpool(create_from_form, root, form)
    except PortrayalError as error:
        return _form(context, form, str(error), 422)
    return see_other(f"/s/{study_key(root, folder)}")


@router.post("/language")
async def change_language(request: Request) -> Response:
    """Speak another language from now on."""
    context = studio_context(request)
    form = await context.form()
    if form.get("language") not in LANGUAGES:
        raise HTTPException(400)
    response = see_other(return_path(form.get("to", "/")))
    keep_language(response, context.site, form["language"])
    return response


def _form(context: RequestContext, form: Mapping[str, str], message: str = "", status: int = 200) -> Response:
    ready = dict.fromkeys(_FIELDS, "") | {
        "method": DEFAULT,
        "reference": EQUAL,
        "generator": "facegan",
        "images": str(USUAL_IMAGES),
        "asked": SOME,
    }
    ticked = {value for name, value in form.items() if name.startswith("term-")} if form else set(FIRST_TERMS)
    values = {"choices": choices(), "terms": usual_terms(), "ticked": ticked, "usual": DEFAULT}
    values |= {"form": {**ready, **form}, "message": message}
    return context.render("new", t("New study"), values, status)
