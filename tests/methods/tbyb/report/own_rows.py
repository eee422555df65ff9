"""Rows of the method's own tables, written by hand."""

from __future__ import annotations

__all__ = ["LEFT", "SOFA"]

LEFT = {
    "generator": "g",
    "annotator": "blip",
    "object": "cat",
    "images": 2,
    "of": 3,
    "share": 2 / 3,
    "instead": ["dog"],
}
SOFA = {"word": "sofa", "object": "couch", "why": "synonym", "similarity": None, "images": 7}
