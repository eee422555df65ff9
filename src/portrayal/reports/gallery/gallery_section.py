"""The pictures, with what was seen in them drawn and written beside them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from portrayal.language.translation import t, word
from portrayal.records import Attribute
from portrayal.reports.data import FaceView, Perceived, Picture
from portrayal.reports.findings.deviations.deviation import Thumb
from portrayal.reports.gallery.embedded_pictures import image_source
from portrayal.reports.gallery.gallery_views import VIEWS, picture_views
from portrayal.reports.gallery.picture_links import Back, group_class, pictures_anchor, shown_groups
from portrayal.reports.text.notes import reason_words
from portrayal.reports.text.words import aspect_title, attribute_title, capital, decimal, human, plural

__all__ = ["FaceBox", "Gallery", "GalleryGroup", "PictureCard", "gallery"]

OPEN_PICTURES = 24
"""Groups after this many pictures start folded."""
PERCEIVED = re.compile(r"(?:perceived|wahrgenommene[nrs]?) ")
"""What most titles begin with, in the languages of the page."""
IDENTITY = re.compile(r"@\d+\b.*$|#[0-9a-f]{8}$")
"""How identities go on after the name of the part."""


@dataclass(frozen=True, slots=True)
class FaceBox:
    """A person seen: where (as CSS, empty when no box is known) and what."""

    number: str
    style: str
    lead: str
    findings: Sequence[tuple[str, str, str]]
    """Title, what was read, and the anchor of the row that counts it."""
    reasons: Sequence[str]


@dataclass(frozen=True, slots=True)
class PictureCard:
    """One figure of the gallery; without ``thumb`` it is the place of a missing picture."""

    thumb: Thumb | None
    ratio: str
    prompt: str
    generator: str
    seed: int
    image: str
    faces: Sequence[FaceBox]
    reasons: Sequence[str]
    planted: Sequence[str]
    revised: str
    language: str
    """That of the prompt."""
    classes: Sequence[str]
    """The views it is in, and what was perceived in it."""


@dataclass(frozen=True, slots=True)
class GalleryGroup:
    """The pictures of one term. ``prompt`` is set when all of them share it."""

    term: str
    prompt: str
    cards: Sequence[PictureCard]
    open: bool
    targets: Sequence[tuple[str, str]]
    """Anchors for the pictures that show one group, and its class."""
    asked: int = 0
    """How many images of the term there were to be; not known: 0."""

    @property
    def anchor(self) -> str:
        """Where the charts lead to."""
        return pictures_anchor(self.term)

    @property
    def shown(self) -> int:
        """How many of the cards have a picture."""
        return sum(card.thumb is not None for card in self.cards)


@dataclass(frozen=True, slots=True)
class Gallery:
    """The pictures by term; ``views`` are those that any picture is in, each with how many it has."""

    groups: Sequence[GalleryGroup]
    views: Sequence[tuple[str, int]]

    @property
    def shown(self) -> int:
        """How many pictures there are."""
        return sum(group.shown for group in self.groups)

    @property
    def css(self) -> str:
        """Rules that let the pictures of a group stand out while its anchor is the page's target."""
        names = sorted({name for group in self.groups for _, name in group.targets})
        return "".join(f".{name}:target ~ .cards .card:not(.{name}){{opacity:.2}}" for name in names)


def gallery(
    shown: Sequence[Picture], attributes: Mapping[str, Attribute], back: Back, asked: Mapping[str, int] | None = None
) -> Gallery:
    """Return pictures by term, in the order given; ``asked`` is how many images of a term there were to be."""
    by_term: dict[str, list[tuple[Picture, frozenset[str]]]] = {}
    views = picture_views(shown, attributes)
    for picture, shown_in in zip(shown, views, strict=True):
        by_term.setdefault(picture.term, []).append((picture, shown_in))
    perceived = shown_groups(shown)
    groups, before = [], 0
    cards = _Cards(attributes, back)
    for term, pictures in by_term.items():
        prompts = {picture.prompt for picture, _ in pictures}
        shared = pictures[0][0].prompt if len(prompts) == 1 else ""
        drawn = [cards.card(picture, shared, seen) for picture, seen in pictures]
        targets = [(pictures_anchor(term, *about), group_class(*about)) for about in perceived[term]]
        groups.append(
            GalleryGroup(
                term,
                shared,
                cards=drawn,
                open=before < OPEN_PICTURES,
                targets=targets,
                asked=(asked or {}).get(term, 0),
            )
        )
        before += len(pictures)
    numbers = Counter(view for shown_in in views for view in shown_in)
    return Gallery(groups, [(view, numbers[view]) for view in VIEWS if numbers[view]])


@dataclass(frozen=True, slots=True)
class _Cards:
    attributes: Mapping[str, Attribute]
    back: Back

    def card(self, picture: Picture, shared_prompt: str, views: frozenset[str]) -> PictureCard:
        shown = bool(image_source(picture.thumbnail[:16]))
        reasons = [reason_words(reason) for reason in picture.reasons]
        if not shown and not reasons:
            reasons = [t("no thumbnail") if picture.image else t("no image")]
        faces = self.faces(picture)
        boxes = sum(bool(face.style) for face in faces)
        seen = t("{faces} marked", faces=plural(boxes, "face")) if boxes else t("no face marked")
        alt = t(
            "Image by {generator} for the prompt “{prompt}”, seed {seed}; {seen}.",
            generator=picture.generator,
            prompt=picture.prompt,
            seed=picture.seed,
            seen=seen,
        )
        told = dict.fromkeys(
            (read.attribute, read.group) for face in picture.faces for read in face.findings if read.group
        )
        return PictureCard(
            thumb=Thumb(picture.thumbnail, alt) if shown else None,
            ratio=f"{picture.width} / {picture.height}" if picture.width > 0 and picture.height > 0 else "1 / 1",
            prompt="" if shared_prompt else picture.prompt,
            generator=picture.generator,
            seed=picture.seed,
            image=picture.image,
            faces=faces,
            reasons=reasons,
            planted=[", ".join(map(human, groups)) for groups in picture.planted],
            revised=picture.revised,
            language=picture.language,
            classes=[*(f"v-{view}" for view in VIEWS if view in views), *(group_class(*about) for about in told)],
        )

    def faces(self, picture: Picture) -> list[FaceBox]:
        """Number the people of each annotator, if it sees several, and name the annotators, if there are several."""
        totals = Counter(face.who for face in picture.faces)
        short = Counter(_short(who) for who in totals)
        seen: Counter[str] = Counter()
        boxes = []
        for face in picture.faces:
            seen[face.who] += 1
            number = str(seen[face.who]) if totals[face.who] > 1 else ""
            name = _short(face.who) if short[_short(face.who)] == 1 else face.who
            lead = [name if len(totals) > 1 else "", t("Face {number}", number=number) if number else ""]
            boxes.append(self.face(face, number, lead, picture.term))
        return boxes

    def face(self, face: FaceView, number: str, lead: list[str], term: str) -> FaceBox:
        known = self.attributes
        seen = [(known[item.attribute], item) for item in face.findings if item.attribute in known]
        findings = [
            (attribute_title(attribute), _told(attribute, item), self.row(face, attribute, item, term))
            for attribute, item in seen
        ]
        if [attribute.title for attribute, _ in seen] == lead[:1]:
            lead = lead[1:]  # the annotator's name would be said twice
        if findings and all(PERCEIVED.match(title) for title, _, _ in findings):
            # Said once above the list: on every line it would leave no room for what was seen.
            lead = [*lead, t("perceived")]
            findings = [(PERCEIVED.sub("", title, count=1), text, row) for title, text, row in findings]
        named = capital(", ".join(filter(None, lead)))
        return FaceBox(number, _style(face.box), named, findings, [_unseen(reason, known) for reason in face.reasons])

    def row(self, face: FaceView, attribute: Attribute, seen: Perceived, term: str) -> str:
        return "" if attribute.is_text else self.back.row(face.who, attribute, seen.group, term)


def _short(annotator: str) -> str:
    """Return an annotator's name without its version, model and options, for which a card has no room."""
    return IDENTITY.sub("", annotator)


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
