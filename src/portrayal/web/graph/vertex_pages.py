"""Pages on which people judge: one vertex with all its pairs, the list of all vertices, and the end."""

from __future__ import annotations

from itertools import groupby

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from portrayal.graph.answers import Annotator
from portrayal.graph.model import Vertex
from portrayal.web.graph.form import (
    VERSION,
    blocks,
    contradicting_rows,
    field_count,
    opposed_rows,
    read_answers,
    version,
)
from portrayal.web.graph.onboarding_pages import next_path
from portrayal.web.graph.request_context import RequestContext, annotator_context
from portrayal.web.graph.service import Answers
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
    schema = context.service.domain.schema
    for text, wrong in (
        ("vertex.both", contradicting_rows(form, sent)),
        ("vertex.opposed", opposed_rows(form, sent, schema)),
    ):
        if wrong:
            names = ", ".join(dict.fromkeys(context.name(row.other) for row in wrong))
            return _page(context, annotator, number, answers, context.texts(text, names=names), 422)
    stored = context.service.answers(annotator.id, vertex)
    if sent.get(VERSION) != version(stored) and answers != stored:
        return _page(context, annotator, number, stored, context.texts("vertex.changed"), 409)
    await context.service.judge(annotator.id, answers)
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
    groups = [(context.group(name), list(own)) for name, own in groupby(listed, key=lambda row: row[0])]
    values = {"groups": groups, **_progress(context, annotator)}
    return context.render("overview", context.texts("overview.title"), values)


@router.get("/done")
async def show_done(request: Request) -> Response:
    """Thank whoever has answered everything."""
    context = annotator_context(request)
    annotator = context.require_annotator()
    if (path := next_path(context, annotator)) != "/done":
        return see_other(path)
    return context.render("done", context.texts("done.title"), _progress(context, annotator))


def _vertex(context: RequestContext, number: int) -> Vertex:
    if not 1 <= number <= len(context.service.pages):
        raise HTTPException(404)
    return context.service.pages[number - 1]


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
        "group": context.group(vertex.group),
        "blocks": blocks(service.domain, vertex.key, service.pairs(vertex), answers),
        "answers_version": version(service.answers(annotator.id, vertex)),
        "guidelines": context.guidelines,
        "name": context.name,
        "answered": service.is_done(annotator.id, vertex),
        "message": message,
        **_progress(context, annotator),
    }
    return context.render("vertex", context.name(vertex.key), values, status)
