"""Settings that refuse what they do not know, and say so in one line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from portrayal.errors import ConfigError, MissingOptionError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pydantic_core import ErrorDetails

__all__ = ["Settings", "parse_settings"]


class Settings(BaseModel):
    """Base of every table in study.toml and of every adapter's options."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    folders: ClassVar[frozenset[str]] = frozenset()
    """Options that are folders: known by their path, and they may be made later."""

    def changed(self) -> dict[str, Any]:
        """Return the settings that differ from their defaults, ready for JSON."""
        return self.model_dump(mode="json", exclude_defaults=True)


S = TypeVar("S", bound=Settings)


def parse_settings(model: type[S], data: Mapping[str, Any], where: str | Callable[[tuple[str | int, ...]], str]) -> S:
    """Validate ``data`` as ``model``; the first problem becomes a one-line :class:`ConfigError`.

    ``where`` begins the line, or makes its beginning of the way to what is wrong: names of tables and keys, and places
    in lists, from 0.
    """
    try:
        # Through JSON, since only there strict means what a user expects: "3" is no number, a list may be a tuple.
        return model.model_validate_json(json.dumps(dict(data), default=str), strict=True)
    except ValidationError as error:
        problems = sorted(error.errors(include_url=False), key=_rank)
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        line = " ".join(_explain(model, problems[0]).split())
        kind = MissingOptionError if {problem["type"] for problem in problems} == {"missing"} else ConfigError
        place = where if isinstance(where, str) else where(tuple(_keys(model, problems[0]["loc"])))
        raise kind(f"{place}: {line}{more}") from None


def _explain(model: type[BaseModel], problem: ErrorDetails) -> str:
    path = ".".join(_steps(model, problem["loc"]))
    nth = " (entries are counted from 1)" if any(isinstance(step, int) for step in problem["loc"]) else ""
    if problem["type"] == "extra_forbidden":
        known = _known_keys(model, problem["loc"][:-1])
        return f"unknown key '{path}'{nth}{did_you_mean(str(problem['loc'][-1]), known)}"
    if problem["type"] == "missing":
        return f"'{path}' is required{nth}"
    if (
        problem["type"] in ("list_type", "tuple_type")
        and isinstance(problem["input"], dict)
        and len(problem["loc"]) == 1
    ):
        return f"'{path}' is a list of tables; write [[{path}]] with double brackets, not [{path}]"
    # JSON's word for what TOML calls a table.
    message = problem["msg"].removeprefix("Value error, ").replace("be an object", "be a table")
    message = message[:1].lower() + message[1:]
    if not path:
        return message
    given = problem["input"]
    shown = f" (got {given!r})" if isinstance(given, str | int | float | bool) else ""
    return f"'{path}': {message}{shown}{nth}"


def _rank(problem: ErrorDetails) -> int:
    """Return what is told first: a key that nobody knows, as what else is wrong may follow from it.

    Where a text or a table may stand and a table does, that it is no text says nothing: what is wrong in it does.
    """
    if problem["type"] == "extra_forbidden":
        return 0
    return 2 if problem["type"] == "string_type" and isinstance(problem["input"], dict) else 1


def _steps(model: type[BaseModel], path: tuple[int | str, ...]) -> list[str]:
    """Return the keys a user wrote, entries of a list counted from 1."""
    return [str(key + 1) if isinstance(key, int) else key for key in _keys(model, path)]


def _keys(model: type[BaseModel], path: tuple[int | str, ...]) -> list[str | int]:
    """Return the keys a user wrote: of several things that may stand somewhere, pydantic puts the tried one between."""
    current: Any = model
    steps: list[str | int] = []
    for step in path:
        if current is not None and step in current.model_fields:
            current = _inner_model(current.model_fields[step].annotation)
        elif current is not None and step in (current.__name__, "str"):
            continue
        steps.append(step)
    return steps


def _known_keys(model: type[BaseModel], path: tuple[int | str, ...]) -> list[str]:
    current: Any = model
    for step in path:
        if step not in current.model_fields:  # the place in a list, or a name the user chose
            continue
        current = _inner_model(current.model_fields[step].annotation)
        if current is None:
            return []
    return list(current.model_fields)


def _inner_model(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for part in getattr(annotation, "__args__", ()):
        inner = _inner_model(part)
        if inner is not None:
            return inner
    return None
