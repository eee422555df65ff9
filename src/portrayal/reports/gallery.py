"""The pictures, with what was seen in them drawn and written beside them."""

from __future__ import annotations

import base64
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from portrayal.records import Attribute
from portrayal.reports.data import FaceView, Perceived, Picture, ReportData
from portrayal.reports.language import t, word
from portrayal.reports.notes import reason_words
from portrayal.reports.words import aspect_title, attribute_title, capital, decimal, human, plural

__all__ = ["FaceBox", "GalleryGroup", "PictureCard", "gallery", "image_source"]

OPEN_PICTURES = 120
"""Groups after this many pictures start folded."""
PERCEIVED = re.compile(r"(?:perceived|wahrgenommene[nrs]?) ")
"""What most titles begin with, in the languages of the page."""
IDENTITY = re.compile(r"@\d+\b.*$|#[0-9a-f]{8}$")
"""How identities go on after the name of the part."""
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
    revised: str


@dataclass(frozen=True, slots=True)
class GalleryGroup:
    """The pictures of one term. ``prompt`` is set when all of them share it."""

    term: str
    prompt: str
    cards: Sequence[PictureCard]
    open: bool

    @property
    def shown(self) -> int:
        """How many of the cards have a picture."""
        return sum(bool(card.src) for card in self.cards)


def gallery(data: ReportData) -> list[GalleryGroup]:
    """Return the pictures by term, in the order given."""
    by_term: dict[str, list[Picture]] = {}
    for picture in data.pictures:
        by_term.setdefault(picture.term, []).append(picture)
    groups, before = [], 0
    for term, pictures in by_term.items():
        prompts = {picture.prompt for picture in pictures}
        shared = pictures[0].prompt if len(prompts) == 1 else ""
        cards = [_card(picture, shared, data.attributes) for picture in pictures]
        groups.append(GalleryGroup(term, shared, cards, before < OPEN_PICTURES))
        before += len(pictures)
    return groups


def image_source(thumbnail: bytes) -> str:
    """Return a ``data:`` address for a picture whose type can be told from its first bytes, else nothing."""
    for start, kind in MAGIC:
        if thumbnail.startswith(start) and (kind != "webp" or thumbnail[8:12] == b"WEBP"):
            return f"data:image/{kind};base64,{base64.b64encode(thumbnail).decode()}"
    return ""


def _card(picture: Picture, shared_prompt: str, attributes: Mapping[str, Attribute]) -> PictureCard:
    src = image_source(picture.thumbnail)
    reasons = [reason_words(reason) for reason in picture.reasons]
    if not src and not reasons:
        reasons = [t("no thumbnail") if picture.image else t("no image")]
    faces = _faces(picture.faces, attributes)
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
        planted=[", ".join(map(human, groups)) for groups in picture.planted],
        revised=picture.revised,
    )


def _faces(faces: Sequence[FaceView], attributes: Mapping[str, Attribute]) -> list[FaceBox]:
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
        boxes.append(_face(face, number, lead, attributes))
    return boxes


def _short(annotator: str) -> str:
    """Return an annotator's name without its version, model and options, for which a card has no room."""
    return IDENTITY.sub("", annotator)


def _face(face: FaceView, number: str, lead: list[str], attributes: Mapping[str, Attribute]) -> FaceBox:
    seen = [(attributes[item.attribute], item) for item in face.findings if item.attribute in attributes]
    findings = [(attribute_title(attribute), _told(attribute, item)) for attribute, item in seen]
    if [attribute.title for attribute, _ in seen] == lead[:1]:
        lead = lead[1:]  # the annotator's name would be said twice
    if findings and all(PERCEIVED.match(title) for title, _ in findings):
        # Said once above the list: on every line it would leave no room for what was seen.
        lead = [*lead, t("perceived")]
        findings = [(PERCEIVED.sub("", title, count=1), text) for title, text in findings]
    named = capital(", ".join(filter(None, lead)))
    return FaceBox(number, _style(face.box), named, findings, [_unseen(reason, attributes) for reason in face.reasons])


def _told(attribute: Attribute, seen: Perceived) -> str:
    """Return what was read of an attribute; a caption is its model's own words."""
    if attribute.is_text:
        return seen.text
    if seen.value is not None:
        return f"{decimal(seen.value, 0 if abs(seen.value) >= 10 else 2)} {word(attribute.unit)}".rstrip()
    # A mass of exactly 1 is a label, not a probability.
    sure = seen.mass is None or seen.mass == 1
    chance = "" if sure or seen.mass is None else " > 99 %" if seen.mass > 0.99 else f" {100 * seen.mass:.0f} %"
    return human(seen.group) + chance


def _unseen(reason: tuple[str, str], attributes: Mapping[str, Attribute]) -> str:
    attribute, why = reason
    return f"{aspect_title(attribute, attributes)}: {reason_words(why)}" if attribute else reason_words(why)


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
