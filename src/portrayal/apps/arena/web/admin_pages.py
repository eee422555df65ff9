"""What the study's team sees of the arena, behind a password: how it goes, and the votes."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Sequence

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from portrayal.apps.arena.battles.battle import Battle
from portrayal.apps.arena.database.export import named_votes, vote_rows, write_votes
from portrayal.apps.arena.web.aspect_summary import AspectSummary, aspect_summaries
from portrayal.apps.arena.web.leaderboard_cache import judging_raters
from portrayal.apps.arena.web.rater_table import RaterStatus, rater_columns, rater_rows, rater_statuses, tiles
from portrayal.apps.arena.web.service import ArenaService
from portrayal.language.translation import t
from portrayal.web.page_context import see_other
from portrayal.web.raters.desk_pages import INVITING
from portrayal.web.raters.rater_context import RaterContext, admin_context

__all__ = ["desk", "router"]

router = APIRouter(prefix="/admin")


@router.get("/votes.csv")
async def export(request: Request) -> Response:
    """Hand out the votes."""
    context = admin_context(request)
    if not context.is_admin:
        return see_other("/admin/login")
    service, everything = context.service, request.query_params.get("all") == "1"
    battles = service.answered_battles()
    text = await asyncio.to_thread(_csv, service, battles, everything)
    headers = {"Content-Disposition": 'attachment; filename="votes.csv"'}
    return Response(text, media_type="text/csv", headers=headers)


async def desk(context: RaterContext[ArenaService], message: str, links: Sequence[str], status: int) -> Response:
    """Show how the arena goes."""
    service = context.service
    statuses, battles = await rater_statuses(service), service.answered_battles()
    values = {
        "message": message,
        "links": links,
        **INVITING,
        "models": [service.study.names.generator(model) for model in service.pool.models],
        "tiles": tiles(statuses, len(battles)),
        "rater_columns": rater_columns(),
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
