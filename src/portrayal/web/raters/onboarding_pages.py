"""Pages before a rater's first task: the link, joining, consent, questions, and the language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from portrayal.language.translation import LANGUAGES, spoken, t
from portrayal.web.page_context import enter, need_link, see_other, too_many_requests
from portrayal.web.raters.rater_context import RaterContext, admin_context, rater_context
from portrayal.web.raters.rater_questions import LONGEST_ANSWER, questions_for, read_answers
from portrayal.web.requested_language import keep_language
from portrayal.web.security.request_body import read_form

__all__ = ["router"]

router = APIRouter()


@router.get("/")
async def show_start(request: Request) -> Response:
    """Go on where the rater stopped, offer to join, or say that a link is needed."""
    context = rater_context(request)
    if context.rater is not None:
        return see_other(context.next_path(context.rater))
    if context.service.config.open:
        return context.show("join", t("Take part"), _effort(context))
    return need_link(context, 200)


@router.get("/r/{token}")
async def open_link(request: Request, token: str) -> Response:
    """Let in who has a personal link."""
    context = rater_context(request)
    rater = context.service.rater_by_token(token)
    who, path = (rater.id, context.next_path(rater)) if rater else ("", "/")
    current = context.rater.id if context.rater else ""
    return enter(context, who, current, path) or need_link(context, 404)


@router.post("/join")
async def join(request: Request) -> Response:
    """Make a rater of a visitor, and show the link that leads back."""
    context = rater_context(request)
    await context.form()
    if context.rater is not None:
        return see_other(context.next_path(context.rater))
    if not context.service.config.open:
        raise HTTPException(404)
    if wait := context.raters.join_throttle.attempt(context.site.client(request)):
        raise too_many_requests(wait)
    token = await context.service.join(spoken())
    rater = context.service.rater_by_token(token)
    assert rater is not None
    session = context.site.sessions.new(rater.id)
    joined = RaterContext(request, context.site, session, context.raters, rater)
    link = context.site.settings.link(token)
    response = joined.show("raters/joined", t("Your personal link"), {"link": link})
    context.site.sessions.set_cookie(response, session)
    return response


@router.get("/consent")
async def show_consent(request: Request) -> Response:
    """Say what taking part means."""
    context = rater_context(request)
    rater = context.require_rater()
    if rater.consented_at is not None:
        return see_other(context.next_path(rater))
    consent = context.service.config.consent
    consent_text = consent.get(spoken()) or next(iter(consent.values()), "")
    return context.show("consent", t("Before you begin"), {"consent_text": consent_text, **_effort(context)})


@router.post("/consent")
async def give_consent(request: Request) -> Response:
    """Store that the rater agrees."""
    context = rater_context(request)
    rater = context.require_rater()
    await context.form()
    if rater.consented_at is None:
        await context.service.record_consent(rater.id, spoken())
    return see_other(_next_path(context))


@router.get("/questions")
async def show_questions(request: Request) -> Response:
    """Ask about the rater; every answer is voluntary."""
    context = rater_context(request)
    if (path := context.next_path(context.require_rater())) != "/questions":
        return see_other(path)
    questions = questions_for(context.service.config)
    return context.show("raters/questions", t("About you"), {"questions": questions, "longest": LONGEST_ANSWER})


@router.post("/questions")
async def answer_questions(request: Request) -> Response:
    """Store the answers, once."""
    context = rater_context(request)
    rater = context.require_rater()
    form = await context.form()
    if context.next_path(rater) == "/questions":
        given: Mapping[str, str] = {} if form.get("skip") else form
        answers = read_answers(questions_for(context.service.config), given)
        await context.service.record_answers(rater.id, answers)
    return see_other(_next_path(context))


@router.post("/language")
async def change_language(request: Request) -> Response:
    """Speak another language from now on."""
    rater, admin = rater_context(request), admin_context(request)
    form = await read_form(request)
    context = admin if admin.is_admin and admin.site.csrf.has_token(form, admin.session) else rater
    context.site.csrf.check(request, form, context.session)
    language, back = form.get("language", ""), form.get("to", "/")
    if language not in LANGUAGES:
        raise HTTPException(400)
    known = context.raters.pages.return_paths
    response = see_other(back if back in known else "/admin" if context.is_admin else "/")
    keep_language(response, context.site, language)
    if context.rater is not None:
        await context.service.set_language(context.rater.id, language)
    return response


def _next_path(context: RaterContext[Any]) -> str:
    rater = context.service.rater(context.require_rater().id)  # as it stands now
    assert rater is not None
    return context.next_path(rater)


def _effort(context: RaterContext[Any]) -> dict[str, int]:
    service, rater = context.service, context.rater
    total = service.progress(rater.id).total if rater else service.tasks_for_newcomers()
    return {"total": total, "minutes": max(1, round(total * context.raters.pages.seconds / 60))}
