"""People: start and close the sites where they judge a study's pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

import portrayal
from portrayal.apps.studio.listed_studies import ListedStudy
from portrayal.apps.studio.people.how_many import MOST_RATERS, USUAL_RATERS, raters_of, set_raters
from portrayal.apps.studio.people.people_sites import ARENA, LABELS
from portrayal.apps.studio.people.progress import people_progress
from portrayal.apps.studio.web.pages.picture_pages import MOST_TICKED, ticked_in
from portrayal.apps.studio.web.request_context import RequestContext, studio_context
from portrayal.bundles import bundles
from portrayal.errors import PortrayalError
from portrayal.language.translation import t
from portrayal.study.study import OpenStudy
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
                if name == LABELS and "raters" in form:
                    await run_in_threadpool(set_raters, study.folder, form["raters"])
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
    facts = await run_in_threadpool(_facts, study)
    values = {"study": study, "sites": sites, "progress": progress, "message": message, **facts}
    return context.render("people", t("People"), values, status)


def _facts(study: ListedStudy) -> Mapping[str, Any]:
    """Return why a site has nothing to show yet, by its name, and how many people label each picture."""
    facts: dict[str, Any] = {"unfit": {}, "raters": USUAL_RATERS, "most_raters": MOST_RATERS, "relations": False}
    try:
        opened = OpenStudy.to_read(study.folder)
        facts["raters"] = raters_of(study.folder)
        facts["relations"] = any(bundles()[each.use].graphs for each in opened.config.methods if each.use in bundles())
        if not opened.workspace.tables["outcomes"].count():
            facts["unfit"] = dict.fromkeys((LABELS, ARENA), t("This study has no pictures yet: run it first."))
        elif len(opened.config.generators) < 2 and not opened.config.imports:
            facts["unfit"] = {ARENA: t("It compares pictures of two models, and this study has one.")}
    except PortrayalError as error:
        facts["unfit"] = dict.fromkeys((LABELS, ARENA), str(error).replace(f"{study.folder}: ", ""))
    return facts


def _collected(study: ListedStudy) -> str:
    """Bring what is complete into the study, and say what came of it."""
    found = portrayal.Labels(study.folder).collect()
    return t(
        "{n|picture was|pictures were} brought in; {m|picture needs|pictures need} more answers. "
        "Run the study to have them count.",
        n=found.counts["images"],
        m=found.incomplete,
    )
