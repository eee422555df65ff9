"""Pages for a study's team, behind a password: the log-in, who is invited, and who is left out."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from portrayal.language.translation import t
from portrayal.web.page_context import see_other, too_many_requests
from portrayal.web.raters.rater_context import RaterContext, admin_context, require_admin
from portrayal.web.security.passwords import LONGEST_PASSWORD

__all__ = ["INVITING", "router"]

router = APIRouter(prefix="/admin")

MOST_LINKS = 500
LONGEST_LABEL = 60
INVITING = {"most": MOST_LINKS, "longest": LONGEST_LABEL}
"""What the form for links has to know."""


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
    raters, client = context.raters, context.site.client(request)
    # While others try too often, an attempt that is not looked at must not count against who makes it.
    if (
        wait := raters.login_throttle.retry_after("all")
        or raters.login_lockout.attempt(client)
        or raters.login_throttle.attempt("all")
    ):
        raise too_many_requests(wait)
    if not await raters.password_check.matches(form.get("password", "")):
        return _login(context, t("That is not the password."), 403)
    raters.login_lockout.clear(client)
    response = see_other("/admin")
    raters.admin_sessions.start(response, "admin")
    return response


@router.post("/logout")
async def log_out(request: Request) -> Response:
    """End the session."""
    context = require_admin(request)
    await context.form()
    response = see_other("/admin/login")
    context.raters.admin_sessions.end(response, context.session)
    return response


@router.get("")
async def show_desk(request: Request) -> Response:
    """Show how it goes."""
    context = admin_context(request)
    return await context.raters.pages.desk(context, "", (), 200) if context.is_admin else see_other("/admin/login")


@router.post("/invite")
async def invite(request: Request) -> Response:
    """Create links and show them, this once."""
    context = require_admin(request)
    form = await context.form()
    desk, count = context.raters.pages.desk, form.get("count", "")
    if not (count.isascii() and count.isdigit() and len(count) < 6 and 1 <= int(count) <= MOST_LINKS):
        return await desk(context, t("Give a number from 1 to {most}.", most=MOST_LINKS), (), 422)
    label = " ".join(form.get("label", "").split())[:LONGEST_LABEL]
    tokens = await context.service.invite(int(count), label)
    return await desk(context, "", [context.site.settings.link(token) for token in tokens], 200)


@router.post("/exclude")
async def exclude(request: Request) -> Response:
    """Leave out what a rater answered, or count it again."""
    context = require_admin(request)
    form = await context.form()
    rater = context.service.rater(form.get("rater", ""))
    if rater is None:
        raise HTTPException(404)
    await context.service.exclude(rater.id, form.get("excluded") == "yes")
    return see_other("/admin#raters")


def _login(context: RaterContext[Any], message: str = "", status: int = 200) -> Response:
    values = {"message": message, "longest": LONGEST_PASSWORD}
    return context.show("raters/login", t("{desk}: log in", desk=context.raters.pages.desk_title()), values, status)
