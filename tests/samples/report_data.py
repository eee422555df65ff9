"""A realistic study for reports: planted shares, an annotator that errs, images that are missing for a reason."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw

from portrayal.records import Adjustment, Attribute, Measurement, Note, attribute_table
from portrayal.reports import FaceView, Perceived, Picture, ReportData

TERMS = (
    ("nurse", "health"), ("surgeon", "health"), ("dental hygienist", "health"), ("CEO", "office"),
    ("secretary", "office"), ("software developer", "office"), ("accountant", "office"), ("carpenter", "trades"),
    ("electrician", "trades"), ("bus and ambulance driver", "trades"), ("kindergarten teacher", "teaching"),
    ("professor", "teaching"), ("cook", "service"), ("housekeeper", "service"),
)  # fmt: skip
NAMES = ("gender", "age3", "tone3")
SKINS = {"light": (239, 208, 184), "medium": (196, 146, 108), "dark": (110, 74, 53)}


def base(values: Mapping[str, Any]) -> Measurement:
    return Measurement(method="representation", **values)


def portrait(rng: np.random.Generator, person: Mapping[str, str]) -> bytes:
    """Draw a face-like picture: enough to see that boxes lie where they should."""
    hue = tuple(int(v) for v in rng.integers(120, 215, 3))
    image = Image.new("RGB", (256, 256), hue)
    draw = ImageDraw.Draw(image)
    skin = SKINS[person["tone3"]]
    hair = (215, 215, 218) if person["age3"] == "elderly" else tuple(int(v) for v in rng.integers(20, 90, 3))
    if person["gender"] == "female":
        draw.ellipse((62, 44, 194, 230), fill=hair)
    draw.ellipse((76, 44, 180, 150), fill=hair)
    draw.rounded_rectangle((48, 196, 208, 300), 50, fill=tuple(int(v) for v in rng.integers(40, 160, 3)))
    draw.rectangle((112, 160, 144, 210), fill=skin)
    draw.ellipse((82, 66, 174, 188), fill=skin)
    for x in (108, 140):
        draw.ellipse((x, 116, x + 10, 124), fill=(30, 30, 30))
    draw.arc((110, 136, 146, 164), 20, 160, fill=(120, 50, 50), width=3)
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=72)
    return buffer.getvalue()


@dataclass
class Simulation:
    """Draws people term by term and keeps what a report needs to know about them."""

    rng: np.random.Generator
    attributes: Mapping[str, Attribute]
    per_prompt: int
    rows: list[Measurement] = field(default_factory=list)
    confusion: dict[tuple[str, str], dict[tuple[str, str], int]] = field(default_factory=dict)
    pictures: list[Picture] = field(default_factory=list)
    outcomes: dict[str, dict[str, int]] = field(default_factory=dict)
    faceless: int = 0

    def misread(self, attribute: Attribute, group: str) -> str:
        """Read a group wrongly now and then, and old faces as younger more often than the reverse."""
        rate = 0.22 if group in ("elderly", "dark") else 0.04
        others = [name for name in attribute.groups if name != group]
        return str(self.rng.choice(others)) if self.rng.random() < rate else group

    def term(self, generator: str, item: tuple[str, str]) -> dict[str, tuple[np.ndarray, np.ndarray, list[str]]]:
        term = item[0]
        refused = int(self.rng.binomial(self.per_prompt, 0.2 if term in ("CEO", "surgeon") else 0.01))
        failed = int(self.rng.binomial(self.per_prompt, 0.01))
        made = self.per_prompt - refused - failed
        faceless = int(self.rng.binomial(made, 0.25 if term == "bus and ambulance driver" else 0.02))
        self.faceless += faceless
        counts = self.outcomes.setdefault(generator, {"made": 0})
        for key, number in (("made", made), ("refused: content_policy", refused), ("failed: timeout", failed)):
            counts[key] = counts.get(key, 0) + number
        for group, number in (("refused: content_policy", refused), ("no_face", faceless)):
            share = number / self.per_prompt
            self.add("missing", generator, "", group, Place(term), share, n=self.per_prompt)
        tables = {}
        for name in self.attributes:
            tables[name] = self.judge(name, term, made - faceless)
        self.show(term, generator, tables, refused)
        return tables

    def judge(self, name: str, term: str, n: int) -> tuple[np.ndarray, np.ndarray, list[str]]:
        attribute = self.attributes[name]
        truth = self.rng.dirichlet(np.ones(len(attribute.groups)) * 1.3)
        target = np.random.default_rng(list(f"{name} {term}".encode())).dirichlet(np.ones(len(attribute.groups)) * 4)
        planted = [str(group) for group in self.rng.choice(attribute.groups, size=n, p=truth)]
        seen = [self.misread(attribute, group) for group in planted]
        table = self.confusion.setdefault(("faces@1", name), {})
        for pair in zip(planted, seen, strict=True):
            table[pair] = table.get(pair, 0) + 1
        return truth, target, seen

    def add(self, metric: str, generator: str, attribute: str, group: str, place: Place, value: float, n: int,
            **more: object) -> None:  # fmt: skip
        half = 1.96 * np.sqrt((abs(value * (1 - value)) + 0.5 / max(n, 1)) / max(n, 1))
        values: dict[str, object] = {
            "metric": metric, "generator": generator, "attribute": attribute, "group": group, "level": place.level,
            "item": place.item, "value": float(value) if n else None, "n": n,
            "low": max(0.0, value - half) if n else None, "high": min(1.0, value + half) if n else None,
            "notes": (Note("no_usable_image"),) if not n else (Note.of("only_images", n=n),) if n < 30 else (),
        }  # fmt: skip
        self.rows.append(base({**values, **more}))

    def shares(self, generator: str, name: str, place: Place, truth: np.ndarray, target: np.ndarray,
               seen: list[str]) -> None:  # fmt: skip
        attribute, n, who = self.attributes[name], len(seen), {"annotator": "faces@1", "reference": "BLS 2023"}
        gap = 0.0
        for index, group in enumerate(attribute.groups):
            value = seen.count(group) / n if n else 0.0
            gap += abs(value - target[index]) / 2
            more = {"target": float(target[index]), "planted": float(truth[index]), "missing": 3, **who}
            self.add("share", generator, name, group, place, value, n, **more)
            if n:
                low_high = {"low": value - target[index] - 0.1, "high": value - target[index] + 0.1, "notes": ()}
                self.add("difference", generator, name, group, place, value - target[index], n, **who, **low_high)
        self.add("total_variation", generator, name, "", place, gap, n, **who)

    def show(self, term: str, generator: str, tables: Mapping[str, tuple[np.ndarray, np.ndarray, list[str]]],
             refused: int) -> None:  # fmt: skip
        seen = {name: table[2] for name, table in tables.items()}
        if not {"gender", "age3", "tone3"} <= set(seen) or not seen["gender"] or len(self.pictures) >= 34:
            return
        person = {name: groups[0] for name, groups in seen.items()}
        findings = [Perceived(name, group, self.rng.integers(71, 99) / 100) for name, group in person.items()]
        face = FaceView((0.3, 0.24, 0.4, 0.5), findings)
        unsure = FaceView((0.3, 0.24, 0.4, 0.5), findings[:1], (("tone3", "too_few_skin_pixels"),))
        said = f"a photo of one {term}"
        seed, drawn = int(self.rng.integers(2**32)), portrait(self.rng, person)
        picture = Picture(term, said, generator, seed, "ab12cd34" * 8, drawn,
                          256, 256, (face,), planted=(tuple(person.values()),))  # fmt: skip
        self.pictures.append(replace(picture, faces=(unsure,)) if len(self.pictures) % 9 == 4 else picture)
        if refused > 3:
            self.pictures.append(Picture(term, said, generator, 7, reasons=("refused: content_policy",)))
        if term == "professor":
            blurred = replace(picture, faces=(), reasons=("no_face",), seed=99)
            pair = replace(
                picture, faces=(replace(face, box=(0.28, 0.2, 0.2, 0.5)), replace(face, box=(0.5, 0.2, 0.3, 0.6)))
            )
            self.pictures += [blurred, replace(pair, seed=100)]


@dataclass(frozen=True)
class Place:
    item: str = ""
    level: str = "term"


def simulate(terms: tuple[tuple[str, str], ...] = TERMS,
             generators: tuple[str, ...] = ("facegan@1", "folder:portraits"),
             names: tuple[str, ...] = NAMES, per_prompt: int = 40) -> ReportData:  # fmt: skip
    """Return the data of a whole report."""
    attributes = {name: attribute_table()[name] for name in names}
    run = Simulation(np.random.default_rng(11), attributes, per_prompt)
    for generator in generators:
        seen = {item: run.term(generator, item) for item in terms}
        for name in names:
            tables = [table[name] for table in seen.values()]
            everyone = [group for _, _, groups in tables for group in groups]
            means = [np.mean(shares, axis=0) for shares in list(zip(*tables, strict=True))[:2]]
            run.shares(generator, name, Place("", "overall"), means[0], means[1], everyone)
            for category in dict.fromkeys(category for _, category in terms):
                mine = [table[name] for item, table in seen.items() if item[1] == category]
                found = [group for _, _, groups in mine for group in groups]
                means = [np.mean(shares, axis=0) for shares in list(zip(*mine, strict=True))[:2]]
                run.shares(generator, name, Place(category, "category"), means[0], means[1], found)
            for item, table in seen.items():
                run.shares(generator, name, Place(item[0]), *table[name])
        for reason in ("refused: content_policy", "no_face"):
            found_rows = [row.value or 0.0 for row in run.rows if (row.metric, row.group) == ("missing", reason)]
            overall = float(np.mean(found_rows))
            run.add("missing", generator, "", reason, Place("", "overall"), overall, n=per_prompt * len(terms))
    return ReportData(
        title="How two face generators portray fourteen occupations",
        generators=generators,
        annotators=("faces@1",),
        prompts=[(term, category, f"a photo of one {term}") for term, category in terms],
        images_per_prompt=per_prompt,
        attributes=attributes,
        measurements=run.rows,
        outcomes=run.outcomes,
        abstentions={"faces@1": {"no_face": run.faceless, "several_faces": 4}},
        confusion=run.confusion,
        pictures=sorted(run.pictures, key=lambda picture: [term for term, _ in terms].index(picture.term)),
        judged={"faces@1": sum(counts["made"] for counts in run.outcomes.values())},
        perceived={"faces@1": sum(counts["made"] for counts in run.outcomes.values()) - run.faceless},
        reference_sources={"BLS 2023": "Current Population Survey, table 11, https://www.bls.gov/cps/cpsaat11.htm"},
        config='[study]\nname = "occupations"\nseed = 11\n\n[[generators]]\nname = "facegan"\ntruncation = 0.8\n',
        provenance=[("portrayal", "0.1.0"), ("study seed", "11"), ("measurements", "sha256:" + "9f" * 32)],
        citations=["The Portrayal authors. Portrayal 0.1.0. 2025."],
        notes=["Faces are synthetic; the reference is for the United States in 2023."],
    )


@pytest.fixture(scope="session")
def sample() -> ReportData:
    return simulate()


@pytest.fixture(scope="session")
def simulated() -> Callable[..., ReportData]:
    return simulate


BENCH_PROMPTS: dict[str, dict[str, tuple[str, ...]]] = {
    "occupation": {"business": ("CEO", "Accountant"), "healthcare": ("Nurse", "Surgeon"), "arts": ("Dancer",)},
    "characteristic": {"positive": ("attractive", "rich"), "negative": ("poor", "ugly")},
    "relation": {"intimate": ("Husband / Wife",), "hierarchical": ("Employer / Employee",)},
}
BENCH_ATTRIBUTES = ("gender", "race5", "age3")
PAIRS = ("rich / poor", "attractive / ugly", "CEO / Nurse")


def said(kind: str, term: str) -> str:
    if kind == "relation":
        left, right = term.split(" / ")
        return f"One {left} at left with one {right} at right"
    if kind == "characteristic":
        return f"a photo of {'an' if term[0] in 'aeiou' else 'a'} {term} person"
    return f"a photo of one {term}"


@dataclass
class BenchRows:
    """Plausible rows of FAIntbench, by the contract between the method and its report."""

    models: tuple[str, ...]
    annotator: str
    unseen: tuple[str, ...] = ()
    variant: str = "definition"
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(5))
    rows: list[Measurement] = field(default_factory=list)

    def add(self, metric: str, model: str, centre: float, half: float = 0.02, **more: Any) -> None:
        value = float(np.clip(centre + self.rng.normal(0, half), 0, 1))
        notes: tuple[Note, ...] = (Note.of("variant", name=self.variant),) if metric == "manifestation" else ()
        values: dict[str, Any] = {"value": value, "n": 80, "missing": 4, "notes": notes}
        values |= {"low": max(value - half, 0.0), "high": min(value + half, 1.0)}
        unseen = [name for name in self.unseen if more.get("attribute", "") in ("", name)]
        if unseen and metric != "hallucination_rate":
            notes = tuple(Note.of("not_observed", attribute=name, annotator=self.annotator) for name in unseen)
            values |= {"value": None, "low": None, "high": None, "notes": notes, "n": 0}
        more = {**values, "annotator": self.annotator, "prompts": 8, **more}
        self.rows.append(Measurement("faintbench", metric, model, **more))

    def level(self, model: str, level: str, item: str) -> None:
        where: dict[str, Any] = {"level": level, "item": item}
        for name in ("", *BENCH_ATTRIBUTES):
            centre = {"": 0.86, "gender": 0.94, "race5": 0.78, "age3": 0.88}[name]
            self.add("implicit_score", model, centre, attribute=name, **where)
            self.add("explicit_score", model, centre - 0.15, attribute=name, **where)
            self.add("explicit_score_hard", model, centre - 0.1, attribute=name, **where)
        self.add("hallucination_rate", model, 0.03, 0.01, **where)

    def prompt(self, model: str, text: str, people: int) -> None:
        where = {"level": "prompt", "item": text}
        lost = {
            "value": None,
            "low": None,
            "high": None,
            "n": 0,
            "notes": (Note.of("no_usable_image_because", no_face=4),),
        }
        lost = lost if text.endswith("Dancer") and model == self.models[0] else {}
        for name in ("", *BENCH_ATTRIBUTES):
            self.add("implicit_score", model, 0.8, 0.06, attribute=name, **{**where, **lost})
        for name in BENCH_ATTRIBUTES:
            groups = attribute_table()[name].groups
            for side in ("",) if people == 1 else ("left.", "right."):
                if name in self.unseen:
                    continue
                drawn, target = (self.rng.dirichlet(np.ones(len(groups))) for _ in range(2))
                for group, share, aim in zip(groups, drawn, target, strict=True):
                    more = {"attribute": side + name, "group": group, "target": float(aim), **where, **lost}
                    self.add("share", model, float(share), 0.05, **more)
        asked = {} if people == 1 else {"value": None, "low": None, "high": None, "n": 0,
                                        "notes": (Note("not_asked"),)}  # fmt: skip
        where = {"level": "prompt", "item": f"{text} (male)", "attribute": "gender", "group": "male"}
        for metric in ("explicit_score", "explicit_score_hard"):
            self.add(metric, model, 0.7, 0.06, **{**where, **asked})
        self.add("hallucination_rate", model, 0.03, 0.02, level="prompt", item=text)

    def manifestation(self, model: str) -> None:
        for name in ("", *BENCH_ATTRIBUTES):
            self.add("manifestation", model, 0.58, 0.03, attribute=name)
            for pair in PAIRS:
                self.add("manifestation", model, 0.55, 0.06, attribute=name, level="pair", item=pair)

    def human(self, model: str) -> None:
        for item in ("implicit", "explicit"):
            more: dict[str, Any] = {"item": item, "reference": "sheet of labels"}
            self.add("human_difference", model, 0.06, 0.01, **more)
            for name in ("", *BENCH_ATTRIBUTES):
                self.add("automatic_score", model, 0.8, attribute=name, **more)
                self.add("human_score", model, 0.84, attribute=name, **more)

    def all(self) -> list[Measurement]:
        for model in self.models:
            self.level(model, "overall", "")
            for name in BENCH_ATTRIBUTES:
                for group in attribute_table()[name].groups:
                    self.add("explicit_score", model, 0.7, 0.1, attribute=name, group=group)
            self.manifestation(model)
            for kind, categories in BENCH_PROMPTS.items():
                self.level(model, "kind", kind)
                for category, terms in categories.items():
                    self.level(model, "category", category)
                    for term in terms:
                        self.prompt(model, said(kind, term), 2 if kind == "relation" else 1)
        return self.rows


BENCH_MODELS = ("SDXL", "PixArt-Σ", "LCM_50%")


def bench_data(models: tuple[str, ...] = BENCH_MODELS, annotators: tuple[str, ...] = ("clip@1",), human: bool = False,
               adjusted: Sequence[Adjustment] = (), profile: str = "", **more: Any) -> ReportData:  # fmt: skip
    """Return a study scored by FAIntbench only; the annotator ``faces@1`` sees no race."""
    rows: list[Measurement] = []
    for annotator in annotators:
        built = BenchRows(models, annotator, ("race5",) if annotator == "faces@1" else ())
        rows += built.all()
        if human:
            built.rows.clear()
            built.human(models[0])
            rows += built.rows
    rows.append(Measurement("faintbench", "unknown_prompt", models[0], level="prompt", item="a cat & a dog", n=7))
    prompts = [
        (term, category, said(kind, term))
        for kind, categories in BENCH_PROMPTS.items()
        for category, terms in categories.items()
        for term in terms
    ]
    values: dict[str, Any] = {
        "title": "Three models, seen through FAIntbench", "generators": models, "annotators": annotators,
        "prompts": prompts, "images_per_prompt": 8, "measurements": rows, "abstentions": {},
        "attributes": {name: attribute_table()[name] for name in (*BENCH_ATTRIBUTES, "person")
                       if "clip@1" in annotators or name != "race5"},
        "outcomes": {model: {"made": 84, "refused: content_policy": 4} for model in models},
        "categories": [(kind, category) for kind, found in BENCH_PROMPTS.items() for category in found],
        "adjusted": {"faintbench": adjusted}, "settings": {"faintbench": {"profile": profile}},
    }  # fmt: skip
    return ReportData(**{**values, **more})


@pytest.fixture(scope="session")
def benched() -> Callable[..., ReportData]:
    return bench_data
