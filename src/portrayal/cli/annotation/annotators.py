"""Commands about annotators: who can look, how far they agree, what their errors change, if they may stand in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from portrayal.cli.machine.listing import list_parts
from portrayal.commands.command_lists import command_group
from portrayal.commands.options import Folder, Json, given_path
from portrayal.terminal import say, say_json

__all__ = ["annotators"]

_HELP = """List annotators, or compare those of a study.

Without a command, lists the installed annotators and what each can see. To find out how well a study's annotators
agree with people, let people label a sample of its pictures, then compare:

\b
  portrayal labels sheet STUDY --to sheet.csv
  portrayal import STUDY --labels sheet.csv
  portrayal annotators compare STUDY
  portrayal annotators correct STUDY
"""


def list_annotators(context: typer.Context, as_json: Json = False) -> None:
    """List the annotators."""
    if context.invoked_subcommand:
        return
    from portrayal.annotators import ANNOTATORS

    list_parts(ANNOTATORS, "what it sees", as_json=as_json)


def compare_annotators(
    study: Folder,
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ANNOTATOR", help="Two or more of the study's annotators, by their names in study.toml."
        ),
    ] = None,
    reference: Annotated[
        str,
        typer.Option(
            help="The annotator to compare the others with; by default the only imported: one, if there is one."
        ),
    ] = "",
    by: Annotated[
        list[str] | None,
        typer.Option(metavar="ATTRIBUTE", help="Only the groups of this attribute, such as tone3; may be repeated."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show how well annotators agree, also with people's labels.

    For each attribute and pair of annotators. Also shows for which groups of people they are worse.
    """
    from portrayal.api.study import Study
    from portrayal.cli.annotation.agreement_lines import lines

    comparison = Study(study).agreement(*names or (), reference=reference, by=by or ()).comparison
    if as_json:
        say_json(comparison.as_json())
    else:
        say(*lines(comparison))


def correct_shares(
    study: Folder,
    reference: Annotated[
        str, typer.Option(help="Whose labels count; by default labels_by in study.toml, or the only imported: one.")
    ] = "",
    labels_from: Annotated[
        list[Path] | None,
        typer.Option(parser=given_path, metavar="FOLDER", help="Also use the labels of this study; may be repeated."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Correct shares for the errors that people's labels show.

    Shows which findings survive, which do not, and which appear. Uses the labels of a share's own images where there
    are enough, otherwise the confusion matrix of all labels.
    """
    from portrayal.api.study import Study
    from portrayal.cli.annotation.corrected_lines import difference_lines, lines, score_lines, sign_lines

    rows = list(Study(study).corrected(reference=reference, labels_from=labels_from or ()))
    if as_json:
        say_json(rows)
    else:
        differences = Study(study).corrected_differences(reference=reference, labels_from=labels_from or ())
        scores = Study(study).corrected_scores(reference=reference, labels_from=labels_from or ())
        told = [*lines(rows), *difference_lines(list(differences)), *score_lines(list(scores))]
        say(*told, *sign_lines(told))


def run_alt_test(
    study: Folder,
    sheet: Annotated[
        Path,
        typer.Argument(parser=given_path, metavar="SHEET", help="The CSV that raters filled in, with their names."),
    ],
    annotator: Annotated[str, typer.Option(help="The annotator that the sheet is for: NAME of imported:NAME.")] = "",
    allowance: Annotated[
        float,
        typer.Option(
            min=0, max=0.99, help="How much being cheaper than people is worth: 0.2 for experts, 0.1 for a crowd."
        ),
    ] = 0.2,
    as_json: Json = False,
) -> None:
    """Test whether annotators may stand in for people.

    The Alt-Test (Calderon et al. 2025): each rater is left out in turn, and whoever agrees better with the others, the
    rater or the annotator, wins the picture.
    """
    from portrayal.api.study import Study
    from portrayal.cli.annotation.stand_in_lines import lines

    found = Study(study).stand_in(sheet, annotator=annotator, allowance=allowance)
    if as_json:
        say_json([test.as_json() for test in found])
    else:
        for test in found:
            say(*lines(test))


annotators = command_group(_HELP, list_annotators, compare=compare_annotators, correct=correct_shares)
annotators.command("alt-test")(run_alt_test)
