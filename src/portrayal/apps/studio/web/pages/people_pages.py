"""People: start and close the sites where they judge a study's pictures."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

import portrayal
from portrayal.apps.studio.listed_studies import ListedStudy
from portrayal.apps.studio.people.progress import people_progress
from portrayal.apps.studio.web.pages.picture_pages import MOST_TICKED, ticked_in
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
                await run_in_threadpool(sites.start, study, name, form)
            case "close":
                await run_in_threadpool(sites.close, study, name)
            case "collect":
                return await _page(context, study, await run_in_threadpool(_collected, study))
    except PortrayalError as error:
        return await _page(context, study, str(error), 422)
    return see_other(f"/s/{key}/people")


@router.post("/s/{key}/label")
async def label_ticked(request: Request, key: str) -> Response:
    """Have people label the ticked pictures."""
    context = studio_context(request)
    study = await context.study(key)
    ticked = ticked_in(await context.form(MOST_TICKED))
    if not ticked:
        return see_other(f"/s/{key}/pictures")
    try:
        await run_in_threadpool(context.service.people.label, study, ticked)
    except PortrayalError as error:
        return await _page(context, study, str(error), 409)
    return see_other(f"/s/{key}/people")


async def _page(context: RequestContext, study: ListedStudy, message: str = "", status: int = 200) -> Response:
    sites = await run_in_threadpool(context.service.people.of, study)
    progress = {site.name: await run_in_threadpool(people_progress, study.folder, site.name) for site in sites}
    values = {"study": study, "sites": sites, "progress": progress, "message": message}
    return context.render("people", t("People"), values, status)


def _collected(study: ListedStudy) -> str:
    """Bring what is complete into the study, and say what came of it."""
    found = portrayal.Labels(study.folder).collect()
    return t(
        "{n|picture was|pictures were} brought in; {m|picture needs|pictures need} more answers. "
        "Run the study to have them count.",
        n=found.counts["images"],
        m=found.incomplete,
    )
