"""The pictures, with what was seen in them drawn and written beside them."""

from __future__ import annotations

import base64
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from portrayal.reports.data import FaceView, Picture, ReportData
from portrayal.reports.language import digits, note, t
from portrayal.reports.words import capital, human, plural, titled

__all__ = ["FaceBox", "GalleryGroup", "PictureCard", "gallery", "image_source"]

OPEN_PICTURES = 120
"""Groups after this many pictures start folded."""
PERCEIVED = re.compile(r"(?:perceived|wahrgenommene[nrs]?) ")
"""What most titles begin with, in the languages of the page."""
SURE = re.compile(r"(.+?)( (?:> )?\d+ %)?")
VALUE = re.compile(r"([-\u2212]?[\d,]+(?:\.\d+)?)( .+)?")
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
    words = frozenset(attribute.title for attribute in data.attributes.values() if attribute.is_text)
    groups, before = [], 0
    for term, pictures in by_term.items():
        prompts = {picture.prompt for picture in pictures}
        shared = pictures[0].prompt if len(prompts) == 1 else ""
        cards = [_card(picture, shared, words) for picture in pictures]
        groups.append(GalleryGroup(term, shared, cards, before < OPEN_PICTURES))
        before += len(pictures)
    return groups


def image_source(thumbnail: bytes) -> str:
    """Return a ``data:`` address for a picture whose type can be told from its first bytes, else nothing."""
    for start, kind in MAGIC:
        if thumbnail.startswith(start) and (kind != "webp" or thumbnail[8:12] == b"WEBP"):
            return f"data:image/{kind};base64,{base64.b64encode(thumbnail).decode()}"
    return ""


def _card(picture: Picture, shared_prompt: str, words: frozenset[str]) -> PictureCard:
    src = image_source(picture.thumbnail)
    reasons = [human(reason) for reason in picture.reasons]
    if not src and not reasons:
        reasons = [t("no thumbnail") if picture.image else t("no image")]
    faces = _faces(picture.faces, words)
    boxes = sum(bool(face.style) for face in faces)
    seen = t("{faces} marked", faces=plural(boxes, "face")) if boxes else t("no face marked")
    return PictureCard(
        src=src,
        alt=t(
            "Image by {generator} for the prompt “{prompt}”, seed {seed}; {seen}.",
            generator=picture.generator,
            prompt=picture.prompt,
            seed=picture.seed,
            seen=seen,
        ),
        ratio=f"{picture.width} / {picture.height}" if picture.width > 0 and picture.height > 0 else "1 / 1",
        prompt="" if shared_prompt else picture.prompt,
        generator=picture.generator,
        seed=picture.seed,
        image=picture.image,
        faces=faces,
        reasons=reasons,
        planted=[human(label) for label in picture.planted],
    )


def _faces(faces: Sequence[FaceView], words: frozenset[str]) -> list[FaceBox]:
    """Number the people of each annotator, if it sees several, and name the annotators, if there are several."""
    totals = Counter(face.who for face in faces)
    short = Counter(_short(who) for who in totals)
    seen: Counter[str] = Counter()
    boxes = []
    for face in faces:
        seen[face.who] += 1
        number = str(seen[face.who]) if totals[face.who] > 1 else ""
        name = _short(face.who) if short[_short(face.who)] == 1 else face.who
        lead = [name if len(totals) > 1 else "", t("Face {number}", number=number) if number else ""]
        boxes.append(_face(face, number, lead, words))
    return boxes


def _short(annotator: str) -> str:
    """Return an annotator's name without its version, model and options, for which a card has no room."""
    return annotator.partition("@")[0].partition("#")[0]


def _face(face: FaceView, number: str, lead: list[str], words: frozenset[str]) -> FaceBox:
    findings = [(titled(title), text if title in words else _told(text)) for title, text in face.findings]
    if [title for title, _ in face.findings] == lead[:1]:
        lead = lead[1:]  # the annotator's name would be said twice
    if findings and all(PERCEIVED.match(title) for title, _ in findings):
        # Said once above the list: on every line it would leave no room for what was seen.
        lead = [*lead, t("perceived")]
        findings = [(PERCEIVED.sub("", title, count=1), text) for title, text in findings]
    named = capital(", ".join(filter(None, lead)))
    return FaceBox(number, _style(face.box), named, findings, [human(reason) for reason in face.reasons])


def _told(text: str) -> str:
    """Return a finding, ``female 97 %`` or ``34 years``, in the language of the page."""
    if value := VALUE.fullmatch(text):
        return digits(value[1]) + (f" {note(value[2].strip())}" if value[2] else "")
    group = SURE.fullmatch(text)
    return f"{note(group[1])}{group[2] or ''}" if group else text


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
