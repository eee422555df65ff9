"""May it ship: rules made from plain questions, the verdict, and what to do now."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from portrayal.apps.studio.decisions.policy_rules import POLICY, Rules, add_rule, rules_of
from portrayal.apps.studio.decisions.rule_words import policy_rules
from portrayal.apps.studio.decisions.verdict import check_policy_file
from portrayal.apps.studio.listed_studies import ListedStudy
from portrayal.apps.studio.new.new_study import MOST_IMAGES, images_of_each
from portrayal.apps.studio.web.perceived import group_words, title_of
from portrayal.apps.studio.web.request_context import RequestContext, studio_context
from portrayal.errors import PortrayalError
from portrayal.inputfile import read_text
from portrayal.language.translation import t
from portrayal.study.study import OpenStudy
from portrayal.web.page_context import see_other

__all__ = ["router"]

router = APIRouter()


_READY = {"what": "", "term": "", "least": "", "most": "", "reference": "", "why": "", "owner": ""}


@router.get("/s/{key}/decide")
async def show_decision(request: Request, key: str) -> Response:
    """Show what the policy says, and ask for rules."""
    context = studio_context(request)
    study = await context.study(key)
    return await _page(context, study, {})


@router.post("/s/{key}/decide")
async def new_rule(request: Request, key: str) -> Response:
    """Add a rule to policy.toml."""
    context = studio_context(request)
    study = await context.study(key)
    form = await context.form()
    try:
        await run_in_threadpool(add_rule, study.folder, form, date.today())
    except PortrayalError as error:
        return await _page(context, study, form, str(error).replace(f"{study.folder}/", ""), 422)
    return see_other(f"/s/{key}/decide")


async def _page(
    context: RequestContext, study: ListedStudy, form: Mapping[str, str], message: str = "", status: int = 200
) -> Response:
    values = {"study": study, "form": {**_READY, **form}, "message": message, "words": group_words}
    known = await run_in_threadpool(_known, study)
    return context.render("decide", t("May it ship?"), {**values, **known}, status)


def _known(study: ListedStudy) -> Mapping[str, Any]:
    """Return the policy, the verdict or why there is none, and what rules may be about."""
    path = study.folder / POLICY
    rules, titles, problem, draws, now = Rules({}, []), dict[str, str](), study.problem, True, None
    decision = text = None
    standing, waiting = list[str](), ""
    try:
        opened = OpenStudy(study.folder)
        rules, draws = rules_of(opened), bool(opened.config.generators)
        now = images_of_each(opened)
        titles = {name: title_of(name, opened.attributes) for name in rules.groups}
        if path.exists():
            text = read_text(path)
            standing = policy_rules(text, opened.attributes)
            if opened.workspace.tables["measurements"].count():
                decision = check_policy_file(study.folder, path, opened.attributes)
            else:
                waiting = t("No verdict yet: run the study, and it stands here.")
    except PortrayalError as error:
        problem = str(error).replace(f"{study.folder}/", "").replace(f"{study.folder}: ", "")
    known: dict[str, Any] = {"waiting": waiting, "standing": standing, "policy": text, "decision": decision}
    known |= {"rules": rules, "titles": titles}
    then = now + decision.per_prompt if now and decision and decision.per_prompt else 0
    return {**known, "problem": problem, "draws": draws, "now": now, "then": then if then <= MOST_IMAGES else 0}
