"""The queue of a ComfyUI server: a workflow goes in, the image of one of its nodes comes out."""

from __future__ import annotations

import hashlib
import re
import time
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from portrayal.errors import ServiceError
from portrayal.services.calls import Again, Broken
from portrayal.services.http import Server
from portrayal.services.picture_info import PictureInfo, read_picture

__all__ = ["ComfyuiQueue"]

_FIRST_PAUSE, _LONGEST_PAUSE, _GROWTH = 0.05, 2.0, 1.5
# From here on the queue is asked too: the history alone does not tell a job that waits from one that is lost.
_DOUBT = 1.0

_TICKET = re.compile(r"[0-9A-Za-z_-]{1,100}")
_LONGEST_NAME = 1_000

ImageLocation = Mapping[str, str]
"""Where the server keeps an image: its filename, subfolder and type."""


class ComfyuiQueue:
    """Draws the image of node ``output`` within ``timeout`` seconds; ``workflow`` is the file to name in errors."""

    def __init__(self, server: Server, output: str, timeout: float, workflow: str) -> None:
        self.server = server
        self.output = output
        self.timeout = timeout
        self.workflow = workflow
        # Without one, older servers keep the images of a prompt they have drawn before out of their answer.
        self._client = uuid.uuid4().hex
        self._known_version = ""

    def draw(self, item: str, filled: Mapping[str, Any], price: float) -> tuple[bytes, PictureInfo]:
        """Return the file that the server made of a workflow.

        Raises
        ------
        Broken
            The server could not draw this one.
        ServiceError
            It can draw none: nobody answers, or the workflow is wrong for it.
        """
        call = self.server.service.call
        ticket = call(item, price, lambda: (self._submit(filled), price))
        location = self._wait(item, ticket)
        return call(item, 0.0, lambda: (self._fetch(location), 0.0))

    def upload(self, item: str, data: bytes) -> str:
        """Put a picture among the server's inputs, under a name that follows from its bytes, and return that name."""
        try:
            ending = read_picture(data).ext
        except Again as error:
            raise Broken("unreadable_source", error.detail) from None
        file = (f"portrayal-{hashlib.sha256(data).hexdigest()[:32]}.{ending}", data)
        return self.server.service.call(item, 0.0, lambda: (self._upload(file), 0.0))

    def _upload(self, file: tuple[str, bytes]) -> str:
        said = _mapping(self.server.ask("POST", "/upload/image", files={"image": file}).json())
        name = said.get("name")
        if not isinstance(name, str):
            raise Again("malformed_answer", "no name of the picture that was sent", billed=True)
        return f"{folder}/{name}" if (folder := str(said.get("subfolder") or "")) else name

    @property
    def version(self) -> str:
        """The server's own version, ``unknown`` where it does not tell; once it is known, it is not asked for again."""
        # Threads may ask at the same time: none waits for another whom the server leaves without an answer.
        self._known_version = self._known_version or self._asked_version()
        return self._known_version

    def _asked_version(self) -> str:
        said = self.server.service.call("version", 0.0, lambda: (self.server.ask("GET", "/system_stats").json(), 0.0))
        system = said.get("system") if isinstance(said, Mapping) else None
        version = system.get("comfyui_version") if isinstance(system, Mapping) else None
        return self.server.service.clean(str(version or "unknown"))

    def _submit(self, filled: Mapping[str, Any]) -> str:
        """Put a workflow into the queue and return the server's id of it."""
        answer = self.server.ask("POST", "/prompt", {"prompt": filled, "client_id": self._client}, accept=(400,))
        said = _mapping(answer.json())
        errors = _mapping(said.get("node_errors") or {})
        # The server draws what it can; the image that is wanted must not hang on what it cannot.
        affected = {str(node) for error in errors.values() for node in _listed(error, "dependent_outputs")}
        if answer.status == 400 or self.output in affected:
            raise ServiceError(
                f"{self.server.part}: the server cannot run {self.workflow}: {_complaint(said, errors)}; "
                "make it run in ComfyUI, then export it again"
            )
        ticket = said.get("prompt_id")
        if not isinstance(ticket, str) or not _TICKET.fullmatch(ticket):
            raise Again("malformed_answer", "no prompt_id", billed=True)
        return ticket

    def _wait(self, item: str, ticket: str) -> ImageLocation:
        """Ask for the image at growing intervals, until the server has it or the time is up."""
        call = self.server.service.call
        ends = time.monotonic() + self.timeout
        pause, queued = _FIRST_PAUSE, True
        while True:
            location = call(item, 0.0, lambda: (self._look(ticket), 0.0))
            if location is not None:
                return location
            if not queued:
                raise Broken("lost", "the server forgot the job; was it restarted, or its queue cleared?")
            left = ends - time.monotonic()
            if left <= 0:
                call(item, 0.0, lambda: (self.server.ask("POST", "/queue", {"delete": [ticket]}), 0.0))
                raise Broken("timeout", f"no image within {self.timeout:g} s, waiting in the queue included")
            time.sleep(min(pause, left))
            pause = min(pause * _GROWTH, _LONGEST_PAUSE)
            if pause > _DOUBT:
                queued = call(item, 0.0, lambda: (self._is_queued(ticket), 0.0))

    def _look(self, ticket: str) -> ImageLocation | None:
        """Return where the image is, None while there is none yet."""
        entry = _mapping(self.server.ask("GET", f"/history/{ticket}").json()).get(ticket)
        if entry is None:
            return None
        status = _mapping(_mapping(entry).get("status") or {})
        if status.get("status_str") == "error":
            raise _failure(_listed(status, "messages"))
        images = _listed(_mapping(entry.get("outputs") or {}).get(self.output) or {}, "images")
        if not images:
            raise Broken("no_image", f"the workflow ran, but node {self.output} gave no image")
        if len(images) > 1:
            raise ServiceError(
                f"{self.server.part}: {self.workflow} draws {len(images)} images at a time; have it draw one"
            )
        image = _mapping(images[0])
        return {key: str(image.get(key, ""))[:_LONGEST_NAME] for key in ("filename", "subfolder", "type")}

    def _is_queued(self, ticket: str) -> bool:
        queue = _mapping(self.server.ask("GET", "/queue").json())
        entries = [*_listed(queue, "queue_running"), *_listed(queue, "queue_pending")]
        return any(isinstance(entry, list) and ticket in entry[:2] for entry in entries)

    def _fetch(self, location: ImageLocation) -> tuple[bytes, PictureInfo]:
        answer = self.server.ask("GET", "/view", query=location, accept=(404,))
        if answer.status == 404:
            raise Broken("no_image", f"the server no longer has its file {location['filename']}")
        return answer.content, read_picture(answer.content)


def _mapping(said: Any) -> Mapping[str, Any]:
    """Return what should be a JSON object; a server that says something else may do better at the next try."""
    if not isinstance(said, Mapping):
        raise Again("malformed_answer", f"a {type(said).__name__} where an object should be", billed=True)
    return said


def _listed(said: Any, name: str) -> list[Any]:
    """Return the list that should be a member of an object, empty when there is none."""
    listed = _mapping(said).get(name) or []
    if not isinstance(listed, list):
        raise Again("malformed_answer", f"a {type(listed).__name__} where a list should be", billed=True)
    return listed


def _complaint(said: Mapping[str, Any], errors: Mapping[str, Any]) -> str:
    """Return what the server says is wrong with a workflow: of the first node, else in general."""
    for node, problem in errors.items():
        for error in _listed(problem, "errors"):
            where = f"node {node} ({_mapping(problem).get('class_type')})"
            return f"{where}: {_mapping(error).get('message')}: {_mapping(error).get('details')}"
    error = said.get("error")
    return f"{error.get('message')} {error.get('details') or ''}" if isinstance(error, Mapping) else str(error)


def _failure(messages: Sequence[Any]) -> Broken:
    """Return why the execution ended, from the server's log of it."""
    events = {str(event[0]): event[1] for event in messages if isinstance(event, list) and len(event) == 2}
    error = events.get("execution_error")
    if isinstance(error, Mapping):
        where = f"{error.get('node_type')} (node {error.get('node_id')})"
        what = f"{error.get('exception_type')}: {error.get('exception_message')}"
        return Broken("execution_error", f"{where}: {what}")
    if "execution_interrupted" in events:
        return Broken("interrupted", "someone stopped it on the server")
    return Broken("execution_error", "the server does not say why")
