"""Pages before the first question: the link, consent, how to judge, and the language."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from portrayal.apps.graph.annotations.judgements import Annotator
from portrayal.apps.graph.web.request_context import RequestContext, annotator_context, return_path
from portrayal.apps.graph.web.service import session_name
from portrayal.language.translation import LANGUAGES, spoken, t
from portrayal.web.page_context import enter, need_link, see_other
from portrayal.web.requested_language import keep_language

__all__ = ["next_path", "router"]

router = APIRouter()

_SECONDS_EACH = 45


def next_path(context: RequestContext, annotator: Annotator, after: int = 0) -> str:
    """Return the page that an annotator has to see next."""
    if annotator.consented_at is None:
        return "/consent"
    number = context.service.next_page(annotator.id, after)
    return "/done" if number is None else f"/vertex/{number}"


@router.get("/")
async def show_start(request: Request) -> Response:
    """Go on where the annotator stopped, or say that a link is needed."""
    context = annotator_context(request)
    if context.annotator is None:
        return need_link(context, 200)
    return see_other(next_path(context, context.annotator))


@router.get("/r/{token}")
async def open_link(request: Request, token: str) -> Response:
    """Let in who has a personal link."""
    context = annotator_context(request)
    annotator = context.service.annotator_by_token(token)
    who, path = (session_name(annotator), next_path(context, annotator)) if annotator else ("", "/")
    current = session_name(context.annotator) if context.annotator else ""
    return enter(context, who, current, path) or need_link(context, 404)


@router.get("/consent")
async def show_consent(request: Request) -> Response:
    """Say what taking part means."""
    context = annotator_context(request)
    annotator = context.require_annotator()
    if annotator.consented_at is not None:
        return see_other(next_path(context, annotator))
    total = len(context.service.pages)
    minutes = max(1, round(total * _SECONDS_EACH / 60))
    about = context.guidelines.about
    values = {"about": about, "name": annotator.name, "total": total, "minutes": minutes}
    return context.render("consent", t("Before you begin"), values)


@router.post("/consent")
async def give_consent(request: Request) -> Response:
    """Store that the annotator agrees."""
    context = annotator_context(request)
    annotator = context.require_annotator()
    await context.form()
    if annotator.consented_at is None:
        await context.service.record_consent(annotator.id, spoken())
    return see_other("/guidelines")


@router.get("/guidelines")
async def show_guidelines(request: Request) -> Response:
    """Say how to judge."""
    context = annotator_context(request)
    annotator = context.require_annotator()
    if annotator.consented_at is None:
        return see_other("/consent")
    values = {"guidelines": context.guidelines, "begun": context.service.done(annotator.id) > 0}
    return context.render("guidelines", t("How to judge"), values)


@router.post("/language")
async def change_language(request: Request) -> Response:
    """Speak another language from now on."""
    context = annotator_context(request)
    form = await context.form()
    language = form.get("language", "")
    if language not in LANGUAGES:
        raise HTTPException(400)
    response = see_other(return_path(form.get("to", "/")))
    keep_language(response, context.site, language)
    if context.annotator is not None:
        await context.service.set_language(context.annotator.id, language)
    return response
