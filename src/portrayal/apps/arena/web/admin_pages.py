"""Pages for the study's team, behind a password: how it goes, who is invited, who is left out, and the votes."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Sequence

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from portrayal.apps.arena.battles.battle import Battle
from portrayal.apps.arena.database.export import named_votes, vote_rows, write_votes
from portrayal.apps.arena.web.aspect_summary import AspectSummary, aspect_summaries
from portrayal.apps.arena.web.leaderboard_cache import judging_raters
from portrayal.apps.arena.web.rater_table import RaterStatus, rater_rows, rater_statuses, tiles
from portrayal.apps.arena.web.request_context import RequestContext, admin_context
from portrayal.apps.arena.web.service import ArenaService
from portrayal.language.translation import t
from portrayal.web.page_context import see_other, too_many_requests
from portrayal.web.security.passwords import LONGEST_PASSWORD

__all__ = ["router"]

router = APIRouter(prefix="/admin")

MOST_LINKS = 500
LONGEST_LABEL = 60


@router.get("/login")
async def show_login(request: Request) -> Response:
    """Ask for the password."""
    context = admin_context(request)
    return see_other("/admin") if context.is_admin else _login(context)


@router.post("/login")
async def log_in(request: Request) -> Response:
    """Let in who knows the password, in a session of its own; wrong ones make the next try slower."""
    context = admin_context(request)
    form = await context.form()
    app_state, client = context.app_state, context.site.client(request)
    # While others try too often, an attempt that is not looked at must not count against who makes it.
    if (
        wait := app_state.login_throttle.retry_after("all")
        or app_state.login_lockout.attempt(client)
        or app_state.login_throttle.attempt("all")
    ):
        raise too_many_requests(wait)
    if not await app_state.password_check.matches(form.get("password", "")):
        return _login(context, t("That is not the password."), 403)
    app_state.login_lockout.clear(client)
    response = see_other("/admin")
    app_state.admin_sessions.start(response, "admin")
    return response


@router.post("/logout")
async def log_out(request: Request) -> Response:
    """End the session."""
    context = _require_admin(request)
    await context.form()
    response = see_other("/admin/login")
    context.app_state.admin_sessions.end(response, context.session)
    return response


@router.get("")
async def show_admin(request: Request) -> Response:
    """Show how the arena goes."""
    context = admin_context(request)
    return await _admin_page(context) if context.is_admin else see_other("/admin/login")


@router.post("/invite")
async def invite(request: Request) -> Response:
    """Create links and show them, this once."""
    context = _require_admin(request)
    form = await context.form()
    count = form.get("count", "")
    if not (count.isascii() and count.isdigit() and len(count) < 6 and 1 <= int(count) <= MOST_LINKS):
        return await _admin_page(context, t("Give a number from 1 to {most}.", most=MOST_LINKS), status=422)
    label = " ".join(form.get("label", "").split())[:LONGEST_LABEL]
    tokens = await context.app_state.service.invite(int(count), label)
    return await _admin_page(context, links=[context.site.settings.link(token) for token in tokens])


@router.post("/exclude")
async def exclude(request: Request) -> Response:
    """Leave a rater's votes out, or count them again."""
    context = _require_admin(request)
    form = await context.form()
    rater = context.app_state.service.rater(form.get("rater", ""))
    if rater is None:
        raise HTTPException(404)
    await context.app_state.service.exclude(rater.id, form.get("excluded") == "yes")
    return see_other("/admin#raters")


@router.get("/votes.csv")
async def export(request: Request) -> Response:
    """Hand out the votes."""
    context = admin_context(request)
    if not context.is_admin:
        return see_other("/admin/login")
    service, everything = context.app_state.service, request.query_params.get("all") == "1"
    battles = service.answered_battles()
    text = await asyncio.to_thread(_csv, service, battles, everything)
    headers = {"Content-Disposition": 'attachment; filename="votes.csv"'}
    return Response(text, media_type="text/csv", headers=headers)


def _require_admin(request: Request) -> RequestContext:
    context = admin_context(request)
    if not context.is_admin:
        raise HTTPException(403)
    return context


def _login(context: RequestContext, message: str = "", status: int = 200) -> Response:
    values = {"message": message, "longest": LONGEST_PASSWORD}
    return context.show("login", t("Arena desk: log in"), values, status)


async def _admin_page(
    context: RequestContext, message: str = "", links: Sequence[str] = (), status: int = 200
) -> Response:
    service = context.app_state.service
    statuses, battles = await rater_statuses(service), service.answered_battles()
    values = {
        "message": message,
        "links": links,
        "most": MOST_LINKS,
        "longest": LONGEST_LABEL,
        "models": [service.study.names.generator(model) for model in service.pool.models],
        "tiles": tiles(statuses, len(battles)),
        "raters": rater_rows(statuses),
        "aspects": await asyncio.to_thread(_aspect_summaries, service, statuses, battles),
    }
    return context.show("admin", t("Arena desk"), values, status)


def _aspect_summaries(
    service: ArenaService, statuses: Sequence[RaterStatus], battles: Sequence[Battle]
) -> list[AspectSummary]:
    rows = vote_rows([status.rater for status in statuses], battles, service.pool)
    return aspect_summaries(named_votes(rows, service.study.names))


def _csv(service: ArenaService, battles: Sequence[Battle], everything: bool) -> str:
    file = io.StringIO()
    rows = vote_rows(judging_raters(service, battles), battles, service.pool, everyone=everything, checks=everything)
    write_votes(rows, file, service.study.names)
    return file.getvalue()
