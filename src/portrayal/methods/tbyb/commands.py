"""Commands of their own: captions scored without a study, and one image explained."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from portrayal.terminal import say, say_json

__all__ = ["app"]


class People(StrEnum):
    """When words for people become one word."""

    released = "released"
    merged = "merged"


app = typer.Typer(help="Try Before You Bias: score captions, explain one image.", rich_markup_mode=None)
_COLUMNS = ("log_bias", "distribution_bias", "jaccard_hallucination", "miss_rate")


@app.command()
def score(  # noqa: PLR0913 - each is an option of the command
    captions: Annotated[
        Path, typer.Argument(metavar="CAPTIONS", help="A CSV file with the columns model,prompt,caption[,missed].")
    ],
    similarity: Annotated[
        float, typer.Option(min=0, max=1, help="Words this similar count as the same; 0: only equal ones and synonyms.")
    ] = 0.75,
    wordnet: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="An installed WordNet, for synonyms of any object.")
    ] = None,
    left_out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A CSV word,kind in place of the shipped stop words and colours."),
    ] = None,
    people: Annotated[
        People,
        typer.Option(
            help="When man, woman, boy, girl and child become one word: released, after B_D is counted and for H_J "
            "alone, as in the authors' code; merged, before both."
        ),
    ] = People.released,
    draws: Annotated[int, typer.Option(min=100, max=100_000, help="Resamples behind the intervals.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random numbers behind the intervals.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Score captions of models' images, or of a dataset's.

    No study and no images are needed.
    """
    from portrayal.methods.tbyb.options import TbybOptions
    from portrayal.methods.tbyb.score_captions import score_captions

    options = TbybOptions(similarity=similarity, wordnet=wordnet, left_out=left_out, people=people.value, draws=draws)
    scores = score_captions(captions, options, seed)
    if as_json:
        say_json(scores)
        return
    say("\t".join(("model", "captions", *_COLUMNS)))
    for model in scores["models"]:
        cells = [_cell(model["scores"][name]) for name in _COLUMNS]
        say("\t".join((model["model"], str(model["captions"]), *cells)))


def _cell(number: dict[str, Any]) -> str:
    if number["value"] is None:
        return str(number["note"])
    low, high = number["low"], number["high"]
    return f"{number['value']:.3f}" + (f" ({low:.3f} to {high:.3f})" if low is not None and high is not None else "")


@app.command()
def explain(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="The study's folder.")],
    image: Annotated[str, typer.Argument(metavar="IMAGE", help="The image's name, or its first characters.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Explain how the words of one image's captions count.

    Prints its prompt, its captions, their objects X and Y, and why each word counts as it does.
    """
    from dataclasses import asdict

    from portrayal.methods.tbyb.explain import explain as explained

    explanations = explained(study, image)
    if as_json:
        say_json([asdict(one) for one in explanations])
        return
    for one in explanations:
        say(f"image      {one.image}", f"generator  {one.generator}", f"prompt     {one.prompt}")
        for row in one.said:
            if row["reason"]:
                say(f"{row['annotator']} says nothing: {row['reason']}")
            elif row["mass"]:
                say(f"{row['annotator']}: shows its prompt with probability {row['mass'][0]:.3f}")
        for caption in one.captions:
            say("", *_lines(caption))


_WHY = {
    "same": "the same word",
    "counted_as": "counts as a person",
    "synonym": "a synonym",
    "similar": "similar enough",
    "": "uninvited",
}


def _lines(caption: dict[str, Any]) -> list[str]:
    shares = caption["hallucination"]
    lines = [
        f"caption    {caption['caption']}  ({caption['annotator']})",
        f"X          {', '.join(caption['X'])}",
        f"Y          {', '.join(caption['Y'])}",
        f"B_D counts {', '.join(caption['counted'])}",
    ]
    for match in caption["words"]:
        near = "" if match["similarity"] is None else f", similarity {match['similarity']:.2f}"
        stands = "" if match["object"] == match["word"] else f" -> {match['object']}"
        lines.append(f"  {match['word']}{stands}: {_WHY[match['why']]}{near}")
    lines += [f"  {word['word']}: left out ({word['kind']})" for word in caption["left_out"]]
    if shares is None:
        return [*lines, "H_J        left out: the prompt names no object"]
    return [
        *lines,
        f"H_J        {shares['total']:.3f}: {shares['part_added']:.3f} added, {shares['part_omitted']:.3f} left out",
        f"addition   {shares['by_addition']:.3f} of what the caption names",
        f"omission   {shares['by_omission']:.3f} of what was asked for",
    ]
