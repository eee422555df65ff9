"""What the hub says of models, fetched online; what is fetched can be saved and read again offline."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from portrayal.errors import MissingExtraError, PortrayalError

__all__ = ["fetch_records"]

_FIELDS = ("likes", "downloads", "pipeline_tag")
_INDEX = "model_index.json"
_FOUND = 200


def fetch_records(models: Iterable[str]) -> Iterator[dict[str, Any] | str]:
    """Yield the hub's record of each model, or why there is none; without a network it stops at the first."""
    try:
        from huggingface_hub import HfApi
        from huggingface_hub.errors import HFValidationError, RepositoryNotFoundError
    except ImportError:
        raise MissingExtraError(
            'the hub is asked with huggingface_hub, which is not installed: run pip install "portrayal[torch]"'
        ) from None
    api = HfApi()
    for model in models:
        try:
            yield _record(api, model)
        except (RepositoryNotFoundError, HFValidationError):
            yield f"{model}: the hub has no such model"
        except Exception as error:  # the library beneath the hub's fails in its own way
            line = next(iter(str(error).splitlines()), type(error).__name__)
            raise PortrayalError(f"the hub cannot be reached ({line}); try again, or import a saved file") from None


def _record(api: Any, model: str) -> dict[str, Any]:
    from huggingface_hub import get_session, hf_hub_url

    info = api.model_info(model)
    record = {"id": model, **{name: getattr(info, name, None) for name in _FIELDS}}
    record["createdAt"] = info.created_at.date().isoformat() if info.created_at else None
    answer = get_session().get(hf_hub_url(model, _INDEX), follow_redirects=True)
    if answer.status_code == _FOUND:  # else it is no pipeline of diffusers, or not open to all: no scheduler is known
        record[_INDEX] = answer.json()
    return record
