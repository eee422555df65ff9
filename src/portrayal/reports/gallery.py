"""The pictures, with what was seen in them drawn and written beside them."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass

from portrayal.reports.data import FaceView, Picture, ReportData
from portrayal.reports.words import capital, human, plural

__all__ = ["FaceBox", "GalleryGroup", "PictureCard", "gallery", "image_source"]

OPEN_PICTURES = 120
"""Groups after this many pictures start folded."""
PERCEIVED = "perceived "
MAGIC = ((b"\xff\xd8\xff", "jpeg"), (b"\x89PNG\r\n\x1a\n", "png"), (b"GIF8", "gif"), (b"RIFF", "webp"))


@dataclass(frozen=True, slots=True)
class FaceBox:
    """A person seen: where (as CSS, empty when no box is known) and what."""

    number: str
    style: str
    lead: str
    findings: Sequence[tuple[str, str]]
    reasons: Sequence[str]


@dataclass(frozen=True, slots=True)
class PictureCard:
    """One figure of the gallery; without ``src`` it is the place of a missing picture."""

    src: str
    alt: str
    ratio: str
    prompt: str
    generator: str
    seed: int
    image: str
    faces: Sequence[FaceBox]
    reasons: Sequence[str]
    planted: Sequence[str]


@dataclass(frozen=True, slots=True)
class GalleryGroup:
    """The pictures of one term. ``prompt`` is set when all of them share it."""

    term: str
    prompt: str
    cards: Sequence[PictureCard]
    open: bool


def gallery(data: ReportData) -> list[GalleryGroup]:
    """Return the pictures by term, in the order given."""
    by_term: dict[str, list[Picture]] = {}
    for picture in data.pictures:
        by_term.setdefault(picture.term, []).append(picture)
    groups, before = [], 0
    for term, pictures in by_term.items():
        prompts = {picture.prompt for picture in pictures}
        shared = pictures[0].prompt if len(prompts) == 1 else ""
        cards = [_card(picture, shared) for picture in pictures]
        groups.append(GalleryGroup(term, shared, cards, before < OPEN_PICTURES))
        before += len(pictures)
    return groups


def image_source(thumbnail: bytes) -> str:
    """Return a ``data:`` address for a picture whose type can be told from its first bytes, else nothing."""
    for start, kind in MAGIC:
        if thumbnail.startswith(start) and (kind != "webp" or thumbnail[8:12] == b"WEBP"):
            return f"data:image/{kind};base64,{base64.b64encode(thumbnail).decode()}"
    return ""


def _card(picture: Picture, shared_prompt: str) -> PictureCard:
    src = image_source(picture.thumbnail)
    reasons = [human(reason) for reason in picture.reasons]
    if not src and not reasons:
        reasons = ["no thumbnail" if picture.image else "no image"]
    faces = [_face(face, index, len(picture.faces)) for index, face in enumerate(picture.faces, start=1)]
    boxes = sum(bool(face.style) for face in faces)
    seen = f"{plural(boxes, 'face')} marked" if boxes else "no face marked"
    return PictureCard(
        src=src,
        alt=f"Image by {picture.generator} for the prompt “{picture.prompt}”, seed {picture.seed}; {seen}.",
        ratio=f"{picture.width} / {picture.height}" if picture.width > 0 and picture.height > 0 else "1 / 1",
        prompt="" if shared_prompt else picture.prompt,
        generator=picture.generator,
        seed=picture.seed,
        image=picture.image,
        faces=faces,
        reasons=reasons,
        planted=[human(label) for label in picture.planted],
    )


def _face(face: FaceView, index: int, total: int) -> FaceBox:
    number = str(index) if total > 1 else ""
    lead = f"Face {index}" if total > 1 else ""
    findings = [(title, human(text)) for title, text in face.findings]
    if findings and all(title.startswith(PERCEIVED) for title, _ in findings):
        # Said once above the list: on every line it would leave no room for what was seen.
        lead = f"{lead}, {PERCEIVED}".removeprefix(", ").strip()
        findings = [(title.removeprefix(PERCEIVED), text) for title, text in findings]
    return FaceBox(number, _style(face.box), capital(lead), findings, [human(reason) for reason in face.reasons])


def _style(box: tuple[float, float, float, float] | None) -> str:
    """Return the box as CSS, cut to the picture: a detector may place it partly outside."""
    if box is None:
        return ""
    left, top = (min(max(edge, 0.0), 1.0) for edge in box[:2])
    right, bottom = min(box[0] + box[2], 1.0), min(box[1] + box[3], 1.0)
    if right <= left or bottom <= top:
        return ""
    edges = {"left": left, "top": top, "width": right - left, "height": bottom - top}
    return ";".join(f"{name}:{100 * value:.2f}%" for name, value in edges.items())
