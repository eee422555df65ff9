"""Pages on which people judge: one vertex with all its pairs, the list of all vertices, and the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from portrayal.apps.graph.annotations.judgements import Annotator
from portrayal.apps.graph.web.form import (
    VERSION,
    Block,
    Row,
    blocks,
    contradicting_rows,
    field_count,
    opposed_rows,
    read_answers,
)
from portrayal.apps.graph.web.onboarding_pages import next_path
from portrayal.apps.graph.web.request_context import RequestContext, annotator_context
from portrayal.apps.graph.web.service import Answers, version
from portrayal.graph.typed_graph import Vertex
from portrayal.language.translation import t
from portrayal.web.page_context import see_other

__all__ = ["router"]

router = APIRouter()


@router.get("/vertex/{number}")
async def show_vertex(request: Request, number: int) -> Response:
    """Ask about one vertex, or show again what was answered about it."""
    context = annotator_context(request)
    annotator = context.require_annotator()
    if annotator.consented_at is None:
        return see_other("/consent")
    vertex = _vertex(context, number)
    return _page(context, annotator, number, context.service.answers(annotator.id, vertex))


@router.post("/vertex/{number}")
async def judge_vertex(request: Request, number: int) -> Response:
    """Store what is seen, and go on to the next open vertex."""
    context = annotator_context(request)
    annotator = context.require_annotator()
    vertex = _vertex(context, number)
    pairs = context.service.pairs(vertex)
    form = blocks(context.service.domain, vertex.key, pairs, {})
    sent = await context.form(field_count(form))
    if annotator.consented_at is None:
        return see_other("/consent")
    answers = read_answers(form, pairs, sent)
    if text := _contradiction(context, form, sent):
        return _page(context, annotator, number, answers, message=text, status=422)
    if not await context.service.judge(annotator.id, vertex, answers, sent.get(VERSION, "")):
        text = t(
            "Nothing was stored just now: since this page was opened, it was answered in another window. "
            "That answer is shown below; change it if you like, and save again."
        )
        stored = context.service.answers(annotator.id, vertex)
        return _page(context, annotator, number, stored, message=text, status=409)
    return see_other(next_path(context, annotator, number))


@router.get("/overview")
async def show_overview(request: Request) -> Response:
    """List all vertices: what is answered, and what is open."""
    context = annotator_context(request)
    annotator = context.require_annotator()
    if annotator.consented_at is None:
        return see_other("/consent")
    service = context.service
    listed = [
        (vertex.group, number, context.name(vertex.key), service.is_done(annotator.id, vertex))
        for number, vertex in enumerate(service.pages, start=1)
    ]
    groups = [(name, list(rows)) for name, rows in groupby(listed, key=lambda row: row[0])]
    values = {"groups": groups, **_progress(context, annotator)}
    return context.render("overview", t("All pages"), values)


@router.get("/done")
async def show_done(request: Request) -> Response:
    """Thank whoever has answered everything."""
    context = annotator_context(request)
    annotator = context.require_annotator()
    if (path := next_path(context, annotator)) != "/done":
        return see_other(path)
    return context.render("done", t("Thank you!"), _progress(context, annotator))


def _vertex(context: RequestContext, number: int) -> Vertex:
    if not 1 <= number <= len(context.service.pages):
        raise HTTPException(404)
    return context.service.pages[number - 1]


def _contradiction(context: RequestContext, form: Sequence[Block], sent: Mapping[str, str]) -> str:
    """Return what to say about boxes that cannot be meant together; empty where there are none."""
    if rows := contradicting_rows(form, sent):
        return t(
            "Nothing is stored yet: for {names} a relation and “Not judged” were both ticked. "
            "The relation still is; please check these rows and save again.",
            names=_names(context, rows),
        )
    if rows := opposed_rows(form, sent, context.service.domain.schema):
        return t(
            "Nothing is stored yet: for {names} two relations that contradict one another were both ticked. "
            "Please keep one of them and save again.",
            names=_names(context, rows),
        )
    return ""


def _names(context: RequestContext, rows: Sequence[Row]) -> str:
    return ", ".join(dict.fromkeys(context.name(row.other) for row in rows))


def _progress(context: RequestContext, annotator: Annotator) -> dict[str, int]:
    return {"done": context.service.done(annotator.id), "total": len(context.service.pages)}


def _page(
    context: RequestContext, annotator: Annotator, number: int, answers: Answers, message: str = "", status: int = 200
) -> Response:
    service = context.service
    vertex = _vertex(context, number)
    values = {
        "number": number,
        "vertex": vertex,
        "blocks": blocks(service.domain, vertex.key, service.pairs(vertex), answers),
        "answers_version": version(service.answers(annotator.id, vertex)),
        "guidelines": context.guidelines,
        "name": context.name,
        "answered": service.is_done(annotator.id, vertex),
        "message": message,
        **_progress(context, annotator),
    }
    return context.render("vertex", context.name(vertex.key), values, status)
