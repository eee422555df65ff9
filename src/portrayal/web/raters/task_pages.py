"""The page on which raters answer, on any site with raters: one task at a time, and the next one after it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Generic, TypeVar

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from portrayal.study.sql.rater import Rater
from portrayal.web.page_context import see_other
from portrayal.web.raters.dealt_tasks import NotOpenError, Task
from portrayal.web.raters.rater_context import RaterContext, rater_context
from portrayal.web.raters.rater_service import RaterService

__all__ = ["TaskPage", "picture_response"]

ServiceT = TypeVar("ServiceT", bound=RaterService[Any, Any])
TaskT = TypeVar("TaskT", bound=Task)
_PICTURE_CACHE = "private, max-age=3600"
"""The same for every picture; a task's pictures never change."""


class TaskPage(ABC, Generic[ServiceT, TaskT]):
    """Shows a rater's task and takes the answer; a site says what a task shows and what an answer is.

    ``name`` is that of the template and of the address, ``task_field`` the field of the form that holds the task's id.
    """

    name: ClassVar[str]
    task_field: ClassVar[str]

    @abstractmethod
    def already_stored(self) -> str:
        """Say that the answer was stored before."""

    @abstractmethod
    def not_open(self) -> str:
        """Say that the task was not open, so that nothing was stored."""

    @abstractmethod
    def heading(self, number: int, total: int) -> str:
        """Say which task it is."""

    @abstractmethod
    def read(self, service: ServiceT, form: Mapping[str, str]) -> tuple[Mapping[str, str], str]:
        """Return what a form chooses, and a sentence on what is missing in it, or ""; 400 for what cannot be meant."""

    @abstractmethod
    async def keep(self, service: ServiceT, rater_id: str, task_id: str, choices: Mapping[str, str]) -> bool:
        """Store an answer; False if there was one before. ``NotOpenError`` for any task but the rater's current one."""

    @abstractmethod
    def values(self, service: ServiceT, task: TaskT, choices: Mapping[str, str]) -> Mapping[str, Any]:
        """Return what the template has to know of a task, and of what was chosen so far."""

    def add_to(self, router: APIRouter) -> None:
        """Let a router answer at this page's address."""
        router.add_api_route(f"/{self.name}", self.get, methods=["GET"])
        router.add_api_route(f"/{self.name}", self.post, methods=["POST"])

    async def get(self, request: Request) -> Response:
        """Show the open task, dealt now if need be."""
        context = rater_context(request)
        rater = context.require_rater()
        if (path := context.next_path(rater)) != f"/{self.name}":
            return see_other(path)
        again = request.query_params.get("note") == "again"
        return await self._show(context, rater, self.already_stored() if again else "")

    async def post(self, request: Request) -> Response:
        """Store the answer to the task that was shown, and go on."""
        context = rater_context(request)
        rater = context.require_rater()
        form = await context.form()
        if (path := context.next_path(rater)) != f"/{self.name}":
            return see_other(path)
        service, given = context.service, form.get(self.task_field, "")
        choices, missing = self.read(service, form)
        if missing:
            task = await service.current_task(rater.id)
            if task is None or task.id != given:
                return await self._show(context, rater, self.not_open(), 409)
            return await self._show(context, rater, missing, 422, choices)
        try:
            stored = await self.keep(service, rater.id, given, choices)
        except NotOpenError:
            return await self._show(context, rater, self.not_open(), 409)
        return see_other(f"/{self.name}" if stored else f"/{self.name}?note=again")

    async def _show(
        self,
        context: RaterContext[ServiceT],
        rater: Rater,
        message: str,
        status: int = 200,
        choices: Mapping[str, str] | None = None,
    ) -> Response:
        service = context.service
        task = await service.current_task(rater.id)
        if task is None:
            return see_other("/done")
        progress = service.progress(rater.id)
        shared = {"progress": progress, "can_undo": service.can_undo(rater.id), "message": message}
        values = {self.task_field: task.id, **shared, **self.values(service, task, choices or {})}
        return context.show(self.name, self.heading(progress.done + 1, progress.total), values, status)


def picture_response(data: bytes) -> Response:
    """Return a picture of a task, which a rater's browser may keep."""
    return Response(data, media_type="image/jpeg", headers={"Cache-Control": _PICTURE_CACHE})
