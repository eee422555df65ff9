"""A server on loopback that speaks the routes of four services and misbehaves as the address says.

``http://host/SERVICE/STEP/HOSTILITY/…`` answers every step of that service as it should but one, which it answers by
the hostility of that name.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import Mapping
from typing import Any

from tests.attack.hostile_answers import answers
from tests.attack.hostile_wire import WIRE, http

__all__ = ["STEPS", "HostileServer"]

STEPS = {
    "openai": {"draw": "images/generations", "address": "picture"},
    "vlm": {"chat": "chat/completions"},
    "a1111": {"draw": "sdapi/v1/txt2img", "models": "sdapi/v1/sd-models"},
    "comfyui": {"view": "view", "prompt": "prompt", "history": "history", "stats": "system_stats"},
}
"""The steps of each service, the most telling first, and how their routes begin or end."""

_TICKET = "f3a1"
_HONEST: Mapping[str, Any] = {
    "sdapi/v1/sd-models": [{"title": "dream.safetensors [0123456789]"}],
    "system_stats": {"system": {"comfyui_version": "1"}},
    "prompt": {"prompt_id": _TICKET},
    "history": {_TICKET: {"outputs": {"9": {"images": [{"filename": "a.png", "subfolder": "", "type": "output"}]}}}},
    "queue": {},
}


class HostileServer:
    """Serves from a thread until it is closed; hangs up on nobody before they do."""

    def __enter__(self) -> HostileServer:
        self._writers = list[asyncio.StreamWriter]()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        started = asyncio.run_coroutine_threadsafe(asyncio.start_server(self._serve, "127.0.0.1", 0), self._loop)
        self._server = started.result()
        self.port: int = self._server.sockets[0].getsockname()[1]
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _stop(self) -> None:
        self._server.close()
        for writer in self._writers:  # which ends every talk, also one that is silent
            writer.transport.abort()
        await asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()}, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.append(writer)
        with contextlib.suppress(OSError, EOFError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            length = head.partition("content-length:")[2].partition("\r\n")[0].strip()
            await reader.readexactly(int(length or 0))
            _, service, step, name, route = head.split()[1].split("/", 4)
            route = route.partition("?")[0].removeprefix("v1/")
            if route.startswith(STEPS[service][step]):
                await self._misbehave(writer, service, step, name)
            else:
                await http(writer, 200, json.dumps(self._honest(service, step, name, route)).encode())
        writer.transport.abort()

    async def _misbehave(self, writer: asyncio.StreamWriter, service: str, step: str, name: str) -> None:
        if name in WIRE:
            await WIRE[name](writer)
        else:
            await http(writer, 200, answers(service, step, self.port)[name])

    def _honest(self, service: str, step: str, name: str, route: str) -> Any:
        if service == "openai":  # the picture is at an address
            return {"data": [{"url": f"http://127.0.0.1:{self.port}/{service}/{step}/{name}/picture"}]}
        return next((said for begin, said in _HONEST.items() if route.startswith(begin)), {})
