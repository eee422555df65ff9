"""Which addresses a name stands for."""

from __future__ import annotations

import ipaddress
import queue
import socket
import threading

__all__ = ["resolve"]


def resolve(host: str, port: int, seconds: float) -> list[str]:
    """Return the IP addresses of ``host``, best first.

    The system's own resolver cannot be told how long it may take: when it takes longer, it is left behind in a thread.

    Raises
    ------
    OSError
        There is no such name; a ``TimeoutError`` when that was not known in time.
    """
    try:
        return [str(ipaddress.ip_address(host))]
    except ValueError:
        pass
    answers: queue.SimpleQueue[list[str] | OSError] = queue.SimpleQueue()
    threading.Thread(target=_look_up, args=(host, port, answers), daemon=True).start()
    try:
        addresses = answers.get(timeout=seconds)
    except queue.Empty:
        raise TimeoutError(f"the name {host} was not resolved in time") from None
    if isinstance(addresses, OSError):
        raise addresses
    return addresses


def _look_up(host: str, port: int, answers: queue.SimpleQueue[list[str] | OSError]) -> None:
    try:
        infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        answers.put(list(dict.fromkeys(str(place[0]) for *_, place in infos)))
    except OSError as error:
        answers.put(error)
    except UnicodeError as error:  # a label that is empty or too long
        answers.put(OSError(f"{host!r} is no name of a host: {error}"))
