"""The study as a dataset: tables as CSV, pictures, and a description in Croissant 1.1 with its RAI vocabulary."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow.csv as arrow_csv
import pyarrow.types as arrow_types

from portrayal.apps.publish.formats import Order, Published
from portrayal.apps.publish.responsible_ai import responsible_ai
from portrayal.errors import InputError
from portrayal.inputfile import sha256
from portrayal.store.files import write_atomic
from portrayal.store.images.image_store import read_image
from portrayal.study.study import OpenStudy
from portrayal.study.tables.exporting import export_tables
from portrayal.terminal import counted

__all__ = ["publish_croissant"]

_TABLES = ("prompts", "images", "observations", "measurements")
_RELEASE = "1.0.0"
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "dct": "http://purl.org/dc/terms/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "description": {"@container": "@language"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "name": {"@container": "@language"},
    "conformsTo": "dct:conformsTo",
    **{
        name: f"cr:{name}"
        for name in (
            *("arrayShape", "citeAs", "column", "containedIn", "equivalentProperty", "extract", "field", "fileObject"),
            *("fileProperty", "fileSet", "format", "includes", "isArray", "isLiveDataset", "jsonPath", "key", "md5"),
            *("parentField", "path", "recordSet", "references", "regex", "repeated", "replace", "samplingRate"),
            *("separator", "source", "subField", "transform"),
        )
    },
}


def publish_croissant(order: Order) -> Published:
    """Write ``croissant.json``, a CSV file for each table, and ``images/``."""
    study, to = OpenStudy.to_read(order.studies[0]), order.to
    if to.exists() and any(to.iterdir() if to.is_dir() else [to]):
        raise InputError(f"{to}: is there already; choose another place with --to")
    tables = export_tables(study, to, "csv", _TABLES)
    pictures = list(_copy_pictures(study, to, order))
    said = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "name": study.config.study.title,
        "description": "What image generators drew for the prompts of a study, what annotators perceived in the "
        "pictures, and the shares and scores computed of that, each with a 95 % interval.",
        "conformsTo": ["http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0"],
        "version": _RELEASE,
        **({"license": order.license} if order.license else {}),
        **({"creator": {"@type": "sc:Organization", "name": order.organization}} if order.organization else {}),
        **responsible_ai(study),
        "distribution": [*map(_file, tables), *_pictures(pictures)],
        "recordSet": [_records(path) for path in tables],
    }
    path = to / "croissant.json"
    write_atomic(path, (json.dumps(said, ensure_ascii=False, indent=2) + "\n").encode())
    remarks = [f"{counted(len(tables), 'table')}, {counted(len(pictures), 'picture')}"]
    if not order.license:
        remarks.append("no licence is given; --license names one, as an address")
    return Published([path, *tables], remarks)


def _copy_pictures(study: OpenStudy, to: Path, order: Order) -> Iterator[str]:
    made = study.workspace.query(
        "SELECT DISTINCT image, ext FROM outcomes WHERE status = 'made' AND ext <> '' ORDER BY image"
    ).to_pylist()
    order.control.progress.start("copy pictures", len(made))
    for row in made:
        name = f"images/{row['image'][:2]}/{row['image']}.{row['ext']}"
        write_atomic(to / name, read_image(study.workspace.images.path(row["image"], row["ext"])))
        order.control.progress.advance(1)
        yield name
    order.control.progress.finish()


def _file(path: Path) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject", "@id": path.name, "name": path.name, "contentUrl": path.name,
        "encodingFormat": "text/csv", "contentSize": f"{path.stat().st_size} B", "sha256": sha256(path),
    }  # fmt: skip


def _pictures(names: Sequence[str]) -> Iterator[dict[str, Any]]:
    for ending in sorted({Path(name).suffix for name in names}):
        kind = "jpeg" if ending in (".jpg", ".jpeg") else ending[1:]
        yield {
            "@type": "cr:FileSet", "@id": f"pictures{ending}", "name": f"pictures{ending}",
            "description": "Pictures by the SHA-256 of their bytes, which is their name and their key in images.csv.",
            "encodingFormat": f"image/{kind}", "includes": f"images/*/*{ending}",
        }  # fmt: skip


def _records(path: Path) -> dict[str, Any]:
    table = path.stem
    schema = arrow_csv.read_csv(path).schema
    return {
        "@type": "cr:RecordSet",
        "@id": table,
        "name": table,
        "field": [
            {
                "@type": "cr:Field", "@id": f"{table}/{field.name}", "name": field.name, "dataType": _kind(field.type),
                "source": {"fileObject": {"@id": path.name}, "extract": {"column": field.name}},
            }
            for field in schema
        ],
    }  # fmt: skip


def _kind(type_: Any) -> str:
    # Columns with gaps hold no whole numbers for those who read them by pandas.
    return "sc:Float" if arrow_types.is_floating(type_) else "sc:Text"
