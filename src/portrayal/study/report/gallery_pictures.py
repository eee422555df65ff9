"""Pictures for the report: what was drawn, with what each annotator saw in it."""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import PurePosixPath
from typing import Any

import pyarrow as pa

from portrayal.errors import DamagedError
from portrayal.picturefile import ImageFile
from portrayal.records import Attribute
from portrayal.reports.data import FaceView, Perceived, Picture
from portrayal.store.images.image_store import read_image
from portrayal.study.status import status_label
from portrayal.study.study import OpenStudy
from portrayal.vision.pictures import Unreadable, open_rgb

__all__ = ["gather_pictures", "gather_thumbnails", "pictures_of"]

THUMBNAIL = 224
SMALL = 160
"""The long side of pictures that stand beside one another."""

_SEEN = """
    SELECT image, annotator, subject, attribute, mass, value, box, reason, text FROM observations
    WHERE image IN (SELECT image FROM shown) ORDER BY image, annotator, subject NULLS FIRST, attribute, reason
"""
_NAMED = """
    SELECT name, any_value(image) AS image, any_value(ext) AS ext FROM outcomes JOIN wanted ON image[1:16] = name
    WHERE ext <> '' GROUP BY name
"""
_PLANTED = """
    SELECT image, any_value(planted) AS planted FROM outcomes WHERE image IN (SELECT image FROM wanted) GROUP BY image
"""
# Every job with its answer, its last failure, or neither.
_FIRST = """
    WITH first AS (SELECT *, row_number() OVER () AS place FROM jobs WHERE "index" < {pictures} LIMIT {most})
    SELECT first.id AS job, first.prompt, first.generator, first.index, first.seed,
           answer.status, answer.reason, answer.image, answer.ext, answer.planted, answer.revised_prompt
    FROM first LEFT JOIN (
        SELECT * FROM outcomes WHERE job IN (SELECT id FROM first) AND status <> 'rejected'
        AND (job, attempt) NOT IN (SELECT (job, attempt) FROM outcomes WHERE status = 'rejected')
        QUALIFY row_number() OVER (PARTITION BY job ORDER BY status = 'failed', attempt DESC) = 1
    ) AS answer ON answer.job = first.id ORDER BY place
"""
Row = Mapping[str, Any]


def gather_pictures(study: OpenStudy) -> list[Picture]:
    """Return the first pictures of every prompt and generator, fewer of each when there are many prompts."""
    asked = study.workspace.query("SELECT id, text, suffix, term, language FROM prompts").to_pylist()
    prompts = {row["id"]: row for row in asked}
    per_prompt = _per_prompt(study, len(prompts))
    first = study.workspace.query(_FIRST.format(pictures=per_prompt, most=study.config.report.most))
    rows = first.to_pylist(maps_as_pydicts="strict")
    order = {prompt: position for position, prompt in enumerate(prompts)}
    rows.sort(key=lambda row: (order[row["prompt"]], row["generator"], row["index"]))
    return _pictures(study, [{**row, **prompts[row["prompt"]]} for row in rows], study.annotators)


def pictures_of(study: OpenStudy, images: pa.Table, most: int) -> list[Picture]:
    """Return the first pictures for rows of the table of images, each once, with what annotators of the rows saw."""
    distinct = _distinct(images.select(["file", "prompt", "term", "model", "seed"]), most)
    files = {row["file"]: PurePosixPath(row["file"]) for row in distinct if row["file"]}
    wanted = pa.table({"image": pa.array([path.stem for path in files.values()], pa.string())})
    known = study.workspace.query(_PLANTED, wanted=wanted).to_pylist(maps_as_pydicts="strict")
    planted = {row["image"]: row["planted"] for row in known}
    rows = []
    for row in distinct:
        path = files.get(row["file"], PurePosixPath())
        made = {"status": "made", "reason": None, "image": path.stem, "ext": path.suffix[1:], "text": row["prompt"]}
        if row["file"] and _is_damaged(study.workspace.images.path(path.stem, path.suffix[1:])):
            made |= {"status": "damaged picture on disk", "ext": ""}
        rows.append({**row, **made, "generator": row["model"], "planted": planted.get(path.stem)})
    return _pictures(study, rows, images["annotator"].unique().to_pylist())


def _is_damaged(path: ImageFile) -> bool:
    """Return whether a picture is not what was stored; one that is gone is not damaged."""
    try:
        read_image(path)
    except DamagedError:
        return True
    except OSError:
        return False
    return False


def _distinct(images: pa.Table, most: int) -> list[Row]:
    """Return the first rows that differ; of a million no more are read than it takes."""
    distinct: dict[tuple[Any, ...], Row] = {}
    for batch in images.to_batches(max_chunksize=1000):
        for row in batch.to_pylist():
            if len(distinct) == most:
                return list(distinct.values())
            distinct.setdefault(tuple(row.values()), row)
    return list(distinct.values())


def _pictures(study: OpenStudy, rows: Sequence[Row], annotators: Collection[str]) -> list[Picture]:
    shown = pa.table({"image": pa.array([row["image"] for row in rows], pa.string())})
    seen: dict[str, list[Row]] = defaultdict(list)
    for row in study.workspace.query(_SEEN, shown=shown).to_pylist():
        if row["annotator"] in annotators:
            seen[row["image"]].append(row)
    # Opening and shrinking a picture leaves the interpreter to others.
    with ThreadPoolExecutor() as threads:
        drawn = threads.map(partial(_thumbnail, study), rows)
    return [_picture(study, row, seen[row["image"]], small) for row, small in zip(rows, drawn, strict=True)]


def _per_prompt(study: OpenStudy, prompts: int) -> int:
    # From the plan, not from study.toml: imported images have a generator too.
    generators: int = study.workspace.query("SELECT count(DISTINCT generator) AS n FROM jobs")["n"][0].as_py()
    wanted = study.config.report
    return min(wanted.pictures, max(1, wanted.most // max(1, prompts * generators)))


def _picture(study: OpenStudy, row: Row, seen: list[Row], small: tuple[bytes, int, int]) -> Picture:
    thumbnail, width, height = small
    reasons = [status_label(row["status"], row["reason"])] if row["status"] != "made" else []
    reasons += [entry["reason"] for entry in seen if entry["subject"] is None]
    if row["status"] == "made" and not thumbnail:
        reasons.append("no picture on disk")
    return Picture(
        term=row["term"],
        prompt=row["text"],
        generator=row["generator"],
        seed=row["seed"],
        image=row["image"] or "",
        thumbnail=thumbnail,
        width=width,
        height=height,
        faces=_faces(study.attributes, seen, (width, height)),
        reasons=reasons,
        planted=[tuple(person.values()) for person in row["planted"] or ()],
        language=row.get("language") or "",
        revised=_revised(row.get("revised_prompt") or "", row),
    )


def _revised(text: str, row: Row) -> str:
    return "" if text == row["text"] + (row.get("suffix") or "") else text


def gather_thumbnails(study: OpenStudy, images: Collection[str]) -> dict[str, bytes]:
    """Return small pictures by the first 16 digits of their images' names; one that cannot be read is left out."""
    wanted = pa.table({"name": pa.array(sorted(images), pa.string())})
    rows = study.workspace.query(_NAMED, wanted=wanted).to_pylist() if images else []
    with ThreadPoolExecutor() as threads:
        drawn = threads.map(lambda row: _thumbnail(study, row, SMALL)[0], rows)
    return {row["name"]: data for row, data in zip(rows, drawn, strict=True) if data}


def _thumbnail(study: OpenStudy, row: Row, edge: int = THUMBNAIL) -> tuple[bytes, int, int]:
    """Return a small WebP and the size of the picture as it is seen; of a face it is half as large as a JPEG."""
    if not row["ext"]:
        return b"", 0, 0
    try:
        picture = open_rgb(study.workspace.images.path(row["image"], row["ext"]))
    except Unreadable:
        return b"", 0, 0
    size = picture.size
    picture.thumbnail((edge, edge))
    buffer = io.BytesIO()
    picture.save(buffer, "WEBP", quality=70)
    return buffer.getvalue(), *size


def _faces(attributes: Mapping[str, Attribute], seen: list[Row], size: tuple[int, int]) -> list[FaceView]:
    by_subject: dict[tuple[str, int], list[Row]] = defaultdict(list)
    for row in seen:
        if row["subject"] is not None:
            by_subject[row["annotator"], row["subject"]].append(row)
    return [_face(attributes, rows, size) for rows in by_subject.values()]


def _face(attributes: Mapping[str, Attribute], rows: list[Row], size: tuple[int, int]) -> FaceView:
    box = next((row["box"] for row in rows if row["box"]), None)
    order = list(attributes)
    observed = sorted((row for row in rows if row["reason"] is None), key=lambda row: order.index(row["attribute"]))
    return FaceView(
        _fraction(box, size) if box and all(size) else None,
        [_finding(attributes[row["attribute"]], row) for row in observed],
        [(row["attribute"] or "", row["reason"]) for row in rows if row["reason"]],
        rows[0]["annotator"],
    )


def _fraction(box: list[int], size: tuple[int, int]) -> tuple[float, float, float, float]:
    (left, top, right, bottom), (width, height) = box, size
    return left / width, top / height, (right - left) / width, (bottom - top) / height


def _finding(attribute: Attribute, row: Row) -> Perceived:
    if attribute.is_text:
        return Perceived(attribute.name, text=str(row["text"]))
    if attribute.is_numeric:
        return Perceived(attribute.name, value=row["value"])
    best = max(range(len(row["mass"])), key=lambda index: row["mass"][index])
    return Perceived(attribute.name, attribute.groups[best], row["mass"][best])
