"""The command that plans a sample."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from portrayal.commands.options import Folder, Json, given_path
from portrayal.terminal import say, say_json, say_table

if TYPE_CHECKING:
    from portrayal.api.rows.sample_plan import SamplePlan

__all__ = ["app"]

app = typer.Typer(add_completion=False, rich_markup_mode=None)
Size = float | None


@app.command("power")
def power(  # noqa: PLR0913 - Typer wants a parameter for each option
    study: Folder,
    half_width: Annotated[
        Size, typer.Option(help="How many images give a share to within this much on either side.")
    ] = None,
    deviation: Annotated[
        Size, typer.Option(help="How many images find a deviation of this size from the reference.")
    ] = None,
    difference: Annotated[
        Size, typer.Option(help="How many images find a difference of this size between two models.")
    ] = None,
    decision: Annotated[
        Size, typer.Option(help="How many images show that a share on its target is within this much of it.")
    ] = None,
    often: Annotated[float, typer.Option("--power", help="How often that must succeed.")] = 0.8,
    share: Annotated[Size, typer.Option(help="The true share, if the study does not show one; else 0.5.")] = None,
    target: Annotated[Size, typer.Option(help="What the reference says; else 0.5.")] = None,
    missing: Annotated[Size, typer.Option(help="The share of images that cannot be used.")] = None,
    icc: Annotated[Size, typer.Option(help="How much prompts differ: the correlation of images of one prompt.")] = None,
    prompts: Annotated[int | None, typer.Option(help="How many prompts each term has.")] = None,
    comparisons: Annotated[int | None, typer.Option(help="How many comparisons the report corrects for.")] = None,
    curve: Annotated[
        Path | None, typer.Option(parser=given_path, metavar="FILE", help="Write the curves to a .svg, .pdf or .png.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Estimate how many images you need, and their time and cost.

    Shows what a number of images per prompt can reveal, how many it takes to answer your question, and what time and
    money they cost. Whatever you do not state is taken from the study itself, as from a pilot.
    """
    from portrayal.api.study import Study

    plan = Study(study).power(
        half_width=half_width,
        deviation=deviation,
        difference=difference,
        decision=decision,
        power=often,
        share=share,
        target=target,
        missing=missing,
        icc=icc,
        prompts=prompts,
        comparisons=comparisons,
    )
    written = plan.plot().save(curve) if curve else None
    if as_json:
        _print_json(plan)
    else:
        _print(plan)
        if written:
            say(f"{written} written")


def _print_json(plan: SamplePlan) -> None:
    from dataclasses import asdict

    say_json({"sentences": plan.sentences, "answers": plan.answers, "assumptions": asdict(plan.assumptions),
              "rows": plan.to_arrow().to_pylist(), "costs": plan.costs.to_arrow().to_pylist()})  # fmt: skip


def _print(plan: SamplePlan) -> None:
    say(*plan.sentences, "", "sizes in points that so many images answer:")
    header = ("images a prompt", "of a number", "known to", "prompts like these", "deviation", "difference", "decision",
              "images in all", "answers")  # fmt: skip
    say_table(header, [_cells(row) for row in plan])
    wanted = {images for images in plan.answers.values() if images is not None} or {
        row["images_a_prompt"] for row in plan
    }
    costs = [_cost(row) for row in plan.costs if row["images_a_prompt"] in wanted]
    say("", "what they take, on two cores:")
    say_table(("images a prompt", "who", "", "images", "time", "USD at most"), costs)


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    from portrayal.study.plan.sample_words import points

    sizes = ("half_width", "half_width_like", "deviation", "difference", "decision")
    return (
        f"{row['images_a_prompt']:,}",
        f"{row['images_of_a_number']:,}",
        *("-" if row[name] is None else points(row[name]) for name in sizes),
        f"{row['images']:,}",
        row["answers"].replace("_", " "),
    )


def _cost(row: dict[str, Any]) -> tuple[str, ...]:
    from portrayal.study.create.outlook import duration_words

    time = "not known" if row["seconds"] is None else duration_words(row["seconds"])
    usd = "unknown: set options.price" if row["usd"] is None else f"{row['usd']:.2f}"
    return f"{row['images_a_prompt']:,}", row["who"], row["does"], f"{row['images']:,}", time, usd
