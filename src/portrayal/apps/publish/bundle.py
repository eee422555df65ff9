"""A study as one file."""

from __future__ import annotations

from portrayal.apps.publish.formats import Order, Published
from portrayal.study.archive.pack import pack
from portrayal.study.study import OpenStudy
from portrayal.terminal import counted

__all__ = ["publish_bundle"]


def publish_bundle(order: Order) -> Published:
    """Write the study's tables, images and files, the same bytes each time."""
    contents = pack(OpenStudy(order.studies[0]), order.to, order.control, order.key)
    remarks = [
        f"{counted(len(contents.files), 'file')}, each with its hash; portrayal verify and portrayal open read it"
    ]
    remarks += [f"not in it, as it lies outside the study's folder: {name}" for name in contents.left_out]
    if order.key is None:
        remarks.append("not signed: its hashes show damage, not who made it; --key signs it with an SSH key")
    return Published([order.to], remarks)
