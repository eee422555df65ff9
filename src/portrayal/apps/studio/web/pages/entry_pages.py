"""The way in: the link, the list of studies, and the language."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from portrayal.apps.studio.web.request_context import (
    AUDITOR,
    RequestContext,
    is_the_link,
    return_path,
    studio_context,
)
from portrayal.language.translation import LANGUAGES, t
from portrayal.web.page_context import enter, see_other
from portrayal.web.requested_language import keep_language
from portrayal.web.security.passwords import LONGEST_PASSWORD

__all__ = ["need_the_link", "router"]

router = APIRouter()


def need_the_link(context: RequestContext, status: int, message: str = "") -> Response:
    """Say that the studio is opened by the link that the command printed, or by its password where it has one."""
    values = {"has_password": context.app_state.password is not None, "longest": LONGEST_PASSWORD, "message": message}
    return context.render("need_link", t("Open the link"), values, status)


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


@router.post("/enter")
async def log_in(request: Request) -> Response:
    """Let in who knows the password."""
    context = studio_context(request)
    form = await context.form()
    password = context.app_state.password
    if password is None:
        raise HTTPException(404)
    if not await password.matches(form.get("password", ""), context.site.client(request)):
        return need_the_link(context, 403, t("That is not the password."))
    path = return_path(form.get("to", "/"))
    return enter(context, AUDITOR, context.auditor or "", path) or need_the_link(context, 404)


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
