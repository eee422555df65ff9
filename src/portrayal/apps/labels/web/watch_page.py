"""What the study's team sees of the labelling, behind a password: how it goes, agreement, and the answers."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from portrayal.apps.labels.database.answers import answers_csv, collect
from portrayal.apps.labels.labelling.summary import Agreement, RaterSummary, Summary, summarize
from portrayal.apps.labels.web.service import LabelsService
from portrayal.errors import PortrayalError
from portrayal.language.numbers import DASH, count, decimal, percent
from portrayal.language.translation import t
from portrayal.records import Attribute
from portrayal.reports.text.words import attribute_title, capital
from portrayal.study.study import OpenStudy
from portrayal.web.page_context import see_other
from portrayal.web.raters.desk_pages import INVITING
from portrayal.web.raters.rater_context import RaterContext, admin_context, require_admin
from portrayal.web.raters.rater_row import RaterRow, in_order, rater_row

__all__ = ["desk", "router"]

router = APIRouter(prefix="/admin")


@router.get("/labels.csv")
async def export(request: Request) -> Response:
    """Hand out the answers as a sheet of labels."""
    context = admin_context(request)
    if not context.is_admin:
        return see_other("/admin/login")
    service: LabelsService = context.service
    everyone = request.query_params.get("all") == "1"
    copied = service.copied()
    text = await asyncio.to_thread(lambda: answers_csv(copied(), service.asked, everyone=everyone))
    headers = {"Content-Disposition": 'attachment; filename="labels.csv"'}
    return Response(text, media_type="text/csv", headers=headers)


@router.post("/collect")
async def collect_labels(request: Request) -> Response:
    """Bring what is complete into the study."""
    context = require_admin(request)
    await context.form()
    service: LabelsService = context.service
    copied = service.copied()
    try:
        # Opened anew: the server runs for days, and study.toml may have changed.
        found = await asyncio.to_thread(lambda: collect(OpenStudy(service.study.root), copied(), service.asked))
    except PortrayalError as error:
        return await desk(context, " ".join(str(error).split()), (), 409)
    message = t("{n|picture is|pictures are} new in the study.", n=found.counts["images"])
    return await desk(context, message, (), 200)


async def desk(context: RaterContext[LabelsService], message: str, links: Sequence[str], status: int) -> Response:
    """Show how the labelling goes."""
    service = context.service
    copied = service.copied()
    summary = await asyncio.to_thread(lambda: summarize(copied()))
    values = {
        "message": message,
        "links": links,
        **INVITING,
        "tiles": _tiles(summary),
        "rater_columns": [t("Median time"), t("Cannot tell"), t("With the majority")],
        "raters": in_order([_row(one) for one in summary.raters]),
        "agreement": [_agreement(one, service.asked.attributes[one.attribute]) for one in summary.agreement],
        "summary": summary,
        "wanted": service.config.raters,
    }
    return context.show("watch", t("Labels so far"), values, status)


def _tiles(summary: Summary) -> list[tuple[int, str]]:
    return [
        (summary.pictures, t("pictures to label")),
        (summary.complete, t("labelled by enough")),
        (summary.begun, t("by some")),
        (summary.answers, t("answers")),
        (len(summary.raters), t("raters")),
        (sum(one.progress.done > 0 for one in summary.raters), t("began")),
        (sum(one.rater.excluded for one in summary.raters), t("raters left out")),
    ]


def _row(one: RaterSummary) -> RaterRow:
    seconds = DASH if one.seconds is None else f"{decimal(one.seconds, 1)} s"
    shares = [DASH if value is None else percent(value) for value in (one.unsure, one.majority)]
    return rater_row(one.rater, one.progress, [seconds, *shares], [_flag(key, one) for key in one.flags])


def _flag(key: str, one: RaterSummary) -> str:
    if key == "fast":
        return t("very fast: {seconds} s", seconds=decimal(one.seconds or 0.0, 1))
    return t("cannot tell {share} of the time", share=percent(one.unsure or 0.0))


def _agreement(one: Agreement, attribute: Attribute) -> dict[str, str]:
    known = one.alpha is not None and one.low is not None and one.high is not None
    interval = f"{decimal(one.low or 0.0)} – {decimal(one.high or 0.0)}" if known else DASH
    return {
        "name": capital(attribute_title(attribute)),
        "pictures": count(one.pictures),
        "alike": t("{some} of {all}", some=count(one.alike), all=count(one.pictures)) if one.pictures else DASH,
        "alpha": t("not yet known") if one.alpha is None else decimal(one.alpha),
        "interval": interval,
        "note": t("too few to say much") if one.few else "",
    }
