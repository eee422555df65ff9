"""One study: how far it is, run and stop, what it asks."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from portrayal.apps.studio.found import Found
from portrayal.apps.studio.listed_studies import ListedStudy
from portrayal.apps.studio.new.new_study import set_images
from portrayal.apps.studio.new.sample_choices import sample_choices
from portrayal.apps.studio.runs.newest import Newest
from portrayal.apps.studio.runs.run_state import RunPhase, RunView
from portrayal.apps.studio.web.perceived import group_words
from portrayal.apps.studio.web.request_context import RequestContext, studio_context
from portrayal.apps.studio.web.run_words import paid_words, phase_words, progress_words
from portrayal.apps.studio.web.study_facts import costs_money, study_facts
from portrayal.errors import PortrayalError
from portrayal.language.translation import t
from portrayal.store.trusted_studies import trust_study
from portrayal.study.config import CONFIG_NAME, parse_config, read_config
from portrayal.study.tables.left_out import LEFT_OUT_NAME
from portrayal.study.untrusted.deeds import untrusted_deeds
from portrayal.web.page_context import see_other

__all__ = ["router"]

router = APIRouter()


@router.get("/s/{key}")
async def show_study(request: Request, key: str) -> Response:
    """Show how far a study is, and what can be done."""
    context = studio_context(request)
    study = await context.study(key)
    return await _page(context, study)


@router.get("/s/{key}/live")
async def show_live(request: Request, key: str) -> Response:
    """Return how far a run is, for the page's script."""
    context = studio_context(request)
    context.require_auditor()
    folder = await run_in_threadpool(context.service.folder, key)
    if folder is None:
        raise HTTPException(404)
    view = context.service.queue.view(key)
    newest = await run_in_threadpool(context.service.newest.get, folder) if view.active else Newest()
    words = {
        "state": phase_words(view),
        "progress": progress_words(view),
        "paid": paid_words(newest.paid, view.record.budget),
    }
    pictures = [asdict(picture) for picture in newest.pictures]
    numbers = {"done": view.record.done, "total": view.record.total, "active": view.active}
    return JSONResponse({**words, **numbers, "pictures": pictures})


@router.post("/s/{key}/run")
async def run_study(request: Request, key: str) -> Response:
    """Run the study, or go on where it stopped."""
    context = studio_context(request)
    study = await context.study(key)
    form = await context.form()
    try:
        budget = _budget(form.get("budget", ""))
    except ValueError:
        return await _page(context, study, t("Budget: a sum of money in US dollars, such as 2.50, or nothing."), 422)
    await run_in_threadpool(context.service.queue.ask, study, budget)
    return see_other(f"/s/{key}")


@router.post("/s/{key}/stop")
async def stop_study(request: Request, key: str) -> Response:
    """Have the run finish its batch and end."""
    context = studio_context(request)
    await context.study(key)
    await context.form()
    await run_in_threadpool(context.service.queue.stop, key)
    return see_other(f"/s/{key}")


@router.post("/s/{key}/images")
async def more_images(request: Request, key: str) -> Response:
    """Ask for more images of each prompt; the next run draws them."""
    context = studio_context(request)
    study = await context.study(key)
    form = await context.form()
    if context.service.queue.view(key).active:
        return await _page(context, study, t("Stop the run first: it has read its settings already."), 409)
    try:
        await run_in_threadpool(set_images, study.folder, form.get("images", ""))
    except PortrayalError as error:
        return await _page(context, study, str(error), 422)
    if form.get("run") and not await run_in_threadpool(costs_money, study):  # else a budget is asked for first
        await run_in_threadpool(context.service.queue.ask, study, None)
    return see_other(f"/s/{key}")


@router.post("/s/{key}/trust")
async def trust(request: Request, key: str) -> Response:
    """Let a study from elsewhere do what was shown."""
    context = studio_context(request)
    study = await context.study(key)
    form = await context.form()
    data = read_config(study.folder)
    if hashlib.sha256(data).hexdigest() != form.get("seen"):
        return await _page(context, study, t("study.toml has changed meanwhile. Look at what it would do now."), 409)
    trust_study(study.folder, data)
    return see_other(f"/s/{key}")


@router.get("/s/{key}/settings")
async def show_settings(request: Request, key: str) -> Response:
    """Show study.toml as it is."""
    context = studio_context(request)
    study = await context.study(key)
    values = {"study": study, "text": read_config(study.folder).decode("utf-8", "replace"), "file": CONFIG_NAME}
    return context.render("settings", t("Settings"), values)


def _budget(text: str) -> float | None:
    if not text.strip():
        return None
    budget = float(text.strip())
    if not 0 <= budget < math.inf:
        raise ValueError(text)
    return budget


async def _page(context: RequestContext, study: ListedStudy, message: str = "", status: int = 200) -> Response:
    view = context.service.queue.view(study.key)
    known = await run_in_threadpool(study_facts, study)
    newest = await run_in_threadpool(context.service.newest.get, study.folder) if view.active else Newest()
    shown: dict[str, Any] = {
        "study": study,
        "view": view,
        "state": phase_words(view),
        "progress": progress_words(view),
        "log": context.service.queue.files(study.key).last_lines() if _went_wrong(view) else [],
        "message": message,
        "folder": f"{study.folder}/",
        "words": group_words,
        "newest": newest,
        "paid_so_far": paid_words(newest.paid, view.record.budget),
        "has_report": study.report.is_file(),
        "old_report": _is_older(study, context.service.left_out_mark(study)),
        "found": await run_in_threadpool(_found, context, study),
        "plan": await run_in_threadpool(sample_choices, study.folder) if known["draws"] and not view.active else [],
        **_asks(study),
    }
    return context.render("study", study.title, {**shown, **known}, status)


def _found(context: RequestContext, study: ListedStudy) -> Found | None:
    try:
        return None if study.problem else context.service.found.get(study.folder)
    except (PortrayalError, OSError):  # what is measured is of another version, or just being written
        return None


def _asks(study: ListedStudy) -> Mapping[str, Any]:
    """Return what a study from elsewhere would do, and which study.toml says so."""
    try:
        data = read_config(study.folder)
        found = untrusted_deeds(parse_config(data, study.folder), data, study.folder)
    except PortrayalError:
        return {"deeds": []}
    return {"deeds": [deed.what for deed in found], "seen": hashlib.sha256(data).hexdigest()}


def _is_older(study: ListedStudy, mark: Path) -> bool:
    """Return whether pictures were drawn, looked at or left out, or settings changed, after the report was written."""
    if not study.report.is_file():
        return False
    parts = [part for name in ("outcomes", "observations") for part in (study.folder / "tables" / name).glob("*")]
    parts += [path for path in (study.folder / CONFIG_NAME, study.folder / LEFT_OUT_NAME, mark) if path.exists()]
    return max((part.stat().st_mtime for part in parts), default=0.0) > study.report.stat().st_mtime


def _went_wrong(view: RunView) -> bool:
    return view.phase in (RunPhase.FAILED, RunPhase.KILLED)
