"""The command that checks a study against a policy."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from portrayal.commands.options import Folder, Json, given_path
from portrayal.terminal import say, say_json, tell

if TYPE_CHECKING:
    from portrayal.apps.check.checking import PolicyResult

__all__ = ["app"]

app = typer.Typer(add_completion=False, rich_markup_mode=None)
EXIT_CODES = {"pass": 0, "fail": 1, "undecided": 3}
"""By verdict; 2 is for errors."""


def _file(help_text: str) -> typer.models.OptionInfo:
    option: typer.models.OptionInfo = typer.Option(parser=given_path, metavar="FILE", help=help_text)
    return option


@app.command("check")
def check(
    study: Folder,
    policy: Annotated[Path, _file("The policy; portrayal init STUDY --policy writes one to edit.")],
    baseline: Annotated[
        Path | None,
        typer.Option(
            parser=given_path,
            metavar="STUDY|FILE|last",
            help="Compare with an earlier study, with the output of check --json for one, or with the last study "
            "beside this one.",
        ),
    ] = None,
    junit: Annotated[Path | None, _file("Also write JUnit XML.")] = None,
    sarif: Annotated[Path | None, _file("Also write SARIF 2.1.0.")] = None,
    markdown: Annotated[Path | None, _file("Also write Markdown.")] = None,
    as_json: Json = False,
) -> None:
    """Check a study against a policy: pass, fail or undecided.

    The exit code is 0 if every scenario passes, 1 if one fails, 3 if none fails but one is undecided, and 2 for
    errors. Verdicts rest on intervals that hold for all scenarios at once.
    """
    from portrayal.apps.check.api import check_study
    from portrayal.apps.check.outputs.junit import junit_xml
    from portrayal.apps.check.outputs.markdown import markdown_page
    from portrayal.apps.check.outputs.result_json import result_json
    from portrayal.apps.check.outputs.sarif import sarif_json
    from portrayal.store.files import write_atomic

    result = check_study(study, policy, baseline, date.today())
    for path, write in ((junit, junit_xml), (sarif, sarif_json), (markdown, markdown_page)):
        if path is not None:
            write_atomic(path, write(result))
            tell(f"{path} written")
    if as_json:
        say_json(result_json(result))
    else:
        _print(result)
    raise typer.Exit(EXIT_CODES[result.verdict.value])


def _print(result: PolicyResult) -> None:
    from portrayal.apps.check.outputs.first_sentence import first_sentence
    from portrayal.apps.check.outputs.remarks import remarks
    from portrayal.apps.check.outputs.result_words import answer_lines

    say(first_sentence(result), "")
    for verdict, each, _, words in answer_lines(result):
        say(f"{verdict.value:<9}  {each.scenario.id} (line {each.line}): {words}")
    if said := remarks(result):
        say("", *said)
