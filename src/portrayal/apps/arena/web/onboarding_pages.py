"""Pages before the first comparison: the link, joining, consent, questions, and the language."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from portrayal.apps.arena.web.rater_questions import LONGEST_ANSWER, questions_for, read_answers
from portrayal.apps.arena.web.request_context import RETURN_PATHS, RequestContext, admin_context, rater_context
from portrayal.apps.arena.web.voting_pages import next_path
from portrayal.language.translation import LANGUAGES, spoken, t
from portrayal.web.page_context import enter, need_link, see_other, too_many_requests
from portrayal.web.requested_language import keep_language
from portrayal.web.security.request_body import read_form

__all__ = ["router"]

router = APIRouter()

_SECONDS_EACH = 20


@router.get("/")
async def show_start(request: Request) -> Response:
    """Go on where the rater stopped, offer to join, or say that a link is needed."""
    context = rater_context(request)
    if context.rater is not None:
        return see_other(next_path(context, context.rater))
    if context.app_state.service.config.open:
        return context.show("join", t("Take part"), _effort(context))
    return need_link(context, 200)


@router.get("/r/{token}")
async def open_link(request: Request, token: str) -> Response:
    """Let in who has a personal link."""
    context = rater_context(request)
    rater = context.app_state.service.rater_by_token(token)
    who, path = (rater.id, next_path(context, rater)) if rater else ("", "/")
    current = context.rater.id if context.rater else ""
    return enter(context, who, current, path) or need_link(context, 404)


@router.post("/join")
async def join(request: Request) -> Response:
    """Make a rater of a visitor, and show the link that leads back."""
    context = rater_context(request)
    app_state = context.app_state
    await context.form()
    if context.rater is not None:
        return see_other(next_path(context, context.rater))
    if not app_state.service.config.open:
        raise HTTPException(404)
    if wait := app_state.join_throttle.attempt(context.site.client(request)):
        raise too_many_requests(wait)
    token = await app_state.service.join(spoken())
    rater = app_state.service.rater_by_token(token)
    assert rater is not None
    session = context.site.sessions.new(rater.id)
    joined = RequestContext(request, context.site, session, app_state, rater)
    response = joined.show("joined", t("Your personal link"), {"link": context.site.settings.link(token)})
    context.site.sessions.set_cookie(response, session)
    return response


@router.get("/consent")
async def show_consent(request: Request) -> Response:
    """Say what taking part means."""
    context = rater_context(request)
    if context.require_rater().consented_at is not None:
        return see_other(next_path(context, context.require_rater()))
    consent = context.app_state.service.config.consent
    consent_text = consent.get(spoken()) or next(iter(consent.values()), "")
    return context.show("consent", t("Before you begin"), {"consent_text": consent_text, **_effort(context)})


@router.post("/consent")
async def give_consent(request: Request) -> Response:
    """Store that the rater agrees."""
    context = rater_context(request)
    rater = context.require_rater()
    await context.form()
    if rater.consented_at is None:
        await context.app_state.service.record_consent(rater.id, spoken())
    return see_other(_next_path(context))


@router.get("/questions")
async def show_questions(request: Request) -> Response:
    """Ask about the rater; every answer is voluntary."""
    context = rater_context(request)
    if (path := next_path(context, context.require_rater())) != "/questions":
        return see_other(path)
    questions = questions_for(context.app_state.service.config)
    return context.show("questions", t("About you"), {"questions": questions, "longest": LONGEST_ANSWER})


@router.post("/questions")
async def answer_questions(request: Request) -> Response:
    """Store the answers, once."""
    context = rater_context(request)
    rater = context.require_rater()
    form = await context.form()
    if next_path(context, rater) == "/questions":
        given: Mapping[str, str] = {} if form.get("skip") else form
        answers = read_answers(questions_for(context.app_state.service.config), given)
        await context.app_state.service.record_answers(rater.id, answers)
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
    response = see_other(back if back in RETURN_PATHS else "/admin" if context.is_admin else "/")
    keep_language(response, context.site, language)
    if context.rater is not None:
        await context.app_state.service.set_language(context.rater.id, language)
    return response


def _next_path(context: RequestContext) -> str:
    rater = context.app_state.service.rater(context.require_rater().id)  # as it stands now
    assert rater is not None
    return next_path(context, rater)


def _effort(context: RequestContext) -> dict[str, int]:
    config = context.app_state.service.config
    rater = context.rater
    total = context.app_state.service.progress(rater.id).total if rater else round(config.quota * (1 + config.checks))
    return {"total": total, "minutes": max(1, round(total * _SECONDS_EACH / 60))}
