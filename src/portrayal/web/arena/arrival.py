"""Pages before the first comparison: the link, joining, consent, questions, and the language."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from portrayal.web.arena.questions import LONGEST, ask, read_answers
from portrayal.web.arena.rater import next_step
from portrayal.web.arena.texts import LANGUAGES
from portrayal.web.arena.visit import LANGUAGE_COOKIE, PAGES, Visit, see_other, too_often, visit_admin, visit_rater
from portrayal.web.request_body import read_form

__all__ = ["need_link", "router"]

router = APIRouter()

_SECONDS_EACH = 20
_YEAR = 365 * 24 * 60 * 60


@router.get("/")
async def home(request: Request) -> Response:
    """Go on where the rater stopped, offer to join, or say that a link is needed."""
    visit = visit_rater(request)
    if visit.rater is not None:
        return see_other(next_step(visit, visit.rater))
    if visit.app_state.service.config.open:
        return visit.page("join", visit.texts("join.title"), _amount(visit))
    return need_link(visit, 200)


@router.get("/r/{token}")
async def enter(request: Request, token: str) -> Response:
    """Let in who has a personal link, in a new session unless this rater is in already.

    Keeping that one lets forms in other tabs still be sent.
    """
    visit = visit_rater(request)
    app_state = visit.app_state
    client = app_state.client(request)
    if wait := app_state.link_throttle.retry_after(client):
        raise too_often(wait)
    rater = app_state.service.rater_by_token(token)
    if rater is None:
        app_state.link_throttle.attempt(client)
        return need_link(visit, 404)
    response = see_other(next_step(visit, rater))
    if visit.rater is None or visit.rater.id != rater.id:
        app_state.rater_sessions.start(response, rater.id)
    return response


@router.post("/join")
async def join(request: Request) -> Response:
    """Make a rater of a visitor, and show the link that leads back."""
    visit = visit_rater(request)
    app_state = visit.app_state
    await visit.form()
    if visit.rater is not None:
        return see_other(next_step(visit, visit.rater))
    if not app_state.service.config.open:
        raise HTTPException(404)
    if wait := app_state.join_throttle.attempt(app_state.client(request)):
        raise too_often(wait)
    token = await app_state.service.join(visit.texts.language)
    rater = app_state.service.rater_by_token(token)
    assert rater is not None
    session = app_state.rater_sessions.new(rater.id)
    joined = Visit(request, app_state, session, visit.texts, rater)
    response = joined.page("joined", visit.texts("join.link_title"), {"link": app_state.settings.link(token)})
    app_state.rater_sessions.set_cookie(response, session)
    return response


@router.get("/consent")
async def show_consent(request: Request) -> Response:
    """Say what taking part means."""
    visit = visit_rater(request)
    if visit.known_rater().consented_at is not None:
        return see_other(next_step(visit, visit.known_rater()))
    consent = visit.app_state.service.config.consent
    own = consent.get(visit.texts.language) or next(iter(consent.values()), "")
    return visit.page("consent", visit.texts("consent.title"), {"own": own, **_amount(visit)})


@router.post("/consent")
async def give_consent(request: Request) -> Response:
    """Store that the rater agrees."""
    visit = visit_rater(request)
    rater = visit.known_rater()
    await visit.form()
    if rater.consented_at is None:
        await visit.app_state.service.record_consent(rater.id, visit.texts.language)
    return see_other(_next(visit))


@router.get("/questions")
async def show_questions(request: Request) -> Response:
    """Ask about the rater; every answer is voluntary."""
    visit = visit_rater(request)
    if (step := next_step(visit, visit.known_rater())) != "/questions":
        return see_other(step)
    questions = ask(visit.app_state.service.config, visit.texts)
    return visit.page("questions", visit.texts("questions.title"), {"questions": questions, "longest": LONGEST})


@router.post("/questions")
async def answer_questions(request: Request) -> Response:
    """Store the answers, once."""
    visit = visit_rater(request)
    rater = visit.known_rater()
    form = await visit.form()
    if next_step(visit, rater) == "/questions":
        given: Mapping[str, str] = {} if form.get("skip") else form
        answers = read_answers(ask(visit.app_state.service.config, visit.texts), given)
        await visit.app_state.service.record_answers(rater.id, answers)
    return see_other(_next(visit))


@router.post("/language")
async def change_language(request: Request) -> Response:
    """Speak another language from now on."""
    rater, admin = visit_rater(request), visit_admin(request)
    form = await read_form(request)
    visit = admin if admin.is_admin and admin.app_state.csrf.has_token(form, admin.session) else rater
    visit.app_state.csrf.check(request, form, visit.session)
    language, back = form.get("language", ""), form.get("to", "/")
    if language not in LANGUAGES:
        raise HTTPException(400)
    response = see_other(back if back in PAGES else "/admin" if visit.is_admin else "/")
    secure = visit.app_state.settings.secure
    response.set_cookie(LANGUAGE_COOKIE, language, _YEAR, secure=secure, httponly=True, samesite="lax")
    if visit.rater is not None:
        await visit.app_state.service.set_language(visit.rater.id, language)
    return response


def need_link(visit: Visit, status: int) -> Response:
    """Say that taking part needs a personal link."""
    return visit.page("need_link", visit.texts("need_link.title"), status=status)


def _next(visit: Visit) -> str:
    rater = visit.app_state.service.rater(visit.known_rater().id)  # as it stands now
    assert rater is not None
    return next_step(visit, rater)


def _amount(visit: Visit) -> dict[str, int]:
    config = visit.app_state.service.config
    rater = visit.rater
    total = visit.app_state.service.progress(rater.id).total if rater else round(config.quota * (1 + config.checks))
    return {"total": total, "minutes": max(1, round(total * _SECONDS_EACH / 60))}
