"""What MAGBIG’s first screen says of each language, where the truth is known; prints the tables of docs/validity.md.

python benchmarks/magbig_first_screen.py [--studies 400] [--jobs 2]

Each study goes through the method's own code, but for wordings, kinds and single terms by themselves, which the first
screen does not compare, and its rows through the page's. Where nothing is planted every language
shows as many women as men over all neutral wordings, and so does every wording in it: no page should say openly that a
language deviates from parity or from another one. In the other table German shows fewer women, and must be named.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np

from portrayal.evidence import (
    Design,
    Differences,
    Evidence,
    GroupCounts,
    Paired,
    PeopleByPicture,
    PictureSums,
    Plan,
    SeedPairs,
)
from portrayal.methods.by_language.paired import Side, couples
from portrayal.methods.by_language.share_rows import ShareRows
from portrayal.methods.by_language.views import View
from portrayal.methods.magbig.method import Magbig, MagbigOptions
from portrayal.methods.magbig.parity import deviation_rows
from portrayal.methods.magbig.report.section import MagbigSection
from portrayal.methods.magbig.suite.options import LANGUAGES
from portrayal.records import Attribute, Measurement, Prompt, attribute_table
from portrayal.reports import ReportData
from portrayal.reports.findings.deviations.selection import select
from portrayal.reports.findings.first_screen import first_screen
from portrayal.reports.findings.verdict import Word
from portrayal.stats.intervals import Array

FEMININE = ("ar", "de", "es", "fr", "it", "ru")


@dataclass(frozen=True, slots=True)
class Setting:
    """A study: how many languages, terms (a fifth of them adjectives) and images of each prompt; who is shown.

    ``scatter`` is how far terms differ: none, or the concentration of a beta distribution (the smaller, the further),
    whose draws are moved so that the mean over all terms of a wording is what was planted. ``agree`` is how often
    images with one seed share their chance across languages. ``women`` are the shares planted by language.
    """

    name: str
    languages: int
    terms: int
    images: int
    scatter: float = 0.0
    agree: float = 0.5
    women: Mapping[str, float] | None = None


NOTHING = (
    Setting("2 languages, 20 terms of 4 images (init’s subset)", 2, 20, 4),
    Setting("10 languages, 20 terms of 4 images", 10, 20, 4),
    Setting("10 languages, 20 terms of 2 images; terms differ", 10, 20, 2, 3.0),
    Setting("10 languages, 20 terms of 4 images; terms differ, equal seeds agree", 10, 20, 4, 3.0, 1.0),
)
PLANTED = tuple(
    Setting(f"{languages} languages, 20 terms of 4 images, German {100 * share:.0f} %", languages, 20, 4,
            women={"de": share})
    for languages, share in ((2, 0.26), (10, 0.26), (10, 0.35))
)  # fmt: skip


class Whole(Magbig):
    """The method, of shares only those over all neutral wordings."""

    def view_rows(
        self,
        shares: ShareRows,
        blank: Measurement,
        view: View,
        attributes: Sequence[Attribute],
        rng: np.random.Generator,
    ) -> Iterator[Measurement]:
        """Yield the shares of a language, and how far its terms lie from parity."""
        prompts = [prompt.id for prompt in view.prompts]
        for attribute in () if view.variant else attributes:
            row = replace(blank, language=view.language, attribute=attribute.name, level="overall")
            yield from deviation_rows(shares.measure(row, attribute, prompts, rng), None)


def asked(setting: Setting) -> list[Prompt]:
    """Return the prompts: occupations named and described, in six languages in the feminine, and adjectives."""
    prompts = []
    languages = sorted(LANGUAGES, key=lambda code: code not in ("en", "de"))[: setting.languages]
    for language, number in product(languages, range(setting.terms)):
        kind = "adjective" if number % 5 == 0 else "occupation"
        ways = ["adjective"] if kind == "adjective" else ["direct", "indirect"]
        ways += ["feminine"] if kind == "occupation" and language in FEMININE else []
        for way in ways:
            requested = {"gender": "female"} if way == "feminine" else {}
            text = f"{language} {way} {number}"
            prompts.append(
                Prompt(text, f"term {number}", "magbig", kind, way, language, requested=requested, kind=kind)
            )
    return prompts


def shares(setting: Setting, prompts: Sequence[Prompt], rng: np.random.Generator) -> Array:
    """Return the share of women of each prompt."""
    found = np.ones(len(prompts))
    sides = {(prompt.language, prompt.variant) for prompt in prompts if prompt.variant != "feminine"}
    for language, way in sorted(sides):
        places = [n for n, own in enumerate(prompts) if (own.language, own.variant) == (language, way)]
        mean = (setting.women or {}).get(language, 0.5)
        drawn = np.full(len(places), mean)
        if setting.scatter:
            each = rng.beta(setting.scatter * mean, setting.scatter * (1 - mean), len(places))
            moved = each + mean - each.mean()
            drawn = moved if moved.min() >= 0 and moved.max() <= 1 else drawn
        found[places] = drawn
    return found


def study(method: Magbig, setting: Setting, rng: np.random.Generator) -> tuple[Evidence, list[Prompt]]:
    """Return what one study would have added up, and its prompts."""
    prompts = asked(setting)
    women, images = shares(setting, prompts, rng), setting.images
    common = {term: rng.random(images) for term in dict.fromkeys(prompt.term for prompt in prompts)}
    own = rng.random((len(prompts), images))
    agrees = rng.random((len(prompts), images)) < setting.agree
    chance = np.where(agrees, np.array([common[prompt.term] for prompt in prompts]), own)
    shown = (chance < women[:, None]).astype(float)
    seen = shown.sum(axis=1)
    counts = np.column_stack([images - seen, seen])
    places = {prompt.id: place for place, prompt in enumerate(prompts)}
    pairs = {}
    for x, y in couples(prompts, Side("en", "direct")):
        apart = np.outer(shown[places[x]] - shown[places[y]], (-1, 1))
        pairs[places[x], places[y]] = Differences(images, apart.sum(axis=0), (apart**2).sum(axis=0))
    planned = np.full(len(prompts), images)
    whole = counts.astype(np.int64)
    results = {
        GroupCounts: {("a", "gender"): counts},
        PeopleByPicture: {("a", "gender"): PictureSums(planned, planned, whole, whole)},
        SeedPairs: Paired(dict.fromkeys(pairs, images), {("a", "gender"): pairs}),
    }
    design = Design({prompt.id: prompt for prompt in prompts}, attribute_table(), {"a": ["gender"]})
    plan = Plan(design, [("g", prompt.id) for prompt in prompts], planned, planned)
    return Evidence.given(plan, method.needs, results), prompts


def page(rows: Sequence[Measurement], prompts: Sequence[Prompt], images: int) -> ReportData:
    """Return the data of a page about one model, whose annotator never errs."""
    texts = [(prompt.term, prompt.category, prompt.text) for prompt in prompts]
    return ReportData(
        "T", ["g"], ["a"], texts, images, {"gender": attribute_table()["gender"]}, rows, {}, {},
        requesting={prompt.text for prompt in prompts if prompt.requested},
        languages={prompt.text: prompt.language for prompt in prompts},
    )  # fmt: skip


def looked_at(setting: Setting, seed: int) -> tuple[bool, bool, bool, bool, bool]:
    """Return of one study what its page says.

    Whether anything openly, whether anything that is false, whether it lists anything, whether the share of German is
    said to lie below parity, and whether the verdict is that deviations were found.
    """
    rng = np.random.default_rng([34, seed])
    method = Whole(MagbigOptions(draws=100), Path())
    evidence, prompts = study(method, setting, rng)
    rows = [row for row in method.measure(evidence, rng=rng) if isinstance(row, Measurement)]
    data, section = page(rows, prompts, setting.images), MagbigSection()
    deviations = list(section.deviations(data))
    selection = select(deviations)
    sure = [own for own in selection.found if selection.is_sure(own)]
    planted = {code for code, share in (setting.women or {}).items() if share != 0.5}
    false = [own for own in sure if not planted & {*own.subject}]
    named = [own for own in sure if own.row and own.row.language == "de" and own.test.deviation < 0]
    (card,) = first_screen(data, deviations, section.rankings(data)).models
    return bool(sure), bool(false), bool(selection.found), bool(named), card.verdict.word is Word.FOUND


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--studies", type=int, default=400)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    with ProcessPoolExecutor(options.jobs) as pool:
        for settings, head in (
            (NOTHING, "| nothing planted | studies | say it openly, % | list it as possible, % |"),
            (PLANTED, "| planted | studies | say that German lies below parity, % | say something false openly, % |"),
        ):
            print(f"\n{head} verdict “Deviations found”, % |\n| --- | --- | --- | --- | --- |")
            for setting in settings:
                every = list(pool.map(partial(looked_at, setting), range(options.studies), chunksize=4))
                openly, false, listed, named, found = (100 * float(rate) for rate in np.mean(every, axis=0))
                first, second = (openly, listed) if settings is NOTHING else (named, false)
                print(f"| {setting.name} | {options.studies} | {first:.1f} | {second:.1f} | {found:.1f} |", flush=True)


if __name__ == "__main__":
    main()
