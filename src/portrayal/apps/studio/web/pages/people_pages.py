"""People: start and close the sites where they judge a study's pictures."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from portrayal.apps.studio.listed_studies import ListedStudy
from portrayal.apps.studio.web.request_context import RequestContext, studio_context
from portrayal.errors import PortrayalError
from portrayal.language.translation import t
from portrayal.web.page_context import see_other

__all__ = ["router"]

router = APIRouter()


@router.get("/s/{key}/people")
async def show_people(request: Request, key: str) -> Response:
    """Show the sites of a study."""
    context = studio_context(request)
    return await _page(context, await context.study(key))


@router.post("/s/{key}/people")
async def change_people(request: Request, key: str) -> Response:
    """Start or close a site."""
    context = studio_context(request)
    study = await context.study(key)
    form = await context.form()
    sites, name = context.service.people, form.get("site", "")
    try:
        match form.get("what"):
            case "start":
                await run_in_threadpool(sites.start, study, name)
            case "close":
                await run_in_threadpool(sites.close, study, name)
    except PortrayalError as error:
        return await _page(context, study, str(error), 422)
    return see_other(f"/s/{key}/people")


async def _page(context: RequestContext, study: ListedStudy, message: str = "", status: int = 200) -> Response:
    sites = await run_in_threadpool(context.service.people.of, study)
    return context.render("people", t("People"), {"study": study, "sites": sites, "message": message}, status)
