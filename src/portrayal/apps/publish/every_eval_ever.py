"""Results as Every Eval Ever 0.3.0 has them: a file of numbers for each model, beside it a line for each picture."""

from __future__ import annotations

import hashlib
import json
import math
import re
import time
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from portrayal import __version__
from portrayal.apps.publish.formats import Order, Published
from portrayal.apps.publish.published_numbers import CONFIDENCE, SCOPE, Number, numbers_of
from portrayal.errors import InputError
from portrayal.records import content_id
from portrayal.store.files import write_atomic
from portrayal.study.study import OpenStudy
from portrayal.study.tables.image_table import image_table
from portrayal.terminal import counted

__all__ = ["publish_every_eval_ever"]

_VERSION = "0.3.0"
_METHOD = "see the page of the method in Portrayal's documentation; how often it holds: docs/validity.md"


def publish_every_eval_ever(order: Order) -> Published:
    """Write ``data/portrayal/DEVELOPER/MODEL/UUID.json`` and ``UUID_samples.jsonl`` for each model."""
    study, now = OpenStudy.to_read(order.studies[0]), str(int(time.time()))
    numbers, files = numbers_of(study), []
    pictures = image_table(study).to_pylist()
    names = _model_ids(dict.fromkeys(number.identity for number in numbers))
    for identity in dict.fromkeys(number.identity for number in numbers):
        mine = [number for number in numbers if number.identity == identity]
        name = names[identity]
        evaluation = f"portrayal/{name}/{now}"
        unique = uuid.UUID(bytes=hashlib.sha256(evaluation.encode()).digest()[:16], version=4)
        folder = f"data/portrayal/{name}"
        samples = list(_samples(mine, pictures, evaluation, name))
        said = _log(study, order, mine, evaluation)
        if samples:
            lines = "".join(f"{json.dumps(sample, ensure_ascii=False)}\n" for sample in samples).encode()
            path = f"{folder}/{unique}_samples.jsonl"
            digest = hashlib.sha256(lines).hexdigest()
            said["detailed_evaluation_results"] = {
                "format": "jsonl", "file_path": path, "hash_algorithm": "sha256", "checksum": digest,
                "total_rows": len(samples),
            }  # fmt: skip
            files.append(_write(order.to / path, lines))
        files.insert(0, _write(order.to / folder / f"{unique}.json", _json(said)))
    models = {number.identity for number in numbers}
    remarks = [f"{counted(len(numbers), 'number')} about {counted(len(models), 'model')}"]
    if not order.organization:
        remarks.append("the organization is given as unknown; --organization names yours")
    return Published([order.to, *files], remarks)


def model_id(identity: str) -> str:
    """Return a model as DEVELOPER/NAME: of the hub as it is called there, else after who serves it.

    >>> model_id("diffusers@1:stabilityai/sdxl-turbo@0123"), model_id("simulated@1#ab"), model_id("openai@1:gpt image")
    ('stabilityai/sdxl-turbo', 'simulated/simulated', 'openai/gpt-image')
    """
    kind, _, argument = identity.partition("#")[0].partition(":")
    kind = kind.partition("@")[0]
    parts = [re.sub(r"[^\w.-]+", "-", part).strip(".-") for part in argument.partition("@")[0].strip("/").split("/")]
    parts = [part for part in parts if part]
    return f"{parts[-2]}/{parts[-1]}" if len(parts) > 1 else f"{kind}/{parts[0] if parts else kind}"


def _model_ids(identities: Iterable[str]) -> dict[str, str]:
    """Return names of models; of those that would have the same, with different options, each has its own."""
    names = {identity: model_id(identity) for identity in identities}
    taken = Counter(names.values())
    return {each: name if taken[name] == 1 else f"{name}-{content_id(each)[:8]}" for each, name in names.items()}


def _log(study: OpenStudy, order: Order, numbers: Sequence[Number], evaluation: str) -> dict[str, Any]:
    first, (_, developer, name, now) = numbers[0], evaluation.split("/")
    return {
        "schema_version": _VERSION,
        "evaluation_id": evaluation,
        "retrieved_timestamp": now,
        "source_metadata": {
            "source_name": study.config.study.title,
            "source_type": "evaluation_run",
            "source_organization_name": order.organization or "unknown",
            "evaluator_relationship": order.relationship,
        },
        "eval_library": {"name": "portrayal", "version": __version__},
        "model_info": {
            "name": first.model,
            "id": f"{developer}/{name}",
            "additional_details": {
                "deployment_type": "unknown",
                "model_availability": "unknown",
                "portrayal_identity": first.identity,
            },
        },
        "evaluation_results": [_result(study, number) for number in numbers],
    }


def _result(study: OpenStudy, number: Number) -> dict[str, Any]:
    details = {
        "missing": str(number.missing),
        "annotator": number.annotator or "none",
        "scope": SCOPE,
        "caveats": number.caveats,
        "level": number.level,
    }
    uncertainty: dict[str, Any] = {"num_samples": number.n}
    if number.low is not None and number.high is not None:
        uncertainty["confidence_interval"] = {
            "lower": number.low, "upper": number.high, "confidence_level": CONFIDENCE, "method": _METHOD,
        }  # fmt: skip
    direction = {True: "lower is better", False: "higher is better", None: "neither end is better"}
    return {
        "evaluation_result_id": _result_id(number),
        "evaluation_name": number.name,
        "source_data": {"dataset_name": study.config.study.title, "source_type": "other"},
        "metric_config": {
            "evaluation_description": number.caveats,
            "metric_id": f"portrayal.{number.method}.{number.metric}",
            "metric_name": number.metric,
            "lower_is_better": bool(number.lower_is_better),
            "score_type": "continuous",
            "min_score": _bound(number.lowest),
            "max_score": _bound(number.highest),
            "additional_details": {"direction": direction[number.lower_is_better]},
        },
        "score_details": {"score": number.value, "details": details, "uncertainty": uncertainty},
    }


def _samples(
    numbers: Sequence[Number], pictures: Sequence[Mapping[str, Any]], evaluation: str, name: str
) -> Iterator[dict[str, Any]]:
    """Yield what each picture adds to the share of a group over all prompts: which pictures show it."""
    shares = [number for number in numbers if number.metric == "share" and number.level == "overall"]
    for number in shares:
        for picture in pictures:
            mine = picture["model"] == number.identity and picture["annotator"] == number.seen_by
            seen = picture.get(number.attribute)
            if not mine or seen is None:
                continue
            file = Path(picture["file"] or "")
            yield {
                "schema_version": _VERSION,
                "evaluation_id": evaluation,
                "model_id": name,
                "evaluation_name": number.name,
                "evaluation_result_id": _result_id(number),
                "sample_id": content_id(picture["prompt"], str(picture["seed"]), str(picture["subject"])),
                "interaction_type": "single_turn",
                "input": {"raw": picture["prompt"], "reference": []},
                "output": {"raw": [f"image sha256:{file.stem}" if file.name else "image without pixels"]},
                "answer_attribution": [
                    {"turn_idx": 0, "source": "output.raw", "extracted_value": str(seen),
                     "extraction_method": number.annotator, "is_terminal": True}
                ],
                "evaluation": {"score": float(seen == number.group), "is_correct": False},
                "metadata": {"is_correct": "the schema asks for it; no picture is right or wrong"},
            }  # fmt: skip


def _result_id(number: Number) -> str:
    return content_id(number.identity, number.name, number.level)


def _bound(value: float) -> float | str:
    return value if math.isfinite(value) else "Infinity" if value > 0 else "-Infinity"


def _json(said: Mapping[str, Any]) -> bytes:
    return (json.dumps(said, ensure_ascii=False, indent=2, allow_nan=False) + "\n").encode()


def _write(path: Path, data: bytes) -> Path:
    if path.exists():
        raise InputError(f"{path}: is there already; choose another place with --to")
    write_atomic(path, data)
    return path
